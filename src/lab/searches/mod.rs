//! The searches, a file for each, and the pieces that several of them share. See [`search`] for what a search is.

pub mod search;
pub mod family;
pub mod root;
pub mod curve;
pub mod certificate;
pub mod level_settings;
pub mod level_file;
pub mod level_course;
pub mod level_tables;
pub mod levels;
pub mod certify;
pub mod challenge;
pub mod tune_course;
pub mod tune;
pub mod learn;
pub mod learn_net;
pub mod solve_grid;
pub mod solve_course;
pub mod solve;

use crate::lab::report::described::{ANOMALIES, Described};
use crate::lab::report::manifest::Question;
use crate::lab::searches::search::{Search, SearchType};
use anyhow::{Context as _, Result};

/// All searches; the tables are listed in this order.
pub static SEARCHES: [SearchType; 6] =
    [levels::TYPE, certify::TYPE, tune::TYPE, learn::TYPE, learn_net::TYPE, solve::TYPE];

/// The search of a manifest's question, if it is one.
///
/// # Errors
/// If it has other settings.
pub fn read(question: &Question) -> Result<Option<Box<dyn Search>>> {
    let Some(search) = SEARCHES.iter().find(|search| search.kind == question.kind) else {
        return Ok(None);
    };
    let read = search.read(question.settings.clone());
    read.with_context(|| format!("the settings of `{}`", search.kind)).map(Some)
}

/// The tables of all searches.
pub fn tables() -> Vec<Described> {
    SEARCHES.iter().flat_map(|search| search.tables).copied().collect()
}

/// The tables of a search: its own, and what should be rare.
pub fn described(search: &dyn Search) -> Vec<Described> {
    let mut tables = search.described();
    tables.push(ANOMALIES);
    tables
}

/// Whether a search writes a file of this name beside its tables.
pub fn is_file(name: &str) -> bool {
    SEARCHES.iter().any(|search| (search.is_file)(name))
}
