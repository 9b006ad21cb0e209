//! A difference of two groups rests on the smaller one: its `n` and `n_blocks` are those of that side, and it is no
//! surer than so few allow. In all games, with agents of which one nearly always takes what others seldom take.

use crate::support::{Place, records};
use std::collections::BTreeMap;

/// The wins and losses of so few say no more than this, from all lost to the upper end of Wilson's interval.
fn least_width(n: f64) -> f64 {
    let zz = 1.96 * 1.96;
    0.9 * zz / (n + zz)
}

#[test]
fn a_lift_is_no_surer_than_its_smaller_side() {
    let mut few = 0;
    for (game, agents, matches) in [
        ("on-the-road", "greedy,random,random", 300),
        ("struggle", "greedy,random,random", 300),
        ("base", "greedy,random,random", 90),
        ("two-player", "greedy,random", 40),
        ("boats", "greedy,random,random", 30),
    ] {
        let place = Place::new();
        place.done(&format!(
            "simulate {game} --agents {agents} --matches {matches} --seed 310084 --out run --quiet"
        ));
        let rows = records(place.read("run/cards.csv").as_bytes());
        let at = |name: &str| rows[0].iter().position(|column| column == name).expect("a column");
        let [agent, card, metric] = ["agent", "card", "metric"].map(at);
        let [n, blocks, lo, hi] = ["n", "n_blocks", "ci95_lo", "ci95_hi"].map(at);
        let number = |cell: &String| cell.parse::<f64>().ok();
        let mut by: BTreeMap<(String, String), BTreeMap<String, &Vec<String>>> = BTreeMap::new();
        for row in &rows[1..] {
            let of = by.entry((row[agent].clone(), row[card].clone())).or_default();
            of.insert(row[metric].clone(), row);
        }
        for (key, metrics) in by {
            let count = |metric: &str| number(&metrics[metric][n]).expect("a count");
            let all = count("held_share");
            for (lift, with) in [("lift", "win_rate_with"), ("lift_held", "win_rate_held")] {
                let row = metrics[lift];
                let fewer = count(with).min(all - count(with));
                let what = format!("{game}, {key:?}, {lift}: n {}, of {fewer}", row[n]);
                assert!(number(&row[blocks]).is_some_and(|blocks| blocks <= fewer), "{what}");
                let Some((lo, hi)) = number(&row[lo]).zip(number(&row[hi])) else { continue };
                let width = least_width(fewer);
                assert!(hi - lo >= width, "{what}: {lo} to {hi} is not {width} wide");
                few += usize::from(fewer < 20.0);
            }
        }
    }
    assert!(few > 20, "{few} lifts with a small side");
}
