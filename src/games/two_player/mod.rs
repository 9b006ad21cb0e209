//! CATAN for two: base CATAN for two players, with two neutral players who own pieces and do nothing else.
//!
//! # Source
//!
//! The section for two players of the German rules of the compact edition. What it lacks (†) is chosen here, or the
//! published standard of the game family.
//!
//! # Rules
//!
//! All of base CATAN holds but for what stands here; its clauses are in the header of `games/base`. A dagger (†) marks
//! what the source leaves open: see *Choices*. Tests cite these numbers.
//!
//! - **TWO-1** The two colours that nobody plays belong to neutral players, seats 3 and 4: pieces, but no cards, no
//!   turns and no yields.
//! - **TWO-2** Before anybody founds, each neutral player gets a settlement without a road, on vertices 11 and 42. †
//! - **TWO-3** The players found as usual, on the beginner island too: its printed starts are not used.
//! - **TWO-4** There are 14 trade tokens. Each player begins with 4 and never holds more than 7; what would be more
//!   stays in the supply, as does what the supply lacks.
//! - **TWO-5** A turn has two rolls with different sums. The second is repeated until it differs from the first. All
//!   that the first brings, the robber's move included, comes before the second.
//! - **TWO-6** Between the rolls a knight or a token action may move the robber.
//! - **TWO-7** Whoever builds a road builds another straight afterwards, for nothing, for a neutral player of its choice
//!   that can have one; whoever builds a settlement likewise a settlement, or a road if no neutral player can have a
//!   settlement. The places are those of the usual rules, the supply of each is 15 roads and 5 settlements.
//! - **TWO-8** A neutral player may hold Longest Road.
//! - **TWO-9** Once a turn, before the rolls too, a player may take one of two token actions. Forced trade: it draws two
//!   random cards of the opponent's and gives back any two; an opponent with one card loses that one and gets two.
//!   Robber home: the robber goes to the desert and takes no card; not if it is there †.
//! - **TWO-10** An action costs 1 token, or 2 if the player shows more points than the opponent.
//! - **TWO-11** Once a turn, a knight that has been played may leave the game for 2 tokens. If the holder of Largest Army
//!   then has fewer than 3 knights, or no more than the opponent, the card goes to whoever has more, at least 3; if nobody
//!   has, it lies free until somebody has.
//! - **TWO-12** A settlement of one's own at the desert brings 2 tokens, on the coast 1, at both 3; so in the founding.
//!   One for a neutral player brings none. †
//! - **TWO-13** Nothing is built for a neutral player after a piece that was founded, a city or a purchase; but it is
//!   after each road of Road Building †, so that who stops after one spares the second.
//! - **TWO-14** If no neutral player can have a road either, nothing is built. †
//! - **TWO-15** For a forced trade the opponent must have a card, and the player, after the draw, two to give back. †
//! - **TWO-16** The rule set has the numbers of the other edition as a preset: 20 tokens, 5 each, no maximum. †
//!
//! # Choices
//!
//! - *Where do the neutral players begin? (TWO-2)* The marks are on a picture that the text lacks. 11 and 42 lie straight
//!   above and below the centre of the island.
//! - *How is the second roll repeated? (TWO-5)* It is drawn from the rolls whose sum differs: the same law, in one draw.
//! - *When may a knight be turned in? (TWO-11)* At any moment at which nothing is pending, the rolls aside, like a
//!   development card. Only if it brings a token: with a full hand or an empty supply nobody would.
//! - *And if the opponent then has more knights than the holder? (TWO-11)* It gets the card, with 3 or more. Reason: the
//!   card goes to whoever has more.
//! - *Does a build that wins bring a neutral piece? (TWO-7)* No. Reason: the match is over.
//! - *What if the place for the second free road is taken by a neutral road? (TWO-13)* Then there is no second. Reason:
//!   that is how Road Building ends without a place.
//! - *Is the forced trade a trade? (TWO-9)* No. It counts for no limit, and `order = strict` doesn't bind it. Reason: it
//!   may come before the rolls.
//! - *And on an island from a file? (TWO-9)* The robber goes to the first of its deserts; without one, or while it stands
//!   on one, there is no such action.
//! - *May the robber go home next to a player whom it spares? (TWO-9)* Yes, though `robber.spares_below` keeps it away
//!   otherwise. Reason: a desert yields nothing, and no card is drawn.
//! - *How is given back? (TWO-9)* Two cards at once, after the draw has been seen.
//! - *What else is a field?* The numbers of TWO-4, TWO-10, TWO-11 and TWO-12, and whether there are the two actions.
//!   Reason: studies.
//!
//! # Left out
//!
//! - What base CATAN leaves out.
//! - The first rolls of a pair that was repeated: records hold the rolls that count.
//!
//! # Hidden
//!
//! As in base CATAN, where two know the kind of a stolen card; so both know every resource card. Hidden are the kinds of
//! unplayed development cards, the order of their deck, and cards chosen on a 7 until all have chosen. Tokens are open.
//!
//! # Chance
//!
//! That of base CATAN, and
//!
//! Event | Function | Distribution
//! ---|---|---
//! `dice`: the second roll | `TwoPlayer::roll` | two dice, given another sum than the first's
//! `steal`: each card of a forced trade | `island::apply::steal` | uniform over the cards of the opponent's that are left
//!
//! # Determinization
//!
//! The law and the method are those of base CATAN. Whoever has seen all of a match knows both hands, so that only
//! development cards are dealt.
//!
//! # Bounds
//!
//! `ACTIONS_MAX`: what base CATAN has, two token actions and a knight to turn in; a neutral piece has a place at each
//! edge or vertex for each of two, which is less.
//!
//! `decisions_max`: a turn has, beside those of base CATAN, a second roll, which discards and moves the robber, a token
//! action with what is given back, a knight and two neutral roads of a card; neutral pieces are built once.

pub mod action;
pub mod apply;
pub mod arrays;
pub mod game;
pub mod legal;
pub mod measure;
pub mod observe;
pub mod opinion;
pub mod primer;
pub mod rules;
pub mod seen;
pub mod setup;
pub mod state;
pub mod wording;
#[cfg(test)]
mod tests;

pub use crate::games::two_player::game::TwoPlayer;

use crate::core::chance::Chance;
use crate::core::game::{ActionFilter, BadRule, Field, Game, IllegalAction, Outcome, Turn};
use crate::core::types::actions::{ACTIONS_CAP, Listing};
use crate::core::types::seat::Seat;
use crate::games::two_player::action::Action;
use crate::games::two_player::game::PLAYERS;
use crate::games::two_player::observe::View;
use crate::games::two_player::rules::Rules;
use crate::games::two_player::state::{Owed, State};
use crate::parts::island::Island;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;

const _: () = assert!(TwoPlayer::ACTIONS_MAX <= ACTIONS_CAP);

impl Game for TwoPlayer {
    type State = State;
    type Action = Action;
    type Draw = Draw;
    type View<'a> = View<'a>;
    type Memory = Memory;
    type Rules = Rules;

    const NAME: &'static str = "two-player";
    const PLAYERS: std::ops::RangeInclusive<u8> = PLAYERS..=PLAYERS;
    const ACTIONS_MAX: usize = Island::ACTIONS_MAX + 3;
    const FIELDS: &'static [Field] = Rules::FIELDS;

    fn new(rules: Rules, players: u8) -> Result<TwoPlayer, Vec<BadRule>> {
        TwoPlayer::build(rules, players)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_effect(&self) -> Rules {
        self.rules.in_effect()
    }

    fn players(&self) -> u8 {
        PLAYERS
    }

    fn unofficial(&self) -> Option<&'static str> {
        None
    }

    fn turns_max(&self) -> u16 {
        self.rules.turns_max
    }

    fn decisions_max(&self) -> u32 {
        let all_cards = 5 * u32::from(self.rules.bank);
        // The second roll with what it discards and the robber; two actions and what is given back; two roads.
        let turn = 1 + all_cards / 2 + 1 + 3 + 2;
        let pieces = 2 * (15 + 5);
        self.island.decisions_max() + u32::from(self.rules.turns_max) * turn + pieces
    }

    fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        self.deal(chance)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.own.owed {
            Owed::Nothing => self.island.turn(&state.island),
            _ => Turn::Decide(state.island.table.active),
        }
    }

    #[inline]
    fn list<L: Listing<Action>>(&self, state: &State, filter: ActionFilter, out: &mut L) {
        self.list(state, filter, out);
    }

    fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        self.permits(state, action)
    }

    #[inline]
    fn apply<C: Chance<Draw>>(&self, state: &mut State, action: Action, chance: &mut C) {
        self.apply(state, action, chance);
    }

    fn outcome(&self, state: &State) -> Outcome {
        self.island.outcome(&state.island)
    }

    fn check(&self, state: &State) {
        self.check(state);
    }

    #[inline]
    fn view<'a>(&self, state: &'a State, seat: Seat) -> View<'a> {
        View { island: self.island.view(&state.island, seat), own: &state.own }
    }

    fn turn_number(&self, state: &State) -> u16 {
        self.island.turn_number(&state.island)
    }
}
