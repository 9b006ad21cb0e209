//! Agents and line-ups from words.

use crate::lab::setup::nets;
use crate::lab::setup::rules::read;
use crate::registry::Games;
use crate::sim::agents::spec::{AgentSpec, KINDS};
use crate::sim::agents::strategies::STRATEGIES;
use crate::sim::any_game::{Facts, GameType};
use crate::sim::line_up::{LineUp, by_seat};
use anyhow::{Result, ensure};
use fnv::FnvHasher;
use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher;
use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Reads a line-up: agents by seat, or one for all seats.
///
/// # Errors
/// If an agent can't be read or the numbers don't fit.
pub fn line_up(text: &str, players: Option<u8>) -> Result<LineUp> {
    LineUp::of(&by_seat(text, players)?, agent)
}

/// Strategies that the process around the library has under names of their own, where others lie in files.
static NAMED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// From now on a strategy, as TOML, has this name; one that had it before has it no longer.
///
/// # Errors
/// If an agent of ours is called so, in any of these games.
pub fn name_strategy(games: &Games, name: &str, text: String) -> Result<()> {
    let facts: Vec<Facts> = games.iter().map(GameType::facts).collect();
    let specials = facts.iter().flat_map(|facts| &facts.specials);
    let mut ours = KINDS.iter().chain(STRATEGIES).chain(specials).map(|(name, _)| name);
    ensure!(!ours.any(|other| *other == name), "an agent is called `{name}` already");
    NAMED.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), text);
    Ok(())
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
    let named = NAMED.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    let text = if is_file { Some(read(file)?) } else { named };
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
