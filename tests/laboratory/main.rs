//! The laboratory itself, tested on a game whose answers are known.

mod added_game;
mod closed_form;
mod closed_form_tests;
mod each_study;
mod effects_tests;
mod library;
mod luck_tests;
mod moved_tests;
mod reliability_tests;
mod rollers;
mod runs_tests;
mod searches;
mod setup;
mod solved;
mod toy;
mod toy_tests;
mod tuning;
