//! What a seat sees of an island, and what may be done there, as numbers.

use crate::core::arrays::{
    ActionKind, ActionNumbers, Arrays, Columns, Row, resource, small, steps,
};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::{Card, pips, size};
use crate::parts::island::observe::View;
use crate::parts::island::seen::TERRAIN;
use crate::parts::island::state::{CITIES, Phase, ROADS, SETTLEMENTS, Stage};
use crate::parts::places::{Edge, HexSet, Vertex};
use crate::parts::trade_arrays::{offer_kind, swap, tell_proposal};

/// Hexes of sea, and unexplored ones.
pub type Bare = [HexSet; 2];

/// Kinds of hexes without sea.
const LAND: usize = 6;

/// Stages and phases, each a number that is 0 or 1.
const STAGES: usize = 5;
const PHASES: usize = 9;

impl Arrays for Island {
    fn columns(&self, view: &View<'_>, out: &mut impl Columns) {
        self.tell(view, None, out);
    }

    fn action_kinds(&self) -> Vec<ActionKind> {
        let players = usize::from(self.players);
        let (vertices, edges) =
            (usize::from(self.map.vertex_count), usize::from(self.map.edge_count));
        vec![
            ActionKind::new("roll", &[]),
            ActionKind::new("end_turn", &[]),
            ActionKind::new("road", &[("edge", edges)]),
            ActionKind::new("settlement", &[("vertex", vertices)]),
            ActionKind::new("city", &[("vertex", vertices)]),
            ActionKind::new("buy", &[]),
            ActionKind::new("knight", &[]),
            ActionKind::new("road_building", &[]),
            ActionKind::new(
                "year_of_plenty",
                &[resource("first"), ("second", 1 + Resource::COUNT)],
            ),
            ActionKind::new("monopoly", &[resource("kind")]),
            ActionKind::new("robber", &[("hex", self.map.hex_count.into()), ("victim", players)]),
            ActionKind::new("discard", &[resource("card")]),
            ActionKind::new("bank_trade", &[resource("give"), resource("want")]),
            ActionKind::new("accept", &[]),
            ActionKind::new("refuse", &[]),
            ActionKind::new("settle", &[("with", players)]),
            ActionKind::new("decline", &[]),
            ActionKind::new("stop", &[]),
            offer_kind("offer"),
            offer_kind("counter"),
        ]
    }

    fn action_numbers(&self, seat: Seat, action: Action) -> ActionNumbers {
        let of = |kind, one, two| ActionNumbers::new(kind, [one, two, 0]);
        let away = |other| steps(seat, other, self.players);
        let card = Resources::one;
        let none = Resources::NONE;
        match action {
            Action::Roll => of(0, 0, 0),
            Action::EndTurn => of(1, 0, 0),
            Action::Road { edge } => of(2, edge.idx(), 0),
            Action::Settlement { vertex } => of(3, vertex.idx(), 0),
            Action::City { vertex } => of(4, vertex.idx(), 0),
            Action::Buy => of(5, 0, 0),
            Action::Knight => of(6, 0, 0),
            Action::RoadBuilding => of(7, 0, 0),
            Action::YearOfPlenty { first, second } => {
                let all = card(first) + second.map_or(none, card);
                of(8, first.idx(), second.map_or(0, |second| 1 + second.idx())).with(none, all)
            }
            Action::Monopoly { kind } => of(9, kind.idx(), 0),
            // Nobody robs itself, so that its own place means nobody.
            Action::Robber { hex, victim } => of(10, hex.idx(), victim.map_or(0, away)),
            Action::Discard { card: kind } => of(11, kind.idx(), 0).with(card(kind), none),
            Action::BankTrade { give, want } => {
                of(12, give.idx(), want.idx()).with(none, card(want))
            }
            Action::Accept => of(13, 0, 0),
            Action::Refuse => of(14, 0, 0),
            Action::Settle { with } => of(15, away(with), 0),
            Action::Decline => of(16, 0, 0),
            Action::Stop => of(17, 0, 0),
            Action::Offer { give, want, .. } => swap(18, give.cards(), want.cards()),
            Action::Counter { give, want } => swap(19, give.cards(), want.cards()),
        }
    }
}

impl Island {
    /// Tells what a seat sees of the island; `bare` if there is sea.
    #[inline]
    pub fn tell(&self, view: &View<'_>, bare: Option<Bare>, out: &mut impl Columns) {
        let own = [("hand", 5), ("chosen", 5), ("cards", 5), ("fresh", 5), ("points", 1)];
        out.group("own", 1, &own, |rows| {
            rows.row(0)
                .cards(view.hand)
                .cards(view.chosen)
                .all(view.cards)
                .all(view.fresh)
                .put(view.own_points(self));
        });
        self.tell_seats(view, out);
        self.tell_table(view, out);
        let table = view.table;
        let open = matches!(table.phase, Phase::Answer(_) | Phase::Choose);
        let proposal = open.then_some(&table.proposal);
        tell_proposal((view.seat, self.players), proposal, out);
        self.tell_hexes(view, bare, out);
        self.tell_places(view, out);
    }

    /// Who owns pieces, by seats from whoever looks: players, then seats without one.
    pub fn owners_from(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let rest = Seat::all(self.owners).skip(self.players.into());
        seat.clockwise(self.players).chain(rest)
    }

    fn tell_seats(&self, view: &View<'_>, out: &mut impl Columns) {
        let features = [
            ("hand_size", 1),
            ("card_count", 1),
            ("knights", 1),
            ("points", 1),
            ("settlements_left", 1),
            ("cities_left", 1),
            ("roads_left", 1),
            ("route", 1),
            ("army", 1),
            ("current", 1),
            ("active", 1),
            ("pending", 1),
            ("rates", 5),
        ];
        let table = view.table;
        out.group("seats", self.owners.into(), &features, |rows| {
            for (place, seat) in self.owners_from(view.seat).enumerate() {
                let (at, net) = (seat.idx(), &table.pieces.nets[seat.idx()]);
                rows.row(place)
                    .put(view.hand_sizes[at])
                    .put(view.card_counts[at])
                    .put(table.knights[at])
                    .put(table.points(self, seat))
                    .put(SETTLEMENTS.saturating_sub(net.settlements.len()))
                    .put(CITIES.saturating_sub(net.cities.len()))
                    .put(ROADS.saturating_sub(net.roads.len()))
                    .put(table.route == Some(seat))
                    .put(table.army == Some(seat))
                    .put(table.current == seat)
                    .put(table.active == seat)
                    .put(table.pending >> at & 1)
                    .all(table.rates[at]);
            }
        });
    }

    fn tell_table(&self, view: &View<'_>, out: &mut impl Columns) {
        let features = [
            ("bank", 5),
            ("unseen", 5),
            ("unseen_cards", 5),
            ("deck", 1),
            ("gone", 5),
            ("route_length", 1),
            ("turn", 1),
            ("stage", STAGES),
            ("round", 1),
            ("phase", PHASES),
            ("owed", 1),
            ("asked", self.players.into()),
            ("played", 1),
            ("built", 1),
            ("bought", 1),
            ("refused", 1),
            ("deals", 1),
        ];
        let table = view.table;
        out.group("table", 1, &features, |rows| {
            let unseen = Resources::each(self.stock) - table.bank - view.hand;
            let deck = size(self.deck) - size(table.gone);
            let held = table.knights.iter().chain(&view.card_counts).sum::<u8>();
            let mut row = rows.row(0);
            row.cards(table.bank).cards(unseen).all(self.unseen_cards(view));
            row.put(deck - held).all(table.gone).put(table.route_length).put(small(table.turn));
            let (stage, round) = match table.stage {
                Stage::Founding(round) => (0, round),
                Stage::Roll => (1, 0),
                Stage::Main => (2, 0),
                Stage::Special => (3, 0),
                Stage::Paired => (4, 0),
            };
            row.one_of(Some(stage), STAGES).put(round);
            self.tell_phase(view, &mut row);
            let so_far = &table.so_far;
            row.put(so_far.played).put(so_far.built);
            row.all([so_far.bought, so_far.refused, so_far.deals]);
        });
    }

    /// Development cards that the seat does not see: in the deck and with others.
    fn unseen_cards(&self, view: &View<'_>) -> [u8; Card::COUNT] {
        let table = view.table;
        let mut unseen = self.deck;
        for (at, unseen) in unseen.iter_mut().enumerate() {
            *unseen -= view.cards[at] + table.gone[at];
        }
        unseen[Card::Knight.idx()] -= table.knights.iter().sum::<u8>();
        unseen
    }

    fn tell_phase(&self, view: &View<'_>, row: &mut Row<'_>) {
        let (phase, owed, asked) = match view.table.phase {
            Phase::Found => (0, 0, None),
            Phase::FoundRoad(_) => (1, 0, None),
            Phase::Act => (2, 0, None),
            Phase::Discard { seat, owed } => (3, owed, Some(seat)),
            Phase::Robber => (4, 0, None),
            Phase::FreeRoads(left) => (5, left, None),
            Phase::Answer(seat) => (6, 0, Some(seat)),
            Phase::Choose => (7, 0, None),
            Phase::Over(_) => (8, 0, None),
        };
        let asked = asked.map(|asked| steps(view.seat, asked, self.players));
        row.one_of(Some(phase), PHASES).put(owed).one_of(asked, self.players.into());
    }

    fn tell_hexes(&self, view: &View<'_>, bare: Option<Bare>, out: &mut impl Columns) {
        let kinds = if bare.is_some() { TERRAIN.len() } else { LAND };
        let features = [("terrain", kinds), ("token", 1), ("pips", 1), ("robber", 1)];
        let [sea, fog] = bare.unwrap_or_default();
        let (map, table) = (self.map, view.table);
        out.group("hexes", map.hex_count.into(), &features, |rows| {
            for hex in map.all_hexes() {
                let place = match table.board.terrain[hex.idx()] {
                    Some(kind) => kind.idx(),
                    None if sea.contains(hex) => LAND,
                    None if fog.contains(hex) => LAND + 1,
                    None => LAND - 1,
                };
                let token = table.board.tokens[hex.idx()];
                let row = &mut rows.row(hex.idx());
                row.one_of(Some(place), kinds).put(token).put(pips(token));
                row.put(table.robber == hex);
            }
        });
        let harbours = self.parts.harbour_places.len();
        out.group("harbours", harbours, &[("kind", 1 + Resource::COUNT)], |rows| {
            for (place, kind) in table.board.harbours.iter().take(harbours).enumerate() {
                rows.set(place, kind.map_or(Resource::COUNT, Resource::idx), 1);
            }
        });
    }

    fn tell_places(&self, view: &View<'_>, out: &mut impl Columns) {
        let owners = usize::from(self.owners);
        let (map, table) = (self.map, view.table);
        let features = [("settlement", owners), ("city", owners), ("founding", 1)];
        out.group("vertices", map.vertex_count.into(), &features, |rows| {
            for (place, seat) in self.owners_from(view.seat).enumerate() {
                let net = &table.pieces.nets[seat.idx()];
                rows.mark(net.settlements.iter().map(Vertex::idx), place);
                rows.mark(net.cities.iter().map(Vertex::idx), owners + place);
            }
            if let Phase::FoundRoad(vertex) = table.phase {
                rows.set(vertex.idx(), 2 * owners, 1);
            }
        });
        out.group("edges", map.edge_count.into(), &[("road", owners)], |rows| {
            for (place, seat) in self.owners_from(view.seat).enumerate() {
                let roads = table.pieces.nets[seat.idx()].roads;
                rows.mark(roads.iter().map(Edge::idx), place);
            }
        });
    }
}
