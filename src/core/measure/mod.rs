//! What a game answers for statistics: names of things to count, never how to play.

pub mod maps;
pub mod standings;

use crate::core::chance::ChanceEvent;
use crate::core::game::{ActionFilter, Game};
use crate::core::measure::maps::{Founding, MapFacts};
use crate::core::measure::standings::Standings;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use arrayvec::ArrayVec;
use std::fmt::Debug;

/// What one decision does with resource cards, apart from draws. What comes into hands, less what leaves
/// them, is what hands have more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Paid for what is built or bought.
    Paid {
        /// All that is paid.
        cards: Resources,
        /// The part of it that stands in for another kind.
        substituted: Resources,
    },
    /// Exchanged with the bank.
    Banked {
        /// What goes to the bank.
        given: Resources,
        /// What comes from it.
        received: Resources,
    },
    /// Traded between players, both directions.
    Traded(Resources),
    /// Gone to another player without a trade.
    Passed(Resources),
    /// Given up to the Robber.
    Discarded(Resources),
}

/// A choice among things that should be worth the same, such as which metropolis to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its name on the command line.
    pub name: &'static str,
    /// What can be chosen.
    pub options: &'static [ChoiceOption],
    /// The change of the game's own rule set that offers it, as `--set` has it, if that rule set does not.
    pub offered_by: Option<&'static str>,
}

/// One of the things to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceOption {
    /// Its name in tables.
    pub name: &'static str,
    /// The rule set field that takes it out of the match, as `--set` has it.
    pub removal: &'static str,
}

/// The most sources of points.
const SOURCES_MAX: usize = 8;

/// Points by source, in the order of [`Measure::SOURCES`].
pub type Sources = ArrayVec<u8, SOURCES_MAX>;

/// What the tables of a game have names for.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// See [`Measure::CARDS`].
    pub cards: &'static [&'static str],
    /// See [`Measure::EVENTS`].
    pub events: &'static [&'static str],
    /// See [`Measure::RESOURCES`].
    pub resources: &'static [&'static str],
    /// See [`Measure::DECISIONS`].
    pub decisions: &'static [&'static str],
    /// See [`Measure::BANDS`].
    pub bands: &'static [u16],
    /// See [`Measure::SOURCES`].
    pub sources: &'static [&'static str],
}

impl Names {
    /// Those of a game.
    pub fn of<G: Measure>() -> Names {
        Names {
            cards: G::CARDS,
            events: G::EVENTS,
            resources: &G::RESOURCES,
            decisions: G::DECISIONS,
            bands: G::BANDS,
            sources: G::SOURCES,
        }
    }
}

/// A game that can be measured.
pub trait Measure: Game {
    /// What must be noted of a position to see afterwards which cards a decision took: a few words, not a copy
    /// of everything. It changes with what is taken and in no other way, so that it is noted then.
    type Before: Copy + Default + PartialEq + Debug + Send;

    /// Cards, sides and events that `cards.csv` has rows for; at most 32.
    const CARDS: &'static [&'static str];
    /// Those of them that only happen: nobody takes one by choice or keeps it, so summaries leave them out.
    const EVENTS: &'static [&'static str] = &[];
    /// Resources, in the order of all arrays.
    const RESOURCES: [&'static str; Resource::COUNT];
    /// Where points come from: words that name columns of `matches.csv`; at most 8.
    const SOURCES: &'static [&'static str];
    /// Kinds of decisions.
    const DECISIONS: &'static [&'static str];

    /// The first turn of each band of `economy.csv`, from 1; the last band is open.
    const BANDS: &'static [u16];
    /// Points that seats have when turns begin, as they are told apart in risk sets.
    const STANDINGS: Standings;

    /// Choices that a study can force, or remove options from.
    const CHOICES: &'static [Choice];

    /// Which kind of decision is due.
    fn decision_kind(&self, state: &Self::State) -> usize;

    /// Whose turn it is.
    fn current(&self, state: &Self::State) -> Seat;

    /// Points of a seat now.
    fn points(&self, state: &Self::State, seat: Seat) -> u8;

    /// Points of each seat now.
    #[inline]
    fn all_points(&self, state: &Self::State) -> PerSeat<u8> {
        let mut points = [0; SEATS_MAX];
        for seat in Seat::all(self.players()) {
            points[seat.idx()] = self.points(state, seat);
        }
        points
    }

    /// Points of a seat by source, in the order of [`Measure::SOURCES`].
    fn points_by_source(&self, state: &Self::State, seat: Seat) -> Sources;

    /// What [`Measure::taken`] needs of the position before a decision.
    fn before(&self, state: &Self::State) -> Self::Before;

    /// The cards that a legal list offers, one bit for each card.
    fn offered(&self, state: &Self::State, filter: ActionFilter) -> u32;

    /// The cards that the current seat took by an action, one bit for each card.
    fn taken(&self, before: &Self::Before, after: &Self::State, action: Self::Action) -> u32;

    /// Whether points may have changed by an action that took nothing.
    #[inline]
    fn may_score(&self, _action: Self::Action) -> bool {
        false
    }

    /// The card that a chance event turns up, counted as taken by the current seat.
    fn turned_up(event: ChanceEvent<Self::Draw>) -> Option<usize>;

    /// The cards that are taken by decision and have risk sets, one bit a card. Not those that come by
    /// chance, nor those that every seat has before its first turn.
    fn matched(&self) -> u32;

    /// The cards that a seat has in front of it, one bit for each card.
    fn held(&self, state: &Self::State, seat: Seat) -> u32;

    /// The resource that a chance event brings, if it is a draw.
    fn drawn(event: ChanceEvent<Self::Draw>) -> Option<Resource>;

    /// The resource that a chance event takes from one hand into another.
    fn stolen(event: ChanceEvent<Self::Draw>) -> Option<Resource>;

    /// Resource cards that [`Measure::yielded`] compares with those after a decision.
    fn in_bank(&self, _state: &Self::State) -> Resources {
        Resources::NONE
    }

    /// Resource cards that a decision has brought into hands without a draw of each, and for nothing in
    /// return, by kind; nothing if it has brought none. `bank` is what [`Measure::in_bank`] said before it.
    fn yielded(
        &self,
        _bank: Resources,
        _after: &Self::State,
        _action: Self::Action,
    ) -> Option<Resources> {
        None
    }

    /// What an action does with resource cards; nothing if it moves none.
    fn flow(&self, before: &Self::State, action: Self::Action) -> Option<Flow>;

    /// Resource cards in all hands, by kind, less those that are chosen to be discarded.
    fn in_hands(&self, state: &Self::State) -> Resources;

    /// Whether something listed was better in every way than what was chosen.
    fn dominated(&self, before: &Self::State, filter: ActionFilter, action: Self::Action) -> bool;

    /// The option of a choice that an action takes; nothing if it takes none.
    fn option(&self, _choice: usize, _state: &Self::State, _action: Self::Action) -> Option<usize> {
        None
    }

    /// The same action with another option; nothing if the rules forbid it.
    fn with_option(
        &self,
        _choice: usize,
        _state: &Self::State,
        _action: Self::Action,
        _option: usize,
    ) -> Option<Self::Action> {
        None
    }

    /// Whether anybody can ever take an option under the rule set.
    fn can_be_taken(&self, _choice: usize, _option: usize) -> bool {
        true
    }

    /// The change of the rule set, as `--set` has it, that would make two options differ, if they do the same
    /// under this one; nothing if they differ.
    fn alike(&self, _choice: usize, _options: [usize; 2]) -> Option<String> {
        None
    }

    /// The change of the rule set that leaves a seat this option of the choice only; nothing if the game has
    /// no such field.
    fn restriction(&self, _choice: usize, _seat: Seat, _option: usize) -> Option<String> {
        None
    }

    /// The field of the rule set that holds a map, in a game that has one.
    const MAP_FIELD: Option<&'static str> = None;

    /// The founding that an action is; nothing if it founds nothing.
    fn founding(&self, _state: &Self::State, _action: Self::Action) -> Option<Founding> {
        None
    }

    /// The same action at another place; nothing if the rules forbid it.
    fn founded_at(
        &self,
        _state: &Self::State,
        _action: Self::Action,
        _place: u8,
    ) -> Option<Self::Action> {
        None
    }

    /// The map of a position, in a game that has one.
    fn map_facts(&self, _state: &Self::State) -> Option<MapFacts> {
        None
    }
}
