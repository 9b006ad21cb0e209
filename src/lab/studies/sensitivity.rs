//! Which defaults matter: every change of one step, ranked by what it surely does.

use crate::lab::report::described::SENSITIVITY;
use crate::lab::report::table::{COMPARISON, Row, Table};
use crate::lab::studies::estimator::{Compared, adjusted};
use crate::lab::studies::paired;
use crate::sim::counts::paired::Metric;
use crate::stats::jackknife::Estimate;

/// A change with what it moves most.
struct Ranked {
    variant: usize,
    metric: (usize, Metric),
    effect: Estimate,
    sd: f64,
    /// The smallest effect in standard deviations that the interval allows.
    sure: f64,
}

/// The table: for each variant the measure that it surely moves most, the largest first.
pub fn table(section: &paired::Section<'_>, blocks: u64) -> Table {
    let mut ranked: Vec<Ranked> =
        (1..section.variants.len()).filter_map(|variant| strongest(section, variant)).collect();
    ranked.sort_by(|a, b| b.sure.total_cmp(&a.sure).then(a.variant.cmp(&b.variant)));
    let mut rows = Vec::new();
    for (at, ranked) in ranked.iter().enumerate() {
        let Ranked { variant, metric, effect, sd, .. } = ranked;
        let keys = vec![
            (at + 1).to_string(),
            section.variants[*variant].clone(),
            paired::name(metric.1).to_owned(),
            section.of(metric.1),
        ];
        let n = section.estimator.sum(section.count.matches(*variant));
        let scaled = Estimate {
            value: effect.value / sd,
            se: effect.se.map(|se| se / sd),
            interval: effect.interval.map(|(lo, hi)| (lo / sd, hi / sd)),
            ..*effect
        };
        let row = |metric, estimate| Row {
            keys: keys.clone(),
            metric,
            estimate: Some(estimate),
            blocks,
            n,
            more: Vec::new(),
        };
        // The measure was picked as the strongest, so its p-value allows for all of them (Bonferroni).
        let measures = section.metrics().len() as f64;
        let p_value = section.estimator.p_value(Some(effect)).map(|p| (p * measures).min(1.0));
        rows.push(Compared { row: row("effect_sd", scaled), p_value, judgement: None });
        rows.push(Compared { row: row("effect", *effect), p_value: None, judgement: None });
    }
    let rows = adjusted(rows);
    Table { name: SENSITIVITY.0, keys: SENSITIVITY.1, more: &COMPARISON, blocks, rows }
}

fn strongest(section: &paired::Section<'_>, variant: usize) -> Option<Ranked> {
    let rank = |metric| {
        let effect = section.effect(variant, metric)?;
        let variance = section.estimator.mean(|view| section.variance(&view, 0, metric))?.value;
        let sd = libm::sqrt(variance);
        let (lo, hi) = effect.interval?;
        let sure = (lo.max(-hi)).max(0.0) / sd;
        (sd > 0.0).then_some(Ranked { variant, metric, effect, sd, sure })
    };
    let all = section.metrics().into_iter().filter_map(rank);
    let key = |ranked: &Ranked| (ranked.sure, (ranked.effect.value / ranked.sd).abs());
    all.max_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal))
}
