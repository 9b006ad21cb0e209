//! Searches as their users meet them: `levels`, resumed from any point of its log, on any number of threads.

use crate::support::{Guard, Place, copy, length, some, wait_until};
use std::fs;
use std::sync::LazyLock;

/// A short search among fast agents: a lone greedy that lapses, among greedies.
const LINE: &str = "levels on-the-road --against greedy --agent greedy --param lapse=0..1 --rates 12,90 \
                    --players 3 --tolerance 4pp";

/// The whole search, played once for all tests of it.
static WHOLE: LazyLock<Place> = LazyLock::new(|| {
    let place = Place::new();
    let done = place.call(&format!("{LINE} --out whole --threads 1"));
    assert_eq!(done.code, Some(1), "a rate is not reached: {}", done.err);
    assert!(done.out.contains("12 %: certified to ±4 pp. greedy:lapse="), "{}", done.out);
    assert!(done.out.contains("90 %: no parameter reaches it. The nearest is"), "{}", done.out);
    place
});

/// A place with the whole search in `whole`.
pub fn whole() -> Place {
    let place = Place::new();
    copy(&WHOLE.path("whole"), &place.path("whole"));
    place
}

/// The search as it lies on the disk when it was killed with so many bytes of its log written.
pub fn killed(place: &Place, bytes: usize) {
    let _ = fs::remove_dir_all(place.path("out"));
    let _ = fs::remove_dir_all(place.path("out.partial"));
    fs::create_dir(place.path("out.partial")).expect("a directory");
    let mut manifest = place.manifest("whole");
    manifest["files"] = serde_json::json!([]);
    for field in ["blocks", "matches", "decisions", "failures"] {
        manifest["played"][field] = 0.into();
    }
    manifest["played"]["complete"] = false.into();
    place.write("out.partial/manifest.json", crate::support::sealed(manifest));
    let log = place.read("whole/stages.jsonl");
    place.write("out.partial/stages.jsonl", &log.as_bytes()[..bytes]);
}

#[test]
fn a_search_is_the_same_on_any_threads_and_from_any_point_of_its_log() {
    let place = whole();
    for threads in some(&[5, 2]) {
        let line = format!("{LINE} --out threads --force --threads {threads} --quiet");
        assert_eq!(place.call(&line).code, Some(1));
        place.same("whole", "threads");
    }
    let log = place.read("whole/stages.jsonl");
    let ends: Vec<usize> = log.match_indices('\n').map(|(at, _)| at + 1).collect();
    let all = ends.len();
    let cuts = [
        ends[all / 2] + 7,
        0,
        1,
        ends[100],
        ends[0] - 1,
        ends[0],
        log.len() - 1,
        ends[all - 2],
        log.len(),
    ];
    for bytes in some(&cuts) {
        killed(&place, bytes);
        let resumed = place.call("resume out --quiet --save-every 0");
        assert_eq!((resumed.code, resumed.err.as_str()), (Some(1), ""), "{bytes} bytes");
        place.same("whole", "out");
    }
    place.refused("resume out.partial", &["out.partial"]);
    let said = place.call("resume out");
    assert_eq!(said.code, Some(1), "a rate is not reached: {}", said.err);
    assert_eq!(
        said.out,
        "`out` is complete; nothing to play.\nIt has not found all that was asked for; `fairhaven analyze out` shows its answer.\n"
    );
}

#[test]
fn a_search_that_is_killed_or_interrupted_is_resumed() {
    let place = whole();
    let (log, line) =
        (place.path("out.partial/stages.jsonl"), format!("{LINE} --out out --save-every 0"));
    let mut child = Guard(place.start(&line));
    wait_until(&mut child.0, || length(&log) > 20_000);
    child.0.kill().expect("it can be killed");
    child.0.wait().expect("a child");
    let had = length(&log);
    let mut child = place.start("resume out --quiet --save-every 0");
    wait_until(&mut child, || length(&log) > had + 5_000);
    let id = child.id().to_string();
    assert!(
        std::process::Command::new("kill").args(["-INT", &id]).status().expect("`kill`").success()
    );
    let output = child.wait_with_output().expect("a child");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("Interrupted after") && err.contains("fairhaven resume out"), "{err}");
    assert_eq!(place.manifest("out")["played"]["complete"], false);
    place.refused("analyze out", &["has not ended", "fairhaven resume out"]);
    assert_eq!(place.call("resume out --quiet").code, Some(1));
    place.same("whole", "out");
}

#[test]
fn a_search_is_analyzed_and_verified_from_its_log() {
    let place = whole();
    place.copy("whole", "out");
    let files = place.files("out");
    for name in files.keys().filter(|name| *name != "stages.jsonl") {
        place.write(&format!("out/{name}"), "nothing");
    }
    let verified = place.call("verify out");
    assert_eq!(verified.code, Some(1), "{}", verified.err);
    assert!(verified.out.contains("levels.csv is not what the log gives"), "{}", verified.out);
    let rebuilt = place.call("resume out");
    assert_eq!(rebuilt.code, Some(1), "a rate is not reached");
    assert!(rebuilt.out.contains("and rebuilt: "), "{}", rebuilt.out);
    assert_eq!(place.files("out"), files);
    place.write("out/levels.csv", "nothing");
    let analyzed = place.call("analyze out");
    assert_eq!(analyzed.code, Some(1), "a rate is not reached: {}", analyzed.err);
    assert!(analyzed.out.contains("12 %: certified"), "{}", analyzed.out);
    assert_eq!(place.files("out"), files);
    let verified = place.done("verify out --sample 200");
    assert!(
        verified.starts_with("Verified: ") && verified.ends_with("all tables match.\n"),
        "{verified}"
    );
    let judged =
        place.call("analyze out --require levels.tries.max<9 --require levels.win_rate.max<0.1");
    assert_eq!(judged.code, Some(1), "{}", judged.out);
    place.refused("replay out 0.0", &["it is a search"]);
    place.refused("merge out --out other", &["is no part"]);
    place.refused(&format!("{LINE} --out b --shard 1/2"), &["can't be cut into parts"]);
}

/// Whatever stands in the log: it is the search's own, or it is refused with its reason and left as it is.
#[test]
fn damaged_and_foreign_logs_are_refused() {
    let place = whole();
    let log = place.read("whole/stages.jsonl");
    let lines: Vec<&str> = log.lines().collect();
    let other = format!("{LINE} --out other --seed 2 --quiet");
    assert_eq!(place.call(&other).code, Some(1));
    let foreign = place.read("other/stages.jsonl");
    let join = |lines: &[&str]| lines.join("\n") + "\n";
    let swapped = join(&[&[lines[1], lines[0]], &lines[2..]].concat());
    let missing = join(&[&lines[..5], &lines[6..]].concat());
    let changed = log.replacen("\"blocks\":1,", "\"blocks\":2,", 1);
    let long = format!("{}{}", lines[0], "9".repeat(1 << 20));
    for (bytes, part) in [
        (swapped, "hash does not fit"),
        (missing, "hash does not fit"),
        (changed, "hash does not fit"),
        (foreign, "hash does not fit"),
        ("{}\n".to_owned(), "is damaged"),
        ("\n".to_owned(), "is damaged"),
        ("[".repeat(500) + "\n", "is damaged"),
        (long, "too long"),
        (log.clone() + "{}\n", "is damaged"),
        (join(&lines) + lines[0] + "\n", "holds more than its search asks for"),
    ] {
        killed(&place, 0);
        place.write("out.partial/stages.jsonl", &bytes);
        let done = place.bounded("resume out");
        assert_eq!(done.code, Some(2), "{part}: {}", done.err);
        assert!(done.err.contains(part) && !done.err.contains("panicked"), "{part}: {}", done.err);
        assert_eq!(place.read("out.partial/stages.jsonl"), bytes, "{part}");
    }
}

#[test]
fn wrong_questions_are_refused() {
    let place = Place::new();
    for (line, part) in [
        ("levels on-the-road", "--rates"),
        ("levels chess --rates 25", "`chess`"),
        ("levels on-the-road --rates 0", "above 0 and below 100"),
        ("levels on-the-road --rates 25,100", "above 0 and below 100"),
        ("levels on-the-road --rates many", "in per cent"),
        ("levels on-the-road --rates 25 --against nobody", "no agent `nobody`"),
        ("levels on-the-road --rates 25 --agent mcts", "--param"),
        ("levels on-the-road --rates 25 --agent mcts --param iterations", "KEY=LO..HI"),
        ("levels on-the-road --rates 25 --agent mcts --param iterations=9", "KEY=LO..HI"),
        ("levels on-the-road --rates 25 --agent mcts --param iterations=9..2", "smaller end first"),
        (
            "levels on-the-road --rates 25 --agent mcts --param iterations=0..9:log",
            "begins above 0",
        ),
        ("levels on-the-road --rates 25 --agent mcts --param iterations=2..9:round", "`round`"),
        ("levels on-the-road --rates 25 --agent mcts --param iteration=2..9", "`iterations`"),
        ("levels on-the-road --rates 25 --agent heuristic --param haste=0..1000", "-100 to 100"),
        (
            "levels on-the-road --rates 25 --agent mcts:iterations=5 --param iterations=2..9",
            "twice",
        ),
        ("levels on-the-road --rates 25 --tolerance 30pp", "0.1pp to 20pp"),
        ("levels on-the-road --rates 25 --players 9", "players"),
        ("levels on-the-road --rates 25 --matches 500", "is too few"),
        ("levels on-the-road --rates 25 --require levels.wins<1", "wins"),
        ("levels on-the-road --certify none.toml", "none.toml"),
        ("levels on-the-road --certify skilled", "no [level]"),
        ("levels on-the-road --certify a.toml --rates 25", "--rates"),
    ] {
        place.refused(line, &[part]);
    }
}

#[test]
fn a_level_is_measured_again_by_what_its_file_says() {
    let place = whole();
    let line = "levels on-the-road --certify whole/level-12.toml";
    let said = place.done(&format!("{line} --out again"));
    assert!(said.contains("12 %: certified to ±4 pp. whole/level-12.toml wins"), "{said}");
    let (found, again) = (place.read("whole/levels.csv"), place.read("again/levels.csv"));
    assert_ne!(found.lines().nth(1), again.lines().nth(1));
    assert_eq!(again.lines().count(), 2, "{again}");
    assert!(place.done("verify again").starts_with("Verified: "));
    // Against another agent it is another claim.
    let other = place.call(&format!("{line} --against heuristic --tolerance 5pp"));
    assert_eq!(other.code, Some(1), "{}", other.err);
    assert!(other.out.contains("not certified"), "{}", other.out);
    place.refused("levels base --certify whole/level-12.toml", &["of on-the-road, not of base"]);
    let text = place.read("whole/level-12.toml").replace("percent = 12.0", "percent = 120.0");
    place.write("forged.toml", text);
    place.refused("levels on-the-road --certify forged.toml", &["120"]);
}

/// A power cut leaves zeros where the log had grown and what it grew by was not on the disk.
#[test]
fn zeros_that_a_power_cut_leaves_are_cut_off() {
    let place = whole();
    let log = place.read("whole/stages.jsonl").into_bytes();
    let ends: Vec<usize> =
        log.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    let (there, torn) = (&log[..ends[40]], &log[ends[40]..ends[41] - 9]);
    let rest = &log[ends[50]..ends[60]];
    for tail in [[torn, &[0; 4096], rest].concat(), vec![0; 1 << 20]] {
        killed(&place, 0);
        place.write("out.partial/stages.jsonl", [there, &tail].concat());
        assert!(place.call("status out").out.contains("stopped, "));
        let resumed = place.call("resume out");
        assert_eq!((resumed.code, resumed.err.as_str()), (Some(1), ""));
        let cut = "A power cut had left zeros at the end of the log: ";
        assert!(resumed.out.starts_with(cut), "{}", resumed.out);
        place.same("whole", "out");
    }
    // What the manifest counts was on the disk: zeros in it are no power cut's.
    killed(&place, log.len());
    place.alter("out.partial", "/played/blocks", 5_000.into());
    place.write("out.partial/stages.jsonl", [&log[..ends[3]], &[0], &log[ends[3]..]].concat());
    place.refused("resume out", &["`stages.jsonl` is damaged: 5000 blocks were played"]);
    assert_eq!(place.read("out.partial/stages.jsonl").len(), log.len() + 1);
}
