//! Actions that are the same in every match, listed once when the game is created: offers, counters and
//! substituted payments. Writing a legal list is then mostly copying.

use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::rules::Rules;
use crate::parts::resources::{Bundle, Resource, Resources, bundles};
use crate::parts::talk::Audience;

/// Everything that may be asked for in return for one bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GiveList {
    /// What is given.
    pub give: Resources,
    /// Offers to all, one for each bundle that may be asked.
    pub offers: Vec<Action>,
    /// Counters, one for each bundle that may be asked.
    pub counters: Vec<Action>,
}

/// One way to pay with a substitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// Everything that is paid.
    pub cost: Resources,
    /// The build.
    pub action: Action,
}

/// The lists of one rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// By bundle given, smaller bundles first.
    pub gives: Vec<GiveList>,
    /// By 1, 2, 3 and 4 or more roads, then by [`Card`].
    pub swaps: [[Vec<Swap>; Card::COUNT]; 4],
}

impl Listed {
    /// The lists for a rule set and the full prices by card.
    pub fn new(rules: &Rules, costs: &[Resources; Card::COUNT]) -> Listed {
        let bundles = bundles(rules.trade.listed_max);
        let gives = bundles.iter().map(|&give| give_list(give, &bundles)).collect();
        let swaps = rules
            .substitution
            .rates
            .map(|rate| Card::ALL.map(|card| swaps_for(card, costs[card.idx()], rate)));
        Listed { gives, swaps }
    }
}

fn give_list(give: Resources, bundles: &[Resources]) -> GiveList {
    let asked: Vec<Bundle> = bundles
        .iter()
        .filter(|want| want.is_disjoint(give))
        .map(|&want| Bundle::new(want))
        .collect();
    let give_cards = Bundle::new(give);
    let offer = |&want| Action::Offer { to: Audience::All, give: give_cards, want };
    let counter = |&want| Action::Counter { give: give_cards, want };
    GiveList {
        give,
        offers: asked.iter().map(offer).collect(),
        counters: asked.iter().map(counter).collect(),
    }
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
