//! The agents that judge actions, made of their parameters; each with what makes it weaker on purpose.

use crate::core::agent::{Agent, Honest, Omniscient, Sight};
use crate::core::opinion::{Opinion, OtherNet, Policy, PolicyAgent, Rate};
use crate::core::params::{Handicap, Judgement, MctsParams};
use crate::core::watch::Watch;
use crate::sim::agents::lapsing::Lapsing;
use crate::sim::agents::mcts::Mcts;
use crate::sim::agents::overlooking::Overlooking;
use crate::sim::agents::random::Random;
use crate::sim::agents::tempered::Tempered;

/// A kind of agent that sees what its seat sees, from weak to strong.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Chooses uniformly.
    Random,
    /// Follows the one-step policy.
    Greedy,
    /// Follows the planning policy.
    Heuristic,
    /// Searches.
    Mcts,
}

impl Kind {
    /// The next weaker kind.
    fn weaker(self) -> Kind {
        match self {
            Kind::Random | Kind::Greedy => Kind::Random,
            Kind::Heuristic => Kind::Greedy,
            Kind::Mcts => Kind::Heuristic,
        }
    }
}

/// What an agent that judges actions is made of.
pub struct Judging<'a, G: Opinion> {
    /// The rules.
    pub game: &'a G,
    /// What searches ask of the outside.
    pub watch: &'a Watch,
    /// The parameters of its search, if it searches.
    pub search: MctsParams,
    /// Those of its planner.
    pub weights: G::Weights,
    /// What makes it weaker on purpose.
    pub handicap: Handicap,
    /// What judges leaves of its search in place of the game's net, if anything does.
    pub net: Option<OtherNet<G>>,
}

/// What says chances to win for an agent, as it judges positions.
pub struct LeafJudge<G: Opinion> {
    /// The weights of its planner.
    pub weights: G::Weights,
    /// Whether it goes by them or by a net.
    pub judgement: Judgement,
    /// The net, if it is not the game's.
    pub net: Option<OtherNet<G>>,
}

impl<G: Opinion> Judging<'_, G> {
    /// The agent of an honest kind, with its lapses.
    pub fn honest(&self, kind: Kind) -> Box<dyn Agent<G>> {
        self.lapsing(self.without_lapses(kind), kind.weaker())
    }

    /// The agent that sees everything, with its lapses.
    pub fn oracle(&self) -> Box<dyn Agent<G, Omniscient>> {
        self.lapsing(Box::new(self.search()), Kind::Mcts)
    }

    /// An agent with its lapses, which are those of another kind, and with what it overlooks.
    fn lapsing<S: Sight>(&self, agent: Box<dyn Agent<G, S>>, weaker: Kind) -> Box<dyn Agent<G, S>> {
        let share = self.handicap.lapse;
        let agent = if share > 0.0 {
            Box::new(Lapsing { share, agent, weaker: self.without_lapses(weaker) })
        } else {
            agent
        };
        let share = self.handicap.overlook;
        if share > 0.0 { Box::new(Overlooking::new(share, agent)) } else { agent }
    }

    fn without_lapses(&self, kind: Kind) -> Box<dyn Agent<G>> {
        match kind {
            Kind::Random => Box::new(Random),
            Kind::Greedy => self.follows(self.game.eager()),
            Kind::Heuristic => self.follows(self.game.planner(&self.weights)),
            Kind::Mcts => Box::new(self.search::<Honest>()),
        }
    }

    fn follows<P: Policy<G> + Rate<G> + 'static>(&self, policy: P) -> Box<dyn Agent<G>> {
        let (game, temperature) = (self.game.clone(), self.handicap.temperature);
        if temperature > 0.0 {
            Box::new(Tempered::new(game, policy, temperature))
        } else {
            Box::new(PolicyAgent { game, policy })
        }
    }

    /// The search of `mcts` and `oracle`, without lapses.
    pub fn search<S: Sight>(&self) -> Mcts<G, S> {
        let search = Mcts::new(self.game.clone(), self.search.clone(), &self.weights, self.watch);
        search.with_temperature(self.handicap.temperature).with_net(self.net.as_ref())
    }
}
