//! Payments with a substitution: the same in every match, so that they are made once with the game.

use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::rules::Rules;
use crate::parts::resources::{Resource, Resources};

/// One way to pay with a substitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// Everything that is paid.
    pub cost: Resources,
    /// The build.
    pub action: Action,
}

/// Those of one rule set, by 1, 2, 3 and 4 or more roads, then by [`Card`].
pub type Swaps = [[Vec<Swap>; Card::COUNT]; 4];

/// All for a rule set and the full prices by card.
pub fn swaps(rules: &Rules, costs: &[Resources; Card::COUNT]) -> Swaps {
    let rates = rules.substitution.rates;
    rates.map(|rate| Card::ALL.map(|card| swaps_for(card, costs[card.idx()], rate)))
}

/// All substituted payments for a card at a rate, by replaced kind, then by replacing kind. (OTR-42)
fn swaps_for(card: Card, cost: Resources, rate: u8) -> Vec<Swap> {
    let mut swaps = Vec::new();
    for (replaced, _) in cost.iter() {
        for by in Resource::ALL {
            if by != replaced {
                let cost = cost - Resources::one(replaced) + Resources::many(by, rate);
                let pay = Payment::Substitute { replaced, by };
                swaps.push(Swap { cost, action: Action::Build { card, pay } });
            }
        }
    }
    swaps
}
