//! Nets as files: what `learn --net` writes plays at once under its path, a run goes on with the same net or not at all,
//! and what is no net of the game is refused by name.

use crate::support::{Place, copy, sealed};
use rustix::fs::{CWD, FileType, mknodat};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::LazyLock;

/// Nets of two games, from courses too short to learn anything.
static NETS: LazyLock<Place> = LazyLock::new(|| {
    let place = Place::new();
    for game in ["on-the-road", "struggle"] {
        let line = format!("learn {game} --net --from heuristic --players 3 --matches 10 --quiet");
        place.done(&format!("{line} --out {game}"));
    }
    place
});

/// A place with a net of On the Road, `net.toml`.
fn with_net() -> Place {
    let place = Place::new();
    place.write("net.toml", NETS.read("on-the-road/net.toml"));
    place
}

/// A search with that net.
const AGENT: &str = "mcts:iterations=10:net=net.toml";

/// A short run with a search that judges by the net.
fn run(agent: &str) -> String {
    format!("simulate on-the-road --agents {agent},greedy,random --matches 6 --quiet --threads 1")
}

/// The hash of a file (FNV-1a, 64 bits).
fn hash(text: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}

/// A run of which nothing was played yet: as one that was killed at its beginning.
fn begun(place: &Place, run: &str, name: &str) {
    let mut manifest = place.manifest(run);
    manifest["files"] = json!([]);
    for field in ["blocks", "matches", "decisions", "failures"] {
        manifest["played"][field] = 0.into();
    }
    manifest["played"]["complete"] = false.into();
    let partial = format!("{name}.partial");
    fs::create_dir(place.path(&partial)).expect("a directory");
    place.write(&format!("{partial}/manifest.json"), sealed(manifest));
}

#[test]
fn all_sizes_of_the_tables_are_said() {
    let line = "learn on-the-road --net --from heuristic --players 4 --table players=3 --matches 4";
    let said = Place::new().done(line);
    assert!(said.contains("Played on-the-road, 4 and 3 players: "), "{said}");
}

#[test]
fn a_learned_net_plays_at_once_by_its_path() {
    for game in ["on-the-road", "struggle"] {
        let place = Place::new();
        copy(&NETS.path(game), &place.path("new"));
        let line = |agent: &str, out: &str| {
            let agents = format!("mcts:iterations=10{agent},greedy,random --matches 6");
            place.done(&format!("simulate {game} --agents {agents} --quiet --out {out}"));
            place.files(out)["digests.bin"].clone()
        };
        let own = line("", "own");
        let learned = line(":net=new/net.toml", "learned");
        assert_ne!(own, learned, "{game}: another net decides otherwise");
        let manifest = place.manifest("learned");
        let agent = &manifest["agents"][0];
        assert_eq!(agent["name"], "mcts:iterations=10:net=new/net.toml");
        assert_eq!(agent["parameters"]["net"], "new/net.toml");
        assert_eq!(agent["parameters"]["net_hash"], hash(&place.read("new/net.toml")));
        let own = place.manifest("own");
        assert!(own["agents"][0]["parameters"].get("net").is_none());
        assert!(place.done("verify learned --sample 10").starts_with("Verified: "));
        // The net that the game carries is a file of the same form, and judges alike as a file.
        let folder = game.replace('-', "_");
        let shipped = fs::read(format!("src/games/{folder}/opinion/net.toml")).expect("a file");
        place.write("shipped.toml", shipped);
        assert_eq!(line(":net=shipped.toml", "shipped"), place.files("own")["digests.bin"]);
    }
}

#[test]
fn every_study_and_search_takes_such_an_agent() {
    let place = with_net();
    let gate = place
        .done(&format!("compare on-the-road {AGENT} mcts:iterations=10 --players 3 --matches 24"));
    assert!(gate.contains(&format!("A ({AGENT})")), "{gate}");
    let tuned = "--param temperature=0..1 --players 3 --matches 200 --quiet --out tuned";
    assert!(
        [0, 1].contains(&place.call(&format!("tune on-the-road {AGENT} {tuned}")).code.unwrap())
    );
    let hash = hash(&place.read("net.toml"));
    assert_eq!(place.manifest("tuned")["agents"][0]["parameters"]["net_hash"], hash);
    let levels = "levels on-the-road --against greedy --agent mcts:iterations=2:net=net.toml \
                  --param temperature=0..1 --rates 50 --tolerance 9pp --players 3 --quiet --out levels";
    place.done(levels);
    assert_eq!(place.manifest("levels")["agents"][0]["parameters"]["net_hash"], hash);
    // The file of a level names the net with its hash, so that it is never a level with another one.
    let level = place.read("levels/level-50.toml");
    assert!(level.contains("net = \"net.toml\"") && level.contains(&hash), "{level}");
    place.done("simulate on-the-road --agents levels/level-50.toml,random --matches 2");
    place.done(&format!("learn on-the-road --net --from {AGENT} --matches 4 --players 3 --quiet"));
    place.done(&format!("reliability on-the-road --matches 4 --judges {AGENT},mcts --quiet"));
    let over = "--param net --values net.toml,same.toml --blocks 2 --quiet --out over";
    place.write("same.toml", place.read("net.toml"));
    place.done(&format!("sweep on-the-road --agents mcts:iterations=5,random {over}"));
    let agents = place.manifest("over")["agents"].clone();
    assert_eq!(agents[1]["parameters"]["net"], "same.toml");
    assert_eq!(agents[1]["parameters"]["net_hash"], hash);
}

#[test]
fn a_strategy_file_names_a_net() {
    let place = with_net();
    fs::create_dir(place.path("mine")).expect("a directory");
    let text = "kind = \"mcts\"\nabout = \"mine\"\nprovenance = \"a test\"\n[parameters]\n\
                iterations = 10\nnet = \"net.toml\"\n";
    place.write("mine/bot.toml", text);
    // The path is one of the working directory, wherever the strategy lies.
    place.done(&format!("{} --out a", run("mine/bot.toml")));
    place.done(&format!("{} --out b", run(AGENT)));
    assert_eq!(place.files("a")["digests.bin"], place.files("b")["digests.bin"]);
    let parameters = &place.manifest("a")["agents"][0]["parameters"];
    assert_eq!(parameters["net_hash"], hash(&place.read("net.toml")));
    let hashed = format!("{text}net_hash = \"0123456789abcdef\"\n");
    place.write("mine/bot.toml", hashed);
    let reason = ["agent `mine/bot.toml`: the net `net.toml` is not what it was", "not 0123456789"];
    place.refused(&run("mine/bot.toml"), &reason);
    place.write("mine/bot.toml", text.replace("\"net.toml\"", "7"));
    place.refused(&run("mine/bot.toml"), &["`net` is 7; it must be the name of a file"]);
}

#[test]
fn a_run_goes_on_with_the_same_net_or_not_at_all() {
    let place = with_net();
    place.done(&format!("{} --out whole", run(AGENT)));
    for part in 1..=2 {
        place.done(&format!("{} --out part-{part} --shard {part}/2", run(AGENT)));
    }
    begun(&place, "whole", "cut");
    copy(&place.path("cut.partial"), &place.path("again.partial"));
    place.done("resume again --quiet");
    place.same("whole", "again");
    let lines = ["resume cut", "verify whole", "replay whole 0.0", "merge part-1 part-2 --out all"];
    let refused = |reason: &str| {
        for line in lines {
            place.refused(line, &[&format!("agent `{AGENT}`: the net `net.toml` {reason}")]);
        }
        // Tables follow from the sums, without any net.
        place.done("analyze whole");
    };
    let text = place.read("net.toml");
    place.write("net.toml", text.replacen("about", "about ", 1));
    refused("is not what it was: its hash is ");
    // Nothing is said of a file that is not the run's.
    place.write("net.toml", "secret");
    refused("is not what it was: its hash is ");
    fs::remove_file(place.path("net.toml")).expect("a file");
    refused("can't be read: No such file");
    place.write("net.toml", &text);
    place.done("merge part-1 part-2 --out all --quiet");
    place.same("whole", "all");
    place.done("resume cut --quiet");
    // A forged run that does not say which net it had.
    place.alter("whole", "/agents/0/parameters", json!({"iterations": 10, "net": "net.toml"}));
    place.refused("verify whole", &["does not have the hash of its net"]);
}

#[test]
fn a_search_goes_on_with_the_same_net_or_not_at_all() {
    let place = with_net();
    let line = format!("learn on-the-road --net --from {AGENT} --matches 4 --players 3 --quiet");
    place.done(&format!("{line} --out whole"));
    begun(&place, "whole", "cut");
    fs::write(place.path("cut.partial/stages.jsonl"), "").expect("a file");
    let text = place.read("net.toml");
    place.write("net.toml", text.replacen("about", "about ", 1));
    for line in ["resume cut", "verify whole"] {
        place.refused(line, &["the net `net.toml` is not what it was"]);
    }
    place.done("analyze whole");
    place.write("net.toml", text);
    place.done("resume cut --quiet");
    place.same("whole", "cut");
}

#[test]
fn what_is_no_net_of_the_game_is_refused_by_name() {
    let place = with_net();
    let text = place.read("net.toml");
    let line = run("mcts:net=bad.toml");
    let refused = |bytes: &[u8], reason: &str| {
        place.write("bad.toml", bytes);
        place.refused(&line, &["agent `mcts:net=bad.toml`: the net `bad.toml` ", reason]);
    };
    let with = |from: &str, to: &str| text.replacen(from, to, 1).into_bytes();
    refused(
        NETS.read("struggle/net.toml").as_bytes(),
        "judges positions of `struggle`, not of on-",
    );
    refused(&text.as_bytes()[..text.len() / 2], "is no net: line ");
    refused(b"", "is no net of form 2: it has no key `form`");
    refused(&with("form = 2", "form = 3"), "is of form 3; this program reads forms 1 and 2");
    refused(&with("version = 1", "version = 7"), "version 7 of the inputs of on-the-road; this ");
    refused(&with("[scales]\n", "[scales]\nluck = 1.0\n"), "has a scale of `luck`");
    refused(
        &with("start = [", "start = [nan, "),
        "is no net: line 8 (`start`): `start` has a weight",
    );
    refused(
        &with("worth = [", "worth = [-inf, "),
        "line 9 (`worth`): `worth` has a weight that is",
    );
    refused(&with("worth = [", "worth = [1.0, "), "has 33 weights in place of 32");
    refused(&with("worth = [", "wroth = ["), "unknown field `wroth`");
    let first = text.lines().find(|line| line.starts_with("[inputs]")).expect("inputs");
    let (head, rows) = text.split_once(first).expect("inputs");
    let (row, rest) = rows.trim_start().split_once('\n').expect("rows");
    let name = row.split(' ').next().expect("a name");
    refused(format!("{head}{first}\n{rest}").as_bytes(), &format!("`{name}` has no weights"));
    let renamed = row.replacen(name, "luck", 1);
    let renamed = format!("{head}{first}\n{renamed}\n{rest}");
    refused(renamed.as_bytes(), "has an input `luck`, which on-the-road doesn't have");
    refused(&[&text.as_bytes()[..9], b"\xff\xfe"].concat(), "is no text");
    refused(&vec![b'#'; (1 << 20) + 1], "is larger than 1 MiB");
    let none = "simulate on-the-road --agents mcts:net=none.toml,random";
    place.refused(none, &["the net `none.toml` can't be read: No such file"]);
    let idle = format!("{AGENT}:judgement=weights");
    place.refused(&run(&idle), &["`net` does nothing beside judgement=weights"]);
}

#[test]
fn what_is_no_file_is_refused_without_waiting() {
    let place = with_net();
    let at = |name: &str| place.path(name);
    fs::create_dir(at("folder")).expect("a directory");
    symlink(at("net.toml"), at("link")).expect("a link");
    mknodat(CWD, at("pipe"), FileType::Fifo, 0o600.into(), 0).expect("a pipe");
    for (name, reason) in [
        ("folder", "is not a file"),
        ("link", "is a symbolic link, not a file"),
        ("pipe", "is not a file"),
        ("/dev/zero", "is not a file"),
        ("/dev/stdin", "is "),
    ] {
        let line = run(&format!("mcts:net={name}"));
        place.refused(&line, &[&format!("the net `{name}` {reason}")]);
    }
    // A file that is far too large, without its bytes.
    fs::File::create(at("huge")).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
    place.refused(&run("mcts:net=huge"), &["the net `huge` is larger than 1 MiB"]);
    let done = place.bounded(&run("mcts:net=huge"));
    assert_eq!(done.code, Some(2), "{}", done.err);
}
