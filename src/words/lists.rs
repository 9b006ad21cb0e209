//! Lists as people type them: entries between commas, some of them values of TOML with commas of their own. And lists,
//! counts and sentences as people read them.

use std::ops::RangeInclusive;

/// The entries of a list, without blanks around them; commas in brackets, braces and quotes separate none.
pub fn entries(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted) = (0_i32, false);
    let separates = |letter: char| {
        match letter {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0 && !quoted
    };
    text.split(separates).map(str::trim).collect()
}

/// The word for so many of a thing, by the word for one.
pub fn plural(count: u64, one: &str) -> String {
    match (count, one.ends_with("ch")) {
        (1, _) => one.to_owned(),
        (_, true) => format!("{one}es"),
        (_, false) => format!("{one}s"),
    }
}

/// Names as a sentence lists them: `a, b and c`.
pub fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// The text with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// All whole numbers from one to another: `2 to 6`, or the one that there is.
pub fn span(numbers: &RangeInclusive<u8>) -> String {
    let (least, most) = (numbers.start(), numbers.end());
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

#[cfg(test)]
mod tests {
    use super::{capital, entries, listed, plural, span};

    #[test]
    fn a_span_of_one_number_is_that_number() {
        assert_eq!((span(&(2..=6)), span(&(2..=2))), ("2 to 6".to_owned(), "2".to_owned()));
    }

    #[test]
    fn names_are_listed_and_sentences_begin_with_a_capital() {
        let names = ["one", "two", "three"].map(str::to_owned);
        let said = [0, 1, 2, 3].map(|count| capital(&listed(&names[..count])));
        assert_eq!(said, ["", "One", "One and two", "One, two and three"]);
    }

    #[test]
    fn one_of_a_thing_is_no_plural() {
        let said = |count| [plural(count, "block"), plural(count, "match")].join(" ");
        assert_eq!(
            [said(0), said(1), said(2)],
            ["blocks matches", "block match", "blocks matches"]
        );
    }

    #[test]
    fn commas_inside_of_a_value_do_not_end_it() {
        for (text, found) in [
            ("a, b ,c", &["a", "b", "c"][..]),
            ("[4, 3], {x = 1, y = [2, 3]}", &["[4, 3]", "{x = 1, y = [2, 3]}"]),
            ("\"a,]b\",c", &["\"a,]b\"", "c"]),
            ("[a, b", &["[a, b"]),
            ("a,,", &["a", "", ""]),
            ("", &[""]),
        ] {
            assert_eq!(entries(text), found, "{text}");
        }
    }
}
