//! Points with intervals, one below the other: a forest plot. Of each, the label and the numbers stand above the line on
//! which it is drawn, so that both have room on a phone.

use crate::lab::pictures::label;
use crate::lab::pictures::scale::Scale;
use crate::lab::pictures::svg::{
    Anchor, COLUMN, Canvas, MARGIN, Mark, Picture, TOP, WIDTH, Words, titled,
};
use crate::lab::report::figures::fixed;
use crate::lab::report::metric::Unit;

/// The most points of a picture; the table has the others.
pub const POINTS_MAX: usize = 24;

const ROW: f64 = 40.0;
/// Room between the title and the first point, for what the shapes mean.
const KEY: f64 = 16.0;

/// A value with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// What it is about.
    pub label: String,
    /// The value, as tables have it.
    pub value: f64,
    /// The ends of its 95 % interval.
    pub ends: Option<(f64, f64)>,
    /// The ends of a wider interval, by which a verdict was given.
    pub outer: Option<(f64, f64)>,
    /// The numbers in words.
    pub text: String,
    /// Its shape; nothing is drawn of a point without one, but its label and numbers stand where it would be.
    pub mark: Option<Mark>,
    /// A value that was aimed at, drawn as a stroke.
    pub target: Option<f64>,
}

/// Points with intervals.
#[derive(Debug, Clone)]
pub struct Points {
    /// What the picture is called; its `about` is made from the points.
    pub words: Words,
    /// The points, from above.
    pub points: Vec<Point>,
    /// What their values measure.
    pub unit: Unit,
    /// A value with which they are compared.
    pub even: Option<f64>,
    /// A range that counts as no difference.
    pub band: Option<(f64, f64)>,
    /// What shapes, line and range mean, in a few words.
    pub key: String,
    /// Whether bars lead from `even`, or from 0, to the points.
    pub bars: bool,
}

impl Points {
    /// The picture. Of more than [`POINTS_MAX`] points it shows the first, and says so.
    pub fn draw(mut self) -> Picture {
        let all = self.points.len();
        self.points.truncate(POINTS_MAX);
        if all > self.points.len() {
            let shown = format!("The first {POINTS_MAX} of {all}; the table has all.");
            self.words.add(&shown);
        }
        self.words.about = self.about();
        let mut canvas = titled(&self.words.title);
        canvas.words((MARGIN, TOP - 2.0), Anchor::Start, (&self.key, 76), "soft");
        let first = TOP + KEY;
        let bottom = first + ROW * self.points.len() as f64 + 4.0;
        let scale = self.scale();
        self.draw_axis(&mut canvas, &scale, (TOP + 6.0, bottom));
        for (number, point) in self.points.iter().enumerate() {
            self.draw_point(&mut canvas, &scale, point, first + ROW * number as f64);
        }
        canvas.picture(self.words, bottom + 20.0)
    }

    /// The picture, if a point of it is drawn.
    pub fn drawn(self) -> Option<Picture> {
        self.points.iter().any(|point| point.mark.is_some()).then(|| self.draw())
    }

    fn scale(&self) -> Scale {
        let times = self.unit.scale();
        let ends = |ends: Option<(f64, f64)>| ends.map_or(vec![], |(lo, hi)| vec![lo, hi]);
        let of = |point: &Point| {
            let value = point.mark.map(|_| point.value);
            let ends = [point.ends, point.outer].map(ends).concat();
            value.into_iter().chain(point.target).chain(ends).collect::<Vec<f64>>()
        };
        let band = ends(self.band);
        let zero = self.bars.then_some(0.0);
        let all = self.points.iter().flat_map(of).chain(band).chain(self.even).chain(zero);
        Scale::around(all.map(|value| value * times), (MARGIN + 18.0, WIDTH - MARGIN - 18.0), 6)
    }

    fn draw_axis(&self, canvas: &mut Canvas, scale: &Scale, (top, bottom): (f64, f64)) {
        let place = |value: f64| scale.place(value * self.unit.scale());
        if let Some((lo, hi)) = self.band {
            canvas.area((place(lo), top), (place(hi), bottom), "band");
        }
        for mark in scale.marks() {
            let x = scale.place(mark);
            canvas.line((x, top), (x, bottom), "axis");
            let text = fixed(mark, scale.decimals) + self.unit.suffix();
            canvas.words((x, bottom + 14.0), Anchor::Middle, (&text, 12), "soft");
        }
        if let Some(even) = self.even {
            canvas.line((place(even), top), (place(even), bottom), "even");
        }
    }

    fn draw_point(&self, canvas: &mut Canvas, scale: &Scale, point: &Point, top: f64) {
        let place = |value: f64| scale.place(value * self.unit.scale());
        let (words, y) = (top + 12.0, top + 23.0);
        let all = ((WIDTH - 2.0 * MARGIN) / COLUMN).max(0.0);
        let all: usize = fixed(all, 0).parse().unwrap_or(60);
        let numbers = label::label(&point.text, all / 2 + 8);
        let room = all.saturating_sub(label::width(&numbers) + 2);
        canvas.words((MARGIN, words), Anchor::Start, (&point.label, room), "");
        canvas.words((WIDTH - MARGIN, words), Anchor::End, (&numbers, all), "");
        if let Some(target) = point.target {
            canvas.line((place(target), y - 9.0), (place(target), y + 9.0), "bound");
        }
        let Some(mark) = point.mark else { return };
        if self.bars {
            let from = place(self.even.unwrap_or(0.0));
            canvas.area((from, y - 5.0), (place(point.value), y + 5.0), "bar");
        }
        if let Some((lo, hi)) = point.outer {
            canvas.interval((place(lo), place(hi)), y, "outer");
        }
        if let Some((lo, hi)) = point.ends {
            canvas.line((place(lo), y), (place(hi), y), "ends");
            if point.outer.is_none() {
                canvas.interval((place(lo), place(hi)), y, "ends");
            }
        }
        canvas.mark(mark, (place(point.value), y), "mark");
    }

    fn about(&self) -> String {
        let of = |point: &Point| format!("{}: {}", point.label, point.text);
        let all: Vec<String> = self.points.iter().map(of).collect();
        format!("{}. {}. {}.", self.words.title, self.key, all.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(values: &[f64]) -> String {
        let point = |(number, &value): (usize, &f64)| Point {
            label: format!("seat {number}"),
            value,
            ends: Some((value - 0.01, value + 0.01)),
            outer: None,
            text: format!("{value}"),
            mark: Some(Mark::Dot),
            target: None,
        };
        let points = Points {
            words: Words { title: "Seats".to_owned(), ..Words::default() },
            points: values.iter().enumerate().map(point).collect(),
            unit: Unit::Share,
            even: Some(0.25),
            band: None,
            key: "dashed: an even share".to_owned(),
            bars: false,
        };
        points.draw().file()
    }

    /// The place of the first mark, by the file's own axis: two marks of it and their words.
    #[test]
    fn a_point_is_drawn_where_its_value_says() {
        let file = picture(&[0.27, 0.24]);
        let drawn = roxmltree::Document::parse(&file).unwrap();
        let of = |name: &str| {
            drawn.descendants().filter(|node| node.has_tag_name(name)).collect::<Vec<_>>()
        };
        let number = |node: &roxmltree::Node<'_, '_>, name: &str| -> f64 {
            node.attribute(name).unwrap().parse().unwrap()
        };
        let marks: Vec<(f64, f64)> = of("text")
            .iter()
            .filter(|text| text.text().unwrap().ends_with(" %"))
            .map(|text| {
                let value = text.text().unwrap().trim_end_matches(" %").parse::<f64>().unwrap();
                (value / 100.0, number(text, "x"))
            })
            .collect();
        let ((low, left), (high, right)) = (marks[0], *marks.last().unwrap());
        assert!(low <= 0.23 && 0.28 <= high, "the axis holds the intervals: {marks:?}");
        let place = |value: f64| left + (value - low) / (high - low) * (right - left);
        let circles = of("circle");
        assert!((number(&circles[0], "cx") - place(0.27)).abs() < 0.11);
        assert!((number(&circles[1], "cx") - place(0.24)).abs() < 0.11);
        assert!(number(&circles[0], "cy") < number(&circles[1], "cy"), "the first is above");
        let even = of("line").into_iter().find(|line| line.attribute("class") == Some("even"));
        assert!((number(&even.unwrap(), "x1") - place(0.25)).abs() < 0.11);
    }

    #[test]
    fn many_points_are_cut_and_the_picture_says_so() {
        let many: Vec<f64> = (0..1000).map(|number| f64::from(number) / 1000.0).collect();
        let file = picture(&many);
        assert_eq!(file.matches("<circle").count(), POINTS_MAX);
        assert!(file.len() < 60_000, "{} bytes", file.len());
        assert!(roxmltree::Document::parse(&file).is_ok());
    }
}
