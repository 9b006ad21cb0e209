//! Who is the strongest of several agents, and by how much (`tournament`)? Balanced line-ups on common deals, ratings
//! with seats as a nuisance, and whether one rating per agent says it all.

use crate::lab::report::answer::{Answer, Sentence, Tone, header, more, table};
use crate::lab::report::described::{ANOMALIES, Described, text};
use crate::lab::report::figures::{self, Unit, cell};
use crate::lab::report::manifest::{Manifest, Question, Variant};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::lab::studies::crosstable::{self, BEATS, CROSSTABLE, MISFIT, strongest_cycle};
use crate::lab::studies::estimator::Estimator;
use crate::lab::studies::next;
use crate::lab::studies::rated::{RATINGS, Rated, SEATS};
use crate::lab::studies::study::{
    self, BLOCKS_BEFORE_STOP, Context, Design, Study, StudyType, in_range, unfit,
};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::tournament::TournamentCount;
use crate::sim::trials::{MatchPlan, Section};
use crate::stats::jackknife::{Estimate, Method};
use crate::stats::line_ups::{self, Balance};
use crate::words::nearest;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The entry in the list.
pub const TYPE: StudyType =
    StudyType::of::<Tournament>(KIND, &[RATINGS, CROSSTABLE, SEATS, DESIGN]);
const KIND: &str = "tournament";

/// How the line-ups of a block are balanced.
const DESIGN: Described = Described {
    name: "design",
    keys: &[
        text("agent", "the agent; empty: the least and the most of all"),
        text("other", "another agent, if the row is about a pair"),
    ],
    more: &[],
    metrics: &[
        ("line_ups", "line-ups of a block in which the agent sits"),
        ("seat_least", "line-ups in which it sits in the seat that it has least often"),
        ("seat_most", "the same for the seat that it has most often"),
        ("together", "line-ups in which both sit"),
        ("after", "times that the other sits directly after the agent; seat 1 follows the last"),
        ("together_least", "the least of all pairs"),
        ("together_most", "the most of all pairs"),
        ("after_least", "the least of all ordered pairs"),
        ("after_most", "the most of all ordered pairs"),
    ],
};

/// The agent that has rating 0 if nobody names one and it plays.
const USUAL_ANCHOR: &str = "greedy";

/// The most agents: their line-ups are a few thousand then.
const AGENTS_MAX: usize = 64;

/// Blocks between two looks of a watched run.
const LOOK: u64 = 32;
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
        for (at, name) in names.iter().enumerate() {
            ensure!(!names[..at].contains(name), "`{name}` is there twice");
        }
        if let Some(anchor) = self.anchor.as_deref() {
            ensure!(names.contains(&anchor), "{}", nearest::unknown("agent", anchor, &names));
        }
        let most = if self.until.is_some() { BLOCKS_MAX } else { BLOCKS };
        let blocks = blocks.unwrap_or(most);
        let chunk = if self.until.is_some() { LOOK } else { Chunking::chunk_for(blocks) };
        let line_ups = self.line_ups(agents.len(), usize::from(players));
        let matches = line_ups.into_iter().map(|seats| MatchPlan::plain(0, seats)).collect();
        let (study, variants) = (Box::new(self), vec![Variant::base()]);
        Ok(Design { study, variants, agents, matches, blocks, chunk })
    }

    fn line_ups(&self, agents: usize, players: usize) -> Vec<Vec<usize>> {
        let of = if self.gauntlet { line_ups::gauntlet } else { line_ups::design };
        of(agents, players)
    }

    /// The line-ups of a run, which must be those of its agents.
    fn line_ups_of(&self, manifest: &Manifest) -> Result<Vec<Vec<usize>>, String> {
        in_range(self.until.is_none_or(|until| until > 0.0))?;
        let agents = manifest.agents.len();
        let fits = (2..=AGENTS_MAX).contains(&agents) && (2..=6).contains(&manifest.players);
        let line_ups = self.line_ups(if fits { agents } else { 0 }, manifest.players.into());
        let planned = &manifest.plan.matches_of_a_block;
        let same = |(plan, line_up): (&MatchPlan, &Vec<usize>)| {
            plan.variant == 0 && plan.forced.is_none() && plan.seats == *line_up
        };
        let fits =
            fits && planned.len() == line_ups.len() && planned.iter().zip(&line_ups).all(same);
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
        let estimator = Estimator::first(totals, self.is_watched());
        let (line_ups, anchor) = (self.line_ups_of(manifest)?, self.anchor(manifest)?);
        Ok(Rated::new(estimator, manifest.agent_names(), line_ups, anchor))
    }

    /// Half the widest interval of a rating; nothing if one has none.
    fn widest(&self, manifest: &Manifest, totals: &Totals) -> Option<f64> {
        let rated = self.rated(manifest, totals).ok()?;
        let others = (0..rated.agents.len()).filter(|&agent| agent != rated.anchor);
        let half = |agent| rated.elo(agent).interval.map(|(lo, hi)| (hi - lo) / 2.0);
        let all: Option<Vec<f64>> = others.map(half).collect();
        all?.into_iter().reduce(f64::max)
    }
}

impl Study for Tournament {
    fn question(&self) -> Question {
        Question::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "tournament"
    }

    fn is_watched(&self) -> bool {
        self.until.is_some()
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        self.anchor(manifest)?;
        let line_ups = self.line_ups_of(manifest)?.len();
        let count = TournamentCount { seats: manifest.players.into(), line_ups, first: 0 };
        Ok(vec![Section { matches: 0..line_ups, count: Box::new(count) }])
    }

    fn described(&self) -> Vec<Described> {
        vec![RATINGS, CROSSTABLE, SEATS, DESIGN, ANOMALIES]
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let rated = self.rated(context.manifest, totals)?;
        let design = design_table(&rated, totals.blocks());
        let crosstable = crosstable::table(&rated);
        Ok(vec![rated.ratings(), crosstable, rated.seats(), design, study::anomalies(totals)])
    }

    fn stop(&self, manifest: &Manifest, totals: &Totals) -> Option<String> {
        let until = self.until?;
        if totals.blocks() < BLOCKS_BEFORE_STOP {
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

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let rows = |name| table(tables, name).map_or(&[][..], |table| &table.rows);
        let ratings = rows(RATINGS.name);
        let first = strongest(ratings);
        let open = first.tone == Tone::Open;
        let mut sentences = vec![first];
        sentences.extend(unrated(ratings));
        sentences.extend(fit(rows(CROSSTABLE.name)));
        sentences.extend(cycle(rows(CROSSTABLE.name)));
        sentences.extend(balance(rows(DESIGN.name)));
        let next = if open { next::longer(self, manifest) } else { None };
        let next = next.map(|command| format!("Narrower intervals:\n  {command}"));
        Answer { sentences, grid: grid(ratings), next: next.into_iter().collect() }
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
        Row { keys, metric, estimate, blocks, n, more: Vec::new() }
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

/// The row of an agent and a metric.
fn find<'a>(rows: &'a [Row], agent: &str, metric: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.metric == metric && row.keys[0] == agent)
}

/// The agents with a rank, the first first; then the others.
fn by_rank(ratings: &[Row]) -> Vec<&Row> {
    let mut ranks: Vec<&Row> = ratings.iter().filter(|row| row.metric == "rank").collect();
    let rank = |row: &Row| row.estimate.map_or(f64::NAN, |estimate| estimate.value);
    // A number that is missing comes last.
    ranks.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    ranks
}

/// Who is the strongest, if the interval for all pairs says so.
fn strongest(ratings: &[Row]) -> Sentence {
    let unit = Unit::Number(0);
    let ranked = by_rank(ratings);
    let elo = |row: &Row| cell(find(ratings, &row.keys[0], "elo"), unit);
    let [first, second, ..] = &ranked[..] else {
        return Sentence::new(Tone::Open, "No match was played.");
    };
    let above = find(ratings, &first.keys[0], "elo_above_next");
    let Some(above) = above else {
        let text = "No agent has a rating: wins and losses link nobody with the anchor.";
        return Sentence::new(Tone::Open, text);
    };
    let (name, next) = (&first.keys[0], &second.keys[0]);
    let anchor = ratings.iter().find(|row| {
        row.metric == "elo" && row.estimate.is_some_and(|estimate| estimate.method == Method::Fixed)
    });
    let anchor = anchor.map_or("the anchor", |row| row.keys[0].as_str());
    if more(above, 2).is_empty() {
        let text = format!(
            "Undecided who is the strongest: {name} at {} Elo, {next} at {} ({anchor} is 0).",
            elo(first),
            elo(second)
        );
        return Sentence::new(Tone::Open, text);
    }
    let text = format!(
        "{name} is the strongest: {} Elo above the next, {next} ({anchor} is 0).",
        cell(Some(above), unit)
    );
    Sentence::new(Tone::Yes, text)
}

/// The agents without a rating.
fn unrated(ratings: &[Row]) -> Option<Sentence> {
    let none = |row: &&Row| {
        row.metric == "elo"
            && row.estimate.is_some_and(|estimate| estimate.method == Method::NoMaximum)
    };
    let names: Vec<&str> = ratings.iter().filter(none).map(|row| row.keys[0].as_str()).collect();
    let text = format!(
        "No rating: {}. Wins and losses must link an agent with the anchor both ways.",
        names.join(", ")
    );
    (!names.is_empty()).then(|| Sentence::new(Tone::Open, text))
}

/// Whether one rating per agent fits all pairs.
fn fit(crosstable: &[Row]) -> Option<Sentence> {
    let residuals: Vec<&Row> = crosstable.iter().filter(|row| row.metric == "residual").collect();
    let size = |row: &Row| row.estimate.map_or(0.0, |estimate| estimate.value);
    let misfit = residuals.iter().filter(|row| more(row, 2) == MISFIT);
    let largest = misfit.max_by(|a, b| size(a).total_cmp(&size(b)));
    if let Some(row) = largest {
        let find = |metric| {
            let row = crosstable.iter().find(|one| one.metric == metric && one.keys == row.keys);
            cell(row, Unit::Share)
        };
        let text = format!(
            "One rating per agent does not fit: of the matches that {} or {} won, {} won {}; by their ratings it \
             would be {}{}.",
            row.keys[0],
            row.keys[1],
            row.keys[0],
            find("win_share"),
            find("expected_share"),
            adjusted_p(more(row, 1)),
        );
        return Some(Sentence::new(Tone::No, text));
    }
    let tested = residuals.iter().filter(|row| {
        row.keys[0] < row.keys[1]
            && row.estimate.is_some_and(|estimate| estimate.interval.is_some())
    });
    let tested = tested.count();
    if tested == 0 {
        let free = |row: &&Row| row.estimate.is_some_and(|one| one.method == Method::Fixed);
        let none = !residuals.is_empty() && residuals.iter().all(free);
        let text = "Whether one rating per agent fits can't be seen: with these line-ups, ratings fit every pair.";
        return none.then(|| Sentence::new(Tone::Plain, text));
    }
    let text =
        format!("One rating per agent fits, as far as can be seen: {tested} pairs were tested.");
    Some(Sentence::new(Tone::Plain, text))
}

fn adjusted_p(p: &str) -> String {
    match p.strip_prefix('<') {
        _ if p.is_empty() => String::new(),
        Some(most) => format!(" (adjusted p below {most})"),
        None => format!(" (adjusted p {p})"),
    }
}

/// The strongest cycle, if there is one for sure.
fn cycle(crosstable: &[Row]) -> Option<Sentence> {
    let shares: Vec<&Row> = crosstable.iter().filter(|row| row.metric == "win_share").collect();
    let mut names: Vec<&str> = Vec::new();
    for row in &shares {
        if !names.contains(&row.keys[0].as_str()) {
            names.push(&row.keys[0]);
        }
    }
    let found = |one: &str, other: &str| {
        shares.iter().copied().find(|row| row.keys[0] == one && row.keys[1] == other)
    };
    let link = |one: &&str, other: &&str| {
        let row = found(one, other).filter(|row| more(row, 2) == BEATS)?;
        more(row, 3).parse::<f64>().ok()
    };
    let links: Vec<Vec<Option<f64>>> =
        names.iter().map(|one| names.iter().map(|other| link(one, other)).collect()).collect();
    let cycle = strongest_cycle(&links)?;
    let beaten = cycle.iter().cycle().skip(1);
    let beats = cycle.iter().zip(beaten).map(|(&one, &other)| {
        let share = cell(found(names[one], names[other]), Unit::Share);
        format!("{} beats {} ({share})", names[one], names[other])
    });
    let beats: Vec<String> = beats.collect();
    let text = format!(
        "The strongest cycle: {}; shares of the matches that one of the two won.",
        beats.join(", ")
    );
    Some(Sentence::new(Tone::No, text))
}

/// How balanced the line-ups are.
fn balance(design: &[Row]) -> Option<Sentence> {
    let value = |agent: &str, metric: &str| {
        let row = find(design, agent, metric)?;
        row.estimate.map(|estimate| figures::fixed(estimate.value, 0))
    };
    let ends = |metric: &str, other: &str| {
        let of = |metric: &str, largest: bool| {
            let rows = design.iter().filter(|row| row.metric == metric);
            let values = rows.filter_map(|row| row.estimate.map(|estimate| estimate.value));
            values.reduce(if largest { f64::max } else { f64::min })
        };
        Some(range(&figures::fixed(of(metric, false)?, 0), &figures::fixed(of(other, true)?, 0)))
    };
    let text = format!(
        "A block has {} line-ups. An agent sits in {} of them, in each seat {} times; two agents meet {} times, and one \
         sits directly after the other {} times.",
        design.first()?.n,
        ends("line_ups", "line_ups")?,
        ends("seat_least", "seat_most")?,
        range(&value("", "together_least")?, &value("", "together_most")?),
        range(&value("", "after_least")?, &value("", "after_most")?),
    );
    Some(Sentence::new(Tone::Plain, text))
}

fn range(least: &str, most: &str) -> String {
    if least == most { least.to_owned() } else { format!("{least} to {most}") }
}

/// The agents in their order.
fn grid(ratings: &[Row]) -> Grid {
    let cells = |row: &Row| {
        let name = &row.keys[0];
        let of = |metric, unit| cell(find(ratings, name, metric), unit);
        vec![
            name.clone(),
            of("elo", Unit::Number(0)),
            of("win_rate_among_anchors", Unit::Share),
            of("win_rate", Unit::Share),
        ]
    };
    Grid {
        title: "Ratings".to_owned(),
        header: header(&["agent", "Elo (95 %)", "alone among anchors", "win rate here"]),
        rows: by_rank(ratings).into_iter().map(cells).collect(),
    }
}
