//! Ranks by one measure against ranks by another, with the ranks that intervals leave: on the dashed line both agree.

use crate::lab::pictures::scale::Scale;
use crate::lab::pictures::svg::{Anchor, MARGIN, Mark, Picture, TOP, WIDTH, Words, titled};

/// A thing with two ranks.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Its rank to the right.
    pub x: f64,
    /// Its rank downwards.
    pub y: f64,
    /// The ranks downwards that are left to it.
    pub ends: Option<(f64, f64)>,
}

/// Some things by two ranks.
#[derive(Debug, Clone)]
pub struct Ranks {
    /// Name, title and caption.
    pub words: Words,
    /// The things.
    pub things: Vec<Ranked>,
    /// What the rank to the right is by, and that downwards.
    pub axes: [&'static str; 2],
}

const LEFT: f64 = 40.0;
const SIDE: f64 = WIDTH - LEFT - MARGIN - 12.0;

impl Ranks {
    /// The picture; nothing if there is nothing to draw.
    pub fn drawn(self) -> Option<Picture> {
        let Ranks { mut words, things, axes } = self;
        if things.is_empty() {
            return None;
        }
        let most = things.len() as f64;
        let (top, bottom) = (TOP + 24.0, TOP + 24.0 + SIDE);
        let across = Scale::around([1.0, most], (LEFT, LEFT + SIDE), 6);
        let down = Scale { places: (top, bottom), ..across };
        let mut canvas = titled(&words.title);
        canvas.words((MARGIN, TOP + 4.0), Anchor::Start, (axes[1], 60), "soft");
        for mark in across.marks() {
            let (x, y) = (across.place(mark), down.place(mark));
            canvas.line((x, top), (x, bottom), "axis");
            canvas.line((LEFT, y), (LEFT + SIDE, y), "axis");
            let text = format!("{mark:.0}");
            canvas.words((x, bottom + 14.0), Anchor::Middle, (&text, 6), "soft");
            canvas.words((LEFT - 6.0, y + 4.0), Anchor::End, (&text, 6), "soft");
        }
        let corner = |rank: f64| (across.place(rank), down.place(rank));
        canvas.line(corner(across.values.0), corner(across.values.1), "even");
        for Ranked { x, ends, .. } in &things {
            if let Some((lo, hi)) = ends {
                let x = across.place(*x);
                canvas.line((x, down.place(*lo)), (x, down.place(*hi)), "outer");
            }
        }
        for Ranked { x, y, .. } in &things {
            canvas.mark(Mark::Dot, (across.place(*x), down.place(*y)), "mark");
        }
        canvas.words((LEFT + SIDE, bottom + 30.0), Anchor::End, (axes[0], 60), "soft");
        words.about = format!("{} places by {} and by {}.", things.len(), axes[0], axes[1]);
        Some(canvas.picture(words, bottom + 40.0))
    }
}
