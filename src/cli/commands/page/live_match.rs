//! A match with people at it, played in a thread of its own: it takes what people choose, one at a time, lets the others
//! play, keeps the record, and publishes after each step what each seat is shown. So whoever asks is answered at once, also
//! while somebody thinks.

use crate::cli::commands::play::record_file::RecordFile;
use crate::cli::commands::play::setup::Seated;
use crate::core::types::seat::Seat;
use crate::lab::store::quoted::quoted;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::guests::open_match::OpenMatch;
use crate::sim::guests::shown::Scene;
use crate::sim::play::step_text::StepText;
use anyhow::Result;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Requests that wait at once: a page has one at a time.
const REQUESTS_MAX: usize = 16;
/// How long an answer waits for what the others do next; after that the page asks again.
const PATIENCE: Duration = Duration::from_millis(400);

/// What somebody wants done.
#[derive(Debug, Clone)]
pub enum Change {
    /// What stands at a place of the game's list.
    Choose(usize),
    /// An action as records write it.
    Write(String),
    /// The last choice taken back.
    Undo,
}

/// Why nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The match has gone on since the page was drawn.
    Stale,
    /// The rules, or the form of what was sent.
    Refused(String),
    /// The match can't go on.
    Gone(String),
}

/// A change, by whom, and for which state of the match.
struct ChangeRequest {
    seat: Seat,
    change: Change,
    version: u64,
    reply: SyncSender<Result<(), Refusal>>,
}

/// What a seat is shown.
struct SeatScene {
    seat: Seat,
    scene: Scene,
    told: Vec<StepText>,
}

/// What lies open for those who ask.
struct Published {
    scenes: Vec<SeatScene>,
    /// Rises with every change.
    version: u64,
    /// Whether the match waits for somebody outside, or is over.
    is_quiet: bool,
    is_over: bool,
    /// Why it can't go on.
    fault: Option<String>,
    /// The record so far.
    record: String,
}

/// A match that people play.
pub struct LiveMatch {
    published: Mutex<Published>,
    changed: Condvar,
    requests: SyncSender<ChangeRequest>,
    /// The number of its first state: those of the match before it are lower.
    pub first: u64,
    /// The game.
    pub game: String,
    /// Who sits where, by the names of the record.
    pub names: Vec<String>,
    /// The agents by seat; none where people sit.
    pub seats: Vec<Option<AgentSpec>>,
    /// Where people sit.
    pub persons: Vec<Seat>,
    /// Where the record is.
    pub path: PathBuf,
    /// The game as a page is told of it.
    pub described: String,
}

/// The match itself, in its thread.
struct MatchThread {
    open: Box<dyn OpenMatch>,
    file: RecordFile,
    requests: Receiver<ChangeRequest>,
    live: Arc<LiveMatch>,
}

impl LiveMatch {
    /// Begins to play a match, in a thread of its own, which ends with the match. Its states are numbered from `first`.
    ///
    /// # Errors
    /// If the record can't be written, or there is no room for a thread.
    pub fn open(seated: Seated, mut file: RecordFile, first: u64) -> Result<Arc<LiveMatch>> {
        let Seated { mut open, persons, game, names, seats, .. } = seated;
        file.keep(open.record())?;
        let (sender, requests) = mpsc::sync_channel(REQUESTS_MAX);
        let place = |seat: &Seat| {
            let (scene, told) = (open.scene(*seat), open.told(*seat).to_vec());
            SeatScene { seat: *seat, scene, told }
        };
        let scenes = persons.iter().map(place).collect();
        let published = Published {
            scenes,
            version: first,
            is_quiet: false,
            is_over: false,
            fault: None,
            record: String::new(),
        };
        let live = Arc::new(LiveMatch {
            published: Mutex::new(published),
            changed: Condvar::new(),
            requests: sender,
            game,
            first,
            names,
            seats,
            persons,
            path: file.path().to_owned(),
            described: open.described(),
        });
        let player = MatchThread { open, file, requests, live: Arc::clone(&live) };
        thread::Builder::new().name("match".to_owned()).spawn(move || player.run())?;
        Ok(live)
    }

    fn published(&self) -> MutexGuard<'_, Published> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a seat is shown now, and which state of the match that is; of what happened, the steps from the `since`th.
    ///
    /// # Errors
    /// If the match can't go on.
    pub fn shown(&self, seat: Seat, since: usize) -> Result<(u64, String), Refusal> {
        let published = self.published();
        if let Some(fault) = &published.fault {
            return Err(Refusal::Gone(fault.clone()));
        }
        let place = published.scenes.iter().find(|place| place.seat == seat);
        let place =
            place.ok_or_else(|| Refusal::Refused(format!("nobody plays seat {seat} here")))?;
        Ok((published.version, place.scene.json(&place.told, since)))
    }

    /// Which state of the match is the last.
    pub fn version(&self) -> u64 {
        self.published().version
    }

    /// The record so far.
    pub fn record(&self) -> String {
        self.at_rest().record.clone()
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.at_rest().is_over
    }

    /// Whether nothing more can happen: the match is over, or can't go on.
    pub fn has_ended(&self) -> bool {
        let rested = self.at_rest();
        rested.is_over || rested.fault.is_some()
    }

    /// What lies open once the match waits for somebody, or after a moment.
    fn at_rest(&self) -> MutexGuard<'_, Published> {
        let goes_on = |published: &mut Published| !published.is_quiet && published.fault.is_none();
        let waited = self.changed.wait_timeout_while(self.published(), PATIENCE, goes_on);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Does what somebody wants, and waits a moment for what follows.
    ///
    /// # Errors
    /// Says why nothing was done.
    pub fn change(&self, seat: Seat, change: Change, version: u64) -> Result<(), Refusal> {
        let gone = || Refusal::Gone("the match has ended here".to_owned());
        if self.version() != version {
            return Err(Refusal::Stale);
        }
        let (reply, answer) = mpsc::sync_channel(1);
        let published = self.at_rest();
        if published.fault.is_some() {
            return Err(gone());
        }
        // While somebody thinks no choice can fit: nobody waits for more than a moment.
        if published.version != version || !published.is_quiet {
            return Err(Refusal::Stale);
        }
        if published.is_over {
            return Err(Refusal::Refused("the match is over".to_owned()));
        }
        let sent = self.requests.try_send(ChangeRequest { seat, change, version, reply });
        // What is sent under the lock is answered before the match goes on.
        drop(published);
        sent.map_err(|error| match error {
            TrySendError::Full(_) => {
                Refusal::Refused("too many requests at once; ask again".to_owned())
            }
            TrySendError::Disconnected(_) => gone(),
        })?;
        answer.recv().map_err(|_| gone())??;
        drop(self.at_rest());
        Ok(())
    }
}

impl MatchThread {
    fn run(mut self) {
        let fault = match self.play() {
            Ok(()) => return,
            Err(error) => format!("{error:#}"),
        };
        let path = quoted(&self.live.path);
        let fault = format!("{fault}; the record up to here is kept in {path}");
        let mut published = self.live.published();
        self.open.record().clone_into(&mut published.record);
        published.fault = Some(fault);
        published.version += 1;
        self.live.changed.notify_all();
    }

    /// Plays until nobody can ask for anything any more.
    fn play(&mut self) -> Result<()> {
        loop {
            while self.open.step().map_err(anyhow::Error::msg)? {
                self.file.keep(self.open.record())?;
                self.publish();
            }
            self.rest();
            if self.open.outcome().is_some() {
                return Ok(());
            }
            let Ok(request) = self.requests.recv() else { return Ok(()) };
            let done = self.obey(&request);
            if done.is_ok() {
                self.file.keep(self.open.record())?;
                self.publish();
                // Who came second is not to wait while others think.
                for late in self.requests.try_iter() {
                    let _ = late.reply.send(Err(Refusal::Stale));
                }
            }
            // Whoever has gone meanwhile is shown it later.
            let _ = request.reply.send(done);
        }
    }

    fn obey(&mut self, request: &ChangeRequest) -> Result<(), Refusal> {
        if request.version != self.live.version() {
            return Err(Refusal::Stale);
        }
        let done = match &request.change {
            Change::Choose(place) => self.open.choose(request.seat, *place),
            Change::Write(action) => self.open.choose_written(request.seat, action),
            Change::Undo => self.open.take_back(request.seat),
        };
        done.map_err(Refusal::Refused)
    }

    /// Publishes what each seat is shown now.
    fn publish(&mut self) {
        let mut published = self.live.published();
        for place in &mut published.scenes {
            place.scene = self.open.scene(place.seat);
            let told = self.open.told(place.seat);
            place.told.truncate(told.len());
            // Whoever takes a choice back is told less: what stays was told already.
            let known = place.told.len();
            place.told.extend_from_slice(&told[known..]);
        }
        published.version += 1;
        published.is_quiet = false;
        self.live.changed.notify_all();
    }

    /// The match waits for somebody, or is over. What is published is still that of the last step.
    fn rest(&mut self) {
        let mut published = self.live.published();
        self.open.record().clone_into(&mut published.record);
        published.is_over = self.open.outcome().is_some();
        published.is_quiet = true;
        self.live.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match whose thread takes no requests; so many can wait for it.
    fn standing(is_quiet: bool, room: usize) -> (LiveMatch, Receiver<ChangeRequest>) {
        let (sender, requests) = mpsc::sync_channel(room);
        let published = Published {
            scenes: Vec::new(),
            version: 0,
            is_quiet,
            is_over: false,
            fault: None,
            record: String::new(),
        };
        let live = LiveMatch {
            published: Mutex::new(published),
            changed: Condvar::new(),
            requests: sender,
            first: 0,
            game: String::new(),
            names: Vec::new(),
            seats: Vec::new(),
            persons: Vec::new(),
            path: PathBuf::new(),
            described: String::new(),
        };
        (live, requests)
    }

    #[test]
    fn while_others_think_nothing_waits_for_them() {
        let (live, requests) = standing(false, 1);
        // With nobody to answer, waiting would end at once, in another refusal.
        drop(requests);
        assert_eq!(live.change(Seat::FIRST, Change::Undo, 0), Err(Refusal::Stale));
    }

    #[test]
    fn one_request_too_many_is_no_end_of_the_match() {
        let (live, _requests) = standing(true, 0);
        let refused = live.change(Seat::FIRST, Change::Undo, 0);
        assert!(matches!(&refused, Err(Refusal::Refused(why)) if why.starts_with("too many")));
    }
}
