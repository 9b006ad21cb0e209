//! The words of the boats in match records: those of base CATAN, and the sea.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::types::seat::Seat;
use crate::core::wording::{Priced, Stands, Wording};
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::observe::View;
use crate::games::boats::scenario::SEA;
use crate::games::boats::seen::{Catalogue, Seen};
use crate::games::boats::state::{Own, State};
use crate::parts::island::Island;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::picture::{AtSea, Named};
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::state::{Phase, Stage};
use crate::parts::island::telling::{told_chance, told_events};
use crate::parts::island::wording::{BANK, BUILD};
use crate::parts::places::Vertex;
use crate::parts::seen::{Read, write};
use crate::parts::telling::{does, many};
use std::borrow::Cow;
use std::fmt::Write as _;

impl Wording for Boats {
    const TITLE: &'static str = "Boats";
    const ABOUT: &'static str =
        "CATAN over the sea: boats carry you to foreign islands, some of them unexplored";

    fn phase_name(&self, state: &State) -> &'static str {
        if state.must_choose() { "helper" } else { self.island.phase_name(&state.island) }
    }

    fn draw_name(draw: Draw) -> &'static str {
        Island::draw_name(draw)
    }

    fn draw_seat(draw: Draw) -> Option<Seat> {
        Island::draw_seat(draw)
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        if event.draw == Draw::Terrain && usize::from(event.outcome) == SEA {
            return "sea".into();
        }
        Island::result_name(event)
    }

    fn primer(&self) -> Vec<String> {
        self.told_rules()
    }

    fn places(&self) -> Option<String> {
        Some(format!("~1~ is a boat of seat 1. {}", self.island.numbered()))
    }

    fn picture(&self, view: &View<'_>, offered: &[Action]) -> Option<String> {
        let Own { sea, fog, boats, .. } = *view.own;
        let mut named = Named::default();
        for action in offered {
            match *action {
                Action::Island(action) => named.add(action),
                Action::Own(OwnAction::Boat { edge } | OwnAction::IsaBoat { edge, .. }) => {
                    named.add_edge(edge);
                }
                Action::Own(OwnAction::MoveBoat { to, .. } | OwnAction::MoveRoad { to, .. }) => {
                    named.add_edge(to);
                }
                Action::Own(OwnAction::Gold { .. } | OwnAction::Helper { .. }) => {}
            }
        }
        let at_sea = AtSea { sea, fog, boats };
        Some(self.island.picture_at_sea(view.island.table, &at_sea, &named))
    }

    fn table_words(&self, view: &View<'_>) -> Vec<String> {
        self.told_table(view)
    }

    fn question(&self, view: &View<'_>) -> String {
        let table = view.island.table;
        match table.phase {
            Phase::Act if table.stage == Stage::Roll && view.own.choosing[table.active.idx()] => {
                "take one of the two helpers".to_owned()
            }
            Phase::FoundRoad(at) if self.may_float(view, at) => {
                "place a road or a boat beside it".to_owned()
            }
            _ => self.island.question(&view.island),
        }
    }

    fn hidden_points(&self, end: &State, seat: Seat) -> u8 {
        end.island.hidden_points(seat)
    }

    fn prices(&self, view: &View<'_>) -> Vec<Priced> {
        let mut prices = Wording::prices(&self.island, &view.island);
        let boats = view.own.boats[view.island.seat.idx()].len();
        let left = Some(self.rules.boats.saturating_sub(boats));
        prices.insert(1, Priced { kind: "boat", price: self.boat_cost.to_string(), left });
        prices
    }

    fn known_action(&self, before: &View<'_>, action: Action) -> Option<Action> {
        match action {
            Action::Island(action) => before.island.known(action).map(Action::Island),
            Action::Own(_) => Some(action),
        }
    }

    fn sees_draw(&self, before: &View<'_>, draw: Draw) -> bool {
        before.island.sees(draw)
    }

    fn action_words(&self, before: &View<'_>, action: Action) -> String {
        match action {
            Action::Island(action) => self.island.action_words(&before.island, action),
            Action::Own(action) => action.to_string(),
        }
    }

    fn terms(&self, view: &View<'_>, action: Action) -> Option<String> {
        match action {
            Action::Island(action) => self.island.terms(&view.island, action),
            Action::Own(_) => None,
        }
    }

    fn chance_words(&self, before: Option<&View<'_>>, event: ChanceEvent<Draw>) -> Option<String> {
        told_chance(&before?.island, event, &Boats::result_name(event))
    }

    fn event_words(&self, events: &[SeatEvent], seat: Seat) -> Vec<String> {
        told_events(events, seat)
    }

    fn change_words(&self, before: &View<'_>, after: &View<'_>) -> Vec<String> {
        let mut words = self.island.change_words(&before.island, &after.island);
        for seat in Seat::all(self.island.players) {
            let [was, is] = [before, after].map(|view| view.own.chits[seat.idx()]);
            if is > was {
                let earns = does(seat, after.island.seat, "earn");
                let points = (is - was) * self.rules.chit;
                words.push(format!("{earns} {} by a chit", many(points, "point")));
            }
        }
        words
    }

    fn heading(action: Action) -> &'static str {
        match action {
            Action::Island(action) => Island::heading(action),
            Action::Own(OwnAction::Boat { .. } | OwnAction::IsaBoat { .. }) => BUILD,
            Action::Own(OwnAction::MoveBoat { .. } | OwnAction::MoveRoad { .. }) => "Move",
            Action::Own(OwnAction::Gold { .. }) => BANK,
            Action::Own(OwnAction::Helper { .. }) => "Helper",
        }
    }

    fn stands(before: &State, action: Action) -> Option<Stands> {
        match action {
            Action::Island(action) => Island::stands(&before.island, action),
            // What a boat discovers is luck.
            Action::Own(_) => None,
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

impl Boats {
    /// Whether a boat may lie beside a settlement that the seat founds.
    fn may_float(&self, view: &View<'_>, founded: Vertex) -> bool {
        let has_boats = view.own.boats[view.island.table.active.idx()].len() < self.rules.boats;
        has_boats && !(self.island.map.edges[founded.idx()] & view.own.waters).is_empty()
    }

    /// What a seat sees beside the board.
    fn told_table(&self, view: &View<'_>) -> Vec<String> {
        let own = view.own;
        let more = |seat: Seat| {
            let at = seat.idx();
            let mut text = String::new();
            if !own.boats[at].is_empty() {
                let _ = write!(text, ", {}", many(own.boats[at].len(), "boat"));
            }
            if own.gold[at] > 0 {
                let _ = write!(text, ", {} gold", own.gold[at]);
            }
            if own.chits[at] > 0 {
                let _ = write!(text, ", {}", many(own.chits[at], "chit"));
            }
            if own.isa_left[at] > 0 {
                let _ = write!(text, ", Isa {} more", many(own.isa_left[at], "time"));
            }
            if own.louis[at] {
                text.push_str(", Louis");
            }
            text
        };
        let mut lines = self.island.told_table(&view.island, more);
        if !own.fog.is_empty() {
            lines.push(format!("Unexplored hexes: {}.", own.fog.len()));
        }
        lines
    }
}
