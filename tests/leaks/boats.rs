//! What the boats hide is what base CATAN hides: land and sea, boats, chits and gold are open to all.

use crate::{Hidden, matches};
use fairhaven::core::chance::ChanceEvent;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::base::Base;
use fairhaven::games::boats::Boats;
use fairhaven::games::boats::action::Action;
use fairhaven::games::boats::rules::{Helpers, Holder, Rules, When};
use fairhaven::games::boats::state::State;
use fairhaven::parts::island::luck::Draw;
use fairhaven::parts::island::memory::Memory;
use rand_pcg::Pcg32;

impl Hidden for Boats {
    const HONEST: &'static [&'static str] = Base::HONEST;
    const LENGTH: u32 = Base::LENGTH;
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

    fn is_unseen(
        &self,
        before: &State,
        action: Action,
        seat: Seat,
        event: &ChanceEvent<Draw>,
    ) -> bool {
        match action {
            Action::Island(action) => self.island().is_unseen(&before.island, action, seat, event),
            Action::Own(_) => false,
        }
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
        match action {
            Action::Island(action) => {
                self.island().shows(seat, &here.island, &there.island, action)
            }
            Action::Own(_) => false,
        }
    }
}

fn lucky(rules: &Rules, players: u8, numbers: std::ops::Range<u64>) {
    let tally = matches::<Boats>(rules, players, numbers);
    assert!(tally.lucky > 20, "{tally:?}");
}

#[test]
fn twins_on_a_known_map() {
    lucky(&Rules::default(), 4, 0..2);
}

#[test]
fn twins_in_the_fog_with_isa_and_louis() {
    let rules = Rules { scenario: "fog".to_owned(), isa: Holder::Seat1, ..Rules::default() };
    let mut rules = Rules { louis: Holder::Seat2, ..rules };
    rules.route.when = When::AtOnce;
    lucky(&rules, 3, 10..14);
}

#[test]
fn twins_who_choose_a_helper() {
    let rules = Rules { helpers: Helpers::Chosen, ..Rules::default() };
    lucky(&rules, 4, 20..22);
}
