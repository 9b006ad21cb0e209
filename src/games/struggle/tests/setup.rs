//! Components, the cards in play and the deal: SFC-1 to SFC-12, SFC-50.

use super::support::*;
use crate::core::chance::Scripted;
use crate::core::game::Game;
use crate::core::types::by_seat::BySeat;
use crate::games::struggle::Struggle;
use crate::games::struggle::action::Action::Draw;
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::rules::{Allowed, Direction, ExpansionCard, Extra, Moment, Rules};
use crate::games::struggle::state::{Phase, SoFar};
use crate::parts::bundles::Price;

const MARKET: [Scripted; 5] = [ORE; 5];

/// A deal of five ore to the market and of wool to all hands.
fn dealt(players: u8, change: impl FnOnce(&mut Rules)) -> Scene {
    deal(game_with(players, change), &[&MARKET, &vec![WOOL; 3 * usize::from(players)]])
}

/// Cards in play of each kind of expansion: town hall, castle, guild, church, library, university.
fn expansions(players: u8, change: impl FnOnce(&mut Rules)) -> [u8; Expansion::COUNT] {
    game_with(players, change).supply().expansions
}

#[test]
fn sfc_1_the_box_has_67_resource_cards() {
    let scene = dealt(4, |_| {});
    assert_eq!(scene.game.deck().counts(), [11, 11, 15, 14, 16]);
    assert_eq!(scene.game.deck().total(), 67);
    assert_eq!(scene.state.pile.counts(), [11, 11, 15 - 12, 14, 16 - 5]);
}

#[test]
fn sfc_2_the_box_has_9_roads_5_knights_15_settlements_and_9_expansions() {
    let supply = dealt(4, |_| {}).game.supply();
    assert_eq!((supply.roads, supply.knights, supply.settlements), (9, 5, 15));
    assert_eq!(supply.expansions.iter().sum::<u8>(), 9);
}

#[test]
fn sfc_2_the_other_side_of_a_settlement_is_a_city_with_an_event() {
    let table = dealt(4, |_| {}).state.table;
    assert_eq!(table.events.iter().sum::<u8>(), 15, "a side for each of 15 cards");
}

#[test]
fn sfc_3_cards_in_play_by_number_of_players() {
    let rows = [
        (2, 5, 7, 2, 5, 67),
        (3, 7, 11, 4, 7, 67),
        (4, 9, 15, 5, 9, 67),
        (5, 11, 19, 7, 11, 134),
        (6, 13, 23, 8, 13, 134),
    ];
    for (players, roads, settlements, knights, expansions, resources) in rows {
        let scene = dealt(players, |_| {});
        let (table, supply) = (&scene.state.table, scene.game.supply());
        assert_eq!((supply.roads, supply.knights), (roads, knights), "{players} players");
        assert_eq!(supply.settlements, settlements, "{players} players");
        assert_eq!(supply.expansions.iter().sum::<u8>(), expansions, "{players} players");
        assert_eq!(scene.game.deck().total(), resources, "{players} players");
        assert_eq!(table.roads, roads - players, "starting roads are among them");
        assert_eq!(table.settlements, settlements - players, "starting settlements are, too");
    }
}

#[test]
fn sfc_3_the_rule_set_can_change_the_cards_in_play() {
    let scene = dealt(3, |rules| {
        rules.road.in_play[1] = 12;
        rules.knight.in_play[1] = 0;
        rules.settlement.in_play[1] = 20;
        rules.resource_copies[1] = 2;
    });
    let table = &scene.state.table;
    assert_eq!((table.roads, table.knights, table.settlements), (9, 0, 17));
    assert_eq!(scene.game.deck().counts(), [22, 22, 30, 28, 32], "two copies of each card");
    assert!(!scene.hand(S1, FOR_KNIGHT).allows(build(Card::Knight)), "there are no knights");
}

#[test]
fn sfc_3_everyone_must_get_the_cards_to_start_with() {
    let faults = |change: fn(&mut Rules)| {
        let mut rules = Rules::default();
        change(&mut rules);
        let faults = Struggle::new(rules, 6).unwrap_err();
        faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
    };
    assert_eq!(faults(|rules| rules.road.in_play[4] = 5), ["road.in_play"]);
    assert_eq!(
        faults(|rules| rules.settlement.in_play[4] = 5).first().unwrap(),
        "settlement.in_play"
    );
    let enough = |rules: &mut Rules| (rules.road.in_play[4], rules.settlement.in_play[4]) = (6, 15);
    assert_eq!(dealt(6, enough).state.table.roads, 0);
}

#[test]
fn sfc_3_two_to_six_play() {
    for players in [0, 1, 7, 255] {
        let faults = Struggle::new(Rules::default(), players).unwrap_err();
        assert_eq!(faults[0].field, "players", "{players}");
    }
    for players in 2..=6 {
        assert_eq!(Struggle::new(Rules::default(), players).unwrap().unofficial(), None);
    }
}

#[test]
fn sfc_4_expansions_in_play_by_number_of_players() {
    assert_eq!(expansions(2, |_| {}), [1, 1, 0, 1, 1, 1]);
    assert_eq!(expansions(3, |_| {}), [1, 1, 1, 2, 1, 1]);
    assert_eq!(expansions(4, |_| {}), [1, 2, 2, 2, 1, 1]);
    assert_eq!(expansions(5, |_| {}), [1, 2, 3, 3, 1, 1]);
    assert_eq!(expansions(6, |_| {}), [1, 3, 4, 3, 1, 1]);
    assert_eq!(dealt(6, |_| {}).state.table.expansions, [1, 3, 4, 3, 1, 1], "all in the stack");
}

#[test]
fn sfc_4_the_second_castle_can_be_a_second_town_hall() {
    let other = |players| expansions(players, |rules| rules.expansion.two_town_halls = true);
    assert_eq!(other(2), [1, 1, 0, 1, 1, 1]);
    assert_eq!(other(4), [2, 1, 2, 2, 1, 1]);
    assert_eq!(other(6), [3, 1, 4, 3, 1, 1]);
}

/// The fields of a kind of expansion.
fn of_kind(rules: &mut Rules, kind: Expansion) -> &mut ExpansionCard {
    let cards = &mut rules.expansion;
    match kind {
        Expansion::TownHall => &mut cards.town_hall,
        Expansion::Castle => &mut cards.castle,
        Expansion::MerchantsGuild => &mut cards.merchants_guild,
        Expansion::Church => &mut cards.church,
        Expansion::Library => &mut cards.library,
        Expansion::University => &mut cards.university,
    }
}

#[test]
fn sfc_4_the_rule_set_can_change_the_number_of_each_expansion_and_take_it_out() {
    for kind in Expansion::ALL {
        let mut due = [1, 2, 2, 2, 1, 1];
        due[kind.idx()] = 6;
        assert_eq!(expansions(4, |rules| of_kind(rules, kind).in_play[2] = 6), due, "{kind:?}");
        due[kind.idx()] = 0;
        assert_eq!(expansions(4, |rules| of_kind(rules, kind).out = true), due, "{kind:?}");
    }
    let out = |rules: &mut Rules| {
        rules.expansion.two_town_halls = true;
        rules.expansion.town_hall.out = true;
    };
    assert_eq!(expansions(4, out), [0, 1, 2, 2, 1, 1], "what is out is out after the exchange");
}

#[test]
fn sfc_10_each_player_starts_with_a_settlement_a_road_and_3_cards() {
    for players in 2..=6 {
        let scene = dealt(players, |_| {});
        for seat in 0..usize::from(players) {
            assert_eq!(scene.state.table.areas[seat], START);
            assert_eq!(scene.state.hands[seat].counts(), [0, 0, 3, 0, 0]);
        }
        assert_eq!(scene.points(), vec![1; players.into()], "a settlement and no B side");
    }
}

#[test]
fn sfc_10_five_cards_lie_open_before_hands_are_dealt() {
    let scene = deal(game_with(2, |_| {}), &[&[BRICK, BRICK, WOOL, GRAIN, ORE], &[LUMBER; 6]]);
    assert_eq!(scene.in_market(), [2, 0, 1, 1, 1]);
    assert_eq!(scene.held(S1), [0, 3, 0, 0, 0]);
    assert_eq!(scene.discarded(), [0; 5]);
}

#[test]
fn sfc_10_the_rule_set_can_change_the_starting_hand() {
    let hands = |cards: u8| game_with(3, |rules| rules.hand_start = cards.into());
    assert_eq!(deal(hands(0), &[&MARKET]).held(S3), [0; 5]);
    assert_eq!(deal(hands(5), &[&MARKET, &[WOOL; 15]]).held(S3), [0, 0, 5, 0, 0]);
    let six = game_with(6, |rules| (rules.hand_start, rules.resource_copies) = (10.into(), [1; 5]));
    let kinds = [[BRICK; 10], [LUMBER; 10], [WOOL; 10], [GRAIN; 10], [ORE; 10]].concat();
    let rest = [WOOL, WOOL, WOOL, WOOL, GRAIN, GRAIN, GRAIN, BRICK, LUMBER, ORE];
    let scene = deal(six, &[&MARKET, &kinds, &rest]);
    assert_eq!(scene.state.pile.total(), 2, "one copy is just enough for six hands of ten");
}

#[test]
fn sfc_10_a_list_deals_each_seat_as_many_cards_as_it_says() {
    let game = game_with(3, |rules| rules.hand_start = BySeat::list(&[0, 5, 2]));
    let scene = deal(game, &[&MARKET, &[WOOL; 7]]);
    assert_eq!([S1, S2, S3].map(|seat| scene.held(seat)[2]), [0, 5, 2]);
}

/// Who sits in seat 1 is drawn where players are seated; the rules only know that seat 1 starts.
#[test]
fn sfc_10_seat_1_starts() {
    let scene = dealt(3, |_| {});
    assert_eq!((scene.state.table.current, scene.state.table.turn), (S1, 1));
    assert_eq!(scene.phase(), Phase::Act);
}

#[test]
fn sfc_11_the_destiny_card_starts_at_clockwise() {
    assert!(dealt(3, |_| {}).state.table.clockwise);
    let other = |rules: &mut Rules| rules.destiny.start = Direction::Counterclockwise;
    assert!(!dealt(3, other).state.table.clockwise);
    assert!(dealt(2, other).state.table.clockwise, "there is none to turn");
}

#[test]
fn sfc_11_two_players_have_no_destiny_card() {
    for players in [2, 3] {
        let mut scene = Scene::new(players).hand(S1, FOR_SETTLEMENT).hand(S2, FOR_CITY);
        scene.play(build(Card::Settlement), &[]);
        let asked = scene.phase() == Phase::Flip;
        assert_eq!(asked, players == 3, "nothing to flip");
        let mut scene = scene.turn_of(S2);
        (scene.state.table.phase, scene.state.table.so_far) = (Phase::Act, SoFar::default());
        scene.play(build(Card::City), &[BRIGANDS]);
        assert_eq!(scene.state.table.clockwise, players == 2);
    }
}

#[test]
fn sfc_12_a_city_side_is_any_that_nobody_has_seen() {
    // Two players: 5 attacks and 2 market days. One card was turned, a brigand attack.
    let mut scene = Scene::new(2).hand(S1, FOR_CITY).hand(S2, FOR_CITY);
    assert_eq!(scene.state.table.events, [5, 2]);
    scene.play(build(Card::City), &[MARKET_DAY, BRICK, BRICK, BRICK, BRICK, BRICK]);
    assert_eq!(scene.state.table.events, [5, 1], "the other side of a card in front of anyone");
    scene.end_turn(&[WOOL, WOOL]);
    scene.play(build(Card::City), &[MARKET_DAY, ORE, ORE, ORE, ORE, ORE]);
    assert_eq!(scene.state.table.events, [5, 0]);
}

#[test]
fn sfc_12_what_a_seat_sees_has_no_side_of_an_unturned_card() {
    let scene = dealt(3, |_| {});
    let view = scene.game.view(&scene.state, S1);
    assert_eq!(view.table.events, [8, 3], "how many of each are left, not which card has which");
}

#[test]
fn sfc_50_brigands_and_market_days_by_number_of_players() {
    let due = [(2, [5, 2]), (3, [8, 3]), (4, [10, 5]), (5, [13, 6]), (6, [15, 8])];
    for (players, events) in due {
        assert_eq!(dealt(players, |_| {}).state.table.events, events, "{players} players");
    }
}

#[test]
fn sfc_50_the_rule_set_can_change_the_number_of_brigands() {
    let events =
        |brigands| dealt(3, |rules| rules.brigands.in_play[1] = brigands).state.table.events;
    assert_eq!((events(0), events(11)), ([0, 11], [11, 0]));
    let mut rules = Rules::default();
    rules.brigands.in_play[1] = 12;
    let faults = Struggle::new(rules, 3).unwrap_err();
    assert_eq!(faults[0].field, "brigands.in_play", "3 players have 11 settlement cards");
}

#[test]
fn sfc_10_a_deal_leaves_the_first_turn_to_be_played() {
    let mut scene = dealt(2, |_| {});
    scene.play(Draw, &[BRICK, BRICK]);
    assert_eq!(scene.held(S1), [2, 0, 3, 0, 0]);
}

#[test]
fn rules_of_cards_that_are_not_in_play_are_not_in_effect() {
    // Two players have no guild and no destiny card; without brigands and knights what these do is never read.
    let rules = |change: fn(&mut Rules)| {
        let mut rules = Rules::default();
        rules.expansion.church.out = true;
        (rules.brigands.in_play[0], rules.knight.in_play[0]) = (0, 0);
        change(&mut rules);
        Struggle::build(rules, 2).unwrap().in_effect()
    };
    let other = rules(|rules| {
        rules.expansion.merchants_guild.points = 5;
        rules.expansion.church.extra = Price::new([1, 0, 0, 0, 0]);
        rules.expansion.allowed[2] = Allowed::of_bits(1);
        (rules.guild.moment, rules.draw.extra) = (Moment::Trade, Extra::AtOnce);
        (rules.brigands.hand_limit, rules.destiny.brigands_flip) = (3, false);
    });
    assert_eq!(other, rules(|_| {}));
}
