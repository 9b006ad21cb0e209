//! The rule set of On the Road: every default that a user can change, with its clause.

use crate::core::game::{Field, Steps, open, printed};
use crate::games::on_the_road::cards::Metropolis;
use crate::parts::allowed;
use crate::parts::bundles::{Price, Surcharge};
use serde::{Deserialize, Serialize};

/// The most seats at this table.
pub const SEATS: usize = 4;

/// Which metropolises a seat may build. (OTR-46)
pub type Allowed = allowed::Allowed<Metropolis>;

/// Which side of the metropolises is up. (OTR-12)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Two more cards in each harvest.
    A,
    /// One more card in each harvest, and an effect of its own.
    B,
    /// A coin toss for each card at the deal.
    Mixed,
}

/// Which side of one metropolis card is up. (OTR-12)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// As `side` says.
    Side,
    /// A side up, whatever `side` says.
    A,
    /// B side up, whatever `side` says.
    B,
    /// Not in the match.
    Out,
}

/// When trade is allowed. (OTR-30)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TradeOrder {
    /// Before, between and after builds.
    Any,
    /// Not after the turn's first build.
    TradeFirst,
}

/// When discards become the draw pile. (OTR-22)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reshuffle {
    /// When a draw finds the pile empty.
    OnDraw,
    /// As soon as the last card is drawn.
    OnEmpty,
}

/// Who sees what the Robber takes. (OTR-34)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Discards {
    /// Everyone sees the discards.
    Open,
    /// Only the player who discards sees them.
    Hidden,
}

/// In what order several players draw several cards. (OTR-75)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawOrder {
    /// All cards of one seat, then the next seat.
    Seat,
    /// One card each, round by round.
    Round,
}

/// Something with a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Priced {
    /// The printed price.
    pub cost: Price,
}

/// One metropolis card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetropolisCard {
    /// Which side is up.
    pub face: Face,
    /// Added to the price of all metropolises, or taken from it.
    pub extra: Surcharge,
}

/// The metropolises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Metropolises {
    /// The price of each, both sides.
    pub cost: Price,
    /// Whether the starting road counts for the `roads` side.
    pub starting_road_counts: bool,
    /// Whether a tie effect acts when its metropolis is built, not only at later builds.
    pub tie_at_once: bool,
    /// Whether a tie effect needs the bonus card's minimum.
    pub tie_minimum: bool,
    /// Which of them each seat may build, by seat; entries beyond the players are not read.
    pub allowed: [Allowed; SEATS],
    /// The card whose B side draws for roads.
    pub roads: MetropolisCard,
    /// The card whose B side draws for knights.
    pub knights: MetropolisCard,
    /// The card whose B side wins ties for Largest Army.
    pub army: MetropolisCard,
    /// The card whose B side wins ties for Longest Route.
    pub route: MetropolisCard,
}

/// Substitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Substitution {
    /// Cards that replace one card, with 1, 2, 3 and 4 or more roads.
    pub rates: [u8; 4],
}

/// Trade between players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Trade {
    /// When it is allowed.
    pub order: TradeOrder,
    /// Proposals that the current player may make in a turn.
    pub proposals_max: u8,
    /// The most cards on each side of a listed offer.
    pub listed_max: u8,
    /// Whether the current player may propose to give cards that it does not hold; counters must be held.
    pub bluff: bool,
}

/// A bonus card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bonus {
    /// The fewest roads or knights that earn it.
    pub minimum: u8,
    /// Victory points.
    pub points: u8,
}

/// The Robber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Robber {
    /// Cards that are safe without knights.
    pub hand_limit: u8,
    /// Who sees what it takes.
    pub discards: Discards,
}

/// The rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Which side of the metropolises is up.
    pub side: Side,
    /// Whether the first row is dealt again until all four kinds are in it.
    pub mixed_first_row: bool,
    /// Resource cards that each player starts with.
    pub hand_start: u8,
    /// Points that win.
    pub points_to_win: u8,
    /// Turns, counted by player, before a match ends without a winner.
    pub turns_max: u16,
    /// When discards become the draw pile.
    pub reshuffle: Reshuffle,
    /// In what order several players draw several cards.
    pub draw_order: DrawOrder,
    /// Roads.
    pub road: Priced,
    /// Settlements.
    pub settlement: Priced,
    /// Cities.
    pub city: Priced,
    /// Knights.
    pub knight: Priced,
    /// Metropolises.
    pub metropolis: Metropolises,
    /// Substitution.
    pub substitution: Substitution,
    /// Trade.
    pub trade: Trade,
    /// Longest Route.
    pub route: Bonus,
    /// Largest Army.
    pub army: Bonus,
    /// The Robber.
    pub robber: Robber,
}

impl Default for MetropolisCard {
    fn default() -> MetropolisCard {
        MetropolisCard { face: Face::Side, extra: Surcharge::default() }
    }
}

impl Default for Metropolises {
    fn default() -> Metropolises {
        Metropolises {
            cost: Price::new([0, 0, 3, 0, 1]),
            starting_road_counts: true,
            tie_at_once: true,
            tie_minimum: true,
            allowed: [Allowed::ANY; SEATS],
            roads: MetropolisCard::default(),
            knights: MetropolisCard::default(),
            army: MetropolisCard::default(),
            route: MetropolisCard::default(),
        }
    }
}

impl Default for Substitution {
    fn default() -> Substitution {
        Substitution { rates: [4, 3, 2, 1] }
    }
}

impl Default for Trade {
    fn default() -> Trade {
        Trade { order: TradeOrder::Any, proposals_max: 3, listed_max: 2, bluff: false }
    }
}

impl Default for Bonus {
    fn default() -> Bonus {
        Bonus { minimum: 3, points: 2 }
    }
}

impl Default for Robber {
    fn default() -> Robber {
        Robber { hand_limit: 7, discards: Discards::Open }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            side: Side::A,
            mixed_first_row: false,
            hand_start: 2,
            points_to_win: 7,
            turns_max: 200,
            reshuffle: Reshuffle::OnDraw,
            draw_order: DrawOrder::Seat,
            road: Priced { cost: Price::new([1, 1, 0, 0, 0]) },
            settlement: Priced { cost: Price::new([1, 1, 1, 1, 0]) },
            city: Priced { cost: Price::new([0, 0, 0, 2, 3]) },
            knight: Priced { cost: Price::new([0, 0, 1, 0, 1]) },
            metropolis: Metropolises::default(),
            substitution: Substitution::default(),
            trade: Trade::default(),
            route: Bonus { minimum: 3, points: 2 },
            army: Bonus { minimum: 2, points: 2 },
            robber: Robber::default(),
        }
    }
}

const FACES: Steps = Steps::Words(&["side", "a", "b", "out"]);

/// The fields of [`Rules`], in the order in which they are shown.
pub const FIELDS: &[Field] = &[
    printed("side", "OTR-12", Steps::Words(&["a", "b", "mixed"]), "metropolis side: a, b or mixed"),
    open(
        "mixed_first_row",
        "OTR-11",
        Steps::Flag,
        "deal the first row again until it has all four kinds",
    ),
    printed("hand_start", "OTR-13", Steps::Whole(0, 10), "resource cards at the start, 0 to 10"),
    printed("points_to_win", "OTR-81", Steps::Whole(2, 40), "points that win, 2 to 40"),
    open("turns_max", "OTR-82", Steps::Whole(1, 1000), "turns, counted by player, 1 to 1000"),
    open(
        "reshuffle",
        "OTR-22",
        Steps::Words(&["on_draw", "on_empty"]),
        "discards become the pile on_draw or on_empty",
    ),
    open(
        "draw_order",
        "OTR-75",
        Steps::Words(&["seat", "round"]),
        "order of several draws: all of one seat first (seat), or one each in turn (round)",
    ),
    open("road.cost", "OTR-41", Steps::Price(14), "price of a road"),
    printed("settlement.cost", "OTR-41", Steps::Price(14), "price of a settlement"),
    open("city.cost", "OTR-41", Steps::Price(14), "price of a city"),
    open("knight.cost", "OTR-41", Steps::Price(14), "price of a knight"),
    open("metropolis.cost", "OTR-41", Steps::Price(14), "price of a metropolis, both sides"),
    open(
        "metropolis.starting_road_counts",
        "OTR-54",
        Steps::Flag,
        "the starting road counts for the roads side",
    ),
    open(
        "metropolis.tie_at_once",
        "OTR-55",
        Steps::Flag,
        "tie effects act when the metropolis is built",
    ),
    open(
        "metropolis.tie_minimum",
        "OTR-55",
        Steps::Flag,
        "tie effects need the bonus card's minimum",
    ),
    printed(
        "metropolis.allowed",
        "OTR-46",
        Steps::None,
        "what each of 4 seats may build: any, or names such as \"roads army\"",
    ),
    printed(
        "metropolis.roads.face",
        "OTR-12",
        FACES,
        "the card `roads`: side (as `side` says), a, b or out",
    ),
    printed(
        "metropolis.roads.extra",
        "OTR-41",
        Steps::Surcharge(14),
        "added to the price of `roads`, -14 to 14",
    ),
    printed("metropolis.knights.face", "OTR-12", FACES, "the card `knights`: side, a, b or out"),
    printed(
        "metropolis.knights.extra",
        "OTR-41",
        Steps::Surcharge(14),
        "added to the price of `knights`, -14 to 14",
    ),
    printed("metropolis.army.face", "OTR-12", FACES, "the card `army`: side, a, b or out"),
    printed(
        "metropolis.army.extra",
        "OTR-41",
        Steps::Surcharge(14),
        "added to the price of `army`, -14 to 14",
    ),
    open("metropolis.route.face", "OTR-12, OTR-53", FACES, "the card `route`: side, a, b or out"),
    printed(
        "metropolis.route.extra",
        "OTR-41",
        Steps::Surcharge(14),
        "added to the price of `route`, -14 to 14",
    ),
    open(
        "substitution.rates",
        "OTR-42",
        Steps::List(1, 20),
        "cards that replace one, with 1, 2, 3 and 4 or more roads, 1 to 20",
    ),
    open(
        "trade.order",
        "OTR-30",
        Steps::Words(&["any", "trade_first"]),
        "trade at any moment (any) or before the first build (trade_first)",
    ),
    open(
        "trade.proposals_max",
        "OTR-32",
        Steps::Whole(0, 10),
        "proposals per turn, 0 to 10; 0 forbids trade",
    ),
    printed(
        "trade.listed_max",
        "OTR-31",
        Steps::Whole(0, 3),
        "the most cards on each side of a listed offer, 0 to 3",
    ),
    open(
        "trade.bluff",
        "OTR-31",
        Steps::Flag,
        "the current player may propose to give cards that it does not hold",
    ),
    printed(
        "route.minimum",
        "OTR-60",
        Steps::Whole(1, 11),
        "roads that earn Longest Route, 1 to 11",
    ),
    printed("route.points", "OTR-4", Steps::Whole(0, 10), "points of Longest Route, 0 to 10"),
    printed("army.minimum", "OTR-61", Steps::Whole(1, 8), "knights that earn Largest Army, 1 to 8"),
    printed("army.points", "OTR-4", Steps::Whole(0, 10), "points of Largest Army, 0 to 10"),
    printed(
        "robber.hand_limit",
        "OTR-72",
        Steps::Whole(0, 61),
        "cards that are safe without knights, 0 to 61",
    ),
    open(
        "robber.discards",
        "OTR-34",
        Steps::Words(&["open", "hidden"]),
        "Robber discards are open or hidden",
    ),
];

impl Rules {
    /// The metropolis cards in the order of every table.
    pub fn metropolis_cards(&self) -> [MetropolisCard; 4] {
        let m = &self.metropolis;
        [m.roads, m.knights, m.army, m.route]
    }

    /// These rules with everything that is never read with these sides of the metropolises set to its default:
    /// faces that say what `side` says, and what the B sides do if none of theirs can be up. (OTR-12, OTR-54,
    /// OTR-55)
    pub fn in_effect(&self) -> Rules {
        let (usual, mut rules) = (Rules::default(), self.clone());
        let metropolis = &mut rules.metropolis;
        let cards = [
            &mut metropolis.roads,
            &mut metropolis.knights,
            &mut metropolis.army,
            &mut metropolis.route,
        ];
        let [roads, _, army, route] = cards.map(|card| {
            card.face = match (card.face, self.side) {
                (Face::Side, Side::A) => Face::A,
                (Face::Side, Side::B) => Face::B,
                (face, _) => face,
            };
            matches!(card.face, Face::B | Face::Side)
        });
        if !roads {
            metropolis.starting_road_counts = usual.metropolis.starting_road_counts;
        }
        if !army && !route {
            metropolis.tie_at_once = usual.metropolis.tie_at_once;
            metropolis.tie_minimum = usual.metropolis.tie_minimum;
        }
        // What is left of `side`: whether it is tossed for.
        if rules.metropolis_cards().iter().all(|card| card.face != Face::Side) {
            rules.side = usual.side;
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::daggers::Daggers;

    #[test]
    fn what_the_text_leaves_open_is_what_bears_a_dagger() {
        let found = Daggers::of(include_str!("mod.rs"), FIELDS);
        // The text has the rates with three and with four roads; the other two continue the series.
        assert_eq!(found.open_without, ["substitution.rates"]);
        // A price that the text has, surcharges for studies, and how long a list is.
        let surcharges = ["roads", "knights", "army", "route"];
        let surcharges = surcharges.map(|card| format!("metropolis.{card}.extra"));
        let printed = ["settlement.cost"].into_iter().chain(surcharges.iter().map(String::as_str));
        let printed: Vec<&str> = printed.chain(["trade.listed_max"]).collect();
        assert_eq!(found.printed_with, printed);
        // Two can play whatever the rule set is.
        assert_eq!(found.no_field, ["OTR-10"]);
    }
}
