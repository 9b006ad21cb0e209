//! One tree of a search: walks down it by PUCT, adds a leaf, and values what lies beyond.
//!
//! Selection: mean + exploration · prior · √available / (1 + visits) (D. Silver et al., 2017, with
//! availability in place of the parent's visits, after P. Cowling et al., 2012).

use crate::core::chance::{PlainChance, below};
use crate::core::game::{ActionFilter, Turn};
use crate::core::opinion::{Judge, Opinion, OtherNet, Policy, Rate};
use crate::core::params::{Judgement, MctsParams, Opponents, Rollout};
use crate::core::types::actions::{ACTIONS_CAP, Actions};
use crate::core::types::seat::{PerSeat, Seat};
use crate::sim::search::rollout::{Guide, play_on, result};
use crate::sim::search::tree::{EdgeId, NodeId, Tree};
use rand_pcg::Pcg32;

/// The most edges that an iteration adds, on average: sets the size of the arena.
const EDGES_PER_ITERATION: usize = 24;

/// A tree with its buffers.
pub struct Walker<G: Opinion> {
    game: G,
    params: MctsParams,
    guide: LeafGuide<G>,
    search: SearchTree<G>,
    path: Vec<EdgeId>,
    legal: Box<Actions<G::Action>>,
}

/// The tree, and the opinions that it grows by.
struct SearchTree<G: Opinion> {
    planner: G::Planner,
    /// What judges leaves in place of the game's net, if anything does.
    net: Option<OtherNet<G>>,
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

impl<G: Opinion> Walker<G> {
    /// A tree for a number of iterations a decision.
    pub fn new(game: &G, params: &MctsParams, weights: &G::Weights, iterations: u32) -> Walker<G> {
        // By time there is no telling: as many nodes as there may be, whose room is taken as they come.
        let planned = if iterations == 0 { 1 << 18 } else { iterations as usize };
        let edges = planned.saturating_mul(EDGES_PER_ITERATION).clamp(4096, 1 << 20);
        let guide = LeafGuide {
            rollout: params.rollout,
            quick: game.quick(),
            planner: (params.rollout == Rollout::Heuristic).then(|| game.planner(weights)),
        };
        let planner = game.planner(weights);
        if params.judgement == Judgement::Learned {
            planner.read_net();
        }
        Walker {
            search: SearchTree {
                planner,
                net: None,
                tree: Tree::new(planned.clamp(1024, 1 << 18) + 2, edges),
                ratings: Vec::with_capacity(ACTIONS_CAP),
                open: Vec::with_capacity(ACTIONS_CAP),
                best: Vec::with_capacity(ACTIONS_CAP),
                shares: Vec::with_capacity(ACTIONS_CAP),
            },
            guide,
            path: Vec::with_capacity(256),
            legal: Box::default(),
            game: game.clone(),
            params: params.clone(),
        }
    }

    /// Leaves are judged by this net in place of the game's.
    pub fn judge_by(&mut self, net: OtherNet<G>) {
        self.search.net = Some(net);
    }

    /// The tree.
    pub fn tree(&self) -> &Tree<G::Action> {
        &self.search.tree
    }

    /// The tree, to be planted by hand.
    #[cfg(test)]
    pub fn tree_mut(&mut self) -> &mut Tree<G::Action> {
        &mut self.search.tree
    }

    /// Appends unlisted actions that the planner would consider.
    pub fn suggest(&mut self, view: &G::View<'_>, legal: &mut Actions<G::Action>) {
        self.search.planner.suggest(&self.game, view, legal);
    }

    /// Begins a tree with the candidates of a legal list at its root.
    pub fn begin(&mut self, view: &G::View<'_>, seat: Seat, legal: &[G::Action]) {
        self.search.tree.clear();
        self.search.open.clear();
        let root = Tree::<G::Action>::ROOT;
        self.search.expand(&self.game, &self.params, root, view, seat, legal);
    }

    /// One iteration from a position in which `seat` acts at the root.
    pub fn walk(&mut self, mut state: G::State, seat: Seat, rng: &mut Pcg32) {
        let values = self.iterate(&mut state, seat, rng);
        for &edge in &self.path {
            self.search.tree.update(edge, &values);
        }
    }

    /// Adds what another tree with the same root found of its actions.
    pub fn absorb(&mut self, other: &Walker<G>) {
        self.search.tree.absorb_root(&other.search.tree);
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

    /// The value of a leaf by seat: played on, then judged if it is not over.
    pub fn value(&mut self, state: &mut G::State, rng: &mut Pcg32) -> PerSeat<f32> {
        let legal = &mut self.legal;
        play_on(&self.game, state, self.params.truncation, &mut self.guide, legal, rng);
        match self.game.turn(state) {
            Turn::Over => result(&self.game, state),
            Turn::Decide(_) => {
                let (game, SearchTree { planner, net, .. }) = (&self.game, &mut self.search);
                match (self.params.judgement, net) {
                    (Judgement::Weights, _) => planner.win_probabilities(game, state),
                    (Judgement::Learned, None) => planner.net_win_probabilities(game, state),
                    (Judgement::Learned, Some(net)) => net.chances(planner, game, state),
                }
            }
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
