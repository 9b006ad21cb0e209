//! What lies in front of a seat, as features: what it is worth in points, and what may be taken from it.
//!
//! What helps to build is worth less the fewer points are missing: such features are multiplied by the share of
//! the target that is still missing, so that their unit is the start of a match.

use crate::core::game::Game;
use crate::core::types::seat::Seat;
use crate::games::struggle::cards::{Card, Expansion, a_sides};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::opinion::weights::{Features, Weights};
use crate::games::struggle::state::Table;

/// What is worth a match.
pub const WINS: f32 = 10.0;

/// A seat at a table.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a, 't> {
    /// The rules.
    pub game: &'a Struggle,
    /// The weights.
    pub weights: &'a Weights,
    /// The open part of the position.
    pub table: &'t Table,
    /// The seat.
    pub seat: Seat,
}

/// How near points are to a target: 1 over 1 and those that are missing.
pub fn nearness(target: u8, points: u8) -> f32 {
    1.0 / (1.0 + f32::from(target.saturating_sub(points)))
}

impl Situation<'_, '_> {
    /// What lies in front of a seat at another table is worth, hands left aside.
    pub fn worth(&self, table: &Table, seat: Seat) -> f32 {
        let other = Situation { game: self.game, weights: self.weights, table, seat };
        self.weights.worth(&other.board())
    }

    /// Features of what lies open; those of the hand are 0.
    pub fn board(&self) -> Features {
        let (game, table) = (self.game, self.table);
        let area = &table.areas[self.seat.idx()];
        let target = game.rules().points_to_win.of(self.seat);
        let points = table.points(game, self.seat);
        let missing = f32::from(target.saturating_sub(points));
        let left = missing / f32::from(target);
        let having = |expansion| if area.has(expansion) { left } else { 0.0 };
        let half = |row: u8| f32::from(row % 2);
        let seats = game.players();
        let wait = (self.seat.number() + seats - table.current.number()) % seats;
        Features {
            point: f32::from(points),
            finish: nearness(target, points),
            trades: left * f32::from(a_sides(area.roads)).sqrt(),
            income: left * f32::from(a_sides(area.knights)),
            half_road: half(area.roads),
            half_knight: half(area.knights),
            road_risk: self.risk(Card::Road),
            knight_risk: self.risk(Card::Knight),
            settlement: left * f32::from(area.settlements),
            city: left * f32::from(area.cities.min(self.expansions_left())),
            castle: having(Expansion::Castle),
            guild: having(Expansion::MerchantsGuild),
            church: having(Expansion::Church),
            library: having(Expansion::Library),
            university: having(Expansion::University),
            turn: 1.0 - f32::from(wait) / f32::from(seats),
            ..Features::default()
        }
    }

    /// Kinds of expansions that the seat may still build.
    fn expansions_left(&self) -> u8 {
        let table = self.table;
        let own = table.areas[self.seat.idx()].expansions;
        let open = self.game.rules().expansion.allowed[self.seat.idx()].bits() & !own;
        let left = Expansion::ALL.into_iter().filter(|expansion| {
            open & expansion.bit() != 0 && table.expansions[expansion.idx()] > 0
        });
        left.fold(0, |count, _| count + 1)
    }

    /// The risk that the topmost road or knight is taken, times what it is worth: 1 for a B side, half for an A
    /// side. It halves with each card that is left in the stack, and grows with the number of players who would
    /// take from this seat. (SFC-60)
    fn risk(&self, card: Card) -> f32 {
        let (game, table) = (self.game, self.table);
        let scarcity = match table.left(card) {
            0 => 1.0,
            1 => 0.5,
            2 => 0.25,
            _ => return 0.0,
        };
        let area = &table.areas[self.seat.idx()];
        if !game.can_lose(area, card) {
            return 0.0;
        }
        let row = if card == Card::Road { area.roads } else { area.knights };
        let worth = if row.is_multiple_of(2) { 1.0 } else { 0.5 };
        let safe = (0..self.takers(card)).fold(1.0, |safe, _| 0.5 * safe);
        worth * scarcity * (1.0 - safe)
    }

    /// How many others would take this card from this seat, and not from one before it. (SFC-60)
    fn takers(&self, card: Card) -> u8 {
        let (game, table, players) = (self.game, self.table, self.game.players());
        let mut takers = 0;
        for step in 1..players {
            // The one who looks at this seat first sits right behind it, as the destiny card points.
            let ahead = if table.clockwise { players - step } else { step };
            takers += 1;
            let other = self.seat.ahead(ahead, players);
            if game.can_lose(&table.areas[other.idx()], card) {
                break;
            }
        }
        takers
    }
}
