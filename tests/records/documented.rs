//! What `docs/records.md` says of the rule sets of the card games, asked of the rules.

use crate::played::{play, referee};
use fairhaven::core::chance::{PlainChance, RandomChance};
use fairhaven::core::game::{ActionFilter, Game};
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::boats::{self, Boats};
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::{Action, Payment};
use fairhaven::games::on_the_road::cards::{CARDS_ALL, Card, Hand};
use fairhaven::games::on_the_road::rules::{Rules, Side};
use fairhaven::games::on_the_road::state::State;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::parts::bundles::Bundle;
use fairhaven::parts::trade::Audience;
use rand_pcg::Pcg32;
use serde_json::Value;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../docs/records.md");

/// A game of four and its first position, seat 1 to act, with all resource cards in the pile.
fn first(change: impl FnOnce(&mut Rules)) -> (OnTheRoad, State) {
    let mut rules = Rules::default();
    change(&mut rules);
    let game = OnTheRoad::new(rules, 4).unwrap();
    let mut state = game.deal(&mut RandomChance::new(BlockSeed::new(1, 0)));
    (state.hands, state.pile) = ([Hand::default(); 4], CARDS_ALL);
    (game, state)
}

fn legal(game: &OnTheRoad, state: &State) -> Vec<Action> {
    let mut legal = Actions::new();
    game.legal(state, ActionFilter::Full, &mut legal);
    legal.to_vec()
}

/// How many pairs of bundles of 1 to `most` cards have no kind on both sides.
fn pairs(most: usize) -> usize {
    let counts =
        (0..6_usize.pow(5)).map(|code| [0, 1, 2, 3, 4].map(|kind| code / 6_usize.pow(kind) % 6));
    let bundles: Vec<[usize; 5]> =
        counts.filter(|counts| (1..=most).contains(&counts.iter().sum())).collect();
    let disjoint = |give: &[usize; 5], want: &[usize; 5]| (0..5).all(|at| give[at] * want[at] == 0);
    bundles.iter().map(|give| bundles.iter().filter(|want| disjoint(give, want)).count()).sum()
}

#[test]
fn every_field_of_the_rule_set_is_on_the_page() {
    let road = PAGE.split_once("\n## Base CATAN\n").unwrap().0;
    for field in OnTheRoad::FIELDS {
        assert!(road.contains(field.path), "docs/records.md does not name `{}`", field.path);
    }
    let struggle = PAGE.split_once("\n## Struggle for Catan\n").unwrap().1;
    for field in Struggle::FIELDS {
        let named =
            ["`", " = "].iter().any(|end| struggle.contains(&format!("`{}{end}", field.path)));
        assert!(named, "docs/records.md does not name `{}`", field.path);
    }
    let two_player = PAGE.split_once("\n## CATAN for two\n").unwrap().1;
    let boats = PAGE.split_once("\n## Boats\n").unwrap().1;
    for field in Boats::FIELDS.iter().filter(|field| field.clause.starts_with("BOAT")) {
        let named = boats.contains(&format!("`{}`", field.path));
        assert!(named, "docs/records.md does not name `{}`", field.path);
    }
    let own = |path: &str| path.starts_with("neutral.") || path.starts_with("trade_tokens.");
    for field in TwoPlayer::FIELDS.iter().filter(|field| own(field.path)) {
        let named = two_player.contains(&format!("`{}`", field.path));
        assert!(named, "docs/records.md does not name `{}`", field.path);
    }
}

/// The scenario on the page can be played, by as many as its helpers are for.
#[test]
fn the_documented_scenario_of_boats_can_be_played() {
    let text = PAGE.split_once("### Scenarios\n").unwrap().1;
    let text = text.split("```").nth(1).unwrap().strip_prefix("toml\n").unwrap();
    let rules = boats::rules::Rules { scenario: text.to_owned(), ..Default::default() };
    let played = play::<Boats>(rules, &["random"; 3], 1);
    assert!(referee::<Boats>(&played.lines).is_ok());
}

#[test]
fn prices_name_all_five_kinds() {
    let rules = serde_json::to_value(Rules::default()).unwrap();
    let played = play::<OnTheRoad>(Rules { turns_max: 2, ..Rules::default() }, &["random"; 3], 1);
    assert!(referee::<OnTheRoad>(&played.lines).is_ok());
    for price in ["/road/cost", "/metropolis/cost", "/metropolis/army/extra"] {
        let kinds = rules.pointer(price).unwrap().as_object().unwrap();
        let due: BTreeSet<&str> = Resource::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(kinds.keys().map(String::as_str).collect::<BTreeSet<_>>(), due, "{price}");
        for kind in due {
            let mut header: Value = serde_json::from_str(&played.lines[0]).unwrap();
            let at = format!("/rules{price}");
            header.pointer_mut(&at).unwrap().as_object_mut().unwrap().remove(kind);
            let mut lines = played.lines.clone();
            lines[0] = header.to_string();
            let error = referee::<OnTheRoad>(&lines).unwrap_err().to_string();
            assert!(error.contains(kind) && error.contains("missing"), "{price} {kind}: {error}");
        }
    }
}

#[test]
fn under_bluffing_every_pair_counts_for_offers_and_only_held_ones_for_counters() {
    for most in [1, 2] {
        for bluff in [false, true] {
            let (game, mut state) = first(|rules| {
                rules.trade.bluff = bluff;
                rules.trade.listed_max = most;
            });
            let offers = if bluff { pairs(usize::from(most)) } else { 0 };
            assert_eq!(legal(&game, &state).len(), 1 + offers, "{most} cards, bluff {bluff}");
            if bluff {
                let one = |kind| Bundle::new(Resources::one(kind));
                let (give, want) = (one(Resource::Brick), one(Resource::Ore));
                let offer = Action::Offer { to: Audience::All, give, want };
                game.apply(&mut state, offer, &mut PlainChance(&mut Pcg32::new(1, 1)));
                assert_eq!(legal(&game, &state), [Action::Refuse], "it holds nothing");
            }
        }
    }
}

/// The metropolises on the list of a seat that could pay for any.
fn listed_metropolises(change: impl FnOnce(&mut Rules)) -> Vec<Card> {
    let (game, mut state) = first(change);
    (state.hands[0], state.pile) = (Hand::of(CARDS_ALL), 0);
    state.table.areas[0].cities = 1;
    let exact = |card| Action::Build { card, pay: Payment::Exact };
    let listed = legal(&game, &state);
    let all = [
        Card::MetropolisRoads,
        Card::MetropolisKnights,
        Card::MetropolisArmy,
        Card::MetropolisRoute,
    ];
    for card in all {
        assert!(game.permits(&state, exact(card)).is_ok(), "{card:?} may be built, listed or not");
    }
    all.into_iter().filter(|&card| listed.contains(&exact(card))).collect()
}

#[test]
fn a_sides_are_listed_once_for_each_price() {
    use Card::{
        MetropolisArmy as Army, MetropolisKnights as Knights, MetropolisRoads as Roads,
        MetropolisRoute as Route,
    };
    assert_eq!(listed_metropolises(|_| {}), [Roads]);
    assert_eq!(listed_metropolises(|rules| rules.side = Side::B), [Roads, Knights, Army, Route]);
    let dear = |rules: &mut Rules| rules.metropolis.army.extra.wool = 1;
    assert_eq!(listed_metropolises(dear), [Roads, Army]);
    let two = |rules: &mut Rules| {
        rules.metropolis.roads.extra.ore = 1;
        rules.metropolis.army.extra.wool = 1;
        rules.metropolis.route.extra.wool = 1;
    };
    assert_eq!(listed_metropolises(two), [Roads, Knights, Army]);
}

#[test]
fn a_starting_road_can_be_enough_for_longest_route() {
    for (minimum, holder) in [(1, Some(Seat::FIRST)), (2, None)] {
        let (_, state) = first(|rules| rules.route.minimum = minimum);
        assert_eq!((state.table.route, state.table.army), (holder, None));
    }
}

/// Who holds Longest Route after seat 1 has built `route` and seat 3 a road, each by then.
fn route_holders(
    roads: [u8; 2],
    holder: Option<Seat>,
    change: impl FnOnce(&mut Rules),
) -> [Option<Seat>; 2] {
    let (game, mut state) = first(|rules| {
        rules.side = Side::B;
        rules.points_to_win = 20.into();
        change(rules);
    });
    let mut rng = Pcg32::new(1, 1);
    let table = &mut state.table;
    table.areas[0].cities = 1;
    for (seat, roads) in roads.into_iter().enumerate() {
        table.areas[seat].roads = roads;
        table.deck[0] -= roads - 1;
    }
    // A road lies in the row.
    let other = table.row.iter().rposition(|&count| count > 0).unwrap();
    table.row[other] -= 1;
    table.deck[other] += 1;
    table.row[0] += 1;
    table.deck[0] -= 1;
    table.route = holder;
    [(0, Card::MetropolisRoute), (2, Card::Road)].map(|(seat, card)| {
        state.table.current = Seat::new(seat);
        (state.hands, state.pile) = ([Hand::default(); 4], 0);
        state.hands[usize::from(seat)] = Hand::of(CARDS_ALL);
        let build = Action::Build { card, pay: Payment::Exact };
        game.permits(&state, build).unwrap();
        game.apply(&mut state, build, &mut PlainChance(&mut rng));
        state.table.route
    })
}

#[test]
fn tie_effects_act_when_the_page_says_so() {
    let (owner, rival) = (Some(Seat::FIRST), Some(Seat::new(1)));
    assert_eq!(route_holders([3, 3], rival, |_| {}), [owner, owner]);
    let late = |rules: &mut Rules| rules.metropolis.tie_at_once = false;
    assert_eq!(route_holders([3, 3], rival, late), [rival, owner], "at anyone's next road");
    // Below the minimum a tie wins nothing, unless the rule set says so.
    assert_eq!(route_holders([2, 2], None, |_| {}), [None, None]);
    let low = |rules: &mut Rules| rules.metropolis.tie_minimum = false;
    assert_eq!(route_holders([2, 2], None, low), [owner, owner]);
    // Nobody may have more; from then on the card is held as usual, below the minimum too.
    assert_eq!(route_holders([1, 2], None, low), [None, None]);
    assert_eq!(route_holders([1, 1], None, low), [owner, Some(Seat::new(2))]);
}
