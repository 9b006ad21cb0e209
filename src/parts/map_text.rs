//! What the files of maps have in common: hexes as words in rows, harbours at sides of hexes, places by row and column.
//! Whatever the text, the answer is a map or the line that is wrong.

use crate::core::resources::Resource;
use crate::parts::hexmap::HexMap;
use crate::parts::places::{Edge, Hex, HexSet, Vertex, VertexSet};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use toml::{Spanned, Table};

/// The most bytes of a map's file.
pub const BYTES_MAX: usize = 16 * 1024;

/// The most harbours.
pub const HARBOURS_MAX: usize = 11;

/// Sides of a hex, clockwise.
pub const SIDES: [&str; 6] = ["NE", "E", "SE", "SW", "W", "NW"];

/// A frame that a map can have: the lengths of its rows, and how its places are connected.
pub type Frame = (&'static [u8], &'static HexMap);

/// A harbour: its edge, and its resource at 2:1, or 3:1 for any.
pub type HarbourAt = (Edge, Option<Resource>);

/// Why a map can't be played on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BadMap {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// A text, and where its lines begin.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a>(pub &'a str);

impl Source<'_> {
    /// The line of a byte, from 1.
    fn line(self, byte: usize) -> usize {
        let before = &self.0.as_bytes()[..byte.min(self.0.len())];
        1 + before.split(|&byte| byte == b'\n').skip(1).count()
    }

    /// A fault of what stands at some bytes.
    pub fn fault(self, span: Range<usize>, reason: impl Into<String>) -> BadMap {
        BadMap { line: self.line(span.start), reason: reason.into() }
    }

    /// The words of a file.
    ///
    /// # Errors
    /// If it is too large, no TOML, or has other words.
    pub fn words<T: serde::de::DeserializeOwned>(self, what: &str) -> Result<T, BadMap> {
        if self.0.len() > BYTES_MAX {
            return Err(self.fault(0..0, format!("{what} has at most {BYTES_MAX} bytes")));
        }
        toml::from_str(self.0).map_err(|error| {
            let message = error.message().replace('\n', "; ");
            self.fault(error.span().unwrap_or(0..0), message)
        })
    }

    /// The frame of a map, and what its words say of its hexes.
    ///
    /// # Errors
    /// If a word can't be read, or no frame has such rows.
    pub fn hexes<T>(
        self,
        text: &Spanned<String>,
        frames: &[Frame],
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<(Frame, Vec<T>), BadMap> {
        let first = self.line(text.span().start);
        // The line break behind the opening quotes is no part of the text.
        let opened = self.0.get(text.span()).is_some_and(|raw| {
            ["\"\"\"\n", "'''\n", "\"\"\"\r\n", "'''\r\n"].iter().any(|open| raw.starts_with(open))
        });
        let mut lengths = Vec::new();
        let mut spots = Vec::new();
        for (at, row) in text.get_ref().lines().enumerate() {
            let line = first + at + usize::from(opened);
            let words: Vec<&str> = row.split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            for word in &words {
                let spot = read(word).map_err(|reason| BadMap { line, reason })?;
                spots.push(spot);
            }
            lengths.push(words.len());
        }
        let has_rows =
            |(rows, _): &&Frame| rows.iter().copied().map(usize::from).eq(lengths.iter().copied());
        let Some(frame) = frames.iter().find(has_rows) else {
            let known: Vec<String> = frames.iter().map(|(rows, _)| dashed(rows)).collect();
            let has = match lengths.len() {
                0 => "no".to_owned(),
                1..=12 => dashed(&lengths),
                _ => "too many".to_owned(),
            };
            let known = known.join(" or ");
            let reason = format!("the rows of the map have {has} hexes; they can have {known}");
            return Err(self.fault(text.span(), reason));
        };
        Ok((*frame, spots))
    }

    /// The hex that `r3c2` names: the second of the third row.
    ///
    /// # Errors
    /// If the map has no such hex.
    pub fn hex(self, (rows, _): Frame, name: &str, span: Range<usize>) -> Result<Hex, BadMap> {
        let find = || {
            let (row, column) = name.strip_prefix('r')?.split_once('c')?;
            let [row, column]: [usize; 2] = [row.parse().ok()?, column.parse().ok()?];
            let length = *rows.get(row.checked_sub(1)?)?;
            let column = u8::try_from(column.checked_sub(1)?).ok().filter(|&at| at < length)?;
            Some(Hex::new(rows[..row - 1].iter().sum::<u8>() + column))
        };
        find().ok_or_else(|| {
            let name = short(name);
            let reason =
                format!("`{name}` is no hex of this map: the second of the third row is r3c2");
            self.fault(span, reason)
        })
    }

    /// The edge that `r3c2 NE` names.
    ///
    /// # Errors
    /// If the map has no such edge.
    pub fn edge(self, frame: Frame, name: &Spanned<String>) -> Result<Edge, BadMap> {
        let mut words = name.get_ref().split_whitespace();
        let at = self.hex(frame, words.next().unwrap_or_default(), name.span())?;
        let towards = words.next().and_then(|word| SIDES.iter().position(|side| *side == word));
        if let (Some(towards), None) = (towards, words.next()) {
            return Ok(side(frame.1, at, towards));
        }
        let sides = SIDES.join(", ");
        let reason = format!("name a hex and one of its sides {sides}, such as `r3c2 NE`");
        Err(self.fault(name.span(), reason))
    }

    /// The harbours: at edges where one may lie, none beside another.
    ///
    /// # Errors
    /// The first that can't lie there.
    pub fn harbours(
        self,
        frame: Frame,
        entries: &BTreeMap<Spanned<String>, Spanned<String>>,
        is_coast: impl Fn(Edge) -> bool,
    ) -> Result<Vec<HarbourAt>, BadMap> {
        let mut harbours: Vec<HarbourAt> = Vec::new();
        let mut used = VertexSet::NONE;
        let mut in_order: Vec<_> = entries.iter().collect();
        in_order.sort_by_key(|(place, _)| place.span().start);
        for (place, kind) in in_order {
            let edge = self.edge(frame, place)?;
            if !is_coast(edge) {
                return Err(self.fault(place.span(), "a harbour lies between land and sea"));
            }
            let ends: VertexSet = frame.1.ends[edge.idx()].into_iter().collect();
            if !ends.is_disjoint(used) {
                return Err(
                    self.fault(place.span(), "another harbour has one of these intersections")
                );
            }
            used |= ends;
            let word = kind.get_ref().as_str();
            let kind = match resource(word) {
                None if word != "any" => {
                    let reason = format!("`{}` is no harbour: a resource, or any", short(word));
                    return Err(self.fault(kind.span(), reason));
                }
                found => found,
            };
            if harbours.len() == HARBOURS_MAX {
                let reason = format!("a map has at most {HARBOURS_MAX} harbours");
                return Err(self.fault(place.span(), reason));
            }
            harbours.push((edge, kind));
        }
        Ok(harbours)
    }
}

fn dashed<T: ToString>(lengths: &[T]) -> String {
    lengths.iter().map(T::to_string).collect::<Vec<_>>().join("-")
}

/// As much of a word as an error shows.
pub fn short(word: &str) -> String {
    if word.chars().count() <= 40 {
        word.to_owned()
    } else {
        word.chars().take(40).chain(['…']).collect()
    }
}

fn resource(word: &str) -> Option<Resource> {
    let word = match word {
        "wood" => "lumber",
        "wheat" => "grain",
        other => other,
    };
    Resource::ALL.into_iter().find(|kind| kind.name() == word)
}

/// Whether a hex can have this number.
pub const fn is_token(token: u8) -> bool {
    matches!(token, 2..=6 | 8..=12)
}

/// Land with a terrain and a token, such as `ore:8`, or `desert`.
pub fn land(word: &str) -> Option<(Option<Resource>, u8)> {
    if word == "desert" {
        return Some((None, 0));
    }
    let (kind, token) = word.split_once(':')?;
    Some((Some(resource(kind)?), token.parse().ok().filter(|&token| is_token(token))?))
}

/// The hexes beside an edge: two, or one at the rim of the map.
pub fn sides(map: &HexMap, edge: Edge) -> HexSet {
    let [one, other] = map.ends[edge.idx()];
    map.hexes[one.idx()] & map.hexes[other.idx()]
}

/// The edge at a side of a hex: 0 to the north-east, then clockwise.
pub fn side(map: &HexMap, hex: Hex, side: usize) -> Edge {
    let ring: [Vertex; 6] = map.corners[hex.idx()];
    let edge = map.edge_between(ring[side % 6], ring[(side + 1) % 6]);
    edge.expect("corners of a hex in their order are neighbours")
}

/// The name of a hex, such as `r3c2`.
pub fn hex_name((rows, _): Frame, hex: Hex) -> String {
    let (mut row, mut column) = (0, hex.number());
    while column >= rows[row] {
        column -= rows[row];
        row += 1;
    }
    format!("r{}c{}", row + 1, column + 1)
}

/// The name of an edge by one of some hexes at it, such as `r3c2 NE`.
///
/// # Panics
/// If none of them lies there.
pub fn edge_name(frame: Frame, edge: Edge, by: HexSet) -> String {
    let hex = (sides(frame.1, edge) & by).iter().next().expect("a hex at the edge");
    let at = (0..SIDES.len()).find(|&at| side(frame.1, hex, at) == edge).expect("its edge");
    format!("{} {}", hex_name(frame, hex), SIDES[at])
}

/// The words of all hexes in the form of the map, row by row.
pub fn rows((rows, _): Frame, words: &[String]) -> String {
    const CELL: usize = 10;
    let widest = rows.iter().copied().max().unwrap_or(0);
    let mut text = String::new();
    let mut left = words;
    for &length in rows {
        let (row, behind) = left.split_at(usize::from(length));
        let mut line = " ".repeat(usize::from(widest - length) * CELL / 2);
        for word in row {
            let _ = write!(line, "{word:<CELL$}");
        }
        text.push_str(line.trim_end());
        text.push('\n');
        left = behind;
    }
    text
}

/// The text of a map's file: what is given, with hexes in rows, and harbours by their edges.
pub fn text(mut table: Table, rows: &str, harbours: &[(String, &str)]) -> String {
    let mut text = String::new();
    if let Some(about) = table.remove("about") {
        let _ = writeln!(text, "about = {about}\n");
    }
    table.remove("map");
    table.remove("harbours");
    let _ = writeln!(text, "map = \"\"\"\n{rows}\"\"\"\n{table}");
    text.push_str("[harbours]\n");
    for (place, kind) in harbours {
        let _ = writeln!(text, "\"{place}\" = \"{kind}\"");
    }
    text
}
