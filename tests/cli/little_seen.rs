//! What a row rests on where only some blocks show what it compares.

use crate::support::{Place, records};

/// Where few matches have a winner, a difference of turns rests on the fewer ones of both sides.
#[test]
fn a_difference_of_turns_rests_on_the_matches_that_someone_won() {
    let place = Place::new();
    place.done(
        "compare on-the-road --rules-a turns_max=16 --rules-b turns_max=200 --agents greedy --matches 256 --quiet --out out",
    );
    let counts = |table: &str, level: &[&str]| -> [u64; 2] {
        let rows = records(&place.tables("out")[table]);
        let at = rows[0].iter().position(|name| name == "metric").expect("a metric");
        let is_it = |row: &&Vec<String>| {
            row[at] == "turns_mean" && level.iter().all(|of| row[..at].iter().any(|key| key == of))
        };
        let row = rows.iter().find(is_it).expect("a row");
        [at + 2, at + 3].map(|at| row[at].parse().expect("a count"))
    };
    let few = counts("variants.csv", &["A: turns_max=16"]);
    assert!(few[0] == few[1] && few[1] < 64, "{few:?}");
    assert_eq!(counts("effects.csv", &["rules"]), few);
}

/// With one factor, its effect is the difference of its two values: both tables say the same, and nothing of what is
/// rare.
#[test]
fn the_effect_of_one_factor_is_the_difference_of_its_values() {
    let place = Place::new();
    place.done(
        "balance two-player --factor points_to_win=8,10 --levels greedy --blocks 60 --quiet --out out",
    );
    let of = |table: &str| -> Vec<Vec<String>> {
        let rows = records(&place.tables("out")[table]);
        let cells = |name: &str| rows[0].iter().position(|own| own == name).expect("a column");
        let wanted = ["metric", "estimate", "se", "ci95_lo", "ci95_hi", "ci_method", "p_value"];
        let wanted = wanted.map(cells);
        rows[1..].iter().map(|row| wanted.map(|at| row[at].clone()).to_vec()).collect()
    };
    let factors = of("factors.csv");
    assert_eq!(factors, of("effects.csv"));
    let rare = factors.iter().find(|row| row[0] == "no_winner_share").expect("a row");
    assert_eq!(rare[5], "too_few");
}
