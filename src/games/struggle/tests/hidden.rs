//! Who sees what: SFC-35, and the open hand of SFC-34.

use super::support::*;
use crate::core::chance::{Chance, ChanceEvent, Scripted, ScriptedChance};
use crate::core::game::{SeatMemory, Step};
use crate::core::resources::Resource::{self, Brick, Ore, Wool};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::struggle::action::Action::{self, Draw};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::luck;
use crate::games::struggle::memory::Memory;
use crate::games::struggle::rules::{Eyes, Rules};
use crate::games::struggle::seat_event::{Place, SeatEvent};
use crate::games::struggle::state::Area;

/// Scripted luck that keeps what happened.
struct Noted(ScriptedChance, Vec<ChanceEvent<luck::Draw>>);

impl Chance<luck::Draw> for Noted {
    fn start_turn(&mut self, _turn: u16) {}

    fn card(&mut self, _draw: luck::Draw, _among: u64) -> u8 {
        unreachable!("this game draws kinds")
    }

    fn kind(&mut self, draw: luck::Draw, counts: &[u8]) -> u8 {
        let outcome = self.0.kind(draw, counts);
        self.1.push(ChanceEvent { draw, outcome });
        outcome
    }
}

/// Carries out an action, and says what seats 1 to 3 hear of it.
fn heard(scene: &mut Scene, action: Action, script: &[Scripted]) -> [Vec<SeatEvent>; 3] {
    let before = scene.state;
    scene.game.permits(&before, action).expect("an action that the rules allow");
    let mut chance = Noted(ScriptedChance::new(script.iter().copied()), Vec::new());
    scene.game.apply(&mut scene.state, action, &mut chance);
    let step = Step { action: Some((&before, action)), chance: &chance.1, after: &scene.state };
    [S1, S2, S3].map(|seat| {
        let mut events = Vec::new();
        Memory::observe(&scene.game, &step, seat, |event| events.push(event));
        events
    })
}

/// Seat 1 with three roads, a library and a guild; all hold cards.
fn scene(change: impl FnOnce(&mut Rules)) -> Scene {
    let expansions = bits(&[Expansion::Library, Expansion::MerchantsGuild]);
    let change = |rules: &mut Rules| {
        rules.settlement.in_play[1] = 20;
        change(rules);
    };
    Scene::with(3, change)
        .area(S1, Area { roads: 3, expansions, ..START })
        .area(S2, Area { settlements: 9, ..START })
        .hand(S1, [2, 1, 0, 0, 0])
        .hand(S2, [0, 0, 1, 0, 2])
        .hand(S3, [0, 0, 0, 3, 0])
}

fn passes_to_all(rules: &mut Rules) {
    rules.trade.passes = Eyes::All;
}

fn moved(from: Place, to: Place, card: Resource) -> Vec<SeatEvent> {
    vec![SeatEvent::Moved { from, to, cards: Resources::one(card) }]
}

fn hand_to_hand(from: Seat, to: Seat, card: Resource) -> Vec<SeatEvent> {
    moved(Place::Hand(from), Place::Hand(to), card)
}

#[test]
fn sfc_35_the_table_sees_numbers_the_market_and_the_discards() {
    let look = |second: [u8; 5], third: [u8; 5]| {
        let scene = Scene::new(3).discards([1, 2, 0, 0, 0]).hand(S1, [1, 0, 0, 0, 2]);
        let scene = scene.hand(S2, second).hand(S3, third);
        let view = scene.game.view(&scene.state, S1);
        assert_eq!(view.hand.counts(), [1, 0, 0, 0, 2], "its own hand");
        assert_eq!(
            (view.table.market.counts(), view.table.discards.counts()),
            ([1; 5], [1, 2, 0, 0, 0])
        );
        assert_eq!(view.open, None);
        format!("{view:?}")
    };
    let one = look([4, 0, 0, 0, 0], [0, 0, 0, 2, 0]);
    assert_eq!(one, look([0, 1, 1, 1, 1], [0, 0, 0, 0, 2]), "kinds don't show");
    assert_ne!(one, look([4, 0, 0, 0, 1], [0, 0, 0, 2, 0]), "numbers do");
}

#[test]
fn sfc_35_all_see_what_is_paid() {
    let mut scene = scene(|_| {});
    let (from, to) = (Place::Hand(S1), Place::Discards);
    let cards = Resources::new(FOR_ROAD);
    let paid = vec![SeatEvent::Moved { from, to, cards }];
    assert_eq!(heard(&mut scene, build(Card::Road), &[]), [&paid; 3].map(Clone::clone));
}

#[test]
fn sfc_35_all_see_what_goes_to_and_from_the_market_and_to_the_discards() {
    let mut scene = scene(|_| {});
    let hand = Place::Hand(S1);
    heard(&mut scene, market(1), &[]);
    let taken = moved(Place::Market, hand, Ore);
    assert_eq!(heard(&mut scene, take(Ore), &[]), [&taken; 3].map(Clone::clone));
    let returned = moved(hand, Place::Market, Brick);
    assert_eq!(heard(&mut scene, give_back(Brick), &[]), [&returned; 3].map(Clone::clone));
    heard(&mut scene, stack(1), &[]);
    let [own, second, third] = heard(&mut scene, give_back(Brick), &[WOOL]);
    let drew = |kind| SeatEvent::Drew { seat: S1, kind };
    assert_eq!(own, [moved(hand, Place::Discards, Brick), vec![drew(Some(Wool))]].concat());
    assert_eq!(second, [moved(hand, Place::Discards, Brick), vec![drew(None)]].concat());
    assert_eq!(third, second);
}

#[test]
fn sfc_35_what_is_drawn_its_owner_alone_sees() {
    let [own, second, third] = heard(&mut scene(|_| {}), Draw, &[ORE, WOOL]);
    let drew = |kind| SeatEvent::Drew { seat: S1, kind };
    assert_eq!(own, [drew(Some(Ore)), drew(Some(Wool))]);
    assert_eq!((second, third), (vec![drew(None); 2], vec![drew(None); 2]));
}

#[test]
fn sfc_35_what_passes_between_two_players_only_those_two_see() {
    let mut scene = scene(|_| {});
    let [own, second, third] = heard(&mut scene, trade(S2, 1), &[ORE]);
    let taken = vec![SeatEvent::Taken { from: S2, to: S1, kind: Ore }];
    assert_eq!((&own, &second), (&taken, &taken));
    assert_eq!(third, [SeatEvent::Passed { from: S2, to: S1 }]);
    let [own, second, third] = heard(&mut scene, give_back(Brick), &[]);
    let returned = hand_to_hand(S1, S2, Brick);
    assert_eq!((&own, &second), (&returned, &returned));
    assert_eq!(third, [SeatEvent::Passed { from: S1, to: S2 }]);
}

#[test]
fn sfc_35_the_rule_set_can_show_it_to_all() {
    let mut scene = scene(passes_to_all);
    let [_, second, third] = heard(&mut scene, trade(S2, 1), &[ORE]);
    assert_eq!((third, second.len()), (second, 1));
    let [_, second, third] = heard(&mut scene, give_back(Brick), &[]);
    assert_eq!((third, second), (hand_to_hand(S1, S2, Brick), hand_to_hand(S1, S2, Brick)));
}

#[test]
fn sfc_71_the_card_of_a_guild_is_hidden_from_others() {
    for (change, seen) in [((|_| {}) as fn(&mut Rules), false), (passes_to_all, true)] {
        let [own, second, third] = heard(&mut scene(change), rob(S2), &[WOOL]);
        let taken = vec![SeatEvent::Taken { from: S2, to: S1, kind: Wool }];
        assert_eq!((&own, &second), (&taken, &taken));
        assert_eq!(third == taken, seen);
    }
}

#[test]
fn sfc_34_only_the_chooser_sees_the_open_hand() {
    let mut scene = scene(|_| {});
    let [own, second, third] = heard(&mut scene, choose(S2, 2), &[]);
    assert_eq!(own, [SeatEvent::Shown { seat: S2, cards: Resources::new([0, 0, 1, 0, 2]) }]);
    assert!(second.is_empty() && third.is_empty());
    let open = |seat| scene.game.view(&scene.state, seat).open;
    assert_eq!(open(S1), Some(scene.state.hands[1]));
    assert_eq!((open(S2), open(S3)), (None, None));
    let [own, second, third] = heard(&mut scene, take(Ore), &[WOOL]);
    let blind = SeatEvent::Taken { from: S2, to: S1, kind: Wool };
    assert_eq!(own, [hand_to_hand(S2, S1, Ore), vec![blind]].concat());
    assert_eq!(second, own);
    assert_eq!(third, vec![SeatEvent::Passed { from: S2, to: S1 }; 2]);
    assert_eq!(scene.game.view(&scene.state, S1).open, None, "it is closed again");
}

#[test]
fn sfc_34_the_rule_set_can_open_the_hand_to_all() {
    let mut scene = scene(|rules| rules.library.shown_to = Eyes::All);
    let shown = vec![SeatEvent::Shown { seat: S2, cards: Resources::new([0, 0, 1, 0, 2]) }];
    assert_eq!(heard(&mut scene, choose(S2, 1), &[]), [&shown; 3].map(Clone::clone));
    let open = |seat| scene.game.view(&scene.state, seat).open;
    let hand = Some(scene.state.hands[1]);
    assert_eq!([S1, S2, S3].map(open), [hand, None, hand], "its owner has it as its own hand");
}
