//! What one seat has seen of the resource cards, and the law by which the rest is dealt.
//!
//! Cards of one kind look alike, so everything here is counted by kind. Unseen cards fall into two pools:
//! *old* ones were in hands at the last reshuffle, *new* ones were in the pile then (its content is known:
//! it was the open discards). What a seat saw is kept as knowledge up to the first event whose meaning is
//! ambiguous, and a log from there: a wool that someone pays may be an old or a new card, and a card that
//! passes face down may be any of the giver's. A determinization replays the log and draws what is ambiguous.

use crate::core::chance::{first, pick, unit};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::cards::{CARDS_ALL, CardSet, RESOURCES_ALL, take};
use crate::games::on_the_road::rules::SEATS;
use arrayvec::ArrayVec;
use rand_pcg::Pcg32;

/// Places that hold cards outside the pile: the seats, then the discards.
pub const HOLDERS: usize = SEATS + 1;

/// The position of the discards among the holders.
pub const DISCARDS: usize = SEATS;

/// The most events that are kept; beyond that, the memory forgets which unseen cards are old.
const LOG_MAX: usize = 128;

/// Number of replays of the log; one of them is kept, with a probability in proportion to its weight.
const REPLAYS: usize = 8;

/// Something that a seat saw happen to a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// A seat drew; the kind is known if it is the seat itself.
    Drew {
        /// Who drew.
        seat: u8,
        /// What, if seen.
        kind: Option<Resource>,
    },
    /// A card of this kind moved.
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
}

/// Where the cards are, as far as that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Knowledge {
    /// Cards that a holder surely has, by holder.
    sure: [Resources; HOLDERS],
    /// Cards that a holder has in one replay, but that the table doesn't know it to have: what was passed
    /// face down, and what its giver may have passed. Only replays fill it.
    loose: [Resources; HOLDERS],
    /// Further cards that were in a hand at the last reshuffle, by holder.
    old: [u8; HOLDERS],
    /// Further cards drawn since, by holder.
    new: [u8; HOLDERS],
    /// Kinds of all old cards, and of those that went face down into the pile.
    old_pool: Resources,
    /// Kinds of all new cards and of the pile.
    new_pool: Resources,
    /// Old cards that were shuffled into the pile face down (hidden Robber discards).
    shuffled_in: u8,
}

/// What one seat remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    seat: Seat,
    known: Knowledge,
    log: ArrayVec<Seen, LOG_MAX>,
    /// Cards by holder, and in the pile: public counts.
    sizes: [u8; HOLDERS],
    pile: u8,
    /// Whether the discards become the pile as soon as it is empty.
    eager: bool,
}

/// Where every resource card is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    /// Hands by seat.
    pub hands: [CardSet; SEATS],
    /// The draw pile.
    pub pile: CardSet,
    /// The discards.
    pub discards: CardSet,
}

impl Memory {
    /// The memory of a seat before the deal; `eager` if the discards become the pile as soon as it is empty.
    pub fn before_deal(seat: Seat, eager: bool) -> Memory {
        let known = Knowledge {
            sure: [Resources::NONE; HOLDERS],
            loose: [Resources::NONE; HOLDERS],
            old: [0; HOLDERS],
            new: [0; HOLDERS],
            old_pool: Resources::NONE,
            new_pool: RESOURCES_ALL,
            shuffled_in: 0,
        };
        let pile = RESOURCES_ALL.total();
        Memory { seat, known, log: ArrayVec::new(), sizes: [0; HOLDERS], pile, eager }
    }

    /// Whose memory this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Cards that a seat surely holds, as far as this seat knows.
    pub fn surely_held(&self, seat: Seat) -> Resources {
        self.lower_bounds()[seat.idx()]
    }

    /// A draw from the pile, with the reshuffle before or after it; the kind if this seat drew.
    pub fn drew(&mut self, seat: Seat, kind: Option<Resource>) {
        if self.pile == 0 {
            self.reshuffle();
        }
        self.note(Seen::Drew { seat: seat.number() - 1, kind });
        self.sizes[seat.idx()] += 1;
        self.pile -= 1;
        if self.pile == 0 && self.eager {
            self.reshuffle();
        }
    }

    /// Cards that moved in the open, between holders.
    pub fn moved(&mut self, from: usize, to: usize, cards: Resources) {
        for (kind, count) in cards.iter() {
            for _ in 0..count {
                // The counts stay in step with the log: a full log is dropped between two cards.
                self.note(Seen::Moved { from: holder(from), to: holder(to), kind });
                self.sizes[from] -= 1;
                self.sizes[to] += 1;
            }
        }
    }

    /// Cards that a seat has shown that it holds, by proposing or agreeing to give them.
    pub fn shown(&mut self, seat: Seat, cards: Resources) {
        if seat == self.seat {
            return;
        }
        let sure = self.lower_bounds()[seat.idx()];
        for (kind, count) in cards.iter().filter(|&(kind, count)| sure.get(kind) < count) {
            self.note(Seen::Shown { at: seat.number() - 1, kind, count });
        }
    }

    /// A card that moved face down.
    pub fn passed(&mut self, from: usize, to: usize) {
        self.note(Seen::Passed { from: holder(from), to: holder(to) });
        self.sizes[from] -= 1;
        self.sizes[to] += 1;
    }

    fn note(&mut self, seen: Seen) {
        if self.log.is_empty() && self.known.absorb(seen) {
            return;
        }
        if self.log.is_full() {
            self.forget_age();
        }
        self.log.push(seen);
    }

    /// What every holder surely has after the log: a card that left face down may be any one of them.
    fn lower_bounds(&self) -> [Resources; HOLDERS] {
        let mut sure = self.known.sure;
        for &seen in &self.log {
            match seen {
                Seen::Drew { kind: None, .. } => {}
                Seen::Drew { seat, kind: Some(kind) } => {
                    sure[usize::from(seat)] = sure[usize::from(seat)] + Resources::one(kind);
                }
                Seen::Moved { from, to, kind } => {
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
        sure
    }

    /// The discards become the pile: unseen cards in hands are old, and the pile's content is known.
    fn reshuffle(&mut self) {
        let mut sure = self.lower_bounds();
        let discarded = std::mem::take(&mut sure[DISCARDS]);
        self.pile = std::mem::take(&mut self.sizes[DISCARDS]);
        let seen = sure.iter().fold(discarded, |sum, &cards| sum + cards);
        self.known = Knowledge {
            loose: [Resources::NONE; HOLDERS],
            old: std::array::from_fn(|at| self.sizes[at] - sure[at].total()),
            new: [0; HOLDERS],
            old_pool: RESOURCES_ALL - seen,
            new_pool: discarded,
            shuffled_in: self.pile - discarded.total(),
            sure,
        };
        self.log.clear();
    }

    /// Forgets the age of unseen cards, to make room in the log.
    fn forget_age(&mut self) {
        let sure = self.lower_bounds();
        let seen = sure.iter().fold(Resources::NONE, |sum, &cards| sum + cards);
        self.known = Knowledge {
            loose: [Resources::NONE; HOLDERS],
            old: [0; HOLDERS],
            new: std::array::from_fn(|at| self.sizes[at] - sure[at].total()),
            old_pool: Resources::NONE,
            new_pool: RESOURCES_ALL - seen,
            shuffled_in: 0,
            sure,
        };
        self.log.clear();
    }

    /// Deals the unseen cards to the unseen places.
    pub fn deal(&self, rng: &mut Pcg32) -> Deal {
        self.replay(rng).deal(rng)
    }

    /// Knowledge at the end of the log: one of several replays, each as likely as its weight.
    fn replay(&self, rng: &mut Pcg32) -> Knowledge {
        if self.log.is_empty() && self.known.shuffled_in == 0 {
            return self.known;
        }
        let mut kept = None;
        let mut total = 0.0;
        for attempt in 0..100 * REPLAYS {
            if attempt >= REPLAYS && kept.is_some() {
                break;
            }
            let mut known = self.known;
            let weight = known.replay(&self.log, rng);
            total += weight;
            if weight > 0.0 && unit(rng) * total < weight {
                kept = Some(known);
            }
        }
        kept.unwrap_or_else(|| self.without_log())
    }

    /// The last resort if no replay fits what was seen: all unseen cards are dealt as one pool.
    fn without_log(&self) -> Knowledge {
        let mut copy = self.clone();
        copy.forget_age();
        copy.known
    }
}

fn holder(at: usize) -> u8 {
    u8::try_from(at).expect("five holders")
}

impl Knowledge {
    /// Takes in an event that is unambiguous, whatever the hidden cards are; refuses any other.
    fn absorb(&mut self, seen: Seen) -> bool {
        match seen {
            Seen::Drew { seat, kind: None } => self.new[usize::from(seat)] += 1,
            Seen::Drew { seat, kind: Some(kind) } => {
                if self.shuffled_in > 0 {
                    return false;
                }
                self.new_pool = self.new_pool - Resources::one(kind);
                self.add(usize::from(seat), kind);
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
        }
        true
    }

    /// Whether an unseen card of a kind that a holder turns out to have is old, if that is certain.
    fn plainly_old(&self, at: usize, kind: Resource) -> Option<bool> {
        let old = self.old[at] > 0 && self.old_pool.get(kind) > 0;
        let new = self.new[at] > 0 && self.new_pool.get(kind) > 0;
        (self.shuffled_in == 0 && old != new).then_some(old)
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

    /// Replays a log and draws what it leaves open; returns the likelihood of what was seen, 0 if impossible.
    fn replay(&mut self, log: &[Seen], rng: &mut Pcg32) -> f32 {
        let mut weight = 1.0;
        while self.shuffled_in > 0 {
            let kind = any(self.old_pool, rng);
            self.old_pool = self.old_pool - Resources::one(kind);
            self.new_pool = self.new_pool + Resources::one(kind);
            self.shuffled_in -= 1;
        }
        for &seen in log {
            weight *= match seen {
                Seen::Drew { seat, kind: None } => {
                    self.new[usize::from(seat)] += 1;
                    1.0
                }
                Seen::Drew { seat, kind: Some(kind) } => self.own_draw(usize::from(seat), kind),
                Seen::Moved { from, to, kind } => {
                    self.move_seen(usize::from(from), usize::from(to), kind, rng)
                }
                Seen::Shown { at, kind, count } => self.show(usize::from(at), kind, count, rng),
                Seen::Passed { from, to } => self.pass(usize::from(from), usize::from(to), rng),
            };
            if weight <= 0.0 {
                return 0.0;
            }
        }
        weight
    }

    /// The seat itself drew a kind from the pile: as likely as the kind's share of the pool.
    fn own_draw(&mut self, seat: usize, kind: Resource) -> f32 {
        let likely = share(self.new_pool, kind);
        if likely > 0.0 {
            self.new_pool = self.new_pool - Resources::one(kind);
            self.add(seat, kind);
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
            likely = self.uncover(from, kind, rng);
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
            likely *= self.uncover(at, kind, rng);
            if likely <= 0.0 {
                return 0.0;
            }
            self.add(at, kind);
        }
        likely
    }

    /// A card of a kind turns up with a holder: any of those that are not sure, each equally likely.
    /// Returns the expected number of them.
    fn uncover(&mut self, at: usize, kind: Resource, rng: &mut Pcg32) -> f32 {
        let loose = f32::from(self.loose[at].get(kind));
        let old = f32::from(self.old[at]) * share(self.old_pool, kind);
        let new = f32::from(self.new[at]) * share(self.new_pool, kind);
        let likely = loose + old + new;
        if likely <= 0.0 {
            return 0.0;
        }
        let spot = unit(rng) * likely;
        if spot < loose {
            self.loose[at] = self.loose[at] - Resources::one(kind);
        } else {
            let is_old = new <= 0.0 || (old > 0.0 && spot < loose + old);
            self.reveal(at, kind, is_old);
        }
        likely
    }

    /// A card moved face down: any card of the giver's, each equally likely. From here the table is sure of
    /// one less of each kind with the giver, and of nothing more with the receiver.
    fn pass(&mut self, from: usize, to: usize, rng: &mut Pcg32) -> f32 {
        let held = self.sure[from] + self.loose[from];
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

    /// Assigns a card to every place: sure cards where they are, the others uniformly within their pool.
    fn deal(&self, rng: &mut Pcg32) -> Deal {
        let mut box_of_cards = CARDS_ALL;
        let mut places = [0; HOLDERS];
        for (at, place) in places.iter_mut().enumerate() {
            *place = allot(&mut box_of_cards, self.sure[at] + self.loose[at]);
        }
        let mut old = allot(&mut box_of_cards, self.old_pool);
        let mut new = box_of_cards;
        for (at, place) in places.iter_mut().enumerate() {
            *place |=
                draw_from(&mut old, self.old[at], rng) | draw_from(&mut new, self.new[at], rng);
        }
        debug_assert_eq!(old, 0, "every old card has a place");
        let [hands @ .., discards] = places;
        Deal { hands, pile: new, discards }
    }
}

/// One card of each kind that is present.
fn one_each(cards: Resources) -> Resources {
    Resources::new(cards.counts().map(|count| count.min(1)))
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

/// Takes cards of these kinds out of the box.
fn allot(box_of_cards: &mut CardSet, kinds: Resources) -> CardSet {
    let cards = take(*box_of_cards, kinds);
    *box_of_cards &= !cards;
    cards
}

/// Takes a number of random cards out of a set; all of them without a draw.
fn draw_from(set: &mut CardSet, cards: u8, rng: &mut Pcg32) -> CardSet {
    let mut drawn = 0;
    for _ in 0..cards {
        let card = if set.is_power_of_two() { first(*set) } else { pick(rng, *set) };
        drawn |= 1 << card;
        *set &= !(1 << card);
    }
    drawn
}
