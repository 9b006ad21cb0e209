//! A person's match: told, asked, answered and kept, until it is over or the person leaves.

use crate::cli::commands::host::WATCH;
use crate::cli::commands::play::line::Terminal;
use crate::cli::commands::play::record_file::RecordFile;
use crate::cli::commands::play::screen;
use crate::cli::commands::play::setup::{Seated, resume_line};
use crate::core::types::seat::Seat;
use crate::lab::setup::line_up;
use crate::lab::store::quoted::quoted;
use crate::sim::explain::answer::Question;
use crate::sim::guests::in_words::{ADVISER, ADVISER_SEARCHES, ADVISER_SEED, TableText};
use crate::sim::guests::menu::{Found, Menu};
use crate::sim::guests::seating::short_name;
use crate::sim::play::step_text::{StepText, answered_offer};
use crate::sim::records::line::PERSON;
use anyhow::{Result, anyhow};
use std::io::{self, Cursor};
use std::path::Path;

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The match is over; the person sat here.
    Over(Seat),
    /// The person has left.
    Left,
}

/// A person at a table.
pub struct Session {
    at: Seated,
    file: RecordFile,
    /// How much of what happened was shown.
    seen: usize,
    /// The turn that was named last.
    turn: Option<u16>,
    /// The table that was shown last.
    shown: TableText,
    /// Whether it was told how places are named.
    hinted: bool,
}

/// What is asked of those to whom a trade is proposed, and of whoever proposed it, in all games: they are told what is new
/// only.
const TRADE: [&str; 2] = ["answer", "choose"];

/// In what the rules say of an offer, or of another trade instead, of cards that the seat doesn't hold.
const LACKS: &str = "must hold what it would give";

/// Before what is typed.
const PROMPT: &str = "> ";

/// The same where a number might be one of the list or that of a place.
const PROMPT_WITH_PLACES: &str = "number of the list, or place N> ";

/// What comes of a line that was typed.
enum Next {
    /// The same question again.
    Ask,
    /// Something has changed.
    Go,
    /// The person leaves.
    Leave,
}

impl Session {
    /// A person who has just sat down.
    pub fn new(at: Seated, file: RecordFile) -> Session {
        Session { at, file, seen: 0, turn: None, shown: TableText::default(), hinted: false }
    }

    /// Where the record is kept.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The record so far.
    pub fn record(&self) -> Cursor<Vec<u8>> {
        Cursor::new(self.at.open.record().as_bytes().to_vec())
    }

    /// Plays until the match is over or the person leaves.
    ///
    /// # Errors
    /// If an agent fails, the record can't be written, or nobody listens any more.
    pub fn play(&mut self, terminal: &mut Terminal<'_>) -> Result<Ending> {
        self.greet(terminal)?;
        loop {
            self.file.keep(self.at.open.record())?;
            loop {
                let stepped = self.at.open.step();
                self.file.keep(self.at.open.record())?;
                match stepped {
                    Ok(true) => {}
                    Ok(false) => break,
                    // What a program has done wrong is said at the end.
                    Err(error) => {
                        self.part(terminal)?;
                        return Err(anyhow!(error));
                    }
                }
            }
            self.tell(terminal)?;
            if self.at.open.outcome().is_some() {
                self.close(terminal)?;
                return Ok(Ending::Over(self.at.seat));
            }
            if !self.decide(terminal)? {
                self.part(terminal)?;
                return Ok(Ending::Left);
            }
        }
    }

    /// Where the record is, and how the match goes on.
    fn part(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        terminal.say(&format!("The record is kept in {}.", quoted(self.file.path())))?;
        // In one line, to be copied.
        terminal
            .draw(&format!("To go on: {}", resume_line(self.file.path(), &self.at.seats, false)))
    }

    /// Who sits where, and how it goes.
    fn greet(&mut self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let Seated { game, names, seat, .. } = &self.at;
        terminal.say(&format!("{game}, {} players. You sit in seat {seat}.", names.len()))?;
        for (number, name) in (1..).zip(names).filter(|(_, name)| *name != PERSON) {
            terminal.say(&format!("Seat {number}: {}.", short_name(game, name)))?;
        }
        terminal.say(&format!("The record is kept in {}.", quoted(self.file.path())))?;
        terminal.say("Type rules for how it is played, ? for help, and quit to leave.")?;
        self.places(terminal)
    }

    /// How the game is played.
    fn rules(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        for paragraph in self.at.open.primer() {
            terminal.say(&paragraph)?;
        }
        let game = &self.at.game;
        terminal.say(&format!("All numbers of the rules: fairhaven rules {game}."))
    }

    fn places(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let Some(places) = self.at.open.places() else { return Ok(()) };
        terminal.say("")?;
        match places.split_once("\n\n") {
            Some((words, drawing)) => {
                // The drawing comes after one more sentence.
                terminal.say(&format!("{}.", words.trim_end_matches([':', '.'])))?;
                terminal
                    .say("On the board, numbers of places are where you may do something now.")?;
                terminal.say("")?;
                terminal.draw(drawing)
            }
            None => terminal.say(&places),
        }
    }

    /// What has happened since the person was told last, and the table if others have changed it.
    fn tell(&mut self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let told = self.at.open.told(self.at.seat);
        // Of a match that is taken up, the last turns are told.
        let begins = self.seen == 0;
        let first = if begins { last_turn(told) } else { self.seen.min(told.len()) };
        let new = &told[first..];
        let others = begins || new.iter().any(|step| step.actor != Some(self.at.seat));
        screen::news(terminal, new, &mut self.turn)?;
        self.seen = told.len();
        let table = self.at.open.table_text(self.at.seat);
        if !others {
            if table.board != self.shown.board {
                screen::board(terminal, &table)?;
                self.shown.board.clone_from(&table.board);
            }
            return screen::lines(terminal, table.lines.iter().take(1));
        }
        if TRADE.contains(&self.at.open.asked().phase) {
            let lines = table.lines.iter().enumerate();
            let is_new =
                |(at, line): &(usize, &String)| *at == 0 || !self.shown.lines.contains(line);
            return screen::lines(terminal, lines.filter(is_new).map(|(_, line)| line));
        }
        self.show(terminal, table)
    }

    /// The table; the board if it is not as it was when it was shown last.
    fn show(&mut self, terminal: &mut Terminal<'_>, table: TableText) -> io::Result<()> {
        if table.board != self.shown.board {
            screen::board(terminal, &table)?;
        }
        screen::lines(terminal, &table.lines)?;
        self.shown = table;
        self.shown.price_line().map_or(Ok(()), |prices| terminal.say(&prices))
    }

    /// Asks until something has changed; false if the person leaves.
    fn decide(&mut self, terminal: &mut Terminal<'_>) -> Result<bool> {
        let menu = self.at.open.menu(self.at.seat);
        self.question(terminal)?;
        screen::menu(terminal, &menu)?;
        self.hint(terminal, &menu)?;
        let prompt = if menu.last_place().is_some() { PROMPT_WITH_PLACES } else { PROMPT };
        loop {
            let Some(typed) = terminal.ask(prompt)? else { return Ok(false) };
            match self.obey(terminal, &menu, &typed)? {
                Next::Ask => {}
                Next::Go => return Ok(true),
                Next::Leave => return Ok(false),
            }
        }
    }

    /// What the person is asked, and who has said what to its own offer.
    fn question(&mut self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let (seat, turn) = (self.at.seat, self.at.open.asked().turn);
        terminal.say("")?;
        let told = self.at.open.told(seat);
        if self.at.open.asked().phase != TRADE[1]
            && let Some(answered) = answered_offer(told, seat)
        {
            terminal.say(&format!("Your offer was answered. {answered}"))?;
        }
        let question = self.at.open.table_text(seat).question;
        terminal.say(&format!("Turn {turn}, it is your choice: {question}."))
    }

    /// Once, where places of a board are chosen: how one is named, since the board has other numbers than the list.
    fn hint(&mut self, terminal: &mut Terminal<'_>, menu: &Menu) -> io::Result<()> {
        if self.hinted {
            return Ok(());
        }
        let Some((last, number)) = menu.last_place() else { return Ok(()) };
        self.hinted = true;
        terminal.say(&format!(
            "A number is one of this list. A place on the board needs a word, too: `{}`, or `place {number}`.",
            last.words
        ))
    }

    fn obey(&mut self, terminal: &mut Terminal<'_>, menu: &Menu, typed: &str) -> Result<Next> {
        let lower = typed.to_lowercase();
        let (word, rest) = lower.split_once(' ').unwrap_or((&lower, ""));
        match (word, rest.trim()) {
            ("", "") => screen::menu(terminal, menu)?,
            ("?" | "help" | "h", "") => {
                let has_board = self.at.open.table_text(self.at.seat).board.is_some();
                terminal.say(&screen::help(has_board))?;
            }
            ("quit" | "exit" | "q", "") => return Ok(Next::Leave),
            ("save", "") => {
                let path = quoted(self.file.path());
                terminal.say(&format!("All decisions so far are kept in {path}."))?;
            }
            ("table", "") => {
                self.shown.board = None;
                let table = self.at.open.table_text(self.at.seat);
                self.show(terminal, table)?;
            }
            ("rules", "") => self.rules(terminal)?,
            ("places", "") => self.places(terminal)?,
            ("list" | "all", heading) => screen::listed(terminal, menu, heading)?,
            ("why", "") => self.advise(terminal, menu)?,
            ("undo", "") => return self.undo(terminal),
            _ if typed.starts_with('{') => return self.act_as_written(terminal, typed),
            _ => return self.act(terminal, menu, typed),
        }
        Ok(Next::Ask)
    }

    fn act(&mut self, terminal: &mut Terminal<'_>, menu: &Menu, typed: &str) -> Result<Next> {
        match menu.find(typed) {
            Found::One(entry) => {
                screen::understood(terminal, menu, (typed, entry))?;
                let chosen = self.at.open.choose(self.at.seat, entry.place);
                chosen.map_err(|error| anyhow!(error))?;
                return Ok(Next::Go);
            }
            Found::Several(entries) => screen::several(terminal, &entries)?,
            Found::Nothing => screen::unknown(terminal, menu, typed)?,
        }
        Ok(Next::Ask)
    }

    /// An action that the list may lack, such as an offer to one seat.
    fn act_as_written(&mut self, terminal: &mut Terminal<'_>, typed: &str) -> Result<Next> {
        match self.at.open.choose_written(self.at.seat, typed) {
            Ok(()) => Ok(Next::Go),
            Err(reason) if reason.contains(LACKS) => {
                let hand = self.at.open.table_text(self.at.seat).lines.into_iter().next();
                let hand = hand.unwrap_or_default();
                terminal.say(&format!("You don't hold all that you would give. {hand}"))?;
                Ok(Next::Ask)
            }
            Err(reason) => {
                terminal.say(&format!("Nothing is done: {reason}."))?;
                Ok(Next::Ask)
            }
        }
    }

    fn undo(&mut self, terminal: &mut Terminal<'_>) -> Result<Next> {
        match self.at.open.take_back(self.at.seat) {
            Ok(()) => {
                self.seen = self.seen.min(self.at.open.told(self.at.seat).len());
                terminal.say("Your last choice is taken back.")?;
                Ok(Next::Go)
            }
            Err(reason) => {
                terminal.say(&format!("Nothing is taken back: {reason}."))?;
                Ok(Next::Ask)
            }
        }
    }

    fn advise(&mut self, terminal: &mut Terminal<'_>, menu: &Menu) -> Result<()> {
        let agent = line_up::agent(ADVISER)?;
        let tries = ADVISER.rsplit('=').next().unwrap_or_default();
        terminal.say(&format!(
            "A search of {tries} tries ({ADVISER}), asked {ADVISER_SEARCHES} times, knows what you know. Chance to win \
             (95 %):"
        ))?;
        let (seed, searches) = (ADVISER_SEED, ADVISER_SEARCHES);
        let question = Question { agent: &agent, watch: &WATCH, seed, searches };
        match self.at.open.advice(self.at.seat, question) {
            Ok(thoughts) => screen::advice(terminal, menu, &thoughts, ADVISER_SEARCHES)?,
            Err(reason) => terminal.say(&format!("No advice: {reason}."))?,
        }
        terminal.say(
            "  A search chooses what it has looked at most. An interval says how sure it is of its figure, not how right that is.",
        )?;
        Ok(())
    }

    /// Who has won, with how many points.
    fn close(&mut self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let Some(outcome) = self.at.open.outcome() else { return Ok(()) };
        let hidden = self.at.open.hidden_points();
        terminal.say("")?;
        match outcome.winner {
            Some(seat) if seat == self.at.seat => terminal.say("You win.")?,
            Some(seat) => terminal.say(&format!("Seat {seat} wins."))?,
            None => {
                let why = outcome.end.name().replace('_', " ");
                terminal.say(&format!("Nobody wins: {why}."))?;
            }
        }
        for (seat, name) in Seat::all(outcome.seats).zip(&self.at.names) {
            let points = outcome.points[seat.idx()];
            let you = if seat == self.at.seat { "you" } else { short_name(&self.at.game, name) };
            let unit = if points == 1 { "point" } else { "points" };
            let unseen = match hidden[seat.idx()] {
                0 => String::new(),
                unseen if seat == self.at.seat => {
                    format!(", {unseen} of them hidden from the others")
                }
                unseen => format!(", {unseen} of them hidden until now"),
            };
            terminal.say(&format!("Seat {seat}: {points} {unit}{unseen} ({you})."))?;
        }
        Ok(())
    }
}

/// Where the last turn of a match begins among what was told; the beginning, if it has hardly begun.
fn last_turn(told: &[StepText]) -> usize {
    const FEW: usize = 40;
    let Some(last) = told.last() else { return 0 };
    if told.len() <= FEW {
        return 0;
    }
    told.iter().position(|step| step.turn + 1 >= last.turn).unwrap_or(0)
}
