//! How often each number came up: bars, with the quantiles marked.

use crate::lab::pictures::scale::Scale;
use crate::lab::pictures::svg::{Anchor, MARGIN, Picture, TOP, WIDTH, Words, titled};
use crate::lab::report::figures::fixed;

/// The most bars; neighbours share one beyond.
const BARS_MAX: usize = 60;

const LEFT: f64 = 44.0;
const BOTTOM: f64 = 200.0;

/// How often each number came up.
#[derive(Debug, Clone)]
pub struct Histogram {
    /// What the picture is called; its `about` is made from the numbers.
    pub words: Words,
    /// The numbers, ascending, with their shares.
    pub shares: Vec<(u32, f64)>,
    /// From one number to the next.
    pub step: u32,
    /// Numbers that are marked, with what they are.
    pub marked: Vec<(String, f64)>,
    /// What the numbers count.
    pub of: String,
}

/// A bar: from a number to the one behind it, and the share of all between.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bar {
    from: u32,
    to: u32,
    share: f64,
}

impl Histogram {
    /// The bars. All have the same width, so that areas are shares.
    fn bars(&self) -> Vec<Bar> {
        let (Some(&(first, _)), Some(&(last, _))) = (self.shares.first(), self.shares.last())
        else {
            return Vec::new();
        };
        let step = self.step.max(1);
        let numbers = (last.saturating_sub(first) / step).saturating_add(1);
        let most = u32::try_from(BARS_MAX).unwrap_or(1);
        let width = step.saturating_mul(numbers.div_ceil(most));
        let mut bars: Vec<Bar> = Vec::new();
        for &(number, share) in &self.shares {
            let from =
                first.saturating_add((number.saturating_sub(first) / width).saturating_mul(width));
            match bars.last_mut().filter(|bar| bar.from == from) {
                Some(bar) => bar.share += share,
                None => bars.push(Bar { from, to: from.saturating_add(width), share }),
            }
        }
        bars
    }

    /// The picture.
    pub fn draw(mut self) -> Picture {
        self.words.about = self.about();
        let bars = self.bars();
        let mut canvas = titled(&self.words.title);
        let ends = bars.iter().flat_map(|bar| [f64::from(bar.from), f64::from(bar.to)]);
        let across = Scale::around(ends, (LEFT, WIDTH - MARGIN - 8.0), 8);
        let shares = bars.iter().map(|bar| 100.0 * bar.share).chain([0.0]);
        let up = Scale::around(shares, (BOTTOM, TOP + 30.0), 4);
        for mark in up.marks() {
            let y = up.place(mark);
            canvas.line((LEFT, y), (WIDTH - MARGIN, y), "axis");
            let text = fixed(mark, up.decimals) + " %";
            canvas.words((LEFT - 4.0, y + 4.0), Anchor::End, (&text, 8), "soft");
        }
        for bar in &bars {
            let (from, to) = (across.place(f64::from(bar.from)), across.place(f64::from(bar.to)));
            let gap = if to - from > 4.0 { 0.5 } else { 0.0 };
            let top = up.place(100.0 * bar.share);
            canvas.area((from + gap, BOTTOM), (to - gap, top), "bar");
        }
        for mark in across.marks() {
            let x = across.place(mark);
            let text = fixed(mark, across.decimals);
            canvas.words((x, BOTTOM + 14.0), Anchor::Middle, (&text, 12), "soft");
        }
        for (number, (name, value)) in self.marked.iter().enumerate() {
            // Numbers of single matches are the left edge of their bar: mark its middle.
            let x = across.place(value + f64::from(self.step) / 2.0);
            let y = TOP + 4.0 + 12.0 * (number % 2) as f64;
            canvas.line((x, y + 3.0), (x, BOTTOM), "even");
            let text = format!("{name} {}", fixed(*value, 0));
            canvas.words((x, y), Anchor::Middle, (&text, 18), "soft");
        }
        canvas.words((WIDTH / 2.0, BOTTOM + 30.0), Anchor::Middle, (&self.of, 60), "soft");
        canvas.picture(self.words, BOTTOM + 38.0)
    }

    fn about(&self) -> String {
        let marked: Vec<String> = self
            .marked
            .iter()
            .map(|(name, value)| format!("{name} {}", fixed(*value, 0)))
            .collect();
        let (first, last) = (self.shares.first(), self.shares.last());
        let ends = first
            .zip(last)
            .map_or(String::new(), |((first, _), (last, _))| format!(" From {first} to {last}."));
        format!("{} ({}): {}.{ends}", self.words.title, self.of, marked.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_all_of_the_shares() {
        let histogram = |numbers: u32| Histogram {
            words: Words::default(),
            shares: (0..numbers).map(|number| (10 + number, 1.0 / f64::from(numbers))).collect(),
            step: 1,
            marked: vec![("median".to_owned(), 12.0)],
            of: "turns".to_owned(),
        };
        for numbers in [0, 1, 5, 60, 61, 500] {
            let bars = histogram(numbers).bars();
            assert!(bars.len() <= BARS_MAX);
            let all: f64 = bars.iter().map(|bar| bar.share).sum();
            assert!((all - f64::from(numbers.min(1))).abs() < 1e-9, "{numbers}: {all}");
            assert!(bars.windows(2).all(|pair| pair[0].to <= pair[1].from));
            let file = histogram(numbers).draw().file();
            assert!(roxmltree::Document::parse(&file).is_ok() && file.len() < 20_000);
        }
        let wide = Histogram { shares: vec![(0, 0.5), (u32::MAX, 0.5)], ..histogram(1) };
        assert_eq!(wide.bars().len(), 2);
    }
}
