//! What is thought of positions and actions of Struggle for Catan.

use crate::core::agent::NoAgent;
use crate::core::game::{ActionFilter, Game};
use crate::core::opinion::{Judge, Lesson, Opinion, Policy, Special};
use crate::core::params::{MctsParams, Parameter};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, SEATS_MAX};
use crate::games::struggle::action::Action;
use crate::games::struggle::game::Struggle;
use crate::games::struggle::observe::View;
use crate::games::struggle::state::State;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};

/// Parameters of the planning policy.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Weights {}

/// Chooses the first entry.
#[derive(Debug, Clone)]
pub struct First;

impl Policy<Struggle> for First {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Plain
    }

    fn choose(
        &mut self,
        _game: &Struggle,
        _view: &View<'_>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        usize::from(legal.len() > 1)
    }
}

impl Judge<Struggle> for First {
    fn rate(&mut self, _game: &Struggle, _view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        out.clear();
        out.extend(legal.iter().map(|_| 0.0));
    }

    fn suggest(&mut self, _game: &Struggle, _view: &View<'_>, _legal: &mut Actions<Action>) {}

    fn chances(&mut self, game: &Struggle, _state: &State) -> PerSeat<f32> {
        let mut chances = [0.0; SEATS_MAX];
        chances[..usize::from(game.players())].fill(1.0 / f32::from(game.players()));
        chances
    }
}

impl Opinion for Struggle {
    type Weights = Weights;
    type Planner = First;
    type Eager = First;
    type Quick = First;
    type Special = NoAgent;

    const WEIGHTS: &'static [Parameter] = &[];
    const SPECIALS: &'static [Special<Struggle>] = &[];
    const SEARCH: MctsParams = MctsParams::DEFAULT;
    const LESSON: Option<Lesson<Struggle>> = None;

    fn planner(&self, _weights: &Weights) -> First {
        First
    }

    fn eager(&self) -> First {
        First
    }

    fn quick(&self) -> First {
        First
    }
}
