//! Numbers of actions and observations in all games, and matches side by side against the table.

use crate::core::agent::Player;
use crate::core::arrays::Arrays;
use crate::core::game::{ActionFilter, Game};
use crate::core::opinion::Opinion;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::core::wording::Wording;
use crate::games::base::Base;
use crate::games::boats::Boats;
use crate::games::on_the_road::OnTheRoad;
use crate::games::struggle::Struggle;
use crate::games::two_player::TwoPlayer;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::arrays::lane::{Ended, Outside};
use crate::sim::arrays::space::ActionSpace;
use crate::sim::arrays::vector::{BadStep, By, LEAVE, MatchVector, Seen, Told, VectorPlan, vector};
use crate::sim::play::table::Table;
use crate::sim::records::line::{Header, MatchSeed, PERSON};
use std::collections::BTreeSet;

fn game<G: Game>(players: u8) -> G {
    G::new(G::Rules::default(), players).expect("default rules")
}

fn agents(names: &[&str]) -> Vec<AgentSpec> {
    names.iter().map(|name| AgentSpec::parse(name, None).unwrap()).collect()
}

/// Matches side by side of one seat against others, or of all seats.
fn made<G: Opinion + Wording + Arrays>(
    game: &G,
    outside: Outside,
    others: &[AgentSpec],
    (matches, parts, offers): (usize, usize, bool),
) -> Box<dyn MatchVector> {
    let watch = &Watch::none();
    let records = true;
    vector(
        game,
        &[],
        &VectorPlan { matches, outside, others, offers, seed: 5, records, parts, watch },
    )
    .expect("agents can be made")
}

/// What was told of a step.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Written {
    seen: Vec<i16>,
    masks: Vec<i8>,
    seats: Vec<u8>,
    deals: Vec<u64>,
}

impl Written {
    fn of(vector: &dyn MatchVector, matches: usize) -> Written {
        Written {
            seen: vec![-1; matches * vector.layout().length],
            masks: vec![-1; matches * vector.space().count],
            seats: vec![0; matches],
            deals: vec![0; matches],
        }
    }

    fn told(&mut self) -> Told<'_> {
        let Written { seen, masks, seats, deals } = self;
        Told { seen: Seen::Short(seen), masks, seats, deals }
    }
}

/// Plays by chance, and returns what was told, step by step.
fn played(
    vector: &mut dyn MatchVector,
    matches: usize,
    steps: usize,
) -> (Vec<Written>, Vec<Ended>) {
    let (mut all, mut over) = (Vec::new(), Vec::new());
    let mut arrays = Written::of(vector, matches);
    vector.reset(Some(5), arrays.told()).unwrap();
    for _ in 0..steps {
        check_masks(vector, &arrays);
        all.push(arrays.clone());
        let actions = vector.sample(By::Number);
        over.extend(vector.step(&actions, By::Number, arrays.told()).unwrap());
    }
    (all, over)
}

/// The mask of each match has the actions of its list, which have numbers of their own.
fn check_masks(vector: &dyn MatchVector, arrays: &Written) {
    let lists = vector.lists();
    for (at, mask) in arrays.masks.chunks(vector.space().count).enumerate() {
        let [from, to] =
            [lists.starts[at], lists.starts[at + 1]].map(|n| usize::try_from(n).unwrap());
        let listed: BTreeSet<usize> =
            lists.numbers[from..to].iter().map(|&n| usize::try_from(n).unwrap()).collect();
        assert_eq!(listed.len(), to - from, "two actions have one number");
        assert!(listed.len() > 1, "nobody is asked without a choice");
        let masked: BTreeSet<usize> = (0..mask.len()).filter(|&number| mask[number] == 1).collect();
        assert_eq!(masked, listed);
        assert!(mask.iter().all(|flag| [0, 1].contains(flag)));
    }
    assert!(arrays.seen.iter().all(|&number| number >= 0));
}

/// Neither parts nor threads change what is told, and one seat against others meets the same. A fifth of the steps, all of
/// them if `FAIRHAVEN_CASES` is `all`: rules are hardly optimized here.
fn check_parts<G: Opinion + Wording + Arrays>(players: u8, steps: usize) {
    let all = std::env::var("FAIRHAVEN_CASES").is_ok_and(|which| which == "all");
    let steps = if all { steps } else { steps / 5 };
    let game: G = game(players);
    for (outside, others) in [
        (Outside::Seats(Seat::all(players).collect()), vec![]),
        (Outside::Turns, agents(&["random"])),
        (Outside::Seats(vec![Seat::new(1)]), agents(&["heuristic"])),
    ] {
        for offers in [false, true] {
            let [one, many] = [1, 3].map(|parts| {
                let mut vector = made(&game, outside.clone(), &others, (5, parts, offers));
                played(&mut *vector, 5, steps)
            });
            assert!(one == many, "{outside:?}");
            assert!(!offers || others.is_empty() || !one.0.is_empty());
        }
    }
}

/// A match that a table plays by the same actions has the same record.
fn check_record<G: Opinion + Wording + Arrays>(players: u8) {
    let game: G = game(players);
    let others = agents(&["random"]);
    let outside = Outside::Seats(vec![Seat::new(1)]);
    let mut vector = made(&game, outside, &others, (2, 1, true));
    let mut arrays = Written::of(&*vector, 2);
    vector.reset(Some(5), arrays.told()).unwrap();
    let mut taken: Vec<[usize; 2]> = Vec::new();
    let ended = loop {
        let places = vector.sample(By::Place);
        taken.push(std::array::from_fn(|at| usize::try_from(places[at]).unwrap()));
        let ended = vector.step(&places, By::Place, arrays.told()).unwrap();
        if let Some(ended) = ended.into_iter().find(|ended| ended.place == 1) {
            break ended;
        }
    };
    let seed = MatchSeed { master: 5, block: 1, match_idx: 0 };
    let mut names = vec!["random".to_owned(); players.into()];
    names[1] = PERSON.to_owned();
    let make = |seat: Seat| -> Option<Player<G, G::Special>> {
        let made = others[0].make(&game, &Watch::none()).unwrap();
        (seat != Seat::new(1)).then_some(made)
    };
    let seats = Seat::all(players).map(make).collect();
    let header = Header::new(names, Some(seed));
    let mut table = Table::open(game.clone(), seats, BlockSeed::new(5, 1), header);
    for [_, place] in taken {
        table.advance().unwrap();
        let action = table.legal()[place];
        table.choose(action).unwrap();
    }
    assert_eq!(table.advance().unwrap(), None);
    assert_eq!(table.record(), ended.record);
    assert_eq!(table.outcome().unwrap(), ended.outcome);
}

fn check<G: Opinion + Wording + Arrays>(players: u8, steps: usize) {
    check_parts::<G>(players, steps);
    check_record::<G>(players);
}

#[test]
fn base() {
    check::<Base>(4, 300);
    check_parts::<Base>(6, 60);
}

#[test]
fn two_player() {
    check::<TwoPlayer>(2, 300);
}

#[test]
fn boats() {
    check::<Boats>(3, 100);
}

#[test]
fn on_the_road() {
    check::<OnTheRoad>(4, 200);
    check_parts::<OnTheRoad>(2, 100);
}

#[test]
fn struggle() {
    check::<Struggle>(4, 100);
    check_parts::<Struggle>(2, 50);
}

#[test]
fn what_is_not_legal_changes_nothing() {
    let game: OnTheRoad = game(3);
    let outside = Outside::Seats(Seat::all(3).collect());
    let mut vector = made(&game, outside, &[], (3, 1, false));
    let mut arrays = Written::of(&*vector, 3);
    vector.reset(Some(2), arrays.told()).unwrap();
    let before = (arrays.clone(), vector.record(2).to_owned());
    let mut actions = vector.sample(By::Number);
    let count = i32::try_from(vector.space().count).unwrap();
    for wrong in [count, -2, i32::MAX] {
        actions[2] = wrong;
        let error = vector.step(&actions, By::Number, arrays.told()).unwrap_err();
        assert_eq!(error, BadStep::Action { place: 2, action: wrong });
    }
    let short = vector.step(&actions[..2], By::Number, arrays.told()).unwrap_err();
    assert_eq!(short, BadStep::Size("the array of actions", 3));
    let mut small = arrays.clone();
    small.seen.pop();
    assert!(matches!(vector.reset(None, small.told()), Err(BadStep::Size(..))));
    // A match may be left as it is.
    vector.step(&[LEAVE; 3], By::Number, arrays.told()).unwrap();
    assert_eq!(before, (arrays, vector.record(2).to_owned()));
}

#[test]
fn without_offers_there_are_fewer_actions() {
    let game: Base = game(4);
    let [some, all] =
        [ActionFilter::NoOffers, ActionFilter::Full].map(|filter| ActionSpace::of(&game, filter));
    assert_eq!(all.count - some.count, 2 * 55 * 55);
    assert_eq!(some.kinds, all.kinds[..some.kinds.len()]);
}

#[test]
fn deals_follow_each_other_in_each_place() {
    let game: OnTheRoad = game(3);
    let mut vector = made(&game, Outside::Turns, &agents(&["random"]), (4, 2, false));
    let (_, ended) = played(&mut *vector, 4, 400);
    assert!(ended.len() > 8, "{}", ended.len());
    for place in 0..4 {
        let deals = ended.iter().filter(|ended| ended.place == place).map(|ended| ended.deal);
        // A match without a choice is passed over.
        let deals: Vec<u64> = deals.collect();
        assert!(deals.is_sorted_by(|one, next| one < next), "{deals:?}");
        assert!(deals.iter().all(|deal| deal % 4 == place as u64), "{deals:?}");
    }
    for ended in ended {
        assert_eq!(u64::from(ended.seat.number()), 1 + ended.deal % 3, "seats take turns");
        assert_eq!(ended.seen.len(), vector.layout().length, "one seat is outside");
    }
}
