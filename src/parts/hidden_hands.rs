//! What one seat has seen of the cards of a deck, and the hands that it imagines.
//!
//! What a seat saw is kept as [`Knowledge`]: which cards each holder surely has, and of the others what is known up to
//! the first event whose meaning is ambiguous. From there a log keeps what events leave open: a wool that someone pays
//! may be an old or a new card, and a card that passes face down may be any of the giver's. Imagining the hidden cards
//! replays the log and draws what is ambiguous. A replay weighs as much as it makes what was seen likely: of several, one
//! is kept with a probability in proportion to its weight (importance resampling), and where hands are imagined again and
//! again, as in a search, further replays may take its place each time (an independence sampler: W. K. Hastings, "Monte
//! Carlo sampling methods using Markov chains and their applications", 1970). How the cards are then dealt, and the law
//! that this approximates, each game says itself.

use crate::core::chance::unit;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::parts::card_knowledge::{Knowledge, Open, Seen};
use arrayvec::ArrayVec;
use rand_pcg::Pcg32;

/// Number of replays of the log before the first hands are imagined; one of them is kept.
const REPLAYS: usize = 8;

/// Number of replays that are offered between two imagined hands.
const STEPS: usize = 2;

/// The replay that the last of several imagined hands go by, and its weight.
#[derive(Debug, Clone, Copy, Default)]
pub struct Chain<const HOLDERS: usize>(Option<(Knowledge<HOLDERS>, f32)>);

/// What one seat remembers of cards that go from a pile to hands and to discards, which become the next pile.
///
/// There are `HOLDERS` places outside the pile: first the hands by seat, then open places if the game has any,
/// last the discards. `LOG` is the most that is kept of what is open; beyond that, the memory forgets which unseen
/// cards are old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenHands<const HOLDERS: usize, const LOG: usize> {
    seat: Seat,
    deck: Resources,
    known: Knowledge<HOLDERS>,
    log: ArrayVec<Open, LOG>,
    /// Cards by holder, and in the pile: public counts.
    sizes: [u8; HOLDERS],
    pile: u8,
    /// Whether the discards become the pile as soon as it is empty.
    eager: bool,
}

impl<const HOLDERS: usize, const LOG: usize> HiddenHands<HOLDERS, LOG> {
    /// The position of the discards among the holders.
    pub const DISCARDS: usize = HOLDERS - 1;

    /// The memory of a seat before anything of a deck is dealt; `eager` if the discards become the pile as
    /// soon as it is empty.
    pub fn before_deal(seat: Seat, deck: Resources, eager: bool) -> Self {
        let sizes = [0; HOLDERS];
        let known = Knowledge::ageless(deck, [Resources::NONE; HOLDERS], sizes);
        let log = ArrayVec::new();
        HiddenHands { seat, deck, known, log, sizes, pile: deck.total(), eager }
    }

    /// Whose memory this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Cards that a seat surely holds, as far as this seat knows.
    pub fn surely_held(&self, seat: Seat) -> Resources {
        self.known.sure[seat.idx()]
    }

    /// Whether there are as many cards in hands and in the pile as this seat has seen, and its own are these.
    pub fn agrees(&self, hand_sizes: &[u8], pile: u8, own: Resources) -> bool {
        let same = hand_sizes.iter().zip(&self.sizes).all(|(now, size)| now == size);
        same && pile == self.pile && own == self.surely_held(self.seat)
    }

    /// Whether such cards lie open with a holder: all of them.
    pub fn agrees_on(&self, at: usize, cards: Resources) -> bool {
        self.known.sure[at] == cards && self.sizes[at] == cards.total()
    }

    /// Whether a holder has any cards.
    pub fn has_cards(&self, at: usize) -> bool {
        self.sizes[at] > 0
    }

    /// Whether a holder may have these cards: those that it doesn't surely have are among its others, and not surely
    /// elsewhere. Who is told by programs outside asks first, as for a card that is drawn.
    pub fn may_have(&self, at: usize, cards: Resources) -> bool {
        let sure = self.known.sure[at];
        let new = sure.missing(cards);
        new.total() <= self.sizes[at] - sure.total() && self.may_be_unseen(new)
    }

    /// Whether a card may come from the pile; of a kind, if this seat saw it.
    pub fn may_draw(&self, kind: Option<Resource>) -> bool {
        let card = kind.map_or(Resources::NONE, Resources::one);
        if self.pile == 0 {
            // The discards become the pile.
            return self.has_cards(Self::DISCARDS) && self.may_have(Self::DISCARDS, card);
        }
        let is_known = self.log.is_empty() && self.known.shuffled_in == 0;
        self.may_be_unseen(card) && (!is_known || self.known.new_pool.covers(card))
    }

    /// Whether the deck has such cards beside all that are surely somewhere.
    fn may_be_unseen(&self, cards: Resources) -> bool {
        let seen = self.known.sure.iter().fold(Resources::NONE, |all, &sure| all + sure);
        seen.checked_add(cards).is_some_and(|all| self.deck.covers(all))
    }

    /// A card came from the pile, with the reshuffle before or after it; the kind if this seat saw it.
    pub fn drew(&mut self, to: usize, kind: Option<Resource>) {
        if self.pile == 0 {
            self.reshuffle();
        }
        self.note(Seen::Drew { to: holder(to), kind });
        self.sizes[to] += 1;
        self.pile -= 1;
        if self.pile == 0 && self.eager {
            self.reshuffle();
        }
    }

    /// Cards that their owner moved in sight of this seat, between holders.
    pub fn moved(&mut self, from: usize, to: usize, cards: Resources) {
        for (kind, count) in cards.iter() {
            for _ in 0..count {
                // The counts stay in step with the log: a full log is dropped between two cards.
                self.note(Seen::Moved { from: holder(from), to: holder(to), kind });
                self.transfer(from, to);
            }
        }
    }

    /// Cards that a seat has shown that it holds.
    pub fn shown(&mut self, seat: Seat, cards: Resources) {
        if seat == self.seat {
            return;
        }
        let sure = self.known.sure[seat.idx()];
        for (kind, count) in cards.iter().filter(|&(kind, count)| sure.get(kind) < count) {
            self.note(Seen::Shown { at: holder(seat.idx()), kind, count });
        }
    }

    /// A card that moved face down.
    pub fn passed(&mut self, from: usize, to: usize) {
        self.note(Seen::Passed { from: holder(from), to: holder(to) });
        self.transfer(from, to);
    }

    /// A card that was taken at random, as all cards of the hand were equally likely to be, and that this seat
    /// saw. It is evidence about the hand, which a card that its owner chose is not.
    pub fn taken(&mut self, from: usize, to: usize, kind: Resource) {
        self.note(Seen::Taken { from: holder(from), to: holder(to), kind });
        self.transfer(from, to);
    }

    fn transfer(&mut self, from: usize, to: usize) {
        self.sizes[from] -= 1;
        self.sizes[to] += 1;
    }

    fn note(&mut self, seen: Seen) {
        if self.log.is_full() {
            self.forget_age();
        }
        let Some(open) = self.known.take_in(seen, self.log.is_empty()) else { return };
        match (self.log.last_mut(), open) {
            (Some(Open::Drew { to, cards }), Open::Drew { to: again, .. }) if *to == again => {
                *cards += 1;
            }
            _ => self.log.push(open),
        }
    }

    /// The discards become the pile: unseen cards in hands are old, and the pile's content is known.
    fn reshuffle(&mut self) {
        self.known = Knowledge::reshuffled(self.deck, self.known.sure, self.sizes);
        self.pile = std::mem::take(&mut self.sizes[Self::DISCARDS]);
        self.log.clear();
    }

    /// Forgets the age of unseen cards, to make room in the log.
    fn forget_age(&mut self) {
        self.known = Knowledge::ageless(self.deck, self.known.sure, self.sizes);
        self.log.clear();
    }

    /// Where the cards may be, by a replay of the log: the first of a chain, or a step from the last one.
    pub fn replay(&self, chain: &mut Chain<HOLDERS>, rng: &mut Pcg32) -> Knowledge<HOLDERS> {
        if self.log.is_empty() && self.known.shuffled_in == 0 {
            return self.known;
        }
        let Chain(last) = chain;
        let now = match *last {
            None => self.first_replay(rng),
            Some(last) => self.next_replay(last, rng),
        };
        last.insert(now).0
    }

    fn one_replay(&self, rng: &mut Pcg32) -> (Knowledge<HOLDERS>, f32) {
        let mut known = self.known;
        let weight = known.replay(&self.log, rng);
        (known, weight)
    }

    /// One of several replays, each as likely as its weight.
    fn first_replay(&self, rng: &mut Pcg32) -> (Knowledge<HOLDERS>, f32) {
        let mut kept = None;
        let mut total = 0.0;
        for attempt in 0..100 * REPLAYS {
            if attempt >= REPLAYS && kept.is_some() {
                break;
            }
            let (known, weight) = self.one_replay(rng);
            total += weight;
            if weight > 0.0 && unit(rng) * total < weight {
                kept = Some((known, weight));
            }
        }
        kept.unwrap_or_else(|| (self.without_log(), 0.0))
    }

    /// Another replay, or the last one again: the more often the less likely others make what was seen.
    fn next_replay(
        &self,
        mut last: (Knowledge<HOLDERS>, f32),
        rng: &mut Pcg32,
    ) -> (Knowledge<HOLDERS>, f32) {
        for _ in 0..STEPS {
            let next = self.one_replay(rng);
            if unit(rng) * last.1 < next.1 {
                last = next;
            }
        }
        last
    }

    /// The last resort if no replay fits what was seen: all unseen cards are dealt as one pool.
    #[cold]
    fn without_log(&self) -> Knowledge<HOLDERS> {
        Knowledge::ageless(self.deck, self.known.sure, self.sizes)
    }
}

fn holder(at: usize) -> u8 {
    u8::try_from(at).expect("a few holders")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::resources::Resource::{Brick, Ore, Wool};
    use proptest::prelude::*;

    /// Three hands, a market and the discards, with a short log.
    type Memory = HiddenHands<5, 12>;

    const MARKET: usize = 3;
    const DISCARDS: usize = Memory::DISCARDS;

    fn memory(deck: [u8; 5]) -> Memory {
        Memory::before_deal(Seat::FIRST, Resources::new(deck), false)
    }

    /// The observer draws these cards and gives them to a seat.
    fn give(memory: &mut Memory, to: usize, cards: &[Resource]) {
        for &kind in cards {
            memory.drew(0, Some(kind));
            memory.moved(0, to, Resources::one(kind));
        }
    }

    /// What is imagined at first.
    fn imagined(memory: &Memory, rng: &mut Pcg32) -> Knowledge<5> {
        memory.replay(&mut Chain::default(), rng)
    }

    /// How often something holds in what is imagined, at first and in one chain.
    fn shares(memory: &Memory, holds: impl Fn(&Knowledge<5>) -> bool) -> [f64; 2] {
        let mut rng = Pcg32::new(3, 7);
        let samples = 20_000;
        let mut chain = Chain::default();
        let mut hits = [0_u32; 2];
        for _ in 0..samples {
            let found = [imagined(memory, &mut rng), memory.replay(&mut chain, &mut rng)];
            hits.iter_mut().zip(&found).for_each(|(hits, found)| *hits += u32::from(holds(found)));
        }
        hits.map(|hits| f64::from(hits) / f64::from(samples))
    }

    /// Seat 2 has a wool and any card of two brick and two wool.
    fn one_of_two() -> Memory {
        let mut memory = memory([2, 0, 3, 0, 0]);
        give(&mut memory, 1, &[Wool]);
        memory.drew(1, None);
        memory
    }

    /// Two wool show a wool twice as often as a wool and a brick do: 1/2 to 1/4.
    #[test]
    fn a_card_taken_at_random_is_evidence() {
        let mut memory = one_of_two();
        memory.taken(1, 0, Wool);
        // In a third of all cases the sure wool was taken from beside a brick, and else from beside a wool or
        // it was itself the unseen one: then its pool has a wool less.
        for unseen_gone in shares(&memory, |known| known.further(1) == (0, 0)) {
            assert!((unseen_gone - 1.0 / 3.0).abs() < 0.015, "{unseen_gone}");
            let wool_left = unseen_gone + (1.0 - unseen_gone) / 2.0;
            assert!((wool_left - 2.0 / 3.0).abs() < 0.01, "{wool_left}");
        }
        let mut memory = one_of_two();
        memory.moved(1, DISCARDS, Resources::one(Wool));
        assert!(memory.log.is_empty(), "the owner pays the wool that all know of");
    }

    /// Of two wool and an ore seat 2 passes one to seat 3; a wool is then taken from seat 2. That it passed the
    /// ore was half as likely as a wool, and shows a wool twice as often.
    #[test]
    fn what_makes_a_replay_likelier_is_kept() {
        let mut memory = memory([3, 0, 3, 0, 3]);
        give(&mut memory, 1, &[Wool, Wool, Ore]);
        memory.passed(1, 2);
        let passed_ore = |known: &Knowledge<5>| known.known(2).get(Ore) == 1;
        for ore in shares(&memory, passed_ore) {
            assert!((ore - 1.0 / 3.0).abs() < 0.015, "{ore}");
        }
        memory.taken(1, 0, Wool);
        let [at_first, in_a_chain] = shares(&memory, passed_ore);
        assert!((at_first - 0.5).abs() < 0.04, "half, up to what a few replays depart: {at_first}");
        assert!((in_a_chain - 0.5).abs() < 0.015, "{in_a_chain}");
        assert_eq!(memory.surely_held(Seat::FIRST), Resources::one(Wool));
    }

    #[test]
    fn what_can_be_taken_from_one_place_only_is_not_ambiguous() {
        let mut memory = one_of_two();
        memory.drew(0, Some(Brick));
        memory.taken(1, 0, Brick);
        memory.taken(0, 1, Brick);
        assert!(memory.log.is_empty());
        assert_eq!(memory.known.further(1), (0, 0), "the further card was the brick");
        assert_eq!(memory.known.known(1), Resources::new([1, 0, 1, 0, 0]));
        assert_eq!(memory.known.known(0), Resources::one(Brick));
    }

    /// Of six cards seat 2 has two old ones and a new one, and shows that two of them are wool: with one wool
    /// in each pool, both are there.
    #[test]
    fn a_hand_shown_whole_has_nothing_further() {
        let mut memory = memory([3, 0, 3, 0, 0]);
        for kind in [Some(Brick), Some(Wool), Some(Wool)] {
            memory.drew(0, kind);
        }
        for seat in [1, 1, 2] {
            memory.drew(seat, None);
        }
        memory.moved(0, DISCARDS, Resources::new([1, 0, 1, 0, 0]));
        memory.drew(1, None);
        assert_eq!(memory.known.further(1), (2, 1));
        memory.shown(Seat::new(1), Resources::new([1, 0, 2, 0, 0]));
        let mut rng = Pcg32::new(4, 7);
        for _ in 0..100 {
            let known = imagined(&memory, &mut rng);
            assert_eq!(known.known(1), Resources::new([1, 0, 2, 0, 0]));
            assert_eq!(known.further(1), (0, 0));
            assert_eq!(known.old_pool(), Resources::one(Brick), "for seat 3");
        }
    }

    #[test]
    fn an_open_place_is_known_and_stays_in_a_reshuffle() {
        let mut memory = memory([2, 0, 2, 0, 0]);
        memory.drew(MARKET, Some(Brick));
        memory.drew(0, Some(Wool));
        memory.moved(MARKET, 0, Resources::one(Brick));
        memory.moved(0, MARKET, Resources::one(Wool));
        memory.drew(1, None);
        memory.drew(2, None);
        memory.moved(0, DISCARDS, Resources::one(Brick));
        memory.drew(MARKET, Some(Brick));
        let known = imagined(&memory, &mut Pcg32::new(5, 7));
        assert_eq!(known.known(MARKET), Resources::new([1, 0, 1, 0, 0]));
        assert_eq!(known.old_pool(), Resources::new([1, 0, 1, 0, 0]));
        assert_eq!([known.further(1), known.further(2)], [(1, 0); 2]);
    }

    #[test]
    fn what_can_be_nowhere_is_told() {
        let mut memory = memory([2, 0, 1, 0, 0]);
        assert!(memory.may_draw(Some(Wool)) && !memory.may_draw(Some(Ore)));
        give(&mut memory, 1, &[Wool]);
        assert!(!memory.may_draw(Some(Wool)), "it is in a hand");
        memory.drew(1, None);
        let may_have = |counts| memory.may_have(1, Resources::new(counts));
        assert!(may_have([1, 0, 1, 0, 0]) && !may_have([2, 0, 1, 0, 0]));
        assert!(!may_have([0, 0, 2, 0, 0]), "there is one");
        assert!(!memory.may_have(2, Resources::one(Brick)) && !memory.has_cards(2));
        memory.drew(2, None);
        assert!(!memory.may_draw(None), "no card is left");
        memory.moved(1, DISCARDS, Resources::one(Wool));
        assert!(memory.may_draw(Some(Wool)) && !memory.may_draw(Some(Brick)));
    }

    /// The cards themselves, beside the memory of seat 1.
    struct Truth {
        places: [Resources; 5],
        pile: Resources,
        memory: Memory,
    }

    impl Truth {
        /// Something that a few numbers choose, if it is possible.
        fn step(&mut self, [what, from, to, rank]: [u8; 4]) {
            let (from, to) = (usize::from(from), usize::from(to));
            if what == 0 {
                if self.pile.is_empty() {
                    self.pile = std::mem::take(&mut self.places[DISCARDS]);
                }
                let Some(kind) = card_of(self.pile, rank) else { return };
                self.pile = self.pile - Resources::one(kind);
                self.places[to] = self.places[to] + Resources::one(kind);
                let seen = [0, MARKET, DISCARDS].contains(&to).then_some(kind);
                assert!(self.memory.may_draw(seen), "{kind} was drawn");
                self.memory.drew(to, seen);
                if self.pile.is_empty() && self.memory.eager {
                    self.pile = std::mem::take(&mut self.places[DISCARDS]);
                }
                return;
            }
            let Some(kind) = card_of(self.places[from], rank).filter(|_| from != to) else {
                return;
            };
            let card = Resources::one(kind);
            assert!(self.memory.may_have(from, self.places[from]), "{from} had what it had");
            match what {
                1 => return self.memory.shown(Seat::new(1), self.places[1]),
                2 if [from, to].iter().all(|at| [1, 2].contains(at)) => {
                    self.memory.passed(from, to);
                }
                3 if from < MARKET && to < MARKET => self.memory.taken(from, to, kind),
                _ => self.memory.moved(from, to, card),
            }
            self.places[from] = self.places[from] - card;
            self.places[to] = self.places[to] + card;
        }
    }

    fn card_of(cards: Resources, rank: u8) -> Option<Resource> {
        (!cards.is_empty()).then(|| cards.at_rank(u32::from(rank % cards.total())))
    }

    proptest! {
        /// Whatever happens, what is imagined adds up to the deck and to the public sizes, what is sure is
        /// true, and the own hand and open places are known.
        #[test]
        fn what_is_imagined_adds_up(
            steps in prop::collection::vec((0_u8..5, 0_u8..5, 0_u8..5, any::<u8>()), 0..120),
            eager: bool,
        ) {
            let deck = Resources::new([4, 3, 5, 2, 3]);
            let memory = Memory::before_deal(Seat::FIRST, deck, eager);
            let mut truth = Truth { places: [Resources::NONE; 5], pile: deck, memory };
            for (what, from, to, rank) in steps {
                truth.step([what, from, to, rank]);
            }
            let known = imagined(&truth.memory, &mut Pcg32::new(6, 7));
            let mut old = 0;
            let mut all = known.old_pool() + known.new_pool;
            for (at, &cards) in truth.places.iter().enumerate() {
                let (of_old, of_new) = known.further(at);
                prop_assert_eq!(known.known(at).total() + of_old + of_new, cards.total());
                if [0, MARKET, DISCARDS].contains(&at) {
                    prop_assert_eq!(known.known(at), cards);
                }
                prop_assert!(cards.covers(truth.memory.known.sure[at]));
                all = all + known.known(at);
                old += of_old;
            }
            prop_assert_eq!(all, deck);
            prop_assert_eq!(known.old_pool().total(), old);
        }
    }
}
