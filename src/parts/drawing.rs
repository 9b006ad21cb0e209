//! An island drawn in characters, for people. It knows the shape of the island and the texts that it is given.
//!
//! Half a hex is six columns wide, or four if the island is so wide that it would not fit 80 columns; a row of hexes is
//! `ROW` lines high:
//!
//! ```text
//!       .
//!    /     \
//! .   wool    .
//! |     4     |
//! .  robber   .
//!    \     /
//!       .
//! ```

use crate::parts::hexmap::{DIRECTIONS, HexMap};
use crate::parts::places::{Edge, Hex, Vertex};

/// Columns of half a hex.
const HALF: i32 = 6;

/// The same of an island with more than [`WIDE`] hexes in a row.
const NARROW: i32 = 4;

/// The most hexes in a row that are drawn in full width.
const WIDE: i32 = 5;

/// Lines from a row of hexes to the next.
const ROW: i32 = 4;

/// Columns on either side, for harbours; those that stay empty are cut off.
const MARGIN: i32 = 12;

/// Lines above and below, for harbours in bays; those that stay empty are cut off.
const AROUND: i32 = 1;

/// Characters of a harbour's text that fit between two edges where it is narrow, each of which may have a number.
const SHORT: usize = 4;

/// Columns by which a harbour's text may be moved off the shore.
const FARTHER: i32 = 6;

/// Half hexes and rows from a hex to its neighbours, in the order of [`HexMap::beside`].
const STEPS: [[i32; 2]; DIRECTIONS] = [[-1, 1], [1, 1], [2, 0], [1, -1], [-1, -1], [-2, 0]];

/// Half hexes and lines from the middle of the top of a hex to its corners, in the order of [`HexMap::corners`].
const CORNERS: [[i32; 2]; 6] = [[0, 0], [1, 2], [1, 4], [0, 6], [-1, 4], [-1, 2]];

/// A column and a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spot {
    column: i32,
    line: i32,
}

/// A drawing of one island.
#[derive(Debug, Clone)]
pub struct Drawing {
    map: &'static HexMap,
    /// Columns of half a hex.
    half: i32,
    /// The top of each hex.
    hexes: Vec<Spot>,
    vertices: Vec<Spot>,
    lines: Vec<Vec<char>>,
    /// Where texts at vertices, halfway along edges, and of harbours stand.
    taken: Vec<Vec<bool>>,
}

impl Drawing {
    /// An empty sheet for an island.
    pub fn new(map: &'static HexMap) -> Drawing {
        let (half, hexes) = tops(map);
        let mut vertices = vec![Spot { column: 0, line: 0 }; usize::from(map.vertex_count)];
        for hex in map.all_hexes() {
            for (vertex, [halves, lines]) in map.corners[hex.idx()].into_iter().zip(CORNERS) {
                let top = hexes[hex.idx()];
                let column = top.column + half * halves;
                vertices[vertex.idx()] = Spot { column, line: top.line + lines };
            }
        }
        let size = |of: fn(&Spot) -> i32| vertices.iter().map(of).max().unwrap_or(0);
        let (width, height) =
            (size(|spot| spot.column) + MARGIN, size(|spot| spot.line) + 1 + AROUND);
        let blank = vec![' '; usize::try_from(width).unwrap_or(0)];
        let taken = vec![vec![false; blank.len()]; usize::try_from(height).unwrap_or(0)];
        let lines = vec![blank; taken.len()];
        let mut drawing = Drawing { map, half, hexes, vertices, lines, taken };
        for edge in map.all_edges() {
            drawing.take(drawing.middle(edge), "/1/");
        }
        for vertex in map.all_vertices() {
            drawing.take(drawing.vertices[vertex.idx()], "100");
        }
        drawing
    }

    /// Whether there is room for short texts only.
    pub fn is_narrow(&self) -> bool {
        self.half == NARROW
    }

    /// Three texts in a hex, up to 6 characters each.
    pub fn hex(&mut self, hex: Hex, texts: [&str; 3]) {
        let Spot { column, line } = self.hexes[hex.idx()];
        for (text, below) in texts.into_iter().zip(2..) {
            self.write(Spot { column, line: line + below }, text);
        }
    }

    /// A text at a vertex, up to 3 characters.
    pub fn vertex(&mut self, vertex: Vertex, text: &str) {
        self.write(self.vertices[vertex.idx()], text);
    }

    /// A text halfway along an edge, up to 3 characters.
    pub fn edge(&mut self, edge: Edge, text: &str) {
        self.write(self.middle(edge), text);
    }

    /// The stroke that lies as an edge does.
    pub fn stroke(&self, edge: Edge) -> char {
        let [a, b] = self.map.ends[edge.idx()].map(|vertex| self.vertices[vertex.idx()]);
        match (b.column - a.column).signum() * (b.line - a.line).signum() {
            0 => '|',
            1 => '\\',
            _ => '/',
        }
    }

    /// A text beside an edge, up to 10 characters, or 7 where it is narrow, on the side away from a hex of the edge: where a
    /// harbour lies. Where it is narrow, a text that would touch what stands at other places is cut.
    pub fn harbour(&mut self, edge: Edge, away_from: Hex, text: &str) {
        let whole = self.beside(edge, away_from, text);
        if !self.is_narrow() {
            return self.write_and_take(whole[0], text);
        }
        let short: String = text.chars().take(SHORT).collect();
        let cut = self.beside(edge, away_from, &short);
        // Numbers of edges begin before their middle, so the blank after a text is the one that tells them apart.
        let [both, after, none] = [[1, 1], [0, 1], [0, 0]];
        let find = |spots: &[Spot], text: &str, blanks: [usize; 2]| {
            spots.iter().copied().find(|spot| self.is_free(*spot, text, blanks))
        };
        let fits = |blanks: [usize; 2]| find(&whole, text, blanks);
        match fits(both).or_else(|| fits(after)) {
            Some(spot) => self.write_and_take(spot, text),
            None => match find(&cut, &short, after) {
                Some(spot) => self.write_and_take(spot, &short),
                None => self.write_and_take(fits(none).unwrap_or(whole[0]), text),
            },
        }
    }

    /// Where a text may stand beside an edge, the best spot first: where it is narrow, it may have to stand farther off the
    /// shore, or above or below a bay.
    fn beside(&self, edge: Edge, away_from: Hex, text: &str) -> Vec<Spot> {
        let Spot { column, line } = self.middle(edge);
        let hex = self.hexes[away_from.idx()];
        let right = (column - hex.column).signum();
        let below = (line - hex.line - ROW / 2 - 1).signum();
        // Beside a slanted edge, a text stands at the height of its outer end.
        let gap = if self.is_narrow() { 1 } else { 3 };
        let away = if below == 0 { gap + width(text) / 2 } else { self.half / 2 };
        let to_left = if below == 0 && right < 0 { (width(text) + 1) % 2 } else { 0 };
        let spot = |more: i32, lines: i32| Spot {
            column: column + right * (away + more) + to_left,
            line: line + below * lines,
        };
        (0..=FARTHER).map(|more| spot(more, 1)).chain([spot(0, 2)]).collect()
    }

    fn write_and_take(&mut self, spot: Spot, text: &str) {
        self.write(spot, text);
        self.take(spot, text);
    }

    /// The columns of a text around a spot, in the line where they are.
    fn cells(&self, spot: Spot, text: &str) -> Option<(usize, std::ops::Range<usize>)> {
        let line = usize::try_from(spot.line).ok().filter(|line| *line < self.taken.len())?;
        let start = usize::try_from(spot.column - width(text) / 2).ok()?;
        let end = start + text.chars().count();
        (end <= self.taken[line].len()).then_some((line, start..end))
    }

    /// Whether nothing else stands where a text would, with so many blanks before and after it.
    fn is_free(&self, spot: Spot, text: &str, [before, after]: [usize; 2]) -> bool {
        self.cells(spot, text).is_some_and(|(line, cells)| {
            let wider = cells.start.checked_sub(before).map(|start| start..cells.end + after);
            wider.is_some_and(|cells| {
                self.taken[line].get(cells).is_some_and(|cells| !cells.contains(&true))
            })
        })
    }

    /// Keeps the place of a text.
    fn take(&mut self, spot: Spot, text: &str) {
        if let Some((line, cells)) = self.cells(spot, text) {
            self.taken[line][cells].fill(true);
        }
    }

    /// The lines, without blanks at their ends and without empty columns on the left.
    pub fn into_lines(self) -> Vec<String> {
        let lines = self.lines.into_iter().map(String::from_iter);
        let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
        let drawn = |line: &String| !line.is_empty();
        let first = lines.iter().position(drawn).unwrap_or(0);
        let end = lines.iter().rposition(drawn).map_or(0, |last| last + 1);
        let lines = lines[first..end].to_vec();
        let blank = |line: &String| line.len() - line.trim_start().len();
        let margin = lines.iter().filter(|line| !line.is_empty()).map(blank).min().unwrap_or(0);
        lines.into_iter().map(|line| line.chars().skip(margin).collect()).collect()
    }

    fn middle(&self, edge: Edge) -> Spot {
        let [a, b] = self.map.ends[edge.idx()].map(|vertex| self.vertices[vertex.idx()]);
        Spot { column: i32::midpoint(a.column, b.column), line: i32::midpoint(a.line, b.line) }
    }

    /// Writes a text around a spot; what would lie outside the sheet is left out.
    fn write(&mut self, spot: Spot, text: &str) {
        let Ok(line) = usize::try_from(spot.line) else { return };
        let Some(line) = self.lines.get_mut(line) else { return };
        let start = spot.column - width(text) / 2;
        for (at, letter) in (start..).zip(text.chars()) {
            let place = usize::try_from(at).ok().and_then(|at| line.get_mut(at));
            if let Some(place) = place {
                *place = letter;
            }
        }
    }
}

/// Characters of a text.
fn width(text: &str) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(0)
}

/// Columns of half a hex, and the top of each hex, found by walking from neighbour to neighbour; hexes are numbered row by
/// row.
fn tops(map: &HexMap) -> (i32, Vec<Spot>) {
    let mut found = vec![None; usize::from(map.hex_count)];
    let mut walk = vec![(Hex::new(0), [0, 0])];
    while let Some((hex, [half, row])) = walk.pop() {
        if found[hex.idx()].is_some() {
            continue;
        }
        found[hex.idx()] = Some([half, row]);
        for (beside, [halves, rows]) in map.beside[hex.idx()].into_iter().zip(STEPS) {
            walk.extend(beside.map(|beside| (beside, [half + halves, row + rows])));
        }
    }
    let found: Vec<[i32; 2]> = found.into_iter().flatten().collect();
    let first = found.iter().map(|&[half, _]| half).min().unwrap_or(0);
    let last = found.iter().map(|&[half, _]| half).max().unwrap_or(0);
    let width = if (last - first) / 2 + 1 > WIDE { NARROW } else { HALF };
    let column = |half: i32| MARGIN + width * (half - first + 1);
    let top = |[half, row]: [i32; 2]| Spot { column: column(half), line: AROUND + ROW * row };
    (width, found.into_iter().map(top).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::hexmap::{EXTENDED, STANDARD};

    fn numbered(map: &'static HexMap) -> Vec<String> {
        let mut drawing = Drawing::new(map);
        for hex in map.all_hexes() {
            let word = if drawing.is_narrow() { "" } else { "hex " };
            drawing.hex(hex, ["", &format!("{word}{hex}"), ""]);
        }
        for edge in map.all_edges() {
            drawing.edge(edge, &edge.to_string());
        }
        for vertex in map.all_vertices() {
            drawing.vertex(vertex, &vertex.to_string());
        }
        drawing.into_lines()
    }

    /// Every number stands where it should: vertices, edges and hexes all show, none twice.
    #[test]
    fn every_place_is_drawn_once() {
        for map in [&STANDARD, &EXTENDED] {
            let lines = numbered(map);
            assert!(lines.iter().all(|line| line.len() <= 80));
            let mut words: Vec<usize> = lines
                .iter()
                .flat_map(|line| line.split_whitespace())
                .flat_map(str::parse)
                .collect();
            words.sort_unstable();
            let counts = [map.hex_count, map.vertex_count, map.edge_count].map(usize::from);
            let mut due: Vec<usize> = counts.into_iter().flat_map(|count| 0..count).collect();
            due.sort_unstable();
            assert_eq!(words, due);
        }
    }

    /// A hex with all that may be drawn at it.
    #[test]
    fn harbours_lie_off_the_shore() {
        static ONE: HexMap = HexMap::new(&[1]);
        let mut drawing = Drawing::new(&ONE);
        let hex = Hex::new(0);
        drawing.hex(hex, ["wool", "4", "robber"]);
        for edge in ONE.all_edges() {
            let stroke = drawing.stroke(edge);
            drawing.edge(edge, &format!("{stroke}{edge}{stroke}"));
            drawing.harbour(edge, hex, "2:1 wool");
        }
        for vertex in ONE.all_vertices() {
            drawing.vertex(vertex, "1s");
        }
        let drawn = [
            r"      2:1 wool 1s 2:1 wool",
            r"            /0/   \2\",
            r"         1s   wool   1s",
            r"2:1 wool |1|    4    |3| 2:1 wool",
            r"         1s  robber  1s",
            r"            \4\   /5/",
            r"      2:1 wool 1s 2:1 wool",
        ];
        assert_eq!(drawing.into_lines(), drawn);
    }
}
