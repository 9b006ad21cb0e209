//! Which of some things a seat may build, as a field of a rule set: `any`, or names separated by spaces.

use crate::core::rule_set::Words;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// Up to eight things with names, each with a bit.
pub trait Named: Copy + 'static {
    /// What all of them are called, in a sentence: `metropolises`.
    const WHAT: &'static str;
    /// Their names, the lowest bit first.
    const NAMES: &'static [&'static str];
}

/// A set of at least one of them. In words: `any`, or names separated by spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Allowed<T: Named>(u8, PhantomData<T>);

impl<T: Named> Allowed<T> {
    /// All of them.
    pub const ANY: Allowed<T> = Allowed((1 << T::NAMES.len()) - 1, PhantomData);

    /// A set, one bit for each; not empty, and no other bits.
    pub const fn of_bits(bits: u8) -> Allowed<T> {
        assert!(bits != 0 && bits <= Allowed::<T>::ANY.0, "no such set");
        Allowed(bits, PhantomData)
    }

    /// The set, one bit for each.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// Sets by seat.
impl<T: Named, const SEATS: usize> Words for [Allowed<T>; SEATS] {
    const WORDS: &'static [&'static str] = T::NAMES;
}

/// What is wrong with the words of a set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{words}` names no {what}: write any, or some of {names}, separated by blanks")]
pub struct NoSuchSet {
    words: String,
    what: &'static str,
    names: String,
}

impl<T: Named> TryFrom<String> for Allowed<T> {
    type Error = NoSuchSet;

    fn try_from(words: String) -> Result<Allowed<T>, NoSuchSet> {
        if words.trim() == "any" {
            return Ok(Allowed::ANY);
        }
        let bit = |word: &str| Some(1 << T::NAMES.iter().position(|&name| name == word)?);
        let bits: Option<Vec<u8>> = words.split_whitespace().map(bit).collect();
        let set = bits.map_or(0, |bits| bits.into_iter().fold(0, |set, bit| set | bit));
        if set != 0 {
            return Ok(Allowed(set, PhantomData));
        }
        let (last, others) = T::NAMES.split_last().expect("there are some");
        let names = format!("{} and {last}", others.join(", "));
        Err(NoSuchSet { words, what: T::WHAT, names })
    }
}

impl<T: Named> From<Allowed<T>> for String {
    fn from(allowed: Allowed<T>) -> String {
        if allowed.bits() == Allowed::<T>::ANY.bits() {
            return "any".to_owned();
        }
        let held = |&(place, _): &(usize, _)| allowed.bits() >> place & 1 == 1;
        let names = T::NAMES.iter().copied().enumerate().filter(held);
        names.map(|(_, name)| name).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Side;

    impl Named for Side {
        const WHAT: &'static str = "sides";
        const NAMES: &'static [&'static str] = &["roads", "knights", "army", "route"];
    }

    #[test]
    fn sets_are_read_as_they_are_written() {
        for bits in 1..=Allowed::<Side>::ANY.bits() {
            let set = Allowed::<Side>::of_bits(bits);
            assert_eq!(Allowed::try_from(String::from(set)), Ok(set));
        }
        let read = |words: &str| Allowed::<Side>::try_from(words.to_owned());
        assert_eq!(read("any"), Ok(Allowed::ANY));
        assert_eq!(read("army"), Ok(Allowed::of_bits(0b100)));
        assert_eq!(read(" route  roads route "), Ok(Allowed::of_bits(0b1001)));
        for wrong in ["", " ", "all", "roads,army", "any roads", "Roads", "none"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains(&format!("`{wrong}` names no sides")), "{error}");
            assert!(error.contains("some of roads, knights, army and route,"), "{error}");
        }
    }
}
