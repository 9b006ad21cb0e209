//! Programs outside at matches that stand open: what runs do is nothing to them, and what they do ends their match alone.

use crate::guests::{bot, place_with};
use crate::lost_matches::{cells, mortal};
use crate::served::Served;
use crate::support::Place;
use fairhaven::cli::commands::embedded;
use fairhaven::cli::commands::interrupt;
use fairhaven::cli::commands::open::{Open, Opening};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// Calls within this process, which an interruption would end, and what looks on while one is interrupted.
static ONE: Mutex<()> = Mutex::new(());

/// Calls the program within this process, which must have nothing to complain of.
fn call(words: &[&str]) {
    call_on(2, words);
}

fn call_on(threads: usize, words: &[&str]) {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let said = embedded::call(words, Some(threads), &AtomicBool::new(false));
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.text);
}

/// The bot of a place by a name that holds wherever this process stands.
fn program(place: &Place) -> String {
    format!("exec:sh {}", place.path("bot.sh").display())
}

/// A match in which seat 1 is open, and a program sits in seat 2.
fn open(program: &str) -> Open {
    let opening = Opening {
        game: "on-the-road".to_owned(),
        rules: None,
        sets: vec!["turns_max=30".to_owned()],
        seats: &[1],
        agents: program,
        players: Some(2),
        seed: 3,
        wants: &[],
    };
    Open::deal(opening).expect("it can be dealt")
}

/// Chooses the first action, at most so many times; or why the match can't go on.
fn choose(open: &mut Open, times: usize) -> Result<(), String> {
    for _ in 0..times {
        let asked = open.advance().map_err(|error| error.to_string())?;
        let Some(seat) = asked else { break };
        let told = open.tell(seat).expect("its seat");
        let question = told.lines().last().expect("a question");
        let question: Value = serde_json::from_str(question).expect("JSON");
        let answer = json!({"type": "choose", "id": question["id"], "index": 0});
        open.answer(seat, &answer.to_string()).expect("it is on the list");
    }
    Ok(())
}

/// More often than a match asks.
const ALWAYS: usize = 10_000;

#[test]
fn a_call_plays_on_one_thread_as_well() {
    for command in
        ["simulate", "balance --set side=b --choice metropolis --levels random --blocks 9"]
    {
        let (name, rest) =
            command.split_once(' ').unwrap_or((command, "--agents random --matches 40"));
        let words: Vec<&str> = [name, "on-the-road"].into_iter().chain(rest.split(' ')).collect();
        call_on(1, &words);
    }
}

#[test]
fn a_call_does_not_end_the_programs_of_open_matches() {
    let place = place_with(&bot(r#"case $line in *bye*) : > "${0%/*}/gone";; esac"#));
    let mut open = open(&program(&place));
    choose(&mut open, 1).expect("it has begun");
    let run = ["simulate", "on-the-road", "--agents", "random", "--matches", "4"];
    call(&run);
    assert!(!place.path("gone").exists(), "the match is not over");
    choose(&mut open, ALWAYS).expect("it goes on");
    drop(open);
    call(&run);
    assert!(place.path("gone").exists(), "no match uses it any more");
}

/// While a call of another thread is interrupted, an agent that searches thinks on, and a guest is waited for.
#[test]
fn an_interrupted_call_chooses_nothing_in_open_matches() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let slow = place_with(&bot("[ $asked != 1 ] || sleep 0.3"));
    for agent in ["mcts:iterations=40".to_owned(), program(&slow)] {
        let played = |times| {
            let mut open = open(&agent);
            choose(&mut open, times).expect("it goes on");
            open.record().to_owned()
        };
        interrupt::press();
        let meanwhile = played(20);
        interrupt::release();
        assert_eq!(meanwhile, played(20), "{agent}");
    }
}

#[test]
fn a_program_that_fails_ends_its_own_match_alone() {
    let mut first = open("exec:false");
    choose(&mut first, ALWAYS).expect_err("its program has ended");
    // It answers after more time than passes between two looks at whether all is stopped.
    let place = place_with(&bot(r#"case "$asked $line" in [12]" "*decide*) sleep 0.3;; esac"#));
    let mut second = open(&program(&place));
    choose(&mut second, ALWAYS).expect("it is nothing to others");
}

/// A run whose guests play several matches at once comes before one that goes on where they fail, in the same process.
#[test]
fn how_many_matches_share_a_program_is_said_by_each_run() {
    let many = bot("").replace(r#""list":"plain""#, r#""list":"plain","matches":8"#);
    let before = place_with(&many);
    let agents = format!("{},random,random", program(&before));
    call(&["simulate", "on-the-road", "--agents", agents.as_str(), "--matches", "60"]);
    let place = place_with(&mortal());
    let (agents, out) =
        (format!("{},random,random", program(&place)), place.path("after").display().to_string());
    let plan = "--matches 60 --seed 3 --on-fault loss --fault-share 50% --quiet";
    let mut words = vec!["simulate", "on-the-road", "--agents", &agents, "--out", &out];
    words.extend(plan.split(' '));
    call(&words);
    let line = "simulate on-the-road --agents bot.toml,random,random --threads 2";
    place.done(&format!("{line} --out alone {plan}"));
    let lost = |run: &str| -> Vec<Vec<String>> {
        let faults = cells(&place, &format!("{run}/faults.csv"));
        faults.into_iter().map(|row| row[..3].to_vec()).collect()
    };
    assert_eq!(lost("after"), lost("alone"));
    let played = |run: &str| {
        let played = &place.manifest(run)["played"];
        (played["matches"].clone(), played["failures"].clone())
    };
    assert_eq!(played("after"), played("alone"));
}

/// Looks at what seat 1 is shown, and does the first action if it is asked. Returns the number of what was shown; nothing
/// if the match can't go on.
fn step(served: &Served) -> Option<u64> {
    let shown = served.get(0, "api/shown?seat=1&since=0");
    if shown.refused().is_some() {
        return None;
    }
    let (tag, shown) = (shown.tag(), shown.json());
    if shown["asked"] == 1 {
        let first = &shown["groups"][0]["entries"][0]["place"];
        served.post(0, "choose", &tag, &json!({"seat": 1, "place": first}));
    }
    let number = tag.trim_start_matches("\"v").trim_end_matches('"');
    Some(number.parse().expect("a number"))
}

#[test]
fn a_program_that_failed_is_nothing_to_the_next_match_of_a_page() {
    // The first process dies; the next one takes more time than passes between two looks at whether all is stopped.
    let special = r#"case "$asked $line" in
        "2 "*decide*) [ -e died ] || { : > died; exit 3; };;
      esac
      case $line in *decide*) [ ! -e died ] || { sleep 0.2; : > answered; };; esac"#;
    let place = place_with(&bot(special));
    let served = Served::start(&place, "play on-the-road --players 2 --seed 3 --agents bot.toml");
    let mut known = 0;
    while let Some(number) = step(&served) {
        known = number;
    }
    let again =
        |number: u64| served.post(0, "again", &format!("\"v{number}\""), &json!({"seat": 1}));
    // Its end is a state of its own.
    let begun = (known..known + 99).map(again).find(|answer| answer.refused() != Some(412));
    let begun = begun.expect("one of these was the last");
    assert_eq!((begun.status, begun.refused()), (200, None), "{}", begun.body);
    while !place.path("answered").exists() {
        assert!(step(&served).is_some(), "it was stopped");
    }
}
