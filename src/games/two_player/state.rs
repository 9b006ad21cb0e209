//! A position of CATAN for two: one of the island, and what this game adds to it.

use crate::core::types::seat::Seat;
use crate::games::two_player::game::{NEUTRALS, PLAYERS, TwoPlayer, opponent};
use crate::parts::island::state::{self, Phase, ROADS, SETTLEMENTS, Stage, Table};
use crate::parts::pieces::Ground;
use crate::parts::places::{EdgeSet, Vertex, VertexSet};

/// What the active player owes before anything else happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Owed {
    /// Nothing.
    #[default]
    Nothing,
    /// Two cards to the opponent, for those of a forced trade. (TWO-9)
    Cards,
    /// A road for a neutral player that can have one. (TWO-7)
    Road,
    /// A settlement for a neutral player that can have one. (TWO-7)
    Settlement,
}

/// What this game adds; all of it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Own {
    /// Tokens of each player; the others lie in the supply.
    pub tokens: [u8; PLAYERS as usize],
    /// The sum of the first roll between the two rolls of a turn; else 0.
    pub first: u8,
    /// Whether the token action of this turn has been taken.
    pub acted: bool,
    /// Whether a knight has been turned in in this turn.
    pub turned_in: bool,
    /// What the active player owes.
    pub owed: Owed,
}

/// A full position. A rollout starts by copying it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// The position on the island.
    pub island: state::State,
    /// What this game adds.
    pub own: Own,
}

const _: () = assert!(size_of::<State>() <= 1168, "a rollout copies the state");

impl TwoPlayer {
    /// Tokens in the supply. (TWO-4)
    #[inline]
    pub fn supply(&self, own: &Own) -> u8 {
        self.rules.trade_tokens.all - own.tokens.iter().sum::<u8>()
    }

    /// How many of some tokens a seat would get. (TWO-4)
    #[inline]
    pub fn would_get(&self, own: &Own, seat: Seat, tokens: u8) -> u8 {
        let room = self.rules.trade_tokens.max.saturating_sub(own.tokens[seat.idx()]);
        tokens.min(self.supply(own)).min(room)
    }

    /// Tokens that a settlement at a vertex brings. (TWO-12)
    pub fn settlement_tokens(&self, table: &Table, vertex: Vertex) -> u8 {
        let hexes = self.island.map().hexes[vertex.idx()];
        let at_desert = hexes.iter().any(|hex| table.board.terrain[hex.idx()].is_none());
        let tokens = &self.rules.trade_tokens;
        let on_coast = hexes.len() < 3;
        u8::from(at_desert) * tokens.desert + u8::from(on_coast) * tokens.coast
    }

    /// The price of a token action for the active player. (TWO-10)
    #[inline]
    pub fn action_price(&self, table: &Table) -> u8 {
        let points = |seat: Seat| table.points(&self.island, seat);
        let leads = points(table.active) > points(opponent(table.active));
        let tokens = &self.rules.trade_tokens;
        if leads { tokens.leader_price } else { tokens.price }
    }

    /// The invariants of [`State`].
    ///
    /// # Panics
    /// If one is broken.
    pub(super) fn check(&self, state: &State) {
        let State { island, own } = state;
        let table = &island.table;
        self.island.check_all_but_specials(island, &Ground::of(self.island.map()));
        self.island.check_route(table);
        self.check_army(table);
        for seat in NEUTRALS {
            let net = &table.pieces.nets[seat.idx()];
            assert!(island.hands[seat.idx()].is_empty(), "a neutral player has no cards");
            assert!(net.cities.is_empty(), "a neutral player has no cities");
            assert!(!net.settlements.is_empty(), "a neutral player begins with a settlement");
            assert!(net.settlements.len() <= SETTLEMENTS && net.roads.len() <= ROADS, "supply");
        }
        let tokens = &self.rules.trade_tokens;
        let held = own.tokens.iter().map(|&held| u32::from(held)).sum::<u32>();
        assert!(held <= u32::from(tokens.all), "tokens that are not there");
        assert!(own.tokens.iter().all(|&held| held <= tokens.max), "more tokens than allowed");
        let in_turn = matches!(table.stage, Stage::Roll | Stage::Main);
        assert!(in_turn || *own == Own { tokens: own.tokens, ..Own::default() }, "before a turn");
        assert!(own.first == 0 || table.stage == Stage::Roll, "between the rolls");
        assert_eq!(own.owed, still_owed(table, own.owed), "what is owed can be paid");
        if own.owed != Owed::Nothing {
            assert!(
                matches!(table.phase, Phase::Act | Phase::FreeRoads(_)),
                "what is owed is next"
            );
        }
        assert!(own.owed != Owed::Cards || own.acted, "cards are owed for an action");
    }

    /// Who holds Largest Army has more knights than the opponent, or as many and had them first; it lies free only
    /// while nobody has more than the other. (TWO-11)
    fn check_army(&self, table: &Table) {
        let knights = [0, 1].map(|idx| table.knights[idx]);
        let most = knights.into_iter().max().unwrap_or(0);
        let held = table.army.map(|seat| table.knights[seat.idx()]);
        assert!(held.is_none_or(|held| held == most), "Largest Army is largest");
        let enough = most >= self.rules.army.minimum;
        assert!(held.is_none() || enough, "an army of its size");
        let due = enough && knights[0] != knights[1];
        assert!(held.is_some() || !due, "Largest Army has no holder");
    }
}

/// What of a debt can be paid: a road for a settlement that has no place, nothing for a road that has none.
/// (TWO-7, TWO-14)
pub(super) fn still_owed(table: &Table, owed: Owed) -> Owed {
    let settles = || NEUTRALS.into_iter().any(|seat| !neutral_sites(table, seat).is_empty());
    let lays = || NEUTRALS.into_iter().any(|seat| !neutral_edges(table, seat).is_empty());
    match owed {
        Owed::Settlement if settles() => Owed::Settlement,
        Owed::Settlement | Owed::Road if lays() => Owed::Road,
        Owed::Settlement | Owed::Road => Owed::Nothing,
        Owed::Nothing | Owed::Cards => owed,
    }
}

/// Where a neutral player may have a road. (TWO-7)
#[inline]
pub(super) fn neutral_edges(table: &Table, seat: Seat) -> EdgeSet {
    let net = &table.pieces.nets[seat.idx()];
    net.frontier.kept_if(net.roads.len() < ROADS)
}

/// Where a neutral player may have a settlement. (TWO-7)
#[inline]
pub(super) fn neutral_sites(table: &Table, seat: Seat) -> VertexSet {
    let settlements = table.pieces.nets[seat.idx()].settlements.len();
    table.pieces.sites(seat).kept_if(settlements < SETTLEMENTS)
}
