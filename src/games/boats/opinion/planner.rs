//! The planning policy: does what makes its position worth the most, as the island's `worth` sees it where boats are
//! roads, and as near as that brings it to foreign land.

use crate::core::game::Game;
use crate::core::opinion::{Describe, Judge, Policy, Rate, shares_by};
use crate::core::resources::Resources;
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::observe::View;
use crate::games::boats::opinion::charted::{KnownVoyages, chart, chart_reach, uncovers};
use crate::games::boats::opinion::inputs::{self, NET};
use crate::games::boats::opinion::weights::{Sea, Weights};
use crate::games::boats::state::{Own, State};
use crate::parts::island;
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::opinion::evaluation::Evaluation;
use crate::parts::island::opinion::inputs as island_inputs;
use crate::parts::island::opinion::standing::Standings;
use crate::parts::island::opinion::talk::Talk;
use crate::parts::island::state::{Phase, SETTLEMENTS, Table};
use crate::parts::places::{Edge, EdgeSet, Vertex};
use rand_pcg::Pcg32;
use std::sync::LazyLock;

/// Plans by these weights.
#[derive(Debug, Clone)]
pub struct Planner {
    weights: Weights,
    standings: Standings,
    voyages: KnownVoyages,
}

impl Planner {
    /// A planner with these weights.
    pub fn new(weights: Weights) -> Planner {
        Planner { weights, standings: Standings::default(), voyages: KnownVoyages::default() }
    }

    /// Looks at a decision, and does something with it.
    fn on_voyage<T>(
        &mut self,
        game: &Boats,
        view: &View<'_>,
        act: impl FnOnce(Voyage<'_>) -> T,
    ) -> T {
        let Planner { weights, standings, voyages } = self;
        standings.on(&view.island.table.board);
        let mut table = *view.island.table;
        if concerns_hands(table.phase) {
            chart_reach(game, &mut table, view.own, view.island.seat);
        } else {
            chart(game, &mut table, view.own);
        }
        let shared = crate::parts::island::observe::View { table: &table, ..view.island };
        let inner = Evaluation::new(game.island(), &weights.island, standings, &shared);
        act(Voyage { game, weights, view, chart: &table, voyages, before: None, inner })
    }
}

/// Whether a decision is about cards in hands alone.
fn concerns_hands(phase: Phase) -> bool {
    matches!(phase, Phase::Answer(_) | Phase::Choose | Phase::Discard { .. })
}

/// What foreign land is worth to a seat that has not settled there, by how near it is; a waiting chit and gold count
/// too.
fn outlook(
    game: &Boats,
    weights: &Weights,
    chart: &Table,
    own: &Own,
    seat: Seat,
    voyages: &mut KnownVoyages,
) -> f32 {
    let at = seat.idx();
    let sea = &weights.sea;
    let chit = f32::from(game.rules.chit);
    let kept = sea.waiting * chit * f32::from(own.waiting[at]) + sea.gold * f32::from(own.gold[at]);
    if chart.pieces.nets[at].settlements.len() >= SETTLEMENTS {
        return kept;
    }
    match voyages.boats_to_foreign(game, chart, own, seat) {
        Some(boats) => {
            let near = (0..boats).fold(1.0, |near, _| near * sea.distance);
            kept + sea.landing * near * chit
        }
        None => kept,
    }
}

/// What the helpers of a seat are worth to it.
fn helpers(sea: &Sea, own: &Own, seat: Seat) -> f32 {
    let at = seat.idx();
    sea.isa * f32::from(own.isa_left[at]) + if own.louis[at] { sea.louis } else { 0.0 }
}

/// One decision.
struct Voyage<'a> {
    game: &'a Boats,
    weights: &'a Weights,
    view: &'a View<'a>,
    chart: &'a Table,
    voyages: &'a mut KnownVoyages,
    /// What foreign land is worth before it, once something that may be built has asked for it.
    before: Option<f32>,
    inner: Evaluation<'a>,
}

impl Voyage<'_> {
    /// What an action brings, in points; 0 for what changes nothing.
    fn rate(&mut self, action: Action) -> f32 {
        let [road, settlement, ..] = self.game.island().prices();
        let acts = self.view.island.table.phase == Phase::Act;
        let price = |cost| if acts { cost } else { Resources::NONE };
        match action {
            Action::Island(IslandAction::Road { edge }) => self.rate_edge(edge, price(road)),
            Action::Island(IslandAction::Settlement { vertex }) => {
                self.rate_settlement(vertex, price(settlement))
            }
            Action::Island(shared) => self.inner.rate(shared),
            Action::Own(OwnAction::Boat { edge }) => {
                self.rate_edge(edge, price(self.game.boat_cost()))
            }
            Action::Own(OwnAction::IsaBoat { edge, pay }) => {
                self.rate_edge(edge, Resources::one(pay)) - self.weights.sea.isa
            }
            Action::Own(OwnAction::MoveBoat { from, to }) => {
                // The first move of a turn never takes Isa.
                let takes_isa = self.view.own.moved > 0;
                let isa = if takes_isa { self.weights.sea.isa } else { 0.0 };
                self.rate_move(from, to, true) - isa
            }
            Action::Own(OwnAction::MoveRoad { from, to }) => self.rate_move(from, to, false),
            Action::Own(OwnAction::Gold { want }) => {
                let spent = self.weights.sea.gold * f32::from(self.game.rules.gold.price);
                self.inner.with_hand(self.view.island.hand + Resources::one(want)) - spent
            }
            Action::Own(OwnAction::Helper { take }) => {
                let mut own = *self.view.own;
                own.give(self.view.island.seat, take);
                helpers(&self.weights.sea, &own, self.view.island.seat)
            }
        }
    }

    /// A road or a boat.
    fn rate_edge(&mut self, edge: Edge, cost: Resources) -> f32 {
        let mut after = *self.chart;
        self.inner.place(&mut after, IslandAction::Road { edge });
        self.rate_after(&after, edge, cost)
    }

    /// The chart with another edge, and what the edge uncovers.
    fn rate_after(&mut self, after: &Table, edge: Edge, cost: Resources) -> f32 {
        let Voyage { game, weights, view, .. } = *self;
        let seat = view.island.seat;
        let found = f32::from(uncovers(game, view.own, edge));
        let nearer = outlook(game, weights, after, view.own, seat, self.voyages) - self.before();
        let gain = self.inner.gain_by_road(after, view.island.hand - cost);
        gain + nearer + weights.sea.uncovered * found
    }

    /// What foreign land is worth before the decision.
    fn before(&mut self) -> f32 {
        let Voyage { game, weights, view, chart, .. } = *self;
        let voyages = &mut *self.voyages;
        *self.before.get_or_insert_with(|| {
            outlook(game, weights, chart, view.own, view.island.seat, voyages)
        })
    }

    fn rate_move(&mut self, from: Edge, to: Edge, is_boat: bool) -> f32 {
        let (game, view) = (self.game, self.view);
        let seat = view.island.seat;
        let (mut table, mut own) = (*view.island.table, *view.own);
        if is_boat {
            game.take_boat(&mut table.pieces, &mut own, (seat, from));
            own.boats[seat.idx()] |= EdgeSet::one(to);
            table.pieces.block(EdgeSet::one(to));
        } else {
            table.pieces.take_road(game.island().map(), seat, from);
            table.pieces.stand_on(game.island().map(), &game.ground(&own));
            table.pieces.lay_road(game.island().map(), seat, to);
        }
        chart(game, &mut table, &own);
        self.rate_after(&table, to, Resources::NONE) - self.weights.sea.boat_move
    }

    /// A settlement, with the chit that it may earn.
    fn rate_settlement(&mut self, vertex: Vertex, cost: Resources) -> f32 {
        let (game, view) = (self.game, self.view);
        let seat = view.island.seat;
        let mut after = *self.chart;
        let earns = !matches!(view.island.table.phase, Phase::Found)
            && self.voyages.foreign(game, self.chart, view.own, seat).contains(vertex);
        if earns {
            after.bonus[seat.idx()] += game.rules.chit;
        }
        game.island().place(&mut after, IslandAction::Settlement { vertex });
        let nearer =
            outlook(game, self.weights, &after, view.own, seat, self.voyages) - self.before();
        self.inner.gain(&after, view.island.hand - cost) + nearer
    }
}

impl Policy<Boats> for Planner {
    fn choose(
        &mut self,
        game: &Boats,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        self.on_voyage(game, view, |mut voyage| {
            let shared = |action| match action {
                Action::Island(shared) => Some(shared),
                Action::Own(_) => None,
            };
            let talk = Talk::of(game.island(), &view.island, legal, shared);
            let of_talk = voyage.inner.seek(talk.places());
            talk.best(talk.others().map(|action| voyage.rate(action)), of_talk)
        })
    }
}

impl Rate<Boats> for Planner {
    fn rate(&mut self, game: &Boats, view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        out.clear();
        self.on_voyage(game, view, |mut voyage| {
            out.extend(legal.iter().map(|&action| voyage.rate(action)));
        });
    }

    fn fog(&self) -> f32 {
        self.weights.island.fog
    }
}

impl Planner {
    /// The position on the island as its opinions read it.
    fn charted(&mut self, game: &Boats, state: &State) -> island::state::State {
        self.standings.on(&state.island.table.board);
        let mut charted = state.island;
        chart(game, &mut charted.table, &state.own);
        charted
    }
}

impl Describe<Boats> for Planner {
    fn describe(&mut self, game: &Boats, state: &State, mut tell: impl FnMut(Seat, &[f32])) {
        let chart = self.charted(game, state);
        let Planner { weights, standings, voyages } = self;
        let shared = island_inputs::all(game.island(), &weights.island, standings, &chart);
        for seat in Seat::all(game.players()) {
            let island = &shared[seat.idx()];
            tell(seat, &inputs::all(game, state, &chart.table, seat, island, voyages));
        }
    }
}

impl Judge<Boats> for Planner {
    fn net_win_probabilities(&mut self, game: &Boats, state: &State) -> PerSeat<f32> {
        self.by_net(&NET, game, state)
    }

    fn read_net(&self) {
        LazyLock::force(&NET);
    }

    fn win_probabilities(&mut self, game: &Boats, state: &State) -> PerSeat<f32> {
        let chart = self.charted(game, state);
        let Planner { weights, standings, voyages } = self;
        shares_by(game.players(), weights.island.fog, |seat| {
            let (features, _) = standings.features(game.island(), &weights.island, &chart, seat);
            weights.island.worth(&features)
                + outlook(game, weights, &chart.table, &state.own, seat, voyages)
                + helpers(&weights.sea, &state.own, seat)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::boats::rules::Rules;
    use crate::games::support::choices_have_the_highest_rating;

    #[test]
    fn it_chooses_what_it_rates_highest() {
        let game = Boats::new(Rules::default(), 4).expect("the default rules");
        let choices = |seed| choices_have_the_highest_rating(&game, &Weights::default(), seed);
        let long: usize = (0..2).map(choices).sum();
        assert!(long > 100, "{long} long lists");
    }
}
