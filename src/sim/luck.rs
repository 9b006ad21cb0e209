//! How lucky each seat was: a control variate for the results of matches.
//!
//! A chance event in a match has a known law: each of its outcomes o comes with probability p(o). Let v(o) be a judge's
//! chance of a seat to win after the outcome. What the seat owes to luck there is v(o) − Σ p(o') v(o'), which is 0 on
//! average whatever the judge thinks, since both terms know the same past. So is the sum over a match, and the result
//! less any multiple of it has the mean of the plain result, and a smaller variance if the judge is any good.
//! Sources: M. Zinkevich, M. Bowling, N. Bard, M. Kan, D. Billings, "Optimal unbiased estimators for evaluating agent
//! performance", 2006; M. White, M. Bowling, "Learning a value analysis tool for agent evaluation", 2009; N. Burch,
//! M. Schmid, M. Moravčík, D. Morrill, M. Bowling, "AIVAT", 2018.
//!
//! The law is found by carrying the action out again on a copy of the position, with every outcome in turn. If an
//! action draws more than once, later draws are filled in by numbers that have nothing to do with the match, the same
//! for all outcomes. What was drawn before the first decision is not corrected. The agents' own lots aren't, either.

use crate::core::chance::{Chance, ChanceEvent, Luck, pick, weighted};
use crate::core::game::{Game, Turn};
use crate::core::measure::Measure;
use crate::core::opinion::Judge;
use crate::core::record::{Decision, Recorder};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use rand_pcg::Pcg32;

/// Luck of 1, a whole match, in the units in which it is summed up.
pub const WHOLE: i64 = 1 << (JUDGED_BITS + FINER_BITS);

/// Bits behind the point of a judged chance; more than a judge's own float has.
const JUDGED_BITS: u32 = 24;
/// Further bits of a correction, so that what is lost by dividing by a total of weights is nothing.
const FINER_BITS: u32 = 8;

/// The master seed of the numbers that fill in later draws.
const FILLED_IN: u64 = 0xfa1e;

/// Makes the judge of a game.
pub type Judges<'a, G> = Box<dyn Fn(&G) -> Box<dyn Judge<G>> + Sync + 'a>;

/// Listens to a match and adds up the luck of each seat.
pub struct LuckMeter<G: Game> {
    judge: Box<dyn Judge<G>>,
    /// The decision that is being carried out.
    before: Option<(G::State, G::Action)>,
    /// What it has drawn.
    drawn: Vec<ChanceEvent<G::Draw>>,
    /// Outcomes of the draw that is judged.
    outcomes: Vec<Outcome<G::Draw>>,
    /// The positions after each of them.
    after: Vec<G::State>,
    /// Draws of this match so far.
    events: u64,
    sums: PerSeat<i64>,
}

/// What a draw could have brought.
#[derive(Debug, Clone, Copy)]
struct Outcome<D> {
    event: ChanceEvent<D>,
    /// Of so many equally likely draws.
    weight: i64,
    /// Each seat's chance to win after it.
    chances: PerSeat<i64>,
}

impl<G: Measure> LuckMeter<G> {
    /// A meter that asks this judge.
    pub fn new(judge: Box<dyn Judge<G>>) -> LuckMeter<G> {
        LuckMeter {
            judge,
            before: None,
            drawn: Vec::new(),
            outcomes: Vec::new(),
            after: Vec::new(),
            events: 0,
            sums: [0; SEATS_MAX],
        }
    }

    /// By seat, how much of its result in the last match it owes to draws; [`WHOLE`] is 1.
    pub fn luck(&self) -> PerSeat<i64> {
        self.sums
    }

    /// Adds the luck of the draw at a place among those of the decision.
    fn add(&mut self, game: &G, before: &G::State, action: G::Action, at: usize) {
        let (told, now) = (&self.drawn[..at], self.drawn[at]);
        let rest = BlockSeed::new(FILLED_IN, self.events).stream(Stream::Study, None, 0);
        let again = |outcome: u8, law: Option<&mut Law>| {
            let mut state = *before;
            let rest = rest.clone();
            game.apply(&mut state, action, &mut Retold { told, outcome, law, rest, number: 0 });
            state
        };
        let mut law = Law::default();
        again(now.outcome, Some(&mut law));
        law.outcomes::<G>(now.draw, &mut self.outcomes);
        if self.outcomes.len() < 2 {
            return;
        }
        self.after.clear();
        for place in 0..self.outcomes.len() {
            let state = again(self.outcomes[place].event.outcome, None);
            // Many throws of dice have one sum.
            let known = self.after.iter().position(|other| *other == state);
            self.outcomes[place].chances = match known {
                Some(known) => self.outcomes[known].chances,
                None => judge(&mut *self.judge, game, &state),
            };
            self.after.push(state);
        }
        let came = self.outcomes.iter().find(|outcome| alike::<G>(outcome.event, now));
        let came = came.expect("what came could come").chances;
        let total: i64 = self.outcomes.iter().map(|outcome| outcome.weight).sum();
        for seat in Seat::all(game.players()).map(Seat::idx) {
            let weighted = self.outcomes.iter().map(|of| of.weight * of.chances[seat]);
            let expected: i64 = weighted.sum();
            self.sums[seat] += ((total * came[seat] - expected) << FINER_BITS) / total;
        }
    }
}

/// The chances of a position, in units of 2^-[`JUDGED_BITS`]; of one that is over, who won.
#[allow(clippy::cast_possible_truncation, reason = "a chance is at most 1")]
fn judge<G: Game>(judge: &mut dyn Judge<G>, game: &G, state: &G::State) -> PerSeat<i64> {
    const ONE: i64 = 1 << JUDGED_BITS;
    if game.turn(state) == Turn::Over {
        let winner = game.outcome(state).winner;
        return std::array::from_fn(|seat| {
            if winner.is_some_and(|winner| winner.idx() == seat) { ONE } else { 0 }
        });
    }
    judge.chances(game, state).map(|chance| libm::round(f64::from(chance) * ONE as f64) as i64)
}

/// Whether two outcomes of a draw are taken for one: the same card, or two of the same resource.
fn alike<G: Measure>(one: ChanceEvent<G::Draw>, other: ChanceEvent<G::Draw>) -> bool {
    one.outcome == other.outcome || G::drawn(one).is_some_and(|kind| G::drawn(other) == Some(kind))
}

impl<G: Measure> Recorder<G> for LuckMeter<G> {
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        self.drawn.push(event);
    }

    fn on_start(&mut self, _game: &G, _state: &G::State) {
        self.drawn.clear();
        self.events = 0;
        self.sums = [0; SEATS_MAX];
    }

    fn on_decision(&mut self, _game: &G, decision: &Decision<'_, G>) {
        self.before = Some((*decision.before, decision.action));
    }

    fn on_applied(&mut self, game: &G, _action: G::Action, _after: &G::State) {
        let Some((before, action)) = self.before.take() else { return };
        for at in 0..self.drawn.len() {
            self.add(game, &before, action, at);
            self.events += 1;
        }
        self.drawn.clear();
    }
}

/// What a draw is made from.
#[derive(Debug, Default)]
enum Law {
    /// Nothing was drawn.
    #[default]
    None,
    /// Elements of a set.
    Set(u64),
    /// Places of counts.
    Counts(Vec<u8>),
}

impl Law {
    /// The outcomes that differ, with their weights.
    fn outcomes<G: Measure>(&self, draw: G::Draw, out: &mut Vec<Outcome<G::Draw>>) {
        out.clear();
        let mut add = |outcome: u8, weight: u8| {
            let event = ChanceEvent { draw, outcome };
            let weight = i64::from(weight);
            match out.iter_mut().find(|known| alike::<G>(known.event, event)) {
                Some(known) => known.weight += weight,
                None if weight > 0 => out.push(Outcome { event, weight, chances: [0; SEATS_MAX] }),
                None => {}
            }
        };
        match self {
            Law::None => {}
            Law::Set(set) => {
                (0..64).filter(|at| set >> at & 1 == 1).for_each(|at| add(at, 1));
            }
            Law::Counts(counts) => (0..).zip(counts).for_each(|(at, &count)| add(at, count)),
        }
    }
}

/// Chance that tells again what was drawn, up to a draw whose outcome is given; the rest is filled in.
struct Retold<'a, D> {
    told: &'a [ChanceEvent<D>],
    outcome: u8,
    /// Where the law of that draw is put, if it is wanted.
    law: Option<&'a mut Law>,
    rest: Pcg32,
    /// Draws so far.
    number: usize,
}

impl<D: Luck> Retold<'_, D> {
    /// The next result, if it is known.
    fn known(&mut self, law: impl FnOnce() -> Law) -> Option<u8> {
        let at = self.number;
        self.number += 1;
        if at < self.told.len() {
            return Some(self.told[at].outcome);
        }
        if at > self.told.len() {
            return None;
        }
        if let Some(wanted) = &mut self.law {
            **wanted = law();
        }
        Some(self.outcome)
    }
}

impl<D: Luck> Chance<D> for Retold<'_, D> {
    fn start_turn(&mut self, _turn: u16) {}

    fn card(&mut self, _draw: D, among: u64) -> u8 {
        self.known(|| Law::Set(among)).unwrap_or_else(|| pick(&mut self.rest, among))
    }

    fn kind(&mut self, _draw: D, counts: &[u8]) -> u8 {
        let known = self.known(|| Law::Counts(counts.to_vec()));
        known.unwrap_or_else(|| weighted(&mut self.rest, counts))
    }
}
