//! What a position is worth to one seat: weights times features, in the same order. The weights are learned
//! or set by hand; the features are here.
//!
//! Income is worth less the fewer points are missing: features of income are multiplied by the share of the
//! target that is still missing, so that their unit is the start of a match.

use crate::core::game::Game;
use crate::core::opinion::{larger, smaller};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::parts::bundle_sets::MOST_MAX;
use crate::parts::island::Island;
use crate::parts::island::cards::{Card, Cards, pips, size};
use crate::parts::island::opinion::known::{GOALS, Kinds, Known, Needs};
use crate::parts::island::opinion::weights::{Features, Weights};
use crate::parts::island::state::{CITIES, SETTLEMENTS, Table};
use crate::parts::pieces::Net;

/// Words of [`Goals::key`]: the numbers that depend on the position, two a word.
pub const GOAL_WORDS: usize = GOALS / 2 + Resource::COUNT;

/// How near a hand is to what can be built, in one position of the table.
#[derive(Debug, Clone, Copy, Default)]
pub struct Goals {
    prices: [Resources; GOALS],
    needs: Needs,
    /// Value of each; 0 for what makes no sense.
    worths: [f32; GOALS],
    /// How long a missing card takes, by kind, in rounds; from the bank if that is faster.
    wait: Kinds,
    /// What the bank gives for a card, by kind.
    shares: Kinds,
    safe: u8,
    patience: f32,
    bank_trust: f32,
}

/// The seat whose view this is.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The rules.
    pub game: &'a Island,
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
    pub fn board(&self, known: &mut Known, hidden: u8) -> Features {
        let (game, table, net) = (self.game, self.table, self.net());
        let target = game.rules().points_to_win.of(self.seat);
        let points = table.points(game, self.seat) + hidden;
        let missing = f32::from(target.saturating_sub(points));
        let left = missing / f32::from(target);
        let land = known.land(game, table, self.seat);
        let kinds = land.kinds.iter().filter(|&&cards| cards > 0.0).count() as f32;
        let [settle, enlarge, buy] = land.paces;
        let settles = net.settlements.len() < SETTLEMENTS;
        let enlarges = net.cities.len() < CITIES;
        let seats = game.players();
        let wait = (self.seat.number() + seats - table.current.number()) % seats;
        let mut features = Features {
            point: f32::from(points),
            finish: 1.0 / (1.0 + missing),
            income: left * land.all,
            kinds: left * kinds,
            sums: left * f32::from(land.sums),
            settles: if settles { left * settle } else { 0.0 },
            enlarges: if enlarges { left * enlarge } else { 0.0 },
            buys: left * buy,
            blocked: left * f32::from(self.blocked()),
            army: self.army(),
            knight: f32::from(table.knights[self.seat.idx()].min(5)),
            turn: 1.0 - f32::from(wait) / f32::from(seats),
            ..Features::default()
        };
        self.ways(known, &mut features);
        features
    }

    /// Writes the features that follow from roads and from where the others are: all that another road changes, or a piece of
    /// another seat, as long as the points stay as they are.
    pub fn ways(&self, known: &mut Known, features: &mut Features) {
        [features.site, features.ahead, features.far] =
            known.spots(self.game, self.table, self.seat);
        features.route = self.route(known);
        features.road = f32::from(self.net().roads.len());
    }

    /// Cards in 36 rolls that the robber blocks.
    pub fn blocked(&self) -> u8 {
        let (board, robber) = (&self.table.board, self.table.robber.idx());
        let cards = self.table.pieces.yields[robber].at(self.seat.idx());
        let dots = board.terrain[robber].map_or(0, |_| pips(board.tokens[robber]));
        cards * dots
    }

    /// How near Longest Road is: 1 over the roads still needed, 0 beyond three; 0 for its holder, who has
    /// its points already.
    fn route(&self, known: &mut Known) -> f32 {
        let table = self.table;
        if table.route == Some(self.seat) {
            return 0.0;
        }
        let aim = self.game.rules().route.minimum.max(table.route_length + 1);
        if self.net().roads.len() + 3 < aim {
            return 0.0;
        }
        nearness(aim, known.longest_road(self.game, &table.pieces, self.seat))
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
    pub fn goals(&self, known: &mut Known) -> Goals {
        let net = self.net();
        let site = !(net.reach & self.table.pieces.open).is_empty();
        let settles = site && net.settlements.len() < SETTLEMENTS;
        let enlarges = !net.settlements.is_empty() && net.cities.len() < CITIES;
        let needs = known.needs(self.game);
        let land = known.land(self.game, self.table, self.seat);
        let w = self.weights;
        Goals {
            prices: self.game.prices(),
            needs,
            worths: [
                if site { 0.5 * w.road_goal } else { w.road_goal },
                if settles { w.settlement_goal } else { 0.3 * w.settlement_goal },
                if enlarges { w.city_goal } else { 0.0 },
                w.card_goal,
            ],
            wait: land.wait,
            shares: land.shares,
            safe: self.game.rules().robber.hand_limit,
            patience: w.patience,
            bank_trust: w.bank_trust,
        }
    }
}

/// How much a hand that builds one thing still counts towards the others.
const REST: f32 = 0.25;

fn nearness(aim: u8, has: u8) -> f32 {
    match aim.saturating_sub(has) {
        missing @ 0..=3 => 1.0 / f32::from(missing.max(1)),
        _ => 0.0,
    }
}

impl Goals {
    /// What a hand is worth by its own features.
    #[inline]
    pub fn worth(&self, weights: &Weights, hand: Resources) -> f32 {
        self.weighed(weights, hand, self.ready(hand))
    }

    #[inline]
    fn weighed(&self, weights: &Weights, hand: Resources, ready: f32) -> f32 {
        self.held(weights, hand.total()) + weights.ready * ready
    }

    /// What so many cards are worth, whatever they are.
    #[inline]
    fn held(&self, weights: &Weights, cards: u8) -> f32 {
        weights.hand * f32::from(cards.min(self.safe))
    }

    /// Writes the features of a hand.
    #[inline]
    pub fn hand(&self, hand: Resources, features: &mut Features) {
        let size = hand.total();
        features.hand = f32::from(size.min(self.safe));
        features.ready = self.ready(hand);
    }

    /// All that tells these goals from those of another position.
    #[inline]
    pub fn key(&self) -> [u64; GOAL_WORDS] {
        let mut numbers = [0; 2 * GOAL_WORDS];
        let all = self.worths.iter().chain(&self.wait).chain(&self.shares);
        numbers.iter_mut().zip(all).for_each(|(bits, number)| *bits = number.to_bits());
        std::array::from_fn(|at| u64::from(numbers[2 * at]) | u64::from(numbers[2 * at + 1]) << 32)
    }

    /// What a hand can build, in points.
    #[inline]
    fn ready(&self, hand: Resources) -> f32 {
        let mut near = [0.0; GOALS];
        self.near(hand, &mut near);
        in_points(&near)
    }

    /// What a hand is worth, less what it costs to hold more than is safe.
    #[inline]
    pub fn less_excess(&self, weights: &Weights, worth: f32, hand: Resources) -> f32 {
        worth - weights.excess * self.excess(hand.total())
    }

    /// Cards of a hand of so many beyond what is safe on a 7.
    #[inline]
    fn excess(&self, cards: u8) -> f32 {
        f32::from(cards.saturating_sub(self.safe))
    }

    /// What a hand lacks for each goal; nothing for what is not worth building.
    pub fn lacks(&self, hand: Resources) -> [Resources; GOALS] {
        std::array::from_fn(|goal| {
            let worth = self.worths[goal] > 0.0;
            if worth { hand.missing(self.prices[goal]) } else { Resources::NONE }
        })
    }

    /// What a number of cards of a kind counts for. All four goals are computed side by side.
    #[inline]
    fn count(&self, kind: usize, cards: u8) -> Counted {
        let has = f32::from(cards);
        let missing = self.needs[kind].map(|needs| larger(needs - has, 0.0));
        let spare = self.needs[kind].map(|needs| larger(has - needs, 0.0));
        let mut later = [0.0; 2 * GOALS];
        let (rounds, given) = later.split_at_mut(GOALS);
        rounds.copy_from_slice(&missing.map(|cards| cards * self.wait[kind]));
        given.copy_from_slice(&spare.map(|cards| cards * self.shares[kind]));
        Counted { missing, later }
    }

    /// Writes the points of each goal, in part the longer it takes a hand to pay for it.
    ///
    /// Apart from its callers, and into an array of theirs: so the compiler has all goals computed by the same
    /// instructions as one, as long as there are no branches.
    #[inline(never)]
    fn near(&self, hand: Resources, out: &mut [f32; GOALS]) {
        self.near_by(|kind| self.count(kind, hand.at(kind)), out);
    }

    /// The same by what the cards of each kind count for.
    #[allow(clippy::inline_always, reason = "see `near`")]
    #[inline(always)]
    fn near_by(&self, counts: impl Fn(usize) -> Counted, out: &mut [f32; GOALS]) {
        let mut all = Counted::default();
        for kind in 0..Resource::COUNT {
            let of = counts(kind);
            for goal in 0..GOALS {
                // Missing cards are whole numbers: their sum is exact.
                all.missing[goal] += of.missing[goal];
            }
            for (sum, number) in all.later.iter_mut().zip(of.later) {
                *sum += number;
            }
        }
        let Counted { missing, later } = all;
        let (rounds, spare) = later.split_at(GOALS);
        for goal in 0..GOALS {
            // Cards are whole: where none is missing, no rounds are either, and the share is exactly 1.
            let offered = smaller(spare[goal] / larger(missing[goal], 1.0), 1.0);
            // What the bank would give for spare cards is nearly there.
            let apart = 1.0 - self.bank_trust * offered;
            let share = 1.0 / (1.0 + self.patience * rounds[goal] * apart);
            out[goal] = larger(self.worths[goal], 0.0) * share;
        }
    }
}

/// The points of all goals: the best in full, the rest in part, since a card is spent only once.
#[inline]
fn in_points(near: &[f32; GOALS]) -> f32 {
    let (mut best, mut all) = (0.0_f32, 0.0);
    for &near in near {
        best = larger(near, best);
        all += near;
    }
    best + REST * (all - best)
}

/// What cards of a kind count for, by goal. As long as a power of two, so that its place in a row is a shift away.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Counted {
    /// Cards that are missing.
    missing: [f32; GOALS],
    /// Rounds until they come; behind them what the bank gives for those that are not needed. One instruction adds both.
    later: [f32; 2 * GOALS],
}

/// How many cards of a kind a hand may have more than another that is close to it, or fewer.
const SPAN: u8 = MOST_MAX;

/// How many cards in all a hand may have more than another that is close to it, or fewer: one card for as many as a bundle
/// has, or the other way round.
const SPREAD: u8 = MOST_MAX - 1;

/// Sizes that are looked up, a power of two so that any number finds one.
const SIZES: usize = 8;

const _: () = assert!(SIZES.is_power_of_two() && 2 * (SPREAD as usize) < SIZES);

/// Numbers of cards of a kind that are looked up, a power of two so that any number finds one.
const LOOKED_UP: usize = 8;

const _: () = assert!(LOOKED_UP.is_power_of_two() && 2 * (SPAN as usize) < LOOKED_UP);

/// What hands of a size are worth, whatever they hold.
#[derive(Debug, Clone, Copy, Default)]
struct OfSize {
    /// By their cards.
    held: f32,
    /// What those beyond what is safe cost.
    excess: f32,
}

/// What hands are worth that are close to one: what their cards count for is computed once.
#[derive(Debug, Clone, Default)]
pub struct Around {
    goals: Goals,
    /// The fewest cards of each kind.
    least: Resources,
    /// The fewest cards in all. It wraps where that would be below 0.
    fewest: u8,
    /// By cards more than the fewest.
    sizes: [OfSize; SIZES],
    /// By kind, then by cards more than the fewest.
    counted: [[Counted; LOOKED_UP]; Resource::COUNT],
}

impl Around {
    /// Looks at hands that have a few cards less than one, or a few of those that may come to it more. In place, since it is
    /// large; what was looked at before is never asked for again.
    #[inline]
    pub fn look(&mut self, weights: &Weights, goals: &Goals, hand: Resources, may_come: Resources) {
        self.goals = *goals;
        let total = hand.total();
        self.fewest = total.wrapping_sub(SPREAD);
        for (more, size) in (0..=2 * SPREAD).zip(&mut self.sizes) {
            // One that gives more than it has is never asked for.
            let cards = (total + more).saturating_sub(SPREAD);
            *size = OfSize {
                held: goals.held(weights, cards),
                excess: weights.excess * goals.excess(cards),
            };
        }
        let span = Resources::each(SPAN);
        let most = hand + may_come.min(span);
        self.least = hand - hand.min(span);
        for (kind, counted) in self.counted.iter_mut().enumerate() {
            for (cards, counted) in (self.least.at(kind)..=most.at(kind)).zip(counted) {
                *counted = goals.count(kind, cards);
            }
        }
    }

    /// The same as [`Goals::worth`] less what is too much, of a hand with at most `SPAN` cards of a kind fewer, or more of
    /// those that may come, and with at most `SPREAD` more or fewer in all.
    #[inline]
    pub fn worth(&self, weights: &Weights, hand: Resources) -> f32 {
        let mut near = [0.0; GOALS];
        self.near(hand, &mut near);
        let larger = hand.total().wrapping_sub(self.fewest);
        let OfSize { held, excess } = self.sizes[usize::from(larger) % SIZES];
        held + weights.ready * in_points(&near) - excess
    }

    /// See [`Goals::near`].
    #[inline(never)]
    fn near(&self, hand: Resources, out: &mut [f32; GOALS]) {
        let more = hand - self.least;
        let counted = |kind: usize| self.counted[kind][usize::from(more.at(kind)) % LOOKED_UP];
        self.goals.near_by(counted, out);
    }
}

/// Writes the features of unplayed development cards except points.
pub fn cards(cards: Cards, features: &mut Features) {
    let knights = cards[Card::Knight.idx()];
    let points = cards[Card::VictoryPoint.idx()];
    features.knight_card = f32::from(knights.min(3));
    features.progress_card = f32::from(size(cards) - points - knights);
}
