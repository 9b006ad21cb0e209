//! What expansions are worth, and the merchants' guild: SFC-70 and SFC-71.

use super::support::*;
use crate::core::game::{ActionFilter, Game};
use crate::core::resources::Resource::{Brick, Ore};
use crate::core::resources::Resources;
use crate::games::struggle::action::Action::{Draw, Keep};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::rules::{Moment, Rules};
use crate::games::struggle::state::{Area, Phase};

#[test]
fn sfc_70_a_town_hall_is_worth_4_and_the_others_3() {
    for kind in Expansion::ALL {
        let worth = if kind == Expansion::TownHall { 4 } else { 3 };
        let scene = Scene::new(3).expanded(S1, &[kind]);
        assert_eq!(scene.points(), [1 + worth, 1, 1], "{kind:?}");
    }
    let two = Scene::new(3).expanded(S1, &[Expansion::TownHall, Expansion::Library]);
    assert_eq!(two.points()[0], 1 + 4 + 3);
}

#[test]
fn sfc_70_a_town_hall_does_nothing() {
    let scene = |kinds: &[Expansion]| {
        let area = Area { roads: 3, expansions: bits(kinds), ..START };
        let scene = Scene::new(3).area(S1, area).hand(S1, [1, 1, 1, 0, 0]);
        scene.hand(S2, [0, 0, 0, 0, 2]).area(S2, Area { settlements: 5, ..START })
    };
    let lists = |kinds: &[Expansion]| scene(kinds).listed(ActionFilter::Full);
    assert_eq!(lists(&[Expansion::TownHall]), lists(&[]), "no further choice");
    let more = [Expansion::MerchantsGuild, Expansion::Library, Expansion::University];
    assert!(more.iter().all(|&kind| lists(&[kind]).len() > lists(&[]).len()), "others have some");
}

#[test]
fn sfc_70_the_rule_set_can_change_the_points_of_each() {
    let points = |kind: Expansion| {
        let change = |rules: &mut Rules| {
            let cards = &mut rules.expansion;
            let card = match kind {
                Expansion::TownHall => &mut cards.town_hall,
                Expansion::Castle => &mut cards.castle,
                Expansion::MerchantsGuild => &mut cards.merchants_guild,
                Expansion::Church => &mut cards.church,
                Expansion::Library => &mut cards.library,
                Expansion::University => &mut cards.university,
            };
            card.points = 7;
        };
        let all =
            Expansion::ALL.map(|built| Scene::with(3, change).expanded(S1, &[built]).points()[0]);
        all.map(|points| points - 1)
    };
    for kind in Expansion::ALL {
        let mut due = [4, 3, 3, 3, 3, 3];
        due[kind.idx()] = 7;
        assert_eq!(points(kind), due, "{kind:?}");
    }
}

/// Seat 1 has a guild and 4 points; seats 2 and 3 hold cards and have these points.
fn guild(points: [u8; 2], change: impl FnOnce(&mut Rules)) -> Scene {
    let rows = points.map(|points| Area { settlements: points, ..START });
    let area = Area { roads: 3, expansions: bits(&[Expansion::MerchantsGuild]), ..START };
    let change = |rules: &mut Rules| {
        rules.settlement.in_play[1] = 20;
        change(rules);
    };
    Scene::with(3, change)
        .area(S1, Area { settlements: 0, ..area })
        .area(S2, rows[0])
        .area(S3, rows[1])
        .hand(S1, [2, 2, 2, 2, 2])
        .hand(S2, [0, 0, 0, 0, 2])
        .hand(S3, [2, 0, 0, 0, 0])
}

#[test]
fn sfc_71_a_guild_takes_an_unseen_card_and_gives_nothing() {
    let mut scene = guild([5, 5], |_| {});
    scene.play(rob(S2), &[ORE]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([2, 2, 2, 2, 3], [0, 0, 0, 0, 1]));
    assert_eq!(scene.phase(), Phase::Act);
    assert!(!Scene::new(3).hand(S2, [1; 5]).allows(rob(S2)), "without a guild");
}

#[test]
fn sfc_71_from_a_player_with_as_many_points_or_more() {
    let scene = guild([4, 3], |_| {});
    // A B side of the third road's row: seat 1 has 3 points and one more.
    assert_eq!(scene.points(), [4, 4, 3]);
    assert!(scene.allows(rob(S2)) && !scene.allows(rob(S3)));
    let scene = guild([5, 4], |_| {});
    assert!(scene.allows(rob(S2)) && scene.allows(rob(S3)));
    assert!(!scene.allows(rob(S1)) && !scene.allows(rob(S4)), "neither itself nor nobody");
    assert!(scene.lists(rob(S2)) && scene.lists(rob(S3)));
}

#[test]
fn sfc_71_who_has_no_card_can_not_be_robbed() {
    let mut scene = guild([5, 5], |_| {});
    let cards = std::mem::take(&mut scene.state.hands[1]);
    scene.state.pile = scene.state.pile + cards;
    assert!(!scene.allows(rob(S2)) && scene.allows(rob(S3)));
}

#[test]
fn sfc_71_once_a_turn() {
    let mut scene = guild([5, 5], |_| {});
    scene.play(rob(S2), &[ORE]);
    assert!(!scene.allows(rob(S2)) && !scene.allows(rob(S3)));
    for _ in 0..3 {
        scene.end_turn(&[WOOL, WOOL]);
    }
    assert!(scene.allows(rob(S2)));
}

#[test]
fn sfc_71_it_is_no_trade() {
    let mut scene = guild([5, 5], |_| {});
    scene.play(rob(S2), &[ORE]);
    assert!(scene.allows(stack(2)), "two A sides, two cards");
}

#[test]
fn sfc_71_at_any_moment_of_trade_or_building_but_in_the_midst_of_a_lot() {
    let mut scene = guild([5, 5], |_| {});
    assert!(scene.allows(rob(S2)), "before anything");
    scene.play(market(1), &[]);
    assert!(!scene.allows(rob(S2)), "between taking and returning");
    scene.play(take(Ore), &[]);
    assert!(!scene.allows(rob(S2)), "between taking and returning");
    scene.play(give_back(Brick), &[]);
    assert!(scene.allows(rob(S2)), "between two lots");
    scene.play_all(&[build(Card::Settlement), Keep]);
    assert!(scene.allows(rob(S2)), "after a build");
    scene.play(rob(S2), &[ORE]);
    assert!(!scene.allows(stack(1)), "which ended the trade");
    let mut drawn = guild([5, 5], |_| {});
    drawn.play(Draw, &[ORE, ORE]);
    assert!(!drawn.allows(rob(S2)), "not in the draw step");
}

#[test]
fn sfc_71_the_rule_set_can_have_it_in_trade_or_in_building_alone() {
    let at = |moment| guild([5, 5], move |rules| rules.guild.moment = moment);
    let robs_after_a_build = |moment| {
        let mut scene = at(moment);
        scene.play(build(Card::Road), &[]);
        scene.allows(rob(S2))
    };
    assert!(robs_after_a_build(Moment::Any) && robs_after_a_build(Moment::Build));
    assert!(!robs_after_a_build(Moment::Trade));
    let trades_after_it = |moment| {
        let mut scene = at(moment);
        scene.play(rob(S2), &[ORE]);
        scene.allows(stack(1))
    };
    assert!(trades_after_it(Moment::Any) && trades_after_it(Moment::Trade));
    assert!(!trades_after_it(Moment::Build), "it begins the build step");
}

#[test]
fn sfc_71_the_robbed_card_can_be_used_at_once() {
    let mut scene = guild([5, 5], |_| {});
    scene.state.hands[0] = Resources::new([0, 1, 0, 0, 0]);
    scene.state.pile = scene.state.pile + Resources::new([2, 1, 2, 2, 2]);
    scene.play(rob(S3), &[BRICK]);
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.game.turn_number(&scene.state), 1);
    assert!(!scene.allows(discard(Brick)));
}
