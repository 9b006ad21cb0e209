//! An agent is asked about one decision: several times if it searches, each time on a stream of its own.
//!
//! What was done is compared with what the agent would have done by searches that did not choose between them: the
//! action is chosen by the first searches, and both are then valued by others. Otherwise the best of several noisy
//! means would be taken for better than it is (the winner's curse). Each of these others may take one action only,
//! so both get the same number of iterations; they come in pairs on common streams.

use crate::core::agent::{ActionValue, Player};
use crate::core::game::Observation;
use crate::core::opinion::Opinion;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::watch::each;
use crate::sim::agents::added::AddedAgent;
use crate::sim::explain::answer::{Considered, Cost, Question};
use crate::sim::explain::features::{self, Difference};
use crate::sim::explain::history::DecisionPoint;
use crate::stats::replicates::Mean;
use rand_pcg::Pcg32;

/// A decision, and who is asked about it.
pub struct Asking<'a, G: Opinion> {
    game: &'a G,
    /// Agents that were added to those of the game.
    added: &'a [AddedAgent<G>],
    question: Question<'a>,
    moment: DecisionPoint<'a, G>,
}

/// What an agent thinks of one action.
struct Opinions<A> {
    action: A,
    /// The chance to win, by search that tried it.
    chances: Vec<f64>,
    visits: u64,
    prior: Option<f32>,
    chosen: u32,
    done: bool,
    searches: bool,
}

/// What an agent thinks of a decision, its choice first.
pub struct Thoughts<A> {
    actions: Vec<Opinions<A>>,
    /// Legal actions, with what it would add.
    listed: usize,
    searches: u32,
}

impl<'a, G: Opinion> Asking<'a, G> {
    /// Asks about a decision. The agent is one that can be made.
    pub fn new(game: &'a G, moment: DecisionPoint<'a, G>, question: Question<'a>) -> Asking<'a, G> {
        Asking { game, added: &[], question, moment }
    }

    /// The same, of a game to which agents were added.
    #[must_use]
    pub fn among(self, added: &'a [AddedAgent<G>]) -> Asking<'a, G> {
        Asking { added, ..self }
    }

    /// The stream of a search: 0 for what the agent would do, then those that choose, then those that compare.
    fn stream(&self, search: u64) -> Pcg32 {
        let decision = BlockSeed::new(self.question.seed, self.moment.number);
        BlockSeed::new(decision.name(), search).stream(Stream::Study, Some(self.moment.seat), 0)
    }

    fn seen(&self) -> Observation<'_, G> {
        let (seat, memory) = (self.moment.seat, &self.moment.memory);
        Observation { seat, view: self.game.view(self.moment.state, seat), memory }
    }

    fn agent(&self) -> Player<G, G::Special> {
        let Question { agent, watch, .. } = self.question;
        agent.make_among(self.game, self.added, watch).expect("it was made before")
    }

    /// What the agent may choose from, with what was done, and what it chooses.
    fn list(&self, agent: &mut Player<G, G::Special>) -> (Box<Actions<G::Action>>, G::Action) {
        let mut legal: Box<Actions<G::Action>> = Box::default();
        self.game.legal(self.moment.state, agent.action_filter(), &mut legal);
        let mut chosen = legal[0];
        if legal.len() > 1 {
            let at = agent.choose(self.moment.state, &self.seen(), &mut legal, &mut self.stream(0));
            chosen = legal[at];
        }
        if !legal.contains(&self.moment.done) && !legal.is_full() {
            legal.push(self.moment.done);
        }
        (legal, chosen)
    }

    /// What each of some searches thinks of some actions.
    fn search(
        &self,
        among: &Actions<G::Action>,
        searches: std::ops::Range<u64>,
    ) -> Vec<Vec<ActionValue<G::Action>>> {
        let one = |agent: &mut Player<G, G::Special>, search: u64| {
            let mut thoughts = Vec::new();
            let (mut among, mut rng) = (Box::new(among.clone()), self.stream(search));
            agent.evaluate(self.moment.state, &self.seen(), &mut among, &mut rng, &mut thoughts);
            thoughts
        };
        each(searches, || self.agent(), one)
    }

    /// What the agent thinks of the legal actions.
    pub fn thoughts(&self) -> Thoughts<G::Action> {
        let mut agent = self.agent();
        let (among, chosen) = self.list(&mut agent);
        let searching = self.question.agent.is_searching();
        // One that does not search thinks the same each time.
        let searches = if searching { self.question.searches } else { 1 };
        let found = self.search(&among, 1..1 + u64::from(searches));
        let mut actions: Vec<Opinions<G::Action>> = Vec::new();
        for thoughts in &found {
            let most = thoughts.iter().rev().max_by_key(|thought| thought.visits);
            let choice = if searching { most.map(|most| most.action) } else { Some(chosen) };
            for thought in thoughts {
                let known = actions.iter().position(|known| known.action == thought.action);
                let at = known.unwrap_or_else(|| {
                    actions.push(Opinions::new(thought.action, self.moment.done, searching));
                    actions.len() - 1
                });
                actions[at].add(thought, choice);
            }
        }
        // What is chosen most often, of these what is tried most; a planner's by its chance.
        actions.sort_by(|a, b| {
            let key = |of: &Opinions<G::Action>| (of.chosen, of.visits);
            key(b).cmp(&key(a)).then(b.mean().total_cmp(&a.mean()))
        });
        Thoughts { actions, listed: among.len(), searches }
    }

    /// What was done against what a search would have done.
    pub fn cost(&self, thoughts: &Thoughts<G::Action>) -> Option<Cost> {
        let better = thoughts.actions.first()?.action;
        if better == self.moment.done || !self.question.agent.is_searching() {
            return None;
        }
        let first = 1 + u64::from(self.question.searches);
        let alone = |action: G::Action| -> Option<Vec<f64>> {
            let found = self.search(&Actions::from_iter([action]), first..2 * first - 1);
            let chance = |thoughts: &Vec<ActionValue<G::Action>>| thoughts.first()?.chance;
            found.iter().map(|thoughts| chance(thoughts).map(f64::from)).collect()
        };
        let (of_better, of_done) = (alone(better)?, alone(self.moment.done)?);
        let by_search: Vec<f64> = of_better.iter().zip(&of_done).map(|(a, b)| a - b).collect();
        Some(Cost {
            better: better.to_string(),
            better_chance: Mean::share(&of_better)?,
            done_chance: Mean::share(&of_done)?,
            cost: Mean::of(&by_search)?,
            by_search,
        })
    }

    /// How the agent's planner sees two actions.
    pub fn difference(&self, actions: [G::Action; 2]) -> Option<Difference> {
        let rng = self.stream(2 * u64::from(self.question.searches) + 1);
        features::difference(self.game, self.question.agent, &self.seen(), actions, rng)
    }
}

impl<A: Copy + PartialEq + ToString> Opinions<A> {
    fn new(action: A, done: A, searches: bool) -> Opinions<A> {
        let (chances, visits, prior, chosen) = (Vec::new(), 0, None, 0);
        Opinions { action, chances, visits, prior, chosen, done: action == done, searches }
    }

    fn add(&mut self, thought: &ActionValue<A>, chosen: Option<A>) {
        self.chances.extend(thought.chance.map(f64::from));
        self.visits += u64::from(thought.visits.unwrap_or(0));
        self.prior = thought.prior.or(self.prior);
        self.chosen += u32::from(chosen == Some(self.action));
    }

    fn mean(&self) -> f64 {
        Mean::of(&self.chances).map_or(f64::NEG_INFINITY, |mean| mean.value)
    }
}

impl<A: Copy + PartialEq + ToString> Thoughts<A> {
    /// What it would do, and what that is compared with: what was done, or else the next best.
    pub fn best_two(&self) -> Option<[A; 2]> {
        let best = self.actions.first()?;
        let rest = &self.actions[1..];
        let other = rest.iter().find(|other| other.done).or(rest.first())?;
        Some([best.action, other.action])
    }

    /// Legal actions that it does not think of.
    pub fn others(&self) -> usize {
        self.listed - self.actions.len()
    }

    /// In words.
    pub fn considered(&self) -> Vec<Considered> {
        let considered = |of: &Opinions<A>| Considered {
            action: of.action.to_string(),
            chance: Mean::share(&of.chances),
            visits: of.searches.then(|| of.visits as f64 / f64::from(self.searches)),
            prior: of.prior.map(f64::from),
            chosen: of.chosen,
            done: of.done,
        };
        self.actions.iter().map(considered).collect()
    }
}
