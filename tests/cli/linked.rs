//! Links, pipes, devices and directories in place of the files of a run, under every command that reads or replaces
//! runs: it answers, waits for nothing, and touches no file of others.

use crate::fuzz::{Dice, code_of, try_all};
use crate::support::{Left, Place, copy, sealed};
use rustix::fs::{CWD, FileType, mknodat};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::LazyLock;

/// What is read by a command: the first directory is the one in which something is put in a file's place.
type Case = (&'static [&'static str], &'static str);

const CASES: [Case; 28] = [
    (&["cut.partial"], "resume cut --quiet --threads 1"),
    (&["cut.partial"], "resume cut --quiet --threads 1 --save-every 0"),
    (&["cut.partial"], "status cut"),
    (&["early"], "resume early --quiet --threads 1"),
    (&["early"], "analyze early --quiet"),
    (&["half", "rest"], "merge half rest --out all --quiet"),
    (&["half"], "resume half --quiet --threads 1"),
    (&["whole"], "resume whole --quiet --threads 1"),
    (&["whole"], "verify whole --sample 2 --threads 1"),
    (&["whole"], "analyze whole --quiet"),
    (&["whole"], "replay whole 0.0"),
    (&["whole"], "explain whole 0.0"),
    (&["whole"], "export whole --rows -o rows.jsonl --quiet"),
    (&["whole"], "export whole -o decisions.jsonl --matches 1 --threads 1 --quiet"),
    (&["whole"], "status whole"),
    (&["whole"], "report whole -o page.html"),
    (&["whole"], "simulate on-the-road --agents builder --matches 4 --quiet --out whole --force"),
    (&["cup"], "tournament on-the-road --onto cup --add greedy --out new --quiet"),
    (&["wave-1", "wave-2"], "merge wave-1 wave-2 --out all --quiet"),
    (&["wave-1"], "resume wave-1 --quiet --threads 1"),
    (&["course.partial"], "resume course --quiet --threads 1"),
    (&["course.partial"], "status course"),
    (&["learnt"], "verify learnt --sample 2 --threads 1"),
    (&["learnt"], "resume learnt --quiet --threads 1"),
    (&["nets"], "resume nets --quiet --threads 1"),
    (&["nets"], JUDGED),
    (&["nets", "judged"], "verify judged --sample 1 --threads 1"),
    (&["nets", "judged"], "replay judged 0.0"),
];

/// A run that is judged by the net of another.
const JUDGED: &str = "simulate on-the-road --agents mcts:iterations=2:net=nets/net.toml,random --players 2 --matches 2 \
                      --quiet --threads 1";

/// Files that may lie in a run's directory besides those that are there.
const MORE: [&str; 6] =
    ["unfinished.bin", "lock", "replaces", "sums.bin.new", "manifest.json.new", "seats.csv.new"];

/// Runs of all kinds, whole and cut.
static RUNS: LazyLock<Place> = LazyLock::new(|| {
    let place = Place::new();
    let rows =
        "simulate on-the-road --agents builder,random --matches 16 --rows csv --quiet --threads 1";
    place.done(&format!("{rows} --out whole"));
    place.done(&format!("{rows} --out half --shard 1/2"));
    place.done(&format!("{rows} --out rest --shard 2/2"));
    place.done(
        "tournament on-the-road builder random drifter --players 3 --blocks 4 --quiet --out cup",
    );
    for part in 1..=2 {
        let line =
            "compare on-the-road builder random --wave 1 --wave-blocks 40 --matches 80 --quiet";
        place.done(&format!("{line} --shard {part}/2 --out wave-{part}"));
    }
    place.done(
        "learn on-the-road --net --from heuristic --players 2 --matches 8 --quiet --out nets",
    );
    place.done(&format!("{JUDGED} --out judged"));
    place.done("learn struggle --players 2 --matches 80 --quiet --threads 1 --out learnt");
    // What was killed half-way holds what the first of two parts holds, or the log without its end.
    for (from, to) in [("half", "cut.partial"), ("half", "early"), ("learnt", "course.partial")] {
        place.copy(from, to);
        let mut manifest = place.manifest(from);
        manifest["plan"]["shard"] = json!(null);
        manifest["played"]["complete"] = json!(false);
        manifest["files"] = json!([]);
        place.write(&format!("{to}/manifest.json"), sealed(manifest));
    }
    let log = place.read("course.partial/stages.jsonl");
    place.write("course.partial/stages.jsonl", &log[..log.len() - 40]);
    place
});

/// Puts something else in a file's place; says what.
fn replaced(dice: &mut Dice, place: &Place, file: &Path) -> &'static str {
    let other = |name: &str| place.path("precious").join(name);
    let bytes = fs::read(file).unwrap_or_default();
    // What was saved is there, and more: a reader finds nothing wrong with it.
    fs::write(other("copy"), [&bytes[..], b"mine"].concat()).expect("a file");
    let _ = fs::remove_file(file);
    let made = |kind| mknodat(CWD, file, kind, 0o600.into(), 0).expect("no file of a run");
    match dice.below(8) {
        0 => symlink(other("copy"), file).map(|()| "a link to a copy"),
        1 => symlink(other("thesis.txt"), file).map(|()| "a link to something else"),
        2 => symlink(other("gone"), file).map(|()| "a link to nothing"),
        3 => symlink("/dev/zero", file).map(|()| "a link to a device"),
        4 => fs::hard_link(other("copy"), file).map(|()| "another name of a copy"),
        5 => fs::create_dir(file).map(|()| "a directory"),
        6 => {
            made(FileType::Fifo);
            Ok("a pipe")
        }
        _ => {
            made(FileType::Socket);
            Ok("a socket")
        }
    }
    .expect("nothing has the name")
}

fn tried(case: u64) -> Result<i32, String> {
    let dice = &mut Dice::new(77, case);
    let (directories, line) = *dice.pick(&CASES);
    let place = Place::new();
    for directory in directories {
        copy(&RUNS.path(directory), &place.path(directory));
    }
    fs::create_dir(place.path("precious")).expect("a directory");
    place.write("precious/thesis.txt", "mine");
    let mut names: Vec<String> = RUNS.files(directories[0]).into_keys().collect();
    names.push("manifest.json".to_owned());
    names.extend(MORE.map(str::to_owned));
    let name = dice.pick(&names).clone();
    let what = replaced(dice, &place, &place.path(directories[0]).join(&name));
    let before: Left = place.left("precious");
    let done = place.bounded(line);
    let told = format!("{line}: {what} in place of {name}");
    if place.left("precious") != before {
        return Err(format!("{told}: a file of others was touched\n{}", done.err));
    }
    code_of(&done).map_err(|fault| format!("{told}: {fault}"))
}

#[test]
fn what_lies_in_place_of_a_file_is_neither_followed_nor_waited_for() {
    try_all("links", tried);
}

#[test]
fn a_link_is_named_and_what_it_leads_to_stays() {
    let place = Place::new();
    for (run, name, line) in [
        ("early", "digests.bin", "resume early"),
        ("early", "matches.csv", "resume early"),
        ("early", "sums.bin", "resume early"),
        ("course.partial", "stages.jsonl", "resume course"),
        ("wave-1", "chunks.bin", "merge wave-1 wave-2 --out all"),
        ("whole", "manifest.json", "status whole"),
        ("whole", "matches.csv", "export whole --rows -o rows.jsonl"),
        ("nets", "net.toml", JUDGED),
    ] {
        for run in [run, "wave-2"] {
            copy(&RUNS.path(run), &place.path(run));
        }
        let file = place.path(run).join(name);
        fs::rename(&file, place.path("precious")).expect("a rename");
        symlink(place.path("precious"), &file).expect("a link");
        let precious = fs::read(place.path("precious")).expect("a file");
        let done = place.call(line);
        assert_eq!(done.code, Some(2), "{line}: {}", done.err);
        assert!(done.err.contains(name) && done.err.contains("symbolic link"), "{}", done.err);
        assert!(fs::read(place.path("precious")).expect("a file") == precious, "{line}");
        for left in place.names() {
            let left = place.path(&left);
            if left.is_dir() { fs::remove_dir_all(left) } else { fs::remove_file(left) }
                .expect("it goes");
        }
    }
}
