//! What a seat knows of a recorded match is true: of the cards of all hands, and of all that it sees.

use crate::support::slice;
use fairhaven::conformance::catanatron::follow;
use fairhaven::core::game::Game;
use fairhaven::core::types::seat::Seat;
use rand_pcg::Pcg32;
use std::io::BufRead;

#[test]
fn a_seat_knows_its_own_hand_and_nothing_false_of_the_others() {
    let mut rng = Pcg32::new(1, 1);
    let (mut shown, mut held) = (0, 0);
    for (at, line) in slice().lines().enumerate() {
        let line = line.expect("a line");
        let seat = Seat::new(u8::try_from(at % 2).expect("small"));
        let agreement = follow(&line, seat, |follower| {
            shown += 1;
            let (game, state) = (follower.game(), follower.state());
            let seen = follower.observation().expect("a seat is followed");
            assert_eq!((seen.seat, seen.view), (seat, game.view(state, seat)));
            assert_eq!(seen.memory.surely_held(seat), state.hands[seat.idx()]);
            for other in Seat::all(game.players()).filter(|&other| other != seat) {
                let (hand, sure) = (state.hands[other.idx()], seen.memory.surely_held(other));
                assert!(hand.covers(sure), "line {at}: {sure} in {hand}");
                held += u32::from(sure.total());
            }
            // A position that the seat deals from what it knows looks the same to it.
            let dealt = seen.determinize(game, &mut rng);
            assert_eq!(game.view(&dealt, seat), seen.view, "line {at}");
        });
        let agreement = agreement.unwrap_or_else(|error| panic!("line {at}: {error}"));
        assert_eq!((agreement.matches, agreement.unexplained), (1, 0), "{agreement}");
    }
    // Each state that is compared is shown, and a seat knows something of other hands.
    assert_eq!(shown, 15_839 + 17);
    assert!(held > 1000, "{held}");
}

#[test]
fn nobody_is_followed_in_a_seat_that_the_match_does_not_have() {
    let line = slice().lines().next().expect("a match").expect("a line");
    let refused = follow(&line, Seat::new(5), |_| {}).expect_err("there are four seats at most");
    assert!(refused.to_string().contains("line 1, setting: field `seats`: "), "{refused}");
}
