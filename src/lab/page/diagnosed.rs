//! Pictures of what stands out: seats at each strength of play, how much skill pays, and where winners have their points.

use crate::lab::page::shown::{Drawn, point, words};
use crate::lab::pictures::points::{Point, Points};
use crate::lab::pictures::svg::Picture;
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;

/// The pictures of these tables.
pub fn pictures(drawn: &Drawn<'_>) -> Vec<Picture> {
    let all = [strengths(drawn), ways(drawn), leads(drawn)];
    all.into_iter().flatten().collect()
}

/// Shares as points, with a value to compare them with.
fn shares(
    points: Vec<Point>,
    (name, title): (&str, &str),
    (even, meaning): (Option<f64>, &str),
) -> Option<Picture> {
    let key = match even {
        Some(_) => format!("lines: 95 % intervals; dashed: {meaning}"),
        None => "lines: 95 % intervals".to_owned(),
    };
    let words = words(name, title, "");
    Points { words, points, unit: Unit::Share, even, band: None, key, bars: false }.drawn()
}

fn strengths(drawn: &Drawn<'_>) -> Option<Picture> {
    let label = |row: &Row| {
        let level = row.keys[0].rsplit('/').next().unwrap_or_default();
        format!("seat {}, {level}", row.keys[1])
    };
    let rows = drawn.rows("strengths", "win_rate");
    let points = rows.filter_map(|row| point(label(row), row, Unit::Share)).collect();
    let even = (Some(drawn.even_share()), "an even share");
    shares(points, ("strengths", "Win rate by seat, at each level of play"), even)
}

fn ways(drawn: &Drawn<'_>) -> Option<Picture> {
    let rows = drawn.rows("ways", "winner_share");
    let label = |row: &Row| row.keys[0].replace('_', " ");
    let points = rows.filter_map(|row| point(label(row), row, Unit::Share)).collect();
    shares(points, ("ways", "Where winners have their points from"), (None, ""))
}

fn leads(drawn: &Drawn<'_>) -> Option<Picture> {
    let label = |row: &Row| format!("after {} of the turns", row.keys[0].replace('_', " "));
    let rows = drawn.rows("leads", "leader_wins");
    let points = rows.filter_map(|row| point(label(row), row, Unit::Share)).collect();
    let even = (Some(drawn.even_share()), "an even share");
    shares(points, ("leads", "Matches that the leader of a moment wins"), even)
}
