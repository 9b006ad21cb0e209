//! What somebody in a seat is told, as the messages of `docs/protocol.md`: the rules, what has happened, and what is to
//! be decided. Only what the seat may know comes in here.

use crate::core::game::{Observation, Outcome};
use crate::core::guest::{Asked, KnownStep, News};
use crate::core::opinion::Opinion;
use crate::core::seed::BlockSeed;
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::explain::examples::Features;
use crate::sim::guests::protocol::{
    Decide, EventMessage, GameMessage, Inputs, LuckWord, MatchMessage, Over, StepMessage, Want,
    seed_of, write,
};
use crate::sim::records::line::EndLine;
use rand_pcg::Pcg32;
use serde_json::value::RawValue;

/// Imagined positions of which features are means.
const IMAGINED: u16 = 16;

/// Writes messages for one who wants some things besides the legal list.
pub struct Teller<G: Opinion> {
    game: G,
    wants: Vec<Want>,
    /// Features of what is known, if they are wanted.
    features: Option<Features<G>>,
}

impl<G: Opinion + Wording> Teller<G> {
    /// Of a game, for one who wants these things.
    pub fn new(game: &G, wants: Vec<Want>) -> Teller<G> {
        let inputs = wants.contains(&Want::Inputs);
        let features = inputs.then(|| Features::new(game, IMAGINED));
        Teller { game: game.clone(), wants, features }
    }

    /// Whether something is wanted.
    pub fn tells(&self, what: Want) -> bool {
        self.wants.contains(&what)
    }

    /// The game: its rules, and its names and places.
    pub fn game(&self, lines: &mut Vec<u8>) {
        let mut catalogue = Vec::new();
        self.game.write_catalogue(&mut catalogue);
        let catalogue = String::from_utf8(catalogue).expect("JSON is text");
        let catalogue: &RawValue = serde_json::from_str(&catalogue).expect("a catalogue is JSON");
        let (game, players, rules) = (G::NAME, self.game.players(), self.game.rules());
        write(&GameMessage { game, players, rules, catalogue }, lines);
    }

    /// A match begins.
    pub fn begins(&self, number: u64, seat: Seat, rng: &Pcg32, lines: &mut Vec<u8>) {
        write(&MatchMessage { number, seat, seed: seed_of(rng) }, lines);
    }

    /// Something has happened in a match. Nothing is written if it is not wanted.
    pub fn happened(&self, number: u64, news: News<G>, lines: &mut Vec<u8>) {
        match news {
            News::Event(event) if self.tells(Want::Events) => {
                write(&EventMessage { number, event }, lines);
            }
            News::Step(step) if self.tells(Want::Steps) => {
                let KnownStep { turn, seat, action, luck } = step;
                let luck = luck.into_iter().map(LuckWord::of::<G>).collect();
                write(&StepMessage { number, turn, seat, action, luck }, lines);
            }
            News::Event(_) | News::Step(_) => {}
        }
    }

    /// The question `id` in a match.
    pub fn asks(
        &mut self,
        (id, number): (u64, u64),
        Asked { turn, phase }: Asked,
        (seen, legal): (&Observation<'_, G>, &Actions<G::Action>),
        lines: &mut Vec<u8>,
    ) {
        let mut view = Vec::new();
        if self.tells(Want::View) {
            self.game.write_view(&seen.view, &mut view);
        }
        let view = String::from_utf8(view).expect("JSON is text");
        let view: Option<&RawValue> = serde_json::from_str(&view).ok();
        let inputs = self.features.as_mut().map(|features| {
            let (planner, net) = features.known(&self.game, seen, BlockSeed::new(0, number));
            Inputs { planner, net }
        });
        let words = || legal.iter().map(ToString::to_string).collect();
        let words = self.tells(Want::Words).then(words);
        write(&Decide { id, number, turn, phase, legal, words, view, inputs }, lines);
    }

    /// A match is over, after some turns.
    pub fn ends(number: u64, outcome: &Outcome, turns: u16, lines: &mut Vec<u8>) {
        write(&Over { number, outcome: EndLine::of(outcome, turns) }, lines);
    }
}
