//! A study: one question about a game with all that belongs to it. Each lies in a file of its own beside this one,
//! and [`STUDIES`](crate::lab::questions::studies::STUDIES) lists them.

use crate::core::measure::{Choice, Names};
use crate::lab::questions::question::{self, Entry, Question};
use crate::lab::questions::studies::estimator::{ALPHA, Estimator, INTENDED_BLOCKS};
use crate::lab::report::described::TableSchema;
use crate::lab::report::format::percentage_points;
use crate::lab::report::manifest::{Manifest, Variant};
use crate::lab::report::table::Table;
use crate::lab::report::tables::{self, Counted};
use crate::sim::any_game::{LoadedGame, Seated, TrialsPlan};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::paired::matches;
use crate::sim::experiment::Experiment;
use crate::sim::layout::Layout;
use crate::sim::line_up::LineUp;
use crate::sim::simulation::rotations;
use crate::sim::trials::{self, Noting, Section};
use crate::stats::jackknife::Estimate;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Blocks before which a watched run never stops by the width of its intervals: standard errors of fewer
/// are not to be trusted.
pub const BLOCKS_BEFORE_STOP: u64 = 256;

/// Blocks between two looks of a run that is watched for the width of its intervals.
pub const LOOK: u64 = 32;

/// Blocks of its chunks: fewer, since chunks make the groups that standard errors come from. A run of 256 blocks has
/// all of them.
pub const WATCHED_CHUNK: u64 = 4;

/// Whether a run may stop by the width of its intervals after so many blocks.
pub const fn is_look(blocks: u64) -> bool {
    blocks >= BLOCKS_BEFORE_STOP && blocks.is_multiple_of(LOOK)
}

/// A question that one plan of matches answers: what is played and counted, how tables are read from the sums, and
/// when the run may stop.
pub trait Study: Question {
    /// Whether its command takes the length of a run in matches; else in blocks.
    fn is_in_matches(&self) -> bool {
        false
    }

    /// Half the width of the intervals at which the run stops, if it was asked for one.
    fn until(&self) -> Option<f64> {
        None
    }

    /// Whether the run may stop by itself, so that it can't be divided into parts.
    fn is_sequential(&self) -> bool {
        self.until().is_some()
    }

    /// Whether its variants may seat different numbers of players.
    fn seats_several_sizes(&self) -> bool {
        false
    }

    /// Whether what is seen on the way is kept, so that its path can be shown.
    fn keeps_looks(&self) -> bool {
        false
    }

    /// The choice that is forced, among those of the game.
    ///
    /// # Errors
    /// If the game has no such choice, or the choice no such options.
    fn forced_choice(&self, _: &[Choice]) -> Result<Option<ForcedChoice>, String> {
        Ok(None)
    }

    /// Whether the luck of draws is judged, to be taken from results.
    fn has_less_luck(&self) -> bool {
        false
    }

    /// The sections of a block's matches, and how each is counted.
    ///
    /// # Errors
    /// If a setting is out of its range, or the manifest's plan does not fit; manifests may be forged.
    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String>;

    /// What is played by some rule sets and agents.
    ///
    /// # Errors
    /// If a setting is out of its range, or the manifest's plan does not fit.
    fn experiment<'a>(
        &self,
        context: &Context<'_>,
        games: &'a [Box<dyn LoadedGame>],
        seated: Seated<'a>,
    ) -> Result<Box<dyn Experiment + 'a>, String> {
        let forced = self.forced_choice(context.choices)?;
        let sections = self.sections(context.manifest)?;
        let mut plan = plan_of(context.manifest, sections);
        plan.noting = if self.has_less_luck() { Noting::Luck } else { Noting::Nothing };
        if let Some(forced) = forced {
            (plan.choice, plan.options) = (forced.choice, forced.options);
        }
        Ok(trials_of(plan, games, seated))
    }

    /// Where the experiment counts what every run counts.
    fn counters(&self, _: &Context<'_>) -> Counters {
        Counters {
            matches: trials::MATCHES,
            decisions: trials::DECISIONS,
            failures: trials::ANOMALY + trials::FAILURE,
        }
    }

    /// The tables of sums.
    ///
    /// # Errors
    /// If a setting is out of its range, or the manifest's plan does not fit.
    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String>;

    /// The effects whose intervals [`Study::until`] is about.
    fn watched_effects(&self, _: &Manifest, _: &Totals) -> Vec<Option<Estimate>> {
        Vec::new()
    }

    /// Why the run may stop now; `None` if it continues.
    fn stop(&self, manifest: &Manifest, totals: &Totals) -> Option<String> {
        let until = self.until()?;
        if !is_look(totals.blocks()) {
            return None;
        }
        let narrow = |estimate: &Estimate| {
            estimate.interval.is_some_and(|(lo, hi)| (hi - lo) / 2.0 <= until)
        };
        let all = self.watched_effects(manifest, totals);
        let done = all.iter().all(|effect| effect.as_ref().is_some_and(narrow));
        let width = percentage_points(until);
        done.then(|| format!("every interval is within ±{width}"))
    }

    /// Where a watched run stands, in some 30 letters.
    fn standing(&self, manifest: &Manifest, totals: &Totals) -> Option<String> {
        let wanted = percentage_points(self.until()?);
        let half =
            |effect: Option<Estimate>| effect?.interval.map(|(lo, hi)| 100.0 * (hi - lo) / 2.0);
        let all = self.watched_effects(manifest, totals).into_iter();
        let widest = all.map(half).collect::<Option<Vec<f64>>>()?;
        let widest = widest.into_iter().reduce(f64::max)?;
        Some(format!("±{widest:.2} pp, to ±{wanted}"))
    }

    /// What a run that was to stop by itself did not reach, if all its blocks were played.
    fn undecided(&self) -> &'static str {
        "the intervals are not as narrow as asked"
    }
}

/// What the tables of a study need to know of its run beside the sums.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The manifest.
    pub manifest: &'a Manifest,
    /// Choices of the game that can be forced.
    pub choices: &'static [Choice],
    /// What the game has names for.
    pub names: Names,
    /// The counters of `simulate`.
    pub layout: Layout,
    /// The rule sets, by variant.
    pub games: &'a [Box<dyn LoadedGame>],
}

/// A choice that is forced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForcedChoice {
    /// Its number in the game.
    pub choice: usize,
    /// The options that are compared, by their numbers in the game.
    pub options: Vec<usize>,
}

/// Counters that every experiment has, wherever they lie in its sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    /// Matches that ended.
    pub matches: usize,
    /// Decisions of all of them.
    pub decisions: usize,
    /// Matches in which an agent failed.
    pub failures: usize,
}

/// A planned study.
pub type Design = question::Design<dyn Study>;

impl Design {
    /// Every rule set in every rotation of a line-up.
    pub fn of_rules(
        study: Box<dyn Study>,
        variants: Vec<Variant>,
        line_up: LineUp,
        blocks: u64,
    ) -> Design {
        let LineUp { agents, seats } = line_up;
        let rotations = rotations(&seats);
        let all = (0..variants.len()).map(|variant| (variant, rotations.clone()));
        let matches = matches(all);
        let chunk = Chunking::chunk_for(blocks);
        Design { question: study, variants, agents, matches, blocks, chunk }
    }
}

impl Entry<dyn Study> {
    /// The entry of a study, whose settings are the fields of `S`.
    pub const fn study<S: Study + DeserializeOwned + 'static>(
        kind: &'static str,
        tables: &'static [TableSchema],
    ) -> Entry<dyn Study> {
        let read = |settings| -> serde_json::Result<Box<dyn Study>> {
            Ok(Box::new(serde_json::from_value::<S>(Value::Object(settings))?))
        };
        Entry { kind, tables, is_file: |_| false, read }
    }
}

/// The matches of a run, left alone, for sections of a block's matches.
pub fn plan_of(manifest: &Manifest, sections: Vec<Section>) -> TrialsPlan {
    TrialsPlan::plain(manifest.seed, manifest.plan.matches_of_a_block.clone(), sections)
}

/// What is played by some rule sets and agents.
pub fn trials_of<'a>(
    plan: TrialsPlan,
    games: &'a [Box<dyn LoadedGame>],
    seated: Seated<'a>,
) -> Box<dyn Experiment + 'a> {
    let games: Vec<&dyn LoadedGame> = games.iter().map(|game| &**game).collect();
    games[0].game_type().trials(&games, seated, plan)
}

/// The table of what should be rare, of any study that plays trials.
pub fn anomalies(study: &dyn Study, totals: &Totals) -> Table {
    let is_watched = study.is_sequential();
    let estimator = Estimator::first(totals, is_watched);
    let counted = Counted {
        grouped: &totals.grouped,
        first: trials::ANOMALY,
        matches: trials::MATCHES,
        half: is_watched.then(|| estimator.sequence(ALPHA, INTENDED_BLOCKS)),
    };
    tables::anomaly_table(&counted, &trials::ANOMALIES, &totals.firsts)
}

/// What is wrong if a setting is out of its range.
///
/// # Errors
/// If it is.
pub fn in_range(sound: bool) -> Result<(), String> {
    let fault = || "the manifest's question: a setting is out of its range".to_owned();
    if sound { Ok(()) } else { Err(fault()) }
}

/// Whether a number lies strictly between 0 and 1.
pub fn is_share(share: f64) -> bool {
    0.0 < share && share < 1.0
}

/// What is wrong if the plan of a manifest does not fit its study.
pub fn unfit() -> String {
    "the manifest's plan does not fit its question".to_owned()
}
