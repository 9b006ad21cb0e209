//! A match on an island whose numbers are ours, and pieces put there as in a match. Not a test.

use crate::catanatron::field::Field;
use crate::catanatron::lists;
use crate::catanatron::replay::{Replay, Setting};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::parts::hexmap::STANDARD;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::state::{Phase, Stage, State};
use crate::parts::places::Vertex;
use serde_json::{Value, json};

pub const S1: Seat = Seat::new(0);
pub const S2: Seat = Seat::new(1);
pub const S3: Seat = Seat::new(2);
pub const S4: Seat = Seat::new(3);

/// A match of four on a bare island, before anyone has founded.
pub fn new(options: Value) -> Replay {
    let corners = ["NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST"];
    let rows = [(0, 3), (3, 4), (7, 5), (12, 4), (16, 3)];
    let mut tiles = Vec::new();
    for (row, (first, length)) in (-2_i64..).zip(rows) {
        for column in 0..length {
            let (hex, x) = (first + column, column + (-2).max(-2 - row));
            let at = STANDARD.corners[usize::try_from(hex).unwrap()].map(Vertex::number);
            let nodes: serde_json::Map<String, Value> = corners
                .iter()
                .zip(at)
                .map(|(name, node)| (name.to_string(), json!(node)))
                .collect();
            let token = [8, 9, 10][usize::try_from(hex % 3).unwrap()];
            let (res, num) = if hex == 9 { (None, None) } else { (Some("ORE"), Some(token)) };
            let cube = [x, -x - row, row];
            tiles.push(json!({"id": hex, "cube": cube, "nodes": nodes, "res": res, "num": num}));
        }
    }
    let places =
        [[0, 1], [3, 4], [14, 15], [26, 37], [45, 46], [50, 51], [47, 48], [28, 38], [7, 17]];
    let ports: Vec<Value> = places.iter().map(|at| json!({"at": at, "res": null})).collect();
    let (map, config) = (json!({"tiles": tiles, "ports": ports}), options);
    let kinds = [("KNIGHT", 14), ("MONOPOLY", 2), ("ROAD_BUILDING", 2), ("VICTORY_POINT", 5)];
    let kinds = kinds.into_iter().chain([("YEAR_OF_PLENTY", 2)]);
    let deck: Vec<&str> = kinds.flat_map(|(name, count)| vec![name; count]).collect();
    let (deck, seats, robber) = (json!(deck), json!([0, 0, 0, 0]), json!(9));
    let setting = Setting {
        config: Field::new("config", &config),
        seats: Field::new("seats", &seats),
        map: Field::new("map", &map),
        deck: Field::new("deck", &deck),
        robber: Field::new("robber", &robber),
    };
    Replay::new(&setting, None).expect("a setting")
}

/// The usual options.
pub fn plain() -> Replay {
    new(json!({"vps": 10, "discard": 7, "friendly": 0}))
}

pub fn settlement(vertex: u8) -> Action {
    Action::Settlement { vertex: Vertex::new(vertex) }
}

pub fn road(a: u8, b: u8) -> Action {
    let edge = STANDARD.edge_between(Vertex::new(a), Vertex::new(b));
    Action::Road { edge: edge.expect("neighbours") }
}

impl Replay {
    /// The position.
    pub fn state(&self) -> &State {
        self.at.state()
    }

    /// The position, to be changed.
    pub fn change(&mut self) -> &mut State {
        self.at.follower.state_mut()
    }

    /// The list that the other program should have.
    pub fn due_list(&mut self) -> Vec<Action> {
        lists::due(&self.at, &mut self.met)
    }

    /// Puts a piece of a seat on the board.
    fn put(&mut self, seat: Seat, action: Action) {
        let game = self.at.theirs().clone();
        let table = &mut self.change().table;
        table.active = seat;
        game.place(table, action);
    }

    /// A seat's turn, after the roll.
    pub fn turn_of(mut self, seat: Seat) -> Replay {
        let table = &mut self.change().table;
        (table.turn, table.stage, table.phase) = (1, Stage::Main, Phase::Act);
        (table.current, table.active) = (seat, seat);
        self
    }

    /// A founding settlement.
    pub fn founded(mut self, seat: Seat, vertex: u8) -> Replay {
        self.put(seat, settlement(vertex));
        self.at.roads.found(seat, Vertex::new(vertex));
        self
    }

    /// A settlement after founding.
    pub fn settled(mut self, seat: Seat, vertex: u8) -> Replay {
        self.put(seat, settlement(vertex));
        let table = self.state().table;
        self.at.roads.settle(&STANDARD, &table, seat, Vertex::new(vertex));
        self
    }

    /// Roads along a line of vertices.
    pub fn laid(mut self, seat: Seat, line: &[u8]) -> Replay {
        for pair in line.windows(2) {
            self.put(seat, road(pair[0], pair[1]));
            let ends = [Vertex::new(pair[0].min(pair[1])), Vertex::new(pair[0].max(pair[1]))];
            let table = self.state().table;
            self.at.roads.lay(&STANDARD, &table, seat, ends, false);
        }
        self
    }

    /// Cards of the bank, in the order brick, lumber, wool, grain, ore.
    pub fn hand(mut self, seat: Seat, counts: [u8; 5]) -> Replay {
        let cards = Resources::new(counts);
        let state = self.change();
        state.table.bank = state.table.bank - cards;
        state.hands[seat.idx()] = state.hands[seat.idx()] + cards;
        self
    }

    /// A development card of the deck.
    pub fn card(mut self, seat: Seat, card: Card) -> Replay {
        let state = self.change();
        state.deck[card.idx()] -= 1;
        state.cards[seat.idx()][card.idx()] += 1;
        self
    }

    /// Our length of a seat's road, and the other program's.
    pub fn lengths(&self, seat: Seat) -> (u8, u8) {
        let ours = self.state().table.pieces.longest_road(&STANDARD, seat);
        (ours, self.at.roads.lengths[seat.idx()])
    }

    /// Who holds Longest Road for us, and for the other program.
    pub fn holders(&self) -> (Option<Seat>, Option<Seat>) {
        (self.state().table.route, self.at.roads.holder)
    }
}
