//! What may be done: the island's list, with what this variant adds behind it.

use crate::core::game::{ActionFilter, IllegalAction};
use crate::core::resources::Kinds;
use crate::core::types::actions::{Actions, Choices, Listing, Part, made_of};
use crate::core::types::seat::Seat;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::rules::{BOATS_MAX, Helper};
use crate::games::boats::state::State;
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::legal::list_settlements;
use crate::parts::island::state::{Phase, ROADS, SETTLEMENTS, Stage};
use crate::parts::places::{Edge, EdgeSet, VertexSet};
use arrayvec::ArrayVec;

/// What the active seat may do after the roll, and after another's turn, found out once: the island's actions, and what
/// this variant adds.
struct Acts<S> {
    shared: S,
    /// Where its boats arrive and it can settle.
    landings: VertexSet,
    /// Boats that it can build at the full price.
    boats: EdgeSet,
    /// Boats that it can build with Isa.
    isa_boats: EdgeSet,
    /// What it can pay for these. (BOAT-40)
    isa_pays: Kinds,
    /// Boats that it can move, and where to. (BOAT-20 to BOAT-22)
    boat_moves: ArrayVec<(Edge, EdgeSet), BOATS_MAX>,
    /// Roads that it can move with Louis, and where to. (BOAT-41)
    road_moves: ArrayVec<(Edge, EdgeSet), { ROADS as usize }>,
    /// What it can buy with gold.
    gold_buys: Kinds,
}

impl<S: Choices<IslandAction>> Choices<Action> for Acts<S> {
    fn list(&self, out: &mut impl Listing<Action>) {
        self.shared.list(&mut Part::of(out, Action::Island));
        list_settlements(self.landings, &mut Part::of(out, Action::Island));
        list_boats(self.boats, out);
        if !self.isa_boats.is_empty() {
            for pay in self.isa_pays.iter() {
                let boat = |edge| Action::Own(OwnAction::IsaBoat { edge, pay });
                out.each(self.isa_boats.len().into(), made_of(self.isa_boats.iter(), boat));
            }
        }
        for &(from, places) in &self.boat_moves {
            let go = |to| Action::Own(OwnAction::MoveBoat { from, to });
            out.each(places.len().into(), made_of(places.iter(), go));
        }
        for &(from, places) in &self.road_moves {
            let go = |to| Action::Own(OwnAction::MoveRoad { from, to });
            out.each(places.len().into(), made_of(places.iter(), go));
        }
        let buy = |want| Action::Own(OwnAction::Gold { want });
        out.each(self.gold_buys.len(), made_of(self.gold_buys.iter(), buy));
    }
}

/// What may be done at other times.
struct Others<'a> {
    game: &'a Boats,
    state: &'a State,
    filter: ActionFilter,
}

impl Choices<Action> for Others<'_> {
    fn list(&self, out: &mut impl Listing<Action>) {
        self.game.list(self.state, self.filter, out);
    }
}

impl Boats {
    /// Adds the legal actions. See [`crate::core::game::Game::list`].
    pub(super) fn list(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        let table = &state.island.table;
        let mut shared = Part::of(out, Action::Island);
        match table.phase {
            Phase::Found => {
                list_settlements(table.pieces.open & self.founding, &mut shared);
            }
            Phase::FoundRoad(vertex) => {
                self.island.list(&state.island, filter, &mut shared);
                // By the distance rule no other piece lies at a founding settlement.
                let waters = self.island.map.edges[vertex.idx()] & state.own.waters;
                list_boats(waters.kept_if(self.has_boats(state)), out);
            }
            Phase::Robber => {
                self.island.list_raid(&state.island, self.land(&state.own), &mut shared);
            }
            Phase::Act if state.must_choose() => self.list_helpers(table.active, out),
            Phase::Act if table.stage != Stage::Roll => self.acts(state, filter).list(out),
            _ => self.island.list(&state.island, filter, &mut shared),
        }
    }

    /// One of the legal actions. See [`crate::core::game::Game::draw`].
    #[inline]
    pub(super) fn draw_action(
        &self,
        state: &State,
        filter: ActionFilter,
        place: impl FnOnce(usize) -> usize,
    ) -> (Action, usize) {
        let table = &state.island.table;
        if table.phase == Phase::Act && table.stage != Stage::Roll {
            self.acts(state, filter).draw(place)
        } else {
            Others { game: self, state, filter }.draw(place)
        }
    }

    fn list_helpers(&self, seat: Seat, out: &mut impl Listing<Action>) {
        let allowed = self.rules.helpers_allowed[seat.idx()].bits();
        let open = Helper::ALL.into_iter().filter(|helper| allowed & helper.bit() != 0);
        let take = |take| Action::Own(OwnAction::Helper { take });
        out.each(allowed.count_ones() as usize, made_of(open, take));
    }

    /// What the active seat may do after the roll, and after another's turn.
    fn acts<'a>(
        &'a self,
        state: &'a State,
        filter: ActionFilter,
    ) -> Acts<impl Choices<IslandAction> + use<'a>> {
        let (table, own) = (&state.island.table, &state.own);
        let seat = table.active;
        let hand = state.island.hands[seat.idx()];
        let mut acts = Acts {
            shared: self.island.act_choices(&state.island, filter),
            landings: VertexSet::NONE,
            boats: EdgeSet::NONE,
            isa_boats: EdgeSet::NONE,
            isa_pays: self.boat_cost.kinds().and(hand.kinds()),
            boat_moves: ArrayVec::new(),
            road_moves: ArrayVec::new(),
            gold_buys: Kinds::NONE,
        };
        let [_, settlement, ..] = self.island.prices();
        let settlements = table.pieces.nets[seat.idx()].settlements.len();
        if hand.covers(settlement) && settlements < SETTLEMENTS {
            acts.landings = self.landings(table, own, seat);
        }
        let builds = self.has_boats(state);
        let pays = builds && hand.covers(self.boat_cost);
        let helped = builds && state.has_isa() && !acts.isa_pays.is_empty();
        let moves = table.stage == Stage::Main && (own.moved == 0 || state.has_isa());
        if pays || helped || moves {
            let moorings = self.moorings(table, own, seat);
            acts.boats = moorings.berths().kept_if(pays);
            acts.isa_boats = moorings.berths().kept_if(helped);
            if moves {
                let open = self.open_boats(table, own, seat, own.boats[seat.idx()] - own.still);
                acts.boat_moves.extend(open.iter().map(|from| (from, moorings.without(from))));
            }
        }
        if table.stage == Stage::Main && own.louis[seat.idx()] && !own.road_moved {
            let open = self.open_roads(table, seat).iter();
            let places = |from| (from, self.road_places(table, seat, from));
            acts.road_moves.extend(open.map(places));
        }
        let rules = self.rules.gold;
        let buys = own.bought < rules.cards_max && own.gold[seat.idx()] >= rules.price;
        if buys && self.island.may_trade(table) {
            acts.gold_buys = table.bank.kinds();
        }
        acts
    }

    /// Whether the active seat has a boat left in its supply. (BOAT-51)
    fn has_boats(&self, state: &State) -> bool {
        state.own.boats[state.island.table.active.idx()].len() < self.rules.boats
    }

    /// Whether the rules allow an action here. See [`crate::core::game::Game::permits`].
    ///
    /// # Errors
    /// Says what forbids it.
    pub(super) fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        use IslandAction::{Counter, Offer};
        let phase = state.island.table.phase;
        match (phase, action) {
            (Phase::Act, Action::Island(shared @ Offer { .. }))
            | (Phase::Answer(_), Action::Island(shared @ Counter { .. })) => {
                self.island.permits(&state.island, shared)
            }
            _ => {
                let mut list = Actions::new();
                self.list(state, ActionFilter::NoOffers, &mut list);
                if list.contains(&action) {
                    return Ok(());
                }
                Err(IllegalAction(self.why_not(state, action)))
            }
        }
    }

    fn why_not(&self, state: &State, action: Action) -> String {
        let table = &state.island.table;
        match action {
            _ if state.must_choose() => format!("`{action}`: a helper is chosen first"),
            Action::Island(shared) => self.island.why_not(&state.island, shared),
            Action::Own(_) => {
                let (stage, phase) = (table.stage, table.phase);
                format!("`{action}` is not among the choices here ({stage:?}, {phase:?})")
            }
        }
    }
}

fn list_boats(edges: EdgeSet, out: &mut impl Listing<Action>) {
    let boat = |edge| Action::Own(OwnAction::Boat { edge });
    out.each(edges.len().into(), made_of(edges.iter(), boat));
}
