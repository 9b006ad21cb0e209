//! How much the winners of a course of learning surprised what was learned before, by tenth of its matches.

/// Parts of the matches whose surprise is kept apart.
pub const TENTHS: usize = 10;

/// Surprise at the winner: minus the logarithm of its chance, added up over positions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Surprise {
    /// In nats.
    pub sum: f64,
    /// Positions.
    pub positions: u64,
}

impl Surprise {
    /// Adds that of other positions.
    pub fn add(&mut self, other: Surprise) {
        self.sum += other.sum;
        self.positions += other.positions;
    }
}

/// Surprise by tenth of the matches.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tenths([Surprise; TENTHS]);

impl Tenths {
    /// Adds the surprise of a match, by its number among all.
    ///
    /// # Panics
    /// If there are not that many matches.
    pub fn add(&mut self, number: u64, matches: u64, surprise: Surprise) {
        self.0[Tenths::of(number, matches)].add(surprise);
    }

    /// The tenth of a match, from 0.
    ///
    /// # Panics
    /// If there are not that many matches.
    pub fn of(number: u64, matches: u64) -> usize {
        assert!(number < matches, "one of the matches");
        let tenth = u128::from(number) * TENTHS as u128 / u128::from(matches);
        usize::try_from(tenth).expect("one of ten")
    }

    /// All positions.
    pub fn positions(&self) -> u64 {
        self.0.iter().map(|tenth| tenth.positions).sum()
    }

    /// The mean surprise of a tenth in nats, and its positions; nothing if it has none.
    pub fn mean(&self, tenth: usize) -> Option<(f64, u64)> {
        let of = self.0[tenth];
        (of.positions > 0).then(|| (of.sum / of.positions as f64, of.positions))
    }

    /// As two whole numbers for each tenth: the bits of the sum, and the positions.
    pub fn encode(&self) -> impl Iterator<Item = u64> {
        self.0.iter().flat_map(|tenth| [tenth.sum.to_bits(), tenth.positions])
    }

    /// Reads what [`Tenths::encode`] wrote; nothing if no matches can have these.
    pub fn decode(words: &[u64]) -> Option<Tenths> {
        let mut read = Tenths::default();
        for (tenth, of) in read.0.iter_mut().zip(words.chunks(2)) {
            *tenth = Surprise { sum: f64::from_bits(of[0]), positions: of[1] };
        }
        let sound = |tenth: &Surprise| tenth.sum.is_finite() && tenth.positions < 1 << 48;
        (words.len() == 2 * TENTHS && read.0.iter().all(sound)).then_some(read)
    }
}
