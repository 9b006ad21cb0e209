//! Programs outside that play: processes that are started, kept from match to match, and ended with this one.

pub mod process;
pub mod purpose;
pub mod guard;
pub mod faults;
pub mod shared;

use crate::cli::commands::guests::process::Process;
use crate::cli::commands::guests::purpose::Purpose;
use crate::cli::commands::guests::shared::{LEAVE, Shared};
use crate::conformance::catanatron::exec::translator::Translator;
use crate::core::outside::{Dialect, Invitation, Line, Unanswered};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// What may be run: agents that were named on the command line.
static GRANTED: Mutex<Vec<Invitation>> = Mutex::new(Vec::new());

/// The processes that were started.
static STARTED: Mutex<Vec<Arc<Shared>>> = Mutex::new(Vec::new());

/// What was asked and answered since somebody began to listen.
static HEARD: Mutex<Option<Vec<Heard>>> = Mutex::new(None);

/// A question and its answer, as they stood on their lines.
#[derive(Debug, Clone)]
pub struct Heard {
    /// The line that asks.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// Does something, and hears what guests are asked meanwhile and what they answer.
pub fn listening<T>(play: impl FnOnce() -> T) -> (T, Vec<Heard>) {
    let heard = || HEARD.lock().expect("nobody panics with it");
    *heard() = Some(Vec::new());
    let played = play();
    let said = heard().take();
    (played, said.unwrap_or_default())
}

/// Allows a program to be run. A run's directory, or a record, may come from anybody: what it names is not run unless
/// the user says so.
pub fn grant(invitation: Invitation) {
    GRANTED.lock().expect("nobody panics with it").push(invitation);
}

/// Reaches a guest for matches of a game, of which it is told by a line: by a process that was started before, or a new
/// one. It is kept when the connection is dropped. Each purpose has processes of its own.
///
/// # Errors
/// If it may not be run, or can't be started.
pub fn invite(
    invitation: &Invitation,
    game: &[u8],
    purpose: Purpose,
    all_allowed: bool,
) -> Result<Box<dyn Line>, String> {
    let granted = || GRANTED.lock().expect("nobody panics with it").contains(invitation);
    if !all_allowed && !granted() {
        return Err(
            "this run names a program to be started, which `--allow-exec` allows".to_owned()
        );
    }
    match invitation.dialect {
        Dialect::Fairhaven => Ok(Box::new(connect(invitation, game, purpose)?)),
        Dialect::Catanatron => {
            let (invitation, told) = (invitation.clone(), game.to_vec());
            let connect = move || -> Result<Box<dyn Line>, String> {
                Ok(Box::new(connect(&invitation, &told, purpose)?))
            };
            Ok(Box::new(Translator::new(game, Box::new(connect))?))
        }
    }
}

/// A place at a process that was started before, or at a new one.
fn connect(invitation: &Invitation, game: &[u8], purpose: Purpose) -> Result<Connection, String> {
    let joins = |shared: &&Arc<Shared>| {
        shared.invitation == *invitation && shared.purpose == purpose && shared.join(game)
    };
    // Nobody else may start one meanwhile that this match could share.
    let mut started = started();
    started.retain(|shared| !shared.is_gone());
    let known = started.iter().find(joins).cloned();
    let shared = if let Some(shared) = known {
        shared
    } else {
        let process = Process::start(invitation, purpose)?;
        let shared = Arc::new(Shared::new(invitation.clone(), purpose, process));
        shared.join(game);
        started.push(Arc::clone(&shared));
        shared
    };
    Ok(Connection { shared, game: game.to_vec() })
}

fn started() -> MutexGuard<'static, Vec<Arc<Shared>>> {
    STARTED.lock().expect("nobody panics with it")
}

/// Some of the processes that are left, to be ended.
fn left(which: impl Fn(&Shared) -> bool) -> Vec<Process> {
    let ended: Vec<_> = started().extract_if(.., |shared| which(shared)).collect();
    ended.iter().filter_map(|shared| shared.dismiss()).collect()
}

/// Ends all guests, or those that no match uses: they are told, and what is left of them after a while is killed.
pub fn dismiss(unused_only: bool) {
    let mut processes = left(|shared| !unused_only || shared.is_unused());
    processes.iter_mut().for_each(Process::say_goodbye);
    for process in processes {
        process.end(LEAVE);
    }
    // Nobody may start one meanwhile whom the guard would kill as it leaves.
    let started = started();
    if started.is_empty() {
        guard::leave();
    }
}

/// How a guest has left.
#[derive(Debug, Clone, Copy)]
pub struct Left {
    /// Whether it went by itself.
    pub by_itself: bool,
    /// The most memory that it has had, in bytes, if the system says so.
    pub memory: Option<u64>,
}

/// Ends the guests that no match uses, by a word or by closing their pipes without one, and says how they have left.
pub fn dismissed(word: bool) -> Vec<Left> {
    let left = left(Shared::is_unused).into_iter().map(|mut process| {
        let memory = process.memory();
        if word {
            process.say_goodbye();
        } else {
            process.hang_up();
        }
        let by_itself = process.leaves(LEAVE);
        process.end(Duration::ZERO);
        Left { by_itself, memory }
    });
    left.collect()
}

/// What a match has of a process that it may share.
struct Connection {
    shared: Arc<Shared>,
    /// The line that tells of the game.
    game: Vec<u8>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.shared.leave();
    }
}

impl Line for Connection {
    fn greet(&mut self, hello: &[u8], limit: Duration) -> Result<String, String> {
        self.shared.greet(hello, limit)
    }

    fn load(&mut self) {
        self.shared.load(&self.game);
    }

    fn send(&mut self, lines: &[u8]) {
        self.shared.send(lines);
    }

    fn ask(
        &mut self,
        id: u64,
        lines: &[u8],
        limit: Duration,
        answer: &mut String,
    ) -> Result<Duration, Unanswered> {
        let (line, spent) = self.shared.ask(id, lines, limit)?;
        *answer = line;
        if let Some(heard) = &mut *HEARD.lock().expect("nobody panics with it") {
            let asked = lines.trim_ascii_end().rsplit(|&byte| byte == b'\n').next();
            let question = String::from_utf8_lossy(asked.unwrap_or_default()).into_owned();
            heard.push(Heard { question, answer: answer.clone() });
        }
        Ok(spent)
    }

    fn next_number(&mut self) -> u64 {
        self.shared.next_number()
    }

    fn break_off(&mut self) -> String {
        self.shared.break_off()
    }
}
