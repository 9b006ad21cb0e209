//! The changes of a rule set that `solve` tries: each field at each of its values, in all combinations, with their size.

use crate::core::game::Field;
use crate::lab::questions::studies::steps::steps;
use crate::lab::questions::studies::sweep_values::values;
use crate::words::lists;
use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// The most combinations, those that can't be played with included.
const COMBINATIONS_MAX: usize = 4096;

/// A change of the rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Fields with their new values, as `field=value`; none of the run's own rule set.
    pub changes: Vec<String>,
    /// Steps from the run's own rule set, over all fields.
    pub size: u64,
}

impl Candidate {
    /// The run's own rule set.
    pub fn none() -> Candidate {
        Candidate { changes: Vec::new(), size: 0 }
    }

    /// In tables: the changes, or `no change`.
    pub fn name(&self) -> String {
        if self.changes.is_empty() { "no change".to_owned() } else { self.changes.join(" ") }
    }
}

/// The values of a field but for the present one, each with its distance from it.
type Moves = Vec<(String, u64)>;

/// All combinations of the values of some fields, the run's own rule set first, then by size. A field is its name alone,
/// for all single steps from its present value, or `field=1..4` or `field=a` for values.
///
/// # Errors
/// If a field is unknown or named twice, or there are too many combinations.
pub fn grid(fields: &[Field], rules: &Table, words: &str) -> Result<Vec<Candidate>> {
    combined(words, |word| moves(fields, rules, word))
}

/// All combinations of the moves of some words.
fn combined(words: &str, moves: impl Fn(&str) -> Result<Moves>) -> Result<Vec<Candidate>> {
    let words = lists::entries(words);
    let name = |word: &str| word.split('=').next().unwrap_or_default().trim().to_owned();
    for (at, word) in words.iter().enumerate() {
        let twice = words[..at].iter().any(|other| name(other) == name(word));
        ensure!(!twice, "--fields names `{}` twice", name(word));
    }
    let all: Vec<Moves> = words.iter().map(|word| moves(word)).collect::<Result<_>>()?;
    let count = all.iter().try_fold(1_usize, |count, moves| count.checked_mul(moves.len() + 1));
    let count = count.filter(|&count| count <= COMBINATIONS_MAX);
    ensure!(count.is_some(), "--fields has more than {COMBINATIONS_MAX} combinations");
    let mut grid = vec![Candidate::none()];
    for moves in all {
        let before = grid.clone();
        for (change, distance) in &moves {
            grid.extend(before.iter().map(|candidate| {
                let changes = candidate.changes.iter().cloned().chain([change.clone()]).collect();
                Candidate { changes, size: candidate.size + distance }
            }));
        }
    }
    // Stable: candidates of the same size stay in the order of the fields.
    grid.sort_by_key(|candidate| candidate.size);
    Ok(grid)
}

/// What of a by-seat field is tried if no values are named: this many seats changed by one step each.
const SEATS_CHANGED: usize = 3;

/// The changes by seat that are tried: as [`grid`], but a field that may differ by seat takes all lists of its values, one
/// for each of the players. Without words these are the single steps of each such field, for up to three seats, each field
/// by itself.
///
/// # Errors
/// As [`grid`], or if no field may differ by seat.
pub fn seat_grid(
    fields: &[Field],
    rules: &Table,
    words: Option<&str>,
    players: u8,
) -> Result<Vec<Candidate>> {
    if let Some(words) = words {
        let moves = |word: &str| match seat_moves(fields, rules, word, players)? {
            Some(moves) => Ok(moves),
            None => moves(fields, rules, word),
        };
        return combined(words, moves);
    }
    let mut grid = vec![Candidate::none()];
    for field in fields.iter().filter(|field| field.is_by_seat()) {
        let moves = seat_moves(fields, rules, field.path, players)?.unwrap_or_default();
        let one = |(change, size)| Candidate { changes: vec![change], size };
        grid.extend(moves.into_iter().map(one));
    }
    ensure!(grid.len() > 1, "no field of this game may differ by seat: name some with --fields");
    grid.sort_by_key(|candidate| candidate.size);
    Ok(grid)
}

/// The moves of a field that may differ by seat; nothing of another one.
fn seat_moves(fields: &[Field], rules: &Table, word: &str, players: u8) -> Result<Option<Moves>> {
    let (name, range) = match word.split_once('=') {
        Some((name, range)) => (name.trim(), Some(range.trim())),
        None => (word, None),
    };
    let field = fields.iter().find(|field| field.path == name && field.is_by_seat());
    let Some(now) = field.and_then(|field| field.value_in(rules)) else { return Ok(None) };
    let seats = usize::from(players);
    let now: Vec<i64> = match now.as_array() {
        Some(list) => list.iter().filter_map(Value::as_integer).collect(),
        None => vec![now.as_integer().unwrap_or_default(); seats],
    };
    let written = |list: &[i64]| {
        let same = list.iter().all(|number| *number == list[0]);
        if same { format!("{name}={}", list[0]) } else { format!("{name}={list:?}") }
    };
    let lists = match range {
        None => near(&now),
        Some(range) if range.contains("..") => {
            let values: Option<Vec<i64>> =
                values(range)?.iter().map(|value| value.parse().ok()).collect();
            let values =
                values.with_context(|| format!("--fields: `{word}` has no whole numbers"))?;
            let count = u32::from(players);
            let fits = values.len().checked_pow(count).filter(|&count| count <= COMBINATIONS_MAX);
            let many = "lists by seat; name fewer values";
            ensure!(fits.is_some(), "--fields: `{word}` has more than {COMBINATIONS_MAX} {many}");
            all_lists(&values, seats)
        }
        Some(_) => return Ok(None),
    };
    let distance =
        |list: &[i64]| list.iter().zip(&now).map(|(new, now)| new.abs_diff(*now)).sum::<u64>();
    let moves = lists.iter().map(|list| (written(list), distance(list)));
    let moves: Moves = moves.filter(|(_, distance): &(String, u64)| *distance > 0).collect();
    ensure!(!moves.is_empty(), "--fields: `{word}` changes nothing");
    Ok(Some(moves))
}

/// All lists of some values, the first seat's changing the slowest.
fn all_lists(values: &[i64], seats: usize) -> Vec<Vec<i64>> {
    (0..seats).fold(vec![Vec::new()], |lists, _| {
        let longer = |list: &Vec<i64>| {
            let with = |&value: &i64| list.iter().copied().chain([value]).collect();
            values.iter().map(with).collect::<Vec<Vec<i64>>>()
        };
        lists.iter().flat_map(longer).collect()
    })
}

/// Lists that are one step off for a few seats.
fn near(now: &[i64]) -> Vec<Vec<i64>> {
    let steps = all_lists(&[1, 0, -1], now.len()).into_iter();
    let few = |steps: &Vec<i64>| steps.iter().filter(|step| **step != 0).count() <= SEATS_CHANGED;
    let of = |steps: Vec<i64>| steps.iter().zip(now).map(|(step, now)| now + step).collect();
    let lists: Vec<Vec<i64>> = steps.filter(few).map(of).collect();
    lists.into_iter().filter(|list| list.iter().all(|number| *number >= 0)).collect()
}

/// A number, or a list of one for each seat.
fn by_seat(value: &Value) -> Option<Vec<i64>> {
    match value.as_array() {
        Some(list) => list.iter().map(Value::as_integer).collect(),
        None => Some(vec![value.as_integer()?]),
    }
}

/// Steps between two of these, seat by seat; a number alone is every seat's.
fn apart(one: &[i64], other: &[i64]) -> u64 {
    let of = |list: &[i64], seat: usize| list.get(seat).or(list.last()).copied().unwrap_or(0);
    (0..one.len().max(other.len())).map(|seat| of(one, seat).abs_diff(of(other, seat))).sum()
}

/// The moves of a field.
fn moves(fields: &[Field], rules: &Table, word: &str) -> Result<Moves> {
    let Some((name, range)) = word.split_once('=') else {
        let steps: Vec<_> = steps(fields, rules, false)
            .into_iter()
            .filter(|step| {
                let field = step.change.split('=').next();
                step.field == word || field == Some(word)
            })
            .collect();
        let why = || format!("--fields: `{word}` is no field with steps; write {word}=1..4");
        ensure!(!steps.is_empty(), "{}", why());
        return Ok(steps.into_iter().map(|step| (step.change, 1)).collect());
    };
    let name = name.trim();
    let now = name.split('.').try_fold(None, |at: Option<&Value>, key| {
        Some(match at {
            None => Some(rules.get(key)?),
            Some(table) => Some(table.get(key)?),
        })
    });
    let now = now.flatten().with_context(|| format!("--fields: no rule set field `{name}`"))?;
    let list = if range.contains("..") { values(range)? } else { vec![range.trim().to_owned()] };
    let mut moves = Vec::new();
    for value in list {
        let new = value.parse::<Value>().ok();
        let distance = match (by_seat(now), new.as_ref().and_then(by_seat)) {
            (Some(now), Some(new)) => apart(&now, &new),
            _ => u64::from(now.as_str() != Some(&value) && now.to_string() != value),
        };
        if distance > 0 {
            moves.push((format!("{name}={value}"), distance));
        }
    }
    ensure!(!moves.is_empty(), "--fields: `{word}` changes nothing");
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::game::Game;
    use crate::games::on_the_road::OnTheRoad;
    use crate::games::on_the_road::rules::Rules;

    fn tried(words: &str) -> Result<Vec<(String, u64)>> {
        let rules = Table::try_from(Rules::default()).expect("a rule set");
        let grid = grid(OnTheRoad::FIELDS, &rules, words)?;
        Ok(grid.into_iter().map(|of| (of.changes.join(" "), of.size)).collect())
    }

    #[test]
    fn all_combinations_come_by_size() {
        let expected = [
            ("", 0),
            ("city.cost.ore=4", 1),
            ("city.cost.ore=2", 1),
            ("hand_start=1", 1),
            ("city.cost.ore=4 hand_start=1", 2),
            ("city.cost.ore=2 hand_start=1", 2),
            ("hand_start=4", 2),
            ("city.cost.ore=4 hand_start=4", 3),
            ("city.cost.ore=2 hand_start=4", 3),
        ];
        let found = tried("city.cost.ore,hand_start=1..2").expect("fields").len();
        assert_eq!(found, 6, "the present value is no move");
        let rules = Table::try_from(Rules::default()).expect("a rule set");
        let moves = moves(OnTheRoad::FIELDS, &rules, "hand_start=1..4").expect("a field");
        assert_eq!(moves.len(), 3);
        let mut found = tried("city.cost.ore,hand_start=1..4").expect("fields");
        found.retain(|(changes, _)| !changes.contains("hand_start=3"));
        let found: Vec<(&str, u64)> = found.iter().map(|(c, size)| (c.as_str(), *size)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn changes_by_seat_are_as_large_as_their_steps_together() {
        let mut rules = Table::try_from(Rules::default()).expect("a rule set");
        rules.insert("hand_start".to_owned(), Value::from(vec![2, 2, 1]));
        let sizes = |words: &str| -> Vec<u64> {
            let [plain, seats] = [
                grid(OnTheRoad::FIELDS, &rules, words),
                seat_grid(OnTheRoad::FIELDS, &rules, Some(words), 3),
            ]
            .map(|grid| grid.expect("fields").iter().map(|of| of.size).collect::<Vec<u64>>());
            assert_eq!(plain, seats, "{words}");
            plain
        };
        assert_eq!(sizes("hand_start=5"), [0, 10]);
        assert_eq!(sizes("hand_start=[2, 2, 9]"), [0, 8]);
        assert_eq!(tried("hand_start=[2,2,9]").expect("a list")[1].1, 7);
    }

    #[test]
    fn what_is_no_field_is_named() {
        for (words, reason) in [
            ("nothing", "`nothing` is no field"),
            ("nothing=1..2", "no rule set field `nothing`"),
            ("hand_start=2", "changes nothing"),
            ("hand_start,hand_start=1..2", "twice"),
            ("hand_start=0..60,points_to_win=0..60,turns_max=1..60", "combinations"),
        ] {
            let error = tried(words).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
