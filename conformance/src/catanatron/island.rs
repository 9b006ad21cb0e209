//! The recorded island, and how its numbers map to ours.

use crate::catanatron::field::{Field, Malformed};
use crate::catanatron::words::terrain;
use crate::games::base::Base;
use crate::parts::island::board::Board;
use crate::parts::places::{Edge, Hex, Vertex};

const TILES: usize = 19;
const NODES: usize = 54;
const PORTS: usize = 9;

/// Corners of a tile, in the order of our tables.
const CORNERS: [&str; 6] = ["NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST"];

/// Our first hex of each row, from the north.
const ROWS: [u8; 5] = [0, 3, 7, 12, 16];

/// The recorded numbers of places in ours.
#[derive(Debug, Clone)]
pub struct Island {
    /// Our vertex by its node.
    vertices: [Option<Vertex>; NODES],
    /// Our hex by its tile.
    hexes: [Option<Hex>; TILES],
    /// Its tile by our hex.
    tiles: [u8; TILES],
    /// Terrain, tokens and harbours.
    pub board: Board,
}

impl Island {
    /// Reads `map`.
    ///
    /// # Errors
    /// If it is not the island of the base game, with each place once.
    pub fn read(game: &Base, map: Field<'_>) -> Result<Island, Malformed> {
        let mut island = Island {
            vertices: [None; NODES],
            hexes: [None; TILES],
            tiles: [0; TILES],
            board: Board::bare(),
        };
        for tile in map.key("tiles")?.items(TILES..=TILES)? {
            island.add_tile(game, tile)?;
        }
        let mut ports = 0_u16;
        for port in map.key("ports")?.items(PORTS..=PORTS)? {
            island.add_port(game, port, &mut ports)?;
        }
        Ok(island)
    }

    fn add_tile(&mut self, game: &Base, tile: Field<'_>) -> Result<(), Malformed> {
        let id = tile.key("id")?;
        let number = id.number(18)?;
        let hex = hex_at(tile.key("cube")?)?;
        let free = self.hexes[usize::from(number)].is_none() && !self.hexes.contains(&Some(hex));
        if !free {
            return Err(id.bad("a tile and a place that come once"));
        }
        self.hexes[usize::from(number)] = Some(hex);
        self.tiles[hex.idx()] = number;
        self.board.terrain[hex.idx()] = terrain(tile.key("res")?)?;
        if let Some(token) = tile.key("num")?.given() {
            let number = token.number(12)?;
            if number < 2 || number == 7 {
                return Err(token.bad("a token from 2 to 12 without the 7"));
            }
            self.board.lay_token(hex, number);
        }
        let nodes = tile.key("nodes")?;
        for (name, vertex) in CORNERS.into_iter().zip(game.map().corners[hex.idx()]) {
            self.add_node(nodes.key(name)?, vertex)?;
        }
        Ok(())
    }

    /// Notes that a node is a vertex; each is at several tiles.
    fn add_node(&mut self, node: Field<'_>, vertex: Vertex) -> Result<(), Malformed> {
        let number = usize::from(node.number(53)?);
        let known = self.vertices.iter().position(|other| *other == Some(vertex));
        if known.unwrap_or(number) != number || self.vertices[number].unwrap_or(vertex) != vertex {
            return Err(node.bad("the same node at all its tiles"));
        }
        self.vertices[number] = Some(vertex);
        Ok(())
    }

    fn add_port(&mut self, game: &Base, port: Field<'_>, seen: &mut u16) -> Result<(), Malformed> {
        let at = port.key("at")?;
        let ends = at.list::<2>()?;
        let ends = [self.vertex(ends[0])?.number(), self.vertex(ends[1])?.number()];
        let mut places = game.parts().harbour_places.iter();
        let place = places.position(|place| *place == ends || *place == [ends[1], ends[0]]);
        let place = place.filter(|place| *seen >> place & 1 == 0);
        let place = place.ok_or_else(|| at.bad("a harbour's place that comes once"))?;
        *seen |= 1 << place;
        self.board.harbours[place] = terrain(port.key("res")?)?;
        Ok(())
    }

    /// Our vertex for a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn vertex(&self, node: Field<'_>) -> Result<Vertex, Malformed> {
        let vertex = self.vertices[usize::from(node.number(53)?)];
        vertex.ok_or_else(|| node.bad("a node of the island"))
    }

    /// Our hex for a tile.
    ///
    /// # Errors
    /// If there is no such tile.
    pub fn hex(&self, tile: Field<'_>) -> Result<Hex, Malformed> {
        let hex = self.hexes[usize::from(tile.number(18)?)];
        hex.ok_or_else(|| tile.bad("a tile of the island"))
    }

    /// Our edge for two nodes.
    ///
    /// # Errors
    /// If they are not neighbours.
    pub fn edge(&self, game: &Base, ends: Field<'_>) -> Result<Edge, Malformed> {
        let [a, b] = ends.list::<2>()?;
        let (a, b) = (self.vertex(a)?, self.vertex(b)?);
        // A node is no neighbour of itself, though it shares all its edges.
        let edge = if a == b { None } else { game.map().edge_between(a, b) };
        edge.ok_or_else(|| ends.bad("two neighbours"))
    }

    /// Its tile for our hex.
    pub fn tile(&self, hex: Hex) -> u8 {
        self.tiles[hex.idx()]
    }

    /// Two vertices, the one with the lower node first.
    pub fn by_node(&self, ends: [Vertex; 2]) -> [Vertex; 2] {
        let node = |end: Vertex| self.vertices.iter().position(|other| *other == Some(end));
        let [a, b] = ends;
        if node(a) < node(b) { [a, b] } else { [b, a] }
    }
}

/// Our number of the hex at cube coordinates: rows from the north, columns from the west.
fn hex_at(cube: Field<'_>) -> Result<Hex, Malformed> {
    let [x, y, z] = cube.list::<3>()?;
    let (x, y, z) = (x.integer()?, y.integer()?, z.integer()?);
    let on = |at: i64| (-2..=2).contains(&at);
    if !(on(x) && on(y) && on(z) && x + y + z == 0) {
        return Err(cube.bad("cube coordinates on the island"));
    }
    let column = x - (-2).max(-2 - z);
    let [row, column] = [z + 2, column].map(|at| u8::try_from(at).expect("on the island"));
    Ok(Hex::new(ROWS[usize::from(row)] + column))
}
