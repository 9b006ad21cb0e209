//! `compare`, `balance`, `sweep`, `sensitivity` and `reliability` when nothing is wrong: the same bytes on any number of
//! threads, tables as the dictionary describes them, and runs that stop by themselves.

use crate::support::{Place, records};
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::report::described::TableSchema;
use fairhaven::lab::report::manifest::QuestionSpec;
use fairhaven::lab::report::table::ESTIMATE;

const BALANCE: &str =
    "balance on-the-road --choice metropolis --set side=b --levels builder,greedy";

/// Plays on one thread and on several: same bytes, and every table has the columns and the metrics that
/// the dictionary gives it. Returns what was printed.
pub fn described_and_same(place: &Place, line: &str, threads: u8) -> String {
    let said = place.done(&format!("{line} --threads 1 --out out"));
    place.done(&format!("{line} --threads {threads} --quiet --out again"));
    place.same("out", "again");
    let manifest = place.manifest("out");
    assert_eq!(manifest["played"]["complete"], true);
    assert_eq!(manifest["played"]["failures"], 0);
    let question: QuestionSpec = serde_json::from_value(manifest["question"].clone()).expect("one");
    let due = Catalogue::standard().question(&question).expect("a question").described();
    let names: Vec<String> = due.iter().map(|table| format!("{}.csv", table.name)).collect();
    let listed = manifest["files"].as_array().expect("a list").iter();
    assert!(listed.map(|file| &file["name"]).eq(names.iter()), "{}", manifest["files"]);
    let tables = place.tables("out");
    assert_eq!(tables.len(), due.len());
    for TableSchema { name, keys, more, metrics } in due {
        let rows = records(&tables[&format!("{name}.csv")]);
        let columns = keys.iter().chain(&ESTIMATE).chain(more).map(|column| column.name);
        assert_eq!(rows[0], columns.collect::<Vec<&str>>(), "{name}");
        assert!(rows.len() > 1, "{name} has no rows");
        for row in &rows[1..] {
            let metric = row[keys.len()].as_str();
            assert!(metrics.iter().any(|known| known.name == metric), "{name}: {row:?}");
            // An interval never comes without its method, nor a method without an interval, except for the words
            // that say why there is none.
            let [lo, hi, method] = [5, 6, 7].map(|at| row[keys.len() + at].as_str());
            assert_eq!(lo.is_empty(), hi.is_empty(), "{name}: {row:?}");
            let none = ["", "too_few", "fixed", "no_maximum"].contains(&method);
            assert_eq!(lo.is_empty(), none, "{name}: {row:?}");
        }
    }
    said
}

/// A text as one line: on the screen, lines are broken to its width.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn agents_are_compared_until_the_test_is_decided() {
    let place = Place::new();
    let line = "compare on-the-road greedy builder --seed 2";
    let said = flat(&described_and_same(&place, line, 2));
    assert!(said.contains("the test accepts a difference of 2 pp against 0 pp"), "{said}");
    assert!(
        said.contains("A (greedy) is stronger") && said.contains("Without common deals"),
        "{said}"
    );
    let manifest = place.manifest("out");
    let blocks = manifest["played"]["blocks"].as_u64().expect("a number");
    assert!(blocks < manifest["plan"]["blocks"].as_u64().expect("a number"));
    assert_eq!(blocks % 4, 0, "it stops where it looks");
    let matches = |place: &Place| {
        place.manifest("out")["plan"]["matches_of_a_block"].as_array().expect("matches").len()
    };
    assert_eq!(matches(&place), 6, "two against two, each seating once");
    let compare = records(&place.tables("out")["compare.csv"]);
    let difference = compare.iter().find(|row| row[1] == "win_difference").expect("a row");
    assert_eq!((difference[0].as_str(), difference[8].as_str()), ("A - B", "betting_sequence"));
    // When it looks, and what it says, depends on --look and on the order of the agents.
    let line3 = "compare on-the-road builder greedy --seed 2 --look 1 --players 3";
    let other = flat(&place.done(line3));
    assert!(other.contains("the test accepts a difference of 0 pp against 2 pp"), "{other}");
    // The test has only accepted that A is not stronger by 2 pp: the rest is the interval's.
    assert!(other.starts_with("The interval excludes 0: B (greedy) is stronger"), "{other}");
    assert!(said.contains("is biased") && !other.contains("is biased"), "{said} {other}");
    let said = place.done("compare on-the-road greedy builder --matches 60 --elo0 0 --elo1 5");
    assert!(said.contains("the test has not decided."), "{said}");
    place.done(&format!("{line} --line-ups alone --quiet --out out --force"));
    assert_eq!(matches(&place), 8, "one against three, either way round");
    let compare = records(&place.tables("out")["compare.csv"]);
    assert_eq!(compare.iter().filter(|row| row[1] == "win_rate_alone").count(), 2);
}

#[test]
fn the_path_of_a_comparison_holds_what_shorter_runs_saw() {
    let place = Place::new();
    let line =
        "compare on-the-road greedy greedy:lapse=0.01 --elo0 0 --elo1 1 --quiet --force --out out";
    place.done(&format!("{line} --matches 3600"));
    let path = records(&place.tables("out")["path.csv"]);
    // A look after each 24 matches: 64 of them, then every second up to 128, then every fourth.
    let looks: Vec<u64> =
        path.iter().skip(1).step_by(4).map(|row| row[0].parse().unwrap()).collect();
    let kept = (1..=64).chain((66..=128).step_by(2)).chain((132..=150).step_by(4));
    assert_eq!(looks, kept.chain([150]).collect::<Vec<u64>>(), "and the last");
    for look in [1, 7, 64, 66, 148, 150] {
        place.done(&format!("{line} --matches {}", 24 * look));
        let compare = records(&place.tables("out")["compare.csv"]);
        for row in path.iter().filter(|row| row[0] == look.to_string()) {
            let then = compare.iter().find(|then| then[1] == row[1]).expect("a row");
            // The path has no standard errors.
            assert_eq!((&row[2..5], &row[6..9]), (&then[2..5], &then[6..9]), "look {look}");
        }
    }
}

#[test]
fn one_thing_against_itself_differs_by_0_by_design() {
    let place = Place::new();
    for (agents, first) in [
        ("heuristic heuristic", "A and B are the same agent (heuristic)"),
        ("skilled heuristic", "A (skilled) and B (heuristic) are the same agent"),
        ("greedy greedy --line-ups alone --until ci=1pp", "A and B are the same agent (greedy)"),
    ] {
        let line = format!("compare on-the-road {agents} --out out --force");
        let said = flat(&place.done(&line));
        let first = format!("{first}: every difference is 0 by design.");
        assert!(said.starts_with(&first), "{said}");
        assert!(!said.contains("To see a smaller difference"), "{said}");
        let compare = records(&place.tables("out")["compare.csv"]);
        for row in &compare {
            let fixed = ["win_difference", "elo", "score_variance"].contains(&row[1].as_str());
            assert!(!fixed || row[2] == "0" && row[5..9] == ["", "", "", "fixed"], "{row:?}");
        }
    }
    let line = "compare on-the-road --rules-b metropolis.cost.wool=3 --matches 80";
    let said = flat(&place.done(line));
    let first = "A (base) and B (base) are the same rule set: every difference is 0 by design.";
    assert!(said.starts_with(first), "{said}");
    assert!(!said.contains("Narrower intervals"), "{said}");
}

#[test]
fn figures_of_one_run_agree() {
    let place = Place::new();
    place.done("compare base heuristic greedy --matches 120 --seed 2 --quiet --out out");
    let compare = records(&place.tables("out")["compare.csv"]);
    let row = |agent: &str, metric: &str| {
        let row = compare.iter().find(|row| row[0] == agent && row[1] == metric).expect("a row");
        let number = |at: usize| row[at].parse::<f64>().expect("a number");
        ([2, 6, 7].map(number), row[8].clone())
    };
    let ([d, lo, hi], _) = row("A - B", "win_difference");
    // Every match had a winner, so A's share is (1 + d)/2.
    for (agent, expected) in [("A", [d, lo, hi]), ("B", [-d, -hi, -lo])] {
        let (share, method) = row(agent, "win_share");
        assert_eq!(method, "transformed");
        for (share, d) in share.into_iter().zip(expected) {
            assert!((share - f64::midpoint(1.0, d)).abs() < 2e-6, "{compare:?}");
        }
    }
    // A score lies between -6 and 6; each match adds at most 1 to the variance.
    assert!(row("A - B", "score_variance").0[2] <= 36.0, "{compare:?}");
    assert!(row("A - B", "score_variance_unpaired").0[2] <= 6.0, "{compare:?}");
}

#[test]
fn agents_far_apart_are_told_apart_at_once() {
    let place = Place::new();
    for seed in 1..=5 {
        let line = format!("compare on-the-road heuristic greedy --seed {seed} --quiet --out out");
        place.done(&format!("{line} --force"));
        let blocks = place.manifest("out")["played"]["blocks"].as_u64().expect("a number");
        assert!(blocks <= 40, "{blocks} blocks at seed {seed}");
    }
}

#[test]
fn two_players_play_each_line_up_once() {
    let place = Place::new();
    for kind in ["even", "alone"] {
        let line = format!("compare on-the-road greedy builder --players 2 --line-ups {kind}");
        place.done(&format!("{line} --matches 64 --until ci=1pp --quiet --out out --force"));
        let manifest = place.manifest("out");
        let plan = manifest["plan"]["matches_of_a_block"].as_array().expect("matches");
        let seats: Vec<String> = plan.iter().map(|plan| plan["seats"].to_string()).collect();
        assert_eq!(seats, ["[1,0]", "[0,1]"]);
        assert_eq!(
            (&manifest["played"]["blocks"], &manifest["played"]["matches"]),
            (&32.into(), &64.into())
        );
    }
}

#[test]
fn agents_are_compared_until_the_interval_is_narrow() {
    let place = Place::new();
    let line = "compare on-the-road greedy builder --until ci=10pp";
    let said = described_and_same(&place, line, 2);
    assert!(said.contains("the interval of the difference is within ±10 pp"), "{said}");
    let question = &place.manifest("out")["question"];
    assert_eq!(question["until"], 0.1);
    let compare = records(&place.tables("out")["compare.csv"]);
    let row = compare.iter().find(|row| row[1] == "win_difference").expect("a row");
    let ends = [6, 7].map(|at| row[at].parse::<f64>().expect("a number"));
    assert!(ends[1] - ends[0] <= 0.2 + 1e-6, "{row:?}");
    let most = place.done(&format!("{line} --until ci=1pp --matches 120").replacen(
        "--until ci=10pp ",
        "",
        1,
    ));
    assert!(most.contains("narrow as asked."), "{most}");
}

#[test]
fn rule_sets_are_compared_on_common_luck() {
    let place = Place::new();
    let agents = "--agents builder,greedy,random --matches 300";
    let line = "compare on-the-road --rules-b metropolis.cost.wool=2 --rules-b points_to_win=6";
    let said = described_and_same(&place, &format!("{line} {agents}"), 3);
    assert!(said.contains("Agents: not tuned for the changed rules"), "{said}");
    let variants = &place.manifest("out")["variants"];
    assert_eq!(variants[0]["name"], "A: base");
    assert_eq!(variants[1]["name"], "B: metropolis.cost.wool=2 points_to_win=6");
    // The same from a file; a rule set against itself differs nowhere.
    place.write("b.toml", "points_to_win = 6\n[metropolis]\ncost = { wool = 2, ore = 1 }\n");
    place.done(&format!("compare on-the-road --rules-b b.toml {agents} --quiet --out file"));
    assert_eq!(place.tables("file"), place.tables("out"));
    place.done(&format!("compare on-the-road --rules-a side=a {agents} --quiet --out none"));
    let effects = records(&place.tables("none")["effects.csv"]);
    assert!(effects[1..].iter().all(|row| row[5] == "0" && row[11] == "fixed"), "{effects:?}");
}

#[test]
fn a_choice_is_forced_and_removed_at_each_level() {
    let place = Place::new();
    let said = described_and_same(&place, &format!("{BALANCE} --blocks 120"), 3);
    for word in ["option", "roads", "greedy", "builder"] {
        assert!(said.contains(word), "no `{word}` in\n{said}");
    }
    let choices = records(&place.tables("out")["choices.csv"]);
    for level in ["builder", "greedy"] {
        let effects = choices.iter().filter(|row| row[0] == level && row[2] == "effect");
        let sum: f64 = effects.map(|row| row[3].parse::<f64>().expect("a number")).sum();
        assert!(sum.abs() < 1e-5, "effects are about their mean: {sum}");
    }
}

#[test]
fn a_choice_under_unequal_prices_gets_no_forced_verdict_but_a_restricted_one() {
    let place = Place::new();
    let dear = BALANCE.replace(",greedy", "") + " --set metropolis.roads.extra.wool=1";
    place.done(&format!("{dear} --blocks 60 --quiet --out out"));
    let tables = place.tables("out");
    let choices = records(&tables["choices.csv"]);
    let effects: Vec<_> = choices.iter().filter(|row| row[2].starts_with("effect")).collect();
    assert_eq!(effects.len(), 8);
    for row in effects {
        assert!(row[12].starts_with("withheld: ") && row[12].ends_with(" % of positions closed"));
        assert_eq!(row[13..], ["", "", ""], "no verdict, no interval for it");
    }
    let verdicts = records(&tables["verdicts.csv"]);
    let of = |estimand: &str| {
        let rows = verdicts.iter().filter(|row| row[1] == estimand);
        rows.map(|row| row[14].clone()).collect::<Vec<String>>()
    };
    assert!(of("forced").iter().all(|verdict| verdict.starts_with("withheld")));
    let restricted = of("restricted");
    assert_eq!(restricted.len(), 2);
    assert!(restricted.iter().all(|verdict| !verdict.starts_with("withheld")));
}

#[test]
fn only_what_is_asked_for_is_played() {
    let place = Place::new();
    let one = BALANCE.replace(",greedy", "");
    for (estimands, matches, table) in [
        ("forced", 4, "choices.csv"),
        ("removed", 5, "effects.csv"),
        ("restricted", 16, "restricted.csv"),
    ] {
        let line = format!("{one} --blocks 30 --estimands {estimands} --force");
        described_and_same(&place, &line, 2);
        let plan = &place.manifest("out")["plan"]["matches_of_a_block"];
        assert_eq!(plan.as_array().expect("matches").len(), matches);
        let verdicts = records(&place.tables("out")["verdicts.csv"]);
        assert!(verdicts[1..].iter().all(|row| row[1] == estimands));
        assert!(place.tables("out").contains_key(table));
        let said = place.done(&format!("{one} --blocks 30 --estimands {estimands}"));
        let rows = said.lines().filter(|line| line.starts_with(' ') && line.contains(" pp "));
        assert_eq!(rows.count(), 4, "a row for each option\n{said}");
    }
    // One seat only may not build anything else, and everybody else may.
    let rules = &place.manifest("out")["variants"];
    assert_eq!(rules[1]["name"], "only roads, seat 1");
    let change = "metropolis.allowed=[\"roads\", \"any\", \"any\", \"any\"]";
    assert_eq!(rules[1]["changes"], serde_json::json!([change]));
}

#[test]
fn an_option_that_nobody_can_take_is_left_out_with_a_word() {
    let place = Place::new();
    let line = BALANCE.replace(",greedy", "");
    for field in [
        "metropolis.knights.face=out",
        "metropolis.allowed=[\"roads\",\"army\",\"route\",\"army\"]",
    ] {
        let said = place.done(&format!("{line} --set {field} --blocks 40 --out out --force"));
        let word = "Left out, since nobody can take it under this rule set: knights.";
        assert!(said.contains(word), "{said}");
        let question = &place.manifest("out")["question"];
        assert_eq!(question["dropped"], serde_json::json!(["knights"]));
        assert_eq!(question["options"], serde_json::json!(["roads", "army", "route"]));
        let choices = records(&place.tables("out")["choices.csv"]);
        let effects = choices.iter().filter(|row| row[2] == "effect");
        assert_eq!(effects.count(), 3);
    }
}

#[test]
fn forced_matches_are_replayed_with_the_forced_build() {
    let place = Place::new();
    place.done("balance on-the-road --choice metropolis --set side=b --levels builder --blocks 9 --out out --quiet");
    let mut forced = 0;
    for block in 0..9 {
        let mut before = None;
        for (number, option) in ["roads", "knights", "army", "route"].iter().enumerate() {
            let id = format!("{block}.{number}");
            let text = place.done(&format!("replay out {id}"));
            assert!(text.contains(&format!("match {id} of master seed 1")), "{text}");
            let Some(at) = text.find("build metropolis_") else { continue };
            let build = format!("build metropolis_{option}\n");
            assert!(text[at..].starts_with(&build), "{id}: {}", &text[at..at + 40]);
            forced += 1;
            // All that comes before the choice is the same.
            let head = text[..at].replace(&format!("match {id} "), "match ");
            assert_eq!(*before.get_or_insert(head.clone()), head, "{id}");
            let record = place.done(&format!("replay out {id} --format jsonl"));
            assert_eq!(place.call_with("replay --check -", &record).code, Some(0), "{id}");
        }
        // Without the army side, nobody builds it.
        assert!(!place.done(&format!("replay out {block}.7")).contains("metropolis_army"));
    }
    assert!(forced >= 16, "{forced} matches had the choice");
    place.refused("replay out 0.25", &["no match 25", "each has 25"]);
}

#[test]
fn fields_are_crossed_in_a_factorial_design() {
    let place = Place::new();
    let line = "balance on-the-road --factor metropolis.cost.wool=3,2 --factor robber.hand_limit=7,5 \
        --factor city.cost={ore=3,grain=2},{ore=2,grain=2} --levels builder --players 3 --blocks 80";
    let said = described_and_same(&place, line, 3);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("metropolis.cost.wool 2 minus 3, robber.hand_limit 5 minus 7"), "{said}");
    assert_eq!(place.manifest("out")["variants"].as_array().expect("variants").len(), 8);
    let factors = records(&place.tables("out")["factors.csv"]);
    for factor in
        ["city.cost", "metropolis.cost.wool x robber.hand_limit", "robber.hand_limit x city.cost"]
    {
        assert!(factors.iter().any(|row| row[1] == factor), "no `{factor}`");
    }
}

#[test]
fn a_study_stops_once_its_intervals_are_narrow() {
    let place = Place::new();
    let line = BALANCE.replace(",greedy", "");
    let said = described_and_same(&place, &format!("{line} --blocks 50k --until ci=6pp"), 3);
    assert!(said.contains("Stopped by itself: every interval is within ±6 pp"), "{said}");
    let choices = records(&place.tables("out")["choices.csv"]);
    for row in choices.iter().filter(|row| row[2] == "effect") {
        assert_eq!(row[9], "asymptotic_sequence", "{row:?}");
        assert_eq!((row[10].as_str(), row[11].as_str()), ("", ""), "no p-value of a watched run");
        let ends = [7, 8].map(|at| row[at].parse::<f64>().expect("a number"));
        assert!(ends[1] - ends[0] <= 0.12 + 1e-6, "{row:?}");
    }
    // The same width would play the same blocks, and stop again.
    let next = said.lines().find(|line| line.starts_with("  fairhaven ")).expect("a proposal");
    assert!(next.contains(" --blocks 50k ") && next.ends_with(" --until ci=3pp"), "{next}");
    let most = place.done(&format!("{line} --blocks 300 --until ci=1pp"));
    assert!(most.contains("narrow as asked."), "{most}");
}

#[test]
fn a_field_and_a_parameter_are_swept() {
    let place = Place::new();
    let line = "sweep on-the-road --field points_to_win --values 5..8 --agents builder --blocks 60";
    described_and_same(&place, line, 3);
    let names = place.manifest("out")["variants"].to_string();
    assert!(names.contains("points_to_win=5") && names.contains("points_to_win=8"), "{names}");
    let place = Place::new();
    let line = "sweep on-the-road --param haste --values 0..1/3 --agents heuristic,greedy,greedy \
        --blocks 12";
    let said = described_and_same(&place, line, 3);
    for name in ["haste=0.0", "haste=0.5", "haste=1.0"] {
        assert!(said.contains(name), "no `{name}` in\n{said}");
    }
    let manifest = place.manifest("out");
    assert_eq!(manifest["agents"].as_array().expect("agents").len(), 4, "three values and greedy");
    assert_eq!(manifest["plan"]["matches_of_a_block"].as_array().expect("matches").len(), 9);
}

/// The win rate of an agent under a variant, from a table with both columns.
fn win_rate(place: &Place, run: &str, table: &str, keys: &[(&str, &str)]) -> String {
    let rows = records(&place.tables(run)[table]);
    let at = |name: &str| rows[0].iter().position(|column| column == name).expect("a column");
    let keys = keys.iter().chain(&[("metric", "win_rate")]);
    let is_it = |row: &&Vec<String>| keys.clone().all(|(name, value)| row[at(name)] == *value);
    let found: Vec<&Vec<String>> = rows[1..].iter().filter(is_it).collect();
    assert_eq!(found.len(), 1, "one row of {table}");
    found[0][at("estimate")].clone()
}

#[test]
fn a_swept_agent_goes_by_its_own_name_and_its_value_by_the_variants() {
    let place = Place::new();
    let line = "sweep on-the-road --param haste --values 0,1 --agents \
        heuristic:knight_love=0,greedy,greedy,greedy --blocks 20";
    place.done(&format!("{line} --quiet --out out"));
    let agent = "heuristic:knight_love=0";
    for (name, bytes) in place.tables("out") {
        let rows = records(&bytes);
        let column = |name: &str| rows[0].iter().position(|column| column == name);
        for row in &rows[1..] {
            if let Some(level) = column("level") {
                assert_eq!(row[level], format!("{agent} / greedy"), "{name}");
            }
            if let Some(of) = column("of").filter(|&of| row[of].contains("heuristic")) {
                assert_eq!(row[of], agent, "{name}");
            }
        }
    }
    // The same matches, played for themselves, say which value a row is about.
    for value in ["haste=0", "haste=1"] {
        let line = format!("simulate on-the-road --agents {agent}:{value},greedy,greedy,greedy");
        place.done(&format!("{line} --matches 80 --quiet --out {value}"));
        let swept = [("variant", value), ("of", agent)];
        let alone = format!("{agent}:{value}");
        assert_eq!(
            win_rate(&place, "out", "variants.csv", &swept),
            win_rate(&place, value, "agents.csv", &[("agent", &alone)]),
            "{value}"
        );
    }
}

#[test]
fn chances_are_compared_with_who_wins() {
    const FOGGED: &str = "mcts:judgement=weights:fog=3";
    let place = Place::new();
    let line = "reliability on-the-road --judges heuristic,mcts:judgement=weights,mcts,mcts:judgement=weights:fog=3 --matches 300";
    let said = flat(&described_and_same(&place, line, 3));
    assert!(said.contains("predicts winners best"), "{said}");
    let judges = records(&place.tables("out")["judges.csv"]);
    // A search that judges leaves by the planner's weights says the same; by the net it does not.
    let same = judges
        .iter()
        .find(|row| row[..4] == ["mcts:judgement=weights", "heuristic", "", "log_loss_difference"]);
    assert_eq!(same.expect("a row")[4], "0");
    let net =
        judges.iter().find(|row| row[..4] == ["mcts", "heuristic", "", "log_loss_difference"]);
    assert!(net.expect("a row")[4].starts_with("-0."), "the net predicts winners better");
    let scores = records(&place.tables("out")["scores.csv"]);
    let of = |judge: &str, metric: &str| -> f64 {
        let row = scores.iter().find(|row| row[..3] == [judge, "", metric]).expect("a row");
        row[3].parse().expect("a number")
    };
    // Chances by a fog of 3 are those by a fog of 1 to the power of 1/3; the default is 1.
    let ratio = of(FOGGED, "exponent") / of("heuristic", "exponent");
    assert!((2.85..3.15).contains(&ratio), "{ratio}");
    let difference = of(FOGGED, "log_loss_fitted") - of("heuristic", "log_loss_fitted");
    assert!(difference.abs() < 1e-4, "{difference}");
    // One judge has nobody to be compared with; the matches are those of `simulate` with the same seed.
    place.done("reliability on-the-road --matches 40 --every 3 --seed 5 --quiet --out alone");
    assert!(!place.tables("alone").contains_key("judges.csv"));
    place.done("simulate on-the-road --matches 40 --seed 5 --rows csv --quiet --out rows");
    let [judged, played] =
        ["alone", "rows"].map(|run| place.manifest(run)["played"]["decisions"].clone());
    assert_eq!(judged, played);
}

#[test]
fn every_default_is_moved() {
    let place = Place::new();
    described_and_same(&place, "sensitivity on-the-road --agents builder --blocks 30", 3);
    let open = place.manifest("out")["variants"].as_array().expect("variants").len();
    let ranks = records(&place.tables("out")["sensitivity.csv"]);
    assert!(ranks[1..].iter().any(|row| row[0] == "1"), "one is the first");
    place.done("sensitivity on-the-road --all --agents builder --blocks 5 --quiet --out all");
    assert!(place.manifest("all")["variants"].as_array().expect("variants").len() > open);
}
