//! Runs on the dice race: tables of plain matches, duels and what they stop by, threads and parts.

use crate::closed_form::{even_difference, lone, lone_difference, turns, uniform, wins};
use crate::setup::{Setup, Who, blocks, close, found};
use crate::toy::{DiceRace, Die, Rules, race};
use fairhaven::core::measure::Names;
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::question::Question;
use fairhaven::lab::questions::studies::sensitivity::Sensitivity;
use fairhaven::lab::report::comparison::{DuelFinding, Finding};
use fairhaven::lab::report::format::percentage_points;
use fairhaven::lab::report::simulated;
use fairhaven::lab::report::table::Table;
use fairhaven::lab::report::tables::Source;
use fairhaven::sim::batch::{self, Chunking, Flow, MergedPiece, Outside, Totals};
use fairhaven::sim::choices::Pad;
use fairhaven::sim::experiment::Experiment;
use fairhaven::sim::simulation::{Simulation, layout, rotations};
use rayon::ThreadPoolBuilder;
use std::sync::Arc;

/// The tables of `simulate`.
fn simulated(rules: &Rules, agents: &[Who], seats: &[usize], plan: Chunking) -> Vec<Table> {
    let players = u8::try_from(seats.len()).expect("few seats");
    let game = race(rules.clone(), players);
    let sit = |_: &DiceRace, _: &Pad| agents.iter().map(|who| who.player()).collect();
    let simulation = Simulation {
        game: &game,
        seed: 77,
        rotations: rotations(seats),
        layout: layout(&game, agents.len()),
        agents: Box::new(sit),
        write: None,
        watch: &Watch::none(),
    };
    let mut totals = Totals::new(simulation.width(), simulation.anomalies(), 0);
    let mut after = |_: &Totals, _: &MergedPiece<'_>| Ok(Flow::On);
    batch::run(
        &simulation,
        &plan,
        &mut totals,
        plan.chunks(),
        Outside::new(&Watch::none(), &mut after),
    )
    .expect("no file");
    let names: Vec<String> = agents.iter().map(|who| who.name()).collect();
    simulated::all(Source {
        names: Names::of::<DiceRace>(),
        grouped: &totals.grouped,
        layout: &simulation.layout,
        agents: &names,
        players,
        firsts: &totals.firsts,
    })
}

#[test]
fn win_rates_by_seat_of_plain_matches_are_those_of_the_formulas() {
    for players in 2..=4 {
        let rules = Rules::default();
        let tables = simulated(&rules, &[Who::Uniform], &vec![0; players], blocks(20_000));
        let success = vec![uniform(&rules); players];
        for (seat, rate) in wins(&success, 60).into_iter().enumerate() {
            let keys = [&(seat + 1).to_string(), "uniform"];
            close(found(&tables, "seats", &keys, "win_rate"), rate, "win_rate");
            let even = 1.0 / players as f64;
            close(found(&tables, "seats", &keys, "advantage"), rate - even, "advantage");
        }
        // Each turn has one decision.
        let per_match = found(&tables, "decisions", &["roll"], "per_match");
        close(per_match, turns(&success, 60), "per_match");
        let first = found(&tables, "length", &["turns", "1"], "share");
        close(first, success[0], "matches of one turn");
        let third = found(&tables, "tension", &["3"], "alive_share");
        close(third, (1.0 - success[0]).powi(2), "matches that see the third turn");
    }
}

#[test]
fn a_line_up_takes_its_seats_in_turn() {
    let rules = Rules::default();
    let agents = [Who::Fixed(Die::A), Who::Fixed(Die::D)];
    let tables = simulated(&rules, &agents, &[0, 1, 1], blocks(10_000));
    let alone = found(&tables, "agents", &["fixed(a)"], "win_rate");
    close(alone, lone(0.25, 0.1, 3, 60), "the lone one");
    let second = found(&tables, "seats", &["2", "fixed(a)"], "win_rate");
    close(second, wins(&[0.1, 0.25, 0.1], 60)[1], "the lone one in seat 2");
}

#[test]
fn a_duel_finds_the_difference_and_accepts_what_is_nearer() {
    let rules = Rules::default();
    let [bold, shy] = [Who::Shy(80), Who::Shy(20)];
    let [strong, weak] = [bold, shy].map(|who| who.success(&rules));
    for players in 2..=4 {
        let seats = usize::from(players);
        let even = even_difference(strong, weak, seats, 60);
        let alone = lone_difference(strong, weak, seats, 60);
        // At small tables these are the same line-ups, and wins of the lone one are losses of the others but
        // for the one match in a million that nobody wins.
        assert_eq!((even - alone).abs() < 1e-6, players < 4, "{even} {alone}");
        let setup = |agents| Setup::duel(rules.clone(), players, agents, even);
        for (setup, truth) in [
            (setup([bold, shy]), even),
            (setup([shy, bold]), -even),
            (setup([bold, shy]).lone(), alone),
        ] {
            let setup = Setup { seed: 30, ..setup };
            let totals = setup.chunks(0..setup.plan.chunks(), &Watch::none());
            let (tables, stopped) = setup.read(&totals);
            let stopped = stopped.expect("a decision");
            let planted = percentage_points(even);
            let accepts = if truth > 0.0 {
                format!("the test accepts a difference of {planted} against 0 pp")
            } else {
                format!("the test accepts a difference of 0 pp against {planted}")
            };
            assert!(stopped.contains(&accepts), "{stopped}");
            assert!(totals.blocks() < setup.plan.blocks);
            let row = found(&tables, "compare", &["A - B"], "win_difference");
            close(row, truth, "difference");
            let (lo, hi) = row.interval.unwrap();
            assert!(lo <= truth && truth <= hi, "{lo} to {hi} without {truth}");
            // That B is stronger is no hypothesis of the test: the interval has to say so.
            let verdict = match truth > 0.0 {
                true => "A is stronger".to_owned(),
                false if hi < 0.0 => "B is stronger".to_owned(),
                false => format!("A is not stronger by {planted} or more"),
            };
            assert!(stopped.starts_with(&verdict), "{stopped}");
        }
    }
}

#[test]
fn a_lone_agent_has_its_own_row() {
    let rules = Rules::default();
    let [bold, shy] = [Who::Shy(80), Who::Shy(20)];
    let [strong, weak] = [bold, shy].map(|who| who.success(&rules));
    for players in 3..=4 {
        let setup = Setup::duel(rules.clone(), players, [bold, shy], 0.05).lone();
        let setup = Setup { plan: blocks(2000), ..setup };
        let tables = setup.tables();
        for (agent, rate) in [
            ("A", lone(strong, weak, usize::from(players), 60)),
            ("B", lone(weak, strong, usize::from(players), 60)),
        ] {
            close(found(&tables, "compare", &[agent], "win_rate_alone"), rate, "alone");
        }
    }
    // Two against two, nobody is alone.
    let even = Setup { plan: blocks(10), ..Setup::duel(rules, 4, [bold, shy], 0.05) }.tables();
    assert!(even[0].find(&["A"], "win_rate_alone").is_none());
}

#[test]
fn a_match_of_two_is_played_once_each_way() {
    for setup in [|setup: Setup| setup, Setup::lone] {
        let agents = [Who::Uniform, Who::Mirror];
        let setup = setup(Setup::duel(Rules::default(), 2, agents, 0.05));
        let setup = Setup { plan: blocks(500), ..setup };
        let totals = setup.chunks(0..setup.plan.chunks(), &Watch::none());
        let (tables, _) = setup.read(&totals);
        let difference = tables[0].find(&["A - B"], "win_difference").expect("a row");
        assert_eq!((difference.blocks, difference.n), (totals.blocks(), 2 * totals.blocks()));
        // Both matches of a block have their own agents in the seats: blocks are not all 0, 1 or -1 twice.
        let [a, b] = ["A", "B"].map(|agent| found(&tables, "compare", &[agent], "win_share").value);
        assert!((a + b - 1.0).abs() < 0.01, "{a} {b}");
    }
}

#[test]
fn a_duel_until_a_width_says_by_how_much() {
    let rules = Rules::default();
    let [bold, shy] = [Who::Shy(80), Who::Shy(20)];
    let truth = even_difference(bold.success(&rules), shy.success(&rules), 4, 60);
    let setup = Setup::duel(rules, 4, [bold, shy], 0.02).until(0.03);
    let totals = setup.chunks(0..setup.plan.chunks(), &Watch::none());
    let (tables, stopped) = setup.read(&totals);
    assert_eq!(stopped.as_deref(), Some("the interval of the difference is within ±3 pp"));
    let row = tables[0].find(&["A - B"], "win_difference").expect("a row");
    let (lo, hi) = row.estimate.expect("many blocks").interval.expect("a sequence");
    assert!(lo <= truth && truth <= hi && (0.05..=0.06).contains(&(hi - lo)), "{lo} to {hi}");
    assert_eq!(row.finding(), Some(&Finding::Duel(DuelFinding::AStronger(0.0))));
}

#[test]
fn an_agent_never_differs_from_itself() {
    for players in 2..=4 {
        let setup = Setup::duel(Rules::default(), players, [Who::Uniform, Who::Uniform], 0.05);
        for seed in 0..20 {
            let setup = Setup { seed, ..setup.clone() };
            let totals = setup.chunks(0..setup.plan.chunks(), &Watch::none());
            let (tables, stopped) = setup.read(&totals);
            let why = stopped.expect("a decision");
            assert!(why.contains("the same agent"), "{why}");
            let row = |metric| found(&tables, "compare", &["A - B"], metric);
            for metric in ["win_difference", "score_variance"] {
                assert!(row(metric).value.abs() < 1e-300, "{metric}");
            }
            assert!(row("score_variance_unpaired").value > 0.1);
        }
    }
}

#[test]
fn equal_agents_are_seldom_found_different() {
    // At 5 % a run; 12 or more of 100 would come once in 250.
    let found_different = (0..100).filter(|&seed| {
        let agents = [Who::Uniform, Who::Mirror];
        let setup = Setup { seed, ..Setup::duel(Rules::default(), 4, agents, 0.08) };
        let totals = setup.chunks(0..setup.plan.chunks(), &Watch::none());
        let stopped = setup.read(&totals).1.expect("a verdict");
        !stopped.contains("accepts a difference of 0 pp")
    });
    let count = found_different.count();
    assert!(count < 12, "{count} of 100");
}

#[test]
fn a_watched_run_stops_when_its_intervals_are_narrow_and_not_before() {
    let balance = Setup::balance(Rules::default(), 2, "die", &[Who::Uniform]).until(0.02);
    let factorial = Setup::factorial(Rules::default(), &[("a", 20, 40)], &[Who::Uniform; 2]);
    for setup in [balance, factorial.until(0.03)] {
        let totals = setup.chunks(0..setup.plan.chunks(), &Watch::none());
        assert!((256..100_000).contains(&totals.blocks()), "{}", totals.blocks());
        assert!(setup.read(&totals).1.unwrap().starts_with("every interval is within ±"));
        let before = setup.chunks(0..totals.chunks.end - 1, &Watch::none());
        assert_eq!(setup.read(&before).1, None);
        let (tables, _) = setup.read(&totals);
        let asked = setup.question.kind == "balance";
        let (table, width) = if asked { ("choices", 0.02) } else { ("factors", 0.03) };
        let table = tables.iter().find(|known| known.name == table).unwrap();
        let metric = if asked { "effect" } else { "win_rate" };
        for row in table.rows.iter().filter(|row| row.metric == metric) {
            let (lo, hi) = row.estimate.unwrap().interval.unwrap();
            assert!((hi - lo) / 2.0 <= width, "{lo} to {hi}");
            let p_value = row.comparison().and_then(|said| said.p_value);
            assert_eq!(p_value, None, "a watched run has no p-value");
        }
    }
}

fn pool(threads: usize) -> Watch {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Watch::none().with_pool(Arc::new(pool.expect("a few threads")))
}

fn bytes(tables: &[Table]) -> Vec<u8> {
    let mut out = Vec::new();
    for table in tables {
        table.write_csv(&mut out).expect("memory");
    }
    out
}

#[test]
fn threads_and_parts_change_no_byte() {
    let rules = Rules::default();
    let setups = [
        Setup::duel(rules.clone(), 3, [Who::Uniform, Who::Mirror], 0.05),
        Setup::paired(Sensitivity {}.spec(), rules.clone(), &["", "a=30"], &[Who::Uniform; 3]),
        Setup::parameter(rules.clone(), &[Who::Shy(0), Who::Shy(9)], &[Who::Uniform; 2]),
        Setup::balance(rules.clone(), 4, "late", &[Who::Uniform, Who::Shy(40)]),
        Setup::balance(rules.clone(), 2, "die", &[Who::Uniform]).until(0.05),
        Setup::factorial(rules, &[("a", 10, 40), ("b", 5, 30)], &[Who::Uniform; 2]),
    ];
    let (one, three) = (pool(1), pool(3));
    for setup in setups {
        let all = 0..setup.plan.chunks();
        let totals = setup.chunks(all.clone(), &one);
        assert_eq!(setup.chunks(all.clone(), &three), totals, "{:?}", setup.question);
        let mut plain = totals.grouped.clone();
        setup.alone(|study, totals| {
            plain.clone_from(&totals.grouped);
            study.stop(totals).map_or(Flow::On, |_| Flow::Stop)
        });
        assert_eq!(plain, totals.grouped, "{:?}", setup.question);
        let (tables, stopped) = setup.read(&totals);
        if stopped.is_none() {
            let cuts = [0, all.end / 3, all.end / 2, all.end];
            let parts = cuts.windows(2).map(|cut| setup.chunks(cut[0]..cut[1], &three));
            let merged = parts.reduce(|mut merged, part| {
                merged.append(&part);
                merged
            });
            let merged = merged.unwrap();
            assert_eq!(merged, totals, "{:?}", setup.question);
            assert_eq!(bytes(&setup.read(&merged).0), bytes(&tables));
        }
    }
}
