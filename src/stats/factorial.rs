//! Two-level designs: which of several factors are high in which run, so that the effect of each
//! factor and of each pair can be read from the same runs. The caller has the responses.
//!
//! With k ≤ 6 factors all 2^k runs are made. With more, runs are the vectors r of m bits, and
//! factor i is high where r · v_i is odd. No main effect or effect of a pair is mixed with another
//! (resolution V) if any four of the vectors v_i are linearly independent. They are found greedily:
//! the next vector is the smallest that is no sum of three or fewer before it, which makes v the
//! columns of the parity check of the lexicode of distance 5.
//!
//! Sources: G. Box, J. S. Hunter, "The 2^(k−p) fractional factorial designs", Technometrics, 1961;
//! J. Conway, N. Sloane, "Lexicographic codes: error-correcting codes from game theory", 1986.

/// The most factors of which all combinations are run.
pub const FULL_MAX: usize = 6;

/// The most factors of a design.
pub const FACTORS_MAX: usize = 11;

/// Runs of a two-level experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoLevelDesign {
    /// Number of factors.
    pub factors: usize,
    /// Levels by run: bit i is set where factor i is high.
    pub runs: Vec<u64>,
}

/// What to compare: the runs on the one side with those on the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// The factor.
    pub first: usize,
    /// The other factor of a pair.
    pub second: Option<usize>,
    /// +1 or −1 by run. Of a factor: +1 where it is high. Of a pair: the product of their signs, so
    /// +1 where both are high or both low.
    pub signs: Vec<i8>,
}

/// The design for a number of factors; `None` for 0 or more than [`FACTORS_MAX`].
pub fn design(factors: usize) -> Option<TwoLevelDesign> {
    if !(1..=FACTORS_MAX).contains(&factors) {
        return None;
    }
    let full = factors <= FULL_MAX;
    let vectors = if full { (0..factors).map(|i| 1 << i).collect() } else { lexicode(factors) };
    let bits = vectors.iter().fold(0_u64, |all, vector| all | vector);
    let runs = (0..=bits).map(|run| levels(run, &vectors)).collect();
    Some(TwoLevelDesign { factors, runs })
}

/// The factors that are high in a run.
fn levels(run: u64, vectors: &[u64]) -> u64 {
    let bit = |(i, vector): (usize, &u64)| u64::from((run & vector).count_ones() % 2) << i;
    vectors.iter().enumerate().map(bit).sum()
}

/// The first vectors of which any four are linearly independent.
fn lexicode(count: usize) -> Vec<u64> {
    let mut vectors = Vec::with_capacity(count);
    // Sums of at most one, two and three of them.
    let mut sums = [vec![0], vec![0], vec![0]];
    let mut next = 1;
    while vectors.len() < count {
        if !sums[2].contains(&next) {
            for fewer in [1, 0] {
                let more: Vec<u64> = sums[fewer].iter().map(|sum| sum ^ next).collect();
                sums[fewer + 1].extend(more);
            }
            sums[0].push(next);
            vectors.push(next);
        }
        next += 1;
    }
    vectors
}

impl TwoLevelDesign {
    /// The contrast of each factor, then of each pair, in ascending order.
    pub fn contrasts(&self) -> Vec<Contrast> {
        let alone = (0..self.factors).map(|first| self.contrast(first, None));
        let pairs = (0..self.factors).flat_map(|first| {
            (first + 1..self.factors).map(move |second| self.contrast(first, Some(second)))
        });
        alone.chain(pairs).collect()
    }

    fn contrast(&self, first: usize, second: Option<usize>) -> Contrast {
        let sign = |run: u64, factor: usize| if run >> factor & 1 == 1 { 1 } else { -1 };
        let of_run = |&run: &u64| sign(run, first) * second.map_or(1, |factor| sign(run, factor));
        Contrast { first, second, signs: self.runs.iter().map(of_run).collect() }
    }
}

impl Contrast {
    /// The mean response where the sign is +1 less that where it is −1.
    ///
    /// Of a factor it is what raising it adds, on the mean over the others. Of a pair it is half of
    /// what raising one adds to the effect of the other.
    ///
    /// # Panics
    /// If there is not one response for each run.
    pub fn effect(&self, responses: &[f64]) -> f64 {
        assert_eq!(responses.len(), self.signs.len(), "a response a run");
        let signed = self.signs.iter().zip(responses).map(|(&sign, y)| f64::from(sign) * y);
        // Each sign stands in half of the runs.
        signed.sum::<f64>() / (self.signs.len() as f64 / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_those_of_the_lexicode_of_distance_5() {
        assert_eq!(lexicode(11), [1, 2, 4, 8, 15, 16, 32, 51, 64, 85, 106]);
    }

    #[test]
    fn runs_are_as_few_as_published_tables_have() {
        // Resolution V: 64 runs for 7 and 8 factors, 128 for 9 to 11 (Montgomery, "TwoLevelDesign and
        // analysis of experiments", table of 2^(k−p) designs).
        let runs = |factors: usize| design(factors).unwrap().runs.len();
        for (factors, expected) in [(1, 2), (6, 64), (7, 64), (8, 64), (9, 128), (11, 128)] {
            assert_eq!(runs(factors), expected, "{factors} factors");
        }
        assert_eq!((design(0), design(12)), (None, None));
        assert_eq!(design(2).unwrap().runs, [0b00, 0b01, 0b10, 0b11]);
    }

    #[test]
    fn contrasts_are_orthogonal_to_each_other_and_to_the_mean() {
        for factors in 1..=FACTORS_MAX {
            let contrasts = design(factors).unwrap().contrasts();
            assert_eq!(contrasts.len(), factors * (factors + 1) / 2);
            for (at, one) in contrasts.iter().enumerate() {
                assert_eq!(one.signs.iter().map(|&sign| i32::from(sign)).sum::<i32>(), 0);
                for other in &contrasts[at + 1..] {
                    let products =
                        one.signs.iter().zip(&other.signs).map(|(a, b)| i32::from(a * b));
                    assert_eq!(products.sum::<i32>(), 0, "{factors}: {one:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn no_run_is_made_twice() {
        for factors in 1..=FACTORS_MAX {
            let mut runs = design(factors).unwrap().runs;
            let count = runs.len();
            runs.sort_unstable();
            runs.dedup();
            assert_eq!(runs.len(), count, "{factors} factors");
            assert!(runs[count - 1] < 1 << factors);
        }
    }

    #[test]
    fn made_up_effects_are_found() {
        for factors in 2..=FACTORS_MAX {
            let design = design(factors).unwrap();
            let contrasts = design.contrasts();
            let size = |at: usize| ((at * 37 % 19) as f64 - 9.0) / 4.0;
            let response = |run: usize| {
                let add = |(at, c): (usize, &Contrast)| size(at) / 2.0 * f64::from(c.signs[run]);
                5.0 + contrasts.iter().enumerate().map(add).sum::<f64>()
            };
            let responses: Vec<f64> = (0..design.runs.len()).map(response).collect();
            for (at, contrast) in contrasts.iter().enumerate() {
                assert!((contrast.effect(&responses) - size(at)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn signs_are_those_of_the_textbook() {
        // Responses to low-low, A, B, both: A adds 2 or 6, so 4 on the mean; their interaction is
        // (6 − 2)/2.
        let contrasts = design(2).unwrap().contrasts();
        let effects: Vec<f64> = contrasts.iter().map(|c| c.effect(&[1.0, 3.0, 0.0, 6.0])).collect();
        assert_eq!(contrasts[0].signs, [-1, 1, -1, 1]);
        assert_eq!(contrasts[2].signs, [1, -1, -1, 1]);
        let close = effects.iter().zip([4.0, 1.0, 2.0]).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close, "{effects:?}");
    }
}
