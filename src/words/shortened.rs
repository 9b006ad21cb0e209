//! Complaints that quote what somebody gave: kept short, whatever that was.

use crate::words::steering::steers;

/// What may be shown whole, in characters, and how much of its start and end is shown if it is longer.
struct Most {
    whole: usize,
    start: usize,
    end: usize,
}

/// A word: what has no blanks.
const WORD: Most = Most { whole: 300, start: 120, end: 60 };
/// A line; lists of names that there are have up to 900.
const LINE: Most = Most { whole: 1000, start: 400, end: 200 };
/// Of a text, this many lines from its start and from its end are shown.
const LINES: usize = 20;

/// A text for a terminal: of long words, long lines and many lines the middle is left out, and what steers it
/// is replaced.
pub fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len() <= 2 * LINES {
        return lines.iter().map(|line| line_of(line)).collect::<Vec<_>>().join("\n");
    }
    let (first, last) = (&lines[..LINES], &lines[lines.len() - LINES..]);
    let short = first.iter().chain(&["…"]).chain(last).map(|line| line_of(line));
    short.collect::<Vec<_>>().join("\n")
}

fn line_of(line: &str) -> String {
    let words: Vec<String> = line.split(' ').map(|word| without_middle(word, &WORD)).collect();
    let plain = |c: char| if steers(c) && c != '\t' { '\u{fffd}' } else { c };
    without_middle(&words.join(" "), &LINE).chars().map(plain).collect()
}

fn without_middle(text: &str, most: &Most) -> String {
    let length = text.chars().count();
    if length <= most.whole {
        return text.to_owned();
    }
    let start = text.chars().take(most.start);
    start.chain(['…']).chain(text.chars().skip(length - most.end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_stays_and_what_is_long_loses_its_middle() {
        for text in ["", "a\nb\n", "no game `otr`; there are on-the-road, base", &"ä ".repeat(500)]
        {
            assert_eq!(shortened(text), text);
        }
        let long = format!("found {} at the end", "ä".repeat(1_000_000));
        let short = shortened(&long);
        assert_eq!(short.chars().count(), 6 + 181 + 11);
        assert!(short.starts_with("found ää") && short.ends_with("ää at the end"));
        let line = shortened(&"ä ".repeat(501));
        assert_eq!(line.chars().count(), 601);
        let many = shortened(&"line\n".repeat(100_000));
        assert_eq!((many.lines().count(), many.contains('…')), (40, true));
        assert_eq!(shortened("a\u{1b}[2Jb\tc"), "a\u{fffd}[2Jb\tc");
    }
}
