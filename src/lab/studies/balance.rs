//! What does each option of a choice do (`balance --choice`)? Forced at the first such choice, taken out of the
//! rules, and left to one seat as the only one; at each level of play.

use crate::core::measure::Choice;
use crate::lab::report::answer::{
    Answer, ROWS_MAX, Sentence, Tone, header, more, table, verdict_tone,
};
use crate::lab::report::described::{ANOMALIES, Described};
use crate::lab::report::figures::{self, Unit, cell};
use crate::lab::report::manifest::{Manifest, Question, Variant};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::lab::studies::estimator::Estimator;
use crate::lab::studies::forced::CHOICES;
use crate::lab::studies::options::{Estimand, Judging, Options};
use crate::lab::studies::restricted::RESTRICTED;
use crate::lab::studies::study::{
    self, Context, Design, ForcedChoice, Study, StudyType, in_range, is_share, unfit,
};
use crate::lab::studies::verdicts::VERDICTS;
use crate::lab::studies::{forced, next, paired, restricted, verdicts};
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::forced::ForcedCount;
use crate::sim::counts::paired::{PairedCount, matches};
use crate::sim::counts::resampled::ResampledCount;
use crate::sim::counts::restricted::RestrictedCount;
use crate::sim::trials::{Count, MatchPlan, Section};
use crate::stats::jackknife::Estimate;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The entry in the list.
pub const TYPE: StudyType = StudyType::of::<Balance>(KIND, &[VERDICTS, CHOICES, RESTRICTED]);
const KIND: &str = "balance";

/// What does each option of a choice do? (`balance --choice`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Balance {
    /// The choice.
    pub choice: String,
    /// The options that are compared, by name.
    pub options: Vec<String>,
    /// Options that nobody can take under the run's rule set, and that are left out.
    pub dropped: Vec<String>,
    /// What is played.
    pub estimands: Vec<Estimand>,
    /// Effects up to this count as balanced.
    pub margin: f64,
    /// The run stops when no interval is wider than this to either side.
    pub until: Option<f64>,
}

impl Balance {
    /// A choice: every option forced, every option removed, and every seat restricted to every option, at each
    /// level; or what is asked for of these.
    ///
    /// # Errors
    /// If the game has no such choice, or the rule set leaves nothing to compare.
    pub fn design(
        game: &dyn LoadedGame,
        choice: &str,
        asked: &[Estimand],
        judging: Judging,
    ) -> Result<Design> {
        let of = Options::of(game, choice)?;
        let estimands = of.estimands(game, asked)?;
        let Chunking { blocks, chunk } = judging.plan();
        let Judging { levels, margin, until, .. } = judging;
        let removed = estimands.contains(&Estimand::Removed);
        let restricted = estimands.contains(&Estimand::Restricted);
        let mut variants = vec![Variant::base()];
        variants.extend(if removed { of.removals() } else { Vec::new() });
        let first_restricted = variants.len();
        variants.extend(if restricted { of.restrictions(game) } else { Vec::new() });
        let (options, players) = (of.compared.len(), usize::from(game.players()));
        let mut all = Vec::new();
        for level in 0..levels.len() {
            let seats = vec![level; players];
            if estimands.contains(&Estimand::Forced) {
                let forced = ForcedCount { options, rotations: 1 };
                let plans = forced.matches(0, std::slice::from_ref(&seats)).into_iter();
                let number = |at: usize| of.compared[at];
                all.extend(plans.map(|plan| MatchPlan { forced: plan.forced.map(number), ..plan }));
            }
            if removed {
                all.extend(matches((0..=options).map(|variant| (variant, vec![seats.clone()]))));
            }
            if restricted {
                all.extend(RestrictedCount { options, players }.matches(first_restricted, &seats));
            }
        }
        let study = Box::new(Balance {
            choice: choice.to_owned(),
            options: of.names(&of.compared),
            dropped: of.names(&of.dropped),
            estimands,
            margin,
            until,
        });
        Ok(Design { study, variants, agents: levels, matches: all, blocks, chunk })
    }

    fn has(&self, estimand: Estimand) -> bool {
        self.estimands.contains(&estimand)
    }

    /// What is counted in a block: at each level all forced matches, which are counted twice, then all of each variant,
    /// then all with a restricted seat.
    fn counted(&self, manifest: &Manifest) -> Result<Vec<Counted>, String> {
        let sound = is_share(self.margin) && self.until.is_none_or(is_share);
        in_range(sound && self.options.len() > 1 && !self.estimands.is_empty())?;
        let mut counted = Vec::new();
        let mut start = 0;
        for level in manifest.agent_names() {
            for (counting, width) in self.countings(manifest) {
                // The matches that are counted again come right before.
                let first = if let Counting::Again(_) = counting { start - width } else { start };
                start = first + width;
                counted.push(Counted { level: level.clone(), matches: first..start, counting });
            }
        }
        let all = manifest.plan.matches_of_a_block.len();
        if start == all && !counted.is_empty() { Ok(counted) } else { Err(unfit()) }
    }

    /// How the matches of one level are counted, and how many there are of each.
    fn countings(&self, manifest: &Manifest) -> Vec<(Counting, usize)> {
        let (options, players) = (self.options.len(), usize::from(manifest.players));
        let mut all = Vec::new();
        if self.has(Estimand::Forced) {
            let again = ResampledCount { options, seed: manifest.seed };
            all.push((Counting::Forced(ForcedCount { options, rotations: 1 }), options));
            all.push((Counting::Again(again), options));
        }
        if self.has(Estimand::Removed) {
            let (variants, rotations) =
                (removals(manifest, options).count(), vec![vec![0; players]]);
            let paired = PairedCount { players, roles: 1, variants, rotations };
            all.push((Counting::Removed(paired), variants));
        }
        if self.has(Estimand::Restricted) {
            let restricted = RestrictedCount { options, players };
            all.push((Counting::Restricted(restricted), options * players));
        }
        all
    }

    /// The sums, by what they estimate.
    fn sums<'a>(&self, manifest: &Manifest, totals: &'a Totals) -> Result<Sums<'a>, String> {
        let Balance { options, margin, .. } = self;
        let mut sums = Sums::default();
        let mut estimator = Estimator::first(totals, self.is_watched());
        for Counted { level, counting, .. } in self.counted(manifest)? {
            let width = counting.count().width();
            let (options, margin) = (options.clone(), *margin);
            match counting {
                Counting::Forced(count) => {
                    let resampled = None;
                    let of = forced::ForcedEffects {
                        estimator,
                        count,
                        resampled,
                        level,
                        options,
                        margin,
                    };
                    sums.forced.push(of);
                }
                // The replicates of a section follow right after its counts.
                Counting::Again(count) => {
                    if let Some(last) = sums.forced.last_mut() {
                        last.resampled = Some((estimator, count));
                    }
                }
                Counting::Restricted(count) => {
                    let of =
                        restricted::RestrictedEffects { estimator, count, level, options, margin };
                    sums.restricted.push(of);
                }
                Counting::Removed(count) => sums.removed.push(paired::PairedEffects {
                    estimator,
                    count,
                    roles: vec![level.clone()],
                    level,
                    estimand: "removed",
                    variants: removals(manifest, options.len()).collect(),
                    margin: Some(margin),
                    same: false,
                }),
            }
            estimator.offset += width;
        }
        Ok(sums)
    }
}

/// The names of the run's own rule set and of those without each option; those of restricted seats come behind.
fn removals(manifest: &Manifest, options: usize) -> impl Iterator<Item = String> {
    manifest.variants.iter().take(options + 1).map(|variant| variant.name.clone())
}

/// Matches of one level that are counted alike.
struct Counted {
    level: String,
    matches: Range<usize>,
    counting: Counting,
}

/// How matches are counted.
enum Counting {
    /// An option that is forced.
    Forced(ForcedCount),
    /// The same matches, weighted at random.
    Again(ResampledCount),
    /// Rule sets without an option.
    Removed(PairedCount),
    /// Seats with one option only.
    Restricted(RestrictedCount),
}

impl Counting {
    fn count(&self) -> &dyn Count {
        match self {
            Counting::Forced(count) => count,
            Counting::Again(count) => count,
            Counting::Removed(count) => count,
            Counting::Restricted(count) => count,
        }
    }

    fn boxed(self) -> Box<dyn Count> {
        match self {
            Counting::Forced(count) => Box::new(count),
            Counting::Again(count) => Box::new(count),
            Counting::Removed(count) => Box::new(count),
            Counting::Restricted(count) => Box::new(count),
        }
    }
}

/// The sums of each level, by what they estimate.
#[derive(Default)]
struct Sums<'a> {
    forced: Vec<forced::ForcedEffects<'a>>,
    restricted: Vec<restricted::RestrictedEffects<'a>>,
    removed: Vec<paired::PairedEffects<'a>>,
}

impl Study for Balance {
    fn question(&self) -> Question {
        Question::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "balance"
    }

    fn until(&self) -> Option<f64> {
        self.until
    }

    fn forced_choice(&self, choices: &[Choice]) -> Result<Option<ForcedChoice>, String> {
        let known = choices.iter().position(|known| known.name == self.choice);
        let all = known.map_or(&[][..], |choice| choices[choice].options);
        let number = |name: &String| all.iter().position(|option| option.name == *name);
        let options: Vec<usize> = self.options.iter().filter_map(number).collect();
        let twice = options.iter().enumerate().any(|(at, option)| options[..at].contains(option));
        if options.len() != self.options.len() || twice {
            return Err("the manifest's question: its options are not those of the choice".into());
        }
        Ok(known.map(|choice| ForcedChoice { choice, options }))
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        let section = |of: Counted| Section { matches: of.matches, count: of.counting.boxed() };
        Ok(self.counted(manifest)?.into_iter().map(section).collect())
    }

    fn described(&self) -> Vec<Described> {
        let mut all = vec![VERDICTS];
        for (estimand, table) in [(Estimand::Forced, CHOICES), (Estimand::Restricted, RESTRICTED)] {
            all.extend(self.has(estimand).then_some(table));
        }
        if self.has(Estimand::Removed) {
            all.extend(paired::COMMON);
        } else {
            all.push(ANOMALIES);
        }
        all
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let Sums { forced, restricted, removed } = self.sums(context.manifest, totals)?;
        let blocks = totals.blocks();
        let mut all = vec![verdicts::table(&forced, &restricted, &removed, blocks)];
        if !forced.is_empty() {
            all.push(forced::table(&forced, blocks));
        }
        if !restricted.is_empty() {
            all.push(restricted::table(&restricted, blocks));
        }
        if !removed.is_empty() {
            all.extend(paired::tables(&removed, blocks));
        }
        all.push(study::anomalies(totals));
        Ok(all)
    }

    /// The effects with verdicts. What gets no verdict keeps no run going, unless there is nothing else.
    fn watched_effects(&self, manifest: &Manifest, totals: &Totals) -> Vec<Option<Estimate>> {
        let Ok(sums) = self.sums(manifest, totals) else { return vec![None] };
        let removed =
            sums.removed.iter().flat_map(|section| section.judged_effects(section.family()));
        let removed = removed.map(|judged| Some(judged.effect));
        let restricted = sums.restricted.iter().flat_map(|section| section.rates().effects());
        let (withheld, forced): (Vec<_>, Vec<_>) =
            sums.forced.iter().partition(|section| section.is_withheld());
        let effects = |sections: &[&forced::ForcedEffects<'_>]| -> Vec<Option<Estimate>> {
            sections.iter().flat_map(|section| section.rates().effects()).collect()
        };
        let mut all: Vec<Option<Estimate>> = removed.chain(restricted).collect();
        all.extend(effects(&forced));
        if all.is_empty() { effects(&withheld) } else { all }
    }

    fn caution(&self) -> &'static str {
        "The effects hold at this level of play: agents choose by weights that were tuned for the printed \
         rules, and people may use an option better or worse. Undecided does not mean balanced."
    }

    /// A sentence for each verdict, then the options with their effects.
    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let verdicts = table(tables, "verdicts").map_or(&[][..], |table| &table.rows);
        let levels = manifest.agents.len();
        // Those of single options, and of single levels of several, are left to the tables.
        let said = |row: &&Row| row.keys[2].is_empty() && (levels == 1 || row.keys[0] == "all");
        let joint = verdicts.iter().filter(said);
        let mut sentences: Vec<Sentence> =
            joint.map(|row| of_verdict(row, tables, levels, self.margin)).collect();
        sentences.sort_by_key(|sentence| matches!(sentence.tone, Tone::Open));
        sentences.dedup_by(|one, other| one.text == other.text);
        let open = sentences.is_empty() || sentences.iter().any(|said| said.tone == Tone::Open);
        let unbalanced = sentences.iter().any(|said| said.tone == Tone::No);
        if levels > 1 && !sentences.is_empty() {
            let text = "By level of play, and by option: --full.".to_owned();
            sentences.push(Sentence::new(Tone::Plain, text));
        }
        if sentences.is_empty() {
            sentences.push(Sentence::new(Tone::Open, "No verdict: no match came to the choice."));
        }
        let grid = options(tables, levels);
        let grid = if grid.rows.is_empty() { removed(tables, levels) } else { grid };
        let longer = if open { next::longer(self, manifest) } else { None };
        let mut next: Vec<String> =
            longer.into_iter().map(|command| format!("Play on:\n  {command}")).collect();
        if unbalanced {
            let fields = format!("fairhaven rules {} lists the fields", manifest.game);
            let change = next::with(self, manifest, "--set", "FIELD=VALUE");
            next.extend(change.map(|command| format!("Try a change ({fields}):\n  {command}")));
        }
        Answer { sentences, grid, next }
    }

    fn notes(&self, _: &[Table]) -> Vec<String> {
        let names = self.dropped.join(", ");
        let note = format!("Left out, since nobody can take it under this rule set: {names}.");
        if names.is_empty() { Vec::new() } else { vec![note] }
    }
}

/// One line of the verdicts: the options outside the margin, or the largest effect.
fn of_verdict(row: &Row, tables: &[Table], levels: usize, margin: f64) -> Sentence {
    let (level, estimand, largest) = (&row.keys[0], &row.keys[1], &row.keys[3]);
    let verdict = more(row, 2);
    let margin = figures::margin(margin);
    let place = match level.as_str() {
        "all" => format!("{estimand}, all levels"),
        level if levels > 1 => format!("{estimand}, {level}"),
        _ => estimand.clone(),
    };
    let largest = format!("{largest} {}", cell(Some(row), Unit::Difference));
    let what = match row.metric {
        "largest_difference" => "difference between two options",
        _ => "effect",
    };
    let text = match verdict_tone(verdict) {
        Tone::Yes => {
            format!("Balanced within {margin} pp ({place}): the largest {what} is {largest}.")
        }
        Tone::No if row.metric == "largest_difference" => {
            format!("Two options differ by more than {margin} pp ({place}): {largest}.")
        }
        Tone::No if level == "all" => format!("{} ({estimand}): {largest}.", upper(verdict)),
        Tone::No => {
            let outside = outside(tables, level, estimand);
            let all = if outside.is_empty() { largest } else { outside.join(", ") };
            format!("Not balanced within {margin} pp ({place}): {all}.")
        }
        _ if verdict.starts_with("withheld") => {
            format!("{} ({place}): read the restricted verdict.", upper(verdict))
        }
        _ => format!("{} ({place}); the largest {what} is {largest}.", upper(verdict)),
    };
    Sentence::new(verdict_tone(verdict), text)
}

/// The text with a capital letter.
fn upper(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// The options, or variants, whose own verdict is that they are unbalanced.
fn outside(tables: &[Table], level: &str, estimand: &str) -> Vec<String> {
    let of = |row: &Row, name: &str| format!("{name} {}", cell(Some(row), Unit::Difference));
    let judged = |row: &&Row| row.keys[0] == level && verdict_tone(more(row, 2)) == Tone::No;
    let rows = |name| table(tables, name).map_or(&[][..], |table| &table.rows);
    let choices = rows("choices").iter().filter(judged);
    let forced = choices.filter(|_| estimand == "forced");
    let restricted = rows("restricted").iter().filter(judged).filter(|_| estimand == "restricted");
    let options = forced.chain(restricted).filter(|row| row.metric == "effect");
    let options = options.map(|row| of(row, &row.keys[1]));
    let effects = rows("effects").iter().filter(judged).filter(|row| row.keys[1] == estimand);
    let others = effects.map(|row| of(row, &format!("{}, {}", row.keys[2], row.keys[3])));
    options.chain(others).take(ROWS_MAX / 2).collect()
}

/// The options with their effects, forced and as the only one.
fn options(tables: &[Table], levels: usize) -> Grid {
    let mut rows = Vec::new();
    for (name, estimand) in [("choices", "forced"), ("restricted", "restricted")] {
        let table = table(tables, name).map_or(&[][..], |table| &table.rows);
        for row in table.iter().filter(|row| row.metric == "effect") {
            let mut cells = vec![row.keys[1].clone(), estimand.to_owned()];
            if levels > 1 {
                cells.push(row.keys[0].clone());
            }
            let verdict = more(row, 2).split([' ', ':']).next().unwrap_or_default();
            let by = judged_by(row).filter(|_| levels == 1 && verdict != "withheld");
            cells.extend([
                cell(Some(row), Unit::Difference),
                verdict.to_owned() + &by.unwrap_or_default(),
            ]);
            rows.push(cells);
        }
    }
    rows.truncate(2 * ROWS_MAX);
    let words: &[&str] = if levels > 1 {
        &["option", "estimand", "level", "effect (95 %)", "verdict"]
    } else {
        &["option", "estimand", "effect (95 %)", "verdict"]
    };
    Grid { title: "Options".to_owned(), header: header(words), rows }
}

/// The options that were taken out of the rules, each with its largest effect on the win rate of a seat.
fn removed(tables: &[Table], levels: usize) -> Grid {
    let effects = table(tables, "effects").map_or(&[][..], |table| &table.rows);
    let size = |row: &Row| row.estimate.map_or(0.0, |estimate| estimate.value.abs());
    let mut largest: Vec<&Row> = Vec::new();
    for row in effects.iter().filter(|row| !more(row, 2).is_empty()) {
        match largest
            .iter_mut()
            .find(|other| other.keys[0] == row.keys[0] && other.keys[2] == row.keys[2])
        {
            Some(other) if size(row) > size(other) => *other = row,
            Some(_) => {}
            None => largest.push(row),
        }
    }
    let cells = |row: &&Row| {
        let verdict = more(row, 2).split([' ', ':']).next().unwrap_or_default();
        let level = (levels > 1).then(|| row.keys[0].clone());
        let shown = [row.keys[3].clone(), cell(Some(row), Unit::Difference), verdict.to_owned()];
        [row.keys[2].clone()].into_iter().chain(level).chain(shown).collect()
    };
    let words: &[&str] = if levels > 1 {
        &["rules", "level", "win rate of", "largest effect (95 %)", "verdict"]
    } else {
        &["rules", "win rate of", "largest effect (95 %)", "verdict"]
    };
    let rows = largest.iter().take(2 * ROWS_MAX).map(cells).collect();
    Grid { title: "Options".to_owned(), header: header(words), rows }
}

/// The interval that a verdict was given by, in percentage points, where it is another than the row's.
fn judged_by(row: &Row) -> Option<String> {
    let number = |column| more(row, column).parse::<f64>().ok();
    let (lo, hi, level) = (number(3)?, number(4)?, number(5)?);
    let shown = |share: f64| figures::fixed(100.0 * share, 1);
    Some(format!(" ({} %: {} to {})", libm::round(100.0 * level), shown(lo), shown(hi)))
}
