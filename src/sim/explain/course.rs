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
use crate::sim::play::step_text::step_text;

/// How a match went for one seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// What the seat owes to draws and rolls after the deal, in matches won: 0.1 is ten percentage points.
    pub luck: f64,
    /// The step that changed its chance to win most, in the turn over which that changed most, the end aside; nothing if
    /// the match had one decision.
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

/// The turn over which the chance changed most is looked for first, and then the step of it that changed it most: a match
/// has far fewer turns than steps.
fn turning<G: Opinion + Wording>(game: &G, taken: &MatchHistory<G>, seat: Seat) -> Option<Turning> {
    let mut judge = Foresight::new(game);
    let mut chance = |number: usize| {
        f64::from(judge.win_probabilities(game, taken.step(number).after)[seat.idx()])
    };
    let goes_on = |number: &usize| game.turn(taken.step(*number).after) != Turn::Over;
    let positions: Vec<usize> = (0..=taken.decisions().len()).filter(goes_on).collect();
    let turn = |number: usize| game.turn_number(taken.step(number).after);
    let begins = |number: &&usize| **number == 0 || turn(**number) != turn(**number - 1);
    let mut turns: Vec<usize> = positions.iter().filter(begins).copied().collect();
    turns.extend(positions.last().filter(|last| turns.last() != Some(last)));
    let (from, to) = largest_change(&turns, &mut chance)?;
    let steps: Vec<usize> = (from..=to).collect();
    let (_, number) = largest_change(&steps, &mut chance)?;
    let (before, after) = (chance(number - 1), chance(number));
    let told = step_text(game, &taken.step(number), seat);
    Some(Turning { decision: number - 1, turn: told.turn, told: told.words, before, after })
}

/// Between which two neighbours of some positions the chance changes most, the first of them in a tie.
fn largest_change(
    positions: &[usize],
    mut chance: impl FnMut(usize) -> f64,
) -> Option<(usize, usize)> {
    let chances: Vec<f64> = positions.iter().map(|&number| chance(number)).collect();
    let change = |at: &usize| (chances[at + 1] - chances[*at]).abs();
    let places = 0..chances.len().saturating_sub(1);
    let most = places.rev().max_by(|a, b| change(a).total_cmp(&change(b)))?;
    Some((positions[most], positions[most + 1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_change_is_found() {
        let chances = [0.2, 0.3, 0.1, 0.3, 0.25];
        let found = |positions: &[usize]| largest_change(positions, |number| chances[number]);
        assert_eq!(found(&[0, 1, 2, 3, 4]), Some((1, 2)));
        assert_eq!(found(&[0, 3, 4]), Some((0, 3)));
        assert_eq!(found(&[2]), None);
        assert_eq!(found(&[]), None);
    }
}
