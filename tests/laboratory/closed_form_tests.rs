//! The formulas, compared with a walk through every possible match, by the game's own rules.

use crate::closed_form::{
    Taker, both, fixed, forced, lone, lone_difference, rolls, shy, turns, undecided, uniform, wins,
};
use crate::toy::{DiceRace, Die, Rules, State, race};
use fairhaven::core::chance::{RandomChance, Scripted, ScriptedChance};
use fairhaven::core::game::{Game, Turn};
use fairhaven::core::seed::BlockSeed;

/// With what probability a seat rolls each die.
type Policy = [f64; 4];

const ONLY_A: Policy = [1.0, 0.0, 0.0, 0.0];
const ONLY_B: Policy = [0.0, 1.0, 0.0, 0.0];
const ANY: Policy = [0.25; 4];
const SHY_30: Policy = [0.3, 0.7, 0.0, 0.0];
const POLICIES: [Policy; 4] = [SHY_30, ANY, ONLY_B, ONLY_A];

/// Rules with dice that are far from each other, some turns of them.
fn rules(turns_max: u16) -> Rules {
    Rules { turns_max, ..Rules::of([40, 15, 7, 2]) }
}

/// The success probabilities of [`POLICIES`].
fn successes(rules: &Rules) -> [f64; 4] {
    [shy(rules, 30), uniform(rules), fixed(rules, Die::B), fixed(rules, Die::A)]
}

/// The outcomes of a match, by exact weights.
#[derive(Debug, Default)]
struct Walk {
    wins: [f64; 4],
    undecided: f64,
    turns: f64,
}

impl Walk {
    /// Follows every die and every roll; `first` is how the first seat rolls in its first turn.
    fn of(game: &DiceRace, policies: &[Policy], first: Policy) -> Walk {
        let mut walk = Walk::default();
        let start = game.deal(&mut RandomChance::new(BlockSeed::new(0, 0)));
        walk.follow(game, policies, start, 1.0, Some(first));
        walk
    }

    fn usual(game: &DiceRace, policies: &[Policy]) -> Walk {
        Walk::of(game, policies, policies[0])
    }

    fn follow(
        &mut self,
        game: &DiceRace,
        policies: &[Policy],
        state: State,
        weight: f64,
        first: Option<Policy>,
    ) {
        let Turn::Decide(seat) = game.turn(&state) else { return self.end(game, state, weight) };
        let policy = first.unwrap_or(policies[seat.idx()]);
        let mut misses = 0.0;
        let mut after = state;
        for (die, share) in Die::ALL.into_iter().zip(policy) {
            let chance = f64::from(game.rules().percent(die)) / 100.0;
            self.follow(game, policies, rolled(game, state, die, 0), weight * share * chance, None);
            misses += share * (1.0 - chance);
            after = rolled(game, state, die, 1);
        }
        // All misses lead to one position.
        self.follow(game, policies, after, weight * misses, None);
    }

    fn end(&mut self, game: &DiceRace, state: State, weight: f64) {
        match game.outcome(&state).winner {
            Some(seat) => {
                self.wins[seat.idx()] += weight;
                self.turns += weight * f64::from(state.turn);
            }
            None => self.undecided += weight,
        }
    }
}

fn rolled(game: &DiceRace, mut state: State, die: Die, outcome: u8) -> State {
    let mut chance = ScriptedChance::new([Scripted::Kind(outcome)]);
    game.apply(&mut state, die, &mut chance);
    assert!(chance.is_exhausted());
    state
}

fn close(formula: f64, other: f64) {
    assert!((formula - other).abs() < 1e-12, "{formula} is not {other}");
}

/// Calls `f` for tables of 2 to 4 and limits below, at and above a round.
fn everywhere(f: impl Fn(&DiceRace, usize, u16)) {
    for players in 2..=4 {
        for turns_max in [1, 2, 3, 4, 5, 8, 11, 60] {
            f(&race(rules(turns_max), players), usize::from(players), turns_max);
        }
    }
}

#[test]
fn wins_turns_and_undecided_matches_agree_with_the_walk() {
    everywhere(|game, seats, limit| {
        let walk = Walk::usual(game, &POLICIES[..seats]);
        let success = &successes(game.rules())[..seats];
        for (formula, walked) in wins(success, limit).into_iter().zip(walk.wins) {
            close(formula, walked);
        }
        close(undecided(success, limit), walk.undecided);
        close(turns(success, limit), walk.turns / (1.0 - walk.undecided));
        close(wins(success, limit).iter().sum::<f64>() + walk.undecided, 1.0);
    });
}

#[test]
fn a_lone_agent_agrees_with_the_walk() {
    everywhere(|game, seats, limit| {
        let among = |one: Policy, others: Policy| {
            let at = |seat: usize| {
                let mut policies = vec![others; seats];
                policies[seat] = one;
                Walk::usual(game, &policies).wins[seat]
            };
            (0..seats).map(at).sum::<f64>() / seats as f64
        };
        let (a, b) = (shy(game.rules(), 30), fixed(game.rules(), Die::B));
        let (of_a, of_b) = (among(SHY_30, ONLY_B), among(ONLY_B, SHY_30));
        close(lone(a, b, seats, limit), of_a);
        close(lone_difference(a, b, seats, limit), of_a - of_b);
    });
}

#[test]
fn a_forced_first_roll_agrees_with_the_walk() {
    everywhere(|game, seats, limit| {
        let success = &successes(game.rules())[..seats];
        for die in Die::ALL {
            let mut only = [0.0; 4];
            only[die.idx()] = 1.0;
            let walk = Walk::of(game, &POLICIES[..seats], only);
            close(forced(fixed(game.rules(), die), success, limit), walk.wins[0]);
        }
    });
}

#[test]
fn huygens_has_30_to_31() {
    // Proposition 14 of 1657: who needs a 6 with two dice throws first, the other needs a 7.
    let shares = wins(&[5.0 / 36.0, 6.0 / 36.0], 1000);
    close(shares[0], 30.0 / 61.0);
    close(shares[1], 31.0 / 61.0);
}

#[test]
fn equal_agents_do_not_differ_and_no_success_is_no_win() {
    for seats in 2..=4 {
        close(lone_difference(0.2, 0.2, seats, 60), 0.0);
        close(lone(0.2, 0.2, seats, 60), (1.0 - 0.8_f64.powi(60)) / seats as f64);
        // Of two turns with a success of one half each: won in the first by 1/2, in the second by 1/4.
        close(turns(&vec![0.5; seats], 2), 4.0 / 3.0);
        close(wins(&vec![0.0; seats], 61)[0], 0.0);
    }
    close(rolls(&[1.0, 1.0], 60)[1], 0.0);
}

#[test]
fn a_die_out_of_the_match_makes_way_for_the_first() {
    let rules = Rules::of([0, 0, 30, 10]);
    close(fixed(&rules, Die::A), 0.3);
    close(fixed(&rules, Die::D), 0.1);
    close(shy(&rules, 70), 0.3);
    close(uniform(&rules), 0.2);
}

/// The probability that a seat wins twice on the same luck, by every way that two matches can go:
/// the first of `going` with dice of `success`, and so on.
fn twice(success: [f64; 2], seat: usize, seats: usize, turn: u16, limit: u16) -> f64 {
    if turn > limit {
        return 0.0;
    }
    let next = |success| twice(success, seat, seats, turn + 1, limit);
    let here = usize::from(turn - 1) % seats == seat;
    // A roll below both wins both; one between wins the higher alone. A match that is won goes on
    // as one that never ends if the seat has won it, and is lost if not.
    let mut ways = 0.0;
    let (low, high) = (success[0].min(success[1]), success[0].max(success[1]));
    let after = |p: f64, wins: bool| match (wins, here) {
        (false, _) => Some(p),
        (true, true) => Some(f64::NAN),
        (true, false) => None,
    };
    for (weight, roll) in [(low, 0.0), (high - low, low), (1.0 - high, high)] {
        let [one, other] = success.map(|p| if p.is_nan() { Some(p) } else { after(p, roll < p) });
        if let (Some(one), Some(other), true) = (one, other, weight > 0.0) {
            let won = one.is_nan() && other.is_nan();
            ways += weight * if won { 1.0 } else { next([one, other]) };
        }
    }
    ways
}

#[test]
fn two_matches_on_the_same_luck_agree_with_the_walk() {
    for seats in 2..=4 {
        for limit in [1, 2, 5, 9] {
            for seat in 0..seats {
                let formula = both((0.25, 0.4), seat, seats, limit);
                close(formula, twice([0.25, 0.4], seat, seats, 1, limit));
                // The same dice: the same match.
                close(both((0.3, 0.3), seat, seats, limit), wins(&vec![0.3; seats], limit)[seat]);
            }
        }
    }
}

#[test]
fn takers_win_as_the_seats_do_together() {
    let taker = Taker { share: 0.25, special: 0.4, rest: 0.08, others: 0.16 };
    for seats in 2..=4 {
        for limit in [1, 4, 11] {
            for seat in 0..seats {
                let ends = taker.ends(seat, seats, limit);
                let won: f64 = ends.iter().map(|end| end[0][1] + end[1][1]).sum();
                close(won, wins(&vec![0.16; seats], limit)[seat]);
                let all: f64 = ends.iter().flatten().flatten().sum();
                close(all, 1.0);
                // It has never rolled the die in k misses of others and its own.
                let rolls = (usize::from(limit) + seats - 1 - seat) / seats;
                let others = usize::from(limit) - rolls;
                let never = (0.75 * 0.92_f64).powi(i32::try_from(rolls).unwrap())
                    * 0.84_f64.powi(i32::try_from(others).unwrap());
                let last = ends.last().unwrap();
                assert!(last[0][0] >= never - 1e-12);
            }
        }
    }
}
