//! The rule set of base CATAN: every default that a user can change, with its clause.

use crate::core::rule_set::{rule_set, words};
use crate::core::types::by_seat::BySeat;
use crate::parts::bundles::Price;
use serde::{Deserialize, Serialize};

words! {
    /// Which island is laid. (BASE-10, BASE-11)
    pub enum Layout {
        /// Terrain and tokens are random.
        Variable = "variable",
        /// The published first island with its starting positions.
        Beginner = "beginner",
    }

    /// How number tokens are laid on a variable island. (BASE-10)
    pub enum Tokens {
        /// In the order of their letters along a spiral.
        Letters = "letters",
        /// At random, with no 6 or 8 next to another.
        Shuffled = "shuffled",
    }

    /// How harbours are laid on a variable island. (BASE-10)
    pub enum Harbours {
        /// As the standard frame has them.
        Fixed = "fixed",
        /// At random over the same places.
        Shuffled = "shuffled",
    }

    /// Who gets which starting position of the beginner island, from seat 1. (BASE-11)
    pub enum Colours {
        /// White, orange, blue, red.
        WhiteFirst = "white_first",
        /// Orange, blue, red, white.
        OrangeFirst = "orange_first",
        /// Blue, red, white, orange.
        BlueFirst = "blue_first",
        /// Red, white, orange, blue.
        RedFirst = "red_first",
    }

    /// How trade and building are ordered. (BASE-20)
    pub enum Order {
        /// In any order after the roll.
        Mixed = "mixed",
        /// No trade after the turn's first building or purchase.
        Strict = "strict",
    }

    /// Whether the robber has to steal. (BASE-24)
    pub enum Steal {
        /// It steals from someone if it can.
        Must = "must",
        /// It may steal from nobody.
        May = "may",
    }

    /// What happens when the bank can't pay all of a resource. (BASE-23)
    pub enum Shortage {
        /// Nobody gets it, except that a sole claimant gets what is left.
        Sole = "sole",
        /// Nobody gets it.
        Nobody = "nobody",
    }

    /// Who else acts after a turn at a table of five or six. (BASE-81)
    pub enum AfterTurn {
        /// Every other player may build.
        Special = "special",
        /// The player three seats on may trade with the bank, build and play a card.
        Paired = "paired",
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

/// A special card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Special {
    /// The length or the number of knights that earns it.
    pub minimum: u8,
    /// Victory points.
    pub points: u8,
}

/// The word for an island that is dealt.
pub const DEALT: &str = "dealt";

rule_set! {
    /// The rule set.
    pub struct Rules {
        island: Layout = Layout::Variable, words(), unspecified("BASE-10, BASE-11"),
            "the island: variable, or the published one for beginners (2 to 4 players)";
        tokens: Tokens = Tokens::Letters, words(), unspecified("BASE-10"),
            "number tokens of a variable island: by letters or shuffled";
        harbours: Harbours = Harbours::Fixed, words(), unspecified("BASE-10"),
            "harbours of a variable island: fixed or shuffled";
        /// The word `dealt`, or the text of an island's file.
        map: String = DEALT.to_owned(), file(&[DEALT]), unspecified("BASE-10"),
            "what lies where: dealt by these rules, or a file of your own, the same in every match";
        colours: Colours = Colours::WhiteFirst, words(), unspecified("BASE-11"),
            "the beginner island's colours by seat: who comes first";
        /// How many seats after the last founder the first turn is: 0 by the rules.
        first_turn: u8 = 0, whole(0, 5), specified("BASE-16"),
            "how many seats after the last founder the first turn is";
        order: Order = Order::Mixed, words(), specified("BASE-20"),
            "trade and build in any order (mixed) or trade first (strict)";
        points_to_win: BySeat = BySeat::all(10), by_seat(3, 30), specified("BASE-70"), "points that win";
        /// Turns, counted by player, before a match ends without a winner.
        turns_max: u16 = 1000, whole(1, 5000), unspecified("BASE-73"), "turns, counted by player";
        bank: u8 = 19, whole(10, 40), specified("BASE-3"), "cards of each resource";
        shortage: Shortage = Shortage::Sole, words(), unspecified("BASE-23"),
            "if the bank can't pay all: a sole claimant gets the rest (sole), or nobody does";
        /// Prices.
        cost: struct Costs {
            road: Price = Price::new([1, 1, 0, 0, 0]), price(10), specified("BASE-40"), "price of a road";
            settlement: Price = Price::new([1, 1, 1, 1, 0]), price(10), specified("BASE-41"), "price of a settlement";
            city: Price = Price::new([0, 0, 0, 2, 3]), price(10), specified("BASE-42"), "price of a city";
            card: Price = Price::new([0, 0, 1, 1, 1]), price(10), specified("BASE-43"), "price of a development card";
        };
        /// Development cards.
        deck: use Deck {
            knights = 14, whole(0, 30), unspecified("BASE-4"), "knights among the development cards";
            victory_points = 5, whole(0, 10), unspecified("BASE-4"), "victory-point cards";
            progress = 2, whole(0, 10), specified("BASE-4"), "cards of each progress kind";
        };
        /// Trade between players.
        trade: struct Trade {
            proposals_max: u8 = 3, whole(0, 10), unspecified("BASE-35"),
                "refused proposals per turn", "; 0 forbids trade with players";
            listed_max: u8 = 2, whole(0, 3), specified("BASE-31"), "the most cards on each side of a listed offer";
        };
        /// Longest Road.
        route: use Special {
            minimum = 5, whole(3, 15), specified("BASE-60"), "length that earns Longest Road";
            points = 2, whole(0, 5), specified("BASE-60"), "points of Longest Road";
        };
        /// Largest Army.
        army: use Special {
            minimum = 3, whole(1, 20), specified("BASE-62"), "knights that earn Largest Army";
            points = 2, whole(0, 5), specified("BASE-62"), "points of Largest Army";
        };
        /// The robber.
        robber: struct Robber {
            hand_limit: u8 = 7, whole(0, 95), specified("BASE-24"), "cards that are safe on a 7";
            steal: Steal = Steal::Must, words(), specified("BASE-24"), "the robber must or may steal";
            /// It can't be placed next to players who show fewer points than this, nor rob them.
            spares_below: u8 = 0, whole(0, 10), specified("BASE-24"),
                "the robber stays away from players who show fewer points";
        };
        /// What five and six players have instead.
        extension: struct Extension {
            after_turn: AfterTurn = AfterTurn::Special, words(), unspecified("BASE-81"),
                "five and six players: special building phase or paired players";
            bank: u8 = 24, whole(10, 40), unspecified("BASE-80"), "five and six players: cards of each resource";
            /// Development cards.
            deck: use Deck {
                knights = 20, whole(0, 30), unspecified("BASE-80"), "five and six players: knights";
                victory_points = 5, whole(0, 10), unspecified("BASE-80"), "five and six players: victory-point cards";
                progress = 3, whole(0, 10), unspecified("BASE-80"), "five and six players: cards of each progress kind";
            };
        };
    }
}

impl Rules {
    /// Whether the island is laid by a file.
    pub fn has_map(&self) -> bool {
        self.map.trim() != DEALT
    }

    /// These rules with everything that is never read at a table of this size, or on this island, set to its
    /// default. (BASE-10, BASE-11, BASE-80, BASE-81)
    pub fn in_effect(&self, players: u8) -> Rules {
        let (usual, mut rules) = (Rules::default(), self.clone());
        if players > 4 {
            (rules.bank, rules.deck) = (usual.bank, usual.deck);
        } else {
            rules.extension = usual.extension;
        }
        if players <= 3 && rules.colours == Colours::RedFirst {
            rules.colours = Colours::WhiteFirst; // red is not there, and white comes next
        }
        match self.island {
            Layout::Variable if self.has_map() => {
                (rules.tokens, rules.harbours) = (usual.tokens, usual.harbours);
                rules.colours = usual.colours;
            }
            Layout::Variable => rules.colours = usual.colours,
            Layout::Beginner => {
                (rules.tokens, rules.harbours) = (usual.tokens, usual.harbours);
            }
        }
        rules
    }
}
