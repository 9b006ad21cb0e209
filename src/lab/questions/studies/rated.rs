//! The ratings of a tournament: `ratings.csv` and `tournament_seats.csv`. Every number is refitted without each group
//! of blocks, which gives its standard error.

use crate::lab::questions::studies::estimator::{ALPHA, Estimator, SectionSums};
use crate::lab::report::comparison::{Comparison, Finding};
use crate::lab::report::described::{TableSchema, integer, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{JUDGED, More, Row, Table};
use crate::sim::counts::tournament::TournamentCount;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Method};
use crate::stats::ratings::{Contest, ELO, Ratings, fit};
use crate::stats::wilson::wilson;

/// The strengths of agents.
pub const RATINGS: TableSchema = TableSchema {
    name: "ratings",
    keys: &[text("agent", "the agent as given on the command line")],
    more: &JUDGED,
    metrics: &[
        Metric::number(
            "elo",
            "rating minus that of the anchor; empty where wins and losses don't link the agent with it",
        ),
        Metric::number(
            "rank",
            "place by elo, 1 for the highest; an exact number of an uncertain order",
        ),
        Metric::number(
            "elo_above_next",
            "elo minus that of the next rank; the verdict holds together for all pairs of agents",
        ),
        Metric::share(
            "win_rate_among_anchors",
            "what the rating means: the share that the agent would win alone at a table of anchors",
        ),
        Metric::share("win_rate", "share of its seats that won; depends on who else plays"),
    ],
};

/// What seats are worth.
pub const SEATS: TableSchema = TableSchema {
    name: "tournament_seats",
    keys: &[integer("seat", "place in turn order, from 1; empty: the whole table")],
    more: &[],
    metrics: &[
        Metric::number(
            "elo",
            "worth of the seat in Elo minus the mean of all seats, whoever sits there",
        ),
        Metric::share("win_rate", "share of matches won from this seat"),
        Metric::share("no_winner_share", "share of matches without a winner"),
    ],
};

/// The fits of a run.
#[derive(Debug)]
pub struct Rated<'a> {
    /// The sums.
    pub estimator: Estimator<'a>,
    /// Names of the agents.
    pub agents: Vec<String>,
    /// Who sits where in the matches of a block.
    pub line_ups: Vec<Vec<usize>>,
    /// Whose rating is 0.
    pub anchor: usize,
    /// From all blocks.
    all: Option<Ratings>,
    /// From all but each group of them.
    without: Vec<Option<Ratings>>,
}

impl<'a> Rated<'a> {
    /// Fits the ratings to sums.
    pub fn new(
        estimator: Estimator<'a>,
        agents: Vec<String>,
        line_ups: Vec<Vec<usize>>,
        anchor: usize,
    ) -> Rated<'a> {
        let fitted = |view: &SectionSums<'_>, near: Option<&Ratings>| {
            fit(&contests(view, &line_ups), agents.len(), anchor, near)
        };
        let all = fitted(&estimator.all(), None);
        let without = match &all {
            Some(all) => estimator.without_each().map(|view| fitted(&view, Some(all))).collect(),
            None => Vec::new(),
        };
        Rated { estimator, agents, line_ups, anchor, all, without }
    }

    /// The counting of the line-ups.
    pub fn count(&self) -> TournamentCount {
        let seats = self.line_ups.first().map_or(0, Vec::len);
        TournamentCount { seats, line_ups: self.line_ups.len(), first: 0 }
    }

    /// An estimate from the ratings; nothing if they have no such number.
    pub fn estimate(&self, of: impl Fn(&Ratings) -> Option<f64>) -> Option<Estimate> {
        let value = of(self.all.as_ref()?)?;
        let without: Vec<Option<f64>> =
            self.without.iter().map(|ratings| of(ratings.as_ref()?)).collect();
        Some(self.estimator.mean_of(value, &without))
    }

    /// The same of a share between 0 and 1: Wilson's interval, of as many things as its standard error implies.
    pub fn estimate_share(&self, of: impl Fn(&Ratings) -> Option<f64>) -> Option<Estimate> {
        let estimate = self.estimate(of)?;
        let Some(se) = estimate.se.filter(|_| estimate.interval.is_some()) else {
            return Some(estimate);
        };
        let (p, z) = (estimate.value, self.estimator.half_width(1.0, ALPHA));
        let implied = (p * (1.0 - p) / (se * se)).max(1e-9);
        let method = if self.estimator.watched { estimate.method } else { Method::JackknifeWilson };
        Some(Estimate { interval: Some(wilson(p, implied, z)), method, ..estimate })
    }

    /// An estimate from the ratings and from the sums that they were fitted to.
    pub fn estimate_with(
        &self,
        of: impl Fn(&Ratings, &SectionSums<'_>) -> Option<f64>,
    ) -> Option<Estimate> {
        let value = of(self.all.as_ref()?, &self.estimator.all())?;
        let pairs = self.without.iter().zip(self.estimator.without_each());
        let without: Vec<Option<f64>> =
            pairs.map(|(ratings, view)| of(ratings.as_ref()?, &view)).collect();
        Some(self.estimator.mean_of(value, &without))
    }

    /// The rating of an agent in Elo.
    pub fn elo(&self, agent: usize) -> Estimate {
        if agent == self.anchor {
            return Estimate::fixed(0.0);
        }
        let elo = self.estimate(|ratings| Some(ELO * ratings.strengths[agent]?));
        elo.unwrap_or(Estimate::no_maximum())
    }

    /// Half the widest interval of a rating, in Elo; nothing if one has none.
    pub fn widest(&self) -> Option<f64> {
        let others = (0..self.agents.len()).filter(|&agent| agent != self.anchor);
        let half = |agent| self.elo(agent).interval.map(|(lo, hi)| (hi - lo) / 2.0);
        let all: Option<Vec<f64>> = others.map(half).collect();
        all?.into_iter().reduce(f64::max)
    }

    /// The agents that have a rating, the strongest first; agents of one rating in their order.
    pub fn ranking(&self) -> Vec<usize> {
        let Some(ratings) = &self.all else { return vec![self.anchor] };
        let known = |agent: usize| Some((agent, ratings.strengths[agent]?));
        let mut known: Vec<(usize, f64)> = (0..self.agents.len()).filter_map(known).collect();
        known.sort_by(|a, b| b.1.total_cmp(&a.1));
        known.into_iter().map(|(agent, _)| agent).collect()
    }

    /// Pairs of agents: the family of all comparisons.
    pub fn pairs(&self) -> usize {
        self.agents.len() * (self.agents.len() - 1) / 2
    }

    /// The interval of an estimate that holds together with those of all other pairs (Bonferroni).
    pub fn joint(&self, estimate: &Estimate) -> Option<(f64, f64)> {
        let se = estimate.se.filter(|_| estimate.interval.is_some())?;
        let half = self.estimator.half_width(se, self.joint_alpha());
        Some((estimate.value - half, estimate.value + half))
    }

    /// One minus the level of such an interval.
    pub fn joint_alpha(&self) -> f64 {
        ALPHA / self.pairs() as f64
    }

    /// A finding, or none, with the interval that it rests on.
    pub fn judged(&self, finding: Option<Finding>, joint: Option<(f64, f64)>) -> More {
        let level = joint.map(|_| 1.0 - self.joint_alpha());
        More::Comparison(Comparison { finding, interval: joint, level, ..Comparison::default() })
    }

    /// `ratings.csv`.
    pub fn ratings(&self) -> Table {
        let ranking = self.ranking();
        let rows = (0..self.agents.len()).flat_map(|agent| self.agent_rows(agent, &ranking));
        RATINGS.table(self.estimator.grouped.blocks(), rows.collect())
    }

    fn agent_rows(&self, agent: usize, ranking: &[usize]) -> Vec<Row> {
        let place = ranking.iter().position(|&ranked| ranked == agent);
        let next = place.and_then(|place| ranking.get(place + 1));
        let (wins, seats) = self.won(agent);
        let matches = self.matches_of(agent);
        let elo = self.elo(agent);
        let row = |metric, estimate, n, more| {
            let keys = vec![self.agents[agent].clone()];
            let blocks = self.estimator.grouped.blocks();
            Row { keys, metric, estimate, blocks, n, more }
        };
        let rank = place.map(|place| Estimate::plain(place as f64 + 1.0));
        let mut rows = vec![
            row("elo", Some(elo), matches, More::Nothing),
            row("rank", rank.or(Some(Estimate::no_maximum())), matches, More::Nothing),
        ];
        if let Some(&next) = next {
            let above = self.estimate(|ratings| {
                Some(ELO * (ratings.strengths[agent]? - ratings.strengths[next]?))
            });
            let joint = above.as_ref().and_then(|above| self.joint(above));
            let surely = joint.is_some_and(|(lo, _)| lo > 0.0);
            let finding = surely.then(|| Finding::StrongerThan(self.agents[next].clone()));
            rows.push(row("elo_above_next", above, matches, self.judged(finding, joint)));
        }
        rows.push(row("win_rate_among_anchors", Some(self.among(elo)), matches, More::Nothing));
        let seated = seats.iter().map(|&counter| self.estimator.sum(counter)).sum();
        let rate = |view: SectionSums<'_>| {
            let seats: f64 = seats.iter().map(|&counter| view.get(counter)).sum();
            let wins: f64 = wins.iter().map(|&counter| view.get(counter)).sum();
            (seats > 0.0).then(|| wins / seats)
        };
        let rate = self.estimator.share_among(rate, Held::anywhere(seated));
        rows.push(row("win_rate", rate, seated, More::Nothing));
        rows
    }

    /// What a rating means at a table of anchors: 10^(elo/400) among as many and n − 1 of 1.
    fn among(&self, elo: Estimate) -> Estimate {
        let others = self.line_ups.first().map_or(1, Vec::len) as f64 - 1.0;
        let share = |elo: f64| 1.0 / (1.0 + others * libm::exp(-elo / ELO));
        let interval = elo.interval.map(|(lo, hi)| (share(lo), share(hi)));
        let method = if interval.is_some() { Method::Transformed } else { elo.method };
        Estimate { value: share(elo.value), se: None, interval, method }
    }

    /// The counters of an agent's wins, and of all matches for each of its seats.
    fn won(&self, agent: usize) -> (Vec<usize>, Vec<usize>) {
        let count = self.count();
        let (mut wins, mut seats) = (Vec::new(), Vec::new());
        for (number, line_up) in self.line_ups.iter().enumerate() {
            for seat in (0..count.seats).filter(|&seat| line_up[seat] == agent) {
                wins.push(count.wins(number, seat));
                seats.extend((0..=count.seats).map(|place| count.wins(number, place)));
            }
        }
        (wins, seats)
    }

    /// The matches at whose table an agent sits.
    fn matches_of(&self, agent: usize) -> u64 {
        let count = self.count();
        let numbers = self.line_ups.iter().enumerate();
        let numbers = numbers.filter(|(_, line_up)| line_up.contains(&agent));
        let of = |number| {
            (0..=count.seats)
                .map(|place| self.estimator.sum(count.wins(number, place)))
                .sum::<u64>()
        };
        numbers.map(|(number, _)| of(number)).sum()
    }

    /// `tournament_seats.csv`.
    pub fn seats(&self) -> Table {
        let count = self.count();
        let blocks = self.estimator.grouped.blocks();
        let all: Vec<usize> = (0..self.line_ups.len() * (count.seats + 1)).collect();
        let n = all.iter().map(|&counter| self.estimator.sum(counter)).sum();
        let share_of = |place: usize| {
            let share = |view: SectionSums<'_>| {
                let won =
                    (0..self.line_ups.len()).map(|number| view.get(count.wins(number, place)));
                let all: f64 = all.iter().map(|&counter| view.get(counter)).sum();
                (all > 0.0).then(|| won.sum::<f64>() / all)
            };
            self.estimator.share_among(share, Held::anywhere(n))
        };
        let row = |key: String, metric, estimate| Row::new(vec![key], metric, estimate, blocks, n);
        let mut rows = Vec::new();
        for seat in 0..count.seats {
            let key = (seat + 1).to_string();
            let elo = self.estimate(|ratings| Some(ELO * ratings.seats[seat]?));
            rows.push(row(key.clone(), "elo", elo.or(Some(Estimate::no_maximum()))));
            rows.push(row(key, "win_rate", share_of(seat)));
        }
        rows.push(row(String::new(), "no_winner_share", share_of(count.seats)));
        SEATS.table(blocks, rows)
    }
}

/// The matches of a run as the fit takes them.
fn contests(view: &SectionSums<'_>, line_ups: &[Vec<usize>]) -> Vec<Contest> {
    let seats = line_ups.first().map_or(0, Vec::len);
    let count = TournamentCount { seats, line_ups: line_ups.len(), first: 0 };
    let contest = |(number, players): (usize, &Vec<usize>)| Contest {
        players: players.clone(),
        wins: (0..seats).map(|seat| view.get(count.wins(number, seat))).collect(),
        no_winner: view.get(count.no_winner(number)),
    };
    line_ups.iter().enumerate().map(contest).collect()
}
