//! Everything before the first decision: checks of the rule set, and what a scenario leaves to luck.

use crate::core::chance::Chance;
use crate::core::game::BadRule;
use crate::core::resources::Resource;
use crate::core::rule_set::range_faults;
use crate::core::types::seat::SEATS_MAX;
use crate::games::boats::game::Boats;
use crate::games::boats::rules::{Helper, Helpers, Rules};
use crate::games::boats::scenario::{Scenario, SetAside, Spot};
use crate::games::boats::scenario_file::scenario;
use crate::games::boats::state::{Own, State};
use crate::parts::island::Island;
use crate::parts::island::board::{Board, Parts};
use crate::parts::island::luck::Draw;
use crate::parts::island::setup::draw_hex;
use crate::parts::places::{Edge, EdgeSet, Hex, HexSet, Vertex};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// How often the tokens 6 and 8 are laid anew if two of them touch. A map may be too small for any other layout.
const TRIES: usize = 100;

/// Positions of the tokens 6 and 8 among the sums.
const RED: [usize; 2] = [4, 6];

impl Boats {
    /// The game for a rule set and a number of players.
    ///
    /// # Errors
    /// Names each field that can't be played with.
    pub fn build(rules: Rules, players: u8) -> Result<Boats, Vec<BadRule>> {
        let mut faults = range_faults(Rules::FIELDS, &rules, players);
        let scenario = match scenario(&rules.scenario) {
            Ok(scenario) => scenario,
            Err(bad) => {
                faults.push(BadRule::new("scenario", bad.to_string()));
                return Err(faults);
            }
        };
        for (field, holder) in ["isa", "louis"].into_iter().zip(rules.holders(&scenario)) {
            if let Some(seat) = holder.filter(|seat| seat.number() > players) {
                let reason = format!("seat {seat} has no player at a table of {players}");
                faults.push(BadRule::new(field, reason));
            }
        }
        if players > scenario.room() {
            let reason =
                format!("{players} can't play; the scenario has room for {}", scenario.room());
            faults.push(BadRule::new("players", reason));
        }
        let island = Island::build(rules.island(), players);
        let mut island = match island {
            Ok(island) if faults.is_empty() => island,
            Ok(_) => return Err(faults),
            Err(more) => {
                let known: Vec<String> = faults.iter().map(|fault| fault.field.clone()).collect();
                faults.extend(more.into_iter().filter(|fault| !known.contains(&fault.field)));
                return Err(faults);
            }
        };
        let place = |edge: Edge| scenario.map.ends[edge.idx()].map(Vertex::number);
        let harbours: Vec<_> =
            scenario.harbours.iter().map(|&(edge, kind)| (place(edge), kind)).collect();
        island.rules.points_to_win = rules.target(&scenario);
        island.map = scenario.map;
        island.parts = Arc::new(Parts::of_harbours(&harbours));
        let boat_cost = rules.cost.boat.resources();
        let founding = scenario.founding_for(players);
        let scenario = Arc::new(scenario);
        Ok(Boats { rules, island, scenario, founding, boat_cost })
    }

    /// Lays the map, before anyone has founded.
    pub(super) fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        let board = self.board(chance);
        let robber = self.first_robber(&board, chance);
        self.deal_on(board, robber)
    }

    /// The start on a map that has been laid.
    pub fn deal_on(&self, board: Board, robber: Hex) -> State {
        let mut own = Own {
            boats: [EdgeSet::NONE; SEATS_MAX],
            still: EdgeSet::NONE,
            waters: EdgeSet::NONE,
            sea: self.scenario.sea(),
            fog: self.scenario.fog(),
            aside: self.scenario.unexplored,
            gold: [0; SEATS_MAX],
            chits: [0; SEATS_MAX],
            waiting: [0; SEATS_MAX],
            moved: 0,
            road_moved: false,
            bought: 0,
            isa_left: [0; SEATS_MAX],
            louis: [false; SEATS_MAX],
            choosing: [false; SEATS_MAX],
            lengths: [None; SEATS_MAX],
            took_route: false,
        };
        own.waters = self.waters(&own);
        self.deal_helpers(&mut own);
        let mut island = self.island.deal_on(board, robber);
        island.table.pieces.stand_on(self.island.map, &self.ground(&own));
        State { island, own }
    }

    /// Deals Isa and Louis, or lets every seat choose. (BOAT-42)
    fn deal_helpers(&self, own: &mut Own) {
        for (helper, holder) in Helper::ALL.into_iter().zip(self.rules.holders(&self.scenario)) {
            if let Some(seat) = holder {
                own.give(seat, helper);
            }
        }
        if self.rules.helpers == Helpers::Chosen {
            own.choosing[..self.island.players.into()].fill(true);
        }
    }

    /// Terrain, tokens and harbours of the scenario; what it leaves to luck is drawn. (BOAT-1)
    fn board<C: Chance<Draw>>(&self, chance: &mut C) -> Board {
        let scenario: &Scenario = &self.scenario;
        let mut board = Board::bare();
        let SetAside { mut terrain, tokens } = scenario.land;
        let mut bare = HexSet::NONE;
        for hex in scenario.map.all_hexes() {
            match scenario.spots[hex.idx()] {
                Spot::Fixed(kind, token) => {
                    board.terrain[hex.idx()] = kind;
                    if token > 0 {
                        board.lay_token(hex, token);
                    }
                }
                Spot::Land => {
                    let kind = usize::from(chance.kind(Draw::Terrain, &terrain));
                    terrain[kind] -= 1;
                    board.terrain[hex.idx()] = Resource::ALL.get(kind).copied();
                    if kind < Resource::COUNT {
                        bare |= HexSet::one(hex);
                    }
                }
                Spot::Sea | Spot::Unexplored => {}
            }
        }
        self.lay_tokens(&mut board, bare, tokens, chance);
        for (place, &(_, kind)) in scenario.harbours.iter().enumerate() {
            board.harbours[place] = kind;
        }
        board
    }

    /// Lays tokens on hexes at random: first those of 6 and 8, all of them again if one touches another, then the
    /// others.
    fn lay_tokens<C: Chance<Draw>>(
        &self,
        board: &mut Board,
        bare: HexSet,
        mut left: [u8; 11],
        chance: &mut C,
    ) {
        let red: ArrayVec<usize, { Hex::COUNT }> = RED
            .into_iter()
            .flat_map(|sum| std::iter::repeat_n(sum, usize::from(left[sum])))
            .collect();
        let fixed = board.rolled[RED[0]].iter().chain(board.rolled[RED[1]].iter()).collect();
        let mut places: ArrayVec<Hex, { Hex::COUNT }> = ArrayVec::new();
        for _ in 0..TRIES {
            let mut free = bare;
            places.clear();
            for _ in &red {
                let hex = draw_hex(free, chance);
                free -= HexSet::one(hex);
                places.push(hex);
            }
            if self.are_apart(&places, fixed) {
                break;
            }
        }
        let mut free = bare;
        for (&sum, &hex) in red.iter().zip(&places) {
            left[sum] -= 1;
            free -= HexSet::one(hex);
            board.lay_token(hex, u8::try_from(sum).expect("eleven sums") + 2);
        }
        for hex in free {
            let sum = chance.kind(Draw::Token, &left);
            left[usize::from(sum)] -= 1;
            board.lay_token(hex, sum + 2);
        }
    }

    /// Whether no place of a red token touches another, or a red token that the scenario has laid.
    fn are_apart(&self, places: &[Hex], fixed: HexSet) -> bool {
        let touches = |one: Hex, other: Hex| self.island.map.touch(one, other);
        places.iter().enumerate().all(|(at, &one)| {
            !places[..at].iter().any(|&other| touches(one, other))
                && !fixed.iter().any(|other| touches(one, other))
        })
    }

    /// A desert, or any land if there is none; one of several at random. (BASE-12)
    fn first_robber<C: Chance<Draw>>(&self, board: &Board, chance: &mut C) -> Hex {
        let map = self.island.map;
        let land = map.all_hexes() - self.scenario.sea() - self.scenario.fog();
        let deserts = board.deserts(map) & land;
        let among = if deserts.is_empty() { land } else { deserts };
        if among.len() > 1 {
            return draw_hex(among, chance);
        }
        among.iter().next().expect("a scenario has land")
    }
}
