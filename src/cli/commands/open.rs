//! A match in which the process around the program decides for some seats, in the messages of `docs/protocol.md`. Seats
//! count from 1.

use crate::cli::commands::host::EMBEDDED_WATCH;
use crate::cli::commands::{choose, run};
use crate::cli::running::RuleChoice;
use crate::core::types::seat::Seat;
use crate::lab::setup::line_up;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::guests::open_match::{OpenMatch, OpenPlan};
use crate::sim::guests::protocol::Want;
use crate::sim::guests::seating::{self, full_name, named, names_of, seat_of};
use crate::sim::play::table::OnlyChoice;
use crate::sim::records::line::{Header, MatchSeed};
use anyhow::{Result, anyhow};
use std::path::PathBuf;

/// What is played, and by whom.
pub struct Opening<'a> {
    /// The game.
    pub game: String,
    /// A file with fields of the rule set.
    pub rules: Option<PathBuf>,
    /// Fields of the rule set, as `field=value`.
    pub sets: Vec<String>,
    /// The seats outside, from 1.
    pub seats: &'a [u8],
    /// Who sits in the others: one for all, or one for each, with commas between them.
    pub agents: &'a str,
    /// Players at the table; the game's usual number if not given.
    pub players: Option<u8>,
    /// The master seed.
    pub seed: u64,
    /// What outside seats are told besides the legal list, by the words of the protocol.
    pub wants: &'a [String],
}

/// A match with seats outside.
pub struct Open(Box<dyn OpenMatch>);

impl Open {
    /// Deals a match.
    ///
    /// # Errors
    /// If the rules can't be played with, somebody can't be seated, or the protocol has no such word.
    pub fn deal(opening: Opening<'_>) -> Result<Open> {
        let Opening { game, rules, sets, seats, agents, players, seed, wants } = opening;
        let rules = RuleChoice { game, rules, sets };
        let outside = seats.iter().map(|seat| seat_of(*seat)).collect::<Result<Vec<_>, _>>()?;
        let game = choose::game(&rules, choose::players(&rules, players)?)?;
        let read = |name: &str| line_up::agent(&full_name(&rules.game, name));
        let seated = seating::seats(&named(agents), (&outside, game.players()), read)?;
        let granted: Vec<AgentSpec> = seated.iter().flatten().cloned().collect();
        run::grant(&granted);
        let seed = MatchSeed { master: seed, block: 0, match_idx: 0 };
        let want = |word: &String| serde_json::from_value(word.as_str().into());
        Ok(Open(game.open_match(OpenPlan {
            agents: &seated,
            header: Header::new(names_of(&seated), Some(seed)),
            seed,
            watch: &EMBEDDED_WATCH,
            wants: wants.iter().map(want).collect::<Result<Vec<Want>, _>>()?,
            only: OnlyChoice::Taken,
        })?))
    }

    /// Plays to the next decision outside that has a choice, and gives its seat; nothing once the match is over.
    ///
    /// # Errors
    /// If a player of ours chooses what the rules forbid, or a guest fails.
    pub fn advance(&mut self) -> Result<Option<u8>> {
        let asked = self.0.advance().map_err(|reason| anyhow!(reason))?;
        Ok(asked.map(Seat::number))
    }

    /// The lines for a seat since the last call.
    ///
    /// # Errors
    /// If no table has such a seat.
    pub fn tell(&mut self, seat: u8) -> Result<String> {
        Ok(self.0.tell(seat_of(seat)?))
    }

    /// The answer of a seat to the question that it was told last: a line of the protocol.
    ///
    /// # Errors
    /// If it can't be read, answers another question, or is against the rules; nothing has changed then.
    pub fn answer(&mut self, seat: u8, line: &str) -> Result<()> {
        self.0.answer(seat_of(seat)?, line).map_err(|reason| anyhow!(reason))
    }

    /// The record so far: whole lines.
    pub fn record(&self) -> &str {
        self.0.record()
    }
}
