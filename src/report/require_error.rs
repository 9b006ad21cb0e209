//! What can be wrong with a threshold: its text, its names, or the rows that it meets.

/// A threshold that can't be read or can't be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRequirement {
    /// More text than a threshold can need.
    #[error("a threshold of {bytes} bytes; {most} are the most")]
    Long {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        most: usize,
    },
    /// Parentheses, functions or signs within each other, too often.
    #[error("threshold, at character {at}: more than {most} parentheses, functions or signs deep")]
    Deep {
        /// Where, in characters from 1.
        at: usize,
        /// How deep it may go.
        most: usize,
    },
    /// Something else stands where it should go on.
    #[error("threshold `{text}`, at character {at}: {found} stands where {wanted} should")]
    Syntax {
        /// The threshold.
        text: String,
        /// Where, in characters from 1.
        at: usize,
        /// What stands there.
        found: String,
        /// What would be right.
        wanted: &'static str,
    },
    /// A table, key column or metric that isn't written.
    #[error("threshold `{text}`: {complaint}")]
    Unknown {
        /// The threshold.
        text: String,
        /// What is not there, and what is.
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
    /// Several rows, and nothing said of how to make them one.
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
    /// A division by zero, or a number beyond all bounds.
    #[error("threshold `{text}`: can't be decided: {what}")]
    Undefined {
        /// The threshold.
        text: String,
        /// What happened.
        what: &'static str,
    },
}
