//! How Struggle for Catan is played, in a few sentences for people who sit down for the first time. The clauses are in
//! the header of the game; the numbers are those of the rule set.

use crate::games::struggle::cards::Expansion;
use crate::games::struggle::game::Struggle;
use crate::parts::telling::{many, many_by_seat, plainly};

impl Struggle {
    /// How the game goes.
    pub(super) fn told_rules(&self) -> Vec<String> {
        let rules = &self.rules;
        let (destiny, two) = (rules.destiny, self.players == 2);
        vec![
            format!(
                "Aim: be the first to have {} in your own turn. A settlement is worth 1, a city 2{}. Every second road or \
                 knight that you build is worth 1 and does nothing else.",
                many_by_seat(rules.points_to_win, "point"),
                self.told_points()
            ),
            "Turn: trade, then build, then draw two cards, and one more for each first, third, fifth knight if you want."
                .to_owned(),
            "Trade: as many cards a turn as you have first, third, fifth roads; without a road one card, with the stack. \
             `trade 1` is one card. From the stack: you return a card, then draw one unseen. With the market: you take one, \
             then return one. With another player: you take one unseen, then return one, perhaps the same."
                .to_owned(),
            format!(
                "Build: at most one of each type a turn. {} of a kind take the place of any card. A city turns a settlement \
                 of yours; an expansion goes on a city of yours and takes the place of its points.",
                many(rules.substitution.rate, "card")
            ),
            format!(
                "Roads and knights run out: then whoever pays for one takes it from {}.{}",
                if two {
                    "the other player"
                } else {
                    "another player, the next one who has any in the direction of the destiny card"
                },
                if two || !destiny.settlement_flips {
                    ""
                } else {
                    " Whoever builds a settlement may flip that card."
                }
            ),
            format!(
                "A city brings an event. Brigands: everybody discards down to {}{}. Market day: the market gets five new \
                 cards.",
                many(rules.brigands.hand_limit, "card"),
                if two || !destiny.brigands_flip { "" } else { ", and the destiny card flips" }
            ),
            format!(
                "Expansions: a castle protects your first {}, a church your first {}. The merchants guild takes an unseen \
                 card once a turn from somebody with as many points or more. The library lets you choose one card a turn \
                 of another's hand. The university saves you one card of a price.",
                many(rules.protection.roads, "road"),
                many(rules.protection.knights, "knight")
            ),
        ]
    }

    /// What expansions are worth: the end of a list.
    fn told_points(&self) -> String {
        let cards = Expansion::ALL.into_iter().zip(self.rules.expansion_cards());
        let in_play = cards.filter(|(expansion, _)| self.supply.expansions[expansion.idx()] > 0);
        let words = in_play.map(|(expansion, card)| {
            format!(", a {} {}", plainly(expansion.card().name()), card.points)
        });
        words.collect()
    }
}
