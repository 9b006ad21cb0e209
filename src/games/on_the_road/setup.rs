//! The game created from a rule set, and the deal.

use crate::core::chance::{Chance, When};
use crate::core::game::BadRule;
use crate::core::resources::Resources;
use crate::core::rule_set::range_faults;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::apply::refill;
use crate::games::on_the_road::cards::{Building, CARDS_ALL, Card, Event, Hand, Metropolis};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::rules::{Face, Rules, SEATS, Side};
use crate::games::on_the_road::state::{Area, Phase, State, Table, TurnSoFar};
use crate::parts::allowed::Named as _;
use crate::parts::offers::Offers;
use crate::parts::trade::Proposal;

impl OnTheRoad {
    /// The game for a rule set and 2 to 4 players.
    ///
    /// # Errors
    /// Names each field that can't be played with.
    pub fn build(rules: Rules, players: u8) -> Result<OnTheRoad, Vec<BadRule>> {
        let mut faults = range_faults(Rules::FIELDS, &rules, players);
        if !(2..=4).contains(&players) {
            let reason = format!("{players} can't play; on-the-road takes 3 or 4 (2 unofficially)");
            faults.push(BadRule::new("players", reason));
        }
        for (metropolis, name) in rules.metropolis_cards().iter().zip(Metropolis::NAMES) {
            if metropolis.extra.on(rules.metropolis.cost).is_none() {
                let field = format!("metropolis.{name}.extra");
                faults.push(BadRule::new(field, "takes more cards than metropolis.cost has"));
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let costs = Card::ALL.map(|card| price(&rules, card));
        let offers = Offers::new(rules.trade.listed_max);
        let a_sides = std::array::from_fn(|set| first_alike(&rules, players, set));
        Ok(OnTheRoad { rules, players, costs, offers, a_sides })
    }

    /// Shuffles, turns up the row, deals the hands and brings in the first harvest. (OTR-11 to OTR-14)
    pub(super) fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        let mut state = State {
            table: self.empty_table(),
            hands: [Hand::default(); SEATS],
            pile: CARDS_ALL,
            discards: 0,
        };
        self.lay_metropolises(&mut state, chance);
        self.first_row(&mut state.table, chance);
        for seat in Seat::all(self.players) {
            self.draw_many(&mut state, seat, self.rules.hand_start.of(seat), When::Deal, chance);
        }
        self.begin_turn(&mut state, Seat::FIRST, chance);
        state
    }

    fn empty_table(&self) -> Table {
        let start = Area { roads: 1, settlements: 1, ..Area::default() };
        let mut areas = [Area::default(); SEATS];
        areas[..usize::from(self.players)].fill(start);
        Table {
            areas,
            row: [0; Building::COUNT],
            deck: Building::DECK,
            b_sides: 0,
            unbuilt: 0,
            // The starting roads may earn it, and the start player was the first.
            route: (self.rules.route.minimum <= 1).then_some(Seat::FIRST),
            army: None,
            events: Event::DECK,
            turn: 0,
            current: Seat::FIRST,
            phase: Phase::Main,
            so_far: TurnSoFar::default(),
            still: 0,
            pending: 0,
            proposal: Proposal::NONE,
        }
    }

    /// Lays each metropolis on a side or leaves it out. (OTR-12)
    fn lay_metropolises<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        for (metropolis, card) in Metropolis::ALL.into_iter().zip(self.rules.metropolis_cards()) {
            let b_side = match (card.face, self.rules.side) {
                (Face::Out, _) => continue,
                (Face::A, _) | (Face::Side, Side::A) => false,
                (Face::B, _) | (Face::Side, Side::B) => true,
                (Face::Side, Side::Mixed) => chance.kind(Draw::Side, &[1, 1]) == 1,
            };
            state.table.unbuilt |= metropolis.bit();
            if b_side {
                state.table.b_sides |= metropolis.bit();
            }
        }
    }

    /// Turns up the first row, again and again until it is mixed if the rules ask for that. (OTR-11)
    fn first_row<C: Chance<Draw>>(&self, table: &mut Table, chance: &mut C) {
        refill(table, When::Deal, chance);
        while self.rules.mixed_first_row && table.row.contains(&0) {
            table.return_row();
            refill(table, When::Deal, chance);
        }
    }
}

/// Of a set of A sides, the first of those that have one price and that the same seats may build: nothing else
/// distinguishes them. (OTR-46)
fn first_alike(rules: &Rules, players: u8, set: usize) -> u8 {
    let allowed = &rules.metropolis.allowed[..usize::from(players)];
    let kind = |metropolis: Metropolis| {
        let seats = allowed.iter().map(move |seat| seat.bits() & metropolis.bit() != 0);
        (price(rules, metropolis.into()), seats.collect::<Vec<_>>())
    };
    let inside = || Metropolis::ALL.into_iter().filter(|card| set >> card.idx() & 1 == 1);
    let first = |card: &Metropolis| {
        inside().take_while(|other| other != card).all(|other| kind(other) != kind(*card))
    };
    inside().filter(first).fold(0, |first, card| first | card.bit())
}

/// The full price of a card. (OTR-41)
fn price(rules: &Rules, card: Card) -> Resources {
    match card.metropolis() {
        Some(metropolis) => {
            let extra = rules.metropolis_cards()[metropolis.idx()].extra;
            let price = extra.on(rules.metropolis.cost).expect("it was checked");
            price.resources()
        }
        None => match card {
            Card::Road => rules.road.cost.resources(),
            Card::City => rules.city.cost.resources(),
            Card::Knight => rules.knight.cost.resources(),
            _ => rules.settlement.cost.resources(),
        },
    }
}
