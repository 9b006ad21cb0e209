//! What a seat sees, and what it may do, as numbers: those of the island, and what this variant adds.

use crate::core::arrays::{ActionKind, ActionNumbers, Arrays, Columns, Rows, resource};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::observe::View;
use crate::games::boats::rules::Helper;
use crate::games::boats::scenario::{KINDS, SUMS};
use crate::parts::places::Edge;

impl Arrays for Boats {
    fn columns(&self, view: &View<'_>, out: &mut impl Columns) {
        let own = view.own;
        self.island.tell(&view.island, Some([own.sea, own.fog]), out);
        let features = [
            ("gold", 1),
            ("chits", 1),
            ("waiting", 1),
            ("isa_left", 1),
            ("louis", 1),
            ("choosing", 1),
        ];
        let (seat, players) = (view.island.seat, self.island.players);
        out.group("sailors", players.into(), &features, |rows| {
            for (place, at) in seat.clockwise(players).map(Seat::idx).enumerate() {
                rows.row(place)
                    .all([own.gold[at], own.chits[at], own.waiting[at], own.isa_left[at]])
                    .put(own.louis[at])
                    .put(own.choosing[at]);
            }
        });
        let features = [
            ("moved", 1),
            ("road_moved", 1),
            ("bought", 1),
            ("took_route", 1),
            ("terrain", KINDS),
            ("tokens", SUMS),
        ];
        out.group("voyage", 1, &features, |rows| {
            rows.row(0)
                .put(own.moved)
                .put(own.road_moved)
                .put(own.bought)
                .put(own.took_route)
                .all(own.aside.terrain)
                .all(own.aside.tokens);
        });
        let edges = self.island.map.edge_count.into();
        let features = [("boat", players.into()), ("still", 1), ("water", 1), ("river", 1)];
        out.group("waters", edges, &features, |rows| self.tell_waters(view, rows));
    }

    fn action_kinds(&self) -> Vec<ActionKind> {
        let island = self.island.action_kinds();
        let edges = usize::from(self.island.map.edge_count);
        let own = [
            ActionKind::new("boat", &[("edge", edges)]),
            ActionKind::new("isa_boat", &[("edge", edges), resource("pay")]),
            ActionKind::new("move_boat", &[("from", edges), ("to", edges)]),
            ActionKind::new("move_road", &[("from", edges), ("to", edges)]),
            ActionKind::new("gold", &[resource("want")]),
            ActionKind::new("helper", &[("take", 2)]),
        ];
        own.into_iter().chain(island).collect()
    }

    fn action_numbers(&self, seat: Seat, action: Action) -> ActionNumbers {
        let of = |kind, one, two| ActionNumbers::new(kind, [one, two, 0]);
        let none = Resources::NONE;
        match action {
            Action::Own(OwnAction::Boat { edge }) => of(0, edge.idx(), 0),
            Action::Own(OwnAction::IsaBoat { edge, pay }) => {
                of(1, edge.idx(), pay.idx()).with(Resources::one(pay), none)
            }
            Action::Own(OwnAction::MoveBoat { from, to }) => of(2, from.idx(), to.idx()),
            Action::Own(OwnAction::MoveRoad { from, to }) => of(3, from.idx(), to.idx()),
            Action::Own(OwnAction::Gold { want }) => {
                of(4, want.idx(), 0).with(none, Resources::one(want))
            }
            Action::Own(OwnAction::Helper { take: Helper::Isa }) => of(5, 0, 0),
            Action::Own(OwnAction::Helper { take: Helper::Louis }) => of(5, 1, 0),
            Action::Island(action) => self.island.action_numbers(seat, action).after(6),
        }
    }
}

impl Boats {
    fn tell_waters(&self, view: &View<'_>, rows: &mut Rows<'_>) {
        let (own, players) = (view.own, usize::from(self.island.players));
        for (place, seat) in view.island.seat.clockwise(self.island.players).enumerate() {
            rows.mark(own.boats[seat.idx()].iter().map(Edge::idx), place);
        }
        for (column, set) in [own.still, own.waters, self.scenario.rivers].into_iter().enumerate() {
            rows.mark(set.iter().map(Edge::idx), players + column);
        }
    }
}
