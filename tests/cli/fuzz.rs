//! Damage by the number: each case has a generator of its own, so that it can be repeated alone.
//!
//! `FAIRHAVEN_DAMAGES` is the number of cases of each kind, `FAIRHAVEN_DAMAGE_SEED` where they start, and
//! `FAIRHAVEN_DAMAGE_ONLY` the one case to repeat.

use crate::support::Done;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg32;
use std::ops::Range;

/// The cases of a kind that are tried where nothing else is asked for.
const CASES: u64 = 60;

/// The generator of a case.
pub struct Dice(Pcg32);

impl Dice {
    /// The generator of a case of a kind.
    pub fn new(kind: u64, case: u64) -> Dice {
        let seed = variable("FAIRHAVEN_DAMAGE_SEED").unwrap_or(1);
        Dice(Pcg32::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case, kind))
    }

    /// A number below a bound; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound.max(1))
    }

    /// One of some.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        all.choose(&mut self.0).expect("there are some")
    }

    /// Some bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (&mut self.0).random_iter().take(count).collect()
    }

    /// A stretch of something of this length: short ones are as likely as long ones.
    pub fn stretch(&mut self, length: usize) -> Range<usize> {
        let most = *self.pick(&[1, 2, 4, 8, 64, 1024, length]);
        let start = self.below(length);
        let end = start + 1 + self.below(most);
        start..end.min(length)
    }
}

/// A number in the environment.
fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a whole number, not `{text}`")))
}

/// The cases to try.
fn cases() -> Range<u64> {
    match variable("FAIRHAVEN_DAMAGE_ONLY") {
        Some(case) => case..case + 1,
        None => 0..variable("FAIRHAVEN_DAMAGES").unwrap_or(CASES),
    }
}

/// The exit code of a call, which keeps to this whatever it was given: a code of its own, a short complaint.
///
/// # Errors
/// Says what it did instead.
pub fn code_of(done: &Done) -> Result<i32, String> {
    let start: String = done.err.chars().take(1500).collect();
    let fault = match done.code {
        _ if done.err.contains("panicked") => "a panic".to_owned(),
        _ if done.err.len() > 10_000 => format!("{} bytes of complaint", done.err.len()),
        Some(code @ (0 | 1 | 2 | 4 | 130)) => return Ok(code),
        code => format!("exit code {code:?}"),
    };
    Err(format!("{fault}\n{start}"))
}

/// Tries all cases; fails with what was found, and how to repeat it.
pub fn try_all(kind: &str, tried: impl Fn(u64) -> Result<i32, String>) {
    let (mut codes, mut faults) = ([0, 0, 0], Vec::new());
    for case in cases() {
        match tried(case) {
            Ok(code) => codes[usize::try_from(code).map_or(2, |code| code.min(2))] += 1,
            Err(fault) => faults.push((case, fault)),
        }
    }
    let seed = variable("FAIRHAVEN_DAMAGE_SEED").unwrap_or(1);
    let shown = faults.iter().take(20).map(|(case, fault)| {
        format!("FAIRHAVEN_DAMAGE_SEED={seed} FAIRHAVEN_DAMAGE_ONLY={case}: {fault}\n")
    });
    let shown: String = shown.collect();
    assert!(faults.is_empty(), "{} of the {kind} fail:\n{shown}", faults.len());
    // Only what is nearly right reaches far into a reader.
    let [accepted, _, refused] = codes;
    let many = cases().count() >= 50;
    assert!(!many || accepted > 0 && refused > 0, "exit codes 0, 1 and others: {codes:?}");
}

/// Numbers that readers trip over.
pub const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999",
    "1e308",
    "1e999",
    "-0.0",
    "nan",
];

/// Words that mean something to one reader or another.
pub const WORDS: [&str; 32] = [
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "=",
    ":",
    ",",
    ".",
    "\n",
    "\r",
    "\t",
    "\0",
    "#",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "-",
    "%",
    "pp",
    "k",
    "..",
    "/",
    "\u{202e}",
    "\u{1d7d9}",
    "\u{1b}[2J",
    "ß",
    "e\u{301}\u{301}\u{301}",
];
