//! A guest at our table: what it is told, and what it answers. Format: `docs/protocol.md`.

use crate::core::game::{ActionFilter, Observation, Outcome};
use crate::core::guest::{Asked, Exchange, Guest, Transcript, Unheard};
use crate::core::opinion::Opinion;
use crate::core::outside::{Invitation, Line};
use crate::core::seed::BlockSeed;
use crate::core::types::actions::Actions;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::core::watch::Watch;
use crate::core::wording::Wording;
use crate::sim::choices::Pad;
use crate::sim::explain::examples::Features;
use crate::sim::guests::protocol::{
    Choose, Decide, EventMessage, GameMessage, Hello, Inputs, Kind, Limits, MatchMessage, Over,
    Ready, VERSION, Want, seed_of, write,
};
use crate::sim::records::line::{EndLine, PROGRAM};
use rand_pcg::Pcg32;
use serde_json::value::RawValue;
use std::time::Duration;

/// Answers to other questions that are dropped before a right one.
const STALE_MAX: u32 = 1000;

/// Imagined positions of which features are means.
const IMAGINED: u16 = 16;

/// What is shown of a line in a report, in characters.
const SHOWN: usize = 400;

/// A guest that is reached by lines.
pub struct Outside<G: Opinion + Wording> {
    game: G,
    invitation: Invitation,
    watch: Watch,
    /// Which block is being played.
    pad: Pad,
    line: Option<Box<dyn Line>>,
    ready: Option<Ready>,
    /// Matches by seat.
    sittings: [Option<Sitting<G>>; SEATS_MAX],
    /// Features of what is known, for a guest that wants them.
    features: Option<Features<G>>,
    fault: Option<String>,
    /// The last lines that went there and back.
    last: [String; 2],
    answer: String,
}

/// A match of a guest in one seat.
struct Sitting<G: Opinion> {
    unheard: Unheard<G>,
    told: Transcript,
    /// Whether it wants events.
    listens: bool,
}

impl<G: Opinion> Sitting<G> {
    /// Adds what the seat has not been told yet to the lines that wait.
    fn catch_up(&mut self) {
        let mut unheard = self.unheard.lock().expect("nobody panics with what is unheard");
        let Transcript { number, ref mut rest, .. } = self.told;
        for event in unheard.drain(..).filter(|_| self.listens) {
            write(&EventMessage { number, event }, rest);
        }
    }
}

impl<G: Opinion + Wording> Outside<G> {
    /// A guest that is reached when its first match begins. The pad is that of the thread that plays.
    pub fn new(game: &G, invitation: Invitation, watch: &Watch, pad: &Pad) -> Outside<G> {
        Outside {
            game: game.clone(),
            invitation,
            watch: watch.clone(),
            pad: pad.clone(),
            line: None,
            ready: None,
            sittings: Default::default(),
            features: None,
            fault: None,
            last: Default::default(),
            answer: String::new(),
        }
    }

    /// What the guest says of itself. Reaches it, if it was not yet.
    ///
    /// # Errors
    /// If it can't be reached, or says nothing that can be understood.
    pub fn greet(&mut self) -> Result<Ready, String> {
        if let Some(ready) = &self.ready {
            return Ok(ready.clone());
        }
        let mut line = self.watch.invite(&self.invitation)?;
        let greeting = line.greeting().clone();
        let greeted = match greeting {
            Some(greeting) => Ok(greeting),
            None => self.exchange_greetings(&mut *line),
        };
        self.line = Some(line);
        let greeting = greeted?;
        let ready = understood(&greeting, G::NAME)?;
        if ready.wants.contains(&Want::Inputs) {
            self.features = Some(Features::new(&self.game, IMAGINED));
        }
        let mut lines = Vec::new();
        self.write_game(&mut lines);
        self.send(&lines)?;
        self.ready = Some(ready.clone());
        Ok(ready)
    }

    fn exchange_greetings(&mut self, line: &mut dyn Line) -> Result<String, String> {
        let Invitation { start, decision, .. } = self.invitation;
        let limits = Limits { start_ms: millis(start), decision_ms: millis(decision) };
        let mut hello = Vec::new();
        write(&Hello { protocol: VERSION, program: PROGRAM, limits }, &mut hello);
        self.last[0] = shown(&hello);
        line.send(&hello)?;
        line.receive(start, &mut self.answer)?;
        self.last[1] = shown(self.answer.as_bytes());
        *line.greeting() = Some(self.answer.clone());
        Ok(self.answer.clone())
    }

    fn write_game(&self, lines: &mut Vec<u8>) {
        let mut catalogue = Vec::new();
        self.game.write_catalogue(&mut catalogue);
        let catalogue = String::from_utf8(catalogue).expect("JSON is text");
        let catalogue: &RawValue = serde_json::from_str(&catalogue).expect("a catalogue is JSON");
        let (game, players, rules) = (G::NAME, self.game.players(), self.game.rules());
        write(&GameMessage { game, players, rules, catalogue }, lines);
    }

    fn send(&mut self, lines: &[u8]) -> Result<(), String> {
        self.last[0] = shown(lines);
        self.line.as_mut().ok_or("it was not reached")?.send(lines)
    }

    /// Waits for the answer to a question.
    fn receive(&mut self, id: u64) -> Result<Choose<G::Action>, String> {
        let line = self.line.as_mut().ok_or("it was not reached")?;
        for stale in 0..STALE_MAX {
            line.receive(self.invitation.decision, &mut self.answer).map_err(
                |reason| match stale {
                    0 => reason,
                    _ => format!("{reason}, after answers to other questions ({stale})"),
                },
            )?;
            self.last[1] = shown(self.answer.as_bytes());
            let choice: Choose<G::Action> =
                serde_json::from_str(&self.answer).map_err(|error| {
                    match serde_json::from_str::<Kind>(&self.answer) {
                        Ok(Kind { kind }) if kind != "choose" => {
                            format!("it sent `{kind}` where a choice was due")
                        }
                        _ => format!("its answer can't be read: {error}"),
                    }
                })?;
            // An answer to another question, such as one that came too late, is never taken for this one's.
            if choice.id == id {
                return Ok(choice);
            }
        }
        Err(format!("it answered {STALE_MAX} other questions than the one that was asked"))
    }

    /// Asks a question, and finds the place in the list of what was chosen.
    fn ask(
        &mut self,
        asked: Asked,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
    ) -> Result<usize, String> {
        let mut sitting = self.sittings[seen.seat.idx()].take().ok_or("it has no such match")?;
        sitting.catch_up();
        let mut sent = std::mem::take(&mut sitting.told.rest);
        let id = self.line.as_mut().ok_or("it was not reached")?.next_number();
        self.write_question((id, sitting.told.number), asked, (seen, legal), &mut sent);
        self.send(&sent)?;
        let choice = self.receive(id)?;
        let answer = self.answer.clone();
        sitting.told.exchanges.push(Exchange { id, sent, answer });
        self.sittings[seen.seat.idx()] = Some(sitting);
        place(&choice, legal)
    }

    /// Says again what was said in a match, and hears whether the answers are the same.
    fn say_again(&mut self, told: &Transcript) -> Result<(), String> {
        for Exchange { id, sent, answer } in &told.exchanges {
            self.send(sent)?;
            let again = self.receive(*id)?;
            let first: Choose<G::Action> =
                serde_json::from_str(answer).map_err(|error| error.to_string())?;
            if again != first {
                return Err(format!(
                    "asked the same again, it answered otherwise; before: {answer}"
                ));
            }
        }
        Ok(())
    }

    fn wants(&self, what: Want) -> bool {
        self.ready.as_ref().is_some_and(|ready| ready.wants.contains(&what))
    }

    fn write_question(
        &mut self,
        (id, number): (u64, u64),
        Asked { turn, phase }: Asked,
        (seen, legal): (&Observation<'_, G>, &Actions<G::Action>),
        lines: &mut Vec<u8>,
    ) {
        let mut view = Vec::new();
        if self.wants(Want::View) {
            self.game.write_view(&seen.view, &mut view);
        }
        let view = String::from_utf8(view).expect("JSON is text");
        let view: Option<&RawValue> = serde_json::from_str(&view).ok();
        let inputs = self.features.as_mut().map(|features| {
            let (planner, net) = features.known(&self.game, seen, BlockSeed::new(0, number));
            Inputs { planner, net }
        });
        let words = || legal.iter().map(ToString::to_string).collect();
        let words = self.wants(Want::Words).then(words);
        write(&Decide { id, number, turn, phase, legal, words, view, inputs }, lines);
    }

    /// The guest has failed, for a reason: whoever has the match played is told.
    fn fail(&mut self, reason: &str) {
        if self.fault.is_some() {
            return;
        }
        let beside = self.line.take().map(|mut line| line.break_off()).unwrap_or_default();
        let command = self.invitation.command.join(" ");
        let [sent, answered] = &self.last;
        let lines = [("last sent", sent), ("last answer", answered), ("it wrote", &beside)];
        let shown = lines.into_iter().filter(|(_, text)| !text.is_empty());
        let shown = shown
            .map(|(what, text)| format!("\n  {what}: {}", text.trim_end().replace('\n', "\n    ")));
        let shown: String = shown.collect();
        let block = self.pad.block();
        let report = format!("the guest `{command}` failed in block {block}: {reason}{shown}");
        if !self.watch.is_stopped() {
            self.watch.guest_failed(&report);
        }
        self.fault = Some(format!("the guest failed: {reason}"));
    }
}

impl<G: Opinion + Wording> Guest<G> for Outside<G> {
    fn action_filter(&self) -> ActionFilter {
        self.ready.as_ref().map_or(ActionFilter::Full, |ready| ready.list.into())
    }

    fn begin(&mut self, seat: Seat, rng: &Pcg32) -> Unheard<G> {
        let unheard = Unheard::<G>::default();
        if self.fault.is_none()
            && let Err(reason) = self.greet()
        {
            self.fail(&reason);
        }
        let listens = self.wants(Want::Events);
        if let Some(line) = &mut self.line {
            let mut told = Transcript { number: line.next_number(), ..Transcript::default() };
            let begins = MatchMessage { number: told.number, seat, seed: seed_of(rng) };
            write(&begins, &mut told.rest);
            let unheard = unheard.clone();
            self.sittings[seat.idx()] = Some(Sitting { unheard, told, listens });
        }
        unheard
    }

    fn choose(
        &mut self,
        asked: Asked,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
    ) -> usize {
        if self.fault.is_some() {
            return usize::MAX;
        }
        self.ask(asked, seen, legal).unwrap_or_else(|reason| {
            self.fail(&reason);
            usize::MAX
        })
    }

    fn refuse(&mut self, reason: &str) {
        self.fail(&format!("its action is {reason}"));
    }

    fn end(&mut self, seat: Seat, outcome: &Outcome, turns: u16) {
        let Some(mut sitting) = self.sittings[seat.idx()].take() else { return };
        sitting.catch_up();
        let Transcript { number, mut rest, .. } = sitting.told;
        write(&Over { number, outcome: EndLine::of(outcome, turns) }, &mut rest);
        if let Err(reason) = self.send(&rest) {
            self.fail(&reason);
        }
    }

    fn transcript(&mut self, seat: Seat) -> Transcript {
        let Some(sitting) = &mut self.sittings[seat.idx()] else { return Transcript::default() };
        sitting.catch_up();
        sitting.told.clone()
    }

    fn rejoin(&mut self, seat: Seat, told: &Transcript) -> Unheard<G> {
        let unheard = Unheard::<G>::default();
        if self.fault.is_none()
            && let Err(reason) = self.say_again(told)
        {
            self.fail(&reason);
        }
        let (told, listens) = (told.clone(), self.wants(Want::Events));
        let sitting = Sitting { unheard: unheard.clone(), told, listens };
        self.sittings[seat.idx()] = Some(sitting);
        unheard
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }
}

/// What a guest has said of itself, if it speaks this protocol and plays this game.
fn understood(greeting: &str, game: &str) -> Result<Ready, String> {
    let ready: Ready = serde_json::from_str(greeting)
        .map_err(|error| format!("its `ready` can't be read: {error}"))?;
    if ready.protocol != VERSION {
        let version = ready.protocol;
        return Err(format!("it speaks version {version} of the protocol; this is {VERSION}"));
    }
    if !ready.games.is_empty() && !ready.games.iter().any(|name| name == game) {
        return Err(format!("it plays {}, not {game}", ready.games.join(", ")));
    }
    Ok(ready)
}

/// The place in the list of what was chosen. An action that is not listed is added.
fn place<A: Copy + Eq>(choice: &Choose<A>, legal: &mut Actions<A>) -> Result<usize, String> {
    let listed = legal.len();
    match (choice.index, choice.action) {
        (Some(index), None) if index < listed => Ok(index),
        (Some(index), None) => Err(format!("it chose entry {index} of a list of {listed}")),
        (None, Some(action)) => match legal.iter().position(|&other| other == action) {
            Some(index) => Ok(index),
            None if legal.try_push(action).is_ok() => Ok(listed),
            None => Err("it chose an action beside a list that is full".to_owned()),
        },
        _ => Err("its answer has neither `index` nor `action`, or both".to_owned()),
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The last line of some lines, shortened.
fn shown(lines: &[u8]) -> String {
    let text = String::from_utf8_lossy(lines);
    let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
    match last.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} …", &last[..end]),
        None => last.to_owned(),
    }
}
