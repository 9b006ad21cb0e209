//! Agents that do without some kinds of actions, in all games: they take none of them where anything else may be done, and
//! their matches end. And agents that overlook everything: they do nothing wherever they may do nothing.

use fairhaven::core::agent::Player;
use fairhaven::core::chance::RandomChance;
use fairhaven::core::game::{ActionFilter, Game, Observation, SeatMemory, Turn};
use fairhaven::core::opinion::Opinion;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::watch::Watch;
use fairhaven::games::base::Base;
use fairhaven::games::boats::Boats;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::sim::agents::spec::AgentSpec;
use rand_pcg::Pcg32;

/// What an agent may do and does in a match, by kinds: bits of all that it might have taken, and of what it took.
#[derive(Debug, Default)]
struct Seen {
    offered: u32,
    taken: u32,
}

/// A match of an agent in all seats; what is taken where there is no way around a kind is left out.
fn play<G: Opinion>(game: &G, agent: &str, block: u64, avoided: u32) -> Seen {
    let spec = AgentSpec::parse(agent, None).expect("an agent");
    let mut player: Player<G, G::Special> = spec.make(game, &Watch::none()).expect("an agent");
    let mut chance = RandomChance::new(BlockSeed::new(7, block));
    let mut state = game.deal(&mut chance);
    let (mut legal, mut rng) = (Box::new(Actions::new()), Pcg32::new(block, 3));
    let (mut seen, mut decisions) = (Seen::default(), 0);
    while let Turn::Decide(seat) = game.turn(&state) {
        game.legal(&state, player.action_filter(), &mut legal);
        let all = legal.iter().map(|&action| G::action_kinds(action));
        let (offered, free) = all.fold((0, false), |(offered, free), kinds| {
            (offered | kinds, free || kinds & avoided == 0)
        });
        // None of these agents reads it.
        let memory = G::Memory::new(game, seat);
        let view = game.view(&state, seat);
        let observation = Observation { seat, view, memory: &memory };
        let chosen = player.choose(&state, &observation, &mut legal, &mut rng);
        let action = legal[chosen];
        game.permits(&state, action).expect("what an agent does is allowed");
        seen.offered |= offered;
        if free {
            seen.taken |= G::action_kinds(action);
        }
        game.apply(&mut state, action, &mut chance);
        decisions += 1;
        assert!(decisions <= game.decisions_max(), "the match does not end");
    }
    seen
}

/// Each kind by itself, and all kinds at once; some of them come in a match of the same agent that may take all.
fn keeps_to_its_style<G: Opinion>(players: u8) {
    let game = G::new(<G as Game>::Rules::default(), players).expect("the default rules");
    let all = G::ACTION_KINDS;
    assert!(!all.is_empty() && all.len() <= 32);
    for agent in ["random", "greedy", "heuristic"] {
        let free = play(&game, agent, 0, 0);
        assert!(free.taken.count_ones() >= 4, "{agent} takes {:b} in {}", free.taken, G::NAME);
        for (at, (kind, _)) in all.iter().enumerate() {
            let seen = play(&game, &format!("{agent}:without={kind}"), at as u64, 1 << at);
            assert_eq!(seen.taken >> at & 1, 0, "{agent} without {kind} in {}", G::NAME);
        }
        let kinds: Vec<&str> = all.iter().map(|kind| kind.0).collect();
        let every = (1 << (all.len() - 1)) * 2 - 1;
        let seen = play(&game, &format!("{agent}:without={}", kinds.join("+")), 1, every);
        assert_eq!(seen.taken, 0, "{agent} in {}", G::NAME);
        let mixed = format!("{agent}:lapse=0.3:without={}", kinds[0]);
        if agent != "random" {
            assert_eq!(play(&game, &mixed, 2, 1).taken & 1, 0, "{mixed} in {}", G::NAME);
        }
    }
}

#[test]
fn agents_do_without_what_they_are_told_to_do_without() {
    keeps_to_its_style::<OnTheRoad>(3);
    keeps_to_its_style::<Struggle>(3);
    keeps_to_its_style::<Base>(3);
    keeps_to_its_style::<TwoPlayer>(2);
    keeps_to_its_style::<Boats>(3);
}

/// Who overlooks everything does nothing where that may be done; it founds and discards all the same, and its match ends.
fn does_nothing<G: Opinion>(players: u8) {
    let game = G::new(<G as Game>::Rules::default(), players).expect("the default rules");
    let every = (1 << (G::ACTION_KINDS.len() - 1)) * 2 - 1;
    for agent in ["greedy", "heuristic"] {
        let seen = play(&game, &format!("{agent}:overlook=1"), 0, every);
        assert_eq!(seen.taken, 0, "{agent} in {}", G::NAME);
        assert!(seen.offered.count_ones() >= 2, "{agent} in {}: {:b}", G::NAME, seen.offered);
    }
}

#[test]
fn who_overlooks_everything_does_nothing() {
    does_nothing::<OnTheRoad>(3);
    does_nothing::<Struggle>(3);
    does_nothing::<Base>(3);
    does_nothing::<TwoPlayer>(2);
    does_nothing::<Boats>(3);
}

#[test]
fn the_kinds_of_a_list_are_those_of_the_actions_that_games_list() {
    // Whoever trades with players takes no more than that.
    let game = OnTheRoad::new(Rules::default(), 3).expect("the default rules");
    let trades =
        1 << OnTheRoad::ACTION_KINDS.iter().position(|kind| kind.0 == "trade").expect("it");
    let mut chance = RandomChance::new(BlockSeed::new(1, 0));
    let state = game.deal(&mut chance);
    let mut lists = [ActionFilter::NoOffers, ActionFilter::Full].map(|filter| {
        let mut legal = Box::new(Actions::new());
        game.legal(&state, filter, &mut legal);
        legal.iter().filter(|&&action| OnTheRoad::action_kinds(action) & trades == 0).count()
    });
    lists.sort_unstable();
    assert_eq!(lists[0], lists[1], "offers are all that is left out, and all of them are trades");
}
