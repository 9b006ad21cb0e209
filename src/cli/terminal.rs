//! How wide the terminal is: the one place that decides how many columns text, tables, plots and bars have.

use std::io::IsTerminal;
use terminal_size::{Width, terminal_size_of};

/// The fewest columns that all output is made for.
pub const LEAST: u16 = 60;
/// The most columns of text: longer lines are hard to follow.
pub const MOST: u16 = 120;
/// Columns of text that goes to a file or another program.
const USUAL: u16 = 80;
/// Columns that plots need.
const PLOTS: u16 = 100;

/// The columns of the terminal that standard output is; none if it is something else.
fn columns() -> Option<u16> {
    let out = std::io::stdout();
    let size = if out.is_terminal() { terminal_size_of(out) } else { None };
    size.map(|(Width(columns), _)| columns)
}

/// Columns of text, and of the one table of an answer.
pub fn text() -> u16 {
    columns().map_or(USUAL, |columns| columns.clamp(LEAST, MOST))
}

/// Columns of other tables: as many as there are. Files have lines of any length.
pub fn table() -> Option<u16> {
    columns().map(|columns| columns.max(LEAST))
}

/// Whether there is room for plots: on a terminal that is wide, and shows more than plain letters.
pub fn has_plots() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !dumb && columns().is_some_and(|columns| columns >= PLOTS)
}
