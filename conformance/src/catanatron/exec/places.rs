//! The other program's numbers of places: it counts them along a spiral from the middle of the island, which is the same
//! for every match. And its forms of actions, in those of its recorded matches.

use crate::catanatron::field::{Field, Malformed};
use serde_json::{Value, json};

/// Cube coordinates.
pub type Cube = [i64; 3];

/// Tiles by their numbers: where each is, and the nodes at its corners from the north on.
pub const TILES: [(Cube, [u8; 6]); 19] = [
    ([0, 0, 0], [0, 1, 2, 3, 4, 5]),
    ([1, -1, 0], [6, 7, 8, 9, 2, 1]),
    ([0, -1, 1], [2, 9, 10, 11, 12, 3]),
    ([-1, 0, 1], [4, 3, 12, 13, 14, 15]),
    ([-1, 1, 0], [16, 5, 4, 15, 17, 18]),
    ([0, 1, -1], [19, 20, 0, 5, 16, 21]),
    ([1, 0, -1], [22, 23, 6, 1, 0, 20]),
    ([2, -2, 0], [24, 25, 26, 27, 8, 7]),
    ([1, -2, 1], [8, 27, 28, 29, 10, 9]),
    ([0, -2, 2], [10, 29, 30, 31, 32, 11]),
    ([-1, -1, 2], [12, 11, 32, 33, 34, 13]),
    ([-2, 0, 2], [14, 13, 34, 35, 36, 37]),
    ([-2, 1, 1], [17, 15, 14, 37, 38, 39]),
    ([-2, 2, 0], [40, 18, 17, 39, 41, 42]),
    ([-1, 2, -1], [43, 21, 16, 18, 40, 44]),
    ([0, 2, -2], [45, 46, 19, 21, 43, 47]),
    ([1, 1, -2], [48, 49, 22, 20, 19, 46]),
    ([2, 0, -2], [50, 51, 52, 23, 22, 49]),
    ([2, -1, -1], [52, 53, 24, 7, 6, 23]),
];

/// Harbours by their numbers: where in the sea each is, and its two nodes.
pub const PORTS: [(Cube, [u8; 2]); 9] = [
    ([3, -3, 0], [25, 26]),
    ([1, -3, 2], [28, 29]),
    ([-1, -2, 3], [32, 33]),
    ([-3, 0, 3], [35, 36]),
    ([-3, 2, 1], [38, 39]),
    ([-2, 3, -1], [40, 44]),
    ([0, 3, -3], [45, 47]),
    ([2, 1, -3], [48, 49]),
    ([3, -1, -2], [52, 53]),
];

/// Places of a map: land, harbours, and the sea between these.
pub const PLACES: usize = 37;

/// Corners of a tile, in the order of [`TILES`].
const CORNERS: [&str; 6] = ["NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST"];

/// A place by its coordinates.
fn cube(field: Field<'_>) -> Result<Cube, Malformed> {
    let [x, y, z] = field.list::<3>()?;
    Ok([x.integer()?, y.integer()?, z.integer()?])
}

/// The number of the tile at some coordinates.
///
/// # Errors
/// If no land is there.
pub fn tile(field: Field<'_>) -> Result<usize, Malformed> {
    let at = cube(field)?;
    let tile = TILES.iter().position(|(other, _)| *other == at);
    tile.ok_or_else(|| field.bad("the coordinates of a tile"))
}

/// A map as it stands in recorded matches.
///
/// # Errors
/// If it is not that of the base game, with each place once.
pub fn recorded_map(map: Field<'_>) -> Result<Value, Malformed> {
    let (mut tiles, mut ports) = (Vec::new(), Vec::new());
    for place in map.key("tiles")?.items(PLACES..=PLACES)? {
        let kind = place.key("type")?;
        match kind.word()? {
            "LAND" => {
                let number = tile(place.key("coordinate")?)?;
                let (at, nodes) = TILES[number];
                let nodes: serde_json::Map<String, Value> = CORNERS
                    .iter()
                    .zip(nodes)
                    .map(|(name, node)| ((*name).to_owned(), node.into()))
                    .collect();
                let (res, num) = (place.key("resource")?.value(), place.key("number")?.value());
                tiles.push(
                    json!({"id": number, "cube": at, "res": res, "num": num, "nodes": nodes}),
                );
            }
            "PORT" => {
                let coordinate = place.key("coordinate")?;
                let at = cube(coordinate)?;
                let port = PORTS.iter().find(|(other, _)| *other == at);
                let (_, nodes) = port.ok_or_else(|| coordinate.bad("a harbour's coordinates"))?;
                ports.push(json!({"at": nodes, "res": place.key("resource")?.value()}));
            }
            "WATER" => {}
            _ => return Err(kind.bad("a kind of place")),
        }
    }
    Ok(json!({"tiles": tiles, "ports": ports}))
}

/// The seat of a colour, from 0.
///
/// # Errors
/// If nobody plays it.
pub fn seat(colors: &[String], color: Field<'_>) -> Result<usize, Malformed> {
    let word = color.word()?;
    let seat = colors.iter().position(|other| other == word);
    seat.ok_or_else(|| color.bad("a colour at the table"))
}

/// An action's value as it stands in recorded matches.
///
/// # Errors
/// If it has another form than the action's values have.
pub fn recorded_value(
    colors: &[String],
    word: Field<'_>,
    value: Field<'_>,
) -> Result<Value, Malformed> {
    Ok(match word.word()? {
        // Once they are carried out, these have their result for a value.
        "ROLL" | "BUY_DEVELOPMENT_CARD" => Value::Null,
        "MOVE_ROBBER" => {
            let [coordinate, victim] = value.list::<2>()?;
            let victim = victim.given().map(|victim| seat(colors, victim)).transpose()?;
            json!([tile(coordinate)?, victim])
        }
        // The terms of the offer, and then whose turn it is.
        "ACCEPT_TRADE" | "REJECT_TRADE" => first_ten(value)?.into(),
        "CONFIRM_TRADE" => {
            let with = value.list::<11>()?[10];
            let mut terms = first_ten(value)?;
            terms.push(seat(colors, with)?.into());
            terms.into()
        }
        _ => value.value().clone(),
    })
}

fn first_ten(value: Field<'_>) -> Result<Vec<Value>, Malformed> {
    Ok(value.items(10..=11)?.take(10).map(|field| field.value().clone()).collect())
}
