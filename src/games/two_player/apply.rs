//! What an action does, beside what it does on the island.

use crate::core::chance::Chance;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::two_player::action::Action;
use crate::games::two_player::game::{TwoPlayer, opponent};
use crate::games::two_player::state::{Owed, Own, State, still_owed};
use crate::parts::island::action;
use crate::parts::island::apply::steal;
use crate::parts::island::cards::{Card, THROWS, sum_of};
use crate::parts::island::luck::Draw;
use crate::parts::island::state::{Phase, Stage, Table};
use crate::parts::places::{Edge, Hex, Vertex};

/// Cards that a forced trade draws, if there are so many. (TWO-9)
const DRAWN: u8 = 2;

impl TwoPlayer {
    /// Carries out an action that the rules allow.
    #[inline]
    pub(super) fn apply<C: Chance<Draw>>(&self, state: &mut State, action: Action, chance: &mut C) {
        match action {
            Action::Island(action) => self.shared(state, action, chance),
            Action::NeutralRoad { seat, edge } => self.neutral_road(state, seat, edge),
            Action::NeutralSettlement { seat, vertex } => {
                self.neutral_settlement(state, seat, vertex);
            }
            Action::ForcedTrade => self.forced_trade(state, chance),
            Action::GiveBack { first, second } => give_back(state, first, second),
            Action::RobberHome => {
                self.pay(state);
                let home = self.home(&state.island.table).expect("the rules allow this action");
                state.island.table.robber = home;
            }
            Action::TurnIn => self.turn_in(state),
        }
    }

    /// An action of the island, with what follows from it here.
    #[inline]
    fn shared<C: Chance<Draw>>(&self, state: &mut State, action: action::Action, chance: &mut C) {
        let seat = state.island.table.active;
        let founds = matches!(state.island.table.stage, Stage::Founding(_));
        if matches!(action, action::Action::Roll) {
            return self.roll(state, chance);
        }
        self.island.apply(&mut state.island, action, chance);
        match action {
            action::Action::EndTurn => {
                state.own = Own { tokens: state.own.tokens, ..Own::default() }
            }
            action::Action::Settlement { vertex } => {
                let tokens = self.settlement_tokens(&state.island.table, vertex);
                self.earn(&mut state.own, seat, tokens);
                if !founds {
                    owe(state, Owed::Settlement);
                }
            }
            action::Action::Road { .. } if !founds => owe(state, Owed::Road),
            _ => {}
        }
    }

    /// Rolls the first time, or the second time, which shows another sum. (TWO-5)
    fn roll<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let sum = sum_of(chance.card(Draw::Dice, throws_but(state.own.first)));
        if state.own.first == 0 {
            state.own.first = sum;
        } else {
            state.own.first = 0;
            state.island.table.stage = Stage::Main;
        }
        self.island.rolled(&mut state.island, sum);
    }

    /// A seat takes tokens from the supply, as many as there are and as it may hold. (TWO-4)
    fn earn(&self, own: &mut Own, seat: Seat, tokens: u8) {
        own.tokens[seat.idx()] += self.would_get(own, seat, tokens);
    }

    /// The active player pays for its token action. (TWO-9, TWO-10)
    fn pay(&self, state: &mut State) {
        let table = &state.island.table;
        state.own.tokens[table.active.idx()] -= self.action_price(table);
        state.own.acted = true;
    }

    /// What a neutral piece does to the open part of a position. Other actions do nothing.
    pub fn place_neutral(&self, table: &mut Table, action: Action) {
        match action {
            Action::NeutralRoad { seat, edge } => self.island.put_road(table, seat, edge),
            Action::NeutralSettlement { seat, vertex } => {
                table.pieces.stand(self.island.map(), seat, vertex);
                self.island.roads_were_cut(table, seat, vertex);
            }
            _ => {}
        }
    }

    fn neutral_road(&self, state: &mut State, seat: Seat, edge: Edge) {
        let table = &mut state.island.table;
        self.place_neutral(table, Action::NeutralRoad { seat, edge });
        state.own.owed = Owed::Nothing;
        // The last place for a free road may be gone.
        if matches!(table.phase, Phase::FreeRoads(_)) && !table.may_lay() {
            table.phase = Phase::Act;
        }
    }

    /// A neutral settlement may cut the opponent's road, so that the active player has the points.
    fn neutral_settlement(&self, state: &mut State, seat: Seat, vertex: Vertex) {
        let table = &mut state.island.table;
        self.place_neutral(table, Action::NeutralSettlement { seat, vertex });
        state.own.owed = Owed::Nothing;
        self.island.look_for_win(&mut state.island);
    }

    /// Draws two cards of the opponent's, or its only one. (TWO-9)
    fn forced_trade<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        self.pay(state);
        let victim = opponent(state.island.table.active);
        let count = state.island.hands[victim.idx()].total().min(DRAWN);
        for _ in 0..count {
            steal(&mut state.island, victim, chance);
        }
        state.own.owed = Owed::Cards;
    }

    /// The desert that the robber can be sent to: the first, unless it stands on one; an island from a file may have
    /// several, or none. (TWO-9)
    #[inline]
    pub fn home(&self, table: &Table) -> Option<Hex> {
        let deserts = table.board.deserts(self.island.map());
        deserts.iter().next().filter(|_| !deserts.contains(table.robber))
    }

    /// A played knight leaves the game for tokens, and Largest Army may change hands. (TWO-11)
    fn turn_in(&self, state: &mut State) {
        let seat = state.island.table.active;
        self.lose_knight(&mut state.island.table);
        self.earn(&mut state.own, seat, self.rules.trade_tokens.knight);
        state.own.turned_in = true;
    }

    /// A knight of the active player's leaves the game. (TWO-11)
    pub fn lose_knight(&self, table: &mut Table) {
        let seat = table.active;
        table.knights[seat.idx()] -= 1;
        table.gone[Card::Knight.idx()] += 1;
        let other = opponent(seat);
        let [mine, theirs] = [seat, other].map(|of| table.knights[of.idx()]);
        let least = self.rules.army.minimum;
        // If the other holds it, it has more still.
        if table.army != Some(other) {
            table.army = match mine.cmp(&theirs) {
                std::cmp::Ordering::Less if theirs >= least => Some(other),
                std::cmp::Ordering::Greater if mine >= least => Some(seat),
                _ => None,
            };
        }
    }
}

/// The active player owes a neutral piece, unless its own has won the match. (TWO-7)
fn owe(state: &mut State, owed: Owed) {
    let table = &state.island.table;
    if !matches!(table.phase, Phase::Over(_)) {
        state.own.owed = still_owed(table, owed);
    }
}

/// Two cards go back. (TWO-9)
fn give_back(state: &mut State, first: Resource, second: Resource) {
    let seat = state.island.table.active;
    let cards = Resources::one(first) + Resources::one(second);
    let hands = &mut state.island.hands;
    hands[seat.idx()] = hands[seat.idx()] - cards;
    hands[opponent(seat).idx()] = hands[opponent(seat).idx()] + cards;
    state.own.owed = Owed::Nothing;
}

/// The rolls whose sum is another one.
const fn throws_but(sum: u8) -> u64 {
    let mut throws = THROWS;
    let mut throw = 0;
    while throw < 36 {
        if sum_of(throw) == sum {
            throws &= !(1 << throw);
        }
        throw += 1;
    }
    throws
}
