//! The contract that every game fulfils: rules only, without opinions, files or a clock.

use crate::core::chance::{Chance, ChanceEvent, Luck};
use crate::core::types::actions::{Actions, Choices, Count, Entry, Listing};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use rand_pcg::Pcg32;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use toml::{Table, Value};

/// Who acts next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// This seat decides.
    Decide(Seat),
    /// The match is over.
    Over,
}

/// How much of the legal list an agent wants to read. Shorter lists are cheaper to write;
/// nothing that a filter leaves out is illegal, and an agent never wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ActionFilter {
    /// The shortest: no offers to trade, and of several ways to do the same only the usual one.
    Plain,
    /// Everything but offers to trade and counter-offers.
    NoOffers,
    /// Everything that the game lists.
    Full,
}

/// Why a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A seat reached the target.
    Won,
    /// The turn limit was reached first.
    TurnLimit,
    /// The turn limit was reached, and nothing could change any more.
    Standstill,
}

impl End {
    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            End::Won => "won",
            End::TurnLimit => "turn_limit",
            End::Standstill => "standstill",
        }
    }
}

/// The result of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Why it ended.
    pub end: End,
    /// The winner, if there is one.
    pub winner: Option<Seat>,
    /// Points by seat.
    pub points: PerSeat<u8>,
    /// Seats at the table.
    pub seats: u8,
}

impl Outcome {
    /// Twice the rank of each seat, 2 for the first: the winner first, then by points; ties share the mean.
    pub fn ranks_doubled(&self) -> PerSeat<u8> {
        let mut ranks = [0; SEATS_MAX];
        // A number a seat: pairs would be compared part by part.
        let mut keys: PerSeat<u16> = self.points.map(u16::from);
        if let Some(winner) = self.winner {
            keys[winner.idx()] += 1 << 8;
        }
        let keys = &keys[..usize::from(self.seats)];
        for (rank, own) in ranks.iter_mut().zip(keys) {
            let behind = |other| 2 * u8::from(other > own) + u8::from(other == own);
            *rank = 1 + keys.iter().map(behind).sum::<u8>();
        }
        ranks
    }
}

/// A field of a rule set: its path in TOML, its clause, what it means.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Dotted path, such as `metropolis.cost.wool`.
    pub path: &'static str,
    /// The clause of the rules that it belongs to.
    pub clause: &'static str,
    /// What it does, and its range or its words.
    pub about: &'static str,
    /// Whether the rules' text leaves it open: a default that we chose or read off the cards.
    pub open: bool,
    /// What it may be, and so its smallest change.
    pub steps: Steps,
}

impl Field {
    /// A field whose default the rules' text gives, or which exists for studies only.
    pub const fn specified(
        path: &'static str,
        clause: &'static str,
        steps: Steps,
        about: &'static str,
    ) -> Field {
        Field { path, clause, about, open: false, steps }
    }

    /// A field of the part of a clause that is marked with a dagger.
    pub const fn unspecified(
        path: &'static str,
        clause: &'static str,
        steps: Steps,
        about: &'static str,
    ) -> Field {
        Field { path, clause, about, open: true, steps }
    }

    /// Whether it may be a list of one number for each seat.
    pub const fn is_by_seat(&self) -> bool {
        matches!(self.steps, Steps::BySeat(..))
    }

    /// Its value in a rule set.
    pub fn value_in<'a>(&self, rules: &'a Table) -> Option<&'a Value> {
        let mut parts = self.path.split('.');
        let first = rules.get(parts.next()?)?;
        parts.try_fold(first, |value, part| value.get(part))
    }
}

/// What a field may be, and what one step either way from its value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// A whole number, with the least and the most that it may be: one more, one less.
    Whole(u16, u16),
    /// A whole number, or a list of one for each seat, with the least and the most of each: all of them, or the entry of
    /// a seat, one more or one less.
    BySeat(u16, u16),
    /// A word: each of the others.
    Words(&'static [&'static str]),
    /// One of these words, or the content of a file: each of the other words.
    File(&'static [&'static str]),
    /// True or false: the other one.
    Flag,
    /// A price, with the most cards of a kind: one card of one kind more or less, for each kind that it has.
    Price(u16),
    /// What is added to a price or taken from it, with the most cards of a kind: no steps of its own.
    Surcharge(u16),
    /// A list of whole numbers, with the least and the most that each may be: one entry one more or one less.
    List(u16, u16),
    /// A list of sets of these words, for studies that set them on purpose: no steps of its own.
    Sets(&'static [&'static str]),
}

/// A field whose value can't be played with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rule set field `{field}`: {reason}")]
pub struct BadRule {
    /// Dotted path of the field.
    pub field: String,
    /// What is wrong, and what would be right.
    pub reason: String,
}

impl BadRule {
    /// A complaint about `field`.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> BadRule {
        BadRule { field: field.into(), reason: reason.into() }
    }
}

/// An action that the rules forbid here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("illegal: {0}")]
pub struct IllegalAction(pub String);

/// Refuses an action for a reason, unless something holds.
///
/// # Errors
/// The reason.
pub fn ensure(holds: bool, otherwise: &str) -> Result<(), IllegalAction> {
    if holds { Ok(()) } else { Err(IllegalAction(otherwise.to_owned())) }
}

/// One step of a match as the rules see it, hidden cards included: the deal, or an action.
#[derive(Debug)]
pub struct Step<'a, G: Game> {
    /// The position before, and the action that was taken in it; nothing if this is the deal.
    pub action: Option<(&'a G::State, G::Action)>,
    /// The chance events that it brought, in their order.
    pub chance: &'a [ChanceEvent<G::Draw>],
    /// The position after it.
    pub after: &'a G::State,
}

impl<G: Game> Step<'_, G> {
    /// Adds to a seat's memory what the seat may know of the step.
    pub fn remember(&self, game: &G, seat: Seat, memory: &mut G::Memory) {
        G::Memory::observe(game, self, seat, |event| memory.hear(event));
    }
}

/// What one seat remembers of a match, and how it imagines what it can't see.
///
/// A memory hears [events](SeatEvent) that hold only what the seat may know, and nothing else: whoever has the
/// events of a seat can rebuild its memory, and events don't differ where only hidden things do. All methods but
/// two do nothing by default. A game of open information has `()` for a memory, and its position for a view.
pub trait SeatMemory<G: Game>: Clone + Eq + Debug + Send + Sync {
    /// Something that happened, as far as a seat may know it.
    type Event: Copy + Eq + Debug + Send + Serialize + DeserializeOwned;
    /// What a determinization leaves for the next of the same observation; `()` if each stands alone.
    type Chain: Default;

    /// A seat's memory before anything is dealt.
    fn new(game: &G, seat: Seat) -> Self;

    /// What a seat may know of a step, given to `hear` event by event. The rules see everything; what is hidden
    /// from the seat is left out here.
    fn observe(_game: &G, _step: &Step<'_, G>, _seat: Seat, _hear: impl FnMut(Self::Event)) {}

    /// Adds an event.
    ///
    /// # Panics
    /// Perhaps, if it can't have happened after those before it.
    fn hear(&mut self, _event: Self::Event) {}

    /// Whether an event can have happened after those before it. Whoever hears of matches from outside asks first.
    fn may_hear(&self, _game: &G, _event: Self::Event) -> bool {
        true
    }

    /// Whether a view agrees with the events before it, as far as sizes of hands and cards that lie open tell. Whoever
    /// hears of matches from outside asks first.
    fn agrees_with(&self, _game: &G, _view: &G::View<'_>) -> bool {
        true
    }

    /// A full position that agrees with what a seat sees and remembers. Each game's header states the law. `chain` is empty
    /// at the first determinization of an observation, and what that left at the next.
    fn determinize(
        &self,
        game: &G,
        view: &G::View<'_>,
        chain: &mut Self::Chain,
        rng: &mut Pcg32,
    ) -> G::State;
}

/// What a seat of a game may know of something that happened.
pub type SeatEvent<G> = <<G as Game>::Memory as SeatMemory<G>>::Event;

/// What determinizations of one observation leave for the next.
pub type Chain<G> = <<G as Game>::Memory as SeatMemory<G>>::Chain;

/// Nothing is hidden, and what is seen is the position.
impl<G> SeatMemory<G> for ()
where
    G: for<'a> Game<View<'a> = &'a <G as Game>::State>,
{
    type Event = ();
    type Chain = ();

    fn new(_game: &G, _seat: Seat) {}

    fn determinize(
        &self,
        _game: &G,
        view: &&G::State,
        _chain: &mut (),
        _rng: &mut Pcg32,
    ) -> G::State {
        **view
    }
}

/// Everything that one seat may use to choose: what it sees now and what it remembers.
#[derive(Debug, PartialEq, Eq)]
pub struct Observation<'a, G: Game> {
    /// The seat that observes.
    pub seat: Seat,
    /// What is open to it, its own hand included.
    pub view: G::View<'a>,
    /// What the seat has seen happen.
    pub memory: &'a G::Memory,
}

impl<G: Game> Observation<'_, G> {
    /// A full position that agrees with all that the seat knows.
    #[inline]
    pub fn determinize(&self, game: &G, rng: &mut Pcg32) -> G::State {
        self.determinize_next(game, &mut Chain::<G>::default(), rng)
    }

    /// One of several: `chain` is what the last one left.
    #[inline]
    pub fn determinize_next(&self, game: &G, chain: &mut Chain<G>, rng: &mut Pcg32) -> G::State {
        self.memory.determinize(game, &self.view, chain, rng)
    }
}

/// What is legal in a position, found out each time that it is asked for.
struct Legal<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    filter: ActionFilter,
}

impl<G: Game> Choices<G::Action> for Legal<'_, G> {
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn list(&self, out: &mut impl Listing<G::Action>) {
        self.game.list(self.state, self.filter, out);
    }
}

/// The rules of one game for one table size and one rule set.
pub trait Game: Debug + Clone + PartialEq + Eq + Send + Sync + Sized + 'static {
    /// A full position, hidden hands included. A rollout starts by copying it.
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    /// One choice; 8 bytes at most.
    type Action: Copy + Eq + Hash + Debug + Display + Send + Sync + Serialize + DeserializeOwned;
    /// What is left to luck.
    type Draw: Luck;
    /// What one seat sees at one moment: a few words beside what is open to all, which is borrowed.
    type View<'a>: Copy + Eq + Debug + Sync;
    /// What one seat remembers; `()` if nothing is hidden.
    type Memory: SeatMemory<Self>;
    /// The rule set.
    type Rules: Clone + Default + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// The name on the command line.
    const NAME: &'static str;
    /// The fewest and the most players.
    const PLAYERS: std::ops::RangeInclusive<u8>;
    /// The length of the longest legal list.
    const ACTIONS_MAX: usize;
    /// The fields of the rule set, in the order in which they are shown.
    const FIELDS: &'static [Field];

    /// The game for a rule set and a number of players.
    ///
    /// # Errors
    /// Names each field that can't be played with.
    fn new(rules: Self::Rules, players: u8) -> Result<Self, Vec<BadRule>>;

    /// The rule set.
    fn rules(&self) -> &Self::Rules;

    /// The rule set with everything that is never read at this table set to its default: numbers for other
    /// numbers of players, rules about cards that are not in play. Games that have the same rules in effect play
    /// the same matches.
    fn in_effect(&self) -> Self::Rules {
        self.rules().clone()
    }

    /// How many players sit at the table.
    fn players(&self) -> u8;

    /// Why these settings are unofficial, if they are.
    fn unofficial(&self) -> Option<&'static str>;

    /// The last turn that a match may have.
    fn turns_max(&self) -> u16;

    /// The most decisions of a match; a match with more would be a fault of the rules.
    fn decisions_max(&self) -> u32;

    /// A start position, with everything dealt and the first harvest done.
    fn deal<C: Chance<Self::Draw>>(&self, chance: &mut C) -> Self::State;

    /// Who acts next.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Adds the actions to choose from, in a fixed order and without duplicates. There are some unless the
    /// match is over.
    fn list<L: Listing<Self::Action>>(
        &self,
        state: &Self::State,
        filter: ActionFilter,
        out: &mut L,
    );

    /// The legal list; `out` is cleared first.
    #[inline]
    fn legal(&self, state: &Self::State, filter: ActionFilter, out: &mut Actions<Self::Action>) {
        out.clear();
        self.list(state, filter, out);
    }

    /// The length of the legal list, which is not written.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn count(&self, state: &Self::State, filter: ActionFilter) -> usize {
        let mut count = Count::default();
        self.list(state, filter, &mut count);
        count.0
    }

    /// The entry at a place of the legal list, which is not written.
    ///
    /// # Panics
    /// If the list is not that long.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn entry(&self, state: &Self::State, filter: ActionFilter, place: usize) -> Self::Action {
        let mut entry = Entry::at(place);
        self.list(state, filter, &mut entry);
        entry.found().expect("a place of the list")
    }

    /// An entry of the legal list, which is not written, and the length of the list. If there are several,
    /// `place` chooses one by its place.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn draw(
        &self,
        state: &Self::State,
        filter: ActionFilter,
        place: impl FnOnce(usize) -> usize,
    ) -> (Self::Action, usize) {
        Legal { game: self, state, filter }.draw(place)
    }

    /// Whether the rules allow an action, listed or not.
    ///
    /// # Errors
    /// Says what forbids it.
    fn permits(&self, state: &Self::State, action: Self::Action) -> Result<(), IllegalAction>;

    /// Carries out an action that the rules allow.
    fn apply<C: Chance<Self::Draw>>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        chance: &mut C,
    );

    /// The result, once over.
    fn outcome(&self, state: &Self::State) -> Outcome;

    /// The invariants of a state.
    ///
    /// # Panics
    /// If one is broken.
    fn check(&self, state: &Self::State);

    /// What a seat sees now.
    fn view<'a>(&self, state: &'a Self::State, seat: Seat) -> Self::View<'a>;

    /// The turn that is being played, from 1.
    fn turn_number(&self, state: &Self::State) -> u16;
}

/// Carries out an action after asking the rules: for replays and for people.
///
/// # Errors
/// Says what forbids it; the state is then untouched.
pub fn try_apply<G: Game, C: Chance<G::Draw>>(
    game: &G,
    state: &mut G::State,
    action: G::Action,
    chance: &mut C,
) -> Result<(), IllegalAction> {
    game.permits(state, action)?;
    game.apply(state, action, chance);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_put_the_winner_first_and_share_ties() {
        let outcome = Outcome {
            end: End::Won,
            winner: Some(Seat::new(1)),
            points: [7, 7, 4, 4, 0, 0],
            seats: 4,
        };
        assert_eq!(outcome.ranks_doubled()[..4], [4, 2, 7, 7]);
        let nobody = Outcome { winner: None, end: End::TurnLimit, ..outcome };
        assert_eq!(nobody.ranks_doubled()[..4], [3, 3, 7, 7]);
    }
}
