//! Blocks as `simulate` plays them, for their digests: whether this engine plays what the program plays.

use crate::Refusal;
use crate::offered;
use fairhaven_engine::core::watch::Watch;
use fairhaven_engine::registry::Games;
use fairhaven_engine::sim::any_game::{Seated, SimulationPlan};
use fairhaven_engine::sim::batch::Chunking;
use fairhaven_engine::sim::line_up::{LineUp, by_seat};
use fairhaven_engine::sim::simulation::rotations;
use std::fmt::Write;

/// The most matches at once.
const MATCHES_MAX: u32 = 1_000_000;

/// The digests of `simulate GAME --agents AGENTS --matches MATCHES --seed SEED`, as its file `digests.bin` has them, in
/// hexadecimal.
///
/// # Errors
/// If there is no such game or agent, or the numbers don't fit.
pub fn digests(game: &str, agents: &str, matches: u32, seed: u64) -> Result<String, Refusal> {
    if !(1..=MATCHES_MAX).contains(&matches) {
        return Err(format!("{matches} matches: 1 to {MATCHES_MAX} are played"));
    }
    let games = Games::standard();
    let game = games.get(game).ok_or_else(|| format!("there is no game `{game}`"))?;
    let alone = !agents.contains(',');
    let players = alone.then(|| offered::usual_players(game));
    let names = by_seat(agents, players).map_err(|error| error.to_string())?;
    let line_up = LineUp::of(&names, |name| offered::agent(game.facts().name, name))?;
    let players = u8::try_from(line_up.seats.len()).map_err(|error| error.to_string())?;
    let game = game.load(game.default_rules(), players).map_err(|error| error.to_string())?;
    let line_up = line_up.settled(&*game).map_err(|error| error.to_string())?;
    game.check_agents(&line_up.agents).map_err(|error| error.to_string())?;
    let rotations = rotations(&line_up.seats);
    let blocks = u64::from(matches).div_ceil(rotations.len() as u64);
    let plan = Chunking { blocks, chunk: Chunking::chunk_for(blocks) };
    let watch = Watch::none();
    let seated = Seated { agents: &line_up.agents, watch: &watch, timing: None };
    let experiment = game.simulation(seated, SimulationPlan { seed, rotations, write: None });
    let mut worker = experiment.worker();
    let mut text = String::new();
    for chunk in 0..plan.chunks() {
        let played = worker.play(plan.blocks_of(chunk..chunk + 1));
        for byte in experiment.digest(&played).to_le_bytes() {
            let _ = write!(text, "{byte:02x}");
        }
    }
    Ok(text)
}
