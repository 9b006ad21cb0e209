//! The only source of luck, passed to the rules as an argument.
//!
//! What can be drawn is each game's own list, a type that implements [`Luck`]. [`RandomChance`] samples;
//! [`ScriptedChance`] plays a list and panics when the list does not fit. Nothing here knows rules, or keeps
//! anything between matches.

use crate::core::seed::{BlockSeed, CHANCE_STREAMS, Stream};
use crate::core::types::bits::{Ranked, select};
use rand_core::Rng;
use rand_pcg::Pcg32;
use std::collections::VecDeque;
use std::fmt::Debug;

/// What is left to luck in a game: a type of its own with a value for each kind of draw.
pub trait Luck: Copy + Eq + Debug + Send + Sync {
    /// The number of the stream that it is drawn from, below [`CHANCE_STREAMS`]. Draws of one stream shift
    /// each other within a turn, draws of different streams don't.
    fn stream(self) -> u8;
}

/// When something is drawn: what is dealt doesn't shift what comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Before the first turn.
    Deal,
    /// In a turn.
    Turn,
}

/// One chance event that has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChanceEvent<D> {
    /// What was drawn.
    pub draw: D,
    /// The result: an element of the set, or an index of the counts.
    pub outcome: u8,
}

/// A source of luck for a game's kinds of draws.
pub trait Chance<D: Luck> {
    /// A new turn begins, counted from 1: streams start afresh.
    fn start_turn(&mut self, turn: u16);

    /// One element of a set of up to 64, each equally likely.
    ///
    /// # Panics
    /// May panic if `among` is empty.
    fn card(&mut self, draw: D, among: u64) -> u8;

    /// `count` elements of a set one after the other, each equally likely among those that are left; returns
    /// the rest. They are what as many calls of [`Chance::card`] would give. `draw` says what the element at
    /// each place from 0 is drawn for; all are of one stream.
    ///
    /// # Panics
    /// May panic if the set has fewer elements.
    #[inline]
    fn cards(
        &mut self,
        count: u8,
        mut among: u64,
        draw: impl Fn(u8) -> D,
        mut drawn: impl FnMut(D, u8),
    ) -> u64 {
        for draw in (0..count).map(draw) {
            let card = self.card(draw, among);
            among &= !(1 << card);
            drawn(draw, card);
        }
        among
    }

    /// An index of `counts`, each as likely as its count (a card from a shuffled deck of those counts).
    ///
    /// # Panics
    /// May panic if all counts are 0.
    fn kind(&mut self, draw: D, counts: &[u8]) -> u8;
}

/// A uniform integer in `0..bound` without bias (D. Lemire, "Fast Random Integer Generation in an
/// Interval", 2019). `bound` is at least 1.
#[inline]
pub fn below(rng: &mut Pcg32, bound: u32) -> u32 {
    debug_assert!(bound > 0, "an empty range has no elements");
    let product = u64::from(rng.next_u32()) * u64::from(bound);
    if low_half(product) < bound { without_bias(rng, bound, product) } else { high_half(product) }
}

/// The rest of [`below`]: draws again while the product lies where it would make a number too likely.
#[cold]
fn without_bias(rng: &mut Pcg32, bound: u32, mut product: u64) -> u32 {
    let threshold = bound.wrapping_neg() % bound;
    while low_half(product) < threshold {
        product = u64::from(rng.next_u32()) * u64::from(bound);
    }
    high_half(product)
}

#[allow(clippy::cast_possible_truncation, reason = "the low half is what is meant")]
#[inline]
const fn low_half(x: u64) -> u32 {
    x as u32
}

#[allow(clippy::cast_possible_truncation, reason = "32 bits are left")]
#[inline]
const fn high_half(x: u64) -> u32 {
    (x >> 32) as u32
}

/// A uniform float in `[0, 1)` with 24 bits. For agents only.
#[inline]
pub fn unit(rng: &mut Pcg32) -> f32 {
    (rng.next_u32() >> 8) as f32 / 16_777_216.0
}

/// A uniform element of a set: the one at a uniform rank.
///
/// A draw takes one random number, whatever the set. Two chance sources with the same stream and nearly the same
/// set mostly pick the same element or a neighbour, which keeps paired variants together where neighbours are
/// alike, as cards sorted by kind are.
#[allow(clippy::inline_always, reason = "the hottest call of a match")]
#[allow(clippy::cast_possible_truncation, reason = "a rank is below 64")]
#[inline(always)]
pub fn pick(rng: &mut Pcg32, among: u64) -> u8 {
    debug_assert!(among != 0, "nothing to pick from");
    let rank = below(rng, among.count_ones());
    // Of the first few numbers, as a pair of dice has them, each is its own rank.
    let is_first_few = among & among.wrapping_add(1) == 0;
    if is_first_few { rank as u8 } else { select(among, rank) }
}

/// The lowest element of a set that is not empty.
#[allow(clippy::cast_possible_truncation, reason = "a bit's index is below 64")]
#[inline]
pub const fn first(set: u64) -> u8 {
    set.trailing_zeros() as u8
}

/// An index as likely as its count: the kind of a random card. Not all counts are 0.
#[inline]
pub fn weighted(rng: &mut Pcg32, counts: &[u8]) -> u8 {
    let total = counts.iter().map(|&count| u32::from(count)).sum();
    at_rank(counts, below(rng, total))
}

/// The kind of the card at a rank from 0, with the cards in the order of their kinds.
///
/// # Panics
/// If there are no more cards than that.
#[inline]
pub fn at_rank(counts: &[u8], rank: u32) -> u8 {
    // Where the rank lies is not to be foreseen, so that comparing it with every sum is faster than stopping.
    let (mut sum, mut passed) = (0, 0);
    for &count in counts {
        sum += u32::from(count);
        passed += u8::from(rank >= sum);
    }
    assert!(rank < sum, "the rank is below the total");
    passed
}

/// Chance from one block's streams.
#[derive(Debug, Clone)]
pub struct RandomChance {
    seed: BlockSeed,
    turn: u16,
    /// Generators by stream; `started` says which belong to this turn.
    streams: [Pcg32; CHANCE_STREAMS],
    started: u8,
}

impl RandomChance {
    /// The luck of a block, before the first turn.
    pub fn new(seed: BlockSeed) -> RandomChance {
        let unused = Pcg32::new(0, 0);
        let streams = std::array::from_fn(|_| unused.clone());
        RandomChance { seed, turn: 0, streams, started: 0 }
    }

    #[inline]
    fn rng(&mut self, stream: u8) -> &mut Pcg32 {
        let idx = usize::from(stream);
        if self.started & (1 << idx) == 0 {
            self.started |= 1 << idx;
            self.streams[idx] = self.seed.stream(Stream::Chance(stream), None, self.turn);
        }
        &mut self.streams[idx]
    }
}

impl<D: Luck> Chance<D> for RandomChance {
    #[inline]
    fn start_turn(&mut self, turn: u16) {
        self.turn = turn;
        self.started = 0;
    }

    #[allow(clippy::inline_always, reason = "the hottest call of a match")]
    #[inline(always)]
    fn card(&mut self, draw: D, among: u64) -> u8 {
        pick(self.rng(draw.stream()), among)
    }

    #[inline]
    fn cards(
        &mut self,
        count: u8,
        among: u64,
        draw: impl Fn(u8) -> D,
        mut drawn: impl FnMut(D, u8),
    ) -> u64 {
        let stream = draw(0).stream();
        let rng = self.rng(stream);
        let mut among = Ranked::new(among);
        for draw in (0..count).map(draw) {
            debug_assert_eq!(draw.stream(), stream, "{draw:?} is of another stream");
            let rank = below(rng, among.count());
            drawn(draw, among.take(rank));
        }
        among.left()
    }

    #[inline]
    fn kind(&mut self, draw: D, counts: &[u8]) -> u8 {
        weighted(self.rng(draw.stream()), counts)
    }
}

/// Chance from one generator, for rollouts and determinizations, where streams do not matter.
#[derive(Debug)]
pub struct PlainChance<'a>(pub &'a mut Pcg32);

impl<D: Luck> Chance<D> for PlainChance<'_> {
    #[inline]
    fn start_turn(&mut self, _turn: u16) {}

    #[inline]
    fn card(&mut self, _draw: D, among: u64) -> u8 {
        pick(self.0, among)
    }

    #[inline]
    fn kind(&mut self, _draw: D, counts: &[u8]) -> u8 {
        weighted(self.0, counts)
    }
}

/// One line of a script: the lowest element of a mask, or an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scripted {
    /// The lowest card that lies both in the mask and in what may be drawn.
    Card(u64),
    /// This index of the counts.
    Kind(u8),
}

/// Chance that plays a list. Every test ends by asserting [`ScriptedChance::is_exhausted`], so that a
/// missing event fails a test as well as an extra one.
#[derive(Debug, Clone, Default)]
pub struct ScriptedChance {
    script: VecDeque<Scripted>,
}

impl ScriptedChance {
    /// Plays `script` from its first line.
    pub fn new(script: impl IntoIterator<Item = Scripted>) -> ScriptedChance {
        ScriptedChance { script: script.into_iter().collect() }
    }

    /// Whether every line has been used.
    pub fn is_exhausted(&self) -> bool {
        self.script.is_empty()
    }
}

impl<D: Luck> Chance<D> for ScriptedChance {
    fn start_turn(&mut self, _turn: u16) {}

    /// # Panics
    /// If the script is used up or names a card that can't be drawn.
    fn card(&mut self, draw: D, among: u64) -> u8 {
        match self.script.pop_front() {
            Some(Scripted::Card(mask)) if mask & among != 0 => first(mask & among),
            line => panic!("the script has {line:?} where {draw:?} draws from {among:#x}"),
        }
    }

    /// # Panics
    /// If the script is used up or names a kind that is gone.
    fn kind(&mut self, draw: D, counts: &[u8]) -> u8 {
        match self.script.pop_front() {
            Some(Scripted::Kind(idx)) if counts.get(usize::from(idx)).is_some_and(|&n| n > 0) => {
                idx
            }
            line => panic!("the script has {line:?} where {draw:?} picks from {counts:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Any;

    impl Luck for Any {
        fn stream(self) -> u8 {
            1
        }
    }

    /// Chi-squared of observed counts against equal expectations.
    fn chi_squared(observed: &[u32]) -> f64 {
        let mean = f64::from(observed.iter().sum::<u32>()) / observed.len() as f64;
        observed.iter().map(|&o| (f64::from(o) - mean).powi(2) / mean).sum()
    }

    /// Full, sparse and single sets, and one whose bytes are empty and full.
    const SETS: [u64; 6] =
        [u64::MAX >> 3, u64::MAX, 0x8000_0000_0000_0201, 1 << 60 | 0b1011, 0xff_00ff_0001, 1 << 17];

    /// How often each element of a set is drawn, in order.
    fn hits(among: u64, draws: u32, mut draw: impl FnMut(u64) -> u8) -> Vec<u32> {
        let mut hits = [0_u32; 64];
        for _ in 0..draws {
            hits[usize::from(draw(among))] += 1;
        }
        let inside: Vec<u32> = (0..64).filter(|i| among >> i & 1 == 1).map(|i| hits[i]).collect();
        assert_eq!(inside.iter().sum::<u32>(), draws, "only cards of the set come");
        inside
    }

    /// Chi-squared that is passed about once in 30,000 times: its mean is its degrees of freedom, its variance
    /// twice that.
    fn bound(freedom: f64) -> f64 {
        freedom + 4.0 * (2.0 * freedom).sqrt() + 1.0
    }

    #[test]
    fn a_card_of_each_rank_is_equally_likely() {
        for among in SETS {
            let mut chance = RandomChance::new(BlockSeed::new(1, 0));
            let inside = hits(among, 64_000, |among| chance.card(Any, among));
            let freedom = inside.len() as f64 - 1.0;
            assert!(chi_squared(&inside) < bound(freedom), "{:?}", chi_squared(&inside));
        }
    }

    /// Another exact draw: five trials of 6 bits of one number, then the rank.
    fn pick_by_trial(rng: &mut Pcg32, among: u64) -> u8 {
        let bits = rng.next_u32();
        let trials = (0..5).map(|trial| (bits >> (6 * trial) & 63) as u8);
        trials.into_iter().find(|card| among >> card & 1 == 1).unwrap_or_else(|| {
            let lower = |rest: u64, _| rest & (rest - 1);
            first((0..below(rng, among.count_ones())).fold(among, lower))
        })
    }

    #[test]
    fn cards_come_by_rank_as_they_come_by_trial() {
        for among in SETS {
            let mut rng = BlockSeed::new(4, 0).stream(Stream::Chance(1), None, 1);
            let by_rank = hits(among, 64_000, |among| pick(&mut rng, among));
            let by_trial = hits(among, 64_000, |among| pick_by_trial(&mut rng, among));
            // Equal numbers of draws: each cell adds the squared difference over the sum.
            let cell =
                |(&a, &b): (&u32, &u32)| (f64::from(a) - f64::from(b)).powi(2) / f64::from(a + b);
            let chi: f64 = by_rank.iter().zip(&by_trial).map(cell).sum();
            assert!(chi < bound(by_rank.len() as f64 - 1.0), "{chi}");
        }
    }

    #[test]
    fn cards_in_a_row_are_those_of_single_draws() {
        for among in SETS {
            let mut all = RandomChance::new(BlockSeed::new(6, 0));
            let mut single = all.clone();
            let mut left = among;
            let half = u8::try_from(among.count_ones()).unwrap() / 2;
            let rest = all.cards(
                half,
                among,
                |_| Any,
                |_, card| {
                    assert_eq!(card, single.card(Any, left));
                    left &= !(1 << card);
                },
            );
            assert_eq!((rest, all.card(Any, rest)), (left, single.card(Any, left)));
        }
    }

    #[test]
    fn a_draw_takes_one_number_whatever_the_set() {
        for among in SETS {
            let mut rng = BlockSeed::new(5, 0).stream(Stream::Chance(1), None, 1);
            let mut other = rng.clone();
            pick(&mut rng, among);
            other.next_u32();
            assert_eq!(rng, other);
        }
    }

    #[test]
    fn a_kind_comes_as_often_as_its_count() {
        let mut chance = RandomChance::new(BlockSeed::new(2, 0));
        let mut hits = [0_u32; 4];
        for _ in 0..34_000 {
            hits[usize::from(chance.kind(Any, &[10, 11, 0, 13]))] += 1;
        }
        assert_eq!(hits[2], 0);
        for (hit, expected) in [(hits[0], 10_000_f64), (hits[1], 11_000.0), (hits[3], 13_000.0)] {
            assert!((f64::from(hit) - expected).abs() < 4.0 * expected.sqrt(), "{hits:?}");
        }
    }

    #[test]
    fn ranks_go_through_the_kinds_in_order() {
        let counts = [2, 0, 1, 3];
        let kinds: Vec<u8> = (0..6).map(|rank| at_rank(&counts, rank)).collect();
        assert_eq!(kinds, [0, 0, 2, 3, 3, 3]);
    }

    #[test]
    fn streams_start_afresh_each_turn() {
        let mut short = RandomChance::new(BlockSeed::new(3, 9));
        let mut long = short.clone();
        let all = u64::MAX >> 3;
        let start = |chance: &mut RandomChance, turn| Chance::<Any>::start_turn(chance, turn);
        start(&mut short, 1);
        start(&mut long, 1);
        for _ in 0..10 {
            long.card(Any, all);
        }
        start(&mut short, 2);
        start(&mut long, 2);
        assert_eq!(short.card(Any, all), long.card(Any, all));
    }

    #[test]
    #[should_panic(expected = "the script has")]
    fn a_script_that_does_not_fit_is_refused() {
        ScriptedChance::new([Scripted::Card(0b100)]).card(Any, 0b011);
    }
}
