//! Whether the laboratory is as certain as it says: intervals, sequences, tests and adjustments, by
//! simulation at fixed seeds, where the truth is known.
//!
//! `cargo test` runs a short form. `FAIRHAVEN_SIMULATIONS=2000 cargo test --release --test
//! calibration` is the long one; with `FAIRHAVEN_REPORT=DIR` its figures are written there, one
//! CSV for each question. `reports/calibration/` holds them.

mod decisions;
mod diagnosed;
mod duels;
mod families;
mod figures;
mod groups;
mod headlines;
mod intervals;
mod maps;
mod ratings;
mod rows;
mod sequences;
mod stops;
mod studies;
mod tables;
mod verdicts;

#[allow(dead_code, reason = "the laboratory's tests use the rest")]
#[path = "../laboratory/closed_form.rs"]
mod closed_form;
#[allow(dead_code, reason = "the laboratory's tests use the rest")]
#[path = "../laboratory/rollers.rs"]
mod rollers;
#[allow(dead_code, reason = "the laboratory's tests use the rest")]
#[path = "../laboratory/setup.rs"]
mod setup;
#[allow(dead_code, reason = "the laboratory's tests use the rest")]
#[path = "../laboratory/toy.rs"]
mod toy;
