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
use crate::core::game::{Game, Step, Turn};
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

    /// Adds the luck of a step of a match.
    pub fn hear(&mut self, game: &G, step: &Step<'_, G>) {
        let Some((before, action)) = step.action else { return };
        self.drawn.clear();
        self.drawn.extend_from_slice(step.chance);
        self.add_all(game, before, action);
    }

    fn add_all(&mut self, game: &G, before: &G::State, action: G::Action) {
        for at in 0..self.drawn.len() {
            self.add(game, before, action, at);
            self.events += 1;
        }
        self.drawn.clear();
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
    judge
        .win_probabilities(game, state)
        .map(|chance| libm::round(f64::from(chance) * ONE as f64) as i64)
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
        self.add_all(game, &before, action);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::When;
    use crate::core::game::ActionFilter;
    use crate::core::opinion::Rate;
    use crate::games::base::Base;
    use crate::games::base::tests::support as base;
    use crate::games::on_the_road::OnTheRoad;
    use crate::games::on_the_road::action::Action;
    use crate::games::on_the_road::luck::Draw;
    use crate::games::on_the_road::tests::support as road;
    use crate::parts::island::action::Action as Act;
    use crate::parts::island::cards::{Card, sum_of};
    use crate::parts::island::luck::Draw as Drawn;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A judge by hand: the chance of seat 1; the others have equal parts of the rest.
    struct ByHand<G: Game>(fn(&G::State) -> f32);

    impl<G: Game> Rate<G> for ByHand<G> {
        fn rate(&mut self, _: &G, _: &G::View<'_>, _: &[G::Action], _: &mut Vec<f32>) {
            unreachable!("only positions are judged");
        }

        fn fog(&self) -> f32 {
            1.0
        }
    }

    impl<G: Game> Judge<G> for ByHand<G> {
        fn win_probabilities(&mut self, game: &G, state: &G::State) -> PerSeat<f32> {
            let first = (self.0)(state);
            let rest = (1.0 - first) / f32::from(game.players() - 1);
            std::array::from_fn(|seat| [first, rest][usize::from(seat > 0)])
        }
    }

    fn meter<G: Measure>(judge: fn(&G::State) -> f32) -> LuckMeter<G> {
        LuckMeter::new(Box::new(ByHand::<G>(judge)))
    }

    /// A meter hears of an action and what it drew. Returns the luck of the first two seats so far.
    fn heard<G: Measure>(
        meter: &mut LuckMeter<G>,
        (game, before): (&G, &G::State),
        action: G::Action,
        drawn: &[(G::Draw, u8)],
    ) -> [f64; 2] {
        let (seat, filter) = (Seat::FIRST, ActionFilter::Full);
        meter.on_decision(game, &Decision { before, seat, filter, listed: 2, action });
        for &(draw, outcome) in drawn {
            meter.on_chance(ChanceEvent { draw, outcome });
        }
        meter.on_applied(game, action, before);
        [0, 1].map(|seat| meter.luck()[seat] as f64 / WHOLE as f64)
    }

    #[track_caller]
    fn close(found: [f64; 2], due: [f64; 2]) {
        let off = std::iter::zip(found, due).any(|(found, due)| (found - due).abs() > 1e-6);
        assert!(!off, "{found:?}, not {due:?}");
    }

    /// A settlement on a 6 and an 11, before the roll: a card comes with 7 of 36 throws.
    fn before_roll() -> base::Scene {
        base::Scene::new(3).settlement(base::S1, 20).city(base::S2, 11).before_roll()
    }

    #[test]
    fn a_roll_is_worth_what_it_brings_less_what_rolls_bring_on_average() {
        let scene = before_roll();
        for throw in 0..36 {
            let mut meter = meter::<Base>(|state| 0.1 + 0.2 * f32::from(state.hands[0].total()));
            meter.on_start(&scene.game, &scene.state);
            let drawn = [(Drawn::Dice, throw)];
            let found = heard(&mut meter, (&scene.game, &scene.state), Act::Roll, &drawn);
            let card = f64::from(u8::from([6, 11].contains(&sum_of(throw))));
            let due = 0.2 * (card - 7.0 / 36.0);
            close(found, [due, -due / 2.0]);
        }
    }

    /// Each throw is as likely as the others, and no sum is worth what another is.
    #[test]
    fn the_luck_of_all_throws_is_0_together_whatever_the_judge_thinks() {
        let scene = before_roll();
        let mut meter = meter::<Base>(|state| {
            let [mine, other] = [0, 1].map(|seat| f32::from(state.hands[seat].total()));
            0.3 / (1.0 + mine * mine) + 0.2 * other.sqrt()
        });
        let mut sum = [0.0; 2];
        for throw in 0..36 {
            meter.on_start(&scene.game, &scene.state);
            let drawn = [(Drawn::Dice, throw)];
            let found = heard(&mut meter, (&scene.game, &scene.state), Act::Roll, &drawn);
            assert!(found[0].abs() > 1e-3, "{throw}: {found:?}");
            sum = [sum[0] + found[0], sum[1] + found[1]];
        }
        // Each is cut at 2^-32 of a match.
        assert!(sum.iter().all(|sum| sum.abs() < 1e-8), "{sum:?}");
    }

    /// Seat 2 has two ore and a wool; an ore is worth 0.3 more to the thief.
    #[test]
    fn a_stolen_card_is_as_likely_as_it_is_frequent_in_the_hand() {
        let judge =
            |state: &<Base as Game>::State| 0.2 + 0.3 * f32::from(state.hands[0].counts()[4]);
        let scene = |hand| {
            let mut scene = before_roll().hand(base::S2, hand);
            scene.play(Act::Roll, &[base::dice(7)]);
            scene
        };
        let steals = |scene: &base::Scene, kind: u8| {
            let drawn = [(Drawn::Steal(base::S1), kind)];
            let action = base::robber(4, Some(base::S2));
            heard(&mut meter(judge), (&scene.game, &scene.state), action, &drawn)
        };
        let mixed = scene([0, 0, 1, 0, 2]);
        close(steals(&mixed, 4), [0.1, -0.05]);
        close(steals(&mixed, 2), [-0.2, 0.1]);
        close(steals(&scene([0, 0, 0, 0, 3]), 4), [0.0, 0.0]);
    }

    /// One of four cards brings the last point, and a match that is over has a winner, whatever a judge would say. The
    /// chance is 1 with a quarter and else 0.4: 0.55 on average. Seat 2 has half of what seat 1 lacks.
    #[test]
    fn a_card_that_wins_is_worth_the_rest_of_the_chance() {
        let last = |rules: &mut crate::parts::island::rules::Rules| {
            rules.points_to_win = 3.into();
            (rules.deck.knights, rules.deck.victory_points, rules.deck.progress) = (3, 1, 0);
        };
        let scene = base::Scene::with(3, last)
            .settlement(base::S1, 20)
            .settlement(base::S1, 6)
            .hand(base::S1, base::FOR_CARD);
        let mut meter = meter::<Base>(|_| 0.4);
        for (card, due) in [(Card::VictoryPoint, 0.45), (Card::Knight, -0.15)] {
            meter.on_start(&scene.game, &scene.state);
            let drawn = [(Drawn::Card, u8::try_from(card.idx()).expect("a few cards"))];
            let found = heard(&mut meter, (&scene.game, &scene.state), Act::Buy, &drawn);
            close(found, [due, -due / 2.0]);
        }
    }

    /// A harvest: seats 2, 3 and 1 draw one after the other from 61 cards with 13 ore. What seat 3 draws follows from what
    /// seat 2 has drawn: after an ore 12 of 60 are left. Two cards of a kind are alike.
    #[test]
    fn later_draws_are_from_what_the_earlier_ones_have_left() {
        let scene = road::Scene::new(3);
        let at = (&scene.game, &scene.state);
        let card = |seat, outcome| (Draw::Card(seat, When::Turn), outcome);
        let [brick, ore] = [0, 48];
        let (ores, bricks) = ([ore, ore + 1], [brick, brick + 1]);
        // Only the first draw bears on the hand of seat 2.
        let second = |state: &<OnTheRoad as Game>::State| {
            0.5 - 0.4 * f32::from(state.hand(road::S2).counts()[4])
        };
        for (drawn, due) in [(ores, -0.4 * (1.0 - 13.0 / 61.0)), (bricks, 0.4 * 13.0 / 61.0)] {
            let all = [card(road::S2, drawn[0]), card(road::S3, drawn[1]), card(road::S1, 30)];
            close(heard(&mut meter(second), at, Action::EndTurn, &all), [due, -due / 2.0]);
        }
        let third = |state: &<OnTheRoad as Game>::State| {
            0.5 - 0.4 * f32::from(state.hand(road::S3).counts()[4])
        };
        for (drawn, due) in [
            ([ore, ore + 1], -0.4 * (1.0 - 12.0 / 60.0)),
            ([brick, ore], -0.4 * (1.0 - 13.0 / 60.0)),
            ([ore, brick], 0.4 * 12.0 / 60.0),
        ] {
            let mut meter = meter(third);
            let all = [card(road::S2, drawn[0]), card(road::S3, drawn[1]), card(road::S1, 30)];
            meter.drawn = all.map(|(draw, outcome)| ChanceEvent { draw, outcome }).to_vec();
            meter.add(at.0, at.1, Action::EndTurn, 1);
            let found = [0, 1].map(|seat| meter.luck()[seat] as f64 / WHOLE as f64);
            close(found, [due, -due / 2.0]);
        }
    }

    /// In a harvest three cards are drawn, each of one of five kinds: 15 positions to judge.
    #[test]
    fn each_draw_is_judged_once_for_each_kind_that_it_could_bring() {
        static JUDGED: AtomicU32 = AtomicU32::new(0);
        let scene = road::Scene::new(3);
        let mut meter = meter(|_| {
            JUDGED.fetch_add(1, Ordering::Relaxed);
            0.5
        });
        let seats = [road::S2, road::S3, road::S1];
        let drawn = [0, 1, 2].map(|at| (Draw::Card(seats[usize::from(at)], When::Turn), 11 * at));
        heard(&mut meter, (&scene.game, &scene.state), Action::EndTurn, &drawn);
        assert_eq!(JUDGED.load(Ordering::Relaxed), 15);
    }

    #[test]
    fn luck_adds_up_over_a_match_and_starts_at_0_in_the_next() {
        let scene = before_roll();
        let at = (&scene.game, &scene.state);
        let mut meter = meter::<Base>(|state| 0.1 + 0.2 * f32::from(state.hands[0].total()));
        let [six, two] = [6, 2].map(|sum| (0..36).find(|&throw| sum_of(throw) == sum));
        let [six, two] = [six, two].map(|throw| [(Drawn::Dice, throw.expect("a throw"))]);
        heard(&mut meter, at, Act::Roll, &six);
        heard(&mut meter, at, Act::Roll, &two);
        let due = 0.2 * (1.0 + 1.0 - 3.0 * 7.0 / 36.0);
        close(heard(&mut meter, at, Act::Roll, &six), [due, -due / 2.0]);
        meter.on_start(&scene.game, &scene.state);
        assert_eq!(meter.luck(), [0; SEATS_MAX]);
        // What takes no luck brings none.
        close(heard(&mut meter, at, Act::EndTurn, &[]), [0.0, 0.0]);
    }
}
