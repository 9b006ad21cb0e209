//! A match with people at it, played in a thread of its own: it takes what people choose, one at a time, lets the others
//! play, keeps the record, and lays out after each step what each seat is shown. So whoever asks is answered at once, also
//! while somebody thinks.

use crate::cli::commands::play::record_file::RecordFile;
use crate::cli::commands::play::setup::Seated;
use crate::core::types::seat::Seat;
use crate::lab::store::quoted::quoted;
use crate::sim::guests::open_match::OpenMatch;
use crate::sim::guests::shown::Scene;
use crate::sim::play::step_text::StepText;
use anyhow::Result;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Choices that wait at once: nobody has more than one.
const ORDERS_MAX: usize = 16;
/// How long an answer waits for what the others do next; after that the page asks again.
const PATIENCE: Duration = Duration::from_millis(400);

/// What somebody wants done.
#[derive(Debug, Clone)]
pub enum Wish {
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

/// A wish, by whom, and for which state of the match.
struct Order {
    seat: Seat,
    wish: Wish,
    version: u64,
    reply: SyncSender<Result<(), Refusal>>,
}

/// What a seat is shown.
struct Place {
    seat: Seat,
    scene: Scene,
    told: Vec<StepText>,
}

/// What lies open for those who ask.
struct Desk {
    places: Vec<Place>,
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
pub struct Hall {
    desk: Mutex<Desk>,
    changed: Condvar,
    orders: SyncSender<Order>,
    /// The game.
    pub game: String,
    /// Who sits where, by the names of the record.
    pub names: Vec<String>,
    /// Where people sit.
    pub persons: Vec<Seat>,
    /// Where the record is.
    pub path: PathBuf,
    /// The game as a page is told of it.
    pub described: String,
}

/// The one who deals: the match itself, in its thread.
struct Dealer {
    open: Box<dyn OpenMatch>,
    file: RecordFile,
    orders: Receiver<Order>,
    hall: Arc<Hall>,
}

impl Hall {
    /// Opens the doors of a match.
    ///
    /// # Errors
    /// If the record can't be written, or there is no room for a thread.
    pub fn open(seated: Seated, mut file: RecordFile) -> Result<Arc<Hall>> {
        let Seated { mut open, persons, game, names, .. } = seated;
        file.keep(open.record())?;
        let (sender, orders) = mpsc::sync_channel(ORDERS_MAX);
        let place = |seat: &Seat| {
            let (scene, told) = (open.scene(*seat), open.told(*seat).to_vec());
            Place { seat: *seat, scene, told }
        };
        let places = persons.iter().map(place).collect();
        let desk = Desk {
            places,
            version: 0,
            is_quiet: false,
            is_over: false,
            fault: None,
            record: String::new(),
        };
        let hall = Arc::new(Hall {
            desk: Mutex::new(desk),
            changed: Condvar::new(),
            orders: sender,
            game,
            names,
            persons,
            path: file.path().to_owned(),
            described: open.described(),
        });
        let dealer = Dealer { open, file, orders, hall: Arc::clone(&hall) };
        thread::Builder::new().name("dealer".to_owned()).spawn(move || dealer.deal())?;
        Ok(hall)
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a seat is shown now, and which state of the match that is; of what happened, the steps from the `since`th.
    ///
    /// # Errors
    /// If the match can't go on.
    pub fn shown(&self, seat: Seat, since: usize) -> Result<(u64, String), Refusal> {
        let desk = self.desk();
        if let Some(fault) = &desk.fault {
            return Err(Refusal::Gone(fault.clone()));
        }
        let place = desk.places.iter().find(|place| place.seat == seat);
        let place =
            place.ok_or_else(|| Refusal::Refused(format!("nobody plays seat {seat} here")))?;
        Ok((desk.version, place.scene.json(&place.told, since)))
    }

    /// Which state of the match is the last.
    pub fn version(&self) -> u64 {
        self.desk().version
    }

    /// The record so far.
    pub fn record(&self) -> String {
        self.at_rest().record.clone()
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.at_rest().is_over
    }

    /// What lies open once the match waits for somebody, or after a moment.
    fn at_rest(&self) -> MutexGuard<'_, Desk> {
        let goes_on = |desk: &mut Desk| !desk.is_quiet && desk.fault.is_none();
        let waited = self.changed.wait_timeout_while(self.desk(), PATIENCE, goes_on);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Does what somebody wants, and waits a moment for what follows.
    ///
    /// # Errors
    /// Says why nothing was done.
    pub fn wish(&self, seat: Seat, wish: Wish, version: u64) -> Result<(), Refusal> {
        let gone = || Refusal::Gone("the match has ended here".to_owned());
        let (reply, answer) = mpsc::sync_channel(1);
        // While somebody thinks no choice can fit: nobody waits for that.
        if self.desk().version != version {
            return Err(Refusal::Stale);
        }
        self.orders.try_send(Order { seat, wish, version, reply }).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())??;
        drop(self.at_rest());
        Ok(())
    }
}

impl Dealer {
    fn deal(mut self) {
        let fault = match self.play() {
            Ok(()) => return,
            Err(error) => format!("{error:#}"),
        };
        let path = quoted(&self.hall.path);
        let fault = format!("{fault}; the record up to here is kept in {path}");
        let mut desk = self.hall.desk();
        desk.fault = Some(fault);
        desk.version += 1;
        self.hall.changed.notify_all();
    }

    /// Plays until nobody can wish for anything any more.
    fn play(&mut self) -> Result<()> {
        loop {
            while self.open.step().map_err(anyhow::Error::msg)? {
                self.file.keep(self.open.record())?;
                self.lay_out();
            }
            self.settle();
            let Ok(order) = self.orders.recv() else { return Ok(()) };
            let done = self.obey(&order);
            if done.is_ok() {
                self.file.keep(self.open.record())?;
                self.lay_out();
            }
            // Whoever has gone meanwhile is shown it later.
            let _ = order.reply.send(done);
        }
    }

    fn obey(&mut self, order: &Order) -> Result<(), Refusal> {
        if order.version != self.hall.version() {
            return Err(Refusal::Stale);
        }
        let done = match &order.wish {
            Wish::Choose(place) => self.open.choose(order.seat, *place),
            Wish::Write(action) => self.open.choose_written(order.seat, action),
            Wish::Undo => self.open.take_back(order.seat),
        };
        done.map_err(Refusal::Refused)
    }

    /// Lays out what each seat is shown now.
    fn lay_out(&mut self) {
        let mut desk = self.hall.desk();
        for place in &mut desk.places {
            place.scene = self.open.scene(place.seat);
            let told = self.open.told(place.seat);
            place.told.truncate(told.len());
            // Whoever takes a choice back is told less: what stays was told already.
            let known = place.told.len();
            place.told.extend_from_slice(&told[known..]);
        }
        desk.version += 1;
        desk.is_quiet = false;
        self.hall.changed.notify_all();
    }

    /// The match waits for somebody, or is over. What is laid out is still that of the last step.
    fn settle(&mut self) {
        let mut desk = self.hall.desk();
        self.open.record().clone_into(&mut desk.record);
        desk.is_over = self.open.outcome().is_some();
        desk.is_quiet = true;
        self.hall.changed.notify_all();
    }
}
