//! A position: that of the island, and what this variant adds to it, all of which is open to all.

use crate::core::game::Game;
use crate::core::resources::Resource;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::boats::game::Boats;
use crate::games::boats::rules::{Helper, Helpers, When};
use crate::games::boats::scenario::{DESERT, SEA, SetAside};
use crate::parts::island;
use crate::parts::island::state::{Phase, Stage};
use crate::parts::places::{EdgeSet, HexSet};

/// What this variant adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Own {
    /// Boats by seat.
    pub boats: PerSeat<EdgeSet>,
    /// Boats that were built or moved in this turn: they stay where they are.
    pub still: EdgeSet,
    /// Edges on which a boat may lie, free or not.
    pub waters: EdgeSet,
    /// Hexes that are known to be sea.
    pub sea: HexSet,
    /// Unexplored hexes.
    pub fog: HexSet,
    /// What is set aside for them.
    pub aside: SetAside,
    /// Gold by seat.
    pub gold: PerSeat<u8>,
    /// Chits that count, by seat.
    pub chits: PerSeat<u8>,
    /// Chits that wait beneath a settlement, by seat.
    pub waiting: PerSeat<u8>,
    /// Boats moved in this turn.
    pub moved: u8,
    /// Whether Louis has moved a road in this turn.
    pub road_moved: bool,
    /// Cards bought with gold in this turn.
    pub bought: u8,
    /// How often each seat can still use Isa.
    pub isa_left: PerSeat<u8>,
    /// Which seats have Louis.
    pub louis: PerSeat<bool>,
    /// Which seats have still to choose one of them.
    pub choosing: PerSeat<bool>,
    /// The longest trade route of each seat, since its pieces or walls last changed; nothing if it was not needed.
    pub lengths: PerSeat<Option<u8>>,
    /// Whether the last action brought whoever took it the longest trade route.
    pub took_route: bool,
}

/// A full position, hidden cards included. A rollout starts by copying it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// The island.
    pub island: island::state::State,
    /// What this variant adds.
    pub own: Own,
}

const _: () = assert!(size_of::<State>() <= 1408, "a rollout copies the state");

impl Own {
    /// All boats.
    #[inline]
    pub fn all_boats(&self) -> EdgeSet {
        self.boats.into_iter().fold(EdgeSet::NONE, |all, boats| all | boats)
    }
}

impl State {
    /// Whether the active seat chooses a helper now: before the roll of its first turn. (BOAT-42)
    #[inline]
    pub(crate) fn must_choose(&self) -> bool {
        let table = &self.island.table;
        table.phase == Phase::Act
            && table.stage == Stage::Roll
            && self.own.choosing[table.active.idx()]
    }

    /// Whether the active seat can use Isa: on its own turn only. (BOAT-40)
    pub(crate) fn has_isa(&self) -> bool {
        let table = &self.island.table;
        self.own.isa_left[table.active.idx()] > 0 && table.stage == Stage::Main
    }
}

/// How often Isa can be used. (BOAT-40)
pub const ISA_USES: u8 = 2;

impl Own {
    /// Gives a seat one of the helpers. (BOAT-40 to BOAT-42)
    pub(crate) fn give(&mut self, seat: Seat, helper: Helper) {
        match helper {
            Helper::Isa => self.isa_left[seat.idx()] = ISA_USES,
            Helper::Louis => self.louis[seat.idx()] = true,
        }
    }
}

impl Boats {
    /// The invariants of [`State`].
    ///
    /// # Panics
    /// If one is broken.
    pub(super) fn check(&self, state: &State) {
        let (own, table) = (&state.own, &state.island.table);
        self.island.check_on(&state.island, &self.ground(own));
        self.check_map(state);
        let mut taken = EdgeSet::NONE;
        for net in &table.pieces.nets {
            taken |= net.roads;
        }
        for seat in Seat::all(6) {
            let boats = own.boats[seat.idx()];
            assert!(boats.is_disjoint(taken), "two pieces on a path");
            assert!((boats - own.waters).is_empty(), "a boat on land or on a river");
            assert!(boats.len() <= self.rules.boats, "boats of seat {seat}");
            assert!(seat.idx() < self.players().into() || boats.is_empty(), "an empty chair");
            taken |= boats;
        }
        assert!((own.still - own.boats[table.active.idx()]).is_empty(), "boats of the active seat");
        assert!(own.bought <= self.rules.gold.cards_max, "cards bought with gold");
        self.check_helpers(state);
        let mut counted = *own;
        self.count_chits(&table.pieces, table.founded, &mut counted);
        assert_eq!(counted, *own, "chits");
        for seat in Seat::all(self.players()) {
            let bonus = own.chits[seat.idx()] * self.rules.chit;
            assert_eq!(table.bonus[seat.idx()], bonus, "points of chits");
        }
        let broken = self.broke_route(table, &mut Own { lengths: [None; SEATS_MAX], ..*own });
        let withheld = if broken { self.rules.route.points } else { 0 };
        assert_eq!(table.withheld, withheld, "points of a broken route");
        let fresh = table.stage == Stage::Roll && table.phase == Phase::Act && !table.so_far.played;
        if fresh || self.rules.route.when == When::AtOnce {
            let mut due = *table;
            let mut found = Own { lengths: [None; SEATS_MAX], ..*own };
            self.award_route(&mut due, &mut found);
            for (kept, found) in own.lengths.into_iter().zip(found.lengths) {
                assert!(kept.is_none() || found.is_none() || kept == found, "lengths of routes");
            }
            let held = [(table.route, table.route_length), (due.route, due.route_length)];
            assert_eq!(held[0], held[1], "the longest trade route");
        }
    }

    /// Who has Isa and Louis, and how they have been used. (BOAT-40 to BOAT-42)
    fn check_helpers(&self, state: &State) {
        let (own, table) = (&state.own, &state.island.table);
        let active = table.active.idx();
        let helped = own.moved.saturating_sub(1);
        assert!(own.isa_left[active] + helped <= ISA_USES, "Isa is used twice at most");
        assert!(!own.road_moved || own.louis[active], "Louis helps his holder");
        let holders = self.rules.holders(&self.scenario);
        for seat in Seat::all(6) {
            let at = seat.idx();
            let [isa, louis] = holders.map(|holder| holder == Some(seat));
            let (has_isa, has_louis) = (own.isa_left[at] > 0, own.louis[at]);
            if self.rules.helpers == Helpers::Dealt {
                assert!(!own.choosing[at] && (!has_isa || isa) && has_louis == louis, "dealt");
            } else if own.choosing[at] {
                assert!(!has_isa && !has_louis, "seat {seat} has not chosen");
            } else {
                assert!(!has_isa || !has_louis, "seat {seat} has chosen one");
            }
            let is_chair = seat.number() > self.players();
            assert!(!is_chair || !own.choosing[at] && !has_isa && !has_louis, "an empty chair");
        }
        assert!(!own.choosing[active] || table.stage != Stage::Main, "a helper is chosen first");
    }

    /// Every hex is land, sea or unexplored; what was set aside lies on the map or is still there; gold has been
    /// earned.
    fn check_map(&self, state: &State) {
        let (own, board) = (&state.own, &state.island.table.board);
        assert!(own.sea.is_disjoint(own.fog), "an unexplored hex is no sea yet");
        assert_eq!(own.waters, self.waters(own), "where boats may lie");
        let mut aside = own.aside;
        let hidden = self.scenario.fog();
        assert!((own.fog - hidden).is_empty(), "a known hex stays known");
        for hex in hidden - own.fog {
            let kind = board.terrain[hex.idx()].map(Resource::idx);
            let bare = if own.sea.contains(hex) { SEA } else { DESERT };
            aside.terrain[kind.unwrap_or(bare)] += 1;
            if kind.is_some() {
                aside.tokens[usize::from(board.tokens[hex.idx()]) - 2] += 1;
            }
        }
        assert_eq!(aside, self.scenario.unexplored, "what was set aside");
        for hex in own.sea | own.fog {
            let bare = board.terrain[hex.idx()].is_none() && board.tokens[hex.idx()] == 0;
            assert!(bare, "hex {hex} yields something");
        }
        let robber = state.island.table.robber;
        assert!(self.land(own).contains(robber), "the robber stands on land");
        let gold: u32 = own.gold.iter().map(|&gold| u32::from(gold)).sum();
        let found = u32::from((hidden - own.fog).len()) * u32::from(self.rules.gold.found);
        assert!(gold <= found, "gold that nobody has earned");
    }
}
