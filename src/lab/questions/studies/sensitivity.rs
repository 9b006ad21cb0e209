//! Which defaults matter (`sensitivity`)? Every change of one step, ranked by what it surely does.

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::changes::{clearest, compared, finish, rows};
use crate::lab::questions::studies::estimator::{Compared, adjusted};
use crate::lab::questions::studies::joint::joint_cell;
use crate::lab::questions::studies::paired;
use crate::lab::questions::studies::steps::{Step, steps};
use crate::lab::questions::studies::study::{self, Context, Design, Study};
use crate::lab::questions::studies::variants::Variants;
use crate::lab::report::answer::{Answer, header, measure, measured};
use crate::lab::report::described::{DIFFERENCES, OF, TableSchema, integer, text};
use crate::lab::report::figures::cell;
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::metric::{self, Unit, unit};
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::{COMPARISON, Row, Table};
use crate::lab::setup::rules::changed;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::Totals;
use crate::sim::counts::paired::Metric;
use crate::sim::line_up::LineUp;
use crate::sim::trials::Section;
use crate::stats::jackknife::Estimate;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Sensitivity>(KIND, &[SENSITIVITY]);
const KIND: &str = "sensitivity";

/// The most changes of the answer's table: their names are wide, so that each takes two lines of a screen.
const SHOWN_MAX: usize = 8;

/// Every default, moved by a step.
pub const SENSITIVITY: TableSchema = TableSchema {
    name: "sensitivity",
    keys: &[
        integer("rank", "1 for the change that matters most"),
        text("change", "the field and the value that is not our default"),
        text("measure", "the metric of effects.csv that it moves most, in standard deviations"),
        OF,
    ],
    more: &COMPARISON,
    metrics: &[
        metric::Metric::number(
            "effect_sd",
            "the difference in standard deviations of one match; ranked by its interval's near end",
        ),
        metric::Metric::number("effect", "the difference itself"),
        metric::Metric::number(
            "effect_rounds",
            "the difference in rounds, where it is one of turns",
        ),
    ],
};

/// Which defaults matter? (`sensitivity`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sensitivity {}

impl Sensitivity {
    /// Every field of the rule set a step to either side; those that the rules' text settles only if `all` are
    /// asked for. A step that can't be played with is left out, and so is one that this table never reads.
    ///
    /// # Errors
    /// If no field can be moved.
    pub fn design(
        game: &dyn LoadedGame,
        line_up: LineUp,
        all: bool,
        blocks: u64,
    ) -> Result<Design> {
        let (game_type, rules) = (game.game_type(), game.rules());
        let facts = game_type.facts();
        let in_effect = game.in_effect();
        let matters = |step: &Step| {
            let change = std::slice::from_ref(&step.change);
            let moved = changed(game_type, rules.clone(), change, game.players());
            moved.is_ok_and(|moved| moved.in_effect() != in_effect)
        };
        let steps = steps(facts.fields, &rules, !all).into_iter().filter(matters);
        let moved =
            steps.map(|step| Variant { name: step.change.clone(), changes: vec![step.change] });
        let variants: Vec<Variant> = std::iter::once(Variant::base()).chain(moved).collect();
        ensure!(variants.len() > 1, "{} has no default that could be moved", facts.name);
        Ok(Design::of_rules(Box::new(Sensitivity {}), variants, line_up, blocks))
    }
}

impl Question for Sensitivity {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "sensitivity"
    }

    fn described(&self) -> Vec<TableSchema> {
        [&[SENSITIVITY][..], &paired::COMMON].concat()
    }

    fn caution(&self) -> &'static str {
        "Each default was moved alone, by one step: nothing is said of several changes together, or of larger \
         steps. A field without a clear effect may still matter at another level of play."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let all = rows(tables, "sensitivity");
        let ranked: Vec<&Row> = all.iter().filter(|row| row.metric == "effect_sd").collect();
        let of =
            |row: &Row, metric| all.iter().find(|of| of.metric == metric && of.keys == row.keys);
        // A change of length is shown in rounds: one number of the two that say the same.
        let shown = |row: &Row, metric: &str, of_it: &str| match of(row, "effect_rounds") {
            Some(rounds) => ("rounds".to_owned(), cell(Some(rounds), Unit::Number(2))),
            None => (measure(metric, of_it), cell(of(row, "effect"), unit(&DIFFERENCES, metric))),
        };
        // The measure is the strongest of its change, too, so the family is that of all measures of all changes.
        let measures = compared(rows(tables, "effects")).len().div_ceil(ranked.len().max(1));
        let name = |row: &Row, all: usize| {
            let measure = measured(&row.keys[2], &row.keys[3]);
            let among_all = |metric, unit| Some(joint_cell(of(row, metric)?, unit, all * measures));
            let by =
                among_all("effect", unit(&DIFFERENCES, &row.keys[2])).unwrap_or("–".to_owned());
            let rounds = among_all("effect_rounds", Unit::Number(2));
            let rounds = rounds.map_or(String::new(), |by| format!(", rounds by {by}"));
            format!("{} moves {measure} by {by}{rounds}", row.keys[1])
        };
        let first = clearest("Defaults moved by a step", &ranked, name);
        let cells = |row: &&Row| {
            let [rank, change, metric, of] = &row.keys[..] else { return Vec::new() };
            let (moved, by) = shown(row, metric, of);
            vec![rank.clone(), change.clone(), moved, by, row.adjusted()]
        };
        let grid = Grid {
            title: "What matters most".to_owned(),
            header: header(&["rank", "change", "moves", "by (95 %)", "p (Holm)"]),
            rows: ranked.iter().take(SHOWN_MAX).map(cells).collect(),
        };
        finish(self, manifest, first, grid)
    }

    fn grids(&self, _: &Names, tables: &[Table]) -> Vec<Grid> {
        summary::study_grids(tables, &["variants", "effects", "pairing"])
    }
}

impl Study for Sensitivity {
    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        Ok(Variants::of_rules(manifest)?.sections())
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let section = Variants::of_rules(context.manifest)?.section(KIND, totals, false);
        let mut tables = vec![table(&section, totals.blocks())];
        tables.extend(paired::tables(&[section], totals.blocks()));
        tables.push(study::anomalies(self, totals));
        Ok(tables)
    }
}

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
fn table(section: &paired::PairedEffects<'_>, blocks: u64) -> Table {
    let mut ranked: Vec<Ranked> =
        (1..section.variants.len()).filter_map(|variant| strongest(section, variant)).collect();
    ranked.sort_by(|a, b| b.sure.total_cmp(&a.sure).then(a.variant.cmp(&b.variant)));
    let mut rows = Vec::new();
    for (at, ranked) in ranked.iter().enumerate() {
        let Ranked { variant, metric, effect, .. } = ranked;
        let keys = vec![
            (at + 1).to_string(),
            section.variants[*variant].clone(),
            paired::name(metric.1).to_owned(),
            section.of(metric.1),
        ];
        let both = [0, *variant];
        let (blocks, n) = section.seen(&both, metric.1);
        let scaled = section.effect_in_deviations(*variant, *metric);
        let row = |metric, estimate| Row::new(keys.clone(), metric, estimate, blocks, n);
        // The measure was picked as the strongest, so its p-value allows for all of them (Bonferroni).
        let measures = section.measures().len() as f64;
        let p_value =
            section.p_value(&both, metric.1, Some(effect)).map(|p| (p * measures).min(1.0));
        rows.push(Compared { row: row("effect_sd", scaled), p_value, judgement: None });
        rows.push(Compared { row: row("effect", Some(*effect)), p_value: None, judgement: None });
        if metric.1 == Metric::Turns {
            let rounds = effect.scaled(1.0 / section.count.players as f64, 0.0);
            let row = row("effect_rounds", Some(rounds));
            rows.push(Compared { row, p_value: None, judgement: None });
        }
    }
    let rows = adjusted(rows);
    SENSITIVITY.table(blocks, rows)
}

fn strongest(section: &paired::PairedEffects<'_>, variant: usize) -> Option<Ranked> {
    let rank = |metric| {
        let effect = section.effect(variant, metric)?;
        let variance =
            section.estimator.mean(|view| section.variance_within(&view, 0, metric))?.value;
        let sd = libm::sqrt(variance);
        let sure = match effect.interval {
            Some((lo, hi)) => lo.max(-hi).max(0.0) / sd,
            // Too few blocks for an interval: behind all that have one.
            None if effect.value != 0.0 => -1.0,
            None => return None,
        };
        (sd > 0.0).then_some(Ranked { variant, metric, effect, sd, sure })
    };
    let all = section.measures().into_iter().filter_map(rank);
    let key = |ranked: &Ranked| (ranked.sure, (ranked.effect.value / ranked.sd).abs());
    all.max_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal))
}
