//! Is A stronger than B? A sequential test of the score of blocks, and a confidence sequence beside it.

use crate::report::described::COMPARE;
use crate::report::manifest::Question;
use crate::report::table::COMPARISON;
use crate::report::table::Row;
use crate::report::table::Table;
use crate::sim::counts::duel::Duel;
use crate::stats::betting;
use crate::stats::elo;
use crate::stats::jackknife::Estimate;
use crate::stats::jackknife::Method;
use crate::stats::sequential;
use crate::stats::sequential::Bounds;
use crate::stats::sequential::Decision;
use crate::stats::sequential::Scores;
use crate::studies::reading::ALPHA;
use crate::studies::reading::Reading;

/// The test of one run.
#[derive(Debug, Clone, Copy)]
pub struct Test {
    /// The counting.
    pub duel: Duel,
    /// Difference of win rates under the null hypothesis.
    pub difference0: f64,
    /// And under the alternative.
    pub difference1: f64,
    /// When it stops.
    pub bounds: Bounds,
}

impl Test {
    /// The test that a question asks for; nothing if it asks for none.
    pub fn of(question: &Question, players: u8) -> Option<Test> {
        let Question::Duel { difference0, difference1, alpha, beta } = *question else {
            return None;
        };
        let duel = Duel { players: usize::from(players) };
        Some(Test { duel, difference0, difference1, bounds: Bounds::new(alpha, beta) })
    }

    fn counts(&self, reading: Reading<'_>) -> Vec<u64> {
        let n = self.seats();
        (-n..=n).map(|score| reading.sum(self.duel.score(score))).collect()
    }

    fn seats(&self) -> i64 {
        i64::try_from(self.duel.players).expect("few seats")
    }

    /// The score of a block by the number of seats: a difference of win rates.
    fn values(&self) -> Vec<f64> {
        let n = self.seats();
        (-n..=n).map(|score| score as f64 / n as f64).collect()
    }

    fn llr(&self, reading: Reading<'_>) -> f64 {
        let (values, counts) = (self.values(), self.counts(reading));
        sequential::llr(Scores::new(&values, &counts), self.difference0, self.difference1)
    }

    /// Why the run may stop now; nothing if it may not.
    pub fn stop(&self, reading: Reading<'_>) -> Option<String> {
        let accepted = match self.bounds.decide(self.llr(reading)) {
            Decision::Continue => return None,
            Decision::AcceptNull => self.difference0,
            Decision::AcceptAlternative => self.difference1,
        };
        let rejected = self.difference0 + self.difference1 - accepted;
        Some(format!(
            "the test accepts a difference of {} against {}",
            percentage_points(accepted),
            percentage_points(rejected),
        ))
    }

    /// The table.
    pub fn table(&self, reading: Reading<'_>, verdict: &str) -> Table {
        let blocks = reading.grouped.blocks();
        let matches = blocks * 2 * self.duel.players as u64;
        let mut rows = Vec::new();
        for (lone, agent) in ["A", "B"].into_iter().enumerate() {
            let rate =
                reading.share(|view| Some(self.wins(&view, lone)? / self.duel.players as f64));
            rows.push(row(agent, "win_rate_alone", rate, (blocks, matches / 2), ""));
        }
        let difference = self.difference(reading);
        rows.push(row("A - B", "win_difference", difference, (blocks, matches), verdict));
        rows.push(row("A - B", "elo", difference.and_then(|d| self.elo(d)), (blocks, matches), ""));
        let alone =
            |value| Some(Estimate { value, se: None, interval: None, method: Method::None });
        let llr = if blocks > 0 { alone(self.llr(reading)) } else { None };
        rows.push(row("A - B", "llr", llr, (blocks, matches), ""));
        let paired = reading.positive(|view| self.variance(&view));
        let unpaired = reading.positive(|view| self.variance_unpaired(&view));
        rows.push(row("A - B", "score_variance", paired, (blocks, matches), ""));
        rows.push(row("A - B", "score_variance_unpaired", unpaired, (blocks, matches), ""));
        let cost = reading.positive(|view| {
            let paired = self.variance(&view).filter(|&variance| variance > 0.0)?;
            Some(self.variance_unpaired(&view)? / paired * matches as f64)
        });
        rows.push(row("A - B", "matches_unpaired", cost, (blocks, matches), ""));
        Table { name: COMPARE.0, keys: COMPARE.1, more: &COMPARISON, blocks, rows }
    }

    /// Wins of a lone agent in a block.
    fn wins(&self, view: &crate::studies::reading::View<'_>, lone: usize) -> Option<f64> {
        let wins: f64 =
            (0..self.duel.players).map(|seat| view.get(self.duel.wins(lone, seat))).sum();
        let blocks = self.blocks(view);
        (blocks > 0.0).then(|| wins / blocks)
    }

    fn blocks(&self, view: &crate::studies::reading::View<'_>) -> f64 {
        let n = self.seats();
        (-n..=n).map(|score| view.get(self.duel.score(score))).sum()
    }

    /// The difference with its standard error, and a confidence sequence by betting.
    fn difference(&self, reading: Reading<'_>) -> Option<Estimate> {
        let n = self.duel.players as f64;
        let difference =
            reading.mean(|view| Some((self.wins(&view, 0)? - self.wins(&view, 1)?) / n))?;
        let interval = betting::interval(&self.values(), &self.counts(reading), ALPHA);
        Some(Estimate { interval: Some(interval), method: Method::BettingSequence, ..difference })
    }

    fn elo(&self, difference: Estimate) -> Option<Estimate> {
        let players = u8::try_from(self.duel.players).expect("few seats");
        let elo = |difference| elo::elo_of_difference(difference, players);
        let interval = difference.interval.and_then(|(lo, hi)| Some((elo(lo)?, elo(hi)?)));
        let method = if interval.is_some() { Method::Transformed } else { Method::None };
        Some(Estimate { value: elo(difference.value)?, se: None, interval, method })
    }

    /// The variance of a block's score.
    fn variance(&self, view: &crate::studies::reading::View<'_>) -> Option<f64> {
        let blocks = self.blocks(view);
        let n = self.seats();
        let mean = |power: i32| -> f64 {
            let term = |score: i64| view.get(self.duel.score(score)) * (score as f64).powi(power);
            (-n..=n).map(term).sum::<f64>() / blocks
        };
        (blocks > 0.0).then(|| mean(2) - mean(1) * mean(1))
    }

    /// The variance of the score if the matches of a block were independent: of wins by agent and seat.
    fn variance_unpaired(&self, view: &crate::studies::reading::View<'_>) -> Option<f64> {
        let blocks = self.blocks(view);
        let variance = |lone: usize, seat: usize| {
            let rate = view.get(self.duel.wins(lone, seat)) / blocks;
            rate * (1.0 - rate)
        };
        let all = (0..2).flat_map(|lone| (0..self.duel.players).map(move |seat| (lone, seat)));
        (blocks > 0.0).then(|| all.map(|(lone, seat)| variance(lone, seat)).sum())
    }
}

fn row(
    agent: &str,
    metric: &'static str,
    estimate: Option<Estimate>,
    (blocks, n): (u64, u64),
    verdict: &str,
) -> Row {
    let more = vec![String::new(), String::new(), verdict.to_owned()];
    Row { keys: vec![agent.to_owned()], metric, estimate, blocks, n, more }
}

/// A share as percentage points, as short as it can be.
pub fn percentage_points(share: f64) -> String {
    let text = format!("{:.3}", share * 100.0);
    let short = text.trim_end_matches('0').trim_end_matches('.');
    format!("{} pp", if short == "-0" { "0" } else { short })
}
