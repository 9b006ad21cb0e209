//! What a program can play and ask: games and questions by name. It is a value that a caller makes, with those of this
//! library and any of its own.

use crate::lab::questions::asked::Asked;
use crate::lab::questions::question::{self, Entry};
use crate::lab::questions::searches::SEARCHES;
use crate::lab::questions::searches::search::Search;
use crate::lab::questions::studies::STUDIES;
use crate::lab::questions::studies::study::Study;
use crate::lab::report::described::TableSchema;
use crate::lab::report::manifest::QuestionSpec;
use crate::registry::Games;
use crate::sim::any_game::GameType;
use crate::words::nearest;
use anyhow::{Context, Result, bail};

/// Games, studies and searches.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// The games.
    pub games: Games,
    studies: Vec<Entry<dyn Study>>,
    searches: Vec<Entry<dyn Search>>,
}

impl Catalogue {
    /// Those of this library.
    pub fn standard() -> Catalogue {
        Catalogue {
            games: Games::standard(),
            studies: STUDIES.to_vec(),
            searches: SEARCHES.to_vec(),
        }
    }

    /// The same with a game more, or with other agents for one of the games: see [`Games::with`].
    #[must_use]
    pub fn with_game(mut self, game: impl GameType + 'static) -> Catalogue {
        self.games = self.games.with(game);
        self
    }

    /// The same with a study more. Its tables and their files must have names that no other has.
    #[must_use]
    pub fn with_study(mut self, study: Entry<dyn Study>) -> Catalogue {
        self.studies.push(study);
        self
    }

    /// The same with a search more, likewise.
    #[must_use]
    pub fn with_search(mut self, search: Entry<dyn Search>) -> Catalogue {
        self.searches.push(search);
        self
    }

    /// The game of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn game(&self, name: &str) -> Result<&dyn GameType> {
        let unknown = || nearest::unknown("game", name, &self.games.names());
        self.games.get(name).with_context(unknown)
    }

    /// The question of a manifest.
    ///
    /// # Errors
    /// If there is no such question, or it has other settings.
    pub fn question(&self, spec: &QuestionSpec) -> Result<Asked> {
        if let Some(search) = question::read(&self.searches, spec)? {
            return Ok(Asked::Search(search));
        }
        if let Some(study) = question::read(&self.studies, spec)? {
            return Ok(Asked::Study(study));
        }
        bail!("{}", nearest::unknown("study", &spec.kind, &self.kinds()))
    }

    /// The kinds of all questions.
    pub fn kinds(&self) -> Vec<&'static str> {
        let studies = self.studies.iter().map(|study| study.kind);
        studies.chain(self.searches.iter().map(|search| search.kind)).collect()
    }

    /// The tables of all questions.
    pub fn tables(&self) -> Vec<TableSchema> {
        let studies = self.studies.iter().map(|study| study.tables);
        let all = studies.chain(self.searches.iter().map(|search| search.tables));
        all.flatten().copied().collect()
    }

    /// Whether some question writes a file of this name beside its tables.
    pub fn is_file(&self, name: &str) -> bool {
        let studies = self.studies.iter().map(|study| study.is_file);
        studies.chain(self.searches.iter().map(|search| search.is_file)).any(|is| is(name))
    }
}

#[cfg(test)]
mod tests {
    use super::Catalogue;
    use crate::lab::questions::searches::certify::Certify;
    use crate::lab::questions::searches::learn::Learn;
    use crate::lab::questions::searches::learn_net::LearnNet;
    use crate::lab::questions::searches::level_settings::Levels;
    use crate::lab::questions::searches::map_make::MapMake;
    use crate::lab::questions::searches::solve_settings::Solve;
    use crate::lab::questions::searches::tune_course::Tune;
    use crate::lab::questions::studies::balance::Balance;
    use crate::lab::questions::studies::diagnose::Diagnose;
    use crate::lab::questions::studies::duel::Duel;
    use crate::lab::questions::studies::factorial::Factorial;
    use crate::lab::questions::studies::luck::Luck;
    use crate::lab::questions::studies::map::settings::MapJudge;
    use crate::lab::questions::studies::reliability::Reliability;
    use crate::lab::questions::studies::rules::Rules;
    use crate::lab::questions::studies::sensitivity::Sensitivity;
    use crate::lab::questions::studies::simulate::Simulate;
    use crate::lab::questions::studies::sweep::Sweep;
    use crate::lab::questions::studies::tournament::Tournament;
    use crate::lab::report::manifest::QuestionSpec;
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde_json::{Map, Value, json};
    use std::borrow::Cow;

    type Make = fn(&mut SchemaGenerator) -> Schema;

    /// The schemas of all settings, in the order of the catalogue.
    const SETTINGS: [Make; 19] = [
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
        Diagnose::json_schema,
        MapJudge::json_schema,
        Levels::json_schema,
        Certify::json_schema,
        Tune::json_schema,
        Learn::json_schema,
        LearnNet::json_schema,
        Solve::json_schema,
        MapMake::json_schema,
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
            let kinds = Catalogue::standard().kinds();
            assert_eq!(kinds.len(), SETTINGS.len(), "each kind has its settings");
            let all: Vec<Value> = kinds.into_iter().zip(SETTINGS).map(of).collect();
            json_schema!({ "description": "What a run asks.", "oneOf": all })
        }
    }
}
