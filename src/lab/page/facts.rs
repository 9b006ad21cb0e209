//! What is needed to get the same again: rule set, command, seed, build; and how the numbers were made.

use crate::lab::questions::studies::next::quoted;
use crate::lab::report::figures::grouped;
use crate::lab::report::manifest::{BUILD, Manifest};
use crate::lab::run::Finished;
use serde::Serialize;
use std::collections::BTreeSet;
use toml::{Table, Value};

/// The most fields of a rule set that are listed.
const FIELDS_MAX: usize = 60;

/// Something with a name.
#[derive(Debug, Serialize)]
pub struct Fact {
    pub name: String,
    /// What is to be said of it.
    pub about: String,
}

/// How a rule set differs from the default one of its game.
#[derive(Debug, Serialize)]
pub struct RulesShown {
    about: String,
    /// Field, value here, default.
    rows: Vec<[String; 3]>,
}

/// How the rule set of a run differs from the default one.
pub fn rules(run: &Finished) -> RulesShown {
    let Finished { manifest, game, .. } = run;
    let defaults = game.game_type().default_rules();
    let mut rows = Vec::new();
    differing("", &manifest.rules, &defaults, &mut rows);
    let all = rows.len();
    rows.truncate(FIELDS_MAX);
    let game = &manifest.game;
    let mut about = match all {
        0 => format!("The default rule set of {game}."),
        1 => format!("One field differs from the default rule set of {game}."),
        _ => format!("{all} fields differ from the default rule set of {game}."),
    };
    if manifest.variants.len() > 1 {
        let named = manifest.variants.iter().take(FIELDS_MAX).map(|variant| variant.name.clone());
        let named: Vec<String> = named.collect();
        let count = manifest.variants.len();
        about = format!("{about} On top of it, {count} rule sets: {}.", named.join("; "));
    }
    RulesShown { about, rows }
}

/// Adds the fields below `at` that differ.
fn differing(at: &str, here: &Table, defaults: &Table, rows: &mut Vec<[String; 3]>) {
    for (key, value) in here {
        let field = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        match (value, defaults.get(key)) {
            (Value::Table(here), Some(Value::Table(defaults))) => {
                differing(&field, here, defaults, rows);
            }
            (value, Some(default)) if value == default => {}
            (value, default) => {
                let default = default.map_or(String::new(), Value::to_string);
                rows.push([field, value.to_string(), default]);
            }
        }
    }
}

/// The command, as a shell would take it.
pub fn command(manifest: &Manifest) -> String {
    let words: Vec<String> = manifest.command.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// Seed, build, agents, and what went wrong.
pub fn facts(manifest: &Manifest) -> Vec<Fact> {
    let fact = |name: &str, about: String| Fact { name: name.to_owned(), about };
    let agents = manifest.agents.iter().map(|agent| {
        let parameters = agent.parameters.to_string().trim().replace('\n', ", ");
        let with = if parameters.is_empty() { "defaults".to_owned() } else { parameters };
        format!("{} ({}: {with})", agent.name, agent.kind)
    });
    let mut facts = vec![
        fact("seed", manifest.seed.to_string()),
        fact("generator", manifest.generator.clone()),
        fact("version, build", format!("{}, {}", manifest.version, manifest.build)),
        fact("rule set", format!("hash {}", manifest.rules_hash)),
        fact("agents", agents.collect::<Vec<_>>().join("; ")),
        fact("failures", failures(manifest)),
    ];
    if manifest.build != BUILD {
        let about = "The sums are of another build of the program; the tables are of this one.";
        facts.push(fact("note", about.to_owned()));
    }
    if let Some(reason) = &manifest.unofficial {
        facts.push(fact("unofficial", reason.clone()));
    }
    facts
}

fn failures(manifest: &Manifest) -> String {
    match manifest.played.failures {
        0 => "none: no agent failed in any match".to_owned(),
        failures => format!("an agent failed in {} matches", grouped(failures)),
    }
}

/// How the numbers were made, in three paragraphs.
pub fn method(run: &Finished) -> Vec<String> {
    let Finished { manifest, tables, .. } = run;
    let blocks = match manifest.plan.matches_of_a_block.len() {
        1 => "Each block is one match, with a deal and a stream of luck of its own.".to_owned(),
        plan => format!(
            "Matches were played in blocks of {plan} on one deal and one stream of luck. Those of a block are \
             compared with each other, and never taken for independent."
        ),
    };
    let methods: BTreeSet<&str> = tables
        .iter()
        .flat_map(|table| &table.rows)
        .filter_map(|row| row.estimate.map(|estimate| estimate.method.name()))
        .filter(|name| !name.is_empty())
        .collect();
    let methods: Vec<&str> = methods.into_iter().collect();
    vec![
        blocks,
        format!(
            "Intervals hold 95 % and rest on blocks (ci_method: {}). Each is for one number alone; verdicts and \
             adjusted p-values allow for the number of comparisons.",
            methods.join(", ")
        ),
        "Formulas and their sources: docs/statistics.md of the project. What each column means: \
         reports/README.md. How a page is made: docs/report.md."
            .to_owned(),
    ]
}
