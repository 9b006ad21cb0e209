//! Two players are an unofficial extra (OTR-10, BASE-13): every command that plays such a table or judges
//! what was played there says so, and none says it of another table.

use crate::support::Place;

/// What each command says of a table of some size.
fn said_at_a_table(players: u8) -> Vec<(String, String)> {
    let place = Place::new();
    let plays = [
        "simulate on-the-road --agents builder --matches 4 --rows csv --out out",
        "simulate on-the-road --agents builder --matches 4 --shard 1/2 --out one",
        "simulate on-the-road --agents builder --matches 4 --shard 2/2 --out two",
        "compare on-the-road builder random --matches 64 --look 4",
        "compare on-the-road --rules-b points_to_win=6 --agents builder --matches 8",
        "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 4",
        "balance on-the-road --factor points_to_win=6,7 --levels builder --blocks 4",
        "sweep on-the-road --field points_to_win --values 6,7 --agents builder --blocks 4",
        "sweep base --param peril --values 0,1 --set turns_max=40 --blocks 2",
        "sensitivity on-the-road --agents builder --blocks 2",
        "luck on-the-road --agents builder --repeats 2 --blocks 2",
        "learn base --matches 8 --out learned",
        "learn on-the-road --matches 8 --from mcts:iterations=5",
        "bench on-the-road --agents builder --seconds 0.1",
    ];
    let mut lines: Vec<String> =
        plays.iter().map(|line| format!("{line} --players {players}")).collect();
    let judges = [
        "merge one two --out all",
        "analyze out",
        "verify out",
        "replay out 0.0",
        "replay out 0.0 --format jsonl",
        "replay --check record.jsonl",
    ];
    lines.extend(judges.map(str::to_owned));
    let mut all = Vec::new();
    for line in lines {
        let said = place.done(&line);
        if line.ends_with("jsonl") && !line.contains("--check") {
            place.write("record.jsonl", &said);
        }
        all.push((line, said));
    }
    all
}

#[test]
fn every_command_marks_a_table_of_an_unofficial_size() {
    for (line, said) in said_at_a_table(2) {
        let said = said.to_lowercase();
        assert!(
            said.contains("unofficial") && said.contains("two players are an unofficial extra"),
            "{line}:\n{said}"
        );
    }
    for (line, said) in said_at_a_table(3) {
        assert!(!said.to_lowercase().contains("unofficial"), "{line}:\n{said}");
    }
}
