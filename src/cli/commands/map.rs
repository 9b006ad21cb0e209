//! `map`: maps as files, what they are worth to whom, and fair ones.

use crate::cli::commands::choose;
use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::report;
use crate::cli::commands::run::{self, Output};
use crate::cli::maps::{Deal, Fitting, Judge, Make, Map, Show};
use crate::cli::running::RuleChoice;
use crate::core::measure::maps::MapFacts;
use crate::core::seed::BlockSeed;
use crate::lab::page::maps::picture_of;
use crate::lab::questions::searches::map_make::MapMake;
use crate::lab::questions::studies::map::places::by_pips;
use crate::lab::questions::studies::map::settings::MapJudge;
use crate::lab::setup::maps::{Constraints, dealt};
use crate::lab::setup::rules::{changed, read};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{GameType, LoadedGame, OneMatch, Seated};
use crate::words::lists::plural;
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Map) -> Result<Output> {
    match args {
        Map::Deal(args) => deal(args),
        Map::Show(args) => show(args),
        Map::Judge(args) => judge(args),
        Map::Make(args) => make(args),
    }
}

impl Fitting {
    fn constraints(&self) -> Constraints {
        let Fitting { red_apart, same_apart, place_pips, kind_pips } = *self;
        Constraints { red_apart, same_apart, place_pips, kind_pips }
    }
}

/// The field of a rule set that holds a map.
fn field(game: &dyn LoadedGame) -> Result<&'static str> {
    let facts = game.game_type().facts();
    let others = || {
        let name = |game: &dyn GameType| game.facts().map_field.map(|_| game.facts().name);
        let with_map: Vec<&str> = catalogue().games.iter().filter_map(name).collect();
        with_map.join(", ")
    };
    facts.map_field.with_context(|| format!("{} has no map; these have: {}", facts.name, others()))
}

/// The game on the map of a file, or on the one that it has by its rules.
fn on_map(choice: &RuleChoice, file: Option<&Path>, players: u8) -> Result<Box<dyn LoadedGame>> {
    let game = choose::game(choice, players)?;
    let field = field(&*game)?;
    let Some(file) = file else { return Ok(game) };
    let is_laid = |set: &String| set.split('=').next().is_some_and(|name| name.trim() == field);
    let shown = file.display();
    ensure!(!choice.sets.iter().any(is_laid), "`{shown}` and --set {field} name two maps");
    let map = |word: &str| format!("{field}={word}");
    let text = read(file)?;
    let seated = plural(players.into(), "player");
    let fault = || format!("`{}` is no map for {players} {seated}", file.display());
    // A value of one line would be the name of a file.
    let text = if text.contains('\n') { text } else { text + "\n" };
    changed(game.game_type(), game.rules(), &[map(&text)], players).with_context(fault)
}

fn deal(args: &Deal) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    field(&*game)?;
    let map = dealt(&*game, (args.seed, 0), &args.fitting.constraints())?;
    let Some(file) = &args.output else { return Ok(Output::new(map.text, 0)) };
    report::write(report::free(file, args.force)?, &map.text, args.force)?;
    Ok(Output::new(format!("Written to {}.\n", file.display()), 0))
}

fn show(args: &Show) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = on_map(&args.rules, args.file.as_deref(), players)?;
    let seed = BlockSeed::new(args.seed, 0);
    if let Some(file) = &args.svg {
        let map = game.map(seed).context("the game has no map")?;
        let picture = picture_of(&map, &[]).file();
        report::write(report::free(file, args.force)?, &picture, args.force)?;
    }
    let picture = game.map_picture(seed).context("the game has no map")?;
    Ok(Output::new(picture + "\n", 0))
}

/// Pairs of places: first ones that were asked for, or the best by pips, each with the best second ones by pips that the
/// others leave to it in a first match.
fn pairs(game: &dyn LoadedGame, map: &MapFacts, agent: &AgentSpec, args: &Judge) -> Vec<[u8; 2]> {
    const FIRSTS: usize = 4;
    let best = by_pips(map);
    let firsts = if args.first.is_empty() { &best[..FIRSTS.min(best.len())] } else { &args.first };
    let seats = vec![0; usize::from(game.players())];
    let seated = Seated { agents: std::slice::from_ref(agent), watch: &WATCH, timing: None };
    let is_left = |pair: &[u8; 2]| {
        let seed = BlockSeed::new(args.running.seed, 0);
        let one = OneMatch { seed, seats: &seats, forced: None, founded: pair };
        pair[0] != pair[1] && game.played(seated, one).is_ok()
    };
    let of = |&first: &u8| {
        let all = best.iter().map(move |&second| [first, second]);
        all.filter(is_left).take(args.pairs).collect::<Vec<_>>()
    };
    firsts.iter().flat_map(of).collect()
}

fn judge(args: &Judge) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = on_map(&args.rules, args.file.as_deref(), players)?;
    let field = field(&*game)?;
    let seed = BlockSeed::new(args.running.seed, 0);
    let map = game.map(seed).context("the game has no map")?;
    // What was dealt is laid in every match.
    let laid = [format!("{field}={}", map.text)];
    let game = changed(game.game_type(), game.rules(), &laid, players)?;
    let map = game.map(seed).context("the game has no map")?;
    for (at, first) in args.first.iter().enumerate() {
        ensure!(!args.first[..at].contains(first), "--first {first} is given twice");
        let open: Vec<String> = map.open().map(|place| place.number.to_string()).collect();
        let known = open.contains(&first.to_string());
        ensure!(known, "--first {first}: nobody can found there; places are {}", open.join(", "));
    }
    let agent = choose::agent(&*game, &args.agent)?;
    game.check_agents(std::slice::from_ref(&agent))?;
    ensure!(
        agent.invitation().ok().flatten().is_none(),
        "a program outside can't be made to take a place; judge a map by one of our agents"
    );
    let pairs = pairs(&*game, &map, &agent, args);
    let design = MapJudge::design(&map, field, pairs, args.free, (agent, players, args.blocks))?;
    run::start(&args.running, &*game, design)
}

fn make(args: &Make) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    field(&*game)?;
    let map = |block| game.map(BlockSeed::new(args.running.seed, block)).map(|map| map.text);
    let is_laid = (1..8).all(|block| map(block) == map(0));
    ensure!(!is_laid, "these rules have one map, which is laid already; `map judge` judges it");
    let agent = choose::agent(&*game, &args.agent)?;
    game.check_agents(std::slice::from_ref(&agent))?;
    let make = MapMake {
        fair: args.fair,
        constraints: args.fitting.constraints(),
        candidates: args.maps,
        blocks: args.matches,
        finalists: args.finalists,
        certified: args.certify,
    };
    let design = make.design(&*game, agent)?;
    run::search(&args.running, &*game, design)
}
