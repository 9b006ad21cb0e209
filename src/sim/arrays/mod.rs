//! Many matches at once for programs that learn: what seats see and may do as arrays, decisions from outside.

pub mod layout;
pub mod lane;
pub mod space;
pub mod vector;
#[cfg(test)]
mod tests;
