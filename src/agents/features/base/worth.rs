//! What a position is worth to one seat: a sum of weighted features, in victory points.

use crate::agents::features::base::Weights;
use crate::game::Game;
use crate::games::base::Base;
use crate::games::base::cards::Card;
use crate::games::base::cards::Cards;
use crate::games::base::cards::pips;
use crate::games::base::cards::size;
use crate::games::base::state::ROADS;
use crate::games::base::state::SETTLEMENTS;
use crate::games::base::state::Table;
use crate::parts::places::Hex;
use crate::parts::places::Vertex;
use crate::parts::places::VertexSet;
use crate::parts::resources::Resource;
use crate::parts::resources::Resources;
use crate::types::seat::Seat;

/// Cards in 36 throws, by kind.
pub type Income = [f32; Resource::COUNT];

/// Whose eyes, and how they weigh.
#[derive(Debug, Clone, Copy)]
pub struct Eyes<'a> {
    /// The rules.
    pub game: &'a Base,
    /// How things are weighed.
    pub weights: &'a Weights,
    /// For whom.
    pub seat: Seat,
}

impl Eyes<'_> {
    /// What lies open, without hands.
    pub fn board(&self, table: &Table) -> f32 {
        let weights = self.weights;
        let net = &table.pieces.nets[self.seat.idx()];
        let income = self.income(table);
        let rates = table.rates[self.seat.idx()];
        let mut worth = weights.point * f32::from(table.points(self.game, self.seat));
        for (cards, rate) in income.into_iter().zip(rates) {
            // More of a kind is worth less the more of it there is.
            worth += weights.income * cards * (1.0 - (cards / 30.0).min(0.5));
            worth += if cards > 0.0 { weights.variety } else { 0.0 };
            worth += weights.harbour * cards * f32::from(4 - rate) / 2.0;
        }
        if net.settlements.len() < SETTLEMENTS {
            let sites = net.reach & table.pieces.open;
            let next = net.frontier.iter().flat_map(|edge| self.game.map().ends[edge.idx()]);
            let next: VertexSet = next.collect();
            let ahead = (next & table.pieces.open) - sites;
            worth += weights.site * self.best_spot(table, sites);
            worth += weights.ahead * self.best_spot(table, ahead);
        }
        worth += weights.road * f32::from(net.roads.len().min(ROADS));
        worth + weights.knight * f32::from(table.knights[self.seat.idx()].min(5))
    }

    /// Cards in 36 throws by kind; half where the robber stands, since it moves on.
    pub fn income(&self, table: &Table) -> Income {
        let net = &table.pieces.nets[self.seat.idx()];
        let mut income = [0.0; Resource::COUNT];
        for vertex in net.buildings() {
            let cards = if net.cities.contains(vertex) { 2.0 } else { 1.0 };
            for hex in self.game.map().hexes[vertex.idx()] {
                let Some(kind) = table.board.terrain[hex.idx()] else { continue };
                let blocked = if hex == table.robber { 0.5 } else { 1.0 };
                income[kind.idx()] +=
                    cards * blocked * f32::from(pips(table.board.tokens[hex.idx()]));
            }
        }
        income
    }

    /// Dots of the best of some vertices.
    fn best_spot(&self, table: &Table, vertices: VertexSet) -> f32 {
        let dots = vertices.iter().map(|vertex| table.board.pips_at(self.game.map(), vertex));
        f32::from(dots.max().unwrap_or(0))
    }

    /// A founding spot, before its settlement stands.
    pub fn founding(&self, table: &Table, vertex: Vertex) -> f32 {
        let mut after = *table;
        after.pieces.settle(self.game.map(), self.seat, vertex);
        let income = self.income(&after);
        let total: f32 = income.iter().sum();
        let kinds = income.iter().filter(|&&cards| cards > 0.0).count() as f32;
        let harbour = table.board.harbour_at(self.game.parts(), vertex).is_some();
        let harbour = if harbour { 0.1 } else { 0.0 };
        self.weights.income * total + self.weights.variety * kinds + harbour
    }

    /// Cards in hand: any card, those too many, and how near they come to what can be built.
    pub fn hand(&self, table: &Table, hand: Resources) -> f32 {
        let weights = self.weights;
        let size = hand.total();
        let safe = self.game.rules().robber.hand_limit;
        let loose = weights.hand * f32::from(size.min(safe));
        loose - weights.excess * f32::from(size.saturating_sub(safe)) + self.readiness(table, hand)
    }

    /// The best of what can be built, less what is missing.
    fn readiness(&self, table: &Table, hand: Resources) -> f32 {
        let [road, settlement, city, card] = self.game.prices();
        let net = &table.pieces.nets[self.seat.idx()];
        let has_site = !(net.reach & table.pieces.open).is_empty();
        let goals = [
            (city, if net.settlements.is_empty() { 0.0 } else { 1.6 }),
            (settlement, if has_site { 1.5 } else { 0.6 }),
            (card, 0.5),
            (road, if has_site { 0.15 } else { 0.35 }),
        ];
        let near = goals.map(|(cost, worth)| {
            let missing = f32::from(hand.missing(cost).total());
            // Cards to spare help through the bank.
            let spare = f32::from(hand.total() + hand.missing(cost).total() - cost.total());
            let missing = (missing - 0.2 * spare).max(0.0);
            worth / (1.0 + 0.8 * missing)
        });
        let best = near.into_iter().fold(0.0, f32::max);
        self.weights.ready * (best + 0.25 * (near.iter().sum::<f32>() - best))
    }

    /// Development cards in hand, points among them in full.
    pub fn cards(&self, cards: Cards) -> f32 {
        let points = cards[Card::VictoryPoint.idx()];
        self.weights.point * f32::from(points) + self.weights.card * f32::from(size(cards) - points)
    }

    /// How much the others lose if the robber goes to a hex, less what the seat itself loses.
    pub fn blocks(&self, table: &Table, hex: Hex) -> f32 {
        let dots = f32::from(pips(table.board.tokens[hex.idx()]));
        let mut worth = 0.0;
        for vertex in self.game.map().corners[hex.idx()] {
            let Some((owner, cards)) = table.pieces.at[vertex.idx()].owner_and_yield() else {
                continue;
            };
            let lost = dots * f32::from(cards);
            worth +=
                if owner == self.seat { -1.5 * lost } else { lost * self.danger(table, owner) };
        }
        self.weights.block * worth
    }

    /// How dangerous a rival is: 1 at the start, more near the target.
    pub fn danger(&self, table: &Table, rival: Seat) -> f32 {
        let points = f32::from(table.points(self.game, rival));
        let target = f32::from(self.game.rules().points_to_win);
        1.0 + self.weights.leader * points / target
    }
}
