//! Rule tests of On the Road, one file for each part of the rules; each test names its clause.

mod bonus;
mod building;
mod ending;
mod events;
mod harvest;
mod hidden;
mod metropolis;
mod setup;
mod substitution;
pub(crate) mod support;
mod trade;
