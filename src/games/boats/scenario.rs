//! A scenario: the map of a match, what is set aside for unexplored hexes, and who holds Isa and Louis.
//!
//! Two ship with the program; users write their own as TOML, which `scenario_file` checks line by line. (BOAT-1)

use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::parts::hexmap::{EXTENDED, HexMap, STANDARD};
use crate::parts::map_text::Frame;
use crate::parts::places::{Edge, EdgeSet, Hex, HexSet, VertexSet};

/// The scenarios that ship with the program, by name.
pub const SHIPPED: [(&str, &str); 2] = [
    ("shores", include_str!("scenarios/shores.toml")),
    ("fog", include_str!("scenarios/fog.toml")),
];

/// Their names.
pub const NAMES: &[&str] = &[SHIPPED[0].0, SHIPPED[1].0];

static WIDE: HexMap = HexMap::new(&[4, 5, 6, 5, 4]);
static LARGE: HexMap = HexMap::new(&[5, 6, 7, 6, 5]);

/// The frames that a map can have, by the lengths of their rows.
pub const FRAMES: [Frame; 4] = [
    (&[3, 4, 5, 4, 3], &STANDARD),
    (&[3, 4, 5, 6, 5, 4, 3], &EXTENDED),
    (&[4, 5, 6, 5, 4], &WIDE),
    (&[5, 6, 7, 6, 5], &LARGE),
];

/// Kinds of hexes that can be drawn: the five resources, then these.
pub const KINDS: usize = Resource::COUNT + 2;
/// The kind that yields nothing.
pub const DESERT: usize = Resource::COUNT;
/// The kind that is no land.
pub const SEA: usize = Resource::COUNT + 1;

/// Sums of two dice: 2 to 12.
pub const SUMS: usize = 11;

/// Terrain and tokens that are not on the map yet. They are drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SetAside {
    /// Hexes by kind.
    pub terrain: [u8; KINDS],
    /// Tokens by sum, from 2.
    pub tokens: [u8; SUMS],
}

/// What a scenario says of a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// Sea.
    Sea,
    /// It is uncovered during the match.
    Unexplored,
    /// Land whose terrain and token are drawn at the start.
    Land,
    /// Land with a terrain, nothing for desert, and a token, 0 for none.
    Fixed(Option<Resource>, u8),
}

/// A scenario that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// How the places are connected.
    pub map: &'static HexMap,
    /// By hex.
    pub spots: Vec<Spot>,
    /// What is drawn for hexes of [`Spot::Land`] at the start.
    pub land: SetAside,
    /// What is drawn for unexplored hexes when they are uncovered.
    pub unexplored: SetAside,
    /// Edges with a harbour, and its kind: its resource at 2:1, or 3:1 for any.
    pub harbours: Vec<(Edge, Option<Resource>)>,
    /// Vertices where players may found, if there is room for all.
    pub founding: VertexSet,
    /// Vertices where they may found if there is not: all known land.
    pub anywhere: VertexSet,
    /// Edges on which no boat may lie. (BOAT-10)
    pub rivers: EdgeSet,
    /// Who starts with Isa. (BOAT-42)
    pub isa: Option<Seat>,
    /// Who starts with Louis. (BOAT-42)
    pub louis: Option<Seat>,
}

impl Scenario {
    /// Hexes of which something holds.
    pub fn hexes(&self, holds: impl Fn(Spot) -> bool) -> HexSet {
        let hexes = self.map.all_hexes().iter();
        hexes.filter(|hex| holds(self.spots[hex.idx()])).collect()
    }

    /// Hexes that are sea from the start.
    pub fn sea(&self) -> HexSet {
        self.hexes(|spot| spot == Spot::Sea)
    }

    /// Hexes that are unexplored at the start.
    pub fn fog(&self) -> HexSet {
        self.hexes(|spot| spot == Spot::Unexplored)
    }

    /// How many islands the map shows: land all around which is known. (BOAT-3, BOAT-50)
    pub fn islands(&self) -> usize {
        let fog = self.fog();
        let is_known = |piece: &HexSet| {
            let mut beside = piece.iter().flat_map(|hex| self.map.beside[hex.idx()]).flatten();
            !beside.any(|hex| fog.contains(hex))
        };
        pieces(self.map, self.map.all_hexes() - self.sea() - fog).filter(is_known).count()
    }

    /// The most players that can play.
    pub fn room(&self) -> u8 {
        room(self.founding).max(room(self.anywhere))
    }

    /// Where a number of players may found.
    pub fn founding_for(&self, players: u8) -> VertexSet {
        if players <= room(self.founding) { self.founding } else { self.anywhere }
    }
}

/// The most players that surely find a place to found, wherever the others have founded: each settlement takes its own
/// vertex and three at most beside it.
pub fn room(founding: VertexSet) -> u8 {
    (founding.len() + 3) / 8
}

/// The vertices of some hexes.
pub fn corners(map: &HexMap, hexes: HexSet) -> VertexSet {
    hexes.iter().fold(VertexSet::NONE, |all, hex| all | map.corner_sets[hex.idx()])
}

/// The edges of some hexes.
pub fn rings(map: &HexMap, hexes: HexSet) -> EdgeSet {
    hexes.iter().fold(EdgeSet::NONE, |all, hex| all | map.rings[hex.idx()])
}

/// The hexes that are connected with one of some hexes through others of them, itself included.
pub fn connected(map: &HexMap, from: Hex, among: HexSet) -> HexSet {
    let (mut found, mut edge) = (HexSet::NONE, HexSet::one(from) & among);
    while let Some(hex) = edge.pop() {
        found |= HexSet::one(hex);
        edge |= (map.touching[hex.idx()] & among) - found;
    }
    found
}

/// The pieces that some hexes fall into.
pub fn pieces(map: &HexMap, hexes: HexSet) -> impl Iterator<Item = HexSet> {
    let mut left = hexes;
    std::iter::from_fn(move || {
        let first = left.iter().next()?;
        let piece = connected(map, first, hexes);
        left -= piece;
        Some(piece)
    })
}
