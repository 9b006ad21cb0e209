//! What a seat sees, in JSON.

use crate::core::game::End;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::struggle::action::Partner;
use crate::games::struggle::cards::{Card, Event, Expansion};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::observe::View;
use crate::games::struggle::state::{Area, Lot, Phase, SoFar, Table};
use crate::parts::allowed::Named;
use crate::parts::seen::{Counted, Names, Read, Tally, by_seat, require, seated, sum};
use serde::{Deserialize, Serialize};

/// Kinds of cards that count by themselves, as [`SoFar::built`] has them. Where settlement and city are one kind, that
/// is `settlement`.
#[derive(Debug, Clone, Copy)]
struct Type;

impl Named for Type {
    const WHAT: &'static str = "kinds of cards to build";
    const NAMES: &'static [&'static str] = &["road", "knight", "settlement", "city", "expansion"];
}

impl Named for Event {
    const WHAT: &'static str = "events";
    const NAMES: &'static [&'static str] = &["brigands", "market_day"];
}

/// Phases, as views and records name them.
const PHASES: [&str; 8] = ["act", "take", "choose", "return", "flip", "discard", "extra", "over"];

/// The form of a [`View`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seen {
    seat: Seat,
    hand: Counted,
    /// The partner's hand while the seat chooses from it.
    open: Option<Counted>,
    seats: Vec<SeenSeat>,
    pile: u8,
    market: Counted,
    discards: Counted,
    roads: u8,
    knights: u8,
    settlements: u8,
    expansions: Tally<Expansion, { Expansion::COUNT }>,
    events: Tally<Event, { Event::COUNT }>,
    clockwise: bool,
    turn: u16,
    current: Seat,
    phase: SeenPhase,
    so_far: SeenSoFar,
    lot: Option<SeenLot>,
}

/// What is open of a seat.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenSeat {
    hand_size: u8,
    roads: u8,
    knights: u8,
    settlements: u8,
    cities: u8,
    expansions: Names<Expansion>,
}

impl SeenSeat {
    fn area(&self) -> Area {
        Area {
            roads: self.roads,
            knights: self.knights,
            settlements: self.settlements,
            cities: self.cities,
            expansions: self.expansions.0,
        }
    }
}

/// What must be decided next.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
enum SeenPhase {
    Act,
    Take { left: u8 },
    Choose,
    Return { left: u8 },
    Flip,
    Discard { seat: Seat, owed: u8 },
    Extra { left: u8 },
    Over { end: End },
}

impl From<Phase> for SeenPhase {
    fn from(phase: Phase) -> SeenPhase {
        match phase {
            Phase::Act => SeenPhase::Act,
            Phase::Take(left) => SeenPhase::Take { left },
            Phase::Choose => SeenPhase::Choose,
            Phase::Return(left) => SeenPhase::Return { left },
            Phase::Flip => SeenPhase::Flip,
            Phase::Discard { seat, owed } => SeenPhase::Discard { seat, owed },
            Phase::Extra(left) => SeenPhase::Extra { left },
            Phase::Over(end) => SeenPhase::Over { end },
        }
    }
}

impl From<SeenPhase> for Phase {
    fn from(phase: SeenPhase) -> Phase {
        match phase {
            SeenPhase::Act => Phase::Act,
            SeenPhase::Take { left } => Phase::Take(left),
            SeenPhase::Choose => Phase::Choose,
            SeenPhase::Return { left } => Phase::Return(left),
            SeenPhase::Flip => Phase::Flip,
            SeenPhase::Discard { seat, owed } => Phase::Discard { seat, owed },
            SeenPhase::Extra { left } => Phase::Extra(left),
            SeenPhase::Over { end } => Phase::Over(end),
        }
    }
}

/// What the current seat has done in its turn.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenSoFar {
    built: Names<Type>,
    building: bool,
    traded: u8,
    robbed: bool,
    chose: bool,
    saved: bool,
}

impl From<SoFar> for SeenSoFar {
    fn from(so_far: SoFar) -> SeenSoFar {
        let SoFar { built, building, traded, robbed, chose, saved } = so_far;
        SeenSoFar { built: Names::new(built), building, traded, robbed, chose, saved }
    }
}

impl From<SeenSoFar> for SoFar {
    fn from(so_far: SeenSoFar) -> SoFar {
        let SeenSoFar { built, building, traded, robbed, chose, saved } = so_far;
        SoFar { built: built.0, building, traded, robbed, chose, saved }
    }
}

/// A trade in progress.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenLot {
    with: Partner,
    cards: u8,
    taken: Counted,
}

/// What a program needs to know of the game beside its rule set.
#[derive(Debug, Serialize)]
pub(super) struct Catalogue {
    resources: [&'static str; Resource::COUNT],
    cards: [&'static str; Card::COUNT],
    expansions: &'static [&'static str],
    types: &'static [&'static str],
    events: &'static [&'static str],
    phases: [&'static str; 8],
}

impl Catalogue {
    pub(super) fn new() -> Catalogue {
        Catalogue {
            resources: Resource::ALL.map(Resource::name),
            cards: Card::ALL.map(Card::name),
            expansions: Expansion::NAMES,
            types: Type::NAMES,
            events: Event::NAMES,
            phases: PHASES,
        }
    }
}

impl Seen {
    /// The form of what a seat sees.
    pub(super) fn of(game: &Struggle, view: &View<'_>) -> Seen {
        let table = view.table;
        let seats = table.areas.iter().zip(view.hand_sizes).take(game.players.into());
        let seats = seats.map(|(area, hand_size)| SeenSeat {
            hand_size,
            roads: area.roads,
            knights: area.knights,
            settlements: area.settlements,
            cities: area.cities,
            expansions: Names::new(area.expansions),
        });
        let Lot { with, cards, taken } = table.lot;
        let lot = SeenLot { with, cards, taken: Counted(taken) };
        Seen {
            seat: view.seat,
            hand: Counted(view.hand),
            open: view.open.map(Counted),
            seats: seats.collect(),
            pile: view.pile,
            market: Counted(table.market),
            discards: Counted(table.discards),
            roads: table.roads,
            knights: table.knights,
            settlements: table.settlements,
            expansions: Tally::new(table.expansions),
            events: Tally::new(table.events),
            clockwise: table.clockwise,
            turn: table.turn,
            current: table.current,
            phase: table.phase.into(),
            so_far: table.so_far.into(),
            lot: (table.lot != Lot::NONE).then_some(lot),
        }
    }

    /// Reads the view that it is the form of, and hands it on.
    pub(super) fn read<R>(&self, game: &Struggle, with: impl FnOnce(View<'_>) -> R) -> Read<R> {
        let table = self.table(game)?;
        let hand_sizes: PerSeat<u8> = by_seat(&self.seats, game.players, |seat| seat.hand_size)?;
        let (hand, open) = (self.hand.0, self.open.map(|open| open.0));
        require(hand.total() == hand_sizes[self.seat.idx()], "the hand has its size")?;
        let partner = match table.lot.with {
            Partner::Seat(seat) if table.phase == Phase::Choose => Some(seat),
            _ => None,
        };
        require(partner.is_some() || table.phase != Phase::Choose, "a card is chosen of a hand")?;
        let seen = game.opened(&table, self.seat);
        require(seen.is_some() == open.is_some(), "a hand is open to who chooses from it")?;
        if let (Some(seat), Some(open)) = (seen, open) {
            require(open.total() == hand_sizes[seat.idx()], "the open hand has its size")?;
        }
        let known = [hand, open.unwrap_or(Resources::NONE), table.market, table.discards];
        let known = known.iter().try_fold(Resources::NONE, |all, cards| all.checked_add(*cards));
        let deck = game.deck();
        require(known.is_some_and(|known| deck.covers(known)), "more cards than there are")?;
        let elsewhere = [self.pile, table.market.total(), table.discards.total()];
        let all = sum(&hand_sizes) + sum(&elsewhere);
        require(all == u32::from(deck.total()), "every resource card is somewhere")?;
        let pile = self.pile;
        Ok(with(View { seat: self.seat, table: &table, hand, hand_sizes, pile, open }))
    }

    fn table(&self, game: &Struggle) -> Read<Table> {
        let players = game.players;
        let asked = match self.phase {
            SeenPhase::Discard { seat, owed } => {
                let size = self.seats.get(seat.idx()).map_or(0, |of| of.hand_size);
                require(owed > 0 && owed <= size, "a discard that can be paid")?;
                Some(seat)
            }
            _ => None,
        };
        let lot = self.lot.map_or(Lot::NONE, |lot| {
            let SeenLot { with, cards, taken } = lot;
            Lot { with, cards, taken: taken.0 }
        });
        let partner = match lot.with {
            Partner::Seat(seat) => Some(seat),
            Partner::Stack | Partner::Market => None,
        };
        let named = [Some(self.seat), Some(self.current), asked, partner];
        seated(named.into_iter().flatten(), players)?;
        require(partner != Some(self.current), "nobody trades with itself")?;
        require(lot.taken.total() <= lot.cards, "more taken than traded")?;
        if let SeenPhase::Take { left } | SeenPhase::Return { left } = self.phase {
            require(left > 0 && left <= lot.cards, "cards of the trade are left")?;
        }
        require(self.turn <= game.rules.turns_max, "a turn past the limit")?;
        let areas = by_seat(&self.seats, players, SeenSeat::area)?;
        self.check_cards(game, &areas[..usize::from(players)])?;
        Ok(Table {
            areas,
            market: self.market.0,
            discards: self.discards.0,
            roads: self.roads,
            knights: self.knights,
            settlements: self.settlements,
            expansions: self.expansions.0,
            events: self.events.0,
            clockwise: self.clockwise,
            turn: self.turn,
            current: self.current,
            phase: self.phase.into(),
            so_far: self.so_far.into(),
            lot,
        })
    }

    /// Every building card is somewhere.
    fn check_cards(&self, game: &Struggle, areas: &[Area]) -> Read<()> {
        let supply = game.supply();
        let of =
            |count: fn(&Area) -> u8| areas.iter().map(|area| u32::from(count(area))).sum::<u32>();
        let [roads, knights, stack] = [self.roads, self.knights, self.settlements].map(u32::from);
        require(
            roads + of(|area| area.roads) == u32::from(supply.roads),
            "every road is somewhere",
        )?;
        let held = knights + of(|area| area.knights);
        require(held == u32::from(supply.knights), "every knight is somewhere")?;
        let unturned = stack + of(|area| area.settlements);
        require(unturned == sum(&self.events.0), "each settlement has an unseen side")?;
        let expanded: u32 = areas.iter().map(|area| area.expansions.count_ones()).sum();
        let all = unturned + of(|area| area.cities) + expanded;
        require(all == u32::from(supply.settlements), "every settlement is somewhere")?;
        for expansion in Expansion::ALL {
            let built = areas.iter().filter(|area| area.has(expansion)).count();
            let all = usize::from(self.expansions.0[expansion.idx()]) + built;
            let due = usize::from(supply.expansions[expansion.idx()]);
            require(all == due, "every expansion is somewhere")?;
        }
        Ok(())
    }
}
