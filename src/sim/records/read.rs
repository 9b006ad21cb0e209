//! Reads a match record line by line: never more than one line in memory, never more lines than allowed.

use crate::sim::records::error::{LINE_MAX, RecordError, RecordFault, shown};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::io::{BufRead, Read};

/// What a line is, recognized by its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// The first line.
    Header,
    /// A chance event.
    Chance,
    /// A decision.
    Decision,
    /// The last line.
    End,
    /// The record has no more lines.
    Nothing,
}

impl LineKind {
    /// What the line is, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            LineKind::Header => "this is a header",
            LineKind::Chance => "this is a chance event",
            LineKind::Decision => "this is a decision",
            LineKind::End => "this is the end line",
            LineKind::Nothing => "the record stops here",
        }
    }
}

/// The fields that tell lines apart.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Marks {
    record: Option<IgnoredAny>,
    chance: Option<IgnoredAny>,
    action: Option<IgnoredAny>,
    end: Option<IgnoredAny>,
}

/// The lines of a record.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    number: u64,
    max: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a reader, the first of which may be read.
    pub fn new(reader: R) -> Lines<R> {
        Lines { reader, buffer: Vec::new(), number: 0, max: 1 }
    }

    /// Sets the most lines in all.
    pub fn allow(&mut self, max: u64) {
        self.max = max;
    }

    /// Reads the next line.
    ///
    /// # Errors
    /// If it can't be read, is too long, is one too many, or is not a line of a record.
    pub fn advance(&mut self) -> Result<LineKind, RecordError> {
        self.number += 1;
        self.buffer.clear();
        let mut limited = (&mut self.reader).take(LINE_MAX as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.buffer);
        read.map_err(|error| self.fault(RecordFault::Unreadable(shown(&error.to_string()))))?;
        if self.buffer.is_empty() {
            return Ok(LineKind::Nothing);
        }
        if self.buffer.len() > LINE_MAX && self.buffer.last() != Some(&b'\n') {
            return Err(self.fault(RecordFault::LineTooLong));
        }
        if self.number > self.max {
            return Err(self.fault(RecordFault::TooManyLines { max: self.max }));
        }
        self.kind()
    }

    /// Reads the current line as a `T`.
    ///
    /// # Errors
    /// If it is not one.
    pub fn parse<'a, T: Deserialize<'a>>(&'a self) -> Result<T, RecordError> {
        let malformed = |reason: String| self.fault(RecordFault::Malformed(reason));
        let text = std::str::from_utf8(&self.buffer)
            .map_err(|error| malformed(format!("not UTF-8: {error}")))?;
        serde_json::from_str(text.trim_end_matches('\n'))
            .map_err(|error| malformed(message(&error)))
    }

    /// A complaint about the current line.
    pub fn fault(&self, reason: RecordFault) -> RecordError {
        RecordError { line: self.number, reason }
    }

    fn kind(&self) -> Result<LineKind, RecordError> {
        // What has fields by name may be read from a list, too.
        if self.buffer.trim_ascii_start().starts_with(b"[") {
            let list = "a list; each line is an object, {…}";
            return Err(self.fault(RecordFault::Malformed(list.to_owned())));
        }
        let marks: Marks = self.parse()?;
        let kinds = [
            (marks.record, LineKind::Header),
            (marks.chance, LineKind::Chance),
            (marks.action, LineKind::Decision),
            (marks.end, LineKind::End),
        ];
        let marked = kinds.into_iter().find(|(mark, _)| mark.is_some());
        let unknown = "none of the fields `record`, `chance`, `action` and `end`";
        let unknown = || self.fault(RecordFault::Malformed(unknown.to_owned()));
        marked.map(|(_, kind)| kind).ok_or_else(unknown)
    }
}

/// What the parser says; its line number would always be 1.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    format!("column {}: {}", error.column(), shown(text))
}
