//! What one seat remembers of the resource cards.

/// What one seat remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory;
