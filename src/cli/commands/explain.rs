//! `explain`: the decisions of a match, what an agent thinks of one of them, and which of them were mistakes.

use crate::cli::commands::explain_text::Opened;
use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::interrupt::INTERRUPTED;
use crate::cli::commands::progress::Shown;
use crate::cli::commands::run::Output;
use crate::cli::commands::{explain_text, replay, threads};
use crate::cli::runs::{Explain, ExplainForm};
use crate::lab::questions::searches::level_file::rules_words;
use crate::lab::read::again::{Again, MatchId};
use crate::lab::read::judges::{self, Table};
use crate::lab::read::mistakes::{Found, seed_of};
use crate::lab::run::caller::{Begun, Progress};
use crate::lab::setup::line_up;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::explain::answer::{Decided, Explained, Question, Scope};
use crate::sim::records::line::PERSON;
use crate::stats::replicates::Mean;
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Who is asked where the agent that decided has no opinions.
const USUAL: &str = "mcts";
/// Who judges if nobody is named.
const JUDGE: &str = "mcts:iterations=2000";
/// What helps where the agent that a record names can't be asked.
const NAME_ONE: &str = "the agent that decided can't be asked; name one with --agent";
/// Matches of a run that are looked at.
const MATCHES: u64 = 10;

/// What is printed of a match.
#[derive(Serialize)]
struct Listed<'a> {
    game: &'a str,
    #[serde(rename = "match")]
    of: Option<String>,
    agents: &'a [String],
    decisions: &'a [Decided],
}

/// What is printed of a decision.
#[derive(Serialize)]
struct Why<'a> {
    game: &'a str,
    #[serde(rename = "match")]
    of: Option<String>,
    agents: &'a [String],
    asked: &'a str,
    searches: u32,
    #[serde(flatten)]
    explained: &'a Explained,
}

/// What is printed of mistakes.
#[derive(Serialize)]
struct Mistakes<'a> {
    game: &'a str,
    judge: &'a str,
    judge_wins: Option<Mean>,
    searches: u32,
    matches: u64,
    #[serde(flatten)]
    found: &'a Found,
}

/// Runs the command.
///
/// # Errors
/// If the match can't be read or played, or the agent can't be asked.
pub fn run(args: &Explain) -> Result<Output> {
    ensure!(
        args.matches.is_none() || args.id.is_none(),
        "--matches is for a whole run; leave out BLOCK.MATCH"
    );
    threads::start(args.threads)?;
    let (run, named) = (&args.run, || format!("`{}`", args.run.display()));
    if run.is_dir() {
        let again = Again::of(catalogue(), run).with_context(named)?;
        let mut output = match &args.id {
            Some(id) => {
                let rules = rules_words(again.game_type(), &again.manifest().rules);
                one(args, &opened(&again, MatchId::parse(id)?).with_context(named)?, &rules)
            }
            None if args.mistakes => of_a_run(args, &again).with_context(named),
            None => bail!("name a match of {}, such as 0.0, or --mistakes for all", named()),
        }?;
        output.err.push_str(&again.caution());
        return Ok(output);
    }
    ensure!(args.id.is_none(), "{} is no directory of a run; a record holds one match", named());
    ensure!(args.matches.is_none(), "a record holds one match; --matches is for a run");
    let reader = replay::reader(run)?;
    one(args, &recorded(reader).with_context(|| format!("record {}", named()))?, "")
}

fn opened(again: &Again, id: MatchId) -> Result<Opened> {
    let specs: Vec<AgentSpec> = again.agents(id)?.into_iter().cloned().collect();
    let agents = specs.iter().map(|agent| agent.name.clone()).collect();
    let (game, played) = (again.manifest().game.clone(), again.play(id, &WATCH)?);
    Ok(Opened { game, id: Some(id), agents, specs: Some(specs), played })
}

fn recorded(reader: Box<dyn BufRead>) -> Result<Opened> {
    let (game, mut reader) = replay::game_of(reader)?;
    let (played, agents) = catalogue().game(&game)?.recorded(&mut reader)?;
    Ok(Opened { game, id: None, agents, specs: None, played })
}

fn one(args: &Explain, opened: &Opened, rules: &str) -> Result<Output> {
    if let Some(number) = args.decision {
        return why(args, opened, number);
    }
    if args.mistakes {
        let mut found = Found::new(args.searches, true);
        let judge = judge(args)?;
        review(args, &judge, opened, &AtomicU64::new(0), &mut found)?;
        let table = Table { game: &opened.game, players: opened.agents.len(), rules };
        return said_mistakes(args, table, &judge, 1, &found);
    }
    let decisions = opened.played.decisions();
    let text = match args.format {
        ExplainForm::Text => explain_text::list(opened, &decisions),
        ExplainForm::Json => json(&Listed {
            game: &opened.game,
            of: opened.id.map(|id| id.to_string()),
            agents: &opened.agents,
            decisions: &decisions,
        })?,
    };
    Ok(Output::new(text, 0))
}

fn json(of: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(of)? + "\n")
}

/// What an agent thinks of a decision.
fn why(args: &Explain, opened: &Opened, number: usize) -> Result<Output> {
    let decisions = opened.played.decisions();
    let decided = decisions.get(number);
    let last = decisions.len().saturating_sub(1);
    let decided =
        decided.with_context(|| format!("no decision {number}; there are 0 to {last}"))?;
    let seat = decided.seat.idx();
    let mut agent = match (&args.agent, &opened.specs) {
        (Some(name), _) => line_up::agent(name)?,
        // A program outside plays in matches only.
        (None, Some(specs)) if specs[seat].is_guest() => line_up::agent(USUAL)?,
        (None, Some(specs)) => specs[seat].clone(),
        // A person can't be asked again.
        (None, None) if opened.agents[seat] == PERSON => line_up::agent(USUAL)?,
        // Who wrote the record says what it is called; no file is read for that.
        (None, None) => AgentSpec::parse(&opened.agents[seat], None).context(NAME_ONE)?,
    };
    let asked = ask(args, opened, number, &agent);
    let by_record = args.agent.is_none() && opened.specs.is_none();
    let mut explained = if by_record { asked.context(NAME_ONE)? } else { asked? };
    if explained.actions.is_empty() && args.agent.is_none() {
        agent = line_up::agent(USUAL)?;
        explained = ask(args, opened, number, &agent)?;
    }
    ensure!(
        !explained.actions.is_empty(),
        "`{}` has no opinions; ask another agent with --agent",
        agent.name
    );
    let text = match args.format {
        ExplainForm::Text => explain_text::why(opened, &agent, args.searches, &explained),
        ExplainForm::Json => json(&Why {
            game: &opened.game,
            of: opened.id.map(|id| id.to_string()),
            agents: &opened.agents,
            asked: &agent.name,
            searches: if agent.is_searching() { args.searches } else { 1 },
            explained: &explained,
        })?,
    };
    Ok(Output::new(text, 0))
}

fn question<'a>(args: &Explain, id: Option<MatchId>, agent: &'a AgentSpec) -> Question<'a> {
    let (watch, searches) = (&*WATCH, args.searches);
    Question { agent, watch, seed: seed_of(args.seed, id), searches }
}

fn ask(args: &Explain, opened: &Opened, number: usize, agent: &AgentSpec) -> Result<Explained> {
    check_oracle(args, agent)?;
    Ok(opened.played.explain(number, question(args, opened.id, agent))?)
}

fn check_oracle(args: &Explain, agent: &AgentSpec) -> Result<()> {
    ensure!(
        !agent.is_oracle() || args.allow_oracle,
        "`oracle` sees all hands, which the seat does not; to ask it all the same, add --allow-oracle"
    );
    Ok(())
}

fn judge(args: &Explain) -> Result<AgentSpec> {
    let judge = line_up::agent(args.judge.as_deref().unwrap_or(JUDGE))?;
    ensure!(judge.is_searching(), "`{}` does not search; a judge is an mcts", judge.name);
    check_oracle(args, &judge)?;
    Ok(judge)
}

fn review(
    args: &Explain,
    judge: &AgentSpec,
    opened: &Opened,
    progress: &AtomicU64,
    found: &mut Found,
) -> Result<()> {
    let judged = opened.played.review(Scope::ALL, question(args, opened.id, judge), progress)?;
    found.add(opened.id, &opened.agents, judged);
    Ok(())
}

/// The mistakes of the first matches of a run.
fn of_a_run(args: &Explain, again: &Again) -> Result<Output> {
    let judge = judge(args)?;
    let (blocks, each) = (again.blocks()?, again.matches_of_a_block());
    let all = (blocks.end - blocks.start).saturating_mul(each as u64);
    let matches = args.matches.unwrap_or(MATCHES).min(all);
    let decisions = Arc::new(AtomicU64::new(0));
    let mut shown = Shown::new(args.quiet);
    shown.begin(&Begun { decisions: Arc::clone(&decisions), ..Begun::reading(matches) });
    let ids = blocks.flat_map(|block| (0..each).map(move |number| MatchId { block, number }));
    let mut found = Found::new(args.searches, matches == 1);
    for (done, id) in (1..=matches).zip(ids) {
        review(args, &judge, &opened(again, id)?, &decisions, &mut found)?;
        if WATCH.is_stopped() {
            shown.end();
            let err = format!("Interrupted in match {id}; nothing is kept\n");
            return Ok(Output::failed(err, INTERRUPTED));
        }
        shown.set(done, &|| None);
    }
    shown.end();
    let (manifest, rules) =
        (again.manifest(), rules_words(again.game_type(), &again.manifest().rules));
    let table = Table { game: &manifest.game, players: manifest.players.into(), rules: &rules };
    said_mistakes(args, table, &judge, matches, &found)
}

fn said_mistakes(
    args: &Explain,
    table: Table<'_>,
    judge: &AgentSpec,
    matches: u64,
    found: &Found,
) -> Result<Output> {
    let (searches, name) = (args.searches, &judge.name);
    let text = match args.format {
        ExplainForm::Text => {
            let strength = judges::strength(table, name);
            explain_text::mistakes((name, &strength), searches, matches, found, args.top)
        }
        ExplainForm::Json => {
            let (game, judge_wins) =
                (table.game, judges::measured(table, name).map(|(wins, _)| wins));
            json(&Mistakes { game, judge: name, judge_wins, searches, matches, found })?
        }
    };
    Ok(Output::new(text, 0))
}
