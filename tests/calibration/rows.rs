//! What the rows of `simulate` say of themselves: how many blocks they rest on, what is fixed, which intervals
//! are those of other rows.

use crate::tables::{Setting, base, on_the_road};
use fairhaven::lab::report::table::{Row, Table, number};
use fairhaven::sim::any_game::Playable;
use fairhaven::stats::jackknife::Method;

/// Each row with its table; a lift rests on two kinds of seats, which need not meet in a block.
fn rows(tables: &[Table]) -> impl Iterator<Item = (&'static str, &Row)> {
    let all = tables.iter().flat_map(|table| table.rows.iter().map(|row| (table.name, row)));
    all.filter(|(table, row)| !row.metric.starts_with("lift") && *table != "anomalies")
}

fn rests_on_blocks_that_show_it<G: Playable>(setting: &Setting<'_, G>) {
    let whole = setting.tables(5, 0..12);
    let single: Vec<Vec<Table>> =
        (0..12).map(|block| setting.tables(5, block..block + 1)).collect();
    for (table, row) in rows(&whole) {
        let same = |tables: &&Vec<Table>| {
            rows(tables).any(|(other, seen)| {
                (other, &seen.keys, seen.metric) == (table, &row.keys, row.metric) && seen.n > 0
            })
        };
        let seen = match row.metric {
            // A length's share is one of all matches, though the row is there only if it was seen.
            "share" | "alive_share" => 12,
            _ => single.iter().filter(same).count() as u64,
        };
        assert_eq!(row.blocks, seen, "{table} {:?} {}", row.keys, row.metric);
    }
}

#[test]
fn a_row_rests_on_the_blocks_that_hold_such_a_thing() {
    rests_on_blocks_that_show_it(&Setting {
        name: "",
        game: on_the_road(3),
        agents: &["builder", "random"],
        seats: &[0, 1, 1],
        reference: 0,
    });
    rests_on_blocks_that_show_it(&Setting {
        name: "",
        game: base(3),
        agents: &["greedy", "random"],
        seats: &[0, 0, 1],
        reference: 0,
    });
}

/// The numbers of a row as its file has them.
fn printed(row: &Row) -> Vec<f64> {
    let estimate = row.estimate.expect("an estimate");
    let (low, high) = estimate.interval.expect("an interval");
    let read = |value| number(Some(value)).parse().expect("a number");
    [estimate.value, low, high].map(read).to_vec()
}

#[test]
fn advantage_is_the_win_rate_less_an_even_share_to_the_last_digit() {
    let game = on_the_road(3);
    let setting = Setting {
        name: "",
        game,
        agents: &["builder", "drifter", "random"],
        seats: &[0, 1, 2],
        reference: 0,
    };
    for seed in 0..4 {
        let tables = setting.tables(seed, 0..31);
        let seats = tables.iter().find(|table| table.name == "seats").expect("of every run");
        for rate in seats.rows.iter().filter(|row| row.metric == "win_rate") {
            let keys: Vec<&str> = rate.keys.iter().map(String::as_str).collect();
            let advantage = seats.find(&keys, "advantage").expect("beside the win rate");
            let less = |rate: &f64| number(Some(rate - 1.0 / 3.0));
            let expected: Vec<String> = printed(rate).iter().map(less).collect();
            let found: Vec<String> =
                printed(advantage).iter().map(|&value| number(Some(value))).collect();
            assert_eq!(expected, found);
        }
    }
}

#[test]
fn what_the_design_fixes_has_no_interval_and_says_so() {
    let game = on_the_road(4);
    let setting = Setting { name: "", game, agents: &["builder"], seats: &[0; 4], reference: 0 };
    let tables = setting.tables(1, 0..40);
    let table = |name: &str| tables.iter().find(|table| table.name == name).expect("of every run");
    let fixed = |table: &Table, keys: &[&str], metric: &str| {
        let row = table.find(keys, metric).expect("a row");
        let estimate = row.estimate.expect("an estimate");
        assert_eq!((estimate.method, estimate.interval), (Method::Fixed, None), "{metric}");
        number(Some(estimate.value))
    };
    let agents = table("agents");
    assert_eq!(fixed(agents, &["builder"], "win_rate"), "0.25");
    assert_eq!(fixed(agents, &["builder"], "wins"), "40");
    assert_eq!(fixed(agents, &["builder"], "rank_mean"), "2.5");
    assert_eq!(fixed(table("tension"), &["1"], "alive_share"), "1");
    assert_eq!(fixed(table("tension"), &["1"], "lead_changed"), "0");
    let seat = table("seats").find(&["1", "builder"], "win_rate").and_then(|row| row.estimate);
    assert!(seat.expect("an estimate").interval.is_some(), "what a seat wins is not fixed");
}

#[test]
fn points_of_a_seat_that_hardly_loses_have_no_interval() {
    // Twelve blocks of one match in each seat: `builder` wins nearly all of them, `random` nearly none.
    let setting = Setting {
        name: "",
        game: on_the_road(3),
        agents: &["builder", "random"],
        seats: &[0, 1, 1],
        reference: 0,
    };
    let tables = setting.tables(5, 0..12);
    for table in tables.iter().filter(|table| ["agents", "seats"].contains(&table.name)) {
        for points in table.rows.iter().filter(|row| row.metric == "points_mean") {
            let keys: Vec<&str> = points.keys.iter().map(String::as_str).collect();
            let rate = table.find(&keys, "win_rate").and_then(|row| row.estimate);
            let won = rate.expect("beside the points").value * points.n as f64;
            let lost = (points.n as f64 - won).round();
            let estimate = points.estimate.expect("an estimate");
            assert_eq!(estimate.method == Method::TooFew, lost < 10.0, "{keys:?}: {lost} not won");
        }
    }
}
