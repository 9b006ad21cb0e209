//! Positions built by hand, scripts of luck, and short words for actions. Not a test.
//!
//! Both scenes lie on the standard frame. `KNOWN` has two islands with a strait between them: from vertex 20 over 21 to
//! 22. In `FOGGY` the eastern one is unexplored. Players found in the west.

use crate::core::chance::{Scripted, ScriptedChance};
use crate::core::game::{ActionFilter, End, Game};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::games::boats::Boats;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::rules::Rules;
use crate::games::boats::scenario::{DESERT, SEA};
use crate::games::boats::state::State;
use crate::games::support;
use crate::parts::hexmap::STANDARD;
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::cards::sum_of;
use crate::parts::island::state::{Phase, Stage};
use crate::parts::places::{Edge, EdgeSet, Vertex, VertexSet};

pub const S1: Seat = Seat::new(0);
pub const S2: Seat = Seat::new(1);
pub const S3: Seat = Seat::new(2);

pub const FOR_BOAT: [u8; 5] = [0, 1, 1, 0, 0];
pub const FOR_ROAD: [u8; 5] = [1, 1, 0, 0, 0];
pub const FOR_SETTLEMENT: [u8; 5] = [1, 1, 1, 1, 0];

pub const KNOWN: &str = r#"
map = """
          brick:2  sea      ore:3
     lumber:4  sea      sea      wool:5
grain:6   wool:8   sea     brick:9   ore:10
     desert    sea      sea      grain:11
          wool:12  sea      lumber:3
"""
starts = ["r1c1"]
rivers = ["r2c1 NW"]
"#;

pub const FOGGY: &str = r#"
map = """
          brick:2  sea      ?
     lumber:4  sea      sea      ?
grain:6   wool:8   sea      ?        ?
     desert    sea      sea      ?
          wool:12  sea      sea
"""
starts = ["r1c1"]
[unexplored]
terrain = { brick = 1, ore = 1, desert = 1, sea = 2 }
tokens = [5, 9]
"#;

/// A game and a position in it.
#[derive(Debug, Clone)]
pub struct Scene {
    pub game: Boats,
    pub state: State,
}

pub fn game_with(scenario: &str, players: u8, change: impl FnOnce(&mut Rules)) -> Boats {
    let mut rules = Rules { scenario: scenario.to_owned(), ..Rules::default() };
    change(&mut rules);
    Boats::new(rules, players).expect("a rule set that can be played with")
}

/// The dice show this sum.
pub fn dice(sum: u8) -> Scripted {
    Scripted::Card((0..36).filter(|&throw| sum_of(throw) == sum).fold(0, |set, at| set | 1 << at))
}

/// This terrain is uncovered, nothing for desert.
pub fn land(kind: Option<Resource>) -> Scripted {
    Scripted::Kind(u8::try_from(kind.map_or(DESERT, Resource::idx)).unwrap())
}

/// Sea is uncovered.
pub fn sea() -> Scripted {
    Scripted::Kind(u8::try_from(SEA).unwrap())
}

/// This kind is stolen.
pub fn stolen(kind: Resource) -> Scripted {
    Scripted::Kind(u8::try_from(kind.idx()).unwrap())
}

/// This token is drawn.
pub fn token(number: u8) -> Scripted {
    Scripted::Kind(number - 2)
}

impl Scene {
    /// Seat 1 after the roll of turn 1 of two players: empty hands, no pieces.
    pub fn new(scenario: &str) -> Scene {
        Scene::with(scenario, |_| {})
    }

    /// The same with a changed rule set.
    pub fn with(scenario: &str, change: impl FnOnce(&mut Rules)) -> Scene {
        Scene::of(game_with(scenario, 2, change))
    }

    pub fn of(game: Boats) -> Scene {
        let mut chance = ScriptedChance::default();
        let mut state = game.deal(&mut chance);
        let table = &mut state.island.table;
        (table.turn, table.stage, table.phase) = (1, Stage::Main, Phase::Act);
        Scene { game, state }
    }

    /// Gives a seat cards of the bank.
    pub fn hand(mut self, seat: Seat, counts: [u8; 5]) -> Scene {
        let cards = Resources::new(counts);
        let island = &mut self.state.island;
        island.table.bank = island.table.bank - cards;
        island.hands[seat.idx()] = island.hands[seat.idx()] + cards;
        self
    }

    /// A settlement; chits and points follow.
    pub fn settlement(mut self, seat: Seat, vertex: u8) -> Scene {
        let table = &mut self.state.island.table;
        self.game.island.put_settlement(table, seat, Vertex::new(vertex));
        self.game.settle_chits(&mut self.state);
        self
    }

    /// A founding settlement.
    pub fn founded(mut self, seat: Seat, vertex: u8) -> Scene {
        self.state.island.table.founded |= VertexSet::one(Vertex::new(vertex));
        self.settlement(seat, vertex)
    }

    /// Roads along a line of vertices; the longest trade route goes to its rightful holder.
    pub fn roads(mut self, seat: Seat, line: &[u8]) -> Scene {
        for pair in line.windows(2) {
            let pieces = &mut self.state.island.table.pieces;
            pieces.lay_road(self.game.island.map, seat, edge(pair[0], pair[1]));
        }
        self.awarded()
    }

    /// Boats along a line of vertices, which were there before this turn.
    pub fn boats(mut self, seat: Seat, line: &[u8]) -> Scene {
        for pair in line.windows(2) {
            let boat = EdgeSet::one(edge(pair[0], pair[1]));
            self.state.own.boats[seat.idx()] |= boat;
        }
        let ground = self.game.ground(&self.state.own);
        self.state.island.table.pieces.stand_on(self.game.island.map, &ground);
        self.awarded()
    }

    fn awarded(mut self) -> Scene {
        self.state.own.lengths = [None; SEATS_MAX];
        self.game.award_route(&mut self.state.island.table, &mut self.state.own);
        self
    }

    pub fn turn_of(mut self, seat: Seat) -> Scene {
        self.state.island.table.current = seat;
        self.state.island.table.active = seat;
        self
    }

    pub fn stage(mut self, stage: Stage) -> Scene {
        self.state.island.table.stage = stage;
        self
    }

    /// Carries out an action with this luck and no other, and asks the invariants before and after.
    #[track_caller]
    pub fn play(&mut self, action: Action, script: &[Scripted]) {
        support::play(&self.game, &mut self.state, action, script);
    }

    /// Ends the turn and comes to the main part of the next one, without a yield.
    #[track_caller]
    pub fn next_turn(&mut self) {
        self.play(END, &[]);
        assert_eq!(self.state.island.table.stage, Stage::Roll);
        self.state.island.table.stage = Stage::Main;
    }

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

    /// Where a boat can be built for the price, as pairs of vertices.
    pub fn berths(&self) -> Vec<[u8; 2]> {
        self.listed()
            .into_iter()
            .filter_map(|action| match action {
                Action::Own(OwnAction::Boat { edge }) => Some(ends(edge)),
                _ => None,
            })
            .collect()
    }

    /// Where the boat on an edge can go.
    pub fn ways_of_boat(&self, a: u8, b: u8) -> Vec<[u8; 2]> {
        let boat = edge(a, b);
        self.listed()
            .into_iter()
            .filter_map(|action| match action {
                Action::Own(OwnAction::MoveBoat { from, to }) if from == boat => Some(ends(to)),
                _ => None,
            })
            .collect()
    }

    pub fn held(&self, seat: Seat) -> [u8; 5] {
        self.state.island.hands[seat.idx()].counts()
    }

    pub fn points(&self, seat: Seat) -> u8 {
        self.state.island.points(&self.game.island, seat)
    }

    /// Chits that count and chits that wait.
    pub fn chits(&self, seat: Seat) -> (u8, u8) {
        (self.state.own.chits[seat.idx()], self.state.own.waiting[seat.idx()])
    }

    pub fn route(&self) -> Option<Seat> {
        self.state.island.table.route
    }

    pub fn is_won(&self) -> bool {
        self.state.island.table.phase == Phase::Over(End::Won)
    }
}

pub const END: Action = Action::Island(IslandAction::EndTurn);

pub fn edge(a: u8, b: u8) -> Edge {
    STANDARD.edge_between(Vertex::new(a), Vertex::new(b)).expect("neighbours")
}

fn ends(edge: Edge) -> [u8; 2] {
    STANDARD.ends[edge.idx()].map(Vertex::number)
}

pub fn road(a: u8, b: u8) -> Action {
    Action::Island(IslandAction::Road { edge: edge(a, b) })
}

pub fn boat(a: u8, b: u8) -> Action {
    Action::Own(OwnAction::Boat { edge: edge(a, b) })
}

pub fn isa_boat(a: u8, b: u8, pay: Resource) -> Action {
    Action::Own(OwnAction::IsaBoat { edge: edge(a, b), pay })
}

pub fn move_boat(from: [u8; 2], to: [u8; 2]) -> Action {
    Action::Own(OwnAction::MoveBoat { from: edge(from[0], from[1]), to: edge(to[0], to[1]) })
}

pub fn move_road(from: [u8; 2], to: [u8; 2]) -> Action {
    Action::Own(OwnAction::MoveRoad { from: edge(from[0], from[1]), to: edge(to[0], to[1]) })
}

pub fn settle(vertex: u8) -> Action {
    Action::Island(IslandAction::Settlement { vertex: Vertex::new(vertex) })
}

pub fn buy(want: Resource) -> Action {
    Action::Own(OwnAction::Gold { want })
}
