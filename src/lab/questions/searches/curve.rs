//! The strength of a family over its range: some values on common deals, made monotone, and where they cross a rate.

use crate::lab::questions::searches::family::Family;
use crate::stats::jackknife::Estimate;

/// A value of the parameter, and how often the agent wins with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The place on the scale, from 0 to 1.
    pub place: f64,
    /// The value.
    pub value: f64,
    /// The win rate.
    pub rate: Estimate,
    /// Blocks that it rests on.
    pub blocks: u64,
    /// Matches.
    pub matches: u64,
}

/// The points of a family, in the order of their places.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The points.
    pub points: Vec<Point>,
    /// Their rates made monotone.
    fitted: Vec<f64>,
}

/// Where a curve crosses a rate, and how steep it is there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// The place.
    pub place: f64,
    /// The slope of the rate over places; its sign says whether strength rises.
    pub slope: f64,
}

/// The least slope that a crossing is given, as a share of the curve's mean slope: a flat piece may be luck.
const SLOPE_LEAST: f64 = 0.25;

/// The places of a grid: evenly spaced, each value once.
pub fn places(family: &Family, points: usize) -> Vec<(f64, f64)> {
    let mut places: Vec<(f64, f64)> = Vec::new();
    for at in 0..points {
        let place = at as f64 / (points - 1).max(1) as f64;
        let value = family.value(place);
        if places.last().is_none_or(|&(_, last)| last < value) {
            places.push((place, value));
        }
    }
    places
}

impl Curve {
    /// The curve through points, at least one.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(points: Vec<Point>) -> Curve {
        assert!(!points.is_empty(), "a curve has points");
        let rates: Vec<f64> = points.iter().map(|point| point.rate.value).collect();
        // The direction in which the straight line of least squares goes.
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        let middle = points.iter().map(|point| point.place).sum::<f64>() / rates.len() as f64;
        let tilt: f64 =
            points.iter().map(|point| (point.place - middle) * (point.rate.value - mean)).sum();
        let sign = if tilt < 0.0 { -1.0 } else { 1.0 };
        let risen: Vec<f64> = rates.iter().map(|rate| sign * rate).collect();
        let fitted = isotonic(&risen).into_iter().map(|rate| sign * rate).collect();
        Curve { points, fitted }
    }

    /// The least and the greatest rate, by `errors` standard errors further out.
    fn reach(&self, errors: f64) -> (f64, f64) {
        let slack = |point: &Point| errors * point.rate.se.unwrap_or(0.0);
        let ends = self.points.iter().zip(&self.fitted);
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (point, fitted)| {
            (low.min(fitted - slack(point)), high.max(fitted + slack(point)))
        })
    }

    /// Whether it reaches a rate, or would with its ends `errors` standard errors further out. A negative number
    /// asks for more certainty.
    pub fn reaches(&self, rate: f64, errors: f64) -> bool {
        let (low, high) = self.reach(errors);
        low <= rate && rate <= high
    }

    /// The point whose rate is nearest.
    pub fn nearest(&self, rate: f64) -> &Point {
        let distance = |point: &&Point| (point.rate.value - rate).abs();
        let nearest = self.points.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.expect("a curve has points")
    }

    /// Where it crosses a rate, by straight lines between its points; its nearer end if it does not. Nothing of a
    /// curve that is flat.
    pub fn crossing(&self, rate: f64) -> Option<Crossing> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        let (from, to) = (*self.fitted.first()?, *self.fitted.last()?);
        let mean = (to - from) / (last.place - first.place);
        if !mean.is_finite() || mean.abs() < f64::EPSILON {
            return None;
        }
        let steep = |slope: f64| {
            if slope.abs() < SLOPE_LEAST * mean.abs() { SLOPE_LEAST * mean } else { slope }
        };
        for at in 1..self.points.len() {
            let (a, b) = (self.fitted[at - 1], self.fitted[at]);
            let within = a.min(b) <= rate && rate <= a.max(b) && (b - a).abs() > 0.0;
            if within {
                let (one, other) = (self.points[at - 1].place, self.points[at].place);
                let place = one + (other - one) * (rate - a) / (b - a);
                return Some(Crossing { place, slope: steep((b - a) / (other - one)) });
            }
        }
        let near = if (rate - from).abs() < (rate - to).abs() { first } else { last };
        Some(Crossing { place: near.place, slope: mean })
    }
}

/// The rising sequence nearest to a sequence by least squares: neighbours that fall are pooled (M. Ayer et al., "An
/// empirical distribution function for sampling with incomplete information", 1955).
pub fn isotonic(values: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &value in values {
        let mut pool = (value, 1);
        while let Some(&(sum, count)) = pools.last() {
            if sum / count as f64 <= pool.0 / pool.1 as f64 {
                break;
            }
            pools.pop();
            pool = (pool.0 + sum, pool.1 + count);
        }
        pools.push(pool);
    }
    let mean = |(sum, count): (f64, usize)| std::iter::repeat_n(sum / count as f64, count);
    pools.into_iter().flat_map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::jackknife::Method;

    fn curve(rates: &[f64]) -> Curve {
        let point = |(at, &rate): (usize, &f64)| Point {
            place: at as f64 / (rates.len() - 1) as f64,
            value: at as f64,
            rate: Estimate {
                se: Some(0.01),
                ..Estimate { method: Method::None, ..Estimate::plain(rate) }
            },
            blocks: 1,
            matches: 4,
        };
        Curve::new(rates.iter().enumerate().map(point).collect())
    }

    #[test]
    fn what_falls_is_pooled() {
        assert_eq!(isotonic(&[1.0, 3.0, 2.0, 4.0]), [1.0, 2.5, 2.5, 4.0]);
        assert_eq!(isotonic(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
        assert_eq!(isotonic(&[1.0, 5.0, 4.0, 3.0, 9.0]), [1.0, 4.0, 4.0, 4.0, 9.0]);
        assert_eq!(isotonic(&[]), [0.0; 0]);
    }

    #[test]
    fn a_rate_is_crossed_on_a_straight_line() {
        let rising = curve(&[0.1, 0.2, 0.4]).crossing(0.3).unwrap();
        assert!((rising.place - 0.75).abs() < 1e-12 && (rising.slope - 0.4).abs() < 1e-12);
        let falling = curve(&[0.4, 0.2, 0.1]).crossing(0.25).unwrap();
        assert!((falling.place - 0.375).abs() < 1e-12 && (falling.slope + 0.4).abs() < 1e-12);
        assert_eq!(curve(&[0.3, 0.3]).crossing(0.3), None);
        assert!(curve(&[0.1, 0.2]).crossing(0.9).unwrap().place > 0.999);
    }

    #[test]
    fn a_rate_beyond_the_ends_is_not_reached() {
        let curve = curve(&[0.1, 0.2, 0.15, 0.4]);
        assert!(curve.reaches(0.1, 0.0) && curve.reaches(0.4, 0.0) && !curve.reaches(0.41, 0.0));
        assert!(
            curve.reaches(0.41, 2.0) && !curve.reaches(0.43, 2.0) && !curve.reaches(0.39, -2.0)
        );
        assert_eq!(Family::text(curve.nearest(0.9).value), "3");
    }
}
