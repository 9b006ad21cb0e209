//! The laws of CATAN for two: those of base CATAN for all that it shares, and its own for neutral pieces, rolls and
//! tokens, against slow derivations.

use crate::base::{
    army_goes_to_the_largest, conserves_cards, pays_what_is_due, pieces_are_up_to_date,
    points_have_five_parts,
};
use crate::choices::Chooser;
use crate::island::Position;
use crate::random::{any_kind, below, small};
use crate::{Lawful, Step, random_matches_keep_the_laws};
use fairhaven::core::game::Game;
use fairhaven::core::measure::{Flow, Measure};
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::types::seat::Seat;
use fairhaven::games::base::Base;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::games::two_player::action::Action;
use fairhaven::games::two_player::rules::Rules;
use fairhaven::games::two_player::state::{Owed, State};
use fairhaven::parts::island::action::Action as Shared;
use fairhaven::parts::island::cards::Card;
use fairhaven::parts::island::memory::Memory;
use fairhaven::parts::island::state::{Phase, Stage};
use fairhaven::parts::places::{Edge, Vertex};
use rand_pcg::Pcg32;
use std::collections::BTreeSet;

/// The neutral players, as indices.
const NEUTRALS: [usize; 2] = [2, 3];

impl Lawful for TwoPlayer {
    const COMES: &'static [&'static str] = &[
        "roll",
        "end turn",
        "road",
        "settlement",
        "city",
        "buy",
        "knight",
        "road building",
        "year of plenty",
        "monopoly",
        "move the robber",
        "discard one",
        "bank",
        "offer to all",
        "accept",
        "refuse",
        "counter",
        "settle",
        "decline",
        "stop",
        "neutral road",
        "neutral settlement",
        "forced trade",
        "give back",
        "robber home",
        "turn in",
        "won",
        "turn_limit",
        // Phases.
        "found",
        "found_road",
        "discard",
        "robber",
        "free_road",
        "answer",
        "choose",
        "give_back",
        "neutral_road",
        "neutral_settlement",
    ];
    const ROUNDS: u64 = 200_000;

    /// Two settlements that are not too near each other, and as many tokens as are dealt.
    fn playable(mut rules: Rules, _players: u8, _seed: u64) -> Rules {
        let [one, other] = rules.neutral.places;
        let near = fairhaven::parts::hexmap::STANDARD.neighbours[usize::from(one)];
        if one == other || near.contains(Vertex::new(other)) {
            rules.neutral = Rules::default().neutral;
        }
        let tokens = &mut rules.trade_tokens;
        let most = (tokens.all / 2).min(tokens.max);
        tokens.start = tokens.start.map(|start| start.min(most));
        rules
    }

    fn any_action(rng: &mut Pcg32) -> Action {
        let seat = Seat::all(6).nth(below(rng, 6)).expect("six seats");
        let (first, second) = (any_kind(rng), any_kind(rng));
        match below(rng, 10) {
            0 | 1 => Action::NeutralRoad { seat, edge: Edge::new(small(rng, 109)) },
            2 | 3 => Action::NeutralSettlement { seat, vertex: Vertex::new(small(rng, 80)) },
            4 => Action::GiveBack { first, second },
            5 => [Action::ForcedTrade, Action::RobberHome, Action::TurnIn][below(rng, 3)],
            _ => Action::Island(Base::any_action(rng)),
        }
    }

    fn any_talk(&self, state: &State, seat: Seat, rng: &mut Pcg32) -> Action {
        Action::Island(self.island().any_talk(&state.island, seat, rng))
    }

    fn may_be_unlisted(action: Action) -> bool {
        matches!(action, Action::Island(action) if Base::may_be_unlisted(action))
    }

    fn word(action: Action) -> &'static str {
        match action {
            Action::Island(action) => Base::word(action),
            Action::NeutralRoad { .. } => "neutral road",
            Action::NeutralSettlement { .. } => "neutral settlement",
            Action::ForcedTrade => "forced trade",
            Action::GiveBack { .. } => "give back",
            Action::RobberHome => "robber home",
            Action::TurnIn => "turn in",
        }
    }

    fn hand(state: &State, seat: Seat) -> Resources {
        state.island.hands[seat.idx()]
    }

    fn surely_held(memory: &Memory, seat: Seat) -> Resources {
        memory.surely_held(seat)
    }

    fn target(&self, seat: Seat) -> u8 {
        self.rules().points_to_win.of(seat)
    }

    fn on_turn(state: &State) -> Seat {
        state.island.table.active
    }

    fn examine(&self, step: &Step<'_, TwoPlayer>) {
        conserves_cards(self.island(), &step.after.island);
        points_have_five_parts(self.island(), &step.after.island);
        let action = match step.action {
            Action::Island(action) => action,
            // On the island nothing else follows from what only this game has.
            _ => Shared::Decline,
        };
        let (before, after) = (&step.before.island, &step.after.island);
        let shared = Step { before, action, events: step.events, after };
        examine_tokens(self, step);
        examine_debt(self, step);
        match step.action {
            Action::Island(Shared::Roll) => examine_roll(self, step, &shared),
            Action::Island(
                Shared::Road { .. } | Shared::Settlement { .. } | Shared::City { .. },
            )
            | Action::NeutralRoad { .. }
            | Action::NeutralSettlement { .. } => {
                pieces_are_up_to_date(self.island(), &shared);
            }
            Action::Island(Shared::Knight) => army_goes_to_the_largest(self.island(), &shared),
            Action::TurnIn => army_is_awarded_afresh(self, step),
            Action::ForcedTrade => {
                let drawn = step.before.island.hands[other(step)].total().min(2);
                assert_eq!(step.events.len(), usize::from(drawn), "cards drawn");
            }
            Action::GiveBack { .. } => {
                let Some(Flow::Passed(cards)) = self.flow(step.before, step.action) else {
                    panic!("cards pass to the opponent")
                };
                assert_eq!(cards.total(), 2, "two cards");
                let gained = after.hands[other(step)] - before.hands[other(step)];
                assert_eq!(gained, cards, "what the opponent gets");
            }
            _ => assert_eq!(before.table.pieces, after.table.pieces, "pieces stand"),
        }
    }

    fn look(&self, state: &State, legal: &BTreeSet<String>) {
        let due = choices(self, state);
        let due: BTreeSet<String> = due.iter().map(|action| format!("{action:?}")).collect();
        let wrong: Vec<&String> = due.symmetric_difference(legal).take(5).collect();
        assert!(wrong.is_empty(), "{wrong:?} in {:?}", state.own);
    }
}

/// Who is not active, as an index.
fn other(step: &Step<'_, TwoPlayer>) -> usize {
    1 - step.before.island.table.active.idx()
}

/// Settlements that each neutral player could have, and roads: with its seat as an index. (TWO-7)
fn neutral_places(game: &TwoPlayer, state: &State) -> [Vec<(usize, usize)>; 2] {
    let position = Position::of(game.island(), &state.island);
    let (mut settlements, mut roads) = (Vec::new(), Vec::new());
    for seat in NEUTRALS {
        let built = position.buildings.iter().filter(|building| building.1 == seat).count();
        let laid = position.roads.iter().filter(|road| road.1 == seat).count();
        if built < 5 {
            settlements.extend(position.sites(seat).into_iter().map(|vertex| (seat, vertex)));
        }
        if laid < 15 {
            roads.extend(position.road_places(seat).into_iter().map(|edge| (seat, edge)));
        }
    }
    [settlements, roads]
}

/// Every action that the full list should have, in no order.
fn choices(game: &TwoPlayer, state: &State) -> Vec<Action> {
    let seat = |idx: usize| Seat::all(6).nth(idx).expect("six seats");
    let number = |place: usize| u8::try_from(place).unwrap();
    let [settlements, roads] = neutral_places(game, state);
    let hand = state.island.hands[state.island.table.active.idx()];
    match state.own.owed {
        Owed::Settlement => settlements
            .into_iter()
            .map(|(of, at)| Action::NeutralSettlement {
                seat: seat(of),
                vertex: Vertex::new(number(at)),
            })
            .collect(),
        Owed::Road => roads
            .into_iter()
            .map(|(of, at)| Action::NeutralRoad { seat: seat(of), edge: Edge::new(number(at)) })
            .collect(),
        Owed::Cards => {
            let pairs = Resource::ALL.into_iter().flat_map(|first| {
                let later = Resource::ALL.into_iter().skip(first.idx());
                later.map(move |second| (first, second))
            });
            let holds = |&(first, second): &(Resource, Resource)| {
                let least = 1 + u8::from(first == second);
                hand.get(first) >= least && hand.get(second) >= 1
            };
            pairs.filter(holds).map(|(first, second)| Action::GiveBack { first, second }).collect()
        }
        Owed::Nothing => {
            let shared = Chooser::new(game.island(), &state.island).all();
            let mut all: Vec<Action> = shared.into_iter().map(Action::Island).collect();
            if state.island.table.phase == Phase::Act {
                all.extend(own_choices(game, state));
            }
            all
        }
    }
}

/// TWO-9, TWO-10, TWO-11, TWO-15.
fn own_choices(game: &TwoPlayer, state: &State) -> Vec<Action> {
    let (table, own, tokens) = (&state.island.table, &state.own, &game.rules().trade_tokens);
    let me = table.active.idx();
    let shown = |idx: usize| {
        let seat = Seat::all(2).nth(idx).expect("two players");
        let hidden = state.island.cards[idx][Card::VictoryPoint.idx()];
        Measure::points(game, state, seat) - hidden
    };
    let price = if shown(me) > shown(1 - me) { tokens.leader_price } else { tokens.price };
    let mut all = Vec::new();
    if !own.acted && own.tokens[me] >= price {
        let [mine, theirs] = [me, 1 - me].map(|idx| state.island.hands[idx].total());
        if tokens.forced_trade && theirs > 0 && mine + theirs.min(2) >= 2 {
            all.push(Action::ForcedTrade);
        }
        if tokens.robber_home && table.board.terrain[table.robber.idx()].is_some() {
            all.push(Action::RobberHome);
        }
    }
    let held: u8 = own.tokens.iter().sum();
    let room = own.tokens[me] < tokens.max && held < tokens.all;
    if !own.turned_in && table.knights[me] > 0 && tokens.knight > 0 && room {
        all.push(Action::TurnIn);
    }
    all
}

/// TWO-5: the second roll of a turn shows another sum.
fn examine_roll(game: &TwoPlayer, step: &Step<'_, TwoPlayer>, shared: &Step<'_, Base>) {
    let throw = step.events[0].outcome;
    let sum = throw / 6 + throw % 6 + 2;
    assert_ne!(sum, step.before.own.first, "two sums that differ");
    let first = step.before.own.first == 0;
    let stage = if first { Stage::Roll } else { Stage::Main };
    assert_eq!(step.after.island.table.stage, stage, "two rolls");
    assert_eq!(step.after.own.first, if first { sum } else { 0 });
    pays_what_is_due(game.island(), shared);
}

/// TWO-7, TWO-13, TWO-14: what is owed after an action.
fn examine_debt(game: &TwoPlayer, step: &Step<'_, TwoPlayer>) {
    let after = &step.after.island.table;
    let founds = matches!(step.before.island.table.stage, Stage::Founding(_));
    let over = matches!(after.phase, Phase::Over(_));
    let due = match step.action {
        Action::ForcedTrade => Owed::Cards,
        _ if founds || over => Owed::Nothing,
        Action::Island(built @ (Shared::Road { .. } | Shared::Settlement { .. })) => {
            let [settlements, roads] = neutral_places(game, step.after);
            match built {
                Shared::Settlement { .. } if !settlements.is_empty() => Owed::Settlement,
                _ if roads.is_empty() => Owed::Nothing,
                _ => Owed::Road,
            }
        }
        _ => Owed::Nothing,
    };
    assert_eq!(step.after.own.owed, due, "what is owed");
}

/// TWO-4, TWO-9 to TWO-12: tokens that an action moves.
fn examine_tokens(game: &TwoPlayer, step: &Step<'_, TwoPlayer>) {
    let rules = &game.rules().trade_tokens;
    let (before, after) = (&step.before.own, &step.after.own);
    let me = step.before.island.table.active.idx();
    let shown = |idx: usize| {
        let seat = Seat::all(2).nth(idx).expect("two players");
        step.before.island.table.points(game.island(), seat)
    };
    let price = if shown(me) > shown(1 - me) { rules.leader_price } else { rules.price };
    let earns = |tokens: u8| {
        let left = rules.all - before.tokens[0] - before.tokens[1];
        tokens.min(left).min(rules.max - before.tokens[me])
    };
    let due = match step.action {
        Action::ForcedTrade | Action::RobberHome => before.tokens[me] - price,
        Action::TurnIn => before.tokens[me] + earns(rules.knight),
        Action::Island(Shared::Settlement { vertex }) => {
            let position = Position::of(game.island(), &step.before.island);
            let land = &position.island.land[vertex.idx()];
            let terrain = &step.before.island.table.board.terrain;
            let desert = land.iter().any(|&hex| terrain[hex].is_none());
            let coast = land.len() < 3;
            let tokens = u8::from(desert) * rules.desert + u8::from(coast) * rules.coast;
            before.tokens[me] + earns(tokens)
        }
        _ => before.tokens[me],
    };
    assert_eq!(after.tokens[me], due, "tokens of the active player");
    assert_eq!(after.tokens[1 - me], before.tokens[1 - me], "the other's");
}

/// TWO-11: whoever has more knights than the other, and enough, holds it; the opponent keeps what it holds.
fn army_is_awarded_afresh(game: &TwoPlayer, step: &Step<'_, TwoPlayer>) {
    let (before, after) = (&step.before.island.table, &step.after.island.table);
    let me = before.active.idx();
    let least = game.rules().army.minimum;
    let leads = |one: usize, two: usize| {
        after.knights[one] > after.knights[two] && after.knights[one] >= least
    };
    let seat = |idx: usize| Seat::all(2).nth(idx);
    let due = match before.army {
        Some(holder) if holder.idx() != me => Some(holder),
        _ if leads(me, 1 - me) => seat(me),
        _ if leads(1 - me, me) => seat(1 - me),
        _ => None,
    };
    assert_eq!(after.army, due, "Largest Army");
    assert_eq!(after.knights[me] + 1, before.knights[me], "a knight less");
}

#[test]
fn random_matches_of_two_player_keep_the_laws() {
    random_matches_keep_the_laws::<TwoPlayer>();
}
