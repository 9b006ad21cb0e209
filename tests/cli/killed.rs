//! `kill -9` at any moment: the run is resumed from what was saved, and ends the same as one that was never
//! stopped, byte for byte. The tests wait for events, never for times.

use crate::support::{Place, length, some, wait_until};
use fairhaven::registry::Games;
use serde_json::Value;

/// When a run is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// After this number of chunks.
    Chunks(u64),
    /// After this number of chunks, while the sums are being written; if that is too quick to be seen, a few
    /// chunks later.
    Saving(u64),
}

use Moment::{Chunks, Saving};

/// Ten moments of a run of 150 chunks.
const MOMENTS: [Moment; 10] = [
    Chunks(1),
    Saving(2),
    Chunks(9),
    Saving(10),
    Chunks(31),
    Chunks(32),
    Saving(60),
    Chunks(77),
    Saving(90),
    Chunks(110),
];

/// Starts or resumes a run, and kills it at a given moment.
fn kill(place: &Place, line: &str, moment: Moment) {
    let mut child = place.start(&format!("{line} --save-every 0"));
    let (digests, new) = (place.path("out.partial/digests.bin"), "out.partial/sums.bin.new");
    let new = place.path(new);
    wait_until(&mut child, || match moment {
        Chunks(chunks) => length(&digests) >= 4 * chunks,
        Saving(chunks) => {
            let played = length(&digests) / 4;
            played >= chunks && new.exists() || played >= chunks + 8
        }
    });
    child.kill().expect("it can be killed");
    let status = child.wait().expect("a child");
    assert_eq!(status.code(), None, "{moment:?}: it ended by itself");
    assert!(!place.path("out").exists(), "{moment:?}");
}

/// Kills a run several times, once at a moment, then lets it end: the result is as if nothing had happened.
fn killed_again_and_again(line: &str) -> Value {
    let place = Place::new();
    let moments = some(&MOMENTS);
    kill(&place, &format!("{line} --quiet --out out"), moments[0]);
    for (at, moment) in moments.iter().enumerate().skip(1) {
        kill(&place, &format!("resume out --quiet --threads {}", 1 + at % 3), *moment);
    }
    place.done("resume out --quiet");
    place.done(&format!("{line} --quiet --out whole"));
    assert_eq!(place.names(), ["out", "whole"]);
    assert_eq!(place.manifest("whole")["plan"]["chunk"], 1);
    place.same("out", "whole");
    place.manifest("out")
}

#[test]
fn a_run_with_rows_is_gone_on_with() {
    killed_again_and_again("simulate on-the-road --agents builder,random --matches 300 --rows csv");
}

#[test]
fn a_run_with_packed_rows_is_gone_on_with() {
    killed_again_and_again(
        "simulate on-the-road --agents builder,drifter,random --matches 450 --seed 3 --rows zst",
    );
}

#[test]
fn a_run_of_every_game_is_resumed() {
    let games = Games::standard();
    for game in some(&games.names()) {
        let facts = games.get(game).expect("a game").facts();
        let agents =
            if *facts.players.end() < 3 { "greedy,random" } else { "greedy,random,greedy" };
        killed_again_and_again(&format!(
            "simulate {} --agents {agents} --set turns_max=30 --matches 450 --rows zst",
            facts.name
        ));
    }
}

#[test]
fn a_sequential_run_is_gone_on_with_and_stops_where_it_would_have() {
    let manifest = killed_again_and_again(
        "compare on-the-road greedy greedy:lapse=0.02 --win1 10pp --look 1 --matches 12k",
    );
    let blocks = manifest["played"]["blocks"].as_u64().expect("a number");
    assert!(blocks < 2000, "{blocks} blocks of 2000");
    assert!(manifest["played"]["stopped"].as_str().is_some_and(|why| why.contains("accepts")));
    let manifest = killed_again_and_again(
        "compare on-the-road builder drifter --look 1 --until ci=0.1pp --matches 1200",
    );
    assert_eq!(manifest["played"]["blocks"], 200);
    assert!(manifest["played"]["stopped"].is_null(), "it was undecided to the end");
}

#[test]
fn a_tournament_is_resumed() {
    killed_again_and_again(
        "tournament on-the-road builder random drifter --players 3 --blocks 150",
    );
}

#[test]
fn a_study_of_a_choice_is_gone_on_with() {
    killed_again_and_again(
        "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 150",
    );
}

#[test]
fn a_run_killed_before_anything_was_saved_begins_anew() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder,random --rows csv --matches 20k --quiet";
    let mut child = place.start(&format!("{line} --out out --save-every 1000"));
    wait_until(&mut child, || length(&place.path("out.partial/matches.csv")) > 0);
    child.kill().expect("it can be killed");
    child.wait().expect("a child");
    assert!(!place.path("out.partial/sums.bin").exists());
    // Starting the run again by mistake says what to do instead.
    place.refused(
        &format!("{line} --out out"),
        &["`out.partial`", "left behind", "`fairhaven resume out`", "remove it"],
    );
    place.refused("replay out 0.0", &["out"]);
    place.done("resume out --quiet");
    place.done(&format!("{line} --out whole"));
    place.same("out", "whole");
}

#[test]
fn rows_that_were_being_unpacked_or_packed_are_whole_again() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder,random --matches 300 --rows zst --quiet";
    kill(&place, &format!("{line} --out out"), Chunks(40));
    // As if it had been interrupted after the saved point, and its rows packed.
    let rows = std::fs::read(place.path("out.partial/matches.csv")).expect("the rows");
    let packed = zstd::encode_all(rows.as_slice(), 3).expect("zstd");
    for (plain, packed) in
        [(None, &packed), (Some(&rows[..5000]), &packed), (Some(&rows[..]), &packed[..99].to_vec())]
    {
        place.copy("out.partial", "again.partial");
        place.write("again.partial/matches.csv.zst", packed);
        match plain {
            Some(plain) => place.write("again.partial/matches.csv", plain),
            None => std::fs::remove_file(place.path("again.partial/matches.csv")).expect("rows"),
        }
        place.done("resume again --quiet");
        place.done(&format!("{line} --out whole"));
        place.same("again", "whole");
        for run in ["again", "whole"] {
            std::fs::remove_dir_all(place.path(run)).expect("the run");
        }
    }
}
