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

/// What an event leaves open until the hidden cards are known: a replay draws it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// Cards came from the pile unseen.
    Drew { to: u8, cards: u8 },
    /// A card of this kind came from the pile.
    Left { kind: Resource },
    /// So many cards of a kind turned up with a holder that did not surely have them.
    TurnedUp { at: u8, kind: Resource, count: u8 },
    /// A card moved face down, from a holder that surely had these.
    Passed { from: u8, to: u8, sure: [u8; Resource::COUNT] },
    /// A card that was taken at random turned out to be of a kind of which its holder surely had this number.
    Taken { from: u8, kind: Resource, sure: u8 },
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

const _: () = assert!(size_of::<Open>() <= 8, "memories keep logs of them");

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

    /// Takes in an event, and returns what it leaves open; what it says of sure cards follows from no hidden card, so
    /// that no replay need find it again. `settled` if nothing was open before: then what can be told of pools is.
    pub(super) fn take_in(&mut self, seen: Seen, settled: bool) -> Option<Open> {
        match seen {
            Seen::Drew { to, kind: None } if settled => {
                self.new[usize::from(to)] += 1;
                None
            }
            Seen::Drew { to, kind: None } => Some(Open::Drew { to, cards: 1 }),
            Seen::Drew { to, kind: Some(kind) } => {
                self.add(to, kind, 1);
                if settled && self.shuffled_in == 0 {
                    self.new_pool = self.new_pool - Resources::one(kind);
                    return None;
                }
                Some(Open::Left { kind })
            }
            Seen::Moved { from, to, kind } => {
                self.add(to, kind, 1);
                if self.part_with(from, kind) > 0 {
                    return None;
                }
                self.turn_up(from, kind, 1, settled)
            }
            Seen::Shown { at, kind, count } => {
                let unknown = count.saturating_sub(self.sure[usize::from(at)].get(kind));
                self.add(at, kind, unknown);
                self.turn_up(at, kind, unknown, settled)
            }
            Seen::Passed { from, to } => {
                let held = &mut self.sure[usize::from(from)];
                let sure = held.counts();
                *held = *held - one_each(*held);
                Some(Open::Passed { from, to, sure })
            }
            Seen::Taken { from, to, kind } => {
                self.add(to, kind, 1);
                let sure = self.part_with(from, kind);
                if sure == 0 {
                    return self.turn_up(from, kind, 1, settled);
                }
                if settled && !self.may_turn_up(usize::from(from), kind) {
                    return None;
                }
                Some(Open::Taken { from, kind, sure })
            }
        }
    }

    /// Takes a card of a kind from those that a holder surely has, if there is one. Returns how many there were.
    fn part_with(&mut self, from: u8, kind: Resource) -> u8 {
        let held = &mut self.sure[usize::from(from)];
        let sure = held.get(kind);
        *held = *held - Resources::many(kind, sure.min(1));
        sure
    }

    /// So many cards of a kind turn up with a holder; returns what of that is open.
    fn turn_up(&mut self, at: u8, kind: Resource, mut count: u8, settled: bool) -> Option<Open> {
        while settled
            && count > 0
            && let Some(old) = self.plainly_old(usize::from(at), kind)
        {
            self.reveal(usize::from(at), kind, old);
            count -= 1;
        }
        (count > 0).then_some(Open::TurnedUp { at, kind, count })
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

    fn add(&mut self, at: u8, kind: Resource, count: u8) {
        let held = &mut self.sure[usize::from(at)];
        *held = *held + Resources::many(kind, count);
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

    /// Draws what a log leaves open. Returns how likely that makes what was seen, up to a factor that is the same for
    /// every replay; 0 if impossible.
    pub(super) fn replay(&mut self, log: &[Open], rng: &mut Pcg32) -> f32 {
        let mut weight = 1.0;
        while self.shuffled_in > 0 {
            let kind = any(self.old_pool, rng);
            self.old_pool = self.old_pool - Resources::one(kind);
            self.new_pool = self.new_pool + Resources::one(kind);
            self.shuffled_in -= 1;
        }
        for &open in log {
            weight *= self.follow(open, rng);
            if weight <= 0.0 {
                return 0.0;
            }
        }
        weight
    }

    fn follow(&mut self, open: Open, rng: &mut Pcg32) -> f32 {
        match open {
            Open::Drew { to, cards } => {
                self.new[usize::from(to)] += cards;
                1.0
            }
            Open::Left { kind } => {
                let likely = share(self.new_pool, kind);
                if likely > 0.0 {
                    self.new_pool = self.new_pool - Resources::one(kind);
                }
                likely
            }
            Open::TurnedUp { at, kind, count } => {
                self.uncover_all(usize::from(at), kind, count, rng)
            }
            Open::Passed { from, to, sure } => {
                self.pass(usize::from(from), usize::from(to), Resources::new(sure), rng)
            }
            Open::Taken { from, kind, sure } => {
                // From here the table is sure of one less of them. The likelihood lacks a factor that all replays
                // share: one over the size of the hand.
                let from = usize::from(from);
                let known = sure + self.loose[from].get(kind);
                self.loose[from] = self.loose[from] + Resources::many(kind, sure.min(1));
                self.uncover(from, kind, known, rng)
            }
        }
    }

    /// Cards of a kind turn up that a holder did not surely have.
    fn uncover_all(&mut self, at: usize, kind: Resource, count: u8, rng: &mut Pcg32) -> f32 {
        let mut likely = 1.0;
        for _ in 0..count {
            likely *= self.uncover(at, kind, self.loose[at].get(kind), rng);
            if likely <= 0.0 {
                return 0.0;
            }
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
    fn pass(&mut self, from: usize, to: usize, sure: Resources, rng: &mut Pcg32) -> f32 {
        let held = sure + self.loose[from];
        self.loose[from] = self.loose[from] + one_each(sure);
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
