//! The matched lift of `cards.csv`, from the risk sets of `sim::risk`.

use crate::core::types::seat::Seat;
use crate::lab::report::table::Row;
use crate::lab::report::tables::Source;
use crate::sim::layout::Layout;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Sums};
use crate::stats::kept::Kept;

/// The bias that an interval may have, in standard errors: one of a third takes 95 % to 93.9 %.
const BIAS_MOST: f64 = 1.0 / 3.0;

/// One standing of one seat: the counters of all its moments, and of those of the card.
type Stratum = (usize, usize);

impl Source<'_> {
    /// Mean over first takings of the taker's win less the win rate of seats that stood alike and had not
    /// taken the card by then.
    pub(super) fn matched_row(&self, keys: &[&str], agent: usize, card: usize) -> Row {
        let strata = self.strata(agent, card);
        let at = self.layout.card(agent, card);
        let takers = self.things(at + Layout::CARD_TAKERS, at + Layout::CARD_IN_TURN_BLOCKS);
        let kept = Kept::default();
        let share = |sums: Sums<'_>, wins: fn((f64, f64, f64)) -> f64| {
            let all = kept.get(sums, |sums| compared(sums, &strata));
            (all.0 > 0.0).then(|| wins(all) / all.0)
        };
        let with = |sums: Sums<'_>| share(sums, |(_, wins, _)| wins);
        let without = |sums: Sums<'_>| share(sums, |(_, _, expected)| expected);
        let held = Held::by_blocks(takers.blocks);
        let estimate = self.grouped.share_difference((&with, held), (&without, held));
        let lift = |sums: Sums<'_>| Some(with(sums)? - without(sums)?);
        let estimate = estimate.map(|estimate| self.if_unbiased(estimate, lift));
        let mut row = self.row(keys, "lift_matched", takers, estimate);
        let compared = strata.iter().filter(|&&stratum| rest(self.grouped.all(), stratum).0 > 0.0);
        row.n = compared.map(|(_, at)| self.grouped.sum(at + Layout::RISK_TAKEN)).sum();
        row.blocks = row.blocks.min(row.n);
        row
    }

    /// An estimate without its interval where the jackknife's bias of it is no small part of its standard error. Who stood
    /// alike in a small run is mostly the taker itself, a turn before, which pulls the lift towards 0.
    fn if_unbiased(&self, lift: Estimate, of: impl Fn(Sums<'_>) -> Option<f64>) -> Estimate {
        let bias = self.grouped.bias(lift.value, of);
        let is_small = |(bias, se): (f64, f64)| bias.abs() <= BIAS_MOST * se;
        if bias.zip(lift.se).is_some_and(is_small) {
            lift
        } else {
            Estimate::without_interval(lift.value, lift.se)
        }
    }

    /// All strata in which a card was taken; none if it has no risk sets.
    fn strata(&self, agent: usize, card: usize) -> Vec<Stratum> {
        let cards = self.layout.matched();
        if cards >> card & 1 == 0 {
            return Vec::new();
        }
        let place = (cards & ((1 << card) - 1)).count_ones() as usize;
        let of_seat = |seat| {
            let all = self.layout.moments(agent, seat);
            let at = self.layout.risk(agent, place, seat);
            let standings = 0..self.layout.standings();
            standings.map(move |standing| (all + 2 * standing, at + Layout::RISK_WIDTH * standing))
        };
        let is_taken = |&(_, at): &Stratum| self.grouped.sum(at + Layout::RISK_TAKEN) > 0;
        Seat::all(self.players).flat_map(of_seat).filter(is_taken).collect()
    }
}

/// Moments of a stratum in which the card had not been taken, and those of them that win.
fn rest(sums: Sums<'_>, (all, at): Stratum) -> (f64, f64) {
    let rest = |part| sums.get(all + part) - sums.get(at + Layout::RISK_GONE + part);
    (rest(0), rest(1))
}

/// The takings in strata that have both, the takers' wins, and the wins of as many who stood alike.
fn compared(sums: Sums<'_>, strata: &[Stratum]) -> (f64, f64, f64) {
    let (mut takings, mut wins, mut expected) = (0.0, 0.0, 0.0);
    for &(all, at) in strata {
        let n = sums.get(at + Layout::RISK_TAKEN);
        let (others, other_wins) = rest(sums, (all, at));
        if n > 0.0 && others > 0.0 {
            takings += n;
            wins += sums.get(at + Layout::RISK_TAKEN_WINS);
            expected += n * other_wins / others;
        }
    }
    (takings, wins, expected)
}
