//! The legal list that the other program should have written: ours, changed by the known differences.

use crate::catanatron::choice::{self, Choice};
use crate::catanatron::differences::{Counts, Difference};
use crate::catanatron::field::Field;
use crate::catanatron::position::Position;
use crate::catanatron::roads::has_road;
use crate::catanatron::trade::{OpenOffer, check_terms};
use crate::catanatron::trouble::{Trouble, differs, same};
use crate::core::game::{ActionFilter, Game};
use crate::core::resources::Resource;
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::state::{Phase, Stage, State};
use crate::parts::places::{EdgeSet, HexSet};
use std::fmt::Write as _;

/// The most entries of a recorded list: more than any position has.
const LIST_MAX: usize = 1000;

/// The most entries that a complaint names.
const NAMED: usize = 5;

/// Compares a step's list, and looks up its action there.
///
/// # Errors
/// If the list can't be read or differs, or if the action is not in it.
pub fn compare(
    at: &Position,
    step: Field<'_>,
    choice: Choice,
    met: &mut Counts,
) -> Result<(), Trouble> {
    let entries = step.key("l")?.items(0..=LIST_MAX)?;
    same("n", &step.key("n")?.integer()?, &i64::try_from(entries.len()).expect("few"))?;
    let mut theirs = Vec::with_capacity(entries.len());
    for entry in entries {
        let [word, value] = entry.list::<2>()?;
        let listed = choice::read(&at.ours, &at.island, word, value)?;
        check_terms(&at.state().table, at.offer.as_ref(), listed, "l")?;
        theirs.push(listed.action);
    }
    let due = due(at, met);
    if let Some(complaint) = complaint(&theirs, &due) {
        return Err(complaint);
    }
    check_choice(at, choice, &due)
}

/// The chosen action must be in the list, except an offer, which is never listed: our rules must permit it.
fn check_choice(at: &Position, choice: Choice, list: &[Action]) -> Result<(), Trouble> {
    let action = choice.action;
    if let Action::Offer { .. } = action {
        let allowed = at.ours.permits(at.state(), action);
        return allowed.map_err(|why| differs("a", action.to_string(), why.to_string()));
    }
    let listed = list.contains(&action);
    let due = || "an action of the list".to_owned();
    if listed { Ok(()) } else { Err(differs("a", action.to_string(), due())) }
}

/// The list that the other program should have, by our rules and the known differences.
pub fn due(at: &Position, met: &mut Counts) -> Vec<Action> {
    if let Some(offer) = &at.offer {
        return due_answers(at, offer);
    }
    let asked = at.asked();
    match at.state().table.phase {
        Phase::Discard { .. } => {
            let left = at.state().hands[asked.idx()] - at.given[asked.idx()];
            left.iter().map(|(card, _)| Action::Discard { card }).collect()
        }
        Phase::Robber => due_robber(at, met),
        Phase::Act | Phase::FreeRoads(_) => due_turn(at, met),
        _ => listed(&at.ours, at.state()),
    }
}

/// Answers to an offer, then what its maker may take.
fn due_answers(at: &Position, offer: &OpenOffer) -> Vec<Action> {
    let asked = offer.asked();
    if offer.asks_maker() {
        let able = at.state().hands[asked.idx()].covers(offer.terms().want.cards());
        return [Action::Refuse].into_iter().chain(able.then_some(Action::Accept)).collect();
    }
    if offer.is_open() {
        let mut asking = *at.state();
        asking.table.phase = Phase::Answer(asked);
        return listed(&at.ours, &asking);
    }
    let mut list = match at.state().table.phase {
        Phase::Choose => listed(&at.ours, at.state()),
        _ => vec![Action::Decline],
    };
    if offer.maker_accepted() {
        list.push(Action::Settle { with: offer.maker() });
    }
    list
}

/// Where the robber may go: the other program spares seats below the line, points that don't show
/// included.
fn due_robber(at: &Position, met: &mut Counts) -> Vec<Action> {
    let (ours, theirs) = (&at.ours, listed(at.theirs(), at.state()));
    let table = &at.state().table;
    let below = |points: &dyn Fn(Seat) -> u8| -> Vec<Seat> {
        let line = ours.rules().robber.spares_below;
        let below = |seat: &Seat| *seat != table.active && points(*seat) < line;
        Seat::all(ours.players()).filter(below).collect()
    };
    let spared = below(&|seat| at.their_points(seat));
    if spared == below(&|seat| table.points(ours, seat)) {
        return listed(ours, at.state());
    }
    let land = spared.iter().map(|&seat| table.pieces.lands[seat.idx()]);
    let land = land.fold(HexSet::NONE, |all, land| all | land);
    let open =
        |action: &&Action| matches!(**action, Action::Robber { hex, .. } if !land.contains(hex));
    let due: Vec<Action> = theirs.iter().filter(open).copied().collect();
    if spared != below(&|seat| at.their_shown_points(seat)) {
        met.add(Difference::FriendlyRobber);
    }
    if due.is_empty() { theirs } else { due }
}

/// What may be done on a turn: with Year of Plenty for one card, and roads past another's building, and without an end
/// to free roads.
fn due_turn(at: &Position, met: &mut Counts) -> Vec<Action> {
    let mut due = listed(&at.ours, at.state());
    if due.contains(&Action::Stop) {
        met.add(Difference::RoadsDue);
        due.retain(|&action| action != Action::Stop);
    }
    let singles = plenty_of_one(at, &due);
    if !singles.is_empty() {
        met.add(Difference::PlentyOfOne);
        due.extend(singles);
    }
    let past = past_actions(at, &due);
    if !past.is_empty() {
        met.add(Difference::PastBuilding);
        due.extend(past);
    }
    due
}

/// Year of Plenty for one card: each kind of which the bank has a card, if some pair with it can't be
/// paid. Our list has single cards only if the bank has just one card.
fn plenty_of_one(at: &Position, ours: &[Action]) -> Vec<Action> {
    if !may_play(at.state(), Card::YearOfPlenty) {
        return Vec::new();
    }
    let bank = at.state().table.bank;
    let short = |kind: Resource| {
        let others = Resource::ALL.iter().filter(|other| **other != kind);
        bank.get(kind) == 1 || others.into_iter().any(|&other| bank.get(other) == 0)
    };
    let kinds = Resource::ALL.into_iter().filter(|&kind| bank.get(kind) > 0 && short(kind));
    let single = |first| Action::YearOfPlenty { first, second: None };
    kinds.map(single).filter(|action| !ours.contains(action)).collect()
}

/// Roads past another's building, and Road Building where there are only such roads.
fn past_actions(at: &Position, ours: &[Action]) -> Vec<Action> {
    let table = &at.state().table;
    let seat = table.active;
    let past = at.past_buildings(seat);
    if past.is_empty() || !has_road(&table.pieces, seat) {
        return Vec::new();
    }
    let [cost, ..] = at.ours.prices();
    let free = matches!(table.phase, Phase::FreeRoads(_));
    let builds = free || table.stage != Stage::Roll && at.state().hands[seat.idx()].covers(cost);
    let roads = if builds { past } else { EdgeSet::NONE };
    let mut actions: Vec<Action> = roads.iter().map(|edge| Action::Road { edge }).collect();
    let plays = !free && may_play(at.state(), Card::RoadBuilding);
    if plays && !ours.contains(&Action::RoadBuilding) {
        actions.push(Action::RoadBuilding);
    }
    actions
}

/// Whether the active seat may play a card of a kind now.
fn may_play(state: &State, card: Card) -> bool {
    let table = &state.table;
    let held = state.cards[table.active.idx()][card.idx()];
    let ready = held > state.fresh[card.idx()] && !table.so_far.played;
    ready && table.phase == Phase::Act
}

/// The list of a rule set, without offers.
fn listed(game: &Base, state: &State) -> Vec<Action> {
    let mut list = Actions::new();
    game.legal(state, ActionFilter::NoOffers, &mut list);
    list.to_vec()
}

/// What one list has and the other lacks; nothing if they hold the same entries, each once.
fn complaint(found: &[Action], due: &[Action]) -> Option<Trouble> {
    let missing = |list: &[Action], from: &[Action]| -> Vec<Action> {
        let missing = list.iter().filter(|action| !from.contains(action));
        missing.take(NAMED).copied().collect()
    };
    let (more, less) = (missing(found, due), missing(due, found));
    if more.is_empty() && less.is_empty() && found.len() == due.len() {
        return None;
    }
    let mut text = format!("{} entries", found.len());
    for (word, actions) in [("more", more), ("less", less)] {
        for action in actions {
            let _ = write!(text, ", {word}: {action}");
        }
    }
    Some(differs("l", text, format!("{} entries", due.len())))
}
