//! How the hexes, vertices and edges of an island are connected: tables made at compile time.
//!
//! Hexes lie in rows with pointed tops and are numbered row by row, as are the vertices, in zig-zag rows.
//! Edges are numbered by their lower vertex, then by the higher one. It knows no terrain and no pieces.

use crate::parts::places::{Edge, EdgeSet, Hex, HexSet, Vertex, VertexSet};

/// Directions from a hex to its neighbours, counter-clockwise from the south-west.
pub const DIRECTIONS: usize = 6;

/// The island of the base game: 19 hexes, 54 vertices, 72 edges.
pub static STANDARD: HexMap = HexMap::new(&[3, 4, 5, 4, 3]);

/// The island for five and six: 30 hexes, 80 vertices, 109 edges.
pub static EXTENDED: HexMap = HexMap::new(&[3, 4, 5, 6, 5, 4, 3]);

/// The tables of one island. Entries past its size are meaningless.
#[derive(Debug, PartialEq, Eq)]
pub struct HexMap {
    /// Number of hexes.
    pub hex_count: u8,
    /// Number of vertices.
    pub vertex_count: u8,
    /// Number of edges.
    pub edge_count: u8,
    /// The corners of each hex: N, NE, SE, S, SW, NW.
    pub corners: [[Vertex; 6]; Hex::COUNT],
    /// The neighbour of each hex to the SW, SE, E, NE, NW and W.
    pub beside: [[Option<Hex>; DIRECTIONS]; Hex::COUNT],
    /// The hexes at each vertex: 1 to 3.
    pub hexes: [HexSet; Vertex::COUNT],
    /// The vertices one edge away from each vertex: 2 or 3.
    pub neighbours: [VertexSet; Vertex::COUNT],
    /// The edges at each vertex: 2 or 3.
    pub edges: [EdgeSet; Vertex::COUNT],
    /// The two vertices of each edge, the lower one first.
    pub ends: [[Vertex; 2]; Edge::COUNT],
    /// The ways that continue each way: one or two, then [`NO_WAY`].
    pub onward: [[u8; 2]; 2 * Edge::COUNT],
    /// The corners of each hex.
    pub corner_sets: [VertexSet; Hex::COUNT],
    /// The edges of each hex.
    pub rings: [EdgeSet; Hex::COUNT],
    /// The neighbours of each hex.
    pub touching: [HexSet; Hex::COUNT],
    /// The two vertices of each edge.
    pub end_sets: [VertexSet; Edge::COUNT],
    /// Edges with a hex on one side only.
    pub rim: EdgeSet,
}

/// A *way* is an edge with a direction: twice its number to its lower vertex, one more to the higher one.
/// This value stands for no way.
pub const NO_WAY: u8 = u8::MAX;

const FIRST_HEX: Hex = Hex::new(0);
const FIRST_VERTEX: Vertex = Vertex::new(0);

impl HexMap {
    /// The tables of an island whose rows grow by one hex to the middle and shrink by one from there.
    pub const fn new(rows: &[u8]) -> HexMap {
        let mut map = HexMap {
            hex_count: 0,
            vertex_count: 0,
            edge_count: 0,
            corners: [[FIRST_VERTEX; 6]; Hex::COUNT],
            beside: [[None; DIRECTIONS]; Hex::COUNT],
            hexes: [HexSet::NONE; Vertex::COUNT],
            neighbours: [VertexSet::NONE; Vertex::COUNT],
            edges: [EdgeSet::NONE; Vertex::COUNT],
            ends: [[FIRST_VERTEX; 2]; Edge::COUNT],
            onward: [[NO_WAY; 2]; 2 * Edge::COUNT],
            corner_sets: [VertexSet::NONE; Hex::COUNT],
            rings: [EdgeSet::NONE; Hex::COUNT],
            touching: [HexSet::NONE; Hex::COUNT],
            end_sets: [VertexSet::NONE; Edge::COUNT],
            rim: EdgeSet::NONE,
        };
        let middle = rows.len() / 2;
        let (mut row, mut hex, mut zigzag) = (0, 0, 0);
        while row < rows.len() {
            let longer = if row < middle { rows[row + 1] } else { rows[row] };
            // The zig-zag row above this row of hexes, and the one below it.
            let above = if row > middle { 2 * rows[row] + 3 } else { 2 * rows[row] + 1 };
            let top = zigzag + if row > middle { 1 } else { 0 };
            let bottom = zigzag + above + if row < middle { 1 } else { 0 };
            let mut column = 0;
            while column < rows[row] {
                map.add_hex(hex, top + 2 * column, bottom + 2 * column);
                map.beside[hex as usize] = neighbours_of(rows, row, column, hex);
                hex += 1;
                column += 1;
            }
            zigzag += above;
            if row + 1 == rows.len() {
                map.vertex_count = zigzag + 2 * longer + 1;
            }
            row += 1;
        }
        map.hex_count = hex;
        map.number_edges();
        map.lay_ways();
        map.note_corners();
        map.note_sides();
        map
    }

    /// Fills in the sets of corners.
    const fn note_corners(&mut self) {
        let mut vertex = 0;
        while vertex < self.vertex_count {
            let mut hexes = self.hexes[vertex as usize];
            while let Some(hex) = hexes.pop() {
                let corners = &mut self.corner_sets[hex.idx()];
                *corners = corners.with(Vertex::new(vertex));
            }
            vertex += 1;
        }
    }

    /// Fills in the sets that follow from which hexes lie beside an edge.
    const fn note_sides(&mut self) {
        let mut number = 0;
        while number < self.edge_count {
            let edge = Edge::new(number);
            let [low, high] = self.ends[edge.idx()];
            self.end_sets[edge.idx()] = VertexSet::one(low).with(high);
            let mut beside = HexSet::NONE;
            let mut hexes = self.hexes[low.idx()];
            while let Some(hex) = hexes.pop() {
                if self.hexes[high.idx()].contains(hex) {
                    self.rings[hex.idx()] = self.rings[hex.idx()].with(edge);
                    beside = beside.with(hex);
                }
            }
            match (beside.pop(), beside.pop()) {
                (Some(one), Some(other)) => {
                    self.touching[one.idx()] = self.touching[one.idx()].with(other);
                    self.touching[other.idx()] = self.touching[other.idx()].with(one);
                }
                _ => self.rim = self.rim.with(edge),
            }
            number += 1;
        }
    }

    /// Adds a hex whose north-western corner is `top` and whose south-western one is `bottom`.
    const fn add_hex(&mut self, hex: u8, top: u8, bottom: u8) {
        let ring = [top + 1, top + 2, bottom + 2, bottom + 1, bottom, top];
        let mut at = 0;
        while at < 6 {
            let vertex = ring[at] as usize;
            self.corners[hex as usize][at] = Vertex::new(ring[at]);
            self.hexes[vertex] = self.hexes[vertex].with(Hex::new(hex));
            let next = ring[(at + 1) % 6];
            self.neighbours[vertex] = self.neighbours[vertex].with(Vertex::new(next));
            self.neighbours[next as usize] =
                self.neighbours[next as usize].with(Vertex::new(ring[at]));
            at += 1;
        }
    }

    const fn number_edges(&mut self) {
        let mut low = 0;
        while low < self.vertex_count {
            let mut others = self.neighbours[low as usize];
            while let Some(high) = others.pop() {
                if high.number() > low {
                    let edge = Edge::new(self.edge_count);
                    self.ends[edge.idx()] = [Vertex::new(low), high];
                    self.edges[low as usize] = self.edges[low as usize].with(edge);
                    self.edges[high.idx()] = self.edges[high.idx()].with(edge);
                    self.edge_count += 1;
                }
            }
            low += 1;
        }
    }

    const fn lay_ways(&mut self) {
        let mut way = 0;
        while way < 2 * self.edge_count {
            let [edge, side] = [way / 2, way % 2];
            let head = self.ends[edge as usize][side as usize];
            let mut others = self.edges[head.idx()];
            let mut found = 0;
            while let Some(other) = others.pop() {
                if other.number() != edge {
                    let away = self.ends[other.idx()][0].number() == head.number();
                    self.onward[way as usize][found] = 2 * other.number() + away as u8;
                    found += 1;
                }
            }
            way += 1;
        }
    }

    /// All hexes.
    #[inline]
    pub const fn all_hexes(&self) -> HexSet {
        HexSet::first(self.hex_count)
    }

    /// All vertices.
    #[inline]
    pub const fn all_vertices(&self) -> VertexSet {
        VertexSet::first(self.vertex_count)
    }

    /// All edges.
    #[inline]
    pub const fn all_edges(&self) -> EdgeSet {
        EdgeSet::first(self.edge_count)
    }

    /// The vertex at the other end of an edge.
    #[inline]
    pub const fn across(&self, edge: Edge, from: Vertex) -> Vertex {
        let [low, high] = self.ends[edge.idx()];
        if low.number() == from.number() { high } else { low }
    }

    /// The edge between two vertices, if they are neighbours.
    pub fn edge_between(&self, a: Vertex, b: Vertex) -> Option<Edge> {
        (self.edges[a.idx()] & self.edges[b.idx()]).iter().next()
    }

    /// Whether two hexes share an edge.
    pub fn touch(&self, a: Hex, b: Hex) -> bool {
        self.beside[a.idx()].contains(&Some(b))
    }

    /// All hexes along the spiral that starts at a corner of the island (0 the top left one, then
    /// counter-clockwise), runs counter-clockwise along the shore and winds inwards.
    pub fn spiral(&self, corner: usize) -> impl Iterator<Item = Hex> {
        let mut left = self.all_hexes();
        let mut direction = corner;
        let mut next = Some(self.corner_hex(corner));
        std::iter::from_fn(move || {
            let hex = next?;
            left -= HexSet::one(hex);
            next = None;
            for turn in 0..DIRECTIONS {
                let towards = (direction + turn) % DIRECTIONS;
                let ahead = self.beside[hex.idx()][towards].filter(|&ahead| left.contains(ahead));
                if ahead.is_some() {
                    (next, direction) = (ahead, towards);
                    break;
                }
            }
            Some(hex)
        })
    }

    /// The hex at a corner of the island: the one without neighbours in the three directions around it.
    fn corner_hex(&self, corner: usize) -> Hex {
        let outward = |hex: &Hex| {
            let beside = self.beside[hex.idx()];
            (3..6).all(|turn| beside[(corner + turn) % DIRECTIONS].is_none())
        };
        self.all_hexes().iter().find(outward).unwrap_or(FIRST_HEX)
    }
}

/// The neighbours of the hex in a row and column, in the order of [`HexMap::beside`].
const fn neighbours_of(rows: &[u8], row: usize, column: u8, hex: u8) -> [Option<Hex>; DIRECTIONS] {
    let middle = rows.len() / 2;
    let length = rows[row];
    let mut beside = [None; DIRECTIONS];
    if row + 1 < rows.len() {
        // In a longer row below, the south-western neighbour stands in the same column.
        let shift = if row < middle { 1 } else { 0 };
        let below = hex - column + length;
        beside[0] = in_row(below, rows[row + 1], column + shift);
        beside[1] = in_row(below, rows[row + 1], column + shift + 1);
    }
    beside[2] = in_row(hex - column, length, column + 2);
    if row > 0 {
        let shift = if row > middle { 1 } else { 0 };
        let above = hex - column - rows[row - 1];
        beside[3] = in_row(above, rows[row - 1], column + shift + 1);
        beside[4] = in_row(above, rows[row - 1], column + shift);
    }
    beside[5] = in_row(hex - column, length, column);
    beside
}

/// The hex before column `column` of a row that starts with hex `first`, if the row has it.
const fn in_row(first: u8, length: u8, column: u8) -> Option<Hex> {
    if column == 0 || column > length { None } else { Some(Hex::new(first + column - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    type Point = (i32, i32);

    /// The islands built a second time, from coordinates: centres of hexes and the corners around them.
    fn derive(rows: &[i32]) -> (Vec<Point>, Vec<Point>, BTreeSet<(usize, usize)>) {
        let middle = i32::try_from(rows.len() / 2).unwrap();
        let widest = rows[usize::try_from(middle).unwrap()];
        // Half a hex is 1 wide; rows are 3 apart, corners 1 or 2 above and below the centre.
        let mut hexes = Vec::new();
        for (row, &length) in rows.iter().enumerate() {
            let y = i32::try_from(row).unwrap() * 3;
            hexes.extend((0..length).map(|column| (widest - length + 2 * column, y)));
        }
        let around = |(x, y): (i32, i32)| {
            [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)].map(|(dx, dy)| (x + dx, y + dy))
        };
        // Numbers run along zig-zags: corners of one zig-zag row are one apart in height.
        let mut corners: BTreeMap<(i32, i32), (i32, i32)> = BTreeMap::new();
        for &hex in &hexes {
            for (x, y) in around(hex) {
                corners.insert(((y + 2).div_euclid(3), x), (x, y));
            }
        }
        let vertices: Vec<(i32, i32)> = corners.into_values().collect();
        let number = |at| vertices.iter().position(|&vertex| vertex == at).unwrap();
        let mut edges = BTreeSet::new();
        for &hex in &hexes {
            let ring = around(hex).map(number);
            for at in 0..6 {
                let (a, b) = (ring[at], ring[(at + 1) % 6]);
                edges.insert((a.min(b), a.max(b)));
            }
        }
        (hexes, vertices, edges)
    }

    fn agrees(map: &HexMap, rows: &[i32]) {
        let (hexes, vertices, edges) = derive(rows);
        assert_eq!(usize::from(map.hex_count), hexes.len());
        assert_eq!(usize::from(map.vertex_count), vertices.len());
        let listed: Vec<(usize, usize)> = map
            .all_edges()
            .iter()
            .map(|edge| map.ends[edge.idx()].map(Vertex::idx))
            .map(|[a, b]| (a, b))
            .collect();
        assert_eq!(listed, edges.into_iter().collect::<Vec<_>>());
        for hex in map.all_hexes() {
            let (x, y) = hexes[hex.idx()];
            let corners = map.corners[hex.idx()].map(|vertex| vertices[vertex.idx()]);
            let expected = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)];
            assert_eq!(corners, expected.map(|(dx, dy)| (x + dx, y + dy)));
            let steps = [(-1, 3), (1, 3), (2, 0), (1, -3), (-1, -3), (-2, 0)];
            let beside = steps.map(|(dx, dy)| {
                let at = hexes.iter().position(|&other| other == (x + dx, y + dy));
                at.map(|at| Hex::new(u8::try_from(at).unwrap()))
            });
            assert_eq!(map.beside[hex.idx()], beside);
            for vertex in map.all_vertices() {
                let corner = map.corners[hex.idx()].contains(&vertex);
                assert_eq!(map.hexes[vertex.idx()].contains(hex), corner);
            }
        }
        for edge in map.all_edges() {
            let [low, high] = map.ends[edge.idx()];
            let beside = map.hexes[low.idx()] & map.hexes[high.idx()];
            assert_eq!(map.end_sets[edge.idx()], [low, high].into_iter().collect());
            assert_eq!(map.rim.contains(edge), beside.len() == 1);
            for hex in map.all_hexes() {
                assert_eq!(map.rings[hex.idx()].contains(edge), beside.contains(hex));
            }
        }
        for hex in map.all_hexes() {
            let at = hex.idx();
            assert_eq!(map.touching[at], map.beside[at].into_iter().flatten().collect());
            assert_eq!(map.corner_sets[at], map.corners[at].into_iter().collect());
        }
        for vertex in map.all_vertices() {
            let across: VertexSet =
                map.edges[vertex.idx()].iter().map(|edge| map.across(edge, vertex)).collect();
            assert_eq!(across, map.neighbours[vertex.idx()]);
        }
    }

    #[test]
    fn base_7_the_tables_agree_with_coordinates() {
        agrees(&STANDARD, &[3, 4, 5, 4, 3]);
        assert_eq!((STANDARD.hex_count, STANDARD.vertex_count, STANDARD.edge_count), (19, 54, 72));
    }

    #[test]
    fn base_80_the_larger_tables_agree_with_coordinates() {
        agrees(&EXTENDED, &[3, 4, 5, 6, 5, 4, 3]);
        assert_eq!((EXTENDED.hex_count, EXTENDED.vertex_count, EXTENDED.edge_count), (30, 80, 109));
    }

    #[test]
    fn base_7_the_published_corners_of_the_rows() {
        let firsts = [
            (0, [1, 2, 10, 9, 8, 0]),
            (3, [8, 9, 19, 18, 17, 7]),
            (7, [17, 18, 29, 28, 27, 16]),
            (12, [29, 30, 40, 39, 38, 28]),
            (16, [40, 41, 49, 48, 47, 39]),
        ];
        for (hex, corners) in firsts {
            assert_eq!(STANDARD.corners[hex], corners.map(Vertex::new));
        }
        assert_eq!(STANDARD.corners[2], [5, 6, 14, 13, 12, 4].map(Vertex::new));
    }

    #[test]
    fn base_7_vertices_touch_one_to_three_hexes_and_two_or_three_edges() {
        for map in [&STANDARD, &EXTENDED] {
            for vertex in map.all_vertices() {
                assert!((1..=3).contains(&map.hexes[vertex.idx()].len()));
                assert!((2..=3).contains(&map.edges[vertex.idx()].len()));
            }
        }
        let coast = |map: &HexMap| {
            let shared = |edge: &Edge| {
                let [a, b] = map.ends[edge.idx()];
                (map.hexes[a.idx()] & map.hexes[b.idx()]).len() == 1
            };
            map.all_edges().iter().filter(shared).count()
        };
        assert_eq!((coast(&STANDARD), coast(&EXTENDED)), (30, 38));
    }

    #[test]
    fn base_10_the_spiral_runs_counter_clockwise_from_any_corner() {
        // Rows and columns r1c1 r2c1 r3c1 … of the published order.
        let published = [0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 1, 4, 8, 13, 14, 10, 5, 9];
        let walked: Vec<usize> = STANDARD.spiral(0).map(Hex::idx).collect();
        assert_eq!(walked, published);
        let starts: Vec<usize> =
            (0..6).map(|corner| STANDARD.spiral(corner).next().unwrap().idx()).collect();
        assert_eq!(starts, [0, 7, 16, 18, 11, 2]);
        for map in [&STANDARD, &EXTENDED] {
            for corner in 0..6 {
                let walked: Vec<Hex> = map.spiral(corner).collect();
                assert_eq!(walked.len(), usize::from(map.hex_count), "corner {corner}");
                assert_eq!(walked.iter().copied().collect::<HexSet>(), map.all_hexes());
                assert!(walked.windows(2).all(|pair| map.touch(pair[0], pair[1])));
            }
        }
    }

    #[test]
    fn ways_lead_on_from_their_heads_over_every_other_edge() {
        for map in [&STANDARD, &EXTENDED] {
            for way in 0..2 * map.edge_count {
                let [edge, side] = [way / 2, way % 2].map(usize::from);
                let head = map.ends[edge][side];
                let others = map.edges[head.idx()] - EdgeSet::one(Edge::new(way / 2));
                let on = map.onward[usize::from(way)].into_iter().filter(|&next| next != NO_WAY);
                let on: Vec<(Edge, Vertex)> = on
                    .map(|next| {
                        (
                            Edge::new(next / 2),
                            map.ends[usize::from(next / 2)][usize::from(next % 2)],
                        )
                    })
                    .collect();
                let due: Vec<(Edge, Vertex)> =
                    others.iter().map(|other| (other, map.across(other, head))).collect();
                assert_eq!(on, due, "on from way {way}");
            }
        }
    }

    #[test]
    fn edges_are_found_by_their_ends() {
        let edge = STANDARD.edge_between(Vertex::new(3), Vertex::new(4)).unwrap();
        assert_eq!(STANDARD.ends[edge.idx()], [3, 4].map(Vertex::new));
        assert_eq!(STANDARD.edge_between(Vertex::new(0), Vertex::new(2)), None);
    }
}
