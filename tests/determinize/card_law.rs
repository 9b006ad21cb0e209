//! Every possible arrangement of a deck's hidden cards, by kinds, with its exact weight.
//!
//! It knows no replay, no pools of old and new cards and no sampling; a card is "surely held" when every
//! possible world has it.

use crate::fit::Fit;
use fairhaven::core::resources::Resource;
use std::collections::BTreeMap;

/// Cards by kind.
pub type Counts = [u8; Resource::COUNT];

/// The observer of every story.
pub const ME: usize = 0;

/// One possible arrangement of all cards; the last place is the discards.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct World<const HOLDERS: usize> {
    pub places: [Counts; HOLDERS],
    pub pile: Counts,
}

/// Every possible arrangement of the cards, with its weight.
pub struct Law<const HOLDERS: usize> {
    deck: Counts,
    pub worlds: BTreeMap<World<HOLDERS>, f64>,
}

pub fn total(cards: Counts) -> u8 {
    cards.iter().sum()
}

/// The number of ways to choose `k` of `n` physical cards.
pub fn ways(n: u8, k: u8) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// All ways to take `wanted` cards out of a pool, by kinds, with the number of physical ways.
pub fn hands(pool: Counts, wanted: u8) -> Vec<(Counts, f64)> {
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

impl<const HOLDERS: usize> Law<HOLDERS> {
    /// How well the distribution of `key` over worlds that `deal` draws fits this one.
    pub fn fit<K: Ord>(
        &self,
        samples: u32,
        key: impl Fn(&World<HOLDERS>) -> K,
        mut deal: impl FnMut() -> World<HOLDERS>,
    ) -> Fit {
        let mut cells: BTreeMap<K, (f64, u32)> = BTreeMap::new();
        for (world, weight) in &self.worlds {
            cells.entry(key(world)).or_default().0 += weight;
        }
        for _ in 0..samples {
            let world = deal();
            assert!(self.worlds.contains_key(&world), "an impossible position: {world:?}");
            cells.get_mut(&key(&world)).expect("a possible cell").1 += 1;
        }
        Fit::new(cells.into_values(), samples)
    }

    /// All cards are in the pile.
    pub fn new(deck: Counts) -> Law<HOLDERS> {
        let world = World { places: [[0; Resource::COUNT]; HOLDERS], pile: deck };
        Law { deck, worlds: BTreeMap::from([(world, 1.0)]) }
    }

    /// Moves from each world to those that `next` names with their likelihoods.
    fn branch(
        &mut self,
        next: impl Fn(&World<HOLDERS>, Resource) -> Option<(World<HOLDERS>, f64)>,
    ) {
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

    pub fn drew(&mut self, seat: usize, seen: Option<Resource>) {
        self.branch(|world, kind| {
            let likely = Self::share(world.pile, kind)?;
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

    pub fn moved(&mut self, from: usize, to: usize, paid: Resource) {
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

    /// A holder has this number of cards of a kind: those that it did not surely have turn up.
    pub fn shown(&mut self, at: usize, kind: Resource, count: u8) {
        let sure = self.sure(at)[kind.idx()];
        self.branch(|world, other| {
            let held = world.places[at][kind.idx()];
            let found = held >= count && other == kind;
            found.then(|| (world.clone(), ways(held - sure, count.saturating_sub(sure))))
        });
    }

    /// A holder has shown all of its cards.
    pub fn opened(&mut self, at: usize, cards: Counts) {
        self.worlds.retain(|world, _| world.places[at] == cards);
        self.branch(|world, kind| (kind == Resource::Brick).then(|| (world.clone(), 1.0)));
    }

    pub fn passed(&mut self, from: usize, to: usize) {
        self.branch(|world, kind| {
            let likely = Self::share(world.places[from], kind)?;
            let mut world = world.clone();
            world.places[from][kind.idx()] -= 1;
            world.places[to][kind.idx()] += 1;
            Some((world, likely))
        });
    }

    /// A random card of a holder turned out to be of a kind.
    pub fn taken(&mut self, from: usize, to: usize, seen: Resource) {
        self.branch(|world, kind| {
            let likely = Self::share(world.places[from], kind)?;
            let mut world = world.clone();
            world.places[from][kind.idx()] -= 1;
            world.places[to][kind.idx()] += 1;
            (kind == seen).then_some((world, likely))
        });
    }

    /// What is surely held stays; the other cards are dealt again, and then the discards are the pile.
    pub fn reshuffle(&mut self) {
        let mut start =
            World { places: std::array::from_fn(|at| self.sure(at)), pile: [0; Resource::COUNT] };
        let sure_of = |kind: usize| -> u8 { start.places.iter().map(|cards| cards[kind]).sum() };
        let pool: Counts = std::array::from_fn(|kind| self.deck[kind] - sure_of(kind));
        let one = self.worlds.keys().next().expect("a world is left");
        let unseen: [u8; HOLDERS] =
            std::array::from_fn(|at| total(one.places[at]) - total(start.places[at]));
        // The pool is in the pile until it is dealt.
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
            world.pile = std::mem::take(&mut world.places[HOLDERS - 1]);
            (world, weight / sum)
        });
        self.worlds = turned.collect();
    }
}
