//! From arguments to a game, and what searches ask of the outside.

use crate::cli::commands::host::catalogue;
use crate::cli::running::RuleChoice;
use crate::lab::setup::line_up;
use crate::lab::setup::rules::{self, changed};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{Facts, LoadedGame};
use crate::sim::guests::seating;
use crate::sim::line_up::LineUp;
use crate::words::lists;
use anyhow::{Context, Result, ensure};

/// The line that marks what was played or judged at a table of an unofficial size; empty for others.
pub fn unofficial_line(reason: Option<&str>) -> String {
    reason.map_or(String::new(), |reason| format!("Unofficial: {reason}.\n"))
}

/// The game for a rule set: defaults, then a file, then single fields.
///
/// # Errors
/// If there is no such game; names each field that is unknown or can't be played with.
pub fn game(choice: &RuleChoice, players: u8) -> Result<Box<dyn LoadedGame>> {
    let game = catalogue().game(&choice.game)?;
    let table = match &choice.rules {
        None => game.default_rules(),
        Some(path) => rules::rule_set(game, path)?,
    };
    changed(game, table, &rules::with_files(game, &choice.sets)?, players)
}

/// Players at a table if nobody says how many, where the game takes so many.
const PLAYERS: u8 = 4;

/// Players at the table: as asked for, or the usual number.
///
/// # Errors
/// If there is no such game.
pub fn players(choice: &RuleChoice, asked: Option<u8>) -> Result<u8> {
    let facts = catalogue().game(&choice.game)?.facts();
    Ok(asked.unwrap_or(usual_players(&facts)))
}

/// Players at a table of a game if nobody says how many.
pub fn usual_players(facts: &Facts) -> u8 {
    PLAYERS.min(*facts.players.end())
}

/// A line-up and its game: agents by seat, or one for all seats of the table.
///
/// # Errors
/// If there is no such game or agent, the numbers don't fit, or the rules can't be played with.
pub fn line_up(
    choice: &RuleChoice,
    agents: &str,
    asked: Option<u8>,
) -> Result<(LineUp, Box<dyn LoadedGame>)> {
    let alone = !agents.contains(',');
    let table = if alone { Some(players(choice, asked)?) } else { asked };
    let line_up = line_up::line_up(agents, table)?;
    let players = u8::try_from(line_up.seats.len()).context("too many seats")?;
    let game = game(choice, players)?;
    Ok((line_up.settled(&*game)?, game))
}

/// An agent at a table, under the one name that it has there.
///
/// # Errors
/// If there is no such agent or file, or a parameter is unknown or out of range.
pub fn agent(game: &dyn LoadedGame, name: &str) -> Result<AgentSpec> {
    Ok(game.settled(&line_up::agent(name)?)?)
}

/// Who plays where no agent is named.
pub const AGENT: &str = "heuristic";

/// Levels of the game that play worse than that agent, which play beside it where nobody is named.
fn others(game: &dyn LoadedGame) -> String {
    let known = seating::levels(game.game_type().facts().name);
    let others = ["easy", "hard"].into_iter().filter(|level| known.contains(level));
    others.collect::<Vec<&str>>().join(",")
}

/// The levels of play beside an agent, or beside the usual one if none is named: those of a list; without one none for a
/// named agent, and the game's for the usual one.
///
/// # Errors
/// If one can't play there, or is named twice.
pub fn further_levels(
    game: &dyn LoadedGame,
    list: Option<&str>,
    agent: Option<&str>,
) -> Result<Vec<AgentSpec>> {
    let list = match (list, agent) {
        (Some(list), _) => list.to_owned(),
        (None, None) => others(game),
        (None, Some(_)) => String::new(),
    };
    if list.is_empty() { Ok(Vec::new()) } else { levels(game, &list) }
}

/// The levels of play of a list, or the game's and the usual agent.
///
/// # Errors
/// If one can't play there, or is named twice.
pub fn all_levels(game: &dyn LoadedGame, list: Option<&str>) -> Result<Vec<AgentSpec>> {
    let others = others(game);
    let usual: Vec<&str> = [&others, AGENT].into_iter().filter(|it| !it.is_empty()).collect();
    levels(game, list.unwrap_or(&usual.join(",")))
}

/// Levels of play from a list; those of the game go by their short names, too.
///
/// # Errors
/// If one can't play there, or is named twice.
pub fn levels(game: &dyn LoadedGame, list: &str) -> Result<Vec<AgentSpec>> {
    let name = game.game_type().facts().name;
    let named = |word: &str| agent(game, &seating::full_name(name, word)).context("--levels");
    let levels: Vec<AgentSpec> =
        lists::entries(list).into_iter().map(named).collect::<Result<_>>()?;
    for (at, level) in levels.iter().enumerate() {
        let twice = levels[..at].iter().any(|other| other.is(level));
        ensure!(!twice, "--levels: `{}` is named twice", level.name);
    }
    Ok(levels)
}
