//! Actions and places of ours in the other program's words and numbers.

use crate::catanatron::exec::places::{Cube, PORTS, TILES};
use crate::catanatron::words::KINDS;
use crate::core::game::Game;
use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::board::Board;
use crate::parts::places::{Edge, Hex, Vertex};
use serde_json::{Value, json};

/// How far the sea around the island is from its middle.
const SEA: i64 = 3;

/// The words and numbers of a match.
#[derive(Debug, Clone)]
pub struct Words {
    game: Base,
    /// The colours of the seats.
    colors: Vec<&'static str>,
    /// Its node for each of our vertices.
    nodes: Vec<u8>,
}

impl Words {
    /// Of a game on the island of the base game, in which each seat has a colour.
    pub fn new(game: &Base, colors: &[&'static str]) -> Words {
        let mut nodes = vec![0; Vertex::COUNT];
        for (at, of_tile) in TILES {
            for (vertex, node) in game.map().corners[hex(at).idx()].into_iter().zip(of_tile) {
                nodes[vertex.idx()] = node;
            }
        }
        let colors = colors[..game.players().into()].to_vec();
        Words { game: game.clone(), colors, nodes }
    }

    /// The rules that are played.
    pub fn game(&self) -> &Base {
        &self.game
    }

    /// The colours of the seats, in their order.
    pub fn colors(&self) -> &[&'static str] {
        &self.colors
    }

    /// The colour of a seat.
    pub fn color(&self, seat: Seat) -> &'static str {
        self.colors[seat.idx()]
    }

    /// A vertex.
    pub fn node(&self, vertex: Vertex) -> u8 {
        self.nodes[vertex.idx()]
    }

    /// An edge: its two nodes, the lower one first.
    pub fn ends(&self, edge: Edge) -> [u8; 2] {
        let mut ends = self.game.map().ends[edge.idx()].map(|at| self.node(at));
        ends.sort_unstable();
        ends
    }

    /// An action that a seat takes; a trade with the bank is at some rate. Nothing for what the other program has no word
    /// for.
    pub fn action(&self, seat: Seat, action: Action, rate: u8) -> Option<Value> {
        let (word, value) = match action {
            Action::Roll => ("ROLL", Value::Null),
            Action::EndTurn => ("END_TURN", Value::Null),
            Action::Buy => ("BUY_DEVELOPMENT_CARD", Value::Null),
            Action::Knight => ("PLAY_KNIGHT_CARD", Value::Null),
            Action::RoadBuilding => ("PLAY_ROAD_BUILDING", Value::Null),
            Action::Settlement { vertex } => ("BUILD_SETTLEMENT", json!(self.node(vertex))),
            Action::City { vertex } => ("BUILD_CITY", json!(self.node(vertex))),
            Action::Road { edge } => ("BUILD_ROAD", json!(self.ends(edge))),
            Action::Discard { card } => ("DISCARD_RESOURCE", json!(kind_word(card))),
            Action::YearOfPlenty { first, second } => {
                let kinds = [Some(first), second].into_iter().flatten().map(kind_word);
                ("PLAY_YEAR_OF_PLENTY", kinds.collect())
            }
            Action::Monopoly { kind } => ("PLAY_MONOPOLY", json!(kind_word(kind))),
            Action::Robber { hex, victim } => {
                let victim = victim.map(|victim| self.color(victim));
                ("MOVE_ROBBER", json!([cube(hex), victim]))
            }
            Action::BankTrade { give, want } => {
                let given = (0..4).map(|at| (at < rate).then(|| kind_word(give)));
                ("MARITIME_TRADE", given.chain([Some(kind_word(want))]).collect())
            }
            Action::Offer { .. }
            | Action::Accept
            | Action::Refuse
            | Action::Counter { .. }
            | Action::Settle { .. }
            | Action::Decline
            | Action::Stop => return None,
        };
        Some(json!([self.color(seat), word, value]))
    }

    /// The island: land, harbours, and the sea between these.
    pub fn island(&self, board: &Board) -> Value {
        let land = TILES.iter().enumerate().map(|(id, (at, _))| {
            let here = hex(*at);
            let kind = board.terrain[here.idx()].map(kind_word);
            let token = Some(board.tokens[here.idx()]).filter(|&token| token > 0);
            json!({"coordinate": at, "type": "LAND", "id": id, "resource": kind, "number": token})
        });
        let ports = PORTS.iter().enumerate().map(|(id, (at, nodes))| {
            let mut places = self.game.parts().harbour_places.iter();
            let is_here = |place: &[u8; 2]| {
                place.iter().all(|end| nodes.contains(&self.node(Vertex::new(*end))))
            };
            let place = places.position(is_here).expect("a harbour of the base game");
            let kind = board.harbours[place].map(kind_word);
            json!({"coordinate": at, "type": "PORT", "id": id, "resource": kind})
        });
        let water = sea().map(|at| json!({"coordinate": at, "type": "WATER"}));
        json!({"template": "BASE", "tiles": land.chain(ports).chain(water).collect::<Vec<_>>()})
    }
}

/// The places around the island without a harbour.
fn sea() -> impl Iterator<Item = Cube> {
    let ring = (-SEA..=SEA).flat_map(|x| (-SEA..=SEA).map(move |y| [x, y, -x - y]));
    let outside = |at: &Cube| at.iter().map(|part| part.abs()).max() == Some(SEA);
    ring.filter(outside).filter(|at| PORTS.iter().all(|(port, _)| port != at))
}

/// Its word for a kind of cards.
pub fn kind_word(kind: Resource) -> &'static str {
    KINDS.iter().find(|(_, other)| *other == kind).expect("a kind").0
}

/// Our hex at cube coordinates of the island.
///
/// # Panics
/// If no land is there.
pub fn hex([x, _, z]: Cube) -> Hex {
    let first = [0, 3, 7, 12, 16][usize::try_from(z + 2).expect("a row")];
    Hex::new(u8::try_from(first + x - (-2).max(-2 - z)).expect("a hex"))
}

/// The cube coordinates of our hex.
pub fn cube(at: Hex) -> Cube {
    TILES.iter().map(|(cube, _)| *cube).find(|cube| hex(*cube) == at).expect("a tile")
}
