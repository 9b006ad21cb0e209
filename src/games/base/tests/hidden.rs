//! Who sees what: BASE-36, and what a seat infers from it.

use super::support::*;
use crate::core::chance::RandomChance;
use crate::core::game::{Game, Observation, SeatMemory, Step};
use crate::core::record::ObservedChance;
use crate::core::resources::Resource::{self, Brick, Ore};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::seat::Seat;
use crate::parts::island::action::Action::{self, Accept, Knight, Refuse, Roll};
use crate::parts::island::cards::Card;
use crate::parts::island::memory::Memory;
use crate::parts::island::observe::View;
use crate::parts::island::rules::Deck;
use crate::parts::island::state::State;

/// A scene and the memories of seats 1 to 3, who know the hands of its start.
struct Watched {
    scene: Scene,
    memories: [Memory; 3],
}

impl Watched {
    fn new(scene: Scene) -> Watched {
        let memories = [S1, S2, S3].map(|seat| Memory::knowing(seat, scene.state.hands));
        Watched { scene, memories }
    }

    fn play(&mut self, action: Action, luck: &[crate::core::chance::Scripted]) {
        let Watched { scene, memories } = self;
        let before = scene.state;
        let mut events = Vec::new();
        let mut chance = crate::core::chance::ScriptedChance::new(luck.iter().copied());
        let listener = |event| events.push(event);
        let mut observed = ObservedChance { chance: &mut chance, listener };
        scene.game.apply(&mut scene.state, action, &mut observed);
        let step = Step { action: Some((&before, action)), chance: &events, after: &scene.state };
        for (seat, memory) in [S1, S2, S3].into_iter().zip(memories) {
            step.remember(&scene.game, seat, memory);
        }
        assert!(chance.is_exhausted());
        scene.game.check(&scene.state);
    }

    /// What each of seats 1 to 3 is sure that a seat holds.
    fn sure(&self, of: Seat) -> [[u8; 5]; 3] {
        [0, 1, 2].map(|eyes| self.memories[eyes].surely_held(of).counts())
    }

    fn determinize(&self, eyes: Seat, number: u64) -> State {
        let view = self.scene.game.view(&self.scene.state, eyes);
        let seen = Observation { seat: eyes, view, memory: &self.memories[eyes.idx()] };
        let mut rng = BlockSeed::new(number, 0).stream(Stream::Agent, Some(eyes), 1);
        let state = seen.determinize(&self.scene.game, &mut rng);
        self.scene.game.check(&state);
        assert_eq!(self.scene.game.view(&state, eyes), view);
        state
    }
}

fn view_of_first(scene: &Scene) -> View<'_> {
    scene.game.view(&scene.state, S1)
}

#[test]
fn base_36_hands_and_unplayed_cards_are_hidden_and_their_numbers_are_not() {
    let look = |hand: [u8; 5], held: Card| {
        let scene = Scene::new(3).hand(S1, [1, 0, 0, 0, 0]).hand(S2, hand).bank([5; 5], S3);
        scene.cards(S2, held, 1)
    };
    let knight = look([2, 0, 0, 1, 0], Card::Knight);
    let one = view_of_first(&knight);
    assert_eq!((one.hand_sizes[1], one.card_counts[1]), (3, 1));
    assert_eq!(one, view_of_first(&look([0, 1, 1, 1, 0], Card::Monopoly)));
    assert_ne!(one, view_of_first(&look([0, 1, 1, 1, 1], Card::Monopoly)));
    assert_eq!(one.table.bank.counts(), [5; 5], "the bank is open");
}

#[test]
fn base_36_what_is_bought_only_the_buyer_sees() {
    let buy = |bought| {
        let mut scene = Scene::new(3).hand(S1, FOR_CARD);
        scene.play(Action::Buy, &[card(bought)]);
        scene
    };
    let (knight, point) = (buy(Card::Knight), buy(Card::VictoryPoint));
    let view = |scene: &Scene, seat| format!("{:?}", scene.game.view(&scene.state, seat));
    assert_eq!(view(&knight, S2), view(&point, S2));
    assert_ne!(view(&knight, S1), view(&point, S1));
}

#[test]
fn base_36_yields_trades_and_purchases_are_seen_by_all() {
    let scene = Scene::new(3)
        .settlement(S1, 20)
        .city(S2, 11)
        .hand(S1, [3, 2, 0, 0, 1])
        .hand(S2, [0, 0, 4, 0, 0])
        .before_roll();
    let mut seen = Watched::new(scene);
    seen.play(Roll, &[dice(6)]);
    assert_eq!(seen.sure(S2), [[2, 0, 4, 0, 0]; 3], "two brick");
    seen.play(offer([1, 0, 0, 0, 0], [0, 0, 2, 0, 0]), &[]);
    seen.play(Accept, &[]);
    seen.play(Refuse, &[]);
    seen.play(settle(S2), &[]);
    assert_eq!(seen.sure(S1), [[3, 2, 2, 0, 1]; 3]);
    seen.play(road(20, 21), &[]);
    assert_eq!(seen.sure(S1), [[2, 1, 2, 0, 1]; 3]);
}

#[test]
fn base_36_a_stolen_card_only_thief_and_victim_see() {
    let scene =
        Scene::new(3).settlement(S2, 20).hand(S2, [1, 0, 0, 0, 1]).cards(S1, Card::Knight, 1);
    let mut seen = Watched::new(scene);
    seen.play(Knight, &[]);
    seen.play(robber(4, Some(S2)), &[stolen(Ore)]);
    assert_eq!(seen.sure(S1), [[0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0; 5]]);
    assert_eq!(seen.sure(S2), [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0; 5]]);
    let imagined: Vec<[u8; 5]> =
        (0..40).map(|number| seen.determinize(S3, number).hands[0].counts()).collect();
    let ore = imagined.iter().filter(|&&hand| hand == [0, 0, 0, 0, 1]).count();
    assert!((8..=32).contains(&ore), "either card: {ore} of 40");
}

/// Seat 1 steals one of three bricks and an ore of seat 2, who then pays cards that the thief may have.
#[test]
fn base_36_what_is_shown_later_says_what_was_stolen() {
    let scene = Scene::new(3).settlement(S2, 20).settlement(S1, 0).hand(S2, [3, 1, 0, 0, 1]).cards(
        S1,
        Card::Knight,
        1,
    );
    let mut seen = Watched::new(scene);
    seen.play(Knight, &[]);
    seen.play(robber(4, Some(S2)), &[stolen(Brick)]);
    let brick = |seen: &Watched, tries: u64| {
        let hands = (0..tries).map(|number| seen.determinize(S3, number).hands[0]);
        hands.filter(|hand| hand.get(Brick) == 1).count()
    };
    let before = brick(&seen, 500);
    assert!((250..350).contains(&before), "three of five: {before}");
    seen.play(Action::EndTurn, &[]);
    seen.play(Roll, &[dice(2)]);
    seen.play(offer([0, 0, 0, 0, 1], [0, 1, 0, 0, 0]), &[]);
    let after = brick(&seen, 500);
    // The ore is shown: it was a brick or the lumber, three to one.
    assert!((330..420).contains(&after), "three of four: {after}");
    seen.play(Refuse, &[]);
    seen.play(Refuse, &[]);
    seen.play(road(20, 21), &[]);
    assert_eq!(seen.sure(S1)[2], [1, 0, 0, 0, 0], "the lumber is shown too");
}

#[test]
fn base_36_discards_are_seen_when_all_have_chosen() {
    let scene = Scene::new(3).hand(S1, [0, 0, 0, 0, 9]).hand(S2, [4, 4, 0, 0, 0]).before_roll();
    let mut seen = Watched::new(scene);
    seen.play(Roll, &[dice(7)]);
    for _ in 0..4 {
        seen.play(discard(Ore), &[]);
    }
    seen.play(discard(Brick), &[]);
    let view = seen.scene.game.view(&seen.scene.state, S3);
    assert_eq!((view.hand_sizes[0], view.hand_sizes[1]), (9, 8));
    assert_eq!(view.table.bank.counts(), [15, 15, 19, 19, 10]);
    let chosen: Vec<[u8; 5]> =
        (0..20).map(|number| seen.determinize(S3, number).chosen[1].counts()).collect();
    assert!(chosen.contains(&[1, 0, 0, 0, 0]) && chosen.contains(&[0, 1, 0, 0, 0]));
    for _ in 0..3 {
        seen.play(discard(Resource::Lumber), &[]);
    }
    assert_eq!(seen.sure(S2), [[3, 1, 0, 0, 0]; 3]);
    assert_eq!(seen.sure(S1), [[0, 0, 0, 0, 5]; 3]);
}

#[test]
fn base_36_a_monopoly_shows_all_cards_of_a_kind() {
    let scene = Scene::new(3)
        .settlement(S2, 20)
        .hand(S2, [1, 0, 0, 0, 1])
        .cards(S1, Card::Knight, 1)
        .cards(S1, Card::Monopoly, 1);
    let mut seen = Watched::new(scene);
    seen.play(Knight, &[]);
    seen.play(robber(4, Some(S2)), &[stolen(Ore)]);
    seen.scene.state.table.so_far.played = false;
    seen.play(Action::Monopoly { kind: Brick }, &[]);
    assert_eq!(seen.sure(S1), [[1, 0, 0, 0, 1]; 3], "the brick was left, so the ore was stolen");
}

#[test]
fn base_36_development_cards_are_imagined_from_those_not_seen() {
    let scene = Scene::new(3).cards(S2, Card::Monopoly, 2).cards(S1, Card::YearOfPlenty, 2);
    let seen = Watched::new(scene);
    let mut knights = 0;
    for number in 0..300 {
        let state = seen.determinize(S1, number);
        assert_eq!(state.cards[0], [0, 0, 2, 0, 0]);
        assert_eq!(state.cards[1][Card::YearOfPlenty.idx()], 0, "both are in the own hand");
        knights += u32::from(state.cards[1][Card::Knight.idx()]);
    }
    // 14 of 23 unseen cards are knights.
    assert!((330..400).contains(&knights), "{knights} of 600");
}

#[test]
fn base_36_a_player_that_has_not_won_holds_no_winning_cards() {
    let mut scene = Scene::new(3).turn_of(S2).cards(S2, Card::Knight, 3);
    for at in [0, 2, 4, 6] {
        scene = scene.city(S2, at);
    }
    let seen = Watched::new(scene.settlement(S2, 16));
    for number in 0..100 {
        assert_eq!(seen.determinize(S1, number).cards[1][Card::VictoryPoint.idx()], 0);
    }
}

#[test]
fn base_36_the_first_cards_are_known_to_all() {
    let game = game_with(4, |rules| {
        rules.island = crate::parts::island::rules::Layout::Beginner;
    });
    let state = deal(&game, &[]);
    for eyes in Seat::all(4) {
        let mut memory = <Memory as SeatMemory<_>>::new(&game, eyes);
        let deal = Step { action: None, chance: &[], after: &state };
        deal.remember(&game, eyes, &mut memory);
        for seat in Seat::all(4) {
            assert_eq!(memory.surely_held(seat), state.hands[seat.idx()]);
        }
    }
    let game = game_with(2, |_| {});
    let mut chance = RandomChance::new(BlockSeed::new(9, 0));
    let mut state = game.deal(&mut chance);
    let mut memory = <Memory as SeatMemory<_>>::new(&game, S1);
    while state.table.turn == 0 {
        let mut list = crate::core::types::actions::Actions::new();
        game.legal(&state, crate::core::game::ActionFilter::Full, &mut list);
        let before = state;
        game.apply(&mut state, list[0], &mut chance);
        let step = Step { action: Some((&before, list[0])), chance: &[], after: &state };
        step.remember(&game, S1, &mut memory);
    }
    assert!(!state.hands[1].is_empty());
    assert_eq!(memory.surely_held(S2), state.hands[1]);
}

#[test]
fn base_70_nobody_is_imagined_to_have_won_where_only_other_hands_have_cards_to_exchange() {
    let scene = Scene::with(5, |rules| {
        rules.points_to_win = 3.into();
        rules.extension.deck = Deck { knights: 4, victory_points: 5, progress: 0 };
    });
    let scene = scene.settlement(S2, 20).settlement(S2, 11).turn_of(S2);
    // One deal of 126 gives seat 2 no point card; the deck is empty.
    let scene = scene.cards(S2, Card::Knight, 4).cards(S3, Card::VictoryPoint, 5);
    let seen = Watched::new(scene);
    for number in 0..60 {
        assert_eq!(seen.determinize(S1, number).points(&seen.scene.game, S2), 2);
    }
}
