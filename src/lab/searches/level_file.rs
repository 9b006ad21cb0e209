//! The strategy file of a certified level: an agent that any command plays, and what was measured of it.

use crate::lab::report::figures::{fixed, grouped, percentage_points};
use crate::lab::report::manifest::Manifest;
use crate::lab::rules::game_type;
use crate::lab::searches::certificate::Certificate;
use crate::lab::searches::level_course::Level;
use crate::lab::searches::level_settings::{Levels, default_families};
use crate::lab::searches::search::TextFile;
use crate::sim::agents::spec::{AgentSpec, Strategy, StrategyLevel};
use crate::sim::trials;

/// The name of a level's file.
pub fn name(percent: f64) -> String {
    format!("level-{percent}.toml")
}

/// Whether a file of this name is one of a level.
pub fn is_file(name: &str) -> bool {
    let percent = name.strip_prefix("level-").and_then(|rest| rest.strip_suffix(".toml"));
    percent.is_some_and(|text| text.parse().is_ok_and(|percent: f64| name == self::name(percent)))
}

/// The file of a level.
pub fn file(
    levels: &Levels,
    manifest: &Manifest,
    against: &AgentSpec,
    level: &Level,
    certificate: &Certificate,
) -> TextFile {
    let Manifest { game, players, .. } = manifest;
    let (percent, tolerance) = (level.percent, levels.tolerance);
    let agent = &level.agent;
    let strategy = Strategy {
        kind: agent.kind.clone(),
        about: format!(
            "wins {percent} % of matches of {game} alone at a table of {players} with {}",
            against.name
        ),
        provenance: provenance(levels, manifest, against, level, certificate),
        parameters: agent.parameters.clone(),
        level: Some(StrategyLevel {
            game: game.clone(),
            against: against.name.clone(),
            players: *players,
            percent,
            tolerance: percentage_points(tolerance).replace(' ', ""),
            decision_us: None,
        }),
    };
    let text = toml::to_string(&strategy).expect("a strategy is TOML");
    TextFile { name: name(percent), text }
}

/// The command, and what was measured.
fn provenance(
    levels: &Levels,
    manifest: &Manifest,
    against: &AgentSpec,
    level: &Level,
    certificate: &Certificate,
) -> String {
    let unofficial = unofficial_note(manifest);
    let rate = certificate.rate().map_or(0.0, |rate| rate.value);
    let (low, high) = certificate.interval().unwrap_or((0.0, 1.0));
    let [rate, low, high] = [rate, low, high].map(|share| fixed(100.0 * share, 2));
    let certainty = 100.0 * (1.0 - certificate.claim.alpha);
    let sums = &certificate.sums.grouped;
    let matches = sums.sum(trials::MATCHES);
    let length = sums.sum(trials::DECISIONS) as f64 / (matches.max(1)) as f64;
    format!(
        "{unofficial}{}: wins {rate} % ({low} to {high}, {certainty} % interval) of {} matches on fresh deals; {}, {} \
         decisions in a match of all seats",
        command(levels, manifest, against, level),
        grouped(matches),
        effort(manifest, &level.agent),
        fixed(length, 1),
    )
}

/// The command that finds this level alone, without what changes no result.
fn command(levels: &Levels, manifest: &Manifest, against: &AgentSpec, level: &Level) -> String {
    let Levels { families, tolerance, matches, .. } = levels;
    let Manifest { game, players, seed, agents, .. } = manifest;
    let own = default_families().iter().map(|(_, family)| family.clone()).eq(families.clone());
    let family = if own {
        String::new()
    } else {
        let family = &families[level.family];
        format!(" --agent {} --param {}", agents[family.agent].name, family.words())
    };
    let other = rules_note(manifest);
    format!(
        "fairhaven levels {game} --against {} --rates {}{family} --players {players} --tolerance {} --matches \
         {matches} --seed {seed}{other}",
        against.name,
        level.percent,
        percentage_points(*tolerance).replace(' ', ""),
    )
}

/// What stands before a provenance if the rules are not the official ones.
pub fn unofficial_note(manifest: &Manifest) -> String {
    manifest.unofficial.as_ref().map_or(String::new(), |why| format!("Unofficial: {why}. "))
}

/// What stands behind a command if its rules are not the game's own.
pub fn rules_note(manifest: &Manifest) -> String {
    let Manifest { game, rules, rules_hash, .. } = manifest;
    let plain = game_type(game).is_ok_and(|game| game.default_rules() == *rules);
    if plain { String::new() } else { format!(" (rule set {rules_hash})") }
}

/// What a decision costs, in iterations.
fn effort(manifest: &Manifest, agent: &AgentSpec) -> String {
    if !agent.is_searching() {
        return "no search".to_owned();
    }
    let given = agent.parameters.get("iterations").and_then(toml::Value::as_integer);
    let usual =
        || game_type(&manifest.game).map_or(0, |game| game.facts().search.iterations.into());
    format!("{} iterations a decision", given.unwrap_or_else(usual))
}
