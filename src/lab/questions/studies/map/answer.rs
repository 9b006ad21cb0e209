//! What `map judge` says at its end.

use crate::lab::questions::studies::map::places::{
    ENDS, HARBOUR, HEXES, PAIRS, PIPS, PLACES, RANK, RANKS,
};
use crate::lab::questions::studies::map::tables::{HARBOURS, SEATS, SPREAD};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::study::Study;
use crate::lab::report::answer::{Answer, ROWS_MAX, Sentence, Tone, header, table};
use crate::lab::report::figures::{cell, with_interval};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::Unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::stats::jackknife::Estimate;

/// The answer.
pub fn answer(study: &dyn Study, manifest: &Manifest, tables: &[Table]) -> Answer {
    let sentences = [seats(tables), places(tables), spread(tables), harbours(tables)];
    let grid = Grid {
        title: "Places".to_owned(),
        header: header(&["rank", "place", "hexes", "harbour", "pips", "worth (joint 95 %)"]),
        rows: rows(tables, PLACES.name, "worth").take(ROWS_MAX).map(line).collect(),
    };
    let pairs = pairs(study, manifest, tables);
    let best = rows(tables, PLACES.name, "worth").next();
    let is_settled = best.is_some_and(|row| row.own(RANKS[1]) == "1");
    let longer = if is_settled { None } else { next::longer(study, manifest) };
    let longer = longer.map(|command| format!("Narrower intervals:\n  {command}"));
    let next = pairs.into_iter().chain(longer).collect();
    Answer { sentences: sentences.into_iter().flatten().collect(), grid, next }
}

/// The command that judges pairs of the best place, if this run has pairs of others only.
fn pairs(study: &dyn Study, manifest: &Manifest, tables: &[Table]) -> Option<String> {
    let best = &rows(tables, PLACES.name, "worth").next()?.keys[0];
    let mut pairs = rows(tables, PAIRS.name, "worth").peekable();
    let are_others = pairs.peek().is_some() && pairs.all(|row| row.keys[0] != *best);
    let command = if are_others { next::with(study, manifest, "--first", best) } else { None }?;
    Some(format!("Pairs of the best place:\n  {command}"))
}

fn rows<'t>(
    tables: &'t [Table],
    name: &str,
    metric: &'static str,
) -> impl Iterator<Item = &'t Row> + use<'t> {
    let rows = table(tables, name).map_or(&[][..], |table| &table.rows);
    rows.iter().filter(move |row| row.metric == metric)
}

fn line(row: &Row) -> Vec<String> {
    let rank = format!("{} ({} to {})", row.own(RANK), row.own(RANKS[0]), row.own(RANKS[1]));
    let rank = if row.own(RANKS[0]).is_empty() { row.own(RANK).to_owned() } else { rank };
    let place = row.keys[0].clone();
    let cells = [HEXES, HARBOUR, PIPS].map(|at| row.own(at).to_owned());
    let mut line = vec![rank, place];
    line.extend(cells);
    line.push(worth(row));
    line
}

/// The worth of a place with its joint interval.
fn worth(row: &Row) -> String {
    with_ends(row, ENDS)
}

/// A difference with the interval in two of its further columns.
fn with_ends(row: &Row, ends: [usize; 2]) -> String {
    let ends = ends.map(|at| row.own(at).parse::<f64>().ok());
    let shown = row.estimate.map(|found| Estimate { interval: ends[0].zip(ends[1]), ..found });
    with_interval(shown.as_ref(), Unit::Difference)
}

/// Whether a joint interval, in two further columns, leaves out 0.
fn is_clear(row: &Row, ends: [usize; 2]) -> bool {
    let [lo, hi] = ends.map(|at| row.own(at).parse::<f64>().ok());
    lo.is_some_and(|lo| lo > 0.0) || hi.is_some_and(|hi| hi < 0.0)
}

fn largest<'t>(rows: &[&'t Row], of: impl Fn(f64) -> f64) -> Option<&'t Row> {
    let value = |row: &&Row| row.estimate.map_or(f64::NEG_INFINITY, |found| of(found.value));
    rows.iter().copied().max_by(|a, b| value(a).total_cmp(&value(b)))
}

/// Which seat wins too often or too seldom.
fn seats(tables: &[Table]) -> Option<Sentence> {
    let all: Vec<&Row> = rows(tables, SEATS.name, "advantage").collect();
    let family = all.len();
    let first = largest(&all, f64::abs)?;
    let shown = with_ends(first, [0, 1]);
    let seat = &first.keys[0];
    let sentence = if is_clear(first, [0, 1]) {
        let more = first.estimate.is_some_and(|found| found.value > 0.0);
        let word = if more { "too often" } else { "too seldom" };
        let text = format!(
            "Seat {seat} wins {word} on this map: {shown} from an even share, the farthest of {family} seats."
        );
        Sentence::new(Tone::No, text)
    } else {
        let text = format!(
            "No seat is shown to win more or less than an even share; the farthest is seat {seat}: {shown}."
        );
        Sentence::new(Tone::Open, text)
    };
    Some(sentence)
}

/// The best place.
fn places(tables: &[Table]) -> Option<Sentence> {
    let rows: Vec<&Row> = rows(tables, PLACES.name, "worth").collect();
    let first = rows.first()?;
    let place = format!("{} ({})", first.keys[0], first.own(HEXES));
    let above = first.own(ENDS[0]).parse::<f64>().is_ok_and(|lo| lo > 0.0);
    let text = if above {
        let ranks = match first.own(RANKS[1]) {
            "1" => "the best".to_owned(),
            last => format!("one of the first {last}"),
        };
        format!(
            "The best place seen for the first founder is {place}: {} above the mean place; by its interval it is {ranks}.",
            worth(first)
        )
    } else {
        format!(
            "No place is shown to be better than the mean; the best seen is {place}: {}.",
            worth(first)
        )
    };
    Some(Sentence::new(if above { Tone::Yes } else { Tone::Open }, text))
}

/// How much the places decide.
fn spread(tables: &[Table]) -> Option<Sentence> {
    let find = |of: &str, metric| table(tables, SPREAD.name)?.find(&[of], metric);
    let places = find("places", "spread").filter(|row| row.estimate.is_some())?;
    let pips = find("places", "pips_share").and_then(|row| row.estimate);
    let pips = pips.map_or(String::new(), |_| {
        let shown = cell(find("places", "pips_share"), Unit::Share);
        format!("; pips explain {shown} of their variance")
    });
    let text = format!(
        "The win rates of places have a standard deviation of {}{pips}. Those of seats have one of {}.",
        cell(Some(places), Unit::Difference),
        cell(find("seats", "spread"), Unit::Difference)
    );
    Some(Sentence::new(Tone::Plain, text))
}

/// The best harbour.
fn harbours(tables: &[Table]) -> Option<Sentence> {
    let all: Vec<&Row> = rows(tables, HARBOURS.name, "worth").collect();
    let best = largest(&all, |value| value)?;
    let shown = with_ends(best, [0, 1]);
    let name = format!("{} ({})", best.keys[1], best.keys[0]);
    let is_clear = is_clear(best, [0, 1]);
    let text = if is_clear {
        format!("The harbour that is worth the most to whoever founds there is {name}: {shown}.")
    } else {
        format!(
            "No harbour is shown to be worth anything to whoever founds there; the most seen is {name}: {shown}."
        )
    };
    Some(Sentence::new(if is_clear { Tone::Plain } else { Tone::Open }, text))
}
