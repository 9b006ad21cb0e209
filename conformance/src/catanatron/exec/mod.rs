//! Catanatron's protocol for players that are other programs, `exec:…` there: version 1, documents of schema 2. What
//! is said is described in `docs/protocol.md`, and known from that program's public source; none of its code is in ours.

pub mod guest;
pub mod hands;
pub mod messages;
pub mod places;
pub mod sitting;
pub mod stated;
#[cfg(test)]
mod tests;
