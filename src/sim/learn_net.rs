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

use crate::core::game::{End, Game, Turn};
use crate::core::net::Net;
use crate::core::opinion::{Judge, NetLesson, Opinion, shares};
use crate::core::record::Recorder;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::core::watch::{Watch, each};
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::choices::{Choices, Pad};
use crate::sim::course::{Course, CourseState, Learner, Session};
use crate::sim::net_training::{Positions, Trainer};
use crate::sim::play::Arena;
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
    /// Decisions from one position that is noted to the next, at least 1.
    pub every: u32,
    /// Tables that matches are played at in turn with that of the run.
    pub tables: Vec<OtherTable>,
}

/// Matches of a session. With 1,024 the net of On the Road judged 0.001 to 0.002 nats worse.
const SESSION: u64 = 4096;
/// How often the positions of a session are gone through.
const PASSES: u32 = 3;
/// Matches that are learned from for each that examines.
const EXAMINED: u64 = 20;
/// Where examining matches begin to count, so that a longer course has none of them among those it learns from.
const EXAMS: u64 = 1 << 48;

/// Parts of a nat that are counted: sums over matches are whole numbers.
pub const PARTS: f64 = 1e6;
/// The least chance that is told apart from none.
const CHANCE_MIN: f64 = 1e-9;
/// What is counted of examining matches: positions, and the surprise of each judgement.
pub const EXAM: usize = 1 + JUDGEMENTS;
/// The new net, the judgement of the game as it is, and its plain judgement.
pub const JUDGEMENTS: usize = 3;
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
        played..played.saturating_add(SESSION).min(end)
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
            let Some(winner) = played.winner else { continue };
            self.won += 1;
            let winner = u8::try_from(winner.idx()).expect("few seats");
            positions.add(played.positions, &played.inputs, winner);
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

/// What is learned from a match, or what it shows.
struct Played {
    inputs: Vec<f32>,
    positions: usize,
    exam: [u64; EXAM],
    winner: Option<Seat>,
    /// How it ended, unless an agent broke the rules.
    end: Option<End>,
    decisions: u32,
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

/// Tables, each with the player in all its seats, and what is noted there.
type Tables<'a, G, P> = Vec<(Arena<G>, [P; 1], Notes<'a, G>)>;

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
            let notes = Notes::new(game, lesson, course.every, net.as_ref());
            (Arena::new(game.clone()), [player], notes)
        };
        (tables.iter().map(at).collect(), pad)
    };
    let play = |(at, pad): &mut (Tables<'_, G, _>, Pad), number: u64| {
        pad.begin(number);
        let turn = usize::try_from(number % tables.len() as u64).expect("a few tables");
        let (game, (table, players, notes)) = (&tables[turn], &mut at[turn]);
        notes.begin();
        let seat_of = [0; SEATS_MAX];
        let seat_of = &seat_of[..usize::from(game.players())];
        let ended =
            table.play(players, seat_of, course.deal(number), notes as &mut dyn Recorder<G>);
        let outcome = ended.ok().map(|end| game.outcome(&end));
        let winner = outcome.as_ref().and_then(|outcome| outcome.winner);
        let played = notes.end(winner, outcome.map(|outcome| outcome.end));
        // A search that is stopped answers at once with what it has.
        let over = watch.is_stopped() || choices.is_some_and(|choices| choices.is_over());
        (!over).then_some(played)
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

/// Notes the inputs of positions, or the chances by each judgement.
struct Notes<'a, G: Opinion> {
    lesson: &'a NetLesson<G>,
    planner: G::Planner,
    /// The net that is examined, if one is.
    net: Option<&'a Net>,
    every: u32,
    seen: u32,
    positions: usize,
    inputs: Vec<f32>,
    chances: Vec<[PerSeat<f32>; JUDGEMENTS]>,
}

impl<'a, G: Opinion> Notes<'a, G> {
    fn new(game: &G, lesson: &'a NetLesson<G>, every: u32, net: Option<&'a Net>) -> Notes<'a, G> {
        let planner = game.planner(&game.weights());
        let (inputs, chances) = (Vec::new(), Vec::new());
        Notes { lesson, planner, net, every, seen: 0, positions: 0, inputs, chances }
    }

    fn begin(&mut self) {
        (self.seen, self.positions) = (0, 0);
        self.inputs.clear();
        self.chances.clear();
    }

    fn end(&mut self, winner: Option<Seat>, end: Option<End>) -> Played {
        let mut exam = [0; EXAM];
        if let Some(winner) = winner {
            exam[0] = self.chances.len() as u64;
            for chances in &self.chances {
                for (sum, chances) in exam[1..].iter_mut().zip(chances) {
                    *sum += parts(chances[winner.idx()]);
                }
            }
        }
        let inputs = std::mem::take(&mut self.inputs);
        Played { inputs, positions: self.positions, exam, winner, end, decisions: self.seen }
    }

    /// The chances by the net that is examined, by its inputs.
    fn chances(&mut self, net: &Net, seats: u8) -> PerSeat<f32> {
        let mut worths = [0.0; SEATS_MAX];
        let inputs = self.inputs.chunks_exact(self.lesson.list.names.len());
        for (worth, inputs) in worths.iter_mut().zip(inputs) {
            *worth = net.worth(inputs);
        }
        self.inputs.clear();
        shares(seats, worths, 1.0)
    }
}

/// Surprise at a winner in [`PARTS`] of a nat.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 21 million")]
fn parts(chance: f32) -> u64 {
    // What is no number counts as no chance.
    let chance = if chance.is_nan() { 0.0 } else { f64::from(chance) };
    let chance = chance.clamp(CHANCE_MIN, 1.0);
    libm::round(-PARTS * libm::log(chance)) as u64
}

impl<G: Opinion> Recorder<G> for Notes<'_, G> {
    fn on_applied(&mut self, game: &G, _action: G::Action, after: &G::State) {
        self.seen += 1;
        let over = game.turn(after) == Turn::Over;
        if over || !self.seen.is_multiple_of(self.every) {
            return;
        }
        self.positions += 1;
        (self.lesson.inputs)(&mut self.planner, game, after, &mut self.inputs);
        if let Some(net) = self.net {
            let learned = self.chances(net, game.players());
            let present = self.planner.net_win_probabilities(game, after);
            self.chances.push([learned, present, self.planner.win_probabilities(game, after)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::watch::Host;
    use crate::games::on_the_road::OnTheRoad;
    use crate::games::on_the_road::rules::Rules;

    fn course(matches: u64) -> NetCourse {
        NetCourse { seed: 5, matches, every: 4, tables: Vec::new() }
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

    #[test]
    fn surprise_is_counted_in_millionths() {
        assert_eq!([1.0, 0.5, 0.0, f32::NAN].map(parts), [0, 693_147, 20_723_266, 20_723_266]);
    }
}
