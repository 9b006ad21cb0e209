//! What a seat sees, and what it may do, as numbers.

use crate::core::arrays::{ActionKind, ActionNumbers, Arrays, Columns, resource, small, steps};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::{Building, Card, Event, Metropolis, RESOURCES_ALL};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::state::Phase;
use crate::parts::trade_arrays::{offer_kind, swap, tell_proposal};

/// Phases, each a number that is 0 or 1.
const PHASES: usize = 6;

impl Arrays for OnTheRoad {
    fn columns(&self, view: &View<'_>, out: &mut impl Columns) {
        let table = view.table;
        out.group("own", 1, &[("hand", 5), ("points", 1)], |rows| {
            rows.row(0).cards(view.hand).put(table.points(self, view.seat));
        });
        self.tell_seats(view, out);
        self.tell_table(view, out);
        let open = matches!(table.phase, Phase::Answer(_) | Phase::Choose);
        let proposal = open.then_some(&table.proposal);
        tell_proposal((view.seat, self.players), proposal, out);
    }

    fn action_kinds(&self) -> Vec<ActionKind> {
        let players = usize::from(self.players);
        let build = [("card", Card::COUNT), ("replaced", 1 + Resource::COUNT), resource("by")];
        vec![
            ActionKind::new("end_turn", &[]),
            ActionKind::new("build", &build),
            ActionKind::new("accept", &[]),
            ActionKind::new("refuse", &[]),
            ActionKind::new("settle", &[("with", players)]),
            ActionKind::new("decline", &[]),
            ActionKind::new("discard", &[resource("card")]),
            ActionKind::new("give", &[resource("card"), ("to", players)]),
            offer_kind("offer"),
            offer_kind("counter"),
        ]
    }

    fn action_numbers(&self, seat: Seat, action: Action) -> ActionNumbers {
        let of = |kind, one, two| ActionNumbers::new(kind, [one, two, 0]);
        let away = |other| steps(seat, other, self.players);
        let card = Resources::one;
        match action {
            Action::EndTurn => of(0, 0, 0),
            Action::Build { card, pay: Payment::Exact } => of(1, card.idx(), 0),
            Action::Build { card, pay: Payment::Substitute { replaced, by } } => {
                ActionNumbers::new(1, [card.idx(), 1 + replaced.idx(), by.idx()])
            }
            Action::Accept => of(2, 0, 0),
            Action::Refuse => of(3, 0, 0),
            Action::Settle { with } => of(4, away(with), 0),
            Action::Decline => of(5, 0, 0),
            Action::Discard { card: kind } => {
                of(6, kind.idx(), 0).with(card(kind), Resources::NONE)
            }
            Action::Give { card: kind, to } => {
                of(7, kind.idx(), away(to)).with(card(kind), Resources::NONE)
            }
            Action::Offer { give, want, .. } => swap(8, give.cards(), want.cards()),
            Action::Counter { give, want } => swap(9, give.cards(), want.cards()),
        }
    }
}

impl OnTheRoad {
    fn tell_seats(&self, view: &View<'_>, out: &mut impl Columns) {
        let features = [
            ("hand_size", 1),
            ("points", 1),
            ("roads", 1),
            ("settlements", 1),
            ("cities", 1),
            ("knights", 1),
            ("metropolises", Metropolis::COUNT),
            ("route", 1),
            ("army", 1),
            ("current", 1),
            ("pending", 1),
        ];
        let table = view.table;
        out.group("seats", self.players.into(), &features, |rows| {
            for (place, seat) in view.seat.clockwise(self.players).enumerate() {
                let (at, area) = (seat.idx(), &table.areas[seat.idx()]);
                rows.row(place)
                    .put(view.hand_sizes[at])
                    .put(table.points(self, seat))
                    .all([area.roads, area.settlements, area.cities, area.knights])
                    .bits(area.metropolises, Metropolis::COUNT)
                    .put(table.route == Some(seat))
                    .put(table.army == Some(seat))
                    .put(table.current == seat)
                    .put(table.pending >> at & 1);
            }
        });
    }

    fn tell_table(&self, view: &View<'_>, out: &mut impl Columns) {
        let features = [
            ("pile", 1),
            ("discards", 5),
            ("discards_size", 1),
            ("unseen", 5),
            ("row", Building::COUNT),
            ("deck", Building::COUNT),
            ("b_sides", Metropolis::COUNT),
            ("unbuilt", Metropolis::COUNT),
            ("events", Event::CARDS),
            ("turn", 1),
            ("phase", PHASES),
            ("owed", 1),
            ("asked", self.players.into()),
            ("traded", 1),
            ("substituted", 1),
            ("built", 1),
            ("moved", 1),
            ("proposals", 1),
            ("still", 1),
        ];
        let table = view.table;
        let (phase, owed, asked) = match table.phase {
            Phase::Main => (0, 0, None),
            Phase::Answer(seat) => (1, 0, Some(seat)),
            Phase::Choose => (2, 0, None),
            Phase::Charity(seat) => (3, 0, Some(seat)),
            Phase::Discard { seat, owed } => (4, owed, Some(seat)),
            Phase::Over(_) => (5, 0, None),
        };
        out.group("table", 1, &features, |rows| {
            let asked = asked.map(|asked| steps(view.seat, asked, self.players));
            let so_far = &table.so_far;
            rows.row(0)
                .put(view.pile)
                .cards(view.discards)
                .put(view.discards_size)
                .cards(RESOURCES_ALL - view.discards - view.hand)
                .all(table.row)
                .all(table.deck)
                .bits(table.b_sides, Metropolis::COUNT)
                .bits(table.unbuilt, Metropolis::COUNT)
                .bits(table.events, Event::CARDS)
                .put(small(table.turn))
                .one_of(Some(phase), PHASES)
                .put(owed)
                .one_of(asked, self.players.into())
                .all([so_far.traded, so_far.substituted, so_far.built, so_far.moved])
                .put(so_far.proposals)
                .put(table.still);
        });
    }
}
