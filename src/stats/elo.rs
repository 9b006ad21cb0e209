//! Ratings in the unit of chess, for games of several players: what an advantage in rating means as
//! a win rate, and back. No ratings are fitted here.
//!
//! Each player wins with a chance in proportion to 10^(rating/400). Source: A. Elo, "The rating of
//! chessplayers, past and present", 1978; for more than two players R. Plackett, "The analysis of
//! permutations", 1975.

/// The expected share of wins of a player rated `elo` above its n − 1 equal opponents:
/// 1 / (1 + (n − 1) 10^(−elo/400)).
pub fn share_of_elo(elo: f64, players: u8) -> f64 {
    1.0 / (1.0 + (f64::from(players) - 1.0) * libm::exp10(-elo / 400.0))
}

/// The expected win rate of a lone A among B less that of a lone B among A, for A rated `elo` above
/// B.
pub fn difference_of_elo(elo: f64, players: u8) -> f64 {
    share_of_elo(elo, players) - share_of_elo(-elo, players)
}

/// The rating advantage that gives a difference of win rates; nothing outside −1 to 1 or below 2
/// players.
pub fn elo_of_difference(difference: f64, players: u8) -> Option<f64> {
    if players < 2 || difference.is_nan() || difference.abs() >= 1.0 {
        return None;
    }
    // At ±20,000 the difference is ±1 to the last digit.
    let (mut low, mut high) = (-20_000.0, 20_000.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if difference_of_elo(middle, players) < difference {
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

    #[test]
    fn ratings_go_to_differences_and_back() {
        for players in 2..=6 {
            assert!((share_of_elo(0.0, players) * f64::from(players) - 1.0).abs() < 1e-12);
            for elo in [-900.0, -12.5, 0.0, 3.0, 400.0] {
                let difference = difference_of_elo(elo, players);
                let back = elo_of_difference(difference, players).unwrap();
                assert!((back - elo).abs() < 1e-6, "{back} {elo}");
            }
        }
        // Two players, 400 points: 10/11 − 1/11.
        assert!((difference_of_elo(400.0, 2) - 9.0 / 11.0).abs() < 1e-12);
        assert_eq!([1.0, -1.0, f64::NAN].map(|d| elo_of_difference(d, 4)), [None; 3]);
        assert!(elo_of_difference(1.0 - f64::EPSILON, 4).unwrap() > 6000.0);
    }
}
