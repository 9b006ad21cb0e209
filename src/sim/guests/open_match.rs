//! A match that is open to people and programs outside, in the messages of `docs/protocol.md`: what the doors hold,
//! without knowing which game it is.

use crate::core::agent::Agent;
use crate::core::game::Outcome;
use crate::core::guest::Asked;
use crate::core::opinion::Opinion;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::core::watch::Watch;
use crate::core::wording::Wording;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::choices::Pad;
use crate::sim::explain::answer::{Considered, Question};
use crate::sim::guests::in_words::{self, InWords, TableText};
use crate::sim::guests::menu::Menu;
use crate::sim::guests::outside::player;
use crate::sim::guests::protocol::{Choose, Want};
use crate::sim::guests::shown::{self, Scene};
use crate::sim::guests::teller::Teller;
use crate::sim::play::step_text::StepText;
use crate::sim::play::table::{OnlyChoice, ResumeError, Seats, Table};
use crate::sim::records::line::{Header, MatchSeed};

/// The number of the match in messages: it is the only one.
const NUMBER: u64 = 0;

/// A match with outside seats.
pub trait OpenMatch: InWords + Send {
    /// Plays to the next decision of an outside seat that has a choice, and says whose it is; nothing once the match is
    /// over.
    ///
    /// # Errors
    /// If a player of ours chooses what the rules forbid, or a guest fails.
    fn advance(&mut self) -> Result<Option<Seat>, String>;

    /// Plays one decision in which nobody outside has a choice. `false` if there is none.
    ///
    /// # Errors
    /// As [`OpenMatch::advance`].
    fn step(&mut self) -> Result<bool, String>;

    /// The lines for an outside seat since the last call: the game and the match at first, what has happened, and the
    /// question if it is asked, or the end. A question is told again, under a new number, until it is answered.
    fn tell(&mut self, seat: Seat) -> String;

    /// The answer of an outside seat to the last question that it was told.
    ///
    /// # Errors
    /// If it can't be read, answers another question, or is against the rules; nothing has changed then.
    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), String>;

    /// How the match has ended.
    fn outcome(&self) -> Option<Outcome>;

    /// Points of each seat that the others did not see before the end.
    fn hidden_points(&self) -> PerSeat<u8>;

    /// The record so far: whole lines.
    fn record(&self) -> &str;
}

/// A match that is opened to people and programs outside.
pub struct OpenPlan<'a> {
    /// The agents by seat; none where decisions come from outside.
    pub agents: &'a [Option<AgentSpec>],
    /// What the record says of itself.
    pub header: Header,
    /// Where the luck comes from.
    pub seed: MatchSeed,
    /// What agents ask of the outside.
    pub watch: &'a Watch,
    /// What outside seats are told besides the legal list.
    pub wants: Vec<Want>,
    /// What becomes of their only choices.
    pub only: OnlyChoice,
}

/// Who sits in each seat, by the names that a record has; none where decisions come from outside.
pub type Reseats<'a> = dyn Fn(&[String]) -> Result<Vec<Option<AgentSpec>>, String> + 'a;

/// Who goes on with a match that was left.
pub struct Reseat<'a> {
    /// The agents by seat.
    pub seats: &'a Reseats<'a>,
    /// What agents ask of the outside.
    pub watch: &'a Watch,
    /// What outside seats are told besides the legal list.
    pub wants: Vec<Want>,
    /// What becomes of their only choices.
    pub only: OnlyChoice,
}

/// Opens a match.
///
/// # Errors
/// If an agent can't be made.
pub fn open<G: Opinion + Wording>(
    game: &G,
    added: &[AddedAgent<G>],
    plan: OpenPlan<'_>,
) -> Result<Box<dyn OpenMatch>, BadAgent> {
    let OpenPlan { agents, header, seed, watch, wants, only } = plan;
    let seats = seated(agents, game, added, watch)?;
    let header = Header { seed: Some(seed), ..header };
    let seed = BlockSeed::new(seed.master, seed.block);
    let table = Table::open(game.clone(), seats, seed, header).with_only_choice(only);
    Ok(Box::new(Told::new(table, seed, wants).among(added)))
}

/// Opens a match again from its record, of which the end may be missing.
///
/// # Errors
/// If the record is not that of a match of ours, or nobody can be seated.
pub fn reopen<G: Opinion + Wording>(
    record: &str,
    added: &[AddedAgent<G>],
    Reseat { seats, watch, wants, only }: Reseat<'_>,
) -> Result<Box<dyn OpenMatch>, ResumeError> {
    let mut seed = BlockSeed::new(0, 0);
    let table = Table::resume(record, only, |game: &G, header| {
        let agents = seats(&header.agents)?;
        seed = header.seed.map_or(seed, |seed| BlockSeed::new(seed.master, seed.block));
        seated(&agents, game, added, watch).map_err(|error| error.to_string())
    })?;
    Ok(Box::new(Told::new(table, seed, wants).among(added)))
}

fn seated<G: Opinion + Wording>(
    agents: &[Option<AgentSpec>],
    game: &G,
    added: &[AddedAgent<G>],
    watch: &Watch,
) -> Result<Seats<G, G::Special>, BadAgent> {
    let pad = Pad::default();
    let seat = |agent: &Option<AgentSpec>| {
        agent.as_ref().map(|agent| player(agent, game, added, (watch, &pad))).transpose()
    };
    agents.iter().map(seat).collect()
}

/// A table, and what each outside seat is told.
pub struct Told<G: Opinion + Wording, K: Agent<G>> {
    table: Table<G, K>,
    teller: Teller<G>,
    seats: [TellState; SEATS_MAX],
    /// Agents that were added to those of the game.
    added: Vec<AddedAgent<G>>,
    /// Where the luck comes from.
    seed: BlockSeed,
    /// The number of the last question.
    question: u64,
}

/// How much a seat was told.
#[derive(Debug, Clone, Copy, Default)]
struct TellState {
    begun: bool,
    ended: bool,
    /// The number of the question that it has not answered.
    asked: Option<u64>,
}

impl<G: Opinion + Wording, K: Agent<G>> Told<G, K> {
    /// A match of which outside seats are told these things.
    pub fn new(table: Table<G, K>, seed: BlockSeed, wants: Vec<Want>) -> Told<G, K> {
        let teller = Teller::new(table.game(), wants);
        let seats = [TellState::default(); SEATS_MAX];
        Told { table, teller, seats, added: Vec::new(), seed, question: 0 }
    }

    /// A seat that is asked does something.
    fn does(&mut self, seat: Seat, action: G::Action) -> Result<(), String> {
        self.table.choose(action).map_err(|illegal| illegal.to_string())?;
        self.seats[seat.idx()].asked = None;
        Ok(())
    }

    /// The same, of a game to which agents were added: they can be asked for advice.
    #[must_use]
    pub fn among(self, added: &[AddedAgent<G>]) -> Told<G, K> {
        Told { added: added.to_vec(), ..self }
    }
}

impl<G: Opinion + Wording, K: Agent<G> + Send> InWords for Told<G, K> {
    fn told(&self, seat: Seat) -> &[StepText] {
        self.table.told(seat)
    }

    fn table_text(&mut self, seat: Seat) -> TableText {
        let is_asked = self.table.awaits() == Some(seat);
        let legal = if is_asked { self.table.legal().clone() } else { Actions::new() };
        TableText::of(self.table.game(), &self.table.observation(seat).view, legal.as_slice())
    }

    fn primer(&self) -> Vec<String> {
        self.table.game().primer()
    }

    fn places(&self) -> Option<String> {
        self.table.game().places()
    }

    fn asked(&self) -> Asked {
        self.table.asked()
    }

    fn menu(&mut self, seat: Seat) -> Menu {
        if self.table.awaits() == Some(seat) {
            let legal = self.table.legal().clone();
            Menu::of(self.table.game(), &self.table.observation(seat).view, &legal)
        } else {
            Menu::default()
        }
    }

    fn choose(&mut self, seat: Seat, place: usize) -> Result<(), String> {
        if self.table.awaits() != Some(seat) {
            return Err(format!("seat {seat} is not asked"));
        }
        let action = self.table.legal().get(place).copied();
        let action = action.ok_or_else(|| format!("there is no entry {place}"))?;
        self.does(seat, action)
    }

    fn choose_written(&mut self, seat: Seat, action: &str) -> Result<(), String> {
        let action: G::Action = serde_json::from_str(action)
            .map_err(|error| format!("the action can't be read: {error}"))?;
        if self.table.awaits() != Some(seat) {
            return Err(format!("seat {seat} is not asked"));
        }
        self.does(seat, action)
    }

    fn take_back(&mut self, seat: Seat) -> Result<(), String> {
        self.table.take_back(seat).map_err(|refused| refused.0)?;
        self.seats[seat.idx()].asked = None;
        Ok(())
    }

    fn shown(&mut self, seat: Seat, since: usize) -> String {
        shown::shown(&mut self.table, seat, since)
    }

    fn scene(&mut self, seat: Seat) -> Scene {
        shown::scene(&mut self.table, seat)
    }

    fn described(&self) -> String {
        shown::described(self.table.game())
    }

    fn advice(&mut self, seat: Seat, question: Question<'_>) -> Result<Vec<Considered>, String> {
        in_words::advice(&mut self.table, &self.added, seat, question)
    }
}

impl<G: Opinion + Wording, K: Agent<G> + Send> OpenMatch for Told<G, K> {
    fn advance(&mut self) -> Result<Option<Seat>, String> {
        self.table.advance().map_err(|fault| fault.to_string())
    }

    fn step(&mut self) -> Result<bool, String> {
        self.table.step().map_err(|fault| fault.to_string())
    }

    fn tell(&mut self, seat: Seat) -> String {
        if !self.table.is_outside(seat) {
            return String::new();
        }
        let mut lines = Vec::new();
        let state = &mut self.seats[seat.idx()];
        if !std::mem::replace(&mut state.begun, true) {
            self.teller.game(&mut lines);
            let rng = self.seed.stream(Stream::Agent, Some(seat), 0);
            self.teller.begins(NUMBER, seat, &rng, &mut lines);
        }
        for news in self.table.take_news(seat) {
            self.teller.happened(NUMBER, news, &mut lines);
        }
        if self.table.awaits() == Some(seat) {
            self.question += 1;
            state.asked = Some(self.question);
            let legal = self.table.legal().clone();
            let (ids, asked) = ((self.question, NUMBER), self.table.asked());
            self.teller.asks(ids, asked, (&self.table.observation(seat), &legal), &mut lines);
        }
        if let Some(outcome) = self.table.outcome()
            && !std::mem::replace(&mut state.ended, true)
        {
            Teller::<G>::ends(NUMBER, &outcome, self.table.asked().turn, &mut lines);
        }
        String::from_utf8(lines).expect("JSON is text")
    }

    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), String> {
        let choice: Choose<G::Action> = serde_json::from_str(line)
            .map_err(|error| format!("the answer can't be read: {error}"))?;
        let Some(asked) = self.seats.get(seat.idx()).and_then(|state| state.asked) else {
            return Err(format!("seat {seat} is not asked"));
        };
        if choice.id != asked || self.table.awaits() != Some(seat) {
            return Err(format!("question {} is not the one that is open", choice.id));
        }
        let listed = self.table.legal();
        let action = match (choice.index, choice.action) {
            (Some(index), None) => listed.get(index).copied().ok_or_else(|| {
                format!("there is no entry {index} in a list of {}", listed.len())
            })?,
            (None, Some(action)) => action,
            _ => return Err("the answer has neither `index` nor `action`, or both".to_owned()),
        };
        self.does(seat, action)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.table.outcome()
    }

    fn hidden_points(&self) -> PerSeat<u8> {
        self.table.hidden_points()
    }

    fn record(&self) -> &str {
        self.table.record()
    }
}
