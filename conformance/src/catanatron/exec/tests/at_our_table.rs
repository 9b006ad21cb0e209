//! Programs of the other program's protocol at our tables. Our own agents are such programs, by `Visitor`: between them
//! and our table stand both translators.

use crate::catanatron::exec::guest::Visitor;
use crate::catanatron::exec::rules::suit;
use crate::catanatron::exec::shown::{Played, Shown};
use crate::catanatron::exec::translator::{COLORS, Connect, Translator};
use crate::catanatron::exec::written::Words;
use crate::core::agent::Player;
use crate::core::chance::ChanceEvent;
use crate::core::game::{Game, Observation, SeatMemory, Step, Turn};
use crate::core::outside::{Invitation, Line, Unanswered};
use crate::core::record::{Decision, Recorder};
use crate::core::seed::BlockSeed;
use crate::core::types::seat::{PerSeat, Seat};
use crate::core::watch::{Host, Watch};
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::rules::{Rules, Shortage};
use crate::parts::island::state::State;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::choices::Pad;
use crate::sim::guests::outside::player;
use crate::sim::play::Arena;
use rand_pcg::Pcg32;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What was said on all lines.
type Said = Arc<Mutex<Vec<String>>>;

/// One of our agents as the other program has it, on a line without a process.
struct Visiting {
    visitor: Visitor<'static>,
    said: Said,
}

impl Visiting {
    fn hear(&mut self, lines: &[u8]) -> Result<Option<String>, String> {
        let mut answer = None;
        for line in std::str::from_utf8(lines).expect("text").lines() {
            self.said.lock().expect("one thread").push(line.to_owned());
            answer = self.visitor.hear(line)?;
        }
        Ok(answer)
    }
}

impl Line for Visiting {
    fn greet(&mut self, hello: &[u8], _limit: Duration) -> Result<String, String> {
        self.hear(hello)?.ok_or("it says nothing".to_owned())
    }

    fn load(&mut self) {}

    fn send(&mut self, lines: &[u8]) {
        assert_eq!(self.hear(lines), Ok(None), "nothing was asked");
    }

    fn ask(
        &mut self,
        _id: u64,
        lines: &[u8],
        _limit: Duration,
        answer: &mut String,
    ) -> Result<Duration, Unanswered> {
        *answer = self.hear(lines)?.ok_or("it says nothing")?;
        Ok(Duration::ZERO)
    }

    fn next_number(&mut self) -> u64 {
        panic!("the other program has no numbers")
    }

    fn break_off(&mut self) -> String {
        String::new()
    }
}

/// Reaches agents of ours as programs of the other protocol.
struct Inviting {
    agent: &'static str,
    said: Said,
    faults: Said,
}

impl Host for Inviting {
    fn invite(&self, _invitation: &Invitation, game: &[u8]) -> Result<Box<dyn Line>, String> {
        let (agent, said) = (self.agent, Arc::clone(&self.said));
        let connect = move || -> Result<Box<dyn Line>, String> {
            let agent: &'static AgentSpec =
                Box::leak(Box::new(AgentSpec::parse(agent, None).expect("an agent")));
            let watch: &'static Watch = Box::leak(Box::new(Watch::none()));
            Ok(Box::new(Visiting { visitor: Visitor::new(agent, watch), said: Arc::clone(&said) }))
        };
        Ok(Box::new(Translator::new(game, Box::new(connect))?))
    }

    fn guest_failed(&self, report: &str) {
        self.faults.lock().expect("one thread").push(report.to_owned());
    }
}

/// The rules of the other program.
fn rules() -> Rules {
    let mut rules = Rules { shortage: Shortage::Nobody, ..Rules::default() };
    rules.trade.proposals_max = 0;
    rules
}

/// What was done.
#[derive(Default)]
struct Done(Vec<Action>);

impl Recorder<Base> for Done {
    fn on_decision(&mut self, _game: &Base, decision: &Decision<'_, Base>) {
        self.0.push(decision.action);
    }
}

/// A match in which `name` sits in seat 1, as a program of the other protocol or inside, and others beside it. Returns what
/// was done, and what was said.
fn played(
    name: &'static str,
    others: &str,
    (rules, players, seed): (Rules, u8, u64),
    outside: bool,
) -> (Vec<Action>, Vec<String>) {
    let game = Base::new(rules, players).expect("rules");
    let (said, faults) = (Said::default(), Said::default());
    let host = Inviting { agent: name, said: Arc::clone(&said), faults: Arc::clone(&faults) };
    let watch = Watch::new(host);
    let pad = Pad::default();
    let seat = |name: &str| -> Player<Base, _> {
        let spec = AgentSpec::parse(name, None).expect("an agent");
        player(&spec, &game, &[], (&watch, &pad)).expect("an agent of the game")
    };
    let mut all = vec![seat(if outside { "exec:visitor" } else { name })];
    all.extend((1..players).map(|_| seat(others)));
    let seats: Vec<usize> = (0..usize::from(players)).collect();
    let mut done = Done::default();
    let end = Arena::new(game).play(&mut all, &seats, BlockSeed::new(seed, 0), &mut done);
    let faults = faults.lock().expect("one thread").clone();
    assert!(end.is_ok() && faults.is_empty(), "seed {seed}: {faults:?}");
    let said = said.lock().expect("one thread").clone();
    (done.0, said)
}

/// Matches of two, three and four with an agent in seat 1 are the same whether it sits inside or comes through both
/// translators. Returns the lines that were said.
fn same_matches(name: &'static str, others: &str, rules: &Rules, seeds: u64) -> Vec<String> {
    let mut lines = Vec::new();
    for seed in 0..seeds {
        let plan = || (rules.clone(), u8::try_from(2 + seed % 3).expect("small"), seed);
        let (inside, _) = played(name, others, plan(), false);
        let (outside, said) = played(name, others, plan(), true);
        let same = inside.iter().zip(&outside).take_while(|(one, other)| one == other).count();
        let next = [&inside, &outside].map(|done| done.get(same));
        assert_eq!(next, [None, None], "seed {seed} after {same} decisions");
        lines.extend(said);
    }
    lines
}

/// How many lines have a text.
fn having(lines: &[String], text: &str) -> usize {
    lines.iter().filter(|line| line.contains(text)).count()
}

#[test]
fn an_agent_plays_through_both_translators_as_it_does_inside() {
    let lines = same_matches("heuristic", "heuristic", &rules(), 24);
    let asked = having(&lines, r#""type":"decide""#);
    assert!(asked > 1000, "{asked}");
    for (kind, matches) in [("hello", 24), ("before", 24), ("after", 24), ("step", 0)] {
        assert_eq!(having(&lines, &format!(r#""type":"{kind}""#)), matches, "{kind}");
    }
    for word in ["PLAY_MONOPOLY", "PLAY_ROAD_BUILDING", "PLAY_YEAR_OF_PLENTY", "MARITIME_TRADE"] {
        assert!(having(&lines, word) > 20, "{word}");
    }
}

#[test]
fn those_who_discard_often_are_told_in_their_order() {
    let mut rules = rules();
    (rules.robber.hand_limit, rules.robber.spares_below) = (3, 3);
    let lines = same_matches("heuristic", "random", &rules, 12);
    assert!(having(&lines, r#""current_prompt":"DISCARD""#) > 20);
    let others = lines.iter().any(|line| {
        line.contains(r#""current_prompt":"DISCARD""#) && line.contains(r#"["BLUE","DISCARD_"#)
    });
    assert!(others, "no discard of another seat");
}

/// A line of a document.
fn document(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

#[test]
fn a_document_has_what_the_other_program_writes() {
    let (_, said) = played("heuristic", "heuristic", (rules(), 4, 5), true);
    let before = document(&said[1]);
    assert_eq!(before["state"]["action_records"], json!([]));
    assert_eq!(before["state"]["board"]["buildings"], json!([]));
    let tiles = before["state"]["map"]["tiles"].as_array().expect("a list");
    let places: std::collections::BTreeSet<String> =
        tiles.iter().map(|tile| tile["coordinate"].to_string()).collect();
    assert_eq!((tiles.len(), places.len()), (37, 37));
    let last = said.iter().rev().find(|line| line.contains(r#""type":"decide""#));
    let state = &document(last.expect("a question"))["state"];
    let (board, numbers) = (&state["board"], &state["player_state"]);
    for (seat, color) in ["RED", "BLUE", "ORANGE", "WHITE"].into_iter().enumerate() {
        let of = |list: &Value, at: usize| {
            let list = list.as_array().expect("a list");
            list.iter().filter(|entry| entry[at] == color).count() as u64
        };
        let roads = of(&board["roads"], 1) / 2;
        assert_eq!(numbers[format!("P{seat}_ROADS_AVAILABLE")], 15 - roads);
        let own = &state["buildings_by_color"][color];
        let [towns, cities] =
            ["SETTLEMENT", "CITY"].map(|kind| own[kind].as_array().map_or(0, Vec::len));
        assert_eq!(of(&board["buildings"], 1), (towns + cities) as u64);
        let laid = state["action_records"].as_array().expect("a list").iter();
        let laid = laid.filter(|record| record[0][0] == color && record[0][1] == "BUILD_ROAD");
        assert_eq!(laid.count() as u64, roads, "{color}");
        let hidden = numbers.get(format!("P{seat}_WOOD_IN_HAND")).is_none();
        let counted = numbers.get(format!("P{seat}_NUM_RESOURCES_IN_HAND")).is_some();
        assert_eq!((hidden, counted), (seat > 0, seat > 0), "{color}");
    }
}

#[test]
fn other_games_and_rules_are_refused_with_what_would_be_right() {
    let refused = |change: &dyn Fn(&mut Rules), players| {
        let mut rules = rules();
        change(&mut rules);
        suit(&Base::new(rules, players).expect("rules")).err().unwrap_or_default()
    };
    assert_eq!(refused(&|_| (), 4), "");
    assert_eq!(
        refused(&|rules| (rules.points_to_win, rules.robber.hand_limit) = (12.into(), 9), 2),
        ""
    );
    for (players, field, due) in [(3, "trade.proposals_max", "0"), (2, "shortage", "nobody")] {
        let usual = |rules: &mut Rules| *rules = Rules::default();
        assert!(refused(&usual, players).contains(&format!("{field}={due}")), "{field}");
    }
    assert!(refused(&|rules| rules.route.points = 3, 4).ends_with("which has route.points=2"));
    assert!(refused(&|rules| rules.robber.spares_below = 2, 4).ends_with("robber.spares_below=0"));
    assert!(refused(&|_| (), 5).contains("two to 4 players"));
    let never: Connect = Box::new(|| Err("nobody is reached".to_owned()));
    let game = br#"{"type":"game","game":"boats","players":4,"rules":{},"catalogue":{}}"#;
    let refused = Translator::new(game, never).err().expect("another game");
    assert_eq!(refused, "the dialect catanatron is for base, not boats");
}

/// In twins of a position that a seat can't tell apart its document is the same, byte for byte; one that states the position
/// itself on purpose is not.
#[test]
fn a_document_gives_nothing_away() {
    struct Twins {
        words: Words,
        memory: Memory,
        before: Option<(State, Action)>,
        drawn: Vec<ChanceEvent<Draw>>,
        rng: Pcg32,
        compared: u32,
        leaking: u32,
    }
    const OWN: Seat = Seat::FIRST;
    impl Recorder<Base> for Twins {
        fn on_start(&mut self, game: &Base, _state: &State) {
            self.memory = SeatMemory::<Base>::new(game, OWN);
            self.drawn.clear();
        }

        fn on_chance(&mut self, event: ChanceEvent<Draw>) {
            self.drawn.push(event);
        }

        fn on_decision(&mut self, _game: &Base, decision: &Decision<'_, Base>) {
            self.before = Some((*decision.before, decision.action));
        }

        fn on_applied(&mut self, game: &Base, _action: Action, after: &State) {
            let action = self.before.as_ref().map(|(before, action)| (before, *action));
            Step { action, chance: &self.drawn, after }.remember(game, OWN, &mut self.memory);
            self.drawn.clear();
            if game.turn(after) != Turn::Decide(OWN) {
                return;
            }
            let here = Observation { seat: OWN, view: game.view(after, OWN), memory: &self.memory };
            let twin = here.determinize(game, &mut self.rng);
            let played = PerSeat::<Played>::default();
            let [here, there] = [after, &twin].map(|state| {
                let view = game.view(state, OWN);
                let shown = Shown::of(&self.words, "twin", &view, (OWN, &played), &[]);
                let line = serde_json::to_string(&shown).expect("names for keys");
                (line.clone(), format!("{line} {state:?}"))
            });
            assert!(here.0 == there.0, "a document gives something away: {} {}", here.0, there.0);
            self.compared += 1;
            self.leaking += u32::from(here.1 != there.1);
        }
    }
    let game = Base::new(rules(), 4).expect("rules");
    let memory = <Memory as SeatMemory<Base>>::new(&game, OWN);
    let words = Words::new(&game, &COLORS);
    let (before, drawn, rng) = (None, Vec::new(), Pcg32::new(1, 1));
    let mut twins = Twins { words, memory, before, drawn, rng, compared: 0, leaking: 0 };
    let (watch, pad) = (Watch::none(), Pad::default());
    for seed in 0..6 {
        let spec = AgentSpec::parse("heuristic", None).expect("an agent");
        let mut all = [player(&spec, &game, &[], (&watch, &pad)).expect("an agent of the game")];
        let end =
            Arena::new(game.clone()).play(&mut all, &[0; 4], BlockSeed::new(seed, 0), &mut twins);
        assert!(end.is_ok());
    }
    let Twins { compared, leaking, .. } = twins;
    assert!(compared > 200 && leaking > compared / 2, "{leaking} of {compared}");
}
