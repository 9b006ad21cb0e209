//! Information-set Monte Carlo tree search, and the same search on the true position (`oracle`).
//!
//! Each iteration begins at a determinization of what the seat knows, a new one every `repeats` iterations;
//! it walks down the tree by PUCT with availability counts, adds a leaf, plays on from there, and adds the value vector along the path
//! (max^n: every seat maximizes its own entry). Offers are considered at the root only; answers,
//! builds, discards and gifts at every depth.
//!
//! Selection: mean + exploration · prior · √available / (1 + visits) (D. Silver et al., 2017, with
//! availability in place of the parent's visits, after P. Cowling et al., 2012).

use crate::core::agent::{Agent, OmniscientAgent};
use crate::core::chance::{PlainChance, below};
use crate::core::game::{ActionFilter, Observation, Turn};
use crate::core::opinion::{Judge, Opinion, Policy, Rate};
use crate::core::params::{Judgement, MctsParams, Opponents, Rollout};
use crate::core::types::actions::{ACTIONS_CAP, Actions};
use crate::core::types::seat::{PerSeat, Seat};
use crate::sim::agents::tempered;
use crate::sim::search::rollout::{Guide, play_on, result};
use crate::sim::search::tree::{EdgeId, NodeId, Tree};
use rand_pcg::Pcg32;
use std::time::Duration;

/// The most edges that an iteration adds, on average: sets the size of the arena.
const EDGES_PER_ITERATION: usize = 24;

/// What a search asks of the outside; it is handed in from above.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    /// Time since some fixed moment: searches with a time budget read it.
    pub now: fn() -> Duration,
    /// Whether nobody waits for the answer any longer: the search ends at once with what it has. Whoever says
    /// so throws the match away.
    pub stopped: fn() -> bool,
}

impl Watch {
    /// A clock that stands still, and somebody who waits.
    pub const NONE: Watch = Watch { now: || Duration::ZERO, stopped: || false };
}

/// A search with its buffers.
pub struct Mcts<G: Opinion> {
    game: G,
    params: MctsParams,
    /// 0 if the most visited action is chosen.
    temperature: f32,
    watch: Watch,
    guide: LeafGuide<G>,
    search: SearchTree<G>,
    path: Vec<EdgeId>,
    legal: Box<Actions<G::Action>>,
    iterations: u64,
}

/// The tree, and the opinions that it grows by.
struct SearchTree<G: Opinion> {
    planner: G::Planner,
    tree: Tree<G::Action>,
    /// Edges of the node in hand that are legal there, each with its position in the legal list.
    open: Vec<(EdgeId, u16)>,
    ratings: Vec<f32>,
    /// Entries of a legal list with their ratings, the best ones first.
    best: Vec<(f32, u16)>,
    /// Their shares of the prior.
    shares: Vec<f32>,
}

/// The rollout policy in force.
struct LeafGuide<G: Opinion> {
    rollout: Rollout,
    quick: G::Quick,
    /// If it is the planner that plays on.
    planner: Option<G::Planner>,
}

impl<G: Opinion> Guide<G> for LeafGuide<G> {
    fn action_filter(&self) -> ActionFilter {
        match self.rollout {
            Rollout::Random | Rollout::Heuristic => ActionFilter::NoOffers,
            Rollout::Quick => self.quick.action_filter(),
        }
    }

    #[inline]
    fn pick(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        match self.rollout {
            Rollout::Random => below(rng, u32::try_from(legal.len()).expect("short")) as usize,
            Rollout::Quick => self.quick.choose(game, &game.view(state, seat), legal, rng),
            Rollout::Heuristic => {
                let planner = self.planner.as_mut().expect("made for it");
                planner.choose(game, &game.view(state, seat), legal, rng)
            }
        }
    }
}

impl<G: Opinion> Mcts<G> {
    /// A search for a game.
    pub fn new(game: G, params: MctsParams, weights: &G::Weights, watch: Watch) -> Mcts<G> {
        let planned = if params.iterations == 0 { 20_000 } else { params.iterations as usize };
        let edges = planned.saturating_mul(EDGES_PER_ITERATION).clamp(4096, 1 << 20);
        let guide = LeafGuide {
            rollout: params.rollout,
            quick: game.quick(),
            planner: (params.rollout == Rollout::Heuristic).then(|| game.planner(weights)),
        };
        Mcts {
            search: SearchTree {
                planner: game.planner(weights),
                tree: Tree::new(planned.clamp(1024, 1 << 18) + 2, edges),
                ratings: Vec::with_capacity(ACTIONS_CAP),
                open: Vec::with_capacity(ACTIONS_CAP),
                best: Vec::with_capacity(ACTIONS_CAP),
                shares: Vec::with_capacity(ACTIONS_CAP),
            },
            guide,
            path: Vec::with_capacity(256),
            legal: Box::default(),
            iterations: 0,
            game,
            params,
            temperature: 0.0,
            watch,
        }
    }

    /// The same search, but its choice is drawn by the values that it finds: see [`tempered`].
    #[must_use]
    pub fn with_temperature(self, temperature: f32) -> Mcts<G> {
        Mcts { temperature, ..self }
    }

    /// Searches from positions that `sample` draws, all with the same legal list, and returns the entry of
    /// `legal` that was visited most; at a temperature, one that is drawn.
    fn search(
        &mut self,
        view: &G::View<'_>,
        seat: Seat,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        mut sample: impl FnMut(&G, &mut Pcg32) -> G::State,
    ) -> usize {
        let root = Tree::<G::Action>::ROOT;
        self.search.tree.clear();
        self.search.open.clear();
        self.search.planner.suggest(&self.game, view, legal);
        self.search.expand(&self.game, &self.params, root, view, seat, legal);
        let Watch { now, stopped } = self.watch;
        let start = now();
        let limit = Duration::from_millis(u64::from(self.params.time_ms));
        let mut imagined = None;
        for done in 0_u32.. {
            let counted = self.params.iterations > 0 && done >= self.params.iterations;
            let timed = self.params.time_ms > 0 && now().saturating_sub(start) >= limit;
            if counted || timed || stopped() {
                break;
            }
            if done.is_multiple_of(self.params.repeats) {
                imagined = None;
            }
            let mut state = *imagined.get_or_insert_with(|| sample(&self.game, rng));
            let values = self.iterate(&mut state, seat, rng);
            for &edge in &self.path {
                self.search.tree.update(edge, &values);
            }
            self.iterations += 1;
        }
        let mut chosen = self.most_visited(root);
        if self.temperature > 0.0 {
            chosen = self.drawn(root, chosen, rng);
        }
        let action = self.search.tree.edge(chosen).action;
        legal.iter().position(|&listed| listed == action).unwrap_or(0)
    }

    /// An edge of a node, drawn by its mean value, which is a chance to win. A few lucky visits must not make an edge
    /// the best: no mean counts for more than that of the most visited one. Edges without a visit are not drawn.
    fn drawn(&mut self, node: NodeId, most_visited: EdgeId, rng: &mut Pcg32) -> EdgeId {
        let SearchTree { tree, ratings, .. } = &mut self.search;
        if tree.edge(most_visited).visits == 0 {
            return most_visited;
        }
        let most = tree.edge(most_visited).mean();
        ratings.clear();
        ratings.extend(tree.edges(node).map(|id| match tree.edge(id) {
            edge if edge.visits == 0 => f32::NEG_INFINITY,
            edge => edge.mean().min(most),
        }));
        let usual = tree.edges(node).position(|id| id == most_visited);
        let usual = usual.expect("an edge of the node");
        let place = tempered::draw(ratings, usual, self.temperature, rng);
        tree.edges(node).nth(place).expect("a rating for each edge")
    }

    fn most_visited(&self, node: NodeId) -> EdgeId {
        let mut best: Option<EdgeId> = None;
        for id in self.search.tree.edges(node) {
            if best
                .is_none_or(|b| self.search.tree.edge(id).visits > self.search.tree.edge(b).visits)
            {
                best = Some(id);
            }
        }
        best.expect("the root has edges")
    }

    /// One walk down the tree and one rollout; leaves the edges walked in `path`.
    fn iterate(&mut self, state: &mut G::State, searcher: Seat, rng: &mut Pcg32) -> PerSeat<f32> {
        self.path.clear();
        let mut node = Tree::<G::Action>::ROOT;
        while let Turn::Decide(seat) = self.game.turn(state) {
            if self.path.len() == self.path.capacity() {
                break;
            }
            let at_root = self.path.is_empty();
            if !at_root {
                self.game.legal(state, ActionFilter::NoOffers, &mut self.legal);
                if self.legal.len() == 1 {
                    self.game.apply(state, self.legal[0], &mut PlainChance(rng));
                    continue;
                }
                if seat != searcher && self.params.opponents == Opponents::Heuristic {
                    self.follow(state, seat, rng);
                    continue;
                }
            }
            let Some(edge) = self.select(node, seat, state, at_root) else { break };
            let action = self.search.tree.edge(edge).action;
            let fresh = self.search.tree.edge(edge).visits == 0;
            self.game.apply(state, action, &mut PlainChance(rng));
            self.path.push(edge);
            match self.search.tree.child(edge) {
                Some(child) if !fresh => node = child,
                _ => break,
            }
        }
        self.value(state, rng)
    }

    /// Another seat acts by the planning policy, outside the tree.
    fn follow(&mut self, state: &mut G::State, seat: Seat, rng: &mut Pcg32) {
        let view = self.game.view(state, seat);
        let listed = self.legal.len();
        let chosen = self.search.planner.choose(&self.game, &view, &mut self.legal, rng);
        let idx = if chosen < listed { chosen } else { 0 };
        self.game.apply(state, self.legal[idx], &mut PlainChance(rng));
    }

    /// The edge to follow: the best by PUCT among those that are legal in this determinization. At the
    /// root the candidates are legal in all of them.
    fn select(
        &mut self,
        node: NodeId,
        seat: Seat,
        state: &G::State,
        at_root: bool,
    ) -> Option<EdgeId> {
        if at_root {
            self.search.open.clear();
            self.search.open.extend(self.search.tree.edges(node).map(|id| (id, 0)));
        } else {
            self.search.list_open(node, seat, &self.legal);
            let wanted = self.legal.len().min(usize::from(self.params.candidates));
            if self.search.open.len() < wanted {
                let view = self.game.view(state, seat);
                self.search.expand(&self.game, &self.params, node, &view, seat, &self.legal);
            }
        }
        let mut best: Option<(f32, EdgeId)> = None;
        for at in 0..self.search.open.len() {
            let (id, _) = self.search.open[at];
            let score = self.score(id);
            self.search.tree.note_available(id);
            if best.is_none_or(|(other, _)| score > other) {
                best = Some((score, id));
            }
        }
        best.map(|(_, id)| id)
    }

    #[inline]
    fn score(&self, id: EdgeId) -> f32 {
        let edge = self.search.tree.edge(id);
        let visits = edge.visits as f32;
        let bonus = self.params.exploration * edge.prior * (edge.available as f32 + 1.0).sqrt()
            / (1.0 + visits);
        // An untried action is assumed to be as good as an even share.
        let mean =
            if edge.visits == 0 { 1.0 / f32::from(self.game.players()) } else { edge.mean() };
        mean + bonus
    }

    /// Plays a copy of a position to its end and values it, without a tree: the cost of one leaf. `bench`
    /// measures the search against it.
    pub fn rollout(&mut self, state: &G::State, rng: &mut Pcg32) -> PerSeat<f32> {
        let mut state = *state;
        self.value(&mut state, rng)
    }

    /// The value of a leaf by seat: played on, then judged if it is not over.
    fn value(&mut self, state: &mut G::State, rng: &mut Pcg32) -> PerSeat<f32> {
        let legal = &mut self.legal;
        play_on(&self.game, state, self.params.truncation, &mut self.guide, legal, rng);
        match self.game.turn(state) {
            Turn::Over => result(&self.game, state),
            Turn::Decide(_) => match self.params.judgement {
                Judgement::Weights => self.search.planner.chances(&self.game, state),
                Judgement::Learned => self.search.planner.learned(&self.game, state),
            },
        }
    }
}

impl<G: Opinion> SearchTree<G> {
    /// Notes the edges of a seat at a node that are in a legal list.
    fn list_open(&mut self, node: NodeId, seat: Seat, legal: &[G::Action]) {
        self.tree.list_open(node, seat, legal, &mut self.open);
    }

    /// Adds the candidates of a node that it lacks: the best entries of a legal list, with priors. They are
    /// open, as are those noted before.
    #[allow(
        clippy::too_many_arguments,
        reason = "the rules, the parameters, and one node's four facts"
    )]
    fn expand(
        &mut self,
        game: &G,
        params: &MctsParams,
        node: NodeId,
        view: &G::View<'_>,
        seat: Seat,
        legal: &[G::Action],
    ) {
        self.planner.rate(game, view, legal, &mut self.ratings);
        self.best.clear();
        let numbered = (0_u16..).zip(&self.ratings);
        self.best.extend(numbered.map(|(idx, &rating)| (rating, idx)));
        let order = |a: &(f32, u16), b: &(f32, u16)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        let candidates = usize::from(params.candidates.max(1));
        if candidates < self.best.len() {
            self.best.select_nth_unstable_by(candidates, order);
            self.best.truncate(candidates);
        }
        self.best.sort_unstable_by(order);
        let top = self.best[0].0;
        let share =
            |&(rating, _): &(f32, u16)| libm::expf((rating - top).max(-20.0) / params.prior_scale);
        self.shares.clear();
        self.shares.extend(self.best.iter().map(share));
        let sum: f32 = self.shares.iter().sum();
        // A tenth of the attention is spread evenly, so that no candidate is written off unseen.
        let even = 0.1 / self.best.len() as f32;
        for (&(_, idx), share) in self.best.iter().zip(&self.shares) {
            if self.open.iter().all(|&(_, listed)| listed != idx) {
                let prior = 0.9 * share / sum + even;
                let added = self.tree.add(node, seat, legal[usize::from(idx)], idx, prior);
                self.open.extend(added.map(|id| (id, idx)));
            }
        }
    }
}

impl<G: Opinion> Agent<G> for Mcts<G> {
    fn remembers(&self) -> bool {
        true
    }

    fn choose(
        &mut self,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        self.search(&seen.view, seen.seat, legal, rng, |game, rng| seen.determinize(game, rng))
    }

    fn take_iterations(&mut self) -> u64 {
        std::mem::take(&mut self.iterations)
    }
}

/// The search that sees everything.
pub struct Oracle<G: Opinion>(pub Mcts<G>);

impl<G: Opinion> OmniscientAgent<G> for Oracle<G> {
    fn choose(
        &mut self,
        state: &G::State,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        self.0.search(&seen.view, seen.seat, legal, rng, |_, _| *state)
    }

    fn take_iterations(&mut self) -> u64 {
        std::mem::take(&mut self.0.iterations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::game::Game;
    use crate::games::on_the_road::{
        OnTheRoad, action::Action, opinion::weights::Weights, rules::Rules,
    };

    /// A lucky visit counts for no more than the most visited edge, and an edge without one is not drawn: 1, e^0.1,
    /// e^-2 and 0, at a temperature of 0.1.
    #[test]
    fn edges_are_drawn_by_their_means_up_to_that_of_the_most_visited() {
        let game = OnTheRoad::new(Rules::default(), 3).expect("the default rules");
        let watch = Watch::NONE;
        let mut search =
            Mcts::new(game, MctsParams::DEFAULT, &Weights::default(), watch).with_temperature(0.1);
        let root = Tree::<Action>::ROOT;
        let mut edges = Vec::new();
        for (visits, mean) in [(1, 1.0), (10, 0.5), (2, 0.3), (0, 0.0)] {
            let added = search.search.tree.add(root, Seat::FIRST, Action::EndTurn, 0, 0.25);
            let edge = added.expect("there is room");
            (0..visits).for_each(|_| search.search.tree.update(edge, &[mean; 6]));
            edges.push(edge);
        }
        assert_eq!(search.most_visited(root), edges[1]);
        let mut rng = Pcg32::new(1, 1);
        let mut counts = [0_u32; 4];
        for _ in 0..20_000 {
            let drawn = search.drawn(root, edges[1], &mut rng);
            counts[edges.iter().position(|&edge| edge == drawn).expect("an edge")] += 1;
        }
        // Four standard deviations are 282.
        for (count, due) in counts.into_iter().zip([8927_u32, 9865, 1208, 0]) {
            assert!(count.abs_diff(due) < 282, "{counts:?}");
        }
        assert_eq!(counts[3], 0);
    }
}
