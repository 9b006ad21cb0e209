//! The longest trail in a net of roads: the longest way that uses no edge twice and does not pass a wall.
//!
//! `roads` are the edges of the net, `walls` vertices where a trail ends. Whose roads they are, and what a long one is good
//! for, is not known here.

use crate::parts::hexmap::{HexMap, NO_WAY};
use crate::parts::places::{Edge, EdgeSet, Vertex, VertexSet};
use arrayvec::ArrayVec;

/// The longest trail in a net of roads that uses no edge twice and does not pass a wall.
pub fn longest_trail(map: &HexMap, roads: EdgeSet, walls: VertexSet) -> u8 {
    longest_trail_by(&AnyTurn, map, roads, walls)
}

/// The same, if not every edge may follow every other.
pub fn longest_trail_by(turns: &impl Turns, map: &HexMap, edges: EdgeSet, walls: VertexSet) -> u8 {
    let mut sweep = Sweep::new(turns, map, edges, walls);
    let mut best = 0;
    for edge in edges {
        if !is_in(&sweep.left, edge.number()) {
            continue;
        }
        let before = EdgeSet::from_words(sweep.left);
        let length = sweep.both_ways(edge);
        if sweep.has_ring {
            let piece = before - EdgeSet::from_words(sweep.left);
            best = best.max(longest_of_piece(turns, map, piece, walls));
            (sweep.has_ring, sweep.best) = (false, best);
        } else {
            best = best.max(sweep.best).max(length);
        }
    }
    best
}

/// Which edges may follow one another.
pub trait Turns {
    /// Whether a trail may go from an edge over a vertex to another edge.
    fn may_turn(&self, from: Edge, over: Vertex, to: Edge) -> bool;

    /// Which part of a vertex an edge meets, below `PARTS`: edges that may not follow one another there meet different ones.
    fn part(&self, edge: Edge, at: Vertex) -> usize;
}

/// Parts that a vertex can have.
const PARTS: usize = 2;

/// Any edge may follow any other.
struct AnyTurn;

impl Turns for AnyTurn {
    #[inline]
    fn may_turn(&self, _from: Edge, _over: Vertex, _to: Edge) -> bool {
        true
    }

    #[inline]
    fn part(&self, _edge: Edge, _at: Vertex) -> usize {
        0
    }
}

/// The longest trail in a piece of a net: edges of which each leads to each.
///
/// A trail that can't be made longer goes from one odd place to another, where one edge ends or three meet, or around
/// everything; an edge that ends at a wall ends at a place of its own. With two odd places or none, some trail uses every
/// edge (Euler). Otherwise an edge that no trail uses makes up for two more of them at most, which bounds its length.
fn longest_of_piece(turns: &impl Turns, map: &HexMap, piece: EdgeSet, walls: VertexSet) -> u8 {
    let mut rings = Rings::new(turns, map, piece, walls);
    let odd = rings.odd_places();
    if odd <= 2 {
        return piece.len();
    }
    let most = usize::from(piece.len()) + 1 - odd / 2;
    let mut best = rings.find_dead_ends();
    // A trail from a fork on rings ends at another odd place, so that one of the forks can be left out.
    let mut left_out = None;
    for way in piece.iter().flat_map(ways) {
        if usize::from(best) == most {
            break;
        }
        let back = way ^ 1;
        if rings.is_dead_end(way) || rings.is_dead_end(back) {
            continue;
        }
        match rings.onward(way) {
            [Some(one), Some(other)] if rings.is_dead_end(one) => {
                best = best.max(rings.with_dead_end(one, other));
            }
            [Some(one), Some(other)] if rings.is_dead_end(other) => {
                best = best.max(rings.with_dead_end(other, one));
            }
            [Some(one), Some(other)] => {
                // A number for the fork: the lowest of the three ways from it.
                let fork = back.min(one).min(other);
                if *left_out.get_or_insert(fork) != fork {
                    best = best.max(rings.along(back));
                }
            }
            _ => {}
        }
    }
    best
}

/// A piece of a net with rings, and what hangs on these.
struct Rings {
    piece: EdgeSet,
    left: [u64; 2],
    /// The ways on from each way.
    on: [[u8; 2]; 2 * Edge::COUNT],
    /// How many of these have no depth yet.
    open: [u8; 2 * Edge::COUNT],
    /// The longest trail along each way and on, if it can only come to an end; 0 for a way that leads to a ring.
    depths: [u8; 2 * Edge::COUNT],
}

impl Rings {
    fn new(turns: &impl Turns, map: &HexMap, piece: EdgeSet, walls: VertexSet) -> Rings {
        let left = piece.words();
        let mut on = [[NO_WAY; 2]; 2 * Edge::COUNT];
        let mut open = [0; 2 * Edge::COUNT];
        for way in piece.iter().flat_map(ways) {
            let edge = Edge::new(way / 2);
            let over = map.ends[edge.idx()][usize::from(way % 2)];
            if walls.contains(over) {
                continue;
            }
            let at = usize::from(way);
            for (next, to) in map.onward[at].into_iter().zip(&mut on[at]) {
                if leads_on(turns, &left, (edge, over), next) {
                    *to = next;
                    open[at] += 1;
                }
            }
        }
        Rings { piece, left, on, open, depths: [0; 2 * Edge::COUNT] }
    }

    /// The ways on from a way, by edges that are left.
    #[inline]
    fn onward(&self, way: u8) -> [Option<u8>; 2] {
        self.on[usize::from(way)].map(|next| is_in(&self.left, next / 2).then_some(next))
    }

    /// Places where one edge ends or three meet: from a way nothing leads on to the first, and two ways to the other.
    fn odd_places(&self) -> usize {
        let (mut ends, mut forks) = (0, 0);
        for way in self.piece.iter().flat_map(ways) {
            ends += usize::from(self.open[usize::from(way)] == 0);
            forks += usize::from(self.open[usize::from(way)] == 2);
        }
        ends + forks / 3
    }

    /// Finds the ways that come to an end, from their ends on; and the longest trail on these alone.
    fn find_dead_ends(&mut self) -> u8 {
        let mut longest = 0;
        let is_end = |way: &u8| self.open[usize::from(*way)] == 0;
        let mut found: ArrayVec<u8, { 2 * Edge::COUNT }> =
            self.piece.iter().flat_map(ways).filter(is_end).collect();
        while let Some(way) = found.pop() {
            let depth = |next: Option<u8>| next.map_or(0, |next| self.depths[usize::from(next)]);
            let [one, other] = self.onward(way).map(depth);
            longest = longest.max(one + other).max(1 + one.max(other));
            self.depths[usize::from(way)] = 1 + one.max(other);
            for beside in self.onward(way ^ 1).into_iter().flatten() {
                let open = &mut self.open[usize::from(beside ^ 1)];
                *open -= 1;
                if *open == 0 {
                    found.push(beside ^ 1);
                }
            }
        }
        longest
    }

    /// Whether a way comes to an end.
    #[inline]
    fn is_dead_end(&self, way: u8) -> bool {
        self.depths[usize::from(way)] > 0
    }

    /// The longest trail that comes by a dead end, against its way, and goes on along a way of a ring.
    fn with_dead_end(&mut self, end: u8, way: u8) -> u8 {
        let before = self.left;
        take_out(&mut self.left, end / 2);
        let length = self.depths[usize::from(end)] + self.along(way);
        self.left = before;
        length
    }

    /// The longest trail that begins along a way of a ring; all edges are left afterwards.
    fn along(&mut self, mut way: u8) -> u8 {
        let before = self.left;
        let (mut length, mut best) = (0, 0);
        loop {
            length += 1;
            take_out(&mut self.left, way / 2);
            let mut on = self.onward(way);
            for next in &mut on {
                let depth = next.map_or(0, |next| self.depths[usize::from(next)]);
                if depth > 0 {
                    best = best.max(length + depth);
                    *next = None;
                }
            }
            way = match on {
                [Some(one), Some(other)] => {
                    best = best.max(length + self.along(one).max(self.along(other)));
                    break;
                }
                [Some(next), None] | [None, Some(next)] => next,
                [None, None] => break,
            };
        }
        self.left = before;
        best.max(length)
    }
}

/// The longest trail that uses one of the roads; if that one is part of a ring, the longest of all trails.
pub fn longest_trail_with(map: &HexMap, roads: EdgeSet, walls: VertexSet, edge: Edge) -> u8 {
    let [here, there] = ways(edge);
    let mut walk = Walk::new(map, roads, walls);
    let one = walk.along(here);
    let seen = std::mem::take(&mut walk.seen);
    let other = walk.along(there);
    let both = seen.iter().zip(walk.seen).map(|(seen, now)| (seen & now).count_ones());
    if both.sum::<u32>() == 1 {
        // This road, and no other.
        return one + other - 1;
    }
    // The two ends are joined elsewhere too: the trails from them are not independent.
    longest_trail(map, roads, walls)
}

/// The two ways along an edge: to its lower vertex, to its higher one.
const fn ways(edge: Edge) -> [u8; 2] {
    [2 * edge.number(), 2 * edge.number() + 1]
}

const _: () = assert!(NO_WAY as usize / 2 >= Edge::COUNT, "no edge has the number of `NO_WAY`");

/// Walks on roads: those still unused, and those used by any walk.
struct Walk<'a> {
    map: &'a HexMap,
    left: [u64; 2],
    walls: [u64; 2],
    seen: [u64; 2],
}

impl<'a> Walk<'a> {
    fn new(map: &'a HexMap, roads: EdgeSet, walls: VertexSet) -> Walk<'a> {
        Walk { map, left: roads.words(), walls: walls.words(), seen: [0; 2] }
    }

    /// The length of the longest trail whose first edge is this way's; all roads are left afterwards.
    fn along(&mut self, mut way: u8) -> u8 {
        let before = self.left;
        let mut length = 0;
        // Most roads have no forks, so only a fork takes another call.
        let beyond = loop {
            length += 1;
            take_out(&mut self.left, way / 2);
            let head = self.map.ends[usize::from(way / 2)][usize::from(way % 2)];
            if is_in(&self.walls, head.number()) {
                break 0;
            }
            let [one, other] = self.map.onward[usize::from(way)];
            let on = |next: u8| is_in(&self.left, next / 2);
            way = match (on(one), on(other)) {
                (true, true) => break self.along(one).max(self.along(other)),
                (true, false) => one,
                (false, true) => other,
                (false, false) => break 0,
            };
        };
        for (seen, (before, left)) in self.seen.iter_mut().zip(before.iter().zip(self.left)) {
            *seen |= before & !left;
        }
        self.left = before;
        length + beyond
    }
}

/// A walk over all roads of a net, each once. That finds the longest trail of a net without rings: there, a trail
/// is what hangs on two ways that leave one vertex.
struct Sweep<'a, T> {
    turns: &'a T,
    map: &'a HexMap,
    left: [u64; 2],
    walls: [u64; 2],
    /// Vertices that were passed, by their parts.
    passed: [[u64; 2]; PARTS],
    best: u8,
    has_ring: bool,
}

impl<'a, T: Turns> Sweep<'a, T> {
    fn new(turns: &'a T, map: &'a HexMap, roads: EdgeSet, walls: VertexSet) -> Sweep<'a, T> {
        let (left, walls) = (roads.words(), walls.words());
        Sweep { turns, map, left, walls, passed: [[0; 2]; PARTS], best: 0, has_ring: false }
    }

    /// The length of the longest trail that uses an edge, if there is no ring.
    fn both_ways(&mut self, edge: Edge) -> u8 {
        let [here, there] = ways(edge);
        self.along(here) + self.along(there) - 1
    }

    /// The length of the longest trail whose first edge is this way's.
    fn along(&mut self, mut way: u8) -> u8 {
        let mut length = 0;
        loop {
            length += 1;
            take_out(&mut self.left, way / 2);
            let edge = Edge::new(way / 2);
            let over = self.map.ends[edge.idx()][usize::from(way % 2)];
            let head = over.number();
            if is_in(&self.walls, head) {
                return length;
            }
            let passed = &mut self.passed[self.turns.part(edge, over)];
            self.has_ring |= is_in(passed, head);
            passed[usize::from(head >> 6) & 1] |= 1 << (head & 63);
            let [one, other] = self.map.onward[usize::from(way)];
            let on = |next| leads_on(self.turns, &self.left, (edge, over), next);
            way = match (on(one), on(other)) {
                (true, true) => {
                    let (one, other) = (self.along(one), self.along(other));
                    self.best = self.best.max(one + other);
                    return length + one.max(other);
                }
                (true, false) => one,
                (false, true) => other,
                (false, false) => return length,
            };
        }
    }
}

/// Whether a trail may go from an edge over a vertex to the edge of a way, if that is left.
#[inline]
fn leads_on(turns: &impl Turns, left: &[u64; 2], (from, over): (Edge, Vertex), way: u8) -> bool {
    is_in(left, way / 2) && turns.may_turn(from, over, Edge::new(way / 2))
}

/// Takes a number below 128 out of a set.
#[inline]
const fn take_out(set: &mut [u64; 2], number: u8) {
    set[(number >> 6) as usize & 1] &= !(1 << (number & 63));
}

/// Whether a number below 128 is in a set.
#[inline]
const fn is_in(set: &[u64; 2], number: u8) -> bool {
    (set[(number >> 6) as usize & 1] >> (number & 63)) & 1 == 1
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::core::chance::below;
    use crate::parts::hexmap::{EXTENDED, STANDARD};
    use proptest::prelude::*;
    use rand_pcg::Pcg32;

    /// The obvious search: every order of edges that follow one another, from either end of every edge.
    fn slow(map: &HexMap, roads: &[Edge], walls: VertexSet) -> u8 {
        fn on(
            map: &HexMap,
            roads: &[Edge],
            used: &mut Vec<Edge>,
            at: Vertex,
            walls: VertexSet,
        ) -> u8 {
            let mut best = u8::try_from(used.len()).unwrap();
            if walls.contains(at) && !used.is_empty() {
                return best;
            }
            for &edge in roads {
                let [a, b] = map.ends[edge.idx()];
                if (a == at || b == at) && !used.contains(&edge) {
                    used.push(edge);
                    best = best.max(on(map, roads, used, if a == at { b } else { a }, walls));
                    used.pop();
                }
            }
            best
        }
        let ends = roads.iter().flat_map(|edge| map.ends[edge.idx()]);
        ends.map(|start| on(map, roads, &mut Vec::new(), start, walls)).max().unwrap_or(0)
    }

    /// A net that has grown edge by edge, mostly in one piece.
    pub(crate) fn grown(map: &HexMap, picks: &[(u8, bool)]) -> EdgeSet {
        let mut roads = EdgeSet::NONE;
        for &(pick, jump) in picks {
            let near = roads
                .iter()
                .flat_map(|edge| map.ends[edge.idx()])
                .fold(EdgeSet::NONE, |all, vertex| all | map.edges[vertex.idx()]);
            let from = if near.is_empty() || jump { map.all_edges() } else { near };
            let free: Vec<Edge> = (from - roads).iter().collect();
            if !free.is_empty() {
                roads |= EdgeSet::one(free[usize::from(pick) % free.len()]);
            }
        }
        roads
    }

    /// A ring around a hex, a road away from it, and two branches from its end that grow at random.
    fn ring_and_branches(map: &HexMap, rng: &mut Pcg32) -> EdgeSet {
        let pick = |rng: &mut Pcg32, places: EdgeSet| {
            let count = u32::from(places.len());
            places.iter().nth(below(rng, count) as usize).expect("one of them")
        };
        let hex = below(rng, map.hex_count.into()) as usize;
        let corners: VertexSet = map.corners[hex].into_iter().collect();
        let around = |vertex: Vertex| map.edges[vertex.idx()];
        let all = corners.iter().fold(EdgeSet::NONE, |all, corner| all | around(corner));
        let inside = |edge: &Edge| map.ends[edge.idx()].iter().all(|&end| corners.contains(end));
        let ring: EdgeSet = all.iter().filter(inside).collect();
        let stem = pick(rng, all - ring);
        let (mut roads, mut touched) = (ring.with(stem), corners);
        let end = map.ends[stem.idx()].into_iter().find(|&end| !corners.contains(end));
        let end = end.expect("it leads away");
        touched = touched.with(end);
        for first in around(end) - roads {
            let (mut at, mut next) = (end, Some(first));
            for _ in 0..=below(rng, 10) {
                let Some(edge) = next else { break };
                roads = roads.with(edge);
                let [a, b] = map.ends[edge.idx()];
                at = if a == at { b } else { a };
                touched = touched.with(at);
                let is_free =
                    |edge: &Edge| !map.ends[edge.idx()].iter().all(|&end| touched.contains(end));
                let on: EdgeSet = around(at).iter().filter(is_free).collect();
                next = (!on.is_empty()).then(|| pick(rng, on));
            }
        }
        roads
    }

    #[test]
    fn base_60_a_trail_may_pass_by_a_ring() {
        let mut rng = Pcg32::new(60, 6);
        let mut longer = 0;
        for _ in 0..2_000 {
            let roads = ring_and_branches(&EXTENDED, &mut rng);
            let edges: Vec<Edge> = roads.iter().collect();
            let due = slow(&EXTENDED, &edges, VertexSet::NONE);
            assert_eq!(longest_trail(&EXTENDED, roads, VertexSet::NONE), due, "{roads:?}");
            // Who goes around the ring uses all roads but those of one branch.
            let branches = edges.len() - 7;
            longer += u32::from(usize::from(due) == branches);
        }
        assert!(longer > 100, "{longer} trails use both branches alone");
    }

    proptest! {
        #[test]
        fn base_60_the_longest_road_is_that_of_an_obvious_search(
            picks in prop::collection::vec((any::<u8>(), prop::bool::weighted(0.06)), 0..16),
            walls in prop::collection::vec(0_u8..80, 0..7),
            large in any::<bool>(),
        ) {
            let map = if large { &EXTENDED } else { &STANDARD };
            let roads = grown(map, &picks);
            let walls = walls.into_iter().map(Vertex::new).collect();
            let fast = longest_trail(map, roads, walls);
            let edges: Vec<Edge> = roads.iter().collect();
            prop_assert_eq!(fast, slow(map, &edges, walls));
        }
    }
}
