//! Catanatron's protocol for players that are other programs, `exec:…` there: version 1, documents of schema 2. Our
//! agents play at that program's table (`guest`), and programs that speak it at ours (`translator`). What is said is
//! described in `docs/protocol.md`, and known from that program's public source; none of its code is in ours.

pub mod guest;
pub mod hands;
pub mod log;
pub mod messages;
pub mod places;
pub mod rules;
pub mod shown;
pub mod sitting;
pub mod stated;
pub mod translator;
pub mod written;
#[cfg(test)]
mod tests;
