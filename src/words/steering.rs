//! What steers a terminal: untrusted text may hold it, and what is printed does not.

/// Whether a terminal obeys a character rather than showing it: control characters, and those that turn the order of what
/// follows around.
pub fn steers(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A word of others, such as a name: what steers a terminal is replaced, ends of lines too, so that nobody writes lines
/// in our place.
pub fn disarmed(word: &str) -> String {
    word.chars().map(|letter| if steers(letter) { '\u{fffd}' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_replaced_and_all_else_stays() {
        assert_eq!(
            disarmed("a\u{1b}[31mb\nc\td\u{9b}"),
            "a\u{fffd}[31mb\u{fffd}c\u{fffd}d\u{fffd}"
        );
        assert_eq!(disarmed("\u{202e}txt.\u{2066}x\u{2069}"), "\u{fffd}txt.\u{fffd}x\u{fffd}");
        for word in ["", "ä ß 中 –", "\u{627}\u{644}\u{639}\u{631}\u{628}", "e\u{301}"] {
            assert_eq!(disarmed(word), word);
        }
    }
}
