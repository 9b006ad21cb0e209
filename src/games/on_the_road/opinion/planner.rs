//! The planning policy: does what saves the most rounds on its cheapest plan.

use crate::core::game::Game;
use crate::core::opinion::{Best, Describe, Judge, Policy, Rate, shares_by};
use crate::core::resources::{Resource, Resources};
use crate::core::types::actions::Actions;
use crate::core::types::cache::Cache;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::opinion::inputs::{self, NET};
use crate::games::on_the_road::opinion::plan::{NEVER, Plans};
use crate::games::on_the_road::opinion::situation::{KnownOptions, Situation};
use crate::games::on_the_road::opinion::trades::{CardWorth, Trades, closeness, run_length, side};
use crate::games::on_the_road::opinion::weights::{JUDGED, Weights};
use crate::games::on_the_road::state::{Phase, State, Table};
use crate::parts::bundles::Bundle;
use crate::parts::trade::Audience;
use rand_pcg::Pcg32;
use std::sync::LazyLock;

/// The rating of an action that wins; no other rating reaches it.
const WINS: f32 = 1000.0;

/// Slots of the cache of outlooks, as a power of two.
const CACHE_BITS: u32 = 8;

/// Acts by its plan; see the header of this file.
#[derive(Debug, Clone)]
pub struct Planner {
    weights: Weights,
    known: KnownOptions,
    /// Outlooks by all that they follow from: a seat is often asked again before its cards change.
    outlooks: Cache<3, Outlook>,
}

/// What a seat's plans say about its hand.
#[derive(Debug, Clone, Copy, Default)]
struct Outlook {
    /// Rounds until the best plan is paid for.
    time: f32,
    worth: CardWorth,
}

/// What a rating reads: the view, the plans, and what follows from them.
struct Evaluation<'a> {
    game: &'a OnTheRoad,
    weights: &'a Weights,
    known: &'a mut KnownOptions,
    view: &'a View<'a>,
    time: f32,
    trades: Trades<'a>,
    /// What a build leads to, by card; computed on first use.
    after: [Option<After>; Card::COUNT],
}

/// The position after a build, before anything is drawn.
#[derive(Debug, Clone)]
struct After {
    wins: bool,
    plans: Plans,
    /// Rounds gained besides those of the plan.
    bonus: f32,
}

impl<'a> Evaluation<'a> {
    fn new(
        game: &'a OnTheRoad,
        weights: &'a Weights,
        known: &'a mut KnownOptions,
        outlooks: &mut Cache<3, Outlook>,
        view: &'a View<'a>,
    ) -> Evaluation<'a> {
        let situation = Situation { game, weights, table: view.table, seat: view.seat };
        let start = situation.start();
        let Outlook { time, worth } = *outlooks.get(situation.key(&start, view.hand), |outlook| {
            let plans = situation.plans_from(&start, known, view.hand);
            *outlook = Outlook::new(weights, &plans, view.hand);
        });
        let trades = Trades::new(game, weights, view, worth);
        let after = [const { None }; Card::COUNT];
        Evaluation { game, weights, known, view, time, trades, after }
    }

    /// Rates a list.
    fn rate(&mut self, legal: &[Action], out: &mut Vec<f32>) {
        out.clear();
        let mut payable = 0;
        while let Some(&first) = legal.get(out.len()) {
            let rest = &legal[out.len()..];
            match side(first) {
                Some(side) => self.trades.rate(side, &rest[..run_length(rest)], out),
                None => out.push(self.rate_other(first, &mut payable)),
            }
        }
    }

    /// The place of the highest rating in a list, of equal ones the first. Trades that can't have it are not rated.
    fn best(&mut self, legal: &[Action]) -> usize {
        let mut best = Best::default();
        let (mut payable, mut start) = (0, 0);
        while let Some(&first) = legal.get(start) {
            let rest = &legal[start..];
            let run = &rest[..run_length(rest)];
            match side(first) {
                Some(side) => self.trades.seek(side, run, start, &mut best),
                None => best.offer(self.rate_other(first, &mut payable), start),
            }
            start += run.len();
        }
        best.place()
    }

    /// Rates what is no offer and no counter.
    fn rate_other(&mut self, action: Action, payable: &mut u8) -> f32 {
        let trades = &self.trades;
        match action {
            Action::Build { card, pay } => {
                // A seat that can pay the printed price has no use for a higher one.
                if pay != Payment::Exact && *payable >> card.idx() & 1 == 1 {
                    return -1.0;
                }
                *payable |= u8::from(pay == Payment::Exact) << card.idx();
                self.rate_build(card, pay)
            }
            Action::Accept => trades.rate_answer(),
            Action::Settle { with } => trades.rate_partner(with),
            Action::Discard { card } => -trades.worth().loss(card),
            Action::Give { card, to } => -trades.worth().loss(card) - trades.help(to, 1.0),
            _ => 0.0,
        }
    }

    /// Rounds that a build brings the goal nearer.
    fn rate_build(&mut self, card: Card, pay: Payment) -> f32 {
        let hand = self.view.hand - self.game.cost(self.view.table, card, pay);
        let (time, weights) = (self.time, self.weights);
        let after = self.after(card, hand);
        if after.wins {
            return WINS;
        }
        time - after.plans.time(weights, hand) + after.bonus
    }

    /// What a build leads to, from the remaining hand or one like it.
    fn after(&mut self, card: Card, hand: Resources) -> &After {
        if self.after[card.idx()].is_none() {
            let (game, weights, seat) = (self.game, self.weights, self.view.seat);
            let table = after_build(game, self.view.table, card);
            let situation = Situation { game, weights, table: &table, seat };
            let after = After {
                wins: table.points(game, seat) >= game.rules().points_to_win.of(seat),
                plans: situation.plans(self.known, hand),
                bonus: weights.haste + self.effect(&table, card) + self.denied(&table),
            };
            self.after[card.idx()] = Some(after);
        }
        self.after[card.idx()].as_ref().expect("made above")
    }

    /// What a B side is worth beyond its points, in rounds.
    fn effect(&self, after: &Table, card: Card) -> f32 {
        let area = after.areas[self.view.seat.idx()];
        let income = f32::from(self.game.players() + after.harvest(self.view.seat));
        let drawn = |cards: u8| 0.7 * f32::from(cards) / income;
        match card {
            _ if card.metropolis().is_none_or(|m| after.b_sides & m.bit() == 0) => 0.0,
            Card::MetropolisRoads => drawn(area.roads),
            Card::MetropolisKnights => drawn(area.knights),
            _ => self.weights.tie_worth,
        }
    }

    /// Rounds gained by taking bonus cards from rivals.
    fn denied(&self, after: &Table) -> f32 {
        let table = self.view.table;
        let lost = [(table.route, after.route), (table.army, after.army)];
        let victims = lost.iter().filter(|(was, is)| was != is).filter_map(|&(was, _)| was);
        victims.map(|seat| self.weights.deny * (0.3 + self.trades.danger(seat))).sum()
    }
}

impl Outlook {
    fn new(weights: &Weights, plans: &Plans, hand: Resources) -> Outlook {
        let time = |hand| plans.time(weights, hand);
        let now = time(hand);
        let gain = Resource::ALL.map(|kind| now - time(hand + Resources::one(kind)));
        let loss = Resource::ALL.map(|kind| {
            let card = Resources::one(kind);
            if hand.covers(card) { time(hand - card) - now } else { NEVER }
        });
        Outlook { time: now, worth: CardWorth::new(gain, loss) }
    }
}

/// The open table after a build by the current player, before anything is drawn.
fn after_build(game: &OnTheRoad, table: &Table, card: Card) -> Table {
    let mut after = *table;
    game.place(&mut after, card);
    after
}

impl Planner {
    /// A planner with these weights.
    pub fn new(weights: Weights) -> Planner {
        Planner { weights, known: KnownOptions::default(), outlooks: Cache::new(CACHE_BITS) }
    }

    /// The place of the action with the highest rating.
    fn best(&mut self, game: &OnTheRoad, view: &View<'_>, legal: &[Action]) -> usize {
        let Planner { weights, known, outlooks } = self;
        Evaluation::new(game, weights, known, outlooks, view).best(legal)
    }

    /// Addresses an offer to a single player when the leader should not be able to accept it.
    fn address(game: &OnTheRoad, view: &View<'_>, action: Action) -> Option<Action> {
        let Action::Offer { to: Audience::All, give, want } = action else { return None };
        let able = |seat: &Seat| view.hand_sizes[seat.idx()] >= want.cards().total();
        let mut others = Seat::all(game.players()).filter(|&seat| seat != view.seat).filter(able);
        let calm = |seat: &Seat| closeness(game, view.table, *seat) < 0.5;
        let mut calm_ones = others.clone().filter(calm);
        let only = calm_ones.next().filter(|_| calm_ones.next().is_none())?;
        others.any(|seat| seat != only).then_some(Action::Offer {
            to: Audience::One(only),
            give: Bundle::new(give.cards()),
            want,
        })
    }
}

impl Policy<OnTheRoad> for Planner {
    fn choose(
        &mut self,
        game: &OnTheRoad,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        let listed = legal.len();
        let best = self.best(game, view, legal);
        let offer = Planner::address(game, view, legal[best]);
        legal.extend(offer.filter(|_| listed < legal.capacity()));
        if legal.len() > listed { listed } else { best }
    }
}

impl Rate<OnTheRoad> for Planner {
    fn rate(&mut self, game: &OnTheRoad, view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        Evaluation::new(game, &self.weights, &mut self.known, &mut self.outlooks, view)
            .rate(legal, out);
    }

    fn fog(&self) -> f32 {
        self.weights.fog
    }

    fn suggest(&mut self, game: &OnTheRoad, view: &View<'_>, legal: &mut Actions<Action>) {
        let best = self.best(game, view, legal);
        let offer = Planner::address(game, view, legal[best]);
        legal.extend(offer.filter(|_| !legal.is_full()));
    }
}

impl Planner {
    /// Rounds until each seat has paid for its best plan, with those that it waits for its turn.
    fn rounds(&mut self, game: &OnTheRoad, state: &State) -> PerSeat<f32> {
        let table = &state.table;
        let mut rounds = [0.0; SEATS_MAX];
        let main = matches!(table.phase, Phase::Main);
        for (steps, seat) in table.current.clockwise(game.players()).enumerate() {
            let hand = state.hand(seat);
            let situation = Situation { game, weights: &self.weights, table, seat };
            let time = situation.time(&mut self.known, hand);
            // A seat acts only on its own turn: later seats wait, and one that has just acted waits a round.
            let wait = if steps == 0 && !main { 0.0 } else { steps as f32 };
            rounds[seat.idx()] = time + wait / f32::from(game.players());
        }
        rounds
    }

    /// What is judged of a seat, by [`JUDGED`], with its rounds.
    fn judged(game: &OnTheRoad, state: &State, seat: Seat, rounds: f32) -> [f32; JUDGED.len()] {
        let table = &state.table;
        let area = &table.areas[seat.idx()];
        let holds = |holder: Option<Seat>| f32::from(u8::from(holder == Some(seat)));
        [
            rounds,
            f32::from(table.points(game, seat)),
            f32::from(state.hand(seat).total()),
            f32::from(area.roads),
            f32::from(area.knights),
            holds(table.route),
            holds(table.army),
        ]
    }

    /// Appends what is judged of each seat in turn order: see [`Lesson`](crate::core::opinion::Lesson).
    pub fn features(&mut self, game: &OnTheRoad, state: &State, seat: Seat, out: &mut Vec<f32>) {
        let rounds = self.rounds(game, state)[seat.idx()];
        out.extend(Planner::judged(game, state, seat, rounds));
    }
}

impl Describe<OnTheRoad> for Planner {
    fn describe(&mut self, game: &OnTheRoad, state: &State, mut tell: impl FnMut(Seat, &[f32])) {
        let rounds = self.rounds(game, state);
        let all = inputs::inputs(game, state, &rounds);
        for seat in Seat::all(game.players()) {
            tell(seat, &all[seat.idx()].scaled());
        }
    }
}

impl Judge<OnTheRoad> for Planner {
    fn net_win_probabilities(&mut self, game: &OnTheRoad, state: &State) -> PerSeat<f32> {
        self.by_net(&NET, game, state)
    }

    fn read_net(&self) {
        LazyLock::force(&NET);
    }

    fn win_probabilities(&mut self, game: &OnTheRoad, state: &State) -> PerSeat<f32> {
        let (rounds, fog) = (self.rounds(game, state), self.weights.fog);
        let weights = self.weights.judged();
        if weights[1..].iter().any(|&worth| worth != 0.0) {
            return shares_by(game.players(), fog, |seat| {
                let judged = Planner::judged(game, state, seat, rounds[seat.idx()]);
                judged.iter().zip(&weights).map(|(of, worth)| of * worth).sum()
            });
        }
        shares_by(game.players(), fog, |seat| -rounds[seat.idx()])
    }
}
