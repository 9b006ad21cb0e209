//! The islands of base CATAN and what may be built on them, derived again and slowly, from cube coordinates.
//!
//! A hex has three coordinates whose sum is 0. Wherever three hexes meet, land or sea, is a vertex, and it
//! is named by these three; two vertices with two hexes in common are the ends of an edge. Nothing here
//! uses the tables of the engine: they are compared with it.

use fairhaven::games::base::Base;
use fairhaven::parts::hexmap::{EXTENDED, HexMap, STANDARD};
use fairhaven::parts::island::state::State;
use fairhaven::parts::places::{Hex, Vertex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Two of the three coordinates: the third makes the sum 0.
type Cube = (i32, i32);

/// One step to the west, then clockwise.
const AROUND: [Cube; 6] = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)];

/// An island: everything by number, in the order of the rules' tables.
pub struct Island {
    pub hexes: Vec<Cube>,
    /// The land hexes at each vertex.
    pub land: Vec<Vec<usize>>,
    /// The two vertices of each edge.
    pub edges: Vec<[usize; 2]>,
}

static SMALL: LazyLock<Island> = LazyLock::new(|| Island::new(&[3, 4, 5, 4, 3]));
static LARGE: LazyLock<Island> = LazyLock::new(|| Island::new(&[3, 4, 5, 6, 5, 4, 3]));

impl Island {
    /// The island that a table of players plays on.
    pub fn of(players: u8) -> &'static Island {
        if players > 4 { &LARGE } else { &SMALL }
    }

    fn new(rows: &[i32]) -> Island {
        let widest = *rows.iter().max().unwrap();
        let mut hexes = Vec::new();
        for (&length, r) in rows.iter().zip(-i32::try_from(rows.len() / 2).unwrap()..) {
            // Twice the distance from the middle of the island, in steps of a whole hex.
            let across = (0..length).map(|column| 2 * column - (length - 1));
            hexes.extend(across.map(|x| ((x - r - (widest + 1) % 2) / 2, r)));
        }
        // Numbers run along zig-zags from west to east, the northern ones first.
        let mut vertices: BTreeMap<(i32, i32), [Cube; 3]> = BTreeMap::new();
        for &(q, r) in &hexes {
            for at in 0..6 {
                let beside = [at, (at + 1) % 6].map(|at| (q + AROUND[at].0, r + AROUND[at].1));
                let mut meeting = [(q, r), beside[0], beside[1]];
                meeting.sort_unstable();
                let (south, east) =
                    meeting.iter().fold((0, 0), |(s, e), (q, r)| (s + r, e + 2 * q + r));
                vertices.insert(((south - 1).div_euclid(3), east), meeting);
            }
        }
        let vertices: Vec<[Cube; 3]> = vertices.into_values().collect();
        let shared = |a: &[Cube; 3], b: &[Cube; 3]| a.iter().filter(|hex| b.contains(hex)).count();
        let mut edges = Vec::new();
        for low in 0..vertices.len() {
            let highs = low + 1..vertices.len();
            let ends = highs.filter(|&high| shared(&vertices[low], &vertices[high]) == 2);
            edges.extend(ends.map(|high| [low, high]));
        }
        let number = |hex: &Cube| hexes.iter().position(|other| other == hex);
        let land = vertices.iter().map(|meeting| meeting.iter().filter_map(number).collect());
        Island { land: land.collect(), hexes, edges }
    }

    pub fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let ends = self.edges.iter().filter(move |ends| ends.contains(&vertex));
        ends.map(move |&[a, b]| if a == vertex { b } else { a })
    }
}

/// Roads and buildings on an island, and nothing that follows from them.
pub struct Position {
    pub island: &'static Island,
    /// Edge and seat.
    pub roads: Vec<(usize, usize)>,
    /// Vertex, seat, and what it yields: 1 for a settlement, 2 for a city.
    pub buildings: Vec<(usize, usize, u8)>,
}

impl Position {
    pub fn of(game: &Base, state: &State) -> Position {
        let (mut roads, mut buildings) = (Vec::new(), Vec::new());
        for (seat, net) in state.table.pieces.nets.iter().enumerate() {
            roads.extend(net.roads.iter().map(|edge| (edge.idx(), seat)));
            buildings.extend(net.settlements.iter().map(|vertex| (vertex.idx(), seat, 1)));
            buildings.extend(net.cities.iter().map(|vertex| (vertex.idx(), seat, 2)));
        }
        Position {
            island: Island::of(fairhaven::core::game::Game::players(game)),
            roads,
            buildings,
        }
    }

    pub fn owner(&self, vertex: usize) -> Option<usize> {
        self.buildings.iter().find(|building| building.0 == vertex).map(|building| building.1)
    }

    /// The hexes that a seat's buildings touch.
    pub fn touches(&self, seat: usize, hex: usize) -> bool {
        let own = self.buildings.iter().filter(|building| building.1 == seat);
        own.into_iter().any(|building| self.island.land[building.0].contains(&hex))
    }

    fn has_road_at(&self, seat: usize, vertex: usize) -> bool {
        let at = |edge: usize| self.island.edges[edge].contains(&vertex);
        self.roads.iter().any(|&(edge, owner)| owner == seat && at(edge))
    }

    pub fn free_edges(&self) -> impl Iterator<Item = usize> {
        let edges = 0..self.island.edges.len();
        edges.filter(|edge| self.roads.iter().all(|(taken, _)| taken != edge))
    }

    /// Free edges at the seat's own building, or at its own road where no other seat has a building. (BASE-40)
    pub fn road_places(&self, seat: usize) -> BTreeSet<usize> {
        let joins = |vertex: usize| match self.owner(vertex) {
            Some(owner) => owner == seat,
            None => self.has_road_at(seat, vertex),
        };
        self.free_edges().filter(|&edge| self.island.edges[edge].into_iter().any(joins)).collect()
    }

    /// Vertices with no building on them and none an edge away. (BASE-41)
    pub fn open(&self) -> BTreeSet<usize> {
        let built = |vertex: usize| self.owner(vertex).is_some();
        let all = 0..self.island.land.len();
        all.filter(|&vertex| !built(vertex) && !self.island.neighbours(vertex).any(built)).collect()
    }

    /// Vertices that a seat's roads touch.
    pub fn reached(&self, seat: usize) -> BTreeSet<usize> {
        let all = 0..self.island.land.len();
        all.filter(|&vertex| self.has_road_at(seat, vertex)).collect()
    }

    /// Open vertices at the seat's own road. (BASE-41)
    pub fn sites(&self, seat: usize) -> BTreeSet<usize> {
        &self.open() & &self.reached(seat)
    }

    /// The longest trail over a seat's roads that takes none twice and does not pass another's building: by
    /// trying all of them. (BASE-60)
    pub fn longest(&self, seat: usize) -> u8 {
        let own = self.roads.iter().filter(|road| road.1 == seat);
        let own: Vec<[usize; 2]> = own.map(|&(edge, _)| self.island.edges[edge]).collect();
        let mut used = vec![false; own.len()];
        let starts: BTreeSet<usize> = own.iter().flatten().copied().collect();
        let trails = starts.into_iter().map(|start| self.trail(seat, &own, &mut used, start));
        trails.max().unwrap_or(0)
    }

    fn trail(&self, seat: usize, own: &[[usize; 2]], used: &mut [bool], at: usize) -> u8 {
        let mut best = 0;
        for (road, ends) in own.iter().enumerate() {
            if used[road] || !ends.contains(&at) {
                continue;
            }
            let next = if ends[0] == at { ends[1] } else { ends[0] };
            used[road] = true;
            let blocked = self.owner(next).is_some_and(|owner| owner != seat);
            let rest = if blocked { 0 } else { self.trail(seat, own, used, next) };
            used[road] = false;
            best = best.max(1 + rest);
        }
        best
    }
}

fn agrees(map: &HexMap, island: &Island) {
    let counts = [island.hexes.len(), island.land.len(), island.edges.len()];
    assert_eq!([map.hex_count, map.vertex_count, map.edge_count].map(usize::from), counts);
    let ends: Vec<[usize; 2]> =
        map.all_edges().iter().map(|edge| map.ends[edge.idx()].map(Vertex::idx)).collect();
    assert_eq!(ends, island.edges);
    for vertex in map.all_vertices() {
        let at = vertex.idx();
        let land: Vec<usize> = map.hexes[at].iter().map(Hex::idx).collect();
        let mut due = island.land[at].clone();
        due.sort_unstable();
        assert_eq!(land, due, "hexes at {vertex}");
        let neighbours: BTreeSet<usize> = map.neighbours[at].iter().map(Vertex::idx).collect();
        assert_eq!(neighbours, island.neighbours(at).collect(), "neighbours of {vertex}");
        for edge in map.all_edges() {
            let due = island.edges[edge.idx()].contains(&at);
            assert_eq!(map.edges[at].contains(edge), due, "edge {edge} at {vertex}");
        }
    }
    for a in map.all_hexes() {
        for b in map.all_hexes() {
            let [(q, r), (s, t)] = [a, b].map(|hex| island.hexes[hex.idx()]);
            assert_eq!(map.touch(a, b), AROUND.contains(&(s - q, t - r)), "{a} beside {b}");
        }
    }
}

#[test]
fn base_7_the_tables_follow_from_cube_coordinates() {
    agrees(&STANDARD, Island::of(4));
    agrees(&EXTENDED, Island::of(5));
    assert_eq!([4, 5].map(|players| Island::of(players).edges.len()), [72, 109]);
}
