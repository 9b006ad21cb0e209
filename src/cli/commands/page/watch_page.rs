//! What the page of a match that is watched answers: the match by the eyes of a seat or of all, each seat's chance to win,
//! and what choices cost. The last two are computed beside, and shown when they are there.

use crate::cli::commands::host::WATCH;
use crate::cli::commands::page::http::{Answer, Method, Request};
use crate::cli::commands::page::server::Handler;
use crate::core::types::seat::Seat;
use crate::sim::agents::spec::BadAgent;
use crate::sim::explain::PlayedMatch;
use crate::sim::explain::verdict::costly;
use anyhow::Result;
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// A match that is watched.
pub struct WatchPage {
    /// The game.
    pub game: String,
    /// What it is called: a match of a run, a record.
    pub title: String,
    /// Who sits where.
    pub names: Vec<String>,
    played: Box<dyn PlayedMatch>,
    chances: OnceLock<String>,
    mistakes: OnceLock<String>,
    judged: AtomicU64,
}

impl WatchPage {
    /// A match, of which chances and mistakes are computed from now on.
    ///
    /// # Errors
    /// If there is no room for a thread.
    pub fn new(
        (game, title): (String, String),
        names: Vec<String>,
        played: Box<dyn PlayedMatch>,
    ) -> Result<Arc<WatchPage>> {
        let this = Arc::new(WatchPage {
            game,
            title,
            names,
            played,
            chances: OnceLock::new(),
            mistakes: OnceLock::new(),
            judged: AtomicU64::new(0),
        });
        let judged = Arc::clone(&this);
        thread::Builder::new().name("judge".to_owned()).spawn(move || judged.judge())?;
        Ok(this)
    }

    fn judge(&self) {
        let chances = WATCH.on_threads(|| self.played.chances());
        let _ = self.chances.set(json!({ "chances": chances }).to_string());
        let found = costly(&*self.played, &WATCH, &self.judged);
        let failed = |error: BadAgent| json!({ "error": error.to_string() }).to_string();
        let _ = self.mistakes.set(found.unwrap_or_else(failed));
    }

    fn watched(&self, request: &Request) -> Result<Answer, Answer> {
        let eyes = match request.asked("eyes") {
            None | Some("all") => None,
            Some(seat) => Some(
                serde_json::from_str::<Seat>(seat)
                    .map_err(|_| Answer::error(400, "whose eyes?"))?,
            ),
        };
        if eyes.is_some_and(|seat| seat.idx() >= self.names.len()) {
            return Err(Answer::error(404, "there is no such seat"));
        }
        Ok(Answer::json(self.played.watched(eyes)))
    }
}

/// What is computed beside, or that it is not there yet.
fn there(computed: &OnceLock<String>, so_far: u64) -> Answer {
    match computed.get() {
        Some(json) => Answer::json(json.clone()),
        None => Answer { status: 202, ..Answer::json(json!({ "judged": so_far }).to_string()) },
    }
}

impl Handler for WatchPage {
    fn page(&self) -> &'static str {
        "watch.html"
    }

    fn answer(&self, _key: usize, what: &str, request: &Request) -> Answer {
        if request.method != Method::Get {
            return Answer::error(405, "nothing can be changed here");
        }
        let so_far = self.judged.load(Ordering::Relaxed);
        let answered = match what {
            "table" => Ok(Answer::json(
                json!({ "game": self.game, "title": self.title, "names": self.names }).to_string(),
            )),
            "game" => Ok(Answer::json(self.played.described())),
            "match" => self.watched(request),
            "chances" => Ok(there(&self.chances, so_far)),
            "mistakes" => Ok(there(&self.mistakes, so_far)),
            _ => Err(Answer::error(404, "there is nothing of this name")),
        };
        answered.unwrap_or_else(|error| error)
    }
}
