//! Alters one thing in a valid record; the referee must say where.

use crate::played::{Played, Recorded, referee, short_matches};
use crate::shadow::{At, Shadow, shadow};
use fairhaven::games::base::Base;
use fairhaven::games::boats::Boats;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::sim::records::error::RecordFault;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The record with one line replaced.
fn with(lines: &[String], idx: usize, value: &Value) -> Vec<String> {
    let mut altered = lines.to_vec();
    altered[idx] = value.to_string();
    altered
}

/// The record with some fields of one line set.
fn set(lines: &[String], idx: usize, fields: &[(&str, Value)]) -> Vec<String> {
    let mut value: Value = serde_json::from_str(&lines[idx]).unwrap();
    for (field, new) in fields {
        value[*field] = new.clone();
    }
    with(lines, idx, &value)
}

/// Asserts that the fault is found in line `idx`, counted from 0.
fn refused_at<G: Recorded>(altered: &[String], idx: usize) -> RecordFault {
    let error = referee::<G>(altered).expect_err("an altered record");
    let line = altered.get(idx).map_or("nothing", String::as_str);
    assert_eq!(error.line, idx as u64 + 1, "{error}; it should be {line}");
    error.reason
}

/// Asserts that nothing is found up to line `idx`: what is there is possible, if not what happened.
fn lawful_so_far<G: Recorded>(altered: &[String], idx: usize) {
    if let Err(error) = referee::<G>(altered) {
        assert!(error.line > idx as u64 + 1, "{error}");
    }
}

/// Every `step`th line of a kind, of every match.
fn each_line<G: Recorded>(step: usize, mut test: impl FnMut(&Played<G>, &Shadow<G>, usize)) {
    for (number, played) in short_matches::<G>().iter().enumerate() {
        let shadow = shadow(&played.lines);
        for idx in (1 + number % step..played.lines.len()).step_by(step) {
            test(played, &shadow, idx);
        }
    }
}

fn an_altered_chance_event_is_refused<G: Recorded>() {
    let mut impossible = 0;
    each_line::<G>(13, |played, shadow, idx| {
        let At::Chance(possible) = &shadow.at[idx] else { return };
        let (lines, value) = (&played.lines, &shadow.values[idx]);
        let alter = |field, new| set(lines, idx, &[(field, new)]);
        refused_at::<G>(&alter("chance", json!(G::FOREIGN)), idx);
        refused_at::<G>(&alter("turn", json!(value["turn"].as_u64().unwrap() + 1)), idx);
        let seats = u64::from(shadow.game.players());
        let seat = value["seat"].as_u64();
        refused_at::<G>(&alter("seat", json!(seat.map_or(1, |seat| seat % seats + 1))), idx);
        if seat.is_some() {
            refused_at::<G>(&alter("seat", Value::Null), idx);
        }
        refused_at::<G>(&alter("result", json!("gold")), idx);
        refused_at::<G>(&alter("more", json!(1)), idx);
        for &word in G::WORDS {
            let altered = alter("result", json!(word));
            if possible.contains(word) {
                lawful_so_far::<G>(&altered, idx);
            } else {
                impossible += 1;
                let fault = refused_at::<G>(&altered, idx);
                assert!(matches!(fault, RecordFault::Impossible { .. }), "{fault}");
            }
        }
    });
    assert!(impossible > 150, "{impossible}");
}

/// All actions that occur anywhere, as others may have meant them.
fn actions<G: Recorded>() -> BTreeSet<String> {
    let mut actions = BTreeSet::new();
    each_line::<G>(1, |_, shadow, idx| {
        if let At::Decision(_) = shadow.at[idx] {
            actions.insert(shadow.values[idx]["action"].to_string());
        }
    });
    actions.extend(G::odd_actions().iter().map(ToString::to_string));
    actions
}

fn an_altered_decision_is_refused<G: Recorded>() {
    each_line::<G>(5, |played, shadow, idx| {
        let At::Decision(_) = shadow.at[idx] else { return };
        let (lines, value) = (&played.lines, &shadow.values[idx]);
        let number = |field: &str| value[field].as_u64().unwrap();
        let alter = |field, new| set(lines, idx, &[(field, new)]);
        let seats = u64::from(shadow.game.players());
        refused_at::<G>(&alter("seat", json!(number("seat") % seats + 1)), idx);
        refused_at::<G>(&alter("seat", json!(7)), idx);
        refused_at::<G>(&alter("turn", json!(number("turn") + 1)), idx);
        refused_at::<G>(&alter("turn", json!(number("turn") as f64 + 0.5)), idx);
        refused_at::<G>(&alter("legal", json!(number("legal") + 1)), idx);
        refused_at::<G>(&alter("legal", json!(number("legal") - 1)), idx);
        refused_at::<G>(&alter("legal", json!(-1)), idx);
        let [one, other] = G::PHASES;
        let phase = if value["phase"] == one { other } else { one };
        refused_at::<G>(&alter("phase", json!(phase)), idx);
        refused_at::<G>(&alter("action", json!({"do": "nothing"})), idx);
        refused_at::<G>(&alter("action", Value::Null), idx);
        let mut action = value["action"].clone();
        action["note"] = json!("nice");
        refused_at::<G>(&alter("action", action), idx);
        refused_at::<G>(&alter("note", json!("nice")), idx);
    });
}

fn an_illegal_action_is_refused<G: Recorded>() {
    let actions = actions::<G>();
    let mut illegal = BTreeSet::new();
    each_line::<G>(23, |played, shadow, idx| {
        let At::Decision(state) = &shadow.at[idx] else { return };
        for text in actions.iter().skip(idx % 5).step_by(5) {
            let action: G::Action = serde_json::from_str(text).unwrap();
            let value: Value = serde_json::from_str(text).unwrap();
            let altered = set(&played.lines, idx, &[("action", value)]);
            if shadow.game.permits(state, action).is_ok() {
                lawful_so_far::<G>(&altered, idx);
            } else {
                illegal.insert(text.clone());
                let fault = refused_at::<G>(&altered, idx);
                assert!(matches!(fault, RecordFault::Illegal(_)), "{fault}");
            }
        }
    });
    assert!(illegal.len() > actions.len() / 2);
}

/// An action has one spelling, so that a program that compares lines finds the same.
fn an_action_spelled_otherwise_is_refused<G: Recorded>() {
    let mut seen = 0;
    each_line::<G>(1, |played, shadow, idx| {
        let action = &shadow.values[idx]["action"];
        let cards = ["give", "pay"].map(|field| &action[field]["lumber"]);
        if seen < 20 && cards.iter().any(|count| count.is_number()) {
            let spelled = action.to_string().replace("lumber", "wood");
            let spelled: Value = serde_json::from_str(&spelled).unwrap();
            refused_at::<G>(&set(&played.lines, idx, &[("action", spelled)]), idx);
            let again = format!(r#""do":{},"do":"#, action["do"]);
            let twice = played.lines[idx].replace(r#""do":"#, &again);
            let mut altered = played.lines.clone();
            altered[idx] = twice;
            refused_at::<G>(&altered, idx);
            seen += 1;
        }
    });
    assert!(seen > 5, "{seen}");
}

fn an_altered_end_is_refused<G: Recorded>() {
    for played in short_matches::<G>() {
        let last = played.lines.len() - 1;
        let end: Value = serde_json::from_str(&played.lines[last]).unwrap();
        let winner = if end["winner"].is_null() { json!(1) } else { Value::Null };
        let word = if end["end"] == "won" { "turn_limit" } else { "won" };
        let mut points = end["points"].clone();
        points[1] = json!(points[1].as_u64().unwrap() + 1);
        let mut ranks = end["ranks"].clone();
        ranks[0] = json!(ranks[0].as_f64().unwrap() + 0.5);
        let mut fewer = end["points"].clone();
        fewer.as_array_mut().unwrap().pop();
        for (field, new) in [
            ("winner", winner),
            ("winner", json!(9)),
            ("end", json!(word)),
            ("end", Value::Null),
            ("points", points),
            ("points", fewer),
            ("ranks", ranks),
            ("ranks", json!([1e300])),
            ("turns", json!(end["turns"].as_u64().unwrap() - 1)),
            ("more", json!([])),
        ] {
            refused_at::<G>(&set(&played.lines, last, &[(field, new)]), last);
        }
        let mut silent = end.clone();
        silent.as_object_mut().unwrap().remove("winner");
        refused_at::<G>(&with(&played.lines, last, &silent), last);
        for after in [&played.lines[last], &played.lines[1], "", "{}", "the end"] {
            let mut longer = played.lines.clone();
            longer.push(after.to_owned());
            refused_at::<G>(&longer, last + 1);
        }
    }
}

fn an_altered_header_is_refused<G: Recorded>() {
    for played in short_matches::<G>() {
        let header: Value = serde_json::from_str(&played.lines[0]).unwrap();
        for (field, new) in [
            ("record", json!("other")),
            ("version", json!(1)),
            ("version", json!(3)),
            ("version", json!("1")),
            ("game", json!("chess")),
            ("players", json!(G::CROWD)),
            ("players", json!(255)),
            ("agents", json!(["a"])),
            ("agents", json!("a")),
            ("seed", json!({"master": "-1", "block": 0, "match": 0})),
            ("program", json!(1)),
            ("rules", json!({})),
            ("comment", json!("hello")),
        ] {
            refused_at::<G>(&set(&played.lines, 0, &[(field, new)]), 0);
        }
        for (path, new) in G::WRONG {
            let mut altered = header.clone();
            *altered.pointer_mut(path).unwrap() = serde_json::from_str(new).unwrap();
            refused_at::<G>(&with(&played.lines, 0, &altered), 0);
        }
        let mut partial = header.clone();
        let [group, field] = G::NEEDED;
        partial["rules"][group].as_object_mut().unwrap().remove(field);
        let fault = refused_at::<G>(&with(&played.lines, 0, &partial), 0);
        let missing = format!("`rules.{group}.{field}` is missing");
        assert!(fault.to_string().contains(&missing), "{fault}");
        let mut unknown = header;
        unknown["rules"][group]["colour"] = json!("red");
        refused_at::<G>(&with(&played.lines, 0, &unknown), 0);
    }
}

/// What the rules determine of a line before they see a result or a choice.
fn shape(line: Option<&String>) -> Option<Value> {
    let mut value: Value = serde_json::from_str(line?).unwrap();
    let fields = value.as_object_mut().unwrap();
    fields.remove("result");
    fields.remove("action");
    Some(value)
}

/// Lines were taken away, added or moved. Up to the first line that differs all is lawful; the fault is
/// there if the rules fix something else of that line, and later if only its result is another. Says
/// whether it was there.
fn refused_from<G: Recorded>(lines: &[String], altered: &[String]) -> bool {
    let longer = lines.len().max(altered.len());
    let first = (0..longer).find(|&idx| lines.get(idx) != altered.get(idx)).unwrap();
    let fixed = shape(lines.get(first)) != shape(altered.get(first));
    if fixed {
        refused_at::<G>(altered, first);
    } else {
        let Err(error) = referee::<G>(altered) else {
            panic!("a record was accepted without, or with another: {:?}", lines.get(first))
        };
        assert!(error.line > first as u64, "{error}; it should be past {first}");
    }
    fixed
}

fn a_missing_line_is_refused<G: Recorded>() {
    let mut exact = 0;
    each_line::<G>(3, |played, shadow, idx| {
        let mut altered = played.lines.clone();
        altered.remove(idx);
        let done = shadow.values[idx]["action"]["do"].as_str();
        if done.is_some_and(|done| G::FREE.contains(&done)) && referee::<G>(&altered).is_ok() {
            return;
        }
        exact += usize::from(refused_from::<G>(&played.lines, &altered));
    });
    assert!(exact > 300, "{exact}");
}

fn a_doubled_line_is_refused<G: Recorded>() {
    let mut exact = 0;
    each_line::<G>(3, |played, _, idx| {
        let mut altered = played.lines.clone();
        altered.insert(idx, altered[idx].clone());
        exact += usize::from(refused_from::<G>(&played.lines, &altered));
    });
    assert!(exact > 300, "{exact}");
}

/// Two draws of one seat may change places; lines of which the rules fix different things may not.
fn swapped_lines_are_refused<G: Recorded>() {
    let mut swapped = 0;
    each_line::<G>(3, |played, _, idx| {
        for other in [idx + 1, idx + 4] {
            let mut altered = played.lines.clone();
            if other >= altered.len() {
                continue;
            }
            altered.swap(idx, other);
            if shape(played.lines.get(idx)) != shape(altered.get(idx)) {
                refused_at::<G>(&altered, idx);
                swapped += 1;
            } else if altered != played.lines {
                lawful_so_far::<G>(&altered, idx - 1);
            }
        }
    });
    assert!(swapped > 500);
}

fn a_truncated_record_is_refused<G: Recorded>() {
    each_line::<G>(9, |played, _, idx| {
        refused_at::<G>(&played.lines[..idx], idx);
        let mut cut = played.lines[..=idx].to_vec();
        cut[idx].pop();
        refused_at::<G>(&cut, idx);
    });
}

macro_rules! of_each_game {
    ($($test:ident),+ $(,)?) => {
        mod on_the_road {
            $(#[test] fn $test() { super::$test::<super::OnTheRoad>(); })+
        }
        mod base {
            $(#[test] fn $test() { super::$test::<super::Base>(); })+
        }
        mod struggle {
            $(#[test] fn $test() { super::$test::<super::Struggle>(); })+
        }
        mod boats {
            $(#[test] fn $test() { super::$test::<super::Boats>(); })+
        }
        mod two_player {
            $(#[test] fn $test() { super::$test::<super::TwoPlayer>(); })+
        }
    };
}

of_each_game! {
    an_altered_chance_event_is_refused,
    an_altered_decision_is_refused,
    an_illegal_action_is_refused,
    an_action_spelled_otherwise_is_refused,
    an_altered_end_is_refused,
    an_altered_header_is_refused,
    a_missing_line_is_refused,
    a_doubled_line_is_refused,
    swapped_lines_are_refused,
    a_truncated_record_is_refused,
}
