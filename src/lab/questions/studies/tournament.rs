//! Who is the strongest of several agents, and by how much (`tournament`)? Balanced line-ups on common deals, ratings
//! with seats as a nuisance, and whether one rating per agent says it all.

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::crosstable::{self, CROSSTABLE};
use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::rated::{RATINGS, Rated, SEATS};
use crate::lab::questions::studies::study::{
    self, Context, Design, Study, WATCHED_CHUNK, in_range, unfit,
};
use crate::lab::questions::studies::tournament_answer as said;
use crate::lab::questions::studies::ways::ways;
use crate::lab::report::answer::{Answer, Tone, table};
use crate::lab::report::described::{ANOMALIES, TableSchema, text};
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::metric::Metric;
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::{Row, Table};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{LoadedGame, Seated};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::tournament::TournamentCount;
use crate::sim::experiment::{Additive, Experiment};
use crate::sim::trials::{MatchPlan, Section};
use crate::stats::jackknife::Estimate;
use crate::stats::line_ups::{self, Balance};
use crate::words::nearest;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> =
    Entry::study::<Tournament>(KIND, &[RATINGS, CROSSTABLE, SEATS, DESIGN]);
const KIND: &str = "tournament";

/// How the line-ups of a block are balanced.
const DESIGN: TableSchema = TableSchema {
    name: "design",
    keys: &[
        text("agent", "the agent; empty: the least and the most of all"),
        text("other", "another agent, if the row is about a pair"),
    ],
    more: &[],
    metrics: &[
        Metric::number("line_ups", "line-ups of a block in which the agent sits"),
        Metric::number(
            "seat_least",
            "line-ups in which it sits in the seat that it has least often",
        ),
        Metric::number("seat_most", "the same for the seat that it has most often"),
        Metric::number("together", "line-ups in which both sit"),
        Metric::number(
            "after",
            "times that the other sits directly after the agent; seat 1 follows the last",
        ),
        Metric::number("together_least", "the least of all pairs"),
        Metric::number("together_most", "the most of all pairs"),
        Metric::number("after_least", "the least of all ordered pairs"),
        Metric::number("after_most", "the most of all ordered pairs"),
    ],
};

/// The agent that has rating 0 if nobody names one and it plays.
const USUAL_ANCHOR: &str = "greedy";

/// The most agents: their line-ups are a few thousand then.
const AGENTS_MAX: usize = 64;

/// Blocks if nobody says otherwise, and the most of them of a run that stops by itself.
const BLOCKS: u64 = 1000;
const BLOCKS_MAX: u64 = 10_000_000;

/// Who is the strongest, and by how much? (`tournament`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// The agent whose rating is 0; `greedy` if it plays, else the first one, if none is named.
    pub anchor: Option<String>,
    /// Whether the first agent sits at every table.
    pub gauntlet: bool,
    /// The run stops when every rating's interval is no wider than this to either side, in Elo.
    pub until: Option<f64>,
    /// The first line-ups of a block that were played by an earlier run, to which this one is added; it plays the
    /// others alone.
    pub onto: Option<usize>,
}

impl Tournament {
    /// Balanced line-ups of some agents.
    ///
    /// # Errors
    /// If they are too few, too many or not all different, or the anchor is none of them.
    pub fn design(
        self,
        agents: Vec<AgentSpec>,
        players: u8,
        blocks: Option<u64>,
    ) -> Result<Design> {
        let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        ensure!(names.len() > 1, "a tournament needs two agents");
        ensure!(
            names.len() <= AGENTS_MAX,
            "{} agents have too many line-ups; {AGENTS_MAX} are the most",
            names.len()
        );
        for (at, agent) in agents.iter().enumerate() {
            let twice =
                agents[..at].iter().any(|other| other.name == agent.name || other.is(agent));
            ensure!(!twice, "`{}` is named twice", agent.name);
        }
        if let Some(anchor) = self.anchor.as_deref() {
            ensure!(names.contains(&anchor), "{}", nearest::unknown("agent", anchor, &names));
        }
        let most = if self.until.is_some() { BLOCKS_MAX } else { BLOCKS };
        let blocks = blocks.unwrap_or(most);
        let chunk = if self.until.is_some() { WATCHED_CHUNK } else { Chunking::chunk_for(blocks) };
        let line_ups = self.line_ups(agents.len(), usize::from(players));
        let new = line_ups.into_iter().skip(self.onto.unwrap_or(0));
        let matches = new.map(|seats| MatchPlan::plain(0, seats)).collect();
        let (study, variants) = (Box::new(self), vec![Variant::base()]);
        Ok(Design { question: study, variants, agents, matches, blocks, chunk })
    }

    /// The line-ups that agents bring with them who join those of an earlier run.
    ///
    /// # Errors
    /// If line-ups of more agents don't begin with those of fewer, or the agents are too many or not all different.
    pub fn addition(
        self,
        [earlier, new]: [Vec<AgentSpec>; 2],
        players: u8,
        blocks: u64,
    ) -> Result<Design> {
        let seats = usize::from(players);
        ensure!(
            self.until.is_none(),
            "it stopped by what it saw, and the new agents were not there"
        );
        ensure!(!self.gauntlet, "the groups of a gauntlet depend on all of its agents");
        ensure!(
            earlier.len() >= seats,
            "it has {} agents for {seats} seats; line-ups of fewer agents than seats are not among those of more",
            earlier.len()
        );
        let onto = Some(self.line_ups(earlier.len(), seats).len());
        Tournament { onto, ..self }.design([earlier, new].concat(), players, Some(blocks))
    }

    fn line_ups(&self, agents: usize, players: usize) -> Vec<Vec<usize>> {
        let of = if self.gauntlet { line_ups::gauntlet } else { line_ups::design };
        of(agents, players)
    }

    /// The line-ups of a run, which must be those of its agents.
    fn line_ups_of(&self, manifest: &Manifest) -> Result<Vec<Vec<usize>>, String> {
        let added = self.onto.is_some();
        let whole = manifest.plan.shard.is_none() && self.until.is_none() && !self.gauntlet;
        in_range(self.until.is_none_or(|until| until > 0.0) && (!added || whole))?;
        let agents = manifest.agents.len();
        let fits = (2..=AGENTS_MAX).contains(&agents) && (2..=6).contains(&manifest.players);
        let line_ups = self.line_ups(if fits { agents } else { 0 }, manifest.players.into());
        let planned = &manifest.plan.matches_of_a_block;
        let new = line_ups.get(self.onto.unwrap_or(0)..).unwrap_or_default();
        let same = |(plan, line_up): (&MatchPlan, &Vec<usize>)| {
            plan.variant == 0 && plan.forced.is_none() && plan.seats == *line_up
        };
        let fits = fits && !new.is_empty() && planned.len() == new.len();
        let fits = fits && planned.iter().zip(new).all(same);
        if fits { Ok(line_ups) } else { Err(unfit()) }
    }

    /// The number of the agent whose rating is 0.
    fn anchor(&self, manifest: &Manifest) -> Result<usize, String> {
        let place = |name: &str| manifest.agents.iter().position(|agent| agent.name == name);
        match &self.anchor {
            Some(name) => place(name).ok_or_else(unfit),
            None => Ok(place(USUAL_ANCHOR).unwrap_or(0)),
        }
    }

    fn rated<'a>(&self, manifest: &Manifest, totals: &'a Totals) -> Result<Rated<'a>, String> {
        let estimator = Estimator::first(totals, self.is_sequential());
        let (line_ups, anchor) = (self.line_ups_of(manifest)?, self.anchor(manifest)?);
        Ok(Rated::new(estimator, manifest.agent_names(), line_ups, anchor))
    }

    /// Half the widest interval of a rating; nothing if one has none.
    fn widest(&self, manifest: &Manifest, totals: &Totals) -> Option<f64> {
        self.rated(manifest, totals).ok()?.widest()
    }
}

impl Question for Tournament {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "tournament"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![RATINGS, CROSSTABLE, SEATS, DESIGN, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "Ratings compare these agents with each other, at tables of these agents and under these rules. \
         Another field of agents may rank them otherwise, and Elo here is on no scale of another laboratory."
    }

    /// The tables with the strongest agent first.
    fn grids(&self, _: &Names, tables: &[Table]) -> Vec<Grid> {
        let ranked =
            table(tables, RATINGS.name).map_or(Vec::new(), |table| said::ranked(&table.rows));
        let rank = |agent: &String| ranked.iter().position(|name| name == agent);
        let mut tables = tables.to_vec();
        for table in tables.iter_mut().filter(|table| table.name != DESIGN.name) {
            table.rows.sort_by_cached_key(|row| row.keys.iter().map(rank).collect::<Vec<_>>());
        }
        summary::study_grids(&tables, &[])
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let rows = |name| table(tables, name).map_or(&[][..], |table| &table.rows);
        let ratings = rows(RATINGS.name);
        let first = said::strongest(ratings, rows(CROSSTABLE.name));
        let open = first.tone == Tone::Open;
        let mut sentences = vec![first];
        sentences.extend(said::unrated(ratings));
        sentences.extend(ways(manifest, ratings, rows(CROSSTABLE.name)));
        sentences.extend(said::fit(rows(CROSSTABLE.name)));
        sentences.extend(said::cycle(rows(CROSSTABLE.name)));
        sentences.extend(said::balance(rows(DESIGN.name)));
        // An addition has the blocks of the run that it was added to.
        let added = manifest.command.iter().any(|word| word.starts_with("--onto"));
        let next = if open && !added { next::longer(self, manifest) } else { None };
        let next = next.map(|command| format!("Narrower intervals:\n  {command}"));
        Answer { sentences, grid: said::grid(ratings), next: next.into_iter().collect() }
    }
}

impl Study for Tournament {
    fn is_sequential(&self) -> bool {
        self.until.is_some()
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        self.anchor(manifest)?;
        let line_ups = self.line_ups_of(manifest)?.len();
        let first = self.onto.unwrap_or(0);
        let count = TournamentCount { seats: manifest.players.into(), line_ups, first };
        Ok(vec![Section { matches: 0..line_ups - first, count: Box::new(count) }])
    }

    /// Agents may join later, so what is kept of each chunk must add up.
    fn experiment<'a>(
        &self,
        context: &Context<'_>,
        games: &'a [Box<dyn LoadedGame>],
        seated: Seated<'a>,
    ) -> Result<Box<dyn Experiment + 'a>, String> {
        let sections = self.sections(context.manifest)?;
        let trials = study::trials_of(study::plan_of(context.manifest, sections), games, seated);
        Ok(Box::new(Additive(trials)))
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let rated = self.rated(context.manifest, totals)?;
        let design = design_table(&rated, totals.blocks());
        let crosstable = crosstable::table(&rated);
        Ok(vec![rated.ratings(), crosstable, rated.seats(), design, study::anomalies(self, totals)])
    }

    fn stop(&self, manifest: &Manifest, totals: &Totals) -> Option<String> {
        let until = self.until?;
        if !study::is_look(totals.blocks()) {
            return None;
        }
        let done = self.widest(manifest, totals)? <= until;
        done.then(|| format!("the interval of every rating is within ±{until} Elo"))
    }

    fn standing(&self, manifest: &Manifest, totals: &Totals) -> Option<String> {
        let until = self.until?;
        let widest = self.widest(manifest, totals)?;
        Some(format!("±{widest:.0} Elo, to ±{until}"))
    }
}

/// `design.csv`.
fn design_table(rated: &Rated<'_>, blocks: u64) -> Table {
    let names = &rated.agents;
    let balance = Balance::of(&rated.line_ups, names.len());
    let n = rated.line_ups.len() as u64;
    let row = |one: &str, other: &str, metric, value: usize| {
        let keys = vec![one.to_owned(), other.to_owned()];
        let estimate = Some(Estimate::fixed(value as f64));
        Row::new(keys, metric, estimate, blocks, n)
    };
    let mut rows = Vec::new();
    for (agent, name) in names.iter().enumerate() {
        let seats = &balance.seats[agent];
        rows.push(row(name, "", "line_ups", balance.line_ups[agent]));
        rows.push(row(name, "", "seat_least", seats.iter().copied().min().unwrap_or(0)));
        rows.push(row(name, "", "seat_most", seats.iter().copied().max().unwrap_or(0)));
    }
    let pairs = |of: &Vec<Vec<usize>>| -> Vec<(usize, usize, usize)> {
        let all = (0..names.len()).flat_map(|one| (0..names.len()).map(move |other| (one, other)));
        let pairs = all.filter(|(one, other)| one != other);
        pairs.map(|(one, other)| (one, other, of[one][other])).collect()
    };
    let all = [
        ("together", "together_least", "together_most", pairs(&balance.together)),
        ("after", "after_least", "after_most", pairs(&balance.after)),
    ];
    for (metric, _, _, pairs) in &all {
        for &(one, other, count) in pairs {
            rows.push(row(&names[one], &names[other], metric, count));
        }
    }
    for (_, least, most, pairs) in &all {
        let counts = || pairs.iter().map(|(_, _, count)| *count);
        rows.push(row("", "", least, counts().min().unwrap_or(0)));
        rows.push(row("", "", most, counts().max().unwrap_or(0)));
    }
    DESIGN.table(blocks, rows)
}
