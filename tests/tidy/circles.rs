//! Files that name each other in a circle: none.

use crate::paths::named;
use crate::{Source, no_faults, on_disk, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The files that each file of the program names, itself not included.
fn graph(sources: &[Source]) -> BTreeMap<&str, BTreeSet<&str>> {
    let files: BTreeSet<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    let names = |source: &Source| {
        let paths = named(source).into_iter();
        let found = paths.filter_map(|(_, path)| file_of(&files, &path));
        found.filter(|found| *found != source.path).collect()
    };
    sources.iter().map(|source| (source.path.as_str(), names(source))).collect()
}

/// The file that holds what a path names: the longest start of the path that is a file.
fn file_of<'a>(files: &BTreeSet<&'a str>, path: &[String]) -> Option<&'a str> {
    (1..=path.len()).rev().find_map(|length| {
        let module = on_disk(&path[..length].join("/"));
        let places = [format!("{module}.rs"), format!("{module}/mod.rs")];
        places.iter().find_map(|place| files.get(place.as_str()).copied())
    })
}

/// All files that can be reached from a file.
fn reached<'a>(graph: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&str> = graph[from].iter().copied().collect();
    while let Some(file) = next.pop() {
        if seen.insert(file) {
            next.extend(&graph[file]);
        }
    }
    seen
}

/// Groups of files that all reach each other, by their first.
fn circles<'a>(graph: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|&file| (file, reached(graph, file))).collect();
    let mut circles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, to) in reach.iter().filter(|(file, to)| to.contains(**file)) {
        let first = to.iter().find(|other| reach[*other].contains(file));
        circles.entry(first.expect("the file itself is one")).or_default().push(file);
    }
    circles
}

#[test]
fn files_name_each_other_in_no_circle() {
    let sources: Vec<Source> = sources().into_iter().filter(Source::is_program).collect();
    let graph = graph(&sources);
    let named: usize = graph.values().map(BTreeSet::len).sum();
    assert!(named > 500, "the paths were found");
    let mut faults = String::new();
    for files in circles(&graph).values() {
        let _ = writeln!(faults, "{files:?}");
    }
    no_faults(&faults);
}

#[test]
fn a_circle_is_found_whatever_its_length() {
    let graph = BTreeMap::from([
        ("a", BTreeSet::from(["b"])),
        ("b", BTreeSet::from(["c", "d"])),
        ("c", BTreeSet::from(["a"])),
        ("d", BTreeSet::from(["e"])),
        ("e", BTreeSet::new()),
    ]);
    assert_eq!(circles(&graph), BTreeMap::from([("a", vec!["a", "b", "c"])]));
}
