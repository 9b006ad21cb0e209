//! What several games of the family share.

pub mod hexmap;
pub mod pieces;
pub mod places;
pub mod resources;
pub mod trade;
pub mod trails;
