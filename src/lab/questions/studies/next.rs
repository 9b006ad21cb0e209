//! What to do next, as a command that can be pasted.

use crate::lab::questions::studies::study::Study;
use crate::lab::report::figures::short_count;
use crate::lab::report::manifest::Manifest;

/// Flags that make sense only once: with a value, and without.
const DROPPED: [&str; 6] = ["--out", "--shard", "--wave", "--wave-blocks", "--after", "--format"];
const DROPPED_ALONE: [&str; 3] = ["--force", "--quiet", "--full"];

/// The flag that may stand more than once: another one changes one more field.
const REPEATED: &str = "--set";

/// How many times as much to play next: intervals become half as wide.
pub const TIMES: u64 = 4;

/// The same command with four times the matches or blocks. A run that has stopped by itself would stop there
/// again: it needs half the width to stop at, and there is nothing to propose where it had none.
pub fn longer(study: &dyn Study, manifest: &Manifest) -> Option<String> {
    if manifest.played.stopped.is_some() {
        return narrower(study, manifest);
    }
    let blocks = manifest.played.blocks.saturating_mul(TIMES);
    let matches = blocks.saturating_mul(manifest.plan.matches_of_a_block.len() as u64);
    let in_matches = study.is_in_matches();
    let (flag, count) = if in_matches { ("--matches", matches) } else { ("--blocks", blocks) };
    with(study, manifest, flag, &short_count(count))
}

/// The same command with half the width to stop at.
fn narrower(study: &dyn Study, manifest: &Manifest) -> Option<String> {
    // In percentage points, without the digits that dividing makes up.
    let half = libm::round(study.until()? / 2.0 * 1e11) / 1e9;
    if half > 0.0 { with(study, manifest, "--until", &format!("ci={half}pp")) } else { None }
}

/// The same command with a flag set; the run's directory is left out. The command of a run that was merged or
/// analyzed doesn't say what was asked.
pub fn with(study: &dyn Study, manifest: &Manifest, flag: &str, value: &str) -> Option<String> {
    again(study.command(), &manifest.command, flag, value)
}

/// The words of a command as it was given, if it was this one, with a flag set.
pub fn again(name: &str, command: &[String], flag: &str, value: &str) -> Option<String> {
    let asked = command.iter().skip(1).map(String::as_str);
    asked.take(name.split(' ').count()).eq(name.split(' ')).then_some(())?;
    let mut words = Vec::new();
    let mut given = command.iter();
    while let Some(word) = given.next() {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        if DROPPED.contains(&name) || (name == flag && flag != REPEATED) {
            if !word.contains('=') {
                given.next();
            }
        } else if !DROPPED_ALONE.contains(&name) {
            words.push(quoted(word));
        }
    }
    words.extend([flag.to_owned(), quoted(value)]);
    Some(words.join(" "))
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/+%@^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_more_into_them() {
        assert_eq!(quoted("metropolis.cost.wool=2"), "metropolis.cost.wool=2");
        assert_eq!(quoted("seats.win_rate.max < 2pp"), "'seats.win_rate.max < 2pp'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
