//! How an answer is printed.

use clap::{Args, ValueEnum};

/// What is printed when a run ends.
#[derive(Debug, Clone, Copy, Args)]
pub struct Printing {
    /// How the answer is printed
    #[arg(long, default_value = "text")]
    pub format: SummaryForm,
    /// Print all tables, not only the answer
    #[arg(long)]
    pub full: bool,
    /// Print no answer and no progress
    #[arg(long)]
    pub quiet: bool,
}

impl Printing {
    /// Whether standard output has no sentences for people.
    pub fn is_silent(self) -> bool {
        self.quiet || self.format.is_for_programs()
    }
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SummaryForm {
    /// For the terminal
    Text,
    /// For documents
    Markdown,
    /// For programs: one object with what was played and the rows of all tables
    Json,
    /// For programs: the rows of all tables, the column `table` first
    Csv,
}

impl SummaryForm {
    /// Whether a program reads it, so that nothing else may stand on standard output.
    pub fn is_for_programs(self) -> bool {
        matches!(self, SummaryForm::Json | SummaryForm::Csv)
    }
}
