//! What an agent thinks of a game's positions and actions: opinions, not rules. Every
//! game on the command line has them; `random` alone asks for none.

use crate::core::agent::{Agent, Thought};
use crate::core::game::{ActionFilter, Game, Observation};
use crate::core::params::{MctsParams, Parameter};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use rand_pcg::Pcg32;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A kind of agent that only one game has.
pub struct Special<G: Opinion> {
    /// The word on the command line.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Makes one.
    pub make: fn() -> G::Special,
}

/// How weights can be learned in a game where chances to win are a softmax of weighted features.
pub struct Lesson<G: Opinion> {
    /// Names of the features.
    pub names: &'static [&'static str],
    /// Appends the features of a seat in a position, as a planner sees them.
    pub features: fn(&mut G::Planner, &G, &G::State, Seat, &mut Vec<f32>),
    /// The coefficient of each feature in the exponent.
    pub weights: fn(&G::Weights) -> Vec<f64>,
    /// Replaces the weights with those that give these coefficients.
    pub put: fn(&mut G::Weights, &[f64]),
}

/// How the net that judges positions of a game can be learned: see [`Net`](crate::core::net::Net).
pub struct NetLesson<G: Opinion> {
    /// Names of its inputs.
    pub names: &'static [&'static str],
    /// Appends the inputs of each seat in a position, by seat, as a planner sees them.
    pub inputs: fn(&mut G::Planner, &G, &G::State, &mut Vec<f32>),
}

/// A game that there are opinions about.
pub trait Opinion: Game {
    /// Parameters of the planning policy.
    type Weights: Clone + Default + Serialize + DeserializeOwned + Send + Sync + std::fmt::Debug;
    /// Acts by a plan: `heuristic`, and the rollout policy of the same name.
    type Planner: Policy<Self> + Judge<Self>;
    /// Acts by the next step alone: `greedy`.
    type Eager: Policy<Self> + Rate<Self>;
    /// Acts fast, for rollouts.
    type Quick: Policy<Self>;
    /// Any of the agents that only this game has; [`NoAgent`](crate::core::agent::NoAgent) if it has none.
    type Special: Agent<Self> + 'static;

    /// The parameters of the planning policy.
    const WEIGHTS: &'static [Parameter];
    /// Agents that only this game has.
    const SPECIALS: &'static [Special<Self>];
    /// Default parameters of searches in this game.
    const SEARCH: MctsParams;
    /// How its weights can be learned, if at all.
    const LESSON: Option<Lesson<Self>>;
    /// How its net can be learned, if it has one.
    const NET: Option<NetLesson<Self>> = None;

    /// The default weights at this table: those of [`Default`], unless tables of some sizes have others.
    fn weights(&self) -> Self::Weights {
        Self::Weights::default()
    }

    /// The planning policy.
    fn planner(&self, weights: &Self::Weights) -> Self::Planner;

    /// The one-step policy.
    fn eager(&self) -> Self::Eager;

    /// The fast policy.
    fn quick(&self) -> Self::Quick;
}

/// Chooses from what one seat sees, without memory.
pub trait Policy<G: Game>: Send {
    /// How much of the legal list it reads.
    fn action_filter(&self) -> ActionFilter;

    /// The position in `legal` of what it does; it may append unlisted actions.
    fn choose(
        &mut self,
        game: &G,
        view: &G::View<'_>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize;
}

/// The position of the first of the highest ratings; 0 if there are none.
#[inline]
pub fn first_best<R: PartialOrd>(ratings: impl IntoIterator<Item = R>) -> usize {
    let mut ratings = ratings.into_iter().enumerate();
    let Some(mut best) = ratings.next() else { return 0 };
    for other in ratings {
        if other.1 > best.1 {
            best = other;
        }
    }
    best.0
}

/// Chances to win by the worth of each seat's position: a factor of e for each `fog` of lead. Sums to 1; a seat
/// without a place at the table, or with a worth of minus infinity, has none.
pub fn shares(seats: u8, worths: PerSeat<f32>, fog: f32) -> PerSeat<f32> {
    let seats = usize::from(seats);
    let most = worths[..seats].iter().copied().fold(f32::MIN, f32::max);
    let mut chances = [0.0; SEATS_MAX];
    for (chance, worth) in chances.iter_mut().zip(worths).take(seats) {
        *chance = libm::expf((worth - most) / fog);
    }
    let sum: f32 = chances.iter().sum();
    chances.map(|chance| chance / sum)
}

/// Chances to win by the rating of each action, in place of the ratings, as [`shares`] has them for a seat that lags
/// behind: the best action leaves an even share, 1/n of n seats, and one that is rated d lower
/// 1 / (1 + (n - 1) e^(d / fog)). A rating that is no number leaves no chance that is one.
pub fn rated_chances(seats: u8, fog: f32, ratings: &mut [f32]) {
    let others = f32::from(seats.saturating_sub(1));
    let best = ratings.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for rating in ratings {
        // Infinite ratings have no difference.
        let behind = if *rating >= best { 0.0 } else { best - *rating };
        *rating = 1.0 / (1.0 + others * libm::expf(behind / fog));
    }
}

/// Rates actions.
pub trait Rate<G: Game>: Send {
    /// A rating of each action, in any unit that grows with its worth; `out` is cleared first.
    fn rate(&mut self, game: &G, view: &G::View<'_>, legal: &[G::Action], out: &mut Vec<f32>);

    /// How much higher a rating has to be to multiply the chance to win by e: what [`rated_chances`] needs to make
    /// win probabilities of ratings. Above 0.
    fn fog(&self) -> f32;

    /// Appends unlisted actions that are worth considering. If there are any, the first is what the policy itself
    /// would do.
    fn suggest(&mut self, _game: &G, _view: &G::View<'_>, _legal: &mut Actions<G::Action>) {}
}

/// Adds what a policy thinks of these actions: its ratings as [`rated_chances`], so that the best one leaves an even
/// share.
pub fn rated_thoughts<G: Game>(
    policy: &mut impl Rate<G>,
    game: &G,
    view: &G::View<'_>,
    among: &[G::Action],
    out: &mut Vec<Thought<G::Action>>,
) {
    let mut chances = Vec::new();
    policy.rate(game, view, among, &mut chances);
    rated_chances(game.players(), policy.fog(), &mut chances);
    out.extend(among.iter().zip(chances).map(|(&action, chance)| Thought {
        action,
        chance: Some(chance),
        visits: None,
        prior: None,
    }));
}

/// Rates actions and positions.
pub trait Judge<G: Game>: Rate<G> {
    /// The chance of each seat to win, from a full position that is not over. Sums to 1.
    fn chances(&mut self, game: &G, state: &G::State) -> PerSeat<f32>;

    /// The same by the game's learned net; as above where there is none.
    fn learned(&mut self, game: &G, state: &G::State) -> PerSeat<f32> {
        self.chances(game, state)
    }
}

/// An agent that follows a policy.
#[derive(Debug, Clone)]
pub struct Follows<G, P> {
    /// The rules.
    pub game: G,
    /// The policy.
    pub policy: P,
}

impl<G: Game, P: Policy<G> + Rate<G>> Agent<G> for Follows<G, P> {
    fn action_filter(&self) -> ActionFilter {
        self.policy.action_filter()
    }

    fn choose(
        &mut self,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        self.policy.choose(&self.game, &seen.view, legal, rng)
    }

    fn weigh(
        &mut self,
        seen: &Observation<'_, G>,
        among: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
        out: &mut Vec<Thought<G::Action>>,
    ) {
        rated_thoughts(&mut self.policy, &self.game, &seen.view, among, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_action_leaves_an_even_share_and_others_less() {
        let mut ratings = [1.0, 3.0, 2.5, -f32::INFINITY, f32::NAN];
        rated_chances(4, 2.0, &mut ratings);
        // 1 / (1 + 3 e), 1 / 4, 1 / (1 + 3 e^0.25)
        for (chance, due) in ratings.iter().zip([0.109_232, 0.25, 0.206_097, 0.0]) {
            assert!((chance - due).abs() < 1e-5, "{chance} is not {due}");
        }
        assert!(ratings[4].is_nan());
        let mut endless = [f32::INFINITY, 0.0, f32::INFINITY];
        rated_chances(2, 1.0, &mut endless);
        assert!(
            std::iter::zip(endless, [0.5, 0.0, 0.5])
                .all(|(chance, due)| (chance - due).abs() < 1e-6)
        );
    }

    /// One seat is behind and the others are level: its share is what a rating so much lower leaves.
    #[test]
    fn ratings_follow_the_law_of_worths() {
        let by_worth = shares(3, [0.4, 1.5, 1.5, 0.0, 0.0, 0.0], 0.7);
        let mut ratings = [1.5, 0.4];
        rated_chances(3, 0.7, &mut ratings);
        assert!((by_worth[0] - ratings[1]).abs() < 1e-6);
    }
}
