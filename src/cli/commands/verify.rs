//! `verify`: do the files of a run agree with its sums and digests, and do its blocks give the same again?

use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::run::Output;
use crate::cli::commands::{choose, threads};
use crate::cli::runs::Verify;
use crate::lab::read::verify::{self, ComparedSums, Sample};
use crate::words::lists::plural;
use anyhow::Result;

/// The exit code of a run that differs.
const DIFFERS: u8 = 1;

/// Plays a random sample of a run again.
///
/// # Errors
/// If the run can't be read.
pub fn run(args: &Verify) -> Result<Output> {
    threads::start(args.threads)?;
    let sample = Sample { blocks: args.sample, seed: args.seed };
    let found = verify::verify(catalogue(), &args.run, sample, &WATCH)?;
    let mark = choose::unofficial_line(found.unofficial);
    if !found.faults.is_empty() {
        return Ok(Output::new(format!("{}\n{mark}", found.faults.join("\n")), DIFFERS));
    }
    let (blocks, all) = (found.blocks, found.all);
    let unit = plural(all, "block");
    let tables = if found.has_tables { "all tables match" } else { "there are no tables yet" };
    let sums = found.sums.filter(|sums| sums.all > 0).map_or(String::new(), |sums| match sums {
        ComparedSums { groups: 0, all, blocks } => format!(
            "Not compared: the run's sums with its matches; none of their {all} groups of up to {blocks} blocks fits into \
             the sample (`--sample {blocks}`).\n"
        ),
        ComparedSums { groups, all, .. } => {
            format!("Sums are those of the matches in {groups} of {all} {}.\n", plural(all as u64, "group"))
        }
    });
    let text =
        format!("Verified: {blocks} of {all} {unit} replayed identically; {tables}.\n{sums}{mark}");
    Ok(Output::new(text, 0))
}
