//! Pictures of matches as they are: seats, agents, lengths, tension, cards.

use crate::lab::page::shown::{Drawn, place, point, words};
use crate::lab::pictures::curve::{Curve, Curves, Even};
use crate::lab::pictures::histogram::Histogram;
use crate::lab::pictures::points::{Point, Points};
use crate::lab::pictures::svg::Picture;
use crate::lab::report::lengths::QUANTILES;
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;

/// Turns that fewer matches reach say little.
const ALIVE_MIN: f64 = 0.05;

const EVEN: &str = "lines: 95 % intervals; dashed: an even share";

/// The pictures of these tables.
pub fn pictures(drawn: &Drawn<'_>, events: &[&str]) -> Vec<Picture> {
    let all = [seats(drawn), agents(drawn), length(drawn), tension(drawn), cards(drawn, events)];
    all.into_iter().flatten().collect()
}

/// Win rates that are compared with an even share.
fn shares(drawn: &Drawn<'_>, points: Vec<Point>, (name, title): (&str, &str)) -> Option<Picture> {
    let even = Some(drawn.even_share());
    let words = words(name, title, "");
    let key = EVEN.to_owned();
    let drawn = Points { words, points, unit: Unit::Share, even, band: None, key, bars: false };
    drawn.drawn()
}

fn seats(drawn: &Drawn<'_>) -> Option<Picture> {
    let alone = drawn.manifest.agents.len() == 1;
    let label = |row: &Row| match row.keys.get(1) {
        Some(agent) if !alone => format!("seat {}, {agent}", row.keys[0]),
        _ => format!("seat {}", row.keys[0]),
    };
    let rows = drawn.rows("seats", "win_rate").chain(drawn.rows("tournament_seats", "win_rate"));
    let points = rows.filter(|row| row.n > 0);
    let points = points.filter_map(|row| point(label(row), row, Unit::Share)).collect();
    shares(drawn, points, ("seats", "Win rate by seat"))
}

fn agents(drawn: &Drawn<'_>) -> Option<Picture> {
    let rows: Vec<&Row> = drawn.rows("agents", "win_rate").collect();
    let of = |row: &&Row| point(row.keys[0].clone(), row, Unit::Share);
    let points = if rows.len() > 1 { rows.iter().filter_map(of).collect() } else { Vec::new() };
    shares(drawn, points, ("agents", "Win rate by agent"))
}

fn length(drawn: &Drawn<'_>) -> Option<Picture> {
    let value = |row: &Row| row.estimate.map(|estimate| estimate.value);
    let turns = |row: &&Row| row.keys[0] == "turns";
    let share = |row: &Row| Some((row.keys[1].parse::<u32>().ok()?, value(row)?));
    let shares: Vec<(u32, f64)> =
        drawn.rows("length", "share").filter(turns).filter_map(share).collect();
    let marked = QUANTILES.iter().filter(|(_, percent)| [5, 50, 95].contains(percent));
    let marked = marked.filter_map(|&(metric, percent)| {
        let name = if percent == 50 { "median".to_owned() } else { format!("{percent} %:") };
        Some((name, value(drawn.rows("length", metric).find(turns)?)?))
    });
    let marked = marked.collect();
    let words = words("length", "Length of a match", "");
    let of = format!("turns of single players; {} are a round", drawn.manifest.players);
    let histogram = Histogram { words, shares, step: 1, marked, of };
    (!histogram.shares.is_empty()).then(|| histogram.draw())
}

fn tension(drawn: &Drawn<'_>) -> Option<Picture> {
    let alive = |row: &&Row| row.estimate.is_some_and(|estimate| estimate.value >= ALIVE_MIN);
    let reached: Vec<&str> = drawn
        .rows("tension", "alive_share")
        .filter(alive)
        .map(|row| row.keys[0].as_str())
        .collect();
    let points = drawn
        .rows("tension", "leader_wins")
        .filter(|row| reached.contains(&row.keys[0].as_str()))
        .filter_map(|row| place(row.keys[0].parse().ok()?, row, Unit::Share));
    let curve = Curve { name: "the leader wins".to_owned(), points: points.collect() };
    let about = "Of matches that reach a turn with one seat ahead. Turns that fewer than one in twenty reach \
                 are left out.";
    let curves = Curves {
        words: words("tension", "Chance that the leader wins", about),
        curves: vec![curve],
        unit: Unit::Share,
        along: Unit::Number(0),
        names: Vec::new(),
        of: format!("turn of a single player; {} are a round", drawn.manifest.players),
        even: Even::Value(drawn.even_share()),
        key: "band: 95 % intervals; dashed: an even share".to_owned(),
    };
    (curves.curves[0].points.len() > 1).then(|| curves.draw())
}

fn cards(drawn: &Drawn<'_>, events: &[&str]) -> Option<Picture> {
    let alone = drawn.manifest.agents.len() == 1;
    let label = |row: &Row| {
        let card = row.keys[1].replace('_', " ");
        if alone { card } else { format!("{card}, {}", row.keys[0]) }
    };
    let points: Vec<Point> = drawn
        .rows("cards", "lift_matched")
        .filter(|row| !events.contains(&row.keys[1].as_str()))
        .filter_map(|row| point(label(row), row, Unit::Difference))
        .collect();
    let about = "It describes who takes a card, and is not the card's effect: win rate of takers minus that of \
                 seats that stood alike and had not taken it by then.";
    let drawn = Points {
        words: words("cards", "Cards: matched lift (descriptive)", about),
        points,
        unit: Unit::Difference,
        even: Some(0.0),
        band: None,
        key: "lines: 95 % intervals; dashed: no difference".to_owned(),
        bars: false,
    };
    drawn.drawn()
}
