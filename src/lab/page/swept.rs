//! Pictures along a range: win rates and lengths under each value of a sweep, and chances that come true.

use crate::lab::page::shown::{Drawn, known, place, words};
use crate::lab::pictures::curve::{Curve, Curves, Even};
use crate::lab::pictures::svg::Picture;
use crate::lab::report::figures::interval;
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;
use serde_json::Value;

/// The pictures of these tables.
pub fn pictures(drawn: &Drawn<'_>) -> Vec<Picture> {
    let mut all: Vec<Picture> = Vec::new();
    if let Some(sweep) = Sweep::of(drawn) {
        all.extend(sweep.win_rates(drawn));
        all.extend(sweep.lengths(drawn));
        all.extend(sweep.rounds(drawn));
    }
    all.extend(reliability(drawn));
    all
}

/// What is swept: a field or a parameter, its values, and where they stand.
struct Sweep {
    of: String,
    values: Vec<String>,
    /// Numbers, or the places of words.
    places: Vec<f64>,
    is_words: bool,
    /// The variants in the order of the values.
    variants: Vec<String>,
}

impl Sweep {
    fn of(drawn: &Drawn<'_>) -> Option<Sweep> {
        let settings = &drawn.manifest.question.settings;
        let of = settings.get("of")?.as_str()?.to_owned();
        let values: Vec<String> = settings.get("values")?.as_array()?.iter().map(word).collect();
        let mut variants: Vec<String> = Vec::new();
        for row in drawn.rows("variants", "win_rate") {
            if !variants.contains(&row.keys[1]) {
                variants.push(row.keys[1].clone());
            }
        }
        if variants.len() != values.len() {
            return None;
        }
        let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
        let numbers = numbers.filter(|all| all.iter().all(|number| number.is_finite()));
        let is_words = numbers.is_none();
        let places = numbers.unwrap_or_else(|| (0..values.len()).map(|at| at as f64).collect());
        Some(Sweep { of, values, places, is_words, variants })
    }

    fn curves(&self, drawn: &Drawn<'_>, metric: &'static str, unit: Unit) -> Vec<Curve> {
        let rows: Vec<&Row> = drawn.rows("variants", metric).collect();
        // Where agents differ, the agents are what it is about; else the seats.
        let is_agent = |row: &&&Row| !row.keys[2].is_empty() && !row.keys[2].starts_with("seat ");
        let agents = rows.iter().any(|row| is_agent(&row));
        let mut curves: Vec<Curve> = Vec::new();
        for row in rows.iter().filter(|row| !agents || is_agent(row)) {
            let at = self.variants.iter().position(|name| *name == row.keys[1]);
            let Some(point) = at.and_then(|at| place(self.places[at], row, unit)) else { continue };
            let name = if row.keys[2].is_empty() { "match" } else { &row.keys[2] };
            match curves.iter_mut().find(|curve| curve.name == name) {
                Some(curve) => curve.points.push(point),
                None => curves.push(Curve { name: name.to_owned(), points: vec![point] }),
            }
        }
        for curve in &mut curves {
            curve.points.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        curves
    }

    fn draw(&self, curves: Vec<Curve>, unit: Unit, (name, title): (&str, &str)) -> Option<Picture> {
        let decimals = self
            .values
            .iter()
            .map(|value| value.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(6)));
        let curves = Curves {
            words: words(name, title, ""),
            curves,
            unit,
            along: Unit::Number(decimals.max().unwrap_or(0)),
            names: if self.is_words { self.values.clone() } else { Vec::new() },
            of: self.of.clone(),
            even: Even::None,
            key: "bands: 95 % intervals of each value alone".to_owned(),
        };
        (!curves.curves.is_empty()).then(|| curves.draw())
    }

    fn win_rates(&self, drawn: &Drawn<'_>) -> Option<Picture> {
        let curves = self.curves(drawn, "win_rate", Unit::Share);
        self.draw(curves, Unit::Share, ("sweep", "Win rate under each value"))
    }

    fn lengths(&self, drawn: &Drawn<'_>) -> Option<Picture> {
        let curves = self.curves(drawn, "turns_mean", Unit::Mean);
        self.draw(
            curves,
            Unit::Mean,
            ("sweep-length", "Turns of single players in a match, under each value"),
        )
    }

    /// Where tables have several sizes, rounds say which match is longer for who sits at it.
    fn rounds(&self, drawn: &Drawn<'_>) -> Option<Picture> {
        let curves = self.curves(drawn, "rounds_mean", Unit::Mean);
        let words = ("sweep-rounds", "Rounds of a match under each value");
        if self.of == "players" { self.draw(curves, Unit::Mean, words) } else { None }
    }
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What judges said of positions, against who won.
fn reliability(drawn: &Drawn<'_>) -> Option<Picture> {
    let mut curves: Vec<Curve> = Vec::new();
    for row in drawn.rows("reliability", "win_rate").filter(|row| row.keys[1].is_empty()) {
        let same = |other: &&Row| other.keys == row.keys;
        let said = drawn.rows("reliability", "win_rate_predicted").find(same);
        let (Some(said), Some(won)) = (said.and_then(|row| row.estimate), known(row)) else {
            continue;
        };
        // A bin of a few positions says nothing.
        let Some(ends) = interval(&won, Unit::Share) else { continue };
        let point = (said.value, won.value, Some(ends));
        match curves.iter_mut().find(|curve| curve.name == row.keys[0]) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve { name: row.keys[0].clone(), points: vec![point] }),
        }
    }
    let curves = Curves {
        words: words("reliability", "Are win probabilities calibrated?", ""),
        curves,
        unit: Unit::Share,
        along: Unit::Share,
        names: Vec::new(),
        of: "chance to win that the judge gave".to_owned(),
        even: Even::Diagonal,
        key: "up: share that won, with 95 % intervals; dashed: just as the judge said".to_owned(),
    };
    (!curves.curves.is_empty()).then(|| curves.draw())
}
