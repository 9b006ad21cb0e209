//! What an agent thinks of a game's positions and actions: opinions, not rules. Every
//! game on the command line has them; `random` alone asks for none.

use crate::core::agent::{ActionValue, Agent};
use crate::core::game::{ActionFilter, Game, Observation};
use crate::core::net::{InputList, Net};
use crate::core::params::{MctsParams, Parameter};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use rand_pcg::Pcg32;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::sync::Arc;
#[cfg(test)]
use {crate::core::chance::RandomChance, crate::core::game::Turn, crate::core::seed::BlockSeed};

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

/// How the net that judges positions of a game can be learned: see [`Net`].
pub struct NetLesson<G: Opinion> {
    /// Its inputs.
    pub list: InputList,
    /// Appends the inputs of each seat in a position, by seat, as a planner sees them.
    pub inputs: fn(&mut G::Planner, &G, &G::State, &mut Vec<f32>),
    /// Chances to win by a net with these inputs.
    pub chances: ByNet<G>,
}

/// Chances to win by a net, which a planner describes a position to.
type ByNet<G> = fn(&mut <G as Opinion>::Planner, &Net, &G, &<G as Game>::State) -> PerSeat<f32>;

/// A net that judges positions in place of the one that the game carries.
#[derive(Clone)]
pub struct OtherNet<G: Opinion> {
    net: Arc<Net>,
    chances: ByNet<G>,
}

impl<G: Opinion> OtherNet<G> {
    /// Chances to win by it, as [`Judge::net_win_probabilities`] has them by the game's own.
    pub fn chances(&self, planner: &mut G::Planner, game: &G, state: &G::State) -> PerSeat<f32> {
        (self.chances)(planner, &self.net, game, state)
    }
}

impl<G: Opinion> NetLesson<G> {
    /// A net with these inputs, for searches to judge by.
    pub fn other(&self, net: Net) -> OtherNet<G> {
        OtherNet { net: Arc::new(net), chances: self.chances }
    }
}

impl<G: Opinion<Planner: Describe<G>>> NetLesson<G> {
    /// Of a net with these inputs, as the planner describes positions to it.
    pub const fn new(list: InputList) -> NetLesson<G> {
        NetLesson {
            list,
            inputs: |planner, game, state, out| {
                planner.describe(game, state, |_, inputs| out.extend_from_slice(inputs));
            },
            chances: |planner, net, game, state| planner.by_net(net, game, state),
        }
    }
}

/// A game that there are opinions about.
pub trait Opinion: Game {
    /// Parameters of the planning policy.
    type Weights: Clone + Default + Serialize + DeserializeOwned + Send + Sync + std::fmt::Debug;
    /// Acts by a plan: `heuristic`, and the rollout policy of the same name.
    type Planner: Policy<Self> + Judge<Self>;
    /// Acts by the next step alone: `greedy`.
    type Eager: Policy<Self> + Rate<Self> + Default;
    /// Acts fast, for rollouts.
    type Quick: Policy<Self> + Default;
    /// Any of the agents that only this game has; [`NoAgent`](crate::core::agent::NoAgent) if it has none.
    type Special: Agent<Self> + 'static;

    /// The parameters of the planning policy.
    const WEIGHTS: &'static [Parameter];
    /// Agents that only this game has.
    const SPECIALS: &'static [Special<Self>] = &[];
    /// Default parameters of searches in this game.
    const SEARCH: MctsParams;
    /// Kinds of actions that an agent can be told to do without, by name, and what they are; at most 32.
    const ACTION_KINDS: &'static [(&'static str, &'static str)] = &[];
    /// How its weights can be learned, if at all.
    const LESSON: Option<Lesson<Self>> = None;
    /// How its net can be learned, if it has one.
    const NET: Option<NetLesson<Self>> = None;

    /// Of which kinds an action is, one bit for each of [`Opinion::ACTION_KINDS`].
    fn action_kinds(_action: Self::Action) -> u32 {
        0
    }

    /// The default weights at this table: those of [`Default`], unless tables of some sizes have others.
    fn weights(&self) -> Self::Weights {
        Self::Weights::default()
    }

    /// The planning policy.
    fn planner(&self, weights: &Self::Weights) -> Self::Planner;

    /// The one-step policy.
    fn eager(&self) -> Self::Eager {
        Self::Eager::default()
    }

    /// The fast policy.
    fn quick(&self) -> Self::Quick {
        Self::Quick::default()
    }
}

/// The bits of some kinds of actions among all of a game.
///
/// # Panics
/// If one is not among them.
pub const fn kind_bits(all: &[(&str, &str)], names: &[&str]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < names.len() {
        let mut kind = 0;
        while !is_same(all[kind].0.as_bytes(), names[at].as_bytes()) {
            kind += 1;
        }
        bits |= 1 << kind;
        at += 1;
    }
    bits
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Chooses from what one seat sees, without memory.
pub trait Policy<G: Game>: Send {
    /// How much of the legal list it reads.
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Full
    }

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

/// The larger of two numbers, of which neither is NaN: one instruction, where [`f32::max`] takes more.
#[inline]
pub const fn larger(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// The smaller of two numbers: see [`larger`].
#[inline]
pub const fn smaller(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

/// The highest rating so far, of equal ones the first, with its place in a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Best(Option<(f32, usize)>);

impl Best {
    /// Takes a rating, and its place in the list, if no rating before was as high.
    #[inline]
    pub fn offer(&mut self, rating: f32, place: usize) {
        if self.0.is_none_or(|(best, _)| rating > best) {
            self.0 = Some((rating, place));
        }
    }

    /// Takes the best of what comes later in the list.
    #[inline]
    pub fn or(&mut self, later: Best) {
        if let Some((rating, place)) = later.0 {
            self.offer(rating, place);
        }
    }

    /// The same with another place, which follows from this one.
    #[inline]
    #[must_use]
    pub fn at(self, place: impl FnOnce(usize) -> usize) -> Best {
        Best(self.0.map(|(rating, at)| (rating, place(at))))
    }

    /// Its place; 0 if there are no ratings.
    #[inline]
    pub fn place(self) -> usize {
        self.0.map_or(0, |(_, place)| place)
    }

    /// Whether nothing that comes later and is rated no higher than a bound can take its place.
    #[inline]
    pub fn holds(self, bound: f32) -> bool {
        self.0.is_some_and(|(best, _)| bound <= best)
    }
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

/// The same by a function of the seat that says what its position is worth.
#[inline]
pub fn shares_by(seats: u8, fog: f32, mut worth: impl FnMut(Seat) -> f32) -> PerSeat<f32> {
    let mut worths = [0.0; SEATS_MAX];
    for seat in Seat::all(seats) {
        worths[seat.idx()] = worth(seat);
    }
    shares(seats, worths, fog)
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
    out: &mut Vec<ActionValue<G::Action>>,
) {
    let mut chances = Vec::new();
    policy.rate(game, view, among, &mut chances);
    rated_chances(game.players(), policy.fog(), &mut chances);
    out.extend(among.iter().zip(chances).map(|(&action, chance)| ActionValue {
        action,
        chance: Some(chance),
        visits: None,
        prior: None,
    }));
}

/// Rates actions and positions.
pub trait Judge<G: Game>: Rate<G> {
    /// The chance of each seat to win, from a full position that is not over. Sums to 1.
    fn win_probabilities(&mut self, game: &G, state: &G::State) -> PerSeat<f32>;

    /// The same by the game's learned net; as above where there is none.
    fn net_win_probabilities(&mut self, game: &G, state: &G::State) -> PerSeat<f32> {
        self.win_probabilities(game, state)
    }

    /// Reads the net, so that judging by it allocates nothing. Whoever never judges by it is spared that.
    fn read_net(&self) {}
}

/// Describes positions to a net.
pub trait Describe<G: Game> {
    /// Tells what the net is told of each seat, in their order.
    fn describe(&mut self, game: &G, state: &G::State, tell: impl FnMut(Seat, &[f32]));

    /// Chances to win by such a net: what [`Judge::net_win_probabilities`] is of a game with a net.
    #[inline]
    fn by_net(&mut self, net: &Net, game: &G, state: &G::State) -> PerSeat<f32> {
        let mut worths = [0.0; SEATS_MAX];
        self.describe(game, state, |seat, inputs| worths[seat.idx()] = net.worth(inputs));
        shares(game.players(), worths, 1.0)
    }
}

/// What each action is worth at once: all that a one-step policy goes by.
pub trait AtOnce<G: Game> {
    /// How much of the legal list it reads.
    const FILTER: ActionFilter = ActionFilter::Full;

    /// Tells what each action of a list is worth, in hundredths of a point.
    fn worths(game: &G, view: &G::View<'_>, legal: &[G::Action], tell: impl FnMut(i32));

    /// See [`Rate::fog`], in points.
    fn fog() -> f32;
}

/// A policy that does the first of those actions that are worth the most at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct OneStep<W>(PhantomData<fn() -> W>);

impl<G: Game, W: AtOnce<G>> Policy<G> for OneStep<W> {
    fn action_filter(&self) -> ActionFilter {
        W::FILTER
    }

    fn choose(
        &mut self,
        game: &G,
        view: &G::View<'_>,
        legal: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        let (mut place, mut best) = (0, (0, i32::MIN));
        W::worths(game, view, legal, |worth| {
            if worth > best.1 {
                best = (place, worth);
            }
            place += 1;
        });
        best.0
    }
}

impl<G: Game, W: AtOnce<G>> Rate<G> for OneStep<W> {
    /// In points.
    fn rate(&mut self, game: &G, view: &G::View<'_>, legal: &[G::Action], out: &mut Vec<f32>) {
        out.clear();
        W::worths(game, view, legal, |worth| out.push(worth as f32 / 100.0));
    }

    fn fog(&self) -> f32 {
        W::fog()
    }
}

/// An agent that follows a policy.
#[derive(Debug, Clone)]
pub struct PolicyAgent<G, P> {
    /// The rules.
    pub game: G,
    /// The policy.
    pub policy: P,
}

impl<G: Game, P: Policy<G> + Rate<G>> Agent<G> for PolicyAgent<G, P> {
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

    fn evaluate(
        &mut self,
        seen: &Observation<'_, G>,
        among: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
        out: &mut Vec<ActionValue<G::Action>>,
    ) {
        rated_thoughts(&mut self.policy, &self.game, &seen.view, among, out);
    }
}

/// Plays a match by the default planner while a condition holds, and makes sure that its net then gives chances that
/// sum to 1. Returns them, and what they are after a change of the position.
#[cfg(test)]
pub(crate) fn learned_chances<G: Opinion>(
    game: &G,
    goes_on: impl Fn(&G::State) -> bool,
    change: impl FnOnce(&mut G::State),
) -> [PerSeat<f32>; 2] {
    let mut planner = game.planner(&game.weights());
    let mut chance = RandomChance::new(BlockSeed::new(3, 0));
    let mut state = game.deal(&mut chance);
    let mut legal = Box::new(Actions::new());
    let mut rng = Pcg32::new(1, 1);
    while goes_on(&state) {
        let Turn::Decide(seat) = game.turn(&state) else { break };
        game.legal(&state, ActionFilter::NoOffers, &mut legal);
        let view = game.view(&state, seat);
        let chosen = planner.choose(game, &view, &mut legal, &mut rng);
        game.apply(&mut state, legal[chosen], &mut chance);
    }
    let before = planner.net_win_probabilities(game, &state);
    assert!((before.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    change(&mut state);
    [before, planner.net_win_probabilities(game, &state)]
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
