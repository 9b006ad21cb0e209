//! What a tally notes of the end of a turn: who leads, and by how much.

use crate::core::measure::Measure;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};

/// Nobody leads alone.
pub const NOBODY: u8 = u8::MAX;

/// What happened at the table at the end of one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnNotes {
    /// The seat with the most points, or [`NOBODY`].
    pub leader: u8,
    /// The most points.
    pub most: u8,
    /// The most points that a seat has apart from one with the most.
    pub second: u8,
    /// Points by seat.
    pub points: PerSeat<u8>,
}

impl TurnNotes {
    /// Nobody has any points.
    pub const NONE: TurnNotes =
        TurnNotes { leader: NOBODY, most: 0, second: 0, points: [0; SEATS_MAX] };

    /// The table with these points.
    pub fn of<G: Measure>(game: &G, points: PerSeat<u8>) -> TurnNotes {
        // Points above the seat in one number: the greatest has the most points, and whose they are.
        let (mut most, mut second) = (0, 0);
        for seat in Seat::all(game.players()) {
            let of_seat = u16::from_le_bytes([seat.number() - 1, points[seat.idx()]]);
            second = second.max(most.min(of_seat));
            most = most.max(of_seat);
        }
        let [seat, most] = most.to_le_bytes();
        let [_, second] = second.to_le_bytes();
        TurnNotes { leader: if most > second { seat } else { NOBODY }, most, second, points }
    }
}
