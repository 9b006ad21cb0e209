//! `manifest.json`: what was run, with what, and how it went. The only file with wall times.

use crate::lab::report::agent_entry::AgentEntry;
#[cfg(test)]
use crate::lab::report::agent_entry::Fields;
use crate::lab::report::hash::{FNV_START, fnv, hash};
use crate::lab::report::sums::FileDigest;
use crate::sim::agents::command::EXEC;
use crate::sim::batch::Chunking;
use crate::sim::trials::MatchPlan;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::io;
use std::ops::Range;
use std::path::Path;

/// Version of the files of a run; raised when a reader of the old ones would go wrong.
pub const SCHEMA_VERSION: u32 = 4;

/// The longest manifest, in bytes: far above what any question needs.
pub const MANIFEST_MAX: usize = 4 << 20;

/// A hash of the sources that the program was built from: parts of one run must come from one build.
pub const BUILD: &str = env!("FAIRHAVEN_BUILD");

/// The manifest of a run: enough to play any part of it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "manifest.json"))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the files of a run.
    pub schema_version: u32,
    /// The program's version.
    pub version: String,
    /// A hash of the sources that the program was built from.
    pub build: String,
    /// The command line, word by word.
    pub command: Vec<String>,
    /// What is asked.
    pub question: QuestionSpec,
    /// The game.
    pub game: String,
    /// Players at the table.
    #[cfg_attr(test, schemars(range(min = 2, max = 6)))]
    pub players: u8,
    /// Why the settings are unofficial, if they are.
    pub unofficial: Option<String>,
    /// The rule set, every field.
    #[cfg_attr(test, schemars(with = "Fields"))]
    pub rules: toml::Table,
    /// A hash of the rule set (FNV-1a, 64 bits, of its TOML).
    pub rules_hash: String,
    /// The rule sets that are compared: what each changes in `rules`.
    pub variants: Vec<Variant>,
    /// The distinct agents.
    pub agents: Vec<AgentEntry>,
    /// The master seed.
    pub seed: u64,
    /// The generator of all random numbers.
    pub generator: String,
    /// What is played.
    pub plan: PlanEntry,
    /// The share of matches that guests may lose by failing, 0 to 1, where a failure doesn't stop the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault_share: Option<f64>,
    /// Thresholds that the tables must keep.
    pub require: Vec<String>,
    /// What has been played.
    pub played: Played,
    /// Times; nothing else in a run depends on the clock.
    pub wall: Wall,
    /// Files beside this one, as the run wrote them.
    pub files: Vec<FileEntry>,
    /// A hash of everything above (FNV-1a, 64 bits, of its JSON without this field): it tells whether the
    /// file was changed since the run wrote it. It is not tamper-proof.
    pub checksum: String,
}

/// A file of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name in the directory.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// A hash of its bytes (FNV-1a, 64 bits).
    pub hash: String,
}

impl FileEntry {
    /// The entry of a file with these bytes.
    pub fn of(name: String, bytes: &[u8]) -> FileEntry {
        let hash = format!("{:016x}", fnv(FNV_START, bytes));
        FileEntry { name, bytes: bytes.len() as u64, hash }
    }

    /// The entry of a file of a directory.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn at(directory: &Path, name: &str) -> io::Result<FileEntry> {
        let FileDigest { bytes, hash } = FileDigest::of(&directory.join(name))?;
        Ok(FileEntry { name: name.to_owned(), bytes, hash: format!("{hash:016x}") })
    }
}

/// What a run asks: the kind of its study, and the settings, which that study reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuestionSpec {
    /// The kind of study.
    pub kind: String,
    /// The settings.
    #[serde(flatten)]
    pub settings: Map<String, Value>,
}

impl QuestionSpec {
    /// The question of a study with these settings.
    ///
    /// # Panics
    /// If they are no structure that JSON can hold.
    pub fn new(kind: &str, settings: &impl Serialize) -> QuestionSpec {
        let Ok(Value::Object(settings)) = serde_json::to_value(settings) else {
            panic!("the settings of `{kind}` are a structure of numbers and words");
        };
        QuestionSpec { kind: kind.to_owned(), settings }
    }

    /// Whether a run plays only what is new in each block, to be joined to an earlier run.
    pub fn is_addition(&self) -> bool {
        self.settings.get(ONTO).is_some_and(|earlier| !earlier.is_null())
    }
}

/// The setting of a run that plays only what is new in each block: how many matches of it were played earlier.
pub const ONTO: &str = "onto";

/// How rows of matches are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RowForm {
    /// matches.csv
    Csv,
    /// matches.csv.zst
    Zst,
}

/// A rule set by what it changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name in tables.
    pub name: String,
    /// `field=value`, as `--set` takes it, on top of the run's rule set.
    pub changes: Vec<String>,
}

impl Variant {
    /// The run's own rule set.
    pub fn base() -> Variant {
        Variant { name: "base".to_owned(), changes: Vec::new() }
    }
}

/// Part `part` of `parts`, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part.
    pub part: u64,
    /// The number of parts.
    pub parts: u64,
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

/// The plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlanEntry {
    /// Blocks in all; the most of them, if a run may stop by itself.
    pub blocks: u64,
    /// Blocks that are counted together. A run that may stop by itself looks at its data after each.
    pub chunk: u64,
    /// Which wave of a run that may stop by itself is played, without a look at it; no wave if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<Wave>,
    /// Which part of the blocks, or of the wave, this run plays; all of them if there is none.
    pub shard: Option<Shard>,
    /// MATCH of a block: the rule set, which of `agents` sits in each seat, and what is forced.
    #[cfg_attr(test, schemars(with = "Vec<MatchOfABlock>"))]
    pub matches_of_a_block: Vec<MatchPlan>,
}

impl PlanEntry {
    /// Blocks and chunks.
    pub fn plan(&self) -> Chunking {
        Chunking { blocks: self.blocks, chunk: self.chunk }
    }

    /// The chunks that this run plays.
    pub fn chunks(&self) -> Range<u64> {
        chunks_of(&self.plan(), self.wave, self.shard)
    }

    /// Whether some of the blocks are played, to be merged with the others.
    pub fn is_part(&self) -> bool {
        self.shard.is_some() || self.wave.is_some()
    }
}

/// The chunks of a part of a plan, or of a wave of it.
pub fn chunks_of(plan: &Chunking, wave: Option<Wave>, shard: Option<Shard>) -> Range<u64> {
    let all = wave.map_or(0..plan.chunks(), |wave| wave.chunks(plan));
    shard.map_or(all.clone(), |shard| shard.of(all))
}

/// The most parts of a run.
pub const PARTS_MAX: u64 = 1_000_000;

impl Shard {
    /// Whether it is one of its parts, of which there are at most [`PARTS_MAX`].
    pub fn is_in_range(self) -> bool {
        (1..=self.parts).contains(&self.part) && self.parts <= PARTS_MAX
    }

    /// This part of some chunks.
    pub fn of(self, all: Range<u64>) -> Range<u64> {
        let Shard { part, parts } = self;
        let chunks = u128::from(all.end - all.start);
        let cut = |part: u64| {
            let cut = chunks * u128::from(part) / u128::from(parts);
            all.start + u64::try_from(cut).expect("no more than all chunks")
        };
        cut(part - 1)..cut(part)
    }
}

/// A wave of a run that may stop by itself: as many blocks as are played before somebody looks at them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// Which wave, from 1.
    pub number: u64,
    /// Blocks of each wave, rounded up to whole chunks; the last one ends with the plan.
    pub blocks: u64,
}

impl Wave {
    /// Whether it has a number from 1 on, and blocks.
    pub fn is_in_range(self) -> bool {
        self.number > 0 && self.blocks > 0
    }

    /// Its chunks; none behind the end of the plan.
    pub fn chunks(self, plan: &Chunking) -> Range<u64> {
        let each = self.blocks.div_ceil(plan.chunk);
        let end = |waves: u64| each.saturating_mul(waves).min(plan.chunks());
        end(self.number.saturating_sub(1))..end(self.number)
    }

    /// How many waves of this size the plan has.
    pub fn all(self, plan: &Chunking) -> u64 {
        plan.chunks().div_ceil(self.blocks.div_ceil(plan.chunk).max(1))
    }
}

/// What has been played.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Whether the run is done: every block of its part was played, or it has stopped by itself.
    pub complete: bool,
    /// Why it has stopped by itself, if it has.
    pub stopped: Option<String>,
    /// Blocks: the first ones of its part, without gaps.
    pub blocks: u64,
    /// Matches that ended.
    pub matches: u64,
    /// Decisions of all of them.
    pub decisions: u64,
    /// Matches in which an agent failed.
    pub failures: u64,
}

/// Times.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Seconds from the first match to the last.
    pub wall_s: f64,
    /// Seconds of all threads that searching agents thought, by agent; 0 for agents that do not search.
    pub thinking_s: Vec<f64>,
    /// Threads.
    pub threads: usize,
}

impl Wall {
    /// Adds the times of one session of a run.
    pub fn add(&mut self, session: &Wall) {
        self.wall_s += session.wall_s;
        self.thinking_s.resize(session.thinking_s.len(), 0.0);
        self.thinking_s.iter_mut().zip(&session.thinking_s).for_each(|(sum, more)| *sum += more);
        self.threads = session.threads;
    }
}

impl Manifest {
    /// Whether programs outside play, which are started only where that is allowed.
    pub fn has_guests(&self) -> bool {
        self.agents.iter().any(|agent| agent.kind == EXEC)
    }

    /// The name of the design: the same for all parts of a run, and however far it has been played.
    pub fn design_hash(&self) -> u64 {
        let plan = PlanEntry { wave: None, shard: None, ..self.plan.clone() };
        let mut parts = serde_json::json!([
            self.schema_version,
            self.version,
            self.build,
            self.question,
            self.game,
            self.players,
            self.rules,
            self.variants,
            self.agents,
            self.seed,
            self.generator,
            plan,
        ]);
        if let (Some(share), Some(parts)) = (self.fault_share, parts.as_array_mut()) {
            parts.push(share.into());
        }
        fnv(FNV_START, parts.to_string().as_bytes())
    }

    /// What [`Manifest::checksum`] is to be.
    fn sum(&self) -> String {
        let bare = Manifest { checksum: String::new(), ..self.clone() };
        hash(&serde_json::to_string(&bare).expect("a manifest is JSON"))
    }

    /// The text of the file, with its checksum.
    pub fn to_json(&self) -> String {
        let whole = Manifest { checksum: self.sum(), ..self.clone() };
        serde_json::to_string_pretty(&whole).expect("a manifest is JSON") + "\n"
    }

    /// Whether it is as the run wrote it: its checksum fits, and its hash of the rules those rules.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn check_sums(&mut self) -> Result<(), String> {
        // No copy is made: a forged manifest may fill a good part of the memory.
        let checksum = std::mem::take(&mut self.checksum);
        let fits = checksum == hash(&serde_json::to_string(self).expect("a manifest is JSON"));
        self.checksum = checksum;
        if !fits {
            return Err("was changed since the run wrote it: its checksum does not fit".to_owned());
        }
        if self.rules_hash != hash(&self.rules.to_string()) {
            return Err("has rules that its rules_hash does not fit".to_owned());
        }
        Ok(())
    }

    /// Whether it is a part of a run, which has the tables: some of the blocks, or some of their matches.
    pub fn is_part(&self) -> bool {
        self.plan.is_part() || self.question.is_addition()
    }

    /// The names of the distinct agents.
    pub fn agent_names(&self) -> Vec<String> {
        self.agents.iter().map(|agent| agent.name.clone()).collect()
    }
}

/// One match of a block.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is asked for")]
struct MatchOfABlock {
    /// The rule set: its number among `variants`.
    variant: usize,
    /// Which of `agents`, from 0, sits in each seat.
    seats: Vec<usize>,
    /// The option that the first choice of the match is forced to, if it is.
    forced: Option<usize>,
    /// Its luck after the deal; the block's own if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    luck: Option<u16>,
    /// The places that the first founder is made to take, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    founded: Option<Vec<u8>>,
}

#[cfg(test)]
mod tests {
    use super::Manifest;
    use schemars::generate::SchemaSettings;

    /// The schema is made here, and not in the program: in a build of it, schemars would take 6 CPU seconds.
    /// `SNAPSHOTS=overwrite cargo test --lib manifest` writes it.
    #[test]
    fn the_schema_is_that_of_the_structures() {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let schema = settings.into_generator().into_root_schema_for::<Manifest>();
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        // Line ends of comments are none of the schema's.
        let text = text.replace("\\n", " ");
        snapbox::assert_data_eq!(text, snapbox::file!["manifest.schema.json": Text]);
    }
}
