//! When a match ends for the other program and when it ends by the rules, and which points it counts.

use crate::conformance::catanatron::differences::Difference;
use crate::conformance::catanatron::field::Field;
use crate::conformance::catanatron::replay::Replay;
use crate::conformance::catanatron::replay::TURNS_MAX;
use crate::conformance::catanatron::trouble::Trouble;
use crate::conformance::catanatron::trouble::differs;
use crate::conformance::catanatron::trouble::same;
use crate::conformance::catanatron::trouble::seat_name;
use crate::conformance::catanatron::words;
use crate::game::End;
use crate::game::Game;
use crate::games::base::cards::Card;
use crate::games::base::state::Phase;
use crate::types::seat::Seat;

/// How the other program's match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// This seat has the points.
    Won(Seat),
    /// Its turn limit is reached.
    Cut,
}

impl Replay {
    /// Says whether the match has ended for the other program; for us it ends when the seat on turn has the
    /// points. Its points have been compared: they differ from ours only by the holder of Longest Road.
    pub(super) fn note_end(&mut self) -> Result<(), Trouble> {
        let target = self.ours.rules().points_to_win;
        let table = &self.state.table;
        let current = table.current;
        let cut = self.turns() >= TURNS_MAX;
        let won = table.may_win() && self.state.points(&self.ours, current) >= target;
        if let Some(phase) = self.by_rules
            && !(self.won && won)
        {
            let due = if cut { Some(End::TurnLimit) } else { won.then_some(End::Won) };
            let end = if let Phase::Over(end) = phase { Some(end) } else { None };
            same("avp", &due, &end)?;
        }
        self.won = won;
        let has_won = |seat: &Seat| self.their_points(*seat) >= target;
        let winner = Seat::all(self.ours.players()).filter(has_won).last();
        self.ended = winner.map(Ended::Won).or(cut.then_some(Ended::Cut));
        if winner.is_some_and(|winner| winner != current) {
            self.met.add(Difference::WonOffTurn);
        }
        Ok(())
    }

    /// Compares the winner and the number of turns once all steps are taken.
    ///
    /// # Errors
    /// If they are others.
    pub fn finish(&self, winner: Field<'_>, turns: Field<'_>) -> Result<(), Trouble> {
        let seat = winner.given().map(|seat| words::seat(&self.ours, seat)).transpose()?;
        let Some(ended) = self.ended else {
            return Err(differs("steps", "no more".to_owned(), "a match to its end".to_owned()));
        };
        let due = if let Ended::Won(seat) = ended { Some(seat) } else { None };
        let name = |seat: Option<Seat>| seat.map_or("nobody".to_owned(), seat_name);
        if seat != due {
            return Err(differs("winner", name(seat), name(due)));
        }
        same("turns", &turns.integer()?, &i64::from(self.turns()))
    }

    /// Points of a seat, hidden ones too, with Longest Road where the other program has it.
    pub fn their_points(&self, seat: Seat) -> u8 {
        self.their_shown_points(seat) + self.state.cards[seat.idx()][Card::VictoryPoint.idx()]
    }

    /// The same without hidden ones.
    pub fn their_shown_points(&self, seat: Seat) -> u8 {
        let route = self.ours.rules().route.points;
        let moved = |holder: Option<Seat>| if holder == Some(seat) { route } else { 0 };
        self.state.table.points(&self.ours, seat) + moved(self.roads.holder)
            - moved(self.state.table.route)
    }
}
