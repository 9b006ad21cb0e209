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

/// A set from which elements are taken by rank, one after the other.
///
/// The sums of its bytes up to each are kept in one word, which finds the bytes that a rank reaches past; the rest is
/// a table (S. Vigna, "Broadword Implementation of Rank/Select Queries", 2008, algorithm 2). No branches.
#[derive(Debug, Clone, Copy)]
pub struct Ranked {
    left: u64,
    /// Elements in each byte and those below it.
    sums: u64,
}

impl Ranked {
    /// The elements of a set.
    #[inline]
    pub const fn new(set: u64) -> Ranked {
        let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Ranked { left: set, sums: bytes.wrapping_mul(ONES) }
    }

    /// Number of elements that are left.
    #[allow(clippy::cast_possible_truncation, reason = "at most 64")]
    #[inline]
    pub const fn count(&self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// The elements that are left.
    #[inline]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Takes the element at a rank from 0, counted from the lowest. There are more than that.
    #[allow(clippy::cast_possible_truncation, reason = "places are below 64")]
    #[inline]
    pub fn take(&mut self, rank: u32) -> u8 {
        debug_assert!(rank < self.count(), "no element at rank {rank} of {:#x}", self.left);
        let rank = u64::from(rank);
        let passed = ((rank.wrapping_mul(ONES) | HIGH) - self.sums) & HIGH;
        let start = 8 * passed.count_ones();
        let within = rank - (self.sums << 8 >> start & 0xff);
        let byte = self.left >> start & 0xff;
        let place = start as u8 + IN_BYTE[((within & 7) << 8 | byte) as usize];
        self.left &= !(1 << place);
        self.sums -= ONES << start;
        place
    }
}

/// The element of a set at a rank from 0, counted from the lowest. There are more than that.
#[inline]
pub fn select(set: u64, rank: u32) -> u8 {
    Ranked::new(set).take(rank)
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

/// The bits of several words, row by row: the key of a row, and the place of a bit in its word.
#[derive(Debug, Clone)]
pub struct Rows<K, R> {
    rows: R,
    row: Option<(K, u64)>,
}

impl<K, R: Iterator<Item = (K, u64)>> Rows<K, R> {
    /// All bits of the words that come with keys.
    #[inline]
    pub fn new(rows: R) -> Rows<K, R> {
        Rows { rows, row: None }
    }
}

impl<K: Copy, R: Iterator<Item = (K, u64)>> Iterator for Rows<K, R> {
    type Item = (K, usize);

    #[inline]
    fn next(&mut self) -> Option<(K, usize)> {
        self.nth(0)
    }

    /// Passes whole rows without looking at their bits.
    #[inline]
    fn nth(&mut self, mut skipped: usize) -> Option<(K, usize)> {
        loop {
            if let Some((key, word)) = &mut self.row {
                let here = word.count_ones() as usize;
                if skipped < here {
                    for _ in 0..skipped {
                        *word &= *word - 1;
                    }
                    let place = word.trailing_zeros() as usize;
                    *word &= *word - 1;
                    return Some((*key, place));
                }
                skipped -= here;
            }
            self.row = self.rows.next();
            self.row.as_ref()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The place of the bit at each rank, one after the other.
    fn places(set: u64) -> Vec<u8> {
        (0..64).filter(|place| set >> place & 1 == 1).collect()
    }

    /// The first that is taken, for each rank.
    fn taken(set: u64) -> Vec<u8> {
        (0..set.count_ones()).map(|rank| select(set, rank)).collect()
    }

    proptest! {
        #[test]
        fn a_rank_has_the_element_that_counting_finds(a: u64, b: u64, c: u64) {
            for set in [a, a | b, a | b | c, a & b, a & b & c] {
                prop_assert_eq!(taken(set), places(set));
            }
        }

        #[test]
        fn what_is_taken_is_gone(set: u64, ranks: [u32; 64]) {
            let (mut ranked, mut left) = (Ranked::new(set), places(set));
            for rank in ranks {
                prop_assert_eq!(ranked.count() as usize, left.len());
                if left.is_empty() {
                    break;
                }
                let rank = rank % ranked.count();
                prop_assert_eq!(ranked.take(rank), left.remove(rank as usize));
            }
        }
    }

    #[test]
    fn full_and_single_sets_have_their_elements_in_order() {
        for set in [0, u64::MAX, u64::MAX >> 3, 0xff, 0xff << 56, HIGH, ONES] {
            assert_eq!(taken(set), places(set));
        }
        for place in 0..64 {
            assert_eq!(taken(1 << place), [place]);
        }
    }

    #[test]
    fn rows_have_their_bits_in_order_however_they_are_skipped() {
        let words = [('a', 0b101), ('b', 0), ('c', 1 << 63), ('d', 0b1110)];
        let all = [('a', 0), ('a', 2), ('c', 63), ('d', 1), ('d', 2), ('d', 3)];
        assert_eq!(Rows::new(words.into_iter()).collect::<Vec<_>>(), all);
        for first in 0..=all.len() {
            for then in 0..=all.len() {
                let mut rows = Rows::new(words.into_iter());
                assert_eq!(rows.nth(first), all.get(first).copied());
                assert_eq!(rows.nth(then), all.get(first + 1 + then).copied());
            }
        }
    }
}
