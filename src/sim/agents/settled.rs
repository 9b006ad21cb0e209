//! One agent has one name: parameters that are named with the value that they have anyway make no other agent.

use crate::core::opinion::Opinion;
use crate::core::params::HANDICAP;
use crate::core::params::Handicap;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::{AgentSpec, BadAgent, NoParameters};
use crate::sim::agents::without::{WITHOUT, names};
use serde::Serialize;
use toml::{Table, Value};

impl AgentSpec {
    /// The same agent as it is compared with others: without parameters that are what they would be anyway, in its name
    /// and beside it, and the others written in one way. Which those are depends on the game, and on its table; agents
    /// that were added to it keep all that is given.
    ///
    /// # Errors
    /// If a parameter is unknown or out of range.
    pub fn settled<G: Opinion>(
        &self,
        game: &G,
        added: &[AddedAgent<G>],
    ) -> Result<AgentSpec, BadAgent> {
        if self.is_guest() || added.iter().any(|added| added.name == self.kind) {
            self.invitation()?;
            return Ok(self.clone());
        }
        let parameters = self.told_apart(game)?;
        let settled = AgentSpec { parameters, ..self.clone() };
        let head = self.head();
        let plain = AgentSpec::parse(head, None);
        let own = plain.and_then(|plain| plain.told_apart(game));
        // The name of a file has no parts.
        let Some(own) = own.ok().filter(|_| head != self.name) else { return Ok(settled) };
        let counts = |part: &&str| match part.split_once('=') {
            Some((key, _)) => own.get(key) != settled.parameters.get(key),
            None => true,
        };
        let parts = self.name.split(':').skip(1).filter(counts);
        let name = std::iter::once(head).chain(parts).collect::<Vec<_>>().join(":");
        let measured_at = settled.measured_at.clone().filter(|_| own == settled.parameters);
        Ok(AgentSpec { name, measured_at, ..settled })
    }

    /// Whether another one, settled like this one, is the same under the same name, however its parameters are written.
    pub fn is(&self, other: &AgentSpec) -> bool {
        let same = self.kind == other.kind && self.parameters == other.parameters;
        same && self.head() == other.head()
    }

    /// Its name without parameters.
    fn head(&self) -> &str {
        self.name.split(':').next().unwrap_or_default()
    }

    /// The parameters that differ from those of its kind.
    fn told_apart<G: Opinion>(&self, game: &G) -> Result<Table, BadAgent> {
        let plain = AgentSpec { parameters: Table::new(), ..self.clone() };
        let (all, usual) = (self.all_parameters(game)?, plain.all_parameters(game)?);
        let differs = |(key, value): &(String, Value)| usual.get(key) != Some(value);
        Ok(all.into_iter().filter(differs).map(|(key, value)| (key, shown(value))).collect())
    }

    /// Every parameter that it has, named or not.
    fn all_parameters<G: Opinion>(&self, game: &G) -> Result<Table, BadAgent> {
        if let Some((agent, kinds)) = self.doing_without::<G>()? {
            let mut all = agent.all_parameters(game)?;
            all.insert(WITHOUT.to_owned(), names::<G>(kinds).into());
            return Ok(all);
        }
        Ok(match self.kind.as_str() {
            "greedy" => table(&self.settle::<Handicap>(HANDICAP)?),
            "heuristic" => {
                let (weights, handicap) = self.planning(game)?;
                table(&weights).into_iter().chain(table(&handicap)).collect()
            }
            "mcts" | "oracle" => {
                let (search, weights, handicap) = self.searching(game)?;
                let beside = table(&weights).into_iter().chain(table(&handicap));
                let net = self.net_parameters();
                table(&search).into_iter().chain(beside).chain(net).collect()
            }
            _ => {
                self.settle::<NoParameters>(&[])?;
                Table::new()
            }
        })
    }
}

fn table(parameters: &impl Serialize) -> Table {
    Table::try_from(parameters).expect("parameters can be written")
}

/// A number as people write it: parameters are of single precision.
fn shown(value: Value) -> Value {
    match value {
        #[allow(clippy::cast_possible_truncation, reason = "it was made from a single one")]
        Value::Float(number) => Value::Float((number as f32).to_string().parse().unwrap_or(number)),
        other => other,
    }
}
