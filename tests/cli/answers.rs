//! What stands on standard output when a run ends: the answer first, on a screen of 80 columns, or the
//! tables for other programs.

use crate::support::{Place, records, some};
use fairhaven::registry::Games;
use serde_json::Value;

/// A command of each kind that plays, and how its answer starts.
const COMMANDS: [(&str, &str); 16] = [
    ("simulate on-the-road --agents builder --matches 2k", "No seat is shown to win"),
    ("simulate on-the-road --agents builder,drifter --matches 400", "builder wins most: "),
    (
        "compare on-the-road builder drifter --matches 4k",
        "A (builder) is stronger than B (drifter) by ",
    ),
    (
        "compare on-the-road --rules-b points_to_win=4 --agents builder --matches 400",
        "B (points_to_win=4) against A (base): ",
    ),
    (
        "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 100",
        "Still open is whether more than 1 match in 100 depends on ",
    ),
    (
        "balance on-the-road --factor points_to_win=7,4 --factor robber.hand_limit=7,5 --levels builder \
         --blocks 60",
        "",
    ),
    (
        "sweep on-the-road --field points_to_win --values 4..6 --agents builder --blocks 60",
        "Against points_to_win=4: ",
    ),
    ("sensitivity on-the-road --agents builder --blocks 40", "Defaults moved by a step: "),
    // Wide names of changes: the rows take more lines than a screen has.
    ("sensitivity struggle --agents greedy --blocks 20", "Defaults moved by a step: "),
    ("luck on-the-road --agents builder --blocks 40", "What explains who wins: the seat "),
    (
        "luck on-the-road --agents builder,random,random,random --blocks 40",
        "What explains who wins: skill ",
    ),
    ("reliability on-the-road --matches 200", "heuristic is overconfident by "),
    (
        "reliability base --agents greedy,random,random --players 3 --matches 60",
        "Too few wins of seats with a low chance were seen to tell",
    ),
    ("reliability on-the-road --judges mcts,mcts:fog=3 --matches 100", "mcts is "),
    (
        "diagnose on-the-road --set city.cost.grain=1 --set city.cost.ore=1 --blocks 300",
        "3 of 36 figures stand out, above all that buyers of city gain more than its",
    ),
    (
        "tournament on-the-road builder drifter random --players 3 --blocks 100",
        "builder is the strongest: ",
    ),
];

#[test]
fn a_block_says_nothing_and_the_answer_says_so() {
    let place = Place::new();
    for game in Games::standard().iter() {
        let game = game.facts().name;
        let said = place.done(&format!("luck {game} --agents greedy --blocks 1"));
        assert!(said.starts_with("These blocks are too few to tell what explains"), "{said}");
        let said = place.done(&format!("diagnose {game} --levels random,greedy --blocks 1"));
        assert!(said.starts_with("So few blocks say nothing of any of the "), "{said}");
    }
}

/// Where all matches end at the limit of turns, no seat is behind another.
#[test]
fn where_nobody_wins_the_answer_says_so() {
    let place = Place::new();
    for game in Games::standard().iter() {
        let game = game.facts().name;
        let said = place.done(&format!("simulate {game} --set turns_max=1 --matches 8"));
        assert!(said.starts_with("Nobody has won a match.\n"), "{said}");
        assert!(said.contains("Nine of ten matches take 1 to 1 turns"), "{said}");
    }
}

#[test]
fn the_answer_comes_first_and_fits_a_screen() {
    let place = Place::new();
    for (line, first) in some(&COMMANDS) {
        let said = place.done(line);
        assert!(said.starts_with(first), "{line}\n{said}");
        assert!(!said.contains('\u{1b}'), "colour in a pipe: {line}");
        assert!(said.lines().count() <= 30, "{line}\n{said}");
        let commands = |text: &&str| !text.starts_with("  fairhaven ");
        for text in said.lines().filter(commands) {
            assert!(text.chars().count() <= 80, "{line}\n{text}");
        }
        let full = place.done(&format!("{line} --full"));
        assert!(full.starts_with(first) && full.lines().count() > said.lines().count(), "{full}");
        assert!(full.contains("nomalies\n\n"), "all tables\n{full}");
    }
}

/// The commands that an answer proposes are commands.
#[test]
fn what_an_answer_proposes_can_be_typed() {
    let place = Place::new();
    let said = place.done("simulate on-the-road --agents builder --matches 500 --out out");
    let next = said.lines().find_map(|line| line.strip_prefix("  fairhaven ")).expect("a proposal");
    assert_eq!(next, "simulate on-the-road --agents builder --matches 2k");
    let four_times = place.done(next);
    assert!(four_times.contains("2,000 matches in 2,000 blocks"), "{four_times}");
    let full = said.lines().find_map(|line| line.strip_prefix("All tables: fairhaven "));
    assert_eq!(full, Some("analyze out --full"));
    assert!(place.done("analyze out --full").contains("\nCards"));
}

#[test]
fn the_numbers_of_an_answer_are_those_of_the_tables() {
    let place = Place::new();
    let said = place.done("compare on-the-road builder drifter --matches 4k --out out");
    let compare = records(&place.tables("out")["compare.csv"]);
    let row = compare.iter().find(|row| row[1] == "win_difference").expect("a row");
    let points = |at: usize| {
        let share: f64 = row[at].parse().expect("a number");
        format!("{:.1}", 100.0 * share)
    };
    let words = format!("by {} pp ({} to {})", points(2), points(6), points(7));
    assert!(said.replace('\n', " ").contains(&words), "{words}\n{said}");
}

#[test]
fn json_and_csv_on_standard_output_hold_the_rows_of_the_files() {
    let place = Place::new();
    // Another slice than that of the answers.
    let mut commands = COMMANDS;
    commands.rotate_left(1);
    for (line, _) in some(&commands) {
        let json = place.done(&format!("{line} --format json --force --out out"));
        let csv = place.done(&format!("{line} --format csv --threads 1"));
        assert_eq!(json, place.done(&format!("{line} --format json --threads 1")), "{line}");
        let value: Value = serde_json::from_str(&json).expect("JSON");
        assert!(value["answer"][0].is_string() && value["seed"] == 1, "{line}");
        let rows = records(csv.as_bytes());
        assert_eq!(rows[0][0], "table");
        let mut seen = 1;
        for (file, bytes) in place.tables("out") {
            let name = file.strip_suffix(".csv").expect("a table");
            let records = records(&bytes);
            let (header, records) = records.split_first().expect("a header");
            let objects = value["tables"][name].as_array().expect("a table");
            assert_eq!(objects.len(), records.len(), "{name}");
            let of_csv = rows.iter().filter(|row| row[0] == name);
            for ((record, object), row) in records.iter().zip(objects).zip(of_csv) {
                seen += 1;
                for (column, cell) in header.iter().zip(record) {
                    let at = rows[0].iter().position(|other| other == column).expect("a column");
                    assert_eq!(row[at], *cell, "{name}: {column}");
                    let text = match &object[column] {
                        Value::Null => String::new(),
                        Value::String(text) => text.clone(),
                        number => number.as_f64().expect("a number").to_string(),
                    };
                    let same =
                        text == *cell || text.parse::<f64>().ok() == cell.parse::<f64>().ok();
                    assert!(same, "{name}: {column}: {text} {cell}");
                }
            }
        }
        assert_eq!(seen, rows.len(), "{line}: every row of the files, and no other");
    }
}

#[test]
fn thresholds_and_other_commands_speak_the_same_forms() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder --matches 100 --format json";
    let done = place.call(&format!("{line} --out out --require agents.wins.max<1"));
    let value: Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!((done.code, &value["thresholds"][0]["holds"]), (Some(1), &Value::Bool(false)));
    let again = place.done("analyze out --format json --require agents.wins.max>1");
    let again: Value = serde_json::from_str(&again).expect("JSON");
    assert_eq!(again["tables"], value["tables"]);
    // A count that is rounded up is no data.
    let line = "simulate on-the-road --agents builder,drifter --matches 101";
    assert!(place.done(line).contains("Rounded up"));
    assert!(!place.done(&format!("{line} --format csv")).contains("Rounded up"));
    let markdown = place.done(&format!("{line} --format markdown"));
    assert!(markdown.contains("| agent") && !markdown.contains('\u{1b}'), "{markdown}");
}

/// `balance` says in one sentence, in matches of a hundred, what its verdicts say, and means its words once.
#[test]
fn balance_says_what_can_be_repeated_at_a_table() {
    let place = Place::new();
    let line = "balance on-the-road --choice metropolis --set side=b --estimands forced --blocks 1k \
                --levels heuristic";
    let text = place.done(&format!("{line} --out out"));
    let said = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let choices = records(&place.tables("out")["choices.csv"]);
    let at = |column: &str| choices[0].iter().position(|name| name == column).expect("a column");
    let of = |option: &str| {
        choices.iter().find(|row| row[1] == option && row[2] == "effect").expect("a row")
    };
    let points = |row: &[String], column: &str, sign: f64| {
        let share: f64 = row[at(column)].parse().expect("a number");
        format!("{:.1}", 100.0 * sign * share)
    };
    let roads = of("roads");
    let [more, lo, hi] =
        ["estimate", "verdict_lo", "verdict_hi"].map(|column| points(roads, column, 1.0));
    let knights = of("knights");
    let [fewer, hi2, lo2] =
        ["estimate", "verdict_lo", "verdict_hi"].map(|column| points(knights, column, -1.0));
    let sentence = format!(
        "Whoever is first to take a metropolis wins {more} matches in 100 more with roads ({lo} to {hi}) than with the \
         average one, {fewer} fewer with knights ({lo2} to {hi2}) (army and route are open). "
    );
    assert!(said.starts_with(&sentence), "{sentence}\n{said}");
    assert_eq!(said.matches("percentage point").count(), 1, "{said}");
    assert!(said.contains("Win rate: the share of matches that are won."), "{said}");
    let whole = "balance on-the-road --choice metropolis --set side=b --blocks 200";
    let whole = place.done(&format!("{whole} --levels heuristic"));
    let factors = "--factor points_to_win=7,4 --factor robber.hand_limit=7,5 --levels builder";
    let factors = place.done(&format!("balance on-the-road {factors} --blocks 60"));
    place.done("report out -o page.html");
    let page = place.read("page.html");
    for text in [&text, &whole, &factors, &page] {
        for word in ["balanced", "ndecided", "outside"] {
            assert!(!text.contains(word), "`{word}` in\n{text}");
        }
    }
    assert!(page.contains("matches in 100 more with roads"), "{page}");
}
