//! Whole random matches: invariants, lists, observations and texts.

use crate::core::chance::{RandomChance, below};
use crate::core::game::{ActionFilter, End, Game, Observation, SeatMemory, Step, Turn};
use crate::core::record::ObservedChance;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::memory::Memory;
use crate::parts::island::rules::{
    AfterTurn, Harbours, Layout, Order, Rules, Shortage, Steal, Tokens,
};
use crate::parts::island::state::State;
use rand_pcg::Pcg32;

struct Match {
    game: Base,
    state: State,
    memories: Vec<Memory>,
    chance: RandomChance,
    rng: Pcg32,
}

impl Match {
    fn deal(rules: Rules, players: u8, seed: u64) -> Match {
        let game = Base::new(rules, players).expect("a rule set that can be played with");
        let mut chance = RandomChance::new(BlockSeed::new(seed, 0));
        let state = game.deal(&mut chance);
        let deal = Step { action: None, chance: &[], after: &state };
        let remembered = |seat| {
            let mut memory = <Memory as SeatMemory<_>>::new(&game, seat);
            deal.remember(&game, seat, &mut memory);
            memory
        };
        let memories = Seat::all(players).map(remembered).collect();
        let rng = BlockSeed::new(seed, 1).stream(Stream::Agent, None, 0);
        Match { game, state, memories, chance, rng }
    }

    fn act(&mut self, action: Action) {
        let before = self.state;
        let mut events = Vec::new();
        let Match { game, memories, chance, .. } = self;
        let listener = |event| events.push(event);
        game.apply(&mut self.state, action, &mut ObservedChance { chance, listener });
        let step = Step { action: Some((&before, action)), chance: &events, after: &self.state };
        for (seat, memory) in Seat::all(game.players()).zip(memories) {
            step.remember(game, seat, memory);
        }
        game.check(&self.state);
    }

    fn look_closely(&mut self, list: &Actions<Action>) {
        let mut other = Actions::new();
        for filter in [ActionFilter::Plain, ActionFilter::NoOffers] {
            self.game.legal(&self.state, filter, &mut other);
            assert!(!other.is_empty() && other.iter().all(|action| list.contains(action)));
        }
        for (at, action) in list.iter().enumerate() {
            assert!(!list[..at].contains(action), "{action} is listed twice");
        }
        let spot = below(&mut self.rng, u32::try_from(list.len()).unwrap()) as usize;
        let text = serde_json::to_string(&list[spot]).unwrap();
        assert_eq!(serde_json::from_str::<Action>(&text).unwrap(), list[spot], "{text}");
        assert_eq!(self.game.permits(&self.state, list[spot]), Ok(()));
        for seat in Seat::all(self.game.players()) {
            let memory = &self.memories[seat.idx()];
            assert_eq!(memory.surely_held(seat), self.state.hands[seat.idx()], "the own hand");
            let view = self.game.view(&self.state, seat);
            let seen = Observation { seat, view, memory };
            let imagined = seen.determinize(&self.game, &mut self.rng);
            self.game.check(&imagined);
            assert_eq!(self.game.view(&imagined, seat), view, "seat {seat}");
        }
    }

    /// Plays to the end; returns the decisions made and how many had one choice.
    fn play(&mut self, filter: ActionFilter, close: u32) -> (u32, u32) {
        let mut list = Actions::new();
        let (mut decisions, mut forced) = (0, 0);
        while let Turn::Decide(_) = self.game.turn(&self.state) {
            self.game.legal(&self.state, filter, &mut list);
            assert!(list.len() <= Base::ACTIONS_MAX);
            if close > 0 && below(&mut self.rng, close) == 0 {
                let mut full = Actions::new();
                self.game.legal(&self.state, ActionFilter::Full, &mut full);
                self.look_closely(&full);
            }
            let spot = below(&mut self.rng, u32::try_from(list.len()).unwrap()) as usize;
            forced += u32::from(list.len() == 1);
            self.act(list[spot]);
            decisions += 1;
            assert!(decisions <= self.game.decisions_max());
        }
        self.game.legal(&self.state, filter, &mut list);
        assert!(list.is_empty(), "a choice after the end");
        (decisions, forced)
    }
}

fn rule_sets() -> Vec<(Rules, u8)> {
    let mut sets: Vec<(Rules, u8)> = (2..=6).map(|players| (Rules::default(), players)).collect();
    for players in 2..=4 {
        sets.push((Rules { island: Layout::Beginner, ..Rules::default() }, players));
    }
    let shuffled =
        Rules { tokens: Tokens::Shuffled, harbours: Harbours::Shuffled, ..Rules::default() };
    sets.push((shuffled.clone(), 4));
    sets.push((shuffled, 6));
    sets.push((Rules { order: Order::Strict, ..Rules::default() }, 4));
    sets.push((Rules { shortage: Shortage::Nobody, bank: 10, ..Rules::default() }, 4));
    let mut rules = Rules::default();
    rules.extension.after_turn = AfterTurn::Paired;
    rules.robber.steal = Steal::May;
    sets.push((rules.clone(), 5));
    sets.push((rules.clone(), 6));
    rules.robber.spares_below = 3;
    rules.robber.hand_limit = 3;
    sets.push((rules, 4));
    sets
}

#[test]
fn every_table_plays_to_an_end_and_stays_sound() {
    for (at, (rules, players)) in rule_sets().into_iter().enumerate() {
        for (filter, close) in [(ActionFilter::NoOffers, 8), (ActionFilter::Full, 32)] {
            let mut played = Match::deal(rules.clone(), players, 7 + at as u64);
            played.play(filter, close);
            let outcome = played.game.outcome(&played.state);
            assert_eq!(outcome.end == End::Won, outcome.winner.is_some());
        }
    }
}

#[test]
fn random_matches_are_as_long_as_those_of_other_programs() {
    let matches = 40;
    let (mut turns, mut decisions, mut forced) = (0, 0, 0);
    for seed in 0..matches {
        let mut played = Match::deal(Rules::default(), 4, seed);
        let (all, only) = played.play(ActionFilter::NoOffers, 0);
        turns += u32::from(played.state.table.turn);
        decisions += all;
        forced += only;
    }
    // Others report 317 to 342 turns, about 1,070 decisions, 56 % of them forced.
    let mean = |sum: u32| f64::from(sum) / f64::from(u32::try_from(matches).unwrap());
    assert!((290.0..360.0).contains(&mean(turns)), "{} turns", mean(turns));
    assert!((950.0..1150.0).contains(&mean(decisions)), "{} decisions", mean(decisions));
    let share = f64::from(forced) / f64::from(decisions);
    assert!((0.53..0.59).contains(&share), "{share} forced");
}
