//! `levels`: the parameter at which an agent wins a given share of matches.

use crate::cli::commands::choose;
use crate::cli::commands::host::catalogue;
use crate::cli::commands::run::{self, Output};
use crate::cli::searches;
use crate::lab::questions::searches::certify::{CLAIMS_MAX, Certify, Said};
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::level_file::rules_of;
use crate::lab::questions::searches::level_settings::{Levels, RATES_MAX, default_families};
use crate::lab::questions::searches::tune::PARAMETERS_MAX;
use crate::lab::setup::rules::{read, sets};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::strategies::STRATEGIES;
use crate::sim::agents::strategy::{Strategy, StrategyLevel};
use crate::sim::any_game::LoadedGame;
use crate::words::numbers;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use toml::Table;

/// What is taken if nothing is said.
const AGAINST: &str = "heuristic";
const TOLERANCE: f64 = 0.02;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &searches::Levels) -> Result<Output> {
    if !args.certify.is_empty() {
        return certify(args);
    }
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let agent = |name: &str| choose::agent(&*game, name);
    let against = agent(args.against.as_deref().unwrap_or(AGAINST))?;
    let (agents, families) = if let (Some(name), Some(param)) = (&args.agent, &args.param) {
        let base = agent(name)?;
        let family = family(&*game, &base, "--param", param)?;
        (vec![base], vec![family])
    } else {
        let (names, families): (Vec<&str>, Vec<Family>) = default_families().into_iter().unzip();
        let agents = names.into_iter().map(agent).collect::<Result<_>>()?;
        (agents, families)
    };
    let tolerance = args.tolerance.unwrap_or(TOLERANCE);
    check_tolerance(tolerance)?;
    let mut rates = args.rates.clone();
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    let count = rates.len();
    ensure!(count <= RATES_MAX, "--rates: {count} are more than {RATES_MAX}");
    let levels = Levels { rates, families, tolerance, matches: args.matches };
    let least = levels.matches_least(players);
    ensure!(
        args.matches >= least,
        "--matches {} is too few: certifying these rates takes at least {least} each",
        args.matches
    );
    run::search(&args.running, &*game, levels.design(agents, against, players))
}

fn check_tolerance(tolerance: f64) -> Result<()> {
    ensure!((0.001..=0.2).contains(&tolerance), "--tolerance must be in 0.1pp to 20pp");
    Ok(())
}

/// Measures given strategies again.
fn certify(args: &searches::Levels) -> Result<Output> {
    let read = |name: &String| {
        let level = level_of(name)?;
        let wrong = args.rules.game != level.game;
        ensure!(!wrong, "`{name}` is a level of {}, not of {}", level.game, args.rules.game);
        Ok((name.clone(), level))
    };
    let count = args.certify.len();
    ensure!(count <= CLAIMS_MAX, "--certify: {count} strategies are more than {CLAIMS_MAX}");
    let all: Vec<(String, StrategyLevel)> = args.certify.iter().map(read).collect::<Result<_>>()?;
    let (_, first) = &all[0];
    let players = args.players.unwrap_or(first.players);
    let against = args.against.as_ref().unwrap_or(&first.against);
    let mut said = Vec::new();
    for (name, level) in &all {
        let same = args.players.is_some() || level.players == players;
        ensure!(same, "`{name}` is for {} players, others are for {players}", level.players);
        let same = args.against.is_some() || level.against == *against;
        ensure!(same, "`{name}` was measured against {}, others against {against}", level.against);
        said.push(said_of(args, name, level)?);
    }
    let game = game_of_levels(args, &all, players)?;
    let against = choose::agent(&*game, against)?;
    let agents = all.iter().map(|(name, _)| choose::agent(&*game, name)).collect::<Result<_>>()?;
    run::search(&args.running, &*game, Certify { said }.design(agents, against, players))
}

/// What a level is said to win, and how closely.
fn said_of(args: &searches::Levels, name: &str, level: &StrategyLevel) -> Result<Said> {
    let tolerance = match args.tolerance {
        Some(tolerance) => tolerance,
        None => numbers::share(&level.tolerance).with_context(|| format!("`{name}`"))?,
    };
    check_tolerance(tolerance)?;
    let percent = level.percent;
    ensure!(0.0 < percent && percent < 100.0, "`{name}`: {percent} is no rate in per cent");
    Ok(Said { percent, tolerance })
}

/// The game with the rules by which all of some levels were measured; rules that are given must be the same.
fn game_of_levels(
    args: &searches::Levels,
    all: &[(String, StrategyLevel)],
    players: u8,
) -> Result<Box<dyn LoadedGame>> {
    let game = catalogue().game(&args.rules.game)?;
    let (first, level) = &all[0];
    let rules = rules_of(game, first, level)?;
    let words = |rules: &Table| match &sets(game, rules)[..] {
        [] => "the game's own".to_owned(),
        sets => sets.join(" "),
    };
    for (name, level) in &all[1..] {
        let other = rules_of(game, name, level)?;
        ensure!(
            other == rules,
            "`{name}` was measured by other rules ({}) than `{first}` ({}); certify each alone",
            words(&other),
            words(&rules),
        );
    }
    if args.rules.rules.is_some() || !args.rules.sets.is_empty() {
        let given = choose::game(&args.rules, players)?.rules();
        ensure!(
            given == rules,
            "`{first}` was measured by other rules ({}) than are given ({}); leave out --set and --rules to measure \
             it by its own",
            words(&rules),
            words(&given),
        );
    }
    Ok(game.load(rules, players)?)
}

/// What a strategy is said to win: that of a file, or of a built-in one.
fn level_of(name: &str) -> Result<StrategyLevel> {
    let built_in = STRATEGIES.iter().find(|(known, _)| *known == name);
    let text = match built_in {
        Some((_, text)) => (*text).to_owned(),
        None => read(Path::new(name))?,
    };
    let strategy: Strategy =
        toml::from_str(&text).with_context(|| format!("`{name}` is not a strategy"))?;
    strategy.level.with_context(|| {
        format!("`{name}` has no [level] that says what it wins; `fairhaven levels` writes it")
    })
}

/// The families that a flag names, of an agent without their parameters.
///
/// # Errors
/// If they are too many, one is named twice, or is no [`family`].
pub fn families(
    game: &dyn LoadedGame,
    agent: &AgentSpec,
    flag: &str,
    params: &[String],
) -> Result<Vec<Family>> {
    let count = params.len();
    ensure!(count <= PARAMETERS_MAX, "{count} parameters are more than {PARAMETERS_MAX}");
    let keys: Vec<&str> =
        params.iter().map(|param| param.split('=').next().unwrap_or_default()).collect();
    for (at, key) in keys.iter().enumerate() {
        ensure!(!keys[..at].contains(key), "{flag} `{key}` is given twice");
    }
    let base = agent.without(&keys);
    params.iter().map(|param| family(game, &base, flag, param)).collect()
}

/// A family from words, the value of a flag: `haste=0..4`, `iterations=2..5000:log`.
///
/// # Errors
/// If it is no range, or the agent has no such parameter or can't have such values.
pub fn family(game: &dyn LoadedGame, base: &AgentSpec, flag: &str, param: &str) -> Result<Family> {
    let written = || format!("{flag} `{param}`: write KEY=LO..HI, such as haste=0..4");
    let (key, range) = param.split_once('=').with_context(written)?;
    let (range, scale) = match range.split_once(':') {
        Some((range, scale)) => (range, Some(scale)),
        None => (range, None),
    };
    let (low, high) = range.split_once("..").with_context(written)?;
    let end = |text: &str| text.trim().parse::<f64>().ok().filter(|end| end.is_finite());
    let (low, high) = end(low).zip(end(high)).with_context(written)?;
    ensure!(low < high, "{flag} `{param}`: the range must have its smaller end first");
    let log = match scale {
        None => Family::is_wide(low, high),
        Some("log") => true,
        Some("linear") => false,
        Some(other) => bail!("{flag} `{param}`: the scale is `log` or `linear`, not `{other}`"),
    };
    ensure!(!log || low > 0.0, "{flag} `{param}`: a logarithmic scale begins above 0");
    let family = |whole| Family { agent: 0, key: key.to_owned(), low, high, log, whole };
    let fits = |family: &Family, value: f64| -> Result<()> {
        let member = family.member(std::slice::from_ref(base), value)?;
        Ok(game.check_agents(&[member])?)
    };
    // A parameter that takes no fraction takes whole numbers.
    let broken = f64::midpoint(libm::floor(low), libm::floor(low) + 1.0);
    let (free, whole) = (family(false), family(true));
    let is_whole = fits(&free, broken).is_err() && fits(&whole, libm::ceil(low)).is_ok();
    let family = if is_whole { whole } else { free };
    for end in [family.value(0.0), family.value(1.0)] {
        fits(&family, end)?;
    }
    ensure!(family.is_sound(1), "{flag} `{param}`: there is no whole number in the range");
    Ok(family)
}
