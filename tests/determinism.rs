//! The same bytes: for any number of threads, and from one version of the program to the next.
//!
//! `tests/golden/` keeps what a fixed seed gives. A change that is meant to alter it updates both files with
//! `FAIRHAVEN_BLESS=1 cargo test --test determinism`, says so in `CHANGELOG.md` under **Results**, and is
//! reviewed by the difference of the files. Nothing else may alter them.

use assert_cmd::Command;
use fairhaven::core::agent::Player;
use fairhaven::core::game::Game;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::wording::Wording;
use fairhaven::games::base::Base;
use fairhaven::games::boats::{Boats, rules as boats};
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::opinion::baselines::Baseline;
use fairhaven::games::on_the_road::rules::{Rules, Side};
use fairhaven::games::struggle::{Struggle, rules as struggle};
use fairhaven::games::two_player::{TwoPlayer, rules as two_player};
use fairhaven::lab::report::hash::hash;
use fairhaven::parts::island::rules as base;
use fairhaven::sim::agents::random::Random;
use fairhaven::sim::play::Arena;
use fairhaven::sim::records::line::{Header, MatchSeed};
use fairhaven::sim::records::text::TextRecorder;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The head of the signature file.
const SIGNATURE_HEAD: &str = "\
# Names (FNV-1a, 64 bits) of the tables of fixed runs. They change when the rules, the streams of
# chance, the agents, their weights and nets, or the tables change, and for no other reason.
# To renew: FAIRHAVEN_BLESS=1 cargo test --test determinism
";

/// Runs whose tables are hashed: every game by agents that draw, plan and search.
const SIGNED: [(&str, &str); 20] = [
    ("side-a", "on-the-road --agents random,builder,drifter --matches 300 --seed 1"),
    (
        "side-b",
        "on-the-road --agents builder,random,drifter,builder --matches 400 --seed 2 --set side=b",
    ),
    ("base-four", "base --agents random --players 4 --matches 12 --seed 1"),
    (
        "base-three",
        "base --agents random --players 3 --matches 100 --seed 2 --set island=beginner \
         --set order=strict --set trade.proposals_max=0",
    ),
    (
        "base-six",
        "base --agents random --players 6 --matches 40 --seed 3 --set extension.after_turn=paired \
         --set tokens=shuffled --set harbours=shuffled --set trade.listed_max=0",
    ),
    ("struggle-three", "struggle --agents random --players 3 --matches 60 --seed 1"),
    (
        "struggle-six",
        "struggle --agents random --players 6 --matches 30 --seed 2 --set build.types=four \
         --set expansion.two_town_halls=true --set draw.extra=at_once",
    ),
    (
        "boats-fog",
        "boats --agents random --players 4 --matches 12 --seed 1 --set scenario=fog --set isa=seat_1 \
         --set louis=seat_2 --set route.when=at_once --set turns_max=200",
    ),
    (
        "weaker",
        "on-the-road --agents greedy:temperature=0.1,greedy:lapse=0.2,greedy:temperature=0.02:lapse=0.5 \
         --matches 60 --seed 3",
    ),
    ("two-player", "two-player --agents random --matches 20 --seed 1"),
    ("planners-on-the-road", "on-the-road --agents heuristic --matches 60 --seed 4 --set side=b"),
    ("planners-struggle", "struggle --agents heuristic --players 3 --matches 6 --seed 4"),
    ("planners-base", "base --agents heuristic --players 3 --matches 6 --seed 4"),
    ("planners-two-player", "two-player --agents heuristic --matches 6 --seed 4"),
    ("planners-boats", "boats --agents heuristic --players 3 --matches 3 --seed 4"),
    (
        "search-on-the-road",
        "on-the-road --agents mcts:iterations=40,builder,builder --matches 6 --seed 5 --set side=b",
    ),
    (
        "search-struggle",
        "struggle --agents mcts:iterations=20,random --matches 2 --seed 5 --set turns_max=12",
    ),
    (
        "search-base",
        "base --agents mcts:iterations=20:trees=2,random --matches 2 --seed 5 --set turns_max=12",
    ),
    (
        "search-two-player",
        "two-player --agents mcts:iterations=20,random --matches 2 --seed 5 --set turns_max=12",
    ),
    (
        "search-boats",
        "boats --agents mcts:iterations=20,random,random --matches 3 --seed 5 --set turns_max=9 --set scenario=fog",
    ),
];

/// The tables of a run, `matches.csv` included.
fn tables(words: &str) -> BTreeMap<String, String> {
    let place = tempfile::tempdir().expect("a temporary directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairhaven"));
    command
        .current_dir(place.path())
        .args(["simulate", "--quiet", "--rows", "csv", "--out", "out"]);
    command.args(words.split_whitespace());
    command.assert().success();
    let mut tables = BTreeMap::new();
    for entry in fs::read_dir(place.path().join("out")).expect("the run's directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "csv") {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            tables.insert(name, fs::read_to_string(&path).expect("a table"));
        }
    }
    assert_eq!(tables.len(), 9, "all tables and the rows");
    tables
}

/// Compares with a file of `tests/golden`, or updates it.
fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("FAIRHAVEN_BLESS").is_some() {
        fs::write(&path, found).expect("the golden file");
        return;
    }
    let due = fs::read_to_string(&path).expect("the golden file");
    let differs = due.lines().zip(found.lines()).position(|(due, found)| due != found);
    let line = differs.unwrap_or(due.lines().count().min(found.lines().count()));
    assert!(
        due == found,
        "{name} differs in line {}: {:?} was {:?}. The head of tests/determinism.rs says when and how \
         to renew it.",
        line + 1,
        found.lines().nth(line),
        due.lines().nth(line),
    );
}

fn same_for_any_number_of_threads(words: &str) {
    let one = tables(&format!("{words} --threads 1"));
    for threads in [2, 5] {
        let several = tables(&format!("{words} --threads {threads}"));
        for (name, text) in &one {
            assert!(several[name] == *text, "{name} differs with {threads} threads");
        }
    }
}

#[test]
fn planning_agents_play_the_same_on_any_number_of_threads() {
    same_for_any_number_of_threads(
        "on-the-road --agents heuristic --set side=b --matches 160 --seed 3",
    );
    same_for_any_number_of_threads("base --agents heuristic,greedy,random --matches 24 --seed 3");
    same_for_any_number_of_threads("base --agents heuristic --players 6 --matches 12 --seed 3");
    same_for_any_number_of_threads(
        "struggle --agents heuristic,greedy,random --matches 30 --seed 3",
    );
}

#[test]
fn chunks_of_several_blocks_are_merged_in_order() {
    // Above 2047 blocks a chunk has more than one.
    same_for_any_number_of_threads(
        "on-the-road --agents builder,drifter,random --matches 6300 --seed 5",
    );
    same_for_any_number_of_threads(
        "base --agents random --players 3 --matches 2100 --seed 5 --set turns_max=4",
    );
}

#[test]
fn searching_agents_play_the_same_on_any_number_of_threads() {
    let agents = "mcts:iterations=20,heuristic,mcts:iterations=20:rollout=heuristic";
    same_for_any_number_of_threads(&format!("on-the-road --agents {agents} --matches 18 --seed 4"));
    let agents = "mcts:iterations=8,greedy,mcts:iterations=6:opponents=heuristic:truncation=2";
    same_for_any_number_of_threads(&format!("base --agents {agents} --matches 6 --seed 4"));
    same_for_any_number_of_threads(&format!("struggle --agents {agents} --matches 6 --seed 4"));
    same_for_any_number_of_threads(&format!("boats --agents {agents} --matches 3 --seed 4"));
    let agents = "mcts:iterations=6:opponents=heuristic:truncation=2,greedy";
    same_for_any_number_of_threads(&format!("two-player --agents {agents} --matches 6 --seed 4"));
}

#[test]
fn weaker_agents_play_the_same_on_any_number_of_threads() {
    let agents =
        "mcts:iterations=8:temperature=0.1:lapse=0.2,greedy:lapse=0.5,heuristic:temperature=0.02";
    for game in ["on-the-road", "base", "struggle", "boats"] {
        same_for_any_number_of_threads(&format!("{game} --agents {agents} --matches 6 --seed 4"));
    }
    let agents = "mcts:iterations=8:temperature=0.1:lapse=0.2,greedy:lapse=0.5";
    same_for_any_number_of_threads(&format!("two-player --agents {agents} --matches 6 --seed 4"));
}

#[test]
fn tables_keep_their_signature() {
    let mut found = SIGNATURE_HEAD.to_owned();
    for (name, words) in SIGNED {
        for (file, text) in tables(words) {
            let _ = writeln!(found, "{name}/{file} {}", hash(&text));
        }
    }
    golden("signature.txt", &found);
}

/// What is said of a committed record: all decisions, one of them, and the mistakes. The search judges by the planner's
/// weights, which change less often than nets.
#[test]
fn a_recorded_match_is_explained_in_the_same_words() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/on-the-road.jsonl");
    let search = "mcts:iterations=200:judgement=weights";
    let mut found = String::new();
    for words in [
        String::new(),
        format!("--decision 40 --agent {search}"),
        "--decision 40 --agent heuristic".to_owned(),
        format!("--mistakes --judge {search} --searches 4 --top 8"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairhaven"));
        command.arg("explain").arg(&record).args(words.split_whitespace());
        let output = command.assert().success().get_output().stdout.clone();
        let text = String::from_utf8(output).expect("text");
        let _ = writeln!(found, "$ fairhaven explain tests/data/on-the-road.jsonl {words}\n{text}");
    }
    golden("explained.txt", &found);
}

/// One seeded match in plain text; `seat_of` says which player sits where.
fn told<G: Wording>(
    game: G,
    mut players: Vec<Player<G>>,
    seat_of: &[usize],
    names: &[&str],
) -> String {
    let header = Header {
        agents: names.iter().map(|&name| name.to_owned()).collect(),
        seed: Some(MatchSeed { master: 7, block: 0, match_idx: 0 }),
        program: "tests/determinism.rs".to_owned(),
    };
    let mut recorder = TextRecorder::new(header);
    let played = Arena::new(game).play(&mut players, seat_of, BlockSeed::new(7, 0), &mut recorder);
    played.expect("agents that keep the rules");
    recorder.into_string()
}

/// A golden match with a head that says what it holds.
fn golden_match(name: &str, holds: &str, text: &str) {
    let head =
        format!("# {holds}\n# To renew: FAIRHAVEN_BLESS=1 cargo test --test determinism\n\n{text}");
    golden(name, &head);
}

fn random_players<G: Game>() -> Vec<Player<G>> {
    vec![Player::Honest(Box::new(Random))]
}

/// Matches end early, so that a change of a file can be read.
#[test]
fn a_seeded_match_is_told_in_the_same_words() {
    let rules = Rules { side: Side::B, ..Rules::default() };
    let game = OnTheRoad::new(rules, 3).expect("a rule set to play with");
    let players =
        vec![Player::Honest(Box::new(Baseline::Builder)), Player::Honest(Box::new(Random))];
    let text = told(game, players, &[0, 1, 0], &["builder", "random", "builder"]);
    golden_match(
        "on-the-road.txt",
        "A whole match: draws, offers, builds, events, discards.",
        &text,
    );
    let mut rules = base::Rules { turns_max: 9, ..base::Rules::default() };
    rules.trade.listed_max = 0;
    let game = Base::new(rules, 3).expect("a rule set to play with");
    golden_match(
        "base.txt",
        "Nine turns: the island, the setup, dice, trade with the bank.",
        &told(game, random_players(), &[0; 3], &["random"; 3]),
    );
    let rules = struggle::Rules { points_to_win: 4.into(), ..struggle::Rules::default() };
    let game = Struggle::new(rules, 4).expect("a rule set to play with");
    golden_match(
        "struggle.txt",
        "A whole match to four points: draws, swaps, expansions, what passes between two players.",
        &told(game, random_players(), &[0; 4], &["random"; 4]),
    );
    let fog = || boats::Rules { scenario: "fog".to_owned(), ..boats::Rules::default() };
    let mut rules = boats::Rules { turns_max: 9, isa: boats::Holder::Seat1, ..fog() };
    rules.trade.proposals_max = 0;
    let game = Boats::new(rules, 3).expect("a rule set to play with");
    golden_match(
        "boats.txt",
        "Nine turns in the fog: boats that move, hexes and tokens that they find.",
        &told(game, random_players(), &[0; 3], &["random"; 3]),
    );
    let rules = two_player::Rules { turns_max: 8, ..two_player::Rules::default() };
    let game = TwoPlayer::new(rules, 2).expect("a rule set to play with");
    golden_match(
        "two-player.txt",
        "Eight turns: two rolls a turn, neutral pieces, chits, trade between two.",
        &told(game, random_players(), &[0; 2], &["random"; 2]),
    );
}
