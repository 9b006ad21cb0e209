//! Laws that hold in every position of every match: random matches by random rule sets.
//!
//! `FAIRHAVEN_DECISIONS` says how many random decisions are made in all, such as `10m`; the default is 200k.

use fairhaven::chance::RandomChance;
use fairhaven::chance::ScriptedChance;
use fairhaven::game::End;
use fairhaven::game::Game;
use fairhaven::game::Happening;
use fairhaven::game::Menu;
use fairhaven::game::Observation;
use fairhaven::game::Turn;
use fairhaven::game::try_apply;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::Action;
use fairhaven::games::on_the_road::action::Payment;
use fairhaven::games::on_the_road::cards::CARDS_ALL;
use fairhaven::games::on_the_road::cards::Card;
use fairhaven::games::on_the_road::cards::size;
use fairhaven::games::on_the_road::memory::Memory;
use fairhaven::games::on_the_road::rules::Bonus;
use fairhaven::games::on_the_road::rules::Discards;
use fairhaven::games::on_the_road::rules::DrawOrder;
use fairhaven::games::on_the_road::rules::Face;
use fairhaven::games::on_the_road::rules::MetropolisCard;
use fairhaven::games::on_the_road::rules::Metropolises;
use fairhaven::games::on_the_road::rules::Priced;
use fairhaven::games::on_the_road::rules::Reshuffle;
use fairhaven::games::on_the_road::rules::Robber;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::games::on_the_road::rules::Side;
use fairhaven::games::on_the_road::rules::Substitution;
use fairhaven::games::on_the_road::rules::Trade;
use fairhaven::games::on_the_road::rules::TradeOrder;
use fairhaven::games::on_the_road::state::Phase;
use fairhaven::games::on_the_road::state::State;
use fairhaven::parts::resources::Bundle;
use fairhaven::parts::resources::Price;
use fairhaven::parts::resources::Resource;
use fairhaven::parts::resources::Resources;
use fairhaven::parts::talk::Audience;
use fairhaven::record::Heard;
use fairhaven::seed::BlockSeed;
use fairhaven::seed::Stream;
use fairhaven::types::actions::Actions;
use fairhaven::types::seat::SEATS_MAX;
use fairhaven::types::seat::Seat;
use proptest::prelude::*;
use proptest::test_runner::Config;
use proptest::test_runner::RngAlgorithm;
use proptest::test_runner::TestRng;
use proptest::test_runner::TestRunner;
use rand_core::Rng;
use rand_pcg::Pcg32;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Parts that the decisions are split into; each is the same on any number of cores.
const SHARDS: u8 = 16;

/// One in so many decisions is looked at closely.
const CLOSE: u32 = 16;

/// Actions that nobody listed, tried at each close look.
const ARBITRARY: usize = 6;

/// One random match.
#[derive(Debug, Clone)]
struct Case {
    rules: Rules,
    players: u8,
    seed: u64,
    /// Whether every decision is uniform over the full list; else short menus make matches move on.
    uniform: bool,
}

/// The default in three of four cases, so that a rule set differs in some fields only.
fn mostly<T: Clone + std::fmt::Debug + 'static>(
    default: T,
    others: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = T> {
    prop_oneof![3 => Just(default), 1 => others]
}

fn prices() -> impl Strategy<Value = Price> {
    prop::array::uniform5(prop_oneof![6 => 0_u8..=1, 2 => 2_u8..=3, 1 => 4_u8..=14])
        .prop_map(Price::new)
}

fn priced(default: Priced) -> impl Strategy<Value = Priced> {
    mostly(default, prices().prop_map(|cost| Priced { cost }))
}

fn metropolis_cards() -> impl Strategy<Value = MetropolisCard> {
    let faces = prop::sample::select(vec![Face::Side, Face::A, Face::B, Face::Out]);
    let extra = mostly(Price::default(), prices());
    let card = (faces, extra).prop_map(|(face, extra)| MetropolisCard { face, extra });
    mostly(MetropolisCard::default(), card)
}

fn metropolises() -> impl Strategy<Value = Metropolises> {
    let cost = mostly(Metropolises::default().cost, prices());
    let bools = [true, false].map(|_| mostly(true, Just(false)));
    let [starting, at_once] = bools;
    let cards = [(); 4].map(|()| metropolis_cards());
    (cost, starting, at_once, mostly(true, Just(false)), cards).prop_map(
        |(cost, starting_road_counts, tie_at_once, tie_minimum, [roads, knights, army, route])| {
            Metropolises {
                cost,
                starting_road_counts,
                tie_at_once,
                tie_minimum,
                roads,
                knights,
                army,
                route,
            }
        },
    )
}

fn trades() -> impl Strategy<Value = Trade> {
    let order = prop::sample::select(vec![TradeOrder::Any, TradeOrder::TradeFirst]);
    (order, mostly(3, 0_u8..=10), mostly(2, 0_u8..=3), mostly(false, Just(true))).prop_map(
        |(order, proposals_max, listed_max, bluff)| Trade {
            order,
            proposals_max,
            listed_max,
            bluff,
        },
    )
}

fn bonus(default: Bonus, highest: u8) -> impl Strategy<Value = Bonus> {
    let any = (1..=highest, 0_u8..=10).prop_map(|(minimum, points)| Bonus { minimum, points });
    mostly(default, any)
}

fn rule_sets() -> impl Strategy<Value = Rules> {
    let usual = Rules::default();
    let table = (
        prop::sample::select(vec![Side::A, Side::B, Side::Mixed]),
        mostly(false, Just(true)),
        mostly(usual.hand_start, 0_u8..=10),
        mostly(usual.points_to_win, 2_u8..=40),
        prop_oneof![4 => 1_u16..=60, 2 => Just(200), 1 => 1_u16..=1000],
        prop::sample::select(vec![Reshuffle::OnDraw, Reshuffle::OnEmpty]),
        prop::sample::select(vec![DrawOrder::Seat, DrawOrder::Round]),
    );
    let costs = (
        priced(usual.road),
        priced(usual.settlement),
        priced(usual.city),
        priced(usual.knight),
        metropolises(),
        mostly(usual.substitution.rates, prop::array::uniform4(1_u8..=20)),
    );
    let hidden = prop::sample::select(vec![Discards::Open, Discards::Hidden]);
    let robber = (mostly(usual.robber.hand_limit, 0_u8..=61), hidden)
        .prop_map(|(hand_limit, discards)| Robber { hand_limit, discards });
    let rest = (trades(), bonus(usual.route, 11), bonus(usual.army, 8), robber);
    (table, costs, rest).prop_map(|(table, costs, rest)| {
        let (side, mixed_first_row, hand_start, points_to_win, turns_max, reshuffle, draw_order) =
            table;
        let (road, settlement, city, knight, metropolis, rates) = costs;
        let (trade, route, army, robber) = rest;
        Rules {
            side,
            mixed_first_row,
            hand_start,
            points_to_win,
            turns_max,
            reshuffle,
            draw_order,
            road,
            settlement,
            city,
            knight,
            metropolis,
            substitution: Substitution { rates },
            trade,
            route,
            army,
            robber,
        }
    })
}

fn cases() -> impl Strategy<Value = Case> {
    let rules = prop_oneof![1 => Just(Rules::default()), 5 => rule_sets()];
    (rules, 2_u8..=4, any::<u64>(), any::<bool>())
        .prop_map(|(rules, players, seed, uniform)| Case { rules, players, seed, uniform })
}

/// A random number below `bound`.
fn below(rng: &mut Pcg32, bound: usize) -> usize {
    let bound = u32::try_from(bound).expect("a small bound");
    usize::try_from(rng.next_u32() % bound).expect("a small number")
}

fn one_in(rng: &mut Pcg32, n: u32) -> bool {
    rng.next_u32().is_multiple_of(n)
}

fn small(rng: &mut Pcg32, bound: u8) -> u8 {
    u8::try_from(below(rng, usize::from(bound))).expect("a small number")
}

fn any_kind(rng: &mut Pcg32) -> Resource {
    Resource::ALL[below(rng, Resource::COUNT)]
}

fn any_seat(rng: &mut Pcg32) -> Seat {
    Seat::new(small(rng, u8::try_from(SEATS_MAX).expect("few seats")))
}

/// A few cards, up to as many of a kind as an action can carry.
fn any_bundle(rng: &mut Pcg32) -> Bundle {
    let most = [2, 2, 3, 5, 16][below(rng, 5)];
    let counts = std::array::from_fn(|_| if one_in(rng, 2) { 0 } else { small(rng, most) });
    Bundle::new(Resources::new(counts))
}

/// Some of the cards in a hand, and some of the kinds that are not among them.
fn bundles_from(hand: Resources, rng: &mut Pcg32) -> (Bundle, Bundle) {
    let give = hand.counts().map(|held| small(rng, held.min(Bundle::KIND_MAX) + 1));
    let any = any_bundle(rng).cards().counts();
    let want = std::array::from_fn(|kind| if give[kind] == 0 { any[kind] } else { 0 });
    (Bundle::new(Resources::new(give)), Bundle::new(Resources::new(want)))
}

/// Any action that can be written down, sensible here or not.
fn any_action(rng: &mut Pcg32) -> Action {
    let card = Card::ALL[below(rng, Card::COUNT)];
    let (give, want) = (any_bundle(rng), any_bundle(rng));
    let (replaced, by) = (any_kind(rng), any_kind(rng));
    match below(rng, 12) {
        0 => Action::EndTurn,
        1 => Action::Build { card, pay: Payment::Exact },
        2 | 3 => Action::Build { card, pay: Payment::Substitute { replaced, by } },
        4 => Action::Offer { to: Audience::All, give, want },
        5 => Action::Offer { to: Audience::One(any_seat(rng)), give, want },
        6 => Action::Accept,
        7 => [Action::Refuse, Action::Decline][below(rng, 2)],
        8 => Action::Counter { give, want },
        9 => Action::Settle { with: any_seat(rng) },
        10 => Action::Discard { card: replaced },
        _ => Action::Give { card: replaced, to: any_seat(rng) },
    }
}

/// One match with all that is kept beside it.
struct Match {
    game: OnTheRoad,
    state: State,
    memories: Vec<Memory>,
    chance: RandomChance,
    rng: Pcg32,
    legal: Box<Actions<Action>>,
    other: Box<Actions<Action>>,
    decisions: u32,
}

/// What the random matches came to, so that nobody mistakes a narrow run for a wide one.
type Coverage = BTreeMap<&'static str, u64>;

impl Match {
    fn deal(case: &Case) -> Match {
        let game = OnTheRoad::new(case.rules.clone(), case.players).expect("rules in range");
        let seed = BlockSeed::new(case.seed, 1);
        let mut chance = RandomChance::new(seed);
        let mut memories: Vec<Memory> =
            Seat::all(case.players).map(|seat| game.memory(seat)).collect();
        let tell = |event| {
            for memory in &mut memories {
                game.remember(memory, Happening::Chance(event));
            }
        };
        let state = game.deal(&mut Heard { chance: &mut chance, tell });
        game.check(&state);
        let rng = seed.stream(Stream::Agent, None, 0);
        let (legal, other) = (Box::default(), Box::default());
        Match { game, state, memories, chance, rng, legal, other, decisions: 0 }
    }

    /// Plays to the end; returns the decisions made.
    fn play(mut self, uniform: bool, coverage: &mut Coverage) -> u32 {
        while let Turn::Decide(seat) = self.game.turn(&self.state) {
            self.game.legal(&self.state, Menu::Full, &mut self.legal);
            assert!(!self.legal.is_empty(), "nothing to choose from");
            assert!(self.legal.len() <= OnTheRoad::ACTIONS_MAX, "a list too long");
            if one_in(&mut self.rng, CLOSE) {
                self.look_closely(seat);
            }
            let action = self.choose(seat, uniform);
            self.act(action);
            *coverage.entry(word(action)).or_default() += 1;
            self.decisions += 1;
            assert!(self.decisions <= self.game.decisions_max(), "the match does not end");
        }
        self.game.legal(&self.state, Menu::Full, &mut self.legal);
        assert!(self.legal.is_empty(), "a choice after the end");
        let outcome = self.game.outcome(&self.state);
        assert_eq!(outcome.end == End::Won, outcome.winner.is_some());
        if let Some(winner) = outcome.winner {
            assert!(outcome.points[winner.idx()] >= self.game.rules().points_to_win);
            assert_eq!(winner, self.state.table.current);
        }
        *coverage.entry(outcome.end.name()).or_default() += 1;
        self.decisions
    }

    fn choose(&mut self, seat: Seat, uniform: bool) -> Action {
        if one_in(&mut self.rng, 8) {
            let hand = self.state.hand(seat);
            let (give, want) = bundles_from(hand, &mut self.rng);
            let to = if one_in(&mut self.rng, 2) {
                Audience::All
            } else {
                Audience::One(any_seat(&mut self.rng))
            };
            let unlisted = match self.state.table.phase {
                Phase::Answer(_) => Action::Counter { give, want },
                _ => Action::Offer { to, give, want },
            };
            if self.game.permits(&self.state, unlisted).is_ok() {
                return unlisted;
            }
        }
        if !uniform && !one_in(&mut self.rng, 4) {
            let menu = [Menu::Plain, Menu::NoOffers][below(&mut self.rng, 2)];
            self.game.legal(&self.state, menu, &mut self.legal);
        }
        self.legal[below(&mut self.rng, self.legal.len())]
    }

    /// Carries out an action and tells all memories.
    fn act(&mut self, action: Action) {
        let before = self.state;
        let Match { game, memories, chance, .. } = self;
        for memory in memories.iter_mut() {
            game.remember(memory, Happening::Action { before: &before, action });
        }
        let tell = |event| {
            for memory in memories.iter_mut() {
                game.remember(memory, Happening::Chance(event));
            }
        };
        try_apply(game, &mut self.state, action, &mut Heard { chance, tell }).expect("permitted");
        game.check(&self.state);
        let State { hands, pile, discards, .. } = self.state;
        let cards: u8 = hands.into_iter().chain([pile, discards]).map(size).sum();
        assert_eq!(cards, size(CARDS_ALL), "61 cards");
        let turn = |state| game.turn_number(state);
        assert!(turn(&self.state) >= turn(&before) && turn(&self.state) <= turn(&before) + 1);
    }

    fn look_closely(&mut self, seat: Seat) {
        self.check_lists();
        for _ in 0..ARBITRARY {
            self.try_anything();
        }
        for observer in Seat::all(self.game.players()) {
            let memory = self.memories[observer.idx()].clone();
            assert_eq!(memory.surely_held(observer), self.state.hand(observer), "the own hand");
            for other in Seat::all(self.game.players()) {
                let sure = memory.surely_held(other);
                assert!(self.state.hand(other).covers(sure), "{other} surely holds {sure}");
            }
            let view = self.game.view(&self.state, observer);
            let seen = Observation { seat: observer, view, memory };
            let imagined = self.game.determinize(&seen, &mut self.rng);
            self.game.check(&imagined);
            assert_eq!(self.game.view(&imagined, observer), view, "seat {observer}");
            self.play_on(imagined, seat == observer);
        }
    }

    /// The menus: no duplicates, nothing forbidden, each within the next.
    fn check_lists(&mut self) {
        let full: BTreeSet<String> =
            self.legal.iter().map(|action| format!("{action:?}")).collect();
        assert_eq!(full.len(), self.legal.len(), "an action is listed twice");
        for &action in self.legal.iter() {
            self.game.permits(&self.state, action).expect("a listed action is permitted");
        }
        let mut longer: Vec<Action> = self.legal.to_vec();
        for menu in [Menu::NoOffers, Menu::Plain] {
            self.game.legal(&self.state, menu, &mut self.other);
            assert!(!self.other.is_empty(), "{menu:?} is empty");
            for action in self.other.iter() {
                assert!(longer.contains(action), "{menu:?} has {action}");
            }
            longer = self.other.to_vec();
        }
    }

    /// An arbitrary action is refused and leaves no trace, or it can be carried out.
    fn try_anything(&mut self) {
        let action = any_action(&mut self.rng);
        let before = self.state;
        if self.game.permits(&before, action).is_ok() {
            let mut copy = before;
            self.game.apply(&mut copy, action, &mut self.chance.clone());
            self.game.check(&copy);
            let unlisted = match action {
                Action::Offer { .. } | Action::Counter { .. } => true,
                // One A side stands for all.
                Action::Build { card, .. } => card.metropolis().is_some(),
                _ => false,
            };
            assert!(unlisted || self.legal.contains(&action), "{action} is missing in the list");
        } else {
            let mut nothing = ScriptedChance::default();
            let refused = try_apply(&self.game, &mut self.state, action, &mut nothing);
            assert!(refused.is_err(), "asked twice, answered differently");
        }
        assert_eq!(self.state, before, "{action} left a trace");
    }

    /// A few random actions in an imagined position; neither it nor the true one is disturbed.
    fn play_on(&mut self, imagined: State, decides: bool) {
        let (parent, truth) = (imagined, self.state);
        let mut state = imagined;
        self.game.legal(&state, Menu::Full, &mut self.other);
        if decides {
            assert_eq!(self.other, self.legal, "the seat's choices depend on what it can't see");
        }
        let mut chance = self.chance.clone();
        for _ in 0..6 {
            if self.game.turn(&state) == Turn::Over {
                break;
            }
            self.game.legal(&state, Menu::Full, &mut self.other);
            let action = self.other[below(&mut self.rng, self.other.len())];
            try_apply(&self.game, &mut state, action, &mut chance).expect("a listed action");
            self.game.check(&state);
        }
        assert_eq!(imagined, parent, "a copy disturbed its parent");
        assert_eq!(self.state, truth, "an imagined position disturbed the true one");
    }
}

fn word(action: Action) -> &'static str {
    match action {
        Action::EndTurn => "end turn",
        Action::Build { pay: Payment::Exact, .. } => "build",
        Action::Build { pay: Payment::Substitute { .. }, .. } => "build with a substitution",
        Action::Offer { to: Audience::All, .. } => "offer to all",
        Action::Offer { to: Audience::One(_), .. } => "offer to one",
        Action::Accept => "accept",
        Action::Refuse => "refuse",
        Action::Counter { .. } => "counter",
        Action::Settle { .. } => "settle",
        Action::Decline => "decline",
        Action::Discard { .. } => "discard",
        Action::Give { .. } => "give",
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
fn play_shard(shard: u8, decisions: u64, coverage: &Mutex<Coverage>) -> u64 {
    let config = Config { cases: 8, failure_persistence: None, ..Config::default() };
    let strategy = cases();
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
            let count = Match::deal(&case).play(case.uniform, &mut came);
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

#[test]
fn random_matches_keep_the_laws() {
    let decisions = std::env::var("FAIRHAVEN_DECISIONS").unwrap_or_else(|_| "200k".to_owned());
    let decisions = parse_count(&decisions);
    let coverage = Mutex::new(Coverage::new());
    let share = decisions.div_ceil(u64::from(SHARDS));
    let made: u64 =
        (0..SHARDS).into_par_iter().map(|shard| play_shard(shard, share, &coverage)).sum();
    assert!(made >= decisions, "{made} decisions");
    let coverage = coverage.into_inner().unwrap();
    println!("{made} decisions: {coverage:?}");
    // Everything has come up, and more than once.
    for expected in [
        "end turn",
        "build",
        "build with a substitution",
        "offer to all",
        "offer to one",
        "accept",
        "refuse",
        "counter",
        "settle",
        "decline",
        "discard",
        "give",
        "won",
        "turn_limit",
    ] {
        let times = coverage.get(expected).copied().unwrap_or(0);
        assert!(decisions < 100_000 || times > 5, "`{expected}` came {times} times: {coverage:?}");
    }
}

#[test]
fn counts_are_read() {
    assert_eq!(["10m", "200k", "1_000", "7"].map(parse_count), [10_000_000, 200_000, 1000, 7]);
}

fn dealt() -> (OnTheRoad, State) {
    let game = OnTheRoad::new(Rules::default(), 3).expect("rules in range");
    let state = game.deal(&mut RandomChance::new(BlockSeed::new(1, 1)));
    game.check(&state);
    (game, state)
}

#[test]
#[should_panic(expected = "a resource card lies in two places")]
fn a_doubled_card_is_noticed() {
    let (game, mut state) = dealt();
    state.hands[0] |= state.hands[1];
    game.check(&state);
}

#[test]
#[should_panic(expected = "a resource card is nowhere")]
fn a_lost_card_is_noticed() {
    let (game, mut state) = dealt();
    state.pile &= state.pile - 1;
    game.check(&state);
}

#[test]
#[should_panic(expected = "Knight cards")]
fn a_knight_from_nowhere_is_noticed() {
    let (game, mut state) = dealt();
    state.table.areas[1].knights += 1;
    game.check(&state);
}
