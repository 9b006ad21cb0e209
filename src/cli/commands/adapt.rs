//! `--adapt`: an agent is tuned for changed rules before they are judged, in a run of its own.

use crate::cli::commands::run::{FAILED, Output};
use crate::cli::commands::{run, tune};
use crate::cli::printing::Printing;
use crate::cli::running::{RuleChoice, Running};
use crate::cli::searches::{Adapt, Tune};
use crate::lab::questions::searches::tune::FILE;
use crate::lab::questions::studies::next::quoted;
use crate::lab::report::figures::grouped;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Who has adapted to changed rules.
pub enum Adapted {
    /// The agent of this name or file.
    As(String),
    /// Nobody was asked for, or no better one was found.
    Nobody,
    /// The search was stopped.
    Stopped(Output),
}

/// Who is to adapt, and to what.
pub struct Adapting<'a> {
    /// What is tuned.
    pub adapt: &'a Adapt,
    /// The agent.
    pub agent: &'a str,
    /// The rules.
    pub rules: RuleChoice,
    /// What they are called.
    pub named: &'a str,
    /// Players at the table, if somebody has said so.
    pub players: Option<u8>,
    /// The flag that takes the agent that was found in another run.
    pub taken_by: &'a str,
}

impl Adapting<'_> {
    /// Tunes the agent for the rules, as `tune` does, beside the run that judges them.
    ///
    /// # Errors
    /// If there is no `--out`, or the arguments can't be played with.
    pub fn tuned(self, running: &Running) -> Result<Adapted> {
        let Running { out: Some(out), seed, printing, .. } = running else {
            bail!("--adapt writes what it finds beside the run; name its directory with --out")
        };
        let Adapting { adapt, agent, rules, named, players, taken_by } = self;
        let mut directory = out.clone().into_os_string();
        directory.push("-tuned");
        let directory = PathBuf::from(directory);
        let tune = Tune {
            rules,
            agent: agent.to_owned(),
            params: adapt.adapt.clone(),
            against: None,
            players,
            matches: adapt.adapt_matches,
            running: Running {
                // Other deals than those of the run.
                seed: seed.wrapping_add(1),
                out: Some(directory.clone()),
                require: Vec::new(),
                printing: Printing { quiet: true, ..*printing },
                ..running.clone()
            },
        };
        let (game, search) = tune::search(&tune).context("--adapt")?;
        let said = |text: &str| {
            if !printing.quiet {
                // Whoever has closed standard error doesn't want to read it.
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        };
        let (most, place) = (grouped(adapt.adapt_matches.saturating_mul(2)), directory.display());
        said(&format!(
            "First {agent} adapts to {named}, as `tune` does: at most {most} matches, in {place}."
        ));
        let output = run::search(&tune.running, &*game, search).context("--adapt")?;
        Ok(match output.code {
            0 => {
                said("It has found a stronger one.");
                Adapted::As(directory.join(FILE).display().to_string())
            }
            FAILED => {
                said(&format!("It has found no stronger one: agents play {named} as they are."));
                Adapted::Nobody
            }
            _ => Adapted::Stopped(stopped(output, &directory, taken_by)),
        })
    }
}

/// What a search says that was stopped, and how the run goes on after it.
fn stopped(output: Output, directory: &Path, taken_by: &str) -> Output {
    let file = quoted(&directory.join(FILE).display().to_string());
    let then = format!(
        "Once it has ended: the same command with {taken_by}{file} in place of --adapt, if it has written that file.\n"
    );
    Output { err: output.err + &then, ..output }
}
