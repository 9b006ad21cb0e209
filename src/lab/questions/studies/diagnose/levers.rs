//! Changes to try for what stands out: fields of the rule set that have to do with it, each moved by a step, as commands
//! that can be copied. Nothing is known of what they do before they are run.

use crate::core::resources::Resource;
use crate::lab::questions::studies::diagnose::words::Finding;
use crate::lab::questions::studies::next::quoted;
use crate::lab::report::manifest::Manifest;
use toml::{Table, Value};

/// Commands that are proposed.
const PROPOSALS: usize = 3;

/// Fields that move what is about no card: the first that a rule set has.
const OF_SEATS: &[&str] = &["hand_start", "first_turn", "trade_tokens.start"];
const OF_LEADS: &[&str] =
    &["robber.spares_below", "trade.proposals_max", "trade.lot_max", "hand_start"];
const OF_LENGTH: &[&str] = &["points_to_win"];
const OF_SKILL: &[&str] = &["points_to_win", "hand_start"];
const OF_OTHERS: &[&str] =
    &["points_to_win", "hand_start", "first_turn", "robber.hand_limit", "bank"];

/// Words of cards and sources that fields have others for.
const ALSO: [(&str, &str); 6] = [
    ("longest", "route"),
    ("knight", "card"),
    ("building", "card"),
    ("victory", "card"),
    ("monopoly", "card"),
    ("plenty", "card"),
];

/// The flags of `diagnose` that the commands share.
const KEPT: [&str; 3] = ["--set", "--rules", "--players"];

/// Commands to try for what stands out, at most three; none if it is not known what was asked.
pub fn proposals(manifest: &Manifest, found: &[Finding<'_>]) -> Vec<String> {
    let Some(flags) = kept(&manifest.command) else { return Vec::new() };
    let mut changes: Vec<String> = Vec::new();
    let changed = changed(manifest);
    let fields = flat(&changed, "");
    let of_findings = found.iter().flat_map(|&finding| changes_for(finding, &fields));
    let of_others = OF_OTHERS.iter().filter_map(|path| step(&fields, path, true));
    for change in of_findings.chain(of_others) {
        if changes.len() < PROPOSALS && !changes.contains(&change) {
            changes.push(change);
        }
    }
    let start = format!("fairhaven compare {}{flags} --rules-b", manifest.game);
    changes.iter().map(|change| format!("{start} {}", quoted(change))).collect()
}

/// The rule set that is looked into.
fn changed(manifest: &Manifest) -> Table {
    let mut rules = manifest.rules.clone();
    let changes = manifest.variants.first().map_or(&[][..], |variant| &variant.changes);
    for change in changes {
        let parsed = change.split_once('=').and_then(|(path, value)| {
            let table: Table = toml::from_str(&format!("value = {value}")).ok()?;
            Some((path, table.get("value")?.clone()))
        });
        let Some((path, value)) = parsed else { continue };
        let mut at = path.split('.');
        let first = at.next().and_then(|part| rules.get_mut(part));
        if let Some(field) = at.fold(first, |field, part| field?.get_mut(part)) {
            *field = value;
        }
    }
    rules
}

/// The flags of a command of this study that others share, with their values.
fn kept(command: &[String]) -> Option<String> {
    command.get(1).filter(|word| *word == "diagnose")?;
    let mut flags = String::new();
    let mut words = command.iter();
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        if !KEPT.contains(&name) {
            continue;
        }
        let value = if word.contains('=') { None } else { words.next() };
        for word in std::iter::once(word).chain(value) {
            flags.push(' ');
            flags += &quoted(word);
        }
    }
    Some(flags)
}

/// A field: its path, and its value.
type FieldValue<'a> = (String, &'a Value);

/// All fields; a price is one.
fn flat<'a>(rules: &'a Table, path: &str) -> Vec<FieldValue<'a>> {
    let mut fields = Vec::new();
    for (key, value) in rules {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Table(inner) if !is_price(inner) => fields.extend(flat(inner, &path)),
            _ => fields.push((path, value)),
        }
    }
    fields
}

fn is_price(table: &Table) -> bool {
    table.keys().all(|key| Resource::ALL.iter().any(|kind| kind.name() == key))
}

/// The changes that have to do with a finding.
fn changes_for(finding: Finding<'_>, fields: &[FieldValue<'_>]) -> Vec<String> {
    let named = |paths: &[&str], up: bool| -> Vec<String> {
        paths.iter().filter_map(|path| step(fields, path, up)).take(1).collect()
    };
    match finding.metric() {
        "seat_share" => named(OF_SEATS, true),
        "leader_wins" | "choice_effect" => named(OF_LEADS, !finding.is_above()),
        "win_share" => named(OF_SKILL, true),
        "dead_share" | "idle_share" | "long_share" | "unfinished_share" => named(OF_LENGTH, false),
        _ => of_card(finding, fields).into_iter().collect(),
    }
}

/// The field whose words are those of a card or a source, moved so that it becomes less or more attractive.
fn of_card(finding: Finding<'_>, fields: &[FieldValue<'_>]) -> Option<String> {
    let words: Vec<&str> = finding.of().split('_').collect();
    let alike = |a: &str, b: &str| a.get(..3).is_some_and(|start| b.starts_with(start));
    let score = |(path, _): &&FieldValue<'_>| {
        let own = path.split(['.', '_']);
        let hits = own.filter(|part| {
            words.iter().any(|word| {
                alike(word, part) || ALSO.iter().any(|(of, also)| of == word && also == part)
            })
        });
        hits.count()
    };
    let movable = |field: &&FieldValue<'_>| step(fields, &field.0, true).is_some();
    let candidates = fields.iter().filter(movable).filter(|field| score(field) > 0);
    // Of fields with as many words in common the first: prices stand before points and numbers.
    let (path, value) = candidates.rev().max_by_key(score)?;
    // A price or what is needed for a bonus holds buyers off, points draw them.
    let holds_off = value.is_table() || path.ends_with("minimum");
    step(fields, path, finding.is_above() == holds_off)
}

/// A field moved by a step; nothing if there is none, or it is no number or price.
fn step(fields: &[FieldValue<'_>], path: &str, up: bool) -> Option<String> {
    let (_, value) = fields.iter().find(|(other, _)| other == path)?;
    let moved = |number: i64| {
        if up { Some(number + 1) } else { number.checked_sub(1).filter(|&less| less >= 0) }
    };
    match value {
        Value::Integer(number) => Some(format!("{path}={}", moved(*number)?)),
        Value::Table(price) => {
            let cards =
                |(kind, value): (&String, &Value)| Some((value.as_integer()?, kind.clone()));
            let (cards, kind) = price.iter().filter_map(cards).max()?;
            Some(format!("{path}.{kind}={}", moved(cards)?))
        }
        _ => None,
    }
}
