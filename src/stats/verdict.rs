//! What an interval says about an effect that should be small: within a margin, outside it, or not
//! yet known. "Not significant" is none of these words.
//!
//! Source: D. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach
//! for assessing the equivalence of average bioavailability", 1987; an interval of level 1 − 2α
//! inside the margin is the two one-sided tests at α, so one of level 1 − α errs to the safe side.
//! Several comparisons share α equally (C. Bonferroni, 1936).

use statrs::distribution::ContinuousCDF;
use statrs::distribution::StudentsT;

/// What is known about an effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The whole interval lies inside the margin.
    Balanced,
    /// The whole interval lies outside the margin.
    Unbalanced,
    /// The interval holds an end of the margin.
    Undecided {
        /// Blocks after which it would not, if the estimate stayed; infinite if none would do.
        more_blocks: f64,
    },
}

impl Verdict {
    /// The verdict on an estimate ± half-width for the margin ± `margin`, after some blocks.
    ///
    /// The half-width shrinks as 1/√n, and has to reach the distance d of the estimate from the
    /// nearer end of the margin: after n (half/d)² blocks in all.
    pub fn new(estimate: f64, half_width: f64, margin: f64, blocks: u64) -> Verdict {
        let size = estimate.abs();
        if size + half_width < margin {
            return Verdict::Balanced;
        }
        if size - half_width >= margin {
            return Verdict::Unbalanced;
        }
        let ratio = half_width / (size - margin).abs();
        let more_blocks = blocks as f64 * (ratio * ratio - 1.0);
        let known = blocks > 0 && more_blocks.is_finite();
        Verdict::Undecided { more_blocks: if known { more_blocks.max(0.0) } else { f64::INFINITY } }
    }

    /// The verdict in words; `margin` as a share, shown in percentage points.
    pub fn describe(self, margin: f64) -> String {
        match self {
            Verdict::Balanced => format!("balanced within ±{} pp", points(margin)),
            Verdict::Unbalanced => "unbalanced".to_owned(),
            Verdict::Undecided { more_blocks } if more_blocks > 1e9 => {
                "undecided: more than 1000m more blocks would be needed".to_owned()
            }
            Verdict::Undecided { more_blocks } => {
                format!("undecided: about {} more blocks would settle it", rounded(more_blocks))
            }
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
    let Ok(student) = StudentsT::new(0.0, 1.0, freedom) else { return f64::INFINITY };
    // Bisection of the tail, since the library's quantile loses digits with much freedom: 1.95985
    // instead of 1.95997 at a million.
    let tail = alpha / comparisons.max(1) as f64 / 2.0;
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

    #[test]
    fn the_interval_decides() {
        for sign in [1.0, -1.0] {
            assert_eq!(Verdict::new(sign * 0.002, 0.005, 0.01, 10), Verdict::Balanced);
            assert_eq!(Verdict::new(sign * 0.02, 0.005, 0.01, 10), Verdict::Unbalanced);
            let open = Verdict::new(sign * 0.02, 0.015, 0.01, 10);
            assert!(matches!(open, Verdict::Undecided { .. }), "{open:?}");
            // Both ends of the margin are in the interval.
            let wide = Verdict::new(sign * 0.002, 0.5, 0.01, 10);
            assert!(matches!(wide, Verdict::Undecided { .. }), "{wide:?}");
        }
    }

    #[test]
    fn the_blocks_it_names_settle_it() {
        for estimate in [0.0, 0.004, 0.0099, 0.013, 0.3] {
            let Verdict::Undecided { more_blocks } = Verdict::new(estimate, 0.5, 0.01, 1000) else {
                panic!("{estimate}");
            };
            let half = |blocks: f64| 0.5 * (1000.0 / blocks).sqrt();
            let after =
                |share: f64| Verdict::new(estimate, half(1000.0 + more_blocks * share), 0.01, 9);
            assert!(matches!(after(0.99), Verdict::Undecided { .. }), "{estimate}");
            assert!(!matches!(after(1.01), Verdict::Undecided { .. }), "{estimate}");
        }
    }

    #[test]
    fn what_no_number_of_blocks_settles_is_endless() {
        let endless = Verdict::Undecided { more_blocks: f64::INFINITY };
        assert_eq!(Verdict::new(0.01, 0.004, 0.01, 10), endless);
        assert_eq!(Verdict::new(0.0, f64::INFINITY, 0.01, 10), endless);
        assert_eq!(Verdict::new(f64::NAN, 0.004, 0.01, 10), endless);
        assert_eq!(Verdict::new(0.0, 0.02, 0.01, 0), endless);
        let text = "undecided: more than 1000m more blocks would be needed";
        assert_eq!(endless.describe(0.01), text);
    }

    #[test]
    fn verdicts_read_well() {
        assert_eq!(Verdict::Balanced.describe(0.01), "balanced within ±1 pp");
        assert_eq!(Verdict::Balanced.describe(0.0025), "balanced within ±0.25 pp");
        assert_eq!(Verdict::Balanced.describe(0.07), "balanced within ±7 pp");
        assert_eq!(Verdict::Unbalanced.describe(0.01), "unbalanced");
        let text = Verdict::Undecided { more_blocks: 12_345.6 }.describe(0.01);
        assert_eq!(text, "undecided: about 12k more blocks would settle it");
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
