//! The lines of a match record as data, for writing and for reading them. Format: `docs/records.md`.

use crate::core::chance::ChanceEvent;
use crate::core::game::{ActionFilter, Game, Outcome};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The first word of every record.
pub const RECORD: &str = "fairhaven-match";

/// The name of a seat whose decisions came from a person.
pub const PERSON: &str = "person";

/// The version of the format that is written and read.
pub const VERSION: u32 = 2;

/// What has changed since a version, for who has a record of it.
pub const fn changed_since(version: u64) -> &'static str {
    if version == 1 {
        ". Since version 1 Road Building may stop before each of its roads, boats follow mended clauses, and \
         Struggle for Catan has no field `market.fills_up`, since its market is never short"
    } else {
        ""
    }
}

/// This program, as a record names it.
pub const PROGRAM: &str = concat!("fairhaven ", env!("CARGO_PKG_VERSION"));

/// What a record says about a match besides its rules and what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The agents' names by seat.
    pub agents: Vec<String>,
    /// Where the luck came from, if it came from this program's generator.
    pub seed: Option<MatchSeed>,
    /// The program that played, and its version.
    pub program: String,
}

impl Header {
    /// The header of a match that this program plays.
    pub fn new(agents: Vec<String>, seed: Option<MatchSeed>) -> Header {
        Header { agents, seed, program: PROGRAM.to_owned() }
    }
}

/// What identifies a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSeed {
    /// The run's master seed; text in a record, since many readers round large numbers.
    #[serde(serialize_with = "write_u64", deserialize_with = "read_u64")]
    pub master: u64,
    /// The block, from 0.
    pub block: u64,
    /// The match within its block, from 0.
    #[serde(rename = "match")]
    pub match_idx: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn write_u64<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

fn read_u64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse()
        .map_err(|_| D::Error::custom("a master seed is a whole number below 2^64 in quotes"))
}

/// The first line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeaderLine<R> {
    /// [`RECORD`].
    pub record: String,
    /// [`VERSION`].
    pub version: u32,
    /// The game's name.
    pub game: String,
    /// Number of players.
    pub players: u8,
    /// The whole rule set.
    pub rules: R,
    /// The agents' names by seat.
    pub agents: Vec<String>,
    /// Where the luck came from, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<MatchSeed>,
    /// The program that played, and its version.
    pub program: String,
    /// Why the settings are unofficial, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unofficial: Option<String>,
}

impl<R: Clone> HeaderLine<R> {
    /// The first line of a match.
    pub fn of<G: Game<Rules = R>>(game: &G, header: &Header) -> HeaderLine<R> {
        HeaderLine {
            record: RECORD.to_owned(),
            version: VERSION,
            game: G::NAME.to_owned(),
            players: game.players(),
            rules: game.rules().clone(),
            agents: header.agents.clone(),
            seed: header.seed,
            program: header.program.clone(),
            unofficial: game.unofficial().map(str::to_owned),
        }
    }
}

/// A chance event.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceLine {
    /// Its name.
    pub chance: String,
    /// The turn that began last; 0 during the deal.
    pub turn: u16,
    /// The seat that it concerns, if it concerns one seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// Its result, a word of the game.
    pub result: String,
}

impl ChanceLine {
    /// The line for an event of `turn`.
    pub fn of<G: Wording>(event: ChanceEvent<G::Draw>, turn: u16) -> ChanceLine {
        ChanceLine {
            chance: G::draw_name(event.draw).to_owned(),
            turn,
            seat: G::draw_seat(event.draw),
            result: G::result_name(event).into_owned(),
        }
    }
}

/// A decision.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionLine<A> {
    /// The turn that is being played, from 1.
    pub turn: u16,
    /// Who decides.
    pub seat: Seat,
    /// What is asked, a word of the game.
    pub phase: String,
    /// The length of the full legal list.
    pub legal: usize,
    /// What is chosen.
    pub action: A,
}

impl<A> DecisionLine<A> {
    /// The line for an action of `seat` in the position `before`.
    pub fn of<G: Wording<Action = A>>(
        game: &G,
        before: &G::State,
        seat: Seat,
        action: A,
    ) -> DecisionLine<A> {
        let mut legal: Box<Actions<A>> = Box::default();
        game.legal(before, ActionFilter::Full, &mut legal);
        DecisionLine {
            turn: game.turn_number(before),
            seat,
            phase: game.phase_name(before).to_owned(),
            legal: legal.len(),
            action,
        }
    }
}

/// The last line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndLine {
    /// Why the match ended.
    pub end: String,
    /// The winner; `null`, never left out, if there is none.
    #[serde(deserialize_with = "Option::deserialize")]
    pub winner: Option<Seat>,
    /// Points by seat.
    pub points: Vec<u8>,
    /// Ranks by seat.
    pub ranks: Vec<Rank>,
    /// Turns played.
    pub turns: u16,
}

impl EndLine {
    /// The line for a result after `turns` turns.
    pub fn of(outcome: &Outcome, turns: u16) -> EndLine {
        let seats = usize::from(outcome.seats);
        EndLine {
            end: outcome.end.name().to_owned(),
            winner: outcome.winner,
            points: outcome.points[..seats].to_vec(),
            ranks: outcome.ranks_doubled()[..seats].iter().map(|&doubled| Rank(doubled)).collect(),
            turns,
        }
    }
}

/// A rank, kept as its double: equals share the mean of their ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank(pub u8);

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.0.is_multiple_of(2) { "" } else { ".5" };
        write!(f, "{}{half}", self.0 / 2)
    }
}

impl Serialize for Rank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(2) {
            serializer.serialize_u8(self.0 / 2)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 2.0)
        }
    }
}

impl<'de> Deserialize<'de> for Rank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rank, D::Error> {
        let rank = f64::deserialize(deserializer)?;
        let doubled = (0..=u8::MAX).find(|&n| (f64::from(n) - 2.0 * rank).abs() < f64::EPSILON);
        doubled.map(Rank).ok_or_else(|| D::Error::custom("a rank is a whole number or a half"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_written_short_and_read_back() {
        let text = serde_json::to_string(&[Rank(2), Rank(5), Rank(12)]).unwrap();
        assert_eq!(text, "[1,2.5,6]");
        assert_eq!(serde_json::from_str::<[Rank; 3]>(&text).unwrap(), [Rank(2), Rank(5), Rank(12)]);
        assert!(serde_json::from_str::<Rank>("1.25").is_err());
        assert!(serde_json::from_str::<Rank>("-1").is_err());
        assert!(serde_json::from_str::<Rank>("1e300").is_err());
    }

    #[test]
    fn a_master_seed_keeps_all_its_digits() {
        let seed = MatchSeed { master: u64::MAX, block: 3, match_idx: 1 };
        let text = serde_json::to_string(&seed).unwrap();
        assert_eq!(text, r#"{"master":"18446744073709551615","block":3,"match":1}"#);
        assert_eq!(serde_json::from_str::<MatchSeed>(&text).unwrap(), seed);
    }
}
