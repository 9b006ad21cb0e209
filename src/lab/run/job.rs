//! A run, made from its manifest: games, agents, their experiment, and the tables that its sums allow.

use crate::core::watch::Watch;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::studies::study::{Context, Study};
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::manifest::{FileEntry, Manifest, Variant};
use crate::lab::report::sums::Shape;
use crate::lab::report::table::Table;
use crate::lab::setup::{nets, rules};
use crate::lab::store::directory::Directory;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::any_game::{Facts, LoadedGame, Seated};
use crate::sim::batch::Totals;
use crate::sim::experiment::Experiment;
use crate::sim::timing::Timing;
use crate::sim::trials::MatchPlan;
use anyhow::{Context as _, Result, bail, ensure};

/// A run that can be played, from the start or from its saved state.
pub struct Job<'a> {
    /// What is played.
    pub manifest: Manifest,
    /// What is asked.
    pub study: Box<dyn Study>,
    /// The rules, by variant; the first are the run's own.
    pub games: Vec<Box<dyn LoadedGame>>,
    /// The agents.
    pub agents: Vec<AgentSpec>,
    /// Where it is written.
    pub directory: Option<Directory<'a>>,
    /// The file of matches that guests have lost by failing, if it was written.
    pub faults: Option<FileEntry>,
}

/// The run of a manifest: all games and agents are created once, so that mistakes show.
///
/// # Errors
/// If there is no such game, a rule set can't be played by, or an agent can't be made.
pub fn job(catalogue: &Catalogue, mut manifest: Manifest) -> Result<Job<'_>> {
    add_nets(&mut manifest.agents)?;
    made(catalogue, manifest)
}

/// The same where sums are read and nothing is played: nets of agents may be gone.
///
/// # Errors
/// As [`job`].
pub fn job_of_sums(catalogue: &Catalogue, mut manifest: Manifest) -> Result<Job<'_>> {
    add_nets_that_are_there(&mut manifest.agents);
    made(catalogue, manifest)
}

/// Reads the nets that agents of a run name.
///
/// # Errors
/// If one can't be read, or is not what it was.
pub fn add_nets(agents: &mut [AgentEntry]) -> Result<(), BadAgent> {
    for agent in agents {
        let spec = agent.spec();
        if spec.lacks_net() && spec.net_hash()?.is_none() {
            let reason = "the run does not have the hash of its net".to_owned();
            return Err(BadAgent { name: spec.name, reason });
        }
        agent.net = nets::with_net(spec)?.net;
    }
    Ok(())
}

/// The same, but agents stay without nets that can't be had: enough where nothing is played.
pub fn add_nets_that_are_there(agents: &mut [AgentEntry]) {
    for agent in agents {
        agent.net = nets::with_net(agent.spec()).ok().and_then(|agent| agent.net);
    }
}

fn made(catalogue: &Catalogue, manifest: Manifest) -> Result<Job<'_>> {
    let Asked::Study(study) = catalogue.question(&manifest.question)? else {
        bail!("it is a search: each of its stages has agents and deals of its own");
    };
    let game = catalogue.game(&manifest.game)?;
    let base = game.load(manifest.rules.clone(), manifest.players)?.rules();
    let variant = |variant: &Variant| {
        let (players, changes) = rules::players_of(&variant.changes)?;
        ensure!(
            players.is_none() || study.seats_several_sizes(),
            "the manifest's question is about tables of one size"
        );
        let players = players.unwrap_or(manifest.players);
        let made = rules::changed(game, base.clone(), &changes, players);
        made.with_context(|| format!("variant `{}`", variant.name))
    };
    let games = manifest.variants.iter().map(variant).collect::<Result<Vec<_>>>()?;
    ensure!(!games.is_empty(), "the manifest has no rule sets");
    let agents: Vec<AgentSpec> = manifest.agents.iter().map(AgentEntry::spec).collect();
    for game in &games {
        check_agents(&**game, &agents)?;
    }
    let sizes: Vec<u8> = games.iter().map(|game| game.players()).collect();
    check_plan(&manifest, &sizes)?;
    if let Some(wave) = manifest.plan.wave {
        let all = wave.all(&manifest.plan.plan());
        ensure!(
            wave.number <= all,
            "there is no wave {}: of {} blocks each, the run's {} blocks have {all} waves",
            wave.number,
            wave.blocks,
            manifest.plan.blocks
        );
    }
    Ok(Job { manifest, study, games, agents, directory: None, faults: None })
}

/// Makes all agents once, but for those whose nets are not there.
///
/// # Errors
/// If one can't be made.
pub fn check_agents(game: &dyn LoadedGame, agents: &[AgentSpec]) -> Result<(), BadAgent> {
    let whole: Vec<AgentSpec> = agents.iter().filter(|agent| !agent.lacks_net()).cloned().collect();
    game.check_agents(&whole)
}

/// A manifest may hold anything; what is played must fit. `sizes` are the players of each variant.
///
/// # Errors
/// If it does not.
pub fn check_plan(manifest: &Manifest, sizes: &[u8]) -> Result<()> {
    let Manifest { plan, agents, players, .. } = manifest;
    let fits = |entry: &MatchPlan| {
        sizes.get(entry.variant).is_some_and(|&seats| entry.seats.len() == usize::from(seats))
            && entry.seats.iter().all(|&at| at < agents.len())
    };
    let matches = &plan.matches_of_a_block;
    ensure!(
        !matches.is_empty() && matches.iter().all(fits),
        "the manifest's plan does not fit its {} agents, {players} players",
        agents.len()
    );
    Ok(())
}

impl Job<'_> {
    /// What is known of the game.
    pub fn facts(&self) -> Facts {
        self.games[0].game_type().facts()
    }

    /// Creates the experiment; `watch` is what searches ask, and the time that agents think is added up in
    /// `timing`.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn experiment<'a>(
        &'a self,
        watch: &'a Watch,
        timing: Option<&'a Timing>,
    ) -> Result<Box<dyn Experiment + 'a>> {
        let seated = Seated { agents: &self.agents, watch, timing };
        let experiment = self.study.experiment(&self.context(), &self.games, seated);
        experiment.map_err(anyhow::Error::msg)
    }

    /// What the study needs to know of its run.
    pub fn context(&self) -> Context<'_> {
        let Facts { choices, names, .. } = self.facts();
        let layout = self.games[0].layout(self.agents.len());
        Context { manifest: &self.manifest, choices, names, layout }
    }

    /// The shape of this run's sums.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn shape(&self) -> Result<Shape> {
        let watch = Watch::none();
        let experiment = self.experiment(&watch, None)?;
        let (width, anomalies) = (experiment.width(), experiment.anomalies());
        let looks = self.study.keeps_looks() && self.looks();
        Ok(Shape { design: self.manifest.design_hash(), width, anomalies, looks })
    }

    /// The tables that sums allow.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn tables(&self, totals: &Totals) -> Result<Vec<Table>> {
        self.study.tables(&self.context(), totals).map_err(anyhow::Error::msg)
    }
}
