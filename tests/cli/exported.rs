//! `export`: the decisions of a run's matches, to learn from.

use crate::support::{Guard, Place, length, wait_until};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::Command;

/// A small run with agents of several kinds.
fn run(place: &Place, out: &str) {
    place.done(&format!(
        "simulate on-the-road --agents builder,random,heuristic --matches 12 --seed 11 --quiet --out {out}"
    ));
}

fn lines(place: &Place, name: &str) -> Vec<Value> {
    let text = place.read(name);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn decisions_are_those_of_the_records() {
    let place = Place::new();
    run(&place, "out");
    place.done("export out -o all.jsonl --quiet");
    let all = lines(&place, "all.jsonl");
    let ids: BTreeSet<String> = all.iter().map(id).collect();
    assert_eq!(ids.len(), 12);
    for id_of in ids {
        let record = place.done(&format!("replay out {id_of} --format jsonl"));
        let record: Vec<Value> =
            record.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let decided: Vec<&Value> =
            record.iter().filter(|line| line.get("action").is_some()).collect();
        let exported: Vec<&Value> = all.iter().filter(|line| id(line) == id_of).collect();
        assert_eq!(decided.len(), exported.len());
        let (agents, end) = (&record[0]["agents"], record.last().expect("an end"));
        for ((number, due), line) in decided.iter().enumerate().zip(exported) {
            assert_eq!(line["decision"], number);
            for key in ["turn", "seat", "phase"] {
                assert_eq!(line[key], due[key], "{key}");
            }
            let legal = line["legal"].as_array().expect("a list");
            assert_eq!(Some(legal.len() as u64), due["legal"].as_u64());
            if let Some(at) = line["chosen"].as_u64() {
                assert_eq!(legal[usize::try_from(at).expect("a place")], line["action"]);
            }
            let seat = usize::try_from(line["seat"].as_u64().expect("a seat")).expect("a seat") - 1;
            assert_eq!(line["agent"], agents[seat]);
            for key in ["winner", "end", "turns"] {
                assert_eq!(line[key], end[key], "{key}");
            }
            assert_eq!(line["won"], end["winner"] == line["seat"]);
            assert_eq!(line["points_2"], end["points"][1]);
        }
    }
}

/// `BLOCK.MATCH` of a line.
fn id(line: &Value) -> String {
    format!("{}.{}", line["block"], line["match"])
}

#[test]
fn bytes_do_not_depend_on_threads_and_packing_changes_nothing() {
    let place = Place::new();
    run(&place, "out");
    let said = place.done("export out -o one.jsonl --threads 1 --quiet");
    assert_eq!(said, "");
    place.done("export out -o three.jsonl --threads 3 --quiet");
    place.done("export out -o packed.jsonl.zst --threads 2 --quiet");
    place.done("export out -o again.jsonl.zst --threads 1 --quiet");
    let read = |name: &str| std::fs::read(place.path(name)).expect("a file");
    assert_eq!(read("one.jsonl"), read("three.jsonl"));
    assert_eq!(read("packed.jsonl.zst"), read("again.jsonl.zst"));
    assert_eq!(
        zstd::decode_all(read("packed.jsonl.zst").as_slice()).expect("zstd"),
        read("one.jsonl")
    );
    place.done("export out -o few.jsonl --every 7 --matches 5 --quiet");
    let all = lines(&place, "one.jsonl");
    let due: Vec<Value> = all
        .into_iter()
        .filter(|line| line["decision"].as_u64().expect("a number") % 7 == 0)
        .filter(|line| {
            3 * line["block"].as_u64().expect("one") + line["match"].as_u64().expect("one") < 5
        })
        .collect();
    assert_eq!(lines(&place, "few.jsonl"), due);
}

/// Every line has the same keys, whatever the game, and all features are numbers.
#[test]
fn every_game_has_features() {
    for (game, planner) in [
        ("base", true),
        ("on-the-road", true),
        ("struggle", true),
        ("two-player", false),
        ("boats", false),
    ] {
        let place = Place::new();
        let players = if game == "two-player" { 2 } else { 3 };
        place.done(&format!(
            "simulate {game} --agents heuristic --players {players} --matches 1 --quiet --out out"
        ));
        place.done("export out -o all.jsonl --every 9 --quiet");
        let all = lines(&place, "all.jsonl");
        let keys = |line: &Value| -> Vec<String> {
            line.as_object().expect("an object").keys().cloned().collect()
        };
        let first = keys(&all[0]);
        assert!(all.iter().all(|line| keys(line) == first), "{game}");
        let of = |prefix: &str, end: &str| {
            first.iter().filter(|key| key.starts_with(prefix) && key.ends_with(end)).count()
        };
        assert_eq!(of("planner_", "_own") > 0, planner, "{game}");
        assert!(of("net_", "_own") > 0, "{game}");
        assert_eq!(of("net_", "_own"), of("net_", "_next_1"), "{game}");
        for line in &all {
            let features = line.as_object().expect("an object").iter();
            let mut features =
                features.filter(|(key, _)| key.starts_with("planner_") || key.starts_with("net_"));
            assert!(features.all(|(_, value)| value.is_number()), "{game}");
        }
    }
}

/// The rows of a run, packed or not, with numbers as numbers.
#[test]
fn rows_are_those_of_the_run() {
    let place = Place::new();
    for form in ["csv", "zst"] {
        place.done(&format!(
            "simulate base --agents greedy,random,heuristic --players 3 --matches 12 --seed 11 --rows {form} --quiet \
             --out {form}"
        ));
        let said = place.done(&format!("export {form} --rows -o {form}.jsonl"));
        assert_eq!(said, format!("12 rows in {form}.jsonl\n"));
    }
    assert_eq!(place.read("csv.jsonl"), place.read("zst.jsonl"));
    let due = place.read("csv/matches.csv");
    let mut due = due.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = due.next().expect("a header");
    for (cells, line) in due.zip(lines(&place, "csv.jsonl")) {
        let line = line.as_object().expect("an object");
        assert!(line.keys().eq(&header));
        for (cell, (name, value)) in cells.iter().zip(line) {
            match value {
                Value::Null => assert_eq!(*cell, ""),
                Value::String(text) => assert_eq!(cell, text),
                number => {
                    assert_eq!(number.as_f64(), cell.parse().ok(), "{name}");
                    assert!(!["deal", "end", "agent_1"].contains(&name.as_str()));
                }
            }
        }
        assert!(line["turns"].is_u64() && line["rank_1"].is_number() && line["deal"].is_string());
    }
    place.done("simulate base --agents random --matches 2 --quiet --out none");
    place.refused("export none --rows -o none.jsonl", &["`none`", "no rows", "--rows csv"]);
    let whole = place.read("csv/matches.csv");
    for (part, other) in [(",won,", ",won"), (",1,", ",one,")] {
        place.write("csv/matches.csv", whole.replacen(part, other, 2));
        place.refused("export csv --rows -o damaged.jsonl", &["matches.csv", "damaged"]);
    }
    assert!(!place.names().iter().any(|name| name.starts_with("damaged")));
}

/// A program without Parquet says how to get one that has it.
#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_a_feature() {
    let place = Place::new();
    run(&place, "out");
    place.refused("export out -o all.parquet", &["without Parquet", "--features parquet"]);
}

/// A file of columns holds what the lines hold, with the same bytes on any number of threads. There are more lines than
/// one batch has.
#[cfg(feature = "parquet")]
#[test]
fn columns_hold_what_lines_hold() {
    use arrow_json::WriterBuilder;
    use arrow_json::writer::LineDelimited;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    let place = Place::new();
    place.done(
        "simulate on-the-road --agents builder,random,heuristic --matches 24 --seed 11 --rows zst --quiet --out out",
    );
    place.done("export out -o all.parquet --threads 1 --quiet");
    place.done("export out -o again.parquet --threads 3 --quiet");
    let bytes = |name: &str| std::fs::read(place.path(name)).expect("a file");
    assert_eq!(bytes("all.parquet"), bytes("again.parquet"));
    place.done("export out -o all.jsonl --quiet");
    place.done("export out --rows -o rows.parquet");
    place.done("export out --rows -o rows.jsonl");
    for name in ["all", "rows"] {
        let file = std::fs::File::open(place.path(&format!("{name}.parquet"))).expect("a file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let mut written = Vec::new();
        let builder = WriterBuilder::new().with_explicit_nulls(true);
        let mut writer = builder.build::<_, LineDelimited>(&mut written);
        for batch in reader.build().expect("Parquet") {
            writer.write(&batch.expect("a batch")).expect("JSON");
        }
        writer.finish().expect("JSON");
        drop(writer);
        place.write(&format!("{name}-back.jsonl"), written);
        let (all, back) = (format!("{name}.jsonl"), format!("{name}-back.jsonl"));
        let (all, back) = (lines(&place, &all), lines(&place, &back));
        assert_eq!(all.len() > 1024, name == "all");
        assert!(all == back, "{name}: the columns hold something else");
    }
}

#[test]
fn what_can_not_be_written_is_refused() {
    let place = Place::new();
    run(&place, "out");
    place.write("taken.jsonl", "mine");
    place.write("old.jsonl.partial", "mine");
    place.refused("export out -o taken.jsonl", &["`taken.jsonl` is there already"]);
    place.refused("export out -o old.jsonl", &["`old.jsonl.partial`", "earlier export"]);
    place.refused("export out -o all.csv", &["`all.csv`", ".jsonl"]);
    place.refused("export out -o out", &["`out`", ".jsonl"]);
    place.refused("export out -o none/all.jsonl", &["none/all.jsonl"]);
    place.refused("export none -o all.jsonl", &["none"]);
    place.refused("export out -o all.jsonl --every 0", &["--every"]);
    place.refused("export out -o all.jsonl --matches 0", &["--matches"]);
    assert_eq!(
        (place.read("taken.jsonl"), place.read("old.jsonl.partial")),
        ("mine".to_owned(), "mine".to_owned())
    );
    place.done("tune on-the-road greedy:lapse=1 --param lapse=0..1 --players 3 --matches 960 --quiet --out tuned");
    place.refused("export tuned -o all.jsonl", &["tuned"]);
}

#[test]
fn an_interrupted_export_leaves_nothing() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder --matches 50k --quiet --out out");
    let mut child = Guard(place.start("export out -o all.jsonl"));
    wait_until(&mut child.0, || length(&place.path("all.jsonl.partial")) > 0);
    let pressed = Command::new("kill").args(["-INT", &child.0.id().to_string()]).status();
    assert!(pressed.expect("`kill` can be called").success());
    assert_eq!(child.0.wait().expect("a child").code(), Some(130));
    assert_eq!(place.names(), ["out"]);
}

/// The example of the manual learns something. Where there is no Python with its libraries, it is not run, which is
/// said; `FAIRHAVEN_PYTHON` names another Python.
#[test]
fn the_example_of_the_manual_runs() {
    let python = std::env::var_os("FAIRHAVEN_PYTHON").unwrap_or_else(|| "python3".into());
    let has = Command::new(&python).args(["-c", "import polars, sklearn"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        let said =
            "docs/export.md: its example was not run: no python3 with polars and scikit-learn\n";
        std::io::stderr().write_all(said.as_bytes()).expect("standard error");
        return;
    }
    let page = include_str!("../../docs/export.md");
    let (_, block) = page.split_once("```python\n").expect("an example");
    let (code, _) = block.split_once("```").expect("its end");
    let place = Place::new();
    place.done(
        "simulate base --agents heuristic,greedy,greedy --matches 300 --seed 3 --quiet --out out",
    );
    place.done("export out -o decisions.jsonl.zst --every 10 --quiet");
    let output = Command::new(&python).args(["-c", code]).current_dir(place.root()).output();
    let output = output.expect("Python starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(said.contains("decisions of 300 matches\nmodel "), "{said}");
}
