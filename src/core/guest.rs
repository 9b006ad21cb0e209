//! Guests: players whose decisions come from outside, such as a program in another language. A guest gets what an agent
//! gets, and what happens besides, since it keeps its memory itself. It never gets a position.
//!
//! A guest may fail: its process dies, is silent, or answers what can't be meant. That is no move: the match ends there,
//! and whoever has it played is told.

use crate::core::chance::ChanceEvent;
use crate::core::game::{ActionFilter, Game, Observation, Outcome, SeatEvent, Step};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use rand_pcg::Pcg32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a guest needs to be asked: what it sees, how many turns there were, and what is to be decided.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// The turn, from 1; 0 before the first.
    pub turn: u16,
    /// What is asked, a word of the game.
    pub phase: &'static str,
}

/// A step of a match, as a seat may know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownStep<G: Game> {
    /// The turn in which it happened, from 1.
    pub turn: u16,
    /// Who acted.
    pub seat: Seat,
    /// What was done; nothing if that is hidden from the seat.
    pub action: Option<G::Action>,
    /// The results of luck that it saw.
    pub luck: Vec<ChanceEvent<G::Draw>>,
}

/// Something that happened, as a seat may know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News<G: Game> {
    /// Somebody has acted; what the seat remembers of it comes next.
    Step(KnownStep<G>),
    /// Something that a seat remembers.
    Event(SeatEvent<G>),
}

/// How a step is told to a seat; nothing of the deal.
pub type StepTeller<G> = fn(&G, &Step<'_, G>, Seat) -> Option<KnownStep<G>>;

/// What a seat may know of what happened, and was not yet told.
#[derive(Debug, Clone)]
pub struct Untold<G: Game> {
    /// In its order.
    pub news: Vec<News<G>>,
    /// How it is told of steps; nothing if it hears of events alone.
    pub steps: Option<StepTeller<G>>,
}

impl<G: Game> Untold<G> {
    /// Nothing yet.
    pub fn new(steps: Option<StepTeller<G>>) -> Untold<G> {
        Untold { news: Vec::new(), steps }
    }

    /// The same, where a guest and whoever has the match played find it.
    pub fn shared(steps: Option<StepTeller<G>>) -> Unheard<G> {
        Arc::new(Mutex::new(Untold::new(steps)))
    }
}

/// What a seat was not yet told, where a guest and whoever has the match played find it.
pub type Unheard<G> = Arc<Mutex<Untold<G>>>;

/// What was said in a match of a guest: by it, the match is taken up where it was left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Its number on the guest's line.
    pub number: u64,
    /// Questions and answers.
    pub exchanges: Vec<Exchange>,
    /// Whole lines that have not been sent yet.
    pub rest: Vec<u8>,
    /// How long the guest has thought about it.
    pub spent: Duration,
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The number of the question.
    pub id: u64,
    /// Whole lines, the last of which asks.
    pub sent: Vec<u8>,
    /// The answer.
    pub answer: String,
}

/// A player from outside. It may sit in several seats of a match.
pub trait Guest<G: Game>: Send {
    /// How much of the legal list it wants to read; known once it was greeted, which its first match does.
    fn action_filter(&self) -> ActionFilter;

    /// Whether it hears what happens, or is told something that follows from what its seat remembers; known once it was
    /// greeted. If not, nothing is remembered for it.
    fn hears(&self) -> bool;

    /// A match begins, in which it sits in a seat. `rng` is its own stream of random numbers. Returns where it looks
    /// for what happens.
    fn begin(&mut self, seat: Seat, rng: &Pcg32) -> Unheard<G>;

    /// The place in `legal` of what it chooses. It may append an action and point at it. After a failure it points
    /// nowhere: at `usize::MAX`.
    fn choose(
        &mut self,
        asked: Asked,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
    ) -> usize;

    /// What it has just chosen beside the list is against the rules, for a reason: it has failed.
    fn refuse(&mut self, reason: &str);

    /// The match is over, after some turns.
    fn end(&mut self, seat: Seat, outcome: &Outcome, turns: u16);

    /// What was said to a seat so far.
    fn transcript(&mut self, seat: Seat) -> Transcript;

    /// Takes the match of a seat up where a transcript ends. Answers must be the same again.
    fn rejoin(&mut self, seat: Seat, transcript: &Transcript) -> Unheard<G>;

    /// Why it failed, if it did.
    fn fault(&self) -> Option<String>;
}
