//! `solve` where the price that makes options equal is known: a die that wins as often as the other one.

use crate::added_game::call;
use crate::closed_form;
use crate::toy::Rules;
use serde_json::Value;

/// Die b has this per cent; die a, which everybody but a restricted seat rolls, has 20.
fn rules(b: u8) -> Rules {
    Rules::of([20, b, 0, 0])
}

/// What a seat that may roll only the one die wins more often than one that may roll only the other.
fn spread(b: u8) -> f64 {
    let of = |lone: u8| {
        let share = |percent: u8| f64::from(percent) / 100.0;
        closed_form::lone(share(lone), share(20), 2, rules(b).turns_max)
    };
    (of(20) - of(b)).abs()
}

/// Cells of the rows of spreads: change, estimate, interval, verdict.
struct Finalist {
    b: u8,
    value: f64,
    interval: (f64, f64),
    verdict: String,
}

fn finalists(seed: u64, fields: &str, target: &str) -> (Vec<Finalist>, u8) {
    let said = call(&format!(
        "fairhaven solve dice-race --players 2 --set a=20 --set b=12 --set c=0 --set d=0 --choice die \
         --fields {fields} --target {target} --blocks 200 --finalists 2 --certify 10k --agent greedy \
         --seed {seed} --format json"
    ));
    let all: Value = serde_json::from_str(&said.text).expect("JSON");
    let rows = all["tables"]["finalists"].as_array().expect("a table");
    let rows = rows.iter().filter(|row| row["metric"] == "spread");
    let finalist = |row: &Value| {
        let change = row["change"].as_str().expect("a change");
        let number = |key: &str| row[key].as_f64().expect("a number");
        Finalist {
            b: change.strip_prefix("b=").map_or(12, |b| b.parse().expect("per cent")),
            value: number("estimate"),
            interval: (number("ci95_lo"), number("ci95_hi")),
            verdict: row["verdict"].as_str().expect("a verdict").to_owned(),
        }
    };
    (rows.map(finalist).collect(), said.code)
}

/// Of seven prices one makes the dice equal. It is found, and its interval, with those of the two others that are
/// certified, holds the differences that the closed form gives: at 95 %, all three together.
#[test]
fn a_planted_price_is_found() {
    let (mut found, mut held) = (0, 0);
    for seed in 0..100 {
        let (all, code) = finalists(seed, "b=14..26/7", "1.5pp");
        assert_eq!((all.len(), all[0].b), (3, 12), "the rule set as it is, and two more");
        let within = |of: &Finalist| {
            let due = spread(of.b);
            // An interval of a size begins at 0.
            (of.interval.0..=of.interval.1).contains(&due)
        };
        held += u32::from(all.iter().all(within));
        let below: Vec<u8> =
            all.iter().filter(|of| of.verdict == "below the target").map(|of| of.b).collect();
        found += u32::from(below == [20]);
        assert_eq!(code == 0, !below.is_empty(), "the exit code says whether there is one");
        let best = all.iter().min_by(|a, b| a.value.total_cmp(&b.value)).expect("finalists");
        assert!(best.b.abs_diff(20) <= 2, "{}", best.b);
    }
    assert!(held >= 90, "{held} of 100 hold all three");
    assert!(found >= 95, "{found} of 100 find it");
}

/// 19 and 21 per cent are the nearest of these, and both are off by more than half a point.
#[test]
fn where_no_price_is_good_enough_none_is_named() {
    assert!(spread(19) > 0.01 && spread(21) > 0.01);
    let (all, code) = finalists(1, "b=15..19", "0.5pp");
    assert!(all.iter().all(|of| of.verdict != "below the target"));
    assert_eq!(code, 1);
}

/// How far seat 1 is ahead of seat 2 where both roll a die of this per cent.
fn ahead(percent: u8) -> f64 {
    let success = f64::from(percent) / 100.0;
    let wins = closed_form::wins(&[success; 2], rules(0).turns_max);
    wins[0] - wins[1]
}

/// Of nine dice none evens the seats as closely as the target says, the best of them by nothing at all: whatever is
/// certified is wrong. The search picks what looks best; the certificate, on fresh deals, must not be taken in by that.
#[test]
fn what_evens_the_seats_is_seldom_certified_where_nothing_does() {
    let all = std::env::var("FAIRHAVEN_CASES").is_ok_and(|which| which == "all");
    let runs: u64 = if all { 1000 } else { 60 };
    let target = 100.0 * ahead(10);
    assert!((5.0..6.0).contains(&target) && ahead(11) > ahead(10), "{target}");
    let (mut wrong, mut held) = (0, 0);
    for seed in 0..runs {
        let said = call(&format!(
            "fairhaven solve dice-race --players 2 --set a=20 --set b=0 --set c=0 --set d=0 --agent greedy \
             --target seats<{target}pp --fields a=10..18 --blocks 200 --finalists 2 --certify 4k --seed {seed} \
             --format json"
        ));
        let all: Value = serde_json::from_str(&said.text).expect("JSON");
        let rows = all["tables"]["finalists"].as_array().expect("a table");
        let spreads = || rows.iter().filter(|row| row["metric"] == "spread");
        assert_eq!(spreads().count(), 3, "the rule set as it is, and two more");
        wrong += u32::from(spreads().any(|row| row["verdict"] == "below the target"));
        let within = |row: &Value| {
            let change = row["change"].as_str().expect("a change");
            let percent = change.strip_prefix("a=").map_or(20, |a| a.parse().expect("per cent"));
            let end = |key: &str| row[key].as_f64().expect("a number");
            (end("ci95_lo")..=end("ci95_hi")).contains(&ahead(percent))
        };
        held += u64::from(spreads().all(within));
    }
    let most = if all { 64 } else { 8 };
    assert!(wrong <= most, "{wrong} of {runs} runs certify what is not so");
    assert!(100 * held >= 92 * runs, "{held} of {runs} hold all three");
}
