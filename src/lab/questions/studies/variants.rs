//! The variants that all matches of a block compare: which rule sets, agents or sizes of the table they are, and which of
//! a block's matches belong to each.

use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::paired::PairedEffects;
use crate::lab::questions::studies::study::unfit;
use crate::lab::report::manifest::Manifest;
use crate::sim::batch::Totals;
use crate::sim::counts::paired::PairedCount;
use crate::sim::trials::{self, Count as _, MatchPlan};

/// The level of agents that have adapted: the run's own plays the first rule set, the run's last the others.
pub const ADAPTED: &str = "adapted to B";

/// The variants that all matches of a block compare.
#[derive(Debug, Clone)]
pub struct Variants {
    /// How they are counted.
    pub count: PairedCount,
    /// Their names, the first one included.
    pub names: Vec<String>,
    /// Names of the roles.
    pub roles: Vec<String>,
    /// Players by variant.
    pub sizes: Vec<usize>,
}

impl Variants {
    /// The rule sets of a manifest, each in the same rotations of a line-up.
    ///
    /// # Errors
    /// If the manifest's plan does not fit them.
    pub fn of_rules(manifest: &Manifest) -> Result<Variants, String> {
        let matches = &manifest.plan.matches_of_a_block;
        Variants::of(matches, manifest.agent_names(), names_of(manifest), 1)
    }

    /// The same, and behind it each rule set once with each of the last agents in all seats: further levels of play.
    ///
    /// # Errors
    /// If the manifest's plan does not fit them.
    pub fn of_levels(manifest: &Manifest, further: usize) -> Result<Vec<Variants>, String> {
        Variants::of_further(manifest, further, false)
    }

    /// The same, where the last agent has adapted: it plays all rule sets but the first, which the run's own agent plays.
    ///
    /// # Errors
    /// If the manifest's plan does not fit them, or the run has several agents of its own.
    pub fn of_adapted(manifest: &Manifest, further: usize) -> Result<Vec<Variants>, String> {
        Variants::of_further(manifest, further, true)
    }

    fn of_further(
        manifest: &Manifest,
        further: usize,
        last_is_adapted: bool,
    ) -> Result<Vec<Variants>, String> {
        let (all, names) = (&manifest.plan.matches_of_a_block, names_of(manifest));
        let mut agents = manifest.agent_names();
        let line_up = agents.len().checked_sub(further).filter(|&left| left > 0);
        let levels = agents.split_off(line_up.ok_or_else(unfit)?);
        let own = all.len().checked_sub(further * names.len()).ok_or_else(unfit)?;
        let (own, others) = all.split_at(own);
        let per_variant = (own.len() / names.len().max(1)).max(1);
        let is_own = |(at, plan): (usize, &MatchPlan)| {
            plan.variant == at / per_variant && plan.seats.iter().all(|&agent| agent < agents.len())
        };
        if !own.iter().enumerate().all(is_own) {
            return Err(unfit());
        }
        let mut sections = vec![Variants::of(own, agents.clone(), names.clone(), 1)?];
        for (at, mut level) in levels.into_iter().enumerate() {
            let is_adapted = last_is_adapted && at + 1 == further;
            if is_adapted && agents.len() > 1 {
                return Err(unfit());
            }
            if is_adapted {
                ADAPTED.clone_into(&mut level);
            }
            let matches = &others[at * names.len()..][..names.len()];
            let of_level = |(variant, plan): (usize, &MatchPlan)| {
                let who = if is_adapted && variant == 0 { 0 } else { agents.len() + at };
                plan.variant == variant && plan.seats.iter().all(|&agent| agent == who)
            };
            if !matches.iter().enumerate().all(of_level) {
                return Err(unfit());
            }
            let alone =
                |plan: &MatchPlan| MatchPlan::plain(plan.variant, vec![0; plan.seats.len()]);
            let matches: Vec<MatchPlan> = matches.iter().map(alone).collect();
            sections.push(Variants::of(&matches, vec![level], names.clone(), 1)?);
        }
        Ok(sections)
    }

    /// Values of a parameter, each an agent of its own that plays the first role.
    ///
    /// # Errors
    /// If the manifest's plan does not fit them.
    pub fn of_values(
        manifest: &Manifest,
        parameter: &str,
        values: &[String],
    ) -> Result<Variants, String> {
        let names = values.iter().map(|value| format!("{parameter}={value}")).collect();
        let matches = &manifest.plan.matches_of_a_block;
        let mut variants = Variants::of(matches, manifest.agent_names(), names, values.len())?;
        // The first role goes by the agent's name without the value, which is the variant's name.
        let first = &manifest.agents[0].name;
        let bare = first.strip_suffix(&format!(":{}", variants.names[0]));
        bare.unwrap_or(first).clone_into(&mut variants.roles[0]);
        Ok(variants)
    }

    /// Variants in which some first agents play the first role, and those behind them the others.
    fn of(
        matches: &[MatchPlan],
        agents: Vec<String>,
        names: Vec<String>,
        firsts: usize,
    ) -> Result<Variants, String> {
        let per_variant = matches.len() / names.len().max(1);
        if per_variant == 0 || matches.len() != per_variant * names.len() {
            return Err("the manifest's plan does not fit its variants".to_owned());
        }
        let extra = firsts - 1;
        if agents.len() <= extra {
            return Err("the manifest has too few agents".to_owned());
        }
        let role = |agent: usize| agent.saturating_sub(extra);
        let sizes: Vec<usize> =
            matches.chunks(per_variant).map(|of_variant| of_variant[0].seats.len()).collect();
        let players = sizes.iter().copied().max().unwrap_or(0);
        let mut roles = agents;
        roles.drain(..extra);
        let rotations = if sizes.iter().all(|&size| size == players) {
            let seats = matches[..per_variant].iter().map(|plan| &plan.seats);
            seats.map(|seats| seats.iter().map(|&agent| role(agent)).collect()).collect()
        } else {
            // One agent in all seats has one rotation, whatever the size of the table.
            if per_variant > 1 || roles.len() > 1 {
                return Err("the manifest's plan does not fit its tables".to_owned());
            }
            vec![vec![0; players]]
        };
        let count = PairedCount { players, roles: roles.len(), variants: names.len(), rotations };
        Ok(Variants { count, names, roles, sizes })
    }

    /// All matches of a block, as the one section that they are.
    pub fn sections(&self) -> Vec<trials::Section> {
        Variants::counted(std::slice::from_ref(self))
    }

    /// All matches of a block, a section for each of these.
    pub fn counted(all: &[Variants]) -> Vec<trials::Section> {
        let mut start = 0;
        let section = |of: &Variants| {
            let matches = start..start + of.count.variants * of.count.rotations.len();
            start = matches.end;
            trials::Section { matches, count: Box::new(of.count.clone()) }
        };
        all.iter().map(section).collect()
    }

    /// The sums of each of these, without a margin.
    pub fn effects<'a>(
        all: Vec<Variants>,
        estimand: &'static str,
        totals: &'a Totals,
        watched: bool,
    ) -> Vec<PairedEffects<'a>> {
        let mut offset = 0;
        let section = |of: Variants| {
            let mut section = of.section(estimand, totals, watched);
            section.estimator.offset += offset;
            offset += section.count.width();
            section
        };
        all.into_iter().map(section).collect()
    }

    /// Their sums, without a margin.
    pub fn section<'a>(
        self,
        estimand: &'static str,
        totals: &'a Totals,
        watched: bool,
    ) -> PairedEffects<'a> {
        PairedEffects {
            estimator: Estimator::first(totals, watched),
            level: self.roles.join(" / "),
            count: self.count,
            estimand,
            variants: self.names,
            roles: self.roles,
            margin: None,
            sizes: self.sizes,
            same: false,
        }
    }
}

fn names_of(manifest: &Manifest) -> Vec<String> {
    manifest.variants.iter().map(|variant| variant.name.clone()).collect()
}
