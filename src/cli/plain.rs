//! Text for a terminal, whoever wrote it.

/// The text without control characters other than line ends and tabs, which are replaced: names of others may hold what
/// a terminal obeys. The colours of our own answers stay.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_control() && c != '\n' && c != '\t') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let colour = colour(rest);
        if colour > 0 {
            plain.push_str(&rest[..colour]);
            rest = &rest[colour..];
        } else {
            plain.push('\u{fffd}');
            rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
        }
    }
    plain + rest
}

/// The bytes of a sequence at the start that sets a colour as answers do, such as `\x1b[1;32m`; 0 if there is none.
fn colour(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let codes =
        rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').len();
    let known = ["", "0", "1", "31", "32", "33", "1;31", "1;32", "1;33"].contains(&&rest[..codes]);
    if known && rest[codes..].starts_with('m') { 2 + codes + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_lines_stay_and_nothing_else_that_a_terminal_obeys() {
        for text in ["", "a\tb\nä", "\u{1b}[33mUndecided.\u{1b}[0m\n"] {
            assert_eq!(plain(text), text);
        }
        for (text, due) in [
            ("a\u{1b}[2Jb", "a\u{fffd}[2Jb"),
            ("\u{1b}]0;title\u{7}", "\u{fffd}]0;title\u{fffd}"),
            ("\u{9b}2J\r\u{7f}", "\u{fffd}2J\u{fffd}\u{fffd}"),
            ("\u{1b}[8mhidden", "\u{fffd}[8mhidden"),
            ("\u{1b}", "\u{fffd}"),
        ] {
            assert_eq!(plain(text), due);
        }
    }
}
