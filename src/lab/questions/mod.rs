//! What can be asked: studies, which play one plan, and searches, which decide as they go what to play.

pub mod question;
pub mod studies;
pub mod searches;
pub mod asked;
pub mod catalogue;
