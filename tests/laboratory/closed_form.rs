//! The dice race in closed form: who wins how often, and how long it takes.
//!
//! Seat i of n, counted from 0, wins with probability s_i whenever it rolls, and q_i = 1 - s_i. It
//! rolls in the turns i + 1, i + 1 + n, …: m_i = ⌊(T + n - 1 - i) / n⌋ times in T turns if
//! nobody wins. With Q = q_0 … q_(n-1), its k-th roll, from 0, takes place with probability q_0 …
//! q_(i-1) Q^k; so it rolls
//!
//! ```text
//! R_i = q_0 … q_(i-1) (1 - Q^m_i) / (1 - Q)
//! ```
//!
//! times on average, wins with probability s_i R_i, and the match has R_0 + … + R_(n-1) turns on
//! average.
//! (C. Huygens, "De ratiociniis in ludo aleae", 1657, proposition 14, is n = 2 without end.)

use crate::toy::{Die, Rules};

/// The probability that a roll of one die wins.
pub fn die(rules: &Rules, die: Die) -> f64 {
    f64::from(rules.percent(die)) / 100.0
}

/// The probability that a roll of `Fixed` wins.
pub fn fixed(rules: &Rules, wanted: Die) -> f64 {
    let first = rules.dice().next().expect("a die is in the match");
    let rolled = rules.dice().find(|&open| open == wanted);
    die(rules, rolled.unwrap_or(first))
}

/// The probability that a roll of `Uniform` or of `Mirror` wins.
pub fn uniform(rules: &Rules) -> f64 {
    let sum: f64 = rules.dice().map(|open| die(rules, open)).sum();
    sum / rules.dice().count() as f64
}

/// The probability that a roll of `Shy` wins.
pub fn shy(rules: &Rules, percent: u8) -> f64 {
    let bold = f64::from(percent) / 100.0;
    bold * fixed(rules, Die::A) + (1.0 - bold) * fixed(rules, Die::B)
}

/// The mean number of rolls by seat, R_i, from the seats' success probabilities s_i.
pub fn rolls(success: &[f64], turns_max: u16) -> Vec<f64> {
    let round: f64 = success.iter().map(|s| 1.0 - s).product();
    let mut before = 1.0;
    let mut rolls = Vec::new();
    for (seat, s) in success.iter().enumerate() {
        let most = (usize::from(turns_max) + success.len() - 1 - seat) / success.len();
        rolls.push(before * powers(round, most));
        before *= 1.0 - s;
    }
    rolls
}

/// 1 + q + … + q^(count - 1).
fn powers(q: f64, count: usize) -> f64 {
    let count = count as f64;
    if q < 1.0 { (1.0 - q.powf(count)) / (1.0 - q) } else { count }
}

/// The probability that each seat wins, by seat.
pub fn wins(success: &[f64], turns_max: u16) -> Vec<f64> {
    rolls(success, turns_max).iter().zip(success).map(|(rolls, s)| rolls * s).collect()
}

/// The probability that nobody wins: that all T rolls fail.
pub fn undecided(success: &[f64], turns_max: u16) -> f64 {
    let (turns, seats) = (usize::from(turns_max), success.len());
    let round: f64 = success.iter().map(|s| 1.0 - s).product();
    let rest: f64 = success[..turns % seats].iter().map(|s| 1.0 - s).product();
    round.powf((turns / seats) as f64) * rest
}

/// The mean number of turns of a match that someone wins; one that nobody wins has all of them.
pub fn turns(success: &[f64], turns_max: u16) -> f64 {
    let (all, lost): (f64, f64) =
        (rolls(success, turns_max).iter().sum(), undecided(success, turns_max));
    (all - lost * f64::from(turns_max)) / (1.0 - lost)
}

/// The probability that one seat with success probability `lone` wins among `others`, averaged over
/// seats.
pub fn lone(lone: f64, others: f64, seats: usize, turns_max: u16) -> f64 {
    let wins_at = |seat: usize| {
        let mut success = vec![others; seats];
        success[seat] = lone;
        wins(&success, turns_max)[seat]
    };
    (0..seats).map(wins_at).sum::<f64>() / seats as f64
}

/// How much more often a lone `a` among `b` wins than a lone `b` among `a`, averaged over seats.
pub fn lone_difference(a: f64, b: f64, seats: usize, turns_max: u16) -> f64 {
    lone(a, b, seats, turns_max) - lone(b, a, seats, turns_max)
}

/// The share of matches that seats of `a` win minus that of seats of `b`, over every seating with as many of
/// one as of the other; at an odd table one more or less.
pub fn even_difference(a: f64, b: f64, seats: usize, turns_max: u16) -> f64 {
    let of_a = |bits: usize| (0..seats).filter(|seat| bits >> seat & 1 == 1).count();
    let even = |&bits: &usize| (2 * of_a(bits)).abs_diff(seats) <= 1;
    let line_ups: Vec<usize> = (0..1 << seats).filter(even).collect();
    let of = |bits: &usize| -> f64 {
        let is_a = |seat: usize| bits >> seat & 1 == 1;
        let success: Vec<f64> = (0..seats).map(|seat| if is_a(seat) { a } else { b }).collect();
        let wins = wins(&success, turns_max);
        (0..seats).map(|seat| if is_a(seat) { wins[seat] } else { -wins[seat] }).sum()
    };
    line_ups.iter().map(of).sum::<f64>() / line_ups.len() as f64
}

/// The probability that seat 1 wins when its first roll wins with probability `forced`, and its
/// later ones as ever: it wins at once, or as the last seat of a match that has a turn less.
pub fn forced(forced: f64, success: &[f64], turns_max: u16) -> f64 {
    let mut rest = success.to_vec();
    rest.rotate_left(1);
    let later = wins(&rest, turns_max - 1);
    forced + (1.0 - forced) * later[success.len() - 1]
}

/// The probability that one seat wins twice: with dice of `low` and of `high` for everybody, on the
/// same luck. Where the lower one wins a roll, the higher one does; so in the turn in which the
/// higher ends its match, the lower ends its own too, or goes on alone.
pub fn both((low, high): (f64, f64), seat: usize, seats: usize, turns_max: u16) -> f64 {
    let alone = |turns_left| wins(&vec![low; seats], turns_left)[seats - 1];
    let mut both = 0.0;
    for turn in (1..=turns_max).filter(|&turn| usize::from(turn - 1) % seats == seat) {
        let lasted = (1.0 - high).powi(i32::from(turn) - 1);
        both += lasted * (low + (high - low) * alone(turns_max - turn));
    }
    both
}

/// How a match of equal agents ends for one seat, which rolls a die of its own interest with
/// probability `share`: by the turn of the end, from 1, the probabilities that it has rolled that
/// die or not (1 or 0), and has won or not (1 or 0).
///
/// `special` is that die's success probability, `rest` the mean of the seat's others, `others` that
/// of everyone else.
pub struct Taker {
    /// How often the seat rolls the die.
    pub share: f64,
    /// The success probability of that die.
    pub special: f64,
    /// The same of its other rolls.
    pub rest: f64,
    /// The same of everyone else's rolls.
    pub others: f64,
}

impl Taker {
    /// The probabilities of the ends.
    pub fn ends(&self, seat: usize, seats: usize, turns_max: u16) -> Vec<[[f64; 2]; 2]> {
        let mut ends = Vec::new();
        let mut open = [1.0, 0.0];
        for turn in 1..=turns_max {
            let mut end = [[0.0; 2]; 2];
            if usize::from(turn - 1) % seats == seat {
                let both = open[0] + open[1];
                end[1][1] =
                    both * self.share * self.special + open[1] * (1.0 - self.share) * self.rest;
                end[0][1] = open[0] * (1.0 - self.share) * self.rest;
                open[1] = both * self.share * (1.0 - self.special)
                    + open[1] * (1.0 - self.share) * (1.0 - self.rest);
                open[0] *= (1.0 - self.share) * (1.0 - self.rest);
            } else {
                for taken in [0, 1] {
                    end[taken][0] = open[taken] * self.others;
                    open[taken] *= 1.0 - self.others;
                }
            }
            if turn == turns_max {
                end[0][0] += open[0];
                end[1][0] += open[1];
            }
            ends.push(end);
        }
        ends
    }
}
