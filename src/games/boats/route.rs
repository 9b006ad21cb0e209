//! The longest trade route: the longest trail over roads and boats that uses no edge twice. (BOAT-13, BOAT-30)
//!
//! A road and a boat follow one another only at an own building, and others' buildings are walls. So a vertex
//! without an own building is two: one where roads meet, one where boats meet.

use crate::parts::hexmap::HexMap;
use crate::parts::places::{Edge, EdgeSet, Vertex, VertexSet};
use crate::parts::trails::{Turns, longest_trail_by};

/// What a seat has on the map, as far as it matters to its trade routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    /// Its roads.
    pub roads: EdgeSet,
    /// Its boats; no edge has both.
    pub boats: EdgeSet,
    /// Its buildings, which join roads and boats.
    pub joints: VertexSet,
    /// Others' buildings, where a route ends.
    pub walls: VertexSet,
}

impl Turns for Network {
    #[inline]
    fn may_turn(&self, from: Edge, over: Vertex, to: Edge) -> bool {
        self.boats.contains(from) == self.boats.contains(to) || self.joints.contains(over)
    }

    /// Boats meet apart from roads, but for an own building.
    #[inline]
    fn part(&self, edge: Edge, at: Vertex) -> usize {
        usize::from(self.boats.contains(edge) && !self.joints.contains(at))
    }
}

/// The length of the longest trade route.
pub fn longest_route(map: &HexMap, network: &Network) -> u8 {
    let edges = network.roads | network.boats;
    longest_trail_by(network, map, edges, network.walls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::below;
    use crate::games::boats::scenario::FRAMES;
    use rand_pcg::Pcg32;

    /// The obvious search: every order of edges that follow one another, from either end of every edge.
    struct Slow<'a> {
        map: &'a HexMap,
        network: &'a Network,
        used: Vec<Edge>,
        best: usize,
    }

    impl Slow<'_> {
        fn longest(map: &HexMap, network: &Network) -> usize {
            let mut slow = Slow { map, network, used: Vec::new(), best: 0 };
            for edge in network.roads | network.boats {
                for end in map.ends[edge.idx()] {
                    slow.used.push(edge);
                    slow.from(end);
                    slow.used.pop();
                }
            }
            slow.best
        }

        fn from(&mut self, at: Vertex) {
            self.best = self.best.max(self.used.len());
            if self.network.walls.contains(at) {
                return;
            }
            let last = *self.used.last().unwrap();
            for next in self.network.roads | self.network.boats {
                let [a, b] = self.map.ends[next.idx()];
                let changes =
                    self.network.roads.contains(last) != self.network.roads.contains(next);
                let joined = !changes || self.network.joints.contains(at);
                if (a == at || b == at) && !self.used.contains(&next) && joined {
                    self.used.push(next);
                    self.from(if a == at { b } else { a });
                    self.used.pop();
                }
            }
        }
    }

    /// A network that has grown edge by edge, mostly in one piece, with buildings of both sides.
    fn grown(map: &HexMap, rng: &mut Pcg32) -> Network {
        let mut network = Network {
            roads: EdgeSet::NONE,
            boats: EdgeSet::NONE,
            joints: VertexSet::NONE,
            walls: VertexSet::NONE,
        };
        for _ in 0..=below(rng, 30) {
            let edges = network.roads | network.boats;
            let touched = edges.iter().flat_map(|edge| map.ends[edge.idx()]);
            let near = touched.fold(EdgeSet::NONE, |near, end| near | map.edges[end.idx()]);
            let from = if near.is_empty() || below(rng, 16) == 0 { map.all_edges() } else { near };
            let free: Vec<Edge> = (from - edges).iter().collect();
            if free.is_empty() {
                continue;
            }
            let edge = EdgeSet::one(free[below(rng, u32::try_from(free.len()).unwrap()) as usize]);
            if below(rng, 2) == 0 { network.roads |= edge } else { network.boats |= edge }
        }
        for _ in 0..below(rng, 10) {
            let vertex = Vertex::new(u8::try_from(below(rng, map.vertex_count.into())).unwrap());
            let spot = VertexSet::one(vertex) - network.joints - network.walls;
            if below(rng, 3) == 0 { network.walls |= spot } else { network.joints |= spot }
        }
        // Most joints lie where they matter.
        let touching = |edges: EdgeSet| -> VertexSet {
            edges.iter().flat_map(|edge| map.ends[edge.idx()]).collect()
        };
        for vertex in touching(network.roads) & touching(network.boats) {
            if below(rng, 2) == 0 {
                network.joints |= VertexSet::one(vertex) - network.walls;
            }
        }
        network
    }

    #[test]
    fn boat_30_the_longest_trade_route_is_that_of_an_obvious_search() {
        let mut rng = Pcg32::new(30, 13);
        let mut joined = 0;
        let all = std::env::var("FAIRHAVEN_CASES").is_ok_and(|which| which == "all");
        let rounds = if all { 60_000 } else { 12_000 };
        for round in 0..rounds {
            let (_, map) = FRAMES[round % FRAMES.len()];
            let network = grown(map, &mut rng);
            let fast = longest_route(map, &network);
            assert_eq!(usize::from(fast), Slow::longest(map, &network), "{network:?}");
            let apart = Network { joints: VertexSet::NONE, ..network };
            joined += usize::from(longest_route(map, &apart) < fast);
        }
        assert!(joined > rounds / 6, "a joint mattered in {joined} of {rounds} networks only");
    }
}
