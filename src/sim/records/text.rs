//! Writes a match as plain text for people while it is played. It shows what every hand draws.

use crate::core::chance::ChanceEvent;
use crate::core::game::Game;
use crate::core::record::{Decision, Recorder};
use crate::core::types::seat::Seat;
use crate::sim::records::jsonl::turn_of;
use crate::sim::records::line::{Header, Rank};
use serde_json::Value;
use std::fmt::Display;

/// A listener that writes the text of one match.
#[derive(Debug, Clone)]
pub struct TextRecorder {
    header: Header,
    /// Chance events whose turn is not known yet.
    waiting: Vec<ChanceEvent>,
    /// The turn whose heading is written already.
    turn: Option<u16>,
    text: String,
}

impl TextRecorder {
    /// The text of a match that is about to be dealt.
    pub fn new(header: Header) -> TextRecorder {
        TextRecorder { header, waiting: Vec::new(), turn: None, text: String::new() }
    }

    /// The text, each line ended by a line feed.
    pub fn into_string(self) -> String {
        self.text
    }

    fn line(&mut self, line: impl Display) {
        self.text.push_str(&line.to_string());
        self.text.push('\n');
    }

    fn heading(&mut self, turn: u16) {
        if self.turn != Some(turn) {
            self.turn = Some(turn);
            self.text.push('\n');
            match turn {
                0 => self.line("Deal"),
                _ => self.line(format_args!("Turn {turn}")),
            }
        }
    }

    fn opening<G: Game>(&mut self, game: &G) {
        self.line(format_args!("{}, {} players", G::NAME, game.players()));
        if let Some(why) = game.unofficial() {
            self.line(format_args!("unofficial: {why}"));
        }
        for change in changes(game) {
            self.line(format_args!("rule {change}"));
        }
        for seat in Seat::all(game.players()) {
            let agent = self.agent(seat).to_owned();
            self.line(format_args!("seat {seat}: {agent}"));
        }
        let program = self.header.program.clone();
        match self.header.seed {
            Some(seed) => self.line(format_args!(
                "match {}.{} of master seed {}, played by {program}",
                seed.block, seed.match_idx, seed.master
            )),
            None => self.line(format_args!("played by {program}")),
        }
    }

    fn agent(&self, seat: Seat) -> &str {
        self.header.agents.get(seat.idx()).map_or("?", String::as_str)
    }

    /// The events since the last decision: a line for each run of one name, one seat's results together.
    fn chance_lines<G: Game>(&mut self, game: &G, after: &G::State) {
        let events = std::mem::take(&mut self.waiting);
        let key = |event: &ChanceEvent| (event.luck.what, turn_of(*event, game, after));
        for run in events.chunk_by(|a, b| key(a) == key(b)) {
            let (what, turn) = key(&run[0]);
            self.heading(turn);
            let by_seat = run.chunk_by(|a, b| a.luck.seat == b.luck.seat);
            let parts: Vec<String> = by_seat.map(results::<G>).collect();
            self.line(format_args!("    {what}: {}", parts.join("; ")));
        }
    }

    fn closing<G: Game>(&mut self, game: &G, state: &G::State) {
        let outcome = game.outcome(state);
        let turns = game.turn_number(state);
        self.text.push('\n');
        if let Some(seat) = outcome.winner {
            self.line(format_args!("Seat {seat} wins in turn {turns}"));
        } else {
            let why = outcome.end.name().replace('_', " ");
            self.line(format_args!("Nobody wins: {why} after turn {turns}"));
        }
        let ranks = outcome.ranks_doubled();
        for seat in Seat::all(outcome.seats) {
            let (points, rank) = (outcome.points[seat.idx()], Rank(ranks[seat.idx()]));
            let agent = self.agent(seat).to_owned();
            self.line(format_args!("seat {seat}: {points} points, rank {rank} ({agent})"));
        }
    }
}

impl<G: Game> Recorder<G> for TextRecorder {
    fn on_chance(&mut self, event: ChanceEvent) {
        self.waiting.push(event);
    }

    fn on_start(&mut self, game: &G, state: &G::State) {
        self.opening(game);
        self.chance_lines(game, state);
    }

    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        self.heading(game.turn_number(decision.before));
        self.line(format_args!("  seat {}: {}", decision.seat, decision.action));
    }

    fn on_applied(&mut self, game: &G, _action: G::Action, state: &G::State) {
        self.chance_lines(game, state);
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        self.closing(game, state);
    }
}

/// The results of one seat's events, or of nobody's.
fn results<G: Game>(events: &[ChanceEvent]) -> String {
    let words: Vec<&str> = events.iter().map(|&event| G::describe(event)).collect();
    let words = words.join(", ");
    match events[0].luck.seat {
        Some(seat) => format!("seat {seat} {words}"),
        None => words,
    }
}

/// The fields of the rule set that differ from their defaults.
fn changes<G: Game>(game: &G) -> Vec<String> {
    let value = |rules: &G::Rules| serde_json::to_value(rules).unwrap_or_default();
    let (rules, default) = (value(game.rules()), value(&G::Rules::default()));
    let at =
        |rules: &Value, path: &str| rules.pointer(&format!("/{}", path.replace('.', "/"))).cloned();
    let changed = |path: &&str| at(&rules, path) != at(&default, path);
    let show = |path| format!("{path} = {}", at(&rules, path).unwrap_or_default());
    G::FIELDS.iter().map(|field| field.path).filter(changed).map(show).collect()
}
