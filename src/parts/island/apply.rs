//! What an action does: a dispatcher and one function for each action.

use crate::core::chance::Chance;
use crate::core::game::End;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::board::Board;
use crate::parts::island::cards::Card;
use crate::parts::island::luck::Draw;
use crate::parts::island::rules::AfterTurn;
use crate::parts::island::state::{Phase, SoFar, Stage, State, Table};
use crate::parts::pieces::Pieces;
use crate::parts::places::{Edge, Vertex, VertexSet};
use crate::parts::trade::{Answer, Next, Proposal};

impl Island {
    /// Carries out an action that the rules allow.
    #[inline]
    pub(crate) fn apply<C: Chance<Draw>>(&self, state: &mut State, action: Action, chance: &mut C) {
        match action {
            Action::Roll => self.roll(state, chance),
            Action::EndTurn => self.end_turn(state, chance),
            Action::Road { edge } => self.road(state, edge, chance),
            Action::Settlement { vertex } => self.settlement(state, vertex),
            Action::City { vertex } => self.city(state, vertex),
            Action::Buy => self.buy(state, chance),
            Action::Knight => self.knight(state),
            Action::RoadBuilding => {
                play(state, Card::RoadBuilding);
                state.table.phase = Phase::FreeRoads(2);
            }
            Action::YearOfPlenty { first, second } => plenty(state, first, second),
            Action::Monopoly { kind } => monopoly(state, kind),
            Action::Robber { hex, victim } => {
                state.table.robber = hex;
                state.table.phase = Phase::Act;
                if let Some(victim) = victim {
                    steal(state, victim, chance);
                }
            }
            Action::Discard { card } => self.discard(state, card),
            Action::BankTrade { give, want } => bank_trade(state, give, want),
            Action::Offer { to, give, want } => {
                self.offer(&mut state.table, Proposal::new(to, give, want));
            }
            Action::Accept => self.answer(&mut state.table, Answer::Accepted),
            Action::Refuse => self.answer(&mut state.table, Answer::Refused),
            Action::Counter { give, want } => {
                self.answer(&mut state.table, Answer::Countered { give, want });
            }
            Action::Settle { with } => settle(state, with),
            Action::Decline => {
                state.table.so_far.refused += 1;
                state.table.phase = Phase::Act;
            }
            Action::Stop => state.table.phase = Phase::Act,
        }
    }

    /// Starts a seat's turn: a player who has the points wins at once. (BASE-16, BASE-70)
    pub(crate) fn begin_turn<C: Chance<Draw>>(
        &self,
        state: &mut State,
        seat: Seat,
        chance: &mut C,
    ) {
        let table = &mut state.table;
        table.turn += 1;
        table.current = seat;
        chance.start_turn(table.turn);
        self.activate(state, seat, Stage::Roll);
    }

    /// Makes a seat active in a stage.
    pub(crate) fn activate(&self, state: &mut State, seat: Seat, stage: Stage) {
        let table = &mut state.table;
        table.active = seat;
        table.stage = stage;
        table.phase = Phase::Act;
        table.so_far = SoFar::default();
        state.fresh = Default::default();
        self.look_for_win(state);
    }

    /// Ends the match if the active seat has the points in a turn of its own. (BASE-70)
    #[inline]
    pub(crate) fn look_for_win(&self, state: &mut State) {
        let target = self.rules.points_to_win.of(state.table.active) + state.table.withheld;
        let won = state.points(self, state.table.active) >= target;
        if won && state.table.may_win() {
            state.table.phase = Phase::Over(End::Won);
        }
    }

    /// Who acts after the current player or after a player who acts after its turn. (BASE-81)
    pub(crate) fn end_turn<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let table = &state.table;
        let current = table.current;
        if self.players > 4 {
            let after = self.rules.extension.after_turn;
            let next = table.active.next(self.players);
            match (after, table.stage) {
                (AfterTurn::Special, _) if next != current => {
                    return self.activate(state, next, Stage::Special);
                }
                (AfterTurn::Paired, Stage::Main) => {
                    let partner = next.next(self.players).next(self.players);
                    return self.activate(state, partner, Stage::Paired);
                }
                _ => {}
            }
        }
        if table.turn >= self.rules.turns_max {
            state.table.phase = Phase::Over(End::TurnLimit);
            return;
        }
        self.begin_turn(state, current.next(self.players), chance);
    }

    /// What building does to the open part of a position, payment aside, for the active seat. Other
    /// actions do nothing.
    pub fn place(&self, table: &mut Table, action: Action) {
        let seat = table.active;
        match action {
            Action::Road { edge } => self.put_road(table, seat, edge),
            Action::Settlement { vertex } => {
                self.put_settlement(table, seat, vertex);
                self.roads_were_cut(table, seat, vertex);
            }
            Action::City { vertex } => self.put_city(table, seat, vertex),
            _ => {}
        }
    }

    /// Lays a road, and passes on Longest Road if it is longer now. (BASE-60)
    #[inline]
    pub(crate) fn put_road(&self, table: &mut Table, seat: Seat, edge: Edge) {
        self.put_road_by(table, seat, edge, |pieces| pieces.longest_with(self.map, seat, edge));
    }

    /// The same by the length of the longest trail that uses the road; if that is less than [`Island::least_route`], by any
    /// such length. Only trails with that road are new, and no other seat's is longer than what is to be beaten. (BASE-60,
    /// BASE-61)
    #[inline]
    pub(crate) fn put_road_by(
        &self,
        table: &mut Table,
        seat: Seat,
        edge: Edge,
        length: impl FnOnce(&Pieces) -> u8,
    ) {
        let least = self.least_route(table);
        table.pieces.lay_road(self.map, seat, edge);
        if table.pieces.nets[seat.idx()].roads.len() < least {
            return;
        }
        let length = length(&table.pieces);
        if length >= least {
            table.route = Some(seat);
            table.route_length = length;
        }
    }

    /// How long a road has to be to become the longest.
    pub(crate) fn least_route(&self, table: &Table) -> u8 {
        self.rules.route.minimum.max(table.route_length + 1)
    }

    #[inline]
    fn road<C: Chance<Draw>>(&self, state: &mut State, edge: Edge, chance: &mut C) {
        self.place(&mut state.table, Action::Road { edge });
        self.road_laid(state, chance);
    }

    /// What follows from laying a road: the next player founds, a free road is used up, or it is paid for.
    #[inline]
    pub(crate) fn road_laid<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        match state.table.phase {
            Phase::FoundRoad(_) => return self.founded(state, chance),
            Phase::FreeRoads(left) => {
                let more = left > 1 && state.table.may_lay();
                state.table.phase = if more { Phase::FreeRoads(left - 1) } else { Phase::Act };
            }
            _ => {
                pay(state, self.road_cost);
                state.table.so_far.built = true;
            }
        }
        self.look_for_win(state);
    }

    #[inline]
    fn settlement(&self, state: &mut State, vertex: Vertex) {
        self.place(&mut state.table, Action::Settlement { vertex });
        self.settled(state, vertex);
    }

    /// What follows from a settlement: a founding one brings cards, any other is paid for.
    #[inline]
    pub(crate) fn settled(&self, state: &mut State, vertex: Vertex) {
        let seat = state.table.active;
        if let Stage::Founding(round) = state.table.stage {
            if round == 2 {
                let cards = self.first_cards(&state.table, vertex);
                state.hands[seat.idx()] = state.hands[seat.idx()] + cards;
                state.table.bank = state.table.bank - cards;
            }
            state.table.founded |= VertexSet::one(vertex);
            state.table.phase = Phase::FoundRoad(vertex);
            return;
        }
        pay(state, self.settlement_cost);
        state.table.so_far.built = true;
        self.look_for_win(state);
    }

    /// Builds a settlement, with its harbour.
    pub(crate) fn put_settlement(&self, table: &mut Table, seat: Seat, vertex: Vertex) {
        table.pieces.settle(self.map, seat, vertex);
        table.worth = table.worth.one_more(seat);
        let Table { board, rates, .. } = table;
        self.lower_rates(board, &mut rates[seat.idx()], vertex);
    }

    /// Turns a settlement into a city.
    pub(crate) fn put_city(&self, table: &mut Table, seat: Seat, vertex: Vertex) {
        table.pieces.enlarge(self.map, seat, vertex);
        table.worth = table.worth.one_more(seat);
    }

    /// The bank's rates once there is a building on a vertex. (BASE-33)
    pub(crate) fn lower_rates(
        &self,
        board: &Board,
        rates: &mut [u8; Resource::COUNT],
        vertex: Vertex,
    ) {
        match board.harbour_at(&self.parts, vertex) {
            Some(Some(kind)) => rates[kind.idx()] = 2,
            Some(None) => {
                for rate in rates {
                    *rate = (*rate).min(3);
                }
            }
            None => {}
        }
    }

    /// The next player founds: in seat order, then in reverse order. (BASE-13, BASE-14, BASE-16)
    pub(crate) fn founded<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let table = &mut state.table;
        table.phase = Phase::Found;
        let Stage::Founding(round) = table.stage else { unreachable!("someone founds") };
        let seat = table.active;
        if round == 1 {
            if seat.number() == self.players {
                table.stage = Stage::Founding(2);
            } else {
                table.active = seat.next(self.players);
            }
        } else if seat == Seat::FIRST {
            self.begin_turn(state, Seat::new(self.rules.first_turn), chance);
        } else {
            table.active = Seat::new(seat.number() - 2);
        }
    }

    fn city(&self, state: &mut State, vertex: Vertex) {
        self.place(&mut state.table, Action::City { vertex });
        pay(state, self.city_cost);
        state.table.so_far.built = true;
        self.look_for_win(state);
    }

    fn buy<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        pay(state, self.card_cost);
        let card = usize::from(chance.kind(Draw::Card, &state.deck));
        state.deck[card] -= 1;
        state.cards[state.table.active.idx()][card] += 1;
        state.fresh[card] += 1;
        state.table.so_far.bought += 1;
        state.table.so_far.built = true;
        self.look_for_win(state);
    }

    fn knight(&self, state: &mut State) {
        play(state, Card::Knight);
        let table = &mut state.table;
        let seat = table.active;
        table.phase = Phase::Robber;
        let mine = table.knights[seat.idx()];
        let most = table.army.map_or(self.rules.army.minimum - 1, |army| table.knights[army.idx()]);
        if mine > most && table.army != Some(seat) {
            table.army = Some(seat);
            self.look_for_win(state);
        }
    }

    /// Longest Road after a settlement of a seat that may have cut the roads of others. A cut makes trails shorter, so it changes
    /// nothing unless it is the holder's, or one of those who are tied without a holder. (BASE-61)
    pub(crate) fn roads_were_cut(&self, table: &mut Table, builder: Seat, vertex: Vertex) {
        if table.route_length == 0 {
            return;
        }
        let here = self.map.edges[vertex.idx()];
        let cut = |seat: Seat| {
            let roads = table.pieces.nets[seat.idx()].roads;
            seat != builder && (roads & here).len() > 1
        };
        let matters = match table.route {
            Some(holder) => cut(holder),
            None => Seat::all(self.owners).any(cut),
        };
        if matters {
            self.award_route(table);
        }
    }

    /// Longest Road by all lengths. (BASE-60, BASE-61)
    pub(crate) fn award_route(&self, table: &mut Table) {
        let pieces = table.pieces;
        self.award_longest(table, |seat, most| {
            let roads = pieces.nets[seat.idx()].roads.len();
            if roads < most { 0 } else { pieces.longest_road(self.map, seat) }
        });
    }

    /// The special card for length by all lengths: the holder keeps it in a tie; without a holder a tie leaves it
    /// free. A length that is less than the number it is asked with may be any such length.
    pub(crate) fn award_longest(&self, table: &mut Table, mut length: impl FnMut(Seat, u8) -> u8) {
        let mut most = self.rules.route.minimum - 1;
        let mut longest = 0_u8;
        for seat in Seat::all(self.owners) {
            let length = length(seat, most);
            if length > most {
                (most, longest) = (length, 0);
            }
            if length == most && most >= self.rules.route.minimum {
                longest |= 1 << seat.idx();
            }
        }
        let keeps = table.route.filter(|holder| longest >> holder.idx() & 1 == 1);
        let sole = longest
            .is_power_of_two()
            .then(|| Seat::new(crate::core::chance::first(u64::from(longest))));
        table.route = keeps.or(sole);
        table.route_length = if longest == 0 { 0 } else { most };
    }

    fn offer(&self, table: &mut Table, proposal: Proposal<SEATS_MAX>) {
        table.proposal = proposal;
        table.phase = Phase::Answer(proposal.first_asked(table.current, self.players));
    }

    /// Notes an answer and asks the next, or lets the current player choose. (BASE-32, BASE-35)
    fn answer(&self, table: &mut Table, answer: Answer) {
        let Phase::Answer(seat) = table.phase else { unreachable!("someone was asked") };
        table.phase = match table.proposal.answer(seat, answer, table.current, self.players) {
            Next::Answer(next) => Phase::Answer(next),
            Next::Choose => Phase::Choose,
            Next::Refused => {
                table.so_far.refused += 1;
                Phase::Act
            }
        };
    }
}

/// A trade takes place.
fn settle(state: &mut State, with: Seat) {
    let (give, get) = state.deal_with(with).expect("the rules allow this trade");
    let current = state.table.current.idx();
    state.hands[current] = state.hands[current] - give + get;
    state.hands[with.idx()] = state.hands[with.idx()] - get + give;
    state.table.so_far.deals += 1;
    state.table.phase = Phase::Act;
}

/// The active seat pays the bank. (BASE-44)
#[inline]
pub(crate) fn pay(state: &mut State, cost: Resources) {
    let seat = state.table.active.idx();
    state.hands[seat] = state.hands[seat] - cost;
    state.table.bank = state.table.bank + cost;
}

/// The active seat plays a development card: a knight stays in front of it, others leave the game.
/// (BASE-21, BASE-50, BASE-54)
fn play(state: &mut State, card: Card) {
    let seat = state.table.active.idx();
    state.cards[seat][card.idx()] -= 1;
    state.table.so_far.played = true;
    if card == Card::Knight {
        state.table.knights[seat] += 1;
    } else {
        state.table.gone[card.idx()] += 1;
    }
}

/// Two cards from the bank. (BASE-52)
fn plenty(state: &mut State, first: Resource, second: Option<Resource>) {
    play(state, Card::YearOfPlenty);
    let second = second.map_or(Resources::NONE, Resources::one);
    let cards = Resources::one(first) + second;
    let seat = state.table.active.idx();
    state.hands[seat] = state.hands[seat] + cards;
    state.table.bank = state.table.bank - cards;
}

/// All cards of a kind. (BASE-53)
fn monopoly(state: &mut State, kind: Resource) {
    play(state, Card::Monopoly);
    let active = state.table.active.idx();
    for seat in 0..SEATS_MAX {
        if seat != active {
            let cards = Resources::many(kind, state.hands[seat].get(kind));
            state.hands[seat] = state.hands[seat] - cards;
            state.hands[active] = state.hands[active] + cards;
        }
    }
}

/// A random card of the victim's goes to the active seat. (BASE-24)
pub(crate) fn steal<C: Chance<Draw>>(state: &mut State, victim: Seat, chance: &mut C) {
    let thief = state.table.active;
    let hand = state.hands[victim.idx()];
    let kind = usize::from(chance.kind(Draw::Steal(thief), &hand.counts()));
    let card = Resources::one(Resource::ALL[kind]);
    state.hands[victim.idx()] = hand - card;
    state.hands[thief.idx()] = state.hands[thief.idx()] + card;
}

/// Some cards of one kind for one card. (BASE-33)
fn bank_trade(state: &mut State, give: Resource, want: Resource) {
    let seat = state.table.active.idx();
    let rate = state.table.rates[seat][give.idx()];
    let (given, taken) = (Resources::many(give, rate), Resources::one(want));
    state.hands[seat] = state.hands[seat] - given + taken;
    state.table.bank = state.table.bank + given - taken;
}
