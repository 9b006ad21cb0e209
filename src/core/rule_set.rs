//! Rule sets, each field written once: name, type, default, range, clause, words, and whether the rules' text leaves it
//! open. What a field is stands in `core::game`; here are the macros that write rule sets, what these need, and what is
//! out of its range.

use crate::core::game::{BadRule, Field, Steps};
use serde::Serialize;
use toml::{Table, Value};

/// A type whose values are one of a few words, or are made of them.
pub trait Words {
    /// The words, as files have them.
    const WORDS: &'static [&'static str];
}

/// The words of a value's type.
pub const fn words_of<T: Words>(_: &T) -> &'static [&'static str] {
    T::WORDS
}

/// The number of fields in some lists.
pub const fn total(parts: &[&[Field]]) -> usize {
    let (mut total, mut at) = (0, 0);
    while at < parts.len() {
        total += parts[at].len();
        at += 1;
    }
    total
}

/// Some lists of fields as one.
///
/// # Panics
/// If they don't have this [number](total) of fields.
pub const fn joined<const TOTAL: usize>(parts: &[&[Field]]) -> [Field; TOTAL] {
    let mut all = [Field::specified("", "", Steps::Flag, ""); TOTAL];
    let (mut part, mut at, mut put) = (0, 0, 0);
    while part < parts.len() {
        if at == parts[part].len() {
            (part, at) = (part + 1, 0);
        } else {
            all[put] = parts[part][at];
            (at, put) = (at + 1, put + 1);
        }
    }
    assert!(put == TOTAL, "all places are taken");
    all
}

/// The field of a path, or the fields of the section of that path: they stand together.
///
/// # Panics
/// If there is none of that path.
pub const fn section(fields: &'static [Field], path: &str) -> &'static [Field] {
    let mut first = 0;
    while !is_within(fields[first].path, path) {
        first += 1;
    }
    let mut end = first;
    while end < fields.len() && is_within(fields[end].path, path) {
        end += 1;
    }
    fields.split_at(end).0.split_at(first).1
}

/// Whether a path is the other one, or goes on from there.
const fn is_within(path: &str, other: &str) -> bool {
    let (path, other) = (path.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < path.len() && at < other.len() && path[at] == other[at] {
        at += 1;
    }
    at == other.len() && (at == path.len() || path[at] == b'.')
}

/// What is out of its range in a rule set at a table of some players, field by field.
pub fn range_faults(fields: &[Field], rules: &impl Serialize, players: u8) -> Vec<BadRule> {
    let rules = Table::try_from(rules).expect("a rule set can be written");
    let of = |field| {
        let unlike = unlike_table(field, &rules, players);
        faults_of(field, &rules).into_iter().chain(unlike)
    };
    fields.iter().flat_map(of).collect()
}

/// A list by seat that has not one entry for each.
fn unlike_table(field: &Field, rules: &Table, players: u8) -> Option<BadRule> {
    let Steps::BySeat(..) = field.steps else { return None };
    let entries = field.value_in(rules)?.as_array()?.len();
    let reason = || format!("{entries} entries are not one for each of {players} seats");
    (entries != usize::from(players)).then(|| BadRule::new(field.path, reason()))
}

fn faults_of(field: &Field, rules: &Table) -> Vec<BadRule> {
    let value = field.value_in(rules);
    let of = |(kind, number): (&String, &Value)| (format!("{}.{kind}", field.path), number.clone());
    let by_kind = |price: &Table| price.iter().map(of).collect::<Vec<_>>();
    let plain = |value: &Value| (field.path.to_owned(), value.clone());
    let (numbers, least, most) = match (field.steps, value) {
        (Steps::List(least, most) | Steps::BySeat(least, most), Some(Value::Array(all))) => {
            (all.iter().map(plain).collect(), least.into(), most)
        }
        (Steps::Whole(least, most) | Steps::BySeat(least, most), Some(number)) => {
            (vec![plain(number)], least.into(), most)
        }
        (Steps::Price(most), Some(Value::Table(price))) => (by_kind(price), 0, most),
        (Steps::Surcharge(most), Some(Value::Table(of))) => (by_kind(of), -i64::from(most), most),
        _ => return Vec::new(),
    };
    let range = least..=i64::from(most);
    let outside = |value: &Value| value.as_integer().filter(|number| !range.contains(number));
    let faults = numbers.into_iter().filter_map(|(path, value)| {
        let number = outside(&value)?;
        Some(BadRule::new(path, format!("{number} is not in {least} to {most}")))
    });
    faults.collect()
}

/// Types whose values are one of a few words, in files and in code.
macro_rules! words {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$about:meta])* $variant:ident = $word:literal,)+ }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        pub enum $name { $($(#[$about])* #[serde(rename = $word)] $variant,)+ }

        impl $crate::core::rule_set::Words for $name {
            const WORDS: &'static [&'static str] = &[$($word),+];
        }
    )+};
}
pub(crate) use words;

/// A rule set. Makes the type that holds its values, its defaults, and `FIELDS`, the list by which they are shown, set
/// and checked. The order of the fields is that in which they are shown. Each is one of these, with `;` at its end:
///
/// - `name: type = default, steps, specified("clause"), "what it does"`: a value; `unspecified` if the rules' text leaves
///   it open. The steps are those of [`Steps`]: `whole(least, most)`, `by_seat(least, most)`, `list(least, most)`, `price(most)`,
///   `surcharge(most)`, `words()`, `file(words)`, `sets()`, `flag()`. A range is shown behind what the field does, and
///   a second text behind the range. Comments above say more than is shown.
/// - `name: struct Type { fields }`: a section of a type of its own, which is made here.
/// - `name: use Type { fields }`: a section of a type that several have; its fields have no types here.
/// - `name: type`: a value or a section as in the rule set of the module that the first line names (`like`). `shared`
///   gives back all of them, among the other's defaults.
macro_rules! rule_set {
    ($(#[$meta:meta])* pub struct $name:ident $items:tt) => {
        rule_set! { @type [] [] $(#[$meta])* $name $items }
    };
    ($(#[$meta:meta])* pub struct $name:ident, like $base:ident $items:tt) => {
        rule_set! { @type [$base::Rules] [] $(#[$meta])* $name $items }
        rule_set! { @shared $base::Rules, $name $items }
    };
    (@type $base:tt $path:tt $(#[$meta:meta])* $name:ident { $(
        $(#[$doc:meta])*
        $field:ident: $(struct $group:ident $inner:tt)? $(use $known:ident $used:tt)? $($type:ty)?
        $(= $default:expr, $steps:ident $limits:tt, $kind:ident($clause:literal), $($about:expr),+)?;
    )+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {$(
            $(#[$doc])*
            #[doc = rule_set!(@doc $base $field $($group)? $($known)? $($steps $limits $($about),+)?)]
            pub $field: $($group)? $($known)? $($type)?,
        )+}

        impl Default for $name {
            fn default() -> $name {
                $name {$(
                    $field: rule_set!(@value $base $path $field $($group)? $($known $used)? $(= $default)?),
                )+}
            }
        }

        impl $name {
            /// The fields, in the order in which they are shown.
            pub const FIELDS: &'static [$crate::core::game::Field] = {
                const PARTS: &[&[$crate::core::game::Field]] = &[$(rule_set!(
                    @part $base $path $field $($group)? $(use $used)?
                    $(= $default, $steps $limits, $kind($clause), $($about),+)?
                )),+];
                &$crate::core::rule_set::joined::<{ $crate::core::rule_set::total(PARTS) }>(PARTS)
            };
        }

        $(rule_set! { @section $base $path $field $(#[$doc])* $($group $inner)? })+
    };
    (@section $base:tt [$($path:ident)*] $field:ident $(#[$doc:meta])* $group:ident $inner:tt) => {
        rule_set! { @type $base [$($path)* $field] $(#[$doc])* #[derive(Copy)] $group $inner }
    };
    (@section $base:tt $path:tt $field:ident $(#[$doc:meta])*) => {};
    // What is shared with the other rule set: all that has neither a default nor a section here.
    (@shared $base:path, $name:ident { $(
        $(#[$doc:meta])*
        $field:ident: $(struct $group:ident $inner:tt)? $(use $known:ident $used:tt)? $($type:ty)?
        $(= $default:expr, $steps:ident $limits:tt, $kind:ident($clause:literal), $($about:expr),+)?;
    )+ }) => {
        impl $name {
            /// The other rule set: what this one shares with it, among its defaults.
            fn shared(&self) -> $base {
                let mut shared = <$base>::default();
                $(rule_set!(@share shared self $field $($group)? $($known)? $(= $default)?);)+
                shared
            }
        }
    };
    (@share $shared:ident $self:ident $field:ident) => { $shared.$field.clone_from(&$self.$field) };
    (@share $shared:ident $self:ident $field:ident $($own:tt)+) => {};
    (@doc $base:tt $field:ident $steps:ident $limits:tt $($about:expr),+) => {
        concat!("`", stringify!($field), "`: ", rule_set!(@about $steps $limits $($about),+), ".")
    };
    (@doc $base:tt $field:ident $group:ident) => { "" };
    (@doc [$base:path] $field:ident) => {
        concat!("`", stringify!($field), "`: as in [`", stringify!($base), "`].")
    };
    (@value $base:tt $path:tt $field:ident $group:ident) => { <$group>::default() };
    (@value $base:tt $path:tt $field:ident = $default:expr) => { $default };
    (@value $base:tt $path:tt $field:ident $known:ident { $(
        $inner:ident = $default:expr, $steps:ident $limits:tt, $kind:ident($clause:literal), $($about:expr),+;
    )+ }) => { $known { $($inner: $default),+ } };
    (@value [$base:path] [$($path:ident)*] $field:ident) => { <$base>::default()$(.$path)*.$field };
    // A list of fields: one, those of a section, or those of the other rule set.
    (@part $base:tt $path:tt $field:ident = $($value:tt)+) => { &[rule_set!(@field $path $field = $($value)+)] };
    (@part $base:tt $path:tt $field:ident $group:ident) => { <$group>::FIELDS };
    (@part $base:tt [$($path:ident)*] $field:ident use $used:tt) => { rule_set!(@used [$($path)* $field] $used) };
    (@part [$base:path] $path:tt $field:ident) => {
        $crate::core::rule_set::section(<$base>::FIELDS, rule_set!(@path $path $field))
    };
    (@used $path:tt { $(
        $field:ident = $default:expr, $steps:ident $limits:tt, $kind:ident($clause:literal), $($about:expr),+;
    )+ }) => {
        &[$(rule_set!(@field $path $field = $default, $steps $limits, $kind($clause), $($about),+)),+]
    };
    (
        @field $path:tt
        $field:ident = $default:expr, $steps:ident $limits:tt, $kind:ident($clause:literal), $($about:expr),+
    ) => {
        $crate::core::game::Field::$kind(
            rule_set!(@path $path $field),
            $clause,
            rule_set!(@steps $steps $limits $default),
            rule_set!(@about $steps $limits $($about),+),
        )
    };
    (@path [$($path:ident)*] $field:ident) => { concat!($(stringify!($path), ".",)* stringify!($field)) };
    (@steps whole($least:literal, $most:literal) $default:expr) => { $crate::core::game::Steps::Whole($least, $most) };
    (@steps by_seat($least:literal, $most:literal) $default:expr) => { $crate::core::game::Steps::BySeat($least, $most) };
    (@steps list($least:literal, $most:literal) $default:expr) => { $crate::core::game::Steps::List($least, $most) };
    (@steps price($most:literal) $default:expr) => { $crate::core::game::Steps::Price($most) };
    (@steps surcharge($most:literal) $default:expr) => { $crate::core::game::Steps::Surcharge($most) };
    (@steps words() $default:expr) => { $crate::core::game::Steps::Words($crate::core::rule_set::words_of(&$default)) };
    (@steps sets() $default:expr) => { $crate::core::game::Steps::Sets($crate::core::rule_set::words_of(&$default)) };
    (@steps file($words:expr) $default:expr) => { $crate::core::game::Steps::File($words) };
    (@steps flag() $default:expr) => { $crate::core::game::Steps::Flag };
    (@about whole($least:literal, $most:literal) $about:expr $(, $more:expr)?) => {
        concat!($about, ", ", $least, " to ", $most $(, $more)?)
    };
    (@about by_seat($least:literal, $most:literal) $about:expr) => {
        concat!($about, ", ", $least, " to ", $most, ", or a list by seat")
    };
    (@about list($least:literal, $most:literal) $about:expr $(, $more:expr)?) => {
        concat!($about, ", ", $least, " to ", $most $(, $more)?)
    };
    (@about surcharge($most:literal) $about:expr) => { concat!($about, ", -", $most, " to ", $most) };
    (@about $steps:ident $limits:tt $about:expr) => { $about };
}
pub(crate) use rule_set;

/// Puts what is given into a rule set: fields whole, sections by what is in them.
pub fn fill(fields: &[Field], rules: &mut Table, given: Table, path: &str) {
    for (key, value) in given {
        let own = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let is_field = fields.iter().any(|field| field.path == own);
        match (rules.get_mut(&key), value) {
            (Some(Value::Table(section)), Value::Table(given)) if !is_field => {
                fill(fields, section, given, &own);
            }
            (_, value) => drop(rules.insert(key, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_their_ranges_are_named() {
        let [whole, price, list] = [Steps::Whole(1, 9), Steps::Price(4), Steps::List(2, 5)];
        let steps = [whole, price, list, Steps::Flag, Steps::BySeat(1, 4)];
        let paths = ["limit.cards", "cost", "rates", "draws", "start"];
        let fields: Vec<Field> = std::iter::zip(paths, steps)
            .map(|(path, steps)| Field { path, clause: "", about: "", open: false, steps })
            .collect();
        let faults = |text: &str| -> Vec<String> {
            let rules: Table = text.parse().unwrap();
            range_faults(&fields, &rules, 3).into_iter().map(|fault| fault.to_string()).collect()
        };
        let none: [&str; 0] = [];
        assert_eq!(faults("limit.cards = 9\ncost.ore = 4\nrates = [2, 5]\ndraws = true"), none);
        let field = |name: &str, rest: &str| format!("rule set field `{name}`: {rest}");
        let found = faults("limit.cards = 0\ncost = { ore = 5, wool = 1 }\nrates = [1, 2, 6]");
        let due = [
            field("limit.cards", "0 is not in 1 to 9"),
            field("cost.ore", "5 is not in 0 to 4"),
            field("rates", "1 is not in 2 to 5"),
            field("rates", "6 is not in 2 to 5"),
        ];
        assert_eq!(found, due);
        assert_eq!([faults("start = 4"), faults("start = [1, 1, 4]")], [none, none]);
        let found = [faults("start = 0"), faults("start = [1, 5]")].concat();
        let due = [
            field("start", "0 is not in 1 to 4"),
            field("start", "5 is not in 1 to 4"),
            field("start", "2 entries are not one for each of 3 seats"),
        ];
        assert_eq!(found, due);
    }
}
