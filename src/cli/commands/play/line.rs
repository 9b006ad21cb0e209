//! Lines of a terminal: what is said is wrapped and holds nothing that steers a terminal, and what is typed is bounded.

use crate::cli::plain::plain;
use crate::cli::terminal;
use crate::words::steering::disarmed;
use std::io::{self, BufRead, Write};

/// The most columns of a line; a narrower terminal has fewer.
const COLUMNS: u16 = 80;

/// The most bytes of a line that are read; what is longer is no action of any game.
const TYPED_MAX: usize = 2000;

/// A person: where lines come from, and where they go.
pub struct Terminal<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// Whether what was typed is printed too, since nobody sees it otherwise.
    echoes: bool,
    columns: usize,
}

impl<'a> Terminal<'a> {
    /// Of these two ends.
    pub fn new(
        input: &'a mut dyn BufRead,
        output: &'a mut dyn Write,
        echoes: bool,
    ) -> Terminal<'a> {
        let columns = terminal::text().min(COLUMNS).into();
        Terminal { input, output, echoes, columns }
    }

    /// Prints a text, wrapped at blanks; the indent of its first line holds for what follows, and two columns more.
    ///
    /// # Errors
    /// What the system says.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        let text = plain(text).replace('\t', " ");
        for line in text.split('\n') {
            for wrapped in wrapped(line, self.columns) {
                writeln!(self.output, "{wrapped}")?;
            }
        }
        Ok(())
    }

    /// Prints a drawing as it is.
    ///
    /// # Errors
    /// What the system says.
    pub fn draw(&mut self, drawing: &str) -> io::Result<()> {
        plain(drawing).lines().try_for_each(|line| writeln!(self.output, "{line}"))
    }

    /// Makes sure that what was printed is read.
    ///
    /// # Errors
    /// What the system says.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Prints some entries, as many on a line as fit.
    ///
    /// # Errors
    /// What the system says.
    pub fn flow(&mut self, entries: impl IntoIterator<Item = String>) -> io::Result<()> {
        let mut line = String::new();
        for entry in entries {
            let width = line.chars().count() + entry.chars().count() + 2;
            if !line.is_empty() && width > self.columns {
                self.say(&std::mem::take(&mut line))?;
            }
            line.push_str("  ");
            line.push_str(&entry);
        }
        if line.is_empty() { Ok(()) } else { self.say(&line) }
    }

    /// Asks for a line, without the blanks around it; nothing if there is no more.
    ///
    /// # Errors
    /// What the system says.
    pub fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.output, "{}", plain(prompt))?;
        self.output.flush()?;
        let typed = self.typed()?;
        match (&typed, self.echoes) {
            (Some(typed), true) => {
                let shown: String = typed.chars().take(self.columns / 2).collect();
                writeln!(self.output, "{}", disarmed(&shown.replace('\t', " ")))?;
            }
            (None, _) => writeln!(self.output)?,
            (Some(_), false) => {}
        }
        Ok(typed)
    }

    fn typed(&mut self) -> io::Result<Option<String>> {
        let (mut bytes, mut read) = (Vec::new(), false);
        loop {
            let buffer = self.input.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let here = &buffer[..end.unwrap_or(buffer.len())];
            read |= !buffer.is_empty();
            bytes.extend(here.iter().take(TYPED_MAX - bytes.len().min(TYPED_MAX)));
            let (consumed, is_last) =
                (here.len() + usize::from(end.is_some()), end.is_some() || buffer.is_empty());
            self.input.consume(consumed);
            if is_last {
                let text = String::from_utf8_lossy(&bytes).trim().to_owned();
                return Ok(read.then_some(text));
            }
        }
    }
}

/// A line in pieces of at most so many columns, cut at blanks where there are any.
fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let indent: String = line.chars().take_while(|letter| *letter == ' ').collect();
    let mut lines = vec![indent.clone()];
    let mut is_bare = true;
    for word in line[indent.len()..].split(' ') {
        let last = lines.last().map_or(0, |last| last.chars().count());
        let width = last + usize::from(!is_bare) + word.chars().count();
        if width > columns && !is_bare {
            lines.push(format!("{indent}  "));
            is_bare = true;
        }
        let Some(last) = lines.last_mut() else { continue };
        if !is_bare {
            last.push(' ');
        }
        let room = columns.saturating_sub(last.chars().count());
        last.extend(word.chars().take(room));
        is_bare = false;
        let rest: String = word.chars().skip(room).collect();
        if !rest.is_empty() {
            lines.extend(wrapped(&format!("{indent}  {rest}"), columns));
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_blanks_and_keep_their_indent() {
        assert_eq!(wrapped("", 10), [""]);
        assert_eq!(wrapped("one two three", 20), ["one two three"]);
        assert_eq!(wrapped("one two three", 9), ["one two", "  three"]);
        assert_eq!(wrapped("  one two", 8), ["  one", "    two"]);
        let long = wrapped(&"x".repeat(50), 20);
        assert!(long.iter().all(|line| line.chars().count() <= 20), "{long:?}");
        assert_eq!(long.concat().replace(' ', "").len(), 50);
    }

    #[test]
    fn what_is_typed_is_bounded_and_ends_with_the_input() {
        let mut input: &[u8] = b" one \n\xff\nno end";
        let mut output = Vec::new();
        let mut terminal = Terminal::new(&mut input, &mut output, true);
        let mut asked = || terminal.ask("> ").expect("a vector takes any line");
        assert_eq!(asked().as_deref(), Some("one"));
        assert_eq!(asked().as_deref(), Some("\u{fffd}"));
        assert_eq!(asked().as_deref(), Some("no end"));
        assert_eq!(asked(), None);
        let long = [vec![b'x'; 100_000], b"\nnext\n".to_vec()].concat();
        let (mut input, mut output) = (long.as_slice(), Vec::new());
        let mut terminal = Terminal::new(&mut input, &mut output, true);
        assert_eq!(terminal.ask("> ").expect("a line").map(|line| line.len()), Some(TYPED_MAX));
        assert_eq!(terminal.ask("> ").expect("a line").as_deref(), Some("next"));
    }
}
