//! What may be done: the island's list, with what this variant adds behind it.

use crate::core::game::{ActionFilter, IllegalAction};
use crate::core::resources::Resources;
use crate::core::types::actions::{Actions, Listing, Part, made_of};
use crate::core::types::seat::Seat;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::rules::Helper;
use crate::games::boats::state::State;
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::legal::list_settlements;
use crate::parts::island::state::{Phase, SETTLEMENTS, Stage};
use crate::parts::places::EdgeSet;

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
            _ => {
                self.island.list(&state.island, filter, &mut shared);
                if table.phase == Phase::Act && table.stage != Stage::Roll {
                    self.list_own(state, out);
                }
            }
        }
    }

    fn list_helpers(&self, seat: Seat, out: &mut impl Listing<Action>) {
        let allowed = self.rules.helpers_allowed[seat.idx()].bits();
        let open = Helper::ALL.into_iter().filter(|helper| allowed & helper.bit() != 0);
        let take = |take| Action::Own(OwnAction::Helper { take });
        out.each(allowed.count_ones() as usize, made_of(open, take));
    }

    /// What this variant adds after the roll, and after another's turn.
    fn list_own(&self, state: &State, out: &mut impl Listing<Action>) {
        let (table, own) = (&state.island.table, &state.own);
        let seat = table.active;
        let hand = state.island.hands[seat.idx()];
        let [_, settlement, ..] = self.island.prices();
        let settlements = table.pieces.nets[seat.idx()].settlements.len();
        if hand.covers(settlement) && settlements < SETTLEMENTS {
            let landings = self.landings(table, own, seat);
            list_settlements(landings, &mut Part::of(out, Action::Island));
        }
        self.list_boats(state, hand, out);
        if table.stage == Stage::Main {
            self.list_moves(state, out);
        }
        let rules = self.rules.gold;
        let buys = own.bought < rules.cards_max && own.gold[seat.idx()] >= rules.price;
        if buys && self.island.may_trade(table) {
            let kinds = table.bank.kinds();
            let buy = |want| Action::Own(OwnAction::Gold { want });
            out.each(kinds.len(), made_of(kinds.iter(), buy));
        }
    }

    /// Boats that the active seat can build, at the full price and then with Isa. (BOAT-10, BOAT-40)
    fn list_boats(&self, state: &State, hand: Resources, out: &mut impl Listing<Action>) {
        let (table, own) = (&state.island.table, &state.own);
        let seat = table.active;
        let boats = own.boats[seat.idx()];
        let kinds = self.boat_cost.kinds().and(hand.kinds());
        let pays = hand.covers(self.boat_cost);
        let helped = state.has_isa() && !kinds.is_empty();
        if !self.has_boats(state) || !(pays || helped) {
            return;
        }
        let berths = self.berths(table, own, seat, boats);
        if pays {
            list_boats(berths, out);
        }
        if helped {
            for pay in kinds.iter() {
                let boat = |edge| Action::Own(OwnAction::IsaBoat { edge, pay });
                out.each(berths.len().into(), made_of(berths.iter(), boat));
            }
        }
    }

    /// Boats, and a road with Louis, that the active seat can move. (BOAT-20 to BOAT-22, BOAT-40, BOAT-41)
    fn list_moves(&self, state: &State, out: &mut impl Listing<Action>) {
        let (table, own) = (&state.island.table, &state.own);
        let seat = table.active;
        let boats = own.boats[seat.idx()];
        if own.moved == 0 || state.has_isa() {
            for from in self.open_boats(table, own, seat, boats - own.still) {
                let places = self.berths(table, own, seat, boats - EdgeSet::one(from));
                let go = |to| Action::Own(OwnAction::MoveBoat { from, to });
                out.each(places.len().into(), made_of(places.iter(), go));
            }
        }
        if own.louis[seat.idx()] && !own.road_moved {
            for from in self.open_roads(table, seat) {
                let places = self.road_places(table, seat, from);
                let go = |to| Action::Own(OwnAction::MoveRoad { from, to });
                out.each(places.len().into(), made_of(places.iter(), go));
            }
        }
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
