//! A position of Struggle for Catan: what is open to all ([`Table`]), hands and the draw stack.

use crate::core::game::End;
use crate::core::resources::Resources;
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::struggle::action::Partner;
use crate::games::struggle::cards::{Card, Event, Expansion, a_sides, b_sides};
use crate::games::struggle::game::Struggle;

/// Open cards of the market. (SFC-10)
pub const MARKET: u8 = 5;

/// What must be decided next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The current seat trades, builds or draws.
    Act,
    /// The current seat takes this number of cards from the market.
    Take(u8),
    /// The current seat chooses a card from the open hand of its partner. (SFC-34)
    Choose,
    /// The current seat returns this number of cards to its partner.
    Return(u8),
    /// The current seat may flip the destiny card. (SFC-44)
    Flip,
    /// This seat discards to the brigands.
    Discard {
        /// Who discards.
        seat: Seat,
        /// Cards still owed, at least 1.
        owed: u8,
    },
    /// The current seat has drawn, and may draw up to this number of further cards. (SFC-80)
    Extra(u8),
    /// The match has ended.
    Over(End),
}

/// What the current seat has done in its turn.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SoFar {
    /// Kinds of cards built, one bit for each kind that counts by itself. (SFC-42)
    pub built: u8,
    /// Whether the trade phase is over.
    pub building: bool,
    /// Cards traded.
    pub traded: u8,
    /// The merchants' guild has taken its card.
    pub robbed: bool,
    /// The library has chosen its card.
    pub chose: bool,
    /// The university has saved its card.
    pub saved: bool,
}

/// A trade in progress; meaningful only while it lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lot {
    /// With whom.
    pub with: Partner,
    /// How many cards.
    pub cards: u8,
    /// What has been taken from the market; nothing in other trades.
    pub taken: Resources,
}

impl Lot {
    /// No trade.
    pub const NONE: Lot = Lot { with: Partner::Stack, cards: 0, taken: Resources::NONE };
}

/// What lies in front of a seat. Of a row of roads or knights the first, third, … card has its A side up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Area {
    /// Roads in its row. (SFC-43)
    pub roads: u8,
    /// Knights in its row. (SFC-43)
    pub knights: u8,
    /// Settlements that are not cities.
    pub settlements: u8,
    /// Cities without an expansion.
    pub cities: u8,
    /// Expansions, one bit for each [`Expansion`]; each lies on a city.
    pub expansions: u8,
}

impl Area {
    /// Whether an expansion's advantage holds.
    #[inline]
    pub const fn has(&self, expansion: Expansion) -> bool {
        self.expansions & expansion.bit() != 0
    }
}

/// Everything that is open to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Table {
    /// Cards in front of each seat.
    pub areas: PerSeat<Area>,
    /// Resource cards of the market.
    pub market: Resources,
    /// Discarded resource cards.
    pub discards: Resources,
    /// Roads in the stack.
    pub roads: u8,
    /// Knights in the stack.
    pub knights: u8,
    /// Settlements in the stack.
    pub settlements: u8,
    /// Expansions in the stack, by [`Expansion`].
    pub expansions: [u8; Expansion::COUNT],
    /// City sides that nobody has seen, in the stack and in front of players, by [`Event`]. (SFC-12)
    pub events: [u8; Event::COUNT],
    /// Whether the destiny card points clockwise; true with two players, who have none. (SFC-11)
    pub clockwise: bool,
    /// The turn, counted by player from 1.
    pub turn: u16,
    /// Whose turn it is.
    pub current: Seat,
    /// What must be decided next.
    pub phase: Phase,
    /// What the current seat has done.
    pub so_far: SoFar,
    /// The trade in progress.
    pub lot: Lot,
}

/// A full position, hidden cards included. A rollout starts by copying it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// What is open to all.
    pub table: Table,
    /// Resource cards in hand by seat; hidden from the other seats.
    pub hands: PerSeat<Resources>,
    /// The draw stack. It has no order: a draw takes any of its cards.
    pub pile: Resources,
}

const _: () = assert!(size_of::<State>() <= 216, "a rollout copies the state");

impl Table {
    /// Victory points of a seat. (SFC-90)
    #[inline]
    pub fn points(&self, game: &Struggle, seat: Seat) -> u8 {
        let area = &self.areas[seat.idx()];
        area.settlements
            + 2 * area.cities
            + game.expansion_points[usize::from(area.expansions)]
            + b_sides(area.roads)
            + b_sides(area.knights)
    }

    /// What lies in front of the current seat.
    #[inline]
    pub fn own(&self) -> &Area {
        &self.areas[self.current.idx()]
    }

    /// Cards that the current player may still trade in its turn. (SFC-30)
    #[inline]
    pub fn trades_left(&self) -> u8 {
        a_sides(self.own().roads).max(1).saturating_sub(self.so_far.traded)
    }

    /// Whether the library may choose a card. (SFC-34)
    #[inline]
    pub(super) fn may_choose(&self) -> bool {
        self.own().has(Expansion::Library) && !self.so_far.chose
    }

    /// Cards of a kind in the stack.
    #[inline]
    pub fn left(&self, card: Card) -> u8 {
        match card {
            Card::Road => self.roads,
            Card::Knight => self.knights,
            Card::Settlement | Card::City => self.settlements,
            _ => card.expansion().map_or(0, |expansion| self.expansions[expansion.idx()]),
        }
    }
}

impl Struggle {
    /// The invariants of [`State`].
    ///
    /// # Panics
    /// If one is broken.
    pub(super) fn check(&self, state: &State) {
        let table = &state.table;
        let held = state.hands.iter().fold(Resources::NONE, |sum, &hand| sum + hand);
        let all = held + table.market + table.discards + state.pile;
        assert_eq!(all, self.deck, "every resource card is in one place (SFC-92)");
        let areas = &table.areas[..usize::from(self.players)];
        let sum = |count: fn(&Area) -> u8| areas.iter().map(count).sum::<u8>();
        let supply = &self.supply;
        assert_eq!(table.roads + sum(|area| area.roads), supply.roads, "roads (SFC-3)");
        assert_eq!(table.knights + sum(|area| area.knights), supply.knights, "knights (SFC-3)");
        let unturned = table.settlements + sum(|area| area.settlements);
        assert_eq!(unturned, table.events.iter().sum::<u8>(), "each settlement has an unseen side");
        let expanded: u32 = areas.iter().map(|area| area.expansions.count_ones()).sum();
        let turned = u32::from(sum(|area| area.cities)) + expanded;
        let in_all = u32::from(unturned) + turned;
        assert_eq!(in_all, u32::from(supply.settlements), "settlements and cities (SFC-3)");
        for expansion in Expansion::ALL {
            let built = areas.iter().filter(|area| area.has(expansion)).count();
            let in_all = usize::from(table.expansions[expansion.idx()]) + built;
            assert_eq!(in_all, usize::from(supply.expansions[expansion.idx()]), "{expansion:?}");
        }
        for seat in usize::from(self.players)..table.areas.len() {
            assert_eq!(table.areas[seat], Area::default(), "nobody sits there");
            assert!(state.hands[seat].is_empty(), "nobody sits there");
        }
        Self::check_market(state);
        assert!(table.turn <= self.rules.turns_max, "a turn past the limit");
        let between = matches!(table.phase, Phase::Discard { .. } | Phase::Over(_));
        let points = table.points(self, table.current);
        assert!(
            between || points < self.rules.points_to_win.of(table.current),
            "a match that is won goes on"
        );
    }

    /// The market has five cards, but in the middle of a trade with it. (SFC-32, SFC-52)
    fn check_market(state: &State) {
        let table = &state.table;
        let owed = match table.phase {
            Phase::Take(left) => table.lot.cards - left,
            Phase::Return(left) if table.lot.with == Partner::Market => left,
            _ => 0,
        };
        assert_eq!(table.market.total() + owed, MARKET, "the market has five cards");
    }
}
