//! The strategy file of a certified level: an agent that any command plays, and what was measured of it.

use crate::lab::questions::searches::certificate::Certificate;
use crate::lab::questions::searches::level_course::Level;
use crate::lab::questions::searches::level_settings::{Levels, default_families};
use crate::lab::questions::searches::search::{SearchContext, TextFile};
use crate::lab::questions::studies::next::quoted;
use crate::lab::report::figures::{fixed, grouped};
use crate::lab::report::format::percentage_points;
use crate::lab::report::hash::hash;
use crate::lab::report::manifest::Manifest;
use crate::lab::setup::rules::{differences, sets};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::strategy::{Strategy, StrategyLevel};
use crate::sim::any_game::GameType;
use crate::sim::trials;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use toml::Table;

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
    context: SearchContext<'_>,
    against: &AgentSpec,
    level: &Level,
    certificate: &Certificate,
) -> TextFile {
    let SearchContext { manifest, game: loaded } = context;
    let Manifest { game, players, .. } = manifest;
    let (percent, tolerance) = (level.percent, levels.tolerance);
    let agent = &level.agent;
    let strategy = Strategy {
        kind: agent.kind.clone(),
        about: format!(
            "wins {percent} % of matches of {game} alone at a table of {players} with {}",
            against.name
        ),
        provenance: provenance(levels, context, against, level, certificate),
        parameters: agent.parameters.clone(),
        level: Some(StrategyLevel {
            game: game.clone(),
            against: against.name.clone(),
            players: *players,
            rules_hash: Some(manifest.rules_hash.clone()),
            percent,
            tolerance: percentage_points(tolerance).replace(' ', ""),
            iterations: Some(iterations(context, agent)),
            decision_us: None,
            rules: differences(loaded.game_type(), &manifest.rules),
        }),
        checked: None,
    };
    let text = toml::to_string(&strategy).expect("a strategy is TOML");
    TextFile { name: name(percent), text }
}

/// The command, and what was measured.
fn provenance(
    levels: &Levels,
    context: SearchContext<'_>,
    against: &AgentSpec,
    level: &Level,
    certificate: &Certificate,
) -> String {
    let unofficial = unofficial_note(context.manifest);
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
        command(levels, context, against, level),
        grouped(matches),
        effort(context, &level.agent),
        fixed(length, 1),
    )
}

/// The rule set under which a level was measured.
///
/// # Errors
/// If its file doesn't say, or the game's own rules are no longer what they were then.
pub fn rules_of(game: &dyn GameType, name: &str, level: &StrategyLevel) -> Result<Table> {
    let due = level.rules_hash.as_ref().with_context(|| {
        format!(
            "`{name}` does not say by which rules it was measured (rules_hash in [level]); `fairhaven levels` does"
        )
    })?;
    let text = toml::to_string(&level.rules)?;
    let rules = game.read_rules(&text).with_context(|| format!("[level.rules] of `{name}`"))?;
    let found = hash(&rules.to_string());
    ensure!(
        found == *due,
        "`{name}` was measured by rules that are not those of this program: its rule set has the hash {due}, and \
         here [level.rules] makes one of {found}; find it again with `fairhaven levels`"
    );
    Ok(rules)
}

/// The command that finds this level alone, without what changes no result.
fn command(
    levels: &Levels,
    context: SearchContext<'_>,
    against: &AgentSpec,
    level: &Level,
) -> String {
    let Levels { families, tolerance, matches, .. } = levels;
    let Manifest { game, players, seed, agents, .. } = context.manifest;
    let own = default_families().iter().map(|(_, family)| family.clone()).eq(families.clone());
    let family = if own {
        String::new()
    } else {
        let family = &families[level.family];
        format!(" --agent {} --param {}", quoted(&agents[family.agent].name), family.words())
    };
    let rules = rules_words(context.game.game_type(), &context.manifest.rules);
    format!(
        "fairhaven levels {game}{rules} --against {} --rates {}{family} --players {players} --tolerance {} --matches \
         {matches} --seed {seed}",
        quoted(&against.name),
        level.percent,
        percentage_points(*tolerance).replace(' ', ""),
    )
}

/// What stands before a provenance if the rules are not the official ones.
pub fn unofficial_note(manifest: &Manifest) -> String {
    manifest.unofficial.as_ref().map_or(String::new(), |why| format!("Unofficial: {why}. "))
}

/// The rules of a command: a `--set` for each field that differs from the game's own.
pub fn rules_words(game: &dyn GameType, rules: &Table) -> String {
    let mut words = String::new();
    for set in sets(game, rules) {
        let _ = write!(words, " --set {}", quoted(&set));
    }
    words
}

/// What a decision costs, in iterations.
fn effort(context: SearchContext<'_>, agent: &AgentSpec) -> String {
    match iterations(context, agent) {
        _ if !agent.is_searching() => "no search".to_owned(),
        iterations => format!("{iterations} iterations a decision"),
    }
}

/// The iterations of a decision; 0 of an agent that does not search.
fn iterations(context: SearchContext<'_>, agent: &AgentSpec) -> u64 {
    if !agent.is_searching() {
        return 0;
    }
    let given = agent.parameters.get("iterations").and_then(toml::Value::as_integer);
    let usual = || context.game.game_type().facts().search.iterations.into();
    given.and_then(|given| given.try_into().ok()).unwrap_or_else(usual)
}
