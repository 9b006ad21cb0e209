//! Reads a scenario from TOML. Whatever the text, the answer is a scenario or the line that is wrong.

use crate::core::resources::Resource;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::games::boats::scenario::{
    BYTES_MAX, BadScenario, DESERT, FRAMES, KINDS, SEA, SHIPPED, SUMS, Scenario, SetAside, Spot,
    connected, corners, room, side, sides,
};
use crate::parts::hexmap::HexMap;
use crate::parts::places::{Edge, EdgeSet, Hex, HexSet, VertexSet};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// The most harbours.
const HARBOURS_MAX: usize = 11;

/// Sides of a hex, clockwise.
const SIDES: [&str; 6] = ["NE", "E", "SE", "SW", "W", "NW"];

/// The words of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "about")]
    _about: Option<String>,
    map: Spanned<String>,
    land: Option<Spanned<Contents>>,
    unexplored: Option<Spanned<Contents>>,
    #[serde(default)]
    harbours: BTreeMap<Spanned<String>, Spanned<String>>,
    starts: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    rivers: Vec<Spanned<String>>,
    isa: Option<Spanned<u8>>,
    louis: Option<Spanned<u8>>,
}

/// Terrain and tokens that are drawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    terrain: Terrain,
    #[serde(default)]
    tokens: Vec<Spanned<u8>>,
}

/// Hexes by kind.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Terrain {
    brick: u8,
    #[serde(alias = "wood")]
    lumber: u8,
    wool: u8,
    #[serde(alias = "wheat")]
    grain: u8,
    ore: u8,
    desert: u8,
    sea: u8,
}

impl Terrain {
    fn counts(self) -> [u8; KINDS] {
        let Terrain { brick, lumber, wool, grain, ore, desert, sea } = self;
        [brick, lumber, wool, grain, ore, desert, sea]
    }
}

/// A text, and where its lines begin.
#[derive(Debug, Clone, Copy)]
struct Source<'a>(&'a str);

impl Source<'_> {
    /// The line of a byte, from 1.
    fn line(self, byte: usize) -> usize {
        let before = &self.0.as_bytes()[..byte.min(self.0.len())];
        1 + before.split(|&byte| byte == b'\n').skip(1).count()
    }

    fn fault(self, span: Range<usize>, reason: impl Into<String>) -> BadScenario {
        BadScenario { line: self.line(span.start), reason: reason.into() }
    }
}

/// The scenario of a name, or else of a text.
///
/// # Errors
/// The first line of the text that is wrong.
pub fn scenario(name_or_text: &str) -> Result<Scenario, BadScenario> {
    let shipped = SHIPPED.iter().find(|(name, _)| *name == name_or_text);
    read(shipped.map_or(name_or_text, |(_, text)| text))
}

/// The scenario of a text.
///
/// # Errors
/// The first line that is wrong.
fn read(text: &str) -> Result<Scenario, BadScenario> {
    let source = Source(text);
    if text.len() > BYTES_MAX {
        return Err(source.fault(0..0, format!("a scenario has at most {BYTES_MAX} bytes")));
    }
    let file: File = toml::from_str(text).map_err(|error| {
        let message = error.message().replace('\n', "; ");
        source.fault(error.span().unwrap_or(0..0), message)
    })?;
    let (map, spots) = hexes(source, &file.map)?;
    let mut scenario = Scenario {
        map,
        spots,
        land: SetAside::default(),
        unexplored: SetAside::default(),
        harbours: Vec::new(),
        founding: VertexSet::NONE,
        anywhere: VertexSet::NONE,
        rivers: EdgeSet::NONE,
        isa: holder(source, file.isa.as_ref())?,
        louis: holder(source, file.louis.as_ref())?,
    };
    let drawn = scenario.hexes(|spot| spot == Spot::Land).len();
    scenario.land = set_aside(source, "land", file.land.as_ref(), drawn, &file.map)?;
    if scenario.land.terrain[SEA] > 0 {
        let span = file.land.as_ref().map_or(0..0, Spanned::span);
        return Err(source.fault(span, "the hexes called `land` can't be sea"));
    }
    let hidden = scenario.fog().len();
    let unexplored = file.unexplored.as_ref();
    scenario.unexplored = set_aside(source, "unexplored", unexplored, hidden, &file.map)?;
    scenario.founding = founding(source, &scenario, &file)?;
    let land = map.all_hexes() - scenario.sea() - scenario.fog();
    scenario.anywhere = corners(map, land) - corners(map, scenario.fog());
    for river in &file.rivers {
        scenario.rivers |= EdgeSet::one(edge(source, map, river)?);
    }
    scenario.harbours = harbours(source, &scenario, &file.harbours)?;
    Ok(scenario)
}

/// The frame of a map, and its hexes.
fn hexes(
    source: Source<'_>,
    text: &Spanned<String>,
) -> Result<(&'static HexMap, Vec<Spot>), BadScenario> {
    let first = source.line(text.span().start);
    // The line break behind the opening quotes is no part of the text.
    let opened = source.0.get(text.span()).is_some_and(|raw| {
        raw.starts_with("\"\"\"\n") || raw.starts_with("'''\n") || raw.starts_with("\"\"\"\r\n")
    });
    let mut lengths = Vec::new();
    let mut spots = Vec::new();
    for (at, row) in text.get_ref().lines().enumerate() {
        let line = first + at + usize::from(opened);
        let words: Vec<&str> = row.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        for word in &words {
            let spot = spot(word).map_err(|reason| BadScenario { line, reason })?;
            spots.push(spot);
        }
        lengths.push(words.len());
    }
    let frame = FRAMES
        .iter()
        .find(|(rows, _)| rows.iter().copied().map(usize::from).eq(lengths.iter().copied()));
    let Some((_, map)) = frame else {
        let known: Vec<String> = FRAMES.iter().map(|(rows, _)| dashed(rows)).collect();
        let has = if lengths.len() > 12 { "too many".to_owned() } else { dashed(&lengths) };
        let reason =
            format!("the rows of the map have {has} hexes; they can have {}", known.join(" or "));
        return Err(source.fault(text.span(), reason));
    };
    Ok((map, spots))
}

fn dashed<T: ToString>(lengths: &[T]) -> String {
    lengths.iter().map(T::to_string).collect::<Vec<_>>().join("-")
}

/// What a word says of a hex.
fn spot(word: &str) -> Result<Spot, String> {
    match word {
        "sea" => return Ok(Spot::Sea),
        "?" => return Ok(Spot::Unexplored),
        "land" => return Ok(Spot::Land),
        "desert" => return Ok(Spot::Fixed(None, 0)),
        _ => {}
    }
    let read = || {
        let (kind, token) = word.split_once(':')?;
        Some(Spot::Fixed(
            Some(resource(kind)?),
            token.parse().ok().filter(|&token| is_token(token))?,
        ))
    };
    read().ok_or_else(|| {
        let word = short(word);
        format!("`{word}` is no hex: write sea, ?, land, desert, or a resource and a token such as ore:8")
    })
}

/// As much of a word as an error shows.
fn short(word: &str) -> String {
    if word.chars().count() <= 40 {
        word.to_owned()
    } else {
        word.chars().take(40).chain(['…']).collect()
    }
}

fn resource(word: &str) -> Option<Resource> {
    let word = match word {
        "wood" => "lumber",
        "wheat" => "grain",
        other => other,
    };
    Resource::ALL.into_iter().find(|kind| kind.name() == word)
}

const fn is_token(token: u8) -> bool {
    matches!(token, 2..=6 | 8..=12)
}

/// What is drawn for a number of hexes.
fn set_aside(
    source: Source<'_>,
    name: &str,
    contents: Option<&Spanned<Contents>>,
    hexes: u8,
    map: &Spanned<String>,
) -> Result<SetAside, BadScenario> {
    let Some(contents) = contents else {
        if hexes == 0 {
            return Ok(SetAside::default());
        }
        let reason = format!("{hexes} hexes have no terrain yet: add a table [{name}]");
        return Err(source.fault(map.span(), reason));
    };
    let Contents { terrain, tokens } = contents.get_ref();
    let counts = terrain.counts();
    let all: usize = counts.into_iter().map(usize::from).sum();
    if all != usize::from(hexes) {
        let reason = format!("[{name}] has terrain for {all} hexes; the map has {hexes}");
        return Err(source.fault(contents.span(), reason));
    }
    let yielding = hexes - counts[DESERT] - counts[SEA];
    if tokens.len() != usize::from(yielding) {
        let reason = format!(
            "[{name}] has {} tokens for {yielding} hexes that yield something",
            tokens.len()
        );
        return Err(source.fault(contents.span(), reason));
    }
    let mut aside = SetAside { terrain: counts, tokens: [0; SUMS] };
    for token in tokens {
        let number = *token.get_ref();
        if !is_token(number) {
            return Err(
                source.fault(token.span(), format!("{number} is no token: 2 to 12, but not 7"))
            );
        }
        aside.tokens[usize::from(number) - 2] += 1;
    }
    Ok(aside)
}

fn holder(source: Source<'_>, seat: Option<&Spanned<u8>>) -> Result<Option<Seat>, BadScenario> {
    let Some(seat) = seat else { return Ok(None) };
    let number = *seat.get_ref();
    let found = number.checked_sub(1).filter(|&at| usize::from(at) < SEATS_MAX).map(Seat::new);
    match found {
        Some(found) => Ok(Some(found)),
        None => Err(source.fault(seat.span(), format!("{number} is no seat: 1 to {SEATS_MAX}"))),
    }
}

/// The hex that `r3c2` names: the second of the third row.
fn hex(
    source: Source<'_>,
    map: &HexMap,
    name: &str,
    span: Range<usize>,
) -> Result<Hex, BadScenario> {
    let lengths =
        FRAMES.iter().find(|(_, of)| std::ptr::eq(*of, map)).map_or(&[][..], |(rows, _)| rows);
    let find = || {
        let (row, column) = name.strip_prefix('r')?.split_once('c')?;
        let [row, column]: [usize; 2] = [row.parse().ok()?, column.parse().ok()?];
        let length = *lengths.get(row.checked_sub(1)?)?;
        let column = u8::try_from(column.checked_sub(1)?).ok().filter(|&at| at < length)?;
        Some(Hex::new(lengths[..row - 1].iter().sum::<u8>() + column))
    };
    find().ok_or_else(|| {
        let reason =
            format!("`{}` is no hex of this map: the second of the third row is r3c2", short(name));
        source.fault(span, reason)
    })
}

/// The edge that `r3c2 NE` names.
fn edge(source: Source<'_>, map: &HexMap, name: &Spanned<String>) -> Result<Edge, BadScenario> {
    let mut words = name.get_ref().split_whitespace();
    let at = hex(source, map, words.next().unwrap_or_default(), name.span())?;
    let towards = words.next().and_then(|word| SIDES.iter().position(|side| *side == word));
    if let (Some(towards), None) = (towards, words.next()) {
        return Ok(side(map, at, towards));
    }
    let reason = format!("name a hex and one of its sides {}, such as `r3c2 NE`", SIDES.join(", "));
    Err(source.fault(name.span(), reason))
}

/// Vertices where players may found: on the islands that are named, or on all land; none at an unexplored hex.
fn founding(
    source: Source<'_>,
    scenario: &Scenario,
    file: &File,
) -> Result<VertexSet, BadScenario> {
    let map = scenario.map;
    let (sea, fog) = (scenario.sea(), scenario.fog());
    let land = map.all_hexes() - sea - fog;
    let mut home = land;
    let mut line = file.map.span();
    if let Some(starts) = &file.starts {
        home = HexSet::NONE;
        for start in starts {
            let hex = hex(source, map, start.get_ref(), start.span())?;
            if !land.contains(hex) {
                return Err(source.fault(start.span(), format!("`{}` is no land", start.get_ref())));
            }
            home |= connected(map, hex, land);
            line = start.span();
        }
    }
    let founding = corners(map, home) - corners(map, fog);
    if room(founding) < 2 {
        let reason = format!("players may found on {} intersections; two need 13", founding.len());
        return Err(source.fault(line, reason));
    }
    Ok(founding)
}

/// The harbours: on the coast, none beside another.
fn harbours(
    source: Source<'_>,
    scenario: &Scenario,
    entries: &BTreeMap<Spanned<String>, Spanned<String>>,
) -> Result<Vec<(Edge, Option<Resource>)>, BadScenario> {
    let map = scenario.map;
    let land = map.all_hexes() - scenario.sea() - scenario.fog();
    let mut harbours: Vec<(Edge, Option<Resource>)> = Vec::new();
    let mut used = VertexSet::NONE;
    let mut in_order: Vec<_> = entries.iter().collect();
    in_order.sort_by_key(|(place, _)| place.span().start);
    for (place, kind) in in_order {
        let edge = edge(source, map, place)?;
        let beside = sides(map, edge);
        let coast = (beside & land).len() == 1 && beside.is_disjoint(scenario.fog());
        if !coast {
            return Err(source.fault(place.span(), "a harbour lies between land and sea"));
        }
        let ends: VertexSet = map.ends[edge.idx()].into_iter().collect();
        if !ends.is_disjoint(used) {
            return Err(
                source.fault(place.span(), "another harbour has one of these intersections")
            );
        }
        used |= ends;
        let word = kind.get_ref().as_str();
        let kind = match resource(word) {
            None if word != "any" => {
                let reason = format!("`{}` is no harbour: a resource, or any", short(word));
                return Err(source.fault(kind.span(), reason));
            }
            found => found,
        };
        if harbours.len() == HARBOURS_MAX {
            let reason = format!("a map has at most {HARBOURS_MAX} harbours");
            return Err(source.fault(place.span(), reason));
        }
        harbours.push((edge, kind));
    }
    Ok(harbours)
}
