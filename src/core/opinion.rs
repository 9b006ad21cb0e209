//! What an agent thinks of a game's positions and actions: opinions, not rules. Every
//! game on the command line has them; `random` alone asks for none.

use crate::core::agent::Agent;
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

/// A game that there are opinions about.
pub trait Opinion: Game {
    /// Parameters of the planning policy.
    type Weights: Clone + Default + Serialize + DeserializeOwned + Send + Sync + std::fmt::Debug;
    /// Acts by a plan: `heuristic`, and the rollout policy of the same name.
    type Planner: Policy<Self> + Judge<Self>;
    /// Acts by the next step alone: `greedy`.
    type Eager: Policy<Self>;
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

/// Rates actions and positions.
pub trait Judge<G: Game>: Send {
    /// A rating of each action, in any unit that grows with its worth; `out` is cleared first.
    fn rate(&mut self, game: &G, view: &G::View<'_>, legal: &[G::Action], out: &mut Vec<f32>);

    /// Appends unlisted actions that are worth considering.
    fn suggest(&mut self, game: &G, view: &G::View<'_>, legal: &mut Actions<G::Action>);

    /// The chance of each seat to win, from a full position that is not over. Sums to 1.
    fn chances(&mut self, game: &G, state: &G::State) -> PerSeat<f32>;
}

/// An agent that follows a policy.
#[derive(Debug, Clone)]
pub struct Follows<G, P> {
    /// The rules.
    pub game: G,
    /// The policy.
    pub policy: P,
}

impl<G: Game, P: Policy<G>> Agent<G> for Follows<G, P> {
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
}
