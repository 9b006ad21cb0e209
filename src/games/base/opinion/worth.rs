//! What a position is worth to one seat: weights times features, in the same order. The weights are learned
//! or set by hand; the features are here.
//!
//! Income is worth less the fewer points are missing: features of income are multiplied by the share of the
//! target that is still missing, so that their unit is the start of a match.

use crate::core::game::Game;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::base::cards::{Card, Cards, pips, size};
use crate::games::base::game::Base;
use crate::games::base::opinion::weights::{Features, Weights};
use crate::games::base::state::{CITIES, SETTLEMENTS, State, Table};
use crate::parts::pieces::Net;
use crate::parts::places::VertexSet;
use crate::parts::resources::{Resource, Resources};

/// By kind of resource.
type Kinds = [f32; Resource::COUNT];

/// Cards that 36 rolls bring, and what follows from them.
#[derive(Debug, Clone, Copy)]
pub struct Income {
    /// By kind, counting the robber's hex in full.
    pub kinds: Kinds,
    /// Cards that the robber blocks.
    pub blocked: f32,
    /// Rolls of the dice that bring something.
    pub sums: u8,
}

/// How near a hand is to what can be built, in one position of the table.
#[derive(Debug, Clone, Copy)]
pub struct Goals {
    /// Price and value of road, settlement, city, card; 0 for what makes no sense.
    prices: [(Resources, f32); 4],
    /// How long a missing card takes, by kind, in rounds; from the bank if that is faster.
    wait: Kinds,
    /// Cards that the bank takes for one, by kind.
    rates: [u8; Resource::COUNT],
    safe: u8,
    patience: f32,
    bank_trust: f32,
}

/// The seat whose view this is.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The rules.
    pub game: &'a Base,
    /// The weights.
    pub weights: &'a Weights,
    /// The position.
    pub table: &'a Table,
    /// The seat.
    pub seat: Seat,
}

impl Situation<'_> {
    fn net(&self) -> &Net {
        &self.table.pieces.nets[self.seat.idx()]
    }

    /// Features of the open part, without hand and cards; `hidden` are points that are not open.
    pub fn board(&self, income: &Income, hidden: u8) -> Features {
        let (game, table, net) = (self.game, self.table, self.net());
        let target = game.rules().points_to_win;
        let points = table.points(game, self.seat) + hidden;
        let missing = f32::from(target.saturating_sub(points));
        let left = missing / f32::from(target);
        let all: f32 = income.kinds.iter().sum();
        let kinds = income.kinds.iter().filter(|&&cards| cards > 0.0).count() as f32;
        let [road, settlement, city, card] = game.prices();
        let pace = |cost| left * self.pace(&income.kinds, cost);
        let [site, ahead, far] = self.spots();
        let settles = net.settlements.len() < SETTLEMENTS;
        let enlarges = net.cities.len() < CITIES;
        let seats = game.players();
        let wait = (self.seat.number() + seats - table.current.number()) % seats;
        Features {
            point: f32::from(points),
            finish: 1.0 / (1.0 + missing),
            income: left * all,
            kinds: left * kinds,
            sums: left * f32::from(income.sums),
            settles: if settles { pace(settlement + road) } else { 0.0 },
            enlarges: if enlarges { pace(city) } else { 0.0 },
            buys: pace(card),
            blocked: left * income.blocked,
            site,
            ahead,
            far,
            route: self.route(),
            army: self.army(),
            knight: f32::from(table.knights[self.seat.idx()].min(5)),
            road: f32::from(net.roads.len()),
            turn: 1.0 - f32::from(wait) / f32::from(seats),
            ..Features::default()
        }
    }

    /// What the seat's buildings yield.
    pub fn income(&self) -> Income {
        let (map, board, net) = (self.game.map(), &self.table.board, self.net());
        let mut income = Income { kinds: [0.0; Resource::COUNT], blocked: 0.0, sums: 0 };
        let mut sums = 0_u16;
        for vertex in net.buildings() {
            let cards = if net.cities.contains(vertex) { 2.0 } else { 1.0 };
            for hex in map.hexes[vertex.idx()] {
                let Some(kind) = board.terrain[hex.idx()] else { continue };
                let token = board.tokens[hex.idx()];
                let dots = cards * f32::from(pips(token));
                income.kinds[kind.idx()] += dots;
                sums |= 1 << token;
                if hex == self.table.robber {
                    income.blocked += dots;
                }
            }
        }
        income.sums = u8::try_from(sums.count_ones()).expect("eleven sums");
        income
    }

    /// How often the income of 36 rolls pays for something, if surplus goes to the bank for what
    /// is lacking. The more there is, the more slowly the lack shrinks, so the steps approach from below and
    /// end after as many bends as there are kinds.
    fn pace(&self, income: &Kinds, cost: Resources) -> f32 {
        let rates = self.table.rates[self.seat.idx()];
        let mut time = 0.0;
        for _ in 0..=Resource::COUNT {
            let (mut lack, mut gain) = (0.0, 0.0);
            for at in 0..Resource::COUNT {
                let over = income[at] * time - f32::from(cost.at(at));
                let share = if over < 0.0 { 1.0 } else { SHARES[usize::from(rates[at])] };
                lack -= over * share;
                gain += income[at] * share;
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

    /// Dots of the best spot to settle at once, after one road, and after two; less if a rival may come
    /// first.
    fn spots(&self) -> [f32; 3] {
        let (pieces, map, net) = (&self.table.pieces, self.game.map(), self.net());
        if net.settlements.len() >= SETTLEMENTS {
            return [0.0; 3];
        }
        let mut rivals = VertexSet::NONE;
        for (at, other) in pieces.nets.iter().enumerate() {
            if at != self.seat.idx() {
                rivals |= other.reach;
            }
        }
        let now = net.reach & pieces.open;
        let ends = net.frontier.iter().flat_map(|edge| map.ends[edge.idx()]);
        let ends: VertexSet = ends.collect();
        let ends = ends - net.reach;
        let mut beyond = VertexSet::NONE;
        for vertex in ends {
            beyond |= map.neighbours[vertex.idx()];
        }
        let far = (beyond & pieces.open) - net.reach - ends;
        let best = |spots: VertexSet, share: f32| {
            let free = self.best_spot(spots - rivals);
            free.max(share * self.best_spot(spots & rivals))
        };
        [best(now, 0.9), best(ends & pieces.open, 0.6), best(far, 0.4)]
    }

    /// Dots of the best of these vertices.
    fn best_spot(&self, vertices: VertexSet) -> f32 {
        let board = &self.table.board;
        let dots = vertices.iter().map(|vertex| board.pips_at(self.game.map(), vertex));
        f32::from(dots.max().unwrap_or(0))
    }

    /// How near Longest Road is: 1 over the roads still needed, 0 beyond three; 0 for its holder, who has
    /// its points already.
    fn route(&self) -> f32 {
        let table = self.table;
        if table.route == Some(self.seat) {
            return 0.0;
        }
        let aim = self.game.rules().route.minimum.max(table.route_length + 1);
        if self.net().roads.len() + 3 < aim {
            return 0.0;
        }
        let length = table.pieces.longest_road(self.game.map(), self.seat);
        nearness(aim, length)
    }

    /// The same for Largest Army and knights.
    fn army(&self) -> f32 {
        let table = self.table;
        if table.army == Some(self.seat) {
            return 0.0;
        }
        let most = table.army.map_or(0, |holder| table.knights[holder.idx()] + 1);
        nearness(self.game.rules().army.minimum.max(most), table.knights[self.seat.idx()])
    }

    /// What a hand of this seat can be used for.
    pub fn goals(&self, income: &Income) -> Goals {
        let net = self.net();
        let [road, settlement, city, card] = self.game.prices();
        let site = !(net.reach & self.table.pieces.open).is_empty();
        let settles = site && net.settlements.len() < SETTLEMENTS;
        let enlarges = !net.settlements.is_empty() && net.cities.len() < CITIES;
        let rates = self.table.rates[self.seat.idx()];
        let all: f32 = income.kinds.iter().sum();
        let mut wait = [0.0; Resource::COUNT];
        for (wait, cards) in wait.iter_mut().zip(income.kinds) {
            let cards = cards + MARKET * all;
            *wait = (36.0 / (f32::from(self.game.players()) * cards.max(0.5))).min(6.0);
        }
        let w = self.weights;
        let prices = [
            (road, if site { 0.5 * w.road_goal } else { w.road_goal }),
            (settlement, if settles { w.settlement_goal } else { 0.3 * w.settlement_goal }),
            (city, if enlarges { w.city_goal } else { 0.0 }),
            (card, w.card_goal),
        ];
        Goals {
            patience: w.patience,
            bank_trust: w.bank_trust,
            prices,
            wait,
            rates,
            safe: self.game.rules().robber.hand_limit,
        }
    }
}

/// What others and the bank give of a kind, as a share of all income, besides the yield of its own land.
const MARKET: f32 = 0.3;

/// How much a hand that builds one thing still counts towards the others.
const REST: f32 = 0.25;

/// One over the bank's rate.
const SHARES: [f32; 5] = [1.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0];

fn nearness(aim: u8, has: u8) -> f32 {
    match aim.saturating_sub(has) {
        missing @ 0..=3 => 1.0 / f32::from(missing.max(1)),
        _ => 0.0,
    }
}

impl Goals {
    /// Writes the features of a hand.
    #[inline]
    pub fn hand(&self, hand: Resources, features: &mut Features) {
        let size = hand.total();
        features.hand = f32::from(size.min(self.safe));
        features.ready = self.ready(hand);
    }

    /// What a hand can build, in points: the best in full, the rest in part, since a card is spent only once.
    #[inline]
    fn ready(&self, hand: Resources) -> f32 {
        let (mut best, mut all) = (0.0_f32, 0.0);
        for &(cost, worth) in &self.prices {
            if worth > 0.0 {
                let near = worth * self.nearness(hand, cost);
                best = best.max(near);
                all += near;
            }
        }
        best + REST * (all - best)
    }

    /// Cards in a hand beyond what is safe on a 7.
    #[inline]
    pub fn excess(&self, hand: Resources) -> f32 {
        f32::from(hand.total().saturating_sub(self.safe))
    }

    /// Whether a hand has none of some card that something worth building needs.
    #[inline]
    pub fn lacks(&self, hand: Resources, cards: Resources) -> bool {
        let lacking =
            |&(cost, worth): &(Resources, f32)| worth > 0.0 && hand.missing(cost).covers(cards);
        self.prices.iter().any(lacking)
    }

    /// 1 if a hand pays for something, less the longer that takes.
    #[inline]
    fn nearness(&self, hand: Resources, cost: Resources) -> f32 {
        if hand.covers(cost) {
            return 1.0;
        }
        let (mut rounds, mut spare) = (0.0, 0.0);
        let mut missing = 0.0;
        for at in 0..Resource::COUNT {
            let (has, needs) = (hand.at(at), cost.at(at));
            if has < needs {
                let lacks = f32::from(needs - has);
                missing += lacks;
                rounds += lacks * self.wait[at];
            } else {
                spare += f32::from(has - needs) * SHARES[usize::from(self.rates[at])];
            }
        }
        // What the bank would give for spare cards is nearly there.
        let bought = self.bank_trust * (spare / missing).min(1.0);
        1.0 / (1.0 + self.patience * rounds * (1.0 - bought))
    }
}

/// Writes the features of unplayed development cards except points.
pub fn cards(cards: Cards, features: &mut Features) {
    let knights = cards[Card::Knight.idx()];
    let points = cards[Card::VictoryPoint.idx()];
    features.knight_card = f32::from(knights.min(3));
    features.progress_card = f32::from(size(cards) - points - knights);
}

/// All features of a seat in a full position.
pub fn features(game: &Base, weights: &Weights, state: &State, seat: Seat) -> Features {
    let at = seat.idx();
    let situation = Situation { game, weights, table: &state.table, seat };
    let income = situation.income();
    let mut features = situation.board(&income, state.cards[at][Card::VictoryPoint.idx()]);
    situation.goals(&income).hand(state.hands[at], &mut features);
    cards(state.cards[at], &mut features);
    features
}

/// Chances to win by value: a factor of e for each `fog` of lead. Sums to 1.
pub fn shares(game: &Base, worths: PerSeat<f32>, fog: f32) -> PerSeat<f32> {
    let seats = usize::from(game.players());
    let most = worths[..seats].iter().copied().fold(f32::MIN, f32::max);
    let mut chances = [0.0; SEATS_MAX];
    for (chance, worth) in chances.iter_mut().zip(worths).take(seats) {
        *chance = libm::expf((worth - most) / fog);
    }
    let sum: f32 = chances.iter().sum();
    chances.map(|chance| chance / sum)
}
