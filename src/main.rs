//! The program.

use fairhaven::cli::commands::program::program;
use fairhaven::lab::questions::catalogue::Catalogue;
use std::process::ExitCode;

fn main() -> ExitCode {
    program(Catalogue::standard())
}
