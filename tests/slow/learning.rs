//! What nets learn from many matches and positions.

use fairhaven::core::chance::below;
use fairhaven::core::game::Game;
use fairhaven::core::net::Net;
use fairhaven::core::opinion::{NetLesson, Opinion};
use fairhaven::core::watch::Watch;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::course::Session;
use fairhaven::sim::learn_net::{NetCourse, NetLearner, NetPlayers, NetState, session};
use fairhaven::sim::net_matches::{Labels, PARTS};
use fairhaven::sim::net_training::{Positions, Trainer};
use fairhaven::sim::surprise::TENTHS;
use fairhaven::sim::trials::BLOCKS;
use rand_pcg::Pcg32;

fn course(matches: u64) -> NetCourse {
    NetCourse { seed: 5, matches, tables: Vec::new(), labels: Labels::plain(4) }
}

fn game() -> OnTheRoad {
    OnTheRoad::new(Rules::default(), 3).expect("the default rules")
}

fn lesson() -> NetLesson<OnTheRoad> {
    OnTheRoad::NET.expect("a net")
}

fn next(standing: &NetState, course: &NetCourse) -> Option<Session<NetLearner>> {
    let from = AgentSpec::parse("heuristic", None).expect("an agent");
    let tables = [game(), OnTheRoad::new(Rules::default(), 4).expect("the default rules")];
    let players = NetPlayers {
        tables: &tables,
        from: &from,
        added: &[],
        watch: &Watch::none(),
        choices: None,
    };
    session(&players, &lesson(), course, standing).expect("an agent")
}

/// 5,000 matches: two sessions of learning, one that examines.
#[test]
fn sessions_lead_on_from_words_and_their_net_beats_an_even_guess() {
    let course = course(5000);
    let begin = NetState::begin(lesson().list.names.len(), &course);
    let mut standing = begin.clone();
    let mut blocks = Vec::new();
    while standing.played < course.all() {
        let session = next(&standing, &course).expect("nobody stops it");
        blocks.push(session.counts[BLOCKS]);
        standing = begin.decode(&session.state.encode()).expect("its own words");
        assert_eq!(standing, session.state);
    }
    assert_eq!((blocks, standing.played), (vec![4096, 904, 250], 5250));
    assert_eq!(standing.won, 5000, "all matches are won");
    assert_eq!(standing.learner.exam.blocks(), 250);
    let mean = |judgement: usize| {
        let sums = standing.learner.exam.all();
        sums.ratio(1 + judgement, 0).expect("positions") / PARTS
    };
    // An even guess loses ln 3 at the one table, and ln 4 at the other.
    let even = f64::midpoint(f64::ln(3.0), f64::ln(4.0));
    assert!(mean(0) < even && mean(1) < even, "{} {}", mean(0), mean(1));
    let mut tenths = (0..TENTHS).map(|tenth| standing.tenths.mean(tenth));
    assert!(tenths.next().flatten().is_some());
}

const INPUTS: usize = 5;

/// A position by the inputs of its three seats, and the seat that won it, from 0.
type Position = (Vec<f32>, usize);

/// The chances of all seats by what each is worth.
fn chances(inputs: &[f32], worth: impl Fn(&[f32]) -> f32) -> Vec<f32> {
    let all: Vec<f32> = inputs.chunks(INPUTS).map(|seat| worth(seat).exp()).collect();
    let sum: f32 = all.iter().sum();
    all.into_iter().map(|one| one / sum).collect()
}

/// Random positions, won by chances that `worth` of a seat's inputs makes.
fn planted(positions: usize, worth: impl Fn(&[f32]) -> f32, rng: &mut Pcg32) -> Vec<Position> {
    let mut draw = || {
        let inputs: Vec<f32> =
            (0..3 * INPUTS).map(|_| below(rng, 1000) as f32 / 500.0 - 1.0).collect();
        let mut left = below(rng, 1 << 20) as f32 / (1 << 20) as f32;
        let winner = chances(&inputs, &worth).iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        (inputs, winner.unwrap_or(2))
    };
    (0..positions).map(|_| draw()).collect()
}

/// The mean surprise at the winners, in nats.
fn loss(positions: &[Position], worth: impl Fn(&[f32]) -> f32) -> f64 {
    let nats = |(inputs, winner): &Position| -f64::from(chances(inputs, &worth)[*winner]).ln();
    positions.iter().map(nats).sum::<f64>() / positions.len() as f64
}

/// No weighted sum of the inputs tells seats apart by a product: it takes the rectified sums.
#[test]
fn a_planted_worth_that_is_no_sum_is_learned() {
    let mut rng = Pcg32::new(8, 1);
    let worth = |inputs: &[f32]| 4.0 * (inputs[0] - inputs[1]).abs() - 2.0 * inputs[2];
    let (taught, fresh) = (planted(20_000, worth, &mut rng), planted(20_000, worth, &mut rng));
    let mut positions = Positions::default();
    for (inputs, winner) in &taught {
        let target = std::array::from_fn(|seat| if seat == *winner { 1.0 } else { 0.0 });
        positions.add(inputs, &[target]);
    }
    let mut trainer = Trainer::new(INPUTS, &mut rng);
    let by = |net: Net| loss(&fresh, |inputs| net.worth(inputs));
    let before = by(trainer.net());
    for pass in 0..30 {
        let part = [f64::from(pass) / 30.0, f64::from(pass + 1) / 30.0];
        trainer.pass(&positions, part, &mut rng);
    }
    let (due, after) = (loss(&fresh, worth), by(trainer.net()));
    assert!(before > due + 0.3, "{before} is far from {due}");
    assert!(after < due + 0.01, "{after} is near {due}");
}
