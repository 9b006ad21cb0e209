//! The course of `levels`: curves of the families, then for each rate a walk to the parameter that has it, and a
//! certificate on fresh deals.

use crate::lab::questions::searches::certificate::{Certificate, matches_for};
use crate::lab::questions::searches::curve::{Crossing, Curve, Point, places};
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::level_settings::Levels;
use crate::lab::questions::searches::root::{KEPT, Walk};
use crate::lab::questions::searches::search::{
    Halt, Metric, Stage, StageSums, Stages, deals, lone,
};
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::manifest::Manifest;
use crate::sim::agents::spec::AgentSpec;
use crate::stats::jackknife::Estimate;
use anyhow::Error;

/// Values of a family whose win rates are measured first, and the blocks of each.
const GRID: usize = 9;
const GRID_BLOCKS: u64 = 64;

/// Steps of the first walk.
const STEPS: u64 = 64;

/// The standard error of the rate at which a walk ends, as a share of the tolerance.
const ERROR: f64 = 0.25;

/// How often a rate is certified at most.
const TRIES: u32 = 4;

/// The stream of all searches' deals.
const SEARCHED: u64 = 0;

/// How the search for a rate ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// A parameter has the rate.
    Certified(Certificate),
    /// The interval was not within the tolerance; the measurement that came nearest.
    Missed(Certificate),
    /// No value of any family comes near it; the nearest win rate of the curves.
    Beyond(Point),
}

/// What was found for a rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The rate in per cent.
    pub percent: f64,
    /// The family.
    pub family: usize,
    /// The value of its parameter.
    pub value: f64,
    /// The agent with that value.
    pub agent: AgentSpec,
    /// How the search ended.
    pub ended: Ended,
    /// Certificates that were tried.
    pub tries: u32,
    /// Matches of the walks.
    pub searched: u64,
}

/// A search on its way.
pub struct Course<'a> {
    levels: &'a Levels,
    agents: Vec<AgentSpec>,
    against: AgentSpec,
    players: u8,
    seed: u64,
    stages: &'a mut dyn Stages,
}

/// A rate that is looked for in a family.
struct Aim {
    percent: f64,
    rate: f64,
    family: usize,
    slope: f64,
    walk: Walk,
    /// The first block that no walk for this rate has played.
    block: u64,
    /// Matches of the walks, and of the certificates.
    searched: u64,
    certified: u64,
}

impl<'a> Course<'a> {
    /// A search at its beginning; the settings fit the manifest.
    pub fn new(levels: &'a Levels, manifest: &Manifest, stages: &'a mut dyn Stages) -> Course<'a> {
        let mut agents: Vec<AgentSpec> = manifest.agents.iter().map(AgentEntry::spec).collect();
        let against = agents.pop().expect("the settings fit");
        let (players, seed) = (manifest.players, manifest.seed);
        Course { levels, agents, against, players, seed, stages }
    }

    /// The curves of the families, and what was found for each rate.
    ///
    /// # Errors
    /// If a stage was not played.
    pub fn run(mut self) -> Result<(Vec<Option<Curve>>, Vec<Level>), Halt> {
        let rates: Vec<f64> = self.levels.rates.iter().map(|percent| percent / 100.0).collect();
        let mut curves: Vec<Option<Curve>> = Vec::new();
        for family in &self.levels.families {
            let reached = |rate: f64| curves.iter().flatten().any(|curve| curve.reaches(rate, 0.0));
            let open: Vec<f64> = rates.iter().copied().filter(|&rate| !reached(rate)).collect();
            // An earlier family is preferred; a later one is played where it is needed.
            let curve = if open.is_empty() { None } else { Some(self.curve(family, &open)?) };
            curves.push(curve);
        }
        let mut found = Vec::new();
        for &percent in &self.levels.rates {
            found.push(self.find(percent, &curves)?);
        }
        Ok((curves, found))
    }

    fn member(&self, family: &Family, value: f64) -> Result<AgentSpec, Halt> {
        family.member(&self.agents, value).map_err(|error| Halt::Failed(Error::new(error)))
    }

    /// Plays some blocks of the common deals with one value.
    fn look(
        &mut self,
        family: &Family,
        value: f64,
        first: u64,
        blocks: u64,
    ) -> Result<StageSums, Halt> {
        let agent = self.member(family, value)?;
        let what = format!("{}={}", family.key, Family::text(value));
        self.stages.play(&Stage {
            what,
            agents: vec![agent, self.against.clone()],
            matches: lone(0, 1, self.players),
            seed: deals(self.seed, SEARCHED),
            blocks: first..first + blocks,
            changes: Vec::new(),
            counted: Metric::Wins,
        })
    }

    /// Win rates over a family. Where more of the parameter takes more time, the curve ends once it has reached all
    /// open rates.
    fn curve(&mut self, family: &Family, open: &[f64]) -> Result<Curve, Halt> {
        let costly = family.key == "iterations";
        let mut points: Vec<Point> = Vec::new();
        for (place, value) in places(family, GRID) {
            let sums = self.look(family, value, 0, GRID_BLOCKS)?;
            let rate = sums.win_rate(0).unwrap_or(Estimate::plain(0.0));
            let (blocks, matches) = (sums.blocks(), sums.matches());
            points.push(Point { place, value, rate, blocks, matches });
            let curve = Curve::new(points.clone());
            if costly && points.len() > 2 && open.iter().all(|&rate| curve.reaches(rate, -2.0)) {
                break;
            }
        }
        Ok(Curve::new(points))
    }

    fn find(&mut self, percent: f64, curves: &[Option<Curve>]) -> Result<Level, Halt> {
        let rate = percent / 100.0;
        let Some((family, crossing)) = choose(rate, curves) else {
            return self.beyond(percent, curves);
        };
        let Crossing { place, slope } = crossing;
        let walk = Walk::new(place, slope);
        let (block, searched, certified) = (GRID_BLOCKS, 0, 0);
        self.aim(Aim { percent, rate, family, slope, walk, block, searched, certified })
    }

    fn beyond(&mut self, percent: f64, curves: &[Option<Curve>]) -> Result<Level, Halt> {
        let rate = percent / 100.0;
        let nearest = |(at, curve): (usize, &Option<Curve>)| {
            curve.as_ref().map(|curve| (at, curve.nearest(rate).clone()))
        };
        let all = curves.iter().enumerate().filter_map(nearest);
        let distance = |point: &Point| (point.rate.value - rate).abs();
        let found = all.min_by(|a, b| distance(&a.1).total_cmp(&distance(&b.1)));
        let (family, point) = found.expect("a rate that is not reached has had a curve");
        let value = point.value;
        let agent = self.member(&self.levels.families[family].clone(), value)?;
        let ended = Ended::Beyond(point);
        Ok(Level { percent, family, value, agent, ended, tries: 0, searched: 0 })
    }

    /// Walks and certifies in turn, until a certificate holds or nothing more can be done.
    fn aim(&mut self, mut aim: Aim) -> Result<Level, Halt> {
        let family = self.levels.families[aim.family].clone();
        let mut nearest: Option<(f64, Certificate)> = None;
        let mut tries = 0;
        for attempt in 1..=TRIES {
            let claim = self.levels.claim(aim.percent, attempt);
            let due = claim.blocks(self.players) * u64::from(self.players);
            let left = self.levels.matches.saturating_sub(aim.searched + aim.certified);
            if left < due && nearest.is_some() {
                break;
            }
            self.walk(&mut aim, attempt, left.saturating_sub(due))?;
            let place = aim.walk.mean();
            let value = family.value(place);
            let agent = self.member(&family, value)?;
            let stream = stream(aim.percent, attempt);
            let table = [&agent, &self.against.clone()];
            let certificate =
                claim.measure(table, self.players, (self.seed, stream), self.stages)?;
            tries = attempt;
            aim.certified += certificate.sums.matches();
            if certificate.holds() {
                return Ok(level(&aim, (value, agent), Ended::Certified(certificate), tries));
            }
            let seen = certificate.rate().map_or(0.0, |rate| rate.value);
            // Between two whole numbers there is nothing to look for.
            let stuck = family.whole
                && certificate.is_refuted()
                && nearest.as_ref().is_some_and(|(other, _)| (other - value).abs() < 0.5);
            let off = |(_, certificate): &(f64, Certificate)| {
                certificate.rate().map_or(1.0, |seen| (seen.value - aim.rate).abs())
            };
            let share = certificate.sums.matches() as f64
                / (certificate.sums.matches() + aim.searched).max(1) as f64;
            let next = (value, certificate);
            if nearest.as_ref().is_none_or(|best| off(&next) < off(best)) {
                nearest = Some(next);
            }
            if stuck {
                break;
            }
            // The certificate and the walk both say where the rate is; each counts by its matches.
            aim.walk.restart(place - share * (seen - aim.rate) / aim.slope);
        }
        let (value, certificate) = nearest.expect("the first try is always made");
        let agent = self.member(&family, value)?;
        Ok(level(&aim, (value, agent), Ended::Missed(certificate), tries))
    }

    /// Walks on: so many matches that the error is a part of the tolerance, twice as many in all with each further
    /// attempt, but no more than `most`.
    fn walk(&mut self, aim: &mut Aim, attempt: u32, most: u64) -> Result<(), Halt> {
        let error = ERROR * self.levels.tolerance;
        let first = matches_for(aim.rate, error * libm::sqrt(KEPT));
        let wanted = first.saturating_mul(1 << attempt.saturating_sub(2)).min(most);
        let players = u64::from(self.players);
        let blocks = first.div_ceil(STEPS * players);
        let family = self.levels.families[aim.family].clone();
        let steps = wanted / (blocks * players);
        for _ in 0..steps {
            let value = family.value(aim.walk.place());
            self.stages.set_status(&format!(
                "{} %: {}={}",
                aim.percent,
                family.key,
                Family::text(value)
            ));
            let sums = self.look(&family, value, aim.block, blocks)?;
            aim.block += blocks;
            aim.searched += sums.matches();
            let seen = sums.win_rate(0).map_or(0.0, |rate| rate.value);
            aim.walk.step(seen - aim.rate);
        }
        Ok(())
    }
}

/// The family in which a rate is looked for: the first that reaches it, or that would if luck were on its side.
fn choose(rate: f64, curves: &[Option<Curve>]) -> Option<(usize, Crossing)> {
    let with = |errors: f64| {
        let mut all = curves.iter().enumerate();
        let mut reaching = all.by_ref().filter_map(|(at, curve)| {
            let curve = curve.as_ref().filter(|curve| curve.reaches(rate, errors))?;
            Some((at, curve.crossing(rate)?))
        });
        reaching.next()
    };
    with(0.0).or_else(|| with(2.0))
}

fn level(aim: &Aim, (value, agent): (f64, AgentSpec), ended: Ended, tries: u32) -> Level {
    let (percent, family, searched) = (aim.percent, aim.family, aim.searched);
    Level { percent, family, value, agent, ended, tries, searched }
}

/// The stream of the deals on which a rate is certified in its k-th try: it is the same whatever other rates are asked
/// for, and never that of the search.
fn stream(percent: f64, attempt: u32) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10000")]
    let hundredths = libm::round(percent * 100.0) as u64;
    8 * hundredths + u64::from(attempt)
}
