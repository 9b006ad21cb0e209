//! The rule set of Struggle for Catan: every default that a user can change, with its clause.

use crate::core::rule_set::{rule_set, words};
use crate::core::types::by_seat::BySeat;
use crate::games::struggle::cards::Expansion;
use crate::parts::allowed;
use crate::parts::bundles::Price;
use serde::{Deserialize, Serialize};

/// The most seats at this table.
pub const SEATS: usize = 6;

/// Numbers of cards by number of players, from two on.
pub type ByPlayers = [u8; 5];

/// Which expansions a seat may build. (SFC-46)
pub type Allowed = allowed::Allowed<Expansion>;

words! {
    /// When discards become the draw stack. (SFC-21)
    pub enum Reshuffle {
        /// When a draw finds the stack empty.
        OnDraw = "on_draw",
        /// As soon as the last card is drawn.
        OnEmpty = "on_empty",
    }

    /// Who sees something.
    pub enum Eyes {
        /// Only those whom it concerns.
        Concerned = "concerned",
        /// Everyone.
        All = "all",
    }

    /// When the library's card of a lot is chosen. (SFC-34)
    pub enum Chosen {
        /// Before the blind ones.
        First = "first",
        /// After the blind ones.
        Last = "last",
    }

    /// When the merchants' guild may take its card. (SFC-71)
    pub enum Moment {
        /// In the trade step and in the build step.
        Any = "any",
        /// In the trade step.
        Trade = "trade",
        /// In the build step, which it begins.
        Build = "build",
    }

    /// How often the university saves a card. (SFC-72)
    pub enum Per {
        /// Once a turn.
        Turn = "turn",
        /// Once a build.
        Build = "build",
    }

    /// How further cards for knights are drawn. (SFC-80)
    pub enum Extra {
        /// One by one, each seen before the next is decided.
        OneByOne = "one_by_one",
        /// As many as are decided beforehand.
        AtOnce = "at_once",
    }

    /// Which cards count as one type. (SFC-42)
    pub enum Types {
        /// Settlement and city are two.
        Five = "five",
        /// Settlement and city are one.
        Four = "four",
    }

    /// Where the destiny card points at the start. (SFC-11)
    pub enum Direction {
        /// To the left.
        Clockwise = "clockwise",
        /// To the right.
        Counterclockwise = "counterclockwise",
    }
}

/// Cards of which a number is in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stack {
    /// The price of one.
    pub cost: Price,
    /// How many are in play, by number of players.
    pub in_play: ByPlayers,
}

/// Something with a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Priced {
    /// Its price.
    pub cost: Price,
}

/// One kind of expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExpansionCard {
    /// How many are in play, by number of players.
    pub in_play: ByPlayers,
    /// Victory points.
    pub points: u8,
    /// Added to the price of all expansions.
    pub extra: Price,
    /// Whether it is taken out of the match.
    pub out: bool,
}

rule_set! {
    /// The rule set.
    pub struct Rules {
        points_to_win: BySeat = BySeat::all(10), by_seat(2, 40), specified("SFC-90"), "points that win";
        /// Turns, counted by player, before a match ends without a winner.
        turns_max: u16 = 500, whole(1, 2000), unspecified("SFC-91"), "turns, counted by player";
        hand_start: BySeat = BySeat::all(3), by_seat(0, 10), specified("SFC-10"), "resource cards at the start";
        resource_copies: ByPlayers = [1, 1, 1, 2, 2], list(1, 2), unspecified("SFC-3"),
            "copies of the 67 resource cards with 2, 3, 4, 5 and 6 players";
        reshuffle: Reshuffle = Reshuffle::OnDraw, words(), unspecified("SFC-21"),
            "discards become the stack on_draw or on_empty";
        /// Roads.
        road: use Stack {
            cost = Price::new([1, 1, 0, 0, 0]), price(5), specified("SFC-40"), "price of a road";
            in_play = [5, 7, 9, 11, 13], list(2, 20), unspecified("SFC-3"), "roads with 2, 3, 4, 5 and 6 players";
        };
        /// Knights.
        knight: use Stack {
            cost = Price::new([0, 0, 1, 1, 1]), price(5), specified("SFC-40"), "price of a knight";
            in_play = [2, 4, 5, 7, 8], list(0, 20), unspecified("SFC-3"), "knights with 2, 3, 4, 5 and 6 players";
        };
        /// Settlements, with cities on their other sides.
        settlement: use Stack {
            cost = Price::new([1, 1, 1, 1, 0]), price(5), specified("SFC-40"), "price of a settlement";
            in_play = [7, 11, 15, 19, 23], list(2, 30), unspecified("SFC-3"),
                "settlements with 2, 3, 4, 5 and 6 players";
        };
        /// Cities.
        city: use Priced {
            cost = Price::new([0, 0, 0, 2, 3]), price(5), specified("SFC-40"), "price of a city";
        };
        /// Expansions.
        expansion: struct Expansions {
            cost: Price = Price::new([0, 0, 3, 0, 1]), price(5), specified("SFC-40"), "price of an expansion";
            /// Whether town hall and castle change their numbers in play.
            two_town_halls: bool = false, flag(), unspecified("SFC-4"),
                "town hall and castle change their numbers in play";
            /// Which of them each seat may build, by seat; entries beyond the players are not read.
            allowed: [Allowed; SEATS] = [Allowed::ANY; SEATS], sets(), specified("SFC-46"),
                "what each of 6 seats may build: any, or names such as \"castle church\"";
            /// 4 points.
            town_hall: use ExpansionCard {
                in_play = [1, 1, 1, 1, 1], list(0, 6), unspecified("SFC-4"), "town halls with 2, 3, 4, 5 and 6 players";
                points = 4, whole(0, 10), unspecified("SFC-70"), "points of a town hall";
                extra = Price::default(), price(5), unspecified("SFC-40"),
                    "added to the price of a town hall";
                out = false, flag(), specified("SFC-4"), "takes town halls out of the match";
            };
            /// Protects roads.
            castle: use ExpansionCard {
                in_play = [1, 1, 2, 2, 3], list(0, 6), unspecified("SFC-4"), "castles with 2, 3, 4, 5 and 6 players";
                points = 3, whole(0, 10), specified("SFC-70"), "points of a castle";
                extra = Price::default(), price(5), specified("SFC-40"), "added to the price of a castle";
                out = false, flag(), specified("SFC-4"), "takes castles out of the match";
            };
            /// Takes cards.
            merchants_guild: use ExpansionCard {
                in_play = [0, 1, 2, 3, 4], list(0, 6), unspecified("SFC-4"),
                    "merchants' guilds with 2, 3, 4, 5 and 6 players";
                points = 3, whole(0, 10), specified("SFC-70"), "points of a merchants' guild";
                extra = Price::default(), price(5), specified("SFC-40"),
                    "added to the price of a merchants' guild";
                out = false, flag(), specified("SFC-4"), "takes merchants' guilds out of the match";
            };
            /// Protects knights.
            church: use ExpansionCard {
                in_play = [1, 2, 2, 3, 3], list(0, 6), unspecified("SFC-4"), "churches with 2, 3, 4, 5 and 6 players";
                points = 3, whole(0, 10), specified("SFC-70"), "points of a church";
                extra = Price::default(), price(5), specified("SFC-40"), "added to the price of a church";
                out = false, flag(), specified("SFC-4"), "takes churches out of the match";
            };
            /// Chooses cards.
            library: use ExpansionCard {
                in_play = [1, 1, 1, 1, 1], list(0, 6), unspecified("SFC-4"), "libraries with 2, 3, 4, 5 and 6 players";
                points = 3, whole(0, 10), specified("SFC-70"), "points of a library";
                extra = Price::default(), price(5), specified("SFC-40"), "added to the price of a library";
                out = false, flag(), specified("SFC-4"), "takes libraries out of the match";
            };
            /// Saves cards.
            university: use ExpansionCard {
                in_play = [1, 1, 1, 1, 1], list(0, 6), unspecified("SFC-4"),
                    "universities with 2, 3, 4, 5 and 6 players";
                points = 3, whole(0, 10), specified("SFC-70"), "points of a university";
                extra = Price::default(), price(5), specified("SFC-40"),
                    "added to the price of a university";
                out = false, flag(), specified("SFC-4"), "takes universities out of the match";
            };
        };
        /// Building.
        build: struct Build {
            types: Types = Types::Five, words(), unspecified("SFC-42"),
                "types of cards: settlement and city are two (five) or one (four)";
            /// Whether points win before the event of a city.
            win_before_event: bool = false, flag(), unspecified("SFC-45"), "a city's points win before its event";
            /// Whether a road or knight may be paid for that is nowhere to be had.
            in_vain: bool = false, flag(), unspecified("SFC-60"),
                "a road or knight may be paid for that is nowhere to be had";
        };
        /// Substitution.
        substitution: struct Substitution {
            rate: u8 = 3, whole(2, 15), specified("SFC-41"), "cards of one kind that replace one";
        };
        /// Trade.
        trade: struct Trade {
            lot_max: u8 = 10, whole(1, 10), unspecified("SFC-33"), "the most cards of one lot";
            passes: Eyes = Eyes::Concerned, words(), unspecified("SFC-35"),
                "who sees what passes between two players: those concerned or all";
        };
        /// The market.
        market: struct Market {
            /// Whether a card that was taken may be returned.
            same: bool = true, flag(), unspecified("SFC-32"), "a card that was taken may be returned";
        };
        /// The library.
        library: struct Library {
            shown_to: Eyes = Eyes::Concerned, words(), unspecified("SFC-34"),
                "who sees the open hand: the one concerned, who chooses, or all";
            chosen: Chosen = Chosen::First, words(), unspecified("SFC-34"),
                "the chosen card of a lot comes first or last";
        };
        /// The merchants' guild.
        guild: struct Guild {
            moment: Moment = Moment::Any, words(), unspecified("SFC-71"),
                "the guild takes its card in any step, in trade or in build";
        };
        /// The university.
        university: struct University {
            per: Per = Per::Turn, words(), unspecified("SFC-72"),
                "the university saves a card once a turn or once a build";
        };
        /// Castle and church.
        protection: struct Protection {
            roads: u8 = 3, whole(0, 20), specified("SFC-62"), "roads that a castle protects";
            knights: u8 = 1, whole(0, 20), specified("SFC-62"), "knights that a church protects";
        };
        /// The brigand attacks.
        brigands: struct Brigands {
            /// City sides with an attack, by number of players; the others are market days.
            in_play: ByPlayers = [5, 8, 10, 13, 15], list(0, 30), unspecified("SFC-50"),
                "city sides with brigands with 2, 3, 4, 5 and 6 players";
            hand_limit: u8 = 7, whole(0, 134), unspecified("SFC-51"), "cards that are safe from brigands";
        };
        /// The destiny card.
        destiny: struct Destiny {
            start: Direction = Direction::Clockwise, words(), unspecified("SFC-11"),
                "where the destiny card points at the start";
            /// Whether who builds a settlement may flip it.
            settlement_flips: bool = true, flag(), specified("SFC-44"),
                "who builds a settlement may flip the destiny card";
            /// Whether a brigand attack flips it.
            brigands_flip: bool = true, flag(), specified("SFC-51"), "brigands flip the destiny card";
        };
        /// The draw step.
        draw: struct DrawStep {
            extra: Extra = Extra::OneByOne, words(), unspecified("SFC-80"),
                "further cards for knights are decided one_by_one or at_once";
        };
    }
}

impl Expansions {
    /// The cards in the order of every table, to be changed.
    pub fn cards_mut(&mut self) -> [&mut ExpansionCard; Expansion::COUNT] {
        [
            &mut self.town_hall,
            &mut self.castle,
            &mut self.merchants_guild,
            &mut self.church,
            &mut self.library,
            &mut self.university,
        ]
    }
}

impl Rules {
    /// All lists that have an entry for each number of players.
    pub fn lists_by_players(&mut self) -> impl Iterator<Item = &mut ByPlayers> {
        let own = [
            &mut self.resource_copies,
            &mut self.road.in_play,
            &mut self.knight.in_play,
            &mut self.settlement.in_play,
            &mut self.brigands.in_play,
        ];
        let expansions = self.expansion.cards_mut().map(|card| &mut card.in_play);
        own.into_iter().chain(expansions)
    }

    /// The expansions in the order of every table.
    pub fn expansion_cards(&self) -> [ExpansionCard; Expansion::COUNT] {
        let cards = &self.expansion;
        [
            cards.town_hall,
            cards.castle,
            cards.merchants_guild,
            cards.church,
            cards.library,
            cards.university,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::daggers::Daggers;

    #[test]
    fn what_the_text_leaves_open_is_what_bears_a_dagger() {
        let found = Daggers::of(include_str!("mod.rs"), Rules::FIELDS);
        // The text has types of building cards, which can be read as four or as five.
        assert_eq!(found.open_without, ["build.types"]);
        // Prices and points that the text has, beside those of the town hall that it lacks, and what is for studies.
        let mut printed = ["road", "knight", "settlement", "city", "expansion"]
            .map(|card| format!("{card}.cost"))
            .to_vec();
        printed.push("expansion.town_hall.out".to_owned());
        for card in ["castle", "merchants_guild", "church", "library", "university"] {
            printed.extend(["points", "extra", "out"].map(|of| format!("expansion.{card}.{of}")));
        }
        printed.push("destiny.brigands_flip".to_owned());
        assert_eq!(found.printed_with, printed);
        assert!(found.no_field.is_empty(), "{:?}", found.no_field);
    }
}
