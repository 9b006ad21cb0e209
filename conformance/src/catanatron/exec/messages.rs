//! Messages of the other program as a host.

use crate::catanatron::field::PART_MAX;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The version of the protocol.
pub const VERSION: i64 = 1;

/// The version of the documents in it.
pub const SCHEMA: i64 = 2;

/// The longest line that is read, in bytes: each question repeats all that was done so far.
pub const LINE_MAX: usize = 4 << 20;

/// The most actions of a list: more than any position has.
const LIST_MAX: usize = 1000;

/// A message of a host, as far as a guest reads it.
#[derive(Debug, Deserialize)]
pub struct Message<'a> {
    /// Which message it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// The version that the host speaks.
    pub protocol_version: Option<i64>,
    /// The match.
    #[serde(borrow)]
    pub game_id: Option<&'a RawValue>,
    /// The guest's colour.
    pub color: Option<String>,
    /// The position.
    #[serde(borrow)]
    pub state: Option<&'a RawValue>,
    /// What the guest may do.
    #[serde(borrow)]
    pub playable_actions: Option<&'a RawValue>,
}

/// A position, as far as a guest reads it.
#[derive(Debug, Deserialize)]
pub struct Document<'a> {
    /// Its version.
    pub schema_version: i64,
    /// Options.
    #[serde(borrow)]
    pub game: &'a RawValue,
    /// The island, at the start of a match.
    #[serde(borrow)]
    pub map: Option<&'a RawValue>,
    /// What stands on it.
    #[serde(borrow)]
    pub board: &'a RawValue,
    /// Who sits where.
    pub colors: Vec<String>,
    /// Numbers of the seats, each by its name.
    #[serde(borrow)]
    pub player_state: &'a RawValue,
    /// The bank.
    #[serde(borrow)]
    pub resource_freqdeck: &'a RawValue,
    /// All that was done, each action with its result.
    #[serde(borrow)]
    pub action_records: Vec<&'a RawValue>,
}

/// A guest's answer to `hello`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Greeting {
    /// [`VERSION`].
    pub protocol_version: i64,
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether it wants to hear of each action.
    #[serde(default)]
    pub observe: bool,
}

/// A guest's answer to a question.
#[derive(Debug, Serialize)]
pub struct Chosen<'a> {
    /// One of the actions that it may take, as it stands there.
    pub action: &'a Value,
}

/// Reads a position.
///
/// # Errors
/// If it is none, or of another version.
pub fn document(text: Option<&RawValue>) -> Result<Document<'_>, String> {
    let text = text.ok_or("`state` is missing")?;
    let document: Document<'_> =
        serde_json::from_str(text.get()).map_err(|error| format!("`state`: {error}"))?;
    if document.schema_version != SCHEMA {
        let version = document.schema_version;
        return Err(format!("its documents are of schema {version}; this is {SCHEMA}"));
    }
    Ok(document)
}

/// Reads a list of actions.
///
/// # Errors
/// If it is none, or too long.
pub fn actions(text: Option<&RawValue>) -> Result<Vec<Value>, String> {
    let text = text.ok_or("`playable_actions` is missing")?.get();
    if text.len() > PART_MAX {
        return Err(format!("`playable_actions` is longer than {PART_MAX} bytes"));
    }
    let actions: Vec<Value> =
        serde_json::from_str(text).map_err(|error| format!("`playable_actions`: {error}"))?;
    match actions.len() {
        0 => Err("`playable_actions` is empty".to_owned()),
        1..=LIST_MAX => Ok(actions),
        listed => Err(format!("{listed} playable actions are too many")),
    }
}
