//! What an action does where the island alone would not be enough.

use crate::core::chance::Chance;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::SEATS_MAX;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::rules::When;
use crate::games::boats::state::State;
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::apply::pay;
use crate::parts::island::luck::Draw;
use crate::parts::island::state::{Phase, Stage};
use crate::parts::places::{Edge, EdgeSet, Vertex};

impl Boats {
    /// Carries out an action that the rules allow.
    #[inline]
    pub(super) fn apply<C: Chance<Draw>>(&self, state: &mut State, action: Action, chance: &mut C) {
        state.own.took_route = false;
        match action {
            Action::Island(IslandAction::Road { edge }) => self.road(state, edge, chance),
            Action::Island(IslandAction::Settlement { vertex }) => self.settlement(state, vertex),
            Action::Island(IslandAction::EndTurn) => self.end_turn(state, chance),
            Action::Island(action) => self.island.apply(&mut state.island, action, chance),
            Action::Own(OwnAction::Boat { edge }) => {
                self.boat(state, edge, self.boat_cost, chance);
            }
            Action::Own(OwnAction::IsaBoat { edge, pay }) => {
                state.own.isa_left[state.island.table.active.idx()] -= 1;
                self.boat(state, edge, Resources::one(pay), chance);
            }
            Action::Own(OwnAction::MoveBoat { from, to }) => {
                self.move_boat(state, from, to, chance);
            }
            Action::Own(OwnAction::MoveRoad { from, to }) => {
                self.move_road(state, from, to, chance);
            }
            Action::Own(OwnAction::Gold { want }) => self.spend(state, want),
            Action::Own(OwnAction::Helper { take }) => {
                let seat = state.island.table.active;
                state.own.give(seat, take);
                state.own.choosing[seat.idx()] = false;
            }
        }
    }

    fn road<C: Chance<Draw>>(&self, state: &mut State, edge: Edge, chance: &mut C) {
        let table = &mut state.island.table;
        table.pieces.lay_road(self.island.map, table.active, edge);
        self.uncover(state, edge, chance);
        self.lengths_changed(state);
        self.island.road_laid(&mut state.island, chance);
    }

    fn settlement(&self, state: &mut State, vertex: Vertex) {
        let table = &mut state.island.table;
        let founds = matches!(table.stage, Stage::Founding(_));
        self.island.put_settlement(table, table.active, vertex);
        // It may be a wall to any seat.
        state.own.lengths = [None; SEATS_MAX];
        if !founds {
            // Founding earns none.
            self.settle_chits(state);
            self.lengths_changed(state);
        }
        self.island.settled(&mut state.island, vertex);
    }

    /// Determines the longest trade route, if that is its time, and who acts next. (BOAT-30)
    fn end_turn<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        if self.rules.route.when == When::EndOfTurn {
            self.pass_route(state);
            self.island.look_for_win(&mut state.island);
            if matches!(state.island.table.phase, Phase::Over(_)) {
                return;
            }
        }
        let own = &mut state.own;
        own.still = EdgeSet::NONE;
        (own.moved, own.road_moved, own.bought) = (0, false, 0);
        self.island.end_turn(&mut state.island, chance);
    }

    /// Builds a boat: at no cost in place of a founding road, else for a price. (BOAT-10, BOAT-14)
    fn boat<C: Chance<Draw>>(
        &self,
        state: &mut State,
        edge: Edge,
        cost: Resources,
        chance: &mut C,
    ) {
        let founds = matches!(state.island.table.phase, Phase::FoundRoad(_));
        Boats::put_boat(state, edge);
        self.uncover(state, edge, chance);
        if founds {
            return self.island.founded(&mut state.island, chance);
        }
        state.own.still |= EdgeSet::one(edge);
        pay(&mut state.island, cost);
        state.island.table.so_far.built = true;
        self.lengths_changed(state);
        self.island.look_for_win(&mut state.island);
    }

    /// Lays a boat of the active seat, so that no road can lie there. (BOAT-11)
    fn put_boat(state: &mut State, edge: Edge) {
        let table = &mut state.island.table;
        let boat = EdgeSet::one(edge);
        state.own.boats[table.active.idx()] |= boat;
        state.own.lengths[table.active.idx()] = None;
        table.pieces.block(boat);
    }

    /// Moves a boat; every one but the first of a turn takes a use of Isa. (BOAT-20 to BOAT-22, BOAT-40)
    fn move_boat<C: Chance<Draw>>(&self, state: &mut State, from: Edge, to: Edge, chance: &mut C) {
        let own = &mut state.own;
        let seat = state.island.table.active.idx();
        if own.moved > 0 {
            own.isa_left[seat] -= 1;
        }
        own.moved += 1;
        own.still |= EdgeSet::one(to);
        let table = &mut state.island.table;
        self.take_boat(&mut table.pieces, own, (table.active, from));
        Boats::put_boat(state, to);
        self.uncover(state, to, chance);
        self.lengths_changed(state);
        self.island.look_for_win(&mut state.island);
    }

    /// Moves a road. (BOAT-41)
    fn move_road<C: Chance<Draw>>(&self, state: &mut State, from: Edge, to: Edge, chance: &mut C) {
        state.own.road_moved = true;
        let ground = self.ground(&state.own);
        let table = &mut state.island.table;
        table.pieces.take_road(self.island.map, table.active, from);
        table.pieces.stand_on(self.island.map, &ground);
        table.pieces.lay_road(self.island.map, table.active, to);
        self.uncover(state, to, chance);
        self.lengths_changed(state);
        self.island.look_for_win(&mut state.island);
    }

    /// Buys a card with gold. (BOAT-2)
    fn spend(&self, state: &mut State, want: Resource) {
        let seat = state.island.table.active.idx();
        state.own.gold[seat] -= self.rules.gold.price;
        state.own.bought += 1;
        let card = Resources::one(want);
        state.island.hands[seat] = state.island.hands[seat] + card;
        state.island.table.bank = state.island.table.bank - card;
    }

    /// Notes that the active seat's pieces changed. The longest trade route is determined if that happens at once;
    /// else one that the seat has broken doesn't win until then. (BOAT-30)
    fn lengths_changed(&self, state: &mut State) {
        let State { island, own } = state;
        own.lengths[island.table.active.idx()] = None;
        if self.rules.route.when == When::AtOnce {
            return self.pass_route(state);
        }
        let broken = self.broke_route(&island.table, own);
        island.table.withheld = if broken { self.rules.route.points } else { 0 };
    }

    /// Determines who has the longest trade route, and notes whether it is now the active seat. (BOAT-30)
    fn pass_route(&self, state: &mut State) {
        let State { island, own } = state;
        let table = &mut island.table;
        let before = table.route;
        self.award_route(table, own);
        table.withheld = 0;
        own.took_route = table.route != before && table.route == Some(table.active);
    }
}
