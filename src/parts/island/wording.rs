//! The words of base CATAN in match records.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::core::wording::{Priced, Stands, Wording};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::catalogue::Catalogue;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::observe::View;
use crate::parts::island::picture::Named;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::seen::{Bare, Seen};
use crate::parts::island::state::{Phase, Stage, State};
use crate::parts::island::telling::{
    heading, stands, terms, told_chance, told_changes, told_events,
};
use crate::parts::pieces::Ground;
use crate::parts::seen::{Read, write};
use std::borrow::Cow;

impl Wording for Island {
    const TITLE: &'static str = "Base CATAN";
    const ABOUT: &'static str =
        "found on an island, roll for resources, trade, and build roads, settlements and cities";

    fn phase_name(&self, state: &State) -> &'static str {
        match (state.table.phase, state.table.stage) {
            (Phase::Found, _) => "found",
            (Phase::FoundRoad(_), _) => "found_road",
            (Phase::Act, Stage::Roll) => "roll",
            (Phase::Act, Stage::Special) => "special",
            (Phase::Act, Stage::Paired) => "paired",
            (Phase::Act, _) => "main",
            (Phase::Discard { .. }, _) => "discard",
            (Phase::Robber, _) => "robber",
            (Phase::FreeRoads(_), _) => "free_road",
            (Phase::Answer(_), _) => "answer",
            (Phase::Choose, _) => "choose",
            (Phase::Over(_), _) => "over",
        }
    }

    fn draw_name(draw: Draw) -> &'static str {
        match draw {
            Draw::Terrain => "terrain",
            Draw::Token => "token",
            Draw::Harbour => "harbour",
            Draw::Corner => "corner",
            Draw::Hex => "hex",
            Draw::Dice => "dice",
            Draw::Steal(_) => "steal",
            Draw::Card => "card",
        }
    }

    fn draw_seat(draw: Draw) -> Option<Seat> {
        match draw {
            Draw::Steal(thief) => Some(thief),
            _ => None,
        }
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        let outcome = event.outcome;
        let idx = usize::from(outcome);
        let kind_or = |other| Resource::ALL.get(idx).map_or(other, |kind| kind.name());
        match event.draw {
            Draw::Terrain => kind_or("desert").into(),
            Draw::Harbour => kind_or("any").into(),
            Draw::Steal(_) => Resource::ALL[idx].name().into(),
            Draw::Card => Card::ALL[idx].name().into(),
            Draw::Dice => format!("{}+{}", outcome / 6 + 1, outcome % 6 + 1).into(),
            // The sum of the dice, from 2.
            Draw::Token => (outcome + 2).to_string().into(),
            Draw::Corner | Draw::Hex => outcome.to_string().into(),
        }
    }

    fn primer(&self) -> Vec<String> {
        self.told_rules(("roads", "a road"))
    }

    fn places(&self) -> Option<String> {
        Some(self.numbered())
    }

    fn picture(&self, view: &View<'_>, offered: &[Action]) -> Option<String> {
        Some(self.picture_of(view.table, &Named::of(offered)))
    }

    fn table_words(&self, view: &View<'_>) -> Vec<String> {
        self.told_table(view, |_| String::new())
    }

    fn question(&self, view: &View<'_>) -> String {
        self.asked_words(view)
    }

    fn hidden_points(&self, end: &State, seat: Seat) -> u8 {
        end.hidden_points(seat)
    }

    fn prices(&self, view: &View<'_>) -> Vec<Priced> {
        self.price_list(view)
    }

    fn known_action(&self, before: &View<'_>, action: Action) -> Option<Action> {
        before.known(action)
    }

    fn sees_draw(&self, before: &View<'_>, draw: Draw) -> bool {
        before.sees(draw)
    }

    fn action_words(&self, before: &View<'_>, action: Action) -> String {
        self.told_action(before, action)
    }

    fn terms(&self, view: &View<'_>, action: Action) -> Option<String> {
        terms(view, action)
    }

    fn chance_words(&self, before: Option<&View<'_>>, event: ChanceEvent<Draw>) -> Option<String> {
        told_chance(before?, event, &Island::result_name(event))
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
        write(&Seen::of(self, view, Bare::default()), out);
    }

    fn read_view<R>(
        &self,
        json: &str,
        memory: &Memory,
        with: impl FnOnce(&Observation<'_, Self>) -> R,
    ) -> Read<R> {
        let with = |view: View<'_>| with(&Observation { seat: view.seat, view, memory });
        let seen: Seen = serde_json::from_str(json)?;
        seen.read(self, &Ground::of(self.map), with)
    }

    fn write_catalogue(&self, out: &mut Vec<u8>) {
        write(&Catalogue::of(self, false), out);
    }
}
