//! When a match ends for the other program and when it ends by the rules.

use crate::catanatron::differences::{Counts, Difference};
use crate::catanatron::field::Field;
use crate::catanatron::position::Position;
use crate::catanatron::trouble::{Trouble, differs, same, seat_name};
use crate::catanatron::words;
use crate::core::game::{End, Game};
use crate::core::types::seat::Seat;
use crate::parts::island::state::Phase;

/// The number of turns, placement included, at which the other program ends a match.
pub const TURNS_MAX: u16 = 1000;

/// How the other program's match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// This seat has the points.
    Won(Seat),
    /// Its turn limit is reached.
    Cut,
}

/// How a match has ended so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ending {
    /// How it has ended for the other program.
    pub ended: Option<Ended>,
    /// Whether it is won by the rules, though it may continue for the other program.
    won: bool,
}

impl Ending {
    /// Says whether the match has ended for the other program; for us it ends when the seat on turn has the
    /// points. Its points have been compared: they differ from ours only by the holder of Longest Road.
    /// `by_rules` is the phase in which the last action leaves the match by the rules, where it is known.
    ///
    /// # Errors
    /// If the rules end the match where neither they nor the known differences should.
    pub fn note(
        &mut self,
        at: &Position,
        by_rules: Option<Phase>,
        met: &mut Counts,
    ) -> Result<(), Trouble> {
        let target = at.ours.rules().points_to_win;
        let table = &at.state().table;
        let current = table.current;
        let cut = at.turns() >= TURNS_MAX;
        let won = table.may_win() && at.state().points(&at.ours, current) >= target.of(current);
        if let Some(phase) = by_rules
            && !(self.won && won)
        {
            let due = if cut { Some(End::TurnLimit) } else { won.then_some(End::Won) };
            let end = if let Phase::Over(end) = phase { Some(end) } else { None };
            same("avp", &due, &end)?;
        }
        self.won = won;
        let has_won = |seat: &Seat| at.their_points(*seat) >= target.of(*seat);
        let winner = Seat::all(at.ours.players()).filter(has_won).last();
        self.ended = winner.map(Ended::Won).or(cut.then_some(Ended::Cut));
        if winner.is_some_and(|winner| winner != current) {
            met.add(Difference::WonOffTurn);
        }
        Ok(())
    }

    /// Compares the winner and the number of turns once all steps are taken.
    ///
    /// # Errors
    /// If they are others.
    pub fn finish(
        &self,
        at: &Position,
        winner: Field<'_>,
        turns: Field<'_>,
    ) -> Result<(), Trouble> {
        let seat = winner.given().map(|seat| words::seat(&at.ours, seat)).transpose()?;
        let Some(ended) = self.ended else {
            return Err(differs("steps", "no more".to_owned(), "a match to its end".to_owned()));
        };
        let due = if let Ended::Won(seat) = ended { Some(seat) } else { None };
        let name = |seat: Option<Seat>| seat.map_or("nobody".to_owned(), seat_name);
        if seat != due {
            return Err(differs("winner", name(seat), name(due)));
        }
        same("turns", &turns.integer()?, &i64::from(at.turns()))
    }
}
