//! One of our agents as a guest of another program: it reads the messages of a host, and answers. Format:
//! `docs/protocol.md`.

use crate::core::agent::{Agent, Player};
use crate::core::game::{Game, SeatMemory};
use crate::core::opinion::Opinion;
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::core::wording::Wording;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::guests::protocol::{
    Choose, IsChoose, IsReady, LINE_MAX, Ready, VERSION, Want, rng_of, write as write_line,
};
use rand_pcg::Pcg32;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};

/// Matches that may be open at once: far above what any host opens.
const MATCHES_MAX: usize = 4096;

/// Why a visit ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum VisitError {
    /// What the host sent makes no sense.
    #[error("the host's line {line}: {reason}")]
    Host {
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// Lines can't be read or written.
    #[error("the host can't be reached: {0}")]
    Pipe(#[from] std::io::Error),
}

/// A message of a host, as far as this guest reads it.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(rename = "match")]
    number: Option<u64>,
    protocol: Option<u32>,
    game: Option<&'a str>,
    players: Option<u8>,
    #[serde(borrow)]
    rules: Option<&'a RawValue>,
    seat: Option<Seat>,
    seed: Option<&'a str>,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
    id: Option<u64>,
    #[serde(borrow)]
    legal: Option<&'a RawValue>,
    #[serde(borrow)]
    view: Option<&'a RawValue>,
}

/// What this guest knows of a match.
struct Sitting<G: Game> {
    memory: G::Memory,
    rng: Pcg32,
}

/// An agent that visits another program.
pub struct Visitor<'a, G: Opinion> {
    agent: &'a AgentSpec,
    added: &'a [AddedAgent<G>],
    watch: &'a Watch,
    /// The rules, and the agent that plays by them, once the host has said them.
    playing: Option<(G, Player<G, G::Special>)>,
    matches: BTreeMap<u64, Sitting<G>>,
    legal: Box<Actions<G::Action>>,
}

impl<'a, G: Opinion + Wording> Visitor<'a, G> {
    /// A visitor that has said nothing yet. The agent can be made, and sees what its seat sees.
    pub fn new(
        agent: &'a AgentSpec,
        added: &'a [AddedAgent<G>],
        watch: &'a Watch,
    ) -> Visitor<'a, G> {
        let matches = BTreeMap::new();
        Visitor { agent, added, watch, playing: None, matches, legal: Box::default() }
    }

    /// Plays until the host says goodbye or hangs up.
    ///
    /// # Errors
    /// If a line can't be understood, or not be read or written.
    pub fn visit(
        mut self,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), VisitError> {
        converse(input, output, LINE_MAX, |text| self.hear(text))
    }

    fn hear(&mut self, text: &str) -> Result<Option<Answer>, String> {
        let message: Message<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match message.kind {
            "hello" => return self.greet(&message).map(Some),
            "game" => self.load(&message)?,
            "match" => self.sit_down(&message)?,
            "event" => self.remember(&message)?,
            "decide" => return self.decide(&message).map(Some),
            "over" => drop(self.matches.remove(&due(message.number, "match")?)),
            "bye" => return Ok(Some(Answer::Bye)),
            other => return Err(format!("there is no message `{other}`")),
        }
        Ok(None)
    }

    fn greet(&self, message: &Message<'_>) -> Result<Answer, String> {
        let version = due(message.protocol, "protocol")?;
        if version != VERSION {
            return Err(format!("it speaks version {version} of the protocol; this is {VERSION}"));
        }
        // What an agent wants to read does not depend on the rules.
        let game = G::new(G::Rules::default(), *G::PLAYERS.start());
        let game = game.map_err(|_| "the default rules can't be played".to_owned())?;
        let player = self.seat_agent(&game)?;
        let mut wants = vec![Want::View];
        if player.remembers() {
            wants.push(Want::Events);
        }
        let ready = Ready {
            kind: IsReady::Ready,
            protocol: VERSION,
            name: self.agent.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: vec![G::NAME.to_owned()],
            wants,
            list: player.action_filter().into(),
            matches: 1,
        };
        Ok(line(&ready))
    }

    fn seat_agent(&self, game: &G) -> Result<Player<G, G::Special>, String> {
        let made = self.agent.make_among(game, self.added, self.watch);
        made.map_err(|error| error.to_string())
    }

    fn load(&mut self, message: &Message<'_>) -> Result<(), String> {
        let game = due(message.game, "game")?;
        if game != G::NAME {
            return Err(format!("the game is {game}; this guest plays {}", G::NAME));
        }
        let rules: G::Rules = read(message.rules, "rules")?;
        let players = due(message.players, "players")?;
        if !G::PLAYERS.contains(&players) {
            return Err(format!("{players} players can't play {game}"));
        }
        let game = G::new(rules, players).map_err(|faults| {
            faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        })?;
        let player = self.seat_agent(&game)?;
        self.matches.clear();
        self.playing = Some((game, player));
        Ok(())
    }

    fn sit_down(&mut self, message: &Message<'_>) -> Result<(), String> {
        let (game, _) = self.playing.as_ref().ok_or("a match begins before the game is known")?;
        let number = due(message.number, "match")?;
        let seat = due(message.seat, "seat")?;
        if seat.number() > game.players() {
            return Err(format!("there is no seat {seat}"));
        }
        let rng = rng_of(due(message.seed, "seed")?);
        let rng = rng.ok_or("`seed` is not of 32 hexadecimal digits")?;
        if self.matches.len() >= MATCHES_MAX {
            return Err(format!("{MATCHES_MAX} matches are open"));
        }
        let memory = G::Memory::new(game, seat);
        self.matches.insert(number, Sitting { memory, rng });
        Ok(())
    }

    fn remember(&mut self, message: &Message<'_>) -> Result<(), String> {
        let (game, _) = self.playing.as_ref().ok_or("an event before the game is known")?;
        let sitting = self.matches.get_mut(&due(message.number, "match")?);
        let sitting = sitting.ok_or("there is no such match")?;
        let event = read(message.event, "event")?;
        if !sitting.memory.may_hear(game, event) {
            return Err("`event` can't have happened".to_owned());
        }
        sitting.memory.hear(event);
        Ok(())
    }

    fn decide(&mut self, message: &Message<'_>) -> Result<Answer, String> {
        let Visitor { playing, matches, legal, .. } = self;
        let (game, player) = playing.as_mut().ok_or("a question before the game is known")?;
        let id = due(message.id, "id")?;
        let sitting = matches.get_mut(&due(message.number, "match")?);
        let Sitting { memory, rng, .. } = sitting.ok_or("there is no such match")?;
        let listed: Vec<G::Action> = read(message.legal, "legal")?;
        if listed.is_empty() {
            return Err("`legal` is empty".to_owned());
        }
        legal.clear();
        legal
            .try_extend_from_slice(&listed)
            .map_err(|_| format!("{} legal actions are too many", listed.len()))?;
        let view = due(message.view, "view")?.get();
        let (memory, remembers) = (&*memory, player.remembers());
        let chosen = game.read_view(view, memory, |seen| {
            let agrees = !remembers || memory.agrees_with(game, &seen.view);
            agrees.then(|| match player {
                Player::Known(agent) => agent.choose(seen, legal, rng),
                Player::Honest(agent) => agent.choose(seen, legal, rng),
                // Neither is made: who visits sees no position, and is no guest of its own.
                Player::Omniscient(_) | Player::Guest(..) => usize::MAX,
            })
        });
        let chosen = chosen.map_err(|error| format!("`view`: {error}"))?;
        let index = chosen.ok_or("`view` contradicts the events before it")?;
        let choice = if index < listed.len() {
            Choose { kind: IsChoose::Choose, id, index: Some(index), action: None }
        } else {
            let action = *legal.get(index).ok_or("this agent can't be a guest")?;
            Choose { kind: IsChoose::Choose, id, index: None, action: Some(action) }
        };
        Ok(line(&choice))
    }
}

/// What a guest does about a message.
pub enum Answer {
    /// Sends a line.
    Line(Vec<u8>),
    /// Ends.
    Bye,
}

/// Reads the lines of a host, of at most so many bytes before their ends, and answers them until there are no more.
///
/// # Errors
/// If a line is longer or can't be understood, or not be read or written.
pub fn converse(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    line_max: usize,
    mut hear: impl FnMut(&str) -> Result<Option<Answer>, String>,
) -> Result<(), VisitError> {
    let mut text = String::new();
    for line in 1.. {
        text.clear();
        if (&mut *input).take(line_max as u64 + 1).read_line(&mut text)? == 0 {
            break;
        }
        let answered = if text.trim_end_matches('\n').len() > line_max {
            Err(format!("it is longer than {line_max} bytes"))
        } else {
            hear(&text)
        };
        match answered.map_err(|reason| VisitError::Host { line, reason })? {
            Some(Answer::Line(answer)) => {
                output.write_all(&answer)?;
                output.flush()?;
            }
            Some(Answer::Bye) => break,
            None => {}
        }
    }
    Ok(())
}

fn line(message: &impl serde::Serialize) -> Answer {
    let mut bytes = Vec::new();
    write_line(message, &mut bytes);
    Answer::Line(bytes)
}

fn due<T: Copy>(field: Option<T>, name: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("`{name}` is missing"))
}

fn read<'a, T: Deserialize<'a>>(field: Option<&'a RawValue>, name: &str) -> Result<T, String> {
    let text = due(field, name)?.get();
    serde_json::from_str(text).map_err(|error| format!("`{name}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_line_is_none_of_its_bytes() {
        let fit = [("1234\n", 1), ("1234", 1), ("1\n1234\n", 2), ("é34\n", 1)];
        for (lines, heard) in fit.into_iter().chain([("12345\n", 0), ("12345", 0)]) {
            let mut texts = 0;
            let done = converse(&mut lines.as_bytes(), &mut Vec::new(), 4, |_| {
                texts += 1;
                Ok(None)
            });
            assert_eq!((done.is_ok(), texts), (heard > 0, heard), "{lines:?}");
        }
    }
}
