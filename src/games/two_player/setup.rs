//! The game created from a rule set, and the start position.

use crate::core::chance::Chance;
use crate::core::game::BadRule;
use crate::core::rule_set::range_faults;
use crate::core::types::seat::Seat;
use crate::games::two_player::game::{NEUTRALS, PLAYERS, TwoPlayer};
use crate::games::two_player::rules::Rules;
use crate::games::two_player::state::{Own, State};
use crate::parts::hexmap::STANDARD;
use crate::parts::island::Island;
use crate::parts::island::luck::Draw;
use crate::parts::places::Vertex;

/// Seats that own pieces: the players and the neutral ones. (TWO-1)
const OWNERS: u8 = 4;

impl TwoPlayer {
    /// The game for a rule set and two players.
    ///
    /// # Errors
    /// Names each field that can't be played with.
    pub fn build(rules: Rules, players: u8) -> Result<TwoPlayer, Vec<BadRule>> {
        let mut faults = range_faults(Rules::FIELDS, &rules, players);
        if players != PLAYERS {
            let reason = format!("{players} can't play; two-player takes 2");
            faults.push(BadRule::new("players", reason));
        }
        faults.extend(places_fault(rules.neutral.places));
        let tokens = rules.trade_tokens;
        let start = [Seat::new(0), Seat::new(1)].map(|seat| tokens.start.of(seat));
        if let Some(more) = start.into_iter().find(|&start| start > tokens.max) {
            let reason = format!("{more} is more than `trade_tokens.max` allows");
            faults.push(BadRule::new("trade_tokens.start", reason));
        }
        if start.into_iter().map(u16::from).sum::<u16>() > u16::from(tokens.all) {
            let reason = format!("{} for each player is more than there are", tokens.start);
            faults.push(BadRule::new("trade_tokens.start", reason));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let island = Island::build(rules.island(), PLAYERS)?;
        Ok(TwoPlayer { rules, island: Island { owners: OWNERS, ..island } })
    }

    /// Lays the island and the neutral players' first settlements; then the players found. (TWO-2, TWO-3)
    pub(super) fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        let mut island = self.island.lay(chance);
        for (seat, place) in NEUTRALS.into_iter().zip(self.rules.neutral.places) {
            island.table.pieces.stand(self.island.map(), seat, Vertex::new(place));
        }
        let start = self.rules.trade_tokens.start;
        let tokens = [Seat::new(0), Seat::new(1)].map(|seat| start.of(seat));
        State { island, own: Own { tokens, ..Own::default() } }
    }
}

/// What is wrong with the neutral players' places, if anything is.
fn places_fault(places: [u8; 2]) -> Option<BadRule> {
    let [one, other] =
        places.map(|place| (place < STANDARD.vertex_count).then(|| Vertex::new(place)));
    let (one, other) = (one?, other?);
    let near = STANDARD.neighbours[one.idx()].with(one).contains(other);
    near.then(|| {
        let reason = format!("{one} and {other} are too near each other for two settlements");
        BadRule::new("neutral.places", reason)
    })
}
