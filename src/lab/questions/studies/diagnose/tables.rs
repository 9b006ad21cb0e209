//! The tables of `diagnose` that `simulate` does not have.

use crate::core::types::seat::Seat;
use crate::lab::questions::studies::diagnose::plan::BlockPlan;
use crate::lab::questions::studies::estimator::{Estimator, SectionSums};
use crate::lab::report::described::{TableSchema, integer, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::simulated;
use crate::lab::report::table::{Row, Table};
use crate::lab::report::tables::Source;
use crate::sim::diagnosis::count::{DesignCount, MOMENTS, PARTS};
use crate::sim::layout::Layout;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Method, Sums};

/// Ways to win.
pub const WAYS: TableSchema = TableSchema {
    name: "ways",
    keys: &[text("source", "where points come from")],
    more: &[],
    metrics: &[
        Metric::share("winner_share", "share of the winners' points that come from it"),
        Metric::mean("winner_points", "points that a winner has from it at the end"),
        Metric::mean("other_points", "points that another seat has from it at the end"),
    ],
};

/// Who leads, and who overtakes.
pub const LEADS: TableSchema = TableSchema {
    name: "leads",
    keys: &[text("moment", "quarter, half or three_quarters of the turns of the match")],
    more: &[],
    metrics: &[
        Metric::share("led_share", "share of matches with a winner that one seat leads alone then"),
        Metric::share("leader_wins", "share of those that this seat wins"),
        Metric::share(
            "next_wins",
            "share of those that a seat wins which has the most points of the others then",
        ),
        Metric::share("behind_wins", "share of those that a seat wins which is further behind"),
    ],
};

/// Whether losers decide who wins.
pub const KINGMAKING: TableSchema = TableSchema {
    name: "kingmaking",
    keys: &[text("part", "where the decision lies: match, or last_quarter of its decisions")],
    more: &[],
    metrics: &[
        Metric::share(
            "third_same_luck",
            "share of decisions of losing seats where another choice, with the same luck, makes a third seat win",
        ),
        Metric::share(
            "third_chance",
            "with the same choice and other luck: how often another seat wins than before, of matches that the chooser does not win",
        ),
        Metric::share("third_choice", "the same with another choice and other luck"),
        Metric::difference(
            "choice_effect",
            "third_choice minus third_chance: what the choice decides",
        ),
    ],
};

/// What is paid for what.
pub const PRICES: TableSchema = TableSchema {
    name: "prices",
    keys: &[text("card", "a row of cards.csv that is paid for")],
    more: &[],
    metrics: &[
        Metric::mean("bought_mean", "times bought in a match and seat"),
        Metric::mean("price_mean", "resource cards paid for one"),
        Metric::share("spent_share", "share of all cards paid that were paid for it"),
        Metric::difference(
            "worth",
            "lift_matched for each resource card paid: what buyers win more than seats that stood alike",
        ),
    ],
};

/// Seats at each strength of play.
pub const STRENGTHS: TableSchema = TableSchema {
    name: "strengths",
    keys: &[
        text("level", "who plays in all seats"),
        integer("seat", "place in turn order, from 1; seat 1 starts"),
    ],
    more: &[],
    metrics: &[
        Metric::share("win_rate", "share of matches won from this seat"),
        Metric::difference("advantage", "win rate minus 1/players"),
    ],
};

/// How much skill pays.
pub const SKILL: TableSchema = TableSchema {
    name: "skill",
    keys: &[
        text("level", "a level of play, in every other seat"),
        text("below", "the level in the seats between"),
    ],
    more: &[],
    metrics: &[
        Metric::share(
            "win_share",
            "share of matches that a seat of the level wins, not one of the level below",
        ),
        Metric::number(
            "steps",
            "how many steps that is of which each wins 60 % against the one below",
        ),
    ],
};

/// How matches go on.
pub const PACE: TableSchema = TableSchema {
    name: "pace",
    keys: &[text("matches", "which matches: `all`")],
    more: &[],
    metrics: &[
        Metric::share(
            "dead_share",
            "share of turns in which whoever's turn it is never has more than one legal action",
        ),
        Metric::share(
            "idle_share",
            "share of turns in which whoever's turn it is pays for nothing",
        ),
        Metric::share("long_share", "share of matches with more than twice the median of turns"),
        Metric::share("unfinished_share", "share of matches without a winner"),
    ],
};

/// What the tables are made from.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// Which match of a block is which.
    pub plan: BlockPlan,
    /// The rule set of the tables.
    pub variant: usize,
    /// Levels of play, the weakest first.
    pub levels: &'a [String],
    /// Who wins which match.
    pub wins: Estimator<'a>,
    /// What is counted beside what `simulate` counts.
    pub design: Estimator<'a>,
    /// Where that lies.
    pub count: DesignCount,
    /// What `simulate` counts.
    pub simulated: Source<'a>,
}

/// All but the findings, those of `simulate` behind its own.
pub fn tables(sources: &Sources<'_>) -> Vec<Table> {
    let blocks = sources.design.grouped.blocks();
    let simulated = simulated::all(sources.simulated);
    let mut tables = vec![
        WAYS.table(blocks, sources.ways()),
        LEADS.table(blocks, sources.leads()),
        KINGMAKING.table(blocks, sources.kingmaking()),
        PRICES.table(blocks, sources.prices(&simulated)),
        STRENGTHS.table(blocks, sources.strengths(&simulated)),
        SKILL.table(blocks, sources.skill()),
        PACE.table(blocks, sources.pace()),
    ];
    tables.extend(simulated);
    tables
}

fn row(
    keys: &[&str],
    metric: &'static str,
    estimate: Option<Estimate>,
    n: u64,
    blocks: u64,
) -> Row {
    let keys = keys.iter().map(|&key| key.to_owned()).collect();
    Row::new(keys, metric, estimate, blocks, n)
}

impl Sources<'_> {
    fn blocks(&self) -> u64 {
        self.design.grouped.blocks()
    }

    /// A share of things of which a block may have several.
    fn share(&self, keys: &[&str], metric: &'static str, above: usize, below: usize) -> Row {
        let (n, blocks) = (self.design.sum(below), self.blocks());
        let estimate = self.design.share_among(|sums| sums.ratio(above, below), Held::anywhere(n));
        row(keys, metric, estimate, n, n.min(blocks))
    }

    /// A share of things of which a block has one at most.
    fn single(&self, keys: &[&str], metric: &'static str, above: usize, below: usize) -> Row {
        let n = self.design.sum(below);
        let estimate = self.design.share_among(|sums| sums.ratio(above, below), Held::new(n, n));
        row(keys, metric, estimate, n, n)
    }

    fn ways(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let (won, others) =
            (self.design.sum(DesignCount::WON), self.design.sum(DesignCount::OTHERS));
        for (source, name) in self.simulated.names.sources.iter().enumerate() {
            let at = self.count.source(source);
            let share = |sums: SectionSums<'_>| {
                let all = (0..self.count.sources).map(|source| self.count.source(source));
                let all: f64 = all.map(|at| sums.get(at + DesignCount::OF_WINNERS)).sum();
                (all > 0.0).then(|| sums.get(at + DesignCount::OF_WINNERS) / all)
            };
            let blocks = won.min(self.blocks());
            let share = self.design.share_among(share, Held::by_blocks(blocks));
            rows.push(row(&[name], "winner_share", share, won, blocks));
            for (metric, counter, below, n) in [
                ("winner_points", DesignCount::OF_WINNERS, DesignCount::WON, won),
                ("other_points", DesignCount::OF_OTHERS, DesignCount::OTHERS, others),
            ] {
                let mean = self.design.average(|sums| sums.ratio(at + counter, below));
                rows.push(row(&[name], metric, mean, n, blocks));
            }
        }
        rows
    }

    fn leads(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (moment, name) in (0..MOMENTS).zip(["quarter", "half", "three_quarters"]) {
            let at = self.count.moment(moment);
            let led = at + DesignCount::LED;
            rows.push(self.share(&[name], "led_share", led, DesignCount::WON));
            rows.push(self.share(&[name], "leader_wins", at + DesignCount::LEADER_WINS, led));
            rows.push(self.share(&[name], "next_wins", at + DesignCount::NEXT_WINS, led));
            let n = self.design.sum(led);
            let behind = |sums: SectionSums<'_>| {
                let won = [DesignCount::LEADER_WINS, DesignCount::NEXT_WINS];
                let won: f64 = won.iter().map(|counter| sums.get(at + counter)).sum();
                (sums.get(led) > 0.0).then(|| 1.0 - won / sums.get(led))
            };
            let blocks = n.min(self.blocks());
            let behind = self.design.share_among(behind, Held::anywhere(n));
            rows.push(row(&[name], "behind_wins", behind, n, blocks));
        }
        rows
    }

    fn kingmaking(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (part, name) in (0..PARTS).zip(["match", "last_quarter"]) {
            let at = self.count.fork(part);
            let of = |counter: usize| at + counter;
            let keys = [name];
            let (forks, same) = (of(DesignCount::FORKS), of(DesignCount::SAME_LUCK));
            rows.push(self.single(&keys, "third_same_luck", same, forks));
            let kept = (of(DesignCount::KEPT_THIRD), of(DesignCount::KEPT));
            let changed = (of(DesignCount::CHANGED_THIRD), of(DesignCount::CHANGED));
            rows.push(self.single(&keys, "third_chance", kept.0, kept.1));
            rows.push(self.single(&keys, "third_choice", changed.0, changed.1));
            let n = self.design.sum(kept.1).min(self.design.sum(changed.1));
            let effect = self.design.share_difference(
                |sums| sums.ratio(changed.0, changed.1),
                |sums| sums.ratio(kept.0, kept.1),
                Held::by_blocks(n),
            );
            rows.push(row(&keys, "choice_effect", effect, n, n));
        }
        rows
    }

    fn prices(&self, simulated: &[Table]) -> Vec<Row> {
        let mut rows = Vec::new();
        let cards = simulated.iter().find(|table| table.name == "cards");
        let main = self.simulated.agents[0].as_str();
        let players = u64::from(self.plan.players);
        let seats = self.simulated.grouped.sum(Layout::MATCHES) * players;
        let counter = |card: usize, counter: usize| self.count.card(card) + counter;
        for (card, name) in self.simulated.names.cards.iter().enumerate() {
            let [bought, paid] =
                [DesignCount::BOUGHT, DesignCount::PAID].map(|of| counter(card, of));
            let n = self.design.sum(bought);
            if n == 0 {
                continue;
            }
            let of_seat = |sums: SectionSums<'_>| {
                let seats = sums.get(DesignCount::PLAYED) * players as f64;
                (seats > 0.0).then(|| sums.get(bought) / seats)
            };
            let mean = self.design.average(of_seat);
            rows.push(row(&[name], "bought_mean", mean, seats, self.blocks()));
            let price = self.design.average(|sums| sums.ratio(paid, bought));
            rows.push(row(&[name], "price_mean", price, n, n.min(self.blocks())));
            let share = self.design.share(|sums| {
                let all = (0..self.count.cards).map(|card| counter(card, DesignCount::PAID));
                let all: f64 = all.map(|at| sums.get(at)).sum();
                (all > 0.0).then(|| sums.get(paid) / all)
            });
            rows.push(row(&[name], "spent_share", share, n, n.min(self.blocks())));
            let lift = cards.and_then(|table| table.find(&[main, name], "lift_matched"));
            let priced = price.map(|price| price.value).filter(|&price| price > 0.0);
            if let (Some(lift), Some(price)) = (lift, priced) {
                let worth = lift.estimate.map(|lift| lift.scaled(1.0 / price, 0.0));
                rows.push(row(&[name], "worth", worth, lift.n, lift.blocks));
            }
        }
        rows
    }

    /// Of matches with a winner, those that each seat wins.
    pub fn seat_shares(&self) -> Vec<Row> {
        let Source { grouped, layout, .. } = self.simulated;
        let n = grouped.sum(Layout::WON);
        let blocks = grouped.sum(Layout::BLOCKS_WON);
        let of_seat = |seat: Seat| {
            let wins = layout.seat(0, seat) + Layout::WINS;
            let share = |sums: Sums<'_>| sums.ratio(wins, Layout::WON);
            let share = grouped.share_among(share, Held::new(n, blocks));
            row(&[&seat.to_string()], "seat_share", share, n, blocks)
        };
        Seat::all(self.plan.players).map(of_seat).collect()
    }

    /// The strongest level plays what is looked into; of the others there is one match a block.
    fn strengths(&self, simulated: &[Table]) -> Vec<Row> {
        let mut rows = Vec::new();
        let (blocks, even) = (self.blocks(), 1.0 / f64::from(self.plan.players));
        let seats = simulated.iter().find(|table| table.name == "seats");
        for (level, name) in self.levels.iter().enumerate() {
            for seat in Seat::all(self.plan.players) {
                let number = seat.to_string();
                let keys = [name.as_str(), number.as_str()];
                let rate = if level + 1 < self.levels.len() {
                    let wins =
                        self.plan.wins().wins(self.plan.of_level(self.variant, level), seat.idx());
                    let rate = |sums: SectionSums<'_>| Some(sums.get(wins) / sums.blocks());
                    let rate = self.wins.share_among(rate, Held::new(blocks, blocks));
                    row(&keys, "win_rate", rate, blocks, blocks)
                } else {
                    let found = seats.and_then(|table| table.find(&[&number, name], "win_rate"));
                    let Some(found) = found else { continue };
                    Row { keys: keys.map(str::to_owned).to_vec(), ..found.clone() }
                };
                let advantage = rate.estimate.map(|rate| rate.scaled(1.0, -even));
                rows.push(Row { metric: "advantage", estimate: advantage, ..rate.clone() });
                rows.push(rate);
            }
        }
        rows
    }

    fn skill(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for level in 1..self.levels.len() {
            let keys = [self.levels[level].as_str(), self.levels[level - 1].as_str()];
            let plan = self.plan;
            let mut won = Vec::new();
            let mut lost = Vec::new();
            for (number, at) in plan.mixed(self.variant, level).enumerate() {
                for seat in Seat::all(plan.players) {
                    let whose =
                        if BlockPlan::is_stronger(number, seat) { &mut won } else { &mut lost };
                    whose.push(plan.wins().wins(at, seat.idx()));
                }
            }
            let all: Vec<usize> = won.iter().chain(&lost).copied().collect();
            let sum = |sums: SectionSums<'_>, of: &[usize]| -> f64 {
                of.iter().map(|&at| sums.get(at)).sum()
            };
            let share = |sums: SectionSums<'_>| {
                let decided = sum(sums, &all);
                (decided > 0.0).then(|| sum(sums, &won) / decided)
            };
            let n = all.iter().map(|&at| self.wins.sum(at)).sum::<u64>();
            let share = self.wins.share_among(share, Held::anywhere(n));
            let blocks = n.min(self.blocks());
            rows.push(row(&keys, "win_share", share, n, blocks));
            let odds = |share: f64| libm::log(share / (1.0 - share));
            let steps = share.and_then(|share| transformed(&share, |w| odds(w) / odds(STEP)));
            rows.push(row(&keys, "steps", steps, n, blocks));
        }
        rows
    }

    fn pace(&self) -> Vec<Row> {
        let keys = ["all"];
        let turns = self.design.sum(DesignCount::TURNS);
        let dead = self.design.share_among(
            |sums| sums.ratio(DesignCount::DEAD, DesignCount::TURNS),
            Held::anywhere(turns),
        );
        let mut rows = vec![row(&keys, "dead_share", dead, turns, self.blocks())];
        let idle = self.design.share_among(
            |sums| sums.ratio(DesignCount::IDLE, DesignCount::TURNS),
            Held::anywhere(turns),
        );
        rows.push(row(&keys, "idle_share", idle, turns, self.blocks()));
        let Source { grouped, layout, .. } = self.simulated;
        let matches = grouped.sum(Layout::MATCHES);
        let blocks = grouped.sum(Layout::BLOCKS_ENDED);
        let held = Held::new(matches, blocks);
        let lengths = layout.length(0)..layout.length(0) + layout.turns_max() + 1;
        let long = grouped.quantile(lengths.clone(), 50).and_then(|median| {
            let from = lengths.start + 2 * median.at + 1;
            let of = |sums: Sums<'_>| {
                let long: f64 = (from..lengths.end).map(|at| sums.get(at)).sum();
                let all = sums.get(Layout::MATCHES);
                (all > 0.0).then(|| long / all)
            };
            grouped.share_among(of, held)
        });
        rows.push(row(&keys, "long_share", long, matches, blocks));
        let unfinished = |sums: Sums<'_>| Some(1.0 - sums.ratio(Layout::WON, Layout::MATCHES)?);
        let unfinished = grouped.share_among(unfinished, held);
        rows.push(row(&keys, "unfinished_share", unfinished, matches, blocks));
        rows
    }
}

/// How often each level should win against the one below, one against one.
pub const STEP: f64 = 0.6;

/// A function of an estimate that grows with it: so do the ends of its interval. Nothing if it has no value.
fn transformed(of: &Estimate, function: impl Fn(f64) -> f64) -> Option<Estimate> {
    let value = function(of.value);
    let ends = of.interval.map(|(lo, hi)| (function(lo), function(hi)));
    let interval = ends.filter(|(lo, hi)| lo.is_finite() && hi.is_finite());
    let method = if interval.is_some() { Method::Transformed } else { Method::TooFew };
    value.is_finite().then_some(Estimate { value, se: None, interval, method })
}
