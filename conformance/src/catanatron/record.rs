//! A recorded match as one line of JSON: its parts, and its steps one after the other, so that apart from the
//! line only one part of it is parsed at a time.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The parts of a line; others, such as seed and commit, mean nothing to the rules.
#[derive(Debug, Deserialize)]
pub struct Record<'a> {
    /// The name of the format.
    #[serde(borrow)]
    pub format: &'a RawValue,
    /// Options.
    #[serde(borrow)]
    pub config: &'a RawValue,
    /// Who sits where.
    #[serde(borrow)]
    pub seats: &'a RawValue,
    /// The island.
    #[serde(borrow)]
    pub map: &'a RawValue,
    /// Development cards; the last one is drawn first.
    #[serde(borrow)]
    pub dev_deck_top_last: &'a RawValue,
    /// The robber's tile.
    #[serde(borrow)]
    pub robber: &'a RawValue,
    /// The state before the first step.
    #[serde(borrow)]
    pub start: &'a RawValue,
    /// All steps.
    #[serde(borrow)]
    pub steps: &'a RawValue,
    /// The seat that won.
    #[serde(borrow)]
    pub winner: &'a RawValue,
    /// Completed turns.
    #[serde(borrow)]
    pub turns: &'a RawValue,
}

impl<'a> Record<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is not an object with all parts, each once.
    pub fn parse(line: &'a str) -> Result<Record<'a>, serde_json::Error> {
        if !line.trim_start().starts_with('{') {
            // A list of as many entries would do otherwise.
            return Err(serde::de::Error::custom("a match is an object"));
        }
        serde_json::from_str(line)
    }

    /// Passes on the steps, in order, until one is refused.
    ///
    /// # Errors
    /// If they are not a list.
    pub fn each_step(
        &self,
        mut take: impl FnMut(&RawValue) -> bool,
    ) -> Result<(), serde_json::Error> {
        let mut all = serde_json::Deserializer::from_str(self.steps.get());
        let mut stopped = false;
        let each = Each { take: &mut take, stopped: &mut stopped };
        let read = each.deserialize(&mut all);
        // Stopping early looks like a list that is too long.
        if stopped { Ok(()) } else { read }
    }
}

/// A list whose entries are passed on one by one.
struct Each<'f, F> {
    take: &'f mut F,
    stopped: &'f mut bool,
}

impl<'de, F: FnMut(&RawValue) -> bool> DeserializeSeed<'de> for Each<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(&RawValue) -> bool> Visitor<'de> for Each<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of steps")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut steps: A) -> Result<(), A::Error> {
        while let Some(step) = steps.next_element::<&'de RawValue>()? {
            if !(self.take)(step) {
                *self.stopped = true;
                break;
            }
        }
        Ok(())
    }
}
