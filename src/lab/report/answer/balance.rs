//! `balance`: whether options are balanced, and which are not; which fields matter beyond the margin.

use crate::lab::report::answer::{
    Answer, ROWS_MAX, Sentence, Tone, header, is_clear, measure, more, next, strength, table, unit,
};
use crate::lab::report::figures::{self, Unit, cell};
use crate::lab::report::manifest::{Factor, Manifest, Question};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};

/// The most effects of factors; names of interactions take two lines.
const FACTORS_MAX: usize = 8;

/// The gist of a verdict: its first word.
fn tone(verdict: &str) -> Tone {
    match verdict.split([' ', ':']).next() {
        Some("balanced") => Tone::Yes,
        Some("unbalanced") => Tone::No,
        _ => Tone::Open,
    }
}

/// A choice: a sentence for each verdict, then the options with their effects.
pub(super) fn choice(manifest: &Manifest, tables: &[Table], margin: f64) -> Answer {
    let verdicts = table(tables, "verdicts").map_or(&[][..], |table| &table.rows);
    let levels = manifest.agents.len();
    // Those of single options, and of single levels of several, are left to the tables.
    let said = |row: &&Row| row.keys[2].is_empty() && (levels == 1 || row.keys[0] == "all");
    let joint = verdicts.iter().filter(said);
    let mut sentences: Vec<Sentence> =
        joint.map(|row| of_verdict(row, tables, levels, margin)).collect();
    sentences.sort_by_key(|sentence| matches!(sentence.tone, Tone::Open));
    sentences.dedup_by(|one, other| one.text == other.text);
    let open = sentences.is_empty() || sentences.iter().any(|said| said.tone == Tone::Open);
    let unbalanced = sentences.iter().any(|said| said.tone == Tone::No);
    if levels > 1 && !sentences.is_empty() {
        let text = "By level of play, and by option: --full.".to_owned();
        sentences.push(Sentence::new(Tone::Plain, text));
    }
    if sentences.is_empty() {
        sentences.push(Sentence::new(Tone::Open, "No verdict: no match came to the choice."));
    }
    let grid = options(tables, levels);
    let grid = if grid.rows.is_empty() { removed(tables, levels) } else { grid };
    let longer = if open { next::longer(manifest) } else { None };
    let mut next: Vec<String> =
        longer.into_iter().map(|command| format!("Play on:\n  {command}")).collect();
    if unbalanced {
        let fields = format!("fairhaven rules {} lists the fields", manifest.game);
        let change = next::with(manifest, "--set", "FIELD=VALUE");
        next.extend(change.map(|command| format!("Try a change ({fields}):\n  {command}")));
    }
    Answer { sentences, grid, next }
}

/// One line of the verdicts: the options outside the margin, or the largest effect.
fn of_verdict(row: &Row, tables: &[Table], levels: usize, margin: f64) -> Sentence {
    let (level, estimand, largest) = (&row.keys[0], &row.keys[1], &row.keys[3]);
    let verdict = more(row, 2);
    let margin = figures::fixed(margin * 100.0, 2);
    let margin = margin.trim_end_matches('0').trim_end_matches('.');
    let place = match level.as_str() {
        "all" => format!("{estimand}, all levels"),
        level if levels > 1 => format!("{estimand}, {level}"),
        _ => estimand.clone(),
    };
    let largest = format!("{largest} {}", cell(Some(row), Unit::Difference));
    let what = match row.metric {
        "largest_difference" => "difference between two options",
        _ => "effect",
    };
    let text = match tone(verdict) {
        Tone::Yes => {
            format!("Balanced within {margin} pp ({place}): the largest {what} is {largest}.")
        }
        Tone::No if row.metric == "largest_difference" => {
            format!("Two options differ by more than {margin} pp ({place}): {largest}.")
        }
        Tone::No if level == "all" => format!("{} ({estimand}): {largest}.", upper(verdict)),
        Tone::No => {
            let outside = outside(tables, level, estimand);
            let all = if outside.is_empty() { largest } else { outside.join(", ") };
            format!("Not balanced within {margin} pp ({place}): {all}.")
        }
        _ if verdict.starts_with("withheld") => {
            format!("{} ({place}): read the restricted verdict.", upper(verdict))
        }
        _ => format!("{} ({place}); the largest {what} is {largest}.", upper(verdict)),
    };
    Sentence::new(tone(verdict), text)
}

/// The text with a capital letter.
fn upper(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// The options, or variants, whose own verdict is that they are unbalanced.
fn outside(tables: &[Table], level: &str, estimand: &str) -> Vec<String> {
    let of = |row: &Row, name: &str| format!("{name} {}", cell(Some(row), Unit::Difference));
    let judged = |row: &&Row| row.keys[0] == level && tone(more(row, 2)) == Tone::No;
    let rows = |name| table(tables, name).map_or(&[][..], |table| &table.rows);
    let choices = rows("choices").iter().filter(judged);
    let forced = choices.filter(|_| estimand == "forced");
    let restricted = rows("restricted").iter().filter(judged).filter(|_| estimand == "restricted");
    let options = forced.chain(restricted).filter(|row| row.metric == "effect");
    let options = options.map(|row| of(row, &row.keys[1]));
    let effects = rows("effects").iter().filter(judged).filter(|row| row.keys[1] == estimand);
    let others = effects.map(|row| of(row, &format!("{}, {}", row.keys[2], row.keys[3])));
    options.chain(others).take(ROWS_MAX / 2).collect()
}

/// The options with their effects, forced and as the only one.
fn options(tables: &[Table], levels: usize) -> Grid {
    let mut rows = Vec::new();
    for (name, estimand) in [("choices", "forced"), ("restricted", "restricted")] {
        let table = table(tables, name).map_or(&[][..], |table| &table.rows);
        for row in table.iter().filter(|row| row.metric == "effect") {
            let mut cells = vec![row.keys[1].clone(), estimand.to_owned()];
            if levels > 1 {
                cells.push(row.keys[0].clone());
            }
            let verdict = more(row, 2).split([' ', ':']).next().unwrap_or_default();
            let by = judged_by(row).filter(|_| levels == 1 && verdict != "withheld");
            cells.extend([
                cell(Some(row), Unit::Difference),
                verdict.to_owned() + &by.unwrap_or_default(),
            ]);
            rows.push(cells);
        }
    }
    rows.truncate(2 * ROWS_MAX);
    let words: &[&str] = if levels > 1 {
        &["option", "estimand", "level", "effect (95 %)", "verdict"]
    } else {
        &["option", "estimand", "effect (95 %)", "verdict"]
    };
    Grid { title: "Options".to_owned(), header: header(words), rows }
}

/// The options that were taken out of the rules, each with its largest effect on the win rate of a seat.
fn removed(tables: &[Table], levels: usize) -> Grid {
    let effects = table(tables, "effects").map_or(&[][..], |table| &table.rows);
    let size = |row: &Row| row.estimate.map_or(0.0, |estimate| estimate.value.abs());
    let mut largest: Vec<&Row> = Vec::new();
    for row in effects.iter().filter(|row| !more(row, 2).is_empty()) {
        match largest
            .iter_mut()
            .find(|other| other.keys[0] == row.keys[0] && other.keys[2] == row.keys[2])
        {
            Some(other) if size(row) > size(other) => *other = row,
            Some(_) => {}
            None => largest.push(row),
        }
    }
    let cells = |row: &&Row| {
        let verdict = more(row, 2).split([' ', ':']).next().unwrap_or_default();
        let level = (levels > 1).then(|| row.keys[0].clone());
        let shown = [row.keys[3].clone(), cell(Some(row), Unit::Difference), verdict.to_owned()];
        [row.keys[2].clone()].into_iter().chain(level).chain(shown).collect()
    };
    let words: &[&str] = if levels > 1 {
        &["rules", "level", "win rate of", "largest effect (95 %)", "verdict"]
    } else {
        &["rules", "win rate of", "largest effect (95 %)", "verdict"]
    };
    let rows = largest.iter().take(2 * ROWS_MAX).map(cells).collect();
    Grid { title: "Options".to_owned(), header: header(words), rows }
}

/// The interval that a verdict was given by, in percentage points, where it is another than the row's.
fn judged_by(row: &Row) -> Option<String> {
    let number = |column| more(row, column).parse::<f64>().ok();
    let (lo, hi, level) = (number(3)?, number(4)?, number(5)?);
    let shown = |share: f64| figures::fixed(100.0 * share, 1);
    Some(format!(" ({} %: {} to {})", libm::round(100.0 * level), shown(lo), shown(hi)))
}

/// Which value of a field is less which: the second that was named less the first.
fn values(manifest: &Manifest) -> Option<Sentence> {
    let Question::Factorial { factors, .. } = &manifest.question else { return None };
    let of = |factor: &Factor| format!("{} {} less {}", factor.field, factor.high, factor.low);
    let of: Vec<String> = factors.iter().map(of).collect();
    let text = format!("An effect is that of the second value less the first: {}.", of.join(", "));
    Some(Sentence::new(Tone::Plain, text))
}

/// Fields: those with an effect beyond the margin, then those that are clear.
pub(super) fn factors(manifest: &Manifest, tables: &[Table], margin: f64) -> Answer {
    let rows = table(tables, "factors").map_or(&[][..], |table| &table.rows);
    let margin = figures::fixed(margin * 100.0, 2);
    let margin = margin.trim_end_matches('0').trim_end_matches('.');
    let mut known: Vec<&Row> = rows.iter().filter(|row| row.estimate.is_some()).collect();
    known.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let judged = known.iter().filter(|row| !more(row, 2).is_empty());
    let count = |wanted| judged.clone().filter(|row| tone(more(row, 2)) == wanted).count();
    let (all, outside, open) = (judged.clone().count(), count(Tone::No), count(Tone::Open));
    let words = |row: &&&Row| {
        let effect = cell(Some(row), unit(row.metric, true));
        format!("{}: {} {effect}", row.keys[1], measure(row.metric, &row.keys[2]))
    };
    let named = |wanted: Tone| -> Vec<String> {
        let of =
            known.iter().filter(|row| tone(more(row, 2)) == wanted && !more(row, 2).is_empty());
        of.take(3).map(|row| words(&row)).collect()
    };
    let first = match (outside, open) {
        (0, 0) => {
            let text = format!("All {all} effects on win rates lie within {margin} pp.");
            Sentence::new(Tone::Yes, text)
        }
        (0, _) => {
            let text = format!("Undecided: {open} of {all} effects on win rates at {margin} pp.");
            Sentence::new(Tone::Open, text)
        }
        _ => {
            let named = named(Tone::No).join("; ");
            let text = format!(
                "{outside} of {all} effects on win rates lie beyond {margin} pp, {open} are undecided: \
                 {named}."
            );
            Sentence::new(Tone::No, text)
        }
    };
    let clear = known.iter().filter(|row| is_clear(row)).count();
    let (are, all) = (if clear == 1 { "is" } else { "are" }, known.len());
    let text = format!("Of all {all} effects, {clear} {are} clear (5 %, adjusted).");
    let mut sentences = vec![first, Sentence::new(Tone::Plain, text)];
    sentences.extend(values(manifest));
    let cells = |row: &&Row| {
        vec![
            row.keys[1].clone(),
            measure(row.metric, &row.keys[2]),
            cell(Some(row), unit(row.metric, true)),
            more(row, 1).to_owned(),
        ]
    };
    let grid = Grid {
        title: format!("The {} strongest effects", known.len().min(FACTORS_MAX)),
        header: header(&["factor", "measure", "second less first (95 %)", "p (Holm)"]),
        rows: known.iter().take(FACTORS_MAX).map(cells).collect(),
    };
    let next = if open > 0 { next::longer(manifest) } else { None };
    let next = next.map(|command| format!("Play on:\n  {command}"));
    Answer { sentences, grid, next: next.into_iter().collect() }
}
