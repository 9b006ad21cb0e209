//! What an option of a choice does: at the first such decision of a match the position is played on once
//! with each option, on common chance streams.

use crate::report::described::CHOICES;
use crate::report::table::COMPARISON;
use crate::report::table::Row;
use crate::report::table::Table;
use crate::sim::counts::forced::Forced;
use crate::stats::jackknife::Estimate;
use crate::studies::reading::Compared;
use crate::studies::reading::Reading;
use crate::studies::reading::View;
use crate::studies::reading::adjusted;

/// One section of a run.
#[derive(Debug, Clone)]
pub struct Section<'a> {
    /// The sums.
    pub reading: Reading<'a>,
    /// The counting.
    pub count: Forced,
    /// Who plays.
    pub level: String,
    /// Names of the options.
    pub options: Vec<&'static str>,
    /// Effects up to this count as balanced.
    pub margin: f64,
}

impl Section<'_> {
    /// The share of wins with an option less the mean share over all options.
    fn effect(&self, option: usize, wins: usize, positions: usize) -> Option<Estimate> {
        let share =
            |view: &View<'_>, option| view.ratio(self.count.option(option) + wins, positions);
        self.reading.mean(|view| {
            let all: Option<f64> = (0..self.count.options).map(|other| share(&view, other)).sum();
            Some(share(&view, option)? - all? / self.count.options as f64)
        })
    }

    /// The effects of all options, in their order.
    pub fn effects(&self) -> Vec<Option<Estimate>> {
        let of = |option| self.effect(option, Forced::WINS, Forced::POSITIONS);
        (0..self.count.options).map(of).collect()
    }

    fn rows(&self) -> Vec<Compared> {
        let mut rows = Vec::new();
        for option in 0..self.count.options {
            let played_on = self.effect(option, Forced::WINS_PLAYED_ON, Forced::PLAYED_ON);
            let effect = self.effect(option, Forced::WINS, Forced::POSITIONS);
            rows.push(self.judged(option, "effect", effect, Forced::POSITIONS));
            rows.push(self.judged(option, "effect_played_on", played_on, Forced::PLAYED_ON));
        }
        for option in 0..self.count.options {
            for (metric, counter, below) in [
                ("win_rate", Forced::WINS, Forced::POSITIONS),
                ("win_rate_played_on", Forced::WINS_PLAYED_ON, Forced::PLAYED_ON),
                ("at_once_share", Forced::AT_ONCE, Forced::POSITIONS),
                ("wanted_share", Forced::WANTED, Forced::POSITIONS),
            ] {
                let at = self.count.option(option) + counter;
                let share = self.reading.share(|view| view.ratio(at, below));
                rows.push(self.plain(self.options[option], metric, share, below));
            }
            let turns = self.count.option(option) + Forced::TURNS;
            let turns = self.reading.mean(|view| view.ratio(turns, Forced::POSITIONS));
            rows.push(self.plain(self.options[option], "turns_mean", turns, Forced::POSITIONS));
        }
        for (metric, counter) in [
            ("position_share", Forced::POSITIONS),
            ("absent_share", Forced::ABSENT),
            ("closed_share", Forced::CLOSED),
        ] {
            let share = self.reading.share(|view| {
                let parts = [Forced::POSITIONS, Forced::ABSENT, Forced::CLOSED];
                let all: f64 = parts.iter().map(|&part| view.get(part)).sum();
                (all > 0.0).then(|| view.get(counter) / all)
            });
            rows.push(self.plain("", metric, share, counter));
        }
        rows
    }

    fn plain(
        &self,
        option: &str,
        metric: &'static str,
        estimate: Option<Estimate>,
        counter: usize,
    ) -> Compared {
        let keys = vec![self.level.clone(), option.to_owned()];
        let row = Row { keys, metric, estimate, n: self.reading.sum(counter), more: Vec::new() };
        Compared { row, p_value: None, verdict: String::new() }
    }

    fn judged(
        &self,
        option: usize,
        metric: &'static str,
        effect: Option<Estimate>,
        counter: usize,
    ) -> Compared {
        let verdict = effect
            .and_then(|effect| self.reading.verdict(&effect, self.margin, self.count.options))
            .map_or(String::new(), |verdict| verdict.describe(self.margin));
        let p_value = self.reading.p_value(effect.as_ref());
        let plain = self.plain(self.options[option], metric, effect, counter);
        Compared { p_value, verdict, ..plain }
    }
}

/// The table of some sections.
pub fn table(sections: &[Section<'_>], blocks: u64) -> Table {
    let rows = adjusted(sections.iter().flat_map(Section::rows).collect());
    Table { name: CHOICES.0, keys: CHOICES.1, more: &COMPARISON, blocks, rows }
}
