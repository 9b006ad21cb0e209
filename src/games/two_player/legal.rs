//! What may be done: the list that agents choose from, and a strict check of any action.

use crate::core::game::{ActionFilter, IllegalAction, ensure};
use crate::core::resources::{Resource, Resources};
use crate::core::types::actions::{Actions, Listing, Part};
use crate::games::two_player::action::Action;
use crate::games::two_player::game::{NEUTRALS, TwoPlayer, opponent};
use crate::games::two_player::state::{Owed, State, neutral_edges, neutral_sites};
use crate::parts::island::state::{Phase, Stage, Table};

impl TwoPlayer {
    /// Adds the legal actions; those that only this game has come last. See [`crate::core::game::Game::list`].
    #[inline]
    pub(super) fn list(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        let table = &state.island.table;
        match state.own.owed {
            Owed::Nothing => {
                self.island.list(&state.island, filter, &mut Part::of(out, Action::Island));
                self.list_own(state, out);
            }
            Owed::Cards => list_gifts(state.island.hands[table.active.idx()], out),
            Owed::Road => {
                for seat in NEUTRALS {
                    let edges = neutral_edges(table, seat);
                    let road = |edge| Action::NeutralRoad { seat, edge };
                    out.each(edges.len().into(), edges.iter().map(road));
                }
            }
            Owed::Settlement => {
                for seat in NEUTRALS {
                    let sites = neutral_sites(table, seat);
                    let settlement = |vertex| Action::NeutralSettlement { seat, vertex };
                    out.each(sites.len().into(), sites.iter().map(settlement));
                }
            }
        }
    }

    /// Token actions, and a knight to turn in. (TWO-9, TWO-11)
    #[inline]
    fn list_own(&self, state: &State, out: &mut impl Listing<Action>) {
        for action in [Action::ForcedTrade, Action::RobberHome, Action::TurnIn] {
            if self.permits_own(state, action) {
                out.one(action);
            }
        }
    }

    /// Whether the active player may take a token action, or turn a knight in.
    #[inline]
    pub(super) fn permits_own(&self, state: &State, action: Action) -> bool {
        let nothing_owed = state.own.owed == Owed::Nothing;
        nothing_owed && in_turn(&state.island.table) && self.allows(state, action).is_ok()
    }

    /// Whether the active player may do something of its own while nothing is pending; or what forbids it.
    #[inline]
    fn allows(&self, state: &State, action: Action) -> Result<(), &'static str> {
        let (table, own) = (&state.island.table, &state.own);
        let seat = table.active;
        let tokens = &self.rules.trade_tokens;
        let needs = |holds: bool, otherwise| if holds { Ok(()) } else { Err(otherwise) };
        if matches!(action, Action::TurnIn) {
            needs(!own.turned_in, "a knight has been turned in in this turn")?;
            needs(table.knights[seat.idx()] > 0, "there is no knight to turn in")?;
            return needs(self.would_get(own, seat, tokens.knight) > 0, "it would bring no token");
        }
        needs(!own.acted, "the token action of this turn has been taken")?;
        let price = self.action_price(table);
        needs(own.tokens[seat.idx()] >= price, "there are too few tokens")?;
        if matches!(action, Action::RobberHome) {
            needs(tokens.robber_home, "the rule set has no such action")?;
            return needs(self.home(table).is_some(), "the robber is at home, or has none");
        }
        needs(tokens.forced_trade, "the rule set has no forced trade")?;
        let [mine, theirs] = [seat, opponent(seat)].map(|of| state.island.hands[of.idx()].total());
        needs(theirs > 0, "the opponent has no card")?;
        needs(mine + theirs.min(2) >= 2, "there would be no two cards to give back")
    }

    /// Whether the rules allow an action here. See [`crate::core::game::Game::permits`].
    ///
    /// # Errors
    /// Says what forbids it.
    pub(super) fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        let table = &state.island.table;
        match (state.own.owed, action) {
            (Owed::Nothing, Action::Island(action)) => self.island.permits(&state.island, action),
            (Owed::Nothing, Action::ForcedTrade | Action::RobberHome | Action::TurnIn) => {
                ensure(in_turn(table), "this is no time for it")?;
                self.allows(state, action).map_err(|why| IllegalAction(why.to_owned()))
            }
            (owed, _) => {
                // Everything else is listed.
                let mut list = Actions::new();
                self.list(state, ActionFilter::Plain, &mut list);
                let why = format!("`{action}` is not among the choices here ({owed:?} owed)");
                if list.contains(&action) { Ok(()) } else { Err(IllegalAction(why)) }
            }
        }
    }
}

/// Whether the active player is in a turn and nothing is pending on the island.
fn in_turn(table: &Table) -> bool {
    table.phase == Phase::Act && matches!(table.stage, Stage::Roll | Stage::Main)
}

/// Pairs of cards of a hand. (TWO-9)
fn list_gifts(hand: Resources, out: &mut impl Listing<Action>) {
    for (at, first) in Resource::ALL.into_iter().enumerate() {
        for &second in &Resource::ALL[at..] {
            if hand.covers(Resources::one(first) + Resources::one(second)) {
                out.one(Action::GiveBack { first, second });
            }
        }
    }
}
