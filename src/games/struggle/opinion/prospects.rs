//! What a seat can build next, in this turn and later, and what that is worth; whatever its hand is. It follows from what
//! lies open in front of all seats and in the stacks, which a search meets again and again: it is kept by exactly that.

use crate::core::game::Game;
use crate::core::resources::{Resource, Resources};
use crate::core::types::cache::Cache;
use crate::core::types::seat::{PerSeat, SEATS_MAX};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::opinion::worth::{Situation, WINS, nearness};
use crate::games::struggle::state::{Area, SoFar, Table};
use arrayvec::ArrayVec;

/// The most sets of builds: with or without each of four types, and one of two expansions or none.
const PLANS_MAX: usize = 16 * 3;

/// Builds that may be next: four types, and two expansions.
const GOALS_MAX: usize = 6;

/// Goals that are timed at once.
pub const LANES: usize = 8;

/// A set of builds in this turn.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// What it costs.
    pub price: Resources,
    /// All cards of the price.
    pub cost: u8,
    /// What it is worth.
    pub worth: f32,
    points: u8,
    types: u8,
    settlements: bool,
    cities: bool,
}

/// A build.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    card: Card,
    /// What it costs.
    pub price: Resources,
    /// What it is worth, without the feature of being done.
    worth: f32,
    /// What it is worth by being nearer to being done.
    finish: f32,
    points: u8,
    /// Turns before it can be built at all.
    lag: f32,
    in_reach: bool,
}

/// The goals side by side, so that all are timed by the same instructions as one.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    /// Cards of each kind.
    pub need: [[u8; LANES]; Resource::COUNT],
    /// All cards.
    pub cost: [f32; LANES],
    /// Turns before it can be built at all.
    pub lag: [f32; LANES],
    /// What it is worth.
    pub worth: [f32; LANES],
}

/// What a seat can build.
#[derive(Debug, Clone, Default)]
pub struct Prospects {
    /// A number for all that they follow from: no others of the same planner have it.
    pub number: u64,
    /// Sets of builds in this turn: none of them first, then those that are worth most.
    pub plans: ArrayVec<Plan, PLANS_MAX>,
    /// What may be next.
    pub goals: ArrayVec<Goal, GOALS_MAX>,
    /// The goals, side by side.
    pub lanes: Lanes,
}

/// Words of a key: what lies in front of six seats, the stacks, what the seat may still do, and its rivals.
const WORDS: usize = 9;

/// Prospects that were found before, under one rule set and with one set of weights.
#[derive(Debug, Clone)]
pub struct KnownProspects {
    found: Cache<WORDS, Prospects>,
    /// How many were found.
    count: u64,
}

/// A slot has some 1,500 bytes.
const CACHE_BITS: u32 = 9;

impl Default for KnownProspects {
    fn default() -> KnownProspects {
        KnownProspects { found: Cache::new(CACHE_BITS), count: 0 }
    }
}

impl KnownProspects {
    /// What a seat can build that is on turn at a table; `rivals` are the shares of the other seats in what the others may
    /// win.
    pub fn of(
        &mut self,
        situation: &Situation<'_, '_>,
        table: &Table,
        rivals: &PerSeat<f32>,
    ) -> &Prospects {
        self.found.get(key(table, rivals), |prospects| {
            self.count += 1;
            *prospects = Prospects { number: self.count, ..Prospects::default() };
            prospects.set_goals(situation, table, rivals);
            prospects.set_plans(situation, table);
        })
    }
}

/// All that prospects follow from, besides rules and weights: a word for what lies in front of each seat, with two bytes
/// of the rest behind it, and a word for two rivals.
fn key(table: &Table, rivals: &PerSeat<f32>) -> [u64; WORDS] {
    let [a, b, c, d, e, f] = table.expansions;
    let (current, clockwise) = (table.current.number(), table.clockwise.into());
    let rest = [
        [a, b],
        [c, d],
        [e, f],
        [table.roads, table.knights],
        [table.settlements, current],
        [clockwise, table.so_far.built],
    ];
    let mut words = [0; WORDS];
    for ((word, area), [one, two]) in words.iter_mut().zip(&table.areas).zip(rest) {
        let Area { roads, knights, settlements, cities, expansions } = *area;
        let bytes = [roads, knights, settlements, cities, expansions, one, two, 0];
        *word = u64::from_le_bytes(bytes);
    }
    // Rivals count where something is taken from them.
    if table.roads == 0 || table.knights == 0 {
        for (word, two) in words[SEATS_MAX..].iter_mut().zip(rivals.chunks_exact(2)) {
            *word = u64::from(two[0].to_bits()) | u64::from(two[1].to_bits()) << 32;
        }
    }
    words
}

const _: () = assert!(SEATS_MAX + SEATS_MAX / 2 == WORDS);

impl Prospects {
    /// Finds what may be built next, in this turn or later.
    fn set_goals(&mut self, situation: &Situation<'_, '_>, table: &Table, rivals: &PerSeat<f32>) {
        for card in [Card::Road, Card::Knight, Card::Settlement, Card::City] {
            if let Some(goal) = goal(situation, table, card, rivals) {
                self.goals.push(goal);
            }
        }
        let expansions: ArrayVec<Goal, { Expansion::COUNT }> = Expansion::ALL
            .into_iter()
            .filter_map(|expansion| goal(situation, table, expansion.card(), rivals))
            .collect();
        let best = first_of(&expansions, u8::MAX);
        self.goals.extend(best);
        self.goals.extend(best.and_then(|best| first_of(&expansions, best.price.total())));
        for (lane, goal) in self.goals.iter().enumerate() {
            for (needs, need) in self.lanes.need.iter_mut().zip(goal.price.counts()) {
                needs[lane] = need;
            }
            self.lanes.cost[lane] = f32::from(goal.price.total());
            self.lanes.lag[lane] = goal.lag;
            self.lanes.worth[lane] = goal.worth + goal.finish;
        }
    }

    /// Finds the sets of builds that this turn allows, if they can be paid for. (SFC-42)
    fn set_plans(&mut self, situation: &Situation<'_, '_>, table: &Table) {
        let (game, weights) = (situation.game, situation.weights);
        let area = table.own();
        self.plans.push(Plan {
            price: Resources::NONE,
            cost: 0,
            worth: 0.0,
            points: table.points(game, situation.seat),
            types: table.so_far.built,
            settlements: area.settlements > 0,
            cities: area.cities > 0,
        });
        for goal in &self.goals {
            let bit = game.type_bit(goal.card);
            for at in 0..self.plans.len() {
                let plan = self.plans[at];
                let possible = match goal.card {
                    Card::Road | Card::Knight | Card::Settlement => goal.in_reach,
                    Card::City => plan.settlements,
                    _ => plan.cities,
                };
                if plan.types & bit != 0 || !possible || self.plans.is_full() {
                    continue;
                }
                self.plans.push(Plan {
                    price: plan.price + goal.price,
                    cost: plan.cost + goal.price.total(),
                    worth: plan.worth + goal.worth,
                    points: plan.points + goal.points,
                    types: plan.types | bit,
                    settlements: plan.settlements || goal.card == Card::Settlement,
                    cities: plan.cities || goal.card == Card::City,
                });
            }
        }
        let target = game.rules().points_to_win.of(situation.seat);
        let held = self.plans[0].points;
        for plan in &mut self.plans[1..] {
            plan.worth += weights.finish * (nearness(target, plan.points) - nearness(target, held));
            if plan.points >= target && plan.types != table.so_far.built {
                plan.worth += WINS;
            }
        }
        self.plans[1..]
            .sort_unstable_by(|a, b| b.worth.total_cmp(&a.worth).then(a.price.cmp(&b.price)));
    }
}

/// A build that may be next; nothing if there is none to be had. City and expansion are seen as if there was a card to
/// build them on, if there is none yet.
fn goal(
    situation: &Situation<'_, '_>,
    table: &Table,
    card: Card,
    rivals: &PerSeat<f32>,
) -> Option<Goal> {
    let (game, seat) = (situation.game, situation.seat);
    let mut before = Table { so_far: SoFar::default(), ..*table };
    let area = &mut before.areas[seat.idx()];
    let mut lag = 0.0;
    if card == Card::City && area.settlements == 0 {
        (area.settlements, lag) = (1, 1.0);
    }
    if card.expansion().is_some() && area.cities == 0 {
        lag = if area.settlements == 0 { 2.0 } else { 1.0 };
        area.cities = 1;
    }
    if !game.is_in_reach(&before, card) {
        return None;
    }
    let mut after = before;
    game.put(&mut after, card);
    let gain = |seat| situation.worth(&after, seat) - situation.worth(&before, seat);
    let (held, then) = (before.points(game, seat), after.points(game, seat));
    // Under some rule sets an expansion is worth less than the city beneath.
    let points = then.saturating_sub(held);
    let target = game.rules().points_to_win.of(seat);
    let nearer = nearness(target, then) - nearness(target, held);
    let finish = situation.weights.finish * nearer;
    let mut worth = gain(seat) - finish;
    let victim = matches!(card, Card::Road | Card::Knight) && table.left(card) == 0;
    if victim {
        let others = table.current.clockwise(game.players()).skip(1);
        let lost: f32 = others.map(|other| rivals[other.idx()] * gain(other)).sum();
        worth -= situation.weights.deny * lost;
    }
    let in_reach = game.is_in_reach(table, card);
    Some(Goal { card, price: game.price(card), worth, finish, points, lag, in_reach })
}

/// Of the goals that cost less than this number of cards, the first that is worth the most.
fn first_of(goals: &[Goal], cost: u8) -> Option<Goal> {
    let mut best: Option<Goal> = None;
    for goal in goals.iter().filter(|goal| goal.price.total() < cost) {
        if best.is_none_or(|best| goal.worth + goal.finish > best.worth + best.finish) {
            best = Some(*goal);
        }
    }
    best
}
