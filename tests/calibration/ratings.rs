//! Ratings of made-up agents whose strengths are planted: what their intervals cover, and how often a misfit or a
//! cycle is found where there is none, and where there is one.
//!
//! All matches of a block have the same luck by seat (Gumbel's, so that winners follow the model exactly; D. Luce, P.
//! Suppes, 1965), as matches on one deal have.

use crate::figures::{Bound, Figure, Target, coverage, luck, report, share, simulations};
use fairhaven::lab::questions::studies::crosstable::{self, strongest_cycle};
use fairhaven::lab::questions::studies::estimator::Estimator;
use fairhaven::lab::questions::studies::rated::Rated;
use fairhaven::lab::questions::studies::study::{BLOCKS_BEFORE_STOP, WATCHED_CHUNK, is_look};
use fairhaven::lab::report::comparison::Finding;
use fairhaven::lab::report::table::Table;
use fairhaven::sim::counts::tournament::TournamentCount;
use fairhaven::sim::trials::{BLOCKS, COMMON};
use fairhaven::stats::jackknife::{Estimate, Grouped};
use fairhaven::stats::line_ups;
use fairhaven::stats::ratings::ELO;
use rand_core::Rng;
use rand_pcg::Pcg32;
use rayon::prelude::*;

/// What is planted: strengths of two agents against each other, worths of seats, and how likely nobody wins.
struct Planted {
    line_ups: Vec<Vec<usize>>,
    /// By agent, and against whom: the same in each row if one number an agent says it all.
    strengths: Vec<Vec<f64>>,
    seats: Vec<f64>,
    no_winner: f64,
}

fn gumbel(rng: &mut Pcg32) -> f64 {
    let uniform = (f64::from(rng.next_u32()) + 0.5) / 4_294_967_296.0;
    -(-uniform.ln()).ln()
}

impl Planted {
    /// One number an agent.
    fn plain(agents: &[f64], seats: &[f64], no_winner: f64) -> Planted {
        Planted {
            line_ups: line_ups::design(agents.len(), seats.len()),
            strengths: agents.iter().map(|&strength| vec![strength; agents.len()]).collect(),
            seats: seats.to_vec(),
            no_winner,
        }
    }

    /// Three agents at two seats, each of which beats the next with odds of e^0.8 to 1: 69 %.
    fn rock_paper_scissors() -> Planted {
        let mut planted = Planted::plain(&[0.0, 0.0, 0.0, 0.3], &[0.2, 0.0], 0.0);
        for winner in 0..3 {
            planted.strengths[winner][(winner + 1) % 3] += 0.8;
        }
        planted
    }

    fn count(&self) -> TournamentCount {
        TournamentCount { seats: self.seats.len(), line_ups: self.line_ups.len(), first: 0 }
    }

    /// The weight of each seat, and of nobody, on the logarithmic scale.
    fn weights(&self, line_up: &[usize]) -> Vec<f64> {
        // Against whom matters at two seats alone.
        let strength = |seat: usize| {
            let other = if line_up.len() == 2 { line_up[1 - seat] } else { line_up[seat] };
            self.strengths[line_up[seat]][other]
        };
        let mut weights: Vec<f64> =
            (0..line_up.len()).map(|seat| strength(seat) + self.seats[seat]).collect();
        let mean = (0..line_up.len()).map(strength).sum::<f64>() / line_up.len() as f64;
        let centre = self.seats.iter().sum::<f64>() / self.seats.len() as f64;
        weights.push(self.no_winner.ln() + mean + centre);
        weights
    }

    fn grouped(&self) -> Grouped {
        Grouped::new(COMMON + self.line_ups.len() * (self.seats.len() + 1))
    }

    /// The sums of some blocks.
    fn chunk(&self, rng: &mut Pcg32, blocks: u64) -> Vec<u64> {
        let count = self.count();
        let mut sums = vec![0; self.grouped().width()];
        sums[BLOCKS] = blocks;
        let weights: Vec<Vec<f64>> =
            self.line_ups.iter().map(|line_up| self.weights(line_up)).collect();
        for _ in 0..blocks {
            let luck: Vec<f64> = (0..=count.seats).map(|_| gumbel(rng)).collect();
            for (number, weights) in weights.iter().enumerate() {
                let scores = weights.iter().zip(&luck).map(|(weight, luck)| weight + luck);
                let best = scores.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
                sums[COMMON + count.wins(number, best.expect("seats").0)] += 1;
            }
        }
        sums
    }

    /// The sums of a run.
    fn played(&self, seed: u64, blocks: u64) -> Grouped {
        let mut rng = luck(31, seed);
        let mut grouped = self.grouped();
        for block in 0..blocks {
            grouped.add(block, 1, &self.chunk(&mut rng, 1));
        }
        grouped
    }

    /// A run that stops when every rating is known to within some Elo: which of the agents but for the anchor had an
    /// interval beside its rating at any look, and which at the last; and the blocks.
    fn until(&self, seed: u64, until: f64) -> (Vec<bool>, Vec<bool>, u64) {
        let mut rng = luck(32, seed);
        let mut grouped = self.grouped();
        let agents = 1..self.strengths.len();
        let mut ever = vec![false; agents.len()];
        for chunk in 0.. {
            grouped.add(chunk, WATCHED_CHUNK, &self.chunk(&mut rng, WATCHED_CHUNK));
            if !is_look(grouped.blocks()) {
                continue;
            }
            let rated = self.rated_as(&grouped, true);
            let missed = |agent: usize| {
                let truth = ELO * (self.strengths[agent][0] - self.strengths[0][0]);
                rated.elo(agent).interval.is_none_or(|(lo, hi)| truth < lo || hi < truth)
            };
            let last: Vec<bool> = agents.clone().map(missed).collect();
            ever.iter_mut().zip(&last).for_each(|(ever, last)| *ever |= last);
            if rated.widest().is_some_and(|widest| widest <= until) {
                return (ever, last, grouped.blocks());
            }
        }
        unreachable!("it has stopped")
    }

    fn rated<'a>(&self, grouped: &'a Grouped) -> Rated<'a> {
        self.rated_as(grouped, false)
    }

    fn rated_as<'a>(&self, grouped: &'a Grouped, watched: bool) -> Rated<'a> {
        let estimator = Estimator::new(grouped, COMMON, watched);
        let names = (0..self.strengths.len()).map(|agent| format!("agent {agent}")).collect();
        Rated::new(estimator, names, self.line_ups.clone(), 0)
    }
}

/// The agents of the cycle that a table shows, if it does.
fn cycle(table: &Table, agents: usize) -> Option<Vec<usize>> {
    let name = |agent: usize| format!("agent {agent}");
    let link = |one: usize, other: usize| {
        let row = table.find(&[&name(one), &name(other)], "win_share")?;
        row.finding().filter(|finding| **finding == Finding::MoreThanHalf)?;
        Some(row.comparison()?.interval?.0)
    };
    let links: Vec<Vec<Option<f64>>> =
        (0..agents).map(|one| (0..agents).map(|other| link(one, other)).collect()).collect();
    strongest_cycle(&links)
}

fn misfits(table: &Table) -> bool {
    table.rows.iter().any(|row| row.metric == "residual" && row.finding() == Some(&Finding::Misfit))
}

const AGENTS: [f64; 6] = [0.0, 0.5, -0.6, 0.9, 0.2, -0.3];

#[test]
fn intervals_of_planted_ratings_cover() {
    let n = simulations(60);
    let mut figures: Vec<Figure> = Vec::new();
    for (setting, seats, no_winner, blocks) in [
        ("6 agents at 4 seats, 200 blocks", &[0.2, 0.1, -0.1, -0.2][..], 0.0, 200),
        (
            "6 agents at 4 seats, 2 % without a winner, 500 blocks",
            &[0.2, 0.1, -0.1, -0.2],
            0.1,
            500,
        ),
        ("6 agents at 2 seats, 200 blocks", &[0.1, -0.1], 0.0, 200),
        ("6 agents at 3 seats, many without a winner, 200 blocks", &[0.1, 0.0, -0.1], 0.5, 200),
    ] {
        let planted = Planted::plain(&AGENTS, seats, no_winner);
        let target = |what: String, truth: f64| -> Target { (what, setting.to_owned(), truth) };
        let mut targets: Vec<Target> = (1..AGENTS.len())
            .map(|agent| target(format!("elo of agent {agent}"), ELO * AGENTS[agent]))
            .collect();
        targets.push(target("elo of seat 1".to_owned(), ELO * seats[0]));
        figures.extend(coverage(&targets, n, |seed| {
            let grouped = planted.played(seed, blocks);
            let rated = planted.rated(&grouped);
            let elo = (1..AGENTS.len()).map(|agent| Some(rated.elo(agent)));
            let seat = rated.estimate(|ratings| Some(ELO * ratings.seats[0]?));
            elo.chain([seat]).collect::<Vec<Option<Estimate>>>()
        }));
    }
    report("ratings", &figures, &[]);
}

#[test]
fn ratings_of_a_run_that_stops_by_itself_are_seldom_missed() {
    // Each looks several times, and each look is 65 fits.
    let n = simulations(20).min(400);
    let mut figures: Vec<Figure> = Vec::new();
    for (setting, seats, until) in [
        ("6 agents at 4 seats, --until ci=30elo", &[0.2, 0.1, -0.1, -0.2][..], 30.0),
        ("6 agents at 2 seats, --until ci=25elo", &[0.1, -0.1], 25.0),
    ] {
        let planted = Planted::plain(&AGENTS, seats, 0.0);
        let runs: Vec<(Vec<bool>, Vec<bool>, u64)> =
            (0..n).into_par_iter().map(|seed| planted.until(seed, until)).collect();
        let stops = runs.iter().filter(|(_, _, blocks)| *blocks > BLOCKS_BEFORE_STOP).count();
        assert!(stops as u64 > n / 2, "{setting}: few runs have more than one look");
        for agent in 1..AGENTS.len() {
            let ever = runs.iter().filter(|(ever, _, _)| ever[agent - 1]).count() as u64;
            let last = runs.iter().filter(|(_, last, _)| last[agent - 1]).count() as u64;
            for (when, missed) in [("ever missed", ever), ("missed at its stop", last)] {
                let what = format!("elo of agent {agent}, {when}");
                figures.push(share(&what, setting, (missed, n), Bound::AtMost(0.05)));
            }
        }
    }
    report("ratings-until", &figures, &[]);
}

#[test]
fn one_rating_an_agent_is_seldom_contradicted_where_it_fits() {
    let n = simulations(60);
    let mut figures: Vec<Figure> = Vec::new();
    for (setting, seats, blocks) in [
        ("6 agents at 4 seats, 200 blocks", &[0.2, 0.1, -0.1, -0.2][..], 200),
        ("6 agents at 2 seats, 200 blocks", &[0.1, -0.1], 200),
        ("6 agents at 2 seats, 1,000 blocks", &[0.1, -0.1], 1000),
    ] {
        let planted = Planted::plain(&AGENTS, seats, 0.0);
        let found = |seed: u64| {
            let grouped = planted.played(seed, blocks);
            let table = crosstable::table(&planted.rated(&grouped));
            (u64::from(misfits(&table)), u64::from(cycle(&table, AGENTS.len()).is_some()))
        };
        let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        let (misfit, cycle) = (0..n).into_par_iter().map(found).reduce(|| (0, 0), add);
        figures.push(share("a misfit is found", setting, (misfit, n), Bound::AtMost(0.05)));
        figures.push(share("a cycle is found", setting, (cycle, n), Bound::AtMost(0.05)));
    }
    report("ratings-fit", &figures, &[]);
}

/// Six equal agents, in a watched run that ends with a few groups of blocks.
#[test]
fn few_groups_claim_no_misfit_and_no_strongest_agent() {
    let n = simulations(40);
    let planted = Planted::plain(&[0.0; 6], &[0.2, 0.1, -0.1, -0.2], 0.0);
    let mut figures: Vec<Figure> = Vec::new();
    // Chunks of 32 blocks are those of earlier versions, whose runs can still be analyzed.
    for (groups, chunk) in [(2, 32), (3, 32), (4, 32), (8, 32), (16, 4)] {
        let found = |seed: u64| {
            let mut rng = luck(33, seed);
            let mut grouped = planted.grouped();
            (0..groups).for_each(|at| grouped.add(at, chunk, &planted.chunk(&mut rng, chunk)));
            let rated = planted.rated_as(&grouped, true);
            let ratings = rated.ratings();
            let stronger = ratings
                .rows
                .iter()
                .any(|row| row.metric == "elo_above_next" && row.finding().is_some());
            let missed = (1..6)
                .filter_map(|agent| rated.elo(agent).interval)
                .any(|(lo, hi)| lo > 0.0 || hi < 0.0);
            [misfits(&crosstable::table(&rated)), stronger, missed].map(u64::from)
        };
        let add = |a: [u64; 3], b: [u64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
        let hits = (0..n).into_par_iter().map(found).reduce(|| [0; 3], add);
        let setting = format!("6 equal agents, watched, {groups} groups of {chunk} blocks");
        let what = ["a misfit is found", "an agent is the stronger", "a rating is missed"];
        for (what, hits) in what.into_iter().zip(hits) {
            // Any of five ratings, of which each may be missed.
            let most = if what == "a rating is missed" { 0.25 } else { 0.05 };
            figures.push(share(what, &setting, (hits, n), Bound::AtMost(most)));
        }
    }
    report("ratings-groups", &figures, &[]);
}

#[test]
fn a_pair_that_won_four_matches_is_not_told_apart() {
    // Agents 4 and 5 sit at tables of strong ones: of 200 blocks, four have a match that one of both won, always 4.
    let planted = Planted::plain(&[0.0; 6], &[0.0; 4], 0.0);
    let mut grouped = planted.grouped();
    let count = planted.count();
    let mut left = 4;
    for block in 0..200 {
        let mut sums = vec![0; planted.grouped().width()];
        sums[BLOCKS] = 1;
        for (number, line_up) in planted.line_ups.iter().enumerate() {
            let seat = |agent: usize| line_up.iter().position(|&of| of == agent);
            let strong = line_up.iter().position(|&of| of < 4).expect("two of four are strong");
            let wins = seat(4).filter(|_| seat(5).is_some() && left > 0 && block % 50 == 0);
            left -= u64::from(wins.is_some());
            sums[COMMON + count.wins(number, wins.unwrap_or(strong))] += 1;
        }
        grouped.add(block, 1, &sums);
    }
    let table = crosstable::table(&planted.rated(&grouped));
    let row = table.find(&["agent 5", "agent 4"], "win_share").expect("a pair");
    let (lo, hi) = row.estimate.expect("four matches").interval.unwrap_or((0.0, 1.0));
    assert!(row.n == 4 && row.blocks <= 4, "{} in {} blocks", row.n, row.blocks);
    assert!(lo <= 0.0 && hi > 0.45, "{lo} to {hi}");
}

#[test]
fn a_planted_cycle_is_found() {
    let n = simulations(20);
    let planted = Planted::rock_paper_scissors();
    let found = |seed: u64| {
        let grouped = planted.played(seed, 400);
        let table = crosstable::table(&planted.rated(&grouped));
        u64::from(misfits(&table) && cycle(&table, 4) == Some(vec![0, 1, 2]))
    };
    let hits = (0..n).into_par_iter().map(found).sum();
    let setting = "rock, paper, scissors and a fourth at 2 seats, 400 blocks";
    let figure = share("the planted cycle is found", setting, (hits, n), Bound::About(1.0, 0.02));
    report("ratings-cycle", &[figure], &[]);
}
