//! Long lists of counters in few bytes, quickly: seven bits a byte, the lowest first, as in postcard's format; a run of
//! zeros is a 0 and the run's length. Most counters of a run are 0, and sums are saved every few seconds.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// Writes them as bytes.
///
/// # Errors
/// If these can't be written.
pub fn serialize<S: Serializer>(numbers: &[u64], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bytes(&pack(numbers))
}

/// Reads at most so many from bytes, which may be forged.
///
/// # Errors
/// If these are no such list, or one that is too long.
pub fn deserialize<'de, const MOST: usize, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<u64>, D::Error> {
    let bytes = <&[u8]>::deserialize(from)?;
    unpack(bytes, MOST).ok_or_else(|| D::Error::custom("no list of counters"))
}

fn pack(numbers: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = numbers;
    while let Some(&number) = rest.first() {
        push(&mut bytes, number);
        let taken = if number == 0 {
            let zeros = rest.iter().position(|&number| number != 0).unwrap_or(rest.len());
            push(&mut bytes, zeros as u64);
            zeros
        } else {
            1
        };
        rest = &rest[taken..];
    }
    bytes
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn unpack(bytes: &[u8], most: usize) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let number = take(&mut rest)?;
        let times = if number == 0 { take(&mut rest)? } else { 1 };
        let long = numbers.len().checked_add(usize::try_from(times).ok()?)?;
        if times == 0 || long > most {
            return None;
        }
        numbers.resize(long, number);
    }
    Some(numbers)
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, behind) = rest.split_first()?;
        *rest = behind;
        let part = u64::from(byte & 0x7f);
        number |= part << shift;
        // The tenth byte has one bit left.
        if shift == 63 && part > 1 {
            return None;
        }
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: usize = 1000;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(
            prop_oneof![3 => Just(0), 2 => 0_u64..300, 1 => any::<u64>()], 0..200,
        )) {
            prop_assert_eq!(unpack(&pack(&numbers), MOST), Some(numbers));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Some(numbers) = unpack(&bytes, MOST) {
                prop_assert_eq!(unpack(&pack(&numbers), MOST), Some(numbers));
            }
        }
    }

    #[test]
    fn what_is_too_long_or_cut_is_refused() {
        let zeros = |count: u64| {
            let mut bytes = vec![0];
            push(&mut bytes, count);
            unpack(&bytes, MOST).map(|numbers| numbers.len())
        };
        assert_eq!(zeros(MOST as u64), Some(MOST));
        assert_eq!((zeros(MOST as u64 + 1), zeros(u64::MAX), zeros(0)), (None, None, None));
        assert_eq!(
            (unpack(&[0], MOST), unpack(&[0x80], MOST), unpack(&[0xff; 10], MOST)),
            (None, None, None)
        );
        assert_eq!(pack(&[0, 0, 0, 5, 128]), [0, 3, 5, 0x80, 1]);
    }
}
