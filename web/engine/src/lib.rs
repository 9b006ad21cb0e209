//! The engine of Fairhaven for browsers: matches that are open to a person, and blocks that are played for their digests.
//! There is no clock and there are no threads, so agents that search count their iterations and grow one tree. What
//! comes in is text that anybody may have written: it is refused with a reason, in words.

pub mod js;
pub mod offered;
pub mod seated;
pub mod watched;
pub mod digests;

/// A reason in words why something is refused.
pub type Refusal = String;
