//! `watch`: a match on a page in the browser, step by step: one of a run, of a record, or one that agents play for it.

use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::page::server::Server;
use crate::cli::commands::page::watch_page::WatchPage;
use crate::cli::commands::play::line::Terminal;
use crate::cli::commands::play::setup;
use crate::cli::commands::run::Output;
use crate::cli::commands::{choose, page, replay, run, threads};
use crate::cli::outside::Watch;
use crate::cli::running::RuleChoice;
use crate::core::seed::BlockSeed;
use crate::lab::read::again::{Again, MatchId};
use crate::sim::any_game::{OneMatch, Seated};
use crate::sim::explain::PlayedMatch;
use crate::sim::guests::seating::{full_name, named};
use crate::sim::line_up::{LineUp, by_seat};
use anyhow::{Context, Result, bail, ensure};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

/// Who plays if nobody is named.
const AGENTS: &str = "expert";

/// A match, and what it is called.
struct Shown {
    game: String,
    title: String,
    names: Vec<String>,
    played: Box<dyn PlayedMatch>,
    /// What a reader must know of it; nothing, mostly.
    caution: String,
}

/// Runs the command: it says on standard output itself where the page is.
///
/// # Errors
/// If the match can't be read or played, or the port is taken.
pub fn run(args: &Watch) -> Result<Output> {
    threads::start(None)?;
    let Shown { game, title, names, played, caution } = shown(args)?;
    let mut nothing = std::io::empty();
    let mut output = std::io::stdout().lock();
    let mut terminal = Terminal::new(&mut nothing, &mut output, false);
    let server = Arc::new(Server::new(1, args.serving.port)?);
    terminal.say(&format!("{title}: {game}, {} players.", names.len()))?;
    for (number, name) in (1..).zip(&names) {
        terminal.say(&format!("Seat {number}: {name}."))?;
    }
    if !caution.is_empty() {
        terminal.say(caution.trim_end())?;
    }
    terminal.draw(&format!("The page: {}", server.address(0)))?;
    let handler = WatchPage::new((game, title), names, played)?;
    page::serve(&server, handler, &args.serving, &mut terminal)?;
    Ok(Output::new(String::new(), 0))
}

fn shown(args: &Watch) -> Result<Shown> {
    let what = &args.what;
    let game = what.to_str().filter(|name| catalogue().game(name).is_ok());
    if let Some(game) = game.filter(|_| args.id.is_none()) {
        return played(args, game);
    }
    let others = [
        ("--agents", args.agents.is_some()),
        ("--rules", args.rules.is_some()),
        ("--set", !args.sets.is_empty()),
    ];
    for (flag, is_given) in others {
        ensure!(!is_given, "`{}` is no game; {flag} is for a game", what.display());
    }
    let named = || format!("`{}`", what.display());
    if what.is_dir() {
        let again = Again::of(catalogue(), what).with_context(named)?;
        let Some(id) = &args.id else { bail!("name a match of {}, such as 0.0", named()) };
        return of_a_run(&again, MatchId::parse(id)?, what).with_context(named);
    }
    ensure!(args.id.is_none(), "{} is no directory of a run; a record holds one match", named());
    let reader = replay::reader(what)?;
    recorded(what, reader).with_context(|| format!("record {}", named()))
}

fn of_a_run(again: &Again<'_>, id: MatchId, run: &Path) -> Result<Shown> {
    let names = again.agents(id)?.iter().map(|agent| agent.name.clone()).collect();
    let game = again.manifest().game.clone();
    let title = format!("Match {id} of {}", run.display());
    Ok(Shown { game, title, names, played: again.play(id, &WATCH)?, caution: again.caution() })
}

fn recorded(path: &Path, reader: Box<dyn BufRead>) -> Result<Shown> {
    let (game, mut reader) = replay::game_of(reader)?;
    let (played, names) = catalogue().game(&game)?.recorded(&mut reader)?;
    let title = format!("Record {}", path.display());
    Ok(Shown { game, title, names, played, caution: String::new() })
}

/// A match that agents play now.
fn played(args: &Watch, game: &str) -> Result<Shown> {
    let rules =
        RuleChoice { game: game.to_owned(), rules: args.rules.clone(), sets: args.sets.clone() };
    let agents = args.agents.as_deref().unwrap_or(AGENTS);
    let LineUp { agents, seats } = seated(&rules, agents, args.players)?;
    let players = u8::try_from(seats.len()).context("too many seats")?;
    let loaded = choose::game(&rules, players)?;
    run::grant(&agents);
    let names = seats.iter().map(|&agent| agents[agent].name.clone()).collect();
    let seated = Seated { agents: &agents, watch: &WATCH, timing: None };
    let one =
        OneMatch { seed: BlockSeed::new(args.seed, 0), seats: &seats, forced: None, founded: &[] };
    let played = loaded.played(seated, one)?;
    let title = format!("A match of seed {}", args.seed);
    Ok(Shown { game: game.to_owned(), title, names, played, caution: String::new() })
}

/// Agents by seat, or one for all; levels of the game by their short names.
fn seated(rules: &RuleChoice, agents: &str, players: Option<u8>) -> Result<LineUp> {
    let named: Vec<String> =
        named(agents).iter().map(|name| full_name(&rules.game, name)).collect();
    let many = u8::try_from(named.len()).context("too many agents")?;
    let players = choose::players(rules, players.or((many > 1).then_some(many)))?;
    let agents = named.join(",");
    LineUp::of(&by_seat(&agents, Some(players))?, |name| setup::opponent(&rules.game, name))
}
