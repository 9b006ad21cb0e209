//! Compares a recorded state with ours, field by field.

use crate::catanatron::choice::Terms;
use crate::catanatron::field::Field;
use crate::catanatron::position::Position;
use crate::catanatron::trouble::{Trouble, differs, same};
use crate::catanatron::words;
use crate::core::game::Game;
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::parts::island::cards::size;
use crate::parts::island::state::{CITIES, Phase, ROADS, SETTLEMENTS, Stage};

/// The largest count in a state.
const MOST: u8 = 127;

/// Compares all fields of a state.
///
/// # Errors
/// If one can't be read, or differs.
pub fn compare(at: &Position, state: Field<'_>) -> Result<(), Trouble> {
    compare_course(at, state)?;
    compare_cards(at, state)?;
    compare_pieces(at, state)?;
    compare_talk(at, state)
}

/// Who acts, what is asked, and how far the turn has progressed.
fn compare_course(at: &Position, state: Field<'_>) -> Result<(), Trouble> {
    let table = &at.state().table;
    let founding = matches!(table.stage, Stage::Founding(_));
    let turn = if founding { table.active } else { table.current };
    number(state, "cp", seat_number(at.asked()))?;
    number(state, "tp", seat_number(turn))?;
    let (asked, due) = (state.key("pr")?, prompt(at));
    if asked.word()? != due {
        return Err(differs("pr", asked.text(), due.to_owned()));
    }
    same("nt", &state.key("nt")?.integer()?, &i64::from(at.turns()))?;
    let rolled = |seat: Seat| u8::from(table.stage == Stage::Main && seat == table.current);
    by_seat(at, state, "rolled", rolled)?;
    by_seat(at, state, "dcnt", |seat| at.owed(seat))?;
    let free = if let Phase::FreeRoads(left) = table.phase { left } else { 0 };
    number(state, "fr", free)
}

/// Hands, the bank, development cards.
fn compare_cards(at: &Position, state: Field<'_>) -> Result<(), Trouble> {
    let ours = at.state();
    let given = at.given.iter().fold(Resources::NONE, |all, &cards| all + cards);
    let hand = |seat: Seat| words::counts(ours.hands[seat.idx()] - at.given[seat.idx()]);
    lists_by_seat(at, state, "h", hand)?;
    same("b", &state.key("b")?.numbers::<5>(MOST)?, &words::counts(ours.table.bank + given))?;
    lists_by_seat(at, state, "d", |seat| words::card_counts(ours.cards[seat.idx()]))?;
    number(state, "dk", size(ours.deck))?;
    compare_played(at, state.key("pd")?)
}

/// Cards played: knights by seat; of the others we know how many have left the game.
fn compare_played(at: &Position, played: Field<'_>) -> Result<(), Trouble> {
    let table = &at.state().table;
    let mut gone = [0_u8; 5];
    for (seat, cards) in Seat::all(at.ours.players()).zip(seats(at, played)?) {
        let cards = cards.numbers::<4>(MOST)?;
        same("pd", &cards[0], &table.knights[seat.idx()])?;
        for (gone, count) in gone[1..4].iter_mut().zip(&cards[1..]) {
            *gone = gone.saturating_add(*count);
        }
    }
    same("pd", &gone, &words::card_counts(table.gone))
}

/// Pieces, points, special cards and the robber.
fn compare_pieces(at: &Position, state: Field<'_>) -> Result<(), Trouble> {
    let table = &at.state().table;
    let left = |seat: Seat| {
        let net = &table.pieces.nets[seat.idx()];
        let laid = [net.roads.len(), net.settlements.len(), net.cities.len()];
        let stock = [ROADS, SETTLEMENTS, CITIES];
        std::array::from_fn::<u8, 3, _>(|at| stock[at] - laid[at])
    };
    lists_by_seat(at, state, "left", left)?;
    holder(state, "la", table.army)?;
    holder(state, "lr", at.roads.holder)?;
    by_seat(at, state, "rl", |seat| at.roads.shown[seat.idx()])?;
    by_seat(at, state, "vp", |seat| at.their_shown_points(seat))?;
    by_seat(at, state, "avp", |seat| at.their_points(seat))?;
    number(state, "rob", at.island.tile(table.robber))
}

/// The open offer and who has accepted it.
fn compare_talk(at: &Position, state: Field<'_>) -> Result<(), Trouble> {
    let (trade, answers) = (state.key("trade")?, state.key("acc")?);
    let Some(offer) = &at.offer else {
        let open = [trade, answers].into_iter().find(|field| !field.is_null());
        let open = open.map(|field| differs(field.name(), field.text(), "null".to_owned()));
        return open.map_or(Ok(()), Err);
    };
    let Terms { give, want } = offer.terms();
    let counts = [give, want].map(|cards| words::counts(cards.cards()));
    let [found_give, found_want] = halves(trade.numbers::<10>(MOST)?);
    same("trade", &[found_give, found_want], &counts)?;
    by_seat(at, state, "acc", |seat| u8::from(offer.accepted[seat.idx()]))
}

/// What is asked, in the other program's words.
fn prompt(at: &Position) -> &'static str {
    match (&at.offer, at.state().table.phase) {
        (Some(offer), _) if offer.is_open() => "DECIDE_TRADE",
        (Some(_), _) | (None, Phase::Choose) => "DECIDE_ACCEPTEES",
        (None, Phase::Found) => "BUILD_INITIAL_SETTLEMENT",
        (None, Phase::FoundRoad(_)) => "BUILD_INITIAL_ROAD",
        (None, Phase::Discard { .. }) => "DISCARD",
        (None, Phase::Robber) => "MOVE_ROBBER",
        (None, Phase::Answer(_)) => "DECIDE_TRADE",
        (None, Phase::Act | Phase::FreeRoads(_) | Phase::Over(_)) => "PLAY_TURN",
    }
}

/// One entry for each seat.
fn seats<'a>(
    at: &Position,
    field: Field<'a>,
) -> Result<impl Iterator<Item = Field<'a>> + use<'a>, Trouble> {
    let players = usize::from(at.ours.players());
    Ok(field.items(players..=players)?)
}

fn number(state: Field<'_>, name: &'static str, due: u8) -> Result<(), Trouble> {
    same(name, &state.key(name)?.number(MOST)?, &due)
}

fn by_seat(
    at: &Position,
    state: Field<'_>,
    name: &'static str,
    due: impl Fn(Seat) -> u8,
) -> Result<(), Trouble> {
    for (seat, found) in Seat::all(at.ours.players()).zip(seats(at, state.key(name)?)?) {
        let (found, due) = (found.number(MOST)?, due(seat));
        if found != due {
            return Err(at_seat(name, seat, &found, &due));
        }
    }
    Ok(())
}

fn lists_by_seat<const N: usize>(
    at: &Position,
    state: Field<'_>,
    name: &'static str,
    due: impl Fn(Seat) -> [u8; N],
) -> Result<(), Trouble> {
    for (seat, found) in Seat::all(at.ours.players()).zip(seats(at, state.key(name)?)?) {
        let (found, due) = (found.numbers::<N>(MOST)?, due(seat));
        if found != due {
            return Err(at_seat(name, seat, &found, &due));
        }
    }
    Ok(())
}

/// The holder of a special card, -1 for nobody.
fn holder(state: Field<'_>, name: &'static str, due: Option<Seat>) -> Result<(), Trouble> {
    let due = due.map_or(-1, |seat| i64::from(seat_number(seat)));
    same(name, &state.key(name)?.integer()?, &due)
}

/// A seat's number as the records count.
fn seat_number(seat: Seat) -> u8 {
    seat.number() - 1
}

fn at_seat<T: std::fmt::Debug>(field: &'static str, seat: Seat, found: &T, due: &T) -> Trouble {
    let seat = seat_number(seat);
    differs(field, format!("{found:?} for seat {seat}"), format!("{due:?}"))
}

fn halves(all: [u8; 10]) -> [[u8; 5]; 2] {
    [std::array::from_fn(|at| all[at]), std::array::from_fn(|at| all[5 + at])]
}
