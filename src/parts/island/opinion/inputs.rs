//! What the net that judges positions is told of a seat: the features of the plain judgement, and what they leave out:
//! kinds of income and of cards, harbours, races for Longest Road and Largest Army, and how the others stand.
//!
//! The net is `net.toml` beside this file, read once.

use crate::core::game::Game;
use crate::core::net::{InputList, Net, flag, inputs};
use crate::core::types::joined::joined;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::parts::island::Island;
use crate::parts::island::cards::{Card, size};
use crate::parts::island::opinion::known::Kinds;
use crate::parts::island::opinion::standing::Standings;
use crate::parts::island::opinion::weights::{FEATURES, Features, Weights};
use crate::parts::island::state::{Phase, Stage, State};
use std::sync::LazyLock;

inputs! {
    version 1;
    brick_income * 0.166_666_67, "brick that 36 rolls bring";
    lumber_income * 0.166_666_67, "lumber that 36 rolls bring";
    wool_income * 0.166_666_67, "wool that 36 rolls bring";
    grain_income * 0.166_666_67, "grain that 36 rolls bring";
    ore_income * 0.166_666_67, "ore that 36 rolls bring";
    brick * 0.333_333_34, "brick in hand, up to six";
    lumber * 0.333_333_34, "lumber in hand, up to six";
    wool * 0.333_333_34, "wool in hand, up to six";
    grain * 0.333_333_34, "grain in hand, up to six";
    ore * 0.333_333_34, "ore in hand, up to six";
    brick_trade * 0.5, "4 less the cards that the bank takes for one, if brick is given";
    lumber_trade * 0.5, "the same of lumber";
    wool_trade * 0.5, "the same of wool";
    grain_trade * 0.5, "the same of grain";
    ore_trade * 0.5, "the same of ore";
    all_cards * 0.125, "cards in hand, up to fifteen";
    excess * 0.25, "cards in hand that are lost on a 7";
    settlements * 0.25, "settlements";
    cities * 0.333_333_34, "cities";
    trail * 0.125, "the length of its longest road";
    holds_route * 1.0, "whether it holds Longest Road";
    trail_lead * 0.25, "the length of its longest road less the longest of another seat, -6 to 6";
    knights * 0.25, "knights played";
    holds_army * 1.0, "whether it holds Largest Army";
    knight_lead * 0.333_333_34, "knights played less the most of another seat, -4.5 to 4.5";
    knight_cards * 0.5, "unplayed knights";
    point_cards * 0.5, "unplayed points";
    free_roads * 1.0, "unplayed cards for roads";
    plenty * 1.0, "unplayed cards for two of the bank";
    monopoly * 1.0, "unplayed cards for a monopoly";
    unplayed * 0.333_333_34, "all unplayed development cards";
    acts * 1.0, "whether it is in the main part of its turn";
    rolls * 1.0, "whether it is its turn, before the roll";
    has_played * 1.0, "whether it is its turn and a development card was played";
    lead * 0.333_333_34, "its worth by the plain weights less the highest of another seat";
    second_lead * 0.333_333_34, "the same of the second highest of another seat";
    plain * 0.1, "its worth by the plain weights";
    lacks_one * 1.0, "whether it lacks one point at most";
    lacks_two * 1.0, "whether it lacks two points at most";
    lacks_three * 1.0, "whether it lacks three points at most";
    rival_points * 0.1, "the most points of another seat";
    rival_near * 1.0, "whether another seat lacks two points at most";
    spots * 0.5, "places at its roads where it may found";
    frontier * 0.1, "edges that it may lay a road on";
    founding * 1.0, "whether the match is still at its founding";
    seats * 0.25, "seats at the table";
    deck * 0.04, "development cards in the deck";
    longest * 0.125, "the length of the longest road that counts";
    trail_over * 0.25, "by how much its longest road is longer than any other seat's";
    robbing * 1.0, "whether it is its turn and the robber moves";
    turns * 0.01, "turns so far, up to two hundred";
}

/// What the features are multiplied by, in their order.
const SCALES: [f32; FEATURES.len()] = [
    0.1, 1.0, 0.04, 0.3, 0.15, 0.7, 0.7, 0.7, 0.2, 0.1, 0.1, 0.1, 1.0, 1.0, 0.3, 0.1, 1.0, 0.15,
    0.6, 0.5, 0.5,
];

const COUNT: usize = FEATURES.len() + OWN.names.len();

/// All inputs: the features, then those above.
pub const ALL: InputList = InputList {
    names: &joined::<_, COUNT>(FEATURES, OWN.names),
    scales: &joined::<_, COUNT>(&SCALES, OWN.scales),
    ..OWN
};

/// The worth of a seat that is not there.
const ABSENT: f32 = -20.0;

/// The net.
pub static NET: LazyLock<Net> =
    LazyLock::new(|| Net::shipped(include_str!("net.toml"), Island::NAME, &ALL));

/// What the inputs of all seats are taken from.
struct Position<'a> {
    game: &'a Island,
    state: &'a State,
    features: PerSeat<Features>,
    worths: PerSeat<f32>,
    /// Lengths of the longest roads.
    trails: PerSeat<u8>,
    /// Cards that 36 rolls bring, by kind.
    incomes: PerSeat<Kinds>,
    points: PerSeat<u8>,
}

/// All inputs of each seat in a position, as the net takes them.
pub fn all(
    game: &Island,
    weights: &Weights,
    standings: &mut Standings,
    state: &State,
) -> PerSeat<[f32; COUNT]> {
    let mut position = Position {
        game,
        state,
        features: [Features::default(); SEATS_MAX],
        worths: [ABSENT; SEATS_MAX],
        trails: [0; SEATS_MAX],
        incomes: [Kinds::default(); SEATS_MAX],
        points: [0; SEATS_MAX],
    };
    for seat in Seat::all(game.players()) {
        let (at, table) = (seat.idx(), &state.table);
        let (features, standing) = standings.features(game, weights, state, seat);
        position.worths[at] = weights.worth(&features);
        position.features[at] = features;
        (position.trails[at], position.incomes[at]) = (standing.trail, standing.income);
        position.points[at] = table.points(game, seat) + state.cards[at][Card::VictoryPoint.idx()];
    }
    let mut all = [[0.0; COUNT]; SEATS_MAX];
    for seat in Seat::all(game.players()) {
        let mut inputs = Inputs::default();
        position.cards(seat, &mut inputs);
        position.stand(seat, &mut inputs);
        position.rivals(seat, &mut inputs);
        let mut features = position.features[seat.idx()].values();
        features.iter_mut().zip(SCALES).for_each(|(value, scale)| *value *= scale);
        all[seat.idx()] = joined(&features, &inputs.scaled());
    }
    all
}

impl Position<'_> {
    /// Its income by kind, and what it holds.
    fn cards(&self, seat: Seat, inputs: &mut Inputs) {
        let (table, at) = (&self.state.table, seat.idx());
        let (hand, cards) = (self.state.hands[at], self.state.cards[at]);
        let income = self.incomes[at];
        let held = hand.counts().map(|count| f32::from(count.min(6)));
        let trade = table.rates[at].map(|rate| 4.0 - f32::from(rate));
        let over = hand.total().saturating_sub(self.game.rules().robber.hand_limit);
        let unplayed = |card: Card| f32::from(cards[card.idx()]);
        [inputs.brick_income, inputs.lumber_income, inputs.wool_income] =
            [income[0], income[1], income[2]];
        [inputs.grain_income, inputs.ore_income] = [income[3], income[4]];
        [inputs.brick, inputs.lumber, inputs.wool, inputs.grain, inputs.ore] = held;
        [inputs.brick_trade, inputs.lumber_trade, inputs.wool_trade] =
            [trade[0], trade[1], trade[2]];
        [inputs.grain_trade, inputs.ore_trade] = [trade[3], trade[4]];
        inputs.all_cards = f32::from(hand.total().min(15));
        inputs.excess = f32::from(over);
        inputs.knight_cards = unplayed(Card::Knight);
        inputs.point_cards = unplayed(Card::VictoryPoint);
        inputs.free_roads = unplayed(Card::RoadBuilding);
        inputs.plenty = unplayed(Card::YearOfPlenty);
        inputs.monopoly = unplayed(Card::Monopoly);
        inputs.unplayed = f32::from(size(cards));
    }

    /// What it has on the island, and whether it is its turn.
    fn stand(&self, seat: Seat, inputs: &mut Inputs) {
        let (table, at) = (&self.state.table, seat.idx());
        let net = &table.pieces.nets[at];
        let on_turn = table.current == seat;
        let missing = self.game.rules().points_to_win.of(seat).saturating_sub(self.points[at]);
        let robbing = matches!(table.phase, Phase::Robber | Phase::Discard { .. });
        inputs.settlements = f32::from(net.settlements.len());
        inputs.cities = f32::from(net.cities.len());
        inputs.spots = f32::from((net.reach & table.pieces.open).len());
        inputs.frontier = f32::from(net.frontier.len());
        inputs.trail = f32::from(self.trails[at]);
        inputs.holds_route = flag(table.route == Some(seat));
        inputs.knights = f32::from(table.knights[at]);
        inputs.holds_army = flag(table.army == Some(seat));
        inputs.acts = flag(on_turn && table.stage == Stage::Main);
        inputs.rolls = flag(on_turn && table.stage == Stage::Roll);
        inputs.has_played = flag(on_turn && table.so_far.played);
        inputs.robbing = flag(on_turn && robbing);
        inputs.lacks_one = flag(missing <= 1);
        inputs.lacks_two = flag(missing <= 2);
        inputs.lacks_three = flag(missing <= 3);
        inputs.founding = flag(matches!(table.stage, Stage::Founding(_)));
        inputs.seats = f32::from(self.game.players());
        inputs.deck = f32::from(size(self.state.deck));
        inputs.longest = f32::from(table.route_length);
        inputs.turns = f32::from(table.turn.min(200));
    }

    /// How it stands beside the others.
    fn rivals(&self, seat: Seat, inputs: &mut Inputs) {
        let (mut first, mut second) = (ABSENT, ABSENT);
        let (mut trail, mut knights, mut points, mut missing) = (0, 0, 0, u8::MAX);
        for other in Seat::all(self.game.players()).filter(|&other| other != seat) {
            let at = other.idx();
            let worth = self.worths[at];
            (first, second) = (first.max(worth), second.max(first.min(worth)));
            trail = self.trails[at].max(trail);
            knights = self.state.table.knights[at].max(knights);
            points = self.points[at].max(points);
            let target = self.game.rules().points_to_win.of(other);
            missing = target.saturating_sub(self.points[at]).min(missing);
        }
        let at = seat.idx();
        let lead = |own: u8, other: u8| f32::from(own) - f32::from(other);
        let own = self.worths[at];
        inputs.plain = own;
        (inputs.lead, inputs.second_lead) = (own - first, own - second);
        inputs.trail_lead = lead(self.trails[at], trail).clamp(-6.0, 6.0);
        inputs.trail_over = f32::from(self.trails[at].saturating_sub(trail));
        inputs.knight_lead = lead(self.state.table.knights[at], knights).clamp(-4.5, 4.5);
        inputs.rival_points = f32::from(points);
        inputs.rival_near = flag(missing <= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::opinion::learned_chances;
    use crate::parts::island::rules::Rules;

    /// In the middle of a match: a hidden point more is worth something to its holder.
    #[test]
    fn chances_are_shares_and_points_raise_them() {
        for players in [2, 3, 4, 6] {
            let game = Island::new(Rules::default(), players).expect("the default rules");
            let [before, after] = learned_chances(
                &game,
                |state| state.table.turn < 30,
                |state| state.cards[1][Card::VictoryPoint.idx()] += 1,
            );
            assert!(after[1] > before[1], "{before:?}, {after:?}");
        }
    }
}
