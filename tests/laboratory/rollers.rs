//! Those who play the dice race.

use crate::toy::{DiceRace, Die};
use fairhaven::core::agent::{Agent, Player};
use fairhaven::core::chance::below;
use fairhaven::core::game::Observation;
use fairhaven::core::types::actions::Actions;
use rand_core::Rng;
use rand_pcg::Pcg32;

/// The position of a die in a list; the first entry if it is not there.
fn place(die: Die, legal: &[Die]) -> usize {
    legal.iter().position(|&other| other == die).unwrap_or(0)
}

fn any(legal: &[Die], rng: &mut Pcg32) -> usize {
    below(rng, u32::try_from(legal.len()).expect("a short list")) as usize
}

/// Rolls one die, or the first in the match if that one is out of it.
#[derive(Debug, Clone, Copy)]
pub struct Fixed(pub Die);

/// Rolls each die with the same probability.
#[derive(Debug, Clone, Copy)]
pub struct Uniform;

/// As likely to roll each die as [`Uniform`], but draws otherwise, so that its matches are others.
#[derive(Debug, Clone, Copy)]
pub struct Mirror;

/// Rolls die a with this probability in per cent, else die b; both as [`Fixed`] would.
#[derive(Debug, Clone, Copy)]
pub struct Shy {
    /// How often it rolls die a, 0 to 100.
    pub percent: u8,
}

impl Agent<DiceRace> for Fixed {
    fn choose(
        &mut self,
        _seen: &Observation<'_, DiceRace>,
        legal: &mut Actions<Die>,
        _rng: &mut Pcg32,
    ) -> usize {
        place(self.0, legal)
    }
}

impl Agent<DiceRace> for Uniform {
    fn choose(
        &mut self,
        _seen: &Observation<'_, DiceRace>,
        legal: &mut Actions<Die>,
        rng: &mut Pcg32,
    ) -> usize {
        any(legal, rng)
    }
}

impl Agent<DiceRace> for Mirror {
    fn choose(
        &mut self,
        _seen: &Observation<'_, DiceRace>,
        legal: &mut Actions<Die>,
        rng: &mut Pcg32,
    ) -> usize {
        rng.next_u32();
        legal.len() - 1 - any(legal, rng)
    }
}

impl Agent<DiceRace> for Shy {
    fn choose(
        &mut self,
        _seen: &Observation<'_, DiceRace>,
        legal: &mut Actions<Die>,
        rng: &mut Pcg32,
    ) -> usize {
        let bold = below(rng, 100) < u32::from(self.percent);
        place(if bold { Die::A } else { Die::B }, legal)
    }
}

/// An agent at the table.
pub fn player(agent: impl Agent<DiceRace> + 'static) -> Player<DiceRace> {
    Player::Honest(Box::new(agent))
}
