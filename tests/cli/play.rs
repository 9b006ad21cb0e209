//! `play`: whole matches of a person who types numbers and words, what is kept of them, and what is refused.

use crate::support::{Done, PROGRAM, Place, length, some, wait_until};
use std::io::Write;
use std::process::{Command, Stdio};

/// The games, with players of a table.
const GAMES: [&str; 5] = ["on-the-road", "struggle", "base", "two-player", "boats"];

/// Plays with some lines typed: no complaint, no line too long.
pub fn played(place: &Place, line: &str, input: &str) -> Done {
    let done = place.call_with(line, input);
    assert_eq!(done.err, "", "{line}");
    let long = done.out.lines().find(|line| line.chars().count() > 80);
    assert_eq!(long, None, "{line}");
    done
}

/// The same line again and again.
pub fn always(line: &str) -> String {
    format!("{line}\n").repeat(4000)
}

/// What is printed from the last of some words on.
fn after<'a>(out: &'a str, words: &str) -> &'a str {
    let (_, rest) = out.rsplit_once(words).unwrap_or_else(|| panic!("no `{words}` in {out}"));
    rest
}

#[test]
fn whole_matches_of_all_games_are_played_kept_and_judged() {
    for game in some(&GAMES) {
        let place = Place::new();
        let line = format!("play {game} --seed 3 --agents beginner --seat 2 --out one.jsonl");
        let out = played(&place, &line, &always("1")).out;
        let end = &out[out.find(" (you).").expect("the end of the match")..];
        for part in ["Luck: ", "Mistakes: ", "Turning point: "] {
            assert!(end.contains(part), "{game}: {end}");
        }
        let asked: Vec<&str> = out.split("it is your choice: ").skip(1).collect();
        let named = asked.iter().filter_map(|asked| asked.split_once('.'));
        let plain = named.filter(|(question, _)| !question.contains('_') && question.contains(' '));
        assert!(asked.len() > 10 && plain.count() == asked.len(), "{game}: phases in words");
        for asked in asked.iter().filter_map(|asked| asked.split("> ").next()) {
            let says = asked.contains("play a card, or end the turn");
            let may = asked.contains("end turn\n") && asked.contains("\nDevelopment cards");
            let rolls = asked.contains("roll the dice");
            assert!(says == may || rolls, "{game}: {asked}");
            // In CATAN for two, tokens may be spent before the roll as well.
            let (says, may) = ["play a card first", "\nDevelopment cards"]
                .map(|part| asked.contains(part))
                .into();
            assert!(says == may || !rolls || game == "two-player", "{game}: {asked}");
        }
        assert!(out.contains("Prices: road 1 brick + 1 lumber;"), "{game}: {out}");
        let record = place.read("one.jsonl");
        let header = record.lines().next().expect("a header");
        let names = format!(r#""agents":["levels/{game}/beginner","person""#);
        assert!(header.contains(&names), "{header}");
        let checked = place.done("replay --check one.jsonl");
        assert!(checked.starts_with("The record keeps the rules: "), "{game}: {checked}");
        let begun = "1\n".repeat(30);
        assert_eq!(played(&place, &line.replace("one", "two"), &begun).code, Some(0));
        let begun = place.read("two.jsonl");
        assert!(record.starts_with(&begun), "{game}: the same answers, another record");
        assert!(begun.matches(r#""seat":2,"phase""#).count() > 25, "{game}: {begun}");
    }
}

#[test]
fn a_match_that_was_left_or_killed_is_taken_up_with_nothing_lost() {
    for game in ["on-the-road", "base"] {
        let place = Place::new();
        let whole = format!("play {game} --seed 5 --agents greedy --out whole.jsonl");
        played(&place, &whole, &always("1"));
        let mut child = Command::new(PROGRAM)
            .current_dir(place.root())
            .args(["play", game, "--seed", "5", "--agents", "greedy", "--out", "cut.jsonl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all("1\n".repeat(4).as_bytes()).expect("it listens");
        let due = place.read("whole.jsonl").lines().count() / 20;
        wait_until(&mut child, || {
            let cut = std::fs::read_to_string(place.path("cut.jsonl")).unwrap_or_default();
            cut.matches(r#""seat":1,"phase""#).count() >= 4 && cut.lines().count() > due.min(20)
        });
        child.kill().expect("it is there");
        child.wait().expect("it was killed");
        let cut = place.read("cut.jsonl");
        let left = played(&place, "play --resume cut.jsonl", "save\nquit\n");
        assert_eq!(left.code, Some(0));
        assert!(left.out.contains("All decisions so far are kept in cut.jsonl."), "{}", left.out);
        assert!(
            left.out.ends_with("To go on: fairhaven play --resume cut.jsonl\n"),
            "{}",
            left.out
        );
        assert!(place.read("cut.jsonl").starts_with(&cut), "{game}: something was lost");
        let ended = played(&place, "play --resume cut.jsonl", &always("1"));
        assert!(ended.out.contains("Turning point: "), "{}", ended.out);
        assert!(place.read("cut.jsonl").starts_with(&cut), "{game}: something was lost");
        place.done("replay --check cut.jsonl");
        // A kill may cut a line off.
        let same = place.read("whole.jsonl").starts_with(&cut);
        assert!(same, "{game}: the same answers, another record");
    }
}

#[test]
fn words_mean_actions_and_what_is_ambiguous_is_shown() {
    let place = Place::new();
    let typed = "settlement 19\nROAD 14\nquit\n";
    let done = played(&place, "play base --seed 3 --seat 1", typed);
    assert!(done.out.contains("  You: settlement at 19.\n"), "{}", done.out);
    assert!(done.out.contains("  You: road at 14.\n"), "{}", done.out);
    assert!(place.read("play-base-3.jsonl").contains(r#"{"do":"settlement","vertex":19}"#));
    let other = "settlement 99\noffer 3\nquit\n";
    let out = played(&place, "play base --seed 3 --out other.jsonl", other).out;
    let words = "No action fits, but `settlement` does with other numbers: 0, 1, 2, 3,";
    assert!(out.contains(words), "{out}");
    assert!(out.contains("No action fits. Type a number from 1 to 54,"), "{out}");
    let typed = "settlement\n0\n99\nboat\n\nlist nothing\nlist build\nhelp\nplaces\ntable\nquit\n";
    let out = played(&place, "play base --seed 3", typed).out;
    assert!(out.contains("54 actions fit; which one?\n"), "{out}");
    assert_eq!(out.matches("No action fits. Type a number from 1 to 54,").count(), 2, "{out}");
    let named = "The list has no 0, only 1 to 54. These name a 0:\n  1. settlement at 0\n";
    assert!(out.contains(named), "{out}");
    let hint = "A place on the board needs a word, too:\n  `settlement at 53`, or `place 53`.";
    assert_eq!(out.matches(hint).count(), 1, "{out}");
    assert_eq!(out.matches("\nBuild: 54\n").count(), 2, "an empty line asks again: {out}");
    assert!(out.contains("There is no such heading; there are: Build."), "{out}");
    assert!(out.contains("54. settlement at 53\n"), "{out}");
    assert!(out.contains("  undo    take back"), "{out}");
    assert_eq!(out.matches("Actions name hexes").count(), 2, "places are shown again: {out}");
    assert_eq!(out.matches("Your hand is empty.").count(), 2, "so is the table: {out}");
    assert!(out.ends_with("To go on: fairhaven play --resume play-base-3-2.jsonl\n"), "{out}");
}

/// In all games with a board; elsewhere a number can be nothing but one of the list.
#[test]
fn a_number_of_the_list_that_is_also_a_place_is_told_to_be_one_of_the_list() {
    let place = Place::new();
    for (game, at) in [("base", 20), ("two-player", 20), ("boats", 31)] {
        let typed = format!("place 99\nplace {at}\nundo\n{at}\nquit\n");
        let out = played(&place, &format!("play {game} --seed 3"), &typed).out;
        assert!(out.contains("Nothing that is named by a place 99 can be done now."), "{out}");
        assert!(out.contains(&format!("number of the list, or place N> place {at}\n")), "{out}");
        assert!(out.contains(&format!("  You: settlement at {at}.\n")), "the place: {out}");
        let first = format!("\n{at} is number {at} of the list: settlement at ");
        let first = out.split(&first).nth(1);
        let vertex = first.and_then(|rest| rest.split('.').next()).expect("a place");
        assert_ne!(vertex, at.to_string(), "the list: {out}");
        assert!(out.contains(&format!(". The place is typed `place {at}`.")), "{out}");
        assert!(out.contains(&format!("  You: settlement at {vertex}.\n")), "{out}");
    }
    for game in ["on-the-road", "struggle"] {
        let out = played(&place, &format!("play {game} --seed 3"), "place 1\n1\nquit\n").out;
        assert!(out.contains("\n> place 1\n") && out.contains("Nothing that is named"), "{out}");
        assert!(!out.contains("of the list"), "{out}");
    }
}

/// Wherever there are offers: a trade with those who have agreed, and an offer that is accepted.
#[test]
fn trades_that_are_closed_have_their_terms_beside_them() {
    let place = Place::new();
    let line = "play on-the-road --players 3 --seed 1 --agents greedy --out o.jsonl";
    let out = played(&place, line, "offer 1 lumber for 1 brick\nquit\n").out;
    let asked = after(&out, "take one of the answers to").replace("\n  ", " ");
    assert!(asked.contains("trade with seat 3 (you give "), "{asked}");
    let mut closed = 0;
    for game in ["on-the-road", "base", "boats"] {
        let line = format!("play {game} --seed 1 --agents medium --out {game}.jsonl");
        let out = played(&place, &line, &always("1")).out;
        let out: Vec<&str> = out.split_whitespace().collect();
        let out = out.join(" ");
        for entry in out.split(". trade with seat ").skip(1) {
            assert_eq!(entry.get(1..12), Some(" (you give "), "{game}: {}", &entry[..40]);
        }
        for entry in out.split(". accept").skip(1) {
            assert!(entry.starts_with(" (you give "), "{game}: {}", &entry[..40]);
            closed += 1;
        }
    }
    assert!(closed > 0, "nobody has accepted anything");
}

/// In all games, with the numbers of the rule set.
#[test]
fn whoever_does_not_know_the_game_is_told_how_it_goes() {
    let place = Place::new();
    for game in ["on-the-road", "struggle", "base", "two-player", "boats"] {
        let line = format!("play {game} --seed 3 --set points_to_win=9");
        let out = played(&place, &line, "rules\nquit\n").out.replace("\n  ", " ");
        // Four islands ask for one more.
        let due = if game == "boats" { 10 } else { 9 };
        assert!(out.contains(&format!("Aim: be the first to have {due} points")), "{out}");
        for part in ["Turn: ", "Build: ", "Trade: ", &format!("fairhaven rules {game}.")] {
            assert!(out.contains(part), "{part}: {out}");
        }
    }
}

#[test]
fn whoever_asks_for_help_gets_it_however_it_is_typed() {
    let place = Place::new();
    for (typed, times) in [("help\nHelp\n?\nh\nH\n HELP \nQUIT\n", 6), ("Exit\n", 0), ("Q\n", 0)] {
        let out = played(&place, "play base --seed 3", typed).out;
        assert_eq!(out.matches("  ?       this help").count(), times, "{typed}: {out}");
        assert!(out.contains("To go on: fairhaven play --resume "), "{typed}: {out}");
        assert!(!out.contains("No action fits"), "{typed}: {out}");
    }
    // Before the match as well.
    let out = played(&place, "play", "Help\nQUIT\n").out;
    assert!(out.contains("Type one of on-the-road, base,"), "{out}");
    assert!(!out.contains("Level"), "{out}");
}

#[test]
fn what_is_asked_is_told_in_words_with_the_offer_that_is_answered() {
    let place = Place::new();
    let out = played(
        &place,
        "play base --seed 1 --agents medium",
        "1\n1\n1\n1\nundo\n1\nroll\nend\nquit\n",
    )
    .out;
    for part in [
        "Turn 1, it is your choice: place the first settlement.",
        "Turn 1, it is your choice: place a road beside it.",
        "Turn 1, it is your choice: place the next settlement.",
        "it is your choice: trade, build, or end the turn.",
        "it is your choice: answer the offer of seat 3, who gives 1 lumber for 1 ore (you can't pay it).",
        "Prices: road 1 brick + 1 lumber; settlement 1 brick + 1 lumber + 1 wool + 1 grain;",
        "The robber is on hex 11, the desert.",
    ] {
        assert!(out.replace("\n  ", " ").contains(part), "{part}: {out}");
    }
    // The roll that ends the way back from the last road is asked for, although nothing else may be done.
    assert!(out.contains("Your last choice is taken back."), "{out}");
    assert!(out.contains("  You: roll. Dice "), "{out}");
    // Numbers of places stand where something may be done.
    let founding = out.split("it is your choice: place the first settlement").next();
    assert!(
        founding.is_some_and(|board| board.contains("  7   wool    9  lumber  11  lumber  13")),
        "{out}"
    );
    let offer = "play on-the-road --players 3 --seed 1 --agents greedy --out o.jsonl";
    let out = played(&place, offer, "offer 1 lumber for 1 brick\nquit\n").out;
    let asked = after(&out, "Proposal: you offer 1 lumber for 1 brick to all.");
    assert!(asked.contains("Answer: seat 2 ") && asked.contains("Answer: seat 3 "), "{out}");
    assert!(asked.contains("it is your choice: take one of the answers to"), "{out}");
    assert!(!out.contains("Your offer was answered."), "it stands there already: {out}");
}

#[test]
fn what_the_list_lacks_is_written_as_records_have_it() {
    let place = Place::new();
    let offer = r#"{"do":"offer","to":2,"give":{"brick":1},"want":{"wool":1}}"#;
    let own = offer.replace(r#""to":2"#, r#""to":1"#);
    let typed = format!("{own}\n{{\"do\":\"fly\"}}\n{offer}\nquit\n");
    let out = played(&place, "play on-the-road --seed 3 --agents greedy", &typed).out;
    assert!(out.contains("Nothing is done: the action can't be read"), "{out}");
    assert_eq!(out.matches("Nothing is done: ").count(), 2, "{out}");
    assert!(out.contains("You: offer 1 brick for 1 wool to seat 2."), "{out}");
    assert!(place.read("play-on-the-road-3.jsonl").contains(r#""to":2"#));
}

#[test]
fn a_choice_is_taken_back_only_if_nothing_new_has_come_up() {
    let place = Place::new();
    let typed = "undo\nsettlement 19\nundo\nsettlement 20\nundo\nundo\nsettlement 21\nquit\n";
    let out = played(&place, "play base --seed 3", typed).out;
    assert_eq!(out.matches("Your last choice is taken back.").count(), 2, "{out}");
    let nothing = "Nothing is taken back: you have chosen nothing yet.";
    assert_eq!(out.matches(nothing).count(), 2, "{out}");
    let record = place.read("play-base-3.jsonl");
    assert_eq!(record.matches(r#""action""#).count(), 1, "{record}");
    assert!(record.contains(r#""vertex":21"#), "{record}");
    // Others have founded since.
    let typed = "settlement 19\nroad 14\nundo\nquit\n";
    let out = played(&place, "play base --seed 4", typed).out;
    assert!(out.contains("Nothing is taken back: somebody else has acted since."), "{out}");
    // What was taken back leaves no trace, also when the match is taken up.
    let typed = "settlement 19\nundo\nsettlement 20\nquit\n";
    played(&place, "play base --seed 3 --out back.jsonl", typed);
    played(&place, "play base --seed 3 --out straight.jsonl", "settlement 20\nquit\n");
    assert_eq!(place.read("back.jsonl"), place.read("straight.jsonl"));
    // A match that is taken up has the same way back.
    played(&place, "play base --seed 3 --out again.jsonl", "settlement 19\nquit\n");
    let out = played(&place, "play --resume again.jsonl", "undo\nsettlement 20\nquit\n").out;
    assert!(out.contains("Your last choice is taken back."), "{out}");
    assert_eq!(place.read("again.jsonl"), place.read("straight.jsonl"));
}

#[test]
fn advice_says_what_actions_cost_and_changes_nothing() {
    let place = Place::new();
    let answers = "settlement 19\nroad 14\n";
    let asked = "why\nsettlement 19\nwhy\nroad 14\n";
    let out = played(&place, "play base --seed 3 --out asked.jsonl", asked).out;
    played(&place, "play base --seed 3 --out plain.jsonl", answers);
    assert_eq!(place.read("asked.jsonl"), place.read("plain.jsonl"));
    let advice = after(&out, "asked 4 times,");
    assert!(
        advice.contains("1. road at 14: wins ") && advice.contains(" percentage points less"),
        "{advice}"
    );
    assert!(out.contains("other actions were looked at less, or not at all."), "{out}");
    // The best first.
    for advice in out.split("asked 4 times,").skip(1) {
        let wins = advice.split(": wins ").skip(1).filter_map(|wins| wins.split(' ').next());
        let wins: Vec<f64> = wins.map(|share| share.parse().expect("a share")).collect();
        assert!(wins.len() > 1 && wins.is_sorted_by(|a, b| a >= b), "{wins:?}");
    }
}

#[test]
fn who_names_nothing_is_asked() {
    let place = Place::new();
    let out = played(&place, "play", "chess\non\n\n2\nquit\n").out;
    for game in [
        "on-the-road: On the Road, 2 to 4 players: cards without a board: ",
        "base: Base CATAN, 2 to 6 players: found on an island, ",
        "struggle: Struggle for Catan, 2 to 6 players: cards without a board: ",
        "two-player: CATAN for two, 2 players: CATAN with two rolls a turn, ",
        "boats: Boats, 2 to 6 players: CATAN over the sea: ",
    ] {
        assert!(out.contains(&format!("\n{game}")) || out.starts_with(game), "{game}: {out}");
    }
    assert!(
        out.contains("That is none of on-the-road, base, struggle, two-player, boats."),
        "{out}"
    );
    assert!(out.contains("on-the-road, 4 players. You sit in seat 2.\n"), "{out}");
    assert!(out.contains("Seat 1: medium.\n"), "{out}");
    assert_eq!(place.names().len(), 1, "{:?}", place.names());
    assert_eq!(played(&place, "play", "base\n").code, Some(0), "the input ends at a question");
    assert_eq!(place.names().len(), 1, "{:?}", place.names());
    // Without a seed it is another match each time.
    let out = played(&place, "play base", "quit\n").out;
    assert!(out.contains("kept in play-base-1.jsonl"), "{out}");
    let out = played(&place, "play base", "quit\n").out;
    assert!(out.contains("kept in play-base-2.jsonl"), "{out}");
    let masters = |name: &str| place.read(name).contains(r#""master":"2""#);
    assert_eq!(["play-base-1.jsonl", "play-base-2.jsonl"].map(masters), [false, true]);
}

#[test]
fn what_can_not_be_played_is_refused_and_leaves_no_file() {
    let place = Place::new();
    place.refused("play chess", &["chess"]);
    place.refused("play base --seat 5", &["there is no seat 5 at a table of 4"]);
    place.refused("play base --seat 0", &["there is no seat 0"]);
    place.refused("play base --players 9", &["9 players can't play base"]);
    place.refused("play base --agents easy,hard --players 4", &["2 agents for 3 other seats"]);
    place.refused("play base --agents person", &["person"]);
    place.refused("play base --agents oracle", &["`oracle` sees all hands"]);
    place.refused("play base --set nothing=1", &["nothing"]);
    place.write("there.jsonl", "mine");
    place.refused("play base --out there.jsonl", &["there is `there.jsonl` already"]);
    assert_eq!(place.read("there.jsonl"), "mine");
}

#[test]
fn hostile_records_are_refused_and_stay_as_they_are() {
    let place = Place::new();
    played(&place, "play base --seed 3 --agents greedy --out good.jsonl", "1\n1\nquit\n");
    let good = place.read("good.jsonl");
    let without = |from: &str, to: &str| good.replacen(from, to, 1);
    let cases = [
        ("empty", String::new()),
        ("garbage", "\u{1}\u{2}{{{\n".repeat(50)),
        ("long", format!("{}\n", "x".repeat(200_000))),
        ("nobody", without(r#""person""#, r#""greedy""#)),
        ("two", without(r#""greedy""#, r#""person""#)),
        ("unknown", without(r#""greedy""#, r#""mine.toml""#)),
        ("program", without(r#""greedy""#, r#""exec:touch started""#)),
        ("unseeded", without(r#""master""#, r#""mister""#)),
        ("otherwise", without(r#""legal":54"#, r#""legal":53"#)),
        ("twice", format!("{good}{good}")),
    ];
    for (name, text) in &cases {
        place.write("bad.jsonl", text);
        place.refused("play --resume bad.jsonl", &["record `bad.jsonl`"]);
        assert!(&place.read("bad.jsonl") == text, "{name}: the file was changed");
    }
    place.write("bytes.jsonl", [0xff, 0xfe, b'\n']);
    place.refused("play --resume bytes.jsonl", &["is no text"]);
    place.refused("play --resume nothing.jsonl", &["nothing.jsonl"]);
    std::os::unix::fs::symlink(place.path("good.jsonl"), place.path("link.jsonl")).expect("a link");
    place.refused("play --resume link.jsonl", &["symbolic link"]);
    assert_eq!(place.read("good.jsonl"), good);
    // A line that was cut off is played again.
    let cut = &good[..good.len() - 7];
    place.write("cut.jsonl", cut);
    let done = played(&place, "play --resume cut.jsonl", "quit\n");
    assert_eq!(done.code, Some(0));
    assert!(length(&place.path("cut.jsonl")) > 0);
    let whole = &cut[..=cut.rfind('\n').expect("a line")];
    assert!(place.read("cut.jsonl").starts_with(whole), "{}", place.read("cut.jsonl"));
}

#[test]
fn programs_play_if_the_command_line_names_them() {
    let place = Place::new();
    let guest = format!("exec:{PROGRAM} guest on-the-road --agent greedy");
    let call = |args: &[&str], input: &str| {
        let mut child = Command::new(PROGRAM)
            .current_dir(place.root())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it listens");
        child.wait_with_output().expect("it ends")
    };
    let line = ["play", "on-the-road", "--players", "3", "--out", "o.jsonl", "--agents", &guest];
    let left = call(&line, "1\n1\nquit\n");
    assert_eq!(left.status.code(), Some(0), "{}", String::from_utf8_lossy(&left.stderr));
    let told = String::from_utf8_lossy(&left.stdout).into_owned();
    let again = format!("--resume o.jsonl --agents '{guest}'\n");
    assert!(told.ends_with(&format!("To go on: fairhaven play {again}")), "{told}");
    let line = ["play", "--resume", "o.jsonl"];
    let refused = call(&line, "quit\n");
    let reason = String::from_utf8_lossy(&refused.stderr);
    let due = format!("does not hold; name who plays again: --agents '{guest},{guest}'");
    assert!(reason.contains("is a program, which a record") && reason.contains(&due), "{reason}");
    let line = ["play", "--resume", "o.jsonl", "--agents", &guest];
    assert_eq!(call(&line, "1\nquit\n").status.code(), Some(0));
}

#[test]
fn the_line_that_goes_on_names_agents_that_the_record_can_not() {
    let place = Place::new();
    let strategy = "kind = \"greedy\"\nabout = \"a\"\nprovenance = \"b\"\n";
    place.write("mine.toml", strategy);
    let line = "play on-the-road --players 3 --agents mine.toml,random --out m.jsonl";
    let out = played(&place, line, "quit\n").out;
    let again = "play --resume m.jsonl --agents mine.toml,random";
    assert!(out.ends_with(&format!("To go on: fairhaven {again}\n")), "{out}");
    place.refused(
        "play --resume m.jsonl",
        &["its agent `mine.toml` is a file", "--agents mine.toml"],
    );
    assert!(played(&place, again, "quit\n").out.ends_with(&format!("{again}\n")));
    place.refused(
        "play --resume m.jsonl --agents mine.toml,greedy",
        &["`random` has played this match so far, not `greedy`"],
    );
    // A program that ends while others play.
    place.write(
        "dies.sh",
        "read -r line; echo '{\"type\":\"ready\",\"protocol\":1,\"name\":\"x\"}'\n",
    );
    let dies = "kind = \"exec\"\nabout = \"a\"\nprovenance = \"b\"\n[parameters]\ncommand = [\"sh\", \"dies.sh\"]\n";
    place.write("dies.toml", dies);
    let line = "play base --players 2 --seat 2 --agents dies.toml --out d.jsonl";
    let done = place.call_with(line, "quit\n");
    assert_ne!(done.code, Some(0), "{}", done.out);
    assert!(done.err.contains("the guest `sh dies.sh` failed"), "{}", done.err);
    let due = "To go on: fairhaven play --resume d.jsonl --agents dies.toml\n";
    assert!(done.out.ends_with(due), "{}", done.out);
}

#[test]
fn explain_lists_what_a_person_did_wrong() {
    let place = Place::new();
    let line = "play on-the-road --players 2 --seed 1 --agents greedy --out one.jsonl";
    played(&place, line, &always("1"));
    let out = place.done("explain one.jsonl --mistakes --judge mcts:iterations=50 --searches 2");
    assert!(out.contains("seat 1, person"), "{out}");
    let why = place.done("explain one.jsonl --decision 0 --searches 2");
    assert!(why.contains("Seat 1 (person) did: "), "{why}");
}
