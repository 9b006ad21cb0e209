//! Legal lists that only the other program has: notes 3, 5 and 7, and roads past another's building.

use super::setting::*;
use crate::catanatron::differences::Difference;
use crate::catanatron::replay::Replay;
use crate::core::game::Game;
use crate::core::resources::{Resource, Resources};
use crate::parts::bundles::Bundle;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::state::Phase;
use crate::parts::trade::Audience;
use serde_json::json;

/// Single cards in a list.
fn singles(replay: &mut Replay) -> Vec<Resource> {
    let single = |action| match action {
        Action::YearOfPlenty { first, second: None } => Some(first),
        _ => None,
    };
    replay.due_list().into_iter().filter_map(single).collect()
}

/// What the notes say: for each pair that can't be paid, either card that can.
fn described(bank: [u8; 5]) -> Vec<Resource> {
    let mut kinds = Vec::new();
    for (first, one) in Resource::ALL.into_iter().enumerate() {
        for (second, other) in Resource::ALL.into_iter().enumerate().skip(first) {
            let both = bank[first] > 0 && bank[second] > u8::from(first == second);
            if !both {
                kinds.extend(
                    [(first, one), (second, other)].into_iter().filter(|(at, _)| bank[*at] > 0),
                );
            }
        }
    }
    let mut kinds: Vec<Resource> = kinds.into_iter().map(|(_, kind)| kind).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn plenty_of_one_is_listed_where_a_pair_is_not_to_be_had() {
    let banks =
        [[19; 5], [1, 2, 3, 3, 3], [0, 2, 3, 3, 3], [0, 1, 0, 0, 0], [0; 5], [1, 0, 1, 0, 9]];
    for bank in banks {
        let mut replay = plain().turn_of(S1).card(S1, Card::YearOfPlenty);
        let rest = std::array::from_fn(|kind| 19 - bank[kind]);
        replay = replay.hand(S2, rest);
        assert_eq!(singles(&mut replay), described(bank), "{bank:?}");
        // One card in all is no difference: our rules have it too.
        let met = !described(bank).is_empty() && bank.iter().sum::<u8>() > 1;
        assert_eq!(replay.met.of(Difference::PlentyOfOne), u64::from(met), "{bank:?}");
    }
    let mut replay = plain().turn_of(S1).hand(S2, [18; 5]);
    assert_eq!(singles(&mut replay), [], "without the card");
    let mut replay = plain().turn_of(S1).hand(S2, [18; 5]).card(S1, Card::YearOfPlenty);
    replay.take(Action::YearOfPlenty { first: Resource::Ore, second: None }, 0);
    assert_eq!(replay.state().hands[S1.idx()], Resources::one(Resource::Ore));
    replay.at.theirs().check(replay.state());
}

/// Seat 1 can lay a road only from 18, where seat 2 has built at the end of its road.
fn enclosed() -> Replay {
    let replay = plain().founded(S1, 16).laid(S1, &[16, 17, 18]);
    let replay = replay.founded(S2, 20).laid(S2, &[20, 19, 18]).settled(S2, 18);
    replay.laid(S2, &[16, 27]).laid(S2, &[17, 7]).turn_of(S1)
}

#[test]
fn roads_past_a_building_are_listed_where_roads_are() {
    let mut replay = enclosed();
    assert!(!replay.due_list().contains(&road(18, 29)), "without the cards");
    let mut replay = replay.hand(S1, [1, 1, 0, 0, 0]);
    assert_eq!(replay.due_list(), [Action::EndTurn, road(18, 29)]);
    assert_eq!(replay.met.of(Difference::PastBuilding), 1);
    replay.take(road(18, 29), 0);
    replay.at.theirs().check(replay.state());
    assert!(replay.state().hands[S1.idx()].is_empty(), "it is paid for");
    let mut replay = enclosed().hand(S1, [1, 1, 0, 0, 0]);
    replay.change().table.stage = crate::parts::island::state::Stage::Roll;
    assert_eq!(replay.due_list(), [Action::Roll], "not before the roll");
}

#[test]
fn road_building_can_be_played_for_a_road_past_a_building() {
    let mut replay = enclosed().card(S1, Card::RoadBuilding);
    assert_eq!(replay.due_list(), [Action::EndTurn, Action::RoadBuilding]);
    replay.take(Action::RoadBuilding, 0);
    assert_eq!(replay.due_list(), [road(18, 29)]);
    replay.take(road(18, 29), 0);
    assert_eq!(replay.state().table.phase, Phase::FreeRoads(1));
    replay.at.theirs().check(replay.state());
    let mut bought = enclosed().card(S1, Card::RoadBuilding);
    bought.change().fresh[Card::RoadBuilding.idx()] = 1;
    assert_eq!(bought.due_list(), [Action::EndTurn], "not in the turn in which it was bought");
}

#[test]
fn the_second_free_road_may_lie_past_a_building() {
    let replay = plain().founded(S1, 16).laid(S1, &[16, 17, 18]);
    let replay = replay.founded(S2, 20).laid(S2, &[20, 19, 18]).settled(S2, 18).founded(S3, 7);
    let mut replay = replay.laid(S2, &[16, 27]).turn_of(S1).card(S1, Card::RoadBuilding);
    replay.take(Action::RoadBuilding, 0);
    assert_eq!(replay.due_list(), [road(7, 17), road(18, 29)]);
    replay.take(road(7, 17), 0);
    assert_eq!(replay.state().table.phase, Phase::FreeRoads(1));
    assert_eq!(replay.due_list(), [road(18, 29)]);
    replay.take(road(18, 29), 0);
    assert_eq!(replay.state().table.phase, Phase::Act);
    replay.at.theirs().check(replay.state());
}

#[test]
fn the_friendly_robber_counts_points_that_do_not_show() {
    for (friendly, hidden, spared) in [(0, 0, false), (1, 0, true), (1, 1, false)] {
        let mut replay = new(json!({"vps": 10, "discard": 7, "friendly": friendly}));
        replay = replay.founded(S2, 20).founded(S2, 38).founded(S3, 0).turn_of(S1);
        for _ in 0..hidden {
            replay = replay.card(S2, Card::VictoryPoint);
        }
        replay.change().table.phase = Phase::Robber;
        let list = replay.due_list();
        let goes = |hex: u8| {
            let at = |action: &Action| matches!(action, Action::Robber { hex: to, .. } if to.number() == hex);
            list.iter().any(at)
        };
        assert_eq!(goes(4), !spared, "{friendly} {hidden}");
        assert_eq!(goes(0), friendly == 0, "seat 3 has one point");
        assert!(goes(18) && !goes(9), "free, and where it stands");
        assert_eq!(replay.met.of(Difference::FriendlyRobber), hidden);
    }
}

fn offer() -> Action {
    let cards = |kind| Bundle::new(Resources::one(kind));
    Action::Offer { to: Audience::All, give: cards(Resource::Ore), want: cards(Resource::Wool) }
}

#[test]
fn an_offer_is_answered_in_order_of_seats_and_by_its_maker() {
    let mut replay = plain().turn_of(S3).hand(S3, [0, 0, 1, 0, 1]).hand(S4, [0, 0, 1, 0, 0]);
    replay.take(offer(), 0);
    let answers = [(S1, false), (S2, false), (S3, true), (S4, true)];
    for (seat, able) in answers {
        assert_eq!(replay.at.asked(), seat);
        let list = replay.due_list();
        assert_eq!((list[0], list.len()), (Action::Refuse, 1 + usize::from(able)));
        replay.take(if able { Action::Accept } else { Action::Refuse }, 0);
    }
    assert_eq!(replay.at.asked(), S3);
    let settle = |with| Action::Settle { with };
    assert_eq!(replay.due_list(), [Action::Decline, settle(S4), settle(S3)]);
    replay.take(settle(S4), 0);
    let [three, four] = [S3, S4].map(|seat| replay.state().hands[seat.idx()].counts());
    assert_eq!((three, four), ([0, 0, 2, 0, 0], [0, 0, 0, 0, 1]));
    assert_eq!(replay.state().table.phase, Phase::Act);
    assert_eq!(replay.met.of(Difference::OwnOffer), 1);
    assert_eq!(replay.met.of(Difference::NoCounter), 1);
}

#[test]
fn a_maker_that_alone_accepts_trades_with_itself_and_nothing_changes() {
    for last in [Action::Settle { with: S3 }, Action::Decline] {
        let mut replay = plain().turn_of(S3).hand(S3, [0, 0, 1, 0, 1]).hand(S4, [0, 0, 1, 0, 0]);
        let before = replay.state().hands;
        replay.take(offer(), 0);
        for answer in [Action::Refuse, Action::Refuse, Action::Accept, Action::Refuse] {
            replay.take(answer, 0);
        }
        assert_eq!(replay.due_list(), [Action::Decline, Action::Settle { with: S3 }]);
        replay.take(last, 0);
        assert_eq!(replay.state().hands, before);
        assert_eq!((replay.at.asked(), replay.at.offer.is_none()), (S3, true));
        assert_eq!(replay.state().table.so_far.refused, 1, "a proposal that came to nothing");
    }
}

#[test]
fn the_first_seat_is_not_asked_to_answer_itself() {
    let mut replay = plain().turn_of(S1).hand(S1, [0, 0, 1, 0, 1]);
    replay.take(offer(), 0);
    for seat in [S2, S3, S4] {
        assert_eq!(replay.at.asked(), seat);
        replay.take(Action::Refuse, 0);
    }
    assert_eq!((replay.at.asked(), replay.at.offer.is_none()), (S1, true));
    assert_eq!(replay.met.of(Difference::OwnOffer), 0);
}

#[test]
fn discards_go_card_by_card_in_order_of_seats() {
    let mut replay = plain().turn_of(S2).hand(S1, [8, 0, 0, 0, 0]).hand(S2, [0, 3, 0, 0, 6]);
    replay.change().table.stage = crate::parts::island::state::Stage::Roll;
    replay.take(Action::Roll, 5);
    let discard = |card| Action::Discard { card };
    for left in (1..=4).rev() {
        assert_eq!((replay.at.asked(), replay.at.owed(S1), replay.at.owed(S2)), (S1, left, 4));
        assert_eq!(replay.due_list(), [discard(Resource::Brick)]);
        replay.take(discard(Resource::Brick), 0);
    }
    for left in (1..=4).rev() {
        assert_eq!((replay.at.asked(), replay.at.owed(S2)), (S2, left));
        replay.take(discard(Resource::Ore), 0);
    }
    let [one, two] = [S1, S2].map(|seat| replay.state().hands[seat.idx()].counts());
    assert_eq!((one, two), ([4, 0, 0, 0, 0], [0, 3, 0, 0, 2]));
    assert_eq!(replay.state().table.phase, Phase::Robber);
    assert_eq!(replay.met.of(Difference::OneByOne), 1);
    replay.at.theirs().check(replay.state());
}
