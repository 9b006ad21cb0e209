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

use crate::conformance::catanatron::differences::Difference;
use crate::conformance::catanatron::replay::Replay;
use crate::game::Game;
use crate::games::base::action::Action;
use crate::games::base::state::Phase;
use crate::games::base::state::Stage;
use crate::games::base::state::State;
use crate::games::base::state::Table;
use crate::parts::hexmap::HexMap;
use crate::parts::pieces::Pieces;
use crate::parts::places::EdgeSet;
use crate::parts::places::Vertex;
use crate::parts::places::VertexSet;
use crate::types::seat::PerSeat;
use crate::types::seat::SEATS_MAX;
use crate::types::seat::Seat;

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

    /// Free edges that it lets a seat build on.
    pub fn open(&self, map: &HexMap, pieces: &Pieces, seat: Seat) -> EdgeSet {
        let vertices = self.sets[seat.idx()].iter().flat_map(|set| set.iter());
        vertices.fold(EdgeSet::NONE, |edges, at| edges | map.edges[at.idx()]) - pieces.taken
    }
}

impl Replay {
    /// The other program's view of a new piece, and of free roads that only it has a place for.
    pub(super) fn keep_roads(&mut self, before: &State, action: Action) {
        let map = self.theirs.map();
        let (seat, table) = (before.table.active, &self.state.table);
        let founding = matches!(before.table.stage, Stage::Founding(_));
        match action {
            Action::Settlement { vertex } if founding => self.roads.found(seat, vertex),
            Action::Settlement { vertex } => self.roads.settle(map, table, seat, vertex),
            Action::Road { edge } => {
                let ends = self.island.by_node(map.ends[edge.idx()]);
                self.roads.lay(map, table, seat, ends, founding);
            }
            _ => return,
        }
        if let Phase::FreeRoads(left @ 2..) = before.table.phase
            && self.state.table.phase == Phase::Act
            && self.has_road(seat)
            && !self.past_buildings(seat).is_empty()
        {
            self.state.table.phase = Phase::FreeRoads(left - 1);
            self.met.add(Difference::PastBuilding);
        }
    }

    /// Counts where the two bookkeepings of roads differ.
    pub(super) fn note_roads(&mut self) {
        if matches!(self.state.table.stage, Stage::Founding(_)) {
            return;
        }
        let table = &self.state.table;
        let other = |seat: &Seat| {
            let length = table.pieces.longest_road(self.ours.map(), *seat);
            length != self.roads.lengths[seat.idx()]
        };
        let lengths = Seat::all(self.ours.players()).filter(other);
        let lengths = lengths.fold(0, |seats, seat| seats | 1 << seat.idx());
        let holder = table.route != self.roads.holder;
        if holder && !self.parted.0 {
            self.met.add(Difference::RoadHolder);
        }
        for _ in 0..(lengths & !self.parted.1).count_ones() {
            self.met.add(Difference::RoadLength);
        }
        self.parted = (holder, lengths);
    }
}

/// Whether another's building is on a vertex.
fn is_anothers(pieces: &Pieces, seat: usize, vertex: Vertex) -> bool {
    pieces.at[vertex.idx()].owner().is_some_and(|owner| owner.idx() != seat)
}

/// The vertices that roads lead to, up to and with others' buildings.
fn reached(map: &HexMap, pieces: &Pieces, seat: usize, from: Vertex) -> VertexSet {
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
