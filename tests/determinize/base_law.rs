//! Base CATAN: stories fed to a memory and to an enumeration of whole positions.
//!
//! Every action of a story is carried out in each position that is possible so far, by the rules. Luck that
//! the observer doesn't see comes out in every way, by its likelihood; a position in which the action is
//! forbidden, or after which the observer would see anything but what it does see, is struck out. It knows
//! nothing of memories, and no law but this: of cards that are shown, those come first that are there in
//! every position, and each way to take the others counts.

use crate::fit::Fit;
use fairhaven::core::chance::{Chance, ChanceEvent};
use fairhaven::core::game::{ActionFilter, Game, Observation, Step};
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::{PerSeat, Seat};
use fairhaven::games::base::Base;
use fairhaven::parts::bundles::Price;
use fairhaven::parts::island::action::Action;
use fairhaven::parts::island::cards::{Card, Cards};
use fairhaven::parts::island::luck::Draw;
use fairhaven::parts::island::memory::Memory;
use fairhaven::parts::island::rules::{Layout, Rules};
use fairhaven::parts::island::state::{Phase, Stage, State};
use rand_pcg::Pcg32;
use std::collections::BTreeMap;

/// The observer of every story.
pub const ME: Seat = Seat::FIRST;

/// Resource cards by kind.
pub type Counts = [u8; Resource::COUNT];

/// What the observer sees only in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hidden {
    pub hands: PerSeat<Resources>,
    pub chosen: PerSeat<Resources>,
    pub cards: PerSeat<Cards>,
    pub fresh: Cards,
}

/// Possible positions with their weights.
type Worlds = BTreeMap<Hidden, (State, f64)>;

fn hidden(state: &State) -> Hidden {
    let State { hands, chosen, cards, fresh, .. } = *state;
    Hidden { hands, chosen, cards, fresh }
}

/// The number of ways to choose `k` of `n` physical cards.
fn ways(n: u8, k: u8) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// Luck with given results; it keeps the likelihood of them all and what it was asked.
struct Told<'a> {
    outcomes: &'a [u8],
    likely: f64,
    events: Vec<ChanceEvent<Draw>>,
}

impl<'a> Told<'a> {
    fn new(outcomes: &'a [u8]) -> Told<'a> {
        Told { outcomes, likely: 1.0, events: Vec::new() }
    }

    fn next(&mut self, draw: Draw) -> u8 {
        let outcome = self.outcomes[self.events.len()];
        self.events.push(ChanceEvent { draw, outcome });
        outcome
    }
}

impl Chance<Draw> for Told<'_> {
    fn start_turn(&mut self, _turn: u16) {}

    fn card(&mut self, draw: Draw, _among: u64) -> u8 {
        self.next(draw)
    }

    fn kind(&mut self, draw: Draw, counts: &[u8]) -> u8 {
        let kind = self.next(draw);
        let all: u8 = counts.iter().sum();
        self.likely *= f64::from(counts[usize::from(kind)]) / f64::from(all);
        // What is impossible must not break anything: another card moves, and the world is dropped.
        let any = counts.iter().position(|&count| count > 0).unwrap();
        if self.likely > 0.0 { kind } else { u8::try_from(any).unwrap() }
    }
}

/// What happens, what the observer remembers of it, and what may have happened.
#[derive(Clone)]
pub struct Story {
    pub game: Base,
    pub state: State,
    memory: Memory,
    worlds: Worlds,
    /// While cards are chosen on a 7: the worlds before, and all choices.
    choosing: Option<(Worlds, Vec<Action>)>,
}

impl Story {
    /// The beginner island before the first roll, with these hands, known to all. Nobody discards, unless
    /// the rule set says so.
    pub fn new(hands: &[Counts], change: impl FnOnce(&mut Rules)) -> Story {
        let mut rules = Rules { island: Layout::Beginner, ..Rules::default() };
        rules.robber.hand_limit = 95;
        change(&mut rules);
        let game = Base::new(rules, u8::try_from(hands.len()).unwrap()).unwrap();
        let mut state = game.deal(&mut Told::new(&[]));
        for (seat, &cards) in hands.iter().enumerate() {
            let cards = Resources::new(cards);
            state.table.bank = state.table.bank + state.hands[seat] - cards;
            state.hands[seat] = cards;
        }
        game.check(&state);
        let memory = Memory::knowing(ME, state.hands);
        let worlds = Worlds::from([(hidden(&state), (state, 1.0))]);
        Story { game, state, memory, worlds, choosing: None }
    }

    /// Gives a seat a development card at the start, which the enumeration knows; only hands are compared.
    pub fn with_card(mut self, seat: Seat, card: Card) -> Story {
        self.state.deck[card.idx()] -= 1;
        self.state.cards[seat.idx()][card.idx()] += 1;
        self.worlds = Worlds::from([(hidden(&self.state), (self.state, 1.0))]);
        self
    }

    pub fn worlds(&self) -> usize {
        self.worlds.len()
    }

    /// An action with its luck.
    pub fn act(&mut self, action: Action, luck: &[u8]) {
        assert_eq!(self.game.permits(&self.state, action), Ok(()), "{action}");
        let before = self.state;
        let mut told = Told::new(luck);
        self.game.apply(&mut self.state, action, &mut told);
        assert!(told.likely > 0.0, "{action} with {luck:?}");
        self.follow(&before, action, &told.events);
    }

    /// Feeds what has happened to the memory and to the enumeration.
    fn follow(&mut self, before: &State, action: Action, events: &[ChanceEvent<Draw>]) {
        let step = Step { action: Some((before, action)), chance: events, after: &self.state };
        step.remember(&self.game, ME, &mut self.memory);
        if let (Action::Discard { .. }, Phase::Discard { seat, .. }) = (action, before.table.phase)
        {
            return self.choose(before, seat, action);
        }
        self.evaluate(before, action);
        let outcomes: Vec<u8> = events.iter().map(|event| event.outcome).collect();
        let every = match (events.first().map(|event| event.draw), action) {
            (Some(Draw::Steal(_)), Action::Robber { victim, .. }) => {
                before.table.active != ME && victim != Some(ME)
            }
            (Some(Draw::Card), _) => before.table.active != ME,
            _ => false,
        };
        let ways: Vec<Vec<u8>> =
            if every { (0..5).map(|kind| vec![kind]).collect() } else { vec![outcomes] };
        self.branch(|game, world| {
            let permitted = game.permits(world, action).is_ok();
            let ways = ways.iter().filter(|_| permitted);
            let tries = ways.map(|way| {
                let (mut after, mut told) = (*world, Told::new(way));
                game.apply(&mut after, action, &mut told);
                (after, told.likely)
            });
            tries.collect()
        });
    }

    /// Moves from each world to those that `next` names with their likelihoods, if the observer sees in
    /// them what it sees.
    fn branch(&mut self, next: impl Fn(&Base, &State) -> Vec<(State, f64)>) {
        let seen = self.game.view(&self.state, ME);
        let mut worlds = Worlds::new();
        for (world, weight) in self.worlds.values() {
            for (after, likely) in next(&self.game, world) {
                if likely > 0.0 && self.game.view(&after, ME) == seen {
                    worlds.entry(hidden(&after)).or_insert((after, 0.0)).1 += weight * likely;
                }
            }
        }
        let sum: f64 = worlds.values().map(|(_, weight)| weight).sum();
        assert!(worlds.contains_key(&hidden(&self.state)), "the truth is possible");
        for (_, weight) in worlds.values_mut() {
            *weight /= sum;
        }
        self.worlds = worlds;
    }

    /// A card is chosen on a 7: any of its owner's, until all have chosen. Then what was chosen is shown.
    fn choose(&mut self, before: &State, seat: Seat, action: Action) {
        let all = self.choosing.get_or_insert_with(|| (self.worlds.clone(), Vec::new()));
        all.1.push(action);
        let whole = |game: &Base, world: &State, actions: &[Action]| {
            let mut after = *world;
            for &action in actions {
                if game.permits(&after, action).is_err() {
                    return None;
                }
                game.apply(&mut after, action, &mut Told::new(&[]));
            }
            Some(after)
        };
        if !matches!(self.state.table.phase, Phase::Discard { .. }) {
            let (worlds, actions) = self.choosing.take().unwrap();
            self.worlds = worlds;
            for other in Seat::all(self.game.players()) {
                let mut cards = before.chosen[other.idx()];
                if let Action::Discard { card } = action
                    && other == seat
                {
                    cards = cards + Resources::one(card);
                }
                self.show(other, cards);
            }
            let after = |game: &Base, world: &State| whole(game, world, &actions);
            return self
                .branch(|game, world| after(game, world).map(|s| (s, 1.0)).into_iter().collect());
        }
        self.branch(|game, world| {
            if seat == ME {
                return whole(game, world, &[action])
                    .map(|after| (after, 1.0))
                    .into_iter()
                    .collect();
            }
            let left = world.hands[seat.idx()] - world.chosen[seat.idx()];
            let cards = left.iter().map(|(card, count)| (Action::Discard { card }, count));
            let all = f64::from(left.total());
            cards
                .map(|(card, n)| (whole(game, world, &[card]).unwrap(), f64::from(n) / all))
                .collect()
        });
    }

    /// Cards are shown: by paying, offering, answering; a development card by being played.
    fn evaluate(&mut self, before: &State, action: Action) {
        let active = before.table.active;
        let cost = self.game.rules().cost;
        let price = |price: Price| (active, price.resources());
        let (seat, cards) = match action {
            Action::Road { .. } if before.table.phase == Phase::Act => price(cost.road),
            Action::Settlement { .. } => price(cost.settlement),
            Action::City { .. } => price(cost.city),
            Action::Buy => price(cost.card),
            Action::BankTrade { give, .. } => {
                (active, Resources::many(give, before.table.rates[active.idx()][give.idx()]))
            }
            Action::Offer { give, .. } => (active, give.cards()),
            Action::Accept | Action::Counter { .. } => {
                let Phase::Answer(seat) = before.table.phase else { unreachable!("an answer") };
                let Action::Counter { give, .. } = action else {
                    return self.show(seat, before.table.proposal.want.cards());
                };
                (seat, give.cards())
            }
            Action::Knight => return self.play(active, Card::Knight),
            Action::RoadBuilding => return self.play(active, Card::RoadBuilding),
            Action::YearOfPlenty { .. } => return self.play(active, Card::YearOfPlenty),
            Action::Monopoly { .. } => return self.play(active, Card::Monopoly),
            _ => return,
        };
        self.show(seat, cards);
    }

    fn show(&mut self, seat: Seat, cards: Resources) {
        for kind in Resource::ALL {
            let held = |world: &State| world.hands[seat.idx()].get(kind);
            let sure = self.worlds.values().map(|(world, _)| held(world)).min().unwrap();
            let more = cards.get(kind).saturating_sub(sure);
            for (world, weight) in self.worlds.values_mut() {
                let others = held(world) - sure;
                *weight *= if others < more { 0.0 } else { ways(others, more) };
            }
        }
    }

    /// One of the old cards is turned over.
    fn play(&mut self, seat: Seat, card: Card) {
        for (world, weight) in self.worlds.values_mut() {
            let old = world.cards[seat.idx()][card.idx()] - world.fresh[card.idx()];
            *weight *= f64::from(old);
        }
    }

    /// The maximum of something over all worlds.
    pub fn most(&self, of: impl Fn(&Hidden) -> u8) -> u8 {
        self.worlds.keys().map(of).max().unwrap()
    }

    /// Positions that the observer imagines.
    pub fn imagined(&self, samples: u32, seed: u64) -> impl Iterator<Item = State> {
        let view = self.game.view(&self.state, ME);
        let seen = Observation { seat: ME, view, memory: &self.memory };
        let mut rng = Pcg32::new(seed, 7);
        (0..samples).map(move |_| seen.determinize(&self.game, &mut rng))
    }

    /// Imagines many positions and compares the distribution of `key` with the enumeration's.
    pub fn compare<K: Ord>(&self, samples: u32, seed: u64, key: impl Fn(&Hidden) -> K) -> Fit {
        let mut cells: BTreeMap<K, (f64, u32)> = BTreeMap::new();
        for (world, (_, weight)) in &self.worlds {
            cells.entry(key(world)).or_default().0 += weight;
        }
        for state in self.imagined(samples, seed) {
            let world = hidden(&state);
            let cell = cells.get_mut(&key(&world));
            cell.unwrap_or_else(|| panic!("an impossible position: {world:?}")).1 += 1;
        }
        Fit::new(cells.into_values(), samples)
    }

    /// What the observer is sure that a seat holds, and what that seat holds in every world.
    pub fn sure(&self, seat: Seat) -> (Resources, Resources) {
        let held =
            |kind: usize| self.worlds.keys().map(move |world| world.hands[seat.idx()].at(kind));
        let least = std::array::from_fn(|kind| held(kind).min().unwrap());
        (self.memory.surely_held(seat), Resources::new(least))
    }

    /// The first listed action that a test picks.
    pub fn first(&self, pick: impl Fn(&Action) -> bool) -> Action {
        let mut legal = Actions::new();
        self.game.legal(&self.state, ActionFilter::Full, &mut legal);
        *legal.iter().find(|action| pick(action)).expect("there is such an action")
    }

    /// Rolls a sum; what it brings is seen by all.
    pub fn roll(&mut self, sum: u8) {
        let (first, second) = if sum > 7 { (sum - 7, 5) } else { (0, sum - 2) };
        self.act(Action::Roll, &[6 * first + second]);
    }

    /// Ends turns until this seat is to roll; everyone else rolls a 2.
    pub fn turn_of(&mut self, seat: Seat) {
        while self.state.table.current != seat || self.state.table.stage != Stage::Roll {
            if self.state.table.stage == Stage::Roll {
                self.roll(2);
            }
            self.act(Action::EndTurn, &[]);
        }
    }

    /// The robber moves to a hex where it can rob this seat.
    pub fn rob(&mut self, of: Seat, stolen: Resource) {
        let robs = |action: &Action| matches!(action, Action::Robber { victim, .. } if *victim == Some(of));
        let action = self.first(robs);
        self.act(action, &[u8::try_from(stolen.idx()).unwrap()]);
    }

    /// In its next turn a seat rolls a 7 and robs another.
    pub fn theft(&mut self, by: Seat, of: Seat, stolen: Resource) {
        self.turn_of(by);
        self.roll(7);
        self.rob(of, stolen);
    }

    pub fn buy(&mut self, card: Card) {
        self.act(Action::Buy, &[u8::try_from(card.idx()).unwrap()]);
    }
}
