//! What an island looks like, as tables and pictures have it.

use crate::core::measure::maps::{HarbourFacts, HexFacts, MapFacts, PlaceFacts};
use crate::core::resources::Resource;
use crate::parts::island::Island;
use crate::parts::island::board::Board;
use crate::parts::island::cards::pips;
use crate::parts::island::catalogue::points;
use crate::parts::island::island_file::{frame, hex_word};
use crate::parts::island::picture::AtSea;
use crate::parts::island::state::Table;
use crate::parts::map_text::{Frame, edge_name, hex_name, rows, sides, text};
use crate::parts::places::{Edge, Hex, Vertex};
use toml::{Table as Words, Value};

/// How the file of a map is written.
#[derive(Debug, Clone)]
pub struct MapWords {
    /// The frame.
    pub frame: Frame,
    /// What it says beside hexes and harbours.
    pub words: Words,
}

impl Island {
    /// The island of a position. It has all that was dealt.
    pub fn dealt_facts(&self, table: &Table) -> MapFacts {
        let frame = frame(self.players);
        let robber = Value::String(hex_name(frame, table.robber));
        let words = Words::from_iter([("robber".to_owned(), robber)]);
        self.facts(table, &AtSea::default(), &MapWords { frame, words })
    }

    /// The same with the sea and what is unexplored.
    pub fn facts(&self, table: &Table, at_sea: &AtSea, file: &MapWords) -> MapFacts {
        let map = self.map;
        let land = map.all_hexes() - at_sea.sea - at_sea.fog;
        let (hex_points, vertex_points) = points(map);
        let hexes: Vec<HexFacts> = map
            .all_hexes()
            .iter()
            .map(|hex| HexFacts {
                at: hex_points[hex.idx()],
                terrain: terrain(&table.board, at_sea, hex),
                token: table.board.tokens[hex.idx()],
                pips: pips(table.board.tokens[hex.idx()]),
                has_robber: table.robber == hex,
            })
            .collect();
        let word = |hex: Hex| match hexes[hex.idx()].terrain {
            sea @ ("sea" | "?") => sea.to_owned(),
            _ => hex_word(&table.board, hex),
        };
        let map_rows = rows(file.frame, &map.all_hexes().iter().map(word).collect::<Vec<_>>());
        let edge = |places: [u8; 2]| -> Edge {
            let [one, other] = places.map(Vertex::new);
            map.edge_between(one, other).expect("a harbour lies at an edge")
        };
        let kind = |kind: Option<Resource>| kind.map_or("any", Resource::name);
        let places = self.parts.harbour_places.iter();
        let named: Vec<(String, &str)> = places
            .zip(table.board.harbours)
            .map(|(&places, of)| (edge_name(file.frame, edge(places), land), kind(of)))
            .collect();
        let without = |left_out: usize| {
            let others = named.iter().enumerate().filter(|(at, _)| *at != left_out);
            others.map(|(_, harbour)| harbour.clone()).collect::<Vec<_>>()
        };
        let file_of = |harbours: &[(String, &str)]| text(file.words.clone(), &map_rows, harbours);
        let harbour = |(at, &places): (usize, &[u8; 2])| {
            let beside = sides(map, edge(places)) & land;
            let beside = beside.iter().next().expect("a harbour lies at land");
            HarbourFacts {
                name: named[at].0.clone(),
                kind: named[at].1,
                places,
                land: hex_points[beside.idx()],
                without: file_of(&without(at)),
            }
        };
        let harbours: Vec<HarbourFacts> =
            self.parts.harbour_places.iter().enumerate().map(harbour).collect();
        let place = |vertex: Vertex| PlaceFacts {
            number: vertex.number(),
            at: vertex_points[vertex.idx()],
            hexes: (map.hexes[vertex.idx()] & land).iter().map(Hex::idx).collect(),
            pips: table.board.pips_at(map, vertex),
            harbour: harbours.iter().position(|of| of.places.contains(&vertex.number())),
            is_open: false,
        };
        let places = map.all_vertices().iter().map(place).collect();
        MapFacts { text: file_of(&named), hexes, places, harbours }
    }
}

/// What a hex is.
fn terrain(board: &Board, at_sea: &AtSea, hex: Hex) -> &'static str {
    match board.terrain[hex.idx()] {
        Some(kind) => kind.name(),
        None if at_sea.sea.contains(hex) => "sea",
        None if at_sea.fog.contains(hex) => "?",
        None => "desert",
    }
}
