//! CATAN – On the Road: a card game for 3 or 4 players, the first to 7 points on its own turn wins.

pub mod action;
pub mod apply;
pub mod cards;
pub mod events;
pub mod legal;
pub mod listed;
pub mod memory;
pub mod observe;
pub mod rules;
pub mod setup;
pub mod state;
#[cfg(test)]
mod tests;

use crate::chance::Chance;
use crate::chance::ChanceEvent;
use crate::game::BadRule;
use crate::game::Field;
use crate::game::Game;
use crate::game::Happening;
use crate::game::IllegalAction;
use crate::game::Menu;
use crate::game::Observation;
use crate::game::Outcome;
use crate::game::Turn;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::Building;
use crate::games::on_the_road::cards::CARDS_OF;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::cards::Event;
use crate::games::on_the_road::cards::kind_of;
use crate::games::on_the_road::listed::Listed;
use crate::games::on_the_road::memory::Memory;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::rules::Reshuffle;
use crate::games::on_the_road::rules::Rules;
use crate::games::on_the_road::state::Phase;
use crate::games::on_the_road::state::State;
use crate::parts::resources::Resource;
use crate::parts::resources::Resources;
use crate::types::actions::ACTIONS_CAP;
use crate::types::actions::Actions;
use crate::types::seat::SEATS_MAX;
use crate::types::seat::Seat;
use rand_pcg::Pcg32;

/// The game for one rule set and one table size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnTheRoad {
    rules: Rules,
    players: u8,
    /// Full prices by [`Card`].
    costs: [Resources; Card::COUNT],
    listed: Listed,
}

impl OnTheRoad {
    /// The full price of a card. (OTR-41)
    #[inline]
    pub fn price(&self, card: Card) -> Resources {
        self.costs[card.idx()]
    }
}

const _: () = assert!(OnTheRoad::ACTIONS_MAX <= ACTIONS_CAP);

impl Game for OnTheRoad {
    type State = State;
    type Action = Action;
    type View = View;
    type Memory = Memory;
    type Rules = Rules;

    const NAME: &'static str = "on-the-road";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=4;
    const ACTIONS_MAX: usize = 1 + 8 + 8 * 20 + 1170;
    const FIELDS: &'static [Field] = rules::FIELDS;

    fn new(rules: Rules, players: u8) -> Result<OnTheRoad, Vec<BadRule>> {
        OnTheRoad::build(rules, players)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn unofficial(&self) -> Option<&'static str> {
        (self.players == 2).then_some("two players are an unofficial extra (OTR-10)")
    }

    fn decisions_max(&self) -> u32 {
        let proposals = u32::from(self.rules.trade.proposals_max);
        let per_turn = 1 + proposals * (u32::from(self.players) + 1);
        let builds = 34 + 4;
        let events = 11 * (61 + 3);
        u32::from(self.rules.turns_max) * per_turn + builds + events
    }

    fn deal<C: Chance>(&self, chance: &mut C) -> State {
        self.start(chance)
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
    fn legal(&self, state: &State, menu: Menu, out: &mut Actions<Action>) {
        self.list(state, menu, out);
    }

    fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        self.allow(state, action)
    }

    #[inline]
    fn apply<C: Chance>(&self, state: &mut State, action: Action, chance: &mut C) {
        self.carry_out(state, action, chance);
    }

    fn outcome(&self, state: &State) -> Outcome {
        let Phase::Over(end) = state.table.phase else { panic!("the match goes on") };
        let mut points = [0; SEATS_MAX];
        for seat in Seat::all(self.players) {
            points[seat.idx()] = state.table.points(self, seat);
        }
        let winner = (end == crate::game::End::Won).then_some(state.table.current);
        Outcome { end, winner, points, seats: self.players }
    }

    fn check(&self, state: &State) {
        self.assert_sound(state);
    }

    #[inline]
    fn view(&self, state: &State, seat: Seat) -> View {
        self.look(state, seat)
    }

    fn memory(&self, seat: Seat) -> Memory {
        Memory::new(seat, self.rules.reshuffle == Reshuffle::OnEmpty)
    }

    fn remember(&self, memory: &mut Memory, happening: Happening<'_, OnTheRoad>) {
        match happening {
            Happening::Action { before, action } => self.witness(memory, before, action),
            Happening::Chance(event) => OnTheRoad::witness_chance(memory, event),
        }
    }

    fn determinize(&self, seen: &Observation<OnTheRoad>, rng: &mut Pcg32) -> State {
        self.imagine(&seen.view, &seen.memory, rng)
    }

    fn turn_number(&self, state: &State) -> u16 {
        state.table.turn
    }

    fn phase_name(&self, state: &State) -> &'static str {
        match state.table.phase {
            Phase::Main => "main",
            Phase::Answer(_) => "answer",
            Phase::Choose => "choose",
            Phase::Charity(_) => "charity",
            Phase::Discard { .. } => "discard",
            Phase::Over(_) => "over",
        }
    }

    fn describe(event: ChanceEvent) -> &'static str {
        let idx = usize::from(event.outcome);
        match event.luck.what {
            "draw" => kind_of(event.outcome).name(),
            "row" => Card::from(Building::ALL[idx]).name(),
            "event" => Event::OF_CARD[idx].name(),
            _ => ["a", "b"][idx],
        }
    }

    fn outcomes(what: &str, word: &str) -> u64 {
        let bits = |fits: &dyn Fn(usize) -> bool, count: usize| -> u64 {
            (0..count).filter(|&idx| fits(idx)).fold(0, |set, idx| set | 1 << idx)
        };
        match what {
            "draw" => Resource::ALL
                .into_iter()
                .filter(|kind| kind.name() == word)
                .fold(0, |set, kind| set | CARDS_OF[kind.idx()]),
            "row" => bits(&|idx| Card::from(Building::ALL[idx]).name() == word, Building::COUNT),
            "event" => bits(&|idx| Event::OF_CARD[idx].name() == word, Event::CARDS),
            "side" => bits(&|idx| ["a", "b"][idx] == word, 2),
            _ => 0,
        }
    }
}
