//! Lines that may hold anything are refused with line, step and field: no panic, no endless work.

use crate::support::{checked, recorded, slice};
use fairhaven::conformance::catanatron::{LINE_MAX, check};
use serde_json::{Value, json};
use std::io::{BufRead, Read};

/// A match refused with all these words.
#[track_caller]
fn is_refused(record: &Value, parts: &[&str]) {
    let error = checked(record).expect_err("it can't be read").to_string();
    for part in parts {
        assert!(error.contains(part), "no `{part}` in {error}");
    }
    assert!(error.len() < 1000, "a short message: {error}");
}

#[test]
fn values_of_a_wrong_kind_are_named_by_line_step_and_field() {
    let record = recorded(0);
    let wrong = [
        Value::Null,
        json!(-1),
        json!(255),
        json!(1e300),
        json!(u64::MAX),
        json!("\u{1b}[2Jx"),
        json!([]),
        json!([[[[[]]]]]),
        json!({"a": {"b": []}}),
        json!(vec![0; 3000]),
    ];
    for value in &wrong {
        for key in ["format", "config", "seats", "map", "dev_deck_top_last", "robber", "start"] {
            let mut altered = record.clone();
            altered[key] = value.clone();
            let place = if key == "start" { "start" } else { "setting" };
            is_refused(&altered, &[&format!("line 1, {place}: field `")]);
        }
        for at in ["", "/a", "/a/0", "/a/1", "/a/2", "/s", "/s/h", "/s/h/0", "/s/rl", "/l/0"] {
            let mut altered = record.clone();
            *altered["steps"][3].pointer_mut(at).expect("a value") = value.clone();
            is_refused(&altered, &["line 1, step 3: field `"]);
        }
    }
    let mut altered = record.clone();
    altered["steps"] = json!({"0": 1});
    is_refused(&altered, &["line 1, end: field `steps`"]);
}

#[test]
fn missing_keys_are_named() {
    let record = recorded(0);
    for key in ["format", "config", "seats", "map", "robber", "start", "steps", "winner", "turns"] {
        let mut altered = record.clone();
        altered.as_object_mut().expect("an object").remove(key);
        is_refused(&altered, &["line 1: missing field", key]);
    }
    for key in ["a", "r", "s", "n", "l"] {
        let mut altered = record.clone();
        altered["steps"][5].as_object_mut().expect("an object").remove(key);
        is_refused(&altered, &["line 1, step 5: field `", key, "missing"]);
    }
}

#[test]
fn islands_that_are_none_are_refused() {
    let record = recorded(0);
    let same_tile = record["map"]["tiles"][0].clone();
    let far = json!([[2, 2, -4], [i64::MAX, i64::MAX, 2], [i64::MIN, 0, 0], [1, 1, 1]]);
    for (at, value, field) in [
        ("/map/tiles/1", same_tile, "id"),
        ("/map/tiles/1/id", json!(0), "id"),
        ("/map/tiles/1/id", json!(19), "id"),
        ("/map/tiles/1/cube", far[0].clone(), "cube"),
        ("/map/tiles/1/cube", far[1].clone(), "cube"),
        ("/map/tiles/1/cube", far[2].clone(), "cube"),
        ("/map/tiles/1/cube", far[3].clone(), "cube"),
        ("/map/tiles/1/nodes/NORTH", json!(53), "same node"),
        ("/map/tiles/1/nodes/SOUTH", json!(54), "SOUTH"),
        ("/map/tiles/1/num", json!(7), "num"),
        ("/map/tiles/1/num", json!(13), "num"),
        ("/map/tiles/1/res", json!("GOLD"), "res"),
        ("/map/ports/0/at", json!([0, 1]), "at"),
        ("/map/ports/0/at", json!([25, 25]), "at"),
        ("/map/ports/0/at", record["map"]["ports"][1]["at"].clone(), "at"),
        ("/map/ports/0/res", json!("GOLD"), "res"),
        ("/robber", json!(19), "robber"),
        ("/dev_deck_top_last/0", json!("VICTORY"), "dev_deck_top_last"),
        ("/config/vps", json!(2), "config"),
        ("/config/vps", json!(30), "vps"),
        ("/config/friendly", json!(2), "friendly"),
        ("/seats", json!([{}]), "seats"),
        ("/seats", json!([1, 2, 3, 4, 5]), "seats"),
    ] {
        let mut altered = record.clone();
        *altered.pointer_mut(at).expect("a value") = value;
        is_refused(&altered, &["line 1, setting: field `", field]);
    }
    let mut altered = record.clone();
    altered["dev_deck_top_last"] = json!(vec!["KNIGHT"; 25]);
    is_refused(&altered, &["line 1, setting: field `dev_deck_top_last`"]);
}

#[test]
fn actions_that_are_none_are_refused() {
    let record = recorded(0);
    for (word, value) in [
        ("BUILD_ROAD", json!([0, 53])),
        ("BUILD_ROAD", json!([3, 3])),
        ("BUILD_ROAD", json!([3])),
        ("BUILD_SETTLEMENT", json!(54)),
        ("MOVE_ROBBER", json!([3, 4])),
        ("MOVE_ROBBER", json!([19, 0])),
        ("PLAY_YEAR_OF_PLENTY", json!([])),
        ("PLAY_YEAR_OF_PLENTY", json!(["ORE", "ORE", "ORE"])),
        ("MARITIME_TRADE", json!(["ORE", null, "ORE", null, "WOOD"])),
        ("MARITIME_TRADE", json!(["ORE", "WOOD", null, null, "WOOD"])),
        ("MARITIME_TRADE", json!([null, null, null, null, "WOOD"])),
        ("OFFER_TRADE", json!([0, 0, 0, 0, 16, 0, 0, 0, 0, 0])),
        ("OFFER_TRADE", json!([0, 0, 0, 0, 1])),
        ("CONFIRM_TRADE", json!([0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 6])),
        ("ROLL", json!([3, 4])),
        ("PLAY_EVERYTHING", Value::Null),
    ] {
        let mut altered = record.clone();
        altered["steps"][0]["a"] = json!([0, word, value]);
        is_refused(&altered, &["line 1, step 0: field `a`"]);
        let mut altered = record.clone();
        altered["steps"][0]["l"][7] = json!([word, value]);
        is_refused(&altered, &["line 1, step 0: field `l`"]);
    }
}

#[test]
fn what_is_no_line_of_json_is_refused() {
    let refused = |bytes: &[u8], part: &str| {
        let error = check(bytes).expect_err("no matches").to_string();
        assert!(error.starts_with("line 1") && error.contains(part), "{error}");
    };
    refused(b"", "no match");
    refused(b"\n", "a match is an object");
    refused(b"{}\n", "format");
    refused(&[0xff, 0xfe, 0], "UTF-8");
    refused(b"[1, 2]", "a match is an object");
    refused("[".repeat(100_000).as_bytes(), "a match is an object");
    refused("{\"a\":".repeat(100_000).as_bytes(), "EOF");
    let mut second: Vec<u8> = slice().split(b'\n').next().expect("a match").expect("a line");
    second.extend(b"\nnonsense");
    let error = check(second.as_slice()).expect_err("one match only").to_string();
    assert!(error.starts_with("line 2: "), "{error}");
}

#[test]
fn lines_and_parts_without_end_are_refused() {
    let endless = std::io::repeat(b' ').take(1 << 40);
    let error = check(std::io::BufReader::new(endless)).expect_err("too long").to_string();
    assert!(error.contains(&format!("longer than {LINE_MAX} bytes")), "{error}");
    let record = recorded(0);
    let mut altered = record.clone();
    altered["steps"][2]["l"] = json!(vec![Value::Null; 100_000]);
    is_refused(&altered, &["line 1, step 2: field `steps`", "longer than"]);
    let mut altered = record.clone();
    altered["steps"] = json!(vec![0; 1_000_000]);
    is_refused(&altered, &["line 1, step 0: field"]);
    let line = serde_json::to_string(&record).expect("JSON");
    let deep = line.replacen("\"trade\":null", &format!("\"trade\":{}", "[".repeat(5000)), 1);
    check(deep.as_bytes()).expect_err("brackets that are not closed");
    let closed = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let deep = line.replacen("\"trade\":null", &format!("\"trade\":{closed}"), 1);
    let error = check(deep.as_bytes()).expect_err("too deep").to_string();
    assert!(error.contains("recursion"), "{error}");
}

/// Bytes that are moved, doubled or removed: the reader refuses the line or counts the match.
#[test]
fn no_altered_byte_makes_it_panic() {
    let mut record = recorded(9);
    record["steps"].as_array_mut().expect("steps").truncate(150);
    let line = serde_json::to_string(&record).expect("JSON").into_bytes();
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(random >> 33).expect("31 bits") % below
    };
    let mut read = 0;
    for _ in 0..400 {
        let mut altered = line.clone();
        for _ in 0..=next(3) {
            let at = next(altered.len());
            match next(3) {
                0 => altered[at] = b"0123456789,[]{}\"-EN"[next(19)],
                1 => drop(altered.remove(at)),
                _ if altered[at].is_ascii_digit() => {
                    altered[at] = b'0' + u8::try_from(next(10)).expect("a digit");
                }
                _ => altered.insert(at, b'1'),
            }
        }
        read += usize::from(check(altered.as_slice()).is_ok());
    }
    assert!(read > 20, "some can still be read: {read}");
}
