//! How far a sequential test has come: each of its statistics on a line of its own, between the bounds at which it ends.

use crate::lab::pictures::scale::Scale;
use crate::lab::pictures::svg::{Anchor, MARGIN, Mark, Picture, TOP, WIDTH, Words, titled};
use crate::lab::report::figures::fixed;

const ROW: f64 = 62.0;

/// A statistic of a test.
#[derive(Debug, Clone, PartialEq)]
pub struct Gauge {
    /// What it is.
    pub label: String,
    /// Where it stands.
    pub value: f64,
    /// The bound below, with what reaching it says.
    pub lower: Option<(f64, String)>,
    /// The bound above, likewise.
    pub upper: Option<(f64, String)>,
}

/// How far a test has come.
#[derive(Debug, Clone)]
pub struct Gauges {
    /// What the picture is called; its `about` is made from the statistics.
    pub words: Words,
    /// The statistics.
    pub gauges: Vec<Gauge>,
    /// What is drawn, in a few words.
    pub key: String,
}

impl Gauge {
    fn bounds(&self) -> impl Iterator<Item = &(f64, String)> {
        self.lower.iter().chain(&self.upper)
    }

    fn told(&self) -> String {
        let bounds: Vec<String> =
            self.bounds().map(|(bound, says)| format!("{} {says}", fixed(*bound, 1))).collect();
        format!("{} {}; bounds: {}", self.label, fixed(self.value, 1), bounds.join(", "))
    }
}

impl Gauges {
    /// The picture.
    pub fn draw(mut self) -> Picture {
        let told: Vec<String> = self.gauges.iter().map(Gauge::told).collect();
        self.words.about = format!("{}. {}.", self.words.title, told.join(". "));
        let mut canvas = titled(&self.words.title);
        canvas.words((MARGIN, TOP - 2.0), Anchor::Start, (&self.key, 76), "soft");
        for (number, gauge) in self.gauges.iter().enumerate() {
            let top = TOP + 14.0 + ROW * number as f64;
            let y = top + 18.0;
            let ends = gauge.bounds().map(|(bound, _)| *bound).chain([0.0, gauge.value]);
            let scale = Scale::around(ends, (MARGIN + 30.0, WIDTH - MARGIN - 30.0), 4);
            canvas.words((MARGIN, top + 4.0), Anchor::Start, (&gauge.label, 50), "");
            let value = fixed(gauge.value, 1);
            canvas.words((WIDTH - MARGIN, top + 4.0), Anchor::End, (&value, 14), "");
            canvas.line((scale.places.0, y), (scale.places.1, y), "axis");
            canvas.line((scale.place(0.0), y), (scale.place(gauge.value), y), "ends");
            for (bound, says) in gauge.bounds() {
                let x = scale.place(*bound);
                canvas.line((x, y - 9.0), (x, y + 9.0), "bound");
                let anchor = if *bound < 0.0 { Anchor::Start } else { Anchor::End };
                let at = if *bound < 0.0 { x - 20.0 } else { x + 20.0 };
                let text = format!("{}: {says}", fixed(*bound, 1));
                canvas.words((at, y + 22.0), anchor, (&text, 34), "soft");
            }
            canvas.mark(Mark::Diamond, (scale.place(gauge.value), y), "mark");
        }
        canvas.picture(self.words, TOP + 18.0 + ROW * self.gauges.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statistic_beyond_its_bound_is_drawn_beyond_it() {
        let gauges = |value| Gauges {
            words: Words::default(),
            gauges: vec![Gauge {
                label: "log-likelihood ratio".to_owned(),
                value,
                lower: Some((-3.0, "accepts the null".to_owned())),
                upper: Some((3.0, "accepts the alternative".to_owned())),
            }],
            key: String::new(),
        };
        let places = |value| {
            let file = gauges(value).draw().file();
            let drawn = roxmltree::Document::parse(&file).unwrap();
            let bounds =
                drawn.descendants().filter(|node| node.attribute("class") == Some("bound"));
            let bounds: Vec<f64> =
                bounds.map(|node| node.attribute("x1").unwrap().parse().unwrap()).collect();
            let ends = drawn.descendants().find(|node| node.attribute("class") == Some("ends"));
            (bounds, ends.unwrap().attribute("x2").unwrap().parse::<f64>().unwrap())
        };
        let (bounds, at) = places(4.5);
        assert!(bounds[0] < bounds[1] && at > bounds[1]);
        let (bounds, at) = places(1.0);
        assert!(bounds[0] < at && at < bounds[1]);
    }
}
