//! What several games of the family share.

pub mod allowed;
pub mod bundle_sets;
pub mod bundles;
pub mod card_knowledge;
pub mod drawing;
pub mod hexmap;
pub mod hidden_hands;
pub mod island;
pub mod map_text;
pub mod offers;
pub mod pieces;
pub mod places;
pub mod seen;
pub mod telling;
pub mod trade;
pub mod trade_arrays;
pub mod trails;
