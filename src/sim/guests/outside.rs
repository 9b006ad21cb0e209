//! A guest at our table: what it is told, and what it answers. Format: `docs/protocol.md`.

use crate::core::agent::Player;
use crate::core::game::{ActionFilter, Observation, Outcome};
use crate::core::guest::{Asked, Exchange, Guest, Transcript, Unheard, Untold};
use crate::core::opinion::Opinion;
use crate::core::outside::{Invitation, Line, LostMatch, Unanswered};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::core::watch::Watch;
use crate::core::wording::Wording;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::choices::Pad;
use crate::sim::guests::protocol::{
    Choose, Hello, Kind, Limits, MATCHES_MAX, Ready, VERSION, Want, write,
};
use crate::sim::guests::teller::Teller;
use crate::sim::play::step_text::known_step;
use crate::sim::play::table::asked;
use crate::sim::records::line::PROGRAM;
use rand_pcg::Pcg32;
use std::time::Duration;

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
    /// Once it has said what it wants.
    teller: Option<Teller<G>>,
    fault: Option<String>,
    /// The block and the match in which it failed.
    failed_in: (u64, u64),
    /// The seat that was looked after last.
    seat: Option<Seat>,
    /// The lines that were sent last, and the answer.
    last: [Vec<u8>; 2],
    answer: String,
}

/// A match of a guest in one seat.
struct Sitting<G: Opinion> {
    unheard: Unheard<G>,
    told: Transcript,
}

impl<G: Opinion + Wording> Sitting<G> {
    /// Adds what the seat has not been told yet to the lines that wait.
    fn catch_up(&mut self, teller: &Teller<G>) {
        let mut unheard = self.unheard.lock().expect("nobody panics with what is unheard");
        let Transcript { number, ref mut rest, .. } = self.told;
        for news in unheard.news.drain(..) {
            teller.happened(number, news, rest);
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
            teller: None,
            fault: None,
            failed_in: (0, 0),
            seat: None,
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
        let mut game = Vec::new();
        Teller::new(&self.game, Vec::new()).game(&mut game);
        let mut line = self.watch.invite(&self.invitation, &game)?;
        let greeted = self.exchange_greetings(&mut *line);
        let line = self.line.insert(line);
        let ready = understood(&greeted?, G::NAME)?;
        line.load();
        self.teller = Some(Teller::new(&self.game, ready.wants.clone()));
        self.ready = Some(ready.clone());
        Ok(ready)
    }

    /// The same for a run that is about to play: whoever has it played is told of a failure.
    ///
    /// # Errors
    /// As [`Outside::greet`].
    pub fn meet(&mut self) -> Result<Ready, String> {
        self.greet().inspect_err(|reason| self.fail(reason))
    }

    fn exchange_greetings(&mut self, line: &mut dyn Line) -> Result<String, String> {
        let Invitation { start, decision, bank, .. } = self.invitation;
        let limits = Limits {
            start_ms: millis(start),
            decision_ms: millis(decision),
            bank_ms: bank.map(millis),
        };
        let mut hello = Vec::new();
        write(&Hello { protocol: VERSION, program: PROGRAM, limits }, &mut hello);
        self.last[0].clone_from(&hello);
        let greeting = line.greet(&hello, start).map_err(|reason| match reason {
            silent if silent.starts_with("it is silent") => {
                format!("{silent} (`start_ms`); is its output flushed after each line?")
            }
            other => other,
        })?;
        self.last[1] = greeting.clone().into_bytes();
        Ok(greeting)
    }

    /// Sends whole lines, the last of which asks, and reads the answer. Returns how long it took.
    fn exchange(
        &mut self,
        id: u64,
        lines: &[u8],
    ) -> Result<(Choose<G::Action>, Duration), Unanswered> {
        self.last[0].clear();
        self.last[0].extend_from_slice(lines);
        let line = self.line.as_mut().ok_or("it was not reached")?;
        let spent = line.ask(id, lines, self.invitation.decision, &mut self.answer)?;
        self.last[1].clear();
        self.last[1].extend_from_slice(self.answer.as_bytes());
        let choice: Choose<G::Action> = serde_json::from_str(&self.answer).map_err(|error| {
            match serde_json::from_str::<Kind>(&self.answer) {
                Ok(Kind { kind }) if kind != "choose" => {
                    format!("it sent `{kind}` where a choice was due")
                }
                _ => unreadable(&self.answer, &error),
            }
        })?;
        Ok((choice, spent))
    }

    /// Asks a question, and finds the place in the list of what was chosen.
    fn ask(
        &mut self,
        asked: Asked,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
    ) -> Result<usize, Unanswered> {
        let mut sitting = self.sittings[seen.seat.idx()].take().ok_or("it has no such match")?;
        let teller = self.teller.as_mut().ok_or("it was not reached")?;
        sitting.catch_up(teller);
        let mut sent = std::mem::take(&mut sitting.told.rest);
        let id = self.line.as_mut().ok_or("it was not reached")?.next_number();
        teller.asks((id, sitting.told.number), asked, (seen, legal), &mut sent);
        let (choice, spent) = self.exchange(id, &sent)?;
        sitting.told.spent += spent;
        within(sitting.told.spent, self.invitation.bank)?;
        let answer = self.answer.clone();
        sitting.told.exchanges.push(Exchange { id, sent, answer });
        self.sittings[seen.seat.idx()] = Some(sitting);
        Ok(place(&choice, legal)?)
    }

    /// Says again what was said in a match, and hears whether the answers are the same.
    fn say_again(&mut self, told: &Transcript) -> Result<(), Unanswered> {
        for Exchange { id, sent, answer } in &told.exchanges {
            let (again, _) = self.exchange(*id, sent)?;
            let first: Choose<G::Action> =
                serde_json::from_str(answer).map_err(|error| error.to_string())?;
            if again != first {
                let reason = "asked the same again, it answered otherwise; before";
                return Err(format!("{reason}: {answer}").into());
            }
        }
        Ok(())
    }

    /// Where it looks for what happens in a match.
    fn untold(&self) -> Unheard<G> {
        let follows = self.teller.as_ref().is_some_and(|teller| teller.tells(Want::Steps));
        Untold::shared(follows.then_some(known_step))
    }

    /// There is no answer: the guest has failed, here or in another match.
    fn give_up(&mut self, why: Unanswered) {
        match why {
            Unanswered::Failed(reason) => self.fail(&reason),
            Unanswered::Elsewhere => {
                self.line = None;
                self.fault = Some("the guest failed in another match".to_owned());
                self.watch.spoil();
            }
        }
    }

    /// The guest has failed, for a reason: whoever has the match played is told.
    fn fail(&mut self, reason: &str) {
        if self.fault.is_some() {
            return;
        }
        self.failed_in = self.pad.place();
        self.fault = Some(format!("the guest failed: {reason}"));
        let reached = self.line.is_some();
        let beside = self.line.take().map(|mut line| line.break_off()).unwrap_or_default();
        let command = self.invitation.command.join(" ");
        if let (Some(lost), Some(seat)) = (self.watch.lost(), self.seat) {
            let (id, guest, reason) = (self.failed_in, command, reason.to_owned());
            let lost_match = LostMatch { id, seat: seat.number(), guest, reason };
            lost.lock().expect("nobody panics with it").push(lost_match);
            return;
        }
        let [sent, answered] = self.last.each_ref().map(|lines| shown(lines));
        let lines = [("last sent", &sent), ("last answer", &answered), ("it wrote", &beside)];
        let shown = lines.into_iter().filter(|(_, text)| !text.is_empty());
        let shown = shown
            .map(|(what, text)| format!("\n  {what}: {}", text.trim_end().replace('\n', "\n    ")));
        let shown: String = shown.collect();
        let (block, number) = self.failed_in;
        let failed = match (reached, &self.ready) {
            (false, _) => "was not reached".to_owned(),
            (true, None) => "failed when it was greeted".to_owned(),
            (true, Some(_)) => format!("failed in match {block}.{number}"),
        };
        let report = format!("the guest `{command}` {failed}: {reason}{shown}");
        if !self.watch.is_called_off() {
            self.watch.guest_failed(&report);
        }
    }
}

impl<G: Opinion + Wording> Guest<G> for Outside<G> {
    fn action_filter(&self) -> ActionFilter {
        match &self.ready {
            Some(ready) if !self.invitation.full_list => ready.list.into(),
            _ => ActionFilter::Full,
        }
    }

    fn hears(&self) -> bool {
        let tells = |what| self.teller.as_ref().is_some_and(|teller| teller.tells(what));
        tells(Want::Events) || tells(Want::Steps) || tells(Want::Inputs)
    }

    fn begin(&mut self, seat: Seat, rng: &Pcg32) -> Unheard<G> {
        self.seat = Some(seat);
        if self.watch.lost().is_some() && self.failed_in != self.pad.place() {
            // The match in which it failed is lost; the next one is played by a new process.
            if self.fault.take().is_some() {
                (self.ready, self.line) = (None, None);
            }
        }
        if self.fault.is_none()
            && let Err(reason) = self.greet()
        {
            self.fail(&reason);
        }
        let unheard = self.untold();
        if let (Some(line), Some(teller)) = (&mut self.line, &self.teller) {
            let mut told = Transcript { number: line.next_number(), ..Transcript::default() };
            teller.begins(told.number, seat, rng, &mut told.rest);
            let unheard = unheard.clone();
            self.sittings[seat.idx()] = Some(Sitting { unheard, told });
        }
        unheard
    }

    fn choose(
        &mut self,
        asked: Asked,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
    ) -> usize {
        self.seat = Some(seen.seat);
        if self.fault.is_some() {
            return usize::MAX;
        }
        self.ask(asked, seen, legal).unwrap_or_else(|why| {
            self.give_up(why);
            usize::MAX
        })
    }

    fn refuse(&mut self, reason: &str) {
        self.fail(&format!("its action is {reason}"));
    }

    fn end(&mut self, seat: Seat, outcome: &Outcome, turns: u16) {
        let Some(mut sitting) = self.sittings[seat.idx()].take() else { return };
        let Some(teller) = &self.teller else { return };
        sitting.catch_up(teller);
        let Transcript { number, mut rest, .. } = sitting.told;
        Teller::<G>::ends(number, outcome, turns, &mut rest);
        self.last[0].clone_from(&rest);
        if let Some(line) = &mut self.line {
            line.send(&rest);
        }
    }

    fn transcript(&mut self, seat: Seat) -> Transcript {
        let (Some(sitting), Some(teller)) = (&mut self.sittings[seat.idx()], &self.teller) else {
            return Transcript::default();
        };
        sitting.catch_up(teller);
        sitting.told.clone()
    }

    fn rejoin(&mut self, seat: Seat, told: &Transcript) -> Unheard<G> {
        let unheard = self.untold();
        self.seat = Some(seat);
        if self.fault.is_none()
            && let Err(why) = self.say_again(told)
        {
            self.give_up(why);
        }
        let told = told.clone();
        self.sittings[seat.idx()] = Some(Sitting { unheard: unheard.clone(), told });
        unheard
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }
}

/// An agent of a game, or a guest, who is reached when its first match begins.
///
/// # Errors
/// If it can't be made.
pub fn player<G: Opinion + Wording>(
    agent: &AgentSpec,
    game: &G,
    added: &[AddedAgent<G>],
    (watch, pad): (&Watch, &Pad),
) -> Result<Player<G, G::Special>, BadAgent> {
    let Some(invitation) = agent.invitation()? else {
        return agent.make_among(game, added, watch);
    };
    let guest = Box::new(Outside::new(game, invitation, watch, pad));
    let rules = game.clone();
    let announce = move |state: &G::State| asked(&rules, state);
    Ok(Player::Guest(guest, Box::new(announce)))
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
    if !(1..=MATCHES_MAX).contains(&ready.matches) {
        let matches = ready.matches;
        return Err(format!("it plays {matches} matches at once; 1 to {MATCHES_MAX} are possible"));
    }
    Ok(ready)
}

/// Why an answer can't be read, in words that say nothing of the host's types.
fn unreadable(answer: &str, error: &serde_json::Error) -> String {
    if !answer.trim_start().starts_with('{') {
        return "its answer can't be read: it is no JSON object; standard output is for answers \
                alone"
            .to_owned();
    }
    let reason = error.to_string();
    let plain = reason.replace("expected usize", "expected a whole number from 0");
    let plain = plain.replace("expected u64", "expected a whole number from 0");
    let plain = plain.replace("expected u8", "expected a whole number from 0 to 255");
    format!("its answer can't be read: {plain}")
}

/// Whether a guest has kept to the time that it has for a match.
fn within(spent: Duration, bank: Option<Duration>) -> Result<(), String> {
    let Some(bank) = bank.filter(|&bank| spent > bank) else { return Ok(()) };
    let (spent, bank) = (spent.as_millis(), bank.as_millis());
    Err(format!("its decisions of this match took {spent} ms of {bank} ms (`bank_ms`)"))
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
