//! The rule set of On the Road: every default that a user can change, with its clause.

use crate::core::rule_set::{rule_set, words};
use crate::core::types::by_seat::BySeat;
use crate::games::on_the_road::cards::Metropolis;
use crate::parts::allowed;
use crate::parts::bundles::{Price, Surcharge};
use serde::{Deserialize, Serialize};

/// The most seats at this table.
pub const SEATS: usize = 4;

/// Which metropolises a seat may build. (OTR-46)
pub type Allowed = allowed::Allowed<Metropolis>;

words! {
    /// Which side of the metropolises is up. (OTR-12)
    pub enum Side {
        /// Two more cards in each harvest.
        A = "a",
        /// One more card in each harvest, and an effect of its own.
        B = "b",
        /// A coin toss for each card at the deal.
        Mixed = "mixed",
    }

    /// Which side of one metropolis card is up. (OTR-12)
    #[derive(Default)]
    pub enum Face {
        /// As `side` says.
        #[default]
        Side = "side",
        /// A side up, whatever `side` says.
        A = "a",
        /// B side up, whatever `side` says.
        B = "b",
        /// Not in the match.
        Out = "out",
    }

    /// When trade is allowed. (OTR-30)
    pub enum TradeOrder {
        /// Before, between and after builds.
        Any = "any",
        /// Not after the turn's first build.
        TradeFirst = "trade_first",
    }

    /// When discards become the draw pile. (OTR-22)
    pub enum Reshuffle {
        /// When a draw finds the pile empty.
        OnDraw = "on_draw",
        /// As soon as the last card is drawn.
        OnEmpty = "on_empty",
    }

    /// Who sees what the Robber takes. (OTR-34)
    pub enum Discards {
        /// Everyone sees the discards.
        Open = "open",
        /// Only the player who discards sees them.
        Hidden = "hidden",
    }

    /// In what order several players draw several cards. (OTR-75)
    pub enum DrawOrder {
        /// All cards of one seat, then the next seat.
        Seat = "seat",
        /// One card each, round by round.
        Round = "round",
    }
}

/// Something with a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Priced {
    /// The printed price.
    pub cost: Price,
}

/// One metropolis card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetropolisCard {
    /// Which side is up.
    pub face: Face,
    /// Added to the price of all metropolises, or taken from it.
    pub extra: Surcharge,
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

impl Default for Bonus {
    fn default() -> Bonus {
        Bonus { minimum: 3, points: 2 }
    }
}

rule_set! {
    /// The rule set.
    pub struct Rules {
        side: Side = Side::A, words(), specified("OTR-12"), "metropolis side: a, b or mixed";
        /// Whether the first row is dealt again until all four kinds are in it.
        mixed_first_row: bool = false, flag(), unspecified("OTR-11"),
            "deal the first row again until it has all four kinds";
        hand_start: BySeat = BySeat::all(2), by_seat(0, 10), specified("OTR-13"), "resource cards at the start";
        points_to_win: BySeat = BySeat::all(7), by_seat(2, 40), specified("OTR-81"), "points that win";
        /// Turns, counted by player, before a match ends without a winner.
        turns_max: u16 = 200, whole(1, 1000), unspecified("OTR-82"), "turns, counted by player";
        reshuffle: Reshuffle = Reshuffle::OnDraw, words(), unspecified("OTR-22"),
            "discards become the pile on_draw or on_empty";
        draw_order: DrawOrder = DrawOrder::Seat, words(), unspecified("OTR-75"),
            "order of several draws: all of one seat first (seat), or one each in turn (round)";
        /// Roads.
        road: use Priced {
            cost = Price::new([1, 1, 0, 0, 0]), price(14), unspecified("OTR-41"), "price of a road";
        };
        /// Settlements.
        settlement: use Priced {
            cost = Price::new([1, 1, 1, 1, 0]), price(14), specified("OTR-41"), "price of a settlement";
        };
        /// Cities.
        city: use Priced {
            cost = Price::new([0, 0, 0, 2, 3]), price(14), unspecified("OTR-41"), "price of a city";
        };
        /// Knights.
        knight: use Priced {
            cost = Price::new([0, 0, 1, 0, 1]), price(14), unspecified("OTR-41"), "price of a knight";
        };
        /// Metropolises.
        metropolis: struct Metropolises {
            cost: Price = Price::new([0, 0, 3, 0, 1]), price(14), unspecified("OTR-41"),
                "price of a metropolis, both sides";
            /// Whether the starting road counts for the `roads` side.
            starting_road_counts: bool = true, flag(), unspecified("OTR-54"),
                "the starting road counts for the roads side";
            /// Whether a tie effect acts when its metropolis is built, not only at later builds.
            tie_at_once: bool = true, flag(), unspecified("OTR-55"), "tie effects act when the metropolis is built";
            /// Whether a tie effect needs the bonus card's minimum.
            tie_minimum: bool = true, flag(), unspecified("OTR-55"), "tie effects need the bonus card's minimum";
            /// Which of them each seat may build, by seat; entries beyond the players are not read.
            allowed: [Allowed; SEATS] = [Allowed::ANY; SEATS], sets(), specified("OTR-46"),
                "what each of 4 seats may build: any, or names such as \"roads army\"";
            /// The card whose B side draws for roads.
            roads: use MetropolisCard {
                face = Face::Side, words(), specified("OTR-12"), "the card `roads`: side (as `side` says), a, b or out";
                extra = Surcharge::default(), surcharge(14), specified("OTR-41"), "added to the price of `roads`";
            };
            /// The card whose B side draws for knights.
            knights: use MetropolisCard {
                face = Face::Side, words(), specified("OTR-12"), "the card `knights`: side, a, b or out";
                extra = Surcharge::default(), surcharge(14), specified("OTR-41"), "added to the price of `knights`";
            };
            /// The card whose B side wins ties for Largest Army.
            army: use MetropolisCard {
                face = Face::Side, words(), specified("OTR-12"), "the card `army`: side, a, b or out";
                extra = Surcharge::default(), surcharge(14), specified("OTR-41"), "added to the price of `army`";
            };
            /// The card whose B side wins ties for Longest Route.
            route: use MetropolisCard {
                face = Face::Side, words(), unspecified("OTR-12, OTR-53"), "the card `route`: side, a, b or out";
                extra = Surcharge::default(), surcharge(14), specified("OTR-41"), "added to the price of `route`";
            };
        };
        /// Substitution.
        substitution: struct Substitution {
            rates: [u8; 4] = [4, 3, 2, 1], list(1, 20), unspecified("OTR-42"),
                "cards that replace one, with 1, 2, 3 and 4 or more roads";
        };
        /// Trade.
        trade: struct Trade {
            order: TradeOrder = TradeOrder::Any, words(), unspecified("OTR-30"),
                "trade at any moment (any) or before the first build (trade_first)";
            proposals_max: u8 = 3, whole(0, 10), unspecified("OTR-32"), "proposals per turn", "; 0 forbids trade";
            listed_max: u8 = 2, whole(0, 3), specified("OTR-31"), "the most cards on each side of a listed offer";
            /// Whether the current player may propose to give cards that it does not hold; counters must be held.
            bluff: bool = false, flag(), unspecified("OTR-31"),
                "the current player may propose to give cards that it does not hold";
        };
        /// Longest Route.
        route: use Bonus {
            minimum = 3, whole(1, 11), specified("OTR-60"), "roads that earn Longest Route";
            points = 2, whole(0, 10), specified("OTR-4"), "points of Longest Route";
        };
        /// Largest Army.
        army: use Bonus {
            minimum = 2, whole(1, 8), specified("OTR-61"), "knights that earn Largest Army";
            points = 2, whole(0, 10), specified("OTR-4"), "points of Largest Army";
        };
        /// The Robber.
        robber: struct Robber {
            hand_limit: u8 = 7, whole(0, 61), specified("OTR-72"), "cards that are safe without knights";
            discards: Discards = Discards::Open, words(), unspecified("OTR-34"), "Robber discards are open or hidden";
        };
    }
}

impl Rules {
    /// The metropolis cards in the order of every table.
    pub fn metropolis_cards(&self) -> [MetropolisCard; 4] {
        let m = &self.metropolis;
        [m.roads, m.knights, m.army, m.route]
    }

    /// These rules with everything that is never read with so many players, with these sides of the metropolises and
    /// with as many proposals set to its default: faces that say what `side` says, what the B sides do if none of theirs
    /// can be up, what cards cost that are left out, and how to trade where nobody may. (OTR-12, OTR-30, OTR-54, OTR-55)
    pub fn in_effect(&self, players: u8) -> Rules {
        let (usual, mut rules) = (Rules::default(), self.clone());
        if rules.trade.proposals_max == 0 {
            rules.trade = Trade { proposals_max: 0, ..usual.trade };
        }
        let metropolis = &mut rules.metropolis;
        metropolis.allowed[usize::from(players)..].fill(Allowed::ANY);
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
            if card.face == Face::Out {
                card.extra = Surcharge::default();
            }
            matches!(card.face, Face::B | Face::Side)
        });
        if !roads {
            metropolis.starting_road_counts = usual.metropolis.starting_road_counts;
        }
        if !army && !route {
            metropolis.tie_at_once = usual.metropolis.tie_at_once;
            metropolis.tie_minimum = usual.metropolis.tie_minimum;
        }
        let faces = rules.metropolis_cards().map(|card| card.face);
        if faces == [Face::Out; 4] {
            rules.metropolis.cost = usual.metropolis.cost;
        }
        // What is left of `side`: whether it is tossed for.
        if !faces.contains(&Face::Side) {
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
        let found = Daggers::of(include_str!("mod.rs"), Rules::FIELDS);
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
