//! Base CATAN
pub mod action;
pub mod apply;
pub mod board;
pub mod cards;
pub mod income;
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
use crate::game::End;
use crate::game::Field;
use crate::game::Game;
use crate::game::Happening;
use crate::game::IllegalAction;
use crate::game::Menu;
use crate::game::Observation;
use crate::game::Outcome;
use crate::game::Turn;
use crate::games::base::action::Action;
use crate::games::base::board::Parts;
use crate::games::base::cards::Card;
use crate::games::base::cards::Cards;
use crate::games::base::cards::THROW_NAMES;
use crate::games::base::legal::DEALS_MAX;
use crate::games::base::listed::Listed;
use crate::games::base::memory::Memory;
use crate::games::base::observe::View;
use crate::games::base::rules::Rules;
use crate::games::base::state::Phase;
use crate::games::base::state::Stage;
use crate::games::base::state::State;
use crate::parts::hexmap::HexMap;
use crate::parts::resources::Resource;
use crate::parts::resources::Resources;
use crate::types::actions::ACTIONS_CAP;
use crate::types::actions::Actions;
use crate::types::seat::SEATS_MAX;
use crate::types::seat::Seat;
use rand_pcg::Pcg32;

/// The game for one rule set and one table size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    rules: Rules,
    players: u8,
    /// The island's geometry.
    map: &'static HexMap,
    /// What is in the box.
    parts: &'static Parts,
    /// Cards of each resource.
    stock: u8,
    /// All development cards.
    deck: Cards,
    road_cost: Resources,
    settlement_cost: Resources,
    city_cost: Resources,
    card_cost: Resources,
    listed: Listed,
}

impl Base {
    /// The island's geometry.
    #[inline]
    pub fn map(&self) -> &'static HexMap {
        self.map
    }

    /// What is in the box.
    pub fn parts(&self) -> &'static Parts {
        self.parts
    }

    /// Prices of a road, a settlement, a city and a development card.
    #[inline]
    pub fn prices(&self) -> [Resources; 4] {
        [self.road_cost, self.settlement_cost, self.city_cost, self.card_cost]
    }
}

const _: () = assert!(Base::ACTIONS_MAX <= ACTIONS_CAP);

/// Words for terrain, the kinds of resources first.
const TERRAIN: [&str; 6] = ["brick", "lumber", "wool", "grain", "ore", "desert"];

/// Words for harbours, the kinds of resources first.
const HARBOURS: [&str; 6] = ["brick", "lumber", "wool", "grain", "ore", "any"];

/// Words for small numbers.
const NUMBERS: [&str; 30] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
    "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29",
];

/// The words for the results of a kind of chance event, by outcome.
fn words(what: &str) -> Vec<&'static str> {
    match what {
        "dice" => THROW_NAMES.to_vec(),
        "steal" => TERRAIN[..Resource::COUNT].to_vec(),
        "terrain" => TERRAIN.to_vec(),
        "harbour" => HARBOURS.to_vec(),
        "card" => Card::ALL.map(Card::name).to_vec(),
        // Tokens are told by the sum of the dice, from 2.
        "token" => NUMBERS[2..13].to_vec(),
        "corner" => NUMBERS[..6].to_vec(),
        "hex" => NUMBERS.to_vec(),
        _ => Vec::new(),
    }
}

impl Game for Base {
    type State = State;
    type Action = Action;
    type View = View;
    type Memory = Memory;
    type Rules = Rules;

    const NAME: &'static str = "base";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=6;
    const ACTIONS_MAX: usize = 1 + 4 + 80 + 1 + 109 + 2 + 15 + 5 + 20 + 1170;
    const FIELDS: &'static [Field] = rules::FIELDS;

    fn new(rules: Rules, players: u8) -> Result<Base, Vec<BadRule>> {
        Base::build(rules, players)
    }

    fn rules(&self) -> &Rules {
        &self.rules
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

    fn deal<C: Chance>(&self, chance: &mut C) -> State {
        self.start(chance)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.table.phase {
            Phase::Act
            | Phase::Robber
            | Phase::FreeRoads(_)
            | Phase::Found
            | Phase::FoundRoad(_) => Turn::Decide(state.table.active),
            Phase::Choose => Turn::Decide(state.table.current),
            Phase::Answer(seat) | Phase::Discard { seat, .. } => Turn::Decide(seat),
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
            points[seat.idx()] = state.points(self, seat);
        }
        let winner = (end == End::Won).then_some(state.table.active);
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
        self.first_memory(seat)
    }

    fn remember(&self, memory: &mut Memory, happening: Happening<'_, Base>) {
        match happening {
            Happening::Action { before, action } => self.witness(memory, before, action),
            Happening::Chance(event) => self.witness_chance(memory, event),
        }
    }

    fn determinize(&self, seen: &Observation<Base>, rng: &mut Pcg32) -> State {
        self.imagine(&seen.view, &seen.memory, rng)
    }

    fn turn_number(&self, state: &State) -> u16 {
        state.table.turn
    }

    fn phase_name(&self, state: &State) -> &'static str {
        match (state.table.phase, state.table.stage) {
            (Phase::Found, _) => "found",
            (Phase::FoundRoad(_), _) => "found_road",
            (Phase::Act, Stage::Roll) => "roll",
            (Phase::Act, Stage::Special) => "special",
            (Phase::Act, Stage::Paired) => "paired",
            (Phase::Act, _) => "main",
            (Phase::Discard { .. }, _) => "discard",
            (Phase::Robber, _) => "robber",
            (Phase::FreeRoads(_), _) => "free_road",
            (Phase::Answer(_), _) => "answer",
            (Phase::Choose, _) => "choose",
            (Phase::Over(_), _) => "over",
        }
    }

    fn describe(event: ChanceEvent) -> &'static str {
        words(event.luck.what)[usize::from(event.outcome)]
    }

    fn outcomes(what: &str, word: &str) -> u64 {
        let words = words(what);
        let fits = words.iter().enumerate().filter(|(_, known)| **known == word);
        fits.fold(0, |set, (idx, _)| set | 1 << idx)
    }
}
