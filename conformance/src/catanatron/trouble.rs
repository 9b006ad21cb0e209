//! Why a step is refused: it can't be read, or it is not what it should be.

use crate::catanatron::differences::Mismatch;
use crate::catanatron::field::Malformed;
use crate::core::types::seat::Seat;

/// Why a step is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It can't be read.
    Malformed(Malformed),
    /// Neither the rules nor the known differences explain it.
    Mismatch(Mismatch),
}

impl From<Malformed> for Trouble {
    fn from(malformed: Malformed) -> Trouble {
        Trouble::Malformed(malformed)
    }
}

/// Complains unless two values are equal.
///
/// # Errors
/// If they differ.
pub fn same<T: PartialEq + std::fmt::Debug>(
    field: &'static str,
    found: &T,
    due: &T,
) -> Result<(), Trouble> {
    if found == due {
        return Ok(());
    }
    Err(differs(field, format!("{found:?}"), format!("{due:?}")))
}

/// A complaint about a value.
pub fn differs(field: &'static str, found: String, due: String) -> Trouble {
    Trouble::Mismatch(Mismatch { field, found, due })
}

/// A seat as the records count it, from 0.
pub fn seat_name(seat: Seat) -> String {
    format!("seat {}", seat.idx())
}
