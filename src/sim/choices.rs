//! What agents that search have chosen in the blocks that are being played, so that a run that is killed in the midst
//! of a block need not think about it again.
//!
//! A block is played from its start and by one thread, so its choices are a list. Where a run is resumed, the blocks in
//! progress are played again from their start, and each agent that is asked gets the choice that is next in the list
//! of its block; behind the list's end it thinks. A choice is returned with what the agent would have changed:
//! where its stream of random numbers stands, and its count of iterations. Nothing else is carried from one decision to
//! the next: trees are cleared, and memories are kept by whoever plays the match.
//!
//! A choice has a digest of what was asked (where the stream stood, the seat, the length of the legal list). If it is
//! another one, the list belongs to something else: that is a fault, and nothing that is played behind it counts.

use crate::core::agent::{Agent, Player, Sight};
use crate::core::game::{ActionFilter, Game};
use crate::core::seed::mix;
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// The most bytes of choices that are kept, those of all blocks in progress together. A choice has some 20; what
/// comes behind this is played again where a run is resumed.
pub const CHOICES_MAX: usize = 1 << 26;

/// The choices of a block: the stage of a search that it belongs to (0 in a study), its number, and a list of choices
/// in postcard's format.
pub type ChosenInBlock = (u64, u64, Vec<u8>);

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Choice {
    /// A digest of what was asked.
    asked: u32,
    /// The place in the legal list; if it is an action beyond it, the length of the list.
    place: u16,
    /// That action, as JSON.
    unlisted: Option<String>,
    /// Iterations of the search.
    iterations: u32,
    /// Where the agent's stream of random numbers stands behind it: state and increment.
    stream: [u64; 2],
}

/// The choices of all blocks in progress of a run.
#[derive(Debug)]
pub struct Choices {
    kept: Mutex<Kept>,
    /// Whether nothing that is played from now on counts.
    over: AtomicBool,
    /// Whether the run was asked to stop: what a search then answers is no choice.
    watch: Watch,
}

#[derive(Debug, Default)]
struct Kept {
    stage: u64,
    /// By stage and block.
    blocks: BTreeMap<(u64, u64), Vec<u8>>,
    /// Bytes of all of them.
    bytes: usize,
    /// Whether there are others than when somebody last looked.
    changed: bool,
    fault: Option<&'static str>,
}

impl Choices {
    /// None yet.
    pub fn new(watch: &Watch) -> Choices {
        Choices { kept: Mutex::default(), over: AtomicBool::new(false), watch: watch.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("nobody panics with the choices")
    }

    /// Puts in what was chosen before the run was resumed.
    pub fn put(&self, chosen: Vec<ChosenInBlock>) {
        let mut kept = self.lock();
        for (stage, block, choices) in chosen {
            kept.bytes += choices.len();
            kept.blocks.insert((stage, block), choices);
        }
    }

    /// All choices, in the order of their blocks, if there are others than at the last call.
    pub fn changed(&self) -> Option<Vec<ChosenInBlock>> {
        let mut kept = self.lock();
        let chosen = |(&(stage, block), choices): (&(u64, u64), &Vec<u8>)| {
            (!choices.is_empty()).then(|| (stage, block, choices.clone()))
        };
        std::mem::take(&mut kept.changed).then(|| kept.blocks.iter().filter_map(chosen).collect())
    }

    /// Whether there are choices of another stage than this one. What came of it has to be on the disk before this
    /// one begins.
    pub fn has_other_than(&self, stage: u64) -> bool {
        self.lock().blocks.keys().any(|&(other, _)| other != stage)
    }

    /// Begins a stage of a search, or goes on with it: choices of others are forgotten.
    pub fn begin_stage(&self, stage: u64) {
        let mut kept = self.lock();
        kept.stage = stage;
        kept.retain(|&(other, _)| other == stage);
    }

    /// Forgets the choices of all blocks before one: what came of them is on the disk.
    pub fn forget_before(&self, block: u64) {
        self.lock().retain(|&(_, other)| other >= block);
    }

    /// Whether nothing that is played from now on counts.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// From now on nothing counts, since choices can't be kept any more.
    pub fn give_up(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// What is wrong with the choices that were put in, if that has shown.
    pub fn fault(&self) -> Option<&'static str> {
        self.lock().fault
    }

    fn fail(&self, fault: &'static str) {
        self.lock().fault = Some(fault);
        self.give_up();
    }
}

impl Kept {
    fn retain(&mut self, is_kept: impl Fn(&(u64, u64)) -> bool) {
        let before = self.blocks.len();
        self.blocks.retain(|key, _| is_kept(key));
        self.bytes = self.blocks.values().map(Vec::len).sum();
        self.changed |= self.blocks.len() != before;
    }
}

/// Where the agents of one thread note their choices. One that no agent uses costs a look at a flag in each block.
#[derive(Debug, Clone, Default)]
pub struct Pad(Arc<Sheet>);

#[derive(Debug, Default)]
struct Sheet {
    /// Where the choices are kept; nothing if no agent at this pad searches.
    choices: OnceLock<Arc<Choices>>,
    /// The block that is being played, and its match.
    block: AtomicU64,
    number: AtomicU64,
    at: Mutex<Position>,
}

/// How far the list of a block was read.
#[derive(Debug, Default)]
struct Position {
    key: (u64, u64),
    known: Vec<u8>,
    read: usize,
    /// Whether a choice could not be kept: none that follows is of use.
    full: bool,
}

impl Pad {
    /// A block begins: its matches follow one another at this pad.
    pub fn begin(&self, block: u64) {
        self.0.block.store(block, Ordering::Relaxed);
        self.enter(0);
        let Some(choices) = self.0.choices.get() else { return };
        let kept = choices.lock();
        let key = (kept.stage, block);
        let known = kept.blocks.get(&key).cloned().unwrap_or_default();
        *self.at() = Position { key, known, read: 0, full: false };
    }

    /// A match of the block begins.
    pub fn enter(&self, number: u64) {
        self.0.number.store(number, Ordering::Relaxed);
    }

    /// The match that is being played: its block, and its number there.
    pub fn place(&self) -> (u64, u64) {
        let Sheet { block, number, .. } = &*self.0;
        (block.load(Ordering::Relaxed), number.load(Ordering::Relaxed))
    }

    /// Keeps the choices of an agent that searches; other agents are left as they are.
    pub fn keep<G: Game, K: Agent<G>>(
        &self,
        choices: &Arc<Choices>,
        player: Player<G, K>,
    ) -> Player<G, K> {
        match player {
            Player::Honest(agent) if agent.remembers() => {
                Player::Honest(Box::new(self.noting(choices, agent)))
            }
            Player::Omniscient(agent) => Player::Omniscient(Box::new(self.noting(choices, agent))),
            Player::Known(_) | Player::Honest(_) | Player::Guest(..) => player,
        }
    }

    fn noting<A>(&self, choices: &Arc<Choices>, agent: A) -> Noting<A> {
        self.0.choices.get_or_init(|| Arc::clone(choices));
        Noting { agent, choices: Arc::clone(choices), pad: self.clone(), iterations: 0 }
    }

    fn at(&self) -> MutexGuard<'_, Position> {
        self.0.at.lock().expect("nobody panics with the pad")
    }

    /// The next choice of the list; nothing behind its end.
    fn next(&self) -> Option<Result<Choice, postcard::Error>> {
        let mut at = self.at();
        let rest = at.known.get(at.read..).filter(|rest| !rest.is_empty())?;
        let taken =
            postcard::take_from_bytes::<Choice>(rest).map(|(choice, rest)| (choice, rest.len()));
        Some(taken.map(|(choice, rest)| {
            at.read = at.known.len() - rest;
            choice
        }))
    }

    /// Adds a choice to the list.
    fn note(&self, choices: &Choices, choice: &Choice) {
        let mut at = self.at();
        let bytes = postcard::to_stdvec(choice).expect("writing to memory");
        let mut kept = choices.lock();
        at.full |= kept.bytes + bytes.len() > CHOICES_MAX;
        if !at.full {
            kept.bytes += bytes.len();
            kept.changed = true;
            kept.blocks.entry(at.key).or_default().extend(bytes);
        }
    }
}

/// An agent whose choices are kept.
struct Noting<A> {
    agent: A,
    choices: Arc<Choices>,
    pad: Pad,
    /// Iterations since somebody asked, those of choices that were kept included.
    iterations: u64,
}

impl<A> Noting<A> {
    /// The choice that is next in the list, or what the agent says: the place in the legal list, and its iterations.
    fn noted<T: Copy + Serialize + for<'a> Deserialize<'a>>(
        &mut self,
        seat: Seat,
        legal: &mut Actions<T>,
        rng: &mut Pcg32,
        think: impl FnOnce(&mut A, &mut Actions<T>, &mut Pcg32) -> (usize, u64),
    ) -> usize {
        if self.choices.is_over() {
            return 0;
        }
        let (listed, asked) = (legal.len(), digest(seat, legal.len(), rng));
        if let Some(choice) = self.pad.next() {
            let fits = choice.ok().filter(|choice| choice.asked == asked);
            return fits.and_then(|choice| self.take(choice, legal, rng)).unwrap_or_else(|| {
                self.choices.fail("holds choices that don't fit the matches");
                0
            });
        }
        let (place, iterations) = think(&mut self.agent, legal, rng);
        self.iterations += iterations;
        if !self.choices.watch.is_stopped() {
            let unlisted = legal.get(place).filter(|_| place >= listed);
            let unlisted =
                unlisted.map(|action| serde_json::to_string(action).expect("an action is JSON"));
            let place = u16::try_from(place.min(listed)).expect("a short list");
            let iterations = u32::try_from(iterations).unwrap_or(u32::MAX);
            let choice = Choice { asked, place, unlisted, iterations, stream: words(rng) };
            self.pad.note(&self.choices, &choice);
        }
        place
    }

    /// Does what the agent did when it was asked. Nothing comes of a choice that can't be one.
    fn take<T: for<'a> Deserialize<'a>>(
        &mut self,
        choice: Choice,
        legal: &mut Actions<T>,
        rng: &mut Pcg32,
    ) -> Option<usize> {
        let place = usize::from(choice.place);
        match choice.unlisted {
            Some(action) if place == legal.len() => {
                legal.try_push(serde_json::from_str(&action).ok()?).ok()?;
            }
            None if place < legal.len() => (),
            _ => return None,
        }
        let [state, increment] = choice.stream;
        if words(rng)[1] != increment {
            return None;
        }
        *rng = postcard::from_bytes(&postcard::to_stdvec(&(state, increment)).ok()?).ok()?;
        self.iterations += u64::from(choice.iterations);
        Some(place)
    }
}

/// State and increment of a stream.
fn words(rng: &Pcg32) -> [u64; 2] {
    let mut bytes = [0; 24];
    let bytes = postcard::to_slice(rng, &mut bytes).expect("two words");
    postcard::from_bytes(bytes).expect("two words")
}

/// A digest of what is asked.
#[allow(clippy::cast_possible_truncation, reason = "the low half of a fold is what is meant")]
fn digest(seat: Seat, listed: usize, rng: &Pcg32) -> u32 {
    let [state, increment] = words(rng);
    let place = u64::from(seat.number()) << 32 | listed as u64;
    let hash = mix(mix(mix(state) ^ increment) ^ place);
    (hash ^ (hash >> 32)) as u32
}

impl<G: Game, S: Sight> Agent<G, S> for Noting<Box<dyn Agent<G, S>>> {
    fn action_filter(&self) -> ActionFilter {
        self.agent.action_filter()
    }

    fn remembers(&self) -> bool {
        self.agent.remembers()
    }

    fn choose(
        &mut self,
        seen: &S::Seen<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        self.noted(S::observation(seen).seat, legal, rng, |agent, legal, rng| {
            (agent.choose(seen, legal, rng), agent.take_iterations())
        })
    }

    fn take_iterations(&mut self) -> u64 {
        std::mem::take(&mut self.iterations)
    }
}
