//! What of a run is shown: which pictures, and how many rows of which tables.

use crate::lab::page::facts::Fact;
use crate::lab::pictures::curve::Place;
use crate::lab::pictures::points::Point;
use crate::lab::pictures::svg::{Mark, Words};
use crate::lab::report::answer::table;
use crate::lab::report::described::TableSchema;
use crate::lab::report::figures::{self, grouped};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::Unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::lab::run::Finished;
use crate::stats::jackknife::{Estimate, Method};
use serde::Serialize;

/// The most rows of a table on a page with one run, and the least on one with many.
const ROWS_MAX: usize = 60;
const ROWS_MIN: usize = 12;
/// The rows of all runs together: with their cells cut, they fill less than a page may have.
const ROWS_ALL: usize = 120;

/// A run whose pictures are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<'a> {
    /// What was played.
    pub manifest: &'a Manifest,
    /// What came of it.
    pub tables: &'a [Table],
}

impl<'a> Drawn<'a> {
    /// The rows of a table with a metric; none if there is no such table.
    pub fn rows(
        &self,
        name: &str,
        metric: &'static str,
    ) -> impl Iterator<Item = &'a Row> + use<'a> {
        self.all(name).filter(move |row| row.metric == metric)
    }

    /// All rows of a table with an estimate; none if there is no such table.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &'a Row> + use<'a> {
        let rows = table(self.tables, name).map_or(&[][..], |table| &table.rows);
        rows.iter().filter(|row| row.estimate.is_some())
    }

    /// A number among the settings of the question.
    pub fn setting(&self, name: &str) -> Option<f64> {
        self.manifest.question.settings.get(name)?.as_f64()
    }

    /// Each seat's part if all were alike.
    pub fn even_share(&self) -> f64 {
        1.0 / f64::from(self.manifest.players)
    }
}

/// Name, title and caption of a picture.
pub fn words(name: &str, title: &str, caption: &str) -> Words {
    let [name, title, caption] = [name, title, caption].map(str::to_owned);
    Words { name, title, about: String::new(), caption }
}

/// The estimate of a row, if it can be drawn: a number that rests on too few blocks for an interval is in the table, which
/// says so, and would look in a picture as sure as any other.
pub fn known(row: &Row) -> Option<Estimate> {
    row.estimate.filter(|found| found.value.is_finite() && found.method != Method::TooFew)
}

/// A row as a point, if it has a number. Of too few blocks, it has its words and no shape.
pub fn point(label: String, row: &Row, unit: Unit) -> Option<Point> {
    let estimate = row.estimate.filter(|estimate| estimate.value.is_finite())?;
    Some(Point {
        label,
        value: estimate.value,
        ends: figures::interval(&estimate, unit),
        outer: None,
        text: figures::cell(Some(row), unit),
        mark: known(row).map(|_| Mark::Dot),
        target: None,
    })
}

/// A row as a point of a curve, if it can be drawn.
pub fn place(x: f64, row: &Row, unit: Unit) -> Option<Place> {
    let estimate = known(row)?;
    Some((x, estimate.value, figures::interval(&estimate, unit)))
}

/// A table on a page.
#[derive(Debug, Serialize)]
pub struct TableShown {
    title: String,
    cut: String,
    header: Vec<String>,
    /// Whether a column has words alone.
    words: Vec<bool>,
    rows: Vec<Vec<String>>,
    meanings: Vec<Fact>,
}

/// How much of each table is shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    rows: usize,
}

impl Shown {
    /// For a page with so many runs.
    pub fn of(runs: usize) -> Shown {
        Shown { rows: (ROWS_ALL / runs.max(1)).clamp(ROWS_MIN, ROWS_MAX) }
    }

    /// The table of the answer, and those that `analyze --full` prints.
    pub fn tables(self, run: &Finished, answer: Grid) -> Vec<TableShown> {
        let Finished { asked, game, tables, .. } = run;
        let names = game.game_type().facts().names;
        let described = asked.described();
        let mut shown = vec![self.table(Grid { title: "The answer".to_owned(), ..answer }, None)];
        for grid in asked.grids(&names, tables) {
            let name = grid.title.split([' ', '(']).next().unwrap_or_default().to_lowercase();
            let about = described.iter().find(|table| table.name == name);
            shown.push(self.table(grid, about));
        }
        shown.retain(|table| !table.rows.is_empty());
        shown
    }

    fn table(self, grid: Grid, about: Option<&TableSchema>) -> TableShown {
        let words = (0..grid.header.len()).map(|at| !grid.has_figures(at)).collect();
        let Grid { title, header, mut rows } = grid;
        let all = rows.len();
        rows.truncate(self.rows);
        let file = about.map_or(String::new(), |about| format!("; {}.csv has all", about.name));
        let cut = if all > rows.len() {
            format!("The first {} of {} rows{file}", rows.len(), grouped(all as u64))
        } else {
            String::new()
        };
        let fact =
            |name: &str, about: &str| Fact { name: name.to_owned(), about: about.to_owned() };
        let meanings = about.map_or(Vec::new(), |about| {
            let keys = about.keys.iter().map(|column| fact(column.name, column.about));
            keys.chain(about.metrics.iter().map(|metric| fact(metric.name, metric.about))).collect()
        });
        TableShown { title, cut, header, words, rows, meanings }
    }
}
