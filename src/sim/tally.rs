//! Counts matches: a recorder whose sums are exact integers in one flat layout, so that they merge by
//! adding and any estimate can be made from them later.

#![allow(clippy::inline_always, reason = "calls of their own cost 6 % of a match; measured")]

use crate::core::chance::ChanceEvent;
use crate::core::game::{End, Outcome};
use crate::core::measure::{Flow, Measure};
use crate::core::record::{Decision, Recorder};
use crate::core::resources::Resources;
use crate::core::types::bits::bits;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::sim::experiment::MatchId;
use crate::sim::flows::Flows;
use crate::sim::layout::{Layout, row};
use crate::sim::match_summary::COMEBACK;
use crate::sim::rests::{Rests, SeatRests};
use crate::sim::risk::Moments;
use crate::sim::turn_notes::{NOBODY, TurnNotes};
use std::mem::take;

/// The most rows of `cards.csv`.
pub const CARDS_MAX: usize = 32;

/// The most kinds of decisions.
const DECISION_KINDS_MAX: usize = 16;

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

/// How often a seat took a kind of decision in a match. Most are forced, so what is noted of those is little.
#[derive(Debug, Clone, Copy, Default)]
struct DecisionNotes {
    /// All of them.
    came: u32,
    /// Those with several legal actions.
    open: u32,
    /// The sum of the legal actions of those.
    listed: u64,
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
    /// Cards drawn by the last decision: they belong to the turn that it may have begun.
    drawn: Resources,
    /// What moved in the band, and decisions, until they are counted.
    flows: Flows,
    /// The same of bands that have ended.
    bands: Vec<Flows>,
    decided: PerSeat<[DecisionNotes; DECISION_KINDS_MAX]>,
    current: Seat,
    turn: u16,
    /// The band of the turn, and the first turn behind it.
    band: usize,
    band_end: u16,
    /// Whether nothing has been decided in the turn.
    new_turn: bool,
    /// What the ends of turns showed, and how many of them in a row.
    turns: Vec<(TurnNotes, u16)>,
    /// Whether something has been taken since points were looked up: they change in no other way.
    scored: bool,
    /// What the last look at points showed.
    now: TurnNotes,
    /// Own turns by standing.
    moments: Moments,
    /// What the block has shown.
    rests: Rests,
    /// The position before the last decision, as far as it is needed.
    before: G::Before,
    bank: Resources,
}

impl<G: Measure> Tally<G> {
    /// No matches yet.
    pub fn new(layout: Layout) -> Tally<G> {
        const { assert!(G::CARDS.len() <= CARDS_MAX && G::DECISIONS.len() <= DECISION_KINDS_MAX) };
        Tally {
            sums: vec![0; layout.width()],
            firsts: vec![None; layout.anomalies()],
            at: (0, 0),
            seat_of: [0; SEATS_MAX],
            cards: [[CardNotes::default(); CARDS_MAX]; SEATS_MAX],
            offered: [0; SEATS_MAX],
            taken: [0; SEATS_MAX],
            offered_now: 0,
            drawn: Resources::NONE,
            flows: Flows::default(),
            bands: Vec::with_capacity(G::BANDS.len()),
            decided: [[DecisionNotes::default(); DECISION_KINDS_MAX]; SEATS_MAX],
            current: Seat::FIRST,
            turn: 0,
            band: 0,
            band_end: 0,
            new_turn: false,
            turns: Vec::with_capacity(layout.turns_max() + 1),
            scored: true,
            now: TurnNotes::NONE,
            moments: Moments::new(G::STANDINGS, layout.turns_max()),
            rests: Rests::new(&layout),
            before: G::Before::default(),
            bank: Resources::NONE,
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
        self.drawn = Resources::NONE;
        self.current = Seat::FIRST;
        self.turn = 0;
        self.band = 0;
        self.band_end = band_end::<G>(0);
        self.new_turn = false;
        self.turns.clear();
        self.scored = true;
        self.now = TurnNotes::NONE;
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
        self.count_notes(false);
        self.anomaly(Layout::FAULT);
    }

    /// Notes that the guest in a seat has lost the match by failing: it came last, without points or cards. For the
    /// others the match has no result.
    pub fn lost(&mut self, players: u8, seat: Seat) {
        self.fault();
        let agent = self.seat_of[seat.idx()];
        for at in [self.layout.agent(agent), self.layout.seat(agent, seat)] {
            self.add(at + Layout::PLAYED, 1);
            self.add(at + Layout::RANKS_DOUBLED, 2 * u64::from(players));
        }
        self.rests.seat(agent, seat, SeatRests { taken: 0, held: 0, in_turn: 0 });
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
    #[inline(always)]
    fn begin_turn(&mut self, game: &G, state: &G::State, turn: u16) {
        self.turn = turn;
        while turn >= self.band_end {
            self.next_band();
        }
        self.new_turn = true;
        if turn == 0 {
            return;
        }
        if self.scored {
            self.look_up_points(game, state);
        }
        self.moments.begin(game.current(state));
    }

    /// Turns only grow: the next band begins.
    #[cold]
    fn next_band(&mut self) {
        self.bands.push(take(&mut self.flows));
        self.band += 1;
        self.band_end = band_end::<G>(self.band);
    }

    /// Counts what was noted of cards and decisions if the match had a winner: one without may go on for twenty times the
    /// usual length. Returns the number of decisions by seat.
    fn count_notes(&mut self, won: bool) -> PerSeat<u32> {
        if won {
            let ended = self.bands.iter().chain([&self.flows]);
            ended.enumerate().for_each(|(band, it)| it.count(&self.layout, band, &mut self.sums));
        }
        self.bands.clear();
        self.flows = Flows::default();
        let mut by_seat = [0; SEATS_MAX];
        for (idx, kinds) in self.decided.iter_mut().enumerate() {
            for (kind, decided) in kinds[..G::DECISIONS.len()].iter_mut().enumerate() {
                let DecisionNotes { came, open, listed } = take(decided);
                if came == 0 {
                    continue;
                }
                by_seat[idx] += came;
                if !won {
                    continue;
                }
                let forced = u64::from(came - open);
                let counters = &mut self.sums[self.layout.decision(kind)..][..3];
                counters[0] += u64::from(came);
                counters[1] += forced + listed;
                counters[2] += forced;
            }
        }
        by_seat
    }

    /// A turn has ended: who leads, what is held, what could have been taken. What was drawn since belongs
    /// to the next turn.
    fn end_turn(&mut self, game: &G, state: &G::State, current: Seat) {
        let mut offered = take(&mut self.offered_now);
        if self.turn == 0 {
            return;
        }
        self.offered[current.idx()] |= offered;
        while offered != 0 {
            self.cards[current.idx()][offered.trailing_zeros() as usize].offered += 1;
            offered &= offered - 1;
        }
        if self.scored {
            self.look_up_points(game, state);
        }
        debug_assert_eq!(self.now.points, game.all_points(state), "they change by taking cards");
        match self.turns.last_mut() {
            Some((notes, turns)) if *notes == self.now => *turns += 1,
            _ => self.turns.push((self.now, 1)),
        }
        self.flows.end_turn(game.in_hands(state) - self.drawn);
    }

    /// Something was taken: looks up points, and where seats stand if points have changed.
    #[inline(never)]
    fn look_up_points(&mut self, game: &G, state: &G::State) {
        self.scored = false;
        let points = game.all_points(state);
        if points == self.now.points {
            return;
        }
        let notes = TurnNotes::of(game, points);
        self.now = notes;
        for seat in Seat::all(game.players()) {
            let other = if notes.leader == seat.number() - 1 { notes.second } else { notes.most };
            self.moments.stand(seat, notes.points[seat.idx()], other);
        }
    }

    #[inline(never)]
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
        let won = outcome.winner == Some(seat);
        let points = u64::from(outcome.points[seat.idx()]);
        let ranks = u64::from(ranks[seat.idx()]);
        for at in [self.layout.agent(agent), self.layout.seat(agent, seat)] {
            let counters: &mut [u64; Layout::SEAT_WIDTH] = row(&mut self.sums, at);
            counters[Layout::PLAYED] += 1;
            counters[Layout::WINS] += u64::from(won);
            counters[Layout::RANKS_DOUBLED] += ranks;
            counters[Layout::POINTS] += points;
        }
        let held = game.held(state, seat);
        self.end_cards(agent, seat, held, outcome.winner);
        let taken = self.taken[seat.idx()];
        let in_turn = self.end_risk(agent, seat, taken & self.layout.matched(), won);
        self.rests.seat(agent, seat, SeatRests { taken, held, in_turn });
    }

    /// Counts what a seat did with each card: there is nothing to add for one that it never met.
    fn end_cards(&mut self, agent: usize, seat: Seat, held: u32, winner: Option<Seat>) {
        let (offered, taken) = (self.offered[seat.idx()], self.taken[seat.idx()]);
        let (won, has_winner) = (u64::from(winner == Some(seat)), u64::from(winner.is_some()));
        for card in bits(offered | taken | held) {
            let notes = self.cards[seat.idx()][card];
            let [takes, holds] = [taken, held].map(|cards| u64::from(cards >> card & 1));
            let at = self.layout.card(agent, card);
            let counters: &mut [u64; Layout::CARD_WIDTH] = row(&mut self.sums, at);
            counters[Layout::CARD_OFFERED] += u64::from(notes.offered);
            counters[Layout::CARD_TAKEN] += u64::from(notes.taken);
            counters[Layout::CARD_TAKERS] += takes;
            counters[Layout::CARD_TAKER_WINS] += takes & won;
            counters[Layout::CARD_TAKERS_WON] += takes & has_winner;
            counters[Layout::CARD_TURNS] += u64::from(notes.turn) * has_winner;
            counters[Layout::CARD_HELD] += holds;
            counters[Layout::CARD_HELD_WINS] += holds & won;
        }
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
        let Tally { layout, sums, turns, rests, .. } = self;
        let winning = winner.map_or(NOBODY, |seat| seat.number() - 1);
        let (mut last, mut turn) = (NOBODY, 0);
        for &(notes, count) in turns.iter() {
            let led = notes.leader != NOBODY;
            let won = led && notes.leader == winning;
            let behind =
                winner.is_some_and(|seat| notes.most - notes.points[seat.idx()] >= COMEBACK);
            let mut changed = led && last != NOBODY && last != notes.leader;
            for _ in 0..count {
                let at = layout.tension(turn + 1);
                let counters: &mut [u64; Layout::TENSION_WIDTH] = row(sums, at);
                counters[Layout::TENSION_MATCHES] += 1;
                counters[Layout::TENSION_LED] += u64::from(led);
                counters[Layout::TENSION_LEADER_WINS] += u64::from(won);
                counters[Layout::TENSION_CHANGES] += u64::from(take(&mut changed));
                counters[Layout::TENSION_COMEBACKS] += u64::from(behind);
                counters[Layout::TENSION_LED_BLOCKS] += u64::from(led && rests.first_led(turn));
                turn += 1;
            }
            last = if led { notes.leader } else { last };
        }
    }
}

/// The first turn behind a band; none is behind the last.
fn band_end<G: Measure>(band: usize) -> u16 {
    G::BANDS.get(band + 1).copied().unwrap_or(u16::MAX)
}

impl<G: Measure> Recorder<G> for Tally<G> {
    #[inline(always)]
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        if let Some(kind) = G::drawn(event) {
            self.drawn = self.drawn + Resources::one(kind);
        } else if let Some(card) = G::turned_up(event) {
            self.note_taken(self.current, 1 << card);
        } else if let Some(kind) = G::stolen(event) {
            self.flows.add(Flow::Passed(Resources::one(kind)));
        }
    }

    #[inline]
    fn on_start(&mut self, game: &G, state: &G::State) {
        self.before = game.before(state);
        self.begin_turn(game, state, game.turn_number(state));
        self.flows.drawn(take(&mut self.drawn));
    }

    #[inline(always)]
    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        let Decision { before, seat, filter, listed, action } = *decision;
        self.current = game.current(before);
        self.new_turn = false;
        let decided = &mut self.decided[seat.idx()][game.decision_kind(before)];
        decided.came += 1;
        if listed > 1 {
            decided.open += 1;
            decided.listed += listed as u64;
            self.offered_now |= game.offered(before, filter);
            if game.dominated(before, filter, action) {
                self.anomaly(Layout::DOMINATED);
            }
        }
        if let Some(flow) = game.flow(before, action) {
            self.flows.add(flow);
        }
        debug_assert_eq!(self.before, game.before(before), "it changes with what is taken");
        self.bank = game.in_bank(before);
    }

    #[inline(always)]
    fn on_applied(&mut self, game: &G, action: G::Action, after: &G::State) {
        let taken = game.taken(&self.before, after, action);
        if taken != 0 {
            self.note_taken(self.current, taken);
            self.before = game.before(after);
        }
        self.scored |= game.may_score(action);
        if let Some(cards) = game.yielded(self.bank, after, action) {
            self.drawn = self.drawn + cards;
        }
        let turn = game.turn_number(after);
        if turn != self.turn {
            self.end_turn(game, after, self.current);
            self.begin_turn(game, after, turn);
        }
        if !self.drawn.is_empty() {
            self.flows.drawn(take(&mut self.drawn));
        }
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        let current = game.current(state);
        self.end_turn(game, state, current);
        if self.new_turn {
            self.moments.take_back(current);
        }
        let outcome = game.outcome(state);
        let won = outcome.winner.is_some();
        let by_seat = self.count_notes(won);
        let decisions = by_seat.iter().sum();
        match outcome.end {
            End::Won => {}
            End::TurnLimit => self.anomaly(Layout::TURN_LIMIT),
            End::Standstill => self.anomaly(Layout::STANDSTILL),
        }
        self.add(Layout::MATCHES, 1);
        self.add(Layout::DECISIONS, u64::from(decisions));
        if won {
            self.add(Layout::WON, 1);
            self.add(Layout::TURNS, u64::from(self.turn));
            self.add(Layout::DECISIONS_WON, u64::from(decisions));
        }
        self.add(self.layout.length(self.turn), 1);
        self.rests.ended(self.turn, won);
        self.add(self.layout.decision_count(decisions), 1);
        let ranks = outcome.ranks_doubled();
        for seat in Seat::all(game.players()) {
            let agent = self.layout.agent(self.seat_of[seat.idx()]);
            if won {
                self.add(agent + Layout::AGENT_WON, 1);
                self.add(agent + Layout::AGENT_DECISIONS, u64::from(by_seat[seat.idx()]));
            }
            self.end_seat(game, state, (&outcome, &ranks), seat);
        }
        self.end_tension(outcome.winner);
    }
}
