//! Does it matter how far behind a stranger one sits? A newcomer sits one, two, … seats behind the only agent of another
//! kind, on the same deals.

use fairhaven::lab::questions::studies::study::{anomalies, unfit};
use fairhaven::lab::report::answer::{header, table};
use fairhaven::lab::report::figures::cell;
use fairhaven::prelude::*;
use fairhaven::sim::counts::wins::WinsCount;
use serde::{Deserialize, Serialize};

/// The entry in a catalogue.
pub const NEIGHBOURS: Entry<dyn Study> = Entry::study::<Neighbours>(KIND, &[TABLE]);
const KIND: &str = "neighbours";

/// The table: a row for each distance.
const TABLE: TableSchema = TableSchema {
    name: "neighbours",
    keys: &[integer("distance", "seats from the stranger to the agent, in turn order, from 1")],
    more: &[],
    metrics: &[
        Metric::share("win_rate", "share of matches that the agent wins at this distance"),
        Metric::difference("win_difference", "the same, minus its win rate at distance 1"),
    ],
};

/// The settings, as the manifest keeps them: none.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neighbours {}

/// Places in the list of agents.
const AGENT: usize = 0;
const STRANGER: usize = 1;
const OTHERS: usize = 2;

impl Neighbours {
    /// Each distance in each rotation of the table: the agent, a stranger that many seats before it, and others.
    pub fn design(agents: Vec<AgentSpec>, players: usize, blocks: u64) -> Design {
        let seats = |distance: usize, rotation: usize| {
            let mut seats = vec![OTHERS; players];
            seats[rotation] = STRANGER;
            seats[(rotation + distance) % players] = AGENT;
            MatchPlan::plain(0, seats)
        };
        let at = |distance| (0..players).map(move |rotation| seats(distance, rotation));
        Design {
            question: Box::new(Neighbours {}),
            variants: vec![Variant { name: "base".to_owned(), changes: Vec::new() }],
            agents,
            matches: (1..players).flat_map(at).collect(),
            blocks,
            chunk: Chunking::chunk_for(blocks),
        }
    }
}

/// Who wins which match of a block.
fn count(manifest: &Manifest) -> WinsCount {
    let matches = manifest.plan.matches_of_a_block.len();
    WinsCount { matches, players: usize::from(manifest.players) }
}

/// The counters of the agent's wins at a distance.
fn wins(manifest: &Manifest, distance: usize) -> Result<Vec<usize>, String> {
    let players = usize::from(manifest.players);
    let matches = manifest.plan.matches_of_a_block.iter().enumerate();
    let of_distance = matches.skip((distance - 1) * players).take(players);
    let counter = |(number, plan): (usize, &MatchPlan)| {
        let seat = plan.seats.iter().position(|&agent| agent == AGENT);
        seat.map(|seat| count(manifest).wins(number, seat)).ok_or_else(unfit)
    };
    of_distance.map(counter).collect()
}

impl Question for Neighbours {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        KIND
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![TABLE, ANOMALIES]
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let found = table(tables, TABLE.name);
        let row = |distance: usize, metric| found?.find(&[&distance.to_string()], metric);
        let distances = 1..usize::from(manifest.players);
        let best = distances.clone().max_by(|&one, &other| {
            let rate =
                |at| row(at, "win_rate").and_then(|row| row.estimate).map_or(0.0, |of| of.value);
            rate(one).total_cmp(&rate(other))
        });
        let [agent, stranger] = [AGENT, STRANGER].map(|at| &manifest.agents[at].name);
        let text = format!(
            "{agent} won most often {} seats behind {stranger}; whether by chance, the differences say.",
            best.unwrap_or(1)
        );
        let cells = |distance: usize| {
            let rate = cell(row(distance, "win_rate"), Unit::Share);
            let difference = cell(row(distance, "win_difference"), Unit::Difference);
            vec![distance.to_string(), rate, if distance > 1 { difference } else { String::new() }]
        };
        let grid = Grid {
            title: "Neighbours".to_owned(),
            header: header(&["seats behind", "wins (95 %)", "minus 1 seat behind (95 %)"]),
            rows: distances.map(cells).collect(),
        };
        Answer { sentences: vec![Sentence::new(Tone::Plain, text)], grid, next: Vec::new() }
    }

    fn caution(&self) -> &'static str {
        "It holds for these agents. The intervals hold one by one, not all at once."
    }
}

impl Study for Neighbours {
    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        let players = usize::from(manifest.players);
        let matches = manifest.plan.matches_of_a_block.len();
        // Manifests may be forged.
        if matches != players * (players - 1) || manifest.agents.len() != OTHERS + 1 {
            return Err(unfit());
        }
        Ok(vec![Section { matches: 0..matches, count: Box::new(count(manifest)) }])
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let manifest = context.manifest;
        let players = usize::from(manifest.players);
        let all: Vec<Vec<usize>> =
            (1..players).map(|distance| wins(manifest, distance)).collect::<Result<_, _>>()?;
        let estimator = Estimator::first(totals, false);
        let blocks = totals.blocks();
        let rate = |sums: SectionSums<'_>, counters: &[usize]| {
            let won: f64 = counters.iter().map(|&counter| sums.get(counter)).sum();
            (sums.blocks() > 0.0).then(|| won / (sums.blocks() * players as f64))
        };
        let mut rows = Vec::new();
        for (distance, counters) in (1..).zip(&all) {
            let rated = estimator.share(|sums| rate(sums, counters));
            let difference =
                |sums: SectionSums<'_>| Some(rate(sums, counters)? - rate(sums, &all[0])?);
            // The variance of a block's difference if its two sides had luck of their own.
            let alone =
                rate(estimator.all(), counters).map(|p| 2.0 * p * (1.0 - p) / players as f64);
            let differs = estimator.difference(difference, alone, blocks as f64);
            let differs = differs.filter(|_| distance > 1);
            for (metric, estimate) in [("win_rate", rated), ("win_difference", differs)] {
                let (keys, n) = (vec![distance.to_string()], blocks * players as u64);
                rows.push(Row { keys, metric, estimate, blocks, n, more: More::Nothing });
            }
        }
        Ok(vec![TABLE.table(blocks, rows), anomalies(self, totals)])
    }
}
