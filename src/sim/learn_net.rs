//! A net from experience: an agent plays matches against itself, and a net learns from their positions who won.
//!
//! Matches are played in sessions, on all cores, and every session is learned from in a fixed order: its positions are
//! shuffled by a seeded generator and gone through some times in batches (see [`Trainer`]). Since matches share no
//! luck and all are played by the same agent, the order of sessions means nothing. Where a course stands between two
//! sessions is a list of whole numbers ([`CourseState::encode`]): from there it can be resumed.
//!
//! Behind the matches that are learned from come others, a twentieth as many, that only examine what was learned: at
//! their positions the winner's chance is taken by the new net, by the judgement that the game has now, and by its plain
//! judgement. Their surprise is added up in millionths of a nat, by group of matches, so that differences have
//! intervals.

use crate::core::game::Game;
use crate::core::net::Net;
use crate::core::opinion::{NetLesson, Opinion};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::watch::{Watch, each};
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::choices::{Choices, Pad};
use crate::sim::course::{Course, CourseState, Learner, Session};
use crate::sim::net_matches::{EXAM, Labels, NetTable, Played};
use crate::sim::net_training::{Positions, Trainer};
use crate::sim::surprise::Surprise;
use crate::stats::jackknife::{GROUPS, Grouped};
use std::ops::Range;
use std::sync::Arc;

/// A table beside that of the run.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherTable {
    /// The whole rule set.
    pub rules: toml::Table,
    /// How many play.
    pub players: u8,
}

/// How a net is learned.
#[derive(Debug, Clone, PartialEq)]
pub struct NetCourse {
    /// Master seed of the matches.
    pub seed: u64,
    /// Matches to learn from.
    pub matches: u64,
    /// Tables that matches are played at in turn with that of the run.
    pub tables: Vec<OtherTable>,
    /// What is noted of matches.
    pub labels: Labels,
}

/// Matches of a session, or as many positions where matches branch. With 1,024 the net of On the Road judged 0.001 to 0.002 nats worse.
const SESSION: u64 = 4096;
/// How often the positions of a session are gone through.
const PASSES: u32 = 3;
/// Matches that are learned from for each that examines.
const EXAMINED: u64 = 20;
/// Where examining matches begin to count, so that a longer course has none of them among those it learns from.
const EXAMS: u64 = 1 << 48;

/// Far more than matches can bring.
const SUM_MAX: u64 = 1 << 50;

impl NetCourse {
    /// Matches that examine.
    pub fn examined(&self) -> u64 {
        self.matches.div_ceil(EXAMINED)
    }

    /// All matches.
    pub fn all(&self) -> u64 {
        self.matches.saturating_add(self.examined())
    }

    /// The luck of a match.
    fn deal(&self, number: u64) -> BlockSeed {
        let at = number.checked_sub(self.matches).map_or(number, |number| EXAMS + number);
        BlockSeed::new(self.seed, at)
    }
}

/// What learns a net, and what has examined it.
#[derive(Debug, Clone, PartialEq)]
pub struct NetLearner {
    trainer: Trainer,
    /// What the matches that examine have shown: [`EXAM`] counters, each match being a block.
    pub exam: Grouped,
}

/// Where a course of a net stands. The matches that examine count among those that were played, but not among those
/// that were won.
pub type NetState = CourseState<NetLearner>;

impl Course for NetCourse {
    type Learner = NetLearner;

    /// All are learned from, or all examine.
    fn due(&self, played: u64) -> Range<u64> {
        let end = if played < self.matches { self.matches } else { self.all() };
        let session = SESSION / (1 + u64::from(self.labels.siblings));
        played..played.saturating_add(session).min(end)
    }
}

impl Learner for NetLearner {
    fn encode(&self) -> Vec<u64> {
        let mut words = self.exam.blocks_by_group().to_vec();
        words.extend((0..GROUPS).flat_map(|group| self.exam.group(group)));
        words.extend(self.trainer.encode());
        words
    }

    fn decode(&self, words: &[u64]) -> Option<NetLearner> {
        let (blocks, rest) = words.split_at(GROUPS);
        let (sums, trainer) = rest.split_at(GROUPS * EXAM);
        let mut exam = Grouped::new(EXAM);
        if blocks.iter().chain(sums).any(|&count| count > SUM_MAX) {
            return None;
        }
        for ((group, &blocks), sums) in (0..).zip(blocks).zip(sums.chunks(EXAM)) {
            exam.add(group, blocks, sums);
        }
        Some(NetLearner { trainer: self.trainer.decode(trainer)?, exam })
    }
}

impl NetState {
    /// The beginning of a course, with a number of inputs.
    pub fn begin(inputs: usize, course: &NetCourse) -> NetState {
        let mut rng = BlockSeed::new(course.seed, 0).stream(Stream::Study, None, 0);
        let trainer = Trainer::new(inputs, &mut rng);
        CourseState::new(NetLearner { trainer, exam: Grouped::new(EXAM) })
    }

    /// The net as it is now.
    pub fn net(&self) -> Net {
        self.learner.trainer.net()
    }

    /// Learns from the matches of a session.
    fn learn(&mut self, matches: &[Played], course: &NetCourse) {
        let mut positions = Positions::default();
        let first = self.played;
        for played in matches {
            self.won += u64::from(played.is_won);
            for line in &played.lines {
                positions.add(&line.inputs, &line.targets);
            }
        }
        self.played += matches.len() as u64;
        if positions.is_empty() {
            return;
        }
        // A stream of its own: matches draw from others of this block.
        let mut rng = course.deal(first).stream(Stream::Study, None, 1);
        let share = |matches: f64| matches / course.matches as f64;
        let passes = f64::from(PASSES);
        for pass in 0..PASSES {
            let at = |pass: f64| share(first as f64 + matches.len() as f64 * pass / passes);
            let part = [at(pass.into()), at(f64::from(pass) + 1.0)];
            let sum = self.learner.trainer.pass(&positions, part, &mut rng);
            if pass == 0 {
                let surprise = Surprise { sum, positions: positions.len() as u64 };
                self.tenths.add(first, course.matches, surprise);
            }
        }
    }

    /// Examines what was learned.
    fn examine(&mut self, matches: &[Played]) {
        for played in matches {
            self.learner.exam.add(self.played, 1, &played.exam);
            self.played += 1;
        }
    }
}

/// Who plays the matches of a course.
#[derive(Clone, Copy)]
pub struct NetPlayers<'a, G: Game> {
    /// Where they are played in turn.
    pub tables: &'a [G],
    /// The agent in all seats.
    pub from: &'a AgentSpec,
    /// Agents that were added to those of the game.
    pub added: &'a [AddedAgent<G>],
    /// What searches ask of the outside.
    pub watch: &'a Watch,
    /// Where choices are kept, if they are: a match is a block.
    pub choices: Option<&'a Arc<Choices>>,
}

/// Tables, each with the player in all its seats.
type Seated<'a, G, P> = Vec<(NetTable<'a, G>, [P; 1])>;

/// Plays the next session of a course, at each of the tables in turn, and learns from it or examines by it. Nothing comes
/// of one that is stopped.
///
/// # Errors
/// If the agent can't be made.
pub fn session<G: Opinion>(
    players: &NetPlayers<'_, G>,
    lesson: &NetLesson<G>,
    course: &NetCourse,
    state: &NetState,
) -> Result<Option<Session<NetLearner>>, BadAgent> {
    let &NetPlayers { tables, from, added, watch, choices } = players;
    for game in tables {
        from.make_among(game, added, watch)?;
    }
    let examines = state.played >= course.matches;
    let net = examines.then(|| state.net());
    let worker = || {
        let pad = Pad::default();
        let at = |game: &G| {
            let player = from.make_among(game, added, watch).expect("it was made before");
            let player = match choices {
                Some(choices) => pad.keep(choices, player),
                None => player,
            };
            (NetTable::new(game, lesson, course.labels, net.as_ref()), [player])
        };
        (tables.iter().map(at).collect(), pad)
    };
    let is_over = || watch.is_stopped() || choices.is_some_and(|choices| choices.is_over());
    let play = |(at, pad): &mut (Seated<'_, G, _>, Pad), number: u64| {
        if is_over() {
            return None;
        }
        pad.begin(number);
        let turn = usize::try_from(number % tables.len() as u64).expect("a few tables");
        let (table, players) = &mut at[turn];
        let played = table.play(players, course.deal(number));
        // A search that is stopped answers at once with what it has.
        (!is_over()).then_some(played)
    };
    let due = course.due(state.played);
    let all: Option<Vec<Played>> =
        watch.on_threads(|| each(due, worker, play)).into_iter().collect();
    let Some(all) = all else { return Ok(None) };
    let mut state = state.clone();
    if examines {
        state.examine(&all);
    } else {
        watch.on_threads(|| state.learn(&all, course));
    }
    Ok(Some(Session::new(state, all.iter().map(|played| (played.decisions, played.end)))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::watch::Host;
    use crate::games::on_the_road::OnTheRoad;
    use crate::games::on_the_road::rules::Rules;

    fn course(matches: u64) -> NetCourse {
        NetCourse { seed: 5, matches, tables: Vec::new(), labels: Labels::plain(4) }
    }

    fn game() -> OnTheRoad {
        OnTheRoad::new(Rules::default(), 3).expect("the default rules")
    }

    fn lesson() -> NetLesson<OnTheRoad> {
        OnTheRoad::NET.expect("a net")
    }

    /// Stops everything at once.
    struct Stopped;

    impl Host for Stopped {
        fn is_stopped(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_course_that_is_stopped_or_forged_leads_nowhere() {
        let course = course(100);
        let begin = NetState::begin(lesson().list.names.len(), &course);
        let from = AgentSpec::parse("mcts:iterations=5", None).expect("an agent");
        let watch = &Watch::new(Stopped);
        let players =
            NetPlayers { tables: &[game()], from: &from, added: &[], watch, choices: None };
        let stopped = session(&players, &lesson(), &course, &begin);
        assert_eq!(stopped.expect("an agent"), None);
        let words = begin.encode();
        assert_eq!(begin.decode(&words), Some(begin.clone()));
        assert_eq!(begin.decode(&words[1..]), None, "a word less");
        for (at, word) in [(1, 1), (2, f64::NAN.to_bits()), (30, u64::MAX), (100, u64::MAX)] {
            let mut forged = words.clone();
            forged[at] = word;
            assert_eq!(begin.decode(&forged), None, "word {at}");
        }
    }
}
