//! Positions built by hand, scripts of luck, and short words for actions. Not a test.
//!
//! All scenes use the terrain and tokens of the beginner island, without pieces. Hands are written as
//! counts in the order brick, lumber, wool, grain, ore; vertices by number, edges by their two vertices.

use crate::core::chance::{Scripted, ScriptedChance};
use crate::core::game::{ActionFilter, Game};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::games::support;
use crate::parts::bundles::Bundle;
use crate::parts::island::action::Action;
use crate::parts::island::cards::{Card, sum_of};
use crate::parts::island::rules::{Layout, Rules};
use crate::parts::island::state::{Phase, Stage, State};
use crate::parts::places::{Hex, Vertex};
use crate::parts::trade::Audience;

pub const S1: Seat = Seat::new(0);
pub const S2: Seat = Seat::new(1);
pub const S3: Seat = Seat::new(2);
pub const S4: Seat = Seat::new(3);

pub const FOR_ROAD: [u8; 5] = [1, 1, 0, 0, 0];
pub const FOR_SETTLEMENT: [u8; 5] = [1, 1, 1, 1, 0];
pub const FOR_CITY: [u8; 5] = [0, 0, 0, 2, 3];
pub const FOR_CARD: [u8; 5] = [0, 0, 1, 1, 1];

/// The desert of the beginner island.
pub const DESERT: u8 = 9;

/// A game and a position in it.
#[derive(Debug, Clone)]
pub struct Scene {
    pub game: Base,
    pub state: State,
}

/// The dice show this sum.
pub fn dice(sum: u8) -> Scripted {
    Scripted::Card((0..36).filter(|&throw| sum_of(throw) == sum).fold(0, |set, at| set | 1 << at))
}

/// This development card is drawn, or this kind is stolen.
pub fn card(card: Card) -> Scripted {
    Scripted::Kind(u8::try_from(card.idx()).unwrap())
}

/// This kind is stolen.
pub fn stolen(kind: Resource) -> Scripted {
    Scripted::Kind(u8::try_from(kind.idx()).unwrap())
}

pub fn game_with(players: u8, change: impl FnOnce(&mut Rules)) -> Base {
    let mut rules = Rules::default();
    change(&mut rules);
    Base::new(rules, players).expect("a rule set that can be played with")
}

/// The start of a match, dealt with this luck and no other.
pub fn deal(game: &Base, script: &[Scripted]) -> State {
    let mut chance = ScriptedChance::new(script.iter().copied());
    let state = game.deal(&mut chance);
    assert!(chance.is_exhausted(), "the deal takes all luck");
    game.check(&state);
    state
}

impl Scene {
    /// Seat 1 after the roll of turn 1: empty hands, no pieces, the robber on the desert.
    pub fn new(players: u8) -> Scene {
        Scene::with(players, |_| {})
    }

    /// The same with a changed rule set.
    pub fn with(players: u8, change: impl FnOnce(&mut Rules)) -> Scene {
        let game = game_with(players, change);
        let layout = game_with(4, |rules| rules.island = Layout::Beginner);
        let mut state =
            deal(&game_with(players.min(4), |rules| rules.island = Layout::Beginner), &[]);
        let mut table = game.empty_table(layout.beginner_board());
        table.robber = Hex::new(DESERT);
        (table.turn, table.stage, table.phase) = (1, Stage::Main, Phase::Act);
        state.hands = Default::default();
        state.deck = game.deck;
        state.table = table;
        Scene { game, state }
    }

    /// Gives a seat cards of the bank.
    pub fn hand(mut self, seat: Seat, counts: [u8; 5]) -> Scene {
        let cards = Resources::new(counts);
        assert!(self.state.table.bank.covers(cards), "the bank holds these cards");
        self.state.table.bank = self.state.table.bank - cards;
        self.state.hands[seat.idx()] = self.state.hands[seat.idx()] + cards;
        self
    }

    /// Leaves this number of cards in the bank; the others go to a hand.
    pub fn bank(self, counts: [u8; 5], others_to: Seat) -> Scene {
        let rest = self.state.table.bank - Resources::new(counts);
        self.hand(others_to, rest.counts())
    }

    pub fn settlement(mut self, seat: Seat, vertex: u8) -> Scene {
        self.game.put_settlement(&mut self.state.table, seat, Vertex::new(vertex));
        self
    }

    pub fn city(self, seat: Seat, vertex: u8) -> Scene {
        let mut scene = self.settlement(seat, vertex);
        scene.game.put_city(&mut scene.state.table, seat, Vertex::new(vertex));
        scene
    }

    /// Roads along a line of vertices; Longest Road goes to its rightful holder.
    pub fn roads(mut self, seat: Seat, line: &[u8]) -> Scene {
        for pair in line.windows(2) {
            let Action::Road { edge } = road(pair[0], pair[1]) else { unreachable!() };
            self.state.table.pieces.lay_road(self.game.map, seat, edge);
        }
        self.game.award_route(&mut self.state.table);
        self
    }

    /// Gives a seat development cards of the deck.
    pub fn cards(mut self, seat: Seat, card: Card, count: u8) -> Scene {
        self.state.deck[card.idx()] -= count;
        self.state.cards[seat.idx()][card.idx()] += count;
        self
    }

    /// Sets the number of knights that a seat has played; Largest Army is up to the caller.
    pub fn knights(mut self, seat: Seat, count: u8) -> Scene {
        self.state.deck[Card::Knight.idx()] -= count;
        self.state.table.knights[seat.idx()] += count;
        self
    }

    pub fn army(mut self, seat: Seat) -> Scene {
        self.state.table.army = Some(seat);
        self
    }

    pub fn turn_of(mut self, seat: Seat) -> Scene {
        self.state.table.current = seat;
        self.state.table.active = seat;
        self
    }

    /// Before the roll.
    pub fn before_roll(mut self) -> Scene {
        self.state.table.stage = Stage::Roll;
        self
    }

    /// Carries out an action with this luck and no other, and asks the invariants before and after.
    #[track_caller]
    pub fn play(&mut self, action: Action, script: &[Scripted]) {
        support::play(&self.game, &mut self.state, action, script);
    }

    /// Carries out actions that need no luck.
    #[track_caller]
    pub fn play_all(&mut self, actions: &[Action]) {
        support::play_all(&self.game, &mut self.state, actions);
    }

    /// Whether the rules allow an action; what is listed is allowed.
    #[track_caller]
    pub fn allows(&self, action: Action) -> bool {
        let allowed = self.game.permits(&self.state, action).is_ok();
        let offer = matches!(action, Action::Offer { .. } | Action::Counter { .. });
        assert!(offer || allowed == self.lists(action), "{action}: list and rules agree");
        assert!(allowed || !self.lists(action), "{action} is listed and forbidden");
        allowed
    }

    pub fn lists(&self, action: Action) -> bool {
        self.listed().contains(&action)
    }

    /// The full legal list.
    pub fn listed(&self) -> Vec<Action> {
        self.list(ActionFilter::Full)
    }

    pub fn list(&self, filter: ActionFilter) -> Vec<Action> {
        support::listed(&self.game, &self.state, filter)
    }

    /// The entries of the full list that a test picks.
    pub fn count(&self, pick: impl Fn(&Action) -> bool) -> usize {
        self.listed().iter().filter(|action| pick(action)).count()
    }

    pub fn held(&self, seat: Seat) -> [u8; 5] {
        self.state.hands[seat.idx()].counts()
    }

    pub fn in_bank(&self) -> [u8; 5] {
        self.state.table.bank.counts()
    }

    pub fn phase(&self) -> Phase {
        self.state.table.phase
    }

    pub fn points(&self, seat: Seat) -> u8 {
        self.state.points(&self.game, seat)
    }

    pub fn is_won(&self) -> bool {
        matches!(self.phase(), Phase::Over(crate::core::game::End::Won))
    }
}

/// The edge between two vertices of the standard island.
pub fn road(a: u8, b: u8) -> Action {
    let map = &crate::parts::hexmap::STANDARD;
    let edge = map.edge_between(Vertex::new(a), Vertex::new(b));
    Action::Road { edge: edge.expect("neighbours") }
}

pub fn settlement(vertex: u8) -> Action {
    Action::Settlement { vertex: Vertex::new(vertex) }
}

pub fn city(vertex: u8) -> Action {
    Action::City { vertex: Vertex::new(vertex) }
}

pub fn robber(hex: u8, victim: Option<Seat>) -> Action {
    Action::Robber { hex: Hex::new(hex), victim }
}

pub fn discard(card: Resource) -> Action {
    Action::Discard { card }
}

pub fn bank(give: Resource, want: Resource) -> Action {
    Action::BankTrade { give, want }
}

fn bundle(counts: [u8; 5]) -> Bundle {
    Bundle::new(Resources::new(counts))
}

pub fn offer(give: [u8; 5], want: [u8; 5]) -> Action {
    Action::Offer { to: Audience::All, give: bundle(give), want: bundle(want) }
}

pub fn offer_to(seat: Seat, give: [u8; 5], want: [u8; 5]) -> Action {
    Action::Offer { to: Audience::One(seat), give: bundle(give), want: bundle(want) }
}

pub fn counter(give: [u8; 5], want: [u8; 5]) -> Action {
    Action::Counter { give: bundle(give), want: bundle(want) }
}

pub fn settle(with: Seat) -> Action {
    Action::Settle { with }
}
