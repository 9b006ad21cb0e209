//! What may be done: the list that agents choose from, and a strict check of any action.

use crate::core::game::{ActionFilter, IllegalAction, ensure};
use crate::core::resources::{Kinds, Resource, Resources};
use crate::core::types::actions::{Choices, Listing, made_of};
use crate::core::types::bits::{Rows, bits};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::{Building, Card, Metropolis, present};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::rules::{SEATS, TradeOrder};
use crate::games::on_the_road::state::{Phase, State, Table};
use crate::parts::offers::{Answers, Listed};
use crate::parts::trade::{Partners, Proposal, check_counter};

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

/// The ways to substitute in a price: the kinds of it that a hand can replace, and those that it can replace them
/// with. Any two that differ are one.
#[derive(Debug, Clone, Copy)]
struct Swaps {
    replaced: Kinds,
    replacing: Kinds,
}

impl Swaps {
    #[inline]
    fn count(self) -> usize {
        let alike = self.replaced.and(self.replacing);
        self.replaced.len() * self.replacing.len() - alike.len()
    }

    /// The kind that is replaced, and the [bit](Kinds::of_bit) of the kind that replaces it.
    #[inline]
    fn pairs(self) -> impl Iterator<Item = (Resource, usize)> {
        let by = move |kind| (kind, self.replacing.without(kind).bits());
        Rows::new(self.replaced.iter().map(by))
    }
}

/// What the current player may do on its turn. Sets of cards have their bits in the order of builds.
struct Acts<'a> {
    game: &'a OnTheRoad,
    hand: Resources,
    /// Cards whose full price the hand covers.
    exact: u8,
    /// Cards in whose price it may substitute at this rate, and how many ways there are.
    open: u8,
    rate: u8,
    swaps: usize,
    offers: Option<Listed<'a, Action>>,
}

/// Adds the end of the turn, and builds for the full price.
#[inline]
fn list_exact(exact: u8, out: &mut impl Listing<Action>) {
    out.one(Action::EndTurn);
    let build = |card| Action::Build { card, pay: Payment::Exact };
    out.each(exact.count_ones() as usize, cards_of(exact).map(build));
}

impl Choices<Action> for Acts<'_> {
    #[inline]
    fn list(&self, out: &mut impl Listing<Action>) {
        list_exact(self.exact, out);
        if self.swaps > 0 {
            out.part(self.swaps, |out| self.list_swaps(out));
        }
        if let Some(offers) = &self.offers {
            offers.list(out);
        }
    }
}

impl Acts<'_> {
    /// Builds with a substitution, by card, then by the kind that is replaced. (OTR-42)
    #[inline]
    fn list_swaps(&self, out: &mut impl Listing<Action>) {
        for card in cards_of(self.open) {
            let swaps = self.game.swaps(card, self.hand, self.rate);
            let build = |(replaced, by)| Action::Build {
                card,
                pay: Payment::Substitute { replaced, by: Kinds::of_bit(by) },
            };
            out.each(swaps.count(), made_of(swaps.pairs(), build));
            if out.is_done() {
                return;
            }
        }
    }
}

/// Which card a seat gives for Charity, or discards to the Robber.
struct Losses<'a> {
    game: &'a OnTheRoad,
    state: &'a State,
}

impl Choices<Action> for Losses<'_> {
    #[inline]
    fn list(&self, out: &mut impl Listing<Action>) {
        let Losses { game, state } = *self;
        match state.table.phase {
            Phase::Discard { seat, .. } => {
                let kinds = state.hand(seat).kinds();
                out.each(kinds.len(), kinds.iter().map(|card| Action::Discard { card }));
            }
            Phase::Charity(giver) => {
                let kinds = state.hand(giver).kinds();
                for to in giver.clockwise(game.players) {
                    if game.is_poorer(&state.table, to, giver) {
                        out.each(kinds.len(), kinds.iter().map(|card| Action::Give { card, to }));
                    }
                }
            }
            _ => {}
        }
    }
}

impl OnTheRoad {
    /// Adds the legal actions. See [`crate::core::game::Game::list`].
    #[inline]
    pub(super) fn list(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        match state.table.phase {
            Phase::Main if filter == ActionFilter::Plain => list_exact(self.exact(state), out),
            Phase::Main => self.acts(state, filter).list(out),
            Phase::Answer(seat) => self.answers(state, seat, filter).list(out),
            Phase::Choose => self.partners(state).list(out),
            Phase::Charity(_) | Phase::Discard { .. } | Phase::Over(_) => {
                Losses { game: self, state }.list(out);
            }
        }
    }

    /// One of the legal actions. See [`crate::core::game::Game::draw`].
    #[inline]
    pub(super) fn draw(
        &self,
        state: &State,
        filter: ActionFilter,
        place: impl FnOnce(usize) -> usize,
    ) -> (Action, usize) {
        match state.table.phase {
            Phase::Main => self.acts(state, filter).draw(place),
            Phase::Answer(seat) => self.answers(state, seat, filter).draw(place),
            Phase::Choose => self.partners(state).draw(place),
            Phase::Charity(_) | Phase::Discard { .. } | Phase::Over(_) => {
                Losses { game: self, state }.draw(place)
            }
        }
    }

    /// What the current player can build for the full price, in the order of builds.
    #[inline]
    fn exact(&self, state: &State) -> u8 {
        let current = state.table.current;
        in_build_order(self.affordable(self.in_reach(&state.table, current), state.hand(current)))
    }

    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn acts(&self, state: &State, filter: ActionFilter) -> Acts<'_> {
        let table = &state.table;
        let hand = state.hand(table.current);
        let open = self.in_reach(table, table.current);
        let exact = in_build_order(self.affordable(open, hand));
        let mut acts = Acts { game: self, hand, exact, rate: 0, open: 0, swaps: 0, offers: None };
        if filter != ActionFilter::Plain && !table.so_far.substituted {
            self.find_swaps(&mut acts, table, open);
        }
        if filter == ActionFilter::Full && self.may_offer(table) {
            acts.offers = Some(self.offers.of(self.shown(hand)));
        }
        acts
    }

    /// Adds the cards in whose price the hand may substitute. Out of line, so that lists without them stay short.
    #[inline(never)]
    fn find_swaps(&self, acts: &mut Acts<'_>, table: &Table, open: u8) {
        acts.rate = self.rate(table, table.current);
        if acts.hand.at_least(Resources::each(acts.rate)).is_empty() {
            return;
        }
        acts.open = in_build_order(open);
        let ways = |card| self.swaps(card, acts.hand, acts.rate).count();
        acts.swaps = cards_of(acts.open).map(ways).sum();
    }

    #[inline]
    fn answers(&self, state: &State, seat: Seat, filter: ActionFilter) -> Answers<'_, Action> {
        self.offers.answers(&state.table.proposal, state.hand(seat), filter)
    }

    #[inline]
    fn partners(&self, state: &State) -> Partners {
        let table = &state.table;
        table.proposal.partners(table.current, self.players, |seat| state.hand(seat))
    }

    /// The ways to substitute in a card's price.
    #[inline]
    fn swaps(&self, card: Card, hand: Resources, rate: u8) -> Swaps {
        let cost = self.costs[card.idx()];
        let missing = hand.missing(cost);
        let replaced = match missing.total() {
            0 => cost.kinds(),
            1 => missing.kinds(),
            _ => Kinds::NONE,
        };
        Swaps { replaced, replacing: hand.at_least(cost + Resources::each(rate)) }
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
        let swapped = |card| u8::from(self.swaps(card, hand, rate).count() > 0) << card.idx();
        let others = cards_of(in_build_order(open & !exact));
        others.fold(exact, |payable, card| payable | swapped(card))
    }

    /// The proposer's hand, as far as it limits what is proposed: it doesn't if bluffs are allowed. (OTR-31)
    #[inline]
    fn shown(&self, hand: Resources) -> Option<Resources> {
        (!self.rules.trade.bluff).then_some(hand)
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

    /// Cards with which a seat replaces one. (OTR-42)
    #[inline]
    fn rate(&self, table: &Table, seat: Seat) -> u8 {
        self.rules.substitution.rates[table.rate_idx(seat)]
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
                let deal = seated && state.deal_with(with).is_some();
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
