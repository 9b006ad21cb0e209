//! A position of base CATAN: what is open to all ([`Table`]), hands, development cards and their deck.

use crate::core::game::End;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::parts::island::Island;
use crate::parts::island::board::Board;
use crate::parts::island::cards::{Card, Cards, size};
use crate::parts::pieces::{Ground, Pieces, Yields};
use crate::parts::places::{Hex, Vertex, VertexSet};
use crate::parts::trade::Proposal;
use serde::{Deserialize, Serialize};

/// Settlements of a player. (BASE-5)
pub const SETTLEMENTS: u8 = 5;
/// Cities of a player. (BASE-5)
pub const CITIES: u8 = 4;
/// Roads of a player. (BASE-5)
pub const ROADS: u8 = 15;

/// What must be decided next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The active seat places a founding settlement.
    Found,
    /// The active seat lays the road at the settlement just founded.
    FoundRoad(Vertex),
    /// The active seat does something that the stage allows.
    Act,
    /// This seat discards on a 7.
    Discard {
        /// Who discards.
        seat: Seat,
        /// Cards still owed, at least 1.
        owed: u8,
    },
    /// The active seat moves the robber.
    Robber,
    /// The active seat lays free roads: the number that is left.
    FreeRoads(u8),
    /// This seat answers the proposal.
    Answer(Seat),
    /// The current player chooses among the answers.
    Choose,
    /// The match has ended.
    Over(End),
}

/// The part of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Founding, in this round from 1.
    Founding(u8),
    /// Before the roll.
    Roll,
    /// After the roll.
    Main,
    /// Another player builds after the turn. (BASE-81)
    Special,
    /// The paired player acts after the turn. (BASE-81)
    Paired,
}

/// What the active seat has done since it became active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoFar {
    /// A development card has been played.
    pub played: bool,
    /// Something has been built or bought.
    pub built: bool,
    /// Development cards bought: they can't be played yet.
    pub bought: u8,
    /// Proposals that failed.
    pub refused: u8,
    /// Trades with players.
    pub deals: u8,
}

/// Everything that is open to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Table {
    /// Buildings and roads.
    pub pieces: Pieces,
    /// Terrain, tokens and harbours.
    pub board: Board,
    /// What the buildings of each seat are worth: 1 for a settlement, 2 for a city.
    pub worth: Yields,
    /// Points that a seat has beside those of base CATAN, in a game that has others.
    pub bonus: PerSeat<u8>,
    /// Points of the active seat that don't win now, in a game that has such.
    pub withheld: u8,
    /// Vertices of founding settlements.
    pub founded: VertexSet,
    /// Cards that the bank takes for one, by seat and the kind given: 4, 3 or 2.
    pub rates: PerSeat<[u8; Resource::COUNT]>,
    /// Knights played, by seat.
    pub knights: PerSeat<u8>,
    /// Progress cards that have left the game, by [`Card`].
    pub gone: Cards,
    /// Where the robber stands.
    pub robber: Hex,
    /// Resource cards in the bank.
    pub bank: Resources,
    /// Who holds Longest Road.
    pub route: Option<Seat>,
    /// How long the longest road is, the holder's or of several without a holder; 0 if too short to count.
    pub route_length: u8,
    /// Who holds Largest Army.
    pub army: Option<Seat>,
    /// The turn, counted by player from 1; 0 during founding.
    pub turn: u16,
    /// Whose turn it is.
    pub current: Seat,
    /// Who acts: the current seat, or one that may act after its turn.
    pub active: Seat,
    /// The part of the turn.
    pub stage: Stage,
    /// What must be decided next.
    pub phase: Phase,
    /// What the active seat has done.
    pub so_far: SoFar,
    /// Seats that have yet to discard, one bit for each seat.
    pub pending: u8,
    /// The last proposal; meaningful only while it is being answered.
    pub proposal: Proposal<SEATS_MAX>,
}

/// A full position, hidden cards included. A rollout starts by copying it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// What is open to all.
    pub table: Table,
    /// Resource cards in hand by seat; hidden from the other seats.
    pub hands: PerSeat<Resources>,
    /// Cards chosen to be discarded, still in hand until everyone has chosen; also hidden.
    pub chosen: PerSeat<Resources>,
    /// Unplayed development cards by seat; also hidden.
    pub cards: PerSeat<Cards>,
    /// Those that the active seat has bought since it became active.
    pub fresh: Cards,
    /// The deck of development cards. It has no order: a purchase draws any of them.
    pub deck: Cards,
}

const _: () = assert!(size_of::<State>() <= 1152, "a rollout copies the state");

impl Table {
    /// Open victory points of a seat. (BASE-70)
    #[inline]
    pub fn points(&self, game: &Island, seat: Seat) -> u8 {
        let special = |holder, points: u8| u8::from(holder == Some(seat)) * points;
        self.worth.at(seat.idx())
            + self.bonus[seat.idx()]
            + special(self.route, game.rules.route.points)
            + special(self.army, game.rules.army.points)
    }

    /// Whether the active seat could lay a road if it were free. (BASE-40, BASE-51)
    #[inline]
    pub fn may_lay(&self) -> bool {
        let net = &self.pieces.nets[self.active.idx()];
        net.roads.len() < ROADS && !net.frontier.is_empty()
    }

    /// Whether the active seat acts in a turn of its own, so that it may win. (BASE-70, BASE-81)
    #[inline]
    pub fn may_win(&self) -> bool {
        matches!(self.stage, Stage::Roll | Stage::Main | Stage::Paired)
    }
}

impl State {
    /// Points of a seat that the others do not see: its victory point cards.
    pub fn hidden_points(&self, seat: Seat) -> u8 {
        self.cards[seat.idx()][Card::VictoryPoint.idx()]
    }

    /// All victory points of a seat, hidden cards included. (BASE-70)
    #[inline]
    pub fn points(&self, game: &Island, seat: Seat) -> u8 {
        self.table.points(game, seat) + self.cards[seat.idx()][Card::VictoryPoint.idx()]
    }

    /// What the current player would give to and get from a seat that accepted or countered, if both hold
    /// it.
    pub fn deal_with(&self, with: Seat) -> Option<(Resources, Resources)> {
        self.table.proposal.deal_with(with, self.table.current, |seat| self.hands[seat.idx()])
    }
}

impl Island {
    /// The invariants of [`State`].
    ///
    /// # Panics
    /// If one is broken.
    pub(crate) fn check(&self, state: &State) {
        self.check_on(state, &Ground::of(self.map));
        self.check_route(&state.table);
    }

    /// The invariants of [`State`] but for Longest Road, if pieces lie on some ground only.
    ///
    /// # Panics
    /// If one is broken.
    pub(crate) fn check_on(&self, state: &State, ground: &Ground) {
        self.check_all_but_specials(state, ground);
        self.check_army(&state.table);
    }

    /// The same, whoever holds Largest Army.
    ///
    /// # Panics
    /// If one is broken.
    pub(crate) fn check_all_but_specials(&self, state: &State, ground: &Ground) {
        let table = &state.table;
        table.pieces.check(self.map, ground, self.players);
        let mut cards = table.bank;
        for hand in state.hands {
            cards = cards + hand;
        }
        let stock = Resources::new([self.stock; Resource::COUNT]);
        assert_eq!(cards, stock, "every resource card is in a hand or in the bank");
        let mut unplayed = state.deck;
        for seat in Seat::all(6) {
            for card in Card::ALL {
                unplayed[card.idx()] += state.cards[seat.idx()][card.idx()];
            }
            unplayed[Card::Knight.idx()] += table.knights[seat.idx()];
            self.check_seat(state, seat);
        }
        for card in Card::ALL {
            let all = unplayed[card.idx()] + table.gone[card.idx()];
            assert_eq!(all, self.deck[card.idx()], "{card} cards");
        }
        assert_eq!(size(state.fresh), table.so_far.bought, "cards bought by the active seat");
        let own = state.cards[table.active.idx()];
        assert!(state.fresh.iter().zip(own).all(|(&new, all)| new <= all), "bought and held");
        assert!(table.turn <= self.rules.turns_max, "a turn past the limit");
        if table.may_win() && !matches!(table.phase, Phase::Over(_)) {
            let points = state.points(self, table.active);
            let target = self.rules.points_to_win.of(table.active) + table.withheld;
            assert!(points < target, "a match that is won goes on");
        }
    }

    fn check_seat(&self, state: &State, seat: Seat) {
        let table = &state.table;
        let net = &table.pieces.nets[seat.idx()];
        assert!(net.settlements.len() <= SETTLEMENTS, "settlements of seat {seat}");
        assert!(net.cities.len() <= CITIES, "cities of seat {seat}");
        assert!(net.roads.len() <= ROADS, "roads of seat {seat}");
        let plays = seat.idx() < usize::from(self.players);
        assert!(plays || state.hands[seat.idx()].is_empty(), "an empty chair has no cards");
        let owns = seat.idx() < usize::from(self.owners);
        assert!(owns || net.buildings().is_empty(), "an empty chair has no pieces");
        // What belongs to nobody who plays brings nothing.
        let buildings = if plays { net.buildings() } else { VertexSet::NONE };
        let worth = buildings.len() + (buildings & net.cities).len();
        assert_eq!(table.worth.at(seat.idx()), worth, "what the buildings of {seat} are worth");
        let mut rates = [4; Resource::COUNT];
        for vertex in buildings {
            self.lower_rates(&table.board, &mut rates, vertex);
        }
        assert_eq!(table.rates[seat.idx()], rates, "what seat {seat} gives the bank for a card");
        let chosen = state.chosen[seat.idx()];
        assert!(state.hands[seat.idx()].covers(chosen), "chosen cards are still in hand");
        let discarding = matches!(table.phase, Phase::Discard { .. });
        assert!(discarding || chosen.is_empty(), "chosen cards go when all have chosen");
    }

    /// Longest Road lies where its law says.
    pub(crate) fn check_route(&self, table: &Table) {
        let minimum = self.rules.route.minimum;
        let mut lengths = [0; SEATS_MAX];
        for seat in Seat::all(self.owners) {
            lengths[seat.idx()] = table.pieces.longest_road(self.map, seat);
        }
        let most = lengths.into_iter().max().unwrap_or(0);
        let has_most = |seat: &Seat| lengths[seat.idx()] == most;
        let alone = Seat::all(self.owners).filter(has_most).count() == 1;
        let due = if most < minimum { 0 } else { most };
        assert_eq!(table.route_length, due, "the length of Longest Road");
        let longest = table.route.is_none_or(|seat| has_most(&seat) && most >= minimum);
        assert!(longest, "the holder of Longest Road has the longest");
        assert!(table.route.is_some() || !alone || most < minimum, "Longest Road has no holder");
    }

    fn check_army(&self, table: &Table) {
        let most = Seat::all(self.players).map(|seat| table.knights[seat.idx()]).max().unwrap_or(0);
        let held = table.army.map(|seat| table.knights[seat.idx()]);
        assert!(held.is_none_or(|knights| knights == most), "Largest Army is largest");
        assert!(held.is_some() || most < self.rules.army.minimum, "Largest Army has no holder");
    }
}
