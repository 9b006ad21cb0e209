//! What does each option of a choice do (`balance --choice`)? Forced at the first such choice, taken out of the
//! rules, and left to one seat as the only one; at each level of play.

use crate::core::measure::Choice;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::forced::CHOICES;
use crate::lab::questions::studies::options::{Estimand, Judging, Options};
use crate::lab::questions::studies::restricted::RESTRICTED;
use crate::lab::questions::studies::study::{
    self, Context, Design, ForcedChoice, Study, in_range, is_share, unfit,
};
use crate::lab::questions::studies::verdicts::VERDICTS;
use crate::lab::questions::studies::{balance_answer, forced, paired, restricted, verdicts};
use crate::lab::report::answer::Answer;
use crate::lab::report::described::{ANOMALIES, TableSchema};
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::table::Table;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::forced::ForcedCount;
use crate::sim::counts::paired::{PairedCount, matches};
use crate::sim::counts::resampled::ResampledCount;
use crate::sim::counts::restricted::RestrictedCount;
use crate::sim::trials::{Count, MatchPlan, Section};
use crate::stats::jackknife::Estimate;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Balance>(KIND, &[VERDICTS, CHOICES, RESTRICTED]);
const KIND: &str = "balance";

/// What does each option of a choice do? (`balance --choice`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Balance {
    /// The choice.
    pub choice: String,
    /// The options that are compared, by name.
    pub options: Vec<String>,
    /// Options that nobody can take under the run's rule set, and that are left out.
    pub dropped: Vec<String>,
    /// What is played.
    pub estimands: Vec<Estimand>,
    /// Effects up to this count as balanced.
    pub margin: f64,
    /// The run stops when no interval is wider than this to either side.
    pub until: Option<f64>,
}

impl Balance {
    /// A choice: every option forced, every option removed, and every seat restricted to every option, at each
    /// level; or what is asked for of these.
    ///
    /// # Errors
    /// If the game has no such choice, or the rule set leaves nothing to compare.
    pub fn design(
        game: &dyn LoadedGame,
        choice: &str,
        asked: &[Estimand],
        judging: Judging,
    ) -> Result<Design> {
        let of = Options::of(game, choice)?;
        let estimands = of.estimands(game, asked)?;
        let Chunking { blocks, chunk } = judging.plan();
        let Judging { levels, margin, until, .. } = judging;
        let removed = estimands.contains(&Estimand::Removed);
        let restricted = estimands.contains(&Estimand::Restricted);
        let mut variants = vec![Variant::base()];
        variants.extend(if removed { of.removals() } else { Vec::new() });
        let first_restricted = variants.len();
        variants.extend(if restricted { of.restrictions(game) } else { Vec::new() });
        let (options, players) = (of.compared.len(), usize::from(game.players()));
        let mut all = Vec::new();
        for level in 0..levels.len() {
            let seats = vec![level; players];
            if estimands.contains(&Estimand::Forced) {
                let forced = ForcedCount { options, rotations: 1 };
                let plans = forced.matches(0, std::slice::from_ref(&seats)).into_iter();
                let number = |at: usize| of.compared[at];
                all.extend(plans.map(|plan| MatchPlan { forced: plan.forced.map(number), ..plan }));
            }
            if removed {
                all.extend(matches((0..=options).map(|variant| (variant, vec![seats.clone()]))));
            }
            if restricted {
                all.extend(RestrictedCount { options, players }.matches(first_restricted, &seats));
            }
        }
        let study = Box::new(Balance {
            choice: choice.to_owned(),
            options: of.names(&of.compared),
            dropped: of.names(&of.dropped),
            estimands,
            margin,
            until,
        });
        Ok(Design { question: study, variants, agents: levels, matches: all, blocks, chunk })
    }

    fn has(&self, estimand: Estimand) -> bool {
        self.estimands.contains(&estimand)
    }

    /// What is counted in a block: at each level all forced matches, which are counted twice, then all of each variant,
    /// then all with a restricted seat.
    fn counted(&self, manifest: &Manifest) -> Result<Vec<Counted>, String> {
        let sound = is_share(self.margin) && self.until.is_none_or(is_share);
        in_range(sound && self.options.len() > 1 && !self.estimands.is_empty())?;
        let mut counted = Vec::new();
        let mut start = 0;
        for level in manifest.agent_names() {
            for (counting, width) in self.countings(manifest) {
                // The matches that are counted again come right before.
                let first = if let Counting::Again(_) = counting { start - width } else { start };
                start = first + width;
                counted.push(Counted { level: level.clone(), matches: first..start, counting });
            }
        }
        let all = manifest.plan.matches_of_a_block.len();
        if start == all && !counted.is_empty() { Ok(counted) } else { Err(unfit()) }
    }

    /// How the matches of one level are counted, and how many there are of each.
    fn countings(&self, manifest: &Manifest) -> Vec<(Counting, usize)> {
        let (options, players) = (self.options.len(), usize::from(manifest.players));
        let mut all = Vec::new();
        if self.has(Estimand::Forced) {
            let again = ResampledCount { options, seed: manifest.seed };
            all.push((Counting::Forced(ForcedCount { options, rotations: 1 }), options));
            all.push((Counting::Again(again), options));
        }
        if self.has(Estimand::Removed) {
            let (variants, rotations) =
                (removals(manifest, options).count(), vec![vec![0; players]]);
            let paired = PairedCount { players, roles: 1, variants, rotations };
            all.push((Counting::Removed(paired), variants));
        }
        if self.has(Estimand::Restricted) {
            let restricted = RestrictedCount { options, players };
            all.push((Counting::Restricted(restricted), options * players));
        }
        all
    }

    /// The sums, by what they estimate.
    fn sums<'a>(&self, manifest: &Manifest, totals: &'a Totals) -> Result<Sums<'a>, String> {
        let Balance { options, margin, .. } = self;
        let mut sums = Sums::default();
        let mut estimator = Estimator::first(totals, self.is_sequential());
        for Counted { level, counting, .. } in self.counted(manifest)? {
            let width = counting.count().width();
            let (options, margin) = (options.clone(), *margin);
            match counting {
                Counting::Forced(count) => {
                    let resampled = None;
                    let of = forced::ForcedEffects {
                        estimator,
                        count,
                        resampled,
                        level,
                        players: manifest.players,
                        options,
                        margin,
                    };
                    sums.forced.push(of);
                }
                // The replicates of a section follow right after its counts.
                Counting::Again(count) => {
                    if let Some(last) = sums.forced.last_mut() {
                        last.resampled = Some((estimator, count));
                    }
                }
                Counting::Restricted(count) => {
                    let of =
                        restricted::RestrictedEffects { estimator, count, level, options, margin };
                    sums.restricted.push(of);
                }
                Counting::Removed(count) => sums.removed.push(paired::PairedEffects {
                    estimator,
                    count,
                    roles: vec![level.clone()],
                    level,
                    estimand: "removed",
                    variants: removals(manifest, options.len()).collect(),
                    sizes: vec![usize::from(manifest.players); options.len() + 1],
                    margin: Some(margin),
                    same: false,
                }),
            }
            estimator.offset += width;
        }
        Ok(sums)
    }
}

/// The names of the run's own rule set and of those without each option; those of restricted seats come behind.
fn removals(manifest: &Manifest, options: usize) -> impl Iterator<Item = String> {
    manifest.variants.iter().take(options + 1).map(|variant| variant.name.clone())
}

/// Matches of one level that are counted alike.
struct Counted {
    level: String,
    matches: Range<usize>,
    counting: Counting,
}

/// How matches are counted.
enum Counting {
    /// An option that is forced.
    Forced(ForcedCount),
    /// The same matches, weighted at random.
    Again(ResampledCount),
    /// Rule sets without an option.
    Removed(PairedCount),
    /// Seats with one option only.
    Restricted(RestrictedCount),
}

impl Counting {
    fn count(&self) -> &dyn Count {
        match self {
            Counting::Forced(count) => count,
            Counting::Again(count) => count,
            Counting::Removed(count) => count,
            Counting::Restricted(count) => count,
        }
    }

    fn boxed(self) -> Box<dyn Count> {
        match self {
            Counting::Forced(count) => Box::new(count),
            Counting::Again(count) => Box::new(count),
            Counting::Removed(count) => Box::new(count),
            Counting::Restricted(count) => Box::new(count),
        }
    }
}

/// The sums of each level, by what they estimate.
#[derive(Default)]
struct Sums<'a> {
    forced: Vec<forced::ForcedEffects<'a>>,
    restricted: Vec<restricted::RestrictedEffects<'a>>,
    removed: Vec<paired::PairedEffects<'a>>,
}

impl Question for Balance {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "balance"
    }

    fn described(&self) -> Vec<TableSchema> {
        let mut all = vec![VERDICTS];
        for (estimand, table) in [(Estimand::Forced, CHOICES), (Estimand::Restricted, RESTRICTED)] {
            all.extend(self.has(estimand).then_some(table));
        }
        if self.has(Estimand::Removed) {
            all.extend(paired::COMMON);
        } else {
            all.push(ANOMALIES);
        }
        all
    }

    fn caution(&self) -> &'static str {
        "The effects hold at this level of play: agents choose by weights that were tuned for the printed \
         rules, and people may use an option better or worse. What is still open may be large or nothing."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let Balance { choice, estimands, margin, .. } = self;
        let asked = balance_answer::Asked { study: self, choice, estimands, margin: *margin };
        balance_answer::answer(&asked, manifest, tables)
    }

    fn notes(&self, _: &[Table]) -> Vec<String> {
        let names = self.dropped.join(", ");
        let note = format!("Left out, since nobody can take it under this rule set: {names}.");
        if names.is_empty() { Vec::new() } else { vec![note] }
    }
}

impl Study for Balance {
    fn until(&self) -> Option<f64> {
        self.until
    }

    fn forced_choice(&self, choices: &[Choice]) -> Result<Option<ForcedChoice>, String> {
        let known = choices.iter().position(|known| known.name == self.choice);
        let all = known.map_or(&[][..], |choice| choices[choice].options);
        let number = |name: &String| all.iter().position(|option| option.name == *name);
        let options: Vec<usize> = self.options.iter().filter_map(number).collect();
        let twice = options.iter().enumerate().any(|(at, option)| options[..at].contains(option));
        if options.len() != self.options.len() || twice {
            return Err("the manifest's question: its options are not those of the choice".into());
        }
        Ok(known.map(|choice| ForcedChoice { choice, options }))
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        let section = |of: Counted| Section { matches: of.matches, count: of.counting.boxed() };
        Ok(self.counted(manifest)?.into_iter().map(section).collect())
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let Sums { forced, restricted, removed } = self.sums(context.manifest, totals)?;
        let blocks = totals.blocks();
        let mut all = vec![verdicts::table(&forced, &restricted, &removed, blocks)];
        if !forced.is_empty() {
            all.push(forced::table(&forced, blocks));
        }
        if !restricted.is_empty() {
            all.push(restricted::table(&restricted, blocks));
        }
        if !removed.is_empty() {
            all.extend(paired::tables(&removed, blocks));
        }
        all.push(study::anomalies(self, totals));
        Ok(all)
    }

    /// The effects with verdicts. What gets no verdict keeps no run going, unless there is nothing else.
    fn watched_effects(&self, manifest: &Manifest, totals: &Totals) -> Vec<Option<Estimate>> {
        let Ok(sums) = self.sums(manifest, totals) else { return vec![None] };
        let removed =
            sums.removed.iter().flat_map(|section| section.judged_effects(section.family()));
        let removed = removed.map(|judged| Some(judged.effect));
        let restricted = sums.restricted.iter().flat_map(|section| section.rates().effects());
        let (withheld, forced): (Vec<_>, Vec<_>) =
            sums.forced.iter().partition(|section| section.is_withheld());
        let effects = |sections: &[&forced::ForcedEffects<'_>]| -> Vec<Option<Estimate>> {
            sections.iter().flat_map(|section| section.rates().effects()).collect()
        };
        let mut all: Vec<Option<Estimate>> = removed.chain(restricted).collect();
        all.extend(effects(&forced));
        if all.is_empty() { effects(&withheld) } else { all }
    }
}
