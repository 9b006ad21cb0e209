//! Who plays what: from the command line, from questions where it says nothing, or from the record of a match that was
//! left.

use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::play::line::Terminal;
use crate::cli::commands::play::record_file::RecordFile;
use crate::cli::commands::{choose, run};
use crate::cli::outside::Play;
use crate::cli::running::RuleChoice;
use crate::core::types::seat::Seat;
use crate::lab::setup::line_up;
use crate::lab::store::quoted::quoted;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{Facts, GameType};
use crate::sim::guests::open_match::{OpenMatch, OpenPlan, Reseat, Reseats};
use crate::sim::guests::seating::{
    self, LEVEL, fit_for_people, full_name, levels, named, names_of, next_match, recorded_names,
    seat_of,
};
use crate::sim::play::table::OnlyChoice;
use crate::sim::records::check::peek_game;
use crate::sim::records::line::{Header, MatchSeed, PERSON};
use crate::words::lists::span;
use anyhow::{Context, Result, bail, ensure};
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

/// The game if nobody names one.
const GAME: &str = "base";

/// A match with people in it.
pub struct Seated {
    /// The match.
    pub open: Box<dyn OpenMatch>,
    /// Where the person sits; the first of several.
    pub seat: Seat,
    /// Where people sit, in the order of the seats.
    pub persons: Vec<Seat>,
    /// The name of the game.
    pub game: String,
    /// Who sits where, by the names of the record.
    pub names: Vec<String>,
    /// The agents by seat; none where people sit.
    pub seats: Vec<Option<AgentSpec>>,
}

/// What is to be played.
pub struct Choice {
    rules: RuleChoice,
    /// Where people sit, at least one.
    persons: Vec<Seat>,
    /// Those who sit in the other seats, or in all.
    agents: String,
    players: Option<u8>,
    /// The first free one if nobody says.
    seed: Option<u64>,
    out: Option<PathBuf>,
}

/// What the command line says; if it names no game, questions. Nothing if the input ends.
///
/// # Errors
/// If there is no such game, or lines can't be read or written.
pub fn ask(args: &Play, terminal: &mut Terminal<'_>) -> Result<Option<Choice>> {
    let said = (args.agents.clone(), args.seat);
    let (game, (agents, seat)) = if let Some(game) = &args.game {
        (game.clone(), said)
    } else {
        let facts: Vec<Facts> = catalogue().games.iter().map(GameType::facts).collect();
        let games: Vec<&str> = facts.iter().map(|game| game.name).collect();
        facts.iter().try_for_each(|game| terminal.say(&introduced(game)))?;
        let Some(game) = one_of(terminal, "Game", &games, GAME)? else { return Ok(None) };
        let Some(asked) = opponents_and_seat(args, &game, said, terminal)? else { return Ok(None) };
        (game, asked)
    };
    catalogue().game(&game)?;
    let rules = RuleChoice { game, rules: args.rules.clone(), sets: args.sets.clone() };
    let agents = agents.unwrap_or_else(|| LEVEL.to_owned());
    let persons = persons_of(args, seat)?;
    let (players, seed, out) = (args.players, args.seed, args.out.clone());
    Ok(Some(Choice { rules, persons, agents, players, seed, out }))
}

/// A game in a line or two, for people who choose one.
fn introduced(game: &Facts) -> String {
    let Facts { name, title, about, players, .. } = game;
    format!("{name}: {title}, {} players: {about}.", span(players))
}

/// Opponents and the person's seat, as far as they are known.
type Opponents = (Option<String>, Option<u8>);

/// Asks for what was not said of them; nothing if the input ends.
fn opponents_and_seat(
    args: &Play,
    game: &str,
    (mut agents, mut seat): Opponents,
    terminal: &mut Terminal<'_>,
) -> Result<Option<Opponents>> {
    if agents.is_none() {
        agents = one_of(terminal, "Level", &levels(game), LEVEL)?;
        if agents.is_none() {
            return Ok(None);
        }
    }
    if seat.is_none() && args.seats.is_empty() {
        let facts = catalogue().game(game)?.facts();
        let most = args.players.unwrap_or(choose::usual_players(&facts));
        let seats: Vec<String> = (1..=most).map(|seat| seat.to_string()).collect();
        let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
        let Some(typed) = one_of(terminal, "Seat", &seats, "1")? else { return Ok(None) };
        seat = typed.parse().ok();
    }
    Ok(Some((agents, seat)))
}

/// Asks for one of some words until there is one; nothing if the input ends.
fn one_of(
    terminal: &mut Terminal<'_>,
    what: &str,
    words: &[&str],
    default: &str,
) -> io::Result<Option<String>> {
    let default = words.iter().find(|word| **word == default).or(words.last());
    let default = default.copied().unwrap_or_default();
    terminal.say(&format!("{what}: {}. Enter takes {default}.", words.join(", ")))?;
    loop {
        let Some(typed) = terminal.ask(&format!("{what}? "))? else { return Ok(None) };
        let typed = typed.to_lowercase();
        if typed.is_empty() {
            return Ok(Some(default.to_owned()));
        }
        let begins = |word: &&&str| word.starts_with(&typed);
        let whole = words.iter().find(|word| **word == typed);
        let mut fitting = words.iter().filter(begins);
        match (whole, fitting.next(), fitting.next()) {
            _ if ["?", "h", "help"].contains(&typed.as_str()) => terminal.say(&format!(
                "Type one of {}, or its beginning; Enter takes {default}, and quit leaves.",
                words.join(", ")
            ))?,
            _ if ["q", "quit", "exit"].contains(&typed.as_str()) => return Ok(None),
            (Some(word), ..) | (None, Some(word), None) => return Ok(Some((*word).to_owned())),
            _ => terminal.say(&format!("That is none of {}.", words.join(", ")))?,
        }
    }
}

/// Where people sit, each seat once.
fn persons_of(args: &Play, seat: Option<u8>) -> Result<Vec<Seat>> {
    if args.seats.is_empty() {
        return Ok(vec![seat_of(seat.unwrap_or(1))?]);
    }
    let mut persons: Vec<Seat> =
        args.seats.iter().map(|seat| seat_of(*seat)).collect::<Result<_, _>>()?;
    persons.sort_unstable();
    persons.dedup();
    ensure!(persons.len() == args.seats.len(), "a seat of --seats is named twice");
    Ok(persons)
}

/// The file of a match that is about to begin, and with it the seed, if nobody has named one: the first of which there is
/// no record in the directory.
///
/// # Errors
/// If the file is there already, or can't be made.
pub fn with_file(choice: Choice) -> Result<(Choice, RecordFile)> {
    // All that can be wrong shows before a file is made.
    deal(&choice)?;
    let game = choice.rules.game.clone();
    let (seed, file) = match (&choice.out, choice.seed) {
        (Some(path), seed) => (seed.unwrap_or(1), RecordFile::begin(path)?),
        (None, Some(seed)) => {
            let names = |number: u32| match number {
                1 => PathBuf::from(format!("play-{game}-{seed}.jsonl")),
                _ => PathBuf::from(format!("play-{game}-{seed}-{number}.jsonl")),
            };
            (seed, RecordFile::begin_free(names)?.1)
        }
        (None, None) => {
            let names = |number: u32| PathBuf::from(format!("play-{game}-{number}.jsonl"));
            let (number, file) = RecordFile::begin_free(names)?;
            (number.into(), file)
        }
    };
    Ok((Choice { seed: Some(seed), ..choice }, file))
}

/// Deals a match.
///
/// # Errors
/// If the rules can't be played with, or an agent can't be made.
pub fn deal(choice: &Choice) -> Result<Seated> {
    let Choice { rules, persons, seed, .. } = choice;
    let players = players_of(choice)?;
    let game = choose::game(rules, players)?;
    let opponent = |name: &str| opponent(&rules.game, name);
    let seats = seating::seats(&named(&choice.agents), (persons, players), opponent)?;
    grant(&seats);
    let names = names_of(&seats);
    let seed = MatchSeed { master: seed.unwrap_or(1), block: 0, match_idx: 0 };
    let header = Header::new(names.clone(), Some(seed));
    let (wants, only) = (Vec::new(), OnlyChoice::Asked);
    let plan = OpenPlan { agents: &seats, header, seed, watch: &WATCH, wants, only };
    let open = game.open_match(plan)?;
    let persons = persons.clone();
    let game = rules.game.clone();
    Ok(Seated { open, seat: persons[0], persons, game, names, seats })
}

/// How many play: as many as was said, the people and opponents that are named one by one, or the usual number.
fn players_of(choice: &Choice) -> Result<u8> {
    let several = u8::try_from(named(&choice.agents).len()).ok().filter(|named| *named > 1);
    let people = u8::try_from(choice.persons.len())?;
    let players = choice.players.or(several.map(|others| others.saturating_add(people)));
    choose::players(&choice.rules, players)
}

/// An opponent by its name: a level of the game, or any agent.
///
/// # Errors
/// If there is no such agent, or it sees all hands.
pub fn opponent(game: &str, name: &str) -> Result<AgentSpec> {
    Ok(fit_for_people(line_up::agent(&full_name(game, name))?)?)
}

/// The command line has named them, so programs among them may be started.
fn grant(seats: &[Option<AgentSpec>]) {
    let agents: Vec<AgentSpec> = seats.iter().flatten().cloned().collect();
    run::grant(&agents);
}

/// The command that takes a match up again from its record. It names its agents again where the record can't: programs,
/// and files of strategies, of which it has the names alone.
pub fn resume_line(path: &Path, seats: &[Option<AgentSpec>], page: bool) -> String {
    let names: Vec<&str> = seats.iter().flatten().map(|agent| agent.name.as_str()).collect();
    let one = names.windows(2).all(|pair| pair[0] == pair[1]);
    let agents = if one { names[..names.len().min(1)].join("") } else { names.join(",") };
    let agents = if names.iter().all(|name| beyond_its_name(name).is_none()) {
        String::new()
    } else {
        format!(" --agents {}", quoted(agents))
    };
    let page = if page { " --page" } else { "" };
    format!("fairhaven play --resume {}{agents}{page}", quoted(path))
}

/// What an agent has beside its name, which is all that a record has of it; nothing if the name says all.
fn beyond_its_name(name: &str) -> Option<&'static str> {
    match AgentSpec::parse(name, None) {
        Ok(agent) if agent.is_guest() => Some("a program"),
        Ok(agent) if agent.lacks_net() => Some("a search with a net of its own"),
        _ if Path::new(name).extension().is_some_and(|end| end == "toml") => Some("a file"),
        _ => None,
    }
}

/// Takes a match up again from its record.
///
/// # Errors
/// If it is no record of a match with a person, or its other players can't be seated.
pub fn again(args: &Play, record: &str, path: &Path) -> Result<Seated> {
    let named_so = || format!("record `{}`", path.display());
    let game = peek_game(record.as_bytes()).with_context(named_so)?;
    let seats = |recorded: &[String]| -> Result<Vec<Option<AgentSpec>>, String> {
        let seats = reseated(args, &game, recorded).map_err(|error| format!("{error:#}"))?;
        grant(&seats);
        Ok(seats)
    };
    let seated = take_up(&game, record, &seats).with_context(named_so)?;
    ensure!(!seated.persons.is_empty(), "nobody in {} is a {PERSON}", named_so());
    Ok(seated)
}

/// The match that comes after one: the same game, rules and players, the next seed, and a record of its own beside.
///
/// # Errors
/// If its record can't be made, or an agent can't be.
pub fn next(
    (game, seats): (&str, &[Option<AgentSpec>]),
    (record, path): (&str, &Path),
) -> Result<(Seated, RecordFile)> {
    let (seed, begun) = next_match(record).context("the record does not say its seed")?;
    let names = |number: u32| match number {
        1 => path.with_file_name(format!("play-{game}-{seed}.jsonl")),
        _ => path.with_file_name(format!("play-{game}-{seed}-{number}.jsonl")),
    };
    let seated = take_up(game, &begun, &|_| Ok(seats.to_vec()))?;
    Ok((seated, RecordFile::begin_free(names)?.1))
}

fn take_up(game: &str, record: &str, seats: &Reseats<'_>) -> Result<Seated> {
    let sitting = RefCell::new(Vec::new());
    let seats = |names: &[String]| {
        let seats = seats(names)?;
        sitting.borrow_mut().clone_from(&seats);
        Ok(seats)
    };
    let (wants, only) = (Vec::new(), OnlyChoice::Asked);
    let reseat = Reseat { seats: &seats, watch: &WATCH, wants, only };
    let open = catalogue().game(game)?.reopen_match(record, reseat)?;
    let names = recorded_names(open.record())?;
    let players = u8::try_from(names.len()).map_or(0, |seats| seats);
    let persons = Seat::all(players).filter(|seat| names[seat.idx()] == PERSON);
    let persons: Vec<Seat> = persons.collect();
    let seat = persons.first().copied().unwrap_or(Seat::FIRST);
    Ok(Seated { open, seat, persons, game: game.to_owned(), names, seats: sitting.into_inner() })
}

/// Who sits where again: agents by the names of the record, which are never taken for files or programs, or those that
/// the command line names.
fn reseated(args: &Play, game: &str, recorded: &[String]) -> Result<Vec<Option<AgentSpec>>> {
    let persons = recorded.iter().filter(|name| *name == PERSON).count();
    let fits = if args.page { persons >= 1 } else { persons == 1 };
    let due = if args.page {
        "one at least must be"
    } else {
        "one must be, unless they play on a page (--page)"
    };
    ensure!(fits, "{persons} of its seats are called {PERSON}; {due}");
    let given = args.agents.as_deref().map(named);
    let others = recorded.len() - persons;
    if let Some(given) = &given {
        let fits = given.len() == 1 || given.len() == others;
        ensure!(fits, "{} agents for {others} other seats", given.len());
    }
    let mut given = given.as_ref().map(|given| given.iter().cycle());
    let mut seat = |name: &String| -> Result<Option<AgentSpec>> {
        if name == PERSON {
            return Ok(None);
        }
        if let Some(next) = given.as_mut().and_then(Iterator::next) {
            let agent = opponent(game, next)?;
            ensure!(
                agent.name == *name || beyond_its_name(name).is_some(),
                "`{name}` has played this match so far, not `{}`; a record has one agent a seat",
                agent.name
            );
            return Ok(Some(agent));
        }
        let Some(why) = beyond_its_name(name) else {
            return Ok(Some(AgentSpec::parse(name, None)?));
        };
        let others: Vec<&str> =
            recorded.iter().filter(|name| *name != PERSON).map(String::as_str).collect();
        bail!(
            "its agent `{name}` is {why}, which a record names and does not hold; name who plays again: --agents {}",
            quoted(others.join(","))
        )
    };
    recorded.iter().map(&mut seat).collect()
}
