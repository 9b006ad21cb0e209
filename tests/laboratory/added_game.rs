//! A game that lies outside of the package: one line adds it, and the commands play it.

use crate::closed_form;
use crate::toy::{DiceRace, Die, Rules, State};
use clap::Parser;
use fairhaven::cli::Cli;
use fairhaven::cli::commands::run::Output;
use fairhaven::cli::commands::{self, host};
use fairhaven::core::agent::NoAgent;
use fairhaven::core::opinion::{Judge, Opinion, Policy, Rate};
use fairhaven::core::params::{MctsParams, Parameter};
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::PerSeat;
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::sim::any_game::GameEntry;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};

/// Rolls the first die, and thinks nothing of any position.
#[derive(Debug, Clone, Default)]
pub struct First;

/// It has no parameters.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoWeights {}

impl Policy<DiceRace> for First {
    fn choose(&mut self, _: &DiceRace, _: &&State, _: &mut Actions<Die>, _: &mut Pcg32) -> usize {
        0
    }
}

impl Rate<DiceRace> for First {
    fn rate(&mut self, _: &DiceRace, _: &&State, legal: &[Die], out: &mut Vec<f32>) {
        out.clear();
        out.resize(legal.len(), 0.0);
    }

    fn fog(&self) -> f32 {
        1.0
    }
}

impl Judge<DiceRace> for First {
    fn win_probabilities(&mut self, _: &DiceRace, _: &State) -> PerSeat<f32> {
        [1.0 / 6.0; 6]
    }
}

impl Opinion for DiceRace {
    type Weights = NoWeights;
    type Planner = First;
    type Eager = First;
    type Quick = First;
    type Special = NoAgent;

    const WEIGHTS: &'static [Parameter] = &[];
    const SEARCH: MctsParams = MctsParams::DEFAULT;

    fn planner(&self, _: &NoWeights) -> First {
        First
    }
}

/// Calls a command, with the dice race among the games.
pub fn call(line: &str) -> Output {
    host::offer(Catalogue::standard().with_game(GameEntry::<DiceRace>::new()));
    let cli = Cli::parse_from(line.split_whitespace());
    commands::call(&cli).unwrap_or_else(|error| panic!("{line}: {error:#}"))
}

#[test]
fn one_line_adds_a_game_and_every_command_plays_it() {
    assert!(call("fairhaven games").text.contains("dice-race  2 to 4 players"));
    assert!(call("fairhaven rules dice-race").text.contains("turns_max"));
    let place = tempfile::tempdir().expect("a directory");
    let out = place.path().join("out");
    let line = "fairhaven simulate dice-race --agents greedy,random --matches 40k --format json";
    let said = call(&format!("{line} --rows csv --out {}", out.display()));
    let tables: serde_json::Value = serde_json::from_str(&said.text).expect("JSON");
    let rules = Rules::default();
    let success = [closed_form::fixed(&rules, Die::A), closed_form::uniform(&rules)];
    let wins = |success: &[f64]| closed_form::wins(success, rules.turns_max);
    let swapped = [success[1], success[0]];
    let greedy = f64::midpoint(wins(&success)[0], wins(&swapped)[1]);
    let text = std::fs::read_to_string(out.join("agents.csv")).expect("a table");
    let row = text.lines().find(|row| row.starts_with("greedy,win_rate,")).expect("a row");
    let rate: f64 = row.split(',').nth(2).expect("an estimate").parse().expect("a number");
    assert!((rate - greedy).abs() < 0.01, "{rate} is not {greedy}; {tables}");
    let out = out.display();
    assert!(call(&format!("fairhaven replay {out} 3.1")).text.contains("dice-race, 2 players"));
    assert!(call(&format!("fairhaven verify {out} --sample 50")).text.starts_with("Verified"));
    assert!(
        call("fairhaven compare dice-race mcts:iterations=5 random --players 2 --matches 200")
            .text
            .contains("random")
    );
}
