//! Maps from luck, under constraints.

use crate::core::measure::maps::MapFacts;
use crate::core::resources::Resource;
use crate::core::seed::BlockSeed;
use crate::sim::any_game::LoadedGame;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// How many maps are dealt at most until one fits.
const TRIES: u64 = 10_000;

/// What a map that is dealt must have.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Constraints {
    /// No 6 or 8 beside another.
    pub red_apart: bool,
    /// No number beside the same.
    pub same_apart: bool,
    /// The most pips around a place.
    pub place_pips: Option<u8>,
    /// The least and the most pips of a hex of each resource, on the average.
    pub kind_pips: Option<[f64; 2]>,
}

impl Constraints {
    /// Whether a map keeps them.
    pub fn fit(&self, map: &MapFacts) -> bool {
        let of = |place: u8| place <= self.place_pips.unwrap_or(u8::MAX);
        map.places.iter().all(|place| of(place.pips))
            && (!self.red_apart || apart(map, |one, other| is_red(one) && is_red(other)))
            && (!self.same_apart || apart(map, |one, other| one == other))
            && self
                .kind_pips
                .is_none_or(|[least, most]| means(map).all(|mean| (least..=most).contains(&mean)))
    }
}

const fn is_red(token: u8) -> bool {
    matches!(token, 6 | 8)
}

/// Whether no two hexes with such tokens touch.
fn apart(map: &MapFacts, clash: impl Fn(u8, u8) -> bool) -> bool {
    let tokens: Vec<(usize, u8)> = map.hexes.iter().map(|hex| hex.token).enumerate().collect();
    let with_token = || tokens.iter().filter(|(_, token)| *token > 0);
    with_token().all(|&(one, token)| {
        with_token()
            .filter(|(other, _)| *other > one)
            .all(|&(other, beside)| !clash(token, beside) || !map.touch(one, other))
    })
}

/// The mean pips of a hex of each resource that the map has.
fn means(map: &MapFacts) -> impl Iterator<Item = f64> {
    Resource::ALL.into_iter().filter_map(|kind| {
        let pips: Vec<u8> =
            map.hexes.iter().filter(|hex| hex.terrain == kind.name()).map(|hex| hex.pips).collect();
        let sum: f64 = pips.iter().copied().map(f64::from).sum();
        (!pips.is_empty()).then(|| sum / pips.len() as f64)
    })
}

/// The map of a number that a seed deals and that keeps to constraints.
///
/// # Errors
/// If the game has no map, or none was found that keeps to them.
pub fn dealt(
    game: &dyn LoadedGame,
    (seed, number): (u64, u64),
    constraints: &Constraints,
) -> Result<MapFacts> {
    let facts = game.game_type().facts();
    facts.map_field.with_context(|| format!("{} has no map", facts.name))?;
    for at in 0..TRIES {
        let seed = BlockSeed::new(seed, number.wrapping_mul(TRIES).wrapping_add(at));
        let map = game.map(seed).with_context(|| format!("{} has no map", facts.name))?;
        if constraints.fit(&map) {
            return Ok(map);
        }
    }
    ensure!(*constraints != Constraints::default(), "the map can't be dealt");
    anyhow::bail!("none of {TRIES} maps keeps to these constraints; loosen one")
}
