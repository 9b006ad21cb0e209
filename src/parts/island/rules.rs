//! The rule set of base CATAN: every default that a user can change, with its clause.

use crate::core::game::{Field, Steps, open, printed};
use crate::parts::bundles::Price;
use serde::{Deserialize, Serialize};

/// A field that is one of a few words, in files and in code.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$doc])* $variant),+ }
    };
}

words! {
    /// Which island is laid. (BASE-10, BASE-11)
    Layout {
        /// Terrain and tokens are random.
        Variable,
        /// The published first island with its starting positions.
        Beginner,
    }
}

words! {
    /// How number tokens are laid on a variable island. (BASE-10)
    Tokens {
        /// In the order of their letters along a spiral.
        Letters,
        /// At random, with no 6 or 8 next to another.
        Shuffled,
    }
}

words! {
    /// How harbours are laid on a variable island. (BASE-10)
    Harbours {
        /// As the standard frame has them.
        Fixed,
        /// At random over the same places.
        Shuffled,
    }
}

words! {
    /// Who gets which starting position of the beginner island, from seat 1. (BASE-11)
    Colours {
        /// White, orange, blue, red.
        WhiteFirst,
        /// Orange, blue, red, white.
        OrangeFirst,
        /// Blue, red, white, orange.
        BlueFirst,
        /// Red, white, orange, blue.
        RedFirst,
    }
}

words! {
    /// How trade and building are ordered. (BASE-20)
    Order {
        /// In any order after the roll.
        Mixed,
        /// No trade after the turn's first building or purchase.
        Strict,
    }
}

words! {
    /// Whether the robber has to steal. (BASE-24)
    Steal {
        /// It steals from someone if it can.
        Must,
        /// It may steal from nobody.
        May,
    }
}

words! {
    /// What happens when the bank can't pay all of a resource. (BASE-23)
    Shortage {
        /// Nobody gets it, except that a sole claimant gets what is left.
        Sole,
        /// Nobody gets it.
        Nobody,
    }
}

words! {
    /// Who else acts after a turn at a table of five or six. (BASE-81)
    AfterTurn {
        /// Every other player may build.
        Special,
        /// The player three seats on may trade with the bank, build and play a card.
        Paired,
    }
}

/// A number of development cards of each kind, in one of the two boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deck {
    /// Knights.
    pub knights: u8,
    /// Victory-point cards.
    pub victory_points: u8,
    /// Each of Road Building, Year of Plenty and Monopoly.
    pub progress: u8,
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
}

/// Trade between players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Trade {
    /// Refused proposals that a player may make in a turn.
    pub proposals_max: u8,
    /// The most cards on each side of a listed offer.
    pub listed_max: u8,
}

/// A special card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Special {
    /// The length or the number of knights that earns it.
    pub minimum: u8,
    /// Victory points.
    pub points: u8,
}

/// The robber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Robber {
    /// Cards that are safe on a 7.
    pub hand_limit: u8,
    /// Whether it has to steal.
    pub steal: Steal,
    /// It can't be placed next to players who show fewer points than this, nor rob them.
    pub spares_below: u8,
}

/// What five and six players have instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Extension {
    /// Who else acts after a turn.
    pub after_turn: AfterTurn,
    /// Cards of each resource.
    pub bank: u8,
    /// Development cards.
    pub deck: Deck,
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
    /// Who gets which starting position of the beginner island.
    pub colours: Colours,
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
    /// What five and six players have instead.
    pub extension: Extension,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs {
            road: Price::new([1, 1, 0, 0, 0]),
            settlement: Price::new([1, 1, 1, 1, 0]),
            city: Price::new([0, 0, 0, 2, 3]),
            card: Price::new([0, 0, 1, 1, 1]),
        }
    }
}

impl Default for Trade {
    fn default() -> Trade {
        Trade { proposals_max: 3, listed_max: 2 }
    }
}

impl Default for Robber {
    fn default() -> Robber {
        Robber { hand_limit: 7, steal: Steal::Must, spares_below: 0 }
    }
}

impl Default for Extension {
    fn default() -> Extension {
        let deck = Deck { knights: 20, victory_points: 5, progress: 3 };
        Extension { after_turn: AfterTurn::Special, bank: 24, deck }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            island: Layout::Variable,
            tokens: Tokens::Letters,
            harbours: Harbours::Fixed,
            colours: Colours::WhiteFirst,
            first_turn: 0,
            order: Order::Mixed,
            points_to_win: 10,
            turns_max: 1000,
            bank: 19,
            shortage: Shortage::Sole,
            cost: Costs::default(),
            deck: Deck { knights: 14, victory_points: 5, progress: 2 },
            trade: Trade::default(),
            route: Special { minimum: 5, points: 2 },
            army: Special { minimum: 3, points: 2 },
            robber: Robber::default(),
            extension: Extension::default(),
        }
    }
}

impl Rules {
    /// These rules with everything that is never read at a table of this size, or on this island, set to its
    /// default. (BASE-10, BASE-11, BASE-80, BASE-81)
    pub fn in_effect(&self, players: u8) -> Rules {
        let (usual, mut rules) = (Rules::default(), self.clone());
        if players > 4 {
            (rules.bank, rules.deck) = (usual.bank, usual.deck);
        } else {
            rules.extension = usual.extension;
        }
        match self.island {
            Layout::Variable => rules.colours = usual.colours,
            Layout::Beginner => {
                (rules.tokens, rules.harbours) = (usual.tokens, usual.harbours);
            }
        }
        rules
    }
}

const LAID: Steps = Steps::Words(&["letters", "shuffled"]);
const FIXED: Steps = Steps::Words(&["fixed", "shuffled"]);
const COLOURS: Steps = Steps::Words(&["white_first", "orange_first", "blue_first", "red_first"]);
const AFTER: Steps = Steps::Words(&["special", "paired"]);
const SHORT: Steps = Steps::Words(&["sole", "nobody"]);

/// A field of [`FIELDS`], for games that have it as well.
///
/// # Panics
/// If there is none of that path.
pub const fn field(path: &str) -> Field {
    let mut at = 0;
    while at < FIELDS.len() {
        if is_same(FIELDS[at].path, path) {
            return FIELDS[at];
        }
        at += 1;
    }
    panic!("no field of that path")
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The fields of [`Rules`], in the order in which they are shown.
pub const FIELDS: &[Field] = &[
    open(
        "island",
        "BASE-10, BASE-11",
        Steps::Words(&["variable", "beginner"]),
        "the island: variable, or the published one for beginners (2 to 4 players)",
    ),
    open("tokens", "BASE-10", LAID, "number tokens of a variable island: by letters or shuffled"),
    open("harbours", "BASE-10", FIXED, "harbours of a variable island: fixed or shuffled"),
    open("colours", "BASE-11", COLOURS, "the beginner island's colours by seat: who comes first"),
    printed(
        "first_turn",
        "BASE-16",
        Steps::Whole(0, 5),
        "how many seats after the last founder the first turn is, 0 to 5",
    ),
    printed(
        "order",
        "BASE-20",
        Steps::Words(&["mixed", "strict"]),
        "trade and build in any order (mixed) or trade first (strict)",
    ),
    printed("points_to_win", "BASE-70", Steps::Whole(3, 30), "points that win, 3 to 30"),
    open("turns_max", "BASE-73", Steps::Whole(1, 5000), "turns, counted by player, 1 to 5000"),
    printed("bank", "BASE-3", Steps::Whole(10, 40), "cards of each resource, 10 to 40"),
    open(
        "shortage",
        "BASE-23",
        SHORT,
        "if the bank can't pay all: a sole claimant gets the rest (sole), or nobody does",
    ),
    printed("cost.road", "BASE-40", Steps::Price(10), "price of a road"),
    printed("cost.settlement", "BASE-41", Steps::Price(10), "price of a settlement"),
    printed("cost.city", "BASE-42", Steps::Price(10), "price of a city"),
    printed("cost.card", "BASE-43", Steps::Price(10), "price of a development card"),
    open(
        "deck.knights",
        "BASE-4",
        Steps::Whole(0, 30),
        "knights among the development cards, 0 to 30",
    ),
    open("deck.victory_points", "BASE-4", Steps::Whole(0, 10), "victory-point cards, 0 to 10"),
    printed("deck.progress", "BASE-4", Steps::Whole(0, 10), "cards of each progress kind, 0 to 10"),
    open(
        "trade.proposals_max",
        "BASE-35",
        Steps::Whole(0, 10),
        "refused proposals per turn, 0 to 10; 0 forbids trade with players",
    ),
    printed(
        "trade.listed_max",
        "BASE-31",
        Steps::Whole(0, 3),
        "the most cards on each side of a listed offer, 0 to 3",
    ),
    printed(
        "route.minimum",
        "BASE-60",
        Steps::Whole(3, 15),
        "length that earns Longest Road, 3 to 15",
    ),
    printed("route.points", "BASE-60", Steps::Whole(0, 5), "points of Longest Road, 0 to 5"),
    printed(
        "army.minimum",
        "BASE-62",
        Steps::Whole(1, 20),
        "knights that earn Largest Army, 1 to 20",
    ),
    printed("army.points", "BASE-62", Steps::Whole(0, 5), "points of Largest Army, 0 to 5"),
    printed(
        "robber.hand_limit",
        "BASE-24",
        Steps::Whole(0, 95),
        "cards that are safe on a 7, 0 to 95",
    ),
    printed(
        "robber.steal",
        "BASE-24",
        Steps::Words(&["must", "may"]),
        "the robber must or may steal",
    ),
    printed(
        "robber.spares_below",
        "BASE-24",
        Steps::Whole(0, 10),
        "the robber stays away from players who show fewer points, 0 to 10",
    ),
    open(
        "extension.after_turn",
        "BASE-81",
        AFTER,
        "five and six players: special building phase or paired players",
    ),
    open(
        "extension.bank",
        "BASE-80",
        Steps::Whole(10, 40),
        "five and six players: cards of each resource, 10 to 40",
    ),
    open(
        "extension.deck.knights",
        "BASE-80",
        Steps::Whole(0, 30),
        "five and six players: knights, 0 to 30",
    ),
    open(
        "extension.deck.victory_points",
        "BASE-80",
        Steps::Whole(0, 10),
        "five and six players: victory-point cards, 0 to 10",
    ),
    open(
        "extension.deck.progress",
        "BASE-80",
        Steps::Whole(0, 10),
        "five and six players: cards of each progress kind, 0 to 10",
    ),
];
