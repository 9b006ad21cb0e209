//! What the command line does: one file a command. These read files and clocks; nothing below them does.

pub mod choose;
pub mod simulate;
pub mod rows;
pub mod thinking;
pub mod replay;
pub mod bench;
pub mod inspect;
