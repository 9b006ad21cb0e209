//! Untrusted text in pictures and pages: names of agents, rule files and strategies may hold anything.

use unicode_width::UnicodeWidthChar;

/// The longest word of a text, in columns, and how much of its end is kept if it is longer.
const WORD: usize = 60;
const TAIL: usize = 20;
/// The longest text, in columns.
const TEXT: usize = 2000;
/// Marks that stand on a letter and take no room: so many of them in a row are kept.
const MARKS: usize = 3;

/// Whether a character is none that a reader should see: a control character, one that turns the direction of what
/// follows, one that can't be seen, or one that XML forbids.
fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    ) || c.is_control()
        || u32::from(c) & 0xfffe == 0xfffe
        || ('\u{fdd0}'..='\u{fdef}').contains(&c)
}

/// A text without hidden characters: each is replaced by a mark that can be seen. Of marks without a width, no more
/// than three in a row are kept. Blanks of all kinds are blanks.
pub fn clean(text: &str) -> String {
    let mut marks = 0;
    let mut kept = String::with_capacity(text.len().min(4 * TEXT));
    for c in text.chars() {
        let c = match c {
            '\t' | '\n' | '\r' => ' ',
            hidden if is_hidden(hidden) => '\u{fffd}',
            other => other,
        };
        marks = if c.width() == Some(0) { marks + 1 } else { 0 };
        if marks <= MARKS {
            kept.push(c);
        }
    }
    kept
}

fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The width of a text in columns: letters of East Asia take two, marks on letters none.
pub fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// A clean text of at most so many columns; of a longer one the middle is left out.
pub fn label(text: &str, most: usize) -> String {
    cut(&clean(text), most)
}

fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(1);
    let tail = (room / 3).min(TAIL);
    let taken = |letters: &mut dyn Iterator<Item = char>, room: usize| -> Vec<char> {
        let mut used = 0;
        letters
            .take_while(|&c| {
                used += columns(c);
                used <= room
            })
            .collect()
    };
    let start = taken(&mut text.chars(), room - tail);
    let mut end = taken(&mut text.chars().rev(), tail);
    end.reverse();
    start.into_iter().chain(['…']).chain(end).collect()
}

/// A clean text for a page: of long words and of a long text the middle is left out.
pub fn text(text: &str) -> String {
    let clean = clean(text);
    if clean.len() <= WORD {
        return clean;
    }
    let words: Vec<String> = clean.split(' ').map(|word| cut(word, WORD)).collect();
    cut(&words.join(" "), TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_shown_as_a_mark() {
        assert_eq!(
            clean("a\u{202e}b\u{0}c\u{2066}d\u{feff}"),
            "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}"
        );
        assert_eq!(clean("a\tb\nc"), "a b c");
        assert_eq!(clean("é 漢 שלום"), "é 漢 שלום");
        let piled = format!("z{}y", "\u{301}".repeat(10_000));
        assert_eq!(clean(&piled).chars().count(), 5);
    }

    #[test]
    fn long_words_lose_their_middle_and_keep_both_ends() {
        let cut = label(&format!("start{}end", "x".repeat(10_000)), 30);
        assert_eq!(width(&cut), 30);
        assert!(cut.starts_with("start") && cut.ends_with("end") && cut.contains('…'), "{cut}");
        assert_eq!(label("greedy", 6), "greedy");
        // Two columns a letter.
        assert!(width(&label(&"漢".repeat(100), 11)) <= 11);
        let page =
            text(&format!("{} is stronger than {}.", "a".repeat(10_000), "b".repeat(10_000)));
        assert_eq!(width(&page), 60 + " is stronger than ".len() + 60);
        assert!(width(&text(&"word ".repeat(10_000))) <= TEXT);
        assert_eq!(label("abc", 0), "…");
    }
}
