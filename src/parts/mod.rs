//! What several games of the family share.

pub mod resources;
