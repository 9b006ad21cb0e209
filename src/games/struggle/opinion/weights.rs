//! The weights of the planner of Struggle for Catan. The unit is a victory point.
//!
//! The first part weighs features: each has a weight and a [`Features`] field of the same name. The second part
//! holds what no feature can express.

use crate::core::params::{ANY, SHARE, weights};

// Learned from a first guess by `learn` at tables of three, and in use at tables of two to four.
weights! {
    features {
        point = 1.0, "a victory point";
        finish = 3.35, "being done: 1 / (1 + points missing)";
        trades = -0.32, "the square root of the cards that may be traded in a turn; less as points come";
        income = 1.09, "a knight with its A side up; less as points come";
        half_road = 0.3, "a row of roads whose next card is worth a point";
        half_knight = 0.21, "a row of knights whose next card is worth a point";
        road_risk = -0.81, "the risk that the topmost road is taken";
        knight_risk = -0.93, "the risk that the topmost knight is taken";
        settlement = -0.24, "a settlement that can become a city; less as points come";
        city = 0.62, "a city that can be expanded; less as points come";
        castle = 0.28, "a castle, besides its points; less as points come";
        guild = 2.62, "a merchants' guild; less as points come";
        church = -0.06, "a church; less as points come";
        library = 0.18, "a library; less as points come";
        university = 2.19, "a university; less as points come";
        turn = 0.31, "being on turn; less the longer the wait";
        hand = 0.22, "a card in hand, those for the builds of this turn left aside";
        excess = -0.04, "a card in hand beyond what is safe from brigands, times the chance that a city brings them";
        now = 1.17, "a point's worth of what can still be built in this turn";
        ready = 0.42, "a point's worth of what the hand can build later; less the longer it takes";
    }
    others {
        patience = 0.35, SHARE, "approximate share of a build's worth that a turn of waiting costs";
        swap_trust = 0.5, SHARE, "share of a substitution's value that a plan counts on";
        trade_hits = 0.5, SHARE, "missing cards that a trade is assumed to bring";
        lot_trust = 0.85, ANY, "share of the gain of the first card that each card of a lot brings";
        deny = 0.5, ANY, "share of what an action takes from the only rival that counts";
        rob = 0.2, ANY, "cost to the only rival of a card that is taken from it";
        disturb = 0.02, ANY, "cost to the only rival of a card that is exchanged with it";
        raid = 0.1, ANY, "cost of a card that is discarded to brigands";
        fog = 1.76, (0.01, 100.0), "lead in points that multiplies the chance to win by e";
    }
}

/// The fewest players of a large table: from there on the resource cards of two copies are in play. (SFC-3)
const LARGE: u8 = 5;

/// Learned from the weights above by `learn`, 16,000 matches of six players and then 6,000 of five.
const AT_LARGE_TABLES: Weights = Weights {
    finish: 6.51,
    trades: -0.22,
    income: 0.72,
    half_road: 0.56,
    half_knight: 0.47,
    road_risk: -0.63,
    knight_risk: -0.22,
    settlement: -0.11,
    city: 0.95,
    castle: 0.92,
    guild: 2.5,
    church: -0.32,
    library: -0.37,
    university: 3.19,
    turn: 0.71,
    hand: 0.27,
    excess: -0.18,
    now: 0.97,
    ready: 0.37,
    fog: 2.5,
    ..Weights::DEFAULT
};

impl Weights {
    /// The default weights at a table of this many players.
    pub fn at_table_of(players: u8) -> Weights {
        if players < LARGE { Weights::DEFAULT } else { AT_LARGE_TABLES }
    }
}
