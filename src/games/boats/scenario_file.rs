//! Reads a scenario from TOML. Whatever the text, the answer is a scenario or the line that is wrong.

use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::games::boats::game::Boats;
use crate::games::boats::scenario::{
    DESERT, FRAMES, KINDS, SEA, SHIPPED, SUMS, Scenario, SetAside, Spot, connected, corners, room,
};
use crate::parts::island::facts::MapWords;
use crate::parts::map_text::{BadMap, Frame, Source, is_token, land, short, sides};
use crate::parts::places::{Edge, EdgeSet, HexSet, VertexSet};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Spanned, Table};

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

/// The scenario of a name, or else of a text.
///
/// # Errors
/// The first line of the text that is wrong.
pub fn scenario(name_or_text: &str) -> Result<Scenario, BadMap> {
    let shipped = SHIPPED.iter().find(|(name, _)| *name == name_or_text);
    read(shipped.map_or(name_or_text, |(_, text)| text))
}

impl Boats {
    /// How the scenario is written once all that is dealt at the start lies there.
    pub(super) fn map_words(&self) -> MapWords {
        let is_frame = |(_, map): &&Frame| std::ptr::eq(*map, self.scenario.map);
        let frame = *FRAMES.iter().find(is_frame).expect("it was read by one of these");
        let named = &self.rules.scenario;
        let shipped = SHIPPED.iter().find(|(name, _)| name == named);
        let text = shipped.map_or(named.as_str(), |(_, text)| text);
        let mut words: Table = toml::from_str(text).unwrap_or_default();
        words.remove("land");
        MapWords { frame, words }
    }
}

/// The scenario of a text.
///
/// # Errors
/// The first line that is wrong.
fn read(text: &str) -> Result<Scenario, BadMap> {
    let source = Source(text);
    let file: File = source.words("a scenario")?;
    let (frame, spots) = source.hexes(&file.map, &FRAMES, spot)?;
    let map = frame.1;
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
    scenario.founding = founding(source, (&scenario, frame), &file)?;
    let land = map.all_hexes() - scenario.sea() - scenario.fog();
    scenario.anywhere = corners(map, land) - corners(map, scenario.fog());
    for river in &file.rivers {
        scenario.rivers |= EdgeSet::one(source.edge(frame, river)?);
    }
    let fog = scenario.fog();
    let is_coast = |edge: Edge| {
        let beside = sides(map, edge);
        (beside & land).len() == 1 && beside.is_disjoint(fog)
    };
    scenario.harbours = source.harbours(frame, &file.harbours, is_coast)?;
    Ok(scenario)
}

/// What a word says of a hex.
fn spot(word: &str) -> Result<Spot, String> {
    match word {
        "sea" => return Ok(Spot::Sea),
        "?" => return Ok(Spot::Unexplored),
        "land" => return Ok(Spot::Land),
        _ => {}
    }
    let read = land(word).map(|(kind, token)| Spot::Fixed(kind, token));
    read.ok_or_else(|| {
        let word = short(word);
        format!("`{word}` is no hex: write sea, ?, land, desert, or a resource and a token such as ore:8")
    })
}

/// What is drawn for a number of hexes.
fn set_aside(
    source: Source<'_>,
    name: &str,
    contents: Option<&Spanned<Contents>>,
    hexes: u8,
    map: &Spanned<String>,
) -> Result<SetAside, BadMap> {
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

fn holder(source: Source<'_>, seat: Option<&Spanned<u8>>) -> Result<Option<Seat>, BadMap> {
    let Some(seat) = seat else { return Ok(None) };
    let number = *seat.get_ref();
    let found = number.checked_sub(1).filter(|&at| usize::from(at) < SEATS_MAX).map(Seat::new);
    match found {
        Some(found) => Ok(Some(found)),
        None => Err(source.fault(seat.span(), format!("{number} is no seat: 1 to {SEATS_MAX}"))),
    }
}

/// Vertices where players may found: on the islands that are named, or on all land; none at an unexplored hex.
fn founding(
    source: Source<'_>,
    (scenario, frame): (&Scenario, Frame),
    file: &File,
) -> Result<VertexSet, BadMap> {
    let map = scenario.map;
    let (sea, fog) = (scenario.sea(), scenario.fog());
    let land = map.all_hexes() - sea - fog;
    let mut home = land;
    let mut line = file.map.span();
    if let Some(starts) = &file.starts {
        home = HexSet::NONE;
        for start in starts {
            let hex = source.hex(frame, start.get_ref(), start.span())?;
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
