//! A page about runs: one file of HTML with the answer, what may not be concluded, pictures, tables, and what is needed
//! to get the same again. It is made from what `analyze` has, and nothing is played for it.
//!
//! The page needs no script and fetches nothing, which its own policy (CSP) enforces. Whatever a name holds, it reaches
//! the page as text: the template escapes all that is not one of our pictures, and [`label`] cuts and cleans it.

mod facts;
mod shown;
mod simulated;
mod compared;
mod swept;
mod searched;
mod diagnosed;
pub mod maps;
mod tested;

use crate::core::seed::BlockSeed;
use crate::lab::page::facts::{Fact, RulesShown};
use crate::lab::page::shown::{Drawn, Shown, TableShown};
use crate::lab::pictures::svg::Picture;
use crate::lab::pictures::{label, svg};
use crate::lab::run::{Finished, notes};
use anyhow::{Context as _, Result, ensure};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, escape_formatter};
use serde::Serialize;

/// The most runs of a page: more would not stay within the size that a page may have.
pub const RUNS_MAX: usize = 12;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");

/// A page, and its pictures as files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The page.
    pub html: String,
    /// Names and texts of the pictures' files; names are letters, digits and hyphens.
    pub pictures: Vec<(String, String)>,
}

/// What the template gets of a run.
#[derive(Debug, Serialize)]
struct RunShown {
    title: String,
    answer: Vec<String>,
    caution: &'static str,
    played: String,
    notes: Vec<String>,
    thresholds: Vec<String>,
    pictures: Vec<PictureShown>,
    tables: Vec<TableShown>,
    method: Vec<String>,
    rules: RulesShown,
    command: String,
    facts: Vec<Fact>,
}

/// What the template gets of a picture.
#[derive(Debug, Serialize)]
struct PictureShown {
    svg: Value,
    caption: String,
}

/// A page about runs, in this order, under a title of its own if one is given.
///
/// # Errors
/// If there are none or too many, or one has not ended and has nothing to show.
pub fn page(runs: &[Finished], title: Option<&str>) -> Result<Page> {
    ensure!(!runs.is_empty(), "a page needs a run");
    ensure!(
        runs.len() <= RUNS_MAX,
        "a page has {RUNS_MAX} runs at most, so that it stays small; {} were given",
        runs.len()
    );
    let mut shown = Vec::new();
    let mut files = Vec::new();
    let mut number = 0;
    for (at, run) in runs.iter().enumerate() {
        let drawn = pictures(run);
        let of_run = if runs.len() > 1 { format!("{}-", at + 1) } else { String::new() };
        let mut inline = Vec::new();
        for picture in &drawn {
            number += 1;
            files.push((format!("{of_run}{}.svg", picture.name), picture.file()));
            let svg = Value::from_safe_string(picture.inline(number));
            inline.push(PictureShown { svg, caption: picture.caption.clone() });
        }
        shown.push(run_shown(run, inline, Shown::of(runs.len())));
    }
    let title = match (title, &shown[..]) {
        (Some(title), _) => title.to_owned(),
        (None, [run]) => run.title.clone(),
        (None, runs) => format!("{} runs", runs.len()),
    };
    Ok(Page { html: rendered(&title, &shown)?, pictures: files })
}

fn run_shown(run: &Finished, pictures: Vec<PictureShown>, most: Shown) -> RunShown {
    let Finished { manifest, asked, tables, judged, .. } = run;
    let answer = asked.answer(manifest, tables);
    let threshold = |(line, holds): &(String, bool)| {
        let kept = if *holds { "kept" } else { "NOT kept" };
        format!("{kept}: {line}")
    };
    RunShown {
        title: format!(
            "{}: {}, {}",
            asked.command(),
            manifest.game,
            notes::seated(manifest, asked)
        ),
        answer: answer.sentences.iter().map(|sentence| sentence.text.clone()).collect(),
        caution: asked.caution(),
        played: notes::played(manifest, asked),
        notes: notes::notes(run, tables, None),
        thresholds: judged.iter().map(threshold).collect(),
        pictures,
        tables: most.tables(run, answer.grid),
        method: facts::method(run),
        rules: facts::rules(run),
        command: facts::command(manifest),
        facts: facts::facts(manifest),
    }
}

/// The pictures of a run: those of all its tables that have one.
fn pictures(run: &Finished) -> Vec<Picture> {
    let Finished { manifest, game, tables, .. } = run;
    let events = game.game_type().facts().names.events;
    let drawn = Drawn { manifest, tables };
    let all = [
        simulated::pictures(&drawn, events),
        tested::pictures(&drawn),
        compared::pictures(&drawn),
        swept::pictures(&drawn),
        searched::pictures(&drawn),
        diagnosed::pictures(&drawn),
        maps::pictures(&drawn, || game.map(BlockSeed::new(manifest.seed, 0))),
    ];
    all.concat()
}

fn rendered(title: &str, runs: &[RunShown]) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(|out, state, value| match value.as_str() {
        Some(text) if !value.is_safe() => {
            escape_formatter(out, state, &Value::from(label::text(text)))
        }
        _ => escape_formatter(out, state, value),
    });
    let style = Value::from_safe_string(format!("{}{STYLE}", svg::STYLE));
    let runs = Value::from(Serde(runs));
    let page = minijinja::context! { title, style, runs };
    environment.render_str(TEMPLATE, page).context("making the page")
}
