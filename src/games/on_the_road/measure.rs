//! How On the Road is measured.

use crate::core::chance::ChanceEvent;
use crate::core::game::{ActionFilter, Game};
use crate::core::measure::standings::Standings;
use crate::core::measure::{Choice, ChoiceOption, Flow, Measure, Sources};
use crate::core::resources::{Resource, Resources};
use crate::core::types::bits::bits;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::{Building, Card, Event, Metropolis, kind_of};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::rules::{Allowed, Face, MetropolisCard, Side};
use crate::games::on_the_road::state::{Phase, State, Table};

/// Positions in [`OnTheRoad::CARDS`].
const METROPOLIS_A: usize = 4;
const METROPOLIS_B: usize = 5;
const BONUS: usize = 9;
const FIRST_EVENT: usize = 11;

/// Who held the two bonus cards before a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Before([Option<Seat>; 2]);

impl Measure for OnTheRoad {
    type Before = Before;

    const CARDS: &'static [&'static str] = &[
        "road",
        "settlement",
        "city",
        "knight",
        "metropolis_a",
        "metropolis_b_roads",
        "metropolis_b_knights",
        "metropolis_b_army",
        "metropolis_b_route",
        "longest_route",
        "largest_army",
        "event_abundance",
        "event_charity",
        "event_robber",
        "event_solstice",
        "event_subsidy",
    ];
    const EVENTS: &'static [&'static str] = Self::CARDS.split_at(FIRST_EVENT).1;
    const RESOURCES: [&'static str; 5] = ["brick", "lumber", "wool", "grain", "ore"];
    const SOURCES: &'static [&'static str] =
        &["settlements", "cities", "metropolises", "longest_route", "largest_army"];
    const DECISIONS: &'static [&'static str] =
        &["main", "answer", "choose_partner", "charity", "discard"];

    const BANDS: &'static [u16] = &[1, 11, 21, 31, 41, 51, 61];
    /// One settlement at the start, 7 points to win.
    const STANDINGS: Standings = Standings { first: 1, bins: 6 };

    const CHOICES: &'static [Choice] = &[Choice {
        name: "metropolis",
        offered_by: Some("side=b"),
        options: &[
            ChoiceOption { name: "roads", removal: "metropolis.roads.face=out" },
            ChoiceOption { name: "knights", removal: "metropolis.knights.face=out" },
            ChoiceOption { name: "army", removal: "metropolis.army.face=out" },
            ChoiceOption { name: "route", removal: "metropolis.route.face=out" },
        ],
    }];

    #[inline]
    fn decision_kind(&self, state: &State) -> usize {
        match state.table.phase {
            Phase::Main | Phase::Over(_) => 0,
            Phase::Answer(_) => 1,
            Phase::Choose => 2,
            Phase::Charity(_) => 3,
            Phase::Discard { .. } => 4,
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

    #[inline]
    fn all_points(&self, state: &State) -> PerSeat<u8> {
        let table = &state.table;
        let mut points = [0; SEATS_MAX];
        for (points, area) in points.iter_mut().zip(&table.areas) {
            *points = area.points();
        }
        if let Some(seat) = table.route {
            points[seat.idx()] += self.rules().route.points;
        }
        if let Some(seat) = table.army {
            points[seat.idx()] += self.rules().army.points;
        }
        points
    }

    fn points_by_source(&self, state: &State, seat: Seat) -> Sources {
        let table = &state.table;
        let area = &table.areas[seat.idx()];
        let bonus =
            |holder: Option<Seat>, points: u8| if holder == Some(seat) { points } else { 0 };
        Sources::from_iter([
            area.settlements,
            2 * area.cities,
            3 * area.metropolis_count(),
            bonus(table.route, self.rules().route.points),
            bonus(table.army, self.rules().army.points),
        ])
    }

    #[inline]
    fn before(&self, state: &State) -> Before {
        Before([state.table.route, state.table.army])
    }

    #[inline]
    fn offered(&self, state: &State, filter: ActionFilter) -> u32 {
        if state.table.phase != Phase::Main {
            return 0;
        }
        let cards = self.payable(state, filter, u8::MAX);
        let (metropolises, b_sides) = (cards >> Building::COUNT, state.table.b_sides);
        u32::from(cards & 15)
            | u32::from(metropolises & !b_sides != 0) << METROPOLIS_A
            | u32::from(metropolises & b_sides) << METROPOLIS_B
    }

    #[inline]
    fn taken(&self, before: &Before, after: &State, action: Action) -> u32 {
        let Action::Build { card, .. } = action else { return 0 };
        let table = &after.table;
        let [route, army] = before.0;
        let taken = 1 << row_of(table, card);
        taken
            | u32::from(route != table.route) << BONUS
            | u32::from(army != table.army) << (BONUS + 1)
    }

    #[inline]
    fn turned_up(event: ChanceEvent<Draw>) -> Option<usize> {
        let turned = || Event::OF_CARD[usize::from(event.outcome)];
        (event.draw == Draw::Event).then(|| FIRST_EVENT + turned() as usize)
    }

    /// Builds and bonus cards, with the sides of metropolises that may be up.
    fn matched(&self) -> u32 {
        let mut cards = 0b1111 | 0b11 << BONUS;
        for (idx, card) in self.rules().metropolis_cards().iter().enumerate() {
            let (a, b) = match (card.face, self.rules().side) {
                (Face::Out, _) => (false, false),
                (Face::A, _) | (Face::Side, Side::A) => (true, false),
                (Face::B, _) | (Face::Side, Side::B) => (false, true),
                (Face::Side, Side::Mixed) => (true, true),
            };
            cards |= u32::from(a) << METROPOLIS_A | u32::from(b) << (METROPOLIS_B + idx);
        }
        cards
    }

    fn held(&self, state: &State, seat: Seat) -> u32 {
        let table = &state.table;
        let area = &table.areas[seat.idx()];
        let mut cards = u32::from(area.roads > 0)
            | u32::from(area.settlements > 0) << 1
            | u32::from(area.cities > 0) << 2
            | u32::from(area.knights > 0) << 3;
        for metropolis in Metropolis::ALL {
            if area.metropolises & metropolis.bit() != 0 {
                cards |= 1 << row_of(table, metropolis.into());
            }
        }
        cards |= u32::from(table.route == Some(seat)) << BONUS;
        cards | u32::from(table.army == Some(seat)) << (BONUS + 1)
    }

    #[inline]
    fn drawn(event: ChanceEvent<Draw>) -> Option<Resource> {
        matches!(event.draw, Draw::Card(..)).then(|| kind_of(event.outcome))
    }

    #[inline]
    fn stolen(_event: ChanceEvent<Draw>) -> Option<Resource> {
        None
    }

    #[allow(clippy::inline_always, reason = "else each flow is written and read again; measured")]
    #[inline(always)]
    fn flow(&self, before: &State, action: Action) -> Option<Flow> {
        let table = &before.table;
        match action {
            Action::Build { card, pay } => {
                let cards = self.cost(table, card, pay);
                let substituted = match pay {
                    Payment::Exact => Resources::NONE,
                    Payment::Substitute { by, .. } => {
                        let rate = table.rate_idx(table.current);
                        Resources::many(by, self.rules().substitution.rates[rate])
                    }
                };
                Some(Flow::Paid { cards, substituted })
            }
            Action::Settle { with } => {
                let (give, get) = table.proposal.terms_with(with)?;
                Some(Flow::Traded(give + get))
            }
            Action::Discard { card } => Some(Flow::Discarded(Resources::one(card))),
            Action::Give { card, .. } => Some(Flow::Passed(Resources::one(card))),
            _ => None,
        }
    }

    #[inline]
    fn in_hands(&self, state: &State) -> Resources {
        state.hands.iter().fold(Resources::NONE, |all, hand| all + hand.counts())
    }

    /// A build that wins at once was listed, and something else was chosen; or a substitution was paid
    /// although the printed price would have taken fewer cards.
    #[inline]
    fn dominated(&self, before: &State, filter: ActionFilter, action: Action) -> bool {
        let plain = matches!(action, Action::Build { pay: Payment::Exact, .. });
        !plain && before.table.phase == Phase::Main && self.misses(before, filter, action)
    }

    #[inline]
    fn option(&self, _choice: usize, _state: &State, action: Action) -> Option<usize> {
        let Action::Build { card, .. } = action else { return None };
        card.metropolis().map(Metropolis::idx)
    }

    fn with_option(
        &self,
        _choice: usize,
        state: &State,
        action: Action,
        option: usize,
    ) -> Option<Action> {
        let Action::Build { pay, .. } = action else { return None };
        let other = Action::Build { card: Metropolis::ALL[option].into(), pay };
        self.permits(state, other).is_ok().then_some(other)
    }

    fn can_be_taken(&self, _choice: usize, option: usize) -> bool {
        let metropolis = &self.rules().metropolis;
        let seats = &metropolis.allowed[..usize::from(self.players())];
        let allowed = |seat: &Allowed| seat.bits() & Metropolis::ALL[option].bit() != 0;
        self.rules().metropolis_cards()[option].face != Face::Out && seats.iter().any(allowed)
    }

    /// Two A sides of one price that the same seats may build.
    fn alike(&self, choice: usize, options: [usize; 2]) -> Option<String> {
        let rules = self.rules();
        let [one, other] = options.map(|option| rules.metropolis_cards()[option]);
        let shows_a = |card: MetropolisCard| {
            card.face == Face::A || (card.face == Face::Side && rules.side == Side::A)
        };
        let seats = &rules.metropolis.allowed[..usize::from(self.players())];
        let [bit, other_bit] = options.map(|option| Metropolis::ALL[option].bit());
        let apart = |seat: &Allowed| (seat.bits() & bit == 0) != (seat.bits() & other_bit == 0);
        let same = shows_a(one) && shows_a(other) && one.extra == other.extra;
        if !same || seats.iter().any(apart) {
            return None;
        }
        let name = Self::CHOICES[choice].options[options[0]].name;
        let by_side = one.face == Face::Side || other.face == Face::Side;
        Some(if by_side { "side=b".to_owned() } else { format!("metropolis.{name}.face=b") })
    }

    fn restriction(&self, choice: usize, seat: Seat, option: usize) -> Option<String> {
        let mut words = self.rules().metropolis.allowed.map(String::from);
        Self::CHOICES[choice].options[option].name.clone_into(&mut words[seat.idx()]);
        let words = words.map(|words| format!("\"{words}\""));
        Some(format!("metropolis.allowed=[{}]", words.join(", ")))
    }
}

impl OnTheRoad {
    /// On its turn, whether the current player listed a build that wins at once, and does something else; or pays a
    /// substitution although the printed price would have taken fewer cards.
    #[inline(never)]
    fn misses(&self, before: &State, filter: ActionFilter, action: Action) -> bool {
        let table = &before.table;
        if let Action::Build { card, .. } = action {
            let rate = self.rules().substitution.rates[table.rate_idx(table.current)];
            return rate > 1 && before.hand(table.current).covers(self.price(card));
        }
        let cards = self.payable(before, filter, self.may_win(table));
        bits(cards.into()).any(|card| self.wins_with(table, Card::ALL[card]))
    }

    /// The cards that may bring the current player enough points to win, one bit for each.
    #[inline]
    fn may_win(&self, table: &Table) -> u8 {
        let rules = self.rules();
        let due = i16::from(rules.points_to_win.of(table.current))
            - i16::from(table.points(self, table.current));
        let (route, army) = (i16::from(rules.route.points), i16::from(rules.army.points));
        let [road, settlement, city, knight] =
            [route, 1, 1, army].map(|most| u8::from(most >= due));
        let metropolises = if 1 + route + army >= due { 15 } else { 0 };
        road | settlement << 1 | city << 2 | knight << 3 | metropolises << Building::COUNT
    }

    fn wins_with(&self, table: &Table, card: Card) -> bool {
        let mut after = *table;
        self.place(&mut after, card);
        after.points(self, table.current) >= self.rules().points_to_win.of(table.current)
    }
}

/// The row of a card in [`OnTheRoad::CARDS`].
#[inline]
fn row_of(table: &Table, card: Card) -> usize {
    match card.metropolis() {
        None => card.idx(),
        Some(metropolis) if table.b_sides & metropolis.bit() == 0 => METROPOLIS_A,
        Some(metropolis) => METROPOLIS_B + metropolis.idx(),
    }
}
