//! Information-set Monte Carlo tree search, and the same search on the true position (`oracle`).
//!
//! Each iteration begins at a determinization of what the seat knows, a new one every `repeats` iterations;
//! it walks down the tree by PUCT with availability counts, adds a leaf, plays on from there, and adds the value vector along the path
//! (max^n: every seat maximizes its own entry). Offers are considered at the root only; answers,
//! builds, discards and gifts at every depth.
//!
//! A search ends early once no other action can be visited as often as the one that leads: what it would choose is
//! settled. Each search has a generator of its own, which its seat's stream starts with one number, so that how long it
//! was changes nobody's luck, that of the seat's next decision included.
//!
//! A search may have several trees (`trees`), which know nothing of each other until their roots are added up (G. Chaslot,
//! M. Winands, H. van den Herik, "Parallel Monte-Carlo Tree Search", 2008). Each has luck of its own, so what they find
//! does not depend on the number of threads that they grow on.

use crate::core::agent::{ActionValue, Agent, Honest, Omniscient, Sight};
use crate::core::game::{Chain, Observation};
use crate::core::opinion::{Opinion, OtherNet};
use crate::core::params::MctsParams;
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::core::watch::Watch;
use crate::sim::agents::tempered;
use crate::sim::search::tree::{EdgeId, NodeId, Tree};
use crate::sim::search::walker::Walker;
use rand_core::Rng;
use rand_pcg::Pcg32;
use std::marker::PhantomData;
use std::sync::Mutex;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// The search that sees everything.
pub type Oracle<G> = Mcts<G, Omniscient>;

/// A search with its buffers.
pub struct Mcts<G: Opinion, S: Sight = Honest> {
    game: G,
    sight: PhantomData<fn() -> S>,
    params: MctsParams,
    /// 0 if the most visited action is chosen.
    temperature: f32,
    watch: Watch,
    /// One for each tree. What all have found is added up in the first.
    walkers: Vec<Walker<G>>,
    ratings: Vec<f32>,
    iterations: u64,
}

/// When a tree is full grown.
#[derive(Clone, Copy)]
struct Budget<'a> {
    watch: &'a Watch,
    /// Iterations; 0 for any number.
    iterations: u32,
    /// When its time is over, if it has a limit.
    until: Option<Duration>,
    repeats: u32,
    /// Whether the search may end once its choice is settled.
    may_settle: bool,
}

/// How often a search looks whether its choice is settled, in iterations: all edges of the root are looked at.
const SETTLED_EVERY: u32 = 16;

impl Budget<'_> {
    fn is_spent(&self, done: u32) -> bool {
        let counted = self.iterations > 0 && done >= self.iterations;
        counted
            || self.until.is_some_and(|until| self.watch.now() >= until)
            || self.watch.is_stopped()
    }

    /// Whether no other action could be visited as often as the one that leads, in the iterations that are left.
    fn is_settled<A: Copy + PartialEq>(&self, tree: &Tree<A>, done: u32) -> bool {
        self.may_settle
            && done.is_multiple_of(SETTLED_EVERY)
            && self.iterations.checked_sub(done).is_some_and(|left| tree.lead() > left)
    }

    /// Grows a tree, and returns its iterations.
    fn grow<G: Opinion>(
        &self,
        walker: &mut Walker<G>,
        game: &G,
        seat: Seat,
        rng: &mut Pcg32,
        sample: &impl Fn(&G, &mut Chain<G>, &mut Pcg32) -> G::State,
    ) -> u32 {
        let (mut imagined, mut chain) = (None, Chain::<G>::default());
        let mut done = 0;
        while !self.is_spent(done) {
            if self.is_settled(walker.tree(), done) {
                break;
            }
            if done.is_multiple_of(self.repeats) {
                imagined = None;
            }
            let state = *imagined.get_or_insert_with(|| sample(game, &mut chain, rng));
            walker.walk(state, seat, rng);
            done += 1;
        }
        done
    }
}

/// Some trees that a thread grows, and the number of the first.
type Part<'a, G> = Mutex<Option<(usize, &'a mut [Walker<G>])>>;

impl<G: Opinion, S: Sight> Mcts<G, S> {
    /// A search for a game.
    pub fn new(game: G, params: MctsParams, weights: &G::Weights, watch: &Watch) -> Mcts<G, S> {
        let trees = u32::from(params.trees);
        let each = params.iterations.div_ceil(trees);
        let walkers = (0..trees).map(|_| Walker::new(&game, &params, weights, each)).collect();
        let ratings = Vec::new();
        Mcts {
            walkers,
            ratings,
            iterations: 0,
            sight: PhantomData,
            game,
            params,
            temperature: 0.0,
            watch: watch.clone(),
        }
    }

    /// The same search, but its choice is drawn by the values that it finds: see [`tempered`].
    #[must_use]
    pub fn with_temperature(self, temperature: f32) -> Mcts<G, S> {
        Mcts { temperature, ..self }
    }

    /// The same search, but a net judges leaves in place of the one that the game carries, if one is given.
    #[must_use]
    pub fn with_net(mut self, net: Option<&OtherNet<G>>) -> Mcts<G, S> {
        if let Some(net) = net {
            self.walkers.iter_mut().for_each(|walker| walker.judge_by(net.clone()));
        }
        self
    }

    /// Searches from positions that agree with what is seen, all with the same legal list, and returns the entry of
    /// `legal` that was visited most; at a temperature, one that is drawn.
    fn search(
        &mut self,
        seen: &S::Seen<'_, G>,
        legal: &mut Actions<G::Action>,
        may_settle: bool,
        rng: &mut Pcg32,
    ) -> usize {
        let &Observation { seat, ref view, .. } = S::observation(seen);
        for walker in &mut self.walkers {
            walker.begin(view, seat, legal);
        }
        self.grow(seat, may_settle, rng, &|game, chain, rng| S::imagine(seen, game, chain, rng));
        let root = Tree::<G::Action>::ROOT;
        let mut chosen = self.most_visited(root);
        if self.temperature > 0.0 {
            chosen = self.drawn(root, chosen, rng);
        }
        let action = self.walkers[0].tree().edge(chosen).action;
        legal.iter().position(|&listed| listed == action).unwrap_or(0)
    }

    /// Grows all trees, and adds up what they found at their roots.
    fn grow(
        &mut self,
        seat: Seat,
        may_settle: bool,
        rng: &mut Pcg32,
        sample: &(impl Fn(&G, &mut Chain<G>, &mut Pcg32) -> G::State + Sync),
    ) {
        let (watch, params) = (&self.watch, &self.params);
        let start = watch.now();
        let limit = Duration::from_millis(u64::from(params.time_ms));
        let trees = self.walkers.len();
        let budget = |iterations: u32, share: Duration| Budget {
            watch,
            iterations,
            until: (params.time_ms > 0).then(|| start.saturating_add(share)),
            repeats: params.repeats,
            // Of several trees none knows what the others find.
            may_settle: may_settle && trees == 1,
        };
        if let [walker] = &mut self.walkers[..] {
            let mut rng = Pcg32::new(rng.next_u64(), 0);
            let all = budget(params.iterations, limit);
            self.iterations += u64::from(all.grow(walker, &self.game, seat, &mut rng, sample));
            return;
        }
        let luck: Vec<u64> = (0..trees).map(|_| rng.next_u64()).collect();
        let (each, more) = (params.iterations as usize / trees, params.iterations as usize % trees);
        let game = &self.game;
        // The trees of one thread grow one after the other, each for its share of the time.
        let on_thread = |first: usize, walkers: &mut [Walker<G>]| -> u64 {
            let (mut done, count) = (0, u32::try_from(walkers.len()).expect("few trees"));
            for (place, walker) in (0..count).zip(walkers) {
                let tree = first + place as usize;
                let iterations = u32::try_from(each + usize::from(tree < more)).expect("a part");
                if iterations == 0 && params.iterations > 0 {
                    continue;
                }
                let mut rng = Pcg32::new(luck[tree], tree as u64);
                let budget = budget(iterations, limit * (place + 1) / count);
                done += u64::from(budget.grow(walker, game, seat, &mut rng, sample));
            }
            done
        };
        let part = trees.div_ceil(watch.think_threads());
        let parts = (0..trees).step_by(part).zip(self.walkers.chunks_mut(part));
        let parts: Vec<_> = parts.map(|part| Mutex::new(Some(part))).collect();
        // A part is taken once: by its thread, or by this one where the system has no room for a thread.
        let grow = |part: &Part<'_, G>| {
            let part = part.lock().expect("a search does not panic").take();
            part.map_or(0, |(first, walkers)| on_thread(first, walkers))
        };
        self.iterations += thread::scope(|scope| {
            let grow = &grow;
            let start = |part| thread::Builder::new().spawn_scoped(scope, move || grow(part)).ok();
            let threads: Vec<_> = parts.iter().map(start).collect();
            let alone = parts.iter().zip(&threads).filter(|(_, thread)| thread.is_none());
            let here: u64 = alone.map(|(part, _)| grow(part)).sum();
            let joined = threads.into_iter().flatten().map(ScopedJoinHandle::join);
            here + joined.map(|done| done.expect("a search does not panic")).sum::<u64>()
        });
        let (first, others) = self.walkers.split_first_mut().expect("at least one tree");
        for other in others {
            first.absorb(other);
        }
    }

    /// Adds what the last search found of the actions at the root.
    fn recall(&self, out: &mut Vec<ActionValue<G::Action>>) {
        let tree = self.walkers[0].tree();
        let edges = tree.edges(Tree::<G::Action>::ROOT).map(|id| tree.edge(id));
        out.extend(edges.map(|edge| ActionValue {
            action: edge.action,
            chance: (edge.visits > 0).then(|| edge.mean()),
            visits: Some(edge.visits),
            prior: Some(edge.prior),
        }));
    }

    /// An edge of a node, drawn by its mean value, which is a chance to win. A few lucky visits must not make an edge
    /// the best: no mean counts for more than that of the most visited one. Edges without a visit are not drawn.
    fn drawn(&mut self, node: NodeId, most_visited: EdgeId, rng: &mut Pcg32) -> EdgeId {
        let (tree, ratings) = (self.walkers[0].tree(), &mut self.ratings);
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
        let tree = self.walkers[0].tree();
        for id in tree.edges(node) {
            if best.is_none_or(|b| tree.edge(id).visits > tree.edge(b).visits) {
                best = Some(id);
            }
        }
        best.expect("the root has edges")
    }

    /// Plays a copy of a position to its end and values it, without a tree: the cost of one leaf. `bench`
    /// measures the search against it.
    pub fn rollout(&mut self, state: &G::State, rng: &mut Pcg32) -> PerSeat<f32> {
        let mut state = *state;
        self.walkers[0].value(&mut state, rng)
    }
}

impl<G: Opinion, S: Sight> Agent<G, S> for Mcts<G, S> {
    fn remembers(&self) -> bool {
        S::IMAGINES
    }

    fn choose(
        &mut self,
        seen: &S::Seen<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        self.walkers[0].suggest(&S::observation(seen).view, legal);
        self.search(seen, legal, self.temperature == 0.0, rng)
    }

    fn evaluate(
        &mut self,
        seen: &S::Seen<'_, G>,
        among: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        out: &mut Vec<ActionValue<G::Action>>,
    ) {
        self.search(seen, among, false, rng);
        self.recall(out);
    }

    fn take_iterations(&mut self) -> u64 {
        std::mem::take(&mut self.iterations)
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
        let watch = Watch::none();
        let mut search =
            Mcts::<OnTheRoad>::new(game, MctsParams::DEFAULT, &Weights::default(), &watch)
                .with_temperature(0.1);
        let root = Tree::<Action>::ROOT;
        let mut edges = Vec::new();
        for (visits, mean) in [(1, 1.0), (10, 0.5), (2, 0.3), (0, 0.0)] {
            let added =
                search.walkers[0].tree_mut().add(root, Seat::FIRST, Action::EndTurn, 0, 0.25);
            let edge = added.expect("there is room");
            (0..visits).for_each(|_| search.walkers[0].tree_mut().update(edge, &[mean; 6]));
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
