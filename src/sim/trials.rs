//! Experiments: in each block a planned list of matches, which differ in who sits where, in the rule set,
//! or in a choice that is forced, all on the same chance streams. Sections of the list are counted as
//! their question asks.

use crate::core::agent::{Agent, NoAgent, Player};
use crate::core::game::End;
use crate::core::measure::Measure;
use crate::core::record::Recorder;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::choices::Pad;
use crate::sim::diagnosis::{Looking, Seen, Witness};
use crate::sim::experiment::{BlockSums, Experiment, MatchId, Worker};
use crate::sim::layout::Layout;
use crate::sim::luck::{Judges, LuckMeter};
use crate::sim::match_summary::{MatchSummarizer, MatchSummary};
use crate::sim::play::fork::{Fork, Paused};
use crate::sim::play::made::Order;
use crate::sim::play::{AgentFault, Arena};
use crate::sim::reliability::{Judging, Notes};
use crate::sim::simulation::Agents;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What is noted of matches that are left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noting {
    /// Nothing.
    Nothing,
    /// The luck of draws, by a judge.
    Luck,
    /// All that `simulate` counts and more, of the first matches of a block.
    Seen(Looking),
}

/// One match of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchPlan {
    /// The rule set's number.
    pub variant: usize,
    /// Which agent sits in each seat.
    pub seats: Vec<usize>,
    /// The option that the first choice of the match is forced to; `None` in a match that is left alone.
    pub forced: Option<usize>,
    /// Its luck after the deal; 0 is the block's own, which all matches with 0 share.
    #[serde(default, skip_serializing_if = "is_own")]
    pub luck: u16,
    /// The places that the first founder is made to take, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub founded: Vec<u8>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_own(luck: &u16) -> bool {
    *luck == 0
}

impl MatchPlan {
    /// A match that is left alone.
    pub fn plain(variant: usize, seats: Vec<usize>) -> MatchPlan {
        MatchPlan { variant, seats, forced: None, luck: 0, founded: Vec::new() }
    }
}

/// The result of one match of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trial {
    /// An agent broke the rules.
    Failed,
    /// It was left alone, and the guest in this seat has lost it by failing; for the others it has no result.
    Lost(Seat),
    /// It was left alone, and ended this way.
    Ended(MatchSummary),
    /// The choice came and was forced, and the match ended this way.
    Forced(MatchSummary, Choosing),
    /// The choice never came.
    Absent,
    /// The choice came, but not all options were open.
    Closed,
}

/// The decision at which a choice was forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choosing {
    /// Who chose.
    pub seat: Seat,
    /// What the agent wanted, as a place among the options that are compared.
    pub wanted: usize,
    /// Whether the match ended with the forced action itself.
    pub at_once: bool,
}

/// Counts the matches of a section.
pub trait Count: Send + Sync {
    /// Number of counters.
    fn width(&self) -> usize;

    /// Adds the results of a block's matches.
    fn count(&self, block: u64, trials: &[Trial], sums: &mut [u64]);
}

/// A section of a block's matches, and how they are counted.
pub struct Section {
    /// The matches.
    pub matches: Range<usize>,
    /// The counting.
    pub count: Box<dyn Count>,
}

/// The experiment.
pub struct Trials<'a, G: Measure, K: Agent<G> = NoAgent> {
    /// The master seed.
    pub seed: u64,
    /// The rules, by variant.
    pub games: Vec<G>,
    /// Makes the distinct agents for a rule set.
    pub agents: Agents<'a, G, K>,
    /// The choice that is forced.
    pub choice: usize,
    /// The options of it that are compared, in the order of their matches.
    pub options: Vec<usize>,
    /// The matches of a block.
    pub matches: Vec<MatchPlan>,
    /// The sections, one behind the other.
    pub sections: Vec<Section>,
    /// What is noted of matches that are left alone, beside how they end.
    pub noted: Noted<'a, G>,
    /// Once it says that what is played will be thrown away, no further match is begun.
    pub watch: &'a Watch,
}

/// What is noted of matches that are left alone, beside how they end.
pub enum Noted<'a, G: Measure> {
    /// Nothing.
    Nothing,
    /// How lucky each seat was, by a judge.
    Luck(Judges<'a, G>),
    /// What judges say of positions. It is counted behind the sections; all matches have one rule set.
    Said(Judging<'a, G>),
    /// All that `simulate` counts and more, of the first matches of a block; counted behind the sections, by variant.
    Seen(Looking),
}

/// Who notes it, at one table.
enum Listener<G: Measure> {
    Nobody,
    Luck(LuckMeter<G>),
    Said(Notes<G>),
    Seen(usize, Box<Witness<G>>),
}

/// Counters that every experiment has, before those of the sections.
pub const COMMON: usize = 7;
/// Blocks played.
pub const BLOCKS: usize = 0;
/// Matches played to an end.
pub const MATCHES: usize = 1;
/// Decisions of all matches.
pub const DECISIONS: usize = 2;
/// The first of the anomalies.
pub const ANOMALY: usize = 3;
/// Names of the anomalies, in the order of their counters.
pub const ANOMALIES: [&str; 4] = ["turn_limit", "standstill", "agent_failure", "choice_closed"];
const TURN_LIMIT: usize = 0;
const STANDSTILL: usize = 1;
/// An agent broke the rules.
pub const FAILURE: usize = 2;
const CLOSED: usize = 3;

/// The arena and the agents of one variant.
struct Seating<G: Measure, K: Agent<G>> {
    arena: Arena<G>,
    players: Vec<Player<G, K>>,
    listener: Listener<G>,
}

/// Everything that one thread plays with.
struct Seated<'a, G: Measure, K: Agent<G>> {
    experiment: &'a Trials<'a, G, K>,
    seatings: Vec<Seating<G, K>>,
    pad: Pad,
    trials: Vec<Trial>,
}

/// The moment of a choice, and the summary up to there.
enum Prefix<G: Measure> {
    Failed,
    Absent,
    Closed,
    At(Box<Fork<G>>, MatchSummarizer),
}

impl<G: Measure, K: Agent<G>> Experiment for Trials<'_, G, K> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        let pad = Pad::default();
        let seating = |game: &G| Seating {
            arena: Arena::new(game.clone()),
            players: (self.agents)(game, &pad),
            listener: match &self.noted {
                Noted::Nothing => Listener::Nobody,
                Noted::Luck(judges) => Listener::Luck(LuckMeter::new(judges(game))),
                Noted::Said(judging) => Listener::Said(Notes::new(game, judging)),
                Noted::Seen(looking) => {
                    Listener::Seen(looking.matches, Box::new(Witness::new(game, *looking)))
                }
            },
        };
        let seatings = self.games.iter().map(seating).collect();
        Box::new(Seated { experiment: self, seatings, pad, trials: Vec::new() })
    }

    fn width(&self) -> usize {
        let noted = match &self.noted {
            Noted::Said(judging) => judging.count.width(),
            Noted::Seen(looking) => self.games.iter().map(|game| looking.width(game)).sum(),
            Noted::Nothing | Noted::Luck(_) => 0,
        };
        COMMON + self.sections.iter().map(|section| section.count.width()).sum::<usize>() + noted
    }

    fn anomalies(&self) -> usize {
        let of_seen = self.games.len() * Layout::ANOMALIES.len();
        ANOMALIES.len() + if matches!(self.noted, Noted::Seen(_)) { of_seen } else { 0 }
    }
}

impl<G: Measure, K: Agent<G>> Worker for Seated<'_, G, K> {
    fn play(&mut self, blocks: Range<u64>) -> BlockSums {
        let experiment = self.experiment;
        let mut played = BlockSums::new(experiment.width(), experiment.anomalies());
        let mut behind = COMMON;
        for block in blocks {
            self.pad.begin(block);
            experiment.play_block(self, block, &mut played);
            played.sums[BLOCKS] += 1;
            let mut at = COMMON;
            for Section { matches, count } in &experiment.sections {
                let sums = &mut played.sums[at..at + count.width()];
                count.count(block, &self.trials[matches.clone()], sums);
                at += count.width();
            }
            behind = at;
            for seating in &mut self.seatings {
                match &mut seating.listener {
                    Listener::Said(notes) => notes.end_block(&mut played.sums[at..]),
                    Listener::Seen(_, witness) => witness.end_block(),
                    Listener::Nobody | Listener::Luck(_) => {}
                }
            }
        }
        let mut first = ANOMALIES.len();
        for seating in &mut self.seatings {
            if let Listener::Seen(_, witness) = &mut seating.listener {
                behind = witness.take(&mut played, behind, first);
                first += Layout::ANOMALIES.len();
            }
        }
        played
    }
}

impl<G: Measure, K: Agent<G>> Trials<'_, G, K> {
    fn play_block(&self, worker: &mut Seated<'_, G, K>, block: u64, played: &mut BlockSums) {
        worker.trials.clear();
        let mut prefix: Option<(&MatchPlan, Prefix<G>)> = None;
        for (number, plan) in self.matches.iter().enumerate() {
            if self.watch.is_stopped() {
                worker.trials.resize(self.matches.len(), Trial::Absent);
                return;
            }
            worker.pad.enter(number as u64);
            let seating = &mut worker.seatings[plan.variant];
            let trial = if let Some(option) = plan.forced {
                // Matches that differ in the forced option only share all that comes before it.
                let same = |(other, _): &(&MatchPlan, _)| {
                    let same_luck = other.luck == plan.luck;
                    same_luck && other.variant == plan.variant && other.seats == plan.seats
                };
                if !prefix.as_ref().is_some_and(same) {
                    prefix = Some((plan, self.find_choice(seating, block, plan)));
                }
                let (_, prefix) = prefix.as_ref().expect("it was made above");
                self.force(seating, prefix, plan, option)
            } else if !plan.founded.is_empty() {
                self.found(seating, block, plan)
            } else {
                self.leave_alone(seating, (block, number as u64), plan)
            };
            // A position that can't be used is one, however many options it has. A place that is taken is no anomaly.
            let is_first = plan.founded.is_empty() && plan.forced == self.options.first().copied();
            if trial != Trial::Closed || is_first {
                note(played, trial, (block, number as u64));
            }
            worker.trials.push(trial);
        }
    }

    fn leave_alone(&self, seating: &mut Seating<G, K>, id: MatchId, plan: &MatchPlan) -> Trial {
        let mut summarizer = MatchSummarizer::default();
        let seed = BlockSeed::new(self.seed, id.0).with_luck(plan.luck);
        let Seating { arena, players, listener } = seating;
        let seen = Seen { id, seats: &plan.seats, seed };
        let played = match listener {
            Listener::Seen(first, witness) if id.1 < *first as u64 => {
                witness.begin(seen);
                let both: &mut dyn Recorder<G> = &mut (&mut summarizer, witness.listeners());
                arena.play(players, seen.seats, seed, both)
            }
            Listener::Nobody | Listener::Seen(..) => {
                arena.play(players, &plan.seats, seed, &mut summarizer)
            }
            Listener::Luck(meter) => {
                let both: &mut dyn Recorder<G> = &mut (&mut summarizer, meter);
                arena.play(players, &plan.seats, seed, both)
            }
            Listener::Said(notes) => {
                notes.begin(seed);
                let both: &mut dyn Recorder<G> = &mut (&mut summarizer, notes);
                arena.play(players, &plan.seats, seed, both)
            }
        };
        match (played, summarizer.summary()) {
            (Ok(_), Some(summary)) => Trial::Ended(match listener {
                Listener::Seen(first, witness) if id.1 < *first as u64 => {
                    if plan.luck == 0 {
                        witness.end_match(arena, players, seen, summary.winner);
                    }
                    summary
                }
                Listener::Nobody | Listener::Seen(..) => summary,
                Listener::Luck(meter) => MatchSummary { luck: meter.luck(), ..summary },
                Listener::Said(notes) => {
                    notes.end_match(summary.winner);
                    summary
                }
            }),
            (Err(AgentFault { seat, .. }), _) if self.watch.lost().is_some() => {
                let failed = players[plan.seats[seat.idx()]].fault().is_some();
                if failed { Trial::Lost(seat) } else { Trial::Failed }
            }
            _ => {
                if let Listener::Seen(first, witness) = listener
                    && id.1 < *first as u64
                {
                    witness.fault();
                }
                Trial::Failed
            }
        }
    }

    /// Plays a match whose first founder is made to take some places.
    fn found(&self, seating: &mut Seating<G, K>, block: u64, plan: &MatchPlan) -> Trial {
        let mut summarizer = MatchSummarizer::default();
        let seed = BlockSeed::new(self.seed, block).with_luck(plan.luck);
        let mut order = Order::new(&plan.founded);
        let Seating { arena, players, .. } = seating;
        let mut instead = |game: &G, state: &G::State, action| order.instead(game, state, action);
        let played = arena.play_made(players, &plan.seats, seed, &mut summarizer, &mut instead);
        let Some(wanted) = order.wanted.filter(|_| order.is_done()) else { return Trial::Closed };
        match (played, summarizer.summary()) {
            (Ok(Some(_)), Some(summary)) => {
                let seat = order.founder.unwrap_or(Seat::FIRST);
                Trial::Forced(summary, Choosing { seat, wanted, at_once: false })
            }
            _ => Trial::Failed,
        }
    }

    /// Plays up to the first decision that takes one of the options.
    fn find_choice(&self, seating: &mut Seating<G, K>, block: u64, plan: &MatchPlan) -> Prefix<G> {
        let mut summarizer = MatchSummarizer::default();
        let seed = BlockSeed::new(self.seed, block).with_luck(plan.luck);
        let mut pause = |game: &G, state: &G::State, action: G::Action| {
            game.option(self.choice, state, action).is_some()
        };
        let Seating { arena, players, .. } = seating;
        match arena.play_until(players, &plan.seats, seed, &mut summarizer, &mut pause) {
            Err(_) => Prefix::Failed,
            Ok(Paused::Ended(_)) => Prefix::Absent,
            Ok(Paused::At(fork)) => {
                let game = arena.game();
                let open = |&option: &usize| {
                    game.with_option(self.choice, fork.state(), fork.action, option).is_some()
                };
                if self.options.iter().all(open) {
                    Prefix::At(fork, summarizer)
                } else {
                    Prefix::Closed
                }
            }
        }
    }

    fn force(
        &self,
        seating: &mut Seating<G, K>,
        prefix: &Prefix<G>,
        plan: &MatchPlan,
        option: usize,
    ) -> Trial {
        let (fork, summarizer) = match prefix {
            Prefix::Failed => return Trial::Failed,
            Prefix::Absent => return Trial::Absent,
            Prefix::Closed => return Trial::Closed,
            Prefix::At(fork, summarizer) => (fork, summarizer),
        };
        let Seating { arena, players, .. } = seating;
        let game = arena.game();
        let state = fork.state();
        let taken = game.option(self.choice, state, fork.action);
        let wanted = self.options.iter().position(|&option| Some(option) == taken);
        let forced = game.with_option(self.choice, state, fork.action, option);
        let (Some(action), Some(wanted)) = (forced, wanted) else { return Trial::Closed };
        let mut summarizer = summarizer.clone();
        let before = summarizer.decisions();
        let played = arena.play_from(fork, action, players, &plan.seats, &mut summarizer);
        match (played, summarizer.summary()) {
            (Ok(_), Some(summary)) => {
                let at_once = summary.decisions == before + 1;
                Trial::Forced(summary, Choosing { seat: fork.seat, wanted, at_once })
            }
            _ => Trial::Failed,
        }
    }
}

/// Counts what every experiment counts.
pub fn note(played: &mut BlockSums, trial: Trial, at: MatchId) {
    let kind = match trial {
        Trial::Failed | Trial::Lost(_) => Some(FAILURE),
        Trial::Closed => Some(CLOSED),
        Trial::Absent => None,
        Trial::Ended(summary) | Trial::Forced(summary, _) => {
            count(&mut played.sums, summary.decisions, summary.end);
            anomaly(summary.end)
        }
    };
    if let Some(kind @ (FAILURE | CLOSED)) = kind {
        played.sums[ANOMALY + kind] += 1;
    }
    if let Some(kind) = kind {
        played.firsts[kind] = played.firsts[kind].or(Some(at));
    }
}

/// Counts a match that was played to an end.
pub fn count(sums: &mut [u64], decisions: u32, end: End) {
    sums[MATCHES] += 1;
    sums[DECISIONS] += u64::from(decisions);
    if let Some(kind) = anomaly(end) {
        sums[ANOMALY + kind] += 1;
    }
}

/// What is rare about an end.
fn anomaly(end: End) -> Option<usize> {
    match end {
        End::Won => None,
        End::TurnLimit => Some(TURN_LIMIT),
        End::Standstill => Some(STANDSTILL),
    }
}
