//! The words of On the Road in match records.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::types::seat::Seat;
use crate::core::wording::{Priced, Stands, Wording};
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::{Building, Card, Event, kind_of};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::memory::Memory;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::seat_event::SeatEvent;
use crate::games::on_the_road::seen::{Catalogue, Seen};
use crate::games::on_the_road::state::{Phase, State};
use crate::games::on_the_road::telling::{
    heading, stands, terms, told_chance, told_changes, told_events,
};
use crate::parts::seen::{Read, write};
use std::borrow::Cow;

impl Wording for OnTheRoad {
    const TITLE: &'static str = "On the Road";
    const ABOUT: &'static str =
        "cards without a board: trade, and build what lies in the row, up to a metropolis";

    fn phase_name(&self, state: &State) -> &'static str {
        match state.table.phase {
            Phase::Main => "main",
            Phase::Answer(_) => "answer",
            Phase::Choose => "choose",
            Phase::Charity(_) => "charity",
            Phase::Discard { .. } => "discard",
            Phase::Over(_) => "over",
        }
    }

    fn draw_name(draw: Draw) -> &'static str {
        match draw {
            Draw::Side => "side",
            Draw::Row(_) => "row",
            Draw::Card(..) => "draw",
            Draw::Event => "event",
        }
    }

    fn draw_seat(draw: Draw) -> Option<Seat> {
        match draw {
            Draw::Card(seat, _) => Some(seat),
            Draw::Side | Draw::Row(_) | Draw::Event => None,
        }
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        let idx = usize::from(event.outcome);
        let name = match event.draw {
            Draw::Side => ["a", "b"][idx],
            Draw::Row(_) => Card::from(Building::ALL[idx]).name(),
            Draw::Card(..) => kind_of(event.outcome).name(),
            Draw::Event => Event::OF_CARD[idx].name(),
        };
        name.into()
    }

    fn primer(&self) -> Vec<String> {
        self.told_rules()
    }

    fn table_words(&self, view: &View<'_>) -> Vec<String> {
        self.told_table(view)
    }

    fn question(&self, view: &View<'_>) -> String {
        self.asked_words(view)
    }

    fn prices(&self, view: &View<'_>) -> Vec<Priced> {
        self.price_list(view)
    }

    fn known_action(&self, before: &View<'_>, action: Action) -> Option<Action> {
        self.known(before, action)
    }

    fn sees_draw(&self, _before: &View<'_>, draw: Draw) -> bool {
        matches!(draw, Draw::Row(_) | Draw::Event)
    }

    fn action_words(&self, before: &View<'_>, action: Action) -> String {
        self.told_action(before, action)
    }

    fn terms(&self, view: &View<'_>, action: Action) -> Option<String> {
        terms(view, action)
    }

    fn chance_words(&self, _before: Option<&View<'_>>, event: ChanceEvent<Draw>) -> Option<String> {
        told_chance(event, &Self::result_name(event))
    }

    fn event_words(&self, events: &[SeatEvent], seat: Seat) -> Vec<String> {
        told_events(events, seat)
    }

    fn change_words(&self, before: &View<'_>, after: &View<'_>) -> Vec<String> {
        told_changes(before, after)
    }

    fn heading(action: Action) -> &'static str {
        heading(action)
    }

    fn stands(before: &State, action: Action) -> Option<Stands> {
        stands(&before.table, action)
    }

    fn write_view(&self, view: &View<'_>, out: &mut Vec<u8>) {
        write(&Seen::of(self, view), out);
    }

    fn read_view<R>(
        &self,
        json: &str,
        memory: &Memory,
        with: impl FnOnce(&Observation<'_, Self>) -> R,
    ) -> Read<R> {
        let with = |view: View<'_>| with(&Observation { seat: view.seat, view, memory });
        serde_json::from_str::<Seen>(json)?.read(self, with)
    }

    fn write_catalogue(&self, out: &mut Vec<u8>) {
        write(&Catalogue::new(), out);
    }
}
