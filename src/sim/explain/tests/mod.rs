//! Decisions whose best action is known: in positions built by hand, and planted in matches.

mod by_hand;
mod chosen;
mod planted;

use crate::sim::agents::mcts::Watch;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::explain::answer::Question;

pub fn agent(name: &str) -> AgentSpec {
    AgentSpec::parse(name, None).expect("an agent")
}

pub fn question(agent: &AgentSpec) -> Question<'_> {
    Question { agent, watch: Watch::NONE, seed: 3, searches: 4 }
}
