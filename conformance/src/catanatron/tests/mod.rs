//! Positions built by hand for each known difference: what it explains, and what it does not.

mod ends;
mod lists;
mod roads;
mod setting;
