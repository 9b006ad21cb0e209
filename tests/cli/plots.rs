//! Plots are for wide terminals, and nobody else: a pseudo-terminal of `script` (util-linux) shows both.

use crate::support::{PROGRAM, Place};
use std::process::Command;

/// What the program prints on a terminal of so many columns.
fn on_a_terminal(place: &Place, columns: u16, line: &str) -> String {
    // Progress has bars of its own, on standard error.
    let command = format!("stty cols {columns} rows 40; exec {PROGRAM} 2>/dev/null {line}");
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(place.root())
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .output()
        .expect("`script` can be called");
    let said = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    assert!(output.status.success(), "{said}");
    said
}

/// Whether anything of a plot is to be seen.
fn has_plot(said: &str) -> bool {
    said.contains(['█', '●', '├'])
}

#[test]
fn plots_are_for_wide_terminals_only() {
    let place = Place::new();
    for (line, titles) in [
        (
            "simulate on-the-road --agents builder --matches 400 --threads 1",
            &[
                "\nWin rate (95 %)\n seat 1",
                "\nTurns of single players in a match, share of matches\n",
            ][..],
        ),
        (
            "sweep on-the-road --field points_to_win --values 5..7 --agents builder --blocks 200 --threads 1",
            &["\nWin rate of "],
        ),
    ] {
        let wide = on_a_terminal(&place, 120, line);
        for title in titles {
            assert!(wide.contains(title), "{title}\n{wide}");
        }
        assert!(has_plot(&wide), "{wide}");
        assert!(!has_plot(&on_a_terminal(&place, 99, line)), "{line}");
        assert!(!has_plot(&on_a_terminal(&place, 120, &format!("{line} | cat"))), "{line}");
        assert!(!has_plot(&place.call(line).out), "{line}");
    }
}

/// Lines of what is printed on a terminal, without colours.
fn lines_of(said: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut letters = said.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => drop(letters.by_ref().find(char::is_ascii_alphabetic)),
            letter => plain.push(letter),
        }
    }
    plain.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Text fills 120 columns where there are, and tables and text fit 60 without a word that is cut.
#[test]
fn answers_keep_to_the_terminal() {
    let place = Place::new();
    place.done(
        "sweep base --field points_to_win --values 3,4 --agents greedy --blocks 20 --quiet --out out",
    );
    let whole = place.done("analyze out");
    let words: std::collections::BTreeSet<&str> = whole.split_whitespace().collect();
    let widest = |columns: u16, line: &str| {
        let said = on_a_terminal(&place, columns, line);
        // Commands to be copied are on one line, however long.
        let lines = lines_of(&said).into_iter().filter(|line| !line.contains("fairhaven "));
        lines.map(|line| line.chars().count()).max().expect("lines")
    };
    for columns in [60, 80, 120] {
        let line = "analyze out";
        assert!(widest(columns, line) <= columns.into(), "{columns}");
        let said = lines_of(&on_a_terminal(&place, columns, line)).join("\n");
        let before_plots = said.split("\nWin rate of").next().expect("the answer");
        for word in before_plots.split_whitespace() {
            assert!(
                words.contains(word.trim_end_matches(':')) || words.contains(word),
                "{columns}: `{word}`\n{said}"
            );
        }
        assert!(widest(columns, "analyze out --full") <= columns.into(), "{columns}");
    }
    assert!(widest(120, "analyze out") > 80, "sentences use the room");
    assert!(widest(200, "simulate --help") <= 120 && widest(60, "simulate --help") <= 60);
}
