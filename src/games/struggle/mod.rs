//! Struggle for Catan: build with cards from a market and from each other's hands, for 2 to 6 players; 10
//! points on one's own turn win.
//!
//! # Source
//!
//! English rules of the card game, which say little of what is printed on the cards (†):
//! that is taken from the cards themselves, as far as they are known, and is a field of the rule set.
//!
//! # Rules
//!
//! A dagger (†) marks what the source leaves open: see *Choices*. Tests cite these numbers.
//!
//! Components
//! - **SFC-1** 67 resource cards: 11 brick, 11 lumber, 15 wool, 14 grain, 16 ore.
//! - **SFC-2** Roads and knights have an A side with an advantage and a B side worth a point; settlement
//!   cards have a city on their other side; then there are expansions for cities and the destiny card.
//! - **SFC-3** With 2, 3, 4, 5, 6 players 5, 7, 9, 11, 13 roads are in play, 7, 11, 15, 19, 23 settlement
//!   cards, 2, 4, 5, 7, 8 knights and 5, 7, 9, 11, 13 expansions; from five players on the resource cards of
//!   two copies. †
//! - **SFC-4** With 2, 3, 4 players there are 1, 1, 1 town halls, 1, 1, 2 castles, 0, 1, 2 merchants' guilds,
//!   1, 2, 2 churches, 1, 1, 1 libraries and universities each. A fifth player adds a guild and a church, a
//!   sixth a guild and a castle. †
//!
//! Set-up
//! - **SFC-10** Everyone begins with a settlement, a road with its A side up, and 3 hidden resource cards.
//!   Five cards lie open in the market. Seat 1 starts; who sits there is luck.
//! - **SFC-11** The destiny card points clockwise at first †. Two players have none.
//! - **SFC-12** Nobody knows the city side of a settlement card before it is turned.
//!
//! Turn
//! - **SFC-20** Trade, then build, then draw, all but the drawing at will; play goes clockwise, wherever the
//!   destiny card points.
//! - **SFC-21** A draw that finds no stack makes one of the shuffled discards; without discards nothing is
//!   drawn. †
//!
//! Trade
//! - **SFC-30** As many cards a turn as the player has roads with A sides up, freely divided among the stack,
//!   the market and the opponents, singly or several with one partner in a lot. Without a road, one card, with
//!   the stack.
//! - **SFC-31** Stack: cards go to the discards, then as many are drawn.
//! - **SFC-32** Market: cards are taken, then as many returned, perhaps the same †; it has five again.
//! - **SFC-33** Opponent: random cards are taken from the hand, all of a lot before any is returned; then as
//!   many are returned, perhaps the same. A lot is no larger than the hand. †
//! - **SFC-34** A library lets its owner choose one card a turn from the opponent's open hand, as one of those
//!   traded. It alone sees the hand, and the card comes before the blind ones of its lot. †
//! - **SFC-35** Open are sizes of hands, market, discards and payments. What two players exchange, only they
//!   see. †
//!
//! Building
//! - **SFC-40** Road: lumber and brick. Knight: grain, wool and ore. Settlement: lumber, brick, grain and wool.
//!   City: 2 grain and 3 ore. Expansion: 3 wool and 1 ore, a town hall too, for which the rule set may ask more †.
//!   Payments are discarded.
//! - **SFC-41** Three cards of a kind replace any card of a price, as often as wanted.
//! - **SFC-42** Of roads, knights, settlements, cities and expansions a turn brings at most one each. One that
//!   is taken from another player counts.
//! - **SFC-43** In a row of roads or knights A and B sides alternate, A first.
//! - **SFC-44** A settlement is worth 1. When the stack is empty, none can be built. Its builder may flip the
//!   destiny card.
//! - **SFC-45** A city, worth 2, turns one of the builder's settlements. All resolve its event before anything
//!   else, the win included. †
//! - **SFC-46** An expansion lies on a city, whose points it replaces; it works at once. Nobody has two of a
//!   kind.
//!
//! Events
//! - **SFC-50** 5, 8, 10, 13, 15 city sides bring brigands with 2, 3, 4, 5, 6 players; the other 2, 3, 5, 6, 8
//!   bring a market day. †
//! - **SFC-51** Brigands: everyone discards down to 7 cards †, of its choice; then the destiny card flips.
//! - **SFC-52** Market day: the market's five cards are discarded and five new ones opened. Those that were
//!   discarded can come up again, so that five are always to be had.
//!
//! Roads and knights change hands
//! - **SFC-60** Who pays for a road when the stack has none takes the topmost one of the next player, as the
//!   destiny card points, who has one that may be taken; with knights likewise. With nobody to take from,
//!   nothing can be built. †
//! - **SFC-61** What is taken goes on top of the taker's row with the side that is due there; the other row
//!   stays as it is.
//! - **SFC-62** A castle protects its owner's first three roads, a church its first knight.
//!
//! Expansions
//! - **SFC-70** A town hall is worth 4 † and does nothing †; the others are worth 3.
//! - **SFC-71** Merchants' guild: once a turn, at any moment of trade or building but in the midst of a lot, an
//!   unseen card from a player with as many points or more. It is no trade. †
//! - **SFC-72** University: one card of one price a turn need not be paid. †
//!
//! Draw
//! - **SFC-80** Two cards, then one more for each knight with its A side up, if wanted, one by one. †
//!
//! End
//! - **SFC-90** Settlement 1, city 2, expansions as above, a B side 1. 10 points on one's own turn win at once.
//! - **SFC-91** At its turn limit a match ends without a winner. †
//! - **SFC-92** Every resource card is in one place: a hand, the market, the stack or the discards.
//!
//! # Choices
//!
//! - *How many cards of each kind are in play? (SFC-3, SFC-4, SFC-50)* As above; `road.in_play`,
//!   `resource_copies` and their like, by number of players. The remark on two town halls would fit a second one in place of the second castle:
//!   `expansion.two_town_halls`. `out` removes a kind, for studies.
//! - *When are the discards shuffled? (SFC-21)* When a draw finds no stack. Reason: a stack is not missed
//!   before. In favour of the draw that empties it, `reshuffle = "on_empty"`: the text has the new stack made as
//!   soon as the old one is used up. What is discarded between the two moments is then left out of it.
//! - *Are five types of cards built, or four? (SFC-42)* Five. Reason: there are five prices. In favour of
//!   four, `build.types = "four"`: the text sorts the building cards by type into four stacks, and settlement
//!   and city are the two sides of one card.
//! - *May the same card go back to the market? (SFC-32)* Yes; `market.same`. Reason: it may to an opponent.
//!   Without it a player returns cards that it had before the lot.
//! - *How large may a lot be? (SFC-30, SFC-33)* As large as the hands and the roads allow; `trade.lot_max`.
//! - *Who sees what? (SFC-34, SFC-35)* Those concerned; `trade.passes` and `library.shown_to` show it to all.
//! - *When does the library choose? (SFC-34)* First; `library.chosen`. Reason: the open hand is then whole.
//! - *Does a city win before its event? (SFC-45)* No; `build.win_before_event`. With it the side is turned,
//!   and nothing follows from it. It matters in what statistics see, since nobody else's event can undo it.
//! - *What do cards cost and bring? (SFC-40, SFC-70)* As above; `cost`, `extra` and `points`. The text has one
//!   price for all expansions, and says that they bring 3 or 4 points and an advantage each, but not which. The
//!   one that brings 4 is taken to be the town hall, as cards are described, and to have no advantage beside. A
//!   town hall is said to ask 2 ore more: the preset `dear_town_hall`.
//! - *Who may build what? (SFC-46)* Everybody anything; `expansion.allowed`, by seat, for studies.
//! - *How many cards are safe from brigands? (SFC-51)* 7; `brigands.hand_limit`.
//! - *Who discards first? (SFC-51)* The player on turn, then clockwise; each card is open at once. Reason: the
//!   usual order, and discards are open.
//! - *May a road be paid for that is nowhere to be had? (SFC-60)* No; `build.in_vain`. Reason: nobody would.
//! - *Where does the destiny card point at first? (SFC-11)* Clockwise; `destiny.start`. Reason: the text names
//!   the colour of the side that lies up, not where its arrows point.
//! - *What if the destiny card never flips? (SFC-44, SFC-51)* `destiny.settlement_flips` and
//!   `destiny.brigands_flip` hold it still, for studies.
//! - *What do castle and church protect? (SFC-62)* 3 roads, 1 knight; `protection`.
//! - *When does the guild take its card? (SFC-71)* In trade and building; `guild.moment`. With `build`, taking it
//!   begins the building, so the turn's trade is over.
//! - *How often does the university save a card? (SFC-72)* Once a turn; `university.per`.
//! - *Are further cards decided one by one? (SFC-80)* Yes; `draw.extra`. Whoever declines one ends the turn.
//! - *How many points win, from what start, and how many cards replace one? (SFC-90, SFC-10, SFC-41)* 10 points, from
//!   3 cards; 3 cards; `points_to_win`, `hand_start`, `substitution.rate`. Reason: fields for studies.
//! - *How long is a match? (SFC-91)* At most `turns_max` turns, each of one player.
//! - *What is listed?* Lots of every size, and for each card up to 40 ways to pay, those that replace the
//!   fewest cards first, and no more than six. Others are legal if named, with up to 15 cards of a kind; also
//!   three cards in place of one of their own kind, which is pointless. The shortest list (`Plain`)
//!   has single cards for stack and market, which do what lots do, and of the ways to pay those that replace
//!   nothing.
//!
//! # Decisions
//!
//! A turn is cut into small decisions: what to do next (build, pay how, trade how many with whom, draw), then
//! card by card what is taken from the market and what is returned. After drawing, the turn is ended by an action
//! of its own, so that what is drawn belongs to the turn that it was drawn in. At a table of four a match of
//! `heuristic` players has 540 decisions in 75 turns, one of `random` players 910 in 185. The lists of what to do
//! next have 10 and 6 entries on average, all others 2 to 4.
//!
//! # Left out
//!
//! - Talk, promises, and cards shown at will.
//! - The order of the cards of one lot that are returned: it changes nothing.
//!
//! # Hidden
//!
//! Item | Owner sees | Others see
//! ---|---|---
//! resource cards in a hand | kinds | number
//! a card drawn | its kind | that a card was drawn
//! cards paid, discarded, exchanged with market or stack | kinds | kinds, but for those drawn
//! cards that pass between two players | both: kinds | number; with `trade.passes = "all"` kinds
//! a hand opened to a library, while it is open | kinds | the chooser: kinds; with `library.shown_to = "all"` everyone
//! the draw stack | – | number; not the order
//! the city sides of settlement cards | – | how many of each are left
//! everything else | everything | everything
//!
//! # Chance
//!
//! Event | Function | Distribution
//! ---|---|---
//! `draw`: a resource card for a seat | `Struggle::draw` | uniform over the cards of the stack
//! `market`: a resource card for the market | `Struggle::fill_market` | uniform over the cards of the stack
//! `take`: an unseen card of a hand | `take_unseen` | uniform over its cards
//! `event`: the side of a city | `Struggle::turn_settlement` | uniform over the sides that nobody has seen
//!
//! # Determinization
//!
//! The law. To a seat, the physical cards that it can't see lie uniformly at random in the places
//! that it can't see, conditional on all that it has seen:
//! - A card that was seen to go into a hand, or in an open hand, stays there until it is seen to leave.
//! - At a reshuffle the new stack's content is known, since the discards lay open. From then on unseen cards
//!   are of two pools: those in hands before the reshuffle, and those drawn since or still in the stack.
//! - A card that was taken at random is each card of the hand with equal probability. So one that the seat
//!   takes, or sees taken, is evidence about the hand that it came from.
//! - A card that passes unseen between two others is each card of the giver's hand with equal probability,
//!   given everything seen since. Where it is returned, or chosen by a library, this is a model of the
//!   player, who in truth chooses.
//! - A card that its owner pays or returns in sight of the seat is one that the seat knew of, if there is one.
//! - Beyond that a seat infers nothing from what others choose to build, to trade or to return.
//!
//! The method keeps exact counts up to the first event that can be read in more than one way (an unseen
//! exchange, a card that may be of either pool, a random card that may be a known one or another), and a log
//! from there. Each determinization replays the log and draws what is ambiguous. It departs from the law in
//! three ways:
//! - Of a few replays one is kept, with a probability in proportion to how likely it makes what was seen
//!   (importance resampling): right in the limit of many replays, close with the `REPLAYS` of
//!   `src/parts/hidden_hands.rs`. If all replays contradict what was seen, more are tried; as a last resort
//!   unseen cards are dealt as one pool. A search begins so; then two more replays are drawn for each
//!   determinization, and each takes the place of the last by the quotient of their weights (an independence
//!   sampler), which is right in the long run.
//! - At a reshuffle the log ends, and only lower bounds of what it said about hands are kept: after an exchange
//!   that it didn't see, a seat is sure of one card less of each kind in a giver's hand.
//! - The log has room for `LOG_MAX` events, more than come between two reshuffles of a usual match; past that
//!   the two pools become one.
//!
//! # Bounds
//!
//! `ACTIONS_MAX`: a turn's end; 40 ways to pay for each of ten cards; a card from each of five players; lots of
//! up to ten cards with the stack, of five with the market, of ten with each of five players, chosen or not.
//!
//! `decisions_max`: a turn has one draw, one end, a further card for each knight, five builds, a flip, a card
//! of the guild; of each card traded the beginning, the taking and the return. Each city's event asks for fewer
//! discards than there are cards.

pub mod action;
pub mod apply;
pub mod arrays;
pub mod cards;
pub mod game;
pub mod legal;
pub mod luck;
pub mod measure;
pub mod memory;
pub mod observe;
pub mod opinion;
pub mod payments;
pub mod primer;
pub mod rules;
pub mod seat_event;
pub mod seen;
pub mod setup;
pub mod state;
pub mod wording;
#[cfg(test)]
pub(crate) mod tests;

pub use crate::games::struggle::game::Struggle;

use crate::core::chance::Chance;
use crate::core::game::{ActionFilter, BadRule, End, Field, Game, IllegalAction, Outcome, Turn};
use crate::core::types::actions::{ACTIONS_CAP, Listing};
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::games::struggle::action::Action;
use crate::games::struggle::cards::{Card, a_sides};
use crate::games::struggle::luck::Draw;
use crate::games::struggle::memory::Memory;
use crate::games::struggle::observe::View;
use crate::games::struggle::payments::WAYS_MAX;
use crate::games::struggle::rules::Rules;
use crate::games::struggle::state::{Phase, State};

const _: () = assert!(Struggle::ACTIONS_MAX <= ACTIONS_CAP);

// What takes more than a few lines stands in the file of its subject, as a method of the type by the same name.
impl Game for Struggle {
    type State = State;
    type Action = Action;
    type Draw = Draw;
    type View<'a> = View<'a>;
    type Memory = Memory;
    type Rules = Rules;

    const NAME: &'static str = "struggle";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=6;
    const ACTIONS_MAX: usize = 1 + Card::COUNT * WAYS_MAX + 5 + 10 + 5 + 5 * 2 * 10;
    const FIELDS: &'static [Field] = Rules::FIELDS;

    fn new(rules: Rules, players: u8) -> Result<Struggle, Vec<BadRule>> {
        Struggle::build(rules, players)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_effect(&self) -> Rules {
        self.rules_in_effect()
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn unofficial(&self) -> Option<&'static str> {
        None
    }

    fn turns_max(&self) -> u16 {
        self.rules.turns_max
    }

    fn decisions_max(&self) -> u32 {
        let roads = u32::from(a_sides(self.supply.roads).max(1));
        let knights = u32::from(a_sides(self.supply.knights));
        let turn = 2 + knights + 5 + 1 + 1 + 3 * roads;
        let events = u32::from(self.supply.settlements) * u32::from(self.deck.total());
        u32::from(self.rules.turns_max) * turn + events
    }

    fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        self.deal(chance)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.table.phase {
            Phase::Discard { seat, .. } => Turn::Decide(seat),
            Phase::Over(_) => Turn::Over,
            _ => Turn::Decide(state.table.current),
        }
    }

    #[inline]
    fn list<L: Listing<Action>>(&self, state: &State, filter: ActionFilter, out: &mut L) {
        self.list(state, filter, out);
    }

    #[inline]
    fn draw(
        &self,
        state: &State,
        filter: ActionFilter,
        place: impl FnOnce(usize) -> usize,
    ) -> (Action, usize) {
        self.draw_action(state, filter, place)
    }

    fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        self.permits(state, action)
    }

    #[inline]
    fn apply<C: Chance<Draw>>(&self, state: &mut State, action: Action, chance: &mut C) {
        self.apply(state, action, chance);
    }

    fn outcome(&self, state: &State) -> Outcome {
        let Phase::Over(end) = state.table.phase else { panic!("the match goes on") };
        let mut points = [0; SEATS_MAX];
        for seat in Seat::all(self.players) {
            points[seat.idx()] = state.table.points(self, seat);
        }
        let winner = (end == End::Won).then_some(state.table.current);
        Outcome { end, winner, points, seats: self.players }
    }

    fn check(&self, state: &State) {
        self.check(state);
    }

    #[inline]
    fn view<'a>(&self, state: &'a State, seat: Seat) -> View<'a> {
        self.view(state, seat)
    }

    fn turn_number(&self, state: &State) -> u16 {
        state.table.turn
    }
}
