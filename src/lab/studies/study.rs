//! A run's manifest read as an experiment: what its blocks hold, how they are counted, which tables
//! result, and when it may stop.

use crate::core::measure::Choice;
use crate::lab::report::described::{self, Described};
use crate::lab::report::manifest::{Estimand, Factor, Manifest, Question};
use crate::lab::report::table::Table;
use crate::lab::report::tables;
use crate::lab::studies::duel::{self, Comparison};
use crate::lab::studies::estimator::Estimator;
use crate::lab::studies::stretches::{Kind, Stretch, stretches};
use crate::lab::studies::{factors, forced, paired, restricted, sensitivity, verdicts};
use crate::sim::batch::Totals;
use crate::sim::trials::{self, Section};
use crate::stats::factorial;
use crate::stats::jackknife::Estimate;
use crate::stats::mean_test::LIKELIHOOD;
use crate::stats::sequential::Bounds;

/// Blocks before which a watched run never stops by the width of its intervals: standard errors of fewer
/// are not to be trusted.
const BLOCKS_BEFORE_STOP: u64 = 256;

/// The tables of a question, each with its key columns and metrics.
pub fn described(question: &Question) -> Vec<Described> {
    let trials = |first: &[Described]| {
        let last =
            [described::VARIANTS, described::EFFECTS, described::PAIRING, described::ANOMALIES];
        [first, &last].concat()
    };
    match question {
        Question::Simulate { .. } => described::TABLES.to_vec(),
        Question::Duel { .. } => vec![described::COMPARE, described::ANOMALIES],
        Question::Rules | Question::Sweep { .. } => trials(&[]),
        Question::Balance { estimands, .. } => {
            let mut first = vec![described::VERDICTS];
            let tables = [
                (Estimand::Forced, described::CHOICES),
                (Estimand::Restricted, described::RESTRICTED),
            ];
            let asked = tables.iter().filter(|(estimand, _)| estimands.contains(estimand));
            first.extend(asked.map(|(_, table)| *table));
            if estimands.contains(&Estimand::Removed) {
                trials(&first)
            } else {
                [&first[..], &[described::ANOMALIES]].concat()
            }
        }
        Question::Factorial { .. } => trials(&[described::FACTORS]),
        Question::Sensitivity => trials(&[described::SENSITIVITY]),
    }
}

/// The number of a question's choice among those of the game.
pub fn choice_of(choices: &[Choice], question: &Question) -> Option<usize> {
    let Question::Balance { choice, .. } = question else { return None };
    choices.iter().position(|known| known.name == *choice)
}

/// The options that a question compares, by their numbers in the game.
pub fn options_of(choices: &[Choice], question: &Question) -> Vec<usize> {
    let (Some(choice), Question::Balance { options, .. }) =
        (choice_of(choices, question), question)
    else {
        return Vec::new();
    };
    let all = choices[choice].options;
    let number = |name: &String| all.iter().position(|option| option.name == *name);
    options.iter().filter_map(number).collect()
}

/// A manifest of trials.
pub struct Study<'a> {
    manifest: &'a Manifest,
    stretches: Vec<Stretch>,
    options: Vec<String>,
}

impl<'a> Study<'a> {
    /// Reads a manifest whose question is not `simulate`; the choices are those of its game.
    ///
    /// # Errors
    /// If the plan does not fit the question; manifests may be forged.
    pub fn of(manifest: &'a Manifest, choices: &[Choice]) -> Result<Study<'a>, String> {
        let options = match &manifest.question {
            Question::Balance { options, .. } => options.clone(),
            _ => Vec::new(),
        };
        let known = options_of(choices, &manifest.question);
        let twice = known.iter().enumerate().any(|(at, option)| known[..at].contains(option));
        if known.len() != options.len() || twice {
            return Err(
                "the manifest's question: its options are not those of the choice".to_owned()
            );
        }
        let study = Study { manifest, stretches: stretches(manifest, options.len())?, options };
        study.check()?;
        Ok(study)
    }

    /// Manifests may be forged: every section must hold what it counts, and together all matches, once.
    fn check(&self) -> Result<(), String> {
        if let Some(fault) = fault(self.manifest) {
            return Err(format!("the manifest's question: {fault}"));
        }
        let fits = |stretch: &Stretch| {
            let wanted = match &stretch.kind {
                Kind::Duel(count) => count.matches(),
                Kind::Forced(count) => count.options * count.rotations,
                Kind::Resampled(count) => count.options,
                Kind::Restricted(count) => count.options * count.players,
                Kind::Paired(count, _) => count.variants * count.rotations.len(),
            };
            wanted > 0 && stretch.matches.end.checked_sub(stretch.matches.start) == Some(wanted)
        };
        let mut counted_once =
            self.stretches.iter().filter(|stretch| !matches!(stretch.kind, Kind::Resampled(_)));
        let covered = counted_once.try_fold(0, |at, stretch| {
            (stretch.matches.start == at).then_some(stretch.matches.end)
        });
        let all = Some(self.manifest.plan.matches_of_a_block.len());
        if covered != all || !self.stretches.iter().all(fits) {
            return Err("the manifest's plan does not fit its question".to_owned());
        }
        Ok(())
    }

    /// The sections of a block, to be played.
    pub fn sections(&self) -> Vec<Section> {
        let section = |stretch: &Stretch| Section {
            matches: stretch.matches.clone(),
            count: stretch.kind.boxed(),
        };
        self.stretches.iter().map(section).collect()
    }

    fn estimators<'t>(&self, totals: &'t Totals) -> Vec<(&Stretch, Estimator<'t>)> {
        let mut offset = trials::COMMON;
        let mut estimators = Vec::new();
        for stretch in &self.stretches {
            let watched = self.manifest.is_watched();
            estimators.push((stretch, Estimator { grouped: &totals.grouped, offset, watched }));
            offset += stretch.kind.count().width();
        }
        estimators
    }

    fn margin(&self) -> Option<f64> {
        match self.manifest.question {
            Question::Balance { margin, .. } | Question::Factorial { margin, .. } => Some(margin),
            _ => None,
        }
    }

    fn forced<'t>(&self, totals: &'t Totals) -> Vec<forced::Section<'t>> {
        let mut sections: Vec<forced::Section<'t>> = Vec::new();
        for (stretch, estimator) in self.estimators(totals) {
            match &stretch.kind {
                Kind::Forced(count) => sections.push(forced::Section {
                    estimator,
                    count: count.clone(),
                    resampled: None,
                    level: stretch.level.clone(),
                    options: self.options.clone(),
                    margin: self.margin().unwrap_or_default(),
                }),
                // A section's replicates follow right after its counts.
                Kind::Resampled(count) => {
                    if let Some(last) = sections.last_mut() {
                        last.resampled = Some((estimator, count.clone()));
                    }
                }
                Kind::Duel(_) | Kind::Restricted(_) | Kind::Paired(..) => {}
            }
        }
        sections
    }

    fn restricted<'t>(&self, totals: &'t Totals) -> Vec<restricted::Section<'t>> {
        let of = |(stretch, estimator): (&Stretch, Estimator<'t>)| {
            let Kind::Restricted(count) = &stretch.kind else { return None };
            Some(restricted::Section {
                estimator,
                count: count.clone(),
                level: stretch.level.clone(),
                options: self.options.clone(),
                margin: self.margin().unwrap_or_default(),
            })
        };
        self.estimators(totals).into_iter().filter_map(of).collect()
    }

    fn paired<'t>(&self, totals: &'t Totals) -> Vec<paired::Section<'t>> {
        let of = |(stretch, estimator): (&Stretch, Estimator<'t>)| {
            let Kind::Paired(count, estimand) = &stretch.kind else { return None };
            Some(paired::Section {
                estimator,
                count: count.clone(),
                level: stretch.level.clone(),
                estimand,
                variants: stretch.variants.clone(),
                roles: stretch.roles.clone(),
                margin: self.margin(),
                same: self.manifest.same_rules(),
            })
        };
        self.estimators(totals).into_iter().filter_map(of).collect()
    }

    /// The tables.
    pub fn tables(&self, totals: &Totals) -> Vec<Table> {
        let blocks = totals.blocks();
        let mut all = Vec::new();
        for (stretch, estimator) in self.estimators(totals) {
            if let Kind::Duel(duel) = &stretch.kind {
                let comparison = Comparison::of(self.manifest, duel);
                let comparison = comparison.expect("a duel is counted for a duel's question");
                all.push(comparison.table(estimator));
            }
        }
        let (forced, paired) = (self.forced(totals), self.paired(totals));
        let restricted = self.restricted(totals);
        if let Question::Balance { .. } = self.manifest.question {
            all.push(verdicts::table(&forced, &restricted, &paired, blocks));
        }
        if !forced.is_empty() {
            all.push(forced::table(&forced, blocks));
        }
        if !restricted.is_empty() {
            all.push(restricted::table(&restricted, blocks));
        }
        match &self.manifest.question {
            Question::Factorial { factors, .. } => {
                all.push(factors::table(factor_rows(&paired, factors), blocks));
            }
            Question::Sensitivity => {
                all.extend(paired.first().map(|section| sensitivity::table(section, blocks)));
            }
            _ => {}
        }
        if !paired.is_empty() {
            all.extend(paired::tables(&paired, blocks));
        }
        all.push(tables::anomaly_table(
            &totals.grouped,
            &trials::ANOMALIES,
            trials::ANOMALY,
            trials::MATCHES,
            &totals.firsts,
        ));
        all
    }

    /// Why the run may stop now; `None` if it continues.
    pub fn stop(&self, totals: &Totals) -> Option<String> {
        let until = match self.manifest.question {
            Question::Duel { .. } => {
                let (stretch, estimator) = self.estimators(totals).into_iter().next()?;
                let Kind::Duel(duel) = &stretch.kind else { return None };
                return Comparison::of(self.manifest, duel)?.stop(estimator);
            }
            Question::Balance { until, .. } | Question::Factorial { until, .. } => until?,
            _ => return None,
        };
        if totals.blocks() < BLOCKS_BEFORE_STOP {
            return None;
        }
        let narrow = |estimate: &Estimate| {
            estimate.interval.is_some_and(|(lo, hi)| (hi - lo) / 2.0 <= until)
        };
        let all = self.watched_effects(totals);
        let done = all.iter().all(|effect| effect.as_ref().is_some_and(narrow));
        let width = duel::percentage_points(until);
        done.then(|| format!("every interval is within ±{width}"))
    }

    /// Where a watched run stands, in some 30 letters: the test of a comparison, or the widest interval.
    pub fn standing(&self, totals: &Totals) -> Option<String> {
        match self.manifest.question {
            Question::Duel { alpha, beta, .. } => {
                let tables = self.tables(totals);
                let compare = tables.iter().find(|table| table.name == described::COMPARE.0)?;
                let value = |metric| Some(compare.find(&["A - B"], metric)?.estimate?.value);
                let points = 100.0 * value("win_difference")?;
                let Bounds { lower, upper } = Bounds::new(LIKELIHOOD * alpha, LIKELIHOOD * beta);
                let llr = value("llr")?;
                Some(format!("LLR {llr:.1} [{lower:.1}, {upper:.1}], {points:.1} pp"))
            }
            Question::Balance { until, .. } | Question::Factorial { until, .. } => {
                let wanted = duel::percentage_points(until?);
                let half = |effect: Option<Estimate>| {
                    effect?.interval.map(|(lo, hi)| 100.0 * (hi - lo) / 2.0)
                };
                let all = self.watched_effects(totals).into_iter();
                let widest = all.map(half).collect::<Option<Vec<f64>>>()?;
                let widest = widest.into_iter().reduce(f64::max)?;
                Some(format!("±{widest:.2} pp, to ±{wanted}"))
            }
            _ => None,
        }
    }

    /// The effects whose intervals `--until` narrows: those with verdicts.
    fn watched_effects(&self, totals: &Totals) -> Vec<Option<Estimate>> {
        if let Question::Factorial { factors, .. } = &self.manifest.question {
            let rows = factor_rows(&self.paired(totals), factors);
            let rates = rows.into_iter().filter(|row| row.row.metric == "win_rate");
            return rates.map(|row| row.row.estimate).collect();
        }
        let removed = self.paired(totals);
        let judged = removed.iter().flat_map(|section| section.judged_effects(section.family()));
        let removed = judged.map(|judged| Some(judged.effect));
        let restricted = self.restricted(totals);
        let restricted = restricted.iter().flat_map(|section| section.rates().effects());
        let (withheld, forced): (Vec<_>, Vec<_>) =
            self.forced(totals).into_iter().partition(forced::Section::is_withheld);
        let effects = |sections: &[forced::Section<'_>]| -> Vec<Option<Estimate>> {
            sections.iter().flat_map(|section| section.rates().effects()).collect()
        };
        // What gets no verdict keeps no run going, unless there is nothing else.
        let mut all: Vec<Option<Estimate>> = removed.chain(restricted).collect();
        all.extend(effects(&forced));
        if all.is_empty() { effects(&withheld) } else { all }
    }
}

fn factor_rows(
    sections: &[paired::Section<'_>],
    factors: &[Factor],
) -> Vec<crate::lab::studies::estimator::Compared> {
    let names: Vec<String> = factors.iter().map(|factor| factor.field.clone()).collect();
    let Some(design) = factorial::design(names.len()) else { return Vec::new() };
    let contrasts = design.contrasts();
    sections.iter().flat_map(|section| factors::rows(section, &names, &contrasts)).collect()
}

/// What is wrong with the settings of a question.
fn fault(manifest: &Manifest) -> Option<&'static str> {
    let share = |share: f64| 0.0 < share && share < 1.0;
    let sound = match &manifest.question {
        Question::Duel { difference0, difference1, alpha, beta, until } => {
            let rates = [alpha, beta].into_iter().all(|&rate| 0.0 < rate && rate < 0.5);
            let means = -1.0 < *difference0 && difference0 < difference1 && *difference1 < 1.0;
            rates && means && until.is_none_or(share)
        }
        Question::Balance { options, estimands, margin, until, .. } => {
            let sound = share(*margin) && until.is_none_or(share);
            sound && options.len() > 1 && !estimands.is_empty()
        }
        Question::Factorial { factors, margin, until } => {
            let runs = factorial::design(factors.len()).map(|design| design.runs.len());
            let fits = runs == Some(manifest.variants.len());
            fits && share(*margin) && until.is_none_or(share)
        }
        Question::Simulate { .. }
        | Question::Rules
        | Question::Sweep { .. }
        | Question::Sensitivity => true,
    };
    (!sound).then_some("a setting is out of its range")
}
