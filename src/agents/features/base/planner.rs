//! The planning policy: does what makes its position worth most, as `worth` sees it, trades included.

use crate::agents::features::base::Weights;
use crate::agents::features::base::worth::Eyes;
use crate::agents::opinion::Judge;
use crate::agents::opinion::Policy;
use crate::game::Game;
use crate::game::Menu;
use crate::games::base::Base;
use crate::games::base::action::Action;
use crate::games::base::cards::Card;
use crate::games::base::observe::View;
use crate::games::base::state::Phase;
use crate::games::base::state::Stage;
use crate::games::base::state::State;
use crate::parts::resources::Resource;
use crate::parts::resources::Resources;
use crate::parts::talk::Answer;
use crate::types::actions::ACTIONS_CAP;
use crate::types::actions::Actions;
use crate::types::seat::PerSeat;
use crate::types::seat::SEATS_MAX;
use crate::types::seat::Seat;
use rand_pcg::Pcg32;

/// Rating of an action that wins.
const WINS: f32 = 100.0;

/// Rating of an action that is out of the question.
const NO: f32 = -10.0;

/// Plans by weights.
#[derive(Debug, Clone)]
pub struct Planner {
    weights: Weights,
    ratings: Vec<f32>,
}

impl Planner {
    /// A planner with these weights.
    pub fn new(weights: Weights) -> Planner {
        Planner { weights, ratings: Vec::with_capacity(ACTIONS_CAP) }
    }
}

impl Policy<Base> for Planner {
    fn menu(&self) -> Menu {
        Menu::Full
    }

    fn choose(
        &mut self,
        game: &Base,
        view: &View,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        let mut ratings = std::mem::take(&mut self.ratings);
        self.rate(game, view, legal, &mut ratings);
        let mut best = 0;
        for (idx, &rating) in ratings.iter().enumerate() {
            if rating > ratings[best] {
                best = idx;
            }
        }
        self.ratings = ratings;
        best
    }
}

impl Judge<Base> for Planner {
    fn rate(&mut self, game: &Base, view: &View, legal: &[Action], out: &mut Vec<f32>) {
        let thought = Thought::new(game, &self.weights, view);
        out.clear();
        out.extend(legal.iter().map(|&action| thought.rate(action)));
    }

    fn suggest(&mut self, _game: &Base, _view: &View, _legal: &mut Actions<Action>) {}

    fn chances(&mut self, game: &Base, state: &State) -> PerSeat<f32> {
        let mut chances = [0.0; SEATS_MAX];
        let mut sum = 0.0;
        let table = &state.table;
        for seat in Seat::all(game.players()) {
            let eyes = Eyes { game, weights: &self.weights, seat };
            let at = seat.idx();
            let worth = eyes.board(table) + eyes.hand(table, state.hands[at]);
            let worth = worth + eyes.cards(state.cards[at]);
            let turn = if seat == table.active { 0.3 } else { 0.0 };
            chances[at] = libm::expf((worth + turn) / self.weights.fog);
            sum += chances[at];
        }
        chances.map(|chance| chance / sum)
    }
}

/// One decision: what the position is worth before it.
struct Thought<'a> {
    eyes: Eyes<'a>,
    view: &'a View,
    board: f32,
    hand: f32,
    /// Whether something worth building can be paid for.
    builds: bool,
}

impl<'a> Thought<'a> {
    fn new(game: &'a Base, weights: &'a Weights, view: &'a View) -> Thought<'a> {
        let eyes = Eyes { game, weights, seat: view.seat };
        let table = &view.table;
        let [_, settlement, city, _] = game.prices();
        let net = &table.pieces.nets[view.seat.idx()];
        let site = !(net.reach & table.pieces.open).is_empty();
        let builds = (view.hand.covers(city) && !net.settlements.is_empty())
            || (view.hand.covers(settlement) && site);
        let (board, hand) = (eyes.board(table), eyes.hand(table, view.hand));
        Thought { eyes, view, board, hand, builds }
    }

    fn rate(&self, action: Action) -> f32 {
        let view = self.view;
        let weights = self.eyes.weights;
        match action {
            Action::Roll | Action::EndTurn | Action::Refuse | Action::Decline => 0.0,
            Action::Road { .. } | Action::Settlement { .. } | Action::City { .. } => {
                self.rate_build(action)
            }
            Action::Buy => {
                let [_, _, _, card] = self.eyes.game.prices();
                weights.card + 0.2 + self.with_hand(view.hand - card)
            }
            Action::Knight => self.rate_knight(),
            Action::RoadBuilding => 2.0 * weights.road + 0.3 - weights.card,
            Action::YearOfPlenty { first, second } => {
                let second = second.map_or(Resources::NONE, Resources::one);
                self.with_hand(view.hand + Resources::one(first) + second) - weights.card
            }
            Action::Monopoly { kind } => {
                let others: u8 = view.hand_sizes.iter().sum::<u8>() - view.hand.total();
                let expected = Resources::many(kind, others / 5);
                self.with_hand(view.hand + expected) - weights.card
            }
            Action::Robber { hex, victim } => {
                let stolen =
                    victim.map_or(0.0, |seat| weights.steal * self.eyes.danger(&view.table, seat));
                self.eyes.blocks(&view.table, hex) + stolen
            }
            Action::Discard { card } => {
                self.with_hand(view.hand - view.chosen - Resources::one(card))
            }
            Action::BankTrade { give, want } => {
                let rate = view.table.rates[view.seat.idx()][give.idx()];
                let hand = view.hand - Resources::many(give, rate) + Resources::one(want);
                let gain = self.with_hand(hand);
                if self.builds { gain - 1.0 } else { gain - 0.02 }
            }
            Action::Offer { give, want, .. } => self.rate_offer(give.cards(), want.cards()),
            Action::Accept => {
                let talk = view.table.talk;
                self.rate_answer(talk.want.cards(), talk.give.cards())
            }
            Action::Counter { give, want } => {
                0.3 * self.rate_answer(give.cards(), want.cards()) - 0.02
            }
            Action::Settle { with } => self.rate_partner(with),
        }
    }

    /// What another hand is worth more than this one.
    fn with_hand(&self, hand: Resources) -> f32 {
        self.eyes.hand(&self.view.table, hand) - self.hand
    }

    fn rate_build(&self, action: Action) -> f32 {
        let (game, view) = (self.eyes.game, self.view);
        let founding = matches!(view.table.stage, Stage::Founding(_));
        if let (true, Action::Settlement { vertex }) = (founding, action) {
            return self.eyes.founding(&view.table, vertex);
        }
        let [road, settlement, city, _] = game.prices();
        let cost = match action {
            _ if view.table.phase != Phase::Act => Resources::NONE,
            Action::Settlement { .. } => settlement,
            Action::City { .. } => city,
            _ => road,
        };
        let mut after = view.table;
        game.place(&mut after, action);
        let points = after.points(game, view.seat) + view.cards[Card::VictoryPoint.idx()];
        if after.may_win() && points >= game.rules().points_to_win {
            return WINS;
        }
        let board = self.eyes.board(&after) - self.board;
        let hand = self.eyes.hand(&after, view.hand - cost) - self.hand;
        board + hand + self.denied(&after)
    }

    /// What taking Longest Road from a rival is worth besides the own points.
    fn denied(&self, after: &crate::games::base::state::Table) -> f32 {
        let lost = self.view.table.route.filter(|_| after.route != self.view.table.route);
        let rival = lost.filter(|&seat| seat != self.view.seat);
        rival.map_or(0.0, |seat| 0.3 * self.eyes.danger(after, seat))
    }

    /// A knight: worth most with the robber at the own door or Largest Army in reach.
    fn rate_knight(&self) -> f32 {
        let table = &self.view.table;
        let weights = self.eyes.weights;
        let mine = table.knights[self.view.seat.idx()] + 1;
        let rules = self.eyes.game.rules();
        let most = table.army.map_or(rules.army.minimum - 1, |army| table.knights[army.idx()]);
        let takes = table.army != Some(self.view.seat) && mine > most;
        let points = if takes { f32::from(rules.army.points) } else { 0.0 };
        let own = self.view.own_points(self.eyes.game) + if takes { rules.army.points } else { 0 };
        if table.may_win() && own >= rules.points_to_win {
            return WINS;
        }
        let freed = (-self.eyes.blocks(table, table.robber)).max(0.0);
        weights.point * points + weights.knight + freed + weights.steal - weights.card
    }

    fn rate_offer(&self, give: Resources, want: Resources) -> f32 {
        let view = self.view;
        let so_far = &view.table.so_far;
        let weights = self.eyes.weights;
        let talk = &view.table.talk;
        let again = so_far.refused > 0 && (give, want) == (talk.give.cards(), talk.want.cards());
        if again || f32::from(so_far.refused) >= weights.proposals || so_far.deals >= 6 {
            return NO;
        }
        let gain = self.with_hand(view.hand - give + want) - weights.trade_margin;
        let likely = match give.total().cmp(&want.total()) {
            std::cmp::Ordering::Greater => 0.6,
            std::cmp::Ordering::Equal => 0.4,
            std::cmp::Ordering::Less => 0.05,
        };
        likely * gain
    }

    /// Giving some cards to the current player for others.
    fn rate_answer(&self, give: Resources, want: Resources) -> f32 {
        let view = self.view;
        if !view.hand.covers(give) {
            return NO;
        }
        let weights = self.eyes.weights;
        let gain = self.with_hand(view.hand - give + want);
        gain - weights.trade_margin - self.peril(view.table.current)
    }

    fn rate_partner(&self, with: Seat) -> f32 {
        let view = self.view;
        let talk = view.table.talk;
        let (give, want) = match talk.answers[with.idx()] {
            Answer::Countered { give, want } => (want.cards(), give.cards()),
            _ => (talk.give.cards(), talk.want.cards()),
        };
        self.with_hand(view.hand - give + want) - self.eyes.weights.trade_margin - self.peril(with)
    }

    /// What it costs to help a rival that is about to win.
    fn peril(&self, rival: Seat) -> f32 {
        let game = self.eyes.game;
        let points = f32::from(self.view.table.points(game, rival));
        let left = f32::from(game.rules().points_to_win) - points;
        self.eyes.weights.peril * (1.0 - left / 3.0).clamp(0.0, 1.0)
    }
}

/// Kinds of resources are dealt to others alike: a fifth of all cards is of each.
const _: () = assert!(Resource::COUNT == 5, "see the rating of Monopoly");
