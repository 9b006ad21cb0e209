//! Hashes that identify texts and files, and seal nothing.

use fnv::FnvHasher;
use std::hash::Hasher;

/// The state of [`fnv()`] before the first byte.
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, 64 bits (G. Fowler, L. Noll, P. Vo), continued from a state: it identifies bytes, but seals nothing.
pub fn fnv(state: u64, bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::with_key(state);
    hasher.write(bytes);
    hasher.finish()
}

/// [`fnv()`] of a text, in hexadecimal.
pub fn hash(text: &str) -> String {
    format!("{:016x}", fnv(FNV_START, text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn hash_agrees_with_published_values() {
        // Test vectors of draft-eastlake-fnv.
        assert_eq!(hash(""), "cbf29ce484222325");
        assert_eq!(hash("a"), "af63dc4c8601ec8c");
        assert_eq!(hash("foobar"), "85944171f73967e8");
    }
}
