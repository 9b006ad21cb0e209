//! A match in which some seats decide outside: it is played up to their next decision, answered by an action, and
//! recorded from the deal on. A record that was cut off anywhere is enough to sit down again.

use super::absent::Absent;
use super::step_text::{StepText, StepTexts, last_choice};
use super::way_back::{Back, NoWayBack, WayBack};
use super::{AgentFault, Arena, Choice, Running};
use crate::core::agent::{Agent, NoAgent, Player};
use crate::core::game::{ActionFilter, IllegalAction, Observation, Outcome, Turn};
use crate::core::guest::{Asked, News};
use crate::core::record::Recorder;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::core::wording::{Stands, Wording};
use crate::sim::records::check::{lines_max, open};
use crate::sim::records::error::{RecordError, RecordFault};
use crate::sim::records::jsonl::JsonlRecorder;
use crate::sim::records::line::{DecisionLine, Header};
use crate::sim::records::read::{LineKind, Lines};

/// Who sits in each seat: a player of ours, or nobody where decisions come from outside.
pub type Seats<G, K> = Vec<Option<Player<G, K>>>;

/// What becomes of the only choice that an outside seat has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnlyChoice {
    /// It is taken: programs are asked where there is something to choose.
    #[default]
    Taken,
    /// It is asked for where it would end the way back from what the seat chose last: people may think again before a turn
    /// ends. With several people all of them are: who is not asked shows the others what is not in their hand.
    Asked,
}

/// A match with outside seats.
pub struct Table<G: Wording, K: Agent<G> = NoAgent> {
    arena: Arena<G>,
    players: Vec<Player<G, K>>,
    /// Seats whose decisions come from outside.
    outside: Vec<bool>,
    /// The player of each seat: its own.
    seat_of: Vec<usize>,
    at: Running<G>,
    record: (JsonlRecorder, StepTexts<G>),
    over: bool,
    /// What an outside seat may take back.
    backs: WayBack<G>,
    only: OnlyChoice,
}

/// Why a record is not taken up.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The record, at a line.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Its players can't be seated.
    #[error("{0}")]
    Seats(String),
}

impl<G: Wording, K: Agent<G>> Table<G, K> {
    /// Deals a match. All luck comes from the block's seed, as in a study.
    pub fn open(game: G, seats: Seats<G, K>, seed: BlockSeed, header: Header) -> Table<G, K> {
        let outside: Vec<bool> = seats.iter().map(Option::is_none).collect();
        let told = Seat::all(game.players()).zip(&outside).filter(|(_, outside)| **outside);
        let told = StepTexts::new(told.map(|(seat, _)| seat).collect());
        let seat_of: Vec<usize> = (0..seats.len()).collect();
        let announce = |game: G| move |state: &G::State| asked(&game, state);
        let absent = || Player::Guest(Box::new(Absent), Box::new(announce(game.clone())));
        let mut players: Vec<Player<G, K>> =
            seats.into_iter().map(|player| player.unwrap_or_else(absent)).collect();
        let mut record = (JsonlRecorder::new(header), told);
        let mut arena = Arena::new(game);
        let at = arena.start(&mut players, &seat_of, seed, &mut record as &mut dyn Recorder<G>);
        let (backs, only) = (WayBack::new(), OnlyChoice::Taken);
        Table { arena, players, outside, seat_of, at, record, over: false, backs, only }
    }

    /// The same table, of which outside seats are asked so for the only choice that they have.
    #[must_use]
    pub fn with_only_choice(self, only: OnlyChoice) -> Table<G, K> {
        Table { only, ..self }
    }

    /// Takes a match up from its record, of which the end may be missing. `seats` says who sits where. Decisions of the
    /// record stand, and nobody is asked for them again; players of ours go on with new streams of random numbers.
    ///
    /// # Errors
    /// If a line is not what follows from those before it, or nobody can be seated.
    pub fn resume(
        record: &str,
        only: OnlyChoice,
        seats: impl FnOnce(&G, &Header) -> Result<Seats<G, K>, String>,
    ) -> Result<Table<G, K>, ResumeError> {
        let whole = &record[..record.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = Lines::new(whole.as_bytes());
        let (game, header) = open::<G, _>(&mut lines)?;
        lines.allow(lines_max(&game));
        let unseeded = || RecordFault::Malformed("it does not say where its luck came from".into());
        let seed = header.seed.ok_or_else(|| lines.fault(unseeded()))?;
        let seats = seats(&game, &header).map_err(ResumeError::Seats)?;
        let seed = BlockSeed::new(seed.master, seed.block);
        let mut table = Table::open(game, seats, seed, header).with_only_choice(only);
        table.replay(&mut lines)?;
        let record = table.record();
        if !record.starts_with(whole) {
            let same = record.lines().zip(whole.lines()).take_while(|(due, found)| due == found);
            let line = 1 + same.count() as u64;
            let reason = "it does not follow from the lines before it".to_owned();
            return Err(RecordError { line, reason: RecordFault::Malformed(reason) }.into());
        }
        let decided = u16::try_from(table.at.decision).unwrap_or(u16::MAX);
        for seat in Seat::all(table.game().players()) {
            table.arena.rngs[seat.idx()] = seed.stream(Stream::Agent, Some(seat), decided);
        }
        Ok(table)
    }

    fn replay(&mut self, lines: &mut Lines<&[u8]>) -> Result<(), RecordError> {
        loop {
            match lines.advance()? {
                LineKind::Nothing => return Ok(()),
                LineKind::Decision => {
                    let line: DecisionLine<G::Action> = lines.parse()?;
                    self.again(line.action)
                        .map_err(|illegal| lines.fault(RecordFault::Illegal(illegal.0)))?;
                }
                _ => {}
            }
        }
    }

    /// Does what a record says was done next. A choice of an outside seat can be taken back as before.
    fn again(&mut self, action: G::Action) -> Result<(), IllegalAction> {
        if self.awaits().is_some() {
            return self.choose(action);
        }
        let turn = self.arena.game.turn(&self.at.state);
        let stands = self.carry_out(action)?;
        if let Turn::Decide(seat) = turn {
            self.keep_backs(seat, stands);
        }
        Ok(())
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.arena.game
    }

    /// The position, hidden hands included.
    pub fn state(&self) -> &G::State {
        &self.at.state
    }

    /// Whether the decisions of a seat come from outside.
    pub fn is_outside(&self, seat: Seat) -> bool {
        self.outside.get(seat.idx()) == Some(&true)
    }

    /// Plays to the next decision of an outside seat that has a choice, and says whose it is; nothing once the match is
    /// over.
    ///
    /// # Errors
    /// If a player of ours chooses what the rules forbid, or a guest fails.
    pub fn advance(&mut self) -> Result<Option<Seat>, AgentFault> {
        loop {
            if let Some(seat) = self.awaits() {
                return Ok(Some(seat));
            }
            if !self.step()? {
                return Ok(None);
            }
        }
    }

    /// The outside seat that has a choice now, or one that is asked for its only choice.
    pub fn awaits(&mut self) -> Option<Seat> {
        let Turn::Decide(seat) = self.arena.game.turn(&self.at.state) else { return None };
        if !self.outside[seat.idx()] {
            return None;
        }
        let asks = self.only == OnlyChoice::Asked;
        if asks && self.outside.iter().filter(|&&outside| outside).count() > 1 {
            return Some(seat);
        }
        let has_back = asks && self.backs.is_of(seat);
        let &[only] = self.legal().as_slice() else { return Some(seat) };
        (has_back && G::stands(&self.at.state, only).is_some()).then_some(seat)
    }

    /// Plays one decision: of a player of ours, or the only one that an outside seat has. `false` if the match is over,
    /// or an outside seat has a choice.
    ///
    /// # Errors
    /// As [`Table::advance`].
    pub fn step(&mut self) -> Result<bool, AgentFault> {
        let Turn::Decide(seat) = self.arena.game.turn(&self.at.state) else { return Ok(false) };
        if self.awaits().is_some() {
            return Ok(false);
        }
        let choice = if self.outside[seat.idx()] {
            let &[action] = self.legal().as_slice() else { return Ok(false) };
            Choice { action, listed: 1 }
        } else {
            let player = &mut self.players[self.seat_of[seat.idx()]];
            self.arena.decide(&self.at, seat, player).map_err(|fault| *fault)?
        };
        let stands = self.take(seat, choice);
        self.keep_backs(seat, stands);
        Ok(true)
    }

    /// The actions to choose from, in the game's order; empty once the match is over.
    pub fn legal(&mut self) -> &Actions<G::Action> {
        self.arena.game.legal(&self.at.state, ActionFilter::Full, &mut self.arena.legal);
        &self.arena.legal
    }

    /// Carries out what an outside seat has chosen, listed or not.
    ///
    /// # Errors
    /// If no outside seat has a choice now, or the rules forbid the action; nothing has changed then.
    pub fn choose(&mut self, action: G::Action) -> Result<(), IllegalAction> {
        let asked = || IllegalAction("nobody outside is asked now".to_owned());
        let seat = self.awaits().ok_or_else(asked)?;
        let unheard = self
            .arena
            .guests
            .iter()
            .map(|(_, unheard)| unheard.lock().expect("one thread at a time").news.len());
        let back = Back {
            seat,
            at: self.at.clone(),
            memories: self.arena.memories.clone(),
            mark: self.record.0.mark(),
            unheard: unheard.collect(),
        };
        self.record.1.ask(true);
        let done = self.carry_out(action);
        self.record.1.ask(false);
        let stands = done?;
        self.backs.push(back);
        self.keep_backs(seat, stands);
        Ok(())
    }

    fn keep_backs(&mut self, seat: Seat, stands: Option<Stands>) {
        let ends = match stands {
            _ if self.over => Some(NoWayBack::Over),
            _ if self.record.1.was_lucky() => Some(NoWayBack::Luck),
            stands => stands.map(NoWayBack::Stands),
        };
        self.backs.keep(seat, ends);
    }

    /// Why an outside seat can't take back its last choice now; nothing if it can.
    pub fn why_no_way_back(&self, seat: Seat) -> Option<&'static str> {
        self.backs.why_not(seat, last_choice(self.told(seat), seat) > 0)
    }

    /// Takes back the last choice of an outside seat, as if it had not been made, if nobody else has acted since, and
    /// nothing came up that the seat did not know.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn take_back(&mut self, seat: Seat) -> Result<(), IllegalAction> {
        if let Some(why) = self.why_no_way_back(seat) {
            return Err(IllegalAction(why.to_owned()));
        }
        let Back { at, memories, mark, unheard, .. } =
            self.backs.pop().expect("there is a way back");
        let steps = self.at.decision.saturating_sub(at.decision) as usize;
        self.at = at;
        self.arena.memories = memories;
        self.record.0.rewind(mark);
        self.record.1.take_back(steps);
        for ((_, untold), length) in self.arena.guests.iter().zip(unheard) {
            untold.lock().expect("one thread at a time").news.truncate(length);
        }
        Ok(())
    }

    /// Carries out an action, and says why it can't be taken back, luck aside.
    fn carry_out(&mut self, action: G::Action) -> Result<Option<Stands>, IllegalAction> {
        let Turn::Decide(seat) = self.arena.game.turn(&self.at.state) else {
            return Err(IllegalAction("the match is over".to_owned()));
        };
        self.arena.game.permits(&self.at.state, action)?;
        let listed = self.arena.game.count(&self.at.state, ActionFilter::Full);
        Ok(self.take(seat, Choice { action, listed }))
    }

    fn take(&mut self, seat: Seat, choice: Choice<G::Action>) -> Option<Stands> {
        let stands = G::stands(&self.at.state, choice.action);
        let record: &mut dyn Recorder<G> = &mut self.record;
        self.arena.carry_out(&mut self.at, seat, choice, record);
        if self.arena.game.turn(&self.at.state) == Turn::Over && !self.over {
            self.over = true;
            self.record.on_end(&self.arena.game, &self.at.state);
            self.arena.dismiss(&mut self.players, &self.seat_of, &self.at.state);
        }
        stands
    }

    /// What an outside seat sees now and remembers.
    ///
    /// # Panics
    /// If it is no outside seat: the memories of the others are kept only if their players read them.
    pub fn observation(&self, seat: Seat) -> Observation<'_, G> {
        assert!(self.is_outside(seat), "seat {seat} is not outside");
        let memory = &self.arena.memories[seat.idx()];
        Observation { seat, view: self.arena.game.view(&self.at.state, seat), memory }
    }

    /// What is asked now, as far as it is open to all.
    pub fn asked(&self) -> Asked {
        asked(&self.arena.game, &self.at.state)
    }

    /// What an outside seat may know of what has happened since the last call; nothing for other seats.
    pub fn take_news(&mut self, seat: Seat) -> Vec<News<G>> {
        let outside = self.is_outside(seat);
        let heard = self.arena.guests.iter().find(|(other, _)| outside && *other == seat);
        let unheard = heard.map(|(_, unheard)| unheard.lock().expect("one thread at a time"));
        unheard.map(|mut unheard| std::mem::take(&mut unheard.news)).unwrap_or_default()
    }

    /// How the match has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| self.arena.game.outcome(&self.at.state))
    }

    /// Points of each seat that the others did not see before the end; none while the match goes on.
    pub fn hidden_points(&self) -> PerSeat<u8> {
        let (game, end) = (&self.arena.game, &self.at.state);
        std::array::from_fn(|at| match Seat::all(game.players()).nth(at) {
            Some(seat) if self.over => game.hidden_points(end, seat),
            _ => 0,
        })
    }

    /// The record so far: whole lines.
    pub fn record(&self) -> &str {
        self.record.0.as_str()
    }

    /// All that an outside seat was told of what happened, in words: the deal, and each decision. Nothing for others.
    pub fn told(&self, seat: Seat) -> &[StepText] {
        self.record.1.told(seat)
    }

    /// The number of the decision that comes next, from 0.
    pub fn decision(&self) -> u32 {
        self.at.decision
    }
}

/// What is asked in a position, as far as it is open to all.
pub fn asked<G: Wording>(game: &G, state: &G::State) -> Asked {
    Asked { turn: game.turn_number(state), phase: game.phase_name(state) }
}

#[cfg(test)]
mod tests;
