//! The rule set of the boats: what base CATAN leaves to users, and what this variant adds.

use crate::core::rule_set::{rule_set, words};
use crate::core::types::by_seat::BySeat;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::boats::scenario::{NAMES, Scenario};
use crate::parts::allowed::{self, Named};
use crate::parts::bundles::Price;
use crate::parts::island::rules::{
    self as island, Deck, Extension, Order, Robber, Shortage, Special, Trade,
};
use serde::{Deserialize, Serialize};

words! {
    /// When the longest trade route is determined. (BOAT-30)
    pub enum When {
        /// When a player ends its turn, or what it does after another's turn.
        EndOfTurn = "end_of_turn",
        /// As soon as a road, a boat or a building changes a length.
        AtOnce = "at_once",
    }

    /// Who starts with Isa or with Louis. (BOAT-42)
    pub enum Holder {
        /// Whoever the scenario names.
        Scenario = "scenario",
        /// Nobody.
        Nobody = "nobody",
        /// Seat 1.
        Seat1 = "seat_1",
        /// Seat 2.
        Seat2 = "seat_2",
        /// Seat 3.
        Seat3 = "seat_3",
        /// Seat 4.
        Seat4 = "seat_4",
        /// Seat 5.
        Seat5 = "seat_5",
        /// Seat 6.
        Seat6 = "seat_6",
    }

    /// How Isa and Louis come to players. (BOAT-42)
    pub enum Helpers {
        /// They are dealt as `isa`, `louis` and the scenario say.
        Dealt = "dealt",
        /// Each player chooses one at the start of its first turn.
        Chosen = "chosen",
    }
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

/// The most boats that a rule set gives a player.
pub const BOATS_MAX: usize = 15;

/// Which helpers a seat may choose.
pub type Allowed = allowed::Allowed<Helper>;

rule_set! {
    /// The rule set.
    pub struct Rules, like island {
        /// The name of a scenario that ships with the program, or the text of one.
        scenario: String = NAMES[0].to_owned(), file(NAMES), unspecified("BOAT-1"),
            "the map: shores (all islands known), fog (hexes to discover), or a file of your own";
        first_turn: u8;
        order: Order;
        points_to_win: BySeat = BySeat::all(12), by_seat(3, 30), unspecified("BOAT-50"), "points that win";
        points_more: u8 = 1, whole(0, 5), unspecified("BOAT-50"),
            "more points that win if the map shows four islands or more";
        turns_max: u16;
        bank: u8;
        shortage: Shortage;
        boats: u8 = 15, whole(0, 15), unspecified("BOAT-51"), "boats of a player";
        chit: u8 = 1, whole(0, 5), unspecified("BOAT-50"), "points of a chit for a foreign island";
        isa: Holder = Holder::Scenario, words(), unspecified("BOAT-42"),
            "who starts with Isa: whoever the scenario names, nobody, or a seat";
        louis: Holder = Holder::Scenario, words(), unspecified("BOAT-42"),
            "who starts with Louis: whoever the scenario names, nobody, or a seat";
        helpers: Helpers = Helpers::Dealt, words(), unspecified("BOAT-42"),
            "how Isa and Louis come: dealt as `isa` and `louis` say, or chosen, one by each player";
        helpers_allowed: PerSeat<Allowed> = [Allowed::ANY; SEATS_MAX], sets(), specified("BOAT-42"),
            "what each of 6 seats may choose: any, isa or louis";
        /// Prices.
        cost: struct Costs {
            road: Price;
            settlement: Price;
            city: Price;
            card: Price;
            boat: Price = Price::new([0, 1, 1, 0, 0]), price(10), specified("BOAT-10"), "price of a boat";
        };
        /// Gold.
        gold: struct Gold {
            found: u8 = 2, whole(0, 5), specified("BOAT-2"), "gold for an uncovered hex";
            price: u8 = 2, whole(1, 9), unspecified("BOAT-2"), "gold that a resource card costs";
            cards_max: u8 = 2, whole(0, 9), unspecified("BOAT-2"),
                "resource cards that a player may buy with gold in a turn";
        };
        deck: Deck;
        trade: Trade;
        /// The longest trade route.
        route: struct Route {
            minimum: u8 = 5, whole(3, 15), specified("BOAT-30"), "length that earns the longest trade route";
            points: u8 = 2, whole(0, 5), specified("BOAT-30"), "points of the longest trade route";
            when: When = When::EndOfTurn, words(), specified("BOAT-30"),
                "when it is determined: at the end of a turn, or at once";
        };
        army: Special;
        robber: Robber;
        extension: Extension;
    }
}

impl Rules {
    /// What the island reads of these rules.
    pub fn island(&self) -> island::Rules {
        let Costs { road, settlement, city, card, .. } = self.cost;
        island::Rules {
            points_to_win: self.points_to_win,
            cost: island::Costs { road, settlement, city, card },
            route: Special { minimum: self.route.minimum, points: self.route.points },
            ..self.shared()
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
    pub fn target(&self, scenario: &Scenario) -> BySeat {
        let more = if scenario.islands() < 4 { 0 } else { self.points_more };
        self.points_to_win.map(|points| points.saturating_add(more))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::daggers::Daggers;

    #[test]
    fn what_the_text_leaves_open_is_what_bears_a_dagger() {
        let found = Daggers::of(include_str!("mod.rs"), Rules::FIELDS);
        assert!(found.open_without.is_empty(), "{:?}", found.open_without);
        // What the text has beside what it leaves open, and what is for studies.
        let gold = ["helpers_allowed", "gold.found"];
        assert_eq!(found.printed_with[..2], gold);
        assert_eq!(found.printed_with[2..], ["route.minimum", "route.points", "route.when"]);
        // Defaults that no rule set changes.
        assert_eq!(found.no_field, ["BOAT-30", "BOAT-33", "BOAT-52", "BOAT-53", "BOAT-54"]);
    }
}
