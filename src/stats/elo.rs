//! Ratings in the unit of chess, for games of several players: what an advantage in rating means as
//! a win rate, and back. [`ratings`](crate::stats::ratings) fits them.
//!
//! Each player wins with a chance in proportion to 10^(rating/400). Source: A. Elo, "The rating of
//! chessplayers, past and present", 1978; for more than two players R. Plackett, "The analysis of
//! permutations", 1975.

/// The expected share of matches that a side wins with `seats` of the seats at a table, its players rated
/// `elo` above those in the `others`: k / (k + l 10^(−elo/400)).
fn share_of_elo(elo: f64, seats: usize, others: usize) -> f64 {
    let (seats, others) = (seats as f64, others as f64);
    seats / (seats + others * libm::exp10(-elo / 400.0))
}

/// The expected share of matches that A wins less the share that B wins, for A rated `elo` above B: the mean
/// over line-ups, each given by the seats of A and of B.
pub fn difference_of_elo(elo: f64, line_ups: &[(usize, usize)]) -> f64 {
    let of = |&(a, b): &(usize, usize)| share_of_elo(elo, a, b) - share_of_elo(-elo, b, a);
    line_ups.iter().map(of).sum::<f64>() / line_ups.len() as f64
}

/// The rating advantage that gives a difference; nothing outside −1 to 1, or where a side has no seat.
pub fn elo_of_difference(difference: f64, line_ups: &[(usize, usize)]) -> Option<f64> {
    let empty = line_ups.is_empty() || line_ups.iter().any(|&(a, b)| a == 0 || b == 0);
    if empty || difference.is_nan() || difference.abs() >= 1.0 {
        return None;
    }
    // At ±20,000 the difference is ±1 to the last digit.
    let (mut low, mut high) = (-20_000.0, 20_000.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if difference_of_elo(middle, line_ups) < difference {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(f64::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One A against the others, and one B.
    fn alone(players: usize) -> [(usize, usize); 2] {
        [(1, players - 1), (players - 1, 1)]
    }

    #[test]
    fn ratings_go_to_differences_and_back() {
        for line_ups in [alone(2), alone(3), alone(6), [(2, 2), (2, 2)], [(2, 3), (3, 2)]] {
            assert!(difference_of_elo(0.0, &line_ups).abs() < 1e-12);
            for elo in [-900.0, -12.5, 0.0, 3.0, 400.0] {
                let difference = difference_of_elo(elo, &line_ups);
                let back = elo_of_difference(difference, &line_ups).unwrap();
                assert!((back - elo).abs() < 1e-6, "{back} {elo}");
            }
        }
        // 400 points: 10/11 − 1/11 for two against two; 10/13 − 1/31 alone against three, either way.
        assert!((difference_of_elo(400.0, &[(2, 2)]) - 9.0 / 11.0).abs() < 1e-12);
        assert!((difference_of_elo(400.0, &alone(4)) - (10.0 / 13.0 - 1.0 / 31.0)).abs() < 1e-12);
        let none = [1.0, -1.0, f64::NAN].map(|d| elo_of_difference(d, &alone(4)));
        assert_eq!(none, [None; 3]);
        assert_eq!([elo_of_difference(0.1, &[]), elo_of_difference(0.1, &[(0, 4)])], [None; 2]);
        assert!(elo_of_difference(1.0 - f64::EPSILON, &alone(4)).unwrap() > 6000.0);
    }
}
