//! Two agents that are equal in law, compared many times: how often a difference is found.

use crate::figures::{Bound, Figure, report, share, simulations};
use crate::setup::{Setup, Who, found};
use crate::toy::Rules;
use fairhaven::core::agent::{Agent, Player};
use fairhaven::core::game::{Game, Observation};
use fairhaven::core::types::actions::Actions;
use fairhaven::core::watch::Watch;
use fairhaven::games::on_the_road::{OnTheRoad, rules as road};
use fairhaven::lab::questions::studies::comparison::DuelTest;
use fairhaven::lab::questions::studies::estimator::Estimator;
use fairhaven::sim::agents::random::Random;
use fairhaven::sim::batch::Flow;
use fairhaven::sim::choices::Pad;
use fairhaven::sim::counts::duel::DuelCount;
use fairhaven::sim::experiment::Experiment;
use fairhaven::sim::trials::{Noted, Section, Trials};
use fairhaven::stats::jackknife::Grouped;
use fairhaven::stats::mean_test::MeanTest;
use rand_core::Rng;
use rand_pcg::Pcg32;
use rayon::prelude::*;
use statrs::distribution::{Binomial, DiscreteCDF};

/// The result of a comparison of equals.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    /// The test accepted a difference.
    accepted: bool,
    /// The confidence sequence left 0 out at some look.
    excluded: bool,
}

/// The most differences that will be found in this number of comparisons, with 99 % probability, at 5 %.
fn most(comparisons: u64) -> u64 {
    Binomial::new(0.05, comparisons).expect("a share").inverse_cdf(0.99)
}

#[test]
fn the_bound_for_200_comparisons_is_18() {
    assert_eq!(most(200), 18);
}

fn figures(setting: &str, all: &[Found]) -> Vec<Figure> {
    let n = all.len() as u64;
    let of = |what, found: fn(&Found) -> bool| {
        let hits = all.iter().filter(|one| found(one)).count() as u64;
        let figure = share(what, setting, (hits, n), Bound::AtMost(0.05));
        Figure { hi: most(n) as f64 / n as f64, holds: hits <= most(n), ..figure }
    };
    vec![
        of("a difference accepted", |one| one.accepted),
        of("0 ever outside the sequence", |one| one.excluded),
        of("either", |one| one.accepted || one.excluded),
    ]
}

#[test]
fn equal_agents_of_the_dice_race_are_found_different_as_seldom_as_they_should() {
    let n = simulations(100);
    let setup = Setup::duel(Rules::default(), 4, [Who::Uniform, Who::Mirror], 0.05);
    let compare = |seed| {
        let mut all = Found::default();
        Setup { seed, ..setup.clone() }.alone(|study, totals| {
            let tables = study.tables(totals);
            let difference = found(&tables, "compare", &["A - B"], "win_difference");
            let (lo, hi) = difference.interval.expect("a sequence");
            all.excluded |= lo > 0.0 || hi < 0.0;
            let Some(says) = study.stop(totals) else { return Flow::On };
            all.accepted = !says.contains("accepts a difference of 0 pp");
            Flow::Stop
        });
        all
    };
    let all: Vec<Found> = (0..n).into_par_iter().map(compare).collect();
    report("equal-toy", &figures("dice race, 4 players, 5 pp", &all), &[]);
}

/// As `random`, but one random number behind: equal in law, and never the same match.
struct Behind(Random);

impl<G: Game> Agent<G> for Behind {
    fn choose(
        &mut self,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        rng.next_u32();
        self.0.choose(seen, legal, rng)
    }
}

#[test]
fn equal_agents_on_the_road_are_found_different_as_seldom_as_they_should() {
    let n = (simulations(10) / 10).max(10);
    let game = OnTheRoad::new(road::Rules::default(), 4).expect("the usual rules");
    let matches = DuelCount::even(4);
    let duel = DuelCount::of(&matches).expect("a duel");
    let test = MeanTest { mean0: 0.0, mean1: 0.05, alpha: 0.05, beta: 0.05 };
    let comparison = DuelTest { duel: duel.clone(), test, until: None, same: false };
    let sit = |_: &OnTheRoad, _: &Pad| -> Vec<Player<OnTheRoad>> {
        vec![Player::Honest(Box::new(Random)), Player::Honest(Box::new(Behind(Random)))]
    };
    let compare = |seed| {
        let experiment = Trials {
            seed,
            games: vec![game.clone()],
            agents: Box::new(sit),
            choice: 0,
            options: Vec::new(),
            matches: matches.clone(),
            sections: vec![Section { matches: 0..matches.len(), count: Box::new(duel.clone()) }],
            noted: Noted::Nothing,
            watch: &Watch::none(),
        };
        let mut worker = experiment.worker();
        let mut grouped = Grouped::new(experiment.width());
        let mut all = Found::default();
        for chunk in 0..10_000 {
            let part = worker.play(chunk * 16..(chunk + 1) * 16);
            grouped.add(chunk, 16, &part.sums);
            let offset = fairhaven::sim::trials::COMMON;
            let estimator = Estimator::new(&grouped, offset, true);
            let tables = [comparison.table(estimator)];
            let difference = found(&tables, "compare", &["A - B"], "win_difference");
            let (lo, hi) = difference.interval.expect("a sequence");
            all.excluded |= lo > 0.0 || hi < 0.0;
            if let Some(says) = comparison.stop(estimator) {
                all.accepted = !says.contains("accepts a difference of 0 pp");
                return all;
            }
        }
        panic!("no decision");
    };
    let all: Vec<Found> = (0..n).into_par_iter().map(compare).collect();
    report("equal-road", &figures("On the Road, 4 players, random, 5 pp", &all), &[]);
}
