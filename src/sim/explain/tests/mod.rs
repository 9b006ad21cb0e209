//! Decisions whose best action is known: in positions built by hand, and planted in matches.

mod by_hand;
mod chosen;
mod planted;

use crate::core::watch::Watch;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::explain::answer::Question;
use std::sync::LazyLock;

pub fn agent(name: &str) -> AgentSpec {
    AgentSpec::parse(name, None).expect("an agent")
}

pub fn question(agent: &AgentSpec) -> Question<'_> {
    static ALONE: LazyLock<Watch> = LazyLock::new(Watch::none);
    Question { agent, watch: &ALONE, seed: 3, searches: 4 }
}
