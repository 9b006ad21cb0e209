//! Sets of small numbers as the bits of a word.

/// The lowest bit of each byte, and the highest.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The place of the bit at each rank of a byte, at `rank << 8 | byte`.
static IN_BYTE: [u8; 8 << 8] = {
    let mut places = [0; 8 << 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut rank) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                places[rank << 8 | byte] = place;
                rank += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    places
};

/// The place of the bit at a rank from 0, counted from the lowest. The set has more bits than that.
///
/// The sums of bytes up to each are found in one word, and so are those that the rank reaches past; the rest is a
/// table (S. Vigna, "Broadword Implementation of Rank/Select Queries", 2008, algorithm 2). No branches.
#[allow(clippy::cast_possible_truncation, reason = "places are below 64")]
#[inline]
pub fn select(set: u64, rank: u32) -> u8 {
    debug_assert!(rank < set.count_ones(), "no bit at rank {rank} of {set:#x}");
    let rank = u64::from(rank);
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let passed = ((rank.wrapping_mul(ONES) | HIGH) - sums) & HIGH;
    let start = 8 * passed.count_ones();
    let left = rank - (sums << 8 >> start & 0xff);
    let byte = set >> start & 0xff;
    start as u8 + IN_BYTE[((left & 7) << 8 | byte) as usize]
}

/// The places of the bits that are set, in ascending order.
#[inline]
pub fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The place of the bit at each rank, one after the other.
    fn places(set: u64) -> Vec<u8> {
        (0..64).filter(|place| set >> place & 1 == 1).collect()
    }

    fn selected(set: u64) -> Vec<u8> {
        (0..set.count_ones()).map(|rank| select(set, rank)).collect()
    }

    proptest! {
        #[test]
        fn a_rank_has_the_bit_that_counting_finds(a: u64, b: u64, c: u64) {
            for set in [a, a | b, a | b | c, a & b, a & b & c] {
                prop_assert_eq!(selected(set), places(set));
            }
        }
    }

    #[test]
    fn full_and_single_sets_have_their_bits_in_order() {
        for set in [u64::MAX, u64::MAX >> 3, 0xff, 0xff << 56, HIGH, ONES] {
            assert_eq!(selected(set), places(set));
        }
        for place in 0..64 {
            assert_eq!(select(1 << place, 0), place);
        }
    }
}
