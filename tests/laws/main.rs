//! Laws that hold in every position of every match: random matches by random rule sets, for each game.
//!
//! `FAIRHAVEN_DECISIONS` says how many random decisions are made of each game, such as `10m`, or for each number
//! of players where a game looks at them by themselves; the default is a game's own.

#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod base;
mod boats;
mod choices;
mod counts;
mod fields;
mod island;
mod on_the_road;
mod planners;
mod random;
mod rule_sets;
mod styles;
mod scenarios;
mod sea;
mod struggle;
mod struggle_choices;
mod two_player;

use crate::random::{below, one_in};
use fairhaven::core::chance::{ChanceEvent, RandomChance, ScriptedChance};
use fairhaven::core::game::{
    self, ActionFilter, End, Game, Observation, SeatMemory, Turn, try_apply,
};
use fairhaven::core::measure::Measure;
use fairhaven::core::record::ObservedChance;
use fairhaven::core::resources::Resources;
use fairhaven::core::seed::{BlockSeed, Stream};
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::core::wording::Wording;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand_pcg::Pcg32;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Mutex;

/// Parts that the decisions are split into; each is the same on any number of cores.
const SHARDS: u8 = 16;

/// One decision in this number is looked at closely.
const CLOSE: u32 = 16;

/// Actions that nobody listed, tried at each close look.
const ARBITRARY: usize = 6;

/// One random match.
#[derive(Debug, Clone)]
struct Case<R> {
    rules: R,
    players: u8,
    seed: u64,
    /// Whether every decision is uniform over the full list; otherwise filters keep matches moving.
    uniform: bool,
}

/// One decision and its result.
struct Step<'a, G: Game> {
    before: &'a G::State,
    action: G::Action,
    /// The luck that it used.
    events: &'a [ChanceEvent<G::Draw>],
    after: &'a G::State,
}

/// What the laws have to know of a game, and the laws of its own.
trait Lawful: Measure + Wording {
    /// What has to occur more than a few times: actions, phases, ends.
    const COMES: &'static [&'static str];
    /// The default number of random decisions.
    const ROUNDS: u64;

    /// Numbers of players that are looked at by themselves, with as many decisions for each.
    const TABLES: &'static [RangeInclusive<u8>] = &[Self::PLAYERS];

    /// A rule set, each of whose fields is in its range, as one that can be played with.
    fn playable(rules: Self::Rules, _players: u8, _seed: u64) -> Self::Rules {
        rules
    }

    /// Any action that can be written down, sensible here or not.
    fn any_action(rng: &mut Pcg32) -> Self::Action;

    /// An offer or a counter that fits the position more or less, and that need not be listed.
    fn any_talk(&self, state: &Self::State, seat: Seat, rng: &mut Pcg32) -> Self::Action;

    /// Whether an action may be lawful without being listed.
    fn may_be_unlisted(action: Self::Action) -> bool;

    /// The word for an action in [`Lawful::COMES`].
    fn word(action: Self::Action) -> &'static str;

    /// Resource cards in a hand.
    fn hand(state: &Self::State, seat: Seat) -> Resources;

    /// Cards that a seat surely holds, by a seat's memory.
    fn surely_held(memory: &Self::Memory, seat: Seat) -> Resources;

    /// Points that win, for a seat.
    fn target(&self, seat: Seat) -> u8;

    /// The winner, if the match is won here.
    fn on_turn(state: &Self::State) -> Seat;

    /// Laws of a decision.
    fn examine(&self, step: &Step<'_, Self>);

    /// Laws of a position and its full legal list.
    fn look(&self, _state: &Self::State, _legal: &BTreeSet<String>) {}
}

/// One match with all that is kept beside it.
struct Match<G: Game> {
    game: G,
    /// The same table with nothing but the rules in effect.
    in_effect: G,
    state: G::State,
    memories: Vec<G::Memory>,
    chance: RandomChance,
    rng: Pcg32,
    legal: Box<Actions<G::Action>>,
    other: Box<Actions<G::Action>>,
    decisions: u32,
}

/// What occurred in the random matches, so that nobody mistakes a narrow run for a wide one.
type Coverage = BTreeMap<&'static str, u64>;

impl<G: Lawful> Match<G> {
    fn deal(case: &Case<G::Rules>) -> Match<G> {
        let game = G::new(case.rules.clone(), case.players).expect("rules in range");
        let seed = BlockSeed::new(case.seed, 1);
        let mut chance = RandomChance::new(seed);
        let mut events = Vec::new();
        let listener = |event| events.push(event);
        let state = game.deal(&mut ObservedChance { chance: &mut chance, listener });
        let deal = game::Step { action: None, chance: &events, after: &state };
        let remembered = |seat| {
            let mut memory = G::Memory::new(&game, seat);
            deal.remember(&game, seat, &mut memory);
            memory
        };
        let memories = Seat::all(case.players).map(remembered).collect();
        game.check(&state);
        let in_effect = G::new(game.in_effect(), case.players).expect("rules in effect");
        assert_eq!(in_effect.deal(&mut RandomChance::new(seed)), state, "another deal");
        assert_eq!(in_effect.in_effect(), *in_effect.rules(), "nothing is left to set");
        let rng = seed.stream(Stream::Agent, None, 0);
        let (legal, other) = (Box::default(), Box::default());
        Match { game, in_effect, state, memories, chance, rng, legal, other, decisions: 0 }
    }

    /// Plays to the end; returns the decisions made.
    fn play(mut self, uniform: bool, coverage: &mut Coverage) -> u32 {
        while let Turn::Decide(seat) = self.game.turn(&self.state) {
            self.game.legal(&self.state, ActionFilter::Full, &mut self.legal);
            assert!(!self.legal.is_empty(), "nothing to choose from");
            assert!(self.legal.len() <= G::ACTIONS_MAX, "a list too long");
            self.check_entry();
            if one_in(&mut self.rng, CLOSE) {
                self.look_closely(seat);
            }
            *coverage.entry(self.game.phase_name(&self.state)).or_default() += 1;
            let action = self.choose(seat, uniform);
            self.act(action);
            *coverage.entry(G::word(action)).or_default() += 1;
            self.decisions += 1;
            assert!(self.decisions <= self.game.decisions_max(), "the match does not end");
        }
        self.game.legal(&self.state, ActionFilter::Full, &mut self.legal);
        assert!(self.legal.is_empty(), "a choice after the end");
        let outcome = self.game.outcome(&self.state);
        assert_eq!(outcome.end == End::Won, outcome.winner.is_some());
        if let Some(winner) = outcome.winner {
            assert!(outcome.points[winner.idx()] >= self.game.target(winner));
            assert_eq!(winner, G::on_turn(&self.state));
        }
        *coverage.entry(outcome.end.name()).or_default() += 1;
        self.decisions
    }

    fn choose(&mut self, seat: Seat, uniform: bool) -> G::Action {
        if one_in(&mut self.rng, 8) {
            let unlisted = self.game.any_talk(&self.state, seat, &mut self.rng);
            if self.game.permits(&self.state, unlisted).is_ok() {
                return unlisted;
            }
        }
        if !uniform && !one_in(&mut self.rng, 4) {
            let filter = [ActionFilter::Plain, ActionFilter::NoOffers][below(&mut self.rng, 2)];
            self.game.legal(&self.state, filter, &mut self.legal);
        }
        self.legal[below(&mut self.rng, self.legal.len())]
    }

    /// Counts, an entry and a draw are those of the list.
    fn check_entry(&mut self) {
        for filter in [ActionFilter::Plain, ActionFilter::NoOffers, ActionFilter::Full] {
            self.game.legal(&self.state, filter, &mut self.other);
            assert_eq!(self.game.count(&self.state, filter), self.other.len(), "{filter:?}");
            let place = below(&mut self.rng, self.other.len());
            assert_eq!(
                self.game.entry(&self.state, filter, place),
                self.other[place],
                "{filter:?}"
            );
            let drawn = self.game.draw(&self.state, filter, |listed| {
                assert!(listed > 1, "{filter:?}: there is nothing to choose");
                place
            });
            assert_eq!(drawn, (self.other[place], self.other.len()), "{filter:?}");
        }
    }

    /// Carries out an action and updates all memories.
    fn act(&mut self, action: G::Action) {
        if self.decisions.is_multiple_of(CLOSE) {
            self.check_in_effect(action);
        }
        let before = self.state;
        let mut events = Vec::new();
        let Match { game, memories, chance, .. } = self;
        let listener = |event| events.push(event);
        try_apply(game, &mut self.state, action, &mut ObservedChance { chance, listener })
            .expect("permitted");
        game.check(&self.state);
        let (action_of, after) = (Some((&before, action)), &self.state);
        let seen = game::Step { action: action_of, chance: &events, after };
        for (seat, memory) in Seat::all(game.players()).zip(memories) {
            seen.remember(game, seat, memory);
        }
        let step = Step { before: &before, action, events: &events, after: &self.state };
        game.examine(&step);
        counts::examine_flow(game, &step);
        let turn = |state| game.turn_number(state);
        assert!(turn(&self.state) >= turn(&before) && turn(&self.state) <= turn(&before) + 1);
    }

    /// What is not in effect changes neither the choice nor what follows.
    fn check_in_effect(&mut self, action: G::Action) {
        let games = [&self.game, &self.in_effect];
        let [all, in_effect] = games.map(|game| {
            let mut state = self.state;
            try_apply(game, &mut state, action, &mut self.chance.clone()).expect("permitted");
            let mut legal = Box::<Actions<G::Action>>::default();
            game.legal(&self.state, ActionFilter::Full, &mut legal);
            (legal, state, game.turn(&state))
        });
        assert_eq!(all, in_effect, "a rule that is not in effect was read");
    }

    fn look_closely(&mut self, seat: Seat) {
        self.check_lists();
        for _ in 0..ARBITRARY {
            self.try_anything();
        }
        for observer in Seat::all(self.game.players()) {
            let memory = &self.memories[observer.idx()];
            let own = G::surely_held(memory, observer);
            assert_eq!(own, G::hand(&self.state, observer), "the own hand");
            for other in Seat::all(self.game.players()) {
                let sure = G::surely_held(memory, other);
                assert!(G::hand(&self.state, other).covers(sure), "{other} surely holds {sure}");
            }
            let view = self.game.view(&self.state, observer);
            let seen = Observation { seat: observer, view, memory };
            let imagined = seen.determinize(&self.game, &mut self.rng);
            self.game.check(&imagined);
            assert_eq!(self.game.view(&imagined, observer), view, "seat {observer}");
            self.play_on(imagined, seat == observer);
        }
    }

    /// The filters: no duplicates, nothing forbidden, each within the next.
    fn check_lists(&mut self) {
        let full: BTreeSet<String> =
            self.legal.iter().map(|action| format!("{action:?}")).collect();
        assert_eq!(full.len(), self.legal.len(), "an action is listed twice");
        self.game.look(&self.state, &full);
        for &action in self.legal.iter() {
            self.game.permits(&self.state, action).expect("a listed action is permitted");
        }
        self.check_entries(ActionFilter::Full);
        let mut longer = full;
        for filter in [ActionFilter::NoOffers, ActionFilter::Plain] {
            self.game.legal(&self.state, filter, &mut self.other);
            assert!(!self.other.is_empty(), "{filter:?} is empty");
            let shorter: BTreeSet<String> =
                self.other.iter().map(|action| format!("{action:?}")).collect();
            assert!(shorter.is_subset(&longer), "{filter:?} has what a wider filter lacks");
            self.check_entries(filter);
            longer = shorter;
        }
    }

    /// Every entry is that of the list.
    fn check_entries(&mut self, filter: ActionFilter) {
        self.game.legal(&self.state, filter, &mut self.other);
        for (place, &action) in self.other.iter().enumerate() {
            assert_eq!(self.game.entry(&self.state, filter, place), action, "{filter:?}: {place}");
        }
    }

    /// An arbitrary action is refused and leaves no trace, or it can be carried out.
    fn try_anything(&mut self) {
        let action = G::any_action(&mut self.rng);
        let before = self.state;
        if self.game.permits(&before, action).is_ok() {
            let mut copy = before;
            self.game.apply(&mut copy, action, &mut self.chance.clone());
            self.game.check(&copy);
            let known = G::may_be_unlisted(action) || self.legal.contains(&action);
            assert!(known, "{action} is missing in the list");
        } else {
            let mut nothing = ScriptedChance::default();
            let refused = try_apply(&self.game, &mut self.state, action, &mut nothing);
            assert!(refused.is_err(), "asked twice, answered differently");
        }
        assert_eq!(self.state, before, "{action} left a trace");
    }

    /// A few random actions in an imagined position; neither it nor the true one is disturbed.
    fn play_on(&mut self, imagined: G::State, decides: bool) {
        let (parent, truth) = (imagined, self.state);
        let mut state = imagined;
        self.game.legal(&state, ActionFilter::Full, &mut self.other);
        if decides {
            assert_eq!(self.other, self.legal, "the seat's choices depend on what it can't see");
        }
        let mut chance = self.chance.clone();
        for _ in 0..6 {
            if self.game.turn(&state) == Turn::Over {
                break;
            }
            self.game.legal(&state, ActionFilter::Full, &mut self.other);
            let action = self.other[below(&mut self.rng, self.other.len())];
            try_apply(&self.game, &mut state, action, &mut chance).expect("a listed action");
            self.game.check(&state);
        }
        assert_eq!(imagined, parent, "a copy disturbed its parent");
        assert_eq!(self.state, truth, "an imagined position disturbed the true one");
    }
}

/// A count such as `200k` or `10m`.
fn parse_count(text: &str) -> u64 {
    let text = text.trim().replace('_', "").to_lowercase();
    let (digits, unit) = match text.strip_suffix(['k', 'm']) {
        Some(digits) if text.ends_with('k') => (digits, 1_000),
        Some(digits) => (digits, 1_000_000),
        None => (text.as_str(), 1),
    };
    let count: u64 = digits.parse().expect("FAIRHAVEN_DECISIONS is a number such as 200k or 10m");
    count * unit
}

/// Plays random matches until `decisions` have been made.
fn play_shard<G: Lawful>(
    players: &RangeInclusive<u8>,
    shard: u8,
    decisions: u64,
    coverage: &Mutex<Coverage>,
) -> u64 {
    let config = Config { cases: 8, failure_persistence: None, ..Config::default() };
    let strategy = rule_sets::cases::<G>(players.clone());
    let made = std::cell::Cell::new(0);
    for round in 0_u64.. {
        if made.get() >= decisions {
            break;
        }
        let mut seed = [shard; 32];
        seed[..8].copy_from_slice(&round.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let result = TestRunner::new_with_rng(config.clone(), rng).run(&strategy, |case| {
            let mut came = Coverage::new();
            let count = Match::<G>::deal(&case).play(case.uniform, &mut came);
            made.set(made.get() + u64::from(count));
            let mut coverage = coverage.lock().expect("no other shard panicked");
            for (word, n) in came {
                *coverage.entry(word).or_default() += n;
            }
            Ok(())
        });
        if let Err(failure) = result {
            panic!("{failure}");
        }
    }
    made.get()
}

/// Random matches keep the laws, and everything has occurred more than once.
#[allow(clippy::print_stdout, reason = "a test says what it has seen")]
fn random_matches_keep_the_laws<G: Lawful>() {
    let said = std::env::var("FAIRHAVEN_DECISIONS").ok();
    let decisions = said.map_or(G::ROUNDS, |said| parse_count(&said));
    let coverage = Mutex::new(Coverage::new());
    let share = decisions.div_ceil(u64::from(SHARDS));
    for players in G::TABLES {
        let play = |shard| play_shard::<G>(players, shard, share, &coverage);
        let made: u64 = (0..SHARDS).into_par_iter().map(play).sum();
        assert!(made >= decisions, "{made} decisions");
        println!("{made} decisions of {players:?} players");
    }
    let coverage = coverage.into_inner().unwrap();
    println!("{coverage:?}");
    for expected in G::COMES {
        let times = coverage.get(expected).copied().unwrap_or(0);
        let enough = decisions < G::ROUNDS / 2 || times > 5;
        assert!(enough, "`{expected}` came {times} times: {coverage:?}");
    }
}

#[test]
fn counts_are_read() {
    assert_eq!(["10m", "200k", "1_000", "7"].map(parse_count), [10_000_000, 200_000, 1000, 7]);
}
