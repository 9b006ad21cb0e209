//! The tables of a run on standard output, for other programs: one JSON object, or one CSV of all tables.

use crate::lab::report::manifest::Manifest;
use crate::lab::report::table::{Column, Table, cell};
use serde_json::{Map, Value, json};

/// One JSON object: what was played, the answer in words, thresholds, and each table as a list of rows. An
/// empty cell is null. There are no times in it, so that the same command gives the same bytes.
pub fn json(
    manifest: &Manifest,
    answer: &[String],
    tables: &[Table],
    judged: &[(String, bool)],
) -> String {
    let rows =
        |table: &Table| -> Value { table.rows.iter().map(|row| object(table, row)).collect() };
    let tables: Map<String, Value> =
        tables.iter().map(|table| (table.name.to_owned(), rows(table))).collect();
    let thresholds: Vec<Value> =
        judged.iter().map(|(text, holds)| json!({ "text": text, "holds": holds })).collect();
    let object = json!({
        "schema_version": manifest.schema_version,
        "version": manifest.version,
        "build": manifest.build,
        "question": manifest.question,
        "game": manifest.game,
        "players": manifest.players,
        "unofficial": manifest.unofficial,
        "rules_hash": manifest.rules_hash,
        "variants": manifest.variants,
        "agents": manifest.agents,
        "seed": manifest.seed,
        "shard": manifest.plan.shard,
        "played": manifest.played,
        "answer": answer,
        "thresholds": thresholds,
        "tables": tables,
    });
    format!("{object:#}\n")
}

fn object(table: &Table, row: &crate::lab::report::table::Row) -> Value {
    let cells = table.columns().zip(table.record(row));
    let cells = cells.map(|(column, cell)| (column.name.to_owned(), typed(column, cell)));
    Value::Object(cells.collect())
}

/// A cell by its column's kind; a cell that is not a number after all stays text, such as `<1e-6`.
fn typed(column: &Column, cell: String) -> Value {
    if cell.is_empty() {
        return Value::Null;
    }
    if column.kind == "string" {
        return Value::String(cell);
    }
    serde_json::from_str::<serde_json::Number>(&cell).map_or(Value::String(cell), Value::Number)
}

/// Why the writer can't fail.
const WHY: &str = "writing to memory";

/// One CSV of all tables: `table` first, then every column that any of them has, in order of appearance;
/// cells of columns that a table doesn't have are empty.
pub fn csv(tables: &[Table]) -> String {
    let keys = tables.iter().flat_map(|table| table.keys.iter());
    let rest = tables.iter().flat_map(|table| table.columns().skip(table.keys.len()));
    let mut names: Vec<&str> = Vec::new();
    for column in keys.chain(rest) {
        if !names.contains(&column.name) {
            names.push(column.name);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(std::iter::once("table").chain(names.iter().copied())).expect(WHY);
    for table in tables {
        let at: Vec<Option<usize>> = names
            .iter()
            .map(|name| table.columns().position(|column| column.name == *name))
            .collect();
        for row in &table.rows {
            let record = table.record(row);
            let cells = at.iter().map(|at| at.map_or("", |at| record[at].as_str()));
            let cells = cells.map(|text| cell(text).into_owned());
            writer.write_record(std::iter::once(table.name.to_owned()).chain(cells)).expect(WHY);
        }
    }
    String::from_utf8(writer.into_inner().expect(WHY)).expect("cells are text")
}
