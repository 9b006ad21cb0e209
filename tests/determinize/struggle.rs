//! Struggle for Catan: what a seat hears, fed to its memory and to the enumeration of [`crate::card_law`].
//!
//! Decks are small, so that all arrangements can be listed.

use crate::card_law::{Counts, Law, ME, total};
use crate::fit::Fit;
use fairhaven::core::chance::{Chance, ChanceEvent, Scripted, ScriptedChance};
use fairhaven::core::game::{Game, Observation, SeatMemory, Step};
use fairhaven::core::resources::Resource::{self, Brick, Grain, Ore, Wool};
use fairhaven::core::resources::Resources;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::struggle::luck::Draw;
use fairhaven::games::struggle::memory::{Chain, DISCARDS, Deal, HOLDERS, MARKET, Memory};
use fairhaven::games::struggle::rules::Rules;
use fairhaven::games::struggle::seat_event::{Place, SeatEvent};
use rand_pcg::Pcg32;
use std::collections::BTreeMap;

type World = crate::card_law::World<HOLDERS>;

/// The same events, fed to the memory and to the enumeration.
struct Story {
    deck: Counts,
    memory: Memory,
    law: Law<HOLDERS>,
    pile: u8,
    discards: u8,
}

fn seat(at: usize) -> Seat {
    Seat::new(u8::try_from(at).expect("a small number"))
}

fn place(at: usize) -> Place {
    match at {
        MARKET => Place::Market,
        DISCARDS => Place::Discards,
        _ => Place::Hand(seat(at)),
    }
}

impl Story {
    fn new(deck: Counts) -> Story {
        let memory = Memory::before_deal(Seat::FIRST, Resources::new(deck), false);
        Story { deck, memory, law: Law::new(deck), pile: total(deck), discards: 0 }
    }

    fn hear(&mut self, event: SeatEvent) {
        SeatMemory::<Struggle>::hear(&mut self.memory, event);
    }

    fn draw(&mut self, to: usize, kind: Option<Resource>) {
        if self.pile == 0 {
            self.law.reshuffle();
            self.pile = std::mem::take(&mut self.discards);
        }
        self.pile -= 1;
        self.law.drew(to, kind);
        self.hear(match (to, kind) {
            (MARKET, Some(kind)) => SeatEvent::Opened { kind },
            _ => SeatEvent::Drew { seat: seat(to), kind },
        });
    }

    /// These cards come into the market, or into the observer's hand.
    fn open(&mut self, to: usize, cards: Counts) {
        for kind in Resource::ALL {
            for _ in 0..cards[kind.idx()] {
                self.draw(to, Some(kind));
            }
        }
    }

    /// Another seat draws.
    fn they_draw(&mut self, seat: usize, cards: u8) {
        for _ in 0..cards {
            self.draw(seat, None);
        }
    }

    /// The observer sees cards that someone chose.
    fn moved(&mut self, from: usize, to: usize, cards: Counts) {
        self.hear(SeatEvent::Moved {
            from: place(from),
            to: place(to),
            cards: Resources::new(cards),
        });
        for kind in Resource::ALL {
            for _ in 0..cards[kind.idx()] {
                self.law.moved(from, to, kind);
                self.discards += u8::from(to == DISCARDS);
            }
        }
    }

    fn pay(&mut self, from: usize, cards: Counts) {
        self.moved(from, DISCARDS, cards);
    }

    /// The observer sees a card that was taken at random.
    fn taken(&mut self, from: usize, to: usize, kind: Resource) {
        self.hear(SeatEvent::Taken { from: seat(from), to: seat(to), kind });
        self.law.taken(from, to, kind);
    }

    fn passed(&mut self, from: usize, to: usize) {
        self.hear(SeatEvent::Passed { from: seat(from), to: seat(to) });
        self.law.passed(from, to);
    }

    /// Two others exchange cards unseen: all of a lot are taken before any is returned.
    fn exchange(&mut self, taker: usize, from: usize, cards: u8) {
        for _ in 0..cards {
            self.passed(from, taker);
        }
        for _ in 0..cards {
            self.passed(taker, from);
        }
    }

    fn shown(&mut self, at: usize, cards: Counts) {
        self.hear(SeatEvent::Shown { seat: seat(at), cards: Resources::new(cards) });
        self.law.opened(at, cards);
    }

    /// Deals many positions, each for itself, and compares the distribution of `key` with the enumeration's.
    fn compare<K: Ord>(&self, samples: u32, seed: u64, key: impl Fn(&World) -> K) -> Fit {
        let mut rng = Pcg32::new(seed, 7);
        self.law.fit(samples, key, || self.deal(&mut Chain::default(), &mut rng))
    }

    /// The same of positions that follow one another, as in a search.
    fn compare_in_a_chain<K: Ord>(
        &self,
        samples: u32,
        seed: u64,
        key: impl Fn(&World) -> K,
    ) -> Fit {
        let (mut rng, mut chain) = (Pcg32::new(seed, 7), Chain::default());
        self.law.fit(samples, key, || self.deal(&mut chain, &mut rng))
    }

    fn deal(&self, chain: &mut Chain, rng: &mut Pcg32) -> World {
        let one = self.law.worlds.keys().next().expect("a world is left");
        let deal = Deal::imagined(&self.memory, Resources::new(self.deck), chain, rng);
        let mut places = one.places;
        for (place, hand) in places.iter_mut().zip(deal.hands) {
            *place = hand.counts();
        }
        World { places, pile: deal.pile.counts() }
    }
}

fn all_hands(world: &World) -> [Counts; HOLDERS] {
    world.places
}

/// Chance that keeps its results.
struct Recorder<C> {
    inner: C,
    events: Vec<ChanceEvent<Draw>>,
}

impl<C: Chance<Draw>> Chance<Draw> for Recorder<C> {
    fn start_turn(&mut self, turn: u16) {
        self.inner.start_turn(turn);
    }

    fn card(&mut self, draw: Draw, among: u64) -> u8 {
        let outcome = self.inner.card(draw, among);
        self.events.push(ChanceEvent { draw, outcome });
        outcome
    }

    fn kind(&mut self, draw: Draw, counts: &[u8]) -> u8 {
        let outcome = self.inner.kind(draw, counts);
        self.events.push(ChanceEvent { draw, outcome });
        outcome
    }
}

/// A real deal to two players: the other's hand is any three of the cards that don't lie open.
#[test]
fn after_the_deal_the_other_holds_any_cards() {
    let game = Struggle::new(Rules::default(), 2).unwrap();
    let kinds = [0, 1, 2, 3, 4, 2, 2, 4, 3, 0, 1];
    let script = ScriptedChance::new(kinds.map(Scripted::Kind));
    let mut chance = Recorder { inner: script, events: Vec::new() };
    let state = game.deal(&mut chance);
    assert!(chance.inner.is_exhausted());
    let mut memory = Memory::new(&game, Seat::FIRST);
    let step = Step { action: None, chance: &chance.events, after: &state };
    step.remember(&game, Seat::FIRST, &mut memory);
    let mut law: Law<HOLDERS> = Law::new(game.deck().counts());
    for event in chance.events {
        let kind = Resource::ALL[usize::from(event.outcome)];
        match event.draw {
            Draw::Market(_) => law.drew(MARKET, Some(kind)),
            Draw::Card(seat, _) => law.drew(seat.idx(), (seat.idx() == ME).then_some(kind)),
            draw => panic!("{draw:?} in a deal"),
        }
    }
    let view = game.view(&state, Seat::FIRST);
    let observation = Observation { seat: Seat::FIRST, view, memory: &memory };
    let mut rng = Pcg32::new(11, 7);
    let samples = 60_000;
    let mut cells: BTreeMap<Counts, (f64, u32)> = BTreeMap::new();
    for (world, weight) in law.worlds {
        assert_eq!(world.places[ME], state.hands[ME].counts());
        cells.entry(world.places[1]).or_default().0 += weight;
    }
    for _ in 0..samples {
        let dealt = observation.determinize(&game, &mut rng);
        game.check(&dealt);
        assert_eq!((dealt.table, dealt.hands[ME]), (state.table, state.hands[ME]));
        cells.get_mut(&dealt.hands[1].counts()).expect("a possible hand").1 += 1;
    }
    Fit::new(cells.into_values(), samples).assert_good("after the deal");
}

/// Seat 2 has two wool and an ore that the observer knows of, and three cards that it doesn't; seat 3 has two.
fn dealt() -> Story {
    let mut story = Story::new([3, 2, 5, 3, 4]);
    story.open(MARKET, [1, 1, 1, 1, 1]);
    story.open(ME, [0, 0, 2, 1, 1]);
    story.they_draw(1, 3);
    story.they_draw(2, 2);
    story.moved(ME, 1, [0, 0, 2, 0, 1]);
    story
}

/// A random card that can be a known one or another: both are weighed.
#[test]
fn what_is_taken_at_random_is_evidence() {
    let mut story = dealt();
    story.taken(1, ME, Wool);
    story.compare(60_000, 21, all_hands).assert_good("a wool");
    story.taken(1, ME, Grain);
    story.compare(60_000, 22, all_hands).assert_good("and a grain that none knew of");
    story.moved(ME, 1, [0, 0, 1, 1, 0]);
    story.pay(1, [0, 0, 1, 0, 0]);
    story.compare(60_000, 23, all_hands).assert_good("two returned, a wool paid");
    story.taken(ME, 1, Grain);
    story.compare(60_000, 24, all_hands).assert_good("the observer's own card is taken");
}

/// Cards that can be of one place only leave nothing to weigh.
#[test]
fn plain_takings_are_exact() {
    let mut story = dealt();
    story.taken(2, ME, Brick);
    story.taken(2, ME, Wool);
    story.moved(ME, 2, [1, 0, 1, 0, 0]);
    story.taken(2, ME, Wool);
    story.pay(ME, [0, 0, 1, 0, 0]);
    story.compare(60_000, 26, all_hands).assert_good("plain takings");
}

/// Cards that two others exchange may be any; what is taken from them later says which.
#[test]
fn an_exchange_of_others_is_any_cards() {
    let mut story = dealt();
    story.exchange(2, 1, 1);
    story.compare(60_000, 31, all_hands).assert_good("an exchange");
    let mut story = dealt();
    story.exchange(2, 1, 2);
    story.compare(60_000, 32, all_hands).assert_good("a lot of two");
    story.taken(2, ME, Ore);
    story.compare(60_000, 33, |world| world.places[2]).assert_near("an ore of the taker", 0.02);
    story.compare(60_000, 34, |world| world.places[1]).assert_near("what the giver kept", 0.02);
}

/// A library opens a hand: nothing unseen is left in it, until it is traded with again.
#[test]
fn an_open_hand_is_known() {
    let mut story = dealt();
    story.shown(1, [1, 0, 3, 0, 2]);
    story.moved(1, ME, [0, 0, 1, 0, 0]);
    story.moved(ME, 1, [0, 0, 0, 1, 0]);
    story.compare(60_000, 41, all_hands).assert_good("an open hand");
    story.exchange(2, 1, 1);
    story.compare(60_000, 42, all_hands).assert_good("and an exchange");
    let mut story = dealt();
    story.exchange(2, 1, 1);
    story.shown(1, [1, 0, 3, 0, 2]);
    story.compare(60_000, 43, all_hands).assert_near("a hand that is open after an exchange", 0.02);
}

/// Six cards of seat 2 and three of seat 3 are old; the stack was the discards.
fn reshuffled() -> Story {
    let mut story = Story::new([4, 3, 5, 4, 4]);
    story.open(MARKET, [1, 0, 1, 1, 1]);
    story.open(ME, [2, 1, 2, 1, 2]);
    story.they_draw(1, 4);
    story.they_draw(2, 4);
    story.pay(ME, [2, 1, 2, 0, 2]);
    story.they_draw(1, 2);
    story
}

/// A random card that may be an old or a new one, or one that was seen.
#[test]
fn after_a_reshuffle_what_is_taken_may_be_of_either_pool() {
    let mut story = reshuffled();
    story.taken(1, ME, Wool);
    story.compare(60_000, 51, all_hands).assert_good("a wool of either pool");
    story.open(ME, [1, 0, 0, 0, 0]);
    story.compare(60_000, 52, |world| world.places[1]).assert_good("after an own draw");
    story.taken(1, ME, Ore);
    story.moved(ME, 1, [0, 0, 1, 0, 1]);
    story.taken(1, 2, Wool);
    story.compare(80_000, 53, |world| world.places[1]).assert_near("shown to all", 0.02);
    story.compare(80_000, 54, |world| world.pile).assert_near("the stack", 0.02);
}

/// The market is open, through exchanges, a market day and a reshuffle.
#[test]
fn the_market_is_open() {
    let mut story = Story::new([3, 2, 4, 3, 3]);
    story.open(MARKET, [1, 1, 1, 1, 1]);
    story.they_draw(1, 2);
    story.open(ME, [1, 0, 1, 0, 0]);
    story.moved(MARKET, 1, [0, 0, 0, 0, 1]);
    story.moved(1, MARKET, [0, 0, 1, 0, 0]);
    story.compare(40_000, 61, all_hands).assert_good("an exchange with the market");
    story.moved(MARKET, DISCARDS, [1, 1, 2, 1, 0]);
    story.open(MARKET, [1, 0, 0, 2, 2]);
    story.compare(40_000, 62, all_hands).assert_good("a market day");
    story.they_draw(2, 1);
    story.they_draw(1, 2);
    story.compare(40_000, 63, all_hands).assert_good("and a reshuffle");
}

/// Seat 3 takes two cards of seat 2 and returns two.
fn lot() -> Story {
    let mut story = dealt();
    story.exchange(2, 1, 2);
    story
}

/// Where the weights of replays differ, eight replays depart from the law a little: total variation distances
/// of one hand by kinds, the worse of two hands, with 150 000 deals (sampling alone gives 0.002 to 0.006),
/// with 8 and 64 replays:
///
/// | story          |     8 |    64 |
/// |----------------|-------|-------|
/// | both robbed    | 0.009 | 0.004 |
/// | the taker pays | 0.014 | 0.005 |
/// | robbed twice   | 0.010 | 0.006 |
/// | opened         | 0.009 | 0.006 |
#[test]
fn few_replays_depart_little_from_the_law() {
    let after = |mut story: Story, tell: &dyn Fn(&mut Story)| {
        tell(&mut story);
        story
    };
    let both_robbed = after(lot(), &|story| {
        story.taken(2, ME, Wool);
        story.taken(1, ME, Wool);
    });
    let taker_pays = after(lot(), &|story| story.pay(2, [0, 0, 1, 0, 0]));
    let robbed_twice = after(reshuffled(), &|story| {
        story.passed(1, 2);
        story.taken(2, ME, Wool);
        story.pay(1, [0, 0, 1, 0, 0]);
        story.open(ME, [0, 0, 1, 0, 0]);
    });
    let opened = after(reshuffled(), &|story| {
        story.exchange(1, 2, 1);
        story.taken(1, ME, Grain);
        story.moved(ME, 1, [0, 0, 0, 1, 0]);
        story.shown(1, [1, 0, 2, 2, 1]);
        story.exchange(2, 1, 1);
    });
    let stories = [
        ("both robbed", both_robbed, 0.006),
        ("the taker pays", taker_pays, 0.013),
        ("robbed twice", robbed_twice, 0.007),
        ("opened", opened, 0.006),
    ];
    for (what, story, excess) in stories {
        for seat in [1, 2] {
            let hand = |world: &World| world.places[seat];
            story.compare(150_000, 71, hand).assert_near(what, excess);
            let chain = story.compare_in_a_chain(150_000, 72, hand);
            chain.assert_near(what, 0.003);
        }
    }
}
