//! Random rule sets and matches of any game, from what its fields may be.

use crate::{Case, Lawful};
use fairhaven::core::game::{Field, Game, Steps};
use fairhaven::core::resources::Resource;
use fairhaven::core::types::seat::SEATS_MAX;
use proptest::prelude::*;
use std::ops::RangeInclusive;
use toml::{Table, Value};

/// Random matches, mostly by rule sets that differ from the default.
pub fn cases<G: Lawful>(players: RangeInclusive<u8>) -> impl Strategy<Value = Case<G::Rules>> {
    let rules = prop_oneof![1 => Just(G::Rules::default()), 5 => rule_sets::<G>()];
    (rules, players, any::<u64>(), any::<bool>()).prop_map(|(rules, players, seed, uniform)| Case {
        rules: G::playable(seated::<G>(&rules, players), players, seed),
        players,
        seed,
        uniform,
    })
}

/// A rule set whose lists by seat have an entry for each of these players.
fn seated<G: Game>(rules: &G::Rules, players: u8) -> G::Rules {
    let mut table = Table::try_from(rules).expect("a rule set");
    for field in G::FIELDS.iter().filter(|field| field.is_by_seat()) {
        if let Some(Value::Array(list)) = field.value_in(&table) {
            let cut = list.iter().take(players.into()).cloned().collect();
            table = with(table, field, Value::Array(cut));
        }
    }
    table.try_into().expect("a rule set")
}

/// Rule sets whose fields are in their ranges, each by itself.
fn rule_sets<G: Game>() -> impl Strategy<Value = G::Rules> {
    let usual = Table::try_from(G::Rules::default()).expect("a rule set");
    let of = |field: &Field| values(field, field.value_in(&usual).expect("a default"));
    let all: Vec<BoxedStrategy<Value>> = G::FIELDS.iter().map(of).collect();
    all.prop_map(move |values| {
        let changed = G::FIELDS.iter().zip(values);
        let rules = changed.fold(usual.clone(), |rules, (field, value)| with(rules, field, value));
        rules.try_into().expect("a rule set")
    })
}

/// What a field may be: mostly its default, so that a rule set differs in some fields only, and small prices.
fn values(field: &Field, usual: &Value) -> BoxedStrategy<Value> {
    let cards = |most: i64| prop_oneof![6 => 0..=1_i64, 2 => 2..=3_i64, 1 => 4..=most];
    let more = |most: i64| prop_oneof![2 => -1..=0_i64, 6 => 0..=1_i64, 1 => 2..=most];
    let others = match field.steps {
        // Most matches are short.
        Steps::Whole(least, most) if field.path == "turns_max" => {
            let any = number(least, most.min(1000));
            return prop_oneof![4 => number(least, 60), 2 => Just(usual.clone()), 1 => any].boxed();
        }
        Steps::Words(words) => return word(words),
        Steps::Whole(least, most) => number(least, most),
        Steps::BySeat(least, most) => {
            let list = prop::collection::vec(number(least, most), SEATS_MAX);
            prop_oneof![3 => number(least, most), 1 => list.prop_map(Value::Array)].boxed()
        }
        Steps::Flag => any::<bool>().prop_map(Value::Boolean).boxed(),
        Steps::Price(most) => {
            prop_oneof![3 => by_kind(cards(most.into())), 1 => by_kind(Just(0))].boxed()
        }
        Steps::Surcharge(most) => by_kind(more(most.into())),
        Steps::List(least, most) => listed(usual, number(least, most)),
        Steps::Sets(words) => listed(usual, set(words)),
        Steps::File(words) => word(words),
    };
    prop_oneof![3 => Just(usual.clone()), 1 => others].boxed()
}

fn number(least: u16, most: u16) -> BoxedStrategy<Value> {
    (least..=most).prop_map(|number| Value::Integer(number.into())).boxed()
}

fn word(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    prop::sample::select(words).prop_map(Value::from).boxed()
}

/// Some of the words, or all of them: at least one.
fn set(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    let some = prop::sample::subsequence(words, 1..=words.len());
    let some = some.prop_map(|words| Value::from(words.join(" ")));
    prop_oneof![3 => Just(Value::from("any")), 1 => some].boxed()
}

fn by_kind(numbers: impl Strategy<Value = i64> + 'static) -> BoxedStrategy<Value> {
    let kinds = Resource::ALL.map(|kind| kind.name().to_owned());
    let table = move |numbers: [i64; 5]| {
        let numbers = numbers.map(Value::Integer);
        Value::Table(kinds.iter().cloned().zip(numbers).collect())
    };
    prop::array::uniform5(numbers).prop_map(table).boxed()
}

/// As many entries as there are in the default.
fn listed(usual: &Value, entry: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let entries = usual.as_array().expect("a list").len();
    prop::collection::vec(entry, entries).prop_map(Value::Array).boxed()
}

/// A rule set with another value of a field.
pub fn with(mut rules: Table, field: &Field, value: Value) -> Table {
    let mut at = &mut rules;
    let (sections, last) = field.path.rsplit_once('.').unwrap_or(("", field.path));
    for section in sections.split('.').filter(|section| !section.is_empty()) {
        at = at[section].as_table_mut().expect("a section");
    }
    at.insert(last.to_owned(), value);
    rules
}
