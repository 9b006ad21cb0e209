//! A recorded match between two steps: our position, and beside it what only the other program keeps.

use crate::catanatron::island::Island;
use crate::catanatron::luck::Given;
use crate::catanatron::roads::Roads;
use crate::catanatron::trade::OpenOffer;
use crate::core::game::{Game, SeatEvent};
use crate::core::resources::Resources;
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::state::{Phase, Stage, State, Table};
use crate::parts::places::EdgeSet;
use crate::sim::play::follower::Follower;

/// The position of a match between two steps.
#[derive(Debug, Clone)]
pub struct Position {
    /// The rules under the recorded options.
    pub ours: Base,
    /// The match by the other program's rules, as nearly as fields can express them.
    pub follower: Follower<Base>,
    /// The island.
    pub island: Island,
    /// The other program's bookkeeping of roads.
    pub roads: Roads,
    /// Cards that it has discarded on a 7 while ours wait for the last one, by seat.
    pub given: PerSeat<Resources>,
    /// The offer on the table.
    pub offer: Option<OpenOffer>,
    /// What the seat that is followed has heard and nobody has taken yet.
    pub heard: Vec<SeatEvent<Base>>,
}

impl Position {
    /// The other program's rules.
    pub fn theirs(&self) -> &Base {
        self.follower.game()
    }

    /// Our position.
    pub fn state(&self) -> &State {
        self.follower.state()
    }

    /// Carries out an action whose result of chance is known.
    pub fn carry_out(&mut self, action: Action, luck: u8) {
        self.follower.carry_out(action, &mut Given(luck));
        self.heard.extend_from_slice(self.follower.events());
    }

    /// Who is asked: our order of answers and discards differs.
    pub fn asked(&self) -> Seat {
        let table = &self.state().table;
        let discards = || Seat::all(self.ours.players()).find(|&seat| self.owed(seat) > 0);
        match (&self.offer, table.phase) {
            (Some(offer), _) => offer.asked(),
            (None, Phase::Discard { .. }) => discards().unwrap_or(table.active),
            _ => table.active,
        }
    }

    /// Cards that a seat has yet to discard.
    pub fn owed(&self, seat: Seat) -> u8 {
        if !matches!(self.state().table.phase, Phase::Discard { .. }) {
            return 0;
        }
        let owed = self.theirs().owed(self.state().hands[seat.idx()]);
        owed - self.given[seat.idx()].total()
    }

    /// Completed turns as the other program counts them.
    pub fn turns(&self) -> u16 {
        turns(self.ours.players(), &self.state().table)
    }

    /// Free edges that only the other program lets a seat build on.
    pub fn past_buildings(&self, seat: Seat) -> EdgeSet {
        self.roads.past_buildings(self.ours.map(), &self.state().table.pieces, seat)
    }

    /// Points of a seat, hidden ones too, with Longest Road where the other program has it.
    pub fn their_points(&self, seat: Seat) -> u8 {
        self.their_shown_points(seat) + self.state().cards[seat.idx()][Card::VictoryPoint.idx()]
    }

    /// The same without hidden ones.
    pub fn their_shown_points(&self, seat: Seat) -> u8 {
        let (table, route) = (&self.state().table, self.ours.rules().route.points);
        let moved = |holder: Option<Seat>| if holder == Some(seat) { route } else { 0 };
        table.points(&self.ours, seat) + moved(self.roads.holder) - moved(table.route)
    }
}

/// Completed turns as the other program counts them, at a table of so many players.
pub fn turns(players: u8, table: &Table) -> u16 {
    let last = u16::from(players) - 1;
    let active = u16::from(table.active.number()) - 1;
    match table.stage {
        Stage::Founding(1) => active,
        Stage::Founding(_) => 2 * last - active,
        _ => 2 * last + table.turn - 1,
    }
}
