//! Land and sea: what lies where, what is uncovered, which islands there are, and where boats and roads may go.
//! (BOAT-1 to BOAT-15, BOAT-30 to BOAT-33)

use crate::core::chance::Chance;
use crate::core::resources::Resource;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::games::boats::game::Boats;
use crate::games::boats::route::{Network, longest_route};
use crate::games::boats::scenario::{SEA, corners, pieces, rings};
use crate::games::boats::state::{Own, State};
use crate::parts::hexmap::HexMap;
use crate::parts::island::luck::Draw;
use crate::parts::island::state::Table;
use crate::parts::pieces::{Ground, Pieces};
use crate::parts::places::{Edge, EdgeSet, HexSet, VertexSet};

/// Where a seat could lay another boat or road, and where it could if one that it has were not there.
#[derive(Debug, Clone, Copy)]
pub struct Berths {
    map: &'static HexMap,
    /// Where no piece lies.
    free: EdgeSet,
    /// Edges at its ports and buildings.
    reached: EdgeSet,
    /// Edges between two of these.
    twice: EdgeSet,
    /// Vertices that one piece of the kind alone touches, and no building of its own.
    ends: VertexSet,
    /// Others' buildings.
    walls: VertexSet,
}

impl Berths {
    /// With all that it has.
    #[inline]
    pub fn all(&self) -> EdgeSet {
        self.reached & self.free
    }

    /// Without one of them: what is reached from its ends alone is out of reach.
    #[inline]
    pub fn without(&self, edge: Edge) -> EdgeSet {
        let ends = self.map.end_sets[edge.idx()] & (self.ends - self.walls);
        let lost = ends.iter().fold(EdgeSet::NONE, |all, end| all | self.map.edges[end.idx()]);
        (self.reached - (lost - self.twice)) & self.free
    }

    /// Those with an end that touches none of the others, no building of the seat and nothing at some other vertices.
    pub fn open_ended(&self, among: EdgeSet, others: VertexSet) -> EdgeSet {
        let ends = self.ends - others;
        among & ends.iter().fold(EdgeSet::NONE, |all, end| all | self.map.edges[end.idx()])
    }
}

impl Boats {
    /// Hexes that are known to be land.
    #[inline]
    pub fn land(&self, own: &Own) -> HexSet {
        self.island.map.all_hexes() - own.sea - own.fog
    }

    /// Where roads and settlements may stand: at known land, not where a boat lies.
    pub(crate) fn ground(&self, own: &Own) -> Ground {
        let (map, land) = (self.island.map, self.land(own));
        let edges = rings(map, land) - rings(map, own.fog) - own.all_boats();
        Ground { edges, vertices: corners(map, land) }
    }

    /// Where boats may lie: at known sea, the rim of the map included, and on no river. (BOAT-10)
    pub(crate) fn waters(&self, own: &Own) -> EdgeSet {
        let map = self.island.map;
        (map.rim | rings(map, own.sea)) - rings(map, own.fog) - self.scenario.rivers
    }

    /// Takes up a boat, so that a road may lie there if there is known land beside it. (BOAT-11, BOAT-20)
    pub(crate) fn take_boat(&self, pieces: &mut Pieces, own: &mut Own, (seat, boat): (Seat, Edge)) {
        let map = self.island.map;
        own.boats[seat.idx()] -= EdgeSet::one(boat);
        let [one, other] = map.ends[boat.idx()];
        let beside = map.hexes[one.idx()] & map.hexes[other.idx()];
        if beside.is_disjoint(own.fog) && !beside.is_disjoint(self.land(own)) {
            pieces.free(map, boat);
        }
    }

    /// Uncovers the unexplored hexes at both ends of a new piece of the active seat. (BOAT-2, BOAT-52)
    pub(crate) fn uncover<C: Chance<Draw>>(&self, state: &mut State, edge: Edge, chance: &mut C) {
        let map = self.island.map;
        let [one, other] = map.ends[edge.idx()];
        let found = (map.hexes[one.idx()] | map.hexes[other.idx()]) & state.own.fog;
        if found.is_empty() {
            return;
        }
        let State { island, own } = state;
        let table = &mut island.table;
        for hex in found {
            let kind = usize::from(chance.kind(Draw::Terrain, &own.aside.terrain));
            own.aside.terrain[kind] -= 1;
            own.fog -= HexSet::one(hex);
            if kind == SEA {
                own.sea |= HexSet::one(hex);
            }
            table.board.terrain[hex.idx()] = Resource::ALL.get(kind).copied();
            if table.board.terrain[hex.idx()].is_some() {
                let sum = chance.kind(Draw::Token, &own.aside.tokens);
                own.aside.tokens[usize::from(sum)] -= 1;
                table.board.lay_token(hex, sum + 2);
            }
            own.gold[table.active.idx()] += self.rules.gold.found;
        }
        own.waters = self.waters(own);
        table.pieces.stand_on(map, &self.ground(own));
        self.settle_chits(state);
    }

    /// Gives each seat the chits that it has earned, and their points.
    pub(crate) fn settle_chits(&self, state: &mut State) {
        let State { island, own } = state;
        let table = &mut island.table;
        self.count_chits(&table.pieces, table.founded, own);
        table.bonus = own.chits.map(|chits| chits * self.rules.chit);
    }

    /// One chit for each piece of land on which a seat has a building and has not founded: it counts if the land is
    /// an island, all around which is known, and else it waits. (BOAT-3, BOAT-31 to BOAT-33, BOAT-53)
    pub(crate) fn count_chits(&self, standing: &Pieces, founded: VertexSet, own: &mut Own) {
        let map = self.island.map;
        (own.chits, own.waiting) = ([0; SEATS_MAX], [0; SEATS_MAX]);
        for piece in pieces(map, self.land(own)) {
            let around = piece.iter().fold(HexSet::NONE, |all, hex| all | map.touching[hex.idx()]);
            let here = corners(map, piece);
            for (idx, net) in standing.nets.iter().enumerate() {
                let built = net.buildings() & here;
                if built.is_empty() || !built.is_disjoint(founded) {
                    continue;
                }
                if around.is_disjoint(own.fog) {
                    own.chits[idx] += 1;
                } else {
                    own.waiting[idx] += 1;
                }
            }
        }
    }

    /// Where a seat could build or move a boat. (BOAT-10 to BOAT-13)
    pub fn boat_berths(&self, table: &Table, own: &Own, seat: Seat) -> Berths {
        let roads = table.pieces.nets.iter().fold(EdgeSet::NONE, |all, net| all | net.roads);
        let free = (own.waters - roads) - own.all_boats();
        self.berths(table, seat, own.boats[seat.idx()], free)
    }

    /// Where a seat could move a road. (BOAT-41)
    pub fn road_berths(&self, table: &Table, seat: Seat) -> Berths {
        let (map, pieces) = (self.island.map, &table.pieces);
        let free = map.all_edges() - pieces.taken;
        self.berths(table, seat, pieces.nets[seat.idx()].roads, free)
    }

    /// Where a seat could lay another of some pieces that it has, where nothing lies.
    fn berths(&self, table: &Table, seat: Seat, laid: EdgeSet, free: EdgeSet) -> Berths {
        let (map, pieces) = (self.island.map, &table.pieces);
        let (touched, more) = self.touched(laid);
        let (buildings, walls) = (pieces.nets[seat.idx()].buildings(), pieces.walls(seat));
        let ports = touched - walls;
        let none = (EdgeSet::NONE, EdgeSet::NONE);
        let (reached, twice) = (ports | buildings).iter().fold(none, |(once, twice), vertex| {
            let here = map.edges[vertex.idx()];
            (once | here, twice | once & here)
        });
        Berths { map, free, reached, twice, ends: (touched - more) - buildings, walls }
    }

    /// The vertices that some edges touch, and those that more than one of them touches.
    fn touched(&self, edges: EdgeSet) -> (VertexSet, VertexSet) {
        let map = self.island.map;
        edges.iter().fold((VertexSet::NONE, VertexSet::NONE), |(once, more), edge| {
            let ends = map.end_sets[edge.idx()];
            (once | ends, more | once & ends)
        })
    }

    /// The vertices that boats touch.
    #[inline]
    pub fn ports(&self, boats: EdgeSet) -> VertexSet {
        let map = self.island.map;
        boats.iter().fold(VertexSet::NONE, |all, edge| all | map.end_sets[edge.idx()])
    }

    /// Where a seat may settle because its boats arrive there and no road of its own does. (BOAT-15)
    #[inline]
    pub fn landings(&self, table: &Table, own: &Own, seat: Seat) -> VertexSet {
        let reach = table.pieces.nets[seat.idx()].reach;
        (self.ports(own.boats[seat.idx()]) & table.pieces.open) - reach
    }

    /// The length of a seat's longest trade route. (BOAT-30)
    pub fn longest_route(&self, pieces: &Pieces, own: &Own, seat: Seat) -> u8 {
        let net = &pieces.nets[seat.idx()];
        let network = Network {
            roads: net.roads,
            boats: own.boats[seat.idx()],
            joints: net.buildings(),
            walls: pieces.walls(seat),
        };
        longest_route(self.island.map, &network)
    }

    /// Whether the active seat holds the longest trade route, and would lose it if it were determined now: in its own
    /// turn a route gets shorter by a move only. (BOAT-30)
    pub(crate) fn broke_route(&self, table: &Table, own: &mut Own) -> bool {
        let moved = own.moved > 0 || own.road_moved;
        if !moved || table.route != Some(table.active) {
            return false;
        }
        let mut due = *table;
        self.award_route(&mut due, own);
        due.route != table.route
    }

    /// The longest trade route by all lengths. (BOAT-30)
    pub(crate) fn award_route(&self, table: &mut Table, own: &mut Own) {
        let pieces = table.pieces;
        self.island.award_longest(table, |seat, most| {
            let at = seat.idx();
            let edges = pieces.nets[at].roads | own.boats[at];
            match own.lengths[at] {
                Some(length) => length,
                None if edges.len() < most => 0,
                None => *own.lengths[at].insert(self.longest_route(&pieces, own, seat)),
            }
        });
    }
}
