//! Forms of intervals: closed-form cases, and ends that were computed elsewhere.

use super::*;
use crate::core::chance::unit;
use crate::core::seed::{BlockSeed, Stream};

#[test]
fn wilson_agrees_with_a_published_value() {
    // 10 of 100 at 95 %: 0.0552 to 0.1744 (statsmodels proportion_confint, method "wilson").
    let (lo, hi) = wilson(0.1, 100.0, 1.959_963_985);
    assert!((lo - 0.055_229_14).abs() < 1e-6 && (hi - 0.174_365_66).abs() < 1e-6, "{lo} {hi}");
}

#[test]
fn a_share_of_few_things_is_not_taken_for_one_of_all_blocks() {
    // 60 blocks, 3 of which hold all things, none of them won. One each: the exact upper end is 1 − 0.025^(1/3).
    // Two each: Wilson's with the 3 blocks and their 2 degrees of freedom, t²/(3 + t²).
    let tt = t_quantile(3).unwrap().powi(2);
    for (each, upper) in [(1, 1.0 - 0.025_f64.cbrt()), (2, tt / (3.0 + tt))] {
        let mut grouped = Grouped::new(2);
        for chunk in 0..60 {
            grouped.add(chunk, 1, &[0, each * u64::from(chunk < 3)]);
        }
        let held = Held::new(grouped.sum(1), 3);
        let estimate = grouped.share_among(|sums| sums.ratio(0, 1), held).unwrap();
        let (lo, hi) = estimate.interval.unwrap();
        assert!(lo.abs() < 1e-12 && (hi - upper).abs() < 1e-9, "{each}: {lo} {hi}");
    }
}

#[test]
fn things_in_few_groups_count_as_independent_ones_at_most() {
    // Five of ten in each of four groups of 60, but for one: the standard error is small by luck.
    let mut grouped = Grouped::new(2);
    for chunk in 0..60 {
        let here = u64::from(chunk < 4);
        grouped.add(chunk, 1, &[5 * here + u64::from(chunk == 0), 10 * here]);
    }
    let held = Held::new(40, 4);
    let (lo, hi) = grouped.share_among(|sums| sums.ratio(0, 1), held).unwrap().interval.unwrap();
    let (low, high) = wilson(21.0 / 40.0, 40.0, t_quantile(4).unwrap());
    assert!((lo - low).abs() < 1e-9 && (hi - high).abs() < 1e-9, "{lo} {hi}");
}

#[test]
fn a_share_that_is_all_or_nothing_has_one_end_inside() {
    // Groups of unequal weight, whose jackknife leaves a standard error of rounding.
    for all in [0, 1] {
        let mut grouped = Grouped::new(2);
        for chunk in 0..100 {
            let matches = 1 + chunk % 7;
            grouped.add(chunk, matches, &[all * matches, matches]);
        }
        let estimate = grouped.share(|sums| sums.ratio(0, 1)).unwrap();
        let (tt, n) = (grouped.t_quantile().unwrap().powi(2), grouped.blocks() as f64);
        let (lo, hi) = estimate.interval.unwrap();
        let width = tt / (n + tt);
        assert!((hi - lo - width).abs() < 1e-9, "{all}: {lo} to {hi}, not {width} wide");
        assert!(lo <= estimate.value && estimate.value <= hi, "{lo} to {hi}");
        assert!((estimate.value - if all == 1 { hi } else { lo }).abs() < 1e-9);
    }
}

#[test]
fn a_rate_of_nothing_seen_has_an_upper_end_and_a_common_one_is_symmetrical() {
    let of = |events: u64| {
        let mut grouped = Grouped::new(2);
        for chunk in 0..64 {
            grouped.add(chunk, 1, &[events + chunk % 2, 1]);
        }
        grouped
    };
    let mut none = Grouped::new(2);
    (0..64).for_each(|chunk| none.add(chunk, 1, &[0, 1]));
    let estimate = none.rate(|sums| sums.ratio(0, 1), 1.0 / 64.0, None).unwrap();
    let tt = none.t_quantile().unwrap().powi(2);
    assert!((estimate.interval.unwrap().1 - tt / 64.0).abs() < 1e-12);
    let mut all = Grouped::new(2);
    (0..64).for_each(|chunk| all.add(chunk, 1, &[1, 1]));
    let alike = all.rate(|sums| sums.ratio(0, 1), 1.0 / 64.0, None).unwrap();
    assert_eq!((alike.value, alike.interval), (1.0, None), "no certainty from 64 blocks");
    // In a run that is watched the interval is as much wider as a sequence is.
    let watched = none.rate(|sums| sums.ratio(0, 1), 1.0 / 64.0, Some(4.0)).unwrap();
    assert!((watched.interval.unwrap().1 - 16.0 / 64.0).abs() < 1e-12);
    let common = of(1000);
    let [rate, mean] = [
        common.rate(|sums| sums.ratio(0, 1), 1.0 / 64.0, None).unwrap(),
        common.mean(|sums| sums.ratio(0, 1)).unwrap(),
    ];
    let (one, other) = (rate.interval.unwrap(), mean.interval.unwrap());
    assert!((one.0 - other.0).abs() < 1e-4 && (one.1 - other.1).abs() < 1e-4);
}

#[test]
fn intervals_cover_a_share_as_often_as_they_say() {
    // 1,000 runs of 200 blocks of 4 correlated matches; 95 % ± 4 standard errors of 0.69 %.
    for truth in [0.25_f32, 0.03] {
        let mut covered = 0;
        for run in 0..1000 {
            let mut rng = BlockSeed::new(run, 0).stream(Stream::Study, None, 0);
            let mut grouped = Grouped::new(2);
            for chunk in 0..200 {
                // Matches of a block share half of their luck.
                let shared = unit(&mut rng) < 0.5;
                let first = u64::from(unit(&mut rng) < truth);
                let wins: u64 = (0..4)
                    .map(|_| if shared { first } else { u64::from(unit(&mut rng) < truth) })
                    .sum();
                grouped.add(chunk, 1, &[wins, 4]);
            }
            let estimate = grouped.share(|sums| sums.ratio(0, 1)).unwrap();
            let (lo, hi) = estimate.interval.unwrap();
            covered += u32::from(lo <= f64::from(truth) && f64::from(truth) <= hi);
        }
        assert!((922..=978).contains(&covered), "{covered} of 1000 at {truth}");
    }
}

#[test]
fn means_over_few_groups_know_of_tails_that_they_have_not_seen() {
    // 2,000 runs of 8 blocks with e to the power of a sum of twelve uniform numbers less 6, which is about normal: a mean
    // of (e − 1)¹² e⁻⁶. With the factor of 64 groups 88.0 % are covered (40,000 runs, computed elsewhere), so 91.6 %.
    let truth = 1000.0 * (std::f64::consts::E - 1.0).powi(12) * libm::exp(-6.0);
    let mut covered = 0;
    for run in 0..2000 {
        let mut rng = BlockSeed::new(run, 0).stream(Stream::Study, None, 0);
        let mut grouped = Grouped::new(2);
        for chunk in 0..8 {
            let normal = (0..12).map(|_| f64::from(unit(&mut rng))).sum::<f64>() - 6.0;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to e^6")]
            let value = (1000.0 * libm::exp(normal)).round() as u64;
            grouped.add(chunk, 1, &[value, 1]);
        }
        let estimate = grouped.average(|sums| sums.ratio(0, 1)).unwrap();
        let (lo, hi) = estimate.interval.unwrap();
        covered += u32::from(lo <= truth && truth <= hi);
    }
    assert!(covered > 1800, "{covered} of 2000");
}

#[test]
fn what_rests_on_two_groups_has_no_interval_and_says_so() {
    let rests_on = |groups: u64| {
        let mut grouped = Grouped::new(2);
        for chunk in 0..60 {
            let taken = u64::from(chunk < groups);
            grouped.add(chunk, 1, &[taken * (chunk % 2), taken]);
        }
        grouped
    };
    let of = |sums: Sums<'_>| sums.ratio(0, 1);
    for groups in [1, 2] {
        let grouped = rests_on(groups);
        let share = grouped.share_among(of, Held::new(groups, groups)).unwrap();
        assert_eq!((share.interval, share.method), (None, Method::TooFew));
        assert_eq!(grouped.average(of).unwrap().interval, None);
    }
    assert!(rests_on(3).share_among(of, Held::new(3, 3)).unwrap().interval.is_some());
}

#[test]
fn a_mean_over_few_groups_has_their_degrees_of_freedom() {
    // Ten of 60 blocks hold the thing. What the other 50 add is the jackknife's factor for 60 groups in
    // place of ten: 59/60 by 9/10 in the variance.
    let values = [3, 5, 8, 13, 21, 34, 2, 7, 9, 4];
    let (mut few, mut alone) = (Grouped::new(2), Grouped::new(2));
    for (chunk, &value) in (0..).zip(&values) {
        few.add(chunk, 1, &[value, 1]);
        alone.add(chunk, 1, &[value, 1]);
    }
    (10..60).for_each(|chunk| few.add(chunk, 1, &[0, 0]));
    let [few, alone] = [few, alone].map(|run| run.average(|sums| sums.ratio(0, 1)).unwrap());
    let factor = (59.0_f64 / 60.0 * 10.0 / 9.0).sqrt();
    let ratio = few.se.unwrap() / alone.se.unwrap();
    assert!((ratio - factor).abs() < 1e-9);
    let width = |estimate: Estimate| {
        let (low, high) = estimate.interval.unwrap();
        high - low
    };
    assert!(width(few) / width(alone) < factor * 1.05);
}

#[test]
fn a_mean_that_never_varied_has_no_interval() {
    let mut grouped = Grouped::new(2);
    (0..60).for_each(|chunk| grouped.add(chunk, 1, &[2, 1]));
    let estimate = grouped.average(|sums| sums.ratio(0, 1)).unwrap();
    assert_eq!((estimate.value, estimate.interval), (2.0, None));
    assert_eq!(estimate.method, Method::TooFew);
}

#[test]
fn a_single_event_leaves_the_lower_end_where_nothing_happens() {
    let with = |events: u64| {
        let mut grouped = Grouped::new(2);
        (0..60).for_each(|chunk| grouped.add(chunk, 1, &[u64::from(chunk < events), 1]));
        grouped
    };
    let of = |sums: Sums<'_>| sums.ratio(0, 1);
    let low = |estimate: Option<Estimate>| estimate.unwrap().interval.unwrap().0;
    assert!(low(with(1).share(of)) <= 0.0 && low(with(2).share(of)) > 0.0);
    assert!(low(with(3).average(of)) <= 0.0 && low(with(4).average(of)) > 0.0);
    let seen = |events| with(events).share_if_seen(of, Held::EVERYWHERE);
    assert!(low(seen(3)) <= 0.0 && low(seen(4)) > 0.0);
}

#[test]
fn a_difference_of_independent_shares_is_newcombes() {
    // 56 of 70 less 48 of 80 is 0.2, from 0.0524 to 0.3339 (R. Newcombe, "Interval estimation for the
    // difference between independent proportions", 1998, table II, method 10).
    let with = |p: f64, n: f64| (p, wilson(p, n, 1.959_963_985));
    let (low, high) = mover(with(0.8, 70.0), with(0.6, 80.0), 0.0);
    assert!((low - 0.0524).abs() < 5e-5 && (high - 0.3339).abs() < 5e-5, "{low} {high}");
}

#[test]
fn the_ends_of_a_difference_know_that_its_sides_go_together() {
    // Both sides win in the same blocks: nothing is known better than that they differ by nothing.
    let mut grouped = Grouped::new(4);
    for chunk in 0..60 {
        let won = u64::from(chunk % 3 == 0);
        grouped.add(chunk, 1, &[won, 1, won, 1]);
    }
    let one = |sums: Sums<'_>| sums.ratio(0, 1);
    let other = |sums: Sums<'_>| sums.ratio(2, 3);
    let estimate =
        grouped.share_difference((&one, Held::EVERYWHERE), (&other, Held::EVERYWHERE)).unwrap();
    let (low, high) = estimate.interval.unwrap();
    assert!(estimate.value.abs() < 1e-12 && estimate.se.unwrap() < 1e-6);
    assert!(low > -0.05 && high < 0.05, "{low} {high}");
}

/// One block a group, with a value and its square.
fn blocks_of(values: &[u64]) -> Grouped {
    let mut grouped = Grouped::new(3);
    for (chunk, &value) in values.iter().enumerate() {
        grouped.add(chunk as u64, 1, &[value, value * value, 1]);
    }
    grouped
}

/// The variance of the blocks' values about their own mean: Σ x²/n − (Σ x/n)².
fn spread(sums: Sums<'_>) -> Option<f64> {
    Some(sums.ratio(1, 2)? - sums.ratio(0, 2)?.powi(2))
}

#[test]
fn the_bias_of_a_variance_about_the_own_mean_is_that_of_the_textbook() {
    // M. Quenouille, 1956: the jackknife takes the bias −s²/n away, and leaves s².
    let values = [3, 5, 8, 13, 21, 34, 2, 7];
    let grouped = blocks_of(&values);
    let (n, value) = (values.len() as f64, spread(grouped.all()).unwrap());
    let unbiased = value * n / (n - 1.0);
    let bias = grouped.bias(value, spread).unwrap();
    assert!((bias + unbiased / n).abs() < 1e-9, "{bias}");
    // A mean has none.
    let mean = |sums: Sums<'_>| sums.ratio(0, 2);
    assert!(grouped.bias(mean(grouped.all()).unwrap(), mean).unwrap().abs() < 1e-9);
}

#[test]
fn an_estimate_is_carried_by_the_groups_that_move_it() {
    let mean = |sums: Sums<'_>| sums.ratio(0, 2);
    let carried = |values: &[u64]| {
        let grouped = blocks_of(values);
        grouped.carried(mean(grouped.all()).unwrap(), mean)
    };
    // Half 0, half 2: each moves the mean alike. One of forty alone: hardly more than one does.
    let halves: Vec<u64> = (0..40).map(|block| 2 * (block % 2)).collect();
    assert!((carried(&halves) - 40.0).abs() < 1e-6);
    let alone: Vec<u64> = (0..40).map(|block| u64::from(block == 7) * 1000).collect();
    // Deviations 39/40 and 39 times −1/40: (39² + 39)²/(39⁴ + 39).
    let expected = (39.0_f64.powi(2) + 39.0).powi(2) / (39.0_f64.powi(4) + 39.0);
    assert!((carried(&alone) - expected).abs() < 1e-6, "{}", carried(&alone));
    assert!(carried(&[5; 40]).abs() < 1e-12, "nothing moves it");
}

#[test]
fn the_end_on_the_side_of_a_long_tail_lies_further_out() {
    let mean = |sums: Sums<'_>| sums.ratio(0, 2);
    let ends = |values: &[u64]| {
        let grouped = blocks_of(values);
        let plain = grouped.mean(mean).unwrap();
        let (low, high) = plain.interval.unwrap();
        let (lower, higher) = grouped.with_tail(plain, mean).interval.unwrap();
        (low - lower, higher - high)
    };
    let even: Vec<u64> = (0..40).map(|block| 2 * (block % 2)).collect();
    let (below, above) = ends(&even);
    assert!(below.abs() < 1e-9 && above.abs() < 1e-9, "no tail: {below}, {above}");
    let long: Vec<u64> = (0..40).map(|block| if block == 7 { 100 } else { 1 }).collect();
    let (below, above) = ends(&long);
    assert!(below.abs() < 1e-9 && above > 1.0, "up: {below}, {above}");
    let down: Vec<u64> = (0..40).map(|block| if block == 7 { 1 } else { 100 }).collect();
    let (below, above) = ends(&down);
    assert!(below > 1.0 && above.abs() < 1e-9, "down: {below}, {above}");
}

#[test]
fn what_is_above_0_has_ends_by_its_logarithm() {
    // A symmetrical spread of values has a variance whose jackknife is skewed upwards: that end lies further out.
    let values: Vec<u64> = (0..40).map(|block| [1, 3, 4, 5, 6, 7, 9, 25][block % 8]).collect();
    let grouped = blocks_of(&values);
    let estimate = grouped.positive(spread).unwrap();
    let (low, high) = estimate.interval.unwrap();
    let se = estimate.se.unwrap();
    let factor = (grouped.t_quantile().unwrap() * se / estimate.value).exp();
    assert!((low - estimate.value / factor).abs() < 1e-9, "{low}");
    assert!(high >= estimate.value * factor && high.is_finite(), "{high}");
    // All alike: nothing varied, so nothing is known.
    assert_eq!(blocks_of(&[4; 40]).positive(spread).unwrap().interval, None);
}
