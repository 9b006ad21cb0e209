//! What the net that judges positions is told of a seat.
//!
//! The net is `net.toml` beside this file, read once. Its inputs are what a player looks at: how far the
//! plan is, what is built, what is in hand, who leads, and what the row and the deck still have.

use crate::core::game::Game;
use crate::core::net::{Net, flag, inputs};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::on_the_road::cards::{Building, Metropolis};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::state::{Area, Phase, State};
use std::sync::LazyLock;

inputs! {
    version 1;
    rounds * 0.2, "rounds until the best plan is paid for, with those that the seat waits for its turn";
    wait * 1.0, "turns until its own, in rounds";
    acts * 1.0, "whether it is in the main part of its turn";
    missing * 0.1, "points that it lacks";
    on_turn * 1.0, "whether it is its turn";
    roads * 0.2, "roads";
    settlements * 0.333_333_34, "uncovered settlements";
    cities * 0.333_333_34, "uncovered cities";
    knights * 0.333_333_34, "knights";
    metropolis_roads * 1.0, "whether it has this metropolis";
    metropolis_knights * 1.0, "whether it has this metropolis";
    metropolis_army * 1.0, "whether it has this metropolis";
    metropolis_route * 1.0, "whether it has this metropolis";
    harvest * 0.25, "cards that its own harvest brings beyond one";
    hand * 0.142_857_15, "cards in hand";
    brick * 0.333_333_34, "brick in hand, up to five";
    lumber * 0.333_333_34, "lumber in hand, up to five";
    wool * 0.333_333_34, "wool in hand, up to five";
    grain * 0.333_333_34, "grain in hand, up to five";
    ore * 0.333_333_34, "ore in hand, up to five";
    excess * 0.333_333_34, "cards in hand that are not safe from the Robber";
    holds_route * 1.0, "whether it holds Longest Route";
    holds_army * 1.0, "whether it holds Largest Army";
    road_lead * 0.333_333_34, "its roads less the most of another seat, -3 to 3";
    knight_lead * 0.333_333_34, "the same of knights";
    traded * 1.0, "whether it is its turn and the trade is used";
    substituted * 1.0, "whether it is its turn and the substitution is used";
    rate * 1.0, "one over the cards that a substitution takes";
    row_roads * 0.333_333_34, "roads in the row";
    row_settlements * 0.333_333_34, "settlements in the row";
    row_cities * 0.333_333_34, "cities in the row";
    row_knights * 0.333_333_34, "knights in the row";
    deck_roads * 0.125, "roads in the deck";
    deck_settlements * 0.125, "settlements in the deck";
    deck_cities * 0.125, "cities in the deck";
    deck_knights * 0.125, "knights in the deck";
    first_rival * 0.2, "the rounds of the fastest other seat";
    second_rival * 0.2, "the rounds of the second fastest other seat";
    near * 1.0, "e to the power of minus its rounds";
    rival_near * 1.0, "the same of the fastest other seat";
    pace * 1.0, "one over one and its rounds";
    rival_points * 0.1, "the most points of another seat";
    lacks_one * 1.0, "whether it lacks one point at most";
    lacks_two * 1.0, "whether it lacks two points at most";
    lacks_three * 1.0, "whether it lacks three points at most";
    unbuilt * 0.25, "metropolises that nobody has built";
    mid_near * 1.0, "e to the power of minus two fifths of its rounds";
    built * 1.0, "whether it is its turn and something was built";
}

/// Rounds of a seat that is not there.
const ABSENT: f32 = 50.0;

/// The net.
pub static NET: LazyLock<Net> =
    LazyLock::new(|| Net::shipped(include_str!("net.toml"), OnTheRoad::NAME, &OWN));

/// What the inputs of all seats are taken from.
struct Position<'a> {
    game: &'a OnTheRoad,
    state: &'a State,
    rounds: &'a PerSeat<f32>,
    points: PerSeat<u8>,
}

/// The inputs of each seat, in a position in which it takes these rounds.
pub fn inputs(game: &OnTheRoad, state: &State, rounds: &PerSeat<f32>) -> PerSeat<Inputs> {
    let mut points = [0; SEATS_MAX];
    for seat in Seat::all(game.players()) {
        points[seat.idx()] = state.table.points(game, seat);
    }
    let position = Position { game, state, rounds, points };
    let mut all = [Inputs::default(); SEATS_MAX];
    for seat in Seat::all(game.players()) {
        let inputs = &mut all[seat.idx()];
        position.stand(seat, inputs);
        position.cards(seat, inputs);
        position.rivals(seat, inputs);
        position.supply(inputs);
    }
    all
}

impl Position<'_> {
    fn area(&self, seat: Seat) -> &Area {
        &self.state.table.areas[seat.idx()]
    }

    /// How far the seat is, what it has built, and whether it is its turn.
    fn stand(&self, seat: Seat, inputs: &mut Inputs) {
        let (table, area, seats) = (&self.state.table, self.area(seat), self.game.players());
        let steps = (seat.number() + seats - table.current.number()) % seats;
        let on_turn = steps == 0;
        let rounds = self.rounds[seat.idx()];
        let missing = self.game.rules().points_to_win.of(seat);
        let missing = missing.saturating_sub(self.points[seat.idx()]);
        let has = |metropolis: Metropolis| flag(area.metropolises & metropolis.bit() != 0);
        inputs.rounds = rounds;
        inputs.wait = f32::from(steps) / f32::from(seats);
        inputs.acts = flag(on_turn && matches!(table.phase, Phase::Main));
        inputs.missing = f32::from(missing);
        inputs.on_turn = flag(on_turn);
        inputs.roads = f32::from(area.roads);
        inputs.settlements = f32::from(area.settlements);
        inputs.cities = f32::from(area.cities);
        inputs.knights = f32::from(area.knights);
        inputs.metropolis_roads = has(Metropolis::Roads);
        inputs.metropolis_knights = has(Metropolis::Knights);
        inputs.metropolis_army = has(Metropolis::Army);
        inputs.metropolis_route = has(Metropolis::Route);
        inputs.harvest = f32::from(table.harvest(seat));
        inputs.traded = flag(on_turn && table.so_far.traded);
        inputs.substituted = flag(on_turn && table.so_far.substituted);
        inputs.built = flag(on_turn && table.so_far.built);
        inputs.near = libm::expf(-rounds);
        inputs.mid_near = libm::expf(-0.4 * rounds);
        inputs.pace = 1.0 / (1.0 + rounds.max(0.0));
        inputs.lacks_one = flag(missing <= 1);
        inputs.lacks_two = flag(missing <= 2);
        inputs.lacks_three = flag(missing <= 3);
    }

    /// What it holds.
    fn cards(&self, seat: Seat, inputs: &mut Inputs) {
        let (rules, area) = (self.game.rules(), self.area(seat));
        let hand = self.state.hand(seat);
        let safe = rules.robber.hand_limit.saturating_add(area.knights);
        let [brick, lumber, wool, grain, ore] = hand.counts().map(|count| f32::from(count.min(5)));
        // The rates are those of one to four roads.
        let rate = rules.substitution.rates[usize::from(area.roads.clamp(1, 4)) - 1];
        inputs.hand = f32::from(hand.total());
        (inputs.brick, inputs.lumber, inputs.wool) = (brick, lumber, wool);
        (inputs.grain, inputs.ore) = (grain, ore);
        inputs.excess = f32::from(hand.total().saturating_sub(safe));
        inputs.rate = 1.0 / f32::from(rate);
    }

    /// How it stands beside the others.
    fn rivals(&self, seat: Seat, inputs: &mut Inputs) {
        let table = &self.state.table;
        let (mut first, mut second) = (ABSENT, ABSENT);
        let (mut roads, mut knights, mut points) = (0, 0, 0);
        for other in Seat::all(self.game.players()).filter(|&other| other != seat) {
            let (rounds, area) = (self.rounds[other.idx()], self.area(other));
            (first, second) = (first.min(rounds), second.min(first.max(rounds)));
            roads = area.roads.max(roads);
            knights = area.knights.max(knights);
            points = self.points[other.idx()].max(points);
        }
        let lead = |own: u8, other: u8| (f32::from(own) - f32::from(other)).clamp(-3.0, 3.0);
        inputs.first_rival = first;
        inputs.second_rival = second;
        inputs.rival_near = libm::expf(-first);
        inputs.rival_points = f32::from(points);
        inputs.road_lead = lead(self.area(seat).roads, roads);
        inputs.knight_lead = lead(self.area(seat).knights, knights);
        inputs.holds_route = flag(table.route == Some(seat));
        inputs.holds_army = flag(table.army == Some(seat));
    }

    /// What is left to build.
    fn supply(&self, inputs: &mut Inputs) {
        let table = &self.state.table;
        let of = |cards: &[u8; Building::COUNT], kind: Building| f32::from(cards[kind.idx()]);
        let unbuilt = Metropolis::ALL.into_iter().filter(|card| table.unbuilt & card.bit() != 0);
        inputs.row_roads = of(&table.row, Building::Road);
        inputs.row_settlements = of(&table.row, Building::Settlement);
        inputs.row_cities = of(&table.row, Building::City);
        inputs.row_knights = of(&table.row, Building::Knight);
        inputs.deck_roads = of(&table.deck, Building::Road);
        inputs.deck_settlements = of(&table.deck, Building::Settlement);
        inputs.deck_cities = of(&table.deck, Building::City);
        inputs.deck_knights = of(&table.deck, Building::Knight);
        inputs.unbuilt = unbuilt.count() as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::RandomChance;
    use crate::core::opinion::learned_chances;
    use crate::core::seed::BlockSeed;
    use crate::games::on_the_road::rules::Rules;

    #[test]
    fn chances_are_shares_and_points_raise_them() {
        let game = OnTheRoad::new(Rules::default(), 4).expect("the default rules");
        let more = |state: &mut State| state.table.areas[2].cities += 2;
        let [before, after] = learned_chances(&game, |_| false, more);
        assert!(before[..4].iter().all(|chance| (0.05..0.6).contains(chance)), "{before:?}");
        assert!(after[2] > before[2] + 0.1, "{before:?}, {after:?}");
    }

    /// The rivals are told apart by their rounds; a seat without rivals has none that is near.
    #[test]
    fn the_fastest_two_rivals_are_found() {
        let game = OnTheRoad::new(Rules::default(), 4).expect("the default rules");
        let state = game.deal(&mut RandomChance::new(BlockSeed::new(3, 0)));
        let mut rounds = [0.0; SEATS_MAX];
        rounds[..4].copy_from_slice(&[4.0, 1.0, 3.0, 2.0]);
        let all = inputs(&game, &state, &rounds);
        let of = |at: usize| (all[at].rounds, all[at].first_rival, all[at].second_rival);
        assert_eq!([of(0), of(1), of(3)], [(4.0, 1.0, 2.0), (1.0, 2.0, 3.0), (2.0, 1.0, 3.0)]);
    }
}
