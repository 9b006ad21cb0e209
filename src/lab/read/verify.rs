//! Do the files of a run agree with its sums and digests, and do its blocks give the same again?

use crate::core::seed::{BlockSeed, Stream};
use crate::core::watch::Watch;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::searches::search::Found;
use crate::lab::report::files;
use crate::lab::report::manifest::{BUILD, FileEntry, Manifest};
use crate::lab::report::rows;
use crate::lab::report::sums::{DIGESTS, SUMS, Saved};
use crate::lab::run::existing::is_there;
use crate::lab::run::job::job;
use crate::lab::run::search_run::SearchJob;
use crate::lab::run::study_run::{StudyJob, saved_of};
use crate::lab::store::chunk_log::CHUNKS;
use crate::lab::store::manifests::manifest_of;
use crate::sim::batch::{Chunking, Totals};
use crate::sim::experiment::{Experiment, Worker};
use crate::stats::jackknife::GROUPS;
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

/// The result of playing a sample of a run again.
#[derive(Debug)]
pub struct Verified {
    /// What differs, in words; nothing if all is the same.
    pub faults: Vec<String>,
    /// Blocks that were played again.
    pub blocks: u64,
    /// Blocks that the run has.
    pub all: u64,
    /// The sums that were compared; nothing of a search, whose log has those of each chunk.
    pub sums: Option<ComparedSums>,
    /// Whether the run has tables: a part has none.
    pub has_tables: bool,
    /// Why the run's settings are unofficial, if they are.
    pub unofficial: Option<&'static str>,
}

/// The groups of blocks of a run, by which it has sums.
#[derive(Debug, Clone, Copy)]
pub struct ComparedSums {
    /// Groups whose blocks were all played again.
    pub groups: usize,
    /// Groups of the run.
    pub all: usize,
    /// Blocks of a group; the largest, if they differ.
    pub blocks: u64,
}

/// How much of a run is played again.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Blocks.
    pub blocks: u64,
    /// Seed of the choice.
    pub seed: u64,
}

/// Plays a random sample of a run again.
///
/// # Errors
/// If the run can't be read, or can't be had again.
pub fn verify(
    catalogue: &Catalogue,
    run: &Path,
    sample: Sample,
    watch: &Watch,
) -> Result<Verified> {
    let manifest = manifest_of(catalogue, run)?;
    play(catalogue, run, manifest, (sample, watch))
        .with_context(|| format!("run `{}`", run.display()))
}

fn play(
    catalogue: &Catalogue,
    run: &Path,
    manifest: Manifest,
    (sample, watch): (Sample, &Watch),
) -> Result<Verified> {
    let is_same_build = manifest.build == BUILD;
    ensure!(
        manifest.agents.iter().all(|agent| agent.reproducible),
        "an agent searches by time or answers otherwise when it is asked again, so that no match can be had \
         again"
    );
    ensure!(
        manifest.fault_share.is_none() || manifest.played.failures == 0,
        "guests have failed in matches of the run, which can't be had again"
    );
    let mut verified = match catalogue.question(&manifest.question)? {
        Asked::Study(study) => of_study(run, &job(catalogue, study, manifest)?, (sample, watch)),
        Asked::Search(search) => {
            of_search(run, &job(catalogue, search, manifest)?, (sample, watch))
        }
    }?;
    if !is_same_build {
        for fault in &mut verified.faults {
            fault.push_str(" (the run is of another build)");
        }
    }
    Ok(verified)
}

/// Plays a random sample of a study's chunks again, and compares its files with its sums.
fn of_study(run: &Path, job: &StudyJob<'_>, (sample, watch): (Sample, &Watch)) -> Result<Verified> {
    let saved = saved_of(run, job)?;
    let mut faults = other_files(run, job, &saved)?;
    let found = job.outcome(&saved.totals, None)?.found;
    faults.extend(other_found(run, &found, "sums give")?);
    let wanted = sample.blocks.div_ceil(job.manifest.plan.chunk);
    let drawn = sample.draw_groups(job.manifest.seed, saved.totals.chunks.clone(), wanted);
    let chunks: Vec<u64> = drawn.into_iter().collect();
    let digests = digests_of(run, &chunks, saved.totals.chunks.start)?;
    let plan = job.manifest.plan.plan();
    let whole = GroupSums::of(&chunks, &saved.totals.chunks);
    let played = play_again(&*job.experiment(watch, None)?, plan, &chunks, &whole);
    ensure!(!watch.is_stopped(), "stopped before all blocks were played again");
    for ((chunk, digest), kept) in chunks.iter().zip(&played).zip(&digests) {
        if digest != kept {
            let blocks = plan.blocks_of(*chunk..chunk + 1);
            faults.push(format!("blocks {} to {} differ", blocks.start, blocks.end - 1));
        }
    }
    let in_group = |group| chunks_of_group(&saved.totals.chunks, group).len();
    let groups = (0..GROUPS as u64).map(in_group);
    let sums = Some(ComparedSums {
        groups: whole.count(),
        all: groups.clone().filter(|&chunks| chunks > 0).count(),
        blocks: groups.max().unwrap_or(0) as u64 * plan.chunk,
    });
    faults.extend(whole.other_sums(&saved.totals));
    let length = |&chunk: &u64| {
        let blocks = plan.blocks_of(chunk..chunk + 1);
        blocks.end - blocks.start
    };
    Ok(Verified {
        faults,
        blocks: chunks.iter().map(length).sum(),
        all: saved.totals.blocks(),
        sums,
        has_tables: !found.tables.is_empty(),
        unofficial: job.games[0].unofficial(),
    })
}

impl Sample {
    /// Draws so many of a run's chunks: whole groups of them, so that their sums can be compared with the run's, and of one
    /// group as many as are left; of all, if not even one group fits.
    fn draw_groups(self, master: u64, all: Range<u64>, wanted: u64) -> BTreeSet<u64> {
        let mut rng = BlockSeed::new(self.seed, master).stream(Stream::Study, None, 1);
        let groups = rand::seq::index::sample(&mut rng, GROUPS, GROUPS);
        let mut left = usize::try_from(wanted).unwrap_or(usize::MAX);
        let mut drawn = BTreeSet::new();
        for group in groups {
            let chunks = chunks_of_group(&all, group as u64);
            if chunks.len() <= left {
                left -= chunks.len();
                drawn.extend(chunks);
                continue;
            }
            if drawn.is_empty() {
                // Another may be smaller by one.
                continue;
            }
            let some: BTreeSet<usize> =
                rand::seq::index::sample(&mut rng, chunks.len(), left).into_iter().collect();
            drawn.extend(chunks.enumerate().filter(|(at, _)| some.contains(at)).map(|(_, it)| it));
            break;
        }
        if drawn.is_empty() {
            let some = self.draw(master, all.end - all.start, wanted);
            return some.into_iter().map(|at| all.start + at).collect();
        }
        drawn
    }

    /// Draws so many of all chunks without repetition.
    fn draw(self, master: u64, all: u64, wanted: u64) -> BTreeSet<u64> {
        let [all, wanted] =
            [all, wanted.min(all)].map(|count| usize::try_from(count).expect("64 bits"));
        let mut rng = BlockSeed::new(self.seed, master).stream(Stream::Study, None, 0);
        let chosen = rand::seq::index::sample(&mut rng, all, wanted);
        chosen.into_iter().map(|at| at as u64).collect()
    }
}

/// The chunks of a run that belong to a group of its sums.
fn chunks_of_group(all: &Range<u64>, group: u64) -> impl ExactSizeIterator<Item = u64> {
    let groups = GROUPS as u64;
    let first = all.start + (group + groups - all.start % groups) % groups;
    let count = all.end.saturating_sub(first).div_ceil(groups);
    let count = usize::try_from(count).expect("64 bits");
    (0..count).map(move |at| first + at as u64 * groups)
}

/// What comes of groups of chunks that are played again as a whole: blocks and sums, which the run has by group.
struct GroupSums(Mutex<BTreeMap<u64, (u64, Vec<u64>)>>);

impl GroupSums {
    /// The groups of which all chunks are among these.
    fn of(chunks: &[u64], all: &Range<u64>) -> GroupSums {
        let mut counts = BTreeMap::new();
        for chunk in chunks {
            *counts.entry(chunk % GROUPS as u64).or_insert(0_usize) += 1;
        }
        let whole = |&(group, count): &(u64, usize)| chunks_of_group(all, group).len() == count;
        let empty = |(group, _)| (group, (0, Vec::new()));
        GroupSums(Mutex::new(counts.into_iter().filter(whole).map(empty).collect()))
    }

    fn count(&self) -> usize {
        self.0.lock().expect("nobody panics with it").len()
    }

    /// Adds the sums of a chunk. These are exact, so that no order of threads can be told from another.
    fn add(&self, chunk: u64, blocks: u64, sums: &[u64]) {
        let mut groups = self.0.lock().expect("nobody panics with it");
        let Some((all, into)) = groups.get_mut(&(chunk % GROUPS as u64)) else { return };
        *all += blocks;
        into.resize(sums.len(), 0);
        into.iter_mut().zip(sums).for_each(|(into, sum)| *into += sum);
    }

    /// Names the groups of which a run has other sums.
    fn other_sums(self, saved: &Totals) -> Vec<String> {
        let groups = self.0.into_inner().expect("nobody panics with it");
        let other = |(group, (mut blocks, mut sums)): (u64, (u64, Vec<u64>))| {
            // The first blocks of the next chunk are counted, too.
            let open = saved.open.as_ref().filter(|_| saved.chunks.end % GROUPS as u64 == group);
            if let Some(open) = open {
                blocks = blocks.saturating_add(open.blocks);
                let more = &open.played.sums;
                sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
            }
            let at = usize::try_from(group).expect("few groups");
            let (kept, number) = (&saved.grouped, group + 1);
            let same = kept.group(at) == sums && kept.blocks_by_group()[at] == blocks;
            (!same).then(|| {
                format!("{SUMS} has other sums of group {number} of {GROUPS} than its matches give")
            })
        };
        groups.into_iter().filter_map(other).collect()
    }
}

/// The digests of chunks that are played again; their sums are added up where their group is.
fn play_again(
    experiment: &dyn Experiment,
    plan: Chunking,
    chunks: &[u64],
    whole: &GroupSums,
) -> Vec<u32> {
    let play = |worker: &mut Box<dyn Worker + '_>, &chunk: &u64| {
        let blocks = plan.blocks_of(chunk..chunk + 1);
        let length = blocks.end - blocks.start;
        let played = worker.play(blocks);
        whole.add(chunk, length, &played.sums);
        experiment.digest(&played)
    };
    chunks.par_iter().map_init(|| experiment.worker(), play).collect()
}

/// The digests of some chunks of a run that begins with chunk `first`.
fn digests_of(run: &Path, chunks: &[u64], first: u64) -> Result<Vec<u32>> {
    let path = run.join(DIGESTS);
    let mut file =
        files::open(&path).with_context(|| format!("can't read `{}`", path.display()))?;
    let mut digest = |chunk: &u64| -> io::Result<u32> {
        let mut bytes = [0; 4];
        file.seek(SeekFrom::Start((chunk - first) * 4))?;
        file.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    };
    let all: io::Result<Vec<u32>> = chunks.iter().map(&mut digest).collect();
    all.with_context(|| format!("`{}` is damaged: it is too short", path.display()))
}

/// Digests and rows that differ from what the run wrote.
fn other_files(path: &Path, job: &StudyJob<'_>, saved: &Saved) -> Result<Vec<String>> {
    let digests = saved.digests.check_whole(&path.join(DIGESTS));
    let mut faults: Vec<String> = digests.err().iter().map(ToString::to_string).collect();
    if job.manifest.plan.wave.is_some() {
        let chunks = saved.rows.check_whole(&path.join(CHUNKS));
        faults.extend(chunks.err().iter().map(ToString::to_string));
    }
    if let Some(form) = job.question.rows() {
        let read = rows::read(path, form, saved.rows.bytes, &mut |_| Ok(()))?;
        if read != saved.rows {
            faults.push(rows::damaged(path, form));
        }
    }
    Ok(faults)
}

/// Tables and further files that differ from what sums or a log give.
fn other_found(run: &Path, Found { tables, files }: &Found, source: &str) -> Result<Vec<String>> {
    let mut due = Vec::new();
    for table in tables {
        let mut bytes = Vec::new();
        table.write_csv(&mut bytes)?;
        due.push(FileEntry::of(format!("{}.csv", table.name), &bytes));
    }
    let further = files.iter().map(|file| FileEntry::of(file.name.clone(), file.text.as_bytes()));
    due.extend(further);
    due.retain(|file| !is_there(run, file));
    Ok(due.iter().map(|file| format!("{} is not what the {source}", file.name)).collect())
}

/// Plays a random sample of a search's chunks again, and compares its tables and files with its log.
fn of_search(
    run: &Path,
    job: &SearchJob<'_>,
    (sample, watch): (Sample, &Watch),
) -> Result<Verified> {
    ensure!(!job.manifest.is_part(), "a part of a search is verified once it is merged");
    let (found, counted) = job.recall(run, BTreeSet::new(), watch)?;
    // The sample should be large enough, whatever its chunks.
    let blocks = u128::from(counted.sums.blocks().max(1));
    let wanted = (u128::from(sample.blocks) * u128::from(counted.chunks)).div_ceil(blocks);
    let wanted = u64::try_from(wanted).unwrap_or(u64::MAX);
    let chunks = sample.draw(job.manifest.seed, counted.chunks, wanted);
    let (_, again) = job.recall(run, chunks, watch)?;
    let mut faults = again.faults;
    faults.extend(other_found(run, &found, "log gives")?);
    let unofficial = job.games[0].unofficial();
    let (blocks, all) = (again.again, again.sums.blocks());
    let has_tables = !found.tables.is_empty();
    Ok(Verified { faults, blocks, all, sums: None, has_tables, unofficial })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_whole_groups_where_they_fit() {
        let sample = |blocks| Sample { blocks, seed: 3 };
        for (all, wanted) in [(0..200, 100), (57..85, 10), (5..6, 1), (0..700, 10), (0..700, 9)] {
            let drawn = sample(wanted).draw_groups(9, all.clone(), wanted);
            assert_eq!(drawn.len() as u64, wanted, "{all:?}");
            assert!(drawn.iter().all(|chunk| all.contains(chunk)));
            let chunks: Vec<u64> = drawn.iter().copied().collect();
            let whole = GroupSums::of(&chunks, &all).0.into_inner().unwrap();
            assert_eq!(whole.is_empty(), (all, wanted) == (0..700, 9));
        }
        let all = sample(900).draw_groups(9, 3..700, 900);
        assert!(all.into_iter().eq(3..700));
    }
}
