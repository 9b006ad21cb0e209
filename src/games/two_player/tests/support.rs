//! Positions built by hand, scripts of luck, and short words for actions. Not a test.
//!
//! All scenes use the beginner island, with the neutral settlements and nothing else: seat 3 at 11, seat 4 at 42. Hands
//! are written as counts in the order brick, lumber, wool, grain, ore.

use crate::core::chance::{Scripted, ScriptedChance};
use crate::core::game::{ActionFilter, Game};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::support;
use crate::games::two_player::action::Action;
use crate::games::two_player::game::TwoPlayer;
use crate::games::two_player::rules::Rules;
use crate::games::two_player::state::{Owed, State};
use crate::parts::island::action;
use crate::parts::island::cards::{Card, sum_of};
use crate::parts::island::rules::Layout;
use crate::parts::island::state::{Phase, Stage, Table};
use crate::parts::places::{Edge, Hex, Vertex};

pub const S1: Seat = Seat::new(0);
pub const S2: Seat = Seat::new(1);
/// The neutral players.
pub const N3: Seat = Seat::new(2);
pub const N4: Seat = Seat::new(3);

pub const FOR_ROAD: [u8; 5] = [1, 1, 0, 0, 0];
pub const FOR_SETTLEMENT: [u8; 5] = [1, 1, 1, 1, 0];
pub const FOR_CITY: [u8; 5] = [0, 0, 0, 2, 3];
pub const FOR_CARD: [u8; 5] = [0, 0, 1, 1, 1];

/// The desert of the beginner island.
pub const DESERT: u8 = 9;

/// A game and a position in it.
#[derive(Debug, Clone)]
pub struct Scene {
    pub game: TwoPlayer,
    pub state: State,
}

/// The dice show one of these sums.
pub fn dice(sums: &[u8]) -> Scripted {
    let shows = |throw: &u8| sums.contains(&sum_of(*throw));
    Scripted::Card((0..36).filter(shows).fold(0, |set, at| set | 1 << at))
}

/// This kind is stolen.
pub fn stolen(kind: Resource) -> Scripted {
    Scripted::Kind(u8::try_from(kind.idx()).unwrap())
}

pub fn game_with(change: impl FnOnce(&mut Rules)) -> TwoPlayer {
    let mut rules = Rules { island: Layout::Beginner, ..Rules::default() };
    change(&mut rules);
    TwoPlayer::new(rules, 2).expect("a rule set that can be played with")
}

impl Scene {
    /// Seat 1 after the rolls of turn 1: empty hands, no pieces, no tokens, the robber on the desert.
    pub fn new() -> Scene {
        Scene::with(|_| {})
    }

    /// The same with a changed rule set.
    pub fn with(change: impl FnOnce(&mut Rules)) -> Scene {
        let game = game_with(change);
        let mut state = game.deal(&mut ScriptedChance::default());
        let table = &mut state.island.table;
        (table.turn, table.stage, table.phase) = (1, Stage::Main, Phase::Act);
        state.own.tokens = [0, 0];
        Scene { game, state }
    }

    pub fn table(&mut self) -> &mut Table {
        &mut self.state.island.table
    }

    pub fn tokens(mut self, tokens: [u8; 2]) -> Scene {
        self.state.own.tokens = tokens;
        self
    }

    /// Gives a seat cards of the bank.
    pub fn hand(mut self, seat: Seat, counts: [u8; 5]) -> Scene {
        let cards = Resources::new(counts);
        let state = &mut self.state.island;
        state.table.bank = state.table.bank - cards;
        state.hands[seat.idx()] = state.hands[seat.idx()] + cards;
        self
    }

    pub fn settlement(mut self, seat: Seat, vertex: u8) -> Scene {
        let island = self.game.island.clone();
        island.put_settlement(self.table(), seat, Vertex::new(vertex));
        self
    }

    pub fn city(self, seat: Seat, vertex: u8) -> Scene {
        let mut scene = self.settlement(seat, vertex);
        let island = scene.game.island.clone();
        island.put_city(scene.table(), seat, Vertex::new(vertex));
        scene
    }

    /// A settlement of a neutral player.
    pub fn neutral(mut self, seat: Seat, vertex: u8) -> Scene {
        let map = self.game.island.map();
        self.table().pieces.stand(map, seat, Vertex::new(vertex));
        self
    }

    /// Roads along a line of vertices; Longest Road goes to its rightful holder.
    pub fn roads(mut self, seat: Seat, line: &[u8]) -> Scene {
        let island = self.game.island.clone();
        for pair in line.windows(2) {
            let edge = edge(pair[0], pair[1]);
            self.table().pieces.lay_road(island.map(), seat, edge);
        }
        island.award_route(self.table());
        self
    }

    /// Gives a seat development cards of the deck.
    pub fn cards(mut self, seat: Seat, card: Card, count: u8) -> Scene {
        self.state.island.deck[card.idx()] -= count;
        self.state.island.cards[seat.idx()][card.idx()] += count;
        self
    }

    /// Knights that a seat has played; Largest Army is up to the caller.
    pub fn knights(mut self, seat: Seat, count: u8) -> Scene {
        self.state.island.deck[Card::Knight.idx()] -= count;
        self.table().knights[seat.idx()] += count;
        self
    }

    pub fn army(mut self, seat: Seat) -> Scene {
        self.table().army = Some(seat);
        self
    }

    /// Before both rolls.
    pub fn before_rolls(mut self) -> Scene {
        self.table().stage = Stage::Roll;
        self
    }

    pub fn robber_on(mut self, hex: u8) -> Scene {
        self.table().robber = Hex::new(hex);
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

    /// Whether the rules allow an action; what is listed is allowed, and nothing else here.
    #[track_caller]
    pub fn allows(&self, action: Action) -> bool {
        let allowed = self.game.permits(&self.state, action).is_ok();
        assert_eq!(allowed, self.listed().contains(&action), "{action}: list and rules agree");
        allowed
    }

    /// The full legal list.
    pub fn listed(&self) -> Vec<Action> {
        support::listed(&self.game, &self.state, ActionFilter::Full)
    }

    pub fn held(&self, seat: Seat) -> [u8; 5] {
        self.state.island.hands[seat.idx()].counts()
    }

    pub fn owed(&self) -> Owed {
        self.state.own.owed
    }

    pub fn points(&self, seat: Seat) -> u8 {
        self.state.island.points(&self.game.island, seat)
    }

    pub fn is_won(&self) -> bool {
        matches!(self.state.island.table.phase, Phase::Over(crate::core::game::End::Won))
    }

    /// Longest Road: who holds it.
    pub fn route(&self) -> Option<Seat> {
        self.state.island.table.route
    }
}

/// The edge between two vertices.
pub fn edge(a: u8, b: u8) -> Edge {
    let map = &crate::parts::hexmap::STANDARD;
    map.edge_between(Vertex::new(a), Vertex::new(b)).expect("neighbours")
}

pub const ROLL: Action = Action::Island(action::Action::Roll);
pub const END_TURN: Action = Action::Island(action::Action::EndTurn);
pub const BUY: Action = Action::Island(action::Action::Buy);
pub const KNIGHT: Action = Action::Island(action::Action::Knight);
pub const ROAD_BUILDING: Action = Action::Island(action::Action::RoadBuilding);
pub const STOP: Action = Action::Island(action::Action::Stop);

pub fn road(a: u8, b: u8) -> Action {
    Action::Island(action::Action::Road { edge: edge(a, b) })
}

pub fn settlement(vertex: u8) -> Action {
    Action::Island(action::Action::Settlement { vertex: Vertex::new(vertex) })
}

pub fn city(vertex: u8) -> Action {
    Action::Island(action::Action::City { vertex: Vertex::new(vertex) })
}

pub fn robber(hex: u8, victim: Option<Seat>) -> Action {
    Action::Island(action::Action::Robber { hex: Hex::new(hex), victim })
}

pub fn neutral_road(seat: Seat, a: u8, b: u8) -> Action {
    Action::NeutralRoad { seat, edge: edge(a, b) }
}

pub fn neutral_settlement(seat: Seat, vertex: u8) -> Action {
    Action::NeutralSettlement { seat, vertex: Vertex::new(vertex) }
}

pub fn give_back(first: Resource, second: Resource) -> Action {
    Action::GiveBack { first, second }
}
