//! Our agents at the table of a stand-in for the other program; and lines that make no sense.

mod at_our_table;
mod host;

use crate::catanatron::exec::guest::Visitor;
use crate::catanatron::exec::messages::LINE_MAX;
use crate::core::chance::below;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::parts::island::action::Action;
use crate::sim::agents::spec::AgentSpec;
use host::{Host, View};
use rand_pcg::Pcg32;
use serde_json::{Value, json};

/// Steps of a match that is cut; matches of random players are long.
const STEPS: usize = 900;

fn agent(name: &str) -> AgentSpec {
    AgentSpec::parse(name, None).expect("an agent")
}

/// Tells a guest that a match begins.
fn begin(guest: &mut Visitor<'_>, host: &Host, own: Seat, view: View) {
    let answer = guest.hear(r#"{"type":"hello","protocol_version":1}"#).expect("a greeting");
    assert!(answer.expect("an answer").contains("\"protocol_version\":1"));
    let before = host.message("before", own, view).to_string();
    assert_eq!(guest.hear(&before), Ok(None));
}

/// Plays a match with our agent in a seat, shown in several ways; others choose at random. Returns questions, and
/// whether the match came to its end.
fn play(name: &str, (players, seed): (u8, u64), views: &[View]) -> (usize, bool) {
    let (agent, watch) = (agent(name), Watch::none());
    let mut host = Host::new(players, seed);
    let own = Seat::new(u8::try_from(seed % u64::from(players)).expect("a seat"));
    let mut guests: Vec<Visitor<'_>> = views.iter().map(|_| Visitor::new(&agent, &watch)).collect();
    for (guest, view) in guests.iter_mut().zip(views) {
        begin(guest, &host, own, *view);
    }
    let (mut rng, mut asked) = (Pcg32::new(seed, 1), 0);
    for _ in 0..STEPS {
        let Some((seat, legal)) = host.asked() else {
            for guest in &mut guests {
                assert_eq!(
                    guest.hear(r#"{"type":"after","game_id":"m","winning_color":null}"#),
                    Ok(None)
                );
            }
            return (asked, true);
        };
        let mut at = below(&mut rng, u32::try_from(legal.len()).expect("few")) as usize;
        if seat == own && legal.len() > 1 {
            asked += 1;
            let answers = guests.iter_mut().zip(views).map(|(guest, view)| {
                let message = host.message("decide", own, *view).to_string();
                let answer =
                    guest.hear(&message).unwrap_or_else(|error| panic!("{view:?}: {error}"));
                serde_json::from_str::<Value>(&answer.expect("an answer")).expect("JSON")
            });
            let answers: Vec<Value> = answers.collect();
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
            let is_it = |action: &Action| host.written(seat, *action) == answers[0]["action"];
            at = legal.iter().position(is_it).expect("a playable action");
        }
        host.take(seat, legal[at]);
    }
    (asked, false)
}

#[test]
fn an_agent_plays_whole_matches_and_uses_nothing_that_is_hidden() {
    let mut ended = 0;
    for seed in 0..6 {
        let players = u8::try_from(2 + seed % 3).expect("small");
        // Who is shown all hands answers as who is shown what the seat may know.
        let (asked, end) = play("heuristic", (players, seed), &[View::Whole, View::Known]);
        assert!(asked > 20, "{asked}");
        ended += u32::from(end);
    }
    assert!(ended >= 5, "{ended} of 6 matches came to an end");
}

#[test]
fn what_was_stolen_from_a_seat_and_not_told_is_found_in_its_hand() {
    for seed in 10..16 {
        let players = u8::try_from(2 + seed % 3).expect("small");
        play("heuristic", (players, seed), &[View::Own]);
        play("random", (players, seed + 100), &[View::Own]);
    }
}

/// A guest before the first question, and that question.
fn at_first_question(agent: &AgentSpec, with: impl Fn(&mut Visitor<'_>, Value)) {
    let watch = Watch::none();
    let mut guest = Visitor::new(agent, &watch);
    let host = Host::new(3, 1);
    begin(&mut guest, &host, Seat::FIRST, View::Whole);
    with(&mut guest, host.message("decide", Seat::FIRST, View::Whole));
}

#[test]
fn what_makes_no_sense_is_named() {
    let settlement = |at: u8| json!([["WHITE", "BUILD_SETTLEMENT", at], null]);
    let cases: [(&str, Value, &str); 12] = [
        ("/game_id", json!("other"), "no such match"),
        ("/state/schema_version", json!(3), "schema 3"),
        (
            "/state/action_records",
            json!([[["RED", "ROLL", null], [1, 2]]]),
            "seat 0 acts, not seat 1",
        ),
        (
            "/state/action_records",
            json!([[["WHITE", "ROLL", null], [1, 2]]]),
            "roll is not possible",
        ),
        ("/state/action_records", json!([settlement(60)]), "from 0 to 53"),
        ("/state/action_records", json!([settlement(0), settlement(0)]), "action 1: seat 0 has no"),
        (
            "/state/action_records",
            json!([settlement(0), [["WHITE", "BUILD_ROAD", [0, 1]], null]]),
            "seat 1 is to be",
        ),
        ("/state/action_records", json!({}), "`state`: "),
        ("/state/player_state", json!({"P0_WOOD_IN_HAND": -1}), "lacks the hand of seat 0"),
        ("/state/resource_freqdeck", json!([18, 19, 19, 19, 19]), "the bank: "),
        ("/playable_actions", json!([]), "`playable_actions` is empty"),
        ("/state/player_state/P1_ORE_IN_HAND", json!(3), "the numbers of cards: "),
    ];
    for (place, value, part) in cases {
        at_first_question(&agent("random"), |guest, mut question| {
            *question.pointer_mut(place).expect("a field") = value.clone();
            let error = guest.hear(&question.to_string()).expect_err(place);
            assert!(error.contains(part), "{place}: {error}");
        });
    }
    for line in [r#"{"type":"hello"}"#, r#"{"type":"hello","protocol_version":2}"#, "[]", ""] {
        at_first_question(&agent("random"), |guest, _| {
            assert!(guest.hear(line).is_err(), "{line}");
        });
    }
    let (agent, watch) = (agent("random"), Watch::none());
    let mut long = [b' '].repeat(LINE_MAX + 2);
    long.push(b'\n');
    for (input, part) in [(long.as_slice(), "longer than"), (b"\"\xff\"\n".as_slice(), "UTF-8")] {
        let mut input = input;
        let error = Visitor::new(&agent, &watch).visit(&mut input, &mut Vec::new());
        let error = error.expect_err("no message").to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_map_that_is_not_the_base_island_is_refused() {
    let (agent, watch) = (agent("random"), Watch::none());
    let host = Host::new(3, 1);
    for (place, value) in [
        ("/state/map/tiles/0/coordinate", json!([1, -1, 0])),
        ("/state/map/tiles/20/coordinate", json!([3, -3, 0])),
        ("/state/map/tiles/0/number", json!(7)),
        ("/state/map/tiles/0/type", json!("SWAMP")),
        ("/state/map/tiles", json!([])),
        ("/state/colors", json!(["WHITE"])),
        ("/color", json!("BLUE")),
        ("/state/game/vps_to_win", json!(1)),
        ("/state/board/robber_coordinate", json!([3, -3, 0])),
    ] {
        let mut before = host.message("before", Seat::FIRST, View::Whole);
        *before.pointer_mut(place).expect("a field") = value;
        let refused = Visitor::new(&agent, &watch).hear(&before.to_string());
        assert!(refused.is_err(), "{place}");
    }
    // More colours than any table of ours has seats.
    let mut before = host.message("before", Seat::FIRST, View::Whole);
    before["state"]["colors"] = json!(["A", "B", "C", "D", "E", "F", "G"]);
    before["color"] = json!("G");
    assert!(Visitor::new(&agent, &watch).hear(&before.to_string()).is_err());
}

/// Tried with other hands one by one, those after the first would take hours.
#[test]
fn monopolies_that_nobody_can_have_played_are_refused_at_once() {
    at_first_question(&agent("random"), |guest, mut question| {
        let monopoly = json!([["WHITE", "PLAY_MONOPOLY", "WOOD"], null]);
        question["state"]["action_records"] = vec![monopoly; 100_000].into();
        let error = guest.hear(&question.to_string()).expect_err("nobody has the card");
        assert!(error.starts_with("action 0: "), "{error}");
    });
}

/// Changes one number, word or sign of a line.
fn damaged(line: &str, rng: &mut Pcg32) -> String {
    let mut bytes = line.as_bytes().to_vec();
    let spots: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
    let any = |rng: &mut Pcg32, below_this: usize| {
        below(rng, u32::try_from(below_this).expect("short")) as usize
    };
    if any(rng, 8) == 0 {
        let at = any(rng, bytes.len());
        bytes[at] = b'0' + u8::try_from(any(rng, 70)).expect("a sign");
    } else {
        let at = spots[any(rng, spots.len())];
        bytes[at] = b'0' + u8::try_from(any(rng, 10)).expect("a digit");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_lines_are_refused_or_answered() {
    let (agent, watch) = (agent("heuristic"), Watch::none());
    let (mut rng, mut refused) = (Pcg32::new(5, 5), 0);
    for seed in 0..4 {
        let mut host = Host::new(3, seed);
        let before = host.message("before", Seat::FIRST, View::Whole).to_string();
        let (mut chooses, mut lines) = (Pcg32::new(seed, 2), Vec::new());
        while let (Some((seat, legal)), true) = (host.asked(), lines.len() < 60) {
            if seat == Seat::FIRST && legal.len() > 1 {
                lines.push(host.message("decide", Seat::FIRST, View::Whole).to_string());
            }
            let at = below(&mut chooses, u32::try_from(legal.len()).expect("few")) as usize;
            host.take(seat, legal[at]);
        }
        for line in lines.iter().skip(1).step_by(3).flat_map(|line| [line; 4]) {
            let mut guest = Visitor::new(&agent, &watch);
            guest.hear(&before).expect("a match");
            refused += u32::from(guest.hear(&damaged(line, &mut rng)).is_err());
        }
    }
    assert!(refused > 100, "{refused}");
}
