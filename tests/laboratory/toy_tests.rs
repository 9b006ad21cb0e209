//! The dice race keeps the contract of a game, and is won as often as the formulas say.

use crate::closed_form::{fixed, shy, uniform, wins};
use crate::rollers::{Fixed, Mirror, Shy, Uniform, player};
use crate::toy::{DiceRace, Die, Draw, Phase, Rules, State, race};
use fairhaven::core::agent::Player;
use fairhaven::core::chance::{Chance, RandomChance};
use fairhaven::core::game::{ActionFilter, End, Game, Observation, Turn, try_apply};
use fairhaven::core::measure::Measure;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::sim::play::Arena;
use rand_pcg::Pcg32;

const MATCHES: u64 = 20_000;
const SEED: u64 = 5;

/// The last positions of matches of one seating, block by block.
fn ends(game: &DiceRace, mut players: Vec<Player<DiceRace>>, matches: u64) -> Vec<State> {
    let mut table = Arena::new(game.clone());
    let seat_of: Vec<usize> = (0..players.len()).collect();
    let mut play = |block| {
        let seed = BlockSeed::new(SEED, block);
        table.play(&mut players, &seat_of, seed, &mut ()).expect("no agent is at fault")
    };
    (0..matches).map(&mut play).collect()
}

/// Wins by seat.
fn wins_of(game: &DiceRace, ends: &[State]) -> Vec<u32> {
    let mut wins = vec![0; usize::from(game.players())];
    for winner in ends.iter().filter_map(|state| game.outcome(state).winner) {
        wins[winner.idx()] += 1;
    }
    wins
}

/// Fails if a seat's win rate is 4 standard errors from what it should be.
fn assert_rates(game: &DiceRace, players: Vec<Player<DiceRace>>, success: &[f64]) {
    let won = wins_of(game, &ends(game, players, MATCHES));
    let expected = wins(success, game.turns_max());
    for (seat, (&won, p)) in won.iter().zip(expected).enumerate() {
        let rate = f64::from(won) / MATCHES as f64;
        let error = (p * (1.0 - p) / MATCHES as f64).sqrt();
        assert!((rate - p).abs() < 4.0 * error, "seat {seat} wins {rate}, not {p} ± {error}");
    }
}

#[test]
fn win_rates_by_seat_are_those_of_the_formulas() {
    let rules = Rules::default();
    let success = [fixed(&rules, Die::D), shy(&rules, 30), uniform(&rules), uniform(&rules)];
    for seats in 2..=4 {
        let shy = player(Shy { percent: 30 });
        let mut players = vec![player(Fixed(Die::D)), shy, player(Uniform), player(Mirror)];
        players.truncate(usize::from(seats));
        assert_rates(&race(rules.clone(), seats), players, &success[..usize::from(seats)]);
    }
}

#[test]
fn win_rates_follow_the_turn_limit_and_the_dice_in_the_match() {
    let rules = Rules { turns_max: 5, ..Rules::of([0, 30, 0, 10]) };
    let success = [fixed(&rules, Die::A), uniform(&rules), fixed(&rules, Die::D)];
    let players = vec![player(Fixed(Die::A)), player(Uniform), player(Fixed(Die::D))];
    assert_rates(&race(rules, 3), players, &success);
}

#[test]
fn uniform_and_mirror_win_alike_but_not_the_same_matches() {
    let game = race(Rules::default(), 2);
    let success = [uniform(game.rules()); 2];
    assert_rates(&game, vec![player(Mirror), player(Uniform)], &success);
    let uniform = ends(&game, vec![player(Uniform), player(Uniform)], 1000);
    let mirror = ends(&game, vec![player(Mirror), player(Mirror)], 1000);
    assert_ne!(uniform, mirror);
}

#[test]
fn where_a_die_wins_a_better_one_has_won() {
    let game = race(Rules::default(), 3);
    let all = |die| ends(&game, (0..3).map(|_| player(Fixed(die))).collect(), 1000);
    for (better, worse) in all(Die::A).into_iter().zip(all(Die::B)) {
        assert!(better.turn <= worse.turn, "{better:?} {worse:?}");
        let both = better.turn == worse.turn && matches!(worse.phase, Phase::Won(_));
        assert!(!both || better.phase == Phase::Won(Die::A), "{better:?} {worse:?}");
    }
}

#[test]
fn each_turn_has_the_luck_of_its_own_stream() {
    let game = race(Rules::default(), 2);
    let wins_in = |block, turn| {
        let mut chance = RandomChance::new(BlockSeed::new(SEED, block));
        Chance::<Draw>::start_turn(&mut chance, turn);
        chance.kind(Draw::Roll, &[10, 90]) == 0
    };
    let ends = ends(&game, vec![player(Fixed(Die::D)), player(Fixed(Die::D))], 200);
    for (block, state) in (0..).zip(ends) {
        let first = (1..=game.turns_max()).find(|&turn| wins_in(block, turn));
        assert_eq!(state.turn, first.unwrap_or(game.turns_max()));
    }
}

/// Everything that must hold when a seat is to decide.
fn assert_position(game: &DiceRace, state: State, legal: &mut Actions<Die>) {
    let Turn::Decide(seat) = game.turn(&state) else { panic!("{state:?} is over") };
    game.legal(&state, ActionFilter::Full, legal);
    assert_eq!(legal[..], game.rules().dice().collect::<Vec<_>>()[..]);
    assert!(!legal.is_empty() && legal.len() <= DiceRace::ACTIONS_MAX);
    for die in Die::ALL {
        let mut after = state;
        let carried =
            try_apply(game, &mut after, die, &mut RandomChance::new(BlockSeed::new(1, 1)));
        assert_eq!(carried.is_ok(), legal.contains(&die), "{die}");
        assert_eq!(carried.is_err(), after == state, "{die}");
        let option = game.with_option(0, &state, legal[0], die.idx());
        assert_eq!(option, legal.contains(&die).then_some(die));
    }
    let seen = Observation { seat, view: game.view(&state, seat), memory: &() };
    assert_eq!(seen.determinize(game, &mut Pcg32::new(0, 0)), state);
    assert_eq!(game.current(&state), seat);
}

/// Plays a match by hand, each die in its turn.
fn walk(game: &DiceRace, block: u64) -> State {
    let mut chance = RandomChance::new(BlockSeed::new(3, block));
    let mut legal = Actions::new();
    let mut state = game.deal(&mut chance);
    for decision in 0.. {
        if game.turn(&state) == Turn::Over {
            break;
        }
        assert!(decision < game.decisions_max());
        assert_position(game, state, &mut legal);
        let die = legal[decision as usize % legal.len()];
        try_apply(game, &mut state, die, &mut chance).expect("a listed action");
        game.check(&state);
    }
    state
}

#[test]
fn the_toy_keeps_the_contract_of_a_game() {
    for (players, dice) in [(2, [25, 20, 15, 10]), (3, [0, 5, 0, 1]), (4, [3, 0, 0, 0])] {
        let game = race(Rules { turns_max: 30, ..Rules::of(dice) }, players);
        let ends: Vec<State> = (0..100).map(|block| walk(&game, block)).collect();
        for &state in &ends {
            assert_over(&game, state);
        }
        let again: Vec<State> = (0..100).map(|block| walk(&game, block)).collect();
        assert_eq!(ends, again, "the same seed is the same match");
        assert!(ends.iter().any(|state| state.phase != Phase::Limit));
    }
}

/// Everything that must hold at the end.
fn assert_over(game: &DiceRace, state: State) {
    let outcome = game.outcome(&state);
    let mut legal = Actions::new();
    game.legal(&state, ActionFilter::Full, &mut legal);
    assert!(legal.is_empty());
    assert!(game.permits(&state, Die::A).is_err());
    assert_eq!(outcome.end == End::Won, outcome.winner.is_some());
    assert_eq!(outcome.winner.is_none(), state.phase == Phase::Limit);
    assert!(outcome.end == End::Won || state.turn == game.turns_max());
    for seat in Seat::all(game.players()) {
        let won = outcome.winner == Some(seat);
        assert_eq!(outcome.points[seat.idx()], u8::from(won));
        assert_eq!(game.held(&state, seat) != 0, won);
    }
}

#[test]
fn rules_that_nobody_could_play_with_are_refused() {
    let faults = |rules: Rules, players| {
        let faults = DiceRace::new(rules, players).expect_err("faults");
        faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
    };
    assert_eq!(faults(Rules::of([0; 4]), 2), ["a"]);
    assert_eq!(faults(Rules::of([1, 101, 2, 200]), 5), ["b", "d", "players"]);
    assert_eq!(faults(Rules { turns_max: 0, ..Rules::default() }, 2), ["turns_max"]);
}

#[test]
fn a_removal_takes_its_die_out_and_fields_are_all_of_the_rules() {
    let text = toml::to_string(&Rules::default()).expect("rules have text");
    let fields: Vec<&str> = text.lines().filter_map(|line| line.split(" = ").next()).collect();
    let paths: Vec<&str> = DiceRace::FIELDS.iter().map(|field| field.path).collect();
    assert_eq!(fields, paths);
    let [choice, late] = DiceRace::CHOICES else { panic!("two choices") };
    assert_eq!(choice.options, late.options);
    for (option, die) in choice.options.iter().zip(Die::ALL) {
        let rules: Rules = toml::from_str(option.removal).expect("a field and its value");
        assert!(rules.dice().eq(Die::ALL.into_iter().filter(|&other| other != die)));
    }
}
