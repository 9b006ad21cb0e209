//! Results of a computation, found again by everything that it read.

/// A bounded table of results by key. A slot keeps the whole key, so a hit is exactly what a miss would
/// compute: nothing that is asked depends on what was asked before. A later key replaces an earlier one in
/// its slot; nothing is allocated after creation.
#[derive(Debug, Clone)]
pub struct Cache<const WORDS: usize, V> {
    slots: Vec<(Option<[u64; WORDS]>, V)>,
    shift: u32,
}

impl<const WORDS: usize, V: Clone + Default> Cache<WORDS, V> {
    /// An empty cache of `2^bits` slots, 1 to 20 bits.
    ///
    /// # Panics
    /// If `bits` is out of range.
    pub fn new(bits: u32) -> Cache<WORDS, V> {
        assert!((1..=20).contains(&bits), "a cache of 2^{bits} slots");
        Cache { slots: vec![(None, V::default()); 1 << bits], shift: u64::BITS - bits }
    }

    /// Empties all slots.
    pub fn clear(&mut self) {
        for (kept, _) in &mut self.slots {
            *kept = None;
        }
    }

    /// The value of a key; `fill` writes it over another if the cache does not have it.
    #[inline]
    pub fn get(&mut self, key: [u64; WORDS], fill: impl FnOnce(&mut V)) -> &V {
        let slot = slot(&key, self.shift);
        let (kept, value) = &mut self.slots[slot];
        if *kept != Some(key) {
            // A panic in between leaves no wrong value behind.
            *kept = None;
            fill(value);
            *kept = Some(key);
        }
        value
    }
}

/// The slot of a key: the top bits of a multiplicative mix, after D. Knuth, "The Art of Computer
/// Programming", 6.4.
#[allow(clippy::cast_possible_truncation, reason = "at most 20 bits are left")]
#[inline]
fn slot(key: &[u64], shift: u32) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = key.iter().fold(0_u64, |mix, word| (mix.rotate_left(23) ^ word).wrapping_mul(GOLDEN));
    (mix >> shift) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_hit_is_what_a_miss_computes(keys in prop::collection::vec([0_u64..20, 0..3], 1..300)) {
            let mut cache: Cache<2, u64> = Cache::new(3);
            let mut made = 0;
            for &[a, b] in &keys {
                let value = *cache.get([a, b], |value| {
                    *value = 100 * a + b;
                    made += 1;
                });
                prop_assert_eq!(value, 100 * a + b);
                prop_assert_eq!(*cache.get([a, b], |_| panic!("it was asked for last")), value);
            }
            let mut different = keys.clone();
            different.sort_unstable();
            different.dedup();
            prop_assert!(made >= different.len());
        }
    }
}
