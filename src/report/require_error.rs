//! What can be wrong with a threshold: its text, its names, or the rows that it names.

/// A threshold that can't be read or can't be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRequirement {
    /// The text is longer than any threshold needs.
    #[error("a threshold of {bytes} bytes; {most} are the most")]
    Long {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        most: usize,
    },
    /// Parentheses, functions or signs are nested too deeply.
    #[error(
        "threshold, at character {at}: parentheses, functions or signs are nested more than {most} deep"
    )]
    Deep {
        /// Where, in characters from 1.
        at: usize,
        /// How deep the nesting may be.
        most: usize,
    },
    /// Something unexpected follows.
    #[error("threshold `{text}`, at character {at}: found {found} where {wanted} is expected")]
    Syntax {
        /// The threshold.
        text: String,
        /// Where, in characters from 1.
        at: usize,
        /// What is there.
        found: String,
        /// What would be right.
        wanted: &'static str,
    },
    /// A table, key column or metric that isn't written.
    #[error("threshold `{text}`: {complaint}")]
    Unknown {
        /// The threshold.
        text: String,
        /// The missing name, and those that there are.
        complaint: String,
    },
    /// No row with these keys and this metric.
    #[error("threshold `{text}`: `{reference}` matches no row; {known}")]
    NoRow {
        /// The threshold.
        text: String,
        /// The part of it that names rows.
        reference: String,
        /// The values that the key columns have.
        known: String,
    },
    /// Several rows, without a word on how to combine them.
    #[error(
        "threshold `{text}`: `{reference}` matches {count} rows ({rows}); name more keys, or end \
         with .max, .min, .mean, .sum or .count"
    )]
    SeveralRows {
        /// The threshold.
        text: String,
        /// The part of it that names rows.
        reference: String,
        /// How many it names.
        count: usize,
        /// Keys of the first ones.
        rows: String,
    },
    /// A row without the number that is asked for.
    #[error(
        "threshold `{text}`: `{reference}` has no {column} in the row {row}: nothing was seen, or \
         too few blocks"
    )]
    Missing {
        /// The threshold.
        text: String,
        /// The part of it that names rows.
        reference: String,
        /// The column that is empty.
        column: &'static str,
        /// Keys of the row.
        row: String,
    },
    /// A division by zero, or an infinite number.
    #[error("threshold `{text}`: can't be decided: {what}")]
    Undefined {
        /// The threshold.
        text: String,
        /// What happened.
        what: &'static str,
    },
}
