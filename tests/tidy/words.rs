//! Phrases that read oddly, and what to write instead.

use crate::{Source, files, no_faults, read, sources};
use std::fmt::Write as _;
use std::path::Path;

/// A phrase in lower case, and plain English for it.
const PHRASES: [(&str, &str); 15] = [
    ("foretell", "predict"),
    ("chances come true", "win probabilities are calibrated"),
    ("reckoned", "estimated"),
    ("sees to it", "makes sure, or the verb itself"),
    ("by what it sees", "sequential"),
    ("copied by halves", "partially copied"),
    ("takes up again", "resumes"),
    ("is gone on with", "is resumed"),
    ("play on:", "to narrow it down, run:"),
    ("nothing there of", "missing"),
    ("a's less b's", "A's minus B's"),
    ("comes back with", "returns"),
    ("is no seal", "is not tamper-proof"),
    ("words of others", "untrusted text"),
    ("if this is none", "the error in its own words"),
];

/// Reports keep the words of the build that wrote them.
fn pages() -> impl Iterator<Item = String> {
    let docs = files("docs").into_iter();
    let pages = docs.filter(|path| Path::new(path).extension().is_some_and(|end| end == "md"));
    pages.chain(["README.md", "ARCHITECTURE.md"].map(str::to_owned))
}

#[test]
fn help_messages_comments_and_pages_are_in_plain_english() {
    let programs = sources().into_iter().filter(Source::is_program);
    let programs = programs.map(|source| (source.path, source.text));
    let mut faults = String::new();
    for (path, text) in programs.chain(pages().map(|path| (path.clone(), read(&path)))) {
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.to_lowercase();
            for (phrase, instead) in PHRASES.iter().filter(|(phrase, _)| line.contains(phrase)) {
                let _ = writeln!(faults, "{path}:{number}: `{phrase}`; write {instead}");
            }
        }
    }
    no_faults(&faults);
}
