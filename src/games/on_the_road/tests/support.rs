//! Positions built by hand, scripts of luck, and short words for actions. Not a test.
//!
//! Hands and prices are written as counts in the order brick, lumber, wool, grain, ore. Everything here
//! is set up by hand: the code under test is asked only to carry out actions.

use crate::core::chance::Scripted;
use crate::core::game::{ActionFilter, Game};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::{CARDS_ALL, Card, CardSet, Hand, count, take};
use crate::games::on_the_road::rules::{Rules, SEATS, Side};
use crate::games::on_the_road::state::{Area, Phase, State, Table, TurnSoFar};
use crate::games::support;
use crate::parts::bundles::Bundle;
use crate::parts::trade::{Audience, Proposal};

pub const S1: Seat = Seat::new(0);
pub const S2: Seat = Seat::new(1);
pub const S3: Seat = Seat::new(2);
pub const S4: Seat = Seat::new(3);

/// Draws of a resource card: 11 brick, then 11 lumber, 14 wool, 12 grain and 13 ore.
pub const BRICK: Scripted = Scripted::Card(0x7ff);
pub const LUMBER: Scripted = Scripted::Card(0x7ff << 11);
pub const WOOL: Scripted = Scripted::Card(0x3fff << 22);
pub const GRAIN: Scripted = Scripted::Card(0xfff << 36);
pub const ORE: Scripted = Scripted::Card(0x1fff << 48);

/// Cards turned up in the row.
pub const ROAD: Scripted = Scripted::Kind(0);
pub const SETTLEMENT: Scripted = Scripted::Kind(1);
pub const CITY: Scripted = Scripted::Kind(2);
pub const KNIGHT: Scripted = Scripted::Kind(3);

/// Event cards.
pub const ABUNDANCE: Scripted = Scripted::Card(1);
pub const CHARITY: Scripted = Scripted::Card(1 << 1);
pub const ROBBER: Scripted = Scripted::Card(0b111 << 2);
pub const SOLSTICE: Scripted = Scripted::Card(1 << 5);
pub const SUBSIDY: Scripted = Scripted::Card(1 << 6);

/// The price of a settlement.
pub const FOR_SETTLEMENT: [u8; 5] = [1, 1, 1, 1, 0];

/// The bits of the metropolises in an area.
pub const ROADS_BIT: u8 = 1;
pub const KNIGHTS_BIT: u8 = 1 << 1;
pub const ARMY_BIT: u8 = 1 << 2;
pub const ROUTE_BIT: u8 = 1 << 3;

/// What a player has at the start.
pub const START: Area = Area { roads: 1, settlements: 1, cities: 0, knights: 0, metropolises: 0 };

/// A game and a position in it.
#[derive(Debug, Clone)]
pub struct Scene {
    pub game: OnTheRoad,
    pub state: State,
}

impl Scene {
    /// Seat 1 in the action phase of turn 1: empty hands, all resource cards in the pile, starting cards
    /// only, and a row of two roads, a settlement, a city and a knight.
    pub fn new(players: u8) -> Scene {
        Scene::with(players, |_| {})
    }

    /// The same with side B up.
    pub fn side_b(players: u8) -> Scene {
        Scene::with(players, |rules| rules.side = Side::B)
    }

    /// The same with a changed rule set.
    pub fn with(players: u8, change: impl FnOnce(&mut Rules)) -> Scene {
        let game = game_with(players, change);
        let mut areas = [Area::default(); SEATS];
        areas[..usize::from(players)].fill(START);
        let table = Table {
            areas,
            row: [2, 1, 1, 1],
            deck: [8, 10, 4, 7],
            b_sides: if game.rules().side == Side::B { 0b1111 } else { 0 },
            unbuilt: 0b1111,
            route: None,
            army: None,
            events: 0b111_1111,
            turn: 1,
            current: S1,
            phase: Phase::Main,
            so_far: TurnSoFar::default(),
            still: 0,
            pending: 0,
            proposal: Proposal::NONE,
        };
        let state = State { table, hands: [Hand::default(); SEATS], pile: CARDS_ALL, discards: 0 };
        Scene { game, state }
    }

    /// Puts cards of the pile into a hand.
    pub fn hand(mut self, seat: Seat, counts: [u8; 5]) -> Scene {
        let cards = self.out_of_pile(counts);
        self.state.hands[seat.idx()].put(cards, Resources::new(counts));
        self
    }

    /// Puts cards of the pile among the discards.
    pub fn discards(mut self, counts: [u8; 5]) -> Scene {
        self.state.discards |= self.out_of_pile(counts);
        self
    }

    /// Leaves only these cards in the pile; the others go to a hand.
    pub fn pile(mut self, counts: [u8; 5], others_to: Seat) -> Scene {
        let kept = self.out_of_pile(counts);
        let pile = self.state.pile;
        self.state.hands[others_to.idx()].put(pile, count(pile));
        self.state.pile = kept;
        self
    }

    fn out_of_pile(&mut self, counts: [u8; 5]) -> CardSet {
        let cards = take(self.state.pile, Resources::new(counts));
        assert_eq!(cards & !self.state.pile, 0, "the pile holds these cards");
        self.state.pile &= !cards;
        cards
    }

    /// Gives a seat these buildings; their cards come from the deck.
    pub fn area(mut self, seat: Seat, area: Area) -> Scene {
        let table = &mut self.state.table;
        let before = taken(table.areas[seat.idx()]);
        for (kind, now) in taken(area).into_iter().enumerate() {
            table.deck[kind] = table.deck[kind] + before[kind] - now;
        }
        table.unbuilt &= !area.metropolises;
        table.areas[seat.idx()] = area;
        self
    }

    /// Lays this row; its cards come from the deck.
    pub fn row(mut self, row: [u8; 4]) -> Scene {
        let table = &mut self.state.table;
        for (kind, now) in row.into_iter().enumerate() {
            table.deck[kind] = table.deck[kind] + table.row[kind] - now;
        }
        table.row = row;
        self
    }

    /// Says who holds Longest Route.
    pub fn route(mut self, seat: Seat) -> Scene {
        self.state.table.route = Some(seat);
        self
    }

    /// Says who holds Largest Army.
    pub fn army(mut self, seat: Seat) -> Scene {
        self.state.table.army = Some(seat);
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

    /// Everything that the list has to build, in any way of paying.
    pub fn listed_builds(&self, filter: ActionFilter) -> Vec<Action> {
        let mut list = self.listed(filter);
        list.retain(|action| matches!(action, Action::Build { .. }));
        list
    }

    /// How many offers the full list has.
    pub fn offer_count(&self) -> usize {
        let list = self.listed(ActionFilter::Full);
        list.iter().filter(|action| matches!(action, Action::Offer { .. })).count()
    }

    /// A hand by kind.
    pub fn held(&self, seat: Seat) -> [u8; 5] {
        self.state.hands[seat.idx()].counts().counts()
    }

    /// Cards in each hand.
    pub fn hand_sizes(&self) -> [u8; SEATS] {
        self.state.hands.map(Hand::size)
    }

    /// The discards by kind.
    pub fn discarded(&self) -> [u8; 5] {
        count(self.state.discards).counts()
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

    /// Cards in the row.
    pub fn row_size(&self) -> u8 {
        self.state.table.row.iter().sum()
    }
}

/// Cards of each kind that an area took from the row: everything but the starting road and settlement.
fn taken(area: Area) -> [u8; 4] {
    if area == Area::default() {
        return [0; 4];
    }
    let covering = u8::try_from(area.metropolises.count_ones()).expect("four metropolises");
    let cities = area.cities + covering;
    [area.roads - 1, area.settlements + cities - 1, cities, area.knights]
}

/// The game with a changed rule set.
pub fn game_with(players: u8, change: impl FnOnce(&mut Rules)) -> OnTheRoad {
    let mut rules = Rules::default();
    change(&mut rules);
    OnTheRoad::new(rules, players).expect("a rule set that can be played with")
}

fn bundle(counts: [u8; 5]) -> Bundle {
    Bundle::new(Resources::new(counts))
}

pub fn build(card: Card) -> Action {
    Action::Build { card, pay: Payment::Exact }
}

/// Builds with cards of `by` in the place of one `replaced`.
pub fn build_with(card: Card, by: Resource, replaced: Resource) -> Action {
    Action::Build { card, pay: Payment::Substitute { replaced, by } }
}

pub fn offer(give: [u8; 5], want: [u8; 5]) -> Action {
    Action::Offer { to: Audience::All, give: bundle(give), want: bundle(want) }
}

pub fn offer_to(seat: Seat, give: [u8; 5], want: [u8; 5]) -> Action {
    Action::Offer { to: Audience::One(seat), give: bundle(give), want: bundle(want) }
}

pub fn counter(give: [u8; 5], want: [u8; 5]) -> Action {
    Action::Counter { give: bundle(give), want: bundle(want) }
}

pub fn settle(with: Seat) -> Action {
    Action::Settle { with }
}

pub fn discard(card: Resource) -> Action {
    Action::Discard { card }
}

pub fn give(card: Resource, to: Seat) -> Action {
    Action::Give { card, to }
}
