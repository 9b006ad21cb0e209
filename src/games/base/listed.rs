//! Offers and counters that are the same in every match, listed once when the game is created.

use crate::games::base::action::Action;
use crate::parts::resources::{Bundle, Resources, bundles};
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

/// The lists of one rule set, by bundle given, smaller bundles first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed(pub Vec<GiveList>);

impl Listed {
    /// Offers and counters of up to `most` cards a side.
    pub fn new(most: u8) -> Listed {
        let bundles = bundles(most);
        Listed(bundles.iter().map(|&give| give_list(give, &bundles)).collect())
    }
}

fn give_list(give: Resources, bundles: &[Resources]) -> GiveList {
    let asked = || bundles.iter().filter(|want| want.is_disjoint(give));
    let give_cards = Bundle::new(give);
    let offer = |&want: &Resources| Action::Offer {
        to: Audience::All,
        give: give_cards,
        want: Bundle::new(want),
    };
    let counter = |&want: &Resources| Action::Counter { give: give_cards, want: Bundle::new(want) };
    GiveList {
        give,
        offers: asked().map(offer).collect(),
        counters: asked().map(counter).collect(),
    }
}
