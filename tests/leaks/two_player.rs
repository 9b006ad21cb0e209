//! What CATAN for two hides: development cards of the opponent's, and cards chosen on a 7 and not yet shown.

use crate::{Hidden, matches};
use fairhaven::core::chance::ChanceEvent;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::base::Base;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::games::two_player::action::Action;
use fairhaven::games::two_player::rules::Rules;
use fairhaven::games::two_player::state::State;
use fairhaven::parts::island::luck::Draw;
use fairhaven::parts::island::memory::Memory;
use rand_pcg::Pcg32;

impl Hidden for TwoPlayer {
    const HONEST: &'static [&'static str] = Base::HONEST;
    const LENGTH: u32 = 1500;
    type Change = ();
    const OTHER_LUCK: () = ();

    fn change(
        &self,
        state: &State,
        memory: &Memory,
        seat: Seat,
        rng: &mut Pcg32,
    ) -> Option<(State, ())> {
        let (island, ()) = self.island().change(&state.island, memory, seat, rng)?;
        Some((State { island, ..*state }, ()))
    }

    /// A bought card is seen by the buyer alone; of two players both know each stolen one.
    fn is_unseen(
        &self,
        before: &State,
        _action: Action,
        seat: Seat,
        event: &ChanceEvent<Draw>,
    ) -> bool {
        event.draw == Draw::Card && before.island.table.active != seat
    }

    fn echo(
        change: (),
        seat: Seat,
        unseen: bool,
        event: &ChanceEvent<Draw>,
        possible: &[u8],
    ) -> Option<u8> {
        Base::echo(change, seat, unseen, event, possible)
    }

    fn shows(&self, seat: Seat, here: &State, there: &State, action: Action) -> bool {
        let Action::Island(action) = action else { return false };
        self.island().shows(seat, &here.island, &there.island, action)
    }
}

#[test]
fn twins_of_two() {
    let tally = matches::<TwoPlayer>(&Rules::default(), 2, 0..8);
    assert!(tally.lucky > 20, "{tally:?}");
}

#[test]
fn twins_of_two_who_discard_often() {
    let mut rules = Rules { turns_max: 60, ..Rules::default() };
    rules.robber.hand_limit = 3;
    let tally = matches::<TwoPlayer>(&rules, 2, 10..24);
    assert!(tally.lucky > 20, "{tally:?}");
}
