//! Pictures of who is stronger: the difference of two agents, where their test stands, ratings.

use crate::lab::page::shown::{Drawn, point, words};
use crate::lab::pictures::gauges::{Gauge, Gauges};
use crate::lab::pictures::points::{Point, Points};
use crate::lab::pictures::svg::Picture;
use crate::lab::report::figures::{Unit, percentage_points};
use crate::lab::report::table::Row;
use crate::stats::mean_test::LIKELIHOOD;
use crate::stats::sequential::Bounds;

/// The pictures of these tables.
pub fn pictures(drawn: &Drawn<'_>) -> Vec<Picture> {
    [difference(drawn), test(drawn), ratings(drawn)].into_iter().flatten().collect()
}

/// The difference of two agents, between the two that the test tells apart.
fn difference(drawn: &Drawn<'_>) -> Option<Picture> {
    let of = |metric: &'static str, label: &str| -> Vec<Point> {
        let rows = drawn.rows("compare", metric);
        rows.filter_map(|row| point(label.to_owned(), row, Unit::Difference)).collect()
    };
    let mut points = of("win_difference", "A less B");
    points.extend(of("win_difference_less_luck", "A less B, less luck"));
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
            "Share of matches that A's seats win less that of B's",
            &caption,
        ),
        points,
        unit: Unit::Difference,
        even: Some(0.0),
        band: hypotheses,
        key,
        bars: false,
    };
    (!drawn.points.is_empty()).then(|| drawn.draw())
}

/// Where the sequential test ended. Sums have no path of looks, so its last one is drawn.
fn test(drawn: &Drawn<'_>) -> Option<Picture> {
    let rate = |name: &str| drawn.setting(name).filter(|rate| 0.0 < *rate && *rate < 0.5);
    let (alpha, beta) = (rate("alpha")?, rate("beta")?);
    // A run that stops by the width of its interval is not tested.
    if drawn.setting("until").is_some() {
        return None;
    }
    let value = |metric: &'static str| {
        let value = drawn.rows("compare", metric).next()?.estimate?.value;
        value.is_finite().then_some(value)
    };
    let Bounds { lower, upper } = Bounds::new(LIKELIHOOD * alpha, LIKELIHOOD * beta);
    let wealth = |rate: f64| -libm::log((1.0 - LIKELIHOOD) * rate);
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
            Some((wealth(alpha), other)),
        ),
        gauge(
            "log wealth of a bet below the alternative",
            value("log_wealth_below")?,
            None,
            Some((wealth(beta), null)),
        ),
    ];
    let caption = "The test ends where one of the three reaches a bound. The sums of a run hold where it stands, \
                   not how it came there.";
    let words = words("test", "Where the sequential test stands", caption);
    let key = "diamond: the last look; strokes: the bounds of the test".to_owned();
    Some(Gauges { words, gauges, key }.draw())
}

fn ratings(drawn: &Drawn<'_>) -> Option<Picture> {
    let of = |row: &Row| point(row.keys[0].clone(), row, Unit::Number(0));
    let points: Vec<Point> = drawn.rows("ratings", "elo").filter_map(of).collect();
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
    (!drawn.points.is_empty()).then(|| drawn.draw())
}
