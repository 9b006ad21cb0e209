//! Kinds of actions that an agent can be told to do without: those of the island, and what tokens do.

use crate::core::opinion::kind_bits;
use crate::core::types::joined::joined;
use crate::games::two_player::action::Action;
use crate::parts::island::opinion::kinds;

/// What the island has not.
const OWN: &[(&str, &str)] = &[
    ("tokens", "forced trades and the robber sent home"),
    ("turn_in", "knights turned in for tokens"),
];

/// Their names, and what they are.
pub const ALL: &[(&str, &str)] = &joined::<_, { kinds::ALL.len() + OWN.len() }>(kinds::ALL, OWN);

/// Those of an action.
pub fn of(action: Action) -> u32 {
    match action {
        Action::ForcedTrade | Action::RobberHome => const { kind_bits(ALL, &["tokens"]) },
        Action::TurnIn => const { kind_bits(ALL, &["turn_in"]) },
        Action::Island(action) => kinds::of(action),
        _ => 0,
    }
}
