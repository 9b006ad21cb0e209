//! What happens at a table (`simulate`)? A line-up plays each deal in each distinct rotation. The answer: what seats
//! are worth if one agent plays them all; otherwise how the agents do.

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::joint::{joint, joint_cell};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::study::{Context, Counters, Design, Study};
use crate::lab::report::answer::{Answer, Sentence, Tone, header, negative, table};
use crate::lab::report::described::TableSchema;
use crate::lab::report::figures::{self, cell};
use crate::lab::report::manifest::{Manifest, QuestionSpec, RowForm, Variant};
use crate::lab::report::metric::Unit;
use crate::lab::report::rows;
use crate::lab::report::simulated;
use crate::lab::report::simulated::TABLES;
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::{Row, Table};
use crate::lab::report::tables::Source;
use crate::sim::any_game::{LoadedGame, Seated, SimulationPlan};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::experiment::Experiment;
use crate::sim::layout::Layout;
use crate::sim::line_up::LineUp;
use crate::sim::simulation::{self, Write, rotations};
use crate::sim::trials::{MatchPlan, Section};
use crate::stats::jackknife::Estimate;
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Simulate>(KIND, TABLES);
const KIND: &str = "simulate";

/// What happens at a table? (`simulate`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    /// How rows of matches are written, if they are.
    pub rows: Option<RowForm>,
}

impl Simulate {
    /// Every rotation of a line-up, for a number of matches, rounded up to whole blocks.
    pub fn design(self, line_up: LineUp, asked: u64) -> Design {
        let rotations = rotations(&line_up.seats);
        let blocks = asked.div_ceil(rotations.len() as u64);
        Design {
            question: Box::new(self),
            variants: vec![Variant::base()],
            agents: line_up.agents,
            matches: rotations.into_iter().map(|seats| MatchPlan::plain(0, seats)).collect(),
            blocks,
            chunk: Chunking::chunk_for(blocks),
        }
    }
}

impl Question for Simulate {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "simulate"
    }

    fn rows(&self) -> Option<RowForm> {
        self.rows
    }

    fn described(&self) -> Vec<TableSchema> {
        TABLES.to_vec()
    }

    fn caution(&self) -> &'static str {
        "These agents are no people: another level of play may have other win rates and lengths. What takers \
         of a card win describes; it is not the card's effect, since who takes a card differs from who does \
         not. `balance` measures effects."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let alone = manifest.agents.len() == 1;
        let (mut first, grid) = if alone { seats(tables) } else { agents(manifest, tables) };
        let rates = rows(tables, "seats", "win_rate");
        if rates.iter().all(|row| row.estimate.is_some_and(|rate| rate.value <= 0.0)) {
            first = Sentence::new(Tone::Open, "Nobody has won a match.");
        }
        let open = first.tone == Tone::Open;
        let mut sentences = vec![first];
        sentences.extend(length(tables));
        let next = if open { next::longer(self, manifest) } else { None };
        let next = next.map(|command| format!("Narrower intervals:\n  {command}"));
        Answer { sentences, grid, next: next.into_iter().collect() }
    }

    fn grids(&self, names: &Names, tables: &[Table]) -> Vec<Grid> {
        summary::grids(tables, names.events)
    }
}

impl Study for Simulate {
    fn is_in_matches(&self) -> bool {
        true
    }

    /// None: its experiment counts all matches alike.
    fn sections(&self, _: &Manifest) -> Result<Vec<Section>, String> {
        Ok(Vec::new())
    }

    fn experiment<'a>(
        &self,
        context: &Context<'_>,
        games: &'a [Box<dyn LoadedGame>],
        seated: Seated<'a>,
    ) -> Result<Box<dyn Experiment + 'a>, String> {
        let Manifest { plan, seed, .. } = context.manifest;
        let matches = &plan.matches_of_a_block;
        let labels = rows::labels(&context.manifest.agent_names());
        let sources = games[0].game_type().facts().names.sources.len();
        let write = move |row: &simulation::MatchRow<'_>, out: &mut Vec<u8>| {
            rows::write(&labels, sources, row, out);
        };
        let plan = SimulationPlan {
            seed: *seed,
            rotations: matches.iter().map(|entry| entry.seats.clone()).collect(),
            write: self.rows.map(|_| -> Write<'a> { Box::new(write) }),
        };
        Ok(games[0].simulation(seated, plan))
    }

    fn counters(&self, context: &Context<'_>) -> Counters {
        Counters {
            matches: Layout::MATCHES,
            decisions: Layout::DECISIONS,
            failures: context.layout.anomaly(Layout::FAULT),
        }
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        Ok(simulated::all(Source {
            names: context.names,
            grouped: &totals.grouped,
            layout: &context.layout,
            agents: &context.manifest.agent_names(),
            players: context.manifest.players,
            firsts: &totals.firsts,
        }))
    }
}

/// The rows of a metric.
fn rows<'a>(tables: &'a [Table], name: &str, metric: &str) -> Vec<&'a Row> {
    let rows = table(tables, name).map_or(&[][..], |table| &table.rows);
    rows.iter().filter(|row| row.metric == metric).collect()
}

fn seats(tables: &[Table]) -> (Sentence, Grid) {
    let rates = rows(tables, "seats", "win_rate");
    let all = table(tables, "seats");
    let cells = |row: &&Row| {
        let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
        let find = |metric| all.and_then(|table| table.find(&keys, metric));
        vec![
            row.keys[0].clone(),
            cell(Some(row), Unit::Share),
            cell(find("advantage"), Unit::Difference),
            cell(find("points_mean"), Unit::Mean),
        ]
    };
    let grid = Grid {
        title: "Seats".to_owned(),
        header: header(&["seat", "win rate (95 %)", "against an even share", "points"]),
        rows: rates.iter().map(cells).collect(),
    };
    (seats_sentence(&rates), grid)
}

/// The seats that surely win more or less than an even share, of the win rates of all seats; the largest of each sign.
/// They are picked from all, so their intervals hold together.
pub fn seats_sentence(rates: &[&Row]) -> Sentence {
    const UNIT: Unit = Unit::Difference;
    let all = rates.len();
    let advantage = |row: &&Row| {
        let rate = joint(row, all)?;
        Some((row.keys[0].clone(), rate.scaled(1.0, -1.0 / all as f64)))
    };
    let seats: Vec<(String, Estimate)> = rates.iter().filter_map(advantage).collect();
    let ends = |estimate: &Estimate| figures::interval(estimate, UNIT);
    let by_size = |a: &&(String, Estimate), b: &&(String, Estimate)| {
        a.1.value.abs().total_cmp(&b.1.value.abs())
    };
    let more = seats.iter().filter(|seat| ends(&seat.1).is_some_and(|(lo, _)| lo > 0.0));
    let less = seats.iter().filter(|seat| ends(&seat.1).is_some_and(|(_, hi)| hi < 0.0));
    let less: Vec<(String, Estimate)> =
        less.map(|(seat, estimate)| (seat.clone(), negative(estimate))).collect();
    let (more, less) = (more.max_by(by_size), less.iter().max_by(by_size));
    let words = |estimate: &Estimate, word: &str| {
        format!("{} {word}{}", figures::value(estimate, UNIT), figures::ends(estimate, UNIT))
    };
    let text = match (more, less) {
        (Some((seat, most)), Some((other, least))) => format!(
            "Seat {seat} wins {} than an even share, seat {other} {}; the intervals hold for all {all} seats together.",
            words(most, "more"),
            words(least, "less")
        ),
        (Some((seat, of)), None) => one_seat(seat, &words(of, "more"), all),
        (None, Some((seat, of))) => one_seat(seat, &words(of, "less"), all),
        (None, None) => return open_sentence(seats.iter().max_by(by_size), all),
    };
    Sentence::new(Tone::Yes, text)
}

fn one_seat(seat: &str, wins: &str, all: usize) -> String {
    format!(
        "Seat {seat}, one of {all}, wins {wins} than an even share; the interval holds for all seats together."
    )
}

fn open_sentence(largest: Option<&(String, Estimate)>, all: usize) -> Sentence {
    let largest = largest.map_or(String::new(), |(seat, estimate)| {
        let estimate = figures::with_interval(Some(estimate), Unit::Difference);
        format!(": the largest of {all} differences is that of seat {seat}, {estimate}")
    });
    let text = format!("No seat is shown to win more or less than an even share{largest}.");
    Sentence::new(Tone::Open, text)
}

fn agents(manifest: &Manifest, tables: &[Table]) -> (Sentence, Grid) {
    let mut rates = rows(tables, "agents", "win_rate");
    let value = |row: &Row| row.estimate.map_or(f64::NEG_INFINITY, |estimate| estimate.value);
    rates.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let all = table(tables, "agents");
    let cells = |row: &&Row| {
        let find = |metric| all.and_then(|table| table.find(&[row.keys[0].as_str()], metric));
        vec![row.keys[0].clone(), cell(Some(row), Unit::Share), cell(find("rank_mean"), Unit::Mean)]
    };
    let grid = Grid {
        title: "Agents".to_owned(),
        header: header(&["agent", "win rate of its seats (95 %)", "mean rank"]),
        rows: rates.iter().map(cells).collect(),
    };
    let even = figures::fixed(100.0 / f64::from(manifest.players), 1);
    (agents_sentence(&rates, &even), grid)
}

/// Who wins most, and who comes next. They are picked from all agents, so their intervals hold together.
pub fn agents_sentence(rates: &[&Row], even: &str) -> Sentence {
    let all = rates.len();
    let ends = |row: &Row| figures::interval(&joint(row, all)?, Unit::Share);
    let [first, second, ..] = rates else {
        return Sentence::new(Tone::Open, "No match was played.");
    };
    let apart = ends(first).zip(ends(second)).is_some_and(|((lo, _), (_, hi))| lo > hi);
    let [a, b] = [first, second].map(|row| joint_cell(row, Unit::Share, all));
    let (a_name, b_name) = (&first.keys[0], &second.keys[0]);
    let together = format!("the intervals hold for all {all} agents together");
    if apart {
        let text = format!(
            "{a_name} wins most: {a} of its seats, against {b} for {b_name}; an even share is {even} %, and {together}."
        );
        return Sentence::new(Tone::Yes, text);
    }
    let text = format!(
        "Undecided who wins most: {a_name} {a}, {b_name} {b} of their seats; an even share is {even} %, and {together}."
    );
    Sentence::new(Tone::Open, text)
}

/// How long a match is, if the table says so.
fn length(tables: &[Table]) -> Option<Sentence> {
    let table = table(tables, "length")?;
    let mean = |measure| {
        let row = table.find(&[measure, ""], "mean")?;
        row.estimate.map(|mean| figures::with_interval(Some(&mean), Unit::Mean))
    };
    let quantiles = |measure, decimals| {
        let of = |metric| Some(table.find(&[measure, ""], metric)?.estimate?.value);
        let [lo, hi] = [of("quantile_5")?, of("quantile_95")?];
        Some([lo, hi].map(|length| figures::fixed(length, decimals)).join(" to "))
    };
    let (turns, rounds) = (quantiles("turns", 0)?, quantiles("rounds", 1)?);
    let text = match mean("turns").zip(mean("rounds")) {
        Some((of_turns, of_rounds)) => format!(
            "A match takes {of_turns} turns of single players on average, or {of_rounds} rounds; nine of ten take \
             {turns} turns, {rounds} rounds."
        ),
        None => {
            format!("Nine of ten matches take {turns} turns of single players, or {rounds} rounds.")
        }
    };
    Some(Sentence::new(Tone::Plain, text))
}
