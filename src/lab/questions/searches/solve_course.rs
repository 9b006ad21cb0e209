//! The course of `solve`: candidates on common deals, of which the worse half is dropped again and again (successive
//! halving), then those that are left on fresh deals.
//!
//! Source of the halving: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013.

use crate::lab::questions::searches::search::{
    CourseStage, Halt, Metric, Stage, StageSums, Stages, deals, lone,
};
use crate::lab::questions::searches::solve_also::{dominators, means};
use crate::lab::questions::searches::solve_settings::{Aim, Solve};
use crate::lab::questions::searches::tune_course::Course;
use crate::lab::questions::studies::estimator::{Estimator, Judged};
use crate::lab::questions::studies::rates::Rates;
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::comparison::ChallengeFinding;
use crate::lab::report::manifest::Manifest;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::counts::restricted::RestrictedCount;
use crate::sim::counts::wins::WinsCount;
use crate::sim::learn::{WeightCourse, WeightState};
use crate::sim::trials::{self, MatchPlan};
use crate::stats::held::Held;

/// The streams of the master seed, behind those of `tune`: the deals of the search, and fresh ones.
const SEARCHED: u64 = 10;
const FRESH: u64 = 11;

/// How a candidate did in the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// Its number.
    pub candidate: usize,
    /// Its place among all, the best first.
    pub rank: usize,
    /// The largest difference between two options; nothing if nothing was seen.
    pub spread: Option<f64>,
    /// Blocks.
    pub blocks: u64,
    /// Matches.
    pub matches: u64,
}

/// A finalist on fresh deals.
#[derive(Debug, Clone, PartialEq)]
pub struct Final {
    /// The candidate's number.
    pub candidate: usize,
    /// Who plays, and whether the agent was tuned for this rule set.
    pub agent: String,
    /// Whether it is one that was tuned.
    pub adapted: bool,
    /// Win rates of the restricted seats by option.
    pub sums: StageSums,
    /// Whole matches, if there are further aims.
    pub whole: Option<StageSums>,
}

/// What was played under a candidate's rules in the search.
#[derive(Debug, Clone)]
struct Seen {
    sums: StageSums,
    whole: Option<StageSums>,
}

/// Each of some styles, agents from 1, alone among those of agent 0, once in each seat.
pub fn among(styles: usize, players: u8) -> Vec<MatchPlan> {
    (1..=styles).flat_map(|style| lone(style, 0, players)).collect()
}

/// A search on its way.
pub struct Solving<'a> {
    plan: &'a Solve,
    manifest: &'a Manifest,
    agent: AgentSpec,
    stages: &'a mut dyn Stages,
}

/// The win rates of restricted seats, or of seats or styles.
pub fn rates<'a>(plan: &Solve, sums: &'a StageSums, players: u8) -> Rates<'a> {
    let Solve { options, target, .. } = plan;
    let players = usize::from(players);
    let seats = plan.aim == Aim::Seats;
    let terms = if seats {
        let count = WinsCount { matches: 1, players };
        // A match without a winner is nobody's.
        (0..players)
            .map(|seat| vec![(trials::COMMON + count.wins(0, seat), trials::BLOCKS)])
            .collect()
    } else {
        let count = RestrictedCount { options: options.len(), players };
        let term = |option, seat| {
            let at = count.of(option, seat);
            (at + RestrictedCount::WINS, at + RestrictedCount::MATCHES)
        };
        let of = |option| (0..players).map(|seat| term(option, seat)).collect();
        (0..options.len()).map(of).collect()
    };
    let offset = if seats { 0 } else { trials::COMMON };
    let estimator = Estimator::new(&sums.grouped, offset, false);
    let blocks = sums.grouped.blocks();
    Rates {
        estimator,
        terms,
        options: options.iter().map(|option| option.name.clone()).collect(),
        things: estimator.all().blocks(),
        held: if seats {
            Held::new(blocks, blocks)
        } else {
            Held::anywhere(blocks * players as u64)
        },
        margin: *target,
        closed: None,
    }
}

impl<'a> Solving<'a> {
    /// A search at its beginning; the plan fits the manifest.
    pub fn new(plan: &'a Solve, manifest: &'a Manifest, stages: &'a mut dyn Stages) -> Solving<'a> {
        let agent = manifest.agents.first().map(AgentEntry::spec).expect("the plan fits");
        Solving { plan, manifest, agent, stages }
    }

    /// Searches, and certifies what is left: how each candidate did, and the finalists, those of tuned agents behind.
    ///
    /// # Errors
    /// If a stage was not played.
    pub fn run(mut self) -> Result<(Vec<Tried>, Vec<Final>), Halt> {
        let tried = self.search()?;
        let finalists = self.finalists(&tried);
        let mut all = Vec::new();
        let agents = &self.manifest.agents;
        let levels: Vec<AgentSpec> =
            agents[agents.len() - self.plan.levels..].iter().map(AgentEntry::spec).collect();
        for agent in std::iter::once(self.agent.clone()).chain(levels) {
            for &candidate in &finalists {
                all.push(self.certify(candidate, agent.clone(), false)?);
            }
        }
        if !self.plan.families.is_empty() {
            for &candidate in &finalists {
                let agent = self.adapt(candidate)?;
                all.push(self.certify(candidate, agent, true)?);
            }
        }
        Ok((tried, all))
    }

    /// Plays all candidates, drops the worse half of them, plays the others for as long again, and so on.
    fn search(&mut self) -> Result<Vec<Tried>, Halt> {
        let count = self.plan.candidates.len();
        let mut seen: Vec<Option<Seen>> = vec![None; count];
        let mut left: Vec<usize> = (0..count).collect();
        let (mut before, mut blocks) = (0, self.plan.blocks);
        loop {
            for (number, &candidate) in left.iter().enumerate() {
                let what = format!("candidate {} of {}, {blocks} blocks", number + 1, left.len());
                let stage = self.stage(candidate, &self.agent, what, SEARCHED, before..blocks);
                let sums = self.stages.play(&stage)?;
                let whole = self.whole(&stage)?;
                match &mut seen[candidate] {
                    None => seen[candidate] = Some(Seen { sums, whole }),
                    Some(before) => {
                        before.sums.merge(&sums);
                        if let (Some(before), Some(more)) = (&mut before.whole, &whole) {
                            before.merge(more);
                        }
                    }
                }
            }
            if left.len() <= self.plan.finalists + 1 {
                break;
            }
            left = self.better(&left, &seen);
            (before, blocks) = (blocks, blocks * 2);
        }
        let all: Vec<usize> = (0..count).collect();
        let order = self.order(&all, &seen);
        let of = |(candidate, seen): (usize, &Option<Seen>)| Tried {
            candidate,
            rank: order.iter().position(|&of| of == candidate).unwrap_or(count),
            spread: seen.as_ref().and_then(|seen| self.spread(&seen.sums)),
            blocks: seen.as_ref().map_or(0, |seen| seen.sums.blocks()),
            matches: seen.as_ref().map_or(0, |seen| seen.sums.matches()),
        };
        Ok(seen.iter().enumerate().map(of).collect())
    }

    /// Candidates, the best first: those that the fewest others are better than in all aims, the most even of them first.
    fn order(&self, left: &[usize], seen: &[Option<Seen>]) -> Vec<usize> {
        let values = |&candidate: &usize| {
            let seen = seen[candidate].as_ref();
            let spread = seen.and_then(|seen| self.spread(&seen.sums)).unwrap_or(f64::INFINITY);
            let whole = seen.and_then(|seen| seen.whole.as_ref());
            let means = whole.map(|sums| means(&self.plan.also, sums, self.manifest.players));
            std::iter::once(spread).chain(means.unwrap_or_default()).collect()
        };
        let values: Vec<Vec<f64>> = left.iter().map(values).collect();
        // With one aim this is its order.
        let better =
            if self.plan.also.is_empty() { vec![0; left.len()] } else { dominators(&values) };
        let mut order: Vec<usize> = (0..left.len()).collect();
        order.sort_by(|&a, &b| {
            let even = values[a][0].total_cmp(&values[b][0]);
            better[a].cmp(&better[b]).then(even).then(left[a].cmp(&left[b]))
        });
        order.into_iter().map(|at| left[at]).collect()
    }

    /// Whole matches on the deals of a stage, with its first agent in all seats, if there are further aims.
    fn whole(&mut self, stage: &Stage) -> Result<Option<StageSums>, Halt> {
        if self.plan.also.is_empty() {
            return Ok(None);
        }
        let own = stage.changes.first().map_or(&[][..], Vec::as_slice);
        let options = usize::from(self.plan.aim.is_options());
        let seats = vec![0; usize::from(self.manifest.players)];
        let stage = Stage {
            agents: stage.agents[..1].to_vec(),
            matches: vec![MatchPlan::plain(0, seats)],
            changes: vec![own[..own.len() - options.min(own.len())].to_vec()],
            counted: Metric::Whole,
            ..stage.clone()
        };
        self.stages.play(&stage).map(Some)
    }

    /// The largest difference between two options.
    fn spread(&self, sums: &StageSums) -> Option<f64> {
        Some(self.judged(sums, 1)?.effect.value)
    }

    fn judged(&self, sums: &StageSums, families: usize) -> Option<Judged> {
        rates(self.plan, sums, self.manifest.players).largest_difference_of(families)
    }

    /// The better half of some candidates: the run's own rule set, the best of each size as long as there is room, and
    /// then the best of all.
    fn better(&self, left: &[usize], seen: &[Option<Seen>]) -> Vec<usize> {
        let room = left.len().div_ceil(2).max(self.plan.finalists + 1);
        let order = self.order(left, seen);
        let size = |candidate: usize| self.plan.candidates[candidate].size;
        let mut kept = vec![0];
        let mut sizes: Vec<u64> = vec![0];
        for &candidate in &order {
            if !sizes.contains(&size(candidate)) && kept.len() < room {
                sizes.push(size(candidate));
                kept.push(candidate);
            }
        }
        for &candidate in &order {
            if !kept.contains(&candidate) && kept.len() < room {
                kept.push(candidate);
            }
        }
        kept.sort_unstable();
        kept
    }

    /// Those that were played the longest, the run's own rule set first, then by size.
    fn finalists(&self, tried: &[Tried]) -> Vec<usize> {
        let most = tried.iter().map(|of| of.blocks).max().unwrap_or(0);
        let longest = tried.iter().filter(|of| of.blocks == most || of.candidate == 0);
        let mut all: Vec<&Tried> = longest.collect();
        let first = |of: &Tried| of.candidate != 0;
        all.sort_by(|a, b| first(a).cmp(&first(b)).then(a.rank.cmp(&b.rank)));
        let mut all: Vec<usize> =
            all.into_iter().take(self.plan.finalists + 1).map(|of| of.candidate).collect();
        // Candidates stand by size.
        all.sort_unstable();
        all
    }

    /// Each option for each seat, under the rules of a candidate.
    fn stage(
        &self,
        candidate: usize,
        agent: &AgentSpec,
        what: String,
        stream: u64,
        blocks: std::ops::Range<u64>,
    ) -> Stage {
        let Solve { options, candidates, .. } = self.plan;
        let aim = self.plan.aim;
        let own = &candidates[candidate].changes;
        let seats = vec![0; usize::from(self.manifest.players)];
        let mut agents = vec![agent.clone()];
        let (changes, matches) = match aim {
            Aim::Options => {
                let only = options.iter().flat_map(|option| &option.by_seat);
                let with = |only: &String| own.iter().cloned().chain([only.clone()]).collect();
                let changes: Vec<Vec<String>> = only.map(with).collect();
                let plan = |at| MatchPlan::plain(at, seats.clone());
                let matches = (0..changes.len()).map(plan).collect();
                (changes, matches)
            }
            Aim::Seats => (vec![own.clone()], vec![MatchPlan::plain(0, seats)]),
            Aim::Styles => {
                let styles = &self.manifest.agents[1..=self.plan.styles()];
                agents.extend(styles.iter().map(AgentEntry::spec));
                (vec![own.clone()], among(options.len(), self.manifest.players))
            }
        };
        let counted =
            if aim == Aim::Seats { Metric::Wins } else { Metric::Restricted(options.len()) };
        let seed = deals(self.manifest.seed, stream);
        Stage { what, agents, matches, changes, seed, blocks, counted }
    }

    /// Plays a finalist on fresh deals, the same for all.
    fn certify(
        &mut self,
        candidate: usize,
        agent: AgentSpec,
        adapted: bool,
    ) -> Result<Final, Halt> {
        let what = format!("certifying {}", self.plan.candidates[candidate].name());
        let stage = self.stage(candidate, &agent, what, FRESH, 0..self.plan.certified);
        let sums = self.stages.play(&stage)?;
        let whole = self.whole(&stage)?;
        Ok(Final { candidate, agent: agent.name, adapted, sums, whole })
    }

    /// The agent tuned for the rules of a candidate; as it was, if that is not shown to be better there.
    fn adapt(&mut self, candidate: usize) -> Result<AgentSpec, Halt> {
        let changes = self.plan.candidates[candidate].changes.clone();
        let adapting = self.plan.adapting();
        let mut ruled = Ruled { stages: &mut *self.stages, changes };
        // Against itself, whoever else the run knows.
        let alone = (self.agent.clone(), Vec::new());
        let tuned = Course::new(&adapting, alone, self.manifest, &mut ruled).run()?;
        let is_better = tuned.ruling.verdict == ChallengeFinding::Stronger;
        Ok(if is_better { tuned.agent } else { self.agent.clone() })
    }
}

/// Stages under a changed rule set.
struct Ruled<'a> {
    stages: &'a mut dyn Stages,
    changes: Vec<String>,
}

impl Stages for Ruled<'_> {
    fn play(&mut self, stage: &Stage) -> Result<StageSums, Halt> {
        self.stages.play(&Stage { changes: vec![self.changes.clone()], ..stage.clone() })
    }

    fn learn(&mut self, _: &CourseStage<'_, WeightCourse>) -> Result<WeightState, Halt> {
        Err("nothing is learned under changed rules".to_owned().into())
    }

    fn set_status(&mut self, standing: &str) {
        self.stages.set_status(standing);
    }
}
