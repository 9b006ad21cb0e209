//! The boats hide what base CATAN hides, by the same memory and law; what they add is in what each seat imagines as
//! it is, and what an unexplored hex will be is not known to anybody.

use fairhaven::core::chance::{PlainChance, RandomChance, below};
use fairhaven::core::game::{ActionFilter, Game, SeatMemory, Step, Turn};
use fairhaven::core::record::ObservedChance;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::boats::Boats;
use fairhaven::games::boats::action::Action;
use fairhaven::games::boats::rules::Rules;
use fairhaven::games::boats::state::State;
use fairhaven::parts::island::Island;
use fairhaven::parts::island::memory::Memory;
use rand_pcg::Pcg32;
use std::collections::BTreeSet;

fn game() -> Boats {
    let rules = Rules { scenario: "fog".to_owned(), ..Rules::default() };
    Boats::new(rules, 3).expect("rules to play by")
}

fn choose(game: &Boats, state: &State, rng: &mut Pcg32) -> Action {
    let mut legal = Box::<Actions<Action>>::default();
    game.legal(state, ActionFilter::Plain, &mut legal);
    legal[below(rng, u32::try_from(legal.len()).unwrap()) as usize]
}

#[test]
fn the_sea_is_imagined_as_it_is_and_the_island_by_its_own_law() {
    let game = game();
    let mut rng = Pcg32::new(4, 2);
    let mut chance = RandomChance::new(BlockSeed::new(4, 2));
    let mut state = game.deal(&mut chance);
    let seats = || Seat::all(3);
    let mut memories: Vec<Memory> =
        seats().map(|seat| <Memory as SeatMemory<Boats>>::new(&game, seat)).collect();
    let mut imagined_hands = BTreeSet::new();
    for _ in 0..1500 {
        if game.turn(&state) == Turn::Over {
            break;
        }
        let (before, action) = (state, choose(&game, &state, &mut rng));
        let mut events = Vec::new();
        let listener = |event| events.push(event);
        game.apply(&mut state, action, &mut ObservedChance { chance: &mut chance, listener });
        let step = Step { action: Some((&before, action)), chance: &events, after: &state };
        for (seat, memory) in seats().zip(&mut memories) {
            step.remember(&game, seat, memory);
            let view = Game::view(&game, &state, seat);
            let [mut one, mut other] = [rng.clone(), rng.clone()];
            let imagined: State = memory.determinize(&game, &view, &mut (), &mut one);
            assert_eq!(imagined.own, state.own);
            let island = <Memory as SeatMemory<Island>>::determinize(
                memory,
                game.island(),
                &view.island,
                &mut (),
                &mut other,
            );
            assert_eq!(imagined.island, island);
            imagined_hands.insert(format!("{:?}", imagined.island.hands == state.island.hands));
        }
        rng = Pcg32::new(u64::from(state.island.table.turn), events.len() as u64 + 7);
        below(&mut rng, 9);
    }
    assert_eq!(imagined_hands.len(), 2, "hands are right at times, and wrong at times");
}

/// Whoever plays on from what it imagines draws what is uncovered like everybody.
#[test]
fn nothing_lies_beneath_an_unexplored_hex() {
    let game = game();
    let mut found = BTreeSet::new();
    for number in 0..400 {
        let mut rng = Pcg32::new(number, 1);
        let mut state = game.deal(&mut RandomChance::new(BlockSeed::new(1, 1)));
        for _ in 0..600 {
            if state.own.fog.len() < game.scenario().fog().len() || game.turn(&state) == Turn::Over
            {
                break;
            }
            let action = choose(&game, &state, &mut rng);
            game.apply(&mut state, action, &mut PlainChance(&mut rng));
        }
        let new = game.scenario().fog() - state.own.fog;
        found.extend(new.iter().map(|hex| {
            let kind = state.island.table.board.terrain[hex.idx()];
            format!("{kind:?} {}", state.own.sea.contains(hex))
        }));
    }
    assert_eq!(found.len(), 6, "five kinds of land, and sea: {found:?}");
}
