//! The rules of CATAN for two, clause by clause.

mod neutral;
mod setup;
mod support;
mod tokens;
mod turn;
