//! The words of the boats in match records: those of base CATAN, and the sea.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::games::boats::game::Boats;
use crate::games::boats::observe::View;
use crate::games::boats::scenario::SEA;
use crate::games::boats::seen::{Catalogue, Seen};
use crate::games::boats::state::{Own, State};
use crate::parts::island::Island;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::picture::AtSea;
use crate::parts::seen::{Read, write};
use std::borrow::Cow;

impl Wording for Boats {
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

    fn places(&self) -> Option<String> {
        Some(format!("~1~ is a boat of seat 1. {}", self.island.numbered()))
    }

    fn picture(&self, state: &State) -> Option<String> {
        let Own { sea, fog, boats, .. } = state.own;
        Some(self.island.picture_at_sea(&state.island.table, &AtSea { sea, fog, boats }))
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
