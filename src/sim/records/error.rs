//! What can be wrong with a match record, and where.

use crate::sim::records::line::{RECORD, VERSION, changed_since};
use crate::words::steering::disarmed;

/// The most bytes of a line, its end not counted.
pub const LINE_MAX: usize = 64 * 1024;

/// Foreign text in a message is cut off after this number of characters.
const SHOWN_MAX: usize = 300;

/// The first fault of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The line, from 1; one past the last where a line is missing at the end.
    pub line: u64,
    /// What is wrong with it.
    pub reason: RecordFault,
}

/// What is wrong with a line, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// The source can't be read.
    #[error("can't be read: {0}")]
    Unreadable(String),
    /// The line is longer than that of any record.
    #[error("longer than {LINE_MAX} bytes")]
    LineTooLong,
    /// There are more lines than any match has.
    #[error("a record of this game has at most {max} lines")]
    TooManyLines {
        /// The most lines.
        max: u64,
    },
    /// Not JSON, or not the fields of such a line.
    #[error("{0}")]
    Malformed(String),
    /// Not a record at all.
    #[error("not a match record: the first line must have \"record\":\"{RECORD}\"")]
    NotARecord,
    /// Another version of the format.
    #[error(
        "version {found} of the format; this program reads version {VERSION}{}",
        changed_since(*found)
    )]
    Version {
        /// The version of the record.
        found: u64,
    },
    /// The rule set can't be played with or isn't whole.
    #[error("{0}")]
    Rules(String),
    /// A value differs from what the rules say.
    #[error("`{what}` is {found}, should be {due}")]
    Differs {
        /// The field.
        what: &'static str,
        /// What is there.
        found: String,
        /// What the rules say.
        due: String,
    },
    /// An impossible result.
    #[error("{found} can't come up here; possible: {possible}")]
    Impossible {
        /// What is there.
        found: String,
        /// What would be possible.
        possible: String,
    },
    /// A line of another kind is due.
    #[error("{found}, but {due} is due")]
    Misplaced {
        /// The kind of line that is there.
        found: &'static str,
        /// The kind that is due.
        due: String,
    },
    /// An action that the rules forbid.
    #[error("illegal: {0}")]
    Illegal(String),
    /// The match has more decisions than the game says a match can have.
    #[error("more decisions than a match of this game has ({max})")]
    TooManyDecisions {
        /// The most decisions.
        max: u32,
    },
}

impl RecordFault {
    /// A complaint unless a value is what it should be.
    ///
    /// # Errors
    /// If it isn't.
    pub fn unless_same<T: PartialEq>(
        what: &'static str,
        found: &T,
        due: &T,
        show: impl Fn(&T) -> String,
    ) -> Result<(), RecordFault> {
        if found == due {
            return Ok(());
        }
        Err(RecordFault::Differs { what, found: shown(&show(found)), due: shown(&show(due)) })
    }
}

/// Foreign text made safe for a terminal: without what steers one, and of limited length.
pub fn shown(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN_MAX).collect();
    let mut shown = disarmed(&cut);
    if text.chars().nth(SHOWN_MAX).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_cut_and_disarmed() {
        assert_eq!(shown("a\u{1b}[2Jb"), "a\u{fffd}[2Jb");
        assert_eq!(shown(&"ä".repeat(5000)).chars().count(), SHOWN_MAX + 1);
    }
}
