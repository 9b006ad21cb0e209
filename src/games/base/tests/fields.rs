//! The fields of the rule set, against the header.

use crate::games::daggers::Daggers;
use crate::parts::island::rules::Rules;

#[test]
fn what_the_sources_leave_open_is_what_bears_a_dagger() {
    let found = Daggers::of(include_str!("../mod.rs"), Rules::FIELDS);
    assert!(found.open_without.is_empty(), "{:?}", found.open_without);
    // What the text has beside what it leaves open, and how long a list is.
    let robber = ["robber.hand_limit", "robber.steal", "robber.spares_below"];
    assert_eq!(found.printed_with[..2], ["deck.progress", "trade.listed_max"]);
    assert_eq!(found.printed_with[2..], robber);
    // The box, the start, what is open to all, and how to read a sentence: no rule set changes these.
    let fixed = ["2", "6", "12", "24", "31", "36", "52", "72"].map(|n| format!("BASE-{n}"));
    assert_eq!(found.no_field, fixed);
}
