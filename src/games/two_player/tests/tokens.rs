//! Trade tokens: TWO-4, TWO-9 to TWO-12, TWO-15.

use super::support::*;
use crate::core::chance::ScriptedChance;
use crate::core::resources::Resource::{Brick, Grain, Ore, Wool};
use crate::core::types::seat::Seat;
use crate::games::two_player::action::Action::{ForcedTrade, RobberHome, TurnIn};
use crate::games::two_player::rules::Rules;
use crate::games::two_player::state::Owed;
use crate::parts::island::cards::Card;
use crate::parts::island::state::{Phase, Table};
use crate::parts::places::Vertex;

#[test]
fn two_9_a_forced_trade_draws_two_cards_and_gives_any_two_back() {
    let mut scene = Scene::new().hand(S1, [1, 0, 0, 0, 0]).hand(S2, [0, 0, 1, 0, 2]).tokens([1, 0]);
    scene.play(ForcedTrade, &[stolen(Ore), stolen(Wool)]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([1, 0, 1, 0, 1], [0, 0, 0, 0, 1]));
    assert_eq!(scene.owed(), Owed::Cards);
    assert!(!scene.allows(END_TURN));
    assert_eq!(scene.listed().len(), 3, "pairs of three different cards");
    assert!(!scene.allows(give_back(Ore, Ore)));
    scene.play(give_back(Brick, Wool), &[]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([0, 0, 0, 0, 1], [1, 0, 1, 0, 1]));
    assert!(scene.allows(END_TURN));
}

#[test]
fn two_9_an_opponent_with_one_card_loses_it_and_gets_two() {
    let mut scene = Scene::new().hand(S1, [2, 0, 0, 0, 0]).hand(S2, [0, 0, 0, 1, 0]).tokens([1, 0]);
    scene.play(ForcedTrade, &[stolen(Grain)]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([2, 0, 0, 1, 0], [0; 5]));
    scene.play(give_back(Brick, Brick), &[]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([0, 0, 0, 1, 0], [2, 0, 0, 0, 0]));
}

#[test]
fn two_9_the_robber_goes_home_and_takes_no_card() {
    let scene = Scene::new().settlement(S2, 20).hand(S2, [1, 0, 0, 0, 0]).tokens([2, 0]);
    assert!(!scene.allows(RobberHome), "it is there");
    let mut scene = scene.robber_on(3);
    scene.play(RobberHome, &[]);
    assert_eq!(scene.state.island.table.robber.number(), DESERT);
    assert_eq!(scene.held(S2), [1, 0, 0, 0, 0]);
    assert_eq!(scene.state.island.table.phase, Phase::Act);
}

#[test]
fn two_9_on_an_island_from_a_file_the_robber_may_have_several_homes_or_none() {
    let mut scene = Scene::new().tokens([2, 0]).robber_on(3);
    assert!(scene.allows(RobberHome));
    scene.state.island.table.board.terrain[3] = None;
    assert!(!scene.allows(RobberHome), "it stands on the second desert");
    for hex in [3, usize::from(DESERT)] {
        scene.state.island.table.board.terrain[hex] = Some(Grain);
    }
    assert!(!scene.allows(RobberHome), "there is no desert");
}

#[test]
fn two_9_one_of_the_two_actions_a_turn_before_the_rolls_too() {
    let scene = Scene::new().hand(S1, [2, 0, 0, 0, 0]).hand(S2, [2, 0, 0, 0, 0]).tokens([7, 0]);
    let mut scene = scene.robber_on(3).before_rolls();
    assert!(scene.allows(ForcedTrade));
    scene.play(RobberHome, &[]);
    let mut scene = scene.robber_on(3);
    assert!(!scene.allows(ForcedTrade) && !scene.allows(RobberHome));
    scene.play(ROLL, &[dice(&[2])]);
    scene.play(ROLL, &[dice(&[3])]);
    assert!(!scene.allows(ForcedTrade) && !scene.allows(RobberHome));
    scene.play(END_TURN, &[]);
    assert!(!scene.state.own.acted, "the next turn has its own");
}

#[test]
fn two_9_not_while_something_is_pending() {
    let mut scene = Scene::new()
        .cards(S1, Card::Knight, 1)
        .hand(S1, [2, 0, 0, 0, 0])
        .hand(S2, [2, 0, 0, 0, 0])
        .knights(S1, 1)
        .tokens([4, 0]);
    assert!(scene.allows(ForcedTrade) && scene.allows(TurnIn));
    scene.play(KNIGHT, &[]);
    assert!(!scene.allows(ForcedTrade) && !scene.allows(TurnIn));
}

#[test]
fn two_10_it_costs_one_token_and_two_for_the_leader() {
    let at_hand = |scene: Scene| scene.hand(S1, [2, 0, 0, 0, 0]).hand(S2, [2, 0, 0, 0, 0]);
    let level = at_hand(Scene::new()).settlement(S1, 0).settlement(S2, 53);
    assert!(!level.allows(ForcedTrade), "no tokens");
    let mut behind = level.clone().tokens([1, 0]).city(S2, 51);
    behind.play(ForcedTrade, &[stolen(Brick), stolen(Brick)]);
    assert_eq!(behind.state.own.tokens, [0, 0]);
    let mut level = level.tokens([1, 0]).cards(S1, Card::VictoryPoint, 2);
    level.play(ForcedTrade, &[stolen(Brick), stolen(Brick)]);
    assert_eq!(level.state.own.tokens, [0, 0], "hidden points don't count");
    let mut ahead = at_hand(Scene::new()).settlement(S1, 0).robber_on(3).tokens([1, 0]);
    assert!(!ahead.allows(ForcedTrade) && !ahead.allows(RobberHome), "the leader pays two");
    ahead = ahead.tokens([3, 0]);
    ahead.play(RobberHome, &[]);
    assert_eq!(ahead.state.own.tokens, [1, 0]);
}

#[test]
fn two_11_a_played_knight_brings_two_tokens_once_a_turn() {
    let mut scene = Scene::new().knights(S1, 2);
    scene.play(TurnIn, &[]);
    assert_eq!(scene.state.own.tokens, [2, 0]);
    assert_eq!(scene.state.island.table.knights[..2], [1, 0]);
    assert_eq!(scene.state.island.table.gone[Card::Knight.idx()], 1, "it leaves the game");
    assert!(!scene.allows(TurnIn), "once a turn");
    scene.play(END_TURN, &[]);
    assert!(!scene.allows(TurnIn), "the other has no knight");
    assert!(Scene::new().knights(S1, 1).before_rolls().allows(TurnIn));
}

/// Who holds Largest Army after seat 1 has turned a knight in.
fn army_after(knights: [u8; 2], held: Option<Seat>) -> Option<Seat> {
    let mut scene = Scene::new().knights(S1, knights[0]).knights(S2, knights[1]);
    scene.table().army = held;
    scene.play(TurnIn, &[]);
    scene.state.island.table.army
}

#[test]
fn two_11_largest_army_may_be_lost() {
    assert_eq!(army_after([3, 0], Some(S1)), None, "down to two");
    assert_eq!(army_after([4, 3], Some(S1)), None, "level");
    assert_eq!(army_after([4, 2], Some(S1)), Some(S1));
    assert_eq!(army_after([4, 4], Some(S1)), Some(S2), "the other has more");
    assert_eq!(army_after([3, 3], None), Some(S2), "it lay free");
    assert_eq!(army_after([2, 3], Some(S2)), Some(S2));
    assert_eq!(army_after([2, 1], None), None);
}

#[test]
fn two_11_largest_army_that_lies_free_goes_to_who_then_has_more() {
    let mut scene = Scene::new().knights(S1, 4).knights(S2, 3).army(S1).cards(S1, Card::Knight, 1);
    scene.play(TurnIn, &[]);
    assert_eq!(scene.state.island.table.army, None);
    scene.play(KNIGHT, &[]);
    assert_eq!(scene.state.island.table.army, Some(S1));
}

fn tokens_at(table: impl Fn(&mut Table), vertex: u8) -> u8 {
    let mut scene = Scene::new();
    table(scene.table());
    scene.game.settlement_tokens(&scene.state.island.table, Vertex::new(vertex))
}

#[test]
fn two_12_a_settlement_at_the_desert_or_on_the_coast_brings_tokens() {
    let printed = |_: &mut Table| {};
    assert_eq!(tokens_at(printed, 20), 2, "at the desert");
    assert_eq!(tokens_at(printed, 0), 1, "on the coast");
    assert_eq!(tokens_at(printed, 2), 1, "where two hexes meet the sea");
    assert_eq!(tokens_at(printed, 10), 0, "inland");
    let desert_at_the_shore = |table: &mut Table| table.board.terrain[0] = None;
    assert_eq!(tokens_at(desert_at_the_shore, 0), 3, "both");
    let mut scene = Scene::new().roads(S1, &[20, 19]).hand(S1, FOR_SETTLEMENT);
    scene.play(settlement(20), &[]);
    assert_eq!(scene.state.own.tokens, [2, 0]);
}

#[test]
fn two_12_founding_brings_them_and_neutral_settlements_do_not() {
    let game = game_with(|_| {});
    let state = game.deal(&mut ScriptedChance::default());
    let mut scene = Scene { game, state };
    scene.play_all(&[settlement(20), road(20, 19)]);
    assert_eq!(scene.state.own.tokens, [6, 4]);
    let mut scene =
        Scene::new().roads(S1, &[43, 44]).roads(N3, &[11, 21, 22]).hand(S1, FOR_SETTLEMENT);
    scene.play(settlement(44), &[]);
    assert_eq!(scene.state.own.tokens, [0, 0]);
    scene.play(neutral_settlement(N3, 22), &[]);
    assert_eq!(scene.state.own.tokens, [0, 0]);
}

#[test]
fn two_4_nobody_holds_more_than_seven_tokens() {
    let mut scene = Scene::new().knights(S1, 1).tokens([6, 0]);
    scene.play(TurnIn, &[]);
    assert_eq!(scene.state.own.tokens, [7, 0]);
    assert_eq!(scene.game.supply(&scene.state.own), 7, "the other stays in the supply");
    let full = Scene::new().knights(S1, 1).tokens([7, 0]);
    assert!(!full.allows(TurnIn), "it would bring nothing");
}

#[test]
fn two_4_the_supply_can_run_out() {
    let mut scene = Scene::new().roads(S1, &[20, 19]).hand(S1, FOR_SETTLEMENT).tokens([6, 7]);
    scene.play(settlement(20), &[]);
    assert_eq!(scene.state.own.tokens, [7, 7], "one was left of two");
    let mut scene = Scene::with(|rules| rules.trade_tokens.max = 9).knights(S1, 1).tokens([5, 8]);
    scene.play(TurnIn, &[]);
    assert_eq!(scene.state.own.tokens, [6, 8]);
}

#[test]
fn two_15_the_forced_trade_needs_a_card_and_two_to_give_back() {
    let allowed = |mine: u8, theirs: u8| {
        let scene = Scene::new().hand(S1, [mine, 0, 0, 0, 0]).hand(S2, [theirs, 0, 0, 0, 0]);
        scene.tokens([1, 0]).allows(ForcedTrade)
    };
    assert!(!allowed(5, 0), "the opponent has nothing");
    assert!(!allowed(0, 1), "one card drawn, none more to give");
    assert!(allowed(1, 1));
    assert!(allowed(0, 2), "the two that were drawn");
}

#[test]
fn two_9_without_the_actions_tokens_buy_nothing() {
    let scene = |change: fn(&mut Rules)| {
        let scene = Scene::with(change).hand(S1, [2, 0, 0, 0, 0]).hand(S2, [2, 0, 0, 0, 0]);
        scene.tokens([7, 0]).robber_on(3)
    };
    let no_trade = scene(|rules| rules.trade_tokens.forced_trade = false);
    assert!(!no_trade.allows(ForcedTrade) && no_trade.allows(RobberHome));
    let no_home = scene(|rules| rules.trade_tokens.robber_home = false);
    assert!(no_home.allows(ForcedTrade) && !no_home.allows(RobberHome));
}
