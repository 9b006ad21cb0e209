//! The laboratory as a library: a design becomes a run, which is played, saved, resumed, merged, verified, and
//! read as tables. It prints nothing; whoever calls it hears how far a run is, and may stop it.

pub mod report;
pub mod pictures;
pub mod setup;
pub mod questions;
pub(crate) mod store;
pub mod run;
pub mod divide;
pub mod read;
pub(crate) mod export;
pub mod page;
