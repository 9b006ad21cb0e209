//! `reliability` on the dice race, where the chance of each seat to win is known: a judge that knows it is found to be
//! right, and those that are planted to be wrong are found to be so.

use crate::closed_form::{uniform, wins};
use crate::setup::{Setup, Who, blocks, close, found};
use crate::toy::{DiceRace, Rules, State, race};
use fairhaven::core::game::Game;
use fairhaven::core::measure::{Measure, Names};
use fairhaven::core::types::seat::{PerSeat, SEATS_MAX};
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::question::{self, Question};
use fairhaven::lab::questions::studies::STUDIES;
use fairhaven::lab::questions::studies::reliability::Reliability as Study;
use fairhaven::lab::questions::studies::rules::Rules as OfRules;
use fairhaven::lab::questions::studies::study::Context;
use fairhaven::lab::report::agent_entry::AgentEntry;
use fairhaven::lab::report::manifest::Manifest;
use fairhaven::lab::report::table::Table;
use fairhaven::sim::batch::{self, Flow, MergedPiece, Outside, Totals};
use fairhaven::sim::counts::reliability::{AS_THEY_ARE, EDGES, ReliabilityCount};
use fairhaven::sim::experiment::Experiment;
use fairhaven::sim::reliability::{Chances, Judging};
use fairhaven::sim::simulation::layout;
use fairhaven::sim::trials::{COMMON, Noted, Trials};
use fairhaven::stats::jackknife::Method;

/// Each seat's chance to win where everyone rolls any die, raised to a power and made to sum to 1 again.
#[allow(clippy::cast_possible_truncation, reason = "judges say it so")]
fn chances(game: &DiceRace, state: State, power: f64) -> PerSeat<f32> {
    let (seats, rules) = (usize::from(game.players()), game.rules());
    // The seat on turn is the first of a race of the turns that are left.
    let left = rules.turns_max - (state.turn - 1);
    let ahead = wins(&vec![uniform(rules); seats], left);
    let first = game.current(&state).idx();
    let powers = ahead.iter().map(|chance| chance.powf(power));
    let sum: f64 = powers.clone().sum();
    let mut chances = [0.0; SEATS_MAX];
    for (place, power) in powers.enumerate() {
        chances[(first + place) % seats] = (power / sum) as f32;
    }
    chances
}

/// Powers of the judges, each with its name.
const JUDGES: [(&str, f64); 3] = [("knowing", 1.0), ("bold", 2.0), ("timid", 0.5)];

/// Three players who roll any die; every other decision is judged.
fn setup(rules: Rules, count: u64) -> (Setup, Manifest) {
    let seats = [Who::Uniform; 3];
    let base = Setup::paired(OfRules::default().spec(), rules, &[""], &seats);
    let judges: Vec<String> = JUDGES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let question = Study { judges: judges.clone(), every: 2 }.spec();
    let setup = Setup { question, plan: blocks(count), ..base };
    let mut manifest = setup.manifest();
    let entry = manifest.agents[0].clone();
    let judges = judges.into_iter().map(|name| AgentEntry { name, ..entry.clone() });
    manifest.agents.extend(judges);
    (setup, manifest)
}

fn experiment<'a>(game: &'a DiceRace, setup: &'a Setup, watch: &'a Watch) -> Trials<'a, DiceRace> {
    let judge = |&(_, power): &(&str, f64)| -> Chances<DiceRace> {
        Box::new(move |game, state| chances(game, *state, power))
    };
    let judging = Judging {
        judges: Box::new(move |_| JUDGES.iter().map(judge).collect()),
        count: ReliabilityCount { judges: JUDGES.len(), seats: 3 },
        every: 2,
    };
    Trials {
        seed: setup.seed,
        games: vec![game.clone()],
        agents: Box::new(|_, _| vec![Who::Uniform.player()]),
        choice: 0,
        options: Vec::new(),
        matches: setup.matches.clone(),
        sections: Vec::new(),
        noted: Noted::Said(judging),
        watch,
    }
}

fn played(rules: &Rules, count: u64) -> (Totals, Vec<Table>) {
    let (setup, manifest) = setup(rules.clone(), count);
    let game = race(rules.clone(), 3);
    let watch = Watch::none();
    let experiment = experiment(&game, &setup, &watch);
    let mut totals = Totals::new(experiment.width(), experiment.anomalies(), 0);
    let mut after = |_: &Totals, _: &MergedPiece<'_>| Ok(Flow::On);
    let chunks = setup.plan.chunks();
    batch::run(&experiment, &setup.plan, &mut totals, chunks, Outside::new(&watch, &mut after))
        .expect("no file");
    let context = Context {
        manifest: &manifest,
        choices: DiceRace::CHOICES,
        names: Names::of::<DiceRace>(),
        layout: layout(&game, 1),
        games: &[],
    };
    let study = question::read(&STUDIES, &setup.question).expect("its settings").expect("a study");
    let tables = study.tables(&context, &totals).expect("a plan that fits");
    (totals, tables)
}

/// The overconfidence of a judge by its power, among three who win with each roll alike. With 60 turns to go or few
/// less, the seats' chances are the same at all decisions but for their order.
fn overconfidence(power: f64) -> f64 {
    let truth = wins(&[uniform(&Rules::default()); 3], 60);
    let sum: f64 = truth.iter().map(|chance| chance.powf(power)).sum();
    let over = |&chance: &f64| {
        let said = chance.powf(power) / sum;
        if said > 1.0 / 3.0 { said - chance } else { chance - said }
    };
    truth.iter().map(over).sum::<f64>() / 3.0
}

#[test]
fn a_judge_that_knows_is_right_and_planted_ones_are_told_apart() {
    let (_, tables) = played(&Rules::default(), 20_000);
    let score = |judge: &str, metric| found(&tables, "scores", &[judge, ""], metric);
    for (judge, power) in JUDGES {
        // Chances to the power of 1/power are the true ones again.
        let exponent = score(judge, "exponent");
        let (lo, hi) = exponent.interval.expect("an interval");
        let se = exponent.se.expect("many blocks");
        assert!((exponent.value - 1.0 / power).abs() < 4.0 * se, "{judge}: {exponent:?}");
        assert!(lo < exponent.value && exponent.value < hi);
        let fitted = score(judge, "log_loss_fitted").value;
        assert!((fitted - score("knowing", "log_loss").value).abs() < 2e-4, "{judge}: {fitted}");
    }
    for (judge, power) in JUDGES {
        close(score(judge, "overconfidence"), overconfidence(power), judge);
        // Noise adds to each bin's difference without sign, so no interval around it would hold.
        let error = score(judge, "calibration_error");
        assert_eq!((error.interval, error.method), (None, Method::TooFew), "{judge}");
    }
    let interval = |judge| score(judge, "overconfidence").interval.expect("an interval");
    assert!(interval("bold").0 > 0.0 && interval("timid").1 < 0.0);
    // Scores are proper: whoever knows loses least, and it shows.
    for (against, metric) in [("bold", "log_loss_difference"), ("timid", "brier_difference")] {
        let (lo, _) = found(&tables, "judges", &[against, "knowing", ""], metric)
            .interval
            .expect("an interval");
        assert!(lo > 0.0, "{against}: {lo}");
    }
}

#[test]
fn chances_that_are_known_come_true_in_every_bin() {
    let (_, tables) = played(&Rules::default(), 20_000);
    let of = |judge: &str, metric| {
        let table = tables.iter().find(|table| table.name == "reliability").expect("the table");
        let rows =
            table.rows.iter().filter(move |row| row.keys[0] == judge && row.keys[1].is_empty());
        rows.filter(|row| row.metric == metric && row.n > 2000).cloned().collect::<Vec<_>>()
    };
    let missed = of("knowing", "win_rate_missed");
    assert!(missed.len() >= 3, "{missed:?}");
    for row in missed {
        close(row.estimate.expect("chances"), 0.0, &row.keys.join(" "));
    }
    let bold = of("bold", "win_rate_missed");
    let outside = |row: &&fairhaven::lab::report::table::Row| {
        row.estimate.and_then(|of| of.interval).is_some_and(|(lo, hi)| lo > 0.0 || hi < 0.0)
    };
    assert_eq!(bold.iter().filter(outside).count(), bold.len(), "{bold:?}");
}

/// Sums of two turns at most, where each match can be followed by hand.
#[test]
fn sums_are_those_of_a_count_by_hand() {
    // The first die always wins, so each match has one decision, judged or passed over; seat 1 wins.
    let (totals, _) = played(&Rules::of([100, 0, 0, 0]), 1000);
    let count = ReliabilityCount { judges: 3, seats: 3 };
    let sum = |at: usize| totals.grouped.sum(COMMON + at);
    let all = count.phase(0, 0);
    let judged = sum(all + ReliabilityCount::POSITIONS);
    assert!((400..600).contains(&judged), "half of them: {judged}");
    assert_eq!(sum(all + ReliabilityCount::DECIDED), judged);
    assert_eq!(sum(all + ReliabilityCount::BLOCKS), judged);
    assert_eq!(sum(all + ReliabilityCount::BRIER), 0);
    // The others count as a millionth each.
    assert_eq!(sum(all + ReliabilityCount::LOSSES + AS_THEY_ARE), 2 * judged);
    let last = count.bin(0, 0, EDGES.len() - 1);
    let bin = |at: usize| [0, 1, 2, 3].map(|of| sum(at + of));
    assert_eq!(bin(last), [judged, judged, judged * 1_000_000, judged]);
    assert_eq!(bin(count.bin(0, 0, 0)), [2 * judged, judged, 0, 0]);
    assert_eq!(
        bin(count.bin(0, 1, 0)),
        bin(count.bin(0, 0, 0)),
        "nobody has a point before the end"
    );
    assert_eq!(sum(count.phase(0, 4) + ReliabilityCount::POSITIONS), 0);
}

/// One turn, and most matches end without a winner: all chances have failed, and no loss is counted.
#[test]
fn a_match_without_a_winner_is_a_win_for_nobody() {
    let rules = Rules { turns_max: 1, ..Rules::of([10, 0, 0, 0]) };
    let (totals, tables) = played(&rules, 2000);
    let count = ReliabilityCount { judges: 3, seats: 3 };
    let sum = |at: usize| totals.grouped.sum(COMMON + at);
    let all = count.phase(0, 0);
    let positions = sum(all + ReliabilityCount::POSITIONS);
    let decided = sum(all + ReliabilityCount::DECIDED);
    assert!(decided > 0 && decided * 5 < positions, "{decided} of {positions}");
    // The judge gives seat 1 all chances, since somebody is to win.
    let row = found(&tables, "reliability", &["knowing", "", "99", "100"], "win_rate");
    close(row, 0.1, "won where nothing else was possible");
    assert!((row.value - decided as f64 / positions as f64).abs() < 1e-12);
}
