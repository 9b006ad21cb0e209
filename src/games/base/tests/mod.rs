//! The clauses of base CATAN, each named by at least one test.

mod build;
mod cards;
mod fields;
mod hidden;
mod island_file;
mod opinion;
mod play;
mod setup;
mod special;
pub mod support;
mod trade;
mod turn;
