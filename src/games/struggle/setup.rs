//! The game created from a rule set, and the deal.

use crate::core::chance::{Chance, When};
use crate::core::game::BadRule;
use crate::core::resources::{Resource, Resources};
use crate::core::rule_set::range_faults;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::games::struggle::apply::begin_turn;
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::game::{Struggle, Supply};
use crate::games::struggle::luck::Draw;
use crate::games::struggle::payments::Price;
use crate::games::struggle::rules::{Allowed, ByPlayers, Direction, Rules};
use crate::games::struggle::state::{Area, Lot, Phase, SoFar, State, Table};

/// One copy of the resource cards. (SFC-1)
pub const RESOURCES: Resources = Resources::new([11, 11, 15, 14, 16]);

impl Struggle {
    /// The game for a rule set and 2 to 6 players.
    ///
    /// # Errors
    /// Names each field that can't be played with.
    pub fn build(rules: Rules, players: u8) -> Result<Struggle, Vec<BadRule>> {
        let mut faults = range_faults(Rules::FIELDS, &rules, players);
        if !(2..=6).contains(&players) {
            let reason = format!("{players} can't play; struggle takes 2 to 6");
            faults.push(BadRule::new("players", reason));
            return Err(faults);
        }
        let supply = supply(&rules, players);
        faults.extend(shortages(&supply, players));
        if !faults.is_empty() {
            return Err(faults);
        }
        let copies = of_players(rules.resource_copies, players);
        let prices = Card::ALL.map(|card| Price::new(price(&rules, card)));
        let expansion_points = std::array::from_fn(|set| points(&rules, set));
        let deck = RESOURCES.times(copies);
        // An expansion covers a city, worth 2; all else brings a point.
        let expansions = rules.expansion_cards().map(|card| card.points.saturating_sub(2));
        let most_points = expansions.into_iter().max().map_or(1, |most| most.max(1));
        let (enough, unbuilt) = ([[0; 128]; Resource::COUNT], [0; 32]);
        let mut game = Struggle {
            rules,
            players,
            supply,
            deck,
            prices,
            enough,
            unbuilt,
            most_points,
            expansion_points,
        };
        game.note_builds();
        Ok(game)
    }

    /// The rule set with everything that is never read at this table set to its default: numbers for other
    /// numbers of players, what cards cost, bring and do that are not in play, and the destiny card where there is
    /// none. (SFC-3, SFC-4, SFC-11, SFC-50)
    pub(super) fn rules_in_effect(&self) -> Rules {
        let (mut usual, mut rules) = (Rules::default(), self.rules.clone());
        let supply = self.supply.expansions;
        let entry = usize::from(self.players) - 2;
        rules.expansion.two_town_halls = usual.expansion.two_town_halls;
        let cards = rules.expansion.cards_mut().into_iter().zip(usual.expansion.cards_mut());
        for ((card, usual), in_play) in cards.zip(supply) {
            (card.in_play[entry], card.out) = (in_play, false);
            if in_play == 0 {
                (card.points, card.extra) = (usual.points, usual.extra);
            }
        }
        if supply.iter().all(|&in_play| in_play == 0) {
            rules.expansion.cost = usual.expansion.cost;
        }
        rules.expansion.allowed[usize::from(self.players)..].fill(Allowed::ANY);
        for (list, usual) in rules.lists_by_players().zip(usual.lists_by_players()) {
            let played = list[entry];
            *list = *usual;
            list[entry] = played;
        }
        let is_absent = |expansion: Expansion| supply[expansion.idx()] == 0;
        if is_absent(Expansion::Castle) {
            rules.protection.roads = usual.protection.roads;
        }
        if is_absent(Expansion::MerchantsGuild) {
            rules.guild = usual.guild;
        }
        if is_absent(Expansion::Church) {
            rules.protection.knights = usual.protection.knights;
        }
        if is_absent(Expansion::Library) {
            rules.library = usual.library;
        }
        if is_absent(Expansion::University) {
            rules.university = usual.university;
        }
        if self.supply.brigands == 0 {
            rules.brigands.hand_limit = usual.brigands.hand_limit;
            rules.destiny.brigands_flip = usual.destiny.brigands_flip;
        }
        if self.supply.knights == 0 {
            rules.draw = usual.draw;
        }
        if self.players == 2 {
            rules.destiny = usual.destiny;
        }
        rules
    }

    /// Shuffles, opens the market and deals the hands. (SFC-10 to SFC-12)
    pub(super) fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        let hands = [Resources::NONE; SEATS_MAX];
        let mut state = State { table: self.empty_table(), hands, pile: self.deck };
        self.fill_market(&mut state, When::Deal, chance);
        for seat in Seat::all(self.players) {
            for _ in 0..self.rules.hand_start.of(seat) {
                self.draw(&mut state, seat, When::Deal, chance);
            }
        }
        begin_turn(&mut state, Seat::FIRST, chance);
        state
    }

    fn empty_table(&self) -> Table {
        let start = Area { roads: 1, settlements: 1, ..Area::default() };
        let mut areas = [Area::default(); SEATS_MAX];
        areas[..usize::from(self.players)].fill(start);
        let Supply { roads, knights, settlements, brigands, expansions } = self.supply;
        Table {
            areas,
            market: Resources::NONE,
            discards: Resources::NONE,
            roads: roads - self.players,
            knights,
            settlements: settlements - self.players,
            expansions,
            events: [brigands, settlements - brigands],
            clockwise: self.players == 2 || self.rules.destiny.start == Direction::Clockwise,
            turn: 0,
            current: Seat::FIRST,
            phase: Phase::Act,
            so_far: SoFar::default(),
            lot: Lot::NONE,
        }
    }
}

/// The entry for a number of players.
fn of_players(numbers: ByPlayers, players: u8) -> u8 {
    numbers[usize::from(players) - 2]
}

/// The cards in play. (SFC-3, SFC-4, SFC-50)
fn supply(rules: &Rules, players: u8) -> Supply {
    let cards = rules.expansion_cards();
    let mut expansions = cards.map(|card| of_players(card.in_play, players));
    if rules.expansion.two_town_halls {
        expansions.swap(Expansion::TownHall.idx(), Expansion::Castle.idx());
    }
    for (count, card) in expansions.iter_mut().zip(cards) {
        *count = if card.out { 0 } else { *count };
    }
    Supply {
        roads: of_players(rules.road.in_play, players),
        knights: of_players(rules.knight.in_play, players),
        settlements: of_players(rules.settlement.in_play, players),
        brigands: of_players(rules.brigands.in_play, players),
        expansions,
    }
}

/// What there are too few of, or too many.
fn shortages(supply: &Supply, players: u8) -> Vec<BadRule> {
    let mut faults = Vec::new();
    let mut each_starts_with = |field: &str, count: u8| {
        if count < players {
            let reason = format!("{count} are not enough for {players} players to start with");
            faults.push(BadRule::new(field, reason));
        }
    };
    each_starts_with("road.in_play", supply.roads);
    each_starts_with("settlement.in_play", supply.settlements);
    let (brigands, sides) = (supply.brigands, supply.settlements);
    if brigands > sides {
        let reason = format!("{brigands} are more than the {sides} settlement cards");
        faults.push(BadRule::new("brigands.in_play", reason));
    }
    faults
}

/// The full price of a card. (SFC-40)
fn price(rules: &Rules, card: Card) -> Resources {
    let cost = match card {
        Card::Road => rules.road.cost,
        Card::Knight => rules.knight.cost,
        Card::Settlement => rules.settlement.cost,
        Card::City => rules.city.cost,
        _ => rules.expansion.cost,
    };
    let extra = card.expansion().map(|expansion| rules.expansion_cards()[expansion.idx()].extra);
    cost.resources() + extra.unwrap_or_default().resources()
}

/// The points of a set of expansions, one bit for each. (SFC-70)
fn points(rules: &Rules, set: usize) -> u8 {
    let cards = rules.expansion_cards().into_iter().enumerate();
    cards.filter(|(place, _)| set >> place & 1 == 1).map(|(_, card)| card.points).sum()
}
