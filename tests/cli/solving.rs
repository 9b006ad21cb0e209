//! `solve` as its users meet it: the same on any number of threads, from any point of its log; prices below the printed
//! one; and messages about wrong arguments.

use crate::searches::killed;
use crate::support::{Place, records};
use serde_json::Value;

/// Four changes, of which two are certified, with an agent that is tuned again.
const LINE: &str = "solve on-the-road --set side=b --players 3 --choice metropolis \
                    --fields metropolis.knights.extra.wool=-1..0,metropolis.roads.extra.ore=0..1 \
                    --agent greedy:lapse=0.5 --blocks 8 --finalists 1 --certify 30 \
                    --adapt lapse=0..1 --adapt-matches 60";

#[test]
fn solving_is_the_same_on_any_threads_and_from_any_point_of_its_log() {
    let place = Place::new();
    let whole = place.call(&format!("{LINE} --out whole --threads 1"));
    assert!(matches!(whole.code, Some(0 | 1)), "{}", whole.err);
    let said = whole.out.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(said.contains("greedy:lapse=0.5, tuned again:"), "{said}");
    for threads in [2, 5] {
        place.call(&format!("{LINE} --out threads --force --threads {threads} --quiet"));
        place.same("whole", "threads");
    }
    let log = place.read("whole/stages.jsonl");
    let ends: Vec<usize> = log.match_indices('\n').map(|(at, _)| at + 1).collect();
    let middle = ends.len() / 2;
    for bytes in [0, ends[3], ends[middle] + 7, ends[ends.len() - 2], log.len()] {
        killed(&place, bytes);
        assert_eq!(place.call("resume out --quiet --save-every 0").code, whole.code);
        place.same("whole", "out");
    }
    let verified = place.done("verify out --sample 1000");
    assert!(verified.starts_with("Verified: "), "{verified}");
    let manifest = place.manifest("whole");
    let number = |value: &Value| value.as_u64().expect("a number");
    let of_a_block = manifest["plan"]["matches_of_a_block"].as_array().map_or(0, Vec::len) as u64;
    assert_eq!(of_a_block, 4 * 3, "each option for each seat");
    let most = number(&manifest["plan"]["blocks"]) * of_a_block;
    assert!(number(&manifest["played"]["matches"]) <= most, "it says at most {most} matches");
    let candidates = place.read("whole/candidates.csv");
    assert_eq!(candidates.lines().count(), 1 + 4, "all combinations: {candidates}");
    // Two rule sets and two agents; a spread, and two figures of each of four options.
    let finalists = place.read("whole/finalists.csv");
    assert_eq!(finalists.lines().count(), 1 + 4 * 9, "{finalists}");
}

/// A cheaper card is built more often by greedy agents.
#[test]
fn a_metropolis_can_cost_less_than_is_printed() {
    let place = Place::new();
    let built = |extra: &str| -> f64 {
        place.done(&format!(
            "simulate on-the-road --agents greedy --set side=b --set metropolis.knights.extra.wool={extra} \
             --matches 2k --quiet --force --out out"
        ));
        let cards = place.read("out/cards.csv");
        let row =
            cards.lines().find(|row| row.starts_with("greedy,metropolis_b_knights,taker_share,"));
        let row = row.unwrap_or_else(|| panic!("no row of knights in {cards}"));
        row.split(',').nth(3).expect("a share").parse().expect("a number")
    };
    let (cheap, printed) = (built("-2"), built("0"));
    assert!(cheap > printed + 0.05, "{cheap} and {printed}");
    let line = "simulate on-the-road --set metropolis.army.extra";
    place.refused(&format!("{line}.wool=-4"), &["metropolis.army.extra", "more cards than"]);
    place.refused(&format!("{line}.ore=15"), &["15 is not in -14 to 14"]);
}

#[test]
fn what_cannot_be_solved_is_said() {
    let place = Place::new();
    let line = "solve on-the-road --set side=b --choice metropolis --fields";
    for (rest, parts) in [
        ("nothing", &["`nothing` is no field"][..]),
        ("hand_start=x", &["no change of --fields can be played with"]),
        ("hand_start=2", &["changes nothing"]),
        ("hand_start,hand_start=1..3", &["`hand_start` twice"]),
        ("hand_start=0..40,points_to_win=2..60,turns_max=2..60", &["4096 combinations"]),
        ("hand_start --finalists 0", &["--finalists 0 is not in 1 to 32"]),
        ("hand_start --blocks 0", &["--blocks", "`0` is not in 1"]),
        ("hand_start --target 0pp", &["above 0"]),
        ("hand_start --target effect<1pp", &["`spread`, `seats` or `styles`, not of `effect`"]),
        ("hand_start --adapt nothing=0..1", &["nothing"]),
        ("hand_start --agent nobody", &["no agent `nobody`"]),
        ("hand_start --shard 1/2", &["--shard"]),
    ] {
        place.refused(&format!("{line} {rest}"), parts);
    }
    place.refused("solve base --choice none --fields bank", &["base has", "none"]);
}

/// What another level reaches is no answer for the run's agent.
#[test]
fn only_the_runs_own_agent_reaches_the_target() {
    let place = Place::new();
    let done = place.call(
        "solve on-the-road --players 3 --set turns_max=40 --target seats<12pp --agent greedy --levels random \
         --fields hand_start=2..3 --blocks 50 --certify 600 --finalists 1",
    );
    let said = done.out.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(said.contains("greedy: no change of this grid is shown to bring the seats"), "{said}");
    assert!(said.contains("random"), "{said}");
    assert_eq!(done.code, Some(1), "{}", done.err);
}

/// The run's agent is tuned against itself, whoever else plays the finalists.
#[test]
fn levels_do_not_play_while_the_agent_is_tuned() {
    let place = Place::new();
    let line = "solve on-the-road --players 3 --target seats<30pp --agent heuristic:lapse=0.5 --fields hand_start=2..3 \
                --blocks 2 --certify 20 --finalists 1 --adapt lapse=0..1 --adapt-matches 120 --quiet";
    let matches = |run: &str| place.manifest(run)["played"]["matches"].as_u64().expect("a number");
    let _ = place.call(&format!("{line} --out alone"));
    let _ = place.call(&format!("{line} --levels greedy,random --out levels"));
    // Two levels, two finalists, a match in each of twenty blocks.
    assert_eq!(matches("levels"), matches("alone") + 2 * 2 * 20);
}

/// Three seats, of which the first needs fewer points: that is taken back, and nothing else is.
#[test]
fn a_planted_advantage_of_a_seat_is_found_and_taken_back() {
    let place = Place::new();
    let line = "solve on-the-road --players 3 --agent builder --set points_to_win=[5,7,7] --fields \
                points_to_win=5..7 --blocks 500 --finalists 3 --certify 4k --levels greedy";
    let whole = place.call(&format!("{line} --target seats<12pp --out whole --threads 1"));
    assert_eq!(whole.code, Some(0), "{} {}", whole.out, whole.err);
    let said = whole.out.split_whitespace().collect::<Vec<&str>>().join(" ");
    let due = "builder: the smallest change that is shown to bring the seats below 12 pp is points_to_win=7:";
    assert!(said.starts_with(due), "{said}");
    assert!(said.contains("With it seat 1 wins ") && said.contains(", before "), "{said}");
    assert!(said.contains("That points_to_win=7 keeps it below 12 pp"), "{said}");
    place.call(&format!("{line} --target seats<12pp --out threads --threads 3 --quiet"));
    place.same("whole", "threads");
    assert!(place.done("verify whole --sample 1000").starts_with("Verified: "));
    // All lists of three values, 27, and the rule set among them.
    assert_eq!(place.read("whole/candidates.csv").lines().count(), 1 + 27);
    // Four finalists and two agents; a spread, and two figures of each of three seats.
    assert_eq!(place.read("whole/finalists.csv").lines().count(), 1 + 4 * 2 * 7);
    let page = place.call("report whole --output page.html");
    assert_eq!(page.code, Some(0), "{}", page.err);
}

/// Seat 1 needs fewer points than the others: if all need as few, matches are more even and shorter, and not the other way.
#[test]
fn a_change_that_is_better_in_every_aim_beats_the_rules_as_they_are() {
    let place = Place::new();
    let line = "solve on-the-road --players 3 --agent builder --set points_to_win=[5,7,7] --target seats<15pp \
                --fields points_to_win=5 --also short --blocks 20 --finalists 1 --certify 2k --levels greedy";
    let whole = place.call(&format!("{line} --out whole --threads 1"));
    assert_eq!(whole.code, Some(0), "{} {}", whole.out, whole.err);
    let said = whole.out.split_whitespace().collect::<Vec<&str>>().join(" ");
    let due = "Even and short at once: 1 of 2 are on the front, which no other is shown to beat in each: points_to_win=5.";
    assert!(said.contains(due), "{said}");
    let front = records(&place.tables("whole")["front.csv"]);
    let verdicts = |change: &str| -> Vec<&str> {
        let rows = front.iter().filter(|row| row[0] == change);
        rows.map(|row| row.last().expect("a verdict").as_str()).collect()
    };
    // Two figures, by two agents.
    assert_eq!(verdicts("no change"), ["beaten by points_to_win=5"; 4]);
    assert_eq!(verdicts("points_to_win=5"), ["on the front"; 4]);
    place.call(&format!("{line} --out threads --threads 3 --quiet"));
    place.same("whole", "threads");
    let log = place.read("whole/stages.jsonl");
    killed(&place, log.len() / 2);
    assert_eq!(place.call("resume out --quiet --save-every 0").code, whole.code);
    place.same("whole", "out");
    assert!(place.done("verify whole --sample 1000").starts_with("Verified: "));
    assert_eq!(place.call("report whole --output page.html").code, Some(0));
    place.refused("solve base --target seats --also long", &["'long'", "short", "close"]);
    place.refused("solve base --target seats --also short,short", &["--also names one twice"]);
}

/// Without fields it tries single steps of all that may differ by seat, in each game.
#[test]
fn seats_are_evened_in_every_game() {
    let place = Place::new();
    for (game, players) in
        [("on-the-road", 3), ("struggle", 2), ("base", 3), ("two-player", 2), ("boats", 2)]
    {
        let line = format!(
            "solve {game} --players {players} --target seats<99pp --agent greedy --blocks 1 --finalists 1 --certify 8"
        );
        let said = place.call(&line);
        assert!(matches!(said.code, Some(0 | 1)), "{}", said.err);
        assert!(said.out.contains("the seats below 99 pp"), "{game}: {}", said.out);
        place.call(&format!("{line} --also close,short --quiet --out {game}"));
        let front = records(&place.tables(game)["front.csv"]);
        let mean = |row: &Vec<String>| row[3].parse::<f64>().expect("a mean");
        for metric in ["apart_mean", "rounds_mean"] {
            let rows: Vec<&Vec<String>> = front.iter().filter(|row| row[2] == metric).collect();
            assert!(rows.len() == 2 && rows.iter().all(|row| mean(row) > 0.0), "{game} {front:?}");
        }
    }
}

/// Two styles of which one can't build: a field that makes no difference to that evens nothing.
#[test]
fn styles_are_compared_alone_among_the_runs_agent() {
    let place = Place::new();
    let line = "solve on-the-road --players 3 --target styles<20pp --agent greedy --fields hand_start=2..3 \
                --styles greedy:without=knight,greedy:without=city+settlement --blocks 20 --finalists 1 --certify 400";
    let said = place.call(&format!("{line} --out out"));
    assert_eq!(said.code, Some(1), "{} {}", said.out, said.err);
    let words = said.out.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(
        words.contains("greedy: no change of this grid brings the styles below 20 pp."),
        "{words}"
    );
    assert!(words.contains("greedy:without=knight wins "), "{words}");
    assert!(place.done("verify out --sample 1000").starts_with("Verified: "));
    for (rest, parts) in [
        ("--target seats --choice metropolis", &["--choice is for options"][..]),
        ("--target seats --styles greedy,random", &["--styles is for --target styles"]),
        ("--target styles --styles greedy --fields side", &["--styles names 2 to 64 agents"]),
        ("--target styles --styles greedy,random", &["--fields says which fields"]),
        ("--choice metropolis", &["--fields says which fields"]),
        ("--fields side", &["--choice says whose options"]),
        ("--target seats --levels heuristic", &["heuristic is named twice"]),
        ("--target seats --fields points_to_win=2..40", &["lists by seat"]),
        ("--target seats --set hand_start=[1,2]", &["2 entries are not one for each of 4 seats"]),
        (
            "--target seats --agent greedy:without=trades",
            &["no kind of action `trades`", "`trade`"],
        ),
        ("--target seats --agent greedy:without=road+road", &["`road` is named twice"]),
        ("--target seats --agent greedy:without=3", &["kinds of actions"]),
    ] {
        place.refused(&format!("solve on-the-road {rest}"), parts);
    }
}
