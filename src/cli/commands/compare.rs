//! `compare`: two agents by a sequential test, or two rule sets by paired differences.

use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Said};
use crate::cli::{Compare, LineUps};
use crate::lab::line_up::{LineUp, agent, line_up};
use crate::lab::report::manifest::{Question, Variant};
use crate::lab::rules;
use crate::lab::run::Design;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::Plan;
use crate::sim::counts::duel::Duel;
use crate::sim::counts::paired;
use crate::sim::lineup::rotations;
use crate::sim::trials::MatchPlan;
use crate::stats::elo::difference_of_elo;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use toml::{Table, Value};

/// Blocks between two looks where agents play fast, and where they search.
const LOOK: u64 = 4;
const LOOK_SEARCHING: u64 = 1;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Compare) -> Result<Said> {
    match (&args.agent_a, &args.agent_b) {
        (Some(a), Some(b)) => agents(args, a, b),
        _ if args.rules_a.is_empty() && args.rules_b.is_empty() => {
            bail!("name two agents, or rules with --rules-a or --rules-b")
        }
        _ => rules(args),
    }
}

fn agents(args: &Compare, a: &str, b: &str) -> Result<Said> {
    let players = args.players.unwrap_or(4);
    let game = choose::game(&args.rules, players)?;
    let agents = vec![agent(a)?, agent(b)?];
    let matches = match args.line_ups {
        LineUps::Even => Duel::even(usize::from(players)),
        LineUps::Alone => Duel::alone(usize::from(players)),
    };
    let question = question(args, &matches)?;
    let searching = agents.iter().any(AgentSpec::is_searching);
    let look = args.look.unwrap_or(if searching { LOOK_SEARCHING } else { LOOK });
    ensure!((1..=1_000_000).contains(&look), "--look {look} is not in 1 to 1000000");
    let most = args.matches.unwrap_or(10_000_000);
    let blocks = most.div_ceil(matches.len() as u64);
    let variants = vec![Variant::base()];
    let design = Design { question, variants, agents, matches, blocks, chunk: look };
    run::start(&args.running, &*game, design)
}

fn question(args: &Compare, matches: &[MatchPlan]) -> Result<Question> {
    let seats = |plan: &MatchPlan| {
        let of_b: usize = plan.seats.iter().sum();
        (plan.seats.len() - of_b, of_b)
    };
    let line_ups: Vec<(usize, usize)> = matches.iter().map(seats).collect();
    let (difference0, difference1) = match (args.elo0, args.elo1) {
        (Some(elo0), Some(elo1)) => {
            (difference_of_elo(elo0, &line_ups), difference_of_elo(elo1, &line_ups))
        }
        _ => (args.win0, args.win1),
    };
    ensure!(
        -1.0 < difference0 && difference0 < difference1 && difference1 < 1.0,
        "the hypotheses {difference0} and {difference1} are not two shares between -1 and 1, the \
         smaller first"
    );
    let (alpha, beta) = (args.alpha, args.beta);
    let rate = |rate: f64| 0.0 < rate && rate < 0.5;
    ensure!(rate(alpha) && rate(beta), "--alpha and --beta must lie between 0 and 0.5");
    Ok(Question::Duel { difference0, difference1, alpha, beta, until: args.until })
}

fn rules(args: &Compare) -> Result<Said> {
    let agents = args.agents.as_deref().unwrap_or("heuristic");
    let LineUp { agents, seats } = line_up(agents, args.players)?;
    let players = u8::try_from(seats.len()).context("too many seats")?;
    let game = choose::game(&args.rules, players)?;
    let base = game.rules();
    let variant = |name: &str, words: &[String]| -> Result<Variant> {
        let changes = changes(&*game, &base, words)?;
        let named = if changes.is_empty() { "base".to_owned() } else { changes.join(" ") };
        Ok(Variant { name: format!("{name}: {named}"), changes })
    };
    let variants = vec![variant("A", &args.rules_a)?, variant("B", &args.rules_b)?];
    let rotations = rotations(&seats);
    let matches = paired::matches((0..2).map(|variant| (variant, rotations.clone())));
    let asked = args.matches.unwrap_or(40_000);
    let blocks = asked.div_ceil(matches.len() as u64);
    let chunk = Plan::chunk_for(blocks);
    let design = Design { question: Question::Rules, variants, agents, matches, blocks, chunk };
    run::start(&args.running, &*game, design)
}

/// What files and single fields change in a rule set, as `field=value`.
fn changes(game: &dyn LoadedGame, base: &Table, words: &[String]) -> Result<Vec<String>> {
    let is_file =
        |word: &String| Path::new(word).extension().is_some_and(|extension| extension == "toml");
    // A file holds a whole rule set: anywhere else it would undo what comes before it.
    if let Some(file) = words.iter().skip(1).find(|word| is_file(word)) {
        bail!("`{file}` is a whole rule set; name one file at most, before single fields");
    }
    let game_type = game.game_type();
    let (from, sets) = match words.split_first().filter(|(first, _)| is_file(first)) {
        Some((file, sets)) => (rules::rule_set(game_type, Path::new(file))?, sets),
        None => (base.clone(), words),
    };
    let rules = rules::changed(game_type, from, sets, game.players())?.rules();
    let mut changes = Vec::new();
    differences("", base, &rules, &mut changes);
    Ok(changes)
}

/// The leaves in which two rule sets differ.
fn differences(path: &str, base: &Table, other: &Table, changes: &mut Vec<String>) {
    for (key, value) in other {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (base.get(key), value) {
            (Some(Value::Table(base)), Value::Table(other)) => {
                differences(&path, base, other, changes);
            }
            (Some(old), new) if old == new => {}
            (_, Value::String(word)) => changes.push(format!("{path}={word}")),
            (_, value) => changes.push(format!("{path}={value}")),
        }
    }
}
