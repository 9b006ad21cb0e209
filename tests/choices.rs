//! A block that was broken off is played again with the choices that agents made in it: it ends the same, nobody thinks
//! again about what was chosen, and choices that can't be are found.

use fairhaven::core::watch::Watch;
use fairhaven::registry::Games;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::{LoadedGame, Seated, SimulationPlan, TrialsPlan};
use fairhaven::sim::choices::{CHOICES_MAX, Choices, ChosenInBlock};
use fairhaven::sim::experiment::{BlockSums, Experiment};
use fairhaven::sim::timing::Timing;
use fairhaven::sim::trials::MatchPlan;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Searches of every kind, one of which has more than one tree, and agents that are weaker on purpose.
const AGENTS: [&str; 5] = [
    "mcts:iterations=12",
    "mcts:iterations=12:trees=3",
    "mcts:iterations=9:temperature=0.2",
    "mcts:iterations=9:lapse=0.4",
    "oracle:iterations=9:lapse=0.2",
];
/// The stage and the number of the block.
const AT: (u64, u64) = (5, 7);

/// What came of a block.
#[derive(Debug)]
struct Came {
    sums: BlockSums,
    chosen: Option<Vec<ChosenInBlock>>,
    /// How often an agent thought.
    asked: u64,
    fault: Option<&'static str>,
}

/// What is played.
type Play<'a> = &'a dyn for<'b> Fn(&'b dyn LoadedGame, Seated<'b>) -> Box<dyn Experiment + 'b>;

/// Plays a block with some choices of it.
fn played(game: &dyn LoadedGame, play: Play<'_>, known: &[u8]) -> Came {
    let choices = Arc::new(Choices::new(&Watch::none()));
    choices.begin_stage(AT.0);
    if !known.is_empty() {
        choices.put(vec![(AT.0, AT.1, known.to_vec())]);
    }
    let agents = AGENTS.map(|name| AgentSpec::parse(name, None).expect("an agent"));
    let timing = Timing::new(AGENTS.len(), &Watch::none()).keeping(Some(Arc::clone(&choices)));
    let seated = Seated { agents: &agents, watch: &Watch::none(), timing: Some(&timing) };
    let sums = play(game, seated).worker().play(AT.1..AT.1 + 1);
    let asked = timing.decisions().load(Ordering::Relaxed);
    Came { sums, chosen: choices.changed(), asked, fault: choices.fault() }
}

/// One choice, as it is kept: a digest of what was asked, the place in the list, an action beyond it, iterations, and
/// where the stream stands.
type Choice = (u32, u16, Option<String>, u32, [u64; 2]);

/// The ends of all choices of a list.
fn ends(list: &[u8]) -> Vec<usize> {
    let (mut rest, mut ends) = (list, Vec::new());
    while !rest.is_empty() {
        rest = postcard::take_from_bytes::<Choice>(rest).expect("a choice").1;
        ends.push(list.len() - rest.len());
    }
    ends
}

fn goes_on(game: &dyn LoadedGame, play: Play<'_>) {
    let name = game.game_type().facts().name;
    let whole = played(game, play, &[]);
    assert_eq!(whole.fault, None);
    let Some([(5, 7, list)]) = whole.chosen.as_deref() else { panic!("{name}: {whole:?}") };
    let all = ends(list);
    assert_eq!(all.len() as u64, whole.asked, "{name}");
    for part in [1, all.len() / 3, all.len() * 2 / 3, all.len() - 1] {
        let came = played(game, play, &list[..all[part - 1]]);
        let same = came.sums == whole.sums && came.chosen == whole.chosen;
        assert!(same && came.fault.is_none(), "{name} behind {part}");
        assert_eq!(came.asked, whole.asked - part as u64, "{name} behind {part}");
    }
    let came = played(game, play, list);
    assert!(came.sums == whole.sums && came.fault.is_none(), "{name}");
    assert_eq!((came.asked, came.chosen), (0, None), "{name}");
    let (first, rest) = list.split_at(all[0]);
    let choice: Choice = postcard::from_bytes(first).expect("a choice");
    let (asked, place, unlisted, iterations, stream) = choice;
    let forged: [Choice; 5] = [
        (asked, 999, None, iterations, stream),
        (asked ^ 1, place, unlisted.clone(), iterations, stream),
        (asked, place, unlisted, iterations, [1, 2]),
        (asked, place, Some("{}".to_owned()), iterations, stream),
        (asked, u16::MAX, Some("{}".to_owned()), iterations, stream),
    ];
    let forged = forged.iter().map(|choice| postcard::to_stdvec(choice).expect("bytes"));
    for bytes in forged.chain([vec![255; 40], list[..all[0] - 1].to_vec(), Vec::new()]) {
        let came = played(game, play, &[&bytes[..], rest].concat());
        assert!(came.fault.is_some(), "{name}: {bytes:?}");
        assert_eq!(came.asked, 0, "{name}: nobody thinks about what does not count");
    }
}

/// Every game, with its fewest players.
fn each_game(test: impl Fn(&dyn LoadedGame)) {
    for game in Games::standard().iter() {
        let players = *game.facts().players.start();
        test(&*game.load(game.default_rules(), players).expect("the default rules"));
    }
}

#[test]
fn matches_go_on_from_their_choices_in_every_game() {
    each_game(|game| {
        let players = usize::from(game.players());
        let rotation = |first: usize| -> Vec<usize> {
            (0..players).map(|seat| (first + seat) % AGENTS.len()).collect()
        };
        goes_on(game, &|game, seated| {
            let rotations = vec![rotation(0), rotation(3)];
            game.simulation(seated, SimulationPlan { seed: 3, rotations, write: None })
        });
    });
}

#[test]
fn matches_that_are_continued_more_than_once_go_on_from_their_choices() {
    each_game(|game| {
        let facts = game.game_type().facts();
        let Some(choice) = facts.choices.first() else { return };
        let options: Vec<usize> = (0..choice.options.len()).collect();
        let seats: Vec<usize> = (0..usize::from(game.players())).collect();
        let forced = |&option: &usize| MatchPlan {
            forced: Some(option),
            ..MatchPlan::plain(0, seats.iter().map(|seat| seat % AGENTS.len()).collect())
        };
        goes_on(game, &|game, seated| {
            let matches = options.iter().map(forced).collect();
            let plan =
                TrialsPlan { options: options.clone(), ..TrialsPlan::plain(3, matches, vec![]) };
            game.game_type().trials(&[game], seated, plan)
        });
    });
}

#[test]
fn what_was_forgotten_or_has_no_room_is_not_kept() {
    let choices = Choices::new(&Watch::none());
    let chosen = |stage, block| (stage, block, vec![1_u8; 10]);
    choices.put(vec![chosen(1, 3), chosen(1, 4), chosen(2, 9)]);
    assert!(choices.has_other_than(1));
    assert_eq!(choices.changed(), None, "they are as they were");
    choices.begin_stage(1);
    assert!(!choices.has_other_than(1));
    choices.forget_before(4);
    assert_eq!(choices.changed(), Some(vec![chosen(1, 4)]));
    choices.put(vec![(1, 5, vec![0; CHOICES_MAX - 60])]);
    let choices = Arc::new(choices);
    let agents = [AgentSpec::parse(AGENTS[0], None).expect("an agent")];
    let timing = Timing::new(1, &Watch::none()).keeping(Some(Arc::clone(&choices)));
    let seated = Seated { agents: &agents, watch: &Watch::none(), timing: Some(&timing) };
    let games = Games::standard();
    let game = games.get("on-the-road").expect("a game");
    let game = game.load(game.default_rules(), 3).expect("the default rules");
    let plan = SimulationPlan { seed: 3, rotations: vec![vec![0; 3]], write: None };
    game.simulation(seated, plan).worker().play(8..9);
    choices.forget_before(6);
    let kept = choices.changed().expect("some");
    assert!((1..4).contains(&ends(&kept[0].2).len()), "what follows is of no use: {kept:?}");
}
