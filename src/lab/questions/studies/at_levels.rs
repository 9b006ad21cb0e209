//! Does what is found at one level of play hold at others? One sentence for all answers that have several levels: what
//! holds at all of them, of what the sign differs, and where something is undecided.

use crate::lab::questions::studies::estimator::ALPHA;
use crate::lab::questions::studies::joint::joint;
use crate::lab::questions::studies::next;
use crate::lab::report::answer::{Sentence, Tone, strength};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::table::{More, Row};
use crate::sim::guests::seating;
use crate::words::lists::listed;

/// The most levels of play beside a run's own agents.
pub const LEVELS_MAX: usize = 8;

/// The most findings that the sentence names.
const NAMED: usize = 3;

/// What one level of play says of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is clearly above 0, or above a margin.
    Above,
    /// It is clearly below.
    Below,
    /// It is clearly within the margin.
    Within,
    /// Neither.
    Open,
}

impl Standing {
    /// By an interval that holds together with those of all levels, and a margin, which may be 0.
    pub fn of(interval: Option<(f64, f64)>, margin: f64) -> Standing {
        match interval {
            Some((low, _)) if low > margin => Standing::Above,
            Some((_, high)) if high < -margin => Standing::Below,
            Some((low, high)) if -margin < low && high < margin => Standing::Within,
            _ => Standing::Open,
        }
    }
}

/// Rows of several levels that are about the same, in the order of the levels.
#[derive(Debug)]
pub struct Finding<'t> {
    /// The rows, each with what it says.
    pub rows: Vec<(&'t Row, Standing)>,
}

impl<'t> Finding<'t> {
    fn levels(&self, wanted: Standing) -> Vec<&'t Row> {
        let rows = self.rows.iter().filter(|(_, standing)| *standing == wanted);
        rows.map(|(row, _)| *row).collect()
    }

    /// Whether the same is shown at all levels.
    fn holds(&self) -> bool {
        let first = self.rows[0].1;
        first != Standing::Open && self.rows.iter().all(|(_, standing)| *standing == first)
    }

    fn differs(&self) -> bool {
        let is_any = |wanted| self.rows.iter().any(|(_, standing)| *standing == wanted);
        is_any(Standing::Above) && is_any(Standing::Below)
    }
}

/// What is clear at one level at least, the clearest first. The first key of a row is its level.
pub fn findings<'t>(rows: &[&'t Row], standing: impl Fn(&Row) -> Standing) -> Vec<Finding<'t>> {
    let mut all: Vec<Finding<'t>> = Vec::new();
    for &row in rows {
        let is_of = |of: &&mut Finding<'t>| {
            let (other, _) = of.rows[0];
            other.metric == row.metric && other.keys[1..] == row.keys[1..]
        };
        match all.iter_mut().find(is_of) {
            Some(of) => of.rows.push((row, standing(row))),
            None => all.push(Finding { rows: vec![(row, standing(row))] }),
        }
    }
    let is_clear = |standing: &Standing| matches!(standing, Standing::Above | Standing::Below);
    all.retain(|of| of.rows.iter().any(|(_, standing)| is_clear(standing)));
    let most = |of: &Finding<'t>| {
        let clear = of.rows.iter().filter(|(_, standing)| is_clear(standing));
        clear.map(|(row, _)| strength(row)).fold(0.0, f64::max)
    };
    all.sort_by(|one, other| most(other).total_cmp(&most(one)));
    all
}

/// How the sentence names things.
pub struct Words<'a> {
    /// The game, whose levels have short names.
    pub game: &'a str,
    /// What the levels are.
    pub span: Span,
    /// What a row is about.
    pub what: &'a dyn Fn(&Row) -> String,
    /// Its figure.
    pub figure: &'a dyn Fn(&Row) -> String,
    /// What a row is that is not open: `clear`, or `beyond the margin`.
    pub clear: &'a str,
    /// What is to be said if nothing is clear at any level.
    pub nothing: (Tone, &'a str),
}

/// What the levels are that a sentence is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// How it begins.
    pub across: String,
    /// What it says of that which holds.
    pub all: String,
}

impl Span {
    /// So many levels of play.
    pub fn levels(count: usize) -> Span {
        let words = number(count);
        let all = if count == 2 { "both".to_owned() } else { format!("all {words}") };
        Span { across: format!("Across {words} levels of play"), all: format!("at {all} levels") }
    }

    /// Agents as they are, and once they have adapted to the change.
    pub fn adapted() -> Span {
        Span {
            across: "With agents as they are and once they have adapted to B".to_owned(),
            all: "both times".to_owned(),
        }
    }
}

/// Whether what was found holds at all levels.
pub fn sentence(findings: &[Finding<'_>], words: &Words<'_>) -> Sentence {
    let (tone, said) = if findings.is_empty() {
        (words.nothing.0, words.nothing.1.to_owned())
    } else {
        let tone = match () {
            () if findings.iter().any(Finding::differs) => Tone::No,
            () if findings.iter().all(Finding::holds) => Tone::Yes,
            () => Tone::Open,
        };
        (tone, words.clauses(findings))
    };
    Sentence::new(tone, format!("{}: {said}.", words.span.across))
}

impl Words<'_> {
    fn level<'r>(&self, row: &'r Row) -> &'r str {
        seating::short_name(self.game, &row.keys[0])
    }

    /// What holds, then what does not, that of which the sign differs first; of each no more than a few.
    fn clauses(&self, findings: &[Finding<'_>]) -> String {
        let (hold, mut others): (Vec<_>, Vec<_>) = findings.iter().partition(|of| of.holds());
        others.sort_by_key(|of| !of.differs());
        let what = |of: &&Finding<'_>| (self.what)(of.rows[0].0);
        let mut names: Vec<String> = hold.iter().take(NAMED).map(what).collect();
        let more = |all: usize| Some(all.saturating_sub(NAMED)).filter(|&more| more > 0);
        names.extend(more(hold.len()).map(|more| format!("{more} more")));
        let verb = if hold.len() == 1 { "holds" } else { "hold" };
        let names = listed(&names);
        let mut clauses = Vec::new();
        if !hold.is_empty() {
            clauses.push(format!("{names} {verb} {}", self.span.all));
        }
        clauses.extend(others.iter().take(NAMED).map(|of| self.clause(of)));
        clauses.extend(more(others.len()).map(|more| format!("{more} more do not hold at all")));
        clauses.join("; ")
    }

    /// What does not hold at all levels.
    fn clause(&self, of: &Finding<'_>) -> String {
        let what = (self.what)(of.rows[0].0);
        let named = |row: &&Row| format!("{}, {}", self.level(row), (self.figure)(row));
        let at = |wanted| {
            let names: Vec<&str> =
                of.levels(wanted).into_iter().map(|row| self.level(row)).collect();
            names.join(" and ")
        };
        let (above, below) = (of.levels(Standing::Above), of.levels(Standing::Below));
        if let (Some(above), Some(below)) = (above.first(), below.first()) {
            let (above, below) = (named(above), named(below));
            return format!("{what}: the sign differs between {above}, and {below}");
        }
        let clear = if above.is_empty() { Standing::Below } else { Standing::Above };
        let mut parts = vec![format!("{} at {}", self.clear, at(clear))];
        for (standing, word) in
            [(Standing::Within, "within the margin"), (Standing::Open, "undecided")]
        {
            let names = at(standing);
            if !names.is_empty() {
                parts.push(format!("{word} at {names}"));
            }
        }
        format!("{what}: {}", parts.join(", "))
    }
}

/// A small number in words.
fn number(count: usize) -> String {
    const WORDS: [&str; 10] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(count).map_or_else(|| count.to_string(), |&word| word.to_owned())
}

/// Rows whose further columns have the interval that holds together with those of all of them.
pub fn with_joint_intervals(rows: &mut [Row], family: usize) {
    for row in rows {
        let interval = joint(row, family).and_then(|of| of.interval);
        if let More::Comparison(said) = &mut row.more {
            said.level = interval.map(|_| 1.0 - ALPHA / family.max(1) as f64);
            said.interval = interval;
        }
    }
}

/// The same command at other levels of play, if the game has levels of its own and the run has none of them.
pub fn proposed(name: &str, manifest: &Manifest, own: &[&str]) -> Option<String> {
    let known = seating::levels(&manifest.game);
    let is_level = |agent: &str| known.contains(&seating::short_name(&manifest.game, agent));
    let weaker = ["easy", "hard"];
    let fits = weaker.iter().all(|level| known.contains(level))
        && !manifest.agents.iter().any(|agent| is_level(&agent.name));
    let levels: Vec<&str> = weaker.iter().chain(own).copied().collect();
    let command =
        fits.then(|| next::again(name, &manifest.command, "--levels", &levels.join(",")))?;
    Some(format!("Does it hold for people who play worse?\n  {}", command?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::jackknife::Estimate;

    fn row(level: &str, of: &str, value: f64) -> Row {
        Row::new(
            vec![level.to_owned(), of.to_owned()],
            "effect",
            Some(Estimate { se: Some(1.0), ..Estimate::plain(value) }),
            100,
            100,
        )
    }

    fn said(values: &[(&str, [f64; 3])]) -> (Tone, String) {
        let levels = ["levels/base/beginner", "levels/base/medium", "heuristic"];
        let rows: Vec<Row> = values
            .iter()
            .flat_map(|(of, values)| levels.iter().zip(values).map(|(level, &v)| row(level, of, v)))
            .collect();
        let rows: Vec<&Row> = rows.iter().collect();
        let value = |row: &Row| row.estimate.map_or(0.0, |it| it.value);
        let all =
            findings(&rows, |row| Standing::of(Some((value(row) - 2.0, value(row) + 2.0)), 3.0));
        let words = Words {
            game: "base",
            span: Span::levels(3),
            what: &|row| row.keys[1].clone(),
            figure: &|row| format!("{}", value(row)),
            clear: "clear",
            nothing: (Tone::Open, "nothing is clear at any"),
        };
        let Sentence { tone, text } = sentence(&all, &words);
        (tone, text)
    }

    #[test]
    fn what_is_shown_at_all_levels_holds_and_a_sign_that_differs_is_told_first() {
        for (values, tone, text) in [
            (&[("a", [9.0, 7.0, 6.0])][..], Tone::Yes, "a holds at all three levels."),
            (&[("a", [-9.0, -7.0, -6.0])], Tone::Yes, "a holds at all three levels."),
            (
                &[("a", [-9.0, 0.0, 8.0])],
                Tone::No,
                "a: the sign differs between heuristic, 8, and beginner, -9.",
            ),
            (
                &[("a", [9.0, 0.5, 3.0])],
                Tone::Open,
                "a: clear at beginner, within the margin at medium, undecided at heuristic.",
            ),
            (
                &[("a", [3.0, 3.0, 6.0]), ("b", [0.0; 3]), ("c", [8.0; 3])],
                Tone::Open,
                "c holds at all three levels; a: clear at heuristic, undecided at beginner and medium.",
            ),
            (
                &[
                    ("a", [9.0; 3]),
                    ("b", [8.0; 3]),
                    ("c", [7.0; 3]),
                    ("d", [6.0; 3]),
                    ("e", [5.5, 0.0, 0.0]),
                ],
                Tone::Open,
                "a, b, c and 1 more hold at all three levels; e: clear at beginner, within the margin at medium and heuristic.",
            ),
        ] {
            let text = format!("Across three levels of play: {text}");
            assert_eq!(said(values), (tone, text));
        }
        assert_eq!(
            said(&[("a", [0.0; 3])]),
            (Tone::Open, "Across three levels of play: nothing is clear at any.".to_owned())
        );
    }
}
