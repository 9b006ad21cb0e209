//! The open part of a position as the island's opinions read it: boats count as roads, and edges that could have a
//! boat as edges that could have a road. What lies across the water is then judged as what lies along a road.

use crate::core::game::Game;
use crate::core::types::cache::Cache;
use crate::core::types::seat::Seat;
use crate::games::boats::game::Boats;
use crate::games::boats::scenario::{corners, pieces};
use crate::games::boats::state::Own;
use crate::parts::hexmap::HexMap;
use crate::parts::island::state::Table;
use crate::parts::places::{Edge, EdgeSet, Hex, VertexSet};
use arrayvec::ArrayVec;

/// No foreign land is looked for farther away than this number of boats.
pub const FARTHEST: u8 = 6;

/// Makes boats roads of a table.
pub fn chart(game: &Boats, table: &mut Table, own: &Own) {
    let map = game.island().map();
    let pieces = &mut table.pieces;
    let (mut laid, mut built) = (own.all_boats(), VertexSet::NONE);
    for net in &pieces.nets {
        laid |= net.roads;
        built |= net.buildings();
    }
    // Roads can't be laid on the water, nor where nothing is known yet.
    pieces.taken = laid | (pieces.taken - own.waters);
    for (net, &boats) in pieces.nets.iter_mut().zip(&own.boats).take(game.players().into()) {
        let ports = game.ports(boats);
        net.roads |= boats;
        net.reach |= ports;
        // As `Boats::boat_berths` finds them.
        let buildings = net.buildings();
        net.frontier |= onward((ports - built) | buildings, laid, map) & own.waters;
    }
}

/// As much of that as it takes to judge what a seat's hand is good for: where it may settle.
pub fn chart_reach(game: &Boats, table: &mut Table, own: &Own, seat: Seat) {
    table.pieces.nets[seat.idx()].reach |= game.ports(own.boats[seat.idx()]);
}

/// How many boats or roads a seat needs to foreign land, by all that it follows from: pieces and land, which a search meets
/// again and again.
#[derive(Debug, Clone)]
pub struct KnownVoyages {
    boats: Cache<10, Option<u8>>,
    coasts: KnownCoasts,
}

/// The corners of each piece of land, by the land.
#[derive(Debug, Clone)]
struct KnownCoasts(Cache<1, ArrayVec<VertexSet, { Hex::COUNT }>>);

impl KnownCoasts {
    /// The same as [`foreign`].
    fn away_from(&mut self, game: &Boats, table: &Table, own: &Own, seat: Seat) -> VertexSet {
        let [land, _] = game.land(own).words();
        let coasts = self.0.get([land], |coasts| *coasts = coasts_of(game, own).collect());
        away(coasts.iter().copied(), table, seat)
    }
}

/// Slots of the caches, as powers of two.
const CACHE_BITS: [u32; 2] = [10, 4];

impl Default for KnownVoyages {
    fn default() -> KnownVoyages {
        let [boats, coasts] = CACHE_BITS;
        KnownVoyages { boats: Cache::new(boats), coasts: KnownCoasts(Cache::new(coasts)) }
    }
}

impl KnownVoyages {
    /// The same as [`foreign`].
    pub fn foreign(&mut self, game: &Boats, table: &Table, own: &Own, seat: Seat) -> VertexSet {
        self.coasts.away_from(game, table, own, seat)
    }

    /// How many boats or roads a seat still needs to [foreign] land; nothing if it is too far.
    pub fn boats_to_foreign(
        &mut self,
        game: &Boats,
        chart: &Table,
        own: &Own,
        seat: Seat,
    ) -> Option<u8> {
        let (pieces, net) = (&chart.pieces, &chart.pieces.nets[seat.idx()]);
        let vertices = [net.buildings(), net.reach, pieces.open, pieces.walls(seat)];
        let [[built, a], [reach, b], [open, c], [walls, d]] = vertices.map(VertexSet::words);
        let [[frontier, e], [taken, f]] = [net.frontier, pieces.taken].map(EdgeSet::words);
        // A set of vertices has 16 bits in its second word.
        let rests = a | b << 16 | c << 32 | d << 48;
        let [land, _] = game.land(own).words();
        let key = [built, reach, open, walls, rests, frontier, e, taken, f, land];
        let KnownVoyages { boats, coasts } = self;
        *boats.get(key, |boats| {
            let foreign = coasts.away_from(game, chart, own, seat);
            *boats = pieces_to(game, chart, seat, foreign, FARTHEST);
        })
    }
}

/// Where a seat could earn a chit: open vertices on land that is not joined to its home and where it has no building.
pub fn foreign(game: &Boats, table: &Table, own: &Own, seat: Seat) -> VertexSet {
    away(coasts_of(game, own), table, seat)
}

/// The corners of each piece of land.
fn coasts_of(game: &Boats, own: &Own) -> impl Iterator<Item = VertexSet> {
    let map = game.island().map();
    pieces(map, game.land(own)).map(|piece| corners(map, piece))
}

/// The open ones of the corners of pieces of land where a seat has no building.
fn away(coasts: impl Iterator<Item = VertexSet>, table: &Table, seat: Seat) -> VertexSet {
    let built = table.pieces.nets[seat.idx()].buildings();
    let vertices = coasts.filter(|coast| coast.is_disjoint(built));
    let vertices = vertices.fold(VertexSet::NONE, |all, coast| all | coast);
    // What is unexplored may be foreign too.
    vertices & table.pieces.open
}

/// How many boats or roads a seat still needs to one of some vertices, or to an unexplored hex; nothing if it is
/// farther than `most`.
pub fn pieces_to(
    game: &Boats,
    chart: &Table,
    seat: Seat,
    targets: VertexSet,
    most: u8,
) -> Option<u8> {
    let map = game.island().map();
    let net = &chart.pieces.nets[seat.idx()];
    if !(net.reach & targets).is_empty() {
        return Some(0);
    }
    let walls = chart.pieces.walls(seat);
    let mut reached = net.reach | net.buildings();
    let mut edges = net.frontier;
    for count in 1..=most {
        let new = game.ports(edges) - reached;
        if !(new & targets).is_empty() {
            return Some(count);
        }
        reached |= new;
        edges = onward(new - walls, chart.pieces.taken, map);
        if edges.is_empty() {
            return None;
        }
    }
    None
}

/// Edges at some vertices that are not taken.
fn onward(from: VertexSet, taken: EdgeSet, map: &HexMap) -> EdgeSet {
    from.iter().fold(EdgeSet::NONE, |all, vertex| all | map.edges[vertex.idx()]) - taken
}

/// Unexplored hexes at the ends of an edge.
pub fn uncovers(game: &Boats, own: &Own, edge: Edge) -> u8 {
    let map = game.island().map();
    let [one, other] = map.ends[edge.idx()];
    ((map.hexes[one.idx()] | map.hexes[other.idx()]) & own.fog).len()
}
