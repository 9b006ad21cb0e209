//! From a master seed to the seed of every stream of random numbers.
//!
//! Generator: PCG XSH RR 64/32 ("pcg32", `rand_pcg::Pcg32`; M. E. O'Neill, 2014).
//! Mixing: the finalizer of `SplitMix64` with Stafford's variant 13 (Steele, Lea, Flood, 2014), a bijection
//! of 64 bits. Streams of one block share the increment and start at distinct states, because their tags
//! are distinct; streams of two blocks differ in both. No clock, no system generator.

use crate::core::types::seat::Seat;
use rand_pcg::Pcg32;

/// What a stream of random numbers is for. An agent that draws more numbers never changes the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Luck within a match: a number that the game gives it, below [`CHANCE_STREAMS`].
    Chance(u8),
    /// One agent's own choices.
    Agent,
    /// The experiment itself: which blocks a sample takes.
    Study,
}

/// Number of streams that a game may use within a match.
pub const CHANCE_STREAMS: usize = 5;

impl Stream {
    /// Its part of a seed; the same number for ever.
    #[inline]
    const fn number(self) -> u64 {
        match self {
            Stream::Chance(number) => number as u64,
            Stream::Agent => CHANCE_STREAMS as u64,
            Stream::Study => CHANCE_STREAMS as u64 + 1,
        }
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Stafford's variant 13 of the 64-bit finalizer, as in `SplitMix64`.
#[inline]
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Where some streams come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Root {
    state: u64,
    increment: u64,
}

impl Root {
    #[inline]
    const fn new(master: u64, number: u64) -> Root {
        let run = mix(master.wrapping_add(GOLDEN));
        let state = mix(run ^ mix(number.wrapping_add(GOLDEN)));
        let increment = mix(state.wrapping_add(GOLDEN) ^ run.rotate_left(32));
        Root { state, increment }
    }
}

/// The seed of one block, from which all its streams come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockSeed {
    /// What is drawn before the first turn.
    deal: Root,
    /// All that comes later, and the agents' own choices.
    later: Root,
}

impl BlockSeed {
    /// The seed of block number `block` of the run with seed `master`.
    #[inline]
    pub const fn new(master: u64, block: u64) -> BlockSeed {
        let root = Root::new(master, block);
        BlockSeed { deal: root, later: root }
    }

    /// The same deal with other luck: chance from the first turn on, and the agents' own streams. Luck 0 is the
    /// block's own.
    #[inline]
    pub const fn with_luck(self, luck: u16) -> BlockSeed {
        // The state is turned over, so that no block of a run whose master seed is this state has the same streams.
        let later = if luck == 0 { self.deal } else { Root::new(!self.deal.state, luck as u64) };
        BlockSeed { later, ..self }
    }

    /// A short name of the deal, for `matches.csv`.
    pub const fn name(self) -> u64 {
        self.deal.state
    }

    /// The generator for a purpose, a seat (where it has one) and a turn (0 before the first).
    #[inline]
    pub fn stream(self, stream: Stream, seat: Option<Seat>, turn: u16) -> Pcg32 {
        let is_deal = turn == 0 && matches!(stream, Stream::Chance(_));
        let Root { state, increment } = if is_deal { self.deal } else { self.later };
        let seat = seat.map_or(0, |seat| u64::from(seat.number()));
        let tag = (stream.number() << 32) | (seat << 16) | u64::from(turn);
        Pcg32::new(mix(state ^ tag.wrapping_mul(GOLDEN)), increment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn streams_are_the_same_for_ever() {
        // The first values of the generator are part of the contract: the same bytes on every machine.
        let mut rng = BlockSeed::new(7, 12).stream(Stream::Chance(1), None, 3);
        let first: Vec<u32> = (0..3).map(|_| rng.next_u32()).collect();
        assert_eq!(first, FIRST_VALUES);
    }

    const FIRST_VALUES: [u32; 3] = [1_343_638_180, 2_765_909_342, 4_123_779_064];

    #[test]
    fn mix_agrees_with_the_published_splitmix64() {
        // First two outputs of SplitMix64 from state 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64").
        assert_eq!(mix(1_234_567_u64.wrapping_add(GOLDEN)), 6_457_827_717_110_365_317);
        assert_eq!(
            mix(1_234_567_u64.wrapping_add(GOLDEN.wrapping_mul(2))),
            3_203_168_211_198_807_973
        );
    }

    #[test]
    fn a_million_streams_do_not_collide() {
        let mut seen = BTreeSet::new();
        for master in 0..10 {
            for block in 0..1000 {
                let seed = BlockSeed::new(master, block);
                for turn in 0..20 {
                    for stream in [0, 1, 2, 3].map(Stream::Chance) {
                        seen.insert(seed.stream(stream, None, turn).next_u64());
                    }
                    seen.insert(seed.stream(Stream::Agent, Some(Seat::FIRST), turn).next_u64());
                }
            }
        }
        assert_eq!(seen.len(), 1_000_000);
    }

    #[test]
    fn other_luck_leaves_the_deal_as_it_is_and_nothing_else() {
        let block = BlockSeed::new(7, 12);
        assert_eq!(block.with_luck(0), block);
        assert_eq!(block.with_luck(3).with_luck(0), block);
        let first =
            |seed: BlockSeed, stream, seat, turn| seed.stream(stream, seat, turn).next_u64();
        let mut later = BTreeSet::new();
        for luck in 0..1000 {
            let seed = block.with_luck(luck);
            assert_eq!(seed.name(), block.name());
            for stream in [0, 1, 4].map(Stream::Chance) {
                assert_eq!(first(seed, stream, None, 0), first(block, stream, None, 0));
                later.insert(first(seed, stream, None, 1));
            }
            later.insert(first(seed, Stream::Agent, Some(Seat::FIRST), 0));
        }
        assert_eq!(later.len(), 4000);
    }

    #[test]
    fn neighbouring_seeds_share_no_bits_beyond_chance() {
        // Hamming distance of first outputs of neighbours: mean 32 of 64 bits, standard error 4/√n.
        let mut distance = 0_u64;
        let n = 100_000_u64;
        for block in 0..n {
            let a = BlockSeed::new(3, block).stream(Stream::Chance(0), None, 0).next_u64();
            let b = BlockSeed::new(3, block + 1).stream(Stream::Chance(0), None, 0).next_u64();
            let c = BlockSeed::new(4, block).stream(Stream::Chance(0), None, 0).next_u64();
            distance += u64::from((a ^ b).count_ones() + (a ^ c).count_ones());
        }
        let mean = distance as f64 / (2 * n) as f64;
        assert!((mean - 32.0).abs() < 4.0 * 4.0 / (2.0 * n as f64).sqrt(), "mean distance {mean}");
    }
}
