//! The laws of Struggle for Catan: rule sets, actions, where its cards are, and what changes hands.

use crate::random::{any_bundle, any_kind, any_seat, below, one_in, small};
use crate::struggle_choices::Chooser;
use crate::{Lawful, Step, random_matches_keep_the_laws};
use fairhaven::core::chance::RandomChance;
use fairhaven::core::game::Game;
use fairhaven::core::measure::Measure;
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::struggle::action::{Action, Partner};
use fairhaven::games::struggle::cards::{Card, Expansion};
use fairhaven::games::struggle::memory::Memory;
use fairhaven::games::struggle::rules::{Chosen, Rules};
use fairhaven::games::struggle::state::{Area, Phase, State};
use fairhaven::parts::bundles::Bundle;
use rand_pcg::Pcg32;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

impl Lawful for Struggle {
    const COMES: &'static [&'static str] = &[
        "draw cards",
        "end turn",
        "build road",
        "build knight",
        "build settlement",
        "build city",
        "build expansion",
        "take by the guild",
        "trade with the stack",
        "trade with the market",
        "trade with a seat",
        "trade by the library",
        "take one",
        "return one",
        "keep",
        "flip the card",
        "discard one",
        "draw more",
        "won",
        "turn_limit",
        // Phases.
        "act",
        "take",
        "choose",
        "return",
        "flip",
        "discard",
        "extra",
    ];
    const ROUNDS: u64 = 60_000;
    const TABLES: &'static [RangeInclusive<u8>] = &[2..=2, 3..=3, 4..=4, 5..=5, 6..=6];

    /// The same rule set with enough cards to begin with.
    fn playable(mut rules: Rules, players: u8, _seed: u64) -> Rules {
        let at = usize::from(players) - 2;
        for in_play in [&mut rules.road.in_play, &mut rules.settlement.in_play] {
            in_play[at] = in_play[at].max(players);
        }
        let sides = rules.settlement.in_play[at];
        let brigands = &mut rules.brigands.in_play[at];
        *brigands = (*brigands).min(sides);
        rules
    }

    fn any_action(rng: &mut Pcg32) -> Action {
        let card = any_kind(rng);
        let cards = small(rng, 5);
        match below(rng, 16) {
            0 => [Action::Draw, Action::EndTurn][below(rng, 2)],
            1..=4 => {
                Action::Build { card: Card::ALL[below(rng, Card::COUNT)], pay: any_bundle(rng) }
            }
            5 => Action::Rob { from: any_seat(rng) },
            6..=8 => {
                let seat = Partner::Seat(any_seat(rng));
                let with = [Partner::Stack, Partner::Market, seat, seat][below(rng, 4)];
                Action::Trade { with, cards, choose: one_in(rng, 3) }
            }
            9 | 10 => Action::Take { card },
            11 | 12 => Action::Return { card },
            13 => [Action::Keep, Action::Flip][below(rng, 2)],
            14 => Action::Discard { card },
            _ => Action::Extra { cards },
        }
    }

    /// A build that is paid in any way, which may be one of too many to list.
    fn any_talk(&self, state: &State, seat: Seat, rng: &mut Pcg32) -> Action {
        let pay = state.hands[seat.idx()].counts();
        let pay = pay.map(|held| small(rng, held.min(Bundle::KIND_MAX) + 1));
        let card = Card::ALL[below(rng, Card::COUNT)];
        Action::Build { card, pay: Bundle::new(Resources::new(pay)) }
    }

    fn may_be_unlisted(action: Action) -> bool {
        matches!(action, Action::Build { .. })
    }

    fn word(action: Action) -> &'static str {
        match action {
            Action::Draw => "draw cards",
            Action::EndTurn => "end turn",
            Action::Build { card, .. } => match card {
                Card::Road => "build road",
                Card::Knight => "build knight",
                Card::Settlement => "build settlement",
                Card::City => "build city",
                _ => "build expansion",
            },
            Action::Rob { .. } => "take by the guild",
            Action::Trade { choose: true, .. } => "trade by the library",
            Action::Trade { with: Partner::Stack, .. } => "trade with the stack",
            Action::Trade { with: Partner::Market, .. } => "trade with the market",
            Action::Trade { with: Partner::Seat(_), .. } => "trade with a seat",
            Action::Take { .. } => "take one",
            Action::Return { .. } => "return one",
            Action::Keep => "keep",
            Action::Flip => "flip the card",
            Action::Discard { .. } => "discard one",
            Action::Extra { .. } => "draw more",
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
        state.table.current
    }

    fn examine(&self, step: &Step<'_, Struggle>) {
        conserves_cards(self, step.after);
        points_have_five_parts(self, step.after);
        rows_change_by_building_alone(self, step);
        hands_change_as_they_may(self, step);
        brigands_leave_small_hands(self, step);
    }

    fn look(&self, state: &State, legal: &BTreeSet<String>) {
        let due = Chooser::new(self, state).all();
        let due: BTreeSet<String> = due.iter().map(|action| format!("{action:?}")).collect();
        let wrong: Vec<&String> = due.symmetric_difference(legal).take(5).collect();
        assert!(wrong.is_empty(), "{wrong:?} in {:?}", state.table.phase);
    }
}

/// SFC-1, SFC-3, SFC-92: every resource card is in one place; building cards are in a stack or before a player.
fn conserves_cards(game: &Struggle, state: &State) {
    let (rules, table) = (game.rules(), &state.table);
    let at = usize::from(game.players()) - 2;
    for (kind, count) in Resource::ALL.into_iter().zip([11, 11, 15, 14, 16]) {
        let hands: u8 = state.hands.iter().map(|hand| hand.get(kind)).sum();
        let elsewhere = [table.market, table.discards, state.pile].map(|place| place.get(kind));
        let all = hands + elsewhere.iter().sum::<u8>();
        assert_eq!(all, count * rules.resource_copies[at], "{kind} cards");
    }
    let sum = |count: fn(&Area) -> u8| table.areas.iter().map(count).sum::<u8>();
    assert_eq!(table.roads + sum(|area| area.roads), rules.road.in_play[at], "roads");
    assert_eq!(table.knights + sum(|area| area.knights), rules.knight.in_play[at], "knights");
    let cities = |area: &Area| area.cities + u8::try_from(area.expansions.count_ones()).unwrap();
    let settled = sum(|area| area.settlements) + table.areas.iter().map(cities).sum::<u8>();
    assert_eq!(table.settlements + settled, rules.settlement.in_play[at], "settlements");
    assert!(table.market.total() <= 5, "a market of five");
}

/// SFC-90: five parts make up the points that the tables show.
fn points_have_five_parts(game: &Struggle, state: &State) {
    for seat in Seat::all(game.players()) {
        let area = &state.table.areas[seat.idx()];
        let cards = game.rules().expansion_cards();
        let held = Expansion::ALL.into_iter().filter(|&kind| area.has(kind));
        let expansions: u8 = held.map(|kind| cards[kind.idx()].points).sum();
        // Of each row every second card shows its B side.
        let rows = (1..=area.roads).filter(|place| place % 2 == 0).count()
            + (1..=area.knights).filter(|place| place % 2 == 0).count();
        let due = area.settlements + 2 * area.cities + expansions + u8::try_from(rows).unwrap();
        assert_eq!(game.points(state, seat), due, "points of seat {seat}");
        let told = game.points_by_source(state, seat);
        assert_eq!(told.len(), Struggle::SOURCES.len(), "a number for each source");
        let told: u8 = told.iter().sum();
        assert_eq!(told, due, "points of seat {seat} by source");
    }
}

/// SFC-43 to SFC-46, SFC-60, SFC-61: a build changes one thing before the builder, and takes one card of another
/// row if the stack has none.
fn rows_change_by_building_alone(game: &Struggle, step: &Step<'_, Struggle>) {
    let (before, after) = (&step.before.table, &step.after.table);
    let Action::Build { card, .. } = step.action else {
        assert_eq!(before.areas, after.areas, "cards lie where they were built");
        return;
    };
    let builder = before.current;
    let mut due = before.areas;
    let own = &mut due[builder.idx()];
    match card {
        Card::Road | Card::Knight => {
            let row = |area: &mut Area| if card == Card::Road { area.roads } else { area.knights };
            let from = crate::struggle_choices::row_to_take_from(game, step.before, card);
            let left = if card == Card::Road { before.roads } else { before.knights };
            let change = |area: &mut Area, by: i8| {
                let count = row(area).checked_add_signed(by).unwrap();
                *(if card == Card::Road { &mut area.roads } else { &mut area.knights }) = count;
            };
            if left > 0 || from.is_some() {
                change(own, 1);
            }
            if let (0, Some(loser)) = (left, from) {
                change(&mut due[loser], -1);
            }
        }
        Card::Settlement => own.settlements += 1,
        Card::City => (own.settlements, own.cities) = (own.settlements - 1, own.cities + 1),
        _ => {
            own.cities -= 1;
            let bit = card.expansion().unwrap().bit();
            assert_eq!(own.expansions & bit, 0, "nobody has two of a kind");
            own.expansions |= bit;
        }
    }
    assert_eq!(after.areas, due, "{}", step.action);
}

/// SFC-31 to SFC-35, SFC-51, SFC-71: how many cards each action takes from another hand, or puts there.
fn hands_change_as_they_may(game: &Struggle, step: &Step<'_, Struggle>) {
    let table = &step.before.table;
    let with = |seat: Seat| table.lot.with == Partner::Seat(seat);
    let first = game.rules().library.chosen == Chosen::First;
    for seat in Seat::all(game.players()).filter(|&seat| seat != table.current) {
        let (taken, put) = match (step.action, table.phase) {
            (Action::Trade { with: Partner::Seat(other), cards, choose }, _) if other == seat => {
                let chosen_first = if first { 0 } else { cards - 1 };
                (if choose { chosen_first } else { cards }, 0)
            }
            (Action::Take { .. }, _) if with(seat) => (if first { table.lot.cards } else { 1 }, 0),
            (Action::Return { .. }, _) if with(seat) => (0, 1),
            (Action::Rob { from }, _) if from == seat => (1, 0),
            (_, Phase::Discard { seat: who, .. }) if who == seat => (1, 0),
            _ => (0, 0),
        };
        let [was, is] = [step.before, step.after].map(|state| state.hands[seat.idx()].total());
        assert_eq!(is + taken, was + put, "the hand of seat {seat} after {}", step.action);
    }
}

/// SFC-51: after an attack nobody has more cards than are safe.
fn brigands_leave_small_hands(game: &Struggle, step: &Step<'_, Struggle>) {
    let attacked = matches!(step.before.table.phase, Phase::Discard { .. });
    if attacked && !matches!(step.after.table.phase, Phase::Discard { .. }) {
        let limit = game.rules().brigands.hand_limit;
        assert!(step.after.hands.iter().all(|hand| hand.total() <= limit), "a hand is too large");
    }
}

#[test]
fn random_matches_of_struggle_keep_the_laws() {
    random_matches_keep_the_laws::<Struggle>();
}

fn dealt() -> (Struggle, State) {
    let game = Struggle::new(Rules::default(), 4).expect("rules in range");
    let state = game.deal(&mut RandomChance::new(BlockSeed::new(1, 1)));
    game.check(&state);
    (game, state)
}

#[test]
#[should_panic(expected = "every resource card is in one place")]
fn a_lost_card_is_noticed() {
    let (game, mut state) = dealt();
    state.hands[1] = Resources::NONE;
    game.check(&state);
}

#[test]
#[should_panic(expected = "knights (SFC-3)")]
fn a_knight_from_nowhere_is_noticed() {
    let (game, mut state) = dealt();
    state.table.areas[1].knights += 1;
    game.check(&state);
}
