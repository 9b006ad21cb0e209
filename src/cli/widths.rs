//! Widths of intervals at which runs stop, as people write them.

use crate::words::numbers;

/// Reads `ci=20elo`, the half-width of an interval of a rating.
///
/// # Errors
/// If it is none.
pub fn elo_width(text: &str) -> Result<f64, String> {
    let width = text.strip_prefix("ci=").and_then(|width| width.strip_suffix("elo"));
    let width = width
        .and_then(|width| width.parse::<f64>().ok())
        .ok_or("write ci=20elo, half the width of an interval")?;
    let sound = width > 0.0 && width.is_finite();
    if sound { Ok(width) } else { Err("no interval is ever that narrow".to_owned()) }
}

/// Reads `ci=0.2pp`, the half-width of an interval.
///
/// # Errors
/// If it is none.
pub fn width(text: &str) -> Result<f64, String> {
    let width = text.strip_prefix("ci=").ok_or("write ci=0.2pp, half the width of an interval")?;
    match numbers::share(width) {
        Ok(width) if width > 0.0 => Ok(width),
        Ok(_) => Err("no interval is ever that narrow".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
