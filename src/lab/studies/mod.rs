//! The studies, a file for each, and the pieces that several of them share.

pub mod study;
pub mod next;
pub mod joint;
pub mod patience;
pub mod changes;
pub mod estimator;
pub mod controlled;
pub mod comparison;
pub mod paired;
pub mod rates;
pub mod forced;
pub mod restricted;
pub mod verdicts;
pub mod options;
pub mod steps;
pub mod sweep_values;
pub mod simulate;
pub mod duel;
pub mod rated;
pub mod crosstable;
pub mod tournament_answer;
pub mod tournament;
pub mod balance_answer;
pub mod balance;
pub mod factorial;
pub mod sensitivity;
pub mod variance;
pub mod variants;
pub mod luck;
pub mod rules;
pub mod tables_of_sizes;
pub mod sweep;
pub mod reliability_tables;
pub mod reliability_answer;
pub mod reliability;

use crate::lab::report::described::Described;
use crate::lab::report::manifest::Question;
use crate::lab::studies::study::{Study, StudyType};
use crate::words::nearest;
use anyhow::{Context as _, Result};

/// All studies; the tables are listed in this order.
pub static STUDIES: [StudyType; 10] = [
    simulate::TYPE,
    duel::TYPE,
    tournament::TYPE,
    balance::TYPE,
    factorial::TYPE,
    sensitivity::TYPE,
    rules::TYPE,
    sweep::TYPE,
    luck::TYPE,
    reliability::TYPE,
];

/// The study of a manifest's question.
///
/// # Errors
/// If there is no such study, or it has other settings.
pub fn read(question: &Question) -> Result<Box<dyn Study>> {
    let known = STUDIES.iter().find(|study| study.kind == question.kind);
    let kinds: Vec<&str> = STUDIES.iter().map(|study| study.kind).collect();
    let study = known.with_context(|| nearest::unknown("study", &question.kind, &kinds))?;
    let read = study.read(question.settings.clone());
    read.with_context(|| format!("the settings of `{}`", study.kind))
}

/// The tables of all studies.
pub fn tables() -> Vec<Described> {
    STUDIES.iter().flat_map(|study| study.tables).copied().collect()
}
