//! Parses the values of a sweep: a list, whole numbers from first to last, or evenly
//! spaced numbers. What the values mean to a field is not known here.

use crate::words::lists::{self, plural};
use std::collections::BTreeSet;

/// The most values of a sweep.
pub const VALUES_MAX: usize = 64;
/// Decimals of evenly spaced values.
const DECIMALS: usize = 9;
/// No end of evenly spaced values is farther from 0, so that [`DECIMALS`] decimals can be held.
const END_MAX: f64 = 1e6;

const FORMS: &str = "write 1,2,3 or 1..5 or 0.5..2.0/4";

/// Text that is not 2 to [`VALUES_MAX`] values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadValues {
    /// Fewer than two or more than [`VALUES_MAX`].
    #[error("`{text}` has {count} {}; 2 to {VALUES_MAX} are possible: {FORMS}", plural(*count, "value"))]
    Count {
        /// What was given.
        text: String,
        /// How many values it has.
        count: u64,
    },
    /// Nothing between two commas.
    #[error("value {number} of `{text}` is empty: {FORMS}")]
    Empty {
        /// What was given.
        text: String,
        /// Which one, from 1.
        number: usize,
    },
    /// The same value again.
    #[error("`{text}` has the value {value} twice")]
    Twice {
        /// What was given.
        text: String,
        /// The value.
        value: String,
    },
    /// An end or a count that is not a number, or too large.
    #[error("`{part}` in `{text}` is not {wanted}: {FORMS}")]
    Part {
        /// What was given.
        text: String,
        /// The part of it.
        part: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// The last value is not above the first.
    #[error("`{text}` does not rise; the first value is the smaller one: {FORMS}")]
    Falls {
        /// What was given.
        text: String,
    },
}

/// The values that `1,2,3` lists, or the whole numbers `1..5` with both ends, or the number of evenly spaced
/// values that `0.5..2.0/4` asks for, from first to last. An entry of a list may itself be a list in brackets.
///
/// # Errors
/// Says what is wrong with the text and what would be right.
pub fn values(text: &str) -> Result<Vec<String>, BadValues> {
    let entries = lists::entries(text);
    let values = match text.split_once("..") {
        Some((first, rest)) if entries.len() == 1 => match rest.split_once('/') {
            Some((last, count)) => spaced(text, [first, last], count)?,
            None => whole_numbers(text, [first, rest])?,
        },
        _ => entries.into_iter().map(str::to_owned).collect(),
    };
    check(text, &values)?;
    Ok(values)
}

fn check(text: &str, values: &[String]) -> Result<(), BadValues> {
    let text = || text.to_owned();
    let mut seen = BTreeSet::new();
    for (at, value) in values.iter().enumerate() {
        if value.is_empty() {
            return Err(BadValues::Empty { text: text(), number: at + 1 });
        }
        // 1 and 1.0 are one value.
        let number: Option<f64> = value.parse().ok();
        if !seen.insert(number.map_or(value.clone(), |number| (number + 0.0).to_string())) {
            return Err(BadValues::Twice { text: text(), value: value.clone() });
        }
    }
    in_bounds(values.len() as u64).map_err(|count| BadValues::Count { text: text(), count })
}

fn in_bounds(count: u64) -> Result<(), u64> {
    if (2..=VALUES_MAX as u64).contains(&count) { Ok(()) } else { Err(count) }
}

fn whole_numbers(text: &str, ends: [&str; 2]) -> Result<Vec<String>, BadValues> {
    const WANTED: &str = "a whole number";
    let first: i64 = number(text, ends[0], WANTED)?;
    let last: i64 = number(text, ends[1], WANTED)?;
    if last <= first {
        return Err(BadValues::Falls { text: text.to_owned() });
    }
    let count = last.abs_diff(first).saturating_add(1);
    in_bounds(count).map_err(|count| BadValues::Count { text: text.to_owned(), count })?;
    Ok((first..=last).map(|value| value.to_string()).collect())
}

fn spaced(text: &str, ends: [&str; 2], count: &str) -> Result<Vec<String>, BadValues> {
    let [first, last] = [end(text, ends[0])?, end(text, ends[1])?];
    let count: u32 = number(text, count, "a count such as 4")?;
    if last <= first {
        return Err(BadValues::Falls { text: text.to_owned() });
    }
    in_bounds(count.into()).map_err(|count| BadValues::Count { text: text.to_owned(), count })?;
    let at = |step: u32| {
        (first * f64::from(count - 1 - step) + last * f64::from(step)) / f64::from(count - 1)
    };
    let decimals: Vec<String> = (0..count).map(|step| decimal(at(step))).collect();
    let integers = ends.iter().all(|end| !end.contains(['.', 'e', 'E']));
    let whole: Option<Vec<String>> =
        decimals.iter().map(|value| value.strip_suffix(".0").map(str::to_owned)).collect();
    Ok(whole.filter(|_| integers).unwrap_or(decimals))
}

fn end(text: &str, part: &str) -> Result<f64, BadValues> {
    const WANTED: &str = "a number from -1000000 to 1000000";
    let value: f64 = number(text, part, WANTED)?;
    let small = value.is_finite() && value.abs() <= END_MAX;
    if small { Ok(value) } else { Err(not(text, part, WANTED)) }
}

fn number<T: std::str::FromStr>(
    text: &str,
    part: &str,
    wanted: &'static str,
) -> Result<T, BadValues> {
    part.trim().parse().map_err(|_| not(text, part, wanted))
}

fn not(text: &str, part: &str, wanted: &'static str) -> BadValues {
    BadValues::Part { text: text.to_owned(), part: part.trim().to_owned(), wanted }
}

/// Short, but always with a decimal point: TOML distinguishes 2.0 from 2.
fn decimal(value: f64) -> String {
    let text = format!("{value:.DECIMALS$}");
    let short = text.trim_end_matches('0');
    let whole = if short.ends_with('.') { "0" } else { "" };
    let short = format!("{short}{whole}");
    if short == "-0.0" { "0.0".to_owned() } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_spans_and_spaced_values_are_read() {
        for (text, expected) in [
            ("1,2,3", "1 2 3"),
            (" a , mixed ", "a mixed"),
            ("../x.toml,../y.toml", "../x.toml ../y.toml"),
            ("1..5", "1 2 3 4 5"),
            ("-1 .. 1", "-1 0 1"),
            ("0.5..2.0/4", "0.5 1.0 1.5 2.0"),
            ("0..1/4", "0.0 0.333333333 0.666666667 1.0"),
            ("1..9/3", "1 5 9"),
            ("1.0..9/3", "1.0 5.0 9.0"),
            ("-0.1..0.1/3", "-0.1 0.0 0.1"),
            ("0.1..0.7/7", "0.1 0.2 0.3 0.4 0.5 0.6 0.7"),
        ] {
            assert_eq!(values(text).unwrap().join(" "), expected, "{text}");
        }
        let lists = values("[4, 3, 2, 1],[3, 2, 1, 1]").unwrap();
        assert_eq!(lists, ["[4, 3, 2, 1]", "[3, 2, 1, 1]"]);
        assert_eq!(values("1..64").unwrap().len(), VALUES_MAX);
    }

    #[test]
    fn faults_say_what_would_be_right() {
        for (text, part) in [
            ("", "value 1 of `` is empty"),
            ("7", "has 1 value;"),
            ("1,,2", "value 2"),
            ("1,2,1", "the value 1 twice"),
            ("1..65", "has 65 values"),
            ("5..1", "does not rise"),
            ("1..1", "does not rise"),
            ("0.5..2", "`0.5` in `0.5..2` is not a whole number"),
            ("..", "a whole number"),
            ("a..b/3", "`a` in"),
            ("0..nan/3", "`nan`"),
            ("0..inf/3", "`inf`"),
            ("0..1e300/3", "`1e300`"),
            ("0..1/1", "has 1 value;"),
            ("0..1/4000000000", "has 4000000000 values"),
            ("0..1/ä", "`ä`"),
            ("0..0.0000000001/3", "twice"),
            ("-9223372036854775808..9223372036854775807", "18446744073709551615 values"),
        ] {
            let error = values(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(values(&",".repeat(1000)).is_err());
        assert!(values(&"[".repeat(100_000)).is_err());
    }
}
