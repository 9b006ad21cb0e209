//! Before the first turn: TWO-2, TWO-3, TWO-4, TWO-16.

use super::support::*;
use crate::core::chance::{RandomChance, ScriptedChance};
use crate::core::game::{Game, Turn};
use crate::core::seed::BlockSeed;
use crate::core::types::by_seat::BySeat;
use crate::core::wording::Wording;
use crate::games::two_player::game::TwoPlayer;
use crate::games::two_player::rules::{Neutral, Rules};
use crate::games::two_player::state::Own;
use crate::parts::island::rules::Layout;
use crate::parts::island::state::{Phase, Stage};
use crate::parts::places::{Vertex, VertexSet};

#[test]
fn two_2_each_neutral_player_has_a_settlement_without_a_road() {
    for layout in [Layout::Variable, Layout::Beginner] {
        let game = game_with(|rules| rules.island = layout);
        let state = game.deal(&mut RandomChance::new(BlockSeed::new(1, 2)));
        game.check(&state);
        let pieces = &state.island.table.pieces;
        for (seat, place) in [(N3, 11), (N4, 42)] {
            let net = &pieces.nets[seat.idx()];
            assert_eq!(net.settlements, VertexSet::one(Vertex::new(place)));
            assert!(net.roads.is_empty());
        }
        assert_eq!(game.turn(&state), Turn::Decide(S1), "and the players have yet to found");
        assert!(pieces.nets[..2].iter().all(|net| net.settlements.is_empty()));
    }
    let scene = Scene::with(|rules| rules.neutral.places = [20, 5]);
    let places = [N3, N4].map(|seat| scene.state.island.table.pieces.nets[seat.idx()].settlements);
    assert_eq!(places, [20, 5].map(|place| VertexSet::one(Vertex::new(place))));
}

#[test]
fn two_2_places_too_near_each_other_are_refused() {
    for places in [[11, 11], [11, 21], [21, 11]] {
        let rules = Rules { neutral: Neutral { places }, ..Rules::default() };
        let faults = TwoPlayer::new(rules, 2).unwrap_err();
        assert!(faults[0].to_string().contains("`neutral.places`"), "{faults:?}");
    }
}

/// On the beginner island orange's printed start 42 is a neutral place, and red's 10 is next to 11.
#[test]
fn two_3_the_players_found_as_usual_on_the_beginner_island_too() {
    let game = game_with(|_| {});
    let state = game.deal(&mut ScriptedChance::default());
    assert_eq!(state.island.table.stage, Stage::Founding(1));
    let mut scene = Scene { game, state };
    for vertex in [11, 42, 10, 12, 21] {
        assert!(!scene.allows(settlement(vertex)), "{vertex} is taken or too near");
    }
    for (seat, vertex, to) in [(1, 0, 1), (2, 3, 4), (2, 51, 50), (1, 53, 52)] {
        assert_eq!(scene.state.island.table.active.number(), seat);
        scene.play_all(&[settlement(vertex), road(vertex, to)]);
    }
    let table = &scene.state.island.table;
    assert_eq!((table.turn, table.stage, table.phase), (1, Stage::Roll, Phase::Act));
    assert_eq!(table.active, S1);
    for seat in [S1, S2] {
        let net = &table.pieces.nets[seat.idx()];
        assert_eq!((net.settlements.len(), net.roads.len()), (2, 2));
    }
}

#[test]
fn two_4_each_player_begins_with_four_tokens_of_fourteen() {
    let game = game_with(|_| {});
    let state = game.deal(&mut ScriptedChance::default());
    assert_eq!(state.own.tokens, [4, 4]);
    assert_eq!(game.supply(&state.own), 6);
}

#[test]
fn two_4_a_list_gives_each_seat_as_many_tokens_as_it_says() {
    let game = game_with(|rules| rules.trade_tokens.start = BySeat::list(&[5, 3]));
    let own = game.deal(&mut ScriptedChance::default()).own;
    assert_eq!((own.tokens, game.supply(&own)), ([5, 3], 6));
}

#[test]
fn two_a_list_says_how_many_points_each_seat_needs() {
    for (needed, wins) in [([3, 10], true), ([10, 3], false)] {
        let mut scene = Scene::with(|rules| rules.points_to_win = BySeat::list(&needed))
            .settlement(S1, 16)
            .settlement(S1, 0)
            .hand(S1, [0, 0, 0, 2, 3]);
        scene.play(city(0), &[]);
        assert_eq!((scene.points(S1), scene.is_won()), (3, wins));
    }
}

#[test]
fn two_4_more_tokens_at_the_start_than_there_are_or_may_be_held_are_refused() {
    let with = |all, start: u8, max| {
        let mut rules = Rules::default();
        (rules.trade_tokens.all, rules.trade_tokens.start, rules.trade_tokens.max) =
            (all, start.into(), max);
        TwoPlayer::new(rules, 2)
    };
    assert!(with(14, 7, 7).is_ok());
    assert!(with(20, 8, 7).unwrap_err()[0].to_string().contains("`trade_tokens.start`"));
    assert!(with(13, 7, 7).unwrap_err()[0].to_string().contains("`trade_tokens.start`"));
}

#[test]
fn two_16_the_other_numbers_are_a_preset() {
    let preset = TwoPlayer::PRESETS.iter().find(|preset| preset.clause == "TWO-16").unwrap();
    let sets = ["trade_tokens.all=20", "trade_tokens.start=5", "trade_tokens.max=20"];
    assert_eq!(preset.sets, sets);
    let game = game_with(|rules| {
        let tokens = &mut rules.trade_tokens;
        (tokens.all, tokens.start, tokens.max) = (20, 5.into(), 20);
    });
    let own = game.deal(&mut ScriptedChance::default()).own;
    assert_eq!((own.tokens, game.supply(&own)), ([5, 5], 10));
    let many = Own { tokens: [10, 5], ..own };
    assert_eq!(game.would_get(&many, S1, 2), 2, "no maximum");
    let all = Own { tokens: [15, 5], ..own };
    assert_eq!(game.would_get(&all, S1, 2), 0, "but no more than there are");
}
