//! What may be done in a position of base CATAN, derived a second time and slowly, clause by clause.

use crate::island::Position;
use fairhaven::core::game::Game;
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::types::seat::Seat;
use fairhaven::games::base::Base;
use fairhaven::parts::bundles::{Bundle, Price};
use fairhaven::parts::island::action::Action;
use fairhaven::parts::island::cards::Card;
use fairhaven::parts::island::legal::DEALS_MAX;
use fairhaven::parts::island::rules::{Order, Steal};
use fairhaven::parts::island::state::{Phase, Stage, State};
use fairhaven::parts::places::{Edge, Hex, Vertex};
use fairhaven::parts::trade::{Answer, Audience};

/// A position and who chooses in it.
pub struct Chooser<'a> {
    game: &'a Base,
    state: &'a State,
    position: Position,
    /// Who acts, as an index.
    active: usize,
    hand: [u8; Resource::COUNT],
}

fn small(number: usize) -> u8 {
    u8::try_from(number).unwrap()
}

fn road(edge: usize) -> Action {
    Action::Road { edge: Edge::new(small(edge)) }
}

fn settlement(vertex: usize) -> Action {
    Action::Settlement { vertex: Vertex::new(small(vertex)) }
}

/// All bundles of 1 to `most` cards with no more of a kind than `of`.
fn bundles(of: [u8; Resource::COUNT], most: u8) -> Vec<Bundle> {
    let mut all = vec![[0; Resource::COUNT]];
    for kind in 0..Resource::COUNT {
        let longer = |cards: [u8; Resource::COUNT]| {
            (0..=of[kind].min(most)).map(move |count| {
                let mut cards = cards;
                cards[kind] = count;
                cards
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    let size = |cards: &[u8; Resource::COUNT]| cards.iter().sum::<u8>();
    let fit = all.into_iter().filter(|cards| (1..=most).contains(&size(cards)));
    fit.map(|cards| Bundle::new(Resources::new(cards))).collect()
}

/// All pairs of what a hand can give and of other kinds to get, up to `most` cards a side.
fn swaps(hand: [u8; Resource::COUNT], most: u8) -> Vec<(Bundle, Bundle)> {
    let mut all = Vec::new();
    for give in bundles(hand, most) {
        let given = give.cards().counts();
        let others = std::array::from_fn(|kind| if given[kind] == 0 { most } else { 0 });
        all.extend(bundles(others, most).into_iter().map(|want| (give, want)));
    }
    all
}

impl<'a> Chooser<'a> {
    pub fn new(game: &'a Base, state: &'a State) -> Chooser<'a> {
        let active = state.table.active.idx();
        let position = Position::of(game, state);
        Chooser { game, state, position, active, hand: state.hands[active].counts() }
    }

    /// Every action that the full list should have, in no order.
    pub fn all(&self) -> Vec<Action> {
        match self.state.table.phase {
            Phase::Found => self.position.open().into_iter().map(settlement).collect(),
            Phase::FoundRoad(at) => {
                let here = |edge: &usize| self.position.island.edges[*edge].contains(&at.idx());
                self.position.free_edges().filter(here).map(road).collect()
            }
            Phase::FreeRoads(_) => {
                let places = self.position.road_places(self.active).into_iter();
                // BASE-51: it may stop before each of them.
                places.map(road).chain([Action::Stop]).collect()
            }
            Phase::Act => self.act(),
            Phase::Discard { seat, .. } => {
                let chosen = self.state.chosen[seat.idx()].counts();
                let hand = self.state.hands[seat.idx()].counts();
                let kinds = Resource::ALL.into_iter();
                let left = kinds.filter(|kind| hand[kind.idx()] > chosen[kind.idx()]);
                left.map(|card| Action::Discard { card }).collect()
            }
            Phase::Robber => self.robber(),
            Phase::Answer(seat) => self.answers(seat),
            Phase::Choose => self.partners(),
            Phase::Over(_) => Vec::new(),
        }
    }

    fn act(&self) -> Vec<Action> {
        let table = &self.state.table;
        if table.stage == Stage::Roll {
            return [vec![Action::Roll], self.cards()].concat();
        }
        let mut all = vec![Action::EndTurn];
        all.extend(self.builds());
        if table.stage == Stage::Special {
            return all;
        }
        all.extend(self.cards());
        if self.game.rules().order == Order::Mixed || !table.so_far.built {
            all.extend(self.bank());
            let trade = self.game.rules().trade;
            let more = table.so_far.refused < trade.proposals_max;
            if table.stage == Stage::Main && more && table.so_far.deals < DEALS_MAX {
                let swaps = swaps(self.hand, trade.listed_max).into_iter();
                all.extend(swaps.map(|(give, want)| Action::Offer {
                    to: Audience::All,
                    give,
                    want,
                }));
            }
        }
        all
    }

    fn pays(&self, price: Price) -> bool {
        let price = [price.brick, price.lumber, price.wool, price.grain, price.ore];
        price.iter().zip(self.hand).all(|(&cost, held)| cost <= held)
    }

    /// BASE-5, BASE-40 to BASE-43.
    fn builds(&self) -> Vec<Action> {
        let mut all = Vec::new();
        let cost = self.game.rules().cost;
        let own = |worth: u8| {
            let mine =
                move |&&(_, seat, size): &&(usize, usize, u8)| seat == self.active && size == worth;
            self.position.buildings.iter().filter(mine)
        };
        let roads = self.position.roads.iter().filter(|road| road.1 == self.active).count();
        if self.pays(cost.road) && roads < 15 {
            all.extend(self.position.road_places(self.active).into_iter().map(road));
        }
        if self.pays(cost.settlement) && own(1).count() < 5 {
            all.extend(self.position.sites(self.active).into_iter().map(settlement));
        }
        if self.pays(cost.city) && own(2).count() < 4 {
            all.extend(own(1).map(|at| Action::City { vertex: Vertex::new(small(at.0)) }));
        }
        if self.pays(cost.card) && self.state.deck.iter().any(|&count| count > 0) {
            all.push(Action::Buy);
        }
        all
    }

    /// BASE-21, BASE-50 to BASE-53.
    fn cards(&self) -> Vec<Action> {
        let mut all = Vec::new();
        if self.state.table.so_far.played {
            return all;
        }
        let old =
            |card: Card| self.state.cards[self.active][card.idx()] > self.state.fresh[card.idx()];
        if old(Card::Knight) {
            all.push(Action::Knight);
        }
        let roads = self.position.roads.iter().filter(|road| road.1 == self.active).count();
        if old(Card::RoadBuilding)
            && roads < 15
            && !self.position.road_places(self.active).is_empty()
        {
            all.push(Action::RoadBuilding);
        }
        if old(Card::YearOfPlenty) {
            let bank = self.state.table.bank.counts();
            let two = bank.iter().sum::<u8>().min(2);
            for bundle in bundles(bank, 2) {
                let kinds: Vec<Resource> = bundle
                    .cards()
                    .iter()
                    .flat_map(|(kind, count)| vec![kind; usize::from(count)])
                    .collect();
                if kinds.len() == usize::from(two) {
                    let second = kinds.get(1).copied();
                    all.push(Action::YearOfPlenty { first: kinds[0], second });
                }
            }
        }
        if old(Card::Monopoly) {
            all.extend(Resource::ALL.map(|kind| Action::Monopoly { kind }));
        }
        all
    }

    /// How many cards of a kind the bank wants for one. (BASE-33)
    pub fn rate(&self, seat: usize, give: Resource) -> u8 {
        let places = self.game.parts().harbour_places.iter();
        let harbours = places.zip(self.state.table.board.harbours).filter(|(place, _)| {
            place.iter().any(|&at| self.position.owner(usize::from(at)) == Some(seat))
        });
        let rates = harbours.filter_map(|(_, kind)| match kind {
            Some(kind) => (kind == give).then_some(2),
            None => Some(3),
        });
        rates.min().unwrap_or(4)
    }

    fn bank(&self) -> Vec<Action> {
        let mut all = Vec::new();
        for give in Resource::ALL {
            let pays = self.hand[give.idx()] >= self.rate(self.active, give);
            let has = |want: &Resource| self.state.table.bank.get(*want) > 0;
            let wants = Resource::ALL.into_iter().filter(|&want| pays && want != give);
            all.extend(wants.filter(has).map(|want| Action::BankTrade { give, want }));
        }
        all
    }

    /// BASE-24, BASE-50.
    fn robber(&self) -> Vec<Action> {
        let robber = self.game.rules().robber;
        let others = || Seat::all(self.game.players()).filter(|seat| seat.idx() != self.active);
        let at = |hex: usize| others().filter(move |seat| self.position.touches(seat.idx(), hex));
        let spared = |seat: Seat| self.state.table.points(self.game, seat) < robber.spares_below;
        let elsewhere = || {
            (0..self.position.island.hexes.len())
                .filter(|&hex| hex != self.state.table.robber.idx())
        };
        let mut all = Vec::new();
        let none = elsewhere().all(|hex| at(hex).any(spared));
        for hex in elsewhere().filter(|&hex| none || !at(hex).any(spared)) {
            let victims = at(hex).filter(|&seat| !spared(seat));
            let victims = victims.filter(|seat| !self.state.hands[seat.idx()].is_empty());
            let victims: Vec<Option<Seat>> = victims.map(Some).collect();
            let hex = Hex::new(small(hex));
            if victims.is_empty() || robber.steal == Steal::May {
                all.push(Action::Robber { hex, victim: None });
            }
            all.extend(victims.into_iter().map(|victim| Action::Robber { hex, victim }));
        }
        all
    }

    /// BASE-32, BASE-35.
    fn answers(&self, seat: Seat) -> Vec<Action> {
        let hand = self.state.hands[seat.idx()];
        let mut all = vec![Action::Refuse];
        let asked = self.state.table.proposal.want.cards();
        if Resource::ALL.iter().all(|&kind| hand.get(kind) >= asked.get(kind)) {
            all.push(Action::Accept);
        }
        let swaps = swaps(hand.counts(), self.game.rules().trade.listed_max).into_iter();
        all.extend(swaps.map(|(give, want)| Action::Counter { give, want }));
        all
    }

    fn partners(&self) -> Vec<Action> {
        let mut all = vec![Action::Decline];
        let current = self.state.hands[self.state.table.current.idx()];
        for with in Seat::all(self.game.players()) {
            let open = match self.state.table.proposal.answers[with.idx()] {
                Answer::Accepted => true,
                Answer::Countered { want, .. } => current.covers(want.cards()),
                Answer::None | Answer::Refused => false,
            };
            if open {
                all.push(Action::Settle { with });
            }
        }
        all
    }
}
