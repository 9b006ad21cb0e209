//! The full tables of a run, for a person: on the terminal or as Markdown.

use crate::lab::report::comparison::Comparison;
use crate::lab::report::described::DIFFERENCES;
use crate::lab::report::figures;
use crate::lab::report::lengths::QUANTILES;
use crate::lab::report::metric::{Unit, unit};
use crate::lab::report::table::{Row, Table};
use crate::words::lines::longest_word;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width, presets};

/// Blanks on both sides of a cell.
const PADDING: usize = 2;

/// How tables are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// For the terminal.
    Text,
    /// For documents.
    Markdown,
}

/// A table of words with a heading.
#[derive(Debug, Clone)]
pub struct Grid {
    /// The heading.
    pub title: String,
    /// The header.
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// Leaves out empty columns.
    fn drop_empty_columns(&mut self) {
        let empty = |at: usize| self.rows.iter().all(|row| row[at].is_empty());
        let kept: Vec<usize> = (0..self.header.len()).filter(|&at| !empty(at)).collect();
        let pick = |cells: &Vec<String>| kept.iter().map(|&at| cells[at].clone()).collect();
        let rows = self.rows.iter().map(pick).collect();
        self.header = pick(&self.header);
        self.rows = rows;
    }

    /// Shows of agents' names what stands behind the last slash, if that tells them apart.
    pub fn shorten(&mut self, names: &[String]) {
        let last = |name: &String| name.rsplit('/').next().unwrap_or_default().to_owned();
        let short: Vec<String> = names.iter().map(last).collect();
        if (1..short.len()).any(|at| short[..at].contains(&short[at])) {
            return;
        }
        for cell in self.rows.iter_mut().flatten() {
            if let Some(at) = names.iter().position(|name| name == cell) {
                cell.clone_from(&short[at]);
            }
        }
    }

    /// The table as text, with its heading.
    pub fn render(&self, style: Style) -> String {
        self.within(style, None)
    }

    /// The same, as [`Grid::body`] keeps to a number of columns.
    pub fn within(&self, style: Style, width: Option<u16>) -> String {
        let heading = if style == Style::Markdown { "### " } else { "" };
        let width = width.filter(|_| style == Style::Text);
        format!("{heading}{}\n\n{}\n", self.title, self.body(style, width))
    }

    /// The table alone. If it would be wider than a number of columns, its cells are broken at blanks; where the longest
    /// words of its columns have no room beside each other, each row becomes a few lines.
    pub fn body(&self, style: Style, width: Option<u16>) -> String {
        let words = self.longest_words();
        let least: usize = words.iter().map(|word| word + PADDING).sum();
        if width.is_some_and(|width| least > usize::from(width)) {
            return self.listed();
        }
        let mut table = comfy_table::Table::new();
        table.load_style(match style {
            Style::Text => presets::NOTHING,
            Style::Markdown => presets::ASCII_MARKDOWN,
        });
        table.set_header(&self.header);
        table.add_rows(&self.rows);
        for (at, column) in table.column_iter_mut().enumerate().skip(1) {
            if self.has_figures(at) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        if let Some(width) = width {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
            // Else a column may become narrower than a word of it, which is cut then.
            for (column, word) in table.column_iter_mut().zip(words) {
                let least = u16::try_from(word + PADDING).unwrap_or(u16::MAX);
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
            }
        }
        table.trim_fmt()
    }
}

impl Grid {
    /// The letters of the longest word of each column.
    fn longest_words(&self) -> Vec<usize> {
        let of = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at));
            cells.chain(self.header.get(at)).map(|cell| longest_word(cell)).max().unwrap_or(0)
        };
        (0..self.header.len()).map(of).collect()
    }

    /// Whether a column has figures, which stand below each other by their last digits; words by their first letters.
    pub fn has_figures(&self, at: usize) -> bool {
        let is_figure =
            |cell: &String| cell.starts_with(|c: char| c.is_ascii_digit() || "+-−<±".contains(c));
        self.rows.iter().filter_map(|row| row.get(at)).any(is_figure)
    }

    /// Each row as lines: its first cell, and below it the others that are not empty, with their names.
    fn listed(&self) -> String {
        let mut lines = Vec::new();
        for row in &self.rows {
            for (at, (name, cell)) in self.header.iter().zip(row).enumerate() {
                match at {
                    0 => lines.push(format!(" {name} {cell}")),
                    _ if cell.is_empty() => {}
                    _ => lines.push(format!("   {name}: {cell}")),
                }
            }
        }
        lines.join("\n")
    }
}

/// A share as percent with its interval: `25.3 % (24.1 to 26.6)`.
fn percent(row: Option<&Row>) -> String {
    figures::cell(row, Unit::Share)
}

/// A difference of shares as percentage points with its interval.
fn points(row: Option<&Row>) -> String {
    figures::cell(row, Unit::Difference)
}

/// A mean with its interval.
fn mean(row: Option<&Row>) -> String {
    figures::cell(row, Unit::Mean)
}

fn table<'a>(tables: &'a [Table], name: &str) -> &'a Table {
    tables.iter().find(|table| table.name == name).expect("every run has all tables")
}

/// Distinct values of a key column, in order.
fn values(table: &Table, key: usize) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for row in &table.rows {
        if !distinct.contains(&row.keys[key]) {
            distinct.push(row.keys[key].clone());
        }
    }
    distinct
}

fn header(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The grids of a run's summary. Of cards, those of `events` are left out.
pub fn grids(tables: &[Table], events: &[&str]) -> Vec<Grid> {
    vec![agents(tables), seats(tables), length(tables), cards(tables, events), anomalies(tables)]
}

fn agents(tables: &[Table]) -> Grid {
    let agents = table(tables, "agents");
    let rows = values(agents, 0)
        .into_iter()
        .map(|name| {
            let find = |metric| agents.find(&[&name], metric);
            vec![
                name.clone(),
                percent(find("win_rate")),
                mean(find("rank_mean")),
                mean(find("points_mean")),
                mean(find("decisions_mean")),
            ]
        })
        .collect();
    let header = header(&["agent", "win rate (95 %)", "mean rank", "points", "decisions a match"]);
    Grid { title: "Agents".to_owned(), header, rows }
}

fn seats(tables: &[Table]) -> Grid {
    let seats = table(tables, "seats");
    let rows = seats
        .rows
        .iter()
        .filter(|row| row.metric == "win_rate" && row.n > 0)
        .map(|row| {
            let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
            let advantage = seats.find(&keys, "advantage").filter(|row| row.estimate.is_some());
            vec![
                row.keys[0].clone(),
                row.keys[1].clone(),
                percent(Some(row)),
                advantage.map_or(String::new(), |row| points(Some(row))),
            ]
        })
        .collect();
    // With several agents, what a seat wins above an even share is the agent's strength.
    let alone = values(seats, 1).len() == 1;
    let less =
        if alone { "against an even share" } else { "agent's strength: minus an even share" };
    let header = header(&["seat", "agent", "win rate (95 %)", less]);
    let mut grid = Grid { title: "Seats".to_owned(), header, rows };
    grid.drop_empty_columns();
    grid
}

/// Mean and quantiles of the length of a match.
fn length(tables: &[Table]) -> Grid {
    let length = table(tables, "length");
    let rows =
        [("turns", "players' turns", 0), ("rounds", "rounds", 2), ("decisions", "decisions", 0)]
            .into_iter()
            .map(|(measure, name, decimals)| {
                let find = |metric| length.find(&[measure, ""], metric);
                let quantile = |(metric, _)| figures::cell(find(metric), Unit::Number(decimals));
                [vec![name.to_owned(), mean(find("mean"))], QUANTILES.map(quantile).to_vec()]
                    .concat()
            })
            .collect();
    let header = header(&["length of a match", "mean", "5 %", "25 %", "median", "75 %", "95 %"]);
    Grid { title: "Length (quantiles of decisions in steps of 8)".to_owned(), header, rows }
}

fn cards(tables: &[Table], events: &[&str]) -> Grid {
    let cards = table(tables, "cards");
    let mut rows = Vec::new();
    for agent in values(cards, 0) {
        for card in values(cards, 1) {
            let find = |metric| cards.find(&[&agent, &card], metric);
            let taken = find("turn_mean").and_then(|row| row.estimate).is_some();
            if taken && !events.contains(&card.as_str()) {
                rows.push(vec![
                    card.clone(),
                    agent.clone(),
                    percent(find("taker_share")),
                    mean(find("turn_mean")),
                    mean(find("round_mean")),
                    percent(find("win_rate_with")),
                    points(find("lift_matched")),
                ]);
            }
        }
    }
    let title = "Cards (descriptive: who takes a card differs from who does not)".to_owned();
    let words =
        ["card", "agent", "taken by", "first in turn", "in round", "win rate with", "matched lift"];
    Grid { title, header: header(&words), rows }
}

fn anomalies(tables: &[Table]) -> Grid {
    let anomalies = table(tables, "anomalies");
    let rows = anomalies
        .rows
        .iter()
        .filter(|row| row.metric == "count")
        .map(|row| {
            let count = row.estimate.map_or(0.0, |estimate| estimate.value);
            vec![row.keys[0].clone(), format!("{count:.0}"), row.keys[1].clone()]
        })
        .collect();
    let header = header(&["anomaly", "count", "first match"]);
    Grid { title: "Anomalies".to_owned(), header, rows }
}

/// The tables of a study as they are, except for those named, which only fill pages.
pub fn study_grids(tables: &[Table], hidden: &[&str]) -> Vec<Grid> {
    tables.iter().filter(|table| !hidden.contains(&table.name)).map(plain_grid).collect()
}

/// Keys, metric, estimate with interval, and what is said of it; rows without an estimate are left out.
fn plain_grid(table: &Table) -> Grid {
    if table.name == "anomalies" {
        return anomalies(std::slice::from_ref(table));
    }
    let mut words: Vec<&str> = table.keys.iter().map(|column| column.name).collect();
    words.extend(["metric", "estimate (95 %)"]);
    if !table.more.is_empty() {
        words.extend(["p (Holm)", "verdict's interval", "verdict"]);
    }
    let seen = table.rows.iter().filter(|row| row.estimate.is_some());
    let rows = seen
        .map(|row| {
            let mut cells = row.keys.clone();
            cells.push(row.metric.to_owned());
            cells.push(of_its_unit(row, table));
            if !table.more.is_empty() {
                let said = match row.finding() {
                    Some(finding) => finding.said(),
                    None => row.own(1).to_owned(),
                };
                cells.extend([row.adjusted(), judged_by(row, unit_of(row, table)), said]);
            }
            cells
        })
        .collect();
    let mut grid = Grid { title: table.name.to_owned(), header: header(&words), rows };
    grid.drop_empty_columns();
    grid
}

/// The interval that a verdict used, in percentage points or in Elo, with its level: `0.71 to 5.35 (98.8 %)`.
fn judged_by(row: &Row, unit: Unit) -> String {
    let ends = |said: &Comparison| Some((said.interval?, said.level?));
    let Some(((lo, hi), level)) = row.comparison().and_then(ends) else { return String::new() };
    let scale = unit.scale();
    format!("{:.2} to {:.2} ({:.1} %)", scale * lo, scale * hi, 100.0 * level)
}

/// The unit of a row. What `sensitivity` compares differs from row to row.
fn unit_of(row: &Row, table: &Table) -> Unit {
    match row.keys.get(2) {
        Some(measured) if table.name == "sensitivity" && row.metric != "effect_sd" => {
            unit(&DIFFERENCES, measured)
        }
        _ => table.unit(row.metric),
    }
}

/// Shares as percent, differences of shares as percentage points, the rest as it is.
fn of_its_unit(row: &Row, table: &Table) -> String {
    match unit_of(row, table) {
        Unit::Share => percent(Some(row)),
        Unit::Difference => points(Some(row)),
        Unit::Mean | Unit::Number(_) => figures::cell(Some(row), Unit::Number(3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::report::table::More;
    use crate::stats::jackknife::Estimate;

    fn row(metric: &'static str, rests_on: Option<(f64, f64, f64)>) -> Row {
        let interval = rests_on.map(|(lo, hi, _)| (lo, hi));
        let level = rests_on.map(|(_, _, level)| level);
        let more = More::Comparison(Comparison { interval, level, ..Comparison::default() });
        let estimate = Some(Estimate::plain(0.0));
        Row { keys: Vec::new(), metric, estimate, blocks: 9, n: 9, more }
    }

    #[test]
    fn what_a_verdict_used_is_shown_in_its_unit() {
        let share = row("win_difference", Some((0.0071, 0.0535, 0.988)));
        assert_eq!(judged_by(&share, Unit::Difference), "0.71 to 5.35 (98.8 %)");
        let elo = row("elo_above_next", Some((12.5, 40.25, 0.995)));
        assert_eq!(judged_by(&elo, Unit::Number(0)), "12.50 to 40.25 (99.5 %)");
        assert_eq!(judged_by(&row("elo_above_next", None), Unit::Number(0)), "");
    }

    #[test]
    fn names_are_shown_without_folders_where_that_tells_them_apart() {
        let shown = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let rows = names.iter().map(|name| vec![name.clone(), "1/2".to_owned()]).collect();
            let header = header(&["agent", "share"]);
            let mut grid = Grid { title: String::new(), header, rows };
            grid.shorten(&names);
            assert!(grid.rows.iter().all(|row| row[1] == "1/2"), "no name");
            grid.rows.into_iter().map(|row| row[0].clone()).collect::<Vec<String>>()
        };
        assert_eq!(shown(&["levels/base/easy", "greedy"]), ["easy", "greedy"]);
        let alike = ["levels/base/easy", "mine/easy"];
        assert_eq!(shown(&alike), alike);
    }

    #[test]
    fn figures_end_below_each_other_and_words_begin_so() {
        let rows = [["1", "roads", "9"], ["12", "a knight", "−10.5"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
        let grid = Grid { title: String::new(), header: header(&["seat", "built", "gain"]), rows };
        let lines = [" seat  built      gain", " 1     roads         9", " 12    a knight  −10.5"];
        assert_eq!(grid.body(Style::Text, None).lines().collect::<Vec<_>>(), lines);
    }
}
