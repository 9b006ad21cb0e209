//! `man` and `completions`: what the command line is, for `man` and for shells.

use crate::cli::Cli;
use crate::cli::commands::host::catalogue;
use crate::cli::commands::inspect;
use crate::core::params::{HANDICAP, NET, SEARCH};
use crate::sim::agents::spec::KINDS;
use crate::sim::agents::strategies::STRATEGIES;
use crate::sim::agents::without::WITHOUT;
use crate::sim::any_game::GameType;
use crate::words::nearest;
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::path::Path;

/// A manual page: of a command, or of the program.
///
/// # Errors
/// If there is no such command.
pub fn page(name: Option<&str>) -> Result<String> {
    let program = built();
    let command = match name {
        None => &program,
        Some(name) => program.find_subcommand(name).with_context(|| {
            let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
            nearest::unknown("command", name, &names)
        })?,
    };
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}

/// Writes a page for the program and one for each command, and says where.
///
/// # Errors
/// If they can't be written.
pub fn pages(directory: &Path) -> Result<String> {
    let unwritable = || format!("can't write manual pages to `{}`", directory.display());
    fs::create_dir_all(directory).with_context(unwritable)?;
    clap_mangen::generate_to(Cli::command(), directory).with_context(unwritable)?;
    let pages = count(&built());
    Ok(format!("{pages} pages in `{}`, from fairhaven.1\n", directory.display()))
}

/// Pages of a command: its own, and those of the commands in it.
fn count(command: &Command) -> usize {
    1 + command.get_subcommands().map(count).sum::<usize>()
}

/// The command line with the full names of its commands, as pages show them.
fn built() -> Command {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    program
}

/// The script that completes the command line in a shell: flags, and the names of games, agents, fields,
/// parameters, choices and files.
///
/// # Errors
/// If a generator writes anything but text.
pub fn completions(shell: Shell) -> Result<String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut completed(), "fairhaven", &mut script);
    Ok(String::from_utf8(script)?)
}

/// The command line whose arguments know their values. It only completes and never parses: what is
/// parsed may be a file, a list, or a name with parameters, and a wrong one gets a better answer later.
fn completed() -> Command {
    let mut program = Cli::command();
    let names: Vec<String> =
        program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let values = values();
    for name in &names {
        program = program.mut_subcommand(name, |command| with_values(command, &values));
    }
    program
}

fn with_values(mut command: Command, values: &[Values]) -> Command {
    for (arguments, words) in values {
        for argument in *arguments {
            if command.get_arguments().any(|known| known.get_id() == argument) {
                let parser = PossibleValuesParser::new(words.clone());
                command = command.mut_arg(argument, |known| known.value_parser(parser));
            }
        }
    }
    command
}

/// Arguments by their names in `cli`, with the words that may stand there.
type Values = (&'static [&'static str], Vec<&'static str>);

fn values() -> Vec<Values> {
    let words = Words::of_all_games();
    let common = KINDS.iter().chain(STRATEGIES).map(|(name, _)| *name);
    let agents = distinct(common.chain(words.agents));
    vec![
        (&["game"], catalogue().games.names()),
        (&["agents", "levels", "judges", "from", "agent_a", "agent_b", "agent", "judge"], agents),
        (&["sets", "field", "factors"], distinct(words.fields.into_iter())),
        (&["param"], distinct(words.parameters.into_iter())),
        (&["choice"], distinct(words.choices.into_iter())),
        (&["file"], inspect::schema_names()),
    ]
}

/// Names of all games together.
#[derive(Debug, Clone, Default)]
struct Words {
    agents: Vec<&'static str>,
    fields: Vec<&'static str>,
    parameters: Vec<&'static str>,
    choices: Vec<&'static str>,
}

impl Words {
    fn of_all_games() -> Words {
        let mut words = Words::default();
        let common = SEARCH.iter().chain(NET).chain(HANDICAP);
        words.parameters.extend(common.map(|parameter| parameter.name));
        words.parameters.push(WITHOUT);
        for facts in catalogue().games.iter().map(GameType::facts) {
            words.agents.extend(facts.specials.iter().map(|(name, _)| name));
            words.fields.extend(facts.fields.iter().map(|field| field.path));
            words.parameters.extend(facts.weights.iter().map(|weight| weight.name));
            words.choices.extend(facts.choices.iter().map(|choice| choice.name));
        }
        words
    }
}

/// Each word once, in order of appearance.
fn distinct(words: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut all: Vec<&str> = Vec::new();
    for word in words {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all
}
