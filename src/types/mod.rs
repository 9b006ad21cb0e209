//! Nouns that every layer shares. No behaviour that knows a rule.

pub mod actions;
pub mod seat;
