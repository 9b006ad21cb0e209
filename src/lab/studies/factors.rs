//! What fields of the rule set do, alone and in pairs: effects of a two-level design, on common luck.

use crate::lab::report::described::FACTORS;
use crate::lab::report::table::{JUDGED, Row, Table};
use crate::lab::studies::estimator::{Compared, adjusted};
use crate::lab::studies::paired;
use crate::sim::counts::paired::Metric;
use crate::stats::factorial::Contrast;
use crate::stats::jackknife::Estimate;

/// The effects of a section whose variants are the runs of a design.
pub fn rows(
    section: &paired::Section<'_>,
    names: &[String],
    contrasts: &[Contrast],
) -> Vec<Compared> {
    let mut rows = Vec::new();
    let blocks = section.estimator.grouped.blocks();
    let family = contrasts.len() * section.count.players;
    for contrast in contrasts {
        for metric in section.metrics() {
            let effect = effect(section, contrast, metric);
            let asked = section.margin.filter(|_| matches!(metric.1, Metric::SeatWins(_)));
            let judgement =
                asked.and_then(|margin| Some(section.estimator.judge(&effect?, margin, family)));
            let keys = vec![section.level.clone(), label(names, contrast), section.of(metric.1)];
            let n = (0..contrast.signs.len())
                .map(|run| section.estimator.sum(section.count.matches(run)))
                .sum();
            let name = paired::name(metric.1);
            rows.push(Compared {
                p_value: section.estimator.p_value(effect.as_ref()),
                row: Row { keys, metric: name, estimate: effect, blocks, n, more: Vec::new() },
                judgement,
            });
        }
    }
    rows
}

/// The mean over runs with a plus less the mean over runs with a minus.
pub fn effect(
    section: &paired::Section<'_>,
    contrast: &Contrast,
    metric: (usize, Metric),
) -> Option<Estimate> {
    let half = contrast.signs.len() as f64 / 2.0;
    let weight = |(run, &sign): (usize, &i8)| (run, f64::from(sign) / half);
    let weights: Vec<(usize, f64)> = contrast.signs.iter().enumerate().map(weight).collect();
    section.contrast(&weights, metric)
}

fn label(names: &[String], contrast: &Contrast) -> String {
    let first = &names[contrast.first];
    contrast.second.map_or(first.clone(), |second| format!("{first} x {}", names[second]))
}

/// The table.
pub fn table(rows: Vec<Compared>, blocks: u64) -> Table {
    let rows = adjusted(rows);
    Table { name: FACTORS.0, keys: FACTORS.1, more: &JUDGED, blocks, rows }
}
