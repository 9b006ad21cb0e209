//! One of our agents at the other program's table.

use crate::catanatron::exec::messages::{
    Chosen, Greeting, LINE_MAX, Message, VERSION, actions, document,
};
use crate::catanatron::exec::sitting::Sitting;
use crate::core::agent::{Agent, Player};
use crate::core::opinion::Opinion;
use crate::core::seed::{BlockSeed, Stream, mix};
use crate::core::types::actions::Actions;
use crate::core::watch::Watch;
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::guests::visitor::{Answer, VisitError, converse};
use rand_pcg::Pcg32;
use serde_json::Value;
use std::io::{BufRead, Write};

/// An agent that visits the other program.
pub struct Visitor<'a> {
    agent: &'a AgentSpec,
    watch: &'a Watch,
    playing: Option<Playing>,
    legal: Box<Actions<Action>>,
}

/// A match that is being played.
struct Playing {
    /// Its name, as it stands in messages.
    id: String,
    sitting: Sitting,
    player: Player<Base, <Base as Opinion>::Special>,
    rng: Pcg32,
}

impl<'a> Visitor<'a> {
    /// A visitor that has said nothing yet. The agent can be made, and sees what its seat sees.
    pub fn new(agent: &'a AgentSpec, watch: &'a Watch) -> Visitor<'a> {
        Visitor { agent, watch, playing: None, legal: Box::default() }
    }

    /// Plays until the host hangs up.
    ///
    /// # Errors
    /// If a line can't be understood, or not be read or written.
    pub fn visit(
        mut self,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), VisitError> {
        let line = |answer: String| Answer::Line(answer.into_bytes());
        converse(input, output, LINE_MAX, |text| Ok(self.hear(text)?.map(line)))
    }

    /// Takes in a line. Returns the answer, a line as well, if one is due.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn hear(&mut self, text: &str) -> Result<Option<String>, String> {
        let message: Message<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match message.kind.as_str() {
            "hello" => return self.greet(&message).map(Some),
            "before" => self.playing = Some(self.sit_down(&message)?),
            "decide" => return self.decide(&message).map(Some),
            "after" => self.playing = None,
            // What others do stands in the next question, with its results. What is not known is not meant for us.
            _ => {}
        }
        Ok(None)
    }

    fn greet(&self, message: &Message<'_>) -> Result<String, String> {
        speaks(message)?;
        let name = Some(format!("fairhaven {}", self.agent.name));
        Ok(line(&Greeting { protocol_version: VERSION, name, observe: false }))
    }

    fn sit_down(&self, message: &Message<'_>) -> Result<Playing, String> {
        speaks(message)?;
        let id = message.game_id.ok_or("`game_id` is missing")?.get().to_owned();
        let color = message.color.as_deref().ok_or("`color` is missing")?;
        let document = document(message.state)?;
        let mut sitting = Sitting::new(color, &document)?;
        sitting.hear(&document)?;
        let player = self.agent.make_among(sitting.game(), &[], self.watch);
        let player = player.map_err(|error| error.to_string())?;
        // The host gives no seed: the match and the seat do.
        let seed = id.bytes().fold(0, |seed, byte| mix(seed ^ u64::from(byte)));
        let rng = BlockSeed::new(seed, 0).stream(Stream::Agent, Some(sitting.own()), 0);
        Ok(Playing { id, sitting, player, rng })
    }

    fn decide(&mut self, message: &Message<'_>) -> Result<String, String> {
        let Visitor { playing, legal, .. } = self;
        let id = message.game_id.ok_or("`game_id` is missing")?.get();
        let playing = playing.as_mut().filter(|playing| playing.id == id);
        let Playing { sitting, player, rng, .. } = playing.ok_or("there is no such match")?;
        sitting.hear(&document(message.state)?)?;
        let listed = actions(message.playable_actions)?;
        let asking = sitting.asking()?;
        legal.clear();
        let mut entries = Vec::new();
        for entry in &listed {
            if let Some(action) = sitting.listed(&asking, entry)
                && !legal.contains(&action)
                && legal.try_push(action).is_ok()
            {
                entries.push(entry);
            }
        }
        let chosen = match entries.as_slice() {
            // By our rules none of it is possible: the program's first.
            [] => &listed[0],
            [only] => only,
            _ => {
                let seen = sitting.observation(&asking);
                let index = match player {
                    Player::Known(agent) => agent.choose(&seen, legal, rng),
                    Player::Honest(agent) => agent.choose(&seen, legal, rng),
                    // Neither is made: who visits sees no position, and is no guest of its own.
                    Player::Omniscient(_) | Player::Guest(..) => usize::MAX,
                };
                place(&entries, legal, index)?
            }
        };
        Ok(line(&Chosen { action: chosen }))
    }
}

/// The entry that was chosen. Who would answer an offer with another one refuses it, since the host has no such answer.
fn place<'a>(
    entries: &[&'a Value],
    legal: &Actions<Action>,
    index: usize,
) -> Result<&'a Value, String> {
    let refuses = |action: &Action| *action == Action::Refuse;
    let counters = matches!(legal.get(index), Some(Action::Counter { .. }));
    let refusal = legal.iter().position(refuses).filter(|_| counters);
    let entry = entries.get(refusal.unwrap_or(index)).copied();
    entry.ok_or_else(|| "this agent can't be a guest here".to_owned())
}

/// Whether a message is of this version.
fn speaks(message: &Message<'_>) -> Result<(), String> {
    match message.protocol_version {
        Some(VERSION) => Ok(()),
        Some(version) => {
            Err(format!("it speaks version {version} of the protocol; this is {VERSION}"))
        }
        None => Err("`protocol_version` is missing".to_owned()),
    }
}

fn line(message: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string(message).expect("what can be written");
    text.push('\n');
    text
}
