//! The planning policy: does what saves the most rounds on its cheapest plan.

use crate::core::game::{ActionFilter, Game};
use crate::core::opinion::{Judge, Policy, first_best};
use crate::core::resources::{Resource, Resources};
use crate::core::types::actions::{ACTIONS_CAP, Actions};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::opinion::plan::{NEVER, Plans};
use crate::games::on_the_road::opinion::situation::{KnownOptions, Situation};
use crate::games::on_the_road::opinion::weights::Weights;
use crate::games::on_the_road::rules::SEATS;
use crate::games::on_the_road::state::{Phase, State, Table};
use crate::parts::bundles::Bundle;
use crate::parts::trade::Audience;
use rand_pcg::Pcg32;

/// The rating of an action that wins; no other rating reaches it.
const WINS: f32 = 1000.0;

/// Cards in the largest bundle that agents are usually shown.
const BUNDLE: usize = 3;

/// Acts by its plan; see the header of this file.
#[derive(Debug, Clone)]
pub struct Planner {
    weights: Weights,
    known: KnownOptions,
    ratings: Vec<f32>,
}

/// What single cards are worth to the seat, in rounds.
#[derive(Debug, Clone, Copy, Default)]
struct CardWorth {
    /// Rounds saved by one more, by kind.
    gain: [f32; Resource::COUNT],
    /// Rounds lost by one less, by kind.
    loss: [f32; Resource::COUNT],
    /// Rounds saved by a card from the pile.
    draw: f32,
    /// Rounds that one card costs in the hand of the least dangerous seat that may hold that many cards.
    harm: [f32; BUNDLE + 1],
}

impl CardWorth {
    /// Rounds saved by giving some cards and getting others.
    #[inline]
    fn exchange(&self, give: Resources, get: Resources) -> f32 {
        let mut sum = 0.0;
        for kind in 0..Resource::COUNT {
            sum += self.gain[kind] * f32::from(get.at(kind));
            // A card that is not held can't be lost and is never offered.
            sum -= self.loss[kind] * f32::from(give.at(kind));
        }
        sum
    }
}

/// What a rating reads: the view, the plans, and what follows from them.
struct Evaluation<'a> {
    game: &'a OnTheRoad,
    weights: &'a Weights,
    known: &'a mut KnownOptions,
    view: &'a View<'a>,
    plans: Plans,
    time: f32,
    worth: CardWorth,
    /// What the seat could build if it could pay, one bit for each card.
    in_reach: u8,
    /// How close each seat is to winning: 0 far away, 1 at the target.
    danger: [f32; SEATS],
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
        view: &'a View<'a>,
    ) -> Evaluation<'a> {
        let situation = Situation { game, weights, table: view.table, seat: view.seat };
        let plans = situation.plans(known, view.hand);
        let time = plans.time(weights, view.hand);
        let mut danger = [0.0; SEATS];
        for seat in Seat::all(game.players()) {
            danger[seat.idx()] = closeness(game, view.table, seat);
        }
        let after = [const { None }; Card::COUNT];
        let worth = CardWorth::default();
        let in_reach = game.in_reach(view.table, view.seat);
        let mut evaluation =
            Evaluation { game, weights, known, view, plans, time, worth, in_reach, danger, after };
        evaluation.worth = evaluation.card_worth();
        evaluation
    }

    /// What single cards are worth with these plans.
    fn card_worth(&self) -> CardWorth {
        let hand = self.view.hand;
        let time = |hand| self.plans.time(self.weights, hand);
        let gain = Resource::ALL.map(|kind| self.time - time(hand + Resources::one(kind)));
        let loss = Resource::ALL.map(|kind| {
            let card = Resources::one(kind);
            if hand.covers(card) { time(hand - card) - self.time } else { NEVER }
        });
        let harm = std::array::from_fn(|cards| self.least_harm(cards));
        CardWorth { gain, loss, draw: gain.iter().sum::<f32>() / 5.0, harm }
    }

    /// Rounds that handing cards to a seat costs.
    fn help(&self, seat: Seat, cards: f32) -> f32 {
        self.weights.threat * cards * (0.2 + 0.8 * self.danger[seat.idx()])
    }

    fn rate(&mut self, action: Action) -> f32 {
        match action {
            Action::EndTurn | Action::Refuse | Action::Decline => 0.0,
            Action::Build { card, pay } => self.rate_build(card, pay),
            Action::Offer { to, give, want } => self.rate_offer(to, give.cards(), want.cards()),
            Action::Accept => {
                let proposal = self.view.table.proposal;
                self.rate_answer(proposal.want.cards(), proposal.give.cards(), 1.0)
            }
            Action::Counter { give, want } => {
                self.rate_answer(give.cards(), want.cards(), self.weights.counter_taken)
            }
            Action::Settle { with } => self.rate_partner(with),
            Action::Discard { card } => -self.worth.loss[card.idx()],
            Action::Give { card, to } => -self.worth.loss[card.idx()] - self.help(to, 1.0),
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
                wins: table.points(game, seat) >= game.rules().points_to_win,
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
        victims.map(|seat| self.weights.deny * (0.3 + self.danger[seat.idx()])).sum()
    }

    fn rate_offer(&self, to: Audience, give: Resources, want: Resources) -> f32 {
        let view = self.view;
        let proposals = view.table.so_far.proposals;
        if f32::from(proposals) >= self.weights.proposals || self.is_stale(give, want, proposals) {
            return -1.0;
        }
        let worth = &self.worth;
        let extra = f32::from(give.total()) - f32::from(want.total());
        let harm = match to {
            Audience::One(seat) => self.help(seat, 1.0 + extra),
            Audience::All => {
                let cards = usize::from(want.total());
                let each = worth.harm.get(cards).copied();
                each.unwrap_or_else(|| self.least_harm(cards)) * (1.0 + extra)
            }
        };
        let gain = worth.exchange(give, want) + self.enabled(give, want) - harm;
        self.likely(extra) * (gain - self.weights.trade_margin)
    }

    /// What a trade on the seat's own turn is worth for allowing a build at once, if none can be paid for now.
    #[inline]
    fn enabled(&self, give: Resources, get: Resources) -> f32 {
        let hand = self.view.hand;
        if !hand.covers(give) || self.payable(hand) || !self.payable(hand - give + get) {
            return 0.0;
        }
        self.weights.enable
    }

    /// Whether a hand pays the printed price of something that can be built.
    #[inline]
    fn payable(&self, hand: Resources) -> bool {
        let open = |card: &Card| self.in_reach >> card.idx() & 1 == 1;
        Card::ALL.iter().any(|card| open(card) && hand.covers(self.game.price(*card)))
    }

    /// Whether an offer has been refused this turn, or is no better for the others than one that has been:
    /// the second differs from the first, the third gives more cards than it asks.
    fn is_stale(&self, give: Resources, want: Resources, proposals: u8) -> bool {
        let proposal = self.view.table.proposal;
        let repeated =
            proposals > 0 && (give, want) == (proposal.give.cards(), proposal.want.cards());
        repeated || (proposals > 1 && give.total() <= want.total())
    }

    /// Rounds that one card costs in the hand of the least dangerous other seat that may hold that many cards.
    fn least_harm(&self, cards: usize) -> f32 {
        let view = self.view;
        let able =
            |seat: &Seat| *seat != view.seat && usize::from(view.hand_sizes[seat.idx()]) >= cards;
        let each = Seat::all(self.game.players()).filter(able).map(|seat| self.help(seat, 1.0));
        each.fold(NEVER, f32::min)
    }

    /// How likely an offer is to be accepted that brings the others this many more cards than it costs.
    #[inline]
    fn likely(&self, extra: f32) -> f32 {
        if extra > 0.0 {
            self.weights.taken_if_more
        } else if extra < 0.0 {
            self.weights.taken_if_less
        } else {
            self.weights.taken_if_even
        }
    }

    /// The value of giving some cards to the current player for others, and of the card drawn for it.
    fn rate_answer(&self, give: Resources, want: Resources, likely: f32) -> f32 {
        let worth = &self.worth;
        let extra = f32::from(give.total()) - f32::from(want.total());
        let current = self.view.table.current;
        let brink = self.danger[current.idx()];
        // The current player acts next, and may win at once with what it gets.
        let harm = self.help(current, 1.0 + extra) + self.weights.peril * brink * brink;
        let gain = worth.exchange(give, want) + worth.draw;
        likely * (gain - harm - self.weights.answer_margin)
    }

    fn rate_partner(&self, with: Seat) -> f32 {
        let terms = self.view.table.proposal.terms_with(with);
        let (give, want) = terms.expect("a partner has agreed to terms");
        let worth = &self.worth;
        let extra = f32::from(give.total()) - f32::from(want.total());
        worth.exchange(give, want) + self.enabled(give, want)
            - self.help(with, 1.0 + extra)
            - self.weights.trade_margin
    }
}

/// How close a seat is to winning: 0 far away, 1 at the target.
fn closeness(game: &OnTheRoad, table: &Table, seat: Seat) -> f32 {
    let points = f32::from(table.points(game, seat));
    let target = f32::from(game.rules().points_to_win);
    ((points + 3.0 - target) / 3.0).clamp(0.0, 1.0)
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
        let ratings = Vec::with_capacity(ACTIONS_CAP);
        Planner { weights, known: KnownOptions::default(), ratings }
    }

    /// The entry with the highest rating.
    fn best(&mut self, game: &OnTheRoad, view: &View<'_>, legal: &[Action]) -> usize {
        let mut ratings = std::mem::take(&mut self.ratings);
        self.rate(game, view, legal, &mut ratings);
        let best = first_best(&ratings);
        self.ratings = ratings;
        best
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
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Full
    }

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

impl Judge<OnTheRoad> for Planner {
    fn rate(&mut self, game: &OnTheRoad, view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        let mut evaluation = Evaluation::new(game, &self.weights, &mut self.known, view);
        out.clear();
        let mut payable = 0_u8;
        for &action in legal {
            let rating = match action {
                // A seat that can pay the printed price has no use for a higher one.
                Action::Build { card, pay: Payment::Substitute { .. } }
                    if payable >> card.idx() & 1 == 1 =>
                {
                    -1.0
                }
                _ => evaluation.rate(action),
            };
            if let Action::Build { card, pay: Payment::Exact } = action {
                payable |= 1 << card.idx();
            }
            out.push(rating);
        }
    }

    fn suggest(&mut self, game: &OnTheRoad, view: &View<'_>, legal: &mut Actions<Action>) {
        let best = self.best(game, view, legal);
        let offer = Planner::address(game, view, legal[best]);
        legal.extend(offer.filter(|_| !legal.is_full()));
    }

    fn chances(&mut self, game: &OnTheRoad, state: &State) -> PerSeat<f32> {
        let table = &state.table;
        let mut chances = [0.0; SEATS_MAX];
        let mut sum = 0.0;
        let main = matches!(table.phase, Phase::Main);
        for (steps, seat) in table.current.clockwise(game.players()).enumerate() {
            let hand = state.hand(seat);
            let situation = Situation { game, weights: &self.weights, table, seat };
            let time = situation.time(&mut self.known, hand);
            // A seat acts only on its own turn: later seats wait, and one that has just acted waits a round.
            let wait = if steps == 0 && !main { 0.0 } else { steps as f32 };
            let rounds = time + wait / f32::from(game.players());
            let weight = libm::expf(-rounds / self.weights.fog);
            chances[seat.idx()] = weight;
            sum += weight;
        }
        chances.map(|chance| chance / sum)
    }
}
