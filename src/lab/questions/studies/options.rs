//! The options of a choice: which of them a rule set leaves, and the rule sets without one of them, or with one
//! only; and how `balance` judges them.

use crate::core::measure::Choice;
use crate::core::types::seat::Seat;
use crate::lab::questions::studies::steps::{Step, steps};
use crate::lab::questions::studies::study::WATCHED_CHUNK;
use crate::lab::report::manifest::Variant;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::Chunking;
use crate::words::lists::listed;
use crate::words::nearest;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// What is played to tell what an option of a choice does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Estimand {
    /// Each option forced at the first choice of a match.
    Forced,
    /// Each option taken out of the rules.
    Removed,
    /// One seat that may take one option only, each option and each seat in turn.
    Restricted,
}

/// At which levels of play effects are judged, how, and for how long.
#[derive(Debug, Clone)]
pub struct Judging {
    /// Who plays in all seats.
    pub levels: Vec<AgentSpec>,
    /// Effects up to this count as balanced.
    pub margin: f64,
    /// The run stops when no interval is wider than this to either side.
    pub until: Option<f64>,
    /// Blocks; the most of them, if the run may stop by itself.
    pub blocks: Option<u64>,
}

impl Judging {
    /// Blocks and chunks.
    pub fn plan(&self) -> Chunking {
        let most = if self.until.is_some() { 10_000_000 } else { 20_000 };
        let blocks = self.blocks.unwrap_or(most);
        let chunk = if self.until.is_some() { WATCHED_CHUNK } else { Chunking::chunk_for(blocks) };
        Chunking { blocks, chunk }
    }
}

/// A field of the rule set with its present value and one step less or more, as `--factor` takes it: the points that win,
/// if the game has such a field.
pub fn factor(game: &dyn LoadedGame) -> Option<String> {
    let (facts, rules) = (game.game_type().facts(), game.rules());
    let is_known = |step: &Step| step.field == "points_to_win";
    let all = steps(facts.fields, &rules, false);
    let step = all.iter().rfind(|step| is_known(step)).or(all.first())?;
    let field = facts.fields.iter().find(|field| field.path == step.field)?;
    let (_, other) = step.change.split_once('=')?;
    let now = field.value_in(&rules)?.to_string();
    Some(format!("{}={},{other}", field.path, now.trim_matches('"')))
}

/// The options of a choice under a rule set.
#[derive(Debug)]
pub struct Options {
    /// The choice's number in the game.
    number: usize,
    /// The choice.
    choice: &'static Choice,
    /// Options that are compared.
    pub compared: Vec<usize>,
    /// Options that nobody can take.
    pub dropped: Vec<usize>,
}

impl Options {
    /// The options of a game's choice that can be taken, which must be two at least and all different.
    ///
    /// # Errors
    /// If they are not, or the game has no such choice.
    pub fn of(game: &dyn LoadedGame, name: &str) -> Result<Options> {
        let facts = game.game_type().facts();
        let known: Vec<&str> = facts.choices.iter().map(|choice| choice.name).collect();
        let number = known.iter().position(|known| *known == name);
        let number = number.with_context(|| {
            format!("{} has {}", facts.name, nearest::unknown("choice", name, &known))
        })?;
        let choice = &facts.choices[number];
        let all = 0..choice.options.len();
        let (compared, dropped) = all.partition(|&option| game.can_be_taken(number, option));
        let options = Options { number, choice, compared, dropped };
        let left = options.names(&options.compared);
        ensure!(
            left.len() > 1,
            "the choice `{name}` needs two options; under this rule set {} can be taken{}",
            if left.is_empty() { "none".to_owned() } else { format!("only `{}`", left[0]) },
            choice.offered_by.map_or(String::new(), |set| format!(" (try --set {set})")),
        );
        options.must_differ(game)?;
        Ok(options)
    }

    /// Options that do the same have nothing to compare.
    fn must_differ(&self, game: &dyn LoadedGame) -> Result<()> {
        for (at, &option) in self.compared.iter().enumerate() {
            let same = |&other: &usize| Some((other, game.alike(self.number, [option, other])?));
            let found: Vec<(usize, String)> =
                self.compared[at + 1..].iter().filter_map(same).collect();
            if let Some((_, change)) = found.first() {
                let all: Vec<usize> =
                    std::iter::once(option).chain(found.iter().map(|(other, _)| *other)).collect();
                bail!(
                    "{} do the same under this rule set: there is nothing to compare; \
                     `--set {change}` makes them differ",
                    quoted(&self.names(&all)),
                );
            }
        }
        Ok(())
    }

    /// The names of some options.
    pub fn names(&self, of: &[usize]) -> Vec<String> {
        of.iter().map(|&option| self.choice.options[option].name.to_owned()).collect()
    }

    /// What is played: all that the game allows, unless some are asked for.
    ///
    /// # Errors
    /// If the game does not allow what is asked for.
    pub fn estimands(&self, game: &dyn LoadedGame, asked: &[Estimand]) -> Result<Vec<Estimand>> {
        let can_restrict = game.restriction(self.number, Seat::FIRST, self.compared[0]).is_some();
        if asked.is_empty() {
            let all = [Estimand::Forced, Estimand::Removed, Estimand::Restricted];
            let played = |estimand: &Estimand| can_restrict || *estimand != Estimand::Restricted;
            return Ok(all.into_iter().filter(played).collect());
        }
        let restricted = asked.contains(&Estimand::Restricted);
        let name = game.game_type().facts().name;
        ensure!(can_restrict || !restricted, "{name} can't restrict a seat's options");
        Ok(asked.to_vec())
    }

    /// The rule sets without each option.
    pub fn removals(&self) -> Vec<Variant> {
        let removal = |&option: &usize| {
            let option = &self.choice.options[option];
            let name = format!("without {}", option.name);
            Variant { name, changes: vec![option.removal.to_owned()] }
        };
        self.compared.iter().map(removal).collect()
    }

    /// The rule sets with each option alone for each seat.
    pub fn restrictions(&self, game: &dyn LoadedGame) -> Vec<Variant> {
        let mut all = Vec::new();
        for &option in &self.compared {
            for seat in Seat::all(game.players()) {
                let change = game.restriction(self.number, seat, option);
                let name = self.choice.options[option].name;
                all.extend(change.map(|change| Variant {
                    name: format!("only {name}, seat {}", seat.number()),
                    changes: vec![change],
                }));
            }
        }
        all
    }
}

/// Names as a sentence has them: `a`, `b` and `c`.
fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    listed(&names)
}
