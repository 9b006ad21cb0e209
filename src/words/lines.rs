//! Lines of text that keep to a width.

/// Breaks a text at spaces into lines of a number of letters, if words are short enough.
pub fn wrapped(text: &str, width: usize) -> String {
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > width {
            lines.push('\n');
            length = 0;
        } else if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines.push_str(word);
        length += letters;
    }
    lines + "\n"
}

/// The letters of the longest word of a text.
pub fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("a bb ccc", 4), "a bb\nccc\n");
        assert_eq!(wrapped("abcdef g", 4), "abcdef\ng\n");
        assert_eq!(wrapped("", 4), "\n");
        assert_eq!(longest_word("a bb äöü c"), 3);
    }
}
