//! What to do next, as a command that can be pasted.

use crate::lab::questions::studies::study::Study;
use crate::lab::report::figures::short_count;
use crate::lab::report::manifest::Manifest;

/// Flags that make sense only once: with a value, and without.
const DROPPED: [&str; 7] =
    ["--out", "--rows", "--shard", "--wave", "--wave-blocks", "--after", "--format"];
const DROPPED_ALONE: [&str; 3] = ["--force", "--quiet", "--full"];

/// The flag whose results are kept in a directory only, so that the next command names one, too.
const KEPT: &str = "--adapt";

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
    let (mut given, mut directory, mut kept) = (command.iter(), None, false);
    while let Some(word) = given.next() {
        let (name, value) =
            word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        if DROPPED.contains(&name) || (name == flag && flag != REPEATED) {
            let value = value.or_else(|| given.next().map(String::as_str));
            directory = value.filter(|_| name == "--out").or(directory);
        } else if !DROPPED_ALONE.contains(&name) {
            kept |= name == KEPT;
            words.push(quoted(word));
        }
    }
    if let Some(directory) = directory.filter(|_| kept) {
        words.extend(["--out".to_owned(), quoted(&format!("{directory}-longer"))]);
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
    fn a_directory_is_named_again_only_where_one_is_needed() {
        let next = |command: &str| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            again(&words[1], &words, "--blocks", "80")
        };
        for (given, due) in [
            (
                "fh simulate base --rows csv --out a --seed 2",
                "fh simulate base --seed 2 --blocks 80",
            ),
            ("fh simulate base --out=a --rows=csv --blocks=20", "fh simulate base --blocks 80"),
            (
                "fh rules base --adapt x=0..4 --out a",
                "fh rules base --adapt x=0..4 --out a-longer --blocks 80",
            ),
            ("fh rules base --adapted x --out a", "fh rules base --adapted x --blocks 80"),
            (
                "fh rules base --out=a --adapt=x=0..4",
                "fh rules base --adapt=x=0..4 --out a-longer --blocks 80",
            ),
        ] {
            assert_eq!(next(given).as_deref(), Some(due));
        }
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_read_more_into_them() {
        assert_eq!(quoted("metropolis.cost.wool=2"), "metropolis.cost.wool=2");
        assert_eq!(quoted("seats.win_rate.max < 2pp"), "'seats.win_rate.max < 2pp'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
