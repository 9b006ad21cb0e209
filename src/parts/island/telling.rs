//! What a seat of an island is told in words: what it sees beside the board, and what happens.

use crate::core::chance::ChanceEvent;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::parts::island::Island;
use crate::parts::island::cards::{Card, Cards, sum_of};
use crate::parts::island::luck::Draw;
use crate::parts::island::observe::View;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::state::{Phase, Table};
use crate::parts::telling::{
    does, hand_line, many, plainly, proposal_lines, seat_title, some_of, who,
};

impl Island {
    /// What a seat sees beside the board; `more` is added to the line of each seat that plays.
    pub(crate) fn told_table(&self, view: &View<'_>, more: impl Fn(Seat) -> String) -> Vec<String> {
        let table = view.table;
        let mut lines = vec![hand_line(view.hand)];
        if !view.chosen.is_empty() {
            lines.push(format!("Of these you have chosen to discard: {}.", view.chosen));
        }
        let cards = cards_words(view.cards);
        if !cards.is_empty() {
            lines.push(format!("Your development cards: {cards}.{}", fresh_words(view.fresh)));
        }
        let own = view.own_points(self);
        let target = self.rules.points_to_win.of(view.seat);
        lines.push(format!("You have {}; {target} win.", many(own, "point")));
        for seat in Seat::all(self.owners) {
            lines.push(self.seat_line(view, seat, &more));
        }
        lines.push(format!(
            "The bank takes {} for 1 card.",
            rates_words(table.rates[view.seat.idx()])
        ));
        lines.push(format!("The bank has {}. {}", table.bank, robber_words(table)));
        if matches!(table.phase, Phase::Answer(_) | Phase::Choose) {
            lines.extend(proposal_lines(&table.proposal, (table.current, self.players), view.seat));
        }
        if let Phase::Discard { seat, owed } = table.phase {
            let owes = does(seat, view.seat, "still discard");
            lines.push(format!("{} {}.", capital(&owes), many(owed, "card")));
        }
        lines
    }

    /// What is open of a seat.
    fn seat_line(&self, view: &View<'_>, seat: Seat, more: impl Fn(Seat) -> String) -> String {
        let (table, at) = (view.table, seat.idx());
        let net = &table.pieces.nets[at];
        let mut built = vec![
            many(net.roads.len(), "road"),
            many(net.settlements.len(), "settlement"),
            many((net.buildings() & net.cities).len(), "city"),
        ];
        if table.route == Some(seat) {
            built.push(format!("longest road ({})", table.route_length));
        }
        if table.army == Some(seat) {
            built.push("largest army".to_owned());
        }
        if seat.number() > self.players {
            return format!("Seat {seat} (neutral): {}.", some_of(built));
        }
        let mut has = vec![
            many(table.points(self, seat), "point") + " in sight",
            many(view.hand_sizes[at], "card") + " in hand",
            many(view.card_counts[at], "development card"),
            many(table.knights[at], "knight") + " played",
        ];
        has.append(&mut built);
        format!("{}: {}{}.", seat_title(seat, view.seat), some_of(has), more(seat))
    }
}

/// What the bank takes of each kind.
fn rates_words(rates: [u8; Resource::COUNT]) -> String {
    let most = rates.iter().max().copied().unwrap_or_default();
    let good = Resource::ALL.into_iter().filter(|kind| rates[kind.idx()] < most);
    let mut words: Vec<String> = good.map(|kind| format!("{} {kind}", rates[kind.idx()])).collect();
    let other = if words.is_empty() { "one" } else { "any other" };
    words.push(format!("{most} of {other} kind"));
    words.join(", ")
}

/// Development cards that a seat holds, in words; empty if it has none.
fn cards_words(cards: Cards) -> String {
    let held = Card::ALL.into_iter().filter(|card| cards[card.idx()] > 0);
    let words = held.map(|card| {
        let (count, name) = (cards[card.idx()], plainly(card.name()));
        match card {
            Card::Knight | Card::Monopoly | Card::VictoryPoint => many(count, &name),
            Card::RoadBuilding | Card::YearOfPlenty => format!("{count} {name}"),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Which of them can't be played before the next turn; victory points never are.
fn fresh_words(mut fresh: Cards) -> String {
    fresh[Card::VictoryPoint.idx()] = 0;
    let words = cards_words(fresh);
    if words.is_empty() {
        String::new()
    } else {
        format!(" Bought in this turn, and not to be played in it: {words}.")
    }
}

/// Where the robber is: by the number of the hex, and by what lies there, since hexes have numbers to roll as well.
fn robber_words(table: &Table) -> String {
    let hex = table.robber;
    let land = match (table.board.terrain[hex.idx()], table.board.tokens[hex.idx()]) {
        (Some(kind), 0) => format!("the {kind} without a number"),
        (Some(kind), token) => format!("the {kind} of number {token}"),
        (None, _) => "the desert".to_owned(),
    };
    format!("The robber is on hex {hex}, {land}.")
}

/// A sentence that begins with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A result of luck as a seat may know it, with the word for it: a bought card is seen by the buyer, and stolen ones are
/// events of its memory.
pub fn told_chance(before: &View<'_>, event: ChanceEvent<Draw>, word: &str) -> Option<String> {
    match event.draw {
        draw if !before.sees(draw) => None,
        Draw::Dice => Some(format!("dice {word}, that is {}", sum_of(event.outcome))),
        Draw::Card => Some(format!("you draw the card {}", plainly(word))),
        Draw::Terrain => Some(format!("the new hex is {word}")),
        Draw::Token => Some(format!("its number is {word}")),
        Draw::Steal(_) | Draw::Harbour | Draw::Corner | Draw::Hex => None,
    }
}

/// What a seat has heard of a step. What one builds with, and what both sides of a trade hand over, is not repeated.
pub fn told_events(events: &[SeatEvent], eyes: Seat) -> Vec<String> {
    let count = |is_it: fn(&SeatEvent) -> bool| events.iter().filter(|event| is_it(event)).count();
    let lost = count(|event| matches!(event, SeatEvent::Lost { .. }));
    let gained = count(|event| matches!(event, SeatEvent::Gained { .. }));
    let lost = match (lost, gained) {
        (1, 0) | (2, 2) => Lost::Repeats,
        // Only a seven makes several seats lose cards at once.
        (2.., 0) => Lost::By("discard"),
        _ => Lost::By("lose"),
    };
    events.iter().filter_map(|&event| told_event(event, eyes, lost)).collect()
}

/// How cards are lost.
#[derive(Clone, Copy)]
enum Lost {
    /// The action has said it.
    Repeats,
    /// In this word.
    By(&'static str),
}

fn told_event(event: SeatEvent, eyes: Seat, lost: Lost) -> Option<String> {
    let cards = |seat: Seat, verb: &str, cards: Resources| {
        (!cards.is_empty()).then(|| format!("{} {cards}", does(seat, eyes, verb)))
    };
    match event {
        SeatEvent::Gained { seat, cards: of } => cards(seat, "get", of),
        SeatEvent::Lost { seat, cards: of } => match lost {
            Lost::Repeats => None,
            Lost::By(verb) => cards(seat, verb, of),
        },
        SeatEvent::HandedOver { from, to, kind, count } => {
            let giver = does(from, eyes, "give");
            Some(format!("{giver} {count} {kind} to {}", who(to, eyes)))
        }
        SeatEvent::Stolen { thief, victim, kind } => {
            let card = kind.map_or("a card".to_owned(), |kind| format!("1 {kind}"));
            Some(format!("{} {card} from {}", does(thief, eyes, "steal"), who(victim, eyes)))
        }
        SeatEvent::Shown { .. } | SeatEvent::TurnEnded { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::island::action::Action;

    #[test]
    fn cards_are_counted_and_fresh_ones_set_apart() {
        let mut cards = Cards::default();
        cards[Card::Knight.idx()] = 2;
        cards[Card::YearOfPlenty.idx()] = 1;
        cards[Card::VictoryPoint.idx()] = 1;
        assert_eq!(cards_words(cards), "2 knights, 1 year of plenty, 1 victory point");
        let mut fresh = Cards::default();
        fresh[Card::VictoryPoint.idx()] = 1;
        assert_eq!(fresh_words(fresh), "", "victory points count at once");
        fresh[Card::Knight.idx()] = 1;
        let due = " Bought in this turn, and not to be played in it: 1 knight.";
        assert_eq!(fresh_words(fresh), due);
    }

    #[test]
    fn two_cards_of_a_kind_are_counted() {
        let plenty = |second| Action::YearOfPlenty { first: Resource::Brick, second };
        let words = |second| plenty(second).to_string();
        assert_eq!(words(Some(Resource::Brick)), "play year of plenty for 2 brick");
        assert_eq!(words(Some(Resource::Ore)), "play year of plenty for brick and ore");
        assert_eq!(words(None), "play year of plenty for brick");
    }
}
