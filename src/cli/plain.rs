//! Text for a terminal, whoever wrote it.

use crate::words::steering::steers;

/// The text without what steers a terminal, which is replaced, but for line ends and tabs: names of others may hold what
/// a terminal obeys. Colours of our own come later, around what has been cleaned.
pub fn plain(text: &str) -> String {
    let replaced = |c: char| if steers(c) && c != '\n' && c != '\t' { '\u{fffd}' } else { c };
    text.chars().map(replaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_tabs_stay_and_nothing_else_that_a_terminal_obeys() {
        for text in ["", "a\tb\nä"] {
            assert_eq!(plain(text), text);
        }
        for (text, due) in [
            ("a\u{1b}[2Jb", "a\u{fffd}[2Jb"),
            ("\u{1b}]0;title\u{7}", "\u{fffd}]0;title\u{fffd}"),
            ("\u{9b}2J\r\u{7f}", "\u{fffd}2J\u{fffd}\u{fffd}"),
            ("\u{1b}[31mred", "\u{fffd}[31mred"),
            ("\u{202e}over", "\u{fffd}over"),
            ("\u{1b}", "\u{fffd}"),
        ] {
            assert_eq!(plain(text), due);
        }
    }
}
