//! What a seat sees, and what it may do, as numbers: those of the island, and what this game adds.

use crate::core::arrays::{ActionKind, ActionNumbers, Arrays, Columns, resource, steps};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::two_player::action::Action;
use crate::games::two_player::game::{PLAYERS, TwoPlayer};
use crate::games::two_player::observe::View;
use crate::games::two_player::state::Owed;

/// What the active player may owe.
const OWED: usize = 3;

impl Arrays for TwoPlayer {
    fn columns(&self, view: &View<'_>, out: &mut impl Columns) {
        self.island.tell(&view.island, None, out);
        let players = usize::from(PLAYERS);
        let features =
            [("tokens", players), ("first", 1), ("acted", 1), ("turned_in", 1), ("owed", OWED)];
        out.group("two", 1, &features, |rows| {
            let own = view.own;
            let seats = view.island.seat.clockwise(PLAYERS);
            let owed = match own.owed {
                Owed::Nothing => None,
                Owed::Cards => Some(0),
                Owed::Road => Some(1),
                Owed::Settlement => Some(2),
            };
            rows.row(0)
                .all(seats.map(|seat| own.tokens[seat.idx()]))
                .put(own.first)
                .put(own.acted)
                .put(own.turned_in)
                .one_of(owed, OWED);
        });
    }

    fn action_kinds(&self) -> Vec<ActionKind> {
        let island = self.island.action_kinds();
        let owners = usize::from(self.island.owners);
        let places = |name| {
            let kind = island.iter().find(|kind| kind.name == name);
            kind.expect("a kind of the island").fields[0]
        };
        let (edge, vertex) = (places("road"), places("settlement"));
        let own = [
            ActionKind::new("neutral_road", &[("seat", owners), edge]),
            ActionKind::new("neutral_settlement", &[("seat", owners), vertex]),
            ActionKind::new("forced_trade", &[]),
            ActionKind::new("give_back", &[resource("first"), resource("second")]),
            ActionKind::new("robber_home", &[]),
            ActionKind::new("turn_in", &[]),
        ];
        own.into_iter().chain(island.clone()).collect()
    }

    fn action_numbers(&self, seat: Seat, action: Action) -> ActionNumbers {
        let of = |kind, one, two| ActionNumbers::new(kind, [one, two, 0]);
        match action {
            Action::NeutralRoad { seat: owner, edge } => {
                of(0, steps(seat, owner, PLAYERS), edge.idx())
            }
            Action::NeutralSettlement { seat: owner, vertex } => {
                of(1, steps(seat, owner, PLAYERS), vertex.idx())
            }
            Action::ForcedTrade => of(2, 0, 0),
            Action::GiveBack { first, second } => {
                let cards = Resources::one(first) + Resources::one(second);
                of(3, first.idx(), second.idx()).with(cards, Resources::NONE)
            }
            Action::RobberHome => of(4, 0, 0),
            Action::TurnIn => of(5, 0, 0),
            Action::Island(action) => self.island.action_numbers(seat, action).after(6),
        }
    }
}
