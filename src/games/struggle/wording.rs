//! The words of Struggle for Catan in match records.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::core::wording::{Former, Preset, Priced, Stands, Wording};
use crate::games::struggle::action::Action;
use crate::games::struggle::cards::Event;
use crate::games::struggle::game::Struggle;
use crate::games::struggle::luck::Draw;
use crate::games::struggle::memory::Memory;
use crate::games::struggle::observe::View;
use crate::games::struggle::seat_event::SeatEvent;
use crate::games::struggle::seen::{Catalogue, Seen};
use crate::games::struggle::state::{Phase, State};
use crate::games::struggle::telling::{heading, stands, told_chance, told_events};
use crate::parts::seen::{Read, write};
use std::borrow::Cow;

impl Wording for Struggle {
    const TITLE: &'static str = "Struggle for Catan";
    const ABOUT: &'static str =
        "cards without a board: roads and knights are taken from each other, cities bring events";

    const PRESETS: &'static [Preset] = &[Preset {
        name: "dear_town_hall",
        clause: "SFC-40",
        about: "a town hall costs 2 ore more than the other expansions",
        sets: &["expansion.town_hall.extra.ore=2"],
    }];
    const FORMER: &'static [Former] = &[Former {
        path: "market.fills_up",
        fate: "the market is never short, since its own five cards are among the discards on a market day (SFC-52)",
    }];

    fn phase_name(&self, state: &State) -> &'static str {
        match state.table.phase {
            Phase::Act => "act",
            Phase::Take(_) => "take",
            Phase::Choose => "choose",
            Phase::Return(_) => "return",
            Phase::Flip => "flip",
            Phase::Discard { .. } => "discard",
            Phase::Extra(_) => "extra",
            Phase::Over(_) => "over",
        }
    }

    fn draw_name(draw: Draw) -> &'static str {
        match draw {
            Draw::Card(..) => "draw",
            Draw::Market(_) => "market",
            Draw::Take(_) => "take",
            Draw::Event => "event",
        }
    }

    fn draw_seat(draw: Draw) -> Option<Seat> {
        match draw {
            Draw::Card(seat, _) | Draw::Take(seat) => Some(seat),
            Draw::Market(_) | Draw::Event => None,
        }
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        let idx = usize::from(event.outcome);
        let name = match event.draw {
            Draw::Event => Event::ALL[idx].name(),
            _ => Resource::ALL[idx].name(),
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
        Struggle::asked_words(view)
    }

    fn prices(&self, view: &View<'_>) -> Vec<Priced> {
        self.price_list(view)
    }

    fn known_action(&self, before: &View<'_>, action: Action) -> Option<Action> {
        self.known(before, action)
    }

    fn sees_draw(&self, _before: &View<'_>, draw: Draw) -> bool {
        draw == Draw::Event
    }

    fn action_words(&self, before: &View<'_>, action: Action) -> String {
        self.told_action(before, action)
    }

    fn chance_words(&self, _before: Option<&View<'_>>, event: ChanceEvent<Draw>) -> Option<String> {
        told_chance(event, &Self::result_name(event))
    }

    fn event_words(&self, events: &[SeatEvent], seat: Seat) -> Vec<String> {
        told_events(events, seat)
    }

    fn change_words(&self, before: &View<'_>, after: &View<'_>) -> Vec<String> {
        self.told_changes(before, after)
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
