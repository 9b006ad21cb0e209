//! Pictures of searches: levels and their curve, parameters and weights that were found, and how the search went.

use crate::lab::page::shown::{Drawn, place, point, words};
use crate::lab::pictures::curve::{Curve, Curves, Even};
use crate::lab::pictures::points::{Point, Points};
use crate::lab::pictures::svg::{Mark, Picture};
use crate::lab::questions::searches::solve_answer::{ABOVE, BELOW, TUNED_AGAIN};
use crate::lab::report::format::percentage_points;
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;

/// The most parameters whose way is drawn: each has a range of its own, and so a picture.
const PARAMETERS_MAX: usize = 6;

/// The pictures of these tables.
pub fn pictures(drawn: &Drawn<'_>) -> Vec<Picture> {
    let mut all: Vec<Picture> = Vec::new();
    all.extend(levels(drawn));
    all.extend(range(drawn));
    all.extend(better(drawn));
    all.extend(spreads(drawn));
    all.extend(surprise(drawn));
    all.extend(learning(drawn));
    all.extend(ways(drawn));
    all
}

/// A picture of points and their intervals.
fn points(
    (name, title, key): (&str, &str, &str),
    points: Vec<Point>,
    unit: Unit,
    even: Option<f64>,
) -> Option<Picture> {
    let words = words(name, title, "");
    let drawn = Points { words, points, unit, even, band: None, key: key.to_owned(), bars: false };
    drawn.drawn()
}

/// Rates that were asked for, and what the levels found for them win.
fn levels(drawn: &Drawn<'_>) -> Option<Picture> {
    let rows = drawn.rows("levels", "win_rate");
    let all = rows.filter_map(|row| {
        let asked = format!("asked for {} %: {}", row.keys[0], row.keys[1]);
        let found = point(asked, row, Unit::Share)?;
        Some(Point { target: rate(row), ..found })
    });
    let within = drawn
        .setting("tolerance")
        .map_or(String::new(), |within| format!(", ±{}", percentage_points(within)));
    let key = format!("strokes: the rates asked for{within}; lines: 95 % intervals, fresh deals");
    points(("levels", "Win rate of each level", &key), all.collect(), Unit::Share, None)
}

/// The rate that a level was asked for, as a share.
fn rate(row: &Row) -> Option<f64> {
    row.keys[0]
        .parse::<f64>()
        .ok()
        .map(|rate| rate / 100.0)
        .filter(|rate| (0.0..=1.0).contains(rate))
}

/// The strength over the range of a parameter.
fn range(drawn: &Drawn<'_>) -> Option<Picture> {
    let mut curves: Vec<Curve> = Vec::new();
    let mut of = String::new();
    for row in drawn.rows("curve", "win_rate") {
        let found = row.keys[2].parse().ok().and_then(|x| place(x, row, Unit::Share));
        let Some(point) = found else { continue };
        let name = format!("{}, {}", row.keys[0], row.keys[1]);
        of.clone_from(&row.keys[1]);
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve { name, points: vec![point] }),
        }
    }
    for curve in &mut curves {
        curve.points.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    let rates: Vec<f64> = drawn.rows("levels", "win_rate").filter_map(rate).collect();
    let curves = Curves {
        words: words("curve", "Win rate over the parameter's range", ""),
        curves,
        unit: Unit::Share,
        along: Unit::Number(3),
        names: Vec::new(),
        of,
        even: Even::Values(rates),
        key: "band: 95 % intervals, on common deals; dashed: the rates asked for".to_owned(),
    };
    (!curves.curves.is_empty()).then(|| curves.draw())
}

/// Whether what was found is better than the start.
fn better(drawn: &Drawn<'_>) -> Option<Picture> {
    let rows = drawn.rows("tuned", "win_difference").chain(drawn.rows("learned", "win_difference"));
    let all = rows.filter_map(|row| point(row.keys[0].clone(), row, Unit::Difference));
    let words = (
        "better",
        "Share of matches won minus that of the start",
        "lines: 95 % intervals, on fresh deals; dashed: no difference",
    );
    points(words, all.collect(), Unit::Difference, Some(0.0))
}

/// How far options are apart under each change that was certified.
fn spreads(drawn: &Drawn<'_>) -> Option<Picture> {
    let rows: Vec<&Row> = drawn.rows("finalists", "spread").collect();
    let changes: Vec<&str> = rows.iter().map(|row| row.keys[0].as_str()).collect();
    let common = common_table(&changes);
    let all = rows.iter().filter_map(|row| {
        let change = shortened(&row.keys[0], common);
        let tuned = if row.keys[1].ends_with(TUNED_AGAIN) { "; tuned again" } else { "" };
        let found = point(format!("{change}{tuned}"), row, Unit::Difference)?;
        let mark = match row.own(1) {
            BELOW => Mark::Dot,
            ABOVE => Mark::Diamond,
            _ => Mark::Ring,
        };
        Some(Point { mark: found.mark.map(|_| mark), ..found })
    });
    let title = match common {
        "" => "Best option minus worst, by change of the rules".to_owned(),
        common => format!("Best option minus worst, by change of {}", common.trim_end_matches('.')),
    };
    let key = "dot: below the target (dashed), diamond: not, ring: undecided";
    let words = ("spreads", title.as_str(), key);
    points(words, all.collect(), Unit::Difference, drawn.setting("target"))
}

/// The table of the rule set that all fields of these changes are in, with its point; empty if they have none in common.
fn common_table<'a>(changes: &[&'a str]) -> &'a str {
    let mut fields =
        changes.iter().flat_map(|change| change.split(' ')).filter(|field| field.contains('='));
    let Some(table) = fields.next().and_then(|field| field.split_inclusive('.').next()) else {
        return "";
    };
    let shared = table.ends_with('.') && fields.all(|field| field.starts_with(table));
    if shared { table } else { "" }
}

/// As many fields of a change as a label has room for, without the table that they are all in.
fn shortened(change: &str, table: &str) -> String {
    const ROOM: usize = 32;
    let fields: Vec<&str> =
        change.split(' ').map(|field| field.strip_prefix(table).unwrap_or(field)).collect();
    let fits =
        (1..=fields.len()).rev().find(|&n| fields[..n].join(", ").len() <= ROOM).unwrap_or(1);
    match fields.len() - fits {
        0 if change.contains('=') => fields.join(", "),
        0 => change.to_owned(),
        more => format!("{}, and {more} more", fields[..fits].join(", ")),
    }
}

/// How surprised judgements are at winners.
fn surprise(drawn: &Drawn<'_>) -> Option<Picture> {
    let rows = drawn.rows("examined", "surprise");
    let all = rows.filter_map(|row| point(row.keys[0].clone(), row, Unit::Number(4)));
    let key = "in nats, less is better; lines: 95 % intervals";
    points(("surprise", "Surprise at the winner", key), all.collect(), Unit::Number(4), None)
}

/// How a course of learning went.
fn learning(drawn: &Drawn<'_>) -> Option<Picture> {
    let of = |row: &Row| place(row.keys[0].parse().ok()?, row, Unit::Number(4));
    let all = drawn.rows("learning", "surprise").filter_map(of).collect();
    let name = "surprise".to_owned();
    one(
        Curve { name, points: all },
        ("learning", "Surprise at the winner while learning"),
        "tenth of the matches",
    )
}

/// Where the search stood after each iteration, by parameter.
fn ways(drawn: &Drawn<'_>) -> Vec<Picture> {
    let mut curves: Vec<Curve> = Vec::new();
    for row in drawn.rows("tune", "value").filter(|row| !row.keys[1].is_empty()) {
        let (Ok(x), Some(estimate)) = (row.keys[0].parse::<f64>(), row.estimate) else { continue };
        let point = (x, estimate.value, None);
        match curves.iter_mut().find(|curve| curve.name == row.keys[1]) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve { name: row.keys[1].clone(), points: vec![point] }),
        }
    }
    let draw = |(number, curve): (usize, Curve)| {
        let title = format!("Where the search stood: {}", curve.name);
        one(curve, (&format!("way-{}", number + 1), &title), "iteration")
    };
    curves.into_iter().take(PARAMETERS_MAX).enumerate().filter_map(draw).collect()
}

/// One curve along whole numbers.
fn one(curve: Curve, (name, title): (&str, &str), of: &str) -> Option<Picture> {
    let curves = Curves {
        words: words(name, title, ""),
        curves: vec![curve],
        unit: Unit::Number(3),
        along: Unit::Number(0),
        names: Vec::new(),
        of: of.to_owned(),
        even: Even::None,
        key: String::new(),
    };
    (curves.curves[0].points.len() > 1).then(|| curves.draw())
}
