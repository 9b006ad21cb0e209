//! What a change of the open part of a position does to both players: a neutral piece is worth what it takes from the
//! opponent and not from its builder.

use crate::core::game::Game;
use crate::core::types::seat::Seat;
use crate::games::two_player::game::{PLAYERS, opponent};
use crate::games::two_player::opinion::weights::Weights;
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::opinion::known::Kinds;
use crate::parts::island::opinion::standing::Standings;
use crate::parts::island::opinion::weights::Features;
use crate::parts::island::opinion::worth::{Goals, Situation};
use crate::parts::island::state::Table;

/// Rating of a change that wins.
const WINS: f32 = 100.0;

/// A position, and what its open part is worth to both.
#[derive(Debug)]
pub struct Swing<'a> {
    game: &'a Island,
    weights: &'a Weights,
    standings: &'a mut Standings,
    before: &'a Table,
    /// Who changes it.
    seat: Seat,
    /// Its hidden points.
    hidden: u8,
    /// Features of its open part and its value, by seat, once a change has asked for it.
    open: [Option<(Features, f32)>; PLAYERS as usize],
}

impl<'a> Swing<'a> {
    /// Looks at a position for a seat with this number of hidden points.
    pub fn new(
        game: &'a Island,
        weights: &'a Weights,
        standings: &'a mut Standings,
        before: &'a Table,
        (seat, hidden): (Seat, u8),
    ) -> Swing<'a> {
        Swing { game, weights, standings, before, seat, hidden, open: [None; PLAYERS as usize] }
    }

    /// What the seat's hand can be used for.
    pub fn goals(&mut self) -> Goals {
        let Swing { game, weights, before: table, seat, .. } = *self;
        self.standings.goals(&Situation { game, weights: &weights.island, table, seat })
    }

    /// Cards that 36 rolls bring the opponent, by kind.
    pub fn rival_income(&mut self) -> Kinds {
        self.standings.land(self.game, self.before, opponent(self.seat)).kinds
    }

    /// What a change brings the seat, in points.
    pub fn of(&mut self, change: impl FnOnce(&mut Table)) -> f32 {
        let mut after = *self.before;
        change(&mut after);
        let points = after.points(self.game, self.seat) + self.hidden;
        if after.may_win() && points >= self.game.rules().points_to_win.of(self.seat) {
            return WINS;
        }
        self.gain(&after, self.seat) - self.lost(&after)
    }

    /// What counts of what a build of the seat brings the opponent.
    pub fn loss(&mut self, build: Action) -> f32 {
        let mut after = *self.before;
        self.standings.place(self.game, &mut after, build);
        self.lost(&after)
    }

    fn lost(&mut self, after: &Table) -> f32 {
        self.weights.added.rival * self.gain(after, opponent(self.seat))
    }

    /// How much more the open part is worth to one of the two after a change that does not build for it.
    fn gain(&mut self, after: &Table, to: Seat) -> f32 {
        let Swing { game, weights, before, .. } = *self;
        let weights = &weights.island;
        let situation = |table| Situation { game, weights, table, seat: to };
        let hidden = if to == self.seat { self.hidden } else { 0 };
        let open = self.open[to.idx()].unwrap_or_else(|| {
            let features = self.standings.board(&situation(before), hidden);
            (features, weights.worth(&features))
        });
        self.open[to.idx()] = Some(open);
        let (mut features, worth) = open;
        let same_points = after.points(game, to) == before.points(game, to);
        if same_points && only_pieces_differ(before, after) {
            self.standings.ways(&situation(after), &mut features);
        } else {
            features = self.standings.board(&situation(after), hidden);
        }
        weights.worth(&features) - worth
    }
}

/// Whether nothing but pieces differs of what opinions read.
fn only_pieces_differ(before: &Table, after: &Table) -> bool {
    let others = |table: &Table| (table.robber, table.knights, table.army);
    others(before) == others(after)
}
