//! Pure functions over numbers: estimates with their standard errors and intervals. They know no game.

pub mod lists;
pub mod packed;
pub mod jackknife;
pub mod forms;
pub mod wilson;
pub mod exact;
pub mod held;
pub mod replicates;
pub mod mean_test;
pub mod sequential;
pub mod elo;
pub mod betting;
pub mod multiple;
pub mod verdict;
pub mod anytime;
pub mod factorial;
pub mod bootstrap;
pub mod quantile;
pub mod kept;
pub mod line_ups;
pub mod ratings;
pub mod spsa;
