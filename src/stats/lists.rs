//! Lists in files, which may be forged: none is read beyond the length that a run's can have.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Reads a list of at most `MOST` values.
///
/// # Errors
/// If it is longer, before more of it is in memory, or if a value can't be read.
pub fn at_most<'de, const MOST: usize, T, D>(file: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    file.deserialize_seq(AtMost::<MOST, T>(PhantomData))
}

struct AtMost<const MOST: usize, T>(PhantomData<T>);

impl<'de, const MOST: usize, T: Deserialize<'de>> Visitor<'de> for AtMost<MOST, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a list of at most {MOST} values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Vec<T>, A::Error> {
        // What a list says of its length may be forged, too.
        let mut list = Vec::new();
        while let Some(value) = values.next_element()? {
            if list.len() == MOST {
                return Err(A::Error::invalid_length(MOST + 1, &self));
            }
            list.push(value);
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Three(#[serde(deserialize_with = "at_most::<3, _, _>")] Vec<u64>);

    #[test]
    fn a_list_is_read_up_to_its_longest() {
        let read = |list: &str| serde_json::from_str::<Three>(list).ok();
        assert_eq!(read("[]"), Some(Three(vec![])));
        assert_eq!(read("[7, 8, 9]"), Some(Three(vec![7, 8, 9])));
        assert_eq!(read("[7, 8, 9, 1]"), None);
        assert_eq!(read("7"), None);
    }
}
