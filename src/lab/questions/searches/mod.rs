//! The searches, a file for each, and the pieces that several of them share. See [`search`] for what a search is.

pub mod search;
pub mod family;
pub mod root;
pub mod curve;
pub mod certificate;
pub mod level_settings;
pub mod level_file;
pub mod level_course;
pub mod level_tables;
pub mod levels;
pub mod certify;
pub mod challenge;
pub mod tune_course;
pub mod tune;
pub mod learn;
pub mod learn_net;
pub mod solve_grid;
pub mod solve_settings;
pub mod solve_course;
pub mod solve_also;
pub mod solve_front;
pub mod solve;
pub mod solve_answer;
pub mod map_make;

use crate::lab::questions::question::Entry;
use crate::lab::questions::searches::search::Search;

/// All searches; the tables are listed in this order.
pub static SEARCHES: [Entry<dyn Search>; 7] = [
    levels::TYPE,
    certify::TYPE,
    tune::TYPE,
    learn::TYPE,
    learn_net::TYPE,
    solve::TYPE,
    map_make::TYPE,
];
