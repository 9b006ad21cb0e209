//! Line-ups: which agent sits in each seat, from words.

use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::any_game::LoadedGame;
use crate::words::lists::plural;

/// A line-up: the distinct agents, and which of them sits in each seat.
#[derive(Debug, Clone, PartialEq)]
pub struct LineUp {
    /// Distinct agents.
    pub agents: Vec<AgentSpec>,
    /// An agent's number by seat.
    pub seats: Vec<usize>,
}

/// Names that don't fit the table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadLineUp(String);

/// The names of agents by seat, from a list that names all, or one for all seats.
///
/// # Errors
/// If the numbers don't fit.
pub fn by_seat(text: &str, players: Option<u8>) -> Result<Vec<&str>, BadLineUp> {
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    let many = || BadLineUp("too many agents".to_owned());
    let named = u8::try_from(names.len()).map_err(|_| many())?;
    let players = players.unwrap_or(if named == 1 { 4 } else { named });
    if named != 1 && named != players {
        return Err(BadLineUp(format!(
            "{named} agents for {players} {}; name one agent for all seats, or one for each",
            plural(players.into(), "player"),
        )));
    }
    let name = |seat: u8| names[usize::from(if named == 1 { 0 } else { seat })];
    Ok((0..players).map(name).collect())
}

impl LineUp {
    /// The line-up of some names by seat, each of which is read once.
    ///
    /// # Errors
    /// If one can't be read.
    pub fn of<E>(
        names: &[&str],
        mut read: impl FnMut(&str) -> Result<AgentSpec, E>,
    ) -> Result<LineUp, E> {
        let mut agents: Vec<AgentSpec> = Vec::new();
        let mut seats = Vec::new();
        for name in names {
            let known = agents.iter().position(|agent| agent.name == *name);
            seats.push(known.unwrap_or(agents.len()));
            if known.is_none() {
                agents.push(read(name)?);
            }
        }
        Ok(LineUp { agents, seats })
    }

    /// The same line-up at a table, where agents that differ in their words only are one.
    ///
    /// # Errors
    /// If a parameter of an agent is unknown or out of range.
    pub fn settled(self, game: &dyn LoadedGame) -> Result<LineUp, BadAgent> {
        let mut agents: Vec<AgentSpec> = Vec::new();
        let mut numbers = Vec::new();
        for agent in &self.agents {
            let agent = game.settled(agent)?;
            let known = agents.iter().position(|other| other.is(&agent));
            numbers.push(known.unwrap_or(agents.len()));
            if known.is_none() {
                agents.push(agent);
            }
        }
        let seats = self.seats.into_iter().map(|agent| numbers[agent]).collect();
        Ok(LineUp { agents, seats })
    }
}
