//! Where hidden cards are, as far as that is known, and what each event that a seat sees says about it.
//!
//! Cards of one kind look alike, so everything here is counted by kind. A *holder* is a place that has cards
//! outside the pile: a hand, or an open place. The last holder is the discards, which become the next pile.
//! Unseen cards fall into two pools: *old* ones were in hands at the last reshuffle, *new* ones were in the
//! pile then (its content is known: it was the open discards).

use crate::core::chance::unit;
use crate::core::resources::{Resource, Resources};
use rand_pcg::Pcg32;

/// Something that a seat saw happen to a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// A card came from the pile; its kind, if the seat saw that.
    Drew {
        /// The holder it went to.
        to: u8,
        /// What, if seen.
        kind: Option<Resource>,
    },
    /// A card of this kind moved; its owner chose it.
    Moved {
        /// The holder it left.
        from: u8,
        /// The holder it went to.
        to: u8,
        /// Its kind.
        kind: Resource,
    },
    /// A holder has shown that it has at least this number of cards of a kind.
    Shown {
        /// The holder.
        at: u8,
        /// The kind.
        kind: Resource,
        /// How many at least.
        count: u8,
    },
    /// A card moved face down: any card of the giver's, each equally likely.
    Passed {
        /// The holder it left.
        from: u8,
        /// The holder it went to.
        to: u8,
    },
    /// A card that was taken at random turned out to be of this kind.
    Taken {
        /// The holder it left.
        from: u8,
        /// The holder it went to.
        to: u8,
        /// Its kind.
        kind: Resource,
    },
}

impl Seen {
    /// Adds to what every holder surely has: a card that left unseen, or at random, may be any one of them.
    pub(super) fn bound<const HOLDERS: usize>(self, sure: &mut [Resources; HOLDERS]) {
        match self {
            Seen::Drew { kind: None, .. } => {}
            Seen::Drew { to, kind: Some(kind) } => {
                sure[usize::from(to)] = sure[usize::from(to)] + Resources::one(kind);
            }
            Seen::Moved { from, to, kind } | Seen::Taken { from, to, kind } => {
                let card = Resources::one(kind);
                let from = &mut sure[usize::from(from)];
                if from.covers(card) {
                    *from = *from - card;
                }
                sure[usize::from(to)] = sure[usize::from(to)] + card;
            }
            Seen::Shown { at, kind, count } => {
                let held = &mut sure[usize::from(at)];
                *held = *held + held.missing(Resources::many(kind, count));
            }
            Seen::Passed { from, .. } => {
                let held = sure[usize::from(from)];
                sure[usize::from(from)] = held - one_each(held);
            }
        }
    }
}

/// Where the cards are, as far as that is known; by holder, the last of which is the discards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Knowledge<const HOLDERS: usize> {
    /// Cards that a holder surely has.
    pub(super) sure: [Resources; HOLDERS],
    /// Cards that a holder has in one replay, but that the table doesn't know it to have: what was passed
    /// face down, and what its giver may have passed. Only replays fill it.
    loose: [Resources; HOLDERS],
    /// Further cards that were in a hand at the last reshuffle.
    pub(super) old: [u8; HOLDERS],
    /// Further cards drawn since.
    pub(super) new: [u8; HOLDERS],
    /// Kinds of all old cards, and of those that went face down into the pile.
    pub(super) old_pool: Resources,
    /// Kinds of all new cards and of the pile.
    pub(super) new_pool: Resources,
    /// Old cards that were shuffled into the pile face down.
    pub(super) shuffled_in: u8,
}

impl<const HOLDERS: usize> Knowledge<HOLDERS> {
    /// What is known if unseen cards are of one age: all that the holders don't surely have out of a deck is
    /// in the pile, or among the further cards of a holder.
    pub(super) fn ageless(
        deck: Resources,
        sure: [Resources; HOLDERS],
        sizes: [u8; HOLDERS],
    ) -> Knowledge<HOLDERS> {
        Knowledge {
            loose: [Resources::NONE; HOLDERS],
            old: [0; HOLDERS],
            new: std::array::from_fn(|at| sizes[at] - sure[at].total()),
            old_pool: Resources::NONE,
            new_pool: deck - sum(&sure),
            shuffled_in: 0,
            sure,
        }
    }

    /// What is known at a reshuffle, which leaves the discards empty: the further cards of every holder are
    /// old, and of the pile all is known but the cards that were discarded face down.
    pub(super) fn reshuffled(
        deck: Resources,
        mut sure: [Resources; HOLDERS],
        mut sizes: [u8; HOLDERS],
    ) -> Knowledge<HOLDERS> {
        let old_pool = deck - sum(&sure);
        let discarded = std::mem::take(&mut sure[HOLDERS - 1]);
        let pile = std::mem::take(&mut sizes[HOLDERS - 1]);
        Knowledge {
            loose: [Resources::NONE; HOLDERS],
            old: std::array::from_fn(|at| sizes[at] - sure[at].total()),
            new: [0; HOLDERS],
            old_pool,
            new_pool: discarded,
            shuffled_in: pile - discarded.total(),
            sure,
        }
    }

    /// Cards by kind that a holder has, besides the further ones.
    pub fn known(&self, at: usize) -> Resources {
        self.sure[at] + self.loose[at]
    }

    /// Further cards of a holder: how many are of the old pool, and how many of the new one.
    pub fn further(&self, at: usize) -> (u8, u8) {
        (self.old[at], self.new[at])
    }

    /// Kinds of the further cards of all holders that are old. All cards that are neither known nor of this
    /// pool are of the new one.
    pub fn old_pool(&self) -> Resources {
        self.old_pool
    }

    /// Takes in an event that is unambiguous, whatever the hidden cards are; refuses any other.
    pub(super) fn absorb(&mut self, seen: Seen) -> bool {
        match seen {
            Seen::Drew { to, kind: None } => self.new[usize::from(to)] += 1,
            Seen::Drew { to, kind: Some(kind) } => {
                if self.shuffled_in > 0 {
                    return false;
                }
                self.new_pool = self.new_pool - Resources::one(kind);
                self.add(usize::from(to), kind);
            }
            Seen::Moved { from, to, kind } => {
                let from = usize::from(from);
                let card = Resources::one(kind);
                if self.sure[from].covers(card) {
                    self.sure[from] = self.sure[from] - card;
                } else {
                    let Some(old) = self.plainly_old(from, kind) else { return false };
                    self.reveal(from, kind, old);
                }
                self.add(usize::from(to), kind);
            }
            Seen::Shown { at, kind, count } => {
                let at = usize::from(at);
                while self.sure[at].get(kind) < count {
                    let Some(old) = self.plainly_old(at, kind) else { return false };
                    self.reveal(at, kind, old);
                    self.add(at, kind);
                }
            }
            Seen::Passed { .. } => return false,
            Seen::Taken { from, to, kind } => {
                let from = usize::from(from);
                let card = Resources::one(kind);
                if !self.sure[from].covers(card) {
                    let Some(old) = self.plainly_old(from, kind) else { return false };
                    self.reveal(from, kind, old);
                } else if self.may_turn_up(from, kind) {
                    return false;
                } else {
                    self.sure[from] = self.sure[from] - card;
                }
                self.add(usize::from(to), kind);
            }
        }
        true
    }

    /// Whether an unseen card of a kind that a holder turns out to have is old, if that is certain.
    fn plainly_old(&self, at: usize, kind: Resource) -> Option<bool> {
        let old = self.old[at] > 0 && self.old_pool.get(kind) > 0;
        let new = self.new[at] > 0 && self.new_pool.get(kind) > 0;
        (self.shuffled_in == 0 && old != new).then_some(old)
    }

    /// Whether a card of a kind may be among the further cards of a holder. It may be of any kind while the
    /// pools are not known exactly.
    fn may_turn_up(&self, at: usize, kind: Resource) -> bool {
        let among =
            |cards: u8, pool: Resources| cards > 0 && (self.shuffled_in > 0 || pool.get(kind) > 0);
        among(self.old[at], self.old_pool) || among(self.new[at], self.new_pool)
    }

    fn add(&mut self, at: usize, kind: Resource) {
        self.sure[at] = self.sure[at] + Resources::one(kind);
    }

    /// An unseen card of a holder is seen: it was an old one or a new one.
    fn reveal(&mut self, at: usize, kind: Resource, old: bool) {
        if old {
            self.old[at] -= 1;
            self.old_pool = self.old_pool - Resources::one(kind);
        } else {
            self.new[at] -= 1;
            self.new_pool = self.new_pool - Resources::one(kind);
        }
    }

    /// Replays a log and draws what it leaves open. Returns how likely that makes what was seen, up to a
    /// factor that is the same for every replay; 0 if impossible.
    pub(super) fn replay(&mut self, log: &[Seen], rng: &mut Pcg32) -> f32 {
        let mut weight = 1.0;
        while self.shuffled_in > 0 {
            let kind = any(self.old_pool, rng);
            self.old_pool = self.old_pool - Resources::one(kind);
            self.new_pool = self.new_pool + Resources::one(kind);
            self.shuffled_in -= 1;
        }
        for &seen in log {
            weight *= self.follow(seen, rng);
            if weight <= 0.0 {
                return 0.0;
            }
        }
        weight
    }

    fn follow(&mut self, seen: Seen, rng: &mut Pcg32) -> f32 {
        match seen {
            Seen::Drew { to, kind: None } => {
                self.new[usize::from(to)] += 1;
                1.0
            }
            Seen::Drew { to, kind: Some(kind) } => self.draw_seen(usize::from(to), kind),
            Seen::Moved { from, to, kind } => {
                self.move_seen(usize::from(from), usize::from(to), kind, rng)
            }
            Seen::Shown { at, kind, count } => self.show(usize::from(at), kind, count, rng),
            Seen::Passed { from, to } => self.pass(usize::from(from), usize::from(to), rng),
            Seen::Taken { from, to, kind } => {
                self.take(usize::from(from), usize::from(to), kind, rng)
            }
        }
    }

    /// A card of a kind came from the pile: as likely as the kind's share of the pool.
    fn draw_seen(&mut self, to: usize, kind: Resource) -> f32 {
        let likely = share(self.new_pool, kind);
        if likely > 0.0 {
            self.new_pool = self.new_pool - Resources::one(kind);
            self.add(to, kind);
        }
        likely
    }

    /// A card of a kind moved face up: a sure one if there is one, else one that turns up.
    fn move_seen(&mut self, from: usize, to: usize, kind: Resource, rng: &mut Pcg32) -> f32 {
        let card = Resources::one(kind);
        let mut likely = 1.0;
        if self.sure[from].covers(card) {
            self.sure[from] = self.sure[from] - card;
        } else {
            likely = self.uncover(from, kind, self.loose[from].get(kind), rng);
        }
        if likely > 0.0 {
            self.add(to, kind);
        }
        likely
    }

    /// A holder shows cards: those that it did not surely have turn up.
    fn show(&mut self, at: usize, kind: Resource, count: u8, rng: &mut Pcg32) -> f32 {
        let mut likely = 1.0;
        for _ in self.sure[at].get(kind)..count {
            likely *= self.uncover(at, kind, self.loose[at].get(kind), rng);
            if likely <= 0.0 {
                return 0.0;
            }
            self.add(at, kind);
        }
        likely
    }

    /// A random card turned out to be of a kind: any of the holder's cards of that kind, each equally likely.
    /// From here the table is sure of one less of them. The likelihood lacks a factor that all replays
    /// share: one over the size of the hand.
    fn take(&mut self, from: usize, to: usize, kind: Resource, rng: &mut Pcg32) -> f32 {
        let unsure = self.sure[from].min(Resources::one(kind));
        self.sure[from] = self.sure[from] - unsure;
        self.loose[from] = self.loose[from] + unsure;
        let likely = self.uncover(from, kind, self.known(from).get(kind), rng);
        if likely > 0.0 {
            self.add(to, kind);
        }
        likely
    }

    /// A card of a kind turns up with a holder and leaves what is loose or unseen: any of the `known` cards of
    /// that kind, one of which is loose, or of the unseen ones, each equally likely. Returns the expected
    /// number of them.
    #[inline]
    fn uncover(&mut self, at: usize, kind: Resource, known: u8, rng: &mut Pcg32) -> f32 {
        let known = f32::from(known);
        let old = expected(self.old[at], self.old_pool, kind);
        let new = expected(self.new[at], self.new_pool, kind);
        let likely = known + old + new;
        if likely <= 0.0 {
            return 0.0;
        }
        let spot = unit(rng) * likely;
        if spot < known {
            self.loose[at] = self.loose[at] - Resources::one(kind);
        } else {
            let is_old = new <= 0.0 || (old > 0.0 && spot < known + old);
            self.reveal(at, kind, is_old);
        }
        likely
    }

    /// A card moved face down: any card of the giver's, each equally likely. From here the table is sure of
    /// one less of each kind with the giver, and of nothing more with the receiver.
    fn pass(&mut self, from: usize, to: usize, rng: &mut Pcg32) -> f32 {
        let held = self.known(from);
        let unsure = one_each(self.sure[from]);
        self.sure[from] = self.sure[from] - unsure;
        self.loose[from] = self.loose[from] + unsure;
        let seen = held.total();
        let total = f32::from(seen + self.old[from] + self.new[from]);
        if total <= 0.0 {
            return 0.0;
        }
        let spot = unit(rng) * total;
        if spot < f32::from(seen) {
            let card = Resources::one(any(held, rng));
            self.loose[from] = self.loose[from] - card;
            self.loose[to] = self.loose[to] + card;
        } else if spot < f32::from(seen + self.old[from]) {
            self.old[from] -= 1;
            self.old[to] += 1;
        } else {
            self.new[from] -= 1;
            self.new[to] += 1;
        }
        1.0
    }
}

/// All cards of all holders.
fn sum(held: &[Resources]) -> Resources {
    held.iter().fold(Resources::NONE, |sum, &cards| sum + cards)
}

/// One card of each kind that is present.
fn one_each(cards: Resources) -> Resources {
    Resources::new(cards.counts().map(|count| count.min(1)))
}

/// How many of some random cards of a pool are of a kind, on average.
fn expected(cards: u8, pool: Resources, kind: Resource) -> f32 {
    if cards == 0 { 0.0 } else { f32::from(cards) * share(pool, kind) }
}

/// How likely one card of a pool is of a kind.
fn share(pool: Resources, kind: Resource) -> f32 {
    let total = pool.total();
    if total == 0 { 0.0 } else { f32::from(pool.get(kind)) / f32::from(total) }
}

/// The kind of a random card, by a draw of 24 bits.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "below the number of cards"
)]
fn any(cards: Resources, rng: &mut Pcg32) -> Resource {
    cards.at_rank((unit(rng) * f32::from(cards.total())) as u32)
}
