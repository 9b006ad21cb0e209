//! What the offers and counters of a hand bring, found again by all that it follows from: a seat proposes more than once in
//! a turn, and answers one proposal after the other, with the same hand. And how they are rated in a position.

use crate::core::opinion::Best;
use crate::core::resources::Resources;
use crate::core::types::cache::Cache;
use crate::core::types::seat::{PerSeat, Seat};
use crate::parts::bundle_sets::bundle_number;
use crate::parts::island::action::Action;
use crate::parts::island::observe::View;
use crate::parts::island::opinion::weights::Weights;
use crate::parts::island::opinion::worth::{Around, GOAL_WORDS, Goals};
use crate::parts::offers::Offers;
use arrayvec::ArrayVec;

/// A trade that a hand can offer, or answer with.
#[derive(Debug, Clone, Copy)]
pub struct Deal {
    /// How much more the hand would be worth.
    pub gain: f32,
    /// The numbers of the bundles that are given and got.
    pub numbers: [u8; 2],
    /// How many more cards are given than got.
    pub balance: i8,
}

/// What a counter-offer costs, taken or not.
const LOST: f32 = 0.01;

/// Trades of a turn after which a planner proposes no more: a turn ends, however well each of them is rated.
const DEALS: u8 = 6;

/// The most offers, or counters, that are listed: all pairs of bundles of up to three cards without a common kind.
const LISTED_MAX: usize = 1170;

/// Trades of one hand that may be better than none, in the order of the rules.
pub type Deals = ArrayVec<Deal, LISTED_MAX>;

/// Slots of the cache, as a power of two: what a seat comes back to was asked for not long ago.
const CACHE_BITS: u32 = 4;

/// The trades of hands that were looked at before, under one rule set and with one set of weights.
#[derive(Debug, Clone)]
pub struct KnownDeals {
    found: Cache<{ GOAL_WORDS + 1 }, Deals>,
    /// Room for looking at hands.
    around: Around,
}

impl Default for KnownDeals {
    fn default() -> KnownDeals {
        KnownDeals { found: Cache::new(CACHE_BITS), around: Around::default() }
    }
}

impl KnownDeals {
    /// The trades that a hand offers or answers with, by what it is good for. `fill` writes them if they are not known; it
    /// gets room for looking at hands.
    #[inline]
    pub fn of(
        &mut self,
        goals: &Goals,
        hand: Resources,
        answers: bool,
        fill: impl FnOnce(&mut Deals, &mut Around),
    ) -> &[Deal] {
        let mut key = [0; GOAL_WORDS + 1];
        key[..GOAL_WORDS].copy_from_slice(&goals.key());
        // A hand has five bytes.
        key[GOAL_WORDS] = hand.word() | u64::from(answers) << 63;
        let KnownDeals { found, around } = self;
        found.get(key, |deals| {
            deals.clear();
            fill(deals, around);
        })
    }
}

/// What a trade must bring: see [`Terms::bar`].
#[derive(Debug, Clone, Copy)]
pub struct Bar {
    cost: f32,
    likely: f32,
    least: f32,
}

impl Bar {
    /// Whether a trade that brings as much can be rated above 0.
    #[inline]
    pub fn is_passed(&self, gain: f32) -> bool {
        self.likely * (gain - self.cost) > self.least
    }
}

/// How trades are rated in a position.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The weights.
    pub weights: &'a Weights,
    /// What the deciding seat sees.
    pub view: &'a View<'a>,
    /// What any trade must bring.
    pub cost: f32,
    /// What it costs to help each rival, if a proposal is answered.
    pub perils: PerSeat<f32>,
}

impl Terms<'_> {
    /// Whether the seat proposes anything more in this turn.
    #[inline]
    pub fn proposes(&self) -> bool {
        let so_far = &self.view.table.so_far;
        f32::from(so_far.refused) < self.weights.proposals && so_far.deals < DEALS
    }

    /// What an offer, or a counter-offer, must bring to be rated above 0 at best.
    pub fn bar(&self, answers: bool) -> Bar {
        let weights = self.weights;
        let most_likely = weights.counter_taken.max(weights.bold_taken);
        let (likely, least) = if answers { (most_likely, LOST) } else { (1.0, 0.0) };
        // Otherwise it is thought to pay to help whoever is about to win.
        let holds = weights.peril >= 0.0;
        Bar { cost: self.cost, likely, least: if holds { least } else { f32::NEG_INFINITY } }
    }

    /// Whether an offer is the one that was refused.
    #[inline]
    pub fn repeats(&self, give: Resources, want: Resources) -> bool {
        let (so_far, proposal) = (&self.view.table.so_far, &self.view.table.proposal);
        so_far.refused > 0 && (give, want) == (proposal.give.cards(), proposal.want.cards())
    }

    /// Value of an offer, by how likely it is to be taken, if the trade brings as much; `more` if it gives more cards than it
    /// asks for.
    #[inline]
    pub fn offer(&self, more: bool, gain: f32) -> f32 {
        let likely = if more { 0.6 } else { 0.4 };
        likely * (gain - self.cost)
    }

    /// Value of a counter-offer, by how likely the current player is to take it, if the trade is worth as much; `alike` if it
    /// is close to the proposal.
    #[inline]
    pub fn counter(&self, alike: bool, deal: f32) -> f32 {
        let likely = if alike { self.weights.counter_taken } else { self.weights.bold_taken };
        likely * deal - LOST
    }

    /// Whether a counter-offer is close to the proposal.
    #[inline]
    pub fn is_alike(&self, give: Resources, want: Resources) -> bool {
        let proposal = &self.view.table.proposal;
        let common = |a: Resources, b: Resources| !a.kinds().and(b.kinds()).is_empty();
        let asked = common(give, proposal.want.cards()) && common(want, proposal.give.cards());
        asked && give.total() >= want.total()
    }

    /// Value of a trade with a rival that brings as much.
    #[inline]
    pub fn deal(&self, gain: f32, with: Seat) -> f32 {
        gain - self.cost - self.perils[with.idx()]
    }

    /// The best of the offers that a hand has, but for the one that was refused.
    pub fn best_offer(&self, deals: &[Deal]) -> Best {
        let proposal = &self.view.table.proposal;
        let refused = [proposal.give, proposal.want].map(|side| bundle_number(side.cards()));
        let any_refused = self.view.table.so_far.refused > 0;
        let mut best = Best::default();
        for (place, deal) in deals.iter().enumerate() {
            let [give, want] = deal.numbers;
            if any_refused && [give, want].map(usize::from) == refused {
                continue;
            }
            best.offer(self.offer(deal.balance > 0, deal.gain), place);
        }
        best
    }

    /// The best of the counters that a hand has.
    pub fn best_counter(&self, offers: &Offers<Action>, deals: &[Deal]) -> Best {
        let (proposal, with) = (&self.view.table.proposal, self.view.table.current);
        let [asked, given] =
            [proposal.want, proposal.give].map(|side| offers.sharing(side.cards()));
        let mut best = Best::default();
        for (place, deal) in deals.iter().enumerate() {
            let [give, want] = deal.numbers;
            let shares = asked.has(give) & given.has(want);
            let rating = self.counter(shares && deal.balance >= 0, self.deal(deal.gain, with));
            best.offer(rating, place);
        }
        best
    }
}
