//! The messages between a host and a guest: one JSON object a line. Format: `docs/protocol.md`.

use crate::core::chance::ChanceEvent;
use crate::core::game::ActionFilter;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::records::line::EndLine;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Write;

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The longest line that is read, in bytes.
pub const LINE_MAX: usize = 1 << 20;

/// The first line of a host.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "hello")]
pub struct Hello<'a> {
    /// [`VERSION`].
    pub protocol: u32,
    /// The host's name and version.
    pub program: &'a str,
    /// How long the guest may take.
    pub limits: Limits,
}

/// How long a guest may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Milliseconds until it is ready.
    pub start_ms: u64,
    /// Milliseconds for each decision.
    pub decision_ms: u64,
    /// Milliseconds for all decisions of a match, if they are limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<u64>,
}

/// A guest's answer to [`Hello`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// Says that it is one.
    #[serde(rename = "type")]
    pub kind: IsReady,
    /// The version of the protocol that it speaks.
    pub protocol: u32,
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// Games that it plays; all if there are none.
    #[serde(default)]
    pub games: Vec<String>,
    /// What it wants to be told besides the legal list.
    #[serde(default)]
    pub wants: Vec<Want>,
    /// How much of the legal list it wants to read.
    #[serde(default)]
    pub list: List,
    /// How many matches it plays at once on a process.
    #[serde(default = "one")]
    pub matches: u16,
}

fn one() -> u16 {
    1
}

/// The type of [`Ready`], which no other message has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IsReady {
    /// The word.
    #[serde(rename = "ready")]
    Ready,
}

/// The type of [`Choose`], which no other message has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IsChoose {
    /// The word.
    #[serde(rename = "choose")]
    Choose,
}

/// Something that a guest may want to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// What happens, as far as its seat may know.
    Events,
    /// What its seat sees when it is asked.
    View,
    /// Features of the position and inputs of the net, as `export` writes them.
    Inputs,
    /// The actions in words.
    Words,
    /// What each seat does, as far as the guest's seat may know it.
    Steps,
}

/// The most matches that a guest plays at once on a process.
pub const MATCHES_MAX: u16 = 64;

/// How much of the legal list a guest wants to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum List {
    /// Everything.
    #[default]
    Full,
    /// Everything but offers to trade and counter-offers.
    NoOffers,
    /// Of several ways to do the same only the usual one.
    Plain,
}

impl From<List> for ActionFilter {
    fn from(list: List) -> ActionFilter {
        match list {
            List::Full => ActionFilter::Full,
            List::NoOffers => ActionFilter::NoOffers,
            List::Plain => ActionFilter::Plain,
        }
    }
}

impl From<ActionFilter> for List {
    fn from(filter: ActionFilter) -> List {
        match filter {
            ActionFilter::Full => List::Full,
            ActionFilter::NoOffers => List::NoOffers,
            ActionFilter::Plain => List::Plain,
        }
    }
}

/// The rules of the matches that follow.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "game")]
pub struct GameMessage<'a, R> {
    /// The game's name.
    pub game: &'a str,
    /// Number of players.
    pub players: u8,
    /// The whole rule set.
    pub rules: &'a R,
    /// Names and places.
    pub catalogue: &'a RawValue,
}

/// A match begins, or begins again.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "match")]
pub struct MatchMessage {
    /// Its number on this line.
    #[serde(rename = "match")]
    pub number: u64,
    /// Where the guest sits.
    pub seat: Seat,
    /// The guest's own stream of random numbers.
    pub seed: String,
}

/// Something that happened.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "event")]
pub struct EventMessage<E> {
    /// The match.
    #[serde(rename = "match")]
    pub number: u64,
    /// What the seat may know of it.
    pub event: E,
}

/// Somebody has acted.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "step")]
pub struct StepMessage<A> {
    /// The match.
    #[serde(rename = "match")]
    pub number: u64,
    /// The turn, from 1.
    pub turn: u16,
    /// Who acted.
    pub seat: Seat,
    /// What was done; nothing if that is hidden from the guest's seat.
    pub action: Option<A>,
    /// The results of luck that it saw.
    pub luck: Vec<LuckWord>,
}

/// A result of luck, in the words of records.
#[derive(Debug, Serialize)]
pub struct LuckWord {
    /// What was drawn.
    pub chance: &'static str,
    /// The result.
    pub result: Cow<'static, str>,
}

impl LuckWord {
    /// The words for an event.
    pub fn of<G: Wording>(event: ChanceEvent<G::Draw>) -> LuckWord {
        LuckWord { chance: G::draw_name(event.draw), result: G::result_name(event) }
    }
}

/// A question.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "decide")]
pub struct Decide<'a, A> {
    /// The question's number, which the answer repeats.
    pub id: u64,
    /// The match.
    #[serde(rename = "match")]
    pub number: u64,
    /// The turn, from 1; 0 before the first.
    pub turn: u16,
    /// What is asked, a word of the game.
    pub phase: &'a str,
    /// The legal list, as much as is wanted.
    pub legal: &'a [A],
    /// The same in words, if wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<String>>,
    /// What the seat sees, if wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<&'a RawValue>,
    /// What the seat knows in numbers, if wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Inputs>,
}

/// What a seat knows in numbers: its own first, then those of each seat after it.
#[derive(Debug, Serialize)]
pub struct Inputs {
    /// Features of the planner; none if the game has no lesson.
    pub planner: Vec<f32>,
    /// Inputs of the net; none if the game has no net.
    pub net: Vec<f32>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choose<A> {
    /// Says that it is one.
    #[serde(rename = "type")]
    pub kind: IsChoose,
    /// The question's number.
    pub id: u64,
    /// The place in the legal list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Or an action, which the list may lack and the rules must allow.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub action: Option<A>,
}

/// The end of a match.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "over")]
pub struct Over {
    /// The match.
    #[serde(rename = "match")]
    pub number: u64,
    /// How it ended.
    pub outcome: EndLine,
}

/// The line behind the questions that are asked together of a guest that plays several matches at once.
pub const GO: &[u8] = b"{\"type\":\"go\"}\n";

/// The last line of a host.
pub const BYE: &[u8] = b"{\"type\":\"bye\"}\n";

/// The type of a message.
#[derive(Deserialize)]
pub struct Kind {
    /// Its word.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Adds a message to some lines.
pub fn write(message: &impl Serialize, lines: &mut Vec<u8>) {
    serde_json::to_writer(&mut *lines, message).expect("a message can be written");
    lines.push(b'\n');
}

/// A stream of random numbers as text: state and increment of the generator, 16 hexadecimal digits each.
pub fn seed_of(rng: &Pcg32) -> String {
    let fields = serde_json::to_value(rng).expect("a generator can be written");
    let mut text = String::new();
    for name in ["state", "increment"] {
        let number = fields[name].as_u64().expect("a generator of two numbers");
        write!(text, "{number:016x}").expect("text");
    }
    text
}

/// The stream that [`seed_of`] has written.
pub fn rng_of(seed: &str) -> Option<Pcg32> {
    let half = |range| u64::from_str_radix(seed.get(range)?, 16).ok();
    let (state, increment) = (half(0..16)?, half(16..32)?);
    let fields = serde_json::json!({ "state": state, "increment": increment });
    (seed.len() == 32).then(|| serde_json::from_value(fields).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::seed::{BlockSeed, Stream};

    #[test]
    fn a_stream_goes_through_text() {
        for seat in Seat::all(4) {
            let rng = BlockSeed::new(7, 3).stream(Stream::Agent, Some(seat), 0);
            assert_eq!(rng_of(&seed_of(&rng)), Some(rng));
        }
        for wrong in ["", "12", "zz", &"g".repeat(32), &"0".repeat(33), "é".repeat(16).as_str()] {
            assert_eq!(rng_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn answers_are_read_with_a_place_or_an_action() {
        let read = |text| serde_json::from_str::<Choose<u8>>(text).ok();
        let plain = read(r#"{"type":"choose","id":3,"index":2,"chance":0.5}"#);
        assert_eq!(
            plain,
            Some(Choose { kind: IsChoose::Choose, id: 3, index: Some(2), action: None })
        );
        let other = read(r#"{"type":"choose","id":3,"action":9}"#);
        assert_eq!(
            other,
            Some(Choose { kind: IsChoose::Choose, id: 3, index: None, action: Some(9) })
        );
        assert_eq!(read(r#"{"type":"choose","index":2}"#), None);
        assert_eq!(read(r#"{"type":"ready","id":3,"index":2}"#), None);
    }
}
