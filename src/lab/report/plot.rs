//! Small plots of a run's tables in letters, for a wide terminal: estimates with intervals on a common axis, and the
//! histogram of lengths. They say nothing that the tables don't.

use crate::lab::report::figures::{self, fixed};
use crate::lab::report::metric::Unit;
use crate::lab::report::table::{Row, Table};
use std::fmt::Write as _;

/// Columns of an axis.
const CELLS: usize = 56;

/// The most lines of a plot.
const LINES_MAX: usize = 24;

/// Blocks by eighths of their width.
const EIGHTHS: [&str; 9] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/// The plots of what a command has found: of `simulate` the win rates by seat and the lengths, of `sweep` the win
/// rate by value. Empty for other commands, and where there is nothing to be seen.
pub fn plots(command: &str, tables: &[Table]) -> String {
    let rows = |name: &str| {
        let table = tables.iter().find(|table| table.name == name);
        table.map_or(&[][..], |table| &table.rows)
    };
    match command {
        "simulate" => {
            let seats = rows("seats").iter().filter(|row| row.metric == "win_rate");
            let seats: Vec<(String, &Row)> =
                seats.map(|row| (format!("seat {}", row.keys.join(" ")), row)).collect();
            intervals("Win rate (95 %)", &seats) + &histogram(rows("length"))
        }
        "sweep" => {
            let rates = rows("variants").iter().filter(|row| row.metric == "win_rate");
            // The first role comes first; if one agent plays all seats, the first seat does.
            let first = rates.clone().map(|row| row.keys[2].as_str()).next().unwrap_or_default();
            let values: Vec<(String, &Row)> = rates
                .filter(|row| row.keys[2] == first)
                .map(|row| (row.keys[1].clone(), row))
                .collect();
            intervals(&format!("Win rate of {first} (95 %)"), &values)
        }
        _ => String::new(),
    }
}

/// A line for each estimate: its label, its interval on an axis from the lowest end to the highest, its figures.
fn intervals(title: &str, lines: &[(String, &Row)]) -> String {
    let known: Vec<(&str, &Row, f64, (f64, f64))> = lines
        .iter()
        .filter_map(|(label, row)| {
            let estimate = row.estimate?;
            Some((label.as_str(), *row, estimate.value, estimate.interval?))
        })
        .take(LINES_MAX)
        .collect();
    let low = known.iter().map(|line| line.3.0).fold(f64::INFINITY, f64::min);
    let high = known.iter().map(|line| line.3.1).fold(f64::NEG_INFINITY, f64::max);
    if known.len() < 2 || high <= low {
        return String::new();
    }
    let place = |value: f64| whole((value - low) / (high - low) * (CELLS - 1) as f64);
    let wide = known.iter().map(|line| line.0.chars().count()).max().unwrap_or(0);
    let mut text = format!("\n{title}\n");
    for (label, row, value, (lo, hi)) in known {
        let (from, to, at) = (place(lo), place(hi), place(value));
        let axis: String = (0..CELLS)
            .map(|cell| match cell {
                cell if cell == at => '●',
                cell if cell == from => '├',
                cell if cell == to => '┤',
                cell if from < cell && cell < to => '─',
                _ => ' ',
            })
            .collect();
        let figures = figures::cell(Some(row), Unit::Share);
        let _ = writeln!(text, " {label:wide$}  {axis}  {figures}");
    }
    text
}

/// The shares of matches by their turns, in bins that fit.
fn histogram(length: &[Row]) -> String {
    let shares = length.iter().filter(|row| row.metric == "share" && row.keys[0] == "turns");
    let shares: Vec<(usize, f64)> =
        shares.filter_map(|row| Some((row.keys[1].parse().ok()?, row.estimate?.value))).collect();
    let (Some(first), Some(last)) = (shares.first(), shares.last()) else { return String::new() };
    let step = (last.0 - first.0) / LINES_MAX + 1;
    let mut bins = vec![0.0; (last.0 - first.0) / step + 1];
    for (turns, share) in &shares {
        bins[(turns - first.0) / step] += share;
    }
    let most = bins.iter().copied().fold(0.0, f64::max);
    let mut text = "\nTurns of single players in a match, share of matches\n".to_owned();
    for (bin, share) in bins.iter().enumerate() {
        let from = first.0 + bin * step;
        let label =
            if step == 1 { from.to_string() } else { format!("{from}–{}", from + step - 1) };
        let bar = bar(share / most);
        let _ = writeln!(text, " {label:>9}  {bar:CELLS$}  {:>5} %", fixed(share * 100.0, 1));
    }
    text
}

/// A bar that is so large a part of the axis.
fn bar(part: f64) -> String {
    let eighths = whole(part * (8 * CELLS) as f64);
    EIGHTHS[8].repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// The next whole number of what is not negative.
fn whole(value: f64) -> usize {
    fixed(value, 0).parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::jackknife::{Estimate, Method};

    fn row(keys: &[&str], metric: &'static str, value: f64, interval: Option<(f64, f64)>) -> Row {
        let estimate = Estimate { value, se: None, interval, method: Method::JackknifeT };
        let keys = keys.iter().map(|&key| key.to_owned()).collect();
        Row::new(keys, metric, Some(estimate), 9, 9)
    }

    #[test]
    fn bars_are_drawn_in_eighths() {
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(1.0).chars().count(), CELLS);
        assert_eq!(bar(1.5 / CELLS as f64), "█▌");
    }

    #[test]
    fn intervals_span_the_axis_from_the_lowest_end_to_the_highest() {
        let rows = [
            row(&["1"], "win_rate", 0.2, Some((0.1, 0.3))),
            row(&["2"], "win_rate", 0.5, Some((0.4, 0.6))),
        ];
        let lines: Vec<(String, &Row)> =
            rows.iter().map(|row| (row.keys[0].clone(), row)).collect();
        let text = intervals("Title", &lines);
        let drawn: Vec<&str> = text.lines().skip(2).collect();
        assert!(drawn[0].starts_with(" 1  ├──────────●──────────┤ "), "{text}");
        assert!(drawn[1].contains("├──────────●──────────┤  50.0 % (40.0 to 60.0)"), "{text}");
        assert_eq!(intervals("Title", &lines[..1]), "", "one estimate needs no plot");
    }

    #[test]
    fn a_histogram_adds_up_what_shares_a_line() {
        let rows: Vec<Row> = (10..60)
            .map(|turns: u32| row(&["turns", &turns.to_string()], "share", 0.02, None))
            .collect();
        let text = histogram(&rows);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(lines.len(), 17);
        assert!(lines[0].contains("10–12") && lines[0].contains("6.0 %"), "{text}");
        assert!(lines[16].contains("58–60") && lines[16].contains("4.0 %"), "{text}");
        assert_eq!(histogram(&[]), "");
    }
}
