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
            &["\nWin rate (95 %)\n seat 1", "\nTurns of a match, share of matches\n"][..],
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
