//! What follows from the pieces on one island alone, found again by them: neither dice nor hands change it.

use crate::core::game::Game;
use crate::core::resources::{Resource, Resources};
use crate::core::types::cache::Cache;
use crate::core::types::seat::Seat;
use crate::parts::island::Island;
use crate::parts::island::board::{Board, Terrain};
use crate::parts::island::cards::pips;
use crate::parts::island::state::{SETTLEMENTS, Table};
use crate::parts::pieces::{Net, Pieces};
use crate::parts::places::{Edge, Hex, Vertex, VertexSet};

/// Slots of each cache, as a power of two.
const CACHE_BITS: u32 = 10;

/// What others and the bank give of a kind, as a share of all income, besides the yield of its own land.
const MARKET: f32 = 0.3;

/// One over the bank's rate.
const SHARES: [f32; 5] = [1.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0];

/// By kind of resource.
pub type Kinds = [f32; Resource::COUNT];

/// Things to pay for: road, settlement, city, development card.
pub const GOALS: usize = 4;

/// How many cards of each kind each goal needs.
pub type Needs = [[f32; GOALS]; Resource::COUNT];

/// Dots around each vertex.
type Dots = [u8; Vertex::COUNT];

/// What a seat's buildings yield, and what that pays for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Land {
    /// Cards that 36 rolls bring, by kind, as if there were no robber.
    pub kinds: Kinds,
    /// The same of all kinds.
    pub all: f32,
    /// Rolls of the dice that bring something.
    pub sums: u8,
    /// How often that pays for a settlement with a road, for a city, and for a development card.
    pub paces: [f32; 3],
    /// How long a missing card takes, by kind, in rounds; from the bank if that is faster.
    pub wait: Kinds,
    /// What the bank gives for a card, by kind.
    pub shares: Kinds,
}

/// What was computed before on one island, under one rule set.
#[derive(Debug, Clone)]
pub struct Known {
    terrain: [Terrain; Hex::COUNT],
    tokens: [u8; Hex::COUNT],
    dots: Option<Dots>,
    needs: Option<Needs>,
    lands: Cache<4, Land>,
    spots: Cache<6, [f32; 3]>,
    roads: Cache<4, u8>,
}

impl Default for Known {
    fn default() -> Known {
        Known {
            terrain: [None; Hex::COUNT],
            tokens: [0; Hex::COUNT],
            dots: None,
            needs: None,
            lands: Cache::new(CACHE_BITS),
            spots: Cache::new(CACHE_BITS),
            roads: Cache::new(CACHE_BITS),
        }
    }
}

impl Known {
    /// Forgets what holds on another island, if this is another one. Whoever asks anything else has said so since the deal.
    #[inline]
    pub fn on(&mut self, board: &Board) -> bool {
        // As bytes, which are compared many at a time.
        let kinds = |terrain: &[Terrain; Hex::COUNT]| {
            terrain.map(|of| of.map_or(u8::MAX, |kind| kind as u8))
        };
        let other = self.tokens != board.tokens || kinds(&self.terrain) != kinds(&board.terrain);
        if other {
            (self.terrain, self.tokens) = (board.terrain, board.tokens);
            self.dots = None;
            self.lands.clear();
            self.spots.clear();
            self.roads.clear();
        }
        other
    }

    /// What the goals need: the prices as numbers side by side.
    #[inline]
    pub fn needs(&mut self, game: &Island) -> Needs {
        *self.needs.get_or_insert_with(|| {
            let prices = game.prices();
            std::array::from_fn(|kind| prices.map(|price| f32::from(price.at(kind))))
        })
    }

    /// What a seat's buildings yield.
    #[inline]
    pub fn land(&mut self, game: &Island, table: &Table, seat: Seat) -> &Land {
        let net = &table.pieces.nets[seat.idx()];
        let ([settlements, s], [cities, c]) = (net.settlements.words(), net.cities.words());
        let [brick, lumber, wool, grain, ore] = table.rates[seat.idx()];
        let rates = u64::from_le_bytes([brick, lumber, wool, grain, ore, 0, 0, 0]);
        self.lands.get([settlements, cities, s | c << 32, rates], |land| {
            *land = Land::new(game, table, seat);
        })
    }

    /// Dots of the best spot to settle at once, after one road, and after two; less if a rival may come
    /// first.
    #[inline]
    pub fn spots(&mut self, game: &Island, table: &Table, seat: Seat) -> [f32; 3] {
        let (pieces, net) = (&table.pieces, &table.pieces.nets[seat.idx()]);
        if net.settlements.len() >= SETTLEMENTS {
            return [0.0; 3];
        }
        let mut rivals = VertexSet::NONE;
        for (at, other) in pieces.nets.iter().enumerate() {
            if at != seat.idx() {
                rivals |= other.reach;
            }
        }
        // Elsewhere nobody comes first.
        let rivals = rivals & pieces.open;
        let [[reach, a], [open, b], [others, c]] =
            [net.reach, pieces.open, rivals].map(VertexSet::words);
        let [frontier, d] = net.frontier.words();
        // A set of vertices has 16 bits in its second word.
        let key = [reach, open, others, a | b << 16 | c << 32, frontier, d];
        let Known { spots, dots, .. } = self;
        *spots.get(key, |spots| {
            let dots = dots.get_or_insert_with(|| all_dots(game, table));
            *spots = best_spots(game, table, net, rivals, dots);
        })
    }

    /// The length of a seat's longest road.
    #[inline]
    pub fn longest_road(&mut self, game: &Island, pieces: &Pieces, seat: Seat) -> u8 {
        let roads = pieces.nets[seat.idx()].roads.words();
        let walls = pieces.walls(seat).words();
        *self.roads.get([roads[0], roads[1], walls[0], walls[1]], |length| {
            *length = pieces.longest_road(game.map(), seat);
        })
    }

    /// Lays a road as the rules do. Where no road was long enough before, the longest is one that uses the new one, or too
    /// short as well; and whoever judges what comes after asks for its length again.
    pub fn put_road(&mut self, game: &Island, table: &mut Table, seat: Seat, edge: Edge) {
        let least = game.least_route(table);
        let may_count = table.pieces.nets[seat.idx()].roads.len() + 1 >= least;
        if may_count && self.longest_road(game, &table.pieces, seat) < least {
            let length = |pieces: &Pieces| self.longest_road(game, pieces, seat);
            game.put_road_by(table, seat, edge, length);
        } else {
            game.put_road(table, seat, edge);
        }
    }
}

impl Land {
    /// Looks at a seat's buildings.
    pub fn new(game: &Island, table: &Table, seat: Seat) -> Land {
        let (board, pieces) = (&table.board, &table.pieces);
        let mut land = Land::default();
        let mut sums = 0_u16;
        for hex in pieces.lands[seat.idx()] {
            let Some(kind) = board.terrain[hex.idx()] else { continue };
            let token = board.tokens[hex.idx()];
            let cards = pieces.yields[hex.idx()].at(seat.idx());
            land.kinds[kind.idx()] += f32::from(cards * pips(token));
            sums |= 1 << token;
        }
        land.sums = u8::try_from(sums.count_ones()).expect("eleven sums");
        land.all = land.kinds.iter().sum();
        land.shares = table.rates[seat.idx()].map(|rate| SHARES[usize::from(rate)]);
        for (wait, cards) in land.wait.iter_mut().zip(land.kinds) {
            let cards = cards + MARKET * land.all;
            *wait = (36.0 / (f32::from(game.players()) * cards.max(0.5))).min(6.0);
        }
        let [road, settlement, city, card] = game.prices();
        land.paces = [settlement + road, city, card].map(|cost| land.pace(cost));
        land
    }

    /// How often the income of 36 rolls pays for something, if surplus goes to the bank for what
    /// is lacking. The more there is, the more slowly the lack shrinks, so the steps approach from below and
    /// end after as many bends as there are kinds.
    fn pace(&self, cost: Resources) -> f32 {
        let mut time = 0.0;
        for _ in 0..=Resource::COUNT {
            let (mut lack, mut gain) = (0.0, 0.0);
            for at in 0..Resource::COUNT {
                let over = self.kinds[at] * time - f32::from(cost.at(at));
                let share = if over < 0.0 { 1.0 } else { self.shares[at] };
                lack -= over * share;
                gain += self.kinds[at] * share;
            }
            if lack < 1e-3 {
                break;
            }
            if gain == 0.0 {
                return 0.0;
            }
            time += lack / gain;
        }
        1.0 / time.max(0.1)
    }
}

/// Dots around each vertex of an island.
fn all_dots(game: &Island, table: &Table) -> Dots {
    let mut dots = [0; Vertex::COUNT];
    for vertex in game.map().all_vertices() {
        dots[vertex.idx()] = table.board.pips_at(game.map(), vertex);
    }
    dots
}

/// Dots of the best spots after no, one and two roads, with what the rivals' roads touch.
fn best_spots(game: &Island, table: &Table, net: &Net, rivals: VertexSet, dots: &Dots) -> [f32; 3] {
    let (map, open) = (game.map(), table.pieces.open);
    let none = VertexSet::NONE;
    let ends = net.frontier.iter().fold(none, |all, edge| all | map.end_sets[edge.idx()]);
    let ends = ends - net.reach;
    let beyond = ends.iter().fold(none, |all, vertex| all | map.neighbours[vertex.idx()]);
    let far = (beyond & open) - net.reach - ends;
    let most = |spots: VertexSet| {
        f32::from(spots.iter().fold(0, |most, vertex| dots[vertex.idx()].max(most)))
    };
    let best = |spots, share| most(spots - rivals).max(share * most(spots & rivals));
    [best(net.reach & open, 0.9), best(ends & open, 0.6), best(far, 0.4)]
}
