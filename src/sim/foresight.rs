//! Judges a position by what becomes of it in the turn: the planner plays on to its end before it judges, so that cards
//! which have just come count for what they will buy at once.

use crate::core::game::{ActionFilter, Turn};
use crate::core::opinion::{Judge, Opinion, Policy, Rate};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::sim::search::rollout::{Guide, play_on, result};
use rand_pcg::Pcg32;

/// The master seed of the numbers that are drawn while it is played on.
const PLAYED_ON: u64 = 0xfa1f;

/// The game's planner with its default weights: it plays on, without offers to trade, and judges.
pub struct Foresight<G: Opinion> {
    planner: Planner<G>,
    legal: Box<Actions<G::Action>>,
    /// The same for every position.
    rng: Pcg32,
}

struct Planner<G: Opinion>(G::Planner);

impl<G: Opinion> Foresight<G> {
    /// The judge of a game.
    pub fn new(game: &G) -> Foresight<G> {
        Foresight {
            planner: Planner(game.planner(&game.weights())),
            legal: Box::default(),
            rng: BlockSeed::new(PLAYED_ON, 0).stream(Stream::Study, None, 0),
        }
    }
}

impl<G: Opinion> Guide<G> for Planner<G> {
    fn action_filter(&self) -> ActionFilter {
        self.0.action_filter().min(ActionFilter::NoOffers)
    }

    fn pick(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        self.0.choose(game, &game.view(state, seat), legal, rng)
    }
}

impl<G: Opinion> Rate<G> for Foresight<G> {
    fn rate(&mut self, game: &G, view: &G::View<'_>, legal: &[G::Action], out: &mut Vec<f32>) {
        self.planner.0.rate(game, view, legal, out);
    }

    fn fog(&self) -> f32 {
        self.planner.0.fog()
    }
}

impl<G: Opinion> Foresight<G> {
    /// Each seat's chance to win as the planner judges where it has got once the turn `next` begins, and who has won by
    /// then. A position in which that turn has begun is judged as it stands.
    pub fn by_turn(
        &mut self,
        game: &G,
        state: &G::State,
        next: u16,
    ) -> (PerSeat<f32>, Option<Seat>) {
        let (mut after, mut rng) = (*state, self.rng.clone());
        let turns = next.saturating_sub(game.turn_number(state));
        play_on(game, &mut after, turns, &mut self.planner, &mut self.legal, &mut rng);
        match game.turn(&after) {
            Turn::Over => (result(game, &after), game.outcome(&after).winner),
            Turn::Decide(_) => (self.planner.0.win_probabilities(game, &after), None),
        }
    }
}

impl<G: Opinion> Judge<G> for Foresight<G> {
    fn win_probabilities(&mut self, game: &G, state: &G::State) -> PerSeat<f32> {
        let next = game.turn_number(state).saturating_add(1);
        self.by_turn(game, state, next).0
    }
}
