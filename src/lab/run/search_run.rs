//! A search is run: its algorithm plays stages, or gets them from the log of the run, which is all that is saved.

use crate::core::watch::Watch;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::searches::search::{Found, Halt, Search, SearchContext, SearchDesign};
use crate::lab::report::manifest::{FileEntry, Manifest, Played};
use crate::lab::report::tables::{Counted, anomaly_table};
use crate::lab::run::job::{Job, Outcome, Runnable};
use crate::lab::run::session::{Extent, Session};
use crate::lab::run::stage_table::{AGENTS_MAX, StageContext};
use crate::lab::run::stages::{AfterLog, PlayedStages, Share, StagePlayer};
use crate::lab::run::{Finished, unfinished};
use crate::lab::store::append_log::AppendLog;
use crate::lab::store::directory::Directory;
use crate::lab::store::quoted::quoted;
use crate::lab::store::stage_log::{self, Log, STAGES, digest_of};
use crate::sim::timing::Timing;
use crate::sim::trials::{self, ANOMALIES};
use anyhow::{Error, Result, anyhow, ensure};
use std::collections::BTreeSet;
use std::path::Path;

/// The run of a search.
pub type SearchJob<'a> = Job<'a, dyn Search>;

impl Runnable for dyn Search {
    type State = Log;

    fn asked(self: Box<dyn Search>) -> Asked {
        Asked::Search(self)
    }

    fn check(&self, manifest: &Manifest) -> Result<()> {
        ensure!(
            manifest.fault_share.is_none(),
            "a search stops where a guest fails: matches that it lost so would decide what is played next"
        );
        ensure!(
            manifest.variants == SearchDesign::variants(),
            "a search has one rule set; the manifest has others"
        );
        ensure!(
            manifest.plan.chunk == 1,
            "the stages of a search have chunks of their own; the manifest has others"
        );
        Search::check(self, manifest).map_err(Error::msg)
    }

    fn begin(job: &SearchJob<'_>, after: Option<&Path>) -> Result<Log> {
        let (design, wave) = (job.manifest.design_hash(), job.manifest.plan.wave);
        let known = wave.is_none_or(|wave| wave.number == 1) || after.is_some();
        ensure!(
            known,
            "a later wave of a search continues a merged run: name that run with --after"
        );
        let Some(directory) = &job.directory else {
            ensure!(wave.is_none(), "a part of a wave is written into a directory");
            return Ok(Log::off());
        };
        if wave.is_none() {
            return Log::create(directory.partial(), STAGES, design);
        }
        // The log of the run so far, beside that of a part, which can so be resumed wherever it lies.
        let mut copy = AppendLog::create(&directory.file(STAGES))?;
        if let Some(run) = after {
            copy.append(&run.join(STAGES), digest_of(run, STAGES)?)?;
        }
        copy.flush()?;
        Log::read(directory.partial(), STAGES, design)
    }

    fn reopen(job: &SearchJob<'_>, place: &Path) -> Result<Log> {
        let (design, log) = (job.manifest.design_hash(), stage_log::growing(&job.manifest));
        // What a run has said that it has played is on the disk: it is not the torn end that a kill or a power cut leaves.
        let (said, kept) = (job.manifest.played.blocks, stage_log::kept(place, log)?.blocks);
        ensure!(
            kept >= said,
            "`{log}` is damaged: {said} blocks were played, of which {kept} can be read"
        );
        match job.manifest.plan.wave {
            None => Log::resume(place, STAGES, design),
            Some(_) => Log::read(place, STAGES, design),
        }
    }

    fn extent(job: &SearchJob<'_>, _: &Log) -> Extent {
        let blocks = job.manifest.plan.blocks;
        Extent { agents: None, blocks, played: 0, next: 0, watched: true }
    }

    fn play(job: &mut SearchJob<'_>, log: Log, session: &mut Session<'_>) -> Result<Outcome> {
        let Session { watch, timing, progress, saving, .. } = session;
        let table = StageContext { game: &*job.games[0], watch, timing };
        let mut player = StagePlayer::new(table, &mut **progress, log);
        player.save_every = saving.every;
        if let (Some(wave), Some(directory)) = (job.manifest.plan.wave, &job.directory) {
            let (directory, shard) = (directory.partial().to_owned(), job.manifest.plan.shard);
            player.behind = AfterLog::Part(Share { directory, wave, shard });
        }
        let found = job.question.search(job.context(), &mut player);
        let StagePlayer { log, counted, has_played, share_is_done, .. } = player;
        let found = ended(found, log);
        // From here on Ctrl-C ends the process at once: all that was played is on the disk by now.
        progress.end();
        if let Some(directory) = job.directory.as_mut().filter(|_| has_played || found.is_ok()) {
            directory.keep();
        }
        let found = match found {
            Err(error) if has_played => Err(unfinished(job.directory.as_ref(), error)),
            other => other,
        }?;
        Ok(outcome(found, &counted, share_is_done))
    }

    fn recall(job: &SearchJob<'_>, run: &Path) -> Result<Found> {
        job.recall(run, BTreeSet::new(), &Watch::none()).map(|(found, _)| found)
    }

    fn played_files(job: &SearchJob<'_>, place: &Path) -> Result<Vec<FileEntry>> {
        let is_listed = job.manifest.played.complete && !job.manifest.is_part();
        Ok(if is_listed { vec![FileEntry::at(place, STAGES)?] } else { Vec::new() })
    }
}

impl<'a> SearchJob<'a> {
    /// Runs the algorithm on the log alone, and returns what it found and what was played. Nothing is played but the
    /// chunks that are to be played again, by their places in the log.
    ///
    /// # Errors
    /// If the search has not ended, or its log is damaged.
    pub fn recall(
        &self,
        run: &Path,
        again: BTreeSet<u64>,
        watch: &Watch,
    ) -> Result<(Found, PlayedStages)> {
        ensure!(
            self.manifest.played.complete,
            "the search has not ended, so that it has no tables; `fairhaven resume {}` resumes it",
            quoted(run)
        );
        let log = Log::read(run, STAGES, self.manifest.design_hash())?;
        let (found, counted) = self.read(log, watch, |player| player.again = again);
        let found = found?.ok_or_else(|| anyhow!("the search was stopped"))?;
        let Outcome { played, found } = outcome(Some(found), &counted, false);
        ensure!(
            self.manifest.played == played,
            "the manifest says that {} blocks were played; the log holds {}",
            self.manifest.played.blocks,
            played.blocks
        );
        Ok((found, counted))
    }

    /// Runs the algorithm on the log of a directory and on what parts of a wave have behind it. If it asks for more,
    /// it is left there, as if it had been interrupted.
    ///
    /// # Errors
    /// If a part is damaged, or the whole can't be written.
    pub fn join(mut self, directory: Directory<'a>, parts: Vec<Share>) -> Result<Finished> {
        let log = Log::resume(directory.partial(), STAGES, self.manifest.design_hash())?;
        let add = |player: &mut StagePlayer<'_>| player.behind = AfterLog::Parts(parts);
        let (found, counted) = self.read(log, &Watch::none(), add);
        let outcome = outcome(found?, &counted, false);
        self.directory = Some(directory);
        self.finish(outcome)
    }

    /// Runs the algorithm where nothing is played but what `prepare` tells the player to.
    fn read(
        &self,
        log: Log,
        watch: &Watch,
        prepare: impl FnOnce(&mut StagePlayer<'_>),
    ) -> (Result<Option<Found>>, PlayedStages) {
        let timing = Timing::new(AGENTS_MAX, watch);
        let table = StageContext { game: &*self.games[0], watch, timing: &timing };
        let mut progress = ();
        let mut player = StagePlayer::new(table, &mut progress, log);
        prepare(&mut player);
        let found = self.question.search(self.context(), &mut player);
        let StagePlayer { log, counted, .. } = player;
        (ended(found, log), counted)
    }

    fn context(&self) -> SearchContext<'_> {
        SearchContext { manifest: &self.manifest, game: &*self.games[0] }
    }
}

/// What was found, if the algorithm came to its end; its log is on the disk then.
fn ended(found: Result<Found, Halt>, mut log: Log) -> Result<Option<Found>> {
    match found {
        Ok(found) => log.end().map(|()| Some(found)),
        Err(Halt::Stopped) => log.sync().map(|()| None),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// What was found, with what should be rare. A search that was stopped has found nothing; its part may be done.
fn outcome(found: Option<Found>, counted: &PlayedStages, is_done: bool) -> Outcome {
    let sum = |counter| counted.sums.sum(counter);
    let played = Played {
        complete: found.is_some() || is_done,
        stopped: None,
        blocks: counted.sums.blocks(),
        matches: sum(trials::MATCHES),
        decisions: sum(trials::DECISIONS),
        failures: sum(trials::ANOMALY + trials::FAILURE),
    };
    let with_anomalies = |mut found: Found| {
        let counted = Counted {
            grouped: &counted.sums,
            first: trials::ANOMALY,
            matches: trials::MATCHES,
            half: None,
        };
        found.tables.push(anomaly_table(&counted, &ANOMALIES, &[]));
        found
    };
    Outcome { played, found: found.map(with_anomalies).unwrap_or_default() }
}
