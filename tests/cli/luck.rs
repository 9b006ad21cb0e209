//! `luck` and `compare --less-luck` when nothing is wrong: the same bytes on any number of threads, after a stop and in
//! parts; matches of a block that share the deal and nothing else; a plain comparison that is left as it is.

use crate::studies::described_and_same;
use crate::support::{Place, records};
use fairhaven::registry::Games;

/// The lines of a record before its first decision, and those from there on.
fn deal_and_rest(record: &str) -> (Vec<&str>, Vec<&str>) {
    let mut lines = record.lines().skip(1);
    let is_dealt = |line: &&str| line.starts_with("{\"chance\"");
    let deal = lines.by_ref().take_while(is_dealt).collect();
    (deal, lines.collect())
}

#[test]
fn shares_are_described_and_the_same_in_every_game() {
    for game in Games::standard().iter() {
        let facts = game.facts();
        let (name, players) = (facts.name, facts.players.end().min(&3));
        let place = Place::new();
        let others = ",greedy".repeat(usize::from(*players) - 1);
        let line = format!("luck {name} --agents heuristic{others} --repeats 2 --blocks 8");
        described_and_same(&place, &line, 3);
        let rows = records(&place.tables("out")["luck.csv"]);
        let shares = rows.iter().filter(|row| row[1] == "variance_share");
        let sum: f64 = shares.map(|row| row[2].parse::<f64>().expect("a share")).sum();
        // Each of seven has six decimals.
        assert!((sum - 1.0).abs() < 5e-6, "{name}: {sum}");
    }
}

#[test]
fn matches_of_a_block_share_the_deal_and_nothing_else() {
    let place = Place::new();
    let line = "luck base --agents greedy --players 3 --repeats 2 --blocks 2 --quiet --out out";
    place.done(line);
    let record = |id: &str| {
        let record = place.done(&format!("replay out {id} --format jsonl"));
        place.write("record.jsonl", &record);
        assert!(place.done("replay --check record.jsonl").starts_with("The record keeps"));
        record
    };
    let records = ["0.0", "0.1", "0.2", "1.0"].map(record);
    let [own, again, turned, other] = records.each_ref().map(|record| deal_and_rest(record));
    assert!(own.0.len() >= 20, "a map is dealt");
    assert_eq!(own.0, again.0);
    assert_eq!(own.0, turned.0);
    assert_ne!(own.0, other.0);
    assert_ne!(own.1, again.1);
    // The first is the match of any other run.
    place.done("simulate base --agents greedy --players 3 --matches 2 --quiet --out plain");
    let plain = place.done("replay plain 0.0 --format jsonl");
    assert_eq!(deal_and_rest(&plain), own);
}

#[test]
fn less_luck_leaves_the_plain_comparison_as_it_is() {
    for game in Games::standard().iter() {
        let name = game.facts().name;
        let place = Place::new();
        let line = format!("compare {name} greedy random --set turns_max=40 --matches 24");
        described_and_same(&place, &format!("{line} --less-luck"), 3);
        place.done(&format!("{line} --quiet --out plain"));
        let plain = records(&place.tables("plain")["compare.csv"]);
        let with = records(&place.tables("out")["compare.csv"]);
        assert_eq!(with[..plain.len()], plain, "{name}");
        let more: Vec<&str> = with[plain.len()..].iter().map(|row| row[1].as_str()).collect();
        assert_eq!(
            more,
            [
                "win_difference_less_luck",
                "luck",
                "luck_coefficient",
                "variance_left",
                "matches_saved"
            ]
        );
        let manifest = place.manifest("plain");
        assert!(manifest["question"].get("less_luck").is_none(), "{manifest}");
        assert!(manifest["plan"]["matches_of_a_block"][0].get("luck").is_none(), "{manifest}");
        place.done("verify out --sample 1m");
    }
}

#[test]
fn an_agent_has_no_luck_against_itself() {
    let place = Place::new();
    let said = place.done("compare on-the-road builder builder --less-luck --out out");
    assert!(said.contains("are the same agent") && !said.contains("Less the luck"), "{said}");
    let rows = records(&place.tables("out")["compare.csv"]);
    assert!(rows.iter().all(|row| !row[1].contains("luck")), "{rows:?}");
}

#[test]
fn a_run_that_asks_for_a_width_stops_earlier_with_less_luck() {
    let place = Place::new();
    let line = "compare on-the-road heuristic greedy --players 2 --until ci=8pp --quiet";
    place.done(&format!("{line} --out plain"));
    place.done(&format!("{line} --less-luck --out less"));
    let blocks = |run| place.manifest(run)["played"]["blocks"].as_u64().expect("blocks");
    let (plain, less) = (blocks("plain"), blocks("less"));
    assert!(256 <= less && less < plain, "{less} and {plain} blocks");
}
