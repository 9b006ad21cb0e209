//! The rule set of CATAN for two: what it takes from base CATAN, and what it adds.

use crate::core::game::{Field, Steps, open, printed};
use crate::parts::island::rules::{
    self, Costs, Deck, Harbours, Layout, Order, Robber, Shortage, Special, Tokens, Trade, field,
};
use serde::{Deserialize, Serialize};

/// The neutral players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Neutral {
    /// Where each has its first settlement.
    pub places: [u8; 2],
}

/// Trade tokens, and what they buy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TradeTokens {
    /// All of them.
    pub all: u8,
    /// What each player begins with.
    pub start: u8,
    /// The most that a player may hold.
    pub max: u8,
    /// The price of an action.
    pub price: u8,
    /// Its price for a player who shows more points than the opponent.
    pub leader_price: u8,
    /// What a knight brings that is turned in.
    pub knight: u8,
    /// What a settlement at the desert brings.
    pub desert: u8,
    /// What a settlement on the coast brings.
    pub coast: u8,
    /// Whether there is the forced trade.
    pub forced_trade: bool,
    /// Whether the robber can be sent home.
    pub robber_home: bool,
}

/// The rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Which island is laid.
    pub island: Layout,
    /// How number tokens are laid.
    pub tokens: Tokens,
    /// How harbours are laid.
    pub harbours: Harbours,
    /// How many seats after the last founder the first turn is: 0 by the rules.
    pub first_turn: u8,
    /// How trade and building are ordered.
    pub order: Order,
    /// Points that win.
    pub points_to_win: u8,
    /// Turns, counted by player, before a match ends without a winner.
    pub turns_max: u16,
    /// Cards of each resource.
    pub bank: u8,
    /// What happens when the bank can't pay all of a resource.
    pub shortage: Shortage,
    /// Prices.
    pub cost: Costs,
    /// Development cards.
    pub deck: Deck,
    /// Trade between players.
    pub trade: Trade,
    /// Longest Road.
    pub route: Special,
    /// Largest Army.
    pub army: Special,
    /// The robber.
    pub robber: Robber,
    /// The neutral players.
    pub neutral: Neutral,
    /// Trade tokens.
    pub trade_tokens: TradeTokens,
}

impl Default for Neutral {
    fn default() -> Neutral {
        Neutral { places: [11, 42] }
    }
}

impl Default for TradeTokens {
    fn default() -> TradeTokens {
        TradeTokens {
            all: 14,
            start: 4,
            max: 7,
            price: 1,
            leader_price: 2,
            knight: 2,
            desert: 2,
            coast: 1,
            forced_trade: true,
            robber_home: true,
        }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        let island = rules::Rules::default();
        Rules {
            island: island.island,
            tokens: island.tokens,
            harbours: island.harbours,
            first_turn: island.first_turn,
            order: island.order,
            points_to_win: island.points_to_win,
            turns_max: island.turns_max,
            bank: island.bank,
            shortage: island.shortage,
            cost: island.cost,
            deck: island.deck,
            trade: island.trade,
            route: island.route,
            army: island.army,
            robber: island.robber,
            neutral: Neutral::default(),
            trade_tokens: TradeTokens::default(),
        }
    }
}

impl Rules {
    /// The rules of the island.
    pub fn island(&self) -> rules::Rules {
        rules::Rules {
            island: self.island,
            tokens: self.tokens,
            harbours: self.harbours,
            first_turn: self.first_turn,
            order: self.order,
            points_to_win: self.points_to_win,
            turns_max: self.turns_max,
            bank: self.bank,
            shortage: self.shortage,
            cost: self.cost,
            deck: self.deck,
            trade: self.trade,
            route: self.route,
            army: self.army,
            robber: self.robber,
            ..rules::Rules::default()
        }
    }

    /// These rules with everything that is never read set to its default: how an island is laid that is not laid by
    /// luck, and what an action costs if there is none.
    pub fn in_effect(&self) -> Rules {
        let (usual, mut rules) = (Rules::default(), self.clone());
        if self.island == Layout::Beginner {
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

/// The fields of [`Rules`], in the order in which they are shown.
pub const FIELDS: &[Field] = &[
    field("island"),
    field("tokens"),
    field("harbours"),
    printed(
        "first_turn",
        "BASE-16",
        Steps::Whole(0, 1),
        "how many seats after the last founder the first turn is, 0 to 1",
    ),
    field("order"),
    field("points_to_win"),
    field("turns_max"),
    field("bank"),
    field("shortage"),
    field("cost.road"),
    field("cost.settlement"),
    field("cost.city"),
    field("cost.card"),
    field("deck.knights"),
    field("deck.victory_points"),
    field("deck.progress"),
    field("trade.proposals_max"),
    field("trade.listed_max"),
    field("route.minimum"),
    field("route.points"),
    field("army.minimum"),
    field("army.points"),
    field("robber.hand_limit"),
    field("robber.steal"),
    field("robber.spares_below"),
    open(
        "neutral.places",
        "TWO-2",
        Steps::List(0, 53),
        "the vertex of each neutral player's first settlement, 0 to 53",
    ),
    printed("trade_tokens.all", "TWO-4", Steps::Whole(0, 60), "all trade tokens, 0 to 60"),
    printed(
        "trade_tokens.start",
        "TWO-4",
        Steps::Whole(0, 30),
        "tokens of each player at the start, 0 to 30",
    ),
    printed(
        "trade_tokens.max",
        "TWO-4",
        Steps::Whole(0, 60),
        "the most tokens that a player may hold, 0 to 60",
    ),
    printed("trade_tokens.price", "TWO-10", Steps::Whole(0, 10), "tokens for an action, 0 to 10"),
    printed(
        "trade_tokens.leader_price",
        "TWO-10",
        Steps::Whole(0, 10),
        "the same for who shows more points than the opponent, 0 to 10",
    ),
    printed(
        "trade_tokens.knight",
        "TWO-11",
        Steps::Whole(0, 10),
        "tokens for a knight that is turned in, 0 to 10; 0 forbids it",
    ),
    open(
        "trade_tokens.desert",
        "TWO-12",
        Steps::Whole(0, 10),
        "tokens for a settlement at the desert, 0 to 10",
    ),
    open(
        "trade_tokens.coast",
        "TWO-12",
        Steps::Whole(0, 10),
        "tokens for a settlement on the coast, 0 to 10",
    ),
    printed("trade_tokens.forced_trade", "TWO-9", Steps::Flag, "whether there is the forced trade"),
    printed(
        "trade_tokens.robber_home",
        "TWO-9",
        Steps::Flag,
        "whether the robber can be sent to the desert",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::daggers::Daggers;

    #[test]
    fn what_the_source_leaves_open_is_what_bears_a_dagger() {
        let found = Daggers::of(include_str!("mod.rs"), FIELDS);
        assert!(found.open_without.is_empty(), "{:?}", found.open_without);
        // Whether there is an action at all is for studies.
        let actions = ["trade_tokens.forced_trade", "trade_tokens.robber_home"];
        assert_eq!(found.printed_with, actions);
        // How a sentence is read, and where the other edition's numbers come from.
        assert_eq!(found.no_field, ["TWO-9", "TWO-13", "TWO-14", "TWO-15", "TWO-16"]);
    }
}
