//! The contract of a game, for the island rules alone.

use crate::core::chance::Chance;
use crate::core::game::{ActionFilter, BadRule, End, Field, Game, IllegalAction, Outcome, Turn};
use crate::core::types::actions::{ACTIONS_CAP, Listing};
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::legal::DEALS_MAX;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::observe::View;
use crate::parts::island::rules::Rules;
use crate::parts::island::state::{Phase, State};

const _: () = assert!(Island::ACTIONS_MAX <= ACTIONS_CAP);

// What takes more than a few lines stands in the file of its subject, as a method of the type by the same name.
impl Game for Island {
    type State = State;
    type Action = Action;
    type Draw = Draw;
    type View<'a> = View<'a>;
    type Memory = Memory;
    type Rules = Rules;

    const NAME: &'static str = "base";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=6;
    const ACTIONS_MAX: usize = 1 + 4 + 80 + 1 + 109 + 2 + 15 + 5 + 20 + 1170;
    const FIELDS: &'static [Field] = Rules::FIELDS;

    fn new(rules: Rules, players: u8) -> Result<Island, Vec<BadRule>> {
        Island::build(rules, players)
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
        (self.players == 2).then_some("two players are an unofficial extra (BASE-13)")
    }

    fn turns_max(&self) -> u16 {
        self.rules.turns_max
    }

    fn decisions_max(&self) -> u32 {
        let players = u32::from(self.players);
        let all_cards = 5 * u32::from(self.stock);
        let proposals = u32::from(DEALS_MAX) + u32::from(self.rules.trade.proposals_max);
        // The roll; what it discards; the robber twice; a card and two roads; the others' say after it.
        let turn = 1 + all_cards / 2 + 2 + 1 + 2 + players + 5;
        let trades = proposals * (players + 1) + 2 * all_cards;
        let pieces = players * (5 + 4 + 15 + 4) + 90;
        u32::from(self.rules.turns_max) * (turn + trades) + pieces
    }

    fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        self.deal(chance)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        let table = &state.table;
        match table.phase {
            Phase::Answer(seat) | Phase::Discard { seat, .. } => Turn::Decide(seat),
            Phase::Choose => Turn::Decide(table.current),
            Phase::Over(_) => Turn::Over,
            _ => Turn::Decide(table.active),
        }
    }

    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn list<L: Listing<Action>>(&self, state: &State, filter: ActionFilter, out: &mut L) {
        self.list(state, filter, out);
    }

    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
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
            points[seat.idx()] = state.points(self, seat);
        }
        let winner = (end == End::Won).then_some(state.table.active);
        Outcome { end, winner, points, seats: self.players }
    }

    fn check(&self, state: &State) {
        self.check(state);
    }

    #[inline]
    fn view<'a>(&self, state: &'a State, seat: Seat) -> View<'a> {
        View::of(state, seat)
    }

    fn turn_number(&self, state: &State) -> u16 {
        // Founding belongs to the first turn.
        state.table.turn.max(1)
    }
}
