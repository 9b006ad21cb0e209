//! The place of each counter of a run in its flat array of sums.

use crate::core::resources::Resource;
use crate::core::types::seat::Seat;

/// Seats that counters are kept for.
pub const SEATS: u8 = 6;
/// Bins of the number of decisions in a match.
pub const DECISION_BINS: usize = 512;
/// Decisions in a bin; the last bin holds everything longer.
pub const DECISION_BIN: u32 = 8;

/// How many there are of what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Distinct agents.
    pub agents: usize,
    /// Seats at the table.
    pub players: u8,
    /// Rows of cards.
    pub cards: usize,
    /// Cards that have risk sets, one bit a card.
    pub matched: u32,
    /// Standings of a seat.
    pub standings: usize,
    /// Kinds of decisions.
    pub decisions: usize,
    /// Bands of turns.
    pub bands: usize,
    /// The last turn of a match.
    pub turns_max: usize,
}

/// The sizes that positions are computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    of: Sizes,
    /// Starts of the sections.
    seat: usize,
    card: usize,
    moments: usize,
    risk: usize,
    economy: usize,
    band_turns: usize,
    decision: usize,
    length: usize,
    longest: usize,
    decision_count: usize,
    tension: usize,
    anomaly: usize,
    width: usize,
}

impl Layout {
    /// Blocks played.
    pub const BLOCKS: usize = 0;
    /// Matches played to an end.
    pub const MATCHES: usize = 1;
    /// Matches with a winner.
    pub const WON: usize = 2;
    /// Turns of matches with a winner.
    pub const TURNS: usize = 3;
    /// Decisions of all matches.
    pub const DECISIONS: usize = 4;
    /// Blocks with a match that was played to its end.
    pub const BLOCKS_ENDED: usize = 5;
    /// Decisions of matches with a winner.
    pub const DECISIONS_WON: usize = 6;
    /// Blocks with a match that someone won.
    pub const BLOCKS_WON: usize = 7;
    const AGENT: usize = 8;

    /// Seats taken in matches; the start of an agent's and of a seat's counters.
    pub const PLAYED: usize = 0;
    /// Wins.
    pub const WINS: usize = 1;
    /// Sum of twice the rank.
    pub const RANKS_DOUBLED: usize = 2;
    /// Sum of points.
    pub const POINTS: usize = 3;
    /// Blocks with a seat taken.
    pub const PLAYED_BLOCKS: usize = 4;
    /// Counters of an agent in a seat.
    pub const SEAT_WIDTH: usize = 5;
    /// Decisions of an agent in matches with a winner.
    pub const AGENT_DECISIONS: usize = 5;
    /// Search iterations of an agent.
    pub const AGENT_ITERATIONS: usize = 6;
    /// Seats that an agent had in matches with a winner.
    pub const AGENT_WON: usize = 7;
    const AGENT_WIDTH: usize = 8;

    /// Own turns in which a card could be taken.
    pub const CARD_OFFERED: usize = 0;
    /// Times that it was taken.
    pub const CARD_TAKEN: usize = 1;
    /// Seats that took it at least once.
    pub const CARD_TAKERS: usize = 2;
    /// Those of them that won.
    pub const CARD_TAKER_WINS: usize = 3;
    /// Sum of the turns of first taking, in matches with a winner.
    pub const CARD_TURNS: usize = 4;
    /// Seats that had it at the end.
    pub const CARD_HELD: usize = 5;
    /// Those of them that won.
    pub const CARD_HELD_WINS: usize = 6;
    /// Blocks in which some seat took it.
    pub const CARD_TAKER_BLOCKS: usize = 7;
    /// Blocks in which all seats took it.
    pub const CARD_ALL_BLOCKS: usize = 8;
    /// Blocks in which some seat had it at the end.
    pub const CARD_HELD_BLOCKS: usize = 9;
    /// Blocks in which some seat first took it in a turn of its own.
    pub const CARD_IN_TURN_BLOCKS: usize = 10;
    /// Blocks in which all seats had it at the end.
    pub const CARD_HELD_ALL_BLOCKS: usize = 11;
    /// Seats that took it at least once, in matches with a winner.
    pub const CARD_TAKERS_WON: usize = 12;
    /// Counters of a card.
    pub const CARD_WIDTH: usize = 13;

    /// Moments with a standing in which a card is first taken.
    pub const RISK_TAKEN: usize = 0;
    /// Those of seats that win.
    pub const RISK_TAKEN_WINS: usize = 1;
    /// Moments with a standing in which a card is first taken, or was taken before.
    pub const RISK_GONE: usize = 2;
    /// Those of seats that win.
    pub const RISK_GONE_WINS: usize = 3;
    /// Counters of one card and one standing.
    pub const RISK_WIDTH: usize = 4;

    /// Cards drawn.
    pub const DRAWN: usize = 0;
    /// Cards paid for what is built or bought.
    pub const SPENT: usize = 1;
    /// Cards paid that stood in for others.
    pub const SUBSTITUTED: usize = 2;
    /// Cards given to the bank in exchange.
    pub const BANK_GIVEN: usize = 3;
    /// Cards got from the bank in exchange.
    pub const BANK_RECEIVED: usize = 4;
    /// Cards traded between players.
    pub const TRADED: usize = 5;
    /// Cards that went to another player without a trade.
    pub const PASSED: usize = 6;
    /// Cards given up to the Robber.
    pub const DISCARDED: usize = 7;
    /// Cards in all hands, summed over the ends of turns.
    pub const HELD: usize = 8;
    /// Counters of one resource in one band.
    pub const ECONOMY: usize = 9;

    /// Blocks in which a kind of decision came.
    pub const DECISION_BLOCKS: usize = 3;
    const DECISION_WIDTH: usize = 4;

    /// Matches that reached this turn's end.
    pub const TENSION_MATCHES: usize = 0;
    /// Those with one leader.
    pub const TENSION_LED: usize = 1;
    /// Those whose leader won in the end.
    pub const TENSION_LEADER_WINS: usize = 2;
    /// Those whose leader is not the previous one.
    pub const TENSION_CHANGES: usize = 3;
    /// Those whose eventual winner was at least two points behind.
    pub const TENSION_COMEBACKS: usize = 4;
    /// Blocks with a match that has one leader then.
    pub const TENSION_LED_BLOCKS: usize = 5;
    /// Counters of the end of a turn.
    pub const TENSION_WIDTH: usize = 6;

    /// Anomaly: the turn limit.
    pub const TURN_LIMIT: usize = 0;
    /// Anomaly: the turn limit, when nothing could change any more.
    pub const STANDSTILL: usize = 1;
    /// Anomaly: a choice when something listed was better in every way.
    pub const DOMINATED: usize = 2;
    /// Anomaly: an agent broke the rules.
    pub const FAULT: usize = 3;
    /// Names of the anomalies.
    pub const ANOMALIES: [&'static str; 4] =
        ["turn_limit", "standstill", "dominated_action", "agent_failure"];

    /// A layout for these sizes.
    pub fn new(of: Sizes) -> Layout {
        let Sizes { agents, cards, decisions, bands, turns_max, .. } = of;
        let stands = usize::from(of.players) * of.standings;
        let matched = of.matched.count_ones() as usize;
        let seat = Layout::AGENT + agents * Layout::AGENT_WIDTH;
        let card = seat + agents * usize::from(SEATS) * Layout::SEAT_WIDTH;
        let moments = card + agents * cards * Layout::CARD_WIDTH;
        let risk = moments + agents * stands * 2;
        let economy = risk + agents * matched * stands * Layout::RISK_WIDTH;
        let band_turns = economy + bands * Resource::COUNT * Layout::ECONOMY;
        let decision = band_turns + 2 * bands;
        let length = decision + decisions * Layout::DECISION_WIDTH;
        let longest = length + turns_max + 1;
        let decision_count = longest + turns_max + 1;
        let tension = decision_count + DECISION_BINS;
        let anomaly = tension + (turns_max + 1) * Layout::TENSION_WIDTH;
        let width = anomaly + Layout::ANOMALIES.len();
        Layout {
            of,
            seat,
            card,
            moments,
            risk,
            economy,
            band_turns,
            decision,
            length,
            longest,
            decision_count,
            tension,
            anomaly,
            width,
        }
    }

    /// Number of counters.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of distinct agents.
    pub fn agents(&self) -> usize {
        self.of.agents
    }

    /// Rows of cards.
    #[inline]
    pub fn cards(&self) -> usize {
        self.of.cards
    }

    /// Kinds of decisions.
    pub fn decisions(&self) -> usize {
        self.of.decisions
    }

    /// The last turn of a match.
    pub fn turns_max(&self) -> usize {
        self.of.turns_max
    }

    /// Kinds of anomalies.
    pub fn anomalies(&self) -> usize {
        Layout::ANOMALIES.len()
    }

    /// The counters of an agent.
    #[inline]
    pub fn agent(&self, agent: usize) -> usize {
        Layout::AGENT + agent * Layout::AGENT_WIDTH
    }

    /// The counters of an agent in a seat.
    #[inline]
    pub fn seat(&self, agent: usize, seat: Seat) -> usize {
        self.seat + (agent * 6 + seat.idx()) * Layout::SEAT_WIDTH
    }

    /// The counters of a card with an agent.
    #[inline]
    pub fn card(&self, agent: usize, card: usize) -> usize {
        self.card + (agent * self.of.cards + card) * Layout::CARD_WIDTH
    }

    /// Cards that have risk sets, one bit a card.
    #[inline]
    pub fn matched(&self) -> u32 {
        self.of.matched
    }

    /// Standings of a seat.
    #[inline]
    pub fn standings(&self) -> usize {
        self.of.standings
    }

    /// Moments of an agent in a seat by standing, two counters each: how many, and those that win.
    #[inline]
    pub fn moments(&self, agent: usize, seat: Seat) -> usize {
        self.moments + (agent * usize::from(self.of.players) + seat.idx()) * self.of.standings * 2
    }

    /// The same of a card that has risk sets, by its place among them, [`Layout::RISK_WIDTH`] counters each.
    #[inline]
    pub fn risk(&self, agent: usize, place: usize, seat: Seat) -> usize {
        let row = agent * self.of.matched.count_ones() as usize + place;
        let stands = row * usize::from(self.of.players) + seat.idx();
        self.risk + stands * self.of.standings * Layout::RISK_WIDTH
    }

    /// The counters of the first resource in a band of turns; the others follow.
    #[inline]
    pub fn economy(&self, band: usize) -> usize {
        self.economy + band * Resource::COUNT * Layout::ECONOMY
    }

    /// Turns played in a band, in matches with a winner; blocks with such a turn follow.
    #[inline]
    pub fn band_turns(&self, band: usize) -> usize {
        self.band_turns + 2 * band
    }

    /// Bands of turns.
    pub fn bands(&self) -> usize {
        self.of.bands
    }

    /// How often a kind of decision came, the sum of its legal actions, how often there was but one, and
    /// blocks in which it came.
    #[inline]
    pub fn decision(&self, kind: usize) -> usize {
        self.decision + kind * Layout::DECISION_WIDTH
    }

    /// Matches of this number of turns.
    #[inline]
    pub fn length(&self, turns: u16) -> usize {
        self.length + usize::from(turns).min(self.of.turns_max)
    }

    /// Blocks whose longest match had this number of turns.
    #[inline]
    pub fn longest(&self, turns: u16) -> usize {
        self.longest + usize::from(turns).min(self.of.turns_max)
    }

    /// Matches of this number of decisions, in bins.
    #[inline]
    pub fn decision_count(&self, decisions: u32) -> usize {
        self.decision_count + ((decisions / DECISION_BIN) as usize).min(DECISION_BINS - 1)
    }

    /// The counters of the end of a turn, from 1.
    #[inline]
    pub fn tension(&self, turn: usize) -> usize {
        self.tension + turn.min(self.of.turns_max) * Layout::TENSION_WIDTH
    }

    /// How often an anomaly happened.
    #[inline]
    pub fn anomaly(&self, kind: usize) -> usize {
        self.anomaly + kind
    }
}

/// Counters that lie together, so that bounds are checked once.
///
/// # Panics
/// If the sums end before.
#[inline]
pub fn row<const WIDTH: usize>(sums: &mut [u64], at: usize) -> &mut [u64; WIDTH] {
    sums[at..].first_chunk_mut().expect("the sums hold all rows")
}
