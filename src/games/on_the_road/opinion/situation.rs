//! All ways to win from here: how many roads, knights, settlements, cities and metropolises.
//!
//! They ignore what the others do in the meantime, except that bonus cards need more than they have now.

use crate::core::game::Game;
use crate::core::resources::Resources;
use crate::core::types::cache::Cache;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::cards::{Building, Card, Metropolis};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::opinion::plan::{Options, Plan, Plans, fear};
use crate::games::on_the_road::opinion::weights::Weights;
use crate::games::on_the_road::state::{Area, Table};
use arrayvec::ArrayVec;

/// Slots of the cache of plans, as a power of two.
const CACHE_BITS: u32 = 8;

/// What a plan starts from.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The rules.
    pub game: &'a OnTheRoad,
    /// The weights.
    pub weights: &'a Weights,
    /// The open part of the position.
    pub table: &'a Table,
    /// The seat that plans.
    pub seat: Seat,
}

/// Plans that were made before, under one rule set and with one set of weights.
#[derive(Debug, Clone)]
pub struct KnownOptions(Cache<2, Options>);

impl Default for KnownOptions {
    fn default() -> KnownOptions {
        KnownOptions(Cache::new(CACHE_BITS))
    }
}

impl Situation<'_> {
    /// The best plans for a hand.
    #[inline]
    pub fn plans(&self, known: &mut KnownOptions, hand: Resources) -> Plans {
        self.plans_from(&self.start(), known, hand)
    }

    /// The same, from what [`Situation::start`] gives.
    #[inline]
    pub fn plans_from(&self, start: &Start, known: &mut KnownOptions, hand: Resources) -> Plans {
        self.options(start, known).best(self.weights, hand, self.safe())
    }

    /// Rounds until the best plan is paid for from a hand: that of [`Situation::plans`] for the same hand.
    #[inline]
    pub fn time(&self, known: &mut KnownOptions, hand: Resources) -> f32 {
        self.options(&self.start(), known).time(self.weights, hand)
            + fear(self.weights, hand, self.safe())
    }

    /// All that plans for a hand follow from, besides rules and weights; from what [`Situation::start`] gives.
    #[inline]
    pub fn key(&self, start: &Start, hand: Resources) -> [u64; 3] {
        let [a, b] = start.key();
        // A hand has 40 bits.
        [a, b, hand.word() | u64::from(self.safe()) << 40]
    }

    fn options<'k>(&self, start: &Start, known: &'k mut KnownOptions) -> &'k Options {
        known.0.get(start.key(), |options| {
            options.clear();
            Planning::new(self.game, self.weights, start).all(options);
        })
    }

    fn area(&self) -> &Area {
        &self.table.areas[self.seat.idx()]
    }

    /// Cards that are safe from the Robber.
    fn safe(&self) -> u8 {
        self.game.rules().robber.hand_limit + self.area().knights
    }

    /// All that plans follow from, besides rules, weights and hand.
    pub fn start(&self) -> Start {
        let (rules, table, area) = (self.game.rules(), self.table, self.area());
        let (mut roads, mut knights) = (0, 0);
        for seat in Seat::all(self.game.players()).filter(|&seat| seat != self.seat) {
            let other = &table.areas[seat.idx()];
            roads = other.roads.max(roads);
            knights = other.knights.max(knights);
        }
        let bonus = |holder: Option<Seat>, tie, minimum: u8, own: u8, most: u8| {
            if holder == Some(self.seat) {
                return Bonus::Held { lead: own.saturating_sub(most).min(SAFE_LEAD) };
            }
            let over = most + u8::from(!table.owns_effect(self.seat, tie));
            Bonus::Free { builds: minimum.max(over).saturating_sub(own).min(BUILDS_MAX + 1) }
        };
        let points = rules.points_to_win.of(self.seat);
        let points = points.saturating_sub(table.points(self.game, self.seat));
        let (route, army) = (rules.route.minimum, rules.army.minimum);
        let route = bonus(table.route, Metropolis::Route, route, area.roads, roads);
        let army = bonus(table.army, Metropolis::Army, army, area.knights, knights);
        let most = [route.builds(), points, points.min(CITIES_MAX), army.builds()];
        let supply = std::array::from_fn(|kind| {
            let all = most[kind].min(table.row[kind] + table.deck[kind]);
            Supply { all, row: all.min(table.row[kind]) }
        });
        Start {
            points,
            route,
            army,
            supply,
            roads: area.roads.min(ROADS_THAT_COUNT),
            settlements: area.settlements.min(CITIES_MAX),
            cities: area.cities.min(METROPOLISES_MAX),
            income: self.game.players() + table.harvest(self.seat),
            metropolises: self.game.metropolises_for(table, self.seat),
        }
    }
}

/// The most roads or knights that a plan builds for a bonus card.
const BUILDS_MAX: u8 = 5;

/// The most cities that a plan builds.
const CITIES_MAX: u8 = 5;

/// The most metropolises that a plan builds.
const METROPOLISES_MAX: u8 = 4;

/// Roads from which on the rate of substitution stays the same.
const ROADS_THAT_COUNT: u8 = 4;

/// A lead at which a bonus card is held at no risk.
const SAFE_LEAD: u8 = 3;

/// A bonus card, as one seat sees it.
#[derive(Debug, Clone, Copy)]
enum Bonus {
    /// The seat holds it, with a lead up to [`SAFE_LEAD`].
    Held { lead: u8 },
    /// Somebody else does, or nobody; what takes it, up to one more than a plan builds.
    Free { builds: u8 },
}

impl Bonus {
    /// Builds by which a plan takes it; 0 if no plan does.
    fn builds(self) -> u8 {
        match self {
            Bonus::Free { builds } if builds <= BUILDS_MAX => builds,
            _ => 0,
        }
    }

    fn key(self) -> u8 {
        match self {
            Bonus::Held { lead } => 0x80 | lead,
            Bonus::Free { builds } => builds,
        }
    }
}

/// Cards of a kind that may be built, no more than a plan can use.
#[derive(Debug, Clone, Copy)]
struct Supply {
    /// In row and deck.
    all: u8,
    /// In the row.
    row: u8,
}

/// All that plans follow from, besides rules, weights and hand. What makes no difference to any plan is the
/// same here: plans are found again the more often.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// Points that are missing.
    points: u8,
    route: Bonus,
    army: Bonus,
    supply: [Supply; Building::COUNT],
    /// Up to [`ROADS_THAT_COUNT`].
    roads: u8,
    /// Those that cities may cover, and cities that metropolises may cover.
    settlements: u8,
    cities: u8,
    /// Cards a round.
    income: u8,
    /// Metropolises that the seat may still build.
    metropolises: u8,
}

impl Start {
    /// All of it.
    #[inline]
    fn key(&self) -> [u64; 2] {
        let Start { points, roads, settlements, cities, income, metropolises, .. } = *self;
        let [a, b, c, d] = self.supply.map(|supply| supply.all);
        let [e, f, g, h] = self.supply.map(|supply| supply.row);
        let (route, army) = (self.route.key(), self.army.key());
        [
            u64::from_le_bytes([
                points,
                route,
                army,
                roads,
                settlements,
                cities,
                income,
                metropolises,
            ]),
            u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        ]
    }
}

/// What plans with the same roads and knights have in common.
#[derive(Debug, Clone, Copy)]
struct Base {
    need: Resources,
    builds: u8,
    swaps_per_card: f32,
    wait: f32,
}

/// Makes the plans from one start.
struct Planning<'a> {
    game: &'a OnTheRoad,
    weights: &'a Weights,
    start: &'a Start,
    settlement: Resources,
    city: Resources,
    /// One over cards a round, by the number of cities.
    rounds_per_card: [f32; CITIES_MAX as usize + 1],
    /// Total price of the cheapest 0, 1, 2 and so on of the metropolises that the seat may still build.
    metropolises: ArrayVec<Resources, 5>,
}

impl<'a> Planning<'a> {
    fn new(game: &'a OnTheRoad, weights: &'a Weights, start: &'a Start) -> Planning<'a> {
        let price = |card| game.price(card);
        let open = Metropolis::ALL.into_iter().filter(|card| start.metropolises & card.bit() != 0);
        let mut prices: ArrayVec<Resources, 4> = open.map(|card| price(card.into())).collect();
        prices.sort_by_key(|price| price.total());
        let mut metropolises = ArrayVec::new();
        let mut sum = Resources::NONE;
        metropolises.push(sum);
        for price in prices {
            let Some(more) = sum.checked_add(price) else { break };
            sum = more;
            metropolises.push(sum);
        }
        let (settlement, city) = (price(Card::Settlement), price(Card::City));
        let numbers: [u8; CITIES_MAX as usize + 1] = [0, 1, 2, 3, 4, 5];
        let income = f32::from(start.income);
        let rounds_per_card =
            numbers.map(|cities| 1.0 / (income + weights.city_growth * f32::from(cities)));
        Planning { game, weights, start, settlement, city, rounds_per_card, metropolises }
    }

    /// Adds all plans.
    fn all(&self, options: &mut Options) {
        let (start, rules) = (self.start, self.game.rules());
        let held = self.risk(start.route) + self.risk(start.army);
        let (route, army) = (start.route.builds(), start.army.builds());
        for (roads, route_points) in [(0, 0), (route, rules.route.points)] {
            for (knights, army_points) in [(0, 0), (army, rules.army.points)] {
                let useless = (roads == 0 && route_points > 0) || (knights == 0 && army_points > 0);
                if useless {
                    continue;
                }
                let left = start.points.saturating_sub(route_points + army_points);
                if let Some(mut base) = self.base(roads, knights) {
                    // What a plan takes, it holds with a lead of one card at first.
                    let taken = f32::from(u8::from(roads > 0) + u8::from(knights > 0));
                    base.wait += held + self.weights.hold_risk * taken;
                    self.split(left, &base, options);
                }
            }
        }
    }

    /// Cards that keeping a bonus card with a small lead is assumed to cost.
    fn risk(&self, bonus: Bonus) -> f32 {
        match bonus {
            Bonus::Held { lead } => self.weights.hold_risk * (1.5 - 0.5 * f32::from(lead)).max(0.0),
            Bonus::Free { .. } => 0.0,
        }
    }

    /// What a number of roads and knights costs; `None` if fewer are left, or if they cost more than
    /// anybody pays in a match.
    fn base(&self, roads: u8, knights: u8) -> Option<Base> {
        let (w, rates) = (self.weights, self.game.rules().substitution.rates);
        let wait = self.wait(Building::Road, roads)? + self.wait(Building::Knight, knights)?;
        let love = w.road_love * f32::from(roads) + w.knight_love * f32::from(knights);
        let roads_then = usize::from((self.start.roads + roads).clamp(1, ROADS_THAT_COUNT)) - 1;
        Some(Base {
            need: self
                .game
                .price(Card::Road)
                .checked_times(roads)?
                .checked_add(self.game.price(Card::Knight).checked_times(knights)?)?,
            builds: roads + knights,
            swaps_per_card: 1.0 / f32::from(rates[roads_then]),
            wait: wait - love,
        })
    }

    /// Cards that waiting for a number of cards of a kind costs; `None` if fewer are left.
    #[inline]
    fn wait(&self, kind: Building, count: u8) -> Option<f32> {
        let Supply { all, row } = self.start.supply[kind.idx()];
        let waiting = f32::from(count.saturating_sub(row));
        (count <= all).then_some(self.weights.row_wait * waiting)
    }

    /// All ways to get `points` from settlements, cities and metropolises, each worth one point more than
    /// what it covers.
    fn split(&self, points: u8, base: &Base, options: &mut Options) {
        let (start, w) = (self.start, self.weights);
        for (metropolises, &dear) in (0..=points).zip(&self.metropolises) {
            for cities in 0..=(points - metropolises).min(CITIES_MAX) {
                let settlements = points - metropolises - cities;
                let covers = cities <= start.settlements + settlements
                    && metropolises <= start.cities + cities;
                if !covers {
                    continue;
                }
                let waits = (
                    self.wait(Building::Settlement, settlements),
                    self.wait(Building::City, cities),
                );
                let (Some(wait_settlement), Some(wait_city)) = waits else { continue };
                let Some(need) = self.need(base.need, dear, settlements, cities) else { continue };
                let love = w.settlement_love * f32::from(settlements);
                options.add(&Plan {
                    need,
                    builds: base.builds + settlements + cities + metropolises,
                    swaps_per_card: base.swaps_per_card,
                    wait: base.wait + wait_settlement + wait_city - love,
                    rounds_per_card: self.rounds_per_card[usize::from(cities)],
                });
            }
        }
    }

    /// What roads, knights and metropolises cost, with settlements and cities; `None` if it is more cards than
    /// [`Resources`] holds: in fifty rounds nobody draws as many.
    #[inline]
    fn need(
        &self,
        bonus: Resources,
        metropolises: Resources,
        settlements: u8,
        cities: u8,
    ) -> Option<Resources> {
        let total = |cards: Resources, count: u8| u16::from(cards.total()) * u16::from(count);
        let all = total(bonus, 1) + total(metropolises, 1);
        if all + total(self.settlement, settlements) + total(self.city, cities) <= 127 {
            let towns = self.settlement.times(settlements) + self.city.times(cities);
            return Some(bonus + metropolises + towns);
        }
        let towns = self
            .settlement
            .checked_times(settlements)?
            .checked_add(self.city.checked_times(cities)?)?;
        bonus.checked_add(metropolises)?.checked_add(towns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::RandomChance;
    use crate::core::seed::BlockSeed;
    use crate::games::on_the_road::rules::Allowed;
    use crate::games::on_the_road::rules::Rules;
    use crate::parts::bundles::Surcharge;

    /// Rounds that seat 1 plans for with a city, under a rule set and with these metropolises unbuilt.
    fn time(unbuilt: u8, change: impl FnOnce(&mut Rules)) -> f32 {
        let mut rules = Rules::default();
        change(&mut rules);
        let game = OnTheRoad::new(rules, 4).expect("a rule set that can be played with");
        let mut table = game.deal(&mut RandomChance::new(BlockSeed::new(1, 0))).table;
        table.areas[0] = Area { roads: 1, settlements: 2, cities: 2, ..Area::default() };
        table.unbuilt = unbuilt;
        let weights = Weights::default();
        let situation =
            Situation { game: &game, weights: &weights, table: &table, seat: Seat::FIRST };
        let hand = Resources::new([0, 0, 2, 0, 1]);
        situation.time(&mut KnownOptions::default(), hand)
    }

    #[test]
    fn what_a_seat_may_not_build_is_in_no_plan() {
        let only = |rules: &mut Rules| {
            rules.metropolis.allowed[0] = Allowed::of_bits(Metropolis::Army.bit());
        };
        let [all, army, none] =
            [0b1111, Metropolis::Army.bit(), 0].map(|unbuilt| time(unbuilt, |_| {}));
        assert!(all <= army && army < none, "{all}, {army}, {none}");
        assert!((time(0b1111, only) - army).abs() < 1e-6);
        assert!((time(0b1011, only) - none).abs() < 1e-6);
        let others = |rules: &mut Rules| {
            rules.metropolis.allowed[1..].fill(Allowed::of_bits(Metropolis::Army.bit()));
        };
        assert!((time(0b1111, others) - all).abs() < 1e-6);
    }

    #[test]
    fn plans_begin_with_the_cheapest_metropolis() {
        let dear =
            |rules: &mut Rules| rules.metropolis.roads.extra = Surcharge::new([9, 9, 9, 9, 9]);
        assert!((time(0b1111, dear) - time(0b1110, |_| {})).abs() < 1e-6);
    }
}
