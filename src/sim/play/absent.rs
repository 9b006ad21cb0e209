//! Holds the place of a seat that decides outside.

use crate::core::game::{ActionFilter, Observation, Outcome};
use crate::core::guest::{Asked, Guest, Transcript, Unheard, Untold};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::play::step_text::known_step;
use rand_pcg::Pcg32;

/// Holds an outside seat: it hears what its seat may know, and is never asked.
pub(super) struct Absent;

impl<G: Wording> Guest<G> for Absent {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Full
    }

    fn hears(&self) -> bool {
        true
    }

    fn begin(&mut self, _seat: Seat, _rng: &Pcg32) -> Unheard<G> {
        Untold::shared(Some(known_step))
    }

    fn choose(&mut self, _: Asked, _: &Observation<'_, G>, _: &mut Actions<G::Action>) -> usize {
        usize::MAX
    }

    fn refuse(&mut self, _reason: &str) {}

    fn end(&mut self, _seat: Seat, _outcome: &Outcome, _turns: u16) {}

    fn transcript(&mut self, _seat: Seat) -> Transcript {
        Transcript::default()
    }

    fn rejoin(&mut self, _seat: Seat, _transcript: &Transcript) -> Unheard<G> {
        Untold::shared(Some(known_step))
    }

    fn fault(&self) -> Option<String> {
        Some("decisions of this seat come from outside".to_owned())
    }
}
