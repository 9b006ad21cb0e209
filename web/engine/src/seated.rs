//! A match with a person in it, as a page plays it: dealt or taken up from its record, shown, answered, taken back, and
//! judged at its end.

use crate::{Refusal, offered};
use fairhaven_engine::core::types::seat::Seat;
use fairhaven_engine::core::watch::Watch;
use fairhaven_engine::registry::Games;
use fairhaven_engine::sim::agents::spec::AgentSpec;
use fairhaven_engine::sim::any_game::RecordedMatch;
use fairhaven_engine::sim::explain::answer::{Considered, Question};
use fairhaven_engine::sim::explain::verdict::{how_judged, verdict};
use fairhaven_engine::sim::guests::in_words::{ADVISER, ADVISER_SEARCHES, ADVISER_SEED};
use fairhaven_engine::sim::guests::open_match::{OpenMatch, OpenPlan, Reseat};
use fairhaven_engine::sim::guests::seating::{
    BadSeating, LEVEL, fit_for_people, named, names_of, next_match, recorded_names, seat_of, seats,
};
use fairhaven_engine::sim::play::table::OnlyChoice;
use fairhaven_engine::sim::records::check::peek_game;
use fairhaven_engine::sim::records::line::{Header, MatchSeed, PERSON};
use serde::{Deserialize, Serialize};

/// The largest record that is taken up: far above that of any match.
const RECORD_MAX: usize = 8 << 20;

/// The longest action that is read.
const ACTION_MAX: usize = 2000;

/// What is to be dealt. What is not said is as in `fairhaven play`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    game: String,
    /// Levels or agents: one for all other seats, or one for each, separated by commas.
    agents: Option<String>,
    /// Those of people, from 1; the first if none is named.
    seats: Option<Vec<u8>>,
    players: Option<u8>,
    /// Text, since JavaScript rounds large numbers.
    seed: Option<String>,
}

/// A match with a person in it.
pub struct SeatedMatch {
    open: Box<dyn OpenMatch>,
    game: String,
    names: Vec<String>,
    watch: Watch,
}

/// Who sits where.
#[derive(Debug, Serialize)]
struct Sitting<'a> {
    game: &'a str,
    /// By seat, as the record names them.
    names: &'a [String],
    /// Seats of people.
    persons: Vec<Seat>,
}

/// What a search thinks of what a seat may do.
#[derive(Debug, Serialize)]
struct Advice {
    adviser: &'static str,
    searches: u32,
    actions: Vec<Considered>,
}

/// What is said of a match that is over.
#[derive(Debug, Serialize)]
struct Verdict {
    lines: Vec<String>,
}

impl SeatedMatch {
    /// Deals the match that is asked for, as JSON.
    ///
    /// # Errors
    /// If there is no such game, agent or seat.
    pub fn deal(asked: &str) -> Result<SeatedMatch, Refusal> {
        let asked: Asked = serde_json::from_str(asked).map_err(|error| error.to_string())?;
        let games = Games::standard();
        let game = games.get(&asked.game).ok_or_else(|| no_game(&asked.game))?;
        let agents = asked.agents.as_deref().unwrap_or(LEVEL);
        let players = asked.players.unwrap_or(offered::usual_players(game));
        let loaded = game.load(game.default_rules(), players).map_err(|error| error.to_string())?;
        let persons = persons_of(asked.seats.unwrap_or(vec![1]))?;
        let read = |name: &str| offered::agent(&asked.game, name).map_err(Read);
        let seats = seats(&named(agents), (&persons, players), read).map_err(|error| error.0)?;
        let master = asked.seed.as_deref().unwrap_or("1").trim();
        let master = master.parse().map_err(|_| "a seed is a whole number below 2^64")?;
        let seed = MatchSeed { master, block: 0, match_idx: 0 };
        let (names, watch) = (names_of(&seats), Watch::none());
        let header = Header::new(names.clone(), Some(seed));
        let (wants, only) = (Vec::new(), OnlyChoice::Asked);
        let plan = OpenPlan { agents: &seats, header, seed, watch: &watch, wants, only };
        let open = loaded.open_match(plan).map_err(|error| error.to_string())?;
        Ok(SeatedMatch { open, game: asked.game, names, watch })
    }

    /// Takes a match up from its record, of which the end may be missing.
    ///
    /// # Errors
    /// If it is no record of a match with a person, or its other players can't be seated.
    pub fn take_up(record: &str) -> Result<SeatedMatch, Refusal> {
        let game = named_game(record)?;
        let games = Games::standard();
        let kind = games.get(&game).ok_or_else(|| no_game(&game))?;
        let seats = |names: &[String]| reseated(&game, names);
        let watch = Watch::none();
        let (wants, only) = (Vec::new(), OnlyChoice::Asked);
        let reseat = Reseat { seats: &seats, watch: &watch, wants, only };
        let open = kind.reopen_match(record, reseat).map_err(|error| error.to_string())?;
        let names = recorded_names(open.record()).map_err(|error| error.to_string())?;
        Ok(SeatedMatch { open, game, names, watch })
    }

    /// The match that comes after this one: the same game, rules and players, the next seed.
    ///
    /// # Errors
    /// If it can't be dealt.
    pub fn next(&self) -> Result<SeatedMatch, Refusal> {
        let (_, begun) = next_match(self.record()).ok_or("the record does not say its seed")?;
        SeatedMatch::take_up(&begun)
    }

    /// Who sits where, as one JSON object.
    pub fn sitting(&self) -> String {
        let persons = Seat::all(self.players()).filter(|seat| self.is_person(*seat));
        let sitting = Sitting { game: &self.game, names: &self.names, persons: persons.collect() };
        json(&sitting)
    }

    /// Plays one decision in which no person has a choice; `false` if there is none.
    ///
    /// # Errors
    /// If an agent breaks the rules.
    pub fn step(&mut self) -> Result<bool, Refusal> {
        self.open.step()
    }

    /// What a person sees and may do now, as one JSON object; of what happened, the steps from the `since`th.
    ///
    /// # Errors
    /// If nobody sits there.
    pub fn shown(&mut self, seat: u8, since: u32) -> Result<String, Refusal> {
        let seat = self.person(seat)?;
        Ok(self.open.shown(seat, usize::try_from(since).unwrap_or(usize::MAX)))
    }

    /// The game, its rules, and the catalogue of words and places, as one JSON object.
    pub fn described(&self) -> String {
        self.open.described()
    }

    /// The board with the numbers of its places; nothing for a game without one.
    pub fn places(&self) -> Option<String> {
        self.open.places()
    }

    /// Does what stands at a place of the game's list, from 0.
    ///
    /// # Errors
    /// If the seat is not asked, or there is no such place; nothing has changed then.
    pub fn choose(&mut self, seat: u8, place: u32) -> Result<(), Refusal> {
        let seat = self.person(seat)?;
        self.open.choose(seat, usize::try_from(place).unwrap_or(usize::MAX))
    }

    /// Does an action that is written as records write it, listed or not.
    ///
    /// # Errors
    /// If it can't be read, the seat is not asked, or the rules forbid it; nothing has changed then.
    pub fn choose_written(&mut self, seat: u8, action: &str) -> Result<(), Refusal> {
        let seat = self.person(seat)?;
        if action.len() > ACTION_MAX {
            return Err("it is longer than any action".to_owned());
        }
        self.open.choose_written(seat, action)
    }

    /// Takes back the seat's last choice.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn take_back(&mut self, seat: u8) -> Result<(), Refusal> {
        let seat = self.person(seat)?;
        self.open.take_back(seat)
    }

    /// What a search thinks of what a seat may do, as one JSON object.
    ///
    /// # Errors
    /// If the seat is not asked.
    pub fn why(&mut self, seat: u8) -> Result<String, Refusal> {
        let seat = self.person(seat)?;
        let agent = AgentSpec::parse(ADVISER, None).map_err(|error| error.to_string())?;
        let (seed, searches) = (ADVISER_SEED, ADVISER_SEARCHES);
        let question = Question { agent: &agent, watch: &self.watch, seed, searches };
        let actions = self.open.advice(seat, question)?;
        Ok(json(&Advice { adviser: ADVISER, searches, actions }))
    }

    /// The record so far: whole lines.
    pub fn record(&self) -> &str {
        self.open.record()
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.open.outcome().is_some()
    }

    /// How the match went for a seat, as one JSON object: luck, mistakes, the turning point.
    ///
    /// # Errors
    /// If the match is not over.
    pub fn verdict(&self, seat: u8) -> Result<String, Refusal> {
        let seat = self.person(seat)?;
        if !self.is_over() {
            return Err("the match is not over".to_owned());
        }
        let (played, _) = recorded(self.open.record())?;
        let lines = verdict(&*played, seat, &self.watch).map_err(|error| error.to_string())?;
        let mut lines = lines.to_vec();
        lines.push(how_judged());
        Ok(json(&Verdict { lines }))
    }

    fn players(&self) -> u8 {
        u8::try_from(self.names.len()).expect("a table has few seats")
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.names.get(seat.idx()).is_some_and(|name| name == PERSON)
    }

    /// The seat of a number that came from outside, if a person sits there.
    fn person(&self, number: u8) -> Result<Seat, Refusal> {
        let seat = seat_of(number).map_err(|error| error.to_string())?;
        let is_person = self.is_person(seat).then_some(seat);
        is_person.ok_or_else(|| format!("nobody here sits in seat {number}"))
    }
}

/// The match of a record, and the names by seat.
///
/// # Errors
/// If it is none, with its first fault.
pub fn recorded(record: &str) -> Result<RecordedMatch, Refusal> {
    let kind = named_game(record)?;
    let games = Games::standard();
    let game = games.get(&kind).ok_or_else(|| no_game(&kind))?;
    game.recorded(&mut record.as_bytes()).map_err(|error| error.to_string())
}

/// The game that a record names, if it is no larger than one can be.
fn named_game(record: &str) -> Result<String, Refusal> {
    if record.len() > RECORD_MAX {
        return Err("it is larger than any record of a match".to_owned());
    }
    peek_game(record.as_bytes()).map_err(|error| error.to_string())
}

/// Where people sit, each seat once, in their order.
fn persons_of(mut numbers: Vec<u8>) -> Result<Vec<Seat>, Refusal> {
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty() {
        return Err("somebody must play".to_owned());
    }
    let seats = numbers.into_iter().map(seat_of).collect::<Result<_, _>>();
    seats.map_err(|error| error.to_string())
}

/// Agents of a record by its names, which nobody has vouched for.
fn reseated(game: &str, names: &[String]) -> Result<Vec<Option<AgentSpec>>, Refusal> {
    if !names.iter().any(|name| name == PERSON) {
        return Err(format!("nobody in it is a {PERSON}"));
    }
    let seat = |name: &String| {
        if name == PERSON {
            return Ok(None);
        }
        fit_for_people(offered::agent(game, name)?).map(Some).map_err(|error| error.to_string())
    };
    names.iter().map(seat).collect()
}

/// A refusal, where a kind of error is asked for.
struct Read(Refusal);

impl From<BadSeating> for Read {
    fn from(error: BadSeating) -> Read {
        Read(error.0)
    }
}

fn no_game(name: &str) -> Refusal {
    format!("there is no game `{name}`")
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it has names for keys")
}
