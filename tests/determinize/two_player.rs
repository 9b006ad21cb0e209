//! CATAN for two: both players know every resource card, forced trades included; the opponent's development cards are
//! any that are unseen, given that it did not have the points when its last turn ended.

use crate::fit::Fit;
use fairhaven::core::chance::{ChanceEvent, RandomChance};
use fairhaven::core::game::{ActionFilter, Game, Observation, SeatMemory, Step, Turn};
use fairhaven::core::record::ObservedChance;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::games::two_player::action::Action;
use fairhaven::games::two_player::rules::Rules;
use fairhaven::games::two_player::state::{Owed, State};
use fairhaven::parts::island::action::Action as Shared;
use fairhaven::parts::island::cards::Cards;
use fairhaven::parts::island::luck::Draw;
use fairhaven::parts::island::memory::Memory;
use rand_core::Rng;
use rand_pcg::Pcg32;
use std::collections::BTreeMap;

const SAMPLES: u32 = 20_000;
const TARGET: u8 = 7;

/// A random match that an observer follows.
struct Followed {
    game: TwoPlayer,
    state: State,
    me: Seat,
    memory: Memory,
    chance: RandomChance,
    rng: Pcg32,
    /// Points that the opponent showed when its last turn ended.
    shown: u8,
}

impl Followed {
    fn deal(seed: u64, me: Seat) -> Followed {
        let mut rules = Rules { points_to_win: TARGET.into(), ..Rules::default() };
        rules.trade.proposals_max = 0;
        // Cheap cards, so that hands of them are large.
        rules.cost.card.ore = 0;
        rules.cost.card.wool = 0;
        let game = TwoPlayer::new(rules, 2).unwrap();
        let mut chance = RandomChance::new(BlockSeed::new(seed, 0));
        let state = game.deal(&mut chance);
        let memory = Memory::new(&game, me);
        let mut followed =
            Followed { game, state, me, memory, chance, rng: Pcg32::new(seed, 5), shown: 0 };
        let deal = Step { action: None, chance: &[], after: &followed.state };
        deal.remember(&followed.game, me, &mut followed.memory);
        followed
    }

    /// Takes a random action; the one taken, or nothing if the match is over.
    fn act(&mut self) -> Option<Action> {
        let Turn::Decide(seat) = self.game.turn(&self.state) else { return None };
        let mut legal = Actions::new();
        self.game.legal(&self.state, ActionFilter::Full, &mut legal);
        let count = u32::try_from(legal.len()).unwrap();
        let action = legal[(self.rng.next_u32() % count) as usize];
        if seat != self.me && action == Action::Island(Shared::EndTurn) {
            self.shown = self.state.island.table.points(self.game.island(), seat);
        }
        let before = self.state;
        let mut events: Vec<ChanceEvent<Draw>> = Vec::new();
        let listener = |event| events.push(event);
        let mut chance = ObservedChance { chance: &mut self.chance, listener };
        self.game.apply(&mut self.state, action, &mut chance);
        let step = Step { action: Some((&before, action)), chance: &events, after: &self.state };
        step.remember(&self.game, self.me, &mut self.memory);
        Some(action)
    }

    fn imagined(&self, samples: u32) -> impl Iterator<Item = State> {
        let view = self.game.view(&self.state, self.me);
        let seen = Observation { seat: self.me, view, memory: &self.memory };
        let mut rng = Pcg32::new(u64::from(samples), 9);
        (0..samples).map(move |_| seen.determinize(&self.game, &mut rng))
    }
}

/// The number of ways to choose `k` of `n` physical cards.
fn ways(n: u8, k: u8) -> f64 {
    (0..k).map(|at| f64::from(n - at) / f64::from(at + 1)).product()
}

/// All hands of a size out of unseen cards, with their weights; of the last kind, points, `most` at most.
fn hands(unseen: Cards, size: u8, most: u8) -> BTreeMap<Cards, f64> {
    let mut all: BTreeMap<Cards, f64> = BTreeMap::from([([0; 5], 1.0)]);
    for kind in 0..5 {
        let mut next = BTreeMap::new();
        for (hand, weight) in all {
            for count in 0..=unseen[kind].min(if kind == 4 { most } else { size }) {
                let mut hand = hand;
                hand[kind] = count;
                next.insert(hand, weight * ways(unseen[kind], count));
            }
        }
        all = next;
    }
    all.into_iter().filter(|(hand, _)| hand.iter().sum::<u8>() == size).collect()
}

#[test]
fn both_know_every_resource_card() {
    let mut trades = 0;
    for seed in 0..6 {
        let mut followed = Followed::deal(seed, Seat::all(2).nth((seed % 2) as usize).unwrap());
        while followed.act().is_some() {
            trades += u32::from(followed.state.own.owed == Owed::Cards);
            let imagined = followed.imagined(1).next().unwrap();
            assert_eq!(imagined.island.hands, followed.state.island.hands);
            assert_eq!(imagined.own, followed.state.own);
        }
    }
    assert!(trades > 10, "{trades} forced trades");
}

#[test]
fn the_opponents_cards_are_any_that_are_unseen() {
    let (mut compared, mut bound) = (0, 0);
    for seed in 100..160 {
        let me = Seat::FIRST;
        let mut followed = Followed::deal(seed, me);
        while let Some(action) = followed.act() {
            let table = &followed.state.island.table;
            let begins = action == Action::Island(Shared::EndTurn) && table.active == me;
            let held = followed.state.island.cards[1];
            let size = held.iter().sum();
            if !begins || size < 2 || matches!(followed.game.turn(&followed.state), Turn::Over) {
                continue;
            }
            let mut unseen = followed.state.island.deck;
            for (unseen, held) in unseen.iter_mut().zip(held) {
                *unseen += held;
            }
            let most = TARGET - 1 - followed.shown;
            let possible = hands(unseen, size, most);
            // In every other match, only a position in which the points that it lacks say something.
            let says = most < size.min(unseen[4]);
            if possible.len() < 2 || seed % 2 == 1 && !says {
                continue;
            }
            bound += u32::from(says);
            let mut found: BTreeMap<Cards, u32> = BTreeMap::new();
            for state in followed.imagined(SAMPLES) {
                *found.entry(state.island.cards[1]).or_default() += 1;
            }
            assert!(found.keys().all(|hand| possible.contains_key(hand)), "{found:?}");
            let all: f64 = possible.values().sum();
            let cells = possible
                .iter()
                .map(|(hand, weight)| (weight / all, found.get(hand).copied().unwrap_or(0)));
            Fit::new(cells, SAMPLES).assert_good("the opponent's cards");
            compared += 1;
            break;
        }
    }
    assert!(compared > 20 && bound > 0, "{compared} positions, {bound} with a bound on points");
}
