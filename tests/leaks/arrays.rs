//! What a program that learns gets in arrays is the same in a twin, number by number: what the seat sees, and what it may
//! do. Numbers that leak on purpose are not, so the comparison would find a leak.

use crate::{Hidden, Table};
use fairhaven::core::game::ActionFilter;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::sim::arrays::layout::{Layout, fill};
use fairhaven::sim::arrays::space::{ActionSpace, columns};

/// What has been compared.
#[derive(Debug, Default)]
pub struct Numbers {
    /// Observations and lists.
    pub seen: u32,
    /// How many differ once they tell what another seat sees.
    pub leaking: u32,
}

impl Numbers {
    pub fn add(&mut self, other: &Numbers) {
        self.seen += other.seen;
        self.leaking += other.leaking;
    }

    /// Enough was compared, and numbers that leak were found.
    pub fn check(&self) {
        assert!(self.seen > 50 && self.leaking > self.seen / 10, "{self:?}");
    }
}

impl<G: Hidden> Table<G> {
    /// Observation and legal list of a seat are the same in its twin.
    pub fn compare_arrays(&mut self, seat: Seat) {
        let Some(twin) = &self.twins[seat.idx()] else { return };
        let game = &self.game;
        let length = Layout::of(game).length;
        let space = ActionSpace::of(game, ActionFilter::Full);
        let [here, there] = [&self.state, &twin.state].map(|state| {
            let seen_by = |seat: Seat| {
                let mut seen = vec![0; length];
                fill(game, &game.view(state, seat), &mut seen);
                seen
            };
            let (mut legal, mut numbers) = (Actions::new(), Vec::new());
            game.legal(state, ActionFilter::Full, &mut legal);
            space.number(game, seat, &legal, &mut numbers);
            let rows = legal.iter().map(|&action| columns(&game.action_numbers(seat, action)));
            let told = (seen_by(seat), numbers, rows.collect::<Vec<_>>());
            let others = seat.clockwise(game.players()).skip(1);
            (told, others.map(seen_by).collect::<Vec<_>>())
        });
        assert!(here.0 == there.0, "arrays give something away");
        self.tally.numbers.seen += 1;
        self.tally.numbers.leaking += u32::from(here.1 != there.1);
    }
}
