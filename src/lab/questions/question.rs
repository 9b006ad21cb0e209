//! A question: what studies and searches have in common, and how one is read from a manifest.

use crate::core::measure::Names;
use crate::lab::report::answer::{self, Answer};
use crate::lab::report::described::TableSchema;
use crate::lab::report::manifest::{Manifest, QuestionSpec, RowForm, Variant};
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::Table;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::trials::MatchPlan;
use anyhow::{Context as _, Result};
use serde_json::{Map, Value};
use std::fmt::Debug;

/// A question with its settings: its tables, and the answer that is read from them. What is played is up to
/// [`Study`](crate::lab::questions::studies::study::Study) and [`Search`](crate::lab::questions::searches::search::Search).
pub trait Question: Debug + Send + Sync {
    /// The kind and the settings, as the manifest has them.
    fn spec(&self) -> QuestionSpec;

    /// The command that asks it.
    fn command(&self) -> &'static str;

    /// Its tables, in the order in which they are written.
    fn described(&self) -> Vec<TableSchema>;

    /// The format of the rows of matches, if they are written.
    fn rows(&self) -> Option<RowForm> {
        None
    }

    /// The short answer, read from the tables.
    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer;

    /// Whether what was asked for was not found, so that the command exits with 1.
    fn has_failed(&self, _: &[Table]) -> bool {
        false
    }

    /// Whether the run's last agent was tuned for the changed rules.
    fn has_adapted(&self) -> bool {
        false
    }

    /// What may not be concluded from the answer.
    fn caution(&self) -> &'static str;

    /// How many sit at each of its tables besides that of the run, if they are of several sizes.
    fn other_sizes(&self) -> Vec<u8> {
        Vec::new()
    }

    /// What else a reader must know.
    fn notes(&self, _: &[Table]) -> Vec<String> {
        Vec::new()
    }

    /// All tables that say something about the question, for a person. The differences say it all, so those that
    /// only fill pages are left out.
    fn grids(&self, _: &Names, tables: &[Table]) -> Vec<Grid> {
        summary::study_grids(tables, &["variants", "pairing"])
    }
}

/// A planned run: a question with all that is played for it. `Q` is `dyn Study` or `dyn Search`.
#[derive(Debug)]
pub struct Design<Q: ?Sized> {
    /// What is asked.
    pub question: Box<Q>,
    /// The rule sets.
    pub variants: Vec<Variant>,
    /// The distinct agents; those of a search's stages are made of these.
    pub agents: Vec<AgentSpec>,
    /// The matches of a block; of a search, an example of what stages play.
    pub matches: Vec<MatchPlan>,
    /// Blocks in all; of a search, the most of all stages together.
    pub blocks: u64,
    /// Blocks that are counted together.
    pub chunk: u64,
}

/// The short answer to a question, and the anomalies that a reader must know of.
pub fn answer(question: &dyn Question, manifest: &Manifest, tables: &[Table]) -> Answer {
    let mut answer = question.answer(manifest, tables);
    answer.sentences.extend(answer::anomalies(manifest, tables));
    answer
}

/// Reads the settings of a question.
type Read<Q> = fn(Map<String, Value>) -> serde_json::Result<Box<Q>>;

/// The entry of a question in a catalogue: `Q` is `dyn Study` or `dyn Search`.
#[derive(Debug)]
pub struct Entry<Q: ?Sized> {
    /// The kind in the manifest.
    pub kind: &'static str,
    /// Its own tables, without those of entries before it in the list.
    pub tables: &'static [TableSchema],
    /// Whether it writes a file of this name beside its tables.
    pub is_file: fn(&str) -> bool,
    /// Reads its settings.
    pub read: Read<Q>,
}

impl<Q: ?Sized> Clone for Entry<Q> {
    fn clone(&self) -> Entry<Q> {
        *self
    }
}

impl<Q: ?Sized> Copy for Entry<Q> {}

/// The question of a manifest, if one of these entries has its kind.
///
/// # Errors
/// If it has other settings.
pub fn read<Q: ?Sized>(entries: &[Entry<Q>], spec: &QuestionSpec) -> Result<Option<Box<Q>>> {
    let Some(entry) = entries.iter().find(|entry| entry.kind == spec.kind) else {
        return Ok(None);
    };
    let read = (entry.read)(spec.settings.clone());
    read.with_context(|| format!("the settings of `{}`", entry.kind)).map(Some)
}

/// Whether a setting is 0, which a manifest leaves out.
pub(super) fn is_zero<T: Default + PartialEq>(setting: &T) -> bool {
    *setting == T::default()
}
