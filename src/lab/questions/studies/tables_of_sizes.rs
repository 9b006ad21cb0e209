//! The answer of a sweep over table sizes: matches are compared as wholes. Seats are not, since an even share of a larger
//! table is smaller: their differences are empty, and each size has its own seats beside an even share.

use crate::lab::questions::studies::changes::{clearest, finish, rows};
use crate::lab::questions::studies::joint::joint_cell;
use crate::lab::questions::studies::study::Study;
use crate::lab::report::answer::{Answer, ROWS_MAX, Sentence, Tone, header, measured, strength};
use crate::lab::report::described::{DIFFERENCES, ROUNDS, TURNS};
use crate::lab::report::figures::{self, cell, with_interval};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::{Unit, unit};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::lab::setup::rules::players_of;
use crate::stats::jackknife::Estimate;

/// The answer.
pub fn answer(study: &dyn Study, manifest: &Manifest, tables: &[Table]) -> Answer {
    let sizes: Vec<(&str, u8)> = manifest
        .variants
        .iter()
        .filter_map(|variant| Some((variant.name.as_str(), players_of(&variant.changes).ok()?.0?)))
        .collect();
    let players = |name: &str| sizes.iter().find(|size| size.0 == name).map_or(0, |size| size.1);
    let mut effects: Vec<&Row> =
        rows(tables, "effects").iter().filter(|row| row.estimate.is_some()).collect();
    effects.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let named = |row: &Row, family: usize| {
        let by = joint_cell(row, unit(&DIFFERENCES, row.metric), family);
        let measure = measured(row.metric, &row.keys[3]);
        format!("{} players: {measure} {by}", players(&row.keys[2]))
    };
    let base = sizes.first().map_or(0, |size| size.1);
    let first = clearest(&format!("Against {base} players"), &effects, named);
    let mut answer = finish(study, manifest, first, grid(tables, &sizes));
    let even = |size: &(&str, u8)| {
        format!("{} % of {}", figures::fixed(100.0 / f64::from(size.1), 1), size.1)
    };
    let even: Vec<String> = sizes.iter().map(even).collect();
    let text = format!(
        "Compared are whole matches: turns, rounds, points of a seat, lead changes, comebacks, matches without a winner. \
         Seats are not, and their differences are empty, since an even share is another at each table: {}.",
        even.join(", ")
    );
    answer.sentences.push(Sentence::new(Tone::Plain, text));
    answer
}

/// The sizes, each with how long its matches are, and what its first seat wins above an even share.
fn grid(tables: &[Table], sizes: &[(&str, u8)]) -> Grid {
    let variants = rows(tables, "variants");
    let cells = |&(name, players): &(&str, u8)| {
        let find = |metric: &str, of: &str| {
            let mut of_size = variants.iter().filter(|row| row.keys[1] == name);
            of_size.find(|row| row.metric == metric && row.keys[2] == of)
        };
        let seat = find("win_rate", "seat 1").and_then(|row| row.estimate);
        let even = 1.0 / f64::from(players.max(1));
        let above = seat.map(|rate: Estimate| rate.scaled(1.0, -even));
        vec![
            players.to_string(),
            cell(find(TURNS, ""), Unit::Mean),
            cell(find(ROUNDS, ""), Unit::Mean),
            with_interval(above.as_ref(), Unit::Difference),
        ]
    };
    let words = ["players", "players' turns (95 %)", "rounds (95 %)", "seat 1, above even"];
    let rows = sizes.iter().take(ROWS_MAX).map(cells).collect();
    Grid { title: "Players".to_owned(), header: header(&words), rows }
}
