//! The laws of On the Road: rule sets, actions, and where its 61 cards are.

use crate::random::{
    any_audience, any_bundle, any_kind, any_seat, below, bundles_from, mostly, prices,
};
use crate::{Case, Lawful, Step, random_matches_keep_the_laws};
use fairhaven::core::chance::RandomChance;
use fairhaven::core::game::Game;
use fairhaven::core::resources::Resources;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::{Action, Payment};
use fairhaven::games::on_the_road::cards::{CARDS_ALL, Card, Hand, size};
use fairhaven::games::on_the_road::memory::Memory;
use fairhaven::games::on_the_road::rules::{
    Allowed, Bonus, Discards, DrawOrder, Face, MetropolisCard, Metropolises, Priced, Reshuffle,
    Robber, Rules, Side, Substitution, Trade, TradeOrder,
};
use fairhaven::games::on_the_road::state::{Phase, State};
use fairhaven::parts::bundles::Surcharge;
use fairhaven::parts::trade::Audience;
use proptest::prelude::*;
use rand_pcg::Pcg32;
use std::ops::RangeInclusive;

fn priced(default: Priced) -> impl Strategy<Value = Priced> {
    mostly(default, prices(14).prop_map(|cost| Priced { cost }))
}

/// From a wool less on.
fn surcharges() -> impl Strategy<Value = Surcharge> {
    let kinds = prop::array::uniform5(prop_oneof![6 => 0_i8..=1, 1 => 2_i8..=14]);
    (kinds, -1_i8..=1).prop_map(|([brick, lumber, _, grain, ore], wool)| Surcharge {
        brick,
        lumber,
        wool,
        grain,
        ore,
    })
}

fn metropolis_cards() -> impl Strategy<Value = MetropolisCard> {
    let faces = prop::sample::select(vec![Face::Side, Face::A, Face::B, Face::Out]);
    let extra = mostly(Surcharge::default(), surcharges());
    let card = (faces, extra).prop_map(|(face, extra)| MetropolisCard { face, extra });
    mostly(MetropolisCard::default(), card)
}

fn sets() -> impl Strategy<Value = Allowed> {
    (1_u8..16).prop_map(|bits| {
        let names = ["roads", "knights", "army", "route"].into_iter().enumerate();
        let names: Vec<&str> =
            names.filter(|(at, _)| bits >> at & 1 == 1).map(|(_, name)| name).collect();
        Allowed::try_from(names.join(" ")).expect("names of metropolises")
    })
}

/// Boxed: a rule set that is drawn as one nested tuple is too large for the stack of a test.
fn metropolises() -> BoxedStrategy<Metropolises> {
    let cost = mostly(Metropolises::default().cost, prices(14));
    let cards = [(); 4].map(|()| metropolis_cards());
    let allowed = [(); 4].map(|()| mostly(Allowed::ANY, sets()));
    let bools = [(); 3].map(|()| mostly(true, Just(false)));
    (cost, bools, allowed, cards)
        .prop_map(|(cost, bools, allowed, [roads, knights, army, route])| {
            let [starting_road_counts, tie_at_once, tie_minimum] = bools;
            // No card takes more than the price has.
            let least = -i8::try_from(cost.wool).expect("a few cards");
            let [roads, knights, army, route] = [roads, knights, army, route].map(|mut card| {
                card.extra.wool = card.extra.wool.max(least);
                card
            });
            Metropolises {
                cost,
                starting_road_counts,
                tie_at_once,
                tie_minimum,
                allowed,
                roads,
                knights,
                army,
                route,
            }
        })
        .boxed()
}

fn trades() -> impl Strategy<Value = Trade> {
    let order = prop::sample::select(vec![TradeOrder::Any, TradeOrder::TradeFirst]);
    (order, mostly(3, 0_u8..=10), mostly(2, 0_u8..=3), mostly(false, Just(true))).prop_map(
        |(order, proposals_max, listed_max, bluff)| Trade {
            order,
            proposals_max,
            listed_max,
            bluff,
        },
    )
}

fn bonus(default: Bonus, highest: u8) -> impl Strategy<Value = Bonus> {
    let any = (1..=highest, 0_u8..=10).prop_map(|(minimum, points)| Bonus { minimum, points });
    mostly(default, any)
}

fn rule_sets() -> impl Strategy<Value = Rules> {
    let usual = Rules::default();
    let table = (
        prop::sample::select(vec![Side::A, Side::B, Side::Mixed]),
        mostly(false, Just(true)),
        mostly(usual.hand_start, 0_u8..=10),
        mostly(usual.points_to_win, 2_u8..=40),
        prop_oneof![4 => 1_u16..=60, 2 => Just(200), 1 => 1_u16..=1000],
        prop::sample::select(vec![Reshuffle::OnDraw, Reshuffle::OnEmpty]),
        prop::sample::select(vec![DrawOrder::Seat, DrawOrder::Round]),
    );
    let costs = (
        priced(usual.road),
        priced(usual.settlement),
        priced(usual.city),
        priced(usual.knight),
        metropolises(),
        mostly(usual.substitution.rates, prop::array::uniform4(1_u8..=20)),
    );
    let hidden = prop::sample::select(vec![Discards::Open, Discards::Hidden]);
    let robber = (mostly(usual.robber.hand_limit, 0_u8..=61), hidden)
        .prop_map(|(hand_limit, discards)| Robber { hand_limit, discards });
    let rest = (trades(), bonus(usual.route, 11), bonus(usual.army, 8), robber);
    (table, costs, rest).prop_map(|(table, costs, rest)| {
        let (side, mixed_first_row, hand_start, points_to_win, turns_max, reshuffle, draw_order) =
            table;
        let (road, settlement, city, knight, metropolis, rates) = costs;
        let (trade, route, army, robber) = rest;
        Rules {
            side,
            mixed_first_row,
            hand_start,
            points_to_win,
            turns_max,
            reshuffle,
            draw_order,
            road,
            settlement,
            city,
            knight,
            metropolis,
            substitution: Substitution { rates },
            trade,
            route,
            army,
            robber,
        }
    })
}

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

    fn cases(players: RangeInclusive<u8>) -> impl Strategy<Value = Case<Rules>> {
        let rules = prop_oneof![1 => Just(Rules::default()), 5 => rule_sets()];
        (rules, players, any::<u64>(), any::<bool>())
            .prop_map(|(rules, players, seed, uniform)| Case { rules, players, seed, uniform })
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

    fn target(&self) -> u8 {
        self.rules().points_to_win
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
