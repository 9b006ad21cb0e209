//! Agents by their names: kinds, strategies, and parameters as people write them.

use crate::core::agent::Player;
use crate::core::net::file::SavedNet;
use crate::core::opinion::Opinion;
use crate::core::params::{HANDICAP, Handicap, Judgement, MctsParams, NET, Parameter, SEARCH};
use crate::core::watch::Watch;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::command::{EXEC, parameters_of};
use crate::sim::agents::judging::{Judging, Kind, LeafJudge};
use crate::sim::agents::mcts::Mcts;
use crate::sim::agents::random::Random;
use crate::sim::agents::strategies::STRATEGIES;
use crate::sim::agents::strategy::{Checked, MeasuredAt, Strategy, StrategyLevel};
use crate::sim::agents::without::{ABOUT, WITHOUT, kinds, without};
use crate::words::{nearest, numbers};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use toml::{Table, Value};

/// Kinds of agents that every game has, and what they do.
pub const KINDS: &[(&str, &str)] = &[
    ("random", "chooses uniformly among the listed actions, trades included"),
    ("greedy", "takes what brings the most at once; no look-ahead"),
    ("heuristic", "weighs features and plans towards the cheapest way to win"),
    ("mcts", "information-set Monte Carlo tree search"),
    ("oracle", "the same search, but it sees all hands; for measuring only"),
    (EXEC, "a program of your own, such as `exec:python3 bot.py`"),
];

/// An agent as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentSpec {
    /// The words on the command line.
    pub name: String,
    /// The kind.
    pub kind: String,
    /// Parameters that differ from the defaults.
    pub parameters: Table,
    /// The table at which it was measured, if it is a level.
    pub measured_at: Option<MeasuredAt>,
    /// What was found of it, if it is a program outside that was checked as it is now.
    pub checked: Option<Checked>,
    /// What the file says that it names as its net, once that was read: see [`AgentSpec::with_net`].
    #[serde(skip)]
    pub net: Option<Arc<SavedNet>>,
}

/// An agent that can't be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("agent `{name}`: {reason}")]
pub struct BadAgent {
    /// The words on the command line.
    pub name: String,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl AgentSpec {
    /// Reads `kind:key=value:…`, the name of a strategy, or the text of a strategy file (`file` given).
    ///
    /// # Errors
    /// If it is none of them.
    pub fn parse(name: &str, file: Option<&str>) -> Result<AgentSpec, BadAgent> {
        let bad = |reason: String| BadAgent { name: name.to_owned(), reason };
        if let (None, Some(command)) = (file, name.strip_prefix("exec:")) {
            let parameters = parameters_of(command).map_err(bad)?;
            let (name, kind) = (name.to_owned(), EXEC.to_owned());
            return Ok(AgentSpec {
                name,
                kind,
                parameters,
                measured_at: None,
                checked: None,
                net: None,
            });
        }
        let mut parts = name.split(':');
        let head = parts.next().unwrap_or_default();
        let built_in = STRATEGIES.iter().find(|(other, _)| *other == head).map(|(_, text)| *text);
        let strategy = match file.or(built_in) {
            Some(text) => toml::from_str(text).map_err(|error| bad(error.to_string()))?,
            None => Strategy {
                kind: head.to_owned(),
                about: String::new(),
                provenance: String::new(),
                parameters: Table::new(),
                level: None,
                checked: None,
            },
        };
        let mut parameters = strategy.parameters;
        if file.is_none() {
            let mut given = Table::new();
            for part in parts {
                let Some((key, value)) = part.split_once('=') else {
                    return Err(bad(format!("`{part}` should read key=value")));
                };
                if given.insert(key.to_owned(), value_of(value)).is_some() {
                    return Err(bad(format!("`{key}` is given twice")));
                }
            }
            parameters.extend(given);
        }
        let measured_at = strategy.level.as_ref().map(StrategyLevel::measured_at);
        Ok(AgentSpec {
            name: name.to_owned(),
            kind: strategy.kind,
            parameters,
            measured_at,
            checked: strategy.checked,
            net: None,
        })
    }

    /// The same agent with one parameter more, as if it had been named with it on the command line.
    ///
    /// # Errors
    /// If it was named with that parameter already.
    pub fn with(&self, key: &str, value: &str) -> Result<AgentSpec, BadAgent> {
        let is_key = |part: &str| part.split_once('=').is_some_and(|(other, _)| other == key);
        if self.name.split(':').skip(1).any(is_key) {
            return Err(self.bad(format!("`{key}` is given twice")));
        }
        let name = format!("{}:{key}={value}", self.name);
        let mut agent = AgentSpec { name, measured_at: None, ..self.clone() };
        agent.forget_net(&[key]);
        agent.parameters.insert(key.to_owned(), value_of(value));
        Ok(agent)
    }

    /// The same agent as if some parameters had not been named.
    #[must_use]
    pub fn without(&self, keys: &[&str]) -> AgentSpec {
        let is_other = |part: &&str| {
            let key = part.split_once('=').map(|(key, _)| key);
            key.is_none_or(|key| !keys.contains(&key))
        };
        let parts: Vec<&str> = self.name.split(':').filter(is_other).collect();
        let mut agent = AgentSpec { name: parts.join(":"), measured_at: None, ..self.clone() };
        agent.forget_net(keys);
        agent.parameters.retain(|key, _| !keys.contains(&key));
        agent
    }

    /// Makes the agent for a game.
    ///
    /// # Errors
    /// If the kind or a parameter is unknown or out of range.
    pub fn make<G: Opinion>(
        &self,
        game: &G,
        watch: &Watch,
    ) -> Result<Player<G, G::Special>, BadAgent> {
        self.make_among(game, &[], watch)
    }

    /// Makes the agent for a game to which some were added.
    ///
    /// # Errors
    /// As [`AgentSpec::make`].
    pub fn make_among<G: Opinion>(
        &self,
        game: &G,
        added: &[AddedAgent<G>],
        watch: &Watch,
    ) -> Result<Player<G, G::Special>, BadAgent> {
        if let Some((agent, kinds)) = self.doing_without::<G>()? {
            let player = without(agent.make_among(game, added, watch)?, kinds);
            return player
                .ok_or_else(|| self.bad("a program outside decides by itself".to_owned()));
        }
        let player = match self.kind.as_str() {
            "random" => {
                self.settle::<NoParameters>(&[])?;
                Player::Honest(Box::new(Random))
            }
            "greedy" => Player::Honest(self.judging(game, watch)?.honest(Kind::Greedy)),
            "heuristic" => Player::Honest(self.judging(game, watch)?.honest(Kind::Heuristic)),
            "mcts" => Player::Honest(self.judging(game, watch)?.honest(Kind::Mcts)),
            "oracle" => Player::Omniscient(self.judging(game, watch)?.oracle()),
            EXEC => return Err(self.bad("a program outside plays in matches only".to_owned())),
            other => {
                if let Some(added) = added.iter().find(|added| added.name == other) {
                    let agent = added.make(game, &self.parameters);
                    return Ok(Player::Honest(agent.map_err(|reason| self.bad(reason))?));
                }
                self.settle::<NoParameters>(&[])?;
                let special = G::SPECIALS.iter().find(|special| special.name == other);
                let special = special.ok_or_else(|| self.bad(unknown_kind(other, added)))?;
                Player::Known((special.make)())
            }
        };
        Ok(player)
    }

    /// The same agent as it is when it does without nothing, and the kinds of actions that it does without, if any.
    ///
    /// # Errors
    /// If these are no words, or unknown ones.
    pub(super) fn doing_without<G: Opinion>(&self) -> Result<Option<(AgentSpec, u32)>, BadAgent> {
        let Some(words) = self.parameters.get(WITHOUT) else { return Ok(None) };
        let kinds = match words.as_str() {
            Some(words) => kinds::<G>(words),
            None => Err(format!("`{WITHOUT}` is {ABOUT}")),
        };
        let agent = AgentSpec { name: self.name.clone(), ..self.without(&[WITHOUT]) };
        Ok(Some((agent, kinds.map_err(|reason| self.bad(reason))?)))
    }

    /// Whether it sees everything.
    pub fn is_oracle(&self) -> bool {
        self.kind == "oracle"
    }

    /// Whether its choices depend on the clock.
    pub fn is_timed(&self) -> bool {
        let time = self.parameters.get("time_ms").and_then(Value::as_integer);
        self.is_searching() && time.is_some_and(|ms| ms > 0)
    }

    /// Whether a decision of it can grow on several threads.
    pub fn has_trees(&self) -> bool {
        let trees = self.parameters.get("trees").and_then(Value::as_integer);
        self.is_searching() && trees.is_some_and(|trees| trees > 1)
    }

    pub(super) fn bad(&self, reason: String) -> BadAgent {
        BadAgent { name: self.name.clone(), reason }
    }

    /// The weights at a table of a `heuristic` or `mcts` that is not weaker on purpose.
    ///
    /// # Errors
    /// If it is of another kind, weaker on purpose, or a parameter is unknown.
    pub fn weights<G: Opinion>(&self, game: &G) -> Result<G::Weights, BadAgent> {
        if self.parameters.contains_key(WITHOUT) {
            return Err(self.bad(format!("one without `{WITHOUT}` is wanted")));
        }
        let (weights, handicap) = match self.kind.as_str() {
            "heuristic" => self.planning(game)?,
            "mcts" => self.searching(game).map(|(_, weights, handicap)| (weights, handicap))?,
            kind => return Err(self.bad(format!("a heuristic or mcts is wanted, this is {kind}"))),
        };
        if handicap != Handicap::DEFAULT {
            let names: Vec<&str> = HANDICAP.iter().map(|parameter| parameter.name).collect();
            let names = names.join("` or `");
            return Err(self.bad(format!("one without `{names}` is wanted")));
        }
        Ok(weights)
    }

    /// What says chances to win for it: a `heuristic` goes by its weights, an `mcts` by what judges its leaves.
    ///
    /// # Errors
    /// As [`AgentSpec::weights`], or if it names a net that doesn't fit, or was not read.
    pub fn judge<G: Opinion>(&self, game: &G) -> Result<LeafJudge<G>, BadAgent> {
        let weights = self.weights(game)?;
        let searches = self.is_searching();
        let judgement =
            if searches { self.searching(game)?.0.judgement } else { Judgement::Weights };
        Ok(LeafJudge { weights, judgement, net: self.other_net()? })
    }

    /// Whether it searches, so that [`AgentSpec::search`] can make it.
    pub fn is_searching(&self) -> bool {
        ["mcts", "oracle"].contains(&self.kind.as_str())
    }

    /// The search of `mcts` and `oracle`, for those who want to look inside; without lapses.
    ///
    /// # Errors
    /// If a parameter is unknown or out of range.
    pub fn search<G: Opinion>(&self, game: &G, watch: &Watch) -> Result<Mcts<G>, BadAgent> {
        Ok(self.judging(game, watch)?.search())
    }

    /// What an agent that judges actions is made of.
    fn judging<'a, G: Opinion>(
        &self,
        game: &'a G,
        watch: &'a Watch,
    ) -> Result<Judging<'a, G>, BadAgent> {
        let search = G::SEARCH;
        Ok(match self.kind.as_str() {
            "greedy" => {
                let (weights, handicap) = (game.weights(), self.settle(HANDICAP)?);
                Judging { game, watch, search, weights, handicap, net: None }
            }
            "heuristic" => {
                let (weights, handicap) = self.planning(game)?;
                Judging { game, watch, search, weights, handicap, net: None }
            }
            _ => {
                let (search, weights, handicap) = self.searching(game)?;
                let net = self.other_net()?;
                Judging { game, watch, search, weights, handicap, net }
            }
        })
    }

    /// The parameters of a `heuristic`.
    pub(super) fn planning<G: Opinion>(
        &self,
        game: &G,
    ) -> Result<(G::Weights, Handicap), BadAgent> {
        let [weights, handicap] = self.sorted(G::WEIGHTS);
        let known = [G::WEIGHTS, HANDICAP].concat();
        let weights = self.filled(weights, &game.weights(), &known)?;
        let handicap: Handicap = self.typed(handicap, &known)?;
        let idle = |weight: &&Parameter| weight.search_only && handicap.temperature <= 0.0;
        for weight in G::WEIGHTS.iter().filter(idle) {
            if self.parameters.contains_key(weight.name) {
                let (name, game) = (weight.name, G::NAME);
                return Err(self.bad(format!(
                    "`{name}` does nothing on {game} but in searches and at a temperature above 0"
                )));
            }
        }
        Ok((weights, handicap))
    }

    /// The parameters of a search.
    pub(super) fn searching<G: Opinion>(
        &self,
        game: &G,
    ) -> Result<(MctsParams, G::Weights, Handicap), BadAgent> {
        let all = [SEARCH, NET, G::WEIGHTS, HANDICAP].concat();
        let [weights, mut others] = self.sorted(G::WEIGHTS);
        // They are no numbers of the search: see `nets`.
        others.retain(|key, _| NET.iter().all(|parameter| parameter.name != key));
        let is_handicap = |key: &str| HANDICAP.iter().any(|parameter| parameter.name == key);
        let (handicap, search): (Table, Table) =
            others.into_iter().partition(|(key, _)| is_handicap(key));
        let params = self.filled(search, &G::SEARCH, &all)?;
        let weights = self.filled(weights, &game.weights(), &all)?;
        if let Some(reason) = params.fault() {
            return Err(self.bad(reason));
        }
        self.check_net_words::<G>(&params)?;
        Ok((params, weights, self.typed(handicap, &all)?))
    }

    /// The parameters that are in a list, and the others.
    fn sorted(&self, list: &[Parameter]) -> [Table; 2] {
        let is_in = |key: &str| list.iter().any(|parameter| parameter.name == key);
        let (listed, others) = self.parameters.clone().into_iter().partition(|(key, _)| is_in(key));
        [listed, others]
    }

    /// Parameters of which all that are not given are their defaults.
    pub(super) fn settle<P: DeserializeOwned>(&self, known: &[Parameter]) -> Result<P, BadAgent> {
        self.typed(self.parameters.clone(), known)
    }

    /// Parameters of which some are given; the others are those of the game.
    fn filled<P: Serialize + DeserializeOwned>(
        &self,
        given: Table,
        defaults: &P,
        known: &[Parameter],
    ) -> Result<P, BadAgent> {
        // Asked first without the game's defaults, so that a complaint shows what was given and no more.
        self.typed::<P>(given.clone(), known)?;
        let mut all = Table::try_from(defaults).expect("parameters can be written");
        all.extend(given);
        self.typed(all, known)
    }

    fn typed<P: DeserializeOwned>(&self, table: Table, known: &[Parameter]) -> Result<P, BadAgent> {
        for (key, value) in &table {
            let parameter = known.iter().find(|parameter| parameter.name == key);
            let parameter = parameter.ok_or_else(|| self.bad(self.unknown(key, known)))?;
            let number = value.as_float().or(value.as_integer().map(|number| number as f64));
            if let Some(reason) = number.and_then(|number| parameter.fault(number)) {
                return Err(self.bad(reason));
            }
        }
        let text = table.to_string();
        table.try_into().map_err(|error: toml::de::Error| {
            self.bad(format!("{} in `{}`", error.message(), text.trim()))
        })
    }

    fn unknown(&self, key: &str, known: &[Parameter]) -> String {
        if known.is_empty() {
            return format!("`{}` takes no parameters, `{key}` was given", self.kind);
        }
        let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
        nearest::unknown("parameter", key, &names)
    }
}

/// For kinds without parameters.
#[derive(Debug, Deserialize)]
pub(super) struct NoParameters {}

fn unknown_kind<G: Opinion>(kind: &str, added: &[AddedAgent<G>]) -> String {
    let kinds = KINDS.iter().map(|(name, _)| *name);
    let specials = G::SPECIALS.iter().map(|special| special.name);
    let specials = specials.chain(added.iter().map(|added| added.name));
    // Levels of other games would only make the list long.
    let here = |name: &&str| match name.strip_prefix("levels/") {
        Some(level) => level.split('/').next() == Some(G::NAME),
        None => true,
    };
    let strategies = STRATEGIES.iter().map(|(name, _)| *name).filter(here);
    let all: Vec<&str> = kinds.chain(specials).chain(strategies).collect();
    let known = nearest::unknown("agent", kind, &all);
    // A question ends the list.
    let asked = known.ends_with('?');
    known + if asked { " A strategy's file ends in .toml" } else { " and files ending in .toml" }
}

/// A value as it is written on the command line: a number (also `1k`, `1e3`, `20,000` or `.5`), true or false,
/// an array, else a word.
pub fn value_of(text: &str) -> Value {
    // TOML wants a digit before the point.
    let (sign, digits) = text.split_at(usize::from(text.starts_with('-')));
    let zero = if digits.starts_with('.') { "0" } else { "" };
    let wrapped = format!("value = {sign}{zero}{digits}");
    let parsed: Option<Table> = toml::from_str(&wrapped).ok();
    let value = parsed.and_then(|mut table| table.remove("value"));
    let count = || Some(Value::Integer(i64::try_from(numbers::count(text).ok()?).ok()?));
    match value {
        Some(Value::Float(_)) if text.contains(['e', 'E']) => count().or(value),
        Some(_) => value,
        None => count(),
    }
    .unwrap_or_else(|| Value::String(text.to_owned()))
}
