//! Where a seat stands in a match: its points, and its lead over the best other seat. Seats of different
//! matches that stand alike are compared with each other.

/// Leads are distinguished from two points behind, or more, to two points ahead, or more.
const LEAD: u8 = 2;

/// How points and leads are numbered: points from `first` on, in `bins` steps of one, the ends open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standings {
    /// The fewest points that any seat has when turns begin.
    pub first: u8,
    /// How many numbers of points are distinguished, at least 1.
    pub bins: u8,
}

impl Standings {
    /// Number of standings.
    pub const fn count(self) -> usize {
        Standings::before(self.bins)
    }

    /// Standings with fewer points: nobody with the fewest, or one more, leads by more than that.
    const fn before(points: u8) -> usize {
        match points {
            0 | 1 => 3 * points as usize,
            _ => 5 * points as usize - 3,
        }
    }

    /// The number of a standing: own points and those of the best other seat.
    #[inline]
    pub fn of(self, points: u8, other: u8) -> usize {
        let above = points.saturating_sub(self.first).min(self.bins - 1);
        let most = LEAD.min(above);
        // The lead from two points behind on, without a sign.
        let lead = points.saturating_add(LEAD).saturating_sub(other).min(most + LEAD);
        Standings::before(above) + usize::from(lead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_standing_has_a_number_of_its_own() {
        for (bins, count) in [(1, 3), (2, 7), (6, 27), (8, 37)] {
            let standings = Standings { first: 2, bins };
            assert_eq!(standings.count(), count);
            let mut seen = vec![false; count];
            for points in 2..2 + bins {
                for other in 2..2 + bins + 3 {
                    seen[standings.of(points, other)] = true;
                }
            }
            assert!(seen.iter().all(|&seen| seen), "{bins}: {seen:?}");
        }
        // Two or more behind and ahead are not distinguished, nor are points beyond the ends.
        let standings = Standings { first: 1, bins: 6 };
        assert_eq!(standings.of(3, 5), standings.of(3, 7));
        assert_eq!(standings.of(5, 3), standings.of(5, 1));
        assert_ne!(standings.of(5, 3), standings.of(5, 4));
        assert_eq!(standings.of(6, 4), standings.of(9, 1));
        assert_eq!(standings.of(0, 1), standings.of(1, 2));
    }
}
