//! Every experiment on the dice race finds what the formulas say.

use crate::closed_form::{self, lone, turns, wins};
use crate::setup::{Setup, Who, blocks, close, found};
use crate::toy::{Die, Rules};
use fairhaven::lab::questions::question::Question;
use fairhaven::lab::questions::studies;
use fairhaven::lab::questions::studies::sensitivity::Sensitivity;
use fairhaven::lab::questions::studies::sweep::Sweep;
use fairhaven::lab::report::comparison::{Finding, Place};
use fairhaven::lab::report::manifest::Variant;
use fairhaven::lab::report::table::{Row, Table};
use fairhaven::stats::factorial;
use fairhaven::stats::jackknife::Estimate;

/// Fails if an estimate is not this number.
fn exact(estimate: Estimate, value: f64, what: &str) {
    let (lo, hi) = estimate.interval.expect("many blocks");
    let inside = lo <= value && value <= hi;
    assert!((estimate.value - value).abs() < 1e-12 && inside, "{what}: {estimate:?}, not {value}");
}

/// Win rates by seat and the mean number of turns at a table of equals.
fn equals(success: f64, seats: usize, rules: &Rules) -> (Vec<f64>, f64) {
    let all = vec![success; seats];
    (wins(&all, rules.turns_max), turns(&all, rules.turns_max))
}

/// Checks differences of win rates by seat and of mean turns against the formulas.
fn assert_effects(setup: &Setup, tables: &[Table], estimand: &str, who: Who, players: usize) {
    let level = who.name();
    let of = |variant: usize| {
        let rules = setup.rules_of(variant);
        equals(who.success(&rules), players, &rules)
    };
    let (rates, length) = of(0);
    let of_all = |change: &Variant| !change.name.starts_with("only");
    let variants = setup.variants.iter().enumerate().skip(1);
    for (variant, change) in variants.filter(|(_, change)| of_all(change)) {
        let name = change.name.as_str();
        let (other_rates, other_length) = of(variant);
        for (seat, (rate, other)) in rates.iter().zip(other_rates).enumerate() {
            let keys = [&level, estimand, name, &format!("seat {}", seat + 1)];
            close(found(tables, "effects", &keys, "win_rate"), other - rate, name);
        }
        let keys = [&level, estimand, name, ""];
        let effect = found(tables, "effects", &keys, "turns_mean");
        close(effect, other_length - length, &format!("turns with {name}"));
    }
}

#[test]
fn a_change_of_rules_does_what_the_formulas_say() {
    for players in 2..=4 {
        let who = Who::Uniform;
        let changes = ["", "a=35", "d=0", "turns_max=5"];
        let seats = vec![who; players];
        let setup = Setup::paired(
            studies::rules::Rules::default().spec(),
            Rules::default(),
            &changes,
            &seats,
        );
        let setup = Setup { plan: blocks(4000), seed: 21, ..setup };
        let tables = setup.tables();
        assert_effects(&setup, &tables, "rules", who, players);
        for (variant, change) in setup.variants.iter().enumerate() {
            let rules = setup.rules_of(variant);
            let (rates, _) = equals(who.success(&rules), players, &rules);
            for (seat, rate) in rates.into_iter().enumerate() {
                let keys = [&who.name(), change.name.as_str(), &format!("seat {}", seat + 1)];
                close(found(&tables, "variants", &keys, "win_rate"), rate, &change.name);
            }
            let undecided =
                closed_form::undecided(&vec![who.success(&rules); players], rules.turns_max);
            let keys = [&who.name(), change.name.as_str(), ""];
            let share = found(&tables, "variants", &keys, "no_winner_share");
            let bounds = share.interval.expect("many blocks");
            assert!(bounds.0 <= undecided && undecided <= bounds.1, "{undecided} {bounds:?}");
        }
    }
}

#[test]
fn the_variance_of_paired_differences_is_that_of_the_coupling() {
    // The dice of both variants win on the same luck wherever both win, which is the whole coupling.
    for (players, other) in [(2, 27), (3, 35), (4, 75)] {
        let change = format!("a={other}");
        let seats = vec![Who::Fixed(Die::A); players];
        let setup = Setup::paired(
            studies::rules::Rules::default().spec(),
            Rules::default(),
            &["", &change],
            &seats,
        );
        let tables = Setup { plan: blocks(20_000), seed: 5, ..setup }.tables();
        let pair = (0.25, f64::from(other) / 100.0);
        let rates = [pair.0, pair.1].map(|p| wins(&vec![p; players], 60));
        for (seat, (&p, &q)) in rates[0].iter().zip(&rates[1]).enumerate() {
            let both = closed_form::both(pair, seat, players, 60);
            let (paired, unpaired) =
                (p + q - 2.0 * both - (q - p) * (q - p), p * (1.0 - p) + q * (1.0 - q));
            let of = format!("seat {}", seat + 1);
            let keys = ["fixed(a)", &change, &of, "win_rate"];
            let row = |metric| found(&tables, "pairing", &keys, metric);
            close(row("variance_paired"), paired, &of);
            close(row("variance_unpaired"), unpaired, &of);
            close(row("saved"), 1.0 - paired / unpaired, &of);
            assert!((row("variance_paired").value / paired - 1.0).abs() < 0.1, "{of}");
        }
    }
}

#[test]
fn a_removed_die_does_what_the_formulas_say() {
    let levels = [Who::Uniform, Who::Shy(70)];
    let setup = Setup::balance(Rules::default(), 3, "die", &levels);
    let setup = Setup { plan: blocks(4000), seed: 3, ..setup };
    let tables = setup.tables();
    for who in levels {
        assert_effects(&setup, &tables, "removed", who, 3);
    }
    // Shy never rolls c or d, so nothing changes without them.
    for die in ["c=0", "d=0"] {
        let keys = ["shy(70)", "removed", die, "seat 1"];
        let effect = found(&tables, "effects", &keys, "win_rate");
        exact(effect, 0.0, die);
        // That no block differs does not prove that none would.
        let (lo, hi) = effect.interval.unwrap();
        assert!(lo < 0.0 && 0.0 < hi && hi < 0.001, "{lo} to {hi}");
    }
}

/// Effects of forced dice where `turns_left` remain for the seat that chooses, then `players` − 1
/// others.
fn assert_forced(tables: &[Table], who: Who, players: usize, turns_left: u16) {
    let rules = Rules::default();
    let success = vec![who.success(&rules); players];
    let rate = |die| closed_form::forced(closed_form::die(&rules, die), &success, turns_left);
    let mean: f64 = Die::ALL.into_iter().map(rate).sum::<f64>() / 4.0;
    let rest = wins(&success, turns_left - 1)[players - 1];
    for (die, name) in Die::ALL.into_iter().zip(["a", "b", "c", "d"]) {
        let level = who.name();
        let row = |metric| found(tables, "choices", &[&level, name], metric);
        close(row("effect"), rate(die) - mean, name);
        close(row("win_rate"), rate(die), name);
        close(row("at_once_share"), closed_form::die(&rules, die), name);
        // Where no die wins at once all of them miss, and the rest is one match on the same luck.
        exact(row("effect_played_on"), 0.0, name);
        close(row("win_rate_played_on"), rest, name);
        let share = match (who, die) {
            (Who::Shy(percent), Die::A) => f64::from(percent) / 100.0,
            (Who::Shy(percent), Die::B) => 1.0 - f64::from(percent) / 100.0,
            (Who::Shy(_), _) => 0.0,
            _ => 0.25,
        };
        close(row("wanted_share"), share, name);
    }
}

#[test]
fn a_forced_die_does_what_the_formulas_say() {
    for (players, who) in [(2, Who::Uniform), (3, Who::Shy(30)), (4, Who::Uniform)] {
        let seats = u8::try_from(players).unwrap();
        let setup = Setup::balance(Rules::default(), seats, "die", &[who]);
        let tables = Setup { plan: blocks(8000), seed: 9, ..setup }.tables();
        assert_forced(&tables, who, players, 60);
        let turns_mean = |p: f64| {
            let rest = turns(&vec![who.success(&Rules::default()); players], 59);
            1.0 + (1.0 - p) * rest
        };
        let row = |metric, name| found(&tables, "choices", &[&who.name(), name], metric);
        close(row("turns_mean", "a"), turns_mean(0.25), "turns");
        exact(row("position_share", ""), 1.0, "every match has a first roll");
        exact(row("absent_share", ""), 0.0, "every match has a first roll");
    }
}

#[test]
fn matches_whose_choice_never_comes_are_counted() {
    let (players, who) = (3, Who::Uniform);
    let setup = Setup::balance(Rules::default(), 3, "late", &[who]);
    let tables = Setup { plan: blocks(8000), seed: 10, ..setup }.tables();
    // The choice comes with the second round, to seat 1.
    assert_forced(&tables, who, players, 57);
    let first_round = (1.0 - who.success(&Rules::default())).powi(3);
    let row = |metric| found(&tables, "choices", &["uniform", ""], metric);
    close(row("position_share"), first_round, "position_share");
    close(row("absent_share"), 1.0 - first_round, "absent_share");
    exact(row("closed_share"), 0.0, "closed_share");
}

/// The win rate of a seat that may roll one die only among others who roll any, mean over seats.
fn restricted_rate(rules: &Rules, who: Who, players: usize, die: Die) -> f64 {
    let of = |seat: usize| {
        let mut success = vec![who.success(rules); players];
        success[seat] = closed_form::die(rules, die);
        wins(&success, rules.turns_max)[seat]
    };
    (0..players).map(of).sum::<f64>() / players as f64
}

#[test]
fn a_seat_with_one_die_only_does_what_the_formulas_say() {
    let rules = Rules::default();
    for (players, levels) in [(2, vec![Who::Uniform]), (3, vec![Who::Shy(30), Who::Uniform])] {
        let seats = u8::try_from(players).unwrap();
        let setup = Setup::balance(rules.clone(), seats, "die", &levels);
        let tables = Setup { plan: blocks(4000), seed: 12, ..setup }.tables();
        for who in levels {
            let rates = Die::ALL.map(|die| restricted_rate(&rules, who, players, die));
            let mean = rates.iter().sum::<f64>() / 4.0;
            for (rate, name) in rates.into_iter().zip(["a", "b", "c", "d"]) {
                let row = |metric| found(&tables, "restricted", &[&who.name(), name], metric);
                close(row("win_rate"), rate, name);
                close(row("effect"), rate - mean, name);
            }
            // Die a is the best and d the worst; who may roll any is not restricted to either.
            let keys = [&who.name(), "restricted", "", "a - d"];
            close(
                found(&tables, "verdicts", &keys, "largest_difference"),
                rates[0] - rates[3],
                "a - d",
            );
        }
    }
}

#[test]
fn what_holds_at_all_levels_has_rows_of_its_own() {
    let levels = [Who::Uniform, Who::Shy(50)];
    let setup = Setup::balance(Rules::of([20, 20, 20, 20]), 2, "die", &levels);
    let setup = Setup { plan: blocks(8000), seed: 13, ..setup };
    let equal = setup.tables();
    let verdict = |tables: &[Table], option: &str| -> String {
        let table = tables.iter().find(|table| table.name == "verdicts").unwrap();
        let wanted = |keys: &[String]| keys[..3] == ["all", "forced", option];
        let row = table.rows.iter().find(|row| wanted(&row.keys)).expect("a row");
        row.finding().map_or(String::new(), Finding::words)
    };
    for option in ["", "a", "b", "c", "d"] {
        assert_eq!(verdict(&equal, option), "balanced within ±1 pp", "{option}");
    }
    let rules = Rules::of([60, 20, 20, 20]);
    let planted = Setup { plan: blocks(1000), rules, ..setup }.tables();
    for option in ["", "a", "d"] {
        assert_eq!(verdict(&planted, option), "unbalanced at all levels", "{option}");
    }
}

#[test]
fn positions_that_lack_an_option_are_left_out_and_counted() {
    let setup = Setup::balance(Rules::of([25, 20, 0, 10]), 2, "die", &[Who::Uniform]);
    let setup = Setup { plan: blocks(100), seed: 11, ..setup };
    let tables = setup.tables();
    exact(found(&tables, "choices", &["uniform", ""], "closed_share"), 1.0, "closed_share");
    // All matches have it, which shows nothing of how it varies.
    let count = found(&tables, "anomalies", &["choice_closed", "0.0"], "count");
    assert_eq!((count.value, count.interval), (100.0, None));
    let choices = tables.iter().find(|table| table.name == "choices").unwrap();
    for name in ["a", "b", "c", "d"] {
        let effect = choices.find(&["uniform", name], "effect").unwrap();
        assert_eq!((effect.estimate, effect.n), (None, 0), "{name}");
    }
}

#[test]
fn a_forced_verdict_is_withheld_where_too_many_positions_are_closed() {
    // Seat 1 may not roll die a, and the late choice comes to it first: all positions are closed. Where only
    // seat 2 is left one die, none is.
    for (only, share) in [([2, 0, 0, 0], 1.0), ([0, 2, 0, 0], 0.0)] {
        let rules = Rules { only, ..Rules::of([60, 20, 20, 20]) };
        let setup = Setup::balance(rules, 2, "die", &[Who::Uniform]);
        let tables = Setup { plan: blocks(1000), seed: 14, ..setup }.tables();
        exact(found(&tables, "choices", &["uniform", ""], "closed_share"), share, "closed_share");
        let verdicts = tables.iter().find(|table| table.name == "verdicts").unwrap();
        let forced = verdicts.rows.iter().find(|row| row.keys[1] == "forced");
        let place = forced.map(Row::place);
        assert_eq!(place, (share < 0.5).then_some(Some(Place::Beyond)), "no position, no effect");
        let restricted = verdicts.rows.iter().find(|row| row.keys[1] == "restricted").unwrap();
        assert_eq!(restricted.place(), Some(Place::Beyond));
    }
}

#[test]
fn factors_and_their_interaction_are_those_of_the_formulas() {
    let factors = [("a", 10, 40), ("b", 5, 30)];
    for players in 2..=4 {
        let who = Who::Shy(50);
        let setup = Setup::factorial(Rules::default(), &factors, &vec![who; players]);
        let setup = Setup { plan: blocks(4000), seed: 4, ..setup };
        let tables = setup.tables();
        let responses: Vec<(Vec<f64>, f64)> = (0..4)
            .map(|run| equals(who.success(&setup.rules_of(run)), players, &setup.rules))
            .collect();
        let contrasts = factorial::design(2).unwrap().contrasts();
        for (contrast, name) in contrasts.iter().zip(["a", "b", "a x b"]) {
            let length: Vec<f64> = responses.iter().map(|(_, turns)| *turns).collect();
            let row =
                |of: &str, metric| found(&tables, "factors", &[&who.name(), name, of], metric);
            close(row("", "turns_mean"), contrast.effect(&length), name);
            for seat in 0..players {
                let rates: Vec<f64> = responses.iter().map(|(rates, _)| rates[seat]).collect();
                let of = format!("seat {}", seat + 1);
                close(row(&of, "win_rate"), contrast.effect(&rates), name);
            }
        }
    }
}

#[test]
fn a_swept_field_moves_what_the_formulas_say() {
    let sweep = Sweep { of: "a".to_owned(), values: vec!["10".into(), "50".into()] };
    let question = sweep.spec();
    let seats = [Who::Fixed(Die::A), Who::Fixed(Die::B)];
    let setup = Setup::paired(question, Rules::default(), &["a=10", "a=30", "a=50"], &seats);
    let tables = Setup { plan: blocks(4000), seed: 6, ..setup.clone() }.tables();
    let level = "fixed(a) / fixed(b)";
    for (variant, change) in setup.variants.iter().enumerate() {
        let rules = setup.rules_of(variant);
        let [a, b] = [Die::A, Die::B].map(|die| closed_form::die(&rules, die));
        let keys = [level, change.name.as_str(), "fixed(a)"];
        close(found(&tables, "variants", &keys, "win_rate"), lone(a, b, 2, 60), &change.name);
        // Either sits first in one of the two rotations.
        let first = f64::midpoint(wins(&[a, b], 60)[0], wins(&[b, a], 60)[0]);
        let keys = [level, change.name.as_str(), "seat 1"];
        close(found(&tables, "variants", &keys, "win_rate"), first, &change.name);
        if variant > 0 {
            let base = lone(0.1, b, 2, 60);
            let keys = [level, "sweep", change.name.as_str(), "fixed(a)"];
            let effect = found(&tables, "effects", &keys, "win_rate");
            close(effect, lone(a, b, 2, 60) - base, &change.name);
        }
    }
}

#[test]
fn a_swept_parameter_belongs_to_one_role() {
    let (values, others) = ([Who::Shy(0), Who::Shy(50), Who::Shy(100)], [Who::Fixed(Die::C); 2]);
    let setup = Setup::parameter(Rules::default(), &values, &others);
    let tables = Setup { plan: blocks(4000), seed: 8, ..setup }.tables();
    // The first role has the name of the first value.
    let (role, level) = ("shy(0)", "shy(0) / fixed(c)");
    let rate = |who: Who| lone(who.success(&Rules::default()), 0.15, 3, 60);
    for who in values {
        let variant = format!("percent={}", who.name());
        let row = |of| found(&tables, "variants", &[level, &variant, of], "win_rate");
        close(row(role), rate(who), &variant);
        // The others share the rest, except for matches without a winner.
        close(row("fixed(c)"), (1.0 - rate(who)) / 2.0, &variant);
        if who.name() != "shy(0)" {
            let keys = [level, "sweep", &variant, role];
            let effect = found(&tables, "effects", &keys, "win_rate");
            close(effect, rate(who) - rate(values[0]), &variant);
        }
    }
}

#[test]
fn the_die_that_matters_comes_first() {
    let changes = ["", "c=20", "b=22", "a=30", "turns_max=61"];
    let seats = [Who::Shy(80); 3];
    let setup = Setup::paired(Sensitivity {}.spec(), Rules::default(), &changes, &seats);
    let tables = Setup { plan: blocks(4000), seed: 2, ..setup.clone() }.tables();
    let table = tables.iter().find(|table| table.name == "sensitivity").unwrap();
    let ranked = table.rows.iter().filter(|row| row.metric == "effect_sd");
    let ranked: Vec<&str> = ranked.map(|row| row.keys[1].as_str()).collect();
    assert_eq!(ranked[..2], ["a=30", "b=22"], "{ranked:?}");
    // Die a moves the length of a match most, by this much.
    let first = &table.rows[1];
    assert_eq!((first.metric, first.keys[2].as_str()), ("effect", "turns_mean"));
    let length = |rules: &Rules| equals(seats[0].success(rules), 3, rules).1;
    let truth = length(&setup.rules_of(3)) - length(&setup.rules_of(0));
    close(first.estimate.unwrap(), truth, "a=30");
    // Nobody ever rolls c: whatever it is, nothing moves.
    let idle = table.rows.iter().find(|row| row.keys[1] == "c=20").unwrap();
    exact(idle.estimate.unwrap(), 0.0, "c=20");
    assert_eq!(idle.adjusted(), "1.0000");
}
