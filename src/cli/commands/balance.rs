//! `balance`: the options of a choice, forced, removed and as the only one; or fields of the rule set in a
//! factorial design.

use crate::cli::Balance;
use crate::cli::commands::adapt::{Adapted, Adapting};
use crate::cli::commands::choose;
use crate::cli::commands::process;
use crate::cli::commands::run::{self, Output};
use crate::lab::questions::studies::factorial::{Factor, Factorial};
use crate::lab::questions::studies::study::Design;
use crate::lab::questions::studies::{balance, next, options};
use crate::lab::setup::rules;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::words::lists;
use anyhow::{Context, Result, bail, ensure};

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Balance) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let mut levels = choose::all_levels(&*game, args.levels.as_deref())?;
    let mut design = designed(args, &*game, levels.clone())?;
    match adapted(args, levels.len())? {
        Adapted::As(file) => {
            levels.push(choose::agent(&*game, &file)?);
            design = designed(args, &*game, levels)?;
        }
        Adapted::Nobody => {}
        Adapted::Stopped(output) => return Ok(output),
    }
    run::start(&args.running, &*game, design)
}

/// The study that is asked for, at some levels of play.
fn designed(args: &Balance, game: &dyn LoadedGame, levels: Vec<AgentSpec>) -> Result<Design> {
    let Balance { margin, until, blocks, estimands, .. } = args;
    ensure!(*margin > 0.0, "--margin is not above 0; write 1pp, for example");
    let twice = estimands.iter().enumerate().any(|(at, one)| estimands[..at].contains(one));
    ensure!(!twice, "--estimands names one twice");
    let judging = options::Judging { levels, margin: *margin, until: *until, blocks: *blocks };
    let choices = game.game_type().facts().choices;
    match &args.choice {
        None if args.factors.is_empty() => bail!("{}", wanted(game)),
        Some(_) if choices.is_empty() => bail!("{}", wanted(game)),
        Some(choice) => balance::Balance::design(game, choice, estimands, judging),
        None => Factorial::design(factors(args)?, judging, game.players()),
    }
}

/// What `--adapt` finds for the rules, if it is asked for.
fn adapted(args: &Balance, levels: usize) -> Result<Adapted> {
    if args.adapt.adapt.is_empty() {
        return Ok(Adapted::Nobody);
    }
    ensure!(levels == 1 || args.levels.is_none(), "one agent adapts; name one with --levels");
    let agent = args.levels.as_deref().unwrap_or(choose::AGENT);
    let adapting = Adapting {
        adapt: &args.adapt,
        agent,
        rules: args.rules.clone(),
        named: "these rules",
        players: args.players,
        taken_by: &format!("--levels {agent},"),
    };
    adapting.tuned(&args.running)
}

/// What the command needs, as commands that can be pasted: a choice, if the game has one, or fields of its rule set.
fn wanted(game: &dyn LoadedGame) -> String {
    let facts = game.game_type().facts();
    let factor = options::factor(game).map(|factor| ("--factor", factor));
    let choice = facts.choices.first().map(|choice| ("--choice", choice.name.to_owned()));
    let asked = match choice {
        Some(_) => "name a choice whose options are compared, or fields of the rule set with two values each".to_owned(),
        None => format!(
            "{} has no choice that can be forced; name fields of its rule set with two values each",
            facts.name
        ),
    };
    let words = without_choice(process::command_line());
    let proposals = choice.into_iter().chain(factor);
    let proposals =
        proposals.filter_map(|(flag, value)| next::again("balance", &words, flag, &value));
    let lines: Vec<String> = std::iter::once(format!("{asked}:")).chain(proposals).collect();
    lines.join("\n  ")
}

/// A command line without its `--choice`.
fn without_choice(words: Vec<String>) -> Vec<String> {
    let mut left = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--choice" {
            words.next();
        } else if !word.starts_with("--choice=") {
            left.push(word);
        }
    }
    left
}

/// The fields of `--factor`, each named once, and none that `--set` holds still.
fn factors(args: &Balance) -> Result<Vec<Factor>> {
    let factors: Vec<Factor> =
        args.factors.iter().map(|word| factor(word)).collect::<Result<_>>()?;
    for (at, factor) in factors.iter().enumerate() {
        let twice = factors[..at].iter().any(|other| other.field == factor.field);
        ensure!(!twice, "--factor {} is given twice", factor.field);
        rules::ensure_not_set(&args.rules.sets, &factor.field).context("--factor")?;
    }
    Ok(factors)
}

/// Reads `field=low,high`.
fn factor(word: &str) -> Result<Factor> {
    let wrong = || format!("`{word}` should read field=low,high");
    let (field, values) = word.split_once('=').with_context(wrong)?;
    let &[low, high] = &lists::entries(values)[..] else { bail!("{}", wrong()) };
    ensure!(!low.is_empty() && !high.is_empty() && low != high, "{}", wrong());
    let (low, high) = (low.to_owned(), high.to_owned());
    Ok(Factor { field: field.trim().to_owned(), low, high })
}
