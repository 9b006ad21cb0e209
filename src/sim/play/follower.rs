//! A match that is played elsewhere, followed event by event: by one who sees everything, and from one seat.
//!
//! Nothing is decided here: actions and the results of chance come from outside, such as a record or another
//! program. What a seat sees and remembers is what an agent in that seat would be given in a match of ours.

use crate::core::chance::{Chance, ChanceEvent};
use crate::core::game::{
    ActionFilter, Game, IllegalAction, Observation, SeatEvent, SeatMemory, Step, Turn,
};
use crate::core::record::ObservedChance;
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;

/// A match as one seat knows it, by the events that it may know and nothing else. [`Follower::events`] has
/// them; they can be written down, sent to another program, and read there.
#[derive(Debug, Clone)]
pub struct SeatFollower<G: Game> {
    seat: Seat,
    memory: G::Memory,
}

impl<G: Game> SeatFollower<G> {
    /// A match before the deal.
    pub fn new(game: &G, seat: Seat) -> SeatFollower<G> {
        SeatFollower { seat, memory: G::Memory::new(game, seat) }
    }

    /// The seat.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Adds an event.
    ///
    /// # Panics
    /// Perhaps, if it can't have happened after those before it.
    pub fn hear(&mut self, event: SeatEvent<G>) {
        self.memory.hear(event);
    }

    /// What the seat knows if this is what it sees.
    pub fn observation<'a>(&'a self, view: G::View<'a>) -> Observation<'a, G> {
        Observation { seat: self.seat, view, memory: &self.memory }
    }
}

/// A match with its position, and with what one seat knows of it, if one is named.
#[derive(Debug, Clone)]
pub struct Follower<G: Game> {
    game: G,
    state: G::State,
    known: Option<SeatFollower<G>>,
    /// A seat that hears of events elsewhere.
    listener: Option<Seat>,
    /// Chance events of the last step.
    drawn: Vec<ChanceEvent<G::Draw>>,
    /// What the seat may know of the last step.
    events: Vec<SeatEvent<G>>,
}

impl<G: Game> Follower<G> {
    /// A match before its first decision, dealt by `chance`.
    pub fn deal<C: Chance<G::Draw>>(game: G, seat: Option<Seat>, chance: &mut C) -> Follower<G> {
        let mut drawn = Vec::new();
        let listener = |event| drawn.push(event);
        let state = game.deal(&mut ObservedChance { chance, listener });
        Follower::dealt(game, state, drawn, seat)
    }

    /// A match from a position in which only the deal is to be remembered, and no luck of it, such as a base
    /// CATAN island that has been laid and where nobody has founded.
    pub fn start(game: G, state: G::State, seat: Option<Seat>) -> Follower<G> {
        Follower::dealt(game, state, Vec::new(), seat)
    }

    fn dealt(
        game: G,
        state: G::State,
        drawn: Vec<ChanceEvent<G::Draw>>,
        seat: Option<Seat>,
    ) -> Follower<G> {
        let known = seat.map(|seat| SeatFollower::new(&game, seat));
        let mut follower =
            Follower { game, state, known, listener: seat, drawn, events: Vec::new() };
        follower.remember(None);
        follower
    }

    /// From now on [`Follower::events`] has what this seat may know of each step, but nothing of it is remembered here.
    pub fn listen(&mut self, seat: Seat) {
        (self.known, self.listener) = (None, Some(seat));
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position, hidden hands included.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The position, to be changed where another program departs from the rules. The seat's memory does not
    /// hear of it, so what a seat remembers, such as the cards in a hand, must stay as it is.
    pub fn state_mut(&mut self) -> &mut G::State {
        &mut self.state
    }

    /// Who acts next.
    pub fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    /// The actions to choose from, in the game's order; empty once the match is over.
    pub fn legal(&self, filter: ActionFilter) -> Vec<G::Action> {
        let mut list = Actions::new();
        self.game.legal(&self.state, filter, &mut list);
        list.to_vec()
    }

    /// What the seat sees now and remembers; nothing if no seat is named.
    pub fn observation(&self) -> Option<Observation<'_, G>> {
        let known = self.known.as_ref()?;
        Some(known.observation(self.game.view(&self.state, known.seat)))
    }

    /// What the seat may know of the last step, the deal or an action; empty if no seat is named.
    pub fn events(&self) -> &[SeatEvent<G>] {
        &self.events
    }

    /// Takes an action of the seat that acts, if the rules allow it. `chance` is asked for the results of
    /// its chance events, in the order of the rules.
    ///
    /// # Errors
    /// Says what forbids the action; nothing has changed then.
    pub fn follow<C: Chance<G::Draw>>(
        &mut self,
        action: G::Action,
        chance: &mut C,
    ) -> Result<(), IllegalAction> {
        self.game.permits(&self.state, action)?;
        self.carry_out(action, chance);
        Ok(())
    }

    /// Takes an action without asking the rules, for programs that allow more than these.
    ///
    /// # Panics
    /// Perhaps, if the action means nothing in this position.
    pub fn carry_out<C: Chance<G::Draw>>(&mut self, action: G::Action, chance: &mut C) {
        let before = self.state;
        self.drawn.clear();
        let listener = |event| self.drawn.push(event);
        self.game.apply(&mut self.state, action, &mut ObservedChance { chance, listener });
        self.remember(Some((&before, action)));
    }

    fn remember(&mut self, action: Option<(&G::State, G::Action)>) {
        self.events.clear();
        let Some(seat) = self.listener else { return };
        let step = Step { action, chance: &self.drawn, after: &self.state };
        G::Memory::observe(&self.game, &step, seat, |event| self.events.push(event));
        if let Some(known) = &mut self.known {
            self.events.iter().for_each(|&event| known.hear(event));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::agent::{Agent, Player};
    use crate::core::chance::RandomChance;
    use crate::core::record::{Decision, Recorder};
    use crate::core::seed::BlockSeed;
    use crate::games::base::Base;
    use crate::games::on_the_road::OnTheRoad;
    use crate::parts::island::action::Action;
    use crate::sim::agents::random::Random;
    use crate::sim::play::Arena;
    use rand_pcg::Pcg32;
    use std::sync::{Arc, Mutex};

    const SEED: BlockSeed = BlockSeed::new(7, 3);

    /// An agent that chooses at random and keeps what it was given, in words.
    struct Witness(Arc<Mutex<Vec<(Seat, String)>>>);

    impl<G: Game> Agent<G> for Witness {
        fn remembers(&self) -> bool {
            true
        }

        fn choose(
            &mut self,
            seen: &Observation<'_, G>,
            legal: &mut Actions<G::Action>,
            rng: &mut Pcg32,
        ) -> usize {
            self.0.lock().expect("one thread").push((seen.seat, format!("{seen:?}")));
            Random.choose(seen, legal, rng)
        }
    }

    /// Positions, who was asked and for how many actions, and what was done.
    struct Taken<G: Game>(Vec<(G::State, Seat, usize, G::Action)>);

    impl<G: Game> Recorder<G> for Taken<G> {
        fn on_decision(&mut self, _game: &G, decision: &Decision<'_, G>) {
            let Decision { before, seat, listed, action, .. } = *decision;
            self.0.push((*before, seat, listed, action));
        }
    }

    /// Writes down what a seat may know of the last step, and reads it elsewhere.
    fn send<G: Game>(from: &Follower<G>, to: &mut SeatFollower<G>) {
        for event in from.events() {
            let line = serde_json::to_string(event).expect("an event can be written");
            to.hear(serde_json::from_str(&line).expect("it was written"));
        }
    }

    /// Follows a match of random agents for each seat, and compares it with what they were given.
    fn follow_a_match<G: Game>(players: u8) {
        let game = G::new(G::Rules::default(), players).expect("default rules");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let witness = || Player::Honest(Box::new(Witness(Arc::clone(&seen))));
        let mut agents: Vec<Player<G>> = (0..players).map(|_| witness()).collect();
        let seat_of: Vec<usize> = (0..usize::from(players)).collect();
        let mut taken = Taken(Vec::new());
        let played = Arena::new(game.clone()).play(&mut agents, &seat_of, SEED, &mut taken);
        let end = played.expect("random agents choose from the list");
        let seen = seen.lock().expect("one thread");
        for own in Seat::all(players) {
            let mut chance = RandomChance::new(SEED);
            let mut follower = Follower::deal(game.clone(), Some(own), &mut chance);
            let mut given = seen.iter().filter(|(seat, _)| *seat == own).map(|(_, seen)| seen);
            let mut remote = SeatFollower::new(&game, own);
            send(&follower, &mut remote);
            for (before, seat, listed, action) in &taken.0 {
                assert_eq!((follower.state(), follower.turn()), (before, Turn::Decide(*seat)));
                assert_eq!(follower.legal(ActionFilter::Full).len(), *listed);
                if *seat == own && *listed > 1 {
                    let given = given.next().expect("it was asked");
                    let seen = follower.observation().expect("a seat is named");
                    assert_eq!(&format!("{seen:?}"), given, "seat {own}");
                    let seen = remote.observation(follower.game().view(before, own));
                    assert_eq!(&format!("{seen:?}"), given, "seat {own} by its events");
                }
                follower.follow(*action, &mut chance).expect("it was taken");
                send(&follower, &mut remote);
            }
            assert_eq!((follower.state(), follower.turn()), (&end, Turn::Over));
            assert!(given.next().is_none() && follower.legal(ActionFilter::Full).is_empty());
        }
    }

    #[test]
    fn a_seat_knows_what_the_agent_in_it_was_given() {
        follow_a_match::<OnTheRoad>(3);
        follow_a_match::<Base>(4);
    }

    #[test]
    fn an_action_that_the_rules_forbid_changes_nothing() {
        let game = Base::new(<Base as Game>::Rules::default(), 3).expect("default rules");
        let mut chance = RandomChance::new(SEED);
        let mut follower = Follower::deal(game, Some(Seat::FIRST), &mut chance);
        let before = follower.clone();
        follower.follow(Action::EndTurn, &mut chance).expect_err("nobody has founded");
        assert_eq!(follower.state(), before.state());
        assert!(follower.observation() == before.observation());
    }

    #[test]
    fn without_a_seat_there_is_a_position_and_no_observation() {
        let game = Base::new(<Base as Game>::Rules::default(), 3).expect("default rules");
        let follower = Follower::deal(game, None, &mut RandomChance::new(SEED));
        assert!(follower.observation().is_none() && !follower.legal(ActionFilter::Full).is_empty());
    }
}
