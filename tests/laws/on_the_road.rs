//! The laws of On the Road: rule sets, actions, and where its 61 cards are.

use crate::random::{any_audience, any_bundle, any_kind, any_seat, below, bundles_from};
use crate::{Lawful, Step, random_matches_keep_the_laws};
use fairhaven::core::chance::RandomChance;
use fairhaven::core::game::Game;
use fairhaven::core::resources::Resources;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::{Action, Payment};
use fairhaven::games::on_the_road::cards::{CARDS_ALL, Card, Hand, size};
use fairhaven::games::on_the_road::memory::Memory;
use fairhaven::games::on_the_road::rules::{Metropolises, Rules};
use fairhaven::games::on_the_road::state::{Phase, State};
use fairhaven::parts::bundles::Surcharge;
use fairhaven::parts::trade::Audience;
use rand_pcg::Pcg32;

impl Lawful for OnTheRoad {
    const COMES: &'static [&'static str] = &[
        "end turn",
        "build",
        "build with a substitution",
        "offer to all",
        "offer to one",
        "accept",
        "refuse",
        "counter",
        "settle",
        "decline",
        "discard",
        "give",
        "won",
        "turn_limit",
    ];
    const ROUNDS: u64 = 200_000;

    /// No metropolis takes more cards than the price has.
    fn playable(mut rules: Rules, _players: u8, _seed: u64) -> Rules {
        let Metropolises { cost, roads, knights, army, route, .. } = &mut rules.metropolis;
        for card in [roads, knights, army, route] {
            if card.extra.on(*cost).is_none() {
                card.extra = Surcharge::default();
            }
        }
        rules
    }

    fn any_action(rng: &mut Pcg32) -> Action {
        let card = Card::ALL[below(rng, Card::COUNT)];
        let (give, want) = (any_bundle(rng), any_bundle(rng));
        let (replaced, by) = (any_kind(rng), any_kind(rng));
        match below(rng, 12) {
            0 => Action::EndTurn,
            1 => Action::Build { card, pay: Payment::Exact },
            2 | 3 => Action::Build { card, pay: Payment::Substitute { replaced, by } },
            4 => Action::Offer { to: Audience::All, give, want },
            5 => Action::Offer { to: Audience::One(any_seat(rng)), give, want },
            6 => Action::Accept,
            7 => [Action::Refuse, Action::Decline][below(rng, 2)],
            8 => Action::Counter { give, want },
            9 => Action::Settle { with: any_seat(rng) },
            10 => Action::Discard { card: replaced },
            _ => Action::Give { card: replaced, to: any_seat(rng) },
        }
    }

    fn any_talk(&self, state: &State, seat: Seat, rng: &mut Pcg32) -> Action {
        let (give, want) = bundles_from(state.hand(seat), rng);
        match state.table.phase {
            Phase::Answer(_) => Action::Counter { give, want },
            _ => Action::Offer { to: any_audience(rng), give, want },
        }
    }

    fn may_be_unlisted(action: Action) -> bool {
        match action {
            Action::Offer { .. } | Action::Counter { .. } => true,
            // One A side stands for all.
            Action::Build { card, .. } => card.metropolis().is_some(),
            _ => false,
        }
    }

    fn word(action: Action) -> &'static str {
        match action {
            Action::EndTurn => "end turn",
            Action::Build { pay: Payment::Exact, .. } => "build",
            Action::Build { pay: Payment::Substitute { .. }, .. } => "build with a substitution",
            Action::Offer { to: Audience::All, .. } => "offer to all",
            Action::Offer { to: Audience::One(_), .. } => "offer to one",
            Action::Accept => "accept",
            Action::Refuse => "refuse",
            Action::Counter { .. } => "counter",
            Action::Settle { .. } => "settle",
            Action::Decline => "decline",
            Action::Discard { .. } => "discard",
            Action::Give { .. } => "give",
        }
    }

    fn hand(state: &State, seat: Seat) -> Resources {
        state.hand(seat)
    }

    fn surely_held(memory: &Memory, seat: Seat) -> Resources {
        memory.surely_held(seat)
    }

    fn target(&self, seat: Seat) -> u8 {
        self.rules().points_to_win.of(seat)
    }

    fn on_turn(state: &State) -> Seat {
        state.table.current
    }

    fn examine(&self, step: &Step<'_, OnTheRoad>) {
        let State { hands, pile, discards, .. } = *step.after;
        let cards: u8 = hands.map(Hand::size).into_iter().chain([pile, discards].map(size)).sum();
        assert_eq!(cards, size(CARDS_ALL), "61 cards");
    }
}

#[test]
fn random_matches_of_on_the_road_keep_the_laws() {
    random_matches_keep_the_laws::<OnTheRoad>();
}

fn dealt() -> (OnTheRoad, State) {
    let game = OnTheRoad::new(Rules::default(), 3).expect("rules in range");
    let state = game.deal(&mut RandomChance::new(BlockSeed::new(1, 1)));
    game.check(&state);
    (game, state)
}

#[test]
#[should_panic(expected = "a resource card lies in two places")]
fn a_doubled_card_is_noticed() {
    let (game, mut state) = dealt();
    let [first, second, ..] = state.hands;
    state.hands[0] = Hand::of(first.cards() | second.cards());
    game.check(&state);
}

#[test]
#[should_panic(expected = "a resource card is nowhere")]
fn a_lost_card_is_noticed() {
    let (game, mut state) = dealt();
    state.pile &= state.pile - 1;
    game.check(&state);
}

#[test]
#[should_panic(expected = "Knight cards")]
fn a_knight_from_nowhere_is_noticed() {
    let (game, mut state) = dealt();
    state.table.areas[1].knights += 1;
    game.check(&state);
}
