//! What may be done in a position of Struggle for Catan, derived a second time and slowly, clause by clause.

use fairhaven::core::game::Game;
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::types::seat::Seat;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::struggle::action::{Action, Partner};
use fairhaven::games::struggle::cards::{Card, Expansion};
use fairhaven::games::struggle::payments::WAYS_MAX;
use fairhaven::games::struggle::rules::{Extra, Moment, Per, Types};
use fairhaven::games::struggle::state::{Phase, State};
use fairhaven::parts::bundles::Bundle;
use std::collections::BTreeSet;

/// Cards by kind.
type Counts = [u8; Resource::COUNT];

/// A position and who chooses in it.
pub struct Chooser<'a> {
    game: &'a Struggle,
    state: &'a State,
    hand: Counts,
}

/// SFC-60, SFC-62: whose topmost road or knight is taken if the stack has none.
pub fn row_to_take_from(game: &Struggle, state: &State, card: Card) -> Option<usize> {
    let (rules, table) = (game.rules(), &state.table);
    let players = usize::from(game.players());
    let mut order: Vec<usize> =
        (1..players).map(|step| (table.current.idx() + step) % players).collect();
    if !table.clockwise {
        order.reverse();
    }
    order.into_iter().find(|&seat| {
        let area = &table.areas[seat];
        match card {
            Card::Road if area.has(Expansion::Castle) => area.roads > rules.protection.roads,
            Card::Road => area.roads > 0,
            _ if area.has(Expansion::Church) => area.knights > rules.protection.knights,
            _ => area.knights > 0,
        }
    })
}

impl<'a> Chooser<'a> {
    pub fn new(game: &'a Struggle, state: &'a State) -> Chooser<'a> {
        Chooser { game, state, hand: state.hands[state.table.current.idx()].counts() }
    }

    /// Every action that the full list should have, in no order.
    pub fn all(&self) -> Vec<Action> {
        let table = &self.state.table;
        match table.phase {
            Phase::Act => {
                let mut all = vec![Action::Draw];
                all.extend(self.builds());
                all.extend(self.guild());
                all.extend(self.trades());
                all
            }
            Phase::Take(_) => kinds(table.market).map(|card| Action::Take { card }).collect(),
            Phase::Choose => {
                let Partner::Seat(seat) = table.lot.with else { panic!("a hand is open") };
                kinds(self.state.hands[seat.idx()]).map(|card| Action::Take { card }).collect()
            }
            Phase::Return(_) => {
                let new = table.lot.with == Partner::Market && !self.game.rules().market.same;
                let taken = if new { table.lot.taken.counts() } else { [0; 5] };
                let has = |card: &Resource| self.hand[card.idx()] > taken[card.idx()];
                let all = Resource::ALL.into_iter().filter(has);
                all.map(|card| Action::Return { card }).collect()
            }
            Phase::Flip => vec![Action::Keep, Action::Flip],
            Phase::Discard { seat, .. } => {
                kinds(self.state.hands[seat.idx()]).map(|card| Action::Discard { card }).collect()
            }
            Phase::Extra(left) => {
                let one = self.game.rules().draw.extra == Extra::OneByOne;
                let most = if one { left.min(1) } else { left };
                let more = (1..=most).map(|cards| Action::Extra { cards });
                more.chain([Action::EndTurn]).collect()
            }
            Phase::Over(_) => Vec::new(),
        }
    }

    /// SFC-42 to SFC-46, SFC-60: what may be built, in every way to pay.
    fn builds(&self) -> Vec<Action> {
        let buildable = Card::ALL.into_iter().filter(|&card| self.is_to_be_had(card));
        let ways =
            |card| self.payments(card).into_iter().map(move |pay| Action::Build { card, pay });
        buildable.flat_map(ways).collect()
    }

    fn is_to_be_had(&self, card: Card) -> bool {
        let (rules, table) = (self.game.rules(), &self.state.table);
        let own = &table.areas[table.current.idx()];
        let four = rules.build.types == Types::Four;
        let built = |bit: u8| table.so_far.built >> bit & 1 == 1;
        let taken =
            || rules.build.in_vain || row_to_take_from(self.game, self.state, card).is_some();
        match card {
            Card::Road => !built(0) && (table.roads > 0 || taken()),
            Card::Knight => !built(1) && (table.knights > 0 || taken()),
            Card::Settlement => !built(2) && table.settlements > 0,
            Card::City => !built(if four { 2 } else { 3 }) && own.settlements > 0,
            _ => {
                let kind = card.expansion().unwrap();
                let seat = table.current.idx();
                !built(4)
                    && own.cities > 0
                    && !own.has(kind)
                    && table.expansions[kind.idx()] > 0
                    && rules.expansion.allowed[seat].bits() & kind.bit() != 0
            }
        }
    }

    /// SFC-41, SFC-72: one card after the other is paid, replaced or saved; what is reached by the fewest replaced
    /// cards is listed.
    fn payments(&self, card: Card) -> Vec<Bundle> {
        let (rules, table) = (self.game.rules(), &self.state.table);
        let mut price = Vec::new();
        for (kind, count) in self.game.price(card).iter() {
            price.extend(std::iter::repeat_n(kind.idx(), usize::from(count)));
        }
        let university = table.areas[table.current.idx()].has(Expansion::University);
        let saves = university && (!table.so_far.saved || rules.university.per == Per::Build);
        // What has been paid so far, what was left out of the price by kind, and whether one was saved.
        let mut ways: BTreeSet<(Counts, Counts, bool)> = [([0; 5], [0; 5], false)].into();
        for kind in price {
            let mut next = BTreeSet::new();
            for &(paid, left_out, saved) in &ways {
                let with = |add: usize, count: u8| {
                    let mut paid = paid;
                    paid[add] += count;
                    paid
                };
                let mut out = left_out;
                out[kind] += 1;
                next.insert((with(kind, 1), left_out, saved));
                if saves && !saved {
                    next.insert((paid, out, true));
                }
                for other in (0..Resource::COUNT).filter(|&other| other != kind) {
                    next.insert((with(other, rules.substitution.rate), out, saved));
                }
            }
            next.retain(|(paid, _, _)| {
                std::iter::zip(paid, &self.hand).all(|(paid, held)| paid <= held)
            });
            ways = next;
        }
        // A kind that replaces another can't be left out itself: the same could be had for fewer cards.
        let cost = self.game.price(card).counts();
        let sensible = |(paid, left_out, _): &(Counts, Counts, bool)| {
            (0..5).all(|kind| left_out[kind] == 0 || paid[kind] + left_out[kind] == cost[kind])
        };
        let carried = |paid: &Counts| paid.iter().all(|&count| count <= Bundle::KIND_MAX);
        let mut all: Vec<(u8, Counts)> = ways
            .into_iter()
            .filter(sensible)
            .map(|(paid, left_out, _)| (left_out.iter().sum(), paid))
            .filter(|(left_out, paid)| carried(paid) && *left_out <= 6)
            .collect();
        all.sort_unstable();
        let all: BTreeSet<Counts> = if all.len() > WAYS_MAX {
            // Which of the last are listed is not a matter of rules.
            return self.listed(card);
        } else {
            all.into_iter().map(|(_, paid)| paid).collect()
        };
        all.into_iter().map(|paid| Bundle::new(Resources::new(paid))).collect()
    }

    /// What the game lists of a card.
    fn listed(&self, card: Card) -> Vec<Bundle> {
        let mut list = fairhaven::core::types::actions::Actions::new();
        self.game.legal(self.state, fairhaven::core::game::ActionFilter::Full, &mut list);
        let of_card = |action: &Action| match *action {
            Action::Build { card: other, pay } if other == card => Some(pay),
            _ => None,
        };
        let listed: Vec<Bundle> = list.iter().filter_map(of_card).collect();
        assert_eq!(listed.len(), WAYS_MAX, "as many as are listed");
        listed
    }

    /// SFC-71: whom the guild may take a card from.
    fn guild(&self) -> Vec<Action> {
        let table = &self.state.table;
        let in_time = self.game.rules().guild.moment != Moment::Trade || !table.so_far.building;
        let has = table.areas[table.current.idx()].has(Expansion::MerchantsGuild);
        if !has || table.so_far.robbed || !in_time {
            return Vec::new();
        }
        let outcome = |seat: Seat| table.points(self.game, seat);
        let fit = |seat: &Seat| {
            *seat != table.current
                && self.state.hands[seat.idx()].total() > 0
                && outcome(*seat) >= outcome(table.current)
        };
        Seat::all(self.game.players()).filter(fit).map(|from| Action::Rob { from }).collect()
    }

    /// SFC-30, SFC-33, SFC-34: lots of every size with every partner.
    fn trades(&self) -> Vec<Action> {
        let (rules, table) = (self.game.rules(), &self.state.table);
        let own = &table.areas[table.current.idx()];
        let mut all = Vec::new();
        if table.so_far.building {
            return all;
        }
        let a_sides = (1..=own.roads).filter(|place| place % 2 == 1).count();
        let most = if a_sides == 0 { 1 } else { u8::try_from(a_sides).unwrap() };
        let held: u8 = self.hand.iter().sum();
        for cards in 1..=rules.trade.lot_max {
            if table.so_far.traded + cards > most {
                continue;
            }
            let mut lot = |with, choose| all.push(Action::Trade { with, cards, choose });
            if cards <= held {
                lot(Partner::Stack, false);
            }
            if a_sides == 0 {
                continue;
            }
            if cards <= table.market.total() && (rules.market.same || cards <= held) {
                lot(Partner::Market, false);
            }
            for seat in Seat::all(self.game.players()).filter(|&seat| seat != table.current) {
                if cards <= self.state.hands[seat.idx()].total() {
                    lot(Partner::Seat(seat), false);
                    if own.has(Expansion::Library) && !table.so_far.chose {
                        lot(Partner::Seat(seat), true);
                    }
                }
            }
        }
        all
    }
}

fn kinds(cards: Resources) -> impl Iterator<Item = Resource> {
    cards.iter().map(|(kind, _)| kind)
}
