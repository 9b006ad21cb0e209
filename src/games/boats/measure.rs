//! How the boats are measured: as base CATAN is, with rows for what this variant adds.

use crate::core::chance::ChanceEvent;
use crate::core::game::{ActionFilter, Game};
use crate::core::measure::maps::{Founding, MapFacts};
use crate::core::measure::standings::Standings;
use crate::core::measure::{Choice, ChoiceOption, Flow, Measure, Sources};
use crate::core::resources::{Resource, Resources};
use crate::core::types::joined::joined;
use crate::core::types::seat::Seat;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::rules::{Allowed, Helper, Helpers};
use crate::games::boats::scenario::{connected, corners};
use crate::games::boats::state::State;
use crate::parts::island::Island;
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::luck::Draw;
use crate::parts::island::measure as island;
use crate::parts::island::picture::AtSea;
use crate::parts::island::state::{Phase, SETTLEMENTS, Stage};
use crate::parts::places::Vertex;

/// Rows of the island.
const SHARED: usize = <Island as Measure>::CARDS.len();
/// The island's row of Longest Road.
const ROUTE: usize = 8;
/// Rows of this variant.
const BOAT: usize = SHARED;
const CHIT: usize = SHARED + 1;
const GOLD: usize = SHARED + 2;
const ISA: usize = SHARED + 3;
const LOUIS: usize = SHARED + 4;

/// The rows, with the longest trade route in the place of Longest Road; those of this variant in the order above.
const CARDS: [&str; SHARED + 5] = {
    let own = ["boat", "chit", "gold", "isa", "louis"];
    let mut cards: [&str; SHARED + 5] = joined(<Island as Measure>::CARDS, &own);
    cards[ROUTE] = "longest_trade_route";
    cards
};

/// The kind of decision in which a helper is chosen, behind those of the island.
const HELPER: usize = <Island as Measure>::DECISIONS.len();

const DECISIONS: [&str; HELPER + 1] = joined(<Island as Measure>::DECISIONS, &["helper"]);

/// Who held Largest Army before a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Before(Option<Seat>);

impl Measure for Boats {
    type Before = Before;

    const CARDS: &'static [&'static str] = &CARDS;
    const RESOURCES: [&'static str; 5] = <Island as Measure>::RESOURCES;
    /// Those of the island, whose longest road is a trade route here, and one more.
    const SOURCES: &'static [&'static str] = &[
        "settlements",
        "cities",
        "longest_trade_route",
        "largest_army",
        "victory_point_cards",
        "chits",
    ];
    const DECISIONS: &'static [&'static str] = &DECISIONS;
    const BANDS: &'static [u16] = <Island as Measure>::BANDS;
    /// Two settlements at the start, 12 or 13 points to win.
    const STANDINGS: Standings = Standings { first: 2, bins: 10 };

    const CHOICES: &'static [Choice] = &[Choice {
        name: "helper",
        offered_by: Some("helpers=chosen"),
        options: &[
            ChoiceOption {
                name: "isa",
                removal: r#"helpers_allowed=["louis", "louis", "louis", "louis", "louis", "louis"]"#,
            },
            ChoiceOption {
                name: "louis",
                removal: r#"helpers_allowed=["isa", "isa", "isa", "isa", "isa", "isa"]"#,
            },
        ],
    }];

    #[inline]
    fn decision_kind(&self, state: &State) -> usize {
        if state.must_choose() { HELPER } else { self.island.decision_kind(&state.island) }
    }

    #[inline]
    fn current(&self, state: &State) -> Seat {
        state.island.table.active
    }

    #[inline]
    fn points(&self, state: &State, seat: Seat) -> u8 {
        state.island.points(&self.island, seat)
    }

    fn points_by_source(&self, state: &State, seat: Seat) -> Sources {
        let mut sources = self.island.points_by_source(&state.island, seat);
        sources.push(state.island.table.bonus[seat.idx()]);
        sources
    }

    #[inline]
    fn before(&self, state: &State) -> Before {
        Before(state.island.table.army)
    }

    #[inline]
    fn offered(&self, state: &State, filter: ActionFilter) -> u32 {
        let (table, own) = (&state.island.table, &state.own);
        if state.must_choose() {
            return 0;
        }
        let shared = self.island.offered(&state.island, filter);
        if table.phase != Phase::Act || table.stage == Stage::Roll {
            return shared;
        }
        let seat = table.active;
        let hand = state.island.hands[seat.idx()];
        let [_, settlement, ..] = self.island.prices();
        let mut cards = shared;
        let settlements = table.pieces.nets[seat.idx()].settlements.len();
        if hand.covers(settlement) && settlements < SETTLEMENTS {
            for vertex in self.landings(table, own, seat) {
                cards |= 1 << 1 | self.island.harbours(table, vertex);
            }
        }
        let boats = own.boats[seat.idx()];
        let builds = hand.covers(self.boat_cost) && boats.len() < self.rules().boats;
        if builds && !self.boat_berths(table, own, seat).all().is_empty() {
            cards |= 1 << BOAT;
        }
        cards
    }

    #[inline]
    fn taken(&self, before: &Before, after: &State, action: Action) -> u32 {
        let table = &after.island.table;
        let mut cards = match action {
            Action::Own(OwnAction::Boat { .. }) => 1 << BOAT,
            Action::Own(OwnAction::IsaBoat { .. }) => 1 << BOAT | 1 << ISA,
            Action::Own(OwnAction::MoveBoat { .. }) if after.own.moved > 1 => 1 << ISA,
            Action::Own(OwnAction::MoveBoat { .. } | OwnAction::Helper { .. }) => 0,
            Action::Own(OwnAction::MoveRoad { .. }) => 1 << LOUIS,
            Action::Own(OwnAction::Gold { .. }) => 1 << GOLD,
            Action::Island(shared) => {
                let same = island::Before([table.route, before.0]);
                self.island.taken(&same, &after.island, shared)
            }
        };
        if let Action::Island(IslandAction::Settlement { vertex }) = action {
            cards |= u32::from(self.earns_chit(after, table.active, vertex)) << CHIT;
        }
        cards | u32::from(after.own.took_route) << ROUTE
    }

    /// The end of a turn determines the longest trade route, a moved boat may change it or show an island.
    #[inline]
    fn may_score(&self, action: Action) -> bool {
        matches!(
            action,
            Action::Island(IslandAction::EndTurn) | Action::Own(OwnAction::MoveBoat { .. })
        )
    }

    #[inline]
    fn turned_up(event: ChanceEvent<Draw>) -> Option<usize> {
        Island::turned_up(event)
    }

    /// As for the island, and chits.
    fn matched(&self) -> u32 {
        self.island.matched()
    }

    fn held(&self, state: &State, seat: Seat) -> u32 {
        let own = &state.own;
        let at = seat.idx();
        self.island.held(&state.island, seat)
            | u32::from(!own.boats[at].is_empty()) << BOAT
            | u32::from(own.chits[at] + own.waiting[at] > 0) << CHIT
            | u32::from(own.gold[at] > 0) << GOLD
            | u32::from(own.isa_left[at] > 0) << ISA
            | u32::from(own.louis[at]) << LOUIS
    }

    #[inline]
    fn drawn(event: ChanceEvent<Draw>) -> Option<Resource> {
        Island::drawn(event)
    }

    #[inline]
    fn stolen(event: ChanceEvent<Draw>) -> Option<Resource> {
        Island::stolen(event)
    }

    #[inline]
    fn in_bank(&self, state: &State) -> Resources {
        self.island.in_bank(&state.island)
    }

    /// What the bank pays out, for gold too.
    #[inline]
    fn yielded(&self, bank: Resources, after: &State, action: Action) -> Option<Resources> {
        match action {
            Action::Own(OwnAction::Gold { want }) => Some(Resources::one(want)),
            Action::Own(_) => None,
            Action::Island(shared) => self.island.yielded(bank, &after.island, shared),
        }
    }

    #[inline]
    fn flow(&self, before: &State, action: Action) -> Option<Flow> {
        let paid = |cards| Some(Flow::Paid { cards, substituted: Resources::NONE });
        match action {
            Action::Own(OwnAction::Boat { .. }) if before.island.table.phase == Phase::Act => {
                paid(self.boat_cost)
            }
            Action::Own(OwnAction::IsaBoat { pay, .. }) => paid(Resources::one(pay)),
            Action::Own(_) => None,
            Action::Island(shared) => self.island.flow(&before.island, shared),
        }
    }

    #[inline]
    fn in_hands(&self, state: &State) -> Resources {
        self.island.in_hands(&state.island)
    }

    /// A settlement or city that wins at once was listed, and neither was built, nor a piece that may win otherwise.
    #[inline]
    fn dominated(&self, before: &State, _filter: ActionFilter, action: Action) -> bool {
        use IslandAction::{City, Road, Settlement};
        let table = &before.island.table;
        let acts = table.phase == Phase::Act && matches!(table.stage, Stage::Main | Stage::Paired);
        let target = self.island.rules.points_to_win.of(table.active) + table.withheld;
        let near = self.points(before, table.active) + 1 >= target;
        if !acts || !near {
            return false;
        }
        let builds = self.island.builds(table, before.island.hands[table.active.idx()]);
        let wins = !builds.cities.is_empty() || !builds.settlements.is_empty();
        let may_win = matches!(
            action,
            Action::Own(_) | Action::Island(City { .. } | Road { .. } | Settlement { .. })
        );
        wins && !may_win
    }

    #[inline]
    fn option(&self, _choice: usize, _state: &State, action: Action) -> Option<usize> {
        let Action::Own(OwnAction::Helper { take }) = action else { return None };
        Some(take as usize)
    }

    fn with_option(
        &self,
        choice: usize,
        state: &State,
        action: Action,
        option: usize,
    ) -> Option<Action> {
        self.option(choice, state, action)?;
        let other = Action::Own(OwnAction::Helper { take: Helper::ALL[option] });
        self.permits(state, other).is_ok().then_some(other)
    }

    fn can_be_taken(&self, _choice: usize, option: usize) -> bool {
        let seats = &self.rules.helpers_allowed[..usize::from(self.players())];
        let allowed = |seat: &Allowed| seat.bits() & Helper::ALL[option].bit() != 0;
        self.rules.helpers == Helpers::Chosen && seats.iter().any(allowed)
    }

    fn restriction(&self, choice: usize, seat: Seat, option: usize) -> Option<String> {
        let mut words = self.rules.helpers_allowed.map(String::from);
        Self::CHOICES[choice].options[option].name.clone_into(&mut words[seat.idx()]);
        let words = words.map(|words| format!("\"{words}\""));
        Some(format!("helpers_allowed=[{}]", words.join(", ")))
    }

    const MAP_FIELD: Option<&'static str> = Some("scenario");

    fn founding(&self, state: &State, action: Action) -> Option<Founding> {
        let Action::Island(action) = action else { return None };
        self.island.founding(&state.island, action)
    }

    fn founded_at(&self, state: &State, action: Action, place: u8) -> Option<Action> {
        self.founding(state, action)?;
        let vertex = (place < self.island.map.vertex_count).then(|| Vertex::new(place))?;
        let other = Action::Island(IslandAction::Settlement { vertex });
        self.permits(state, other).is_ok().then_some(other)
    }

    fn map_facts(&self, state: &State) -> Option<MapFacts> {
        let own = &state.own;
        let at_sea = AtSea { sea: own.sea, fog: own.fog, boats: own.boats };
        Some(self.island.facts(&state.island.table, &at_sea, &self.map_words()))
    }
}

impl Boats {
    /// Whether the settlement of a seat on a vertex has earned it a chit, that counts or waits. (BOAT-32, BOAT-33)
    pub(crate) fn earns_chit(&self, after: &State, seat: Seat, vertex: Vertex) -> bool {
        let (map, table) = (self.island.map, &after.island.table);
        let land = self.land(&after.own);
        let Some(hex) = (map.hexes[vertex.idx()] & land).iter().next() else { return false };
        let here = corners(map, connected(map, hex, land));
        let own = table.pieces.nets[seat.idx()].buildings() & here;
        own.len() == 1 && own.is_disjoint(table.founded)
    }
}
