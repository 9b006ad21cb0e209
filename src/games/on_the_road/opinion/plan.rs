//! Ways to win, and how many rounds the cards that they lack take to come.
//!
//! Time of a plan = (missing cards + a share of those of the scarcest kind − what substitution
//! saves + waiting for the row) / cards a round.
//!
//! Plans lie side by side, so that eight are timed by the same instructions as one.

use crate::core::resources::{Resource, Resources};
use crate::games::on_the_road::opinion::weights::Weights;
use arrayvec::ArrayVec;

/// Rounds that stand for "never".
pub const NEVER: f32 = 50.0;

/// Number of plans that are kept as alternatives.
const KEPT: usize = 6;

/// Plans that are timed at once.
const LANES: usize = 8;

/// The most plans of a seat: four sets of bonus cards, none to four metropolises, none to five cities.
const PLANS_MAX: usize = 4 * 5 * 6;

/// A way to win: what it needs beyond what is built.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// All cards that must be paid.
    pub need: Resources,
    /// Builds that it takes.
    pub builds: u8,
    /// Substitutions that one spare card is worth, once the plan's roads are built.
    pub swaps_per_card: f32,
    /// Cards for waiting, less added value.
    pub wait: f32,
    /// One over cards a round.
    pub rounds_per_card: f32,
}

/// Eight plans side by side; see [`Plan`].
#[derive(Debug, Clone)]
struct Lanes {
    need: [[u8; LANES]; Resource::COUNT],
    /// All cards of each need.
    total: [u8; LANES],
    builds: [u8; LANES],
    swaps_per_card: [f32; LANES],
    wait: [f32; LANES],
    rounds_per_card: [f32; LANES],
}

/// All plans of a seat.
#[derive(Debug, Clone, Default)]
pub struct Options {
    lanes: ArrayVec<Lanes, { PLANS_MAX / LANES }>,
    /// Plans in the last of the lanes.
    last: usize,
}

/// The best plans of one seat, each of which may become the best when the hand changes.
#[derive(Debug, Clone)]
pub struct Plans {
    best: Lanes,
    /// Cards that are safe from the Robber.
    safe: u8,
}

impl Lanes {
    /// Plans that take forever.
    const NONE: Lanes = Lanes {
        need: [[0; LANES]; Resource::COUNT],
        total: [0; LANES],
        builds: [0; LANES],
        swaps_per_card: [0.0; LANES],
        wait: [f32::INFINITY; LANES],
        rounds_per_card: [1.0; LANES],
    };

    #[inline]
    fn put(&mut self, lane: usize, plan: &Plan) {
        for (needs, need) in self.need.iter_mut().zip(plan.need.counts()) {
            needs[lane] = need;
        }
        self.total[lane] = plan.need.total();
        self.builds[lane] = plan.builds;
        self.swaps_per_card[lane] = plan.swaps_per_card;
        self.wait[lane] = plan.wait;
        self.rounds_per_card[lane] = plan.rounds_per_card;
    }

    #[inline]
    fn take(&mut self, lane: usize, other: &Lanes, from: usize) {
        for (needs, other) in self.need.iter_mut().zip(&other.need) {
            needs[lane] = other[from];
        }
        self.total[lane] = other.total[from];
        self.builds[lane] = other.builds[from];
        self.swaps_per_card[lane] = other.swaps_per_card[from];
        self.wait[lane] = other.wait[from];
        self.rounds_per_card[lane] = other.rounds_per_card[from];
    }

    /// Rounds until each plan is paid for from a hand. A call of its own: within its callers, all lanes at once have been
    /// compiled as one after the other, which cost a planner 15 % more instructions.
    #[inline(never)]
    fn times(&self, weights: &Weights, hand: Resources) -> [f32; LANES] {
        let (mut missing, mut most) = ([0_u8; LANES], [0_u8; LANES]);
        for (needs, has) in self.need.iter().zip(hand.counts()) {
            for ((missing, most), need) in missing.iter_mut().zip(&mut most).zip(needs) {
                let lacks = need.saturating_sub(has);
                *missing += lacks;
                *most = lacks.max(*most);
            }
        }
        let held = f32::from(hand.total());
        std::array::from_fn(|at| {
            let missing = f32::from(missing[at]);
            let surplus = held + missing - f32::from(self.total[at]);
            let swaps = surplus * self.swaps_per_card[at];
            let swaps = swaps.min(f32::from(self.builds[at])).min(missing);
            let narrow = weights.bottleneck * f32::from(most[at]);
            let cards = missing + narrow - weights.swap_trust * swaps + self.wait[at];
            cards.max(0.0) * self.rounds_per_card[at]
        })
    }
}

impl Options {
    /// Removes all plans.
    pub fn clear(&mut self) {
        self.lanes.clear();
        self.last = LANES;
    }

    /// Adds a plan.
    ///
    /// # Panics
    /// If there are more than a seat can have.
    #[inline]
    pub fn add(&mut self, plan: &Plan) {
        if self.last == LANES {
            self.lanes.push(Lanes::NONE);
            self.last = 0;
        }
        self.lanes.last_mut().expect("one was pushed").put(self.last, plan);
        self.last += 1;
    }

    /// Rounds until the best plan is paid for from a hand; [`NEVER`] without one.
    #[inline]
    pub fn time(&self, weights: &Weights, hand: Resources) -> f32 {
        let mut best = [NEVER; LANES];
        for lanes in &self.lanes {
            for (best, time) in best.iter_mut().zip(lanes.times(weights, hand)) {
                *best = time.min(*best);
            }
        }
        best.into_iter().fold(NEVER, f32::min)
    }

    /// The best plans for a hand, of equal ones the first, with this number of cards safe from the Robber.
    pub fn best(&self, weights: &Weights, hand: Resources, safe: u8) -> Plans {
        let mut order = [(f32::INFINITY, 0); KEPT];
        for (at, lanes) in self.lanes.iter().enumerate() {
            for (lane, time) in lanes.times(weights, hand).into_iter().enumerate() {
                if time < order[KEPT - 1].0 {
                    let mut place = KEPT - 1;
                    while place > 0 && order[place - 1].0 > time {
                        order[place] = order[place - 1];
                        place -= 1;
                    }
                    order[place] = (time, LANES * at + lane);
                }
            }
        }
        let mut plans = Plans { best: Lanes::NONE, safe };
        let found = order.iter().take_while(|&&(time, _)| time < f32::INFINITY);
        for (place, &(_, at)) in found.enumerate() {
            plans.best.take(place, &self.lanes[at / LANES], at % LANES);
        }
        plans
    }
}

impl Plans {
    /// Rounds until the best plan is paid for from a hand; [`NEVER`] without one.
    #[inline]
    pub fn time(&self, weights: &Weights, hand: Resources) -> f32 {
        let best = self.best.times(weights, hand).into_iter().fold(NEVER, f32::min);
        best + fear(weights, hand, self.safe)
    }
}

/// Rounds that cards beyond what is safe from the Robber cost.
#[inline]
pub fn fear(weights: &Weights, hand: Resources, safe: u8) -> f32 {
    weights.robber_fear * f32::from(hand.total().saturating_sub(safe))
}
