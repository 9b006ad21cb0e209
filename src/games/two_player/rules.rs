//! The rule set of CATAN for two: what it takes from base CATAN, and what it adds.

use crate::core::rule_set::rule_set;
use crate::core::types::by_seat::BySeat;
use crate::parts::island::rules::{
    self as island, Costs, Deck, Harbours, Layout, Order, Robber, Shortage, Special, Tokens, Trade,
};

rule_set! {
    /// The rule set.
    pub struct Rules, like island {
        island: Layout;
        tokens: Tokens;
        harbours: Harbours;
        map: String;
        first_turn: u8 = 0, whole(0, 1), specified("BASE-16"),
            "how many seats after the last founder the first turn is";
        order: Order;
        points_to_win: BySeat;
        turns_max: u16;
        bank: u8;
        shortage: Shortage;
        cost: Costs;
        deck: Deck;
        trade: Trade;
        route: Special;
        army: Special;
        robber: Robber;
        /// The neutral players.
        neutral: struct Neutral {
            places: [u8; 2] = [11, 42], list(0, 53), unspecified("TWO-2"),
                "the vertex of each neutral player's first settlement";
        };
        /// Trade tokens.
        trade_tokens: struct TradeTokens {
            all: u8 = 14, whole(0, 60), specified("TWO-4"), "all trade tokens";
            start: BySeat = BySeat::all(4), by_seat(0, 30), specified("TWO-4"),
                "tokens of each player at the start";
            max: u8 = 7, whole(0, 60), specified("TWO-4"), "the most tokens that a player may hold";
            price: u8 = 1, whole(0, 10), specified("TWO-10"), "tokens for an action";
            /// The price of an action for a player who shows more points than the opponent.
            leader_price: u8 = 2, whole(0, 10), specified("TWO-10"),
                "the same for who shows more points than the opponent";
            knight: u8 = 2, whole(0, 10), specified("TWO-11"),
                "tokens for a knight that is turned in", "; 0 forbids it";
            desert: u8 = 2, whole(0, 10), unspecified("TWO-12"), "tokens for a settlement at the desert";
            coast: u8 = 1, whole(0, 10), unspecified("TWO-12"), "tokens for a settlement on the coast";
            forced_trade: bool = true, flag(), specified("TWO-9"), "whether there is the forced trade";
            robber_home: bool = true, flag(), specified("TWO-9"), "whether the robber can be sent to the desert";
        };
    }
}

impl Rules {
    /// The rules of the island.
    pub fn island(&self) -> island::Rules {
        island::Rules { first_turn: self.first_turn, ..self.shared() }
    }

    /// These rules with everything that is never read set to its default: how an island is laid that is not laid by
    /// luck, and what an action costs if there is none.
    pub fn in_effect(&self) -> Rules {
        let (usual, mut rules) = (Rules::default(), self.clone());
        if self.island == Layout::Beginner || self.island().has_map() {
            (rules.tokens, rules.harbours) = (usual.tokens, usual.harbours);
        }
        let tokens = &mut rules.trade_tokens;
        if !tokens.forced_trade && !tokens.robber_home {
            (tokens.price, tokens.leader_price) =
                (usual.trade_tokens.price, usual.trade_tokens.leader_price);
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::daggers::Daggers;

    #[test]
    fn what_the_source_leaves_open_is_what_bears_a_dagger() {
        let found = Daggers::of(include_str!("mod.rs"), Rules::FIELDS);
        assert!(found.open_without.is_empty(), "{:?}", found.open_without);
        // Whether there is an action at all is for studies.
        let actions = ["trade_tokens.forced_trade", "trade_tokens.robber_home"];
        assert_eq!(found.printed_with, actions);
        // How a sentence is read, and where the other edition's numbers come from.
        assert_eq!(found.no_field, ["TWO-9", "TWO-13", "TWO-14", "TWO-15", "TWO-16"]);
    }
}
