//! The page's own files, which the program carries with it. Whoever builds the page for another host finds them in
//! `web/page/`.

use crate::cli::commands::page::http::Answer;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file of the page, by its name.
macro_rules! page {
    ($kind:expr, $name:literal) => {
        ($name, $kind, include_str!(concat!("../../../../web/page/", $name)))
    };
}

/// Names, kinds and contents.
const FILES: &[(&str, &str, &str)] = &[
    page!(HTML, "play.html"),
    page!(HTML, "watch.html"),
    page!(CSS, "style.css"),
    page!(CSS, "table.css"),
    page!(SVG, "icon.svg"),
    page!(JS, "transport.js"),
    page!(JS, "dom.js"),
    page!(JS, "actions.js"),
    page!(JS, "find.js"),
    page!(JS, "words.js"),
    page!(JS, "cards.js"),
    page!(JS, "island.js"),
    page!(JS, "news.js"),
    page!(JS, "places.js"),
    page!(JS, "table.js"),
    page!(JS, "offer.js"),
    page!(JS, "zoom.js"),
    page!(JS, "play.js"),
    page!(JS, "chart.js"),
    page!(JS, "watch.js"),
];

/// A file of the page; nothing if there is none of that name.
pub fn file(name: &str) -> Option<Answer> {
    let (_, kind, text) = FILES.iter().find(|(other, ..)| *other == name)?;
    Some(Answer::file(kind, text.as_bytes()))
}
