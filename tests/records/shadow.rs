//! Replays a record with a second, trusting reader, to know what each line could have been.

use fairhaven::core::chance::{Chance, ChanceEvent};
use fairhaven::core::game::{Game, Turn};
use fairhaven::core::wording::Wording;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What a line is about.
#[derive(Debug, Clone)]
pub enum At<G: Game> {
    /// The header.
    Header,
    /// A chance event, with all results that could come up.
    Chance(BTreeSet<Cow<'static, str>>),
    /// A decision in a position.
    Decision(Box<G::State>),
    /// The end.
    End,
}

/// The record as values, and what each line is about.
pub struct Shadow<G: Game> {
    /// The rules.
    pub game: G,
    /// The lines.
    pub values: Vec<Value>,
    /// One for each line.
    pub at: Vec<At<G>>,
}

struct Reader<'a, G: Game> {
    values: &'a [Value],
    at: Vec<At<G>>,
}

impl<G: Wording> Reader<'_, G> {
    fn next(&mut self, draw: G::Draw, possible: &[u8]) -> u8 {
        let word = self.values[self.at.len()]["result"].as_str().unwrap();
        let describe = |&outcome: &u8| G::result_name(ChanceEvent { draw, outcome });
        self.at.push(At::Chance(possible.iter().map(describe).collect()));
        *possible.iter().find(|&outcome| describe(outcome) == word).unwrap()
    }
}

impl<G: Wording> Chance<G::Draw> for Reader<'_, G> {
    fn start_turn(&mut self, _turn: u16) {}

    fn card(&mut self, draw: G::Draw, among: u64) -> u8 {
        let possible: Vec<u8> = (0..64).filter(|card| among >> card & 1 == 1).collect();
        self.next(draw, &possible)
    }

    fn kind(&mut self, draw: G::Draw, counts: &[u8]) -> u8 {
        let kinds = 0..u8::try_from(counts.len()).unwrap();
        let possible: Vec<u8> = kinds.filter(|&kind| counts[usize::from(kind)] > 0).collect();
        self.next(draw, &possible)
    }
}

/// Replays a valid record.
pub fn shadow<G: Wording>(lines: &[String]) -> Shadow<G> {
    let values: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let players = u8::try_from(values[0]["players"].as_u64().unwrap()).unwrap();
    let rules = serde_json::from_value(values[0]["rules"].clone()).unwrap();
    let game = G::new(rules, players).unwrap();
    let mut reader = Reader { values: &values, at: vec![At::<G>::Header] };
    let mut state = game.deal(&mut reader);
    while let Turn::Decide(_) = game.turn(&state) {
        let action = values[reader.at.len()]["action"].clone();
        reader.at.push(At::Decision(Box::new(state)));
        game.apply(&mut state, serde_json::from_value(action).unwrap(), &mut reader);
    }
    let mut at = reader.at;
    at.push(At::End);
    assert_eq!(at.len(), values.len(), "a line for each event and no more");
    Shadow { game, values, at }
}
