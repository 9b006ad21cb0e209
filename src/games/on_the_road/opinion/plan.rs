//! The cheapest way to win from here: how many roads, knights, settlements, cities and metropolises, and
//! how many rounds the missing cards take to come.
//!
//! Time of a plan = (missing cards + a share of those of the scarcest kind − what substitution
//! saves + waiting for the row) / cards a round.
//! It ignores what the others do in the meantime, except that bonus cards need more than they have now.

use crate::core::game::Game;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::cards::{Building, Card, Metropolis};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::opinion::weights::Weights;
use crate::games::on_the_road::state::{Area, Table};
use crate::parts::resources::Resources;
use arrayvec::ArrayVec;

/// Rounds that stand for "never".
pub const NEVER: f32 = 50.0;

/// Number of plans that are kept as alternatives.
const KEPT: usize = 6;

/// A way to win: what it needs beyond what is built.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// All cards that must be paid.
    need: Resources,
    /// Builds that it takes.
    builds: f32,
    /// Substitutions that one spare card is worth, once the plan's roads are built.
    swaps_per_card: f32,
    /// Cards for waiting, less added value.
    wait: f32,
    /// One over cards a round.
    rounds_per_card: f32,
}

/// The best plans of one seat, each of which may become the best when the hand changes.
#[derive(Debug, Clone, Default)]
pub struct Plans {
    plans: ArrayVec<(f32, Plan), KEPT>,
    /// Cards that are safe from the Robber.
    safe: u8,
}

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

/// What plans with the same roads and knights have in common.
#[derive(Debug, Clone, Copy)]
struct Base {
    need: Resources,
    builds: u8,
    swaps_per_card: f32,
    wait: f32,
}

/// Prices and waits that all plans in one situation have in common.
struct Costs {
    settlement: Resources,
    city: Resources,
    /// Total price of the cheapest 0, 1, 2 and so on of the metropolises that the seat may still build.
    metropolises: ArrayVec<Resources, 5>,
    income: f32,
}

impl Costs {
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

impl Plan {
    /// Rounds until the plan is paid for from a hand.
    #[inline]
    fn time(&self, weights: &Weights, hand: Resources) -> f32 {
        let lacking = hand.missing(self.need);
        let missing = u16::from(lacking.total());
        let surplus = u16::from(hand.total()) + missing - u16::from(self.need.total());
        let narrow = weights.bottleneck * f32::from(lacking.most());
        let missing = f32::from(missing);
        let swaps = (f32::from(surplus) * self.swaps_per_card).min(self.builds).min(missing);
        (missing + narrow - weights.swap_trust * swaps + self.wait).max(0.0) * self.rounds_per_card
    }
}

impl Plans {
    /// Rounds until the best plan is paid for from a hand; [`NEVER`] without one.
    #[inline]
    pub fn time(&self, weights: &Weights, hand: Resources) -> f32 {
        let times = self.plans.iter().map(|(_, plan)| plan.time(weights, hand));
        let over = f32::from(hand.total().saturating_sub(self.safe));
        times.fold(NEVER, f32::min) + weights.robber_fear * over
    }

    fn add(&mut self, time: f32, plan: Plan) {
        let at = self.plans.iter().position(|&(other, _)| time < other).unwrap_or(self.plans.len());
        if at < KEPT {
            if self.plans.is_full() {
                self.plans.pop();
            }
            self.plans.insert(at, (time, plan));
        }
    }
}

impl Situation<'_> {
    fn area(&self) -> &Area {
        &self.table.areas[self.seat.idx()]
    }

    /// The best plans for a hand.
    pub fn plans(&self, hand: Resources) -> Plans {
        let mut plans = Plans::default();
        let rules = self.game.rules();
        plans.safe = rules.robber.hand_limit + self.area().knights;
        let missing = rules.points_to_win.saturating_sub(self.table.points(self.game, self.seat));
        let route =
            self.bonus(self.table.route, rules.route.minimum, Metropolis::Route, |a| a.roads);
        let army = self.bonus(self.table.army, rules.army.minimum, Metropolis::Army, |a| a.knights);
        let costs = self.costs();
        let held =
            self.risk(self.table.route, |a| a.roads) + self.risk(self.table.army, |a| a.knights);
        for (roads, route_points) in [(0, 0), (route, rules.route.points)] {
            for (knights, army_points) in [(0, 0), (army, rules.army.points)] {
                let useless = (roads == 0 && route_points > 0) || (knights == 0 && army_points > 0);
                if useless || roads > 5 || knights > 5 {
                    continue;
                }
                let left = missing.saturating_sub(route_points + army_points);
                if let Some(mut base) = self.base(roads, knights) {
                    // What a plan takes, it holds with a lead of one card at first.
                    let taken = f32::from(u8::from(roads > 0) + u8::from(knights > 0));
                    base.wait += held + self.weights.hold_risk * taken;
                    self.split(left, &base, &costs, hand, &mut plans);
                }
            }
        }
        plans
    }

    /// Cards that keeping a bonus card with a small lead is assumed to cost.
    fn risk(&self, holder: Option<Seat>, count: fn(&Area) -> u8) -> f32 {
        if holder != Some(self.seat) {
            return 0.0;
        }
        let others = Seat::all(self.game.players()).filter(|&seat| seat != self.seat);
        let most = others.map(|seat| count(&self.table.areas[seat.idx()])).max().unwrap_or(0);
        let lead = f32::from(count(self.area()).saturating_sub(most));
        self.weights.hold_risk * (1.5 - 0.5 * lead).max(0.0)
    }

    fn costs(&self) -> Costs {
        let price = |card| self.game.price(card);
        let open = self.game.metropolises_for(self.table, self.seat);
        let open = Metropolis::ALL.into_iter().filter(|metropolis| open & metropolis.bit() != 0);
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
        Costs {
            settlement: price(Card::Settlement),
            city: price(Card::City),
            metropolises,
            income: f32::from(self.game.players() + self.table.harvest(self.seat)),
        }
    }

    /// What a number of roads and knights costs; `None` if fewer are left, or if they cost more than
    /// anybody pays in a match.
    fn base(&self, roads: u8, knights: u8) -> Option<Base> {
        let (w, rates) = (self.weights, self.game.rules().substitution.rates);
        let wait = self.wait(Building::Road, roads)? + self.wait(Building::Knight, knights)?;
        let love = w.road_love * f32::from(roads) + w.knight_love * f32::from(knights);
        let roads_then = usize::from((self.area().roads + roads).clamp(1, 4)) - 1;
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
        let (row, deck) = (self.table.row[kind.idx()], self.table.deck[kind.idx()]);
        let waiting = f32::from(count.saturating_sub(row));
        (count <= row + deck).then_some(self.weights.row_wait * waiting)
    }

    /// Builds that take a bonus card: 0 if it is held already.
    fn bonus(
        &self,
        holder: Option<Seat>,
        minimum: u8,
        tie: Metropolis,
        count: fn(&Area) -> u8,
    ) -> u8 {
        if holder == Some(self.seat) {
            return 0;
        }
        let others = Seat::all(self.game.players()).filter(|&seat| seat != self.seat);
        let most = others.map(|seat| count(&self.table.areas[seat.idx()])).max().unwrap_or(0);
        let over = if self.table.owns_effect(self.seat, tie) { most } else { most + 1 };
        minimum.max(over).saturating_sub(count(self.area()))
    }

    /// All ways to get `points` from settlements, cities and metropolises, each worth one point more than
    /// what it covers.
    fn split(&self, points: u8, base: &Base, costs: &Costs, hand: Resources, plans: &mut Plans) {
        let area = self.area();
        let w = self.weights;
        for (metropolises, &dear) in (0..=points).zip(&costs.metropolises) {
            for cities in 0..=(points - metropolises).min(5) {
                let settlements = points - metropolises - cities;
                let covers = cities <= area.settlements + settlements
                    && metropolises <= area.cities + cities;
                let waits = (
                    self.wait(Building::Settlement, settlements),
                    self.wait(Building::City, cities),
                );
                let (Some(wait_settlement), Some(wait_city)) = waits else { continue };
                if !covers {
                    continue;
                }
                let Some(need) = costs.need(base.need, dear, settlements, cities) else { continue };
                let love = w.settlement_love * f32::from(settlements);
                let plan = Plan {
                    need,
                    builds: f32::from(base.builds + settlements + cities + metropolises),
                    swaps_per_card: base.swaps_per_card,
                    wait: base.wait + wait_settlement + wait_city - love,
                    rounds_per_card: 1.0 / (costs.income + w.city_growth * f32::from(cities)),
                };
                plans.add(plan.time(w, hand), plan);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::RandomChance;
    use crate::core::seed::BlockSeed;
    use crate::games::on_the_road::allowed::Allowed;
    use crate::games::on_the_road::rules::Rules;
    use crate::parts::resources::Price;

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
        situation.plans(hand).time(&weights, hand)
    }

    #[test]
    fn what_a_seat_may_not_build_is_in_no_plan() {
        let only = |rules: &mut Rules| {
            rules.metropolis.allowed[0] = Allowed::only(Metropolis::Army);
        };
        let [all, army, none] =
            [0b1111, Metropolis::Army.bit(), 0].map(|unbuilt| time(unbuilt, |_| {}));
        assert!(all <= army && army < none, "{all}, {army}, {none}");
        assert!((time(0b1111, only) - army).abs() < 1e-6);
        assert!((time(0b1011, only) - none).abs() < 1e-6);
        let others = |rules: &mut Rules| {
            rules.metropolis.allowed[1..].fill(Allowed::only(Metropolis::Army));
        };
        assert!((time(0b1111, others) - all).abs() < 1e-6);
    }

    #[test]
    fn plans_begin_with_the_cheapest_metropolis() {
        let dear = |rules: &mut Rules| rules.metropolis.roads.extra = Price::new([9, 9, 9, 9, 9]);
        assert!((time(0b1111, dear) - time(0b1110, |_| {})).abs() < 1e-6);
    }
}
