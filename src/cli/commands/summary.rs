//! What a run prints when it ends: the answer, what else a reader must know, one table or all of them,
//! and what to do next.

use crate::cli::commands::interrupt;
use crate::cli::plain::plain;
use crate::cli::printing::{Printing, SummaryForm};
use crate::cli::terminal;
use crate::lab::report::answer::{Answer, Tone};
use crate::lab::report::figures::{fixed, grouped};
use crate::lab::report::machine;
use crate::lab::report::manifest::Manifest;
use crate::lab::report::plot;
use crate::lab::report::summary::Style;
use crate::lab::run::{Finished, notes};
use crate::words::lines::wrapped;
use clap::builder::styling::AnsiColor;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::Path;

/// The answer of a run with its tables, in the form that was asked for: [`plain`] but for colours of ours.
pub fn summary(finished: &Finished, printing: Printing) -> String {
    let Finished { manifest, asked, tables, judged, path, game } = finished;
    let path = path.as_deref();
    let is_part = manifest.is_part();
    // A part has too few blocks for tables of its own.
    let tables = if is_part { &[][..] } else { tables };
    let is_open = !manifest.played.complete && (asked.is_search() || manifest.played.blocks == 0);
    let mut answer = if is_part || is_open { None } else { Some(asked.answer(manifest, tables)) };
    let names = manifest.agent_names();
    if let Some(answer) = &mut answer {
        answer.grid.shorten(&names);
    }
    let style = match printing.format {
        SummaryForm::Text => Style::Text,
        SummaryForm::Markdown => Style::Markdown,
        SummaryForm::Csv => return plain(&machine::csv(tables)),
        SummaryForm::Json => {
            let sentences = answer.map_or(Vec::new(), |answer| answer.sentences);
            let words: Vec<String> = sentences.into_iter().map(|said| said.text).collect();
            return plain(&machine::json(manifest, &words, tables, judged));
        }
    };
    let screen = Screen { style, colour: style == Style::Text && is_coloured() };
    let mut text = answer.as_ref().map_or(String::new(), |answer| screen.sentences(answer));
    let resume = path.map(|path| resume(manifest, path));
    for note in notes::notes(finished, tables, resume.as_deref()) {
        text.push_str(&screen.line(&note));
    }
    let grids = if printing.full && !is_part {
        asked.grids(&game.game_type().facts().names, tables)
    } else {
        Vec::new()
    };
    if let Some(answer) = answer.as_ref().filter(|_| !printing.full) {
        let grid = match style {
            Style::Text => format!("\n{}\n", answer.grid.body(style, Some(terminal::text()))),
            Style::Markdown => answer.grid.render(style),
        };
        text.push_str(&plain(&grid));
    }
    if style == Style::Text && !is_part && terminal::has_plots() {
        let command = asked.study().map_or("", |study| study.command());
        text.push_str(&plain(&plot::plots(command, tables)));
    }
    for mut grid in grids {
        grid.shorten(&names);
        text.push('\n');
        text.push_str(&plain(&grid.within(style, terminal::table())));
    }
    if !judged.is_empty() {
        text.push_str("\nThresholds\n\n");
    }
    for (line, holds) in judged {
        let tone = if *holds { Tone::Yes } else { Tone::No };
        let _ = writeln!(text, "{}", screen.coloured(tone, line));
    }
    text.push('\n');
    text.push_str(&screen.line(&notes::played(manifest, asked)));
    text.push_str(&screen.line(&took(manifest)));
    for next in next(answer.as_ref(), printing, path) {
        let _ = writeln!(text, "{}", plain(&next));
    }
    text
}

/// The command that resumes a run.
pub fn resume(manifest: &Manifest, path: &Path) -> String {
    interrupt::resume_command(path, manifest.has_guests())
}

/// Whether verdicts are coloured: on a terminal, unless the environment forbids it (no-color.org).
fn is_coloured() -> bool {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    std::io::stdout().is_terminal() && !forbidden && !dumb
}

/// How lines are written.
struct Screen {
    style: Style,
    colour: bool,
}

impl Screen {
    fn sentences(&self, answer: &Answer) -> String {
        answer.sentences.iter().map(|said| self.toned(said.tone, &said.text)).collect()
    }

    /// A sentence on lines of its own, coloured by its meaning.
    fn toned(&self, tone: Tone, sentence: &str) -> String {
        let lines = self.line(sentence);
        lines.lines().map(|line| self.coloured(tone, line) + "\n").collect()
    }

    fn coloured(&self, tone: Tone, line: &str) -> String {
        let line = plain(line);
        let colour = match tone {
            Tone::Yes if self.colour => AnsiColor::Green,
            Tone::No if self.colour => AnsiColor::Red,
            Tone::Open if self.colour => AnsiColor::Yellow,
            _ => return line,
        };
        let style = colour.on_default();
        format!("{style}{line}{style:#}")
    }

    /// A sentence on lines that fit the screen; a paragraph of its own in a document.
    fn line(&self, sentence: &str) -> String {
        let sentence = plain(sentence);
        match self.style {
            Style::Text => wrapped(&sentence, usize::from(terminal::text())),
            Style::Markdown => format!("{sentence}\n\n"),
        }
    }
}

/// How long it took: the one line that differs from run to run. A host without a clock has not noted it.
fn took(manifest: &Manifest) -> String {
    if manifest.wall.wall_s <= 0.0 {
        return "Played without a clock.".to_owned();
    }
    let rate = manifest.played.matches as f64 / manifest.wall.wall_s;
    let rate: u64 = fixed(rate, 0).parse().unwrap_or(u64::MAX);
    let (seconds, threads) = (manifest.wall.wall_s, manifest.wall.threads);
    let many = if threads == 1 { "" } else { "s" };
    format!("Took {seconds:.1} s on {threads} thread{many}, {} matches/s.", grouped(rate))
}

/// What to do next: what the answer calls for, and where the rest is.
fn next(answer: Option<&Answer>, printing: Printing, path: Option<&Path>) -> Vec<String> {
    let mut lines = answer.map_or(Vec::new(), |answer| answer.next.clone());
    if printing.full || answer.is_none() {
        return lines;
    }
    lines.push(match path {
        Some(path) => format!("All tables: fairhaven analyze {} --full", path.display()),
        None => "All tables: the same with --full; --out DIR keeps them.".to_owned(),
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_for_verdicts_and_for_screens_that_want_it() {
        let said = |colour, tone| {
            let screen = Screen { style: Style::Text, colour };
            screen.toned(tone, "Undecided.")
        };
        assert_eq!(said(false, Tone::Open), "Undecided.\n");
        assert_eq!(said(true, Tone::Plain), "Undecided.\n");
        assert_eq!(said(true, Tone::Open), "\u{1b}[33mUndecided.\u{1b}[0m\n");
    }

    #[test]
    fn colours_of_others_are_replaced_inside_ours() {
        let screen = Screen { style: Style::Text, colour: true };
        let said = screen.toned(Tone::No, "Nobody \u{1b}[32mwins\u{202e}.");
        assert_eq!(said, "\u{1b}[31mNobody \u{fffd}[32mwins\u{fffd}.\u{1b}[0m\n");
    }
}
