//! What a hand is worth to a seat: what it can build in this turn, and what it can build later.
//!
//! In this turn: the best set of builds, one of each type, that the hand pays for, with substitutions, with the card
//! that a university saves, or with cards of the market that it may still trade for. Later: up to three builds one
//! after the other, each worth less the longer it takes. Time of a build = missing cards, less what substitution
//! saves, over the useful cards of a turn; at least as long as it takes to draw as many cards as are missing in all.

use crate::core::game::Game;
use crate::core::opinion::larger;
use crate::core::resources::{Resource, Resources};
use crate::core::types::cache::Cache;
use crate::core::types::seat::PerSeat;
use crate::games::struggle::cards::{Event, Expansion, a_sides};
use crate::games::struggle::opinion::prospects::{KnownProspects, LANES, Lanes, Prospects};
use crate::games::struggle::opinion::weights::{Features, Weights};
use crate::games::struggle::opinion::worth::Situation;
use crate::games::struggle::state::SoFar;
use std::cell::RefCell;

/// Builds of a hand that are looked at, one after the other.
const STEPS: usize = 3;

/// What hands can build later, as it was found before: by the number of the prospects, unseen cards and the hand.
#[derive(Debug, Clone)]
pub struct KnownReady(RefCell<Cache<3, f32>>);

/// Slots of the cache, as a power of two.
const CACHE_BITS: u32 = 12;

impl Default for KnownReady {
    fn default() -> KnownReady {
        KnownReady(RefCell::new(Cache::new(CACHE_BITS)))
    }
}

/// What can be done with a hand.
#[derive(Debug, Clone)]
pub struct Outlook<'a> {
    weights: &'a Weights,
    prospects: &'a Prospects,
    ready: &'a KnownReady,
    /// Cards that may be unseen.
    pool: Resources,
    /// The chance that an unseen card is of a kind.
    pub unseen: [f32; Resource::COUNT],
    market: Resources,
    /// Cards drawn in a turn.
    income: f32,
    /// Missing cards that the trades of a turn bring.
    traded: f32,
    rate: u8,
    /// 256 over the rate, rounded up.
    per_swap: u16,
    safe: u8,
    /// The chance that a city brings brigands.
    pub brigands: f32,
    saves_now: bool,
    saves: bool,
}

/// What a hand is worth: the parts that features weigh.
#[derive(Debug, Clone, Copy)]
struct Use {
    /// Worth of what is built in this turn.
    now: f32,
    /// What is left after it.
    rest: Resources,
}

impl<'a> Outlook<'a> {
    /// What a seat can do with its hand; `rivals` are the shares of the other seats in what the others may win.
    /// A seat that is not on turn is seen as at the beginning of its next turn.
    pub fn new(
        situation: &Situation<'a, '_>,
        hand: Resources,
        rivals: &PerSeat<f32>,
        (known, ready): (&'a mut KnownProspects, &'a KnownReady),
    ) -> Outlook<'a> {
        let (game, weights) = (situation.game, situation.weights);
        let mut table = *situation.table;
        if table.current != situation.seat {
            table.current = situation.seat;
            table.so_far = SoFar::default();
        }
        let area = table.own();
        let pool = game.deck() - hand - table.market - table.discards;
        let all = f32::from(pool.total().max(1));
        let events = f32::from(table.events.iter().sum::<u8>().max(1));
        Outlook {
            weights,
            prospects: known.of(situation, &table, rivals),
            ready,
            pool,
            unseen: pool.counts().map(|count| f32::from(count) / all),
            market: table.market,
            income: f32::from(2 + a_sides(area.knights)),
            traded: weights.trade_hits * f32::from(a_sides(area.roads)),
            rate: game.rules().substitution.rate,
            per_swap: 256_u16.div_ceil(game.rules().substitution.rate.into()),
            safe: game.rules().brigands.hand_limit,
            brigands: f32::from(table.events[Event::Brigands.idx()]) / events,
            saves_now: game.saves(&table),
            saves: area.has(Expansion::University),
        }
    }

    /// What a hand is worth, if this number of cards may still be traded in this turn.
    #[inline]
    pub fn now(&self, hand: Resources, trades: u8) -> f32 {
        self.best_use(hand, trades).0
    }

    /// What a hand is worth after this turn.
    pub fn later(&self, hand: Resources) -> f32 {
        let weights = self.weights;
        let cards = hand.total();
        weights.hand * f32::from(cards)
            + weights.excess * self.excess(cards)
            + weights.ready * self.ready(hand)
    }

    /// Writes the features of a hand; `trades` if the seat is on turn.
    pub fn hand(&self, hand: Resources, trades: Option<u8>, features: &mut Features) {
        let spent = match trades {
            Some(trades) => self.best_use(hand, trades).1,
            None => Use { now: 0.0, rest: hand },
        };
        let cards = spent.rest.total();
        features.now = spent.now;
        features.hand = f32::from(cards);
        features.excess = self.excess(cards);
        features.ready = self.ready(spent.rest);
    }

    /// Cards that brigands would take, by the chance that they come.
    fn excess(&self, cards: u8) -> f32 {
        self.brigands * f32::from(cards.saturating_sub(self.safe))
    }

    fn best_use(&self, hand: Resources, trades: u8) -> (f32, Use) {
        let nothing = Use { now: 0.0, rest: hand };
        let later = self.later(hand);
        let mut best = (later, nothing);
        // Swaps with the market keep the number of cards, and substitutions lower it.
        let most = hand.total() + u8::from(self.saves_now);
        for plan in self.prospects.plans[1..].iter().filter(|plan| plan.cost <= most) {
            // What is left of a hand is worth less than all of it, and the best plans come first.
            if self.weights.now * plan.worth + later <= best.0 {
                break;
            }
            let Some(rest) = self.left_after(hand, plan.price, trades) else { continue };
            let worth = self.weights.now * plan.worth + self.later(rest);
            if worth > best.0 {
                best = (worth, Use { now: plan.worth, rest });
            }
        }
        best
    }

    /// What is left of a hand that pays a price; nothing if it can't.
    #[inline]
    fn left_after(&self, hand: Resources, price: Resources, trades: u8) -> Option<Resources> {
        if hand.covers(price) {
            return Some(hand - price);
        }
        let missing = hand.missing(price);
        let surplus = price.missing(hand);
        let lacks = missing.total() - u8::from(self.saves_now);
        if lacks == 0 {
            return Some(surplus);
        }
        if lacks <= trades && surplus.total() >= lacks && self.market.covers(missing) {
            return Some(without(surplus, lacks));
        }
        if u16::from(surplus.total()) < u16::from(lacks) * u16::from(self.rate) {
            return None;
        }
        let mut rest = surplus;
        for _ in 0..lacks {
            let kind = most(rest);
            if rest.get(kind) < self.rate {
                return None;
            }
            rest = rest - Resources::many(kind, self.rate);
        }
        Some(rest)
    }

    /// What a hand can build later, in points. Besides prospects, which follow from what lies in front of the seat, it
    /// follows from the unseen cards alone.
    #[inline]
    fn ready(&self, hand: Resources) -> f32 {
        let key = [self.prospects.number, self.pool.word(), hand.word()];
        *self.ready.0.borrow_mut().get(key, |ready| *ready = self.find_ready(hand))
    }

    fn find_ready(&self, hand: Resources) -> f32 {
        let Prospects { lanes, goals, .. } = self.prospects;
        let (mut rest, mut time, mut sum) = (hand, 0.0, 0.0);
        let mut worths = lanes.worth;
        let (mut ends, mut values) = ([0.0; LANES], [0.0; LANES]);
        for _ in 0..STEPS {
            self.look(lanes, (rest, time), &worths, (&mut ends, &mut values));
            let (best, value) = highest(&values);
            if value <= 0.0 {
                break;
            }
            sum += value;
            time = ends[best];
            worths[best] = 0.0;
            rest = goals[best].price.missing(rest);
        }
        sum
    }

    /// About e to the power of less patience times turns, without the exponential.
    #[inline]
    fn discount(&self, turns: f32) -> f32 {
        let cost = self.weights.patience * turns;
        1.0 / (1.0 + cost + 0.5 * cost * cost)
    }

    /// Writes the turns until a hand pays each price, after some that have passed, and what each is worth then.
    ///
    /// Apart from its callers, and into arrays of theirs: so the compiler has all lanes computed by the same instructions
    /// as one, as long as there are no branches.
    #[inline(never)]
    fn look(
        &self,
        lanes: &Lanes,
        (hand, passed): (Resources, f32),
        worths: &[f32; LANES],
        (ends, values): (&mut [f32; LANES], &mut [f32; LANES]),
    ) {
        let (mut missing, mut groups) = ([0_u8; LANES], [0_u16; LANES]);
        let mut useful = [0.0_f32; LANES];
        for ((needs, has), share) in lanes.need.iter().zip(hand.counts()).zip(self.unseen) {
            for lane in 0..LANES {
                missing[lane] += needs[lane].saturating_sub(has);
                groups[lane] += (u16::from(has.saturating_sub(needs[lane])) * self.per_swap) >> 8;
                // Both are small: signed numbers are compared by one instruction, others by three.
                let lacks = needs[lane].cast_signed() > has.cast_signed();
                useful[lane] += if lacks { share } else { 0.0 };
            }
        }
        let (held, saved) = (f32::from(hand.total()), f32::from(u8::from(self.saves)));
        for lane in 0..LANES {
            let lacks = (f32::from(missing[lane]) - saved).max(0.0);
            let swaps = self.weights.swap_trust * f32::from(groups[lane]).min(lacks);
            let turns = (lacks - swaps) / (self.income * useful[lane] + self.traded + 0.05);
            let whole = (lanes.cost[lane] - saved - held) / self.income;
            ends[lane] = larger(lanes.lag[lane], passed + larger(turns, whole));
            values[lane] = worths[lane] * self.discount(ends[lane]);
        }
    }
}

/// The first lane with the highest value, and the value, which is found by halves against halves.
#[inline]
fn highest(values: &[f32; LANES]) -> (usize, f32) {
    let four: [f32; 4] = std::array::from_fn(|lane| larger(values[lane], values[lane + 4]));
    let two: [f32; 2] = std::array::from_fn(|lane| larger(four[lane], four[lane + 2]));
    let highest = larger(two[0], two[1]);
    (values.iter().position(|&value| value >= highest).unwrap_or(0), highest)
}

/// The kind of which there is most.
#[inline]
fn most(cards: Resources) -> Resource {
    let most = cards.most();
    let of_most = Resource::ALL.into_iter().find(|&kind| cards.get(kind) == most);
    of_most.unwrap_or(Resource::Brick)
}

/// A hand without this number of cards, those of which there is most.
#[inline]
pub fn without(mut cards: Resources, count: u8) -> Resources {
    for _ in 0..count.min(cards.total()) {
        cards = cards - Resources::one(most(cards));
    }
    cards
}
