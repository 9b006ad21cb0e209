//! What On the Road hides: cards in hands and in the pile. Two of them change places.

use crate::{Hidden, below, matches};
use fairhaven::core::chance::ChanceEvent;
use fairhaven::core::game::Game;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::Action;
use fairhaven::games::on_the_road::cards::{CardSet, Hand, kind_of};
use fairhaven::games::on_the_road::luck::Draw;
use fairhaven::games::on_the_road::memory::Memory;
use fairhaven::games::on_the_road::rules::{Discards, Rules, Side};
use fairhaven::games::on_the_road::state::State;
use rand_pcg::Pcg32;

fn bits(set: CardSet) -> impl Iterator<Item = u8> {
    (0..64).filter(move |card| set >> card & 1 == 1)
}

impl Hidden for OnTheRoad {
    const HONEST: &'static [&'static str] = &[
        "random",
        "builder",
        "drifter",
        "greedy",
        "heuristic",
        "skilled",
        "mcts:iterations=12",
        "mcts:iterations=8:opponents=heuristic:truncation=2",
        "heuristic:temperature=0.05:lapse=0.2",
        "mcts:iterations=8:temperature=0.1:lapse=0.2",
    ];
    const LENGTH: u32 = 500;
    /// The cards that have changed places.
    type Change = [u8; 2];
    const OTHER_LUCK: [u8; 2] = [u8::MAX; 2];

    /// Two cards that a seat has not seen, of different kinds and in different places, change places.
    fn change(
        &self,
        state: &State,
        memory: &Memory,
        seat: Seat,
        rng: &mut Pcg32,
    ) -> Option<(State, [u8; 2])> {
        let mut unseen: Vec<(usize, u8)> = bits(state.pile).map(|card| (9, card)).collect();
        for other in Seat::all(self.players()).filter(|&other| other != seat) {
            let mut sure = memory.surely_held(other).counts();
            for card in bits(state.hands[other.idx()].cards()) {
                let sure = &mut sure[kind_of(card).idx()];
                if *sure == 0 {
                    unseen.push((other.idx(), card));
                }
                *sure = sure.saturating_sub(1);
            }
        }
        let fits = |a: (usize, u8), b: (usize, u8)| a.0 != b.0 && kind_of(a.1) != kind_of(b.1);
        let hidden: Vec<(usize, u8)> = unseen.iter().copied().filter(|card| card.0 != 9).collect();
        if hidden.is_empty() {
            return None;
        }
        for _ in 0..20 {
            let a = hidden[below(rng, hidden.len())];
            let b = unseen[below(rng, unseen.len())];
            if fits(a, b) {
                let mut state = *state;
                let both: CardSet = 1 << a.1 | 1 << b.1;
                let swap = |hand: &mut Hand| *hand = Hand::of(hand.cards() ^ both);
                swap(&mut state.hands[a.0]);
                match state.hands.get_mut(b.0) {
                    Some(hand) => swap(hand),
                    None => state.pile ^= both,
                }
                return Some((state, [a.1, b.1]));
            }
        }
        None
    }

    /// Twins are made of swapped cards alone.
    fn is_unseen(&self, _: &State, _: Action, _: Seat, _: &ChanceEvent<Draw>) -> bool {
        false
    }

    /// Draws are repeated under the cards' other names, unless the seat itself draws one of them.
    fn echo(
        [a, b]: [u8; 2],
        seat: Seat,
        _unseen: bool,
        event: &ChanceEvent<Draw>,
        _possible: &[u8],
    ) -> Option<u8> {
        let other = match event.outcome {
            card if card == a => b,
            card if card == b => a,
            card => card,
        };
        match event.draw {
            Draw::Card(..) if other == event.outcome => Some(other),
            Draw::Card(drawer, _) => (drawer != seat).then_some(other),
            _ => Some(event.outcome),
        }
    }

    fn shows(&self, _: Seat, _: &State, _: &State, _: Action) -> bool {
        false
    }
}

#[test]
fn twins_of_four() {
    matches::<OnTheRoad>(&Rules::default(), 4, 0..4);
}

#[test]
fn twins_of_three_with_hidden_discards() {
    let mut rules = Rules { side: Side::B, ..Rules::default() };
    rules.robber.discards = Discards::Hidden;
    rules.robber.hand_limit = 3;
    matches::<OnTheRoad>(&rules, 3, 10..14);
}

#[test]
fn twins_with_bluffs() {
    let mut rules = Rules { side: Side::Mixed, ..Rules::default() };
    rules.trade.bluff = true;
    matches::<OnTheRoad>(&rules, 3, 20..24);
}
