//! Is an agent stronger than the one that it was made from? Both play fresh deals until a sequential test decides, or a
//! number of matches is reached: the end of `tune` and of `learn`.

use crate::lab::questions::searches::search::{Halt, Metric, Stage, StageSums, Stages, lone};
use crate::lab::report::answer::{Sentence, Tone, negative};
use crate::lab::report::comparison::{ChallengeFinding, Finding};
use crate::lab::report::figures::with_interval;
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::counts::duel::DuelCount;
use crate::sim::counts::score::ScoreCount;
use crate::sim::trials::MatchPlan;
use crate::stats::betting;
use crate::stats::jackknife::{Estimate, Method};
use crate::stats::mean_test::MeanTest;
use crate::stats::sequential::{Decision, Scores};

/// No difference against one of 2 pp, with 5 % error either way, as `compare` has it.
const TEST: MeanTest = MeanTest { mean0: 0.0, mean1: 0.02, alpha: 0.05, beta: 0.05 };

/// The blocks of the first look; each further look has an eighth of what was played more.
const LOOK: u64 = 8;

/// Two agents, and where they meet.
#[derive(Debug, Clone)]
pub struct Challenge {
    /// The new agent.
    pub new: AgentSpec,
    /// The agent that it was made from.
    pub start: AgentSpec,
    /// Agents at whose tables each is alone; if there are none, the two play each other.
    pub pool: Vec<AgentSpec>,
    /// Players at the table.
    pub players: u8,
    /// The most matches.
    pub matches: u64,
}

/// What came of a challenge.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// What was shown.
    pub verdict: ChallengeFinding,
    /// The difference: of the shares of matches that the two agents win where they meet, or of their win rates alone
    /// among the pool. Its interval holds at all looks together.
    pub difference: Option<Estimate>,
    /// The sums; nothing if the two are the same.
    pub sums: Option<StageSums>,
}

/// Two agents, each alone in each seat in turn at tables of each agent of a pool: of the agents of a stage, the two come
/// first, then the pool.
pub fn tables(pool: usize, players: u8) -> Vec<MatchPlan> {
    let of = |other: usize| (0..2).flat_map(move |alone| lone(alone, 2 + other, players));
    (0..pool).flat_map(of).collect()
}

impl Challenge {
    fn plan(&self) -> Vec<MatchPlan> {
        if self.pool.is_empty() {
            return DuelCount::even(usize::from(self.players));
        }
        tables(self.pool.len(), self.players)
    }

    /// The most blocks.
    pub fn blocks(&self) -> u64 {
        (self.matches / self.plan().len() as u64).max(1)
    }

    /// Plays until it is decided, on the deals of a seed that nothing else has used.
    ///
    /// # Errors
    /// If a stage was not played.
    pub fn run(&self, seed: u64, stages: &mut dyn Stages) -> Result<Ruling, Halt> {
        if self.new.kind == self.start.kind && self.new.parameters == self.start.parameters {
            return Ok(Ruling { verdict: ChallengeFinding::Same, difference: None, sums: None });
        }
        let agents: Vec<AgentSpec> =
            [&self.new, &self.start].into_iter().chain(&self.pool).cloned().collect();
        let (matches, most) = (self.plan(), self.blocks());
        let mut all: Option<StageSums> = None;
        loop {
            let (before, ruling) = match &all {
                None => (0, None),
                Some(sums) => (sums.blocks(), Some(Ruling::of(sums, &matches))),
            };
            if let Some(ruling) = ruling.filter(|ruling| ruling.is_over() || before >= most) {
                return Ok(ruling);
            }
            let sums = stages.play(&Stage {
                what: standing(all.as_ref(), &matches),
                agents: agents.clone(),
                matches: matches.clone(),
                seed,
                blocks: before..(before + LOOK.max(before / 8)).min(most),
                changes: Vec::new(),
                counted: Metric::Scores,
            })?;
            match &mut all {
                None => all = Some(sums),
                Some(all) => all.merge(&sums),
            }
        }
    }
}

/// Where the comparison stands, for whoever watches.
fn standing(sums: Option<&StageSums>, matches: &[MatchPlan]) -> String {
    let difference = sums.and_then(|sums| Ruling::of(sums, matches).difference);
    format!("comparing: {}", with_interval(difference.as_ref(), Unit::Difference))
}

impl Ruling {
    fn of(sums: &StageSums, matches: &[MatchPlan]) -> Ruling {
        let most = ScoreCount::of(matches).most();
        let value = |at: usize| (at as f64 - most as f64) / most as f64;
        let values: Vec<f64> = (0..=2 * most).map(value).collect();
        let counts = sums.scores();
        let interval = betting::interval(&values, &counts, TEST.alpha);
        let scores = Scores::new(&values, &counts);
        let se = scores.variance().map(|variance| libm::sqrt(variance / scores.blocks()));
        let difference = scores.mean().map(|value| Estimate {
            value,
            se,
            interval: Some(interval),
            method: Method::BettingSequence,
        });
        let verdict = match (interval, TEST.decide(&values, &counts)) {
            ((low, _), _) if low > 0.0 => ChallengeFinding::Stronger,
            ((_, high), _) if high < 0.0 => ChallengeFinding::Weaker,
            (_, Decision::AcceptAlternative) => ChallengeFinding::Stronger,
            (_, Decision::AcceptNull) => ChallengeFinding::Alike,
            (_, Decision::Continue) => ChallengeFinding::Undecided,
        };
        Ruling { verdict, difference, sums: Some(sums.clone()) }
    }

    /// Whether more matches are not worth while. One that looks weaker by much is played on until that is certain.
    fn is_over(&self) -> bool {
        let far = self.difference.is_some_and(|difference| difference.value < -TEST.mean1);
        match self.verdict {
            ChallengeFinding::Undecided => false,
            ChallengeFinding::Alike => !far,
            ChallengeFinding::Stronger | ChallengeFinding::Weaker | ChallengeFinding::Same => true,
        }
    }

    /// Matches played, those in which an agent failed included.
    pub fn matches(&self) -> u64 {
        self.sums.as_ref().map_or(0, StageSums::matches)
    }

    /// Who is stronger, in words.
    pub fn sentence(&self, new: &str, start: &str) -> Sentence {
        sentence(self.verdict, self.difference.as_ref(), [new, start])
    }
}

/// What a row of a difference has found.
pub fn finding(row: Option<&Row>) -> ChallengeFinding {
    match row.and_then(Row::finding) {
        Some(Finding::Challenge(finding)) => *finding,
        _ => ChallengeFinding::Undecided,
    }
}

/// What is said of the difference of two agents, the new one first.
pub fn sentence(
    verdict: ChallengeFinding,
    difference: Option<&Estimate>,
    names: [&str; 2],
) -> Sentence {
    let [new, start] = names;
    let by = |difference: Option<&Estimate>| with_interval(difference, Unit::Difference);
    let is_clear = difference
        .and_then(|difference| difference.interval)
        .is_some_and(|(low, high)| low > 0.0 || high < 0.0);
    let test = if is_clear { "" } else { "By the sequential test, " };
    match verdict {
        ChallengeFinding::Stronger => {
            let text = format!("{test}{new} is stronger than {start} by {}.", by(difference));
            Sentence::new(Tone::Yes, text)
        }
        ChallengeFinding::Weaker => {
            let less = difference.map(negative);
            let text = format!("{new} is weaker than {start} by {}.", by(less.as_ref()));
            Sentence::new(Tone::No, text)
        }
        ChallengeFinding::Alike | ChallengeFinding::Undecided => {
            let why = match verdict {
                ChallengeFinding::Alike => "it is not stronger by 2 pp or more",
                _ => "all matches were played without a decision",
            };
            let text = format!(
                "{new} is not shown to be stronger than {start}: {why}. The difference is {}.",
                by(difference)
            );
            Sentence::new(Tone::Open, text)
        }
        ChallengeFinding::Same => Sentence::new(
            Tone::Open,
            format!("{new} is not shown to be stronger than {start}: they are the same agent."),
        ),
    }
}
