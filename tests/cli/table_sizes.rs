//! `sweep --players`: tables of several sizes, compared as far as they can be.

use crate::support::{Place, records};

/// The games that take several numbers of players, and two of them.
const GAMES: [(&str, [f64; 2]); 4] = [
    ("on-the-road", [3.0, 4.0]),
    ("struggle", [2.0, 4.0]),
    ("base", [4.0, 3.0]),
    ("boats", [3.0, 4.0]),
];

#[test]
fn tables_of_several_sizes_are_compared_as_wholes() {
    let place = Place::new();
    for (game, [one, other]) in GAMES {
        let line = format!("sweep {game} --players {one},{other} --agents greedy --blocks 40");
        let text = place.done(&format!("{line} --out out --force"));
        let said = text.split_whitespace().collect::<Vec<&str>>().join(" ");
        assert!(said.starts_with(&format!("Against {one} players: ")), "{said}");
        assert!(said.contains("Seats are not, and their differences are empty"), "{said}");
        assert!(
            said.contains(&format!("Played {game}, {one} and {other} players: 80 matches")),
            "{said}"
        );
        let tables = place.tables("out");
        let [variants, effects] =
            ["variants.csv", "effects.csv"].map(|name| records(&tables[name]));
        let value = |rows: &[Vec<String>], size: f64, of: &str, metric: &str| -> Option<f64> {
            let name = format!("players={size}");
            let row = rows.iter().find(|row| {
                let at = |name: &str| {
                    rows[0].iter().position(|column| column == name).expect("a column")
                };
                row[at("variant")] == name && row[at("of")] == of && row[at("metric")] == metric
            });
            let estimate =
                rows[0].iter().position(|column| column == "estimate").expect("a column");
            row.unwrap_or_else(|| panic!("{game}: no {metric} of {name} {of}"))[estimate]
                .parse()
                .ok()
        };
        for size in [one, other] {
            let [turns, rounds] = ["turns_mean", "rounds_mean"]
                .map(|metric| value(&variants, size, "", metric).expect("a mean"));
            assert!((turns / size - rounds).abs() < 2e-6, "{game}, {size}: {turns} {rounds}");
            let seats = [1.0, 2.0, 3.0, 4.0].into_iter().filter(|seat| *seat <= one.max(other));
            let rates: Vec<Option<f64>> = seats
                .map(|seat| value(&variants, size, &format!("seat {seat}"), "win_rate"))
                .collect();
            let seated = rates.iter().flatten().count() as f64;
            assert!(
                (seated - size).abs() < 0.5,
                "{game}: who doesn't sit there wins nothing: {rates:?}"
            );
            let none = value(&variants, size, "", "no_winner_share").expect("a share");
            let all: f64 = rates.iter().flatten().sum::<f64>() + none;
            assert!((all - 1.0).abs() < 1e-5, "{game}, {size}: {all}");
        }
        // A size alone plays the same matches.
        let alone = format!("simulate {game} --players {other} --agents greedy --matches 40");
        place.done(&format!("{alone} --out alone --force --quiet"));
        let length = records(&place.tables("alone")["length.csv"]);
        let mean = length.iter().find(|row| row[0] == "turns" && row[2] == "mean");
        let turns: f64 = mean.expect("a row")[3].parse().expect("a mean");
        let same = value(&variants, other, "", "turns_mean").expect("a mean");
        assert!((turns - same).abs() < 1e-6, "{game}: {turns} {same}");
        for metric in ["turns_mean", "rounds_mean", "points_mean"] {
            let [a, b] =
                [one, other].map(|size| value(&variants, size, "", metric).expect("a mean"));
            let effect = value(&effects, other, "", metric).expect("a difference");
            assert!((effect - (b - a)).abs() < 3e-6, "{game}: {metric}: {effect} {a} {b}");
        }
        assert_eq!(value(&effects, other, "seat 1", "win_rate"), None, "{game}");
        place.done("verify out");
        place.done("replay out 0.1");
        place.done("report out -o page.html --force");
        assert!(place.read("page.html").contains("Rounds of a match under each value"));
        place.done(&format!("{line} --threads 1 --out again --force --quiet"));
        place.same("out", "again");
    }
}

#[test]
fn what_can_be_no_table_is_refused() {
    let place = Place::new();
    for (rest, part) in [
        ("base --players 3,9", "9"),
        ("base --players 3,x", "`x` is no number of players"),
        ("base --players 3,3", "the value 3 twice"),
        ("two-player --players 2,3", "3"),
        ("base --players 3,4 --agents greedy,random", "one agent fills all seats"),
        // The default of four players is another one.
        ("struggle --players 4,5 --agents heuristic:guild=2.5", "is what it would be anyway"),
        ("base --players 3,4 --field points_to_win --values 4,5", "leave out --field"),
        ("base --players 3", "--players such as 3,4"),
        ("base --field points_to_win", "--values"),
    ] {
        place.refused(&format!("sweep {rest}"), &[part]);
    }
    // Nobody else's variants may seat other players.
    place.done(
        "compare base --rules-b points_to_win=4 --agents random --matches 8 --out out --quiet",
    );
    place.alter("out", "/variants/1/changes", serde_json::json!(["players=3"]));
    place.refused("analyze out", &["tables of one size"]);
}
