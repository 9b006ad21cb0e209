//! What a seat sees, in JSON.

use crate::core::game::End;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::cards::{Building, Card, Event, Metropolis, RESOURCES_ALL};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::rules::{Discards, SEATS};
use crate::games::on_the_road::state::{Area, Phase, Table, TurnSoFar};
use crate::parts::allowed::Named;
use crate::parts::seen::{
    Counted, Names, Read, SeatSet, SeenProposal, Tally, by_seat, fault, require, seated, sum,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

impl Named for Building {
    const WHAT: &'static str = "building cards";
    const NAMES: &'static [&'static str] = &["road", "settlement", "city", "knight"];
}

/// Phases, as views and records name them.
const PHASES: [&str; 6] = ["main", "answer", "choose", "charity", "discard", "over"];

/// The form of a [`View`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seen {
    seat: Seat,
    hand: Counted,
    seats: Vec<SeenSeat>,
    pile: u8,
    /// Nothing if they are hidden.
    discards: Option<Counted>,
    discards_size: u8,
    row: Tally<Building, { Building::COUNT }>,
    deck: Tally<Building, { Building::COUNT }>,
    b_sides: Names<Metropolis>,
    unbuilt: Names<Metropolis>,
    route: Option<Seat>,
    army: Option<Seat>,
    /// The name of each card that is in the deck still.
    events: Vec<Option<Cow<'static, str>>>,
    turn: u16,
    current: Seat,
    phase: SeenPhase,
    so_far: TurnSoFar,
    still: u8,
    pending: SeatSet,
    proposal: Option<SeenProposal>,
}

/// What is open of a seat.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenSeat {
    hand_size: u8,
    roads: u8,
    settlements: u8,
    cities: u8,
    knights: u8,
    metropolises: Names<Metropolis>,
}

impl SeenSeat {
    fn area(&self) -> Area {
        Area {
            roads: self.roads,
            settlements: self.settlements,
            cities: self.cities,
            knights: self.knights,
            metropolises: self.metropolises.0,
        }
    }
}

/// What must be decided next.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
enum SeenPhase {
    Main,
    Answer { seat: Seat },
    Choose,
    Charity { seat: Seat },
    Discard { seat: Seat, owed: u8 },
    Over { end: End },
}

impl From<Phase> for SeenPhase {
    fn from(phase: Phase) -> SeenPhase {
        match phase {
            Phase::Main => SeenPhase::Main,
            Phase::Answer(seat) => SeenPhase::Answer { seat },
            Phase::Choose => SeenPhase::Choose,
            Phase::Charity(seat) => SeenPhase::Charity { seat },
            Phase::Discard { seat, owed } => SeenPhase::Discard { seat, owed },
            Phase::Over(end) => SeenPhase::Over { end },
        }
    }
}

impl From<SeenPhase> for Phase {
    fn from(phase: SeenPhase) -> Phase {
        match phase {
            SeenPhase::Main => Phase::Main,
            SeenPhase::Answer { seat } => Phase::Answer(seat),
            SeenPhase::Choose => Phase::Choose,
            SeenPhase::Charity { seat } => Phase::Charity(seat),
            SeenPhase::Discard { seat, owed } => Phase::Discard { seat, owed },
            SeenPhase::Over { end } => Phase::Over(end),
        }
    }
}

/// What a program needs to know of the game beside its rule set.
#[derive(Debug, Serialize)]
pub(super) struct Catalogue {
    resources: [&'static str; Resource::COUNT],
    cards: [&'static str; Card::COUNT],
    buildings: &'static [&'static str],
    metropolises: &'static [&'static str],
    events: [&'static str; Event::CARDS],
    phases: [&'static str; 6],
}

impl Catalogue {
    pub(super) fn new() -> Catalogue {
        Catalogue {
            resources: Resource::ALL.map(Resource::name),
            cards: Card::ALL.map(Card::name),
            buildings: Building::NAMES,
            metropolises: Metropolis::NAMES,
            events: Event::OF_CARD.map(Event::name),
            phases: PHASES,
        }
    }
}

impl Seen {
    /// The form of what a seat sees.
    pub(super) fn of(game: &OnTheRoad, view: &View<'_>) -> Seen {
        let table = view.table;
        let seats = table.areas.iter().zip(view.hand_sizes).take(game.players.into());
        let seats = seats.map(|(area, hand_size)| SeenSeat {
            hand_size,
            roads: area.roads,
            settlements: area.settlements,
            cities: area.cities,
            knights: area.knights,
            metropolises: Names::new(area.metropolises),
        });
        let left = |place: usize| table.events >> place & 1 == 1;
        let events = Event::OF_CARD.iter().enumerate();
        let events = events.map(|(place, event)| left(place).then(|| event.name().into()));
        let open = game.rules.robber.discards == Discards::Open;
        Seen {
            seat: view.seat,
            hand: Counted(view.hand),
            seats: seats.collect(),
            pile: view.pile,
            discards: open.then_some(Counted(view.discards)),
            discards_size: view.discards_size,
            row: Tally::new(table.row),
            deck: Tally::new(table.deck),
            b_sides: Names::new(table.b_sides),
            unbuilt: Names::new(table.unbuilt),
            route: table.route,
            army: table.army,
            events: events.collect(),
            turn: table.turn,
            current: table.current,
            phase: table.phase.into(),
            so_far: table.so_far,
            still: table.still,
            pending: SeatSet(table.pending),
            proposal: SeenProposal::of(&table.proposal, game.players),
        }
    }

    /// Reads the view that it is the form of, and hands it on.
    pub(super) fn read<R>(&self, game: &OnTheRoad, with: impl FnOnce(View<'_>) -> R) -> Read<R> {
        let table = self.table(game)?;
        let hand_sizes: [u8; SEATS] = by_seat(&self.seats, game.players, |seat| seat.hand_size)?;
        let open = game.rules.robber.discards == Discards::Open;
        require(self.discards.is_some() == open, "discards are open or hidden by the rules")?;
        let discards = self.discards.map_or(Resources::NONE, |cards| cards.0);
        let (hand, seen) = (self.hand.0, self.hand.0.checked_add(discards));
        require(seen.is_some_and(|seen| RESOURCES_ALL.covers(seen)), "more cards than there are")?;
        require(hand.total() == hand_sizes[self.seat.idx()], "the hand has its size")?;
        require(!open || discards.total() == self.discards_size, "the discards have their size")?;
        let all = sum(&hand_sizes) + u32::from(self.pile) + u32::from(self.discards_size);
        require(all == u32::from(RESOURCES_ALL.total()), "every resource card is somewhere")?;
        Ok(with(View {
            seat: self.seat,
            table: &table,
            hand,
            hand_sizes,
            pile: self.pile,
            discards,
            discards_size: self.discards_size,
        }))
    }

    fn table(&self, game: &OnTheRoad) -> Read<Table> {
        let players = game.players;
        let asked = match self.phase {
            SeenPhase::Answer { seat } | SeenPhase::Charity { seat } => Some(seat),
            SeenPhase::Discard { seat, owed } => {
                let size = self.seats.get(seat.idx()).map_or(0, |of| of.hand_size);
                require(owed > 0 && owed <= size, "a discard that can be paid")?;
                Some(seat)
            }
            SeenPhase::Main | SeenPhase::Choose | SeenPhase::Over { .. } => None,
        };
        let named = [Some(self.seat), Some(self.current), self.route, self.army, asked];
        seated(named.into_iter().flatten().chain(self.pending.iter()), players)?;
        require(self.turn <= game.rules.turns_max, "a turn past the limit")?;
        let areas = by_seat(&self.seats, players, SeenSeat::area)?;
        self.check_cards(game, &areas[..usize::from(players)])?;
        Ok(Table {
            areas,
            row: self.row.0,
            deck: self.deck.0,
            b_sides: self.b_sides.0,
            unbuilt: self.unbuilt.0,
            route: self.route,
            army: self.army,
            events: self.event_deck()?,
            turn: self.turn,
            current: self.current,
            phase: self.phase.into(),
            so_far: self.so_far,
            still: self.still,
            pending: self.pending.0,
            proposal: SeenProposal::read(self.proposal.as_ref(), players)?,
        })
    }

    /// Every card of the building deck is somewhere, and every metropolis.
    fn check_cards(&self, game: &OnTheRoad, areas: &[Area]) -> Read<()> {
        require(areas.iter().all(|area| area.roads > 0), "everyone begins with a road")?;
        let sum =
            |count: fn(&Area) -> u8| areas.iter().map(|area| u32::from(count(area))).sum::<u32>();
        let (built, mut set) = (sum(Area::metropolis_count), self.unbuilt.0);
        for area in areas {
            require(set & area.metropolises == 0, "a metropolis is in one place")?;
            set |= area.metropolises;
        }
        let in_match = game.metropolises_in_match();
        require(set == in_match && self.b_sides.0 & !in_match == 0, "metropolises of the match")?;
        let seats = u32::from(game.players);
        let cities = sum(|area| area.cities) + built;
        let taken = [
            sum(|area| area.roads) - seats,
            (sum(|area| area.settlements) + cities).checked_sub(seats).unwrap_or(u32::MAX),
            cities,
            sum(|area| area.knights),
        ];
        for (kind, taken) in taken.into_iter().enumerate() {
            let elsewhere = u32::from(self.row.0[kind]) + u32::from(self.deck.0[kind]);
            let due = u32::from(Building::DECK[kind]);
            require(taken.checked_add(elsewhere) == Some(due), "every building card is somewhere")?;
        }
        Ok(())
    }

    /// The set of event cards, one bit for each card.
    fn event_deck(&self) -> Read<u8> {
        require(self.events.len() == Event::CARDS, "an entry for each event card")?;
        let mut deck = 0;
        for (place, (card, event)) in self.events.iter().zip(Event::OF_CARD).enumerate() {
            match card {
                Some(name) if name == event.name() => deck |= 1 << place,
                Some(name) => return Err(fault(format_args!("card {place} is no `{name}`"))),
                None => {}
            }
        }
        Ok(deck)
    }
}
