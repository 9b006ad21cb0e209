//! What the command line does: one file for each command. These read files and clocks; nothing below them does.

pub mod choose;
pub mod run;
pub mod told;
pub mod simulate;
pub mod compare;
pub mod balance;
pub mod sweep;
pub mod learn;
pub mod runs;
pub mod verify;
pub mod threads;
pub mod replay;
pub mod bench;
pub mod inspect;
pub mod manual;
pub mod progress;
pub mod interrupt;
