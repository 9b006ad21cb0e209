//! `replay`: matches of a run played again, and records checked.

use crate::support::{Place, records};
use fairhaven::registry::Games;

/// A small run with agents of several kinds.
fn run(place: &Place) {
    place.done(
        "simulate on-the-road --agents builder,random,heuristic --matches 60 --seed 11 \
         --set side=b --rows csv --quiet --out out",
    );
}

#[test]
fn every_match_of_a_run_is_played_again() {
    let place = Place::new();
    run(&place);
    let rows = records(&place.tables("out")["matches.csv"]);
    for row in rows[1..].iter().step_by(7) {
        let id = format!("{}.{}", row[0], row[1]);
        let text = place.done(&format!("replay out {id}"));
        assert!(text.contains(&format!("match {id} of master seed 11")), "{text}");
        let result = match row[4].as_str() {
            "" => format!("Nobody wins: turn limit after turn {}", row[5]),
            seat => format!("Seat {seat} wins in turn {}", row[5]),
        };
        assert!(text.contains(&result), "{row:?}\n{text}");
        for seat in 0..3 {
            let (agent, points) = (&row[6 + 8 * seat], &row[8 + 8 * seat]);
            let s = if points == "1" { "" } else { "s" };
            let line = format!("seat {}: {points} point{s}, rank", seat + 1);
            assert!(text.contains(&line), "{line}");
            assert!(text.contains(&format!("seat {}: {agent}", seat + 1)), "{agent}");
        }
        assert_eq!(text, place.done(&format!("replay out {id}")), "it is the same each time");
    }
}

#[test]
fn a_record_is_accepted_as_written_and_refused_once_altered() {
    let place = Place::new();
    run(&place);
    let record = place.done("replay out 3.1 --format jsonl");
    place.write("match.jsonl", &record);
    let said = place.done("replay --check match.jsonl");
    assert!(said.starts_with("The record keeps the rules: "), "{said}");
    let piped = place.call_with("replay --check -", &record);
    assert_eq!((piped.code, piped.out), (Some(0), said));
    let lines: Vec<&str> = record.lines().collect();
    let first = |part: &str| lines.iter().position(|line| line.contains(part)).expect("a line");
    for (at, from, to) in [
        (0, "\"version\":2", "\"version\":3"),
        (0, "\"on-the-road\"", "\"checkers\""),
        (0, "\"players\":3", "\"players\":4"),
        (first("\"draw\""), "\"seat\":1", "\"seat\":2"),
        (first("\"draw\""), "\"result\":\"", "\"result\":\"no"),
        (first("\"action\""), "\"turn\":1", "\"turn\":2"),
        (first("\"action\""), "\"legal\":", "\"legal\":1"),
        (first("end_turn"), "end_turn", "decline"),
        (lines.len() - 1, "\"turns\":", "\"turns\":1"),
    ] {
        let altered = lines[at].replacen(from, to, 1);
        assert_ne!(altered, lines[at], "line {at} has {from}");
        let mut all: Vec<&str> = lines.clone();
        all[at] = &altered;
        refused(&place, &all, at + 1);
    }
    for at in [1, first("\"action\""), lines.len() / 2, lines.len() - 1] {
        let mut without = lines.clone();
        without.remove(at);
        refused(&place, &without, at + 1);
    }
    refused(&place, &lines[..lines.len() / 2], lines.len() / 2 + 1);
}

/// The record breaks a rule: from a file and from standard input, at that line or soon after it, since a
/// draw that is missing may only show when the next one is due.
fn refused(place: &Place, lines: &[&str], line: usize) {
    let record = lines.join("\n") + "\n";
    place.write("altered.jsonl", &record);
    place.refused("replay --check altered.jsonl", &["altered.jsonl"]);
    let done = place.call_with("replay --check -", &record);
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{}", done.err);
    let told = done.err.split("line ").nth(1).and_then(|rest| rest.split(':').next());
    if lines[0].contains("on-the-road") {
        let told: usize = told.and_then(|line| line.parse().ok()).expect("a line number");
        assert!((line..line + 20).contains(&told), "line {line} was altered: {}", done.err);
    }
}

#[test]
fn a_record_of_base_catan_is_accepted_as_written_and_refused_once_altered() {
    let place = Place::new();
    place.done(
        "simulate base --agents greedy,random,heuristic --matches 30 --seed 4 --quiet --out out",
    );
    let record = place.done("replay out 2.1 --format jsonl");
    place.write("match.jsonl", &record);
    let said = place.done("replay --check match.jsonl");
    assert!(said.starts_with("The record keeps the rules: "), "{said}");
    assert_eq!(place.done("replay --check --format jsonl match.jsonl"), said);
    let lines: Vec<&str> = record.lines().collect();
    let first = |part: &str| lines.iter().position(|line| line.contains(part)).expect("a line");
    for (at, from, to) in [
        (0, "\"points_to_win\":10", "\"points_to_win\":11"),
        (first("\"dice\""), "\"result\":\"", "\"result\":\"7+"),
        (first("\"action\""), "\"seat\":1", "\"seat\":2"),
        (first("end_turn"), "end_turn", "decline"),
        (lines.len() - 1, "\"turns\":", "\"turns\":1"),
    ] {
        let altered = lines[at].replacen(from, to, 1);
        assert_ne!(altered, lines[at], "line {at} has {from}");
        let mut all: Vec<&str> = lines.clone();
        all[at] = &altered;
        place.write("altered.jsonl", all.join("\n") + "\n");
        place.refused("replay --check altered.jsonl", &["altered.jsonl", "line "]);
    }
}

/// What each decision was, in all games: the list is as long as the record says and has what was done, unless that is an
/// offer.
#[test]
fn questions_are_those_of_the_record() {
    let read =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("a line is JSON");
    for game in ["on-the-road", "struggle", "base", "two-player", "boats"] {
        let place = Place::new();
        place.done(&format!(
            "simulate {game} --agents greedy --matches 4 --seed 3 --quiet --out out"
        ));
        let record = place.done("replay out 0.0 --format jsonl");
        let questions = place.done("replay out 0.0 --format questions");
        place.write("match.jsonl", &record);
        assert_eq!(place.done("replay match.jsonl --format questions"), questions, "{game}");
        let decided: Vec<_> =
            record.lines().map(read).filter(|line| line.get("phase").is_some()).collect();
        let asked: Vec<_> = questions.lines().map(read).collect();
        assert_eq!(asked.len(), decided.len() + 1, "{game}");
        for (asked, decided) in asked.iter().zip(&decided) {
            for field in ["turn", "seat", "phase", "action"] {
                assert_eq!(asked[field], decided[field], "{game}, {field}");
            }
            let legal = asked["legal"].as_array().expect("a list");
            assert_eq!(legal.len() as u64, decided["legal"].as_u64().expect("a number"), "{game}");
            let is_offer = ["offer", "counter"].iter().any(|word| asked["action"]["do"] == *word);
            assert!(is_offer || legal.contains(&asked["action"]), "{game}: {asked}");
            assert!(asked["view"].is_object(), "{game}");
        }
        assert_eq!(asked.last(), record.lines().last().map(read).as_ref(), "{game}");
        place.write("altered.jsonl", record.replacen("\"seat\":1", "\"seat\":2", 1));
        place.refused("replay altered.jsonl --format questions", &["altered.jsonl", "line "]);
        place.refused("replay match.jsonl --check --format questions", &["jsonl", "questions"]);
    }
}

/// The shortest recorded match of another program.
fn recorded() -> String {
    let packed = include_bytes!("../data/catanatron.jsonl.zst").as_slice();
    let all = zstd::decode_all(packed).expect("a zstd frame");
    String::from_utf8(all).expect("UTF-8").lines().next().expect("a match").to_owned() + "\n"
}

#[test]
fn matches_of_another_program_are_compared_with_our_rules() {
    let place = Place::new();
    let record = recorded();
    place.write("matches.jsonl", &record);
    let said = place.done("replay --check --format catanatron matches.jsonl");
    assert!(said.contains(" 1 matches,\n") && said.contains("short_bank"), "{said}");
    assert_eq!(place.done("replay --check matches.jsonl --format catanatron"), said);
    assert_eq!(place.done("replay matches.jsonl --check --format catanatron"), said);
    let piped = place.call_with("replay --check --format catanatron -", &record);
    assert_eq!((piped.code, piped.out), (Some(0), said));
    let altered = record.replacen("\"b\":[19,19,19,19,19]", "\"b\":[19,19,19,19,18]", 1);
    assert_ne!(altered, record);
    let two = place.call_with("replay --check --format catanatron -", &(altered + &record));
    assert_eq!(two.code, Some(2), "{}", two.err);
    assert!(two.out.contains("line 1, start: field `b`"), "{}", two.out);
    assert!(two.out.contains(" 2 matches,\n"), "the second is compared all the same: {}", two.out);
    let half = &record[..record.len() / 2];
    let parts = ["`-`", "line 1", "EOF"];
    place.refused_with("replay --check --format catanatron -", half, &parts);
    place.refused("replay --check matches.jsonl", &["matches.jsonl", "line 1"]);
    place.refused("replay --check --format catanatron absent", &["absent", "No such file"]);
    place.refused("replay --check --format catanatron .", &["`.`"]);
}

#[test]
fn what_is_no_record_is_refused() {
    let place = Place::new();
    place.write("binary", [0xff, 0xfe, 0x00, 0x80, b'\n']);
    place.write("empty", "");
    place.write("long", vec![b'x'; 1 << 20]);
    place.write("prose", "This is a diary.\n");
    for (file, part) in
        [("binary", "UTF-8"), ("empty", "line 1"), ("long", "65536 bytes"), ("prose", "line 1")]
    {
        place.refused(&format!("replay --check {file}"), &[file, part]);
    }
    place.refused("replay --check absent", &["absent", "No such file"]);
    place.refused("replay --check .", &["`.`"]);
    place.refused_with("replay --check -", "", &["`-`", "line 1"]);
    place.refused("replay --check prose 3.0", &["--check"]);
    place.refused("replay --check prose --format text", &["text", "jsonl"]);
}

#[test]
fn a_match_that_is_not_in_the_run_is_refused() {
    let place = Place::new();
    run(&place);
    for (id, parts) in [
        ("20.0", &["`out`", "no block 20", "0 to 19"] as &[&str]),
        ("18446744073709551615.0", &["no block 18446744073709551615", "0 to 19"]),
        ("0.3", &["no match 3", "each has 3"]),
        ("12", &["`12`", "BLOCK.MATCH"]),
        ("a.b", &["`a.b`", "BLOCK.MATCH"]),
        ("1.2.3", &["`1.2.3`", "BLOCK.MATCH"]),
        ("99999999999999999999.0", &["`99999999999999999999.0`", "BLOCK.MATCH"]),
    ] {
        place.refused(&format!("replay out {id}"), parts);
    }
    place.refused("replay absent 0.0", &["absent", "No such file"]);
    place.refused("replay out", &["name a match of `out`", "0.0"]);
    place.refused("replay", &["<RUN|FILE>"]);
    place.refused("replay --check", &["<RUN|FILE>"]);
    place.refused("replay out 3.0 --format catanatron", &["--check"]);
}

/// In all games: what is printed of a record is what is printed of the match.
#[test]
fn a_record_is_printed_as_its_match_is() {
    let place = Place::new();
    for game in Games::standard().names() {
        let line = "--agents random --players 2 --matches 1 --seed 4 --force --quiet --out out";
        place.done(&format!("simulate {game} {line}"));
        let (text, record) =
            (place.done("replay out 0.0"), place.done("replay out 0.0 --format jsonl"));
        place.write("match.jsonl", &record);
        assert_eq!(place.done("replay match.jsonl"), text, "{game}");
        assert_eq!(place.done("replay match.jsonl --format jsonl"), record, "{game}");
        assert_eq!(place.call_with("replay -", &record).out, text, "{game}");
        place.refused("replay match.jsonl --format catanatron", &["--check"]);
        let broken = record.replacen("\"agents\":[\"random\"", "\"agents\":[\"\\u001b[2J\"", 1);
        let said = place.call_with("replay -", &broken).out;
        assert!(said.contains("seat 1: \u{fffd}[2J\n"), "{game}: a name steers the terminal");
        let half = &record[..record.len() / 2];
        let said = place.call_with("replay -", half);
        assert!(said.out.is_empty() && said.code != Some(0), "{game}: half a record");
    }
}

#[test]
fn matches_of_another_build_come_with_a_word_of_it() {
    let place = Place::new();
    place.done("simulate on-the-road --agents random --matches 4 --quiet --out out");
    for line in ["replay out 0.0", "explain out 0.0", "export out --out decisions.jsonl --quiet"] {
        let same = place.done(line);
        let _ = std::fs::remove_file(place.path("decisions.jsonl"));
        place.copy("out", "other");
        place.alter("other", "/build", serde_json::json!("0123456789abcdef"));
        let done =
            place.call(&line.replace("out 0", "other 0").replace("export out", "export other"));
        assert_eq!((done.code, done.out), (Some(0), same), "{line}");
        assert!(
            done.err.contains("another build of the program (0123456789abcdef"),
            "{}",
            done.err
        );
        let _ = std::fs::remove_file(place.path("decisions.jsonl"));
    }
}
