//! JSON Schemas of the files of a run, made from the same lists as the files themselves, and of the lines of guests.

use crate::lab::report::described::TableSchema;
use crate::lab::report::table::{Column, ESTIMATE};
use serde_json::{Value, json};

/// Columns of `matches.csv` before those of each seat.
pub const MATCH_COLUMNS: &[Column] = &[
    Column { name: "block", kind: "integer", about: "block, from 0" },
    Column { name: "match", kind: "integer", about: "number in the block, from 0" },
    Column { name: "deal", kind: "string", about: "name of the deal, hexadecimal" },
    Column { name: "end", kind: "string", about: "won, turn_limit, standstill or agent_failure" },
    Column { name: "winner", kind: "integer", about: "seat that won; empty without a winner" },
    Column { name: "turns", kind: "integer", about: "turns of single players" },
];

/// Columns of `matches.csv` for each seat; their names end in the seat's number.
pub const SEAT_COLUMNS: &[Column] = &[
    Column { name: "agent_", kind: "string", about: "agent in the seat" },
    Column { name: "rank_", kind: "number", about: "rank, 1 for the winner; ties share the mean" },
    Column { name: "points_", kind: "integer", about: "points at the end" },
];

/// How the columns of points by source begin; the source follows, and the number of the seat.
pub const POINTS_OF: &str = "points_";

/// What these columns hold.
pub const POINTS_OF_ABOUT: &str = "points that come from a source, such as points_cities_1";

/// The names that `schema` knows, with those of the tables of estimates.
pub fn names(tables: &[TableSchema]) -> Vec<&'static str> {
    tables.iter().map(|table| table.name).chain(["matches", "manifest", "protocol"]).collect()
}

/// The schema of one row of a file, which may be one of the tables of estimates; `None` if there is no such file.
pub fn schema(name: &str, tables: &[TableSchema]) -> Option<Value> {
    if name == "manifest" {
        return Some(manifest());
    }
    if name == "protocol" {
        return Some(protocol());
    }
    if name == "matches" {
        let seats = SEAT_COLUMNS.iter().map(|column| {
            let pattern = format!("^{}[1-6]$", column.name);
            (pattern, property(column.kind, column.about))
        });
        let sources = format!("^{POINTS_OF}[a-z_]+_[1-6]$");
        let seats = seats.chain([(sources, property("integer", POINTS_OF_ABOUT))]);
        return Some(json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "one row of matches.csv",
            "type": "object",
            "properties": properties(MATCH_COLUMNS.iter()),
            "patternProperties": Value::Object(seats.collect()),
            "additionalProperties": false,
        }));
    }
    let TableSchema { keys, more, metrics, .. } = tables.iter().find(|table| table.name == name)?;
    let mut properties = properties(keys.iter().chain(&ESTIMATE).chain(*more));
    let words: Vec<&str> = metrics.iter().map(|metric| metric.name).collect();
    let meanings: Vec<String> =
        metrics.iter().map(|metric| format!("{}: {}", metric.name, metric.about)).collect();
    let units = metrics.iter().map(|metric| (metric.name.to_owned(), metric.unit.word().into()));
    properties["metric"] = json!({
        "type": "string",
        "enum": words,
        "description": meanings.join("; "),
        "units": Value::Object(units.collect()),
    });
    Some(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("one row of {name}.csv"),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    }))
}

fn properties<'a>(columns: impl Iterator<Item = &'a Column>) -> Value {
    let all = columns.map(|column| (column.name.to_owned(), property(column.kind, column.about)));
    Value::Object(all.collect())
}

/// A cell may be empty where its number is missing.
fn property(kind: &str, about: &str) -> Value {
    json!({ "type": [kind, "null"], "description": about })
}

/// The messages of `docs/protocol.md`; what depends on the game is an object of any form. Tests hold lines against it.
fn protocol() -> Value {
    serde_json::from_str(include_str!("protocol.schema.json")).expect("a schema is JSON")
}

/// Made from the structures of `manifest.rs` by a test there.
fn manifest() -> Value {
    serde_json::from_str(include_str!("manifest.schema.json")).expect("a schema is JSON")
}
