//! Those who play the dice race.

use crate::closed_form::wins;
use crate::toy::{DiceRace, Die, Phase, State};
use fairhaven::core::agent::{Agent, Player};
use fairhaven::core::chance::below;
use fairhaven::core::game::{Game, Observation};
use fairhaven::core::measure::Measure;
use fairhaven::core::opinion::{Judge, Rate};
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::{PerSeat, SEATS_MAX};
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

/// Knows what each seat wins with.
#[derive(Debug, Clone)]
pub struct Knows {
    /// The success probability of each seat.
    pub success: Vec<f64>,
    /// What it adds to the chance of seat 1, wrongly: times the turn modulo 7.
    pub error: f64,
}

impl Rate<DiceRace> for Knows {
    fn rate(&mut self, _: &DiceRace, _: &&State, legal: &[Die], out: &mut Vec<f32>) {
        out.clear();
        out.resize(legal.len(), 0.0);
    }

    fn fog(&self) -> f32 {
        1.0
    }
}

impl Judge<DiceRace> for Knows {
    #[allow(clippy::cast_possible_truncation, reason = "chances of a judge have this precision")]
    fn win_probabilities(&mut self, game: &DiceRace, state: &State) -> PerSeat<f32> {
        assert_eq!(state.phase, Phase::Roll, "a position that is not over");
        let current = game.current(state).idx();
        let mut success = self.success.clone();
        success.rotate_left(current);
        let left = game.rules().turns_max - (state.turn - 1);
        let wins = wins(&success, left);
        let mut chances = [0.0; SEATS_MAX];
        for (step, won) in wins.into_iter().enumerate() {
            chances[(current + step) % self.success.len()] = won as f32;
        }
        // Wrong by more the later it is, so that its errors depend on what was rolled.
        chances[0] += (self.error * f64::from(state.turn % 7)) as f32;
        chances
    }
}

/// An agent at the table.
pub fn player(agent: impl Agent<DiceRace> + 'static) -> Player<DiceRace> {
    Player::Honest(Box::new(agent))
}
