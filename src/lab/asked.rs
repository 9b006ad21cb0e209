//! What a run asks: a study, which plays one plan of matches, or a search, which decides as it goes what to play.

use crate::core::measure::Names;
use crate::lab::report::answer::{self, Answer};
use crate::lab::report::described::Described;
use crate::lab::report::manifest::{Manifest, PlanEntry, Question, RowForm};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::Table;
use crate::lab::searches::search::Search;
use crate::lab::studies::study::{self, Study};
use crate::lab::{searches, studies};
use crate::words::nearest;
use anyhow::{Result, bail};

/// A question with its settings.
#[derive(Debug)]
pub enum Asked {
    /// One plan of matches.
    Study(Box<dyn Study>),
    /// Stages, each chosen by what came of those before it.
    Search(Box<dyn Search>),
}

/// The question of a manifest.
///
/// # Errors
/// If there is no such question, or it has other settings.
pub fn read(question: &Question) -> Result<Asked> {
    if let Some(search) = searches::read(question)? {
        return Ok(Asked::Search(search));
    }
    let kinds = studies::STUDIES.iter().map(|study| study.kind);
    let kinds: Vec<&str> = kinds.chain(searches::SEARCHES.iter().map(|found| found.kind)).collect();
    if !kinds.contains(&question.kind.as_str()) {
        bail!("{}", nearest::unknown("study", &question.kind, &kinds));
    }
    studies::read(question).map(Asked::Study)
}

/// The tables of all studies and searches.
pub fn tables() -> Vec<Described> {
    [studies::tables(), searches::tables()].concat()
}

impl Asked {
    /// The tables, in the order in which they are written.
    pub fn described(&self) -> Vec<Described> {
        match self {
            Asked::Study(study) => study.described(),
            Asked::Search(search) => searches::described(&**search),
        }
    }

    /// How rows of matches are written, if they are.
    pub fn rows(&self) -> Option<RowForm> {
        match self {
            Asked::Study(study) => study.rows(),
            Asked::Search(_) => None,
        }
    }

    /// Why the run can't be divided as its plan says, if it can't.
    pub fn undivided(&self, plan: &PlanEntry) -> Option<&'static str> {
        match self {
            _ if !plan.is_part() => None,
            Asked::Search(search) if !search.is_divided() => Some(
                "learning can't be cut into parts: each session follows from the one before; leave --shard \
                 and --wave away",
            ),
            Asked::Search(_) if plan.wave.is_none() => Some(
                "a search can't be cut into parts at once, since each of its stages follows from those \
                 before it: it is played in waves (--wave K --wave-blocks N); or leave --shard away",
            ),
            Asked::Study(study) if study.is_watched() && plan.wave.is_none() => Some(
                "a sequential run can't be cut into parts at once: it is played in waves \
                 (--wave K --wave-blocks N), which `merge` looks at; or leave --shard away",
            ),
            Asked::Study(study) if !study.is_watched() && plan.wave.is_some() => Some(
                "waves are for sequential runs; this one plays all its blocks, so that \
                 --shard alone divides it; leave --wave away",
            ),
            _ => None,
        }
    }

    /// The short answer, and what should be rare but was not.
    pub fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        match self {
            Asked::Study(study) => study::answer(&**study, manifest, tables),
            Asked::Search(search) => {
                let mut answer = search.answer(manifest, tables);
                answer.sentences.extend(answer::anomalies(manifest, tables));
                answer
            }
        }
    }

    /// Whether what was asked for was not found.
    pub fn has_failed(&self, tables: &[Table]) -> bool {
        matches!(self, Asked::Search(search) if search.has_failed(tables))
    }

    /// What a run that was to stop by itself did not reach, if all its blocks were played.
    pub fn undecided(&self) -> Option<&'static str> {
        match self {
            Asked::Study(study) if study.is_watched() => Some(study.undecided()),
            _ => None,
        }
    }

    /// What may not be concluded from the answer.
    pub fn caution(&self) -> &'static str {
        match self {
            Asked::Study(study) => study.caution(),
            Asked::Search(search) => search.caution(),
        }
    }

    /// The command that asks it.
    pub fn command(&self) -> &'static str {
        match self {
            Asked::Study(study) => study.command(),
            Asked::Search(search) => search.command(),
        }
    }

    /// What else a reader must know.
    pub fn notes(&self, tables: &[Table]) -> Vec<String> {
        match self {
            Asked::Study(study) => study.notes(tables),
            Asked::Search(search) => search.notes(tables),
        }
    }

    /// All tables that say something about the question, for a person.
    pub fn grids(&self, names: &Names, tables: &[Table]) -> Vec<Grid> {
        match self {
            Asked::Study(study) => study.grids(names, tables),
            Asked::Search(search) => search.grids(tables),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lab::report::manifest::Question;
    use crate::lab::searches::SEARCHES;
    use crate::lab::studies::STUDIES;
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde_json::{Map, Value, json};
    use std::borrow::Cow;

    /// A question is that of one of the studies or searches: a kind, and its settings.
    impl JsonSchema for Question {
        fn schema_name() -> Cow<'static, str> {
            "Question".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            type Make = fn(&mut SchemaGenerator) -> Schema;
            let studies = STUDIES.iter().map(|study| (study.kind, study.schema));
            let searches = SEARCHES.iter().map(|search| (search.kind, search.schema));
            let of = |(kind, schema): (&str, Make)| {
                let settings = schema(generator).to_value();
                let mut properties = Map::new();
                properties.insert("kind".into(), json!({ "type": "string", "const": kind }));
                properties.extend(settings["properties"].as_object().cloned().unwrap_or_default());
                let mut required = vec![Value::from("kind")];
                required.extend(settings["required"].as_array().cloned().unwrap_or_default());
                json!({
                    "description": settings["description"],
                    "type": "object",
                    "properties": properties,
                    "additionalProperties": false,
                    "required": required,
                })
            };
            let all: Vec<Value> = studies.chain(searches).map(of).collect();
            json_schema!({ "description": "What a run asks.", "oneOf": all })
        }
    }
}
