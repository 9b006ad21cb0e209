//! What a seat sees, what it may know of what happens, and positions that agree with both.

use crate::core::game::{SeatMemory, Step};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::two_player::action::Action;
use crate::games::two_player::game::{TwoPlayer, opponent};
use crate::games::two_player::state::{Own, State};
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::{Island, observe};
use rand_pcg::Pcg32;

/// What one seat sees: this game adds nothing that is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    /// What it sees of the island.
    pub island: observe::View<'a>,
    /// What this game adds.
    pub own: &'a Own,
}

impl SeatMemory<TwoPlayer> for Memory {
    type Event = SeatEvent;
    type Chain = ();

    fn new(game: &TwoPlayer, seat: Seat) -> Memory {
        <Memory as SeatMemory<Island>>::new(&game.island, seat)
    }

    fn observe(
        game: &TwoPlayer,
        step: &Step<'_, TwoPlayer>,
        seat: Seat,
        mut hear: impl FnMut(SeatEvent),
    ) {
        let action = match step.action {
            None => None,
            Some((before, Action::Island(action))) => Some((&before.island, action)),
            Some((before, Action::ForcedTrade)) => return observe_draw(before, step, hear),
            Some((before, Action::GiveBack { first, second })) => {
                let giver = before.island.table.active;
                let cards = Resources::one(first) + Resources::one(second);
                hear(SeatEvent::Lost { seat: giver, cards });
                return hear(SeatEvent::Gained { seat: opponent(giver), cards });
            }
            Some(_) => return,
        };
        let step = Step { action, chance: step.chance, after: &step.after.island };
        <Memory as SeatMemory<Island>>::observe(&game.island, &step, seat, hear);
    }

    fn hear(&mut self, event: SeatEvent) {
        <Memory as SeatMemory<Island>>::hear(self, event);
    }

    fn may_hear(&self, game: &TwoPlayer, event: SeatEvent) -> bool {
        <Memory as SeatMemory<Island>>::may_hear(self, &game.island, event)
    }

    fn agrees_with(&self, game: &TwoPlayer, view: &View<'_>) -> bool {
        <Memory as SeatMemory<Island>>::agrees_with(self, &game.island, &view.island)
    }

    fn determinize(
        &self,
        game: &TwoPlayer,
        view: &View<'_>,
        chain: &mut (),
        rng: &mut Pcg32,
    ) -> State {
        let island = SeatMemory::determinize(self, &game.island, &view.island, chain, rng);
        State { island, own: *view.own }
    }
}

/// Cards that a forced trade draws: both players know them. (BASE-36)
fn observe_draw(before: &State, step: &Step<'_, TwoPlayer>, mut hear: impl FnMut(SeatEvent)) {
    let thief = before.island.table.active;
    for event in step.chance {
        if event.draw == Draw::Steal(thief) {
            let kind = Resource::ALL[usize::from(event.outcome)];
            hear(SeatEvent::Stolen { thief, victim: opponent(thief), kind: Some(kind) });
        }
    }
}
