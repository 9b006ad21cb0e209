//! The game created from a rule set, the island, and the start position.

use crate::core::chance::Chance;
use crate::core::game::BadRule;
use crate::core::resources::{Resource, Resources};
use crate::core::rule_set::range_faults;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::parts::hexmap::{DIRECTIONS, EXTENDED, STANDARD};
use crate::parts::island::Island;
use crate::parts::island::board::{
    BEGINNER, Board, EXTENDED_PARTS, STANDARD_PARTS, STARTS, SUMS, Start,
};
use crate::parts::island::island_file::{self, Laid};
use crate::parts::island::luck::Draw;
use crate::parts::island::rules::{Harbours, Layout, Rules, Tokens};
use crate::parts::island::state::{Phase, SoFar, Stage, State, Table};
use crate::parts::offers::Offers;
use crate::parts::pieces::{Pieces, Yields};
use crate::parts::places::{Hex, HexSet, Vertex, VertexSet};
use crate::parts::trade::Proposal;
use std::sync::Arc;

impl Island {
    /// The game for a rule set and 2 to 6 players.
    ///
    /// # Errors
    /// Names each field that can't be played with.
    pub fn build(rules: Rules, players: u8) -> Result<Island, Vec<BadRule>> {
        let mut faults = range_faults(Rules::FIELDS, &rules, players);
        if !(2..=6).contains(&players) {
            let reason = format!("{players} can't play; base takes 3 to 6 (2 unofficially)");
            faults.push(BadRule::new("players", reason));
        }
        if rules.first_turn >= players {
            let reason = format!("{} is past the last of {players} seats", rules.first_turn);
            faults.push(BadRule::new("first_turn", reason));
        }
        if rules.island == Layout::Beginner && players > 4 {
            let reason = "the beginner island is for up to 4 players; use variable";
            faults.push(BadRule::new("island", reason));
        }
        let laid = Island::laid(&rules, players).unwrap_or_else(|fault| {
            faults.push(fault);
            None
        });
        if !faults.is_empty() {
            return Err(faults);
        }
        let large = players > 4;
        let parts = match &laid {
            Some(laid) => laid.parts.clone(),
            None if large => EXTENDED_PARTS.clone(),
            None => STANDARD_PARTS.clone(),
        };
        let offers = Offers::new(rules.trade.listed_max);
        let cost = rules.cost;
        Ok(Island {
            map: if large { &EXTENDED } else { &STANDARD },
            parts: Arc::new(parts),
            laid,
            stock: if large { rules.extension.bank } else { rules.bank },
            deck: if large { rules.extension.deck } else { rules.deck }.cards(),
            road_cost: cost.road.resources(),
            settlement_cost: cost.settlement.resources(),
            city_cost: cost.city.resources(),
            card_cost: cost.card.resources(),
            rules,
            players,
            owners: players,
            offers,
        })
    }

    /// The island of the rule set's file, if it has one.
    fn laid(rules: &Rules, players: u8) -> Result<Option<Arc<Laid>>, BadRule> {
        if !rules.has_map() {
            return Ok(None);
        }
        if rules.island == Layout::Beginner {
            let reason =
                "the beginner island has a map of its own; set island=variable for another";
            return Err(BadRule::new("map", reason));
        }
        let laid = island_file::read(&rules.map, players);
        laid.map(|laid| Some(Arc::new(laid))).map_err(|bad| BadRule::new("map", bad.to_string()))
    }

    /// Lays the island; on the beginner island the pieces are placed already, and the first turn starts.
    pub(crate) fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        let mut state = self.lay(chance);
        if self.rules.island == Layout::Beginner {
            self.stand_up(&mut state);
            self.begin_turn(&mut state, Seat::new(self.rules.first_turn), chance);
        }
        state
    }

    /// Lays the island, before anyone has founded.
    pub(crate) fn lay<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        if let Some(laid) = &self.laid {
            let robber = one_of(laid.robber, chance);
            return self.deal_on(laid.board, robber);
        }
        let board = match self.rules.island {
            Layout::Beginner => self.beginner_board(),
            Layout::Variable => self.variable_board(chance),
        };
        let robber = self.first_robber(&board, chance);
        self.deal_on(board, robber)
    }

    /// The start on an island that has been laid, before anyone has founded.
    pub fn deal_on(&self, board: Board, robber: Hex) -> State {
        let mut state = State {
            table: self.empty_table(board),
            hands: [Resources::NONE; SEATS_MAX],
            chosen: [Resources::NONE; SEATS_MAX],
            cards: Default::default(),
            fresh: Default::default(),
            deck: self.deck,
        };
        state.table.robber = robber;
        state
    }

    pub(crate) fn empty_table(&self, board: Board) -> Table {
        Table {
            pieces: Pieces::none(self.map),
            board,
            worth: Yields::NONE,
            bonus: [0; SEATS_MAX],
            withheld: 0,
            founded: VertexSet::NONE,
            rates: [[4; Resource::COUNT]; SEATS_MAX],
            knights: [0; SEATS_MAX],
            gone: Default::default(),
            robber: Hex::new(0),
            bank: Resources::new([self.stock; Resource::COUNT]),
            route: None,
            route_length: 0,
            army: None,
            turn: 0,
            current: Seat::FIRST,
            active: Seat::FIRST,
            stage: Stage::Founding(1),
            phase: Phase::Found,
            so_far: SoFar::default(),
            pending: 0,
            proposal: Proposal::NONE,
        }
    }

    /// The published first island. (BASE-11)
    pub(crate) fn beginner_board(&self) -> Board {
        let mut board = Board::bare();
        for (hex, (terrain, token)) in self.map.all_hexes().iter().zip(BEGINNER) {
            board.terrain[hex.idx()] = terrain;
            if token > 0 {
                board.lay_token(hex, token);
            }
        }
        for (harbour, &kind) in board.harbours.iter_mut().zip(self.parts.harbour_kinds.iter()) {
            *harbour = kind;
        }
        board
    }

    /// Random terrain, tokens and harbours. (BASE-10)
    fn variable_board<C: Chance<Draw>>(&self, chance: &mut C) -> Board {
        let mut board = Board::bare();
        let mut left = self.parts.terrain;
        for hex in self.map.all_hexes() {
            let kind = usize::from(chance.kind(Draw::Terrain, &left));
            left[kind] -= 1;
            board.terrain[hex.idx()] = Resource::ALL.get(kind).copied();
        }
        match self.rules.tokens {
            Tokens::Letters => self.letter_tokens(&mut board, chance),
            Tokens::Shuffled => self.shuffle_tokens(&mut board, chance),
        }
        let mut left = [0; Resource::COUNT + 1];
        for kind in self.parts.harbour_kinds.iter() {
            left[kind.map_or(Resource::COUNT, Resource::idx)] += 1;
        }
        for (place, &kind) in self.parts.harbour_kinds.iter().enumerate() {
            board.harbours[place] = match self.rules.harbours {
                Harbours::Fixed => kind,
                Harbours::Shuffled => {
                    let kind = usize::from(chance.kind(Draw::Harbour, &left));
                    left[kind] -= 1;
                    Resource::ALL.get(kind).copied()
                }
            };
        }
        board
    }

    /// Tokens in the order of their letters along a spiral from a random corner.
    fn letter_tokens<C: Chance<Draw>>(&self, board: &mut Board, chance: &mut C) {
        let corner = chance.card(Draw::Corner, (1 << DIRECTIONS) - 1);
        let deserts = board.deserts(self.map);
        let spiral = self.map.spiral(usize::from(corner)).filter(|&hex| !deserts.contains(hex));
        for (hex, &token) in spiral.zip(self.parts.letters) {
            board.lay_token(hex, token);
        }
    }

    /// Random tokens: first those of 6 and 8, all of them again as soon as two touch, then the others.
    /// That is a shuffle of all tokens, conditional on no 6 or 8 touching another.
    fn shuffle_tokens<C: Chance<Draw>>(&self, board: &mut Board, chance: &mut C) {
        let land = self.map.all_hexes() - board.deserts(self.map);
        let mut left = [0; SUMS];
        for &token in self.parts.letters {
            left[usize::from(token) - 2] += 1;
        }
        let red = [6, 6, 8, 8, 6, 8];
        let red = &red[..usize::from(left[4] + left[6])];
        let places = loop {
            let mut places = [Hex::new(0); 6];
            let mut free = land;
            let fits = red.iter().enumerate().all(|(at, _)| {
                let hex = draw_hex(free, chance);
                free -= HexSet::one(hex);
                places[at] = hex;
                !places[..at].iter().any(|&other| self.map.touch(other, hex))
            });
            if fits {
                break places;
            }
        };
        let mut free = land;
        for (&token, hex) in red.iter().zip(places) {
            board.lay_token(hex, token);
            free -= HexSet::one(hex);
        }
        (left[4], left[6]) = (0, 0);
        for hex in free {
            let sum = chance.kind(Draw::Token, &left);
            left[usize::from(sum)] -= 1;
            board.lay_token(hex, sum + 2);
        }
    }

    /// The desert, or one of two at random. (BASE-12)
    fn first_robber<C: Chance<Draw>>(&self, board: &Board, chance: &mut C) -> Hex {
        one_of(board.deserts(self.map), chance)
    }

    /// Starting positions by seat. (BASE-11)
    pub fn starts(&self) -> impl Iterator<Item = (Seat, Start)> {
        let colours = usize::from(self.players.max(3));
        let first = self.rules.colours as usize;
        Seat::all(self.players).map(move |seat| (seat, STARTS[(first + seat.idx()) % colours]))
    }

    /// Sets up the starting positions of the beginner island; the first settlement of each pays cards.
    fn stand_up(&self, state: &mut State) {
        for (seat, start) in self.starts() {
            for (at, [settlement, towards]) in start.into_iter().enumerate() {
                let [settlement, towards] = [settlement, towards].map(Vertex::new);
                let edge = self.map.edge_between(settlement, towards).expect("a published road");
                self.put_settlement(&mut state.table, seat, settlement);
                state.table.founded |= VertexSet::one(settlement);
                state.table.pieces.lay_road(self.map, seat, edge);
                if at == 0 {
                    let cards = self.first_cards(&state.table, settlement);
                    state.hands[seat.idx()] = cards;
                    state.table.bank = state.table.bank - cards;
                }
            }
        }
    }

    /// One card for each terrain hex at a vertex, as far as the bank has it. (BASE-15)
    pub fn first_cards(&self, table: &Table, vertex: Vertex) -> Resources {
        let terrain = self.map.hexes[vertex.idx()].iter().map(|hex| table.board.terrain[hex.idx()]);
        let cards = terrain.flatten().fold(Resources::NONE, |all, kind| all + Resources::one(kind));
        cards - table.bank.missing(cards)
    }
}

/// The only one of some hexes, or one of several at random.
fn one_of<C: Chance<Draw>>(among: HexSet, chance: &mut C) -> Hex {
    if among.len() > 1 {
        return draw_hex(among, chance);
    }
    among.iter().next().expect("there is a desert in the box")
}

/// One of some hexes at random.
pub(crate) fn draw_hex<C: Chance<Draw>>(among: HexSet, chance: &mut C) -> Hex {
    let bits = among.iter().fold(0, |bits, hex| bits | 1 << hex.number());
    Hex::new(chance.card(Draw::Hex, bits))
}
