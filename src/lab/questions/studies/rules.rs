//! What does a change of rules do? Two rule sets on the same deals (`compare --rules-a --rules-b`).

use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::changes::{self, clearest, compared, rows, words};
use crate::lab::questions::studies::paired::{self, EFFECTS, PAIRING, VARIANTS};
use crate::lab::questions::studies::study::{self, Context, Design, Study};
use crate::lab::questions::studies::variants::Variants;
use crate::lab::report::answer::{Answer, Sentence, Tone, header, measure, strength};
use crate::lab::report::described::{COMPARED, DIFFERENCES, TableSchema};
use crate::lab::report::figures::{self, cell};
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::metric::unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{self, Row};
use crate::lab::setup::rules::{changed, rule_set, with_files};
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::paired::matches;
use crate::sim::line_up::LineUp;
use crate::sim::simulation::rotations;
use crate::sim::trials::Section;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;
use toml::{Table, Value};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Rules>(KIND, &[VARIANTS, EFFECTS, PAIRING]);
const KIND: &str = "rules";

/// What does a change of rules do? (`compare --rules-a --rules-b`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rules {}

/// What one rule set changes in that of the run: a file first, if there is one, then `field=value`.
type Words = [String];

impl Rules {
    /// Both rule sets in every rotation of a line-up, for a number of matches, rounded up to whole blocks.
    ///
    /// # Errors
    /// If one of them can't be read or played with.
    pub fn design(
        game: &dyn LoadedGame,
        line_up: LineUp,
        [a, b]: [&Words; 2],
        asked: u64,
    ) -> Result<Design> {
        let base = game.rules();
        let variant = |name: &str, words: &Words| -> Result<Variant> {
            let changes = changes(game, &base, words)?;
            let short: Vec<&str> = changes.iter().map(|change| named(change, words)).collect();
            let named = if changes.is_empty() { "base".to_owned() } else { short.join(" ") };
            Ok(Variant { name: format!("{name}: {named}"), changes })
        };
        let variants = vec![variant("A", a)?, variant("B", b)?];
        let LineUp { agents, seats } = line_up;
        let rotations = rotations(&seats);
        let matches = matches((0..2).map(|variant| (variant, rotations.clone())));
        let blocks = asked.div_ceil(matches.len() as u64);
        let chunk = Chunking::chunk_for(blocks);
        Ok(Design { question: Box::new(Rules {}), variants, agents, matches, blocks, chunk })
    }
}

/// A change as it is shown: a text of several lines by the word that names its file.
fn named<'a>(change: &'a str, words: &'a Words) -> &'a str {
    let field = change.split_once('=').map_or(change, |(field, _)| field);
    let names = |word: &&String| word.split_once('=').is_some_and(|(of, _)| of.trim() == field);
    match words.iter().find(names) {
        Some(word) if change.contains('\n') => word,
        _ if change.contains('\n') => field,
        _ => change,
    }
}

/// What files and single fields change in a rule set, as `field=value`.
fn changes(game: &dyn LoadedGame, base: &Table, words: &Words) -> Result<Vec<String>> {
    let game_type = game.game_type();
    let fields = game_type.facts().fields;
    let is_field = |word: &str| {
        word.split_once('=')
            .is_some_and(|(path, _)| fields.iter().any(|field| field.path == path.trim()))
    };
    let is_file = |word: &String| {
        let ends_like_one = Path::new(word).extension().is_some_and(|ending| ending == "toml");
        ends_like_one && !is_field(word)
    };
    // A file holds a whole rule set: anywhere else it would undo what comes before it.
    if let Some(file) = words.iter().skip(1).find(|word| is_file(word)) {
        bail!("`{file}` is a whole rule set; name one file at most, before single fields");
    }
    let (from, sets) = match words.split_first().filter(|(first, _)| is_file(first)) {
        Some((file, sets)) => (rule_set(game_type, Path::new(file))?, sets),
        None => (base.clone(), words),
    };
    let sets = with_files(game_type, sets)?;
    let rules = changed(game_type, from, &sets, game.players())?.rules();
    let mut changes = Vec::new();
    differences("", base, &rules, &mut changes);
    Ok(changes)
}

/// The leaves in which two rule sets differ.
fn differences(path: &str, base: &Table, other: &Table, changes: &mut Vec<String>) {
    for (key, value) in other {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (base.get(key), value) {
            (Some(Value::Table(base)), Value::Table(other)) => {
                differences(&path, base, other, changes);
            }
            (Some(old), new) if old == new => {}
            (_, Value::String(word)) => changes.push(format!("{path}={word}")),
            (_, value) => changes.push(format!("{path}={value}")),
        }
    }
}

/// Whether the two rule sets are one and the same. What a variant changes is listed in the order of the fields, so
/// equal rule sets have equal lists.
fn are_same(manifest: &Manifest) -> bool {
    let [a, b] = &manifest.variants[..] else { return false };
    let reproducible = manifest.agents.iter().all(|agent| agent.reproducible);
    a.changes == b.changes && reproducible
}

impl Question for Rules {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "compare"
    }

    fn described(&self) -> Vec<TableSchema> {
        paired::COMMON.to_vec()
    }

    fn caution(&self) -> &'static str {
        "The difference holds at this level of play: agents read costs from the rule set, but their weights \
         were not tuned for either rule set. An interval that holds 0 does not say that the rules are the \
         same."
    }

    fn answer(&self, manifest: &Manifest, tables: &[table::Table]) -> Answer {
        let effects = rows(tables, "effects");
        let mut strongest = compared(effects);
        strongest.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        let [a, b] = [0, 1].map(|at| manifest.variants.get(at).map_or("", |variant| &variant.name));
        let set = |name: &str| name.replacen(": ", " (", 1) + ")";
        let first = if are_same(manifest) {
            let (a, b) = (set(a), set(b));
            let text =
                format!("{a} and {b} are the same rule set: every difference is 0 by design.");
            Sentence::new(Tone::Plain, text)
        } else {
            clearest(&format!("{} against {}", set(b), set(a)), &strongest, |row, family| {
                words(effects, row, family)
            })
        };
        let level = |variant: &str, row: &Row| {
            let keys = [row.keys[0].as_str(), variant, row.keys[3].as_str()];
            let variants = rows(tables, "variants").iter();
            let found = variants.filter(|of| of.keys == keys).find(|of| of.metric == row.metric);
            let estimate = found.and_then(|row| row.estimate);
            estimate.map_or("–".to_owned(), |estimate| {
                figures::value(&estimate, unit(&COMPARED, row.metric))
            })
        };
        let cells = |row: &&Row| {
            vec![
                measure(row.metric, &row.keys[3]),
                level(a, row),
                level(b, row),
                cell(Some(row), unit(&DIFFERENCES, row.metric)),
                row.adjusted(),
            ]
        };
        let grid = Grid {
            title: "Rules".to_owned(),
            header: header(&["measure", "A", "B", "B minus A (95 %)", "p (Holm)"]),
            rows: effects.iter().map(|row| cells(&row)).collect(),
        };
        changes::finish(self, manifest, first, grid)
    }
}

impl Study for Rules {
    fn is_in_matches(&self) -> bool {
        true
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        Ok(Variants::of_rules(manifest)?.sections())
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<table::Table>, String> {
        let section = Variants::of_rules(context.manifest)?.section(KIND, totals, false);
        let section = paired::PairedEffects { same: are_same(context.manifest), ..section };
        let mut tables = paired::tables(&[section], totals.blocks());
        tables.push(study::anomalies(totals));
        Ok(tables)
    }
}
