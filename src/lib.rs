#![doc = include_str!("../README.md")]

pub use fairhaven_conformance as conformance;
pub use fairhaven_engine::{core, games, parts, registry, sim, stats, words};

pub mod lab;
pub mod cli;

pub use {rand_pcg, toml};

/// What programs around this library need most: to write agents, to play them, and to ask questions of one's own.
pub mod prelude {
    pub use crate::core::agent::{Agent, Player};
    pub use crate::core::game::{ActionFilter, Game, Observation};
    pub use crate::core::seed::BlockSeed;
    pub use crate::core::types::actions::Actions;
    pub use crate::core::types::seat::Seat;
    pub use crate::core::watch::{Host, Watch};
    pub use crate::lab::questions::catalogue::Catalogue;
    pub use crate::lab::questions::question::{Entry, Question};
    pub use crate::lab::questions::studies::estimator::{Estimator, SectionSums};
    pub use crate::lab::questions::studies::study::{Context, Design, Study};
    pub use crate::lab::report::answer::{Answer, Sentence, Tone};
    pub use crate::lab::report::described::{ANOMALIES, TableSchema, integer, text};
    pub use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
    pub use crate::lab::report::metric::{Metric, Unit};
    pub use crate::lab::report::summary::{Grid, Style};
    pub use crate::lab::report::table::{Column, More, Row, Table};
    pub use crate::lab::run::caller::{Caller, Progress};
    pub use crate::lab::run::{Finished, Settings};
    pub use crate::lab::setup::line_up::line_up;
    pub use crate::sim::agents::added::AddedAgent;
    pub use crate::sim::agents::spec::AgentSpec;
    pub use crate::sim::any_game::{GameEntry, GameType, LoadedGame};
    pub use crate::sim::batch::{Chunking, Totals};
    pub use crate::sim::guests::open_match::{OpenMatch, OpenPlan, Reseat};
    pub use crate::sim::guests::protocol::Want;
    pub use crate::sim::line_up::LineUp;
    pub use crate::sim::play::Arena;
    pub use crate::sim::play::table::OnlyChoice;
    pub use crate::sim::records::line::{Header, MatchSeed};
    pub use crate::sim::trials::{Count, MatchPlan, Section, Trial};
    pub use rand_pcg::Pcg32;
}

/// The manual's example of an agent, which is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/agents.md")]
pub struct AgentsPage;
