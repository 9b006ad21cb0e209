//! Programs of the other program's protocol at our tables. Our own agents are such programs, by `Visitor`: between them
//! and our table stand both translators.

use crate::catanatron::exec::guest::Visitor;
use crate::catanatron::exec::translator::Translator;
use crate::core::agent::Player;
use crate::core::game::Game;
use crate::core::outside::{Invitation, Line, Unanswered};
use crate::core::record::{Decision, Recorder};
use crate::core::seed::BlockSeed;
use crate::core::watch::{Host, Watch};
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::rules::{Rules, Shortage};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::choices::Pad;
use crate::sim::guests::outside::player;
use crate::sim::play::Arena;
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

#[test]
fn an_agent_plays_through_both_translators_as_it_does_inside() {
    for seed in 0..12 {
        let plan = || (rules(), u8::try_from(2 + seed % 3).expect("small"), seed);
        let (inside, _) = played("heuristic", "heuristic", plan(), false);
        let (outside, said) = played("heuristic", "heuristic", plan(), true);
        let same = inside.iter().zip(&outside).take_while(|(one, other)| one == other).count();
        let done: Vec<String> =
            inside[..same.min(inside.len())].iter().map(ToString::to_string).collect();
        let monopoly = done.iter().filter(|done| done.contains("monopoly")).count();
        eprintln!(
            "{seed}: {same} of {} {} asked {}, monopolies {monopoly} {:?} {:?}",
            inside.len(),
            outside.len(),
            said.len(),
            inside.get(same),
            outside.get(same)
        );
    }
}
