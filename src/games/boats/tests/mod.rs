//! Tests by clause.

mod build;
mod islands;
mod scenario;
pub mod support;
