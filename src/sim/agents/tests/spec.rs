//! Agents by their names: what is read, what is kept, and what is refused.

use crate::core::agent::Player;
use crate::core::game::Game;
use crate::core::watch::Watch;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::opinion::baselines::Baseline;
use crate::sim::agents::command::EXEC;
use crate::sim::agents::spec::{AgentSpec, BadAgent, KINDS, value_of};
use crate::sim::agents::strategies::STRATEGIES;
use toml::Value;

fn make(name: &str) -> Result<Player<OnTheRoad, Baseline>, BadAgent> {
    let game = OnTheRoad::new(crate::games::on_the_road::rules::Rules::default(), 4).unwrap();
    AgentSpec::parse(name, None)?.make(&game, &Watch::none())
}

#[test]
fn every_kind_and_strategy_can_be_made() {
    let kinds = KINDS.iter().map(|(name, _)| *name).filter(|kind| *kind != EXEC);
    let strategies = STRATEGIES.iter().map(|(name, _)| *name);
    for name in kinds.chain(strategies).chain(["builder", "drifter"]) {
        assert!(make(name).is_ok(), "{name}");
    }
    assert!(make("mcts:iterations=1k:haste=0.5:rollout=heuristic:fog=2").is_ok());
    for kind in ["greedy", "heuristic", "mcts", "oracle"] {
        assert!(make(&format!("{kind}:temperature=0.1:lapse=0.5")).is_ok(), "{kind}");
    }
    assert!(make("heuristic:temperature=0.1:fog=2").is_ok());
}

#[test]
fn values_are_read_as_people_write_them() {
    for (text, value) in [
        ("7", Value::Integer(7)),
        ("1k", Value::Integer(1000)),
        ("1e3", Value::Integer(1000)),
        ("2_000", Value::Integer(2000)),
        ("20,000", Value::Integer(20_000)),
        ("1.0", Value::Float(1.0)),
        ("1e-3", Value::Float(0.001)),
        (".05", Value::Float(0.05)),
        ("-.05", Value::Float(-0.05)),
        ("-2", Value::Integer(-2)),
        ("1e99", Value::Float(1e99)),
        ("true", Value::Boolean(true)),
        ("mixed", Value::String("mixed".to_owned())),
    ] {
        assert_eq!(value_of(text), value, "{text}");
    }
}

#[test]
fn a_strategy_keeps_the_parameters_that_are_not_named() {
    let plain = AgentSpec::parse("warlord", None).unwrap();
    let hasty = plain.with("haste", "0.25").unwrap();
    assert_eq!(hasty, AgentSpec::parse("warlord:haste=0.25", None).unwrap());
    let mut parameters = plain.parameters.clone();
    parameters.insert("haste".to_owned(), Value::Float(0.25));
    assert_eq!(hasty.parameters, parameters);
    assert!(plain.parameters.len() > 1);
    assert_eq!(hasty.without(&["haste"]).name, "warlord");
    assert!(!hasty.without(&["haste"]).parameters.contains_key("haste"));
    assert_eq!(hasty.without(&["haste"]).with("haste", "0.25").unwrap(), hasty);
    let error = hasty.with("haste", "0.25").unwrap_err().to_string();
    assert!(error.contains("`haste` is given twice"), "{error}");
}

#[test]
fn what_is_given_comes_before_the_defaults_of_the_table() {
    use crate::games::struggle::Struggle;
    use crate::games::struggle::opinion::weights::Weights;
    use crate::games::struggle::rules::Rules;
    let weights = |players, name| {
        let game = Struggle::new(Rules::default(), players).unwrap();
        AgentSpec::parse(name, None).unwrap().weights(&game).unwrap()
    };
    let [small, large] = [3, 6].map(Weights::at_table_of);
    assert_ne!(small, large);
    assert_eq!(weights(3, "heuristic"), small);
    assert_eq!(weights(6, "heuristic"), large);
    let castle = 1.0;
    assert_eq!(weights(3, "heuristic:castle=1"), Weights { castle, ..small });
    assert_eq!(weights(6, "heuristic:castle=1"), Weights { castle, ..large });
}

#[test]
fn what_is_wrong_is_named() {
    for (name, part) in [
        ("nobody", "no agent `nobody`"),
        ("random:x=1", "takes no parameters"),
        ("heuristic:hast=1", "no parameter `hast`"),
        ("mcts:iterations", "key=value"),
        ("mcts:iterations=1:haste=0:iterations=2", "`iterations` is given twice"),
        ("heuristic:haste=1:haste=1", "`haste` is given twice"),
        ("mcts:iterations=many", "iterations"),
        ("mcts:rollout=slow", "slow"),
        ("mcts:candidates=0", "candidates"),
        ("heuristic:haste=nan", "`haste` is NaN; it must be in -100 to 100 (rounds"),
        ("heuristic:haste=inf", "in -100 to 100"),
        ("heuristic:knight_love=1e99", "`knight_love` is 1e99; it must be in -100 to 100"),
        ("heuristic:swap_trust=1.5", "it must be in 0 to 1 (share"),
        ("heuristic:fog=2", "`fog` does nothing on on-the-road but in searches"),
        ("heuristic:temperature=-1", "`temperature` is -1; it must be in 0 to 100 (win prob"),
        ("heuristic:temperatur=0.1", "did you mean `temperature`?"),
        ("greedy:lapse=1.5", "`lapse` is 1.5; it must be in 0 to 1 (share"),
        ("greedy:haste=1", "no parameter `haste`"),
        ("mcts:laps=0.5", "did you mean `lapse`?"),
        ("random:temperature=1", "takes no parameters"),
        ("builder:lapse=0.5", "takes no parameters"),
        ("mcts:fog=0", "in 0.01 to 100"),
        ("heuristc", "did you mean `heuristic`?"),
        ("surveyer", "did you mean `surveyor`?"),
        ("heuristic:knights_love=1", "did you mean `knight_love`?"),
    ] {
        let Err(error) = make(name) else { panic!("{name} was accepted") };
        assert!(error.to_string().contains(part), "{error}");
    }
}
