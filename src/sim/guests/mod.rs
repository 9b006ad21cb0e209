//! Players from outside: the protocol, guests at our tables, and our agents as guests at others'.

pub mod protocol;
pub mod teller;
pub mod outside;
pub mod visitor;
pub mod menu;
pub mod table_text;
pub mod in_words;
pub mod shown;
pub mod seating;
pub mod open_match;
