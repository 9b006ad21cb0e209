//! The cheapest way to win from here: how many roads, knights, settlements, cities and metropolises, and
//! how many rounds the missing cards take to come.
//!
//! Time of a plan = (missing cards − what substitution saves + waiting for the row) / cards a round.
//! It ignores what the others do in the meantime, except that bonus cards need more than they have now.

use crate::agents::features::on_the_road::Weights;
use crate::game::Game;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::cards::Building;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::cards::Metropolis;
use crate::games::on_the_road::state::Area;
use crate::games::on_the_road::state::Table;
use crate::parts::resources::Resource;
use crate::parts::resources::Resources;
use crate::types::seat::Seat;
use arrayvec::ArrayVec;

/// Rounds that stand for "never".
pub const NEVER: f32 = 50.0;

/// Plans that are kept as alternatives.
const KEPT: usize = 4;

/// A way to win: what it needs beyond what stands.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// All cards to be paid.
    need: Resources,
    /// Builds to be made.
    builds: f32,
    /// Cards for one in a substitution, once its roads stand.
    rate: f32,
    /// Cards for waiting, less added worth.
    wait: f32,
    /// Cards a round.
    income: f32,
}

/// The best plans of one seat, each of which may become the best when the hand changes.
#[derive(Debug, Clone, Default)]
pub struct Plans {
    plans: ArrayVec<(f32, Plan), KEPT>,
}

/// What a plan starts from.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The rules.
    pub game: &'a OnTheRoad,
    /// How things are weighed.
    pub weights: &'a Weights,
    /// What lies open.
    pub table: &'a Table,
    /// Who plans.
    pub seat: Seat,
}

/// Builds of each kind that a plan makes.
#[derive(Debug, Clone, Copy)]
struct Builds {
    roads: u8,
    knights: u8,
    settlements: u8,
    cities: u8,
    metropolises: u8,
}

impl Plan {
    /// Rounds until the plan is paid for from a hand.
    #[inline]
    fn time(&self, weights: &Weights, hand: Resources) -> f32 {
        let (mut missing, mut surplus) = (0_i32, 0_i32);
        for kind in Resource::ALL {
            let left = i32::from(hand.get(kind)) - i32::from(self.need.get(kind));
            missing -= left.min(0);
            surplus += left.max(0);
        }
        let missing = missing as f32;
        let swaps = (surplus as f32 / self.rate).min(self.builds).min(missing);
        (missing - weights.swap_trust * swaps + self.wait).max(0.0) / self.income
    }
}

impl Plans {
    /// Rounds until the best plan is paid for from a hand; [`NEVER`] without one.
    #[inline]
    pub fn time(&self, weights: &Weights, hand: Resources) -> f32 {
        let times = self.plans.iter().map(|(_, plan)| plan.time(weights, hand));
        times.fold(NEVER, f32::min)
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
        let missing = rules.points_to_win.saturating_sub(self.table.points(self.game, self.seat));
        let route =
            self.bonus(self.table.route, rules.route.minimum, Metropolis::Route, |a| a.roads);
        let army = self.bonus(self.table.army, rules.army.minimum, Metropolis::Army, |a| a.knights);
        for (roads, route_points) in [(0, 0), (route, rules.route.points)] {
            for (knights, army_points) in [(0, 0), (army, rules.army.points)] {
                let useless = (roads == 0 && route_points > 0) || (knights == 0 && army_points > 0);
                if useless || roads > 5 || knights > 5 {
                    continue;
                }
                let left = missing.saturating_sub(route_points + army_points);
                self.split(left, roads, knights, hand, &mut plans);
            }
        }
        plans
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
    fn split(&self, points: u8, roads: u8, knights: u8, hand: Resources, plans: &mut Plans) {
        let area = self.area();
        for metropolises in 0..=points.min(4) {
            for cities in 0..=(points - metropolises).min(5) {
                let settlements = points - metropolises - cities;
                let covers = cities <= area.settlements + settlements
                    && metropolises <= area.cities + cities;
                if covers {
                    let builds = Builds { roads, knights, settlements, cities, metropolises };
                    if let Some(plan) = self.plan(builds) {
                        plans.add(plan.time(self.weights, hand), plan);
                    }
                }
            }
        }
    }

    fn plan(&self, builds: Builds) -> Option<Plan> {
        let Builds { roads, knights, settlements, cities, metropolises } = builds;
        let table = self.table;
        let price = |card| self.game.price(card);
        let mut need = price(Card::Road).times(roads)
            + price(Card::Knight).times(knights)
            + price(Card::Settlement).times(settlements)
            + price(Card::City).times(cities);
        if metropolises > 0 {
            let free = Metropolis::ALL.into_iter().filter(|m| table.unbuilt & m.bit() != 0);
            let mut left = metropolises;
            for metropolis in free {
                if left > 0 {
                    need = need + price(metropolis.into());
                    left -= 1;
                }
            }
            if left > 0 {
                return None;
            }
        }
        let wanted = [roads, settlements, cities, knights];
        let mut wait = 0.0;
        for (kind, &count) in wanted.iter().enumerate() {
            if count > table.row[kind] + table.deck[kind] {
                return None;
            }
            wait += self.weights.row_wait * f32::from(count.saturating_sub(table.row[kind]));
        }
        let w = self.weights;
        wait -= w.road_love * f32::from(roads)
            + w.knight_love * f32::from(knights)
            + w.settlement_love * f32::from(settlements);
        let roads_then = usize::from((self.area().roads + roads).clamp(1, 4)) - 1;
        let harvest = f32::from(self.game.players() + table.harvest(self.seat));
        Some(Plan {
            need,
            builds: f32::from(wanted.iter().sum::<u8>() + metropolises),
            rate: f32::from(self.game.rules().substitution.rates[roads_then]),
            wait,
            income: harvest + w.city_growth * f32::from(cities),
        })
    }
}

const _: () = assert!(Building::COUNT == 4, "a plan counts four kinds");
