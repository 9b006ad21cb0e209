//! Tests by clause.

mod build;
mod islands;
mod picture;
mod route;
mod scenario;
pub mod support;
