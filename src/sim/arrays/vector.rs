//! Matches side by side, played on all threads of whoever calls.

use crate::core::agent::{Agent, Player, uniform};
use crate::core::arrays::Arrays;
use crate::core::game::ActionFilter;
use crate::core::opinion::Opinion;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::core::wording::Wording;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::arrays::lane::{Deals, Ended, Lane, Outside, Tools};
use crate::sim::arrays::layout::Layout;
use crate::sim::arrays::space::{ActionSpace, columns};
use crate::sim::play::parked::Host;
use crate::sim::records::line::PERSON;
use rand_pcg::Pcg32;
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

/// Matches side by side that are to be dealt.
pub struct VectorPlan<'a> {
    /// How many.
    pub matches: usize,
    /// Whose decisions come from outside.
    pub outside: Outside,
    /// Who sits in the other seats: one for all of them, or one for each.
    pub others: &'a [AgentSpec],
    /// Whether those outside may offer trades.
    pub offers: bool,
    /// The master seed.
    pub seed: u64,
    /// Whether records are written.
    pub records: bool,
    /// How many parts are played at the same time, if there are so many threads.
    pub parts: usize,
    /// What agents ask of the outside.
    pub watch: &'a Watch,
}

/// Where observations are put.
#[derive(Debug, Default)]
pub enum Seen<'a> {
    /// Nobody wants them.
    #[default]
    Nowhere,
    /// As whole numbers.
    Short(&'a mut [i16]),
    /// The same as floats.
    Float(&'a mut [f32]),
}

/// What is told of each match after a step.
#[derive(Debug, Default)]
pub struct Told<'a> {
    /// What the seat that is asked sees, one observation behind the other.
    pub seen: Seen<'a>,
    /// For each action of the space 1 if it is legal; empty if nobody wants them.
    pub masks: &'a mut [i8],
    /// The seat that is asked, from 1.
    pub seats: &'a mut [u8],
    /// The number of the deal.
    pub deals: &'a mut [u64],
}

/// What may be done in each match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists {
    /// Where the list of each match begins; at last how long all are together.
    pub starts: Vec<i64>,
    /// The number of each action in the space.
    pub numbers: Vec<i32>,
    /// The actions in numbers, [`COLUMNS`](crate::sim::arrays::space::COLUMNS) each.
    pub columns: Vec<i16>,
}

/// How actions are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// By their numbers in the space.
    Number,
    /// By their places in the legal list.
    Place,
}

/// A step that can't be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadStep {
    /// An action that is not legal; nothing has changed.
    #[error("match {place}: {action} is no legal action")]
    Action {
        /// Where.
        place: usize,
        /// What was asked for.
        action: i32,
    },
    /// There is not one for each match, or an array has another size; nothing has changed.
    #[error("{0} does not fit {1} matches")]
    Size(&'static str, usize),
    /// A player of ours has failed, or nobody outside is ever asked.
    #[error("match {place}: {reason}")]
    Player {
        /// Where.
        place: usize,
        /// How.
        reason: String,
    },
}

/// An action that leaves its match as it is.
pub const LEAVE: i32 = -1;

/// Matches side by side.
pub trait MatchVector: Send {
    /// Where each number of an observation stands.
    fn layout(&self) -> &Layout;

    /// The numbers of actions.
    fn space(&self) -> &ActionSpace;

    /// Deals all matches anew, the first ones of a seed if one is given, else the next ones, and plays each to its first
    /// decision outside.
    ///
    /// # Errors
    /// If a player of ours fails, or an array has the wrong size.
    fn reset(&mut self, seed: Option<u64>, told: Told<'_>) -> Result<(), BadStep>;

    /// Takes an action in each match, but for [`LEAVE`], and plays on to the next decision outside that has a choice. A
    /// match that ends is told of, and the next one is dealt in its place: what is told belongs to that one. Matches in
    /// which nobody outside has a choice are passed over.
    ///
    /// # Errors
    /// If an action is not legal, an array has the wrong size, or a player of ours fails.
    fn step(&mut self, actions: &[i32], by: By, told: Told<'_>) -> Result<Vec<Ended>, BadStep>;

    /// What may be done in each match.
    fn lists(&self) -> Lists;

    /// A legal action for each match, each equally likely.
    fn sample(&mut self, by: By) -> Vec<i32>;

    /// What an outside seat of a match sees; nothing if there is no such match, or the seat does not decide outside.
    fn seen(&self, place: usize, seat: Seat) -> Option<Vec<i16>>;

    /// The record of a match so far; empty if none is written.
    fn record(&self, place: usize) -> &str;
}

/// Some of the matches, and what they are played by.
struct Part<G: Arrays + Wording, K: Agent<G>> {
    host: Host<G, K>,
    lanes: Vec<Lane<G>>,
    /// The place of the first.
    first: usize,
    /// How many they are once they are dealt.
    matches: usize,
    /// An observation that becomes floats.
    numbers: Vec<i16>,
}

struct Vector<G: Arrays + Wording, K: Agent<G>> {
    parts: Vec<Part<G, K>>,
    deals: Deals,
    layout: Layout,
    space: ActionSpace,
    rng: Pcg32,
}

/// Matches side by side, which are dealt at their first reset.
///
/// # Errors
/// If an agent can't be made, or decides in another program.
pub fn vector<G: Opinion + Wording + Arrays>(
    game: &G,
    added: &[AddedAgent<G>],
    plan: &VectorPlan<'_>,
) -> Result<Box<dyn MatchVector>, BadAgent> {
    let filter = if plan.offers { ActionFilter::Full } else { ActionFilter::NoOffers };
    let make = |agent: &AgentSpec| -> Result<Player<G, G::Special>, BadAgent> {
        if agent.invitation()?.is_some() {
            let reason = "a program outside plays one match at a time".to_owned();
            return Err(BadAgent { name: agent.name.clone(), reason });
        }
        agent.make_among(game, added, plan.watch)
    };
    let each = plan.matches.div_ceil(plan.parts.clamp(1, plan.matches.max(1)));
    let mut parts = Vec::new();
    for first in (0..plan.matches).step_by(each.max(1)) {
        let players = plan.others.iter().map(make).collect::<Result<_, _>>()?;
        let host = Host::new(game.clone(), players, filter);
        let matches = each.min(plan.matches - first);
        parts.push(Part { host, lanes: Vec::new(), first, matches, numbers: Vec::new() });
    }
    let names = plan.others.iter().map(|agent| agent.name.clone());
    let names = std::iter::once(PERSON.to_owned()).chain(names).collect();
    let deals = Deals {
        seed: plan.seed,
        matches: plan.matches as u64,
        outside: plan.outside.clone(),
        players: game.players(),
        others: plan.others.len(),
        names: plan.records.then_some(names),
    };
    let (layout, space) = (Layout::of(game), ActionSpace::of(game, filter));
    Ok(Box::new(Vector { parts, rng: sampler(plan.seed), deals, layout, space }))
}

/// The stream of [`MatchVector::sample`]: no match has this number.
fn sampler(seed: u64) -> Pcg32 {
    BlockSeed::new(seed, u64::MAX).stream(Stream::Study, None, 0)
}

/// A part with its share of what is told.
struct Job<'a, G: Arrays + Wording, K: Agent<G>> {
    part: &'a mut Part<G, K>,
    told: Told<'a>,
    actions: &'a [i32],
    ended: Vec<Ended>,
    failed: Option<BadStep>,
}

impl<G: Arrays + Wording, K: Agent<G>> Vector<G, K> {
    fn matches(&self) -> usize {
        self.parts.iter().map(|part| part.matches).sum()
    }

    fn lanes(&self) -> impl Iterator<Item = &Lane<G>> {
        self.parts.iter().flat_map(|part| &part.lanes)
    }

    fn check(&self, told: &Told<'_>) -> Result<(), BadStep> {
        let matches = self.matches();
        let seen = match &told.seen {
            Seen::Nowhere => matches * self.layout.length,
            Seen::Short(numbers) => numbers.len(),
            Seen::Float(numbers) => numbers.len(),
        };
        let fits = |array, length: usize, each: usize| {
            if length == matches * each { Ok(()) } else { Err(BadStep::Size(array, matches)) }
        };
        fits("the array of observations", seen, self.layout.length)?;
        fits("the array of seats", told.seats.len(), 1)?;
        fits("the array of deals", told.deals.len(), 1)?;
        match told.masks.len() {
            0 => Ok(()),
            length => fits("the array of masks", length, self.space.count),
        }
    }

    /// Does something with each part, on all threads that there are, and tells of its matches.
    fn each_part(
        &mut self,
        actions: &[i32],
        told: Told<'_>,
        play: impl Fn(&mut Job<'_, G, K>, &Deals, &ActionSpace, usize) -> Result<(), BadStep> + Sync,
    ) -> Result<Vec<Ended>, BadStep> {
        let Vector { parts, deals, layout, space, .. } = self;
        let wanted = if matches!(told.seen, Seen::Nowhere) { 0 } else { layout.length };
        let mut jobs = shared(parts, actions, told, (layout.length, space.count));
        let run = |job: &mut Job<'_, G, K>| {
            let played = play(job, deals, space, wanted);
            job.failed = played.err();
            job.tell(layout.length, space.count);
        };
        match jobs.as_mut_slice() {
            [job] => run(job),
            jobs => jobs.par_iter_mut().for_each(run),
        }
        if let Some(failed) = jobs.iter_mut().find_map(|job| job.failed.take()) {
            return Err(failed);
        }
        Ok(jobs.into_iter().flat_map(|job| job.ended).collect())
    }
}

/// The parts with their shares of arrays.
fn shared<'a, G: Arrays + Wording, K: Agent<G>>(
    parts: &'a mut [Part<G, K>],
    mut actions: &'a [i32],
    mut told: Told<'a>,
    (length, count): (usize, usize),
) -> Vec<Job<'a, G, K>> {
    let mut jobs = Vec::with_capacity(parts.len());
    for part in parts {
        let matches = part.matches;
        let seen = match &mut told.seen {
            Seen::Nowhere => Seen::Nowhere,
            Seen::Short(rest) => {
                Seen::Short(rest.split_off_mut(..matches * length).unwrap_or_default())
            }
            Seen::Float(rest) => {
                Seen::Float(rest.split_off_mut(..matches * length).unwrap_or_default())
            }
        };
        // Nothing is left of masks if nobody wants them.
        let masks = told.masks.split_off_mut(..matches * count).unwrap_or_default();
        let seats = told.seats.split_off_mut(..matches).unwrap_or_default();
        let deals = told.deals.split_off_mut(..matches).unwrap_or_default();
        let (here, rest) = actions.split_at(matches.min(actions.len()));
        actions = rest;
        let told = Told { seen, masks, seats, deals };
        jobs.push(Job { part, told, actions: here, ended: Vec::new(), failed: None });
    }
    jobs
}

impl<G: Arrays + Wording, K: Agent<G>> Job<'_, G, K> {
    fn deal(&mut self, deals: &Deals, space: &ActionSpace, length: usize) -> Result<(), BadStep> {
        let Part { host, lanes, first, matches, .. } = &mut *self.part;
        let mut tools = Tools { host, deals, space, length };
        let failed = |place, reason| BadStep::Player { place, reason };
        if !lanes.is_empty() {
            return lanes.iter_mut().enumerate().try_for_each(|(at, lane)| {
                lane.next(&mut tools).map_err(|reason| failed(*first + at, reason))
            });
        }
        for place in *first..*first + *matches {
            let lane = Lane::open(place, &mut tools).map_err(|reason| failed(place, reason))?;
            lanes.push(lane);
        }
        Ok(())
    }

    /// Takes the actions that are at these places of the legal lists.
    fn take(&mut self, deals: &Deals, space: &ActionSpace, length: usize) -> Result<(), BadStep> {
        let Part { host, lanes, first, .. } = &mut *self.part;
        let mut tools = Tools { host, deals, space, length };
        for (at, (lane, &place)) in lanes.iter_mut().zip(self.actions).enumerate() {
            let Ok(place) = usize::try_from(place) else { continue };
            lane.take(place, &mut tools, &mut self.ended)
                .map_err(|reason| BadStep::Player { place: *first + at, reason })?;
        }
        Ok(())
    }

    fn tell(&mut self, length: usize, count: usize) {
        let Part { host, lanes, numbers, .. } = &mut *self.part;
        let game = host.game();
        let Told { seen, masks, seats, deals } = &mut self.told;
        for ((seat, deal), lane) in seats.iter_mut().zip(deals.iter_mut()).zip(&*lanes) {
            (*seat, *deal) = (lane.asked.number(), lane.deal());
        }
        match seen {
            Seen::Nowhere => {}
            Seen::Short(all) => {
                for (out, lane) in all.chunks_exact_mut(length).zip(&*lanes) {
                    lane.fill(game, out);
                }
            }
            Seen::Float(all) => {
                numbers.resize(length, 0);
                for (out, lane) in all.chunks_exact_mut(length).zip(&*lanes) {
                    lane.fill(game, numbers);
                    for (out, &number) in out.iter_mut().zip(&*numbers) {
                        *out = f32::from(number);
                    }
                }
            }
        }
        for (mask, lane) in masks.chunks_exact_mut(count).zip(&*lanes) {
            mask.fill(0);
            for &number in &lane.numbers {
                mask[number as usize] = 1;
            }
        }
    }
}

impl<G: Arrays + Wording, K: Agent<G> + Send> MatchVector for Vector<G, K> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn space(&self) -> &ActionSpace {
        &self.space
    }

    fn reset(&mut self, seed: Option<u64>, told: Told<'_>) -> Result<(), BadStep> {
        self.check(&told)?;
        if let Some(seed) = seed {
            self.deals.seed = seed;
            self.rng = sampler(seed);
            self.parts.iter_mut().for_each(|part| part.lanes.clear());
        }
        let deal = |job: &mut Job<'_, G, K>, deals: &Deals, space: &ActionSpace, length| {
            job.deal(deals, space, length)
        };
        self.each_part(&[], told, deal).map(drop)
    }

    fn step(&mut self, actions: &[i32], by: By, told: Told<'_>) -> Result<Vec<Ended>, BadStep> {
        self.check(&told)?;
        if self.lanes().count() != actions.len() {
            return Err(BadStep::Size("the array of actions", self.matches()));
        }
        let mut places = Vec::with_capacity(actions.len());
        for (place, (lane, &action)) in self.lanes().zip(actions).enumerate() {
            places.push(if action == LEAVE {
                LEAVE
            } else {
                let is_it = |number: &u32| i64::from(*number) == i64::from(action);
                let found = match by {
                    By::Number => lane.numbers.iter().position(is_it),
                    By::Place => usize::try_from(action).ok().filter(|&at| at < lane.legal.len()),
                };
                let found = found.ok_or(BadStep::Action { place, action })?;
                i32::try_from(found).expect("a short list")
            });
        }
        let take = |job: &mut Job<'_, G, K>, deals: &Deals, space: &ActionSpace, length| {
            job.take(deals, space, length)
        };
        self.each_part(&places, told, take)
    }

    fn lists(&self) -> Lists {
        let mut lists = Lists { starts: vec![0], numbers: Vec::new(), columns: Vec::new() };
        for part in &self.parts {
            let game = part.host.game();
            for lane in &part.lanes {
                for (&action, &number) in lane.legal.iter().zip(&lane.numbers) {
                    let action = game.action_numbers(lane.asked, action);
                    lists.columns.extend(columns(&action));
                    lists.numbers.push(i32::try_from(number).expect("few actions"));
                }
                lists.starts.push(i64::try_from(lists.numbers.len()).expect("they fit memory"));
            }
        }
        lists
    }

    fn sample(&mut self, by: By) -> Vec<i32> {
        let Vector { parts, rng, .. } = self;
        let lanes = parts.iter().flat_map(|part| &part.lanes);
        let draw = |lane: &Lane<G>| {
            let place = uniform(rng, lane.legal.len());
            match by {
                By::Number => i32::try_from(lane.numbers[place]).expect("few actions"),
                By::Place => i32::try_from(place).expect("a short list"),
            }
        };
        lanes.map(draw).collect()
    }

    fn seen(&self, place: usize, seat: Seat) -> Option<Vec<i16>> {
        let host = &self.parts.first()?.host;
        self.lanes().nth(place)?.seen(host.game(), seat, self.layout.length)
    }

    fn record(&self, place: usize) -> &str {
        self.lanes().nth(place).map_or("", Lane::record)
    }
}
