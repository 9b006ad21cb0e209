//! Matches as a page plays them, and what anybody may send: played to the end, taken up anywhere, refused with a reason.

use fairhaven_web::digests::digests;
use fairhaven_web::offered::offer;
use fairhaven_web::seated::SeatedMatch;
use fairhaven_web::watched::WatchedMatch;
use serde_json::Value;

const GAMES: [&str; 5] = ["on-the-road", "base", "struggle", "two-player", "boats"];

fn dealt(game: &str) -> SeatedMatch {
    let asked = format!(r#"{{"game":"{game}","agents":"greedy","seats":[2],"seed":"7"}}"#);
    SeatedMatch::deal(&asked).expect("a game of ours")
}

fn shown(open: &mut SeatedMatch, since: u32) -> Value {
    let shown = open.shown(2, since).expect("the person's seat");
    serde_json::from_str(&shown).expect("JSON")
}

/// Plays on, taking each time another place of the list, and calls `at` before each choice.
fn play(open: &mut SeatedMatch, mut at: impl FnMut(&mut SeatedMatch)) {
    for number in 0u32..100_000 {
        while open.step().expect("agents keep to the rules") {}
        let now = shown(open, u32::MAX);
        if !now["outcome"].is_null() {
            return;
        }
        let groups = now["groups"].as_array().expect("groups");
        let count: usize =
            groups.iter().map(|group| group["entries"].as_array().expect("entries").len()).sum();
        at(open);
        let place = number % u32::try_from(count).expect("few");
        open.choose(2, place).expect("it is on the list");
    }
    panic!("a match ends");
}

#[test]
fn every_game_is_played_to_its_end_and_judged() {
    let offer: Value = serde_json::from_str(&offer()).expect("JSON");
    let games = offer["games"].as_array().expect("games").iter();
    let names: Vec<&str> = games.map(|game| game["name"].as_str().expect("a name")).collect();
    assert_eq!(names, GAMES);
    for game in GAMES {
        let mut open = dealt(game);
        assert!(open.verdict(2).unwrap_err().contains("not over"));
        let mut asked = 0;
        play(&mut open, |open| {
            if asked == 2 {
                let why: Value = serde_json::from_str(&open.why(2).unwrap()).unwrap();
                assert!(!why["actions"].as_array().unwrap().is_empty(), "{game}");
            }
            asked += 1;
        });
        let verdict: Value = serde_json::from_str(&open.verdict(2).unwrap()).unwrap();
        assert!(verdict["lines"][0].as_str().unwrap().starts_with("Luck: "), "{game}");
        let told = shown(&mut open, 0)["told"].as_array().expect("steps").len();
        assert!(told > 10, "{game}");
        let watched = WatchedMatch::open(open.record()).expect("a whole record");
        for eyes in [0, 1, 2] {
            let steps: Value = serde_json::from_str(&watched.watched(eyes).unwrap()).unwrap();
            assert_eq!(steps["steps"].as_array().expect("steps").len(), told, "{game}");
        }
        assert!(watched.watched(7).is_err());
        let chances: Value = serde_json::from_str(&watched.chances()).unwrap();
        assert_eq!(chances["chances"].as_array().expect("positions").len(), told, "{game}");
    }
}

#[test]
fn a_match_is_taken_up_where_it_was_left() {
    for game in GAMES {
        let mut open = dealt(game);
        let mut left = 0;
        play(&mut open, |open| {
            left += 1;
            if left == 5 {
                let record = open.record().to_owned();
                let mut again = SeatedMatch::take_up(&record).expect("a record of ours");
                assert_eq!(again.record(), record, "{game}");
                assert_eq!(shown(&mut again, 0), shown(open, 0), "{game}");
                assert_eq!(again.sitting(), open.sitting(), "{game}");
            }
        });
    }
}

/// Records in which a byte, a line or the end is another: refused or played, but never a fault.
#[test]
fn altered_records_are_refused_with_a_reason() {
    for game in GAMES {
        let mut open = dealt(game);
        let mut kept = String::new();
        play(&mut open, |open| open.record().clone_into(&mut kept));
        let mut refused = 0;
        for number in 1..30 {
            let place = number * 7919 * number % kept.len();
            let mut bytes = kept.clone().into_bytes();
            match number % 3 {
                0 => bytes.truncate(place),
                1 => bytes[place] = b"\"{}[]:,0a9"[number % 10],
                _ => drop(bytes.drain(place..(place + 40).min(kept.len()))),
            }
            let Ok(text) = String::from_utf8(bytes) else { continue };
            refused += usize::from(SeatedMatch::take_up(&text).is_err());
        }
        assert!(refused > 5, "{game}: {refused}");
    }
}

#[test]
fn agents_that_a_browser_can_not_have_are_refused() {
    let record = dealt("base").record().to_owned();
    for (agent, part) in [
        ("exec:sh -c true", "can't start programs"),
        ("mcts:time_ms=50", "no clock"),
        ("mcts:iterations=10000000", "are the most"),
        ("mcts:trees=4", "one tree"),
        ("mcts:net=/etc/passwd", "net"),
        ("oracle", "sees all hands"),
        ("nobody", "no agent"),
        ("mcts:iterations=-1", "iterations"),
    ] {
        let asked = format!(r#"{{"game":"base","agents":"{agent}"}}"#);
        let reason = SeatedMatch::deal(&asked).err().expect("it can't sit here");
        assert!(reason.contains(part), "{agent}: {reason}");
        let crafted = record.replace("\"greedy\"", &format!("\"{agent}\""));
        let reason = SeatedMatch::take_up(&crafted).err().expect("it can't sit here");
        assert!(reason.contains(part), "{agent} in a record: {reason}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let deals = [
        "",
        "{}",
        "[1]",
        r#"{"game":"chess"}"#,
        r#"{"game":"base","players":0}"#,
        r#"{"game":"base","players":255}"#,
        r#"{"game":"base","seats":[0]}"#,
        r#"{"game":"base","seats":[1,5]}"#,
        r#"{"game":"base","seed":"-1"}"#,
        r#"{"game":"base","agents":""}"#,
        r#"{"game":"base","agents":"easy,easy"}"#,
        r#"{"game":"base","rules":{}}"#,
    ];
    for asked in deals {
        assert!(SeatedMatch::deal(asked).is_err(), "{asked}");
    }
    for record in
        ["", "\n", "{}", "null\n", "{\"record\":\"fairhaven-match\"}\n", &"[".repeat(100_000)]
    {
        assert!(SeatedMatch::take_up(record).is_err(), "{record:.20}");
    }
    let mut open = dealt("base");
    while open.step().expect("agents keep to the rules") {}
    let before = open.record().to_owned();
    assert!(open.choose(2, u32::MAX).is_err());
    assert!([0, 1, 4, 200].into_iter().all(|seat| open.choose(seat, 0).is_err()));
    assert!([0, 1, 4, 200].into_iter().all(|seat| open.shown(seat, 0).is_err()));
    assert!(open.choose_written(2, "{\"do\":\"end\"}").is_err());
    assert!(open.choose_written(2, &"[".repeat(10_000)).is_err());
    assert!(open.take_back(2).is_err());
    assert_eq!(open.record(), before);
    for (game, agents, matches) in [
        ("chess", "random", 10),
        ("base", "random", 0),
        ("base", "random", u32::MAX),
        ("two-player", "random,random,random", 10),
        ("base", "exec:sh", 10),
        ("base", "mcts:lapse=7", 10),
    ] {
        assert!(digests(game, agents, matches, 1).is_err(), "{game} {agents} {matches}");
    }
}
