//! Numbers as files and messages have them: short, without a sign of zero.

/// A number with six decimals, without idle zeros; an empty cell where there is none.
pub fn number(value: Option<f64>) -> String {
    let Some(value) = value.filter(|value| !value.is_nan()) else { return String::new() };
    let text = format!("{value:.6}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// A share as percentage points, as short as it can be.
pub fn percentage_points(share: f64) -> String {
    let text = format!("{:.3}", share * 100.0);
    let short = text.trim_end_matches('0').trim_end_matches('.');
    format!("{} pp", if short == "-0" { "0" } else { short })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(Some(0.5)), "0.5");
        assert_eq!(number(Some(-0.000_000_1)), "0");
        assert_eq!(number(Some(12.0)), "12");
    }
}
