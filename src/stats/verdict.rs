//! What an interval says about an effect that should be small: within a margin, outside it, or not
//! yet known. "Not significant" is none of these.
//!
//! An effect is judged by one of two intervals. One that looks small has to lie inside the margin with
//! its interval of level 1 − 2α: the two one-sided tests at α. That all of a family are small is shown by
//! each of them so, without a correction, since all must pass (an intersection-union test). An effect that
//! looks large has to lie outside with its interval of level 1 − α/k for a family of k: that any of them is
//! large is one of k ways to be wrong.
//!
//! Sources: D. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach
//! for assessing the equivalence of average bioavailability", 1987; R. Berger, "Multiparameter hypothesis
//! testing and acceptance sampling", 1982; C. Bonferroni, 1936.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// What is known about an effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The whole interval lies inside the margin.
    Balanced,
    /// The whole interval lies outside the margin.
    Unbalanced,
    /// The interval holds an end of the margin.
    Undecided(Outlook),
    /// The effect is not one of all positions: of this share too many were closed to some option.
    Withheld {
        /// The share of positions that were left out.
        closed: f64,
    },
}

/// How far an effect is from a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outlook {
    /// After this number of further blocks the effect would be balanced, if the estimate stayed.
    Inside(f64),
    /// After this number of further blocks the effect would be unbalanced, if the estimate stayed.
    Outside(f64),
    /// The estimate is less than a standard error from an end of the margin, and the interval holds that end
    /// only: how many blocks it takes depends on noise.
    Near,
    /// The same, with an interval that holds both ends.
    Wide,
}

/// An effect with all that it is judged by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// The effect.
    pub estimate: f64,
    /// Its standard error.
    pub se: f64,
    /// Half the width of the interval that must lie inside the margin.
    pub inside: f64,
    /// Half the width of the interval that must lie outside.
    pub outside: f64,
    /// Blocks that it rests on.
    pub blocks: u64,
}

impl Evidence {
    /// Half the width of the interval that decides: an effect inside the margin can only be found to be so.
    pub fn half_width(&self, margin: f64) -> f64 {
        if self.estimate.abs() < margin { self.inside } else { self.outside }
    }
}

impl Verdict {
    /// The verdict for the margin ± `margin`.
    ///
    /// Half-widths shrink as 1/√n, and have to reach the distance d of the estimate from the nearer
    /// end of the margin: after n (half/d)² blocks in all.
    pub fn new(evidence: &Evidence, margin: f64) -> Verdict {
        let (size, half) = (evidence.estimate.abs(), evidence.half_width(margin));
        if size + half < margin {
            return Verdict::Balanced;
        }
        if size - half >= margin {
            return Verdict::Unbalanced;
        }
        let distance = (size - margin).abs();
        let more = evidence.blocks as f64 * ((half / distance) * (half / distance) - 1.0);
        let tells = distance > evidence.se && more.is_finite() && evidence.blocks > 0;
        Verdict::Undecided(if tells && size < margin {
            Outlook::Inside(more.max(0.0))
        } else if tells {
            Outlook::Outside(more.max(0.0))
        } else if half - size >= margin {
            Outlook::Wide
        } else {
            Outlook::Near
        })
    }

    /// The verdict in words; `margin` as a share, shown in percentage points.
    pub fn describe(self, margin: f64) -> String {
        match self {
            Verdict::Balanced => format!("balanced within ±{} pp", points(margin)),
            Verdict::Unbalanced => "unbalanced".to_owned(),
            Verdict::Withheld { closed } => {
                format!("withheld: {:.0} % of positions closed", closed * 100.0)
            }
            Verdict::Undecided(outlook) => format!("undecided: {}", outlook.describe()),
        }
    }
}

impl Outlook {
    /// What is missing, in words.
    pub fn describe(self) -> String {
        match self {
            Outlook::Near => "too near the margin to tell".to_owned(),
            Outlook::Wide => "too few blocks to tell".to_owned(),
            Outlook::Inside(more) | Outlook::Outside(more) if more > 1e9 => {
                "more than 1000m more blocks would be needed".to_owned()
            }
            Outlook::Inside(more) | Outlook::Outside(more) => match rounded(more).as_str() {
                "1" => "about 1 more block would settle it".to_owned(),
                blocks => format!("about {blocks} more blocks would settle it"),
            },
        }
    }

    /// How much is missing: blocks, and more than any number where no number can be named.
    pub fn rank(self) -> f64 {
        match self {
            Outlook::Inside(more) | Outlook::Outside(more) => more,
            Outlook::Near => f64::MAX,
            Outlook::Wide => f64::INFINITY,
        }
    }
}

/// A share in percentage points, without the digits that multiplying by 100 makes up.
fn points(share: f64) -> f64 {
    libm::round(share * 1e11) / 1e9
}

/// A number of blocks to two significant digits, 1 at least, as the command line reads counts:
/// whole thousands as `k`, whole millions as `m`.
fn rounded(blocks: f64) -> String {
    let blocks = libm::ceil(blocks).max(1.0);
    let unit = libm::exp10(libm::floor(libm::log10(blocks)) - 1.0).max(1.0);
    let blocks = libm::round(blocks / unit) * unit;
    match blocks {
        _ if blocks % 1e6 == 0.0 => format!("{}m", blocks / 1e6),
        _ if blocks % 1e3 == 0.0 => format!("{}k", blocks / 1e3),
        _ => format!("{blocks}"),
    }
}

/// The two-sided quantile of Student's t at `alpha` shared by some comparisons; infinite where
/// there are no degrees of freedom.
pub fn bonferroni_t(freedom: f64, comparisons: usize, alpha: f64) -> f64 {
    beyond(alpha / comparisons.max(1) as f64 / 2.0, freedom)
}

/// By what an interval of level 1 − `alpha` is wider because its standard error is an estimate: Student's quantile by
/// the normal one; infinite where there are no degrees of freedom.
pub fn student_by_normal(freedom: f64, alpha: f64) -> f64 {
    bonferroni_t(freedom, 1, alpha) / bonferroni_t(f64::INFINITY, 1, alpha)
}

/// The value beyond which Student's t lies with a probability.
fn beyond(tail: f64, freedom: f64) -> f64 {
    let Ok(student) = StudentsT::new(0.0, 1.0, freedom) else { return f64::INFINITY };
    // Bisection of the tail, since the library's quantile loses digits with much freedom: 1.95985
    // instead of 1.95997 at a million.
    let (mut low, mut high) = (0.0, 1.0);
    while student.sf(high) > tail && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if student.sf(middle) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An effect with both half-widths alike, of two standard errors.
    fn seen(estimate: f64, half: f64, blocks: u64) -> Evidence {
        Evidence { estimate, se: half / 2.0, inside: half, outside: half, blocks }
    }

    #[test]
    fn the_interval_decides() {
        for sign in [1.0, -1.0] {
            let of = |size: f64, half| Verdict::new(&seen(sign * size, half, 10), 0.01);
            assert_eq!(of(0.002, 0.005), Verdict::Balanced);
            assert_eq!(of(0.02, 0.005), Verdict::Unbalanced);
            assert!(matches!(of(0.02, 0.015), Verdict::Undecided(_)));
            // Both ends of the margin are in the interval.
            assert_eq!(of(0.002, 0.5), Verdict::Undecided(Outlook::Wide));
            assert_eq!(of(0.012, 0.005), Verdict::Undecided(Outlook::Near));
        }
    }

    #[test]
    fn each_side_of_the_margin_has_its_own_interval() {
        let of = |estimate, inside, outside| {
            let evidence = Evidence { estimate, se: 0.0001, inside, outside, blocks: 10 };
            Verdict::new(&evidence, 0.01)
        };
        assert_eq!(of(0.002, 0.005, 0.5), Verdict::Balanced);
        assert_eq!(of(0.02, 0.5, 0.005), Verdict::Unbalanced);
        assert!(matches!(of(0.002, 0.009, 0.001), Verdict::Undecided(_)));
        assert!(matches!(of(0.02, 0.001, 0.011), Verdict::Undecided(_)));
    }

    #[test]
    fn the_blocks_it_names_settle_it() {
        for estimate in [0.0, 0.004, 0.0099, 0.013, 0.3] {
            let at = |half: f64, blocks| Evidence { se: 0.0, ..seen(estimate, half, blocks) };
            let outlook = match Verdict::new(&at(0.5, 1000), 0.01) {
                Verdict::Undecided(outlook) => outlook,
                other => panic!("{estimate}: {other:?}"),
            };
            let more = outlook.rank();
            let half = |blocks: f64| 0.5 * (1000.0 / blocks).sqrt();
            let after = |share: f64| Verdict::new(&at(half(1000.0 + more * share), 9), 0.01);
            assert!(matches!(after(0.99), Verdict::Undecided(_)), "{estimate}");
            assert!(!matches!(after(1.01), Verdict::Undecided(_)), "{estimate}");
        }
    }

    #[test]
    fn no_number_is_named_that_hangs_on_noise() {
        let outlook = |evidence: Evidence| match Verdict::new(&evidence, 0.01) {
            Verdict::Undecided(outlook) => outlook,
            other => panic!("{other:?}"),
        };
        assert_eq!(outlook(seen(0.01, 0.004, 10)), Outlook::Near);
        assert_eq!(outlook(seen(0.0119, 0.004, 10)), Outlook::Near);
        assert!(matches!(outlook(seen(0.0121, 0.004, 10)), Outlook::Outside(_)));
        assert_eq!(outlook(seen(0.0, f64::INFINITY, 10)), Outlook::Wide);
        assert_eq!(outlook(seen(0.0, 0.021, 10)), Outlook::Wide);
        assert!(matches!(outlook(seen(0.0, 0.019, 10)), Outlook::Inside(_)));
        assert_eq!(outlook(seen(0.0, 0.02, 0)), Outlook::Wide);
        assert_eq!(outlook(seen(f64::NAN, 0.004, 10)), Outlook::Near);
    }

    #[test]
    fn verdicts_read_well() {
        assert_eq!(Verdict::Balanced.describe(0.01), "balanced within ±1 pp");
        assert_eq!(Verdict::Balanced.describe(0.0025), "balanced within ±0.25 pp");
        assert_eq!(Verdict::Balanced.describe(0.07), "balanced within ±7 pp");
        assert_eq!(Verdict::Unbalanced.describe(0.01), "unbalanced");
        let text = |outlook| Verdict::Undecided(outlook).describe(0.01);
        assert_eq!(text(Outlook::Outside(0.3)), "undecided: about 1 more block would settle it");
        assert_eq!(
            text(Outlook::Inside(12_345.6)),
            "undecided: about 12k more blocks would settle it"
        );
        assert_eq!(
            text(Outlook::Outside(2e9)),
            "undecided: more than 1000m more blocks would be needed"
        );
        assert_eq!(text(Outlook::Near), "undecided: too near the margin to tell");
        let withheld = Verdict::Withheld { closed: 0.4712 };
        assert_eq!(withheld.describe(0.01), "withheld: 47 % of positions closed");
    }

    #[test]
    fn counts_are_rounded_to_two_digits_and_stay_whole() {
        for (blocks, expected) in [
            (0.0, "1"),
            (7.2, "8"),
            (99.0, "99"),
            (123.0, "120"),
            (1234.0, "1200"),
            (9960.0, "10k"),
            (996_000.0, "1m"),
            (123_456.0, "120k"),
            (1_234_567.0, "1200k"),
            (98_765_432.0, "99m"),
            (1e9, "1000m"),
        ] {
            assert_eq!(rounded(blocks), expected, "{blocks}");
        }
    }

    #[test]
    fn quantiles_agree_with_the_integral_of_the_density() {
        // qt(1 - 0.05 / n / 2, freedom) in R's words; bisection of Simpson's rule.
        for (freedom, comparisons, expected) in [
            (63.0, 1, 1.998_340_542_5),
            (63.0, 10, 2.909_262_216_4),
            (63.0, 55, 3.482_325_032_9),
            (31.0, 66, 3.735_451_726_5),
            (1e6, 1, 1.959_966_356_8),
        ] {
            let t = bonferroni_t(freedom, comparisons, 0.05);
            assert!((t - expected).abs() < 1e-8, "{t} for {comparisons} with {freedom}");
        }
        assert!((bonferroni_t(f64::INFINITY, 0, 0.05) - 1.959_963_984_5).abs() < 1e-8);
        assert!(bonferroni_t(0.0, 3, 0.05).is_infinite());
    }
}
