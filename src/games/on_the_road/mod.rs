//! CATAN – On the Road: a card game for 3 or 4 players, the first to 7 points on its own turn wins.
//!
//! # Source
//!
//! *CATAN – On the Road*, rule leaflet, English edition: its text. What is printed on the cards only (most
//! prices, and the fourth metropolis effect) is not in that text; it was checked against a public
//! implementation by an owner of the game. Every such value is a field of the rule set. No errata are known
//! to us. The leaflet's wood and wheat are called lumber and grain here.
//!
//! # Rules
//!
//! A dagger (†) marks what the text leaves open: see *Choices*. Tests cite these numbers.
//!
//! Components
//! - **OTR-1** Resource cards: 11 brick, 11 lumber, 14 wool, 12 grain and 13 ore, 61 together.
//! - **OTR-2** Building deck: 10 roads, 11 settlements, 5 cities and 8 knights, 34 together. Apart from it,
//!   4 two-sided metropolises, and a starting road and a starting settlement for each of 4 players.
//! - **OTR-3** Event cards: Robber three times; Abundance, Charity, Solstice and Subsidy once each.
//! - **OTR-4** Longest Route and Largest Army, the bonus cards, bring their holder 2 points each.
//!
//! Set-up
//! - **OTR-10** 3 or 4 players. Two can play, but that is unofficial and marked so wherever it is shown. †
//! - **OTR-11** Five cards of the shuffled building deck lie open as the row. On request
//!   (`mixed_first_row`) the first row is dealt until all four kinds are in it. †
//! - **OTR-12** The metropolises all show side A or all show side B. A rule set may mix sides, or leave
//!   cards in the box.
//! - **OTR-13** Everyone begins with a road, a settlement and 2 resource cards; luck decides who starts.
//!   Here seat 1 starts, and luck decides who sits there.
//! - **OTR-14** Play goes round clockwise. A turn is a harvest, then actions, none of which is compulsory.
//!
//! Harvest
//! - **OTR-20** One resource card for everybody, beginning with the player to move and going clockwise.
//! - **OTR-21** The player to move then gets more: one for each city that is not covered, one for each
//!   metropolis that shows B, two for each that shows A.
//! - **OTR-22** A player who must draw from an empty pile first shuffles the discards into a pile; if there
//!   are none either, that draw is lost and play continues. †
//!
//! Trade
//! - **OTR-30** At most one trade a turn, before, between or after builds. †
//! - **OTR-31** The player to move trades with one other. Each gives one card or more, in any numbers, and
//!   no kind goes both ways. A proposal or counter takes cards that its maker has, an acceptance those of
//!   who accepts. †
//! - **OTR-32** A proposal is made to everyone or to one player, whenever nothing is pending in the actions
//!   of a turn, up to three times a turn. Those asked speak in turn order and once: yes, no, or a counter,
//!   which is also how they make proposals of their own. Then the player to move picks one yes or one
//!   counter, or drops the matter; without a deal the turn's trade stays unused. †
//! - **OTR-33** After a trade the other party, never the player to move, draws one card.
//! - **OTR-34** Hands are secret. Numbers of cards are open, and so is whatever is paid, traded or
//!   discarded; secret are draws, and Charity gifts to all but the two concerned. †
//!
//! Building
//! - **OTR-40** As many builds as can be paid for, each of a card in the row or of a metropolis that nobody
//!   has; what is paid joins the discards.
//! - **OTR-41** Prices: road, brick and lumber †. Settlement, brick, lumber, wool and grain. City, 2 grain
//!   and 3 ore †. Knight, wool and ore †. Metropolis of either side, 3 wool and an ore †.
//! - **OTR-42** In one build of a turn, several cards of one kind may replace one card of another kind in
//!   the price: 4 with one road of one's own standing before the build, 3 with two, 2 with three, 1 with
//!   four or more. Without roads it can't be done. The replacement and the rest of the price must all be in
//!   hand.
//! - **OTR-43** Once a build and its event are over, the row is filled up to 5. Five of a kind are shuffled
//!   back and replaced, as often as it takes and in the first row too, unless no other kind is left in row
//!   and deck.
//! - **OTR-44** With the deck used up, the row gets shorter.
//! - **OTR-45** A city is laid on a settlement of one's own, a metropolis on a city of one's own; the lower
//!   card must lie open, and from then on it counts no more.
//! - **OTR-46** Any metropolis that is left may be built: a real choice on side B, none on side A. A rule
//!   set may leave a seat only some of the four.
//! - **OTR-47** What is built works immediately: a new road improves this turn's substitution, if unused.
//!
//! Metropolises, side B
//! - **OTR-50** `roads`: its builder draws as many cards as it has roads.
//! - **OTR-51** `knights`: its builder draws as many cards as it has knights.
//! - **OTR-52** `army`: in a tie for Largest Army, its owner gets the card.
//! - **OTR-53** `route`: in a tie for Longest Route, its owner gets the card. † Each effect exists once;
//!   were there two owners in a tie, nothing would change hands.
//! - **OTR-54** The road that one starts with is a road for substitution, for Longest Route and for `roads`
//!   †.
//! - **OTR-55** `army` and `route` act when they are built and at each build after that. They don't replace
//!   the minimum of the bonus card, they beat a holder who has just as many, even one who had taken the
//!   card away before, and they don't help against a rival who has more. †
//!
//! Bonus cards
//! - **OTR-60** Longest Route goes to whoever is first to have 3 roads, and from there at once to anyone
//!   who has more than its holder. For ties see OTR-53.
//! - **OTR-61** Largest Army likewise, with 2 knights. For ties see OTR-52.
//!
//! Events
//! - **OTR-69** Building a settlement brings one event, carried out before the row is filled. No other
//!   build does, nor do the starting settlements.
//! - **OTR-70** Abundance: 2 cards for everybody who has no bonus card.
//! - **OTR-71** Charity: everyone with the highest score passes a card, chosen freely, to someone who has a
//!   lower one, chosen freely. Nobody does if all scores are equal, and no one can from an empty hand.
//! - **OTR-72** Robber: whoever holds more cards than 7 plus its knights drops half of them (of an odd
//!   number, the smaller half), and picks which.
//! - **OTR-73** Solstice: a card for everybody; then the event deck is complete again and is shuffled.
//! - **OTR-74** Subsidy: everybody draws as many cards as it has settlements lying open, a new one
//!   included.
//! - **OTR-75** Whatever an event asks of several players is done in turn order from the player to move;
//!   each draws all of its cards before the next one starts. †
//! - **OTR-76** An event that has been drawn stays out until Solstice. An empty event deck would be
//!   renewed.
//!
//! End
//! - **OTR-80** A settlement is worth 1, a city 2, a metropolis 3, a bonus card 2. There are no secret
//!   points.
//! - **OTR-81** At 7 points or more on one's own turn the match is won on the spot: no event, no drawing,
//!   no new card in the row. A turn that begins so is won before its harvest.
//! - **OTR-82** A match that has had its number of turns (200 unless set otherwise, counted by player) is
//!   over and nobody wins. It is reported as such, and a standstill as something other than mere
//!   length. †
//! - **OTR-83** No card is ever lost or doubled: each resource card is in a hand, the pile or the discards,
//!   and each building card has one place too.
//!
//! # Choices
//!
//! - *May two play? (OTR-10)* Yes, marked unofficial. Reason: a study can ask how the game scales.
//! - *Is the first row mixed? (OTR-11)* No; `mixed_first_row`. Reason: the leaflet only advises it, for a
//!   first game.
//! - *Which side is up? (OTR-12)* A; `side`, and `face` of each card. Reason: the leaflet's first game.
//! - *What is a mix of sides? (OTR-12)* `side = "mixed"` tosses a coin for each card at the deal. Reason:
//!   no two cards then depend on each other.
//! - *Where is the start player drawn? (OTR-13)* Seats are drawn, seat 1 starts. Reason: the same law, and
//!   turn order is seat order.
//! - *When do discards become the pile? (OTR-22)* When a draw needs them; `reshuffle`. Reason: the pile's
//!   last card is no draw from an empty pile.
//! - *And if there are none? (OTR-22)* The draw is lost. Reason: nothing else can be done.
//! - *When is trade allowed? (OTR-30)* At any moment; `trade.order`. Reason: the leaflet forbids no order.
//! - *Must one hold what one would give? (OTR-31)* Yes, so that proposals and answers show cards; with
//!   `trade.bluff` the player to move may propose more than it has, but counters and acceptances must be
//!   covered, and no trade takes place that isn't. Reason: otherwise a proposal is free to say anything.
//! - *How many proposals? (OTR-32)* 3 a turn; `trade.proposals_max`. Reason: a limit is needed.
//! - *In what order do the others answer? (OTR-32)* In turn order, once, each knowing the answers before.
//!   Reason: the order of everything else.
//! - *May a counter repeat the offer? (OTR-32)* Yes. Reason: it says the same as an acceptance.
//! - *Which offers are listed? (OTR-31)* Those to all, of up to `trade.listed_max` cards a side; any other
//!   is legal if someone names it. Reason: a list that agents can read.
//! - *What lies open? (OTR-34)* All but draws and Charity gifts; `robber.discards`. Reason: the discards
//!   lie face up.
//! - *What do roads, cities, knights and metropolises cost? (OTR-41)* As above; `road.cost` and the like,
//!   `extra` for one metropolis. Reason: printed on the cards.
//! - *What are the rates with one or two roads? (OTR-42)* 4 and 3; `substitution.rates`. Reason: the text's
//!   2 and 1 for three and four roads go on in this way.
//! - *Which card of a kind is paid? (OTR-42)* Nobody's choice: cards that the table knows to be in a hand
//!   are assumed to be spent first. Reason: cards of a kind look alike, and a player who keeps the unknown
//!   ones reveals the least.
//! - *What if five of a kind are all that is left? (OTR-43)* The row stands. Reason: no other row exists.
//! - *Are A sides one action? (OTR-46)* Of A sides with one price that the same seats may build the list has
//!   the first; all are legal. Reason: nothing else tells them apart.
//! - *May every seat build any of them? (OTR-46)* Yes; `metropolis.allowed`, by seat. Reason: field for
//!   studies. It lies open, and forbids building only: nothing else changes.
//! - *Does `route` exist? (OTR-53)* Yes; `metropolis.route.face`. Reason: printed on the card.
//! - *Is the starting road a road for `roads`? (OTR-54)* Yes; `metropolis.starting_road_counts`. Reason: it
//!   lies with the others; the text says "built".
//! - *Do tie effects act at once? (OTR-55)* Yes; `metropolis.tie_at_once`; without it, at the next road or
//!   knight that anyone builds. Reason: a building works immediately.
//! - *Do tie effects need the minimum? (OTR-55)* Yes; `metropolis.tie_minimum`; without it, any road or
//!   knight will do, and a strictly larger rival takes the card below the minimum too. Reason: who is below
//!   it does not tie for the card.
//! - *What if the starting road is enough for Longest Route? (OTR-60)* The start player begins with it; can
//!   happen under a changed `route.minimum` only. Reason: first in turn order.
//! - *What are the bonus cards worth, and when are they earned? (OTR-4, OTR-60, OTR-61)* As above;
//!   `route.points`, `army.points`, `route.minimum`, `army.minimum`. Reason: fields for studies.
//! - *How many cards are safe from the Robber? (OTR-72)* 7; `robber.hand_limit`. Reason: field for studies.
//! - *Who draws, gives, discards first? (OTR-75)* Turn order, all cards of a player together; `draw_order`
//!   lets draws go round by round. Reason: as in the harvest.
//! - *May points that come on another's turn win? (OTR-81)* At the start of one's own turn; can happen
//!   under changed rules only. Reason: the leaflet asks for one's own turn.
//! - *How many points win, from what start? (OTR-81, OTR-13)* 7, from 2 cards; `points_to_win`,
//!   `hand_start`. Reason: fields for studies.
//! - *When does a match stop? (OTR-82)* After `turns_max` turns. Reason: a table would stop too.
//! - *What is a standstill? (OTR-82)* When the limit comes, a full round has passed in which no resource
//!   card moved and nothing was built, not even what a rule set gives away. Reason: then nobody can draw, pay
//!   or trade, or nobody wants to.
//!
//! # Left out
//!
//! - Talk, promises, and deals that reach beyond one exchange of cards; no one shows a hand.
//! - Proposals by players who are not on turn, other than counters; several proposals at once; second
//!   thoughts of those who have answered.
//! - Gifts, other than for Charity.
//! - The players' aids, and who shuffles and deals.
//!
//! # Hidden
//!
//! Item | Owner sees | Others see
//! ---|---|---
//! resource cards in a hand | kinds | number
//! a card drawn | its kind | that a card was drawn
//! cards paid or traded | kinds | kinds
//! cards that a proposal (without `trade.bluff`), counter or acceptance would give | kinds | that they are there
//! a card given for Charity | giver and receiver: its kind | from whom to whom
//! cards discarded to the Robber | kinds | kinds; with `robber.discards = "hidden"` the number
//! the discards | – | kinds; with hidden Robber discards the number
//! the draw pile | – | number; not the order
//! the building deck and the event deck | – | which cards are left in them; not the order
//! buildings, row, points, bonus cards, proposals and answers | everything | everything
//!
//! # Chance
//!
//! Event | Function | Distribution
//! ---|---|---
//! `draw`: a resource card | `OnTheRoad::draw_each`, `draw_many` | uniform over the cards of the pile
//! `row`: a card for the row | `refill` | a kind, as likely as it is frequent in the deck
//! `event`: an event card | `OnTheRoad::draw_event` | uniform over the cards left in the event deck
//! `side`: a metropolis is laid, if sides are mixed | `OnTheRoad::lay_metropolises` | a fair coin
//!
//! No pile has an order: drawing at random from what is left is the same as shuffling before.
//!
//! # Determinization
//!
//! The law. To a seat, the physical cards that it can't see lie uniformly at random in the places
//! that it can't see, conditional on all that it has seen:
//! - A card that was seen to go into a hand, or shown to be in it, stays there until it is seen to leave.
//! - At a reshuffle the new pile's content is known, since the discards lay open. From then on unseen cards
//!   are of two pools: those in hands before the reshuffle, and those drawn since or still in the pile.
//! - A Charity gift that the seat didn't see (and a Robber discard, where those are hidden) is each card of
//!   the giver's hand with equal probability, given everything seen since. This is a model of the giver, who
//!   in truth chooses.
//! - Beyond the cards that must be there, a seat infers nothing from what others choose to build, to offer
//!   or to refuse.
//!
//! The method keeps exact counts up to the first event that can be read in more than one way (a card shown
//! that may be of either pool, an unseen gift, an unseen discard), and a log from there. Each
//! determinization replays the log and draws what is ambiguous. It departs from the law in three ways:
//! - Of a few replays one is kept, with a probability in proportion to how likely it makes what was seen
//!   (importance resampling): right in the limit of many replays, close with the `REPLAYS` of
//!   `src/parts/hidden_hands.rs`. If all replays contradict what was seen, more are tried; as a last resort
//!   unseen cards are dealt as one pool. A search begins so; then two more replays are drawn for each
//!   determinization, and each takes the place of the last by the quotient of their weights (an independence
//!   sampler), which is right in the long run.
//! - At a reshuffle the log ends, and only lower bounds of what it said about hands are kept: after a gift
//!   that it didn't see, a seat is sure of one card less of each kind in the giver's hand.
//! - The log has room for `LOG_MAX` events; past that the two pools become one.
//!
//! # Bounds
//!
//! `ACTIONS_MAX`: the longest list is that of a turn's actions: ending the turn; each card built plainly;
//! each card built with any of the kinds replaced by any of the other four; and an offer for each pair of
//! bundles without a common kind, of up to three cards (the most that `trade.listed_max` takes). An
//! answer's list has at most as many counters. A test reaches the number of offers.
//!
//! `decisions_max`: a turn has one ending and, for each proposal, the proposal, an answer of each other
//! player and a choice. Over a match each building card and each metropolis is built at most once, and
//! each settlement's event asks for fewer discards than there are cards, or for a gift of each player but
//! one. The turn limit bounds the turns, so that no cap cuts a match short. A match with more decisions
//! would be a fault of the rules, and is reported as one.

pub mod action;
pub mod apply;
pub mod arrays;
pub mod cards;
pub mod events;
pub mod game;
pub mod legal;
pub mod luck;
pub mod measure;
pub mod memory;
pub mod observe;
pub mod opinion;
pub mod primer;
pub mod rules;
pub mod seat_event;
pub mod seen;
pub mod setup;
pub mod state;
pub mod wording;
#[cfg(test)]
pub(crate) mod tests;

pub use crate::games::on_the_road::game::OnTheRoad;

use crate::core::chance::Chance;
use crate::core::game::{ActionFilter, BadRule, Field, Game, IllegalAction, Outcome, Turn};
use crate::core::types::actions::{ACTIONS_CAP, Listing};
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::memory::Memory;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::rules::Rules;
use crate::games::on_the_road::state::{Phase, State};

const _: () = assert!(OnTheRoad::ACTIONS_MAX <= ACTIONS_CAP);

// What takes more than a few lines stands in the file of its subject, as a method of the type by the same name.
impl Game for OnTheRoad {
    type State = State;
    type Action = Action;
    type Draw = Draw;
    type View<'a> = View<'a>;
    type Memory = Memory;
    type Rules = Rules;

    const NAME: &'static str = "on-the-road";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=4;
    const ACTIONS_MAX: usize = 1 + 8 + 8 * 20 + 1170;
    const FIELDS: &'static [Field] = Rules::FIELDS;

    fn new(rules: Rules, players: u8) -> Result<OnTheRoad, Vec<BadRule>> {
        OnTheRoad::build(rules, players)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_effect(&self) -> Rules {
        self.rules.in_effect(self.players)
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn unofficial(&self) -> Option<&'static str> {
        (self.players == 2).then_some("two players are an unofficial extra (OTR-10)")
    }

    fn turns_max(&self) -> u16 {
        self.rules.turns_max
    }

    fn decisions_max(&self) -> u32 {
        let proposals = u32::from(self.rules.trade.proposals_max);
        let per_turn = 1 + proposals * (u32::from(self.players) + 1);
        let builds = 34 + 4;
        let events = 11 * (61 + 3);
        u32::from(self.rules.turns_max) * per_turn + builds + events
    }

    fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        self.deal(chance)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.table.phase {
            Phase::Main | Phase::Choose => Turn::Decide(state.table.current),
            Phase::Answer(seat) | Phase::Charity(seat) | Phase::Discard { seat, .. } => {
                Turn::Decide(seat)
            }
            Phase::Over(_) => Turn::Over,
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
        self.draw(state, filter, place)
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
        let winner = (end == crate::core::game::End::Won).then_some(state.table.current);
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
