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

/// A build that may be next, whoever may win.
#[derive(Debug, Clone, Copy)]
struct Opening {
    /// The build, by what the seat itself gains.
    goal: Goal,
    /// What the others gain by it, if it is taken from one of them.
    theirs: Option<PerSeat<f32>>,
}

/// All of them: four types, then expansions.
type Openings = ArrayVec<Opening, { 4 + Expansion::COUNT }>;

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

/// Words of a key: what lies in front of six seats, the stacks, what the seat may still do.
const OPEN_WORDS: usize = SEATS_MAX;

/// The same, and its rivals.
const WORDS: usize = OPEN_WORDS + SEATS_MAX / 2;

/// Prospects that were found before, under one rule set and with one set of weights.
#[derive(Debug, Clone)]
pub struct KnownProspects {
    /// Builds that may be next, whoever may win: hands change who may, which matters only where something is taken.
    openings: Cache<OPEN_WORDS, Openings>,
    found: Cache<WORDS, Prospects>,
    /// The number of those that were found last.
    last: u64,
}

/// Two tables of a planner, so that it can compare a position with what comes after a build; no number is in both.
///
/// A slot of the first has some 1,500 bytes.
pub fn two_tables() -> [KnownProspects; 2] {
    [(9, 0), (7, 1)].map(|(bits, last)| KnownProspects {
        openings: Cache::new(bits),
        found: Cache::new(bits),
        last,
    })
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
        let KnownProspects { openings, found, last } = self;
        let open = open_key(table);
        found.get(key(open, table, rivals), |prospects| {
            *last += 2;
            *prospects = Prospects { number: *last, ..Prospects::default() };
            let openings = openings.get(open, |all| *all = find_openings(situation, table));
            prospects.set_goals(situation, table, openings, rivals);
            prospects.set_plans(situation, table);
        })
    }
}

/// All that builds follow from, whoever may win, besides rules and weights: a word for what lies in front of each seat, with
/// two bytes of the rest behind it.
fn open_key(table: &Table) -> [u64; OPEN_WORDS] {
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
    let mut words = [0; OPEN_WORDS];
    for ((word, area), [one, two]) in words.iter_mut().zip(&table.areas).zip(rest) {
        let Area { roads, knights, settlements, cities, expansions } = *area;
        let bytes = [roads, knights, settlements, cities, expansions, one, two, 0];
        *word = u64::from_le_bytes(bytes);
    }
    words
}

/// All that prospects follow from, besides rules and weights: the same, and a word for two rivals.
fn key(open: [u64; OPEN_WORDS], table: &Table, rivals: &PerSeat<f32>) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    words[..OPEN_WORDS].copy_from_slice(&open);
    // Rivals count where something is taken from them.
    if table.roads == 0 || table.knights == 0 {
        for (word, two) in words[OPEN_WORDS..].iter_mut().zip(rivals.chunks_exact(2)) {
            *word = u64::from(two[0].to_bits()) | u64::from(two[1].to_bits()) << 32;
        }
    }
    words
}

impl Prospects {
    /// Finds what may be built next, in this turn or later.
    fn set_goals(
        &mut self,
        situation: &Situation<'_, '_>,
        table: &Table,
        openings: &Openings,
        rivals: &PerSeat<f32>,
    ) {
        let mut expansions = ArrayVec::<Goal, { Expansion::COUNT }>::new();
        for opening in openings {
            let goal = opening.against(situation, table, rivals);
            if goal.card.expansion().is_some() {
                expansions.push(goal);
            } else {
                self.goals.push(goal);
            }
        }
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

impl Opening {
    /// The goal that it is against rivals with these shares in what they may win.
    fn against(&self, situation: &Situation<'_, '_>, table: &Table, rivals: &PerSeat<f32>) -> Goal {
        let mut goal = self.goal;
        if let Some(theirs) = self.theirs {
            let others = table.current.clockwise(situation.game.players()).skip(1);
            let lost: f32 = others.map(|other| rivals[other.idx()] * theirs[other.idx()]).sum();
            goal.worth -= situation.weights.deny * lost;
        }
        goal
    }
}

/// All builds that may be next.
fn find_openings(situation: &Situation<'_, '_>, table: &Table) -> Openings {
    let area = &table.areas[situation.seat.idx()];
    let plain = Ground::new(situation, table, 0.0, |_| {});
    let site = (area.settlements == 0)
        .then(|| Ground::new(situation, table, 1.0, |area| area.settlements = 1));
    let turns = if area.settlements == 0 { 2.0 } else { 1.0 };
    let city =
        (area.cities == 0).then(|| Ground::new(situation, table, turns, |area| area.cities = 1));
    let cards = Card::ALL.into_iter().filter_map(|card| {
        let other = match card {
            Card::City => &site,
            _ if card.expansion().is_some() => &city,
            _ => &None,
        };
        opening(situation, table, other.as_ref().unwrap_or(&plain), card)
    });
    cards.collect()
}

/// A table to build at, as if a turn had just begun; and if a card is still missing that is built on, as if it was there.
struct Ground {
    table: Table,
    /// Turns until the card is there.
    lag: f32,
    /// What the table is worth to the seat.
    worth: f32,
}

impl Ground {
    fn new(
        situation: &Situation<'_, '_>,
        table: &Table,
        lag: f32,
        add: impl FnOnce(&mut Area),
    ) -> Ground {
        let mut table = Table { so_far: SoFar::default(), ..*table };
        add(&mut table.areas[situation.seat.idx()]);
        Ground { table, lag, worth: situation.worth(&table, situation.seat) }
    }
}

/// A build that may be next; nothing if there is none to be had.
fn opening(
    situation: &Situation<'_, '_>,
    table: &Table,
    ground: &Ground,
    card: Card,
) -> Option<Opening> {
    let (game, seat) = (situation.game, situation.seat);
    let Ground { table: ref before, lag, worth: had } = *ground;
    if !game.is_in_reach(before, card) {
        return None;
    }
    let mut after = *before;
    game.put(&mut after, card);
    let (held, then) = (before.points(game, seat), after.points(game, seat));
    // Under some rule sets an expansion is worth less than the city beneath.
    let points = then.saturating_sub(held);
    let target = game.rules().points_to_win.of(seat);
    let nearer = nearness(target, then) - nearness(target, held);
    let finish = situation.weights.finish * nearer;
    let worth = situation.worth(&after, seat) - had - finish;
    let is_taken = matches!(card, Card::Road | Card::Knight) && table.left(card) == 0;
    let theirs = is_taken.then(|| {
        let mut gains = [0.0; SEATS_MAX];
        for other in table.current.clockwise(game.players()).skip(1) {
            gains[other.idx()] = situation.worth(&after, other) - situation.worth(before, other);
        }
        gains
    });
    let in_reach = game.is_in_reach(table, card);
    let goal = Goal { card, price: game.price(card), worth, finish, points, lag, in_reach };
    Some(Opening { goal, theirs })
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
