//! Tests by clause.
