//! Matches that other programs played, replayed by our rules: every decision, legal list and state is
//! compared, and each place where such a program leaves the rules is told apart by name. Nothing is played
//! here. Our own records are refereed in `report::record_check`.

pub mod catanatron;
