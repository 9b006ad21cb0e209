//! `play`: what whoever plays is told of what happens, and in which words it may be typed.

use crate::play::{always, played};
use crate::support::{Place, some};

#[test]
fn the_cards_of_an_offer_may_be_typed_in_any_order() {
    let place = Place::new();
    let line = "play on-the-road --players 3 --seed 1 --agents greedy";
    let typed = "offer 1 ore + 1 lumber for 1 wool + 1 brick\nquit\n";
    let out = played(&place, line, typed).out;
    let said = "  You: offer 1 lumber + 1 ore for 1 brick + 1 wool to all.\n";
    assert!(out.contains(said), "{out}");
}

/// What is drawn at the start of a turn is told under that turn, not under the one before.
#[test]
fn cards_that_begin_a_turn_stand_under_it() {
    let place = Place::new();
    let out = played(&place, "play on-the-road --players 3 --seed 1", "end\nquit\n").out;
    let drawn = "Turn 1\n  You: end turn.\n\nTurn 2\n  Seat 2 draws 1 card. Seat 3 draws 1 card. You draw 1 ore.\n";
    assert!(out.contains(drawn), "{out}");
    let deal =
        "Before the first turn\n  New in the row: road, road, road, settlement, road. You draw";
    assert!(out.contains(deal), "{out}");
}

/// In all games in which a piece or a title goes from one seat to another.
#[test]
fn what_goes_from_seat_to_seat_is_told() {
    let due: [(&str, &[&str]); 5] = [
        (
            "struggle",
            &[
                "takes a road from",
                "takes a knight from",
                "he discards are shuffled into a new draw stack",
            ],
        ),
        ("on-the-road", &["Longest Route goes to", "Largest Army goes to"]),
        ("base", &["Longest Road goes to"]),
        ("two-player", &["Longest Road goes to"]),
        ("boats", &["Longest Road goes to"]),
    ];
    for (game, words) in some(&due) {
        let place = Place::new();
        let line = format!("play {game} --seed 3 --agents greedy");
        let out = played(&place, &line, &always("1")).out;
        let out = out.replace("\n    ", " ");
        for words in words {
            assert!(out.contains(words), "{game} lacks `{words}`: {out}");
        }
        let repeated = out
            .lines()
            .zip(out.lines().skip(1))
            .find(|(one, next)| one == next && one.starts_with("  "));
        assert_eq!(repeated, None, "{game}: the same is told twice");
    }
}
