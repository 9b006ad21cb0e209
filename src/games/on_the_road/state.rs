//! A position of On the Road: what is open to all ([`Table`]), and where the 61 resource cards are.

use crate::core::game::End;
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::cards::{
    Building, Buildings, CARDS_ALL, CardSet, Event, Hand, Metropolis,
};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::rules::{Face, SEATS};
use crate::parts::trade::Proposal;
use serde::{Deserialize, Serialize};

/// Cards in the building row while the deck lasts. (OTR-11)
pub const ROW: u8 = 5;

/// What one player has built, starting cards included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Area {
    /// Roads, 1..=11.
    pub roads: u8,
    /// Uncovered settlements, 0..=12.
    pub settlements: u8,
    /// Uncovered cities, 0..=5.
    pub cities: u8,
    /// Knights, 0..=8.
    pub knights: u8,
    /// Metropolises, one bit for each card.
    pub metropolises: u8,
}

impl Area {
    /// Number of metropolises.
    #[allow(clippy::cast_possible_truncation, reason = "at most four")]
    #[inline]
    pub const fn metropolis_count(&self) -> u8 {
        self.metropolises.count_ones() as u8
    }

    /// Points of what is built, without bonus cards.
    #[inline]
    pub const fn points(&self) -> u8 {
        self.settlements + 2 * self.cities + 3 * self.metropolis_count()
    }

    /// Cards of a kind that the player has taken from the row, covered ones included.
    pub fn taken(&self, kind: Building) -> u8 {
        let cities = self.cities + self.metropolis_count();
        match kind {
            Building::Road => self.roads - 1,
            Building::Settlement => self.settlements + cities - 1,
            Building::City => cities,
            Building::Knight => self.knights,
        }
    }
}

/// What must be decided next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The current player trades, builds or ends the turn.
    Main,
    /// This seat answers the proposal.
    Answer(Seat),
    /// The current player chooses among the answers.
    Choose,
    /// This seat gives a card for Charity.
    Charity(Seat),
    /// This seat discards to the Robber.
    Discard {
        /// Who discards.
        seat: Seat,
        /// Cards still owed, at least 1.
        owed: u8,
    },
    /// The match has ended.
    Over(End),
}

/// What has been used up or has happened this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "four independent facts of a turn")]
pub struct TurnSoFar {
    /// The turn's trade is used.
    pub traded: bool,
    /// The turn's substitution is used.
    pub substituted: bool,
    /// Something has been built.
    pub built: bool,
    /// A resource card has moved, or something has been built for nothing.
    pub moved: bool,
    /// Proposals made.
    pub proposals: u8,
}

/// Everything that is open to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Table {
    /// What each seat has built.
    pub areas: [Area; SEATS],
    /// Cards in the building row, by kind; 5 in all while the deck lasts.
    pub row: Buildings,
    /// Cards in the building deck, by kind: known to all by elimination; they have no order.
    pub deck: Buildings,
    /// Metropolises that lie B side up, built or not.
    pub b_sides: u8,
    /// Metropolises that nobody has built.
    pub unbuilt: u8,
    /// Who holds Longest Route.
    pub route: Option<Seat>,
    /// Who holds Largest Army.
    pub army: Option<Seat>,
    /// Event cards that are still in the event deck, one bit for each card.
    pub events: u8,
    /// The turn, counted by player from 1; 0 during the deal.
    pub turn: u16,
    /// Whose turn it is.
    pub current: Seat,
    /// What must be decided next.
    pub phase: Phase,
    /// What has happened this turn.
    pub so_far: TurnSoFar,
    /// Full turns in a row, up to 255, in which no resource card moved and nothing was built.
    pub still: u8,
    /// Seats that have yet to give or discard, one bit for each seat.
    pub pending: u8,
    /// The last proposal; meaningful only while it is being answered.
    pub proposal: Proposal<SEATS>,
}

/// A full position, hidden hands included. A rollout starts by copying it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// What is open to all.
    pub table: Table,
    /// Resource cards in hand by seat; hidden from the other seats.
    pub hands: [Hand; SEATS],
    /// The draw pile. It has no order: a draw picks any of its cards.
    pub pile: CardSet,
    /// The discards.
    pub discards: CardSet,
}

const _: () = assert!(size_of::<State>() <= 184, "a rollout copies the state");

impl Table {
    /// Visible victory points of a seat. (OTR-80)
    #[inline]
    pub fn points(&self, game: &OnTheRoad, seat: Seat) -> u8 {
        let mut points = self.areas[seat.idx()].points();
        if self.route == Some(seat) {
            points += game.rules.route.points;
        }
        if self.army == Some(seat) {
            points += game.rules.army.points;
        }
        points
    }

    /// Cards that a seat draws at its own harvest beyond the one that all draw. (OTR-21)
    #[allow(clippy::cast_possible_truncation, reason = "at most four metropolises")]
    #[inline]
    pub fn harvest(&self, seat: Seat) -> u8 {
        let area = &self.areas[seat.idx()];
        let a_sides = (area.metropolises & !self.b_sides).count_ones() as u8;
        area.cities + area.metropolis_count() + a_sides
    }

    /// The position of a seat's substitution rate: by 1, 2, 3 and 4 or more roads. (OTR-42)
    #[inline]
    pub fn rate_idx(&self, seat: Seat) -> usize {
        usize::from(self.areas[seat.idx()].roads.clamp(1, 4)) - 1
    }

    /// Puts the row back into the deck.
    pub(super) fn return_row(&mut self) {
        for kind in 0..Building::COUNT {
            self.deck[kind] += self.row[kind];
            self.row[kind] = 0;
        }
    }

    /// Whether a seat owns a metropolis whose B side is up.
    #[inline]
    pub fn owns_effect(&self, seat: Seat, metropolis: Metropolis) -> bool {
        self.areas[seat.idx()].metropolises & self.b_sides & metropolis.bit() != 0
    }
}

impl OnTheRoad {
    /// The invariants of [`State`]. (OTR-83 and the ranges of the fields)
    ///
    /// # Panics
    /// If one is broken.
    pub(super) fn check(&self, state: &State) {
        let table = &state.table;
        let mut seen: CardSet = 0;
        let hands = state.hands.map(Hand::cards);
        assert_eq!(hands.map(Hand::of), state.hands, "counts are those of the cards");
        for place in hands.into_iter().chain([state.pile, state.discards]) {
            assert_eq!(seen & place, 0, "a resource card lies in two places");
            seen |= place;
        }
        assert_eq!(seen, CARDS_ALL, "a resource card is nowhere");
        let areas = &table.areas[..usize::from(self.players)];
        let built = |kind: Building| -> u8 { areas.iter().map(|area| area.taken(kind)).sum() };
        for kind in Building::ALL {
            let elsewhere = table.row[kind.idx()] + table.deck[kind.idx()];
            assert_eq!(built(kind) + elsewhere, Building::DECK[kind.idx()], "{kind:?} cards");
        }
        let row: u8 = table.row.iter().sum();
        let deck: u8 = table.deck.iter().sum();
        let between = matches!(table.phase, Phase::Main | Phase::Answer(_) | Phase::Choose);
        assert!(
            !between || row == 5 || (deck == 0 && row < 5),
            "the row is full or the deck empty"
        );
        let owned: u8 = areas.iter().fold(0, |set, area| {
            assert_eq!(set & area.metropolises, 0, "a metropolis stands twice");
            set | area.metropolises
        });
        assert_eq!(owned & table.unbuilt, 0, "an unbuilt metropolis stands");
        let in_match = self.metropolises_in_match();
        assert_eq!(owned | table.unbuilt, in_match, "a metropolis is nowhere");
        assert!(table.events <= Event::DECK, "an event card that isn't in the box");
        assert!(table.turn <= self.rules.turns_max, "a turn past the limit");
        for (holder, minimum, count) in [
            (table.route, self.rules.route.minimum, (|a: &Area| a.roads) as fn(&Area) -> u8),
            (table.army, self.rules.army.minimum, |a: &Area| a.knights),
        ] {
            let most = areas.iter().map(count).max().unwrap_or(0);
            let ties_low = !self.rules.metropolis.tie_minimum;
            match holder {
                None => assert!(most < minimum, "a bonus card that someone has earned lies free"),
                Some(seat) => {
                    assert_eq!(count(&areas[seat.idx()]), most, "the holder has the most");
                    assert!(most >= minimum || ties_low, "held below the minimum");
                }
            }
        }
        if let Phase::Discard { seat, owed } = table.phase {
            assert!(
                owed > 0 && state.hands[seat.idx()].size() >= owed,
                "a discard that can't be paid"
            );
        }
    }

    /// The metropolises that are not left out, one bit for each card. (OTR-12)
    pub(super) fn metropolises_in_match(&self) -> u8 {
        let cards = Metropolis::ALL.into_iter().zip(self.rules.metropolis_cards());
        cards
            .filter(|(_, card)| card.face != Face::Out)
            .fold(0, |set, (metropolis, _)| set | metropolis.bit())
    }
}

impl State {
    /// The cards in a hand, by kind.
    #[inline]
    pub fn hand(&self, seat: Seat) -> Resources {
        self.hands[seat.idx()].counts()
    }

    /// What the current player would give to and get from a seat that accepted or countered, if both hold
    /// it.
    pub fn deal_with(&self, with: Seat) -> Option<(Resources, Resources)> {
        self.table.proposal.deal_with(with, self.table.current, |seat| self.hand(seat))
    }
}
