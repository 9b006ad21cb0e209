//! Is agent A stronger than agent B (`compare A B`)? All seatings of the two on the same deals, until a sequential
//! test has decided, or the interval is as narrow as asked.

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::comparison::{COMPARE, DuelTest, PATH};
use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::study::{
    self, Context, Design, Study, in_range, is_share, unfit,
};
use crate::lab::report::answer::{Answer, Sentence, Tone, header, negative, table};
use crate::lab::report::comparison::{DuelFinding, Finding};
use crate::lab::report::described::{ANOMALIES, TableSchema};
use crate::lab::report::figures::{self, cell};
use crate::lab::report::format::percentage_points;
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::metric::Unit;
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::{Row, Table};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::batch::Totals;
use crate::sim::counts::duel;
use crate::sim::trials::{MatchPlan, Section};
use crate::stats::elo::difference_of_elo;
use crate::stats::jackknife::{Estimate, Method};
use crate::stats::mean_test::{MeanTest, TestBounds};
use crate::stats::sequential::Bounds;
use anyhow::{Result, ensure};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Duel>(KIND, &[COMPARE, PATH]);
const KIND: &str = "duel";

/// Blocks between two looks where agents play fast, and where they search.
const LOOK: u64 = 4;
const LOOK_SEARCHING: u64 = 1;

/// The most matches, if nobody says otherwise: the run stops by itself.
const MATCHES_MAX: u64 = 10_000_000;

/// The row of the difference.
const DIFFERENCE: &str = "A - B";

/// Is agent 0 stronger than agent 1? (`compare A B`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Duel {
    /// Difference of shares of matches under the null hypothesis.
    pub difference0: f64,
    /// The same under the alternative.
    pub difference1: f64,
    /// Probability of accepting the alternative when the null holds.
    pub alpha: f64,
    /// Probability of accepting the null when the alternative holds.
    pub beta: f64,
    /// The run stops when the interval of the difference is no wider than this to either side, instead of
    /// where the test says.
    pub until: Option<f64>,
    /// Whether the difference is also shown less the luck of draws and rolls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub less_luck: bool,
}

/// Who sits with whom when two agents are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Seatings {
    /// Every seating with as many of one as of the other; at an odd table one more or less
    Even,
    /// One of A among B in each seat, and one of B among A
    Alone,
}

/// The null hypothesis and the alternative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hypotheses {
    /// Differences of shares of matches.
    Shares(f64, f64),
    /// Differences in Elo.
    Elo(f64, f64),
}

/// Two agents at a table.
#[derive(Debug, Clone)]
pub struct Pair {
    /// A and B.
    pub agents: [AgentSpec; 2],
    /// Seats at the table.
    pub players: u8,
    /// Who sits with whom.
    pub line_ups: Seatings,
    /// The most matches, if there is a limit.
    pub matches: Option<u64>,
    /// Blocks between two looks, if they are given.
    pub look: Option<u64>,
    /// Whether luck is judged.
    pub less_luck: bool,
}

impl Duel {
    /// Every seating of two agents, each once a block, tested at error rates alpha and beta.
    ///
    /// # Errors
    /// If the hypotheses are not two shares of which the first is smaller.
    pub fn design(
        pair: Pair,
        hypotheses: Hypotheses,
        [alpha, beta]: [f64; 2],
        until: Option<f64>,
    ) -> Result<Design> {
        let Pair { agents, players, line_ups, matches: most, look, less_luck } = pair;
        let players = usize::from(players);
        let matches = match line_ups {
            Seatings::Even => duel::DuelCount::even(players),
            Seatings::Alone => duel::DuelCount::alone(players),
        };
        let (difference0, difference1) = hypotheses.shares(&matches);
        ensure!(
            -1.0 < difference0 && difference0 < difference1 && difference1 < 1.0,
            "the hypotheses {} are no pair: the smaller first, and shares between -100 pp and 100 pp",
            hypotheses.said()
        );
        let study = Box::new(Duel { difference0, difference1, alpha, beta, until, less_luck });
        let searching = agents.iter().any(AgentSpec::is_searching);
        let look = look.unwrap_or(if searching { LOOK_SEARCHING } else { LOOK });
        let blocks = most.unwrap_or(MATCHES_MAX).div_ceil(matches.len() as u64);
        let (variants, agents) = (vec![Variant::base()], agents.into());
        Ok(Design { question: study, variants, agents, matches, blocks, chunk: look })
    }

    /// The comparison of a run.
    fn comparison(&self, manifest: &Manifest) -> Result<DuelTest, String> {
        let Duel { difference0, difference1, alpha, beta, until, less_luck } = *self;
        let rates = [alpha, beta].into_iter().all(|rate| 0.0 < rate && rate < 0.5);
        let means = -1.0 < difference0 && difference0 < difference1 && difference1 < 1.0;
        in_range(rates && means && until.is_none_or(is_share))?;
        let duel = duel::DuelCount::of(&manifest.plan.matches_of_a_block).ok_or_else(unfit)?;
        let duel = if less_luck { duel.with_luck() } else { duel };
        let test = MeanTest { mean0: difference0, mean1: difference1, alpha, beta };
        Ok(DuelTest { duel, test, until, same: are_same(manifest) })
    }

    /// The test says who is stronger only if the hypothesis that it rejects has 0 on its side; else a verdict
    /// of that kind is the interval's.
    fn tested(&self, manifest: &Manifest, finding: DuelFinding) -> Tested {
        if manifest.played.stopped.is_none() || self.until.is_some() {
            return Tested::Nothing;
        }
        let by_the_test = match finding {
            DuelFinding::AStronger(_) => self.difference0 >= 0.0,
            DuelFinding::BStronger(_) => self.difference1 <= 0.0,
            _ => false,
        };
        if by_the_test { Tested::Stronger } else { Tested::Otherwise }
    }
}

impl Hypotheses {
    /// Both, in their unit.
    fn said(self) -> String {
        match self {
            Hypotheses::Shares(one, other) => {
                format!("{} and {}", percentage_points(one), percentage_points(other))
            }
            Hypotheses::Elo(one, other) => format!("{one} and {other} Elo"),
        }
    }

    /// As differences of shares, for the line-ups of a block.
    fn shares(self, matches: &[MatchPlan]) -> (f64, f64) {
        let seats = |plan: &MatchPlan| {
            let of_b: usize = plan.seats.iter().sum();
            (plan.seats.len() - of_b, of_b)
        };
        let line_ups: Vec<(usize, usize)> = matches.iter().map(seats).collect();
        match self {
            Hypotheses::Shares(share0, share1) => (share0, share1),
            Hypotheses::Elo(elo0, elo1) => {
                (difference_of_elo(elo0, &line_ups), difference_of_elo(elo1, &line_ups))
            }
        }
    }
}

/// Whether the two agents are one and the same: every match of a block is then the same match. An agent that
/// searches by time is never the same twice.
fn are_same(manifest: &Manifest) -> bool {
    let [a, b] = &manifest.agents[..] else { return false };
    a.hash == b.hash && a.reproducible
}

impl Question for Duel {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "compare"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![COMPARE, PATH, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "Stronger means: wins more at tables of these two agents, in these seatings and under these rules. It \
         says nothing of tables with other agents, of other rules, or of people."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let names = manifest.agent_names();
        let compare = table(tables, "compare");
        let find =
            |agent: &str, metric: &str| compare.and_then(|table| table.find(&[agent], metric));
        let difference = find(DIFFERENCE, "win_difference");
        let finding = match difference.and_then(Row::finding) {
            Some(Finding::Duel(finding)) => *finding,
            _ => DuelFinding::Undecided,
        };
        let estimate = difference.and_then(|row| row.estimate);
        let tested = self.tested(manifest, finding);
        let first = match estimate {
            Some(_) if are_same(manifest) => same(&names),
            _ => stronger(&names, estimate, finding, tested),
        };
        let mut sentences = vec![first];
        if tested == Tested::Stronger {
            let text = "The estimate is biased, since runs stop when luck helps one side; the interval \
                        holds all the same.";
            sentences.push(Sentence::new(Tone::Plain, text));
        }
        let less_luck = find(DIFFERENCE, "win_difference_less_luck");
        sentences.extend(less_luck.map(|row| saved(row, find(DIFFERENCE, "matches_saved"))));
        // If the difference says nothing, neither does its transform.
        let known = estimate.filter(|estimate| {
            estimate.method == Method::Fixed
                || figures::interval(estimate, Unit::Difference).is_some()
        });
        let elo = known.and_then(|_| find(DIFFERENCE, "elo"));
        let row = |what: String, row: Option<&Row>, unit: Unit| vec![what, cell(row, unit)];
        let mut grid = Grid {
            title: "Agents".to_owned(),
            header: header(&["", "estimate (95 %)"]),
            rows: vec![
                row(format!("A wins ({})", names[0]), find("A", "win_share"), Unit::Share),
                row(format!("B wins ({})", names[1]), find("B", "win_share"), Unit::Share),
                row("A minus B".to_owned(), difference, Unit::Difference),
                row("the same in Elo".to_owned(), elo, Unit::Number(0)),
            ],
        };
        let less_luck = less_luck
            .map(|less| row("A minus B, less luck".to_owned(), Some(less), Unit::Difference));
        grid.rows.extend(less_luck);
        let open = sentences[0].tone == Tone::Open;
        let next = if open { next::longer(self, manifest) } else { None };
        let next = next.map(|command| format!("To see a smaller difference:\n  {command}"));
        Answer { sentences, grid, next: next.into_iter().collect() }
    }

    /// The path is for a picture.
    fn grids(&self, _: &Names, tables: &[Table]) -> Vec<Grid> {
        summary::study_grids(tables, &[PATH.name])
    }

    /// What the comparison would have cost without common deals.
    fn notes(&self, tables: &[Table]) -> Vec<String> {
        let rows = table(tables, COMPARE.name).map_or(&[][..], |table| &table.rows);
        let cost = rows.iter().find(|row| row.metric == "matches_unpaired");
        let note = |cost: &Row| {
            let unpaired = cost.estimate?.value;
            Some(format!(
                "Without common deals, the same certainty would have taken about {unpaired:.0} matches; \
                 with them it took {}.",
                cost.n
            ))
        };
        cost.and_then(note).into_iter().collect()
    }
}

impl Study for Duel {
    fn is_in_matches(&self) -> bool {
        true
    }

    fn until(&self) -> Option<f64> {
        self.until
    }

    fn is_sequential(&self) -> bool {
        true
    }

    fn keeps_looks(&self) -> bool {
        true
    }

    fn has_less_luck(&self) -> bool {
        self.less_luck
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        let duel = self.comparison(manifest)?.duel;
        Ok(vec![Section { matches: 0..duel.matches(), count: Box::new(duel) }])
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let comparison = self.comparison(context.manifest)?;
        let compare = comparison.table(Estimator::first(totals, true));
        Ok(vec![compare, comparison.path(totals), study::anomalies(self, totals)])
    }

    fn stop(&self, manifest: &Manifest, totals: &Totals) -> Option<String> {
        self.comparison(manifest).ok()?.stop(Estimator::first(totals, true))
    }

    /// The test, and the difference.
    fn standing(&self, manifest: &Manifest, totals: &Totals) -> Option<String> {
        let compare = self.comparison(manifest).ok()?.table(Estimator::first(totals, true));
        let value = |metric| Some(compare.find(&[DIFFERENCE], metric)?.estimate?.value);
        let points = 100.0 * value("win_difference")?;
        let Bounds { lower, upper } = TestBounds::new(self.alpha, self.beta).ratio;
        let llr = value("llr")?;
        Some(format!("LLR {llr:.1} [{lower:.1}, {upper:.1}], {points:.1} pp"))
    }

    fn undecided(&self) -> &'static str {
        match self.until {
            None => "the test has not decided",
            Some(_) => "the intervals are not as narrow as asked",
        }
    }
}

/// What the test has decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tested {
    /// Who is stronger.
    Stronger,
    /// Something else, such as that A is not stronger by so much.
    Otherwise,
    /// Nothing, or the run did not stop by the test.
    Nothing,
}

/// What is left of the difference without luck, and what that saves.
fn saved(less_luck: &Row, saved: Option<&Row>) -> Sentence {
    let difference = cell(Some(less_luck), Unit::Difference);
    let text = format!(
        "Less the luck of draws and rolls, A minus B is {difference}. That saves {} of the matches.",
        cell(saved, Unit::Share)
    );
    Sentence::new(Tone::Plain, text)
}

/// One agent under two names, or twice.
fn same(names: &[String]) -> Sentence {
    let text = if names[0] == names[1] {
        format!("A and B are the same agent ({}): every difference is 0 by design.", names[0])
    } else {
        let names = format!("A ({}) and B ({})", names[0], names[1]);
        format!("{names} are the same agent: every difference is 0 by design.")
    };
    Sentence::new(Tone::Plain, text)
}

/// Who is stronger, if the interval says so; else what the test says, which may decide before the interval.
fn stronger(
    names: &[String],
    difference: Option<Estimate>,
    finding: DuelFinding,
    tested: Tested,
) -> Sentence {
    const UNIT: Unit = Unit::Difference;
    let Some(estimate) = difference else {
        return Sentence::new(Tone::Open, "Undecided: no block was played.");
    };
    let by_what = if tested == Tested::Stronger { "" } else { "The interval excludes 0: " };
    let words = |winner: (&str, &str), loser: (&str, &str), by: &Estimate| {
        let ((letter, name), (other, weaker)) = (winner, loser);
        let by = figures::with_interval(Some(by), UNIT);
        format!("{by_what}{letter} ({name}) is stronger than {other} ({weaker}) by {by}.")
    };
    let (a, b) = (("A", names[0].as_str()), ("B", names[1].as_str()));
    match estimate.interval {
        Some((lo, _)) if lo > 0.0 => Sentence::new(Tone::Yes, words(a, b, &estimate)),
        Some((_, hi)) if hi < 0.0 => Sentence::new(Tone::No, words(b, a, &negative(&estimate))),
        _ => {
            let by = figures::with_interval(Some(&estimate), UNIT);
            let (a, b) = (a.1, b.1);
            if tested != Tested::Nothing {
                let text =
                    format!("By the test, {}: A ({a}) minus B ({b}) is {by}.", finding.words());
                return Sentence::new(Tone::Plain, text);
            }
            let text = format!("Undecided who is stronger: A ({a}) minus B ({b}) is {by}.");
            Sentence::new(Tone::Open, text)
        }
    }
}
