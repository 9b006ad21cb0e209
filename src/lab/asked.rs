//! The questions that runs can ask, by the kind in their manifests.

use crate::lab::question::{self, Question};
use crate::lab::report::answer::Answer;
use crate::lab::report::described::Described;
use crate::lab::report::manifest::{Manifest, PlanEntry, QuestionSpec};
use crate::lab::report::table::Table;
use crate::lab::searches::SEARCHES;
use crate::lab::searches::search::Search;
use crate::lab::studies::STUDIES;
use crate::lab::studies::study::Study;
use crate::words::nearest;
use anyhow::{Result, bail};
use std::ops::Deref;

/// A question by how it is played.
#[derive(Debug)]
pub enum Asked {
    /// One plan of matches.
    Study(Box<dyn Study>),
    /// Stages, each chosen by what came of those before it.
    Search(Box<dyn Search>),
}

impl Deref for Asked {
    type Target = dyn Question;

    fn deref(&self) -> &Self::Target {
        match self {
            Asked::Study(study) => &**study,
            Asked::Search(search) => &**search,
        }
    }
}

/// The question of a manifest.
///
/// # Errors
/// If there is no such question, or it has other settings.
pub fn read(spec: &QuestionSpec) -> Result<Asked> {
    if let Some(search) = question::read(&SEARCHES, spec)? {
        return Ok(Asked::Search(search));
    }
    if let Some(study) = question::read(&STUDIES, spec)? {
        return Ok(Asked::Study(study));
    }
    bail!("{}", nearest::unknown("study", &spec.kind, &kinds()))
}

/// The kinds of all questions.
pub fn kinds() -> Vec<&'static str> {
    let studies = STUDIES.iter().map(|study| study.kind);
    studies.chain(SEARCHES.iter().map(|search| search.kind)).collect()
}

/// The tables of all questions.
pub fn tables() -> Vec<Described> {
    let studies = STUDIES.iter().map(|study| study.tables);
    let all = studies.chain(SEARCHES.iter().map(|search| search.tables));
    all.flatten().copied().collect()
}

/// Whether some question writes a file of this name beside its tables.
pub fn is_file(name: &str) -> bool {
    SEARCHES.iter().any(|search| (search.is_file)(name))
}

impl Asked {
    /// The study, if it is one.
    pub fn study(&self) -> Option<&dyn Study> {
        match self {
            Asked::Study(study) => Some(&**study),
            Asked::Search(_) => None,
        }
    }

    /// Whether it is a search, which finds out as it goes what it plays.
    pub fn is_search(&self) -> bool {
        self.study().is_none()
    }

    /// Whether the run may stop by itself before all blocks of its plan are played.
    pub fn is_sequential(&self) -> bool {
        self.study().is_none_or(Study::is_sequential)
    }

    /// Whether its run can be played in waves.
    pub fn has_waves(&self) -> bool {
        match self {
            Asked::Study(study) => study.is_sequential(),
            Asked::Search(search) => search.is_divided(),
        }
    }

    /// Why the run can't be divided as its plan says, if it can't.
    pub fn why_not_divisible(&self, plan: &PlanEntry) -> Option<&'static str> {
        let (is_search, in_waves) = (self.is_search(), plan.wave.is_some());
        match (is_search, self.has_waves(), in_waves) {
            _ if !plan.is_part() => None,
            (true, false, _) => Some(
                "learning can't be cut into parts: each session follows from the one before; leave --shard \
                 and --wave away",
            ),
            (true, true, false) => Some(
                "a search can't be cut into parts at once, since each of its stages follows from those \
                 before it: it is played in waves (--wave K --wave-blocks N); or leave --shard away",
            ),
            (false, true, false) => Some(
                "a sequential run can't be cut into parts at once: it is played in waves \
                 (--wave K --wave-blocks N), which `merge` looks at; or leave --shard away",
            ),
            (false, false, true) => Some(
                "waves are for sequential runs; this one plays all its blocks, so that \
                 --shard alone divides it; leave --wave away",
            ),
            (_, true, true) | (false, false, false) => None,
        }
    }

    /// The short answer, and the anomalies that a reader must know of.
    pub fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        question::answer(&**self, manifest, tables)
    }

    /// What a sequential study did not reach, if all its blocks were played.
    pub fn undecided(&self) -> Option<&'static str> {
        let study = self.study().filter(|study| study.is_sequential());
        study.map(Study::undecided)
    }
}

#[cfg(test)]
mod tests {
    use super::kinds;
    use crate::lab::report::manifest::QuestionSpec;
    use crate::lab::searches::certify::Certify;
    use crate::lab::searches::learn::Learn;
    use crate::lab::searches::learn_net::LearnNet;
    use crate::lab::searches::level_settings::Levels;
    use crate::lab::searches::solve::Solve;
    use crate::lab::searches::tune::Tune;
    use crate::lab::studies::balance::Balance;
    use crate::lab::studies::duel::Duel;
    use crate::lab::studies::factorial::Factorial;
    use crate::lab::studies::luck::Luck;
    use crate::lab::studies::reliability::Reliability;
    use crate::lab::studies::rules::Rules;
    use crate::lab::studies::sensitivity::Sensitivity;
    use crate::lab::studies::simulate::Simulate;
    use crate::lab::studies::sweep::Sweep;
    use crate::lab::studies::tournament::Tournament;
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde_json::{Map, Value, json};
    use std::borrow::Cow;

    type Make = fn(&mut SchemaGenerator) -> Schema;

    /// The schemas of all settings, in the order of the registry.
    const SETTINGS: [Make; 16] = [
        Simulate::json_schema,
        Duel::json_schema,
        Tournament::json_schema,
        Balance::json_schema,
        Factorial::json_schema,
        Sensitivity::json_schema,
        Rules::json_schema,
        Sweep::json_schema,
        Luck::json_schema,
        Reliability::json_schema,
        Levels::json_schema,
        Certify::json_schema,
        Tune::json_schema,
        Learn::json_schema,
        LearnNet::json_schema,
        Solve::json_schema,
    ];

    /// A question is that of one of the studies or searches: a kind, and its settings.
    impl JsonSchema for QuestionSpec {
        fn schema_name() -> Cow<'static, str> {
            "Question".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
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
            assert_eq!(kinds().len(), SETTINGS.len(), "each kind has its settings");
            let all: Vec<Value> = kinds().into_iter().zip(SETTINGS).map(of).collect();
            json_schema!({ "description": "What a run asks.", "oneOf": all })
        }
    }
}
