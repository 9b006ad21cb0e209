//! The rule set of the boats: what base CATAN leaves to users, and what this variant adds.

use crate::core::game::{Field, Steps, open, printed};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::boats::scenario::{NAMES, Scenario};
use crate::parts::allowed::{self, Named};
use crate::parts::bundles::Price;
use crate::parts::island::rules as island;
use crate::parts::island::rules::{Deck, Extension, Order, Robber, Shortage, Special, Trade};
use serde::{Deserialize, Serialize};

/// When the longest trade route is determined. (BOAT-30)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// When a player ends its turn, or what it does after another's turn.
    EndOfTurn,
    /// As soon as a road, a boat or a building changes a length.
    AtOnce,
}

/// Who starts with Isa or with Louis. (BOAT-42)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// Whoever the scenario names.
    Scenario,
    /// Nobody.
    Nobody,
    /// Seat 1.
    #[serde(rename = "seat_1")]
    Seat1,
    /// Seat 2.
    #[serde(rename = "seat_2")]
    Seat2,
    /// Seat 3.
    #[serde(rename = "seat_3")]
    Seat3,
    /// Seat 4.
    #[serde(rename = "seat_4")]
    Seat4,
    /// Seat 5.
    #[serde(rename = "seat_5")]
    Seat5,
    /// Seat 6.
    #[serde(rename = "seat_6")]
    Seat6,
}

impl Holder {
    /// The seat, if the scenario names this one or none.
    pub fn seat(self, named: Option<Seat>) -> Option<Seat> {
        match self {
            Holder::Scenario => named,
            Holder::Nobody => None,
            _ => Some(Seat::new(self as u8 - Holder::Seat1 as u8)),
        }
    }
}

/// A card that helps its holder. (BOAT-40, BOAT-41)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Helper {
    /// Makes boats cheaper, or moves a second one; twice.
    Isa,
    /// Moves a road in each turn.
    Louis,
}

impl Helper {
    /// Both, in the order of their bits.
    pub const ALL: [Helper; 2] = [Helper::Isa, Helper::Louis];

    /// Its bit in a set.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Named for Helper {
    const WHAT: &'static str = "helpers";
    const NAMES: &'static [&'static str] = &["isa", "louis"];
}

/// Which helpers a seat may choose.
pub type Allowed = allowed::Allowed<Helper>;

/// How Isa and Louis come to players. (BOAT-42)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Helpers {
    /// They are dealt as `isa`, `louis` and the scenario say.
    Dealt,
    /// Each player chooses one at the start of its first turn.
    Chosen,
}

/// A price for each thing that can be built or bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Costs {
    /// A road.
    pub road: Price,
    /// A settlement.
    pub settlement: Price,
    /// A city in the place of a settlement.
    pub city: Price,
    /// A development card.
    pub card: Price,
    /// A boat.
    pub boat: Price,
}

/// The longest trade route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Route {
    /// The length that earns it.
    pub minimum: u8,
    /// Victory points.
    pub points: u8,
    /// When it is determined.
    pub when: When,
}

/// Gold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Gold {
    /// What an uncovered hex earns.
    pub found: u8,
    /// What a resource card costs.
    pub price: u8,
    /// Cards that a player may buy in a turn.
    pub cards_max: u8,
}

/// The rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// The name of a scenario that ships with the program, or the text of one.
    pub scenario: String,
    /// How many seats after the last founder the first turn is: 0 by the rules.
    pub first_turn: u8,
    /// How trade and building are ordered.
    pub order: Order,
    /// Points that win.
    pub points_to_win: u8,
    /// More points that win on a map with four islands.
    pub points_more: u8,
    /// Turns, counted by player, before a match ends without a winner.
    pub turns_max: u16,
    /// Cards of each resource.
    pub bank: u8,
    /// What happens when the bank can't pay all of a resource.
    pub shortage: Shortage,
    /// Boats of a player.
    pub boats: u8,
    /// Points of a chit.
    pub chit: u8,
    /// Who starts with Isa.
    pub isa: Holder,
    /// Who starts with Louis.
    pub louis: Holder,
    /// How they come to players.
    pub helpers: Helpers,
    /// What each seat may choose.
    pub helpers_allowed: PerSeat<Allowed>,
    /// Prices.
    pub cost: Costs,
    /// Gold.
    pub gold: Gold,
    /// Development cards.
    pub deck: Deck,
    /// Trade between players.
    pub trade: Trade,
    /// The longest trade route.
    pub route: Route,
    /// Largest Army.
    pub army: Special,
    /// The robber.
    pub robber: Robber,
    /// What five and six players have instead.
    pub extension: Extension,
}

impl Default for Costs {
    fn default() -> Costs {
        let island::Costs { road, settlement, city, card } = island::Costs::default();
        Costs { road, settlement, city, card, boat: Price::new([0, 1, 1, 0, 0]) }
    }
}

impl Default for Route {
    fn default() -> Route {
        Route { minimum: 5, points: 2, when: When::EndOfTurn }
    }
}

impl Default for Gold {
    fn default() -> Gold {
        Gold { found: 2, price: 2, cards_max: 2 }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        let island::Rules {
            first_turn,
            order,
            turns_max,
            bank,
            shortage,
            deck,
            trade,
            army,
            robber,
            extension,
            ..
        } = island::Rules::default();
        Rules {
            scenario: NAMES[0].to_owned(),
            first_turn,
            order,
            points_to_win: 12,
            points_more: 1,
            turns_max,
            bank,
            shortage,
            boats: 15,
            chit: 1,
            isa: Holder::Scenario,
            louis: Holder::Scenario,
            helpers: Helpers::Dealt,
            helpers_allowed: [Allowed::ANY; SEATS_MAX],
            cost: Costs::default(),
            gold: Gold::default(),
            deck,
            trade,
            route: Route::default(),
            army,
            robber,
            extension,
        }
    }
}

impl Rules {
    /// What the island reads of these rules.
    pub fn island(&self) -> island::Rules {
        let Costs { road, settlement, city, card, .. } = self.cost;
        island::Rules {
            first_turn: self.first_turn,
            order: self.order,
            points_to_win: self.points_to_win,
            turns_max: self.turns_max,
            bank: self.bank,
            shortage: self.shortage,
            cost: island::Costs { road, settlement, city, card },
            deck: self.deck,
            trade: self.trade,
            route: Special { minimum: self.route.minimum, points: self.route.points },
            army: self.army,
            robber: self.robber,
            extension: self.extension,
            ..island::Rules::default()
        }
    }

    /// Who starts with Isa, and who with Louis. (BOAT-42)
    pub fn holders(&self, scenario: &Scenario) -> [Option<Seat>; 2] {
        match self.helpers {
            Helpers::Dealt => [self.isa.seat(scenario.isa), self.louis.seat(scenario.louis)],
            Helpers::Chosen => [None; 2],
        }
    }

    /// Points that win on a map. (BOAT-50)
    pub fn target(&self, scenario: &Scenario) -> u8 {
        self.points_to_win + if scenario.islands() < 4 { 0 } else { self.points_more }
    }

    /// These rules with everything that is never read at a table of this size, or in this scenario, set to its
    /// default.
    pub fn in_effect(&self, players: u8, scenario: &Scenario) -> Rules {
        let (usual, mut rules) = (Rules::default(), self.clone());
        let island = self.island().in_effect(players);
        (rules.bank, rules.deck, rules.extension) = (island.bank, island.deck, island.extension);
        if scenario.islands() < 4 {
            rules.points_more = usual.points_more;
        }
        if scenario.fog().is_empty() {
            rules.gold = usual.gold;
        }
        let chosen = self.helpers == Helpers::Chosen;
        if chosen || self.isa.seat(scenario.isa) == scenario.isa {
            rules.isa = usual.isa;
        }
        if chosen || self.louis.seat(scenario.louis) == scenario.louis {
            rules.louis = usual.louis;
        }
        let unread = if chosen { usize::from(players) } else { 0 };
        rules.helpers_allowed[unread..].fill(Allowed::ANY);
        rules
    }
}

const HOLDERS: Steps = Steps::Words(&[
    "scenario", "nobody", "seat_1", "seat_2", "seat_3", "seat_4", "seat_5", "seat_6",
]);

/// The fields of [`Rules`], in the order in which they are shown.
pub const FIELDS: &[Field] = &[
    open(
        "scenario",
        "BOAT-1",
        Steps::File(NAMES),
        "the map: shores (all islands known), fog (hexes to discover), or a file of your own",
    ),
    island::field("first_turn"),
    island::field("order"),
    open("points_to_win", "BOAT-50", Steps::Whole(3, 30), "points that win, 3 to 30"),
    open(
        "points_more",
        "BOAT-50",
        Steps::Whole(0, 5),
        "more points that win if the map shows four islands or more, 0 to 5",
    ),
    island::field("turns_max"),
    island::field("bank"),
    island::field("shortage"),
    open("boats", "BOAT-51", Steps::Whole(0, 15), "boats of a player, 0 to 15"),
    open("chit", "BOAT-50", Steps::Whole(0, 5), "points of a chit for a foreign island, 0 to 5"),
    open(
        "isa",
        "BOAT-42",
        HOLDERS,
        "who starts with Isa: whoever the scenario names, nobody, or a seat",
    ),
    open(
        "louis",
        "BOAT-42",
        HOLDERS,
        "who starts with Louis: whoever the scenario names, nobody, or a seat",
    ),
    open(
        "helpers",
        "BOAT-42",
        Steps::Words(&["dealt", "chosen"]),
        "how Isa and Louis come: dealt as `isa` and `louis` say, or chosen, one by each player",
    ),
    printed(
        "helpers_allowed",
        "BOAT-42",
        Steps::None,
        "what each of 6 seats may choose: any, isa or louis",
    ),
    island::field("cost.road"),
    island::field("cost.settlement"),
    island::field("cost.city"),
    island::field("cost.card"),
    printed("cost.boat", "BOAT-10", Steps::Price(10), "price of a boat"),
    printed("gold.found", "BOAT-2", Steps::Whole(0, 5), "gold for an uncovered hex, 0 to 5"),
    open("gold.price", "BOAT-2", Steps::Whole(1, 9), "gold that a resource card costs, 1 to 9"),
    open(
        "gold.cards_max",
        "BOAT-2",
        Steps::Whole(0, 9),
        "resource cards that a player may buy with gold in a turn, 0 to 9",
    ),
    island::field("deck.knights"),
    island::field("deck.victory_points"),
    island::field("deck.progress"),
    island::field("trade.proposals_max"),
    island::field("trade.listed_max"),
    printed(
        "route.minimum",
        "BOAT-30",
        Steps::Whole(3, 15),
        "length that earns the longest trade route, 3 to 15",
    ),
    printed(
        "route.points",
        "BOAT-30",
        Steps::Whole(0, 5),
        "points of the longest trade route, 0 to 5",
    ),
    printed(
        "route.when",
        "BOAT-30",
        Steps::Words(&["end_of_turn", "at_once"]),
        "when it is determined: at the end of a turn, or at once",
    ),
    island::field("army.minimum"),
    island::field("army.points"),
    island::field("robber.hand_limit"),
    island::field("robber.steal"),
    island::field("robber.spares_below"),
    island::field("extension.after_turn"),
    island::field("extension.bank"),
    island::field("extension.deck.knights"),
    island::field("extension.deck.victory_points"),
    island::field("extension.deck.progress"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::daggers::Daggers;

    #[test]
    fn what_the_text_leaves_open_is_what_bears_a_dagger() {
        let found = Daggers::of(include_str!("mod.rs"), FIELDS);
        assert!(found.open_without.is_empty(), "{:?}", found.open_without);
        // What the text has beside what it leaves open, and what is for studies.
        let gold = ["helpers_allowed", "gold.found"];
        assert_eq!(found.printed_with[..2], gold);
        assert_eq!(found.printed_with[2..], ["route.minimum", "route.points", "route.when"]);
        // Defaults that no rule set changes.
        assert_eq!(found.no_field, ["BOAT-30", "BOAT-33", "BOAT-52", "BOAT-53", "BOAT-54"]);
    }
}
