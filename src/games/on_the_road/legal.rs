//! What may be done: the list that agents choose from, and a strict check of any action.

use crate::core::game::{ActionFilter, IllegalAction, ensure};
use crate::core::resources::{Kinds, Resources};
use crate::core::types::actions::Listing;
use crate::core::types::bits::bits;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::{Building, Card, Metropolis, present};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::rules::{SEATS, TradeOrder};
use crate::games::on_the_road::state::{Phase, State, Table};
use crate::parts::trade::{Proposal, check_counter};

/// The order of builds in the list, the most expensive first.
const BUILD_ORDER: [Card; Card::COUNT] = [
    Card::MetropolisRoads,
    Card::MetropolisKnights,
    Card::MetropolisArmy,
    Card::MetropolisRoute,
    Card::City,
    Card::Settlement,
    Card::Knight,
    Card::Road,
];

/// The row's part of a set of cards, one bit for each in the order of builds from the fifth on.
const ROW_ORDER: [u8; 1 << Building::COUNT] = {
    let mut orders = [0; 1 << Building::COUNT];
    let mut set = 0;
    while set < orders.len() {
        let mut place = Metropolis::COUNT;
        while place < Card::COUNT {
            if set >> BUILD_ORDER[place].idx() & 1 == 1 {
                orders[set] |= 1 << place;
            }
            place += 1;
        }
        set += 1;
    }
    orders
};

/// A set of cards with its bits in the order of builds.
#[inline]
fn in_build_order(cards: u8) -> u8 {
    cards >> Building::COUNT | ROW_ORDER[usize::from(cards & 15)]
}

/// The cards of a set whose bits are in the order of builds.
#[inline]
fn cards_of(builds: u8) -> impl Iterator<Item = Card> {
    bits(builds.into()).map(|place| BUILD_ORDER[place])
}

/// Which of some prices a hand covers, one bit for each. Four fill a vector register.
#[inline]
fn covered(prices: &[Resources], hand: Resources) -> u8 {
    let bit = |(place, price): (usize, &Resources)| u8::from(hand.covers(*price)) << place;
    prices.iter().enumerate().map(bit).fold(0, |cards, bit| cards | bit)
}

impl OnTheRoad {
    /// Adds the legal actions. See [`crate::core::game::Game::list`].
    #[inline]
    pub(super) fn list(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        match state.table.phase {
            Phase::Main => self.list_main(state, filter, out),
            Phase::Answer(seat) => self.list_answers(state, seat, filter, out),
            Phase::Choose => self.list_partners(state, out),
            Phase::Charity(seat) => self.list_gifts(state, seat, out),
            Phase::Discard { seat, .. } => {
                let kinds = state.hand(seat).kinds();
                out.each(kinds.len(), kinds.iter().map(|card| Action::Discard { card }));
            }
            Phase::Over(_) => {}
        }
    }

    #[inline]
    fn list_main(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        let table = &state.table;
        let hand = state.hand(table.current);
        out.one(Action::EndTurn);
        let open = self.in_reach(table, table.current);
        let builds = in_build_order(self.affordable(open, hand));
        let build = |card| Action::Build { card, pay: Payment::Exact };
        out.each(builds.count_ones() as usize, cards_of(builds).map(build));
        if filter == ActionFilter::Plain || out.is_done() {
            return;
        }
        if !table.so_far.substituted {
            self.list_swaps(table, hand, open, out);
        }
        if filter == ActionFilter::Full && self.may_offer(table) {
            self.offers.list(self.shown(hand), out);
        }
    }

    /// Builds with a substitution, by card, then by the kind that is replaced. (OTR-42)
    fn list_swaps(&self, table: &Table, hand: Resources, open: u8, out: &mut impl Listing<Action>) {
        let rate = self.rate(table, table.current);
        if hand.at_least(Resources::each(rate)).is_empty() {
            return;
        }
        for card in cards_of(in_build_order(open)) {
            let (replaced, replacing) = self.swaps(card, hand, rate);
            for replaced in replaced.iter() {
                let replacing = replacing.without(replaced);
                let build = |by| Action::Build { card, pay: Payment::Substitute { replaced, by } };
                out.each(replacing.len(), replacing.iter().map(build));
            }
        }
    }

    /// The kinds of a card's price that a hand can replace, and those that it can replace them with: any two of
    /// them that differ.
    #[inline]
    fn swaps(&self, card: Card, hand: Resources, rate: u8) -> (Kinds, Kinds) {
        let cost = self.costs[card.idx()];
        let missing = hand.missing(cost);
        let replaced = match missing.total() {
            0 => cost.kinds(),
            1 => missing.kinds(),
            _ => Kinds::NONE,
        };
        (replaced, hand.at_least(cost + Resources::each(rate)))
    }

    /// Of the cards in reach, those whose full price a hand covers, one bit for each.
    #[inline]
    fn affordable(&self, open: u8, hand: Resources) -> u8 {
        let (row, metropolises) = self.costs.split_at(Building::COUNT);
        let mut cards = covered(row, hand);
        if open >> Building::COUNT != 0 {
            cards |= covered(metropolises, hand) << Building::COUNT;
        }
        open & cards
    }

    /// Which of these cards the current player can build and pay for, one bit for each: those whose builds a
    /// legal list has.
    #[inline]
    pub(super) fn payable(&self, state: &State, filter: ActionFilter, cards: u8) -> u8 {
        let table = &state.table;
        let open = self.in_reach(table, table.current) & cards;
        if open == 0 {
            return 0;
        }
        let hand = state.hand(table.current);
        let exact = self.affordable(open, hand);
        if filter == ActionFilter::Plain || table.so_far.substituted {
            return exact;
        }
        let rate = self.rate(table, table.current);
        if hand.at_least(Resources::each(rate)).is_empty() {
            return exact;
        }
        let swapped = |&card: &Card| {
            let (replaced, replacing) = self.swaps(card, hand, rate);
            replaced.iter().any(|kind| !replacing.without(kind).is_empty())
        };
        let swapped = cards_of(in_build_order(open & !exact)).filter(swapped);
        swapped.fold(exact, |payable, card| payable | 1 << card.idx())
    }

    fn list_answers(
        &self,
        state: &State,
        seat: Seat,
        filter: ActionFilter,
        out: &mut impl Listing<Action>,
    ) {
        let hand = state.hand(seat);
        state.table.proposal.list_answers(hand, out);
        if filter == ActionFilter::Full {
            self.offers.list_counters(hand, out);
        }
    }

    fn list_partners(&self, state: &State, out: &mut impl Listing<Action>) {
        let (proposal, current) = (&state.table.proposal, state.table.current);
        proposal.list_partners(current, self.players, |seat| state.hand(seat), out);
    }

    /// The proposer's hand, as far as it limits what is proposed: it doesn't if bluffs are allowed. (OTR-31)
    #[inline]
    fn shown(&self, hand: Resources) -> Option<Resources> {
        (!self.rules.trade.bluff).then_some(hand)
    }

    fn list_gifts(&self, state: &State, giver: Seat, out: &mut impl Listing<Action>) {
        let kinds = state.hand(giver).kinds();
        let points = state.table.points(self, giver);
        for to in giver.clockwise(self.players) {
            if state.table.points(self, to) < points {
                out.each(kinds.len(), kinds.iter().map(|card| Action::Give { card, to }));
            }
        }
    }

    /// The cards that a seat could build if it could pay, one bit per [`Card`]: kinds in the row, cities with
    /// a settlement to cover, metropolises that it may build with a city to cover. A sides of one price do
    /// not differ, so one stands for all. (OTR-40, OTR-45, OTR-46)
    #[inline]
    pub fn in_reach(&self, table: &Table, seat: Seat) -> u8 {
        let area = &table.areas[seat.idx()];
        let covered = if area.settlements > 0 { 0 } else { 1 << Card::City.idx() };
        let row = present(table.row) & !covered;
        if area.cities == 0 {
            return row;
        }
        let metropolises = self.metropolises_for(table, seat);
        let a_sides = self.a_sides[usize::from(metropolises & !table.b_sides)];
        row | (metropolises & table.b_sides | a_sides) << Building::COUNT
    }

    /// The unbuilt metropolises that a seat may build, one bit for each [`Metropolis`]. (OTR-46)
    #[inline]
    pub fn metropolises_for(&self, table: &Table, seat: Seat) -> u8 {
        table.unbuilt & self.rules.metropolis.allowed[seat.idx()].bits()
    }

    /// The position of a seat's substitution rate: by 1, 2, 3 and 4 or more roads. (OTR-42)
    #[inline]
    pub fn rate_idx(&self, table: &Table, seat: Seat) -> usize {
        let _ = self;
        usize::from(table.areas[seat.idx()].roads.clamp(1, 4)) - 1
    }

    /// Cards with which a seat replaces one. (OTR-42)
    #[inline]
    fn rate(&self, table: &Table, seat: Seat) -> u8 {
        self.rules.substitution.rates[self.rate_idx(table, seat)]
    }

    /// Whether the current player may still propose. (OTR-30, OTR-32)
    #[inline]
    pub fn may_offer(&self, table: &Table) -> bool {
        let so_far = &table.so_far;
        let trade = &self.rules.trade;
        !so_far.traded
            && so_far.proposals < trade.proposals_max
            && (trade.order == TradeOrder::Any || !so_far.built)
    }

    /// What the current player would give to and get from a seat that accepted or countered, if both hold
    /// it.
    pub fn deal_with(&self, state: &State, with: Seat) -> Option<(Resources, Resources)> {
        let _ = self;
        let table = &state.table;
        table.proposal.deal_with(with, table.current, |seat| state.hand(seat))
    }

    /// Whether a seat has fewer points than another.
    #[inline]
    pub(super) fn is_poorer(&self, table: &Table, seat: Seat, than: Seat) -> bool {
        table.points(self, seat) < table.points(self, than)
    }

    /// Whether the rules allow an action here. See [`crate::core::game::Game::permits`].
    ///
    /// # Errors
    /// Says what forbids it.
    pub(super) fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        let table = &state.table;
        match (table.phase, action) {
            (Phase::Main, Action::EndTurn)
            | (Phase::Answer(_), Action::Refuse)
            | (Phase::Choose, Action::Decline) => Ok(()),
            (Phase::Main, Action::Build { card, pay }) => self.allow_build(state, card, pay),
            (Phase::Main, Action::Offer { to, give, want }) => {
                ensure(self.may_offer(table), "no proposal is left in this turn")?;
                let hand = self.shown(state.hand(table.current));
                Proposal::<SEATS>::new(to, give, want).check(table.current, hand, self.players)
            }
            (Phase::Answer(seat), Action::Accept) => {
                let held = state.hand(seat).covers(table.proposal.want.cards());
                ensure(held, "who accepts must hold what is asked")
            }
            (Phase::Answer(seat), Action::Counter { give, want }) => {
                check_counter(give, want, state.hand(seat))
            }
            (Phase::Choose, Action::Settle { with }) => {
                let seated = with.idx() < usize::from(self.players);
                let deal = seated && self.deal_with(state, with).is_some();
                ensure(deal, "no answer of that seat can be carried out")
            }
            (Phase::Charity(seat), Action::Give { card, to }) => {
                let seated = to.idx() < usize::from(self.players);
                let poorer = seated && self.is_poorer(table, to, seat);
                ensure(poorer, "Charity goes to a player with fewer points")?;
                ensure(state.hand(seat).get(card) > 0, "the giver holds no such card")
            }
            (Phase::Discard { seat, .. }, Action::Discard { card }) => {
                ensure(state.hand(seat).get(card) > 0, "the hand holds no such card")
            }
            (phase, action) => {
                Err(IllegalAction(format!("`{action}` does not answer what is asked ({phase:?})")))
            }
        }
    }

    fn allow_build(&self, state: &State, card: Card, pay: Payment) -> Result<(), IllegalAction> {
        let table = &state.table;
        let area = &table.areas[table.current.idx()];
        if let Some(metropolis) = card.metropolis() {
            ensure(table.unbuilt & metropolis.bit() != 0, "that metropolis is not to be had")?;
            let allowed = self.metropolises_for(table, table.current) & metropolis.bit() != 0;
            ensure(allowed, "the rule set does not allow this seat that metropolis")?;
            ensure(area.cities > 0, "a metropolis covers an uncovered city")?;
        } else {
            ensure(table.row[card.idx()] > 0, "no such card lies in the row")?;
            ensure(card != Card::City || area.settlements > 0, "a city covers a settlement")?;
        }
        if let Payment::Substitute { replaced, by } = pay {
            ensure(!table.so_far.substituted, "the turn's substitution is used")?;
            ensure(replaced != by, "a kind can't replace itself")?;
            let asked = self.costs[card.idx()].get(replaced) > 0;
            ensure(asked, "the price does not ask for the card replaced")?;
        }
        let cost = self.cost(table, card, pay);
        ensure(state.hand(table.current).covers(cost), "the hand does not cover the price")
    }

    /// What a build costs when paid in this way; the substitution must be of the price.
    #[inline]
    pub fn cost(&self, table: &Table, card: Card, pay: Payment) -> Resources {
        let cost = self.costs[card.idx()];
        match pay {
            Payment::Exact => cost,
            Payment::Substitute { replaced, by } => {
                let rate = self.rate(table, table.current);
                cost - Resources::one(replaced) + Resources::many(by, rate)
            }
        }
    }

    /// Cards that a seat owes to the Robber. (OTR-72)
    #[inline]
    pub(super) fn owed(&self, state: &State, seat: Seat) -> u8 {
        let hand = state.hands[seat.idx()].size();
        let safe = self.rules.robber.hand_limit + state.table.areas[seat.idx()].knights;
        if hand > safe { hand / 2 } else { 0 }
    }
}
