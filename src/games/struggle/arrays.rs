//! What a seat sees, and what it may do, as numbers.

use crate::core::arrays::{ActionKind, ActionNumbers, Arrays, Columns, resource, small, steps};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::{Card, Event, Expansion};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::observe::View;
use crate::games::struggle::payments::WAYS_MAX;
use crate::games::struggle::state::{Lot, Phase};

/// Phases, each a number that is 0 or 1.
const PHASES: usize = 8;

/// Kinds of cards that count by themselves.
const TYPES: usize = 5;

/// The most cards of a lot, and of further cards.
const LOT_MAX: usize = 10;

impl Arrays for Struggle {
    fn columns(&self, view: &View<'_>, out: &mut impl Columns) {
        let table = view.table;
        out.group("own", 1, &[("hand", 5), ("points", 1), ("open", 5)], |rows| {
            rows.row(0)
                .cards(view.hand)
                .put(table.points(self, view.seat))
                .cards(view.open.unwrap_or(Resources::NONE));
        });
        self.tell_seats(view, out);
        self.tell_table(view, out);
    }

    fn action_kinds(&self) -> Vec<ActionKind> {
        let players = usize::from(self.players);
        let trade = [("with", 2 + players), ("cards", 1 + LOT_MAX), ("choose", 2)];
        let build = ActionKind::new("build", &[("card", Card::COUNT)]);
        vec![
            ActionKind::new("draw", &[]),
            ActionKind { ways: WAYS_MAX, ..build },
            ActionKind::new("rob", &[("from", players)]),
            ActionKind::new("trade", &trade),
            ActionKind::new("take", &[resource("card")]),
            ActionKind::new("return", &[resource("card")]),
            ActionKind::new("keep", &[]),
            ActionKind::new("flip", &[]),
            ActionKind::new("discard", &[resource("card")]),
            ActionKind::new("extra", &[("cards", 1 + LOT_MAX)]),
            ActionKind::new("end_turn", &[]),
        ]
    }

    fn action_numbers(&self, seat: Seat, action: Action) -> ActionNumbers {
        let of = |kind, one| ActionNumbers::new(kind, [one, 0, 0]);
        let (card, none) = (Resources::one, Resources::NONE);
        let away = |other| steps(seat, other, self.players);
        match action {
            Action::Draw => of(0, 0),
            Action::Build { card, pay } => of(1, card.idx()).with(pay.cards(), none),
            Action::Rob { from } => of(2, away(from)),
            Action::Trade { with, cards, choose } => {
                let with = match with {
                    Partner::Stack => 0,
                    Partner::Market => 1,
                    Partner::Seat(other) => 2 + away(other),
                };
                ActionNumbers::new(3, [with, cards.into(), choose.into()])
            }
            Action::Take { card: kind } => of(4, kind.idx()).with(none, card(kind)),
            Action::Return { card: kind } => of(5, kind.idx()).with(card(kind), none),
            Action::Keep => of(6, 0),
            Action::Flip => of(7, 0),
            Action::Discard { card: kind } => of(8, kind.idx()).with(card(kind), none),
            Action::Extra { cards } => of(9, cards.into()),
            Action::EndTurn => of(10, 0),
        }
    }
}

impl Struggle {
    fn tell_seats(&self, view: &View<'_>, out: &mut impl Columns) {
        let features = [
            ("hand_size", 1),
            ("points", 1),
            ("roads", 1),
            ("knights", 1),
            ("settlements", 1),
            ("cities", 1),
            ("expansions", Expansion::COUNT),
            ("current", 1),
        ];
        let table = view.table;
        out.group("seats", self.players.into(), &features, |rows| {
            for (place, seat) in view.seat.clockwise(self.players).enumerate() {
                let area = &table.areas[seat.idx()];
                rows.row(place)
                    .put(view.hand_sizes[seat.idx()])
                    .put(table.points(self, seat))
                    .all([area.roads, area.knights, area.settlements, area.cities])
                    .bits(area.expansions, Expansion::COUNT)
                    .put(table.current == seat);
            }
        });
    }

    fn tell_table(&self, view: &View<'_>, out: &mut impl Columns) {
        let players = usize::from(self.players);
        let features = [
            ("pile", 1),
            ("market", 5),
            ("discards", 5),
            ("unseen", 5),
            ("roads", 1),
            ("knights", 1),
            ("settlements", 1),
            ("expansions", Expansion::COUNT),
            ("events", Event::COUNT),
            ("clockwise", 1),
            ("turn", 1),
            ("phase", PHASES),
            ("left", 1),
            ("asked", players),
            ("built", TYPES),
            ("building", 1),
            ("traded", 1),
            ("robbed", 1),
            ("chose", 1),
            ("saved", 1),
            ("with", 2 + players),
            ("cards", 1),
            ("taken", 5),
        ];
        let table = view.table;
        let (phase, left, asked) = match table.phase {
            Phase::Act => (0, 0, None),
            Phase::Take(left) => (1, left, None),
            Phase::Choose => (2, 0, None),
            Phase::Return(left) => (3, left, None),
            Phase::Flip => (4, 0, None),
            Phase::Discard { seat, owed } => (5, owed, Some(seat)),
            Phase::Extra(left) => (6, left, None),
            Phase::Over(_) => (7, 0, None),
        };
        let away = |other| steps(view.seat, other, self.players);
        out.group("table", 1, &features, |rows| {
            let (so_far, lot) = (&table.so_far, &table.lot);
            let with = (*lot != Lot::NONE).then(|| match lot.with {
                Partner::Stack => 0,
                Partner::Market => 1,
                Partner::Seat(other) => 2 + away(other),
            });
            rows.row(0)
                .put(view.pile)
                .cards(table.market)
                .cards(table.discards)
                .cards(self.deck() - table.market - table.discards - view.hand)
                .all([table.roads, table.knights, table.settlements])
                .all(table.expansions)
                .all(table.events)
                .put(table.clockwise)
                .put(small(table.turn))
                .one_of(Some(phase), PHASES)
                .put(left)
                .one_of(asked.map(away), players)
                .bits(so_far.built, TYPES)
                .put(so_far.building)
                .put(so_far.traded)
                .all([so_far.robbed, so_far.chose, so_far.saved])
                .one_of(with, 2 + players)
                .put(lot.cards)
                .cards(lot.taken);
        });
    }
}
