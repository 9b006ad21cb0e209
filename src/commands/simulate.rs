//! `simulate`: plays blocks, writes the tables of a run, prints the summary.

use crate::agent::Player;
use crate::cli::RowForm;
use crate::cli::Simulate;
use crate::cli::SummaryForm;
use crate::clock;
use crate::commands::choose;
use crate::commands::choose::LineUp;
use crate::commands::rows;
use crate::commands::rows::RowFile;
use crate::commands::thinking::Thinking;
use crate::registry::AgentSpec;
use crate::registry::Playable;
use crate::registry::Visitor;
use crate::registry::with_game;
use crate::report::directory::Directory;
use crate::report::manifest::AgentEntry;
use crate::report::manifest::Manifest;
use crate::report::manifest::PlanEntry;
use crate::report::manifest::Played;
use crate::report::manifest::SCHEMA_VERSION;
use crate::report::manifest::Wall;
use crate::report::manifest::hash;
use crate::report::summary;
use crate::report::summary::Style;
use crate::report::table::Table;
use crate::report::tables;
use crate::sim::batch;
use crate::sim::batch::Outside;
use crate::sim::batch::Plan;
use crate::sim::batch::Row;
use crate::sim::batch::Totals;
use crate::sim::layout::Layout;
use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use indicatif::ProgressBar;
use indicatif::ProgressDrawTarget;
use indicatif::ProgressStyle;
use std::fmt::Write as _;
use std::fs;
use std::io::IsTerminal;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What a command has to say: text for standard output, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// For standard output.
    pub text: String,
    /// The exit code.
    pub code: u8,
}

/// Set by Ctrl-C: what is being played is finished, nothing more is begun.
static STOP: AtomicBool = AtomicBool::new(false);

/// How often progress is told where there is no terminal to draw on.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// The exit code of an interrupted run.
const INTERRUPTED: u8 = 130;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Simulate) -> Result<Said> {
    let found = with_game(&args.rules.game, Run { args });
    found.unwrap_or_else(|| Err(choose::no_such_game(&args.rules.game)))
}

struct Run<'a> {
    args: &'a Simulate,
}

impl Visitor for Run<'_> {
    type Out = Result<Said>;

    fn visit<G: Playable>(self) -> Result<Said> {
        let args = self.args;
        let line_up = choose::line_up(&args.agents, args.players)?;
        let players = u8::try_from(line_up.seats.len()).context("too many seats")?;
        let game: G = choose::game(args.rules.rules.as_deref(), &args.rules.sets, players)?;
        if line_up.agents.iter().any(AgentSpec::is_oracle) && !args.allow_oracle {
            bail!("`oracle` sees all hands; to let it play among others, add --allow-oracle");
        }
        drop(choose::players(&game, &line_up.agents)?);
        let plan = plan(args, &line_up)?;
        set_threads(args.threads)?;
        let directory = args.out.as_deref().map(|path| Directory::prepare(path, args.force));
        Session { args, game: &game, line_up: &line_up, plan, directory: directory.transpose()? }
            .play()
    }
}

/// The plan of a run; counts are rounded up to whole blocks.
fn plan(args: &Simulate, line_up: &LineUp) -> Result<Plan> {
    let rotations = batch::rotations(&line_up.seats);
    let blocks = choose::count(&args.matches)?.div_ceil(rotations.len() as u64);
    Ok(Plan {
        seed: args.seed,
        blocks,
        chunk: Plan::chunk_for(blocks),
        rotations,
        agents: line_up.agents.len(),
    })
}

/// Sets the number of threads for this process.
///
/// # Errors
/// If it is not 1 to 1024.
pub fn set_threads(threads: Option<usize>) -> Result<()> {
    if let Some(threads) = threads {
        anyhow::ensure!((1..=1024).contains(&threads), "{threads} threads are not in 1 to 1024");
        // Fails only if the pool exists already; then the number was set before.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    Ok(())
}

/// One run of the command.
struct Session<'a, G> {
    args: &'a Simulate,
    game: &'a G,
    line_up: &'a LineUp,
    plan: Plan,
    directory: Option<Directory>,
}

impl<G: Playable> Session<'_, G> {
    fn play(self) -> Result<Said> {
        // A second handler can't be set; the first does the same.
        let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::SeqCst));
        let mut row_file = self.row_file()?;
        let bar = self.bar();
        let start = clock::now();
        let names: Vec<String> =
            self.line_up.agents.iter().map(|agent| agent.name.clone()).collect();
        let write = |game: &G, row: &Row<'_, G>, out: &mut Vec<u8>| {
            rows::write(game, &names, row, out);
        };
        let per_block = self.plan.rotations.len() as u64;
        let mut told = start;
        let mut progress = |rows: &[u8], blocks: u64| {
            bar.set_position(blocks * per_block);
            let lines = !self.args.quiet && !std::io::stderr().is_terminal();
            if lines && clock::now().saturating_sub(told) >= LINE_EVERY {
                told = clock::now();
                let (done, all) = (blocks * per_block, self.plan.blocks * per_block);
                let _ = writeln!(std::io::stderr(), "{done} of {all} matches");
            }
            row_file.as_mut().map_or(Ok(()), |file| file.write_all(rows))
        };
        let thinking = Thinking::new(self.line_up.agents.len());
        let make = || self.seat_agents(&thinking);
        let outside = Outside {
            seat_agents: &make,
            write: if self.args.rows.is_some() { Some(&write) } else { None },
            stop: &|| STOP.load(Ordering::SeqCst),
            progress: &mut progress,
        };
        let totals = batch::run(self.game, &self.plan, outside).context("writing matches")?;
        bar.finish_and_clear();
        if let Some(mut file) = row_file {
            file.flush().context("writing matches")?;
        }
        let wall_s = (clock::now().saturating_sub(start)).as_secs_f64();
        self.finish(&totals, &names, wall_s, &thinking)
    }

    fn seat_agents(&self, thinking: &Thinking) -> Vec<Player<G>> {
        let players = choose::players(self.game, &self.line_up.agents);
        let players = players.expect("the same agents were made before");
        players.into_iter().enumerate().map(|(at, player)| thinking.time(at, player)).collect()
    }

    fn row_file(&self) -> Result<Option<RowFile>> {
        let Some(form) = self.args.rows else { return Ok(None) };
        let Some(directory) = &self.directory else {
            bail!("--rows writes into a directory; name one with --out");
        };
        let path = directory.file(rows_name(form));
        let seats = self.game.players();
        Ok(Some(RowFile::create(&path, form, seats).context("writing matches")?))
    }

    /// A bar on a terminal, a line now and then elsewhere, nothing when quiet.
    fn bar(&self) -> ProgressBar {
        let matches = self.plan.blocks * self.plan.rotations.len() as u64;
        if self.args.quiet || !std::io::stderr().is_terminal() {
            return ProgressBar::with_draw_target(Some(matches), ProgressDrawTarget::hidden());
        }
        let style = "{bar:30} {human_pos}/{human_len} matches, {per_sec}, {eta} left";
        let style = ProgressStyle::with_template(style).unwrap_or(ProgressStyle::default_bar());
        ProgressBar::new(matches).with_style(style)
    }

    fn finish(
        self,
        totals: &Totals,
        names: &[String],
        wall_s: f64,
        thinking: &Thinking,
    ) -> Result<Said> {
        let layout = batch::layout(self.game, self.plan.agents);
        let source = tables::Source {
            grouped: &totals.grouped,
            layout: &layout,
            agents: names,
            players: self.game.players(),
            firsts: &totals.firsts,
        };
        let tables = tables::all::<G>(source);
        let complete = totals.blocks == self.plan.blocks;
        let manifest = self.manifest(totals, wall_s, thinking, complete)?;
        let mut text = String::new();
        if !self.args.quiet {
            text = self.summary(&manifest, &tables, complete);
        }
        if let Some(directory) = self.directory {
            for table in &tables {
                let file = fs::File::create(directory.file(&format!("{}.csv", table.name)))?;
                table.write_csv(std::io::BufWriter::new(file))?;
            }
            let json = serde_json::to_string_pretty(&manifest)? + "\n";
            fs::write(directory.file("manifest.json"), json)?;
            directory.publish()?;
        }
        Ok(Said { text, code: if complete { 0 } else { INTERRUPTED } })
    }

    fn manifest(
        &self,
        totals: &Totals,
        wall_s: f64,
        thinking: &Thinking,
        complete: bool,
    ) -> Result<Manifest> {
        let rules = toml::Table::try_from(self.game.rules())?;
        let sum = |counter| totals.grouped.sum(counter);
        let failures = batch::layout(self.game, self.plan.agents).anomaly(Layout::FAULT);
        let mut files: Vec<String> =
            tables::TABLES.iter().map(|(name, ..)| format!("{name}.csv")).collect();
        files.extend(self.args.rows.map(|form| rows_name(form).to_owned()));
        Ok(Manifest {
            schema_version: SCHEMA_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: std::env::args().collect(),
            game: G::NAME.to_owned(),
            players: self.game.players(),
            unofficial: self.game.unofficial().map(str::to_owned),
            rules_hash: hash(&rules.to_string()),
            rules,
            agents: self.line_up.agents.iter().map(AgentEntry::new).collect(),
            seed: self.plan.seed,
            generator: "PCG XSH RR 64/32 (pcg32), seeded by SplitMix64's finalizer".to_owned(),
            plan: PlanEntry {
                blocks: self.plan.blocks,
                chunk: self.plan.chunk,
                matches_of_a_block: self.plan.rotations.clone(),
            },
            played: Played {
                complete,
                blocks: totals.blocks,
                matches: sum(Layout::MATCHES),
                decisions: sum(Layout::DECISIONS),
                failures: sum(failures),
            },
            wall: Wall {
                wall_s,
                thinking_s: thinking.seconds(),
                threads: rayon::current_num_threads(),
            },
            files,
        })
    }

    fn summary(&self, manifest: &Manifest, tables: &[Table], complete: bool) -> String {
        let style = match self.args.format {
            SummaryForm::Text => Style::Text,
            SummaryForm::Markdown => Style::Markdown,
        };
        let played = &manifest.played;
        let rate = played.matches as f64 / manifest.wall.wall_s.max(1e-9);
        let mut text = format!(
            "{}, {} players, {} matches in {} blocks, seed {}: {:.1} s on {} threads, {:.0} matches/s\n",
            manifest.game,
            manifest.players,
            played.matches,
            played.blocks,
            manifest.seed,
            manifest.wall.wall_s,
            manifest.wall.threads,
            rate,
        );
        if let Some(reason) = &manifest.unofficial {
            let _ = writeln!(text, "Unofficial: {reason}.");
        }
        if !complete {
            let _ = writeln!(text, "Interrupted: the tables hold the blocks that were played.");
        }
        if manifest.agents.iter().any(|agent| !agent.reproducible) {
            let _ = writeln!(text, "Not reproducible: an agent searches by time.");
        }
        let asked = choose::count(&self.args.matches).unwrap_or(0);
        let planned = self.plan.blocks * self.plan.rotations.len() as u64;
        if asked != planned {
            let _ = writeln!(text, "Rounded up from {asked} to {planned} matches: whole blocks.");
        }
        for grid in summary::grids(tables) {
            text.push('\n');
            text.push_str(&grid.render(style));
        }
        text
    }
}

fn rows_name(form: RowForm) -> &'static str {
    match form {
        RowForm::Csv => "matches.csv",
        RowForm::Zst => "matches.csv.zst",
    }
}
