//! A question by how it is played: a study or a search.

use crate::lab::questions::question::{self, Question};
use crate::lab::questions::searches::search::Search;
use crate::lab::questions::studies::study::Study;
use crate::lab::report::answer::Answer;
use crate::lab::report::manifest::{Manifest, PlanEntry};
use crate::lab::report::table::Table;
use std::ops::Deref;

/// A question by how it is played.
#[derive(Debug)]
pub enum Asked {
    /// One plan of matches.
    Study(Box<dyn Study>),
    /// Stages, each chosen by what came of those before it.
    Search(Box<dyn Search>),
}

impl Deref for Asked {
    type Target = dyn Question;

    fn deref(&self) -> &Self::Target {
        match self {
            Asked::Study(study) => &**study,
            Asked::Search(search) => &**search,
        }
    }
}

impl Asked {
    /// The study, if it is one.
    pub fn study(&self) -> Option<&dyn Study> {
        match self {
            Asked::Study(study) => Some(&**study),
            Asked::Search(_) => None,
        }
    }

    /// Whether it is a search, which finds out as it goes what it plays.
    pub fn is_search(&self) -> bool {
        self.study().is_none()
    }

    /// Whether the run may stop by itself before all blocks of its plan are played.
    pub fn is_sequential(&self) -> bool {
        self.study().is_none_or(Study::is_sequential)
    }

    /// Whether its run can be played in waves.
    pub fn has_waves(&self) -> bool {
        match self {
            Asked::Study(study) => study.is_sequential(),
            Asked::Search(search) => search.is_divided(),
        }
    }

    /// Why the run can't be divided as its plan says, if it can't.
    pub fn why_not_divisible(&self, plan: &PlanEntry) -> Option<&'static str> {
        let (is_search, in_waves) = (self.is_search(), plan.wave.is_some());
        match (is_search, self.has_waves(), in_waves) {
            _ if !plan.is_part() => None,
            (true, false, _) => Some(
                "learning can't be cut into parts: each session follows from the one before; leave --shard \
                 and --wave away",
            ),
            (true, true, false) => Some(
                "a search can't be cut into parts at once, since each of its stages follows from those \
                 before it: it is played in waves (--wave K --wave-blocks N); or leave --shard away",
            ),
            (false, true, false) => Some(
                "a sequential run can't be cut into parts at once: it is played in waves \
                 (--wave K --wave-blocks N), which `merge` looks at; or leave --shard away",
            ),
            (false, false, true) => Some(
                "waves are for sequential runs; this one plays all its blocks, so that \
                 --shard alone divides it; leave --wave away",
            ),
            (_, true, true) | (false, false, false) => None,
        }
    }

    /// The short answer, and the anomalies that a reader must know of.
    pub fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        question::answer(&**self, manifest, tables)
    }

    /// What a sequential study did not reach, if all its blocks were played.
    pub fn undecided(&self) -> Option<&'static str> {
        let study = self.study().filter(|study| study.is_sequential());
        study.map(Study::undecided)
    }
}
