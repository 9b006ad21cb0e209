//! How well samples fit exact shares.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Bins with a smaller expectation are merged.
const EXPECTED_MIN: f64 = 10.0;

/// How well counts fit their expectations.
#[derive(Debug)]
pub struct Fit {
    chi_squared: f64,
    /// Degrees of freedom: cells less one.
    freedom: f64,
    /// Total variation distance: half the sum of the differences of the shares.
    variation: f64,
    /// What that distance is on average if the law holds, from sampling alone.
    noise: f64,
}

impl Fit {
    /// From the exact share and the observed count of each cell.
    pub fn new(cells: impl Iterator<Item = (f64, u32)>, samples: u32) -> Fit {
        let n = f64::from(samples);
        let (mut rare, mut common) = ((0.0, 0.0), Vec::new());
        for (share, hits) in cells {
            let hits = f64::from(hits);
            if share * n < EXPECTED_MIN {
                rare = (rare.0 + share * n, rare.1 + hits);
            } else {
                common.push((share * n, hits));
            }
        }
        if rare.0 >= EXPECTED_MIN {
            common.push(rare);
        } else if let Some(first) = common.first_mut() {
            *first = (first.0 + rare.0, first.1 + rare.1);
        }
        assert!(common.len() > 1, "one cell says nothing");
        let chi_squared = common.iter().map(|(e, o)| (o - e).powi(2) / e).sum();
        let variation = common.iter().map(|(e, o)| (o - e).abs()).sum::<f64>() / (2.0 * n);
        let spread = |e: f64| (2.0 / std::f64::consts::PI * e * (1.0 - e / n)).sqrt();
        let noise = common.iter().map(|&(e, _)| spread(e)).sum::<f64>() / (2.0 * n);
        Fit { chi_squared, freedom: common.len() as f64 - 1.0, variation, noise }
    }

    /// Chance alone exceeds this once in a million.
    pub fn assert_good(&self, what: &str) {
        let bound = ChiSquared::new(self.freedom).expect("cells").inverse_cdf(1.0 - 1e-6);
        assert!(self.chi_squared < bound, "{what}: {self:?} against {bound}");
    }

    /// The total variation distance is at most `excess` more than sampling alone gives.
    pub fn assert_near(&self, what: &str, excess: f64) {
        assert!(self.variation < self.noise + excess, "{what}: {self:?} against {excess}");
    }
}
