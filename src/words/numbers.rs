//! Numbers as people write them: `20,000`, `1.5k`, `1e6`, `1pp`. One reader for every flag.

use std::ops::RangeInclusive;

/// Text that isn't the number it should be: what is wrong with it and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadNumber {
    /// Not a whole number at all.
    #[error("`{0}` is not a whole number; write 2000, 20,000, 1.5k, 3m or 1e6")]
    Whole(String),
    /// A whole number out of its range.
    #[error("`{text}` is not in {low} to {high}")]
    Range {
        /// What was given.
        text: String,
        /// The least.
        low: String,
        /// The most.
        high: String,
    },
    /// Not a seed.
    #[error(
        "`{0}` is not a seed: seeds are the whole numbers from 0 to 2^64-1, 18446744073709551615"
    )]
    Seed(String),
    /// Not a share.
    #[error("`{0}` is not a share; write 1pp, 0.5% or 0.01")]
    Share(String),
    /// A share of 100 % or more, most likely meant in percentage points.
    #[error("`{text}` would be {percent} %; for percentage points write {text}pp")]
    Unit {
        /// What was given.
        text: String,
        /// What it would mean, in per cent.
        percent: String,
    },
    /// A share beyond 100 percentage points.
    #[error("`{0}` is out of range: a share lies above -100 % and below 100 %")]
    Beyond(String),
    /// Not a margin.
    #[error("`{0}` is no margin: they lie above 0pp and below 100pp")]
    Margin(String),
}

/// The most matches, blocks and so on.
const COUNT_MAX: u64 = 1_000_000_000_000;

/// A count of matches, blocks and so on: 1 to 10^12.
///
/// # Errors
/// If it is not a whole number, or out of range.
pub fn count(text: &str) -> Result<u64, BadNumber> {
    within(text, 1..=COUNT_MAX, "10^12")
}

/// The most threads.
pub const THREADS_MAX: usize = 1024;

/// A number of threads: 1 to [`THREADS_MAX`].
///
/// # Errors
/// If it is not a whole number, or out of range.
pub fn threads(text: &str) -> Result<usize, BadNumber> {
    let threads = within(text, 1..=THREADS_MAX as u64, &THREADS_MAX.to_string())?;
    Ok(usize::try_from(threads).expect("at most THREADS_MAX"))
}

/// A seed: any whole number below 2^64.
///
/// # Errors
/// If it is anything else.
pub fn seed(text: &str) -> Result<u64, BadNumber> {
    let seed = whole(text).ok_or_else(|| BadNumber::Seed(text.to_owned()))?;
    u64::try_from(seed).map_err(|_| BadNumber::Seed(text.to_owned()))
}

fn within(text: &str, range: RangeInclusive<u64>, most: &str) -> Result<u64, BadNumber> {
    let number = whole(text).ok_or_else(|| BadNumber::Whole(text.to_owned()))?;
    let number = u64::try_from(number).ok().filter(|number| range.contains(number));
    number.ok_or_else(|| BadNumber::Range {
        text: text.to_owned(),
        low: range.start().to_string(),
        high: most.to_owned(),
    })
}

/// A whole number: digits, perhaps in groups (`20_000`, or `20,000` in threes), perhaps with a decimal
/// fraction that `k`, `m` or an exponent makes whole (`1.5k`, `2.5e6`). Exact; too large is the largest.
fn whole(text: &str) -> Option<u128> {
    let lower = text.trim().to_ascii_lowercase();
    let (digits, scale) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
        (Some(rest), _) => (rest, 3),
        (_, Some(rest)) => (rest, 6),
        _ => (lower.as_str(), 0),
    };
    let (digits, exponent) = match digits.split_once('e') {
        Some((digits, exponent)) => (digits, exponent.parse::<u32>().ok()?),
        None => (digits, 0),
    };
    let (front, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let front = ungrouped(front)?;
    let is_number = !front.is_empty() && front.chars().chain(fraction.chars()).all(is_digit);
    let decimals = u32::try_from(fraction.len()).ok()?;
    let zeros = exponent.checked_add(scale)?.checked_sub(decimals)?;
    if !is_number {
        return None;
    }
    let number = (front + fraction).parse::<u128>().unwrap_or(u128::MAX);
    let power = 10_u128.checked_pow(zeros).unwrap_or(u128::MAX);
    Some(number.saturating_mul(power))
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// Digits without what groups them; commas are before each three digits or nowhere.
fn ungrouped(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    let in_threes = groups.clone().all(|group| group.len() == 3 && group.chars().all(is_digit));
    let grouped = groups.next().is_some();
    let fits = !grouped || in_threes && (1..=3).contains(&first.len());
    let underlined = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    (fits && !underlined).then(|| text.replace([',', '_'], ""))
}

/// A share or a difference of shares: `1pp`, `0.5%` or `0.01`, between -1 and 1.
///
/// # Errors
/// If it isn't one; `1` is asked to be written as `1pp`.
pub fn share(text: &str) -> Result<f64, BadNumber> {
    let trimmed = text.trim();
    let share = decimal(trimmed).ok_or_else(|| BadNumber::Share(text.to_owned()))?;
    let plain = trimmed.parse::<f64>().is_ok();
    if share.abs() < 1.0 {
        Ok(share)
    } else if plain && share.abs() < 100.0 {
        Err(BadNumber::Unit { text: trimmed.to_owned(), percent: (100.0 * share).to_string() })
    } else {
        Err(BadNumber::Beyond(text.to_owned()))
    }
}

/// A share that something may be away from another, to either side: above 0 and below 1.
///
/// # Errors
/// If it isn't one; `1` is asked to be written as `1pp`.
pub fn margin(text: &str) -> Result<f64, BadNumber> {
    match share(text) {
        Ok(share) if share > 0.0 => Ok(share),
        Ok(_) | Err(BadNumber::Beyond(_)) => Err(BadNumber::Margin(text.to_owned())),
        Err(other) => Err(other),
    }
}

/// A finite number, in hundredths if `pp` or `%` follows: `1pp`, `0.5 %`, `1e-3`.
pub fn decimal(text: &str) -> Option<f64> {
    let hundredths = text.strip_suffix("pp").or_else(|| text.strip_suffix('%'));
    let number: f64 = hundredths.unwrap_or(text).trim_end().parse().ok()?;
    let number = if hundredths.is_some() { number / 100.0 } else { number };
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_as_people_write_them() {
        for (text, number) in [
            ("2000", 2000),
            ("20,000", 20_000),
            ("1,234,567", 1_234_567),
            ("2_000", 2000),
            ("50k", 50_000),
            ("1.5k", 1500),
            ("1.50k", 1500),
            ("3M", 3_000_000),
            ("0.25m", 250_000),
            ("1e3", 1000),
            ("2.5E6", 2_500_000),
            ("1e3k", 1_000_000),
            ("7.0", 7),
            (" 12 ", 12),
            ("1e12", 1_000_000_000_000),
        ] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_count_is_refused() {
        for text in [
            "",
            "k",
            "many",
            "-1",
            "1.5",
            "1.2345k",
            "20,00",
            "2000,000",
            ",000",
            "1,,000",
            "1__0",
            "_1",
            "1_",
            "1e",
            "1e-3",
            "1e99999999999",
            ".5k",
            "0x10",
            "1 000",
            "ä",
            "+5",
            "1k5",
        ] {
            assert_eq!(count(text), Err(BadNumber::Whole(text.to_owned())), "{text}");
        }
        for text in ["0", "1e13", "9999999m", "99999999999999999999", "1e4000000000"] {
            assert!(matches!(count(text), Err(BadNumber::Range { .. })), "{text}");
        }
        assert_eq!(threads("0").unwrap_err().to_string(), "`0` is not in 1 to 1024");
        assert!(threads("1025").is_err() && threads("1k") == Ok(1000));
    }

    #[test]
    fn seeds_are_all_of_64_bits() {
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        assert_eq!((seed("0"), seed("1e3")), (Ok(0), Ok(1000)));
        for text in ["18446744073709551616", "-1", "lucky", "1e30"] {
            assert_eq!(seed(text), Err(BadNumber::Seed(text.to_owned())));
        }
    }

    #[test]
    fn decimals_may_be_in_hundredths() {
        for (text, number) in [
            ("2", 2.0),
            ("200pp", 2.0),
            ("50 %", 0.5),
            (".5", 0.5),
            ("-1e-2", -0.01),
            ("2e2%", 2.0),
        ] {
            assert_eq!(decimal(text), Some(number), "{text}");
        }
        for text in ["", "%", "1e", "1.2.3", "1e999", "1e999%", "nan", "inf", "1pp%", "1 2", "0,5"]
        {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn shares_read_in_three_ways_and_1_is_asked_for_its_unit() {
        for (text, value) in [
            ("1pp", 0.01),
            ("0.5%", 0.005),
            ("0.01", 0.01),
            ("-2 pp", -0.02),
            ("0", 0.0),
            ("99pp", 0.99),
        ] {
            assert_eq!(share(text), Ok(value), "{text}");
        }
        assert_eq!(
            share("1").unwrap_err().to_string(),
            "`1` would be 100 %; for percentage points write 1pp"
        );
        for text in ["", "pp", "one", "nan", "inf", "1pp5"] {
            assert_eq!(share(text), Err(BadNumber::Share(text.to_owned())), "{text}");
        }
        for text in ["100pp", "-100%", "500"] {
            assert_eq!(share(text), Err(BadNumber::Beyond(text.to_owned())), "{text}");
        }
    }
}
