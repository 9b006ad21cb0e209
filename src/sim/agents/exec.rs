//! Agents that are programs outside: `exec:python3 bot.py`, or a strategy file of the kind `exec`.

use crate::core::outside::Invitation;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use toml::{Table, Value};

/// The kind of these agents.
pub const EXEC: &str = "exec";

/// The longest limit of time, in milliseconds: a day.
const LIMIT_MAX: u64 = 86_400_000;

/// The parameters of a program outside.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    command: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default = "a_minute")]
    start_ms: u64,
    #[serde(default = "a_minute")]
    decision_ms: u64,
}

/// The usual limit, in milliseconds: for programs that hang, not for those that think.
fn a_minute() -> u64 {
    60_000
}

/// The parameters of `exec:COMMAND`.
///
/// # Errors
/// If there is no command, or a quotation mark is not closed.
pub(super) fn parameters_of(command: &str) -> Result<Table, String> {
    let words: Vec<Value> = words(command)?.into_iter().map(Value::String).collect();
    if words.is_empty() {
        return Err("`exec:` wants a command, such as `exec:python3 bot.py`".to_owned());
    }
    Ok(Table::from_iter([("command".to_owned(), Value::Array(words))]))
}

/// Words between spaces; in quotation marks, single or double, spaces are part of a word.
fn words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(mark), _) if letter == mark => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        Some(mark) => Err(format!("a quotation mark {mark} is not closed in `{text}`")),
        None => Ok(words),
    }
}

impl AgentSpec {
    /// Whether it is a program outside.
    pub fn is_guest(&self) -> bool {
        self.kind == EXEC
    }

    /// How it is reached, if it is a program outside.
    ///
    /// # Errors
    /// If it has no command, or a parameter is unknown or out of range.
    pub fn invitation(&self) -> Result<Option<Invitation>, BadAgent> {
        if !self.is_guest() {
            return Ok(None);
        }
        let bad = |reason: String| BadAgent { name: self.name.clone(), reason };
        let parameters: Result<Parameters, _> = self.parameters.clone().try_into();
        let Parameters { command, environment, start_ms, decision_ms } =
            parameters.map_err(|error| bad(error.message().to_owned()))?;
        if command.first().is_none_or(String::is_empty) {
            return Err(bad("`command` has no program".to_owned()));
        }
        for (name, limit) in [("start_ms", start_ms), ("decision_ms", decision_ms)] {
            if !(1..=LIMIT_MAX).contains(&limit) {
                return Err(bad(format!("`{name}` is {limit}; it must be in 1 to {LIMIT_MAX}")));
            }
        }
        let [start, decision] = [start_ms, decision_ms].map(Duration::from_millis);
        Ok(Some(Invitation { command, environment, start, decision }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invited(name: &str, file: Option<&str>) -> Result<Invitation, BadAgent> {
        Ok(AgentSpec::parse(name, file)?.invitation()?.expect("a program outside"))
    }

    #[test]
    fn a_command_is_cut_into_words() {
        for (name, due) in [
            ("exec:bot", vec!["bot"]),
            ("exec:python3  bot.py --depth 3", vec!["python3", "bot.py", "--depth", "3"]),
            ("exec:'my bot' -x \"a 'b'\" ''", vec!["my bot", "-x", "a 'b'", ""]),
            ("exec:bot a:b=c", vec!["bot", "a:b=c"]),
        ] {
            assert_eq!(invited(name, None).unwrap().command, due, "{name}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_command_is_named() {
        for (name, part) in [
            ("exec:", "wants a command"),
            ("exec:a 'b", "is not closed"),
            ("exec:''", "no program"),
        ] {
            let error = invited(name, None).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_file_has_limits_and_an_environment() {
        let text = "kind = \"exec\"\nabout = \"a bot\"\nprovenance = \"by hand\"\n[parameters]\n\
                    command = [\"bot\"]\ndecision_ms = 50\nenvironment = { X = \"1\" }\n";
        let bot = invited("bot.toml", Some(text)).unwrap();
        assert_eq!((bot.start.as_millis(), bot.decision.as_millis()), (60_000, 50));
        assert_eq!(bot.environment["X"], "1");
        for (from, to, part) in [
            ("decision_ms = 50", "decision_ms = 0", "in 1 to 86400000"),
            ("decision_ms", "decision", "unknown field `decision`"),
            ("command = [\"bot\"]", "", "missing field `command`"),
        ] {
            let error = invited("bot.toml", Some(&text.replace(from, to))).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
