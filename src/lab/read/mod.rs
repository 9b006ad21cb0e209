//! What is read from runs on the disk: their rows, single matches of them, and whether they are what was played.

pub(crate) mod again;
pub(crate) mod judges;
pub(crate) mod mistakes;
pub(crate) mod rows;
pub mod verify;
