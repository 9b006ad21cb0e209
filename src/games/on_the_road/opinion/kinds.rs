//! Kinds of actions that an agent can be told to do without.

use crate::core::opinion::kind_bits;
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::{Card, Metropolis};

/// Their names, and what they are.
pub const ALL: &[(&str, &str)] = &[
    ("trade", "proposals, counters, and whatever ends in a trade with a player"),
    ("offer", "proposals to trade with players"),
    ("counter", "answers to proposals with other terms"),
    ("substitute", "builds that are paid with other cards"),
    ("road", "roads"),
    ("settlement", "settlements"),
    ("city", "cities"),
    ("knight", "knights"),
    ("metropolis", "metropolises"),
    ("metropolis_roads", "the metropolis `roads`"),
    ("metropolis_knights", "the metropolis `knights`"),
    ("metropolis_army", "the metropolis `army`"),
    ("metropolis_route", "the metropolis `route`"),
];

/// Those of an action.
pub fn of(action: Action) -> u32 {
    match action {
        Action::Offer { .. } => const { kind_bits(ALL, &["trade", "offer"]) },
        Action::Counter { .. } => const { kind_bits(ALL, &["trade", "counter"]) },
        Action::Accept | Action::Settle { .. } => const { kind_bits(ALL, &["trade"]) },
        Action::Build { card, pay } => {
            let built = match card {
                Card::Road => const { kind_bits(ALL, &["road"]) },
                Card::Settlement => const { kind_bits(ALL, &["settlement"]) },
                Card::City => const { kind_bits(ALL, &["city"]) },
                Card::Knight => const { kind_bits(ALL, &["knight"]) },
                _ => metropolis(card.metropolis()),
            };
            built
                | if pay == Payment::Exact { 0 } else { const { kind_bits(ALL, &["substitute"]) } }
        }
        _ => 0,
    }
}

const fn metropolis(which: Option<Metropolis>) -> u32 {
    match which {
        Some(Metropolis::Roads) => const { kind_bits(ALL, &["metropolis", "metropolis_roads"]) },
        Some(Metropolis::Knights) => {
            const { kind_bits(ALL, &["metropolis", "metropolis_knights"]) }
        }
        Some(Metropolis::Army) => const { kind_bits(ALL, &["metropolis", "metropolis_army"]) },
        Some(Metropolis::Route) => const { kind_bits(ALL, &["metropolis", "metropolis_route"]) },
        None => 0,
    }
}
