//! Kinds of actions that an agent can be told to do without.

use crate::core::opinion::kind_bits;
use crate::parts::island::action::Action;

/// Their names, and what they are. Games on an island have them first.
pub const ALL: &[(&str, &str)] = &[
    ("trade", "proposals, counters, and whatever ends in a trade with a player"),
    ("offer", "proposals to trade with players"),
    ("counter", "answers to proposals with other terms"),
    ("bank_trade", "trades with the bank"),
    ("road", "roads"),
    ("settlement", "settlements"),
    ("city", "cities"),
    ("buy", "development cards bought"),
    ("play", "development cards played"),
    ("knight", "knights played"),
];

/// Those of an action.
pub fn of(action: Action) -> u32 {
    match action {
        Action::Offer { .. } => const { kind_bits(ALL, &["trade", "offer"]) },
        Action::Counter { .. } => const { kind_bits(ALL, &["trade", "counter"]) },
        Action::Accept | Action::Settle { .. } => const { kind_bits(ALL, &["trade"]) },
        Action::BankTrade { .. } => const { kind_bits(ALL, &["bank_trade"]) },
        Action::Road { .. } => const { kind_bits(ALL, &["road"]) },
        Action::Settlement { .. } => const { kind_bits(ALL, &["settlement"]) },
        Action::City { .. } => const { kind_bits(ALL, &["city"]) },
        Action::Buy => const { kind_bits(ALL, &["buy"]) },
        Action::Knight => const { kind_bits(ALL, &["play", "knight"]) },
        Action::RoadBuilding | Action::YearOfPlenty { .. } | Action::Monopoly { .. } => {
            const { kind_bits(ALL, &["play"]) }
        }
        _ => 0,
    }
}
