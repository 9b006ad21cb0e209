//! Nets that agents name as files, `mcts:net=FILE`: read once, where the agent is named or its run is opened, and known
//! by a hash of the file. Who gives a path may be whoever wrote a run, so nothing is opened but a plain file of a
//! sensible size, and where a hash is due, nothing is said of a file that has another.

use crate::core::net::file::NetFile;
use crate::lab::report::files;
use crate::lab::report::manifest::AgentEntry;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use fnv::FnvHasher;
use std::hash::Hasher;
use std::io::{ErrorKind, Read};
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

/// The same for the agents of a run.
///
/// # Errors
/// As [`with_net`].
pub fn add_nets(agents: &mut [AgentEntry]) -> Result<(), BadAgent> {
    for agent in agents {
        let spec = agent.spec();
        if spec.lacks_net() && spec.net_hash()?.is_none() {
            let reason = "the run does not have the hash of its net".to_owned();
            return Err(BadAgent { name: spec.name, reason });
        }
        agent.net = with_net(spec)?.net;
    }
    Ok(())
}

/// The same, but agents stay without nets that can't be had: enough where nothing is played.
pub fn add_nets_that_are_there(agents: &mut [AgentEntry]) {
    for agent in agents {
        agent.net = with_net(agent.spec()).ok().and_then(|agent| agent.net);
    }
}

/// A net and the hash of its file (FNV-1a, 64 bits); or what is to be said of the file behind its name.
fn read(path: &str, due: Option<&str>) -> Result<(Arc<NetFile>, String), String> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::InvalidInput => error.to_string().trim_end_matches(" of the run").to_owned(),
        _ => format!("can't be read: {error}"),
    };
    let file = files::open(Path::new(path)).map_err(unreadable)?;
    let mut bytes = Vec::new();
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
    let net = NetFile::parse(&text).map_err(|error| match error.to_string() {
        // A sentence about a line does not go on from the name of the file.
        reason if reason.starts_with("line ") => format!("is no net: {reason}"),
        reason => reason,
    })?;
    Ok((Arc::new(net), hash))
}
