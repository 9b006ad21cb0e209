//! What makes the difference between two actions in the eyes of a planner: the features of the positions after them.
//!
//! In games with a lesson, a seat's chance to win is a softmax of its weighted features, w·f. So the log-odds of a
//! seat are w·f(own) − ln Σ e^(w·f(other)), the sum over the other seats, and the difference of the log-odds after
//! two actions is a sum of differences by feature and one for the rivals. All are means over positions imagined from
//! what the seat knows, with the same luck for both actions.

use crate::core::chance::PlainChance;
use crate::core::game::{Chain, Observation, Turn};
use crate::core::opinion::{Lesson, Opinion};
use crate::core::params::HANDICAP;
use crate::core::types::seat::Seat;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::without::WITHOUT;
use rand_pcg::Pcg32;
use serde::Serialize;

/// Imagined positions.
const POSITIONS: u32 = 64;

/// What is smaller makes no difference.
const NOTHING: f64 = 5e-4;

/// A feature of the positions after two actions, a mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Its name.
    pub feature: String,
    /// Its value after the first action, and after the second; none for the rivals.
    pub values: Option<[f64; 2]>,
    /// What the difference adds to the log-odds of the first action over the second: for a feature, its weight times
    /// the difference.
    pub adds: f64,
}

/// How a planner sees two actions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The actions.
    pub actions: [String; 2],
    /// Features that differ, the most important one first.
    pub parts: Vec<Part>,
    /// The sum of all parts: the difference of the log-odds of winning.
    pub total: f64,
}

/// The features of the positions after two actions, by the planner of an agent. Nothing if the game has no lesson, the
/// agent no planner, or an action may end the match.
pub fn difference<G: Opinion>(
    game: &G,
    agent: &AgentSpec,
    seen: &Observation<'_, G>,
    actions: [G::Action; 2],
    mut rng: Pcg32,
) -> Option<Difference> {
    let lesson = G::LESSON?;
    // What it is made to miss is no judgement of it.
    let handicaps = HANDICAP.iter().map(|parameter| parameter.name);
    let keys: Vec<&str> = handicaps.chain([WITHOUT]).collect();
    let weights = agent.without(&keys).weights(game).ok()?;
    let mut planner = game.planner(&weights);
    let exponents = (lesson.weights)(&weights);
    let mut sums = [vec![0.0; exponents.len()], vec![0.0; exponents.len()]];
    let mut rivals = [0.0; 2];
    let mut chain = Chain::<G>::default();
    for _ in 0..POSITIONS {
        let imagined = seen.determinize_next(game, &mut chain, &mut rng);
        let luck = rng.clone();
        for (at, &action) in actions.iter().enumerate() {
            let mut state = imagined;
            let mut luck = luck.clone();
            game.apply(&mut state, action, &mut PlainChance(&mut luck));
            if game.turn(&state) == Turn::Over {
                return None;
            }
            let own = features(&lesson, &mut planner, game, &state, seen.seat);
            sums[at].iter_mut().zip(own).for_each(|(sum, value)| *sum += f64::from(value));
            rivals[at] += rivals_worth(&lesson, &mut planner, game, &state, seen.seat, &exponents);
            if at == 1 {
                rng = luck;
            }
        }
    }
    let mean = |sum: f64| sum / f64::from(POSITIONS);
    let own = lesson.names.iter().zip(&exponents).enumerate().map(|(at, (name, exponent))| {
        let values = [mean(sums[0][at]), mean(sums[1][at])];
        let adds = exponent * (values[0] - values[1]);
        Part { feature: (*name).to_owned(), values: Some(values), adds }
    });
    let adds = mean(rivals[1]) - mean(rivals[0]);
    let others = Part { feature: "rivals".to_owned(), values: None, adds };
    let mut parts: Vec<Part> = own.chain([others]).collect();
    let total = parts.iter().map(|part| part.adds).sum();
    parts.retain(|part| part.adds.abs() >= NOTHING);
    parts.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
    Some(Difference { actions: actions.map(|action| action.to_string()), parts, total })
}

fn features<G: Opinion>(
    lesson: &Lesson<G>,
    planner: &mut G::Planner,
    game: &G,
    state: &G::State,
    seat: Seat,
) -> Vec<f32> {
    let mut features = Vec::new();
    (lesson.features)(planner, game, state, seat, &mut features);
    features
}

/// ln Σ e^(w·f) over the other seats.
#[allow(
    clippy::too_many_arguments,
    reason = "the lesson, its planner and weights, and one position"
)]
fn rivals_worth<G: Opinion>(
    lesson: &Lesson<G>,
    planner: &mut G::Planner,
    game: &G,
    state: &G::State,
    own: Seat,
    exponents: &[f64],
) -> f64 {
    let worths: Vec<f64> = Seat::all(game.players())
        .filter(|&seat| seat != own)
        .map(|seat| {
            let of = features(lesson, planner, game, state, seat);
            of.iter().zip(exponents).map(|(&value, exponent)| f64::from(value) * exponent).sum()
        })
        .collect();
    let most = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + libm::log(worths.iter().map(|worth| libm::exp(worth - most)).sum())
}
