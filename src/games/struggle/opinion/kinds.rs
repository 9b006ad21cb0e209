//! Kinds of actions that an agent can be told to do without.

use crate::core::opinion::kind_bits;
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::Card;

/// Their names, and what they are.
pub const ALL: &[(&str, &str)] = &[
    ("trade", "trades with players, the market and the stack"),
    ("trade_players", "trades with players"),
    ("trade_market", "trades with the market"),
    ("trade_stack", "trades with the stack"),
    ("rob", "cards taken by the merchants' guild"),
    ("road", "roads"),
    ("knight", "knights"),
    ("settlement", "settlements"),
    ("city", "cities"),
    ("expansion", "expansions"),
    ("town_hall", "town halls"),
    ("castle", "castles"),
    ("merchants_guild", "merchants' guilds"),
    ("church", "churches"),
    ("library", "libraries"),
    ("university", "universities"),
];

/// Those of an action.
pub fn of(action: Action) -> u32 {
    match action {
        Action::Trade { with: Partner::Seat(_), .. } => {
            const { kind_bits(ALL, &["trade", "trade_players"]) }
        }
        Action::Trade { with: Partner::Market, .. } => {
            const { kind_bits(ALL, &["trade", "trade_market"]) }
        }
        Action::Trade { with: Partner::Stack, .. } => {
            const { kind_bits(ALL, &["trade", "trade_stack"]) }
        }
        Action::Rob { .. } => const { kind_bits(ALL, &["rob"]) },
        Action::Build { card, .. } => built(card),
        _ => 0,
    }
}

const fn built(card: Card) -> u32 {
    match card {
        Card::Road => const { kind_bits(ALL, &["road"]) },
        Card::Knight => const { kind_bits(ALL, &["knight"]) },
        Card::Settlement => const { kind_bits(ALL, &["settlement"]) },
        Card::City => const { kind_bits(ALL, &["city"]) },
        Card::TownHall => const { kind_bits(ALL, &["expansion", "town_hall"]) },
        Card::Castle => const { kind_bits(ALL, &["expansion", "castle"]) },
        Card::MerchantsGuild => const { kind_bits(ALL, &["expansion", "merchants_guild"]) },
        Card::Church => const { kind_bits(ALL, &["expansion", "church"]) },
        Card::Library => const { kind_bits(ALL, &["expansion", "library"]) },
        Card::University => const { kind_bits(ALL, &["expansion", "university"]) },
    }
}
