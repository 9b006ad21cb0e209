//! A run's manifest read as an experiment: what its blocks hold, how they are counted, which tables come
//! of them, and when it may stop.

use crate::report::described;
use crate::report::described::Described;
use crate::report::manifest::Factor;
use crate::report::manifest::Manifest;
use crate::report::manifest::Question;
use crate::report::table::Table;
use crate::report::tables;
use crate::sim::batch::Totals;
use crate::sim::counts::duel::Duel;
use crate::sim::counts::forced::Forced;
use crate::sim::counts::paired::Paired;
use crate::sim::counts::resampled::Resampled;
use crate::sim::measure::Measure;
use crate::sim::trials;
use crate::sim::trials::Count;
use crate::sim::trials::MatchPlan;
use crate::sim::trials::Section;
use crate::stats::factorial;
use crate::stats::jackknife::Estimate;
use crate::stats::sequential::Bounds;
use crate::studies::duel;
use crate::studies::duel::Comparison;
use crate::studies::factors;
use crate::studies::forced;
use crate::studies::paired;
use crate::studies::reading::Reading;
use crate::studies::sensitivity;
use crate::studies::verdicts;
use std::ops::Range;

/// Blocks before which a watched run never stops by the width of its intervals: standard errors of fewer
/// are not to be trusted.
const BLOCKS_BEFORE_STOP: u64 = 256;

/// The tables that a question leads to, each with its key columns and metrics.
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
        Question::Balance { .. } => trials(&[described::VERDICTS, described::CHOICES]),
        Question::Factorial { .. } => trials(&[described::FACTORS]),
        Question::Sensitivity => trials(&[described::SENSITIVITY]),
    }
}

/// The number of a choice by its name.
pub fn choice_of<G: Measure>(question: &Question) -> Option<usize> {
    let Question::Balance { choice, .. } = question else { return None };
    G::CHOICES.iter().position(|known| known.name == *choice)
}

/// What one stretch of a block's matches is for.
enum Kind {
    Duel(Duel),
    Forced(Forced),
    Resampled(Resampled),
    Paired(Paired, &'static str),
}

impl Kind {
    /// The counting.
    fn count(&self) -> &dyn Count {
        match self {
            Kind::Duel(count) => count,
            Kind::Forced(count) => count,
            Kind::Resampled(count) => count,
            Kind::Paired(count, _) => count,
        }
    }
}

/// A stretch of a block's matches.
struct Stretch {
    matches: Range<usize>,
    kind: Kind,
    level: String,
    variants: Vec<String>,
    roles: Vec<String>,
}

/// A manifest of trials.
pub struct Study<'a> {
    manifest: &'a Manifest,
    stretches: Vec<Stretch>,
    options: Vec<&'static str>,
}

impl<'a> Study<'a> {
    /// Reads a manifest whose question is not `simulate`.
    ///
    /// # Errors
    /// If the plan does not fit the question; manifests may be made up.
    pub fn of<G: Measure>(manifest: &'a Manifest) -> Result<Study<'a>, String> {
        let choice = choice_of::<G>(&manifest.question);
        let options = choice.map_or(Vec::new(), |choice| {
            G::CHOICES[choice].options.iter().map(|option| option.name).collect()
        });
        let study = Study { manifest, stretches: stretches(manifest, options.len())?, options };
        study.check()?;
        Ok(study)
    }

    /// Manifests may be made up: every stretch must hold what it counts, and together all matches, once.
    fn check(&self) -> Result<(), String> {
        if let Some(fault) = fault(self.manifest) {
            return Err(format!("the manifest's question: {fault}"));
        }
        let fits = |stretch: &Stretch| {
            let wanted = match &stretch.kind {
                Kind::Duel(count) => count.matches(),
                Kind::Forced(count) => count.options * count.rotations,
                Kind::Resampled(count) => count.options,
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
    pub fn sections(&self) -> Vec<Section<'_>> {
        fn section(stretch: &Stretch) -> Section<'_> {
            Section { matches: stretch.matches.clone(), count: stretch.kind.count() }
        }
        self.stretches.iter().map(section).collect()
    }

    fn readings<'t>(&self, totals: &'t Totals) -> Vec<(&Stretch, Reading<'t>)> {
        let mut offset = trials::COMMON;
        let mut readings = Vec::new();
        for stretch in &self.stretches {
            let watched = self.manifest.is_watched();
            readings.push((stretch, Reading { grouped: &totals.grouped, offset, watched }));
            offset += stretch.kind.count().width();
        }
        readings
    }

    fn margin(&self) -> Option<f64> {
        match self.manifest.question {
            Question::Balance { margin, .. } | Question::Factorial { margin, .. } => Some(margin),
            _ => None,
        }
    }

    fn forced<'t>(&self, totals: &'t Totals) -> Vec<forced::Section<'t>> {
        let mut sections: Vec<forced::Section<'t>> = Vec::new();
        for (stretch, reading) in self.readings(totals) {
            match &stretch.kind {
                Kind::Forced(count) => sections.push(forced::Section {
                    reading,
                    count: count.clone(),
                    resampled: None,
                    level: stretch.level.clone(),
                    options: self.options.clone(),
                    margin: self.margin().unwrap_or_default(),
                }),
                // A section's replicates stand right behind its counts.
                Kind::Resampled(count) => {
                    if let Some(last) = sections.last_mut() {
                        last.resampled = Some((reading, count.clone()));
                    }
                }
                Kind::Duel(_) | Kind::Paired(..) => {}
            }
        }
        sections
    }

    fn paired<'t>(&self, totals: &'t Totals) -> Vec<paired::Section<'t>> {
        let of = |(stretch, reading): (&Stretch, Reading<'t>)| {
            let Kind::Paired(count, estimand) = &stretch.kind else { return None };
            Some(paired::Section {
                reading,
                count: count.clone(),
                level: stretch.level.clone(),
                estimand,
                variants: stretch.variants.clone(),
                roles: stretch.roles.clone(),
                margin: self.margin(),
            })
        };
        self.readings(totals).into_iter().filter_map(of).collect()
    }

    /// The tables.
    pub fn tables(&self, totals: &Totals) -> Vec<Table> {
        let blocks = totals.blocks();
        let mut all = Vec::new();
        for (stretch, reading) in self.readings(totals) {
            if let Kind::Duel(duel) = &stretch.kind {
                let comparison = Comparison::of(&self.manifest.question, duel);
                let comparison = comparison.expect("a duel is counted for a duel's question");
                all.push(comparison.table(reading));
            }
        }
        let (forced, paired) = (self.forced(totals), self.paired(totals));
        if let Question::Balance { margin, .. } = self.manifest.question {
            all.push(verdicts::table(&forced, &paired, margin, blocks));
        }
        if !forced.is_empty() {
            all.push(forced::table(&forced, blocks));
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

    /// Why the run may stop now; nothing if it goes on.
    pub fn stop(&self, totals: &Totals) -> Option<String> {
        let until = match self.manifest.question {
            Question::Duel { .. } => {
                let (stretch, reading) = self.readings(totals).into_iter().next()?;
                let Kind::Duel(duel) = &stretch.kind else { return None };
                return Comparison::of(&self.manifest.question, duel)?.stop(reading);
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
                let Bounds { lower, upper } = Bounds::new(alpha, beta);
                let llr = value("llr")?;
                Some(format!("LLR {llr:.1} ({lower:.1} to {upper:.1}), {points:.1} pp"))
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

    /// The effects whose intervals a run may be told to narrow: those that verdicts are given on.
    fn watched_effects(&self, totals: &Totals) -> Vec<Option<Estimate>> {
        if let Question::Factorial { factors, .. } = &self.manifest.question {
            let rows = factor_rows(&self.paired(totals), factors);
            let rates = rows.into_iter().filter(|row| row.row.metric == "win_rate");
            return rates.map(|row| row.row.estimate).collect();
        }
        let removed = self.paired(totals);
        let removed = removed.iter().flat_map(paired::Section::judged_effects);
        let removed = removed.map(|(_, effect, _)| Some(effect));
        self.forced(totals).iter().flat_map(forced::Section::effects).chain(removed).collect()
    }
}

fn factor_rows(
    sections: &[paired::Section<'_>],
    factors: &[Factor],
) -> Vec<crate::studies::reading::Compared> {
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
        Question::Balance { margin, until, .. } => share(*margin) && until.is_none_or(share),
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

/// The stretches of a manifest's plan.
fn stretches(manifest: &Manifest, options: usize) -> Result<Vec<Stretch>, String> {
    let players = usize::from(manifest.players);
    let names = manifest.agent_names();
    let matches = &manifest.plan.matches_of_a_block;
    let stretch = |matches: Range<usize>, kind, level: &str| Stretch {
        matches,
        kind,
        level: level.to_owned(),
        variants: manifest.variants.iter().map(|variant| variant.name.clone()).collect(),
        roles: names.clone(),
    };
    Ok(match &manifest.question {
        Question::Simulate { .. } => Vec::new(),
        Question::Duel { .. } => {
            let duel = Duel::of(matches).ok_or("the manifest's plan does not fit its question")?;
            vec![stretch(0..matches.len(), Kind::Duel(duel), &names.join(" / "))]
        }
        Question::Balance { .. } => {
            // Each level of play: all its forced matches, then all of each variant.
            let mut all = Vec::new();
            let per_level = matches.len() / names.len().max(1);
            for (level, name) in names.iter().enumerate() {
                let start = level * per_level;
                let forced = Forced { options, rotations: 1 };
                all.push(stretch(start..start + options, Kind::Forced(forced), name));
                let resampled = Resampled { options, seed: manifest.seed };
                all.push(stretch(start..start + options, Kind::Resampled(resampled), name));
                let paired = Paired {
                    players,
                    roles: 1,
                    variants: manifest.variants.len(),
                    rotations: vec![vec![0; players]],
                };
                let end = start + per_level;
                let kind = Kind::Paired(paired, "removed");
                all.push(Stretch {
                    roles: vec![name.clone()],
                    ..stretch(start + options..end, kind, name)
                });
            }
            all
        }
        question => vec![one_paired(manifest, question, stretch)?],
    })
}

/// The only stretch of a question about variants.
fn one_paired(
    manifest: &Manifest,
    question: &Question,
    stretch: impl Fn(Range<usize>, Kind, &str) -> Stretch,
) -> Result<Stretch, String> {
    let matches = &manifest.plan.matches_of_a_block;
    let names = manifest.agent_names();
    // A swept parameter makes an agent of its own for each value: all of them play the first role.
    let swept = matches!(question, Question::Sweep { .. }) && manifest.variants.len() == 1;
    let (variants, values) = match question {
        Question::Sweep { values, of } if swept => {
            let name = |value: &String| format!("{of}={value}");
            (values.len(), Some(values.iter().map(name).collect::<Vec<_>>()))
        }
        _ => (manifest.variants.len(), None),
    };
    let per_variant = matches.len() / variants.max(1);
    if per_variant == 0 || matches.len() != per_variant * variants {
        return Err("the manifest's plan does not fit its variants".to_owned());
    }
    let extra = if swept { variants - 1 } else { 0 };
    if names.len() <= extra {
        return Err("the manifest has too few agents".to_owned());
    }
    // Agents 0 to `extra` are the values of the first role; those behind them are the others.
    let role = |agent: usize| agent.saturating_sub(extra);
    let rotations = matches[..per_variant]
        .iter()
        .map(|plan: &MatchPlan| plan.seats.iter().map(|&agent| role(agent)).collect())
        .collect();
    let mut roles: Vec<String> = names[extra..].to_vec();
    if let Some(value) = values.iter().flatten().next() {
        // The first role goes by the agent's name without the value, which is the variant's name.
        let bare = names[0].strip_suffix(&format!(":{value}"));
        bare.unwrap_or(&names[0]).clone_into(&mut roles[0]);
    }
    let paired =
        Paired { players: usize::from(manifest.players), roles: roles.len(), variants, rotations };
    let estimand = match question {
        Question::Rules => "rules",
        Question::Sweep { .. } => "sweep",
        Question::Sensitivity => "sensitivity",
        _ => "factorial",
    };
    let level = roles.join(" / ");
    let kind = Kind::Paired(paired, estimand);
    let plain = stretch(0..matches.len(), kind, &level);
    let variants = values.unwrap_or_else(|| plain.variants.clone());
    Ok(Stretch { variants, roles, ..plain })
}
