//! What a sensible player does when there is little doubt.

use crate::core::chance::PlainChance;
use crate::core::game::{ActionFilter, Game, Turn};
use crate::core::opinion::{Judge, Opinion, Policy, Rate};
use crate::core::resources::{Resource, Resources};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::opinion::weights::{FEATURES, Weights};
use crate::games::struggle::rules::Rules;
use crate::games::struggle::state::{Area, Lot, Phase, State};
use crate::parts::bundles::Bundle;
use rand_pcg::Pcg32;

const S1: Seat = Seat::new(0);
const S2: Seat = Seat::new(1);
const S3: Seat = Seat::new(2);

const FOR_CITY: [u8; 5] = [0, 0, 0, 2, 3];
const START: Area = Area { roads: 1, knights: 0, settlements: 1, cities: 0, expansions: 0 };

/// Seat 1 begins its turn with an empty hand, and a market of five ore.
struct Scene {
    game: Struggle,
    state: State,
}

impl Scene {
    fn new(players: u8) -> Scene {
        let game = Struggle::new(Rules::default(), players).expect("rules to play by");
        let mut state = game.deal(&mut PlainChance(&mut Pcg32::new(1, 1)));
        for hand in &mut state.hands {
            *hand = Resources::NONE;
        }
        state.pile = game.deck() - state.table.market;
        Scene { game, state }.market([0, 0, 0, 0, 5])
    }

    fn market(mut self, cards: [u8; 5]) -> Scene {
        let market = Resources::new(cards);
        self.state.pile = self.state.pile + self.state.table.market - market;
        self.state.table.market = market;
        self
    }

    fn hand(mut self, seat: Seat, cards: [u8; 5]) -> Scene {
        let cards = Resources::new(cards);
        let hand = &mut self.state.hands[seat.idx()];
        self.state.pile = self.state.pile + *hand - cards;
        *hand = cards;
        self
    }

    /// What lies in front of a seat; it comes from the stacks.
    fn area(mut self, seat: Seat, area: Area) -> Scene {
        let table = &mut self.state.table;
        let was = std::mem::replace(&mut table.areas[seat.idx()], area);
        table.roads = table.roads + was.roads - area.roads;
        table.knights = table.knights + was.knights - area.knights;
        let expanded = |area: &Area| Expansion::ALL.map(|expansion| area.has(expansion));
        let turned = |area: &Area| area.cities + expanded(area).map(u8::from).iter().sum::<u8>();
        let cards = |area: &Area| area.settlements + turned(area);
        table.settlements = table.settlements + cards(&was) - cards(&area);
        table.events[0] = table.events[0] + turned(&was) - turned(&area);
        for expansion in Expansion::ALL {
            let left = &mut table.expansions[expansion.idx()];
            *left = *left + u8::from(was.has(expansion)) - u8::from(area.has(expansion));
        }
        self
    }

    fn phase(mut self, phase: Phase, with: Partner) -> Scene {
        self.state.table.phase = phase;
        self.state.table.lot = Lot { with, cards: 1, taken: Resources::NONE };
        self.state.table.so_far.traded = 1;
        self
    }

    /// What a policy does here.
    fn choice_of(&self, policy: &mut impl Policy<Struggle>) -> Action {
        let Turn::Decide(seat) = self.game.turn(&self.state) else { panic!("over") };
        let mut legal = Actions::new();
        self.game.legal(&self.state, policy.action_filter(), &mut legal);
        let view = self.game.view(&self.state, seat);
        let idx = policy.choose(&self.game, &view, &mut legal, &mut Pcg32::new(1, 1));
        legal[idx]
    }

    fn choice(&self) -> Action {
        self.choice_of(&mut self.game.planner(&self.game.weights()))
    }

    /// What the planner thinks of an action.
    fn rating(&self, action: Action) -> f32 {
        let Turn::Decide(seat) = self.game.turn(&self.state) else { panic!("over") };
        let view = self.game.view(&self.state, seat);
        let mut out = Vec::new();
        let mut planner = self.game.planner(&self.game.weights());
        planner.rate(&self.game, &view, &[action], &mut out);
        out[0]
    }

    fn play(&mut self, action: Action) {
        self.game.apply(&mut self.state, action, &mut PlainChance(&mut Pcg32::new(1, 1)));
        self.game.check(&self.state);
    }
}

fn build(card: Card, pay: [u8; 5]) -> Action {
    Action::Build { card, pay: Bundle::new(Resources::new(pay)) }
}

fn with(expansions: &[Expansion]) -> u8 {
    expansions.iter().fold(0, |set, expansion| set | expansion.bit())
}

#[test]
fn it_takes_the_build_that_wins() {
    // 3 + 3 for expansions, 2 for a city, 1 for a settlement: a city more wins, a knight does not.
    let expansions = with(&[Expansion::Library, Expansion::Church]);
    let area = Area { cities: 1, expansions, ..START };
    let scene = Scene::new(3).area(S1, area).hand(S1, [0, 0, 1, 2, 4]);
    assert_eq!(scene.state.table.points(&scene.game, S1), 9);
    assert_eq!(scene.choice(), build(Card::City, FOR_CITY));
    let greedy = scene.choice_of(&mut scene.game.eager());
    assert_eq!(greedy, build(Card::City, FOR_CITY));
}

#[test]
fn it_trades_with_the_market_for_the_card_that_a_build_lacks() {
    let mut scene = Scene::new(3).hand(S1, [0, 0, 1, 2, 2]);
    assert_eq!(scene.choice(), Action::Trade { with: Partner::Market, cards: 1, choose: false });
    for due in [
        Action::Trade { with: Partner::Market, cards: 1, choose: false },
        Action::Take { card: Resource::Ore },
        Action::Return { card: Resource::Wool },
        build(Card::City, FOR_CITY),
    ] {
        assert_eq!(scene.choice(), due);
        scene.play(due);
    }
}

#[test]
fn greedy_trades_with_the_market_for_what_it_builds_at_once() {
    let mut scene = Scene::new(3).hand(S1, [0, 0, 1, 2, 2]);
    for due in [
        Action::Trade { with: Partner::Market, cards: 1, choose: false },
        Action::Take { card: Resource::Ore },
        Action::Return { card: Resource::Wool },
        build(Card::City, FOR_CITY),
    ] {
        assert_eq!(scene.choice_of(&mut scene.game.eager()), due);
        scene.play(due);
    }
}

#[test]
fn the_guild_takes_from_the_leader() {
    let guild = Area { expansions: with(&[Expansion::MerchantsGuild]), ..START };
    let leader = Area { cities: 3, ..START };
    let scene = Scene::new(3).area(S1, guild).area(S3, leader);
    let scene = scene.area(S2, Area { roads: 2, cities: 1, ..START });
    let scene = scene.hand(S2, [1, 1, 1, 0, 0]).hand(S3, [1, 1, 1, 0, 0]);
    assert_eq!(scene.choice(), Action::Rob { from: S3 });
}

#[test]
fn it_returns_and_discards_what_it_needs_least() {
    let hand = [1, 0, 0, 2, 3];
    for with in [Partner::Market, Partner::Seat(S2)] {
        let scene = Scene::new(3).hand(S1, hand).phase(Phase::Return(1), with);
        assert_eq!(scene.choice(), Action::Return { card: Resource::Brick });
    }
    let scene = Scene::new(3).hand(S2, [3, 0, 0, 2, 3]);
    let scene = scene.phase(Phase::Discard { seat: S2, owed: 1 }, Partner::Stack);
    assert_eq!(scene.choice(), Action::Discard { card: Resource::Brick });
}

#[test]
fn it_flips_the_destiny_card_only_if_that_helps() {
    // All roads are taken. One of the others has none, so both look to the third seat or to seat 1.
    let scene = |second: u8, third: u8| {
        let row = |roads| Area { roads, ..START };
        let scene = Scene::new(3).area(S2, row(0)).area(S3, row(0)).area(S1, row(4));
        let scene = scene.area(S2, row(second)).area(S3, row(third));
        assert_eq!(scene.state.table.roads, 0);
        scene.phase(Phase::Flip, Partner::Stack)
    };
    // Clockwise, seat 2 comes to seat 1 past seat 3, who comes to seat 1 anyway.
    assert_eq!(scene(3, 0).choice(), Action::Flip);
    assert_eq!(scene(0, 3).choice(), Action::Keep);
    let (helps, hurts) = (scene(3, 0).rating(Action::Flip), scene(0, 3).rating(Action::Flip));
    assert!(helps > 0.0 && hurts < 0.0, "{helps} and {hurts}");
}

#[test]
fn it_substitutes_only_what_it_must() {
    let scene = Scene::new(3).hand(S1, [1, 1, 3, 1, 0]);
    let plain = scene.rating(build(Card::Road, [1, 1, 0, 0, 0]));
    let dear = scene.rating(build(Card::Road, [1, 0, 3, 0, 0]));
    assert!(plain > dear, "{plain} and {dear}");
}

#[test]
fn a_castle_is_worth_more_to_who_has_roads_to_lose() {
    let castle = |others: u8, roads: u8| {
        let area = Area { roads, cities: 1, ..START };
        let scene = Scene::new(2).area(S1, area).area(S2, Area { roads: others, ..START });
        let scene = scene.hand(S1, [0, 0, 3, 0, 1]);
        scene.rating(build(Card::Castle, [0, 0, 3, 0, 1]))
            - scene.rating(build(Card::Library, [0, 0, 3, 0, 1]))
    };
    // The stack is empty in both, and seat 1 has a B side on top or nothing.
    assert!(castle(3, 2) > castle(5, 0), "{} and {}", castle(3, 2), castle(5, 0));
}

#[test]
fn it_draws_further_cards_until_brigands_are_near() {
    let scene = |hand| {
        let area = Area { knights: 1, ..START };
        Scene::new(3).area(S1, area).hand(S1, hand).phase(Phase::Extra(1), Partner::Stack)
    };
    assert_eq!(scene([1, 0, 1, 0, 1]).choice(), Action::Extra { cards: 1 });
    assert_eq!(
        scene([1, 0, 1, 0, 1]).choice_of(&mut Scene::new(3).game.eager()),
        Action::Extra { cards: 1 }
    );
}

#[test]
fn the_library_chooses_what_a_build_lacks() {
    let area = Area { expansions: with(&[Expansion::Library]), ..START };
    let scene = Scene::new(3).area(S1, area).hand(S1, [0, 0, 1, 2, 2]).hand(S2, [1, 1, 1, 1, 1]);
    let scene = scene.phase(Phase::Choose, Partner::Seat(S2));
    assert_eq!(scene.choice(), Action::Take { card: Resource::Ore });
}

#[test]
fn chances_sum_to_one_and_follow_points() {
    let scene = Scene::new(3).area(S1, Area { cities: 2, ..START });
    let mut planner = scene.game.planner(&scene.game.weights());
    let chances = planner.win_probabilities(&scene.game, &scene.state);
    assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    assert!(chances[0] > chances[1] && chances[0] > chances[2], "{chances:?}");
    assert!(chances[3..].iter().all(|&chance| chance < 1e-9), "empty chairs: {chances:?}");
}

#[test]
fn features_and_weights_are_two_forms_of_one_thing() {
    let weights = Weights { fog: 2.0, ..Weights::default() };
    let exponents = weights.exponents();
    assert_eq!(exponents.len(), FEATURES.len());
    let mut back = Weights::default();
    back.put_exponents(&exponents);
    assert!((back.fog - 2.0).abs() < 1e-5 && (back.point - 1.0).abs() < 1e-5);
    let scene = Scene::new(3).area(S1, Area { cities: 1, ..START }).hand(S1, FOR_CITY);
    let mut planner = scene.game.planner(&weights);
    let features = planner.features(&scene.game, &scene.state, S1);
    let sum: f64 = features.values().iter().zip(&exponents).map(|(&f, e)| f64::from(f) * e).sum();
    let worth = f64::from(weights.worth(&features) / weights.fog);
    assert!((sum - worth).abs() < 1e-4, "{sum} and {worth}");
}

/// Every action of every list has a finite rating, in matches that the planner plays and in such as luck plays.
#[test]
fn everything_is_rated() {
    for players in 2..=6 {
        let game = Struggle::new(Rules::default(), players).expect("rules to play by");
        let mut rng = Pcg32::new(u64::from(players), 7);
        let mut planner = game.planner(&game.weights());
        let mut state = game.deal(&mut PlainChance(&mut rng));
        let (mut legal, mut ratings) = (Actions::new(), Vec::new());
        let mut decisions = 0;
        while let Turn::Decide(seat) = game.turn(&state) {
            game.legal(&state, ActionFilter::Full, &mut legal);
            let view = game.view(&state, seat);
            planner.rate(&game, &view, &legal, &mut ratings);
            assert!(ratings.iter().all(|rating| rating.is_finite()), "{legal:?}: {ratings:?}");
            let sum: f32 = planner.win_probabilities(&game, &state).iter().sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            let idx = if decisions % 3 == 0 {
                crate::core::agent::uniform(&mut rng, legal.len())
            } else {
                planner.choose(&game, &view, &mut legal, &mut rng)
            };
            game.apply(&mut state, legal[idx], &mut PlainChance(&mut rng));
            decisions += 1;
        }
        assert!(decisions > 50, "{decisions} decisions");
    }
}
