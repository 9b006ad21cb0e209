//! Curves: values along an axis, with a band of intervals around each. Each curve has a colour and marks of its own shape.

use crate::lab::pictures::scale::Scale;
use crate::lab::pictures::svg::{
    Anchor, Canvas, MARGIN, Picture, SERIES, TOP, WIDTH, Words, titled,
};
use crate::lab::report::figures::fixed;
use crate::lab::report::metric::Unit;

/// The most points of a curve, and the most curves; the table has the others.
const POINTS_MAX: usize = 160;
const CURVES_MAX: usize = SERIES.len();
/// The most points that are also told in words.
const TOLD_MAX: usize = 12;

const LEFT: f64 = 52.0;
const BOTTOM: f64 = 250.0;
const LINE: f64 = 16.0;

/// A point: where, the value, and the ends of its interval.
pub type Place = (f64, f64, Option<(f64, f64)>);

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What it is about.
    pub name: String,
    /// Its points.
    pub points: Vec<Place>,
}

/// What curves are compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Even {
    /// Nothing.
    None,
    /// A value.
    Value(f64),
    /// Several values.
    Values(Vec<f64>),
    /// Two values between which the curves move until they reach one.
    Between(f64, f64),
    /// The value that is as large as the place.
    Diagonal,
}

impl Even {
    /// The values at which a line is drawn across.
    fn values(&self) -> Vec<f64> {
        match self {
            Even::None | Even::Diagonal => Vec::new(),
            Even::Value(value) => vec![*value],
            Even::Values(values) => values.clone(),
            Even::Between(lo, hi) => vec![*lo, *hi],
        }
    }
}

/// Curves.
#[derive(Debug, Clone)]
pub struct Curves {
    /// What the picture is called; its `about` is made from the curves.
    pub words: Words,
    /// The curves.
    pub curves: Vec<Curve>,
    /// What the values measure.
    pub unit: Unit,
    /// What the places measure.
    pub along: Unit,
    /// The words of places, if they are no numbers: from place 0 on.
    pub names: Vec<String>,
    /// What the places are.
    pub of: String,
    /// What curves are compared with.
    pub even: Even,
    /// What line and band mean, in a few words.
    pub key: String,
}

/// Scales of both axes.
#[derive(Debug, Clone, Copy)]
struct Axes {
    across: Scale,
    up: Scale,
}

impl Curves {
    /// The picture. What is beyond the most that it can show is left out, and the caption says so.
    pub fn draw(mut self) -> Picture {
        let all = self.curves.len();
        self.curves.truncate(CURVES_MAX);
        let mut thinned = false;
        for curve in &mut self.curves {
            let every = curve.points.len().div_ceil(POINTS_MAX).max(1);
            thinned |= every > 1;
            let end = curve.points.last().copied().filter(|_| every > 1);
            curve.points = curve.points.iter().copied().step_by(every).collect();
            curve.points.extend(end.filter(|end| curve.points.last() != Some(end)));
        }
        let mut cut = String::new();
        if all > CURVES_MAX {
            cut = format!("The first {CURVES_MAX} of {all} curves; the table has all.");
        } else if thinned {
            "Some points are left out; the table has all.".clone_into(&mut cut);
        }
        self.words.add(&cut);
        self.words.about = self.about();
        let mut canvas = titled(&self.words.title);
        canvas.words((MARGIN, TOP - 2.0), Anchor::Start, (&self.key, 76), "soft");
        let axes = self.axes();
        self.draw_axes(&mut canvas, &axes);
        for (number, curve) in self.curves.iter().enumerate() {
            canvas.series(number, |canvas| Self::draw_band(canvas, &self.scaled(curve), &axes));
        }
        for (number, curve) in self.curves.iter().enumerate() {
            canvas.series(number, |canvas| self.draw_curve(canvas, curve, &axes, number));
        }
        let height = self.draw_names(&mut canvas);
        canvas.picture(self.words, height)
    }

    /// The curve in the units of the axes.
    fn scaled(&self, curve: &Curve) -> Curve {
        let (across, up) = (self.along.scale(), self.unit.scale());
        let ends = |(lo, hi): (f64, f64)| (up * lo, up * hi);
        let point = |(x, y, interval): &Place| (across * x, up * y, interval.map(ends));
        Curve { name: curve.name.clone(), points: curve.points.iter().map(point).collect() }
    }

    fn axes(&self) -> Axes {
        let curves: Vec<Curve> = self.curves.iter().map(|curve| self.scaled(curve)).collect();
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let values =
            points().flat_map(|(_, y, ends)| ends.map_or([*y, *y, *y], |(lo, hi)| [*y, lo, hi]));
        let even = self.even.values().into_iter().map(|value| self.unit.scale() * value);
        let up = Scale::around(values.chain(even), (BOTTOM, TOP + 12.0), 5);
        let places = (LEFT + 8.0, WIDTH - MARGIN - 10.0);
        let mut across = Scale::around(points().map(|(x, _, _)| *x), places, 6);
        if !self.names.is_empty() {
            let last = self.names.len().saturating_sub(1).max(1) as f64;
            across = Scale { values: (0.0, last), places, step: 1.0, decimals: 0 };
        }
        Axes { across, up }
    }

    fn draw_axes(&self, canvas: &mut Canvas, Axes { across, up }: &Axes) {
        for mark in up.marks() {
            let y = up.place(mark);
            canvas.line((LEFT, y), (WIDTH - MARGIN, y), "axis");
            let text = fixed(mark, up.decimals) + self.unit.suffix();
            canvas.words((LEFT - 4.0, y + 4.0), Anchor::End, (&text, 9), "soft");
        }
        if self.names.is_empty() {
            for mark in across.marks() {
                let text = fixed(mark, across.decimals) + self.along.suffix();
                canvas.words(
                    (across.place(mark), BOTTOM + 16.0),
                    Anchor::Middle,
                    (&text, 10),
                    "soft",
                );
            }
        }
        let every = self.names.len().div_ceil(10).max(1);
        let room = 60 / self.names.len().clamp(1, 10);
        for (number, name) in self.names.iter().enumerate().step_by(every) {
            let x = across.place(number as f64);
            canvas.words((x, BOTTOM + 16.0), Anchor::Middle, (name, room), "soft");
        }
        canvas.words((WIDTH / 2.0, BOTTOM + 32.0), Anchor::Middle, (&self.of, 64), "soft");
        let class = if matches!(self.even, Even::Between(..)) { "bound" } else { "even" };
        for value in self.even.values() {
            let y = up.place(self.unit.scale() * value);
            canvas.line((LEFT, y), (WIDTH - MARGIN, y), class);
        }
        if self.even == Even::Diagonal {
            let lo = across.values.0.max(up.values.0);
            let hi = across.values.1.min(up.values.1);
            if lo < hi {
                let at = |value| (across.place(value), up.place(value));
                canvas.line(at(lo), at(hi), "even");
            }
        }
    }

    fn draw_band(canvas: &mut Canvas, curve: &Curve, Axes { across, up }: &Axes) {
        let ends = |end: fn((f64, f64)) -> f64| -> Vec<(f64, f64)> {
            let of = |&(x, _, ends): &Place| Some((across.place(x), up.place(end(ends?))));
            curve.points.iter().filter_map(of).collect()
        };
        let mut outline = ends(|(_, hi)| hi);
        outline.extend(ends(|(lo, _)| lo).into_iter().rev());
        if outline.len() > 2 {
            canvas.path(&outline, true, "between");
        }
    }

    fn draw_curve(&self, canvas: &mut Canvas, curve: &Curve, axes: &Axes, number: usize) {
        let places: Vec<(f64, f64)> = self
            .scaled(curve)
            .points
            .iter()
            .map(|&(x, y, _)| (axes.across.place(x), axes.up.place(y)))
            .collect();
        if places.len() > 1 {
            canvas.path(&places, false, "curve");
        }
        // Marks that touch say nothing: of many points some are marked.
        let every = places.len().div_ceil(20).max(1);
        for place in places.into_iter().step_by(every) {
            canvas.mark(SERIES[number % SERIES.len()], place, "mark");
        }
    }

    /// The names of the curves with their marks, below; returns the height of the picture.
    fn draw_names(&self, canvas: &mut Canvas) -> f64 {
        let top = BOTTOM + 38.0;
        if self.curves.len() < 2 {
            return top;
        }
        for (number, curve) in self.curves.iter().enumerate() {
            let y = top + LINE * (number as f64 + 0.5);
            let mark = SERIES[number % SERIES.len()];
            canvas.series(number, |canvas| canvas.mark(mark, (LEFT, y), "mark"));
            canvas.words((LEFT + 12.0, y + 4.0), Anchor::Start, (&curve.name, 56), "");
        }
        top + LINE * self.curves.len() as f64 + 8.0
    }

    fn about(&self) -> String {
        let shown = |value: f64, unit: Unit| {
            let decimals = match unit {
                Unit::Share | Unit::Difference => 1,
                Unit::Mean => 2,
                Unit::Number(decimals) => decimals,
            };
            fixed(unit.scale() * value, decimals) + unit.suffix()
        };
        let place = |x: f64| {
            let number: Option<usize> = fixed(x, 0).parse().ok();
            let name = number.and_then(|number| self.names.get(number));
            name.cloned().unwrap_or_else(|| shown(x, self.along))
        };
        let told = |curve: &Curve| {
            let every = curve.points.len().div_ceil(TOLD_MAX).max(1);
            let points = curve.points.iter().step_by(every);
            let of = |&(x, y, _): &Place| format!("{} at {}", shown(y, self.unit), place(x));
            let all: Vec<String> = points.map(of).collect();
            format!("{}: {}", curve.name, all.join(", "))
        };
        let curves: Vec<String> = self.curves.iter().map(told).collect();
        format!("{}, by {}. {}. {}.", self.words.title, self.of, self.key, curves.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves(curves: usize, points: u32) -> Curves {
        let point = |x: u32| {
            let y = 0.2 + 0.001 * f64::from(x);
            (f64::from(x), y, Some((y - 0.01, y + 0.02)))
        };
        let curve = |number| Curve {
            name: format!("seat {number}"),
            points: (0..points).map(point).collect(),
        };
        Curves {
            words: Words { title: "Win rate".to_owned(), ..Words::default() },
            curves: (1..=curves).map(curve).collect(),
            unit: Unit::Share,
            along: Unit::Number(0),
            names: Vec::new(),
            of: "price".to_owned(),
            even: Even::Value(0.25),
            key: String::new(),
        }
    }

    #[test]
    fn curves_rise_with_their_values_and_have_shapes_of_their_own() {
        let file = curves(2, 5).draw().file();
        let drawn = roxmltree::Document::parse(&file).unwrap();
        let circles: Vec<(f64, f64)> = drawn
            .descendants()
            .filter(|node| node.has_tag_name("circle"))
            .map(|node| ["cx", "cy"].map(|name| node.attribute(name).unwrap().parse().unwrap()))
            .map(|[x, y]| (x, y))
            .collect();
        // Five points of the first curve, and its mark beside its name.
        assert_eq!(circles.len(), 6);
        for pair in circles[..5].windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1, "{circles:?}");
        }
        let squares = drawn.descendants().filter(|node| node.has_tag_name("rect"));
        assert_eq!(squares.count(), 1 + 6, "the paper, and the second curve");
        assert!(file.contains("seat 2: 20.0 % at 0"), "told in words");
    }

    #[test]
    fn any_number_of_curves_and_points_gives_a_small_picture() {
        for (number, points) in [(0, 0), (1, 0), (1, 1), (3, 2), (40, 5000)] {
            let picture = curves(number, points).draw();
            let file = picture.file();
            assert!(roxmltree::Document::parse(&file).is_ok(), "{number}, {points}");
            assert!(file.len() < 60_000, "{number}, {points}: {} bytes", file.len());
            assert_eq!(number > 10, picture.caption.contains("of 40 curves"));
        }
    }
}
