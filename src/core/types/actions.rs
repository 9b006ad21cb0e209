//! The buffer that legal actions are written to: owned by the caller, of fixed size, never on the heap.

use arrayvec::ArrayVec;

/// No game lists more actions than this at one decision; each game asserts it of its own bound.
pub const ACTIONS_CAP: usize = 1536;

/// Legal actions in a fixed order, without duplicates.
pub type Actions<A> = ArrayVec<A, ACTIONS_CAP>;
