//! The island of one match: terrain, number tokens and harbours, and the published tables of them.

use crate::core::resources::Resource;
use crate::parts::hexmap::HexMap;
use crate::parts::island::cards::pips;
use crate::parts::places::{Hex, HexSet, Vertex, VertexSet};
use std::borrow::Cow;

/// The most harbours.
pub const HARBOURS_MAX: usize = 11;

/// Sums of two dice: 2 to 12.
pub const SUMS: usize = 11;

/// Terrain: the resource that it yields, nothing for desert.
pub type Terrain = Option<Resource>;

/// The kind of a harbour: its resource at 2:1, or 3:1 for any.
pub type Harbour = Option<Resource>;

/// The parts that are laid out at the start and never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// Terrain by hex.
    pub terrain: [Terrain; Hex::COUNT],
    /// Number tokens by hex; 0 for none.
    pub tokens: [u8; Hex::COUNT],
    /// Hexes by the sum of the dice, from 2.
    pub rolled: [HexSet; SUMS],
    /// Kinds of harbours, by their place.
    pub harbours: [Harbour; HARBOURS_MAX],
}

/// The contents of a box. (BASE-1, BASE-2, BASE-6, BASE-80)
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// Hexes of each resource, then deserts.
    pub terrain: [u8; Resource::COUNT + 1],
    /// Number tokens in the order of their letters.
    pub letters: &'static [u8],
    /// The two vertices of each harbour, clockwise from the top left.
    pub harbour_places: Cow<'static, [[u8; 2]]>,
    /// Vertices with a harbour.
    pub harbour_vertices: VertexSet,
    /// The harbour's place among `harbour_places`, by vertex, for those that have one.
    harbour_by_vertex: [u8; Vertex::COUNT],
    /// Their kinds on the standard frame.
    pub harbour_kinds: Cow<'static, [Harbour]>,
}

const BRICK: Terrain = Some(Resource::Brick);
const LUMBER: Terrain = Some(Resource::Lumber);
const WOOL: Terrain = Some(Resource::Wool);
const GRAIN: Terrain = Some(Resource::Grain);
const ORE: Terrain = Some(Resource::Ore);
const ANY: Harbour = None;

/// The vertices of the harbours for three and four. (BASE-6)
const STANDARD_HARBOURS: [[u8; 2]; 9] =
    [[0, 1], [3, 4], [14, 15], [26, 37], [45, 46], [50, 51], [47, 48], [28, 38], [7, 17]];

/// The vertices of the harbours for five and six. (BASE-80)
const EXTENDED_HARBOURS: [[u8; 2]; 11] = [
    [0, 1],
    [3, 4],
    [14, 15],
    [26, 38],
    [51, 63],
    [71, 72],
    [76, 77],
    [73, 74],
    [53, 54],
    [27, 40],
    [16, 17],
];

/// The box for three and four. (BASE-1, BASE-2, BASE-6)
pub static STANDARD_PARTS: Parts = Parts {
    terrain: [3, 4, 4, 4, 3, 1],
    letters: &[5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11],
    harbour_places: Cow::Borrowed(&STANDARD_HARBOURS),
    harbour_vertices: vertices_of(&STANDARD_HARBOURS),
    harbour_by_vertex: by_vertex(&STANDARD_HARBOURS),
    harbour_kinds: Cow::Borrowed(&[ANY, GRAIN, ORE, ANY, WOOL, ANY, ANY, BRICK, LUMBER]),
};

/// The box for five and six. (BASE-80)
pub static EXTENDED_PARTS: Parts = Parts {
    terrain: [5, 6, 6, 6, 5, 2],
    letters: &[
        2, 5, 4, 6, 3, 9, 8, 11, 11, 10, 6, 3, 8, 4, 8, 10, 11, 12, 10, 5, 4, 9, 5, 9, 12, 3, 2, 6,
    ],
    harbour_places: Cow::Borrowed(&EXTENDED_HARBOURS),
    harbour_vertices: vertices_of(&EXTENDED_HARBOURS),
    harbour_by_vertex: by_vertex(&EXTENDED_HARBOURS),
    harbour_kinds: Cow::Borrowed(&[ANY, GRAIN, ORE, ANY, WOOL, ANY, ANY, BRICK, LUMBER, ANY, WOOL]),
};

/// Terrain and tokens of the beginner island. (BASE-11)
pub const BEGINNER: [(Terrain, u8); 19] = [
    (ORE, 10),
    (WOOL, 2),
    (LUMBER, 9),
    (GRAIN, 12),
    (BRICK, 6),
    (WOOL, 4),
    (BRICK, 10),
    (GRAIN, 9),
    (LUMBER, 11),
    (None, 0),
    (LUMBER, 3),
    (ORE, 8),
    (LUMBER, 8),
    (ORE, 3),
    (GRAIN, 4),
    (WOOL, 5),
    (BRICK, 5),
    (GRAIN, 6),
    (WOOL, 11),
];

/// A colour's two starting settlements with the vertex that each road leads to; the first pays cards.
pub type Start = [[u8; 2]; 2];

/// Starting positions of the beginner island: white, orange, blue, red. (BASE-11)
pub const STARTS: [Start; 4] =
    [[[35, 24], [19, 18]], [[42, 43], [13, 12]], [[40, 41], [44, 34]], [[29, 30], [10, 11]]];

impl Parts {
    /// A box for a map of its own: harbours at places with a kind, and nothing to lay at random.
    pub fn of_harbours(harbours: &[([u8; 2], Harbour)]) -> Parts {
        let places: Vec<[u8; 2]> = harbours.iter().map(|(place, _)| *place).collect();
        Parts {
            terrain: [0; Resource::COUNT + 1],
            letters: &[],
            harbour_vertices: vertices_of(&places),
            harbour_by_vertex: by_vertex(&places),
            harbour_places: places.into(),
            harbour_kinds: harbours.iter().map(|(_, kind)| *kind).collect(),
        }
    }
}

impl Board {
    /// A board of deserts without tokens and harbours.
    pub const fn bare() -> Board {
        Board {
            terrain: [None; Hex::COUNT],
            tokens: [0; Hex::COUNT],
            rolled: [HexSet::NONE; SUMS],
            harbours: [None; HARBOURS_MAX],
        }
    }

    /// Lays a token.
    pub fn lay_token(&mut self, hex: Hex, token: u8) {
        self.tokens[hex.idx()] = token;
        let sum = usize::from(token) - 2;
        self.rolled[sum] = self.rolled[sum].with(hex);
    }

    /// The deserts of a map.
    pub fn deserts(&self, map: &HexMap) -> HexSet {
        map.all_hexes().iter().filter(|hex| self.terrain[hex.idx()].is_none()).collect()
    }

    /// How many of 36 rolls bring something to a vertex, hex by hex.
    pub fn pips_at(&self, map: &HexMap, vertex: Vertex) -> u8 {
        map.hexes[vertex.idx()].iter().map(|hex| pips(self.tokens[hex.idx()])).sum()
    }

    /// The harbour at a vertex, if there is one.
    #[inline]
    pub fn harbour_at(&self, parts: &Parts, vertex: Vertex) -> Option<Harbour> {
        let place = usize::from(parts.harbour_by_vertex[vertex.idx()]);
        parts.harbour_vertices.contains(vertex).then(|| self.harbours[place])
    }
}

/// The vertices of all harbours.
const fn vertices_of(harbours: &[[u8; 2]]) -> VertexSet {
    let mut all = VertexSet::NONE;
    let mut place = 0;
    while place < harbours.len() {
        let [one, other] = harbours[place];
        all = all.with(Vertex::new(one)).with(Vertex::new(other));
        place += 1;
    }
    all
}

/// The place of each vertex's harbour; 0 also for those without one.
#[allow(clippy::cast_possible_truncation, reason = "there are few harbours")]
const fn by_vertex(harbours: &[[u8; 2]]) -> [u8; Vertex::COUNT] {
    let mut places = [0; Vertex::COUNT];
    let mut place = 0;
    while place < harbours.len() {
        let [one, other] = harbours[place];
        places[one as usize] = place as u8;
        places[other as usize] = place as u8;
        place += 1;
    }
    places
}
