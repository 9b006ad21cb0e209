//! The words of Struggle for Catan, in match records and for people at a table.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::core::wording::{Former, Preset, Priced, Stands, Wording};
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::{Card, Event, Expansion};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::legal::partner;
use crate::games::struggle::luck::Draw;
use crate::games::struggle::memory::Memory;
use crate::games::struggle::observe::View;
use crate::games::struggle::seat_event::{Place, SeatEvent};
use crate::games::struggle::seen::{Catalogue, Seen};
use crate::games::struggle::state::{Area, Phase, State};
use crate::parts::seen::{Read, write};
use crate::parts::telling::{Drawn, does, hand_line, many, plainly, seat_title, some_of, who};
use std::borrow::Cow;

impl Wording for Struggle {
    const TITLE: &'static str = "Struggle for Catan";
    const ABOUT: &'static str =
        "cards without a board: roads and knights are taken from each other, cities bring events";

    const PRESETS: &'static [Preset] = &[Preset {
        name: "dear_town_hall",
        clause: "SFC-40",
        about: "a town hall costs 2 ore more than the other expansions",
        sets: &["expansion.town_hall.extra.ore=2"],
    }];
    const FORMER: &'static [Former] = &[Former {
        path: "market.fills_up",
        fate: "the market is never short, since its own five cards are among the discards on a market day (SFC-52)",
    }];

    fn phase_name(&self, state: &State) -> &'static str {
        match state.table.phase {
            Phase::Act => "act",
            Phase::Take(_) => "take",
            Phase::Choose => "choose",
            Phase::Return(_) => "return",
            Phase::Flip => "flip",
            Phase::Discard { .. } => "discard",
            Phase::Extra(_) => "extra",
            Phase::Over(_) => "over",
        }
    }

    fn draw_name(draw: Draw) -> &'static str {
        match draw {
            Draw::Card(..) => "draw",
            Draw::Market(_) => "market",
            Draw::Take(_) => "take",
            Draw::Event => "event",
        }
    }

    fn draw_seat(draw: Draw) -> Option<Seat> {
        match draw {
            Draw::Card(seat, _) | Draw::Take(seat) => Some(seat),
            Draw::Market(_) | Draw::Event => None,
        }
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        let idx = usize::from(event.outcome);
        let name = match event.draw {
            Draw::Event => Event::ALL[idx].name(),
            _ => Resource::ALL[idx].name(),
        };
        name.into()
    }

    fn primer(&self) -> Vec<String> {
        self.told_rules()
    }

    fn table_words(&self, view: &View<'_>) -> Vec<String> {
        let table = view.table;
        let mut lines = vec![hand_line(view.hand)];
        if let (Some(open), Some(seat)) = (view.open, partner(table)) {
            lines.push(format!("You see the hand of seat {seat}: {open}."));
        }
        lines.push(format!("{} win.", many(self.rules.points_to_win.of(view.seat), "point")));
        for seat in Seat::all(self.players) {
            lines.push(self.seat_line(view, seat));
        }
        lines.push(format!(
            "Market: {}. Draw stack: {}. Discards: {}.",
            table.market,
            many(view.pile, "card"),
            table.discards
        ));
        let expansions = Expansion::ALL.into_iter().filter(|of| table.expansions[of.idx()] > 0);
        let expansions: Vec<String> = expansions
            .map(|of| many(table.expansions[of.idx()], &plainly(of.card().name())))
            .collect();
        let (roads, knights, settlements) = (table.roads, table.knights, table.settlements);
        let or_taken = |left: u8, what: &str| {
            let from =
                if left == 0 { " (one that is paid for is taken from another player)" } else { "" };
            many(left, what) + from
        };
        let stack =
            [or_taken(roads, "road"), or_taken(knights, "knight"), many(settlements, "settlement")];
        let stack = [stack.to_vec(), expansions].concat().join(", ");
        lines.push(format!("Still to be built: {stack}."));
        if self.players > 2 {
            let way = if table.clockwise { "clockwise" } else { "anticlockwise" };
            lines.push(format!("The destiny card points {way}."));
        }
        match table.phase {
            Phase::Discard { seat, owed } if seat == view.seat => {
                lines.push(format!("The brigands: you still discard {}.", many(owed, "card")));
            }
            Phase::Take(left) => lines.push(format!("{} to take.", many(left, "card"))),
            Phase::Return(left) => {
                let to = table.lot.with;
                lines.push(format!("{} to return to {to}.", many(left, "card")));
            }
            _ => {}
        }
        lines
    }

    fn question(&self, view: &View<'_>) -> String {
        let table = view.table;
        match table.phase {
            Phase::Act => "trade, build, or draw cards, which ends the turn".to_owned(),
            Phase::Take(left) => format!("take {} from the market", many(left, "card")),
            Phase::Choose => "choose a card of the open hand".to_owned(),
            Phase::Return(left) => {
                let to = match table.lot.with {
                    Partner::Seat(seat) => who(seat, view.seat),
                    with => with.to_string(),
                };
                format!("return {} to {to}", many(left, "card"))
            }
            Phase::Flip => "flip the destiny card, or leave it".to_owned(),
            Phase::Discard { owed, .. } => {
                format!("discard {}, one by one, to the brigands", many(owed, "card"))
            }
            Phase::Extra(_) => "draw more cards, or end the turn".to_owned(),
            Phase::Over(_) => "nothing".to_owned(),
        }
    }

    fn prices(&self, view: &View<'_>) -> Vec<Priced> {
        let table = view.table;
        let left = |card: Card| match (card, card.expansion()) {
            (Card::Road, _) => Some(table.roads),
            (Card::Knight, _) => Some(table.knights),
            (Card::Settlement, _) => Some(table.settlements),
            (_, Some(expansion)) => Some(table.expansions[expansion.idx()]),
            _ => None,
        };
        let all = Card::ALL.into_iter().map(|card| Priced {
            kind: card.name(),
            price: self.price(card).to_string(),
            left: left(card),
        });
        all.collect()
    }

    fn known_action(&self, before: &View<'_>, action: Action) -> Option<Action> {
        self.known(before, action)
    }

    fn sees_draw(&self, _before: &View<'_>, draw: Draw) -> bool {
        draw == Draw::Event
    }

    /// Cards that pass between two players are seen by them, or by all if the rules say so. (SFC-35)
    fn action_words(&self, before: &View<'_>, action: Action) -> String {
        match (self.known(before, action), action, before.table.lot.with) {
            (Some(action), Action::Return { .. }, with) => format!("{action} to {with}"),
            (Some(Action::Trade { with, cards, choose }), ..) => {
                let market = before.table.market;
                let has = if with == Partner::Market {
                    format!(", which has {market}")
                } else {
                    String::new()
                };
                let chosen = if choose { ", one of them chosen" } else { "" };
                format!("trade {} with {with}{chosen}{has}", many(cards, "card"))
            }
            (Some(action), ..) => action.to_string(),
            (None, Action::Return { .. }, Partner::Seat(seat)) => {
                format!("return a card to seat {seat}")
            }
            (None, ..) => "take a card of the open hand".to_owned(),
        }
    }

    /// Cards that are drawn or taken are events of a seat's memory.
    fn chance_words(&self, _before: Option<&View<'_>>, event: ChanceEvent<Draw>) -> Option<String> {
        match event.draw {
            Draw::Event => {
                Some(format!("the city's other side: {}", plainly(&Self::result_name(event))))
            }
            Draw::Card(..) | Draw::Market(_) | Draw::Take(_) => None,
        }
    }

    /// What the action says is not repeated.
    fn event_words(&self, events: &[SeatEvent], eyes: Seat) -> Vec<String> {
        let (mut drawn, mut opened) = (Drawn::default(), Resources::NONE);
        let mut words = Vec::new();
        for event in events {
            match *event {
                SeatEvent::Drew { seat, kind } => {
                    drawn.add(seat, kind.map_or(Resources::NONE, Resources::one));
                }
                SeatEvent::Opened { kind } => opened = opened + Resources::one(kind),
                SeatEvent::Moved { from: Place::Market, to: Place::Discards, cards } => {
                    words.push(format!("the market's cards are discarded: {cards}"));
                }
                SeatEvent::Taken { from, to, kind } => {
                    words.push(format!(
                        "{} 1 {kind} from {}",
                        does(to, eyes, "take"),
                        who(from, eyes)
                    ));
                }
                SeatEvent::Passed { from, to } => {
                    let (from, to) = (who(from, eyes), who(to, eyes));
                    words.push(format!("a card goes from {from} to {to}"));
                }
                SeatEvent::Shown { seat, cards } => {
                    words.push(format!("the hand of {} is open: {cards}", who(seat, eyes)));
                }
                SeatEvent::Moved { .. } => {}
            }
        }
        words.extend(drawn.words(eyes));
        if !opened.is_empty() {
            words.push(format!("into the market come {opened}"));
        }
        words
    }

    /// Who takes a road or a knight from whom, where none is left to be built, and that the discards became the stack.
    /// (SFC-60, SFC-21)
    fn change_words(&self, before: &View<'_>, after: &View<'_>) -> Vec<String> {
        let taken = |what: &str, count: fn(&Area) -> u8| {
            let grown = |by: i8| {
                let change = move |seat: &Seat| {
                    let [was, is] =
                        [before, after].map(|view| count(&view.table.areas[seat.idx()]));
                    is.cast_signed() - was.cast_signed() == by
                };
                Seat::all(self.players).find(change)
            };
            let (taker, victim) = (grown(1)?, grown(-1)?);
            let takes = does(taker, after.seat, "take");
            Some(format!("{takes} a {what} from {}", who(victim, after.seat)))
        };
        let changes = [taken("road", |area| area.roads), taken("knight", |area| area.knights)];
        // Nothing else puts cards back into the stack, or takes any out of the discards. (SFC-21)
        let discards = |view: &View<'_>| view.table.discards.total();
        let is_new = after.pile > before.pile || discards(after) < discards(before);
        let shuffled = || "the discards are shuffled into a new draw stack".to_owned();
        changes.into_iter().flatten().chain(is_new.then(shuffled)).collect()
    }

    fn heading(action: Action) -> &'static str {
        match action {
            Action::Draw | Action::EndTurn | Action::Extra { .. } => "Turn",
            Action::Build { .. } => "Build",
            Action::Rob { .. } | Action::Trade { .. } => "Trade",
            Action::Take { .. } => "Take",
            Action::Return { .. } => "Return",
            Action::Keep | Action::Flip => "Destiny card",
            Action::Discard { .. } => "Discard",
        }
    }

    /// A trade with a player may open a hand; the last of a seat's discards lets others go on.
    fn stands(before: &State, action: Action) -> Option<Stands> {
        match action {
            Action::Discard { .. }
                if matches!(before.table.phase, Phase::Discard { owed: 2.., .. }) =>
            {
                None
            }
            Action::Trade { with: Partner::Seat(_), .. }
            | Action::Rob { .. }
            | Action::Discard { .. } => Some(Stands::Shows),
            Action::Trade { .. }
            | Action::Build { .. }
            | Action::Take { .. }
            | Action::Return { .. }
            | Action::Keep
            | Action::Flip => None,
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

impl Struggle {
    /// What is open of a seat.
    fn seat_line(&self, view: &View<'_>, seat: Seat) -> String {
        let Area { roads, knights, settlements, cities, .. } = view.table.areas[seat.idx()];
        let area = &view.table.areas[seat.idx()];
        let mut has = vec![
            many(view.table.points(self, seat), "point"),
            many(view.hand_sizes[seat.idx()], "card") + " in hand",
            many(roads, "road"),
            many(knights, "knight"),
            many(settlements, "settlement"),
            many(cities, "city"),
        ];
        let expansions = Expansion::ALL.into_iter().filter(|expansion| area.has(*expansion));
        has.extend(expansions.map(|of| plainly(of.card().name())));
        format!("{}: {}.", seat_title(seat, view.seat), some_of(has))
    }
}
