//! What `solve` says: the smallest change that is shown to do, what it does at each seat, and whether it does so at all
//! levels of play.

use crate::lab::questions::searches::solve_also::{self, Also, CHANGE, KIND_OF_AGENT};
use crate::lab::questions::searches::solve_settings::{Aim, Solve};
use crate::lab::questions::studies::{at_levels as levels, next};
use crate::lab::report::answer::{Answer, Sentence, Tone, header, table};
use crate::lab::report::described::{TableSchema, text};
use crate::lab::report::figures::{cell, short_count};
use crate::lab::report::format::percentage_points;
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::{Metric, Unit};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};

/// The command.
pub const KIND: &str = "solve";

/// The most blocks of anything.
pub const BLOCKS_MAX: u64 = 1_000_000_000;

/// The finalists on fresh deals.
pub const FINALISTS: TableSchema = TableSchema {
    name: "finalists",
    keys: &[
        CHANGE,
        KIND_OF_AGENT,
        text(
            "option",
            "the only option that one seat may take, or a seat, or a style; best - worst: their difference",
        ),
    ],
    more: &[
        text("size", "steps from the run's own rule set, over all fields"),
        text("verdict", "whether the largest difference is below the target"),
    ],
    metrics: &[
        Metric::difference(
            "spread",
            "win rate with the best option minus that with the worst, for a seat that may take no other, mean over \
             seats; or of the best seat or style minus the worst; the intervals of all finalists hold together",
        ),
        Metric::difference(
            "effect",
            "win rate of that seat with an option, minus the mean over the options",
        ),
        Metric::share(
            "win_rate",
            "win rate of that seat, mean over seats; the intervals of all seats or styles of all finalists hold together",
        ),
    ],
};

/// What the name of an agent that was tuned for a change ends with.
pub const TUNED_AGAIN: &str = ", tuned again";
/// The key of the row of a spread.
pub const SPREAD: &str = "best - worst";
/// The verdict on a change that makes the options worth the same.
pub const BELOW: &str = "below the target";
/// The verdict on a change that does not.
pub const ABOVE: &str = "not below the target";
/// Neither.
pub const OPEN: &str = "undecided";

/// The name of the run's own rule set.
const NO_CHANGE: &str = "no change";

/// The rows of spreads, of agents as they are or tuned again.
pub fn spreads(tables: &[Table], adapted: bool) -> Vec<&Row> {
    let rows = table(tables, FINALISTS.name).into_iter().flat_map(|table| &table.rows);
    rows.filter(|row| row.metric == "spread")
        .filter(|row| row.keys[1].ends_with(TUNED_AGAIN) == adapted)
        .collect()
}

/// The answer.
pub fn answer(solve: &Solve, manifest: &Manifest, tables: &[Table]) -> Answer {
    let agent = manifest.agents.first().map_or("", |agent| agent.name.as_str());
    let (plain, adapted) = (spreads(tables, false), spreads(tables, true));
    let own: Vec<&Row> = plain.iter().copied().filter(|row| row.keys[1] == agent).collect();
    let mut sentences = vec![sentence(solve, &own, agent)];
    sentences.extend(shares(solve, tables, named(&own)));
    if !adapted.is_empty() {
        sentences.push(sentence(solve, &adapted, &format!("{agent}{TUNED_AGAIN}")));
    }
    sentences.extend(at_levels(solve, &plain, agent, named(&own)));
    sentences.extend(
        solve_also::sentence(tables, &solve.also, agent).filter(|_| !solve.also.is_empty()),
    );
    let rows: Vec<&Row> = plain.iter().chain(&adapted).copied().collect();
    let grid = if solve.also.is_empty() {
        Grid {
            title: "Finalists".to_owned(),
            header: header(&["change", "size", "agent", "best minus worst (95 %)", ""]),
            rows: rows.iter().map(|row| by_spread(row)).collect(),
        }
    } else {
        by_all_aims(solve, tables, &rows, solve.levels > 0 || !adapted.is_empty())
    };
    let open = sentences.iter().any(|said| said.tone == Tone::Open);
    let longer = if open { longer(solve, &manifest.command) } else { None };
    let next = longer.map(|command| format!("Narrower intervals of the finalists:\n  {command}"));
    let mut next: Vec<String> = next.into_iter().collect();
    if solve.levels == 0 && named(&own).is_some_and(|row| row.own(1) == BELOW) {
        next.extend(levels::proposed(KIND, manifest, &[]));
    }
    Answer { sentences, grid, next }
}

/// A finalist by what was asked first.
fn by_spread(row: &Row) -> Vec<String> {
    let [change, agent, _] = &row.keys[..] else { return Vec::new() };
    let shown = cell(Some(row), Unit::Difference);
    vec![change.clone(), row.own(0).to_owned(), agent.clone(), shown, row.own(1).to_owned()]
}

/// The finalists by all aims; one agent needs no column.
fn by_all_aims(solve: &Solve, tables: &[Table], rows: &[&Row], several: bool) -> Grid {
    let line = |row: &&Row| {
        let [change, agent, _] = &row.keys[..] else { return Vec::new() };
        let (means, front) =
            solve_also::cells(tables, &solve.also, &row.keys[..2]).unwrap_or_default();
        let agent = several.then(|| agent.clone());
        let shown = cell(Some(row), Unit::Difference);
        let first = std::iter::once(change.clone()).chain(agent).chain([shown]);
        first.chain(means).chain([front]).collect()
    };
    let means = solve.also.iter().map(|also| match also {
        Also::Short => "rounds",
        Also::Close => "points apart",
    });
    let words = ["change", "agent", "best minus worst (95 %)"].into_iter().chain(means);
    let words = words.chain([""]).filter(|word| several || *word != "agent");
    Grid {
        title: "Finalists".to_owned(),
        header: header(&words.collect::<Vec<&str>>()),
        rows: rows.iter().map(line).collect(),
    }
}

/// The same command with four times the blocks for each finalist, so that intervals are half as wide.
fn longer(solve: &Solve, command: &[String]) -> Option<String> {
    let blocks = solve.certified.saturating_mul(next::TIMES).min(BLOCKS_MAX);
    let more = blocks > solve.certified;
    if more { next::again(KIND, command, "--certify", &short_count(blocks)) } else { None }
}

/// The change that the answer is about: the smallest that does, else the one that comes nearest.
fn named<'t>(rows: &[&'t Row]) -> Option<&'t Row> {
    let does = rows.iter().find(|row| row.own(1) == BELOW).copied();
    does.or_else(|| front(rows).pop())
}

/// Rows of spreads of one kind of agent that no other row is better than, in size and in spread.
fn front<'t>(rows: &[&'t Row]) -> Vec<&'t Row> {
    let spread = |row: &Row| row.estimate.map_or(f64::INFINITY, |estimate| estimate.value);
    let mut front: Vec<&Row> = Vec::new();
    // They stand by size.
    for row in rows {
        let best = front.last().map_or(f64::INFINITY, |row| spread(row));
        if spread(row) < best {
            let same = |other: &&Row| other.own(0) == row.own(0);
            if front.last().is_some_and(same) {
                front.pop();
            }
            front.push(row);
        }
    }
    front
}

/// What is to be worth the same, in a sentence.
fn whose(solve: &Solve) -> String {
    match solve.aim {
        Aim::Options => solve.choice.clone(),
        Aim::Seats => "the seats".to_owned(),
        Aim::Styles => "the styles".to_owned(),
    }
}

/// What the finalists say, for one kind of agent.
fn sentence(solve: &Solve, rows: &[&Row], who: &str) -> Sentence {
    let target = percentage_points(solve.target);
    let choice = whose(solve);
    let shown = |row: &Row| cell(Some(row), Unit::Difference);
    if let Some(row) = rows.iter().find(|row| row.own(1) == BELOW) {
        let text = match row.keys[0].as_str() {
            NO_CHANGE => format!(
                "{who}: nothing need be changed: best minus worst of {choice} is {}, below {target}.",
                shown(row)
            ),
            change => format!(
                "{who}: the smallest change that is shown to bring {choice} below {target} is {change}: best minus \
                 worst is {}.",
                shown(row)
            ),
        };
        return Sentence::new(Tone::Yes, text);
    }
    let Some(best) = front(rows).pop() else {
        return Sentence::new(Tone::Open, format!("{who}: nothing was seen."));
    };
    let (tone, word) = if rows.iter().all(|row| row.own(1) == ABOVE) {
        (Tone::No, "no change of this grid brings")
    } else {
        (Tone::Open, "no change of this grid is shown to bring")
    };
    let text = format!(
        "{who}: {word} {choice} below {target}. The nearest is {}: best minus worst is {}.",
        best.keys[0],
        shown(best)
    );
    Sentence::new(tone, text)
}

/// How often each seat or style wins with a change, and without.
fn shares(solve: &Solve, tables: &[Table], named: Option<&Row>) -> Option<Sentence> {
    let named = named.filter(|_| !solve.aim.is_options())?;
    let all = &table(tables, FINALISTS.name)?.rows;
    let share = |change: &str, option: &str| {
        let is_it = |row: &&Row| {
            row.metric == "win_rate"
                && row.keys[1] == named.keys[1]
                && (row.keys[0].as_str(), row.keys[2].as_str()) == (change, option)
        };
        cell(all.iter().find(is_it), Unit::Share)
    };
    let changed = named.keys[0].as_str();
    let of = |option: &str| match changed {
        NO_CHANGE => format!("{option} wins {}", share(NO_CHANGE, option)),
        _ => {
            format!("{option} wins {}, before {}", share(changed, option), share(NO_CHANGE, option))
        }
    };
    let each: Vec<String> = solve.options.iter().map(|option| of(&option.name)).collect();
    let text = format!("With it {}.", each.join("; "));
    let text = if changed == NO_CHANGE { text.replacen("With it ", "There ", 1) } else { text };
    Some(Sentence::new(Tone::Plain, text))
}

/// Whether the change does so at further levels of play.
fn at_levels(solve: &Solve, rows: &[&Row], agent: &str, named: Option<&Row>) -> Option<Sentence> {
    let named = named.filter(|_| solve.levels > 0)?;
    let others: Vec<&&Row> =
        rows.iter().filter(|row| row.keys[1] != agent && row.keys[0] == named.keys[0]).collect();
    let of = |row: &&&Row| {
        let shown = cell(Some(row), Unit::Difference);
        format!("{} {shown}, {}", row.keys[1], row.own(1))
    };
    let each: Vec<String> = others.iter().map(of).collect();
    let (change, target) = (&named.keys[0], percentage_points(solve.target));
    if named.own(1) != BELOW {
        let text = format!("At the other levels of play, with {change}: {}.", each.join("; "));
        return Some(Sentence::new(Tone::Plain, text));
    }
    let count = |verdict: &str| others.iter().filter(|row| row.own(1) == verdict).count();
    let (tone, says) = match (count(BELOW), count(ABOVE)) {
        (below, _) if below == others.len() => {
            (Tone::Yes, "holds at the other levels of play as well")
        }
        (0, above) if above > 0 => (Tone::No, "does not hold at the other levels of play"),
        (_, above) if above > 0 => (Tone::No, "does not hold at all levels of play"),
        _ => (Tone::Open, "is undecided at other levels of play"),
    };
    let text = format!("That {change} keeps it below {target} {says}: {}.", each.join("; "));
    Some(Sentence::new(tone, text))
}
