//! The laws of base CATAN: rule sets, actions, where its cards are, and what is kept up to date piece by
//! piece, against slow derivations that share no code with it.

use crate::choices::Chooser;
use crate::island::Position;
use crate::random::{
    any_audience, any_bundle, any_kind, any_seat, below, bundles_from, one_in, small,
};
use crate::{Lawful, Step, random_matches_keep_the_laws};
use fairhaven::core::chance::RandomChance;
use fairhaven::core::game::Game;
use fairhaven::core::measure::{Flow, Measure};
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::base::Base;
use fairhaven::parts::island::action::Action;
use fairhaven::parts::island::cards::Card;
use fairhaven::parts::island::memory::Memory;
use fairhaven::parts::island::rules::{Layout, Rules, Shortage};
use fairhaven::parts::island::state::{Phase, Stage, State};
use fairhaven::parts::places::{Edge, Hex, Vertex};
use fairhaven::parts::trade::Audience;
use rand_pcg::Pcg32;
use std::collections::BTreeSet;

impl Lawful for Base {
    const COMES: &'static [&'static str] = &[
        "roll",
        "end turn",
        "road",
        "settlement",
        "city",
        "buy",
        "knight",
        "road building",
        "year of plenty",
        "monopoly",
        "move the robber",
        "discard one",
        "bank",
        "offer to all",
        "offer to one",
        "accept",
        "refuse",
        "counter",
        "settle",
        "decline",
        "stop",
        "won",
        "turn_limit",
        // Phases.
        "found",
        "found_road",
        "special",
        "paired",
        "discard",
        "robber",
        "free_road",
        "answer",
        "choose",
    ];
    const ROUNDS: u64 = 200_000;

    fn playable(mut rules: Rules, players: u8, _seed: u64) -> Rules {
        rules.first_turn %= players;
        if players > 4 {
            rules.island = Layout::Variable;
        }
        rules
    }

    fn any_action(rng: &mut Pcg32) -> Action {
        let (give, want) = (any_bundle(rng), any_bundle(rng));
        let (first, second) = (any_kind(rng), any_kind(rng));
        let vertex = Vertex::new(small(rng, 80));
        match below(rng, 18) {
            0 => [Action::Roll, Action::EndTurn][below(rng, 2)],
            1 | 2 => Action::Road { edge: Edge::new(small(rng, 109)) },
            3 => Action::Settlement { vertex },
            4 => Action::City { vertex },
            5 => [Action::Buy, Action::Knight, Action::RoadBuilding][below(rng, 3)],
            6 => Action::YearOfPlenty { first, second: (!one_in(rng, 4)).then_some(second) },
            7 => Action::Monopoly { kind: first },
            8 | 9 => {
                let victim = (!one_in(rng, 3)).then(|| any_seat(rng));
                Action::Robber { hex: Hex::new(small(rng, 30)), victim }
            }
            10 => Action::Discard { card: first },
            11 => Action::BankTrade { give: first, want: second },
            12 | 13 => Action::Offer { to: any_audience(rng), give, want },
            14 => [Action::Accept, Action::Refuse, Action::Decline, Action::Stop][below(rng, 4)],
            15 | 16 => Action::Counter { give, want },
            _ => Action::Settle { with: any_seat(rng) },
        }
    }

    fn any_talk(&self, state: &State, seat: Seat, rng: &mut Pcg32) -> Action {
        let (give, want) = bundles_from(state.hands[seat.idx()], rng);
        match state.table.phase {
            Phase::Answer(_) => Action::Counter { give, want },
            _ => Action::Offer { to: any_audience(rng), give, want },
        }
    }

    fn may_be_unlisted(action: Action) -> bool {
        matches!(action, Action::Offer { .. } | Action::Counter { .. })
    }

    fn word(action: Action) -> &'static str {
        match action {
            Action::Roll => "roll",
            Action::EndTurn => "end turn",
            Action::Road { .. } => "road",
            Action::Settlement { .. } => "settlement",
            Action::City { .. } => "city",
            Action::Buy => "buy",
            Action::Knight => "knight",
            Action::RoadBuilding => "road building",
            Action::YearOfPlenty { .. } => "year of plenty",
            Action::Monopoly { .. } => "monopoly",
            Action::Robber { .. } => "move the robber",
            Action::Discard { .. } => "discard one",
            Action::BankTrade { .. } => "bank",
            Action::Offer { to: Audience::All, .. } => "offer to all",
            Action::Offer { to: Audience::One(_), .. } => "offer to one",
            Action::Accept => "accept",
            Action::Refuse => "refuse",
            Action::Counter { .. } => "counter",
            Action::Settle { .. } => "settle",
            Action::Decline => "decline",
            Action::Stop => "stop",
        }
    }

    fn hand(state: &State, seat: Seat) -> Resources {
        state.hands[seat.idx()]
    }

    fn surely_held(memory: &Memory, seat: Seat) -> Resources {
        memory.surely_held(seat)
    }

    fn target(&self, seat: Seat) -> u8 {
        self.rules().points_to_win.of(seat)
    }

    fn on_turn(state: &State) -> Seat {
        state.table.active
    }

    fn examine(&self, step: &Step<'_, Base>) {
        conserves_cards(self, step.after);
        points_have_five_parts(self, step.after);
        if let Some(Flow::Banked { given, received }) = self.flow(step.before, step.action) {
            let rate = given.total();
            assert!(received.total() == 1 && (2..=4).contains(&rate), "a trade at a rate");
        }
        match step.action {
            Action::Roll => pays_what_is_due(self, step),
            Action::Road { .. } | Action::Settlement { .. } | Action::City { .. } => {
                pieces_are_up_to_date(self, step);
            }
            Action::Knight => army_goes_to_the_largest(self, step),
            _ => assert_eq!(step.before.table.pieces, step.after.table.pieces, "pieces stand"),
        }
    }

    fn look(&self, state: &State, legal: &BTreeSet<String>) {
        let due = Chooser::new(self, state).all();
        let due: BTreeSet<String> = due.iter().map(|action| format!("{action:?}")).collect();
        let wrong: Vec<&String> = due.symmetric_difference(legal).take(5).collect();
        assert!(wrong.is_empty(), "{wrong:?} in {:?}", state.table.phase);
    }
}

/// BASE-3, BASE-4, BASE-80: in hands or in the bank; in hands, the deck, before a player or out of the game.
pub fn conserves_cards(game: &Base, state: &State) {
    let rules = game.rules();
    let (stock, deck) = match game.players() {
        5 | 6 => (rules.extension.bank, rules.extension.deck),
        _ => (rules.bank, rules.deck),
    };
    for kind in Resource::ALL {
        let hands: u8 = state.hands.iter().map(|hand| hand.get(kind)).sum();
        assert_eq!(hands + state.table.bank.get(kind), stock, "{kind} cards");
    }
    let all = [deck.knights, deck.progress, deck.progress, deck.progress, deck.victory_points];
    for card in Card::ALL {
        let at = card.idx();
        let held: u8 = state.cards.iter().map(|cards| cards[at]).sum();
        let knights = if card == Card::Knight { state.table.knights.iter().sum() } else { 0 };
        let now = state.deck[at] + held + knights + state.table.gone[at];
        assert_eq!(now, all[at], "{card} cards");
    }
}

/// BASE-5, BASE-70, BASE-71: five parts within their bounds make up the points that the tables show.
pub fn points_have_five_parts(game: &Base, state: &State) {
    let rules = game.rules();
    for seat in Seat::all(game.players()) {
        let net = &state.table.pieces.nets[seat.idx()];
        let parts = [
            net.settlements.iter().count(),
            2 * net.cities.iter().count(),
            if state.table.route == Some(seat) { rules.route.points.into() } else { 0 },
            if state.table.army == Some(seat) { rules.army.points.into() } else { 0 },
            state.cards[seat.idx()][Card::VictoryPoint.idx()].into(),
        ];
        assert!(parts[0] <= 5 && parts[1] <= 8 && net.roads.iter().count() <= 15, "the supply");
        let points = Measure::points(game, state, seat);
        assert_eq!(parts.iter().sum::<usize>(), usize::from(points), "points of seat {seat}");
        let told = game.points_by_source(state, seat);
        assert_eq!(told.len(), Base::SOURCES.len(), "a number for each source");
        let told: u8 = told.iter().sum();
        assert_eq!(told, points, "points of seat {seat} by source");
    }
}

/// BASE-15, BASE-33, BASE-40, BASE-41, BASE-60, BASE-61: what follows from the pieces.
pub fn pieces_are_up_to_date(game: &Base, step: &Step<'_, Base>) {
    let (before, after) = (&step.before.table, &step.after.table);
    let position = Position::of(game, step.after);
    let chooser = Chooser::new(game, step.after);
    let open: BTreeSet<usize> = after.pieces.open.iter().map(Vertex::idx).collect();
    assert_eq!(open, position.open(), "where the distance rule lets build");
    let mut lengths = Vec::new();
    // Seats that nobody plays may own pieces in another game, but no harbours.
    for seat in Seat::all(6) {
        let at = seat.idx();
        let net = &after.pieces.nets[at];
        let frontier: BTreeSet<usize> = net.frontier.iter().map(Edge::idx).collect();
        assert_eq!(frontier, position.road_places(at), "roads of seat {seat}");
        let reach: BTreeSet<usize> = net.reach.iter().map(Vertex::idx).collect();
        assert_eq!(reach, position.reached(at), "what the roads of seat {seat} touch");
        let plays = at < usize::from(game.players());
        let rates = Resource::ALL.map(|give| if plays { chooser.rate(at, give) } else { 4 });
        assert_eq!(after.rates[at], rates, "harbours of seat {seat}");
        lengths.push(position.longest(at));
    }
    let most = *lengths.iter().max().unwrap();
    let long = most >= game.rules().route.minimum;
    let longest: Vec<Seat> =
        Seat::all(6).filter(|seat| long && lengths[seat.idx()] == most).collect();
    let holder = match longest[..] {
        _ if before.route.is_some_and(|seat| longest.contains(&seat)) => before.route,
        [alone] => Some(alone),
        _ => None,
    };
    assert_eq!(after.route, holder, "Longest Road, of {lengths:?}");
    assert_eq!(after.route_length, if long { most } else { 0 }, "its length");
    if let (Action::Settlement { vertex }, Stage::Founding(round)) = (step.action, before.stage) {
        let mut cards = [0; Resource::COUNT];
        for &hex in &position.island.land[vertex.idx()] {
            if let Some(kind) = before.board.terrain[hex].filter(|_| round == 2) {
                cards[kind.idx()] += 1;
            }
        }
        assert_eq!(step.after.hands[before.active.idx()].counts(), cards, "the first cards");
    }
}

/// BASE-62: the holder keeps it until someone has more.
pub fn army_goes_to_the_largest(game: &Base, step: &Step<'_, Base>) {
    let (before, after) = (&step.before.table, &step.after.table);
    let seats = || Seat::all(game.players());
    let most = seats().map(|seat| after.knights[seat.idx()]).max().unwrap();
    let mut largest = seats().filter(|seat| after.knights[seat.idx()] == most);
    let holder = match before.army {
        _ if most < game.rules().army.minimum => None,
        Some(holder) if after.knights[holder.idx()] == most => Some(holder),
        _ => largest.next(),
    };
    assert_eq!(after.army, holder, "Largest Army");
}

/// BASE-22 to BASE-24: what a roll brings, or whom it makes choose.
pub fn pays_what_is_due(game: &Base, step: &Step<'_, Base>) {
    let table = &step.before.table;
    let throw = step.events[0].outcome;
    let sum = throw / 6 + throw % 6 + 2;
    // Half of one card, rounded down, is none: under a limit of 0 a hand of one owes nothing.
    let limit = game.rules().robber.hand_limit.max(1);
    let owes = |seat: Seat| step.before.hands[seat.idx()].total() > limit;
    if sum == 7 {
        assert_eq!(step.before.hands, step.after.hands, "nothing shows before all have chosen");
        let choosing = matches!(step.after.table.phase, Phase::Discard { .. });
        assert_eq!(choosing, Seat::all(game.players()).any(owes));
        return;
    }
    let position = Position::of(game, step.before);
    let mut claims = vec![[0_u8; Resource::COUNT]; usize::from(game.players())];
    for hex in 0..position.island.hexes.len() {
        let Some(kind) = table.board.terrain[hex] else { continue };
        if table.board.tokens[hex] != sum || table.robber.idx() == hex {
            continue;
        }
        for &(vertex, seat, size) in &position.buildings {
            if seat < claims.len() && position.island.land[vertex].contains(&hex) {
                claims[seat][kind.idx()] += size;
            }
        }
    }
    for kind in Resource::ALL {
        let at = kind.idx();
        let (all, bank) = (claims.iter().map(|claim| claim[at]).sum::<u8>(), table.bank.get(kind));
        let claimants = claims.iter().filter(|claim| claim[at] > 0).count();
        let rest = claimants == 1 && game.rules().shortage == Shortage::Sole;
        for (seat, claim) in claims.iter().enumerate() {
            let paid = match claim[at] {
                claimed if all <= bank => claimed,
                0 => 0,
                _ if rest => bank,
                _ => 0,
            };
            let gained = step.after.hands[seat].get(kind) - step.before.hands[seat].get(kind);
            assert_eq!(gained, paid, "{kind} for seat {}", seat + 1);
        }
    }
}

#[test]
fn random_matches_of_base_keep_the_laws() {
    random_matches_keep_the_laws::<Base>();
}

fn dealt() -> (Base, State) {
    let game = Base::new(Rules { island: Layout::Beginner, ..Rules::default() }, 4);
    let game = game.expect("rules in range");
    let state = game.deal(&mut RandomChance::new(BlockSeed::new(1, 1)));
    game.check(&state);
    (game, state)
}

#[test]
#[should_panic(expected = "every resource card is in a hand or in the bank")]
fn a_lost_card_is_noticed() {
    let (game, mut state) = dealt();
    state.hands[1] = Resources::NONE;
    game.check(&state);
}

#[test]
#[should_panic(expected = "knight cards")]
fn a_knight_from_nowhere_is_noticed() {
    let (game, mut state) = dealt();
    state.table.knights[1] += 1;
    game.check(&state);
}

#[test]
#[should_panic(expected = "where 0 may lay a road")]
fn a_forgotten_place_is_noticed() {
    let (game, mut state) = dealt();
    let frontier = &mut state.table.pieces.nets[0].frontier;
    frontier.pop();
    game.check(&state);
}
