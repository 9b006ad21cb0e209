//! Values that begin with a minus, such as `--win0 -3pp` and `--values -2..1`: no flag of the program begins with a
//! digit or a point, so such a word behind a flag that takes a value is its value.

use crate::cli::Cli;
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::ffi::OsString;

/// The words of a command line, with `=` between a flag and its value where that begins like a negative number; the
/// parser would take it for a flag otherwise.
pub fn joined(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let words: Vec<OsString> = words.into_iter().collect();
    if !words.iter().any(is_negative) {
        return words;
    }
    let program = Cli::command();
    let command = words.get(1).and_then(|name| program.find_subcommand(name));
    // `map` has commands of its own.
    let command = command.map(|command| {
        let part = words.get(2).and_then(|name| command.find_subcommand(name));
        part.unwrap_or(command)
    });
    let mut all: Vec<OsString> = Vec::new();
    let mut are_values = false;
    for word in words {
        match all.last_mut() {
            Some(flag) if !are_values && is_negative(&word) && takes_one(command, flag) => {
                flag.push("=");
                flag.push(word);
            }
            _ => {
                are_values |= word == "--";
                all.push(word);
            }
        }
    }
    all
}

/// Whether a word begins like a negative number.
fn is_negative(word: &OsString) -> bool {
    let text = word.to_str().and_then(|text| text.strip_prefix('-'));
    text.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Whether a word is a flag of the command, without a value yet, that takes one.
fn takes_one(command: Option<&Command>, flag: &OsString) -> bool {
    let name = flag.to_str().and_then(|flag| flag.strip_prefix("--"));
    let is_it = |arg: &&Arg| arg.get_long().is_some() && arg.get_long() == name;
    let arg = command.and_then(|command| command.get_arguments().find(is_it));
    arg.is_some_and(|arg| matches!(arg.get_action(), ArgAction::Set | ArgAction::Append))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::misused::commands;
    use clap::error::ErrorKind;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn every_flag_that_takes_a_value_gets_one_that_begins_with_a_minus() {
        let mut tried = 0;
        let program = Cli::command();
        for (path, command) in commands(&program) {
            let takes = |arg: &&Arg| matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
            let flags = command.get_arguments().filter(takes).filter_map(Arg::get_long);
            for flag in flags {
                for value in ["-3pp", "-2..1", "-.5", "-1"] {
                    let line = format!("fairhaven {path} --{flag} {value}");
                    let parsed = Cli::command().try_get_matches_from(joined(words(&line)));
                    let kind = parsed.err().map(|error| error.kind());
                    assert_ne!(kind, Some(ErrorKind::UnknownArgument), "{line}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 500, "{tried} were tried");
    }

    #[test]
    fn nothing_else_is_joined() {
        for line in [
            "fairhaven compare base a b --win0=-3pp",
            "fairhaven compare base a b --quiet -3",
            "fairhaven compare base a b -- --win0 -3pp",
            "fairhaven compare base a b --win0 --quiet",
            "fairhaven nothing --win0 -3pp",
            "fairhaven export run -o -3.jsonl",
            "fairhaven",
        ] {
            assert_eq!(joined(words(line)), words(line), "{line}");
        }
        let joined_words = joined(words("fairhaven compare base a b --win0 -3pp --win1 -.5"));
        assert_eq!(joined_words, words("fairhaven compare base a b --win0=-3pp --win1=-.5"));
    }
}
