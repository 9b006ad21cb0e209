//! `tune` as its users meet it: what is proven and what is not, on any number of threads, from any point of its log.

use crate::searches::killed;
use crate::support::{Guard, Place, copy, length, wait_until};
use std::sync::LazyLock;

/// A short search from an agent that lapses at each decision, among itself.
const LINE: &str =
    "tune on-the-road greedy:temperature=0.01:lapse=1 --param lapse=0..1 --players 3 --matches 960";

/// The whole search, played once for all tests of it.
static WHOLE: LazyLock<Place> = LazyLock::new(|| {
    let place = Place::new();
    let said = place.done(&format!("{LINE} --out whole --threads 1"));
    let said = said.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(said.contains("is stronger than greedy:temperature=0.01:lapse=1 by "), "{said}");
    assert!(said.contains("the agent is in tuned.toml"), "{said}");
    place
});

/// A place with the whole search in `whole`.
fn whole() -> Place {
    let place = Place::new();
    copy(&WHOLE.path("whole"), &place.path("whole"));
    place
}

#[test]
fn an_agent_that_lapses_is_improved() {
    let place = whole();
    let file: toml::Table = toml::from_str(&place.read("whole/tuned.toml")).expect("TOML");
    assert_eq!(file["kind"].as_str(), Some("greedy"));
    let parameter = |name: &str| file["parameters"][name].as_float().expect("a number");
    assert!((parameter("temperature") - 0.01).abs() < 1e-12, "what is not tuned stays");
    assert!(parameter("lapse") < 0.7, "{file}");
    let provenance = file["provenance"].as_str().expect("a text");
    for part in
        [LINE.split(" --players").next().unwrap(), "iterations", "is stronger than", "fresh"]
    {
        assert!(provenance.contains(part), "no `{part}` in {provenance}");
    }
    place.done(
        "simulate on-the-road --agents whole/tuned.toml,greedy --matches 4 --quiet --out out",
    );
}

#[test]
fn a_search_that_finds_nothing_says_so_and_writes_no_strategy() {
    let place = Place::new();
    let line = "tune on-the-road greedy --param lapse=0..1 --players 3 --matches 240";
    let done = place.call(&format!("{line} --out out"));
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.out.contains("is not shown to be stronger") || done.out.contains("is weaker"));
    assert!(done.out.contains("No strategy is written."), "{}", done.out);
    let files: Vec<String> = place.files("out").into_keys().collect();
    let due = ["anomalies.csv", "stages.jsonl", "tune.csv", "tuned.csv"];
    assert_eq!(files, due);
    assert_eq!(place.read("out/tune.csv").lines().count(), 1 + 2 * 10);
}

#[test]
fn tuning_is_the_same_on_any_threads_and_from_any_point_of_its_log() {
    let place = whole();
    for threads in [2, 5] {
        place.done(&format!("{LINE} --out threads --force --threads {threads} --quiet"));
        place.same("whole", "threads");
    }
    let log = place.read("whole/stages.jsonl");
    let ends: Vec<usize> = log.match_indices('\n').map(|(at, _)| at + 1).collect();
    let searched = 20 * 8;
    for bytes in [0, ends[3], ends[70] + 7, ends[searched - 1], ends[searched + 2], log.len()] {
        killed(&place, bytes);
        place.done("resume out --quiet --save-every 0");
        place.same("whole", "out");
    }
    let verified = place.done("verify out --sample 200");
    assert!(verified.starts_with("Verified: "), "{verified}");
    let files = place.files("out");
    place.write("out/tuned.csv", "nothing");
    place.write("out/tuned.toml", "nothing");
    assert!(place.done("analyze out").contains("is stronger than"));
    assert_eq!(place.files("out"), files);
}

#[test]
fn tuning_that_is_killed_or_interrupted_is_resumed() {
    let place = whole();
    let log = place.path("out.partial/stages.jsonl");
    let mut child = Guard(place.start(&format!("{LINE} --out out --save-every 0")));
    wait_until(&mut child.0, || length(&log) > 5_000);
    child.0.kill().expect("it can be killed");
    child.0.wait().expect("a child");
    let had = length(&log);
    let mut child = Guard(place.start("resume out --quiet --save-every 0 --threads 1"));
    wait_until(&mut child.0, || length(&log) > had + 1_000);
    let id = child.0.id().to_string();
    let pressed = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(pressed.expect("`kill`").success());
    assert_eq!(child.0.wait().expect("a child").code(), Some(130));
    assert_eq!(place.manifest("out")["played"]["complete"], false);
    assert!(!place.path("out/tuned.toml").exists(), "nothing is proven yet");
    place.done("resume out --quiet");
    place.same("whole", "out");
}

#[test]
fn wrong_tunings_are_refused() {
    let place = Place::new();
    for (line, part) in [
        ("tune on-the-road", "<AGENT>"),
        ("tune on-the-road heuristic", "--param"),
        ("tune chess heuristic --param haste=0..4", "`chess`"),
        ("tune on-the-road nobody --param haste=0..4", "no agent `nobody`"),
        ("tune on-the-road heuristic --param haste", "KEY=LO..HI"),
        ("tune on-the-road heuristic --param haste=4..0", "smaller end first"),
        ("tune on-the-road heuristic --param hast=0..4", "`haste`"),
        ("tune on-the-road heuristic --param haste=0..4 --param haste=0..2", "given twice"),
        ("tune on-the-road heuristic --param haste=0..1000", "-100 to 100"),
        (
            "solve on-the-road --set side=b --choice metropolis --fields knight.cost.wool --adapt haste=0..4 \
             --adapt haste=0..2",
            "--adapt `haste` is given twice",
        ),
        ("tune on-the-road heuristic --param haste=0..4 --against greedy,nobody", "`nobody`"),
        ("tune on-the-road heuristic --param haste=0..4 --players 9", "players"),
        ("tune on-the-road heuristic --param haste=0..4 --matches 79", "80 are the least"),
        ("tune on-the-road heuristic --param haste=0..4 --require tuned.wins<1", "wins"),
        ("tune on-the-road heuristic --param haste=0..4 --shard 1/2 --out a", "cut into parts"),
    ] {
        place.refused(line, &[part]);
    }
}
