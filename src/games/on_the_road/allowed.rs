//! Which metropolises a seat may build: an entry of the field `metropolis.allowed`.

use crate::games::on_the_road::cards::Metropolis;
use serde::{Deserialize, Serialize};

/// Names of the metropolises, in the order of every table.
const NAMES: [&str; Metropolis::COUNT] = ["roads", "knights", "army", "route"];

/// A set of at least one metropolis. In words: `any`, or names separated by spaces. (OTR-46)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Allowed(u8);

impl Allowed {
    /// All of them.
    pub const ANY: Allowed = Allowed((1 << Metropolis::COUNT) - 1);

    /// A single one.
    pub const fn only(metropolis: Metropolis) -> Allowed {
        Allowed(metropolis.bit())
    }

    /// The set, one bit a [`Metropolis`].
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// What is wrong with the words of a set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no metropolises: write any, or some of roads, knights, army and route, separated by blanks"
)]
pub struct NoSuchSet(String);

impl TryFrom<String> for Allowed {
    type Error = NoSuchSet;

    fn try_from(words: String) -> Result<Allowed, NoSuchSet> {
        if words.trim() == "any" {
            return Ok(Allowed::ANY);
        }
        let bit = |word: &str| {
            let at = NAMES.iter().position(|&name| name == word)?;
            Some(Metropolis::ALL[at].bit())
        };
        let bits: Option<Vec<u8>> = words.split_whitespace().map(bit).collect();
        let set = bits.map_or(0, |bits| bits.into_iter().fold(0, |set, bit| set | bit));
        if set == 0 { Err(NoSuchSet(words)) } else { Ok(Allowed(set)) }
    }
}

impl From<Allowed> for String {
    fn from(allowed: Allowed) -> String {
        if allowed == Allowed::ANY {
            return "any".to_owned();
        }
        let held = |metropolis: &Metropolis| allowed.bits() & metropolis.bit() != 0;
        let names: Vec<&str> = Metropolis::ALL
            .iter()
            .filter(|card| held(card))
            .map(|card| NAMES[card.idx()])
            .collect();
        names.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_as_they_are_written() {
        for bits in 1..=Allowed::ANY.bits() {
            let set = Allowed(bits);
            assert_eq!(Allowed::try_from(String::from(set)), Ok(set));
        }
        let read = |words: &str| Allowed::try_from(words.to_owned());
        assert_eq!(read("any"), Ok(Allowed::ANY));
        assert_eq!(read("army"), Ok(Allowed::only(Metropolis::Army)));
        assert_eq!(read(" route  roads route "), Ok(Allowed(0b1001)));
        for wrong in ["", " ", "all", "roads,army", "any roads", "Roads", "none"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains(&format!("`{wrong}`")) && error.contains("knights"), "{error}");
        }
    }
}
