//! Events: OTR-69 to OTR-76.

use super::support::*;
use crate::core::chance::Scripted;
use crate::core::game::ActionFilter;
use crate::core::resources::Resource::{Brick, Grain, Ore, Wool};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::rules::DrawOrder;
use crate::games::on_the_road::state::{Area, Phase};

const SETTLE: Action = Action::Build {
    card: Card::Settlement,
    pay: crate::games::on_the_road::action::Payment::Exact,
};

/// The seat can pay for a settlement.
fn builder(players: u8, seat: Seat) -> Scene {
    Scene::new(players).turn_of(seat).hand(seat, FOR_SETTLEMENT)
}

fn discard_phase(seat: Seat, owed: u8) -> Phase {
    Phase::Discard { seat, owed }
}

#[test]
fn otr_69_a_settlement_draws_one_event_before_the_row_is_refilled() {
    let mut scene = builder(3, S1);
    scene.play(SETTLE, &[ABUNDANCE, ORE, ORE, ORE, ORE, ORE, ORE, SETTLEMENT]);
    assert_eq!(scene.state.table.events.count_ones(), 6);
    assert_eq!(scene.state.table.row, [2, 1, 1, 1]);
    scene = scene.hand(S1, FOR_SETTLEMENT);
    scene.play(SETTLE, &[CHARITY]);
    assert_eq!(scene.state.table.events.count_ones(), 5, "each settlement draws its own");
    assert_eq!(scene.state.table.row, [2, 0, 1, 1], "not before the gift");
    scene.play(give(Ore, S2), &[KNIGHT]);
    assert_eq!(scene.state.table.row, [2, 0, 1, 2]);
}

#[test]
fn otr_69_the_row_waits_until_the_robber_is_done() {
    let mut scene = builder(3, S1).hand(S2, [8, 0, 0, 0, 0]);
    scene.play(SETTLE, &[ROBBER]);
    for _ in 0..3 {
        scene.play(discard(Brick), &[]);
        assert_eq!(scene.row_size(), 4);
    }
    scene.play(discard(Brick), &[CITY]);
    assert_eq!(scene.state.table.row, [2, 0, 2, 1]);
    assert_eq!(scene.phase(), Phase::Main, "the builder goes on");
    assert_eq!(scene.state.table.current, S1);
}

#[test]
fn otr_69_nothing_else_draws_an_event() {
    let area = Area { cities: 1, ..START };
    let mut scene = Scene::new(3).area(S1, area).hand(S1, [1, 1, 4, 2, 5]);
    scene.play(build(Card::Road), &[ROAD]);
    scene.play(build(Card::Knight), &[ROAD]);
    scene.play(build(Card::City), &[ROAD]);
    scene.play(build(Card::MetropolisRoads), &[]);
    assert_eq!(scene.state.table.events.count_ones(), 7);
    assert_eq!(scene.held(S1), [0; 5]);
}

#[test]
fn otr_70_abundance_brings_two_cards_to_who_holds_no_bonus_card() {
    let mut scene = builder(4, S1)
        .area(S2, Area { roads: 3, ..START })
        .area(S4, Area { knights: 2, ..START })
        .route(S2)
        .army(S4);
    scene.play(SETTLE, &[ABUNDANCE, BRICK, BRICK, WOOL, WOOL, ROAD]);
    assert_eq!(scene.hand_sizes(), [2, 0, 2, 0]);
    assert_eq!((scene.held(S1), scene.held(S3)), ([2, 0, 0, 0, 0], [0, 0, 2, 0, 0]));
}

#[test]
fn otr_70_abundance_passes_over_a_builder_with_a_bonus_card() {
    let area = Area { roads: 3, knights: 2, ..START };
    let mut scene = builder(3, S1).area(S1, area).route(S1).army(S1);
    scene.play(SETTLE, &[ABUNDANCE, BRICK, BRICK, WOOL, WOOL, ROAD]);
    assert_eq!(scene.hand_sizes(), [0, 2, 2, 0]);
}

#[test]
fn otr_71_the_leader_gives_a_card_of_its_choice_to_a_poorer_player_of_its_choice() {
    let mut scene = builder(3, S1).hand(S1, [1, 0, 0, 0, 1]).hand(S2, [0, 0, 5, 0, 0]);
    scene.play(SETTLE, &[CHARITY]);
    assert_eq!(scene.phase(), Phase::Charity(S1));
    let gifts = [give(Brick, S2), give(Ore, S2), give(Brick, S3), give(Ore, S3)];
    assert_eq!(scene.listed(ActionFilter::Full), gifts);
    assert!(!scene.allows(give(Wool, S2)), "the leader holds no wool");
    assert!(!scene.allows(give(Brick, S1)), "no gift to oneself");
    assert!(!scene.allows(give(Brick, S4)), "an empty chair");
    assert!(!scene.allows(Action::EndTurn), "a gift is owed");
    scene.play(give(Ore, S3), &[ROAD]);
    assert_eq!((scene.held(S1), scene.held(S3)), ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1]));
    assert_eq!(scene.phase(), Phase::Main, "one card only, and the others give nothing");
}

#[test]
fn otr_71_all_who_tie_for_the_most_points_give() {
    let mut scene = builder(4, S3)
        .area(S1, Area { settlements: 2, ..START })
        .hand(S1, [1, 0, 0, 0, 0])
        .hand(S2, [0, 0, 0, 3, 0])
        .hand(S3, [0, 0, 1, 0, 0]);
    scene.play(SETTLE, &[CHARITY]);
    assert_eq!(scene.phase(), Phase::Charity(S3), "the current player first");
    assert!(!scene.allows(give(Wool, S1)), "who ties is not poorer");
    scene.play(give(Wool, S4), &[]);
    assert_eq!(scene.phase(), Phase::Charity(S1));
    assert!(!scene.allows(give(Brick, S3)));
    assert!(scene.allows(give(Brick, S2)) && scene.allows(give(Brick, S4)));
    scene.play(give(Brick, S2), &[ROAD]);
    assert_eq!(scene.hand_sizes(), [0, 4, 0, 1]);
}

#[test]
fn otr_71_bonus_points_count_and_the_builder_need_not_be_the_leader() {
    let mut scene = builder(3, S1)
        .area(S2, Area { roads: 3, ..START })
        .route(S2)
        .hand(S1, [1, 0, 0, 0, 0])
        .hand(S2, [0, 0, 0, 1, 0]);
    scene.play(SETTLE, &[CHARITY]);
    assert_eq!(scene.phase(), Phase::Charity(S2), "three points against two");
    assert_eq!(scene.listed(ActionFilter::Full), [give(Grain, S3), give(Grain, S1)]);
    scene.play(give(Grain, S1), &[ROAD]);
    assert_eq!(scene.held(S1), [1, 0, 0, 1, 0]);
}

#[test]
fn otr_71_when_all_are_level_nothing_happens() {
    let two = Area { settlements: 2, ..START };
    let mut scene = builder(3, S1).area(S2, two).area(S3, two);
    scene = scene.hand(S1, [2, 0, 0, 0, 0]).hand(S2, [2, 0, 0, 0, 0]);
    scene.play(SETTLE, &[CHARITY, ROAD]);
    assert_eq!(scene.phase(), Phase::Main);
    assert_eq!(scene.hand_sizes(), [2, 2, 0, 0]);
}

#[test]
fn otr_71_an_empty_hand_gives_nothing() {
    let mut scene = builder(3, S1).hand(S2, [0, 0, 5, 0, 0]);
    scene.play(SETTLE, &[CHARITY, ROAD]);
    assert_eq!(scene.phase(), Phase::Main, "the only leader has no card");
    let mut scene = builder(3, S1).area(S2, Area { settlements: 2, ..START });
    scene = scene.hand(S2, [0, 0, 1, 0, 0]);
    scene.play(SETTLE, &[CHARITY]);
    assert_eq!(scene.phase(), Phase::Charity(S2), "the other leader still gives");
    scene.play(give(Wool, S3), &[ROAD]);
}

#[test]
fn otr_72_more_than_seven_cards_are_halved_rounded_down() {
    let mut scene = builder(4, S1)
        .hand(S1, [0, 0, 0, 0, 7])
        .hand(S2, [8, 0, 0, 0, 0])
        .hand(S3, [0, 7, 0, 0, 0])
        .hand(S4, [0, 0, 9, 0, 0]);
    scene.play(SETTLE, &[ROBBER]);
    assert_eq!(scene.phase(), discard_phase(S2, 4), "seven are safe, the price is paid");
    scene.play_all(&[discard(Brick); 4]);
    assert_eq!(scene.phase(), discard_phase(S4, 4), "half of nine, rounded down");
    scene.play_all(&[discard(Wool); 3]);
    scene.play(discard(Wool), &[ROAD]);
    assert_eq!(scene.hand_sizes(), [7, 4, 7, 5]);
    assert_eq!(scene.discarded(), [1 + 4, 1, 1 + 4, 1, 0]);
}

#[test]
fn otr_72_each_knight_makes_one_more_card_safe() {
    let mut scene = builder(4, S1)
        .area(S2, Area { knights: 2, ..START })
        .area(S3, Area { knights: 2, ..START })
        .army(S2)
        .hand(S2, [0, 0, 9, 0, 0])
        .hand(S3, [10, 0, 0, 0, 0])
        .hand(S4, [0, 7, 0, 0, 0]);
    scene.play(SETTLE, &[ROBBER]);
    assert_eq!(scene.phase(), discard_phase(S3, 5), "nine are safe behind two knights");
    scene.play_all(&[discard(Brick); 4]);
    scene.play(discard(Brick), &[ROAD]);
    assert_eq!(scene.hand_sizes(), [0, 9, 5, 7]);
}

#[test]
fn otr_72_the_player_chooses_what_to_discard_card_by_card() {
    let mut scene = builder(3, S1).hand(S3, [1, 0, 0, 2, 5]);
    scene.play(SETTLE, &[ROBBER]);
    assert_eq!(scene.listed(ActionFilter::Plain), [discard(Brick), discard(Grain), discard(Ore)]);
    assert!(!scene.allows(discard(Wool)), "not held");
    assert!(!scene.allows(Action::EndTurn), "four are owed");
    scene.play_all(&[discard(Brick), discard(Ore)]);
    assert!(!scene.allows(discard(Brick)), "the only one is gone");
    scene.play_all(&[discard(Grain)]);
    scene.play(discard(Ore), &[ROAD]);
    assert_eq!(scene.held(S3), [0, 0, 0, 1, 3]);
}

#[test]
fn otr_72_the_rule_set_can_change_the_hand_limit() {
    let robbed = |limit: u8, cards: u8| {
        let mut scene = Scene::with(3, |rules| rules.robber.hand_limit = limit)
            .hand(S1, FOR_SETTLEMENT)
            .hand(S2, [cards, 0, 0, 0, 0]);
        let safe = cards <= limit || cards == 1;
        scene.play(SETTLE, if safe { &[ROBBER, ROAD] } else { &[ROBBER] });
        scene.phase()
    };
    assert_eq!(robbed(3, 3), Phase::Main);
    assert_eq!(robbed(3, 4), discard_phase(S2, 2));
    assert_eq!(robbed(10, 10), Phase::Main);
    assert_eq!(robbed(0, 1), Phase::Main, "half of one is nothing");
}

#[test]
fn otr_73_solstice_brings_everyone_a_card_and_shuffles_the_event_deck() {
    let mut scene = builder(3, S1);
    scene.state.table.events = 1 << 5 | 1 << 3;
    scene.play(SETTLE, &[SOLSTICE, BRICK, WOOL, ORE, ROAD]);
    assert_eq!(scene.held(S1), [1, 0, 0, 0, 0]);
    assert_eq!(scene.held(S2), [0, 0, 1, 0, 0]);
    assert_eq!(scene.held(S3), [0, 0, 0, 0, 1]);
    assert_eq!(scene.state.table.events, 0b111_1111, "all seven, Solstice included");
}

#[test]
fn otr_74_subsidy_brings_a_card_for_each_uncovered_settlement() {
    let mut scene = builder(4, S2)
        .area(S1, Area { settlements: 0, cities: 2, ..START })
        .area(S3, Area { settlements: 3, cities: 1, metropolises: ROADS_BIT, ..START });
    scene.state.table.unbuilt &= !ROADS_BIT;
    let luck = [SUBSIDY, BRICK, BRICK, WOOL, WOOL, WOOL, ORE, KNIGHT];
    scene.play(SETTLE, &luck);
    assert_eq!(scene.held(S2), [2, 0, 0, 0, 0], "the one just built counts");
    assert_eq!(scene.held(S3), [0, 0, 3, 0, 0], "covered ones count for nothing");
    assert_eq!(scene.held(S4), [0, 0, 0, 0, 1]);
    assert_eq!(scene.held(S1), [0; 5]);
}

#[test]
fn otr_75_several_players_act_in_turn_order_from_the_current_player() {
    let mut scene = builder(3, S2).hand(S1, [8, 0, 0, 0, 0]);
    scene = scene.hand(S2, [0, 0, 8, 0, 0]).hand(S3, [0, 0, 0, 0, 8]);
    scene.play(SETTLE, &[ROBBER]);
    for (seat, card) in [(S2, Wool), (S3, Ore)] {
        assert_eq!(scene.phase(), discard_phase(seat, 4));
        scene.play_all(&[discard(card); 4]);
    }
    assert_eq!(scene.phase(), discard_phase(S1, 4));
    scene.play_all(&[discard(Brick); 3]);
    scene.play(discard(Brick), &[ROAD]);
    scene = scene.hand(S2, FOR_SETTLEMENT).row([2, 1, 1, 1]);
    let luck = [ABUNDANCE, GRAIN, GRAIN, LUMBER, LUMBER, WOOL, WOOL, ROAD];
    scene.play(SETTLE, &luck);
    assert_eq!(scene.held(S2), [0, 0, 4, 2, 0], "all its cards before the next draws");
    assert_eq!(scene.held(S3), [0, 2, 0, 0, 4]);
    assert_eq!(scene.held(S1), [4, 0, 2, 0, 0]);
}

#[test]
fn otr_75_the_rule_set_can_let_players_draw_in_rounds() {
    let draw = |order: DrawOrder, event: Scripted, cards: &[Scripted]| {
        let mut scene = Scene::with(3, |rules| rules.draw_order = order)
            .turn_of(S2)
            .area(S3, Area { settlements: 3, ..START })
            .hand(S2, FOR_SETTLEMENT);
        scene.play(SETTLE, &[&[event], cards, &[ROAD]].concat());
        [scene.held(S1), scene.held(S2), scene.held(S3)]
    };
    let rounds = [BRICK, WOOL, ORE, BRICK, WOOL, WOOL];
    let seats = [BRICK, BRICK, WOOL, WOOL, WOOL, ORE];
    let hands = [[0, 0, 0, 0, 1], [2, 0, 0, 0, 0], [0, 0, 3, 0, 0]];
    assert_eq!(draw(DrawOrder::Round, SUBSIDY, &rounds), hands);
    assert_eq!(draw(DrawOrder::Seat, SUBSIDY, &seats), hands);
    let hands = [[0, 0, 0, 0, 2], [2, 0, 0, 0, 0], [0, 0, 2, 0, 0]];
    let rounds = [BRICK, WOOL, ORE, BRICK, WOOL, ORE];
    assert_eq!(draw(DrawOrder::Round, ABUNDANCE, &rounds), hands);
}

#[test]
fn otr_76_events_come_without_replacement() {
    let mut scene = builder(3, S1).row([0, 5, 0, 0]);
    for (left, event) in [(0b111_1011, ROBBER), (0b111_0011, ROBBER), (0b110_0011, ROBBER)] {
        scene.play(SETTLE, &[event, ROAD]);
        assert_eq!(scene.state.table.events, left);
        scene = scene.hand(S1, FOR_SETTLEMENT);
    }
    scene.play(SETTLE, &[CHARITY, ROAD]);
    assert_eq!(scene.state.table.events, 0b110_0001, "Abundance, Solstice and Subsidy are left");
}

#[test]
fn otr_76_an_event_deck_that_runs_out_is_shuffled_anew() {
    let mut scene = builder(3, S1);
    scene.state.table.events = 0b1000;
    scene.play(SETTLE, &[ROBBER, SETTLEMENT]);
    assert_eq!(scene.state.table.events, 0);
    scene = scene.hand(S1, FOR_SETTLEMENT);
    scene.play(SETTLE, &[ABUNDANCE, ORE, ORE, ORE, ORE, ORE, ORE, ROAD]);
    assert_eq!(scene.state.table.events, 0b111_1110, "six of the seven are left");
}
