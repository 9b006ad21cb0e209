//! What can be checked in the sources as text: headers, lengths, layers, absences, and lists that must agree.

mod circles;
mod layers;
mod paths;
mod words;

use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::report::described::TableSchema;
use fairhaven::lab::report::metric::Metric;
use fairhaven::lab::report::schema::{
    MATCH_COLUMNS, POINTS_OF, POINTS_OF_ABOUT, SEAT_COLUMNS, schema,
};
use fairhaven::lab::report::table::{ESTIMATE, JUDGED};
use fairhaven::sim::agents::strategies::STRATEGIES;
use fairhaven::sim::agents::strategy::Strategy;
use layers::{layer, room_of};
use paths::named;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Files with more than [`LINES_MAX`] lines, and how many they may have. Numbers here only go down.
const LONGER: &[(&str, usize)] = &[];

/// Where the sources of the program lie.
const PROGRAM: [&str; 2] = ["src/", "conformance/src/"];

const LINES_MAX: usize = 500;
const BYTES_MAX: u64 = 256 << 10;

/// A text file and its path from the root of the package, with `/`.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// Lines of code with their numbers: no comments, no inline test module, no file of tests.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let until = self.text.find("#[cfg(test)]\nmod tests {").unwrap_or(self.text.len());
        let code = if self.is_program() { &self.text[..until] } else { "" };
        let lines = code.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        lines.filter(|(_, line)| !line.starts_with("//"))
    }

    /// The path below `src`, or that of another package without its `src`.
    fn place(&self) -> String {
        match self.path.strip_prefix("src/") {
            Some(place) => place.to_owned(),
            None => self.path.replacen("/src/", "/", 1),
        }
    }

    /// Whether it is a source of the program, not of its tests.
    fn is_program(&self) -> bool {
        PROGRAM.iter().any(|folder| self.path.starts_with(folder)) && !self.path.contains("/tests/")
    }
}

/// Where a module of the program lies, without its ending.
fn on_disk(module: &str) -> String {
    match module.strip_prefix("conformance/") {
        Some(rest) => format!("conformance/src/{rest}"),
        None => format!("src/{module}"),
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Paths of all files below a folder, in order; none if there is no such folder.
fn files(folder: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(root().join(folder)) else { return Vec::new() };
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry.expect("an entry");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a type").is_dir() {
            paths.extend(files(&path));
        } else {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All Rust sources of the package.
fn sources() -> Vec<Source> {
    let all = ["src", "conformance", "tests", "benches", "web"].into_iter().flat_map(files);
    let rust = all.filter(|path| Path::new(path).extension().is_some_and(|end| end == "rs"));
    let sources: Vec<Source> = rust.map(|path| Source { text: read(&path), path }).collect();
    assert!(sources.len() > 50, "the sources were found");
    sources
}

/// Fails with all faults at once.
fn no_faults(faults: &str) {
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn every_source_says_first_what_it_is() {
    let mut faults = String::new();
    for source in sources() {
        let first = source.text.lines().next().unwrap_or_default();
        let empty = source.text == "fn main() {}\n";
        if !first.starts_with("//! ") && source.path != "src/lib.rs" && !empty {
            let _ = writeln!(faults, "{} does not start with `//! `", source.path);
        }
    }
    // The crate's own page is the README.
    assert!(read("src/lib.rs").starts_with("#![doc = include_str!(\"../README.md\")]"));
    no_faults(&faults);
}

/// Whether a text in backquotes is a path of this package, not a pattern of some.
fn is_path(quoted: &str) -> bool {
    let folders = [
        "src/",
        "conformance/",
        "tests/",
        "docs/",
        "reports/",
        "strategies/",
        "benches/",
        "cluster/",
        "web/",
    ];
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    folders.iter().any(|folder| quoted.starts_with(folder))
        && quoted.chars().all(plain)
        && !quoted.contains("NAME")
}

#[test]
fn papers_and_comments_name_paths_that_are_there() {
    let mut faults = String::new();
    let mut seen = 0;
    let papers = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(str::to_owned);
    let papers = papers.into_iter().chain(files("docs")).chain(files("reports"));
    let papers = papers.filter(|path| Path::new(path).extension().is_some_and(|end| end == "md"));
    let papers = papers.map(|path| Source { text: read(&path), path });
    for source in sources().into_iter().chain(papers) {
        // What a third game would add is not there yet.
        let until = source.text.find("\n## A third, on paper").unwrap_or(source.text.len());
        for line in source.text[..until].lines() {
            for quoted in line.split('`').skip(1).step_by(2).filter(|quoted| is_path(quoted)) {
                seen += 1;
                if !root().join(quoted).exists() {
                    let _ = writeln!(faults, "{}: there is no `{quoted}`", source.path);
                }
            }
        }
    }
    assert!(seen > 50, "the paths were found");
    no_faults(&faults);
}

#[test]
fn no_file_is_long() {
    let mut faults = String::new();
    for source in sources() {
        let lines = source.text.lines().count();
        let longer = LONGER.iter().find(|(path, _)| *path == source.path);
        let most = longer.map_or(LINES_MAX, |(_, most)| *most);
        if lines > most {
            let _ = writeln!(faults, "{} has {lines} lines, {most} are the most", source.path);
        }
    }
    let places = ["src", "tests", "benches", "strategies", "reports", "docs", "cluster", "web"];
    for path in places.into_iter().flat_map(files) {
        let bytes = fs::metadata(root().join(&path)).expect("a file").len();
        if bytes > BYTES_MAX {
            let _ = writeln!(faults, "{path} has {bytes} bytes, {BYTES_MAX} are the most");
        }
    }
    no_faults(&faults);
}

#[test]
fn games_do_not_know_each_other() {
    let mut faults = String::new();
    for source in sources() {
        let folder = source.path.strip_prefix("src/games/").and_then(|rest| rest.split_once('/'));
        let Some((game, _)) = folder else { continue };
        for (number, path) in named(&source) {
            if path[0] == "games" && path.get(1).is_none_or(|other| other != game) {
                let _ = writeln!(faults, "{}:{number}: uses {}", source.path, path.join("::"));
            }
        }
    }
    no_faults(&faults);
}

#[test]
fn every_file_is_part_of_the_program() {
    let mut faults = String::new();
    for source in sources().iter().filter(|source| source.is_program()) {
        let place = source.place();
        let mut parts: Vec<&str> = place.split('/').collect();
        let mut name = parts.pop().unwrap_or_default().trim_end_matches(".rs");
        if name == "mod" {
            name = parts.pop().unwrap_or_default();
        }
        // The roots of packages.
        if parts.len() < 2 && ["build", "engine", "lib", "main"].contains(&name) {
            continue;
        }
        let parents = match parts.join("/").as_str() {
            "" => vec!["src/lib.rs".to_owned(), "src/engine.rs".to_owned()],
            "conformance" => vec!["conformance/src/lib.rs".to_owned()],
            folder => vec![format!("{}/mod.rs", on_disk(folder))],
        };
        let line = format!("mod {name};");
        let bare = |other: &str| {
            other.trim_start_matches("pub(crate) ").trim_start_matches("pub ") == line
        };
        if !parents.iter().any(|parent| read(parent).lines().any(bare)) {
            let _ = writeln!(faults, "{}: no `{line}` in {parents:?}", source.path);
        }
    }
    no_faults(&faults);
}

/// Words that occur nowhere, not even in comments and tests; written in pieces, since this file is read too.
fn banned() -> [String; 4] {
    [["TO", "DO"], ["FIX", "ME"], ["XX", "X"], ["#[ign", "ore"]].map(|parts| parts.concat())
}

#[test]
fn nothing_is_left_to_do() {
    let mut faults = String::new();
    let papers = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(str::to_owned);
    let papers = papers.into_iter().chain(files("docs")).chain(files("strategies"));
    let papers =
        papers.chain(files("cluster")).chain([".ci/run".to_owned(), "Cargo.toml".to_owned()]);
    let papers = papers.map(|path| Source { text: read(&path), path });
    for source in sources().into_iter().chain(papers) {
        for (at, line) in source.text.lines().enumerate() {
            if banned().iter().any(|word| line.contains(word.as_str())) {
                let _ = writeln!(faults, "{}:{}: {line}", source.path, at + 1);
            }
        }
    }
    no_faults(&faults);
}

#[test]
fn clocks_files_and_printing_have_one_place() {
    /// Words, the files that may hold them, and the lowest layer that may.
    const PLACES: &[(&[&str], &[&str], u8)] = &[
        (&["Instant", "SystemTime", "thread::sleep"], &["src/cli/clock.rs"], 9),
        (&["println!", "eprintln!", "print!(", "eprint!("], &[], 9),
        (&["process::exit"], &["src/cli/commands/interrupt.rs"], 9),
        // `summary` and `terminal` ask whether it is a terminal, and how wide; only `main` writes to it.
        (&["stdout()"], &["src/main.rs", "src/cli/commands/summary.rs", "src/cli/terminal.rs"], 9),
        (&["HashMap", "HashSet"], &[], 9),
        (&["unsafe "], &[], 9),
        (&["std::fs", "std::env", "File::", "stdin()", "stderr()"], &[], 7),
        (&["thread_rng", "from_os_rng", "rand::rng"], &[], 9),
    ];
    let mut faults = String::new();
    // The crate's page has no layer, and the build script is no part of the program.
    let apart = ["src/lib.rs", "src/engine.rs", "src/build.rs", "conformance/src/lib.rs"];
    for source in sources().iter().filter(|source| !apart.contains(&source.path.as_str())) {
        for (number, line) in source.code() {
            for (words, places, lowest) in PLACES {
                let found = words.iter().find(|word| line.contains(**word));
                let high = room_of(source).is_some_and(|room| layer(room) >= *lowest);
                let allowed = high || places.contains(&source.path.as_str());
                if let Some(word) = found.filter(|_| !allowed) {
                    let _ = writeln!(faults, "{}:{number}: `{word}`", source.path);
                }
            }
        }
    }
    no_faults(&faults);
}

/// Files of a run are opened in one place, which follows no link and waits for no pipe. What else opens files reads what
/// a user names, or makes a file that is not there yet.
#[test]
fn files_of_runs_are_opened_in_one_place() {
    const OPENERS: &[&str] = &[
        "File::open",
        "File::create(",
        "File::options",
        "OpenOptions",
        "fs::read(",
        "fs::read_to_string",
        "fs::write(",
        "fs::copy(",
        "openat",
    ];
    const PLACES: &[&str] = &[
        "src/lab/report/files.rs",            // the place
        "src/lab/setup/plain_files.rs",       // rule sets, maps and agents that a user names, nets
        "src/lab/setup/line_up.rs",           // programs outside that a user names
        "src/cli/commands/guests/process.rs", // the memory of such a program
        "src/cli/commands/replay.rs",         // records that a user names
        "src/cli/commands/interrupt.rs",      // which signals the process ignores
        "src/cli/commands/bench/mod.rs",      // the machine
    ];
    let mut faults = String::new();
    for source in sources().iter().filter(|source| source.is_program()) {
        let inside = source.path.starts_with("src/lab/") || source.path.starts_with("src/cli/");
        if !inside || PLACES.contains(&source.path.as_str()) {
            continue;
        }
        for (number, line) in source.code() {
            if let Some(word) = OPENERS.iter().find(|word| line.contains(**word)) {
                let _ = writeln!(faults, "{}:{number}: `{word}`", source.path);
            }
        }
    }
    no_faults(&faults);
}

#[test]
fn states_hold_no_floats_and_agents_see_no_states() {
    for source in sources() {
        if source.path.starts_with("src/games/") && source.path.ends_with("/state.rs") {
            let floats =
                source.code().find(|(_, line)| line.contains("f32") || line.contains("f64"));
            assert_eq!(floats, None, "{}", source.path);
        }
    }
    let text = read("src/core/agent.rs");
    let item = |begins: &str| {
        let start = text.find(begins).expect("the item");
        &text[start..start + text[start..].find("\n}\n").expect("its end")]
    };
    let agent = item("pub trait Agent<G: Game, S: Sight = Honest>");
    assert!(agent.contains("&S::Seen<'_, G>") && !agent.contains("State"), "{agent}");
    let honest = item("impl Sight for Honest");
    assert!(honest.contains("type Seen<'a, G: Game> = Observation<'a, G>;"), "{honest}");
}

#[test]
fn built_in_strategies_are_the_files() {
    let paths: Vec<String> = files("strategies")
        .into_iter()
        .filter(|path| Path::new(path).extension().is_some_and(|end| end == "toml"))
        .collect();
    let mut built_in: Vec<(String, &str)> =
        STRATEGIES.iter().map(|(name, text)| (format!("strategies/{name}.toml"), *text)).collect();
    built_in.sort();
    assert_eq!(
        built_in.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        paths.iter().collect::<Vec<_>>()
    );
    for (path, text) in built_in {
        assert_eq!(text, read(&path));
        let strategy: Strategy =
            toml::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(!strategy.about.is_empty() && !strategy.provenance.is_empty(), "{path}");
    }
}

/// The part of a page below a heading of the second level.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let start = page.find(&format!("\n## {heading}\n"));
    let start = start.unwrap_or_else(|| panic!("no heading `## {heading}`")) + 1;
    let end = page[start..].find("\n## ").map_or(page.len(), |end| start + end);
    &page[start..end]
}

#[test]
fn the_dictionary_has_every_column_and_metric() {
    let page = read("reports/README.md");
    let mut faults = String::new();
    let mut look_up = |heading: &str, name: &str, about: &str| {
        let line = format!("| `{name}` | {about} |");
        if !section(&page, heading).lines().any(|other| other == line) {
            let _ = writeln!(faults, "below `## {heading}` of reports/README.md: no line\n{line}");
        }
    };
    for column in ESTIMATE.iter().chain(&JUDGED) {
        look_up("Columns of every table", column.name, column.about);
    }
    for TableSchema { name, keys, metrics, .. } in Catalogue::standard().tables() {
        let heading = format!("`{name}.csv`");
        for column in keys {
            look_up(&heading, column.name, column.about);
        }
        for Metric { name: metric, about, .. } in metrics {
            look_up(&heading, metric, about);
        }
    }
    for column in MATCH_COLUMNS {
        look_up("`matches.csv`", column.name, column.about);
    }
    for column in SEAT_COLUMNS {
        look_up("`matches.csv`", &format!("{}N", column.name), column.about);
    }
    look_up("`matches.csv`", &format!("{POINTS_OF}SOURCE_N"), POINTS_OF_ABOUT);
    let manifest = schema("manifest", &[]).expect("a schema");
    for field in manifest["properties"].as_object().expect("an object").keys() {
        if !section(&page, "`manifest.json`").contains(&format!("| `{field}` | ")) {
            let _ = writeln!(faults, "below `## manifest.json`: no line for `{field}`");
        }
    }
    no_faults(&faults);
}
