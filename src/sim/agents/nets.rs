//! Searches whose leaves are judged by a net of a file: `mcts:net=FILE`. The file is not read here: whoever reads strategy
//! files reads it too, and hands it over by [`AgentSpec::with_net`]. An agent keeps the hash of the file beside its name,
//! so that a run is never played on with another net under the name of the first.

use crate::core::net::file::SavedNet;
use crate::core::opinion::{Opinion, OtherNet};
use crate::core::params::{Judgement, MctsParams, NET};
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use std::sync::Arc;
use toml::Value;

/// The parameter that names the file.
const FILE: &str = "net";
/// The parameter with its hash.
const HASH: &str = "net_hash";

impl AgentSpec {
    /// The file of its net, if it names one.
    ///
    /// # Errors
    /// If the parameter is no name of a file.
    pub fn net_file(&self) -> Result<Option<&str>, BadAgent> {
        if !self.is_searching() {
            return Ok(None);
        }
        self.word(FILE)
    }

    /// Whether it names a net that was not read, so that it can't play.
    pub fn lacks_net(&self) -> bool {
        self.net.is_none() && self.net_file().is_ok_and(|file| file.is_some())
    }

    /// The hash that the file of its net is to have, if it says so.
    ///
    /// # Errors
    /// If the parameter is no word.
    pub fn net_hash(&self) -> Result<Option<&str>, BadAgent> {
        self.word(HASH)
    }

    /// A parameter that is to be a word.
    fn word(&self, key: &str) -> Result<Option<&str>, BadAgent> {
        let Some(value) = self.parameters.get(key) else { return Ok(None) };
        let word = value.as_str().filter(|word| {
            let plain = !word.chars().any(char::is_control);
            plain && !word.is_empty()
        });
        let of = if key == FILE { "the name of a file" } else { "the hash of a file" };
        word.map(Some).ok_or_else(|| self.bad(format!("`{key}` is {value}; it must be {of}")))
    }

    /// The same agent with what the file of its net says, and the hash of the file.
    #[must_use]
    pub fn with_net(mut self, net: Arc<SavedNet>, hash: String) -> AgentSpec {
        self.parameters.insert(HASH.to_owned(), Value::String(hash));
        self.net = Some(net);
        self
    }

    /// A file that is no longer named is no longer known.
    pub(super) fn forget_net(&mut self, keys: &[&str]) {
        if keys.contains(&FILE) {
            self.parameters.remove(HASH);
            self.net = None;
        }
    }

    /// The parameters of its net.
    pub(super) fn net_parameters(&self) -> impl Iterator<Item = (String, Value)> {
        let given = |name| Some((str::to_owned(name), self.parameters.get(name)?.clone()));
        NET.iter().filter_map(move |parameter| given(parameter.name))
    }

    /// Refuses a net that judges nothing.
    pub(super) fn check_net_words<G: Opinion>(&self, params: &MctsParams) -> Result<(), BadAgent> {
        let (Some(file), _) = (self.net_file()?, self.net_hash()?) else {
            let idle = self.parameters.contains_key(HASH);
            let reason = || format!("`{HASH}` is the hash of a file, and no `{FILE}` is given");
            return if idle { Err(self.bad(reason())) } else { Ok(()) };
        };
        if G::NET.is_none() {
            let game = G::NAME;
            return Err(self.bad(format!("`{file}`: {game} has no net that judges its positions")));
        }
        if params.judgement == Judgement::Weights {
            return Err(self.bad(format!("`{FILE}` does nothing beside judgement=weights")));
        }
        Ok(())
    }

    /// The net of its file, if it names one.
    ///
    /// # Errors
    /// If it is of another game or has other inputs, or nobody has read it.
    pub(super) fn other_net<G: Opinion>(&self) -> Result<Option<OtherNet<G>>, BadAgent> {
        let Some((path, lesson)) = self.net_file()?.zip(G::NET) else { return Ok(None) };
        let file = self.net.as_ref();
        let file = file.ok_or_else(|| self.bad(format!("the net `{path}` was not read")))?;
        let net = file.net(G::NAME, &lesson.list);
        let net = net.map_err(|reason| self.bad(format!("the net `{path}` {reason}")))?;
        Ok(Some(lesson.other(net)))
    }
}
