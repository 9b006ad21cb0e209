//! How a match went for one seat: how much it owes to luck, and where its chance to win changed most. All of it is the
//! judgement of the game's planner with its default weights, which sees all cards: the match is over.

use crate::core::game::Turn;
use crate::core::measure::Measure;
use crate::core::opinion::{Judge, Opinion};
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::explain::history::MatchHistory;
use crate::sim::foresight::Foresight;
use crate::sim::luck::{LuckMeter, WHOLE};
use crate::sim::play::chronicle::happening;

/// How a match went for one seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// What the seat owes to draws and rolls after the deal, in matches won: 0.1 is ten percentage points.
    pub luck: f64,
    /// Where its chance to win changed most, but for the end; nothing if the match had one decision.
    pub turning: Option<Turning>,
}

/// A step of a match that changed a seat's chance to win.
#[derive(Debug, Clone, PartialEq)]
pub struct Turning {
    /// The decision's number, from 0.
    pub decision: usize,
    /// The turn.
    pub turn: u16,
    /// What happened, as the seat was told.
    pub told: String,
    /// The chance to win before it, 0 to 1.
    pub before: f64,
    /// And after it.
    pub after: f64,
}

/// How a match went for a seat.
pub fn course<G: Opinion + Measure + Wording>(
    game: &G,
    taken: &MatchHistory<G>,
    seat: Seat,
) -> Course {
    let mut meter = LuckMeter::new(Box::new(Foresight::new(game)));
    let decisions = taken.decisions().len();
    (1..=decisions).for_each(|number| meter.hear(game, &taken.step(number)));
    let luck = meter.luck()[seat.idx()] as f64 / WHOLE as f64;
    Course { luck, turning: turning(game, taken, seat) }
}

fn turning<G: Opinion + Wording>(game: &G, taken: &MatchHistory<G>, seat: Seat) -> Option<Turning> {
    let mut judge = Foresight::new(game);
    let mut chance = |number: usize| -> Option<f64> {
        let state = taken.step(number).after;
        let goes_on = game.turn(state) != Turn::Over;
        goes_on.then(|| f64::from(judge.win_probabilities(game, state)[seat.idx()]))
    };
    let mut before = chance(0)?;
    let mut most: Option<(usize, f64, f64)> = None;
    for number in 1..=taken.decisions().len() {
        let Some(after) = chance(number) else { break };
        if most.is_none_or(|(_, from, to)| (after - before).abs() > (to - from).abs()) {
            most = Some((number, before, after));
        }
        before = after;
    }
    let (number, before, after) = most?;
    let told = happening(game, &taken.step(number), seat);
    Some(Turning { decision: number - 1, turn: told.turn, told: told.words, before, after })
}
