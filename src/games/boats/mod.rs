//! Boats.
pub mod scenario;
pub mod scenario_file;
pub mod route;
#[cfg(test)]
pub(crate) mod tests;
