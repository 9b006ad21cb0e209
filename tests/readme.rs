//! The README and the manual show what the program prints: every `console` block is run and compared.
//!
//! A block holds commands, each on a line after `$ ` (a line that ends in `\` continues on the next), and
//! below each what it prints. The commands of a page run in one temporary directory, by `sh`, and each
//! must succeed. In the output, `[..]` stands for any part of a line, and `...` on a line of its own for
//! any lines; a line of times, `Took …`, is always shown as `Took [..]`. A block whose info string has a
//! second word is a file of that name, written there first.
//!
//! After a wanted change of the output: `SNAPSHOTS=overwrite cargo test --test readme`.
//!
//! Of pages whose commands take long, the first few are run; all of them where `FAIRHAVEN_CASES` is `all`, where pages are
//! renewed, and with an installed program.
//!
//! `FAIRHAVEN_PAGES` names another root of the pages, and `FAIRHAVEN_BIN` another folder that the program
//! is taken from: `tests/clone.sh` sets both, to walk through a fresh clone.

use snapbox::assert::DEFAULT_ACTION_ENV;
use snapbox::{Assert, Data, IntoData};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const FENCE: &str = "```";

/// The folder that holds the README.
fn root() -> PathBuf {
    env::var_os("FAIRHAVEN_PAGES")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// The search path, with the program's folder first.
fn search_path() -> String {
    let own = Path::new(env!("CARGO_BIN_EXE_fairhaven")).parent().expect("a folder");
    let bin = env::var_os("FAIRHAVEN_BIN").map_or_else(|| own.to_owned(), PathBuf::from);
    assert!(bin.join("fairhaven").is_file(), "no program in {}", bin.display());
    format!("{}:{}", bin.display(), env::var("PATH").expect("a search path"))
}

/// Runs a command and returns what it prints on standard output, without times.
fn run(command: &str, place: &Path) -> String {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(place).env("PATH", search_path());
    let output = shell.output().expect("a shell");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "$ {command}\n{}: {errors}", output.status);
    let printed = String::from_utf8(output.stdout).expect("UTF-8 on standard output");
    let timeless = |line| if str::starts_with(line, "Took ") { "Took [..]\n" } else { line };
    printed.split_inclusive('\n').map(timeless).collect()
}

/// The same with what `expected` elides left out.
fn elided(printed: String, expected: &str) -> String {
    let assert = Assert::new().normalize_paths(false);
    let (printed, _) = assert.normalize(printed.into_data(), Data::text(expected));
    printed.to_string()
}

/// How many commands of a page that takes long are run.
fn some_commands() -> usize {
    let all = env::var("FAIRHAVEN_CASES").is_ok_and(|which| which == "all");
    let asked =
        ["FAIRHAVEN_BIN", DEFAULT_ACTION_ENV].iter().any(|name| env::var_os(name).is_some());
    if all || asked { usize::MAX } else { 3 }
}

/// A page with the output of its first blocks as the program prints it now, and how many commands were run: blocks begin
/// as long as these are fewer than `most`.
fn renewed(page: &str, most: usize) -> (String, usize) {
    let place = tempfile::tempdir().expect("a temporary directory");
    let mut lines = page.lines().peekable();
    let mut renewed = String::new();
    let mut commands = 0;
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        renewed.push('\n');
        let Some(info) = line.strip_prefix(FENCE) else { continue };
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|line| *line != FENCE) {
            block.push(line);
        }
        let ends = lines.next() == Some(FENCE);
        assert!(ends, "a block without an end: {line}");
        if info == "console" && commands < most {
            commands += renew_block(&block, place.path(), &mut renewed);
        } else {
            let text = block.iter().flat_map(|line| [line, "\n"]).collect::<String>();
            if let Some((_, name)) = info.split_once(' ') {
                fs::write(place.path().join(name), &text).expect("a file of the page");
            }
            renewed.push_str(&text);
        }
        renewed.push_str(FENCE);
        renewed.push('\n');
    }
    (renewed, commands)
}

/// Runs the commands of a block, writes them with what they print, and returns how many they are.
fn renew_block(block: &[&str], place: &Path, renewed: &mut String) -> usize {
    let mut lines = block.iter().peekable();
    let mut commands = 0;
    while let Some(first) = lines.next() {
        let mut command =
            first.strip_prefix("$ ").expect("a console block starts with `$ `").to_owned();
        while command.ends_with('\\') {
            command.push('\n');
            command.push_str(lines.next().expect("the rest of a command"));
        }
        let mut expected = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            expected.push_str(line);
            expected.push('\n');
        }
        assert!(expected != "...\n", "$ {command}\nleaves all of its output out");
        let printed = run(&command, place);
        let _ = write!(renewed, "$ {command}\n{}", elided(printed, &expected));
        commands += 1;
    }
    commands
}

/// Holds a page to what the program prints.
fn shows_what_is_printed(path: &str) {
    shows_what_some_print(path, usize::MAX);
}

/// Holds the first blocks of a page to what the program prints.
fn shows_what_some_print(path: &str, most: usize) {
    let path = root().join(path);
    let page = fs::read_to_string(&path).expect("a page");
    let (renewed, commands) = renewed(&page, most);
    assert!(commands > 0, "{} shows no command", path.display());
    let shown = Data::read_from(&path, None).raw();
    Assert::new().action_env(DEFAULT_ACTION_ENV).eq(renewed, shown);
}

#[test]
fn the_readme_shows_what_is_printed() {
    shows_what_is_printed("README.md");
}

#[test]
fn the_readme_is_short_and_names_the_rust_version() {
    let page = fs::read_to_string(root().join("README.md")).expect("the README");
    assert!(page.lines().count() <= 150, "what is longer belongs in docs/");
    assert!(page.contains(&format!("Rust {} or later", env!("CARGO_PKG_RUST_VERSION"))));
}

#[test]
fn the_page_for_designers_shows_what_is_printed() {
    shows_what_some_print("docs/designers.md", some_commands());
}

/// The bot of the page is written in Python: where there is none, its section is left out.
#[test]
fn the_page_for_authors_of_agents_shows_what_is_printed() {
    let python = Command::new("python3").arg("--version").output();
    if python.is_ok_and(|output| output.status.success()) {
        return shows_what_some_print("docs/agents.md", some_commands());
    }
    println!("docs/agents.md: its bot was not run: no python3");
    let page = fs::read_to_string(root().join("docs/agents.md")).expect("a page");
    let (before, rest) = page.split_once("## A bot in any language").expect("the section");
    let (_, after) = rest.split_once("\n## ").expect("the next section");
    let page = format!("{before}## {after}");
    Assert::new().eq(renewed(&page, some_commands()).0, Data::text(page));
}

/// The program of an agent's author is a doc test, which is compiled and run; what its `Cargo.toml` asks for is what the
/// doc test is compiled with.
#[test]
fn the_cargo_file_of_an_agent_fits_its_program() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("a file");
    let page = read("docs/agents.md");
    let block = |from: &str, language: &str| {
        let page = &page[page.find(from).expect("the section")..];
        let fence = format!("```{language}\n");
        let code = &page[page.find(&fence).expect("a block") + fence.len()..];
        code[..code.find("```").expect("its end")].to_owned()
    };
    let given: toml::Table = block("## An agent in Rust", "toml").parse().expect("TOML");
    let ours: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let (package, dependencies) = (&given["package"], given["dependencies"].as_table().unwrap());
    assert_eq!(package["edition"], ours["workspace"]["package"]["edition"]);
    assert_eq!(dependencies["rand_pcg"], ours["workspace"]["dependencies"]["rand_pcg"]["version"]);
    assert_eq!(dependencies["fairhaven"]["path"].as_str(), Some("../fairhaven"));
    let program = block("## An agent in Rust", "rust");
    assert!(program.contains("fn main() {"), "a whole program\n{program}");
    let crates = program.lines().filter_map(|line| line.strip_prefix("use "));
    for name in crates.filter_map(|line| line.split("::").next()) {
        assert!(dependencies.contains_key(name), "`{name}` is not among its dependencies");
    }
}

#[test]
fn the_page_on_thresholds_shows_what_is_printed() {
    shows_what_is_printed("docs/thresholds.md");
}

#[test]
fn the_page_on_explanations_shows_what_is_printed() {
    shows_what_is_printed("docs/explain.md");
}

#[test]
fn the_page_on_pages_shows_what_is_printed() {
    shows_what_is_printed("docs/report.md");
}

#[test]
fn the_page_on_play_shows_what_is_printed() {
    shows_what_is_printed("docs/play.md");
}

#[test]
fn the_page_on_exports_shows_what_is_printed() {
    shows_what_some_print("docs/export.md", some_commands());
}

#[test]
fn the_page_on_long_runs_shows_what_is_printed() {
    shows_what_is_printed("docs/long-runs.md");
}

/// Links of a page that lead to files, without what follows `#`.
fn links(page: &str) -> impl Iterator<Item = &str> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let files = targets.map(|(target, _)| target.split('#').next().unwrap_or_default());
    files.filter(|file| !file.is_empty() && !file.contains("://"))
}

#[test]
fn links_lead_to_files() {
    let pages = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(PathBuf::from);
    let entries = fs::read_dir(root().join("docs")).expect("the manual");
    let manual = entries.map(|entry| Path::new("docs").join(entry.expect("a page").file_name()));
    let studies = fs::read_dir(root().join("reports")).expect("the studies").flatten();
    let studies = studies
        .map(|entry| Path::new("reports").join(entry.file_name()).join("README.md"))
        .filter(|page| root().join(page).exists());
    let mut seen = 0;
    for path in pages.into_iter().chain(manual).chain(studies) {
        let page = fs::read_to_string(root().join(&path)).expect("a page");
        let folder = root().join(&path).parent().expect("a folder").to_owned();
        for file in links(&page) {
            seen += 1;
            assert!(folder.join(file).exists(), "{} links to {file}", path.display());
        }
    }
    assert!(seen > 60, "the links were found");
}

/// The manual as a book has all pages, and the README leads to each.
#[test]
fn every_page_is_in_the_book_and_in_the_readme() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect("a page");
    let (book, readme) = (read("docs/SUMMARY.md"), read("README.md"));
    let mut seen = 0;
    for entry in fs::read_dir(root().join("docs")).expect("docs") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        let is_page = Path::new(&name).extension().is_some_and(|end| end == "md");
        if is_page && name != "SUMMARY.md" {
            assert!(book.contains(&format!("({name})")), "docs/SUMMARY.md lacks {name}");
            assert!(readme.contains(&format!("docs/{name}")), "README.md lacks docs/{name}");
            seen += 1;
        }
    }
    assert!(seen > 10, "the pages were found");
}
