//! What may be done: the list that agents choose from, and a strict check of any action.

use crate::core::game::{ActionFilter, IllegalAction, ensure};
use crate::core::resources::{Kinds, Resource, Resources};
use crate::core::types::actions::{Actions, Choices, Listing, made_of};
use crate::core::types::bits::Rows;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::{Card, Cards};
use crate::parts::island::rules::{Order, Steal};
use crate::parts::island::state::{CITIES, Phase, ROADS, SETTLEMENTS, Stage, State, Table};
use crate::parts::offers::Answers;
use crate::parts::pieces::{Pieces, Yields};
use crate::parts::places::{EdgeSet, Hex, HexSet, Vertex, VertexSet};
use crate::parts::trade::{Partners, Proposal, check_counter};

/// The most trades with players in a turn: no match comes near it, but a match must end. (BASE-30)
pub const DEALS_MAX: u8 = 100;

/// Where pieces can be built.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Builds {
    pub cities: VertexSet,
    pub settlements: VertexSet,
    pub roads: EdgeSet,
}

/// What a seat could act with in a part of its turn: one word, so that one look at it says whether there is
/// anything. Its lowest bits are the constants below, the others kinds that the seat can give to the bank.
#[derive(Debug, Clone, Copy)]
struct Means(u64);

impl Means {
    /// It has development cards of a kind that is played.
    const CARDS: u64 = 1;
    /// Its hand pays for something.
    const PAYS: u64 = 1 << 1;
    /// It may make an offer.
    const OFFERS: u64 = 1 << 2;

    #[inline]
    const fn has(self, what: u64) -> bool {
        self.0 & what != 0
    }

    /// Kinds that it can give to the bank.
    #[inline]
    const fn gives(self) -> Kinds {
        Kinds::of_bits(self.0)
    }
}

/// To roll, or to end a part of a turn.
#[inline]
fn first_act(table: &Table) -> Action {
    if table.stage == Stage::Roll { Action::Roll } else { Action::EndTurn }
}

/// What the active seat may do in a part of a turn.
struct Acts<'a> {
    game: &'a Island,
    state: &'a State,
    builds: Builds,
    /// Whether it may buy a development card.
    buys: bool,
    means: Means,
}

impl Choices<Action> for Acts<'_> {
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn list(&self, out: &mut impl Listing<Action>) {
        let Acts { game, state, builds, means, .. } = self;
        out.one(first_act(&state.table));
        let pieces = builds.cities.len() + builds.settlements.len() + builds.roads.len();
        out.part(usize::from(pieces) + usize::from(self.buys), |out| {
            let cities = made_of(builds.cities.iter(), |vertex| Action::City { vertex });
            out.each(builds.cities.len().into(), cities);
            list_settlements(builds.settlements, out);
            if self.buys {
                out.one(Action::Buy);
            }
            list_roads(builds.roads, out);
        });
        if means.has(Means::CARDS) {
            list_cards(state, out);
        }
        list_bank_trades(&state.table, means.gives(), out);
        if means.has(Means::OFFERS) {
            game.offers.list(Some(state.hands[state.table.active.idx()]), out);
        }
    }
}

/// What may be done outside of the choices of a turn.
struct Others<'a> {
    game: &'a Island,
    state: &'a State,
    filter: ActionFilter,
}

impl Choices<Action> for Others<'_> {
    fn list(&self, out: &mut impl Listing<Action>) {
        self.game.list_others(self.state, self.filter, out);
    }
}

/// What the robber may do.
struct Raid<'a> {
    pieces: &'a Pieces,
    /// Where it may go.
    places: HexSet,
    /// Whom it may rob.
    robbable: Yields,
    /// Where it may rob nobody.
    quiet: HexSet,
    /// How many moves that makes.
    count: u8,
}

impl Choices<Action> for Raid<'_> {
    /// Where the robber may go, and whom it may rob there, by hex; nobody comes first. (BASE-24)
    #[inline]
    fn list(&self, out: &mut impl Listing<Action>) {
        let victims = |hex: Hex| {
            let victims = self.pieces.yields[hex.idx()].only(self.robbable).bits();
            // The lowest bit stands for nobody; no seat has it.
            (hex, u64::from(victims | u32::from(self.quiet.contains(hex))))
        };
        let rob =
            |(hex, bit)| Action::Robber { hex, victim: (bit > 0).then(|| Yields::of_bit(bit)) };
        out.each(self.count.into(), made_of(Rows::new(self.places.iter().map(victims)), rob));
    }
}

impl Island {
    /// Adds the legal actions. See [`crate::core::game::Game::list`].
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    pub(crate) fn list(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        // Most decisions: apart, so that the branch is foreseen.
        if state.table.phase == Phase::Act {
            self.acts(state, self.means(state, filter)).list(out);
        } else {
            self.list_others(state, filter, out);
        }
    }

    /// One of the legal actions. See [`crate::core::game::Game::draw`].
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    pub(crate) fn draw(
        &self,
        state: &State,
        filter: ActionFilter,
        place: impl FnOnce(usize) -> usize,
    ) -> (Action, usize) {
        match state.table.phase {
            Phase::Act => {
                let means = self.means(state, filter);
                // More than half of the time there is one action.
                if means.0 == 0 {
                    (first_act(&state.table), 1)
                } else {
                    self.draw_act(state, means, place)
                }
            }
            Phase::Robber => self.raid(state, self.map.all_hexes()).draw(place),
            Phase::Answer(seat) => self.answers(state, seat, filter).draw(place),
            Phase::Choose => self.partners(state).draw(place),
            _ => Others { game: self, state, filter }.draw(place),
        }
    }

    /// What may be done outside of the choices of a turn.
    #[inline(never)]
    fn list_others(&self, state: &State, filter: ActionFilter, out: &mut impl Listing<Action>) {
        let table = &state.table;
        match table.phase {
            Phase::Found => list_settlements(table.pieces.open, out),
            Phase::FoundRoad(vertex) => list_roads(self.roads_at(table, vertex), out),
            Phase::Discard { seat, .. } => {
                let left = (state.hands[seat.idx()] - state.chosen[seat.idx()]).kinds();
                out.each(left.len(), left.iter().map(|card| Action::Discard { card }));
            }
            Phase::Robber => self.list_raid(state, self.map.all_hexes(), out),
            Phase::FreeRoads(_) => {
                list_roads(table.pieces.nets[table.active.idx()].frontier, out);
                out.one(Action::Stop);
            }
            Phase::Answer(seat) => self.answers(state, seat, filter).list(out),
            Phase::Choose => self.partners(state).list(out),
            Phase::Act | Phase::Over(_) => {}
        }
    }

    /// What the active seat could act with.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn means(&self, state: &State, filter: ActionFilter) -> Means {
        let table = &state.table;
        let seat = table.active.idx();
        let mut means = u64::from(has_playable(state.cards[seat])) * Means::CARDS;
        if table.stage == Stage::Roll {
            return Means(means);
        }
        let hand = state.hands[seat];
        means |= u64::from(self.pays(hand)) * Means::PAYS;
        if self.may_trade(table) {
            means |= hand.at_least(Resources::new(table.rates[seat])).bits();
            let offers = filter == ActionFilter::Full && self.may_offer(table);
            means |= u64::from(offers) * Means::OFFERS;
        }
        Means(means)
    }

    /// Whether a hand pays for anything.
    #[inline]
    pub(crate) fn pays(&self, hand: Resources) -> bool {
        // All four at once: which of them it is can't be foreseen.
        self.prices().into_iter().fold(false, |any, price| any | hand.covers(price))
    }

    /// The same for whoever lists more beside it.
    #[inline]
    pub(crate) fn act_choices<'a>(
        &'a self,
        state: &'a State,
        filter: ActionFilter,
    ) -> impl Choices<Action> + use<'a> {
        self.acts(state, self.means(state, filter))
    }

    /// What the active seat may do in a part of a turn.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn acts<'a>(&'a self, state: &'a State, means: Means) -> Acts<'a> {
        let table = &state.table;
        let hand = state.hands[table.active.idx()];
        let pays = means.has(Means::PAYS);
        Acts {
            game: self,
            state,
            builds: if pays { self.builds(table, hand) } else { Builds::default() },
            buys: pays && hand.covers(self.card_cost) && state.deck != Cards::default(),
            means,
        }
    }

    /// One of several things that the active seat may do. Out of line, so that the forced turns stay short.
    #[inline(never)]
    fn draw_act(
        &self,
        state: &State,
        means: Means,
        place: impl FnOnce(usize) -> usize,
    ) -> (Action, usize) {
        self.acts(state, means).draw(place)
    }

    /// What the active seat can build and pay for from its hand, after the roll.
    #[inline]
    pub(crate) fn builds(&self, table: &Table, hand: Resources) -> Builds {
        let net = &table.pieces.nets[table.active.idx()];
        // Which of them it is can't be foreseen, so the sets are masked.
        let cities = hand.covers(self.city_cost) & (net.cities.len() < CITIES);
        let settlements = hand.covers(self.settlement_cost) & (net.settlements.len() < SETTLEMENTS);
        let roads = hand.covers(self.road_cost) & (net.roads.len() < ROADS);
        Builds {
            cities: net.settlements.kept_if(cities),
            settlements: (net.reach & table.pieces.open).kept_if(settlements),
            roads: net.frontier.kept_if(roads),
        }
    }

    /// Lists what the robber may do where there is land.
    pub(crate) fn list_raid(&self, state: &State, land: HexSet, out: &mut impl Listing<Action>) {
        self.raid(state, land).list(out);
    }

    /// What the robber may do: it moves to another hex of the land and robs a player with cards there.
    #[inline(never)]
    fn raid<'a>(&self, state: &'a State, land: HexSet) -> Raid<'a> {
        let table = &state.table;
        let mut places = land - HexSet::one(table.robber);
        // Chairs without a player have no cards.
        let holders = Yields::all_of_those(state.hands.map(|hand| !hand.is_empty()));
        let mut robbable = holders.without(table.active);
        if self.rules.robber.spares_below > 0 {
            self.spare(table, &mut places, &mut robbable);
        }
        let (mut robbed, mut count) = (HexSet::NONE, 0);
        for (seat, _) in robbable.iter() {
            let here = table.pieces.lands[seat.idx()] & places;
            robbed |= here;
            count += here.len();
        }
        let may_pass = self.rules.robber.steal == Steal::May;
        let quiet = if may_pass { places } else { places - robbed };
        Raid { pieces: &table.pieces, places, robbable, quiet, count: count + quiet.len() }
    }

    /// Keeps the robber away from players who are spared; from their cards alone, if they are everywhere.
    #[cold]
    fn spare(&self, table: &Table, places: &mut HexSet, robbable: &mut Yields) {
        let mut apart = *places;
        for seat in Seat::all(self.players).filter(|&seat| self.is_spared(table, seat)) {
            apart -= table.pieces.lands[seat.idx()];
            *robbable = robbable.without(seat);
        }
        if !apart.is_empty() {
            *places = apart;
        }
    }

    /// Whether the robber spares a seat that is not active.
    fn is_spared(&self, table: &Table, seat: Seat) -> bool {
        let spares_below = self.rules.robber.spares_below;
        seat != table.active && table.points(self, seat) < spares_below
    }

    /// What an asked seat may say.
    #[inline]
    fn answers(&self, state: &State, seat: Seat, filter: ActionFilter) -> Answers<'_, Action> {
        self.offers.answers(&state.table.proposal, state.hands[seat.idx()], filter)
    }

    /// Whom the current player may trade with. Not inlined: answers, which are asked for far more often, shall not save
    /// registers for it.
    #[inline(never)]
    fn partners(&self, state: &State) -> Partners {
        let (proposal, current) = (&state.table.proposal, state.table.current);
        proposal.partners(current, self.players, |seat| state.hands[seat.idx()])
    }

    /// Free edges at a vertex.
    pub(crate) fn roads_at(&self, table: &Table, vertex: Vertex) -> EdgeSet {
        self.map.edges[vertex.idx()] - table.pieces.taken
    }

    /// Whether the active seat may trade with the bank. (BASE-20, BASE-81)
    #[inline]
    pub fn may_trade(&self, table: &Table) -> bool {
        matches!(table.stage, Stage::Main | Stage::Paired)
            && (self.rules.order == Order::Mixed || !table.so_far.built)
    }

    /// Whether the current player may propose, if it may trade at all. (BASE-30, BASE-35)
    #[inline]
    pub fn may_offer(&self, table: &Table) -> bool {
        let so_far = &table.so_far;
        table.stage == Stage::Main
            && so_far.refused < self.rules.trade.proposals_max
            && so_far.deals < DEALS_MAX
    }

    /// Whether the rules allow an action here. See [`crate::core::game::Game::permits`].
    ///
    /// # Errors
    /// Says what forbids it.
    pub(crate) fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        let table = &state.table;
        match (table.phase, action) {
            (Phase::Act, Action::Offer { to, give, want }) => {
                ensure(self.may_trade(table), "this is no time to trade")?;
                ensure(self.may_offer(table), "no proposal is left in this turn")?;
                let hand = state.hands[table.current.idx()];
                Proposal::<SEATS_MAX>::new(to, give, want).check(
                    table.current,
                    Some(hand),
                    self.players,
                )
            }
            (Phase::Answer(seat), Action::Counter { give, want }) => {
                check_counter(give, want, state.hands[seat.idx()])
            }
            _ => {
                // Everything else is listed, whatever the filter.
                let mut list = Actions::new();
                self.list(state, ActionFilter::NoOffers, &mut list);
                if list.contains(&action) {
                    return Ok(());
                }
                Err(IllegalAction(self.why_not(state, action)))
            }
        }
    }

    /// Why an action that is not listed is forbidden.
    pub(crate) fn why_not(&self, state: &State, action: Action) -> String {
        let table = &state.table;
        let hand = state.hands[table.active.idx()];
        let price = match action {
            Action::Road { .. } if table.phase == Phase::Act => self.road_cost,
            Action::Settlement { .. } if table.phase == Phase::Act => self.settlement_cost,
            Action::City { .. } => self.city_cost,
            Action::Buy => self.card_cost,
            _ => Resources::NONE,
        };
        if table.phase == Phase::Act && !hand.covers(price) {
            return format!("`{action}` costs {price}, the hand is {hand}");
        }
        let (stage, phase) = (table.stage, table.phase);
        format!("`{action}` is not among the choices here ({stage:?}, {phase:?})")
    }

    /// Vertices where the active seat may found or build a settlement, whatever it costs.
    pub fn sites(&self, table: &Table, seat: Seat) -> VertexSet {
        match table.stage {
            Stage::Founding(_) => table.pieces.open,
            _ => table.pieces.sites(seat),
        }
    }
}

pub(crate) fn list_settlements(sites: VertexSet, out: &mut impl Listing<Action>) {
    let actions = made_of(sites.iter(), |vertex| Action::Settlement { vertex });
    out.each(sites.len().into(), actions);
}

fn list_roads(edges: EdgeSet, out: &mut impl Listing<Action>) {
    out.each(edges.len().into(), made_of(edges.iter(), |edge| Action::Road { edge }));
}

/// Trades with the bank, by kind given, then by kind taken. (BASE-33)
#[inline]
fn list_bank_trades(table: &Table, gives: Kinds, out: &mut impl Listing<Action>) {
    let wants = table.bank.kinds();
    let count = gives.len() * wants.len() - gives.and(wants).len();
    let rows = gives.iter().map(|give| (give, wants.without(give).bits()));
    let trade = |(give, bit)| Action::BankTrade { give, want: Kinds::of_bit(bit) };
    out.each(count, made_of(Rows::new(rows), trade));
}

/// Development cards that can be played now. (BASE-21)
#[inline]
fn list_cards(state: &State, out: &mut impl Listing<Action>) {
    let table = &state.table;
    let held = state.cards[table.active.idx()];
    if table.so_far.played || table.stage == Stage::Special {
        return;
    }
    let ready = |card: Card| held[card.idx()] > state.fresh[card.idx()];
    if ready(Card::Knight) {
        out.one(Action::Knight);
    }
    if ready(Card::RoadBuilding) && table.may_lay() {
        out.one(Action::RoadBuilding);
    }
    if ready(Card::YearOfPlenty) {
        list_plenty(table.bank, out);
    }
    if ready(Card::Monopoly) {
        let kinds = Resource::ALL.into_iter();
        out.each(Resource::COUNT, kinds.map(|kind| Action::Monopoly { kind }));
    }
}

/// Pairs of cards that the bank has; single cards if it has only one card. (BASE-52)
fn list_plenty(bank: Resources, out: &mut impl Listing<Action>) {
    let (kinds, twice) = (bank.kinds(), bank.at_least(Resources::new([2; Resource::COUNT])));
    if bank.total() == 1 {
        let single = |first| Action::YearOfPlenty { first, second: None };
        return out.each(1, kinds.iter().map(single));
    }
    let count = kinds.len() * kinds.len().saturating_sub(1) / 2 + twice.len();
    let seconds = |first| (first, kinds.after(first).bits() | twice.and(Kinds::one(first)).bits());
    let pair = |(first, bit)| Action::YearOfPlenty { first, second: Some(Kinds::of_bit(bit)) };
    out.each(count, made_of(Rows::new(kinds.iter().map(seconds)), pair));
}

/// Whether there are development cards that can be played; point cards can't.
#[inline]
fn has_playable(cards: Cards) -> bool {
    let [knight, road_building, year_of_plenty, monopoly, _] = cards;
    u32::from_le_bytes([knight, road_building, year_of_plenty, monopoly]) != 0
}
