//! What does a change of rules do? Two rule sets on the same deals (`compare --rules-a --rules-b`), at one level of play or
//! at several.

use crate::lab::questions::question::{Entry, Question, is_zero};
use crate::lab::questions::studies::at_levels::{
    self, Finding, LEVELS_MAX, Span, Standing, findings, with_joint_intervals,
};
use crate::lab::questions::studies::changes::{clearest_among, compared, rows, words};
use crate::lab::questions::studies::joint::{is_clear, joint_cell};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::paired::{self, EFFECTS, PAIRING, PairedEffects, VARIANTS};
use crate::lab::questions::studies::study::{self, Context, Design, Study, in_range};
use crate::lab::questions::studies::variants::{ADAPTED, Variants};
use crate::lab::report::answer::{Answer, Sentence, Tone, header, measure, measured, strength};
use crate::lab::report::described::{COMPARED, DIFFERENCES, TableSchema};
use crate::lab::report::figures::{self, cell};
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::metric::unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{self, Row};
use crate::lab::setup::rules::{changed, rule_set, with_files};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{GameType, LoadedGame};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::paired::matches;
use crate::sim::guests::seating::short_name;
use crate::sim::line_up::LineUp;
use crate::sim::simulation::rotations;
use crate::sim::trials::{MatchPlan, Section};
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;
use toml::{Table, Value};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Rules>(KIND, &[VARIANTS, EFFECTS, PAIRING]);
const KIND: &str = "rules";

/// The most rows of the answer at several levels of play.
const ROWS_OF_LEVELS: usize = 12;

/// What does a change of rules do? (`compare --rules-a --rules-b`)
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Further agents that play both rule sets, each in all seats: other levels of play.
    #[serde(default, skip_serializing_if = "is_zero")]
    levels: usize,
    /// Whether the last agent has adapted to rules B: it plays them once more, in all seats, against the run's agent under
    /// rules A.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    adapted: bool,
}

/// Who plays both rule sets.
#[derive(Debug)]
pub struct Players {
    /// The run's own agents.
    pub line_up: LineUp,
    /// Further levels of play.
    pub levels: Vec<AgentSpec>,
    /// Who has adapted to rules B; then the line-up has one agent.
    pub adapted: Option<AgentSpec>,
}

impl From<LineUp> for Players {
    fn from(line_up: LineUp) -> Players {
        Players { line_up, levels: Vec::new(), adapted: None }
    }
}

/// What one rule set changes in that of the run: a file first, if there is one, then `field=value`.
type Words = [String];

impl Rules {
    /// Both rule sets in every rotation of a line-up, once with each further level of play in all seats, and with agents
    /// that have adapted to B, for a number of matches, rounded up to whole blocks.
    ///
    /// # Errors
    /// If one of them can't be read or played with.
    pub fn design(
        game: &dyn LoadedGame,
        players: impl Into<Players>,
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
        let Players { line_up: LineUp { mut agents, seats }, levels, adapted } = players.into();
        let alone = |agent: usize| vec![vec![agent; seats.len()]];
        let further = (agents.len()..).take(levels.len()).map(|level| [alone(level), alone(level)]);
        let last = adapted.is_some().then(|| [alone(0), alone(agents.len() + levels.len())]);
        let own = rotations(&seats);
        let sections = std::iter::once([own.clone(), own]).chain(further).chain(last);
        let matches: Vec<MatchPlan> =
            sections.flat_map(|of| matches(of.into_iter().enumerate())).collect();
        let blocks = asked.div_ceil(matches.len() as u64);
        let chunk = Chunking::chunk_for(blocks);
        let question = Box::new(Rules { levels: levels.len(), adapted: adapted.is_some() });
        agents.extend(levels.into_iter().chain(adapted));
        Ok(Design { question, variants, agents, matches, blocks, chunk })
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
    let is_file = |word: &String| is_file(game_type, word);
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

/// Whether a word names the file of a whole rule set, not a field.
pub fn is_file(game: &dyn GameType, word: &str) -> bool {
    let fields = game.facts().fields;
    let is_field = word
        .split_once('=')
        .is_some_and(|(path, _)| fields.iter().any(|field| field.path == path.trim()));
    !is_field && Path::new(word).extension().is_some_and(|ending| ending == "toml")
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

impl Rules {
    /// The sections of a block.
    fn variants(&self, manifest: &Manifest) -> Result<Vec<Variants>, String> {
        if self.adapted {
            Variants::of_adapted(manifest, self.levels + 1)
        } else {
            Variants::of_levels(manifest, self.levels)
        }
    }
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

    fn has_adapted(&self) -> bool {
        self.adapted
    }

    fn caution(&self) -> &'static str {
        if self.adapted {
            "The differences hold at these levels of play. Who has adapted is the best that a search found, not the best \
             there is. An interval that holds 0 does not say that the rules are the same."
        } else {
            "The difference holds at this level of play: agents read costs from the rule set, but their weights \
             were not tuned for either rule set. An interval that holds 0 does not say that the rules are the \
             same."
        }
    }

    fn answer(&self, manifest: &Manifest, tables: &[table::Table]) -> Answer {
        let shown = Shown { manifest, tables, levels: 1 + self.levels, adapted: self.adapted };
        let mut sentences = vec![shown.first()];
        if self.levels > 0 && !are_same(manifest) {
            sentences.push(shown.at_levels());
        }
        if self.adapted && !are_same(manifest) {
            sentences.push(shown.adapted());
        }
        let grid = if shown.sections() > 1 { shown.by_level() } else { shown.measures() };
        let is_open = sentences.iter().any(|said| said.tone == Tone::Open);
        let longer = if is_open { next::longer(self, manifest) } else { None };
        let mut next: Vec<String> =
            longer.map(|command| format!("Narrower intervals:\n  {command}")).into_iter().collect();
        if shown.sections() == 1 && sentences[0].tone == Tone::Yes {
            next.extend(at_levels::proposed(self.command(), manifest, &[]));
        }
        Answer { sentences, grid, next }
    }
}

impl Study for Rules {
    fn is_in_matches(&self) -> bool {
        true
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        in_range(self.levels <= LEVELS_MAX)?;
        Ok(Variants::counted(&self.variants(manifest)?))
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<table::Table>, String> {
        let all = self.variants(context.manifest)?;
        let same = are_same(context.manifest);
        let sections = Variants::effects(all, KIND, totals, false).into_iter();
        let sections: Vec<PairedEffects<'_>> =
            sections.map(|section| PairedEffects { same, ..section }).collect();
        let mut tables = paired::tables(&sections, totals.blocks());
        if self.levels > 0 || self.adapted {
            let effects = tables.iter_mut().filter(|table| table.name == EFFECTS.name);
            for table in effects {
                let family = compared(&table.rows).len();
                with_joint_intervals(&mut table.rows, family);
            }
        }
        tables.push(study::anomalies(self, totals));
        Ok(tables)
    }
}

/// What the answer shows.
struct Shown<'a> {
    manifest: &'a Manifest,
    tables: &'a [table::Table],
    /// Levels of play, the line-up of the run included.
    levels: usize,
    /// Whether the last level is that of agents that have adapted.
    adapted: bool,
}

impl<'a> Shown<'a> {
    fn effects(&self) -> &'a [Row] {
        rows(self.tables, EFFECTS.name)
    }

    /// Levels of play, and agents that have adapted.
    fn sections(&self) -> usize {
        self.levels + usize::from(self.adapted)
    }

    /// How many differences there are at all levels.
    fn family(&self) -> usize {
        compared(self.effects()).len()
    }

    /// What B does with the run's own line-up.
    fn first(&self) -> Sentence {
        let effects = self.effects();
        let level = effects.first().map(|row| &row.keys[0]);
        let mut strongest = compared(effects);
        strongest.retain(|row| Some(&row.keys[0]) == level);
        strongest.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        let set = |at: usize| {
            let name = self.manifest.variants.get(at).map_or("", |variant| &variant.name);
            name.replacen(": ", " (", 1) + ")"
        };
        let (a, b) = (set(0), set(1));
        if are_same(self.manifest) {
            let text =
                format!("{a} and {b} are the same rule set: every difference is 0 by design.");
            return Sentence::new(Tone::Plain, text);
        }
        let who = match level {
            Some(level) if self.sections() > 1 => {
                format!("{}: ", short_name(&self.manifest.game, level))
            }
            _ => String::new(),
        };
        let what = format!("{who}{b} against {a}");
        clearest_among(&what, &strongest, self.family(), |row, family| words(effects, row, family))
    }

    /// What is clear at one of some levels of play at least.
    fn findings(&self, is_asked: impl Fn(&str) -> bool) -> Vec<Finding<'a>> {
        let (mut effects, family) = (compared(self.effects()), self.family());
        effects.retain(|row| is_asked(&row.keys[0]));
        findings(&effects, |row| match row.estimate {
            Some(effect) if is_clear(row, family) && effect.value > 0.0 => Standing::Above,
            Some(effect) if is_clear(row, family) && effect.value < 0.0 => Standing::Below,
            _ => Standing::Open,
        })
    }

    /// Whether what is clear at one level holds at all.
    fn at_levels(&self) -> Sentence {
        let found = self.findings(|level| level != ADAPTED);
        self.across(&found, Span::levels(self.levels), "no difference is clear at any")
    }

    /// Whether what is clear with agents as they are, or once they have adapted, is so both times.
    fn adapted(&self) -> Sentence {
        let own = self.effects().first().map_or("", |row| row.keys[0].as_str());
        let found = self.findings(|level| level == own || level == ADAPTED);
        self.across(&found, Span::adapted(), "no difference is clear either time")
    }

    fn across(&self, found: &[Finding<'_>], span: Span, nothing: &str) -> Sentence {
        let family = self.family();
        let words = at_levels::Words {
            game: &self.manifest.game,
            span,
            what: &|row| measured(row.metric, &row.keys[3]),
            figure: &|row| joint_cell(row, unit(&DIFFERENCES, row.metric), family),
            clear: "clear",
            nothing: (Tone::Open, nothing),
        };
        at_levels::sentence(found, &words)
    }

    /// The value of a row's measure under a rule set.
    fn value(&self, variant: usize, row: &Row) -> String {
        let name = self.manifest.variants.get(variant).map_or("", |variant| &variant.name);
        let keys = [row.keys[0].as_str(), name, row.keys[3].as_str()];
        let variants = rows(self.tables, VARIANTS.name).iter();
        let found = variants.filter(|of| of.keys == keys).find(|of| of.metric == row.metric);
        let estimate = found.and_then(|row| row.estimate);
        estimate.map_or("–".to_owned(), |estimate| {
            figures::value(&estimate, unit(&COMPARED, row.metric))
        })
    }

    /// All measures at the one level of play.
    fn measures(&self) -> Grid {
        let cells = |row: &Row| {
            vec![
                measure(row.metric, &row.keys[3]),
                self.value(0, row),
                self.value(1, row),
                cell(Some(row), unit(&DIFFERENCES, row.metric)),
                row.adjusted(),
            ]
        };
        Grid {
            title: "Rules".to_owned(),
            header: header(&["measure", "A", "B", "B minus A (95 %)", "p (Holm)"]),
            rows: self.effects().iter().map(cells).collect(),
        }
    }

    /// What is clear at one level at least, then win rates, at each level; intervals hold for all levels together.
    fn by_level(&self) -> Grid {
        let found = self.findings(|_| true);
        let (effects, family) = (compared(self.effects()), self.family());
        let rates = effects.iter().filter(|row| row.metric == "win_rate");
        let first = found.iter().map(|of| of.rows[0].0).chain(rates.copied());
        let mut about: Vec<(&str, &str)> = Vec::new();
        for row in first {
            let of = (row.metric, row.keys[3].as_str());
            if !about.contains(&of) {
                about.push(of);
            }
        }
        about.truncate((ROWS_OF_LEVELS / self.sections()).max(1));
        let cells = |row: &&Row| {
            vec![
                measure(row.metric, &row.keys[3]),
                short_name(&self.manifest.game, &row.keys[0]).to_owned(),
                self.value(0, row),
                self.value(1, row),
                joint_cell(row, unit(&DIFFERENCES, row.metric), family),
                row.adjusted(),
            ]
        };
        let of = |(metric, of): (&str, &str)| {
            let rows = effects.iter().filter(move |row| row.metric == metric && row.keys[3] == of);
            rows.map(cells).collect::<Vec<Vec<String>>>()
        };
        Grid {
            title: "Rules".to_owned(),
            header: header(&["measure", "level", "A", "B", "B minus A (joint 95 %)", "p (Holm)"]),
            rows: about.into_iter().flat_map(of).collect(),
        }
    }
}
