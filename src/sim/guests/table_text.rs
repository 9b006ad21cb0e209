//! The table in words: the board in lines of characters, and what is seen beside it.

use crate::core::wording::Wording;
use serde::Serialize;

/// What a seat sees now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableText {
    /// The board, in lines of characters; nothing for a game without one.
    pub board: Option<String>,
    /// Everything else, a sentence or several a line.
    pub lines: Vec<String>,
}

impl TableText {
    /// What is seen by a view. Nothing else goes in.
    pub fn of<G: Wording>(game: &G, view: &G::View<'_>) -> TableText {
        TableText { board: game.picture(view), lines: game.table_words(view) }
    }
}
