//! The island in characters, for the text of a match.

use crate::core::types::seat::PerSeat;
use crate::parts::drawing::Drawing;
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::state::Table;
use crate::parts::places::{Edge, EdgeSet, HexSet, Vertex, VertexSet};

/// How the pictures are read.
const LEGEND: &str = "1s is a settlement of seat 1, 1C a city of it, /1/ a road of it; a dot is a vertex without a \
building.\nActions name hexes, vertices and edges by these numbers, which have nothing to do with those that are rolled:\n";

/// The same of an island that is drawn narrow.
const NARROW: &str = "1s is a settlement of seat 1, 1C a city of it, /1/ a road of it; a dot is a vertex without a \
building. 2wool is a harbour that takes 2 wool for a card (cut in bays: 2bri), 3:1 one that takes 3 of any kind.\nActions name hexes (such \
as h12), vertices and edges by these numbers, which have nothing to do with those that are rolled:\n";

/// What lies around the land, in a game that has a sea.
#[derive(Debug, Clone, Copy, Default)]
pub struct AtSea {
    /// Hexes of sea.
    pub sea: HexSet,
    /// Hexes of which nothing is known.
    pub fog: HexSet,
    /// Boats by seat.
    pub boats: PerSeat<EdgeSet>,
}

/// Places that actions name: a picture has their numbers where nothing else stands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Named {
    vertices: VertexSet,
    edges: EdgeSet,
    hexes: HexSet,
}

impl Named {
    /// Those of some actions.
    pub fn of(actions: &[Action]) -> Named {
        let mut named = Named::default();
        for action in actions {
            named.add(*action);
        }
        named
    }

    /// Adds the place of an action, if it has one.
    pub fn add(&mut self, action: Action) {
        match action {
            Action::Road { edge } => self.add_edge(edge),
            Action::Settlement { vertex } => self.add_vertex(vertex),
            Action::Robber { hex, .. } => self.hexes = self.hexes.with(hex),
            _ => {}
        }
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, edge: Edge) {
        self.edges = self.edges.with(edge);
    }

    /// Adds a vertex.
    pub fn add_vertex(&mut self, vertex: Vertex) {
        self.vertices = self.vertices.with(vertex);
    }
}

impl Island {
    /// The island with the numbers of its places, and how pictures of it are read.
    pub fn numbered(&self) -> String {
        let mut drawing = Drawing::new(self.map);
        for hex in self.map.all_hexes() {
            let word = if drawing.is_narrow() { "h" } else { "hex " };
            drawing.hex(hex, ["", &format!("{word}{hex}"), ""]);
        }
        for edge in self.map.all_edges() {
            drawing.edge(edge, &edge.to_string());
        }
        for vertex in self.map.all_vertices() {
            drawing.vertex(vertex, &vertex.to_string());
        }
        let legend = if drawing.is_narrow() { NARROW } else { LEGEND };
        format!("{legend}\n{}", drawing.into_lines().join("\n"))
    }

    /// The island with its harbours, the robber and all pieces.
    pub fn picture_of(&self, table: &Table, named: &Named) -> String {
        self.picture_at_sea(table, &AtSea::default(), named)
    }

    /// The same, with the sea and what is on it.
    pub fn picture_at_sea(&self, table: &Table, at_sea: &AtSea, named: &Named) -> String {
        let mut drawing = Drawing::new(self.map);
        for hex in self.map.all_hexes() {
            let terrain = match table.board.terrain[hex.idx()] {
                Some(kind) => kind.name(),
                None if at_sea.sea.contains(hex) => "~ ~ ~",
                None if at_sea.fog.contains(hex) => "?",
                None => "desert",
            };
            let token = table.board.tokens[hex.idx()];
            let token = if token == 0 { String::new() } else { token.to_string() };
            let word = if drawing.is_narrow() { "h" } else { "hex " };
            let below = match hex {
                _ if table.robber == hex => "robber".to_owned(),
                _ if named.hexes.contains(hex) => format!("{word}{hex}"),
                _ => String::new(),
            };
            drawing.hex(hex, [terrain, &token, &below]);
        }
        self.draw_harbours(table, at_sea, &mut drawing);
        for edge in self.map.all_edges() {
            let stroke = drawing.stroke(edge);
            let owner = table.pieces.nets.iter().zip(1..).find(|(net, _)| net.roads.contains(edge));
            let boat = at_sea.boats.iter().zip(1..).find(|(boats, _)| boats.contains(edge));
            match (owner, boat) {
                (Some((_, seat)), _) => drawing.edge(edge, &format!("{stroke}{seat}{stroke}")),
                (_, Some((_, seat))) => drawing.edge(edge, &format!("~{seat}~")),
                _ if named.edges.contains(edge) => drawing.edge(edge, &edge.to_string()),
                _ => drawing.edge(edge, &stroke.to_string()),
            }
        }
        for vertex in self.map.all_vertices() {
            match table.pieces.at[vertex.idx()].owner_and_yield() {
                Some((seat, 1)) => drawing.vertex(vertex, &format!("{seat}s")),
                Some((seat, _)) => drawing.vertex(vertex, &format!("{seat}C")),
                None if named.vertices.contains(vertex) => {
                    drawing.vertex(vertex, &vertex.to_string());
                }
                None => drawing.vertex(vertex, "."),
            }
        }
        drawing.into_lines().join("\n")
    }

    fn draw_harbours(&self, table: &Table, at_sea: &AtSea, drawing: &mut Drawing) {
        for (places, kind) in self.parts.harbour_places.iter().zip(table.board.harbours) {
            let [one, other] = places.map(Vertex::new);
            let edge = self.map.edge_between(one, other).expect("a harbour lies at an edge");
            let hexes = self.map.hexes[one.idx()] & self.map.hexes[other.idx()];
            let land =
                (hexes - at_sea.sea - at_sea.fog).iter().next().expect("a harbour lies at land");
            let rate = if drawing.is_narrow() { "2" } else { "2:1 " };
            let text = kind.map_or("3:1".to_owned(), |kind| format!("{rate}{kind}"));
            drawing.harbour(edge, land, &text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::RandomChance;
    use crate::core::game::Game;
    use crate::core::seed::BlockSeed;
    use crate::parts::island::rules::Rules;

    /// The numbers of all edges and vertices can be read beside the harbours, on islands that are drawn wide and narrow.
    #[test]
    fn harbours_leave_the_numbers_of_places_free() {
        for players in [4, 6] {
            let game = Island::new(Rules::default(), players).expect("the default rules");
            for seed in 0..20 {
                let state = game.deal(&mut RandomChance::new(BlockSeed::new(seed, 0)));
                let mut named = Named::default();
                game.map().all_edges().iter().for_each(|edge| named.add_edge(edge));
                game.map().all_vertices().iter().for_each(|vertex| named.add_vertex(vertex));
                let picture = game.picture_of(&state.table, &named);
                // Numbers of vertices stand close to words for terrain. Lower ones stand on tokens, too.
                let words: Vec<&str> = picture.split(|c: char| !c.is_ascii_digit()).collect();
                let places = [game.map().vertex_count, game.map().edge_count];
                for number in 13..places[1] {
                    let due = places.iter().filter(|count| number < **count).count();
                    let found = words.iter().filter(|word| **word == number.to_string()).count();
                    assert_eq!(
                        found, due,
                        "{number} of {players} players, seed {seed}:\n{picture}"
                    );
                }
                let is_harbour = |word: &&str| {
                    let rest = word.strip_prefix('2').unwrap_or_default();
                    ["3:1", "2:1"].contains(word)
                        || !rest.is_empty() && rest.chars().all(char::is_alphabetic)
                };
                // A vertex 2 beside lumber reads like one.
                let harbours = picture.split_whitespace().filter(is_harbour).count();
                assert!(harbours >= game.parts().harbour_places.len(), "{picture}");
            }
        }
    }
}
