//! What the page of a match answers: each key sees its own seats, and nothing else. The messages are those of
//! `docs/page.md`.

use crate::cli::commands::guests::faults;
use crate::cli::commands::host::{PAGE_WATCH, catalogue};
use crate::cli::commands::page::http::{Answer, Method, Request};
use crate::cli::commands::page::live_match::{Change, LiveMatch, Refusal};
use crate::cli::commands::page::server::Handler;
use crate::cli::commands::play::{setup, verdict};
use crate::cli::commands::replay;
use crate::core::types::seat::Seat;
use crate::lab::setup::line_up;
use crate::lab::store::quoted::quoted;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::explain::answer::Question;
use crate::sim::guests::in_words::{ADVISER, ADVISER_SEARCHES, ADVISER_SEED};
use crate::sim::guests::open_match::Reseat;
use crate::sim::play::table::OnlyChoice;
use anyhow::Result;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The page of matches that people play, one after the other.
pub struct PlayPage {
    /// The match that is played now.
    at: Mutex<Arc<PlayedMatch>>,
    /// By key, the seats that its page plays.
    keys: Vec<Vec<Seat>>,
    /// One search at a time.
    search: Mutex<()>,
}

/// A match, and what was found of it.
struct PlayedMatch {
    live: Arc<LiveMatch>,
    /// By seat, how the match went.
    verdicts: Mutex<BTreeMap<Seat, Vec<String>>>,
}

impl PlayedMatch {
    fn new(live: Arc<LiveMatch>) -> Arc<PlayedMatch> {
        Arc::new(PlayedMatch { live, verdicts: Mutex::default() })
    }
}

/// What is sent to change something.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    seat: Seat,
    /// Of what happened, the answer tells the steps from this one.
    #[serde(default)]
    since: usize,
    /// An action by its place in the game's list.
    place: Option<usize>,
    /// An action as records write it.
    action: Option<Box<RawValue>>,
}

impl PlayPage {
    /// The page of a match, and which seats each key plays.
    pub fn new(live: Arc<LiveMatch>, keys: Vec<Vec<Seat>>) -> PlayPage {
        PlayPage { at: Mutex::new(PlayedMatch::new(live)), keys, search: Mutex::default() }
    }

    /// The match that is played now.
    fn at(&self) -> Arc<PlayedMatch> {
        Arc::clone(&self.at.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Where the record of the match is that is played now, and the command that goes on with it.
    pub fn resume(&self) -> (PathBuf, String) {
        let at = self.at();
        (at.live.path.clone(), setup::resume_line(&at.live.path, &at.live.seats, true))
    }

    /// The next match, if the one of this state has ended: the same players and seats, another seed.
    fn again(&self, known: u64) -> Result<(), Answer> {
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let live = &at.live;
        if live.version() != known {
            return Err(refused(Refusal::Stale));
        }
        if !live.has_ended() {
            return Err(Answer::refused(409, "the match goes on"));
        }
        // What a guest did in the last match is not about the next one.
        faults::take();
        let next = setup::next((&live.game, &live.seats), (&live.record(), &live.path));
        let opened = next.and_then(|(seated, file)| LiveMatch::open(seated, file, known + 1));
        let opened = opened.map_err(|error| Answer::refused(409, &format!("{error:#}")))?;
        *at = PlayedMatch::new(opened);
        Ok(())
    }

    /// Who sits where, and how to go on when the server is gone.
    fn table(&self, key: usize) -> Answer {
        let at = self.at();
        let LiveMatch { game, names, persons, path, seats, .. } = &*at.live;
        let (resume, path) = (setup::resume_line(path, seats, true), quoted(path));
        Answer::json(
            json!({
                "game": game,
                "names": names,
                "persons": persons,
                "seats": self.keys[key],
                "record": path,
                "resume": resume,
            })
            .to_string(),
        )
    }

    fn shown(&self, key: usize, request: &Request) -> Result<Answer, Answer> {
        let number = request.asked("seat").and_then(|seat| serde_json::from_str::<Seat>(seat).ok());
        let seat = self.own(key, number.ok_or_else(|| Answer::error(400, "which seat?"))?)?;
        let since = request.asked("since").unwrap_or("0").parse();
        let since = since.map_err(|_| Answer::error(400, "since which step?"))?;
        let known = request.header("if-none-match").and_then(version);
        let at = self.at();
        if known == Some(at.live.version()) {
            return Ok(Answer { status: 304, ..Answer::json(String::new()) });
        }
        // Whoever knows an earlier match is told this one from its beginning.
        let is_new = known.is_some_and(|known| known < at.live.first);
        Self::scene(&at.live, seat, if is_new { 0 } else { since })
    }

    fn scene(live: &LiveMatch, seat: Seat, since: usize) -> Result<Answer, Answer> {
        let (version, json) = live.shown(seat, since).map_err(refused)?;
        Ok(Answer { tag: Some(format!("\"v{version}\"")), ..Answer::json(json) })
    }

    /// A seat that a key plays.
    fn own(&self, key: usize, seat: Seat) -> Result<Seat, Answer> {
        let owns = self.keys[key].contains(&seat);
        owns.then_some(seat).ok_or_else(|| Answer::error(403, "this page plays another seat"))
    }

    /// Something that changes the match.
    fn change(&self, key: usize, what: &str, request: &Request) -> Result<Answer, Answer> {
        let sent: Sent = serde_json::from_slice(&request.body).map_err(|error| {
            Answer::error(400, &format!("what was sent can't be read: {error}"))
        })?;
        let seat = self.own(key, sent.seat)?;
        let known = request.header("if-match").and_then(version);
        let known = known.ok_or_else(|| Answer::error(400, "which state of the match?"))?;
        let change = match (what, sent.place, sent.action) {
            ("undo", None, None) => Change::Undo,
            ("choose", Some(place), None) => Change::Choose(place),
            ("choose", None, Some(action)) => Change::Write(action.get().to_owned()),
            ("why", None, None) => return self.why(seat, known),
            ("verdict", None, None) => return self.at().verdict(seat),
            ("again", None, None) => {
                self.again(known)?;
                return Self::scene(&self.at().live, seat, 0);
            }
            _ => return Err(Answer::error(400, "either `place` or `action` is chosen")),
        };
        let at = self.at();
        at.live.change(seat, change, known).map_err(refused)?;
        Self::scene(&at.live, seat, sent.since)
    }

    /// What a search would do. It plays on a copy of the match, which it takes up from the record: so nobody waits for it
    /// but who asked.
    fn why(&self, seat: Seat, known: u64) -> Result<Answer, Answer> {
        let live = &self.at().live;
        let record = live.record();
        if live.version() != known {
            return Err(refused(Refusal::Stale));
        }
        let Ok(_one) = self.search.try_lock() else {
            return Err(Answer::refused(409, "a search is under way; ask again when it is done"));
        };
        let thought = || -> Result<String> {
            let outside = |names: &[String]| -> Result<Vec<Option<AgentSpec>>, String> {
                Ok(names.iter().map(|_| None).collect())
            };
            let (wants, only) = (Vec::new(), OnlyChoice::Asked);
            let reseat = Reseat { seats: &outside, watch: &PAGE_WATCH, wants, only };
            let mut copy = catalogue().game(&live.game)?.reopen_match(&record, reseat)?;
            let agent = line_up::agent(ADVISER)?;
            let (seed, searches) = (ADVISER_SEED, ADVISER_SEARCHES);
            let question = Question { agent: &agent, watch: &PAGE_WATCH, seed, searches };
            let actions = copy.advice(seat, question).map_err(anyhow::Error::msg)?;
            let said = json!({ "adviser": ADVISER, "searches": searches, "actions": actions });
            Ok(said.to_string())
        };
        thought().map(Answer::json).map_err(|error| Answer::refused(409, &format!("{error:#}")))
    }
}

impl PlayedMatch {
    /// How the match went for a seat; found once.
    fn verdict(&self, seat: Seat) -> Result<Answer, Answer> {
        if !self.live.is_over() {
            return Err(Answer::refused(409, "the match goes on"));
        }
        // Who asks while it is being found waits for it.
        let mut found = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = match found.entry(seat) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let lines = self.judged(seat);
                let failed = |error| Answer::error(500, &format!("{error:#}"));
                unknown.insert(lines.map_err(failed)?)
            }
        };
        Ok(Answer::json(json!({ "lines": lines }).to_string()))
    }

    fn judged(&self, seat: Seat) -> Result<Vec<String>> {
        let (game, mut reader) =
            replay::game_of(Box::new(Cursor::new(self.live.record().into_bytes())))?;
        verdict::lines(&game, &mut reader, (seat, &self.live.path))
    }
}

impl Handler for PlayPage {
    fn page(&self) -> &'static str {
        "play.html"
    }

    fn answer(&self, key: usize, what: &str, request: &Request) -> Answer {
        let answered = match (request.method, what) {
            (Method::Get, "table") => Ok(self.table(key)),
            (Method::Get, "game") => Ok(Answer::json(self.at().live.described.clone())),
            (Method::Get, "shown") => self.shown(key, request),
            (Method::Post, "choose" | "undo" | "why" | "verdict" | "again") => {
                self.change(key, what, request)
            }
            (_, "table" | "game" | "shown" | "choose" | "undo" | "why" | "verdict" | "again") => {
                Err(Answer::error(405, "what changes something is sent, the rest is asked for"))
            }
            _ => Err(Answer::error(404, "there is nothing of this name")),
        };
        answered.unwrap_or_else(|error| error)
    }
}

/// The state of the match that a tag names.
fn version(tag: &str) -> Option<u64> {
    tag.strip_prefix("\"v")?.strip_suffix('"')?.parse().ok()
}

fn refused(refusal: Refusal) -> Answer {
    match refusal {
        Refusal::Stale => Answer::refused(412, "the match has gone on; look again"),
        Refusal::Refused(reason) => Answer::refused(409, &reason),
        Refusal::Gone(reason) => Answer::refused(500, &reason),
    }
}
