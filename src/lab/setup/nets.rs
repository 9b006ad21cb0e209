//! Nets that agents name as files, `mcts:net=FILE`: read once, where the agent is named or its run is opened, and known
//! by a hash of the file. Who gives a path may be whoever wrote a run, so nothing is opened but a plain file of a
//! sensible size, and where a hash is due, nothing is said of a file that has another.

use crate::core::net::file::SavedNet;
use crate::lab::setup::plain_files::{Links, opened};
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use fnv::FnvHasher;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// The largest file: some twenty times as large as those that are shipped.
const FILE_MAX: u64 = 1 << 20;

/// The same agent with the net that it names, if it names one. Paths are relative to the working directory, like those
/// of programs outside.
///
/// # Errors
/// If the file can't be read, is no net, or has another hash than the agent says.
pub fn with_net(agent: AgentSpec) -> Result<AgentSpec, BadAgent> {
    let Some(path) = agent.net_file()?.filter(|_| agent.net.is_none()) else { return Ok(agent) };
    let due = agent.net_hash()?;
    let (net, hash) = read(path, due).map_err(|reason| {
        let (name, reason) = (agent.name.clone(), format!("the net `{path}` {reason}"));
        BadAgent { name, reason }
    })?;
    Ok(agent.with_net(net, hash))
}

/// A net and the hash of its file (FNV-1a, 64 bits); or what is to be said of the file behind its name.
fn read(path: &str, due: Option<&str>) -> Result<(Arc<SavedNet>, String), String> {
    let unreadable = |error: io::Error| format!("can't be read: {error}");
    let mut bytes = Vec::new();
    let file = opened(Path::new(path), Links::Refused).map_err(|error| error.to_string())?;
    file.take(FILE_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > FILE_MAX {
        return Err("is larger than 1 MiB; no net is".to_owned());
    }
    let mut hasher = FnvHasher::default();
    hasher.write(&bytes);
    let hash = format!("{:016x}", hasher.finish());
    if let Some(due) = due.filter(|due| **due != hash) {
        return Err(format!("is not what it was: its hash is {hash}, not {due}"));
    }
    let text = String::from_utf8(bytes).map_err(|_| "is no text".to_owned())?;
    let net = SavedNet::parse(&text).map_err(|error| match error.to_string() {
        // A sentence about a line does not go on from the name of the file.
        reason if reason.starts_with("line ") => format!("is no net: {reason}"),
        reason => reason,
    })?;
    Ok((Arc::new(net), hash))
}
