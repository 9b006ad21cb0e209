//! Tests of the engine that play many matches or draw many numbers.

#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod handicaps;
mod ladder;
mod learning;
mod views;
mod watching;
