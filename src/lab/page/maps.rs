//! Pictures of maps: places by what they are worth, and their ranks by matches against those by pips.

use crate::core::measure::maps::{HexFacts, MapFacts};
use crate::lab::page::shown::{Drawn, point, words};
use crate::lab::pictures::map::{HarbourDrawn, HexDrawn, MapDrawn, PlaceDrawn};
use crate::lab::pictures::points::Points;
use crate::lab::pictures::ranks::{Ranked, Ranks};
use crate::lab::pictures::svg::Picture;
use crate::lab::questions::searches::map_make::CERTIFIED;
use crate::lab::questions::studies::map::places::{PIPS_RANK, PLACES, RANK, RANKS};
use crate::lab::questions::studies::map::tables::{HARBOURS, SEATS};
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;

/// A place with its rank, and how good it is from 0 to 4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The place.
    pub place: u8,
    /// Its rank.
    pub rank: String,
    /// How good it is.
    pub level: usize,
}

/// The picture of a map, with some of its places.
pub fn picture_of(map: &MapFacts, judged: &[Judged]) -> Picture {
    let hexes = map.hexes.iter().map(|hex| HexDrawn {
        at: hex.at,
        lines: [
            hex.terrain.to_owned(),
            if hex.token == 0 { String::new() } else { hex.token.to_string() },
        ],
        below: if hex.has_robber { "robber" } else { "" },
        is_land: !matches!(hex.terrain, "sea" | "?"),
    });
    let at = |place: u8| map.places.iter().find(|of| of.number == place).map(|of| of.at);
    let harbours = map.harbours.iter().filter_map(|harbour| {
        let [one, other] = harbour.places;
        let word =
            if harbour.kind == "any" { "3:1".to_owned() } else { format!("2 {}", harbour.kind) };
        Some(HarbourDrawn { ends: [at(one)?, at(other)?], land: harbour.land, word })
    });
    let places = judged.iter().filter_map(|of| {
        Some(PlaceDrawn { at: at(of.place)?, label: of.rank.clone(), level: of.level })
    });
    let (title, caption) = if judged.is_empty() {
        ("The map", "")
    } else {
        (
            "Places by what they are worth to the first founder",
            "Numbers are ranks by matches, 1 the best; blue places are worth more than the mean, orange ones less. Ranks \
             near each other may change places: the table has the ranks that intervals leave.",
        )
    };
    let mut words = words("map", title, caption);
    let said: Vec<String> = map.hexes.iter().map(HexFacts::word).collect();
    words.about = format!("A map of hexes, row by row: {}.", said.join(", "));
    MapDrawn {
        words,
        hexes: hexes.collect(),
        harbours: harbours.collect(),
        places: places.collect(),
    }
    .drawn()
}

/// The pictures of these tables, on a map.
pub fn pictures(drawn: &Drawn<'_>, map: impl FnOnce() -> Option<MapFacts>) -> Vec<Picture> {
    let rows: Vec<&Row> = drawn.rows(PLACES.name, "worth").collect();
    if rows.is_empty() {
        return certified(drawn).into_iter().collect();
    }
    let map = map().map(|map| picture_of(&map, &judged(&rows)));
    [map, ranks(&rows), seats(drawn), harbours(drawn)].into_iter().flatten().collect()
}

/// Places with their ranks, in five levels of worth.
fn judged(rows: &[&Row]) -> Vec<Judged> {
    let value = |row: &Row| row.estimate.map_or(0.0, |of| of.value);
    let most = rows.iter().map(|row| value(row).abs()).fold(0.0, f64::max);
    let level = |row: &Row| match value(row) / most {
        share if share > 0.6 => 4,
        share if share > 0.2 => 3,
        share if share < -0.6 => 0,
        share if share < -0.2 => 1,
        _ => 2,
    };
    let judged = |row: &&Row| {
        let place = row.keys[0].parse().ok()?;
        Some(Judged { place, rank: row.own(RANK).to_owned(), level: level(row) })
    };
    rows.iter().filter_map(judged).collect()
}

fn ranks(rows: &[&Row]) -> Option<Picture> {
    let number = |row: &Row, at: usize| row.own(at).parse::<f64>().ok();
    let mut rows = rows.to_vec();
    rows.sort_by(|a, b| {
        let by_pips = |row: &Row| number(row, PIPS_RANK).unwrap_or(f64::INFINITY);
        by_pips(a).total_cmp(&by_pips(b))
    });
    let thing = |(at, row): (usize, &&Row)| {
        let ends = number(row, RANKS[0]).zip(number(row, RANKS[1]));
        Some(Ranked { x: 1.0 + at as f64, y: number(row, RANK)?, ends })
    };
    let caption = "Each dot is a place, those of as many pips side by side; its line spans the ranks that intervals leave it, \
                   which hold for all places together. On the dashed line matches and pips agree; below it a place is worth less than its pips say.";
    let words = words("place-ranks", "Founding places: ranks by matches and by pips", caption);
    let things = rows.iter().enumerate().filter_map(thing).collect();
    Ranks { words, things, axes: ["rank by pips", "rank by matches"] }.drawn()
}

fn seats(drawn: &Drawn<'_>) -> Option<Picture> {
    let label = |row: &Row| format!("seat {}", row.keys[0]);
    let rows = drawn.rows(SEATS.name, "share");
    let points = rows.filter_map(|row| point(label(row), row, Unit::Share)).collect();
    let words = words("map-seats", "Share of matches won, by seat", "");
    let key = "lines: 95 % intervals; dashed: an even share".to_owned();
    let even = Some(drawn.even_share());
    Points { words, points, unit: Unit::Share, even, band: None, key, bars: false }.drawn()
}

fn certified(drawn: &Drawn<'_>) -> Option<Picture> {
    let label = |row: &Row| format!("map {}, seat {}", row.keys[0], row.keys[1]);
    let rows = drawn.rows(CERTIFIED.name, "advantage");
    let points = rows.filter_map(|row| point(label(row), row, Unit::Difference)).collect();
    let words = words("map-certified", "Shares of seats on fresh deals, minus an even one", "");
    let key = "lines: 95 % intervals; dashed: an even share; band: the margin".to_owned();
    let band = drawn.setting("fair").map(|fair| (-fair, fair));
    let (unit, even) = (Unit::Difference, Some(0.0));
    Points { words, points, unit, even, band, key, bars: false }.drawn()
}

fn harbours(drawn: &Drawn<'_>) -> Option<Picture> {
    let label = |row: &Row| format!("{} at {}", row.keys[1], row.keys[0]);
    let rows = drawn.rows(HARBOURS.name, "worth");
    let points = rows.filter_map(|row| point(label(row), row, Unit::Difference)).collect();
    let words = words("map-harbours", "What harbours are worth to whoever founds there", "");
    let key = "lines: 95 % intervals; dashed: nothing".to_owned();
    let even = Some(0.0);
    Points { words, points, unit: Unit::Difference, even, band: None, key, bars: false }.drawn()
}
