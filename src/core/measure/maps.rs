//! What a map looks like, for tables and pictures, and where matches are founded on it. No rules depend on it.

/// A place that is taken before the first turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Founding {
    /// Its number, as actions name it.
    pub place: u8,
    /// Which of its seat's places it is, from 0.
    pub number: u8,
}

/// A map that has been laid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapFacts {
    /// Its file, in which nothing is left to luck that was dealt at the start.
    pub text: String,
    /// Its hexes, row by row.
    pub hexes: Vec<HexFacts>,
    /// Its harbours.
    pub harbours: Vec<HarbourFacts>,
    /// Its vertices.
    pub places: Vec<PlaceFacts>,
}

/// A hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HexFacts {
    /// Where its middle is, in halves of a hex's width and of an edge.
    pub at: (i16, i16),
    /// What it is: a resource, `desert`, `sea` or `?`.
    pub terrain: &'static str,
    /// Its number; 0 for none.
    pub token: u8,
    /// How many of 36 rolls have that number.
    pub pips: u8,
    /// Whether the robber begins there.
    pub has_robber: bool,
}

impl HexFacts {
    /// In a word, such as `ore:8`.
    pub fn word(&self) -> String {
        if self.token == 0 {
            self.terrain.to_owned()
        } else {
            format!("{}:{}", self.terrain, self.token)
        }
    }
}

/// A harbour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HarbourFacts {
    /// Where it lies, such as `r1c1 NW`.
    pub name: String,
    /// Its resource, or `any`.
    pub kind: &'static str,
    /// Its vertices.
    pub places: [u8; 2],
    /// The middle of the hex of land beside it.
    pub land: (i16, i16),
    /// The map's file without it.
    pub without: String,
}

/// A vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceFacts {
    /// Its number, as actions name it.
    pub number: u8,
    /// Where it is, in halves of a hex's width and of an edge.
    pub at: (i16, i16),
    /// Its hexes of land, by their place in the list.
    pub hexes: Vec<usize>,
    /// How many of 36 rolls bring something there, hex by hex.
    pub pips: u8,
    /// Its harbour, by its place in the list.
    pub harbour: Option<usize>,
    /// Whether the first founder may take it.
    pub is_open: bool,
}

impl MapFacts {
    /// The hexes of a place in words, such as `ore:8 wool:4 desert`.
    pub fn hexes_of(&self, place: &PlaceFacts) -> String {
        let words: Vec<String> = place.hexes.iter().map(|&hex| self.hexes[hex].word()).collect();
        words.join(" ")
    }

    /// The places that the first founder may take.
    pub fn open(&self) -> impl Iterator<Item = &PlaceFacts> {
        self.places.iter().filter(|place| place.is_open)
    }

    /// Whether two hexes have an edge in common.
    pub fn touch(&self, one: usize, other: usize) -> bool {
        let both = |hexes: &[usize]| hexes.contains(&one) && hexes.contains(&other);
        self.places.iter().filter(|place| both(&place.hexes)).count() > 1
    }
}
