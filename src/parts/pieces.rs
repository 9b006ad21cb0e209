//! Settlements, cities and roads on an island: where they stand, where they may stand, how long a road is.
//!
//! Places to build are kept up to date piece by piece, so that a legal list only copies a set. It knows no
//! prices, no supplies and no turns.

use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::parts::hexmap::HexMap;
use crate::parts::places::{Edge, EdgeSet, Hex, HexSet, Vertex, VertexSet};
use crate::parts::trails::{longest_trail, longest_trail_with};

/// What one seat has on the island.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Net {
    /// Settlements.
    pub settlements: VertexSet,
    /// Cities.
    pub cities: VertexSet,
    /// Roads.
    pub roads: EdgeSet,
    /// Vertices that the roads touch.
    pub reach: VertexSet,
    /// Free edges that a road may be laid on: they touch the seat's own net, not past another's building.
    pub frontier: EdgeSet,
}

impl Net {
    /// Settlements and cities.
    #[inline]
    pub fn buildings(&self) -> VertexSet {
        self.settlements | self.cities
    }
}

/// A settlement or city and its owner, in a byte; 0 is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Building(u8);

impl Building {
    /// A settlement of a seat.
    #[inline]
    pub const fn settlement(seat: Seat) -> Building {
        Building(2 * seat.number())
    }

    /// A city of a seat.
    #[inline]
    pub const fn city(seat: Seat) -> Building {
        Building(2 * seat.number() + 1)
    }

    /// Its owner, and how much it yields: 1 for a settlement, 2 for a city.
    #[inline]
    pub const fn owner_and_yield(self) -> Option<(Seat, u8)> {
        if self.0 == 0 { None } else { Some((Seat::new(self.0 / 2 - 1), 1 + (self.0 & 1))) }
    }

    /// Its owner.
    #[inline]
    pub const fn owner(self) -> Option<Seat> {
        if self.0 == 0 { None } else { Some(Seat::new(self.0 / 2 - 1)) }
    }
}

/// A small number for each seat, four bits a seat: how many cards a hex brings to it, or what its buildings
/// are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Yields(u32);

#[allow(clippy::cast_possible_truncation, reason = "four bits are meant")]
impl Yields {
    /// Nothing for anybody.
    pub const NONE: Yields = Yields(0);

    /// The most that a seat may get.
    #[inline]
    pub const fn all_of(seat: Seat) -> Yields {
        Yields(15 << (4 * seat.idx()))
    }

    /// The most that each of some seats may get.
    #[inline]
    pub fn all_of_those(seats: PerSeat<bool>) -> Yields {
        let lanes = seats.into_iter().enumerate();
        Yields(lanes.fold(0, |all, (idx, is_in)| all | if is_in { 15 << (4 * idx) } else { 0 }))
    }

    /// One more for a seat.
    #[inline]
    pub const fn one_more(self, seat: Seat) -> Yields {
        Yields(self.0 + (1 << (4 * seat.idx())))
    }

    /// The same without one seat.
    #[inline]
    pub const fn without(self, seat: Seat) -> Yields {
        Yields(self.0 & !Yields::all_of(seat).0)
    }

    /// Keeps only what the seats of a mask get.
    #[inline]
    pub const fn only(self, seats: Yields) -> Yields {
        Yields(self.0 & seats.0)
    }

    /// Whether it brings nothing to anybody.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The seats that get something, one bit each: see [`Yields::of_bit`].
    #[inline]
    pub const fn bits(self) -> u32 {
        // A lane holds 6 at most, so that 7 more set its top bit unless it is empty.
        (self.0 + 0x77_7777) & 0x88_8888
    }

    /// The seat of the bit at a place in [`Yields::bits`].
    #[inline]
    pub const fn of_bit(place: usize) -> Seat {
        Seat::new((place / 4) as u8)
    }

    /// What the seat at a position gets.
    #[inline]
    pub const fn at(self, idx: usize) -> u8 {
        (self.0 >> (4 * idx)) as u8 & 15
    }

    /// How many cards all seats get: at most 6, as the corners of a hex have room for three buildings.
    #[inline]
    pub const fn total(self) -> u8 {
        // The top lane of the product is the sum of the six lanes.
        (self.0.wrapping_mul(0x11_1111) >> 20) as u8 & 15
    }

    /// The seats that get cards, and how many.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = (Seat, u8)> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let seat = Seat::new((left.trailing_zeros() / 4) as u8);
            let cards = (left >> (4 * seat.idx()) & 15) as u8;
            left &= !Yields::all_of(seat).0;
            Some((seat, cards))
        })
    }
}

/// All pieces of a match, and what is derived from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pieces {
    /// By seat.
    pub nets: PerSeat<Net>,
    /// What each hex brings to whom.
    pub yields: [Yields; Hex::COUNT],
    /// Buildings by vertex.
    pub at: [Building; Vertex::COUNT],
    /// Edges on which no road can be laid: those with a road, and those off the ground.
    pub taken: EdgeSet,
    /// Vertices without a building on them or next to them: the distance rule.
    pub open: VertexSet,
    /// Hexes that the buildings of each seat touch.
    pub lands: PerSeat<HexSet>,
}

/// Where roads and buildings may stand at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ground {
    /// Edges for roads.
    pub edges: EdgeSet,
    /// Vertices for settlements.
    pub vertices: VertexSet,
}

impl Ground {
    /// All of an island.
    pub fn of(map: &HexMap) -> Ground {
        Ground { edges: map.all_edges(), vertices: map.all_vertices() }
    }
}

impl Pieces {
    /// An empty island.
    pub fn none(map: &HexMap) -> Pieces {
        Pieces {
            nets: [Net::default(); SEATS_MAX],
            yields: [Yields::NONE; Hex::COUNT],
            at: [Building::default(); Vertex::COUNT],
            taken: EdgeSet::NONE,
            open: map.all_vertices(),
            lands: [HexSet::NONE; SEATS_MAX],
        }
    }

    /// The pieces of which settlements, cities and roads are given, where those of the first `paid` seats yield; nothing
    /// if they can't stand like that.
    pub fn standing(map: &HexMap, ground: &Ground, nets: PerSeat<Net>, paid: u8) -> Option<Pieces> {
        let mut pieces = Pieces { nets, ..Pieces::none(map) };
        let (mut roads, mut built) = (EdgeSet::NONE, VertexSet::NONE);
        for (seat, net) in Seat::all(6).zip(&mut pieces.nets) {
            let apart = net.settlements.is_disjoint(net.cities) && net.roads.is_disjoint(roads);
            for vertex in net.buildings() {
                if !ground.vertices.contains(vertex) || near(map, built).contains(vertex) {
                    return None;
                }
                built |= VertexSet::one(vertex);
            }
            if !apart || !(net.roads - ground.edges).is_empty() {
                return None;
            }
            roads |= net.roads;
            net.reach = net.roads.iter().flat_map(|edge| map.ends[edge.idx()]).collect();
            net.settlements.iter().for_each(|at| pieces.at[at.idx()] = Building::settlement(seat));
            net.cities.iter().for_each(|at| pieces.at[at.idx()] = Building::city(seat));
        }
        for seat in Seat::all(paid) {
            let Net { settlements, cities, .. } = pieces.nets[seat.idx()];
            for vertex in settlements.iter().chain(cities).chain(cities) {
                pieces.lands[seat.idx()] |= map.hexes[vertex.idx()];
                pieces.add_yields(map, seat, vertex);
            }
        }
        pieces.stand_on(map, ground);
        Some(pieces)
    }

    /// Lays a road.
    pub fn lay_road(&mut self, map: &HexMap, seat: Seat, edge: Edge) {
        let road = EdgeSet::one(edge);
        self.taken |= road;
        for net in &mut self.nets {
            net.frontier -= road;
        }
        let net = &mut self.nets[seat.idx()];
        net.roads |= road;
        for end in map.ends[edge.idx()] {
            net.reach |= VertexSet::one(end);
            if self.at[end.idx()].owner().is_none_or(|owner| owner == seat) {
                net.frontier |= map.edges[end.idx()] - self.taken;
            }
        }
    }

    /// Keeps roads off some edges.
    #[inline]
    pub fn block(&mut self, edges: EdgeSet) {
        self.taken |= edges;
        for net in &mut self.nets {
            net.frontier -= edges;
        }
    }

    /// Frees an edge without a road that was blocked.
    pub fn free(&mut self, map: &HexMap, edge: Edge) {
        let freed = EdgeSet::one(edge);
        self.taken -= freed;
        for seat in 0..SEATS_MAX {
            let reaches = map.ends[edge.idx()].into_iter().any(|end| self.connects(seat, end));
            self.nets[seat].frontier |= freed.kept_if(reaches);
        }
    }

    /// Takes a road up; [`Pieces::stand_on`] then derives what may be built.
    pub fn take_road(&mut self, map: &HexMap, seat: Seat, edge: Edge) {
        let net = &mut self.nets[seat.idx()];
        net.roads -= EdgeSet::one(edge);
        net.reach = net.roads.iter().flat_map(|edge| map.ends[edge.idx()]).collect();
    }

    /// Derives what may be built where, after the ground has changed or a piece has been taken up.
    pub fn stand_on(&mut self, map: &HexMap, ground: &Ground) {
        let mut built = VertexSet::NONE;
        self.taken = map.all_edges() - ground.edges;
        for net in &self.nets {
            self.taken |= net.roads;
            built |= net.buildings();
        }
        self.open = ground.vertices - near(map, built);
        for seat in 0..SEATS_MAX {
            self.nets[seat].frontier = Pieces::frontier(map, &self.nets[seat], built) - self.taken;
        }
    }

    /// Edges at which a seat's net could be built on, free or not, among all buildings.
    fn frontier(map: &HexMap, net: &Net, built: VertexSet) -> EdgeSet {
        let from = (net.reach | net.buildings()) - (built - net.buildings());
        from.iter().fold(EdgeSet::NONE, |edges, vertex| edges | map.edges[vertex.idx()])
    }

    /// Builds a settlement; it interrupts the roads of others through that vertex.
    pub fn settle(&mut self, map: &HexMap, seat: Seat, vertex: Vertex) {
        self.stand(map, seat, vertex);
        self.lands[seat.idx()] |= map.hexes[vertex.idx()];
        self.add_yields(map, seat, vertex);
    }

    /// Builds a settlement that yields nothing.
    pub fn stand(&mut self, map: &HexMap, seat: Seat, vertex: Vertex) {
        let spot = VertexSet::one(vertex);
        self.at[vertex.idx()] = Building::settlement(seat);
        self.open -= map.neighbours[vertex.idx()].with(vertex);
        let here = map.edges[vertex.idx()] - self.taken;
        self.nets[seat.idx()].settlements |= spot;
        self.nets[seat.idx()].frontier |= here;
        for other in 0..SEATS_MAX {
            if other == seat.idx() || !self.nets[other].reach.contains(vertex) {
                continue;
            }
            for edge in here {
                let beyond = map.across(edge, vertex);
                if !self.connects(other, beyond) {
                    self.nets[other].frontier -= EdgeSet::one(edge);
                }
            }
        }
    }

    /// Whether a seat may build on from a vertex: its own road or building is there, and no other's.
    fn connects(&self, seat: usize, vertex: Vertex) -> bool {
        match self.at[vertex.idx()].owner() {
            Some(owner) => owner.idx() == seat,
            None => self.nets[seat].reach.contains(vertex),
        }
    }

    /// Replaces a settlement with a city.
    pub fn enlarge(&mut self, map: &HexMap, seat: Seat, vertex: Vertex) {
        self.add_yields(map, seat, vertex);
        let spot = VertexSet::one(vertex);
        self.at[vertex.idx()] = Building::city(seat);
        let net = &mut self.nets[seat.idx()];
        net.settlements -= spot;
        net.cities |= spot;
    }

    fn add_yields(&mut self, map: &HexMap, seat: Seat, vertex: Vertex) {
        for hex in map.hexes[vertex.idx()] {
            self.yields[hex.idx()] = self.yields[hex.idx()].one_more(seat);
        }
    }

    /// Where a seat may settle: open vertices that its roads touch.
    #[inline]
    pub fn sites(&self, seat: Seat) -> VertexSet {
        self.nets[seat.idx()].reach & self.open
    }

    /// The length of a seat's longest road: the longest trail that uses no edge twice and does not pass
    /// through another's building.
    pub fn longest_road(&self, map: &HexMap, seat: Seat) -> u8 {
        let net = &self.nets[seat.idx()];
        longest_trail(map, net.roads, self.walls(seat))
    }

    /// The length of the longest trail that uses one road of a seat.
    pub fn longest_with(&self, map: &HexMap, seat: Seat, edge: Edge) -> u8 {
        let net = &self.nets[seat.idx()];
        longest_trail_with(map, net.roads, self.walls(seat), edge)
    }

    /// Vertices that a seat's roads don't pass.
    #[inline]
    pub fn walls(&self, seat: Seat) -> VertexSet {
        let mut walls = VertexSet::NONE;
        for (idx, other) in self.nets.iter().enumerate() {
            if idx != seat.idx() {
                walls |= other.buildings();
            }
        }
        walls
    }

    /// Asserts that what is derived from the pieces is up to date, where those of the first `paid` seats yield.
    ///
    /// # Panics
    /// If it isn't.
    pub fn check(&self, map: &HexMap, ground: &Ground, paid: u8) {
        let mut taken = map.all_edges() - ground.edges;
        let mut built = VertexSet::NONE;
        for (idx, net) in self.nets.iter().enumerate() {
            assert!(net.roads.is_disjoint(taken), "two roads on an edge, or one off the ground");
            taken |= net.roads;
            assert!(net.settlements.is_disjoint(net.cities), "a city beside its settlement");
            assert!(net.buildings().is_disjoint(built), "two buildings on a vertex");
            built |= net.buildings();
            let reach: VertexSet = net.roads.iter().flat_map(|edge| map.ends[edge.idx()]).collect();
            assert_eq!(net.reach, reach, "the vertices that roads of {idx} touch");
            let seat = Seat::all(6).nth(idx).expect("six seats");
            for vertex in net.settlements {
                assert_eq!(self.at[vertex.idx()], Building::settlement(seat));
            }
            for vertex in net.cities {
                assert_eq!(self.at[vertex.idx()], Building::city(seat));
            }
        }
        assert_eq!(self.taken, taken, "edges that are not free");
        let standing = self.at.iter().filter(|building| building.owner().is_some()).count();
        assert_eq!(standing, usize::from(built.len()), "buildings by vertex");
        self.check_yields(map, paid);
        let near = |vertex: &Vertex| !map.neighbours[vertex.idx()].with(*vertex).is_disjoint(built);
        let open = ground.vertices - map.all_vertices().iter().filter(near).collect();
        assert_eq!(self.open, open, "vertices that are open");
        for vertex in built {
            assert!(map.neighbours[vertex.idx()].is_disjoint(built), "the distance rule");
        }
        for (idx, net) in self.nets.iter().enumerate() {
            let from = (net.reach | net.buildings()) - (built - net.buildings());
            let edges =
                from.iter().fold(EdgeSet::NONE, |edges, vertex| edges | map.edges[vertex.idx()]);
            assert_eq!(net.frontier, edges - taken, "where {idx} may lay a road");
        }
    }

    /// Every hex brings what the buildings at its corners yield; runs after all of [`Pieces::at`] was checked.
    fn check_yields(&self, map: &HexMap, paid: u8) {
        let mut lands = [HexSet::NONE; SEATS_MAX];
        for hex in map.all_hexes() {
            let mut due = Yields::NONE;
            let buildings = map.corners[hex.idx()].map(|corner| self.at[corner.idx()]);
            for (seat, cards) in buildings.into_iter().filter_map(Building::owner_and_yield) {
                if seat.idx() < usize::from(paid) {
                    due = (0..cards).fold(due, |due, _| due.one_more(seat));
                    lands[seat.idx()] |= HexSet::one(hex);
                }
            }
            assert_eq!(self.yields[hex.idx()], due, "what hex {hex} brings");
        }
        assert_eq!(self.lands, lands, "the lands of the seats");
    }
}

/// Some vertices and all beside them.
fn near(map: &HexMap, built: VertexSet) -> VertexSet {
    built.iter().fold(built, |near, vertex| near | map.neighbours[vertex.idx()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::hexmap::STANDARD;
    use crate::parts::trails::tests::grown;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn base_60_a_new_road_makes_the_longest_longer_as_all_roads_do(
            picks in prop::collection::vec((any::<u8>(), prop::bool::weighted(0.06)), 1..16),
            walls in prop::collection::vec(0_u8..54, 0..5),
            last in any::<u8>(),
        ) {
            let map = &STANDARD;
            let roads = grown(map, &picks);
            let seat = Seat::new(2);
            let mut pieces = Pieces::none(map);
            for wall in walls.into_iter().map(Vertex::new) {
                if pieces.open.contains(wall) {
                    pieces.settle(map, Seat::new(1), wall);
                }
            }
            let last = roads.iter().nth(usize::from(last % roads.len())).unwrap();
            for road in roads - EdgeSet::one(last) {
                pieces.lay_road(map, seat, road);
            }
            let before = pieces.longest_road(map, seat);
            pieces.lay_road(map, seat, last);
            let after = before.max(pieces.longest_with(map, seat, last));
            prop_assert_eq!(after, pieces.longest_road(map, seat));
            pieces.check(map, &Ground::of(map), 6);
        }
    }
}
