//! What may be done: the island's list, with what this variant adds behind it.

use crate::core::game::{ActionFilter, IllegalAction};
use crate::core::resources::Kinds;
use crate::core::types::actions::{Actions, Choices, Listing, Part, made_of};
use crate::core::types::seat::Seat;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::rules::Helper;
use crate::games::boats::sea::Berths;
use crate::games::boats::state::State;
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::legal::list_settlements;
use crate::parts::island::state::{Phase, SETTLEMENTS, Stage};
use crate::parts::places::{Edge, EdgeSet, VertexSet};

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
    boat_moves: Option<Moves>,
    /// Roads that it can move with Louis, and where to. (BOAT-41)
    road_moves: Option<Moves>,
    /// What it can buy with gold.
    gold_buys: Kinds,
}

/// Pieces that can be moved.
struct Moves {
    open: EdgeSet,
    berths: Berths,
}

impl Moves {
    /// Lists where each can go.
    #[inline]
    fn list(&self, out: &mut impl Listing<Action>, make: impl Fn(Edge, Edge) -> OwnAction) {
        for from in self.open {
            let places = self.berths.without(from);
            let go = |to| Action::Own(make(from, to));
            out.each(places.len().into(), made_of(places.iter(), go));
        }
    }
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
        if let Some(moves) = &self.boat_moves {
            moves.list(out, |from, to| OwnAction::MoveBoat { from, to });
        }
        if let Some(moves) = &self.road_moves {
            moves.list(out, |from, to| OwnAction::MoveRoad { from, to });
        }
        let buy = |want| Action::Own(OwnAction::Gold { want });
        out.each(self.gold_buys.len(), made_of(self.gold_buys.iter(), buy));
    }
}

/// Whose list of what may be done it is.
enum Asked {
    /// That of [`Acts`].
    Acts,
    /// That of [`Others`].
    Others,
    /// The island's.
    Island,
}

/// What only this variant asks, or asks in its own way.
struct Others<'a> {
    game: &'a Boats,
    state: &'a State,
}

impl Choices<Action> for Others<'_> {
    fn list(&self, out: &mut impl Listing<Action>) {
        let Others { game, state } = *self;
        let table = &state.island.table;
        let mut shared = Part::of(out, Action::Island);
        match table.phase {
            Phase::Found => list_settlements(table.pieces.open & game.founding, &mut shared),
            Phase::FoundRoad(vertex) => {
                game.island.list(&state.island, ActionFilter::Plain, &mut shared);
                // By the distance rule no other piece lies at a founding settlement.
                let waters = game.island.map.edges[vertex.idx()] & state.own.waters;
                list_boats(waters.kept_if(game.has_boats(state)), out);
            }
            Phase::Robber => {
                game.island.list_raid(&state.island, game.land(&state.own), &mut shared);
            }
            _ => game.list_helpers(table.active, out),
        }
    }
}

impl Boats {
    /// Adds the legal actions. See [`crate::core::game::Game::list`].
    pub(super) fn list(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        match Boats::asked(state) {
            Asked::Acts => self.acts(state, filter).list(out),
            Asked::Others => Others { game: self, state }.list(out),
            Asked::Island => {
                self.island.list(&state.island, filter, &mut Part::of(out, Action::Island));
            }
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
        match Boats::asked(state) {
            Asked::Acts => self.acts(state, filter).draw(place),
            Asked::Others => Others { game: self, state }.draw(place),
            Asked::Island => {
                let (action, count) = self.island.draw(&state.island, filter, place);
                (Action::Island(action), count)
            }
        }
    }

    /// Whose list it is.
    #[inline]
    fn asked(state: &State) -> Asked {
        let table = &state.island.table;
        match table.phase {
            Phase::Act if state.must_choose() => Asked::Others,
            Phase::Act if table.stage != Stage::Roll => Asked::Acts,
            Phase::Found | Phase::FoundRoad(_) | Phase::Robber => Asked::Others,
            _ => Asked::Island,
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
            boat_moves: None,
            road_moves: None,
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
            let berths = self.boat_berths(table, own, seat);
            acts.boats = berths.all().kept_if(pays);
            acts.isa_boats = berths.all().kept_if(helped);
            acts.boat_moves = moves.then(|| {
                let movable = own.boats[seat.idx()] - own.still;
                // A road of its own binds a boat as well.
                let open = berths.open_ended(movable, table.pieces.nets[seat.idx()].reach);
                Moves { open, berths }
            });
        }
        if table.stage == Stage::Main && own.louis[seat.idx()] && !own.road_moved {
            let berths = self.road_berths(table, seat);
            // A boat that meets a road binds it by a building only.
            let open = berths.open_ended(table.pieces.nets[seat.idx()].roads, VertexSet::NONE);
            acts.road_moves = Some(Moves { open, berths });
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
