//! What may be done: the list that agents choose from, and a strict check of any action.

use crate::core::game::{ActionFilter, IllegalAction, ensure};
use crate::core::resources::{Kinds, Resource, Resources};
use crate::core::types::actions::{Actions, Choices, Listing, made_of};
use crate::core::types::bits::bits;
use crate::core::types::seat::Seat;
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::payments::{WAYS_MAX, Ways, groups};
use crate::games::struggle::rules::{Extra, Moment, Per, Types};
use crate::games::struggle::state::{Area, Phase, State, Table};
use crate::parts::bundles::Bundle;
use arrayvec::ArrayVec;

/// The order of builds in the list: what brings most points first.
const BUILD_ORDER: [Card; Card::COUNT] = [
    Card::TownHall,
    Card::Castle,
    Card::MerchantsGuild,
    Card::Church,
    Card::Library,
    Card::University,
    Card::City,
    Card::Settlement,
    Card::Knight,
    Card::Road,
];

/// The bit of a card's place in [`BUILD_ORDER`]; that of an expansion is [`Expansion::bit`].
#[inline]
const fn bit(card: Card) -> u16 {
    let (idx, others) = (card.idx(), Card::COUNT - Expansion::COUNT);
    1 << if idx < others { Card::COUNT - 1 - idx } else { idx - others }
}

const _: () = {
    let mut place = 0;
    while place < Card::COUNT {
        assert!(bit(BUILD_ORDER[place]) == 1 << place, "cards and bits have the same order");
        place += 1;
    }
};

/// Where a road or knight comes from. (SFC-60)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The stack.
    Stack,
    /// The row of another player.
    Row(Seat),
}

/// The most builds of a list.
const BUILDS_MAX: usize = Card::COUNT * WAYS_MAX;

/// What a player may do before it draws, found out once.
struct Acts<'a> {
    game: &'a Struggle,
    state: &'a State,
    filter: ActionFilter,
    hand: Resources,
    builds: &'a [(Card, Resources)],
}

impl Choices<Action> for Acts<'_> {
    #[inline]
    fn list(&self, out: &mut impl Listing<Action>) {
        let Acts { game, state, filter, hand, builds } = *self;
        let table = &state.table;
        out.one(Action::Draw);
        let build = |&(card, pay): &(Card, _)| Action::Build { card, pay: Bundle::new(pay) };
        out.each(builds.len(), made_of(builds.iter(), build));
        if out.is_done() {
            return;
        }
        if game.may_rob(table) {
            for from in Seat::all(game.players).filter(|&seat| game.is_robbable(state, seat)) {
                out.one(Action::Rob { from });
            }
        }
        if !table.so_far.building {
            game.list_trades(state, hand, filter, out);
        }
    }
}

/// What is asked besides.
struct Others<'a> {
    game: &'a Struggle,
    state: &'a State,
}

impl Choices<Action> for Others<'_> {
    #[inline]
    fn list(&self, out: &mut impl Listing<Action>) {
        let Others { game, state } = *self;
        let table = &state.table;
        let hand = state.hands[table.current.idx()];
        match table.phase {
            Phase::Take(_) => each_kind(table.market.kinds(), out, |card| Action::Take { card }),
            Phase::Choose => {
                let kinds =
                    partner(table).map_or(Kinds::NONE, |seat| state.hands[seat.idx()].kinds());
                each_kind(kinds, out, |card| Action::Take { card });
            }
            Phase::Return(_) => {
                let kinds = game.returnable(table, hand).kinds();
                each_kind(kinds, out, |card| Action::Return { card });
            }
            Phase::Flip => {
                out.one(Action::Keep);
                out.one(Action::Flip);
            }
            Phase::Discard { seat, .. } => {
                let kinds = state.hands[seat.idx()].kinds();
                each_kind(kinds, out, |card| Action::Discard { card });
            }
            Phase::Extra(left) => {
                out.one(Action::EndTurn);
                let most = game.extra_at_once(left);
                out.each(most.into(), (1..=most).map(|cards| Action::Extra { cards }));
            }
            Phase::Act | Phase::Over(_) => {}
        }
    }
}

impl Struggle {
    /// Adds the legal actions. See [`crate::core::game::Game::list`].
    #[inline]
    pub(super) fn list(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        match state.table.phase {
            Phase::Act => {
                let mut builds = ArrayVec::new();
                self.acts(state, filter, &mut builds).list(out);
            }
            _ => Others { game: self, state }.list(out),
        }
    }

    /// One of the legal actions. See [`crate::core::game::Game::draw`].
    #[inline]
    pub(super) fn draw_action(
        &self,
        state: &State,
        filter: ActionFilter,
        place: impl FnOnce(usize) -> usize,
    ) -> (Action, usize) {
        match state.table.phase {
            Phase::Act => {
                let mut builds = ArrayVec::new();
                self.acts(state, filter, &mut builds).draw(place)
            }
            _ => Others { game: self, state }.draw(place),
        }
    }

    /// What the current player may do before it draws; `builds` is given room for its builds.
    #[inline]
    fn acts<'a>(
        &'a self,
        state: &'a State,
        filter: ActionFilter,
        builds: &'a mut ArrayVec<(Card, Resources), BUILDS_MAX>,
    ) -> Acts<'a> {
        let table = &state.table;
        let hand = state.hands[table.current.idx()];
        let (rate, saves) = (self.rules.substitution.rate, self.saves(table));
        let plain = !saves && hand.at_least(Resources::each(rate)).is_empty();
        for card in self.payable(table, hand) {
            let price = &self.prices[card.idx()];
            if plain {
                builds.push((card, price.full));
                continue;
            }
            let mut ways = Ways::new();
            price.list_ways(hand, rate, saves, &mut ways);
            if filter == ActionFilter::Plain {
                self.keep_usual(card, &mut ways);
            }
            builds.extend(ways.iter().map(|&pay| (card, pay)));
        }
        Acts { game: self, state, filter, hand, builds }
    }

    /// The cards that the current player can build and pay for from a hand, in the order of the list.
    #[inline]
    pub(super) fn payable(&self, table: &Table, hand: Resources) -> impl Iterator<Item = Card> {
        bits(self.payable_set(table, hand).into()).map(|place| BUILD_ORDER[place])
    }

    /// The same, one bit for each place in [`BUILD_ORDER`].
    fn payable_set(&self, table: &Table, hand: Resources) -> u16 {
        let (rate, saves) = (self.rules.substitution.rate, self.saves(table));
        let open = self.open_set(table);
        // What the hand pays in full is looked up for all cards at once.
        let enough = std::iter::zip(&self.enough, hand.counts());
        let mut set = enough.fold(open, |set, (cards, count)| set & cards[usize::from(count)]);
        let most = groups(hand, rate).total() + u8::from(saves);
        if most > 0 {
            for place in bits((open & !set).into()) {
                let price = &self.prices[BUILD_ORDER[place].idx()];
                // The cheapest question first: most hands lack more than they can replace.
                let lacks = hand.missing(price.full).total();
                if lacks <= most && price.is_payable(hand, rate, saves) {
                    set |= 1 << place;
                }
            }
        }
        for card in [Card::Road, Card::Knight] {
            if set & bit(card) != 0 && table.left(card) == 0 && !self.has_source(table, card) {
                set ^= bit(card);
            }
        }
        set
    }

    /// Of the ways to pay, those that replace nothing; if there are none, the first.
    fn keep_usual(&self, card: Card, ways: &mut Ways) {
        let full = self.price(card);
        let plain = ways.iter().filter(|pay| full.covers(**pay)).count();
        if plain == 0 {
            ways.truncate(1);
        } else {
            ways.retain(|pay| full.covers(*pay));
        }
    }

    /// Lots of every size with every partner. A lot with the stack or the market does nothing that single cards
    /// don't, so the shortest list has single ones only. (SFC-30)
    #[inline]
    fn list_trades(
        &self,
        state: &State,
        hand: Resources,
        filter: ActionFilter,
        out: &mut impl Listing<Action>,
    ) {
        let table = &state.table;
        let left = table.trades_left();
        if left == 0 {
            return;
        }
        let lots = |with, most: u8, choose| {
            (1..=most).map(move |cards| Action::Trade { with, cards, choose })
        };
        let most_alike = if filter == ActionFilter::Plain { 1 } else { left };
        for with in [Partner::Stack, Partner::Market] {
            let most = most_alike.min(self.lot_max(state, hand, with));
            out.each(most.into(), lots(with, most, false));
        }
        for seat in Seat::all(self.players) {
            let with = Partner::Seat(seat);
            let most = left.min(self.lot_max(state, hand, with));
            out.each(most.into(), lots(with, most, false));
            if most > 0 && table.may_choose() {
                out.each(most.into(), lots(with, most, true));
            }
        }
    }

    /// The largest lot with a partner, trades left aside; 0 if it is no partner now. (SFC-30, SFC-32, SFC-33)
    #[inline]
    fn lot_max(&self, state: &State, hand: Resources, with: Partner) -> u8 {
        let table = &state.table;
        let cards = match with {
            Partner::Stack => hand.total(),
            _ if table.own().roads == 0 => 0,
            Partner::Market if self.rules.market.same => table.market.total(),
            Partner::Market => table.market.total().min(hand.total()),
            Partner::Seat(seat) if seat == table.current => 0,
            Partner::Seat(seat) => state.hands[seat.idx()].total(),
        };
        cards.min(self.rules.trade.lot_max)
    }

    /// What may be returned to the partner of a trade. (SFC-32)
    #[inline]
    fn returnable(&self, table: &Table, hand: Resources) -> Resources {
        if self.rules.market.same { hand } else { table.lot.taken.missing(hand) }
    }

    /// Whether the merchants' guild may take a card now. (SFC-71)
    #[inline]
    fn may_rob(&self, table: &Table) -> bool {
        let so_far = &table.so_far;
        let in_time = self.rules.guild.moment != Moment::Trade || !so_far.building;
        table.own().has(Expansion::MerchantsGuild) && !so_far.robbed && in_time
    }

    /// Whether the guild may take a card from a seat. (SFC-71)
    #[inline]
    fn is_robbable(&self, state: &State, seat: Seat) -> bool {
        let table = &state.table;
        seat != table.current
            && !state.hands[seat.idx()].is_empty()
            && table.points(self, seat) >= table.points(self, table.current)
    }

    /// Whether the university saves a card of the next build. (SFC-72)
    #[inline]
    pub fn saves(&self, table: &Table) -> bool {
        table.own().has(Expansion::University)
            && (!table.so_far.saved || self.rules.university.per == Per::Build)
    }

    /// The most further cards that one decision draws. (SFC-80)
    #[inline]
    fn extra_at_once(&self, left: u8) -> u8 {
        match self.rules.draw.extra {
            Extra::OneByOne => left.min(1),
            Extra::AtOnce => left,
        }
    }

    /// The bit of a card's type in [`SoFar::built`](super::state::SoFar::built). (SFC-42)
    #[inline]
    pub(super) fn type_bit(&self, card: Card) -> u8 {
        match card {
            Card::Road => 1,
            Card::Knight => 1 << 1,
            Card::Settlement => 1 << 2,
            Card::City if self.rules.build.types == Types::Four => 1 << 2,
            Card::City => 1 << 3,
            _ => 1 << 4,
        }
    }

    /// Whether the current player could build a card if it could pay. (SFC-42 to SFC-46, SFC-60)
    #[inline]
    pub fn is_in_reach(&self, table: &Table, card: Card) -> bool {
        self.open_set(table) & bit(card) != 0 && self.has_source(table, card)
    }

    /// All such cards, wherever roads and knights come from; one bit for each place in [`BUILD_ORDER`].
    #[inline]
    fn open_set(&self, table: &Table) -> u16 {
        let own = table.own();
        let left = |card, is_left: bool| if is_left { bit(card) } else { 0 };
        let mut set = bit(Card::Road)
            | bit(Card::Knight)
            | left(Card::Settlement, table.settlements > 0)
            | left(Card::City, own.settlements > 0);
        if own.cities > 0 {
            let allowed = self.rules.expansion.allowed[table.current.idx()].bits();
            let in_stack = std::iter::zip(Expansion::ALL, table.expansions);
            let in_stack =
                in_stack.fold(0, |set, (kind, count)| set | left(kind.card(), count > 0));
            set |= in_stack & u16::from(allowed & !own.expansions);
        }
        set & self.unbuilt[usize::from(table.so_far.built)]
    }

    /// Fills in the tables of the cards that a hand pays for, and of those that a turn still allows. (SFC-42)
    pub(super) fn note_builds(&mut self) {
        for card in Card::ALL {
            let price = self.price(card);
            for kind in Resource::ALL {
                let enough = self.enough[kind.idx()].iter_mut().skip(price.get(kind).into());
                enough.for_each(|cards| *cards |= bit(card));
            }
            let own_type = usize::from(self.type_bit(card));
            let others = self.unbuilt.iter_mut().enumerate();
            let others = others.filter(|(built, _)| built & own_type == 0);
            others.for_each(|(_, cards)| *cards |= bit(card));
        }
    }

    /// Whether a road or knight is to be had, if the card is one. (SFC-60)
    #[inline]
    fn has_source(&self, table: &Table, card: Card) -> bool {
        let mut rows = table.areas[..usize::from(self.players)].iter().enumerate();
        !matches!(card, Card::Road | Card::Knight)
            || table.left(card) > 0
            || self.rules.build.in_vain
            || rows.any(|(seat, area)| seat != table.current.idx() && self.can_lose(area, card))
    }

    /// Where the current player gets a road or knight from; nothing if there is none to be had. (SFC-60)
    #[inline]
    pub fn source(&self, table: &Table, card: Card) -> Option<Source> {
        if table.left(card) > 0 {
            return Some(Source::Stack);
        }
        let mut others = self.in_destiny_order(table);
        others.find(|seat| self.can_lose(&table.areas[seat.idx()], card)).map(Source::Row)
    }

    /// The other seats, the next one as the destiny card points first. (SFC-60)
    #[inline]
    pub fn in_destiny_order(&self, table: &Table) -> impl Iterator<Item = Seat> + Clone {
        let (players, current, clockwise) = (self.players, table.current, table.clockwise);
        let steps = (1..players).map(move |step| if clockwise { step } else { players - step });
        steps.map(move |step| current.ahead(step, players))
    }

    /// Whether the topmost road or knight of a row may be taken. (SFC-62)
    #[inline]
    pub fn can_lose(&self, area: &Area, card: Card) -> bool {
        let (row, guard, safe) = match card {
            Card::Road => (area.roads, Expansion::Castle, self.rules.protection.roads),
            _ => (area.knights, Expansion::Church, self.rules.protection.knights),
        };
        row > if area.has(guard) { safe } else { 0 }
    }

    /// Whether the rules allow an action here. See [`crate::core::game::Game::permits`].
    ///
    /// # Errors
    /// Says what forbids it.
    pub(super) fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        let table = &state.table;
        match (table.phase, action) {
            (Phase::Act, Action::Build { card, pay }) => self.allow_build(state, card, pay.cards()),
            (Phase::Act, Action::Trade { with, cards, choose }) => {
                self.allow_trade(state, with, cards, choose)
            }
            _ => {
                // Everything else is listed, whatever the filter.
                let mut list = Actions::new();
                self.list(state, ActionFilter::Plain, &mut list);
                let phase = table.phase;
                let why = || format!("`{action}` is not among the choices here ({phase:?})");
                if list.contains(&action) { Ok(()) } else { Err(IllegalAction(why())) }
            }
        }
    }

    fn allow_build(&self, state: &State, card: Card, pay: Resources) -> Result<(), IllegalAction> {
        let table = &state.table;
        ensure(self.is_in_reach(table, card), "that card is not to be had now")?;
        let saved = self.prices[card.idx()].saved(pay, self.rules.substitution.rate);
        let fits = saved.is_some_and(|saved| !saved || self.saves(table));
        ensure(fits, "that is no payment of the price")?;
        let hand = state.hands[table.current.idx()];
        ensure(hand.covers(pay), "the hand does not cover the payment")
    }

    fn allow_trade(
        &self,
        state: &State,
        with: Partner,
        cards: u8,
        choose: bool,
    ) -> Result<(), IllegalAction> {
        let table = &state.table;
        ensure(!table.so_far.building, "trade comes before building")?;
        ensure(cards > 0 && cards <= table.trades_left(), "not that many cards may be traded")?;
        let seated = match with {
            Partner::Seat(seat) => seat.idx() < usize::from(self.players),
            Partner::Stack | Partner::Market => !choose,
        };
        ensure(seated, "no such partner")?;
        ensure(!choose || table.may_choose(), "no library chooses a card")?;
        let hand = state.hands[table.current.idx()];
        ensure(cards <= self.lot_max(state, hand, with), "no lot of that size with that partner")
    }
}

/// The player that the current one trades with.
#[inline]
pub(super) fn partner(table: &Table) -> Option<Seat> {
    match table.lot.with {
        Partner::Seat(seat) => Some(seat),
        Partner::Stack | Partner::Market => None,
    }
}

#[inline]
fn each_kind(kinds: Kinds, out: &mut impl Listing<Action>, action: impl FnMut(Resource) -> Action) {
    out.each(kinds.len(), kinds.iter().map(action));
}
