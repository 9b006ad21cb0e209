//! No honest agent sees a hidden card: it chooses the same in twin positions that only others can tell apart.
//!
//! Every seat of a match gets a twin of the position in which two cards that it has not seen change places,
//! from its decision until something shows the difference. Up to then the seat's view, memory, legal list
//! and choices must be the same in both.

use fairhaven::agent::Player;
use fairhaven::chance::Chance;
use fairhaven::chance::ChanceEvent;
use fairhaven::chance::Luck;
use fairhaven::chance::RandomChance;
use fairhaven::game::Game;
use fairhaven::game::Happening;
use fairhaven::game::Menu;
use fairhaven::game::Observation;
use fairhaven::game::Turn;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::Action;
use fairhaven::games::on_the_road::cards::CardSet;
use fairhaven::games::on_the_road::cards::kind_of;
use fairhaven::games::on_the_road::memory::Memory;
use fairhaven::games::on_the_road::rules::Discards;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::games::on_the_road::rules::Side;
use fairhaven::games::on_the_road::state::State;
use fairhaven::record::Heard;
use fairhaven::registry::AgentSpec;
use fairhaven::seed::BlockSeed;
use fairhaven::seed::Stream;
use fairhaven::types::actions::Actions;
use fairhaven::types::seat::Seat;
use rand_core::Rng;
use rand_pcg::Pcg32;
use std::time::Duration;

/// Every kind of honest agent.
const HONEST: [&str; 8] = [
    "random",
    "builder",
    "drifter",
    "greedy",
    "heuristic",
    "skilled",
    "mcts:iterations=12",
    "mcts:iterations=8:opponents=heuristic:truncation=2",
];

/// Decisions of one match at most.
const DECISIONS: u32 = 500;

/// A position in which a seat's observation is the same.
struct Twin {
    state: State,
    memory: Memory,
    /// The cards that have changed places.
    swapped: [u8; 2],
}

impl Twin {
    /// The other name of a card.
    fn other(&self, card: u8) -> u8 {
        let [a, b] = self.swapped;
        if card == a {
            b
        } else if card == b {
            a
        } else {
            card
        }
    }
}

/// Repeats recorded events under the other names.
struct Echo<'a> {
    events: &'a [ChanceEvent],
    twin: &'a Twin,
    next: usize,
    /// Whether every event could be repeated.
    fits: bool,
}

impl Echo<'_> {
    fn take(&mut self, luck: Luck) -> Option<u8> {
        let event = self.events.get(self.next)?;
        self.next += 1;
        (event.luck == luck).then_some(event.outcome)
    }
}

impl Chance for Echo<'_> {
    fn start_turn(&mut self, _turn: u16) {}

    fn card(&mut self, luck: Luck, among: u64) -> u8 {
        let said = self.take(luck).map(|outcome| match luck.what {
            "draw" => self.twin.other(outcome),
            _ => outcome,
        });
        let fits = said.filter(|card| among >> card & 1 == 1);
        self.fits &= fits.is_some();
        fits.unwrap_or_else(|| u8::try_from(among.trailing_zeros()).expect("a card"))
    }

    fn kind(&mut self, luck: Luck, counts: &[u8]) -> u8 {
        let said = self.take(luck).filter(|&kind| counts[usize::from(kind)] > 0);
        self.fits &= said.is_some();
        let any = || counts.iter().position(|&count| count > 0).expect("a kind");
        said.unwrap_or_else(|| u8::try_from(any()).expect("few kinds"))
    }
}

fn below(rng: &mut Pcg32, bound: usize) -> usize {
    usize::try_from(rng.next_u32()).expect("64 bits") % bound
}

fn bits(set: CardSet) -> impl Iterator<Item = u8> {
    (0..64).filter(move |card| set >> card & 1 == 1)
}

/// One match with what every seat remembers, and a twin of it for every seat.
struct Table {
    game: OnTheRoad,
    state: State,
    chance: RandomChance,
    rng: Pcg32,
    memories: Vec<Memory>,
    twins: Vec<Option<Twin>>,
    honest: Vec<(&'static str, Player<OnTheRoad>)>,
    oracle: Player<OnTheRoad>,
    tally: Tally,
}

/// What has been compared, so that the test can't pass without having looked.
#[derive(Debug, Default)]
struct Tally {
    choices: u32,
    twins: u32,
    /// Events through which a twin remained a twin.
    steps: u32,
    /// Decisions at which the oracle chose differently.
    oracle: u32,
}

fn make(name: &str, game: &OnTheRoad) -> Player<OnTheRoad> {
    let spec = AgentSpec::parse(name, None).expect("a known agent");
    spec.make(game, || Duration::ZERO).expect("sound parameters")
}

impl Table {
    fn deal(rules: Rules, players: u8, number: u64) -> Table {
        let game = OnTheRoad::new(rules, players).expect("rules in range");
        let seed = BlockSeed::new(77, number);
        let mut chance = RandomChance::new(seed);
        let mut memories: Vec<Memory> = Seat::all(players).map(|seat| game.memory(seat)).collect();
        let tell = |event| {
            for memory in &mut memories {
                game.remember(memory, Happening::Chance(event));
            }
        };
        let state = game.deal(&mut Heard { chance: &mut chance, tell });
        let honest = HONEST.into_iter().map(|name| (name, make(name, &game))).collect();
        let oracle = make("oracle:iterations=30", &game);
        let twins = Seat::all(players).map(|_| None).collect();
        let rng = seed.stream(Stream::Study, None, 0);
        let tally = Tally::default();
        Table { game, state, chance, rng, memories, twins, honest, oracle, tally }
    }

    fn play(mut self) -> Tally {
        for _ in 0..DECISIONS {
            let Turn::Decide(seat) = self.game.turn(&self.state) else { break };
            let renew = below(&mut self.rng, 4) == 0;
            if renew || self.twins[seat.idx()].is_none() {
                self.twins[seat.idx()] = self.twin_for(seat);
            }
            let mut choices = self.compare(seat);
            // Now one agent leads, now another, so that much of the game comes up.
            let leader = below(&mut self.rng, choices.len());
            self.act(choices.swap_remove(leader));
        }
        self.tally
    }

    /// Two cards that a seat has not seen, of different kinds and in different places, change places.
    fn twin_for(&mut self, seat: Seat) -> Option<Twin> {
        let memory = self.memories[seat.idx()].clone();
        let mut unseen: Vec<(usize, u8)> = bits(self.state.pile).map(|card| (9, card)).collect();
        for other in Seat::all(self.game.players()).filter(|&other| other != seat) {
            let mut sure = memory.surely_held(other).counts();
            for card in bits(self.state.hands[other.idx()]) {
                let sure = &mut sure[kind_of(card).idx()];
                if *sure == 0 {
                    unseen.push((other.idx(), card));
                }
                *sure = sure.saturating_sub(1);
            }
        }
        let fits = |a: (usize, u8), b: (usize, u8)| a.0 != b.0 && kind_of(a.1) != kind_of(b.1);
        let hidden: Vec<(usize, u8)> = unseen.iter().copied().filter(|card| card.0 != 9).collect();
        if hidden.is_empty() {
            return None;
        }
        for _ in 0..20 {
            let a = hidden[below(&mut self.rng, hidden.len())];
            let b = unseen[below(&mut self.rng, unseen.len())];
            if fits(a, b) {
                let mut state = self.state;
                let both: CardSet = 1 << a.1 | 1 << b.1;
                state.hands[a.0] ^= both;
                *state.hands.get_mut(b.0).unwrap_or(&mut state.pile) ^= both;
                self.game.check(&state);
                self.tally.twins += 1;
                return Some(Twin { state, memory, swapped: [a.1, b.1] });
            }
        }
        None
    }

    fn observation(&self, state: &State, memory: &Memory, seat: Seat) -> Observation<OnTheRoad> {
        Observation { seat, view: self.game.view(state, seat), memory: memory.clone() }
    }

    /// What every agent does here; each must do the same in the twin.
    fn compare(&mut self, seat: Seat) -> Vec<Action> {
        let seed = self.rng.next_u64();
        let truth = self.observation(&self.state, &self.memories[seat.idx()], seat);
        let mut chosen = Vec::new();
        let (mut legal, mut legal_twin) = (Actions::new(), Actions::new());
        for (name, player) in &mut self.honest {
            let Player::Honest(agent) = player else { panic!("{name} sees everything") };
            self.game.legal(&self.state, agent.menu(), &mut legal);
            let listed = legal.clone();
            let idx = agent.choose(&truth, &mut legal, &mut Pcg32::new(seed, 5));
            chosen.push(legal[idx]);
            let Some(twin) = &self.twins[seat.idx()] else { continue };
            self.game.legal(&twin.state, agent.menu(), &mut legal_twin);
            assert_eq!(listed, legal_twin, "the legal list gives something away");
            let view = self.game.view(&twin.state, seat);
            let seen = Observation { seat, view, memory: twin.memory.clone() };
            // A new agent: choices depend on what is given alone, not on what was chosen before.
            let Player::Honest(mut agent) = make(name, &self.game) else { unreachable!() };
            let same = agent.choose(&seen, &mut legal_twin, &mut Pcg32::new(seed, 5));
            assert_eq!(idx, same, "{name} sees through cards");
            assert_eq!(legal, legal_twin, "{name} appended something else");
            self.tally.choices += 1;
        }
        self.ask_oracle(seat, seed);
        chosen
    }

    fn ask_oracle(&mut self, seat: Seat, seed: u64) {
        let Player::Seer(oracle) = &mut self.oracle else { panic!("the oracle is honest") };
        let Some(twin) = &self.twins[seat.idx()] else { return };
        let [here, there] = [self.state, twin.state].map(|state| {
            let mut legal = Actions::new();
            self.game.legal(&state, Menu::Full, &mut legal);
            let idx = oracle.choose(&state, seat, &mut legal, &mut Pcg32::new(seed, 5));
            legal[idx]
        });
        self.tally.oracle += u32::from(here != there);
    }

    /// Carries out an action, here and in every twin where the seat can't see a difference.
    fn act(&mut self, action: Action) {
        let before = self.state;
        let mut events = Vec::new();
        self.game.permits(&before, action).expect("agents choose what is permitted");
        let mut heard = Heard { chance: &mut self.chance, tell: |event| events.push(event) };
        self.game.apply(&mut self.state, action, &mut heard);
        for memory in &mut self.memories {
            remember(&self.game, memory, &before, action, &events);
        }
        for seat in Seat::all(self.game.players()) {
            if let Some(twin) = self.twins[seat.idx()].take() {
                self.twins[seat.idx()] = self.follow(twin, seat, action, &events);
            }
        }
    }

    /// The twin after the same action and the same luck, as long as its seat sees no difference.
    fn follow(
        &mut self,
        mut twin: Twin,
        seat: Seat,
        action: Action,
        events: &[ChanceEvent],
    ) -> Option<Twin> {
        let before = twin.state;
        let seen = |event: &ChanceEvent| {
            event.luck.seat == Some(seat) && twin.swapped.contains(&event.outcome)
        };
        if self.game.permits(&before, action).is_err() || events.iter().any(seen) {
            return None;
        }
        let mut state = before;
        let mut echo = Echo { events, twin: &twin, next: 0, fits: true };
        self.game.apply(&mut state, action, &mut echo);
        if !echo.fits || echo.next != events.len() {
            return None;
        }
        let heard: Vec<ChanceEvent> = events
            .iter()
            .map(|&event| match event.luck.what {
                "draw" => ChanceEvent { outcome: twin.other(event.outcome), ..event },
                _ => event,
            })
            .collect();
        remember(&self.game, &mut twin.memory, &before, action, &heard);
        twin.state = state;
        let memory = &self.memories[seat.idx()];
        let here = self.observation(&self.state, memory, seat);
        let there = self.observation(&twin.state, &twin.memory, seat);
        assert_eq!(here, there, "seat {seat} learns what it can't see from `{action}`");
        self.tally.steps += 1;
        Some(twin)
    }
}

fn remember(
    game: &OnTheRoad,
    memory: &mut Memory,
    before: &State,
    action: Action,
    events: &[ChanceEvent],
) {
    game.remember(memory, Happening::Action { before, action });
    for &event in events {
        game.remember(memory, Happening::Chance(event));
    }
}

fn matches(rules: &Rules, players: u8, numbers: std::ops::Range<u64>) {
    let (mut choices, mut twins, mut steps, mut oracle) = (0, 0, 0, 0);
    for number in numbers {
        let tally = Table::deal(rules.clone(), players, number).play();
        choices += tally.choices;
        twins += tally.twins;
        steps += tally.steps;
        oracle += tally.oracle;
    }
    let enough = choices > 1000 && twins > 50 && steps > 500;
    assert!(enough, "{choices} choices, {twins} twins, {steps} steps");
    assert!(oracle > 0, "the oracle notices nothing: the twins are no twins");
}

#[test]
fn twins_of_four() {
    matches(&Rules::default(), 4, 0..4);
}

#[test]
fn twins_of_three_with_hidden_discards() {
    let mut rules = Rules { side: Side::B, ..Rules::default() };
    rules.robber.discards = Discards::Hidden;
    rules.robber.hand_limit = 3;
    matches(&rules, 3, 10..14);
}

#[test]
fn twins_with_bluffs() {
    let mut rules = Rules { side: Side::Mixed, ..Rules::default() };
    rules.trade.bluff = true;
    matches(&rules, 3, 20..24);
}
