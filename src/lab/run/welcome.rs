//! Programs outside are met before a run plays: what they say of themselves stands in its manifest.

use crate::core::watch::Watch;
use crate::lab::report::agent_entry::{AgentEntry, Said};
use crate::sim::any_game::LoadedGame;
use anyhow::{Result, anyhow, ensure};

/// Meets the programs among some agents, and notes what each says of itself.
///
/// # Errors
/// If one can't be reached, or says something else than the entry says that it did before.
pub fn welcome(game: &dyn LoadedGame, agents: &mut [AgentEntry], watch: &Watch) -> Result<()> {
    for agent in agents {
        let met = game.meet(&agent.spec(), watch).map_err(|reason| anyhow!(reason))?;
        let Some(ready) = met else { continue };
        let said = Said { name: ready.name, version: ready.version, matches: ready.matches };
        if let Some(before) = &agent.said {
            ensure!(
                *before == said,
                "the guest `{}` says that it is {}; when the run began it was {}",
                agent.name,
                shown(&said),
                shown(before)
            );
        }
        agent.said = Some(said);
    }
    Ok(())
}

fn shown(Said { name, version, matches }: &Said) -> String {
    let named = format!("{name} {version}");
    let matches = if *matches == 1 { "one match".to_owned() } else { format!("{matches} matches") };
    format!("`{}`, which plays {matches} at once", named.trim())
}

/// Threads for a run of these agents, once they were met: while some matches wait for a guest, others are played.
pub fn seated(agents: &[AgentEntry], watch: &Watch) -> Watch {
    let said = agents.iter().filter_map(|agent| agent.said.as_ref());
    let at_once = said.map(|said| usize::from(said.matches)).min().unwrap_or(1);
    watch.clone().waiting_for_guests(at_once)
}
