//! The recorded matches of the package, whole and altered.

use fairhaven::conformance::catanatron::differences::Agreement;
use fairhaven::conformance::catanatron::{BadRecord, check};
use serde_json::Value;
use std::io::{BufRead, BufReader};

/// The matches of the package, one per line.
pub fn slice() -> impl BufRead {
    let packed = include_bytes!("../data/catanatron.jsonl.zst").as_slice();
    BufReader::new(zstd::Decoder::new(packed).expect("a zstd frame"))
}

/// One of them, from 0.
pub fn recorded(line: usize) -> Value {
    let line = slice().lines().nth(line).expect("a match").expect("a line");
    serde_json::from_str(&line).expect("JSON")
}

/// Checks a match.
pub fn checked(record: &Value) -> Result<Agreement, BadRecord> {
    let line = serde_json::to_string(record).expect("JSON");
    check(line.as_bytes())
}

/// The first step after `from` that a test picks, with its number.
pub fn step(record: &Value, from: usize, pick: impl Fn(&Value) -> bool) -> usize {
    let steps = record["steps"].as_array().expect("steps");
    let found = steps.iter().skip(from).position(pick);
    from + found.expect("a step that the test is about")
}

/// Whether a step takes an action of this name.
pub fn takes(word: &str) -> impl Fn(&Value) -> bool {
    move |step| step["a"][1] == word
}
