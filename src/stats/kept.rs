//! What follows from sums and is asked for again and again: each is found out once.

use crate::stats::jackknife::{PLACES, Sums};
use std::cell::OnceCell;

/// What follows from the sums of one [`Grouped`](crate::stats::jackknife::Grouped): of all groups, of all but one, and of
/// one alone.
#[derive(Debug)]
pub struct Kept<T>([OnceCell<T>; PLACES]);

impl<T> Default for Kept<T> {
    /// Nothing yet.
    fn default() -> Kept<T> {
        Kept([const { OnceCell::new() }; PLACES])
    }
}

impl<T: Copy> Kept<T> {
    /// What follows from these sums; `make` is always the same.
    pub fn get(&self, sums: Sums<'_>, make: impl FnOnce(Sums<'_>) -> T) -> T {
        *self.0[sums.place].get_or_init(|| make(sums))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::jackknife::Grouped;
    use std::cell::Cell;

    /// Three groups with 1, 2 and 4 in their only counter: 7 in all, then 6, 5 and 3.
    #[test]
    fn each_is_found_out_once_and_is_that_of_its_groups() {
        let mut grouped = Grouped::new(1);
        for (group, count) in [(0, 1), (1, 2), (2, 4)] {
            grouped.add(group, 1, &[count]);
        }
        let (kept, made) = (Kept::default(), Cell::new(0));
        let count = |sums: Sums<'_>| {
            made.set(made.get() + 1);
            sums.get(0)
        };
        let seen = Cell::new(0.0);
        let ask = |sums: Sums<'_>| {
            seen.set(seen.get() + kept.get(sums, count));
            Some(kept.get(sums, count))
        };
        let mean = grouped.mean(ask).expect("three groups");
        assert!((mean.value - 7.0).abs() < 1e-12);
        assert_eq!(made.get(), 4, "of all groups, and without each");
        assert!((seen.get() - (7.0 + 6.0 + 5.0 + 3.0)).abs() < 1e-12);
    }
}
