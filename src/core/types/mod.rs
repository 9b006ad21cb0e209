//! Types that every layer shares. None of them knows a rule.

pub mod actions;
pub mod bits;
pub mod by_seat;
pub mod cache;
pub mod joined;
pub mod seat;
