//! `compare` of agents: who is stronger, by how much, and what the test says.

use crate::lab::report::answer::simulate::negative;
use crate::lab::report::answer::{Answer, Sentence, Tone, header, more, next, table};
use crate::lab::report::figures::{self, Unit, cell};
use crate::lab::report::manifest::{Manifest, Question};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::stats::jackknife::{Estimate, Method};

/// The row of the difference.
const DIFFERENCE: &str = "A - B";

pub(super) fn answer(manifest: &Manifest, tables: &[Table]) -> Answer {
    let names = manifest.agent_names();
    let compare = table(tables, "compare");
    let find = |agent: &str, metric: &str| compare.and_then(|table| table.find(&[agent], metric));
    let difference = find(DIFFERENCE, "win_difference");
    let verdict = difference.map_or("", |row| more(row, 2));
    let estimate = difference.and_then(|row| row.estimate);
    let tested = tested(manifest, verdict);
    let first = match estimate {
        Some(_) if manifest.same_agents() => same(&names),
        _ => stronger(&names, estimate, verdict, tested),
    };
    let mut sentences = vec![first];
    if tested == Tested::Stronger {
        let text = "The estimate is biased, since runs stop when luck helps one side; the interval \
                    holds all the same.";
        sentences.push(Sentence::new(Tone::Plain, text));
    }
    // If the difference says nothing, neither does its transform.
    let known = estimate.filter(|estimate| {
        estimate.method == Method::Fixed || figures::interval(estimate, Unit::Difference).is_some()
    });
    let elo = known.and_then(|_| find(DIFFERENCE, "elo"));
    let row = |what: String, row: Option<&Row>, unit: Unit| vec![what, cell(row, unit)];
    let grid = Grid {
        title: "Agents".to_owned(),
        header: header(&["", "estimate (95 %)"]),
        rows: vec![
            row(format!("A wins ({})", names[0]), find("A", "win_share"), Unit::Share),
            row(format!("B wins ({})", names[1]), find("B", "win_share"), Unit::Share),
            row("A less B".to_owned(), difference, Unit::Difference),
            row("the same in Elo".to_owned(), elo, Unit::Number(0)),
        ],
    };
    let open = sentences[0].tone == Tone::Open;
    let next = if open { next::longer(manifest) } else { None };
    let next = next.map(|command| format!("To see a smaller difference:\n  {command}"));
    Answer { sentences, grid, next: next.into_iter().collect() }
}

/// What the test has decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tested {
    /// Who is stronger.
    Stronger,
    /// Something else, such as that A is not stronger by so much.
    Otherwise,
    /// Nothing, or the run did not stop by the test.
    Nothing,
}

/// The test says who is stronger only if the hypothesis that it rejects has 0 on its side; else a verdict
/// of that kind is the interval's.
fn tested(manifest: &Manifest, verdict: &str) -> Tested {
    match manifest.question {
        _ if manifest.played.stopped.is_none() => Tested::Nothing,
        Question::Duel { difference0, difference1, until: None, .. } => {
            let a = verdict.starts_with("A is stronger") && difference0 >= 0.0;
            let b = verdict.starts_with("B is stronger") && difference1 <= 0.0;
            if a || b { Tested::Stronger } else { Tested::Otherwise }
        }
        _ => Tested::Nothing,
    }
}

/// One agent under two names, or twice.
fn same(names: &[String]) -> Sentence {
    let text = if names[0] == names[1] {
        format!("A and B are the same agent ({}): every difference is 0 by design.", names[0])
    } else {
        let names = format!("A ({}) and B ({})", names[0], names[1]);
        format!("{names} are the same agent: every difference is 0 by design.")
    };
    Sentence::new(Tone::Plain, text)
}

/// Who is stronger, if the interval says so; else what the test says, which may decide before the interval.
fn stronger(
    names: &[String],
    difference: Option<Estimate>,
    verdict: &str,
    tested: Tested,
) -> Sentence {
    const UNIT: Unit = Unit::Difference;
    let Some(estimate) = difference else {
        return Sentence::new(Tone::Open, "Undecided: no block was played.");
    };
    let by_what = if tested == Tested::Stronger { "" } else { "The interval excludes 0: " };
    let words = |winner: (&str, &str), loser: (&str, &str), by: &Estimate| {
        let ((letter, name), (other, weaker)) = (winner, loser);
        let by = figures::with_interval(Some(by), UNIT);
        format!("{by_what}{letter} ({name}) is stronger than {other} ({weaker}) by {by}.")
    };
    let (a, b) = (("A", names[0].as_str()), ("B", names[1].as_str()));
    match estimate.interval {
        Some((lo, _)) if lo > 0.0 => Sentence::new(Tone::Yes, words(a, b, &estimate)),
        Some((_, hi)) if hi < 0.0 => Sentence::new(Tone::No, words(b, a, &negative(&estimate))),
        _ => {
            let by = figures::with_interval(Some(&estimate), UNIT);
            let (a, b) = (a.1, b.1);
            if tested != Tested::Nothing {
                let text = format!("By the test, {verdict}: A ({a}) less B ({b}) is {by}.");
                return Sentence::new(Tone::Plain, text);
            }
            let text = format!("Undecided who is stronger: A ({a}) less B ({b}) is {by}.");
            Sentence::new(Tone::Open, text)
        }
    }
}
