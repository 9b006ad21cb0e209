//! The law of determinization, checked against an exact enumeration that shares no code with it.
//!
//! [`Law`] follows every way the hidden cards may lie, by kinds, with its exact weight: it draws, pays and
//! passes in each of them. It knows no replay, no pools of old and new cards and no sampling; a card is
//! "surely held" when every possible world has it. [`Story`] tells the same events to a [`Memory`] and to
//! the enumeration, and the dealt positions are then compared with the exact weights.

use fairhaven::chance::Chance;
use fairhaven::chance::ChanceEvent;
use fairhaven::chance::Luck;
use fairhaven::chance::Scripted;
use fairhaven::chance::ScriptedChance;
use fairhaven::game::Game;
use fairhaven::game::Happening;
use fairhaven::game::Observation;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::cards::CARDS_OF;
use fairhaven::games::on_the_road::cards::RESOURCE_COUNTS;
use fairhaven::games::on_the_road::cards::count;
use fairhaven::games::on_the_road::cards::kind_of;
use fairhaven::games::on_the_road::memory::DISCARDS;
use fairhaven::games::on_the_road::memory::Deal;
use fairhaven::games::on_the_road::memory::HOLDERS;
use fairhaven::games::on_the_road::memory::Memory;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::parts::resources::Resource;
use fairhaven::parts::resources::Resources;
use fairhaven::types::seat::Seat;
use rand_pcg::Pcg32;
use statrs::distribution::ChiSquared;
use statrs::distribution::ContinuousCDF;
use std::collections::BTreeMap;

/// Cards by kind.
type Counts = [u8; Resource::COUNT];

/// The observer of every story.
const ME: usize = 0;

/// Bins with a smaller expectation are thrown together.
const EXPECTED_MIN: f64 = 10.0;

/// One way in which all cards may lie.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    places: [Counts; HOLDERS],
    pile: Counts,
}

/// Every way in which the cards may lie, with its weight.
struct Law {
    worlds: BTreeMap<World, f64>,
}

fn total(cards: Counts) -> u8 {
    cards.iter().sum()
}

/// The number of ways to choose `k` of `n` physical cards.
fn ways(n: u8, k: u8) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// All ways to take `wanted` cards out of a pool, by kinds, with the number of physical ways.
fn hands(pool: Counts, wanted: u8) -> Vec<(Counts, f64)> {
    let mut partial = vec![([0; Resource::COUNT], 1.0)];
    for kind in 0..Resource::COUNT {
        let mut longer = Vec::new();
        for (cards, weight) in partial {
            for n in 0..=pool[kind].min(wanted - total(cards)) {
                let mut cards = cards;
                cards[kind] = n;
                longer.push((cards, weight * ways(pool[kind], n)));
            }
        }
        partial = longer;
    }
    partial.retain(|&(cards, _)| total(cards) == wanted);
    partial
}

impl Law {
    fn new() -> Law {
        let world = World { places: [[0; Resource::COUNT]; HOLDERS], pile: RESOURCE_COUNTS };
        Law { worlds: BTreeMap::from([(world, 1.0)]) }
    }

    /// Goes on from each world to those that `next` names with their likelihoods.
    fn branch(&mut self, next: impl Fn(&World, Resource) -> Option<(World, f64)>) {
        let mut worlds = BTreeMap::new();
        for (world, weight) in &self.worlds {
            for kind in Resource::ALL {
                if let Some((after, likely)) = next(world, kind) {
                    *worlds.entry(after).or_insert(0.0) += weight * likely;
                }
            }
        }
        let sum: f64 = worlds.values().sum();
        for weight in worlds.values_mut() {
            *weight /= sum;
        }
        self.worlds = worlds;
    }

    /// A card leaves a set of cards.
    fn share(cards: Counts, kind: Resource) -> Option<f64> {
        let held = cards[kind.idx()];
        (held > 0).then(|| f64::from(held) / f64::from(total(cards)))
    }

    fn drew(&mut self, seat: usize, seen: Option<Resource>) {
        self.branch(|world, kind| {
            let likely = Law::share(world.pile, kind)?;
            let mut world = world.clone();
            world.pile[kind.idx()] -= 1;
            world.places[seat][kind.idx()] += 1;
            seen.is_none_or(|seen| seen == kind).then_some((world, likely))
        });
    }

    /// What a holder has in every world.
    fn sure(&self, at: usize) -> Counts {
        let of = |kind| self.worlds.keys().map(|world| world.places[at][kind]).min();
        std::array::from_fn(|kind| of(kind).expect("a world is left"))
    }

    fn moved(&mut self, from: usize, to: usize, paid: Resource) {
        let is_sure = self.sure(from)[paid.idx()] > 0;
        self.branch(|world, kind| {
            let held = world.places[from][kind.idx()];
            let mut world = world.clone();
            if kind != paid || held == 0 {
                return None;
            }
            world.places[from][kind.idx()] -= 1;
            world.places[to][kind.idx()] += 1;
            Some((world, if is_sure { 1.0 } else { f64::from(held) }))
        });
    }

    /// A holder has so many cards of a kind: those that it did not surely have turn up.
    fn shown(&mut self, at: usize, kind: Resource, count: u8) {
        let sure = self.sure(at)[kind.idx()];
        self.branch(|world, other| {
            let held = world.places[at][kind.idx()];
            let found = held >= count && other == kind;
            found.then(|| (world.clone(), ways(held - sure, count.saturating_sub(sure))))
        });
    }

    fn passed(&mut self, from: usize, to: usize) {
        self.branch(|world, kind| {
            let likely = Law::share(world.places[from], kind)?;
            let mut world = world.clone();
            world.places[from][kind.idx()] -= 1;
            world.places[to][kind.idx()] += 1;
            Some((world, likely))
        });
    }

    /// What is surely held stays; the other cards are dealt anew, and then the discards are the pile.
    fn reshuffle(&mut self) {
        let mut start =
            World { places: std::array::from_fn(|at| self.sure(at)), pile: [0; Resource::COUNT] };
        let sure_of = |kind: usize| -> u8 { start.places.iter().map(|cards| cards[kind]).sum() };
        let pool: Counts = std::array::from_fn(|kind| RESOURCE_COUNTS[kind] - sure_of(kind));
        let one = self.worlds.keys().next().expect("a world is left");
        let unseen: [u8; HOLDERS] =
            std::array::from_fn(|at| total(one.places[at]) - total(start.places[at]));
        // The pool lies in the pile until it is dealt.
        start.pile = pool;
        let mut worlds = vec![(start, 1.0)];
        for (at, &wanted) in unseen.iter().enumerate() {
            let mut longer = Vec::new();
            for (world, weight) in worlds {
                for (cards, count) in hands(world.pile, wanted) {
                    let mut world = world.clone();
                    for (kind, n) in cards.into_iter().enumerate() {
                        world.pile[kind] -= n;
                        world.places[at][kind] += n;
                    }
                    longer.push((world, weight * count));
                }
            }
            worlds = longer;
        }
        let sum: f64 = worlds.iter().map(|(_, weight)| weight).sum();
        let turned = worlds.into_iter().map(|(mut world, weight)| {
            assert_eq!(total(world.pile), 0, "every card has a place");
            world.pile = std::mem::take(&mut world.places[DISCARDS]);
            (world, weight / sum)
        });
        self.worlds = turned.collect();
    }
}

/// The same events, told to the memory and to the enumeration.
struct Story {
    memory: Memory,
    law: Law,
    pile: u8,
    discards: u8,
}

impl Story {
    fn new() -> Story {
        let memory = Memory::new(Seat::FIRST, false);
        Story { memory, law: Law::new(), pile: 61, discards: 0 }
    }

    fn draw(&mut self, seat: usize, seen: Option<Resource>) {
        if self.pile == 0 {
            self.law.reshuffle();
            self.pile = std::mem::take(&mut self.discards);
        }
        self.pile -= 1;
        self.law.drew(seat, seen);
        let number = u8::try_from(seat).expect("a small number");
        // The memory of a seat must not look at what another one drew: any kind will do.
        self.memory.drew(Seat::new(number), seen.unwrap_or(Resource::Ore));
    }

    /// The observer draws these cards.
    fn i_draw(&mut self, cards: Counts) {
        for kind in Resource::ALL {
            for _ in 0..cards[kind.idx()] {
                self.draw(ME, Some(kind));
            }
        }
    }

    /// Another seat draws.
    fn they_draw(&mut self, seat: usize, cards: u8) {
        for _ in 0..cards {
            self.draw(seat, None);
        }
    }

    fn move_cards(&mut self, from: usize, to: usize, cards: Counts) {
        self.memory.moved(from, to, Resources::new(cards));
        for kind in Resource::ALL {
            for _ in 0..cards[kind.idx()] {
                self.law.moved(from, to, kind);
                self.discards += u8::from(to == DISCARDS);
            }
        }
    }

    fn pay(&mut self, from: usize, cards: Counts) {
        self.move_cards(from, DISCARDS, cards);
    }

    /// A seat proposes or agrees to give these cards.
    fn show(&mut self, seat: usize, cards: Counts) {
        let number = u8::try_from(seat).expect("a small number");
        self.memory.shown(Seat::new(number), Resources::new(cards));
        for kind in Resource::ALL {
            if cards[kind.idx()] > 0 {
                self.law.shown(seat, kind, cards[kind.idx()]);
            }
        }
    }

    fn pass(&mut self, from: usize, to: usize) {
        self.memory.passed(from, to);
        self.law.passed(from, to);
        self.discards += u8::from(to == DISCARDS);
    }

    /// Deals many positions and compares the distribution of `key` with the enumeration's.
    fn compare<K: Ord + std::fmt::Debug>(
        &self,
        samples: u32,
        seed: u64,
        key: impl Fn(&World) -> K,
    ) -> Fit {
        let mut cells: BTreeMap<K, (f64, u32)> = BTreeMap::new();
        for (world, weight) in &self.law.worlds {
            cells.entry(key(world)).or_default().0 += weight;
        }
        let mut rng = Pcg32::new(seed, 7);
        for _ in 0..samples {
            let world = world_of(&self.memory.deal(&mut rng));
            assert!(self.law.worlds.contains_key(&world), "an impossible position: {world:?}");
            cells.get_mut(&key(&world)).expect("a possible cell").1 += 1;
        }
        Fit::new(cells.into_values(), samples)
    }
}

fn world_of(deal: &Deal) -> World {
    let [a, b, c, d] = deal.hands.map(|hand| count(hand).counts());
    World { places: [a, b, c, d, count(deal.discards).counts()], pile: count(deal.pile).counts() }
}

/// How well counts fit their expectations.
#[derive(Debug)]
struct Fit {
    chi_squared: f64,
    /// Cells less one.
    freedom: f64,
    /// Half the sum of the differences of the shares.
    variation: f64,
    /// What half that sum is on average if the law holds, from sampling alone.
    noise: f64,
}

impl Fit {
    /// From the exact share and the observed count of each cell.
    fn new(cells: impl Iterator<Item = (f64, u32)>, samples: u32) -> Fit {
        let n = f64::from(samples);
        let (mut rare, mut common) = ((0.0, 0.0), Vec::new());
        for (share, hits) in cells {
            let hits = f64::from(hits);
            if share * n < EXPECTED_MIN {
                rare = (rare.0 + share * n, rare.1 + hits);
            } else {
                common.push((share * n, hits));
            }
        }
        if rare.0 >= EXPECTED_MIN {
            common.push(rare);
        } else if let Some(first) = common.first_mut() {
            *first = (first.0 + rare.0, first.1 + rare.1);
        }
        assert!(common.len() > 1, "one cell says nothing");
        let chi_squared = common.iter().map(|(e, o)| (o - e).powi(2) / e).sum();
        let variation = common.iter().map(|(e, o)| (o - e).abs()).sum::<f64>() / (2.0 * n);
        let spread = |e: f64| (2.0 / std::f64::consts::PI * e * (1.0 - e / n)).sqrt();
        let noise = common.iter().map(|&(e, _)| spread(e)).sum::<f64>() / (2.0 * n);
        Fit { chi_squared, freedom: common.len() as f64 - 1.0, variation, noise }
    }

    /// Chance alone goes past this once in a million.
    fn assert_good(&self, what: &str) {
        let bound = ChiSquared::new(self.freedom).expect("cells").inverse_cdf(1.0 - 1e-6);
        assert!(self.chi_squared < bound, "{what}: {self:?} against {bound}");
    }

    /// The total variation distance is at most `excess` more than sampling alone gives.
    fn assert_near(&self, what: &str, excess: f64) {
        assert!(self.variation < self.noise + excess, "{what}: {self:?} against {excess}");
    }
}

fn all_hands(world: &World) -> [Counts; HOLDERS] {
    world.places
}

/// A chance that keeps what it says.
struct Recorder<C> {
    inner: C,
    events: Vec<ChanceEvent>,
}

impl<C: Chance> Chance for Recorder<C> {
    fn start_turn(&mut self, turn: u16) {
        self.inner.start_turn(turn);
    }

    fn card(&mut self, luck: Luck, among: u64) -> u8 {
        let outcome = self.inner.card(luck, among);
        self.events.push(ChanceEvent { luck, outcome });
        outcome
    }

    fn kind(&mut self, luck: Luck, counts: &[u8]) -> u8 {
        let outcome = self.inner.kind(luck, counts);
        self.events.push(ChanceEvent { luck, outcome });
        outcome
    }
}

/// A real deal of three hands of three cards: the others' hands are hypergeometric.
#[test]
fn after_the_deal_the_others_hold_any_cards() {
    let game = OnTheRoad::new(Rules::default(), 3).unwrap();
    let row = [0, 1, 2, 3, 0].map(Scripted::Kind);
    let kinds = [0, 2, 1, 1, 4, 4, 2, 3, 3];
    let draws = kinds.map(|kind: usize| Scripted::Card(CARDS_OF[kind]));
    let script = ScriptedChance::new(row.into_iter().chain(draws));
    let mut chance = Recorder { inner: script, events: Vec::new() };
    let state = game.deal(&mut chance);
    assert!(chance.inner.is_exhausted());
    let mut memory = game.memory(Seat::FIRST);
    let mut law = Law::new();
    for event in chance.events {
        game.remember(&mut memory, Happening::Chance(event));
        if let Some(seat) = event.luck.seat {
            law.drew(seat.idx(), (seat.idx() == ME).then(|| kind_of(event.outcome)));
        }
    }
    assert_eq!(memory.surely_held(Seat::FIRST), state.hand(Seat::FIRST));
    let observation =
        Observation { seat: Seat::FIRST, view: game.view(&state, Seat::FIRST), memory };
    let mut rng = Pcg32::new(11, 7);
    let samples = 60_000;
    let mut cells: BTreeMap<World, (f64, u32)> =
        law.worlds.into_iter().map(|(world, weight)| (world, (weight, 0))).collect();
    for _ in 0..samples {
        let dealt = game.determinize(&observation, &mut rng);
        assert_eq!(dealt.table, state.table);
        let deal = Deal { hands: dealt.hands, pile: dealt.pile, discards: dealt.discards };
        cells.get_mut(&world_of(&deal)).expect("a possible position").1 += 1;
    }
    Fit::new(cells.into_values(), samples).assert_good("after the deal");
}

/// Six old cards with seat 2, four with seat 3, of two to three a kind; the pile is open and mostly wool.
fn reshuffled() -> Story {
    let mut story = Story::new();
    story.i_draw([9, 9, 11, 10, 12]);
    story.they_draw(1, 6);
    story.they_draw(2, 4);
    story.pay(ME, [1, 1, 5, 2, 3]);
    story
}

/// A wool that may be an old or a new card; the observer's later draws tell which is likelier.
#[test]
fn an_ambiguous_payment_is_weighed_by_later_draws() {
    let mut story = reshuffled();
    story.they_draw(1, 4);
    story.pay(1, [0, 0, 1, 0, 0]);
    story.compare(40_000, 21, all_hands).assert_good("before own draws");
    story.i_draw([0, 0, 3, 0, 0]);
    story.they_draw(2, 1);
    story.compare(40_000, 22, all_hands).assert_good("all hands");
    story.compare(40_000, 23, |world| world.places[1]).assert_good("who paid");
    story.compare(40_000, 24, |world| world.pile).assert_good("the pile");
}

/// What a proposal or an answer shows stays known, and what is paid later may be just that.
#[test]
fn shown_cards_are_there() {
    let mut story = Story::new();
    story.i_draw([2, 2, 4, 2, 3]);
    story.they_draw(1, 4);
    story.they_draw(2, 3);
    story.show(1, [0, 0, 2, 1, 0]);
    story.show(1, [0, 0, 1, 0, 0]);
    story.compare(40_000, 25, all_hands).assert_good("shown after the deal");
    let mut story = reshuffled();
    story.they_draw(1, 4);
    story.show(1, [0, 0, 1, 0, 0]);
    story.compare(40_000, 26, all_hands).assert_good("shown after a reshuffle");
    story.show(1, [0, 0, 1, 0, 0]);
    story.pay(1, [0, 0, 1, 0, 0]);
    story.show(1, [0, 0, 1, 0, 0]);
    story.they_draw(2, 1);
    story.compare(40_000, 27, all_hands).assert_good("paid and shown again");
    let mut story = gift();
    story.show(1, [0, 0, 1, 0, 0]);
    story.compare(40_000, 28, all_hands).assert_good("a card that the giver surely kept");
    story.show(1, [0, 0, 2, 0, 1]);
    story.compare(80_000, 29, all_hands).assert_near("the giver kept all sure cards", 0.01);
}

/// A payment that can only have been an old card, and one that can only have been a new one.
#[test]
fn plain_payments_are_exact() {
    let mut story = Story::new();
    story.i_draw([11, 8, 11, 10, 12]);
    story.they_draw(1, 5);
    story.they_draw(2, 4);
    story.pay(ME, [4, 0, 4, 2, 0]);
    story.they_draw(1, 3);
    story.pay(1, [1, 1, 0, 0, 0]);
    story.i_draw([1, 0, 1, 0, 0]);
    story.compare(40_000, 31, all_hands).assert_good("plain payments");
}

/// Seat 2 surely holds two wool and an ore of a trade, besides unseen cards, and gives one card away.
fn gift() -> Story {
    let mut story = Story::new();
    story.i_draw([2, 2, 4, 2, 3]);
    story.they_draw(1, 2);
    story.they_draw(2, 2);
    story.move_cards(ME, 1, [0, 0, 2, 0, 1]);
    story.pass(1, 2);
    story
}

#[test]
fn a_gift_is_any_card_of_the_giver() {
    let story = gift();
    story.compare(60_000, 41, all_hands).assert_good("a gift");
}

/// The giver surely has two wool, so it has one whatever it gave: that one is paid, and nothing is learned.
#[test]
fn payments_after_a_gift_that_leave_nothing_to_weigh_are_exact() {
    let mut story = gift();
    story.pay(1, [0, 0, 1, 0, 0]);
    story.compare(60_000, 46, all_hands).assert_good("the giver pays a wool that it surely kept");
    let mut story = gift();
    story.pass(2, 1);
    story.compare(60_000, 47, all_hands).assert_good("a gift and one back");
}

/// Cards discarded face down lie in the next pile like any other unseen card.
#[test]
fn hidden_discards_are_shuffled_in() {
    let mut story = Story::new();
    story.i_draw([9, 10, 11, 10, 11]);
    story.they_draw(1, 7);
    story.they_draw(2, 3);
    for _ in 0..3 {
        story.pass(1, DISCARDS);
    }
    story.pay(ME, [1, 1, 2, 1, 0]);
    story.compare(40_000, 51, |world| world.places[1]).assert_good("before the reshuffle");
    story.they_draw(1, 1);
    story.compare(40_000, 52, all_hands).assert_good("after the reshuffle");
    // From here replays weigh differently. Measured: 0.036 of all hands (0.023 of it sampling), then 0.016 of
    // the payer's hand and 0.035 of the pile (0.009 and 0.008 sampling).
    story.i_draw([0, 0, 2, 0, 0]);
    let fit = story.compare(160_000, 53, all_hands);
    fit.assert_near("own draws of unseen cards", 0.02);
    story.pay(1, [0, 0, 0, 1, 0]);
    let fit = story.compare(80_000, 54, |world| world.places[1]);
    fit.assert_near("and a payment", 0.015);
    let fit = story.compare(80_000, 55, |world| world.pile);
    fit.assert_near("and the pile", 0.04);
}

/// Two payments that may each be an old or a new card, with draws of the observer after each.
fn twice_ambiguous() -> Story {
    let mut story = reshuffled();
    story.they_draw(1, 4);
    story.pay(1, [0, 0, 1, 0, 0]);
    story.i_draw([0, 0, 2, 0, 0]);
    story.they_draw(2, 1);
    story.pay(1, [0, 0, 0, 1, 0]);
    story.i_draw([0, 0, 1, 1, 0]);
    story
}

/// Builds of two seats, a gift and a second gift after a reshuffle, with own draws in between.
fn tangled() -> Story {
    let mut story = reshuffled();
    story.they_draw(1, 2);
    story.they_draw(2, 2);
    story.pay(1, [0, 0, 1, 0, 1]);
    story.i_draw([0, 0, 1, 0, 0]);
    story.pass(1, 2);
    story.pay(2, [1, 0, 0, 0, 0]);
    story.move_cards(2, 1, [0, 0, 1, 0, 0]);
    story.i_draw([0, 0, 1, 0, 1]);
    story.they_draw(1, 1);
    story.pass(2, 1);
    story.pay(1, [0, 0, 1, 1, 0]);
    story
}

/// Where the weights of replays differ, eight replays depart from the law a little. Total variation
/// distances of one hand by kinds, measured with 400 000 deals (sampling alone gives 0.001 to 0.007), the
/// worse of two hands, with 1, 8, 16 and 64 replays:
///
/// | story                    |     1 |     8 |    16 |    64 |
/// |--------------------------|-------|-------|-------|-------|
/// | two ambiguous payments   | 0.022 | 0.007 | 0.007 | 0.007 |
/// | builds, gifts and draws  | 0.013 | 0.006 | 0.005 | 0.006 |
/// | receiver pays            | 0.145 | 0.017 | 0.009 | 0.003 |
/// | receiver pays two kinds  | 0.085 | 0.011 | 0.006 | 0.003 |
/// | giver pays               | 0.081 | 0.007 | 0.004 | 0.004 |
/// | a gift handed on         | 0.123 | 0.033 | 0.017 | 0.004 |
#[test]
fn few_replays_depart_little_from_the_law() {
    let after_gift = |tell: &dyn Fn(&mut Story)| {
        let mut story = gift();
        tell(&mut story);
        story
    };
    let receiver_pays = after_gift(&|story| story.pay(2, [0, 0, 1, 0, 0]));
    let receiver_pays_two = after_gift(&|story| story.pay(2, [0, 0, 1, 0, 1]));
    let giver_pays = after_gift(&|story| story.pay(1, [0, 0, 0, 0, 1]));
    let handed_on = after_gift(&|story| {
        story.pass(2, 3);
        story.pay(3, [0, 0, 1, 0, 0]);
    });
    let stories = [
        ("two ambiguous payments", twice_ambiguous(), 0.004),
        ("builds, gifts and draws", tangled(), 0.004),
        ("receiver pays", receiver_pays, 0.018),
        ("receiver pays two kinds", receiver_pays_two, 0.012),
        ("giver pays", giver_pays, 0.008),
        ("a gift handed on", handed_on, 0.035),
    ];
    for (what, story, excess) in stories {
        for seat in [1, 2] {
            let fit = story.compare(150_000, 61, |world| world.places[seat]);
            fit.assert_near(what, excess);
        }
    }
}
