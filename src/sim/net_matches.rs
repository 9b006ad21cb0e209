//! Matches that a net learns from, or that examine it: what is noted of their positions, and where they branch.
//!
//! A match that branches is played on from each of several actions at some of its decisions, all under the same luck and by
//! the same agent. Positions that differ by one action are what a search has to tell apart; under common luck most of
//! what chance does to them is the same, so that their results differ by what the action is worth.

use crate::core::agent::{Agent, Player};
use crate::core::chance::below;
use crate::core::game::{ActionFilter, End, Outcome, Turn};
use crate::core::net::Net;
use crate::core::opinion::{Judge, NetLesson, Opinion, Rate, shares};
use crate::core::record::Recorder;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, SEATS_MAX};
use crate::sim::play::Arena;
use crate::sim::play::fork::{Fork, Paused};

/// Parts of a nat that are counted: sums over matches are whole numbers.
pub const PARTS: f64 = 1e6;
/// What is counted of examining matches: positions, and the surprise of each judgement.
pub const EXAM: usize = 1 + JUDGEMENTS;
/// The new net, the judgement of the game as it is, and its plain judgement.
pub const JUDGEMENTS: usize = 3;
/// What is noted of matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labels {
    /// Decisions from one position that is noted to the next, at least 1.
    pub every: u32,
    /// Actions from each of which a match is played on where it branches; 0 if none does.
    pub siblings: u8,
    /// The part of what a match teaches by its end that is the final points, in percent; the rest is who won.
    pub points: u8,
    /// How far the end of a match reaches back, 0 to 1: what is due at a position is what is due at the next one that is
    /// noted, times this, and for the rest the chances there by the judgement that the game has. With 1 it is the end.
    pub lambda: f64,
}

impl Labels {
    /// Who won, of matches that don't branch.
    pub const fn plain(every: u32) -> Labels {
        Labels { every, siblings: 0, points: 0, lambda: 1.0 }
    }
}

/// The least chance that is told apart from none.
const CHANCE_MIN: f64 = 1e-9;
/// Positions that are noted from one decision at which a match branches to the next, and the most of each branch: so
/// each sibling brings about as many as the match itself.
const BRANCH: u32 = 8;
/// The luck of branches, a number of [`BlockSeed::with_luck`].
const BRANCH_LUCK: u16 = 1;
/// How far final points tell seats apart: a seat with none has e to the power of minus this of what the first one has.
const POINTS_SCALE: f32 = 4.0;

/// What is learned from a match, or what it shows.
pub struct Played {
    /// The match, and each that was played on from it; those without a winner teach nothing.
    pub lines: Vec<Line>,
    /// What it shows of the judgements.
    pub exam: [u64; EXAM],
    /// Whether somebody won.
    pub is_won: bool,
    /// How it ended, unless an agent broke the rules.
    pub end: Option<End>,
    /// Decisions of the match itself.
    pub decisions: u32,
}

/// Positions of a match from some point on.
pub struct Line {
    /// Their inputs, one after the other.
    pub inputs: Vec<f32>,
    /// What the chances of the seats should have been in each.
    pub targets: Vec<PerSeat<f32>>,
}

/// Where matches of a course are played.
pub struct NetTable<'a, G: Opinion> {
    arena: Arena<G>,
    labels: Labels,
    notes: Notes<'a, G>,
    /// The same of a match that is played on from a branch.
    branch: Notes<'a, G>,
    legal: Box<Actions<G::Action>>,
    ratings: Vec<f32>,
}

impl<'a, G: Opinion> NetTable<'a, G> {
    /// A table for a game; a net is examined there, if one is given.
    pub fn new(
        game: &G,
        lesson: &'a NetLesson<G>,
        labels: Labels,
        net: Option<&'a Net>,
    ) -> NetTable<'a, G> {
        let notes = |most| Notes::new(game, lesson, (labels, most), net);
        NetTable {
            arena: Arena::new(game.clone()),
            labels,
            notes: notes(usize::MAX),
            branch: notes(BRANCH as usize),
            legal: Box::default(),
            ratings: Vec::new(),
        }
    }

    /// Plays a match, and whatever branches from it. One that examines does not branch.
    pub fn play<K: Agent<G>>(&mut self, players: &mut [Player<G, K>], deal: BlockSeed) -> Played {
        self.notes.begin(0);
        let seat_of = [0; SEATS_MAX];
        let seat_of = &seat_of[..usize::from(self.arena.game().players())];
        let mut lines = Vec::new();
        let ended = if self.labels.siblings > 0 && self.notes.net.is_none() {
            self.branching(players, seat_of, deal, &mut lines)
        } else {
            self.arena.play(players, seat_of, deal, &mut self.notes as &mut dyn Recorder<G>).ok()
        };
        let outcome = ended.map(|end| self.arena.game().outcome(&end));
        let exam = self.notes.examined(outcome.as_ref());
        let decisions = self.notes.seen;
        lines.extend(self.notes.line(outcome.as_ref()));
        let is_won = outcome.as_ref().is_some_and(|outcome| outcome.winner.is_some());
        Played { lines, exam, is_won, end: outcome.map(|outcome| outcome.end), decisions }
    }

    /// Plays a match that branches; nothing if an agent breaks the rules.
    fn branching<K: Agent<G>>(
        &mut self,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        deal: BlockSeed,
        lines: &mut Vec<Line>,
    ) -> Option<G::State> {
        let apart = self.labels.every.saturating_mul(BRANCH);
        // Matches branch at different decisions, each equally likely.
        let mut wait = 1 + below(&mut deal.stream(Stream::Study, None, 2), apart);
        let mut pause = |game: &G, state: &G::State, _: G::Action| {
            wait = wait.saturating_sub(1);
            let is_due = wait == 0 && game.count(state, ActionFilter::NoOffers) > 1;
            if is_due {
                wait = apart;
            }
            is_due
        };
        let notes = &mut self.notes;
        let mut paused = self.arena.play_until(players, seat_of, deal, notes, &mut pause).ok()?;
        loop {
            let fork = match paused {
                Paused::Ended(end) => return Some(end),
                Paused::At(fork) => fork,
            };
            let other = self.arena.with_luck(&fork, deal.with_luck(BRANCH_LUCK));
            let listed = self.siblings(&fork);
            for at in 0..listed {
                let action = self.legal[at];
                self.branch.begin(self.labels.every - 1);
                let end =
                    self.arena.play_from(&other, action, players, seat_of, &mut self.branch).ok();
                let outcome = end.map(|end| self.arena.game().outcome(&end));
                lines.extend(self.branch.line(outcome.as_ref()));
            }
            let notes = &mut self.notes;
            paused = self.arena.resume_until(&fork, players, seat_of, notes, &mut pause).ok()?;
        }
    }

    /// Writes the actions from which a match is played on at a fork: those that the planner rates highest, but no offers.
    /// Returns how many.
    fn siblings(&mut self, fork: &Fork<G>) -> usize {
        let (game, legal) = (self.arena.game(), &mut self.legal);
        game.legal(fork.state(), ActionFilter::NoOffers, legal);
        let view = game.view(fork.state(), fork.seat);
        self.branch.planner.rate(game, &view, legal, &mut self.ratings);
        let mut best: Vec<(f32, G::Action)> =
            self.ratings.iter().copied().zip(legal.iter().copied()).collect();
        best.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        best.truncate(usize::from(self.labels.siblings));
        legal.clear();
        for &(_, action) in &best {
            legal.push(action);
        }
        best.len()
    }
}

/// Notes the inputs of positions, or the chances by each judgement.
struct Notes<'a, G: Opinion> {
    lesson: &'a NetLesson<G>,
    planner: G::Planner,
    /// The net that is examined, if one is.
    net: Option<&'a Net>,
    labels: Labels,
    /// The most positions that are noted of a match.
    most: usize,
    seen: u32,
    positions: usize,
    inputs: Vec<f32>,
    /// The chances by the judgement that the game has, where they are part of what is due.
    values: Vec<PerSeat<f32>>,
    chances: Vec<[PerSeat<f32>; JUDGEMENTS]>,
}

impl<'a, G: Opinion> Notes<'a, G> {
    fn new(
        game: &G,
        lesson: &'a NetLesson<G>,
        (labels, most): (Labels, usize),
        net: Option<&'a Net>,
    ) -> Notes<'a, G> {
        let planner = game.planner(&game.weights());
        let (inputs, values, chances) = (Vec::new(), Vec::new(), Vec::new());
        Notes { lesson, planner, net, labels, most, seen: 0, positions: 0, inputs, values, chances }
    }

    /// Begins a match, as if so many decisions had been seen.
    fn begin(&mut self, seen: u32) {
        (self.seen, self.positions) = (seen, 0);
        self.inputs.clear();
        self.values.clear();
        self.chances.clear();
    }

    /// What is learned from the positions.
    fn line(&mut self, outcome: Option<&Outcome>) -> Option<Line> {
        let mut targets = vec![target(outcome?, self.labels.points)?; self.positions];
        reach_back(&mut targets, &self.values, self.labels.lambda);
        Some(Line { inputs: std::mem::take(&mut self.inputs), targets })
    }

    /// What the match shows of the judgements.
    fn examined(&self, outcome: Option<&Outcome>) -> [u64; EXAM] {
        let mut exam = [0; EXAM];
        if let Some(winner) = outcome.and_then(|outcome| outcome.winner) {
            exam[0] = self.chances.len() as u64;
            for chances in &self.chances {
                for (sum, chances) in exam[1..].iter_mut().zip(chances) {
                    *sum += parts(chances[winner.idx()]);
                }
            }
        }
        exam
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

/// What the chances of the seats should have been in a match that ended so: all that of the winner, but for a part in
/// percent that goes by final points.
fn target(outcome: &Outcome, points: u8) -> Option<PerSeat<f32>> {
    let winner = outcome.winner?;
    let mut target = [0.0; SEATS_MAX];
    target[winner.idx()] = 1.0;
    if points > 0 {
        let part = f32::from(points) / 100.0;
        let most = outcome.points.iter().copied().max().unwrap_or(0).max(1);
        let worths = outcome.points.map(|own| POINTS_SCALE * f32::from(own) / f32::from(most));
        let by_points = shares(outcome.seats, worths, 1.0);
        for (due, by_points) in target.iter_mut().zip(by_points) {
            *due = (1.0 - part) * *due + part * by_points;
        }
    }
    Some(target)
}

/// Makes what is due at the end what is due at each position, the last one first: the end counts for a share of it, and
/// for the rest what the chances were at the next position (R. Sutton, "Learning to Predict by the Methods of Temporal
/// Differences", 1988). There are no chances where the end counts for all.
#[allow(clippy::cast_possible_truncation, reason = "chances are no more precise")]
fn reach_back(targets: &mut [PerSeat<f32>], values: &[PerSeat<f32>], lambda: f64) {
    let lambda = lambda as f32;
    for at in (0..values.len().saturating_sub(1)).rev() {
        let next = targets[at + 1];
        for (seat, due) in targets[at].iter_mut().enumerate() {
            *due = lambda * next[seat] + (1.0 - lambda) * values[at + 1][seat];
        }
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
        if over || self.positions == self.most || !self.seen.is_multiple_of(self.labels.every) {
            return;
        }
        self.positions += 1;
        (self.lesson.inputs)(&mut self.planner, game, after, &mut self.inputs);
        if let Some(net) = self.net {
            let learned = self.chances(net, game.players());
            let present = self.planner.net_win_probabilities(game, after);
            self.chances.push([learned, present, self.planner.win_probabilities(game, after)]);
        } else if self.labels.lambda < 1.0 {
            self.values.push(self.planner.net_win_probabilities(game, after));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::game::Game;
    use crate::core::types::seat::Seat;
    use crate::core::watch::Watch;
    use crate::games::on_the_road::OnTheRoad;
    use crate::games::on_the_road::opinion::inputs::NET;
    use crate::games::on_the_road::rules::Rules;
    use crate::sim::agents::spec::AgentSpec;

    #[test]
    fn surprise_is_counted_in_millionths() {
        assert_eq!([1.0, 0.5, 0.0, f32::NAN].map(parts), [0, 693_147, 20_723_266, 20_723_266]);
    }

    /// By hand: points of 10 and 5 have e^4 and e^2, shares of 0.8808 and 0.1192, which are half of what is due.
    #[test]
    fn what_is_due_is_the_win_and_a_part_by_points() {
        let points = [10, 5, 0, 0, 0, 0];
        let outcome = Outcome { end: End::Won, winner: Some(Seat::FIRST), points, seats: 2 };
        assert_eq!(target(&outcome, 0), Some([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
        let due = target(&outcome, 50).expect("somebody won");
        for (due, by_hand) in due.into_iter().zip([0.9404, 0.0596, 0.0, 0.0, 0.0, 0.0]) {
            assert!((due - by_hand).abs() < 1e-4, "{due}");
        }
        assert_eq!(target(&Outcome { winner: None, ..outcome }, 50), None);
    }

    /// By hand, from the last position: (1, 0), which is halved with (0.5, 0.5) before it, and that with (0.4, 0.6).
    #[test]
    fn what_is_due_goes_by_the_chances_that_follow() {
        let two = |first: f32| [first, 1.0 - first, 0.0, 0.0, 0.0, 0.0];
        let values = [0.2, 0.4, 0.5].map(two);
        let mut targets = [two(1.0); 3];
        reach_back(&mut targets, &values, 0.5);
        for (due, by_hand) in targets.iter().zip([0.575, 0.75, 1.0].map(two)) {
            for (due, by_hand) in due.iter().zip(by_hand) {
                assert!((due - by_hand).abs() < 1e-6, "{due}");
            }
        }
        let mut targets = [two(1.0); 3];
        reach_back(&mut targets, &[], 1.0);
        assert_eq!(targets, [two(1.0); 3]);
    }

    /// With nothing of the end but at the last position, each is due what the game's net says at the next.
    #[test]
    fn chances_that_follow_are_those_of_the_net_built_in() {
        let labels = Labels { lambda: 0.0, ..Labels::plain(4) };
        let (plain, led) = (played(Labels::plain(4), 5), played(labels, 5));
        for (plain, led) in plain.iter().zip(&led) {
            let ([plain], [led]) = (&plain.lines[..], &led.lines[..]) else { panic!("a line") };
            assert_eq!(
                (plain.targets.len(), plain.targets.last()),
                (led.targets.len(), led.targets.last())
            );
            let inputs = plain.inputs.chunks_exact(plain.inputs.len() / plain.targets.len());
            for (inputs, due) in inputs.skip(1).zip(&led.targets) {
                let mut worths = [0.0; SEATS_MAX];
                for (worth, inputs) in worths.iter_mut().zip(inputs.chunks_exact(inputs.len() / 3))
                {
                    *worth = NET.worth(inputs);
                }
                assert_eq!(due.map(f32::to_bits), shares(3, worths, 1.0).map(f32::to_bits));
            }
        }
    }

    /// What is played at a table of planners.
    fn played(labels: Labels, matches: u64) -> Vec<Played> {
        let game = OnTheRoad::new(Rules::default(), 3).expect("the default rules");
        let lesson = OnTheRoad::NET.expect("a net");
        let spec = AgentSpec::parse("heuristic", None).expect("an agent");
        let mut players = [spec.make_among(&game, &[], &Watch::none()).expect("an agent")];
        let mut table = NetTable::new(&game, &lesson, labels, None);
        (0..matches).map(|number| table.play(&mut players, BlockSeed::new(5, number))).collect()
    }

    /// The match itself goes on as if nothing had branched from it, and a line for each sibling lies before its own.
    #[test]
    fn a_match_is_the_same_where_it_branches() {
        let branching = Labels { siblings: 3, ..Labels::plain(4) };
        let (plain, branching) = (played(Labels::plain(4), 20), played(branching, 20));
        for (plain, branching) in plain.iter().zip(&branching) {
            let [alone] = &plain.lines[..] else { panic!("one line") };
            let (trunk, branches) = branching.lines.split_last().expect("a line");
            assert_eq!((&trunk.inputs, &trunk.targets), (&alone.inputs, &alone.targets));
            assert_eq!(plain.decisions, branching.decisions);
            // A decision every 32, each with two or three actions.
            let most = 3 * (branching.decisions as usize).div_ceil(32);
            assert!((1..=most).contains(&branches.len()), "{} of {most}", branches.len());
            assert!(branches.iter().all(|line| line.targets.len() <= 8));
        }
    }

    /// Under the same luck more than half of the matches that differ by one action have the same winner. With luck of
    /// their own some 42 % do, since some branch where the match is decided.
    #[test]
    fn siblings_are_played_under_the_same_luck() {
        let (mut pairs, mut alike) = (0, 0);
        for played in played(Labels { siblings: 2, ..Labels::plain(4) }, 60) {
            let (_, branches) = played.lines.split_last().expect("a line");
            for pair in branches.chunks_exact(2) {
                pairs += 1;
                alike += u32::from(pair[0].targets.last() == pair[1].targets.last());
            }
        }
        assert!(pairs > 200 && 2 * alike > pairs, "{alike} of {pairs}");
    }
}
