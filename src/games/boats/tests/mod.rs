//! Tests by clause.

mod build;
mod islands;
mod route;
mod scenario;
pub mod support;
