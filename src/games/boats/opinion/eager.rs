//! The one-step policy: that of the island; a boat is worth something if it leads to a spot or uncovers a hex.

use crate::core::game::ActionFilter;
use crate::core::opinion::{Policy, Rate, first_best};
use crate::core::resources::Resources;
use crate::core::types::actions::Actions;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::observe::View;
use crate::games::boats::opinion::charted::{FARTHEST, charted, foreign, pieces_to, uncovers};
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::opinion::eager as island;
use crate::parts::island::opinion::weights::Weights;
use crate::parts::island::state::{SETTLEMENTS, Table};
use crate::parts::places::{Edge, VertexSet};
use rand_pcg::Pcg32;

/// Takes what brings the most now.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eager;

impl Policy<Boats> for Eager {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Full
    }

    fn choose(
        &mut self,
        game: &Boats,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        first_best(worths(game, view, legal))
    }
}

impl Rate<Boats> for Eager {
    /// In points.
    fn rate(&mut self, game: &Boats, view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        out.clear();
        out.extend(worths(game, view, legal).map(|worth| worth as f32 / 100.0));
    }

    /// The planner's default.
    fn fog(&self) -> f32 {
        Weights::DEFAULT.fog
    }
}

/// What each action of a list is worth at once.
fn worths<'a>(
    game: &'a Boats,
    view: &View<'a>,
    legal: &'a [Action],
) -> impl Iterator<Item = i32> + 'a {
    let voyage = Voyage::new(game, view);
    legal.iter().map(move |&action| voyage.worth(action))
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
        let chart = charted(game, table, own);
        let foreign = foreign(game, table, own, seat);
        let distance = pieces_to(game, &chart, seat, foreign, FARTHEST);
        let distance = distance.unwrap_or(FARTHEST + 1);
        Voyage { game, view: *view, chart, foreign, distance }
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
