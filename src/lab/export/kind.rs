//! What the columns of a file hold.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "lines of JSON name no types"))]
pub enum Kind {
    /// Whole numbers.
    Whole,
    /// Numbers of single precision.
    Single,
    Number,
    /// Words.
    Text,
    /// Lists of words.
    Texts,
    /// True or false.
    Flag,
}
