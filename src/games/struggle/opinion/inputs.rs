//! What the net that judges positions is told of a seat: the features of the plain judgement, and what they leave out:
//! what lies in front of it, kinds of cards in hand and in the market, what the stacks still have, and how the others
//! stand.
//!
//! The net is `net.toml` beside this file, read once.

use crate::core::game::Game;
use crate::core::net::{InputList, Net, flag, inputs};
use crate::core::types::joined::joined;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::struggle::cards::{Card, Event, Expansion};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::opinion::weights::{FEATURES, Features, Weights};
use crate::games::struggle::state::{Phase, State};
use std::sync::LazyLock;

inputs! {
    version 1;
    roads * 0.25, "roads in its row";
    knights * 0.25, "knights in its row";
    settlements * 0.5, "settlements that are not cities";
    cities * 0.5, "cities without an expansion";
    town_hall * 1.0, "whether it has this expansion";
    castle_built * 1.0, "whether it has this expansion";
    guild_built * 1.0, "whether it has this expansion";
    church_built * 1.0, "whether it has this expansion";
    library_built * 1.0, "whether it has this expansion";
    university_built * 1.0, "whether it has this expansion";
    missing * 0.1, "points that it lacks";
    lacks_one * 1.0, "whether it lacks one point at most";
    lacks_two * 1.0, "whether it lacks two points at most";
    lacks_four * 1.0, "whether it lacks four points at most";
    brick * 0.333_333_34, "brick in hand, up to six";
    lumber * 0.333_333_34, "lumber in hand, up to six";
    wool * 0.333_333_34, "wool in hand, up to six";
    grain * 0.333_333_34, "grain in hand, up to six";
    ore * 0.333_333_34, "ore in hand, up to six";
    all_cards * 0.125, "cards in hand, up to fifteen";
    over * 0.25, "cards in hand that are not safe from brigands";
    brick_market * 0.5, "brick in the market";
    lumber_market * 0.5, "lumber in the market";
    wool_market * 0.5, "wool in the market";
    grain_market * 0.5, "grain in the market";
    ore_market * 0.5, "ore in the market";
    wait * 1.0, "turns until its own, in rounds";
    acts * 1.0, "whether it is its turn";
    builds * 1.0, "whether it is its turn and the trades are over";
    built * 0.333_333_34, "kinds of cards built in this turn, if it is its turn";
    draws * 1.0, "whether it is its turn and it has drawn";
    traded * 0.5, "cards traded, if it is its turn";
    road_stack * 0.1, "roads in the stack";
    knight_stack * 0.1, "knights in the stack";
    settlement_stack * 0.1, "settlements in the stack";
    expansion_stack * 0.1, "expansions in the stack";
    brigands * 2.0, "the share of city sides that bring brigands";
    plain * 0.1, "its worth by the plain weights";
    lead * 0.2, "its worth by the plain weights less the highest of another seat";
    second_lead * 0.2, "the same of the second highest of another seat";
    rival_points * 0.1, "the most points of another seat";
    rival_near * 1.0, "whether another seat lacks two points at most";
    seats * 0.25, "seats at the table";
    turns * 0.02, "turns so far, up to a hundred and fifty";
}

const COUNT: usize = FEATURES.len() + OWN.names.len();

/// All inputs: the features, then those above.
pub const ALL: InputList = InputList {
    names: &joined::<_, COUNT>(FEATURES, OWN.names),
    scales: &joined::<_, COUNT>(&[FEATURE; FEATURES.len()], OWN.scales),
    ..OWN
};

/// The net.
pub static NET: LazyLock<Net> =
    LazyLock::new(|| Net::shipped(include_str!("net.toml"), Struggle::NAME, &ALL));

/// The worth of a seat that is not there.
const ABSENT: f32 = -20.0;

/// What the features are multiplied by.
const FEATURE: f32 = 0.5;

/// The inputs of each seat in a position, by its features.
pub fn all(
    game: &Struggle,
    weights: &Weights,
    state: &State,
    features: &PerSeat<Features>,
) -> PerSeat<[f32; COUNT]> {
    let mut worths = [ABSENT; SEATS_MAX];
    for seat in Seat::all(game.players()) {
        worths[seat.idx()] = weights.worth(&features[seat.idx()]);
    }
    let mut all = [[0.0; COUNT]; SEATS_MAX];
    for seat in Seat::all(game.players()) {
        let mut inputs = stand(game, state, seat);
        cards(game, state, seat, &mut inputs);
        rivals(game, state, seat, &worths, &mut inputs);
        let features = features[seat.idx()].values().map(|value| FEATURE * value);
        all[seat.idx()] = joined(&features, &inputs.scaled());
    }
    all
}

/// What lies in front of it, whether it is its turn, and what the stacks have.
fn stand(game: &Struggle, state: &State, seat: Seat) -> Inputs {
    let table = &state.table;
    let area = &table.areas[seat.idx()];
    let on_turn = table.current == seat;
    let missing = game.rules().points_to_win.of(seat).saturating_sub(table.points(game, seat));
    let players = game.players();
    let wait = (seat.number() + players - table.current.number()) % players;
    let of_turn = |value: f32| if on_turn { value } else { 0.0 };
    let built = table.so_far.built.count_ones();
    let events: u8 = table.events.iter().sum();
    let brigands = f32::from(table.events[Event::Brigands.idx()]);
    let mut inputs = Inputs {
        roads: f32::from(area.roads),
        knights: f32::from(area.knights),
        settlements: f32::from(area.settlements),
        cities: f32::from(area.cities),
        missing: f32::from(missing),
        lacks_one: flag(missing <= 1),
        lacks_two: flag(missing <= 2),
        lacks_four: flag(missing <= 4),
        wait: f32::from(wait) / f32::from(players),
        acts: flag(on_turn),
        builds: flag(on_turn && table.so_far.building),
        built: of_turn(built as f32),
        draws: flag(on_turn && matches!(table.phase, Phase::Extra(_))),
        traded: of_turn(f32::from(table.so_far.traded)),
        road_stack: f32::from(table.left(Card::Road)),
        knight_stack: f32::from(table.left(Card::Knight)),
        settlement_stack: f32::from(table.left(Card::Settlement)),
        expansion_stack: f32::from(table.expansions.iter().sum::<u8>()),
        brigands: brigands / f32::from(events.max(1)),
        seats: f32::from(players),
        turns: f32::from(table.turn.min(150)),
        ..Inputs::default()
    };
    let has = Expansion::ALL.map(|expansion| flag(area.has(expansion)));
    [inputs.town_hall, inputs.castle_built, inputs.guild_built] = [has[0], has[1], has[2]];
    [inputs.church_built, inputs.library_built, inputs.university_built] = [has[3], has[4], has[5]];
    inputs
}

/// Cards in hand, and in the market.
fn cards(game: &Struggle, state: &State, seat: Seat, inputs: &mut Inputs) {
    let hand = state.hands[seat.idx()];
    let held = hand.counts().map(|count| f32::from(count.min(6)));
    let market = state.table.market.counts().map(f32::from);
    let over = hand.total().saturating_sub(game.rules().brigands.hand_limit);
    [inputs.brick, inputs.lumber, inputs.wool, inputs.grain, inputs.ore] = held;
    [inputs.brick_market, inputs.lumber_market, inputs.wool_market] =
        [market[0], market[1], market[2]];
    [inputs.grain_market, inputs.ore_market] = [market[3], market[4]];
    inputs.all_cards = f32::from(hand.total().min(15));
    inputs.over = f32::from(over);
}

/// How it stands beside the others.
fn rivals(game: &Struggle, state: &State, seat: Seat, worths: &PerSeat<f32>, inputs: &mut Inputs) {
    let (mut first, mut second, mut points) = (ABSENT, ABSENT, 0);
    let mut missing = u8::MAX;
    for other in Seat::all(game.players()).filter(|&other| other != seat) {
        let worth = worths[other.idx()];
        (first, second) = (first.max(worth), second.max(first.min(worth)));
        let own = state.table.points(game, other);
        points = own.max(points);
        missing = game.rules().points_to_win.of(other).saturating_sub(own).min(missing);
    }
    let own = worths[seat.idx()];
    inputs.plain = own;
    (inputs.lead, inputs.second_lead) = (own - first, own - second);
    inputs.rival_points = f32::from(points);
    inputs.rival_near = flag(missing <= 2);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::RandomChance;
    use crate::core::opinion::learned_chances;
    use crate::core::seed::BlockSeed;
    use crate::games::struggle::rules::Rules;

    #[test]
    fn chances_are_shares_and_cities_raise_them() {
        for players in 2..=6 {
            let game = Struggle::new(Rules::default(), players).expect("the default rules");
            let more = |state: &mut State| state.table.areas[1].cities += 2;
            let [before, after] = learned_chances(&game, |_| false, more);
            assert!(after[1] > before[1] + 0.1, "{before:?}, {after:?}");
        }
    }

    /// The rivals are told apart by their worths; a seat that is not there leads nobody.
    #[test]
    fn the_best_two_rivals_are_found() {
        let game = Struggle::new(Rules::default(), 4).expect("the default rules");
        let state = game.deal(&mut RandomChance::new(BlockSeed::new(3, 0)));
        let worths = [4.0, 1.0, 3.0, 2.0, 9.0, 9.0];
        let mut inputs = Inputs::default();
        rivals(&game, &state, Seat::FIRST, &worths, &mut inputs);
        assert!((inputs.lead - 1.0).abs() < 1e-6 && (inputs.second_lead - 2.0).abs() < 1e-6);
    }
}
