//! Which modules may use which: read from the sources, and from the page that draws them.

use crate::paths::named;
use crate::{LINES_MAX, LONGER, Source, no_faults, read, section, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The layer of each module. A module uses lower layers, its own, and what [`BESIDE`] adds; what
/// [`NEVER`] and [`NO_GAMES`] name it doesn't use, whatever the layer. `ARCHITECTURE.md` says why.
pub const LAYERS: &[(&str, u8)] = &[
    ("core/types", 0),
    ("core/seed", 0),
    ("core/net", 0),
    ("core/outside", 0),
    ("core/watch", 0),
    ("stats", 0),
    ("words", 0),
    ("core/chance", 1),
    ("core/resources", 2),
    ("core/game", 2),
    ("core/arrays", 2),
    ("core/rule_set", 2),
    ("parts", 2),
    ("core/guest", 3),
    ("core/agent", 3),
    ("core/record", 3),
    ("core/params", 3),
    ("core/opinion", 3),
    ("core/measure", 3),
    ("core/wording", 3),
    ("parts/island", 3),
    ("games", 4),
    ("sim/search", 4),
    ("sim/records", 4),
    ("sim/agents", 5),
    ("sim", 6),
    ("registry", 6),
    ("lab/report", 7),
    ("lab/pictures", 7),
    ("lab/setup", 7),
    ("lab/questions/question", 7),
    ("lab/questions/studies", 7),
    ("lab/questions/searches", 7),
    ("lab/questions/asked", 7),
    ("lab/questions/catalogue", 7),
    ("conformance", 7),
    ("lab", 8),
    ("lab/store", 8),
    ("lab/run", 8),
    ("lab/divide", 8),
    ("lab/read", 8),
    ("lab/export", 8),
    ("lab/page", 8),
    ("cli", 9),
    ("cli/clock", 9),
    ("cli/commands", 9),
    ("main", 9),
];

/// What a module may use from its own layer.
pub const BESIDE: &[(&str, &[&str])] = &[
    ("core/seed", &["core/types"]),
    ("core/watch", &["core/outside"]),
    ("core/agent", &["core/guest"]),
    ("core/rule_set", &["core/game"]),
    ("core/arrays", &["core/game", "core/resources"]),
    ("core/opinion", &["core/agent", "core/params"]),
    ("parts", &["core/arrays", "core/game", "core/resources", "core/rule_set"]),
    (
        "parts/island",
        &["core/agent", "core/opinion", "core/params", "core/measure", "core/wording"],
    ),
    ("stats", &["core/seed"]),
    ("lab/pictures", &["lab/report"]),
    ("lab/questions/question", &["lab/report"]),
    ("lab/questions/studies", &["lab/questions/question", "lab/report", "lab/setup"]),
    (
        "lab/questions/searches",
        &["lab/questions/question", "lab/report", "lab/setup", "lab/questions/studies"],
    ),
    (
        "lab/questions/asked",
        &[
            "lab/questions/question",
            "lab/report",
            "lab/questions/studies",
            "lab/questions/searches",
        ],
    ),
    (
        "lab/questions/catalogue",
        &[
            "lab/questions/asked",
            "lab/questions/question",
            "lab/report",
            "lab/questions/studies",
            "lab/questions/searches",
        ],
    ),
    ("lab/run", &["lab/store"]),
    ("lab/divide", &["lab/store", "lab/run"]),
    ("lab/read", &["lab/store", "lab/run"]),
    ("lab/export", &["lab/run", "lab/read"]),
    ("lab/page", &["lab/run"]),
    ("conformance", &["lab/report"]),
    ("registry", &["sim"]),
    ("cli/commands", &["cli", "cli/clock"]),
    ("main", &["cli", "cli/commands"]),
];

/// What a module, or a part of one, may not use although it is lower.
pub const NEVER: &[(&str, &[&str])] =
    &[("games", &["core/record"]), ("sim/records", &["games", "core/agent"])];

/// Folders that name no game although games are lower; but for the file that lists them.
pub const NO_GAMES: &[&str] = &["sim", "lab", "cli", "main"];
const REGISTRY: &str = "registry.rs";

#[test]
fn the_architecture_page_has_the_layers() {
    let page = read("ARCHITECTURE.md");
    let mut shown = Vec::new();
    for row in section(&page, "Layers").lines() {
        let mut cells = row.split('|').map(str::trim).skip(1);
        let Some(Ok(layer)) = cells.next().map(str::parse::<u8>) else { continue };
        let modules = cells.next().expect("modules").split(", ");
        shown.extend(modules.map(|module| (module.trim_matches('`').to_owned(), layer)));
    }
    let mut due: Vec<(String, u8)> =
        LAYERS.iter().map(|&(module, layer)| (module.to_owned(), layer)).collect();
    due.sort();
    shown.sort();
    assert_eq!(shown, due);
}

/// The module of [`LAYERS`] that a path lies in: the longest that it begins with.
pub fn room(path: &[impl AsRef<str>]) -> Option<&'static str> {
    let path: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
    let names = |length: usize| path[..length].join("/");
    let find =
        |name: &str| LAYERS.iter().find(|(known, _)| *known == name).map(|(known, _)| *known);
    (1..=path.len().min(3)).rev().find_map(|length| find(&names(length)))
}

/// The module of a source; none for the roots, which only name their modules.
pub fn room_of(source: &Source) -> Option<&'static str> {
    let place = source.place();
    let place = place.trim_end_matches(".rs");
    room(&place.split('/').collect::<Vec<_>>())
}

pub fn layer(module: &str) -> u8 {
    let known = LAYERS.iter().find(|(name, _)| *name == module);
    known.unwrap_or_else(|| panic!("`{module}` has no layer in tests/tidy/")).1
}

fn listed(table: &[(&str, &[&str])], at: &str, used: &str) -> bool {
    table.iter().any(|(place, uses)| at.starts_with(place) && uses.contains(&used))
}

/// Above the simulation no code depends on the type of a game: it meets games as `dyn GameType`.
#[test]
fn nothing_above_the_simulation_is_generic_over_a_game() {
    let bounds = [": Game", ": Measure", ": Opinion", ": Playable", ": SeatMemory", ": Wording"];
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric());
    let mut faults = String::new();
    for source in sources().iter().filter(|source| source.is_program()) {
        if room_of(source).is_none_or(|room| layer(room) <= layer("sim")) {
            continue;
        }
        for (number, line) in source.code() {
            let bound = |bound: &&str| line.split(*bound).skip(1).any(ends);
            if bounds.iter().any(bound) {
                let _ = writeln!(faults, "{}:{number}: {line}", source.path);
            }
        }
    }
    no_faults(&faults);
}

#[test]
fn modules_use_lower_layers_only() {
    let mut faults = String::new();
    let mut seen = 0;
    for source in sources() {
        let Some(module) = room_of(&source) else { continue };
        for (number, path) in named(&source) {
            let Some(used) = room(&path) else { panic!("`{}` has no layer", path.join("::")) };
            if used == module {
                continue;
            }
            seen += 1;
            let lower = layer(used) < layer(module) || listed(BESIDE, module, used);
            let place = source.place();
            let hidden = used == "games"
                && place != REGISTRY
                && NO_GAMES.iter().any(|at| place.starts_with(at));
            if !lower || hidden || listed(NEVER, &place, used) {
                let _ = writeln!(faults, "{}:{number}: uses `{used}`", source.path);
            }
        }
    }
    assert!(seen > 200, "the paths were found");
    no_faults(&faults);
}

/// Which room uses which, and the files that do.
type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

/// Which room a path lies in, if it is in any.
type RoomOf = fn(&[String]) -> Option<&String>;

fn arrows(room: RoomOf) -> Arrows {
    let mut arrows = Arrows::new();
    for source in sources() {
        let place = source.place();
        let place = place.trim_end_matches(".rs").trim_end_matches("/mod");
        let place: Vec<String> = place.split('/').map(str::to_owned).collect();
        let Some(own) = room(&place) else { continue };
        for (_, path) in named(&source) {
            if let Some(used) = room(&path).filter(|used| *used != own) {
                let files = arrows.entry((own.clone(), used.clone())).or_default();
                files.insert(source.path.clone());
            }
        }
    }
    arrows
}

/// The folder of `src` that a path lies in, or the package; the roots only name these.
fn of_the_house(path: &[String]) -> Option<&String> {
    path.first().filter(|first| !["lib", "main", "engine", "build"].contains(&first.as_str()))
}

fn of_the_laboratory(path: &[String]) -> Option<&String> {
    path.get(1).filter(|_| path[0] == "lab")
}

/// The most arrows between the rooms of a house. One that rests on a few uses mostly means that something lies in the
/// wrong room, or that a caller could hand it in.
const ARROWS_MAX: usize = 24;

#[test]
fn rooms_have_few_arrows() {
    let houses: [(&str, RoomOf); 2] = [("src", of_the_house), ("lab", of_the_laboratory)];
    let mut faults = String::new();
    for (house, room) in houses {
        let arrows = arrows(room);
        assert!(arrows.len() > 10, "the arrows of `{house}` were found");
        if arrows.len() > ARROWS_MAX {
            let _ = writeln!(faults, "{} arrows between the rooms of `{house}`:", arrows.len());
            for ((from, to), files) in &arrows {
                let _ = writeln!(faults, "{from} -> {to}: {files:?}");
            }
        }
    }
    no_faults(&faults);
}

/// Folders of the laboratory stand on each other, seven floors at most, and never in a circle.
#[test]
fn the_laboratory_has_few_floors() {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in arrows(of_the_laboratory).into_keys() {
        uses.entry(to.clone()).or_default();
        uses.entry(from).or_default().insert(to);
    }
    let mut floors: BTreeMap<String, usize> = BTreeMap::new();
    while floors.len() < uses.len() {
        let is_due = |(folder, below): &(&String, &BTreeSet<String>)| {
            !floors.contains_key(*folder) && below.iter().all(|below| floors.contains_key(below))
        };
        let (folder, below) = uses.iter().find(is_due).expect("no circle");
        let floor = 1 + below.iter().map(|below| floors[below]).max().unwrap_or(0);
        floors.insert(folder.clone(), floor);
    }
    assert!(floors.len() > 8 && floors.values().max() <= Some(&7), "{floors:?}");
}

/// The rules of a game know neither what is measured in it nor what its positions are worth; opinions and measures
/// don't know each other.
#[test]
fn rules_know_no_opinions_and_no_measures() {
    let mut faults = String::new();
    for source in sources() {
        let place = source.place();
        let mut place = place.split('/');
        let (Some("games"), Some(game), Some(part)) = (place.next(), place.next(), place.next())
        else {
            continue;
        };
        let is = |name: &str| part.trim_end_matches(".rs") == name;
        for (number, path) in named(&source) {
            let name = |at: usize| path.get(at).map_or("", String::as_str);
            let within = name(0) == "games" && name(1) == game;
            let used = if within { name(2) } else { name(1) };
            let opinion = ["opinion", "agent", "params"].contains(&used) && !is("opinion");
            if opinion || used == "measure" && !is("measure") {
                let _ = writeln!(faults, "{}:{number}: uses `{used}`", source.path);
            }
        }
    }
    no_faults(&faults);
}

/// Every excuse and every rule of this file is about something that is there, and still needed.
#[test]
fn nothing_is_excused_that_is_gone() {
    let mut faults = String::new();
    let sources = sources();
    for (path, _) in LONGER {
        let source = sources.iter().find(|source| source.path == *path);
        if source.is_none_or(|source| source.text.lines().count() <= LINES_MAX) {
            let _ = writeln!(faults, "LONGER: `{path}` is gone, or short enough");
        }
    }
    let rules = BESIDE.iter().chain(NEVER).map(|(place, _)| *place).chain(NO_GAMES.iter().copied());
    for place in rules.chain(LAYERS.iter().map(|(module, _)| *module)) {
        if !sources.iter().any(|source| source.place().starts_with(place)) {
            let _ = writeln!(faults, "`{place}` has a rule and no source");
        }
    }
    no_faults(&faults);
}
