//! `check-agent`: does a program outside speak the protocol, and do its answers depend on the match alone?

use crate::cli::commands::choose;
use crate::cli::commands::guests::{self, Heard, Left, faults, shared};
use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::report::{free, write};
use crate::cli::commands::run::{FAILED, Output};
use crate::cli::outside::{CheckAgent, FindingsForm};
use crate::cli::running::RuleChoice;
use crate::core::game::Steps;
use crate::core::seed::BlockSeed;
use crate::lab::setup::line_up::agent;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::strategy::{Checked, Strategy};
use crate::sim::any_game::{LoadedGame, OneMatch, RecordPlan, Seated, SimulationPlan};
use crate::sim::experiment::BlockSums;
use crate::sim::guests::protocol::Ready;
use crate::sim::records::Form;
use crate::sim::records::line::{Header, PROGRAM};
use crate::sim::simulation::rotations;
use anyhow::{Result, anyhow, ensure};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// The seed of the matches.
const SEED: u64 = 1;

/// How late answers are read by a slow reader.
const LATE: Duration = Duration::from_micros(500);

/// Blocks that a slow reader plays.
const LATE_BLOCKS: u64 = 2;

/// What is shown of a question, in characters.
const LINE: usize = 800;

/// What was found out.
#[derive(Debug, Serialize)]
struct Report {
    agent: String,
    said: Ready,
    checks: Vec<Check>,
    /// Whether all of them are well.
    passed: bool,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    /// The game and the number of players; nothing if it is about the program.
    table: Option<String>,
    name: &'static str,
    passed: bool,
    /// Whether matches were other ones when they were played again.
    differs: bool,
    /// What was seen.
    found: String,
    /// The first question that was answered in two ways, where it was answered so again.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<TwoAnswers>,
}

/// A question that was answered in two ways.
#[derive(Debug, Serialize)]
struct TwoAnswers {
    /// The match, by its block and its number there.
    r#match: String,
    question: String,
    answers: [String; 2],
}

impl Check {
    /// One that has nothing to do with repetition.
    fn once(name: &'static str, passed: bool, found: String) -> Check {
        Check { table: None, name, passed, differs: false, found, question: None }
    }
}

/// Checks a program.
///
/// # Errors
/// If it can't be named, or not be reached.
pub fn run(args: &CheckAgent) -> Result<Output> {
    if let Some(path) = &args.out {
        free(path, args.force)?;
    }
    let guest = named(&args.agent)?;
    let invitation = guest.invitation()?.ok_or_else(|| {
        anyhow!(
            "`{}` is no program outside; write exec:COMMAND, or a file of the kind exec",
            args.agent
        )
    })?;
    guests::grant(invitation);
    let said = greeted(&guest, args)?;
    let mut report = Report { agent: guest.name.clone(), said, checks: Vec::new(), passed: true };
    let played = games(&report.said, args.game.as_deref())?;
    for game in &played {
        let kind = catalogue().game(game)?;
        for players in kind.facts().players {
            let rules = choice(game, args);
            let of = format!("{game}, {players} players");
            let table = choose::game(&rules, players)?;
            let checks = match table.greet(&guest, &WATCH) {
                Ok(_) => at_table(&*table, &rules, &guest, args.matches)?,
                // It plays at some tables of the game only, and says so.
                Err(why) => vec![Check::once("does not play here", true, why)],
            };
            report.checks.extend(
                checks.into_iter().map(|of_table| Check { table: Some(of.clone()), ..of_table }),
            );
            if faults::has_failed() {
                // What failed is printed at the end, with the lines that were exchanged last.
                report.passed = false;
                return output(&report, args.format);
            }
        }
    }
    report.checks.extend(manners(&guest, &played[0], args)?);
    report.passed = report.checks.iter().all(|check| check.passed);
    if let Some(path) = &args.out {
        let text = toml::to_string(&strategy(&guest, &report))?;
        write(path, &text, args.force)?;
    }
    output(&report, args.format)
}

/// The program as a strategy, with what was found of it.
fn strategy(guest: &AgentSpec, report: &Report) -> Strategy {
    let Report { said: Ready { name, version, .. }, checks, passed, .. } = report;
    let mut parameters = guest.parameters.clone();
    let files = parameters.remove("files").and_then(|files| files.try_into().ok());
    let mut tables: Vec<String> = checks.iter().filter_map(|check| check.table.clone()).collect();
    tables.dedup();
    let checked = Checked {
        by: PROGRAM.to_owned(),
        tables,
        passed: *passed,
        repeatable: report.is_repeatable(),
        files: files.unwrap_or_default(),
    };
    Strategy {
        kind: guest.kind.clone(),
        about: format!("{name} {version}").trim().to_owned(),
        provenance: format!("`fairhaven check-agent` of `{}`", guest.name),
        parameters,
        level: None,
        checked: Some(checked),
    }
}

impl Report {
    /// Whether all matches were the same when they were played again.
    fn is_repeatable(&self) -> bool {
        !self.checks.iter().any(|check| check.differs)
    }
}

/// The agent of a name: `exec:` may be left out.
fn named(name: &str) -> Result<AgentSpec> {
    let is_plain = !name.starts_with("exec:")
        && Path::new(name).extension().is_none_or(|ending| ending != "toml");
    agent(&if is_plain { format!("exec:{name}") } else { name.to_owned() })
}

/// The rules of a game that it is checked by.
fn choice(game: &str, args: &CheckAgent) -> RuleChoice {
    RuleChoice { game: game.to_owned(), rules: args.rules.clone(), sets: args.sets.clone() }
}

/// A table of a game, to greet at.
fn any_table(game: &str, args: &CheckAgent) -> Result<Box<dyn LoadedGame>> {
    let players = *catalogue().game(game)?.facts().players.start();
    choose::game(&choice(game, args), players)
}

fn greeted(guest: &AgentSpec, args: &CheckAgent) -> Result<Ready> {
    let mut faults = Vec::new();
    let all: Vec<String> = match &args.game {
        Some(game) => vec![game.clone()],
        None => catalogue().games.names().into_iter().map(str::to_owned).collect(),
    };
    // It may play one game only, and say so.
    for game in all {
        match any_table(&game, args)?.greet(guest, &WATCH) {
            Ok(said) => return said.ok_or_else(|| anyhow!("it is no guest")),
            Err(fault) => faults.push(fault),
        }
    }
    Err(anyhow!("the program `{}`: {}", guest.name, faults.swap_remove(0)))
}

/// The games that it plays, or the one that was asked for.
fn games(said: &Ready, asked: Option<&str>) -> Result<Vec<String>> {
    if let Some(game) = asked {
        return Ok(vec![game.to_owned()]);
    }
    let plays = |game: &&str| said.games.is_empty() || said.games.iter().any(|name| name == game);
    let all = catalogue().games.names().into_iter();
    let games: Vec<String> = all.filter(plays).map(str::to_owned).collect();
    ensure!(!games.is_empty(), "it plays {}, none of which is here", said.games.join(", "));
    Ok(games)
}

/// Plays the same matches in several ways.
fn at_table(
    table: &dyn LoadedGame,
    rules: &RuleChoice,
    guest: &AgentSpec,
    matches: u64,
) -> Result<Vec<Check>> {
    let random = AgentSpec::parse("random", None)?;
    let mut seats = vec![1; table.players().into()];
    seats[0] = 0;
    let blocks = matches.div_ceil(seats.len() as u64).max(LATE_BLOCKS);
    let agents = [guest.clone(), random.clone()];
    let seated = Seated { agents: &agents, watch: &WATCH, timing: None };
    let plan = || SimulationPlan { seed: SEED, rotations: rotations(&seats), write: None };
    let play_with = |seated: Seated<'_>, blocks: &[u64]| -> Vec<BlockSums> {
        let experiment = table.simulation(seated, plan());
        let mut worker = experiment.worker();
        blocks.iter().map(|&block| worker.play(block..block + 1)).collect()
    };
    let play = |blocks: &[u64]| play_with(seated, blocks);
    let forward: Vec<u64> = (0..blocks).collect();
    let first = play(&forward);
    let found = format!("{} matches", blocks * seats.len() as u64);
    let mut checks = vec![Check::once("every answer is legal", !faults::has_failed(), found)];
    let mut compare = |name, blocks: &[u64], again: Vec<BlockSums>| {
        let differ = |pair: &(&u64, &BlockSums)| first[index(*pair.0)] != *pair.1;
        let differing: Vec<u64> =
            blocks.iter().zip(&again).filter(differ).map(|(&block, _)| block).collect();
        let mut question = None;
        let found = match differing.iter().min() {
            None => "the same matches".to_owned(),
            Some(&first) => {
                let (count, all) = (differing.len(), blocks.len());
                let line_ups = rotations(&seats);
                let asked_again = Some(first).filter(|_| !faults::has_failed());
                question = asked_again
                    .and_then(|first| differing_answers(table, seated, &line_ups, first));
                format!("{count} of {all} blocks differ, such as block {first}")
            }
        };
        let differs = !differing.is_empty();
        let passed = !differs && !faults::has_failed();
        checks.push(Check { table: None, name, passed, differs, found, question });
    };
    compare("again on the same process", &forward, play(&forward));
    guests::dismissed(true);
    let backward: Vec<u64> = forward.iter().rev().copied().collect();
    compare("on a new process, in another order", &backward, play(&backward));
    guests::dismissed(true);
    let second_half = &forward[index(blocks / 2)..];
    compare("from the middle on, as a resumed run plays", second_half, play(second_half));
    let halves = forward.split_at(index(blocks / 2));
    let both: Vec<_> = [halves.0, halves.1].into_par_iter().map(play).collect();
    compare("on two processes at once", &forward, both.concat());
    shared::read_late(LATE);
    let few = &forward[..index(LATE_BLOCKS)];
    let late = play(few);
    shared::read_late(Duration::ZERO);
    compare("with a host that reads late", few, late);
    checks.push(with_whole_lists(rules, table.players(), guest)?);
    Ok(checks)
}

/// The whole legal list is sent, whatever the program wants to read, by rules that list as many offers as there can be: no
/// answer is too late or unread for that, and those of the same match are the same.
fn with_whole_lists(rules: &RuleChoice, players: u8, guest: &AgentSpec) -> Result<Check> {
    let mut given = guest.clone();
    given.parameters.insert("full_list".to_owned(), true.into());
    guests::grant(given.invitation()?.ok_or_else(|| anyhow!("it is no guest"))?);
    let mut rules = rules.clone();
    let fields = catalogue().game(&rules.game)?.facts().fields;
    for field in fields.iter().filter(|field| field.path.ends_with("listed_max")) {
        if let Steps::Whole(_, most) = field.steps {
            rules.sets.push(format!("{}={most}", field.path));
        }
    }
    let table = choose::game(&rules, players)?;
    let mut seats = vec![1; players.into()];
    seats[0] = 0;
    let agents = [given, AgentSpec::parse("random", None)?];
    let seated = Seated { agents: &agents, watch: &WATCH, timing: None };
    let record = || record(&*table, seated, &seats, 0);
    let (first, second) = (record(), record());
    let lists = first
        .iter()
        .flat_map(|record| record.lines())
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()?["legal"].as_u64());
    let longest = lists.max().unwrap_or(0);
    let differs = first != second;
    let what = if differs { "the match differs" } else { "the same match" };
    let passed = !differs && !faults::has_failed();
    let name = "with whole lists of actions, as many offers as can be listed";
    Ok(Check { differs, ..Check::once(name, passed, format!("{what}, up to {longest} actions")) })
}

/// The record of one match, if it came to its end.
fn record(
    table: &dyn LoadedGame,
    seated: Seated<'_>,
    seats: &[usize],
    block: u64,
) -> Option<String> {
    let one = OneMatch { seed: BlockSeed::new(SEED, block), seats, forced: None, founded: &[] };
    let header = Header::new(Vec::new(), None);
    table.record(seated, RecordPlan { one, header, form: Form::JsonLines }).ok()
}

/// The first question of a block that was answered in two ways, if it is answered so again.
fn differing_answers(
    table: &dyn LoadedGame,
    seated: Seated<'_>,
    line_ups: &[Vec<usize>],
    block: u64,
) -> Option<TwoAnswers> {
    line_ups.iter().enumerate().find_map(|(number, seats)| {
        let (_, first) = guests::listening(|| record(table, seated, seats, block));
        let (_, second) = guests::listening(|| record(table, seated, seats, block));
        let is_other = |(one, other): &(&Heard, &Heard)| {
            alike(&one.question) == alike(&other.question)
                && alike(&one.answer) != alike(&other.answer)
        };
        let (one, other) = first.iter().zip(&second).find(is_other)?;
        Some(TwoAnswers {
            r#match: format!("{block}.{number}"),
            question: one.question.clone(),
            answers: [one.answer.clone(), other.answer.clone()],
        })
    })
}

/// A line without the numbers that differ when it is said again.
fn alike(line: &str) -> Option<serde_json::Value> {
    let mut line: serde_json::Value = serde_json::from_str(line).ok()?;
    let fields = line.as_object_mut()?;
    fields.retain(|name, _| name != "id" && name != "match");
    Some(line)
}

fn index(block: u64) -> usize {
    usize::try_from(block).expect("64 bits")
}

/// How it behaves when it is told to go, and when its pipe is closed.
fn manners(guest: &AgentSpec, game: &str, args: &CheckAgent) -> Result<Vec<Check>> {
    let left = guests::dismissed(true);
    let told = by_itself("ends when it is told to", &left);
    let table = any_table(game, args)?;
    table.greet(guest, &WATCH).map_err(anyhow::Error::msg)?;
    let dropped = by_itself("ends when its pipe is closed", &guests::dismissed(false));
    let memory = left.iter().filter_map(|left| left.memory).max();
    let found = memory.map_or("unknown".to_owned(), |bytes| format!("{} MiB at most", bytes >> 20));
    Ok(vec![told, dropped, Check::once("memory of a process", true, found)])
}

fn by_itself(name: &'static str, left: &[Left]) -> Check {
    let stayed = left.iter().filter(|left| !left.by_itself).count();
    let passed = stayed == 0;
    let found = if passed { "yes".to_owned() } else { "no: it was killed after 2 s".to_owned() };
    Check::once(name, passed, found)
}

fn output(report: &Report, format: FindingsForm) -> Result<Output> {
    let code = if report.passed { 0 } else { FAILED };
    let text = match format {
        FindingsForm::Json => format!("{}\n", serde_json::to_string_pretty(report)?),
        FindingsForm::Text => text(report),
    };
    Ok(Output::new(text, code))
}

fn text(report: &Report) -> String {
    let Report { agent, said, checks, passed } = report;
    let Ready { name, version, .. } = said;
    let mut text = format!("{agent} says that it is {}.\n", format!("{name} {version}").trim());
    let mut table = None;
    for check in checks {
        if check.table != table {
            table.clone_from(&check.table);
            let _ = writeln!(text, "\n{}", table.as_deref().unwrap_or("The program"));
        }
        let mark = if check.passed { "ok  " } else { "FAIL" };
        let _ = writeln!(text, "  {mark} {}: {}", check.name, check.found);
        if let Some(TwoAnswers { r#match, question, answers: [one, other] }) = &check.question {
            let _ = writeln!(text, "       match {match}, asked {}", shortened(question));
            let _ = writeln!(text, "       answered {one}\n       and then {other}");
        }
    }
    let verdict = match (passed, report.is_repeatable()) {
        (true, _) => "Repeatable: what it answers depends on the match alone.",
        (false, false) => "Not repeatable: its runs can't be resumed, verified or divided.",
        (false, true) => "It does not keep the protocol; see above.",
    };
    let _ = writeln!(text, "\n{verdict}");
    text
}

/// A line as a terminal shows it.
fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    }
}
