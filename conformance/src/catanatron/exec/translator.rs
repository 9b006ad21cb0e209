//! A program that was written for the other program's tables, at ours. It hears and answers in that program's words;
//! whoever has the match played speaks the protocol of guests. What the program is sent follows from what a guest is
//! sent, byte by byte, and so from what its seat may know.
//!
//! The other program starts a process for each player, and plays one match after the other on it. So each seat of a match
//! has a process of its own here, too.

use crate::catanatron::exec::log::{Log, Luck};
use crate::catanatron::exec::messages::{Greeting, VERSION};
use crate::catanatron::exec::rules::suit;
use crate::catanatron::exec::shown::{Played, Shown, at_first};
use crate::catanatron::exec::written::Words;
use crate::core::game::{Game, Observation, SeatMemory};
use crate::core::outside::{Line, Unanswered};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::core::wording::Wording;
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::memory::Memory;
use crate::parts::island::rules::Rules;
use crate::parts::island::seat_event::SeatEvent;
use crate::sim::guests::protocol::{
    Choose, IsChoose, IsReady, List, Ready, VERSION as OURS, Want, write,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::time::Duration;

/// The colours of the seats, in their order.
pub const COLORS: [&str; 4] = ["RED", "BLUE", "ORANGE", "WHITE"];

/// What is shown of an answer in a complaint, in characters.
const SHOWN: usize = 200;

/// Actions that may be chosen in the other program's form, with their places in our list.
type Allowed = Vec<(usize, Value)>;

/// Reaches one more process of the program.
pub type Connect = Box<dyn Fn() -> Result<Box<dyn Line>, String> + Send>;

/// A line to a program that speaks as at the other program's tables.
pub struct Translator {
    connect: Connect,
    words: Words,
    /// Processes that have been greeted and play no match.
    spare: Vec<Box<dyn Line>>,
    /// Those that play, by seat.
    lines: [Option<Box<dyn Line>>; SEATS_MAX],
    matches: [Option<Match>; SEATS_MAX],
    /// How long a process may take until it is ready.
    start: Duration,
    /// Whether it wants to hear of each action.
    observes: bool,
    /// The last number that a match or a question had.
    number: u64,
}

/// A match of the program in one seat.
struct Match {
    number: u64,
    /// The name that it has there.
    id: String,
    log: Log,
    begun: bool,
}

/// The game of the matches that follow.
#[derive(Deserialize)]
struct GameLine {
    game: String,
    players: u8,
    rules: Value,
}

/// A line that our guests are sent, as far as it is read.
#[derive(Deserialize)]
struct Told<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(rename = "match")]
    number: Option<u64>,
    seat: Option<Seat>,
    seed: Option<String>,
    action: Option<Action>,
    #[serde(default)]
    luck: Vec<Luck>,
    event: Option<SeatEvent>,
    #[serde(default)]
    legal: Vec<Action>,
    #[serde(borrow)]
    view: Option<&'a RawValue>,
    outcome: Option<Ended>,
}

/// How a match has ended.
#[derive(Deserialize)]
struct Ended {
    winner: Option<Seat>,
}

/// A message of the other program.
#[derive(Serialize)]
struct Message<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol_version: Option<i64>,
    game_id: &'a str,
    color: &'static str,
    state: Shown<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    playable_actions: Option<Vec<&'a Value>>,
}

impl Translator {
    /// For a game, of which a guest is told by a line.
    ///
    /// # Errors
    /// If it is none that the other program plays.
    pub fn new(game: &[u8], connect: Connect) -> Result<Translator, String> {
        let line: GameLine = serde_json::from_slice(game).map_err(|error| error.to_string())?;
        if line.game != Base::NAME {
            return Err(format!("the dialect catanatron is for {}, not {}", Base::NAME, line.game));
        }
        let rules: Rules = serde_json::from_value(line.rules).map_err(|error| error.to_string())?;
        let game = Base::new(rules, line.players).map_err(|faults| faults[0].to_string())?;
        suit(&game)?;
        Ok(Translator {
            connect,
            words: Words::new(&game, &COLORS),
            spare: Vec::new(),
            lines: Default::default(),
            matches: Default::default(),
            start: Duration::ZERO,
            observes: false,
            number: 0,
        })
    }

    /// One more process, and what it says of itself.
    fn reach(&self, limit: Duration) -> Result<(Box<dyn Line>, Greeting), String> {
        let mut line = (self.connect)()?;
        let mut hello = Vec::new();
        write(&json!({"type": "hello", "protocol_version": VERSION}), &mut hello);
        let said = line.greet(&hello, limit)?;
        let greeting: Greeting = serde_json::from_str(&said)
            .map_err(|error| format!("its answer to `hello` can't be read: {error}"))?;
        match greeting.protocol_version {
            VERSION => Ok((line, greeting)),
            version => {
                Err(format!("it speaks version {version} of the protocol; this is {VERSION}"))
            }
        }
    }

    /// Takes lines in. Returns the last one, if it asks.
    fn take_in<'a>(&mut self, lines: &'a [u8]) -> Result<Option<Told<'a>>, String> {
        let mut asks = None;
        for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let told: Told<'a> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            match (told.kind.as_str(), told.seat) {
                ("match", Some(seat)) => {
                    let number = told.number.ok_or("a match without a number")?;
                    let id = told.seed.ok_or("a match without a seed")?;
                    let log = Log::new(seat);
                    self.matches[seat.idx()] = Some(Match { number, id, log, begun: false });
                }
                ("decide", _) => asks = Some(told),
                _ => self.happens(told)?,
            }
        }
        Ok(asks)
    }

    /// The seat of a match.
    fn seat_of(&self, number: Option<u64>) -> Result<Seat, String> {
        let is_it =
            |seat: &Seat| self.matches[seat.idx()].as_ref().map(|playing| playing.number) == number;
        let mut seats = Seat::all(self.words.game().players());
        seats.find(is_it).filter(|_| number.is_some()).ok_or("there is no such match".to_owned())
    }

    /// Something has happened in a match.
    fn happens(&mut self, told: Told<'_>) -> Result<(), String> {
        let seat = self.seat_of(told.number)?;
        let Some(playing) = &mut self.matches[seat.idx()] else { return Ok(()) };
        match (told.kind.as_str(), told.action, told.seat, told.event) {
            ("step", Some(action), Some(actor), _) => {
                playing.log.act(&self.words, actor, action, &told.luck)?;
            }
            ("step", None, ..) => playing.log.act_hidden(),
            ("event", _, _, Some(event)) => playing.log.hear(&self.words, event),
            ("over", ..) => self.ends(seat, told.outcome.and_then(|ended| ended.winner)),
            _ => {}
        }
        Ok(())
    }

    /// A match is over.
    fn ends(&mut self, seat: Seat, winner: Option<Seat>) {
        let Some(mut playing) = self.matches[seat.idx()].take().filter(|playing| playing.begun)
        else {
            return;
        };
        let mut lines = Vec::new();
        playing.tell_steps(self.observes, &mut lines);
        let color = winner.map(|winner| self.words.color(winner));
        let after = json!({"type": "after", "game_id": playing.id, "winning_color": color});
        write(&after, &mut lines);
        if let Some(mut line) = self.lines[seat.idx()].take() {
            line.send(&lines);
            self.spare.push(line);
        }
    }

    /// The process of a seat.
    fn line(&mut self, seat: Seat) -> Result<&mut Box<dyn Line>, String> {
        let line = match self.lines[seat.idx()].take().or_else(|| self.spare.pop()) {
            Some(line) => line,
            None => self.reach(self.start)?.0,
        };
        Ok(self.lines[seat.idx()].insert(line))
    }

    /// The lines of a question, and what may be chosen.
    fn question(&mut self, seat: Seat, told: &Told<'_>) -> Result<(Vec<u8>, Allowed), String> {
        let view = told.view.ok_or("a question without a view")?.get();
        let Translator { words, matches, observes, .. } = self;
        let playing = matches[seat.idx()].as_mut().ok_or("there is no such match")?;
        let memory = <Memory as SeatMemory<Base>>::new(words.game(), seat);
        let game = words.game();
        let mut lines = Vec::new();
        let read = game.read_view(view, &memory, |seen| {
            let rates = seen.view.table.rates[seat.idx()];
            let rate = |action: &Action| match action {
                Action::BankTrade { give, .. } => rates[give.idx()],
                _ => 0,
            };
            let listed = told.legal.iter().enumerate();
            let playable: Allowed = listed
                .filter_map(|(at, action)| Some((at, words.action(seat, *action, rate(action))?)))
                .collect();
            playing.asks(words, *observes, seen, &playable, &mut lines);
            playable
        });
        Ok((lines, read.map_err(|error| error.to_string())?))
    }
}

impl Match {
    /// Tells who observes of actions that it was not told of.
    fn tell_steps(&mut self, observes: bool, lines: &mut Vec<u8>) {
        for action in self.log.steps.drain(..).filter(|_| observes) {
            write(&json!({"type": "step", "game_id": self.id, "action": action}), lines);
        }
    }

    /// The lines of a question.
    fn asks(
        &mut self,
        words: &Words,
        observes: bool,
        seen: &Observation<'_, Base>,
        playable: &[(usize, Value)],
        lines: &mut Vec<u8>,
    ) {
        let color = words.color(seen.seat);
        if !std::mem::replace(&mut self.begun, true) {
            let nothing = PerSeat::<Played>::default();
            at_first(words.game(), seen, |view| {
                let state = Shown::of(words, &self.id, view, (view.table.active, &nothing), &[]);
                let state = state.with_map(words, view.table);
                let (game_id, protocol_version) = (self.id.as_str(), Some(VERSION));
                let (kind, playable_actions) = ("before", None);
                let before =
                    Message { kind, protocol_version, game_id, color, state, playable_actions };
                write(&before, lines);
            });
        }
        self.tell_steps(observes, lines);
        let decide = Message {
            kind: "decide",
            protocol_version: None,
            game_id: &self.id,
            color,
            state: Shown::of(
                words,
                &self.id,
                &seen.view,
                (seen.seat, &self.log.played),
                &self.log.records,
            ),
            playable_actions: Some(playable.iter().map(|(_, action)| action).collect()),
        };
        write(&decide, lines);
    }
}

/// The place in our list of what was chosen.
fn place(answer: &str, playable: &[(usize, Value)]) -> Result<usize, String> {
    let shown: String = answer.chars().take(SHOWN).collect();
    let said: Value = serde_json::from_str(answer)
        .map_err(|error| format!("its answer `{shown}` can't be read: {error}"))?;
    let chosen =
        said.get("action").ok_or_else(|| format!("its answer `{shown}` has no `action`"))?;
    let found = playable.iter().find(|(_, action)| action == chosen);
    let place = found.map(|(place, _)| *place);
    place.ok_or_else(|| format!("its answer `{shown}` is none of the playable actions"))
}

impl Line for Translator {
    fn greet(&mut self, _hello: &[u8], limit: Duration) -> Result<String, String> {
        self.start = limit;
        let (line, greeting) = self.reach(limit)?;
        self.spare.push(line);
        self.observes = greeting.observe;
        let ready = Ready {
            kind: IsReady::Ready,
            protocol: OURS,
            name: greeting.name.unwrap_or_else(|| "a bot of Catanatron's protocol".to_owned()),
            version: String::new(),
            games: vec![Base::NAME.to_owned()],
            wants: vec![Want::Events, Want::Steps, Want::View],
            list: List::NoOffers,
            matches: 1,
        };
        Ok(serde_json::to_string(&ready).expect("it has names for keys"))
    }

    fn load(&mut self) {}

    fn send(&mut self, lines: &[u8]) {
        // What can't be understood was not written by us, and is found at the next question.
        let _ = self.take_in(lines);
    }

    fn ask(
        &mut self,
        id: u64,
        lines: &[u8],
        limit: Duration,
        answer: &mut String,
    ) -> Result<Duration, Unanswered> {
        let told = self.take_in(lines)?.ok_or("nothing is asked")?;
        let seat = self.seat_of(told.number)?;
        let (question, playable) = self.question(seat, &told)?;
        // There nobody is asked who has one choice.
        let (index, spent) = if let [(only, _)] = playable.as_slice() {
            (*only, Duration::ZERO)
        } else {
            let mut said = String::new();
            let spent = self.line(seat)?.ask(id, &question, limit, &mut said)?;
            (place(&said, &playable)?, spent)
        };
        let kind = IsChoose::Choose;
        let choice = Choose::<Action> { kind, id, index: Some(index), action: None };
        *answer = serde_json::to_string(&choice).expect("it has names for keys");
        Ok(spent)
    }

    fn next_number(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    fn break_off(&mut self) -> String {
        let lines = self.lines.iter_mut().flatten().chain(&mut self.spare);
        let beside: Vec<String> =
            lines.map(|line| line.break_off()).filter(|text| !text.is_empty()).collect();
        beside.join("\n")
    }
}
