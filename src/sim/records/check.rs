//! The referee: reads a match record and asks the rules about each line. It uses no generator of luck and
//! trusts nothing in the record. Format: `docs/records.md`.

use crate::core::chance::ChanceEvent;
use crate::core::game::{ActionFilter, End, Game, Turn, try_apply};
use crate::core::record::{ChanceListener, Decision, ObservedChance, Recorder};
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::records::chance::RecordedChance;
use crate::sim::records::error::{RecordError, RecordFault, shown};
use crate::sim::records::line::{DecisionLine, EndLine, Header, HeaderLine, RECORD, Rank, VERSION};
use crate::sim::records::read::{LineKind, Lines};
use crate::words::steering::disarmed;
use serde::Deserialize;
use serde_json::Value;
use std::io::BufRead;

/// Chance events that a match may have for each decision that it may have: a turn can take one decision
/// and bring in a harvest for every seat.
const EVENTS_PER_DECISION: u64 = 16;

/// Chance events beyond that, for rows and boards that are dealt again.
const EVENTS_SPARE: u64 = 100_000;

/// What a valid record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// Players at the table.
    pub players: u8,
    /// Why the settings are unofficial, if they are.
    pub unofficial: Option<&'static str>,
    /// Decisions.
    pub decisions: u32,
    /// Chance events, the deal included.
    pub chance_events: u64,
    /// Turns.
    pub turns: u16,
    /// Why the match ended.
    pub end: End,
    /// The winner, if there is one.
    pub winner: Option<Seat>,
}

/// What must be known before the rest can be read.
#[derive(Deserialize)]
struct Greeting {
    record: String,
    version: u64,
    game: String,
}

#[derive(Deserialize)]
struct RawRules {
    rules: Value,
}

#[derive(Deserialize)]
struct RawAction {
    action: Value,
}

/// The name of the game that a record is of, from its first line: which `G` to [`check`] it with.
///
/// # Errors
/// If the first line is not a header of this version.
pub fn peek_game(first_line: impl BufRead) -> Result<String, RecordError> {
    greet(&mut Lines::new(first_line)).map(|greeting| greeting.game)
}

/// Checks a whole record of `G`.
///
/// # Errors
/// The first fault, with its line.
pub fn check<G: Wording>(reader: impl BufRead) -> Result<Checked, RecordError> {
    listen::<G, _>(reader, &mut ()).map(|heard| heard.checked)
}

/// A record that a recorder has heard.
#[derive(Debug)]
pub struct Heard<G> {
    /// The game.
    pub game: G,
    /// The names of the agents, by seat; whoever wrote the record chose them, so nothing in them steers a terminal.
    pub agents: Vec<String>,
    /// What the record holds.
    pub checked: Checked,
}

/// Checks a whole record of `G`, and lets a recorder hear the match as if it were played. Of a record with a fault it
/// hears the lines before, and perhaps results of chance that nobody recorded.
///
/// # Errors
/// The first fault, with its line.
pub fn listen<G: Wording, L: Recorder<G>>(
    reader: impl BufRead,
    recorder: &mut L,
) -> Result<Heard<G>, RecordError> {
    let mut lines = Lines::new(reader);
    let (game, header) = open::<G, _>(&mut lines)?;
    follow(game, &header.agents, lines, recorder)
}

/// The same with a recorder that is made when the record has said who plays.
///
/// # Errors
/// The first fault, with its line.
pub fn retell<G: Wording, L: Recorder<G>>(
    reader: impl BufRead,
    make: impl FnOnce(Header) -> L,
) -> Result<L, RecordError> {
    let mut lines = Lines::new(reader);
    let (game, header) = open::<G, _>(&mut lines)?;
    let agents = header.agents.clone();
    let mut recorder = make(header);
    follow(game, &agents, lines, &mut recorder)?;
    Ok(recorder)
}

/// Plays what follows the first line.
fn follow<G: Wording, R: BufRead>(
    game: G,
    agents: &[String],
    mut lines: Lines<R>,
    recorder: &mut dyn Recorder<G>,
) -> Result<Heard<G>, RecordError> {
    lines.allow(lines_max(&game));
    let mut chance = RecordedChance::<G, _>::new(&mut lines);
    let mut state =
        game.deal(&mut ObservedChance { chance: &mut chance, listener: Pass(recorder) });
    chance.verdict()?;
    recorder.on_start(&game, &state);
    let mut decisions = 0;
    while let Turn::Decide(seat) = game.turn(&state) {
        if decisions == game.decisions_max() {
            let max = game.decisions_max();
            return Err(chance.lines().fault(RecordFault::TooManyDecisions { max }));
        }
        let DecisionLine { action, legal: listed, .. } =
            read_decision(&game, &state, seat, chance.lines())?;
        let (before, filter) = (&state, ActionFilter::Full);
        recorder.on_decision(&game, &Decision { before, seat, filter, listed, action });
        let mut observed = ObservedChance { chance: &mut chance, listener: Pass(recorder) };
        let carried = try_apply(&game, &mut state, action, &mut observed);
        carried.map_err(|illegal| chance.lines().fault(RecordFault::Illegal(illegal.0)))?;
        chance.verdict()?;
        recorder.on_applied(&game, action, &state);
        decisions += 1;
    }
    let chance_events = chance.events();
    close(&game, &state, &mut lines)?;
    recorder.on_end(&game, &state);
    let checked = found(&game, &state, decisions, chance_events);
    let agents = agents.iter().map(|name| disarmed(name)).collect();
    Ok(Heard { game, agents, checked })
}

/// What a record holds that ends in a position.
fn found<G: Game>(game: &G, state: &G::State, decisions: u32, chance_events: u64) -> Checked {
    let outcome = game.outcome(state);
    Checked {
        players: game.players(),
        unofficial: game.unofficial(),
        decisions,
        chance_events,
        turns: game.turn_number(state),
        end: outcome.end,
        winner: outcome.winner,
    }
}

/// Lets a recorder hear of chance.
struct Pass<'a, G: Game>(&'a mut dyn Recorder<G>);

impl<G: Game> ChanceListener<G::Draw> for Pass<'_, G> {
    fn on_turn(&mut self, turn: u16) {
        self.0.on_turn(turn);
    }

    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        self.0.on_chance(event);
    }
}

/// The most lines of a record. Only rows that are dealt again and again could have more.
pub fn lines_max<G: Game>(game: &G) -> u64 {
    let decisions = u64::from(game.decisions_max());
    2 + decisions + EVENTS_PER_DECISION * decisions + EVENTS_SPARE
}

/// Reads the next line, which must be of a kind.
fn expect<R: BufRead>(lines: &mut Lines<R>, kind: LineKind, due: &str) -> Result<(), RecordError> {
    let found = lines.advance()?;
    if found == kind {
        return Ok(());
    }
    Err(lines.fault(RecordFault::Misplaced { found: found.name(), due: due.to_owned() }))
}

fn greet<R: BufRead>(lines: &mut Lines<R>) -> Result<Greeting, RecordError> {
    if lines.advance()? != LineKind::Header {
        return Err(lines.fault(RecordFault::NotARecord));
    }
    let greeting: Greeting = lines.parse()?;
    if greeting.record != RECORD {
        return Err(lines.fault(RecordFault::NotARecord));
    }
    if greeting.version != u64::from(VERSION) {
        return Err(lines.fault(RecordFault::Version { found: greeting.version }));
    }
    Ok(greeting)
}

/// Reads the header and creates the game that it names; returns also what it says of the match.
///
/// # Errors
/// If it is not a header of this game and version.
pub fn open<G: Wording, R: BufRead>(lines: &mut Lines<R>) -> Result<(G, Header), RecordError> {
    let greeting = greet(lines)?;
    let judge = |verdict: Result<(), RecordFault>| verdict.map_err(|fault| lines.fault(fault));
    let name = G::NAME.to_owned();
    judge(RecordFault::unless_same("game", &greeting.game, &name, String::clone))?;
    let raw: RawRules = lines.parse()?;
    let has = |path: &str| raw.rules.pointer(&format!("/{}", path.replace('.', "/"))).is_some();
    if let Some(former) = G::FORMER.iter().find(|former| has(former.path)) {
        return Err(lines.fault(RecordFault::Rules(former.complaint())));
    }
    let header: HeaderLine<G::Rules> = lines.parse()?;
    if let Some(difference) = difference("rules", &raw.rules, &value_of(&header.rules)) {
        return Err(lines.fault(RecordFault::Rules(shown(&difference))));
    }
    let game = G::new(header.rules, header.players).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        lines.fault(RecordFault::Rules(faults.join("; ")))
    })?;
    let agents = (header.agents.len(), usize::from(game.players()));
    judge(RecordFault::unless_same("agents", &agents.0, &agents.1, |n| format!("{n} names")))?;
    let HeaderLine { agents, seed, program, .. } = header;
    Ok((game, Header { agents, seed, program }))
}

/// Reads a decision of `seat` and compares everything but the action with the rules.
fn read_decision<G: Wording, R: BufRead>(
    game: &G,
    state: &G::State,
    seat: Seat,
    lines: &mut Lines<R>,
) -> Result<DecisionLine<G::Action>, RecordError> {
    expect(lines, LineKind::Decision, &format!("a decision of seat {seat}"))?;
    let line: DecisionLine<G::Action> = lines.parse()?;
    let due = DecisionLine::of(game, state, seat, line.action);
    compare_decisions(&line, &due).map_err(|fault| lines.fault(fault))?;
    let raw: RawAction = lines.parse()?;
    let spelled = value_of(&line.action);
    RecordFault::unless_same("action", &raw.action, &spelled, Value::to_string)
        .map_err(|fault| lines.fault(fault))?;
    Ok(line)
}

fn compare_decisions<A>(found: &DecisionLine<A>, due: &DecisionLine<A>) -> Result<(), RecordFault> {
    RecordFault::unless_same("turn", &found.turn, &due.turn, u16::to_string)?;
    RecordFault::unless_same("seat", &found.seat, &due.seat, Seat::to_string)?;
    RecordFault::unless_same("phase", &found.phase, &due.phase, |phase| format!("`{phase}`"))?;
    RecordFault::unless_same("legal", &found.legal, &due.legal, usize::to_string)
}

/// Reads the end line and what must not follow it.
fn close<G: Game, R: BufRead>(
    game: &G,
    state: &G::State,
    lines: &mut Lines<R>,
) -> Result<(), RecordError> {
    expect(lines, LineKind::End, "the end line")?;
    let due = EndLine::of(&game.outcome(state), game.turn_number(state));
    compare_ends(&lines.parse()?, &due).map_err(|fault| lines.fault(fault))?;
    expect(lines, LineKind::Nothing, "nothing more")
}

fn compare_ends(found: &EndLine, due: &EndLine) -> Result<(), RecordFault> {
    let winner = |seat: &Option<Seat>| seat.map_or("nobody".to_owned(), |seat| seat.to_string());
    let points = |points: &Vec<u8>| format!("{points:?}");
    RecordFault::unless_same("end", &found.end, &due.end, |end| format!("`{end}`"))?;
    RecordFault::unless_same("winner", &found.winner, &due.winner, winner)?;
    RecordFault::unless_same("points", &found.points, &due.points, points)?;
    RecordFault::unless_same("ranks", &found.ranks, &due.ranks, |ranks| show_ranks(ranks))?;
    RecordFault::unless_same("turns", &found.turns, &due.turns, u16::to_string)
}

fn show_ranks(ranks: &[Rank]) -> String {
    let ranks: Vec<String> = ranks.iter().map(ToString::to_string).collect();
    format!("[{}]", ranks.join(", "))
}

fn value_of(data: &impl serde::Serialize) -> Value {
    serde_json::to_value(data).expect("rules and actions have text keys and no failing fields")
}

/// The first place where two values differ; `due` has all that must be there.
fn difference(path: &str, found: &Value, due: &Value) -> Option<String> {
    let (Value::Object(found), Value::Object(due)) = (found, due) else {
        return (found != due).then(|| format!("`{path}` is {found}, should be written {due}"));
    };
    for (key, value) in due {
        let path = format!("{path}.{key}");
        let Some(stands) = found.get(key) else {
            return Some(format!("`{path}` is missing; a record holds the whole rule set"));
        };
        if let Some(difference) = difference(&path, stands, value) {
            return Some(difference);
        }
    }
    let unknown = found.keys().find(|key| !due.contains_key(*key))?;
    Some(format!("`{path}.{unknown}` is no field of the rule set"))
}
