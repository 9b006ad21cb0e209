//! What a game lets itself be asked for statistics: names of things to count, never how to play.

use crate::chance::ChanceEvent;
use crate::game::Game;
use crate::types::seat::Seat;
use std::fmt::Debug;

/// Kinds of resources that are counted.
pub const RESOURCES: usize = 5;

/// What one decision does with resource cards, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flows {
    /// Paid for builds.
    pub spent: [u8; RESOURCES],
    /// Part of what was paid that stood in for another kind.
    pub substituted: [u8; RESOURCES],
    /// Exchanged between players, both directions.
    pub traded: [u8; RESOURCES],
    /// Given up to the Robber.
    pub discarded: [u8; RESOURCES],
}

/// A choice among things that should be worth the same, such as which metropolis to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its name on the command line.
    pub name: &'static str,
    /// What can be chosen.
    pub options: &'static [ChoiceOption],
}

/// One of the things to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceOption {
    /// Its name in tables.
    pub name: &'static str,
    /// The rule set field that takes it out of the match, as `--set` has it.
    pub removal: &'static str,
}

/// A game that can be measured.
pub trait Measure: Game {
    /// What must be known of a position to see afterwards what a decision did: a few words, no copy of
    /// it all.
    type Before: Copy + Default + Debug + Send;

    /// Cards, sides and events that `cards.csv` has rows for; at most 32.
    const CARDS: &'static [&'static str];
    /// Resources, in the order of all arrays.
    const RESOURCES: [&'static str; RESOURCES];
    /// Kinds of decisions.
    const DECISIONS: &'static [&'static str];

    /// Choices that a study can force, or take options of away.
    const CHOICES: &'static [Choice];

    /// Which kind of decision is due.
    fn decision_kind(&self, state: &Self::State) -> usize;

    /// Whose turn it is.
    fn current(&self, state: &Self::State) -> Seat;

    /// Points of a seat now.
    fn points(&self, state: &Self::State, seat: Seat) -> u8;

    /// Points of a seat by source, `name:points` parted by blanks.
    fn points_by_source(&self, state: &Self::State, seat: Seat) -> String;

    /// What [`Measure::taken`] and [`Measure::yielded`] need of the position before a decision.
    fn before(&self, state: &Self::State) -> Self::Before;

    /// The cards that a legal list offers to take, one bit a card.
    fn offered(&self, state: &Self::State, legal: &[Self::Action]) -> u32;

    /// The cards that the current seat took by an action, one bit a card.
    fn taken(&self, before: &Self::Before, after: &Self::State, action: Self::Action) -> u32;

    /// The card that a chance event brings up, counted as taken by the current seat.
    fn turned_up(event: ChanceEvent) -> Option<usize>;

    /// The cards that a seat has in front of it, one bit a card.
    fn held(&self, state: &Self::State, seat: Seat) -> u32;

    /// The resource that a chance event brings, if it is a draw.
    fn drawn(event: ChanceEvent) -> Option<usize>;

    /// Resource cards that a decision has brought into hands without a draw of each, by kind; nothing if it
    /// has brought none.
    fn yielded(
        &self,
        before: &Self::Before,
        after: &Self::State,
        action: Self::Action,
    ) -> Option<[u8; RESOURCES]>;

    /// What an action does with resource cards; nothing if it moves none.
    fn flows(&self, before: &Self::State, action: Self::Action) -> Option<Flows>;

    /// Resource cards in all hands, by kind.
    fn in_hands(&self, state: &Self::State) -> [u8; RESOURCES];

    /// Whether something listed was better in every way than what was chosen.
    fn dominated(&self, before: &Self::State, legal: &[Self::Action], action: Self::Action)
    -> bool;

    /// The option of a choice that an action takes; nothing if it takes none.
    fn option(&self, choice: usize, state: &Self::State, action: Self::Action) -> Option<usize>;

    /// The same action with another option; nothing if the rules forbid it.
    fn with_option(
        &self,
        choice: usize,
        state: &Self::State,
        action: Self::Action,
        option: usize,
    ) -> Option<Self::Action>;
}
