//! What all pictures are drawn with: lines, shapes and words, and how a picture becomes a part of a page or a file.

use crate::lab::pictures::label;
use crate::lab::report::figures::fixed;
use minijinja::HtmlEscape;
use std::fmt::Write as _;

/// The width of every picture in its own units. Words have 12 units, so they can be read on a phone, where a picture is
/// some 360 pixels wide.
pub const WIDTH: f64 = 440.0;
/// Room beside what is drawn.
pub const MARGIN: f64 = 8.0;
/// The mean width of a column of words.
pub const COLUMN: f64 = 6.3;

/// Colours and strokes, on a page and in files.
pub const STYLE: &str = include_str!("style.css");

/// A shape that stands for a value. Shapes differ, so that nobody has to tell colours apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A full circle.
    Dot,
    /// A circle with nothing in it.
    Ring,
    /// A full square on its corner.
    Diamond,
    /// A full square.
    Square,
    /// A full triangle.
    Triangle,
    /// A cross.
    Cross,
}

/// Marks of several series, in order.
pub const SERIES: [Mark; 6] =
    [Mark::Dot, Mark::Square, Mark::Triangle, Mark::Diamond, Mark::Ring, Mark::Cross];

/// Colours of several series, in order: classes of the style sheet.
const COLOURS: [&str; SERIES.len()] = ["one", "two", "three", "four", "five", "six"];

/// Where words begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// At the place.
    Start,
    /// On both sides of it.
    Middle,
    /// They end there.
    End,
}

/// A picture as it grows.
#[derive(Debug, Clone, Default)]
pub struct Canvas {
    body: String,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The name of its file, without its ending.
    pub name: String,
    /// What it shows, in a few words.
    pub title: String,
    /// The same as the picture, in sentences, for those who can't see it.
    pub about: String,
    /// What a reader should know, below it; may be empty.
    pub caption: String,
    height: String,
    body: String,
}

/// A number as a picture has it: with a tenth.
fn at(place: f64) -> String {
    let text = fixed(place, 1);
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

impl Canvas {
    /// Words; `class` is one of the style sheet's. They are cut to so many columns.
    pub fn words(&mut self, place: (f64, f64), anchor: Anchor, text: (&str, usize), class: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let (text, most) = text;
        let shown = label::label(text, most);
        // Letters may be wider than a column is on average: what was cut keeps to its room.
        let fitted = if label::width(text) > most {
            format!(
                " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
                at(COLUMN * most as f64)
            )
        } else {
            String::new()
        };
        let (x, y) = (at(place.0), at(place.1));
        let _ = write!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\"{anchor}{class}{fitted}>{}</text>",
            HtmlEscape(&shown)
        );
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(at);
        let _ = write!(
            self.body,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" class=\"{class}\"/>"
        );
    }

    /// A rectangle between two corners.
    pub fn area(&mut self, one: (f64, f64), other: (f64, f64), class: &str) {
        let (x, y) = (one.0.min(other.0), one.1.min(other.1));
        let [x, y, width, height] =
            [x, y, (one.0 - other.0).abs(), (one.1 - other.1).abs()].map(at);
        let _ = write!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" class=\"{class}\"/>"
        );
    }

    /// Straight lines from point to point.
    pub fn path(&mut self, points: &[(f64, f64)], closed: bool, class: &str) {
        let mut path = String::new();
        for (number, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{} {}", if number == 0 { 'M' } else { 'L' }, at(*x), at(*y));
        }
        path.push_str(if closed { "Z" } else { "" });
        let _ = write!(self.body, "<path d=\"{path}\" class=\"{class}\"/>");
    }

    /// A mark at a place.
    pub fn mark(&mut self, mark: Mark, (x, y): (f64, f64), class: &str) {
        let around = |corners: &[(f64, f64)]| -> Vec<(f64, f64)> {
            corners.iter().map(|(right, down)| (x + right, y + down)).collect()
        };
        match mark {
            Mark::Dot | Mark::Ring => {
                let hollow = if mark == Mark::Ring { " hollow" } else { "" };
                let (x, y) = (at(x), at(y));
                let _ = write!(
                    self.body,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.5\" class=\"{class}{hollow}\"/>"
                );
            }
            Mark::Diamond => {
                let corners = around(&[(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)]);
                self.path(&corners, true, class);
            }
            Mark::Square => self.area((x - 4.0, y - 4.0), (x + 4.0, y + 4.0), class),
            Mark::Triangle => {
                let corners = around(&[(0.0, -5.5), (5.2, 4.0), (-5.2, 4.0)]);
                self.path(&corners, true, class);
            }
            Mark::Cross => {
                self.line((x - 4.0, y - 4.0), (x + 4.0, y + 4.0), class);
                self.line((x - 4.0, y + 4.0), (x + 4.0, y - 4.0), class);
            }
        }
    }

    /// A circle of some size.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        let [x, y, radius] = [x, y, radius].map(at);
        let _ =
            write!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" class=\"{class}\"/>");
    }

    /// What is drawn of a series, in its colour.
    pub fn series(&mut self, number: usize, draw: impl FnOnce(&mut Canvas)) {
        let _ = write!(self.body, "<g class=\"{}\">", COLOURS[number % COLOURS.len()]);
        draw(self);
        self.body.push_str("</g>");
    }

    /// The interval around a value: a line with a stroke at each end.
    pub fn interval(&mut self, (from, to): (f64, f64), y: f64, class: &str) {
        self.line((from, y), (to, y), class);
        for end in [from, to] {
            self.line((end, y - 4.0), (end, y + 4.0), class);
        }
    }

    /// The picture.
    pub fn picture(self, words: Words, height: f64) -> Picture {
        let Words { name, title, about, caption } = words;
        Picture { name, title, about, caption, height: at(height), body: self.body }
    }
}

/// What a picture is called, and what is said of it.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// The name of its file, without its ending.
    pub name: String,
    /// What it shows, in a few words.
    pub title: String,
    /// The same as the picture, in sentences.
    pub about: String,
    /// What a reader should know; may be empty.
    pub caption: String,
}

impl Words {
    /// Adds a sentence to what a reader should know.
    pub fn add(&mut self, sentence: &str) {
        if !self.caption.is_empty() && !sentence.is_empty() {
            self.caption.push(' ');
        }
        self.caption.push_str(sentence);
    }
}

/// Where what is drawn begins, below the title.
pub const TOP: f64 = 40.0;

/// A canvas with a title.
pub fn titled(title: &str) -> Canvas {
    let mut canvas = Canvas::default();
    canvas.words((MARGIN, 20.0), Anchor::Start, (title, 60), "title");
    canvas
}

impl Picture {
    /// The picture as a part of a page; its number there keeps names within apart.
    pub fn inline(&self, number: usize) -> String {
        self.svg(number, "", "")
    }

    /// The picture as a file of its own, with its style.
    pub fn file(&self) -> String {
        let paper = "<rect width=\"100%\" height=\"100%\" class=\"paper\"/>";
        let style = format!("<style>{STYLE}</style>{paper}");
        let space = " xmlns=\"http://www.w3.org/2000/svg\" width=\"660\"";
        self.svg(1, space, &style) + "\n"
    }

    fn svg(&self, number: usize, space: &str, style: &str) -> String {
        let Picture { title, about, height, body, .. } = self;
        let (title, about) = (label::text(title), label::text(about));
        let (title, about) = (HtmlEscape(&title), HtmlEscape(&about));
        format!(
            "<svg{space} class=\"picture\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-labelledby=\"t{number} d{number}\"><title id=\"t{number}\">{title}</title>\
             <desc id=\"d{number}\">{about}</desc>{style}{body}</svg>"
        )
    }
}
