//! What is noted of a match beside the tally: points by source, who led when, turns without a choice, what was paid for
//! what, and at which decisions there was a choice.

use crate::core::chance::ChanceEvent;
use crate::core::measure::{Flow, Measure};
use crate::core::record::{Decision, Recorder};
use crate::core::types::seat::{PerSeat, Seat};
use crate::sim::diagnosis::count::{DesignCount, MOMENTS};

/// A decision with more than one legal action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Open {
    /// Its number in the match, from 0.
    pub(super) decision: u32,
    /// Who decides.
    pub(super) seat: Seat,
}

/// Notes of one match, and sums over matches.
#[derive(Debug, Clone)]
pub struct Notes<G: Measure> {
    pub(super) count: DesignCount,
    pub(super) sums: Vec<u64>,
    turn: u16,
    /// Whether something was decided in the turn, whether whoever's turn it is had a choice, and whether it has paid.
    begun: bool,
    alive: bool,
    busy: bool,
    /// Points at the end of each turn.
    points: Vec<PerSeat<u8>>,
    pub(super) decisions: u32,
    pub(super) open: Vec<Open>,
    /// What the last decision paid, what was known before it, and what it turned up.
    paid: u64,
    before: G::Before,
    turned_up: u32,
}

impl<G: Measure> Notes<G> {
    /// Before the first match.
    pub(super) fn new() -> Notes<G> {
        let count = DesignCount::of::<G>();
        Notes {
            count,
            sums: vec![0; count.width()],
            turn: 0,
            begun: false,
            alive: false,
            busy: false,
            points: Vec::new(),
            decisions: 0,
            open: Vec::new(),
            paid: 0,
            before: G::Before::default(),
            turned_up: 0,
        }
    }

    /// Before a match.
    pub(super) fn begin(&mut self) {
        (self.begun, self.alive, self.busy) = (false, false, false);
        self.points.clear();
        self.open.clear();
        (self.decisions, self.paid, self.turned_up) = (0, 0, 0);
    }

    /// The sums up to here; they begin again.
    pub(super) fn take(&mut self) -> Vec<u64> {
        std::mem::replace(&mut self.sums, vec![0; self.count.width()])
    }

    fn end_turn(&mut self, game: &G, state: &G::State) {
        let take = std::mem::take::<bool>;
        let (begun, alive) = (take(&mut self.begun), take(&mut self.alive));
        let busy = take(&mut self.busy);
        if self.turn == 0 || !begun {
            return;
        }
        self.sums[DesignCount::TURNS] += 1;
        self.sums[DesignCount::DEAD] += u64::from(!alive);
        self.sums[DesignCount::IDLE] += u64::from(!busy);
        self.points.push(game.all_points(state));
    }

    /// Counts what was paid to the first row that was taken for it: bonus cards, which come with it, stand behind.
    fn count_paid(&mut self, game: &G, action: G::Action, after: &G::State) {
        let paid = std::mem::take(&mut self.paid);
        if paid == 0 {
            return;
        }
        let bought = game.taken(&self.before, after, action) | self.turned_up;
        if bought != 0 {
            let at = self.count.card(bought.trailing_zeros() as usize);
            self.sums[at + DesignCount::BOUGHT] += 1;
            self.sums[at + DesignCount::PAID] += paid;
        }
    }

    /// Who led at each moment of a match that a seat has won, and where the winner stood.
    fn count_moments(&mut self, players: u8, winner: Seat) {
        for moment in 0..MOMENTS {
            let turn = (self.points.len() * (moment + 1)).div_ceil(MOMENTS + 1);
            let Some(points) = turn.checked_sub(1).and_then(|turn| self.points.get(turn)) else {
                continue;
            };
            let of = |seat: Seat| points[seat.idx()];
            let most = Seat::all(players).map(of).max().unwrap_or(0);
            let mut leaders = Seat::all(players).filter(|&seat| of(seat) == most);
            let (Some(leader), None) = (leaders.next(), leaders.next()) else { continue };
            let others = Seat::all(players).filter(|&seat| seat != leader);
            let next = others.map(of).max().unwrap_or(0);
            let at = self.count.moment(moment);
            self.sums[at + DesignCount::LED] += 1;
            self.sums[at + DesignCount::LEADER_WINS] += u64::from(leader == winner);
            let overtaken = leader != winner && of(winner) == next;
            self.sums[at + DesignCount::NEXT_WINS] += u64::from(overtaken);
        }
    }
}

impl<G: Measure> Recorder<G> for Notes<G> {
    #[inline]
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        if let Some(card) = G::turned_up(event) {
            self.turned_up |= 1 << card;
        }
    }

    #[inline]
    fn on_start(&mut self, game: &G, state: &G::State) {
        self.turn = game.turn_number(state);
    }

    #[inline]
    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        let Decision { before, seat, listed, action, .. } = *decision;
        self.begun = true;
        self.turned_up = 0;
        if listed > 1 {
            self.open.push(Open { decision: self.decisions, seat });
            self.alive |= game.current(before) == seat;
        }
        self.decisions += 1;
        if let Some(Flow::Paid { cards, .. }) = game.flow(before, action) {
            self.paid = u64::from(cards.total());
            self.busy |= game.current(before) == seat;
            self.before = game.before(before);
        }
    }

    #[inline]
    fn on_applied(&mut self, game: &G, action: G::Action, after: &G::State) {
        self.count_paid(game, action, after);
        let turn = game.turn_number(after);
        if turn != self.turn {
            self.end_turn(game, after);
            self.turn = turn;
        }
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        self.end_turn(game, state);
        self.sums[DesignCount::PLAYED] += 1;
        let Some(winner) = game.outcome(state).winner else { return };
        self.sums[DesignCount::WON] += 1;
        self.count_moments(game.players(), winner);
        for seat in Seat::all(game.players()) {
            let won = seat == winner;
            self.sums[DesignCount::OTHERS] += u64::from(!won);
            let whose = if won { DesignCount::OF_WINNERS } else { DesignCount::OF_OTHERS };
            for (source, &points) in game.points_by_source(state, seat).iter().enumerate() {
                let at = self.count.source(source);
                self.sums[at + whose] += u64::from(points);
            }
        }
    }
}
