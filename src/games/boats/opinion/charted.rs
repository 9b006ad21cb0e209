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
use crate::parts::places::{Edge, EdgeSet, VertexSet};

/// No foreign land is looked for farther away than this number of boats.
pub const FARTHEST: u8 = 6;

/// Makes boats roads of a table.
pub fn chart(game: &Boats, table: &mut Table, own: &Own) {
    let map = game.island().map();
    let pieces = &mut table.pieces;
    let unknown = map.all_edges() - own.waters - game.ground(own).edges;
    let (mut laid, mut built) = (own.all_boats(), VertexSet::NONE);
    for net in &pieces.nets {
        laid |= net.roads;
        built |= net.buildings();
    }
    pieces.taken = laid | unknown;
    for (net, &boats) in pieces.nets.iter_mut().zip(&own.boats).take(game.players().into()) {
        let ports = game.ports(boats);
        net.roads |= boats;
        net.reach |= ports;
        // The berths of `Boats::moorings`.
        let buildings = net.buildings();
        net.frontier |= onward((ports - built) | buildings, laid, map) & own.waters;
    }
}

/// How many boats or roads a seat needs to foreign land, by all that it follows from: pieces and land, which a search meets
/// again and again.
#[derive(Debug, Clone)]
pub struct KnownVoyages(Cache<10, Option<u8>>);

/// Slots of the cache, as a power of two.
const CACHE_BITS: u32 = 10;

impl Default for KnownVoyages {
    fn default() -> KnownVoyages {
        KnownVoyages(Cache::new(CACHE_BITS))
    }
}

impl KnownVoyages {
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
        *self.0.get(key, |boats| {
            *boats = pieces_to(game, chart, seat, foreign(game, chart, own, seat), FARTHEST);
        })
    }
}

/// Where a seat could earn a chit: open vertices on land that is not joined to its home and where it has no building.
pub fn foreign(game: &Boats, table: &Table, own: &Own, seat: Seat) -> VertexSet {
    let map = game.island().map();
    let built = table.pieces.nets[seat.idx()].buildings();
    let mut vertices = VertexSet::NONE;
    for piece in pieces(map, game.land(own)) {
        let here = corners(map, piece);
        if here.is_disjoint(built) {
            vertices |= here;
        }
    }
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
