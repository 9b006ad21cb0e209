//! How base CATAN is measured.

use crate::core::chance::ChanceEvent;
use crate::core::game::{ActionFilter, Game};
use crate::core::measure::maps::{Founding, MapFacts};
use crate::core::measure::standings::Standings;
use crate::core::measure::{Choice, Flow, Measure, Sources};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::luck::Draw;
use crate::parts::island::state::{Phase, Stage, State, Table};
use crate::parts::places::Vertex;

/// Positions in [`Island::CARDS`].
const CARDS: usize = 3;
const SPECIAL: usize = 8;
const HARBOURS: usize = 10;
const PIPS: usize = 16;
const FOUNDED: usize = 20;
const FOUNDED_RED: usize = 25;
const FOUNDED_HARBOUR: usize = 26;

/// Who held Longest Road and Largest Army before a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Before(pub(crate) [Option<Seat>; 2]);

impl Before {
    /// The rows of the special cards that have come to the active seat. One that builds or plays a knight continues
    /// its turn, so it is still active.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    pub(crate) fn won_specials(self, table: &Table) -> u32 {
        let mut cards = 0;
        for (idx, holder) in [table.route, table.army].into_iter().enumerate() {
            let new = holder != self.0[idx] && holder == Some(table.active);
            cards |= u32::from(new) << (SPECIAL + idx);
        }
        cards
    }
}

impl Measure for Island {
    type Before = Before;

    const CARDS: &'static [&'static str] = &[
        "road",
        "settlement",
        "city",
        "knight",
        "road_building",
        "year_of_plenty",
        "monopoly",
        "victory_point",
        "longest_road",
        "largest_army",
        "harbour_brick",
        "harbour_lumber",
        "harbour_wool",
        "harbour_grain",
        "harbour_ore",
        "harbour_any",
        "founded_pips_to_7",
        "founded_pips_8_9",
        "founded_pips_10_11",
        "founded_pips_from_12",
        "founded_brick",
        "founded_lumber",
        "founded_wool",
        "founded_grain",
        "founded_ore",
        "founded_6_or_8",
        "founded_harbour",
    ];
    const RESOURCES: [&'static str; 5] = ["brick", "lumber", "wool", "grain", "ore"];
    const SOURCES: &'static [&'static str] =
        &["settlements", "cities", "longest_road", "largest_army", "victory_point_cards"];
    const DECISIONS: &'static [&'static str] = &[
        "found",
        "found_road",
        "roll",
        "main",
        "discard",
        "robber",
        "free_road",
        "answer",
        "choose_partner",
        "after_turn",
    ];
    const BANDS: &'static [u16] = &[1, 21, 41, 61, 81, 101, 151];
    /// Two settlements at the start, 10 points to win.
    const STANDINGS: Standings = Standings { first: 2, bins: 8 };

    const CHOICES: &'static [Choice] = &[];

    #[inline]
    fn decision_kind(&self, state: &State) -> usize {
        let table = &state.table;
        // Which it is can't be foreseen, so both are looked up.
        let by_stage = match table.stage {
            Stage::Roll => 2,
            Stage::Founding(_) | Stage::Main => 3,
            Stage::Special | Stage::Paired => 9,
        };
        let by_phase = match table.phase {
            Phase::Found => 0,
            Phase::FoundRoad(_) => 1,
            Phase::Act => 2,
            Phase::Over(_) => 3,
            Phase::Discard { .. } => 4,
            Phase::Robber => 5,
            Phase::FreeRoads(_) => 6,
            Phase::Answer(_) => 7,
            Phase::Choose => 8,
        };
        if by_phase == 2 { by_stage } else { by_phase }
    }

    /// The seat that founds or acts: what is built after another's turn belongs to the builder.
    #[inline]
    fn current(&self, state: &State) -> Seat {
        state.table.active
    }

    #[inline]
    fn points(&self, state: &State, seat: Seat) -> u8 {
        state.points(self, seat)
    }

    fn points_by_source(&self, state: &State, seat: Seat) -> Sources {
        let table = &state.table;
        let net = &table.pieces.nets[seat.idx()];
        let held = |holder: Option<Seat>, points: u8| u8::from(holder == Some(seat)) * points;
        Sources::from_iter([
            net.settlements.len(),
            2 * net.cities.len(),
            held(table.route, self.rules().route.points),
            held(table.army, self.rules().army.points),
            state.cards[seat.idx()][Card::VictoryPoint.idx()],
        ])
    }

    #[inline]
    fn before(&self, state: &State) -> Before {
        Before([state.table.route, state.table.army])
    }

    /// Pieces, and what a settlement would bring; founding spots are offered to everyone.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn offered(&self, state: &State, _filter: ActionFilter) -> u32 {
        let table = &state.table;
        match (table.phase, table.stage) {
            (Phase::FreeRoads(_), _) => 1,
            (Phase::Act, Stage::Main | Stage::Special | Stage::Paired) => {
                let hand = state.hands[table.active.idx()];
                if !self.pays(hand) {
                    return 0;
                }
                let builds = self.builds(table, hand);
                let at_harbours = builds.settlements & self.parts().harbour_vertices;
                let harbours = |cards, vertex| cards | self.harbours(table, vertex);
                u32::from(!builds.roads.is_empty())
                    | u32::from(!builds.settlements.is_empty()) << 1
                    | at_harbours.iter().fold(0, harbours)
                    | u32::from(!builds.cities.is_empty()) << 2
            }
            _ => 0,
        }
    }

    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn taken(&self, before: &Before, after: &State, action: Action) -> u32 {
        let cards = match action {
            Action::Road { .. } => 1,
            Action::City { .. } => 1 << 2,
            Action::Settlement { vertex } => {
                let founds = matches!(after.table.stage, Stage::Founding(_));
                let spot = if founds { self.spot(&after.table, vertex) } else { 0 };
                1 << 1 | self.harbours(&after.table, vertex) | spot
            }
            Action::Knight => 0,
            _ => return 0,
        };
        cards | before.won_specials(&after.table)
    }

    #[inline]
    fn turned_up(event: ChanceEvent<Draw>) -> Option<usize> {
        (event.draw == Draw::Card).then(|| CARDS + usize::from(event.outcome))
    }

    /// Cities, harbours and the special cards. Everyone founds roads and settlements; development cards
    /// come by chance.
    fn matched(&self) -> u32 {
        1 << 2 | 0b11 << SPECIAL | 0b11_1111 << HARBOURS
    }

    fn held(&self, state: &State, seat: Seat) -> u32 {
        let table = &state.table;
        let net = &table.pieces.nets[seat.idx()];
        let mut cards = u32::from(!net.roads.is_empty())
            | u32::from(!net.settlements.is_empty()) << 1
            | u32::from(!net.cities.is_empty()) << 2;
        let own = state.cards[seat.idx()];
        let knights = table.knights[seat.idx()];
        for card in Card::ALL {
            let played = if card == Card::Knight { knights } else { 0 };
            cards |= u32::from(own[card.idx()] + played > 0) << (CARDS + card.idx());
        }
        cards |= u32::from(table.route == Some(seat)) << SPECIAL;
        cards |= u32::from(table.army == Some(seat)) << (SPECIAL + 1);
        for vertex in net.buildings() {
            cards |= self.harbours(table, vertex);
            if table.founded.contains(vertex) {
                cards |= self.spot(table, vertex);
            }
        }
        cards
    }

    #[inline]
    fn drawn(_event: ChanceEvent<Draw>) -> Option<Resource> {
        None
    }

    #[inline]
    fn stolen(event: ChanceEvent<Draw>) -> Option<Resource> {
        matches!(event.draw, Draw::Steal(_)).then(|| Resource::ALL[usize::from(event.outcome)])
    }

    #[inline]
    fn in_bank(&self, state: &State) -> Resources {
        state.table.bank
    }

    /// What the bank pays out: on a roll, for the second founding settlement, for Year of Plenty.
    #[inline]
    fn yielded(&self, bank: Resources, after: &State, action: Action) -> Option<Resources> {
        let table = &after.table;
        let pays = match action {
            Action::Roll | Action::YearOfPlenty { .. } => true,
            Action::Settlement { .. } => table.stage == Stage::Founding(2),
            _ => false,
        };
        // A 7 at which nobody discards leaves the bank as it was.
        pays.then(|| table.bank.missing(bank))
    }

    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn flow(&self, before: &State, action: Action) -> Option<Flow> {
        if matches!(action, Action::Roll | Action::EndTurn) {
            return None;
        }
        let table = &before.table;
        let [road, settlement, city, card] = self.prices();
        let paid = |cards| Some(Flow::Paid { cards, substituted: Resources::NONE });
        let in_turn = table.phase == Phase::Act;
        match action {
            Action::Road { .. } if in_turn => paid(road),
            Action::Settlement { .. } if in_turn => paid(settlement),
            Action::City { .. } => paid(city),
            Action::Buy => paid(card),
            Action::BankTrade { give, want } => {
                let rate = table.rates[table.active.idx()][give.idx()];
                let given = Resources::many(give, rate);
                Some(Flow::Banked { given, received: Resources::one(want) })
            }
            Action::Settle { with } => {
                let (give, get) = before.deal_with(with)?;
                Some(Flow::Traded(give + get))
            }
            Action::Monopoly { kind } => {
                let own = before.hands[table.active.idx()].get(kind);
                let others = self.in_hands(before).get(kind) - own;
                Some(Flow::Passed(Resources::many(kind, others)))
            }
            Action::Discard { card } => Some(Flow::Discarded(Resources::one(card))),
            _ => None,
        }
    }

    #[inline]
    fn in_hands(&self, state: &State) -> Resources {
        // What is not in the bank is in hands.
        let hands = Resources::each(self.stock) - state.table.bank;
        match state.table.phase {
            Phase::Discard { .. } => state.chosen.iter().fold(hands, |left, &chosen| left - chosen),
            _ => hands,
        }
    }

    /// A build that wins at once was listed, and something else was chosen.
    #[inline]
    fn dominated(&self, before: &State, _filter: ActionFilter, action: Action) -> bool {
        let table = &before.table;
        if table.phase != Phase::Act || !matches!(table.stage, Stage::Main | Stage::Paired) {
            return false;
        }
        let near = self.points(before, table.active) + 1 + self.rules().route.points;
        near >= self.rules().points_to_win.of(table.active) && self.missed_win(before, action)
    }

    const MAP_FIELD: Option<&'static str> = Some("map");

    fn founding(&self, state: &State, action: Action) -> Option<Founding> {
        let (Phase::Found, Stage::Founding(round)) = (state.table.phase, state.table.stage) else {
            return None;
        };
        let Action::Settlement { vertex } = action else { return None };
        Some(Founding { place: vertex.number(), number: round - 1 })
    }

    fn founded_at(&self, state: &State, action: Action, place: u8) -> Option<Action> {
        self.founding(state, action)?;
        let vertex = (place < self.map().vertex_count).then(|| Vertex::new(place))?;
        let other = Action::Settlement { vertex };
        self.permits(state, other).is_ok().then_some(other)
    }

    fn map_facts(&self, state: &State) -> Option<MapFacts> {
        Some(self.dealt_facts(&state.table))
    }
}

impl Island {
    /// Whether the active seat could build something that has the points to win, and did something else.
    #[inline(never)]
    fn missed_win(&self, before: &State, action: Action) -> bool {
        let table = &before.table;
        let enough =
            self.points(before, table.active) + 1 >= self.rules().points_to_win.of(table.active);
        if !enough && !self.route_is_near(table) || self.wins_with(before, action) {
            return false;
        }
        let builds = self.builds(table, before.hands[table.active.idx()]);
        let mut settlements = builds.settlements.iter().map(|vertex| Action::Settlement { vertex });
        let mut cities = builds.cities.iter().map(|vertex| Action::City { vertex });
        let mut roads = builds.roads.iter().map(|edge| Action::Road { edge });
        let wins = |action| self.wins_with(before, action);
        settlements.any(wins) || cities.any(wins) || roads.any(wins)
    }

    /// Whether a build has the points to win, Longest Road included.
    fn wins_with(&self, before: &State, action: Action) -> bool {
        let own = match action {
            Action::Settlement { .. } | Action::City { .. } => 1,
            Action::Road { .. } => 0,
            _ => return false,
        };
        let table = &before.table;
        let (points, target) =
            (self.points(before, table.active) + own, self.rules().points_to_win.of(table.active));
        if points >= target || points + self.rules().route.points < target {
            return points >= target;
        }
        if !self.route_is_near(table) {
            return false;
        }
        let mut after = *table;
        self.place(&mut after, action);
        after.route == Some(table.active)
    }

    /// Whether the active seat might get Longest Road by a build: its roads, and one more, might be long enough.
    #[inline]
    fn route_is_near(&self, table: &Table) -> bool {
        let roads = table.pieces.nets[table.active.idx()].roads.len();
        table.route != Some(table.active)
            && roads >= table.route_length
            && roads + 1 >= self.rules().route.minimum
    }

    /// The row of the harbour at a vertex, one bit.
    #[inline]
    pub(crate) fn harbours(&self, table: &Table, vertex: Vertex) -> u32 {
        match table.board.harbour_at(self.parts(), vertex) {
            Some(kind) => 1 << (HARBOURS + kind.map_or(Resource::COUNT, Resource::idx)),
            None => 0,
        }
    }

    /// The rows of a founding spot: its dots, what it yields, whether a 6 or 8 or a harbour is there.
    fn spot(&self, table: &Table, vertex: Vertex) -> u32 {
        let board = &table.board;
        let mut cards = match board.pips_at(self.map(), vertex) {
            0..=7 => 1 << PIPS,
            8..=9 => 1 << (PIPS + 1),
            10..=11 => 1 << (PIPS + 2),
            _ => 1 << (PIPS + 3),
        };
        for hex in self.map().hexes[vertex.idx()] {
            if let Some(kind) = board.terrain[hex.idx()] {
                cards |= 1 << (FOUNDED + kind.idx());
            }
            cards |= u32::from(matches!(board.tokens[hex.idx()], 6 | 8)) << FOUNDED_RED;
        }
        cards | u32::from(self.harbours(table, vertex) != 0) << FOUNDED_HARBOUR
    }
}
