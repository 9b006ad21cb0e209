//! What `reliability` says at its end: whether each judge is too sure of itself, and who predicts winners best.

use crate::lab::questions::studies::joint::{is_clear, joint, joint_cell};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::reliability_tables::{JUDGES, RELIABILITY, SCORES};
use crate::lab::questions::studies::study::Study;
use crate::lab::report::answer::{Answer, ROWS_MAX, Sentence, Tone, header, strength, table};
use crate::lab::report::figures::{self, cell, grouped};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::Unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::sim::counts::reliability::{EDGES, PHASES};

/// Judges that sentences are said of.
const SAID_MAX: usize = 3;

/// The answer.
pub fn answer(
    study: &dyn Study,
    judges: &[String],
    manifest: &Manifest,
    tables: &[Table],
) -> Answer {
    let even = 1.0 / f64::from(manifest.players);
    let said = judges.len().min(SAID_MAX);
    let mut sentences: Vec<Sentence> =
        judges.iter().take(SAID_MAX).map(|judge| certainty(judge, said, even, tables)).collect();
    sentences
        .extend(judges.iter().take(SAID_MAX).filter_map(|judge| by_phase(judge, said, tables)));
    sentences.extend(best(judges, tables));
    let open = sentences.iter().any(|said| said.tone == Tone::Open);
    let next = if open { next::longer(study, manifest) } else { None };
    let next = next.map(|command| format!("Narrower intervals:\n  {command}"));
    let grid = if judges.len() > 1 { scores(tables) } else { bins(tables) };
    Answer { sentences, grid, next: next.into_iter().collect() }
}

fn score<'a>(tables: &'a [Table], judge: &str, phase: &str, metric: &str) -> Option<&'a Row> {
    table(tables, SCORES.name)?.find(&[judge, phase], metric)
}

/// 1 if a judge is surely too sure of itself, −1 if it is not sure enough, 0 if neither is shown; by an interval that
/// holds together with those of a family.
fn sign(row: Option<&Row>, family: usize) -> i32 {
    match row.and_then(|row| joint(row, family)?.interval) {
        Some((lo, _)) if lo > 0.0 => 1,
        Some((_, hi)) if hi < 0.0 => -1,
        _ => 0,
    }
}

/// Whether a judge, one of a number, is too sure, with the bin that shows it best.
fn certainty(judge: &str, judges: usize, even: f64, tables: &[Table]) -> Sentence {
    let over = score(tables, judge, "", "overconfidence");
    let by = over.map_or("–".to_owned(), |row| joint_cell(row, Unit::Difference, judges));
    let exponent = score(tables, judge, "", "exponent");
    let known = exponent.filter(|row| row.estimate.is_some_and(|of| !of.value.is_nan()));
    let fitting = known.map_or(String::new(), |row| {
        format!(" Chances to the power of {} fit best.", cell(Some(row), Unit::Number(2)))
    });
    let example = |sign: i32| {
        clearest(judge, even, tables, sign)
            .map_or(String::new(), |row| format!(": {}", in_words(row, tables)))
    };
    match sign(over, judges) {
        1 => {
            let text = format!("{judge} is overconfident by {by}{}.{fitting}", example(1));
            Sentence::new(Tone::No, text)
        }
        -1 => {
            let text =
                format!("{judge} is underconfident{}; overconfidence {by}.{fitting}", example(-1));
            Sentence::new(Tone::No, text)
        }
        _ if over.is_some_and(|row| row.estimate.is_some_and(|of| of.interval.is_none())) => {
            let text = format!(
                "Too few wins of seats with a low chance were seen to tell whether {judge} is over- or underconfident."
            );
            Sentence::new(Tone::Open, text)
        }
        _ => {
            let text = format!("{judge} is shown neither over- nor underconfident: {by}.{fitting}");
            Sentence::new(Tone::Open, text)
        }
    }
}

/// `where it says 80 to 85 %, 71.2 % (70.1 to 72.3) win`.
fn in_words(row: &Row, tables: &[Table]) -> String {
    let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
    let won = table(tables, RELIABILITY.name).and_then(|table| table.find(&keys, "win_rate"));
    format!("where it says {} to {} %, {} win", keys[2], keys[3], cell(won, Unit::Share))
}

/// Of the bins of a judge that are off in the way of a sign, the one that weighs most: above an even share chances
/// are too high if it is overconfident, below it too low. Bins above come first, since they are easier to read.
fn clearest<'a>(judge: &str, even: f64, tables: &'a [Table], sign: i32) -> Option<&'a Row> {
    let all = table(tables, RELIABILITY.name)?;
    let is_above = |row: &Row| {
        let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
        let said = all.find(&keys, "win_rate_predicted").and_then(|row| row.estimate);
        said.is_some_and(|said| said.value > even)
    };
    let fits = |row: &&Row| {
        let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
        let said = all.find(&keys, "win_rate_predicted").and_then(|row| row.estimate);
        let won = all.find(&keys, "win_rate").and_then(|row| joint(row, EDGES.len())?.interval);
        let Some((said, (lo, hi))) = said.zip(won) else { return false };
        if is_above(row) == (sign > 0) { hi < said.value } else { lo > said.value }
    };
    let of_judge = all.rows.iter().filter(|row| {
        row.metric == "win_rate_missed" && row.keys[0] == judge && row.keys[1].is_empty()
    });
    let weight = |row: &Row| row.estimate.map_or(0.0, |of| of.value.abs() * row.n as f64);
    of_judge
        .filter(fits)
        .max_by(|a, b| is_above(a).cmp(&is_above(b)).then(weight(a).total_cmp(&weight(b))))
}

/// In which quarters of the match a judge is too sure, and in which not sure enough.
fn by_phase(judge: &str, judges: usize, tables: &[Table]) -> Option<Sentence> {
    let family = judges * PHASES;
    let list = |wanted: i32| -> Vec<String> {
        let phases = (1..=PHASES).map(|phase| phase.to_string());
        let off = phases
            .filter(|phase| sign(score(tables, judge, phase, "overconfidence"), family) == wanted);
        let shown = off.map(|phase| {
            let over = score(tables, judge, &phase, "overconfidence").and_then(|row| row.estimate);
            format!(
                "{phase} ({})",
                over.map_or(String::new(), |of| figures::value(&of, Unit::Difference))
            )
        });
        shown.collect()
    };
    let said = |wanted: i32, word: &str| {
        let list = list(wanted);
        (!list.is_empty()).then(|| format!("{word} in {}", list.join(", ")))
    };
    let parts: Vec<String> =
        said(1, "overconfident").into_iter().chain(said(-1, "underconfident")).collect();
    let text = format!("By quarters of the match, {judge} is {}.", parts.join(", "));
    (!parts.is_empty()).then(|| Sentence::new(Tone::Plain, text))
}

/// Which judge loses least, and whether that is clear against all others; if not, against whom it is least so.
fn best(judges: &[String], tables: &[Table]) -> Option<Sentence> {
    let loss = |judge: &String| -> Option<f64> {
        Some(score(tables, judge, "", "log_loss")?.estimate?.value)
    };
    let mut ranked: Vec<(&String, f64)> =
        judges.iter().filter_map(|judge| Some((judge, loss(judge)?))).collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (&(first, least), others) = ranked.split_first()?;
    let all = table(tables, JUDGES.name)?;
    let find = |one: &str, other: &str| all.find(&[one, other, ""], "log_loss_difference");
    let against = |&(other, loss): &(&String, f64)| {
        let row = find(first, other).or_else(|| find(other, first))?;
        let (by, se) = (figures::fixed(loss - least, 4), figures::fixed(strength(row), 1));
        Some((row, format!("{by} below that of {other}, {se} standard errors")))
    };
    let seen: Option<Vec<(&Row, String)>> = others.iter().map(against).collect();
    let seen = seen.filter(|seen| !seen.is_empty())?;
    let open = seen.iter().filter(|(row, _)| !is_clear(row, 1));
    let open = open.min_by(|a, b| strength(a.0).total_cmp(&strength(b.0)));
    Some(if let Some((_, by)) = open {
        let text = format!("Undecided who predicts winners best: the log loss of {first} is {by}.");
        Sentence::new(Tone::Open, text)
    } else {
        let text = format!("{first} predicts winners best: its log loss is {}.", seen[0].1);
        Sentence::new(Tone::Yes, text)
    })
}

/// The scores of each judge.
fn scores(tables: &[Table]) -> Grid {
    let rows = table(tables, SCORES.name).map_or(&[][..], |table| &table.rows);
    let judges = rows.iter().filter(|row| row.metric == "log_loss" && row.keys[1].is_empty());
    let cells = |row: &Row| {
        let judge = row.keys[0].as_str();
        let find = |metric| score(tables, judge, "", metric);
        vec![
            judge.to_owned(),
            cell(Some(row), Unit::Number(4)),
            cell(find("exponent"), Unit::Number(2)),
            cell(find("overconfidence"), Unit::Difference),
        ]
    };
    Grid {
        title: "Judges".to_owned(),
        header: header(&["judge", "log loss (95 %)", "best exponent", "overconfidence"]),
        rows: judges.take(ROWS_MAX).map(cells).collect(),
    }
}

/// Bins of the match as a whole, evenly chosen among those with chances.
fn bins(tables: &[Table]) -> Grid {
    let rows: Vec<Vec<String>> = bin_rows(tables, |row| row.keys[1].is_empty());
    let rows: Vec<Vec<String>> = rows.into_iter().map(|cells| cells[2..].to_vec()).collect();
    let last = rows.len().saturating_sub(1);
    let wanted = |at: &usize| {
        rows.len() <= ROWS_MAX || (0..ROWS_MAX).any(|of| of * last / (ROWS_MAX - 1) == *at)
    };
    let rows = (0..rows.len()).filter(wanted).map(|at| rows[at].clone()).collect();
    Grid {
        title: "Chances and results".to_owned(),
        header: header(&["chance given", "mean", "won (95 %)", "chances"]),
        rows,
    }
}

/// All bins with chances.
pub fn full_grid(tables: &[Table]) -> Grid {
    Grid {
        title: RELIABILITY.name.to_owned(),
        header: header(&["judge", "phase", "chance given", "mean", "won (95 %)", "chances"]),
        rows: bin_rows(tables, |_| true),
    }
}

/// Judge, phase, chances, their mean, win rate and number, for bins with chances.
fn bin_rows(tables: &[Table], wanted: impl Fn(&Row) -> bool) -> Vec<Vec<String>> {
    let Some(all) = table(tables, RELIABILITY.name) else { return Vec::new() };
    let rows = all.rows.iter().filter(|row| row.metric == "win_rate" && row.n > 0 && wanted(row));
    let cells = |row: &Row| {
        let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
        let said = all.find(&keys, "win_rate_predicted").and_then(|row| row.estimate);
        let mean = said.map_or(String::new(), |of| figures::value(&of, Unit::Share));
        vec![
            row.keys[0].clone(),
            row.keys[1].clone(),
            format!("{}–{} %", keys[2], keys[3]),
            mean,
            cell(Some(row), Unit::Share),
            grouped(row.n),
        ]
    };
    rows.map(cells).collect()
}
