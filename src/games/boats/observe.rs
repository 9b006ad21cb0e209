//! What a seat sees, and what it may know of what happens: all that this variant adds is open to all.

use crate::core::game::{SeatMemory, Step};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::state::{Own, State};
use crate::parts::island;
use crate::parts::island::Island;
use crate::parts::island::memory::Memory;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::state::Phase;
use rand_pcg::Pcg32;

/// What one seat sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    /// What it sees of the island.
    pub island: island::observe::View<'a>,
    /// What this variant adds.
    pub own: &'a Own,
}

impl Boats {
    /// What everyone may know of an action of this variant's.
    fn observe_own(&self, before: &State, action: OwnAction, mut hear: impl FnMut(SeatEvent)) {
        let table = &before.island.table;
        let seat = table.active;
        let founds = matches!(table.phase, Phase::FoundRoad(_));
        match action {
            OwnAction::Boat { .. } if !founds => {
                hear(SeatEvent::Lost { seat, cards: self.boat_cost });
            }
            OwnAction::IsaBoat { pay, .. } => {
                hear(SeatEvent::Lost { seat, cards: Resources::one(pay) });
            }
            OwnAction::Gold { want } => {
                hear(SeatEvent::Gained { seat, cards: Resources::one(want) });
            }
            OwnAction::Boat { .. }
            | OwnAction::MoveBoat { .. }
            | OwnAction::MoveRoad { .. }
            | OwnAction::Helper { .. } => {}
        }
    }
}

impl SeatMemory<Boats> for Memory {
    type Event = SeatEvent;
    type Chain = ();

    fn new(game: &Boats, seat: Seat) -> Memory {
        <Memory as SeatMemory<Island>>::new(&game.island, seat)
    }

    fn observe(game: &Boats, step: &Step<'_, Boats>, seat: Seat, mut hear: impl FnMut(SeatEvent)) {
        let shared = match step.action {
            Some((before, Action::Own(action))) => return game.observe_own(before, action, hear),
            Some((before, Action::Island(action))) => Some((&before.island, action)),
            None => None,
        };
        let after = &step.after.island;
        let island = Step { action: shared, chance: step.chance, after };
        <Memory as SeatMemory<Island>>::observe(&game.island, &island, seat, |event| {
            hear(match event {
                // The longest trade route may be won at the end of a turn: a seat that could have won then lacks
                // the points too.
                SeatEvent::TurnEnded { seat, points } => {
                    let now = after.table.points(&game.island, seat);
                    SeatEvent::TurnEnded { seat, points: points.max(now) }
                }
                other => other,
            });
        });
    }

    fn hear(&mut self, event: SeatEvent) {
        <Memory as SeatMemory<Island>>::hear(self, event);
    }

    fn may_hear(&self, game: &Boats, event: SeatEvent) -> bool {
        <Memory as SeatMemory<Island>>::may_hear(self, &game.island, event)
    }

    fn agrees_with(&self, game: &Boats, view: &View<'_>) -> bool {
        <Memory as SeatMemory<Island>>::agrees_with(self, &game.island, &view.island)
    }

    fn determinize(&self, game: &Boats, view: &View<'_>, chain: &mut (), rng: &mut Pcg32) -> State {
        let island = SeatMemory::determinize(self, &game.island, &view.island, chain, rng);
        State { island, own: *view.own }
    }
}
