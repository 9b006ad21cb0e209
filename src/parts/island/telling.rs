//! What a seat of an island is told in words: what it sees beside the board, and what happens.

use crate::core::chance::ChanceEvent;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::core::wording::{CLOSES, OFFERS, Priced, Stands};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::{Card, Cards, sum_of};
use crate::parts::island::luck::Draw;
use crate::parts::island::observe::View;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::state::{CITIES, Phase, ROADS, SETTLEMENTS, Stage, Table};
use crate::parts::telling::{
    NO_MORE_OFFERS, accept_words, answer_asked, choice_words, does, for_two, hand_line, many,
    not_with_you, plainly, proposal_lines, seat_title, settle_words, some_of, title_words, who,
};

/// The heading of what is built.
pub const BUILD: &str = "Build";
/// The heading of trades with the bank.
pub const BANK: &str = "Trade with the bank";

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

    /// What is asked now.
    pub(crate) fn asked_words(&self, view: &View<'_>) -> String {
        let table = view.table;
        let proposal = (&table.proposal, table.current, view.seat);
        match (table.phase, table.stage) {
            (Phase::Found, Stage::Founding(1)) => "place the first settlement".to_owned(),
            (Phase::Found, _) => "place the next settlement".to_owned(),
            (Phase::FoundRoad(_), _) => "place a road beside it".to_owned(),
            (Phase::Act, Stage::Roll) if may_play(view) => {
                "roll the dice, or play a card first".to_owned()
            }
            (Phase::Act, Stage::Roll) => "roll the dice".to_owned(),
            (Phase::Act, Stage::Special) => "build, or let it be".to_owned(),
            (Phase::Act, Stage::Paired) => {
                let trade = if self.may_trade(table) { "trade with the bank, " } else { "" };
                let card = if may_play(view) { "play a card, " } else { "" };
                format!("{trade}build, {card}or let it be")
            }
            (Phase::Act, _) if !self.may_trade(table) => {
                let card = if may_play(view) { "play a card, " } else { "" };
                format!("build, {card}or end the turn")
            }
            (Phase::Act, _) => {
                let card = if may_play(view) { "play a card, " } else { "" };
                let most = self.rules.trade.proposals_max;
                let no_more = if most == 0 || self.may_offer(table) { "" } else { NO_MORE_OFFERS };
                format!("trade, build, {card}or end the turn{no_more}")
            }
            (Phase::Discard { owed, .. }, _) if view.chosen.is_empty() => {
                format!("discard {}, one by one", many(owed, "card"))
            }
            (Phase::Discard { owed, .. }, _) => {
                let more = many(owed, "more card");
                let chosen = view.chosen;
                format!(
                    "choose {more} to discard; {chosen} chosen, which leave your hand once all have chosen"
                )
            }
            (Phase::Robber, _) => "move the robber to another hex".to_owned(),
            (Phase::FreeRoads(left), _) => format!("place {}", many(left, "free road")),
            (Phase::Answer(asked), _) => answer_asked(proposal, (asked, view.hand)),
            (Phase::Choose, _) => choice_words(proposal),
            (Phase::Over(_), _) => "nothing".to_owned(),
        }
    }

    /// What there is to build or buy.
    pub(crate) fn price_list(&self, view: &View<'_>) -> Vec<Priced> {
        let net = &view.table.pieces.nets[view.seat.idx()];
        let cities = (net.buildings() & net.cities).len();
        let cost = &self.rules.cost;
        [
            ("road", cost.road, Some(ROADS.saturating_sub(net.roads.len()))),
            (
                "settlement",
                cost.settlement,
                Some(SETTLEMENTS.saturating_sub(net.settlements.len())),
            ),
            ("city", cost.city, Some(CITIES.saturating_sub(cities))),
            ("development_card", cost.card, None),
        ]
        .map(|(kind, price, left)| Priced { kind, price: price.resources().to_string(), left })
        .to_vec()
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

/// Whether the seat holds a development card that it could play now. (BASE-21)
fn may_play(view: &View<'_>) -> bool {
    let held = |card: Card| view.cards[card.idx()] > view.fresh[card.idx()];
    let played = Card::ALL.into_iter().filter(|card| *card != Card::VictoryPoint);
    !view.table.so_far.played && played.into_iter().any(held)
}

/// Who now holds Longest Road or Largest Army, if a step has changed that.
pub fn told_changes(before: &View<'_>, after: &View<'_>) -> Vec<String> {
    let (was, is) = (before.table, after.table);
    let titles = [("Longest Road", was.route, is.route), ("Largest Army", was.army, is.army)];
    titles.into_iter().filter_map(|title| title_words(title, after.seat)).collect()
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

impl Island {
    /// An action as a seat may know it, with what the bank takes for it: which card another discards is not shown before
    /// all have chosen. (BASE-24)
    pub(crate) fn told_action(&self, before: &View<'_>, action: Action) -> String {
        let table = before.table;
        match before.known(action) {
            None => "discard a card, unseen".to_owned(),
            Some(Action::Buy) => {
                format!("{} for {}", Action::Buy, self.rules.cost.card.resources())
            }
            Some(Action::BankTrade { give, want }) => {
                let rate = table.rates[table.active.idx()][give.idx()];
                format!("bank {rate} {give} for 1 {want}")
            }
            Some(Action::Decline) => {
                let words = Action::Decline.to_string();
                not_with_you(words, (&table.proposal, table.current, before.seat))
            }
            Some(known) => for_two(known.to_string(), self.players),
        }
    }
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

/// What an action that closes a trade comes to.
pub fn terms(view: &View<'_>, action: Action) -> Option<String> {
    let table = view.table;
    match action {
        Action::Settle { with } => settle_words((&table.proposal, table.current, view.seat), with),
        Action::Accept => Some(accept_words(&table.proposal)),
        _ => None,
    }
}

/// The heading under which an action is listed.
pub fn heading(action: Action) -> &'static str {
    match action {
        Action::Roll | Action::EndTurn => "Turn",
        Action::Road { .. }
        | Action::Settlement { .. }
        | Action::City { .. }
        | Action::Buy
        | Action::Stop => BUILD,
        Action::Knight
        | Action::RoadBuilding
        | Action::YearOfPlenty { .. }
        | Action::Monopoly { .. } => "Development cards",
        Action::Robber { .. } => "Robber",
        Action::Discard { .. } => "Discard",
        Action::BankTrade { .. } => BANK,
        Action::Offer { .. } => OFFERS,
        Action::Counter { .. } => "Counter-offers",
        Action::Accept | Action::Refuse => "Answer",
        Action::Settle { .. } | Action::Decline => CLOSES,
    }
}

/// Why an action can't be taken back, luck aside. The last of a seat's discards lets others go on, or shows all of them;
/// Monopoly shows what others have.
pub fn stands(before: &Table, action: Action) -> Option<Stands> {
    match action {
        Action::Discard { .. } if matches!(before.phase, Phase::Discard { owed: 2.., .. }) => None,
        Action::Road { .. }
        | Action::Settlement { .. }
        | Action::City { .. }
        | Action::Stop
        | Action::Knight
        | Action::RoadBuilding
        | Action::YearOfPlenty { .. }
        | Action::BankTrade { .. }
        | Action::Robber { victim: None, .. } => None,
        Action::Discard { .. } | Action::Monopoly { .. } | Action::Buy | Action::Robber { .. } => {
            Some(Stands::Shows)
        }
        _ => Some(Stands::Said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
