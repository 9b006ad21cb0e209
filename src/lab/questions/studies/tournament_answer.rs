//! The short answer of `tournament`, read from its tables: who is the strongest, whether one rating per agent fits, and
//! the strongest cycle if not.

use crate::lab::questions::studies::crosstable::strongest_cycle;
use crate::lab::questions::studies::joint::judged_cell;
use crate::lab::report::answer::{Sentence, Tone, header};
use crate::lab::report::comparison::Finding;
use crate::lab::report::figures::{self, cell};
use crate::lab::report::metric::Unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::Row;
use crate::stats::jackknife::Method;

/// The most agents on a screen.
const RANKS_MAX: usize = 16;

/// The row of an agent and a metric.
fn find<'a>(rows: &'a [Row], agent: &str, metric: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.metric == metric && row.keys[0] == agent)
}

/// The agents with a rank, the first first; then the others.
fn by_rank(ratings: &[Row]) -> Vec<&Row> {
    let mut ranks: Vec<&Row> = ratings.iter().filter(|row| row.metric == "rank").collect();
    let rank = |row: &Row| row.estimate.map_or(f64::NAN, |estimate| estimate.value);
    // A number that is missing comes last.
    ranks.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    ranks
}

/// The names of the agents in that order.
pub fn ranked(ratings: &[Row]) -> Vec<String> {
    by_rank(ratings).into_iter().map(|row| row.keys[0].clone()).collect()
}

/// Who is the strongest, if the interval for all pairs says so.
pub fn strongest(ratings: &[Row], crosstable: &[Row]) -> Sentence {
    let unit = Unit::Number(0);
    let ranked = by_rank(ratings);
    let elo = |row: &Row| cell(find(ratings, &row.keys[0], "elo"), unit);
    let [first, second, ..] = &ranked[..] else {
        return Sentence::new(Tone::Open, "No match was played.");
    };
    let above = find(ratings, &first.keys[0], "elo_above_next");
    let Some(above) = above else {
        let text = "No agent has a rating: wins and losses link nobody with the anchor.";
        return Sentence::new(Tone::Open, text);
    };
    let (name, next) = (&first.keys[0], &second.keys[0]);
    let anchor = ratings.iter().find(|row| {
        row.metric == "elo" && row.estimate.is_some_and(|estimate| estimate.method == Method::Fixed)
    });
    let anchor = anchor.map_or("the anchor", |row| row.keys[0].as_str());
    let open = unplaced(ratings, crosstable);
    if !open.is_empty() {
        let text = format!(
            "Undecided who is the strongest: {name} has the highest rating, but {} won against a rated agent and can't be \
             rated.",
            open.join(" and ")
        );
        return Sentence::new(Tone::Open, text);
    }
    if above.finding().is_none() {
        let text = format!(
            "Undecided who is the strongest: {name} at {} Elo, {next} at {} ({anchor} is 0).",
            elo(first),
            elo(second)
        );
        return Sentence::new(Tone::Open, text);
    }
    let text = format!(
        "{name} is the strongest: {} Elo above the next of {}, {next} ({anchor} is 0).",
        judged_cell(above, unit),
        ranked.len()
    );
    Sentence::new(Tone::Yes, text)
}

/// The agents without a rating that won against one that has one: they may be stronger than all who have.
pub fn unplaced<'a>(ratings: &'a [Row], crosstable: &[Row]) -> Vec<&'a str> {
    let all = ratings.iter().filter(|row| row.metric == "elo");
    let (unrated, rated): (Vec<&Row>, Vec<&Row>) = all.partition(|row| is_unrated(row));
    let won = |name: &str| {
        crosstable.iter().any(|row| {
            row.metric == "win_share"
                && row.keys[0] == name
                && rated.iter().any(|rated| rated.keys[0] == row.keys[1])
                && row.estimate.is_some_and(|share| share.value > 0.0)
        })
    };
    unrated.iter().map(|row| row.keys[0].as_str()).filter(|name| won(name)).collect()
}

/// Whether this is the row of an agent that has no rating.
fn is_unrated(row: &Row) -> bool {
    row.metric == "elo" && row.estimate.is_some_and(|of| of.method == Method::NoMaximum)
}

/// The agents without a rating.
pub fn unrated(ratings: &[Row]) -> Option<Sentence> {
    let names = ratings.iter().filter(|row| is_unrated(row)).map(|row| row.keys[0].as_str());
    let names: Vec<&str> = names.collect();
    let text = format!(
        "No rating: {}. Wins and losses must link an agent with the anchor both ways.",
        names.join(", ")
    );
    (!names.is_empty()).then(|| Sentence::new(Tone::Open, text))
}

/// Whether one rating per agent fits all pairs.
pub fn fit(crosstable: &[Row]) -> Option<Sentence> {
    let residuals: Vec<&Row> = crosstable.iter().filter(|row| row.metric == "residual").collect();
    let size = |row: &Row| row.estimate.map_or(0.0, |estimate| estimate.value);
    let misfit = residuals.iter().filter(|row| row.finding() == Some(&Finding::Misfit));
    let largest = misfit.max_by(|a, b| size(a).total_cmp(&size(b)));
    if let Some(row) = largest {
        let find = |metric| {
            let row = crosstable.iter().find(|one| one.metric == metric && one.keys == row.keys);
            cell(row, Unit::Share)
        };
        let text = format!(
            "One rating per agent does not fit every pair: of the matches that {} or {} won, {} won {}; by their ratings it \
             would be {}{}.",
            row.keys[0],
            row.keys[1],
            row.keys[0],
            find("win_share"),
            find("expected_share"),
            adjusted_p(&row.adjusted()),
        );
        return Some(Sentence::new(Tone::No, text));
    }
    let tested = residuals.iter().filter(|row| {
        row.keys[0] < row.keys[1]
            && row.estimate.is_some_and(|estimate| estimate.interval.is_some())
    });
    let tested = tested.count();
    if tested == 0 {
        let free = |row: &&Row| row.estimate.is_some_and(|one| one.method == Method::Fixed);
        let none = residuals.iter().any(free);
        let text = "Whether one rating per agent fits can't be seen: with these line-ups, ratings fit every pair.";
        return none.then(|| Sentence::new(Tone::Plain, text));
    }
    let pairs = if tested == 1 { "pair was" } else { "pairs were" };
    let text =
        format!("One rating per agent fits, as far as can be seen: {tested} {pairs} tested.");
    Some(Sentence::new(Tone::Plain, text))
}

fn adjusted_p(p: &str) -> String {
    match p.strip_prefix('<') {
        _ if p.is_empty() => String::new(),
        Some(most) => format!(" (adjusted p below {most})"),
        None => format!(" (adjusted p {p})"),
    }
}

/// The strongest cycle, if there is one for sure.
pub fn cycle(crosstable: &[Row]) -> Option<Sentence> {
    let shares: Vec<&Row> = crosstable.iter().filter(|row| row.metric == "win_share").collect();
    let mut names: Vec<&str> = Vec::new();
    for row in &shares {
        if !names.contains(&row.keys[0].as_str()) {
            names.push(&row.keys[0]);
        }
    }
    let found = |one: &str, other: &str| {
        shares.iter().copied().find(|row| row.keys[0] == one && row.keys[1] == other)
    };
    let link = |one: &&str, other: &&str| {
        let row = found(one, other)?;
        row.finding().filter(|finding| **finding == Finding::MoreThanHalf)?;
        Some(row.comparison()?.interval?.0)
    };
    let links: Vec<Vec<Option<f64>>> =
        names.iter().map(|one| names.iter().map(|other| link(one, other)).collect()).collect();
    let cycle = strongest_cycle(&links)?;
    let beaten = cycle.iter().cycle().skip(1);
    let beats = cycle.iter().zip(beaten).map(|(&one, &other)| {
        let share = found(names[one], names[other]);
        let share = share.map_or("–".to_owned(), |row| judged_cell(row, Unit::Share));
        format!("{} beats {} ({share})", names[one], names[other])
    });
    let beats: Vec<String> = beats.collect();
    let text = format!(
        "The strongest cycle: {}; shares of the matches that one of the two won.",
        beats.join(", ")
    );
    Some(Sentence::new(Tone::No, text))
}

/// How balanced the line-ups are.
pub fn balance(design: &[Row]) -> Option<Sentence> {
    let value = |agent: &str, metric: &str| {
        let row = find(design, agent, metric)?;
        row.estimate.map(|estimate| figures::fixed(estimate.value, 0))
    };
    let ends = |metric: &str, other: &str| {
        let of = |metric: &str, largest: bool| {
            let rows = design.iter().filter(|row| row.metric == metric);
            let values = rows.filter_map(|row| row.estimate.map(|estimate| estimate.value));
            values.reduce(if largest { f64::max } else { f64::min })
        };
        Some(range(&figures::fixed(of(metric, false)?, 0), &figures::fixed(of(other, true)?, 0)))
    };
    let text = format!(
        "A block has {} line-ups. An agent sits in {} of them, in each seat {} times; two agents meet {} times, and one \
         sits directly after the other {} times.",
        design.first()?.n,
        ends("line_ups", "line_ups")?,
        ends("seat_least", "seat_most")?,
        range(&value("", "together_least")?, &value("", "together_most")?),
        range(&value("", "after_least")?, &value("", "after_most")?),
    );
    Some(Sentence::new(Tone::Plain, text))
}

fn range(least: &str, most: &str) -> String {
    if least == most { least.to_owned() } else { format!("{least} to {most}") }
}

/// The agents in their order.
pub fn grid(ratings: &[Row]) -> Grid {
    let cells = |row: &Row| {
        let name = &row.keys[0];
        let of = |metric, unit| cell(find(ratings, name, metric), unit);
        vec![
            name.clone(),
            of("elo", Unit::Number(0)),
            of("win_rate_among_anchors", Unit::Share),
            of("win_rate", Unit::Share),
        ]
    };
    Grid {
        title: "Ratings".to_owned(),
        header: header(&["agent", "Elo (95 %)", "at a table of anchors", "win rate here"]),
        rows: by_rank(ratings).into_iter().take(RANKS_MAX).map(cells).collect(),
    }
}
