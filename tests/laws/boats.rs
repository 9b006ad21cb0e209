//! The laws of the boats: rule sets and scenarios, actions, and what follows from land, sea and pieces, against slow
//! derivations that share no code with it.

use crate::random::{any_kind, small};
use crate::scenarios::playable;
use crate::sea::Chart;
use crate::{Lawful, Step, random_matches_keep_the_laws};
use fairhaven::core::game::{End, Game};
use fairhaven::core::measure::Measure;
use fairhaven::core::resources::Resources;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::base::Base;
use fairhaven::games::boats::Boats;
use fairhaven::games::boats::action::{Action, OwnAction};
use fairhaven::games::boats::rules::{Helper, Holder, Rules, When};
use fairhaven::games::boats::state::State;
use fairhaven::parts::island::action::Action as IslandAction;
use fairhaven::parts::island::memory::Memory;
use fairhaven::parts::island::state::Phase;
use fairhaven::parts::places::Edge;
use rand_pcg::Pcg32;
use std::collections::BTreeSet;

/// The scenario of a case: one that ships, if it has room, or a random one.
fn scenario_for(players: u8, seed: u64) -> String {
    let mut rng = Pcg32::new(seed, 15);
    match small(&mut rng, 4) {
        0 => "shores".to_owned(),
        1 if players <= 4 => "fog".to_owned(),
        _ => playable(&mut rng, players),
    }
}

impl Lawful for Boats {
    const COMES: &'static [&'static str] = &[
        "boat",
        "boat with isa",
        "move boat",
        "move road",
        "gold",
        "helper",
        "roll",
        "end turn",
        "road",
        "settlement",
        "city",
        "knight",
        "road building",
        "move the robber",
        "won",
        "turn_limit",
        // Phases.
        "found",
        "found_road",
        "special",
        "paired",
        "robber",
        "free_road",
    ];
    const ROUNDS: u64 = 200_000;

    fn playable(mut rules: Rules, players: u8, seed: u64) -> Rules {
        rules.first_turn %= players;
        // Nobody sits at the other seats.
        for holder in [&mut rules.isa, &mut rules.louis] {
            if holder.seat(None).is_some_and(|seat| seat.number() > players) {
                *holder = Holder::Scenario;
            }
        }
        rules.scenario = scenario_for(players, seed);
        rules
    }

    fn any_action(rng: &mut Pcg32) -> Action {
        let [from, to] = [(); 2].map(|()| Edge::new(small(rng, 109)));
        match small(rng, 9) {
            0 => Action::Own(OwnAction::Boat { edge: to }),
            1 => Action::Own(OwnAction::IsaBoat { edge: to, pay: any_kind(rng) }),
            2 => Action::Own(OwnAction::MoveBoat { from, to }),
            3 => Action::Own(OwnAction::MoveRoad { from, to }),
            4 => Action::Own(OwnAction::Gold { want: any_kind(rng) }),
            5 => Action::Own(OwnAction::Helper { take: Helper::ALL[usize::from(small(rng, 2))] }),
            _ => Action::Island(Base::any_action(rng)),
        }
    }

    fn any_talk(&self, state: &State, seat: Seat, rng: &mut Pcg32) -> Action {
        Action::Island(self.island().any_talk(&state.island, seat, rng))
    }

    fn may_be_unlisted(action: Action) -> bool {
        matches!(action, Action::Island(shared) if Base::may_be_unlisted(shared))
    }

    fn word(action: Action) -> &'static str {
        match action {
            Action::Own(OwnAction::Boat { .. }) => "boat",
            Action::Own(OwnAction::IsaBoat { .. }) => "boat with isa",
            Action::Own(OwnAction::MoveBoat { .. }) => "move boat",
            Action::Own(OwnAction::MoveRoad { .. }) => "move road",
            Action::Own(OwnAction::Gold { .. }) => "gold",
            Action::Own(OwnAction::Helper { .. }) => "helper",
            Action::Island(shared) => Base::word(shared),
        }
    }

    fn hand(state: &State, seat: Seat) -> Resources {
        state.island.hands[seat.idx()]
    }

    fn surely_held(memory: &Memory, seat: Seat) -> Resources {
        memory.surely_held(seat)
    }

    fn target(&self, seat: Seat) -> u8 {
        let four = self.scenario().islands() >= 4;
        self.rules().points_to_win.of(seat) + if four { self.rules().points_more } else { 0 }
    }

    fn on_turn(state: &State) -> Seat {
        state.island.table.active
    }

    fn examine(&self, step: &Step<'_, Boats>) {
        points_have_their_sources(self, step.after);
        boats_change_by_their_own_actions(step);
        helpers_are_taken_and_used(step);
        let pieces = |state: &State| state.island.table.pieces;
        let changed =
            pieces(step.before) != pieces(step.after) || step.before.own != step.after.own;
        let counts = step.action == END || self.rules().route.when == When::AtOnce && changed;
        if changed || counts {
            let chart = Chart::of(self, step.after);
            chart.islands_give_chits();
            if counts {
                route_goes_to_the_longest(self, step, &chart);
            }
        }
        a_broken_route_wins_nothing(self, step.after);
        let route = |state: &State| state.island.table.route;
        assert!(counts || route(step.before) == route(step.after), "who holds the trade route");
        gold_is_earned(self, step);
    }

    /// What this variant lists is what a slow derivation finds.
    fn look(&self, state: &State, legal: &BTreeSet<String>) {
        let due: BTreeSet<String> =
            Chart::of(self, state).choices().iter().map(|action| format!("{action:?}")).collect();
        let own: BTreeSet<String> =
            legal.iter().filter(|action| action.starts_with("Own")).cloned().collect();
        let wrong: Vec<&String> = due.symmetric_difference(&own).take(5).collect();
        assert!(wrong.is_empty(), "{wrong:?} in {:?}", state.island.table.phase);
    }
}

const END: Action = Action::Island(IslandAction::EndTurn);

/// BOAT-30, BOAT-50: the sources make up the points that the tables show.
fn points_have_their_sources(game: &Boats, state: &State) {
    let rules = game.rules();
    for seat in Seat::all(game.players()) {
        let sources = game.points_by_source(state, seat);
        let sum: u8 = sources.iter().sum();
        assert_eq!(sum, Measure::points(game, state, seat), "points of seat {seat}");
        let chits = state.own.chits[seat.idx()] * rules.chit;
        let named: Vec<_> = Boats::SOURCES.iter().zip(&sources).collect();
        assert_eq!(named.len(), sources.len(), "a name for each source");
        assert!(named.contains(&(&"chits", &chits)), "chits of seat {seat}");
    }
}

/// BOAT-11, BOAT-20, BOAT-51: boats come and go by actions of this variant only.
fn boats_change_by_their_own_actions(step: &Step<'_, Boats>) {
    let count = |state: &State| -> u8 { state.own.boats.iter().map(|boats| boats.len()).sum() };
    let more = u8::from(matches!(
        step.action,
        Action::Own(OwnAction::Boat { .. } | OwnAction::IsaBoat { .. })
    ));
    assert_eq!(count(step.after), count(step.before) + more, "boats after {}", step.action);
    let roads = |state: &State| -> u8 {
        state.island.table.pieces.nets.iter().map(|net| net.roads.len()).sum()
    };
    let more = u8::from(matches!(step.action, Action::Island(IslandAction::Road { .. })));
    assert_eq!(roads(step.after), roads(step.before) + more, "roads after {}", step.action);
}

/// BOAT-40 to BOAT-42: a helper is taken once, by an action that takes it; Isa goes by what uses her.
fn helpers_are_taken_and_used(step: &Step<'_, Boats>) {
    let seat = step.before.island.table.active.idx();
    let before = &step.before.own;
    let mut due = (before.isa_left, before.louis, before.choosing);
    match step.action {
        Action::Own(OwnAction::Helper { take }) => {
            assert!(before.choosing[seat], "it has none yet");
            due.2[seat] = false;
            match take {
                Helper::Isa => due.0[seat] = 2,
                Helper::Louis => due.1[seat] = true,
            }
        }
        Action::Own(OwnAction::IsaBoat { .. }) => due.0[seat] -= 1,
        Action::Own(OwnAction::MoveBoat { .. }) if before.moved > 0 => due.0[seat] -= 1,
        _ => {}
    }
    let after = &step.after.own;
    assert_eq!((after.isa_left, after.louis, after.choosing), due, "after {}", step.action);
    let rolls = matches!(step.action, Action::Island(IslandAction::Roll));
    assert!(!rolls || !before.choosing[seat], "a helper is chosen before the roll");
}

/// BOAT-30: who holds the longest trade route keeps it in a tie; without a holder a tie leaves it free.
fn route_goes_to_the_longest(game: &Boats, step: &Step<'_, Boats>, chart: &Chart<'_>) {
    let lengths: Vec<usize> =
        Seat::all(game.players()).map(|seat| chart.longest(seat.idx())).collect();
    let most = lengths.iter().copied().max().unwrap_or(0);
    let long = most >= usize::from(game.rules().route.minimum);
    let longest: Vec<Seat> =
        Seat::all(game.players()).filter(|seat| long && lengths[seat.idx()] == most).collect();
    let before = step.before.island.table.route;
    let holder = match longest[..] {
        _ if before.is_some_and(|seat| longest.contains(&seat)) => before,
        [alone] => Some(alone),
        _ => None,
    };
    assert_eq!(step.after.island.table.route, holder, "the longest trade route, of {lengths:?}");
}

/// BOAT-30: points of a route that is no longer the longest, or too short, are none of those that win.
fn a_broken_route_wins_nothing(game: &Boats, state: &State) {
    let table = &state.island.table;
    let holds = table.route == Some(table.active);
    if table.phase != Phase::Over(End::Won) || !holds {
        return;
    }
    let chart = Chart::of(game, state);
    let length = |seat: Seat| chart.longest(seat.idx());
    let own = length(table.active);
    let kept = own >= usize::from(game.rules().route.minimum)
        && Seat::all(game.players()).all(|seat| length(seat) <= own);
    let points = Measure::points(game, state, table.active);
    let without = points - game.rules().route.points;
    assert!(kept || without >= game.target(table.active), "won by a route of {own}");
}

/// BOAT-2, BOAT-51, BOAT-52: gold comes with uncovered hexes and goes for cards, by nothing else.
fn gold_is_earned(game: &Boats, step: &Step<'_, Boats>) {
    let rules = game.rules().gold;
    let seat = step.before.island.table.active.idx();
    let uncovered = step.before.own.fog.len() - step.after.own.fog.len();
    let mut due = step.before.own.gold;
    due[seat] += uncovered * rules.found;
    if let Action::Own(OwnAction::Gold { want }) = step.action {
        due[seat] -= rules.price;
        let [before, after] = [step.before, step.after].map(|state| state.island.hands[seat]);
        assert_eq!(after, before + Resources::one(want), "a card for gold");
    }
    assert_eq!(step.after.own.gold, due, "gold after {}", step.action);
}

#[test]
fn random_matches_of_boats_keep_the_laws() {
    random_matches_keep_the_laws::<Boats>();
}
