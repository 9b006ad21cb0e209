//! A process that several matches share: their questions are asked together, and each gets its own answer.
//!
//! Whoever asks while nobody waits for answers sends what has gathered, waits for all of it, and hands the answers out;
//! what is asked meanwhile is sent next. So a question never waits for a match that does not ask.

use crate::cli::clock;
use crate::cli::commands::guests::process::Process;
use crate::cli::commands::guests::purpose::Purpose;
use crate::core::outside::{Invitation, Unanswered};
use crate::sim::guests::protocol::{GO, IsChoose};
use serde::Deserialize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// Answers to other questions that are dropped before a right one.
const STALE_MAX: u32 = 1000;

/// How long a guest may take to end after it was told to.
pub const LEAVE: Duration = Duration::from_secs(2);

/// How many matches may share a process.
static AT_ONCE: AtomicUsize = AtomicUsize::new(1);

/// Microseconds by which answers are read late.
static LATE: AtomicU64 = AtomicU64::new(0);

/// From now on so many matches may share a process.
pub fn share(at_once: usize) {
    AT_ONCE.store(at_once, Ordering::Relaxed);
}

/// From now on answers are read so much later than they come: a check of guests that must not depend on it.
pub fn read_late(by: Duration) {
    LATE.store(u64::try_from(by.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

fn at_once() -> usize {
    AT_ONCE.load(Ordering::Relaxed)
}

/// A process, and what is to be asked of it.
pub struct Shared {
    /// How it was started.
    pub invitation: Invitation,
    /// Whether runs use it, or tables that stand open.
    pub purpose: Purpose,
    queue: Mutex<Queue>,
    /// What it said of itself, once it was greeted. Held by who greets it, so that nobody who uses another process waits.
    greeting: Mutex<Option<String>>,
    /// The end of what it wrote to standard error.
    beside: Arc<Mutex<Vec<u8>>>,
}

/// What waits for a process.
struct Queue {
    /// Nothing while somebody waits for its answers, and after it was ended.
    process: Option<Process>,
    /// Lines that were not sent yet.
    unsent: Vec<u8>,
    /// Who asked by these lines, in order.
    asking: Vec<Asking>,
    /// Whether somebody waits for answers.
    has_leader: bool,
    /// Matches that use it.
    users: usize,
    /// The game of the matches that use it.
    game: Vec<u8>,
    /// The game that it was told of last.
    told: Vec<u8>,
    /// Whether it plays several matches at once, and is told when it is to answer.
    waits: bool,
    /// Whether it has failed.
    broken: bool,
    /// The last number that a match or a question had.
    number: u64,
}

/// One who asked a question.
struct Asking {
    id: u64,
    slot: Arc<Slot>,
    /// Its share of the time that the program has taken since it was sent.
    spent: Duration,
}

/// Where one who asked waits.
#[derive(Default)]
struct Slot {
    result: Mutex<Option<Reply>>,
    ready: Condvar,
}

/// What one who asked is told.
enum Reply {
    /// The answer, and how long it took.
    Answer(String, Duration),
    /// There is none.
    Nothing(Unanswered),
    /// To wait for the answers itself.
    Lead,
}

impl Asking {
    fn answered(self, answer: String) {
        self.slot.tell(Reply::Answer(answer, self.spent));
    }
}

impl Slot {
    fn tell(&self, told: Reply) {
        *self.result.lock().expect("nobody panics with it") = Some(told);
        self.ready.notify_one();
    }

    fn wait(&self) -> Reply {
        let mut result = self.result.lock().expect("nobody panics with it");
        loop {
            if let Some(told) = result.take() {
                return told;
            }
            result = self.ready.wait(result).expect("nobody panics with it");
        }
    }
}

/// As much of an answer as tells which question it is to.
#[derive(Deserialize)]
struct Answered {
    #[serde(rename = "type")]
    _kind: IsChoose,
    id: u64,
}

/// As much of a greeting as tells how it is asked.
#[derive(Deserialize)]
struct Greeting {
    matches: u16,
}

impl Shared {
    /// A process that nobody uses yet.
    pub fn new(invitation: Invitation, purpose: Purpose, process: Process) -> Shared {
        let beside = process.beside();
        let queue = Queue {
            process: Some(process),
            unsent: Vec::new(),
            asking: Vec::new(),
            has_leader: false,
            users: 0,
            game: Vec::new(),
            told: Vec::new(),
            waits: false,
            broken: false,
            number: 0,
        };
        let (queue, greeting) = (Mutex::new(queue), Mutex::default());
        Shared { invitation, purpose, queue, greeting, beside }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("nobody panics with it")
    }

    /// Takes a place for matches of a game, if one is left and the others are for the same.
    pub fn join(&self, game: &[u8]) -> bool {
        let mut queue = self.queue();
        let fits = queue.users == 0 || queue.users < at_once() && queue.game == game;
        let joins = fits && !queue.broken;
        if joins {
            queue.users += 1;
            queue.game = game.to_vec();
        }
        joins
    }

    /// Whether it has failed and was ended.
    pub fn is_gone(&self) -> bool {
        let queue = self.queue();
        queue.broken && queue.process.is_none()
    }

    /// Gives a place back.
    pub fn leave(&self) {
        self.queue().users -= 1;
    }

    /// Its process, that it may be ended, once it was sent what it was not yet; nothing if it was ended before.
    pub fn dismiss(&self) -> Option<Process> {
        let mut queue = self.queue();
        // Who has it now ends it.
        queue.broken = true;
        let mut process = queue.process.take()?;
        // Who reads nothing any more is ended all the same.
        let _ = process.send(&std::mem::take(&mut queue.unsent), LEAVE);
        Some(process)
    }

    /// What it says of itself.
    ///
    /// # Errors
    /// If it says nothing in time.
    pub fn greet(&self, hello: &[u8], limit: Duration) -> Result<String, String> {
        let mut known = self.greeting.lock().expect("nobody panics with it");
        if let Some(greeting) = &*known {
            return Ok(greeting.clone());
        }
        let mut process = self.queue().process.take().ok_or("it has been ended")?;
        let mut greeting = String::new();
        let greeted = process
            .send(hello, limit)
            .and_then(|()| process.receive(clock::now(), limit, &mut greeting));
        let mut queue = self.queue();
        if queue.broken {
            process.end(Duration::ZERO);
            return greeted.and_then(|()| Err("it has been ended".to_owned()));
        }
        queue.process = Some(process);
        greeted?;
        queue.waits = serde_json::from_str(&greeting).is_ok_and(|Greeting { matches }| matches > 1);
        *known = Some(greeting.clone());
        Ok(greeting)
    }

    /// Whether no match uses it.
    pub fn is_unused(&self) -> bool {
        self.queue().users == 0
    }

    /// Tells it of a game, unless that was the last.
    pub fn load(&self, game: &[u8]) {
        let mut queue = self.queue();
        if queue.told != game {
            queue.told = game.to_vec();
            queue.unsent.extend_from_slice(game);
        }
    }

    /// Lines that are sent with the next question.
    pub fn send(&self, lines: &[u8]) {
        self.queue().unsent.extend_from_slice(lines);
    }

    /// A number that it was not told of yet.
    pub fn next_number(&self) -> u64 {
        let mut queue = self.queue();
        queue.number += 1;
        queue.number
    }

    /// Asks a question, and waits for the answer.
    ///
    /// # Errors
    /// If there is none.
    pub fn ask(
        &self,
        id: u64,
        lines: &[u8],
        limit: Duration,
    ) -> Result<(String, Duration), Unanswered> {
        let slot = Arc::new(Slot::default());
        let leads = {
            let mut queue = self.queue();
            if queue.broken {
                return Err(Unanswered::Elsewhere);
            }
            queue.unsent.extend_from_slice(lines);
            queue.asking.push(Asking { id, slot: Arc::clone(&slot), spent: Duration::ZERO });
            !std::mem::replace(&mut queue.has_leader, true)
        };
        if leads {
            self.lead(limit);
        }
        loop {
            match slot.wait() {
                Reply::Answer(answer, spent) => return Ok((answer, spent)),
                Reply::Nothing(why) => return Err(why),
                Reply::Lead => self.lead(limit),
            }
        }
    }

    /// Sends what has gathered, hands the answers out, and leaves the next questions to one who asks them.
    fn lead(&self, limit: Duration) {
        self.gather();
        let mut queue = self.queue();
        let Some(mut process) = queue.process.take() else {
            queue.end_all();
            return;
        };
        let mut lines = std::mem::take(&mut queue.unsent);
        let mut asked = std::mem::take(&mut queue.asking);
        let waits = queue.waits;
        drop(queue);
        if waits {
            lines.extend_from_slice(GO);
        }
        let sent = process.send(&lines, limit.max(self.invitation.start));
        let late = LATE.load(Ordering::Relaxed);
        if late > 0 {
            thread::sleep(Duration::from_micros(late));
        }
        let ended = sent.map_err(Some).and_then(|()| hand_out(&mut process, &mut asked, limit));
        let mut queue = self.queue();
        queue.has_leader = false;
        if queue.broken {
            process.end(Duration::ZERO);
        } else {
            queue.process = Some(process);
        }
        if let Err(reason) = ended {
            let mut why = reason.filter(|_| !queue.broken).map(Unanswered::Failed);
            queue.broken = true;
            for Asking { slot, .. } in asked {
                slot.tell(Reply::Nothing(why.take().unwrap_or(Unanswered::Elsewhere)));
            }
        }
        if queue.broken {
            queue.end_all();
        } else if let Some(slot) = queue.asking.first().map(|it| Arc::clone(&it.slot)) {
            queue.has_leader = true;
            slot.tell(Reply::Lead);
        }
    }

    /// Lets others run that are about to ask.
    fn gather(&self) {
        let mut gathered = 0;
        while at_once() > 1 {
            let asking = self.queue().asking.len();
            if asking == gathered {
                return;
            }
            gathered = asking;
            thread::yield_now();
        }
    }

    /// It has failed: it is ended. Returns what it wrote to standard error.
    pub fn break_off(&self) -> String {
        let mut queue = self.queue();
        queue.broken = true;
        if let Some(process) = queue.process.take() {
            drop(queue);
            return process.end(Duration::ZERO);
        }
        // Who waits for its answers ends it when the run stops.
        let beside = self.beside.lock().map(|beside| beside.clone()).unwrap_or_default();
        String::from_utf8_lossy(&beside).into_owned()
    }
}

impl Queue {
    fn end_all(&mut self) {
        self.has_leader = false;
        for Asking { slot, .. } in self.asking.drain(..) {
            slot.tell(Reply::Nothing(Unanswered::Elsewhere));
        }
    }
}

/// Reads answers to some questions, and gives each to who asked. What is left of `asked` was not answered.
///
/// # Errors
/// Why there are no more; no reason after a line that is no answer, which the first who waits is given: it will say.
fn hand_out(
    process: &mut Process,
    asked: &mut Vec<Asking>,
    limit: Duration,
) -> Result<(), Option<String>> {
    let sent = clock::now();
    // They may be answered one by one, or all together; what else comes gives nobody more time.
    let limit = limit.saturating_mul(u32::try_from(asked.len()).unwrap_or(u32::MAX));
    let (mut since, mut stale) = (sent, 0);
    while !asked.is_empty() {
        let mut answer = String::new();
        let left = u32::try_from(asked.len()).unwrap_or(u32::MAX);
        process.receive(sent, limit, &mut answer).map_err(|reason| match stale {
            0 => reason,
            _ => format!("{reason}, after answers to other questions ({stale})"),
        })?;
        let now = clock::now();
        let share = now.saturating_sub(since) / left;
        since = now;
        for asking in asked.iter_mut() {
            asking.spent += share;
        }
        let Ok(Answered { id, .. }) = serde_json::from_str(&answer) else {
            asked.remove(0).answered(answer);
            return if asked.is_empty() { Ok(()) } else { Err(None) };
        };
        if let Some(place) = asked.iter().position(|asking| asking.id == id) {
            asked.remove(place).answered(answer);
            continue;
        }
        // An answer to another question, such as one that came too late, is never taken for this one's.
        stale += 1;
        if stale == STALE_MAX {
            let other = "other questions than the one that was asked";
            return Err(Some(format!("it answered {STALE_MAX} {other}")));
        }
    }
    Ok(())
}
