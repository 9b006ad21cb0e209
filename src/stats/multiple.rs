//! Tests of many comparisons at once: a p-value for each, adjusted so that the chance of any false
//! finding stays below the level. Intervals of many comparisons are widened in the verdict.
//!
//! Holm's step-down: with p₍₁₎ ≤ … ≤ p₍m₎, the adjusted p₍i₎ is the largest (m − j + 1) p₍j₎ with
//! j ≤ i, at most 1. It asks nothing of how the tests depend on each other.
//!
//! Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
//! of Statistics, 1979.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Holm's adjusted p-values, in the order given. A value that is not a number counts as 1.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let known: Vec<f64> = p.iter().map(|&p| if p.is_nan() { 1.0 } else { p }).collect();
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| known[a].total_cmp(&known[b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut largest = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        largest = largest.max((p.len() - rank) as f64 * known[at]).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}

/// The two-sided p-value of an estimate against 0, by Student's t.
///
/// Without a standard error the estimate is exact: 1 if it is 0, else 0. Where a number is missing
/// or there are no degrees of freedom, nothing is known against 0: 1.
pub fn p_value(estimate: f64, se: f64, freedom: f64) -> f64 {
    if se == 0.0 && !estimate.is_nan() {
        return if estimate == 0.0 { 1.0 } else { 0.0 };
    }
    let t = (estimate / se).abs();
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(_) if t.is_nan() => 1.0,
        Ok(_) if t.is_infinite() => 0.0,
        Ok(student) => 2.0 * student.sf(t),
        Err(_) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::seed::{BlockSeed, Stream};
    use rand_core::Rng;

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn holm_agrees_with_r() {
        // p.adjust(…, "holm") of R.
        let adjusted = holm(&[0.01, 0.02, 0.03, 0.04, 0.05]);
        assert!(close(&adjusted, &[0.05, 0.08, 0.09, 0.09, 0.09]), "{adjusted:?}");
        let adjusted = holm(&[0.04, 0.001, 0.6, 0.01]);
        assert!(close(&adjusted, &[0.08, 0.004, 0.6, 0.03]), "{adjusted:?}");
    }

    #[test]
    fn holm_gives_numbers_up_to_1_in_the_order_given() {
        let adjusted = holm(&[f64::NAN, 0.7, 0.0, f64::INFINITY, 0.7]);
        assert!(close(&adjusted, &[1.0, 1.0, 0.0, 1.0, 1.0]), "{adjusted:?}");
        assert!(holm(&[]).is_empty() && close(&holm(&[0.3]), &[0.3]));
    }

    #[test]
    fn p_values_agree_with_the_integral_of_the_density() {
        // 2 * pt(-t, freedom) in R's words, by Simpson's rule on 200,000 steps; the last one is
        // 1 − t/√(2 + t²).
        for (t, freedom, expected) in [
            (2.1, 63.0, 0.039_739_045_813_9),
            (-1.0, 5.0, 0.363_217_467_649_1),
            (5.0, 10.0, 0.000_537_333_602_756),
            (0.5, 2.0, 2.0 / 3.0),
        ] {
            let p = p_value(3.0 * t, 3.0, freedom);
            assert!((p - expected).abs() < 1e-11, "{p} for {t} with {freedom}");
        }
        let p = p_value(12.0, 1.0, 63.0);
        assert!((p / 6.347_967_54e-18 - 1.0).abs() < 1e-7, "{p}");
        // With endless freedom t is the normal distribution.
        assert!((p_value(1.959_963_985, 1.0, f64::INFINITY) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn p_values_exist_on_every_edge() {
        let cases = [
            (0.0, 0.0, 63.0, 1.0),
            (-0.1, 0.0, 63.0, 0.0),
            (0.0, 1.0, 63.0, 1.0),
            (1.0, f64::INFINITY, 63.0, 1.0),
            (f64::INFINITY, 1.0, 63.0, 0.0),
            (1.0, 1.0, 0.0, 1.0),
            (1.0, 1.0, f64::NAN, 1.0),
            (f64::NAN, 0.0, 63.0, 1.0),
            (1.0, f64::NAN, 63.0, 1.0),
        ];
        for (estimate, se, freedom, expected) in cases {
            let p = p_value(estimate, se, freedom);
            assert!((p - expected).abs() < 1e-9, "{p} for {estimate}, {se}, {freedom}");
        }
    }

    #[test]
    fn holm_keeps_the_rate_of_any_false_finding() {
        // 6 of 10 hypotheses are true, the others far off: the worst case, 1 − (1 − 0.05/6)⁶ = 4.9
        // %.
        let runs = 20_000_u32;
        let mut rng = BlockSeed::new(1, 0).stream(Stream::Study, None, 0);
        let mut wrong = 0;
        for _ in 0..runs {
            let mut p = [0.0; 10];
            p[4..].fill_with(|| f64::from(rng.next_u32()) / 4_294_967_296.0);
            wrong += u32::from(holm(&p)[4..].iter().any(|&p| p <= 0.05));
        }
        let rate = f64::from(wrong) / f64::from(runs);
        let se = (0.05 * 0.95 / f64::from(runs)).sqrt();
        assert!((rate - 0.0490).abs() < 3.0 * se && rate <= 0.05 + 2.0 * se, "{rate}");
    }
}
