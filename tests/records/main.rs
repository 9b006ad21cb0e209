//! Match records: what is written is accepted, and what is altered is refused at the altered line.

#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod accepted;
mod altered;
mod base;
mod boats;
mod documented;
mod heard;
mod hostile;
mod on_the_road;
mod played;
mod shadow;
mod struggle;
mod two_player;
