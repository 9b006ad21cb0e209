//! What records of Struggle for Catan are tested with, its tables of all sizes, and how long the documented
//! legal lists are.

use crate::played::{Recorded, play, referee, short_matches};
use crate::shadow::{At, shadow};
use fairhaven::core::chance::below;
use fairhaven::core::game::{ActionFilter, End, Game};
use fairhaven::core::types::seat::Seat;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::struggle::cards::{Card, Expansion};
use fairhaven::games::struggle::rules::{
    Chosen, Direction, Extra, Eyes, Moment, Per, Reshuffle, Rules, Types,
};
use fairhaven::games::struggle::state::{Phase, State};
use fairhaven::parts::bundles::Price;
use rand_pcg::Pcg32;
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Recorded for Struggle {
    const TABLES: &'static [&'static [&'static str]] = &[
        &["random", "greedy", "random"],
        &["heuristic", "random"],
        &["random", "greedy", "random", "heuristic", "random", "greedy"],
    ];
    const FOREIGN: &'static str = "dice";
    const WORDS: &'static [&'static str] =
        &["brick", "lumber", "wool", "grain", "ore", "brigands", "market_day"];
    const PHASES: [&'static str; 2] = ["act", "discard"];
    const WRONG: &'static [(&'static str, &'static str)] = &[
        ("/rules/points_to_win", "1"),
        ("/rules/points_to_win", "1000"),
        ("/rules/reshuffle", "\"never\""),
        ("/rules/trade/lot_max", "0"),
        ("/rules/city/cost/ore", "255"),
        ("/rules/substitution/rate", "1"),
        ("/rules/resource_copies", "[1, 1, 1, 2]"),
        ("/rules/brigands/in_play", "[31, 31, 31, 31, 31]"),
        ("/rules/expansion/allowed/0", "\"tower\""),
    ];
    const NEEDED: [&'static str; 2] = ["trade", "passes"];
    const CROWD: u8 = 7;

    fn rule_sets() -> Vec<Rules> {
        let mut open = Rules { reshuffle: Reshuffle::OnEmpty, ..Rules::default() };
        (open.trade.passes, open.library.shown_to) = (Eyes::All, Eyes::All);
        (open.library.chosen, open.draw.extra) = (Chosen::Last, Extra::AtOnce);
        (open.build.types, open.guild.moment) = (Types::Four, Moment::Build);
        open.destiny.start = Direction::Counterclockwise;
        let mut short =
            Rules { hand_start: 10.into(), resource_copies: [1; 5], ..Rules::default() };
        short.market.same = false;
        (short.build.in_vain, short.brigands.hand_limit) = (true, 2);
        short.substitution.rate = 2;
        let mut full = Rules { hand_start: 10.into(), resource_copies: [1; 5], ..Rules::default() };
        full.brigands.in_play = [0; 5];
        (full.points_to_win, full.expansion.two_town_halls) = (20.into(), true);
        vec![Rules::default(), open, short, cheap(full), cheap(Rules::default())]
    }

    fn shorter(mut rules: Rules) -> Rules {
        rules.turns_max = rules.turns_max.min(24);
        rules
    }

    fn odd_actions() -> Vec<Value> {
        let trade = |with: Value, cards, choose| json!({"do": "trade", "with": with, "cards": cards, "choose": choose});
        vec![
            trade(json!("stack"), 0, false),
            trade(json!("stack"), 1, true),
            trade(json!("market"), 6, false),
            trade(json!("market"), 255, false),
            trade(json!({"seat": 1}), 1, false),
            trade(json!({"seat": 6}), 1, true),
            json!({"do": "build", "card": "road", "pay": {"wool": 15, "ore": 15}}),
            json!({"do": "build", "card": "castle", "pay": {}}),
            json!({"do": "rob", "from": 1}),
            json!({"do": "rob", "from": 6}),
            json!({"do": "discard", "card": "wool"}),
            json!({"do": "extra", "cards": 0}),
            json!({"do": "extra", "cards": 200}),
            json!({"do": "flip"}),
        ]
    }
}

/// Cities and expansions for a card or two, so that all that they bring occurs in short matches.
fn cheap(mut rules: Rules) -> Rules {
    rules.city.cost = Price::new([0, 0, 0, 1, 0]);
    rules.expansion.cost = Price::new([0, 0, 1, 0, 0]);
    rules.settlement.cost = Price::new([1, 1, 0, 0, 0]);
    rules.knight.cost = Price::new([0, 0, 0, 0, 1]);
    rules.university.per = Per::Build;
    rules
}

/// SFC-52: what became of a field that older records have.
#[test]
fn records_with_a_former_field_are_refused_with_a_reason() {
    let rules = Rules { turns_max: 2, ..Rules::default() };
    let mut lines = play::<Struggle>(rules, &["random", "random"], 52).lines;
    let mut header: Value = serde_json::from_str(&lines[0]).unwrap();
    header["rules"]["market"]["fills_up"] = json!(true);
    lines[0] = header.to_string();
    let fault = referee::<Struggle>(&lines).unwrap_err().to_string();
    assert!(fault.contains("`market.fills_up` is gone: the market is never short"), "{fault}");
    header["version"] = json!(1);
    lines[0] = header.to_string();
    let fault = referee::<Struggle>(&lines).unwrap_err().to_string();
    assert!(fault.contains("version 1") && fault.contains("`market.fills_up`"), "{fault}");
}

/// Whole matches of all sizes, under each rule set; everything that they may hold occurs.
#[test]
fn records_of_all_tables_are_accepted() {
    let (mut ends, mut phases) = (Vec::new(), BTreeSet::new());
    for (idx, rules) in Struggle::rule_sets().into_iter().enumerate() {
        for seats in 2..=6 {
            let names = ["random", "greedy", "random", "heuristic", "random", "random"];
            let rules = Rules { turns_max: 120, ..rules.clone() };
            let played = play::<Struggle>(rules, &names[..seats.into()], 70 + idx as u64);
            let checked = referee::<Struggle>(&played.lines).unwrap();
            let shadow = shadow::<Struggle>(&played.lines);
            let decisions = shadow.at.iter().filter(|at| matches!(at, At::Decision(_))).count();
            assert_eq!((checked.players, checked.decisions as usize), (seats, decisions));
            let phase = |value: &Value| value["phase"].as_str().map(str::to_owned);
            phases.extend(shadow.values.iter().filter_map(phase));
            ends.push(checked.end);
        }
    }
    assert!([End::Won, End::TurnLimit].iter().all(|end| ends.contains(end)));
    let all = "act choose discard extra flip return take";
    assert_eq!(phases.into_iter().collect::<Vec<_>>().join(" "), all);
}

/// Any valid rule set makes records that the referee understands.
#[test]
fn records_under_random_rule_sets_are_accepted() {
    let mut rng = Pcg32::new(6, 6);
    for round in 0..40 {
        let mut any = |low: u8, high: u8| {
            let span = u32::from(high - low) + 1;
            low + u8::try_from(below(&mut rng, span)).unwrap()
        };
        let mut rules = Struggle::rule_sets().swap_remove(usize::from(any(0, 4)));
        rules.points_to_win = any(2, 40).into();
        rules.turns_max = u16::from(any(1, 60));
        rules.hand_start = any(0, 10).into();
        rules.substitution.rate = any(2, 15);
        rules.trade.lot_max = any(1, 10);
        rules.brigands.hand_limit = any(0, 12);
        rules.road.in_play = std::array::from_fn(|_| any(6, 20));
        rules.knight.in_play = std::array::from_fn(|_| any(0, 20));
        rules.protection.roads = any(0, 20);
        rules.expansion.castle.in_play = std::array::from_fn(|_| any(0, 6));
        rules.expansion.church.points = any(0, 10);
        rules.expansion.library.extra.wool = any(0, 5);
        rules.expansion.university.out = any(0, 1) == 1;
        let names = ["heuristic", "random", "greedy", "random", "random", "random"];
        let played = play::<Struggle>(rules, &names[..usize::from(any(2, 6))], round);
        let checked = referee::<Struggle>(&played.lines);
        assert!(checked.is_ok(), "round {round}: {}", checked.unwrap_err());
    }
}

/// All counts by kind up to a bound, one by one.
fn all_up_to(most: [u8; 5]) -> Vec<[u8; 5]> {
    let mut all = vec![[0; 5]];
    for kind in 0..5 {
        let with = |counts: [u8; 5], count| {
            let mut counts = counts;
            counts[kind] = count;
            counts
        };
        all =
            (0..=most[kind]).flat_map(|n| all.iter().map(move |&counts| with(counts, n))).collect();
    }
    all
}

/// The listed ways to pay a price, as the page has them.
fn ways(price: [u8; 5], hand: [u8; 5], rate: u8, saves: bool) -> usize {
    let sum = |counts: [u8; 5]| counts.iter().sum::<u8>();
    let mut found = BTreeSet::new();
    for left_out in all_up_to(price).into_iter().filter(|&counts| sum(counts) <= 6) {
        let spare = |kind: usize| {
            let kept = price[kind] - left_out[kind];
            if left_out[kind] > 0 { 0 } else { hand[kind].saturating_sub(kept) / rate }
        };
        let most = [0, 1, 2, 3, 4].map(|kind| spare(kind).min(6));
        for groups in all_up_to(most) {
            let (gone, put) = (sum(left_out), sum(groups));
            let pay =
                [0, 1, 2, 3, 4].map(|kind| price[kind] - left_out[kind] + rate * groups[kind]);
            let fits = (0..5).all(|kind| pay[kind] <= hand[kind].min(15));
            if fits && (gone == put || saves && gone == put + 1) {
                found.insert(pay);
            }
        }
    }
    found.len().min(40)
}

/// What the page lists in phase `act`.
fn act(game: &Struggle, state: &State) -> usize {
    let (table, rules) = (&state.table, game.rules());
    let (current, own) = (table.current, table.own());
    let hand = state.hands[current.idx()];
    let per_build = rules.university.per == Per::Build;
    let saves = own.has(Expansion::University) && (per_build || !table.so_far.saved);
    let reach = Card::ALL.into_iter().filter(|&card| game.is_in_reach(table, card));
    let pay = |card| ways(game.price(card).counts(), hand.counts(), rules.substitution.rate, saves);
    let builds: usize = reach.map(pay).sum();
    let others = Seat::all(game.players()).filter(|&seat| seat != current);
    let full = others.filter(|seat| !state.hands[seat.idx()].is_empty());
    let ahead = |seat: &Seat| table.points(game, *seat) >= table.points(game, current);
    let late = rules.guild.moment == Moment::Trade && table.so_far.building;
    let robs = own.has(Expansion::MerchantsGuild) && !table.so_far.robbed && !late;
    let victims = if robs { full.clone().filter(ahead).count() } else { 0 };
    if table.so_far.building {
        return 1 + builds + victims;
    }
    let left = if own.roads == 0 { 1 } else { own.roads.div_ceil(2) } - table.so_far.traded;
    let most = left.min(rules.trade.lot_max);
    let market = if rules.market.same { 5 } else { hand.total() }.min(table.market.total());
    let twice = 1 + u8::from(own.has(Expansion::Library) && !table.so_far.chose);
    let with = |seat: Seat| usize::from(twice * state.hands[seat.idx()].total().min(most));
    let mut trades = usize::from(hand.total().min(most));
    if own.roads > 0 {
        trades += usize::from(market.min(most)) + full.map(with).sum::<usize>();
    }
    1 + builds + victims + trades
}

/// The length of the full list as the page describes it.
fn by_the_page(game: &Struggle, state: &State) -> usize {
    let table = &state.table;
    let hand = state.hands[table.current.idx()];
    match table.phase {
        Phase::Act => act(game, state),
        Phase::Take(_) => table.market.kinds().len(),
        Phase::Choose => {
            let fairhaven::games::struggle::action::Partner::Seat(seat) = table.lot.with else {
                panic!("a hand is open")
            };
            state.hands[seat.idx()].kinds().len()
        }
        Phase::Return(_) if game.rules().market.same => hand.kinds().len(),
        Phase::Return(_) => (hand - table.lot.taken).kinds().len(),
        Phase::Flip => 2,
        Phase::Discard { seat, .. } => state.hands[seat.idx()].kinds().len(),
        Phase::Extra(left) if game.rules().draw.extra == Extra::AtOnce => 1 + usize::from(left),
        Phase::Extra(left) => 1 + usize::from(left.min(1)),
        Phase::Over(_) => 0,
    }
}

#[test]
fn legal_lists_are_as_long_as_the_page_says() {
    let mut long = 0;
    for played in short_matches::<Struggle>() {
        let shadow = shadow::<Struggle>(&played.lines);
        for (at, value) in shadow.at.iter().zip(&shadow.values).step_by(3) {
            let At::Decision(state) = at else { continue };
            let length = by_the_page(&shadow.game, state);
            assert_eq!(value["legal"], length, "{value}");
            assert_eq!(shadow.game.count(state, ActionFilter::Full), length);
            long = long.max(length);
        }
    }
    assert!(long > 30, "{long}");
}
