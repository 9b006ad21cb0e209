//! What is said of a command line that the parser refuses: its words, with tips that help. A flag of other commands names
//! them, and how this one counts; the parser itself would only say how to pass the flag as a value.

use crate::cli::Cli;
use crate::words::shortened::shortened;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, Error};
use std::ffi::OsString;

/// Flags that count what is played: a command has one of them.
const COUNTS: [&str; 2] = ["matches", "blocks"];

/// The most commands that a tip names.
const NAMED: usize = 8;

/// The refusal of some words, with a tip that helps.
pub fn with_tip(mut error: Error, words: &[OsString]) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    error.remove(ContextKind::Suggested);
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    let Some(name) = flag.strip_prefix("--") else { return error };
    let tips: Vec<StyledStr> = tips(name, words).into_iter().map(StyledStr::from).collect();
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// The text of a refusal or of help, for a terminal.
pub fn text(error: &Error) -> String {
    let said = error.render().to_string();
    // The parser of a number says what it met, not what is due.
    shortened(&said.replace("invalid digit found in string", "write a whole number from 0"))
}

/// What helps whoever gave a command a flag that it doesn't have.
fn tips(name: &str, words: &[OsString]) -> Vec<String> {
    let program = Cli::command();
    let all = commands(&program);
    let given = |word: usize| words.get(word).and_then(|word| word.to_str()).unwrap_or_default();
    let (one, two) = (given(1).to_owned(), format!("{} {}", given(1), given(2)));
    let called = all.iter().find(|(path, _)| *path == two || *path == one);
    let mut tips = Vec::new();
    if let Some((path, command)) = called.filter(|_| COUNTS.contains(&name)) {
        let counted = COUNTS.into_iter().find(|count| has(command, count));
        tips.extend(counted.map(|count| format!("`{path}` counts {count}: --{count}")));
    }
    let having = all.iter().filter(|(_, command)| has(command, name));
    let having: Vec<String> = having.map(|(path, _)| format!("`{path}`")).collect();
    let (named, others) = having.split_at(having.len().min(NAMED));
    let more =
        if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    if !named.is_empty() {
        tips.push(format!("--{name} belongs to {}{more}", named.join(", ")));
    }
    tips
}

/// All commands that do something, by the words that call them.
pub fn commands(program: &Command) -> Vec<(String, &Command)> {
    let mut all = Vec::new();
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_name();
        let parts =
            command.get_subcommands().map(|part| (format!("{name} {}", part.get_name()), part));
        all.extend(parts);
        if !command.has_subcommands() {
            all.push((name.to_owned(), command));
        }
    }
    all
}

fn has(command: &Command, name: &str) -> bool {
    command.get_arguments().filter_map(Arg::get_long).any(|long| long == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn said(line: &str) -> String {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = Cli::try_parse_from(&words).expect_err("it is refused");
        text(&with_tip(error, &words))
    }

    /// Every flag of any command, given to every command that doesn't have it.
    #[test]
    fn tips_name_commands_that_have_the_flag_and_never_end_in_another_error() {
        let program = Cli::command();
        let all = commands(&program);
        let mut flags: Vec<&str> = all
            .iter()
            .flat_map(|(_, command)| command.get_arguments().filter_map(Arg::get_long))
            .collect();
        flags.sort_unstable();
        flags.dedup();
        let mut tried = 0;
        for (path, command) in &all {
            for flag in flags.iter().filter(|flag| !has(command, flag)) {
                if ["help", "version", "allow-exec"].contains(flag) {
                    continue;
                }
                let said = said(&format!("fairhaven {path} --{flag}"));
                assert!(said.contains(&format!("--{flag} belongs to `")), "{path}: {said}");
                assert!(!said.contains("-- --"), "{path}: {said}");
                assert!(!said.contains(&format!("belongs to `{path}`")), "{path}: {said}");
                tried += 1;
            }
        }
        assert!(tried > 500, "{tried} were tried");
    }

    #[test]
    fn a_command_says_how_it_counts() {
        for (line, due) in [
            ("simulate base --blocks 4", "`simulate` counts matches: --matches"),
            ("diagnose base --matches 4", "`diagnose` counts blocks: --blocks"),
            ("map judge base --matches 4", "`map judge` counts blocks: --blocks"),
            ("simulate base --until ci=2pp", "--until belongs to `compare`"),
            ("simulate base --mach 3", "a similar argument exists: '--matches'"),
            ("simulate base --players x", "write a whole number from 0"),
        ] {
            let said = said(&format!("fairhaven {line}"));
            assert!(said.contains(due), "{said}");
        }
        assert!(!said("fairhaven simulate base --nothing-like-it").contains("tip"));
    }
}
