//! What lies open of a seat, found again by all that it follows from: a search judges the same pieces, with the same
//! points and the same seat on turn, again and again, while hands and dice change.

use crate::core::types::cache::Cache;
use crate::core::types::seat::Seat;
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::board::Board;
use crate::parts::island::cards::Card;
use crate::parts::island::opinion::deals::KnownDeals;
use crate::parts::island::opinion::known::{Kinds, Known, Land};
use crate::parts::island::opinion::weights::{Features, Weights};
use crate::parts::island::opinion::worth::{Goals, Situation, cards};
use crate::parts::island::state::{State, Table};
use crate::parts::places::{EdgeSet, VertexSet};

/// What follows from what lies open in front of a seat.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing {
    /// Its features; those of hand and cards are 0.
    pub features: Features,
    /// What a hand can be used for.
    pub goals: Goals,
    /// Cards that 36 rolls bring, by kind.
    pub income: Kinds,
    /// The length of the longest road.
    pub trail: u8,
}

/// Words of a key: eight sets of places, and numbers.
const WORDS: usize = 12;

/// Slots of the cache, as a power of two.
const CACHE_BITS: u32 = 10;

/// Standings that were found before, on one island, under one rule set and with one set of weights.
#[derive(Debug, Clone)]
pub struct Standings {
    /// What trades bring a hand, on any island.
    pub deals: KnownDeals,
    known: Known,
    found: Cache<WORDS, Standing>,
}

impl Default for Standings {
    fn default() -> Standings {
        let (deals, known) = (KnownDeals::default(), Known::default());
        Standings { deals, known, found: Cache::new(CACHE_BITS) }
    }
}

impl Standings {
    /// Forgets what holds on another island. Whoever asks anything else has said so since the deal.
    #[inline]
    pub fn on(&mut self, board: &Board) {
        if self.known.on(board) {
            self.found.clear();
        }
    }

    /// What lies open of a seat; `hidden` are points that are not open.
    #[inline]
    pub fn of(&mut self, situation: &Situation<'_>, hidden: u8) -> &Standing {
        let Standings { known, found, .. } = self;
        found.get(key(situation, hidden), |standing| {
            let Situation { game, table, seat, .. } = *situation;
            *standing = Standing {
                features: situation.board(known, hidden),
                goals: situation.goals(known),
                income: known.land(game, table, seat).kinds,
                trail: known.longest_road(game, &table.pieces, seat),
            };
        })
    }

    /// What a hand of a seat can be used for.
    #[inline]
    pub fn goals(&mut self, situation: &Situation<'_>) -> Goals {
        situation.goals(&mut self.known)
    }

    /// Features of the open part; those of hand and cards are 0.
    #[inline]
    pub fn board(&mut self, situation: &Situation<'_>, hidden: u8) -> Features {
        situation.board(&mut self.known, hidden)
    }

    /// See [`Situation::ways`].
    #[inline]
    pub fn ways(&mut self, situation: &Situation<'_>, features: &mut Features) {
        situation.ways(&mut self.known, features);
    }

    /// What a build does to a table, as [`Island::place`] has it.
    #[inline]
    pub fn place(&mut self, game: &Island, table: &mut Table, action: Action) {
        match action {
            Action::Road { edge } => self.known.put_road(game, table, table.active, edge),
            _ => game.place(table, action),
        }
    }

    /// What a seat's buildings yield.
    #[inline]
    pub fn land(&mut self, game: &Island, table: &Table, seat: Seat) -> &Land {
        self.known.land(game, table, seat)
    }

    /// All features of a seat in a full position, and what lies open of it.
    #[inline]
    pub fn features(
        &mut self,
        game: &Island,
        weights: &Weights,
        state: &State,
        seat: Seat,
    ) -> (Features, &Standing) {
        let at = seat.idx();
        let situation = Situation { game, weights, table: &state.table, seat };
        let standing = self.of(&situation, state.cards[at][Card::VictoryPoint.idx()]);
        let mut features = standing.features;
        standing.goals.hand(state.hands[at], &mut features);
        cards(state.cards[at], &mut features);
        (features, standing)
    }
}

/// All that a standing follows from, besides island, rules and weights.
#[inline]
fn key(situation: &Situation<'_>, hidden: u8) -> [u64; WORDS] {
    let Situation { game, table, seat, .. } = *situation;
    let (pieces, at) = (&table.pieces, seat.idx());
    let net = &pieces.nets[at];
    let (mut rivals, mut walls) = (VertexSet::NONE, VertexSet::NONE);
    for (other, net) in pieces.nets.iter().enumerate() {
        if other != at {
            rivals |= net.reach;
            walls |= net.buildings();
        }
    }
    let [roads, frontier] = [net.roads, net.frontier].map(EdgeSet::words);
    let [[settlements, a], [cities, b]] = [net.settlements, net.cities].map(VertexSet::words);
    let [[open, d], [rivals, e], [walls, f]] = [pieces.open, rivals, walls].map(VertexSet::words);
    // A set of vertices has 16 bits in its second word, one of edges 45.
    let rests = a | b << 16 | d << 32 | e << 48;
    let [brick, lumber, wool, grain, ore] = table.rates[at];
    let points = table.points(game, seat) + hidden;
    let traded = [brick, lumber, wool, grain, ore, points, situation.blocked(), table.knights[at]];
    let most = table.army.map_or(0, |army| 1 + table.knights[army.idx()]);
    let holds = u8::from(table.route == Some(seat)) | u8::from(table.army == Some(seat)) << 1;
    let turn = table.current.number() << 4 | seat.number();
    let races = u32::from_le_bytes([turn, holds, table.route_length, most]);
    let [r, s] = roads;
    let [t, u] = frontier;
    let numbers = f | u64::from(races) << 32;
    let traded = u64::from_le_bytes(traded);
    [r, s, t, u, settlements, cities, open, rivals, walls, rests, traded, numbers]
}
