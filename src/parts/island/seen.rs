//! What a seat sees, in JSON: what all see, and the seat's own cards. What follows from the pieces is worked out again
//! when it is read.

use crate::core::game::End;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, Seat};
use crate::parts::allowed::Named;
use crate::parts::island::Island;
use crate::parts::island::board::Board;
use crate::parts::island::cards::Card;
use crate::parts::island::observe::View;
use crate::parts::island::state::{CITIES, Phase, ROADS, SETTLEMENTS, SoFar, Stage, Table};
use crate::parts::pieces::{Ground, Net, Pieces};
use crate::parts::places::{EdgeSet, Hex, HexSet, Vertex, VertexSet};
use crate::parts::seen::{
    Counted, Read, SeatSet, SeenProposal, Tally, by_seat, fault, place_of, require, seated, sum,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The words for hexes; the last two in games with a sea only.
pub const TERRAIN: [&str; 8] =
    ["brick", "lumber", "wool", "grain", "ore", "desert", "sea", "unexplored"];

/// The words for harbours.
pub const HARBOURS: [&str; 6] = ["brick", "lumber", "wool", "grain", "ore", "any"];

/// Positions of the last two words for hexes.
const BARE: [usize; 2] = [6, 7];

impl Named for Card {
    const WHAT: &'static str = "development cards";
    const NAMES: &'static [&'static str] =
        &["knight", "road_building", "year_of_plenty", "monopoly", "victory_point"];
}

/// Hexes of sea, and unexplored ones.
pub type Bare = [HexSet; 2];

/// The form of a [`View`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    seat: Seat,
    hand: Counted,
    chosen: Counted,
    cards: Tally<Card, { Card::COUNT }>,
    fresh: Tally<Card, { Card::COUNT }>,
    seats: Vec<SeenSeat>,
    hexes: Vec<SeenHex>,
    harbours: Vec<Cow<'static, str>>,
    robber: Hex,
    bank: Counted,
    gone: Tally<Card, { Card::COUNT }>,
    founded: VertexSet,
    route: Option<Seat>,
    route_length: u8,
    army: Option<Seat>,
    turn: u16,
    current: Seat,
    active: Seat,
    stage: SeenStage,
    phase: SeenPhase,
    so_far: SoFar,
    pending: SeatSet,
    proposal: Option<SeenProposal>,
}

/// What is open of a seat.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenSeat {
    hand_size: u8,
    card_count: u8,
    knights: u8,
    settlements: VertexSet,
    cities: VertexSet,
    roads: EdgeSet,
}

impl SeenSeat {
    fn net(&self) -> Net {
        let SeenSeat { settlements, cities, roads, .. } = *self;
        Net { settlements, cities, roads, ..Net::default() }
    }
}

/// A hex: its terrain, and its token if it has one.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenHex {
    terrain: Cow<'static, str>,
    token: Option<u8>,
}

/// The part of a turn.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
enum SeenStage {
    Founding { round: u8 },
    Roll,
    Main,
    Special,
    Paired,
}

impl From<Stage> for SeenStage {
    fn from(stage: Stage) -> SeenStage {
        match stage {
            Stage::Founding(round) => SeenStage::Founding { round },
            Stage::Roll => SeenStage::Roll,
            Stage::Main => SeenStage::Main,
            Stage::Special => SeenStage::Special,
            Stage::Paired => SeenStage::Paired,
        }
    }
}

impl From<SeenStage> for Stage {
    fn from(stage: SeenStage) -> Stage {
        match stage {
            SeenStage::Founding { round } => Stage::Founding(round),
            SeenStage::Roll => Stage::Roll,
            SeenStage::Main => Stage::Main,
            SeenStage::Special => Stage::Special,
            SeenStage::Paired => Stage::Paired,
        }
    }
}

/// What must be decided next, by the words of records.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
enum SeenPhase {
    Found,
    FoundRoad { vertex: Vertex },
    Roll,
    Main,
    Special,
    Paired,
    Discard { seat: Seat, owed: u8 },
    Robber,
    FreeRoad { left: u8 },
    Answer { seat: Seat },
    Choose,
    Over { end: End },
}

impl SeenPhase {
    fn of(phase: Phase, stage: Stage) -> SeenPhase {
        match phase {
            Phase::Found => SeenPhase::Found,
            Phase::FoundRoad(vertex) => SeenPhase::FoundRoad { vertex },
            Phase::Act => match stage {
                Stage::Roll => SeenPhase::Roll,
                Stage::Special => SeenPhase::Special,
                Stage::Paired => SeenPhase::Paired,
                Stage::Main | Stage::Founding(_) => SeenPhase::Main,
            },
            Phase::Discard { seat, owed } => SeenPhase::Discard { seat, owed },
            Phase::Robber => SeenPhase::Robber,
            Phase::FreeRoads(left) => SeenPhase::FreeRoad { left },
            Phase::Answer(seat) => SeenPhase::Answer { seat },
            Phase::Choose => SeenPhase::Choose,
            Phase::Over(end) => SeenPhase::Over { end },
        }
    }

    fn read(self, stage: Stage) -> Read<Phase> {
        let acts = |in_stage| {
            require(stage == in_stage, "phase and stage agree")?;
            Ok(Phase::Act)
        };
        match self {
            SeenPhase::Found => Ok(Phase::Found),
            SeenPhase::FoundRoad { vertex } => Ok(Phase::FoundRoad(vertex)),
            SeenPhase::Roll => acts(Stage::Roll),
            SeenPhase::Main => acts(Stage::Main),
            SeenPhase::Special => acts(Stage::Special),
            SeenPhase::Paired => acts(Stage::Paired),
            SeenPhase::Discard { seat, owed } => Ok(Phase::Discard { seat, owed }),
            SeenPhase::Robber => Ok(Phase::Robber),
            SeenPhase::FreeRoad { left } => Ok(Phase::FreeRoads(left)),
            SeenPhase::Answer { seat } => Ok(Phase::Answer(seat)),
            SeenPhase::Choose => Ok(Phase::Choose),
            SeenPhase::Over { end } => Ok(Phase::Over(end)),
        }
    }
}

impl Seen {
    /// The form of what a seat sees.
    pub fn of(game: &Island, view: &View<'_>, bare: Bare) -> Seen {
        let table = view.table;
        let seats = Seat::all(game.owners).map(|seat| {
            let (at, net) = (seat.idx(), &table.pieces.nets[seat.idx()]);
            SeenSeat {
                hand_size: view.hand_sizes[at],
                card_count: view.card_counts[at],
                knights: table.knights[at],
                settlements: net.settlements,
                cities: net.cities,
                roads: net.roads,
            }
        });
        let harbours = table.board.harbours.iter().take(game.parts.harbour_places.len());
        Seen {
            seat: view.seat,
            hand: Counted(view.hand),
            chosen: Counted(view.chosen),
            cards: Tally::new(view.cards),
            fresh: Tally::new(view.fresh),
            seats: seats.collect(),
            hexes: hexes(game, &table.board, bare),
            harbours: harbours.map(|kind| kind.map_or("any", Resource::name).into()).collect(),
            robber: table.robber,
            bank: Counted(table.bank),
            gone: Tally::new(table.gone),
            founded: table.founded,
            route: table.route,
            route_length: table.route_length,
            army: table.army,
            turn: table.turn,
            current: table.current,
            active: table.active,
            stage: table.stage.into(),
            phase: SeenPhase::of(table.phase, table.stage),
            so_far: table.so_far,
            pending: SeatSet(table.pending),
            proposal: SeenProposal::of(&table.proposal, game.players),
        }
    }

    /// Hexes of sea, and unexplored ones.
    ///
    /// # Errors
    /// If there is not a hex for each of the map.
    pub fn bare(&self, game: &Island) -> Read<Bare> {
        require(self.hexes.len() == usize::from(game.map.hex_count), "an entry for each hex")?;
        let is = |word: usize| -> HexSet {
            let hexes = game.map.all_hexes().iter().zip(&self.hexes);
            hexes.filter(|(_, of)| of.terrain == TERRAIN[word]).map(|(hex, _)| hex).collect()
        };
        Ok(BARE.map(is))
    }

    /// Reads a view of an island without sea, and hands it on.
    ///
    /// # Errors
    /// If it is none, as far as that is looked at.
    pub fn read<R>(
        &self,
        game: &Island,
        ground: &Ground,
        with: impl FnOnce(View<'_>) -> R,
    ) -> Read<R> {
        require(self.bare(game)? == Bare::default(), "there is no sea")?;
        let table = self.table(game, ground)?;
        Ok(with(self.view(game, &table)?))
    }

    /// What is open to all, without points of other games.
    ///
    /// # Errors
    /// If it is no position of the game, as far as that is looked at.
    pub fn table(&self, game: &Island, ground: &Ground) -> Read<Table> {
        let players = game.players;
        let stage = Stage::from(self.stage);
        self.check_phase(game)?;
        let asked = match self.phase {
            SeenPhase::Answer { seat } | SeenPhase::Discard { seat, .. } => Some(seat),
            _ => None,
        };
        let named = [Some(self.seat), Some(self.current), Some(self.active), self.army, asked];
        seated(named.into_iter().flatten().chain(self.pending.iter()), players)?;
        seated(self.route, game.owners)?;
        require(self.turn <= game.rules.turns_max, "a turn past the limit")?;
        require((self.founded - game.map.all_vertices()).is_empty(), "a vertex of the map")?;
        require(game.map.all_hexes().contains(self.robber), "the robber stands on the map")?;
        require(self.route_length <= 2 * ROADS, "the longest road is too long")?;
        let board = self.board(game)?;
        let mut table = Table {
            pieces: self.pieces(game, ground)?,
            founded: self.founded,
            knights: by_seat(&self.seats, game.owners, |seat| seat.knights)?,
            gone: self.gone.0,
            robber: self.robber,
            bank: self.bank.0,
            route: self.route,
            route_length: self.route_length,
            army: self.army,
            turn: self.turn,
            current: self.current,
            active: self.active,
            stage,
            phase: self.phase.read(stage)?,
            so_far: self.so_far,
            pending: self.pending.0,
            proposal: SeenProposal::read(self.proposal.as_ref(), players)?,
            ..game.empty_table(board)
        };
        for seat in Seat::all(players) {
            let net = table.pieces.nets[seat.idx()];
            for vertex in net.buildings().iter().chain(net.cities) {
                table.worth = table.worth.one_more(seat);
                game.lower_rates(&table.board, &mut table.rates[seat.idx()], vertex);
            }
        }
        Ok(table)
    }

    /// What the seat sees of a table that was read.
    ///
    /// # Errors
    /// If there are more cards than in the box.
    pub fn view<'a>(&self, game: &Island, table: &'a Table) -> Read<View<'a>> {
        let view = View {
            seat: self.seat,
            table,
            hand: self.hand.0,
            chosen: self.chosen.0,
            hand_sizes: by_seat(&self.seats, game.owners, |seat| seat.hand_size)?,
            cards: self.cards.0,
            fresh: self.fresh.0,
            card_counts: by_seat(&self.seats, game.owners, |seat| seat.card_count)?,
        };
        check_hands(game, &view)?;
        check_cards(game, &view)?;
        Ok(view)
    }

    fn check_phase(&self, game: &Island) -> Read<()> {
        if let SeenStage::Founding { round } = self.stage {
            require((1..=2).contains(&round), "two rounds of founding")?;
        }
        match self.phase {
            SeenPhase::FoundRoad { vertex } => {
                require(game.map.all_vertices().contains(vertex), "a vertex of the map")
            }
            SeenPhase::FreeRoad { left } => require((1..=2).contains(&left), "two roads are free"),
            SeenPhase::Discard { seat, owed } => {
                let size = self.seats.get(seat.idx()).map_or(0, |of| of.hand_size);
                let due = game.owed_of(size);
                require(owed > 0 && owed <= due, "a discard that is due")
            }
            _ => Ok(()),
        }
    }

    fn pieces(&self, game: &Island, ground: &Ground) -> Read<Pieces> {
        let nets: PerSeat<Net> = by_seat(&self.seats, game.owners, SeenSeat::net)?;
        let enough = nets.iter().all(|net| {
            let built = [net.settlements.len(), net.cities.len(), net.roads.len()];
            built.into_iter().zip([SETTLEMENTS, CITIES, ROADS]).all(|(built, all)| built <= all)
        });
        require(enough, "more pieces than there are")?;
        let pieces = Pieces::standing(game.map, ground, nets, game.players);
        pieces.ok_or_else(|| fault("pieces can't stand like that"))
    }

    fn board(&self, game: &Island) -> Read<Board> {
        let mut board = Board::bare();
        require(self.hexes.len() == usize::from(game.map.hex_count), "an entry for each hex")?;
        for (hex, form) in game.map.all_hexes().iter().zip(&self.hexes) {
            let kind = Resource::ALL.get(place_of(&form.terrain, &TERRAIN)?).copied();
            board.terrain[hex.idx()] = kind;
            if let Some(token) = form.token {
                require(kind.is_some() && (2..=12).contains(&token), "a token where it can lie")?;
                board.lay_token(hex, token);
            }
        }
        let places = game.parts.harbour_places.len();
        require(self.harbours.len() == places, "an entry for each harbour")?;
        for (harbour, word) in board.harbours.iter_mut().zip(&self.harbours) {
            *harbour = Resource::ALL.get(place_of(word, &HARBOURS)?).copied();
        }
        check_board(game, &board)?;
        Ok(board)
    }
}

fn hexes(game: &Island, board: &Board, bare: Bare) -> Vec<SeenHex> {
    let hexes = game.map.all_hexes().iter();
    let form = |hex: Hex| {
        let among = BARE.into_iter().zip(bare).find(|(_, set)| set.contains(hex));
        let bare = among.map_or("desert", |(word, _)| TERRAIN[word]);
        let terrain = board.terrain[hex.idx()].map_or(bare, Resource::name).into();
        let token = board.tokens[hex.idx()];
        SeenHex { terrain, token: (token > 0).then_some(token) }
    };
    hexes.map(form).collect()
}

/// The board is made of what is in the box, if the box says what that is.
fn check_board(game: &Island, board: &Board) -> Read<()> {
    let mut left = game.parts.terrain.map(u32::from);
    if left.iter().sum::<u32>() == 0 {
        return Ok(());
    }
    for hex in game.map.all_hexes() {
        let place = board.terrain[hex.idx()].map_or(Resource::COUNT, Resource::idx);
        left[place] = left[place].wrapping_sub(1);
    }
    require(left == [0; Resource::COUNT + 1], "hexes are those of the box")?;
    let sorted = |tokens: &mut dyn Iterator<Item = u8>| {
        let mut tokens: Vec<u8> = tokens.collect();
        tokens.sort_unstable();
        tokens
    };
    let laid = sorted(&mut board.tokens.iter().copied().filter(|&token| token > 0));
    let due = sorted(&mut game.parts.letters.iter().copied());
    require(laid == due, "tokens are those of the box")
}

/// Every resource card is in a hand or in the bank.
fn check_hands(game: &Island, view: &View<'_>) -> Read<()> {
    let stock = Resources::new([game.stock; Resource::COUNT]);
    let seen = view.hand.checked_add(view.table.bank);
    require(seen.is_some_and(|seen| stock.covers(seen)), "more cards than there are")?;
    require(view.hand.covers(view.chosen), "chosen cards are in the hand")?;
    let own = view.hand_sizes[view.seat.idx()];
    require(view.hand.total() == own, "the hand has its size")?;
    let all = sum(&view.hand_sizes) + u32::from(view.table.bank.total());
    require(all == u32::from(stock.total()), "every resource card is somewhere")?;
    let chairs = usize::from(game.players)..;
    require(sum(&view.hand_sizes[chairs]) == 0, "only players have cards")
}

/// Every development card may be somewhere.
fn check_cards(game: &Island, view: &View<'_>) -> Read<()> {
    let (table, at) = (view.table, view.table.active.idx());
    let count = u32::from(view.card_counts[view.seat.idx()]);
    require(sum(&view.cards) == count, "the cards are counted")?;
    let held = view.fresh.iter().zip(view.cards).all(|(&fresh, all)| fresh <= all);
    require(held, "new cards are held")?;
    let new = if view.seat == table.active { table.so_far.bought.into() } else { 0 };
    require(sum(&view.fresh) == new, "new cards were bought")?;
    require(table.so_far.bought <= view.card_counts[at], "bought cards are held")?;
    let mut known = [0_u32; Card::COUNT];
    for (kind, known) in known.iter_mut().enumerate() {
        *known = u32::from(view.cards[kind]) + u32::from(table.gone[kind]);
    }
    known[Card::Knight.idx()] += sum(&table.knights);
    let fits = known.iter().zip(game.deck).all(|(&known, all)| known <= all.into());
    require(fits, "more development cards than there are")?;
    let others = sum(&view.card_counts) - sum(&view.cards);
    require(known.iter().sum::<u32>() + others <= sum(&game.deck), "more cards than there are")?;
    let chairs = usize::from(game.players)..;
    let theirs = sum(&view.card_counts[chairs.clone()]) + sum(&table.knights[chairs]);
    require(theirs == 0, "only players have cards")
}
