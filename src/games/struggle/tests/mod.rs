//! Rule tests of Struggle for Catan, one file for each part of the rules; each test names its clause.

mod building;
mod ending;
mod events;
mod expansions;
mod hidden;
mod payments;
mod rows;
mod setup;
pub(crate) mod support;
mod trade;
mod turn;
