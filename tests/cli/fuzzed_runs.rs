//! Damaged runs, by a seeded generator, under every command that reads runs: an answer in bounded memory and
//! time, what lies beside them untouched, and no damage that is taken for the run.

use crate::fuzz::{Dice, NUMBERS, code_of, try_all};
use crate::support::{Done, Place, sealed};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

const ON_THE_ROAD: &str = "simulate on-the-road --agents builder,random --matches 40 --rows zst";
const WATCHED: &str = "compare on-the-road builder random --matches 80";

/// A kind of run.
struct Kind {
    /// The directories that it consists of.
    directories: &'static [&'static str],
    /// What reads them.
    commands: &'static [&'static str],
}

const WHOLE: &[&str] = &[
    "resume run --quiet --threads 1",
    "verify run --threads 1",
    "analyze run --quiet",
    "replay run 0.0",
    "merge run --out all --quiet",
    "status run",
];

/// Runs that are whole.
const RUNS: [&str; 10] = [
    "simulate on-the-road --agents builder,random --matches 40 --rows csv",
    ON_THE_ROAD,
    WATCHED,
    "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 4",
    "tournament on-the-road builder random drifter --players 3 --blocks 12",
    "levels on-the-road --agent greedy --param lapse=0..1 --against greedy --rates 15 --tolerance 10pp",
    "tune on-the-road greedy:lapse=1 --param lapse=0..1 --players 3 --matches 960",
    "learn struggle --players 2 --matches 80",
    "learn on-the-road --net --from heuristic --players 3 --matches 300 --every 40",
    "solve on-the-road --choice metropolis --set side=b --fields knight.cost.wool --agent builder --blocks 8 \
     --certify 8 --target 90pp",
];

/// Two parts of a run, one that was killed, and two parts of a wave.
const PARTS: [Kind; 3] = [
    Kind {
        directories: &["half", "rest"],
        commands: &[
            "merge half rest --out all --quiet",
            "resume half --quiet --threads 1",
            "verify rest --threads 1",
            "replay half 0.1",
            "status half rest --json",
        ],
    },
    Kind {
        directories: &["run.partial"],
        commands: &[
            "resume run --quiet --threads 1",
            "resume run --quiet --threads 1",
            "verify run.partial --threads 1",
            "analyze run.partial --quiet",
            "replay run.partial 0.0",
            "status run",
        ],
    },
    Kind {
        directories: &["half", "rest"],
        commands: &[
            "merge half rest --out all --quiet",
            "merge half rest --out all --quiet",
            "resume rest --quiet --threads 1",
            "verify half --threads 1",
            "status half rest",
        ],
    },
];

/// How many kinds there are.
const KINDS: usize = RUNS.len() + PARTS.len();

/// The kind of a number.
fn kind(number: usize) -> &'static Kind {
    const RUN: Kind = Kind { directories: &["run"], commands: WHOLE };
    number.checked_sub(RUNS.len()).map_or(&RUN, |part| &PARTS[part])
}

/// A run of each kind, whole under the name `whole`.
fn played(kind: usize) -> Place {
    let place = Place::new();
    let (line, wave) = match kind.checked_sub(RUNS.len()) {
        None => (RUNS[kind], ""),
        Some(2) => (WATCHED, "--wave 1 --wave-blocks 80"),
        Some(_) => (ON_THE_ROAD, ""),
    };
    place.done(&format!("{line} --quiet --out whole"));
    if kind < RUNS.len() {
        place.copy("whole", "run");
        return place;
    }
    place.done(&format!("{line} --quiet --out half {wave} --shard 1/2"));
    place.done(&format!("{line} --quiet --out rest {wave} --shard 2/2"));
    if kind == RUNS.len() + 1 {
        // A run that was killed half-way holds what the first of two parts holds.
        place.copy("half", "run.partial");
        let mut manifest = place.manifest("half");
        manifest["plan"]["shard"] = Value::Null;
        manifest["played"]["complete"] = json!(false);
        manifest["files"] = json!([]);
        place.write("run.partial/manifest.json", sealed(manifest));
    }
    place
}

/// All files of a directory by name; a link by what it holds.
fn bytes_of(place: &Place, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(place.path(directory)) else { return BTreeMap::new() };
    let mut files = BTreeMap::new();
    for entry in entries {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        let new = entry.path().extension().is_some_and(|end| end == "new");
        let own = name != "lock" && !new;
        if own && fs::metadata(entry.path()).is_ok_and(|file| file.is_file()) {
            files.insert(name, fs::read(entry.path()).expect("a file"));
        }
    }
    files
}

/// Damages bytes; says how.
fn damage(dice: &mut Dice, bytes: &mut Vec<u8>, other: &[u8]) -> String {
    let at = dice.stretch(bytes.len());
    let told = format!("{at:?} of {}", bytes.len());
    match dice.below(10) {
        0 if !bytes.is_empty() => {
            bytes[at.start] ^= 1 << dice.below(8);
            format!("a bit flipped in {told}")
        }
        1 => {
            bytes.truncate(at.start);
            format!("cut: {told}")
        }
        2 => {
            let count = *dice.pick(&[1, 8, 64, 4096]);
            bytes.extend(dice.bytes(count));
            format!("{count} bytes more")
        }
        3 => {
            bytes[at].fill(0);
            format!("zeros: {told}")
        }
        4 => {
            let to = dice.below(bytes.len() + 1 - at.len());
            let moved: Vec<u8> = bytes.drain(at).collect();
            bytes.splice(to..to, moved);
            format!("moved to {to}: {told}")
        }
        5 => {
            let twice = bytes.clone();
            bytes.extend(twice);
            "twice".to_owned()
        }
        6 => {
            *bytes = other.to_vec();
            "another file's content".to_owned()
        }
        7 => {
            let end = bytes.len().min(at.start + 8);
            bytes[at.start..end].fill(0xff);
            format!("all ones from {}", at.start)
        }
        8 => {
            bytes.drain(at);
            format!("left out: {told}")
        }
        _ => {
            let from = dice.stretch(other.len());
            bytes.splice(at, other[from.clone()].iter().copied());
            format!("{from:?} of another file in {told}")
        }
    }
}

/// Paths of all values in a JSON value.
fn paths(value: &Value, path: &str, into: &mut Vec<String>) {
    into.push(path.to_owned());
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                paths(item, &format!("{path}/{at}"), into);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                paths(field, &format!("{path}/{name}"), into);
            }
        }
        _ => {}
    }
}

/// Changes a value of a manifest; says which.
fn edit(dice: &mut Dice, manifest: &mut Value) -> String {
    let mut all = Vec::new();
    paths(manifest, "", &mut all);
    let (at, from) = (dice.pick(&all).clone(), dice.pick(&all).clone());
    let copied = manifest.pointer(&from).expect("a path").clone();
    let number = serde_json::from_str(dice.pick::<&str>(&NUMBERS)).unwrap_or(json!(1e300));
    let value = manifest.pointer_mut(&at).expect("a path");
    let new = match dice.below(10) {
        0 | 1 => number,
        2 => Value::Null,
        3 => json!(""),
        4 => json!("x".repeat(5000)),
        5 => json!([[[[{ "a": [value.clone()] }]]]]),
        6 => json!([value.clone(), value.clone()]),
        7 => json!("\u{1b}[2J\u{202e}\u{0}"),
        8 => json!(true),
        _ => copied,
    };
    *value = new;
    let shown: String = value.to_string().chars().take(60).collect();
    format!("{at} of the manifest is {shown}")
}

/// Changes integers of a run's sums and packs them again, so that their checksum fits; says which. Behind the
/// mark all is integers in postcard's format: numbers, lengths of lists, and whether there is something or not.
fn forge(dice: &mut Dice, place: &Place, directory: &str) -> String {
    let path = place.path(directory).join("sums.bin");
    let packed = fs::read(&path).expect("the sums");
    let content = zstd::decode_all(packed.as_slice()).expect("a zstd frame");
    let (mark, mut rest) = content.split_at(8);
    let mut words: Vec<u64> = Vec::new();
    while !rest.is_empty() {
        let (word, behind) = postcard::take_from_bytes(rest).expect("an integer");
        words.push(word);
        rest = behind;
    }
    let mut told = String::from("forged sums:");
    for _ in 0..*dice.pick(&[1, 1, 2, 3]) {
        // Half of the changes are in the first words, which say what the others are.
        let among = *dice.pick(&[12, words.len()]);
        let at = dice.below(among);
        let old = words[at];
        let near = [old.wrapping_add(1), old.wrapping_sub(1), old.wrapping_mul(2)];
        let far = [0, 1, 4, 1 << 20, 1 << 40, 1 << 53, 1 << 63, u64::MAX - 1, u64::MAX];
        let new = *dice.pick(&[&near[..], &far[..]].concat());
        words[at] = new;
        let _ = write!(told, " integer {at} is {new}");
    }
    let write = |bytes: Vec<u8>, word| postcard::to_extend(word, bytes).expect("an integer");
    let forged = words.iter().fold(mark.to_vec(), write);
    fs::write(path, zstd::encode_all(forged.as_slice(), 1).expect("zstd")).expect("the sums");
    told
}

/// Damages a file of a run; says how, and whether somebody made the checksums fit again.
fn spoil(dice: &mut Dice, place: &Place, directory: &str) -> (String, bool) {
    let files = bytes_of(place, directory);
    let names: Vec<String> = files.keys().filter(|name| *name != "thesis.txt").cloned().collect();
    if dice.below(3) == 0 {
        let mut manifest = place.manifest(directory);
        let what = edit(dice, &mut manifest);
        let seals = dice.below(2) == 0;
        let text =
            if seals && manifest.is_object() { sealed(manifest) } else { manifest.to_string() };
        place.write(&format!("{directory}/manifest.json"), text);
        return (format!("{what}{}", if seals { ", sealed" } else { "" }), seals);
    }
    if dice.below(6) == 0 && files.contains_key("sums.bin") {
        return (forge(dice, place, directory), true);
    }
    #[cfg(unix)]
    if dice.below(12) == 0 {
        let name =
            *dice.pick(&["lock", "sums.bin.new", "matches.csv", "manifest.json.new", "replaces"]);
        let path = place.path(directory).join(name);
        let _ = fs::remove_file(&path);
        std::os::unix::fs::symlink("../thesis.txt", &path).expect("a link");
        return (format!("{directory}/{name}: a link to the user's file"), false);
    }
    let name = dice.pick(&names).clone();
    let path = place.path(directory).join(&name);
    let what = match dice.below(12) {
        0 => {
            fs::remove_file(&path).expect("a file");
            "removed".to_owned()
        }
        1 => {
            fs::remove_file(&path).expect("a file");
            fs::create_dir(&path).expect("a directory");
            "a directory".to_owned()
        }
        #[cfg(unix)]
        2 => {
            fs::remove_file(&path).expect("a file");
            let to = *dice.pick(&["thesis.txt", "../thesis.txt", "/dev/zero", "nowhere"]);
            std::os::unix::fs::symlink(to, &path).expect("a link");
            format!("a link to {to}")
        }
        _ => {
            let mut bytes = files[&name].clone();
            let other = dice.pick(&names).clone();
            let what = damage(dice, &mut bytes, &files[&other]);
            fs::write(&path, &bytes).expect("a file");
            what
        }
    };
    (format!("{directory}/{name}: {what}"), false)
}

/// What is wrong with an answer to a run that is not sealed: it is either refused, or that of the whole run.
fn taken_for_the_run(place: &Place, line: &str, done: &Done) -> Option<String> {
    if done.code != Some(0) {
        return None;
    }
    let words: Vec<&str> = line.split(' ').collect();
    let whole = place.tables("whole");
    let made = match words[0] {
        "replay" => {
            let due = place.done(&format!("replay whole {}", words[2]));
            return (done.out != due).then(|| "another match is replayed".to_owned());
        }
        "merge" => "all",
        "resume" => words[1],
        "status" => return None,
        _ if words[1] != "run" => return None,
        _ => "run",
    };
    if ["half", "rest"].contains(&made) {
        return None;
    }
    let made = bytes_of(place, made);
    let rows = |name: &str| words[0] == "analyze" && name.starts_with("matches.");
    let other = whole.iter().find(|(name, bytes)| !rows(name) && made.get(*name) != Some(bytes));
    other.map(|(name, _)| format!("{name} is not that of the whole run"))
}

/// One case: the exit code, or what is wrong.
fn tried(case: u64, places: &[Place]) -> Result<i32, String> {
    let mut dice = Dice::new(1, case);
    let at = dice.below(KINDS);
    let (kind, from) = (kind(at), &places[at]);
    let place = Place::new();
    for directory in kind.directories.iter().chain(&["whole"]) {
        let to = place.path(directory);
        fs::create_dir(&to).expect("a directory");
        for (name, bytes) in bytes_of(from, directory) {
            fs::write(to.join(name), bytes).expect("a copy");
        }
    }
    for directory in kind.directories {
        place.write(&format!("{directory}/thesis.txt"), "mine, inside");
    }
    place.write("thesis.txt", "mine, beside");
    let directory = *dice.pick(kind.directories);
    let (what, is_sealed) = spoil(&mut dice, &place, directory);
    let line = *dice.pick(kind.commands);
    let before: Vec<_> = kind.directories.iter().map(|run| bytes_of(&place, run)).collect();
    let words: Vec<&std::ffi::OsStr> = line.split(' ').map(AsRef::as_ref).collect();
    let done = place.bounded_words(&words);
    let told = |fault: String| format!("{line} after {what}: {fault}");
    let code = code_of(&done).map_err(told)?;
    let after: Vec<_> = kind.directories.iter().map(|run| bytes_of(&place, run)).collect();
    if (done.code == Some(2) || line.starts_with("merge")) && before != after {
        return Err(told(format!("{:?} changed the run: {}", done.code, done.err)));
    }
    let inside = kind.directories.iter().all(|run| {
        let published = run.trim_end_matches(".partial");
        let found = [*run, published].map(|run| bytes_of(&place, run).get("thesis.txt").cloned());
        found.into_iter().flatten().next().is_some_and(|bytes| bytes == b"mine, inside")
    });
    if !inside || fs::read(place.path("thesis.txt")).ok().as_deref() != Some(b"mine, beside") {
        return Err(told("a file of the user's is not what it was".to_owned()));
    }
    let wrong = if is_sealed { None } else { taken_for_the_run(&place, line, &done) };
    wrong.map_or(Ok(code), |wrong| Err(told(wrong)))
}

#[test]
fn damaged_runs_are_answered_and_never_taken_for_the_run() {
    let places: Vec<Place> = (0..KINDS).map(played).collect();
    try_all("damaged runs", |case| tried(case, &places));
}
