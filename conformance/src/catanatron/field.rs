//! JSON of another program, which may hold anything: each value is checked when it is read.

use crate::sim::records::error::shown;
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::RangeInclusive;

/// The most bytes of a step, of the map and so on; the longest recorded one has under 10,000.
pub const PART_MAX: usize = 64 << 10;

/// A field without the expected content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("field `{name}`: {reason}")]
pub struct Malformed {
    /// The field's own name.
    pub name: &'static str,
    /// What is there, and what is expected.
    pub reason: String,
}

/// A value and the name of its field.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    name: &'static str,
    value: &'a Value,
}

/// Reads a part of a line.
///
/// # Errors
/// If it is longer than [`PART_MAX`] or too deep.
pub fn part(name: &'static str, text: &RawValue) -> Result<Value, Malformed> {
    let malformed = |reason: String| Malformed { name, reason };
    if text.get().len() > PART_MAX {
        return Err(malformed(format!("longer than {PART_MAX} bytes")));
    }
    serde_json::from_str(text.get()).map_err(|error| malformed(shown(&error.to_string())))
}

impl<'a> Field<'a> {
    /// A value by the name of its field.
    pub fn new(name: &'static str, value: &'a Value) -> Field<'a> {
        Field { name, value }
    }

    /// A complaint about this field.
    pub fn bad(self, due: &str) -> Malformed {
        let reason = format!("found {}, should be {due}", shown(&self.value.to_string()));
        Malformed { name: self.name, reason }
    }

    /// The value of a key of an object.
    ///
    /// # Errors
    /// If this is not an object or lacks the key.
    pub fn key(self, name: &'static str) -> Result<Field<'a>, Malformed> {
        let value = self.value.get(name);
        let missing = || Malformed { name, reason: format!("missing from `{}`", self.name) };
        value.map(|value| Field { name, value }).ok_or_else(missing)
    }

    /// The entries of a list whose length is within bounds.
    ///
    /// # Errors
    /// If the value is not a list of such a length.
    pub fn items(
        self,
        length: RangeInclusive<usize>,
    ) -> Result<impl ExactSizeIterator<Item = Field<'a>>, Malformed> {
        let items = self.value.as_array().filter(|items| length.contains(&items.len()));
        let (low, high) = (length.start(), length.end());
        let items = items.ok_or_else(|| self.bad(&format!("a list of {low} to {high} entries")))?;
        Ok(items.iter().map(move |value| Field { name: self.name, value }))
    }

    /// The entries of a list of `N`.
    ///
    /// # Errors
    /// If the value is not a list of `N` values.
    pub fn list<const N: usize>(self) -> Result<[Field<'a>; N], Malformed> {
        let mut items = self.items(N..=N)?;
        Ok(std::array::from_fn(|_| items.next().expect("as many as were asked for")))
    }

    /// A whole number from 0 to `most`.
    ///
    /// # Errors
    /// If the value is not such a number.
    pub fn number(self, most: u8) -> Result<u8, Malformed> {
        let number = self.value.as_u64().and_then(|number| u8::try_from(number).ok());
        let number = number.filter(|&number| number <= most);
        number.ok_or_else(|| self.bad(&format!("a whole number from 0 to {most}")))
    }

    /// A whole number in 64 bits.
    ///
    /// # Errors
    /// If the value is not a whole number.
    pub fn integer(self) -> Result<i64, Malformed> {
        self.value.as_i64().ok_or_else(|| self.bad("a whole number"))
    }

    /// A list of `N` whole numbers from 0 to `most`.
    ///
    /// # Errors
    /// If the value is not a list of such numbers.
    pub fn numbers<const N: usize>(self, most: u8) -> Result<[u8; N], Malformed> {
        let mut numbers = [0; N];
        for (number, item) in numbers.iter_mut().zip(self.list::<N>()?) {
            *number = item.number(most)?;
        }
        Ok(numbers)
    }

    /// A word.
    ///
    /// # Errors
    /// If the value is not a word.
    pub fn word(self) -> Result<&'a str, Malformed> {
        self.value.as_str().ok_or_else(|| self.bad("a word"))
    }

    /// Whether it is null.
    pub fn is_null(self) -> bool {
        self.value.is_null()
    }

    /// The field unless it is null.
    pub fn given(self) -> Option<Field<'a>> {
        (!self.is_null()).then_some(self)
    }

    /// The value as text, for messages.
    pub fn text(self) -> String {
        shown(&self.value.to_string())
    }

    /// Its own name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The value itself.
    pub fn value(self) -> &'a Value {
        self.value
    }
}
