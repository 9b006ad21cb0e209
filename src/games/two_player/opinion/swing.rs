//! What a change of the open part of a position does to both players: a neutral piece is worth what it takes from the
//! opponent and not from its builder.

use crate::core::game::Game;
use crate::core::types::seat::Seat;
use crate::games::two_player::game::opponent;
use crate::games::two_player::opinion::weights::Weights;
use crate::parts::island::Island;
use crate::parts::island::opinion::standing::Standings;
use crate::parts::island::opinion::worth::Situation;
use crate::parts::island::state::Table;

/// Rating of a change that wins.
const WINS: f32 = 100.0;

/// A position, and what its open part is worth to both.
#[derive(Debug)]
pub struct Swing<'a> {
    game: &'a Island,
    weights: &'a Weights,
    standings: &'a mut Standings,
    /// Who changes it.
    seat: Seat,
    /// Its hidden points.
    hidden: u8,
    mine: f32,
    theirs: f32,
}

impl<'a> Swing<'a> {
    /// Looks at a position for a seat with this number of hidden points.
    pub fn new(
        game: &'a Island,
        weights: &'a Weights,
        standings: &'a mut Standings,
        table: &Table,
        (seat, hidden): (Seat, u8),
    ) -> Swing<'a> {
        let mut swing = Swing { game, weights, standings, seat, hidden, mine: 0.0, theirs: 0.0 };
        swing.mine = swing.worth(table, seat, hidden);
        swing.theirs = swing.worth(table, opponent(seat), 0);
        swing
    }

    fn worth(&mut self, table: &Table, seat: Seat, hidden: u8) -> f32 {
        let weights = &self.weights.island;
        let situation = Situation { game: self.game, weights, table, seat };
        weights.worth(&self.standings.board(&situation, hidden))
    }

    /// What a change brings the seat, in points.
    pub fn of(&mut self, after: &Table) -> f32 {
        let points = after.points(self.game, self.seat) + self.hidden;
        if after.may_win() && points >= self.game.rules().points_to_win.of(self.seat) {
            return WINS;
        }
        self.worth(after, self.seat, self.hidden) - self.mine - self.loss(after)
    }

    /// What counts of what a change brings the opponent.
    pub fn loss(&mut self, after: &Table) -> f32 {
        self.weights.added.rival * (self.worth(after, opponent(self.seat), 0) - self.theirs)
    }
}
