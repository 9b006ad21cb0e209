//! The rule set of Struggle for Catan: every default that a user can change, with its clause.

use crate::games::struggle::cards::Expansion;
use crate::parts::allowed;
use crate::parts::bundles::Price;
use serde::{Deserialize, Serialize};

/// The most seats at this table.
pub const SEATS: usize = 6;

/// Numbers of cards by number of players, from two on.
pub type ByPlayers = [u8; 5];

/// Which expansions a seat may build. (SFC-46)
pub type Allowed = allowed::Allowed<Expansion>;

/// When discards become the draw stack. (SFC-21)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reshuffle {
    /// When a draw finds the stack empty.
    #[default]
    OnDraw,
    /// As soon as the last card is drawn.
    OnEmpty,
}

/// Who sees something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Eyes {
    /// Only those whom it concerns.
    #[default]
    Concerned,
    /// Everyone.
    All,
}

/// When the library's card of a lot is chosen. (SFC-34)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chosen {
    /// Before the blind ones.
    #[default]
    First,
    /// After the blind ones.
    Last,
}

/// When the merchants' guild may take its card. (SFC-71)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// In the trade step and in the build step.
    #[default]
    Any,
    /// In the trade step.
    Trade,
    /// In the build step, which it begins.
    Build,
}

/// How often the university saves a card. (SFC-72)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Per {
    /// Once a turn.
    #[default]
    Turn,
    /// Once a build.
    Build,
}

/// How further cards for knights are drawn. (SFC-80)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extra {
    /// One by one, each seen before the next is decided.
    #[default]
    OneByOne,
    /// As many as are decided beforehand.
    AtOnce,
}

/// Which cards count as one type. (SFC-42)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Types {
    /// Settlement and city are two.
    #[default]
    Five,
    /// Settlement and city are one.
    Four,
}

/// Where the destiny card points at the start. (SFC-11)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the left.
    #[default]
    Clockwise,
    /// To the right.
    Counterclockwise,
}

/// Cards of which a number is in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stack {
    /// The price of one.
    pub cost: Price,
    /// How many are in play, by number of players.
    pub in_play: ByPlayers,
}

/// Something with a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Priced {
    /// Its price.
    pub cost: Price,
}

/// One kind of expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExpansionCard {
    /// How many are in play, by number of players.
    pub in_play: ByPlayers,
    /// Victory points.
    pub points: u8,
    /// Added to the price of all expansions.
    pub extra: Price,
    /// Whether it is taken out of the match.
    pub out: bool,
}

/// The expansions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expansions {
    /// The price of each.
    pub cost: Price,
    /// Whether town hall and castle change their numbers in play.
    pub two_town_halls: bool,
    /// Which of them each seat may build, by seat; entries beyond the players are not read.
    pub allowed: [Allowed; SEATS],
    /// 4 points.
    pub town_hall: ExpansionCard,
    /// Protects roads.
    pub castle: ExpansionCard,
    /// Takes cards.
    pub merchants_guild: ExpansionCard,
    /// Protects knights.
    pub church: ExpansionCard,
    /// Chooses cards.
    pub library: ExpansionCard,
    /// Saves cards.
    pub university: ExpansionCard,
}

/// Building.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Build {
    /// Which cards count as one type.
    pub types: Types,
    /// Whether points win before the event of a city.
    pub win_before_event: bool,
    /// Whether a road or knight may be paid for that is nowhere to be had.
    pub in_vain: bool,
}

/// Substitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Substitution {
    /// Cards of one kind that replace one card.
    pub rate: u8,
}

/// Trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Trade {
    /// The most cards of one lot.
    pub lot_max: u8,
    /// Who sees what passes between two players.
    pub passes: Eyes,
}

/// The market.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Market {
    /// Whether a card that was taken may be returned.
    pub same: bool,
}

/// The library's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Library {
    /// Who sees the open hand.
    pub shown_to: Eyes,
    /// When the card is chosen.
    pub chosen: Chosen,
}

/// The merchants' guild's card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Guild {
    /// When it is taken.
    pub moment: Moment,
}

/// The university's card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct University {
    /// How often it is saved.
    pub per: Per,
}

/// What can't be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Protection {
    /// A castle's: its owner's first roads.
    pub roads: u8,
    /// A church's: its owner's first knights.
    pub knights: u8,
}

/// The brigand attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Brigands {
    /// City sides with an attack, by number of players; the others are market days.
    pub in_play: ByPlayers,
    /// Cards that are safe.
    pub hand_limit: u8,
}

/// The destiny card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Destiny {
    /// Where it points at the start.
    pub start: Direction,
    /// Whether who builds a settlement may flip it.
    pub settlement_flips: bool,
    /// Whether a brigand attack flips it.
    pub brigands_flip: bool,
}

/// The draw step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DrawStep {
    /// How further cards for knights are drawn.
    pub extra: Extra,
}

/// The rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Points that win.
    pub points_to_win: u8,
    /// Turns, counted by player, before a match ends without a winner.
    pub turns_max: u16,
    /// Resource cards that each player starts with.
    pub hand_start: u8,
    /// Copies of the 67 resource cards, by number of players.
    pub resource_copies: ByPlayers,
    /// When discards become the draw stack.
    pub reshuffle: Reshuffle,
    /// Roads.
    pub road: Stack,
    /// Knights.
    pub knight: Stack,
    /// Settlements, with cities on their other sides.
    pub settlement: Stack,
    /// Cities.
    pub city: Priced,
    /// Expansions.
    pub expansion: Expansions,
    /// Building.
    pub build: Build,
    /// Substitution.
    pub substitution: Substitution,
    /// Trade.
    pub trade: Trade,
    /// The market.
    pub market: Market,
    /// The library.
    pub library: Library,
    /// The merchants' guild.
    pub guild: Guild,
    /// The university.
    pub university: University,
    /// Castle and church.
    pub protection: Protection,
    /// The brigand attacks.
    pub brigands: Brigands,
    /// The destiny card.
    pub destiny: Destiny,
    /// The draw step.
    pub draw: DrawStep,
}

impl Default for Expansions {
    fn default() -> Expansions {
        let of = |in_play| ExpansionCard { in_play, points: 3, ..ExpansionCard::default() };
        Expansions {
            cost: Price::new([0, 0, 3, 0, 1]),
            two_town_halls: false,
            allowed: [Allowed::ANY; SEATS],
            town_hall: ExpansionCard { points: 4, ..of([1, 1, 1, 1, 1]) },
            castle: of([1, 1, 2, 2, 3]),
            merchants_guild: of([0, 1, 2, 3, 4]),
            church: of([1, 2, 2, 3, 3]),
            library: of([1, 1, 1, 1, 1]),
            university: of([1, 1, 1, 1, 1]),
        }
    }
}

impl Default for Substitution {
    fn default() -> Substitution {
        Substitution { rate: 3 }
    }
}

impl Default for Trade {
    fn default() -> Trade {
        Trade { lot_max: 10, passes: Eyes::Concerned }
    }
}

impl Default for Market {
    fn default() -> Market {
        Market { same: true }
    }
}

impl Default for Protection {
    fn default() -> Protection {
        Protection { roads: 3, knights: 1 }
    }
}

impl Default for Brigands {
    fn default() -> Brigands {
        Brigands { in_play: [5, 8, 10, 13, 15], hand_limit: 7 }
    }
}

impl Default for Destiny {
    fn default() -> Destiny {
        Destiny { start: Direction::Clockwise, settlement_flips: true, brigands_flip: true }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        let stack = |cost, in_play| Stack { cost: Price::new(cost), in_play };
        Rules {
            points_to_win: 10,
            turns_max: 500,
            hand_start: 3,
            resource_copies: [1, 1, 1, 2, 2],
            reshuffle: Reshuffle::OnDraw,
            road: stack([1, 1, 0, 0, 0], [5, 7, 9, 11, 13]),
            knight: stack([0, 0, 1, 1, 1], [2, 4, 5, 7, 8]),
            settlement: stack([1, 1, 1, 1, 0], [7, 11, 15, 19, 23]),
            city: Priced { cost: Price::new([0, 0, 0, 2, 3]) },
            expansion: Expansions::default(),
            build: Build::default(),
            substitution: Substitution::default(),
            trade: Trade::default(),
            market: Market::default(),
            library: Library::default(),
            guild: Guild::default(),
            university: University::default(),
            protection: Protection::default(),
            brigands: Brigands::default(),
            destiny: Destiny::default(),
            draw: DrawStep::default(),
        }
    }
}

impl Expansions {
    /// The cards in the order of every table, to be changed.
    pub fn cards_mut(&mut self) -> [&mut ExpansionCard; Expansion::COUNT] {
        [
            &mut self.town_hall,
            &mut self.castle,
            &mut self.merchants_guild,
            &mut self.church,
            &mut self.library,
            &mut self.university,
        ]
    }
}

impl Rules {
    /// All lists that have an entry for each number of players.
    pub fn lists_by_players(&mut self) -> impl Iterator<Item = &mut ByPlayers> {
        let own = [
            &mut self.resource_copies,
            &mut self.road.in_play,
            &mut self.knight.in_play,
            &mut self.settlement.in_play,
            &mut self.brigands.in_play,
        ];
        let expansions = self.expansion.cards_mut().map(|card| &mut card.in_play);
        own.into_iter().chain(expansions)
    }

    /// The expansions in the order of every table.
    pub fn expansion_cards(&self) -> [ExpansionCard; Expansion::COUNT] {
        let cards = &self.expansion;
        [
            cards.town_hall,
            cards.castle,
            cards.merchants_guild,
            cards.church,
            cards.library,
            cards.university,
        ]
    }
}
