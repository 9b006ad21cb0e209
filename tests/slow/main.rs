//! Tests of the engine that play many matches or draw many numbers.

mod handicaps;
mod ladder;
mod learning;
mod views;
mod watching;
