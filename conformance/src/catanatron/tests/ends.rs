//! When a match ends by each program (note 4), and what a short bank pays (note 2).

use super::setting::*;
use crate::catanatron::differences::Difference;
use crate::catanatron::ending::Ended;
use crate::catanatron::replay::Replay;
use crate::core::resources::Resource;
use crate::parts::island::action::Action;
use crate::parts::island::state::{Phase, Stage};
use serde_json::json;

const FOR_SETTLEMENT: [u8; 5] = [1, 1, 1, 1, 0];

/// Takes an action and checks the state.
fn play(replay: &mut Replay, action: Action) {
    replay.take(action, 0);
    replay.note_roads();
    replay.note_end().expect("both agree, or a known difference");
}

/// Seat 1 has six roads, seat 3 five; seat 2 can cut those of seat 1 at 20.
fn before_the_cut() -> Replay {
    let replay = new(json!({"vps": 4, "discard": 7, "friendly": 0}));
    let replay = replay.founded(S1, 16).laid(S1, &[16, 17, 18, 19, 20, 21, 22]);
    let replay = replay.founded(S3, 38).laid(S3, &[38, 39, 40, 41, 42, 43]);
    let replay = replay.founded(S2, 32).laid(S2, &[32, 31, 20]);
    replay.turn_of(S2).hand(S2, FOR_SETTLEMENT)
}

#[test]
fn points_on_anothers_turn_end_the_match_there_and_wait_here() {
    let mut replay = before_the_cut().founded(S3, 46).turn_of(S2);
    play(&mut replay, settlement(20));
    assert_eq!(replay.holders(), (Some(S3), Some(S3)));
    assert_eq!(replay.ending.ended, Some(Ended::Won(S3)));
    assert_eq!(replay.met.of(Difference::WonOffTurn), 1);
    assert_eq!(replay.state().table.phase, Phase::Act, "seat 2 goes on by the rules");
}

#[test]
fn the_last_seat_with_the_points_wins_there() {
    let mut replay = before_the_cut().founded(S3, 46).founded(S2, 0).founded(S2, 2).turn_of(S2);
    play(&mut replay, settlement(20));
    assert_eq!(replay.at.their_points(S2), 4, "seat 2 has won by the rules");
    assert_eq!(replay.ending.ended, Some(Ended::Won(S3)));
    assert_eq!(replay.met.of(Difference::WonOffTurn), 1);
    let mut replay = before_the_cut().founded(S2, 0).founded(S2, 2).turn_of(S2);
    play(&mut replay, settlement(20));
    assert_eq!(replay.ending.ended, Some(Ended::Won(S2)));
    assert_eq!(replay.met.of(Difference::WonOffTurn), 0, "on the own turn is no difference");
}

#[test]
fn a_match_goes_on_where_only_the_rules_give_the_card_that_wins() {
    let replay = new(json!({"vps": 4, "discard": 7, "friendly": 0}));
    let replay = replay.founded(S3, 38).laid(S3, &[38, 39, 40, 41, 42, 43]);
    let replay = replay.founded(S1, 0).laid(S1, &[0, 1, 2, 3, 4, 5]);
    let replay = replay.founded(S4, 19).laid(S4, &[19, 20, 21, 22]);
    let replay = replay.founded(S2, 12).laid(S2, &[12, 11, 21]).settled(S2, 21);
    assert_eq!(replay.holders(), (Some(S3), Some(S1)), "seat 1 is first among equals there");
    let mut replay =
        replay.laid(S3, &[43, 44]).founded(S3, 26).turn_of(S3).hand(S3, [1, 1, 1, 1, 4]);
    // Six are more than five for both; so take the card away again before the last settlement.
    assert_eq!(replay.holders(), (Some(S3), Some(S3)));
    replay.at.roads.holder = Some(S1);
    replay.change().table.current = S3;
    play(&mut replay, settlement(41));
    assert_eq!((replay.ending.ended, replay.at.their_points(S3)), (None, 3));
    play(&mut replay, Action::BankTrade { give: Resource::Ore, want: Resource::Wool });
    assert_eq!(replay.ending.ended, None, "nor does a later step of that turn end it");
}

#[test]
fn the_limit_of_turns_counts_placement() {
    let mut replay = plain().turn_of(S1);
    replay.change().table.turn = 993;
    assert_eq!(replay.at.turns(), 998);
    play(&mut replay, Action::EndTurn);
    assert_eq!(replay.ending.ended, None);
    replay.change().table.stage = Stage::Main;
    play(&mut replay, Action::EndTurn);
    assert_eq!(replay.ending.ended, Some(Ended::Cut));
}

#[test]
fn placement_counts_as_turns() {
    let mut replay = plain();
    let places = [(0, 1), (4, 5), (38, 39), (46, 45), (20, 21), (24, 25), (31, 30), (35, 34)];
    for (at, (vertex, to)) in places.into_iter().enumerate() {
        assert_eq!(usize::from(replay.at.turns()), at.min(3) + at.saturating_sub(4));
        replay.take(settlement(vertex), 0);
        replay.take(road(vertex, to), 0);
    }
    assert_eq!(replay.state().table.stage, Stage::Roll);
    assert_eq!((replay.at.turns(), replay.met.of(Difference::PlacementTurn)), (6, 6));
}

#[test]
fn a_short_bank_pays_a_sole_claimant_nothing_there() {
    // Seat 1 claims three ore for a 9; one is left.
    for (other, met) in [(None, 1), (Some(S2), 0)] {
        let mut replay = plain().founded(S1, 10).founded(S1, 3).turn_of(S1);
        if let Some(other) = other {
            replay = replay.founded(other, 12);
        }
        replay = replay.hand(S3, [0, 0, 0, 0, 18]);
        replay.change().table.stage = Stage::Roll;
        replay.take(Action::Roll, 6 * 3 + 4);
        assert!(replay.state().hands[S1.idx()].is_empty());
        assert_eq!(replay.met.of(Difference::ShortBank), met);
    }
}
