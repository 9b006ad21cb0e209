//! `games`, `agents`, `rules` and `schema`: lists of what exists.

use crate::cli::Rules;
use crate::cli::commands::choose;
use crate::cli::commands::host::catalogue;
use crate::cli::running::RuleChoice;
use crate::cli::terminal;
use crate::core::params::{HANDICAP, Handicap, NET, Parameter, SEARCH};
use crate::lab::report::schema;
use crate::sim::agents::spec::{AgentSpec, KINDS};
use crate::sim::agents::strategies::STRATEGIES;
use crate::sim::agents::strategy::Strategy;
use crate::sim::agents::without::WITHOUT;
use crate::sim::any_game::{Facts, GameType};
use crate::words::lines::wrapped;
use crate::words::lists::span;
use crate::words::nearest;
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use toml::{Table, Value};

/// The games, one per line.
pub fn games() -> String {
    let mut text = String::new();
    for game in catalogue().games.iter() {
        let Facts { name, players, .. } = game.facts();
        let is_unofficial = |players: &u8| {
            let loaded = game.load(game.default_rules(), *players);
            loaded.is_ok_and(|game| game.unofficial().is_some())
        };
        let _ = write!(text, "{name}  {} players", span(&players));
        let unofficial: Vec<String> =
            players.filter(is_unofficial).map(|players| players.to_string()).collect();
        if !unofficial.is_empty() {
            let _ = write!(text, " (unofficial: {})", unofficial.join(", "));
        }
        text.push('\n');
    }
    text
}

/// The agents of a game, on a screen; in full with all parameters, and where strategies come from.
///
/// # Errors
/// If there is no such game.
pub fn agents(game: &str, full: bool) -> Result<String> {
    let game = catalogue().game(game)?;
    let facts = game.facts();
    let mut text = String::from("Kinds\n");
    for (name, about) in KINDS.iter().chain(&facts.specials) {
        let about = if full { about } else { about.split(';').next().unwrap_or_default() };
        let _ = writeln!(text, "  {name:<12} {about}");
    }
    text.push_str("\nStrategies (kind and parameters under a name)\n");
    let strategies = strategies(game)?;
    text.push_str(&if full { all_strategies(&strategies) } else { short_strategies(&strategies) });
    text.push_str(&if full { all_parameters(game)? } else { short_parameters(&facts) });
    text.push_str(
        "Write an agent as kind:key=value:key=value, a strategy's name, or a file.toml\n",
    );
    Ok(text)
}

/// The strategies that can play a game, with their names.
fn strategies(game: &dyn GameType) -> Result<Vec<(&'static str, Strategy)>> {
    let name_of_game = game.facts().name;
    let mut all = Vec::new();
    for (name, toml) in STRATEGIES {
        let strategy: Strategy = toml::from_str(toml)?;
        let of_another = strategy.level.as_ref().is_some_and(|level| level.game != name_of_game);
        if !of_another && plays(game, name) {
            all.push((*name, strategy));
        }
    }
    Ok(all)
}

/// A line for each strategy, and one for all levels.
fn short_strategies(strategies: &[(&str, Strategy)]) -> String {
    let width = usize::from(terminal::text());
    let mut text = String::new();
    for (name, strategy) in strategies.iter().filter(|(_, strategy)| strategy.level.is_none()) {
        let about = strategy.about.split([';', ',']).next().unwrap_or_default();
        let _ = writeln!(text, "  {name:<12} {about}");
    }
    let levels = strategies.iter().filter(|(_, strategy)| strategy.level.is_some());
    let levels: Vec<(&str, &str)> = levels.filter_map(|(name, _)| name.rsplit_once('/')).collect();
    if let Some((folder, _)) = levels.first() {
        let names: Vec<&str> = levels.iter().map(|(_, name)| *name).collect();
        let names = names.join(", ");
        let line = format!("{folder}/ {names}: expert is the planner, the two above it search");
        wrapped(&line, width - 4).lines().enumerate().for_each(|(at, line)| {
            let _ = writeln!(text, "{}{line}", if at == 0 { "  " } else { "    " });
        });
    }
    text
}

/// The first parameters of each kind, and how many there are.
fn short_parameters(facts: &Facts) -> String {
    let first = |parameters: &[&Parameter]| {
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
        let (shown, rest) = names.split_at(names.len().min(3));
        let more =
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        shown.join(", ") + &more
    };
    let (idle, used): (Vec<&Parameter>, Vec<&Parameter>) =
        facts.weights.iter().partition(|weight| weight.search_only);
    let search: Vec<&Parameter> = SEARCH.iter().chain(idle).collect();
    let handicap: Vec<&Parameter> = HANDICAP.iter().collect();
    format!(
        "\nParameters (--full: all of them, with what they do, defaults and ranges)\n  \
         mcts, oracle {}\n  heuristic    {}\n  all three    {}: weaker on purpose, greedy too\n",
        first(&search),
        first(&used),
        first(&handicap),
    )
}

/// What each strategy does, and where it comes from.
fn all_strategies(strategies: &[(&str, Strategy)]) -> String {
    let mut text = String::new();
    for (name, strategy) in strategies {
        let _ = writeln!(text, "  {name:<12} {} ({})", strategy.about, strategy.kind);
        let _ = writeln!(text, "  {:<12} from: {}", "", strategy.provenance);
    }
    text.push_str(
        "  Levels: expert is the planner itself, the two above it search, and those below it overlook more and more of \
         what they\n  may do; docs/agents.md says what they span.\n",
    );
    text
}

fn all_parameters(game: &dyn GameType) -> Result<String> {
    let facts = game.facts();
    let mut text = String::new();
    let any_table = |defaults| [(*facts.players.start(), defaults)];
    let search = any_table(Table::try_from(facts.search)?);
    let weights = default_weights(game)?;
    text.push_str("\nParameters of mcts and oracle [default, range]\n");
    for parameter in SEARCH {
        describe(&mut text, parameter, &search);
    }
    for parameter in NET.iter().filter(|_| facts.net.is_some()) {
        let _ = writeln!(text, "  {:<16} {}", parameter.name, parameter.about);
    }
    let (idle, used): (Vec<&Parameter>, Vec<&Parameter>) =
        facts.weights.iter().partition(|weight| weight.search_only);
    for parameter in idle {
        describe(&mut text, parameter, &weights);
    }
    text.push_str("\nParameters of heuristic, and of mcts and oracle for their opinions\n");
    for parameter in used {
        describe(&mut text, parameter, &weights);
    }
    let handicap = any_table(Table::try_from(Handicap::DEFAULT)?);
    text.push_str(
        "\nParameters of greedy, heuristic, mcts and oracle that make them weaker on purpose\n",
    );
    for parameter in HANDICAP {
        describe(&mut text, parameter, &handicap);
    }
    if !facts.action_kinds.is_empty() {
        let _ = writeln!(
            text,
            "\nStyles of all agents but programs outside: `{WITHOUT}=A+B` does without these kinds"
        );
    }
    for (name, about) in facts.action_kinds {
        let _ = writeln!(text, "  {name:<18} {about}");
    }
    Ok(text)
}

/// The default weights of a planner, each set with the fewest players at whose tables it is in use.
fn default_weights(game: &dyn GameType) -> Result<Vec<(u8, Table)>> {
    let at = |players| Ok((players, game.load(game.default_rules(), players)?.default_weights()));
    let mut sets: Vec<(u8, Table)> = game.facts().players.map(at).collect::<Result<_>>()?;
    sets.dedup_by(|after, before| after.1 == before.1);
    Ok(sets)
}

/// A line for a parameter: what it does, its default and its range. A default that larger tables don't share is
/// followed by theirs.
fn describe(text: &mut String, parameter: &Parameter, defaults: &[(u8, Table)]) {
    let Parameter { name, about, range, .. } = parameter;
    let mut values: Vec<(u8, String)> =
        defaults.iter().map(|(players, set)| (*players, shown(set.get(*name)))).collect();
    values.dedup_by(|after, before| after.1 == before.1);
    let mut value = values[0].1.clone();
    for (players, larger) in &values[1..] {
        let _ = write!(value, "; {larger} with {players} players or more");
    }
    let range = range.map_or(String::new(), |(low, high)| format!(", {low} to {high}"));
    let _ = writeln!(text, "  {name:<16} {about} [{value}{range}]");
}

/// Whether a game knows all parameters of a strategy.
fn plays(game: &dyn GameType, strategy: &str) -> bool {
    let spec = AgentSpec::parse(strategy, None).ok();
    let game = game.load(game.default_rules(), *game.facts().players.start()).ok();
    game.zip(spec).is_some_and(|(game, spec)| game.check_agents(&[spec]).is_ok())
}

/// A default as a person would write it.
fn shown(value: Option<&Value>) -> String {
    match value {
        Some(Value::Float(number)) => {
            let text = format!("{number:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Some(Value::String(word)) => word.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

/// The rule set as TOML, each field with its clause.
///
/// # Errors
/// If there is no such game or field.
pub fn rules(args: &Rules) -> Result<String> {
    let facts = catalogue().game(&args.rules.game)?.facts();
    let rules = at_its_table(&args.rules, facts.players)?;
    let mut text = format!(
        "# Rule set of {}; † marks defaults that the rules' text leaves open\n",
        facts.name
    );
    for field in facts.fields {
        let value = look_up(&rules, field.path).context("every field is in the rule set")?;
        let assignment = format!("{} = {}", field.path, written(value));
        let dagger = if field.open { " †" } else { "" };
        let _ = writeln!(text, "{assignment:<48} # {}{dagger}: {}", field.clause, field.about);
    }
    for preset in facts.presets {
        let assignment = format!("# --set preset={}", preset.name);
        let _ = writeln!(text, "{assignment:<48} # {}: {}", preset.clause, preset.about);
    }
    Ok(text)
}

/// The rule set at the largest table that it fits: one with a map fits the tables that the map is for.
fn at_its_table(choice: &RuleChoice, players: RangeInclusive<u8>) -> Result<Table> {
    let mut faults: Vec<(u8, String)> = Vec::new();
    for players in players.rev() {
        match choose::game(choice, players) {
            Ok(game) => return Ok(game.rules()),
            Err(error) => faults.push((players, format!("{error:#}"))),
        }
    }
    faults.dedup_by(|after, before| after.1 == before.1);
    ensure!(faults.len() > 1, "{}", faults.first().map_or("", |(_, fault)| fault));
    let each = faults.iter().map(|(players, fault)| format!("with {players} players: {fault}"));
    bail!("{}", each.collect::<Vec<_>>().join("; "))
}

fn look_up<'a>(table: &'a Table, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
    let value = table.get(first)?;
    rest.map_or(Some(value), |rest| look_up(value.as_table()?, rest))
}

/// A value on one line; prices without the kinds that cost nothing.
fn written(value: &Value) -> String {
    let Value::Table(table) = value else { return value.to_string() };
    let parts: Vec<String> = table
        .iter()
        .filter(|(_, value)| value.as_integer() != Some(0))
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
}

/// The names that `schema` knows.
pub fn schema_names() -> Vec<&'static str> {
    schema::names(&catalogue().tables())
}

/// The JSON Schema of a file, or the names of all files.
///
/// # Errors
/// If there is no such file.
pub fn schema(file: Option<&str>) -> Result<String> {
    let Some(file) = file else { return Ok(schema_names().join("\n") + "\n") };
    let name = file.trim_end_matches(".csv").trim_end_matches(".json");
    let found = schema::schema(name, &catalogue().tables());
    let found = found.with_context(|| nearest::unknown("file", file, &schema_names()))?;
    Ok(serde_json::to_string_pretty(&found)? + "\n")
}
