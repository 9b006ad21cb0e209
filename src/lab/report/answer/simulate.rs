//! `simulate`: what seats are worth if one agent plays them all; otherwise how the agents do.

use crate::lab::report::answer::{Answer, Sentence, Tone, header, next, table};
use crate::lab::report::figures::{self, Unit, cell};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::stats::jackknife::Estimate;

pub(super) fn answer(manifest: &Manifest, tables: &[Table]) -> Answer {
    let alone = manifest.agents.len() == 1;
    let (first, grid) = if alone { seats(tables) } else { agents(manifest, tables) };
    let open = first.tone == Tone::Open;
    let mut sentences = vec![first];
    sentences.extend(length(tables));
    let next = if open { next::longer(manifest) } else { None };
    let next = next.map(|command| format!("Narrower intervals:\n  {command}"));
    Answer { sentences, grid, next: next.into_iter().collect() }
}

/// The rows of a metric.
fn rows<'a>(tables: &'a [Table], name: &str, metric: &str) -> Vec<&'a Row> {
    let rows = table(tables, name).map_or(&[][..], |table| &table.rows);
    rows.iter().filter(|row| row.metric == metric).collect()
}

fn seats(tables: &[Table]) -> (Sentence, Grid) {
    let advantages = rows(tables, "seats", "advantage");
    let known: Vec<(&str, Estimate)> =
        advantages.iter().filter_map(|row| Some((row.keys[0].as_str(), row.estimate?))).collect();
    let all = table(tables, "seats");
    let cells = |row: &&Row| {
        let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
        let find = |metric| all.and_then(|table| table.find(&keys, metric));
        vec![
            row.keys[0].clone(),
            cell(Some(row), Unit::Share),
            cell(find("advantage"), Unit::Difference),
            cell(find("points_mean"), Unit::Mean),
        ]
    };
    let grid = Grid {
        title: "Seats".to_owned(),
        header: header(&["seat", "win rate (95 %)", "against an even share", "points"]),
        rows: rows(tables, "seats", "win_rate").iter().map(cells).collect(),
    };
    (seats_sentence(&known), grid)
}

/// The seats that surely win more or less than an even share; the largest of each sign.
fn seats_sentence(seats: &[(&str, Estimate)]) -> Sentence {
    const UNIT: Unit = Unit::Difference;
    let ends = |estimate: &Estimate| figures::interval(estimate, UNIT);
    let by_size =
        |a: &&(&str, Estimate), b: &&(&str, Estimate)| a.1.value.abs().total_cmp(&b.1.value.abs());
    let more = seats.iter().filter(|seat| ends(&seat.1).is_some_and(|(lo, _)| lo > 0.0));
    let less = seats.iter().filter(|seat| ends(&seat.1).is_some_and(|(_, hi)| hi < 0.0));
    let less: Vec<(&str, Estimate)> =
        less.map(|(seat, estimate)| (*seat, negative(estimate))).collect();
    let (more, less) = (more.max_by(by_size), less.iter().max_by(by_size));
    let words = |estimate: &Estimate, word: &str| {
        format!("{} {word}{}", figures::value(estimate, UNIT), figures::ends(estimate, UNIT))
    };
    let text = match (more, less) {
        (Some((seat, most)), Some((other, least))) => format!(
            "Seat {seat} wins {} than an even share, seat {other} {}.",
            words(most, "more"),
            words(least, "less")
        ),
        (Some((seat, most)), None) => {
            format!("Seat {seat} wins {} than an even share.", words(most, "more"))
        }
        (None, Some((seat, least))) => {
            format!("Seat {seat} wins {} than an even share.", words(least, "less"))
        }
        (None, None) => return open_sentence(seats.iter().max_by(by_size)),
    };
    Sentence::new(Tone::Yes, text)
}

fn open_sentence(largest: Option<&(&str, Estimate)>) -> Sentence {
    let largest = largest.map_or(String::new(), |(seat, estimate)| {
        let estimate = figures::with_interval(Some(estimate), Unit::Difference);
        format!(": the largest difference is that of seat {seat}, {estimate}")
    });
    let text = format!("No seat is shown to win more or less than an even share{largest}.");
    Sentence::new(Tone::Open, text)
}

/// The estimate of the opposite.
pub(super) fn negative(estimate: &Estimate) -> Estimate {
    let interval = estimate.interval.map(|(lo, hi)| (-hi, -lo));
    Estimate { value: -estimate.value, interval, ..*estimate }
}

fn agents(manifest: &Manifest, tables: &[Table]) -> (Sentence, Grid) {
    let mut rates = rows(tables, "agents", "win_rate");
    let value = |row: &Row| row.estimate.map_or(f64::NEG_INFINITY, |estimate| estimate.value);
    rates.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let all = table(tables, "agents");
    let cells = |row: &&Row| {
        let find = |metric| all.and_then(|table| table.find(&[row.keys[0].as_str()], metric));
        vec![row.keys[0].clone(), cell(Some(row), Unit::Share), cell(find("rank_mean"), Unit::Mean)]
    };
    let grid = Grid {
        title: "Agents".to_owned(),
        header: header(&["agent", "win rate of its seats (95 %)", "mean rank"]),
        rows: rates.iter().map(cells).collect(),
    };
    let even = figures::fixed(100.0 / f64::from(manifest.players), 1);
    (agents_sentence(&rates, &even), grid)
}

/// Who wins most, and who comes next.
fn agents_sentence(rates: &[&Row], even: &str) -> Sentence {
    let ends = |row: &Row| figures::interval(&row.estimate?, Unit::Share);
    let [first, second, ..] = rates else {
        return Sentence::new(Tone::Open, "No match was played.");
    };
    let apart = ends(first).zip(ends(second)).is_some_and(|((lo, _), (_, hi))| lo > hi);
    let [a, b] = [first, second].map(|row| cell(Some(row), Unit::Share));
    let (a_name, b_name) = (&first.keys[0], &second.keys[0]);
    if apart {
        let text = format!(
            "{a_name} wins most: {a} of its seats, against {b} for {b_name}; an even share is {even} %."
        );
        return Sentence::new(Tone::Yes, text);
    }
    let text = format!(
        "Undecided who wins most: {a_name} {a}, {b_name} {b} of their seats; an even share is {even} %."
    );
    Sentence::new(Tone::Open, text)
}

/// How long a match is, if the table says so.
fn length(tables: &[Table]) -> Option<Sentence> {
    let find = |metric| {
        let row = table(tables, "length")?.find(&["turns", ""], metric)?;
        row.estimate.map(|estimate| figures::fixed(estimate.value, 0))
    };
    let mean = table(tables, "length")?.find(&["turns", ""], "mean");
    let text = format!(
        "A match takes {} turns on average; nine of ten take {} to {}.",
        cell(mean.filter(|row| row.estimate.is_some()), Unit::Mean),
        find("quantile_5")?,
        find("quantile_95")?
    );
    Some(Sentence::new(Tone::Plain, text))
}
