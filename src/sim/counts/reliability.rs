//! How well chances to win predict winners: chances, wins and losses of each judge, by phase of the match and by bin
//! of chance. All sums are whole numbers; chances and losses are in millionths.

use crate::core::types::seat::{SEATS_MAX, Seat};

/// A chance of 1, and a nat of loss.
pub const ONE: u32 = 1_000_000;

/// Where bins of chances begin, in per cent; the last one ends at 100 and holds it.
pub const EDGES: [u32; 24] =
    [0, 1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 98, 99];

/// Phases of a match.
pub const PHASES: usize = 4;

/// Exponents that chances are raised to: 2^(k/4) for k from −8 to 8.
pub const EXPONENTS: usize = 17;
/// The place of exponent 1: chances as they are.
pub const AS_THEY_ARE: usize = 8;

/// The exponent at a place, which need not be a whole number.
pub fn exponent(place: f64) -> f64 {
    libm::exp2((place - AS_THEY_ARE as f64) / 4.0)
}

/// What one judge says of a position: each seat's chance to win in millionths, 0 where there is no seat.
pub type Said = [u32; SEATS_MAX];

/// A chance in millionths. One that is no number is none.
pub fn millionths(chance: f32) -> u32 {
    let scaled = libm::round(f64::from(chance) * f64::from(ONE));
    if scaled > 0.0 { whole(scaled.min(f64::from(ONE))) } else { 0 }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to a billion")]
fn whole(number: f64) -> u32 {
    number as u32
}

/// The counting. Counters of a judge and a phase stand side by side; phase 0 is all of the match, the quarters follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReliabilityCount {
    /// Judges that are asked.
    pub judges: usize,
    /// Seats at the table.
    pub seats: usize,
}

impl ReliabilityCount {
    /// Positions.
    pub const POSITIONS: usize = 0;
    /// Blocks with one.
    pub const BLOCKS: usize = 1;
    /// Positions of matches that somebody won.
    pub const DECIDED: usize = 2;
    /// Blocks with one.
    pub const DECIDED_BLOCKS: usize = 3;
    /// Sum over positions and seats of the squared difference of chance and result, in millionths.
    pub const BRIER: usize = 4;
    /// Sums of −ln of the winner's chance in millionths, by exponent; over decided positions.
    pub const LOSSES: usize = 5;
    const BINS: usize = ReliabilityCount::LOSSES + EXPONENTS;
    /// The bin of all chances up to an even share, behind the others.
    pub const BELOW: usize = EDGES.len();
    /// The bin of all chances above an even share.
    pub const ABOVE: usize = EDGES.len() + 1;
    const BIN_COUNT: usize = EDGES.len() + 2;
    /// In a bin: chances.
    pub const CHANCES: usize = 0;
    /// In a bin: blocks with one.
    pub const CHANCE_BLOCKS: usize = 1;
    /// In a bin: their sum in millionths.
    pub const SUM: usize = 2;
    /// In a bin: seats that won.
    pub const WINS: usize = 3;
    const BIN_WIDTH: usize = 4;
    const PHASE_WIDTH: usize =
        ReliabilityCount::BINS + ReliabilityCount::BIN_COUNT * ReliabilityCount::BIN_WIDTH;

    /// Number of counters.
    pub fn width(&self) -> usize {
        self.phase(self.judges, 0)
    }

    /// Where the counters of a judge and a phase begin.
    pub fn phase(&self, judge: usize, phase: usize) -> usize {
        (judge * (PHASES + 1) + phase) * ReliabilityCount::PHASE_WIDTH
    }

    /// Where the counters of a bin begin.
    pub fn bin(&self, judge: usize, phase: usize, bin: usize) -> usize {
        self.phase(judge, phase) + ReliabilityCount::BINS + bin * ReliabilityCount::BIN_WIDTH
    }

    /// Adds what a judge said of a position in a phase from 1 on, now that it is known who won.
    pub fn add(
        &self,
        (judge, phase): (usize, usize),
        said: &Said,
        winner: Option<Seat>,
        sums: &mut [u64],
    ) {
        let losses = winner.map(|winner| losses(&said[..self.seats], winner.idx()));
        let brier = brier(&said[..self.seats], winner);
        for phase in [0, phase] {
            let at = self.phase(judge, phase);
            sums[at + ReliabilityCount::POSITIONS] += 1;
            sums[at + ReliabilityCount::BRIER] += brier;
            if let Some(losses) = &losses {
                sums[at + ReliabilityCount::DECIDED] += 1;
                let from = at + ReliabilityCount::LOSSES;
                for (sum, &loss) in sums[from..from + EXPONENTS].iter_mut().zip(losses) {
                    *sum += u64::from(loss);
                }
            }
            for (seat, &chance) in said[..self.seats].iter().enumerate() {
                let won = u64::from(winner.is_some_and(|winner| winner.idx() == seat));
                for bin in [bin_of(chance), self.side(chance)] {
                    let at = self.bin(judge, phase, bin);
                    sums[at + ReliabilityCount::CHANCES] += 1;
                    sums[at + ReliabilityCount::SUM] += u64::from(chance);
                    sums[at + ReliabilityCount::WINS] += won;
                }
            }
        }
    }

    /// Adds a block's sums to those of all, and notes what the block has. Leaves the block's at 0.
    pub fn end_block(&self, block: &mut [u64], sums: &mut [u64]) {
        for judge in 0..self.judges {
            for phase in 0..=PHASES {
                let at = self.phase(judge, phase);
                let has = |of: usize| u64::from(block[of] > 0);
                sums[at + ReliabilityCount::BLOCKS] += has(at + ReliabilityCount::POSITIONS);
                sums[at + ReliabilityCount::DECIDED_BLOCKS] += has(at + ReliabilityCount::DECIDED);
                for bin in 0..ReliabilityCount::BIN_COUNT {
                    let at = self.bin(judge, phase, bin);
                    sums[at + ReliabilityCount::CHANCE_BLOCKS] +=
                        has(at + ReliabilityCount::CHANCES);
                }
            }
        }
        for (sum, more) in sums.iter_mut().zip(block) {
            *sum += std::mem::take(more);
        }
    }

    /// On which side of an even share a chance lies.
    fn side(&self, chance: u32) -> usize {
        let above = u64::from(chance) * self.seats as u64 > u64::from(ONE);
        if above { ReliabilityCount::ABOVE } else { ReliabilityCount::BELOW }
    }
}

/// The bin of a chance.
fn bin_of(chance: u32) -> usize {
    EDGES.partition_point(|edge| edge * (ONE / 100) <= chance) - 1
}

/// G. Brier, "Verification of forecasts expressed in terms of probability", 1950: the sum over seats of the squared
/// difference of chance and result, in millionths, rounded down.
fn brier(said: &[u32], winner: Option<Seat>) -> u64 {
    let square = |(seat, &chance): (usize, &u32)| {
        let won = winner.is_some_and(|winner| winner.idx() == seat);
        u64::from(chance.abs_diff(if won { ONE } else { 0 })).pow(2)
    };
    said.iter().enumerate().map(square).sum::<u64>() / u64::from(ONE)
}

/// −ln of the chance of the winner in millionths, once chances were raised to each exponent b and made to sum to 1
/// again: ln Σ (p_s / p_w)^b. A chance below a millionth counts as one.
fn losses(said: &[u32], winner: usize) -> [u32; EXPONENTS] {
    let mut behind = [0.0; SEATS_MAX];
    let of = |chance: u32| libm::log(f64::from(chance.max(1)));
    let own = of(said[winner]);
    for (behind, &chance) in behind.iter_mut().zip(said) {
        *behind = of(chance) - own;
    }
    std::array::from_fn(|place| {
        let power = exponent(place as f64);
        let sum: f64 = behind[..said.len()].iter().map(|&log| libm::exp(power * log)).sum();
        whole(libm::round(libm::log(sum) * f64::from(ONE)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: ReliabilityCount = ReliabilityCount { judges: 2, seats: 3 };

    fn said(chances: [u32; 3]) -> Said {
        let mut said = [0; SEATS_MAX];
        said[..3].copy_from_slice(&chances);
        said
    }

    #[test]
    fn a_chance_is_in_the_bin_that_begins_at_or_below_it() {
        for (chance, from) in [
            (0, 0),
            (9_999, 0),
            (10_000, 1),
            (49_999, 2),
            (50_000, 5),
            (949_999, 90),
            (950_000, 95),
            (990_000, 99),
            (ONE, 99),
        ] {
            assert_eq!(EDGES[bin_of(chance)], from, "{chance}");
        }
        assert!(EDGES.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn chances_are_rounded_to_millionths() {
        let rounded = [0.25, 1.0, 1.5, -0.1, f32::NAN, 4e-7, 6e-7].map(millionths);
        assert_eq!(rounded, [250_000, ONE, ONE, 0, 0, 0, 1]);
    }

    /// Chances of 60, 30 and 10 %, and the second seat wins: all sums by hand.
    #[test]
    fn a_position_is_counted_as_by_hand() {
        let mut block = vec![0; COUNT.width()];
        COUNT.add((1, 3), &said([600_000, 300_000, 100_000]), Some(Seat::new(1)), &mut block);
        let mut sums = vec![0; COUNT.width()];
        COUNT.end_block(&mut block, &mut sums);
        assert!(block.iter().all(|&left| left == 0));
        for phase in [0, 3] {
            let at = COUNT.phase(1, phase);
            // 0.36 + 0.49 + 0.01, and −ln 0.3 = 1.203973.
            assert_eq!(sums[at..at + ReliabilityCount::LOSSES], [1, 1, 1, 1, 860_000]);
            let losses = &sums[at + ReliabilityCount::LOSSES..][..EXPONENTS];
            assert_eq!(losses[AS_THEY_ARE], 1_203_973);
            // Squares: 0.36, 0.09 and 0.01, so 9 of 46. With the fourth power of chances 81 of 1378.
            assert_eq!(losses[AS_THEY_ARE + 4], 1_631_417);
            assert_eq!(losses[AS_THEY_ARE + 8], 2_833_939);
            let bin = |from: u32| {
                let bin = EDGES.iter().position(|&edge| edge == from).unwrap();
                sums[COUNT.bin(1, phase, bin)..][..4].to_vec()
            };
            assert_eq!(bin(60), [1, 1, 600_000, 0]);
            assert_eq!(bin(30), [1, 1, 300_000, 1]);
            assert_eq!(bin(10), [1, 1, 100_000, 0]);
            assert_eq!(bin(65), [0; 4]);
            let side = |bin| sums[COUNT.bin(1, phase, bin)..][..4].to_vec();
            assert_eq!(side(ReliabilityCount::BELOW), [2, 1, 400_000, 1]);
            assert_eq!(side(ReliabilityCount::ABOVE), [1, 1, 600_000, 0]);
        }
        let elsewhere = sums.iter().sum::<u64>();
        let of =
            |phase| -> u64 { sums[COUNT.phase(1, phase)..COUNT.phase(1, phase + 1)].iter().sum() };
        assert_eq!(elsewhere, of(0) + of(3));
    }

    #[test]
    fn without_a_winner_all_chances_failed_and_nothing_is_lost() {
        let mut sums = vec![0; COUNT.width()];
        COUNT.add((0, 1), &said([500_000, 500_000, 0]), None, &mut sums);
        let at = COUNT.phase(0, 1);
        assert_eq!(sums[at..at + ReliabilityCount::LOSSES], [1, 0, 0, 0, 500_000]);
        assert!(sums[at + ReliabilityCount::LOSSES..][..EXPONENTS].iter().all(|&loss| loss == 0));
    }

    /// A winner who was said to have no chance loses 6 ln 10 = 13.8 nats, and no more than that times the exponent.
    #[test]
    fn a_chance_of_0_has_a_bounded_loss() {
        let losses = losses(&[ONE, 0], 1);
        assert_eq!(losses[AS_THEY_ARE], 13_815_512);
        assert!(losses.is_sorted() && losses[EXPONENTS - 1] < 56 * ONE);
    }
}
