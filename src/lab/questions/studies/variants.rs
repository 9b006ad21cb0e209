//! The variants that all matches of a block compare: which rule sets, agents or sizes of the table they are, and which of
//! a block's matches belong to each.

use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::paired::PairedEffects;
use crate::lab::report::manifest::Manifest;
use crate::sim::batch::Totals;
use crate::sim::counts::paired::PairedCount;
use crate::sim::trials;

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
        let names = manifest.variants.iter().map(|variant| variant.name.clone());
        Variants::of(manifest, names.collect(), 1)
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
        let mut variants = Variants::of(manifest, names, values.len())?;
        // The first role goes by the agent's name without the value, which is the variant's name.
        let first = &manifest.agents[0].name;
        let bare = first.strip_suffix(&format!(":{}", variants.names[0]));
        bare.unwrap_or(first).clone_into(&mut variants.roles[0]);
        Ok(variants)
    }

    /// Variants in which some first agents play the first role, and those behind them the others.
    fn of(manifest: &Manifest, names: Vec<String>, firsts: usize) -> Result<Variants, String> {
        let matches = &manifest.plan.matches_of_a_block;
        let per_variant = matches.len() / names.len().max(1);
        if per_variant == 0 || matches.len() != per_variant * names.len() {
            return Err("the manifest's plan does not fit its variants".to_owned());
        }
        let extra = firsts - 1;
        if manifest.agents.len() <= extra {
            return Err("the manifest has too few agents".to_owned());
        }
        let role = |agent: usize| agent.saturating_sub(extra);
        let sizes: Vec<usize> =
            matches.chunks(per_variant).map(|of_variant| of_variant[0].seats.len()).collect();
        let players = sizes.iter().copied().max().unwrap_or(0);
        let roles: Vec<String> = manifest.agent_names().split_off(extra);
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
        let matches = 0..self.count.variants * self.count.rotations.len();
        vec![trials::Section { matches, count: Box::new(self.count.clone()) }]
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
