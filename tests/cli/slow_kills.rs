//! A block of agents that search may take hours: what was chosen in it is saved every few seconds, and a run that was
//! killed or interrupted in its midst goes on from there. The tests wait for events, never for times.

use crate::support::{Guard, Place, length, some};
use fairhaven::registry::Games;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Choices of a run that is being played.
fn choices(place: &Place) -> PathBuf {
    place.path("out.partial/unfinished.bin")
}

/// A run of one block, which takes a second or so: far longer than it takes to save some choices. Games differ by how
/// soon four turns are over.
fn slow(game: &str) -> String {
    let iterations = match game {
        "on-the-road" => 12_000,
        "struggle" => 20_000,
        "two-player" => 8000,
        _ => 4000,
    };
    let mut line = format!("simulate {game} --agents mcts:iterations={iterations}");
    line +=
        " --set turns_max=4 --matches 1 --rows csv --quiet --threads 1 --save-every 0 --out out";
    line
}

/// Starts a run, and ends it by a signal once choices of its first block are on the disk.
///
/// On a busy machine the block may end before the signal arrives: such a run is removed, and another one started.
fn end(place: &Place, line: &str, signal: &str) {
    for _ in 0..20 {
        let mut child = Guard(place.start(line));
        while length(&choices(place)) <= 60 && child.0.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        let id = child.0.id().to_string();
        Command::new("kill").args([signal, &id]).status().expect("`kill` can be called");
        let code = child.0.wait().expect("a child").code();
        let left = place.path(if signal == "-INT" { "out" } else { "out.partial" });
        if left.exists() && length(&left.join("digests.bin")) == 0 {
            assert_eq!(code, (signal == "-INT").then_some(130), "{line}");
            assert!(length(&left.join("unfinished.bin")) > 60, "{line}");
            return;
        }
        fs::remove_dir_all(place.path("out")).or_else(|_| fs::remove_dir_all(left)).expect("a run");
    }
    panic!("the block always ended first: {line}");
}

#[test]
fn a_block_that_was_broken_off_goes_on_in_every_game() {
    let games = Games::standard();
    let signals = ["-KILL", "-INT"].into_iter().cycle();
    let cases: Vec<(&str, &str)> = games.names().into_iter().zip(signals).collect();
    for (game, signal) in some(&cases) {
        let (place, whole) = (Place::new(), Place::new());
        whole.done(&slow(game));
        end(&place, &slow(game), signal);
        place.done("resume out --quiet");
        assert!(!place.path("out/unfinished.bin").exists(), "{game}");
        assert_eq!(place.left("out"), whole.left("out"), "{game}");
    }
}

#[test]
fn choices_that_were_damaged_are_refused_and_can_be_removed() {
    let (place, whole) = (Place::new(), Place::new());
    let line = slow("on-the-road");
    whole.done(&line);
    end(&place, &line, "-KILL");
    let sound = fs::read(choices(&place)).expect("choices");
    let mut altered = sound.clone();
    *altered.last_mut().expect("bytes") ^= 1;
    let mut other = sound.clone();
    other[8] ^= 1;
    for (bytes, said) in some::<(&[u8], &str)>(&[
        (&b"nonsense"[..], "is not what a run wrote"),
        (&altered, "is damaged"),
        (&sound[..sound.len() - 3], "is damaged"),
        (&other, "belongs to another run"),
        (&[&b"fairdid1"[..], &[0; 3]].concat(), "is damaged"),
        (&vec![7; (70 << 20) + (24 << 20)], "is longer than what a run writes"),
    ]) {
        fs::write(choices(&place), bytes).expect("it can be written");
        place.refused("resume out --quiet", &["unfinished.bin", said, "played from their start"]);
    }
    fs::remove_file(choices(&place)).expect("it is there");
    place.done("resume out --quiet");
    assert_eq!(place.left("out"), whole.left("out"));
}
