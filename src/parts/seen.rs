//! What a seat sees, in JSON, as far as games share it: counts of cards, things by name, seats, proposals; and what is
//! asked of values that are read.
//!
//! Each game has a form of its view beside its rules, `seen.rs`, made of these.

use crate::core::resources::Resources;
use crate::core::types::bits::bits;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::parts::allowed::Named;
use crate::parts::bundles::{Bundle, Price};
use crate::parts::trade::{Answer, Audience, Proposal};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// What comes of reading.
pub type Read<T> = Result<T, serde_json::Error>;

/// A value that means nothing, for a reason.
pub fn fault(reason: impl std::fmt::Display) -> serde_json::Error {
    serde_json::Error::custom(reason)
}

/// Refuses what is read for a reason, unless something holds.
///
/// # Errors
/// The reason.
pub fn require(holds: bool, otherwise: &str) -> Read<()> {
    if holds { Ok(()) } else { Err(fault(otherwise)) }
}

/// Writes a form.
pub fn write(form: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, form).expect("a vector takes any form");
}

/// The place of a word among some.
///
/// # Errors
/// If it is none of them.
pub fn place_of(word: &str, words: &[&str]) -> Read<usize> {
    let place = words.iter().position(|&other| other == word);
    place.ok_or_else(|| fault(format_args!("`{word}` is none of {}", words.join(", "))))
}

/// An array by seat out of a list that has an entry for each of some seats.
///
/// # Errors
/// If the list has another length.
pub fn by_seat<T: Copy + Default, F, const SEATS: usize>(
    list: &[F],
    seats: u8,
    of: impl Fn(&F) -> T,
) -> Read<[T; SEATS]> {
    if list.len() != usize::from(seats) || list.len() > SEATS {
        return Err(fault(format_args!("{} entries for {seats} seats", list.len())));
    }
    let mut found = [T::default(); SEATS];
    for (found, entry) in found.iter_mut().zip(list) {
        *found = of(entry);
    }
    Ok(found)
}

/// Refuses seats that are not at the table.
///
/// # Errors
/// Names the seat.
pub fn seated(named: impl IntoIterator<Item = Seat>, seats: u8) -> Read<()> {
    let stranger = named.into_iter().find(|seat| seat.idx() >= usize::from(seats));
    stranger.map_or(Ok(()), |seat| Err(fault(format_args!("no seat {seat} at a table of {seats}"))))
}

/// The sum of some numbers.
pub fn sum<'a>(numbers: impl IntoIterator<Item = &'a u8>) -> u32 {
    numbers.into_iter().map(|&number| u32::from(number)).sum()
}

/// Cards by kind: `{"brick":2,"ore":1}`, as actions have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted(pub Resources);

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter())
    }
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Counted, D::Error> {
        let price = Price::deserialize(deserializer)?;
        let counts = [price.brick, price.lumber, price.wool, price.grain, price.ore];
        if sum(&counts) > 255 || counts.iter().any(|&count| count > 127) {
            return Err(D::Error::custom("at most 127 cards of a kind, and 255 in all"));
        }
        Ok(Counted(price.resources()))
    }
}

/// The form of [`Counted`] for fields of events: `#[serde(with = "counted")]`.
pub mod counted {
    use super::{Counted, Deserialize, Deserializer, Resources, Serialize, Serializer};

    /// Writes cards by kind.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn serialize<S: Serializer>(cards: &Resources, to: S) -> Result<S::Ok, S::Error> {
        Counted(*cards).serialize(to)
    }

    /// Reads cards by kind.
    ///
    /// # Errors
    /// If that is not what is there.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Resources, D::Error> {
        Counted::deserialize(from).map(|Counted(cards)| cards)
    }
}

/// How many of each of some things with names: `{"knight":2}`. Those of which there are none are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally<T, const KINDS: usize>(pub [u8; KINDS], PhantomData<T>);

impl<T: Named, const KINDS: usize> Tally<T, KINDS> {
    /// These numbers, in the order of the names.
    pub const fn new(counts: [u8; KINDS]) -> Tally<T, KINDS> {
        Tally(counts, PhantomData)
    }
}

impl<T: Named, const KINDS: usize> Serialize for Tally<T, KINDS> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(T::NAMES.iter().zip(self.0).filter(|&(_, count)| count > 0))
    }
}

impl<'de, T: Named, const KINDS: usize> Deserialize<'de> for Tally<T, KINDS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tally<T, KINDS>, D::Error> {
        let mut counts = [0; KINDS];
        for (name, count) in BTreeMap::<Cow<'_, str>, u8>::deserialize(deserializer)? {
            counts[place_of(&name, T::NAMES).map_err(D::Error::custom)?] = count;
        }
        if sum(&counts) > 255 {
            return Err(D::Error::custom(format!("too many {}", T::WHAT)));
        }
        Ok(Tally::new(counts))
    }
}

/// A set of things with names, one bit for each: `["roads","army"]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names<T>(pub u8, PhantomData<T>);

impl<T: Named> Names<T> {
    /// This set.
    pub const fn new(set: u8) -> Names<T> {
        Names(set, PhantomData)
    }
}

impl<T: Named> Serialize for Names<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(bits(self.0.into()).map(|place| T::NAMES[place]))
    }
}

impl<'de, T: Named> Deserialize<'de> for Names<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names<T>, D::Error> {
        let mut set = 0;
        for name in Vec::<Cow<'_, str>>::deserialize(deserializer)? {
            let bit = 1 << place_of(&name, T::NAMES).map_err(D::Error::custom)?;
            if set & bit != 0 {
                return Err(D::Error::custom(format!("`{name}` is in a list twice")));
            }
            set |= bit;
        }
        Ok(Names::new(set))
    }
}

/// A set of seats, one bit for each: `[1,3]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatSet(pub u8);

impl SeatSet {
    /// Its seats, in their order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let all = (0_u8..).take(SEATS_MAX).map(Seat::new);
        all.filter(move |seat| self.0 >> seat.idx() & 1 == 1)
    }
}

impl Serialize for SeatSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeatSet, D::Error> {
        let seats = Vec::<Seat>::deserialize(deserializer)?;
        Ok(SeatSet(seats.into_iter().fold(0, |set, seat| set | 1 << seat.idx())))
    }
}

/// A proposal and its answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenProposal {
    /// Who is asked: a seat, or 0 for all.
    pub to: Audience,
    /// What the current player would give.
    pub give: Bundle,
    /// What the current player would get.
    pub want: Bundle,
    /// Answers by seat; nothing of a seat that has not answered.
    pub answers: Vec<Option<SeenAnswer>>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SeenAnswer {
    /// Refused.
    Refused,
    /// Accepted.
    Accepted,
    /// Another trade instead.
    Countered {
        /// What the answering player would give.
        give: Bundle,
        /// What the answering player would get.
        want: Bundle,
    },
}

impl SeenProposal {
    /// The form of a proposal; nothing if none was made.
    pub fn of<const SEATS: usize>(proposal: &Proposal<SEATS>, seats: u8) -> Option<SeenProposal> {
        let Proposal { to, give, want, answers } = *proposal;
        let answers = answers.into_iter().take(seats.into()).map(|answer| match answer {
            Answer::None => None,
            Answer::Refused => Some(SeenAnswer::Refused),
            Answer::Accepted => Some(SeenAnswer::Accepted),
            Answer::Countered { give, want } => Some(SeenAnswer::Countered { give, want }),
        });
        let form = SeenProposal { to, give, want, answers: answers.collect() };
        (*proposal != Proposal::NONE).then_some(form)
    }

    /// What it is the form of.
    ///
    /// # Errors
    /// If not all are seats at the table.
    pub fn read<const SEATS: usize>(
        form: Option<&SeenProposal>,
        seats: u8,
    ) -> Read<Proposal<SEATS>> {
        let Some(form) = form else { return Ok(Proposal::NONE) };
        if let Audience::One(seat) = form.to {
            seated([seat], seats)?;
        }
        let answers = by_seat(&form.answers, seats, |answer| match *answer {
            None => Answer::None,
            Some(SeenAnswer::Refused) => Answer::Refused,
            Some(SeenAnswer::Accepted) => Answer::Accepted,
            Some(SeenAnswer::Countered { give, want }) => Answer::Countered { give, want },
        })?;
        Ok(Proposal { to: form.to, give: form.give, want: form.want, answers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::resources::Resource;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Side;

    impl Named for Side {
        const WHAT: &'static str = "sides";
        const NAMES: &'static [&'static str] = &["roads", "knights", "army"];
    }

    /// A form is written as a text, and the text is read as the form.
    fn is<T>(form: &T, text: &str)
    where
        T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug,
    {
        assert_eq!(serde_json::to_string(form).unwrap(), text);
        assert_eq!(&serde_json::from_str::<T>(text).unwrap(), form);
    }

    fn fails<T: for<'de> Deserialize<'de>>(texts: &[&str]) {
        for text in texts {
            assert!(serde_json::from_str::<T>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn cards_are_counted_by_kind() {
        let cards = Resources::many(Resource::Ore, 2) + Resources::one(Resource::Lumber);
        is(&Counted(cards), r#"{"lumber":1,"ore":2}"#);
        is(&Counted(Resources::NONE), "{}");
        fails::<Counted>(&[r#"{"ore":128}"#, r#"{"gold":1}"#, r#"{"ore":-1}"#, "5"]);
        fails::<Counted>(&[r#"{"ore":127,"wool":127,"brick":2}"#]);
    }

    #[test]
    fn things_have_their_names() {
        is(&Tally::<Side, 3>::new([2, 0, 1]), r#"{"roads":2,"army":1}"#);
        is(&Names::<Side>::new(0b110), r#"["knights","army"]"#);
        is(&SeatSet(0b101), "[1,3]");
        fails::<Tally<Side, 3>>(&[r#"{"route":1}"#, r#"{"army":256}"#, r#"["army"]"#]);
        fails::<Names<Side>>(&[r#"["route"]"#, r#"["army","army"]"#, "[1]"]);
        fails::<SeatSet>(&["[0]", "[7]", "1"]);
    }

    #[test]
    fn proposals_have_an_answer_for_each_seat() {
        let [ore, wool] =
            [Resource::Ore, Resource::Wool].map(|kind| Bundle::new(Resources::one(kind)));
        let mut proposal = Proposal::<4>::new(Audience::All, ore, wool);
        assert_eq!(SeenProposal::of(&Proposal::<4>::NONE, 3), None);
        proposal.answers[1] = Answer::Refused;
        proposal.answers[2] = Answer::Countered { give: wool, want: ore };
        let form = SeenProposal::of(&proposal, 3).unwrap();
        is(
            &form,
            r#"{"to":0,"give":{"ore":1},"want":{"wool":1},"answers":[null,"refused",{"countered":{"give":{"wool":1},"want":{"ore":1}}}]}"#,
        );
        assert_eq!(SeenProposal::read(Some(&form), 3).unwrap(), proposal);
        assert!(SeenProposal::read::<4>(Some(&form), 4).is_err(), "an answer is missing");
        assert!(SeenProposal::read::<2>(Some(&form), 3).is_err(), "too many seats");
    }
}
