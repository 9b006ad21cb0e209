//! The answer of a study of a choice: for each level of play and estimand the largest effect, the largest
//! difference between two options, and what is to be said of all options together; then what holds at all
//! levels.

use crate::lab::questions::studies::estimator::Judged;
use crate::lab::questions::studies::{forced, paired, restricted};
use crate::lab::report::comparison::{Comparison, Finding};
use crate::lab::report::described::{TableSchema, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{JUDGED, More, Row, Table};
use crate::stats::verdict::{Outlook, Verdict};

/// The verdict on a choice.
pub const VERDICTS: TableSchema = TableSchema {
    name: "verdicts",
    keys: &[
        text("level", "who plays; `all` for what holds at all levels together"),
        text("estimand", "forced, removed or restricted"),
        text("option", "the option that the verdict is of; empty: all of them"),
        text("largest", "where the figure is largest: an option, a variant and a seat, a level"),
    ],
    more: &JUDGED,
    metrics: &[
        Metric::difference("largest_effect", "the effect on a win rate that is largest in size"),
        Metric::difference(
            "largest_difference",
            "win rate with the best option minus that with the worst",
        ),
    ],
};

/// The level of rows that hold at all levels together.
const ALL: &str = "all";

/// The verdict on several effects: they are balanced if each is, and unbalanced if one is. Until
/// then, the first one outside the margin settles it; if there is none, the last.
pub fn overall(verdicts: &[Verdict]) -> Option<Verdict> {
    let any = |wanted: fn(&Verdict) -> bool| verdicts.iter().copied().find(wanted);
    if let Some(unbalanced) = any(|verdict| *verdict == Verdict::Unbalanced) {
        return Some(unbalanced);
    }
    if let Some(withheld) = any(|verdict| matches!(verdict, Verdict::Withheld { .. })) {
        return Some(withheld);
    }
    let undecided = || {
        verdicts.iter().filter_map(|verdict| match verdict {
            Verdict::Undecided(outlook) => Some(*outlook),
            _ => None,
        })
    };
    let outside = undecided().filter_map(|outlook| match outlook {
        Outlook::Outside(more) => Some(more),
        _ => None,
    });
    if let Some(first) = outside.reduce(f64::min) {
        return Some(Verdict::Undecided(Outlook::Outside(first)));
    }
    let last = undecided().max_by(|a, b| a.rank().total_cmp(&b.rank()));
    (!verdicts.is_empty()).then(|| last.map_or(Verdict::Balanced, Verdict::Undecided))
}

/// The effects of one estimand at one level of play.
enum Source<'s> {
    Forced(&'s forced::ForcedEffects<'s>),
    Restricted(&'s restricted::RestrictedEffects<'s>),
    Removed(&'s paired::PairedEffects<'s>),
}

impl Source<'_> {
    fn level(&self) -> &str {
        match self {
            Source::Forced(section) => &section.level,
            Source::Restricted(section) => &section.level,
            Source::Removed(section) => &section.level,
        }
    }

    fn estimand(&self) -> &'static str {
        match self {
            Source::Forced(_) => "forced",
            Source::Restricted(_) => "restricted",
            Source::Removed(section) => section.estimand,
        }
    }

    /// The options that are judged one by one over all levels; none where an effect is of a seat.
    fn options(&self) -> &[String] {
        match self {
            Source::Forced(section) => &section.options,
            Source::Restricted(section) => &section.options,
            Source::Removed(_) => &[],
        }
    }

    /// How many effects there are.
    fn family(&self) -> usize {
        match self {
            Source::Forced(section) => section.options.len(),
            Source::Restricted(section) => section.options.len(),
            Source::Removed(section) => section.family(),
        }
    }

    /// The effects, each judged as one of `family`.
    fn judged(&self, family: usize) -> Vec<Judged> {
        match self {
            Source::Forced(section) => section.rates().judged_effects(family),
            Source::Restricted(section) => section.rates().judged_effects(family),
            Source::Removed(section) => section.judged_effects(family),
        }
    }

    fn largest_difference(&self) -> Option<Judged> {
        match self {
            Source::Forced(section) => section.rates().largest_difference(),
            Source::Restricted(section) => section.rates().largest_difference(),
            Source::Removed(_) => None,
        }
    }

    /// Blocks and things that an effect rests on.
    fn rests_on(&self) -> (u64, u64) {
        match self {
            Source::Forced(section) => {
                (section.blocks_of(section.positions()), section.positions())
            }
            Source::Restricted(section) => (section.estimator.grouped.blocks(), section.matches(0)),
            Source::Removed(section) => {
                let matches = section.estimator.sum(section.count.matches(0));
                (section.estimator.grouped.blocks(), matches)
            }
        }
    }

    fn row(
        &self,
        level: &str,
        option: &str,
        metric: &'static str,
        of: &Judged,
        finding: Finding,
    ) -> Row {
        let finding = Some(finding);
        let more = More::Comparison(Comparison { finding, ..of.judgement.comparison() });
        let keys = [level, self.estimand(), option, &of.what].map(str::to_owned).to_vec();
        let (blocks, n) = self.rests_on();
        Row { keys, metric, estimate: Some(of.effect), blocks, n, more }
    }

    /// The rows of one level.
    fn rows(&self) -> Vec<Row> {
        let judged = self.judged(self.family());
        let verdicts: Vec<Verdict> = judged.iter().map(|of| of.judgement.verdict).collect();
        let mut rows = Vec::new();
        if let (Some(verdict), Some(largest)) = (overall(&verdicts), largest(judged)) {
            let finding = Finding::Margin(verdict, largest.judgement.margin);
            rows.push(self.row(self.level(), "", "largest_effect", &largest, finding));
        }
        if let Some(difference) = self.largest_difference() {
            let finding =
                Finding::Margin(difference.judgement.verdict, difference.judgement.margin);
            rows.push(self.row(self.level(), "", "largest_difference", &difference, finding));
        }
        rows
    }
}

fn largest(judged: Vec<Judged>) -> Option<Judged> {
    let size = |judged: &Judged| judged.effect.value.abs();
    judged.into_iter().max_by(|a, b| size(a).total_cmp(&size(b)))
}

/// What holds at all levels together, of all options or of one: all effects at all levels are one family.
fn joint(sources: &[&Source<'_>], option: &str) -> Option<Row> {
    let family = sources.iter().map(|source| source.family()).sum();
    let mut all = Vec::new();
    for source in sources {
        let judged = source.judged(family).into_iter();
        let wanted = judged.filter(|of| option.is_empty() || of.what == option);
        all.extend(wanted.map(|of| (*source, of)));
    }
    let verdicts: Vec<Verdict> = all.iter().map(|(_, of)| of.judgement.verdict).collect();
    let verdict = overall(&verdicts)?;
    let mut levels: Vec<&str> = Vec::new();
    for (source, of) in &all {
        if of.judgement.verdict == Verdict::Unbalanced && levels.last() != Some(&source.level()) {
            levels.push(source.level());
        }
    }
    let size = |of: &(&Source<'_>, Judged)| of.1.effect.value.abs();
    let (source, largest) = all.iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let finding = match verdict {
        Verdict::Unbalanced if levels.len() == sources.len() => Finding::UnbalancedAt(Vec::new()),
        Verdict::Unbalanced => {
            Finding::UnbalancedAt(levels.into_iter().map(str::to_owned).collect())
        }
        verdict => Finding::Margin(verdict, largest.judgement.margin),
    };
    let what = format!("{}, {}", largest.what, source.level());
    let largest = Judged { what, ..largest.clone() };
    Some(source.row(ALL, option, "largest_effect", &largest, finding))
}

/// The table of some sections.
pub fn table(
    forced: &[forced::ForcedEffects<'_>],
    restricted: &[restricted::RestrictedEffects<'_>],
    removed: &[paired::PairedEffects<'_>],
    blocks: u64,
) -> Table {
    let mut rows = Vec::new();
    let estimands: [Vec<Source<'_>>; 3] = [
        forced.iter().map(Source::Forced).collect(),
        restricted.iter().map(Source::Restricted).collect(),
        removed.iter().map(Source::Removed).collect(),
    ];
    for sources in &estimands {
        rows.extend(sources.iter().flat_map(Source::rows));
    }
    for sources in estimands.iter().filter(|sources| sources.len() > 1) {
        let sources: Vec<&Source<'_>> = sources.iter().collect();
        rows.extend(joint(&sources, ""));
        let options = sources[0].options();
        rows.extend(options.iter().filter_map(|option| joint(&sources, option)));
    }
    VERDICTS.table(blocks, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unbalanced_option_is_enough_and_one_balanced_is_not() {
        let (balanced, unbalanced) = (Verdict::Balanced, Verdict::Unbalanced);
        let inside = |more| Verdict::Undecided(Outlook::Inside(more));
        let outside = |more| Verdict::Undecided(Outlook::Outside(more));
        let [near, wide] = [Outlook::Near, Outlook::Wide].map(Verdict::Undecided);
        let withheld = Verdict::Withheld { closed: 0.4 };
        for (verdicts, expected) in [
            (&[][..], None),
            (&[balanced, balanced], Some(balanced)),
            (&[outside(5.0), unbalanced], Some(unbalanced)),
            (&[withheld, unbalanced], Some(unbalanced)),
            (&[withheld, balanced], Some(withheld)),
            // All must be shown to be inside: the slowest one counts.
            (&[balanced, inside(5.0), inside(7.0)], Some(inside(7.0))),
            (&[near, inside(5.0)], Some(near)),
            (&[near, wide], Some(wide)),
            // One that is outside decides it alone: the quickest of these counts.
            (&[inside(1e6), outside(40.0), outside(90.0), near], Some(outside(40.0))),
        ] {
            assert_eq!(overall(verdicts), expected, "{verdicts:?}");
        }
    }
}
