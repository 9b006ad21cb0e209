//! What can be played: the games, their levels and how many play. Agents that a browser can't have are refused here.

use crate::Refusal;
use fairhaven_engine::core::params::MctsParams;
use fairhaven_engine::registry::Games;
use fairhaven_engine::sim::agents::spec::AgentSpec;
use fairhaven_engine::sim::any_game::GameType;
use fairhaven_engine::sim::guests::seating::{LEVEL, full_name, levels};
use fairhaven_engine::sim::records::line::PROGRAM;
use serde::Serialize;
use toml::Value;

/// Players at a table if nobody says how many, where the game takes so many.
const PLAYERS: u8 = 4;

/// The most iterations of a search: an eighth of a minute a decision, and a tree of some megabytes.
const ITERATIONS_MAX: i64 = 50_000;

/// What a page asks before the first match.
#[derive(Debug, Serialize)]
struct Offer {
    program: &'static str,
    games: Vec<OfferedGame>,
}

/// A game, and who may play it.
#[derive(Debug, Serialize)]
struct OfferedGame {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// Fewest and most players.
    players: [u8; 2],
    usual: u8,
    levels: Vec<&'static str>,
    level: &'static str,
}

/// The games and their levels, as one JSON object.
pub fn offer() -> String {
    let games = Games::standard();
    let game = |game: &dyn GameType| {
        let facts = game.facts();
        let (name, title, about) = (facts.name, facts.title, facts.about);
        let players = [*facts.players.start(), *facts.players.end()];
        let (levels, usual) = (levels(name), usual_players(game));
        OfferedGame { name, title, about, players, usual, levels, level: LEVEL }
    };
    let offer = Offer { program: PROGRAM, games: games.iter().map(game).collect() };
    serde_json::to_string(&offer).expect("it has names for keys")
}

/// Players at a table of a game if nobody says how many.
pub fn usual_players(game: &dyn GameType) -> u8 {
    PLAYERS.min(*game.facts().players.end())
}

/// An agent by its name, or a level of the game by its short name.
///
/// # Errors
/// If there is none, or it needs what a browser does not have.
pub fn agent(game: &str, name: &str) -> Result<AgentSpec, Refusal> {
    let agent =
        AgentSpec::parse(&full_name(game, name), None).map_err(|error| error.to_string())?;
    let refused = |why: &str| Err(format!("agent `{name}`: {why}"));
    if agent.is_guest() {
        return refused("a page can't start programs");
    }
    if agent.is_timed() {
        return refused("there is no clock here; name a number of iterations");
    }
    let most = |parameter: &str, most: i64| {
        let value = agent.parameters.get(parameter).and_then(Value::as_integer);
        value.is_none_or(|value| value <= most)
    };
    if !most("iterations", ITERATIONS_MAX) {
        return refused(&format!("here {ITERATIONS_MAX} iterations are the most"));
    }
    if !most("trees", MctsParams::DEFAULT.trees.into()) {
        return refused("one tree grows here");
    }
    Ok(agent)
}
