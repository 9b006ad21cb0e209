//! `learn`: a strategy that can be played, or a net; the same on any threads and from any point of its log; and messages
//! about wrong arguments.

use crate::searches::killed;
use crate::support::{Guard, Place, length, some, wait_until};
use fairhaven::core::net::file::SavedNet;
use fairhaven::registry::Games;

#[test]
fn learned_weights_are_an_agent_in_every_game_with_a_lesson() {
    for game in Games::standard().names() {
        let place = Place::new();
        if Games::standard().get(game).expect("a game").facts().lesson.is_none() {
            place.refused(&format!("learn {game}"), &["can't be learned"]);
            continue;
        }
        let from = if game == "on-the-road" { "mcts:iterations=5" } else { "heuristic" };
        let line = format!("learn {game} --matches 20 --players 3 --from {from}");
        let said = place.done(&format!("{line} --out out"));
        let ends = ["is stronger than", "is weaker than", "is not shown to be stronger than"];
        let ends = ends.map(|end| format!("The learned agent {end}"));
        assert!(ends.iter().any(|end| said.contains(end)), "{said}");
        let file: toml::Table = toml::from_str(&place.read("out/learned.toml")).expect("TOML");
        assert_eq!(file["kind"].as_str(), from.split(':').next());
        let provenance = file["provenance"].as_str().unwrap();
        assert!(provenance.contains("--matches 20") && provenance.contains("on fresh deals"));
        assert!(provenance.starts_with(&format!("fairhaven learn {game} --from {from}")));
        if game == "on-the-road" {
            assert_eq!(file["parameters"]["iterations"].as_integer(), Some(5), "what is kept");
            assert!(file["parameters"]["judged_point"].is_float());
        } else {
            assert_eq!(file["parameters"]["point"].as_float(), Some(1.0), "the unit");
        }
        let agents = "--agents out/learned.toml,greedy --matches 4 --quiet --out played";
        place.done(&format!("simulate {game} {agents}"));
        place.refused(&format!("{line} --out out"), &["out", "--force"]);
        let again = place.done(&format!("{line} --out out --force --quiet --threads 3"));
        assert_eq!(again, "");
        let learning = place.read("out/learning.csv");
        assert_eq!(learning.lines().count(), 1 + 10, "a row for each tenth: {learning}");
    }
}

/// A course of three sessions, and its comparison.
const LINE: &str = "learn struggle --matches 150 --players 2 --hold hand --set points_to_win=5";

#[test]
fn learning_is_the_same_on_any_threads_and_from_any_point_of_its_log() {
    let place = Place::new();
    place.done(&format!("{LINE} --out whole --threads 1 --quiet"));
    for threads in some(&[5, 2]) {
        place.done(&format!("{LINE} --out threads --force --threads {threads} --quiet"));
        place.same("whole", "threads");
    }
    let log = place.read("whole/stages.jsonl");
    let ends: Vec<usize> = log.match_indices('\n').map(|(at, _)| at + 1).collect();
    for bytes in some(&[ends[1] + 9, 0, 7, ends[3] - 1, ends[0], ends[2], log.len()]) {
        killed(&place, bytes);
        place.done("resume out --quiet --save-every 0");
        place.same("whole", "out");
    }
    let verified = place.done("verify out --sample 1000");
    assert!(verified.starts_with("Verified: "), "{verified}");
    let files = place.files("out");
    for name in ["learned.csv", "learning.csv", "learned.toml"] {
        place.write(&format!("out/{name}"), "nothing");
    }
    assert!(place.done("analyze out").contains("The learned agent is "));
    assert_eq!(place.files("out"), files);
}

#[test]
fn a_course_that_is_interrupted_is_resumed() {
    let place = Place::new();
    let line = "learn base --matches 300 --players 3";
    let log = place.path("out.partial/stages.jsonl");
    let mut child = Guard(place.start(&format!("{line} --out out --quiet --save-every 0")));
    wait_until(&mut child.0, || length(&log) > 0);
    let id = child.0.id().to_string();
    let pressed = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(pressed.expect("`kill`").success());
    assert_eq!(child.0.wait().expect("a child").code(), Some(130));
    let blocks = place.manifest("out")["played"]["blocks"].as_u64().expect("a number");
    assert!((64..600).contains(&blocks), "{blocks} blocks");
    place.done("resume out --quiet");
    place.done(&format!("{line} --out whole --quiet"));
    place.same("whole", "out");
}

#[test]
fn what_can_not_be_learned_is_said() {
    let place = Place::new();
    place.refused("learn on-the-road --from heuristic", &["how a search judges", "--from mcts"]);
    place.refused("learn chess", &["`chess`"]);
    place.refused("learn base --from greedy", &["greedy", "a heuristic or mcts is wanted"]);
    place.refused("learn base --from heuristic:lapse=0.5", &["one without", "lapse"]);
    place.refused("learn base --hold luck", &["luck", "ready"]);
    place.refused("learn base --lambda 2", &["--lambda 2"]);
    place.refused("learn base --step 0", &["--step 0"]);
    place.refused("learn base --every 0", &["--every 0"]);
    place.refused("learn base --out mine.toml", &["names a directory", "learned.toml"]);
    place.refused("learn base --shard 1/2 --out a", &["cut into parts"]);
}

/// A course of two sessions, and an examination of one.
const NET: &str = "learn on-the-road --net --from heuristic --players 3 --table players=2,side=b \
                   --matches 4200 --every 50 --set points_to_win=4";

#[test]
fn a_net_is_learned_the_same_on_any_threads_and_from_any_point_of_its_log() {
    let place = Place::new();
    let said = place.done(&format!("{NET} --out whole --threads 1"));
    assert!(said.contains("learned net") && said.contains("the planner's weights"), "{said}");
    for threads in some(&[5, 2]) {
        place.done(&format!("{NET} --out threads --force --threads {threads} --quiet"));
        place.same("whole", "threads");
    }
    let log = place.read("whole/stages.jsonl");
    let ends: Vec<usize> = log.match_indices('\n').map(|(at, _)| at + 1).collect();
    assert_eq!(ends.len(), 3, "two sessions and an examination");
    for bytes in some(&[ends[0] + 9, 0, ends[0] - 1, ends[1] + 9, ends[0], log.len()]) {
        killed(&place, bytes);
        place.done("resume out --quiet --save-every 0");
        place.same("whole", "out");
    }
    let verified = place.done("verify out --sample 1000");
    assert!(verified.starts_with("Verified: "), "{verified}");
    let files = place.files("out");
    for name in ["examined.csv", "learning.csv", "net.toml"] {
        place.write(&format!("out/{name}"), "nothing");
    }
    assert!(place.done("analyze out").contains("learned net"));
    assert_eq!(place.files("out"), files);
    place.write("out/stages.jsonl", log.replacen("0,", "1,", 1));
    place.refused("analyze out", &["damaged"]);
}

/// The file is a net with the inputs of the game, and says where it comes from.
#[test]
fn a_learned_net_is_one_that_the_game_can_read() {
    let place = Place::new();
    for game in Games::standard().names() {
        let facts = Games::standard().get(game).expect("a game").facts();
        let Some(inputs) = facts.net else {
            place.refused(&format!("learn {game} --net"), &[game, "no net"]);
            continue;
        };
        let players = 3.min(*facts.players.end());
        let line = format!("learn {game} --net --from heuristic --players {players} --matches 30");
        // Where nobody says how many play, it is a table of the game.
        place.done(&format!("learn {game} --net --from heuristic --matches 3 --quiet --out usual"));
        std::fs::remove_dir_all(place.path("usual")).expect("a run");
        place.done(&format!("{line} --out {game} --quiet"));
        let text = place.read(&format!("{game}/net.toml"));
        let net = SavedNet::parse(&text).and_then(|file| file.net(game, &inputs)).expect("a net");
        let worth = net.worth(&vec![0.5; inputs.names.len()]);
        assert!(worth.is_finite() && worth.abs() > 1e-6, "{worth}");
        let file: toml::Table = toml::from_str(&text).expect("TOML");
        let provenance = file["provenance"].as_str().expect("words");
        assert!(provenance.starts_with(&format!("fairhaven {line} --every 4 --seed 1; ")));
        let examined = place.read(&format!("{game}/examined.csv"));
        assert_eq!(examined.lines().count(), 1 + 5, "{examined}");
    }
}

#[test]
fn what_no_net_can_be_learned_from_is_said() {
    let place = Place::new();
    place.refused("learn base --net --from oracle", &["sees all hands"]);
    place.refused("learn base --net --from mcts:time_ms=5", &["depends on the clock"]);
    place.refused("learn base --net --matches 0", &["invalid value '0' for '--matches"]);
    place.refused("learn base --net --matches 1m", &["--matches 1000000", "500,000"]);
    place.refused("learn base --net --every 0", &["--every 0"]);
    place.refused("learn base --net --table players=9", &["--table players=9", "9 players"]);
    place.refused("learn base --net --table players=x", &["`players=x` has no number"]);
    place
        .refused("learn base --net --table nothing=1", &["--table nothing=1", "no rule set field"]);
    place.refused("learn base --table players=3", &["--net"]);
    place.refused("learn base --siblings 3", &["--net"]);
    place.refused("learn base --net --siblings 1", &["--siblings 1", "2 to 12"]);
    place.refused("learn base --net --siblings 13", &["--siblings 13", "2 to 12"]);
    place.refused("learn base --net --siblings 4 --matches 200k", &["--matches 200000", "100,000"]);
    place.refused("learn base --net --points 91", &["--points 91", "0 to 90"]);
    place.refused("learn base --net --from chess", &["chess"]);
    place.refused("learn base --net --out mine.toml", &["names a directory", "net.toml"]);
    place.refused("learn base --net --lambda 1.5", &["--lambda 1.5", "0 to 1"]);
    for other in ["--step 0.1", "--hold ready"] {
        place.refused(&format!("learn base --net {other}"), &["cannot be used with"]);
    }
}

/// Each setting of what positions teach brings another net, the same on any number of threads, and the file says how.
#[test]
fn a_net_that_learns_by_other_labels_says_so() {
    let place = Place::new();
    let line = "learn on-the-road --net --from heuristic --players 3 --matches 40 --every 4";
    let mut nets = Vec::new();
    let all = " --siblings 3 --points 20 --lambda 0.9";
    for (at, flags) in
        ["", " --siblings 3", " --points 20", " --lambda 0.9", all].iter().enumerate()
    {
        place.done(&format!("{line}{flags} --seed 2 --threads 1 --out one-{at} --quiet"));
        let net = place.read(&format!("one-{at}/net.toml"));
        assert!(net.contains(&format!("fairhaven {line}{flags} --seed 2; ")), "{net}");
        nets.push(net);
    }
    place.done(&format!("{line}{all} --seed 2 --threads 3 --out three --quiet"));
    place.same("one-4", "three");
    assert!(place.done("verify three --sample 1000").starts_with("Verified: "));
    // A manifest without them is that of a run that learned from winners alone.
    let plain: serde_json::Value =
        serde_json::from_str(&place.read("one-0/manifest.json")).expect("JSON");
    let question = &plain["question"];
    let settings = ["siblings", "points", "lambda"].map(|setting| question.get(setting));
    assert!(question["every"] == 4 && settings == [None; 3]);
    place.done("analyze one-0");
    let rows =
        |net: &String| net.lines().filter(|line| line.starts_with("start")).collect::<String>();
    for (at, net) in nets.iter().enumerate() {
        assert!(nets[..at].iter().all(|other| rows(other) != rows(net)), "net {at}");
    }
}
