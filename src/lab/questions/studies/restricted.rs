//! What an option of a choice is worth to a seat that may take no other: whole matches, each option for each
//! seat, on common chance streams. Nothing is left out, so what it costs to wait for an option is in it.

use crate::lab::questions::studies::estimator::{Compared, Estimator, SectionSums, adjusted};
use crate::lab::questions::studies::rates::Rates;
use crate::lab::report::described::{LEVEL, TableSchema, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{JUDGED, Row, Table};
use crate::sim::counts::restricted::RestrictedCount;
use crate::stats::held::Held;
use crate::stats::jackknife::Estimate;

/// Seats that may take one option only.
pub const RESTRICTED: TableSchema = TableSchema {
    name: "restricted",
    keys: &[LEVEL, text("option", "the only option that one seat may take")],
    more: &JUDGED,
    metrics: &[
        Metric::difference(
            "effect",
            "win rate of that seat, mean over seats, minus the mean over the options",
        ),
        Metric::share("win_rate", "win rate of that seat, mean over seats"),
        Metric::mean("turns_mean", "turns of single players in a match that someone won"),
        Metric::mean("rounds_mean", "the same in rounds: turns divided by the number of players"),
    ],
};

/// One section of a run.
#[derive(Debug, Clone)]
pub struct RestrictedEffects<'a> {
    /// The sums.
    pub estimator: Estimator<'a>,
    /// The counting.
    pub count: RestrictedCount,
    /// Who plays.
    pub level: String,
    /// Names of the options.
    pub options: Vec<String>,
    /// Effects up to this count as balanced.
    pub margin: f64,
}

impl<'a> RestrictedEffects<'a> {
    /// The win rates of restricted seats by option, averaged over seats.
    pub fn rates(&self) -> Rates<'a> {
        let term = |option, seat| {
            let at = self.count.of(option, seat);
            (at + RestrictedCount::WINS, at + RestrictedCount::MATCHES)
        };
        let seats = 0..self.count.players;
        let terms = |option| seats.clone().map(|seat| term(option, seat)).collect();
        Rates {
            estimator: self.estimator,
            terms: (0..self.count.options).map(terms).collect(),
            options: self.options.clone(),
            things: self.estimator.all().blocks(),
            held: Held::anywhere(
                (0..self.count.options).map(|of| self.matches(of)).min().unwrap_or(0),
            ),
            margin: self.margin,
            closed: None,
        }
    }

    /// Matches of an option, all seats.
    pub fn matches(&self, option: usize) -> u64 {
        self.of_all_seats(option, RestrictedCount::MATCHES)
    }

    fn of_all_seats(&self, option: usize, counter: usize) -> u64 {
        let of = |seat| self.estimator.sum(self.count.of(option, seat) + counter);
        (0..self.count.players).map(of).sum()
    }

    fn rows(&self) -> Vec<Compared> {
        let rates = self.rates();
        let mut rows = Vec::new();
        for (option, effect) in rates.effects().into_iter().enumerate() {
            let judgement = effect.map(|effect| rates.judge(&effect, self.options.len()));
            let p_value = self.estimator.p_value(effect.as_ref());
            rows.push(Compared { p_value, judgement, ..self.plain(option, "effect", effect) });
        }
        for option in 0..self.count.options {
            let rate = |view: SectionSums<'_>| rates.rate(&view, option);
            let held = Held::anywhere(self.matches(option));
            let rate = self.estimator.share_among(rate, held);
            rows.push(self.plain(option, "win_rate", rate));
            let turns = self.estimator.average(|view| {
                let at = |seat| self.count.of(option, seat);
                let sum = |counter: usize| -> f64 {
                    (0..self.count.players).map(|seat| view.get(at(seat) + counter)).sum()
                };
                let won = Some(sum(RestrictedCount::WON)).filter(|&won| won > 0.0)?;
                Some(sum(RestrictedCount::TURNS) / won)
            });
            let rounds = turns.map(|turns| turns.scaled(1.0 / self.count.players as f64, 0.0));
            let won = self.of_all_seats(option, RestrictedCount::WON);
            for (metric, length) in [("turns_mean", turns), ("rounds_mean", rounds)] {
                let plain = self.plain(option, metric, length);
                let row = Row { n: won, blocks: plain.row.blocks.min(won), ..plain.row };
                rows.push(Compared { row, ..plain });
            }
        }
        rows
    }

    fn plain(&self, option: usize, metric: &'static str, estimate: Option<Estimate>) -> Compared {
        let row = Row::new(
            vec![self.level.clone(), self.options[option].clone()],
            metric,
            estimate,
            self.estimator.grouped.blocks(),
            self.matches(option),
        );
        Compared { row, p_value: None, judgement: None }
    }
}

/// The table of some sections.
pub fn table(sections: &[RestrictedEffects<'_>], blocks: u64) -> Table {
    let rows = adjusted(sections.iter().flat_map(RestrictedEffects::rows).collect());
    RESTRICTED.table(blocks, rows)
}
