//! The studies, a file for each, and the pieces that several of them share.

pub mod study;
pub mod next;
pub mod joint;
pub mod at_levels;
pub mod patience;
pub mod changes;
pub mod estimator;
pub mod controlled;
pub mod comparison;
pub mod paired;
pub mod rates;
pub mod forced;
pub mod restricted;
pub mod verdicts;
pub mod options;
pub mod steps;
pub mod sweep_values;
pub mod simulate;
pub mod duel;
pub mod rated;
pub mod crosstable;
pub mod tournament_answer;
pub mod ways;
pub mod tournament;
pub mod balance_answer;
pub mod balance;
pub mod factorial;
pub mod sensitivity;
pub mod variance;
pub mod variants;
pub mod luck;
pub mod rules;
pub mod tables_of_sizes;
pub mod sweep;
pub mod reliability_tables;
pub mod reliability_answer;
pub mod reliability;
pub mod diagnose;
pub mod map;

use crate::lab::questions::question::Entry;
use crate::lab::questions::studies::study::Study;

/// All studies; the tables are listed in this order.
pub static STUDIES: [Entry<dyn Study>; 12] = [
    simulate::TYPE,
    duel::TYPE,
    tournament::TYPE,
    balance::TYPE,
    factorial::TYPE,
    sensitivity::TYPE,
    rules::TYPE,
    sweep::TYPE,
    luck::TYPE,
    reliability::TYPE,
    diagnose::TYPE,
    map::TYPE,
];
