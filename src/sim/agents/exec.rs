//! Agents that are programs outside: `exec:python3 bot.py`, or a strategy file of the kind `exec`.

use crate::core::outside::{Dialect, Invitation};
use crate::sim::agents::command::EXEC;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::agents::strategy::Checked;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use toml::{Table, Value};

/// The longest limit of time, in milliseconds: a day.
const LIMIT_MAX: u64 = 86_400_000;

/// The parameters of a program outside.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    command: Vec<String>,
    #[serde(default)]
    dialect: Dialect,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default = "a_minute")]
    start_ms: u64,
    #[serde(default = "a_minute")]
    decision_ms: u64,
    bank_ms: Option<u64>,
    #[serde(default)]
    full_list: bool,
}

/// The usual limit, in milliseconds: for programs that hang, not for those that think.
fn a_minute() -> u64 {
    60_000
}

impl AgentSpec {
    /// Whether it is a program outside.
    pub fn is_guest(&self) -> bool {
        self.kind == EXEC
    }

    /// The same, if it is a program outside, with hashes of files that its command names: one with other files is
    /// another agent, and is not played in this one's place when a run is resumed.
    #[must_use]
    pub fn with_files(mut self, hash: impl Fn(&str) -> Option<String>) -> AgentSpec {
        let words = self.parameters.get("command").and_then(Value::as_array);
        let words = words.into_iter().flatten().filter_map(Value::as_str);
        let files: Table =
            words.filter_map(|word| Some((word.to_owned(), Value::String(hash(word)?)))).collect();
        // What was found of a program holds for these files only.
        let same = |checked: &Checked| {
            let then = |(name, hash): (&String, &Value)| {
                checked.files.get(name).map(String::as_str) == hash.as_str()
            };
            checked.files.len() == files.len() && files.iter().all(then)
        };
        self.checked = self.checked.filter(same);
        if self.is_guest() && !files.is_empty() {
            self.parameters.insert("files".to_owned(), Value::Table(files));
        }
        self
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
        let Parameters {
            command,
            dialect,
            environment,
            files,
            start_ms,
            decision_ms,
            bank_ms,
            full_list,
        } = parameters.map_err(|error| bad(error.message().to_owned()))?;
        if command.first().is_none_or(String::is_empty) {
            return Err(bad("`command` has no program".to_owned()));
        }
        let limits = [("start_ms", start_ms), ("decision_ms", decision_ms)];
        for (name, limit) in limits.into_iter().chain(bank_ms.map(|limit| ("bank_ms", limit))) {
            if !(1..=LIMIT_MAX).contains(&limit) {
                return Err(bad(format!("`{name}` is {limit}; it must be in 1 to {LIMIT_MAX}")));
            }
        }
        let [start, decision] = [start_ms, decision_ms].map(Duration::from_millis);
        let bank = bank_ms.map(Duration::from_millis);
        Ok(Some(Invitation {
            command,
            dialect,
            environment,
            files,
            start,
            decision,
            bank,
            full_list,
        }))
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
        assert_eq!(bot.bank, None);
        let limited = invited("bot.toml", Some(&text.replace("decision_ms", "bank_ms"))).unwrap();
        assert_eq!(limited.bank, Some(Duration::from_millis(50)));
        assert_eq!((bot.environment["X"].as_str(), bot.dialect), ("1", Dialect::Fairhaven));
        let other = text.replace("decision_ms = 50", "dialect = \"catanatron\"");
        assert_eq!(invited("bot.toml", Some(&other)).unwrap().dialect, Dialect::Catanatron);
        for (from, to, part) in [
            ("decision_ms = 50", "decision_ms = 0", "in 1 to 86400000"),
            ("decision_ms = 50", "bank_ms = 0", "`bank_ms` is 0"),
            ("decision_ms", "decision", "unknown field `decision`"),
            ("decision_ms = 50", "dialect = \"french\"", "unknown variant `french`"),
            ("command = [\"bot\"]", "", "missing field `command`"),
        ] {
            let error = invited("bot.toml", Some(&text.replace(from, to))).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
