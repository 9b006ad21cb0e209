//! The other program's bookkeeping of roads: their lengths, who holds Longest Road, and
//! where it lets a seat build on. Our own, by the rules, is in `parts::pieces`.
//!
//! It keeps sets of vertices that it regards as connected, a few for each seat, updated piece by piece:
//!
//! - A founding settlement opens a set. A road adds its new end, unless another's building stands there, and
//!   joins two sets that it links.
//! - A settlement between two roads of another seat closes that seat's set and opens two: what can be
//!   reached from either side, vertices with others' buildings included, where it stops.
//! - A road may be laid at any vertex of the sets, so past a building that came later than the road there,
//!   or that a set included when it was rebuilt.
//! - The length of a seat's road is the longest trail that begins in a set and enters no vertex with
//!   another's building. A road can only raise it; a settlement that closes a set has it computed again.
//! - A road takes the card with five or more and more than any had before. A settlement that closes a set
//!   gives it to the seat with the longest road, to the first among equals, however short it is.

use crate::catanatron::differences::{Counts, Difference};
use crate::catanatron::island::Island;
use crate::core::game::Game;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::base::Base;
use crate::parts::hexmap::HexMap;
use crate::parts::island::action::Action;
use crate::parts::island::state::{ROADS, Stage, Table};
use crate::parts::pieces::Pieces;
use crate::parts::places::{EdgeSet, Vertex, VertexSet};

/// The least length that a road takes the card with.
const LEAST: u8 = 5;

/// The other program's bookkeeping.
#[derive(Debug, Clone, Default)]
pub struct Roads {
    /// What it regards as connected, by seat.
    sets: PerSeat<Vec<VertexSet>>,
    /// Lengths by seat, as of the last road or settlement.
    pub lengths: PerSeat<u8>,
    /// The same as its states show them: they don't change during placement.
    pub shown: PerSeat<u8>,
    /// Who holds the card.
    pub holder: Option<Seat>,
    /// The length that it went with.
    most: u8,
}

impl Roads {
    /// Notes a founding settlement.
    pub fn found(&mut self, seat: Seat, vertex: Vertex) {
        self.sets[seat.idx()].push(VertexSet::one(vertex));
    }

    /// Notes a settlement that is in `table`: it may have cut another's roads.
    pub fn settle(&mut self, map: &HexMap, table: &Table, seat: Seat, vertex: Vertex) {
        for other in (0..SEATS_MAX).filter(|&other| other != seat.idx()) {
            let here = map.edges[vertex.idx()] & table.pieces.nets[other].roads;
            if here.len() == 2 {
                self.cut(map, &table.pieces, other, vertex, here);
            }
        }
        self.shown = self.lengths;
    }

    fn cut(&mut self, map: &HexMap, pieces: &Pieces, seat: usize, at: Vertex, here: EdgeSet) {
        if let Some(closed) = self.set_of(seat, at) {
            self.sets[seat].remove(closed);
        }
        for edge in here {
            self.sets[seat].push(reached(map, pieces, seat, map.across(edge, at)));
        }
        let lengths = self.sets[seat].iter().map(|set| longest(map, pieces, seat, *set));
        self.lengths[seat] = lengths.max().unwrap_or(0);
        self.most = self.lengths.into_iter().max().unwrap_or(0);
        self.holder = Seat::all(6).find(|seat| self.lengths[seat.idx()] == self.most);
    }

    /// Notes a road that is in `table`; during placement, states don't show its length.
    /// Its ends stand in the order of the record.
    pub fn lay(
        &mut self,
        map: &HexMap,
        table: &Table,
        seat: Seat,
        ends: [Vertex; 2],
        founding: bool,
    ) {
        let set = self.take_up(&table.pieces, seat.idx(), ends);
        let length = longest(map, &table.pieces, seat.idx(), set);
        let known = &mut self.lengths[seat.idx()];
        *known = length.max(*known);
        if length >= LEAST && length > self.most {
            (self.holder, self.most) = (Some(seat), length);
        }
        if !founding {
            self.shown = self.lengths;
        }
    }

    /// Puts a new road into the sets; returns the set that it is in.
    fn take_up(&mut self, pieces: &Pieces, seat: usize, ends: [Vertex; 2]) -> VertexSet {
        let [a, b] = ends.map(|end| self.set_of(seat, end));
        let open = ends.map(|end| !is_anothers(pieces, seat, end));
        let sets = &mut self.sets[seat];
        let at = match (a, b) {
            (None, Some(into)) if open[0] => {
                sets[into] |= VertexSet::one(ends[0]);
                into
            }
            (Some(into), None) if open[1] => {
                sets[into] |= VertexSet::one(ends[1]);
                into
            }
            (Some(a), Some(b)) if a != b => {
                let joined = sets[a] | sets[b];
                sets[a] = joined;
                sets.remove(b);
                return joined;
            }
            (Some(at), _) | (None, Some(at)) => at,
            (None, None) => return VertexSet::NONE,
        };
        sets[at]
    }

    fn set_of(&self, seat: usize, vertex: Vertex) -> Option<usize> {
        self.sets[seat].iter().position(|set| set.contains(vertex))
    }

    /// Notes the piece that an action put on the board, if it did.
    pub fn keep(
        &mut self,
        map: &HexMap,
        island: &Island,
        before: &Table,
        after: &Table,
        action: Action,
    ) {
        let seat = before.active;
        let founding = matches!(before.stage, Stage::Founding(_));
        match action {
            Action::Settlement { vertex } if founding => self.found(seat, vertex),
            Action::Settlement { vertex } => self.settle(map, after, seat, vertex),
            Action::Road { edge } => {
                let ends = island.by_node(map.ends[edge.idx()]);
                self.lay(map, after, seat, ends, founding);
            }
            _ => {}
        }
    }

    /// Free edges that only the other program lets a seat build on: beyond another's building that stands at
    /// the end of its road.
    pub fn past_buildings(&self, map: &HexMap, pieces: &Pieces, seat: Seat) -> EdgeSet {
        let net = &pieces.nets[seat.idx()];
        let blocked = net.reach.iter().filter(|&vertex| is_anothers(pieces, seat.idx(), vertex));
        let beyond = blocked.fold(EdgeSet::NONE, |edges, at| edges | map.edges[at.idx()]);
        (self.open(map, pieces, seat) - net.frontier) & beyond
    }

    /// Free edges that it lets a seat build on.
    fn open(&self, map: &HexMap, pieces: &Pieces, seat: Seat) -> EdgeSet {
        let vertices = self.sets[seat.idx()].iter().flat_map(|set| set.iter());
        vertices.fold(EdgeSet::NONE, |edges, at| edges | map.edges[at.idx()]) - pieces.taken
    }
}

/// Where the two bookkeepings of roads differ, as of the last step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disagreement {
    /// Whether Longest Road has another holder.
    holder: bool,
    /// Whose length differs, as bits.
    lengths: u8,
}

impl Disagreement {
    /// Counts where the two differ now and did not before.
    pub fn note(&mut self, game: &Base, table: &Table, roads: &Roads, met: &mut Counts) {
        if matches!(table.stage, Stage::Founding(_)) {
            return;
        }
        let other = |seat: &Seat| {
            let length = table.pieces.longest_road(game.map(), *seat);
            length != roads.lengths[seat.idx()]
        };
        let lengths = Seat::all(game.players()).filter(other);
        let lengths = lengths.fold(0, |seats, seat| seats | 1 << seat.idx());
        let holder = table.route != roads.holder;
        if holder && !self.holder {
            met.add(Difference::RoadHolder);
        }
        for _ in 0..(lengths & !self.lengths).count_ones() {
            met.add(Difference::RoadLength);
        }
        *self = Disagreement { holder, lengths };
    }
}

/// Whether a seat has a road left to lay.
pub fn has_road(pieces: &Pieces, seat: Seat) -> bool {
    pieces.nets[seat.idx()].roads.len() < ROADS
}

/// Whether another's building is on a vertex.
fn is_anothers(pieces: &Pieces, seat: usize, vertex: Vertex) -> bool {
    pieces.at[vertex.idx()].owner().is_some_and(|owner| owner.idx() != seat)
}

/// The vertices that roads lead to, up to and with others' buildings.
pub fn reached(map: &HexMap, pieces: &Pieces, seat: usize, from: Vertex) -> VertexSet {
    let (mut seen, mut next) = (VertexSet::NONE, VertexSet::one(from));
    while let Some(vertex) = next.pop() {
        seen |= VertexSet::one(vertex);
        if is_anothers(pieces, seat, vertex) {
            continue;
        }
        for edge in map.edges[vertex.idx()] & pieces.nets[seat].roads {
            next |= VertexSet::one(map.across(edge, vertex)) - seen;
        }
    }
    seen
}

/// The longest trail from a vertex of a set.
fn longest(map: &HexMap, pieces: &Pieces, seat: usize, set: VertexSet) -> u8 {
    let roads = pieces.nets[seat].roads;
    set.iter().map(|from| walk(map, pieces, seat, roads, from)).max().unwrap_or(0)
}

/// The longest trail from a vertex over the roads that are left.
fn walk(map: &HexMap, pieces: &Pieces, seat: usize, left: EdgeSet, from: Vertex) -> u8 {
    let mut best = 0;
    for edge in map.edges[from.idx()] & left {
        let to = map.across(edge, from);
        if !is_anothers(pieces, seat, to) {
            best = best.max(1 + walk(map, pieces, seat, left - EdgeSet::one(edge), to));
        }
    }
    best
}
