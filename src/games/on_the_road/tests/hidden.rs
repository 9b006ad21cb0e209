//! Who sees what, and where the cards are: OTR-34 and OTR-83.

use super::support::*;
use crate::core::chance::{ChanceEvent, RandomChance, When, below};
use crate::core::game::{ActionFilter, Game, Observation, SeatMemory, Step};
use crate::core::resources::Resource::{Brick, Ore};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::Action::{self, Accept};
use crate::games::on_the_road::cards::{Card, Hand, count, size};
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::memory::Memory;
use crate::games::on_the_road::rules::{Discards, Side};
use crate::games::on_the_road::state::Area;

const BRICK_1: [u8; 5] = [1, 0, 0, 0, 0];

/// The memories of seats 1 to 3 who saw the hands being drawn.
fn memories(scene: &Scene) -> [Memory; 3] {
    let mut events = Vec::new();
    for seat in [S1, S2, S3] {
        for card in (0..61).filter(|card| scene.state.hands[seat.idx()].cards() >> card & 1 == 1) {
            events.push(ChanceEvent { draw: Draw::Card(seat, When::Turn), outcome: card });
        }
    }
    let deal = Step { action: None, chance: &events, after: &scene.state };
    [S1, S2, S3].map(|eyes| {
        let mut memory = Memory::new(&scene.game, eyes);
        deal.remember(&scene.game, eyes, &mut memory);
        memory
    })
}

/// Shows an action to all three seats, before its luck.
fn show(memories: &mut [Memory; 3], scene: &Scene, action: Action) {
    let (before, game) = (&scene.state, &scene.game);
    let step = Step { action: Some((before, action)), chance: &[], after: before };
    for (seat, memory) in [S1, S2, S3].into_iter().zip(memories) {
        step.remember(game, seat, memory);
    }
}

/// What each of seats 1 to 3 is sure that a seat holds.
fn sure(memories: &[Memory; 3], of: Seat) -> [[u8; 5]; 3] {
    [0, 1, 2].map(|eyes| memories[eyes].surely_held(of).counts())
}

#[test]
fn otr_34_the_table_sees_numbers_and_the_owner_kinds() {
    let scene =
        Scene::new(3).hand(S1, [2, 0, 1, 0, 0]).hand(S2, [0, 0, 0, 0, 5]).discards([0, 3, 0, 1, 0]);
    let view = scene.game.view(&scene.state, S1);
    assert_eq!(view.hand.counts(), [2, 0, 1, 0, 0]);
    assert_eq!(view.hand_sizes, [3, 5, 0, 0]);
    assert_eq!(view.pile, 61 - 3 - 5 - 4);
    assert_eq!(view.discards.counts(), [0, 3, 0, 1, 0], "the discards lie open");
    assert_eq!(view.discards_size, 4);
}

#[test]
fn otr_34_hidden_cards_do_not_show() {
    let look = |second: [u8; 5], third: [u8; 5]| {
        let scene = Scene::new(3).hand(S1, [2, 0, 1, 0, 0]).hand(S2, second).hand(S3, third);
        format!("{:?} {:?}", scene.game.view(&scene.state, S1), memories(&scene)[0])
    };
    let one = look([4, 0, 0, 0, 0], [0, 0, 0, 2, 0]);
    assert_eq!(one, look([0, 1, 1, 1, 1], [0, 0, 0, 0, 2]));
    assert_ne!(one, look([4, 0, 0, 0, 1], [0, 0, 0, 2, 0]), "numbers do show");
}

#[test]
fn otr_34_what_is_drawn_its_owner_alone_sees() {
    let scene = Scene::new(3).hand(S1, [1, 0, 0, 0, 0]).hand(S2, [0, 0, 0, 0, 2]);
    let memories = memories(&scene);
    assert_eq!(sure(&memories, S1), [[1, 0, 0, 0, 0], [0; 5], [0; 5]]);
    assert_eq!(sure(&memories, S2), [[0; 5], [0, 0, 0, 0, 2], [0; 5]]);
}

#[test]
fn otr_34_traded_cards_are_seen_by_all() {
    let mut scene = Scene::new(3).hand(S1, [1, 0, 0, 0, 0]).hand(S2, [0, 0, 0, 0, 2]);
    let mut memories = memories(&scene);
    for action in [offer([1, 0, 0, 0, 0], [0, 0, 0, 0, 1]), Accept, Action::Refuse] {
        show(&mut memories, &scene, action);
        scene.play(action, &[]);
    }
    show(&mut memories, &scene, settle(S2));
    assert_eq!(sure(&memories, S1), [[0, 0, 0, 0, 1]; 3]);
    let brick = [1, 0, 0, 0, 0];
    assert_eq!(sure(&memories, S2), [brick, [1, 0, 0, 0, 1], brick]);
}

#[test]
fn otr_34_proposals_and_answers_show_the_cards_that_must_be_held() {
    for (bluff, brick) in [(false, 2), (true, 0)] {
        let mut scene = Scene::with(3, |rules| rules.trade.bluff = bluff)
            .hand(S1, [3, 0, 0, 0, 0])
            .hand(S2, [0, 0, 0, 0, 2])
            .hand(S3, [0, 1, 1, 0, 1]);
        let mut memories = memories(&scene);
        let talk =
            [offer([2, 0, 0, 0, 0], [0, 0, 0, 0, 1]), Accept, counter([0, 1, 0, 0, 0], BRICK_1)];
        for action in talk {
            show(&mut memories, &scene, action);
            scene.play(action, &[]);
        }
        let known = [brick, 0, 0, 0, 0];
        assert_eq!(sure(&memories, S1), [[3, 0, 0, 0, 0], known, known], "bluff: {bluff}");
        assert_eq!(sure(&memories, S2)[0], [0, 0, 0, 0, 1], "what the offer asked for");
        assert_eq!(sure(&memories, S3)[0], [0, 1, 0, 0, 0], "what the counter gives");
    }
}

#[test]
fn otr_34_a_charity_gift_is_seen_by_giver_and_receiver_alone() {
    let mut scene = Scene::new(3).hand(S1, FOR_SETTLEMENT).hand(S1, [0, 0, 0, 0, 1]);
    let mut memories = memories(&scene);
    show(&mut memories, &scene, build(Card::Settlement));
    scene.play(build(Card::Settlement), &[CHARITY]);
    assert_eq!(sure(&memories, S1), [[0, 0, 0, 0, 1], [0; 5], [0; 5]], "the price was seen");
    show(&mut memories, &scene, give(Ore, S2));
    assert_eq!(sure(&memories, S1), [[0; 5]; 3]);
    assert_eq!(sure(&memories, S2), [[0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0; 5]]);
}

/// Seat 1 builds a settlement, and the Robber takes a brick of seat 2 from 4 brick and 4 ore.
fn robbed(discards: Discards) -> (Scene, [Memory; 3]) {
    let mut scene = Scene::with(3, |rules| rules.robber.discards = discards)
        .hand(S1, FOR_SETTLEMENT)
        .hand(S2, [4, 0, 0, 0, 4]);
    let mut memories = memories(&scene);
    for (action, luck) in [(build(Card::Settlement), &[ROBBER][..]), (discard(Brick), &[])] {
        show(&mut memories, &scene, action);
        scene.play(action, luck);
    }
    (scene, memories)
}

#[test]
fn otr_34_robber_discards_lie_open() {
    let (scene, memories) = robbed(Discards::Open);
    let view = scene.game.view(&scene.state, S3);
    assert_eq!(view.discards.counts(), [2, 1, 1, 1, 0]);
    assert_eq!(sure(&memories, S2), [[0; 5], [3, 0, 0, 0, 4], [0; 5]]);
    let imagined = determinize(&scene, &memories[2], 1);
    assert_eq!(count(imagined.state.discards).counts(), [2, 1, 1, 1, 0]);
}

#[test]
fn otr_34_the_rule_set_can_hide_robber_discards() {
    let (scene, memories) = robbed(Discards::Hidden);
    let view = scene.game.view(&scene.state, S3);
    assert_eq!((view.discards.counts(), view.discards_size), ([0; 5], 5));
    assert_eq!(sure(&memories, S2)[1], [3, 0, 0, 0, 4], "who discards sees it");
    let kinds: Vec<[u8; 5]> = (0..40)
        .map(|seed| count(determinize(&scene, &memories[2], seed).state.discards).counts())
        .collect();
    assert!(kinds.iter().any(|&kinds| kinds != [2, 1, 1, 1, 0]), "the others can only guess");
}

fn determinize(scene: &Scene, memory: &Memory, number: u64) -> Scene {
    let view = scene.game.view(&scene.state, memory.seat());
    let seen = Observation { seat: memory.seat(), view, memory };
    let mut rng = BlockSeed::new(number, 0).stream(Stream::Agent, Some(memory.seat()), 1);
    let state = seen.determinize(&scene.game, &mut rng);
    Scene { game: scene.game.clone(), state }
}

#[test]
fn otr_34_an_imagined_position_agrees_with_what_is_seen() {
    let scene = Scene::new(3).hand(S1, [2, 0, 1, 0, 0]).hand(S2, [0, 0, 0, 0, 5]);
    let memories = memories(&scene);
    for seed in 0..20 {
        let imagined = determinize(&scene, &memories[0], seed);
        imagined.game.check(&imagined.state);
        assert_eq!(imagined.held(S1), [2, 0, 1, 0, 0]);
        assert_eq!(imagined.hand_sizes(), scene.hand_sizes());
        assert_eq!(size(imagined.state.pile), size(scene.state.pile));
    }
    let hands: Vec<[u8; 5]> =
        (0..20).map(|seed| determinize(&scene, &memories[0], seed).held(S2)).collect();
    assert!(hands.iter().any(|&hand| hand != hands[0]), "the hidden hand is a guess");
}

#[test]
fn otr_83_cards_stay_in_the_box_through_random_play() {
    for (seed, side) in [(1, Side::A), (2, Side::B), (3, Side::Mixed), (4, Side::B)] {
        let game = game_with(4, |rules| {
            rules.side = side;
            rules.turns_max = 120;
            rules.trade.listed_max = 1;
        });
        let mut chance = RandomChance::new(BlockSeed::new(seed, 0));
        let mut rng = BlockSeed::new(seed, 1).stream(Stream::Agent, None, 0);
        let mut state = game.deal(&mut chance);
        let mut list = Actions::new();
        loop {
            game.check(&state);
            let cards = state.hands.map(Hand::size).iter().sum::<u8>();
            assert_eq!(cards + size(state.pile) + size(state.discards), 61);
            game.legal(&state, ActionFilter::Full, &mut list);
            if list.is_empty() {
                break;
            }
            let spot = below(&mut rng, u32::try_from(list.len()).expect("a short list"));
            game.apply(&mut state, list[spot as usize], &mut chance);
        }
        assert!(state.table.turn > 1);
    }
}

#[test]
#[should_panic(expected = "a resource card lies in two places")]
fn otr_83_a_resource_card_in_two_places_is_noticed() {
    let mut scene = Scene::new(3);
    scene.state.hands[1].add(30);
    scene.game.check(&scene.state);
}

#[test]
#[should_panic(expected = "a resource card lies in two places")]
fn otr_83_a_discard_that_is_still_in_the_pile_is_noticed() {
    let mut scene = Scene::new(3);
    scene.state.discards |= 1 << 60;
    scene.game.check(&scene.state);
}

#[test]
#[should_panic(expected = "a resource card is nowhere")]
fn otr_83_a_lost_resource_card_is_noticed() {
    let mut scene = Scene::new(3);
    scene.state.pile &= !1;
    scene.game.check(&scene.state);
}

#[test]
#[should_panic(expected = "Knight cards")]
fn otr_83_a_lost_building_card_is_noticed() {
    let mut scene = Scene::new(3);
    scene.state.table.deck[3] -= 1;
    scene.game.check(&scene.state);
}

#[test]
#[should_panic(expected = "Settlement cards")]
fn otr_83_a_covered_settlement_is_still_a_card() {
    let mut scene = Scene::new(3).area(S1, Area { settlements: 0, cities: 1, ..START });
    scene.state.table.deck[1] -= 1;
    scene.game.check(&scene.state);
}

#[test]
#[should_panic(expected = "a metropolis stands twice")]
fn otr_83_a_metropolis_in_two_areas_is_noticed() {
    let area = Area { settlements: 0, metropolises: ARMY_BIT, ..START };
    let scene = Scene::new(3).area(S1, area).area(S2, area);
    scene.game.check(&scene.state);
}

#[test]
#[should_panic(expected = "an unbuilt metropolis stands")]
fn otr_83_a_metropolis_that_is_built_and_unbuilt_is_noticed() {
    let area = Area { settlements: 0, metropolises: ARMY_BIT, ..START };
    let mut scene = Scene::new(3).area(S1, area);
    scene.state.table.unbuilt |= ARMY_BIT;
    scene.game.check(&scene.state);
}

#[test]
#[should_panic(expected = "a metropolis is nowhere")]
fn otr_83_a_lost_metropolis_is_noticed() {
    let mut scene = Scene::new(3);
    scene.state.table.unbuilt &= !ROUTE_BIT;
    scene.game.check(&scene.state);
}
