//! Laws of what is counted: a match that is counted again by other means gives the same numbers, and
//! resource cards that came in, less those that went out, are those in hands.

use crate::{Lawful, Step};
use fairhaven::core::agent::Player;
use fairhaven::core::measure::{Flow, Measure};
use fairhaven::core::record::{Decision, Recorder};
use fairhaven::core::resources::Resources;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::seat::Seat;
use fairhaven::core::watch::Watch;
use fairhaven::games::base::Base;
use fairhaven::games::boats::{self, Boats};
use fairhaven::games::on_the_road::{self, OnTheRoad};
use fairhaven::games::struggle::{self, Struggle};
use fairhaven::games::two_player::{self, TwoPlayer};
use fairhaven::parts::island;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::layout::Layout;
use fairhaven::sim::play::Arena;
use fairhaven::sim::simulation;
use fairhaven::sim::tally::Tally;

/// Cards by kind, with a sign.
type Change = [i32; 5];

fn plus(change: &mut Change, cards: Resources, times: i32) {
    change.iter_mut().zip(cards.counts()).for_each(|(sum, cards)| *sum += times * i32::from(cards));
}

/// What comes into hands, less what leaves them, is what hands have more: decision by decision.
pub fn examine_flow<G: Lawful>(game: &G, step: &Step<'_, G>) {
    let mut change = Change::default();
    for kind in step.events.iter().filter_map(|&event| G::drawn(event)) {
        change[kind.idx()] += 1;
    }
    let bank = game.in_bank(step.before);
    let yielded = game.yielded(bank, step.after, step.action);
    plus(&mut change, yielded.unwrap_or_default(), 1);
    match game.flow(step.before, step.action) {
        Some(Flow::Paid { cards, substituted }) => {
            assert!(cards.covers(substituted), "a part of it");
            plus(&mut change, cards, -1);
        }
        Some(Flow::Banked { given, received }) => {
            plus(&mut change, given, -1);
            plus(&mut change, received, 1);
        }
        Some(Flow::Discarded(cards)) => plus(&mut change, cards, -1),
        Some(Flow::Traded(_) | Flow::Passed(_)) | None => {}
    }
    plus(&mut change, game.in_hands(step.before), 1);
    let mut after = Change::default();
    plus(&mut after, game.in_hands(step.after), 1);
    assert_eq!(change, after, "cards in all hands after {}", step.action);
}

/// What a witness keeps of one turn.
struct Seen {
    number: u16,
    seat: Seat,
    /// Whether anything was decided in it.
    decided: bool,
    /// Points by seat when it begins and when it ends.
    points: [Vec<u8>; 2],
    /// Cards first taken in it, as far as this match goes.
    taken: Vec<usize>,
    /// Cards in all hands at its end.
    hands: Change,
}

/// Keeps a match turn by turn, in its own way.
struct Witness<G: Lawful> {
    turns: Vec<Seen>,
    before: Option<G::State>,
    had: Vec<u32>,
}

fn hands<G: Lawful>(game: &G, state: &G::State) -> Change {
    let mut all = Change::default();
    for seat in Seat::all(game.players()) {
        plus(&mut all, G::hand(state, seat), 1);
    }
    all
}

impl<G: Lawful> Witness<G> {
    fn begin(&mut self, game: &G, state: &G::State) {
        let points: Vec<u8> =
            Seat::all(game.players()).map(|seat| Measure::points(game, state, seat)).collect();
        self.turns.push(Seen {
            number: game.turn_number(state),
            seat: game.current(state),
            decided: false,
            points: [points.clone(), points],
            taken: Vec::new(),
            hands: hands(game, state),
        });
    }
}

impl<G: Lawful> Recorder<G> for Witness<G> {
    fn on_start(&mut self, game: &G, state: &G::State) {
        self.begin(game, state);
    }

    fn on_decision(&mut self, _game: &G, decision: &Decision<'_, G>) {
        self.before = Some(*decision.before);
        self.turns.last_mut().expect("a turn has begun").decided = true;
    }

    fn on_applied(&mut self, game: &G, action: G::Action, after: &G::State) {
        let before = self.before.take().expect("a decision came first");
        let seat = game.current(&before);
        let cards = game.taken(&game.before(&before), after, action);
        let own = self.turns.iter().rposition(|turn| turn.number > 0 && turn.seat == seat);
        let new = cards & !self.had[seat.idx()];
        for card in (0..32).filter(|card| new >> card & 1 == 1) {
            if let Some(own) = own {
                self.turns[own].taken.push(card);
            }
            self.had[seat.idx()] |= 1 << card;
        }
        let last = self.turns.last_mut().expect("a turn has begun");
        let points = |seat| Measure::points(game, after, seat);
        last.points[1] = Seat::all(game.players()).map(points).collect();
        if game.turn_number(after) == last.number {
            last.hands = hands(game, after);
        } else {
            // Whoever ends a turn moves no card; what follows belongs to the next turn.
            last.hands = hands(game, &before);
            self.begin(game, after);
        }
    }
}

/// Plays matches, and counts each in both ways.
fn counted_twice<G: Lawful + Playable>(agent: &str, players: u8, matches: u64) {
    let game = G::new(G::Rules::default(), players).expect("a table");
    let agent = AgentSpec::parse(agent, None).expect("an agent");
    let mut table = Arena::new(game.clone()).checking_each_action();
    let mut sitting: Vec<Player<G, G::Special>> =
        vec![agent.make(&game, &Watch::none()).expect("an agent")];
    let seats = vec![0; usize::from(players)];
    let layout = simulation::layout(&game, 1);
    let mut tally = Tally::<G>::new(layout);
    let (mut comebacks, mut takings) = (0, 0);
    for block in 0..matches {
        let witness = Witness { turns: Vec::new(), before: None, had: vec![0; seats.len()] };
        let mut both = (&mut tally, witness);
        both.0.begin(block, 0, &seats);
        let seed = BlockSeed::new(5, block);
        let state = table.play(&mut sitting, &seats, seed, &mut both).expect("lawful play");
        let witness = both.1;
        let (sums, _) = tally.take();
        economy(&game, &layout, &sums, &witness, &state);
        comebacks += tension(&game, &layout, &sums, &witness, &state);
        takings += risk_sets(&game, &layout, &sums, &witness, &state);
    }
    assert!(comebacks > 20 && takings > 20, "{comebacks} turns behind, {takings} cards taken");
}

fn economy<G: Lawful>(
    game: &G,
    layout: &Layout,
    sums: &[u64],
    seen: &Witness<G>,
    state: &G::State,
) {
    let turns = || seen.turns.iter().filter(|turn| turn.number > 0);
    let played: u64 = (0..G::BANDS.len()).map(|band| sums[layout.band_turns(band)]).sum();
    assert_eq!(played, turns().count() as u64, "turns");
    for kind in 0..5 {
        let sum = |what: usize| -> i64 {
            let at = |band| layout.economy(band) + kind * Layout::ECONOMY + what;
            (0..G::BANDS.len()).map(|band| sums[at(band)]).sum::<u64>().try_into().unwrap()
        };
        let came = sum(Layout::DRAWN) + sum(Layout::BANK_RECEIVED);
        let went = sum(Layout::SPENT) + sum(Layout::BANK_GIVEN) + sum(Layout::DISCARDED);
        assert_eq!(came - went, i64::from(hands(game, state)[kind]), "what is left in hands");
        let held: i64 = turns().map(|turn| i64::from(turn.hands[kind])).sum();
        assert_eq!(sum(Layout::HELD), held, "what was held at the ends of turns");
    }
}

/// Turns at whose end the later winner lay two points behind.
fn tension<G: Lawful>(
    game: &G,
    layout: &Layout,
    sums: &[u64],
    seen: &Witness<G>,
    state: &G::State,
) -> u64 {
    let mut comebacks = 0;
    for turn in seen.turns.iter().filter(|turn| turn.number > 0) {
        let most = *turn.points[1].iter().max().unwrap();
        let winner = game.outcome(state).winner;
        let behind = winner.is_some_and(|seat| most >= turn.points[1][seat.idx()] + 2);
        let at = layout.tension(usize::from(turn.number));
        assert_eq!(sums[at + Layout::TENSION_MATCHES], 1, "turn {}", turn.number);
        assert_eq!(sums[at + Layout::TENSION_COMEBACKS], u64::from(behind), "{}", turn.number);
        comebacks += u64::from(behind);
    }
    comebacks
}

/// Cards taken in own turns, of those with risk sets.
fn risk_sets<G: Lawful>(
    game: &G,
    layout: &Layout,
    sums: &[u64],
    seen: &Witness<G>,
    state: &G::State,
) -> u64 {
    let winner = game.outcome(state).winner;
    let cards: Vec<usize> = (0..32).filter(|card| game.matched() >> card & 1 == 1).collect();
    // Takings and controls by card, seat and standing; each with those that won.
    let width = layout.standings();
    let mut due = vec![[0_u64; 4]; cards.len() * usize::from(game.players()) * width];
    let mut had = founded(seen, &cards);
    let mut takings = 0;
    for turn in seen.turns.iter().filter(|turn| turn.number > 0 && turn.decided) {
        let (points, seat) = (&turn.points[0], turn.seat.idx());
        let others = points.iter().enumerate().filter(|&(other, _)| other != seat);
        let best = others.map(|(_, &points)| points).max().unwrap();
        let standing = G::STANDINGS.of(points[seat], best);
        let won = u64::from(winner == Some(turn.seat));
        for (place, &card) in cards.iter().enumerate() {
            let due = &mut due[(place * usize::from(game.players()) + seat) * width + standing];
            let taken = turn.taken.contains(&card);
            if taken {
                *due = [due[0] + 1, due[1] + won, due[2], due[3]];
                had[seat] |= 1 << card;
                takings += 1;
            } else if had[seat] >> card & 1 == 0 {
                *due = [due[0], due[1], due[2] + 1, due[3] + won];
            }
        }
    }
    for (place, &card) in cards.iter().enumerate() {
        for seat in Seat::all(game.players()) {
            for standing in 0..width {
                let at = layout.risk(0, place, seat) + standing * Layout::RISK_WIDTH;
                let all = layout.moments(0, seat) + 2 * standing;
                let rest = |part| sums[all + part] - sums[at + Layout::RISK_GONE + part];
                let found = [sums[at], sums[at + Layout::RISK_TAKEN_WINS], rest(0), rest(1)];
                let due =
                    due[(place * usize::from(game.players()) + seat.idx()) * width + standing];
                assert_eq!(found, due, "{} of seat {seat} at {standing}", G::CARDS[card]);
            }
        }
    }
    takings
}

/// Cards that each seat had before its first turn: all that it took, less what it took in its turns.
fn founded<G: Lawful>(seen: &Witness<G>, cards: &[usize]) -> Vec<u32> {
    let mut had = seen.had.clone();
    for turn in seen.turns.iter().filter(|turn| turn.number > 0) {
        for card in cards.iter().filter(|card| turn.taken.contains(card)) {
            had[turn.seat.idx()] &= !(1 << card);
        }
    }
    had
}

#[test]
fn on_the_road_is_counted_as_it_was_played() {
    counted_twice::<OnTheRoad>("random", 4, 60);
    counted_twice::<OnTheRoad>("builder", 3, 60);
}

#[test]
fn base_catan_is_counted_as_it_was_played() {
    counted_twice::<Base>("random", 4, 12);
    counted_twice::<Base>("greedy", 3, 12);
}

#[test]
fn struggle_is_counted_as_it_was_played() {
    counted_twice::<Struggle>("random", 3, 30);
    counted_twice::<Struggle>("random", 6, 15);
}

#[test]
fn boats_are_counted_as_they_were_played() {
    counted_twice::<Boats>("random", 4, 6);
    counted_twice::<Boats>("heuristic", 3, 6);
}

#[test]
fn two_player_is_counted_as_it_was_played() {
    counted_twice::<TwoPlayer>("random", 2, 15);
    counted_twice::<TwoPlayer>("greedy", 2, 15);
}

/// Cards are counted in lanes of 32 bits: a decision adds to a lane twice at most, 127 cards at a time.
fn lanes_hold<G: Lawful>(rules: G::Rules, players: u8) {
    let game = G::new(rules, players).expect("the longest matches");
    assert!(2 * 127 * u64::from(game.decisions_max()) < 1 << 32);
}

#[test]
fn no_match_is_too_long_to_count_its_cards() {
    let mut rules = island::rules::Rules { turns_max: 5000, bank: 40, ..Default::default() };
    rules.trade.proposals_max = 10;
    lanes_hold::<Base>(rules, 6);
    let mut rules = on_the_road::rules::Rules { turns_max: 1000, ..Default::default() };
    rules.trade.proposals_max = 10;
    lanes_hold::<OnTheRoad>(rules, 4);
    let mut rules = struggle::rules::Rules { turns_max: 2000, ..Default::default() };
    (rules.road.in_play, rules.knight.in_play, rules.settlement.in_play) =
        ([20; 5], [20; 5], [30; 5]);
    lanes_hold::<Struggle>(rules, 6);
    let mut rules = boats::rules::Rules { turns_max: 5000, bank: 40, ..Default::default() };
    rules.trade.proposals_max = 10;
    lanes_hold::<Boats>(rules, 5);
    let mut rules = two_player::rules::Rules { turns_max: 5000, bank: 40, ..Default::default() };
    rules.trade.proposals_max = 10;
    lanes_hold::<TwoPlayer>(rules, 2);
}
