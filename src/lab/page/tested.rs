//! Pictures of who is stronger: the difference of two agents, where their test stands, ratings.

use crate::lab::page::shown::{Drawn, known, point, words};
use crate::lab::pictures::curve::{Curve, Curves, Even, Place};
use crate::lab::pictures::gauges::{Gauge, Gauges};
use crate::lab::pictures::points::{Point, Points};
use crate::lab::pictures::svg::Picture;
use crate::lab::report::format::percentage_points;
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;
use crate::stats::mean_test::TestBounds;
use crate::stats::sequential::Bounds;

/// The pictures of these tables.
pub fn pictures(drawn: &Drawn<'_>) -> Vec<Picture> {
    [difference(drawn), test(drawn), path(drawn), ratings(drawn)].into_iter().flatten().collect()
}

/// The difference of two agents, between the two that the test tells apart.
fn difference(drawn: &Drawn<'_>) -> Option<Picture> {
    let of = |metric: &'static str, label: &str| -> Vec<Point> {
        let rows = drawn.rows("compare", metric);
        rows.filter_map(|row| point(label.to_owned(), row, Unit::Difference)).collect()
    };
    let mut points = of("win_difference", "A minus B");
    points.extend(of("win_difference_less_luck", "A minus B, less luck"));
    let hypotheses = drawn.setting("difference0").zip(drawn.setting("difference1"));
    let hypotheses = hypotheses.filter(|(lo, hi)| -1.0 < *lo && lo < hi && *hi < 1.0);
    let key = hypotheses.map_or(String::new(), |(null, other)| {
        let [null, other] = [null, other].map(percentage_points);
        format!("shaded: from the null ({null}) to the alternative ({other}); dashed: none")
    });
    let names = drawn.manifest.agent_names();
    let caption = match &names[..] {
        [a, b] => format!("A is {a}, B is {b}."),
        _ => String::new(),
    };
    let drawn = Points {
        words: words(
            "difference",
            "Share of matches that A's seats win minus that of B's",
            &caption,
        ),
        points,
        unit: Unit::Difference,
        even: Some(0.0),
        band: hypotheses,
        key,
        bars: false,
    };
    drawn.drawn()
}

/// The bounds of a run's test; nothing if it stops by the width of its interval, since it is not tested.
fn bounds(drawn: &Drawn<'_>) -> Option<TestBounds> {
    let rate = |name: &str| drawn.setting(name).filter(|rate| 0.0 < *rate && *rate < 0.5);
    let (alpha, beta) = (rate("alpha")?, rate("beta")?);
    let tested = drawn.setting("until").is_none();
    tested.then(|| TestBounds::new(alpha, beta))
}

/// Where the sequential test ended.
fn test(drawn: &Drawn<'_>) -> Option<Picture> {
    let TestBounds { ratio: Bounds { lower, upper }, above, below } = bounds(drawn)?;
    let value = |metric: &'static str| {
        let value = drawn.rows("compare", metric).next()?.estimate?.value;
        value.is_finite().then_some(value)
    };
    let null = "accepts the null".to_owned();
    let other = "accepts the alternative".to_owned();
    let gauge =
        |label: &str, value, lower, upper| Gauge { label: label.to_owned(), value, lower, upper };
    let gauges = vec![
        gauge(
            "log-likelihood ratio",
            value("llr")?,
            Some((lower, null.clone())),
            Some((upper, other.clone())),
        ),
        gauge(
            "log wealth of a bet above the null",
            value("log_wealth_above")?,
            None,
            Some((above, other)),
        ),
        gauge(
            "log wealth of a bet below the alternative",
            value("log_wealth_below")?,
            None,
            Some((below, null)),
        ),
    ];
    let caption = "The test ends where one of the three reaches a bound.";
    let words = words("test", "Where the sequential test stands", caption);
    let key = "diamond: the last look; strokes: the bounds of the test".to_owned();
    Some(Gauges { words, gauges, key }.draw())
}

/// How the test came there: each statistic as a share of its bound, with the null below and the alternative above. Of a
/// run that stops by the width of its interval, the difference.
fn path(drawn: &Drawn<'_>) -> Option<Picture> {
    let along = |metric: &'static str, value: &dyn Fn(f64) -> f64| -> Vec<Place> {
        let rows = drawn.rows("path", metric);
        let place = |row: &Row| {
            let estimate = known(row)?;
            let interval = estimate.interval.filter(|(lo, hi)| lo.is_finite() && hi.is_finite());
            Some((row.n as f64, value(estimate.value), interval))
        };
        rows.filter_map(place).collect()
    };
    let of = "matches played".to_owned();
    let curve = |name: &str, points| Curve { name: name.to_owned(), points };
    let drawn = if let Some(TestBounds { ratio, above, below }) = bounds(drawn) {
        let ratio = |llr: f64| if llr > 0.0 { llr / ratio.upper } else { -llr / ratio.lower };
        // A bet that loses speaks for nothing.
        let curves = vec![
            curve("log-likelihood ratio", along("llr", &ratio)),
            curve(
                "bet above the null",
                along("log_wealth_above", &|wealth| (wealth / above).max(0.0)),
            ),
            curve(
                "bet below the alternative",
                along("log_wealth_below", &|wealth| -(wealth / below).max(0.0)),
            ),
        ];
        let caption = "The test ends at the first look at which a curve reaches a line.";
        Curves {
            words: words("path", "The path of the sequential test between its bounds", caption),
            curves,
            unit: Unit::Share,
            along: Unit::Number(0),
            names: Vec::new(),
            of,
            even: Even::Between(-1.0, 1.0),
            key: "share of the way; 100 %: accepts the alternative, -100 %: the null".to_owned(),
        }
    } else {
        let caption = "The run ends at the first look at which the band is as narrow as asked. With --less-luck it \
                       may end before: the narrower interval counts, and this band has the plain one.";
        Curves {
            words: words("path", "A minus B as the run went on", caption),
            curves: vec![curve("A minus B", along("win_difference", &|value| value))],
            unit: Unit::Difference,
            along: Unit::Number(0),
            names: Vec::new(),
            of,
            even: Even::Value(0.0),
            key: "band: 95 % intervals that hold at all looks together; dashed: 0".to_owned(),
        }
    };
    (drawn.curves[0].points.len() > 1).then(|| drawn.draw())
}

fn ratings(drawn: &Drawn<'_>) -> Option<Picture> {
    let of = |row: &Row| point(row.keys[0].clone(), row, Unit::Number(0));
    let mut points: Vec<Point> = drawn.rows("ratings", "elo").filter_map(of).collect();
    points.sort_by(|one, other| other.value.total_cmp(&one.value));
    let drawn = Points {
        words: words(
            "ratings",
            "Ratings in Elo",
            "The anchor has 0 by definition, and no interval.",
        ),
        points,
        unit: Unit::Number(0),
        even: Some(0.0),
        band: None,
        key: "lines: 95 % intervals; dashed: the anchor".to_owned(),
        bars: false,
    };
    drawn.drawn()
}
