//! The heap: a toy game for two whose best moves are known. Not a test.
//!
//! - **HP-1** A card of some colour lies face down: colour k with a probability of its weight over the sum
//!   of the weights.
//! - **HP-2** Seats take 1 to 3 stones in turn. Whoever takes the last one names a colour, and wins if it is
//!   the card's; otherwise the other seat wins. With no stones at all, seat 1 names at once.
//! - **HP-3** A rule set may forbid to name a colour below the card's (`no_lower`), so that what is legal depends on what
//!   nobody sees.
//!
//! With one colour the last stone wins: the best move leaves a multiple of 4, if one can (C. Bouton, "Nim, a
//! game with a complete mathematical theory", 1901). Where the best guess is right less than half of the
//! time, the last stone is one to avoid: the best move leaves one more than a multiple of 4. A search that
//! looked at each card by itself would name it and play for the last stone, and so would one that peeks.

use crate::core::agent::NoAgent;
use crate::core::chance::{Chance, Luck, weighted};
use crate::core::game::{
    ActionFilter, BadRule, End, Field, Game, IllegalAction, Outcome, SeatMemory, Turn,
};
use crate::core::opinion::{Judge, Opinion, Policy, Rate};
use crate::core::params::{MctsParams, Parameter};
use crate::core::types::actions::{Actions, Listing};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// Takes this number of stones, 1 to 3.
    Take(u8),
    /// Names a colour.
    Name(u8),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Take(stones) => write!(f, "take {stones}"),
            Action::Name(colour) => write!(f, "name {colour}"),
        }
    }
}

/// The rule set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rules {
    /// Stones at the start.
    pub stones: u8,
    /// Weights of the card's colours.
    pub weights: [u8; 3],
    /// Whether no colour below the card's may be named.
    pub no_lower: bool,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// Stones that are left.
    pub stones: u8,
    /// The turn, counted by player from 1; the same seat acts in all odd ones.
    pub turn: u16,
    /// The card's colour, which nobody sees.
    pub card: u8,
    /// The winner.
    pub winner: Option<Seat>,
}

/// The one thing that is left to luck: the card's colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card;

impl Luck for Card {
    fn stream(self) -> u8 {
        0
    }
}

/// The game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heap {
    rules: Rules,
}

impl Heap {
    /// The game with a number of stones and a card of these weights.
    pub fn of(stones: u8, weights: [u8; 3]) -> Heap {
        Heap { rules: Rules { stones, weights, no_lower: false } }
    }

    /// The first position, with this card.
    pub fn start(&self, card: u8) -> State {
        State { stones: self.rules.stones, turn: 1, card, winner: None }
    }
}

fn seat(turn: u16) -> Seat {
    Seat::new(u8::from(turn.is_multiple_of(2)))
}

impl Game for Heap {
    type State = State;
    type Action = Action;
    type Draw = Card;
    /// Stones and turn.
    type View<'a> = (u8, u16);
    type Memory = Nothing;
    type Rules = Rules;

    const NAME: &'static str = "heap";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=2;
    const ACTIONS_MAX: usize = 3;
    const FIELDS: &'static [Field] = &[];

    fn new(rules: Rules, _players: u8) -> Result<Heap, Vec<BadRule>> {
        Ok(Heap { rules })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn players(&self) -> u8 {
        2
    }

    fn unofficial(&self) -> Option<&'static str> {
        None
    }

    fn turns_max(&self) -> u16 {
        u16::from(self.rules.stones) + 1
    }

    fn decisions_max(&self) -> u32 {
        u32::from(self.rules.stones) + 1
    }

    fn deal<C: Chance<Card>>(&self, chance: &mut C) -> State {
        chance.start_turn(1);
        self.start(chance.kind(Card, &self.rules.weights))
    }

    fn turn(&self, state: &State) -> Turn {
        state.winner.map_or(Turn::Decide(seat(state.turn)), |_| Turn::Over)
    }

    fn list<L: Listing<Action>>(&self, state: &State, _filter: ActionFilter, out: &mut L) {
        if state.stones > 0 {
            let most = state.stones.min(3);
            out.each(most.into(), (1..=most).map(Action::Take));
        } else {
            let there = |colour: &u8| self.rules.weights[usize::from(*colour)] > 0;
            let least = if self.rules.no_lower { state.card } else { 0 };
            for colour in (least..3).filter(there) {
                out.one(Action::Name(colour));
            }
        }
    }

    fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        let mut legal = Actions::new();
        self.legal(state, ActionFilter::Full, &mut legal);
        let listed = state.winner.is_none() && legal.contains(&action);
        if listed { Ok(()) } else { Err(IllegalAction(action.to_string())) }
    }

    fn apply<C: Chance<Card>>(&self, state: &mut State, action: Action, chance: &mut C) {
        match action {
            Action::Take(stones) => {
                state.stones -= stones;
                // The seat that took the last stone continues.
                if state.stones > 0 {
                    state.turn += 1;
                    chance.start_turn(state.turn);
                }
            }
            Action::Name(colour) => {
                let right = colour == state.card;
                state.winner = Some(seat(state.turn + u16::from(!right)));
            }
        }
    }

    fn outcome(&self, state: &State) -> Outcome {
        let mut points = [0; SEATS_MAX];
        if let Some(winner) = state.winner {
            points[winner.idx()] = 1;
        }
        Outcome { end: End::Won, winner: state.winner, points, seats: 2 }
    }

    fn check(&self, _state: &State) {}

    fn view(&self, state: &State, _seat: Seat) -> (u8, u16) {
        (state.stones, state.turn)
    }

    fn turn_number(&self, state: &State) -> u16 {
        state.turn
    }
}

/// A seat remembers nothing: taking stones says nothing about the card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nothing;

impl SeatMemory<Heap> for Nothing {
    type Event = ();
    type Chain = ();

    fn new(_game: &Heap, _seat: Seat) -> Nothing {
        Nothing
    }

    /// The card by its weights.
    fn determinize(
        &self,
        game: &Heap,
        &(stones, turn): &(u8, u16),
        _chain: &mut (),
        rng: &mut Pcg32,
    ) -> State {
        let card = weighted(rng, &game.rules.weights);
        State { stones, turn, card, winner: None }
    }
}

/// An opinion that may be wrong: one action is rated above the others.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Taste {
    /// The action that is rated 1; all others are rated 0.
    pub favours: Option<Action>,
    /// An action that is added to every list that lacks it.
    pub adds: Option<Action>,
}

/// Takes as many stones as it may, or names the last colour, but rates by taste.
#[derive(Debug, Clone, Default)]
pub struct Greedy(Taste);

impl Policy<Heap> for Greedy {
    fn choose(
        &mut self,
        _game: &Heap,
        _view: &(u8, u16),
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        legal.len() - 1
    }
}

impl Rate<Heap> for Greedy {
    fn rate(&mut self, _game: &Heap, _view: &(u8, u16), legal: &[Action], out: &mut Vec<f32>) {
        out.clear();
        out.extend(legal.iter().map(|&action| f32::from(u8::from(self.0.favours == Some(action)))));
    }

    fn fog(&self) -> f32 {
        1.0
    }

    fn suggest(&mut self, _game: &Heap, _view: &(u8, u16), legal: &mut Actions<Action>) {
        let added = self.0.adds.filter(|action| !legal.contains(action));
        legal.extend(added);
    }
}

impl Judge<Heap> for Greedy {
    fn win_probabilities(&mut self, _game: &Heap, _state: &State) -> PerSeat<f32> {
        [0.5, 0.5, 0.0, 0.0, 0.0, 0.0]
    }
}

impl Opinion for Heap {
    type Weights = Taste;
    type Planner = Greedy;
    type Eager = Greedy;
    type Quick = Greedy;
    type Special = NoAgent;

    const WEIGHTS: &'static [Parameter] = &[];
    const SEARCH: MctsParams = MctsParams::DEFAULT;

    fn planner(&self, taste: &Taste) -> Greedy {
        Greedy(taste.clone())
    }
}
