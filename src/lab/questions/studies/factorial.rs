//! What do fields of the rule set do, alone and in pairs (`balance --factor`)? Effects of a two-level design, on
//! common luck.

use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::at_levels::{self, LEVELS_MAX, Span, Standing, findings};
use crate::lab::questions::studies::changes::{compared, with_rounds};
use crate::lab::questions::studies::estimator::Compared;
use crate::lab::questions::studies::joint::{is_clear, joint_cell, judged_cell};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::options::Judging;
use crate::lab::questions::studies::paired::{self, PairedEffects};
use crate::lab::questions::studies::study::{self, Context, Design, Study, in_range, is_share};
use crate::lab::questions::studies::variants::Variants;
use crate::lab::report::answer::{Answer, Sentence, Tone, header, measure, strength, table, tone};
use crate::lab::report::comparison::Place;
use crate::lab::report::described::{DIFFERENCES, LEVEL, OF, TableSchema, text};
use crate::lab::report::figures::{self, cell};
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::metric::unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{JUDGED, Row, Table};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::paired::{Metric, matches};
use crate::sim::guests::seating::short_name;
use crate::sim::trials::Section;
use crate::stats::factorial::{self, Contrast};
use crate::stats::jackknife::Estimate;
use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Factorial>(KIND, &[FACTORS]);
const KIND: &str = "factorial";

/// The most effects in the answer; names of interactions take two lines.
const FACTORS_MAX: usize = 8;

/// A factorial design.
pub const FACTORS: TableSchema = TableSchema {
    name: "factors",
    keys: &[
        LEVEL,
        text("factor", "a field, or two with ` x ` between them for their interaction"),
        OF,
    ],
    more: &JUDGED,
    metrics: &DIFFERENCES,
};

/// What do fields of the rule set do, alone and in pairs? (`balance --factor`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Factorial {
    /// The fields with their low and high values.
    pub factors: Vec<Factor>,
    /// Effects up to this count as balanced.
    pub margin: f64,
    /// The run stops when no interval is wider than this to either side.
    pub until: Option<f64>,
}

/// A field of the rule set with two values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// Dotted path.
    pub field: String,
    /// The value called low.
    pub low: String,
    /// The value called high.
    pub high: String,
}

impl Factorial {
    /// Every run of a two-level design of some factors, at each level of play.
    ///
    /// # Errors
    /// If there are too many factors, or levels.
    pub fn design(factors: Vec<Factor>, judging: Judging, players: u8) -> Result<Design> {
        let design = factorial::design(factors.len())
            .with_context(|| format!("{} factors; there may be 1 to 11", factors.len()))?;
        let Chunking { blocks, chunk } = judging.plan();
        let Judging { levels, margin, until, .. } = judging;
        let count = levels.len();
        ensure!(count <= LEVELS_MAX + 1, "{count} levels are more than {}", LEVELS_MAX + 1);
        let variant = |run: &u64| {
            let values = factors.iter().enumerate().map(|(at, factor)| {
                let value = if run >> at & 1 == 1 { &factor.high } else { &factor.low };
                format!("{}={value}", factor.field)
            });
            let changes: Vec<String> = values.collect();
            Variant { name: changes.join(" "), changes }
        };
        let variants: Vec<Variant> = design.runs.iter().map(variant).collect();
        let at = |level: usize| {
            let seats = vec![vec![level; usize::from(players)]];
            matches((0..variants.len()).map(move |variant| (variant, seats.clone())))
        };
        let matches = (0..count).flat_map(at).collect();
        let study = Box::new(Factorial { factors, margin, until });
        Ok(Design { question: study, variants, agents: levels, matches, blocks, chunk })
    }

    /// The runs of the design, for each level of play.
    fn variants(&self, manifest: &Manifest) -> Result<Vec<Variants>, String> {
        let runs = factorial::design(self.factors.len()).map(|design| design.runs.len());
        let fits = runs == Some(manifest.variants.len());
        let levels = manifest.agents.len();
        let fits = fits && (1..=LEVELS_MAX + 1).contains(&levels);
        in_range(fits && is_share(self.margin) && self.until.is_none_or(is_share))?;
        Variants::of_levels(manifest, levels - 1)
    }

    /// The sums of the runs of the design, for each level of play.
    fn sums<'a>(
        &self,
        manifest: &Manifest,
        totals: &'a Totals,
    ) -> Result<Vec<PairedEffects<'a>>, String> {
        let all = self.variants(manifest)?;
        let sections = Variants::effects(all, KIND, totals, self.is_sequential()).into_iter();
        let margin = Some(self.margin);
        Ok(sections.map(|section| PairedEffects { margin, ..section }).collect())
    }

    /// The effects of the factors at all levels.
    fn effects(&self, sections: &[PairedEffects<'_>]) -> Vec<Compared> {
        let names: Vec<String> = self.factors.iter().map(|factor| factor.field.clone()).collect();
        let Some(design) = factorial::design(names.len()) else { return Vec::new() };
        let contrasts = design.contrasts();
        let of = |section| rows(section, &names, &contrasts, sections.len());
        sections.iter().flat_map(of).collect()
    }
}

impl Question for Factorial {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "balance"
    }

    fn described(&self) -> Vec<TableSchema> {
        [&[FACTORS][..], &paired::COMMON].concat()
    }

    fn caution(&self) -> &'static str {
        "The effects hold at this level of play and between these two values of each field. Agents were not \
         tuned for the changed rules, and what is still open may be large or nothing."
    }

    /// Fields: those with an effect beyond the margin, then those that are clear.
    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let rows = table(tables, "factors").map_or(&[][..], |table| &table.rows);
        let mut known = compared(rows);
        known.retain(|row| row.estimate.is_some());
        known.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        let is_open = |row: &&Row| matches!(row.place(), Some(Place::Open | Place::Withheld));
        let levels = manifest.agents.len();
        let first = beyond(&known, &figures::in_a_hundred(self.margin), levels);
        let clear = known.iter().filter(|row| is_clear(row, known.len())).count();
        let (are, all) = (if clear == 1 { "is" } else { "are" }, known.len());
        let text = format!("Of all {all} effects, {clear} {are} clear (5 %, adjusted).");
        let is_settled = first.tone != Tone::Open;
        let mut sentences = vec![first, Sentence::new(Tone::Plain, text), values(&self.factors)];
        if levels > 1 {
            sentences.insert(1, across(manifest, rows, &known));
        }
        let cells = |row: &&Row| {
            let level = short_name(&manifest.game, &row.keys[0]).to_owned();
            [row.keys[1].clone()]
                .into_iter()
                .chain((levels > 1).then_some(level))
                .chain([
                    measure(row.metric, &row.keys[2]),
                    cell(Some(row), unit(&DIFFERENCES, row.metric)),
                    row.adjusted(),
                ])
                .collect()
        };
        let mut words = vec!["factor", "level", "measure", "second minus first (95 %)", "p (Holm)"];
        words.retain(|word| levels > 1 || *word != "level");
        let grid = Grid {
            title: format!("The {} strongest effects", known.len().min(FACTORS_MAX)),
            header: header(&words),
            rows: with_rounds(rows, &known).iter().take(FACTORS_MAX).map(cells).collect(),
        };
        let next = if known.iter().any(is_open) { next::longer(self, manifest) } else { None };
        let next = next.map(|command| format!("To narrow it down, run:\n  {command}"));
        let mut next: Vec<String> = next.into_iter().collect();
        if levels == 1 && is_settled {
            let own = &manifest.agents[0].name;
            next.extend(at_levels::proposed(self.command(), manifest, &[own]));
        }
        Answer { sentences, grid, next }
    }
}

impl Study for Factorial {
    fn until(&self) -> Option<f64> {
        self.until
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        Ok(Variants::counted(&self.variants(manifest)?))
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let sections = self.sums(context.manifest, totals)?;
        let blocks = totals.blocks();
        let mut tables = vec![FACTORS.table(blocks, paired::filled(self.effects(&sections)))];
        tables.extend(paired::tables(&sections, blocks));
        tables.push(study::anomalies(self, totals));
        Ok(tables)
    }

    fn watched_effects(&self, manifest: &Manifest, totals: &Totals) -> Vec<Option<Estimate>> {
        let Ok(sections) = self.sums(manifest, totals) else { return vec![None] };
        let rows = self.effects(&sections).into_iter().map(|compared| compared.row);
        rows.filter(|row| row.metric == "win_rate").map(|row| row.estimate).collect()
    }
}

/// Whether what is clear at one level of play, by the margin if there is one, holds at all of them.
fn across(manifest: &Manifest, rows: &[Row], known: &[&Row]) -> Sentence {
    let (all, family) = (compared(rows), known.len());
    let standing = |row: &Row| {
        let value = row.estimate.map_or(0.0, |effect| effect.value);
        let is_shown = match row.place() {
            Some(Place::Within) => return Standing::Within,
            Some(place) => place == Place::Beyond,
            None => is_clear(row, family),
        };
        match is_shown {
            true if value > 0.0 => Standing::Above,
            true => Standing::Below,
            false => Standing::Open,
        }
    };
    let nothing = "no effect is clear at any";
    let words = at_levels::Words {
        game: &manifest.game,
        span: Span::levels(manifest.agents.len()),
        what: &|row| format!("{}: {}", row.keys[1], measure(row.metric, &row.keys[2])),
        figure: &|row| match row.place() {
            Some(_) => judged_cell(row, unit(&DIFFERENCES, row.metric)),
            None => joint_cell(row, unit(&DIFFERENCES, row.metric), family),
        },
        clear: "clear",
        nothing: (Tone::Open, nothing),
    };
    at_levels::sentence(&findings(&all, standing), &words)
}

/// Whether effects on win rates lie beyond the margin, and which do above all, at one level of play or several.
fn beyond(known: &[&Row], margin: &str, levels: usize) -> Sentence {
    let judged: Vec<&&Row> = known.iter().filter(|row| row.place().is_some()).collect();
    let of = |wanted: Tone| judged.iter().filter(move |row| tone(row.place()) == wanted);
    let (all, outside, open) = (judged.len(), of(Tone::No).count(), of(Tone::Open).count());
    let words = |row: &&&Row| {
        let effect = judged_cell(row, unit(&DIFFERENCES, row.metric));
        let at = if levels > 1 { format!(" at {}", row.keys[0]) } else { String::new() };
        format!("{}: {} {effect}{at}", row.keys[1], measure(row.metric, &row.keys[2]))
    };
    match (outside, open) {
        (0, 0) => {
            let text = format!(
                "No field moves a seat's win rate by more than {margin}: all {all} effects are within."
            );
            Sentence::new(Tone::Yes, text)
        }
        (0, _) => {
            let text = format!(
                "No field is shown to move a seat's win rate by more than {margin}; {open} of {all} effects are still \
                 open."
            );
            Sentence::new(Tone::Open, text)
        }
        _ => {
            let named: Vec<String> = of(Tone::No).take(3).map(words).collect();
            let named = named.join("; ");
            let still =
                if open == 0 { String::new() } else { format!(" {open} more are still open.") };
            let text = format!(
                "{outside} of {all} effects move a seat's win rate by more than {margin}: {named}.{still}"
            );
            Sentence::new(Tone::No, text)
        }
    }
}

/// Which value of a field is subtracted from which: the first that was named from the second.
fn values(factors: &[Factor]) -> Sentence {
    let of = |factor: &Factor| format!("{} {} minus {}", factor.field, factor.high, factor.low);
    let of: Vec<String> = factors.iter().map(of).collect();
    let text = format!("An effect is that of the second value minus the first: {}.", of.join(", "));
    Sentence::new(Tone::Plain, text)
}

/// The effects of a section whose variants are the runs of a design, one of `sections`.
fn rows(
    section: &PairedEffects<'_>,
    names: &[String],
    contrasts: &[Contrast],
    sections: usize,
) -> Vec<Compared> {
    let mut rows = Vec::new();
    let family = contrasts.len() * section.count.players * sections;
    for contrast in contrasts {
        for metric in section.metrics() {
            let effect = effect(section, contrast, metric);
            let asked = section.margin.filter(|_| matches!(metric.1, Metric::SeatWins(_)));
            let judgement =
                asked.and_then(|margin| Some(section.estimator.judge(&effect?, margin, family)));
            let keys = vec![section.level.clone(), label(names, contrast), section.of(metric.1)];
            let runs: Vec<usize> = (0..contrast.signs.len()).collect();
            let n = runs.iter().map(|&run| section.seen(&[run], metric.1).1).sum();
            let blocks = section.seen(&runs, metric.1).0;
            let name = paired::name(metric.1);
            rows.push(Compared {
                p_value: section.p_value(&runs, metric.1, effect.as_ref()),
                row: Row::new(keys, name, effect, blocks, n),
                judgement,
            });
        }
    }
    rows
}

/// The mean over runs with a plus minus the mean over runs with a minus.
fn effect(
    section: &PairedEffects<'_>,
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
