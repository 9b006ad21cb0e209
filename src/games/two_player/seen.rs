//! What a seat sees, in JSON: what it sees of the island, and what this game adds.

use crate::games::two_player::game::{PLAYERS, TwoPlayer};
use crate::games::two_player::observe::View;
use crate::games::two_player::state::{Owed, Own, still_owed};
use crate::parts::island::catalogue;
use crate::parts::island::seen;
use crate::parts::pieces::Ground;
use crate::parts::seen::{Read, by_seat, require, sum};
use serde::{Deserialize, Serialize};

/// Phases that base CATAN does not have, as records name them.
const PHASES: [&str; 3] = ["give_back", "neutral_road", "neutral_settlement"];

/// The form of a [`View`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seen {
    island: seen::Seen,
    /// Tokens of each player.
    tokens: Vec<u8>,
    /// The sum of the first roll between the two rolls of a turn; else 0.
    first: u8,
    acted: bool,
    turned_in: bool,
    owed: Option<SeenOwed>,
}

/// What the active player owes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SeenOwed {
    Cards,
    Road,
    Settlement,
}

/// Places and words of the island, and what this game adds.
#[derive(Debug, Serialize)]
pub(super) struct Catalogue {
    island: catalogue::Catalogue,
    phases: [&'static str; 3],
}

impl Catalogue {
    pub(super) fn of(game: &TwoPlayer) -> Catalogue {
        Catalogue { island: catalogue::Catalogue::of(&game.island, false), phases: PHASES }
    }
}

impl Seen {
    /// The form of what a seat sees.
    pub(super) fn of(game: &TwoPlayer, view: &View<'_>) -> Seen {
        let Own { tokens, first, acted, turned_in, owed } = *view.own;
        let owed = match owed {
            Owed::Nothing => None,
            Owed::Cards => Some(SeenOwed::Cards),
            Owed::Road => Some(SeenOwed::Road),
            Owed::Settlement => Some(SeenOwed::Settlement),
        };
        let island = seen::Seen::of(&game.island, &view.island, seen::Bare::default());
        Seen { island, tokens: tokens.to_vec(), first, acted, turned_in, owed }
    }

    /// Reads the view that it is the form of, and hands it on.
    pub(super) fn read<R>(&self, game: &TwoPlayer, with: impl FnOnce(View<'_>) -> R) -> Read<R> {
        let own = Own {
            tokens: by_seat(&self.tokens, PLAYERS, |tokens| *tokens)?,
            first: self.first,
            acted: self.acted,
            turned_in: self.turned_in,
            owed: match self.owed {
                None => Owed::Nothing,
                Some(SeenOwed::Cards) => Owed::Cards,
                Some(SeenOwed::Road) => Owed::Road,
                Some(SeenOwed::Settlement) => Owed::Settlement,
            },
        };
        let tokens = &game.rules.trade_tokens;
        require(sum(&own.tokens) <= tokens.all.into(), "more tokens than there are")?;
        let few = own.tokens.iter().all(|&held| held <= tokens.max);
        require(few, "more tokens than a player may hold")?;
        require(own.first == 0 || (2..=12).contains(&own.first), "a sum of two dice")?;
        let ground = Ground::of(game.island.map());
        self.island.read(&game.island, &ground, |island| {
            require(still_owed(island.table, own.owed) == own.owed, "what is owed can be paid")?;
            Ok(with(View { island, own: &own }))
        })?
    }
}
