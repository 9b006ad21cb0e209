//! The words of On the Road, in match records and for people at a table.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::core::wording::{CLOSES, OFFERS, Priced, Stands, Wording};
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::{Building, Card, Event, Metropolis, kind_of};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::memory::Memory;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::rules::Discards;
use crate::games::on_the_road::seat_event::{Place, SeatEvent};
use crate::games::on_the_road::seen::{Catalogue, Seen};
use crate::games::on_the_road::state::{Area, Phase, State};
use crate::parts::seen::{Read, write};
use crate::parts::telling::{
    Drawn, NO_MORE_OFFERS, accept_words, answer_asked, choice_words, does, for_two, hand_line,
    many, not_with_you, plainly, proposal_lines, seat_title, settle_words, some_of, title_words,
    who,
};
use std::borrow::Cow;

impl Wording for OnTheRoad {
    const TITLE: &'static str = "On the Road";
    const ABOUT: &'static str =
        "cards without a board: trade, and build what lies in the row, up to a metropolis";

    fn phase_name(&self, state: &State) -> &'static str {
        match state.table.phase {
            Phase::Main => "main",
            Phase::Answer(_) => "answer",
            Phase::Choose => "choose",
            Phase::Charity(_) => "charity",
            Phase::Discard { .. } => "discard",
            Phase::Over(_) => "over",
        }
    }

    fn draw_name(draw: Draw) -> &'static str {
        match draw {
            Draw::Side => "side",
            Draw::Row(_) => "row",
            Draw::Card(..) => "draw",
            Draw::Event => "event",
        }
    }

    fn draw_seat(draw: Draw) -> Option<Seat> {
        match draw {
            Draw::Card(seat, _) => Some(seat),
            Draw::Side | Draw::Row(_) | Draw::Event => None,
        }
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        let idx = usize::from(event.outcome);
        let name = match event.draw {
            Draw::Side => ["a", "b"][idx],
            Draw::Row(_) => Card::from(Building::ALL[idx]).name(),
            Draw::Card(..) => kind_of(event.outcome).name(),
            Draw::Event => Event::OF_CARD[idx].name(),
        };
        name.into()
    }

    fn primer(&self) -> Vec<String> {
        self.told_rules()
    }

    fn table_words(&self, view: &View<'_>) -> Vec<String> {
        let table = view.table;
        let mut lines = vec![hand_line(view.hand)];
        let target = self.rules.points_to_win.of(view.seat);
        lines.push(format!("{} win.", many(target, "point")));
        for seat in Seat::all(self.players) {
            lines.push(self.seat_line(view, seat));
        }
        let row = Building::ALL.into_iter().filter(|kind| table.row[kind.idx()] > 0);
        let row: Vec<String> =
            row.map(|kind| many(table.row[kind.idx()], Card::from(kind).name())).collect();
        let deck: u8 = table.deck.iter().sum();
        lines.push(format!("In the row: {}. In the building deck: {deck}.", row.join(", ")));
        lines.push(format!("Not built yet: {}.", metropolises(table.unbuilt, table.b_sides)));
        let (pile, discards) = (view.pile, view.discards_size);
        let open = self.rules.robber.discards == Discards::Open && discards > 0;
        let seen = if open { format!(" ({})", view.discards) } else { String::new() };
        let pile = format!("Draw pile: {}. Discards: {discards}{seen}.", many(pile, "card"));
        lines.push(pile);
        lines.push(format!("Events still in their deck: {}.", events_left(table.events)));
        if matches!(table.phase, Phase::Answer(_) | Phase::Choose) {
            lines.extend(proposal_lines(&table.proposal, (table.current, self.players), view.seat));
        }
        match table.phase {
            Phase::Discard { seat, owed } if seat == view.seat => {
                lines.push(format!("The robber: you still discard {}.", many(owed, "card")));
            }
            Phase::Charity(seat) if seat == view.seat => {
                lines.push("Charity: you give a card.".to_owned());
            }
            _ => {}
        }
        lines
    }

    fn question(&self, view: &View<'_>) -> String {
        let table = view.table;
        let proposal = (&table.proposal, table.current, view.seat);
        match table.phase {
            Phase::Main => {
                let most = self.rules.trade.proposals_max;
                let no_more = if most == 0 || self.may_offer(table) { "" } else { NO_MORE_OFFERS };
                format!("trade, build, or end the turn{no_more}")
            }
            Phase::Answer(asked) => answer_asked(proposal, (asked, view.hand)),
            Phase::Choose => choice_words(proposal),
            Phase::Charity(_) => "give a card to another seat, for Charity".to_owned(),
            Phase::Discard { owed, .. } => {
                format!("discard {}, one by one, to the Robber", many(owed, "card"))
            }
            Phase::Over(_) => "nothing".to_owned(),
        }
    }

    fn prices(&self, view: &View<'_>) -> Vec<Priced> {
        let table = view.table;
        let row = Building::ALL.map(|kind| (Card::from(kind), Some(table.row[kind.idx()])));
        let unbuilt = Metropolis::ALL.into_iter().filter(|of| table.unbuilt & of.bit() != 0);
        let unbuilt = unbuilt.map(|metropolis| (Card::from(metropolis), None));
        let priced = |(card, left): (Card, Option<u8>)| Priced {
            kind: card.name(),
            price: self.costs[card.idx()].to_string(),
            left,
        };
        row.into_iter().chain(unbuilt).map(priced).collect()
    }

    fn known_action(&self, before: &View<'_>, action: Action) -> Option<Action> {
        self.known(before, action)
    }

    fn sees_draw(&self, _before: &View<'_>, draw: Draw) -> bool {
        matches!(draw, Draw::Row(_) | Draw::Event)
    }

    /// Cards pass face down for Charity, and to the Robber if discards are hidden. (OTR-34)
    fn action_words(&self, before: &View<'_>, action: Action) -> String {
        match (self.known(before, action), action) {
            (Some(action @ Action::Decline), _) => {
                let trade = (&before.table.proposal, before.table.current, before.seat);
                not_with_you(plainly(&action.to_string()), trade)
            }
            (Some(action), _) => for_two(plainly(&action.to_string()), self.players),
            (None, Action::Give { to, .. }) => format!("give a card to seat {to}"),
            (None, _) => "discard a card".to_owned(),
        }
    }

    fn terms(&self, view: &View<'_>, action: Action) -> Option<String> {
        let table = view.table;
        match action {
            Action::Settle { with } => {
                settle_words((&table.proposal, table.current, view.seat), with)
            }
            Action::Accept => Some(accept_words(&table.proposal)),
            _ => None,
        }
    }

    /// Cards that are drawn are events of a seat's memory.
    fn chance_words(&self, _before: Option<&View<'_>>, event: ChanceEvent<Draw>) -> Option<String> {
        let word = Self::result_name(event);
        match event.draw {
            Draw::Row(_) => Some(format!("new in the row: {word}")),
            Draw::Event => Some(format!("the event is: {word}")),
            Draw::Side | Draw::Card(..) => None,
        }
    }

    /// What the action says is not repeated.
    fn event_words(&self, events: &[SeatEvent], eyes: Seat) -> Vec<String> {
        let mut drawn = Drawn::default();
        let mut words = Vec::new();
        let trade =
            events.iter().filter(|event| matches!(event, SeatEvent::Moved { .. })).count() > 1;
        for event in events {
            match *event {
                SeatEvent::Drew { seat, kind } => {
                    drawn.add(seat, kind.map_or(Resources::NONE, Resources::one));
                }
                SeatEvent::Moved { from, to: Place::Hand(to), cards } if trade => {
                    words.push(format!(
                        "{} {cards} to {}",
                        does(from, eyes, "give"),
                        who(to, eyes)
                    ));
                }
                SeatEvent::Moved { .. } | SeatEvent::Passed { .. } | SeatEvent::Shown { .. } => {}
            }
        }
        words.extend(drawn.words(eyes));
        words
    }

    /// To whom Longest Route and Largest Army go.
    fn change_words(&self, before: &View<'_>, after: &View<'_>) -> Vec<String> {
        let (was, is) = (before.table, after.table);
        let titles = [("Longest Route", was.route, is.route), ("Largest Army", was.army, is.army)];
        titles.into_iter().filter_map(|title| title_words(title, after.seat)).collect()
    }

    fn heading(action: Action) -> &'static str {
        match action {
            Action::EndTurn => "Turn",
            Action::Build { .. } => "Build",
            Action::Offer { .. } => OFFERS,
            Action::Counter { .. } => "Counter-offers",
            Action::Accept | Action::Refuse => "Answer",
            Action::Settle { .. } | Action::Decline => CLOSES,
            Action::Discard { .. } => "Discard",
            Action::Give { .. } => "Give",
        }
    }

    /// The last of a seat's discards lets others go on.
    fn stands(before: &State, action: Action) -> Option<Stands> {
        match (action, before.table.phase) {
            (Action::Build { .. }, _)
            | (Action::Discard { .. }, Phase::Discard { owed: 2.., .. }) => None,
            (Action::Discard { .. } | Action::Give { .. }, _) => Some(Stands::Shows),
            _ => Some(Stands::Said),
        }
    }

    fn write_view(&self, view: &View<'_>, out: &mut Vec<u8>) {
        write(&Seen::of(self, view), out);
    }

    fn read_view<R>(
        &self,
        json: &str,
        memory: &Memory,
        with: impl FnOnce(&Observation<'_, Self>) -> R,
    ) -> Read<R> {
        let with = |view: View<'_>| with(&Observation { seat: view.seat, view, memory });
        serde_json::from_str::<Seen>(json)?.read(self, with)
    }

    fn write_catalogue(&self, out: &mut Vec<u8>) {
        write(&Catalogue::new(), out);
    }
}

impl OnTheRoad {
    /// What is open of a seat.
    fn seat_line(&self, view: &View<'_>, seat: Seat) -> String {
        let table = view.table;
        let Area { roads, settlements, cities, knights, metropolises: set } =
            table.areas[seat.idx()];
        let mut has = vec![
            many(table.points(self, seat), "point"),
            many(view.hand_sizes[seat.idx()], "card") + " in hand",
            many(roads, "road"),
            many(settlements, "settlement"),
            many(cities, "city"),
            many(knights, "knight"),
        ];
        if set > 0 {
            has.push(metropolises(set, table.b_sides));
        }
        for (holder, card) in [(table.route, "longest route"), (table.army, "largest army")] {
            if holder == Some(seat) {
                has.push(card.to_owned());
            }
        }
        format!("{}: {}.", seat_title(seat, view.seat), some_of(has))
    }
}

/// Metropolises of a set, with their sides.
fn metropolises(set: u8, b_sides: u8) -> String {
    let of = |metropolis: &Metropolis| set & metropolis.bit() != 0;
    let all = Metropolis::ALL.into_iter().filter(of).map(|metropolis| {
        let side = if b_sides & metropolis.bit() != 0 { "b" } else { "a" };
        format!("{} (side {side})", plainly(Card::from(metropolis).name()))
    });
    let all: Vec<String> = all.collect();
    if all.is_empty() { "no metropolis".to_owned() } else { all.join(", ") }
}

/// The events of a deck, each once.
fn events_left(deck: u8) -> String {
    let left = |event: &Event| {
        let cards = Event::OF_CARD.into_iter().enumerate();
        cards.filter(|(place, other)| other == event && deck >> place & 1 == 1).count()
    };
    let words = Event::ALL.into_iter().map(|event| (left(&event), event));
    let words: Vec<String> = words
        .filter(|(count, _)| *count > 0)
        .map(|(count, event)| format!("{count} {}", event.name()))
        .collect();
    if words.is_empty() { "none, so they are shuffled".to_owned() } else { words.join(", ") }
}
