//! Kinds of actions that an agent can be told to do without: those of the island, boats and gold.

use crate::core::opinion::kind_bits;
use crate::core::types::joined::joined;
use crate::games::boats::action::{Action, OwnAction};
use crate::parts::island::opinion::kinds;

/// What the island lacks.
const OWN: &[(&str, &str)] = &[
    ("boat", "boats built"),
    ("move_boat", "boats moved"),
    ("move_road", "roads moved with Louis' help"),
    ("gold", "cards bought with gold"),
];

/// Their names, and what they are.
pub const ALL: &[(&str, &str)] = &joined::<_, { kinds::ALL.len() + OWN.len() }>(kinds::ALL, OWN);

/// Those of an action.
pub fn of(action: Action) -> u32 {
    match action {
        Action::Own(OwnAction::Boat { .. } | OwnAction::IsaBoat { .. }) => {
            const { kind_bits(ALL, &["boat"]) }
        }
        Action::Own(OwnAction::MoveBoat { .. }) => const { kind_bits(ALL, &["move_boat"]) },
        Action::Own(OwnAction::MoveRoad { .. }) => const { kind_bits(ALL, &["move_road"]) },
        Action::Own(OwnAction::Gold { .. }) => const { kind_bits(ALL, &["gold"]) },
        Action::Own(OwnAction::Helper { .. }) => 0,
        Action::Island(action) => kinds::of(action),
    }
}
