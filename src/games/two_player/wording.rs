//! The words of CATAN for two in match records: those of the island, and its own.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::types::seat::Seat;
use crate::core::wording::{Preset, Priced, Stands, Wording};
use crate::games::two_player::action::Action;
use crate::games::two_player::game::TwoPlayer;
use crate::games::two_player::observe::View;
use crate::games::two_player::seen::{Catalogue, Seen};
use crate::games::two_player::state::{Owed, State};
use crate::parts::island::Island;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::picture::Named;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::state::{Phase, Stage};
use crate::parts::island::telling::told_events;
use crate::parts::seen::{Read, write};
use crate::parts::telling::many;
use std::borrow::Cow;

impl Wording for TwoPlayer {
    const TITLE: &'static str = "CATAN for two";
    const ABOUT: &'static str =
        "CATAN with two rolls a turn, two neutral players, and tokens that force a trade";

    const PRESETS: &'static [Preset] = &[Preset {
        name: "twenty_tokens",
        clause: "TWO-16",
        about: "20 trade tokens, 5 for each player at the start, no maximum",
        sets: &["trade_tokens.all=20", "trade_tokens.start=5", "trade_tokens.max=20"],
    }];

    fn phase_name(&self, state: &State) -> &'static str {
        match state.own.owed {
            Owed::Nothing => self.island.phase_name(&state.island),
            Owed::Cards => "give_back",
            Owed::Road => "neutral_road",
            Owed::Settlement => "neutral_settlement",
        }
    }

    fn draw_name(draw: Draw) -> &'static str {
        Island::draw_name(draw)
    }

    fn draw_seat(draw: Draw) -> Option<Seat> {
        Island::draw_seat(draw)
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        Island::result_name(event)
    }

    fn primer(&self) -> Vec<String> {
        self.told_rules()
    }

    fn places(&self) -> Option<String> {
        self.island.places()
    }

    fn picture(&self, view: &View<'_>, offered: &[Action]) -> Option<String> {
        let mut named = Named::default();
        for action in offered {
            match *action {
                Action::Island(action) => named.add(action),
                Action::NeutralRoad { edge, .. } => named.add_edge(edge),
                Action::NeutralSettlement { vertex, .. } => named.add_vertex(vertex),
                _ => {}
            }
        }
        Some(self.island.picture_of(view.island.table, &named))
    }

    fn table_words(&self, view: &View<'_>) -> Vec<String> {
        let tokens = |seat: Seat| match view.own.tokens.get(seat.idx()) {
            Some(tokens) => format!(", {}", many(*tokens, "trade token")),
            None => String::new(),
        };
        let mut lines = self.island.told_table(&view.island, tokens);
        let price = self.action_price(view.island.table);
        lines.push(format!("A token action costs its player {}.", many(price, "token")));
        lines
    }

    fn question(&self, view: &View<'_>) -> String {
        match view.own.owed {
            Owed::Nothing => match (view.island.table.phase, view.island.table.stage) {
                (Phase::Act, Stage::Roll) if view.own.first > 0 => {
                    "roll the dice for the second time, or take an action first".to_owned()
                }
                (Phase::Act, Stage::Roll) => "roll the dice, or take an action first".to_owned(),
                _ => self.island.question(&view.island),
            },
            Owed::Cards => "give back 2 cards for those that were taken".to_owned(),
            Owed::Road => "place a road for a neutral player".to_owned(),
            Owed::Settlement => "place a settlement for a neutral player".to_owned(),
        }
    }

    fn hidden_points(&self, end: &State, seat: Seat) -> u8 {
        end.island.hidden_points(seat)
    }

    fn prices(&self, view: &View<'_>) -> Vec<Priced> {
        Wording::prices(&self.island, &view.island)
    }

    fn known_action(&self, before: &View<'_>, action: Action) -> Option<Action> {
        match action {
            Action::Island(action) => before.island.known(action).map(Action::Island),
            // Two players know all that passes between them.
            _ => Some(action),
        }
    }

    fn sees_draw(&self, before: &View<'_>, draw: Draw) -> bool {
        before.island.sees(draw)
    }

    fn action_words(&self, before: &View<'_>, action: Action) -> String {
        match action {
            Action::Island(action) => self.island.action_words(&before.island, action),
            Action::ForcedTrade | Action::RobberHome => {
                let price = self.action_price(before.island.table);
                format!("{action} for {}", many(price, "token"))
            }
            Action::TurnIn => {
                format!("{action} for {}", many(self.rules.trade_tokens.knight, "token"))
            }
            // Two players know all that passes between them.
            action => action.to_string(),
        }
    }

    fn terms(&self, view: &View<'_>, action: Action) -> Option<String> {
        match action {
            Action::Island(action) => self.island.terms(&view.island, action),
            _ => None,
        }
    }

    fn chance_words(&self, before: Option<&View<'_>>, event: ChanceEvent<Draw>) -> Option<String> {
        self.island.chance_words(before.map(|view| &view.island), event)
    }

    fn event_words(&self, events: &[SeatEvent], seat: Seat) -> Vec<String> {
        told_events(events, seat)
    }

    fn change_words(&self, before: &View<'_>, after: &View<'_>) -> Vec<String> {
        self.island.change_words(&before.island, &after.island)
    }

    fn heading(action: Action) -> &'static str {
        match action {
            Action::Island(action) => Island::heading(action),
            Action::NeutralRoad { .. } | Action::NeutralSettlement { .. } => "Neutral players",
            Action::GiveBack { .. } => "Give back",
            Action::ForcedTrade | Action::RobberHome | Action::TurnIn => "Tokens",
        }
    }

    fn stands(before: &State, action: Action) -> Option<Stands> {
        match action {
            Action::Island(action) => Island::stands(&before.island, action),
            // What is drawn is luck.
            _ => None,
        }
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
        let with = |view: View<'_>| with(&Observation { seat: view.island.seat, view, memory });
        serde_json::from_str::<Seen>(json)?.read(self, with)
    }

    fn write_catalogue(&self, out: &mut Vec<u8>) {
        write(&Catalogue::of(self), out);
    }
}
