//! The one-step policy: that of the island; a boat is worth something if it leads to a spot or uncovers a hex.

use crate::core::opinion::AtOnce;
use crate::core::resources::Resources;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::observe::View;
use crate::games::boats::opinion::charted::{FARTHEST, chart, foreign, pieces_to, uncovers};
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::opinion::eager as island;
use crate::parts::island::opinion::weights::Weights;
use crate::parts::island::state::{SETTLEMENTS, Table};
use crate::parts::places::{Edge, VertexSet};

/// Takes what brings the most now.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eager;

impl AtOnce<Boats> for Eager {
    fn worths(game: &Boats, view: &View<'_>, legal: &[Action], mut tell: impl FnMut(i32)) {
        let voyage = Voyage::new(game, view);
        for &action in legal {
            tell(voyage.worth(action));
        }
    }

    /// The planner's default.
    fn fog() -> f32 {
        Weights::DEFAULT.fog
    }
}

/// Where foreign land lies.
struct Voyage<'a> {
    game: &'a Boats,
    view: View<'a>,
    chart: Table,
    foreign: VertexSet,
    /// How many boats are needed to it.
    distance: u8,
}

impl<'a> Voyage<'a> {
    fn new(game: &'a Boats, view: &View<'a>) -> Voyage<'a> {
        let (table, own, seat) = (view.island.table, view.own, view.island.seat);
        let mut charted = *table;
        chart(game, &mut charted, own);
        let foreign = foreign(game, table, own, seat);
        let distance = pieces_to(game, &charted, seat, foreign, FARTHEST);
        let distance = distance.unwrap_or(FARTHEST + 1);
        Voyage { game, view: *view, chart: charted, foreign, distance }
    }

    fn worth(&self, action: Action) -> i32 {
        let Voyage { game, view, .. } = self;
        match action {
            Action::Island(shared) => {
                let worth = island::worth(game.island(), &view.island, shared);
                worth
                    + match shared {
                        IslandAction::Settlement { vertex } if self.foreign.contains(vertex) => {
                            100 * i32::from(game.rules.chit)
                        }
                        IslandAction::Road { edge } => self.edge(edge),
                        _ => 0,
                    }
            }
            Action::Own(OwnAction::Boat { edge }) => self.edge(edge) - 1,
            Action::Own(OwnAction::IsaBoat { edge, .. }) => self.edge(edge),
            Action::Own(OwnAction::MoveBoat { .. } | OwnAction::MoveRoad { .. }) => -1,
            // It does not look ahead: either is as good.
            Action::Own(OwnAction::Helper { .. }) => 0,
            Action::Own(OwnAction::Gold { want }) => {
                let hand = view.island.hand + Resources::one(want);
                island::gain(game.island(), &view.island, hand)
            }
        }
    }

    /// A road or boat is worth something if it uncovers hexes, or brings foreign land nearer.
    fn edge(&self, edge: Edge) -> i32 {
        let Voyage { game, view, .. } = self;
        let seat = view.island.seat;
        let found = 15 * i32::from(uncovers(game, view.own, edge));
        let mut after = self.chart;
        if after.pieces.nets[seat.idx()].settlements.len() >= SETTLEMENTS {
            return found;
        }
        after.pieces.lay_road(game.island().map(), seat, edge);
        let distance = pieces_to(game, &after, seat, self.foreign, FARTHEST);
        match distance.filter(|&left| left < self.distance) {
            Some(left) => found + 20 + i32::from(FARTHEST - left),
            None => found,
        }
    }
}
