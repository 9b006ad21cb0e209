//! What `explain` finds, as text for people.

use crate::cli::terminal;
use crate::lab::read::again::MatchId;
use crate::lab::read::mistakes::{Found, Mistake, Sizes, Total};
use crate::lab::report::figures::{fixed, grouped};
use crate::lab::report::summary::{Grid, Style};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::explain::PlayedMatch;
use crate::sim::explain::answer::{Considered, Cost, Decided, Explained};
use crate::sim::explain::features::{Difference, Part};
use crate::stats::replicates::Mean;
use crate::words::lines::wrapped;
use std::fmt::Write as _;

/// A match, opened.
pub struct Opened {
    pub game: String,
    /// Which match of the run it is; none of a record.
    pub id: Option<MatchId>,
    /// The agents by seat.
    pub agents: Vec<String>,
    /// Those of a run with their parameters.
    pub specs: Option<Vec<AgentSpec>>,
    /// Its decisions.
    pub played: Box<dyn PlayedMatch>,
}

/// The decisions of a match.
pub fn list(opened: &Opened, decisions: &[Decided]) -> String {
    let row = |decided: &Decided| {
        vec![
            decided.decision.to_string(),
            decided.turn.to_string(),
            decided.seat.to_string(),
            opened.agents[decided.seat.idx()].clone(),
            decided.legal.to_string(),
            decided.phase.clone(),
            decided.action.clone(),
        ]
    };
    let header = ["decision", "turn", "seat", "agent", "legal", "phase", "done"];
    let title = format!("{}, {} decisions", heading(opened), grouped(decisions.len() as u64));
    grid(title, &header, decisions.iter().map(row).collect())
}

fn heading(opened: &Opened) -> String {
    match opened.id {
        Some(id) => format!("{}, match {id}", opened.game),
        None => format!("{}, a recorded match", opened.game),
    }
}

fn grid(title: String, header: &[&str], rows: Vec<Vec<String>>) -> String {
    let header = header.iter().map(|&word| word.to_owned()).collect();
    Grid { title, header, rows }.within(Style::Text, terminal::table())
}

/// What an agent thinks of a decision.
pub fn why(opened: &Opened, agent: &AgentSpec, searches: u32, why: &Explained) -> String {
    let Decided { decision, turn, seat, phase, action, .. } = &why.decided;
    let sat = &opened.agents[seat.idx()];
    let mut text = format!("{}, decision {decision} (turn {turn}, {phase})\n", heading(opened));
    let boards = opened.played.boards(*decision);
    if !boards.is_empty() {
        text.push('\n');
    }
    for board in boards {
        for line in board.lines() {
            let indent = if line.is_empty() { "" } else { "    " };
            let _ = writeln!(text, "{indent}{line}");
        }
        text.push('\n');
    }
    text.push_str(&line(&format!("Seat {seat} ({sat}) did: {action}")));
    let best = &why.actions[0];
    let asked = if agent.is_searching() { format!("{searches} searches") } else { "once".into() };
    text.push_str(&line(&format!("{}, asked {asked}, would do: {}", agent.name, best.action)));
    text.push('\n');
    let header = ["action", "win probability (95 %)", "visits", "prior", "chosen", "done"];
    let rows = why.actions.iter().map(|of| considered(of, agent.is_searching())).collect();
    text.push_str(&table(&header, rows));
    if !agent.is_searching() {
        text.push_str(&line(
            "A planner rates actions against each other: its best one counts as an even share.",
        ));
    }
    if why.others > 0 {
        let is = if why.others == 1 { "action is" } else { "actions are" };
        let _ = writeln!(text, "{} other legal {is} not tried.", grouped(why.others as u64));
    }
    if let Some(cost) = &why.cost {
        let _ = write!(text, "\n{}", cost_line(action, cost));
    }
    if let Some(difference) = &why.difference {
        let _ = write!(text, "\n{}", made_of(difference));
    }
    text
}

fn table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let header = header.iter().map(|&word| word.to_owned()).collect();
    Grid { title: String::new(), header, rows }.body(Style::Text, terminal::table()) + "\n"
}

fn considered(of: &Considered, searches: bool) -> Vec<String> {
    vec![
        of.action.clone(),
        of.chance.as_ref().map_or("–".to_owned(), percent),
        of.visits.map_or(String::new(), |visits| fixed(visits, 1)),
        of.prior.map_or(String::new(), |prior| format!("{} %", fixed(prior * 100.0, 1))),
        if searches { of.chosen.to_string() } else { String::new() },
        if of.done { "done".to_owned() } else { String::new() },
    ]
}

fn percent(mean: &Mean) -> String {
    format!("{} %{}", fixed(mean.value * 100.0, 1), ends(mean))
}

fn points(mean: &Mean) -> String {
    format!("{} pp{}", fixed(mean.value * 100.0, 1), ends(mean))
}

fn ends(mean: &Mean) -> String {
    mean.interval.map_or(String::new(), |(low, high)| {
        format!(" ({} to {})", fixed(low * 100.0, 1), fixed(high * 100.0, 1))
    })
}

fn cost_line(done: &str, cost: &Cost) -> String {
    let again = format!(
        "Each searched alone, again: {} {}; {} {}.",
        cost.better,
        percent(&cost.better_chance),
        done,
        percent(&cost.done_chance)
    );
    line(&again) + &line(&format!("What was done costs {}.", points(&cost.cost)))
}

/// A sentence on lines that fit the screen.
fn line(text: &str) -> String {
    wrapped(text, usize::from(terminal::text()))
}

fn made_of(difference: &Difference) -> String {
    let [a, b] = &difference.actions;
    let value = |part: &Part, at: usize| part.values.map_or(String::new(), |of| fixed(of[at], 2));
    let row = |part: &Part| {
        vec![part.feature.clone(), value(part, 0), value(part, 1), fixed(part.adds, 3)]
    };
    let mut rows: Vec<Vec<String>> = difference.parts.iter().map(row).collect();
    rows.push(vec!["all".into(), String::new(), String::new(), fixed(difference.total, 3)]);
    let header = ["feature", "after A", "after B", "log-odds of A over B"];
    let what = line(&format!("What makes the difference to its planner: A is {a}, B is {b}."));
    format!("{what}\n{}", table(&header, rows))
}

/// The mistakes of some matches.
pub fn mistakes(
    (judge, strength): (&str, &str),
    searches: u32,
    matches: u64,
    found: &Found,
    top: usize,
) -> String {
    let judged: u64 = found.totals.iter().map(|total| total.decisions).sum();
    let in_matches = if matches == 1 { "a match".to_owned() } else { format!("{matches} matches") };
    let mut text = line(&format!(
        "{} decisions of {in_matches}, judged by {judge}, {searches} searches to choose and {searches} to compare",
        grouped(judged)
    ));
    text.push('\n');
    let row = |total: &Total| {
        let Sizes { below_1pp, from_1pp_to_5pp, from_5pp } = total.by_size;
        vec![
            total.seat.map_or(String::new(), |seat| format!("seat {seat}, ")) + &total.agent,
            total.decisions.to_string(),
            total.others.to_string(),
            total.mistakes.to_string(),
            total.mistaken.as_ref().map_or(String::new(), percent),
            format!("{below_1pp}, {from_1pp_to_5pp}, {from_5pp}"),
            total.cost.as_ref().map_or(String::new(), points),
        ]
    };
    let header = [
        "who",
        "decisions",
        "others",
        "mistakes",
        "share (95 %)",
        "to 1, to 5, above 5 pp",
        "cost a match (95 %)",
    ];
    text.push_str(&table(&header, found.totals.iter().map(row).collect()));
    let noise = match (matches, found.blocks) {
        (1, _) => "One match: the intervals hold the noise of the searches alone.\n".to_owned(),
        (_, 1) => "One block of matches: there is no interval over blocks.\n".to_owned(),
        (_, blocks) => format!("Intervals are those over {blocks} blocks of matches.\n"),
    };
    text.push_str(&noise);
    if found.totals.iter().any(|total| total.cost.as_ref().is_some_and(|cost| cost.value < 0.0)) {
        text.push_str(&line(
            "A cost below 0: looked at again, what was done was worth more to the judge than its own choice.",
        ));
    }
    // A command to copy stays on one line.
    let is_command = strength.contains("fairhaven ");
    text.push_str(&if is_command { strength.to_owned() } else { line(strength) });
    if found.mistakes.is_empty() {
        text.push_str("\nNo decision costs more than chance may explain.\n");
        return text;
    }
    let row = |mistake: &Mistake| {
        let Mistake { of, agent, decided, cost } = mistake;
        let place = of.as_ref().map_or(String::new(), |of| format!("{of} "));
        vec![
            format!("{place}{}", decided.decision),
            format!("{} {agent}", decided.seat),
            points(&cost.cost),
            decided.action.clone(),
            cost.better.clone(),
        ]
    };
    let shown = found.mistakes.iter().take(top).map(row).collect();
    let header = ["decision", "seat", "cost (95 %)", "done", "better"];
    let _ = write!(text, "\n{}", table(&header, shown));
    let hidden = found.mistakes.len().saturating_sub(top);
    if hidden > 0 {
        let _ = writeln!(text, "{hidden} cheaper ones are left out; --top shows more.");
    }
    text
}
