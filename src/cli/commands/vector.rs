//! Matches side by side, in which the process around the program decides for some seats, in arrays. Seats count from 1.

use crate::cli::commands::host::EMBEDDED_WATCH;
use crate::cli::commands::{choose, run, threads};
use crate::cli::running::RuleChoice;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::lab::setup::line_up;
use crate::sim::agents::spec::AgentSpec;
pub use crate::sim::arrays::lane::Ended;
use crate::sim::arrays::lane::Outside;
pub use crate::sim::arrays::vector::{By, Lists, Seen, Told};
use crate::sim::arrays::vector::{MatchVector, VectorPlan};
use crate::sim::guests::seating::{self, full_name, named, seat_of};
use anyhow::{Context, Result};
use rayon::ThreadPool;
use serde::Serialize;
use std::path::PathBuf;

/// Parts of the matches for each thread, so that none waits long for another.
const PARTS: usize = 4;

/// What is played side by side, and by whom.
pub struct VectorOpening<'a> {
    /// The game.
    pub game: String,
    /// A file with fields of the rule set.
    pub rules: Option<PathBuf>,
    /// Fields of the rule set, as `field=value`.
    pub sets: Vec<String>,
    /// How many matches.
    pub matches: usize,
    /// The seats outside, from 1: all if the list is empty. Nothing for one seat, the next one in each deal.
    pub seats: Option<&'a [u8]>,
    /// Who sits in the others: one for all, or one for each, with commas between them.
    pub agents: &'a str,
    /// Players at the table; the game's usual number if not given.
    pub players: Option<u8>,
    /// The master seed.
    pub seed: u64,
    /// Whether seats outside may offer trades.
    pub offers: bool,
    /// Whether records are written.
    pub records: bool,
    /// How many threads play; as many as there are cores if not given.
    pub threads: Option<usize>,
}

/// Matches side by side, and the threads that play them.
pub struct Vector {
    matches: Box<dyn MatchVector>,
    pool: Option<ThreadPool>,
    players: u8,
}

impl Vector {
    /// Makes them; they are dealt at the first reset.
    ///
    /// # Errors
    /// If the rules can't be played with, somebody can't be seated, or threads can't be started.
    pub fn new(opening: VectorOpening<'_>) -> Result<Vector> {
        let VectorOpening { game, rules, sets, matches, seats, agents, players, .. } = opening;
        let rules = RuleChoice { game, rules, sets };
        let game = choose::game(&rules, choose::players(&rules, players)?)?;
        let players = game.players();
        let numbered = |seats: &[u8]| -> Result<Vec<Seat>> {
            Ok(seats.iter().map(|seat| seat_of(*seat)).collect::<Result<_, _>>()?)
        };
        let outside = match seats {
            None => Outside::Turns,
            Some([]) => Outside::Seats(Seat::all(players).collect()),
            Some(seats) => Outside::Seats(numbered(seats)?),
        };
        let persons = match &outside {
            Outside::Turns => &[Seat::FIRST][..],
            Outside::Seats(seats) => seats,
        };
        let read = |name: &str| line_up::agent(&full_name(&rules.game, name));
        let names = named(agents);
        let seated = seating::seats(&names, (persons, players), read)?;
        let mut others: Vec<AgentSpec> = seated.into_iter().flatten().collect();
        if names.len() == 1 {
            others.truncate(1);
        }
        run::grant(&others);
        let pool = match opening.threads {
            Some(1) => None,
            threads => Some(threads::pool(threads)?).filter(|pool| pool.current_num_threads() > 1),
        };
        let parts = pool.as_ref().map_or(1, |pool| PARTS * pool.current_num_threads());
        let matches = game.vector(&VectorPlan {
            matches,
            outside,
            others: &others,
            offers: opening.offers,
            seed: opening.seed,
            records: opening.records,
            parts,
            watch: &EMBEDDED_WATCH,
        })?;
        Ok(Vector { matches, pool, players })
    }

    /// What its arrays hold, as JSON.
    ///
    /// # Panics
    /// Never: it can be written.
    pub fn described(&self) -> String {
        #[derive(Serialize)]
        struct Described<'a, L: Serialize, S: Serialize> {
            players: u8,
            observations: &'a L,
            actions: &'a S,
        }
        let (observations, actions) = (self.matches.layout(), self.matches.space());
        let described = Described { players: self.players, observations, actions };
        serde_json::to_string(&described).expect("names and numbers")
    }

    /// Deals all matches anew, from a seed if one is given.
    ///
    /// # Errors
    /// If a player of ours fails, or an array has the wrong size.
    pub fn reset(&mut self, seed: Option<u64>, told: Told<'_>) -> Result<()> {
        let Vector { matches, pool, .. } = self;
        Ok(within(pool.as_ref(), || matches.reset(seed, told))?)
    }

    /// Takes an action in each match, -1 to leave it as it is. Returns the matches that have ended.
    ///
    /// # Errors
    /// If an action is not legal, an array has the wrong size, or a player of ours fails.
    pub fn step(&mut self, actions: &[i32], by: By, told: Told<'_>) -> Result<Vec<Ended>> {
        let Vector { matches, pool, .. } = self;
        Ok(within(pool.as_ref(), || matches.step(actions, by, told))?)
    }

    /// What may be done in each match.
    pub fn lists(&self) -> Lists {
        self.matches.lists()
    }

    /// A legal action for each match, each equally likely.
    pub fn sample(&mut self, by: By) -> Vec<i32> {
        self.matches.sample(by)
    }

    /// What an outside seat of a match sees.
    ///
    /// # Errors
    /// If no such seat decides outside in a match that was dealt.
    pub fn seen(&self, place: usize, seat: u8) -> Result<Vec<i16>> {
        let seen = self.matches.seen(place, seat_of(seat)?);
        seen.with_context(|| format!("seat {seat} of match {place} does not decide outside"))
    }

    /// The record of a match so far; empty if none is written.
    pub fn record(&self, place: usize) -> &str {
        self.matches.record(place)
    }
}

fn within<R: Send>(pool: Option<&ThreadPool>, play: impl FnOnce() -> R + Send) -> R {
    match pool {
        None => play(),
        Some(pool) => pool.install(play),
    }
}

/// Points of each seat, and the seat that has won, from 1; 0 if nobody has.
pub fn result_of(ended: &Ended) -> ([u8; SEATS_MAX], u8) {
    (ended.outcome.points, ended.outcome.winner.map_or(0, Seat::number))
}
