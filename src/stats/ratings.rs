//! Ratings of players from who won at tables of several, in the unit of chess, with seat effects as a nuisance.
//!
//! With θ the strength of a player and σ the worth of a seat, both on the logarithmic scale, the player in seat s wins
//! a match in proportion to exp(θ_s + σ_s), and nobody does in proportion to ν exp(mean of θ over the table).
//!
//! Sources: R. Plackett, "The analysis of permutations", 1975, of which only the first place is used; R. Davidson, "On
//! extending the Bradley–Terry model to accommodate ties in paired comparison experiments", 1970, with the geometric
//! mean of two strengths extended to that of a table. The likelihood is that of a multinomial logit; its logarithm is
//! concave, and Newton's method with halved steps finds the maximum.
//!
//! It has a finite maximum only if no group of players beats the others without ever losing to them (L. Ford,
//! "Solution of a ranking problem from binary comparisons", 1957; D. Hunter, "MM algorithms for generalized
//! Bradley–Terry models", 2004, assumption 1). So rated are those who are linked with the anchor both ways by wins and
//! losses. Others leave the tables: who wins among the rest does not depend on them in this model, and it is the
//! limit of the likelihood as their strengths move away.

/// One unit of strength in Elo: 400/ln 10.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Newton's steps at most. From zero, 6 to 10 are usual.
const STEPS_MAX: usize = 60;
/// The largest step of any parameter at which the maximum is found.
const TOLERANCE: f64 = 1e-10;
/// Strengths beyond this, some 7,000 Elo, are on their way to infinity.
const STRENGTH_MAX: f64 = 40.0;
/// The part of a diagonal entry that must be left of it in Cholesky's decomposition.
const PIVOT_MIN: f64 = 1e-12;

/// All matches of a line-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Contest {
    /// A player's number by seat.
    pub players: Vec<usize>,
    /// Matches won, by seat.
    pub wins: Vec<f64>,
    /// Matches without a winner.
    pub no_winner: f64,
}

impl Contest {
    /// Matches.
    pub fn matches(&self) -> f64 {
        self.wins.iter().sum::<f64>() + self.no_winner
    }
}

/// What was fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By player: its strength minus that of the anchor; nothing for players that are not linked with it.
    pub strengths: Vec<Option<f64>>,
    /// By seat: its worth minus the mean of all that have one; nothing for seats that never won.
    pub seats: Vec<Option<f64>>,
    /// By contest and seat: the expected number of wins of its matches among rated players.
    pub expected: Vec<Vec<f64>>,
    /// Where the next fit of similar counts may start.
    parameters: Vec<f64>,
    rated: Vec<bool>,
    open: Vec<bool>,
}

/// The ratings of players against an anchor, by maximum likelihood; `near` are ratings of similar counts, from which
/// the search starts. Nothing if there is no maximum.
pub fn fit(
    contests: &[Contest],
    players: usize,
    anchor: usize,
    near: Option<&Ratings>,
) -> Option<Ratings> {
    let (rated, open) = linked(contests, players, anchor)?;
    let model = Model::new(contests, &rated, &open, anchor);
    let fits = |near: &&Ratings| {
        near.rated == rated && near.open == open && near.parameters.len() == model.size
    };
    let start = near.filter(fits).map(|near| near.parameters.clone());
    let parameters = model.maximum(start.unwrap_or_else(|| vec![0.0; model.size]))?;
    Some(model.ratings(parameters, rated, open))
}

/// The players that are linked with the anchor, and the seats that ever win; nothing if nobody else is linked.
fn linked(contests: &[Contest], players: usize, anchor: usize) -> Option<(Vec<bool>, Vec<bool>)> {
    let seats = contests.first()?.players.len();
    let (mut rated, mut open) = (vec![true; players], vec![true; seats]);
    // Each time somebody leaves, others may lose their only link.
    loop {
        let won = |seat: usize| {
            let won = |contest: &Contest| contest.wins[seat] > 0.0 && rated[contest.players[seat]];
            open[seat] && contests.iter().any(won)
        };
        let next_open: Vec<bool> = (0..seats).map(won).collect();
        let beats = beats(contests, &rated, &next_open);
        let up = reached(anchor, players, |from, to| beats[from][to]);
        let down = reached(anchor, players, |from, to| beats[to][from]);
        let next: Vec<bool> = (0..players).map(|player| up[player] && down[player]).collect();
        if next == rated && next_open == open {
            let others = rated.iter().filter(|&&rated| rated).count() > 1;
            return others.then_some((rated, open));
        }
        (rated, open) = (next, next_open);
    }
}

/// Who has beaten whom; a match that nobody won counts as both ways for the whole table.
fn beats(contests: &[Contest], rated: &[bool], open: &[bool]) -> Vec<Vec<bool>> {
    let mut beats = vec![vec![false; rated.len()]; rated.len()];
    for contest in contests {
        let there = |seat: &usize| rated[contest.players[*seat]];
        let tied = contest.no_winner > 0.0 && contest.players.iter().all(|&player| rated[player]);
        for winner in (0..open.len()).filter(there) {
            for loser in (0..open.len()).filter(there) {
                let won = contest.wins[winner] > 0.0 && open[loser];
                if won || tied {
                    beats[contest.players[winner]][contest.players[loser]] = true;
                }
            }
        }
    }
    beats
}

/// The players that are reached from one by links.
fn reached(start: usize, players: usize, link: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; players];
    let mut waiting = vec![start];
    reached[start] = true;
    while let Some(from) = waiting.pop() {
        for (to, known) in reached.iter_mut().enumerate() {
            if !*known && link(from, to) {
                *known = true;
                waiting.push(to);
            }
        }
    }
    reached
}

/// A way in which the matches of a contest may end: how often they did, and the parameters in its logarithmic weight.
struct Ending {
    count: f64,
    terms: Vec<(usize, f64)>,
    /// The seat that wins; nothing if nobody does.
    seat: Option<usize>,
}

/// The multinomial logit.
struct Model {
    /// The number of parameters.
    size: usize,
    /// The parameter of a player or seat; nothing for the anchor and the first open seat, which are 0.
    of_player: Vec<Option<usize>>,
    of_seat: Vec<Option<usize>>,
    /// Endings by contest.
    contests: Vec<Vec<Ending>>,
}

impl Model {
    fn new(contests: &[Contest], rated: &[bool], open: &[bool], anchor: usize) -> Model {
        let mut size = 0;
        let mut number = |free: bool| {
            size += usize::from(free);
            free.then(|| size - 1)
        };
        let of_player: Vec<Option<usize>> = rated
            .iter()
            .enumerate()
            .map(|(player, &rated)| number(rated && player != anchor))
            .collect();
        let first = open.iter().position(|&open| open);
        let of_seat: Vec<Option<usize>> = open
            .iter()
            .enumerate()
            .map(|(seat, &open)| number(open && Some(seat) != first))
            .collect();
        let whole = |contest: &Contest| contest.players.iter().all(|&player| rated[player]);
        let ties = contests.iter().any(|contest| contest.no_winner > 0.0 && whole(contest));
        let tie = number(ties);
        let endings = |contest: &Contest| -> Vec<Ending> {
            let seats = (0..open.len()).filter(|&seat| open[seat] && rated[contest.players[seat]]);
            let mut endings: Vec<Ending> = seats
                .map(|seat| {
                    let player = of_player[contest.players[seat]];
                    let terms =
                        player.into_iter().chain(of_seat[seat]).map(|at| (at, 1.0)).collect();
                    Ending { count: contest.wins[seat], terms, seat: Some(seat) }
                })
                .collect();
            if let Some(tie) = tie.filter(|_| whole(contest)) {
                let share = 1.0 / open.len() as f64;
                let players = contest.players.iter().filter_map(|&player| of_player[player]);
                let terms = players.map(|at| (at, share)).chain([(tie, 1.0)]).collect();
                endings.push(Ending { count: contest.no_winner, terms, seat: None });
            }
            endings
        };
        let contests = contests.iter().map(endings).collect();
        Model { size, of_player, of_seat, contests }
    }

    /// The parameters of the largest likelihood; nothing if they move away to infinity.
    fn maximum(&self, start: Vec<f64>) -> Option<Vec<f64>> {
        let mut parameters = start;
        let mut likelihood = self.likelihood(&parameters);
        for _ in 0..STEPS_MAX {
            let (slope, curvature) = self.derivatives(&parameters);
            let step = solve(curvature, slope)?;
            let size = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
            let mut part = 1.0;
            let (next, more) = loop {
                let next: Vec<f64> =
                    parameters.iter().zip(&step).map(|(value, step)| value + part * step).collect();
                let more = self.likelihood(&next);
                // A step below the tolerance is taken whatever rounding says.
                if more >= likelihood || part * size <= TOLERANCE {
                    break (next, more);
                }
                part /= 2.0;
            };
            (parameters, likelihood) = (next, more);
            let finite = |value: &f64| value.abs() <= STRENGTH_MAX;
            if !parameters.iter().all(finite) {
                return None;
            }
            if size <= TOLERANCE {
                return Some(parameters);
            }
        }
        None
    }

    /// The logarithms of the weights of a contest's endings.
    fn weights(endings: &[Ending], parameters: &[f64]) -> Vec<f64> {
        let of = |ending: &Ending| {
            ending.terms.iter().map(|&(at, factor)| factor * parameters[at]).sum::<f64>()
        };
        endings.iter().map(of).collect()
    }

    fn likelihood(&self, parameters: &[f64]) -> f64 {
        let of = |endings: &Vec<Ending>| {
            let weights = Model::weights(endings, parameters);
            let all: f64 = endings.iter().map(|ending| ending.count).sum();
            let seen: f64 =
                endings.iter().zip(&weights).map(|(ending, weight)| ending.count * weight).sum();
            seen - all * log_sum(&weights)
        };
        self.contests.iter().map(of).sum()
    }

    /// The slope of the logarithm of the likelihood, and its curvature with the sign turned.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut slope = vec![0.0; self.size];
        let mut curvature = vec![vec![0.0; self.size]; self.size];
        for endings in &self.contests {
            let all: f64 = endings.iter().map(|ending| ending.count).sum();
            if all <= 0.0 {
                continue;
            }
            let mut mean: Vec<(usize, f64)> = Vec::new();
            for (ending, chance) in endings.iter().zip(chances(endings, parameters)) {
                for &(at, factor) in &ending.terms {
                    slope[at] += factor * (ending.count - all * chance);
                    for &(other, times) in &ending.terms {
                        curvature[at][other] += all * chance * factor * times;
                    }
                    match mean.iter_mut().find(|(known, _)| *known == at) {
                        Some((_, sum)) => *sum += chance * factor,
                        None => mean.push((at, chance * factor)),
                    }
                }
            }
            for &(at, one) in &mean {
                for &(other, two) in &mean {
                    curvature[at][other] -= all * one * two;
                }
            }
        }
        (slope, curvature)
    }

    fn ratings(&self, parameters: Vec<f64>, rated: Vec<bool>, open: Vec<bool>) -> Ratings {
        let value = |at: Option<usize>| at.map_or(0.0, |at| parameters[at]);
        let strength = |player: usize| rated[player].then(|| value(self.of_player[player]));
        let worth = |seat: usize| open[seat].then(|| value(self.of_seat[seat]));
        let seats: Vec<Option<f64>> = (0..open.len()).map(worth).collect();
        let known: Vec<f64> = seats.iter().copied().flatten().collect();
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        let expected = |endings: &Vec<Ending>| {
            let all: f64 = endings.iter().map(|ending| ending.count).sum();
            let mut expected = vec![0.0; open.len()];
            for (ending, chance) in endings.iter().zip(chances(endings, &parameters)) {
                if let Some(seat) = ending.seat {
                    expected[seat] = all * chance;
                }
            }
            expected
        };
        Ratings {
            strengths: (0..rated.len()).map(strength).collect(),
            seats: seats.into_iter().map(|worth| Some(worth? - mean)).collect(),
            expected: self.contests.iter().map(expected).collect(),
            parameters,
            rated,
            open,
        }
    }
}

/// The chances of a contest's endings.
fn chances(endings: &[Ending], parameters: &[f64]) -> Vec<f64> {
    let weights = Model::weights(endings, parameters);
    let all = log_sum(&weights);
    weights.into_iter().map(|weight| libm::exp(weight - all)).collect()
}

/// ln Σ exp, without overflow; 0 of nothing.
fn log_sum(weights: &[f64]) -> f64 {
    let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return 0.0;
    }
    largest + libm::log(weights.iter().map(|weight| libm::exp(weight - largest)).sum())
}

/// Solves A x = b for a positive definite A by Cholesky's decomposition; nothing for another A.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for at in 0..size {
        let whole = matrix[at][at];
        let left = whole - matrix[at][..at].iter().map(|entry| entry * entry).sum::<f64>();
        let is_positive = left > PIVOT_MIN * whole;
        if !is_positive {
            return None;
        }
        let pivot = libm::sqrt(left);
        matrix[at][at] = pivot;
        for below in at + 1..size {
            let (upper, lower) = matrix.split_at_mut(below);
            let product: f64 =
                upper[at][..at].iter().zip(&lower[0][..at]).map(|(one, two)| one * two).sum();
            lower[0][at] = (lower[0][at] - product) / pivot;
        }
    }
    for at in 0..size {
        let product: f64 = (0..at).map(|before| matrix[at][before] * right[before]).sum();
        right[at] = (right[at] - product) / matrix[at][at];
    }
    for at in (0..size).rev() {
        let product: f64 = (at + 1..size).map(|after| matrix[after][at] * right[after]).sum();
        right[at] = (right[at] - product) / matrix[at][at];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::line_ups;

    fn contest(players: &[usize], wins: &[f64], no_winner: f64) -> Contest {
        Contest { players: players.to_vec(), wins: wins.to_vec(), no_winner }
    }

    /// Contests whose counts are what a model expects of a number of matches each.
    fn planted(line_ups: &[Vec<usize>], theta: &[f64], sigma: &[f64], nu: f64) -> Vec<Contest> {
        let of = |players: &Vec<usize>| {
            let seats = players.iter().zip(sigma);
            let weights: Vec<f64> =
                seats.map(|(&player, sigma)| (theta[player] + sigma).exp()).collect();
            let mean: f64 =
                players.iter().map(|&player| theta[player]).sum::<f64>() / players.len() as f64;
            let tie = nu * mean.exp();
            let all: f64 = weights.iter().sum::<f64>() + tie;
            let wins: Vec<f64> = weights.iter().map(|weight| 1000.0 * weight / all).collect();
            contest(players, &wins, 1000.0 * tie / all)
        };
        line_ups.iter().map(of).collect()
    }

    fn close(found: &[Option<f64>], planted: &[f64]) {
        for (found, planted) in found.iter().zip(planted) {
            assert!((found.unwrap() - planted).abs() < 1e-8, "{found:?}, not {planted}");
        }
    }

    #[test]
    fn planted_strengths_seats_and_ties_come_back() {
        let theta = [0.0, 1.5, -2.0, 0.3, 0.7, -0.4];
        let sigma = [0.3, -0.1, -0.4, 0.2];
        for (agents, seats, nu) in [(6, 4, 0.0), (6, 4, 0.2), (3, 2, 0.5), (2, 4, 0.1), (5, 3, 0.0)]
        {
            let contests =
                planted(&line_ups::design(agents, seats), &theta[..agents], &sigma[..seats], nu);
            let found = fit(&contests, agents, 0, None).unwrap();
            close(&found.strengths, &theta[..agents]);
            let mean = sigma[..seats].iter().sum::<f64>() / seats as f64;
            let centred: Vec<f64> = sigma[..seats].iter().map(|sigma| sigma - mean).collect();
            close(&found.seats, &centred);
            for (contest, expected) in contests.iter().zip(&found.expected) {
                for (wins, expected) in contest.wins.iter().zip(expected) {
                    assert!((wins - expected).abs() < 1e-6);
                }
            }
            // From nearby or from zero: the same maximum.
            let again = fit(&contests, agents, 0, Some(&found)).unwrap();
            close(&again.strengths, &theta[..agents]);
        }
    }

    #[test]
    fn two_players_have_the_logarithm_of_their_odds() {
        // Bradley and Terry: 30 wins to 10 in either seat are odds of 3.
        let contests = [contest(&[0, 1], &[10.0, 30.0], 0.0), contest(&[1, 0], &[30.0, 10.0], 0.0)];
        let found = fit(&contests, 2, 0, None).unwrap();
        close(&found.strengths, &[0.0, 3.0_f64.ln()]);
        close(&found.seats, &[0.0, 0.0]);
        assert!((ELO * 3.0_f64.ln() - 190.848_501_9).abs() < 1e-6);
    }

    #[test]
    fn three_players_agree_with_another_program() {
        // The gradient ascended in Python, 200,000 steps, until it was below 1e-14.
        let contests = [
            contest(&[0, 1, 2], &[5.0, 3.0, 2.0], 1.0),
            contest(&[1, 2, 0], &[4.0, 1.0, 5.0], 0.0),
            contest(&[2, 0, 1], &[3.0, 6.0, 1.0], 2.0),
        ];
        let found = fit(&contests, 3, 0, None).unwrap();
        close(&found.strengths, &[0.0, -0.685_628_752_747_95, -0.997_428_348_267_676]);
        let seats = [0.0, -0.241_800_944_089_865, -0.422_780_892_231_894];
        let mean = seats.iter().sum::<f64>() / 3.0;
        close(&found.seats, &seats.map(|worth| worth - mean));
    }

    #[test]
    fn who_never_or_always_won_has_no_rating_and_the_others_do() {
        // 3 always wins, 4 never does: who wins among 0, 1 and 2 is what it is without them.
        let among = |others: [usize; 2], wins: [f64; 2]| {
            contest(&[others[0], others[1], 4], &[wins[0], wins[1], 0.0], 0.0)
        };
        let contests = [
            among([0, 1], [6.0, 4.0]),
            among([1, 2], [5.0, 5.0]),
            among([2, 0], [3.0, 7.0]),
            contest(&[0, 3, 1], &[0.0, 9.0, 0.0], 0.0),
            contest(&[3, 1, 2], &[9.0, 0.0, 0.0], 0.0),
        ];
        let found = fit(&contests, 5, 0, None).unwrap();
        assert_eq!((found.strengths[3], found.strengths[4], found.seats[2]), (None, None, None));
        assert!(found.strengths[..3].iter().all(Option::is_some));
        assert_eq!(found.expected[3], [0.0; 3]);
        // The anchor alone is no scale.
        assert_eq!(fit(&contests, 5, 3, None), None);
        assert_eq!(fit(&[], 2, 0, None), None);
    }

    #[test]
    fn two_circles_that_never_met_are_not_compared() {
        let both = |one, two| contest(&[one, two], &[4.0, 6.0], 0.0);
        let contests = [both(0, 1), both(1, 0), both(2, 3), both(3, 2)];
        let found = fit(&contests, 4, 3, None).unwrap();
        let rated: Vec<bool> = found.strengths.iter().map(Option::is_some).collect();
        assert_eq!(rated, [false, false, true, true]);
        // One who only drew with the others is linked with them.
        let drew = [both(0, 1), both(1, 0), contest(&[0, 2], &[0.0, 0.0], 5.0)];
        let drew = [&drew[..], &[contest(&[1, 2], &[3.0, 0.0], 1.0)]].concat();
        assert!(fit(&drew, 3, 0, None).is_some_and(|found| found.strengths[2].is_some()));
    }
}
