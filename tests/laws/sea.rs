//! The sea of the boats by a slow derivation: what each edge is, what joins what, what may be done, which islands give
//! chits, how long a trade route is. It shares no code with the rules.

use fairhaven::core::game::Game;
use fairhaven::core::resources::Resource;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::boats::Boats;
use fairhaven::games::boats::action::{Action, OwnAction};
use fairhaven::games::boats::rules::{Helper, Helpers, Holder};
use fairhaven::games::boats::state::State;
use fairhaven::parts::island::rules::Order;
use fairhaven::parts::island::state::{Phase, Stage};
use fairhaven::parts::places::{Edge, Hex, Vertex};
use std::collections::BTreeSet;

fn edge(at: usize) -> Edge {
    Edge::new(u8::try_from(at).unwrap())
}

/// The map as lists of numbers, found by coordinates of the corners alone.
pub struct Chart<'a> {
    game: &'a Boats,
    state: &'a State,
    /// Hexes beside each edge.
    beside: Vec<Vec<usize>>,
    /// The two ends of each edge.
    ends: Vec<[usize; 2]>,
    /// What each hex is.
    hexes: Vec<Kind>,
    /// Whose building stands at each vertex.
    owners: Vec<Option<usize>>,
}

/// What a hex is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Land,
    Sea,
    Unexplored,
}

impl<'a> Chart<'a> {
    pub fn of(game: &'a Boats, state: &'a State) -> Chart<'a> {
        let map = game.island().map();
        let ends: Vec<[usize; 2]> =
            map.all_edges().iter().map(|edge| map.ends[edge.idx()].map(Vertex::idx)).collect();
        let mut around = vec![Vec::new(); map.all_vertices().len().into()];
        for hex in map.all_hexes() {
            map.corners[hex.idx()].iter().for_each(|vertex| around[vertex.idx()].push(hex.idx()));
        }
        let with = |[a, b]: &[usize; 2]| {
            around[*a].iter().copied().filter(|hex| around[*b].contains(hex)).collect()
        };
        let beside = ends.iter().map(with).collect();
        let own = &state.own;
        let kind = |hex: Hex| match hex {
            _ if own.fog.contains(hex) => Kind::Unexplored,
            _ if own.sea.contains(hex) => Kind::Sea,
            _ => Kind::Land,
        };
        let hexes = map.all_hexes().iter().map(kind).collect();
        let owner = |at: Vertex| state.island.table.pieces.at[at.idx()].owner().map(Seat::idx);
        let owners = map.all_vertices().iter().map(owner).collect();
        Chart { game, state, beside, ends, hexes, owners }
    }

    fn kind(&self, hex: usize) -> Kind {
        self.hexes[hex]
    }

    fn kinds(&self, edge: usize) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = self.beside[edge].iter().map(|&hex| self.kind(hex)).collect();
        if kinds.len() == 1 {
            kinds.push(Kind::Sea);
        }
        kinds
    }

    /// BOAT-10: between two sea hexes, or sea and land; not across a river.
    fn is_water(&self, edge: usize) -> bool {
        let kinds = self.kinds(edge);
        let river = self.game.scenario().rivers.iter().any(|river| river.idx() == edge);
        !river && kinds.contains(&Kind::Sea) && !kinds.contains(&Kind::Unexplored)
    }

    fn is_ground(&self, edge: usize) -> bool {
        let kinds = self.kinds(edge);
        kinds.contains(&Kind::Land) && !kinds.contains(&Kind::Unexplored)
    }

    fn owner(&self, vertex: usize) -> Option<usize> {
        self.owners[vertex]
    }

    fn boats(&self, seat: usize) -> Vec<usize> {
        self.state.own.boats[seat].iter().map(Edge::idx).collect()
    }

    fn roads(&self, seat: usize) -> Vec<usize> {
        self.state.island.table.pieces.nets[seat].roads.iter().map(Edge::idx).collect()
    }

    fn is_taken(&self, edge: usize) -> bool {
        (0..6).any(|seat| self.boats(seat).contains(&edge) || self.roads(seat).contains(&edge))
    }

    /// BOAT-12, BOAT-13: a free edge that touches an own building, or one of these own pieces, not past another's
    /// building.
    fn joins(&self, seat: usize, edge: usize, alike: &[usize]) -> bool {
        self.ends[edge].iter().any(|&end| match self.owner(end) {
            Some(owner) => owner == seat,
            None => alike.iter().any(|&other| other != edge && self.ends[other].contains(&end)),
        })
    }

    /// BOAT-21, BOAT-41: one of its ends touches none of the owner's buildings, and none of these pieces.
    fn is_open(&self, seat: usize, edge: usize, pieces: &[usize]) -> bool {
        self.ends[edge].iter().any(|&end| {
            let others = pieces.iter().filter(|&&other| other != edge);
            self.owner(end) != Some(seat)
                && others.clone().all(|&other| !self.ends[other].contains(&end))
        })
    }

    /// Everything of this variant that may be done now.
    pub fn choices(&self) -> Vec<Action> {
        let table = &self.state.island.table;
        let all = match table.phase {
            Phase::FoundRoad(vertex) => self.founding_boats(vertex.idx()),
            Phase::Act if table.stage == Stage::Roll => self.helpers(),
            Phase::Act => [self.boats_to_build(), self.moves(), self.purchases()].concat(),
            _ => Vec::new(),
        };
        all.into_iter().map(Action::Own).collect()
    }

    fn edges(&self) -> std::ops::Range<usize> {
        0..self.ends.len()
    }

    /// BOAT-14, BOAT-51.
    fn founding_boats(&self, vertex: usize) -> Vec<OwnAction> {
        let seat = self.state.island.table.active.idx();
        let left = self.boats(seat).len() < usize::from(self.game.rules().boats);
        let here = self.edges().filter(|&at| left && self.ends[at].contains(&vertex));
        let free = here.filter(|&at| self.is_water(at) && !self.is_taken(at));
        free.map(|at| OwnAction::Boat { edge: edge(at) }).collect()
    }

    /// BOAT-42: a helper before the first turn of each player's, of those that the rule set lets it choose.
    fn helpers(&self) -> Vec<OwnAction> {
        let (rules, seat) = (self.game.rules(), self.state.island.table.active.idx());
        if rules.helpers == Helpers::Dealt || !self.state.own.choosing[seat] {
            return Vec::new();
        }
        let words = String::from(rules.helpers_allowed[seat]);
        let allowed = |word: &str| words == "any" || words.split(' ').any(|held| held == word);
        let both = [("isa", Helper::Isa), ("louis", Helper::Louis)];
        let open = both.into_iter().filter(|(word, _)| allowed(word));
        open.map(|(_, take)| OwnAction::Helper { take }).collect()
    }

    /// Whether the active seat can still use Isa. (BOAT-40)
    fn has_isa(&self) -> bool {
        let table = &self.state.island.table;
        let rules = self.game.rules();
        let seat = table.active.idx();
        let dealt = holder(rules.isa, self.game.scenario().isa) == Some(seat);
        let main = table.stage == Stage::Main;
        let held = rules.helpers == Helpers::Chosen || dealt;
        main && held && self.state.own.isa_left[seat] > 0
    }

    /// BOAT-10 to BOAT-13, BOAT-40.
    fn boats_to_build(&self) -> Vec<OwnAction> {
        let rules = self.game.rules();
        let seat = self.state.island.table.active.idx();
        let hand = self.state.island.hands[seat];
        let boats = self.boats(seat);
        let price = rules.cost.boat.resources();
        let mut all = Vec::new();
        for at in self.edges() {
            let fits = self.is_water(at) && !self.is_taken(at) && self.joins(seat, at, &boats);
            if !fits || boats.len() >= usize::from(rules.boats) {
                continue;
            }
            if hand.covers(price) {
                all.push(OwnAction::Boat { edge: edge(at) });
            }
            for pay in Resource::ALL {
                if self.has_isa() && price.get(pay) > 0 && hand.get(pay) > 0 {
                    all.push(OwnAction::IsaBoat { edge: edge(at), pay });
                }
            }
        }
        all
    }

    /// BOAT-20 to BOAT-22, BOAT-41.
    fn moves(&self) -> Vec<OwnAction> {
        let (table, own) = (&self.state.island.table, &self.state.own);
        if table.stage != Stage::Main {
            return Vec::new();
        }
        let seat = table.active.idx();
        let (boats, roads) = (self.boats(seat), self.roads(seat));
        let still: Vec<usize> = own.still.iter().map(Edge::idx).collect();
        let mut all = Vec::new();
        let others = |of: &[usize], from: usize| -> Vec<usize> {
            of.iter().copied().filter(|&at| at != from).collect()
        };
        let both = [boats.clone(), roads.clone()].concat();
        let sails = own.moved == 0 || self.has_isa();
        for &from in boats.iter().filter(|at| sails && !still.contains(at)) {
            let rest = others(&boats, from);
            let fits = |&at: &usize| {
                self.is_water(at) && !self.is_taken(at) && self.joins(seat, at, &rest)
            };
            let to = self.edges().filter(|_| self.is_open(seat, from, &both)).filter(fits);
            all.extend(to.map(|to| OwnAction::MoveBoat { from: edge(from), to: edge(to) }));
        }
        let rules = self.game.rules();
        let louis = match rules.helpers {
            Helpers::Dealt => holder(rules.louis, self.game.scenario().louis) == Some(seat),
            Helpers::Chosen => own.louis[seat],
        };
        for &from in roads.iter().filter(|_| louis && !own.road_moved) {
            let rest = others(&roads, from);
            let fits = |&at: &usize| {
                self.is_ground(at) && !self.is_taken(at) && self.joins(seat, at, &rest)
            };
            let to = self.edges().filter(|_| self.is_open(seat, from, &roads)).filter(fits);
            all.extend(to.map(|to| OwnAction::MoveRoad { from: edge(from), to: edge(to) }));
        }
        all
    }

    /// BOAT-2.
    fn purchases(&self) -> Vec<OwnAction> {
        let (table, own) = (&self.state.island.table, &self.state.own);
        let rules = self.game.rules();
        let trades = matches!(table.stage, Stage::Main | Stage::Paired)
            && (rules.order == Order::Mixed || !table.so_far.built);
        let gold = own.gold[table.active.idx()] >= rules.gold.price;
        let buys = trades && gold && own.bought < rules.gold.cards_max;
        let kinds = Resource::ALL.into_iter().filter(|&want| buys && table.bank.get(want) > 0);
        kinds.map(|want| OwnAction::Gold { want }).collect()
    }

    /// BOAT-3, BOAT-31 to BOAT-33: a chit for each piece of land with a building and no founding settlement; it counts
    /// if the land has no unexplored hex beside it.
    pub fn islands_give_chits(&self) {
        let (own, table) = (&self.state.own, &self.state.island.table);
        let hexes = usize::from(self.game.island().map().hex_count);
        let mut island: Vec<usize> = (0..hexes).collect();
        let land = |hex: &usize| self.kind(*hex) == Kind::Land;
        // Neighbours share an edge: the smaller number spreads until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for pair in
                self.beside.iter().filter(|hexes| hexes.len() == 2 && hexes.iter().all(land))
            {
                let least = island[pair[0]].min(island[pair[1]]);
                changed |= island[pair[0]] != island[pair[1]];
                (island[pair[0]], island[pair[1]]) = (least, least);
            }
        }
        let unclear: BTreeSet<usize> = self
            .beside
            .iter()
            .filter(|hexes| hexes.iter().any(|&hex| self.kind(hex) == Kind::Unexplored))
            .flat_map(|hexes| hexes.iter().map(|&hex| island[hex]))
            .collect();
        let map = self.game.island().map();
        for seat in 0..6 {
            let (mut settled, mut home) = (BTreeSet::new(), BTreeSet::new());
            for vertex in map.all_vertices().iter().filter(|at| self.owner(at.idx()) == Some(seat))
            {
                for hex in map.hexes[vertex.idx()].iter().map(Hex::idx).filter(land) {
                    settled.insert(island[hex]);
                    if table.founded.contains(vertex) {
                        home.insert(island[hex]);
                    }
                }
            }
            let foreign: Vec<&usize> = settled.difference(&home).collect();
            let (waits, counts): (Vec<&usize>, Vec<&usize>) =
                foreign.into_iter().partition(|&island| unclear.contains(island));
            let found = (usize::from(own.chits[seat]), usize::from(own.waiting[seat]));
            assert_eq!(found, (counts.len(), waits.len()), "chits of seat {}", seat + 1);
        }
    }

    /// BOAT-13, BOAT-30: every order of pieces that follow one another.
    pub fn longest(&self, seat: usize) -> usize {
        let mut pieces = vec![Piece::None; self.ends.len()];
        self.boats(seat).into_iter().for_each(|at| pieces[at] = Piece::Boat);
        self.roads(seat).into_iter().for_each(|at| pieces[at] = Piece::Road);
        let mut meeting = vec![Vec::new(); self.game.island().map().all_vertices().len().into()];
        for edge in self.edges().filter(|&edge| pieces[edge] != Piece::None) {
            self.ends[edge].iter().for_each(|&end| meeting[end].push(edge));
        }
        let mut walk = Walk { chart: self, seat, pieces, meeting, best: 0 };
        for edge in self.edges() {
            if walk.pieces[edge] != Piece::None {
                self.ends[edge].iter().for_each(|&end| walk.take(edge, end, 1));
            }
        }
        walk.best
    }
}

/// What a seat has at an edge and has not walked along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    None,
    Road,
    Boat,
}

/// A search through every order of a seat's pieces.
struct Walk<'a> {
    chart: &'a Chart<'a>,
    seat: usize,
    /// For each edge.
    pieces: Vec<Piece>,
    /// The seat's edges at each vertex.
    meeting: Vec<Vec<usize>>,
    best: usize,
}

impl Walk<'_> {
    /// Walks along an edge to one of its ends, and on from there; `length` counts the edge.
    fn take(&mut self, edge: usize, to: usize, length: usize) {
        self.best = self.best.max(length);
        let owner = self.chart.owners[to];
        if owner.is_some_and(|owner| owner != self.seat) {
            return;
        }
        let piece = std::mem::replace(&mut self.pieces[edge], Piece::None);
        for at in 0..self.meeting[to].len() {
            let next = self.meeting[to][at];
            let joined = self.pieces[next] == piece || owner == Some(self.seat);
            if self.pieces[next] != Piece::None && joined {
                let [a, b] = self.chart.ends[next];
                self.take(next, if a == to { b } else { a }, length + 1);
            }
        }
        self.pieces[edge] = piece;
    }
}

/// The seat that begins with a card: as the rule set has it, or as the scenario does.
fn holder(field: Holder, named: Option<Seat>) -> Option<usize> {
    match field {
        Holder::Scenario => named.map(Seat::idx),
        Holder::Nobody => None,
        Holder::Seat1 => Some(0),
        Holder::Seat2 => Some(1),
        Holder::Seat3 => Some(2),
        Holder::Seat4 => Some(3),
        Holder::Seat5 => Some(4),
        Holder::Seat6 => Some(5),
    }
}
