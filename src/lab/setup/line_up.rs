//! Agents and line-ups from words.

use crate::lab::setup::nets;
use crate::lab::setup::rules::read;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::any_game::LoadedGame;
use anyhow::{Context, Result, ensure};
use fnv::FnvHasher;
use std::fs;
use std::hash::Hasher;
use std::io::Read;
use std::path::Path;

/// A line-up: the distinct agents, and which of them sits in each seat.
#[derive(Debug, Clone, PartialEq)]
pub struct LineUp {
    /// Distinct agents.
    pub agents: Vec<AgentSpec>,
    /// An agent's number by seat.
    pub seats: Vec<usize>,
}

impl LineUp {
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

/// Reads a line-up: agents by seat, or one for all seats.
///
/// # Errors
/// If an agent can't be read or the numbers don't fit.
pub fn line_up(text: &str, players: Option<u8>) -> Result<LineUp> {
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    let named = u8::try_from(names.len()).context("too many agents")?;
    let players = players.unwrap_or(if named == 1 { 4 } else { named });
    ensure!(
        named == 1 || named == players,
        "{named} agents for {players} players; name one agent for all seats, or one for each",
    );
    let mut agents: Vec<AgentSpec> = Vec::new();
    let mut seats = Vec::new();
    for seat in 0..players {
        let name = names[usize::from(if named == 1 { 0 } else { seat })];
        let known = agents.iter().position(|agent| agent.name == name);
        seats.push(known.unwrap_or(agents.len()));
        if known.is_none() {
            agents.push(agent(name)?);
        }
    }
    Ok(LineUp { agents, seats })
}

/// Reads one agent; a name that ends in `.toml` is a file.
///
/// # Errors
/// If there is no such agent or file.
pub fn agent(name: &str) -> Result<AgentSpec> {
    ensure!(
        !name.chars().any(char::is_control),
        "the agent's name {name:?} has control characters"
    );
    let file = Path::new(name);
    let ends_so = file.extension().is_some_and(|extension| extension == "toml");
    // `mcts:net=mine.toml` is no strategy file.
    let is_net = name.rsplit_once(':').is_some_and(|(_, last)| last.starts_with("net="));
    let is_file = ends_so && !is_net;
    let text = if is_file { Some(read(file)?) } else { None };
    let agent = AgentSpec::parse(name, text.as_deref())?.with_files(file_hash);
    Ok(nets::with_net(agent)?)
}

/// A hash of what is in a file (FNV-1a, 64 bits); nothing if there is no such file, or it can't be read.
pub fn file_hash(path: &str) -> Option<String> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut file = fs::File::open(path).ok()?;
    let (mut hasher, mut buffer) = (FnvHasher::default(), [0; 1 << 13]);
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(format!("{:016x}", hasher.finish())),
            length => hasher.write(&buffer[..length]),
        }
    }
}
