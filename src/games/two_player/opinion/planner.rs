//! The planning policy: rates the island's actions as its planner does, and what this game adds by what it brings.

use crate::core::game::Game;
use crate::core::opinion::{Best, Describe, Judge, Policy, Rate, shares_by};
use crate::core::resources::{Resource, Resources};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::two_player::action::Action;
use crate::games::two_player::game::{PLAYERS, TwoPlayer, opponent};
use crate::games::two_player::observe::View;
use crate::games::two_player::opinion::inputs::{self, NET};
use crate::games::two_player::opinion::swing::Swing;
use crate::games::two_player::opinion::weights::Weights;
use crate::games::two_player::state::{Owed, State};
use crate::parts::island::cards::Card;
use crate::parts::island::opinion::evaluation::Evaluation;
use crate::parts::island::opinion::inputs as island_inputs;
use crate::parts::island::opinion::standing::Standings;
use crate::parts::island::opinion::talk::Talk;
use crate::parts::island::opinion::worth::{Goals, Situation};
use crate::parts::island::{self, action};
use rand_pcg::Pcg32;
use std::sync::LazyLock;

/// Plans by these weights.
#[derive(Debug, Clone)]
pub struct Planner {
    weights: Weights,
    standings: Standings,
    ratings: Vec<f32>,
}

impl Planner {
    /// A planner with these weights.
    pub fn new(weights: Weights) -> Planner {
        Planner {
            weights,
            standings: Standings::default(),
            ratings: Vec::with_capacity(TwoPlayer::ACTIONS_MAX),
        }
    }

    /// Rates all of a list but its talk, of which it returns the best.
    fn rate_all(
        &mut self,
        game: &TwoPlayer,
        view: &View<'_>,
        talk: &Talk<'_, Action>,
        out: &mut Vec<f32>,
    ) -> Best {
        self.standings.on(&view.island.table.board);
        out.clear();
        let mut of_talk = Best::default();
        if view.own.owed == Owed::Nothing {
            let island = game.island();
            let mut evaluation =
                Evaluation::new(island, &self.weights.island, &mut self.standings, &view.island);
            of_talk = evaluation.seek(talk.places());
            let shared = |action| shared(action).map_or(0.0, |action| evaluation.rate(action));
            out.extend(talk.others().map(shared));
        } else {
            out.extend(talk.others().map(|_| 0.0));
        }
        if talk.others().any(concerns) {
            self.add_own(game, view, talk.others(), out);
        }
        of_talk
    }

    /// Rates what this game adds: its own actions, and what a build of the island's takes from the opponent.
    fn add_own(
        &mut self,
        game: &TwoPlayer,
        view: &View<'_>,
        actions: impl Iterator<Item = Action>,
        out: &mut [f32],
    ) {
        let table = view.island.table;
        let (island, weights) = (game.island(), &self.weights);
        let hidden = view.island.cards[Card::VictoryPoint.idx()];
        let seat = (view.island.seat, hidden);
        let mut swing = Swing::new(island, weights, &mut self.standings, table, seat);
        let mut hand = None;
        let mut hand = |swing: &mut Swing<'_>| {
            let new = |goals| Hand { goals, weights, cards: view.island.hand };
            *hand.get_or_insert_with(|| new(swing.goals()))
        };
        let token = weights.added.token;
        let price = || token * f32::from(game.action_price(table));
        for (rating, action) in out.iter_mut().zip(actions) {
            *rating += match action {
                Action::Island(action) => build(game, view, &mut swing, action, token),
                Action::NeutralRoad { .. } | Action::NeutralSettlement { .. } => {
                    swing.of(|after| game.place_neutral(after, action))
                }
                Action::ForcedTrade => {
                    let theirs = view.island.hand_sizes[opponent(view.island.seat).idx()];
                    let trade = hand(&mut swing).forced_trade(theirs, swing.rival_income());
                    trade + weights.added.disrupted - price()
                }
                Action::GiveBack { first, second } => {
                    let hand = hand(&mut swing);
                    hand.with(hand.cards - Resources::one(first) - Resources::one(second))
                }
                Action::RobberHome => {
                    let home = game.home(table).unwrap_or(table.robber);
                    swing.of(|after| after.robber = home) - price()
                }
                Action::TurnIn => {
                    let knight = game.rules().trade_tokens.knight;
                    let tokens = game.would_get(view.own, view.island.seat, knight);
                    swing.of(|after| game.lose_knight(after)) + token * f32::from(tokens)
                }
            };
        }
    }
}

/// The island's action that an action is.
fn shared(action: Action) -> Option<action::Action> {
    match action {
        Action::Island(shared) => Some(shared),
        _ => None,
    }
}

/// Whether an action is this game's own, or brings more in this game than on the island.
fn concerns(action: Action) -> bool {
    use action::Action::{Road, Settlement};
    !matches!(action, Action::Island(action) if !matches!(action, Road { .. } | Settlement { .. }))
}

/// What a build of the island's brings beyond what the island's planner sees: tokens, and what the opponent loses.
fn build(
    game: &TwoPlayer,
    view: &View<'_>,
    swing: &mut Swing<'_>,
    action: action::Action,
    token: f32,
) -> f32 {
    let table = view.island.table;
    let tokens = match action {
        action::Action::Settlement { vertex } => {
            let tokens = game.settlement_tokens(table, vertex);
            game.would_get(view.own, view.island.seat, tokens)
        }
        action::Action::Road { .. } => 0,
        _ => return 0.0,
    };
    token * f32::from(tokens) - swing.loss(action)
}

/// A hand, and what it is good for.
#[derive(Clone, Copy)]
struct Hand<'a> {
    goals: Goals,
    weights: &'a Weights,
    cards: Resources,
}

impl Hand<'_> {
    fn worth(&self, cards: Resources) -> f32 {
        let weights = &self.weights.island;
        self.goals.less_excess(weights, self.goals.worth(weights, cards), cards)
    }

    /// How much more other cards are worth than these.
    fn with(&self, cards: Resources) -> f32 {
        self.worth(cards) - self.worth(self.cards)
    }

    /// The hand without the card that it can best do without.
    fn without_worst(&self, cards: Resources) -> Resources {
        let mut best = (f32::NEG_INFINITY, cards);
        for (kind, _) in cards.iter() {
            let left = cards - Resources::one(kind);
            let worth = self.worth(left);
            if worth > best.0 {
                best = (worth, left);
            }
        }
        best.1
    }

    /// What a forced trade brings, if the opponent's cards are as its land yields them: for each card drawn, the worst
    /// of the hand goes back; of an opponent with one card, one more.
    fn forced_trade(&self, theirs: u8, chances: [f32; Resource::COUNT]) -> f32 {
        let all: f32 = chances.iter().sum::<f32>() + Resource::COUNT as f32;
        let swapped = |cards: Resources| -> f32 {
            let worth = |kind| self.worth(self.without_worst(cards + Resources::one(kind)));
            let share = |kind: Resource| (chances[kind.idx()] + 1.0) / all;
            Resource::ALL.into_iter().map(|kind| share(kind) * worth(kind)).sum()
        };
        let now = self.worth(self.cards);
        if theirs == 1 {
            return swapped(self.without_worst(self.cards)) - now;
        }
        2.0 * (swapped(self.cards) - now)
    }
}

impl Policy<TwoPlayer> for Planner {
    fn choose(
        &mut self,
        game: &TwoPlayer,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        let mut ratings = std::mem::take(&mut self.ratings);
        let talk = Talk::of(game.island(), &view.island, legal, shared);
        let of_talk = self.rate_all(game, view, &talk, &mut ratings);
        let best = talk.best(ratings.iter().copied(), of_talk);
        self.ratings = ratings;
        best
    }
}

impl Rate<TwoPlayer> for Planner {
    fn rate(&mut self, game: &TwoPlayer, view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        self.rate_all(game, view, &Talk::none(legal), out);
    }

    fn fog(&self) -> f32 {
        self.weights.island.fog
    }
}

impl Judge<TwoPlayer> for Planner {
    fn net_win_probabilities(&mut self, game: &TwoPlayer, state: &State) -> PerSeat<f32> {
        self.by_net(&NET, game, state)
    }

    fn read_net(&self) {
        LazyLock::force(&NET);
    }

    fn win_probabilities(&mut self, game: &TwoPlayer, state: &State) -> PerSeat<f32> {
        let settled = self.settled(game, state);
        let (island, standings) = (game.island(), &mut self.standings);
        let Weights { island: weights, added } = &self.weights;
        shares_by(PLAYERS, weights.fog, |seat| {
            let (features, _) = standings.features(island, weights, &settled, seat);
            let tokens = f32::from(state.own.tokens[seat.idx()]);
            weights.worth(&features) + added.token * tokens
        })
    }
}

impl Describe<TwoPlayer> for Planner {
    fn describe(&mut self, game: &TwoPlayer, state: &State, mut tell: impl FnMut(Seat, &[f32])) {
        let settled = self.settled(game, state);
        let (island, weights) = (game.island(), &self.weights.island);
        let shared = island_inputs::all(island, weights, &mut self.standings, &settled);
        for seat in Seat::all(PLAYERS) {
            tell(seat, &inputs::all(game, state, seat, &shared[seat.idx()]));
        }
    }
}

impl Planner {
    /// The position on the island that is judged.
    fn settled(&mut self, game: &TwoPlayer, state: &State) -> island::state::State {
        self.standings.on(&state.island.table.board);
        let mut settled = state.island;
        if state.own.owed == Owed::Cards {
            self.give_back(game, &mut settled);
        }
        settled
    }

    /// Gives the two worst cards back, so that a position in the middle of a forced trade is judged by its end.
    fn give_back(&mut self, game: &TwoPlayer, state: &mut island::state::State) {
        let seat = state.table.active;
        let weights = &self.weights.island;
        let situation = Situation { game: game.island(), weights, table: &state.table, seat };
        let goals = self.standings.goals(&situation);
        let cards = state.hands[seat.idx()];
        let hand = Hand { goals, weights: &self.weights, cards };
        let left = hand.without_worst(hand.without_worst(cards));
        let other = opponent(seat).idx();
        state.hands[other] = state.hands[other] + (cards - left);
        state.hands[seat.idx()] = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::support::choices_have_the_highest_rating;
    use crate::games::two_player::rules::Rules;

    #[test]
    fn it_chooses_what_it_rates_highest() {
        let game = TwoPlayer::new(Rules::default(), 2).expect("the default rules");
        let choices = |seed| choices_have_the_highest_rating(&game, &Weights::default(), seed);
        let long: usize = (0..2).map(choices).sum();
        assert!(long > 100, "{long} long lists");
    }
}
