//! Positions built by hand, scripts of luck, and short words for actions. Not a test.
//!
//! Hands and prices are written as counts in the order brick, lumber, wool, grain, ore. Everything here
//! is set up by hand: the code under test is asked only to carry out actions.

use crate::core::chance::{Scripted, ScriptedChance};
use crate::core::game::{ActionFilter, Game};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::games::struggle::Struggle;
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::rules::Rules;
use crate::games::struggle::state::{Area, Lot, Phase, SoFar, State, Table};
use crate::games::support;
use crate::parts::bundles::Bundle;

pub const S1: Seat = Seat::new(0);
pub const S2: Seat = Seat::new(1);
pub const S3: Seat = Seat::new(2);
pub const S4: Seat = Seat::new(3);

/// Draws of a resource card.
pub const BRICK: Scripted = Scripted::Kind(0);
pub const LUMBER: Scripted = Scripted::Kind(1);
pub const WOOL: Scripted = Scripted::Kind(2);
pub const GRAIN: Scripted = Scripted::Kind(3);
pub const ORE: Scripted = Scripted::Kind(4);

/// City sides.
pub const BRIGANDS: Scripted = Scripted::Kind(0);
pub const MARKET_DAY: Scripted = Scripted::Kind(1);

/// Prices. (SFC-40)
pub const FOR_ROAD: [u8; 5] = [1, 1, 0, 0, 0];
pub const FOR_KNIGHT: [u8; 5] = [0, 0, 1, 1, 1];
pub const FOR_SETTLEMENT: [u8; 5] = [1, 1, 1, 1, 0];
pub const FOR_CITY: [u8; 5] = [0, 0, 0, 2, 3];
pub const FOR_EXPANSION: [u8; 5] = [0, 0, 3, 0, 1];

/// What a player has at the start. (SFC-10)
pub const START: Area = Area { roads: 1, knights: 0, settlements: 1, cities: 0, expansions: 0 };

/// A game and a position in it.
#[derive(Debug, Clone)]
pub struct Scene {
    pub game: Struggle,
    pub state: State,
}

impl Scene {
    /// Seat 1 in turn 1, before it has done anything: empty hands, starting cards only, a market of one card of
    /// each kind, all other cards in the draw stack.
    pub fn new(players: u8) -> Scene {
        Scene::with(players, |_| {})
    }

    /// The same with a changed rule set.
    pub fn with(players: u8, change: impl FnOnce(&mut Rules)) -> Scene {
        let game = game_with(players, change);
        let supply = game.supply();
        let mut areas = [Area::default(); SEATS_MAX];
        areas[..usize::from(players)].fill(START);
        let market = Resources::each(1);
        let table = Table {
            areas,
            market,
            discards: Resources::NONE,
            roads: supply.roads - players,
            knights: supply.knights,
            settlements: supply.settlements - players,
            expansions: supply.expansions,
            events: [supply.brigands, supply.settlements - supply.brigands],
            clockwise: true,
            turn: 1,
            current: S1,
            phase: Phase::Act,
            so_far: SoFar::default(),
            lot: Lot::NONE,
        };
        let hands = [Resources::NONE; SEATS_MAX];
        let state = State { table, hands, pile: game.deck() - market };
        Scene { game, state }
    }

    /// Puts cards of the draw stack into a hand.
    pub fn hand(mut self, seat: Seat, counts: [u8; 5]) -> Scene {
        let cards = self.out_of_pile(counts);
        self.state.hands[seat.idx()] = self.state.hands[seat.idx()] + cards;
        self
    }

    /// Puts cards of the draw stack among the discards.
    pub fn discards(mut self, counts: [u8; 5]) -> Scene {
        let cards = self.out_of_pile(counts);
        self.state.table.discards = self.state.table.discards + cards;
        self
    }

    /// Opens other cards in the market.
    pub fn market(mut self, counts: [u8; 5]) -> Scene {
        self.state.pile = self.state.pile + self.state.table.market;
        self.state.table.market = self.out_of_pile(counts);
        self
    }

    /// Leaves only these cards in the draw stack; the others go to a hand.
    pub fn pile(mut self, counts: [u8; 5], others_to: Seat) -> Scene {
        let kept = self.out_of_pile(counts);
        let hand = &mut self.state.hands[others_to.idx()];
        *hand = *hand + self.state.pile;
        self.state.pile = kept;
        self
    }

    fn out_of_pile(&mut self, counts: [u8; 5]) -> Resources {
        let cards = Resources::new(counts);
        assert!(self.state.pile.covers(cards), "the draw stack holds these cards");
        self.state.pile = self.state.pile - cards;
        cards
    }

    /// Lays these cards in front of a seat; they come from the stacks. Cities have turned up brigands.
    pub fn area(mut self, seat: Seat, area: Area) -> Scene {
        let table = &mut self.state.table;
        let before = std::mem::replace(&mut table.areas[seat.idx()], area);
        table.roads = table.roads + before.roads - area.roads;
        table.knights = table.knights + before.knights - area.knights;
        table.settlements = table.settlements + before.settlements + turned(before)
            - area.settlements
            - turned(area);
        table.events[0] = table.events[0] + turned(before) - turned(area);
        for expansion in Expansion::ALL {
            let left = &mut table.expansions[expansion.idx()];
            *left = *left + u8::from(before.has(expansion)) - u8::from(area.has(expansion));
        }
        self
    }

    /// Gives a seat, beside its starting cards, cities with these expansions.
    pub fn expanded(self, seat: Seat, expansions: &[Expansion]) -> Scene {
        self.area(seat, Area { expansions: bits(expansions), ..START })
    }

    /// Turns the destiny card counterclockwise.
    pub fn counterclockwise(mut self) -> Scene {
        self.state.table.clockwise = false;
        self
    }

    /// Says whose turn it is.
    pub fn turn_of(mut self, seat: Seat) -> Scene {
        self.state.table.current = seat;
        self
    }

    /// Carries out an action with this luck and no other, and asks the invariants before and after.
    #[track_caller]
    pub fn play(&mut self, action: Action, script: &[Scripted]) {
        support::play(&self.game, &mut self.state, action, script);
    }

    /// Carries out actions that need no luck.
    #[track_caller]
    pub fn play_all(&mut self, actions: &[Action]) {
        support::play_all(&self.game, &mut self.state, actions);
    }

    /// Draws these cards and ends the turn.
    #[track_caller]
    pub fn end_turn(&mut self, drawn: &[Scripted]) {
        self.play(Action::Draw, drawn);
        self.play(Action::EndTurn, &[]);
    }

    /// Whether the rules allow an action; whatever is listed must be allowed.
    #[track_caller]
    pub fn allows(&self, action: Action) -> bool {
        let allowed = self.game.permits(&self.state, action).is_ok();
        assert!(allowed || !self.lists(action), "{action} is listed and forbidden");
        allowed
    }

    /// Whether the full list has an action.
    pub fn lists(&self, action: Action) -> bool {
        self.listed(ActionFilter::Full).contains(&action)
    }

    /// The legal list.
    pub fn listed(&self, filter: ActionFilter) -> Vec<Action> {
        support::listed(&self.game, &self.state, filter)
    }

    /// The cards that the full list has to build, each once.
    pub fn listed_builds(&self) -> Vec<Card> {
        let list = self.listed(ActionFilter::Full);
        let card = |action: &Action| match action {
            Action::Build { card, .. } => Some(*card),
            _ => None,
        };
        let mut cards: Vec<Card> = list.iter().filter_map(card).collect();
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    /// How many lots of the full list are with a partner.
    pub fn lots_with(&self, partner: Partner) -> usize {
        let list = self.listed(ActionFilter::Full);
        let is_one =
            |action: &&Action| matches!(action, Action::Trade { with, .. } if *with == partner);
        list.iter().filter(is_one).count()
    }

    /// A hand by kind.
    pub fn held(&self, seat: Seat) -> [u8; 5] {
        self.state.hands[seat.idx()].counts()
    }

    /// The discards by kind.
    pub fn discarded(&self) -> [u8; 5] {
        self.state.table.discards.counts()
    }

    /// The market by kind.
    pub fn in_market(&self) -> [u8; 5] {
        self.state.table.market.counts()
    }

    /// What lies in front of a seat.
    pub fn in_front_of(&self, seat: Seat) -> Area {
        self.state.table.areas[seat.idx()]
    }

    /// Points by seat.
    pub fn points(&self) -> Vec<u8> {
        let table = &self.state.table;
        Seat::all(self.game.players()).map(|seat| table.points(&self.game, seat)).collect()
    }

    /// What must be decided next.
    pub fn phase(&self) -> Phase {
        self.state.table.phase
    }
}

/// Cities, with and without an expansion.
fn turned(area: Area) -> u8 {
    area.cities + u8::try_from(area.expansions.count_ones()).expect("six kinds")
}

/// A set of expansions, one bit for each.
pub fn bits(expansions: &[Expansion]) -> u8 {
    expansions.iter().fold(0, |set, expansion| set | expansion.bit())
}

/// The game with a changed rule set.
pub fn game_with(players: u8, change: impl FnOnce(&mut Rules)) -> Struggle {
    let mut rules = Rules::default();
    change(&mut rules);
    Struggle::new(rules, players).expect("a rule set that can be played with")
}

/// Deals with this luck and no other.
#[track_caller]
pub fn deal(game: Struggle, parts: &[&[Scripted]]) -> Scene {
    let mut chance = ScriptedChance::new(parts.concat());
    let state = game.deal(&mut chance);
    assert!(chance.is_exhausted(), "the deal takes all of the script");
    game.check(&state);
    Scene { game, state }
}

/// Builds at the printed price.
pub fn build(card: Card) -> Action {
    let price = match card {
        Card::Road => FOR_ROAD,
        Card::Knight => FOR_KNIGHT,
        Card::Settlement => FOR_SETTLEMENT,
        Card::City => FOR_CITY,
        _ => FOR_EXPANSION,
    };
    build_for(card, price)
}

/// Builds for these cards.
pub fn build_for(card: Card, pay: [u8; 5]) -> Action {
    Action::Build { card, pay: Bundle::new(Resources::new(pay)) }
}

pub fn stack(cards: u8) -> Action {
    Action::Trade { with: Partner::Stack, cards, choose: false }
}

pub fn market(cards: u8) -> Action {
    Action::Trade { with: Partner::Market, cards, choose: false }
}

pub fn trade(seat: Seat, cards: u8) -> Action {
    Action::Trade { with: Partner::Seat(seat), cards, choose: false }
}

/// A trade of which the library chooses a card.
pub fn choose(seat: Seat, cards: u8) -> Action {
    Action::Trade { with: Partner::Seat(seat), cards, choose: true }
}

pub fn take(card: Resource) -> Action {
    Action::Take { card }
}

pub fn give_back(card: Resource) -> Action {
    Action::Return { card }
}

pub fn discard(card: Resource) -> Action {
    Action::Discard { card }
}

pub fn rob(from: Seat) -> Action {
    Action::Rob { from }
}

pub fn extra(cards: u8) -> Action {
    Action::Extra { cards }
}
