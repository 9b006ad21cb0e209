//! A run, made from its manifest: games, agents, their experiment, and the tables that its sums allow.

use crate::agent::Player;
use crate::cli::Printing;
use crate::commands::choose;
use crate::commands::interrupt;
use crate::commands::rows;
use crate::commands::thinking::Thinking;
use crate::registry::AgentSpec;
use crate::registry::Playable;
use crate::report::directory::Directory;
use crate::report::manifest::AgentEntry;
use crate::report::manifest::Manifest;
use crate::report::manifest::Question;
use crate::report::manifest::RowForm;
use crate::report::manifest::Variant;
use crate::report::sums::Shape;
use crate::report::table::Table;
use crate::report::tables;
use crate::sim::batch::Totals;
use crate::sim::experiment::Experiment;
use crate::sim::layout::Layout;
use crate::sim::lineup;
use crate::sim::lineup::LineUp;
use crate::sim::lineup::Row;
use crate::sim::trials::MatchPlan;
use crate::sim::trials::Trials;
use crate::studies::study;
use crate::studies::study::Study;
use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;

/// A run that can be played, from the start or from its saved state.
pub struct Job<G: Playable> {
    /// What is played.
    pub manifest: Manifest,
    /// The rules, by variant; the first are the run's own.
    pub games: Vec<G>,
    /// The agents.
    pub agents: Vec<AgentSpec>,
    /// Where it is written.
    pub directory: Option<Directory>,
    /// What is printed when it ends.
    pub printing: Printing,
}

/// Something to do with the experiment of a run, whatever its kind.
pub trait WithExperiment {
    /// The result.
    type Out;
    /// Does it.
    fn with<E: Experiment>(self, experiment: &E) -> Self::Out;
}

/// The run of a manifest: all games and agents are created once, so that mistakes show.
///
/// # Errors
/// If a rule set can't be played by, or an agent can't be made.
pub fn job<G: Playable>(manifest: Manifest, game: &G, printing: Printing) -> Result<Job<G>> {
    let variant = |variant: &Variant| -> Result<G> {
        let base = toml::Table::try_from(game.rules())?;
        let made = choose::changed::<G>(base, &variant.changes, game.players());
        made.with_context(|| format!("variant `{}`", variant.name))
    };
    let games = manifest.variants.iter().map(variant).collect::<Result<Vec<G>>>()?;
    ensure!(!games.is_empty(), "the manifest has no rule sets");
    let agents: Vec<AgentSpec> = manifest.agents.iter().map(AgentEntry::spec).collect();
    for game in &games {
        drop(choose::players(game, &agents)?);
    }
    check_plan(&manifest, games.len())?;
    Ok(Job { manifest, games, agents, directory: None, printing })
}

/// A manifest may hold anything; what is played must fit.
fn check_plan(manifest: &Manifest, games: usize) -> Result<()> {
    let Manifest { plan, agents, players, .. } = manifest;
    let fits = |entry: &MatchPlan| {
        entry.variant < games
            && entry.seats.len() == usize::from(*players)
            && entry.seats.iter().all(|&at| at < agents.len())
    };
    let matches = &plan.matches_of_a_block;
    ensure!(
        !matches.is_empty() && matches.iter().all(fits),
        "the manifest's plan does not fit its {} agents, {players} players",
        agents.len()
    );
    ensure!(plan.chunk > 0 && plan.blocks > 0, "the manifest's plan has no blocks");
    let shard = plan.shard.is_none_or(|shard| shard.part >= 1 && shard.part <= shard.parts);
    ensure!(shard, "the manifest's part is not one of its parts");
    Ok(())
}

/// How rows are written, if they are.
pub fn row_form(question: &Question) -> Option<RowForm> {
    match question {
        Question::Simulate { rows } => *rows,
        _ => None,
    }
}

impl<G: Playable> Job<G> {
    /// Creates the experiment and does something with it.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn with_experiment<W: WithExperiment>(
        &self,
        thinking: Option<&Thinking>,
        with: W,
    ) -> Result<W::Out> {
        let agents = |game: &G| -> Vec<Player<G>> {
            let players = choose::players(game, &self.agents);
            let players = players.expect("the same agents were made before");
            let Some(thinking) = thinking else { return players };
            let timed = players.into_iter().enumerate();
            timed.map(|(at, player)| thinking.time(at, player)).collect()
        };
        let Manifest { plan, question, seed, .. } = &self.manifest;
        let matches = &plan.matches_of_a_block;
        if let Question::Simulate { rows } = question {
            let names = self.manifest.agent_names();
            let write = |game: &G, row: &Row<'_, G>, out: &mut Vec<u8>| {
                rows::write(game, &names, row, out);
            };
            return Ok(with.with(&LineUp {
                game: &self.games[0],
                seed: *seed,
                rotations: matches.iter().map(|entry| entry.seats.clone()).collect(),
                layout: self.layout(),
                agents: &agents,
                write: if rows.is_some() { Some(&write) } else { None },
                stopped: interrupt::is_pressed,
            }));
        }
        let study = Study::of::<G>(&self.manifest).map_err(anyhow::Error::msg)?;
        Ok(with.with(&Trials {
            seed: *seed,
            games: self.games.clone(),
            agents: &agents,
            choice: study::choice_of::<G>(question).unwrap_or_default(),
            options: study::options_of::<G>(question),
            matches: matches.clone(),
            sections: study.sections(),
            stopped: interrupt::is_pressed,
        }))
    }

    /// The layout of the counters of `simulate`.
    pub fn layout(&self) -> Layout {
        lineup::layout(&self.games[0], self.agents.len())
    }

    /// The shape of this run's sums.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn shape(&self) -> Result<Shape> {
        struct Size;
        impl WithExperiment for Size {
            type Out = (usize, usize);
            fn with<E: Experiment>(self, experiment: &E) -> (usize, usize) {
                (experiment.width(), experiment.anomalies())
            }
        }
        let (width, anomalies) = self.with_experiment(None, Size)?;
        Ok(Shape { design: self.manifest.design(), width, anomalies })
    }

    /// The tables that sums allow.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn tables(&self, totals: &Totals) -> Result<Vec<Table>> {
        if !matches!(self.manifest.question, Question::Simulate { .. }) {
            let study = Study::of::<G>(&self.manifest).map_err(anyhow::Error::msg)?;
            return Ok(study.tables(totals));
        }
        let names = self.manifest.agent_names();
        Ok(tables::all::<G>(tables::Source {
            grouped: &totals.grouped,
            layout: &self.layout(),
            agents: &names,
            players: self.manifest.players,
            firsts: &totals.firsts,
        }))
    }
}
