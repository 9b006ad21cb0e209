//! Wherever turns are a figure of a result, the same stands in rounds beside it: in every table of every study, in all
//! five games, at tables of every kind.

use crate::support::{Place, some};
use serde_json::Value;

/// The games, each with a number of players and a field that can be changed.
const GAMES: [(&str, f64, &str); 6] = [
    ("on-the-road", 4.0, "points_to_win=7,5"),
    ("struggle", 3.0, "points_to_win=10,8"),
    ("base", 4.0, "points_to_win=10,6"),
    // Paired players: their turns are none of their own.
    ("base --set extension.after_turn=paired", 5.0, "points_to_win=10,6"),
    ("two-player", 2.0, "points_to_win=10,6"),
    ("boats", 3.0, "points_to_win=12,8"),
];

/// The choices that can be forced or restricted.
const CHOICES: [&str; 3] = [
    "on-the-road --choice metropolis --set side=b",
    "struggle --choice expansion",
    "boats --choice helper --set helpers=chosen --set points_to_win=8",
];

/// The name of a row of turns, and that of the row of rounds beside it.
fn beside(table: &str, row: &Value) -> Option<(String, Value)> {
    let metric = row["metric"].as_str().expect("a metric");
    let mut other = row.clone();
    let name = match (table, metric) {
        ("length", _) if row["measure"] == "turns" && row["value"].is_null() => {
            other["measure"] = "rounds".into();
            metric
        }
        ("sensitivity", "effect") if row["measure"] == "turns_mean" => "effect_rounds",
        (_, "turns_mean") => "rounds_mean",
        (_, "turn_mean") => "round_mean",
        _ => return None,
    };
    Some((name.to_owned(), other))
}

/// Columns of an estimate, which differ between two rows of a table.
const NUMBERS: [&str; 4] = ["estimate", "se", "ci95_lo", "ci95_hi"];

/// Checks that each figure of turns is one of rounds, too, and returns how many there were.
fn check(line: &str, tables: &Value, players: f64) -> usize {
    let mut seen = 0;
    for (table, rows) in tables.as_object().expect("tables") {
        let rows = rows.as_array().expect("rows");
        for row in rows {
            let Some((metric, wanted)) = beside(table, row) else { continue };
            let same = |other: &&Value| {
                let object = other.as_object().expect("a row");
                other["metric"] == metric.as_str()
                    && object.iter().all(|(name, cell)| {
                        let free = NUMBERS.contains(&name.as_str()) || name == "metric";
                        let adjusted = table == "sensitivity" && name.starts_with("p_");
                        free || adjusted || *cell == wanted[name]
                    })
            };
            let rounds = rows.iter().find(same);
            let rounds = rounds.unwrap_or_else(|| panic!("{line}: {table}: none beside {row}"));
            for number in NUMBERS {
                let [turns, rounds] = [row, rounds].map(|row| row[number].as_f64());
                let close = |turns: f64, rounds: f64| (turns / players - rounds).abs() < 2e-6;
                let fits = turns.zip(rounds).is_some_and(|(turns, rounds)| close(turns, rounds));
                assert!(
                    fits || (turns, rounds) == (None, None),
                    "{line}: {table}: {number}: {row}"
                );
            }
            seen += 1;
        }
    }
    seen
}

/// The commands whose tables have turns.
fn commands() -> Vec<(String, f64)> {
    let mut all = Vec::new();
    for (game, players, field) in GAMES {
        let (name, values) = field.split_once('=').expect("a field");
        let (_, low) = values.split_once(',').expect("two values");
        for (command, rest) in [
            ("simulate", "--agents greedy --matches 40".to_owned()),
            ("compare", format!("--rules-b {name}={low} --agents greedy --matches 60")),
            ("balance", format!("--factor {field} --levels greedy --blocks 30")),
            ("sweep", format!("--field {name} --values {values} --agents greedy --blocks 30")),
        ] {
            all.push((format!("{command} {game} --players {players} {rest}"), players));
        }
    }
    for choice in CHOICES {
        all.push((format!("balance {choice} --levels greedy --blocks 6 --players 4"), 4.0));
    }
    all.push(("sensitivity on-the-road --agents greedy --blocks 40".to_owned(), 4.0));
    all
}

#[test]
fn rounds_stand_beside_turns_in_every_table() {
    let place = Place::new();
    for (line, players) in some(&commands()) {
        let json = place.done(&format!("{line} --format json"));
        let value: Value = serde_json::from_str(&json).expect("JSON");
        assert!(check(&line, &value["tables"], players) > 0, "{line}: no turns at all");
    }
}

#[test]
fn an_answer_in_turns_says_whose_and_how_many_rounds() {
    let place = Place::new();
    let (mut said, asked) = (0, some(&commands()));
    for (line, _) in &asked {
        let text = place.done(line).replace('\n', " ");
        let whose = ["turns of single players", "players' turns", "take "];
        let turns = text.matches(" turns").count();
        let known: usize = whose.iter().map(|words| text.matches(words).count()).sum();
        said += usize::from(turns > 0);
        assert!(turns <= known && (turns == 0 || text.contains(" rounds")), "{line}: {text}");
    }
    assert!(7 * said >= 3 * asked.len(), "{said} of {} answers have turns", asked.len());
}

#[test]
fn thresholds_and_pages_know_rounds() {
    let place = Place::new();
    let line = "simulate base --agents greedy --matches 40 --out out";
    let most =
        "--require length[measure=rounds].mean<1000 --require cards[card=city].round_mean.max<1000";
    assert!(place.done(&format!("{line} {most}")).contains("holds: length[measure=rounds].mean"));
    place.done("report out -o page.html");
    let page = place.read("page.html");
    assert!(page.contains("turns of single players; 4 are a round"), "{page}");
    let line = "sweep base --agents greedy --field points_to_win --values 4,6 --blocks 30";
    place.done(&format!("{line} --require effects.rounds_mean.min>0"));
    // Rounds are no comparison of their own: p-values are adjusted for what was compared.
    let said = place.done(line).replace('\n', " ");
    assert!(said.contains(" of 9 differences"), "{said}");
}
