//! One line for each level of play and estimand: the largest effect, and what is to be said of all of
//! them together.

use crate::report::described::VERDICTS;
use crate::report::table::COMPARISON;
use crate::report::table::Row;
use crate::report::table::Table;
use crate::stats::verdict::Verdict;
use crate::studies::forced;
use crate::studies::paired;
use crate::studies::reading::Judged;

/// What is to be said of several effects: they are balanced if each is, and unbalanced if one is. Until
/// then, the first that lies outside of the margin settles it; if none does, the last.
pub fn overall(judged: &[Judged], margin: f64) -> Option<Verdict> {
    if judged.iter().any(|(_, _, verdict)| *verdict == Verdict::Unbalanced) {
        return Some(Verdict::Unbalanced);
    }
    let undecided = |outside: bool| {
        judged.iter().filter_map(move |(_, effect, verdict)| match verdict {
            Verdict::Undecided { more_blocks } => {
                (outside == (effect.value.abs() >= margin)).then_some(*more_blocks)
            }
            _ => None,
        })
    };
    let first = undecided(true).reduce(f64::min);
    let settled = first.or_else(|| undecided(false).reduce(f64::max));
    let verdict =
        settled.map_or(Verdict::Balanced, |more| Verdict::Undecided { more_blocks: more });
    (!judged.is_empty()).then_some(verdict)
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
        let rests_on = (section.blocks_of(section.positions()), section.positions());
        rows.extend(row((&section.level, "forced"), section.judged_effects(), margin, rests_on));
    }
    for section in paired {
        let n = section.reading.sum(section.count.matches(0));
        let of = (section.level.as_str(), section.estimand);
        rows.extend(row(of, section.judged_effects(), margin, (blocks, n)));
    }
    Table { name: VERDICTS.0, keys: VERDICTS.1, more: &COMPARISON, blocks, rows }
}

fn row(
    (level, estimand): (&str, &str),
    judged: Vec<Judged>,
    margin: f64,
    (blocks, n): (u64, u64),
) -> Option<Row> {
    let verdict = overall(&judged, margin)?;
    let size = |judged: &Judged| judged.1.value.abs();
    let largest = judged.into_iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let more = vec![String::new(), String::new(), verdict.describe(margin)];
    let keys = vec![level.to_owned(), estimand.to_owned(), largest.0];
    Some(Row { keys, metric: "largest_effect", estimate: Some(largest.1), blocks, n, more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::jackknife::Estimate;
    use crate::stats::jackknife::Method;

    #[test]
    fn one_unbalanced_option_is_enough_and_one_balanced_is_not() {
        let judged = |value: f64, verdict| -> Judged {
            let effect = Estimate { value, se: None, interval: None, method: Method::None };
            (String::new(), effect, verdict)
        };
        let undecided = |value, more_blocks| judged(value, Verdict::Undecided { more_blocks });
        let all = |of: &[Judged]| overall(of, 0.01);
        let (balanced, unbalanced) =
            (judged(0.0, Verdict::Balanced), judged(0.03, Verdict::Unbalanced));
        assert_eq!(all(&[]), None);
        assert_eq!(all(&[balanced.clone(), balanced.clone()]), Some(Verdict::Balanced));
        assert_eq!(all(&[undecided(0.02, 5.0), unbalanced]), Some(Verdict::Unbalanced));
        let said = |more_blocks| Some(Verdict::Undecided { more_blocks });
        // All must be shown to lie inside: the slowest counts.
        assert_eq!(all(&[balanced, undecided(0.005, 5.0), undecided(-0.002, 7.0)]), said(7.0));
        // One that lies outside decides it alone: the quickest of these counts.
        let mixed = [undecided(0.009, 1e6), undecided(-0.03, 40.0), undecided(0.02, 90.0)];
        assert_eq!(all(&mixed), said(40.0));
    }
}
