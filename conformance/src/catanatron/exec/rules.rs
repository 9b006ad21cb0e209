//! The rule sets that the other program plays.

use crate::catanatron::exec::shown::FRIENDLY;
use crate::core::game::Game;
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::parts::island::rules::{Rules, Shortage};
use serde_json::Value;

/// The most seats of its tables.
const SEATS: u8 = 4;

/// Whether a game of ours is one that the other program plays.
///
/// # Errors
/// Names what is not.
pub fn suit(game: &Base) -> Result<(), String> {
    let rules = game.in_effect();
    if game.players() > SEATS {
        return Err(format!("the dialect catanatron is for two to {SEATS} players"));
    }
    let mut theirs = Rules {
        tokens: rules.tokens,
        harbours: rules.harbours,
        // The same for all seats.
        points_to_win: rules.points_to_win.of(Seat::FIRST).into(),
        turns_max: rules.turns_max,
        shortage: Shortage::Nobody,
        ..Rules::default()
    };
    theirs.robber.hand_limit = rules.robber.hand_limit;
    if rules.robber.spares_below == FRIENDLY {
        theirs.robber.spares_below = FRIENDLY;
    }
    (theirs.trade.proposals_max, theirs.trade.listed_max) = (0, rules.trade.listed_max);
    let [ours, theirs] = [rules, theirs].map(|rules| serde_json::to_value(rules).expect("fields"));
    let due = Base::FIELDS.iter().filter_map(|field| {
        let at = format!("/{}", field.path.replace('.', "/"));
        let [here, due] = [&ours, &theirs].map(|rules| rules.pointer(&at));
        (here != due).then(|| format!("{}={}", field.path, due.map(shown).unwrap_or_default()))
    });
    let due: Vec<String> = due.collect();
    match due.as_slice() {
        [] => Ok(()),
        _ => Err(format!(
            "the dialect catanatron is for the rules of that program, which has {}",
            due.join(", ")
        )),
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
