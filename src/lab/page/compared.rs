//! Pictures of differences: options and changes of rules with their margins and verdicts, and what moves most.

use crate::lab::page::shown::{Drawn, known, point, words};
use crate::lab::pictures::points::{Point, Points};
use crate::lab::pictures::svg::{Mark, Picture};
use crate::lab::report::answer::measure;
use crate::lab::report::comparison::Place;
use crate::lab::report::described::DIFFERENCES;
use crate::lab::report::figures::margin;
use crate::lab::report::metric::{Unit, unit};
use crate::lab::report::table::Row;

/// The pictures of these tables.
pub fn pictures(drawn: &Drawn<'_>) -> Vec<Picture> {
    let levels = drawn.manifest.agents.len() > 1;
    let option = move |row: &Row| of_level(levels, row, row.keys[1].clone());
    let forced: Vec<&Row> = drawn.rows("choices", "effect").collect();
    let restricted: Vec<&Row> = drawn.rows("restricted", "effect").collect();
    let judged = |row: &&Row| row.finding().is_some();
    let of = |estimand: &'static str| {
        drawn.rows("effects", "win_rate").filter(move |row| row.keys[1] == estimand)
    };
    let removed: Vec<&Row> = of("removed").filter(judged).collect();
    let of_rules = drawn.all("effects").filter(|row| row.keys[1] == "rules");
    let (rules, counts): (Vec<&Row>, Vec<&Row>) =
        of_rules.partition(|row| unit(&DIFFERENCES, row.metric) == Unit::Difference);
    let variants: Vec<&str> =
        drawn.manifest.variants.iter().map(|variant| variant.name.as_str()).collect();
    let changed = if rules.is_empty() { String::new() } else { variants.join("; ") + "." };
    let factors: Vec<&Row> = drawn.rows("factors", "win_rate").collect();
    let variant =
        move |row: &Row| of_level(levels, row, format!("{}, {}", row.keys[2], row.keys[3]));
    let moved = move |row: &Row| of_level(levels, row, measure(row.metric, &row.keys[3]));
    let factor =
        move |row: &Row| of_level(levels, row, format!("{}, {}", row.keys[1], row.keys[2]));
    let all = [
        forest(drawn, &forced, &option, ("forced", "Effect of each option, forced", "")),
        forest(
            drawn,
            &restricted,
            &option,
            ("restricted", "Effect of each option, as the only one", ""),
        ),
        forest(
            drawn,
            &removed,
            &variant,
            ("removed", "Effect on a seat of taking an option out", ""),
        ),
        forest(drawn, &rules, &moved, ("rules", "Shares under B minus those under A", &changed)),
        relative(drawn, &counts, &moved, &changed),
        forest(drawn, &factors, &factor, ("factors", "Effect of each field on a win rate", "")),
        tornado(drawn),
        luck(drawn),
    ];
    all.into_iter().flatten().collect()
}

/// The label of a row; with several levels of play, which one.
fn of_level(levels: bool, row: &Row, label: String) -> String {
    if levels { format!("{label} ({})", row.keys[0]) } else { label }
}

/// Effects with their verdicts, and the margin, if one was asked for.
fn forest(
    drawn: &Drawn<'_>,
    rows: &[&Row],
    label: &dyn Fn(&Row) -> String,
    (name, title, note): (&str, &str, &str),
) -> Option<Picture> {
    let points: Vec<Point> = rows
        .iter()
        .filter_map(|row| {
            let bare = point(label(row), row, Unit::Difference)?;
            Some(with_verdict(bare, row))
        })
        .collect();
    let judged = rows.iter().any(|row| row.finding().is_some());
    let within = drawn.setting("margin").filter(|&within| judged && within > 0.0 && within < 1.0);
    let key = within.map_or("lines: 95 % intervals; dashed: no effect".to_owned(), |within| {
        format!("shaded: margin ±{} pp; diamond: beyond, dot: within, ring: open", margin(within))
    });
    let caption = if within.is_some() {
        "Thick lines are 95 % intervals, thin ones the intervals that the verdicts used, which allow for the \
         number of comparisons."
    } else {
        note
    };
    let drawn = Points {
        words: words(name, title, caption),
        points,
        unit: Unit::Difference,
        even: Some(0.0),
        band: within.map(|within| (-within, within)),
        key,
        bars: false,
    };
    drawn.drawn()
}

/// What B changes in counts: each as a share of its value under A, since a turn and a point have no axis in common.
fn relative(
    drawn: &Drawn<'_>,
    rows: &[&Row],
    label: &dyn Fn(&Row) -> String,
    changed: &str,
) -> Option<Picture> {
    let base = &drawn.manifest.variants.first()?.name;
    let before = |row: &Row| {
        let key = [&row.keys[0], base, &row.keys[3]];
        let is_it = |of: &&Row| of.metric == row.metric && of.keys.iter().eq(key);
        known(drawn.all("variants").find(is_it)?).filter(|of| of.value > 0.0)
    };
    let of = |row: &&Row| {
        let whole = before(row)?.value;
        let own = point(label(row), row, unit(&DIFFERENCES, row.metric))?;
        let ends = own.ends.map(|(lo, hi)| (lo / whole, hi / whole));
        Some(Point { value: own.value / whole, ends, ..own })
    };
    let about = format!("The numbers are differences, in turns, points and the like. {changed}");
    let drawn = Points {
        words: words("rules-counts", "What B changes, as a share of what A has", &about),
        points: rows.iter().filter_map(of).collect(),
        unit: Unit::Share,
        even: Some(0.0),
        band: None,
        key: "lines: 95 % intervals of the differences; dashed: no effect".to_owned(),
        bars: false,
    };
    drawn.drawn()
}

/// The point with the shape of its verdict, where it lies by it, and the interval that it used.
fn with_verdict(bare: Point, row: &Row) -> Point {
    let Some(place) = row.place() else { return bare };
    let mark = match place {
        Place::Within => Mark::Dot,
        Place::Beyond => Mark::Diamond,
        Place::Open | Place::Withheld => Mark::Ring,
    };
    let ends = row.comparison().and_then(|said| said.interval);
    let near = ends.filter(|(lo, hi)| lo.abs() <= 1.0 && hi.abs() <= 1.0);
    let (outer, word) = (near.filter(|_| place != Place::Withheld), place.word());
    Point { mark: bare.mark.map(|_| mark), outer, text: format!("{}, {word}", bare.text), ..bare }
}

/// What moves most: each change of a default as a bar, those of one field below each other.
fn tornado(drawn: &Drawn<'_>) -> Option<Picture> {
    let rows: Vec<&Row> = drawn.rows("sensitivity", "effect_sd").collect();
    let field = |row: &Row| row.keys[1].split('=').next().unwrap_or_default().to_owned();
    let mut fields: Vec<String> = Vec::new();
    for row in &rows {
        if !fields.contains(&field(row)) {
            fields.push(field(row));
        }
    }
    let of_field = |name: &String| {
        let name = name.clone();
        rows.iter().filter(move |row| field(row) == name).copied().collect::<Vec<&Row>>()
    };
    let ordered = fields.iter().flat_map(of_field);
    let points: Vec<Point> = ordered
        .filter_map(|row| {
            let moved = measure(&row.keys[2], &row.keys[3]);
            point(format!("{}: {moved}", row.keys[1]), row, Unit::Number(2))
        })
        .collect();
    let about = "Each change by the measure that it moves most, in standard deviations of that measure between \
                 matches. Fields are in the order of their strongest change.";
    let drawn = Points {
        words: words("sensitivity", "Which defaults matter", about),
        points,
        unit: Unit::Number(2),
        even: Some(0.0),
        band: None,
        key: "bars: effect in standard deviations; lines: 95 % intervals".to_owned(),
        bars: true,
    };
    drawn.drawn()
}

/// Where results come from.
fn luck(drawn: &Drawn<'_>) -> Option<Picture> {
    let rows = drawn.rows("luck", "variance_share");
    let points: Vec<Point> =
        rows.filter_map(|row| point(row.keys[0].replace('_', " "), row, Unit::Share)).collect();
    let drawn = Points {
        words: words("luck", "Shares of the variance of results", ""),
        points,
        unit: Unit::Share,
        even: Some(0.0),
        band: None,
        key: "bars: shares; lines: 95 % intervals".to_owned(),
        bars: true,
    };
    drawn.drawn()
}
