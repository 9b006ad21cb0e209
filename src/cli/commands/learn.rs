//! `learn`: a planner's weights from matches against itself, as a strategy file that any command plays.

use crate::cli::Learn;
use crate::cli::commands::choose::{self, WATCH};
use crate::cli::commands::interrupt::INTERRUPTED;
use crate::cli::commands::progress::Shown;
use crate::cli::commands::run::Output;
use crate::cli::commands::threads;
use crate::lab::caller::{Begun, Progress};
use crate::lab::line_up::agent;
use crate::lab::report::figures::grouped;
use crate::lab::report::files::{rename_onto_nothing, sync_directory};
use crate::lab::rules::game_type;
use crate::lab::search_run;
use crate::lab::searches::challenge::{Challenge, Ruling};
use crate::lab::searches::search::deals;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::learn::{Course, Learned};
use crate::words::nearest;
use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use toml::{Table, Value};

/// Runs the command, and returns what it prints.
///
/// # Errors
/// If the game has nothing to learn, the arguments can't be played with, or the file can't be written.
pub fn run(args: &Learn) -> Result<Output> {
    let facts = game_type(&args.rules.game)?.facts();
    let lesson = facts.lesson.with_context(|| {
        let name = facts.name;
        format!("the weights of {name} can't be learned: no features stand behind them")
    })?;
    let game = choose::game(&args.rules, args.players)?;
    let from = agent(&args.from)?;
    game.check_weights(&from)?;
    let course = course(args, lesson)?;
    if let Some(path) = &args.out {
        check(path, args.force)?;
    }
    threads::start(None)?;
    let mut shown = Shown::new(false);
    shown.begin(&begun(args));
    let found = find(&*game, &from, args, (&course, lesson), &mut shown);
    shown.end();
    let Some(Found { learned, agent, ruling }) = found? else {
        let err = "Interrupted: nothing has been learned.\n".to_owned();
        return Ok(Output { text: String::new(), err, code: INTERRUPTED });
    };
    let text = strategy(&*game, args, &learned, &agent, &ruling)?;
    let Some(path) = &args.out else { return Ok(Output::new(text, 0)) };
    write(path, &text, args.force)?;
    let mark = choose::unofficial_line(game.unofficial());
    let named = path.display();
    let said = said(&ruling, &named.to_string(), &args.from);
    let text = format!("{mark}{}\n{said}.\nWritten to {named}\n", summary(&learned));
    Ok(Output::new(text, 0))
}

/// What was learned, as an agent, and how it compares with the agent that learned.
struct Found {
    learned: Learned<Table>,
    agent: AgentSpec,
    ruling: Ruling,
}

/// The stream of the deals on which the learned agent is compared with the one that learned.
const COMPARED: u64 = 1;

/// What the progress is told at the beginning: the comparison plays no more matches than are learned from.
fn begun(args: &Learn) -> Begun<'static> {
    Begun {
        matches: args.matches.saturating_mul(2),
        played: 0,
        in_progress: 1,
        decisions: Arc::default(),
        watched: true,
        directory: None,
        save_every: Duration::ZERO,
    }
}

/// The progress of what comes after some matches.
struct After<'a> {
    progress: &'a mut dyn Progress,
    matches: u64,
}

impl Progress for After<'_> {
    fn begin(&mut self, _: &Begun<'_>) {}

    fn set(&mut self, matches: u64, standing: &dyn Fn() -> Option<String>) {
        self.progress.set(self.matches + matches, standing);
    }

    fn end(&mut self) {}
}

/// Learns, and compares; nothing if it was stopped.
fn find(
    game: &dyn LoadedGame,
    from: &AgentSpec,
    args: &Learn,
    (course, lesson): (&Course, &[&str]),
    progress: &mut dyn Progress,
) -> Result<Option<Found>> {
    let mut heard = |matches: u64| {
        progress.set(matches, &|| Some("learning".to_owned()));
        !(WATCH.stopped)()
    };
    let Some(learned) = game.learn(from, course, &mut heard)? else { return Ok(None) };
    ensure!(learned.won > 0, "no match was won: there is nothing to learn from");
    let parameters = parameters(game, lesson, &learned)?;
    let agent = AgentSpec { name: "learned".to_owned(), kind: "heuristic".to_owned(), parameters };
    let challenge = Challenge {
        new: agent.clone(),
        start: from.clone(),
        pool: Vec::new(),
        players: args.players,
        matches: args.matches,
    };
    let (seed, matches) = (deals(args.seed, COMPARED), args.matches);
    let mut after = After { progress, matches };
    let ruling = search_run::compare(&challenge, game, seed, WATCH, &mut after)?;
    Ok(ruling.map(|ruling| Found { learned, agent, ruling }))
}

/// How what was learned compares with the agent that learned.
fn said(ruling: &Ruling, named: &str, from: &str) -> String {
    let said = ruling.sentence(named, from).text;
    let matches = grouped(ruling.matches());
    format!("{} ({matches} matches on fresh deals)", said.trim_end_matches('.'))
}

fn course(args: &Learn, names: &[&str]) -> Result<Course> {
    let matches = args.matches;
    ensure!((0.0..=1.0).contains(&args.lambda), "--lambda {} is not in 0 to 1", args.lambda);
    ensure!(args.step > 0.0 && args.step <= 1.0, "--step {} is not in 0 to 1", args.step);
    ensure!((1..=100_000).contains(&args.every), "--every {} is not in 1 to 100000", args.every);
    let at = |name: &String| {
        let found = names.iter().position(|known| known == name);
        found.with_context(|| format!("--hold: {}", nearest::unknown("feature", name, names)))
    };
    let hold = args.hold.iter().map(at).collect::<Result<_>>()?;
    let (seed, lambda, step, every) = (args.seed, args.lambda, args.step, args.every);
    Ok(Course { seed, matches, lambda, step, every, hold })
}

/// The file must not exist, and it must be possible to write it: both are checked before the first match.
fn check(path: &Path, force: bool) -> Result<()> {
    let named = path.display();
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    ensure!(is_toml, "`{named}` should end in .toml, to be played as an agent");
    ensure!(force || !path.exists(), "`{named}` is there already; --force replaces it");
    // A file that is made and removed at once: a run that is killed leaves nothing.
    let partial = partial_of(path);
    let unusable = || format!("can't write `{}`", partial.display());
    clear(&partial)
        .and_then(|()| File::create_new(&partial))
        .and_then(|_| fs::remove_file(&partial))
        .with_context(unusable)
}

/// Where the strategy is written before it is put in its place.
fn partial_of(path: &Path) -> PathBuf {
    path.with_extension("toml.partial")
}

/// How every strategy of this command begins.
const BEGINNING: &str = "about = \"weights learned on ";

/// Removes what a process that was killed while it wrote has left; anything else stays.
fn clear(partial: &Path) -> io::Result<()> {
    let file = match File::open(partial) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    let mut found = Vec::new();
    file.take(BEGINNING.len() as u64).read_to_end(&mut found)?;
    if BEGINNING.as_bytes().starts_with(&found) { fs::remove_file(partial) } else { Ok(()) }
}

/// Puts the strategy in its place, for good. Without `force` nothing is replaced: something may have come there
/// while the matches were played.
fn write(path: &Path, text: &str, force: bool) -> Result<()> {
    let partial = partial_of(path);
    let place = |from, to| if force { fs::rename(from, to) } else { rename_onto_nothing(from, to) };
    let write = |mut file: File| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        place(&partial, path)
    };
    let written = || -> io::Result<()> {
        let written = write(File::create_new(&partial)?);
        if written.is_err() {
            let _ = fs::remove_file(&partial);
        }
        written?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        sync_directory(parent.unwrap_or(Path::new(".")))
    };
    written().with_context(|| format!("can't write `{}`", path.display()))
}

fn summary<W>(learned: &Learned<W>) -> String {
    let [first, last] = learned.surprise;
    format!(
        "{} matches won, {} positions. Surprise at the winner: {first:.4} nats a position in the first \
         tenth, {last:.4} in the last.",
        learned.won, learned.positions,
    )
}

/// The weights as parameters: those that were learned, and those that differ from the defaults.
fn parameters(game: &dyn LoadedGame, lesson: &[&str], learned: &Learned<Table>) -> Result<Table> {
    let defaults = game.default_weights();
    let mut parameters = Table::new();
    for (name, value) in &learned.weights {
        let learnt = lesson.contains(&&**name);
        if learnt || defaults.get(name) != Some(value) {
            let number = value.as_float().context("weights are numbers")?;
            parameters.insert(name.clone(), Value::Float((number * 1e4).round() / 1e4));
        }
    }
    Ok(parameters)
}

/// The strategy, and where it comes from.
fn strategy(
    game: &dyn LoadedGame,
    args: &Learn,
    learned: &Learned<Table>,
    agent: &AgentSpec,
    ruling: &Ruling,
) -> Result<String> {
    let game_name = game.game_type().facts().name;
    let mut file = Table::new();
    file.insert("kind".to_owned(), "heuristic".into());
    file.insert("about".to_owned(), format!("weights learned on {game_name}").into());
    let unofficial = game.unofficial().map_or(String::new(), |why| format!("Unofficial: {why}. "));
    let provenance = format!(
        "{unofficial}fairhaven learn {} --from {} --players {} --matches {} --lambda {} --step {} --every {} --seed \
         {}; {} {}",
        game_name,
        args.from,
        args.players,
        args.matches,
        args.lambda,
        args.step,
        args.every,
        args.seed,
        summary(learned),
        said(ruling, "The learned agent", &args.from),
    );
    file.insert("provenance".to_owned(), provenance.into());
    file.insert("parameters".to_owned(), agent.parameters.clone().into());
    Ok(toml::to_string(&file)?)
}
