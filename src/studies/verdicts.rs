//! One line for each level of play and estimand: the largest effect, and what is to be said of all of
//! them together.

use crate::report::described::VERDICTS;
use crate::report::table::COMPARISON;
use crate::report::table::Row;
use crate::report::table::Table;
use crate::stats::jackknife::Estimate;
use crate::stats::verdict::Verdict;
use crate::studies::forced;
use crate::studies::paired;

/// An effect with what it is of, and what is to be said of it.
pub type Judged = (String, Estimate, Verdict);

/// What is to be said of several effects: they are balanced if each is, and unbalanced if one is.
pub fn overall(verdicts: impl Iterator<Item = Verdict>) -> Option<Verdict> {
    let worse = |one: Verdict, other: Verdict| match (one, other) {
        (Verdict::Unbalanced, _) | (_, Verdict::Unbalanced) => Verdict::Unbalanced,
        (Verdict::Undecided { more_blocks: a }, Verdict::Undecided { more_blocks: b }) => {
            Verdict::Undecided { more_blocks: a.max(b) }
        }
        (undecided @ Verdict::Undecided { .. }, _) | (_, undecided) => undecided,
    };
    verdicts.reduce(worse)
}

/// The table of some sections.
pub fn table(
    forced: &[forced::Section<'_>],
    paired: &[paired::Section<'_>],
    margin: f64,
    blocks: u64,
) -> Table {
    let mut rows = Vec::new();
    for section in forced {
        let n = section.positions();
        rows.extend(row(&section.level, "forced", section.judged_effects(), margin, n));
    }
    for section in paired {
        let n = section.reading.sum(section.count.matches(0));
        rows.extend(row(&section.level, section.estimand, section.judged_effects(), margin, n));
    }
    Table { name: VERDICTS.0, keys: VERDICTS.1, more: &COMPARISON, blocks, rows }
}

fn row(level: &str, estimand: &str, judged: Vec<Judged>, margin: f64, n: u64) -> Option<Row> {
    let verdict = overall(judged.iter().map(|(_, _, verdict)| *verdict))?;
    let size = |judged: &Judged| judged.1.value.abs();
    let largest = judged.into_iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let more = vec![String::new(), String::new(), verdict.describe(margin)];
    let keys = vec![level.to_owned(), estimand.to_owned(), largest.0];
    Some(Row { keys, metric: "largest_effect", estimate: Some(largest.1), n, more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unbalanced_option_is_enough_and_one_balanced_is_not() {
        let undecided = |more_blocks| Verdict::Undecided { more_blocks };
        let all = |verdicts: &[Verdict]| overall(verdicts.iter().copied());
        assert_eq!(all(&[]), None);
        assert_eq!(all(&[Verdict::Balanced, Verdict::Balanced]), Some(Verdict::Balanced));
        assert_eq!(all(&[undecided(5.0), Verdict::Unbalanced]), Some(Verdict::Unbalanced));
        assert_eq!(all(&[Verdict::Balanced, undecided(5.0), undecided(7.0)]), Some(undecided(7.0)));
    }
}
