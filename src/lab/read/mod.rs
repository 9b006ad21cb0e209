//! What is read from runs on the disk: their rows, single matches of them, and whether they are what was played.

pub mod again;
pub mod judges;
pub mod mistakes;
pub mod rows;
pub mod verify;
