//! A map of hexes, with numbers at its places. Colours say how good a place is, from orange to blue, which nearly all
//! people tell apart; the numbers say it to all.

use crate::lab::pictures::svg::{Anchor, Canvas, MARGIN, Picture, TOP, WIDTH, Words, titled};

/// In halves of a hex's width and of an edge.
pub type At = (i16, i16);

/// A hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HexDrawn {
    /// Its middle.
    pub at: At,
    /// What stands there, in two lines.
    pub lines: [String; 2],
    /// What stands below, in small letters.
    pub below: &'static str,
    /// Whether it is land.
    pub is_land: bool,
}

/// A harbour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HarbourDrawn {
    /// Its vertices.
    pub ends: [At; 2],
    /// The middle of the hex of land beside it.
    pub land: At,
    /// What it takes.
    pub word: String,
}

/// A place with a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceDrawn {
    /// Where it is.
    pub at: At,
    /// The number.
    pub label: String,
    /// How good it is, from 0 to 4; 2 is middling.
    pub level: usize,
}

/// A map.
#[derive(Debug, Clone)]
pub struct MapDrawn {
    /// Name, title and caption.
    pub words: Words,
    /// Hexes.
    pub hexes: Vec<HexDrawn>,
    /// Harbours.
    pub harbours: Vec<HarbourDrawn>,
    /// Places.
    pub places: Vec<PlaceDrawn>,
}

/// Colours of places by how good they are, and of the numbers on them.
const LEVELS: [(&str, &str); 5] =
    [("w0", "light"), ("w1", "dark"), ("w2", "dark"), ("w3", "dark"), ("w4", "light")];

/// Room around the land, for harbours.
const SHORE: f64 = 44.0;
/// The radius of a place.
const RADIUS: f64 = 8.5;
/// From the middle of a hex to its corners, clockwise from the top.
const CORNERS: [At; 6] = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)];

/// From places on the map to places on the picture.
struct Frame {
    left: f64,
    unit: f64,
}

impl Frame {
    fn place(&self, (x, y): At) -> (f64, f64) {
        // An edge is as long as two of its halves; a hex is as wide as the root of 3 edges.
        let down = self.unit / libm::sqrt(3.0);
        (self.left + f64::from(x) * self.unit, TOP + SHORE + f64::from(y) * down)
    }
}

impl MapDrawn {
    /// The picture.
    pub fn drawn(self) -> Picture {
        let MapDrawn { words, hexes, harbours, places } = self;
        let widest = hexes.iter().map(|hex| hex.at.0 + 1).max().unwrap_or(2).max(2);
        let lowest = hexes.iter().map(|hex| hex.at.1 + 2).max().unwrap_or(4);
        let left = MARGIN + SHORE;
        let frame = Frame { left, unit: (WIDTH - 2.0 * left) / f64::from(widest) };
        let mut canvas = titled(&words.title);
        for hex in &hexes {
            draw_hex(&mut canvas, &frame, hex);
        }
        for harbour in &harbours {
            draw_harbour(&mut canvas, &frame, harbour);
        }
        for place in &places {
            let (x, y) = frame.place(place.at);
            let (fill, number) = LEVELS[place.level.min(LEVELS.len() - 1)];
            canvas.disc((x, y), RADIUS, &format!("disc {fill}"));
            canvas.words((x, y + 3.2), Anchor::Middle, (&place.label, 3), number);
        }
        let bottom = frame.place((0, lowest)).1 + SHORE;
        canvas.picture(words, bottom)
    }
}

fn draw_hex(canvas: &mut Canvas, frame: &Frame, hex: &HexDrawn) {
    let (x, y) = hex.at;
    let ring: Vec<(f64, f64)> =
        CORNERS.iter().map(|(right, down)| frame.place((x + right, y + down))).collect();
    canvas.path(&ring, true, if hex.is_land { "hex" } else { "hex sea" });
    let (x, y) = frame.place(hex.at);
    let [first, second] = &hex.lines;
    canvas.words((x, y - 3.0), Anchor::Middle, (first, 8), "soft");
    canvas.words((x, y + 12.0), Anchor::Middle, (second, 8), "title");
    canvas.words((x, y + 24.0), Anchor::Middle, (hex.below, 8), "soft");
}

fn draw_harbour(canvas: &mut Canvas, frame: &Frame, harbour: &HarbourDrawn) {
    let ends = harbour.ends.map(|end| frame.place(end));
    let land = frame.place(harbour.land);
    let [one, other] = ends;
    let middle = (f64::midpoint(one.0, other.0), f64::midpoint(one.1, other.1));
    let out = |share: f64| {
        (middle.0 + share * (middle.0 - land.0), middle.1 + share * (middle.1 - land.1))
    };
    for end in ends {
        canvas.line(end, out(0.45), "axis");
    }
    let (x, y) = out(0.75);
    canvas.words((x, y + 4.0), Anchor::Middle, (&harbour.word, 9), "soft");
}
