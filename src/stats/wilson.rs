//! Wilson's score interval of a share (E. Wilson, "Probable inference, the law of succession, and statistical
//! inference", Journal of the American Statistical Association, 1927).

/// Wilson's score interval for a share `p` of `n`, at the quantile `z`.
pub fn wilson(p: f64, n: f64, z: f64) -> (f64, f64) {
    let zz = z * z / n;
    let centre = (p + zz / 2.0) / (1.0 + zz);
    let half = z / (1.0 + zz) * libm::sqrt(p * (1.0 - p) / n + zz / (4.0 * n));
    ((centre - half).max(0.0), (centre + half).min(1.0))
}
