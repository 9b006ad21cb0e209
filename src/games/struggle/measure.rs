//! How Struggle for Catan is measured.

use crate::core::chance::ChanceEvent;
use crate::core::game::{ActionFilter, Game};
use crate::core::measure::standings::Standings;
use crate::core::measure::{Choice, ChoiceOption, Flow, Measure, Sources};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::{Card, Expansion, b_sides};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::legal::Source;
use crate::games::struggle::luck::Draw;
use crate::games::struggle::rules::Allowed;
use crate::games::struggle::state::{Area, Phase, State, Table};

/// Positions in [`Struggle::CARDS`].
const ROADS: usize = 0;
const KNIGHTS: usize = 2;
const SETTLEMENT: usize = 4;
const CITY: usize = 5;
const EXPANSIONS: usize = 6;
const ROAD_TAKEN: usize = 12;
const GUILD: usize = 14;
const LIBRARY: usize = 15;
const UNIVERSITY: usize = 16;
const FLIP: usize = 17;
const FIRST_EVENT: usize = 18;

/// The position of the first of the options in [`Expansion::ALL`]: a town hall is worth more.
const FIRST_OPTION: usize = 1;

/// Roads and knights before a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Before {
    /// In the stacks.
    stacks: [u8; 2],
    /// In front of each seat.
    rows: PerSeat<[u8; 2]>,
}

impl Measure for Struggle {
    type Before = Before;

    const CARDS: &'static [&'static str] = &[
        "road_a",
        "road_b",
        "knight_a",
        "knight_b",
        "settlement",
        "city",
        "town_hall",
        "castle",
        "merchants_guild",
        "church",
        "library",
        "university",
        "road_taken",
        "knight_taken",
        "guild_card",
        "library_card",
        "university_card",
        "destiny_flip",
        "castle_protects",
        "church_protects",
        "event_brigands",
        "event_market_day",
    ];
    const EVENTS: &'static [&'static str] = Self::CARDS.split_at(FIRST_EVENT).1;
    const RESOURCES: [&'static str; 5] = ["brick", "lumber", "wool", "grain", "ore"];
    const SOURCES: &'static [&'static str] =
        &["settlements", "cities", "expansions", "roads", "knights"];
    const DECISIONS: &'static [&'static str] =
        &["act", "take", "choose", "return", "flip", "discard", "extra"];

    const BANDS: &'static [u16] = &[1, 11, 21, 31, 41, 61, 81, 101];
    /// One settlement at the start, 10 points to win.
    const STANDINGS: Standings = Standings { first: 1, bins: 8 };

    const CHOICES: &'static [Choice] = &[Choice {
        name: "expansion",
        offered_by: None,
        options: &[
            ChoiceOption { name: "castle", removal: "expansion.castle.out=true" },
            ChoiceOption { name: "merchants_guild", removal: "expansion.merchants_guild.out=true" },
            ChoiceOption { name: "church", removal: "expansion.church.out=true" },
            ChoiceOption { name: "library", removal: "expansion.library.out=true" },
            ChoiceOption { name: "university", removal: "expansion.university.out=true" },
        ],
    }];

    #[inline]
    fn decision_kind(&self, state: &State) -> usize {
        match state.table.phase {
            Phase::Act | Phase::Over(_) => 0,
            Phase::Take(_) => 1,
            Phase::Choose => 2,
            Phase::Return(_) => 3,
            Phase::Flip => 4,
            Phase::Discard { .. } => 5,
            Phase::Extra(_) => 6,
        }
    }

    #[inline]
    fn current(&self, state: &State) -> Seat {
        state.table.current
    }

    #[inline]
    fn points(&self, state: &State, seat: Seat) -> u8 {
        state.table.points(self, seat)
    }

    fn points_by_source(&self, state: &State, seat: Seat) -> Sources {
        let area = &state.table.areas[seat.idx()];
        Sources::from_iter([
            area.settlements,
            2 * area.cities,
            self.points_of(area.expansions),
            b_sides(area.roads),
            b_sides(area.knights),
        ])
    }

    #[inline]
    fn before(&self, state: &State) -> Before {
        let table = &state.table;
        Before { stacks: [table.roads, table.knights], rows: table.areas.map(rows) }
    }

    #[inline]
    fn offered(&self, state: &State, _filter: ActionFilter) -> u32 {
        let table = &state.table;
        if table.phase != Phase::Act {
            return 0;
        }
        let hand = state.hands[table.current.idx()];
        self.payable(table, hand).fold(0, |rows, card| {
            let row = matches!(card, Card::Road | Card::Knight) && table.left(card) == 0;
            // What is payable is to be had, but for what is paid in vain.
            let in_vain = self.rules().build.in_vain;
            let taken = row && (!in_vain || self.source(table, card).is_some());
            rows | row_of(*table.own(), card) | u32::from(taken) << (ROAD_TAKEN + card.idx() % 2)
        })
    }

    #[inline]
    fn taken(&self, before: &Before, after: &State, action: Action) -> u32 {
        match action {
            Action::Build { card, pay } => self.built(before, &after.table, card, pay.cards()),
            Action::Rob { .. } => 1 << GUILD,
            Action::Trade { choose: true, .. } => 1 << LIBRARY,
            Action::Flip => 1 << FLIP,
            _ => 0,
        }
    }

    #[inline]
    fn turned_up(event: ChanceEvent<Draw>) -> Option<usize> {
        (event.draw == Draw::Event).then(|| FIRST_EVENT + 2 + usize::from(event.outcome))
    }

    /// Builds that not everybody begins with, as far as they are in play.
    fn matched(&self) -> u32 {
        let rows = (ROADS + 1..SETTLEMENT).chain([CITY]).fold(0, |rows, row| rows | 1 << row);
        let in_play = |kind: &Expansion| self.supply().expansions[kind.idx()] > 0;
        let kinds = Expansion::ALL.into_iter().filter(in_play);
        kinds.fold(rows, |rows, kind| rows | 1 << (EXPANSIONS + kind.idx()))
    }

    fn held(&self, state: &State, seat: Seat) -> u32 {
        let area = &state.table.areas[seat.idx()];
        let row = |first: usize, cards: u8| {
            u32::from(cards > 0) << first | u32::from(cards > 1) << (first + 1)
        };
        row(ROADS, area.roads)
            | row(KNIGHTS, area.knights)
            | u32::from(area.settlements > 0) << SETTLEMENT
            | u32::from(area.cities > 0) << CITY
            | u32::from(area.expansions) << EXPANSIONS
    }

    #[inline]
    fn drawn(event: ChanceEvent<Draw>) -> Option<Resource> {
        matches!(event.draw, Draw::Card(..)).then(|| Resource::ALL[usize::from(event.outcome)])
    }

    #[inline]
    fn stolen(event: ChanceEvent<Draw>) -> Option<Resource> {
        matches!(event.draw, Draw::Take(_)).then(|| Resource::ALL[usize::from(event.outcome)])
    }

    /// What goes to the market or the stack is banked, what comes from the market is received; the cards of a
    /// lot that the stack gives are draws. Blind cards of a hand are stolen, the others traded.
    #[inline]
    fn flow(&self, before: &State, action: Action) -> Option<Flow> {
        let none = Resources::NONE;
        match action {
            Action::Build { card, pay } => {
                let substituted = self.price(card).missing(pay.cards());
                Some(Flow::Paid { cards: pay.cards(), substituted })
            }
            Action::Take { card } | Action::Return { card }
                if matches!(before.table.lot.with, Partner::Seat(_)) =>
            {
                Some(Flow::Traded(Resources::one(card)))
            }
            Action::Take { card } => {
                Some(Flow::Banked { given: none, received: Resources::one(card) })
            }
            Action::Return { card } => {
                Some(Flow::Banked { given: Resources::one(card), received: none })
            }
            Action::Discard { card } => Some(Flow::Discarded(Resources::one(card))),
            _ => None,
        }
    }

    #[inline]
    fn in_hands(&self, state: &State) -> Resources {
        state.hands.iter().fold(Resources::NONE, |all, &hand| all + hand)
    }

    /// A build that wins at once was listed, and something else was chosen.
    #[inline]
    fn dominated(&self, before: &State, _filter: ActionFilter, action: Action) -> bool {
        let table = &before.table;
        if table.phase != Phase::Act {
            return false;
        }
        let due = self.rules().points_to_win.of(table.current);
        let due = due.saturating_sub(table.points(self, table.current));
        if due > self.most_points {
            return false;
        }
        let wins = |card| self.brings(table, card) >= due;
        let won = matches!(action, Action::Build { card, .. } if wins(card));
        let hand = before.hands[table.current.idx()];
        !won && self.payable(table, hand).any(wins)
    }

    #[inline]
    fn option(&self, _choice: usize, _state: &State, action: Action) -> Option<usize> {
        let Action::Build { card, .. } = action else { return None };
        card.expansion()?.idx().checked_sub(FIRST_OPTION)
    }

    fn with_option(
        &self,
        _choice: usize,
        state: &State,
        action: Action,
        option: usize,
    ) -> Option<Action> {
        let Action::Build { pay, .. } = action else { return None };
        let card = Expansion::ALL[FIRST_OPTION + option].card();
        let other = Action::Build { card, pay };
        self.permits(state, other).is_ok().then_some(other)
    }

    fn can_be_taken(&self, _choice: usize, option: usize) -> bool {
        let expansion = Expansion::ALL[FIRST_OPTION + option];
        let seats = &self.rules().expansion.allowed[..usize::from(self.players())];
        let allowed = |seat: &Allowed| seat.bits() & expansion.bit() != 0;
        self.supply().expansions[expansion.idx()] > 0 && seats.iter().any(allowed)
    }

    /// The town hall, which is no option, stays allowed.
    fn restriction(&self, choice: usize, seat: Seat, option: usize) -> Option<String> {
        let mut words = self.rules().expansion.allowed.map(String::from);
        words[seat.idx()] = format!("town_hall {}", Self::CHOICES[choice].options[option].name);
        let words = words.map(|words| format!("\"{words}\""));
        Some(format!("expansion.allowed=[{}]", words.join(", ")))
    }
}

impl Struggle {
    /// Where a road or knight would come from.
    fn takes(&self, table: &Table, card: Card) -> Option<Source> {
        matches!(card, Card::Road | Card::Knight).then(|| self.source(table, card))?
    }

    /// The points that a build brings to the current player.
    fn brings(&self, table: &Table, card: Card) -> u8 {
        let own = table.own();
        match card {
            Card::Road => u8::from(self.takes(table, card).is_some()) * (own.roads % 2),
            Card::Knight => u8::from(self.takes(table, card).is_some()) * (own.knights % 2),
            Card::Settlement | Card::City => 1,
            _ => {
                let expansion = card.expansion().map_or(0, Expansion::bit);
                // It covers a city, worth 2.
                self.points_of(expansion).saturating_sub(2)
            }
        }
    }

    /// The rows of a card that the current player has built, of what it saved, and of what stood in its way.
    fn built(&self, before: &Before, table: &Table, card: Card, pay: Resources) -> u32 {
        let scholar = table.own().has(Expansion::University);
        let saved = u32::from(scholar && self.saves_with(card, pay)) << UNIVERSITY;
        let Some(kind) = [Card::Road, Card::Knight].iter().position(|&row| row == card) else {
            return saved | row_of(*table.own(), card);
        };
        let lost = |seat: Seat| before.rows[seat.idx()][kind] > rows(table.areas[seat.idx()])[kind];
        let mut cards = saved;
        let grown = rows(*table.own())[kind];
        if grown > before.rows[table.current.idx()][kind] {
            cards |= 1 << (2 * kind + usize::from(grown.is_multiple_of(2)));
        }
        if before.stacks[kind] == 0 {
            let others = self.in_destiny_order(table);
            let from = others.clone().find(|&seat| lost(seat));
            // Players without such a card are passed over, too, but nothing protects them.
            let passed = others.take_while(|&seat| Some(seat) != from);
            let protected = passed.into_iter().any(|seat| rows(table.areas[seat.idx()])[kind] > 0);
            cards |= u32::from(from.is_some()) << (ROAD_TAKEN + kind);
            cards |= u32::from(protected) << (FIRST_EVENT + kind);
        }
        cards
    }
}

/// Roads and knights in a row each.
#[inline]
fn rows(area: Area) -> [u8; 2] {
    [area.roads, area.knights]
}

/// The row of a card in [`Struggle::CARDS`], one bit; of a road or knight with the side that is due next.
#[inline]
fn row_of(own: Area, card: Card) -> u32 {
    let place = match card {
        Card::Road => ROADS + usize::from(own.roads % 2),
        Card::Knight => KNIGHTS + usize::from(own.knights % 2),
        Card::Settlement => SETTLEMENT,
        Card::City => CITY,
        _ => EXPANSIONS + card.expansion().map_or(0, Expansion::idx),
    };
    1 << place
}
