//! What a command proposes when something is missing, open, or would take hours: commands that can be pasted as they are.

use crate::support::{Guard, Place};
use std::io::{BufRead, BufReader};

/// The commands of a text, without the program's name.
fn proposed(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("  fairhaven "));
    lines.map(str::to_owned).collect()
}

/// Games without a choice have fields; the others have both.
#[test]
fn balance_without_a_choice_proposes_what_the_game_has() {
    let place = Place::new();
    for (line, choice) in [
        ("balance base --levels random", None),
        ("balance base --choice metropolis --levels random", None),
        ("balance two-player --choice=metropolis --levels random", None),
        ("balance boats --set helpers=chosen --levels random", Some("--choice helper")),
        ("balance struggle --levels random", Some("--choice expansion")),
        ("balance on-the-road --set side=b --levels builder", Some("--choice metropolis")),
    ] {
        place.refused(line, &["--factor", "two values each"]);
        let said = place.call(line).err;
        let commands = proposed(&said);
        assert_eq!(commands.len(), 1 + usize::from(choice.is_some()), "{said}");
        assert!(choice.is_none_or(|choice| commands[0].contains(choice)), "{said}");
        let factor = commands.last().expect("a proposal");
        assert!(
            factor.contains("--factor points_to_win=") && !factor.contains("--choice"),
            "{said}"
        );
        for command in &commands {
            let done = place.call(&format!("{command} --set turns_max=8 --blocks 2 --quiet"));
            assert_eq!(done.code, Some(0), "{command}\n{}", done.err);
        }
    }
}

/// Before the first match, whatever the study.
#[test]
fn matches_of_searches_that_take_hours_are_said_to() {
    let place = Place::new();
    for (line, shorter) in [
        ("simulate base --agents mcts", "simulate base --agents mcts --matches 30"),
        (
            "simulate two-player --agents mcts:iterations=50,heuristic --matches 1m",
            "simulate two-player --agents mcts:iterations=50,heuristic --matches 2.4k",
        ),
        (
            "balance on-the-road --choice metropolis --set side=b --levels mcts",
            "balance on-the-road --choice metropolis --set side=b --levels mcts --blocks 1",
        ),
        (
            "sweep struggle --field points_to_win --values 8,10 --agents mcts:iterations=100",
            "sweep struggle --field points_to_win --values 8,10 --agents mcts:iterations=100 --blocks 150",
        ),
    ] {
        let mut playing = Guard(place.start(line));
        let mut said = BufReader::new(playing.0.stderr.take().expect("standard error")).lines();
        let mut next = || said.next().expect("a line").expect("UTF-8");
        let (first, second) = (next(), next());
        assert!(first.contains("searches at each decision") && first.contains("hours"), "{first}");
        assert_eq!(proposed(&second), [shorter], "{line}");
    }
    // Who searches little, or not at all, hears nothing.
    for line in ["base --agents mcts:iterations=2 --matches 4", "on-the-road --matches 4k"] {
        place.done(&format!("simulate {line}"));
    }
}

#[test]
fn an_open_solve_proposes_a_longer_certificate() {
    let place = Place::new();
    let line = "solve on-the-road --set side=b --choice metropolis --fields metropolis.roads.extra.brick=0..1 \
                --agent builder --blocks 4 --target 0.5pp --certify 20";
    let done = place.call(&format!("{line} --out out"));
    assert_eq!(done.code, Some(1), "{}", done.err);
    let text = done.out.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(
        text.contains("no change of this grid is shown to bring metropolis below 0.5 pp"),
        "{text}"
    );
    let words = line.split_whitespace().collect::<Vec<&str>>().join(" ");
    let longer = words.replace("--certify 20", "--certify 80");
    assert_eq!(proposed(&done.out), std::slice::from_ref(&longer), "{}", done.out);
    let longer = place.call(&longer);
    assert!(longer.out.contains("--certify 320"), "{}{}", longer.out, longer.err);
}
