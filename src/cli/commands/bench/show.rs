//! The figures as tables for the terminal.

use crate::cli::commands::bench::measure::Figure;
use crate::cli::commands::bench::{Comparison, Measured, ROUNDS, Report};
use crate::cli::commands::choose;
use crate::lab::report::summary::{Grid, Style};
use std::fmt::Write as _;

/// Noise that is worth mentioning.
const RESTLESS: f64 = 0.2;

/// What is printed.
pub fn text(report: &Report, comparison: Option<&Comparison>) -> String {
    let setting = &report.setting;
    let mut text = format!(
        "{}, {} players, seed {}, {}: {ROUNDS} rounds, {} s an agent and number of threads. \
         Figures are medians over the rounds (least to most).\n",
        setting.game, setting.players, setting.seed, report.processor, report.seconds,
    );
    text.push_str(&choose::unofficial_line(report.unofficial));
    if cfg!(debug_assertions) {
        text.push_str("This program was built with debug assertions: it is slow on purpose.\n");
    }
    let failures: u64 = report.agents.iter().map(|agent| agent.one.counts().failures).sum();
    if failures > 0 {
        let _ = writeln!(text, "Agents broke off {failures} matches of a round; see `simulate`.");
    }
    let mut grids = vec![one_thread(report), bare(report), played(report), all_threads(report)];
    if report.agents.iter().any(|agent| agent.search_share().is_some()) {
        grids.push(searches(report));
    }
    for grid in grids {
        text.push('\n');
        text.push_str(&grid.render(Style::Text));
    }
    if let Some(comparison) = comparison {
        text.push('\n');
        text.push_str(&compared(report, comparison));
    }
    text
}

fn grid(title: &str, header: &[&str], rows: Vec<Vec<String>>) -> Grid {
    let header = header.iter().map(|&word| word.to_owned()).collect();
    Grid { title: title.to_owned(), header, rows }
}

fn one_thread(report: &Report) -> Grid {
    let row = |agent: &Measured| {
        vec![
            agent.name.clone(),
            figure(agent.one.rate(|counts| counts.matches)),
            figure(agent.one.rate(|counts| counts.decisions)),
            figure(agent.one.cost_ns(|counts| counts.decisions)),
        ]
    };
    let header = ["agent", "matches/s", "decisions/s", "ns a decision"];
    grid("One thread, statistics included", &header, report.agents.iter().map(row).collect())
}

fn bare(report: &Report) -> Grid {
    let row = |agent: &Measured| {
        vec![
            agent.name.clone(),
            figure(agent.bare.rate(|counts| counts.matches)),
            figure(agent.bare.rate(|counts| counts.decisions)),
            figure(agent.bare.cost_ns(|counts| counts.decisions)),
            figure(agent.statistics_share()),
        ]
    };
    let header = ["agent", "matches/s", "decisions/s", "ns a decision", "share of statistics"];
    let title = "One thread, the same matches with nothing counted";
    grid(title, &header, report.agents.iter().map(row).collect())
}

fn played(report: &Report) -> Grid {
    let row = |agent: &Measured| {
        let counts = agent.one.counts();
        let decisions = counts.decisions as f64;
        vec![
            agent.name.clone(),
            counts.matches.to_string(),
            format!("{:.1}", decisions / counts.matches as f64),
            format!("{:.1} %", 100.0 * counts.forced as f64 / decisions),
            format!("{:.2}", counts.listed as f64 / decisions),
        ]
    };
    let header = ["agent", "matches", "decisions a match", "forced", "listed a decision"];
    grid("What a round on one thread plays", &header, report.agents.iter().map(row).collect())
}

fn all_threads(report: &Report) -> Grid {
    let row = |agent: &Measured| {
        let all = &agent.all;
        vec![
            agent.name.clone(),
            all.counts().matches.to_string(),
            figure(all.rate(|counts| counts.matches)),
            figure(agent.against_one_thread()),
        ]
    };
    let title = match report.threads {
        1 => "All threads: 1".to_owned(),
        threads => format!("{threads} threads, statistics included"),
    };
    let header = ["agent", "matches a round", "matches/s", "against one thread"];
    grid(&title, &header, report.agents.iter().map(row).collect())
}

fn searches(report: &Report) -> Grid {
    let row = |agent: &Measured| {
        let share = agent.search_share()?;
        Some(vec![
            agent.name.clone(),
            figure(agent.one.rate(|counts| counts.iterations)),
            figure(Figure::of(agent.rollouts_per_s.iter().copied())),
            figure(share),
        ])
    };
    let title =
        "Searches on one thread, against raw rollouts from the positions they thought about";
    let header = ["agent", "iterations/s", "raw rollouts/s", "share"];
    grid(title, &header, report.agents.iter().filter_map(row).collect())
}

fn compared(report: &Report, comparison: &Comparison) -> String {
    let mut rows = Vec::new();
    for (agent, then) in report.agents.iter().zip(&comparison.agents) {
        let verdict = then.verdict;
        rows.push(vec![
            agent.name.clone(),
            figure(then.kept.matches_per_s),
            figure(agent.one.rate(|counts| counts.matches)),
            format!("{:.3}", verdict.ratio),
            format!("{:.1} %", 100.0 * verdict.noise),
            if verdict.is_slower { "SLOWER" } else { "ok" }.to_owned(),
            if then.same_matches { "same" } else { "other" }.to_owned(),
        ]);
    }
    let title = format!("Against baseline {}, matches/s on one thread", comparison.name);
    let header = ["agent", "then", "now", "ratio", "noise", "verdict", "matches"];
    let mut text = grid(&title, &header, rows).render(Style::Text);
    text.push_str(
        "\nSlower: ratio < 1 - noise, where noise is the larger of the two spreads \
         (most - least) / median over the rounds.\n",
    );
    if comparison.agents.iter().any(|then| then.verdict.noise > RESTLESS) {
        let _ = writeln!(
            text,
            "Noise above {:.0} % hides a loss of that size: measure longer, or with less else to do.",
            100.0 * RESTLESS,
        );
    }
    if comparison.agents.iter().any(|then| !then.same_matches) {
        text.push_str("Matches \"other\": rules or agent choose differently than they did then.\n");
    }
    if comparison.processor != report.processor {
        let then = &comparison.processor;
        let _ = writeln!(text, "The baseline was measured on another processor: {then}.");
    }
    text
}

fn figure(figure: Figure) -> String {
    let Figure { median, min, max } = figure;
    let decimals = match median {
        _ if median >= 100.0 => 0,
        _ if median >= 10.0 => 1,
        _ => 2,
    };
    format!("{median:.decimals$} ({min:.decimals$} to {max:.decimals$})")
}
