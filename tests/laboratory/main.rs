//! The laboratory itself, tried on a game whose answers are known.

mod closed_form;
mod closed_form_tests;
mod toy;
mod toy_tests;
