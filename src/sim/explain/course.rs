//! How a match went for one seat: how much it owes to luck, and where its chance to win changed most. All of it is the
//! judgement of the game's planner with its default weights, which sees all cards: the match is over.

use crate::core::game::Turn;
use crate::core::measure::Measure;
use crate::core::opinion::Opinion;
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
    /// Whether the seat has won.
    pub won: bool,
    /// The turn over which its chance to win changed most, the last one aside; nothing if there is no other.
    pub turning: Option<Turning>,
}

/// A turn that changed a seat's chance to win, and the step of it that did so most.
#[derive(Debug, Clone, PartialEq)]
pub struct Turning {
    /// The turn.
    pub turn: u16,
    /// The chance to win when it began, and when the next one did.
    pub over: [Foreseen; 2],
    /// The step's decision, numbered from 0.
    pub decision: usize,
    /// What happened in the step, as the seat was told.
    pub told: String,
    /// The chance to win before the step, and after it.
    pub at: [Foreseen; 2],
}

/// What the planner thinks becomes of a position once it has played the turn to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foreseen {
    /// The chance of the seat to win, 0 to 1.
    pub chance: f64,
    /// Who would have won in that turn.
    pub winner: Option<Seat>,
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
    let end = taken.step(decisions).after;
    let won = game.turn(end) == Turn::Over && game.outcome(end).winner == Some(seat);
    Course { luck, won, turning: turning(game, taken, seat) }
}

/// The turn over which the chance changed most is looked for first, and then the step of it that changed it most, in the
/// same direction: a match has far fewer turns than steps. All positions of a turn, and the first one of the next, are
/// judged by where the planner takes them when that next turn begins. A position that is judged a turn further on has
/// another chance for that alone.
fn turning<G: Opinion + Wording>(game: &G, taken: &MatchHistory<G>, seat: Seat) -> Option<Turning> {
    let mut judge = Foresight::new(game);
    let turn = |number: usize| game.turn_number(taken.step(number).after);
    let mut foreseen = |number: usize, turn: u16| {
        let after = taken.step(number).after;
        let (chances, winner) = judge.by_turn(game, after, turn.saturating_add(1));
        Foreseen { chance: f64::from(chances[seat.idx()]), winner }
    };
    let starts: Vec<usize> = (0..=taken.decisions().len())
        .filter(|&number| number == 0 || turn(number) != turn(number - 1))
        .collect();
    let spans: Vec<[usize; 2]> = starts.windows(2).map(|span| [span[0], span[1]]).collect();
    let (span, over) = largest_change(&spans, |number, from| foreseen(number, turn(from)), 0.0)?;
    let steps: Vec<[usize; 2]> = (span[0]..span[1]).map(|number| [number, number + 1]).collect();
    let now = turn(span[0]);
    let way = over[1].chance - over[0].chance;
    let (step, at) = largest_change(&steps, |number, _| foreseen(number, now), way)?;
    let told = step_text(game, &taken.step(step[1]), seat);
    let told = [told.words, told.opens].join(" ").trim().to_owned();
    Some(Turning { turn: now, over, decision: step[0], told, at })
}

/// Over which span of positions the chance changes most, up or down as `way` does, either if that is 0; the first in a
/// tie. A position is judged as one of the span that begins there.
fn largest_change(
    spans: &[[usize; 2]],
    mut judge: impl FnMut(usize, usize) -> Foreseen,
    way: f64,
) -> Option<([usize; 2], [Foreseen; 2])> {
    let judged = spans.iter().map(|&[from, to]| ([from, to], [judge(from, from), judge(to, from)]));
    let judged: Vec<_> = judged.collect();
    let change = |[before, after]: &[Foreseen; 2]| {
        let change = after.chance - before.chance;
        if way == 0.0 { change.abs() } else { change * way.signum() }
    };
    judged.into_iter().rev().max_by(|(_, a), (_, b)| change(a).total_cmp(&change(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreseen(chance: f64) -> Foreseen {
        Foreseen { chance, winner: None }
    }

    #[test]
    fn the_largest_change_is_found() {
        let chances = [0.2, 0.3, 0.1, 0.3, 0.25];
        let found = |spans: &[[usize; 2]], way| {
            largest_change(spans, |number, _| foreseen(chances[number]), way).map(|(span, _)| span)
        };
        let steps = [[0, 1], [1, 2], [2, 3], [3, 4]];
        assert_eq!(found(&steps, 0.0), Some([1, 2]), "the first of two that are alike");
        assert_eq!(found(&steps, 0.01), Some([2, 3]), "upwards");
        assert_eq!(found(&steps, -0.5), Some([1, 2]), "downwards");
        assert_eq!(found(&[[0, 3], [3, 4]], 0.0), Some([0, 3]));
        assert_eq!(found(&[], 0.0), None);
    }

    /// Each position is judged at the end of the turn in which its span begins: a jump between turns is no change.
    #[test]
    fn what_is_judged_further_on_is_not_compared() {
        let judge = |number: usize, from: usize| foreseen(if number == from { 0.5 } else { 0.6 });
        let (_, over) = largest_change(&[[0, 4], [4, 9]], judge, 0.0).expect("two turns");
        assert_eq!(over, [foreseen(0.5), foreseen(0.6)]);
    }
}
