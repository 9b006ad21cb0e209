//! Tests by clause.

mod scenario;
