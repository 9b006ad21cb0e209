//! Counts matches: a recorder whose sums are exact integers in one flat layout, so that they merge by
//! adding and any estimate can be made from them later.

use crate::core::chance::ChanceEvent;
use crate::core::game::{End, Outcome};
use crate::core::measure::{Flow, Kinds, Measure, RESOURCES};
use crate::core::record::{Decision, Recorder};
use crate::core::types::bits::bits;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::sim::experiment::MatchId;
use crate::sim::layout::Layout;
use crate::sim::match_summary::COMEBACK;
use crate::sim::rests::{Rests, SeatRests};
use crate::sim::risk::Moments;
use std::cmp::Ordering;

/// The most rows of `cards.csv`.
pub const CARDS_MAX: usize = 32;

/// Nobody leads alone.
const NOBODY: u8 = u8::MAX;

/// What one seat did with one card in one match.
#[derive(Debug, Clone, Copy, Default)]
struct CardNotes {
    /// Own turns in which it could be taken.
    offered: u16,
    /// How often it was taken.
    taken: u16,
    /// The turn in which it was first taken.
    turn: u16,
    /// The taker's own turns up to then: 0 before its first.
    own_turn: u16,
}

/// What happened at the table at the end of one turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TurnNotes {
    /// The seat with the most points, or [`NOBODY`].
    leader: u8,
    /// The most points.
    most: u8,
    /// The most points that a seat has apart from one with the most.
    second: u8,
    /// Points by seat.
    points: PerSeat<u8>,
}

impl TurnNotes {
    #[inline]
    fn of<G: Measure>(game: &G, state: &G::State) -> TurnNotes {
        let mut notes = TurnNotes { leader: NOBODY, ..TurnNotes::default() };
        for seat in Seat::all(game.players()) {
            let points = game.points(state, seat);
            notes.points[seat.idx()] = points;
            match points.cmp(&notes.most) {
                Ordering::Greater => {
                    notes.second = notes.most;
                    notes.most = points;
                    notes.leader = seat.number() - 1;
                }
                Ordering::Equal => {
                    notes.second = points;
                    notes.leader = NOBODY;
                }
                Ordering::Less => notes.second = notes.second.max(points),
            }
        }
        notes
    }
}

/// Sums over matches, and notes on the one being played.
#[derive(Debug, Clone)]
pub struct Tally<G: Measure> {
    layout: Layout,
    /// Exact sums, by the layout's counters.
    pub sums: Vec<u64>,
    /// The first match of each anomaly.
    pub firsts: Vec<Option<MatchId>>,
    /// The match being played: block and number in it.
    at: (u64, u64),
    seat_of: PerSeat<usize>,
    cards: PerSeat<[CardNotes; CARDS_MAX]>,
    /// The cards that were offered in an ended turn, and those that were taken, one bit a card.
    offered: PerSeat<u32>,
    taken: PerSeat<u32>,
    offered_now: u32,
    /// Cards drawn by the last decision, by kind: they belong to the turn that it may have begun.
    drawn: Kinds,
    has_drawn: bool,
    current: Seat,
    turn: u16,
    /// The band of the turn.
    band: usize,
    /// Decisions before the turn began.
    decisions_before: u32,
    decisions: u32,
    by_seat: PerSeat<u32>,
    turns: Vec<TurnNotes>,
    /// Whether something has been taken since points were looked up: they change in no other way.
    scored: bool,
    /// Own turns by standing.
    moments: Moments,
    /// What the block has shown.
    rests: Rests,
    /// The position before the last decision, as far as it is needed.
    before: G::Before,
}

impl<G: Measure> Tally<G> {
    /// No matches yet.
    pub fn new(layout: Layout) -> Tally<G> {
        Tally {
            sums: vec![0; layout.width()],
            firsts: vec![None; layout.anomalies()],
            at: (0, 0),
            seat_of: [0; SEATS_MAX],
            cards: [[CardNotes::default(); CARDS_MAX]; SEATS_MAX],
            offered: [0; SEATS_MAX],
            taken: [0; SEATS_MAX],
            offered_now: 0,
            drawn: [0; RESOURCES],
            has_drawn: false,
            current: Seat::FIRST,
            turn: 0,
            band: 0,
            decisions_before: 0,
            decisions: 0,
            by_seat: [0; SEATS_MAX],
            turns: Vec::with_capacity(layout.turns_max() + 1),
            scored: true,
            moments: Moments::new(G::STANDINGS, layout.turns_max()),
            rests: Rests::new(&layout),
            before: G::Before::default(),
            layout,
        }
    }

    /// The sums and the first match of each anomaly up to here; both begin again.
    pub fn take(&mut self) -> (Vec<u64>, Vec<Option<MatchId>>) {
        self.rests.clear();
        let sums = std::mem::replace(&mut self.sums, vec![0; self.layout.width()]);
        let firsts = vec![None; self.layout.anomalies()];
        (sums, std::mem::replace(&mut self.firsts, firsts))
    }

    /// Begins a match: which one, and which agent sits where.
    pub fn begin(&mut self, block: u64, number: u64, seat_of: &[usize]) {
        self.at = (block, number);
        self.seat_of[..seat_of.len()].copy_from_slice(seat_of);
        for seat in 0..seat_of.len() {
            self.cards[seat][..self.layout.cards()].fill(CardNotes::default());
        }
        self.offered = [0; SEATS_MAX];
        self.taken = [0; SEATS_MAX];
        self.offered_now = 0;
        self.drawn = [0; RESOURCES];
        self.has_drawn = false;
        self.current = Seat::FIRST;
        self.turn = 0;
        self.band = 0;
        self.decisions_before = 0;
        self.decisions = 0;
        self.by_seat = [0; SEATS_MAX];
        self.turns.clear();
        self.scored = true;
        self.moments.clear();
    }

    /// A block has been played.
    pub fn end_block(&mut self) {
        self.sums[Layout::BLOCKS] += 1;
        self.rests.end_block(&self.layout, &mut self.sums);
    }

    /// Search iterations that an agent spent.
    pub fn add_iterations(&mut self, agent: usize, iterations: u64) {
        self.sums[self.layout.agent(agent) + Layout::AGENT_ITERATIONS] += iterations;
    }

    /// Notes that an agent broke the rules; its match has no result.
    pub fn fault(&mut self) {
        self.anomaly(Layout::FAULT);
    }

    #[inline]
    fn add(&mut self, counter: usize, amount: u64) {
        self.sums[counter] += amount;
    }

    fn anomaly(&mut self, kind: usize) {
        let counter = self.layout.anomaly(kind);
        self.add(counter, 1);
        let first = &mut self.firsts[kind];
        *first = Some(first.map_or(self.at, |first| first.min(self.at)));
    }

    /// A turn begins, or what comes before the first, which counts to the first band.
    #[inline]
    fn begin_turn(&mut self, game: &G, state: &G::State, turn: u16) {
        self.turn = turn;
        // Turns only grow, so the next band is looked at and no other.
        while G::BANDS.get(self.band + 1).is_some_and(|&first| first <= turn) {
            self.band += 1;
        }
        self.decisions_before = self.decisions;
        if turn == 0 {
            return;
        }
        let seat = game.current(state);
        let notes = match self.turns.last() {
            Some(notes) => *notes,
            None => TurnNotes::of(game, state),
        };
        let other = if notes.leader == seat.number() - 1 { notes.second } else { notes.most };
        self.moments.begin(seat, notes.points[seat.idx()], other);
    }

    /// A turn has ended: who leads, what is held, what could have been taken. What was drawn since belongs
    /// to the next turn.
    fn end_turn(&mut self, game: &G, state: &G::State, current: Seat) {
        let mut offered = std::mem::take(&mut self.offered_now);
        if self.turn == 0 {
            return;
        }
        self.offered[current.idx()] |= offered;
        while offered != 0 {
            self.cards[current.idx()][offered.trailing_zeros() as usize].offered += 1;
            offered &= offered - 1;
        }
        let notes = match self.turns.last() {
            Some(&last) if !self.scored => last,
            _ => TurnNotes::of(game, state),
        };
        debug_assert_eq!(notes, TurnNotes::of(game, state), "points change with what is taken");
        self.scored = false;
        self.turns.push(notes);
        let mut held = game.in_hands(state);
        if self.has_drawn {
            held.iter_mut().zip(self.drawn).for_each(|(held, drawn)| *held -= drawn);
        }
        self.add_kinds(Layout::HELD, held);
        self.add(self.layout.band_turns(self.band), 1);
    }

    fn add_flow(&mut self, flow: Flow) {
        match flow {
            Flow::Paid { cards, substituted } => {
                self.add_kinds(Layout::SPENT, cards);
                self.add_kinds(Layout::SUBSTITUTED, substituted);
            }
            Flow::Banked { given, received } => {
                self.add_kinds(Layout::BANK_GIVEN, given);
                self.add_kinds(Layout::BANK_RECEIVED, received);
            }
            Flow::Traded(cards) => self.add_kinds(Layout::TRADED, cards),
            Flow::Passed(cards) => self.add_kinds(Layout::PASSED, cards),
            Flow::Discarded(cards) => self.add_kinds(Layout::DISCARDED, cards),
        }
    }

    /// Adds cards by kind in the band of the turn, if there are any; the counters of kinds are
    /// [`Layout::ECONOMY`] apart.
    #[inline]
    fn add_kinds(&mut self, what: usize, cards: Kinds) {
        if cards == [0; RESOURCES] {
            return;
        }
        let first = self.layout.economy(self.band) + what;
        let counters = self.sums[first..].iter_mut().step_by(Layout::ECONOMY);
        for (counter, cards) in counters.zip(cards) {
            *counter += u64::from(cards);
        }
    }

    /// Books the cards drawn by the last decision on the turn that is being played now.
    fn add_drawn(&mut self) {
        let drawn = std::mem::take(&mut self.drawn);
        self.add_kinds(Layout::DRAWN, drawn);
        self.has_drawn = false;
    }

    fn note_taken(&mut self, seat: Seat, mut cards: u32) {
        self.scored = true;
        let own_turn = self.moments.turns(seat);
        self.taken[seat.idx()] |= cards;
        while cards != 0 {
            let notes = &mut self.cards[seat.idx()][cards.trailing_zeros() as usize];
            if notes.taken == 0 {
                notes.turn = self.turn;
                notes.own_turn = own_turn;
            }
            notes.taken += 1;
            cards &= cards - 1;
        }
    }

    fn end_seat(
        &mut self,
        game: &G,
        state: &G::State,
        (outcome, ranks): (&Outcome, &PerSeat<u8>),
        seat: Seat,
    ) {
        let agent = self.seat_of[seat.idx()];
        let won = u64::from(outcome.winner == Some(seat));
        let points = u64::from(outcome.points[seat.idx()]);
        let ranks = u64::from(ranks[seat.idx()]);
        for at in [self.layout.agent(agent), self.layout.seat(agent, seat)] {
            self.add(at + Layout::PLAYED, 1);
            self.add(at + Layout::WINS, won);
            self.add(at + Layout::RANKS_DOUBLED, ranks);
            self.add(at + Layout::POINTS, points);
        }
        let decisions = u64::from(self.by_seat[seat.idx()]);
        self.add(self.layout.agent(agent) + Layout::AGENT_DECISIONS, decisions);
        let held = game.held(state, seat);
        for card in bits(held) {
            let at = self.layout.card(agent, card);
            self.add(at + Layout::CARD_HELD, 1);
            self.add(at + Layout::CARD_HELD_WINS, won);
        }
        for card in bits(self.offered[seat.idx()]) {
            let offered = self.cards[seat.idx()][card].offered;
            let at = self.layout.card(agent, card);
            self.add(at + Layout::CARD_OFFERED, u64::from(offered));
        }
        let taken = self.taken[seat.idx()];
        for card in bits(taken) {
            let notes = self.cards[seat.idx()][card];
            let at = self.layout.card(agent, card);
            self.add(at + Layout::CARD_TAKEN, u64::from(notes.taken));
            self.add(at + Layout::CARD_TAKERS, 1);
            self.add(at + Layout::CARD_TAKER_WINS, won);
            self.add(at + Layout::CARD_TURNS, u64::from(notes.turn));
        }
        let in_turn = self.end_risk(agent, seat, taken & self.layout.matched(), won > 0);
        self.rests.seat(agent, seat, SeatRests { taken, held, in_turn });
    }

    /// Counts the own turns of a seat, and when it took cards; says which it took in its own turns.
    fn end_risk(&mut self, agent: usize, seat: Seat, taken: u32, won: bool) -> u32 {
        let Tally { layout, moments, sums, cards, .. } = self;
        moments.count(layout, agent, seat, won, sums);
        let mut in_turn = 0;
        for card in bits(taken) {
            let turn = cards[seat.idx()][card].own_turn;
            let place = (layout.matched() & ((1 << card) - 1)).count_ones() as usize;
            let at = layout.risk(agent, place, seat);
            moments.count_taken((sums, at), layout, (seat, turn), won);
            in_turn |= u32::from(turn > 0) << card;
        }
        in_turn
    }

    fn end_tension(&mut self, winner: Option<Seat>) {
        let mut last = NOBODY;
        for turn in 0..self.turns.len() {
            let notes = self.turns[turn];
            let at = self.layout.tension(turn + 1);
            self.add(at + Layout::TENSION_MATCHES, 1);
            if notes.leader != NOBODY {
                let winner = winner.is_some_and(|seat| seat.number() - 1 == notes.leader);
                self.add(at + Layout::TENSION_LED, 1);
                if self.rests.first_led(turn) {
                    self.add(at + Layout::TENSION_LED_BLOCKS, 1);
                }
                self.add(at + Layout::TENSION_LEADER_WINS, u64::from(winner));
                let changed = last != NOBODY && last != notes.leader;
                self.add(at + Layout::TENSION_CHANGES, u64::from(changed));
                last = notes.leader;
            }
            if let Some(seat) = winner {
                let behind = notes.most - notes.points[seat.idx()] >= COMEBACK;
                self.add(at + Layout::TENSION_COMEBACKS, u64::from(behind));
            }
        }
    }
}

impl<G: Measure> Recorder<G> for Tally<G> {
    #[inline]
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        if let Some(kind) = G::drawn(event) {
            self.drawn[kind] += 1;
            self.has_drawn = true;
        } else if let Some(card) = G::turned_up(event) {
            let seat = self.current;
            self.note_taken(seat, 1 << card);
        } else if let Some(kind) = G::stolen(event) {
            let mut cards = [0; RESOURCES];
            cards[kind] = 1;
            self.add_flow(Flow::Passed(cards));
        }
    }

    #[inline]
    fn on_start(&mut self, game: &G, state: &G::State) {
        self.begin_turn(game, state, game.turn_number(state));
        self.add_drawn();
    }

    #[inline]
    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        let Decision { before, seat, filter, listed, action } = *decision;
        self.current = game.current(before);
        self.decisions += 1;
        self.by_seat[seat.idx()] += 1;
        let at = self.layout.decision(game.decision_kind(before));
        self.add(at, 1);
        self.add(at + 1, listed as u64);
        if listed == 1 {
            self.add(at + 2, 1);
        } else {
            self.offered_now |= game.offered(before, filter);
            if game.dominated(before, filter, action) {
                self.anomaly(Layout::DOMINATED);
            }
        }
        if let Some(flow) = game.flow(before, action) {
            self.add_flow(flow);
        }
        self.before = game.before(before);
    }

    #[inline]
    fn on_applied(&mut self, game: &G, action: G::Action, after: &G::State) {
        let taken = game.taken(&self.before, after, action);
        if taken != 0 {
            self.note_taken(self.current, taken);
        }
        if let Some(cards) = game.yielded(&self.before, after, action) {
            for (drawn, cards) in self.drawn.iter_mut().zip(cards) {
                *drawn += cards;
            }
            self.has_drawn = true;
        }
        let turn = game.turn_number(after);
        if turn != self.turn {
            self.end_turn(game, after, self.current);
            self.begin_turn(game, after, turn);
        }
        if self.has_drawn {
            self.add_drawn();
        }
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        let current = game.current(state);
        self.end_turn(game, state, current);
        if self.decisions == self.decisions_before {
            self.moments.take_back(current);
        }
        let outcome = game.outcome(state);
        match outcome.end {
            End::Won => {}
            End::TurnLimit => self.anomaly(Layout::TURN_LIMIT),
            End::Standstill => self.anomaly(Layout::STANDSTILL),
        }
        self.add(Layout::MATCHES, 1);
        self.add(Layout::WON, u64::from(outcome.winner.is_some()));
        self.add(Layout::TURNS, u64::from(self.turn));
        self.add(Layout::DECISIONS, u64::from(self.decisions));
        self.add(self.layout.length(self.turn), 1);
        self.rests.ended(self.turn);
        self.add(self.layout.decision_count(self.decisions), 1);
        let ranks = outcome.ranks_doubled();
        for seat in Seat::all(game.players()) {
            self.end_seat(game, state, (&outcome, &ranks), seat);
        }
        self.end_tension(outcome.winner);
    }
}
