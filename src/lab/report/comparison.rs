//! What a table says of an estimate beside its 95 % interval: p-values, a finding, and the interval that the finding
//! rests on. These are values; they become words where they are written.

use crate::lab::report::format::{number, percentage_points};
use crate::stats::verdict::Verdict;

/// The smallest p-value that is shown as a number: below it, tails of Student's t say more about the formula
/// than about the data.
const P_MIN: f64 = 1e-6;

/// What is said of an estimate.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// Two-sided p-value of no difference.
    pub p_value: Option<f64>,
    /// The same adjusted for all comparisons of the table (Holm).
    pub p_holm: Option<f64>,
    /// What was found.
    pub finding: Option<Finding>,
    /// The interval that the finding rests on.
    pub interval: Option<(f64, f64)>,
    /// Its level.
    pub level: Option<f64>,
}

/// What was found about an estimate.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Where an effect lies by a margin, a share.
    Margin(Verdict, f64),
    /// An effect is outside the margin at these levels of play; an empty list means all levels.
    UnbalancedAt(Vec<String>),
    /// What `compare` says of A and B.
    Duel(DuelFinding),
    /// What the comparison of a new agent with its start has shown.
    Challenge(ChallengeFinding),
    /// An agent's rating is above that of the next one, which is named.
    StrongerThan(String),
    /// An agent wins more than half of the matches that it or the other one wins.
    MoreThanHalf,
    /// One rating per agent does not fit this pair.
    Misfit,
    /// Whether a level wins as often as it should.
    Level(LevelFinding),
}

/// What `compare` says of A and B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DuelFinding {
    /// They are the same agent.
    Same,
    /// A is stronger, by more than this share.
    AStronger(f64),
    /// B is stronger, by more than this share.
    BStronger(f64),
    /// A is not weaker by this share or more.
    ANotWeaker(f64),
    /// A is not stronger by this share or more.
    ANotStronger(f64),
    /// Nothing was shown.
    Undecided,
}

/// What the comparison of a new agent with its start has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeFinding {
    /// The new agent is stronger.
    Stronger,
    /// It is weaker.
    Weaker,
    /// It is not stronger by 2 pp.
    Alike,
    /// Nothing, with all the matches.
    Undecided,
    /// There is nothing to compare.
    Same,
}

/// Whether a level wins as often as it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelFinding {
    /// The interval lies within the tolerance.
    Certified,
    /// It does not.
    NotCertified,
    /// No parameter comes near the rate.
    NotReached,
}

/// Where an effect lies by a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Surely inside.
    Within,
    /// Surely outside.
    Beyond,
    /// Not known yet.
    Open,
    /// No verdict is given.
    Withheld,
}

impl Comparison {
    /// A finding alone.
    pub fn finding(finding: Finding) -> Comparison {
        Comparison { finding: Some(finding), ..Comparison::default() }
    }

    /// The cells of [`crate::lab::report::table::JUDGED`].
    pub fn cells(&self) -> Vec<String> {
        let (lo, hi) = self.interval.unzip();
        let finding = self.finding.as_ref().map_or(String::new(), Finding::words);
        let mut cells = vec![p_text(self.p_value), p_text(self.p_holm), finding];
        cells.extend([lo, hi, self.level].map(number));
        cells
    }

    /// The adjusted p-value as tables have it; empty if there is none.
    pub fn adjusted(&self) -> String {
        p_text(self.p_holm)
    }
}

impl Finding {
    /// As tables have it.
    pub fn words(&self) -> String {
        match self {
            Finding::Margin(verdict, margin) => verdict.describe(*margin),
            Finding::UnbalancedAt(levels) => format!("unbalanced {}", at(levels)),
            Finding::Duel(finding) => finding.words(),
            Finding::Challenge(finding) => finding.word().to_owned(),
            Finding::StrongerThan(next) => format!("stronger than {next}"),
            Finding::MoreThanHalf => "more than half".to_owned(),
            Finding::Misfit => "misfit".to_owned(),
            Finding::Level(LevelFinding::Certified) => "certified".to_owned(),
            Finding::Level(LevelFinding::NotCertified) => "not certified".to_owned(),
            Finding::Level(LevelFinding::NotReached) => "not reached".to_owned(),
        }
    }

    /// As a person reads it: where an effect lies by a margin.
    pub fn said(&self) -> String {
        match self {
            Finding::Margin(Verdict::Balanced, _) => self.words().replacen("balanced ", "", 1),
            Finding::Margin(Verdict::Unbalanced, _) => "beyond the margin".to_owned(),
            Finding::Margin(Verdict::Undecided(outlook), _) => {
                format!("open: {}", outlook.describe())
            }
            Finding::UnbalancedAt(levels) => format!("beyond the margin {}", at(levels)),
            _ => self.words(),
        }
    }

    /// Where an effect lies by the margin; nothing if it was not judged by one.
    pub fn place(&self) -> Option<Place> {
        match self {
            Finding::Margin(Verdict::Balanced, _) => Some(Place::Within),
            Finding::Margin(Verdict::Unbalanced, _) | Finding::UnbalancedAt(_) => {
                Some(Place::Beyond)
            }
            Finding::Margin(Verdict::Undecided(_), _) => Some(Place::Open),
            Finding::Margin(Verdict::Withheld { .. }, _) => Some(Place::Withheld),
            _ => None,
        }
    }
}

/// At which levels of play something holds; an empty list means all levels.
pub fn at(levels: &[String]) -> String {
    if levels.is_empty() { "at all levels".to_owned() } else { format!("at {}", levels.join(", ")) }
}

impl Place {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Place::Within => "within",
            Place::Beyond => "beyond",
            Place::Open => "open",
            Place::Withheld => "no verdict",
        }
    }
}

impl DuelFinding {
    /// As tables have it.
    pub fn words(self) -> String {
        let by = |who: &str, least: f64| match percentage_points(least).as_str() {
            "0 pp" => format!("{who} is stronger"),
            least => format!("{who} is stronger by more than {least}"),
        };
        match self {
            DuelFinding::Same => "the same agent".to_owned(),
            DuelFinding::AStronger(least) => by("A", least),
            DuelFinding::BStronger(least) => by("B", least),
            DuelFinding::ANotWeaker(by) => {
                format!("A is not weaker by {} or more", percentage_points(by))
            }
            DuelFinding::ANotStronger(by) => {
                format!("A is not stronger by {} or more", percentage_points(by))
            }
            DuelFinding::Undecided => "undecided".to_owned(),
        }
    }
}

impl ChallengeFinding {
    /// As tables have it.
    pub fn word(self) -> &'static str {
        match self {
            ChallengeFinding::Stronger => "stronger",
            ChallengeFinding::Weaker => "weaker",
            ChallengeFinding::Alike => "not stronger by 2 pp or more",
            ChallengeFinding::Undecided => "undecided",
            ChallengeFinding::Same => "the same agent",
        }
    }
}

/// A p-value with four decimals, or three significant digits if it is small; empty if there is none.
fn p_text(p: Option<f64>) -> String {
    match p {
        None => String::new(),
        Some(p) if p < P_MIN => "<1e-6".to_owned(),
        Some(p) if p < 1e-3 => format!("{p:.2e}"),
        Some(p) => format!("{p:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::verdict::Outlook;

    #[test]
    fn tiny_p_values_are_not_shown_as_numbers() {
        for (p, text) in [
            (Some(0.0), "<1e-6"),
            (Some(9.9e-7), "<1e-6"),
            (Some(1e-6), "1.00e-6"),
            (Some(4.27e-4), "4.27e-4"),
            (Some(0.04), "0.0400"),
            (None, ""),
        ] {
            assert_eq!(p_text(p), text);
        }
    }

    #[test]
    fn findings_by_a_margin_are_said_by_where_they_lie() {
        let margin = |verdict| Finding::Margin(verdict, 0.01);
        for (finding, said, place) in [
            (margin(Verdict::Balanced), "within ±1 pp", Place::Within),
            (margin(Verdict::Unbalanced), "beyond the margin", Place::Beyond),
            (
                margin(Verdict::Undecided(Outlook::Wide)),
                "open: too few blocks to tell",
                Place::Open,
            ),
            (
                margin(Verdict::Withheld { closed: 0.5 }),
                "withheld: 50 % of positions closed",
                Place::Withheld,
            ),
            (
                Finding::UnbalancedAt(vec!["greedy".to_owned()]),
                "beyond the margin at greedy",
                Place::Beyond,
            ),
            (Finding::UnbalancedAt(Vec::new()), "beyond the margin at all levels", Place::Beyond),
        ] {
            assert_eq!((finding.said().as_str(), finding.place()), (said, Some(place)));
        }
        assert_eq!(Finding::Misfit.place(), None);
    }
}
