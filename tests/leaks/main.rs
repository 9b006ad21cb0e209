//! No honest agent sees a hidden card: it chooses the same in twin positions that only others can tell apart.
//!
//! Every seat of a match gets a twin of the match in which something that it has not seen is otherwise: from
//! its decision, or from the luck that it doesn't see, until something shows the difference. Up to then the
//! seat's events, view, memory, legal list and choices must be the same in both, the events byte by byte. And
//! the events alone make the memory: written down and read back, they give the same. So does every byte that a guest is
//! sent: events, views, legal lists, words and numbers.

mod arrays;
mod base;
mod boats;
mod in_words;
mod on_the_road;
mod struggle;
mod two_player;

use fairhaven::core::agent::{Agent, Everything, Player};
use fairhaven::core::chance::{Chance, ChanceEvent, Luck, RandomChance};
use fairhaven::core::game::{ActionFilter, Game, Observation, SeatEvent, SeatMemory, Step, Turn};
use fairhaven::core::guest::Asked;
use fairhaven::core::record::ObservedChance;
use fairhaven::core::seed::{BlockSeed, Stream};
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::core::watch::Watch;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::explain::examples::Features;
use fairhaven::sim::guests::protocol::Want;
use fairhaven::sim::guests::teller::Teller;
use rand_core::Rng;
use rand_pcg::Pcg32;
use std::collections::BTreeSet;
use std::io::Write;

/// What a game hides, and what shows it.
trait Hidden: Playable {
    /// Every kind of honest agent.
    const HONEST: &'static [&'static str];
    /// Decisions of one match at most.
    const LENGTH: u32;
    /// What was changed.
    type Change: Copy;
    /// The change that other luck makes.
    const OTHER_LUCK: Self::Change;

    /// The position with something changed that a seat has not seen, if there is such a thing.
    fn change(
        &self,
        state: &Self::State,
        memory: &Self::Memory,
        seat: Seat,
        rng: &mut Pcg32,
    ) -> Option<(Self::State, Self::Change)>;

    /// Whether a seat doesn't see the result of an event.
    fn is_unseen(
        &self,
        before: &Self::State,
        action: Self::Action,
        seat: Seat,
        event: &ChanceEvent<Self::Draw>,
    ) -> bool;

    /// The luck of an event in the changed position; `None` if that shows the change.
    fn echo(
        change: Self::Change,
        seat: Seat,
        unseen: bool,
        event: &ChanceEvent<Self::Draw>,
        possible: &[u8],
    ) -> Option<u8>;

    /// Whether an action shows a seat the difference of two positions, by the rules.
    fn shows(
        &self,
        seat: Seat,
        here: &Self::State,
        there: &Self::State,
        action: Self::Action,
    ) -> bool;
}

/// A match in which a seat's observation is the same.
struct Twin<G: Hidden> {
    state: G::State,
    memory: G::Memory,
    change: G::Change,
}

/// Chance that `choose` derives from recorded events, given the number of the event and what is possible.
struct Echo<'a, D, F> {
    events: &'a [ChanceEvent<D>],
    next: usize,
    choose: F,
    /// Whether every event had its counterpart.
    fits: bool,
}

impl<D: Luck, F: FnMut(usize, &ChanceEvent<D>, &[u8]) -> Option<u8>> Echo<'_, D, F> {
    fn take(&mut self, draw: D, possible: &[u8]) -> u8 {
        let event = self.events.get(self.next).filter(|event| event.draw == draw);
        let said = event.and_then(|event| (self.choose)(self.next, event, possible));
        self.next += 1;
        let said = said.filter(|outcome| possible.contains(outcome));
        self.fits &= said.is_some();
        said.unwrap_or(possible[0])
    }
}

impl<D: Luck, F: FnMut(usize, &ChanceEvent<D>, &[u8]) -> Option<u8>> Chance<D> for Echo<'_, D, F> {
    fn start_turn(&mut self, _turn: u16) {}

    fn card(&mut self, draw: D, among: u64) -> u8 {
        let possible: Vec<u8> = (0..64).filter(|card| among >> card & 1 == 1).collect();
        self.take(draw, &possible)
    }

    fn kind(&mut self, draw: D, counts: &[u8]) -> u8 {
        let kinds = (0_u8..).zip(counts);
        let possible: Vec<u8> = kinds.filter(|&(_, n)| *n > 0).map(|(kind, _)| kind).collect();
        self.take(draw, &possible)
    }
}

fn below(rng: &mut Pcg32, bound: usize) -> usize {
    usize::try_from(rng.next_u32()).expect("64 bits") % bound
}

/// One match with what every seat remembers, and a twin of it for every seat.
struct Table<G: Hidden> {
    game: G,
    state: G::State,
    chance: RandomChance,
    rng: Pcg32,
    memories: Vec<G::Memory>,
    /// The events of each seat since the deal, as they are written down.
    logs: Vec<Vec<u8>>,
    twins: Vec<Option<Twin<G>>>,
    honest: Vec<(&'static str, Box<dyn Agent<G>>)>,
    oracle: Player<G, G::Special>,
    /// What a guest is told that wants everything.
    teller: Teller<G>,
    tally: Tally,
}

/// What has been compared, so that the test can't pass without having looked.
#[derive(Debug, Default)]
struct Tally {
    choices: u32,
    /// Positions whose features were compared.
    features: u32,
    twins: u32,
    /// Twins that other luck made.
    lucky: u32,
    /// Events through which a twin remained a twin.
    steps: u32,
    /// Events that were written down and read back.
    events: u32,
    /// Names of these events.
    heard: BTreeSet<String>,
    /// Decisions at which the oracle chose differently.
    oracle: u32,
    /// Questions to guests that were compared byte by byte, and how many differ once they leak the position.
    questions: u32,
    leaking: u32,
    /// What people are told.
    words: in_words::Words,
    /// What programs that learn get in arrays.
    numbers: arrays::Numbers,
}

fn make<G: Playable>(name: &str, game: &G) -> Player<G, G::Special> {
    let spec = AgentSpec::parse(name, None).expect("a known agent");
    spec.make(game, &Watch::none()).expect("sound parameters")
}

/// An agent that sees what its seat sees.
fn honest<G: Playable>(name: &str, game: &G) -> Box<dyn Agent<G>> {
    match make(name, game) {
        Player::Known(agent) => Box::new(agent),
        Player::Honest(agent) => agent,
        Player::Omniscient(_) => panic!("{name} sees everything"),
        Player::Guest(..) => panic!("{name} is outside"),
    }
}

impl<G: Hidden> Table<G> {
    fn deal(rules: G::Rules, players: u8, number: u64) -> Table<G> {
        let game = G::new(rules, players).expect("rules in range");
        let seed = BlockSeed::new(77, number);
        let mut chance = RandomChance::new(seed);
        let mut events = Vec::new();
        let listener = |event| events.push(event);
        let state = game.deal(&mut ObservedChance { chance: &mut chance, listener });
        let deal = Step { action: None, chance: &events, after: &state };
        let memories = Seat::all(players).map(|seat| remembered(&game, seat, &deal)).collect();
        let logs = Seat::all(players).map(|seat| events_of(&game, &deal, seat)).collect();
        let honest = G::HONEST.iter().map(|&name| (name, honest(name, &game))).collect();
        let oracle = make("oracle:iterations=30", &game);
        let twins = Seat::all(players).map(|_| None).collect();
        let rng = seed.stream(Stream::Study, None, 0);
        let wants = vec![Want::Events, Want::Steps, Want::View, Want::Words, Want::Inputs];
        let (teller, tally) = (Teller::new(&game, wants), Tally::default());
        Table { game, state, chance, rng, memories, logs, twins, honest, oracle, teller, tally }
    }

    fn play(mut self) -> Tally {
        for _ in 0..G::LENGTH {
            let Turn::Decide(seat) = self.game.turn(&self.state) else { break };
            let renew = below(&mut self.rng, 4) == 0;
            if renew || self.twins[seat.idx()].is_none() {
                self.change_for(seat);
            }
            let mut choices = self.compare(seat);
            // Now one agent leads, now another, so that much of the game comes up.
            let leader = below(&mut self.rng, choices.len());
            self.act(choices.swap_remove(leader));
        }
        for (seat, log) in Seat::all(self.game.players()).zip(&self.logs) {
            let mut memory = G::Memory::new(&self.game, seat);
            for line in log.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
                let event: SeatEvent<G> = serde_json::from_slice(line).expect("it was written");
                memory.hear(event);
                let name = line.split(|&byte| byte == b'"').nth(1).expect("a name comes first");
                self.tally.heard.insert(String::from_utf8_lossy(name).into_owned());
                self.tally.events += 1;
            }
            assert_eq!(memory, self.memories[seat.idx()], "seat {seat} by its log");
        }
        self.tally
    }

    /// A new twin of a seat, if the position has something to be changed.
    fn change_for(&mut self, seat: Seat) {
        let memory = &self.memories[seat.idx()];
        let changed = self.game.change(&self.state, memory, seat, &mut self.rng);
        let Some((state, change)) = changed else { return };
        self.game.check(&state);
        self.tally.twins += 1;
        self.twins[seat.idx()] = Some(Twin { state, memory: memory.clone(), change });
    }

    fn observation<'a>(
        &self,
        state: &'a G::State,
        memory: &'a G::Memory,
        seat: Seat,
    ) -> Observation<'a, G> {
        Observation { seat, view: self.game.view(state, seat), memory }
    }

    /// What every agent does here; it must do the same in the twin.
    fn compare(&mut self, seat: Seat) -> Vec<G::Action> {
        let seed = self.rng.next_u64();
        let truth = self.observation(&self.state, &self.memories[seat.idx()], seat);
        let mut chosen = Vec::new();
        let (mut legal, mut legal_twin) = (Actions::new(), Actions::new());
        for (name, agent) in &mut self.honest {
            self.game.legal(&self.state, agent.action_filter(), &mut legal);
            let listed = legal.clone();
            let idx = agent.choose(&truth, &mut legal, &mut Pcg32::new(seed, 5));
            chosen.push(legal[idx]);
            let Some(twin) = &self.twins[seat.idx()] else { continue };
            self.game.legal(&twin.state, agent.action_filter(), &mut legal_twin);
            assert_eq!(listed, legal_twin, "the legal list gives something away");
            let view = self.game.view(&twin.state, seat);
            let seen = Observation { seat, view, memory: &twin.memory };
            // A new agent: choices depend only on what is given, not on what was chosen before.
            let mut agent = honest(name, &self.game);
            let same = agent.choose(&seen, &mut legal_twin, &mut Pcg32::new(seed, 5));
            assert_eq!(idx, same, "{name} sees through cards");
            assert_eq!(legal, legal_twin, "{name} appended something else");
            self.tally.choices += 1;
        }
        self.compare_features(seat, seed);
        self.compare_questions(seat);
        self.compare_tables(seat);
        self.compare_arrays(seat);
        self.compare_scenes();
        self.ask_oracle(seat, seed);
        chosen
    }

    /// What is exported of a position as a seat knows it is the same in the twin, bit by bit.
    fn compare_features(&mut self, seat: Seat, seed: u64) {
        let Some(twin) = &self.twins[seat.idx()] else { return };
        let twins = [(&self.state, &self.memories[seat.idx()]), (&twin.state, &twin.memory)];
        let [here, there] = twins.map(|(state, memory)| {
            let seen = self.observation(state, memory, seat);
            let known =
                Features::new(&self.game, 3).known(&self.game, &seen, BlockSeed::new(seed, 0));
            [known.0, known.1].concat()
        });
        let bits =
            |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<u32>>();
        assert_eq!(bits(&here), bits(&there), "features give something away");
        self.tally.features += u32::from(!here.is_empty());
    }

    /// What a guest is sent with a question is the same in the twin, byte by byte: the legal list, words, view and
    /// numbers. A message that leaks the position on purpose is not, so the comparison would find a leak.
    fn compare_questions(&mut self, seat: Seat) {
        let Some(twin) = &self.twins[seat.idx()] else { return };
        let twins = [(&self.state, &self.memories[seat.idx()]), (&twin.state, &twin.memory)];
        let [here, there] = twins.map(|(state, memory)| {
            let seen = Observation { seat, view: self.game.view(state, seat), memory };
            let mut legal = Actions::new();
            self.game.legal(state, ActionFilter::Full, &mut legal);
            let phase = self.game.phase_name(state);
            let asked = Asked { turn: self.game.turn_number(state), phase };
            let mut lines = Vec::new();
            self.teller.asks((1, 2), asked, (&seen, &legal), &mut lines);
            let mut leak = lines.clone();
            write!(leak, "{state:?}").expect("a vector takes any line");
            (lines, leak)
        });
        assert!(here.0 == there.0, "a question gives something away");
        self.tally.questions += 1;
        self.tally.leaking += u32::from(here.1 != there.1);
    }

    fn ask_oracle(&mut self, seat: Seat, seed: u64) {
        let Player::Omniscient(oracle) = &mut self.oracle else { panic!("the oracle is honest") };
        let Some(twin) = &self.twins[seat.idx()] else { return };
        let twins = [(self.state, &self.memories[seat.idx()]), (twin.state, &twin.memory)];
        let [here, there] = twins.map(|(state, memory)| {
            let seen = Observation { seat, view: self.game.view(&state, seat), memory };
            let mut legal = Actions::new();
            self.game.legal(&state, ActionFilter::Full, &mut legal);
            let all = Everything { state: &state, seen };
            let idx = oracle.choose(&all, &mut legal, &mut Pcg32::new(seed, 5));
            legal[idx]
        });
        self.tally.oracle += u32::from(here != there);
    }

    /// Carries out an action, here and in every twin where the seat can't see a difference.
    fn act(&mut self, action: G::Action) {
        let before = self.state;
        let olds = self.memories.clone();
        let mut events = Vec::new();
        self.game.permits(&before, action).expect("agents choose what is permitted");
        let mut heard =
            ObservedChance { chance: &mut self.chance, listener: |event| events.push(event) };
        self.game.apply(&mut self.state, action, &mut heard);
        let after = self.state;
        self.state = before;
        self.compare_actions(action, &after, &events);
        self.state = after;
        let step = Step { action: Some((&before, action)), chance: &events, after: &self.state };
        let seats = Seat::all(self.game.players());
        let heard: Vec<Vec<u8>> =
            seats.clone().map(|seat| events_of(&self.game, &step, seat)).collect();
        for (seat, heard) in seats.zip(&heard) {
            step.remember(&self.game, seat, &mut self.memories[seat.idx()]);
            self.logs[seat.idx()].extend(heard);
        }
        for (seat, memory) in Seat::all(self.game.players()).zip(olds) {
            let twin = self.twins[seat.idx()].take();
            let twin = twin.and_then(|twin| {
                let shown = self.game.shows(seat, &before, &twin.state, action);
                let quiet = events.is_empty() && G::stands(&before, action).is_none();
                assert!(!shown || !quiet, "`{action}` can't be taken back: it shows something");
                let lawful = self.game.permits(&twin.state, action).is_ok();
                (lawful && !shown).then_some(twin)
            });
            let twin = twin.and_then(|twin| {
                let heard = (&heard[seat.idx()], &before);
                self.follow(twin, seat, (action, &events), heard, None)
            });
            let unseen =
                events.iter().position(|event| self.game.is_unseen(&before, action, seat, event));
            self.twins[seat.idx()] = match (twin, unseen) {
                (None, Some(at)) => {
                    let twin = Twin { state: before, memory, change: G::OTHER_LUCK };
                    let heard = (&heard[seat.idx()], &before);
                    let twin = self.follow(twin, seat, (action, &events), heard, Some(at));
                    self.tally.lucky += u32::from(twin.is_some());
                    twin
                }
                (twin, _) => twin,
            };
        }
    }

    /// The twin after the same action and the same luck, except for an event that gives `otherwise`; or
    /// `None` if that luck is impossible, or shows the change. The seat must hear in it what it `heard` here.
    fn follow(
        &mut self,
        mut twin: Twin<G>,
        seat: Seat,
        (action, events): (G::Action, &[ChanceEvent<G::Draw>]),
        (heard, truly): (&Vec<u8>, &G::State),
        otherwise: Option<usize>,
    ) -> Option<Twin<G>> {
        let before = twin.state;
        let mut state = before;
        let mut told = Vec::new();
        let (game, rng) = (&self.game, &mut self.rng);
        let choose = |number: usize, event: &ChanceEvent<G::Draw>, possible: &[u8]| {
            if otherwise == Some(number) {
                let mut others = possible.to_vec();
                others.retain(|&outcome| outcome != event.outcome);
                return (!others.is_empty()).then(|| others[below(rng, others.len())]);
            }
            let unseen = game.is_unseen(&before, action, seat, event);
            G::echo(twin.change, seat, unseen, event, possible)
        };
        let mut echo = Echo { events, next: 0, choose, fits: true };
        let listener = |event| told.push(event);
        self.game.apply(&mut state, action, &mut ObservedChance { chance: &mut echo, listener });
        if !echo.fits || echo.next != events.len() {
            return None;
        }
        let ends = [&self.state, &state].map(|state| self.game.turn(state) == Turn::Over);
        if ends != [false; 2] {
            // A player who has won shows why.
            return None;
        }
        self.game.check(&state);
        let there = Step { action: Some((&before, action)), chance: &told, after: &state };
        there.remember(&self.game, seat, &mut twin.memory);
        let heard_there = events_of(&self.game, &there, seat);
        assert_eq!(heard, &heard_there, "seat {seat} hears what it can't see of `{action}`");
        let after = self.state;
        let here = Step { action: Some((truly, action)), chance: events, after: &after };
        self.compare_step_texts(seat, [&here, &there]);
        twin.state = state;
        let memory = &self.memories[seat.idx()];
        let here = self.observation(&self.state, memory, seat);
        let there = self.observation(&twin.state, &twin.memory, seat);
        assert_eq!(here, there, "seat {seat} learns what it can't see from `{action}`");
        self.tally.steps += 1;
        Some(twin)
    }
}

/// A seat's memory of the deal.
fn remembered<G: Game>(game: &G, seat: Seat, deal: &Step<'_, G>) -> G::Memory {
    let mut memory = G::Memory::new(game, seat);
    deal.remember(game, seat, &mut memory);
    memory
}

/// What a seat may know of a step, a line for each event.
fn events_of<G: Game>(game: &G, step: &Step<'_, G>, seat: Seat) -> Vec<u8> {
    let mut lines = Vec::new();
    G::Memory::observe(game, step, seat, |event| {
        serde_json::to_writer(&mut lines, &event).expect("an event can be written");
        lines.push(b'\n');
    });
    lines
}

/// Plays the first half of some matches (of three, one), all if `FAIRHAVEN_CASES` is `all`, and asserts that enough has
/// been compared.
fn matches<G: Hidden>(rules: &G::Rules, players: u8, numbers: std::ops::Range<u64>) -> Tally {
    let plays_all = std::env::var("FAIRHAVEN_CASES").is_ok_and(|which| which == "all");
    let count = numbers.end - numbers.start;
    let count = if plays_all { count } else { (count / 2).max(1) };
    let mut all = Tally::default();
    for number in numbers.start..numbers.start + count {
        let tally = Table::<G>::deal(rules.clone(), players, number).play();
        all.choices += tally.choices;
        all.features += tally.features;
        all.twins += tally.twins;
        all.lucky += tally.lucky;
        all.steps += tally.steps;
        all.events += tally.events;
        all.heard.extend(tally.heard);
        all.oracle += tally.oracle;
        all.questions += tally.questions;
        all.leaking += tally.leaking;
        all.words.add(&tally.words);
        all.numbers.add(&tally.numbers);
    }
    all.words.check();
    all.numbers.check();
    let enough = all.choices > 1000 && all.twins > 50 && all.steps > 500 && all.events > 500;
    assert!(enough, "{all:?}");
    assert!(all.features > 50 || G::LESSON.is_none() && G::NET.is_none(), "{all:?}");
    assert!(all.oracle > 0, "the oracle notices nothing: the twins are no twins");
    // What was changed may have become the same again.
    assert!(all.questions > 50 && all.leaking > all.questions * 9 / 10, "{all:?}");
    all
}
