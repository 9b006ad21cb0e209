//! Estimates as a person reads them: rounded, with a unit, with an interval where it says anything.

use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;
use crate::stats::jackknife::{Estimate, Method};

/// The interval of an estimate, if there is one that says anything.
pub fn interval(estimate: &Estimate, unit: Unit) -> Option<(f64, f64)> {
    let ends = estimate.interval.filter(|&ends| unit.means_something(ends));
    ends.map(|(lo, hi)| unit.possible(lo, hi))
}

/// The estimate without its interval: `25.3 %`.
pub fn value(estimate: &Estimate, unit: Unit) -> String {
    if estimate.value.is_nan() {
        return "–".to_owned();
    }
    let decimals = unit.decimals(estimate);
    fixed(estimate.value * unit.scale(), decimals) + unit.suffix()
}

/// The interval in parentheses, or why none is shown: ` (24.1 to 26.6)`, ` (too few seen)`.
pub fn ends(estimate: &Estimate, unit: Unit) -> String {
    let decimals = unit.decimals(estimate);
    if let Some((lo, hi)) = interval(estimate, unit) {
        let [lo, hi] = [lo, hi].map(|end| fixed(end * unit.scale(), decimals));
        return format!(" ({lo} to {hi})");
    }
    let never_varied = estimate.se == Some(0.0);
    let why = match (estimate.interval, estimate.method) {
        (Some(_), _) => " (wide open)",
        (None, Method::TooFew) if never_varied => " (never varied)",
        (None, Method::TooFew) => " (too few seen)",
        (None, Method::Fixed) => " (by design)",
        (None, Method::NoMaximum) => " (no maximum)",
        (None, _) => "",
    };
    why.to_owned()
}

/// An estimate with its interval: `25.3 % (24.1 to 26.6)`; a dash where nothing was seen.
pub fn with_interval(estimate: Option<&Estimate>, unit: Unit) -> String {
    estimate.map_or("–".to_owned(), |estimate| value(estimate, unit) + &ends(estimate, unit))
}

/// The estimate of a row with its interval.
pub fn cell(row: Option<&Row>, unit: Unit) -> String {
    with_interval(row.and_then(|row| row.estimate.as_ref()), unit)
}

/// A number with a number of decimals; zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = !text.contains(|c: char| c.is_ascii_digit() && c != '0');
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A margin in percentage points, without idle zeros: `1`, `0.5`.
pub fn margin(share: f64) -> String {
    let text = fixed(share * 100.0, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A margin in percentage points and in matches: `1 pp (1 match in 100)`.
pub fn in_a_hundred(share: f64) -> String {
    let points = margin(share);
    let matches = if points == "1" { "match" } else { "matches" };
    format!("{points} pp ({points} {matches} in 100)")
}

/// A count with its thousands separated: `20,000`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count as the command line reads it, rounded up to two significant digits: `80k`, `1.5m`.
pub fn short_count(count: u64) -> String {
    let mut unit = 1_u64;
    while count / unit >= 100 {
        unit *= 10;
    }
    let count = count.div_ceil(unit).saturating_mul(unit);
    match count {
        1_000_000.. => format!("{}m", count as f64 / 1e6),
        1_000.. => format!("{}k", count as f64 / 1e3),
        _ => count.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, interval: Option<(f64, f64)>, method: Method) -> Estimate {
        Estimate { value, se: None, interval, method }
    }

    #[test]
    fn an_interval_that_leaves_everything_possible_is_not_shown() {
        let shown = |value, ends, unit| {
            with_interval(Some(&estimate(value, Some(ends), Method::JackknifeT)), unit)
        };
        assert_eq!(shown(0.253, (0.241, 0.266), Unit::Share), "25.3 % (24.1 to 26.6)");
        assert_eq!(shown(0.5, (0.02, 0.98), Unit::Share), "50.0 % (wide open)");
        assert_eq!(shown(0.095, (0.01, 0.18), Unit::Difference), "9.5 pp (1.0 to 18.0)");
        assert_eq!(shown(0.0012, (-0.001, 0.0034), Unit::Difference), "0.12 pp (-0.10 to 0.34)");
        assert_eq!(shown(0.1, (-0.6, 0.8), Unit::Difference), "10.0 pp (wide open)");
        // Wide, but it says which of two is larger.
        assert_eq!(shown(0.76, (0.098, 0.947), Unit::Difference), "76.0 pp (9.8 to 94.7)");
        assert_eq!(shown(17.0, (-3.0, 37.0), Unit::Mean), "17.00 (wide open)");
        assert_eq!(shown(17.0, (16.5, 17.5), Unit::Mean), "17.00 (16.50 to 17.50)");
        assert_eq!(shown(-0.0004, (-0.2, 0.2), Unit::Difference), "0.0 pp (-20.0 to 20.0)");
    }

    #[test]
    fn an_interval_that_is_missing_says_why() {
        let shown = |method| with_interval(Some(&estimate(0.25, None, method)), Unit::Share);
        assert_eq!(shown(Method::TooFew), "25.0 % (too few seen)");
        assert_eq!(shown(Method::Fixed), "25.0 % (by design)");
        let same = Estimate { se: Some(0.0), ..estimate(0.25, None, Method::TooFew) };
        assert_eq!(with_interval(Some(&same), Unit::Share), "25.0 % (never varied)");
        assert_eq!(shown(Method::None), "25.0 %");
        assert_eq!(with_interval(None, Unit::Share), "–");
    }

    #[test]
    fn counts_are_grouped_or_short() {
        let shown = [0, 999, 1000, 20_000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "20,000", "1,234,567"]);
        let shown = [1, 99, 101, 1000, 80_000, 1_234_567, 25_000_000].map(short_count);
        assert_eq!(shown, ["1", "99", "110", "1k", "80k", "1.3m", "25m"]);
    }
}
