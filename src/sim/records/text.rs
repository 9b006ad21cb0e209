//! Writes a match as plain text for people while it is played. It shows what every hand draws.

use crate::core::chance::ChanceEvent;
use crate::core::game::Game;
use crate::core::record::{Decision, Recorder};
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::records::line::{Header, Rank};
use crate::words::lists::plural;
use crate::words::steering::disarmed;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Display;

/// A chance event in words.
#[derive(Debug, Clone)]
struct Drawn {
    turn: u16,
    name: &'static str,
    seat: Option<Seat>,
    result: Cow<'static, str>,
}

/// A listener that writes the text of one match.
#[derive(Debug, Clone)]
pub struct TextRecorder {
    header: Header,
    /// The turn that began last, 0 before the first.
    turn: u16,
    /// Chance events since the last decision.
    drawn: Vec<Drawn>,
    /// The turn whose heading is written already.
    headed: Option<u16>,
    /// The picture of the board that was drawn last.
    picture: Option<String>,
    /// Whether a turn has begun since.
    turned: bool,
    text: String,
}

impl TextRecorder {
    /// The text of a match that is about to be dealt.
    pub fn new(header: Header) -> TextRecorder {
        TextRecorder {
            header,
            turn: 0,
            drawn: Vec::new(),
            headed: None,
            picture: None,
            turned: false,
            text: String::new(),
        }
    }

    /// The text, each line ended by a line feed.
    pub fn into_string(self) -> String {
        self.text
    }

    /// A line. The names in it may be those of a foreign record: what would steer a terminal is replaced.
    fn line(&mut self, line: impl Display) {
        self.text.push_str(&disarmed(&line.to_string()));
        self.text.push('\n');
    }

    fn heading(&mut self, turn: u16) {
        if self.headed != Some(turn) {
            self.headed = Some(turn);
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
    fn chance_lines(&mut self) {
        let drawn = std::mem::take(&mut self.drawn);
        for run in drawn.chunk_by(|a, b| (a.turn, a.name) == (b.turn, b.name)) {
            self.heading(run[0].turn);
            let by_seat = run.chunk_by(|a, b| a.seat == b.seat);
            let parts: Vec<String> = by_seat.map(results).collect();
            self.line(format_args!("    {}: {}", run[0].name, parts.join("; ")));
        }
    }

    /// Draws the board, unless it is the same as when it was last drawn.
    fn draw<G: Wording>(&mut self, game: &G, state: &G::State) {
        self.turned = false;
        // The board is the same for all.
        let picture = game.picture(&game.view(state, Seat::FIRST), &[]);
        if picture != self.picture {
            self.picture = picture;
            let lines = self.picture.clone().unwrap_or_default();
            self.block(&lines);
            // The founding and what follows stand under one heading.
            if self.headed == Some(self.turn) {
                self.text.push('\n');
            }
        }
    }

    /// Lines of a drawing, with an empty one before them.
    fn block(&mut self, lines: &str) {
        self.text.push('\n');
        for line in lines.lines() {
            let indent = if line.is_empty() { "" } else { "    " };
            self.line(format_args!("{indent}{line}"));
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
            self.line(format_args!(
                "seat {seat}: {points} {}, rank {rank} ({agent})",
                plural(points.into(), "point")
            ));
        }
    }
}

impl<G: Wording> Recorder<G> for TextRecorder {
    fn on_turn(&mut self, turn: u16) {
        self.turn = turn;
        self.turned = true;
    }

    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        self.drawn.push(Drawn {
            turn: self.turn,
            name: G::draw_name(event.draw),
            seat: G::draw_seat(event.draw),
            result: G::result_name(event),
        });
    }

    fn on_start(&mut self, game: &G, state: &G::State) {
        self.opening(game);
        if let Some(places) = game.places() {
            self.block(&places);
        }
        self.chance_lines();
        self.draw(game, state);
    }

    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        self.heading(game.turn_number(decision.before));
        self.line(format_args!("  seat {}: {}", decision.seat, decision.action));
    }

    fn on_applied(&mut self, game: &G, _action: G::Action, state: &G::State) {
        // The board as the turn before left it.
        if self.turned {
            self.draw(game, state);
        }
        self.chance_lines();
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        self.draw(game, state);
        self.closing(game, state);
    }
}

/// The results of one seat's events, or of nobody's.
fn results(drawn: &[Drawn]) -> String {
    let words: Vec<&str> = drawn.iter().map(|drawn| drawn.result.as_ref()).collect();
    let words = words.join(", ");
    match drawn[0].seat {
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
