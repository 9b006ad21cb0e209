//! Rule sets from words: fields by their paths, files, and whole tables; each error says what would be right.

use crate::core::game::{Field, Steps};
use crate::core::wording::Preset;
use crate::lab::setup::plain_files::{Links, NoFile, opened};
use crate::sim::agents::spec::value_of;
use crate::sim::any_game::{Facts, GameType, LoadedGame};
use crate::words::nearest;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::io::Read;
use std::path::Path;
use toml::{Table, Value};

/// Largest file that is read whole.
const FILE_MAX: u64 = 1 << 20;

/// The text of a plain file that a user names.
///
/// # Errors
/// If it is something else, can't be read, or is larger than such a file can be.
pub fn read(path: &Path) -> Result<String> {
    let unreadable = || format!("can't read `{}`", path.display());
    let file = match opened(path, Links::Followed) {
        Ok(file) => file,
        Err(NoFile::Unreadable(error)) => return Err(error).with_context(unreadable),
        Err(other) => bail!("`{}` {other}", path.display()),
    };
    let mut text = String::new();
    file.take(FILE_MAX + 1).read_to_string(&mut text).with_context(unreadable)?;
    ensure!(text.len() as u64 <= FILE_MAX, "`{}` is larger than 1 MiB", path.display());
    Ok(text)
}

/// The rule set of a file. Where a field of it names a file, that file's content takes its place.
///
/// # Errors
/// If it can't be read, or has other fields.
pub fn rule_set(game: &dyn GameType, path: &Path) -> Result<Table> {
    let facts = game.facts();
    let no_rules = || format!("`{}` is not a rule set of {}", path.display(), facts.name);
    let text = read(path)?;
    let read = game.read_rules(&text).map_err(|error| {
        // The parser speaks of types; a person knows what a field holds.
        wrong_kind(game, &text).unwrap_or_else(|| error.into())
    });
    let mut rules = read.with_context(no_rules)?;
    for (field, words) in file_fields(&facts) {
        if let Some(Value::String(value)) = rules.get_mut(field) {
            *value = content(field, words, value)?;
        }
    }
    Ok(rules)
}

/// The first field of a file whose value is of another kind than it holds.
fn wrong_kind(game: &dyn GameType, text: &str) -> Option<anyhow::Error> {
    let (written, own) = (text.parse::<Table>().ok()?, game.default_rules());
    game.facts().fields.iter().find_map(|field| {
        let (value, due) = (field.value_in(&written)?, field.value_in(&own)?);
        let differ = value.type_str() != due.type_str();
        differ.then(|| no_such(field.path, value, due))
    })
}

/// What is wrong with a value of another kind than its field holds.
fn no_such(field: &str, value: &Value, due: &Value) -> anyhow::Error {
    anyhow!("rule set field `{field}`: `{value}` is no {}", kind_of(due))
}

/// Changes as a user writes them, `field=value`, with the content of a file in the place of its name, so that nothing is
/// read when they are made.
///
/// # Errors
/// If a file can't be read.
pub fn with_files(game: &dyn GameType, sets: &[String]) -> Result<Vec<String>> {
    let facts = game.facts();
    let with_file = |set: &String| {
        let Some((field, value)) = set.split_once('=') else { return Ok(set.clone()) };
        match file_fields(&facts).find(|(name, _)| *name == field.trim()) {
            Some((name, words)) => Ok(format!("{name}={}", content(name, words, value)?)),
            None => Ok(set.clone()),
        }
    };
    sets.iter().map(with_file).collect()
}

/// The fields that hold the content of a file, and the words that they may be instead.
fn file_fields(facts: &Facts) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    facts.fields.iter().filter_map(|field| match field.steps {
        Steps::File(words) => Some((field.path, words)),
        _ => None,
    })
}

/// A word, a text of several lines, or else the text of a file.
fn content(field: &str, words: &[&str], value: &str) -> Result<String> {
    let word = value.trim();
    if words.contains(&word) || value.contains('\n') {
        return Ok(value.to_owned());
    }
    let known = words.join(", ");
    read(Path::new(word)).with_context(|| format!("`{field}` is one of {known}, or a file"))
}

/// The game for a rule set with some fields changed.
///
/// # Errors
/// Names each field that is unknown or can't be played with.
pub fn changed(
    game: &dyn GameType,
    mut rules: Table,
    changes: &[String],
    players: u8,
) -> Result<Box<dyn LoadedGame>> {
    change(&game.facts(), &mut rules, changes)?;
    Ok(game.load(rules, players)?)
}

/// What a rule set changes in the game's own, as a file with fields of a rule set has it.
pub fn differences(game: &dyn GameType, rules: &Table) -> Table {
    let mut all = Table::new();
    for (field, value) in changes_of(game, rules) {
        let mut at = &mut all;
        let (sections, last) = field.rsplit_once('.').unwrap_or(("", field));
        for section in sections.split('.').filter(|section| !section.is_empty()) {
            let section = at.entry(section).or_insert_with(|| Value::Table(Table::new()));
            at = section.as_table_mut().expect("a section holds fields");
        }
        at.insert(last.to_owned(), value);
    }
    all
}

/// The same as words of a command line, each for `--set`.
pub fn sets(game: &dyn GameType, rules: &Table) -> Vec<String> {
    let set = |(field, value): (&str, Value)| match value {
        Value::String(word) => format!("{field}={word}"),
        other => format!("{field}={other}"),
    };
    changes_of(game, rules).map(set).collect()
}

/// The fields of a rule set that differ from the game's own, with their values.
fn changes_of(game: &dyn GameType, rules: &Table) -> impl Iterator<Item = (&'static str, Value)> {
    let own = game.default_rules();
    let changed = move |field: &Field| {
        let value = field.value_in(rules)?;
        (field.value_in(&own) != Some(value)).then(|| (field.path, value.clone()))
    };
    game.facts().fields.iter().filter_map(changed).collect::<Vec<_>>().into_iter()
}

/// What stands for the number of players among the changes of a variant: no field of a rule set has this name.
const PLAYERS: &str = "players=";

/// The change that seats a number of players.
pub fn seated(players: u8) -> String {
    format!("{PLAYERS}{players}")
}

/// The number of players of a variant, if its changes name one, and its other changes.
///
/// # Errors
/// If it is no number.
pub fn players_of(changes: &[String]) -> Result<(Option<u8>, Vec<String>)> {
    let (seats, others): (Vec<&String>, Vec<&String>) =
        changes.iter().partition(|change| change.starts_with(PLAYERS));
    let number = |change: &&String| {
        let number = change[PLAYERS.len()..].parse::<u8>();
        number.with_context(|| format!("`{change}` has no number of players"))
    };
    let players = seats.last().map(number).transpose()?;
    Ok((players, others.into_iter().cloned().collect()))
}

/// What stands for all fields of a preset.
const PRESET: &str = "preset";

fn change(facts: &Facts, rules: &mut Table, sets: &[String]) -> Result<()> {
    let mut changes = Vec::new();
    for (at, set) in sets.iter().enumerate() {
        let (field, value) =
            set.split_once('=').with_context(|| format!("`{set}` should read field=value"))?;
        ensure_not_set(&sets[..at], field)?;
        changes.push((field.trim(), value));
    }
    // What is set beside a preset counts, wherever it stands.
    let is_preset = |field: &str| field == PRESET && !facts.presets.is_empty();
    for (_, name) in changes.iter().filter(|(field, _)| is_preset(field)) {
        for (field, value) in
            preset(facts, name.trim())?.sets.iter().filter_map(|set| set.split_once('='))
        {
            put(facts, rules, field, value_of(value))?;
        }
    }
    for (field, value) in changes.iter().filter(|(field, _)| !is_preset(field)) {
        // Several lines are the text of a file.
        let is_text = value.contains('\n');
        let text = || Value::String((*value).to_owned());
        let value = if is_text { text() } else { value_of(value.trim()) };
        put(facts, rules, field, value)?;
    }
    Ok(())
}

/// The preset of a name.
fn preset(facts: &Facts, name: &str) -> Result<&'static Preset> {
    let names: Vec<&str> = facts.presets.iter().map(|preset| preset.name).collect();
    let found = facts.presets.iter().find(|preset| preset.name == name);
    found.with_context(|| nearest::unknown("preset", name, &names))
}

/// A field that is given twice is an error, since only one of its values could count.
///
/// # Errors
/// If one of the changes is of that field.
pub fn ensure_not_set(sets: &[String], field: &str) -> Result<()> {
    let path = |field: &str| -> Vec<String> {
        field.trim().split('.').map(|part| plain(part).to_owned()).collect()
    };
    let of =
        |set: &String| set.split_once('=').is_some_and(|(other, _)| path(other) == path(field));
    ensure!(!sets.iter().any(of), "rule set field `{}` is given twice", field.trim());
    Ok(())
}

/// Sets one field, found by its dotted path; `wood` and `wheat` are understood.
fn put(facts: &Facts, rules: &mut Table, field: &str, value: Value) -> Result<()> {
    let mut path: Vec<&str> = field.split('.').collect();
    let last = path.pop().unwrap_or_default();
    let last = plain(last);
    let unknown = || {
        if let Some(former) = facts.former.iter().find(|former| former.path == field) {
            return anyhow!(former.complaint());
        }
        let fields: Vec<&str> = facts.fields.iter().map(|field| field.path).collect();
        let complaint = nearest::unknown("rule set field", field, &fields);
        anyhow!("{complaint} (`fairhaven rules {}` explains them)", facts.name)
    };
    let mut table = rules;
    for part in path {
        table = table.get_mut(part).and_then(Value::as_table_mut).ok_or_else(unknown)?;
    }
    let old = table.get_mut(last).ok_or_else(unknown)?;
    let by_seat = || facts.fields.iter().any(|known| known.path == field && known.is_by_seat());
    let fits = |value: &Value| value.is_integer() || value.is_array();
    if old.type_str() != value.type_str() && !(fits(old) && fits(&value) && by_seat()) {
        return Err(no_such(field, &value, old));
    }
    // A table, such as a price, keeps the entries that are not named.
    match (old, value) {
        (Value::Table(old), Value::Table(new)) => {
            ensure!(
                !new.is_empty(),
                "rule set field `{field}`: entries that are not named stay, so that {{}} changes nothing; 0 takes one away"
            );
            for key in new.keys().map(|key| plain(key)) {
                let times = new.keys().filter(|other| plain(other) == key).count();
                ensure!(times == 1, "rule set field `{field}`: `{key}` is given twice");
            }
            old.extend(new.into_iter().map(|(key, value)| (plain(&key).to_owned(), value)));
        }
        (old, new) => *old = new,
    }
    Ok(())
}

/// The field's own word for a resource.
fn plain(word: &str) -> &str {
    match word {
        "wood" => "lumber",
        "wheat" => "grain",
        other => other,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) => "whole number",
        Value::Boolean(_) => "true or false",
        Value::String(_) => "word",
        Value::Array(_) => "list such as [4, 3, 2, 1]",
        Value::Table(_) => "price such as { wool = 3, ore = 1 }",
        _ => "number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Games;

    #[test]
    fn fields_are_set_by_path_and_faults_are_named() {
        let game = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
            let games = Games::standard();
            let game = games.get("on-the-road").unwrap();
            let made = changed(game, game.default_rules(), &sets, 4);
            made.map(|game| game.rules())
        };
        let changed = game(&["side=b", "metropolis.cost.wool=2", "city.cost={ wheat = 1 }"]);
        let cost = &changed.unwrap()["metropolis"]["cost"];
        assert_eq!((&cost["wool"], &cost["ore"]), (&Value::Integer(2), &Value::Integer(1)));
        for (set, part) in [
            ("side=c", "unknown variant `c`"),
            ("sides=b", "no rule set field `sides`"),
            ("metropolis.cost.gold=1", "no rule set field"),
            ("metropolis.cost.wool=many", "no whole number"),
            ("metropolis.cost.wool=99", "`metropolis.cost.wool`"),
            ("metropolis.cost.wool=-1", "rule set"),
            ("side", "field=value"),
            ("metropolis.cost={ wool = 1, lumber = 1, wood = 2 }", "`lumber` is given twice"),
        ] {
            let error = game(&[set]).unwrap_err().to_string();
            assert!(error.contains(part), "{set}: {error}");
        }
        for twice in [
            ["side=a", "side=b"],
            ["side=b", " side = b"],
            ["city.cost.wood=1", "city.cost.lumber=2"],
        ] {
            let error = game(&twice).unwrap_err().to_string();
            assert!(error.contains("is given twice"), "{twice:?}: {error}");
        }
        let preset = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
            let games = Games::standard();
            let game = games.get("two-player").unwrap();
            super::changed(game, game.default_rules(), &sets, 2).map(|game| game.rules())
        };
        // TWO-16
        let whole = preset(&["preset=twenty_tokens"]).unwrap();
        let tokens =
            |rules: &Table, field: &str| rules["trade_tokens"][field].as_integer().unwrap();
        assert_eq!(["all", "start", "max"].map(|field| tokens(&whole, field)), [20, 5, 20]);
        let beside = preset(&["trade_tokens.start=3", "preset=twenty_tokens"]).unwrap();
        assert_eq!(["all", "start", "max"].map(|field| tokens(&beside, field)), [20, 3, 20]);
        let error = preset(&["preset=twenty"]).unwrap_err().to_string();
        assert!(error.contains("no preset `twenty`"), "{error}");
        // SFC-52: a field that has gone is named with what became of it, wherever it still stands.
        let games = Games::standard();
        let struggle = games.get("struggle").unwrap();
        let mut old = struggle.default_rules();
        let market = old["market"].as_table_mut().unwrap();
        market.insert("fills_up".to_owned(), Value::Boolean(true));
        let in_manifest = super::changed(struggle, old, &[], 4).map(drop).unwrap_err();
        let set = ["market.fills_up=false".to_owned()];
        let on_line = super::changed(struggle, struggle.default_rules(), &set, 4).map(drop);
        let in_file = struggle.read_rules("market.fills_up = true").unwrap_err();
        for error in
            [in_manifest.to_string(), on_line.unwrap_err().to_string(), in_file.to_string()]
        {
            let due = "rule set field `market.fills_up` is gone: the market is never short";
            assert!(error.contains(due), "{error}");
        }
        // SFC-40
        let set = ["preset=dear_town_hall".to_owned()];
        let dear = super::changed(struggle, struggle.default_rules(), &set, 4).unwrap().rules();
        let extra =
            |rules: &Table| rules["expansion"]["town_hall"]["extra"]["ore"].as_integer().unwrap();
        assert_eq!((extra(&struggle.default_rules()), extra(&dear)), (0, 2));
        // A price and then one of its entries are two fields.
        let priced = game(&["city.cost={ wool = 1 }", "city.cost.ore=2"]).unwrap();
        let cost = &priced["city"]["cost"];
        assert_eq!((&cost["wool"], &cost["ore"]), (&Value::Integer(1), &Value::Integer(2)));
    }
}
