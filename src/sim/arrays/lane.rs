//! One of many matches: it is played, numbered and dealt again.

use crate::core::agent::Agent;
use crate::core::arrays::Arrays;
use crate::core::game::Outcome;
use crate::core::record::Recorder;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::arrays::layout::fill;
use crate::sim::arrays::space::ActionSpace;
use crate::sim::play::parked::{Host, OUTSIDE, Parked};
use crate::sim::records::jsonl::JsonlRecorder;
use crate::sim::records::line::{Header, MatchSeed};

/// Whose decisions come from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outside {
    /// Those of these seats.
    Seats(Vec<Seat>),
    /// Those of one seat, the next one in each deal.
    Turns,
}

/// What all matches side by side have in common.
#[derive(Debug, Clone)]
pub struct Deals {
    /// The master seed.
    pub seed: u64,
    /// How many matches stand side by side: the next match of a place is the deal so many numbers later.
    pub matches: u64,
    /// Whose decisions come from outside.
    pub outside: Outside,
    /// Players at the table.
    pub players: u8,
    /// How many agents sit in the other seats: one for all of them, or one for each.
    pub others: usize,
    /// What records call who sits in each seat beside those outside; nothing if none are written.
    pub names: Option<Vec<String>>,
}

impl Deals {
    /// Who sits where in a deal: places among the players of a host.
    fn seats(&self, deal: u64) -> Vec<usize> {
        let turn = u8::try_from(deal % u64::from(self.players)).expect("fewer than players");
        let turn = Seat::new(turn);
        let is_outside = |seat: Seat| match &self.outside {
            Outside::Seats(seats) => seats.contains(&seat),
            Outside::Turns => seat == turn,
        };
        // Beside one seat that changes, the others sit clockwise from it.
        let first = if self.outside == Outside::Turns { turn } else { Seat::FIRST };
        let mut seats = vec![OUTSIDE; self.players.into()];
        let others = first.clockwise(self.players).filter(|&seat| !is_outside(seat));
        for (place, seat) in others.enumerate() {
            seats[seat.idx()] = 1 + if self.others == 1 { 0 } else { place };
        }
        seats
    }

    fn recorder(&self, deal: u64, seats: &[usize]) -> Option<JsonlRecorder> {
        let names = self.names.as_ref()?;
        let agents = seats.iter().map(|&player| names[player].clone()).collect();
        let seed = MatchSeed { master: self.seed, block: deal, match_idx: 0 };
        Some(JsonlRecorder::new(Header::new(agents, Some(seed))))
    }
}

/// A match that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its place among those side by side.
    pub place: usize,
    /// The number of the deal.
    pub deal: u64,
    /// Who decided last outside.
    pub seat: Seat,
    /// How it has ended.
    pub outcome: Outcome,
    /// The turn in which it did.
    pub turns: u16,
    /// What each seat outside sees at the end, one after the other; empty if nobody asked for observations.
    pub seen: Vec<i16>,
    /// Its record; empty if none was asked for.
    pub record: String,
}

/// One of the matches.
pub struct Lane<G: Arrays + Wording> {
    place: usize,
    deal: u64,
    parked: Parked<G>,
    recorder: Option<JsonlRecorder>,
    /// Whether anybody outside was asked in this match.
    was_asked: bool,
    /// Who is asked.
    pub asked: Seat,
    /// What may be done.
    pub legal: Vec<G::Action>,
    /// The number of each.
    pub numbers: Vec<u32>,
}

/// Matches in a row in which nobody outside has a choice: so many are a mistake in the rules or seats.
const UNASKED_MAX: u32 = 10_000;

/// Why a lane can't be played on.
pub type Failed = String;

/// What a lane is played by.
pub struct Tools<'a, G: Arrays + Wording, K: Agent<G>> {
    /// Plays matches.
    pub host: &'a mut Host<G, K>,
    /// What they have in common.
    pub deals: &'a Deals,
    /// Numbers of actions.
    pub space: &'a ActionSpace,
    /// How many numbers an observation has, if one is wanted at the end.
    pub length: usize,
}

impl<G: Arrays + Wording> Lane<G> {
    /// The first match of a place, up to the first decision outside.
    ///
    /// # Errors
    /// If a player chooses what the rules forbid.
    pub fn open<K: Agent<G>>(place: usize, tools: &mut Tools<'_, G, K>) -> Result<Lane<G>, Failed> {
        let deal = place as u64;
        let (parked, recorder) = dealt(deal, tools);
        let (legal, numbers) = (Vec::new(), Vec::new());
        let (was_asked, asked) = (false, Seat::FIRST);
        let mut lane = Lane { place, deal, parked, recorder, was_asked, asked, legal, numbers };
        lane.play_on(None, tools, &mut Vec::new())?;
        Ok(lane)
    }

    /// The number of the deal.
    pub fn deal(&self) -> u64 {
        self.deal
    }

    /// What is seen by who is asked.
    pub fn fill(&self, game: &G, out: &mut [i16]) {
        fill(game, &game.view(self.parked.state(), self.asked), out);
    }

    /// What an outside seat sees; nothing of other seats.
    pub fn seen(&self, game: &G, seat: Seat, length: usize) -> Option<Vec<i16>> {
        let mut seen = vec![0; length];
        self.parked.is_outside(seat).then(|| {
            fill(game, &game.view(self.parked.state(), seat), &mut seen);
            seen
        })
    }

    /// The next match of the place, up to the first decision outside.
    ///
    /// # Errors
    /// If a player chooses what the rules forbid.
    pub fn next<K: Agent<G>>(&mut self, tools: &mut Tools<'_, G, K>) -> Result<(), Failed> {
        self.deal_next(tools);
        self.play_on(None, tools, &mut Vec::new())
    }

    fn deal_next<K: Agent<G>>(&mut self, tools: &mut Tools<'_, G, K>) {
        self.deal += tools.deals.matches;
        (self.parked, self.recorder) = dealt(self.deal, tools);
        self.was_asked = false;
    }

    /// Takes the action at a place of the legal list, and plays to the next decision outside; if the match ends before
    /// it, that is noted, and it is the first one of the next deal in which anybody outside has a choice.
    ///
    /// # Errors
    /// If a player chooses what the rules forbid.
    pub fn take<K: Agent<G>>(
        &mut self,
        place: usize,
        tools: &mut Tools<'_, G, K>,
        ended: &mut Vec<Ended>,
    ) -> Result<(), Failed> {
        let action = self.legal[place];
        self.play_on(Some(action), tools, ended)
    }

    fn play_on<K: Agent<G>>(
        &mut self,
        mut action: Option<G::Action>,
        tools: &mut Tools<'_, G, K>,
        ended: &mut Vec<Ended>,
    ) -> Result<(), Failed> {
        let mut unasked = 0;
        let asked = loop {
            let played = match &mut self.recorder {
                None => tools.host.play(&mut self.parked, action.take(), &mut ()),
                Some(recorder) => {
                    let recorder: &mut dyn Recorder<G> = recorder;
                    tools.host.play(&mut self.parked, action.take(), recorder)
                }
            };
            if let Some(asked) = played.map_err(|fault| fault.to_string())? {
                break asked;
            }
            if self.was_asked {
                ended.push(self.end(tools));
            }
            unasked += 1;
            if unasked > UNASKED_MAX {
                return Err(format!("nobody outside has a choice in {UNASKED_MAX} matches"));
            }
            self.deal_next(tools);
        };
        self.was_asked = true;
        self.asked = asked;
        let (game, legal) = (tools.host.game(), tools.host.legal());
        self.legal.clear();
        self.legal.extend_from_slice(legal);
        tools.space.number(game, asked, legal, &mut self.numbers);
        Ok(())
    }

    fn end<K: Agent<G>>(&mut self, tools: &mut Tools<'_, G, K>) -> Ended {
        let (game, state) = (tools.host.game(), self.parked.state());
        let wanted = if tools.length > 0 { game.players() } else { 0 };
        let seen = Seat::all(wanted).filter_map(|seat| self.seen(game, seat, tools.length));
        let seen = seen.flatten().collect();
        Ended {
            place: self.place,
            deal: self.deal,
            seat: self.asked,
            outcome: tools.host.outcome(&self.parked),
            turns: game.turn_number(state),
            seen,
            record: self.recorder.take().map(JsonlRecorder::into_string).unwrap_or_default(),
        }
    }

    /// The record of the match so far; empty if none is written.
    pub fn record(&self) -> &str {
        self.recorder.as_ref().map_or("", JsonlRecorder::as_str)
    }
}

fn dealt<G: Arrays + Wording, K: Agent<G>>(
    deal: u64,
    Tools { host, deals, .. }: &mut Tools<'_, G, K>,
) -> (Parked<G>, Option<JsonlRecorder>) {
    let seats = deals.seats(deal);
    let seed = BlockSeed::new(deals.seed, deal);
    match deals.recorder(deal, &seats) {
        None => (host.deal(seed, seats, &mut ()), None),
        Some(mut recorder) => {
            let parked = host.deal(seed, seats, &mut recorder as &mut dyn Recorder<G>);
            (parked, Some(recorder))
        }
    }
}
