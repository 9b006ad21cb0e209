//! An island from a file: what lies where, so that nothing of it is left to luck.

use crate::core::resources::Resource;
use crate::parts::hexmap::{EXTENDED, STANDARD};
use crate::parts::island::board::{Board, Parts};
use crate::parts::map_text::{BadMap, Frame, Source, land, short, sides};
use crate::parts::places::{Edge, Hex, HexSet, Vertex};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The island for three and four, and that for five and six.
const FRAMES: [Frame; 2] = [(&[3, 4, 5, 4, 3], &STANDARD), (&[3, 4, 5, 6, 5, 4, 3], &EXTENDED)];

/// The frame of the island at a table.
pub fn frame(players: u8) -> Frame {
    FRAMES[usize::from(players > 4)]
}

/// The words of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "about")]
    _about: Option<String>,
    map: Spanned<String>,
    robber: Option<Spanned<String>>,
    #[serde(default)]
    harbours: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// An island that is laid in every match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid {
    /// What lies where.
    pub board: Board,
    /// Where its harbours are.
    pub parts: Parts,
    /// Hexes on one of which the robber begins, at random if there are several.
    pub robber: HexSet,
}

/// The island of a text, for a number of players.
///
/// # Errors
/// The first line that is wrong.
pub fn read(text: &str, players: u8) -> Result<Laid, BadMap> {
    let source = Source(text);
    let file: File = source.words("an island")?;
    let word = |word: &str| {
        land(word).ok_or_else(|| {
            let word = short(word);
            format!("`{word}` is no hex: write desert, or a resource and a token such as ore:8")
        })
    };
    let frame = frame(players);
    let (_, hexes) = source.hexes(&file.map, &[frame], word)?;
    let map = frame.1;
    let mut board = Board::bare();
    for (hex, (terrain, token)) in map.all_hexes().iter().zip(hexes) {
        board.terrain[hex.idx()] = terrain;
        if token > 0 {
            board.lay_token(hex, token);
        }
    }
    let robber = match &file.robber {
        Some(name) => HexSet::one(source.hex(frame, name.get_ref(), name.span())?),
        None => board.deserts(map),
    };
    if robber.is_empty() {
        let reason = "without a desert, say where the robber begins, such as `robber = \"r3c3\"`";
        return Err(source.fault(file.map.span(), reason));
    }
    let is_coast = |edge| sides(map, edge).len() == 1;
    let harbours = source.harbours(frame, &file.harbours, is_coast)?;
    let by_place =
        |(edge, kind): (Edge, Option<Resource>)| (map.ends[edge.idx()].map(Vertex::number), kind);
    let harbours: Vec<_> = harbours.into_iter().map(by_place).collect();
    for (place, &(_, kind)) in harbours.iter().enumerate() {
        board.harbours[place] = kind;
    }
    Ok(Laid { board, parts: Parts::of_harbours(&harbours), robber })
}

/// What a file says of a hex of land.
pub fn hex_word(board: &Board, hex: Hex) -> String {
    match board.terrain[hex.idx()] {
        Some(kind) => format!("{kind}:{}", board.tokens[hex.idx()]),
        None => "desert".to_owned(),
    }
}
