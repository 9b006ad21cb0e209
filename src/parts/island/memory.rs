//! What one seat has seen of the resource cards, and the law by which hidden hands are dealt.
//!
//! Everyone sees how cards move, except the kind of a stolen card. So a seat keeps the *worlds*
//! that agree with what it saw, each with its weight: hands by kind, exactly. A theft that it doesn't see
//! splits each world by the kinds in the victim's hand; whatever shows cards weighs worlds, or strikes them
//! out.

use crate::core::chance::unit;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::parts::island::seat_event::SeatEvent;
use arrayvec::ArrayVec;
use rand_pcg::Pcg32;

/// The most worlds that are kept; beyond that, the least likely are dropped.
const WORLDS: usize = 512;

/// The weight of all worlds together, up to rounding.
const WEIGHT: u64 = 1 << 32;

/// Possible hands, and how likely they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct World {
    hands: PerSeat<Resources>,
    weight: u64,
}

/// What one seat remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    seat: Seat,
    /// The worlds; empty once what was seen fits none of those that were kept.
    worlds: ArrayVec<World, WORLDS>,
    /// Whether no world has been dropped.
    whole: bool,
    /// Cards that a seat surely holds, whichever worlds were dropped.
    sure: PerSeat<Resources>,
    /// Cards in each hand.
    sizes: PerSeat<u8>,
    /// Points that a seat showed when its last turn ended; 0 before.
    pub shown_points: PerSeat<u8>,
}

impl Memory {
    /// The memory of a seat that knows these hands.
    pub fn knowing(seat: Seat, hands: PerSeat<Resources>) -> Memory {
        let mut worlds = ArrayVec::new();
        worlds.push(World { hands, weight: WEIGHT });
        let sizes = hands.map(Resources::total);
        Memory { seat, worlds, whole: true, sure: hands, sizes, shown_points: [0; SEATS_MAX] }
    }

    /// Whose memory this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Cards that a seat surely holds, as far as this seat knows.
    pub fn surely_held(&self, seat: Seat) -> Resources {
        if self.whole { in_all(&self.worlds, seat.idx()) } else { self.sure[seat.idx()] }
    }

    /// Whether a seat may hold these cards, as far as this seat knows. What it can't hold it can't show either: who
    /// hears of matches from others asks first.
    pub fn may_hold(&self, seat: Seat, cards: Resources) -> bool {
        !self.whole || self.worlds.iter().any(|world| world.hands[seat.idx()].covers(cards))
    }

    /// Whether a seat may hold this number of cards of a kind.
    pub fn may_have_exactly(&self, seat: Seat, kind: Resource, count: u8) -> bool {
        !self.whole || self.worlds.iter().any(|world| world.hands[seat.idx()].get(kind) == count)
    }

    /// Whether something can have happened after what was seen, at a table of so many players, with so many cards of each
    /// kind in the box. Who is told by programs outside asks first.
    pub fn may_happen(&self, event: SeatEvent, players: u8, stock: u8) -> bool {
        let plays = |seat: Seat| seat.number() <= players;
        let have = |seat: Seat, cards| plays(seat) && self.may_have(seat, cards, stock);
        match event {
            SeatEvent::Gained { seat, cards } => plays(seat) && self.may_be_paid(cards, stock),
            SeatEvent::Lost { seat, cards } | SeatEvent::Shown { seat, cards } => have(seat, cards),
            SeatEvent::HandedOver { from, to, kind, count } => {
                // A count beyond the box would not fit among counts of cards.
                count <= stock
                    && from != to
                    && plays(to)
                    && have(from, Resources::many(kind, count))
                    && self.surely_held(from).get(kind) <= count
                    && self.may_have_exactly(from, kind, count)
            }
            SeatEvent::Stolen { thief, victim, kind } => {
                let told = kind.is_some() || ![thief, victim].contains(&self.seat);
                let card = kind.map_or(Resources::NONE, Resources::one);
                let has_any = plays(victim) && self.sizes[victim.idx()] > 0;
                told && thief != victim && plays(thief) && has_any && have(victim, card)
            }
            SeatEvent::TurnEnded { seat, .. } => plays(seat),
        }
    }

    /// Whether hands have these sizes as far as this seat has seen, with its own among them, and so many cards of each kind
    /// in all. Every world has the same in all hands together.
    pub fn agrees(&self, sizes: &PerSeat<u8>, own: Resources, held: Resources) -> bool {
        let all = |world: &World| world.hands.iter().fold(Resources::NONE, |all, &hand| all + hand);
        let same = self.worlds.first().is_none_or(|world| all(world) == held);
        same && *sizes == self.sizes && own == self.surely_held(self.seat)
    }

    /// Whether a seat may hold these cards, also once worlds were dropped: then its hand is large enough, and those that
    /// it doesn't surely hold are not surely elsewhere.
    fn may_have(&self, seat: Seat, cards: Resources, stock: u8) -> bool {
        let sure = self.sure[seat.idx()];
        let new = sure.missing(cards);
        new.total() <= self.sizes[seat.idx()] - sure.total()
            && in_box(&self.sure, new, stock)
            && self.may_hold(seat, cards)
    }

    /// Whether the bank may have these cards. Every world has the same in all hands together.
    fn may_be_paid(&self, cards: Resources, stock: u8) -> bool {
        let hands = self.worlds.first().map_or(&self.sure, |world| &world.hands);
        let held: u16 = self.sizes.iter().map(|&size| u16::from(size)).sum();
        held + u16::from(cards.total()) <= 5 * u16::from(stock) && in_box(hands, cards, stock)
    }

    /// Cards that enter a hand face up.
    pub fn gains(&mut self, seat: Seat, cards: Resources) {
        let at = seat.idx();
        for world in &mut self.worlds {
            world.hands[at] = world.hands[at] + cards;
        }
        self.sure[at] = self.sure[at] + cards;
        self.sizes[at] += cards.total();
    }

    /// Cards that leave a hand face up.
    pub fn loses(&mut self, seat: Seat, cards: Resources) {
        self.shows(seat, cards);
        self.gives_up(seat, cards);
    }

    fn gives_up(&mut self, seat: Seat, cards: Resources) {
        let at = seat.idx();
        for world in &mut self.worlds {
            world.hands[at] = world.hands[at] - cards;
        }
        self.sure[at] = cards.missing(self.sure[at]);
        self.sizes[at] -= cards.total();
        self.settle_if_plain();
    }

    /// Cards that a seat has shown that it holds: those that are surely there, then any of the others.
    pub fn shows(&mut self, seat: Seat, cards: Resources) {
        let at = seat.idx();
        let known = self.surely_held(seat);
        let new = known.missing(cards);
        self.makes_sure(seat, cards);
        if new.is_empty() {
            return;
        }
        self.evaluate(|world| {
            let hand = world.hands[at];
            if !hand.covers(cards) {
                return 0;
            }
            let among = |kind| hand.get(kind) - known.get(kind);
            let each = new.iter().map(|(kind, count)| ways(among(kind), count));
            each.fold(1, u64::saturating_mul)
        });
    }

    /// A seat has shown all its cards of a kind.
    pub fn has_exactly(&mut self, seat: Seat, kind: Resource, count: u8) {
        self.evaluate(|world| u64::from(world.hands[seat.idx()].get(kind) == count));
        self.makes_sure(seat, Resources::many(kind, count));
    }

    fn makes_sure(&mut self, seat: Seat, cards: Resources) {
        let sure = &mut self.sure[seat.idx()];
        *sure = *sure + sure.missing(cards);
    }

    /// A random card was stolen; its kind is known to the two concerned.
    pub fn stolen(&mut self, thief: Seat, victim: Seat, known: Option<Resource>) {
        let (to, from) = (thief.idx(), victim.idx());
        if let Some(kind) = known {
            self.evaluate(|world| world.hands[from].get(kind).into());
            self.gives_up(victim, Resources::one(kind));
            self.gains(thief, Resources::one(kind));
        } else {
            self.sure[from] = one_less(self.sure[from]);
            self.split(to, from);
            self.sizes[from] -= 1;
            self.sizes[to] += 1;
            self.settle_if_plain();
        }
    }

    /// Splits each world by what may have been stolen.
    fn split(&mut self, to: usize, from: usize) {
        let mut split: ArrayVec<World, { WORLDS * Resource::COUNT }> = ArrayVec::new();
        for world in &self.worlds {
            let hand = world.hands[from];
            for (kind, count) in hand.iter() {
                let mut next = *world;
                next.hands[from] = hand - Resources::one(kind);
                next.hands[to] = world.hands[to] + Resources::one(kind);
                next.weight *= u64::from(count);
                split.push(next);
            }
        }
        split.sort_unstable_by_key(|world| world.hands);
        let mut last = 0;
        for at in 1..split.len() {
            if split[at].hands == split[last].hands {
                split[last].weight += split[at].weight;
            } else {
                last += 1;
                split[last] = split[at];
            }
        }
        split.truncate(last + 1);
        if split.len() <= WORLDS {
            self.worlds = split.into_iter().collect();
        } else {
            if self.whole {
                self.whole = false;
                self.sure = std::array::from_fn(|at| in_all(&split, at));
            }
            self.sample(&split);
        }
        self.level();
    }

    /// Keeps a sample, each world as often as its weight asks for up to rounding: evenly spaced points on
    /// the line of all weights, in the order of hands, so that similar hands stand for each other.
    fn sample(&mut self, split: &[World]) {
        let total: u64 = split.iter().map(|world| world.weight).sum();
        let (mut passed, mut points) = (0, 0);
        self.worlds.clear();
        for &world in split {
            passed += world.weight;
            let mut count = 0;
            // The points are in the middle of equal parts.
            while (2 * points + 1) * total <= 2 * WORLDS as u64 * passed && points < WORLDS as u64 {
                points += 1;
                count += 1;
            }
            if count > 0 {
                self.worlds.push(World { weight: count, ..world });
            }
        }
    }

    /// Multiplies each world's weight by the likelihood of what was seen; impossible worlds are removed.
    fn evaluate(&mut self, likely: impl Fn(&World) -> u64) {
        for world in &mut self.worlds {
            // A weight takes 33 bits; only more unseen thefts than a match has would make this more.
            world.weight *= likely(world).min(1 << 30);
        }
        self.worlds.retain(|world| world.weight > 0);
        self.level();
    }

    /// Scales the weights back to their sum.
    fn level(&mut self) {
        let total: u128 = self.worlds.iter().map(|world| u128::from(world.weight)).sum();
        for world in &mut self.worlds {
            let share = u128::from(world.weight) * u128::from(WEIGHT) / total;
            world.weight = u64::try_from(share).expect("a share of the whole").max(1);
        }
    }

    /// Once every card is known again, the worlds that were dropped no longer matter.
    fn settle_if_plain(&mut self) {
        let known = self.sure.map(Resources::total);
        if known == self.sizes && (self.worlds.len() != 1 || self.worlds[0].hands != self.sure) {
            self.worlds.clear();
            self.worlds.push(World { hands: self.sure, weight: WEIGHT });
            self.whole = true;
        }
    }

    /// Hands that agree with all that was seen: one of the worlds, each as likely as its weight. `own` is the
    /// seat's hand, `held` what is in all hands together.
    pub fn deal(&self, own: Resources, held: Resources, rng: &mut Pcg32) -> PerSeat<Resources> {
        let total: u64 = self.worlds.iter().map(|world| world.weight).sum();
        let fraction = f64::from(unit(rng));
        let mut spot = fraction * total as f64;
        for world in &self.worlds {
            spot -= world.weight as f64;
            if spot < 0.0 {
                return world.hands;
            }
        }
        match self.worlds.last() {
            Some(world) => world.hands,
            None => self.deal_unsure(own, held, rng),
        }
    }

    /// The last resort: sure cards stay, all others are dealt as one pool.
    fn deal_unsure(&self, own: Resources, held: Resources, rng: &mut Pcg32) -> PerSeat<Resources> {
        let mut hands = self.sure;
        hands[self.seat.idx()] = own;
        let mut pool = held;
        for hand in hands {
            pool = pool - least(hand, pool);
        }
        for (hand, size) in hands.iter_mut().zip(self.sizes) {
            while hand.total() < size && !pool.is_empty() {
                let card = Resources::one(pool.random(rng));
                pool = pool - card;
                *hand = *hand + card;
            }
        }
        hands
    }
}

/// Cards that a seat has in every world; there is one.
fn in_all(worlds: &[World], at: usize) -> Resources {
    let hands = worlds.iter().map(|world| world.hands[at]);
    hands.reduce(least).expect("what happened is possible")
}

/// Whether there are so many cards of each kind that some may come to those in hands.
fn in_box(hands: &PerSeat<Resources>, cards: Resources, stock: u8) -> bool {
    let held = hands.iter().fold(Resources::NONE, |held, &hand| held + hand);
    held.checked_add(cards).is_some_and(|all| Resources::each(stock).covers(all))
}

/// What both have, by kind.
fn least(a: Resources, b: Resources) -> Resources {
    a - b.missing(a)
}

/// The number of ways to choose `k` of `n` cards.
fn ways(n: u8, k: u8) -> u64 {
    (0..k).fold(1, |ways, at| ways * u64::from(n - at) / u64::from(at + 1))
}

/// One card less of each kind that is present.
fn one_less(cards: Resources) -> Resources {
    Resources::new(cards.counts().map(|count| count.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::resources::Resource::{Brick, Ore};

    const ONE: Seat = Seat::FIRST;
    const TWO: Seat = Seat::new(1);
    const THREE: Seat = Seat::new(2);

    fn stolen(thief: Seat, victim: Seat, kind: Option<Resource>) -> SeatEvent {
        SeatEvent::Stolen { thief, victim, kind }
    }

    fn handed_over(count: u8) -> SeatEvent {
        SeatEvent::HandedOver { from: TWO, to: THREE, kind: Ore, count }
    }

    /// Seat 1 knows that seat 2 has an ore, and nobody anything else.
    #[test]
    fn what_contradicts_what_was_seen_can_not_have_happened() {
        let (ore, brick) = (Resources::one(Ore), Resources::one(Brick));
        let mut memory = Memory::knowing(ONE, [Resources::NONE; SEATS_MAX]);
        memory.gains(TWO, ore);
        let may = |event| memory.may_happen(event, 3, 19);
        for event in [
            SeatEvent::Gained { seat: Seat::new(3), cards: ore },
            SeatEvent::Gained { seat: ONE, cards: Resources::many(Ore, 19) },
            SeatEvent::Gained { seat: ONE, cards: Resources::many(Brick, 127) },
            SeatEvent::Lost { seat: TWO, cards: ore + brick },
            SeatEvent::Shown { seat: ONE, cards: ore },
            SeatEvent::Shown { seat: TWO, cards: brick },
            handed_over(0),
            handed_over(2),
            handed_over(255),
            stolen(TWO, TWO, None),
            stolen(TWO, THREE, None),
            stolen(ONE, TWO, None),
            stolen(ONE, TWO, Some(Brick)),
            SeatEvent::TurnEnded { seat: Seat::new(5), points: 2 },
        ] {
            assert!(!may(event), "{event:?}");
        }
        for event in [
            SeatEvent::Gained { seat: ONE, cards: Resources::many(Ore, 18) },
            SeatEvent::Lost { seat: TWO, cards: ore },
            SeatEvent::Lost { seat: THREE, cards: Resources::NONE },
            handed_over(1),
            stolen(THREE, TWO, None),
            stolen(ONE, TWO, Some(Ore)),
        ] {
            assert!(may(event), "{event:?}");
        }
    }

    #[test]
    fn hands_have_their_sizes_also_once_worlds_were_dropped() {
        let mut memory = Memory::knowing(ONE, [Resources::NONE; SEATS_MAX]);
        memory.gains(TWO, Resources::each(9));
        (0..9).for_each(|_| memory.stolen(THREE, TWO, None));
        assert!(!memory.whole);
        let may = |event| memory.may_happen(event, 3, 19);
        let shown = |seat, cards| may(SeatEvent::Shown { seat, cards });
        assert!(shown(TWO, Resources::each(7)) && !shown(TWO, Resources::each(8)));
        assert!(shown(THREE, Resources::many(Ore, 9)) && !shown(THREE, Resources::many(Ore, 10)));
        assert!(may(handed_over(4)) && !may(handed_over(37)));
        assert!(!may(SeatEvent::Gained { seat: ONE, cards: Resources::many(Ore, 11) }));
    }
}
