//! What base CATAN hides: kinds of stolen cards, development cards that others bought, cards chosen on a 7
//! and not yet shown.

use crate::{Hidden, below, matches};
use fairhaven::core::chance::ChanceEvent;
use fairhaven::core::game::Game;
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::types::seat::Seat;
use fairhaven::games::base::Base;
use fairhaven::parts::island::action::Action;
use fairhaven::parts::island::cards::Card;
use fairhaven::parts::island::luck::Draw;
use fairhaven::parts::island::memory::Memory;
use fairhaven::parts::island::rules::{AfterTurn, Order, Rules};
use fairhaven::parts::island::state::{Phase, State};
use rand_pcg::Pcg32;

/// Another seat's unplayed card changes places with one of the deck or of a third seat's hand.
fn swap_cards(game: &Base, state: &State, seat: Seat, rng: &mut Pcg32) -> Option<State> {
    let others: Vec<usize> =
        Seat::all(game.players()).filter(|&other| other != seat).map(Seat::idx).collect();
    let from = others[below(rng, others.len())];
    let to = others[below(rng, others.len())];
    let (a, b) = (below(rng, Card::COUNT), below(rng, Card::COUNT));
    let mut twin = *state;
    // What was bought just now is counted apart; it is left where it is.
    let fresh = |of: usize, kind: usize| {
        if state.table.active.idx() == of { state.fresh[kind] } else { 0 }
    };
    let in_deck = to == from;
    let there = if in_deck { state.deck[b] } else { state.cards[to][b] - fresh(to, b) };
    if a == b || there == 0 || state.cards[from][a] == fresh(from, a) {
        return None;
    }
    twin.cards[from][a] -= 1;
    twin.cards[from][b] += 1;
    let other = if in_deck { &mut twin.deck } else { &mut twin.cards[to] };
    other[b] -= 1;
    other[a] += 1;
    // Nobody who would have won sits there and waits.
    let target = game.rules().points_to_win;
    others
        .iter()
        .all(|&of| {
            let of = Seat::all(6).nth(of).expect("a seat");
            twin.points(game, of) < target.of(of)
        })
        .then_some(twin)
}

/// A card that another seat has chosen to return is another one of its hand.
fn choose_otherwise(game: &Base, state: &State, seat: Seat, rng: &mut Pcg32) -> Option<State> {
    let Phase::Discard { .. } = state.table.phase else { return None };
    let others: Vec<usize> =
        Seat::all(game.players()).filter(|&other| other != seat).map(Seat::idx).collect();
    let of = others[below(rng, others.len())];
    let (a, b) = (below(rng, Resource::COUNT), below(rng, Resource::COUNT));
    let [a, b] = [a, b].map(|kind| Resource::ALL[kind]);
    let (hand, chosen) = (state.hands[of], state.chosen[of]);
    if a == b || chosen.get(a) == 0 || hand.get(b) == chosen.get(b) {
        return None;
    }
    let mut twin = *state;
    twin.chosen[of] = chosen - Resources::one(a) + Resources::one(b);
    Some(twin)
}

impl Hidden for Base {
    const HONEST: &'static [&'static str] = &[
        "random",
        "greedy",
        "heuristic",
        "mcts:iterations=12",
        "mcts:iterations=8:opponents=heuristic:truncation=2",
        "heuristic:temperature=0.05:lapse=0.2",
        "mcts:iterations=8:temperature=0.1:lapse=0.2",
    ];
    const LENGTH: u32 = 1500;
    type Change = ();
    const OTHER_LUCK: () = ();

    fn change(
        &self,
        state: &State,
        _memory: &Memory,
        seat: Seat,
        rng: &mut Pcg32,
    ) -> Option<(State, ())> {
        let tries = (0..20).find_map(|_| {
            choose_otherwise(self, state, seat, rng).or_else(|| swap_cards(self, state, seat, rng))
        });
        tries.map(|state| (state, ()))
    }

    /// A stolen card is seen by thief and victim, a bought one by the buyer; everything else by all.
    fn is_unseen(
        &self,
        before: &State,
        action: Action,
        seat: Seat,
        event: &ChanceEvent<Draw>,
    ) -> bool {
        let active = before.table.active == seat;
        match (event.draw, action) {
            (Draw::Steal(_), Action::Robber { victim, .. }) => !active && victim != Some(seat),
            (Draw::Card, _) => !active,
            _ => false,
        }
    }

    /// What the seat sees stays the same; so does what it doesn't see, if that is possible.
    fn echo(
        (): (),
        _seat: Seat,
        unseen: bool,
        event: &ChanceEvent<Draw>,
        possible: &[u8],
    ) -> Option<u8> {
        let same = possible.contains(&event.outcome);
        if unseen && !same { possible.first().copied() } else { same.then_some(event.outcome) }
    }

    /// Monopoly shows who had how many, and the last card returned shows what all have chosen.
    fn shows(&self, _: Seat, here: &State, there: &State, action: Action) -> bool {
        match (action, here.table.phase) {
            (Action::Monopoly { kind }, _) => {
                let count = |state: &State| state.hands.map(|hand| hand.get(kind));
                count(here) != count(there)
            }
            (Action::Discard { .. }, Phase::Discard { owed: 1, .. }) => {
                here.table.pending == 0 && here.chosen != there.chosen
            }
            _ => false,
        }
    }
}

fn lucky(rules: &Rules, players: u8, numbers: std::ops::Range<u64>) {
    let tally = matches::<Base>(rules, players, numbers);
    assert!(tally.lucky > 20, "{tally:?}");
}

#[test]
fn twins_of_four() {
    lucky(&Rules::default(), 4, 0..4);
}

#[test]
fn twins_of_three_in_strict_turns_that_discard_often() {
    let mut rules = Rules { order: Order::Strict, ..Rules::default() };
    rules.robber.hand_limit = 3;
    lucky(&rules, 3, 10..14);
}

#[test]
fn twins_of_five_and_six() {
    let mut rules = Rules::default();
    lucky(&rules, 5, 20..22);
    rules.extension.after_turn = AfterTurn::Paired;
    lucky(&rules, 6, 30..32);
}
