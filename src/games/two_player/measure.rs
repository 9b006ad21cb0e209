//! How CATAN for two is measured: as its island is, with rows for what it adds.

use crate::core::chance::ChanceEvent;
use crate::core::game::ActionFilter;
use crate::core::measure::maps::{Founding, MapFacts};
use crate::core::measure::standings::Standings;
use crate::core::measure::{Choice, Flow, Measure, Sources};
use crate::core::resources::{Resource, Resources};
use crate::core::types::joined::joined;
use crate::core::types::seat::Seat;
use crate::games::two_player::action::Action;
use crate::games::two_player::game::TwoPlayer;
use crate::games::two_player::state::{Owed, State};
use crate::parts::island::Island;
use crate::parts::island::luck::Draw;
use crate::parts::island::measure::Before;

/// Positions in [`TwoPlayer::CARDS`].
const NEUTRAL_ROAD: usize = Island::CARDS.len();
const NEUTRAL_SETTLEMENT: usize = NEUTRAL_ROAD + 1;
const FORCED_TRADE: usize = NEUTRAL_ROAD + 2;
const ROBBER_HOME: usize = NEUTRAL_ROAD + 3;
const KNIGHT_TURNED_IN: usize = NEUTRAL_ROAD + 4;

/// Positions in [`TwoPlayer::DECISIONS`].
const DECISIONS: usize = Island::DECISIONS.len();

impl Measure for TwoPlayer {
    type Before = Before;

    const CARDS: &'static [&'static str] = &joined::<_, { NEUTRAL_ROAD + 5 }>(
        Island::CARDS,
        &["neutral_road", "neutral_settlement", "forced_trade", "robber_home", "knight_turned_in"],
    );
    const RESOURCES: [&'static str; Resource::COUNT] = Island::RESOURCES;
    const SOURCES: &'static [&'static str] = Island::SOURCES;
    const DECISIONS: &'static [&'static str] = &joined::<_, { DECISIONS + 3 }>(
        Island::DECISIONS,
        &["give_back", "neutral_road", "neutral_settlement"],
    );
    const BANDS: &'static [u16] = Island::BANDS;
    const STANDINGS: Standings = Island::STANDINGS;
    const CHOICES: &'static [Choice] = &[];

    #[inline]
    fn decision_kind(&self, state: &State) -> usize {
        match state.own.owed {
            Owed::Nothing => self.island.decision_kind(&state.island),
            Owed::Cards => DECISIONS,
            Owed::Road => DECISIONS + 1,
            Owed::Settlement => DECISIONS + 2,
        }
    }

    #[inline]
    fn current(&self, state: &State) -> Seat {
        self.island.current(&state.island)
    }

    #[inline]
    fn points(&self, state: &State, seat: Seat) -> u8 {
        state.island.points(&self.island, seat)
    }

    fn points_by_source(&self, state: &State, seat: Seat) -> Sources {
        self.island.points_by_source(&state.island, seat)
    }

    #[inline]
    fn before(&self, state: &State) -> Before {
        self.island.before(&state.island)
    }

    fn offered(&self, state: &State, filter: ActionFilter) -> u32 {
        match state.own.owed {
            Owed::Nothing => {
                let rows = [
                    (Action::ForcedTrade, FORCED_TRADE),
                    (Action::RobberHome, ROBBER_HOME),
                    (Action::TurnIn, KNIGHT_TURNED_IN),
                ];
                let may = |action| u32::from(self.permits_own(state, action));
                rows.into_iter()
                    .fold(self.island.offered(&state.island, filter), |cards, (action, row)| {
                        cards | may(action) << row
                    })
            }
            Owed::Cards => 0,
            Owed::Road => 1 << NEUTRAL_ROAD,
            Owed::Settlement => 1 << NEUTRAL_SETTLEMENT,
        }
    }

    #[inline]
    fn taken(&self, before: &Before, after: &State, action: Action) -> u32 {
        let row = match action {
            Action::Island(action) => return self.island.taken(before, &after.island, action),
            Action::NeutralRoad { .. } => NEUTRAL_ROAD,
            Action::NeutralSettlement { .. } => NEUTRAL_SETTLEMENT,
            Action::ForcedTrade => FORCED_TRADE,
            Action::RobberHome => ROBBER_HOME,
            Action::TurnIn => KNIGHT_TURNED_IN,
            Action::GiveBack { .. } => return 0,
        };
        // A neutral settlement that cuts the opponent's road may bring Longest Road.
        1 << row | before.won_specials(&after.island.table)
    }

    #[inline]
    fn turned_up(event: ChanceEvent<Draw>) -> Option<usize> {
        Island::turned_up(event)
    }

    fn matched(&self) -> u32 {
        self.island.matched() | 1 << FORCED_TRADE | 1 << ROBBER_HOME | 1 << KNIGHT_TURNED_IN
    }

    fn held(&self, state: &State, seat: Seat) -> u32 {
        self.island.held(&state.island, seat)
    }

    #[inline]
    fn drawn(event: ChanceEvent<Draw>) -> Option<Resource> {
        <Island as Measure>::drawn(event)
    }

    #[inline]
    fn stolen(event: ChanceEvent<Draw>) -> Option<Resource> {
        Island::stolen(event)
    }

    #[inline]
    fn in_bank(&self, state: &State) -> Resources {
        self.island.in_bank(&state.island)
    }

    #[inline]
    fn yielded(&self, bank: Resources, after: &State, action: Action) -> Option<Resources> {
        let Action::Island(action) = action else { return None };
        self.island.yielded(bank, &after.island, action)
    }

    #[inline]
    fn flow(&self, before: &State, action: Action) -> Option<Flow> {
        match action {
            Action::Island(action) => self.island.flow(&before.island, action),
            Action::GiveBack { first, second } => {
                Some(Flow::Passed(Resources::one(first) + Resources::one(second)))
            }
            _ => None,
        }
    }

    #[inline]
    fn in_hands(&self, state: &State) -> Resources {
        self.island.in_hands(&state.island)
    }

    #[inline]
    fn dominated(&self, before: &State, filter: ActionFilter, action: Action) -> bool {
        if before.own.owed != Owed::Nothing {
            return false;
        }
        // A token action ends nothing, but the win was there.
        let action = match action {
            Action::Island(action) => action,
            _ => crate::parts::island::action::Action::EndTurn,
        };
        self.island.dominated(&before.island, filter, action)
    }

    const MAP_FIELD: Option<&'static str> = Island::MAP_FIELD;

    fn founding(&self, state: &State, action: Action) -> Option<Founding> {
        let Action::Island(action) = action else { return None };
        self.island.founding(&state.island, action)
    }

    fn founded_at(&self, state: &State, action: Action, place: u8) -> Option<Action> {
        let Action::Island(action) = action else { return None };
        self.island.founded_at(&state.island, action, place).map(Action::Island)
    }

    fn map_facts(&self, state: &State) -> Option<MapFacts> {
        self.island.map_facts(&state.island)
    }
}
