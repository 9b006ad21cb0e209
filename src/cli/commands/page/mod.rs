//! A match on a page in the browser, served by this machine to itself: `play --page` and `watch`. Everything that the page
//! needs comes with the program; nothing is fetched from elsewhere.

pub mod files;
pub mod live_match;
pub mod http;
pub mod play_page;
pub mod server;
pub mod watch_page;

use crate::cli::commands::interrupt;
use crate::cli::commands::page::live_match::LiveMatch;
use crate::cli::commands::page::play_page::PlayPage;
use crate::cli::commands::page::server::{Handler, Server};
use crate::cli::commands::play::line::Terminal;
use crate::cli::commands::play::record_file::RecordFile;
use crate::cli::commands::play::setup::Seated;
use crate::cli::commands::run::Output;
use crate::cli::outside::Serving;
use crate::core::types::seat::Seat;
use crate::lab::store::quoted::quoted;
use crate::sim::records::line::PERSON;
use anyhow::Result;
use std::sync::Arc;

/// Serves a match that people play, until Ctrl-C.
///
/// # Errors
/// If the port is taken, or the record can't be written.
pub fn play(
    seated: Seated,
    file: RecordFile,
    serving: &Serving,
    terminal: &mut Terminal<'_>,
) -> Result<Output> {
    let persons = seated.persons.clone();
    // The last key of several is that of one browser for all.
    let mut keys: Vec<Vec<Seat>> = persons.iter().map(|seat| vec![*seat]).collect();
    if persons.len() > 1 {
        keys.push(persons.clone());
    }
    let server = Arc::new(Server::new(keys.len(), serving.port)?);
    let live = LiveMatch::open(seated, file, 0)?;
    greet(&live, terminal)?;
    for (key, seats) in keys.iter().enumerate() {
        let who = match seats.as_slice() {
            _ if keys.len() == 1 => "The page: ".to_owned(),
            [seat] => format!("Seat {seat}: "),
            _ => "All of them, one after the other in one browser: ".to_owned(),
        };
        terminal.draw(&format!("{who}{}", server.address(key)))?;
    }
    let page = Arc::new(PlayPage::new(live, keys));
    let handler: Arc<dyn Handler> = Arc::clone(&page) as Arc<dyn Handler>;
    serve(&server, handler, serving, terminal)?;
    let (path, line) = page.resume();
    let text = format!("The record is kept in {}.\nTo go on: {line}\n", quoted(path));
    Ok(Output::new(text, 0))
}

/// Who sits where, and where the record is.
fn greet(live: &LiveMatch, terminal: &mut Terminal<'_>) -> Result<()> {
    let LiveMatch { game, names, persons, path, .. } = live;
    terminal.say(&format!("{game}, {} players.", names.len()))?;
    for (number, name) in (1..).zip(names) {
        let name = match name.as_str() {
            PERSON if persons.len() == 1 => "you",
            PERSON => "one of you",
            name => name,
        };
        terminal.say(&format!("Seat {number}: {name}."))?;
    }
    terminal.say(&format!("The record is kept in {}.", quoted(path)))?;
    Ok(())
}

/// Answers until Ctrl-C. The browser is opened unless that is not wanted.
///
/// # Errors
/// If there is no room for threads, or nobody listens to what is said.
pub fn serve(
    server: &Arc<Server>,
    handler: Arc<dyn Handler>,
    serving: &Serving,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let signals = interrupt::ends()?;
    server.serve(handler)?;
    terminal.say("Ctrl-C ends it. This machine alone can open the page.")?;
    terminal.flush()?;
    if !serving.no_open && open::that_detached(server.ticket_address()).is_err() {
        terminal.say("No browser could be opened: copy the address into one.")?;
        terminal.flush()?;
    }
    interrupt::wait(signals);
    Ok(())
}
