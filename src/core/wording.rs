//! The words of a game, in match records and on the command line. The rules need none of them.

use crate::core::chance::ChanceEvent;
use crate::core::game::{Game, Observation, SeatEvent};
use crate::core::types::seat::Seat;
use serde::Serialize;
use serde::de::Error as _;
use std::borrow::Cow;
use toml::Table;

/// A rule set with a name: what it changes of the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its name on the command line.
    pub name: &'static str,
    /// The clause that has it.
    pub clause: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Fields, as `--set` has them.
    pub sets: &'static [&'static str],
}

/// A field that rule sets had once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Former {
    /// Where it stood.
    pub path: &'static str,
    /// What became of it.
    pub fate: &'static str,
}

impl Former {
    /// The complaint about a rule set that still has it.
    pub fn complaint(&self) -> String {
        format!("rule set field `{}` is gone: {}", self.path, self.fate)
    }
}

/// Why a choice can't be taken back although nobody else has acted and no luck was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// It was said to others: an offer, an answer, the end of a turn.
    Said,
    /// It may show its seat what was hidden.
    Shows,
}

/// Something to build or buy, as people at the table see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Priced {
    /// What it is, as actions and views name it.
    pub kind: &'static str,
    /// What it costs.
    pub price: String,
    /// How many the seat may still take, if that is bounded.
    pub left: Option<u8>,
}

/// The heading of offers to others, in all games that have them.
pub const OFFERS: &str = "Offers";

/// The heading under which one chooses whom to trade with once an offer was answered.
pub const CLOSES: &str = "Trade";

/// The headings that stand before all others where a seat may do such things, in this order; those of the second list stand
/// after all others.
pub const HEADINGS: [&[&str]; 2] = [
    &["Answer", CLOSES, "Turn", "Build", "Move", "Development cards", "Trade with the bank"],
    &[OFFERS, "Counter-offers"],
];

/// Where a heading stands: the same wherever it has actions.
pub fn heading_place(heading: &str) -> usize {
    let place = |list: &[&str]| list.iter().position(|other| *other == heading);
    let [first, last] = HEADINGS;
    place(first).or_else(|| Some(first.len() + 1 + place(last)?)).unwrap_or(first.len())
}

/// How phases and chance events are named in match records. All methods have plain defaults, so that a game
/// without words of its own writes an empty `impl`.
pub trait Wording: Game {
    /// What people call the game.
    const TITLE: &'static str = Self::NAME;
    /// What it is, in a line, for people who choose a game.
    const ABOUT: &'static str = "";
    /// Rule sets with a name.
    const PRESETS: &'static [Preset] = &[];
    /// Fields that older rule sets have, so that one is refused with a reason.
    const FORMER: &'static [Former] = &[];

    /// The word for what is being asked, such as `discard`.
    fn phase_name(&self, _state: &Self::State) -> &'static str {
        "decision"
    }

    /// The word for a kind of draw, such as `dice`.
    fn draw_name(_draw: Self::Draw) -> &'static str {
        "draw"
    }

    /// The seat that a draw concerns; nothing if it concerns nobody, or everybody.
    fn draw_seat(_draw: Self::Draw) -> Option<Seat> {
        None
    }

    /// The word for the result of a draw, such as `ore`: its number by default. Results that mean the same to
    /// the rules may share a word; a record is read as the lowest of those that are possible.
    fn result_name(event: ChanceEvent<Self::Draw>) -> Cow<'static, str> {
        event.outcome.to_string().into()
    }

    /// How the game is played, for people who don't know it: a paragraph an entry, without clauses.
    fn primer(&self) -> Vec<String> {
        Vec::new()
    }

    /// What people want to see before a match: the board with the numbers by which actions name its places.
    fn places(&self) -> Option<String> {
        None
    }

    /// The board and what stands on it, as a seat sees it, in lines of characters, with the numbers of places that some
    /// actions name; nothing for a game without a board.
    fn picture(&self, _view: &Self::View<'_>, _offered: &[Self::Action]) -> Option<String> {
        None
    }

    /// What a seat sees beside the board, in lines of words: its own cards, what is open of each seat, what lies on the
    /// table.
    fn table_words(&self, _view: &Self::View<'_>) -> Vec<String> {
        Vec::new()
    }

    /// What is asked now, as one says it to whoever is asked: `place a settlement`, `discard 2 more cards`. It names
    /// those that it speaks of as the seat of the view calls them.
    fn question(&self, _view: &Self::View<'_>) -> String {
        "choose".to_owned()
    }

    /// Points of a seat that the others did not see before the match ended.
    fn hidden_points(&self, _end: &Self::State, _seat: Seat) -> u8 {
        0
    }

    /// What there is to build or buy, whether it can be paid now or not.
    fn prices(&self, _view: &Self::View<'_>) -> Vec<Priced> {
        Vec::new()
    }

    /// What a seat that saw `before` may know of an action that was taken then; nothing if it may not know which it was.
    fn known_action(&self, _before: &Self::View<'_>, action: Self::Action) -> Option<Self::Action> {
        Some(action)
    }

    /// Whether a seat that saw `before` sees what such a draw then gives. Not if it hears of it as an event of its
    /// memory.
    fn sees_draw(&self, _before: &Self::View<'_>, _draw: Self::Draw) -> bool {
        false
    }

    /// An action in words, for a seat that saw `before` when it was taken: what the seat may not know of it is left out.
    fn action_words(&self, _before: &Self::View<'_>, action: Self::Action) -> String {
        action.to_string()
    }

    /// What an action on the list of a seat comes to, if its words leave that to what lies on the table, such as the terms
    /// of a trade that was proposed: `you give 1 wool for 1 ore`.
    fn terms(&self, _view: &Self::View<'_>, _action: Self::Action) -> Option<String> {
        None
    }

    /// A result of luck in words, for a seat that saw `before` when it was asked for; nothing before the deal is done.
    /// Nothing is said if the seat may not see it, or hears of it as an event of its memory.
    fn chance_words(
        &self,
        _before: Option<&Self::View<'_>>,
        _event: ChanceEvent<Self::Draw>,
    ) -> Option<String> {
        None
    }

    /// What a seat has heard of one step, in words for it, a sentence each.
    fn event_words(&self, _events: &[SeatEvent<Self>], _seat: Seat) -> Vec<String> {
        Vec::new()
    }

    /// What a step has changed on the table, for a seat that saw both, as far as no other words tell it, a sentence each:
    /// to whom Longest Road goes, from whom a piece was taken.
    fn change_words(&self, _before: &Self::View<'_>, _after: &Self::View<'_>) -> Vec<String> {
        Vec::new()
    }

    /// The heading under which an action is listed, such as `Build`.
    fn heading(_action: Self::Action) -> &'static str {
        "Actions"
    }

    /// Why an action that was taken in a position can't be taken back even if no luck came of it and nobody else has acted;
    /// nothing if it can.
    fn stands(_before: &Self::State, _action: Self::Action) -> Option<Stands> {
        Some(Stands::Said)
    }

    /// Writes what a seat sees as one JSON value, as `docs/views.md` has it; `null` for a game that has no such form.
    fn write_view(&self, _view: &Self::View<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"null");
    }

    /// Reads what [`Wording::write_view`] wrote, and hands on what a seat with this memory observes.
    ///
    /// # Errors
    /// If it is not such a value.
    fn read_view<R>(
        &self,
        _json: &str,
        _memory: &Self::Memory,
        _with: impl FnOnce(&Observation<'_, Self>) -> R,
    ) -> Result<R, serde_json::Error> {
        Err(serde_json::Error::custom("what a seat of this game sees has no form in JSON"))
    }

    /// Writes the catalogue of the game as one JSON value: names of kinds, cards and phases, and the places by
    /// whose numbers actions and views name them; `{}` for a game that has none.
    fn write_catalogue(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{}");
    }
}

/// A rule set that still has a former field is refused with what became of it.
///
/// # Errors
/// What became of the first.
pub fn refuse_former(former: &[Former], rules: &Table) -> Result<(), String> {
    let has = |path: &str| {
        let mut parts = path.split('.');
        let first = parts.next().and_then(|first| rules.get(first));
        parts.fold(first, |value, part| value?.get(part)).is_some()
    };
    let former = former.iter().find(|former| has(former.path));
    former.map_or(Ok(()), |former| Err(former.complaint()))
}
