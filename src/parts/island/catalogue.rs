//! The places of an island and the words of its game, for programs that draw it or name its places.

use crate::core::resources::Resource;
use crate::parts::allowed::Named;
use crate::parts::hexmap::{DIRECTIONS, HexMap};
use crate::parts::island::Island;
use crate::parts::island::cards::Card;
use crate::parts::island::seen::{HARBOURS, TERRAIN};
use crate::parts::places::{Edge, EdgeSet, Hex, HexSet, Vertex};
use serde::Serialize;

/// Phases, as views and records name them.
const PHASES: [&str; 12] = [
    "found",
    "found_road",
    "roll",
    "main",
    "special",
    "paired",
    "discard",
    "robber",
    "free_road",
    "answer",
    "choose",
    "over",
];

/// Parts of a turn.
const STAGES: [&str; 5] = ["founding", "roll", "main", "special", "paired"];

/// From a hex to its neighbours, in the order of [`HexMap::beside`].
const STEPS: [Point; DIRECTIONS] = [(-1, 3), (1, 3), (2, 0), (1, -3), (-1, -3), (-2, 0)];

/// From a hex to its corners, in the order of [`HexMap::corners`].
const CORNERS: [Point; 6] = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)];

/// To the right in halves of a hex's width, and down in halves of an edge.
pub type Point = (i16, i16);

/// Places and words.
#[derive(Debug, Serialize)]
pub struct Catalogue {
    resources: [&'static str; Resource::COUNT],
    terrain: &'static [&'static str],
    harbour_kinds: [&'static str; 6],
    cards: &'static [&'static str],
    stages: [&'static str; 5],
    phases: [&'static str; 12],
    hexes: Vec<HexPlace>,
    vertices: Vec<VertexPlace>,
    edges: Vec<[Vertex; 2]>,
    harbours: Vec<[u8; 2]>,
}

/// Where a hex lies.
#[derive(Debug, Serialize)]
struct HexPlace {
    x: i16,
    y: i16,
    vertices: [Vertex; 6],
}

/// Where a vertex lies.
#[derive(Debug, Serialize)]
struct VertexPlace {
    x: i16,
    y: i16,
    hexes: HexSet,
    edges: EdgeSet,
}

impl Catalogue {
    /// The places of an island and its words, where hexes can be sea or not.
    pub fn of(game: &Island, has_sea: bool) -> Catalogue {
        let map = game.map;
        let (hexes, vertices) = points(map);
        let hex_place = |hex: Hex| {
            let (x, y) = hexes[hex.idx()];
            HexPlace { x, y, vertices: map.corners[hex.idx()] }
        };
        let vertex_place = |vertex: Vertex| {
            let (x, y) = vertices[vertex.idx()];
            let (hexes, edges) = (map.hexes[vertex.idx()], map.edges[vertex.idx()]);
            VertexPlace { x, y, hexes, edges }
        };
        Catalogue {
            resources: Resource::ALL.map(Resource::name),
            terrain: if has_sea { &TERRAIN } else { &TERRAIN[..=Resource::COUNT] },
            harbour_kinds: HARBOURS,
            cards: Card::NAMES,
            stages: STAGES,
            phases: PHASES,
            hexes: map.all_hexes().iter().map(hex_place).collect(),
            vertices: map.all_vertices().iter().map(vertex_place).collect(),
            edges: map.all_edges().iter().map(|edge: Edge| map.ends[edge.idx()]).collect(),
            harbours: game.parts.harbour_places.to_vec(),
        }
    }
}

/// Centres of hexes, and vertices; the leftmost and the topmost vertex have a coordinate 0.
pub fn points(map: &HexMap) -> ([Point; Hex::COUNT], [Point; Vertex::COUNT]) {
    let mut hexes = [(0, 0); Hex::COUNT];
    let mut known = HexSet::one(Hex::new(0));
    let mut next = known;
    while let Some(hex) = next.pop() {
        let (x, y) = hexes[hex.idx()];
        for (beside, (dx, dy)) in map.beside[hex.idx()].into_iter().zip(STEPS) {
            let Some(beside) = beside.filter(|&beside| !known.contains(beside)) else { continue };
            hexes[beside.idx()] = (x + dx, y + dy);
            known = known.with(beside);
            next = next.with(beside);
        }
    }
    let all = || map.all_hexes().iter();
    let left = all().map(|hex| hexes[hex.idx()].0 - 1).min().unwrap_or(0);
    let top = all().map(|hex| hexes[hex.idx()].1 - 2).min().unwrap_or(0);
    let mut vertices = [(0, 0); Vertex::COUNT];
    for hex in all() {
        let (x, y) = &mut hexes[hex.idx()];
        (*x, *y) = (*x - left, *y - top);
        for (corner, (dx, dy)) in map.corners[hex.idx()].into_iter().zip(CORNERS) {
            vertices[corner.idx()] = (*x + dx, *y + dy);
        }
    }
    (hexes, vertices)
}
